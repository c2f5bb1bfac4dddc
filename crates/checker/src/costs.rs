//! What a source costs: the counts and the modelled time of all its launches in a case, and those of two versions side by side.
//!
//! Enters: an exercise, a source that has passed, a case. Leaves: numbers. This module must never know who reads them.

use crate::check::{self, Defect};
use crate::data::Case;
use crate::verdict::Measured;
use device::{Counters, Limit};
use exercise::Task;
use exercise::manifest::title;

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

/// A count of two versions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Both {
    /// Its name in records.
    pub name: String,
    /// What is counted, in words.
    pub title: String,
    /// The unit, where the title does not have it.
    pub unit: &'static str,
    /// The reader's version's.
    pub yours: i64,
    /// The solution's.
    pub solutions: i64,
}

/// The counts of the conditions, then the other counters of memory that are not zero in both.
pub fn side_by_side(yours: &Costs, solutions: &Costs) -> Vec<Both> {
    let mut rows: Vec<Both> = vec![];
    let mut add = |name: &str, title: &str, unit: &'static str, yours: i64, solutions: i64| {
        if !rows.iter().any(|row| row.name == name) {
            rows.push(Both { name: name.to_owned(), title: title.to_owned(), unit, yours, solutions });
        }
    };
    for (yours, ours) in yours.measured.iter().zip(&solutions.measured) {
        add(&yours.count, title(&yours.count), "", yours.value, ours.value);
    }
    for counter in counters::ALL.iter().filter(|counter| counter.embedded && counter.space.is_some()) {
        let [yours, ours] = [yours, solutions].map(|one| one.counters.get(counter.name).unwrap_or(0));
        if (yours, ours) != (0, 0) {
            // No run of an exercise counts beyond 63 bits.
            let [yours, ours] = [yours, ours].map(|n| i64::try_from(n).unwrap_or(i64::MAX));
            add(counter.name, counter.title, counter.unit.name(), yours, ours);
        }
    }
    rows
}

/// What kernels cost; nothing of a source that does not run to its end.
///
/// # Errors
/// A defect of the exercise itself.
pub fn costs(task: &Task, name: &str, source: &str, case: &Case) -> Result<Option<Costs>, Defect> {
    let Some((ran, measured)) = check::ran(task, name, source, case)? else { return Ok(None) };
    Ok(Some(Costs { measured, counters: ran.counters, modelled_ns: ran.modelled_ns(), limit: ran.limit() }))
}
