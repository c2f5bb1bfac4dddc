//! Loops: their form, rotation, invariant code, unrolling.
//!
//! Enters: a function without promotable slots. Leaves: it with its loops in the form that LLVM gives them. Each pass finds the
//! loops again, since each changes the graph.

pub(crate) mod clone;
mod cost;
pub(crate) mod counted;
pub(crate) mod delete;
pub(crate) mod form;
pub(crate) mod licm;
mod outer_invariant;
pub(crate) mod promote;
pub(crate) mod reduce;
pub(crate) mod remainder;
pub(crate) mod rematerialise;
mod replicate;
pub(crate) mod rotate;
pub(crate) mod trips;
pub(crate) mod unroll;

#[cfg(test)]
mod remainder_tests;
#[cfg(test)]
mod tests;
