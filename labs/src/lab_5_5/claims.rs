//! The sources' claims on these memories, and this lab's verdicts.
//!
//! Enters: a record with its facts. Leaves: verdicts by rule; the claims' texts are in `labs/claims.toml`. Where time is modelled it was computed from what these
//! claims assert, so it cannot test them: only what the embedded device counts decides there, and a claim about time is
//! `not-shown`.

use super::chase::FILL_STRIDES;
use super::facts::first_hits;
use crate::facts::{counted, embedded, point};
use crate::lab::Rule;
use crate::rules::{EQUAL, equal, fact, is_modelled, missing, only_a_gpu};
use record::{Point, Record, Verdict};

pub(super) const RULES: &[(&str, Rule)] = &[
    ("half-warp-broadcast", half_warp),
    ("linear-in-distinct-addresses", linear),
    ("constant-cache-64-kb", constant_cache),
    ("read-only-cache-48-kb", read_only_cache),
    ("read-only-for-scattered-reads", scattered),
    ("constant-for-uniform-reads", uniform),
    ("read-only-worse-at-one-address", one_address),
    ("constant-makes-the-stencil-faster", stencil_constant),
    ("read-only-makes-the-stencil-faster", stencil_read_only),
    ("replays-only-where-lanes-differ", no_replay),
    ("constant-cache-is-much-faster-than-constant-memory", constant_cache_faster),
    ("sixteen-addresses-take-sixteen-times-as-long", sixteen),
    ("divergent-constants-are-like-bank-conflicts", like_bank_conflicts),
    ("read-only-granularity-is-32-bytes", granularity),
    ("read-only-path-has-its-own-bandwidth", own_bandwidth),
    ("staging-in-shared-memory-pays", staging),
];

use Verdict::{DoesNotHold, Holds, HoldsInPart, NotShown};

fn modelled() -> (Verdict, String) {
    only_a_gpu("time on the embedded device is modelled from such assumptions")
}

/// Replays an instruction, over those of the chase's constant loads that can have any.
fn replays(point: &Point) -> f64 {
    let loads = embedded(point, "const_instructions").max(1);
    counted(point, "const_replays") as f64 / loads as f64
}

const THROUGHPUT: &str = "divergence-throughput";

fn half_warp(record: &Record) -> (Verdict, String) {
    let (Some(one), Some(halves)) =
        (point(record, THROUGHPUT, "constant-4", 1.0), point(record, THROUGHPUT, "constant-halves", 2.0))
    else {
        return missing();
    };
    let (at_one, at_halves) = (replays(one), replays(halves));
    let times = if is_modelled(record) {
        String::new()
    } else {
        format!("; {:.2} and {:.2} ns a warp load", one.y, halves.y)
    };
    if at_one > 0.0 {
        let why = format!("even one address for the warp is replayed {at_one:.2} times a load{times}");
        return (if at_one <= 1.0 { Holds } else { DoesNotHold }, why);
    }
    let why = format!(
        "one address for the whole warp: no replay, so 31 of 32 reads are saved; one address for each half-warp: {at_halves:.2} replays a load. The unit is the warp, not the half-warp{times}"
    );
    if at_halves > 0.5 {
        (HoldsInPart, why)
    } else {
        (Holds, format!("neither one nor two addresses are replayed{times}"))
    }
}

fn linear(record: &Record) -> (Verdict, String) {
    let Some(series) = record.experiment(THROUGHPUT).and_then(|e| e.series("constant-4")) else {
        return missing();
    };
    let exact = series.points.iter().all(|p| (replays(p) - (p.x - 1.0)).abs() < 1e-6);
    let counts = if exact {
        "replays are exactly k − 1 for k distinct addresses".to_owned()
    } else {
        "replays are not k − 1 for k distinct addresses".to_owned()
    };
    if is_modelled(record) {
        let verdict = if exact { HoldsInPart } else { DoesNotHold };
        return (
            verdict,
            format!("{counts}; what a replay costs in time is modelled here, so only the count is shown"),
        );
    }
    let value = |name| fact(record, name);
    let (Some(r2), Some(slope)) = (value("constant_4_throughput_r2"), value("constant_4_throughput_slope"))
    else {
        return missing();
    };
    let line = format!("{counts}; {slope:.2} ns an address and multiprocessor, R² {r2:.4}, 4 B apart");
    if r2 < 0.98 {
        return (DoesNotHold, line);
    }
    // The number alone decides only as long as the lines fit in the first constant cache.
    let (near, far) =
        (point(record, THROUGHPUT, "constant-4", 32.0), point(record, THROUGHPUT, "constant-256", 32.0));
    match (near, far) {
        (Some(near), Some(far)) if far.y > near.y * 1.2 => (
            HoldsInPart,
            format!(
                "{line}; but 32 addresses cost {:.1} ns 256 B apart and {:.1} ns 4 B apart: what the cache holds counts too",
                far.y, near.y
            ),
        ),
        _ => (Holds, line),
    }
}

fn no_replay(record: &Record) -> (Verdict, String) {
    let Some(one) = point(record, THROUGHPUT, "constant-4", 1.0) else { return missing() };
    match counted(one, "const_replays") {
        0 => (Holds, "const_replays is 0 where all lanes of every warp read one address".to_owned()),
        n => (DoesNotHold, format!("{n} replays where all lanes of every warp read one address")),
    }
}

/// A capacity found by latency against the sources' number, KiB.
fn capacity(record: &Record, series: &str, prefix: &str, claimed: f64) -> (Verdict, String) {
    if is_modelled(record) {
        return modelled();
    }
    let Some(points) = record.experiment("working-set").and_then(|e| e.series(series)).map(|s| &s.points)
    else {
        return missing();
    };
    let kib = |bytes: f64| bytes / 1024.0;
    let value = |name: &str| fact(record, &format!("{prefix}_{name}"));
    let Some(first) = value("l1_capacity").map(kib) else {
        let largest = points.last().map_or(0.0, |p| kib(p.x));
        let why = format!("latency does not step up to {largest:.1} KiB, the largest working set tried");
        return (if largest > claimed * 1.25 { DoesNotHold } else { NotShown }, why);
    };
    let next =
        value("l2_capacity").map(|b| format!(" and again beyond {:.1} KiB", kib(b))).unwrap_or_default();
    let why = format!("latency steps up beyond {first:.1} KiB{next}");
    (if (0.8..=1.25).contains(&(first / claimed)) { Holds } else { DoesNotHold }, why)
}

fn constant_cache(record: &Record) -> (Verdict, String) {
    let (verdict, why) = capacity(record, "constant", "constant", 64.0);
    if verdict != DoesNotHold {
        return (verdict, why);
    }
    let why = format!("{why}; 64 KB is the size of the constant memory a module can have");
    // What the first level does not hold may be held by a second one, nearer than L2.
    let latency = |name| fact(record, name);
    match (latency("constant_l1_latency"), latency("constant_l2_latency"), latency("read_only_l2_latency")) {
        (Some(first), Some(second), Some(l2)) if second < l2 * 0.5 => (
            HoldsInPart,
            format!(
                "{why}, and all of it is cached near by, but at {second:.1} ns a load in place of {first:.1} (L2: {l2:.1})"
            ),
        ),
        _ => (verdict, why),
    }
}

fn read_only_cache(record: &Record) -> (Verdict, String) {
    capacity(record, "read-only", "read_only", 48.0)
}

/// Times of a warp load at k distinct addresses, constant and read-only.
fn both(record: &Record, k: f64) -> Option<(f64, f64)> {
    let y = |series: &str| point(record, THROUGHPUT, series, k).map(|p| p.y);
    Some((y("constant-4")?, y("read-only-4")?))
}

fn scattered(record: &Record) -> (Verdict, String) {
    if is_modelled(record) {
        return modelled();
    }
    let (Some((constant, read_only)), Some((_, one))) = (both(record, 32.0), both(record, 1.0)) else {
        return missing();
    };
    let why = format!(
        "32 distinct words: {read_only:.2} ns a warp load through the read-only path ({one:.2} for one), {constant:.2} ns from constant memory"
    );
    (if read_only < constant * (1.0 - EQUAL) { Holds } else { DoesNotHold }, why)
}

/// Whether constant memory costs less than the read-only path where all lanes read one address.
fn one_address(record: &Record) -> (Verdict, String) {
    if is_modelled(record) {
        return modelled();
    }
    let latency = |series: &str| point(record, "divergence-latency", series, 1.0).map(|p| p.y);
    let (Some((constant, read_only)), Some(constant_latency), Some(read_only_latency)) =
        (both(record, 1.0), latency("constant-4"), latency("read-only-4"))
    else {
        return missing();
    };
    let why = format!(
        "one address: {constant:.2} ns a warp load constant, {read_only:.2} read-only; latency {constant_latency:.1} and {read_only_latency:.1} ns"
    );
    let worse = |read_only: f64, constant: f64| read_only > constant * (1.0 + EQUAL);
    match (worse(read_only, constant), worse(read_only_latency, constant_latency)) {
        (true, true) => (Holds, why),
        (false, false) => (DoesNotHold, why),
        _ => (HoldsInPart, why),
    }
}

/// Uniform reads are the constant cache's best case, and better than the read-only path's.
fn uniform(record: &Record) -> (Verdict, String) {
    let (verdict, why) = one_address(record);
    let Some((all, one)) = both(record, 32.0).zip(both(record, 1.0)).map(|((all, _), (one, _))| (all, one))
    else {
        return (verdict, why);
    };
    match verdict {
        NotShown => (verdict, why),
        _ => (
            verdict,
            format!("{why}; 32 addresses cost the constant cache {:.1} times as much as one", all / one),
        ),
    }
}

fn constant_cache_faster(record: &Record) -> (Verdict, String) {
    if is_modelled(record) {
        return modelled();
    }
    let value = |name| fact(record, name);
    let (Some(first), Some(second), Some(l2)) =
        (value("constant_l1_latency"), value("constant_l2_latency"), value("read_only_l2_latency"))
    else {
        return missing();
    };
    let why = format!(
        "{first:.1} ns a load in the first constant cache, {second:.1} beyond it, and {l2:.1} from L2 (seen through the read-only path), which memory cannot be nearer than"
    );
    (if l2 > 2.0 * first { Holds } else { DoesNotHold }, why)
}

fn sixteen(record: &Record) -> (Verdict, String) {
    let (Some(one), Some(many)) =
        (point(record, THROUGHPUT, "constant-4", 1.0), point(record, THROUGHPUT, "constant-4", 16.0))
    else {
        return missing();
    };
    let counts = format!("{} replays a load for 16 addresses", replays(many));
    if is_modelled(record) {
        let verdict = if replays(many) == 15.0 { HoldsInPart } else { DoesNotHold };
        return (verdict, format!("{counts}; what they cost in time is modelled here"));
    }
    let Some(((_, flat), (_, all))) = both(record, 1.0).zip(both(record, 16.0)) else { return missing() };
    let (constant, read_only) = (many.y / one.y, all / flat);
    let why = format!(
        "{counts}; 16 addresses take {constant:.1} times as long as one from constant memory, {read_only:.1} times through the read-only path (neighbouring words)"
    );
    let verdict = match (constant, read_only) {
        (12.8..=20.0, ..2.0) => Holds,
        (4.0.., ..2.0) => HoldsInPart,
        _ => DoesNotHold,
    };
    (verdict, why)
}

fn like_bank_conflicts(record: &Record) -> (Verdict, String) {
    // 256 bytes apart, all words lie in one bank.
    let (Some(constant), Some(shared)) =
        (point(record, THROUGHPUT, "constant-4", 32.0), point(record, THROUGHPUT, "shared-256", 32.0))
    else {
        return missing();
    };
    let loads = embedded(shared, "shared_load_instructions").max(1);
    let wavefronts = embedded(shared, "shared_load_wavefronts") as f64 / loads as f64;
    let passes = replays(constant) + 1.0;
    let counts = format!("{passes} passes a constant load, {wavefronts:.1} wavefronts a shared load");
    // Both launches also make a load without conflict here and there.
    let alike = (0.9..=1.1).contains(&(wavefronts / passes));
    if is_modelled(record) {
        let verdict = if alike { HoldsInPart } else { DoesNotHold };
        return (verdict, format!("{counts}; what they cost in time is modelled here"));
    }
    let ratio = constant.y / shared.y;
    let why = format!("{counts}; {:.1} and {:.1} ns a warp load", constant.y, shared.y);
    match (alike, ratio) {
        (true, 0.8..=1.25) => (Holds, why),
        (true, _) => (HoldsInPart, format!("{why}: constant takes {ratio:.2} times as long")),
        _ => (DoesNotHold, why),
    }
}

/// What a miss brings in, as the hardware counts it: of first loads at rising addresses, those that find their sector in L1.
fn granularity(record: &Record) -> (Verdict, String) {
    if is_modelled(record) {
        return only_a_gpu(
            "the embedded device fills its caches by sectors of 32 bytes because its rule says so",
        );
    }
    let Some(points) = record.experiment("fill").and_then(|e| e.series("read-only")).map(|s| &s.points)
    else {
        return missing();
    };
    let shares: Option<Vec<(f64, f64)>> = points.iter().map(|p| Some((p.x, first_hits(p)?))).collect();
    let Some(shares) = shares.filter(|all| all.len() == FILL_STRIDES.len()) else { return missing() };
    let said: Vec<String> =
        shares.iter().map(|(stride, hits)| format!("{:.1} at {stride} B", 100.0 * hits)).collect();
    let why = format!(
        "of a hundred first loads, by their distance, so many find their sector in L1: {}",
        said.join(", ")
    );
    let as_claimed = |stride: f64| (1.0 - stride / 32.0).max(0.0);
    let holds = shares.iter().all(|&(stride, hits)| (hits - as_claimed(stride)).abs() < 0.02);
    (if holds { Holds } else { DoesNotHold }, why)
}

/// Two variants of the stencil of one width: in what they differ is in the name of the pair.
type Pair = (&'static str, [&'static str; 2]);

/// Whether the first of each pair moves more bytes a second than the second, at all block sizes of the experiment.
fn faster(record: &Record, [this, other]: [&str; 2], pairs: [Pair; 2]) -> (Verdict, String) {
    if is_modelled(record) {
        return modelled();
    }
    let (mut all, mut said) = (Vec::new(), Vec::new());
    for (width, [a, b]) in pairs {
        let Some(experiment) = record.experiment("stencil") else { return missing() };
        let Some((a, b)) = experiment.series(a).zip(experiment.series(b)) else { return missing() };
        let rates = |p: &Point| Some((p.x, p.y, b.at(p.x)?.y));
        let rates: Vec<_> = a.points.iter().filter_map(rates).collect();
        let Some((_, here, there)) = rates.iter().find(|(block, ..)| *block == 256.0) else {
            return missing();
        };
        let ratios: Vec<f64> = rates.iter().map(|(_, a, b)| a / b).collect();
        let (least, most) =
            (ratios.iter().copied().reduce(f64::min), ratios.iter().copied().reduce(f64::max));
        let Some((least, most)) = least.zip(most) else { return missing() };
        said.push(format!(
            "{width}: {here:.0} against {there:.0} GB/s at 256 threads a block, {least:.2} to {most:.2} times by block size"
        ));
        all.extend(ratios);
    }
    let why = format!("{this} against {other}, {}", said.join("; "));
    let faster = all.iter().filter(|&&ratio| ratio > 1.0 + EQUAL).count();
    let verdict = match faster {
        0 => DoesNotHold,
        n if n == all.len() => Holds,
        _ => HoldsInPart,
    };
    (verdict, why)
}

fn own_bandwidth(record: &Record) -> (Verdict, String) {
    let pairs = [
        ("loads of 4 bytes", ["unstaged-read-only", "unstaged"]),
        ("loads of 16", ["wide-read-only", "wide"]),
    ];
    let (verdict, why) =
        faster(record, ["the input through the read-only path", "plain global loads"], pairs);
    match verdict {
        DoesNotHold => (
            verdict,
            format!(
                "{why}. The statement is of Kepler, whose read-only path was that of textures; here it is L1, like that of plain loads"
            ),
        ),
        Holds | HoldsInPart | NotShown => (verdict, why),
    }
}

fn staging(record: &Record) -> (Verdict, String) {
    let pairs = [
        ("one output a thread", ["constant", "unstaged"]),
        ("four outputs a thread", ["wide-staged", "wide"]),
    ];
    faster(record, ["the input staged in shared memory", "each thread loading its own neighbours"], pairs)
}

/// Constant time over read-only time of the stencil, at 256 and at 32 threads a block, and the sentence.
fn stencil(record: &Record) -> Option<([f64; 2], String)> {
    let y = |series: &str, block: f64| point(record, "stencil", series, block).map(|p| p.y);
    let times = |block: f64| Some(y("restrict", block)? / y("constant", block)?);
    let ratios = [times(256.0)?, times(32.0)?];
    let why = format!(
        "time with constant memory over time with __restrict__: {:.3} at 256 threads a block, {:.3} at 32",
        ratios[0], ratios[1]
    );
    Some((ratios, why))
}

fn stencil_verdict(record: &Record, faster: impl Fn(f64) -> bool) -> (Verdict, String) {
    if is_modelled(record) {
        return modelled();
    }
    let Some((ratios, why)) = stencil(record) else { return missing() };
    let holds = ratios.map(|r| !equal(r, 1.0) && faster(r));
    match holds {
        [true, true] => (Holds, why),
        [false, false] if ratios.iter().all(|&r| equal(r, 1.0)) => {
            (DoesNotHold, format!("{why}: no difference"))
        }
        [false, false] => (DoesNotHold, why),
        _ => (HoldsInPart, why),
    }
}

fn stencil_constant(record: &Record) -> (Verdict, String) {
    stencil_verdict(record, |ratio| ratio < 1.0)
}

fn stencil_read_only(record: &Record) -> (Verdict, String) {
    stencil_verdict(record, |ratio| ratio > 1.0)
}

#[cfg(test)]
mod tests {
    use super::super::facts;
    use super::super::facts::tests::{add, empty};
    use super::*;
    use ::tests::fixture;

    const LOADS: u64 = 1000;

    fn ks() -> impl Iterator<Item = f64> {
        (1..=32).map(f64::from)
    }

    /// Counters of a warp that replays `f(k)` times a load.
    fn replaying(f: impl Fn(f64) -> f64) -> impl Fn(f64) -> Vec<(&'static str, u64)> {
        move |k| vec![("const_instructions", LOADS), ("const_replays", (f(k) * LOADS as f64) as u64)]
    }

    /// A record as an H200 gives it, with what is to be varied.
    struct Made {
        measured: bool,
        read_only_at_1: f64,
        far: f64,
        l1: f64,
        read_only_stencil: f64,
        unstaged_stencil: f64,
        /// Bandwidth of a stencil with its input through the read-only path over that with plain loads.
        read_only_input: f64,
        /// Bytes that a miss brings into L1.
        filled_at_once: u32,
        one_address_replays: f64,
    }

    const H200: Made = Made {
        measured: true,
        read_only_at_1: 1.97,
        far: 2.5,
        l1: 2048.0,
        read_only_stencil: 1900.0,
        unstaged_stencil: 2500.0,
        read_only_input: 1.0,
        filled_at_once: 32,
        one_address_replays: 0.0,
    };

    /// First loads as the hardware counts them, a share of which hit.
    fn fill(record: &mut Record, share: impl Fn(f64) -> f64) {
        let xs = FILL_STRIDES.map(f64::from);
        add(record, "fill", "read-only", xs.map(|x| (x, 100.0)), |_| vec![]);
        let filled = record.experiments.iter_mut().find(|e| e.id == "fill");
        for point in filled.into_iter().flat_map(|e| &mut e.series).flat_map(|s| &mut s.points) {
            let hits = (share(point.x) * LOADS as f64) as u64;
            point.hardware =
                fixture::counters(&[("global_load_requests", LOADS), ("global_load_hits", hits)]);
        }
    }

    fn verdict(made: &Made, id: &str) -> (Verdict, String) {
        let mut record = empty(made.measured);
        let r = &mut record;
        let warp = replaying(|k| k - 1.0 + made.one_address_replays);
        add(r, THROUGHPUT, "constant-4", ks().map(|k| (k, 0.4 + 1.02 * k)), &warp);
        add(r, THROUGHPUT, "constant-256", ks().map(|k| (k, made.far * k)), &warp);
        add(r, THROUGHPUT, "constant-halves", ks().map(|k| (k, 0.4 + 1.02 * k)), &warp);
        add(r, THROUGHPUT, "read-only-4", ks().map(|k| (k, made.read_only_at_1)), |k| {
            vec![
                ("global_load_requests", LOADS),
                ("global_load_sectors", (LOADS as f64 * (k / 8.0).ceil()) as u64),
            ]
        });
        add(r, THROUGHPUT, "shared-256", ks().map(|k| (k, 0.4 + 1.04 * k)), |k| {
            vec![("shared_load_instructions", LOADS), ("shared_load_wavefronts", (LOADS as f64 * k) as u64)]
        });
        add(r, "divergence-latency", "constant-4", [(1.0, 40.0)], |_| vec![]);
        add(r, "divergence-latency", "read-only-4", [(1.0, 40.0 * made.read_only_at_1 / 1.43)], |_| vec![]);
        let sizes = || (0..40).map(|i| 256.0 * (f64::from(i) / 4.0).exp2());
        add(
            r,
            "working-set",
            "constant",
            sizes().map(|s| (s, if s <= made.l1 { 40.0 } else { 90.0 })),
            |_| vec![],
        );
        add(
            r,
            "working-set",
            "read-only",
            sizes().map(|s| {
                let second = if s <= 16.0 * made.l1 { 90.0 } else { 250.0 };
                (s, if s <= made.l1 { 40.0 } else { second })
            }),
            |_| vec![],
        );
        for (series, y) in [
            ("constant", 1900.0),
            ("restrict", made.read_only_stencil),
            ("global", 1900.0),
            ("unstaged", made.unstaged_stencil),
            ("unstaged-read-only", made.read_only_input * made.unstaged_stencil),
            ("wide-staged", 1900.0),
            ("wide", made.unstaged_stencil),
            ("wide-read-only", made.read_only_input * made.unstaged_stencil),
        ] {
            // With 32 threads all but one variant are as fast as blocks start.
            let few = if series == "restrict" { y / 4.0 } else { 475.0 };
            add(r, "stencil", series, [(32.0, few), (256.0, y)], |_| vec![]);
        }
        let piece = f64::from(made.filled_at_once);
        fill(r, |stride| (1.0 - stride / piece).max(0.0));
        record.facts = facts::of(&record);
        let rule = RULES.iter().find(|(name, _)| *name == id);
        rule.map_or_else(|| panic!("no rule {id}"), |(_, rule)| rule(&record))
    }

    #[track_caller]
    fn expect(made: &Made, id: &str, expected: Verdict) {
        let (found, why) = verdict(made, id);
        assert_eq!(found, expected, "{id}: {why}");
        assert!(!why.is_empty() && !why.contains("NaN"), "{why}");
    }

    #[test]
    fn a_warp_that_needs_no_replay_for_one_address_is_the_unit_of_broadcast() {
        expect(&H200, "half-warp-broadcast", HoldsInPart);
        expect(&Made { measured: false, ..H200 }, "half-warp-broadcast", HoldsInPart);
    }

    #[test]
    fn a_device_that_serves_half_warps_would_replay_once_for_one_address() {
        expect(&Made { one_address_replays: 1.0, ..H200 }, "half-warp-broadcast", Holds);
        expect(&Made { one_address_replays: 1.0, ..H200 }, "replays-only-where-lanes-differ", DoesNotHold);
        expect(&H200, "replays-only-where-lanes-differ", Holds);
    }

    #[test]
    fn cost_is_linear_as_long_as_the_cache_holds_the_lines() {
        expect(&H200, "linear-in-distinct-addresses", HoldsInPart);
        expect(&Made { far: 1.03, ..H200 }, "linear-in-distinct-addresses", Holds);
        expect(&Made { measured: false, ..H200 }, "linear-in-distinct-addresses", HoldsInPart);
        let double = Made { one_address_replays: 1.0, measured: false, ..H200 };
        expect(&double, "linear-in-distinct-addresses", DoesNotHold);
    }

    #[test]
    fn a_capacity_is_what_latency_shows_and_nothing_where_it_is_modelled() {
        for id in ["constant-cache-64-kb", "read-only-cache-48-kb"] {
            expect(&H200, id, DoesNotHold);
            expect(&Made { measured: false, ..H200 }, id, NotShown);
        }
        expect(&Made { l1: 65536.0, ..H200 }, "constant-cache-64-kb", Holds);
        expect(&Made { l1: 49152.0, ..H200 }, "read-only-cache-48-kb", Holds);
    }

    #[test]
    fn scattered_reads_go_to_whichever_path_is_faster() {
        expect(&H200, "read-only-for-scattered-reads", Holds);
        expect(&Made { read_only_at_1: 50.0, ..H200 }, "read-only-for-scattered-reads", DoesNotHold);
        expect(&Made { measured: false, ..H200 }, "read-only-for-scattered-reads", NotShown);
    }

    #[test]
    fn uniform_reads_likewise() {
        for id in ["constant-for-uniform-reads", "read-only-worse-at-one-address"] {
            expect(&H200, id, Holds);
            expect(&Made { read_only_at_1: 1.3, ..H200 }, id, DoesNotHold);
            expect(&Made { measured: false, ..H200 }, id, NotShown);
        }
    }

    #[test]
    fn a_stencil_that_is_as_fast_either_way_contradicts_both() {
        let (constant, read_only) =
            ("constant-makes-the-stencil-faster", "read-only-makes-the-stencil-faster");
        expect(&H200, constant, DoesNotHold);
        expect(&H200, read_only, DoesNotHold);
        expect(&Made { read_only_stencil: 1500.0, ..H200 }, constant, Holds);
        expect(&Made { read_only_stencil: 1500.0, ..H200 }, read_only, DoesNotHold);
        expect(&Made { read_only_stencil: 2300.0, ..H200 }, read_only, Holds);
        expect(&Made { measured: false, ..H200 }, constant, NotShown);
    }

    #[test]
    fn sixteen_addresses_are_held_against_one() {
        let id = "sixteen-addresses-take-sixteen-times-as-long";
        expect(&H200, id, HoldsInPart);
        expect(&Made { measured: false, ..H200 }, id, HoldsInPart);
        expect(&Made { measured: false, one_address_replays: 1.0, ..H200 }, id, DoesNotHold);
    }

    #[test]
    fn staging_pays_where_the_staged_stencil_of_the_same_width_is_the_faster_one() {
        let id = "staging-in-shared-memory-pays";
        expect(&H200, id, DoesNotHold);
        // At 256 threads a block, and not at 32.
        expect(&Made { unstaged_stencil: 1700.0, ..H200 }, id, HoldsInPart);
        expect(&Made { measured: false, ..H200 }, id, NotShown);
    }

    #[test]
    fn a_path_with_bandwidth_of_its_own_would_read_the_input_faster() {
        let id = "read-only-path-has-its-own-bandwidth";
        expect(&H200, id, DoesNotHold);
        expect(&Made { read_only_input: 1.3, ..H200 }, id, HoldsInPart);
        // Where the coefficients come from is no matter of bandwidth.
        expect(&Made { read_only_stencil: 2200.0, ..H200 }, id, DoesNotHold);
        expect(&Made { measured: false, ..H200 }, id, NotShown);
    }

    #[test]
    fn divergent_constants_are_held_against_conflicts() {
        let id = "divergent-constants-are-like-bank-conflicts";
        expect(&H200, id, Holds);
        expect(&Made { measured: false, ..H200 }, id, HoldsInPart);
        expect(&Made { one_address_replays: 8.0, ..H200 }, id, DoesNotHold);
    }

    #[test]
    fn granularity_is_what_the_hardware_counts_and_the_embedded_device_has_by_rule() {
        let id = "read-only-granularity-is-32-bytes";
        expect(&H200, id, Holds);
        expect(&Made { filled_at_once: 128, ..H200 }, id, DoesNotHold);
        expect(&Made { filled_at_once: 16, ..H200 }, id, DoesNotHold);
        expect(&Made { measured: false, ..H200 }, id, NotShown);
    }

    #[test]
    fn the_constant_cache_is_held_against_l2() {
        let id = "constant-cache-is-much-faster-than-constant-memory";
        expect(&H200, id, Holds);
        expect(&Made { measured: false, ..H200 }, id, NotShown);
    }

    #[test]
    fn a_record_without_the_points_shows_nothing() {
        for measured in [true, false] {
            for (id, rule) in RULES {
                let (verdict, why) = rule(&empty(measured));
                assert_eq!(verdict, NotShown, "{id}: {why}");
            }
        }
    }
}
