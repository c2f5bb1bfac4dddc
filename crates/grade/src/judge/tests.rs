//! Judges over records that were changed in one place.

use super::*;
use crate::rules::tests::laid;
use ::tests::fixture::{measured, modelled};
use labs::Relation;
use proptest::prelude::*;
use record::{Point, Verdict};
use serde_json::Value;

/// The fixture with the workbook's kernels, so that nothing is wrong with it.
fn good(mut record: Record) -> Record {
    for kernel in &mut record.kernels {
        kernel.file = kernels::STENCIL.file.to_owned();
        kernel.cu_sha256 = kernels::STENCIL.cu_sha256();
        kernel.ptx_sha256 = kernels::STENCIL.ptx_sha256();
    }
    record.checks.iter_mut().for_each(|check| check.passed = true);
    for experiment in &mut record.experiments {
        for point in experiment.series.iter_mut().flat_map(|series| &mut series.points) {
            let Some(time) = &mut point.time else { continue };
            if experiment.y.unit.ends_with("/s") {
                // So that the rates of both fixtures follow from the same work.
                let work = f64::from(1 << 27);
                (point.y, point.y_min, point.y_max) =
                    (work / time.median_ns, work / time.max_ns, work / time.min_ns);
            } else {
                // The fixtures have the time of one load here, and a launch makes thousands.
                let Timing { median_ns, mean_ns, min_ns, max_ns, iqr_ns, .. } = time;
                for ns in [median_ns, mean_ns, min_ns, max_ns, iqr_ns] {
                    *ns *= 1000.0;
                }
            }
        }
    }
    record
}

fn relation(unit: &str, point: &Point) -> Relation {
    match &point.time {
        Some(time) if unit.ends_with("/s") => Relation::Rate(point.y * time.median_ns),
        Some(time) => Relation::Time(time.median_ns / point.y),
        None => Relation::Counted,
    }
}

/// A re-run with this record. The rates of the fixtures are of one amount of work, their other times are the points'
/// own.
fn answer(record: &Record) -> Answer {
    let relations = points(record).map(|(_, point, unit)| relation(unit, point)).collect();
    Answer { record: record.clone(), relations, left_out: vec![], instructions: 1 }
}

/// Findings of the judges on `theirs` with `ours` as the re-run, by the check's id. Derived facts are those of `ours`.
fn judged(theirs: &Record, ours: Option<&Record>) -> BTreeMap<String, Finding> {
    let rules = laid("").unwrap();
    let answer = ours.map(answer);
    let case = Case {
        rules: &rules,
        record: theirs,
        same: answer.as_ref().ok_or("no time"),
        seeded: answer.as_ref().ok_or("no time"),
        derived: ours.ok_or("nothing"),
        figures: ours.map(|ours| ours.traces.as_slice()).ok_or("nothing"),
        own_seed: OwnSeed::NotAsked,
    };
    rules.checks(None).map(|(check, _)| (check.id.clone(), judge(&case, check))).collect()
}

/// The checks of which `theirs` loses something, each with the judge's words.
fn lost(theirs: &Record, ours: &Record) -> Vec<String> {
    let judged = judged(theirs, Some(ours));
    let lost = judged.iter().filter(|(_, finding)| !finding.outcome.is_whole());
    lost.map(|(id, finding)| format!("{id}: {}", finding.why)).collect()
}

fn changed(change: impl FnOnce(&mut Record)) -> Vec<String> {
    let ours = good(modelled());
    let mut theirs = ours.clone();
    change(&mut theirs);
    lost(&theirs, &ours)
}

#[test]
fn a_record_that_the_re_run_repeats_loses_nothing() {
    assert_eq!(changed(|_| {}), Vec::<String>::new());
}

#[test]
fn what_was_altered_is_named_with_its_place() {
    let point = |record: &mut Record, change: fn(&mut Point)| {
        change(&mut record.experiments[0].series[0].points[0]);
    };
    insta::assert_debug_snapshot!([
        ("counter", changed(|r| point(r, |p| p.counters.values_mut().for_each(|v| *v += 1)))),
        ("no counters", changed(|r| point(r, |p| p.counters.clear()))),
        ("value", changed(|r| point(r, |p| (p.y, p.y_max) = (p.y * 2.0, p.y * 2.0)))),
        ("launch", changed(|r| point(r, |p| p.launch.as_mut().unwrap().grid[1] = 2))),
        ("hardware", changed(|r| point(r, |p| p.hardware = p.counters.clone()))),
        ("fewer points", changed(|r| r.experiments.truncate(3))),
        ("parameter", changed(|r| drop(r.parameters.insert("elements".into(), Parameter::Integer(7))))),
        ("kernel", changed(|r| r.kernels[0].cu_sha256 = "0".repeat(64))),
        ("ptx", changed(|r| r.kernels[0].ptx_sha256 = "0".repeat(64))),
        ("no kernels", changed(|r| r.kernels.clear())),
        ("failed check", changed(|r| r.checks[1].passed = false)),
        ("no checks", changed(|r| r.checks.clear())),
        ("output", changed(|r| r.checks[0].outputs[1] = "0".repeat(16))),
        ("no outputs", changed(|r| r.checks[0].outputs.clear())),
        ("more outputs", changed(|r| r.checks[0].outputs.push("0".repeat(16)))),
        ("what was found", changed(|r| r.checks[0].found = "all right".into())),
        ("what was looked at", changed(|r| r.checks[0].what = "something".into())),
        ("unit", changed(|r| r.experiments[0].y.unit.push(' '))),
        ("title", changed(|r| r.experiments[0].title.push('!'))),
        ("label", changed(|r| r.experiments[0].series[0].label.push('!'))),
        ("spread", changed(|r| point(r, |p| p.time.as_mut().unwrap().iqr_ns += 1.0))),
        ("calls", changed(|r| point(r, |p| p.time.as_mut().unwrap().calls += 1))),
        ("figure", changed(|r| r.traces[0].title.push('!'))),
        ("reason", changed(|r| r.claims[1].why.push('!'))),
        ("fact in words", changed(|r| r.facts.values_mut().for_each(|f| f.what.push('!')))),
        ("fact", changed(|r| r.facts.values_mut().for_each(|f| f.value *= 2.0))),
        ("verdict", changed(|r| r.claims[1].verdict = Verdict::DoesNotHold)),
        ("claims", changed(|r| drop(r.claims.remove(0)))),
    ]);
}

#[test]
fn a_check_that_fails_when_run_again_is_reported() {
    let theirs = good(modelled());
    let mut ours = theirs.clone();
    ours.checks[0].passed = false;
    let reported = lost(&theirs, &ours);
    assert_eq!(reported.len(), 3, "{reported:?}");
    assert!(
        reported[0].starts_with("outputs: 1 of 2 checks") && reported[0].contains("finds the opposite"),
        "{reported:?}"
    );
    assert!(
        reported[1].starts_with("rerun: 1 of 2 checks") && reported[2].starts_with("seed: 1 of 2 checks")
    );
}

#[test]
fn without_a_re_run_what_needs_one_is_open() {
    let judged = judged(&good(modelled()), None);
    let open: Vec<_> =
        judged.iter().filter(|(_, f)| f.outcome == Outcome::Open).map(|(id, _)| &**id).collect();
    assert_eq!(open, ["claims", "counters", "facts", "figures", "outputs", "rerun", "seed", "times", "work"]);
}

fn all_points(record: &mut Record) -> impl Iterator<Item = (String, &mut Point)> {
    record.experiments.iter_mut().flat_map(|experiment| {
        let unit = experiment.y.unit.clone();
        let points = experiment.series.iter_mut().flat_map(|series| &mut series.points);
        points.map(move |point| (unit.clone(), point))
    })
}

/// Makes a point's work take this many times as long.
fn slow(unit: &str, point: &mut Point, by: f64) {
    let time = point.time.as_mut().unwrap();
    let Timing { median_ns, mean_ns, min_ns, max_ns, iqr_ns, .. } = time;
    for ns in [median_ns, mean_ns, min_ns, max_ns, iqr_ns] {
        *ns *= by;
    }
    let by = if unit.ends_with("/s") { 1.0 / by } else { by };
    for y in [&mut point.y, &mut point.y_min, &mut point.y_max] {
        *y *= by;
    }
}

/// A measured record, with its times changed and the values that follow from them, next to the re-run, which is
/// modelled.
fn timed(change: impl Fn(&mut Timing)) -> Vec<String> {
    timed_as(change, true)
}

fn timed_as(change: impl Fn(&mut Timing), values_follow: bool) -> Vec<String> {
    let (mut theirs, mut ours) = (good(measured()), good(modelled()));
    ours.facts = theirs.facts.clone();
    ours.claims = theirs.claims.clone();
    ours.device = theirs.device.clone();
    for (i, (unit, point)) in all_points(&mut theirs).enumerate() {
        // A GPU is not a multiple of the model.
        slow(&unit, point, 1.0 + i as f64 / 500.0);
        let relation = relation(&unit, point);
        let time = point.time.as_mut().unwrap();
        time.calls = 105;
        change(time);
        if values_follow {
            [point.y_min, point.y, point.y_max] = relation.expected(point).unwrap();
        }
    }
    lost(&theirs, &ours)
}

#[test]
fn times_that_no_gpu_has_are_reported() {
    assert_eq!(timed(|_| {}), Vec::<String>::new());
    for (reported, part) in [
        (timed(|t| t.calls = 16), "16 calls: a lab makes a multiple of 15"),
        (timed(|t| t.calls = 315), "at most 300"),
        (timed(|t| t.mean_ns = t.max_ns), "its mean cannot be"),
        (timed(|t| (t.min_ns, t.max_ns) = (t.median_ns, t.median_ns)), "repeat to the nanosecond"),
        (
            timed_as(|t| (t.median_ns, t.min_ns) = (t.median_ns / 2.0, t.min_ns / 2.0), false),
            "does not follow from",
        ),
        (timed_as(|t| t.max_ns *= 2.0, false), "does not follow from"),
        (timed(|t| t.min_ns = 1.0), "1 ns is shorter than any launch"),
        (timed(|t| t.iqr_ns = t.max_ns), "are further apart"),
    ] {
        assert!(
            reported.len() == 1 && reported[0].starts_with("times") && reported[0].contains(part),
            "{reported:?}"
        );
    }
}

#[test]
fn modelled_times_sold_as_measured_are_reported() {
    let ours = good(modelled());
    for (by, part) in [(1.0, "the model's times 1"), (50.0, "the model's times 50")] {
        let mut theirs = ours.clone();
        theirs.device = measured().device;
        let judged_as_they_are = judged(&theirs, Some(&ours));
        assert!(
            judged_as_they_are["times"].why.contains("repeat to the nanosecond"),
            "{judged_as_they_are:?}"
        );
        for (unit, point) in all_points(&mut theirs) {
            slow(&unit, point, by);
            let time = point.time.as_mut().unwrap();
            time.calls = 15;
            time.max_ns *= 1.01;
        }
        let judged = judged(&theirs, Some(&ours));
        assert!(judged["times"].outcome == Outcome::Part(0, points(&ours).count()), "{:?}", judged["times"]);
        assert!(judged["times"].why.contains(part), "{:?}", judged["times"]);
    }
}

#[test]
fn a_point_of_a_gpu_without_its_time_is_reported() {
    let ours = good(modelled());
    let mut theirs = good(measured());
    all_points(&mut theirs).for_each(|(_, point)| point.time = None);
    let times = &judged(&theirs, Some(&ours))["times"];
    assert!(times.outcome == Outcome::Part(0, points(&ours).count()), "{times:?}");
    assert!(times.why.contains("it has no time"), "{times:?}");
}

#[test]
fn a_course_that_gives_seeds_asks_for_the_student_s() {
    let (rules, mut record) = (laid("").unwrap(), good(modelled()));
    record.parameters.insert("seed".to_owned(), Parameter::Integer(17));
    let asked = |own_seed| {
        let case = Case {
            rules: &rules,
            record: &record,
            same: Err("no time"),
            seeded: Err("no time"),
            derived: Err("nothing"),
            figures: Err("nothing"),
            own_seed,
        };
        super::own_seed(&case).outcome
    };
    assert_eq!(asked(OwnSeed::NotAsked), Outcome::Beside);
    assert_eq!(asked(OwnSeed::Missing), Outcome::Open);
    assert_eq!(asked(OwnSeed::Given(17)), Outcome::Part(1, 1));
    assert_eq!(asked(OwnSeed::Given(18)), Outcome::Part(0, 1));
}

#[test]
fn a_record_without_a_right_output_was_not_run() {
    let ours = answer(&good(modelled()));
    let without = |change: fn(&mut Record)| {
        let (rules, mut record) = (laid("").unwrap(), ours.record.clone());
        change(&mut record);
        let case = Case {
            rules: &rules,
            record: &record,
            same: Ok(&ours),
            seeded: Ok(&ours),
            derived: Err("nothing"),
            figures: Err("nothing"),
            own_seed: OwnSeed::NotAsked,
        };
        is_without_a_run(&case)
    };
    assert!(!without(|_| {}));
    assert!(without(|record| record.checks.clear()));
    assert!(without(|record| record.checks.iter_mut().for_each(|check| check.outputs.clear())));
    assert!(without(|record| record.checks[0].outputs[0] = "0".repeat(16)));
}

/// Every place in the record's JSON.
fn places(value: &Value, at: String, all: &mut Vec<String>) {
    all.push(at.clone());
    match value {
        Value::Object(fields) => {
            fields.iter().for_each(|(name, v)| places(v, format!("{at}/{}", name.replace('/', "~1")), all));
        }
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(i, v)| places(v, format!("{at}/{i}"), all));
        }
        _ => {}
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    /// Any changed record is refused or judged, and a whole judgement means that nothing that is
    /// judged was changed.
    #[test]
    fn a_record_with_anything_in_it_changed_is_answered(
        at in any::<prop::sample::Index>(),
        with in prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<u64>().prop_map(Value::from),
            any::<f64>().prop_map(Value::from),
            any::<String>().prop_map(Value::from),
            Just(Value::Array(vec![])),
            Just(Value::Object(serde_json::Map::new())),
        ],
    ) {
        let ours = good(modelled());
        let mut json = serde_json::to_value(&ours).unwrap();
        let mut all = Vec::new();
        places(&json, String::new(), &mut all);
        let at = &all[at.index(all.len())];
        *json.pointer_mut(at).unwrap() = with;
        if let Ok(theirs) = crate::submissions::intake::parse(json.to_string().as_bytes()) {
            let judged = judged(&theirs, Some(&ours));
            for finding in judged.values() {
                prop_assert!(!finding.why.chars().any(char::is_control), "{:?}", finding.why);
            }
            let whole = judged.values().all(|finding| finding.outcome.is_whole());
            if whole {
                for (a, b) in crate::compare::points(&theirs).zip(crate::compare::points(&ours)) {
                    // Counters that are not listed count as 0.
                    let counted = |p: &Point| p.counters.clone().into_iter().filter(|c| c.1 > 0).collect::<Vec<_>>();
                    prop_assert_eq!(counted(a.1), counted(b.1));
                    prop_assert!(close(a.1.y, b.1.y, 1e-9));
                }
            }
        }
    }
}
