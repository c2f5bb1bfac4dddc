//! Work that students have in common.
//!
//! Enters: sources, answers and records of a class. Leaves: who has handed in the same. This module must never know what it is worth.

pub(crate) mod alike;
#[cfg(test)]
mod class;
pub(crate) mod copies;
pub(crate) mod twins;
pub(crate) mod whole;
