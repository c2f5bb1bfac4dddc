//! The sources' claims on these memories, and this lab's verdicts.
//!
//! Enters: a record with its facts. Leaves: verdicts by rule; the claims' texts are in `labs/claims.toml`.

use super::chase::FILL_STRIDES;
use super::compiled;
use super::facts::first_hits;
use crate::facts::{embedded, point};
use crate::lab::Rule;
use crate::rules::{EQUAL, as_checked, as_stated, equal, fact, hardware, missing, uncounted};
use record::{Point, Record, Verdict};
use render::format;

pub(super) const RULES: &[(&str, Rule)] = &[
    ("half-warp-broadcast", half_warp),
    ("linear-in-distinct-addresses", linear),
    ("constant-cache-64-kb", constant_cache),
    ("read-only-cache-48-kb", read_only_cache),
    ("constants-small-and-uniform", small_and_uniform),
    ("read-only-for-scattered-reads", scattered),
    ("constant-for-uniform-reads", uniform),
    ("read-only-worse-at-one-address", one_address),
    ("constant-makes-the-stencil-faster", stencil_constant),
    ("read-only-makes-the-stencil-faster", stencil_times),
    ("the-stencil-s-constants-are-read-alike", read_alike),
    ("replays-only-where-lanes-differ", one_after_the_other),
    ("one-transaction-for-32-threads", one_transaction),
    ("constant-cache-is-much-faster-than-constant-memory", constant_cache_faster),
    ("sixteen-addresses-take-sixteen-times-as-long", sixteen),
    ("divergent-constants-are-slower-than-global", slower_than_global),
    ("divergent-constants-are-like-bank-conflicts", like_bank_conflicts),
    ("shared-memory-may-be-faster-to-access", shared_faster),
    ("read-only-granularity-is-32-bytes", granularity),
    ("read-only-path-has-its-own-bandwidth", own_bandwidth),
    ("two-ways-to-the-read-only-cache", two_ways),
    ("pragma-unroll-unrolls", unrolled),
    ("staging-saves-accesses", fewer_accesses),
    ("staging-in-shared-memory-pays", staging),
];

use Verdict::{DoesNotHold, Holds, HoldsInPart, NotShown};

/// Replays an instruction as the hardware counted them, over those of the chase's constant loads that can have any.
fn replays(point: &Point) -> Option<f64> {
    let loads = embedded(point, "const_instructions").max(1);
    Some(hardware(point, "const_replays")? as f64 / loads as f64)
}

const THROUGHPUT: &str = "divergence-throughput";

fn half_warp(record: &Record) -> (Verdict, String) {
    let (Some(one), Some(halves)) =
        (point(record, THROUGHPUT, "constant-4", 1.0), point(record, THROUGHPUT, "constant-halves", 2.0))
    else {
        return missing();
    };
    let (Some(at_one), Some(at_halves)) = (replays(one), replays(halves)) else { return uncounted() };
    let times = format!("; {:.2} and {:.2} ns a warp load", one.y, halves.y);
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

/// Distinct addresses and replays a load, where the hardware counted: all points of a sweep that have a count.
fn replays_by_addresses(record: &Record) -> Option<Vec<(f64, f64)>> {
    let series = record.experiment(THROUGHPUT)?.series("constant-4")?;
    Some(series.points.iter().filter_map(|point| Some((point.x, replays(point)?))).collect())
}

fn linear(record: &Record) -> (Verdict, String) {
    let Some(counted) = replays_by_addresses(record) else { return missing() };
    let exact = counted.iter().all(|(k, replays)| (replays - (k - 1.0)).abs() < 1e-6);
    let counts = match (counted.len(), exact) {
        (0, _) => "replays were not counted".to_owned(),
        (n, true) => format!("replays are exactly k − 1 for k distinct addresses ({n} values of k)"),
        (n, false) => format!("replays are not k − 1 for k distinct addresses ({n} values of k)"),
    };
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

/// Whether no constant load of the stencil has lanes with different addresses: that follows from the program.
fn read_alike(record: &Record) -> (Verdict, String) {
    let Some(point) = point(record, "stencil", "constant", 256.0) else { return missing() };
    let count = |name| embedded(point, name);
    let loads = count("const_uniform_instructions") + count("const_instructions");
    if loads == 0 {
        return missing();
    }
    let differ = count("const_divergent_instructions");
    let verdict = if differ == 0 { Holds } else { DoesNotHold };
    let [loads, differ] = [loads, differ].map(format::count);
    let why = format!("of {loads} constant loads of warps, {differ} have lanes with different addresses");
    (verdict, why)
}

/// One address is the best case, and each further one has its own broadcast.
fn one_after_the_other(record: &Record) -> (Verdict, String) {
    let Some(counted) = replays_by_addresses(record) else { return missing() };
    let (Some((_, one)), Some((most, all))) = (counted.first().copied(), counted.last().copied()) else {
        return uncounted();
    };
    let why =
        format!("{one:.0} replays a load where all lanes read one address, {all:.0} where they read {most}");
    let serial = counted.iter().all(|(k, replays)| (replays - (k - 1.0)).abs() < 1e-6);
    match (one == 0.0, serial) {
        (true, true) => (Holds, why),
        (true, false) => (HoldsInPart, why),
        (false, _) => (DoesNotHold, why),
    }
}

fn one_transaction(record: &Record) -> (Verdict, String) {
    let Some(one) = point(record, THROUGHPUT, "constant-4", 1.0) else { return missing() };
    match hardware(one, "const_replays") {
        None => uncounted(),
        Some(0) => (Holds, "no replay where all lanes of every warp read one address".to_owned()),
        Some(n) => (DoesNotHold, format!("{n} replays where all lanes of every warp read one address")),
    }
}

/// Where latency steps up with the working set: the first level's capacity, KiB, or nothing up to the largest one tried,
/// and the sentence.
fn first_level(record: &Record, series: &str, prefix: &str) -> Option<(Result<f64, f64>, String)> {
    let points = &record.experiment("working-set")?.series(series)?.points;
    let kib = |bytes: f64| bytes / 1024.0;
    let value = |name: &str| fact(record, &format!("{prefix}_{name}"));
    let Some(first) = value("l1_capacity").map(kib) else {
        let largest = points.last().map_or(0.0, |p| kib(p.x));
        let why = format!("latency does not step up to {largest:.1} KiB, the largest working set tried");
        return Some((Err(largest), why));
    };
    // The end is between two sizes of the grid.
    let end = |level: &str| {
        let [fits, exceeded] =
            ["capacity", "exceeded"].map(|name| value(&format!("{level}_{name}")).map(kib));
        fits.zip(exceeded).map(|(fits, exceeded)| format!("between {fits:.1} and {exceeded:.1} KiB"))
    };
    let next = end("l2").map(|end| format!(" and again {end}")).unwrap_or_default();
    Some((Ok(first), format!("latency steps up {}{next}", end("l1")?)))
}

/// The limit, KiB, that the source gives for a multiprocessor's cache of constants.
const LIMIT: f64 = 64.0;

fn constant_cache(record: &Record) -> (Verdict, String) {
    let Some((first, why)) = first_level(record, "constant", "constant") else { return missing() };
    let first = match first {
        Ok(first) if as_stated(&[first / LIMIT]) == Holds => return (Holds, why),
        Ok(first) | Err(first) if first > LIMIT => return (DoesNotHold, why),
        Ok(first) => first,
        Err(_) => return (NotShown, why),
    };
    let why = format!("{why}; 64 KB is the size of the constant memory a module can have");
    // Data that the first level does not hold may be in a second one, nearer than L2.
    let latency = |name| fact(record, name);
    match (latency("constant_l1_latency"), latency("constant_l2_latency"), latency("read_only_l2_latency")) {
        (Some(near), Some(second), Some(l2)) if second < l2 * 0.5 => (
            DoesNotHold,
            format!(
                "{why}, the CUDA C++ Programming Guide has 8 KB for the cache, and {first:.1} KiB are near: what lies beyond takes {second:.1} ns a load in place of {near:.1} (L2: {l2:.1})"
            ),
        ),
        _ => (
            DoesNotHold,
            format!(
                "{why}, the CUDA C++ Programming Guide has 8 KB for the cache, and {first:.1} KiB are near"
            ),
        ),
    }
}

/// Kepler's read-only cache, KiB.
fn read_only_cache(record: &Record) -> (Verdict, String) {
    let Some((first, why)) = first_level(record, "read-only", "read_only") else { return missing() };
    match first {
        Ok(first) => (as_stated(&[first / 48.0]), why),
        Err(largest) => (if largest > 60.0 { DoesNotHold } else { NotShown }, why),
    }
}

/// A working set beyond the first constant cache, and well within the read-only one's capacity, bytes.
const BEYOND: f64 = 32768.0;

/// Cost of size and divergence on both paths: latencies of a large working set over a small one, and times at 32
/// addresses over one.
fn small_and_uniform(record: &Record) -> (Verdict, String) {
    let latency = |series: &str| {
        let points = &record.experiment("working-set")?.series(series)?.points;
        let near = points.first()?.y;
        Some(points.iter().find(|point| point.x >= BEYOND)?.y / near)
    };
    let (Some(constant), Some(read_only)) = (latency("constant"), latency("read-only")) else {
        return missing();
    };
    let Some(((one, flat), (all, scattered))) = both(record, 1.0).zip(both(record, 32.0)) else {
        return missing();
    };
    let why = format!(
        "a working set of 32 KiB has {constant:.2} times the latency of a small one through the constant cache, {read_only:.2} times through the read-only path; 32 addresses take {:.1} and {:.1} times as long as one",
        all / one,
        scattered / flat
    );
    let worse = |ratio: f64| ratio > 1.0 + EQUAL;
    match ([constant, all / one].map(worse), [read_only, scattered / flat].map(worse)) {
        ([true, true], [false, false]) => (Holds, why),
        ([false, false], _) => (DoesNotHold, why),
        _ => (HoldsInPart, why),
    }
}

/// Times of a warp load at k distinct addresses, constant and read-only.
fn both(record: &Record, k: f64) -> Option<(f64, f64)> {
    let y = |series: &str| point(record, THROUGHPUT, series, k).map(|p| p.y);
    Some((y("constant-4")?, y("read-only-4")?))
}

fn scattered(record: &Record) -> (Verdict, String) {
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
    let Some(((one, flat), (many, all))) = both(record, 1.0).zip(both(record, 16.0)) else {
        return missing();
    };
    let counted = point(record, THROUGHPUT, "constant-4", 16.0).and_then(replays);
    let (constant, read_only) = (many / one, all / flat);
    let why = format!(
        "{}16 addresses take {constant:.1} times as long as one from constant memory, {read_only:.1} times through the read-only path (neighbouring words)",
        counted.map_or(String::new(), |replays| format!("{replays} replays a load for 16 addresses; "))
    );
    let verdict = match (constant, read_only) {
        (12.8..=20.0, ..2.0) => Holds,
        (4.0.., ..2.0) => HoldsInPart,
        _ => DoesNotHold,
    };
    (verdict, why)
}

/// Whether lanes that want different words wait longer for constant memory than for global memory, neighbours or not.
fn slower_than_global(record: &Record) -> (Verdict, String) {
    let y = |series: &str| point(record, THROUGHPUT, series, 16.0).map(|p| p.y);
    let (Some(constant), Some(near), Some(far_constant), Some(far)) =
        (y("constant-4"), y("read-only-4"), y("constant-256"), y("read-only-256"))
    else {
        return missing();
    };
    let why = format!(
        "16 addresses: {constant:.1} ns a warp load from constant memory and {near:.1} from global memory 4 B apart, {far_constant:.1} and {far:.1} ns 256 B apart"
    );
    match (constant > near * (1.0 + EQUAL), far_constant > far * (1.0 + EQUAL)) {
        (true, true) => (Holds, why),
        (false, false) => (DoesNotHold, why),
        _ => (HoldsInPart, why),
    }
}

/// Constants, shared memory and global memory, 32 words 256 bytes apart: for shared memory all are in one bank, for global
/// memory in separate lines.
fn like_bank_conflicts(record: &Record) -> (Verdict, String) {
    let y = |series: &str| point(record, THROUGHPUT, series, 32.0).map(|p| p.y);
    let (Some(constant), Some(shared), Some(global)) = (y("constant-4"), y("shared-256"), y("read-only-256"))
    else {
        return missing();
    };
    let why = format!(
        "32 addresses: {constant:.1} ns a warp load from constant memory, {shared:.1} from shared memory with all lanes in one bank, {global:.1} from global memory with a line each"
    );
    let alike = [shared, global].map(|other| (0.8..=1.25).contains(&(constant / other)));
    match alike {
        [true, true] => (Holds, why),
        // All three go up with the number of addresses, if not by as much.
        _ if [shared, global].iter().all(|other| (0.25..=4.0).contains(&(constant / other))) => (
            HoldsInPart,
            format!(
                "{why}: each serialises, constant memory at {:.2} times the time of shared memory",
                constant / shared
            ),
        ),
        _ => (DoesNotHold, why),
    }
}

fn shared_faster(record: &Record) -> (Verdict, String) {
    let y = |experiment: &str, series: &str| point(record, experiment, series, 1.0).map(|p| p.y);
    let latency = |series| y("divergence-latency", series);
    let (Some(shared), Some(global)) = (latency("shared-4"), latency("read-only-4")) else {
        return missing();
    };
    let (Some(often), Some(often_global)) = (y(THROUGHPUT, "shared-4"), y(THROUGHPUT, "read-only-4")) else {
        return missing();
    };
    let why = format!(
        "{shared:.1} ns from a load of shared memory to the next that needs it, {global:.1} of global memory that L1 has; on a full multiprocessor {often:.2} and {often_global:.2} ns a warp load"
    );
    let faster = |shared: f64, global: f64| shared * (1.0 + EQUAL) < global;
    (if faster(shared, global) || faster(often, often_global) { Holds } else { DoesNotHold }, why)
}

fn two_ways(record: &Record) -> (Verdict, String) {
    as_checked(record, compiled::READ_ONLY)
}

fn unrolled(record: &Record) -> (Verdict, String) {
    as_checked(record, compiled::UNROLLED)
}

/// Data that a miss brings in, as the hardware counts it: of first loads at rising addresses, those that find their sector in L1.
fn granularity(record: &Record) -> (Verdict, String) {
    let Some(points) = record.experiment("fill").and_then(|e| e.series("read-only")).map(|s| &s.points)
    else {
        return missing();
    };
    let shares: Option<Vec<(f64, f64)>> = points.iter().map(|p| Some((p.x, first_hits(p)?))).collect();
    let Some(shares) = shares.filter(|all| all.len() == FILL_STRIDES.len()) else { return missing() };
    let said: Vec<String> =
        shares.iter().map(|(stride, hits)| format!("{:.1} % at {stride} B", 100.0 * hits)).collect();
    let why = format!("first loads that find their sector in L1, by their distance: {}", said.join(", "));
    let as_claimed = |stride: f64| (1.0 - stride / 32.0).max(0.0);
    let holds = shares.iter().all(|&(stride, hits)| (hits - as_claimed(stride)).abs() < 0.02);
    (if holds { Holds } else { DoesNotHold }, why)
}

/// Two variants of the stencil of one width: in what they differ is in the name of the pair.
type Pair = (&'static str, [&'static str; 2]);

/// Whether the first of each pair moves more bytes a second than the second, at all block sizes of the experiment.
fn faster(record: &Record, [this, other]: [&str; 2], pairs: [Pair; 2]) -> (Verdict, String) {
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
            "{width}: {} against {} GB/s at 256 threads a block, {:.0} to {:.0} % by block size",
            format::number(*here),
            format::number(*there),
            100.0 * least,
            100.0 * most
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
                "{why}. The first text says it of Kepler, whose read-only path was that of textures; here it is L1, like that of plain loads"
            ),
        ),
        Holds | HoldsInPart | NotShown => (verdict, why),
    }
}

/// Loads of warps from global memory, with the input staged and without: that follows from the program.
fn fewer_accesses(record: &Record) -> (Verdict, String) {
    let loads = |series| Some(embedded(point(record, "stencil", series, 256.0)?, "global_load_requests"));
    let (Some(staged), Some(unstaged)) = (loads("constant"), loads("unstaged")) else { return missing() };
    let why = format!(
        "warps make {} loads of global memory with the input staged in shared memory, {} with each thread loading its own neighbours",
        render::format::count(staged),
        render::format::count(unstaged)
    );
    (if staged < unstaged { Holds } else { DoesNotHold }, why)
}

fn staging(record: &Record) -> (Verdict, String) {
    let pairs = [
        ("one output a thread", ["constant", "unstaged"]),
        ("four outputs a thread", ["wide-staged", "wide"]),
    ];
    faster(record, ["the input staged in shared memory", "each thread loading its own neighbours"], pairs)
}

/// Bandwidths at which constant memory must be better than every other way to the coefficients.
const OTHERS: [&str; 3] = ["restrict", "ldg", "global"];

/// Whether the stencil is fastest with constants: at the block size of the chapter and at the source's.
fn stencil_constant(record: &Record) -> (Verdict, String) {
    let ratio = |block: f64| {
        let y = |series: &str| point(record, "stencil", series, block).map(|p| p.y);
        let best = OTHERS.iter().filter_map(|series| y(series)).reduce(f64::max)?;
        Some(y("constant")? / best)
    };
    let Some((large, small)) = ratio(256.0).zip(ratio(32.0)) else { return missing() };
    let why = format!(
        "bandwidth with constant memory, of the best with global memory: {:.1} % at 256 threads a block, {:.1} % at 32",
        100.0 * large,
        100.0 * small
    );
    let ratios = [large, small];
    let better = ratios.map(|ratio| ratio > 1.0 && !equal(ratio, 1.0));
    match better {
        [true, true] => (Holds, why),
        [false, false] if ratios.iter().all(|&ratio| equal(ratio, 1.0)) => {
            (DoesNotHold, format!("{why}: no difference"))
        }
        [false, false] => (DoesNotHold, why),
        _ => (HoldsInPart, why),
    }
}

/// The source's profile, ns: its blocks have 32 threads.
const PROFILED: [(&str, f64); 2] = [("constant", 3.0644e6), ("restrict", 2.5796e6)];

fn stencil_times(record: &Record) -> (Verdict, String) {
    let time = |series: &str| Some(point(record, "stencil", series, 32.0)?.time.as_ref()?.median_ns);
    let [constant, read_only] = PROFILED.map(|(series, ns)| time(series).map(|time| (time, time / ns)));
    let Some((constant, read_only)) = constant.zip(read_only) else { return missing() };
    let why = format!(
        "{:.3} ms with constant memory, {:.3} ms through the read-only path, 32 threads a block, medians of many launches",
        constant.0 / 1e6,
        read_only.0 / 1e6
    );
    (as_stated(&[constant.1, read_only.1]), why)
}

#[cfg(test)]
mod tests;
