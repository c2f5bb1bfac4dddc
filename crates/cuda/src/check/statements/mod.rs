//! Statements: blocks, branches, loops, jumps, and inline assembly.

pub(crate) mod assembly;
pub(crate) mod exception;
pub(crate) mod jump;
pub(crate) mod opcodes;
pub(crate) mod range;
pub(crate) mod statement;
