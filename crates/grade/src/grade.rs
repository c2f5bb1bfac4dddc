//! From submissions to grades.
//!
//! Enters: the students with their files, the rules, and the judgements that an earlier grading kept. Leaves: a row for
//! every file and a grade for every student. A judgement is written to the journal as soon as it is made, and a
//! student's report as soon as all of the student's records are judged.

use crate::confined::child::Runner;
use crate::confined::rerun::{self, Answer, Failure};
use crate::graded::{Graded, Judged, JudgedCheck, Line, Row};
use crate::journal::Journal;
use crate::judge::{self, Case, Finding, Outcome, OwnSeed, is_without_a_run, judge, own_work};
use crate::points::Points;
use crate::progress::Progress;
use crate::rules::Rules;
use crate::schedule::{self, Task};
use crate::similar::duplicate_runs;
use crate::status::Status;
use crate::submissions::intake;
use crate::submissions::prescan::{self, Prescan, RecordToJudge};
use crate::submissions::reading::Reader;
use crate::submissions::seeds::Seeds;
use crate::submissions::{File, Found, NOBODY, Student};
use crate::work::GradedWork;
use crate::{report, text, workbook};
use anyhow::Result;
use record::{Device, Record};
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

/// Settings of a grading.
pub(crate) struct Settings<'a> {
    pub(crate) rules: &'a Rules,
    /// Seed of the second re-run.
    pub(crate) seed: u64,
    /// Seeds of the students, where the course gives each of them one.
    pub(crate) seeds: Option<&'a Seeds>,
    pub(crate) jobs: usize,
    pub(crate) runner: Runner<'a>,
    /// Output folder.
    pub(crate) out: &'a Path,
    /// Sheet of marks, for messages.
    pub(crate) marks: &'a Path,
    /// Hash of this program: a kept check or judgement is reused only if it is unchanged.
    pub(crate) program: String,
}

/// Grades of all students, with statistics of the grading.
pub(crate) struct Course {
    pub(crate) graded: Vec<Graded>,
    /// File names of the reports, one per student.
    pub(crate) reports: Vec<String>,
    /// Number of re-runs made.
    pub(crate) runs: usize,
    /// Number of records whose judgement an earlier grading had kept.
    pub(crate) kept: usize,
    /// The journal's lines, in the order of the files.
    pub(crate) judged: Vec<(String, Judged)>,
}

/// Progress of an interrupted grading.
pub(crate) struct Interrupted {
    pub(crate) judged: usize,
    pub(crate) of: usize,
    /// Of what: files that are read, records or exercises.
    pub(crate) what: &'static str,
}

/// A re-run's answer, shared by all records that need it.
type Shared = Arc<std::result::Result<Answer, Failure>>;

/// The work of [`schedule::all`] on records.
struct Grading<'a> {
    students: &'a [Student],
    settings: &'a Settings<'a>,
    journal: &'a Journal,
    /// Each student's other work.
    works: &'a [Option<GradedWork>],
    files: Vec<(usize, &'a File)>,
    sketches: Vec<Prescan>,
    /// For each file, the files of other students that hold the same run.
    twins: Vec<Vec<usize>>,
    reports: Vec<String>,
    judged: Mutex<Vec<Option<Judged>>>,
    progress: Progress,
}

/// Grades of all students in the order of `students`.
///
/// # Errors
/// The journal or a report cannot be written.
pub(crate) fn all(
    students: &[Student],
    works: &[Option<GradedWork>],
    settings: &Settings<'_>,
    journal: &Journal,
) -> Result<std::result::Result<Course, Interrupted>> {
    let files: Vec<(usize, &File)> =
        students.iter().enumerate().flat_map(|(at, s)| s.files.iter().map(move |f| (at, f))).collect();
    let rules = settings.rules;
    let reader = Reader { runner: &settings.runner, rules };
    let sketches = prescan::all(&files, &reader, settings.seed);
    if settings.runner.is_interrupted() {
        return Ok(Err(Interrupted { judged: 0, of: files.len(), what: "files" }));
    }
    let runs: Vec<_> = sketches
        .iter()
        .zip(&files)
        .map(|(sketch, (student, _))| match sketch {
            Prescan::Record(asked) => Some((*student, &asked.summary.run)),
            Prescan::Refused(..) | Prescan::Work => None,
        })
        .collect();
    let twins = duplicate_runs::all(&runs, &rules.plausible);
    let kept: Vec<Option<Judged>> = sketches
        .iter()
        .zip(&files)
        .map(|(sketch, (student, _))| match sketch {
            Prescan::Record(asked) => journal.kept(&key(settings, asked, &students[*student].name)).cloned(),
            Prescan::Refused(..) | Prescan::Work => None,
        })
        .collect();
    let mut turns = vec![Vec::new(); students.len()];
    for (at, ((student, _), sketch)) in files.iter().zip(&sketches).enumerate() {
        let Prescan::Record(asked) = sketch else { continue };
        let keys = [&asked.summary.same, &asked.summary.seeded].into_iter().flatten().cloned().collect();
        turns[*student].push(Task { item: at, keys, kept: kept[at].as_ref().map(|judged| judged.cost) });
    }
    let records = turns.iter().flatten().count();
    let already = turns.iter().flatten().filter(|task| task.kept.is_some()).count();
    let grading = Grading {
        students,
        settings,
        journal,
        works,
        reports: report::names(students),
        progress: Progress::new("records graded", records - already),
        judged: Mutex::new(kept),
        files,
        sketches,
        twins,
    };
    let done = schedule::all(
        turns,
        rules.limits.student_instructions,
        settings.jobs,
        settings.runner.interrupted,
        &grading,
    )?;
    if done.interrupted {
        let is_judged = |judged: &&Judged| judged.status != Status::NotGraded;
        let judged = grading.held().iter().flatten().filter(is_judged).count();
        return Ok(Err(Interrupted { judged, of: records, what: "records" }));
    }
    let graded = (0..students.len()).map(|student| grading.total(student)).collect();
    let keyed = |(at, judged): (usize, &Option<Judged>)| match (&grading.sketches[at], judged) {
        (Prescan::Record(asked), Some(judged)) if judged.status.is_kept() => {
            Some((key(settings, asked, &students[grading.files[at].0].name), judged.clone()))
        }
        _ => None,
    };
    let judged = grading.held().iter().enumerate().filter_map(keyed).collect();
    Ok(Ok(Course { graded, reports: grading.reports, runs: done.runs, kept: already, judged }))
}

/// Key of a judgement in the journal: a hash of all that the judgement depends on, which are the program, the rules by which
/// judges judge, the record, its re-runs and its owner's seed. Points are not part of it.
fn key(settings: &Settings<'_>, asked: &RecordToJudge, student: &str) -> String {
    let request = |key: &std::result::Result<String, Failure>| match key {
        Ok(key) => key.clone(),
        Err(failure) => failure.why.clone(),
    };
    let parts = [
        &settings.program,
        &settings.rules.judging(),
        &asked.sha256,
        &request(&asked.summary.same),
        &request(&asked.summary.seeded),
        &format!("{:?}", own_seed(settings, student)),
    ];
    kernels::sha256(parts.map(|part| format!("{}:{part}", part.len())).concat())
}

fn own_seed(settings: &Settings<'_>, student: &str) -> OwnSeed {
    match settings.seeds {
        None => OwnSeed::NotAsked,
        Some(seeds) => seeds.get(student).map_or(OwnSeed::Missing, |seed| OwnSeed::Given(*seed)),
    }
}

impl schedule::Workload for Grading<'_> {
    type Answer = std::result::Result<Answer, Failure>;

    fn run(&self, key: &str) -> Result<Self::Answer> {
        Ok(rerun::run(&self.settings.runner, key))
    }

    fn judge(&self, file: usize, answers: &[Shared]) -> Result<u64> {
        let Prescan::Record(asked) = &self.sketches[file] else { return Ok(0) };
        let judged = self.judged(file, asked, answers);
        let cost = judged.cost;
        self.keep(file, asked, judged)?;
        Ok(cost)
    }

    fn refuse(&self, file: usize) -> Result<()> {
        let Prescan::Record(asked) = &self.sketches[file] else { return Ok(()) };
        let most = self.settings.rules.limits.student_instructions;
        let judged = match self.read(asked) {
            Ok(record) => Judged {
                flags: vec![Status::OverBudget.to_string()],
                ..Judged::without_lines(
                    &record,
                    Status::OverBudget,
                    format!(
                        "the re-runs of this student's other records took {most} warp instructions or more"
                    ),
                )
            },
            Err((status, why)) => Judged::unreadable(status, why),
        };
        self.keep(file, asked, judged)
    }

    fn complete(&self, student: usize) -> Result<()> {
        if self.students[student].name == NOBODY {
            return Ok(());
        }
        let page = report::markdown(&self.total(student));
        labs::write_whole(&self.settings.out.join(&self.reports[student]), page.as_bytes())
    }
}

impl Judged {
    fn without_lines(record: &Record, status: Status, why: String) -> Judged {
        Judged {
            lab: workbook::lab(&record.lab).map(|lab| lab.name.to_owned()),
            device: device(record),
            is_measured: matches!(record.device, Device::Gpu { .. }),
            when: text::shown(&record.when),
            status,
            why,
            found: vec![],
            flags: vec![],
            cost: 0,
        }
    }

    /// Judgement of a record that could be read at first and no longer can.
    fn unreadable(status: Status, why: String) -> Judged {
        let (lab, device, when) = (None, String::new(), String::new());
        Judged { lab, device, is_measured: false, when, status, why, found: vec![], flags: vec![], cost: 0 }
    }
}

impl Grading<'_> {
    fn held(&self) -> std::sync::MutexGuard<'_, Vec<Option<Judged>>> {
        // No holder of the lock panics, and the data would still be consistent.
        self.judged.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads a record for the second time.
    fn read(&self, asked: &RecordToJudge) -> std::result::Result<Record, intake::Refused> {
        intake::again(&asked.path, self.settings.rules.limits.file_bytes, &asked.sha256)
    }

    fn keep(&self, file: usize, asked: &RecordToJudge, judged: Judged) -> Result<()> {
        if judged.status.is_kept() {
            let student = &self.students[self.files[file].0].name;
            self.journal.add(&key(self.settings, asked, student), &judged)?;
        }
        self.held()[file] = Some(judged);
        self.progress.step();
        Ok(())
    }

    fn judged(&self, file: usize, asked: &RecordToJudge, answers: &[Shared]) -> Judged {
        let rules = self.settings.rules;
        let record = match self.read(asked) {
            Ok(record) => record,
            Err((status, why)) => return Judged::unreadable(status, why),
        };
        let mut answers = answers.iter();
        let mut answer = |key: &std::result::Result<String, Failure>| match key {
            Ok(_) => answers.next().cloned(),
            Err(failure) => Some(Shared::new(Err(failure.clone()))),
        };
        let (Some(same), Some(seeded)) = (answer(&asked.summary.same), answer(&asked.summary.seeded)) else {
            let why = "there was no re-run; grade it again".to_owned();
            return Judged::without_lines(&record, Status::NotGraded, why);
        };
        let failure = same.as_ref().as_ref().err().or(seeded.as_ref().as_ref().err());
        let Some(lab) = workbook::lab(&record.lab) else {
            let why = failure.map_or_else(String::new, |failure| failure.why.clone());
            return Judged::without_lines(&record, Status::UnknownLab, why);
        };
        if let Some(failure) = failure
            && failure.status == Status::NotGraded
        {
            return Judged {
                flags: vec![Status::NotGraded.to_string()],
                ..Judged::without_lines(&record, Status::NotGraded, failure.why.clone())
            };
        }
        let derived = workbook::derived(lab, &record);
        let case = Case {
            rules,
            record: &record,
            same: same.as_ref().as_ref().map_err(|_| NO_RERUN),
            seeded: seeded.as_ref().as_ref().map_err(|_| NO_RERUN),
            derived: derived.as_ref().map_err(String::as_str),
            figures: workbook::figures(lab),
            own_seed: own_seed(self.settings, &self.students[self.files[file].0].name),
        };
        let cost = |answer: &Shared| Answer::cost(answer, &rules.limits);
        Judged {
            cost: cost(&same).saturating_add(cost(&seeded)),
            ..found(&case, lab.name, failure, &asked.summary.run, &record)
        }
    }

    /// Grade of a student. For each lab the best record counts, the first among equals.
    fn total(&self, student: usize) -> Graded {
        let held = self.held();
        let of_student = self.files.iter().enumerate().filter(|(_, (owner, _))| *owner == student);
        let rows = of_student.map(|(at, (_, file))| match (&self.sketches[at], &held[at]) {
            (Prescan::Refused(status, why), _) => refused(self.settings.rules, file, *status, why),
            (Prescan::Work, _) => self.work_row(student, file),
            (Prescan::Record(_), Some(judged)) => self.row(at, judged),
            (Prescan::Record(_), None) => {
                refused(self.settings.rules, file, Status::NotGraded, "it was not judged; grade it again")
            }
        });
        let work = self.works.get(student).cloned().flatten();
        total(self.settings.rules, &self.students[student], rows.collect(), work)
    }

    /// Row of a submission, with the points of exercises and answers.
    fn work_row(&self, student: usize, file: &File) -> Row {
        let row = refused(self.settings.rules, file, Status::Graded, "");
        let Some(Some(work)) = self.works.get(student) else { return row };
        Row {
            status: if work.is_open() { Status::NotGraded } else { Status::Graded },
            counts: true,
            points: work.points(),
            of: work.of(),
            when: work.when.clone(),
            flags: work.flags.clone(),
            why: if work.is_open() { "not all exercises could be checked".to_owned() } else { String::new() },
            ..row
        }
    }

    fn row(&self, at: usize, judged: &Judged) -> Row {
        let rules = self.settings.rules;
        let file = self.files[at].1;
        let lab = judged.lab.as_deref().and_then(workbook::lab).map(|lab| lab.name);
        if judged.found.is_empty() {
            let row = refused(rules, file, judged.status, &judged.why);
            let is_asked = judged.status == Status::OverBudget;
            return Row {
                lab: lab.or(row.lab),
                of: lab.filter(|_| is_asked).map_or(row.of, |lab| full(rules, lab)),
                device: judged.device.clone(),
                is_measured: judged.is_measured,
                when: judged.when.clone(),
                flags: judged.flags.clone(),
                ..row
            };
        }
        let owner = self.owner_of_seed(at);
        let (status, why) = match owner {
            Some(_) if judged.status.has_points() => {
                (Status::NotOwn, "it was made with the seed that the course gave another student".to_owned())
            }
            _ => (judged.status, judged.why.clone()),
        };
        // A student who made the run with their own seed need not hear that somebody else handed it in.
        let student = &self.students[self.files[at].0].name;
        let twins: Vec<String> = self.twins[at]
            .iter()
            .filter(|twin| self.owner_of_seed(**twin) != Some(student))
            .map(|twin| {
                let (student, file) = self.files[*twin];
                format!("{}/{}", self.students[student].name, file.name)
            })
            .collect();
        let twins: Vec<&str> = twins.iter().map(String::as_str).collect();
        let mut flags = judged.flags.clone();
        flags.extend(owner.map(|owner| format!("seed-of:{owner}")));
        let line = |(check, of): (&crate::rules::Check, Points)| {
            let found = judged.found.iter().find(|found| found.id == check.id)?;
            let is_own_work = check.judge == judge::OWN_WORK;
            let finding = if is_own_work { own_work(&twins) } else { found.finding.clone() };
            let line = Line::scored(check, of, finding);
            Some(if status.has_points() { line } else { line.without_points() })
        };
        let lines: Vec<Line> = rules.checks(lab).filter_map(line).collect();
        for _ in rules.checks(lab).filter(|(check, _)| check.judge == judge::OWN_WORK) {
            flags.extend(twins.iter().map(|twin| format!("same-run-as:{twin}")));
        }
        Row {
            file: file.name.clone(),
            lab,
            device: judged.device.clone(),
            is_measured: judged.is_measured,
            when: judged.when.clone(),
            status,
            counts: false,
            points: lines.iter().map(|line| line.points).sum(),
            of: lines.iter().map(|line| line.of).sum(),
            lines,
            flags,
            why,
        }
    }

    /// The other student whose seed a record was made with, where the course gives each of them one.
    fn owner_of_seed(&self, file: usize) -> Option<&str> {
        let (seeds, Prescan::Record(asked)) = (self.settings.seeds?, &self.sketches[file]) else {
            return None;
        };
        let (seed, student) = (asked.summary.seed?, &self.students[self.files[file].0].name);
        let owner = seeds.iter().find(|(_, of)| **of == seed).map(|(owner, _)| owner.as_str());
        owner.filter(|_| seeds.get(student) != Some(&seed))
    }
}

/// Reason that every judge of re-runs gives; the row says once why there is none.
const NO_RERUN: &str = "there is no re-run to compare with";

impl Status {
    /// Whether a judgement of this status may be reused: not if a re-run was cut short, or if it depends on the
    /// student's other records.
    fn is_kept(self) -> bool {
        !matches!(self, Status::NotGraded | Status::OverBudget)
    }

    /// Whether a record of this status gets the points of its checks.
    fn has_points(self) -> bool {
        !matches!(self, Status::NotRerun | Status::NotRun | Status::NotOwn)
    }
}

impl Line {
    fn scored(check: &crate::rules::Check, of: Points, finding: Finding) -> Line {
        let (points, of) = match finding.outcome {
            Outcome::Part(good, parts) if check.partial || good == parts => (of.part(good, parts), of),
            // A student whom the table of seeds leaves out cannot help it.
            Outcome::Open if check.judge == judge::OWN_SEED => (Points::default(), Points::default()),
            Outcome::Part(..) | Outcome::Open => (Points::default(), of),
            Outcome::Beside => (Points::default(), Points::default()),
        };
        Line { id: check.id.clone(), what: check.what.clone(), points, of, finding }
    }

    fn without_points(self) -> Line {
        Line { points: Points::default(), ..self }
    }
}

/// Findings of all judges on a record.
fn found(
    case: &Case<'_>,
    lab: &'static str,
    failure: Option<&Failure>,
    run: &duplicate_runs::Run,
    record: &Record,
) -> Judged {
    let mut flags = Vec::new();
    let committed = duplicate_runs::committed(run, &case.rules.plausible);
    let (status, why) = if let Some(failure) = failure {
        (failure.status, failure.why.clone())
    } else if let Some(committed) = committed {
        flags.push(format!("workbook-record:{committed}"));
        (Status::NotOwn, format!("it is {}, which comes with the workbook", text::code(committed)))
    } else if is_without_a_run(case) {
        (Status::NotRun, "none of its outputs is what the kernels give for its seed".to_owned())
    } else {
        (Status::Graded, String::new())
    };
    if matches!(status, Status::NotRerun | Status::NotRun) {
        flags.push(status.to_string());
    }
    let mut found = Vec::new();
    for (check, _) in case.rules.checks(Some(lab)) {
        let finding = judge(case, check);
        flags.extend(judge::flag(check, finding.outcome));
        found.push(JudgedCheck { id: check.id.clone(), finding });
    }
    if let Ok(same) = case.same
        && same.record.written_by != record.written_by
    {
        flags.push(format!("written-by:{}", text::shown(&record.written_by)));
    }
    Judged { found, flags, lab: Some(lab.to_owned()), ..Judged::without_lines(record, status, why) }
}

fn device(record: &Record) -> String {
    match &record.device {
        Device::Gpu { .. } => format!("GPU: {}", text::shown(&record.device.label())),
        Device::Simt { .. } => text::shown(&record.device.label()),
    }
}

/// Row of a file without a record. It has no points; if its name says which lab it should be, that lab's points are
/// lost.
fn refused(rules: &Rules, file: &File, status: Status, why: &str) -> Row {
    let is_lost = matches!(
        status,
        // One that could not be read leaves its lab out.
        Status::NotGraded
            | Status::Invalid
            | Status::Empty
            | Status::TooLarge
            | Status::Unreadable
            | Status::Link
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
        of: lab.filter(|_| status != Status::NotGraded).map_or(Points::default(), |lab| full(rules, lab)),
        lines: vec![],
        flags: vec![],
        why: why.to_owned(),
        is_measured: false,
    }
}

/// Maximum points of a lab's record, without the checks that only some courses ask for.
fn full(rules: &Rules, lab: &str) -> Points {
    let always = rules.checks(Some(lab)).filter(|(check, _)| check.judge != judge::OWN_SEED);
    always.map(|(_, points)| points).sum()
}

/// Grade over a student's rows. For each lab the best record counts, the first among equals; a lab whose records could
/// not be graded is left out.
fn total(rules: &Rules, student: &Student, mut rows: Vec<Row>, work: Option<GradedWork>) -> Graded {
    let labs: BTreeSet<String> = match rules.assigned.as_slice() {
        [] => rows.iter().filter_map(|row| row.lab).map(str::to_owned).collect(),
        assigned => assigned.iter().cloned().collect(),
    };
    let mut points = work.as_ref().map(GradedWork::points).unwrap_or_default();
    let mut of = work.as_ref().map(GradedWork::of).unwrap_or_default();
    let mut missing = Vec::new();
    if student.name != NOBODY {
        for lab in labs {
            let is_open = rows.iter().any(|row| row.lab == Some(&lab) && row.status == Status::NotGraded);
            let ours = rows.iter_mut().filter(|row| row.lab == Some(&lab) && row.status != Status::NotGraded);
            let best = ours.reduce(|best, row| {
                let better = (row.points.per_mille(row.of), row.points);
                if better > (best.points.per_mille(best.of), best.points) { row } else { best }
            });
            match best {
                // The record that was not graded might be the better one.
                _ if is_open => {}
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
    Graded { student: student.name.clone(), rows, points, of, missing, work }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::rules::tests::laid;
    use labs::{Host, Lab, Limits, Relation, Request};
    use record::{Check, Counters, Point, TimeSource, Timing};
    use std::collections::BTreeMap;
    use std::sync::{Arc, OnceLock};

    /// A chip of 13 multiprocessors: some launches have a block for each.
    const SMALL_CHIP: &str = "gtx970";

    /// A record that nothing is wrong with, and what it is compared with.
    pub(crate) struct Honest {
        pub(crate) record: Record,
        lab: &'static Lab,
        rules: Rules,
        same: Arc<Answer>,
    }

    /// A small record of the lab: of the embedded device as it is, of a GPU with the embedded device's outputs, and
    /// times that a GPU could have.
    pub(crate) fn honest(lab: &'static Lab, is_measured: bool) -> Honest {
        let same = answer(lab, is_measured.then_some(20));
        let mut record = same.record.clone();
        record.when = "2026-01-31T10:00:00Z".to_owned();
        record.traces = labs::traces(lab).unwrap();
        if is_measured {
            measure(&mut record, &same);
        }
        labs::judge(lab, &mut record);
        if !is_measured {
            let (value, unit, what) = (1e8, "1/s".to_owned(), "of this machine".to_owned());
            record.facts.insert(labs::HOST_SPEED.to_owned(), record::Fact { value, unit, what });
        }
        Honest { record, lab, rules: laid("").unwrap(), same }
    }

    /// A small re-run, as for a GPU of this many multiprocessors. Each is made once, and those of one plan together.
    pub(crate) fn answer(lab: &'static Lab, multiprocessors: Option<u32>) -> Arc<Answer> {
        type Key = (&'static str, String);
        static MADE: Mutex<BTreeMap<Key, Arc<OnceLock<Arc<Answer>>>>> = Mutex::new(BTreeMap::new());
        let request = Request::small(lab.sizes, 5);
        let host = multiprocessors.map(|multiprocessors| Host { multiprocessors, measured: true });
        let own = Host { multiprocessors: 13, measured: false };
        let plan = format!("{:?}", (lab.plan)(&request, host.unwrap_or(own)).unwrap());
        let made = Arc::clone(MADE.lock().unwrap().entry((lab.name, plan)).or_default());
        let answer = made.get_or_init(|| {
            let parameters = request.parameters();
            let limits = Limits { instructions: 1 << 34, memory_bytes: 1 << 30 };
            let run =
                labs::rerun_of(lab, &parameters, None, SMALL_CHIP, host, labs::Edited::NONE, limits).unwrap();
            let labs::Rerun { record, relations, left_out, instructions } = run;
            Arc::new(Answer { record, relations, left_out, instructions })
        });
        Arc::clone(answer)
    }

    /// Makes a GPU's record of a re-run.
    fn measure(record: &mut Record, same: &Answer) {
        record.device = Device::Gpu {
            name: "NVIDIA X".into(),
            compute_capability: "9.0".into(),
            driver: "13.0".into(),
            multiprocessors: 20,
        };
        let points = record.experiments.iter_mut().flat_map(|e| &mut e.series).flat_map(|s| &mut s.points);
        for (i, (point, relation)) in points.zip(&same.relations).enumerate() {
            if *relation == Relation::Answered {
                // Facts that only a GPU knows, such as how many blocks it has room for.
                if point.y == 0.0 {
                    [point.y_min, point.y, point.y_max] = [2.0; 3];
                }
                continue;
            }
            let modelled = point.time.as_ref().map_or(1e5, |time| time.median_ns);
            point.time = Some(timing(modelled, 1.0 + i as f64 / 300.0));
            if let Relation::Difference(units) = relation {
                // So that the shorter launch takes a fifth of the time.
                point.y = 0.8 * point.time.as_ref().unwrap().median_ns / units;
            }
            if let Some(values) = relation.expected(point) {
                [point.y_min, point.y, point.y_max] = values;
            }
            hardware(point);
        }
        for (id, what) in &same.left_out {
            record.checks.push(Check {
                id: id.clone(),
                what: what.clone(),
                passed: true,
                found: "all".to_owned(),
                outputs: vec!["5a".repeat(8)],
            });
        }
    }

    fn timing(modelled: f64, by: f64) -> Timing {
        let ns = modelled.max(1e3) * by;
        Timing {
            is: TimeSource::Measured,
            calls: 30,
            median_ns: ns,
            mean_ns: ns * 1.001,
            min_ns: ns * 0.99,
            max_ns: ns * 1.01,
            iqr_ns: ns * 0.01,
        }
    }

    fn hardware(point: &mut Point) {
        let of = |name: &str| point.counters.get(name).map(|value| (name.to_owned(), *value));
        let counted: Counters =
            [of("global_load_sectors"), of("global_store_sectors")].into_iter().flatten().collect();
        point.hardware = counted;
    }

    impl Honest {
        /// The checks of which this record loses something.
        pub(crate) fn lost(&self, record: &Record) -> BTreeSet<String> {
            let derived = workbook::derived(self.lab, record);
            // The re-run of a GPU is that of as many multiprocessors as the record says.
            let other = match &record.device {
                Device::Gpu { multiprocessors, .. } if *multiprocessors != 20 => {
                    Some(answer(self.lab, Some(*multiprocessors)))
                }
                _ => None,
            };
            let case = Case {
                rules: &self.rules,
                record,
                same: Ok(other.as_deref().unwrap_or(&self.same)),
                // Of another seed it would pass as well.
                seeded: Ok(&self.same),
                derived: derived.as_ref().map_err(String::as_str),
                figures: workbook::figures(self.lab),
                own_seed: OwnSeed::NotAsked,
            };
            let is_lost = |check: &crate::rules::Check| !judge(&case, check).outcome.is_whole();
            let checks = self.rules.checks(None).map(|(check, _)| check);
            checks.filter(|check| is_lost(check)).map(|check| check.id.clone()).collect()
        }
    }
}
