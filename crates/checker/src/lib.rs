//! The check of an exercise: what is wrong with a student's source, where, and what was counted.
//!
//! Enters: an [`exercise::Task`] and a source. Leaves: a [`Verdict`], and [`messages()`] in the form of the compiler's. It
//! reads no file and prints nothing, so that a terminal, a page and the grader check alike. This crate must never know how
//! a verdict is shown.
//!
//! The way of a check: source → PTX by our own compiler → each case of the exercise on the embedded device, with all its
//! checks → results beside those of a reference kernel → threads that race in global memory → the same case on a GPU, where
//! one is given, and its results → the embedded device's counts beside the exercise's conditions.

pub mod bench;
mod check;
pub mod data;
mod error;
mod messages;
mod race;
mod signature;
#[cfg(test)]
mod substitutes;
mod texture;
mod verdict;
mod words;

pub use check::{Defect, check, check_on};
pub use data::Case;
pub use messages::{Messages, fault_message, messages};
pub use verdict::{Differs, Finding, Measured, Missed, Race, Touch, Verdict, Wrong};
