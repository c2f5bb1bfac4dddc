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

/// Claims that the compiler's work decides.
const COMPILED: [&str; 2] = ["two-ways-to-the-read-only-cache", "pragma-unroll-unrolls"];
const OF_THE_PROGRAM: [&str; 4] =
    [COMPILED[0], COMPILED[1], "the-stencil-s-constants-are-read-alike", "staging-saves-accesses"];

/// First loads as the hardware counts them, a share of which hit.
fn fill(record: &mut Record, share: impl Fn(f64) -> f64) {
    let xs = FILL_STRIDES.map(f64::from);
    add(record, "fill", "read-only", xs.map(|x| (x, 100.0)), |_| vec![]);
    let filled = record.experiments.iter_mut().find(|e| e.id == "fill");
    for point in filled.into_iter().flat_map(|e| &mut e.series).flat_map(|s| &mut s.points) {
        let hits = (share(point.x) * LOADS as f64) as u64;
        point.hardware = fixture::counters(&[("global_load_requests", LOADS), ("global_load_hits", hits)]);
    }
}

fn verdict(made: &Made, id: &str) -> (Verdict, String) {
    crate::claims::verdict(&super::super::LAB, &record(made), id)
}

fn record(made: &Made) -> Record {
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
    record
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
    expect(&H200, "one-transaction-for-32-threads", Holds);
}

#[test]
fn a_device_that_serves_half_warps_would_replay_once_for_one_address() {
    expect(&Made { one_address_replays: 1.0, ..H200 }, "half-warp-broadcast", Holds);
    for id in ["replays-only-where-lanes-differ", "one-transaction-for-32-threads"] {
        expect(&Made { one_address_replays: 1.0, ..H200 }, id, DoesNotHold);
        expect(&H200, id, Holds);
    }
}

#[test]
fn cost_is_linear_as_long_as_the_cache_holds_the_lines() {
    expect(&H200, "linear-in-distinct-addresses", HoldsInPart);
    expect(&Made { far: 1.03, ..H200 }, "linear-in-distinct-addresses", Holds);
}

#[test]
fn the_embedded_device_s_own_rules_and_times_decide_nothing() {
    for (id, _) in RULES.iter().filter(|(id, _)| !OF_THE_PROGRAM.contains(id)) {
        expect(&Made { measured: false, ..H200 }, id, NotShown);
    }
}

#[test]
fn constants_are_read_alike_if_no_load_diverges() {
    let of = |divergent| {
        let mut record = empty(false);
        let counts =
            |_| vec![("const_uniform_instructions", LOADS), ("const_divergent_instructions", divergent)];
        add(&mut record, "stencil", "constant", [(256.0, 1.0)], counts);
        crate::claims::verdict(&super::super::LAB, &record, OF_THE_PROGRAM[2]).0
    };
    assert_eq!([of(0), of(5)], [Holds, DoesNotHold]);
}

#[test]
fn staging_saves_accesses_if_fewer_loads_are_made() {
    let of = |staged| {
        let mut record = empty(false);
        for (series, loads) in [("constant", staged), ("unstaged", 8000)] {
            add(&mut record, "stencil", series, [(256.0, 1.0)], |_| vec![("global_load_requests", loads)]);
        }
        fewer_accesses(&record).0
    };
    assert_eq!([of(1100), of(8000)], [Holds, DoesNotHold]);
}

#[test]
fn the_compiler_s_work_is_judged_by_its_checks() {
    for (id, check) in COMPILED.into_iter().zip([compiled::READ_ONLY, compiled::UNROLLED]) {
        for (measured, passed) in [(true, true), (false, true), (true, false), (false, false)] {
            let mut record = empty(measured);
            record.checks.push(record::Check { passed, ..::tests::fixture::passed(check) });
            let (found, _) = crate::claims::verdict(&super::super::LAB, &record, id);
            assert_eq!(found, if passed { Holds } else { DoesNotHold }, "{id}");
        }
    }
}

#[test]
fn a_cache_below_the_limit_keeps_it_and_one_above_does_not() {
    let id = "constant-cache-64-kb";
    expect(&H200, id, DoesNotHold);
    expect(&Made { l1: 65536.0, ..H200 }, id, Holds);
    expect(&Made { l1: 131072.0, ..H200 }, id, DoesNotHold);
}

#[test]
fn kepler_s_cache_is_shown_by_kepler_alone() {
    let id = "read-only-cache-48-kb";
    expect(&H200, id, NotShown);
    let of = |l1| read_only_cache(&record(&Made { l1, ..H200 })).0;
    assert_eq!([of(49152.0), of(2048.0)], [Holds, DoesNotHold]);
}

#[test]
fn size_and_divergence_cost_the_constant_cache_and_not_the_read_only_one() {
    let id = "constants-small-and-uniform";
    // A first level of 2 KiB is too small for both.
    expect(&H200, id, HoldsInPart);
    let of = |constant: f64, read_only: f64| {
        let mut record = record(&H200);
        let sets = record.experiments.iter_mut().find(|e| e.id == "working-set").expect("made");
        for (series, large) in [("constant", constant), ("read-only", read_only)] {
            let series = sets.series.iter_mut().find(|s| s.id == series).expect("made");
            for point in &mut series.points {
                point.y = if point.x > 2048.0 { 40.0 * large } else { 40.0 };
            }
        }
        small_and_uniform(&record).0
    };
    assert_eq!([of(3.0, 1.0), of(1.0, 1.0)], [Holds, HoldsInPart]);
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
fn constants_are_the_best_choice_where_nothing_else_is_as_fast() {
    let id = "constant-makes-the-stencil-faster";
    expect(&H200, id, DoesNotHold);
    let of = |global: f64| {
        let mut record = record(&H200);
        let stencil = record.experiments.iter_mut().find(|e| e.id == "stencil").expect("made");
        for series in stencil.series.iter_mut().filter(|s| OTHERS.contains(&s.id.as_str())) {
            series.points.iter_mut().for_each(|point| point.y *= global);
        }
        stencil_constant(&record).0
    };
    assert_eq!([of(0.8), of(1.2)], [Holds, DoesNotHold]);
}

#[test]
fn the_profile_s_times_are_for_its_chip_alone() {
    let id = "read-only-makes-the-stencil-faster";
    expect(&H200, id, NotShown);
    let of = |ns: [f64; 2]| {
        let mut record = record(&H200);
        let stencil = record.experiments.iter_mut().find(|e| e.id == "stencil").expect("made");
        for ((series, _), ns) in PROFILED.iter().zip(ns) {
            let series = stencil.series.iter_mut().find(|s| s.id == *series).expect("made");
            for time in series.points.iter_mut().filter_map(|point| point.time.as_mut()) {
                time.median_ns = ns;
            }
        }
        stencil_times(&record).0
    };
    assert_eq!([of([3.1e6, 2.5e6]), of([3.1e6, 9e6]), of([7e4, 7e4])], [Holds, HoldsInPart, DoesNotHold]);
}

#[test]
fn sixteen_addresses_are_held_against_one() {
    let id = "sixteen-addresses-take-sixteen-times-as-long";
    expect(&H200, id, HoldsInPart);
    let of = |constant: f64, global: f64| {
        let mut record = empty(true);
        for (series, times) in [("constant-4", constant), ("read-only-4", global)] {
            add(&mut record, THROUGHPUT, series, [(1.0, 1.0), (16.0, times)], |_| vec![]);
        }
        sixteen(&record).0
    };
    assert_eq!([of(16.0, 1.0), of(8.0, 1.0), of(1.0, 1.0)], [Holds, HoldsInPart, DoesNotHold]);
}

#[test]
fn what_is_slower_than_global_memory_is_seen_with_neighbours_and_far_apart() {
    let of = |near: f64, far: f64| {
        let mut record = empty(true);
        for (series, y) in
            [("constant-4", 16.0), ("constant-256", 16.0), ("read-only-4", near), ("read-only-256", far)]
        {
            add(&mut record, THROUGHPUT, series, [(16.0, y)], |_| vec![]);
        }
        slower_than_global(&record).0
    };
    assert_eq!([of(1.0, 8.0), of(1.0, 20.0), of(20.0, 20.0)], [Holds, HoldsInPart, DoesNotHold]);
}

#[test]
fn shared_memory_is_faster_to_access_if_its_latency_or_its_rate_is() {
    let of = |latency: f64, rate: f64| {
        let mut record = empty(true);
        for (experiment, shared, global) in [("divergence-latency", 10.0, latency), (THROUGHPUT, 0.5, rate)] {
            add(&mut record, experiment, "shared-4", [(1.0, shared)], |_| vec![]);
            add(&mut record, experiment, "read-only-4", [(1.0, global)], |_| vec![]);
        }
        shared_faster(&record).0
    };
    assert_eq!([of(20.0, 0.5), of(10.0, 1.0), of(10.0, 0.5)], [Holds, Holds, DoesNotHold]);
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
    // The origin of the coefficients does not affect bandwidth.
    expect(&Made { read_only_stencil: 2200.0, ..H200 }, id, DoesNotHold);
    expect(&Made { measured: false, ..H200 }, id, NotShown);
}

#[test]
fn divergent_constants_are_held_against_conflicts_and_lines() {
    let of = |shared: f64, global: f64| {
        let mut record = empty(true);
        for (series, y) in [("constant-4", 32.0), ("shared-256", shared), ("read-only-256", global)] {
            add(&mut record, THROUGHPUT, series, [(32.0, y)], |_| vec![]);
        }
        like_bank_conflicts(&record).0
    };
    assert_eq!([of(32.0, 30.0), of(16.0, 16.0), of(1.0, 1.0)], [Holds, HoldsInPart, DoesNotHold]);
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
