//! Statements.

use std::rc::Rc;

use super::{Declaration, Expr, Ident, Variable};
use crate::source::Span;

/// `{ … }`.
#[derive(Debug)]
pub(crate) struct Block {
    /// Statements in order.
    pub statements: Vec<Statement>,
    /// With braces.
    pub span: Span,
}

/// Statement.
#[derive(Debug)]
pub(crate) struct Statement {
    /// What it is.
    pub kind: StatementKind,
    /// All of it.
    pub span: Span,
}

/// What a statement is.
#[derive(Debug)]
pub(crate) enum StatementKind {
    /// `{ … }`.
    Block(Block),
    /// `x;`.
    Expression(Expr),
    /// `int a, b;`, `using …;`, `struct S { … };`, `static_assert(…);`.
    Declaration(Vec<Declaration>),
    /// `if (…) … else …`.
    If(Box<If>),
    /// `for (…; …; …) …`.
    For(Box<For>),
    /// `for (T x : y) …`.
    RangeFor(Box<RangeFor>),
    /// `while (…) …`.
    While {
        /// While this holds.
        condition: Condition,
        /// What is repeated.
        body: Box<Statement>,
        /// `#pragma unroll` before it.
        unroll: Option<Unroll>,
    },
    /// `do … while (…);`.
    DoWhile {
        /// What is repeated.
        body: Box<Statement>,
        /// While this holds.
        condition: Expr,
        /// `#pragma unroll` before it.
        unroll: Option<Unroll>,
    },
    /// `switch (…) …`.
    Switch {
        /// `int x = 0;` within the parentheses.
        init: Option<Box<Statement>>,
        /// What decides.
        condition: Condition,
        /// Statement with labels in it.
        body: Box<Statement>,
    },
    /// `case a:`, `case a ... b:`, and the statement after it (empty before `}`).
    Case {
        /// Value, or the least.
        low: Expr,
        /// The greatest.
        high: Option<Expr>,
        /// What follows.
        statement: Box<Statement>,
    },
    /// `default:` and the statement after it.
    Default(Box<Statement>),
    /// `break;`.
    Break,
    /// `continue;`.
    Continue,
    /// `return x;`, where `x` may be a list.
    Return(Option<Expr>),
    /// `goto x;`.
    Goto(Ident),
    /// `x:` and the statement after it.
    Label(Ident, Box<Statement>),
    /// `asm volatile("…" : … : … : …);`.
    Asm(Box<Asm>),
    /// `try { … } catch (…) { … }`.
    Try(Block, Vec<Handler>),
    /// `;`.
    Empty,
    /// `[[fallthrough]];`.
    Fallthrough,
    /// Could not be read; reported already.
    Error,
}

/// Condition of a statement.
#[derive(Debug)]
pub(crate) enum Condition {
    /// `x`.
    Expression(Expr),
    /// `int x = f()`.
    Variable(Rc<Variable>),
}

/// `if`.
#[derive(Debug)]
pub(crate) struct If {
    /// `if constexpr`.
    pub constexpr: bool,
    /// `int x = 0;` within the parentheses.
    pub init: Option<Statement>,
    /// What decides.
    pub condition: Condition,
    /// What is done where it holds.
    pub then: Statement,
    /// What is done otherwise.
    pub otherwise: Option<Statement>,
}

/// `for`.
#[derive(Debug)]
pub(crate) struct For {
    /// Declaration, expression or nothing.
    pub init: Statement,
    /// While this holds; nothing is for ever.
    pub condition: Option<Condition>,
    /// After each iteration.
    pub step: Option<Expr>,
    /// What is repeated.
    pub body: Statement,
    /// `#pragma unroll` before it.
    pub unroll: Option<Unroll>,
}

/// `for` over a range.
#[derive(Debug)]
pub(crate) struct RangeFor {
    /// `int x = 0;` before the variable.
    pub init: Option<Statement>,
    /// Variable (without initialiser), or names.
    pub variable: Declaration,
    /// What is gone through.
    pub range: Expr,
    /// What is repeated.
    pub body: Statement,
    /// `#pragma unroll` before it.
    pub unroll: Option<Unroll>,
}

/// `#pragma unroll`, `#pragma unroll N`, `#pragma nounroll`.
#[derive(Debug)]
pub(crate) struct Unroll {
    /// How often; nothing is all, and `#pragma nounroll` is 1.
    pub count: Option<Expr>,
    /// Where.
    pub span: Span,
}

/// Assembly.
#[derive(Clone, Debug)]
pub(crate) struct Asm {
    /// `volatile`.
    pub volatile: bool,
    /// Text, neighbouring literals joined.
    pub text: Rc<[u8]>,
    /// Place of the text.
    pub text_span: Span,
    /// After the first colon.
    pub outputs: Vec<AsmOperand>,
    /// After the second colon.
    pub inputs: Vec<AsmOperand>,
    /// After the third colon.
    pub clobbers: Vec<(Rc<[u8]>, Span)>,
    /// All of it.
    pub span: Span,
}

/// Operand of assembly: `[name] "constraint"(x)`.
#[derive(Clone, Debug)]
pub(crate) struct AsmOperand {
    /// Name by which the text may call it.
    pub name: Option<Ident>,
    /// Constraint, such as `=r`.
    pub constraint: Rc<[u8]>,
    /// Value or place.
    pub value: Expr,
    /// All of it.
    pub span: Span,
}

/// `catch (T x) { … }`.
#[derive(Debug)]
pub(crate) struct Handler {
    /// What it catches; nothing for `...`.
    pub parameter: Option<super::Parameter>,
    /// What is done then.
    pub block: Block,
    /// From `catch` on.
    pub span: Span,
}
