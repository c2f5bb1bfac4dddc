//! Accesses to memory: made, checked and counted, and their data moved.
//!
//! Enters: an instruction of a warp, with its lanes' addresses. Leaves: an access, and what it changes.

pub(super) mod access;
pub(super) mod address;
pub(super) mod atomic;
pub(super) mod bits;
pub(super) mod bounds;
pub(super) mod bulk;
pub(super) mod constant;
pub(super) mod copy;
pub(super) mod generic;
pub(super) mod global;
pub(super) mod halves;
pub(super) mod layout;
pub(super) mod local;
pub(super) mod mbarrier;
pub(super) mod shared;
pub(super) mod sites;
pub(super) mod texture;
