//! Facts that labs derive from their records, and look-ups of the points and counters from which they come.

use record::{Fact, Point, Record};
use std::collections::BTreeMap;

/// Facts as they come.
#[derive(Default)]
pub(crate) struct Facts(BTreeMap<String, Fact>);

impl Facts {
    /// Leaves out values that are not numbers. A name may hold the id of a series: `-` becomes `_`.
    pub(crate) fn put(&mut self, name: impl AsRef<str>, value: f64, unit: &str, what: impl Into<String>) {
        if value.is_finite() {
            let name = name.as_ref().replace('-', "_");
            self.0.insert(name, Fact { value, unit: unit.to_owned(), what: what.into() });
        }
    }

    /// The value of a fact that exists.
    pub(crate) fn value(&self, name: &str) -> Option<f64> {
        self.0.get(name).map(|fact| fact.value)
    }

    pub(crate) fn done(self) -> BTreeMap<String, Fact> {
        self.0
    }
}

/// A point of an experiment.
pub(crate) fn point<'r>(record: &'r Record, experiment: &str, series: &str, x: f64) -> Option<&'r Point> {
    record.experiment(experiment)?.series(series)?.at(x)
}

/// Count of the hardware, or else of the embedded device; absent in both is 0, as in Nsight Compute.
pub(crate) fn counted(point: &Point, name: &str) -> u64 {
    point.hardware.get(name).or_else(|| point.counters.get(name)).copied().unwrap_or(0)
}

/// Count of the embedded device.
pub(crate) fn embedded(point: &Point, name: &str) -> u64 {
    point.counters.get(name).copied().unwrap_or(0)
}
