//! Relations between a point's `y` and its time.
//!
//! Enters: a plan's quantity. Leaves: the same without what running it takes, so that a reader of a record can test
//! the numbers of a point against each other.

use crate::plan::{Plan, Quantity};
use record::{Point, Timing};
use serde::{Deserialize, Serialize};

/// Relation between a point's `y` and its time, in ns.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Relation {
    /// `y` is this many units over the time.
    Rate(f64),
    /// `y` is the time over this many units.
    Time(f64),
    /// `y` is the difference between the time and that of a shorter launch, over this many units.
    Difference(f64),
    /// `y` comes from counters; no time enters.
    Counted,
    /// The device answered `y`; nothing was timed.
    Answered,
}

impl From<&Quantity> for Relation {
    fn from(quantity: &Quantity) -> Self {
        match *quantity {
            Quantity::Bandwidth { bytes: units } | Quantity::Rate { units } => Relation::Rate(units),
            Quantity::Time { per } => Relation::Time(per),
            Quantity::Difference { units, .. } => Relation::Difference(units),
            Quantity::Counted { .. } => Relation::Counted,
            Quantity::Pitch | Quantity::Resident => Relation::Answered,
        }
    }
}

/// The relation of each of the plan's points, in their order.
pub(crate) fn of(plan: &Plan) -> Vec<Relation> {
    plan.points().map(|point| (&point.quantity).into()).collect()
}

impl Relation {
    /// Lowest `y`, `y` and highest `y`, as they follow from the time; `None` where no time enters. Of a difference, `y`
    /// itself is the point's: the time of the shorter launch is not recorded, and must be what `y` says.
    pub fn expected(self, point: &Point) -> Option<[f64; 3]> {
        let Timing { median_ns, min_ns, max_ns, .. } = *point.time.as_ref()?;
        match self {
            Relation::Rate(units) => {
                Some([max_ns, median_ns, min_ns].map(|ns| if ns > 0.0 { units / ns } else { 0.0 }))
            }
            Relation::Time(per) => Some([min_ns, median_ns, max_ns].map(|ns| ns / per)),
            Relation::Difference(units) => {
                let shorter = median_ns - point.y * units;
                Some([min_ns, median_ns, max_ns].map(|ns| (ns - shorter) / units))
            }
            Relation::Counted | Relation::Answered => None,
        }
    }

    /// Whether the time of the shorter launch, which `y` implies, is one: above zero. It may be longer than the median
    /// of the longer one by what two medians scatter.
    pub fn implies_a_time(self, point: &Point) -> bool {
        match (self, &point.time) {
            (Relation::Difference(units), Some(time)) => time.median_ns - point.y * units > 0.0,
            _ => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use record::{Counters, TimeSource};

    fn point(y: f64) -> Point {
        let time = Timing {
            is: TimeSource::Measured,
            calls: 15,
            median_ns: 200.0,
            mean_ns: 200.0,
            min_ns: 100.0,
            max_ns: 400.0,
            iqr_ns: 0.0,
        };
        let counters = Counters::new();
        let (launch, operation, hardware) = (None, None, Counters::new());
        Point { x: 1.0, y, y_min: y, y_max: y, launch, operation, time: Some(time), counters, hardware }
    }

    #[test]
    fn a_rate_is_highest_in_the_shortest_time() {
        assert_eq!(Relation::Rate(800.0).expected(&point(0.0)), Some([2.0, 4.0, 8.0]));
        assert_eq!(Relation::Time(10.0).expected(&point(0.0)), Some([10.0, 20.0, 40.0]));
    }

    #[test]
    fn a_difference_takes_the_shorter_time_from_its_y() {
        // 200 ns and 100 ns, over 10 units.
        let relation = Relation::Difference(10.0);
        assert_eq!(relation.expected(&point(10.0)), Some([0.0, 10.0, 30.0]));
        assert!(relation.implies_a_time(&point(10.0)) && !relation.implies_a_time(&point(20.0)));
    }

    #[test]
    fn what_was_not_timed_follows_from_no_time() {
        assert_eq!(Relation::Counted.expected(&point(1.0)), None);
        assert_eq!(Relation::Time(1.0).expected(&Point { time: None, ..point(1.0) }), None);
    }
}
