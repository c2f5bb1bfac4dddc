//! The check of a source of either kind: kernels, or a whole program.
//!
//! Enters: an exercise, a source, an engine for the host's side of programs. Leaves: a verdict, or costs. This module must never know how either
//! kind is checked.

use crate::check::{Defect, check_on};
use crate::costs::{Costs, costs};
use crate::data::Case;
use crate::program;
use crate::verdict::Verdict;
use device::Device;
use exercise::Task;
use hostrun::Engine;

/// Checks a source of either kind: kernels, or a whole program, whose host's side an engine executes. A second device is one for
/// kernels, as in [`check_on`].
///
/// # Errors
/// A defect of the exercise itself.
pub fn check_with(
    task: &Task,
    name: &str,
    source: &str,
    cases: &[Case],
    engine: &dyn Engine,
    second: Option<&mut dyn Device>,
) -> Result<Verdict, Defect> {
    match task.exercise.program {
        Some(_) => program::check(task, name, source, cases, engine),
        None => check_on(task, name, source, cases, second),
    }
}

/// What a source of either kind costs in a case; nothing of one that does not run to its end.
///
/// # Errors
/// A defect of the exercise itself.
pub fn costs_with(
    task: &Task,
    name: &str,
    source: &str,
    case: &Case,
    engine: &dyn Engine,
) -> Result<Option<Costs>, Defect> {
    match task.exercise.program {
        Some(_) => program::costs(task, name, source, case, engine),
        None => costs(task, name, source, case),
    }
}
