//! Work that students have in common.
//!
//! Enters: sources, answers and records of a class. Leaves: who has handed in the same. This module must never know what it is worth.

#[cfg(test)]
mod class;
pub(crate) mod duplicate_runs;
pub(crate) mod flags;
pub(crate) mod overlap;
pub(crate) mod pairwise;
