//! The judges, which the rules call by name.
//!
//! Enters: a record, its re-runs, a check of the rules. Leaves: how much of the check holds, and why not all of it.
//! Judges are pure functions: equal cases get equal words. `fields.toml` lists which judge covers which field of a
//! record.

mod measured;
#[cfg(test)]
mod tests;

use crate::compare::{Pair, Tally, close, pairs, points};
use crate::confined::edited::{self, OURS};
use crate::confined::rerun::Answer;
use crate::rules::{Check, Rules};
use crate::text;
use record::{Device, Experiment, Kernel, Parameter, Record, Series, TimeSource, Timing, Trace};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// A record with everything that judges need.
pub(crate) struct Case<'a> {
    pub(crate) rules: &'a Rules,
    pub(crate) record: &'a Record,
    /// The re-run with the record's parameters, or why there is none.
    pub(crate) same: Result<&'a Answer, &'a str>,
    /// The re-run with the instructor's seed, or why there is none.
    pub(crate) seeded: Result<&'a Answer, &'a str>,
    /// The record with the facts and claims that the lab finds in its points, or why it finds none.
    pub(crate) derived: Result<&'a Record, &'a str>,
    /// The figures that the lab draws, or why there are none.
    pub(crate) figures: Result<&'a [Trace], &'a str>,
    pub(crate) own_seed: OwnSeed,
}

/// Seed that the course gave the student.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum OwnSeed {
    /// The course gives no seeds.
    NotAsked,
    /// The course gives seeds, but none to this student.
    Missing,
    Given(u64),
}

/// Finding of a judge.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Finding {
    pub(crate) outcome: Outcome,
    /// Reason, escaped.
    pub(crate) why: String,
}

/// How much of a check holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Outcome {
    /// Number of parts that hold, and of all parts.
    Part(usize, usize),
    /// Undecided: no points.
    Open,
    /// Not applicable to this record: its points do not count.
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
    Finding { outcome: Outcome::Part(tally.good, tally.of), why: tally.reported(things) }
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

/// A judge: the name that rules use, and its function.
pub(crate) struct Judge {
    pub(crate) name: &'static str,
    /// Function from a case to a finding.
    finds: fn(&Case<'_>, &Check) -> Finding,
    /// Flag for a person to follow up if not all of it holds.
    flag: Flag,
}

/// A judge's flag.
enum Flag {
    None,
    /// `differs:CHECK`.
    Differs,
    Word(&'static str),
    /// A word for a check that does not hold, and another for one that is undecided.
    Words(&'static str, &'static str),
}

/// Judge of whether the student's own seed was used, which only some courses ask for.
pub(crate) const OWN_SEED: &str = "own-seed";
/// Judge of whether no other student handed in the same run, which takes more than one record.
pub(crate) const OWN_WORK: &str = "own-work";

static JUDGES: [Judge; 16] = [
    Judge { name: "record", finds: |_, _| yes(true, "it holds together"), flag: Flag::None },
    Judge { name: "kernels", finds: |case, _| kernels(case), flag: Flag::Word("edited-kernel") },
    Judge {
        name: "sources",
        finds: |case, _| sources(case),
        flag: Flag::Words("other-ptx", "not-recompiled"),
    },
    Judge { name: "work", finds: |case, _| work(case), flag: Flag::Differs },
    Judge { name: "checks", finds: |case, _| checks(case), flag: Flag::None },
    Judge { name: "outputs", finds: |case, _| outputs(case), flag: Flag::Differs },
    Judge { name: "rerun", finds: |case, _| rerun(case, case.same), flag: Flag::None },
    Judge { name: "seed", finds: |case, _| rerun(case, case.seeded), flag: Flag::None },
    Judge { name: OWN_SEED, finds: |case, _| own_seed(case), flag: Flag::Words("other-seed", "no-own-seed") },
    Judge { name: "counters", finds: counters, flag: Flag::Differs },
    Judge { name: "hardware", finds: hardware, flag: Flag::Differs },
    Judge { name: "times", finds: |case, _| times(case), flag: Flag::Differs },
    Judge { name: "figures", finds: |case, _| figures(case), flag: Flag::Differs },
    Judge { name: "facts", finds: facts, flag: Flag::Differs },
    Judge { name: "claims", finds: |case, _| claims(case), flag: Flag::Differs },
    Judge { name: OWN_WORK, finds: |_, _| own_work(&[]), flag: Flag::None },
];

/// Names of all judges.
pub(crate) fn names() -> Vec<&'static str> {
    JUDGES.iter().map(|judge| judge.name).collect()
}

/// Judge of a check. The rules have been checked to name no others.
fn of(check: &Check) -> Option<&'static Judge> {
    JUDGES.iter().find(|judge| judge.name == check.judge)
}

/// Finding of the check's judge on a case.
pub(crate) fn judge(case: &Case<'_>, check: &Check) -> Finding {
    of(check).map_or_else(|| open("there is no such judge"), |judge| (judge.finds)(case, check))
}

/// Flag for an outcome that a person should follow up.
pub(crate) fn flag(check: &Check, outcome: Outcome) -> Option<String> {
    let flag = &of(check)?.flag;
    match (flag, outcome) {
        (Flag::Words(_, open), Outcome::Open) => Some((*open).to_owned()),
        (_, Outcome::Open) => None,
        _ if outcome.is_whole() => None,
        (Flag::None, _) => None,
        (Flag::Differs, _) => Some(format!("differs:{}", check.id)),
        (Flag::Word(word) | Flag::Words(word, _), _) => Some((*word).to_owned()),
    }
}

/// Finding for a run that these files of other students hold too.
pub(crate) fn own_work(twins: &[&str]) -> Finding {
    match twins.len() {
        0 => yes(true, "no other student handed in the same run"),
        1 => yes(false, "a file of another student holds the same run"),
        n => yes(false, format!("{n} files of other students hold the same run")),
    }
}

/// Hashes against the workbook's; the list against the re-run's, where there is one.
fn kernels(case: &Case<'_>) -> Finding {
    let mut tally = Tally::default();
    for kernel in &case.record.kernels {
        let wrong = match OURS.get(kernel.file.as_str()) {
            None => Some(format!("{} is not one of the workbook's", text::code(&kernel.file))),
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
        for kernel in &same.record.kernels {
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

/// PTX of edited kernels against what their sources give in the re-run.
fn sources(case: &Case<'_>) -> Finding {
    let edited: Vec<&Kernel> = case.record.kernels.iter().filter(|kernel| !edited::is_ours(kernel)).collect();
    if edited.is_empty() {
        return beside("no kernel was edited");
    }
    let same = match case.same {
        Ok(same) => same,
        Err(why) => return open(why),
    };
    let (mut tally, mut why_not) = (Tally::default(), None);
    for kernel in edited {
        let file = text::code(&kernel.file);
        let compiled = edited::source(kernel).and_then(|_| {
            let again = same.record.kernels.iter().find(|again| again.file == kernel.file);
            again.ok_or_else(|| "the lab has no such kernel".to_owned())
        });
        match compiled {
            Ok(again) if again.ptx_sha256.eq_ignore_ascii_case(&kernel.ptx_sha256) => tally.add(None),
            Ok(again) => tally.add(Some(format!(
                "the PTX of {file} that ran (SHA-256 {}…) is not what the record's source gives ({}…): ask for the file, and run the lab with it",
                kernel.ptx_sha256.get(..8).unwrap_or_default(),
                again.ptx_sha256.get(..8).unwrap_or_default()
            ))),
            Err(why) => why_not = Some(format!("{file} was not compiled again: {why}; the re-run is of the workbook's kernel in its place")),
        }
    }
    match why_not {
        Some(why) if tally.good == tally.of => open(&why),
        _ => tallied(&tally, "edited kernels"),
    }
}

/// Parameters, experiments and launches against the re-run's.
fn work(case: &Case<'_>) -> Finding {
    let ours = match case.same {
        Ok(ours) => &ours.record,
        Err(why) => return open(why),
    };
    let mut tally = Tally::default();
    tally.add((case.record.lab != ours.lab).then(|| "it is of another lab".to_owned()));
    if case.record.device.source() == TimeSource::Modelled {
        let same = case.record.device == ours.device;
        tally.add((!same).then(|| "the chip is described differently".to_owned()));
    }
    let (theirs, known) = (&case.record.parameters, &ours.parameters);
    for (name, value) in known {
        let same = theirs.get(name).is_some_and(|it| equal(it, value));
        tally.add((!same).then(|| format!("parameter {} differs in the re-run", text::code(name))));
    }
    for name in theirs.keys().filter(|name| !known.contains_key(*name)) {
        tally.add(Some(format!("the lab has no parameter {}", text::code(name))));
    }
    for ours in &ours.experiments {
        let theirs = case.record.experiment(&ours.id);
        let wrong = theirs.map_or(Some("it is missing"), |theirs| described_otherwise(theirs, ours));
        tally.add(wrong.map(|wrong| format!("experiment {}: {wrong}", text::code(&ours.id))));
    }
    for theirs in case.record.experiments.iter().filter(|e| ours.experiment(&e.id).is_none()) {
        tally.add(Some(format!("the lab has no experiment {}", text::code(&theirs.id))));
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
    tallied(&tally, "parameters, experiments and points")
}

/// First part of an experiment's description that differs from the lab's. Its points are compared elsewhere.
fn described_otherwise(theirs: &Experiment, ours: &Experiment) -> Option<&'static str> {
    let Experiment { id: _, title, x, y, y_is, series } = theirs;
    let words = |series: &Vec<Series>| -> Vec<(String, String, bool)> {
        let of =
            |Series { id, label, reference, points: _ }: &Series| (id.clone(), label.clone(), *reference);
        series.iter().map(of).collect()
    };
    match () {
        () if *title != ours.title => Some("it has another title"),
        () if *x != ours.x => Some("its x axis has another label, unit or scale"),
        () if *y != ours.y => Some("its y axis has another label, unit or scale"),
        () if *y_is != ours.y_is => Some("its values are said to be of another origin"),
        () if words(series) != words(&ours.series) => Some("its series differ, or have other names"),
        () => None,
    }
}

/// Whether two parameters are equal. A whole number may be written as `1` or as `1.0`.
fn equal(a: &Parameter, b: &Parameter) -> bool {
    match (a, b) {
        (Parameter::Integer(i), Parameter::Number(n)) | (Parameter::Number(n), Parameter::Integer(i)) => {
            *i as f64 == *n
        }
        _ => a == b,
    }
}

/// The record's own checks. All of those of the re-run must be there; a GPU makes more if sizes are too large for a
/// re-run.
fn checks(case: &Case<'_>) -> Finding {
    let mut tally = Tally::default();
    let theirs: BTreeMap<_, _> = case.record.checks.iter().map(|check| (check.id.as_str(), check)).collect();
    let failed = |check: &record::Check| {
        (!check.passed).then(|| format!("{} failed: {}", text::code(&check.id), text::code(&check.found)))
    };
    theirs.values().for_each(|check| tally.add(failed(check)));
    for check in case.same.iter().flat_map(|ours| &ours.record.checks) {
        if !theirs.contains_key(check.id.as_str()) {
            tally.add(Some(format!("{} is missing", text::code(&check.id))));
        }
    }
    if tally.of == 0 {
        return yes(false, "the record has no checks");
    }
    tallied(&tally, "checks passed")
}

/// First difference between a check of the record and the re-run's: in its words, or in the outputs that it covers.
fn unlike(case: &Case<'_>, theirs: Option<&record::Check>, ours: &record::Check) -> Option<String> {
    let at = text::code(&ours.id);
    let Some(theirs) = theirs else { return Some(format!("{at} is missing")) };
    let record::Check { id, what, passed, found, outputs } = theirs;
    if *what != ours.what {
        return Some(format!("{at} says that it is about something else"));
    }
    let approximate = case.record.device.source() == TimeSource::Measured
        && case.rules.is_approximate(&format!("{}/{id}", case.record.lab));
    if approximate {
        let fewer = outputs.len() < ours.outputs.len();
        return fewer.then(|| format!("{at}: hashes of outputs are missing"));
    }
    if !is_among(&ours.outputs, outputs) {
        return Some(match outputs.is_empty() {
            true => format!("{at}: the hash of an output is missing"),
            false => format!("{at}: its outputs are not those of the kernels"),
        });
    }
    if case.record.device.source() == TimeSource::Measured {
        return None; // how a GPU says that it refuses something, the embedded device does not know
    }
    match () {
        () if outputs.len() > ours.outputs.len() => Some(format!("{at}: there are too many outputs")),
        () if *passed != ours.passed => Some(format!("{at}: the re-run finds the opposite")),
        () if *found != ours.found => Some(format!(
            "{at}: the record says {}, the re-run {}",
            text::code(found),
            text::code(&ours.found)
        )),
        () => None,
    }
}

/// Whether the items of `few` are among those of `all`, in this order. A GPU makes launches that a re-run leaves out.
fn is_among(few: &[String], all: &[String]) -> bool {
    let mut all = all.iter();
    few.iter().all(|item| all.any(|other| other.eq_ignore_ascii_case(item)))
}

/// Outputs that the record's checks cover, against the re-run's.
fn outputs(case: &Case<'_>) -> Finding {
    let ours = match case.same {
        Ok(ours) => ours,
        Err(why) => return open(why),
    };
    let theirs: BTreeMap<_, _> = case.record.checks.iter().map(|check| (check.id.as_str(), check)).collect();
    let mut tally = Tally::default();
    for check in &ours.record.checks {
        tally.add(unlike(case, theirs.get(check.id.as_str()).copied(), check));
    }
    let known: BTreeSet<&str> = ours.record.checks.iter().map(|check| check.id.as_str()).collect();
    let is_measured = case.record.device.source() == TimeSource::Measured;
    let left_out: BTreeMap<&str, &str> = match is_measured {
        true => ours.left_out.iter().map(|(id, what)| (id.as_str(), what.as_str())).collect(),
        false => BTreeMap::new(),
    };
    for (id, what) in &left_out {
        let same = theirs.get(id).is_some_and(|check| check.what == *what);
        tally.add((!same).then(|| format!("{} is missing, or is about something else", text::code(id))));
    }
    for id in theirs.keys().filter(|id| !known.contains(*id) && !left_out.contains_key(*id)) {
        tally.add(Some(format!("the lab makes no check {}", text::code(id))));
    }
    if tally.of == 0 {
        return yes(false, "the lab makes no checks of such a run");
    }
    tallied(&tally, "checks looked at what the re-run's look at")
}

/// Whether none of the outputs in the record come from a run.
pub(crate) fn is_without_a_run(case: &Case<'_>) -> bool {
    let Ok(ours) = case.same else { return true };
    let right = |ours: &&record::Check| {
        let theirs = case.record.checks.iter().find(|check| check.id == ours.id);
        unlike(case, theirs, ours).is_none()
    };
    let mut with_outputs = ours.record.checks.iter().filter(|check| !check.outputs.is_empty()).peekable();
    with_outputs.peek().is_some() && !with_outputs.any(|ours| right(&ours))
}

/// Checks of a re-run: each must have passed, and be in the record with the outputs of the record's own re-run. A
/// record with other outputs, or with none, does not come from a run.
fn rerun(case: &Case<'_>, run: Result<&Answer, &str>) -> Finding {
    let (run, same) = match (run, case.same) {
        (Ok(run), Ok(same)) => (&run.record, &same.record),
        (Err(why), _) | (_, Err(why)) => return open(why),
    };
    let theirs: BTreeMap<_, _> = case.record.checks.iter().map(|check| (check.id.as_str(), check)).collect();
    let same: BTreeMap<_, _> = same.checks.iter().map(|check| (check.id.as_str(), check)).collect();
    let mut tally = Tally::default();
    for check in &run.checks {
        let id = check.id.as_str();
        let unlike = same.get(id).and_then(|ours| unlike(case, theirs.get(id).copied(), ours));
        let failed =
            (!check.passed).then(|| format!("{} failed: {}", text::code(id), text::code(&check.found)));
        tally.add(failed.or(unlike));
    }
    let mut finding = tallied(&tally, "checks passed in the re-run, and are the record's");
    let others =
        case.record.checks.iter().filter(|check| run.checks.iter().all(|ours| ours.id != check.id)).count();
    if others > 0 {
        finding.why += &format!("; {others} of the record's are not made in a re-run");
    }
    finding
}

/// The seed that the course gave the student, against the record's.
fn own_seed(case: &Case<'_>) -> Finding {
    let given = match case.own_seed {
        OwnSeed::NotAsked => return beside("the course gives no seeds"),
        OwnSeed::Missing => return open("the course gave this student no seed"),
        OwnSeed::Given(seed) => seed,
    };
    match case.record.parameters.get("seed") {
        Some(Parameter::Integer(seed)) if *seed == given => yes(true, "it is this student's"),
        Some(Parameter::Integer(seed)) => {
            yes(false, format!("the seed is {seed}, and the student's is {given}"))
        }
        _ => yes(false, "the record has no seed"),
    }
}

fn count(counters: &record::Counters, name: &str) -> u64 {
    // As in Nsight Compute: a counter that is not listed is zero.
    counters.get(name).copied().unwrap_or(0)
}

/// Prefix of counters that depend on the modelled chip, which a GPU's record does not name.
const MODELLED: &str = "modelled_";

/// The record's counters against the re-run's, point by point.
fn counters(case: &Case<'_>, check: &Check) -> Finding {
    let ours = match case.same {
        Ok(ours) => &ours.record,
        Err(why) => return open(why),
    };
    let is_measured = case.record.device.source() == TimeSource::Measured;
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
        names.retain(|name| check.is_about(name) && !(is_measured && name.starts_with(MODELLED)));
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

/// Counters of the GPU's own profiler, against the re-run's.
fn hardware(case: &Case<'_>, check: &Check) -> Finding {
    if points(case.record).all(|(_, point, _)| point.hardware.is_empty()) {
        return beside("Nsight Compute was not asked");
    }
    if case.record.device.source() == TimeSource::Modelled {
        return yes(false, "the embedded device has no counters of Nsight Compute");
    }
    let ours = match case.same {
        Ok(ours) => &ours.record,
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

/// Times: modelled ones are recomputed, measured ones checked for plausibility.
fn times(case: &Case<'_>) -> Finding {
    let ours = match case.same {
        Ok(ours) => ours,
        Err(why) => return open(why),
    };
    match case.record.device {
        Device::Simt { .. } => modelled_times(case, &ours.record),
        Device::Gpu { .. } => measured::times(case, ours),
    }
}

fn modelled_times(case: &Case<'_>, ours: &Record) -> Finding {
    let tolerance = case.rules.tolerance.computed;
    let mut tally = Tally::default();
    for Pair { place, theirs, ours } in pairs(case.record, ours) {
        let (Some(theirs), Some(ours)) = (theirs, ours) else {
            tally.add(Some(format!("{} is in only one of the two", place.code())));
            continue;
        };
        let wrong = if !same_times(theirs.time.as_ref(), ours.time.as_ref(), tolerance) {
            Some(format!("{}: the time is not the model's", place.code()))
        } else if !close(theirs.y, ours.y, tolerance) {
            Some(format!("{}: {} in the record and {} in the re-run", place.code(), theirs.y, ours.y))
        } else if !close(theirs.y_min, ours.y_min, tolerance) || !close(theirs.y_max, ours.y_max, tolerance) {
            Some(format!("{}: the lowest or highest value is not the model's", place.code()))
        } else {
            None
        };
        tally.add(wrong);
    }
    tallied(&tally, "points are the model's")
}

fn same_times(theirs: Option<&Timing>, ours: Option<&Timing>, tolerance: f64) -> bool {
    let (Some(theirs), Some(ours)) = (theirs, ours) else { return theirs.is_none() && ours.is_none() };
    let Timing { is, calls, median_ns, mean_ns, min_ns, max_ns, iqr_ns } = theirs;
    let pairs = [
        (median_ns, ours.median_ns),
        (mean_ns, ours.mean_ns),
        (min_ns, ours.min_ns),
        (max_ns, ours.max_ns),
        (iqr_ns, ours.iqr_ns),
    ];
    (is, calls) == (&ours.is, &ours.calls) && pairs.iter().all(|(a, b)| close(**a, *b, tolerance))
}

/// Figures, which are identical in every run of a lab's own kernels; those of edited ones against what the re-run draws of
/// their sources.
fn figures(case: &Case<'_>) -> Finding {
    let edited: Vec<&Kernel> = case.record.kernels.iter().filter(|kernel| !edited::is_ours(kernel)).collect();
    let ours = match (edited.is_empty(), case.figures, case.same) {
        (true, Ok(ours), _) => ours,
        (true, Err(why), _) | (false, _, Err(why)) => return open(why),
        (false, _, Ok(_)) if edited.iter().any(|kernel| edited::source(kernel).is_err()) => {
            return open("an edited kernel was not compiled again, and they may come from it");
        }
        (false, _, Ok(same)) => &same.record.traces,
    };
    let mut tally = Tally::default();
    for figure in ours {
        tally.add(match case.record.trace(&figure.id) {
            None => Some(format!("{} is missing", text::code(&figure.id))),
            Some(theirs) if theirs != figure => Some(format!("{} is another", text::code(&figure.id))),
            Some(_) => None,
        });
    }
    for theirs in case.record.traces.iter().filter(|theirs| ours.iter().all(|ours| ours.id != theirs.id)) {
        tally.add(Some(format!("the lab draws no {}", text::code(&theirs.id))));
    }
    if tally.of == 0 {
        return beside("this lab draws no figures");
    }
    tallied(&tally, "figures")
}

/// Facts, against those that the lab derives from the record's points.
fn facts(case: &Case<'_>, check: &Check) -> Finding {
    let derived = match case.derived {
        Ok(derived) => &derived.facts,
        Err(why) => return open(why),
    };
    let theirs = &case.record.facts;
    let mut tally = Tally::default();
    for (name, ours) in derived.iter().filter(|(name, _)| check.is_about(name)) {
        let at = text::code(name);
        let wrong = match theirs.get(name) {
            None => Some(format!("{at} is missing")),
            Some(theirs) if !close(theirs.value, ours.value, case.rules.tolerance.computed) => {
                Some(format!("{at} is {} and would be {}", theirs.value, ours.value))
            }
            Some(theirs) if theirs.unit != ours.unit => Some(format!("{at} has another unit")),
            Some(theirs) if theirs.what != ours.what => Some(format!("{at} is described differently")),
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

/// Verdicts and their reasons, against those that the lab derives from the record's points.
fn claims(case: &Case<'_>) -> Finding {
    let derived = match case.derived {
        Ok(derived) => &derived.claims,
        Err(why) => return open(why),
    };
    let mut tally = Tally::default();
    for ours in derived {
        let record::Claim { id, claim, source, verdict, why } = ours;
        let at = text::code(id);
        let wrong = match case.record.claims.iter().find(|theirs| theirs.id == *id) {
            None => Some(format!("{at} is missing")),
            Some(theirs) if theirs.verdict != *verdict => Some(format!(
                "{at}: the record says “{}”, its points say “{}”",
                words(theirs.verdict),
                words(*verdict)
            )),
            Some(theirs) if (&theirs.claim, &theirs.source) != (claim, source) => {
                Some(format!("{at}: the claim is not in the source's words"))
            }
            Some(theirs) if theirs.why != *why => {
                Some(format!("{at}: the reason is not what its points say"))
            }
            Some(_) => None,
        };
        tally.add(wrong);
    }
    for theirs in &case.record.claims {
        if derived.iter().all(|ours| ours.id != theirs.id) {
            tally.add(Some(format!("the lab has no claim {}", text::code(&theirs.id))));
        }
    }
    if tally.of == 0 {
        return beside("this lab tests no claims");
    }
    tallied(&tally, "verdicts")
}

fn words(verdict: record::Verdict) -> &'static str {
    match verdict {
        record::Verdict::Holds => "holds",
        record::Verdict::HoldsInPart => "holds in part",
        record::Verdict::DoesNotHold => "does not hold",
        record::Verdict::NotShown => "not shown",
    }
}
