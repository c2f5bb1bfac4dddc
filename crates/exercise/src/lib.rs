//! Exercises, kernels and programs that a student writes or changes, and the book's live kernels and programs, as data.
//!
//! Enters: the files of `kernels/exercises`, `book/live.toml`, `book/programs.toml`. Leaves: what each exercise gives, runs, compares and demands, its hints, and
//! the variants of its source: solution, skeleton, typical attempts. This crate must never know how anything is run.

pub mod argument;
mod catalogue;
pub mod chapter;
pub mod claim;
pub mod expression;
pub mod live;
pub mod manifest;
pub mod mark;
pub mod program;
pub mod variants;

pub use catalogue::{Packed, Task, all, digest, report};
