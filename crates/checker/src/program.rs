//! The check of a whole program: compiled, run in all cases, its output compared with the solution's, counted.
//!
//! Enters: an exercise whose source is a program, a student's source, and an engine for the host's side. Leaves: a verdict. What a
//! program must print and how it must end is what the solution does with the same arguments; what it does wrong is a finding unless the
//! solution does it too, as where a launch is to fail. Everything is modelled and limited by counts, so that equal sources have equal
//! verdicts. This module must never know which engine it is, where sources are or how verdicts are shown.

use crate::check::{Defect, device_of_programs};
use crate::costs::Costs;
use crate::data::Case;
use crate::verdict::{Differing, Finding, Measured, Missed, Verdict};
use cuda::Output;
use cuda::diagnostic::Diagnostic;
use device::Counters;
use exercise::Task;
use exercise::expression::Expression;
use exercise::manifest::Condition;
use exercise::program::{
    BLOCKS, COPIES, DEVICE_NS, HOST_OPERATIONS, HOST_WORDS, LAUNCHES, OVERLAP_NS, STREAMS, THREADS,
};
use hostrun::{Ended, Engine, Limits, Outcome, Sides};
use runtime::api::{self, Launches, Profile};
use runtime::library::{self, Clock, NoFiles, Source, Standard};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::io::Cursor;
use std::rc::Rc;

/// Operations of the host's side: hundreds of times what the longest solution takes.
const OPERATIONS: u64 = 1 << 26;

/// Bytes of the host's heap, and of what a program may print: more than any solution uses.
const HEAP: u64 = 64 << 20;
const OUTPUT: u64 = 64 << 10;

/// Checks a program, which messages call by `name`, in cases one after the other, up to the first that fails.
///
/// # Errors
/// A defect of the exercise itself.
pub(crate) fn check(
    task: &Task,
    name: &str,
    source: &str,
    cases: &[Case],
    engine: &dyn Engine,
) -> Result<Verdict, Defect> {
    let defect = |why: String| Defect::of(task, why);
    let mut verdict = Verdict { cases: cases.len(), ..Verdict::default() };
    let sides = match compile(name, source) {
        Ok(sides) => sides,
        Err(failure) => {
            verdict.finding = Some(Finding::Compile(Box::new(failure)));
            return Ok(verdict);
        }
    };
    let reference = compile("reference.cu", &task.reference)
        .map_err(|failure| defect(cuda::diagnostic::render(&failure.diagnostics, &failure.sources, false)))?;
    for case in cases {
        let checked = Checked { task, case, engine };
        let expected = checked.run(&reference).map_err(defect)?;
        if let Ended::Signal { why, .. } | Ended::Limit { why, .. } = &expected.outcome.ended {
            return Err(defect(format!("the solution was ended: {why}")));
        }
        let mut ran = checked.run(&sides).map_err(defect)?;
        let finding = checked.finding(&ran, &expected);
        if finding.is_none() && counts_host_words(task) {
            ran.host_words =
                Some(checked.host_words((&sides, &ran), (&reference, &expected)).map_err(defect)?);
        }
        verdict.measured = if finding.is_some() { vec![] } else { checked.measured(&ran).map_err(defect)? };
        verdict.finding = finding.or_else(|| missed(task, &verdict.measured));
        (verdict.case, verdict.printed) = (case.words(), String::from_utf8_lossy(&ran.printed).into_owned());
        if verdict.finding.is_some() {
            break;
        }
        verdict.held += 1;
    }
    verdict.warnings = warnings(&sides);
    verdict.sources = sides.host.sources;
    verdict.origins = sides.device.origins;
    Ok(verdict)
}

fn compile(name: &str, source: &str) -> Result<Sides, cuda::Failure> {
    let arch = cuda::Arch { number: device::GRADED_CAPABILITY, suffix: None };
    hostrun::compile(name, source, &|_| None, &cuda::Options { arch, ..cuda::Options::default() })
}

/// What a program costs in a case; nothing of one that does not end by itself.
///
/// # Errors
/// A defect of the exercise itself.
pub(crate) fn costs(
    task: &Task,
    name: &str,
    source: &str,
    case: &Case,
    engine: &dyn Engine,
) -> Result<Option<Costs>, Defect> {
    let Ok(sides) = compile(name, source) else { return Ok(None) };
    let checked = Checked { task, case, engine };
    let defect = |why: String| Defect::of(task, why);
    let mut ran = checked.run(&sides).map_err(defect)?;
    if let Ended::Signal { .. } | Ended::Limit { .. } = &ran.outcome.ended {
        return Ok(None);
    }
    // Costs are those of a source that has passed.
    ran.host_words = counts_host_words(task).then_some(0);
    let profile = ran.outcome.api.profile();
    let mut counters = Counters::default();
    for one in profile.launches().0 {
        for _ in 0..one.times {
            one.counters.iter().for_each(|once| counters.add(once));
        }
    }
    let measured = checked.measured(&ran).map_err(defect)?;
    Ok(Some(Costs { measured, counters, modelled_ns: at_once(profile, 1) as f64, limit: None }))
}

/// What the compiler warns of in the student's own file, which both sides have first: what both say is said once.
fn warnings(sides: &Sides) -> Vec<Diagnostic> {
    let both = [(&sides.host.warnings, &sides.host.sources), (&sides.device.warnings, &sides.device.sources)];
    let mut all: Vec<Diagnostic> = vec![];
    for (warnings, sources) in both {
        let own = |one: &&Diagnostic| sources.position(one.span.lo).is_some_and(|at| !at.file.ours);
        for one in warnings.iter().filter(own) {
            if !all.iter().any(|old| (old.span, &old.message) == (one.span, &one.message)) {
                all.push(one.clone());
            }
        }
    }
    all
}

/// The conditions that do not hold.
fn missed(task: &Task, measured: &[Measured]) -> Option<Finding> {
    let all = task.exercise.conditions.iter().zip(measured);
    let missed = all.filter(|(_, measured)| !measured.holds()).map(|(condition, measured)| Missed {
        measured: measured.clone(),
        says: condition.says.clone(),
        place: None,
        others: vec![],
        access: None,
    });
    let missed: Vec<Missed> = missed.collect();
    (!missed.is_empty()).then_some(Finding::Missed(missed))
}

fn counts_host_words(task: &Task) -> bool {
    task.exercise.conditions.iter().any(|condition| condition.count == HOST_WORDS)
}

/// A program whose kernels do nothing: each returns at its first instruction.
fn idle(sides: &Sides) -> Sides {
    let mut ptx = String::new();
    let mut enters = false;
    for line in sides.device.ptx.split_inclusive('\n') {
        ptx.push_str(line);
        enters |= line.contains(".entry ");
        if enters && line.trim_end() == "{" {
            ptx.push_str("\tret;\n");
            enters = false;
        }
    }
    Sides { host: sides.host.clone(), device: Output { ptx, ..sides.device.clone() } }
}

/// A program in one case.
struct Checked<'a> {
    task: &'a Task,
    case: &'a Case,
    engine: &'a dyn Engine,
}

/// What a run leaves.
struct Ran {
    outcome: Outcome,
    mistakes: Vec<Diagnostic>,
    /// Its standard output.
    output: Vec<u8>,
    /// That and its standard error, as they came.
    printed: Vec<u8>,
    /// Number of [`HOST_WORDS`]; none where no condition asks for it.
    host_words: Option<u64>,
}

impl Checked<'_> {
    fn value(&self, formula: &Expression, more: &dyn Fn(&str) -> Option<i64>) -> Result<i64, String> {
        self.case.value(self.task.exercise.setup(), formula, more).map_err(|error| error.to_string())
    }

    fn texts(&self, formulas: &[Expression]) -> Result<Vec<String>, String> {
        formulas.iter().map(|formula| Ok(self.value(formula, &|_| None)?.to_string())).collect()
    }

    fn run(&self, sides: &Sides) -> Result<Ran, String> {
        let program = self.task.exercise.program.clone().unwrap_or_default();
        let mut arguments = vec![self.task.exercise.name.clone()];
        arguments.extend(self.texts(&program.arguments)?);
        let input: String = self.texts(&program.input)?.iter().map(|line| format!("{line}\n")).collect();
        let written = Rc::new(RefCell::new((vec![], vec![])));
        let into = written.clone();
        let options = library::Options {
            arguments,
            environment: vec![],
            files: Box::new(NoFiles),
            input: Box::new(Cursor::new(input.into_bytes())),
            output: Box::new(move |to: Standard, bytes: &[u8]| {
                let (output, printed) = &mut *into.borrow_mut();
                printed.extend_from_slice(bytes);
                if to == Standard::Out {
                    output.extend_from_slice(bytes);
                }
            }),
            clock: Clock::new(Source::Modelled),
            limits: library::Limits { heap: HEAP, output: OUTPUT, files: 0 },
        };
        let limits = Limits { operations: OPERATIONS, leaks: true };
        let device = Box::new(device_of_programs()?);
        let outcome = hostrun::run(sides, self.engine, device, options, limits).map_err(|e| e.to_string())?;
        let mistakes = hostrun::diagnostics(&outcome, sides);
        let (output, printed) = written.take();
        Ok(Ran { outcome, mistakes, output, printed, host_words: None })
    }

    /// Number of [`HOST_WORDS`], of a program and the solution with what they print.
    fn host_words(&self, found: (&Sides, &Ran), expected: (&Sides, &Ran)) -> Result<u64, String> {
        // A zero may be what memory holds that no kernel has written.
        let alike = |(sides, ran): (&Sides, &Ran)| -> Result<Vec<bool>, String> {
            let idle = self.run(&idle(sides))?;
            let [with, without] = [&ran.output, &idle.output].map(|output| String::from_utf8_lossy(output));
            let mut without = words(&without);
            Ok(words(&with).map(|word| without.next() == Some(word) && word != "0").collect())
        };
        let (found, meant) = (alike(found)?, alike(expected)?);
        Ok(found.iter().zip(&meant).filter(|(found, meant)| **found && !**meant).count() as u64)
    }

    /// What a program did wrong or otherwise than the solution.
    fn finding(&self, ran: &Ran, expected: &Ran) -> Option<Finding> {
        let meant: BTreeSet<&str> = expected.mistakes.iter().map(|one| one.code).collect();
        let mistakes: Vec<Diagnostic> =
            ran.mistakes.iter().filter(|one| !meant.contains(one.code)).cloned().collect();
        if !mistakes.is_empty() {
            return Some(Finding::Mistakes(mistakes));
        }
        let [found, wanted] = [ran, expected].map(|one| one.outcome.ended.code());
        if found != wanted {
            return Some(Finding::Exit { found, expected: wanted });
        }
        let within = self.task.exercise.program.as_ref().map_or(0.0, |program| program.within);
        let differing = differing(&ran.output, &expected.output, within);
        differing.map(|lines| Finding::Output(Box::new(lines)))
    }

    fn measured(&self, ran: &Ran) -> Result<Vec<Measured>, String> {
        let count = |name: &str| count(ran, name);
        let measured = |condition: &Condition| {
            let limit = |formula: &Option<_>| formula.as_ref().map(|of| self.value(of, &count)).transpose();
            let value = count(&condition.count);
            Ok(Measured {
                name: condition.name.clone(),
                count: condition.count.clone(),
                value: value.ok_or_else(|| format!("no count named `{}`", condition.count))?,
                allowed: (limit(&condition.least)?, limit(&condition.most)?),
            })
        };
        self.task.exercise.conditions.iter().map(measured).collect()
    }
}

/// The first line that differs, apart from numbers that differ by no more than a share. Blanks at a line's end, and empty lines at the
/// end, are not a difference.
fn differing(found: &[u8], expected: &[u8], within: f64) -> Option<Differing> {
    let lines = |bytes: &[u8]| -> Vec<String> {
        let text = String::from_utf8_lossy(bytes);
        text.trim_end().lines().map(|line| line.trim_end().to_owned()).collect()
    };
    let (found, expected) = (lines(found), lines(expected));
    let differs = |at: &usize| match (found.get(*at), expected.get(*at)) {
        (Some(found), Some(expected)) => !is_same(found, expected, within),
        _ => true,
    };
    let line = (0..found.len().max(expected.len())).find(differs)?;
    Some(Differing { line: line + 1, found: found.get(line).cloned(), expected: expected.get(line).cloned() })
}

/// Words of what a program prints.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split([' ', ',', '\n'])
}

/// Whether a line is as expected, apart from numbers that differ by no more than a share.
fn is_same(found: &str, expected: &str, within: f64) -> bool {
    let is_near = |found: &str, expected: &str| match (found.parse::<f64>(), expected.parse::<f64>()) {
        (Ok(found), Ok(expected)) if within > 0.0 => (found - expected).abs() <= within * expected.abs(),
        _ => false,
    };
    let [found, expected] = [found, expected].map(|line| words(line).collect::<Vec<_>>());
    let mut pairs = found.iter().zip(&expected);
    found.len() == expected.len() && pairs.all(|(one, other)| one == other || is_near(one, other))
}

/// What was counted of a run.
fn count(ran: &Ran, name: &str) -> Option<i64> {
    let profile = ran.outcome.api.profile();
    let count = match name {
        LAUNCHES => of_launches(profile, |_| 1),
        BLOCKS => of_launches(profile, blocks),
        THREADS => of_launches(profile, |one| blocks(one) * one.block.map(u64::from).iter().product::<u64>()),
        STREAMS => streams(profile),
        DEVICE_NS => at_once(profile, 1),
        OVERLAP_NS => at_once(profile, 2),
        HOST_OPERATIONS => ran.outcome.operations,
        HOST_WORDS => ran.host_words?,
        name => copied(profile, name).or_else(|| called(profile, name)).or_else(|| counted(profile, name))?,
    };
    i64::try_from(count).ok()
}

/// The sum of something over all launches.
fn of_launches(profile: &Profile, of: impl Fn(&Launches) -> u64) -> u64 {
    profile.launches().0.iter().map(|one| one.times * of(one)).sum()
}

fn blocks(one: &Launches) -> u64 {
    one.grid.map(u64::from).iter().product()
}

fn copied(profile: &Profile, name: &str) -> Option<u64> {
    let (kind, copies, _) = COPIES.iter().find(|(_, copies, bytes)| [*copies, *bytes].contains(&name))?;
    let row = profile.activities().into_iter().find(|(activity, _)| activity == kind);
    let (calls, bytes) = row.map_or((0, 0), |(_, row)| (row.calls, row.bytes));
    Some(if name == *copies { calls } else { bytes })
}

fn called(profile: &Profile, name: &str) -> Option<u64> {
    api::find(name)?;
    Some(profile.times_called(name))
}

/// A counter of all launches.
fn counted(profile: &Profile, name: &str) -> Option<u64> {
    device::Counters::default().counter_or_cost(name)?;
    let all = profile.launches().0.iter();
    let each = all.filter_map(|one| Some(one.counters.as_ref()?.counter_or_cost(name)? * one.times));
    Some(each.sum())
}

/// How many streams did something.
fn streams(profile: &Profile) -> u64 {
    profile.spans().0.iter().map(|span| span.stream).collect::<BTreeSet<_>>().len() as u64
}

/// Nanoseconds in which the device did at least `least` things at once.
fn at_once(profile: &Profile, least: i32) -> u64 {
    let mut changes: Vec<(f64, i32)> =
        profile.spans().0.iter().flat_map(|span| [(span.start_ns, 1), (span.end_ns, -1)]).collect();
    // What ends makes room for what begins at the same time.
    changes.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let (mut running, mut since, mut total) = (0, 0.0, 0.0);
    for (at, change) in changes {
        if running >= least {
            total += at - since;
        }
        (running, since) = (running + change, at);
    }
    total as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_line_that_differs_is_found_and_blanks_at_ends_are_not() {
        let differing = |found, expected| differing(found, expected, 0.0);
        assert_eq!(differing(b"a \nb\n\n", b"a\nb"), None);
        let line = |line, found: Option<&str>, expected: Option<&str>| {
            Some(Differing { line, found: found.map(str::to_owned), expected: expected.map(str::to_owned) })
        };
        assert_eq!(differing(b"a\nc\n", b"a\nb\n"), line(2, Some("c"), Some("b")));
        assert_eq!(differing(b"", b"a\n"), line(1, None, Some("a")));
        assert_eq!(differing(b"a\nb\n", b"a\n"), line(2, Some("b"), None));
    }

    #[test]
    fn numbers_may_differ_by_a_share_where_the_exercise_says_so() {
        assert!(is_same("x = 1.04, 7 us", "x = 1.00, 7 us", 0.05));
        assert!(!is_same("x = 1.06, 7 us", "x = 1.00, 7 us", 0.05));
        assert!(!is_same("y = 1.00, 7 us", "x = 1.00, 7 us", 0.05));
        assert!(!is_same("x = nan", "x = 1.00", 0.05));
    }
}
