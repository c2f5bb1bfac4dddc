//! Addresses of places as they are lowered.
//!
//! Enters: nothing. Leaves: [`Address`]. This module must never know how a place is found or accessed.

use crate::hir;
use crate::ir::Value;

/// Address of a place that is lowered.
#[derive(Clone, Copy, Debug)]
pub(super) struct Address {
    /// Pointer to its first byte.
    pub(super) pointer: Value,
    /// What the pointer is known to be a multiple of.
    pub(super) align: u32,
    /// Type of what is there.
    pub(super) ty: hir::Type,
    /// First bit and width of a bit-field.
    pub(super) bits: Option<(u32, u32)>,
}
