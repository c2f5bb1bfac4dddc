//! Expressions.

use std::rc::Rc;

use super::{Block, FunctionType, Ident, InitList, Initializer, Name, Specifiers, TemplateParameter, Type};
use crate::source::Span;

/// Expression.
#[derive(Clone, Debug)]
pub(crate) struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// All of it.
    pub span: Span,
}

/// What an expression is.
#[derive(Clone, Debug)]
pub(crate) enum ExprKind {
    /// `42u`.
    Integer {
        /// Value.
        value: u64,
        /// Whether in decimal.
        decimal: bool,
        /// As of [`crate::token::TokenKind::Integer`].
        suffix: Rc<str>,
    },
    /// `1.5f`.
    Float {
        /// Digits.
        text: Rc<str>,
        /// As of [`crate::token::TokenKind::Float`].
        suffix: Rc<str>,
    },
    /// `'a'`.
    Character(u32),
    /// `"abc"`, neighbours joined, without the zero at the end.
    String(Rc<[u8]>),
    /// `true`, `false`.
    Bool(bool),
    /// `nullptr`.
    Null,
    /// `this`.
    This,
    /// Name of a variable, function or enumerator (or, where the parser could not know, of a type).
    Name(Name),
    /// `(x)`.
    Parentheses(Box<Expr>),
    /// `-x`, `!x`, `*x`, `&x`, `++x` …
    Unary(UnaryOperator, Box<Expr>),
    /// `x + y`, `x && y`, `x, y` …
    Binary {
        /// Which; not an assignment.
        operator: BinaryOperator,
        /// Place of the operator.
        place: Span,
        /// Left side.
        left: Box<Expr>,
        /// Right side.
        right: Box<Expr>,
    },
    /// `x = y`, `x += y`; `y` may be a list.
    Assign {
        /// The operator before `=`.
        operator: Option<BinaryOperator>,
        /// Place of the operator.
        place: Span,
        /// Left side.
        left: Box<Expr>,
        /// Right side.
        right: Box<Expr>,
    },
    /// `c ? x : y`.
    Conditional(Box<[Expr; 3]>),
    /// `f(x, y)`; where the callee is a name that the parser could not know, perhaps `T(x)`.
    Call(Box<Expr>, Vec<Expr>),
    /// `f<<<grid, block, bytes, stream>>>(x)`: host code.
    Launch {
        /// Kernel.
        callee: Box<Expr>,
        /// Between the angles.
        configuration: Vec<Expr>,
        /// Between the parentheses.
        arguments: Vec<Expr>,
    },
    /// `x.y`, `x->y`, `x.B::y`, `x.template y<T>`.
    Member {
        /// What it is a member of.
        object: Box<Expr>,
        /// Whether `->`.
        arrow: bool,
        /// Which.
        member: Name,
    },
    /// `x.*y`; `x->*y` is `(*x).*y`.
    MemberPointer(Box<Expr>, Box<Expr>),
    /// `x[i]`.
    Index(Box<Expr>, Box<Expr>),
    /// `(T)x`, `static_cast<T>(x)` …
    Cast(CastKind, Rc<Type>, Box<Expr>),
    /// `T(x, y)`, `T{x, y}`, `T()`.
    Construct(Rc<Type>, Box<Initializer>),
    /// `(T){x, y}`.
    CompoundLiteral(Rc<Type>, InitList),
    /// `{x, y}` where a value is expected.
    List(InitList),
    /// `sizeof(T)`.
    SizeofType(Rc<Type>),
    /// `sizeof x`.
    SizeofExpr(Box<Expr>),
    /// `sizeof...(p)`.
    SizeofPack(Ident),
    /// `alignof(T)`.
    AlignofType(Rc<Type>),
    /// `alignof(x)`, as GNU has it.
    AlignofExpr(Box<Expr>),
    /// `noexcept(x)`.
    Noexcept(Box<Expr>),
    /// `typeid(T)`, `typeid(x)`.
    Typeid(Box<Expr>),
    /// `new T(…)`.
    New(Rc<New>),
    /// `delete x`, and whether `delete[] x`.
    Delete(Box<Expr>, bool),
    /// `throw x`, refused.
    Throw(Option<Box<Expr>>),
    /// `[a, &b](int x) { … }`.
    Lambda(Rc<Lambda>),
    /// `(p + ...)`, `(... + p)`, `(p + ... + x)`, `(x + ... + p)`.
    Fold {
        /// Which; commas and comparisons too. Assignments are refused.
        operator: BinaryOperator,
        /// What is before the first operator; nothing where `...` begins.
        left: Option<Box<Expr>>,
        /// What is after the last operator; nothing where `...` ends.
        right: Option<Box<Expr>>,
    },
    /// `x...`.
    Pack(Box<Expr>),
    /// Type as an argument of a built-in function such as `__is_same(T, U)`.
    Type(Rc<Type>),
    /// `({ … })`, an extension of GNU that is refused.
    StatementExpression(Rc<Block>),
    /// `requires …`, refused.
    Requires,
    /// Could not be read; reported already.
    Error,
}

/// `new (place) T[n]{…}`.
#[derive(Clone, Debug)]
pub(crate) struct New {
    /// What is in parentheses before the type: where the object is to be.
    pub placement: Vec<Expr>,
    /// Type; of an array, that of its elements.
    pub ty: Rc<Type>,
    /// Number of elements.
    pub length: Option<Expr>,
    /// What the object or the elements begin as.
    pub initializer: Option<Initializer>,
}

/// Operator with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum UnaryOperator {
    /// `+x`.
    Plus,
    /// `-x`.
    Minus,
    /// `!x`.
    Not,
    /// `~x`.
    Complement,
    /// `*x`.
    Dereference,
    /// `&x`.
    Address,
    /// `++x`.
    PreIncrement,
    /// `--x`.
    PreDecrement,
    /// `x++`.
    PostIncrement,
    /// `x--`.
    PostDecrement,
}

/// Operator with two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names say it")]
pub(crate) enum BinaryOperator {
    Multiply,
    Divide,
    Remainder,
    Add,
    Subtract,
    ShiftLeft,
    ShiftRight,
    /// `<=>`, refused.
    Compare,
    Less,
    Greater,
    LessEqual,
    GreaterEqual,
    Equal,
    NotEqual,
    BitAnd,
    BitXor,
    BitOr,
    And,
    Or,
    Comma,
}

impl BinaryOperator {
    /// As written.
    pub(crate) fn text(self) -> &'static str {
        match self {
            Self::Multiply => "*",
            Self::Divide => "/",
            Self::Remainder => "%",
            Self::Add => "+",
            Self::Subtract => "-",
            Self::ShiftLeft => "<<",
            Self::ShiftRight => ">>",
            Self::Compare => "<=>",
            Self::Less => "<",
            Self::Greater => ">",
            Self::LessEqual => "<=",
            Self::GreaterEqual => ">=",
            Self::Equal => "==",
            Self::NotEqual => "!=",
            Self::BitAnd => "&",
            Self::BitXor => "^",
            Self::BitOr => "|",
            Self::And => "&&",
            Self::Or => "||",
            Self::Comma => ",",
        }
    }
}

impl UnaryOperator {
    /// As written.
    pub(crate) fn text(self) -> &'static str {
        match self {
            Self::Plus => "+",
            Self::Minus => "-",
            Self::Not => "!",
            Self::Complement => "~",
            Self::Dereference => "*",
            Self::Address => "&",
            Self::PreIncrement | Self::PostIncrement => "++",
            Self::PreDecrement | Self::PostDecrement => "--",
        }
    }
}

/// How a cast is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names say it")]
pub(crate) enum CastKind {
    /// `(T)x`.
    C,
    Static,
    Reinterpret,
    Const,
    /// Refused.
    Dynamic,
}

/// Lambda.
#[derive(Debug)]
pub(crate) struct Lambda {
    /// What an unnamed capture is: `[=]`, `[&]`.
    pub default: Option<CaptureMode>,
    /// Captures that are written.
    pub captures: Vec<Capture>,
    /// `<class T>` after the captures.
    pub template: Vec<TemplateParameter>,
    /// Parameters (with `auto` as type for generic ones) and result (`auto` where none is written).
    pub ty: Rc<FunctionType>,
    /// `mutable`.
    pub mutable: bool,
    /// `__device__` and others.
    pub specifiers: Specifiers,
    /// What it does.
    pub body: Block,
    /// From `[` to before the body.
    pub head: Span,
}

/// How a variable is captured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names say it")]
pub(crate) enum CaptureMode {
    Copy,
    Reference,
}

/// Capture of a lambda.
#[derive(Clone, Debug)]
pub(crate) struct Capture {
    /// Variable; `this` for both `this` and `*this`.
    pub name: Ident,
    /// How; `this` is by reference, `*this` a copy.
    pub mode: CaptureMode,
    /// `[x = y]`.
    pub initializer: Option<Initializer>,
    /// Whether `...` is written.
    pub pack: bool,
}
