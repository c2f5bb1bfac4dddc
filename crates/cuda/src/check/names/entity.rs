//! What names stand for, and the scopes that hold them.
//!
//! Enters: nothing. Leaves: the types of the checker's own tables. Scopes are never taken away, so that the bodies of
//! templates and lambdas find later what was around them. This module must never know how names are looked up.

use std::rc::Rc;

use crate::ast::{self, Access, Symbol};
use crate::hash::Map;
use crate::hir::{Expr, FunctionId, LocalId, Place, RecordId, Type, VariableId, index};
use crate::source::Span;

index! {
    /// Index of the checker's scopes.
    ScopeId;
    /// Index of the checker's functions and function templates, as declared.
    DeclId;
    /// Index of the checker's templates of classes, aliases and variables.
    TemplateId;
    /// Index of the checker's variables of namespaces and classes.
    GlobalId;
    /// Index of the checker's aliases.
    AliasId;
}

/// Function that objects of a class stand for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Functor {
    /// One of a source.
    Declared(DeclId),
    /// One of the compiler's own table, which has no other of its name.
    Builtin(&'static str),
}

/// Argument of a template.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Argument {
    /// Type.
    Type(Type),
    /// Integer, `bool` or enumerator, with its type.
    Value(Type, i128),
    /// Function that a pointer or reference to functions is: those of its name, and once fitted to a parameter that one; with the
    /// arguments of its own template.
    Functions(Vec<DeclId>, Vec<Argument>),
    /// Template of a class or an alias.
    Template(TemplateId),
    /// What a pack stands for.
    Pack(Vec<Argument>),
}

/// Arguments with the elements of packs among them.
pub(crate) fn flatten(arguments: &[Argument], all: &mut Vec<Argument>) {
    for one in arguments {
        match one {
            Argument::Pack(inner) => flatten(inner, all),
            one => all.push(one.clone()),
        }
    }
}

/// Whether two arguments are the same; values are compared without their types.
pub(crate) fn same_argument(a: &Argument, b: &Argument) -> bool {
    match (a, b) {
        (Argument::Value(_, a), Argument::Value(_, b)) => a == b,
        (a, b) => a == b,
    }
}

/// What a name stands for.
#[derive(Clone, Debug)]
pub(crate) enum Entity {
    /// Namespace.
    Namespace(ScopeId),
    /// Class, enumeration or the injected name of a class.
    Type(Type),
    /// `typedef`, `using`.
    Alias(AliasId),
    /// Template of a class, an alias or a variable.
    Template(TemplateId),
    /// Functions and function templates of one name, and whether the compiler's own of that name are among them.
    Functions(Vec<DeclId>, bool),
    /// What the language itself has without a declaration.
    Special(Special),
    /// Variable of a namespace, or static member.
    Global(GlobalId),
    /// Variable of a function with static storage, or string literal.
    Static(VariableId),
    /// Automatic variable: of which function body, and which.
    Local(u32, LocalId),
    /// Other name for a place in a function body (structured binding), with the body's number.
    Binding(u32, Rc<Place>),
    /// Enumerator or template argument: its value.
    Value(Rc<Expr>),
    /// Several things that a pack stands for.
    Pack(Rc<[Entity]>),
    /// Field of a class, by its number, or in an anonymous member: the numbers on the way.
    Field(RecordId, Rc<[u32]>),
    /// What only the host has.
    Host(Span),
    /// Could not be declared; reported already.
    Error,
}

/// What the language itself has without a declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Special {
    /// `threadIdx` and the like: its name, and that of its type.
    Coordinates(&'static str, &'static str),
    /// `warpSize`.
    WarpSize,
    /// `printf`.
    Printf,
    /// What the macro `assert` calls.
    AssertFail,
}

/// Entity in a scope.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    /// What the name stands for.
    pub(crate) entity: Entity,
    /// Number of the declaration in the translation unit: later ones are not visible from earlier ones.
    pub(crate) order: u32,
    /// Where it is declared.
    pub(crate) span: Span,
}

/// What a scope belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ScopeKind {
    /// Namespace, or the translation unit.
    Namespace,
    /// Class.
    Class(RecordId),
    /// Parameters of a template.
    Template,
    /// Block, or parameters of a function; of which function body.
    Block(u32),
    /// Scoped enumeration.
    Enum,
}

/// Scope.
#[derive(Clone, Debug)]
pub(crate) struct Scope {
    /// Scope around it.
    pub(crate) parent: Option<ScopeId>,
    /// What it belongs to.
    pub(crate) kind: ScopeKind,
    /// Name of a namespace.
    pub(crate) name: Option<Symbol>,
    /// Names.
    pub(crate) names: crate::check::names::table::Names<Entry>,
    /// Namespaces of `using namespace`, inline and anonymous ones among them.
    pub(crate) using: Vec<ScopeId>,
    /// Inline or anonymous namespace.
    pub(crate) inline: bool,
    /// Scope of parameters or of a condition, whose names the outermost block of what follows may not declare again.
    pub(crate) head: Option<ScopeId>,
}

impl Scope {
    /// The scope around all others.
    pub(crate) fn root() -> Self {
        Scope {
            parent: None,
            kind: ScopeKind::Namespace,
            name: None,
            names: crate::check::names::table::Names::default(),
            using: vec![],
            inline: false,
            head: None,
        }
    }
}

/// `typedef`, `using`.
#[derive(Clone, Debug)]
pub(crate) struct AliasDecl {
    /// As written.
    pub(crate) ast: Rc<ast::Alias>,
    /// Around it.
    pub(crate) scope: ScopeId,
    /// Type once it is known; `Err` while it is being found.
    pub(crate) ty: Option<Result<Type, ()>>,
    /// See [`Entry::order`].
    pub(crate) order: u32,
}

/// Variable of a namespace or a class.
#[derive(Clone, Debug)]
pub(crate) struct GlobalDecl {
    /// As written.
    pub(crate) ast: Rc<ast::Variable>,
    /// Its definition, where another declaration has one: with the scope in which its names are looked up.
    pub(crate) definition: Option<(Rc<ast::Variable>, ScopeId)>,
    /// Around it.
    pub(crate) scope: ScopeId,
    /// Static member of it.
    pub(crate) class: Option<RecordId>,
    /// Arguments of a variable template.
    pub(crate) arguments: Vec<Argument>,
    /// What it became; `Err` while it is being checked, or where it could not be.
    pub(crate) variable: Option<Result<VariableId, ()>>,
    /// See [`Entry::order`].
    pub(crate) order: u32,
}

/// Function or function template.
#[derive(Clone, Debug)]
pub(crate) struct FunctionDecl {
    /// As declared first.
    pub(crate) ast: Rc<ast::Function>,
    /// Around it.
    pub(crate) scope: ScopeId,
    /// Method of it.
    pub(crate) class: Option<RecordId>,
    /// Parameters, for a template.
    pub(crate) template: Option<Rc<ast::Template>>,
    /// Its definition, where another declaration has it.
    pub(crate) definition: Option<Definition>,
    /// Explicit specialisations.
    pub(crate) specialisations: Vec<Definition>,
    /// Which declaration it repeats.
    pub(crate) repeats: Option<DeclId>,
    /// Generic or plain call operator of a lambda: its closure's record.
    pub(crate) closure: Option<Rc<Closure>>,
    /// Found only by argument-dependent lookup.
    pub(crate) hidden: bool,
    /// See [`Entry::order`].
    pub(crate) order: u32,
    /// Whether its signature was compared with those before it.
    pub(crate) merged: bool,
}

/// Definition apart from the declaration.
#[derive(Clone, Debug)]
pub(crate) struct Definition {
    /// As written.
    pub(crate) ast: Rc<ast::Function>,
    /// Around it, for names: of a method the scope in which its class's template parameters are named.
    pub(crate) scope: ScopeId,
    /// Its own template parameters.
    pub(crate) template: Option<Rc<ast::Template>>,
    /// Headers of enclosing templates, outermost first.
    pub(crate) headers: Vec<Rc<ast::Template>>,
    /// See [`Entry::order`].
    pub(crate) order: u32,
}

/// What a lambda's body needs.
#[derive(Clone, Debug)]
pub(crate) struct Closure {
    /// As written.
    pub(crate) ast: Rc<ast::Lambda>,
    /// Record of its captures.
    pub(crate) record: RecordId,
    /// Captured variables: the function body and variable, the field's number, whether it holds an address.
    pub(crate) captures: Vec<(u32, LocalId, u32, bool)>,
    /// Field of `this`, with the type of the pointer.
    pub(crate) this: Option<(u32, Type)>,
}

/// What a template makes.
#[derive(Clone, Debug)]
pub(crate) enum TemplateKind {
    /// Class.
    Class,
    /// Alias.
    Alias(Rc<ast::Alias>),
    /// Variable.
    Variable(Rc<ast::Variable>),
}

/// Template of a class, an alias or a variable.
#[derive(Clone, Debug)]
pub(crate) struct TemplateDecl {
    /// Name.
    pub(crate) name: Symbol,
    /// As declared first, with defaults.
    pub(crate) ast: Rc<ast::Template>,
    /// What it makes.
    pub(crate) kind: TemplateKind,
    /// Its definition.
    pub(crate) class: Option<Rc<ast::Class>>,
    /// Around it.
    pub(crate) scope: ScopeId,
    /// Specialisations, partial and explicit.
    pub(crate) partials: Vec<Partial>,
    /// Those that exist.
    pub(crate) instances: Map<Vec<Argument>, Entity>,
    /// Members defined outside, with the names of the classes in it that they are members of.
    pub(crate) outside: Vec<(Vec<Symbol>, Outside)>,
    /// See [`Entry::order`].
    pub(crate) order: u32,
    /// Where it is declared.
    pub(crate) span: Span,
}

/// Specialisation of a template.
#[derive(Clone, Debug)]
pub(crate) struct Partial {
    /// As written; its parameters are empty where it is explicit.
    pub(crate) ast: Rc<ast::Template>,
    /// Arguments as written.
    pub(crate) pattern: Rc<[ast::TemplateArgument]>,
    /// Around it.
    pub(crate) scope: ScopeId,
    /// See [`Entry::order`]: what it names may be declared after the template.
    pub(crate) order: u32,
    /// As [`TemplateDecl::outside`].
    pub(crate) outside: Vec<(Vec<Symbol>, Outside)>,
}

/// What the members are of that a definition outside of a class template names.
#[derive(Clone, Debug)]
pub(crate) struct Enclosing {
    /// The template.
    pub(crate) template: TemplateId,
    /// Its specialisation.
    pub(crate) partial: Option<usize>,
    /// Classes in it, outermost first.
    pub(crate) path: Vec<Symbol>,
    /// How many headers belong to it and to these.
    pub(crate) headers: usize,
}

/// Member of a class template that is defined outside of it.
#[derive(Clone, Debug)]
pub(crate) enum Outside {
    /// Method.
    Function(Symbol, Definition),
    /// Static member.
    Variable(Symbol, Rc<ast::Variable>, Vec<Rc<ast::Template>>),
    /// Class, with its [order](Entry::order).
    Class(Symbol, Rc<ast::Class>, Vec<Rc<ast::Template>>, u32),
}

/// How far a class is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Completion {
    /// Not yet looked at.
    Declared,
    /// Being laid out.
    Started,
    /// All known.
    Complete,
    /// Could not be laid out; reported already.
    Failed,
}

/// What the checker knows of a class, next to its layout.
#[derive(Clone, Debug)]
pub(crate) struct RecordInfo {
    /// Simple name; empty for one without.
    pub(crate) name: Symbol,
    /// Definition.
    pub(crate) ast: Option<Rc<ast::Class>>,
    /// Its members.
    pub(crate) scope: ScopeId,
    /// How far it is known.
    pub(crate) completion: Completion,
    /// Template that made it.
    pub(crate) template: Option<(TemplateId, Vec<Argument>)>,
    /// What it is made for.
    pub(crate) request: u32,
    /// Specialisation of that template which it is made of.
    pub(crate) partial: Option<usize>,
    /// Bases with their fields' numbers.
    pub(crate) bases: Vec<(RecordId, u32)>,
    /// Those of them that depend on a template's parameters: their members are not found by their names alone.
    pub(crate) dependent_bases: Vec<RecordId>,
    /// Those of them whose members are private or protected in the class.
    pub(crate) hidden_bases: Vec<(RecordId, Access)>,
    /// Names of members, other than functions, that are private or protected.
    pub(crate) restricted: Map<Symbol, Access>,
    /// Constructors.
    pub(crate) constructors: Vec<DeclId>,
    /// Conversion functions.
    pub(crate) conversions: Vec<DeclId>,
    /// Destructor that is written and not defaulted.
    pub(crate) destructor: Option<DeclId>,
    /// Deleted functions of the special members, by their places.
    pub(crate) defaults: Map<u32, Rc<ast::Variable>>,
    /// Type with its own parameter's marker: used to order templates, no real class.
    pub(crate) marker: bool,
    /// Keyword.
    pub(crate) union: bool,
    /// Where it is declared.
    pub(crate) span: Span,
    /// Constructors of bases are inherited (`using B::B`).
    pub(crate) inherits: Vec<RecordId>,
    /// Bytes without what is after the last field, where another class's fields may begin.
    pub(crate) data_size: u64,
    /// Old plain data as Itanium's ABI has it.
    pub(crate) pod: bool,
    /// Without fields.
    pub(crate) empty: bool,
    /// Whether a list of values may fill it.
    pub(crate) aggregate: bool,
    /// Empty classes within, with their offsets.
    pub(crate) empties: Vec<(RecordId, u64)>,
    /// Fields by which accessibility: numbers of those that are private or protected.
    pub(crate) hidden: Vec<u32>,
    /// Number of a lambda's record.
    pub(crate) closure: Option<u32>,
    /// Its virtual functions.
    pub(crate) virtuals: Virtuals,
    /// See [`Entry::order`].
    pub(crate) order: u32,
}

/// Types of a function.
#[derive(Clone, Debug)]
pub(crate) struct Signature {
    /// What it returns; `None` where `auto` is to be found out from the body.
    pub(crate) result: Option<Type>,
    /// Parameters without `this`.
    pub(crate) params: Vec<Type>,
    /// For each parameter which one of those written it is, and whether it comes of a pack.
    pub(crate) written: Vec<(usize, bool)>,
    /// Type of `*this`.
    pub(crate) this: Option<Type>,
    /// `&&` (true) or `&` after the parentheses.
    pub(crate) reference: Option<bool>,
    /// How many arguments it takes at least.
    pub(crate) least: usize,
    /// Scope with its template parameters, or around it.
    pub(crate) scope: ScopeId,
    /// `...` of C.
    pub(crate) variadic: bool,
}

/// How far a function's body is checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Progress {
    /// Waits.
    Declared,
    /// Is being checked.
    Started,
    /// Checked.
    Done,
}

/// Function with all its types known, next to [`crate::hir::Function`].
#[derive(Clone, Debug)]
pub(crate) struct Instance {
    /// Declaration.
    pub(crate) decl: DeclId,
    /// Template arguments.
    pub(crate) arguments: Vec<Argument>,
    /// Types.
    pub(crate) signature: Rc<Signature>,
    /// Body.
    pub(crate) progress: Progress,
    /// Whether an error leaves open what it returns.
    pub(crate) broken: bool,
    /// Whether it is `void` and returns a value, which was reported.
    pub(crate) returns_in_vain: bool,
    /// Whether anything that is executed calls it.
    pub(crate) called: bool,
    /// How deep in instantiations it is.
    pub(crate) depth: u32,
    /// What it is made for.
    pub(crate) request: u32,
    /// What it calls, with the places.
    pub(crate) calls: Vec<(FunctionId, Span)>,
    /// Whether it reaches itself by calls, once that was asked and all of their bodies are known.
    pub(crate) calls_itself: Option<bool>,
}

/// Enumeration as declared.
#[derive(Clone, Debug)]
pub(crate) struct EnumInfo {
    /// Simple name.
    pub(crate) name: Symbol,
    /// Around it.
    pub(crate) scope: ScopeId,
    /// Of its enumerators, where they have one.
    pub(crate) inner: ScopeId,
    /// Type that its values are computed in: of one without a fixed type, the first from `int` on that holds all of them.
    pub(crate) promoted: Option<Type>,
}

/// What a class has of virtual functions.
#[derive(Clone, Debug, Default)]
pub(crate) struct Virtuals {
    /// Whether it or a base has any.
    pub(crate) polymorphic: bool,
    /// Field that holds the address of its table, where no base at its beginning does.
    pub(crate) vptr: Option<u32>,
    /// The functions in the order of its table, once they were asked for.
    pub(crate) slots: Option<Rc<[Slot]>>,
    /// Its tables, once an object of it is made: where their addresses are, and the variables.
    pub(crate) tables: Option<Rc<(Vec<u64>, Vec<VariableId>)>>,
    /// Virtual bases, those of its bases too, in the order in which they begin, with their fields' numbers: the first ones.
    pub(crate) bases: Vec<(RecordId, u32)>,
    /// The one of them whose table begins as its own, where no other base's does.
    pub(crate) shared: Option<RecordId>,
}

/// Virtual function of a class: its place in the table.
#[derive(Clone, Debug)]
pub(crate) struct Slot {
    pub(crate) name: Symbol,
    pub(crate) params: Vec<Type>,
    pub(crate) constant: bool,
    /// What the class or the nearest of its bases declares; none of a destructor.
    pub(crate) decl: Option<DeclId>,
    /// Virtual base whose distance the table has here, in place of a function.
    pub(crate) base: Option<RecordId>,
}
