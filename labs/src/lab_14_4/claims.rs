//! The source's claims on bodies in constant memory, and this lab's verdicts.
//!
//! Enters: a record with its facts. Leaves: verdicts by rule; the claims' texts are in `labs/claims.toml`.

use super::gravity::COUNTS;
use crate::facts::embedded;
use crate::lab::Rule;
use crate::rules::{check, fact, hardware, missing, uncounted};
use record::{Point, Record, Verdict};
use render::format;

use Verdict::{DoesNotHold, Holds, HoldsInPart};

/// Two rates closer than this are called equal.
const EQUAL: f64 = 0.03;

pub(super) const RULES: &[(&str, Rule)] = &[
    ("four-thousand-bodies-a-pass", four_thousand),
    ("threads-read-the-same-body", same_body),
    ("bodies-are-broadcast-to-the-warp", broadcast),
    ("constant-memory-works-well-for-bodies", works_well),
    ("asynchronous-copies-keep-order", order),
];

fn four_thousand(record: &Record) -> (Verdict, String) {
    match check(record, "pass/constant/4096").map(|check| check.passed) {
        None => missing(),
        Some(true) => (
            Holds,
            "passes of 4,096 bodies, 65,536 of 65,536 bytes, gave right accelerations; 4,000 use 64,000 bytes"
                .to_owned(),
        ),
        Some(false) => (DoesNotHold, "a pass of 4,096 bodies gave wrong accelerations".to_owned()),
    }
}

/// The last point of the kernel with constants: where instructions are counted, or else of the rates.
fn counted(record: &Record) -> Option<&Point> {
    let of = |experiment: &str| record.experiment(experiment)?.series("constant")?.points.last();
    of(COUNTS).or_else(|| of("rate"))
}

/// Whether every constant load has one address for its warp: that follows from the program.
fn same_body(record: &Record) -> (Verdict, String) {
    let Some(point) = counted(record) else { return missing() };
    let count = |name| embedded(point, name);
    let (loads, differ) = (count("const_instructions"), count("const_divergent_instructions"));
    if loads == 0 {
        return missing();
    }
    let why = format!(
        "of {} constant loads of warps at {} bodies, {} have lanes with different addresses",
        format::count(loads),
        format::number(point.x),
        format::count(differ)
    );
    (if differ == 0 { Holds } else { DoesNotHold }, why)
}

fn broadcast(record: &Record) -> (Verdict, String) {
    let Some(point) = counted(record) else { return missing() };
    let (Some(loads), Some(replays)) =
        (hardware(point, "const_instructions"), hardware(point, "const_replays"))
    else {
        return uncounted();
    };
    if loads == 0 {
        return missing();
    }
    let each = loads as f64 * 32.0 / point.x.powi(2);
    let why = format!(
        "{replays} replays of {} constant loads of warps at {} bodies; {each:.2} loads serve a body's pull on the 32 threads of a warp",
        format::count(loads),
        format::number(point.x)
    );
    (if replays == 0 { Holds } else { DoesNotHold }, why)
}

fn works_well(record: &Record) -> (Verdict, String) {
    let rate = |id: &str| fact(record, &format!("rate_{id}"));
    let (Some(constant), Some(shared), Some(global)) = (rate("constant"), rate("shared"), rate("global"))
    else {
        return missing();
    };
    let why = format!(
        "{} billion interactions a second from constant memory, {} from tiles in shared memory, {} from global memory",
        format::number(constant.round()),
        format::number(shared.round()),
        format::number(global.round())
    );
    let better = |other: f64| constant > other * (1.0 + EQUAL);
    let verdict = match (better(shared), better(global)) {
        (true, true) => Holds,
        (false, false) => DoesNotHold,
        _ => HoldsInPart,
    };
    (verdict, why)
}

fn order(record: &Record) -> (Verdict, String) {
    let in_pass = super::gravity::IN_PASS as f64;
    let of_several = record.checks.iter().filter(|check| {
        let bodies = check.id.strip_prefix("rate/constant/").and_then(|n| n.parse::<f64>().ok());
        bodies.is_some_and(|n| n > in_pass)
    });
    let (right, all) =
        of_several.fold((0, 0), |(right, all), check| (right + u32::from(check.passed), all + 1));
    match (right, all) {
        (_, 0) => missing(),
        _ if right == all => (
            Holds,
            format!(
                "all {all} systems of several passes have right accelerations, with no synchronisation between copies and launches"
            ),
        ),
        _ => (
            DoesNotHold,
            format!("{} of {all} systems of several passes have wrong accelerations", all - right),
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::super::facts::{self, tests::H200, tests::made};
    use super::*;
    use Verdict::NotShown;

    fn of(mut record: Record, id: &str) -> (Verdict, String) {
        record.facts = facts::of(&record);
        crate::claims::verdict(&super::super::LAB, &record, id)
    }

    #[test]
    fn constant_memory_between_shared_and_global_works_well_in_part() {
        let id = "constant-memory-works-well-for-bodies";
        assert_eq!(of(made(true, H200), id).0, HoldsInPart);
        let with = |constant: f64| {
            let mut rates = H200.to_vec();
            rates[0].2 = constant;
            of(made(true, &rates), id).0
        };
        assert_eq!((with(1600.0), with(1000.0)), (Holds, DoesNotHold));
        assert_eq!(of(made(false, H200), id).0, NotShown);
    }

    #[test]
    fn a_replay_is_not_a_broadcast() {
        let id = "bodies-are-broadcast-to-the-warp";
        let (verdict, why) = of(made(true, H200), id);
        assert!(verdict == Holds && why.contains("2.00 loads"), "{why}");
        let mut record = made(true, H200);
        record.experiments[0].series[0].points[1].hardware.insert("const_replays".into(), 7);
        assert_eq!(of(record, id).0, DoesNotHold);
        assert_eq!(of(made(false, H200), id).0, NotShown, "its own rule");
    }

    #[test]
    fn bodies_are_the_same_for_all_lanes_if_no_load_diverges_on_either_device() {
        let id = "threads-read-the-same-body";
        for measured in [true, false] {
            let with = |divergent: u64| {
                let mut record = made(measured, H200);
                for series in record.experiments.iter_mut().flat_map(|e| &mut e.series) {
                    for point in &mut series.points {
                        point.counters = ::tests::fixture::counters(&[
                            ("const_instructions", 9),
                            ("const_divergent_instructions", divergent),
                        ]);
                    }
                }
                of(record, id).0
            };
            assert_eq!([with(0), with(3)], [Holds, DoesNotHold]);
        }
    }

    #[test]
    fn a_pass_of_as_many_bodies_as_fit_must_give_what_it_should() {
        let id = "four-thousand-bodies-a-pass";
        assert_eq!(of(made(true, H200), id).0, Holds);
        let mut record = made(true, H200);
        record.checks.iter_mut().for_each(|check| check.passed = false);
        assert_eq!(of(record, id).0, DoesNotHold);
    }

    #[test]
    fn wrong_sums_of_several_passes_say_that_order_was_lost() {
        let id = "asynchronous-copies-keep-order";
        assert_eq!(of(made(true, H200), id).0, Holds);
        assert_eq!(of(made(false, H200), id).0, NotShown);
        let mut record = made(true, H200);
        record.checks[1].passed = false;
        assert_eq!(of(record, id).0, DoesNotHold);
    }

    #[test]
    fn a_record_without_the_points_shows_nothing() {
        for measured in [true, false] {
            let mut record = made(measured, &[]);
            record.checks.clear();
            for (id, _) in RULES {
                assert_eq!(of(record.clone(), id).0, NotShown, "{id}");
            }
        }
    }
}
