//! The check of a source: compiled, run on all cases, compared, counted.
//!
//! Enters: an exercise and a student's source. Leaves: a verdict. What runs is the embedded device, since it finds every
//! fault, and counts the same on every machine. This module must never know where sources lie or how verdicts are shown.

use crate::data::{self, Case, POISON};
use crate::run::{self, Program, Ran};
use crate::verdict::{Differs, Finding, Measured, Missed, Verdict, Wrong};
use cuda::source::Sources;
use device::{Checks, Counters, Embedded, SimtError, Trace, TracedAccess};
use exercise::Task;
use exercise::expression::Expression;
use exercise::manifest::{Compare, Condition, Launch, Reference, Step, Type};
use std::collections::BTreeMap;

/// Chip whose rules count.
const CHIP: &str = "h200";

/// Warp instructions of a block: far more than any solution takes.
const BUDGET: u64 = 1 << 22;

/// Elements of an output that are told.
const TOLD: usize = 5;

/// An exercise that cannot be checked, whatever the source is: a defect of the manifest or of its reference.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("exercise `{exercise}`: {why}")]
pub struct Defect {
    exercise: String,
    why: String,
}

/// Checks a source, which messages call by `name`, on cases one after the other, up to the first that fails.
///
/// # Errors
/// A defect of the exercise itself.
pub fn check(task: &Task, name: &str, source: &str, cases: &[Case]) -> Result<Verdict, Defect> {
    let defect = |why: String| Defect { exercise: task.exercise.name.clone(), why };
    let mut verdict = Verdict {
        finding: None,
        case: String::new(),
        held: 0,
        cases: cases.len(),
        measured: vec![],
        warnings: vec![],
        sources: Sources::default(),
    };
    let compiled = match compile(name, source) {
        Ok(compiled) => compiled,
        Err(failure) => {
            verdict.finding = Some(Finding::Compile(Box::new(failure)));
            return Ok(verdict);
        }
    };
    (verdict.warnings, verdict.sources) = (compiled.warnings, compiled.sources);
    let reference = compile("reference.cu", &task.reference)
        .map_err(|failure| defect(cuda::diagnostic::render(&failure.diagnostics, &failure.sources, false)))?;
    for case in cases {
        let checked = Checked { task, case, name, ptx: &compiled.ptx };
        let (finding, measured) = checked.case(&reference.ptx).map_err(defect)?;
        (verdict.case, verdict.measured) = (case.words(), measured);
        if finding.is_some() {
            verdict.finding = finding;
            return Ok(verdict);
        }
        verdict.held += 1;
    }
    Ok(verdict)
}

fn compile(name: &str, source: &str) -> Result<cuda::Output, cuda::Failure> {
    let input = cuda::Input { name, text: source, include: &|_| None };
    let arch = cuda::Arch { number: 90, suffix: None };
    let options = cuda::Options { arch, ..cuda::Options::default() };
    cuda::compile(&input, &options)
}

/// A source in one case.
struct Checked<'a> {
    task: &'a Task,
    case: &'a Case,
    name: &'a str,
    ptx: &'a str,
}

type Found = (Option<Finding>, Vec<Measured>);

impl Checked<'_> {
    fn case(&self, reference: &str) -> Result<Found, String> {
        let contents = self.case.contents(&self.task.exercise)?;
        let ran = match self.run(&contents, &mut device(false)?)? {
            Ok(ran) => ran,
            Err(finding) => return Ok((Some(finding), vec![])),
        };
        let expected = self.expected(&contents, reference)?;
        for compare in &self.task.exercise.compare {
            if let Some(wrong) = self.differs(compare, &ran.buffers, &expected)? {
                return Ok((Some(Finding::Wrong(wrong)), vec![]));
            }
        }
        let (mut measured, mut missed) = (vec![], vec![]);
        for condition in &self.task.exercise.conditions {
            let one = self.measured(condition, &ran)?;
            if !one.holds() {
                missed.push((condition, one.clone()));
            }
            measured.push(one);
        }
        if missed.is_empty() {
            return Ok((None, measured));
        }
        let again = self.run(&contents, &mut device(true)?)?;
        let again = again.map_err(|_| "a second run faulted where the first did not".to_owned())?;
        let missed = missed.into_iter().map(|(condition, measured)| {
            let (line, access) = self.worst(&condition.count, &again);
            Missed { says: condition.says.clone(), measured, line, access: access.map(Box::new) }
        });
        Ok((Some(Finding::Missed(missed.collect())), measured))
    }

    /// Runs the student's kernels. What stops them is a finding, unless the manifest is the cause.
    fn run(&self, contents: &[Vec<u8>], device: &mut Embedded) -> Result<Result<Ran, Finding>, String> {
        let exercise = &self.task.exercise;
        let program = Program {
            name: self.name,
            ptx: self.ptx,
            steps: &exercise.steps,
            passes: exercise.passes.as_ref(),
            symbols: true,
        };
        match run::run(exercise, self.case, contents, program, device) {
            Ok(ran) => Ok(Ok(ran)),
            Err(run::Error::Device(device::Error::Simt(SimtError::Fault(fault)))) => {
                Ok(Err(Finding::Fault(fault)))
            }
            Err(error @ (run::Error::Device(_) | run::Error::Kernel(..))) => {
                Ok(Err(Finding::Launch(names::readable(&error.to_string()).into_owned())))
            }
            Err(error) => Err(error.to_string()),
        }
    }

    /// The buffers after the reference has run.
    fn expected(&self, contents: &[Vec<u8>], ptx: &str) -> Result<Vec<Vec<u8>>, String> {
        let Reference { file: _, threads, args } = &self.task.exercise.reference;
        let threads = self.case.value(&self.task.exercise, threads, &|_| None).map_err(|e| e.to_string())?;
        let launch = Launch {
            kernel: "reference".to_owned(),
            grid: vec![Expression::number(threads.max(1).div_euclid(128) + 1)],
            block: vec![Expression::number(128)],
            shared: None,
            args: args.clone(),
        };
        let steps = [Step::Launch(launch)];
        let program = Program { name: "reference", ptx, steps: &steps, passes: None, symbols: false };
        let ran = run::run(&self.task.exercise, self.case, contents, program, &mut device(false)?);
        Ok(ran.map_err(|error| format!("the reference: {error}"))?.buffers)
    }

    fn differs(
        &self,
        compare: &Compare,
        found: &[Vec<u8>],
        expected: &[Vec<u8>],
    ) -> Result<Option<Wrong>, String> {
        let numbers = |name: &str, of: &[Vec<u8>]| {
            let (at, buffer) = self.task.exercise.buffer(name).ok_or("no such buffer")?;
            Ok::<_, String>((buffer.ty, data::numbers(buffer.ty, &of[at])))
        };
        let (ty, found) = numbers(&compare.buffer, found)?;
        let (_, expected) = numbers(&compare.with, expected)?;
        if found.len() != expected.len() {
            return Err(format!("`{}` and `{}` have different lengths", compare.buffer, compare.with));
        }
        // A number that is none differs from all.
        let within = |found: f64, expected: f64| {
            let difference = (found - expected).abs();
            difference <= compare.within * expected.abs().max(1.0)
        };
        let mut differing = found
            .iter()
            .zip(&expected)
            .enumerate()
            .filter(|(_, (found, expected))| !within(**found, **expected));
        let first: Vec<Differs> = differing
            .by_ref()
            .take(TOLD)
            .map(|(index, (found, expected))| Differs {
                index,
                found: (!is_poison(ty, *found)).then_some(*found),
                expected: *expected,
            })
            .collect();
        if first.is_empty() {
            return Ok(None);
        }
        let count = first.len() + differing.count();
        Ok(Some(Wrong { buffer: compare.buffer.clone(), first, count, of: found.len() }))
    }

    fn measured(&self, condition: &Condition, ran: &Ran) -> Result<Measured, String> {
        let counter = |name: &str| ran.count(name);
        let limit = |formula: &Option<_>| {
            let value = |formula| self.case.value(&self.task.exercise, formula, &counter);
            formula.as_ref().map(value).transpose().map_err(|error| error.to_string())
        };
        Ok(Measured {
            name: condition.name.clone(),
            count: condition.count.clone(),
            value: counter(&condition.count)
                .ok_or_else(|| format!("there is no count `{}`", condition.count))?,
            allowed: (limit(&condition.least)?, limit(&condition.most)?),
        })
    }

    /// The line of the student's source that counted the most, and its access that did.
    fn worst(&self, counter: &str, ran: &Ran) -> (Option<(u32, u64)>, Option<TracedAccess>) {
        let of = |counters: &Counters| counters.get(counter).unwrap_or(0);
        let mut lines: BTreeMap<u32, u64> = BTreeMap::new();
        for one in ran.outcomes.iter().flat_map(|outcome| &outcome.profile) {
            if let Some((_, line)) = one.place.counted_line().filter(|(file, _)| file == self.name) {
                *lines.entry(*line).or_default() += of(&one.counters);
            }
        }
        // The first of the lines that count alike.
        let worst =
            lines.into_iter().filter(|(_, count)| *count > 0).max_by_key(|(line, n)| (*n, u32::MAX - line));
        let Some((line, _)) = worst else { return (None, None) };
        let accesses = ran.outcomes.iter().flat_map(|outcome| &outcome.accesses);
        let there = accesses.filter(|a| a.place.counted_line().is_some_and(|(_, at)| *at == line));
        let most = there.rev().max_by_key(|access| of(&access.cost));
        (worst, most.filter(|access| of(&access.cost) > 0).cloned())
    }
}

/// A device on which everything is checked; `traced`, it counts by instruction too, and notes the accesses of the first block.
fn device(traced: bool) -> Result<Embedded, String> {
    let mut device = Embedded::new(CHIP).map_err(|error| error.to_string())?;
    let options = device.options();
    options.checks = Checks::ALL;
    options.deterministic = true;
    options.budget = BUDGET;
    options.budget_per_byte = 0;
    if traced {
        options.profile = true;
        options.trace = Some(Trace { warps: u32::MAX, most: 1 << 14, ..Trace::FIRST });
    }
    Ok(device)
}

/// Whether a number is what outputs are filled with.
fn is_poison(ty: Type, number: f64) -> bool {
    let poison: Vec<u8> = POISON.to_le_bytes().repeat(2);
    // Numbers that are none differ from themselves, so their bits are compared.
    let of_poison = data::numbers(ty, &poison);
    of_poison.first().is_some_and(|poison| poison.to_bits() == number.to_bits())
}
