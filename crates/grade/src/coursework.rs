//! From submissions to points for exercises and answers.
//!
//! Enters: what the students have handed in, the book, the rules, and marks that a person gave. Leaves: each student's work
//! with its points, and the sheet of answers still to be marked. Each different source is checked once, however many
//! students handed it in; a check is written to the journal as soon as it is made.

use crate::book::Book;
use crate::confined::check::{self, Checked, Failed};
use crate::grade::{Interrupted, Settings};
use crate::journal::Journal;
use crate::marks::{self, Given, Marks, Sheet};
use crate::progress::Progress;
use crate::schedule::{self, Task as Item};
use crate::similar::flags::{Similarities, Works};
use crate::similar::overlap::{self, Bounds, OwnParts};
use crate::submissions::workbook_files::{SubmittedWork, Unpacked};
use crate::submissions::{NOBODY, Student};
use crate::text;
use crate::work::{GradedWork, Kind, Part, State};
use anyhow::{Context, Result};
use exercise::{Packed, Task};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};
use submission::{Answer, Chosen, repeated};

/// Remarks on a file that a report shows; the rest are counted.
const MOST_NOTES: usize = 20;

/// The students' work, graded.
#[derive(Default)]
pub(crate) struct Coursework {
    /// For each student; none for those from whom none is expected.
    pub(crate) works: Vec<Option<GradedWork>>,
    /// Answers that a person has to mark, or has marked.
    pub(crate) sheet: Sheet,
    /// Similarities between students.
    pub(crate) alike: Similarities,
    /// Number of checks made.
    pub(crate) runs: usize,
    /// Number of checks that an earlier grading had kept.
    pub(crate) kept: usize,
    /// The journal's lines.
    pub(crate) checked: BTreeMap<String, Checked>,
}

/// Grades the students' work. `book` is the assigned part of the workbook.
///
/// # Errors
/// The journal cannot be written, or a mark does not fit.
pub(crate) fn all(
    students: &[Student],
    unpacked: &Unpacked,
    book: &Book,
    marks: Marks,
    settings: &Settings<'_>,
    journal: &Journal,
) -> Result<std::result::Result<Coursework, Interrupted>> {
    let requests = requests(students, unpacked, book, settings)?;
    let (checks, runs, kept) = match checks(students.len(), &requests, settings, journal)? {
        Ok(checks) => checks,
        Err(interrupted) => return Ok(Err(interrupted)),
    };
    let course = Course { students, unpacked, book, settings, requests: &requests, checks: &checks };
    let sheet = marks.given(course.to_mark()).with_context(|| settings.marks.display().to_string())?;
    let mut works: Vec<Option<GradedWork>> = (0..students.len()).map(|at| course.work(at, &sheet)).collect();
    let alike = course.alike();
    course.flag(&mut works, &alike);
    let checked = checks.into_iter().filter(|(_, checked)| !matches!(checked, Checked::Open(_)));
    Ok(Ok(Coursework { works, sheet, alike, runs, kept, checked: checked.collect() }))
}

/// Requests to the checker.
struct Requests<'a> {
    /// By student and exercise, the key of a check.
    keys: BTreeMap<(usize, String), String>,
    /// For each key one source that it is the check of.
    sources: BTreeMap<String, SourceToCheck<'a>>,
}

/// A source that is to be checked.
struct SourceToCheck<'a> {
    task: &'a Task,
    source: &'a str,
    /// The student's own seed.
    own: Option<u64>,
    /// The exercise, where it is a course's own.
    packed: Option<&'a Packed>,
}

impl SourceToCheck<'_> {
    /// The request, which is made only when it is needed: those of a whole course have all sources once more.
    fn request(&self, settings: &Settings<'_>) -> Result<String> {
        let rules = &settings.rules.exercises;
        let seeds = check::seeds(settings.seed, self.own, &self.task.exercise.name, rules.hidden);
        check::request(self.task, self.packed, self.source, seeds, rules)
    }
}

fn requests<'a>(
    students: &[Student],
    unpacked: &'a Unpacked,
    book: &'a Book,
    settings: &Settings<'_>,
) -> Result<Requests<'a>> {
    let mut requests = Requests { keys: BTreeMap::new(), sources: BTreeMap::new() };
    for (at, (student, handed)) in students.iter().zip(&unpacked.handed).enumerate() {
        let own = settings.seeds.and_then(|seeds| seeds.get(&student.name)).copied();
        for work in handed.iter().flat_map(|handed| &handed.work.exercises) {
            let Some(task) = book.tasks.iter().find(|task| task.exercise.name == work.name) else { continue };
            let of = (at, work.name.clone());
            if work.source.len() <= settings.rules.exercises.source_bytes && !requests.keys.contains_key(&of)
            {
                let packed = book.own.get(&work.name);
                let asked = SourceToCheck { task, source: &work.source, own, packed };
                let key = key(settings, &asked.request(settings)?);
                requests.keys.insert(of, key.clone());
                requests.sources.insert(key, asked);
            }
        }
    }
    Ok(requests)
}

/// Key of a check in the journal, and among the checks of one grading: a hash of the program and of the request, which has all
/// that the rules say about it.
fn key(settings: &Settings<'_>, request: &str) -> String {
    kernels::sha256(format!("{}:{}{request}", settings.program.len(), settings.program))
}

type Checks = (BTreeMap<String, Checked>, usize, usize);

/// Checks for the scheduler: an item is an exercise of a student.
struct Checking<'a> {
    requests: &'a Requests<'a>,
    settings: &'a Settings<'a>,
    journal: &'a Journal,
    /// By item, the key of its check.
    keys: Vec<&'a String>,
    /// By key, the finding.
    checks: Mutex<BTreeMap<String, Checked>>,
    progress: Progress,
}

impl schedule::Workload for Checking<'_> {
    type Answer = Checked;

    fn run(&self, key: &str) -> Result<Checked> {
        let asked = self.requests.sources.get(key).context("a check that was not asked for")?;
        let request = asked.request(self.settings)?;
        let checked = check::run(&self.settings.runner, &request, &self.settings.rules.exercises);
        self.progress.step();
        if !matches!(checked, Checked::Open(_)) {
            self.journal.add_check(key, &checked)?;
        }
        Ok(checked)
    }

    /// A check has its own limit, and costs nothing of a student's budget.
    fn judge(&self, item: usize, answers: &[Arc<Checked>]) -> Result<u64> {
        // No holder of the lock panics, and the data would still be consistent.
        let mut checks = self.checks.lock().unwrap_or_else(PoisonError::into_inner);
        for answer in answers {
            checks.entry(self.keys[item].clone()).or_insert_with(|| (**answer).clone());
        }
        Ok(0)
    }

    fn refuse(&self, _: usize) -> Result<()> {
        Ok(())
    }

    fn complete(&self, _: usize) -> Result<()> {
        Ok(())
    }
}

/// Makes each check once.
fn checks(
    students: usize,
    requests: &Requests<'_>,
    settings: &Settings<'_>,
    journal: &Journal,
) -> Result<std::result::Result<Checks, Interrupted>> {
    let known = requests.sources.keys().filter_map(|key| Some((key.clone(), journal.checked(key)?.clone())));
    let known: BTreeMap<String, Checked> = known.collect();
    let kept = known.len();
    let (mut turns, mut keys) = (vec![Vec::new(); students], vec![]);
    for ((student, _), key) in requests.keys.iter().filter(|(_, key)| !known.contains_key(*key)) {
        turns[*student].push(Item { item: keys.len(), keys: vec![key.clone()], kept: None });
        keys.push(key);
    }
    let progress = Progress::new("exercises checked", requests.sources.len() - kept);
    let checking = Checking { requests, settings, journal, keys, checks: Mutex::new(known), progress };
    let done = schedule::all(turns, u64::MAX, settings.jobs, settings.runner.interrupted, &checking)?;
    let checks = checking.checks.into_inner().unwrap_or_else(PoisonError::into_inner);
    if done.interrupted {
        let judged = checks.values().filter(|checked| !matches!(checked, Checked::Open(_))).count();
        return Ok(Err(Interrupted { judged, of: requests.sources.len(), what: "exercises" }));
    }
    Ok(Ok((checks, done.runs, kept)))
}

/// Everything that grading a student's work needs.
struct Course<'a> {
    students: &'a [Student],
    unpacked: &'a Unpacked,
    book: &'a Book,
    settings: &'a Settings<'a>,
    requests: &'a Requests<'a>,
    checks: &'a BTreeMap<String, Checked>,
}

impl Course<'_> {
    fn handed(&self, student: usize) -> Option<&SubmittedWork> {
        self.unpacked.handed.get(student)?.as_ref()
    }

    /// The first answer of a student to a question for words.
    fn answered(&self, student: usize, id: &str) -> Option<&Answer> {
        let answer = self.handed(student)?.work.answers.iter().find(|answer| answer.id == id)?;
        Some(answer).filter(|answer| !answer.text.trim().is_empty())
    }

    /// The same, if it is within the limit.
    fn answer(&self, student: usize, id: &str) -> Option<&Answer> {
        let most = self.settings.rules.exercises.source_bytes;
        self.answered(student, id).filter(|answer| answer.text.len() <= most)
    }

    /// The marking sheet's lines, question by question, so that one is marked for all students in a row.
    fn to_mark(&self) -> Vec<marks::Line> {
        let mut lines = vec![];
        for question in &self.book.bank {
            for (at, student) in self.students.iter().enumerate() {
                let Some(answer) = self.answer(at, &question.id) else { continue };
                let line = |one| marks::Line::new(&student.name, question, one, &answer.text);
                lines.extend(question.criteria.iter().map(line));
            }
        }
        lines
    }

    /// A student's work. None is expected from a student who has handed in none, unless chapters are assigned.
    fn work(&self, at: usize, sheet: &Sheet) -> Option<GradedWork> {
        let is_expected =
            !self.settings.rules.chapters.is_empty() || self.unpacked.tried.get(at) == Some(&true);
        if self.students[at].name == NOBODY || !is_expected {
            return None;
        }
        let mut work = GradedWork::default();
        if let Some(handed) = self.handed(at) {
            let submission::Submission { name, id, when, .. } = &handed.work;
            work.file.clone_from(&handed.file);
            work.by = if id.is_empty() {
                text::code(name)
            } else {
                format!("{} ({})", text::code(name), text::code(id))
            };
            work.when = text::shown(when);
            self.remarks(handed, &mut work);
        }
        work.parts.extend(self.book.tasks.iter().map(|task| self.exercise(at, task)));
        work.parts.extend(self.book.questions.iter().map(|question| self.question(at, question)));
        work.parts.extend(self.book.bank.iter().map(|question| self.words(at, question, sheet)));
        if self.unpacked.unread.get(at) == Some(&true) {
            let why = "a file of the student's could not be read; grade it again";
            work.parts = work.parts.into_iter().map(|part| part.uncounted(State::Open, why)).collect();
        }
        let beside = work.parts.iter().filter(|part| part.state == State::Beside);
        work.flags.extend(beside.map(|part| format!("other-choices:{}", part.id)));
        Some(work)
    }

    /// Oddities of a submission.
    fn remarks(&self, handed: &SubmittedWork, work: &mut GradedWork) {
        let submission = &handed.work;
        if submission.versions.exercises != exercise::digest() {
            work.flags.push("other-exercises".to_owned());
            work.notes.push(
                "it was written with a different version of the exercises from the one that grades it"
                    .to_owned(),
            );
        }
        let known = |names: Vec<&str>, all: &[String], what: &str, work: &mut GradedWork| {
            for at in repeated(names.iter().copied()) {
                work.notes.push(format!("{what} {} is in it twice; the first counts", text::code(names[at])));
            }
            let others = names.iter().filter(|name| !all.iter().any(|known| known == *name));
            let others: Vec<String> = others.map(|name| text::code(name)).collect();
            match &others[..] {
                [] => {}
                [one] => work.notes.push(format!("{what} {one} is not assigned and is ignored")),
                [..] => {
                    let shown = others[..others.len().min(MOST_NAMED)].join(", ");
                    let more = others.len().saturating_sub(MOST_NAMED);
                    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
                    work.notes.push(format!("{what}s {shown}{more} are not assigned and are ignored"));
                }
            }
        };
        let exercises = self.book.tasks.iter().map(|task| task.exercise.name.clone()).collect::<Vec<_>>();
        let questions = self.book.questions.iter().map(|one| one.id.clone()).collect::<Vec<_>>();
        let bank = self.book.bank.iter().map(|one| one.id.clone()).collect::<Vec<_>>();
        known(
            submission.exercises.iter().map(|one| one.name.as_str()).collect(),
            &exercises,
            "exercise",
            work,
        );
        known(submission.questions.iter().map(|one| one.id.as_str()).collect(), &questions, "question", work);
        known(submission.answers.iter().map(|one| one.id.as_str()).collect(), &bank, "answer", work);
        let more = work.notes.len().saturating_sub(MOST_NOTES);
        work.notes.truncate(MOST_NOTES);
        work.notes.extend((more > 0).then(|| format!("and {more} more of this kind")));
    }

    fn exercise(&self, at: usize, task: &Task) -> Part {
        let exercise = &task.exercise;
        let part = Part::new(Kind::Exercise, &exercise.name, &exercise.chapter, exercise.points);
        let works = self.handed(at).map(|handed| handed.work.exercises.as_slice()).unwrap_or_default();
        let Some(work) = works.iter().find(|work| work.name == exercise.name) else {
            return part.without(State::Missing, "not handed in");
        };
        let Some(key) = self.requests.keys.get(&(at, exercise.name.clone())) else {
            let most = self.settings.rules.exercises.source_bytes;
            let why = format!("its source has {} bytes, but at most {most} are compiled", work.source.len());
            return part.without(State::Graded, why);
        };
        match self.checks.get(key) {
            Some(Checked::Passed { cases }) => {
                let all = part.of;
                part.with(all, format!("right in all {cases} cases"))
            }
            Some(Checked::Failed(failed)) => {
                Part { detail: failed.text.clone(), ..part.without(State::Graded, why(task, failed)) }
            }
            Some(Checked::Stopped(why)) => part.without(State::Graded, why),
            Some(Checked::Open(why)) => part.uncounted(State::Open, why),
            None => part.uncounted(State::Open, "it was not checked; grade it again"),
        }
    }

    fn question(&self, at: usize, question: &question::Question) -> Part {
        let part = Part::new(Kind::Question, &question.id, &question.chapter, question.points);
        let all = self.handed(at).map(|handed| handed.work.questions.as_slice()).unwrap_or_default();
        let Some(Chosen { chosen, .. }) = all.iter().find(|chosen| chosen.id == question.id) else {
            return part.without(State::Missing, "not answered");
        };
        match question.score(chosen) {
            Ok((good, parts)) => {
                let why = match good {
                    0 => "not found before all choices were tried".to_owned(),
                    _ if good == parts => "right at the first attempt".to_owned(),
                    _ => format!("right after {} wrong", parts - good),
                };
                let points = part.of.part(good, parts);
                part.with(points, why)
            }
            // The book's choices are values of its records, which differ from version to version.
            Err(choice) => part.uncounted(
                State::Beside,
                format!(
                    "{} is not one of its choices in this version of the book, so it does not count",
                    text::code(&choice)
                ),
            ),
        }
    }

    fn words(&self, at: usize, question: &question::bank::Question, sheet: &Sheet) -> Part {
        let part = Part::new(Kind::Words, &question.id, &question.chapter, question.points());
        let student = &self.students[at].name;
        let most = self.settings.rules.exercises.source_bytes;
        match self.answered(at, &question.id) {
            None => part.without(State::Missing, "not answered"),
            Some(answer) if answer.text.len() > most => {
                let why = format!("it has {} bytes, but at most {most} are marked", answer.text.len());
                part.without(State::Graded, why)
            }
            Some(_) => match sheet.points(student, &question.id) {
                Some(points) => part.with(points, marked(sheet, student, question)),
                None => part.uncounted(State::Unmarked, "not marked yet"),
            },
        }
    }

    /// Whether an answer is the model answer, which any reader of the repository finds.
    fn repeats(&self, question: &question::bank::Question, answer: &Answer) -> bool {
        overlap::repeats(&answer.text, &question.answer, self.settings.rules.exercises.alike)
    }

    /// Work that students share.
    fn alike(&self) -> Similarities {
        let rules = &self.settings.rules.exercises;
        let source = |task: &Task, at: usize| {
            let all = &self.handed(at)?.work.exercises;
            let work = all.iter().find(|work| work.name == task.exercise.name)?;
            let is_read = work.source.len() <= rules.source_bytes;
            is_read.then(|| (at, OwnParts::of_source(&self.book.given, &work.source)))
        };
        let words = |question: &question::bank::Question, at: usize| {
            // The workbook's text is not a student's own; handing it in has its own flag.
            let answer = self.answer(at, &question.id).filter(|answer| !self.repeats(question, answer))?;
            Some((at, OwnParts::of_words(&answer.text)))
        };
        // A student alone shares with no one.
        let students = if self.students.len() > 1 { self.students.len() } else { 0 };
        let all = || 0..students;
        let sources = self.book.tasks.iter().map(|task| Works {
            name: &task.exercise.name,
            own: all().filter_map(|at| source(task, at)).collect(),
        });
        let words = self.book.bank.iter().map(|question| Works {
            name: &question.id,
            own: all().filter_map(|at| words(question, at)).collect(),
        });
        let names: Vec<&str> = self.students.iter().map(|student| student.name.as_str()).collect();
        Similarities::find(
            &names,
            &sources.collect::<Vec<_>>(),
            &words.collect::<Vec<_>>(),
            Bounds::new(rules),
        )
    }

    /// Flags work that students share.
    fn flag(&self, works: &mut [Option<GradedWork>], alike: &Similarities) {
        for (student, flag) in &alike.flags {
            if let Some(Some(work)) = works.get_mut(*student) {
                work.flags.push(flag.clone());
            }
        }
        for (at, work) in works.iter_mut().enumerate() {
            let Some(work) = work else { continue };
            let answered = |question: &&question::bank::Question| {
                self.answer(at, &question.id).is_some_and(|answer| self.repeats(question, answer))
            };
            let repeated = self.book.bank.iter().filter(answered);
            work.flags.extend(repeated.map(|question| format!("model-answer:{}", question.id)));
        }
        let handed = || (0..self.students.len()).filter_map(|at| Some((at, self.handed(at)?)));
        let mut ids: BTreeMap<&str, BTreeSet<usize>> = BTreeMap::new();
        for (at, handed) in handed().filter(|(_, handed)| !handed.work.id.is_empty()) {
            ids.entry(&handed.work.id).or_default().insert(at);
        }
        for (at, handed) in handed() {
            let others = ids.get(handed.work.id.as_str()).into_iter().flatten().filter(|other| **other != at);
            let Some(Some(work)) = works.get_mut(at) else { continue };
            let same = others.map(|other| format!("same-id-as:{}", self.students[*other].name));
            work.flags.extend(same);
        }
    }
}

/// The reason why a source has no points, in a line.
fn why(task: &Task, failed: &Failed) -> String {
    let found = failed.found.as_str();
    let what = match found {
        "compile" => return "it does not compile".to_owned(),
        "launch" => "it cannot be run".to_owned(),
        "fault" => "a fault".to_owned(),
        "wrong" => "wrong results".to_owned(),
        "mistake" => "a mistake that the runtime reports".to_owned(),
        "exit" => "another exit code".to_owned(),
        "output" => "wrong output".to_owned(),
        _ if task.exercise.conditions.iter().any(|one| one.name == found) => {
            format!("right, but missed `{found}`")
        }
        _ => format!("found `{found}`"),
    };
    // Names and sizes are the manifest's; the rest is ours.
    let sizes = if failed.case.is_empty() { String::new() } else { format!(" ({})", failed.case) };
    match (failed.shown, failed.hidden) {
        (Some((at, of)), _) => format!("{what} in case {at} of the {of} that the exercise shows{sizes}"),
        (None, Some((at, of))) => {
            format!("{what} in hidden case {at} of {of}{sizes}, while the cases that the exercise shows pass")
        }
        (None, None) => what,
    }
}
/// Most exercises or questions that a note names.
const MOST_NAMED: usize = 40;

/// Most characters of a remark that a report shows.
const MOST_OF_REMARK: usize = 2_000;

/// Points that a person gave for each criterion of an answer, with remarks: why it has its points, and not more.
fn marked(sheet: &Sheet, student: &str, question: &question::bank::Question) -> String {
    let given = sheet.criteria(student, &question.id);
    let given = given.iter().map(|Given { criterion, points, of, remark }| {
        let remark = if remark.is_empty() {
            String::new()
        } else {
            format!(" ({})", text::long_code(remark, MOST_OF_REMARK))
        };
        format!("{points} of {of} for {}{remark}", text::code(criterion))
    });
    format!("marked by a person: {}", given.collect::<Vec<_>>().join(", "))
}
