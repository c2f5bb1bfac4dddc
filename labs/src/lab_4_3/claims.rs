//! The source's claims on the plain product, and this lab's verdicts.
//!
//! Enters: a record with its facts. Leaves: verdicts by rule; the claims' texts are in `labs/claims.toml`.

use crate::facts::counted;
use crate::lab::Rule;
use crate::matrices::facts::{
    SOURCE_NAIVE_SECONDS, accesses, hits, modelled, of_a_gtx_970, shape, source_rate,
};
use crate::rules::{as_checked, is_modelled, missing};
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
    if is_modelled(record) {
        return modelled();
    }
    let large = || record.experiment("large")?.series("block-16")?.points.last();
    let Some((point, hits)) = large().or_else(|| sixteen(record)).and_then(|p| Some((p, hits(p)?))) else {
        return missing();
    };
    let why = format!(
        "L1 had {:.1} % of the sectors, so few of the accesses leave the multiprocessor; at {} GFLOP/s the two loads for each multiply-add are what takes the time",
        100.0 * hits,
        format::number(point.y.round())
    );
    (if hits > 0.5 { HoldsInPart } else { Holds }, why)
}

fn seconds(record: &Record) -> (Verdict, String) {
    let Some(point) = sixteen(record) else { return missing() };
    let source = source_rate(SOURCE_NAIVE_SECONDS);
    let why = format!(
        "102.90 s are {source:.2} GFLOP/s; {} gives {} GFLOP/s",
        if is_modelled(record) { "the model of this chip" } else { "this chip" },
        format::number(point.y.round())
    );
    match of_a_gtx_970(record) {
        false => (NotShown, format!("this is no GTX 970: {why}")),
        // The model errs by tens of percent, rarely by a factor of two.
        true if point.y > 10.0 * source => (
            DoesNotHold,
            format!(
                "{why}, {} times as much: no card of this kind is so slow",
                format::number((point.y / source).round())
            ),
        ),
        true if is_modelled(record) => (NotShown, why),
        true => (Holds, why),
    }
}

fn identities(record: &Record) -> (Verdict, String) {
    as_checked(record, "identity")
}
