//! Declarations.

use std::rc::Rc;

use super::{
    Attribute, Block, Expr, FunctionType, Handler, Ident, Name, Specifiers, Statement, StatementKind,
    TagKind, Type,
};
use crate::diagnostic::Diagnostic;
use crate::source::Span;

/// All of a translation unit.
#[derive(Clone, Debug, Default)]
pub(crate) struct TranslationUnit {
    /// Declarations in order.
    pub declarations: Vec<Declaration>,
}

/// Declaration; `int a, *b;` is two.
#[derive(Clone, Debug)]
pub(crate) struct Declaration {
    /// What is declared.
    pub kind: DeclarationKind,
    /// Where; the second and later declarators of one declaration begin at their own name's declarator.
    pub span: Span,
}

/// What is declared.
#[derive(Clone, Debug)]
pub(crate) enum DeclarationKind {
    /// `namespace a { … }`; `namespace a::b { … }` is one in another; no name is the anonymous one.
    Namespace {
        /// Its name.
        name: Option<Ident>,
        /// Whether `inline`.
        inline: bool,
        /// What is in it.
        declarations: Rc<[Declaration]>,
    },
    /// `extern "C" { … }`: what is in it (whose specifiers have `extern_c` set).
    Linkage(Rc<[Declaration]>),
    /// `using a::b;`, also of a base's members.
    Using(Name),
    /// `using namespace a;`.
    UsingNamespace(Name),
    /// `namespace a = b::c;`.
    NamespaceAlias(Ident, Name),
    /// `typedef T x;`, `using x = T;`.
    Alias(Rc<Alias>),
    /// Class, declared or defined, with no declarator.
    Class(Rc<Class>),
    /// Enumeration, declared or defined, with no declarator.
    Enum(Rc<Enum>),
    /// Function, method, constructor, destructor or conversion, declared or defined.
    Function(Rc<Function>),
    /// Variable, data member (static or not), of a namespace, class or block.
    Variable(Rc<Variable>),
    /// `auto [a, b] = x;`.
    StructuredBinding(Rc<StructuredBinding>),
    /// `template <…>` and what follows.
    Template(Rc<Template>),
    /// `template class A<int>;`, `template void f<int>(int);`: what is to be instantiated. With `extern`, only reported.
    ExplicitInstantiation {
        /// The function, class or variable with its arguments.
        declaration: Rc<Declaration>,
        /// Whether it begins with `extern`.
        is_extern: bool,
    },
    /// `static_assert(x, "why");`.
    StaticAssert {
        /// What must hold.
        condition: Expr,
        /// What to say where it does not.
        message: Option<Rc<[u8]>>,
    },
    /// `friend …;`: a declaration of the namespace around the class.
    Friend(Rc<Declaration>),
    /// `public:` and the like: for the members that follow.
    Access(Access),
    /// `asm("…");` outside of functions, which is refused.
    Asm,
    /// What seems to be for the host alone and could not be read: its name where one was found, and why it could not be
    /// read. No one minds until device code names it: then the reason is the error.
    OpaqueHost(Option<Ident>, Rc<[Diagnostic]>),
    /// `;` alone, or a `#pragma` that means nothing.
    Empty,
    /// Could not be read; reported already.
    Error,
}

/// Access of members.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names say it")]
pub(crate) enum Access {
    Public,
    Protected,
    Private,
}

/// `typedef` or `using x =`.
#[derive(Clone, Debug)]
pub(crate) struct Alias {
    /// What it declares.
    pub name: Ident,
    /// What it means.
    pub target: Rc<Type>,
}

/// Structure, class or union.
#[derive(Clone, Debug)]
pub(crate) struct Class {
    /// Keyword.
    pub tag: TagKind,
    /// Name: with template arguments for a specialisation, qualified for one defined outside of its class; `None` for
    /// one without a name.
    pub name: Option<Name>,
    /// `alignas`, `packed` and others.
    pub attributes: Vec<Attribute>,
    /// Bases in order.
    pub bases: Vec<Base>,
    /// Members in order; `None` where it is only declared.
    pub members: Option<Vec<Declaration>>,
    /// All of it.
    pub span: Span,
}

/// Base of a class.
#[derive(Clone, Debug)]
pub(crate) struct Base {
    /// Which class.
    pub class: Rc<Type>,
    /// As written; the tag's default otherwise.
    pub access: Option<Access>,
    /// `virtual`, which is refused.
    pub is_virtual: Option<Span>,
    /// Whether `...` follows.
    pub pack: bool,
}

/// Enumeration.
#[derive(Clone, Debug)]
pub(crate) struct Enum {
    /// Name.
    pub name: Option<Name>,
    /// `enum class`.
    pub scoped: bool,
    /// Type after `:`.
    pub underlying: Option<Rc<Type>>,
    /// Enumerators; `None` where it is only declared.
    pub enumerators: Option<Vec<Enumerator>>,
    /// All of it.
    pub span: Span,
}

/// Constant of an enumeration.
#[derive(Clone, Debug)]
pub(crate) struct Enumerator {
    /// Name.
    pub name: Ident,
    /// Value where one is written.
    pub value: Option<Expr>,
}

/// Variable or data member.
#[derive(Clone, Debug)]
pub(crate) struct Variable {
    /// Name, qualified where a static member is defined outside of its class, with arguments in specialisations of
    /// variable templates; `None` for a bit-field or a union without a name.
    pub name: Option<Name>,
    /// Storage and attributes.
    pub specifiers: Specifiers,
    /// Type, whole.
    pub ty: Rc<Type>,
    /// How it starts.
    pub initializer: Option<Initializer>,
    /// Width of a bit-field.
    pub bits: Option<Expr>,
    /// All of it.
    pub span: Span,
}

/// How a variable or member starts.
#[derive(Clone, Debug)]
pub(crate) enum Initializer {
    /// `= x`; a list where braces follow.
    Equals(Expr),
    /// `(x, y)`.
    Parentheses(Vec<Expr>, Span),
    /// `{x, y}`.
    Braces(InitList),
}

/// `{a, .x = b, [3] = c}`.
#[derive(Clone, Debug)]
pub(crate) struct InitList {
    /// Elements in order.
    pub elements: Vec<InitElement>,
    /// With braces.
    pub span: Span,
}

/// Element of an initialiser list.
#[derive(Clone, Debug)]
pub(crate) struct InitElement {
    /// `.x`, `[3]` before `=`.
    pub designators: Vec<Designator>,
    /// Value; a list where braces are written.
    pub value: Expr,
}

/// What an element of an initialiser list is for.
#[derive(Clone, Debug)]
pub(crate) enum Designator {
    /// `.x`.
    Member(Ident),
    /// `[i]`, of C, which is refused.
    Index(Expr),
}

/// `auto [a, b] = x;`.
#[derive(Clone, Debug)]
pub(crate) struct StructuredBinding {
    /// Storage and attributes.
    pub specifiers: Specifiers,
    /// `auto`, `const auto &` and so on.
    pub ty: Rc<Type>,
    /// Names.
    pub names: Vec<Ident>,
    /// What is taken apart; `None` where it is in a range-based loop.
    pub initializer: Option<Initializer>,
}

/// What a function is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names say it")]
pub(crate) enum FunctionKind {
    /// Function, method or operator.
    Ordinary,
    Constructor,
    Destructor,
    Conversion,
    /// `Pair(A, B) -> Pair<A, B>;`.
    DeductionGuide,
}

/// Function, declared or defined.
#[derive(Clone, Debug)]
pub(crate) struct Function {
    /// What it is.
    pub kind: FunctionKind,
    /// Name, qualified where it is defined outside of its class, with arguments in specialisations.
    pub name: Name,
    /// Storage and attributes.
    pub specifiers: Specifiers,
    /// Result and parameters. Constructors and destructors have `void`.
    pub ty: Rc<FunctionType>,
    /// `override`, `final`, `= 0`: places of what is refused.
    pub is_virtual_like: Option<Span>,
    /// Whether `= 0`.
    pub is_pure: bool,
    /// Whether it throws nothing, as it says, or as a destructor that says nothing.
    pub is_noexcept: bool,
    /// `requires …`, refused.
    pub requires: Option<Span>,
    /// What it does.
    pub body: FunctionBody,
    /// All of it.
    pub span: Span,
}

/// What a function does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum FunctionBody {
    /// Only declared.
    None,
    /// `= default`.
    Defaulted,
    /// `= delete`.
    Deleted,
    /// Defined: `Tree::body` gives it, and parses it first where that was put off (for the host, or in headers of ours).
    Defined(BodyId),
}

/// Number of a function's body in its tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct BodyId(pub u32);

/// Body of a function.
#[derive(Debug)]
pub(crate) struct Body {
    /// A constructor's `: a(1), b{2}`.
    pub initializers: Vec<MemberInitializer>,
    /// Statements.
    pub block: Block,
}

impl Body {
    /// The block and the handlers of a body that is `try { … } catch (T x) { … }` as a whole.
    pub(crate) fn tried(&self) -> Option<(&Block, &[Handler])> {
        match self.block.statements.as_slice() {
            [Statement { kind: StatementKind::Try(block, handlers), span }] if *span == self.block.span => {
                Some((block, handlers))
            }
            _ => None,
        }
    }
}

/// `a(1)` before a constructor's body.
#[derive(Clone, Debug)]
pub(crate) struct MemberInitializer {
    /// Member, base or the class itself.
    pub name: Name,
    /// Its start.
    pub initializer: Initializer,
    /// Whether `...` follows.
    pub pack: bool,
    /// All of it.
    pub span: Span,
}

/// Parameter of a function.
#[derive(Clone, Debug)]
pub(crate) struct Parameter {
    /// Name where there is one.
    pub name: Option<Ident>,
    /// `__grid_constant__` and others.
    pub attributes: Vec<Attribute>,
    /// Type as written: arrays and functions are not yet pointers; [`super::TypeKind::Pack`] for `T... x`.
    pub ty: Rc<Type>,
    /// Default.
    pub default: Option<Rc<Expr>>,
    /// All of it.
    pub span: Span,
}

/// `template <…>` and what follows.
#[derive(Clone, Debug)]
pub(crate) struct Template {
    /// Parameters; none for an explicit specialisation.
    pub parameters: Vec<TemplateParameter>,
    /// Function, class, variable, alias, or another template (a member template defined outside of its class).
    pub declaration: Declaration,
    /// `requires …`, refused.
    pub requires: Option<Span>,
}

/// Parameter of a template.
#[derive(Clone, Debug)]
pub(crate) struct TemplateParameter {
    /// Name where there is one.
    pub name: Option<Ident>,
    /// Whether `...` is written.
    pub pack: bool,
    /// What it means.
    pub kind: TemplateParameterKind,
    /// All of it.
    pub span: Span,
}

/// What a template's parameter means.
#[derive(Clone, Debug)]
pub(crate) enum TemplateParameterKind {
    /// `class T = …`.
    Type {
        /// Default.
        default: Option<Rc<Type>>,
    },
    /// `int N = …`.
    Value {
        /// Its type, which may be `auto` or another parameter.
        ty: Rc<Type>,
        /// Default.
        default: Option<Rc<Expr>>,
    },
    /// `template <class> class C = …`.
    Template {
        /// Default: the name of a template.
        default: Option<Rc<Type>>,
    },
}
