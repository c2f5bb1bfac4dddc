//! Evaluation of constant expressions over the checked tree.
//!
//! Enters: expressions and initialisers of the checked tree, with the contents of constants around them. Leaves: numbers, addresses and the bytes
//! of objects, or what keeps an expression from being constant, and where. What C++ leaves undefined (overflow of signed numbers, division
//! by zero, uninitialised variables, elements outside of arrays) is not constant. Work is bounded: steps, bytes and depth have
//! budgets. This module must never know how anything is written, nor the intermediate representation.

mod access;
mod machine;
mod number;
mod object;
#[cfg(test)]
mod tests;

pub(crate) use number::{Scalar, scalar};
pub(crate) use object::Object;

use crate::hir::{Expr, ExprKind, FunctionId, Init, Local, LocalId, Program, Type, VariableId};
use crate::sorted::Sorted;
use crate::source::Span;

/// Value of a constant expression.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Constant {
    /// Of type `void`.
    Void,
    /// Integer, `bool` or enumerator; of pointers, an address as a number, such as 0 for null.
    Integer(i128),
    /// Float or double: its bits, in the type's format.
    Float(u64),
    /// Address of something that has a name.
    Address(Address),
}

/// Address: that many bytes from the beginning of something.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Address {
    /// Of what.
    pub(crate) base: Base,
    /// Bytes from its beginning.
    pub(crate) offset: i64,
}

/// What an address leads into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Base {
    /// Variable with static storage.
    Variable(VariableId),
    /// Function.
    Function(FunctionId),
    /// Variable of the function that the expression is in.
    Local(LocalId),
    /// Object that lives only while the expression is evaluated: such an address never leaves.
    Object(u32),
}

/// What is known around an expression: the function that it is in.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Known<'a> {
    /// Contents of its constant variables.
    pub(crate) locals: Option<&'a Sorted<LocalId, Object>>,
    /// Its variables so far, for the types of those that the expression itself declares.
    pub(crate) declared: &'a [Local],
}

/// Why an expression is not constant.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct NotConstant {
    /// Where.
    pub(crate) span: Span,
    /// What keeps it from being constant, such as "division by zero".
    pub(crate) why: String,
}

/// Value of an expression.
pub(crate) fn evaluate(program: &Program, known: Known<'_>, expr: &Expr) -> Result<Constant, NotConstant> {
    machine::Machine::new(program, known).whole_value(expr)
}

/// Contents of a variable of a type that an initialiser fills.
pub(crate) fn evaluate_init(
    program: &Program,
    known: Known<'_>,
    ty: Type,
    init: &Init,
    span: Span,
) -> Result<Object, NotConstant> {
    machine::Machine::new(program, known).whole_object(ty, init, span)
}

/// First contents of a variable with static storage; bytes that nothing is said of are zero.
pub(crate) fn contents(program: &Program, variable: VariableId) -> Result<Object, NotConstant> {
    machine::Machine::new(program, Known::default()).whole_variable(variable)
}

impl Constant {
    /// The constant as an expression of a type; `None` for addresses, which an expression must name.
    pub(crate) fn into_expr(self, ty: Type, span: Span) -> Option<Expr> {
        let kind = match self {
            Constant::Integer(value) => ExprKind::Integer(value),
            Constant::Float(bits) => ExprKind::Float(bits),
            Constant::Void | Constant::Address(_) => return None,
        };
        Some(Expr { kind, ty, span })
    }

    /// Integer, if it is one.
    pub(crate) fn integer(self) -> Option<i128> {
        match self {
            Constant::Integer(value) => Some(value),
            Constant::Void | Constant::Float(_) | Constant::Address(_) => None,
        }
    }
}
