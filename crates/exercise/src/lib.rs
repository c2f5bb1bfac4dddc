//! Exercises: kernels that a student writes or changes, and what checks them.
//!
//! Enters: the files of `kernels/exercises`, and a student's source. Leaves: skeletons, and a [`Verdict`] for a source:
//! what is wrong, where, what was counted and what was allowed. It reads no file and prints nothing, so that a terminal,
//! a page and the grader check alike. This crate must never know how a verdict is shown.
//!
//! The way of a check: source → PTX by our own compiler → each case of the exercise on the embedded device, with all its
//! checks → results beside those of a reference kernel → counters beside the exercise's conditions.

mod catalogue;
mod check;
mod data;
pub mod expression;
pub mod manifest;
mod messages;
mod run;
pub mod variants;
mod verdict;

pub use catalogue::{Task, all, read};
pub use check::{Defect, check};
pub use data::{Case, POISON};
pub use messages::{Messages, messages};
pub use verdict::{Differs, Finding, Measured, Missed, Verdict, Wrong};
