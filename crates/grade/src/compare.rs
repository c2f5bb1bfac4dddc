//! A record's points paired with those of its re-run.
//!
//! Enters: two records. Leaves: pairs of points, and a tally of those that agree, with the first that do not. This
//! module must never know what is compared, or for how many points.

use crate::text;
use record::{Point, Record};
use std::collections::HashMap;

/// A point of the re-run, of the record, or of both.
pub(crate) struct Pair<'a> {
    pub(crate) place: PointKey<'a>,
    /// The record's.
    pub(crate) theirs: Option<&'a Point>,
    /// The re-run's.
    pub(crate) ours: Option<&'a Point>,
}

/// Key of a point: experiment, series, x.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct PointKey<'a> {
    experiment: &'a str,
    series: &'a str,
    x: u64,
}

impl PointKey<'_> {
    /// The place as a Markdown code span.
    pub(crate) fn code(&self) -> String {
        text::code(&format!("{}/{} at {}", self.experiment, self.series, f64::from_bits(self.x)))
    }
}

/// Every point with its place, and the unit of its `y`.
pub(crate) fn points(record: &Record) -> impl Iterator<Item = (PointKey<'_>, &Point, &str)> {
    record.experiments.iter().flat_map(|experiment| {
        experiment.series.iter().flat_map(move |series| {
            series.points.iter().map(move |point| {
                // 0 and -0 are one place.
                let x = (point.x + 0.0).to_bits();
                (PointKey { experiment: &experiment.id, series: &series.id, x }, point, &*experiment.y.unit)
            })
        })
    })
}

/// Points of the re-run in order, each with the record's, then the points that only the record has.
pub(crate) fn pairs<'a>(theirs: &'a Record, ours: &'a Record) -> Vec<Pair<'a>> {
    let mut left: HashMap<PointKey<'a>, &Point> =
        points(theirs).map(|(place, point, _)| (place, point)).collect();
    let mut pairs: Vec<_> = points(ours)
        .map(|(place, point, _)| Pair { place, theirs: left.remove(&place), ours: Some(point) })
        .collect();
    let rest = points(theirs).filter(|(place, ..)| left.contains_key(place));
    pairs.extend(rest.map(|(place, point, _)| Pair { place, theirs: Some(point), ours: None }));
    pairs
}

/// Whether two computed numbers are equal up to rounding.
pub(crate) fn close(a: f64, b: f64, tolerance: f64) -> bool {
    a == b || (a - b).abs() <= tolerance * a.abs().max(b.abs())
}

/// Relative difference below which two ratios are considered equal.
const SAME_RATIO: f64 = 1e-5;

/// The most common ratio, and how many share it.
pub(crate) fn most_common_ratio(ratios: &[f64]) -> Option<(f64, usize)> {
    let mut sorted: Vec<f64> = ratios.iter().copied().filter(|r| r.is_finite() && *r > 0.0).collect();
    sorted.sort_by(f64::total_cmp);
    let mut first = 0;
    let mut best = None;
    for (last, ratio) in sorted.iter().enumerate() {
        while sorted[first] * (1.0 + SAME_RATIO) < *ratio {
            first += 1;
        }
        let alike = last + 1 - first;
        if best.is_none_or(|(_, most)| alike > most) {
            best = Some((sorted[first], alike));
        }
    }
    best
}

/// Number of things that agree, of all that were compared, with the first that do not.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    pub(crate) good: usize,
    pub(crate) of: usize,
    wrong: Vec<String>,
}

/// Number of items listed before the rest are only counted.
pub(crate) const LISTED: usize = 3;

impl Tally {
    /// Counts one more; `wrong` says what is wrong with it.
    pub(crate) fn add(&mut self, wrong: Option<String>) {
        self.of += 1;
        match wrong {
            None => self.good += 1,
            Some(what) if self.wrong.len() < LISTED => self.wrong.push(what),
            Some(_) => {}
        }
    }

    /// The tally in words: `12 of 14 points; …`.
    pub(crate) fn reported(&self, things: &str) -> String {
        let mut text = format!("{} of {} {things}", self.good, self.of);
        for wrong in &self.wrong {
            text += "; ";
            text += wrong;
        }
        let more = self.of - self.good - self.wrong.len();
        if more > 0 {
            text += &format!("; and {more} more");
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ::tests::fixture::{measured, modelled};

    #[test]
    fn points_are_paired_by_their_place_and_none_is_lost() {
        let (mut theirs, ours) = (modelled(), measured());
        let all = points(&ours).count();
        theirs.experiments[0].series[0].points.remove(0);
        theirs.experiments[1].id = "mine".to_owned();
        let moved = ours.experiments[1].series.iter().map(|s| s.points.len()).sum::<usize>();
        let pairs = pairs(&theirs, &ours);
        assert_eq!(pairs.iter().filter(|p| p.ours.is_some()).count(), all);
        assert_eq!(pairs.iter().filter(|p| p.theirs.is_none()).count(), 1 + moved);
        assert_eq!(pairs.iter().filter(|p| p.ours.is_none()).count(), moved);
    }

    #[test]
    fn the_most_common_ratio_is_found_among_others() {
        assert_eq!(most_common_ratio(&[]), None);
        assert_eq!(most_common_ratio(&[0.0, f64::INFINITY]), None);
        assert_eq!(most_common_ratio(&[3.0, 50.0, 1.0, 50.000_000_1, 2.0, 50.0]), Some((50.0, 3)));
    }

    #[test]
    fn a_tally_names_the_first_and_counts_the_rest() {
        let mut tally = Tally::default();
        tally.add(None);
        for what in ["a", "b", "c", "d", "e"] {
            tally.add(Some(what.to_owned()));
        }
        assert_eq!(tally.reported("points"), "1 of 6 points; a; b; c; and 2 more");
    }
}
