//! What a source costs: the counts and the modelled time of all its launches in a case.
//!
//! Enters: an exercise, a source that has passed, a case. Leaves: numbers. This module must never know what they are compared with.

use crate::check::{self, Defect};
use crate::data::Case;
use crate::verdict::Measured;
use device::{Counters, Limit};
use exercise::Task;

/// What a source costs in a case.
#[derive(Clone, Debug)]
pub struct Costs {
    /// Each condition's count.
    pub measured: Vec<Measured>,
    /// Counters of all launches.
    pub counters: Counters,
    /// Nanoseconds that the device takes, as modelled: those of all launches, of a program those in which it does something.
    pub modelled_ns: f64,
    /// What most of the launches' time is limited by; nothing of a program.
    pub limit: Option<Limit>,
}

/// The case in which costs are compared: of those that students see, that with the largest sizes.
pub fn compared(task: &Task) -> Option<Case> {
    Case::shown(&task.exercise).into_iter().max_by_key(|case| case.sizes.values().sum::<i64>())
}

/// What kernels cost; nothing of a source that does not run to its end.
///
/// # Errors
/// A defect of the exercise itself.
pub fn costs(task: &Task, name: &str, source: &str, case: &Case) -> Result<Option<Costs>, Defect> {
    let Some((ran, measured)) = check::ran(task, name, source, case)? else { return Ok(None) };
    Ok(Some(Costs { measured, counters: ran.counters, modelled_ns: ran.modelled_ns(), limit: ran.limit() }))
}
