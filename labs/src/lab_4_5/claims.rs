//! The sources' claims on tiles in shared memory, and this lab's verdicts.
//!
//! Enters: a record with its facts. Leaves: verdicts by rule; the claims' texts are in `labs/claims.toml`.

use super::barriers;
use super::facts::{large, said, tiles};
use crate::facts::counted;
use crate::lab::Rule;
use crate::matrices::facts::accesses;
use crate::rules::{EQUAL, as_checked, as_stated, check, fact, hardware, missing, uncounted};
use record::{Parameter, Point, Record, Verdict};
use render::format;

pub(super) const RULES: &[(&str, Rule)] = &[
    ("tiled-product-accesses", count),
    ("shared-memory-is-nearer", nearer),
    ("tiling-is-faster", faster),
    ("tiling-is-2-9-times-as-fast", as_fast),
    ("two-barriers-a-tile", two_barriers),
    ("two-tiles-fit-in-shared-memory", fit),
    ("bank-conflicts-are-the-worst-case", conflicts),
];

use Verdict::{DoesNotHold, Holds, HoldsInPart, NotShown};

fn count(record: &Record) -> (Verdict, String) {
    let mut lines = Vec::new();
    let mut exact = true;
    for (series, size, by) in [("naive", 16, 1), ("tiled", 8, 8), ("tiled", 16, 16), ("tiled", 32, 32)] {
        let (Some(point), Some(said)) = (tiles(record, series, size), said(record, by)) else {
            return missing();
        };
        let Some(found) = accesses(point) else {
            return (
                NotShown,
                "tiles reach beyond the matrices' edges, so not all threads load; use multiples of 32"
                    .to_owned(),
            );
        };
        exact &= found == said;
        let of = if by == 1 { "without tiles".to_owned() } else { format!("B = {by}") };
        lines.push(format!("{of}: {}", format::count(found as u64)));
    }
    let requests = |series| tiles(record, series, 16).map_or(0, |p| counted(p, "global_load_requests"));
    let sectors = |series| tiles(record, series, 16).map_or(1, |p| counted(p, "global_load_sectors"));
    let why = format!(
        "threads' accesses, counted: {}{}; with B = 16 warps make {} times fewer requests, which touch {} times fewer sectors",
        lines.join(", "),
        if exact { ", as the formula has them" } else { ", not as the formula has them" },
        format::number(requests("naive") as f64 / requests("tiled").max(1) as f64),
        format::number(sectors("naive") as f64 / sectors("tiled").max(1) as f64),
    );
    (if exact { Holds } else { DoesNotHold }, why)
}

/// Time of one over time of the other.
fn ratio(over: Option<&Point>, under: Option<&Point>) -> Option<f64> {
    let time = |point: Option<&Point>| Some(point?.time.as_ref()?.median_ns);
    Some(time(over)? / time(under)?)
}

/// Products with tiles in shared memory, the largest.
const SHARED: [&str; 4] = ["tiled-16", "tiled-32", "padded-32", "transposed-32"];

/// Whether every product with its accesses in shared memory is faster than the plain one.
fn nearer(record: &Record) -> (Verdict, String) {
    let speedups = SHARED.map(|series| {
        let gain = ratio(large(record, "naive-16"), large(record, series))?;
        Some((record.experiment("large")?.series(series)?.label.as_str(), gain))
    });
    let speedups: Vec<(&str, f64)> = speedups.into_iter().flatten().collect();
    let fastest = speedups.iter().max_by(|a, b| a.1.total_cmp(&b.1));
    let slowest = speedups.iter().min_by(|a, b| a.1.total_cmp(&b.1));
    let (Some(fastest), Some(slowest)) = (fastest, slowest) else { return missing() };
    let why = format!(
        "with tiles in shared memory the product reaches from {:.0} % ({}) to {:.0} % ({}) of the rate without",
        100.0 * slowest.1,
        slowest.0,
        100.0 * fastest.1,
        fastest.0
    );
    match (slowest.1 > 1.0 + EQUAL, fastest.1 > 1.0 + EQUAL) {
        (true, _) => (Holds, why),
        (false, true) => (
            HoldsInPart,
            format!("{why}: that accesses are to shared memory does not by itself make them faster"),
        ),
        (false, false) => (DoesNotHold, why),
    }
}

fn faster(record: &Record) -> (Verdict, String) {
    let at = |size: u32| {
        let of = |series: &str| large(record, &format!("{series}-{size}"));
        ratio(of("naive").or_else(|| large(record, "naive-16")), of("tiled"))
            .or_else(|| ratio(tiles(record, "naive", size), tiles(record, "tiled", size)))
    };
    let (Some(sixteen), Some(thirty_two)) = (at(16), at(32)) else { return missing() };
    let why = format!("{sixteen:.2} times as fast with tiles of 16, {thirty_two:.2} times with tiles of 32");
    let faster = [sixteen, thirty_two].map(|r| r > 1.0 + EQUAL);
    match faster {
        [true, true] => (Holds, why),
        [false, false] => (DoesNotHold, why),
        _ => (HoldsInPart, why),
    }
}

/// The source's ratio and rates, against those of this build and of one for debugging.
fn as_fast(record: &Record) -> (Verdict, String) {
    let value = |name| fact(record, name);
    let (Some(said), Some(naive), Some(tiled)) =
        (value("source_speedup"), value("source_naive_rate"), value("source_tiled_rate"))
    else {
        return missing();
    };
    let lengths = ["rows", "inner", "columns"].map(|name| match record.parameters.get(name) {
        Some(Parameter::Integer(length)) => *length,
        _ => 0,
    });
    let scale = large(record, "naive-16").map_or(1.0, |point| point.x);
    let point = |series: &str| large(record, &format!("{series}-16")).or_else(|| tiles(record, series, 16));
    let (Some(found), Some(at)) = (ratio(point("naive"), point("tiled")), point("tiled")) else {
        return missing();
    };
    let debug = value("debug_speedup").zip(large(record, "debug-tiled-16"));
    let why = format!(
        "{found:.2} times as fast, at {} GFLOP/s with tiles{}; the source's seconds are {naive:.2} and {tiled:.2} GFLOP/s",
        format::number(at.y.round()),
        debug.map_or(String::new(), |(ratio, point)| format!(
            ", and {ratio:.2} times as compiled for debugging (at {} GFLOP/s, scale {})",
            format::number(point.y.round()),
            point.x
        ))
    );
    if lengths.map(|length| length as f64 * scale) != [4800.0, 6400.0, 3200.0] {
        return (NotShown, format!("{why}; this is not the product of this size"));
    }
    match (as_stated(&[found / said, at.y / tiled]), debug) {
        (Holds, _) => (Holds, why),
        (_, Some((ratio, point))) if as_stated(&[ratio / said, point.y / tiled]) == Holds => {
            (HoldsInPart, format!("{why}: so it is as compiled for debugging"))
        }
        (verdict, _) => (verdict, why),
    }
}

/// The check of a product with one barrier a tile.
const BLOCKED: &str = "registers/64";

/// Both barriers are needed with one pair of tiles. With two alternating pairs, as in `blocked`, one a tile is enough.
fn two_barriers(record: &Record) -> (Verdict, String) {
    match (as_checked(record, barriers::ID), check(record, BLOCKED)) {
        ((Holds, found), Some(blocked)) if blocked.passed => (
            HoldsInPart,
            format!("{found}; `blocked`, which has two pairs of tiles in turn, needs one a tile"),
        ),
        (other, _) => other,
    }
}

/// Whether blocks with two tiles of each size ran, and gave what they should.
fn fit(record: &Record) -> (Verdict, String) {
    let ran = [8, 16, 32].map(|size| check(record, &format!("tiles/tiled/{size}")).map(|check| check.passed));
    match ran {
        [Some(true), Some(true), Some(true)] => (
            Holds,
            "two tiles of 8, 16 and 32 are 0.5, 2 and 8 KiB, and a block may have 48; kernels with each ran"
                .to_owned(),
        ),
        [Some(_), Some(_), Some(_)] => {
            (DoesNotHold, "a kernel with two tiles gave a wrong product".to_owned())
        }
        _ => missing(),
    }
}

fn conflicts(record: &Record) -> (Verdict, String) {
    let mut wavefronts = Vec::new();
    let mut times = Vec::new();
    for size in [8, 16, 32] {
        let (Some(bad), Some(good)) = (tiles(record, "transposed", size), tiles(record, "padded", size))
        else {
            return missing();
        };
        let counted = |point| hardware(point, "shared_load_wavefronts");
        let (Some(most), Some(least)) = (counted(bad), counted(good)) else { return uncounted() };
        wavefronts.push(most as f64 / least.max(1) as f64);
        times.push(ratio(Some(bad), Some(good)).unwrap_or(f64::NAN));
    }
    let list = |values: &[f64]| values.iter().map(|v| format!("{v:.2}")).collect::<Vec<_>>().join(", ");
    let why = format!(
        "B's tile transposed needs {} times the wavefronts of loads that it needs with padding, for tiles of 8, 16 and 32, and {} times the time",
        list(&wavefronts),
        list(&times)
    );
    let rises = |values: &[f64]| values.windows(2).all(|pair| pair[1] > pair[0]);
    let verdict = match (rises(&wavefronts), rises(&times) && times[2] > 1.0 + EQUAL) {
        (true, true) => Holds,
        (false, false) => DoesNotHold,
        _ => HoldsInPart,
    };
    (verdict, why)
}
