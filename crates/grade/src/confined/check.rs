//! Checks of exercises, each in a separate, confined process.
//!
//! Enters: an exercise's name, a source, and the seeds of hidden cases. Leaves: what the checker found, or why it could not
//! say. The process gets the source by stdin and answers by stdout; it knows of no student and can open no file. Equal
//! requests give equal answers, so that each is made once.

use crate::book::Tasks;
use crate::confined::child::{self, Ended, Runner};
use crate::confined::confine::{self, confine};
use crate::rules;
use crate::text;
use checker::{Case, Finding};
use exercise::{Packed, Task};
use interpreter::Interpreter;
use serde::{Deserialize, Serialize};
use std::process::ExitCode;
use std::time::Duration;

/// First argument of a child process that checks one source. Internal.
pub(crate) const CHILD: &str = "--check-of-one-source";

/// Most bytes of an answer: messages are cut well below.
const MOST_ANSWER: u64 = 1 << 20;
/// Most characters of the messages that are kept.
const MOST_OF_MESSAGES: usize = 8_000;
/// Wall-clock limit, as a multiple of the processor time that a check may take: a machine may have other work.
const PATIENCE: u32 = 10;

/// A check. Equal texts of it are equal checks.
#[derive(Debug, Serialize, Deserialize)]
struct Request {
    exercise: String,
    /// The exercise itself, where it is not the workbook's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    course: Option<Packed>,
    source: String,
    /// Seeds of the hidden cases.
    seeds: Vec<u64>,
    seconds: u64,
    memory_bytes: u64,
}

/// A check of an exercise.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Checked {
    /// All cases hold.
    Passed { cases: usize },
    /// A case does not.
    Failed(Box<Failed>),
    /// It was ended because it took too much of the machine. The reason, escaped.
    Stopped(String),
    /// It could not be checked, through no fault of the student's. The reason, escaped.
    Open(String),
}

/// A case that does not hold.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Failed {
    /// The finding, by which hints are chosen.
    pub(crate) found: String,
    /// Which of the cases that the exercise shows it is, from 1, and of how many; or of the hidden ones.
    pub(crate) shown: Option<(usize, usize)>,
    pub(crate) hidden: Option<(usize, usize)>,
    /// The case in words; empty for a source that does not compile.
    pub(crate) case: String,
    /// The checker's messages, as they came.
    pub(crate) text: String,
}

/// Message of a child process.
#[derive(Serialize, Deserialize)]
enum ChildMessage {
    Passed(usize),
    Failed(Failed),
    Refused(String),
}

/// A check as text.
///
/// # Errors
/// The writer's; JSON can hold all of a request.
pub(crate) fn request(
    task: &Task,
    course: Option<&Packed>,
    source: &str,
    seeds: Vec<u64>,
    rules: &rules::Exercises,
) -> anyhow::Result<String> {
    Ok(serde_json::to_string(&Request {
        exercise: task.exercise.name.clone(),
        course: course.cloned(),
        source: source.to_owned(),
        seeds,
        seconds: rules.seconds,
        memory_bytes: rules.memory_bytes,
    })?)
}

/// Seeds of an exercise's hidden cases. They reveal nothing about the seed that they are made from.
pub(crate) fn seeds(seed: u64, own: Option<u64>, exercise: &str, count: usize) -> Vec<u64> {
    let own = own.map_or_else(String::new, |own| own.to_string());
    let one = |at: usize| {
        let hash = kernels::sha256(format!("{seed} {own} {exercise} {at}"));
        // 16 hexadecimal digits of 64.
        hash.get(..16).and_then(|digits| u64::from_str_radix(digits, 16).ok()).unwrap_or(seed)
    };
    (0..count).map(one).collect()
}

/// Checks that a course's solutions pass: what fails them would fail every student.
///
/// # Errors
/// The first exercise whose solution does not, with the reason.
pub(crate) fn solutions(
    runner: &Runner<'_>,
    tasks: &Tasks,
    seed: u64,
    rules: &rules::Exercises,
) -> anyhow::Result<()> {
    for (name, packed) in &tasks.own {
        let Some(task) = tasks.all.iter().find(|task| task.exercise.name == *name) else { continue };
        let seeds = seeds(seed, None, name, rules.hidden);
        let why = match run(
            runner,
            &request(task, Some(packed), &task.variants.solution(), seeds, rules)?,
            rules,
        ) {
            Checked::Passed { .. } => continue,
            Checked::Failed(failed) => failed.text,
            Checked::Stopped(why) | Checked::Open(why) => why,
        };
        anyhow::bail!("--course: exercise `{name}`: its solution does not pass: {why}");
    }
    Ok(())
}

/// Makes one check.
pub(crate) fn run(runner: &Runner<'_>, request: &str, rules: &rules::Exercises) -> Checked {
    // The wall clock must end nothing before the limit of processor time does, which other work does not change; --timeout may
    // ask for less.
    let limit = Duration::from_secs(rules.seconds).min(runner.limit).saturating_mul(PATIENCE);
    let done = match runner.ask(CHILD, request, &[], limit, MOST_ANSWER) {
        Ok(done) => done,
        Err(Ended::Time(limit)) => {
            return Checked::Open(format!(
                "the check did not end within {} s by the clock; grade it again, with less load",
                limit.as_secs_f64()
            ));
        }
        Err(Ended::Interrupted) => return Checked::Open("grading was interrupted".to_owned()),
        Err(Ended::Failed(why)) => return Checked::Open(format!("the check could not be made: {why}")),
    };
    match serde_json::from_slice(&done.answer) {
        Ok(ChildMessage::Passed(cases)) => Checked::Passed { cases },
        Ok(ChildMessage::Failed(failed)) => Checked::Failed(Box::new(failed)),
        Ok(ChildMessage::Refused(why)) => {
            Checked::Open(format!("the check could not be made: {}", text::code(&why)))
        }
        Err(_) if confine::ran_out_of_time(done.status) => Checked::Stopped(format!(
            "its check was ended after {} s of processor time, many times what a solution takes",
            rules.seconds
        )),
        Err(_) if child::ran_out_of_memory(&done) => Checked::Stopped(format!(
            "its check was ended when it asked for more than {} MiB of memory, many times what a solution takes",
            rules.memory_bytes >> 20
        )),
        Err(_) if child::ran_out_of_stack(&done) => {
            Checked::Stopped("its check was ended: it nests deeper than the compiler can follow".to_owned())
        }
        Err(_) => Checked::Open("the check was ended from outside; grade it again".to_owned()),
    }
}

/// The child process.
pub(crate) fn child() -> ExitCode {
    let answer = |request: Request, _: &[u8]| checked(&request).unwrap_or_else(ChildMessage::Refused);
    let limits = |request: &Request| {
        confine(Some(confine::Limits { seconds: request.seconds, memory_bytes: request.memory_bytes }))
    };
    child::answer(limits, answer, ChildMessage::Refused)
}

fn checked(request: &Request) -> Result<ChildMessage, String> {
    let tasks = match &request.course {
        Some(packed) => packed.clone().tasks()?,
        None => exercise::all()?,
    };
    let task = tasks.iter().find(|task| task.exercise.name == request.exercise);
    let task = task.ok_or("there is no such exercise")?;
    let mut cases = Case::shown(&task.exercise);
    let shown = cases.len();
    cases.extend(request.seeds.iter().map(|seed| Case::hidden(&task.exercise, *seed)));
    let name = format!("{}.cu", task.exercise.name);
    let verdict = checker::check_with(task, &name, &request.source, &cases, &Interpreter, None)
        .map_err(|defect| defect.to_string())?;
    let Some(found) = verdict.found() else { return Ok(ChildMessage::Passed(verdict.cases)) };
    let words = feedback::findings(&verdict, task, &name, &request.source);
    let is_run = !matches!(verdict.finding, Some(Finding::Compile(_) | Finding::Cause(_)));
    let at = verdict.held;
    Ok(ChildMessage::Failed(Failed {
        found: found.to_owned(),
        shown: (is_run && at < shown).then_some((at + 1, shown)),
        hidden: (is_run && at >= shown).then(|| (at + 1 - shown, request.seeds.len())),
        case: verdict.case.clone(),
        text: words.chars().take(MOST_OF_MESSAGES).collect(),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_exercise_and_student_has_other_seeds() {
        let all = [
            seeds(1, None, "a", 3),
            seeds(1, None, "b", 3),
            seeds(2, None, "a", 3),
            seeds(1, Some(1), "a", 3),
            seeds(1, Some(2), "a", 3),
        ];
        let different: BTreeSet<u64> = all.iter().flatten().copied().collect();
        assert_eq!(different.len(), 15);
        assert_eq!(all[0], seeds(1, None, "a", 3));
    }
}
