//! The sources' claims on tiles in shared memory, and this lab's verdicts.
//!
//! Enters: a record with its facts. Leaves: verdicts by rule; the claims' texts are in `labs/claims.toml`. Where time is
//! modelled it was computed from what these claims assert, so there only counts decide.

use super::barriers;
use super::facts::{large, said, tiles};
use crate::facts::{counted, embedded};
use crate::lab::Rule;
use crate::matrices::facts::{accesses, modelled, of_a_gtx_970};
use crate::rules::{EQUAL, as_checked, equal, fact, is_modelled, missing};
use record::{Parameter, Point, Record, Verdict};
use render::format;

pub(super) const RULES: &[(&str, Rule)] = &[
    ("tiled-product-accesses", count),
    ("shared-memory-is-nearer", nearer),
    ("tiling-is-2-9-times-as-fast", faster),
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

fn nearer(record: &Record) -> (Verdict, String) {
    if is_modelled(record) {
        return modelled();
    }
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

fn faster(record: &Record) -> (Verdict, String) {
    let value = |name| fact(record, name);
    let (Some(said), Some(naive), Some(tiled)) =
        (value("source_speedup"), value("source_naive_rate"), value("source_tiled_rate"))
    else {
        return missing();
    };
    let slow = format!("the source's seconds are {naive:.2} and {tiled:.2} GFLOP/s");
    if is_modelled(record) {
        let Some(point) = tiles(record, "tiled", 16) else { return missing() };
        let why = format!(
            "{slow}, the model of this chip gives {} with tiles of 16; {}",
            format::number(point.y.round()),
            modelled().1
        );
        return (NotShown, why);
    }
    let lengths = ["rows", "inner", "columns"].map(|name| match record.parameters.get(name) {
        Some(Parameter::Integer(length)) => *length,
        _ => 0,
    });
    let scale = large(record, "naive-16").map_or(0.0, |point| point.x);
    if lengths.map(|length| length as f64 * scale) != [4800.0, 6400.0, 3200.0] {
        return (NotShown, "this run did not make the product of this size".to_owned());
    }
    let (Some(found), Some(point)) =
        (ratio(large(record, "naive-16"), large(record, "tiled-16")), large(record, "tiled-16"))
    else {
        return missing();
    };
    let debug = value("debug_speedup")
        .map_or(String::new(), |ratio| format!(", and {ratio:.2} times as compiled for debugging"));
    let why = format!(
        "{found:.2} times as fast, at {} GFLOP/s with tiles{debug}; {slow}",
        format::number(point.y.round())
    );
    match equal(found, said) {
        true => (Holds, why),
        false if found <= 1.0 + EQUAL => (DoesNotHold, why),
        false if of_a_gtx_970(record) => (DoesNotHold, why),
        false => (HoldsInPart, why),
    }
}

fn two_barriers(record: &Record) -> (Verdict, String) {
    as_checked(record, barriers::ID)
}

fn fit(record: &Record) -> (Verdict, String) {
    let ran = [8, 16, 32].iter().filter(|&&size| tiles(record, "tiled", size).is_some()).count();
    match ran {
        3 => (
            Holds,
            "two tiles of 8, 16 and 32 are 0.5, 2 and 8 KiB, and a block may have 48; kernels with each ran"
                .to_owned(),
        ),
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
        let per = |point: &Point| {
            let count = |name| embedded(point, name) as f64;
            count("shared_load_wavefronts") / count("shared_load_instructions").max(1.0)
        };
        wavefronts.push(per(bad) / per(good).max(1.0));
        times.push(ratio(Some(bad), Some(good)).unwrap_or(f64::NAN));
    }
    let list = |values: &[f64]| values.iter().map(|v| format!("{v:.2}")).collect::<Vec<_>>().join(", ");
    let counts = format!(
        "B's tile transposed needs {} times the wavefronts of loads that it needs with padding, for tiles of 8, 16 and 32",
        list(&wavefronts)
    );
    let rises = |values: &[f64]| values.windows(2).all(|pair| pair[1] > pair[0]);
    if is_modelled(record) {
        let verdict = if rises(&wavefronts) { HoldsInPart } else { DoesNotHold };
        return (verdict, format!("{counts}; what that costs in time is modelled here"));
    }
    let why = format!("{counts}, and {} times the time", list(&times));
    (if rises(&wavefronts) && rises(&times) && times[2] > 1.0 + EQUAL { Holds } else { HoldsInPart }, why)
}
