//! The judges: what the rules call by name.
//!
//! Enters: a record, its re-runs, a check of the rules. Leaves: how much of it holds, and why not all. They are pure: the
//! same case gets the same words.

use crate::compare::{Pair, Tally, close, pairs, points};
use crate::rules::{Check, Judge, Rules};
use crate::text;
use record::{Device, Fact, Parameter, Point, Record, Source, Verdict};
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// All that is known of a record.
pub(crate) struct Case<'a> {
    pub(crate) rules: &'a Rules,
    pub(crate) record: &'a Record,
    /// The re-run with the record's parameters, or why there is none.
    pub(crate) same: Result<&'a Record, &'a str>,
    /// The re-run with the instructor's seed, or why there is none.
    pub(crate) seeded: Result<&'a Record, &'a str>,
    /// Facts and claims that the lab finds in the record's own points, or why it finds none.
    pub(crate) derived: Result<&'a Derived, &'a str>,
    /// How many other students' files hold the same run.
    pub(crate) twins: usize,
}

/// What a lab makes of a record's points.
pub(crate) struct Derived {
    pub(crate) facts: BTreeMap<String, Fact>,
    /// By the claim's id.
    pub(crate) verdicts: Vec<(&'static str, Verdict)>,
}

/// What a judge says.
#[derive(Debug)]
pub(crate) struct Finding {
    pub(crate) outcome: Outcome,
    /// Safe to show.
    pub(crate) why: String,
}

/// How much of a check holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// So many of so many parts.
    Part(usize, usize),
    /// It could not be found out: no points.
    Open,
    /// It is not about this record: its points are not asked for.
    Beside,
}

impl Outcome {
    pub(crate) fn is_whole(self) -> bool {
        match self {
            Outcome::Part(good, of) => good == of && of > 0,
            Outcome::Open => false,
            Outcome::Beside => true,
        }
    }
}

fn tallied(tally: &Tally, things: &str) -> Finding {
    Finding { outcome: Outcome::Part(tally.good, tally.of), why: tally.told(things) }
}

fn open(why: &str) -> Finding {
    Finding { outcome: Outcome::Open, why: why.to_owned() }
}

fn beside(why: &str) -> Finding {
    Finding { outcome: Outcome::Beside, why: why.to_owned() }
}

fn yes(good: bool, why: impl Into<String>) -> Finding {
    Finding { outcome: Outcome::Part(usize::from(good), 1), why: why.into() }
}

/// What the check's judge says to the case.
pub(crate) fn judge(case: &Case<'_>, check: &Check) -> Finding {
    match check.judge {
        Judge::Record => yes(true, "it holds together"),
        Judge::Kernels => kernels(case),
        Judge::Work => work(case),
        Judge::Checks => checks(case),
        Judge::Rerun => rerun(case, case.same),
        Judge::Seed => rerun(case, case.seeded),
        Judge::Counters => counters(case, check),
        Judge::Hardware => hardware(case, check),
        Judge::Times => times(case),
        Judge::Facts => facts(case, check),
        Judge::Claims => claims(case),
        Judge::OwnWork => match case.twins {
            0 => yes(true, "no other student handed in the same run"),
            1 => yes(false, "a file of another student holds the same run"),
            n => yes(false, format!("{n} files of other students hold the same run")),
        },
    }
}

/// Hashes against the workbook's; the list against the re-run's, where there is one.
fn kernels(case: &Case<'_>) -> Finding {
    // Hashing them takes longer than all other judges together.
    static OURS: LazyLock<BTreeMap<&str, [String; 2]>> = LazyLock::new(|| {
        kernels::all().iter().map(|source| (source.file, [source.cu_sha256(), source.ptx_sha256()])).collect()
    });
    let mut tally = Tally::default();
    for kernel in &case.record.kernels {
        let wrong = match OURS.get(kernel.file.as_str()) {
            None => Some(format!("{} is none of the workbook's", text::code(&kernel.file))),
            Some([cu, _]) if !cu.eq_ignore_ascii_case(&kernel.cu_sha256) => {
                Some(format!("{} was edited", text::code(&kernel.file)))
            }
            Some([_, ptx]) if !ptx.eq_ignore_ascii_case(&kernel.ptx_sha256) => {
                Some(format!("{} is the workbook's, its PTX is not", text::code(&kernel.file)))
            }
            Some(_) => None,
        };
        tally.add(wrong);
    }
    if let Ok(same) = case.same {
        for kernel in &same.kernels {
            if !case.record.kernels.iter().any(|theirs| theirs.file == kernel.file) {
                tally.add(Some(format!("{} is missing", text::code(&kernel.file))));
            }
        }
    }
    if tally.of == 0 {
        return yes(false, "the record names no kernel");
    }
    tallied(&tally, "kernel files")
}

/// Parameters and launches against the re-run's.
fn work(case: &Case<'_>) -> Finding {
    let ours = match case.same {
        Ok(ours) => ours,
        Err(why) => return open(why),
    };
    let mut tally = Tally::default();
    if case.record.device.source() == Source::Modelled {
        let same = case.record.device == ours.device;
        tally.add((!same).then(|| "the chip is described otherwise".to_owned()));
    }
    let (theirs, known) = (&case.record.parameters, &ours.parameters);
    for (name, value) in known {
        let same = theirs.get(name).is_some_and(|it| equal(it, value));
        tally.add((!same).then(|| format!("parameter {} is another in the re-run", text::code(name))));
    }
    for name in theirs.keys().filter(|name| !known.contains_key(*name)) {
        tally.add(Some(format!("the lab has no parameter {}", text::code(name))));
    }
    for Pair { place, theirs, ours } in pairs(case.record, ours) {
        let wrong = match (theirs, ours) {
            (Some(theirs), Some(ours)) if theirs.launch != ours.launch => Some("another launch"),
            (Some(theirs), Some(ours)) if theirs.operation != ours.operation => Some("another operation"),
            (Some(_), Some(_)) => None,
            (None, _) => Some("it is missing"),
            (_, None) => Some("the lab makes no such point"),
        };
        tally.add(wrong.map(|wrong| format!("{}: {wrong}", place.code())));
    }
    tallied(&tally, "parameters and points")
}

/// A whole number may be written as `1` or as `1.0`.
fn equal(a: &Parameter, b: &Parameter) -> bool {
    match (a, b) {
        (Parameter::Integer(i), Parameter::Number(n)) | (Parameter::Number(n), Parameter::Integer(i)) => {
            *i as f64 == *n
        }
        _ => a == b,
    }
}

/// The record's own checks. Those of the re-run must all be there; a GPU makes more where sizes are too large for a re-run.
fn checks(case: &Case<'_>) -> Finding {
    let mut tally = Tally::default();
    let theirs: BTreeMap<_, _> = case.record.checks.iter().map(|check| (check.id.as_str(), check)).collect();
    let failed = |check: &record::Check| {
        (!check.passed).then(|| format!("{} failed: {}", text::code(&check.id), text::code(&check.found)))
    };
    theirs.values().for_each(|check| tally.add(failed(check)));
    for check in case.same.iter().flat_map(|ours| &ours.checks) {
        if !theirs.contains_key(check.id.as_str()) {
            tally.add(Some(format!("{} is missing", text::code(&check.id))));
        }
    }
    if tally.of == 0 {
        return yes(false, "the record has no checks");
    }
    tallied(&tally, "checks passed")
}

/// A re-run's checks. What the record says of them is another judge's.
fn rerun(case: &Case<'_>, run: Result<&Record, &str>) -> Finding {
    let run = match run {
        Ok(run) => run,
        Err(why) => return open(why),
    };
    let mut tally = Tally::default();
    for check in &run.checks {
        let failed = format!("{} failed: {}", text::code(&check.id), text::code(&check.found));
        tally.add((!check.passed).then_some(failed));
    }
    let mut finding = tallied(&tally, "checks passed in the re-run");
    let others =
        case.record.checks.iter().filter(|check| run.checks.iter().all(|ours| ours.id != check.id)).count();
    if others > 0 {
        finding.why += &format!("; {others} of the record's are not made in a re-run");
    }
    finding
}

fn count(counters: &record::Counters, name: &str) -> u64 {
    // As in Nsight Compute: what is not listed did not happen.
    counters.get(name).copied().unwrap_or(0)
}

/// The record's counters against the re-run's, point by point.
fn counters(case: &Case<'_>, check: &Check) -> Finding {
    let ours = match case.same {
        Ok(ours) => ours,
        Err(why) => return open(why),
    };
    let mut tally = Tally::default();
    for Pair { place, theirs, ours } in pairs(case.record, ours) {
        let Some(ours) = ours else {
            tally.add(Some(format!("{}: the lab makes no such point", place.code())));
            continue;
        };
        let Some(theirs) = theirs else {
            if ours.counters.keys().any(|name| check.is_about(name)) {
                tally.add(Some(format!("{} is missing", place.code())));
            }
            continue;
        };
        let mut names: Vec<_> = ours.counters.keys().chain(theirs.counters.keys()).collect();
        names.retain(|name| check.is_about(name));
        names.sort();
        names.dedup();
        if names.is_empty() {
            continue;
        }
        let other = names.iter().find(|name| count(&theirs.counters, name) != count(&ours.counters, name));
        tally.add(other.map(|name| {
            format!(
                "{}: {} is {} in the record and {} in the re-run",
                place.code(),
                text::code(name),
                count(&theirs.counters, name),
                count(&ours.counters, name)
            )
        }));
    }
    if tally.of == 0 {
        return beside("this lab counts nothing");
    }
    tallied(&tally, "points count the same")
}

/// What the GPU's own counters say, against the re-run's.
fn hardware(case: &Case<'_>, check: &Check) -> Finding {
    if points(case.record).all(|(_, point, _)| point.hardware.is_empty()) {
        return beside("Nsight Compute was not asked");
    }
    if case.record.device.source() == Source::Modelled {
        return yes(false, "the embedded device has no counters of Nsight Compute");
    }
    let ours = match case.same {
        Ok(ours) => ours,
        Err(why) => return open(why),
    };
    let mut tally = Tally::default();
    for Pair { place, theirs, ours } in pairs(case.record, ours) {
        let (Some(theirs), Some(ours)) = (theirs, ours) else { continue };
        if ours.counters.is_empty() {
            // Too large for a re-run.
            continue;
        }
        let mut counted = theirs.hardware.iter().filter(|(name, _)| check.is_about(name)).peekable();
        if counted.peek().is_none() {
            continue;
        }
        let other = counted.find(|(name, value)| count(&ours.counters, name) != **value);
        tally.add(other.map(|(name, value)| {
            format!(
                "{}: {} is {value} on the GPU and {} in the re-run",
                place.code(),
                text::code(name),
                count(&ours.counters, name)
            )
        }));
    }
    if tally.of == 0 {
        return beside("Nsight Compute was not asked for these counters");
    }
    tallied(&tally, "points count the same on the GPU")
}

/// Modelled times are computed, so they can be computed again; of measured ones some cannot be.
fn times(case: &Case<'_>) -> Finding {
    let ours = match case.same {
        Ok(ours) => ours,
        Err(why) => return open(why),
    };
    match case.record.device {
        Device::Simt { .. } => modelled_times(case, ours),
        Device::Gpu { .. } => measured_times(case, ours),
    }
}

fn modelled_times(case: &Case<'_>, ours: &Record) -> Finding {
    let tolerance = case.rules.tolerance;
    let median = |point: &Point| point.time.as_ref().map(|time| time.median_ns);
    let mut tally = Tally::default();
    for Pair { place, theirs, ours } in pairs(case.record, ours) {
        let (Some(theirs), Some(ours)) = (theirs, ours) else {
            tally.add(Some(format!("{} is in one of the two alone", place.code())));
            continue;
        };
        let same_time = match (median(theirs), median(ours)) {
            (Some(a), Some(b)) => close(a, b, tolerance),
            (a, b) => a == b,
        };
        let wrong = if !same_time {
            Some(format!("{}: the time is not the model's", place.code()))
        } else if !close(theirs.y, ours.y, tolerance) {
            Some(format!("{}: {} in the record and {} in the re-run", place.code(), theirs.y, ours.y))
        } else {
            None
        };
        tally.add(wrong);
    }
    tallied(&tally, "points are the model's")
}

fn measured_times(case: &Case<'_>, ours: &Record) -> Finding {
    let plausible = &case.rules.plausible;
    let units: BTreeMap<_, _> =
        case.record.experiments.iter().map(|e| (e.id.as_str(), e.y.unit.as_str())).collect();
    let mut tally = Tally::default();
    let (mut timed, mut still) = (0usize, 0usize);
    for Pair { place, theirs, ours } in pairs(case.record, ours) {
        let Some(theirs) = theirs else { continue };
        let Some(time) = &theirs.time else { continue };
        timed += 1;
        still += usize::from(time.calls > 1 && time.min_ns == time.max_ns);
        let modelled = ours.and_then(|ours| Some((ours.time.as_ref()?.median_ns, ours.y)));
        let rate = units.get(place.experiment()).is_some_and(|unit| unit.ends_with("/s"));
        let wrong = if modelled.is_some_and(|(ns, _)| close(time.median_ns, ns, case.rules.tolerance)) {
            Some("the time is the model's, to the last digit".to_owned())
        } else if theirs.launch.is_some() && time.min_ns < plausible.least_ns {
            Some(format!("{} ns is shorter than any launch", time.min_ns))
        } else if time.calls < plausible.least_calls {
            Some(format!("{} calls are fewer than any lab counts", time.calls))
        } else if time.iqr_ns > time.max_ns - time.min_ns {
            Some("half of the times lie further apart than all of them".to_owned())
        } else if rate && modelled.is_some_and(|(ns, y)| !close(theirs.y * time.median_ns, y * ns, 1e-6)) {
            // A rate is work over time, and the work is the re-run's.
            Some(format!("{} does not follow from {} ns", theirs.y, time.median_ns))
        } else {
            None
        };
        tally.add(wrong.map(|wrong| format!("{}: {wrong}", place.code())));
    }
    if timed > 1 && still as f64 > plausible.most_without_spread * timed as f64 {
        tally.good = 0;
        return Finding {
            outcome: Outcome::Part(0, tally.of),
            why: format!("{still} of {timed} points repeat to the nanosecond, which no GPU does"),
        };
    }
    if tally.of == 0 {
        return beside("nothing was timed");
    }
    tallied(&tally, "points have times that a GPU can have")
}

/// Facts against what the lab computes from the record's points.
fn facts(case: &Case<'_>, check: &Check) -> Finding {
    let derived = match case.derived {
        Ok(derived) => &derived.facts,
        Err(why) => return open(why),
    };
    let theirs = &case.record.facts;
    let mut tally = Tally::default();
    for (name, ours) in derived.iter().filter(|(name, _)| check.is_about(name)) {
        let wrong = match theirs.get(name) {
            None => Some(format!("{} is missing", text::code(name))),
            Some(theirs) if !close(theirs.value, ours.value, case.rules.tolerance) => {
                Some(format!("{} is {} and would be {}", text::code(name), theirs.value, ours.value))
            }
            Some(theirs) if theirs.unit != ours.unit => {
                Some(format!("{} has another unit", text::code(name)))
            }
            Some(_) => None,
        };
        tally.add(wrong);
    }
    for name in theirs.keys().filter(|name| check.is_about(name) && !derived.contains_key(*name)) {
        tally.add(Some(format!("{} follows from nothing", text::code(name))));
    }
    if tally.of == 0 {
        return beside("this lab states no facts");
    }
    tallied(&tally, "facts")
}

/// Verdicts against those that the lab's rules find in the record's points.
fn claims(case: &Case<'_>) -> Finding {
    let derived = match case.derived {
        Ok(derived) => &derived.verdicts,
        Err(why) => return open(why),
    };
    let mut tally = Tally::default();
    for (id, ours) in derived {
        let wrong = match case.record.claims.iter().find(|theirs| theirs.id == *id) {
            None => Some(format!("{} is missing", text::code(id))),
            Some(theirs) if theirs.verdict != *ours => Some(format!(
                "{}: the record says “{}”, its points say “{}”",
                text::code(id),
                words(theirs.verdict),
                words(*ours)
            )),
            Some(_) => None,
        };
        tally.add(wrong);
    }
    for theirs in &case.record.claims {
        if !derived.iter().any(|(id, _)| *id == theirs.id) {
            tally.add(Some(format!("the lab has no claim {}", text::code(&theirs.id))));
        }
    }
    if tally.of == 0 {
        return beside("this lab tests no claims");
    }
    tallied(&tally, "verdicts")
}

fn words(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Holds => "holds",
        Verdict::HoldsInPart => "holds in part",
        Verdict::DoesNotHold => "does not hold",
        Verdict::NotShown => "not shown",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::tests::laid;
    use proptest::prelude::*;
    use record::Timing;
    use render::fixture::{measured, modelled};
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

    /// What the judges say of `theirs` beside `ours`, by the check's id.
    fn judged(theirs: &Record, ours: Option<&Record>) -> BTreeMap<String, Finding> {
        let rules = laid("").unwrap();
        let derived = ours.map(|ours| Derived {
            facts: ours.facts.clone(),
            verdicts: vec![
                ("broadcast", Verdict::HoldsInPart),
                ("linear", Verdict::Holds),
                ("constant-cache-64-kb", Verdict::DoesNotHold),
                ("faster", Verdict::NotShown),
            ],
        });
        let case = Case {
            rules: &rules,
            record: theirs,
            same: ours.ok_or("no time"),
            seeded: ours.ok_or("no time"),
            derived: derived.as_ref().ok_or("nothing"),
            twins: 0,
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
            ("fact", changed(|r| r.facts.values_mut().for_each(|f| f.value *= 2.0))),
            ("verdict", changed(|r| r.claims[1].verdict = Verdict::DoesNotHold)),
            ("claims", changed(|r| drop(r.claims.remove(0)))),
        ]);
    }

    #[test]
    fn a_check_that_fails_when_run_again_is_told() {
        let theirs = good(modelled());
        let mut ours = theirs.clone();
        ours.checks[0].passed = false;
        let [rerun, seed] = lost(&theirs, &ours).try_into().unwrap();
        assert!(rerun.starts_with("rerun: 1 of 2 checks") && seed.starts_with("seed: 1 of 2 checks"));
    }

    #[test]
    fn without_a_re_run_what_needs_one_is_open() {
        let judged = judged(&good(modelled()), None);
        let open: Vec<_> =
            judged.iter().filter(|(_, f)| f.outcome == Outcome::Open).map(|(id, _)| &**id).collect();
        assert_eq!(open, ["claims", "counters", "facts", "rerun", "seed", "times", "work"]);
    }

    /// A measured record beside the re-run, which is modelled.
    fn timed(change: impl Fn(&mut Timing)) -> Vec<String> {
        let (mut theirs, mut ours) = (good(measured()), good(modelled()));
        ours.facts = theirs.facts.clone();
        ours.device = theirs.device.clone();
        for point in theirs.experiments.iter_mut().flat_map(|e| &mut e.series).flat_map(|s| &mut s.points) {
            change(point.time.as_mut().unwrap());
        }
        lost(&theirs, &ours)
    }

    #[test]
    fn times_that_no_gpu_has_are_told() {
        assert_eq!(timed(|_| {}), Vec::<String>::new());
        for (told, part) in [
            (timed(|t| t.calls = 3), "3 calls are fewer"),
            (timed(|t| (t.min_ns, t.max_ns) = (t.median_ns, t.median_ns)), "repeat to the nanosecond"),
            (
                timed(|t| (t.median_ns, t.min_ns) = (t.median_ns / 2.0, t.min_ns / 2.0)),
                "does not follow from",
            ),
            (timed(|t| t.min_ns = 1.0), "1 ns is shorter than any launch"),
            (timed(|t| t.iqr_ns = t.max_ns), "lie further apart"),
        ] {
            assert!(told.len() == 1 && told[0].starts_with("times") && told[0].contains(part), "{told:?}");
        }
    }

    #[test]
    fn modelled_times_sold_as_measured_are_told() {
        let ours = good(modelled());
        let mut theirs = ours.clone();
        theirs.device = measured().device;
        let judged = judged(&theirs, Some(&ours));
        assert!(!judged["times"].outcome.is_whole(), "{:?}", judged["times"]);
        assert!(judged["times"].why.contains("to the last digit"), "{:?}", judged["times"]);
    }

    /// Every place in the record's JSON.
    fn places(value: &Value, at: String, all: &mut Vec<String>) {
        all.push(at.clone());
        match value {
            Value::Object(fields) => {
                fields
                    .iter()
                    .for_each(|(name, v)| places(v, format!("{at}/{}", name.replace('/', "~1")), all));
            }
            Value::Array(items) => {
                items.iter().enumerate().for_each(|(i, v)| places(v, format!("{at}/{i}"), all));
            }
            _ => {}
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

        /// Whatever becomes of a record, it is refused or judged, and a whole judgement means that nothing that is
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
            if let Ok(theirs) = crate::intake::parse(json.to_string().as_bytes()) {
                let judged = judged(&theirs, Some(&ours));
                for finding in judged.values() {
                    prop_assert!(!finding.why.chars().any(char::is_control), "{:?}", finding.why);
                }
                let whole = judged.values().all(|finding| finding.outcome.is_whole());
                if whole {
                    for (a, b) in crate::compare::points(&theirs).zip(crate::compare::points(&ours)) {
                        // What is not listed counts as 0.
                        let counted = |p: &Point| p.counters.clone().into_iter().filter(|c| c.1 > 0).collect::<Vec<_>>();
                        prop_assert_eq!(counted(a.1), counted(b.1));
                        prop_assert!(close(a.1.y, b.1.y, 1e-9));
                    }
                }
            }
        }
    }
}
