//! The reader's own run next to a reference: which of its values may be there.
//!
//! Enters: a reference record, the reader's own, and the reference that was run like the reader's. Leaves: for a field of a
//! point the reader's value, marked where a count differs; or nothing, where the two are not of the same work. This
//! module must never decide which records can be compared: [`record::compare`] does.

use crate::{Error, Field, Value, format};
use record::compare::{Comparable, comparable, same_lab_and_chip, why_counts_differ};
use record::{Experiment, Origin, Point, Record, Series};

/// The reader's own run, and the reference with which it can be compared.
#[derive(Clone, Copy, Debug)]
pub struct OwnRun<'a> {
    /// Record of the run.
    pub record: &'a Record,
    /// Reference of the same lab, chip and parameters.
    pub twin: Option<&'a Record>,
}

/// A value of the reader's own run.
#[derive(Clone, Debug, PartialEq)]
pub struct OwnValue {
    /// The value.
    pub value: Value,
    /// Whether it comes from a time.
    pub timed: bool,
    /// Whether it is a count that differs from the reference's.
    pub differs: bool,
}

/// Numbers of the values that are next to a reference, and of those that cannot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Values of the reader's own that are shown.
    pub shown: usize,
    /// Those of them that are times.
    pub times: usize,
    /// Those of them that are counts and differ.
    pub differing: usize,
    /// Results of the reference that have none of the reader's own next to them.
    pub alone: usize,
}

/// Whether a field is counted by the embedded device, answered by the device, or anything else.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Count,
    Answer,
    Time,
}

fn kind(field: &Field, experiment: &Experiment) -> Kind {
    match (field, experiment.y_is) {
        (Field::Counter { hardware: false, .. } | Field::Ratio { hardware: false, .. }, _) => Kind::Count,
        (Field::Y | Field::YMin | Field::YMax, Origin::Count) => Kind::Count,
        (Field::Y | Field::YMin | Field::YMax, Origin::Answer) => Kind::Answer,
        _ => Kind::Time,
    }
}

impl<'a> OwnRun<'a> {
    /// The reader's own value of a field, where it can be next to that of a point of `reference`.
    ///
    /// A run of other parameters is there too where they do not matter: where the reference that was run like it has the
    /// same count or answer as `reference`.
    ///
    /// # Errors
    /// A value in another unit than the reference's.
    pub fn value(
        &self,
        field: &Field,
        reference: &Record,
        (experiment, series, point): (&Experiment, &Series, &Point),
    ) -> Result<Option<OwnValue>, Error> {
        let of = |record: &Record| {
            let experiment = record.experiment(&experiment.id)?;
            let series = experiment.series(&series.id)?;
            match field.of(experiment, series, series.at(point.x)?) {
                // Nothing was counted where a ratio has no divisor.
                Ok(value @ Value::Number { .. }) => Some(value),
                _ => None,
            }
        };
        let (Some(value), Ok(there)) = (of(self.record), field.of(experiment, series, point)) else {
            return Ok(None);
        };
        let kind = kind(field, experiment);
        let enough = if kind == Kind::Count { Comparable::Counts } else { Comparable::Times };
        let fits = |record: &Record| comparable(record, self.record) >= enough;
        let beside = fits(reference)
            || kind != Kind::Time
                && same_lab_and_chip(reference, self.record)
                && self.twin.is_some_and(|twin| fits(twin) && of(twin).is_some_and(|v| v == there));
        if !beside {
            return Ok(None);
        }
        if let (Value::Number { unit: first, .. }, Value::Number { unit: second, .. }) = (&there, &value)
            && first != second
        {
            let (first, second) = (first.clone(), second.clone());
            return Err(Error::Axes {
                experiment: experiment.id.clone(),
                what: "the unit of y",
                first,
                second,
            });
        }
        let differs = kind == Kind::Count && value != there;
        Ok(Some(OwnValue { value, timed: kind == Kind::Time, differs }))
    }

    /// The run's own experiment, with the points whose y can be next to that of `reference`; none if there are none.
    ///
    /// # Errors
    /// A value in another unit than the reference's.
    pub fn beside(&self, reference: &Record, experiment: &Experiment) -> Result<Option<Experiment>, Error> {
        let Some(own) = self.record.experiment(&experiment.id) else { return Ok(None) };
        let mut own = Experiment { series: vec![], ..own.clone() };
        for series in &experiment.series {
            let mut points = Vec::new();
            for point in &series.points {
                if self.value(&Field::Y, reference, (experiment, series, point))?.is_some() {
                    let mine = self
                        .record
                        .experiment(&experiment.id)
                        .and_then(|e| e.series(&series.id)?.at(point.x));
                    points.extend(mine.cloned());
                }
            }
            if !points.is_empty() {
                own.series.push(Series { points, ..series.clone() });
            }
        }
        Ok((!own.series.is_empty()).then_some(own))
    }

    /// Sentence on the counts that differ from those of `reference`, where any are marked so.
    pub fn why_differs(&self, reference: &Record) -> String {
        let run_alike = self.twin.unwrap_or(reference);
        format!(
            "≠ marks a count of yours that is not the reference's: {}.",
            why_counts_differ(run_alike, self.record)
        )
    }

    /// How the counts of an experiment's series (all if none is chosen) compare with the twin's, in words; none where
    /// nothing was counted in both.
    pub fn counts(&self, experiment: &str, series: &[&str]) -> Option<String> {
        let (mut same, mut all) = (0, 0);
        let (twin, mine) = (self.twin?.experiment(experiment)?, self.record.experiment(experiment)?);
        for series in twin.series.iter().filter(|s| series.is_empty() || series.contains(&s.id.as_str())) {
            let Some(mine) = mine.series(&series.id) else { continue };
            for point in &series.points {
                let Some(mine) = mine.at(point.x) else { continue };
                // A copy that the host asks for counts nothing.
                if !(mine.counters.is_empty() && point.counters.is_empty()) {
                    all += 1;
                    same += u64::from(mine.counters == point.counters);
                }
            }
        }
        Some(match (same, format::count(all)) {
            (_, _) if all == 0 => return None,
            (1, _) if all == 1 => "its counts are the reference's".to_owned(),
            (_, points) if same == all => format!("all {points} points have the reference's counts"),
            (_, points) => format!("≠ {} of {points} points have other counts", format::count(all - same)),
        })
    }
}

impl Tally {
    /// Adds one result of the reference, and the reader's own next to it.
    pub(crate) fn add(&mut self, own: Option<&OwnValue>) {
        match own {
            Some(own) => {
                self.shown += 1;
                self.times += usize::from(own.timed);
                self.differing += usize::from(own.differs);
            }
            None => self.alone += 1,
        }
    }
}
