//! The check of an exercise: what is wrong with a student's source, where, and what was counted.
//!
//! Enters: an [`exercise::Task`] and a source. Leaves: a [`Verdict`], which is data. It reads no file and prints nothing, so that
//! a terminal, a page and the grader check alike. This crate must never know how a verdict is shown, or in which words.
//!
//! The way of a check: source → PTX by our own compiler → each case of the exercise on the embedded device, with all its
//! checks → results compared with a reference kernel's → threads that race in global memory → the same case on a GPU, where
//! one is given, and its results → the embedded device's counts compared with the exercise's conditions.
//!
//! Of a whole program: both sides compiled → each case run by an engine, and the solution's run next to it → what it did wrong → its exit
//! code and its output → counts.

pub mod bench;
mod cause;
mod check;
mod costs;
pub mod data;
#[cfg(feature = "programs")]
mod either;
mod error;
#[cfg(feature = "programs")]
mod program;
mod race;
mod readback;
mod signature;
#[cfg(test)]
mod substitutes;
mod texture;
mod verdict;

pub use check::{Defect, check, check_on};
pub use costs::{Both, Costs, compared, costs, side_by_side};
pub use data::Case;
#[cfg(feature = "programs")]
pub use either::{check_with, costs_with};
pub use verdict::{Cause, Differing, Differs, Finding, Measured, Missed, Race, Touch, Verdict, Wrong};
