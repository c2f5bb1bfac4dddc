//! Errors of a modelled record against a measured one of the same lab.
//!
//! Enters: two records. Leaves: the error of every point that both have, and tables of them. This module must never
//! know how the model works.

use crate::table::{Cell, Column, Table, provenance};
use crate::{Error, format};
use record::{Experiment, Origin, Point, Record, TimeSource};

/// One point, measured and modelled.
#[derive(Clone, Debug, PartialEq)]
pub struct Deviation {
    /// Id of the experiment.
    pub experiment: String,
    /// Id of the series.
    pub series: String,
    /// Label of the series.
    pub label: String,
    /// x of the point.
    pub x: f64,
    /// Measured value, in the unit of the experiment's y.
    pub measured: f64,
    /// Modelled value, in the same unit.
    pub modelled: f64,
    /// Relative error of the time: 0.1 where the model says a tenth more than was measured, −0.1 where it says a tenth
    /// less.
    pub error: f64,
}

/// Summary of several errors.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Summary {
    /// Number of points.
    pub points: usize,
    /// Mean of the errors' magnitudes.
    pub mean: f64,
    /// Largest error, with its sign.
    pub worst: f64,
    /// The factor by which a time is off at the most: 2 for half of it as for twice as much.
    pub factor: f64,
}

impl Summary {
    /// The summary of some points.
    pub fn of<'a>(points: impl IntoIterator<Item = &'a Deviation>) -> Self {
        let mut summary = Summary::default();
        for Deviation { error, .. } in points {
            summary.points += 1;
            summary.mean += error.abs();
            if error.abs() > summary.worst.abs() {
                summary.worst = *error;
            }
            summary.factor = summary.factor.max(1.0 + error).max(1.0 / (1.0 + error));
        }
        summary.mean /= summary.points.max(1) as f64;
        summary
    }
}

/// Labs that no figure and no rule of the model was fitted to: those whose kernels are programs, not measurements of one
/// thing.
pub const HELD_OUT: [&str; 4] = ["lab-4-3", "lab-4-5", "lab-6-2", "lab-14-4"];

/// The experiments on causes, whose kernels were written and measured when the model was there; nothing of it was changed
/// because of their errors.
pub const UNSEEN: &str = "causes";

/// Whether the model was not fitted to a lab.
pub fn is_held_out(lab: &str) -> bool {
    HELD_OUT.contains(&lab)
}

/// Pairs of variants at the same x of an experiment whose measured times differ, and those that the model has in the same
/// order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Order {
    /// In the same order.
    pub right: usize,
    /// All of them.
    pub pairs: usize,
}

impl Order {
    /// By how much the longer of two measured times exceeds the other, for the two to count.
    pub const DIFFER: f64 = 0.05;

    /// The pairs of some points of one lab.
    pub fn of(points: &[Deviation]) -> Self {
        let mut order = Order::default();
        for (n, a) in points.iter().enumerate() {
            for b in points[..n].iter().filter(|b| b.experiment == a.experiment && b.x == a.x) {
                let measured = a.measured / b.measured;
                if measured.max(1.0 / measured) > 1.0 + Self::DIFFER {
                    order.pairs += 1;
                    order.right += usize::from(
                        (measured > 1.0) == (a.modelled > b.modelled) && a.modelled != b.modelled,
                    );
                }
            }
        }
        order
    }

    /// Adds another lab's.
    pub fn add(&mut self, other: Order) {
        self.right += other.right;
        self.pairs += other.pairs;
    }

    /// The share that is in the same order; all, if there are none.
    pub fn share(self) -> f64 {
        if self.pairs == 0 { 1.0 } else { self.right as f64 / self.pairs as f64 }
    }
}

/// Summary and order of several labs, each with its deviations.
pub fn together(labs: &[Vec<Deviation>]) -> (Summary, Order) {
    let mut order = Order::default();
    labs.iter().for_each(|lab| order.add(Order::of(lab)));
    (Summary::of(labs.iter().flatten()), order)
}

/// Deviations of every time, and of every rate derived from a time, that both records have of the same launch, in the
/// order of the measured record; of all experiments if none are named. Runs of other sizes have other launches, and are
/// not compared.
///
/// # Errors
/// A record of another kind or lab than it should be, an experiment that is not there, or no point in common.
pub fn deviations(
    measured: &Record,
    modelled: &Record,
    experiments: &[&str],
) -> Result<Vec<Deviation>, Error> {
    for (record, is, what, place) in [
        (measured, TimeSource::Measured, "measured record", "the first place"),
        (modelled, TimeSource::Modelled, "modelled record", "the second place"),
    ] {
        if record.device.source() != is {
            return Err(Error::missing(what, record.device.label(), place, [what]));
        }
    }
    if measured.lab != modelled.lab {
        return Err(Error::missing("lab", &modelled.lab, "the measured record", [measured.lab.as_str()]));
    }
    for id in experiments {
        crate::table::experiment(measured, id)?;
    }
    let mut all = vec![];
    for experiment in &measured.experiments {
        if !experiments.is_empty() && !experiments.contains(&experiment.id.as_str()) {
            continue;
        }
        let Some(other) = modelled.experiment(&experiment.id).filter(|_| is_timing(experiment)) else {
            continue;
        };
        for series in &experiment.series {
            let Some(other) = other.series(&series.id) else { continue };
            for point in &series.points {
                let Some(other) = other.at(point.x).filter(|other| is_same_work(point, other)) else {
                    continue;
                };
                let ratio = if is_rate(experiment) { point.y / other.y } else { other.y / point.y };
                all.push(Deviation {
                    experiment: experiment.id.clone(),
                    series: series.id.clone(),
                    label: series.label.clone(),
                    x: point.x,
                    measured: point.y,
                    modelled: other.y,
                    error: ratio - 1.0,
                });
            }
        }
    }
    if all.is_empty() {
        return Err(Error::missing("point", "in common", "the two records", []));
    }
    Ok(all)
}

/// Whether y is a time or derived from one: counts are exact, and sizes are not modelled.
fn is_timing(experiment: &Experiment) -> bool {
    is_rate(experiment) || matches!(experiment.y.unit.as_str(), "ns" | "µs" | "ms" | "s")
}

/// Where y is the time of a whole launch, one of the same shape may still be of another size: then it has other threads at
/// work. (A time of one load of many, or a rate, is the same for fewer of them.)
fn is_same_work(a: &Point, b: &Point) -> bool {
    let counted = |point: &Point| point.counters.get("thread_instructions").copied();
    let whole = a.time.as_ref().is_some_and(|time| time.median_ns == a.y);
    let same_size = !whole || counted(a).zip(counted(b)).is_none_or(|(a, b)| a == b);
    a.time.is_some() && b.time.is_some() && a.launch == b.launch && a.operation == b.operation && same_size
}

/// Whether a greater y is a shorter time.
fn is_rate(experiment: &Experiment) -> bool {
    experiment.y.unit.ends_with("/s")
}

/// A relative error with its sign, which nothing has none of: `+12 %`, `0 %`.
pub fn percent(share: f64) -> String {
    let rounded = (100.0 * share).round();
    let sign = match rounded {
        0.0 => "",
        rounded if rounded < 0.0 => "−",
        _ => "+",
    };
    format!("{sign}{:.0}\u{a0}%", rounded.abs())
}

/// A mean of errors' magnitudes: `12 %`.
pub fn magnitude(share: f64) -> String {
    format!("{:.0}\u{a0}%", 100.0 * share)
}

fn caption(measured: &Record, modelled: &Record, what: &str) -> String {
    format!(
        "{what} ({}; {})",
        provenance(measured, None, Origin::Time),
        provenance(modelled, None, Origin::Time)
    )
}

fn numeric(heading: &str) -> Column {
    Column { heading: heading.into(), numeric: true }
}

/// Table of deviations with a row for each point.
///
/// # Errors
/// Those of [`deviations`].
pub fn table(measured: &Record, modelled: &Record, experiments: &[&str]) -> Result<Table, Error> {
    let all = deviations(measured, modelled, experiments)?;
    let mut columns = vec![Column { heading: "kernel or variant".into(), ..Column::default() }];
    let x = measured.experiment(&all[0].experiment).map(|e| e.x.label.clone()).unwrap_or_default();
    columns.extend([numeric(&x), numeric("measured"), numeric("modelled"), numeric("error of the time")]);
    let rows = all.iter().map(|d| {
        let unit = |experiment: &Experiment| (experiment.x.unit.clone(), experiment.y.unit.clone());
        let (x_unit, y_unit) = measured.experiment(&d.experiment).map(unit).unwrap_or_default();
        // Another first column than the series' own label where it says less than the experiment's.
        let name =
            if experiments.len() == 1 { d.label.clone() } else { format!("{}: {}", d.experiment, d.label) };
        [
            name,
            format::quantity(d.x, &x_unit),
            format::quantity(d.measured, &y_unit),
            format::quantity(d.modelled, &y_unit),
            percent(d.error),
        ]
        .map(Cell::text)
        .to_vec()
    });
    let rows = rows.collect();
    Ok(Table { caption: caption(measured, modelled, "The model's error"), columns, rows, ..Table::default() })
}

/// Table of deviations with a row for each series, for experiments of many points.
///
/// # Errors
/// Those of [`deviations`].
pub fn by_series(measured: &Record, modelled: &Record, experiments: &[&str]) -> Result<Table, Error> {
    let all = deviations(measured, modelled, experiments)?;
    let columns = ["experiment", "variant"]
        .map(|heading| Column { heading: heading.into(), ..Column::default() })
        .into_iter()
        .chain(["points", "mean error", "largest", "at"].map(numeric));
    let mut rows = vec![];
    for part in all.chunk_by(|a, b| (&a.experiment, &a.series) == (&b.experiment, &b.series)) {
        let (first, summary) = (&part[0], Summary::of(part));
        let unit = measured.experiment(&first.experiment).map(|e| e.x.unit.clone()).unwrap_or_default();
        let worst = part.iter().max_by(|a, b| a.error.abs().total_cmp(&b.error.abs()));
        rows.push(
            [
                first.experiment.clone(),
                first.label.clone(),
                format::count(summary.points as u64),
                magnitude(summary.mean),
                percent(summary.worst),
                worst.map(|d| format::quantity(d.x, &unit)).unwrap_or_default(),
            ]
            .map(Cell::text)
            .to_vec(),
        );
    }
    let caption = caption(measured, modelled, &format!("The model's error in {}, by variant", measured.lab));
    Ok(Table { caption, columns: columns.collect(), rows, ..Table::default() })
}

/// Table with a row for each pair of records, measured and modelled; a pair without a launch in common says so. Labs that
/// the model was not fitted to come first, and all of them together.
///
/// # Errors
/// Those of [`deviations`], except for a lack of points in common.
pub fn overview(pairs: &[(&Record, &Record)]) -> Result<Table, Error> {
    let columns = ["lab", "fitted to it"]
        .map(|heading| Column { heading: heading.into(), ..Column::default() })
        .into_iter()
        .chain(
            ["times compared", "mean error", "largest", "at most off by a factor of", "pairs in order"]
                .map(numeric),
        );
    // What all were measured on is in the caption: a column of it would not fit a phone.
    let device = |record: &Record| record.device.label();
    let common = pairs.first().map(|(first, _)| device(first));
    let common = common.filter(|name| pairs.iter().all(|(measured, _)| device(measured) == *name));
    let mut rows = vec![];
    for held_out in [true, false] {
        let side = |lab: &str| match lab {
            UNSEEN => "no, nor looked at",
            _ if held_out => "no",
            _ => "yes",
        };
        let mut all = vec![];
        let mut lines = vec![];
        for (measured, modelled) in pairs.iter().filter(|(m, _)| is_held_out(&m.lab) == held_out) {
            let on = if common.is_some() { String::new() } else { format!(", {}", device(measured)) };
            let mut row = vec![format!("`{}`{on}", measured.lab), side(&measured.lab).to_owned()];
            match deviations(measured, modelled, &[]) {
                Ok(of_lab) => {
                    row.extend(cells(Summary::of(&of_lab), Order::of(&of_lab)));
                    all.push(of_lab);
                }
                Err(Error::Missing { what: "point", .. }) => {
                    row.extend(["none: other sizes", "–", "–", "–", "–"].map(str::to_owned))
                }
                Err(error) => return Err(error),
            }
            lines.push(row);
        }
        if held_out && all.len() > 1 {
            let (summary, order) = together(&all);
            let mut row = vec!["all of these".to_owned(), "no".to_owned()];
            row.extend(cells(summary, order));
            lines.insert(0, row);
        }
        rows.extend(lines.into_iter().map(|row| row.into_iter().map(Cell::text).collect()));
    }
    let on = common.map_or_else(String::new, |name| format!(", measured on {name}"));
    let caption = format!(
        "The model's error, over all times of launches that both records have{on}; and of variants at the same x whose \
         measured times differ by more than 5 %, how many pairs the model has in the same order"
    );
    Ok(Table { caption, columns: columns.collect(), rows, ..Table::default() })
}

/// Points, mean, largest error, factor and order as cells.
fn cells(summary: Summary, order: Order) -> [String; 5] {
    [
        format::count(summary.points as u64),
        magnitude(summary.mean),
        percent(summary.worst),
        format!("{:.2}", summary.factor),
        ordered(order),
    ]
}

/// A factor: `a factor of 1.23`.
pub fn factor(of: f64) -> String {
    format!("a factor of {of:.2}")
}

/// Pairs in the right order: `19 of 20`.
pub fn ordered(Order { right, pairs }: Order) -> String {
    if pairs == 0 {
        "no pairs".into()
    } else {
        format!("{} of {}", format::count(right as u64), format::count(pairs as u64))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn deviation(error: f64) -> Deviation {
        Deviation {
            experiment: "e".into(),
            series: "s".into(),
            label: "s".into(),
            x: 1.0,
            measured: 1.0,
            modelled: 1.0 + error,
            error,
        }
    }

    #[test]
    fn a_summary_takes_magnitudes_for_the_mean_and_keeps_the_sign_of_the_worst() {
        let all = [deviation(0.1), deviation(-0.3), deviation(0.2)];
        let Summary { points, mean, worst, factor } = Summary::of(&all);
        assert_eq!((points, worst), (3, -0.3));
        assert!((factor - 1.0 / 0.7).abs() < 1e-12);
        assert!((mean - 0.2).abs() < 1e-12);
    }

    #[test]
    fn only_pairs_at_one_x_whose_measured_times_differ_have_an_order() {
        let of = |x, measured, modelled| Deviation { x, measured, modelled, ..deviation(0.0) };
        let pair = |a, b| Order::of(&[a, b]);
        assert_eq!(pair(of(1.0, 10.0, 5.0), of(1.0, 12.0, 6.0)), Order { right: 1, pairs: 1 });
        assert_eq!(pair(of(1.0, 10.0, 7.0), of(1.0, 12.0, 6.0)), Order { right: 0, pairs: 1 });
        // One time for both does not order them.
        assert_eq!(pair(of(1.0, 10.0, 6.0), of(1.0, 12.0, 6.0)), Order { right: 0, pairs: 1 });
        assert_eq!(pair(of(1.0, 10.0, 5.0), of(1.0, 10.4, 6.0)), Order::default());
        assert_eq!(pair(of(1.0, 10.0, 5.0), of(2.0, 12.0, 6.0)), Order::default());
    }

    #[test]
    fn launches_of_one_shape_and_other_sizes_are_not_compared_but_their_loads_are() {
        let point = |y: f64, instructions: u64| {
            let time = record::Timing {
                is: TimeSource::Measured,
                calls: 1,
                median_ns: 8.0,
                mean_ns: 8.0,
                min_ns: 8.0,
                max_ns: 8.0,
                iqr_ns: 0.0,
            };
            Point {
                x: 1.0,
                y,
                y_min: y,
                y_max: y,
                launch: None,
                operation: None,
                time: Some(time),
                counters: [("thread_instructions".to_owned(), instructions)].into(),
                hardware: record::Counters::new(),
            }
        };
        assert!(is_same_work(&point(8.0, 100), &point(9.0, 100)));
        assert!(!is_same_work(&point(8.0, 100), &point(9.0, 800)));
        assert!(is_same_work(&point(0.5, 100), &point(0.6, 800)));
    }

    #[test]
    fn shares_are_whole_percents() {
        assert_eq!(percent(0.124), "+12\u{a0}%");
        assert_eq!(percent(-0.126), "−13\u{a0}%");
        assert_eq!(percent(-0.001), "0\u{a0}%");
        assert_eq!(magnitude(0.161), "16\u{a0}%");
    }
}
