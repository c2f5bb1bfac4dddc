//! Exercises: kernels that a student writes or changes, as data.
//!
//! Enters: the files of `kernels/exercises`. Leaves: what each exercise gives, runs, compares and demands, its hints, and
//! the variants of its source: solution, skeleton, typical attempts. This crate must never know how anything is run.

mod catalogue;
pub mod expression;
pub mod manifest;
pub mod variants;

pub use catalogue::{Task, all, digest};
