//! Detection of files that hold the same run.
//!
//! Enters: records. Leaves: a fingerprint of each run, and the groups of records that share one. A GPU's times never
//! repeat. The embedded device's modelled times do, but the measured speed of its host does not. The fingerprints of
//! the workbook's own records are in `committed.json`: a student who hands one in has not run it.

use crate::compare::{most_common_ratio, points};
use crate::rules::Plausible;
use record::{Record, TimeSource};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};
use std::sync::LazyLock;

/// Fingerprint of a run: the values of a record that differ from run to run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Run {
    lab: String,
    /// On a GPU the median time of each point in ns, 0 where there is none; else the speed of the embedded device's
    /// host.
    numbers: Vec<f64>,
    /// If there are not numbers: the second in which the run began, and its parameters.
    asked: Option<String>,
}

impl Run {
    pub(crate) fn of(record: &Record) -> Run {
        let numbers: Vec<f64> = match record.device.source() {
            TimeSource::Measured => {
                points(record).map(|(_, p, _)| p.time.as_ref().map_or(0.0, |time| time.median_ns)).collect()
            }
            TimeSource::Modelled => {
                record.facts.get(labs::HOST_SPEED).map(|fact| fact.value).into_iter().collect()
            }
        };
        let is_told = numbers.iter().any(|number| *number != 0.0);
        let asked = || {
            let parameters = serde_json::to_string(&record.parameters).unwrap_or_default();
            format!("{:?} {} {parameters}", record.device.source(), record.when)
        };
        Run { lab: record.lab.clone(), asked: (!is_told).then(asked), numbers }
    }

    /// Whether enough numbers agree for both to be the same run.
    fn is(&self, other: &Run, plausible: &Plausible) -> bool {
        if self.lab != other.lab || self.asked != other.asked {
            return false;
        }
        if self.asked.is_some() {
            return true;
        }
        let (here, there) = (self.reported().count(), other.reported().count());
        if self.numbers.len() <= 2 || other.numbers.len() <= 2 {
            return self.numbers == other.numbers;
        }
        let alike = if self.numbers.len() == other.numbers.len() {
            self.numbers.iter().zip(&other.numbers).filter(|(a, b)| a == b && **a != 0.0).count()
        } else {
            // One was cut, or has more points.
            let mut left: HashMap<u64, usize> = HashMap::new();
            other.reported().for_each(|number| *left.entry(number.to_bits()).or_default() += 1);
            let mut alike = 0;
            for number in self.reported() {
                if let Some(n) = left.get_mut(&number.to_bits()).filter(|n| **n > 0) {
                    *n -= 1;
                    alike += 1;
                }
            }
            alike
        };
        enough(alike, here.min(there), plausible)
    }

    fn reported(&self) -> impl Iterator<Item = &f64> {
        self.numbers.iter().filter(|number| **number != 0.0)
    }

    /// Whether the numbers are those of the other, scaled by any factor.
    fn is_a_multiple_of(&self, other: &Run, plausible: &Plausible) -> bool {
        if self.lab != other.lab || self.numbers.len() != other.numbers.len() || self.numbers.len() <= 2 {
            return false;
        }
        let pairs = self.numbers.iter().zip(&other.numbers).filter(|(_, b)| **b > 0.0);
        let ratios: Vec<f64> = pairs.map(|(a, b)| a / b).collect();
        most_common_ratio(&ratios).is_some_and(|(_, alike)| enough(alike, ratios.len(), plausible))
    }
}

fn enough(alike: usize, of: usize, plausible: &Plausible) -> bool {
    alike >= plausible.least_alike && alike as f64 > plausible.most_of_one_ratio * of as f64
}

/// A record of the workbook's own.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Committed {
    /// Such as `h200/lab-5-5`.
    record: String,
    run: Run,
}

/// Name of the workbook's record that holds this run, perhaps scaled.
pub(crate) fn committed(run: &Run, plausible: &Plausible) -> Option<&'static str> {
    static ALL: LazyLock<Vec<Committed>> = LazyLock::new(|| {
        // A test writes and reads it.
        serde_json::from_str(include_str!("../../committed.json")).unwrap_or_default()
    });
    let same =
        |other: &&Committed| run.is(&other.run, plausible) || run.is_a_multiple_of(&other.run, plausible);
    ALL.iter().find(same).map(|committed| committed.record.as_str())
}

/// For each run the indices of those of other owners that are the same. `runs` holds each run with its owner.
pub(crate) fn all(runs: &[Option<(usize, &Run)>], plausible: &Plausible) -> Vec<Vec<usize>> {
    let mut twins = vec![Vec::new(); runs.len()];
    let mut by_lab: BTreeMap<&str, Vec<(usize, usize, &Run)>> = BTreeMap::new();
    for (at, (owner, run)) in runs.iter().enumerate().filter_map(|(at, run)| Some((at, (*run)?))) {
        by_lab.entry(&run.lab).or_default().push((at, owner, run));
    }
    for runs in by_lab.values() {
        for (i, (at, owner, run)) in runs.iter().enumerate() {
            for (other_at, other_owner, other) in &runs[..i] {
                if owner != other_owner && run.is(other, plausible) {
                    twins[*at].push(*other_at);
                    twins[*other_at].push(*at);
                }
            }
        }
    }
    twins.iter_mut().for_each(|twins| twins.sort_unstable());
    twins
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::tests::laid;
    use ::tests::fixture::{measured, modelled};
    use std::path::Path;

    fn run(numbers: Vec<f64>) -> Run {
        Run { lab: "lab-5-5".to_owned(), numbers, asked: None }
    }

    fn times(n: u32) -> Vec<f64> {
        (1..=n).map(|i| 1000.0 + f64::from(i * i)).collect()
    }

    fn plausible() -> Plausible {
        laid("").unwrap().plausible
    }

    #[test]
    fn a_run_is_known_by_a_part_of_its_times() {
        let (all, p) = (run(times(60)), plausible());
        let mut edited = times(60);
        edited.iter_mut().take(30).for_each(|t| *t *= 1.01);
        assert!(run(edited.clone()).is(&all, &p));
        edited.iter_mut().take(50).for_each(|t| *t *= 1.02);
        assert!(!run(edited).is(&all, &p));
        assert!(run(times(40)).is(&all, &p), "cut");
        assert!(!run(times(60).iter().map(|t| t * 1.1).collect()).is(&all, &p));
        assert!(!run(times(3)).is(&run(times(3)[..2].to_vec()), &p), "too few to tell");
    }

    #[test]
    fn a_multiple_is_known_too() {
        let p = plausible();
        let scaled = |by: f64| run(times(60).iter().map(|t| t * by).collect());
        assert!(scaled(1.05).is_a_multiple_of(&run(times(60)), &p));
        let uneven = run(times(60).iter().enumerate().map(|(i, t)| t * (1.0 + i as f64 / 500.0)).collect());
        assert!(!uneven.is_a_multiple_of(&run(times(60)), &p));
    }

    #[test]
    fn a_run_is_not_its_own_twin_and_labs_have_nothing_in_common() {
        let (a, b) = (run(times(20)), Run { lab: "lab-4-1".to_owned(), ..run(times(20)) });
        let found = all(&[Some((0, &a)), Some((0, &a)), None, Some((1, &a)), Some((1, &b))], &plausible());
        assert_eq!(found, [vec![3], vec![3], vec![], vec![0, 1], vec![]]);
    }

    #[test]
    fn a_run_without_numbers_is_its_moment_and_its_parameters() {
        let mut record = modelled();
        record.facts.remove(labs::HOST_SPEED);
        let run = Run::of(&record);
        assert!(run.is(&Run::of(&record), &plausible()));
        record.when = "2025-01-02T03:04:06Z".to_owned();
        assert!(!run.is(&Run::of(&record), &plausible()));
        assert!(!run.is(&Run::of(&measured()), &plausible()));
    }

    /// `UPDATE=1 cargo test -p grade committed` rewrites the file.
    #[test]
    fn every_record_of_the_workbook_is_among_the_committed() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut all = Vec::new();
        for device in std::fs::read_dir(root.join("../../book/records")).unwrap().flatten() {
            let name = device.file_name().into_string().unwrap();
            if !device.path().is_dir() || name == "yours" {
                continue;
            }
            for file in std::fs::read_dir(device.path()).unwrap().flatten() {
                let stem = file.path().file_stem().unwrap().to_str().unwrap().to_owned();
                let record = Record::from_json(&std::fs::read_to_string(file.path()).unwrap()).unwrap();
                if labs::ALL.iter().any(|lab| lab.name == record.lab) {
                    all.push(Committed { record: format!("{name}/{stem}"), run: Run::of(&record) });
                }
            }
        }
        all.sort_by(|a, b| a.record.cmp(&b.record));
        let lines: Vec<String> = all.iter().map(|c| serde_json::to_string(c).unwrap()).collect();
        let text = format!("[\n{}\n]\n", lines.join(",\n"));
        ::tests::committed(&root.join("committed.json"), &text, "-p grade committed");
        for Committed { record, run } in &all {
            assert_eq!(committed(run, &plausible()), Some(record.as_str()));
        }
    }
}
