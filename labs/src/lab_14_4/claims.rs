//! The source's claims on bodies in constant memory, and this lab's verdicts.
//!
//! Enters: a record with its facts. Leaves: verdicts by rule; the claims' texts are in `labs/claims.toml`. Where time is
//! modelled, it tests nothing: only what the embedded device counts decides there.

use super::gravity::COUNTS;
use crate::lab::Rule;
use crate::rules::{check, fact, is_modelled, missing, only_a_gpu};
use record::{Point, Record, Verdict};
use render::format;

use Verdict::{DoesNotHold, Holds, HoldsInPart};

/// Two rates closer than this are called equal.
const EQUAL: f64 = 0.03;

pub(super) const RULES: &[(&str, Rule)] = &[
    ("four-thousand-bodies-a-pass", four_thousand),
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

/// Constant loads and their replays at a point, by the hardware, or else by the embedded device.
fn loads(point: &Point) -> Option<(u64, u64)> {
    let counters = if point.hardware.is_empty() { &point.counters } else { &point.hardware };
    let count = |name: &str| counters.get(name).copied();
    Some((count("const_instructions").filter(|&n| n > 0)?, count("const_replays").unwrap_or(0)))
}

fn broadcast(record: &Record) -> (Verdict, String) {
    let of = |experiment: &str| record.experiment(experiment)?.series("constant")?.points.last();
    let found = of(COUNTS).or_else(|| of("rate")).and_then(|point| Some((point, loads(point)?)));
    let Some((point, (loads, replays))) = found else { return missing() };
    let each = loads as f64 * 32.0 / point.x.powi(2);
    let why = format!(
        "{replays} replays of {} constant loads of warps at {} bodies; {each:.2} loads serve a body's pull on the 32 threads of a warp",
        format::count(loads),
        format::number(point.x)
    );
    (if replays == 0 { Holds } else { DoesNotHold }, why)
}

fn works_well(record: &Record) -> (Verdict, String) {
    if is_modelled(record) {
        return only_a_gpu("time on the embedded device is modelled");
    }
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
    if is_modelled(record) {
        return only_a_gpu("the embedded device does one step after the other");
    }
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
        let rule = RULES.iter().find(|(known, _)| *known == id).unwrap().1;
        rule(&record)
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
    fn a_replay_is_no_broadcast() {
        let id = "bodies-are-broadcast-to-the-warp";
        let (verdict, why) = of(made(true, H200), id);
        assert!(verdict == Holds && why.contains("2.00 loads"), "{why}");
        let mut record = made(true, H200);
        record.experiments[0].series[0].points[1].hardware.insert("const_replays".into(), 7);
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
