//! From submissions to grades.
//!
//! Enters: the students with their files, the rules. Leaves: a row for every file and a grade for every student. Records are
//! read twice, once for what they ask to be run and once to be judged, because those of a whole course do not fit in memory.

use crate::compare::TOLD;
use crate::intake;
use crate::judge::{Case, Finding, Outcome, judge};
use crate::points::Points;
use crate::progress::Progress;
use crate::rerun::{self, Answers, Failure, Key};
use crate::rules::{Judge, Rules};
use crate::status::Status;
use crate::submissions::{File, Found, NOBODY, Student};
use crate::{text, workbook};
use rayon::prelude::*;
use record::{Device, Record, Source};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::PathBuf;
use std::time::Duration;

/// A student's grade.
#[derive(Debug)]
pub(crate) struct Graded {
    /// Safe to show.
    pub(crate) student: String,
    pub(crate) rows: Vec<Row>,
    pub(crate) points: Points,
    pub(crate) of: Points,
    /// Assigned labs of which there is no record.
    pub(crate) missing: Vec<String>,
}

/// A file's line of the table. All text in it is safe to show.
#[derive(Debug)]
pub(crate) struct Row {
    pub(crate) file: String,
    /// A lab of the workbook.
    pub(crate) lab: Option<&'static str>,
    pub(crate) device: String,
    pub(crate) when: String,
    pub(crate) status: Status,
    /// Whether it is part of the student's grade.
    pub(crate) counts: bool,
    pub(crate) points: Points,
    pub(crate) of: Points,
    pub(crate) lines: Vec<Line>,
    /// What a person should look at.
    pub(crate) flags: Vec<String>,
    /// Why it was not graded like the others; empty where it was.
    pub(crate) why: String,
}

/// A check's line of a report.
#[derive(Debug)]
pub(crate) struct Line {
    pub(crate) id: String,
    pub(crate) what: String,
    pub(crate) points: Points,
    pub(crate) of: Points,
    pub(crate) finding: Finding,
}

/// How grading is to be done.
pub(crate) struct Settings<'a> {
    pub(crate) rules: &'a Rules,
    pub(crate) seed: u64,
    pub(crate) jobs: usize,
    pub(crate) limit: Duration,
    /// This program, which also makes the re-runs.
    pub(crate) program: PathBuf,
}

/// What the first reading leaves of a file.
enum Sketch {
    Refused(Status, String),
    Record(Box<Asked>),
}

/// What is kept of a record until it is judged.
struct Asked {
    path: PathBuf,
    sha256: String,
    run: String,
    same: Result<Key, Failure>,
    seeded: Result<Key, Failure>,
}

/// Grades of all students in the order of `students`, and how many re-runs they took.
pub(crate) fn all(students: &[Student], settings: &Settings<'_>) -> (Vec<Graded>, usize) {
    let files: Vec<(usize, &File)> =
        students.iter().enumerate().flat_map(|(at, s)| s.files.iter().map(move |f| (at, f))).collect();
    let progress = Progress::new("files read", files.len());
    let mut sketches: Vec<Sketch> = files
        .par_iter()
        .map(|(_, file)| {
            let sketch = sketched(file, settings);
            progress.step();
            sketch
        })
        .collect();
    drop(progress);
    refuse_repeated(&files, &mut sketches, settings.rules.limits.records);

    let answers = run_again(&sketches, settings);
    let runs = runs(&sketches);
    let places: Vec<(usize, String)> =
        files.iter().map(|(at, file)| (*at, format!("{}/{}", students[*at].name, file.name))).collect();
    // Those that share a re-run stand side by side, so that few of them are read again.
    let mut order: Vec<usize> = (0..files.len()).collect();
    order.sort_by_key(|at| match &sketches[*at] {
        Sketch::Record(asked) => asked.same.as_ref().ok(),
        Sketch::Refused(..) => None,
    });
    let progress = Progress::new("files judged", files.len());
    let mut rows: Vec<(usize, Row)> = order
        .par_chunks(CHUNK)
        .flat_map_iter(|chunk| {
            let mut memory = Memory { answers: &answers, held: HashMap::new() };
            let rows = chunk.iter().map(|&at| {
                progress.step();
                let row = match &sketches[at] {
                    Sketch::Refused(status, why) => refused(settings.rules, files[at].1, *status, why),
                    Sketch::Record(asked) => {
                        let twins = twins(&runs, &asked.run, &places, at);
                        graded(settings.rules, files[at].1, asked, &mut memory, &twins)
                    }
                };
                (at, row)
            });
            rows.collect::<Vec<_>>()
        })
        .collect();
    rows.sort_by_key(|(at, _)| *at);

    let mut by_student: Vec<Vec<Row>> = students.iter().map(|_| Vec::new()).collect();
    for (at, row) in rows {
        by_student[files[at].0].push(row);
    }
    let graded = students.iter().zip(by_student).map(|(student, rows)| total(settings.rules, student, rows));
    (graded.collect(), answers.len())
}

/// For each judge that needs one; the row says once why.
const NO_RERUN: &str = "there is no re-run to compare with";

/// Files that are judged with the same few re-runs in memory.
const CHUNK: usize = 16;

fn sketched(file: &File, settings: &Settings<'_>) -> Sketch {
    let path = match &file.found {
        Found::Record(path) => path,
        Found::Refused(status, why) => return Sketch::Refused(*status, why.clone()),
    };
    match intake::read(path, settings.rules.limits.file_bytes) {
        Err((status, why)) => Sketch::Refused(status, why),
        Ok((record, bytes)) => {
            let limits = &settings.rules.limits;
            Sketch::Record(Box::new(Asked {
                path: path.clone(),
                run: run(&record),
                same: rerun::request(&record, None, limits),
                seeded: rerun::request(&record, Some(settings.seed), limits),
                sha256: kernels::sha256(bytes),
            }))
        }
    }
}

/// The same file twice in a student's folder is graded once, and no student gets more than `most` records graded.
fn refuse_repeated(files: &[(usize, &File)], sketches: &mut [Sketch], most: usize) {
    let mut seen: HashMap<(usize, String), &str> = HashMap::new();
    let mut records = BTreeMap::<usize, usize>::new();
    for ((student, file), sketch) in files.iter().zip(sketches) {
        let Sketch::Record(asked) = sketch else { continue };
        let first = seen.entry((*student, asked.sha256.clone())).or_insert(&file.name);
        if *first != file.name {
            *sketch = Sketch::Refused(Status::Duplicate, format!("the same bytes as {}", text::code(first)));
            continue;
        }
        let records = records.entry(*student).or_default();
        *records += 1;
        if *records > most {
            *sketch =
                Sketch::Refused(Status::TooMany, format!("only {most} records of a student are graded"));
        }
    }
}

fn run_again(sketches: &[Sketch], settings: &Settings<'_>) -> Answers {
    let mut requests = BTreeSet::new();
    for sketch in sketches {
        if let Sketch::Record(asked) = sketch {
            requests.extend([&asked.same, &asked.seeded].into_iter().flatten().cloned());
        }
    }
    let progress = Progress::new("labs run again", requests.len());
    rerun::all(&settings.program, &requests, settings.jobs, settings.limit, &progress)
}

/// What two records have in common only if they are of one run: the times of a GPU never repeat; nor does the speed of the
/// machine that ran the embedded device, whose times do.
fn run(record: &Record) -> String {
    let mut run = format!("{}:", record.lab);
    let host = record.facts.iter().filter(|(name, _)| name.starts_with("host_"));
    let numbers: Vec<f64> = match record.device.source() {
        Source::Measured => crate::compare::points(record)
            .filter_map(|(_, point, _)| point.time.as_ref())
            .flat_map(|time| [time.median_ns, time.mean_ns, time.max_ns])
            .collect(),
        Source::Modelled => host.map(|(_, fact)| fact.value).collect(),
    };
    if numbers.is_empty() {
        // Left are the second in which it began and what it was asked for.
        run += &record.when;
        run += &serde_json::to_string(&record.parameters).unwrap_or_default();
    }
    for number in numbers {
        run += &format!("{:x},", number.to_bits());
    }
    kernels::sha256(&run)
}

/// Files by their run.
fn runs(sketches: &[Sketch]) -> HashMap<&str, Vec<usize>> {
    let mut runs: HashMap<&str, Vec<usize>> = HashMap::new();
    for (at, sketch) in sketches.iter().enumerate() {
        if let Sketch::Record(asked) = sketch {
            runs.entry(&asked.run).or_default().push(at);
        }
    }
    runs
}

/// Other students' files of the same run.
fn twins<'a>(
    runs: &HashMap<&str, Vec<usize>>,
    run: &str,
    places: &'a [(usize, String)],
    at: usize,
) -> Vec<&'a str> {
    let all = runs.get(run).into_iter().flatten();
    all.filter(|other| places[**other].0 != places[at].0).map(|other| places[*other].1.as_str()).collect()
}

/// The re-runs that the last files were judged by.
struct Memory<'a> {
    answers: &'a Answers,
    held: HashMap<&'a str, Result<Record, Failure>>,
}

impl<'a> Memory<'a> {
    /// Reads the re-runs of these requests; forgets others.
    fn hold(&mut self, keys: [&Result<Key, Failure>; 2]) {
        let keys: Vec<&str> = keys.into_iter().flatten().map(String::as_str).collect();
        self.held.retain(|held, _| keys.contains(held));
        for key in keys {
            let Some((key, answer)) = self.answers.get_key_value(key) else { continue };
            self.held.entry(key).or_insert_with(|| match answer {
                Ok(answer) => rerun::answered(answer),
                Err(failure) => Err(failure.clone()),
            });
        }
    }

    fn get(&self, key: &Result<Key, Failure>) -> Result<&Record, Failure> {
        let key = key.as_ref().map_err(Clone::clone)?;
        match self.held.get(key.as_str()) {
            Some(Ok(record)) => Ok(record),
            Some(Err(failure)) => Err(failure.clone()),
            // Every request was made; were one lost, it is told like one that failed.
            None => Err(Failure { status: Status::NotRerun, why: "there was no re-run".to_owned() }),
        }
    }
}

fn graded(rules: &Rules, file: &File, asked: &Asked, memory: &mut Memory<'_>, twins: &[&str]) -> Row {
    // It was read once; were it changed since, what is there now is judged.
    let record = match intake::read(&asked.path, rules.limits.file_bytes) {
        Ok((record, _)) => record,
        Err((status, why)) => return refused(rules, file, status, &why),
    };
    memory.hold([&asked.same, &asked.seeded]);
    let (same, seeded) = (memory.get(&asked.same), memory.get(&asked.seeded));
    let lab = workbook::lab(&record.lab);
    let derived = match lab {
        Some(lab) => workbook::derived(lab, &record),
        None => Err("there is no such lab".to_owned()),
    };
    let failure = same.as_ref().err().or(seeded.as_ref().err()).cloned();
    let case = Case {
        rules,
        record: &record,
        same: same.as_ref().map(|record| *record).map_err(|_| NO_RERUN),
        seeded: seeded.as_ref().map(|record| *record).map_err(|_| NO_RERUN),
        derived: derived.as_ref().map_err(String::as_str),
        twins: twins.len(),
    };
    let mut lines = Vec::new();
    let mut flags = Vec::new();
    let Some(lab) = lab.map(|lab| lab.name) else {
        let failure = failure.map_or_else(String::new, |failure| failure.why);
        return Row {
            device: device(&record),
            when: text::shown(&record.when),
            ..refused(rules, file, Status::UnknownLab, &failure)
        };
    };
    for (check, of) in rules.checks(Some(lab)) {
        let finding = judge(&case, check);
        let (points, of) = match finding.outcome {
            Outcome::Part(good, parts) if check.partial || good == parts => (of.part(good, parts), of),
            Outcome::Part(..) => (Points::default(), of),
            Outcome::Open => (Points::default(), of),
            Outcome::Beside => (Points::default(), Points::default()),
        };
        if let (false, Outcome::Part(..)) = (finding.outcome.is_whole(), finding.outcome) {
            match check.judge {
                Judge::Kernels => flags.push("edited-kernel".to_owned()),
                Judge::OwnWork => {
                    flags.extend(twins.iter().take(TOLD).map(|twin| format!("same-run-as:{twin}")));
                    if let more @ 1.. = twins.len().saturating_sub(TOLD) {
                        flags.push(format!("same-run-as:{more} more"));
                    }
                }
                Judge::Work
                | Judge::Counters
                | Judge::Hardware
                | Judge::Times
                | Judge::Facts
                | Judge::Claims => flags.push(format!("differs:{}", check.id)),
                Judge::Record | Judge::Checks | Judge::Rerun | Judge::Seed => {}
            }
        }
        let (id, what) = (check.id.clone(), check.what.clone());
        lines.push(Line { id, what, points, of, finding });
    }
    if let Ok(same) = case.same
        && same.written_by != record.written_by
    {
        flags.push(format!("written-by:{}", text::shown(&record.written_by)));
    }
    Row {
        file: file.name.clone(),
        lab: Some(lab),
        device: device(&record),
        when: text::shown(&record.when),
        status: failure.as_ref().map_or(Status::Graded, |failure| failure.status),
        counts: false,
        points: lines.iter().map(|line| line.points).sum(),
        of: lines.iter().map(|line| line.of).sum(),
        lines,
        flags,
        why: failure.map_or_else(String::new, |failure| failure.why),
    }
}

fn device(record: &Record) -> String {
    match &record.device {
        Device::Gpu { .. } => format!("GPU: {}", text::shown(&record.device.label())),
        Device::Simt { .. } => text::shown(&record.device.label()),
    }
}

/// A file without a record has no points. Where its name says which lab it should be, that lab's points are lost.
fn refused(rules: &Rules, file: &File, status: Status, why: &str) -> Row {
    let is_lost = matches!(
        status,
        Status::Invalid | Status::Empty | Status::TooLarge | Status::Unreadable | Status::Link
    );
    let stem = file.name.rsplit('/').next().and_then(|name| name.strip_suffix(".json"));
    let lab = stem.and_then(workbook::lab).filter(|_| is_lost).map(|lab| lab.name);
    Row {
        file: file.name.clone(),
        lab,
        device: String::new(),
        when: String::new(),
        status,
        counts: false,
        points: Points::default(),
        of: lab.map_or(Points::default(), |lab| full(rules, lab)),
        lines: vec![],
        flags: vec![],
        why: why.to_owned(),
    }
}

/// All that a lab's record can get.
fn full(rules: &Rules, lab: &str) -> Points {
    rules.checks(Some(lab)).map(|(_, points)| points).sum()
}

/// Of each lab the best record counts, the first of equals.
fn total(rules: &Rules, student: &Student, mut rows: Vec<Row>) -> Graded {
    let labs: BTreeSet<String> = match rules.assigned.as_slice() {
        [] => rows.iter().filter_map(|row| row.lab).map(str::to_owned).collect(),
        assigned => assigned.iter().cloned().collect(),
    };
    let (mut points, mut of, mut missing) = (Points::default(), Points::default(), Vec::new());
    if student.name != NOBODY {
        for lab in labs {
            let ours = rows.iter_mut().filter(|row| row.lab == Some(&lab));
            let best = ours.reduce(|best, row| {
                let better = (row.points.per_mille(row.of), row.points);
                if better > (best.points.per_mille(best.of), best.points) { row } else { best }
            });
            match best {
                Some(row) => {
                    row.counts = true;
                    points = points + row.points;
                    of = of + row.of;
                }
                None => {
                    of = of + full(rules, &lab);
                    missing.push(lab);
                }
            }
        }
    }
    if rows.is_empty() {
        let nothing = File { name: String::new(), found: Found::Refused(Status::NoFiles, String::new()) };
        rows.push(refused(rules, &nothing, Status::NoFiles, "the folder has no files"));
    }
    Graded { student: student.name.clone(), rows, points, of, missing }
}
