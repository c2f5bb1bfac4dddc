//! Objects that are alive where a function is lowered, and what is known of where control may leave them.
//!
//! Enters: nothing. Leaves: [`Ends`]. This module must never know how an object ends.

use crate::hir::{Label, LocalId};
use crate::ir::Block;
use crate::sorted::Sorted;

use super::address::Address;

/// Objects that have begun, and what is known of where control may leave them.
#[derive(Default)]
pub(super) struct Ends {
    /// Objects whose ends are still to come, the first that began first.
    pub(super) live: Vec<Object>,
    /// How many were alive where a loop, `switch` or label is.
    pub(super) heights: Sorted<Label, usize>,
    /// Conditions around what is evaluated, within its full expression.
    pub(super) conditions: u32,
    /// Statements around that catch exceptions, the innermost last.
    pub(super) catchers: Vec<Catcher>,
    /// Block that leaves the function by an exception.
    pub(super) exit: Option<Block>,
    /// Whether an exception is on its way: what ends objects then cannot throw.
    pub(super) unwinding: bool,
    /// Statements within an expression around: what they begin ends with it.
    pub(super) within: u32,
}

/// Object that ends by a call.
#[derive(Clone)]
pub(super) struct Object {
    pub(super) local: LocalId,
    /// Byte that says whether it has begun.
    pub(super) flag: Option<Address>,
    /// Where control goes that leaves by an exception: it ends this and what began before.
    pub(super) landing: Option<Block>,
}

/// Statements around that catch exceptions.
pub(super) struct Catcher {
    /// How many objects were alive where they begin.
    pub(super) height: usize,
    /// Where their handlers are.
    pub(super) handlers: Block,
}
