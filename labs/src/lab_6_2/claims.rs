//! The source's claims on constant memory and its ray tracer, and this lab's verdicts.
//!
//! Enters: a record with its facts. Leaves: verdicts by rule.

use super::facts::{time_ratio, xs};
use super::scene::{MOST, SPHERES};
use crate::facts::point;
use crate::lab::Rule;
use crate::rules::{EQUAL, check, hardware, missing, uncounted};
use record::{Record, Verdict};

use Verdict::{DoesNotHold, Holds, HoldsInPart, NotShown};

/// By the claim's id in `labs/claims.toml`.
pub(super) const RULES: &[(&str, Rule)] = &[
    ("constant-memory-speeds-up-the-ray-tracer", speed),
    ("constant-traffic-is-a-sixteenth", traffic),
    ("constants-are-fetched-once", cached),
    ("spheres-that-fit-in-64-kib", limit),
];

/// Times from global memory over times from constant memory: the source's kernel by the side of the picture, and kernels
/// that take any number of spheres by their number.
fn ratios(record: &Record) -> Option<[Vec<f64>; 2]> {
    let of = |experiment, global, constant| -> Option<Vec<f64>> {
        let all =
            xs(record, experiment).into_iter().map(|x| time_ratio(record, experiment, x, global, constant));
        all.collect::<Option<Vec<_>>>().filter(|all| !all.is_empty())
    };
    Some([of("picture", "source-global", "source-constant")?, of("spheres", "global", "constant")?])
}

fn speed(record: &Record) -> (Verdict, String) {
    let Some([source, counted]) = ratios(record) else { return missing() };
    let least = |of: &[f64]| of.iter().copied().fold(f64::INFINITY, f64::min);
    let most = |of: &[f64]| of.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let range = |of: &[f64]| format!("{:.0} to {:.0} %", 100.0 * least(of), 100.0 * most(of));
    let said = format!(
        "time from global memory, of that from constant memory: {} for the source's kernel, by the size of the picture; {} where the number of spheres is given at run time, by that number",
        range(&source),
        range(&counted)
    );
    let all: Vec<f64> = [source, counted].concat();
    match (least(&all) > 1.0 + EQUAL, most(&all) > 1.0 + EQUAL) {
        (true, _) => (Holds, said),
        (false, true) => (HoldsInPart, said),
        (false, false) => (DoesNotHold, said),
    }
}

fn traffic(record: &Record) -> (Verdict, String) {
    let few = SPHERES as f64;
    let (Some(constant), Some(global)) =
        (point(record, "spheres", "constant", few), point(record, "spheres", "global", few))
    else {
        return missing();
    };
    let count = |name| hardware(global, name);
    let (Some(requests), Some(sectors), Some(replays)) =
        (count("global_load_requests"), count("global_load_sectors"), hardware(constant, "const_replays"))
    else {
        return uncounted();
    };
    if requests == 0 {
        return missing();
    }
    let each = sectors as f64 / requests as f64;
    let said = format!(
        "from global memory a warp's load of one address is one request for {each:.2} sectors of 32 bytes, whatever its 32 threads; from constant memory it is one request with {replays} replays"
    );
    // A sixteenth would need a global load of 16 times as many transactions as one broadcast.
    if each <= 2.0 {
        (DoesNotHold, said)
    } else if each < 16.0 {
        (HoldsInPart, said)
    } else {
        (Holds, said)
    }
}

fn cached(record: &Record) -> (Verdict, String) {
    let counts = xs(record, "spheres");
    let rate = |series, x: f64| point(record, "spheres", series, x).map(|p| p.y);
    let (Some(&most), true) = (counts.last(), counts.contains(&100.0)) else { return missing() };
    let [Some(few), Some(many)] = [100.0, most].map(|x| rate("constant", x)) else { return missing() };
    let [Some(few_global), Some(many_global)] = [100.0, most].map(|x| rate("global", x)) else {
        return missing();
    };
    if most < 1000.0 {
        return missing();
    }
    let bytes = |count: f64| render::format::bytes(28 * count as u64);
    let said = format!(
        "a test of a ray against a sphere takes {:.0} % of the time with {} spheres ({}) that it takes with 100 ({}); from global memory {:.0} %",
        100.0 * few / many,
        render::format::number(most),
        bytes(most),
        bytes(100.0),
        100.0 * few_global / many_global
    );
    if few / many > 1.0 + EQUAL {
        (HoldsInPart, format!("{said}: what the first cache does not hold is fetched again and again"))
    } else {
        (Holds, said)
    }
}

fn limit(record: &Record) -> (Verdict, String) {
    let passed = |id| check(record, id).map(|check| check.passed);
    let spheres = |n| render::format::count(n as u64);
    match (passed("most/rays-constant"), passed("one-too-many")) {
        (Some(true), Some(true)) => (
            Holds,
            format!(
                "a picture of {} spheres from constant memory is right, and {} are refused",
                spheres(MOST),
                spheres(MOST + 1)
            ),
        ),
        (Some(true), Some(false)) => (DoesNotHold, format!("{} spheres are not refused", spheres(MOST + 1))),
        (Some(false), Some(_)) => (NotShown, format!("the picture of {} spheres is wrong", spheres(MOST))),
        _ => missing(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::facts::tests::{add, empty};
    use super::*;
    use ::tests::fixture;

    /// Times from global over times from constant memory: of the source's kernel, with 100 spheres and with 2,000.
    fn record(measured: bool, source: f64, few: f64, many: f64, sectors: u64) -> Record {
        let mut record = empty(measured);
        add(&mut record, "picture", "source-constant", (1024.0, 100.0 * source), &[]);
        add(&mut record, "picture", "source-global", (1024.0, 100.0), &[]);
        let loads = [("global_load_requests", 1000), ("global_load_sectors", sectors)];
        for (x, ratio) in [(20.0, few), (100.0, few), (2000.0, many)] {
            add(&mut record, "spheres", "constant", (x, 100.0 * ratio), &[("const_instructions", 1000)]);
            add(&mut record, "spheres", "global", (x, 100.0), &loads);
        }
        if measured {
            let points =
                record.experiments.iter_mut().flat_map(|e| &mut e.series).flat_map(|s| &mut s.points);
            points.for_each(|point| point.hardware = point.counters.clone());
        }
        record
    }

    fn verdict(record: &Record, id: &str) -> Verdict {
        crate::claims::verdict(&super::super::LAB, record, id).0
    }

    #[test]
    fn constant_memory_must_be_faster_everywhere_or_holds_in_part_or_not() {
        let id = "constant-memory-speeds-up-the-ray-tracer";
        assert_eq!(verdict(&record(true, 1.5, 1.4, 1.2, 1000), id), Holds);
        assert_eq!(verdict(&record(true, 1.0, 1.4, 0.4, 1000), id), HoldsInPart);
        assert_eq!(verdict(&record(true, 1.03, 0.9, 0.4, 1000), id), DoesNotHold);
        assert_eq!(verdict(&record(false, 1.5, 1.4, 1.2, 1000), id), NotShown, "modelled");
    }

    #[test]
    fn traffic_is_what_the_hardware_counted() {
        let id = "constant-traffic-is-a-sixteenth";
        assert_eq!(verdict(&record(true, 1.0, 1.0, 1.0, 1000), id), DoesNotHold);
        assert_eq!(verdict(&record(true, 1.0, 1.0, 1.0, 4000), id), HoldsInPart);
        assert_eq!(verdict(&record(true, 1.0, 1.0, 1.0, 16000), id), Holds);
        let mut uncounted = record(true, 1.0, 1.0, 1.0, 1000);
        let points = uncounted.experiments.iter_mut().flat_map(|e| &mut e.series).flat_map(|s| &mut s.points);
        points.for_each(|point| point.hardware.clear());
        assert_eq!(verdict(&uncounted, id), NotShown);
        assert_eq!(verdict(&record(false, 1.0, 1.0, 1.0, 1000), id), NotShown, "its own rule");
    }

    #[test]
    fn a_cache_that_is_too_small_shows_in_the_time_of_many() {
        let id = "constants-are-fetched-once";
        assert_eq!(verdict(&record(true, 1.0, 1.0, 0.33, 1000), id), HoldsInPart);
        assert_eq!(verdict(&record(true, 1.0, 1.0, 0.98, 1000), id), Holds);
        assert_eq!(verdict(&record(false, 1.0, 1.0, 0.33, 1000), id), NotShown);
    }

    #[test]
    fn the_limit_holds_where_as_many_work_and_one_more_does_not() {
        let check = |id, passed| record::Check { passed, ..fixture::passed(id) };
        for (most, more, expected) in
            [(true, true, Holds), (true, false, DoesNotHold), (false, true, NotShown)]
        {
            let mut record = empty(true);
            record.checks = vec![check("most/rays-constant", most), check("one-too-many", more)];
            assert_eq!(verdict(&record, "spheres-that-fit-in-64-kib"), expected);
        }
    }

    #[test]
    fn a_record_without_the_points_shows_nothing() {
        for measured in [true, false] {
            for (id, rule) in RULES {
                assert_eq!(rule(&empty(measured)).0, NotShown, "{id}");
            }
        }
    }
}
