//! The source's claims on the plain product, and this lab's verdicts.
//!
//! Enters: a record with its facts. Leaves: verdicts by rule; the claims' texts are in `labs/claims.toml`.

use crate::facts::counted;
use crate::lab::Rule;
use crate::matrices::facts::{SOURCE_NAIVE_SECONDS, accesses, hits, shape, source_rate};
use crate::rules::{as_checked, as_stated, missing, uncounted};
use record::{Record, Verdict};
use render::format;

pub(super) const RULES: &[(&str, Rule)] = &[
    ("naive-product-accesses", count),
    ("every-access-of-the-naive-product-is-slow", slow),
    ("naive-product-takes-103-s", seconds),
    ("product-of-identities", identities),
];

use Verdict::{DoesNotHold, Holds, HoldsInPart, NotShown};

/// The point in the source's blocks of 16 × 16.
fn sixteen(record: &Record) -> Option<&record::Point> {
    record.experiment("blocks")?.series("naive")?.at(16.0)
}

fn count(record: &Record) -> (Verdict, String) {
    let (Some(shape), Some(point)) = (shape(record), sixteen(record)) else { return missing() };
    let Some(found) = accesses(point) else {
        return (
            NotShown,
            "no block's edges fit these lengths, so warps are not full; use multiples of 16".to_owned(),
        );
    };
    let said = 2 * shape.multiplications() + (shape.m * shape.p) as u64;
    let (requests, sectors) = (counted(point, "global_load_requests"), counted(point, "global_load_sectors"));
    let why = format!(
        "threads make {} accesses, the formula says {}; warps make {} load requests of them, which touch {} sectors",
        format::count(found as u64),
        format::count(said),
        format::count(requests),
        format::count(sectors)
    );
    (if found == said as f64 { Holds } else { DoesNotHold }, why)
}

fn slow(record: &Record) -> (Verdict, String) {
    let large = || record.experiment("large")?.series("block-16")?.points.last();
    let Some(point) = large().or_else(|| sixteen(record)) else { return missing() };
    let Some(hits) = hits(point) else { return uncounted() };
    let why = format!(
        "all accesses are to global memory, but L1 had {:.1} % of the sectors, so few of them leave the multiprocessor; at {} GFLOP/s the two loads for each multiply-add are what takes the time",
        100.0 * hits,
        format::number(point.y.round())
    );
    (if hits > 0.5 { HoldsInPart } else { Holds }, why)
}

/// The source does not say how it was compiled. Code that is faster, as optimised code is, does not contradict its seconds.
fn seconds(record: &Record) -> (Verdict, String) {
    let Some(point) = sixteen(record) else { return missing() };
    let source = source_rate(SOURCE_NAIVE_SECONDS);
    let why = format!(
        "102.90 s are {source:.2} GFLOP/s; optimised code reaches {} GFLOP/s here, and the source does not say how its own was compiled",
        format::number(point.y.round())
    );
    match as_stated(&[point.y / source]) {
        Holds => (Holds, why),
        DoesNotHold | HoldsInPart | NotShown => (NotShown, why),
    }
}

fn identities(record: &Record) -> (Verdict, String) {
    as_checked(record, "identity")
}
