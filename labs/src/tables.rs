//! Tables of whole experiments, in the manner of nvprof: with the counters that explain a time next to it.
//!
//! Enters: an experiment. Leaves: a table whose cells are text. This module must never know which lab it is of.

use crate::layout::{empty, number, plain, right};
use comfy_table::Table;
use record::{Counters, Experiment, Point, Series, Timing};
use render::{Field, format};

/// Table with one row per launch: variant, shape, times, bytes moved, and the counters that explain the time.
pub(crate) fn launches(experiment: &Experiment) -> Table {
    let mut table = empty();
    let per = |of: &str, one: &str| format!("{of}/\n{one}");
    table.set_header([
        "variant".into(),
        experiment.x.label.replace(' ', "\n"),
        "calls".into(),
        "avg".into(),
        "min".into(),
        "max".into(),
        experiment.y.unit.clone(),
        per("sect.", "req."),
        per("wavef.", "instr."),
        per("replays", "instr."),
    ]);
    for series in &experiment.series {
        for point in &series.points {
            let us = |of: fn(&Timing) -> f64| {
                point.time.as_ref().map_or_else(|| "-".to_owned(), |time| number(of(time) / 1e3))
            };
            let counters = &point.counters;
            table.add_row([
                series.id.clone(),
                number(point.x),
                point.time.as_ref().map_or_else(|| "-".to_owned(), |time| time.calls.to_string()),
                us(|t| t.mean_ns),
                us(|t| t.min_ns),
                us(|t| t.max_ns),
                number(point.y),
                ratio(
                    counters,
                    &["global_load_sectors", "global_store_sectors"],
                    &["global_load_requests", "global_store_requests"],
                ),
                ratio(
                    counters,
                    &["shared_load_wavefronts", "shared_store_wavefronts"],
                    &["shared_load_instructions", "shared_store_instructions"],
                ),
                ratio(counters, &["const_replays"], &["const_instructions"]),
            ]);
        }
    }
    right(table, 1)
}

/// A row a series, under the name that it is given, at some x, and below it the counter that explains it.
pub(crate) fn sweep(
    experiment: &Experiment,
    series: &[&Series],
    xs: &[f64],
    name: impl Fn(&Series) -> String,
) -> Table {
    let mut table = empty();
    table.set_header(std::iter::once(experiment.x.label.clone()).chain(xs.iter().map(|&x| number(x))));
    for series in series {
        let row = |of: &dyn Fn(&Point) -> String| -> Vec<String> {
            xs.iter().map(|&x| series.at(x).map_or_else(|| "-".to_owned(), of)).collect()
        };
        table.add_row(std::iter::once(name(series)).chain(row(&|p| number(p.y))));
        let [of, per] = explaining(series);
        let counter = Field::Ratio { hardware: false, above: of.into(), below: per.into() };
        let cells = row(&|p| ratio(&p.counters, &[of], &[per]));
        if cells.iter().any(|cell| cell != "-") {
            table.add_row(std::iter::once(format!("  {}", counter.heading(experiment))).chain(cells));
        }
    }
    right(table, 1)
}

/// The counter that says what a series' loads cost, and of what it is a ratio.
fn explaining(series: &Series) -> [&'static str; 2] {
    let counts = |name: &str| series.points.iter().any(|p| p.counters.get(name).is_some_and(|&n| n > 0));
    if counts("const_instructions") {
        ["const_replays", "const_instructions"]
    } else if counts("shared_load_instructions") {
        ["shared_load_wavefronts", "shared_load_instructions"]
    } else {
        ["global_load_sectors", "global_load_requests"]
    }
}

/// The most rows of a table; where there are more x, only the powers of two are shown.
const ROWS: usize = 24;

/// A row each x that a series has, a column a series.
pub(crate) fn columns(experiment: &Experiment) -> Table {
    let mut table = empty();
    let heads = experiment.series.iter().map(|s| s.id.clone());
    table.set_header(std::iter::once(experiment.x.label.clone()).chain(heads));
    let mut xs: Vec<f64> = experiment.series.iter().flat_map(|s| &s.points).map(|p| p.x).collect();
    xs.sort_by(f64::total_cmp);
    xs.dedup();
    let all = xs.len() <= ROWS;
    for x in xs.into_iter().filter(|x| all || x.log2().fract() == 0.0) {
        let cells = experiment.series.iter().map(|s| s.at(x).map_or_else(|| "-".to_owned(), |p| number(p.y)));
        table.add_row(std::iter::once(plain(&format::quantity(x, &experiment.x.unit))).chain(cells));
    }
    right(table, 0)
}

/// Σ of some counters over Σ of others; `-` where there are none of the latter.
fn ratio(counters: &Counters, of: &[&str], per: &[&str]) -> String {
    let sum = |names: &[&str]| names.iter().filter_map(|n| counters.get(*n)).sum::<u64>() as f64;
    if sum(per) == 0.0 { "-".to_owned() } else { number(sum(of) / sum(per)) }
}
