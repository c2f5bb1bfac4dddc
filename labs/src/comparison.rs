//! Points of a record in sentences: which of two is the faster, by how much, and with which counts.
//!
//! Enters: a record. Leaves: its points, and parts of sentences about them. Nothing is said about a point or a count that
//! does not exist. This module must never know what a lab says.

use crate::layout::{number, plain, quantity};
use crate::rules::{EQUAL, equal};
use record::{Experiment, Point, Record, Series, TimeSource};
use render::{Field, Value};

/// A point, with what it belongs to.
#[derive(Clone, Copy)]
pub(crate) struct LabelledPoint<'r> {
    pub(crate) experiment: &'r Experiment,
    pub(crate) series: &'r Series,
    pub(crate) point: &'r Point,
}

/// The point of a series at this x.
pub(crate) fn shown<'r>(
    record: &'r Record,
    experiment: &str,
    series: &str,
    x: f64,
) -> Option<LabelledPoint<'r>> {
    let experiment = record.experiment(experiment)?;
    let series = experiment.series(series)?;
    Some(LabelledPoint { experiment, series, point: series.at(x)? })
}

/// The points of these series at the largest x that all of them have; nothing where a series is missing.
pub(crate) fn at_largest<'r, const N: usize>(
    record: &'r Record,
    experiment: &str,
    series: [&str; N],
) -> Option<[LabelledPoint<'r>; N]> {
    let x = largest(record, experiment, &series)?;
    let found: Vec<LabelledPoint<'_>> =
        series.iter().filter_map(|series| shown(record, experiment, series, x)).collect();
    found.try_into().ok()
}

/// The largest x that all of these series have.
pub(crate) fn largest(record: &Record, experiment: &str, series: &[&str]) -> Option<f64> {
    let experiment = record.experiment(experiment)?;
    let found: Option<Vec<&Series>> = series.iter().map(|id| experiment.series(id)).collect();
    let found = found?;
    let xs = found.first()?.points.iter().map(|point| point.x);
    xs.filter(|&x| found.iter().all(|series| series.at(x).is_some())).max_by(f64::total_cmp)
}

impl LabelledPoint<'_> {
    /// Label of the series, in quotes.
    pub(crate) fn name(&self) -> String {
        format!("'{}'", self.series.label)
    }

    /// The x with its unit.
    pub(crate) fn x(&self) -> String {
        quantity(self.point.x, &self.experiment.x.unit)
    }

    /// The x without its unit.
    pub(crate) fn x_alone(&self) -> String {
        number(self.point.x)
    }

    /// A field of the point, as the book's tables name it; nothing where it was not counted.
    pub(crate) fn value(&self, field: &str) -> Option<f64> {
        match Field::parse(field).ok()?.of(self.experiment, self.series, self.point).ok()? {
            Value::Number { value, .. } => Some(value),
            Value::Text(_) => None,
        }
    }

    /// More is faster: the rate, or the reciprocal of the time.
    fn speed(&self) -> Option<f64> {
        let y = self.point.y;
        let speed = if self.experiment.y.unit == "ns" { 1.0 / y } else { y };
        (y > 0.0 && speed.is_finite()).then_some(speed)
    }
}

/// Two points of which one is the faster, or neither.
pub(crate) struct Contest<'r> {
    pub(crate) faster: LabelledPoint<'r>,
    pub(crate) slower: LabelledPoint<'r>,
    pub(crate) ratio: f64,
}

impl<'r> Contest<'r> {
    /// Between two points of quantities that can be compared.
    pub(crate) fn between(a: LabelledPoint<'r>, b: LabelledPoint<'r>) -> Option<Self> {
        let (of_a, of_b) = (a.speed()?, b.speed()?);
        Some(if of_a >= of_b {
            Contest { faster: a, slower: b, ratio: of_a / of_b }
        } else {
            Contest { faster: b, slower: a, ratio: of_b / of_a }
        })
    }

    /// Between the fastest of these and the next.
    pub(crate) fn among(points: impl IntoIterator<Item = LabelledPoint<'r>>) -> Option<Self> {
        let mut points: Vec<(f64, LabelledPoint<'r>)> =
            points.into_iter().filter_map(|point| Some((point.speed()?, point))).collect();
        points.sort_by(|(a, _), (b, _)| b.total_cmp(a));
        match points.as_slice() {
            [(_, first), (_, second), ..] => Contest::between(*first, *second),
            _ => None,
        }
    }

    /// Whether there is a difference to speak of.
    pub(crate) fn is_decided(&self) -> bool {
        !equal(self.ratio, 1.0)
    }

    /// Which is the faster, and by how much, by the labels of their series.
    pub(crate) fn by_name(&self) -> String {
        self.reported(&self.faster.name(), &self.slower.name())
    }

    /// Which is the faster, and by how much, under these names.
    pub(crate) fn reported(&self, faster: &str, slower: &str) -> String {
        if self.is_decided() {
            format!("{faster} is {} {slower}", by(self.ratio))
        } else {
            format!("{faster} and {slower} are equally fast, within {}", percent(EQUAL))
        }
    }

    /// A sentence on a field of both, the faster one first; nothing where it was not counted.
    pub(crate) fn counts(&self, what: &str, field: &str) -> String {
        match (self.faster.value(field), self.slower.value(field)) {
            (Some(a), Some(b)) if a == b => format!(" {what}: {} in both.", number(a)),
            (Some(a), Some(b)) => format!(" {what}: {} against {}.", number(a), number(b)),
            _ => String::new(),
        }
    }
}

/// A ratio of rates above 1: `36 % faster than`, `5.15 times as fast as`.
pub(crate) fn by(ratio: f64) -> String {
    if ratio < 2.0 {
        format!("{} faster than", percent(ratio - 1.0))
    } else {
        format!("{} times as fast as", number(ratio))
    }
}

/// A ratio of times: `34 times as long as`, `20 % longer than`, `as long as`, `30 % less time than`; after 'takes'.
pub(crate) fn longer(ratio: f64) -> String {
    if equal(ratio, 1.0) {
        "as long as".to_owned()
    } else if ratio < 1.0 {
        format!("{} less time than", percent(1.0 - ratio))
    } else if ratio < 2.0 {
        format!("{} longer than", percent(ratio - 1.0))
    } else {
        format!("{} times as long as", number(ratio))
    }
}

/// A share as a whole percentage.
pub(crate) fn percent(share: f64) -> String {
    format!("{} %", number((100.0 * share).round()))
}

/// `modelled` or `measured`.
pub(crate) fn how(record: &Record) -> &'static str {
    match record.device.source() {
        TimeSource::Measured => "measured",
        TimeSource::Modelled => "modelled",
    }
}

/// A fact's value with its unit.
pub(crate) fn fact(record: &Record, name: &str) -> Option<String> {
    record.facts.get(name).map(|fact| quantity(fact.value, &fact.unit))
}

/// A count with its noun, in the plural where it must be.
pub(crate) fn counted(n: u64, one: &str, more: &str) -> String {
    format!("{} {}", plain(&render::format::count(n)), if n == 1 { one } else { more })
}

#[cfg(test)]
mod tests {
    use super::*;
    use ::tests::fixture::{add, counters, empty, point};

    /// Two series with a point each, and how many sectors each asked for.
    fn record(unit: &str, a: f64, b: f64) -> Record {
        let mut record = empty("lab-4-1", true);
        for (id, y, sectors) in [("a", a, 4), ("b", b, 32)] {
            let counted =
                Point { counters: counters(&[("global_load_sectors", sectors)]), ..point((8.0, y)) };
            add(&mut record, "e", id, [counted]);
        }
        record.experiments[0].y.unit = unit.to_owned();
        record
    }

    fn reported(record: &Record) -> Option<String> {
        let [a, b] = at_largest(record, "e", ["a", "b"])?;
        let contest = Contest::between(a, b)?;
        Some(format!("{}.{}", contest.by_name(), contest.counts("Sectors", "global_load_sectors")))
    }

    #[test]
    fn the_faster_comes_first_and_its_count_with_it() {
        for (unit, a, b, said) in [
            ("GB/s", 130.0, 100.0, "'a' is 30 % faster than 'b'. Sectors: 4 against 32."),
            ("GB/s", 100.0, 130.0, "'b' is 30 % faster than 'a'. Sectors: 32 against 4."),
            ("ns", 100.0, 130.0, "'a' is 30 % faster than 'b'. Sectors: 4 against 32."),
            ("ns", 600.0, 100.0, "'b' is 6 times as fast as 'a'. Sectors: 32 against 4."),
            ("GB/s", 104.0, 100.0, "'a' and 'b' are equally fast, within 5 %. Sectors: 4 against 32."),
        ] {
            assert_eq!(reported(&record(unit, a, b)).as_deref(), Some(said));
        }
    }

    #[test]
    fn nothing_is_said_of_what_is_not_there() {
        assert_eq!(reported(&record("GB/s", 0.0, 100.0)), None, "a rate of nothing is none");
        let mut one = record("GB/s", 130.0, 100.0);
        one.experiments[0].series.pop();
        assert_eq!(reported(&one), None);
        let mut uncounted = record("GB/s", 130.0, 100.0);
        uncounted.experiments[0].series[1].points[0].counters.clear();
        assert_eq!(reported(&uncounted).as_deref(), Some("'a' is 30 % faster than 'b'."));
        assert_eq!(reported(&empty("lab-4-1", true)), None);
    }

    #[test]
    fn of_several_the_fastest_is_held_against_the_next() {
        let mut record = record("GB/s", 100.0, 300.0);
        add(&mut record, "e", "c", [point((8.0, 200.0))]);
        let points = at_largest(&record, "e", ["a", "b", "c"]).unwrap_or_else(|| panic!("all are there"));
        let contest = Contest::among(points).map(|contest| contest.by_name());
        assert_eq!(contest.as_deref(), Some("'b' is 50 % faster than 'c'"));
    }

    #[test]
    fn times_are_described_as_longer_or_shorter() {
        for (ratio, said) in [
            (1.04, "as long as"),
            (1.25, "25 % longer than"),
            (33.9, "33.9 times as long as"),
            (0.7, "30 % less time than"),
        ] {
            assert_eq!(longer(ratio), said);
        }
    }
}
