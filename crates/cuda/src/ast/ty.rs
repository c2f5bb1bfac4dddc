//! Types and attributes.

use std::rc::Rc;

use super::{Class, Enum, Expr, Name, Parameter, Symbol, TemplateArgument};
use crate::source::Span;

/// Type as written.
#[derive(Clone, Debug)]
pub(crate) struct Type {
    /// What it is.
    pub kind: TypeKind,
    /// Its own `const`, `volatile` and `__restrict__`.
    pub qualifiers: Qualifiers,
    /// Where; for what a declarator made (`*`, `[4]`), the declarator's place.
    pub span: Span,
}

/// `const`, `volatile`, `__restrict__`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names say it")]
pub(crate) struct Qualifiers {
    pub constant: bool,
    pub volatile: bool,
    pub restrict: bool,
}

/// What a type is.
#[derive(Clone, Debug)]
pub(crate) enum TypeKind {
    /// Keywords such as `unsigned long long`.
    Builtin(Builtin),
    /// `auto`.
    Auto,
    /// `decltype(auto)`.
    DecltypeAuto,
    /// `decltype(x)`, `__typeof__(x)`.
    Decltype(Rc<Expr>),
    /// `__typeof__(T)` and the like: the same as the type within.
    Same(Rc<Type>),
    /// By name, with `typename` in the name where it is written.
    Name(Name),
    /// `struct S`, `enum E` without a body, where something else follows.
    Elaborated(TagKind, Name),
    /// Class with its body in place.
    Class(Rc<Class>),
    /// Enumeration with its body in place.
    Enum(Rc<Enum>),
    /// `T *`.
    Pointer(Rc<Type>),
    /// `T &`.
    Reference(Rc<Type>),
    /// `T &&`.
    RvalueReference(Rc<Type>),
    /// `T C::*`: the class, and what the member is.
    MemberPointer(Name, Rc<Type>),
    /// `T[n]`, `T[]`.
    Array(Rc<Type>, Option<Rc<Expr>>),
    /// `R(A, B)`.
    Function(Rc<FunctionType>),
    /// `T...`: a pack's pattern, in parameters and template arguments.
    Pack(Rc<Type>),
    /// Could not be read; reported already.
    Error,
}

/// Type of a function.
#[derive(Clone, Debug)]
pub(crate) struct FunctionType {
    /// What it returns; a trailing return type has been put here.
    pub result: Rc<Type>,
    /// Its parameters.
    pub parameters: Vec<Parameter>,
    /// Ends with `...` in the manner of C.
    pub variadic: bool,
    /// `const` after the parentheses.
    pub constant: bool,
    /// `&` or `&&` after the parentheses.
    pub reference: Option<&'static str>,
}

/// Types that have keywords; each spelling's order of words is normalised.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names say it")]
pub(crate) enum Builtin {
    Void,
    Bool,
    Char,
    SignedChar,
    UnsignedChar,
    WideChar,
    Char8,
    Char16,
    Char32,
    Short,
    UnsignedShort,
    Int,
    UnsignedInt,
    Long,
    UnsignedLong,
    LongLong,
    UnsignedLongLong,
    /// `__int128`, refused where it is used.
    Int128,
    UnsignedInt128,
    Float,
    Double,
    LongDouble,
}

/// Keyword before the name of a class or an enumeration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names say it")]
pub(crate) enum TagKind {
    Struct,
    Class,
    Union,
    Enum,
}

/// Attribute or specifier of CUDA or of the compiler, with its place.
#[derive(Clone, Debug)]
pub(crate) struct Attribute {
    /// What it is.
    pub kind: AttributeKind,
    /// Where.
    pub span: Span,
}

/// What an attribute is.
#[derive(Clone, Debug)]
pub(crate) enum AttributeKind {
    /// `__global__`.
    Global,
    /// `__device__`.
    Device,
    /// `__host__`.
    Host,
    /// `__constant__`.
    Constant,
    /// `__shared__`.
    Shared,
    /// `__managed__`.
    Managed,
    /// `__grid_constant__`.
    GridConstant,
    /// `__forceinline__`, `__attribute__((always_inline))`.
    ForceInline,
    /// `__noinline__`, `__attribute__((noinline))`.
    NoInline,
    /// `__launch_bounds__(threads, blocks, cluster)`.
    LaunchBounds(Vec<Expr>),
    /// `__maxnreg__(n)`.
    MaxRegisters(Expr),
    /// `__cluster_dims__(x, y, z)`.
    ClusterDims(Vec<Expr>),
    /// `__block_size__(…)`, refused.
    BlockSize,
    /// `alignas(n)`, `__align__(n)`, `__attribute__((aligned(n)))`; of a type, as `alignas(T)`; the greatest of the
    /// machine where nothing is given.
    Align(Option<TemplateArgument>),
    /// `__attribute__((packed))`.
    Packed,
    /// `#pragma pack(n)` around a class.
    Pack(u8),
    /// `[[nodiscard]]`, `[[maybe_unused]]`, `__attribute__((unused))` and others that change no code.
    Ignored(Symbol),
    /// Anything else, by its name.
    Unknown(Symbol),
}

/// Specifiers that come before a declaration's type or around it.
#[derive(Clone, Debug, Default)]
#[allow(missing_docs, reason = "the names say it")]
pub(crate) struct Specifiers {
    /// In the order in which they are written.
    pub attributes: Vec<Attribute>,
    pub is_static: Option<Span>,
    pub is_extern: Option<Span>,
    /// `extern "C"`, also by the block around it.
    pub extern_c: bool,
    pub is_inline: Option<Span>,
    pub is_constexpr: Option<Span>,
    pub is_consteval: Option<Span>,
    pub is_constinit: Option<Span>,
    pub is_explicit: Option<Span>,
    pub is_virtual: Option<Span>,
    pub is_mutable: Option<Span>,
    pub is_thread_local: Option<Span>,
    pub is_register: Option<Span>,
    pub is_friend: Option<Span>,
}

impl Specifiers {
    /// Place of an attribute without arguments.
    pub(crate) fn attribute(&self, is: impl Fn(&AttributeKind) -> bool) -> Option<Span> {
        self.attributes.iter().find(|one| is(&one.kind)).map(|one| one.span)
    }

    /// Place of `__global__`.
    pub(crate) fn global(&self) -> Option<Span> {
        self.attribute(|kind| matches!(kind, AttributeKind::Global))
    }

    /// Place of `__device__`.
    pub(crate) fn device(&self) -> Option<Span> {
        self.attribute(|kind| matches!(kind, AttributeKind::Device))
    }

    /// Whether a function is the host's alone.
    pub(crate) fn is_host_alone(&self) -> bool {
        self.device().is_none() && self.global().is_none()
    }

    /// Place of `__host__`.
    pub(crate) fn host(&self) -> Option<Span> {
        self.attribute(|kind| matches!(kind, AttributeKind::Host))
    }

    /// Whether kernels may call the function of which this is said.
    pub(crate) fn for_device(&self) -> bool {
        let attribute = self.device().or(self.global());
        attribute.or(self.is_constexpr).or(self.is_consteval).is_some()
    }

    /// Place of `__shared__`.
    pub(crate) fn shared(&self) -> Option<Span> {
        self.attribute(|kind| matches!(kind, AttributeKind::Shared))
    }

    /// Place of `__constant__`.
    pub(crate) fn constant(&self) -> Option<Span> {
        self.attribute(|kind| matches!(kind, AttributeKind::Constant))
    }

    /// Place of `__managed__`.
    pub(crate) fn managed(&self) -> Option<Span> {
        self.attribute(|kind| matches!(kind, AttributeKind::Managed))
    }
}
