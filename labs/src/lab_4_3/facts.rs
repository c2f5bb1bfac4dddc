//! Single numbers from the experiments.
//!
//! Enters: a record's experiments. Leaves: facts, each with its unit and what it is.

use crate::facts::Facts;
use crate::matrices::facts::{accesses, hits, shape, source_rate};
use crate::schedulers::shares;
use record::{Fact, Record};
use std::collections::BTreeMap;

pub(super) fn of(record: &Record) -> BTreeMap<String, Fact> {
    let mut facts = Facts::default();
    let blocks = record.experiment("blocks").and_then(|e| e.series("naive"));
    if let (Some(shape), Some(point)) = (shape(record), blocks.and_then(|s| s.at(16.0))) {
        let (m, n, p) = (shape.m as f64, shape.n as f64, shape.p as f64);
        facts.put(
            "accesses_said",
            2.0 * m * n * p + m * p,
            "",
            "accesses to global memory as the source counts them, 2MNP + MP",
        );
        if let Some(counted) = accesses(point) {
            facts.put("accesses", counted, "", "threads' accesses to global memory, counted: requests of loads and stores, of 32 threads each");
        }
    }
    for (name, experiment, series) in [("l1_hits", "blocks", "naive"), ("large_l1_hits", "large", "block-16")]
    {
        let series = record.experiment(experiment).and_then(|e| e.series(series));
        let point = match experiment {
            "blocks" => series.and_then(|s| s.at(16.0)),
            _ => series.and_then(|s| s.points.last()),
        };
        if let Some(share) = point.and_then(hits) {
            facts.put(name, 100.0 * share, "%", "sectors of global loads that L1 had, blocks of 16 × 16");
        }
    }
    // Where blocks are wide, their columns decide which multiprocessor gets how much.
    for point in blocks.iter().flat_map(|s| &s.points).filter(|p| p.x >= 32.0) {
        let (of, label) = (format!("blocks_{}", point.x), format!("blocks {} threads wide", point.x));
        shares(&mut facts, record, point, &of, &label);
    }
    facts.put(
        "source_rate",
        source_rate(crate::matrices::facts::SOURCE_NAIVE_SECONDS),
        "GFLOP/s",
        "2 · 4800 · 6400 · 3200 operations in the source's 102.90 s",
    );
    facts.done()
}
