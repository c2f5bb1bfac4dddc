//! Expressions: operands, operators, conversions and constants, one file for each kind.

pub(crate) mod assign;
pub(crate) mod cast;
pub(crate) mod compare;
pub(crate) mod constant;
pub(crate) mod convert;
pub(crate) mod expression;
pub(crate) mod literal;
pub(crate) mod operand;
pub(crate) mod operator;
pub(crate) mod statement_expression;
pub(crate) mod user_operator;
