//! Single numbers from the experiments.
//!
//! Enters: a record's experiments. Leaves: facts, each with its unit and what it is.

use super::waves::{RATES, RESIDENT};
use crate::facts::{Facts, counted, embedded};
use crate::matrices::facts::{
    SOURCE_NAIVE_SECONDS, SOURCE_TILED_SECONDS, accesses, of_a_gtx_970, shape, source_rate,
};
use crate::schedulers::shares;
use record::{Device, Fact, Point, Record};
use std::collections::BTreeMap;

pub(super) fn of(record: &Record) -> BTreeMap<String, Fact> {
    let mut facts = Facts::default();
    counts(&mut facts, record);
    speeds(&mut facts, record);
    wavefronts(&mut facts, record);
    source(&mut facts, record);
    schedulers(&mut facts, record);
    waves(&mut facts, record);
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
            facts.put(format!("{name}_accesses_said"), said, "", what);
        }
        if let Some(found) = accesses(point) {
            let what = "threads' accesses to global memory, counted: requests of loads and stores, of 32 threads each";
            facts.put(format!("{name}_accesses"), found, "", what);
        }
    }
    for size in [8, 16, 32] {
        for series in ["tiled", "transposed", "padded"] {
            let Some(point) = tiles(record, series, size) else { continue };
            for (kind, of, per) in [
                ("load", "shared_load_wavefronts", "shared_load_instructions"),
                ("store", "shared_store_wavefronts", "shared_store_instructions"),
            ] {
                let count = |name: &str| embedded(point, name) as f64;
                let what = "wavefronts an instruction, as the addresses determine them";
                facts.put(format!("{series}_{size}_{kind}_wavefronts"), count(of) / count(per), "", what);
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
    if let (Some(peak), Some(product)) = (registers("peak"), registers("product")) {
        facts.put("peak", peak.y, "GFLOP/s", "rate of multiply-adds alone");
        let what = "share of the rate of multiply-adds alone, 64 elements a thread";
        facts.put("blocked_of_peak", 100.0 * product.y / peak.y, "%", what);
    }
    let Some(peak) = large(record, "peak") else { return };
    facts.put("large_peak", peak.y, "GFLOP/s", "rate of multiply-adds alone");
    for series in record.experiment("large").iter().flat_map(|e| &e.series).filter(|s| !s.reference) {
        if let Some(point) = series.points.last().filter(|point| point.x == peak.x) {
            let name = format!("large_{}_of_peak", series.id);
            let what =
                format!("{}: share of the rate of multiply-adds alone, the largest product", series.label);
            facts.put(&name, 100.0 * point.y / peak.y, "%", what);
        }
    }
    for (name, debug, optimised) in
        [("naive", "debug-naive-16", "naive-16"), ("tiled", "debug-tiled-16", "tiled-16")]
    {
        let debug = large(record, debug);
        let same = debug.and_then(|p| record.experiment("large")?.series(optimised)?.at(p.x));
        let mut ratio = |name: String, over: Option<&Point>, under: Option<&Point>, what: &str| {
            if let (Some(over), Some(under)) = (over.and_then(time), under.and_then(time)) {
                facts.put(&name, over / under, "", what);
            }
        };
        let what = "time as compiled for debugging over time as compiled with optimisation, the same product";
        ratio(format!("debug_{name}_slowdown"), debug, same, what);
        if let Some(debug) = debug {
            let what = "as compiled for debugging: share of the rate of multiply-adds alone";
            facts.put(format!("debug_{name}_of_peak"), 100.0 * debug.y / peak.y, "%", what);
        }
    }
    if let (Some(naive), Some(tiled)) = (large(record, "debug-naive-16"), large(record, "debug-tiled-16")) {
        let what = "as compiled for debugging: lengths of the largest product over those of the small one";
        facts.put("debug_scale", naive.x, "", what);
        let what = "as compiled for debugging: rate with tiles of 16 over rate without";
        facts.put("debug_speedup", tiled.y / naive.y, "", what);
    }
}

/// Wavefronts of the data path that L1 and shared memory share, and sectors that miss L1, as the hardware counted them.
fn wavefronts(facts: &mut Facts, record: &Record) {
    let Some(shape) = shape(record) else { return };
    let lanes = fp32_warps(record);
    for experiment in &record.experiments {
        for series in experiment.series.iter().filter(|s| !s.reference) {
            for point in &series.points {
                let (prefix, scale) = match experiment.id.as_str() {
                    "tiles" => (format!("{}_{}", series.id, point.x), 1.0),
                    "registers" => (format!("registers_{}", point.x), 1.0),
                    "large" => (format!("large_{}", series.id), point.x),
                    _ => continue,
                };
                let Some(&wavefronts) = point.hardware.get("lsu_wavefronts") else { continue };
                let warps = shape.multiplications() as f64 * f64::powi(scale, 3) / 32.0;
                let each = wavefronts as f64 / warps;
                let what =
                    "wavefronts of the data path of L1 and shared memory, for each multiply-add of a warp";
                facts.put(format!("{prefix}_turns"), each, "", what);
                let what =
                    "share of the peak that this many wavefronts allow, at one per cycle of a multiprocessor";
                facts.put(format!("{prefix}_turns_allow"), (100.0 / (lanes * each)).min(100.0), "%", what);
                if let Some(of_shared) = point.hardware.get("shared_load_wavefronts") {
                    let what = "wavefronts of loads from shared memory, for each multiply-add of a warp";
                    facts.put(format!("{prefix}_shared_turns"), *of_shared as f64 / warps, "", what);
                }
                if let Some(all) = point.hardware.get("warp_instructions") {
                    let what = "share of multiply-adds among the machine instructions";
                    facts.put(format!("{prefix}_multiply_adds"), 100.0 * warps / *all as f64, "%", what);
                }
                let (sectors, hits) =
                    (counted(point, "global_load_sectors"), point.hardware.get("global_load_hits"));
                if let Some(hits) = hits {
                    let beyond = 32.0 * sectors.saturating_sub(*hits) as f64;
                    facts.put(
                        format!("{prefix}_beyond_l1"),
                        beyond,
                        "B",
                        "bytes of global loads that L1 did not have",
                    );
                    facts.put(
                        format!("{prefix}_l1_hits"),
                        100.0 * *hits as f64 / sectors.max(1) as f64,
                        "%",
                        "sectors of global loads that L1 had",
                    );
                }
            }
        }
    }
    let value = |facts: &Facts, name: &str| facts.value(name).unwrap_or(f64::NAN);
    for series in record.experiment("large").iter().flat_map(|e| &e.series) {
        let of = series.id.replace('-', "_");
        let (reached, allowed) = (format!("large_{of}_of_peak"), format!("large_{of}_turns_allow"));
        let share = 100.0 * value(facts, &reached) / value(facts, &allowed);
        let what = format!("{}: rate reached over the rate that its wavefronts allow", series.label);
        facts.put(format!("large_{of}_of_allowed"), share, "%", what);
    }
    if let Some(conflicts) = facts.value("large_transposed_32_turns") {
        let what = "wavefronts with B's tile of 32 transposed over wavefronts with padding as well, the largest product";
        facts.put("large_conflicts_turns", conflicts / value(facts, "large_padded_32_turns"), "", what);
    }
    let ratio = value(facts, "large_naive_16_turns") / value(facts, "large_tiled_16_turns");
    facts.put(
        "large_turns_ratio",
        ratio,
        "",
        "wavefronts without tiles over wavefronts with tiles of 16, the largest product",
    );
}

/// Warps' multiply-adds of single precision that a multiprocessor begins in a cycle (CUDA C++ Programming Guide, table of
/// arithmetic throughput).
fn fp32_warps(record: &Record) -> f64 {
    let (Device::Gpu { compute_capability, .. } | Device::Simt { compute_capability, .. }) = &record.device;
    match compute_capability.as_str() {
        "6.0" | "7.0" | "7.2" | "7.5" | "8.0" => 2.0,
        _ => 4.0,
    }
}

/// Activity of the GPU's schedulers in the largest products.
fn schedulers(facts: &mut Facts, record: &Record) {
    for series in record.experiment("large").iter().flat_map(|e| &e.series).filter(|s| !s.reference) {
        if let Some(point) = series.points.last() {
            let (of, label) =
                (format!("large_{}", series.id), format!("{}, the largest product", series.label));
            shares(facts, record, point, &of, &label);
        }
    }
}

/// The blocks of the largest product in waves, and the rate of whole waves.
fn waves(facts: &mut Facts, record: &Record) {
    for series in record.experiment(RESIDENT).iter().flat_map(|e| &e.series) {
        if let Some(point) = series.points.last() {
            let what = format!("{}: blocks that a multiprocessor holds at a time", series.label);
            facts.put(format!("resident_{}", series.id), point.y, "", what);
        }
    }
    let (Device::Gpu { multiprocessors, .. } | Device::Simt { multiprocessors, .. }) = &record.device;
    let Some(held) = facts.value("resident_blocked_8") else { return };
    let wave = held * f64::from(*multiprocessors);
    facts.put("wave", wave, "", "64 elements a thread: blocks that the chip holds at a time, a wave");
    let blocks =
        |point: &Point| point.launch.as_ref().map(|launch| f64::from(launch.grid.iter().product::<u32>()));
    if let Some(blocks) = large(record, "blocked-8").and_then(blocks) {
        let what = "64 elements a thread: waves of the largest product";
        facts.put("large_blocked_8_waves", blocks / wave, "", what);
        let left = blocks % wave;
        facts.put("large_blocked_8_left", left, "", "blocks of it that are left after whole waves");
        // The places of a wave are taken one on each multiprocessor before any takes a second.
        let each = f64::from(*multiprocessors);
        if held == 2.0 && left > each {
            let what = "multiprocessors that have two of the blocks that are left after whole waves";
            facts.put("large_blocked_8_left_two", left - each, "", what);
            let what = "multiprocessors that have one of the blocks that are left after whole waves";
            facts.put("large_blocked_8_left_one", 2.0 * each - left, "", what);
        }
    }
    let rates = record.experiment(RATES).and_then(|e| e.series("blocked-8"));
    let full =
        rates.and_then(|s| s.points.iter().rev().find(|p| blocks(p).is_some_and(|all| all % wave == 0.0)));
    let Some(full) = full else { return };
    facts.put("full_waves", full.x / wave, "", "whole waves of the largest product that has as many");
    facts.put("full_waves_blocks", full.x, "", "blocks of it");
    facts.put("full_waves_rate", full.y, "GFLOP/s", "its rate");
    if let Some(more) = rates.and_then(|s| s.points.iter().find(|p| p.x > full.x)) {
        facts.put("wave_and_more_blocks", more.x, "", "blocks of the product with a row of blocks more");
        facts.put("wave_and_more_rate", more.y, "GFLOP/s", "its rate");
    }
    if let Some(peak) = large(record, "peak") {
        let what = "rate of whole waves: share of the rate of multiply-adds alone";
        facts.put("full_waves_of_peak", 100.0 * full.y / peak.y, "%", what);
    }
}

/// Facts that follow from the source's numbers alone.
fn source(facts: &mut Facts, record: &Record) {
    let what = "2 · 4800 · 6400 · 3200 operations in the source's 102.90 s, without tiles";
    facts.put("source_naive_rate", source_rate(SOURCE_NAIVE_SECONDS), "GFLOP/s", what);
    let what = "2 · 4800 · 6400 · 3200 operations in the source's 35.46 s, with tiles of 16";
    facts.put("source_tiled_rate", source_rate(SOURCE_TILED_SECONDS), "GFLOP/s", what);
    if let Some(peak) = facts.value("peak").filter(|_| of_a_gtx_970(record)) {
        for (name, seconds) in [("naive", SOURCE_NAIVE_SECONDS), ("tiled", SOURCE_TILED_SECONDS)] {
            if let Some(point) = tiles(record, name, 16) {
                let what = "this chip's rate over that of the source's seconds, blocks of 16 × 16";
                facts.put(format!("rate_over_source_{name}"), point.y / source_rate(seconds), "", what);
            }
            let what = "the source's rate, as a share of the rate of multiply-adds alone on this chip";
            facts.put(format!("source_{name}_of_peak"), 100.0 * source_rate(seconds) / peak, "%", what);
        }
    }
    facts.put("source_speedup", SOURCE_NAIVE_SECONDS / SOURCE_TILED_SECONDS, "", "102.90 s over 35.46 s");
    // 2MNP accesses of 4 bytes, none of them shared, none cached.
    let bytes = 2.0 * 4800.0 * 6400.0 * 3200.0 * 4.0;
    let what = "what the source's plain product would move if each thread fetched each element for itself from memory, in its 102.90 s";
    facts.put("source_bandwidth", bytes / SOURCE_NAIVE_SECONDS / 1e9, "GB/s", what);
}
