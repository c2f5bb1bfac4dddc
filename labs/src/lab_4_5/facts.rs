//! Single numbers from the experiments.
//!
//! Enters: a record's experiments. Leaves: facts, each with its unit and what it is.

use crate::matrices::facts::{
    Facts, SOURCE_NAIVE_SECONDS, SOURCE_TILED_SECONDS, accesses, counted, hits, shape, source_rate,
};
use record::{Fact, Point, Record};
use std::collections::BTreeMap;

pub(super) fn of(record: &Record) -> BTreeMap<String, Fact> {
    let mut facts = Facts::default();
    counts(&mut facts, record);
    speeds(&mut facts, record);
    source(&mut facts);
    facts.done()
}

pub(super) fn tiles<'r>(record: &'r Record, series: &str, size: u32) -> Option<&'r Point> {
    record.experiment("tiles")?.series(series)?.at(f64::from(size))
}

/// The largest product of a series.
pub(super) fn large<'r>(record: &'r Record, series: &str) -> Option<&'r Point> {
    record.experiment("large")?.series(series)?.points.last()
}

/// The source's formula for tiles of this size; 1 is none.
pub(super) fn said(record: &Record, size: u64) -> Option<f64> {
    let shape = shape(record)?;
    let terms = 2.0 * shape.multiplications() as f64;
    Some(terms / size as f64 + (shape.m * shape.p) as f64)
}

fn counts(facts: &mut Facts, record: &Record) {
    for (name, series, size, by) in [
        ("naive", "naive", 16, 1),
        ("tiled_8", "tiled", 8, 8),
        ("tiled_16", "tiled", 16, 16),
        ("tiled_32", "tiled", 32, 32),
    ] {
        let Some(point) = tiles(record, series, size) else { continue };
        if let Some(said) = said(record, by) {
            let what = "accesses to global memory as the source counts them: 2MNP/B + MP, with B = 1 where there are no tiles";
            facts.put(&format!("{name}_accesses_said"), said, "", what);
        }
        if let Some(found) = accesses(point) {
            let what = "threads' accesses to global memory, counted: requests of loads and stores, of 32 threads each";
            facts.put(&format!("{name}_accesses"), found, "", what);
        }
        if let Some(share) = hits(point) {
            facts.put(&format!("{name}_l1_hits"), 100.0 * share, "%", "sectors of global loads that L1 had");
        }
    }
    for size in [8, 16, 32] {
        for series in ["tiled", "transposed", "padded"] {
            let Some(point) = tiles(record, series, size) else { continue };
            for (kind, of, per) in [
                ("load", "shared_load_wavefronts", "shared_load_instructions"),
                ("store", "shared_store_wavefronts", "shared_store_instructions"),
            ] {
                let count = |name: &str| point.counters.get(name).copied().unwrap_or(0) as f64;
                let what = "wavefronts an instruction, as the addresses determine them";
                facts.put(&format!("{series}_{size}_{kind}_wavefronts"), count(of) / count(per), "", what);
            }
        }
    }
}

fn speeds(facts: &mut Facts, record: &Record) {
    let time = |point: &Point| point.time.as_ref().map(|time| time.median_ns);
    let mut ratio = |name: String, over: Option<&Point>, under: Option<&Point>, what: &str| {
        if let (Some(over), Some(under)) = (over.and_then(time), under.and_then(time)) {
            facts.put(&name, over / under, "", what);
        }
    };
    for size in [8, 16, 32] {
        let what = "time without tiles over time with them, blocks of this size";
        ratio(format!("speedup_{size}"), tiles(record, "naive", size), tiles(record, "tiled", size), what);
        let what = "time with B's tile transposed over time with padding as well";
        ratio(
            format!("conflicts_{size}"),
            tiles(record, "transposed", size),
            tiles(record, "padded", size),
            what,
        );
    }
    let what = "time without tiles over time with tiles of 16, the largest product";
    ratio("large_speedup".to_owned(), large(record, "naive-16"), large(record, "tiled-16"), what);
    let what = "time with B's tile of 32 transposed over time with padding as well, the largest product";
    ratio("large_conflicts".to_owned(), large(record, "transposed-32"), large(record, "padded-32"), what);
    let what = "time without tiles over time with 64 elements a thread, the largest product";
    ratio("large_blocked_speedup".to_owned(), large(record, "naive-16"), large(record, "blocked-8"), what);

    let registers = |series: &str| record.experiment("registers")?.series(series)?.at(64.0);
    for (prefix, peak, points) in [
        (
            "",
            registers("peak"),
            vec![("blocked", registers("product")), ("tiled", tiles(record, "tiled", 16))],
        ),
        (
            "large_",
            large(record, "peak"),
            vec![
                ("naive", large(record, "naive-16")),
                ("tiled", large(record, "tiled-16")),
                ("tiled_32", large(record, "tiled-32")),
                ("blocked", large(record, "blocked-8")),
            ],
        ),
    ] {
        let Some(peak) = peak else { continue };
        let what = "rate of multiply-adds alone";
        facts.put(&format!("{prefix}peak"), peak.y, "GFLOP/s", what);
        let what = "the most that two loads for each multiply-add allow: an eighth of the peak, for a multiprocessor that begins four warps' multiply-adds in a cycle and one warp's load";
        facts.put(&format!("{prefix}load_bound"), peak.y / 8.0, "GFLOP/s", what);
        for (name, point) in points {
            if let Some(point) = point {
                let what = "share of the rate of multiply-adds alone";
                facts.put(&format!("{prefix}{name}_of_peak"), 100.0 * point.y / peak.y, "%", what);
            }
        }
    }
    for (name, series) in [("naive", "naive-16"), ("tiled", "tiled-16")] {
        if let Some(point) = large(record, series) {
            if let Some(share) = hits(point) {
                facts.put(
                    &format!("large_{name}_l1_hits"),
                    100.0 * share,
                    "%",
                    "sectors of global loads that L1 had",
                );
            }
            let loads = counted(point, "global_load_requests") + counted(point, "shared_load_instructions");
            let what =
                "turns of the data path that L1 and shared memory share, for each load of a warp from either";
            let turns = point.hardware.get("lsu_wavefronts").map(|&w| w as f64 / loads as f64);
            facts.put(&format!("large_{name}_turns"), turns.unwrap_or(f64::NAN), "", what);
        }
    }
}

/// What follows from the source's numbers alone.
fn source(facts: &mut Facts) {
    let what = "2 · 4800 · 6400 · 3200 operations in the source's 102.90 s, without tiles";
    facts.put("source_naive_rate", source_rate(SOURCE_NAIVE_SECONDS), "GFLOP/s", what);
    let what = "2 · 4800 · 6400 · 3200 operations in the source's 35.46 s, with tiles of 16";
    facts.put("source_tiled_rate", source_rate(SOURCE_TILED_SECONDS), "GFLOP/s", what);
    facts.put("source_speedup", SOURCE_NAIVE_SECONDS / SOURCE_TILED_SECONDS, "", "102.90 s over 35.46 s");
    // 2MNP accesses of 4 bytes, none of them shared, none cached.
    let bytes = 2.0 * 4800.0 * 6400.0 * 3200.0 * 4.0;
    let what = "what the source's plain product would move if each thread fetched each element for itself from memory, in its 102.90 s";
    facts.put("source_bandwidth", bytes / SOURCE_NAIVE_SECONDS / 1e9, "GB/s", what);
}
