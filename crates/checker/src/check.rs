//! The check of a source: compiled, run on all cases, compared, counted.
//!
//! Enters: an exercise and a student's source. Leaves: a verdict. What runs is the embedded device, since it finds every
//! fault, and counts the same on every machine; on a GPU the results are looked at too, where one is given. This module must never know where sources are or how verdicts are shown.

use crate::bench::{self, Program, Ran, Readback};
use crate::cause;
use crate::data::{self, Case};
use crate::error::Error;
use crate::race::{Look, Orders, Touches};
use crate::verdict::{Cause, Differs, Finding, Measured, Missed, Race, Touch, Verdict, Wrong};
use cuda::source::Span;
use device::{
    Checks, Counters, Device, Embedded, FaultKind, GRADED_CAPABILITY as CAPABILITY, GRADED_CHIP as CHIP,
    Place, SimtError, Space, Trace, TracedAccess,
};
use exercise::Task;
use exercise::expression::Expression;
use exercise::manifest::{
    AHEAD, BUSIEST, Buffer, CaseStep, Compare, Condition, Launch, Reference, Setup, UNFENCED,
};
use faults::{Memory, Stopped};
use scalar::Tolerance;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// Warp instructions of a block: far more than any solution takes.
const BUDGET: u64 = 1 << 22;

/// Warp instructions of all launches of a run: 70 times what the longest solution takes. They are what ends a check whose
/// blocks are each within their budget, at the same instruction on every machine.
const RUN_BUDGET: u64 = 1 << 23;

/// How much more the reference may take, whose threads work each for itself and with doubles: what is bounded by these is the book's own
/// source, and a hidden case may be as large as its exercise allows.
const REFERENCE: u64 = 16;

/// Accesses of a launch that are looked at one by one: more than any solution has.
const ACCESSES: u32 = 1 << 14;

/// Bytes of what a launch prints that are kept: far more than anybody reads.
const PRINT_BYTES: usize = 1 << 14;

/// Elements of an output that a message lists.
const LISTED: usize = 5;

/// Counters of what accesses to global memory move.
const MOVED: [&str; 2] = ["global_read_sectors", "global_write_sectors"];

/// Places in the source that a message lists for a count.
const PLACES: usize = 4;

/// An exercise that cannot be checked, whatever the source is: a defect of the manifest or of its reference.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("exercise `{exercise}`: {why}")]
pub struct Defect {
    exercise: String,
    why: String,
}

impl Defect {
    pub(crate) fn of(task: &Task, why: String) -> Self {
        Defect { exercise: task.exercise.name.clone(), why }
    }
}

/// Checks a source, which messages call by `name`, on cases one after the other, up to the first that fails.
///
/// # Errors
/// A defect of the exercise itself.
pub fn check(task: &Task, name: &str, source: &str, cases: &[Case]) -> Result<Verdict, Defect> {
    check_on(task, name, source, cases, None)
}

/// The same, with a second device, such as a GPU: what has no fault on the embedded device runs there too, and its results
/// must be right there too. Counts are the embedded device's.
///
/// # Errors
/// A defect of the exercise itself.
pub fn check_on(
    task: &Task,
    name: &str,
    source: &str,
    cases: &[Case],
    mut second: Option<&mut dyn Device>,
) -> Result<Verdict, Defect> {
    let defect = |why: String| Defect::of(task, why);
    let mut verdict = Verdict { cases: cases.len(), ..Verdict::default() };
    let compiled = match compile(name, source, CAPABILITY) {
        Ok(compiled) => compiled,
        Err(failure) => {
            verdict.finding = Some(Finding::Compile(Box::new(failure)));
            return Ok(verdict);
        }
    };
    let reference = compile("reference.cu", &task.reference, CAPABILITY)
        .map_err(|failure| defect(cuda::diagnostic::render(&failure.diagnostics, &failure.sources, false)))?;
    // A chip that is older than the one whose rules count does not take PTX for that.
    let older = second.as_ref().map(|device| device.description().capability());
    let older = older.filter(|number| *number < CAPABILITY);
    let for_second = match older.map(|number| compile(name, source, number)).transpose() {
        Ok(older) => older.map(|output| output.ptx),
        Err(failure) => {
            verdict.finding = Some(Finding::Compile(Box::new(failure)));
            return Ok(verdict);
        }
    };
    let cause = cause::misplaced(task, source);
    let marked = cause.is_some_and(|cause| cause != Cause::Unmarked);
    // Of a source with a wrong mark nothing else is said.
    for case in cases.iter().filter(|_| !marked) {
        let checked = Checked { task, case, name, ptx: &compiled.ptx, of: &compiled };
        let Found { mut finding, mut measured, printed } = checked.case(&reference.ptx).map_err(defect)?;
        if let (None | Some(Finding::Missed(_)), Some(device)) = (&finding, second.as_deref_mut()) {
            let ptx = for_second.as_deref().unwrap_or(&compiled.ptx);
            let elsewhere = checked.elsewhere(ptx, &reference.ptx, device).map_err(defect)?;
            if elsewhere.is_some() {
                verdict.gpu = Some(device.description().name.clone());
                (finding, measured) = (elsewhere, vec![]);
            }
        }
        (verdict.case, verdict.measured, verdict.printed) = (case.words(), measured, printed);
        if finding.is_some() {
            verdict.finding = finding;
            break;
        }
        verdict.held += 1;
    }
    verdict.finding = verdict.finding.or(cause.map(Finding::Cause));
    (verdict.warnings, verdict.sources) = (compiled.warnings, compiled.sources);
    verdict.origins = compiled.origins;
    Ok(verdict)
}

/// The run of a source in a case, and each condition's count; nothing of one that does not run to its end.
pub(crate) fn ran(
    task: &Task,
    name: &str,
    source: &str,
    case: &Case,
) -> Result<Option<(Ran, Vec<Measured>)>, Defect> {
    let Ok(compiled) = compile(name, source, CAPABILITY) else { return Ok(None) };
    let checked = Checked { task, case, name, ptx: &compiled.ptx, of: &compiled };
    checked.counted().map_err(|why| Defect::of(task, why))
}

/// PTX of a source for the chip whose rules count.
#[cfg(test)]
pub(crate) fn compiled(name: &str, source: &str) -> cuda::Output {
    compile(name, source, CAPABILITY).unwrap_or_else(|failure| panic!("{name}: {:?}", failure.diagnostics))
}

fn compile(name: &str, source: &str, capability: u32) -> Result<cuda::Output, cuda::Failure> {
    let input = cuda::Input { name, text: source, include: &|_| None };
    let arch = cuda::Arch { number: capability, suffix: None };
    let options = cuda::Options { arch, ..cuda::Options::default() };
    cuda::compile(&input, &options)
}

/// A source in one case.
pub(crate) struct Checked<'a> {
    pub(crate) task: &'a Task,
    pub(crate) case: &'a Case,
    pub(crate) name: &'a str,
    pub(crate) ptx: &'a str,
    /// PTX of the source for the chip whose rules count.
    pub(crate) of: &'a cuda::Output,
}

/// Finding of a case.
#[derive(Default)]
pub(crate) struct Found {
    pub(crate) finding: Option<Finding>,
    measured: Vec<Measured>,
    /// Output that the kernels printed.
    printed: String,
}

impl Checked<'_> {
    pub(crate) fn case(&self, reference: &str) -> Result<Found, String> {
        let contents = self.case.contents(self.task.exercise.setup())?;
        match self.run(&contents, &mut device(Watch::Global)?)? {
            Ok(ran) => Ok(Found { printed: ran.printed(), ..self.ended(&contents, &ran, reference)? }),
            Err(finding) => {
                let printed = match &finding {
                    Finding::Fault(stopped) => stopped.fault.printed.clone(),
                    _ => String::new(),
                };
                Ok(Found { finding: Some(finding), printed, ..Found::default() })
            }
        }
    }

    fn counted(&self) -> Result<Option<(Ran, Vec<Measured>)>, String> {
        let contents = self.case.contents(self.task.exercise.setup())?;
        let Ok(ran) = self.run(&contents, &mut device(Watch::Global)?)? else { return Ok(None) };
        let measured = self.conditions(&contents, &ran)?.measured;
        Ok(Some((ran, measured)))
    }

    fn program(&self) -> Program<'_> {
        Program {
            name: self.name,
            ptx: self.ptx,
            setup: self.task.exercise.setup(),
            symbols: true,
            typed: &self.of.typed,
        }
    }

    /// Finding of a run that has ended.
    fn ended(&self, contents: &[Vec<u8>], ran: &Ran, reference: &str) -> Result<Found, String> {
        let found = |finding: Finding| Ok(Found { finding: Some(finding), ..Found::default() });
        let touches = Touches { launches: &ran.outcomes, orders: Orders::of(self.ptx) };
        let expected = self.expected(contents, reference)?;
        if let Some(wrong) = self.wrong(contents, ran, &expected)? {
            if let Some(race) = self.race_of_volatile(contents)? {
                return found(race);
            }
            let wrong = self.who_wrote(self.unwritten(wrong, &touches), &touches);
            return found(Finding::Wrong(Box::new(wrong)));
        }
        // Results do not show every race.
        if let Some(race) = touches.race(Look::Reads, &|_, _| true) {
            return found(Finding::Race(Box::new(self.raced(race))));
        }
        self.conditions(contents, ran)
    }

    /// The race in shared memory of a kernel whose results are wrong, and whose accesses there are volatile: the device takes
    /// these for flags that order its threads, which they do not as data.
    fn race_of_volatile(&self, contents: &[Vec<u8>]) -> Result<Option<Finding>, String> {
        const VOLATILE: &str = ".volatile";
        if !self.ptx.contains(VOLATILE) {
            return Ok(None);
        }
        let there = Checked { ptx: &self.ptx.replace(VOLATILE, ""), ..*self };
        let finding = there.run(contents, &mut device(Watch::Nothing)?)?.err();
        let race = |stopped: &Stopped| stopped.fault.kind == FaultKind::SharedRace;
        Ok(finding.filter(|finding| matches!(finding, Finding::Fault(stopped) if race(stopped))))
    }

    fn conditions(&self, contents: &[Vec<u8>], ran: &Ran) -> Result<Found, String> {
        let (mut measured, mut missed) = (vec![], vec![]);
        let all = &self.task.exercise.conditions;
        let everywhere = all.iter().any(|condition| condition.count == AHEAD);
        let everywhere = everywhere.then(|| self.again(contents, Watch::Everything)).transpose()?;
        for condition in all {
            let of = everywhere.as_ref().filter(|_| condition.count == AHEAD);
            let one = self.measured(condition, of.unwrap_or(ran))?;
            if !one.holds() {
                missed.push((condition, one.clone()));
            }
            measured.push(one);
        }
        if missed.is_empty() {
            return Ok(Found { measured, ..Found::default() });
        }
        let again = self.again(contents, Watch::Costs)?;
        let missed = missed.into_iter().map(|(condition, measured)| {
            let Counted { places, access } = match condition.count.as_str() {
                UNFENCED => most_of(&ran.unfenced()),
                BUSIEST => most_of(&ran.of_busiest_warp()),
                // Reads that are missing have no place.
                AHEAD => most_of(&[]),
                count => self.worst(count, &again),
            };
            let mut places = places.into_iter();
            Missed {
                says: condition.says.clone(),
                measured,
                place: places.next(),
                others: places.collect(),
                access: access.map(Box::new),
            }
        });
        Ok(Found { finding: Some(Finding::Missed(missed.collect())), measured, ..Found::default() })
    }

    /// Finding on another device, for a source that has the right results on the embedded one.
    fn elsewhere(
        &self,
        ptx: &str,
        reference: &str,
        device: &mut dyn Device,
    ) -> Result<Option<Finding>, String> {
        let contents = self.case.contents(self.task.exercise.setup())?;
        let there = Checked { ptx, ..*self };
        let ran = match there.run(&contents, device)? {
            Ok(ran) => ran,
            Err(finding) => return Ok(Some(finding)),
        };
        let wrong = self.wrong(&contents, &ran, &self.expected(&contents, reference)?)?;
        Ok(wrong.map(|wrong| Finding::Wrong(Box::new(wrong))))
    }

    /// Runs the student's kernels. What stops them is a finding, unless the manifest is the cause.
    fn run(&self, contents: &[Vec<u8>], device: &mut dyn Device) -> Result<Result<Ran, Finding>, String> {
        let program = self.program();
        match bench::run(self.case, contents, program, device) {
            Ok(ran) => Ok(Ok(ran)),
            Err(Error::Device(device::Error::Simt(SimtError::Fault(fault)))) => {
                let stopped = bench::stopped(*fault, (self.ptx, &self.of.shared), self.case, program.setup);
                Ok(Err(Finding::Fault(Box::new(stopped))))
            }
            Err(Error::Device(
                error @ (device::Error::GpuFault { .. } | device::Error::TimeLimit { .. }),
            )) => Ok(Err(Finding::Driver(names::readable(&error.to_string()).into_owned()))),
            Err(Error::Device(device::Error::Simt(SimtError::Unsupported { place, what }))) => {
                let why = format!("the embedded device does not support {}", names::readable(&what));
                Ok(Err(Finding::Refused { why, place }))
            }
            Err(Error::Device(device::Error::Simt(SimtError::BadPtx { place, message }))) => {
                let why = format!("this is not valid PTX: {}", names::readable(&message));
                Ok(Err(Finding::Refused { why, place }))
            }
            Err(
                error @ (Error::Device(_)
                | Error::Missing(..)
                | Error::Ambiguous(..)
                | Error::Signature(_)
                | Error::Size(..)),
            ) => {
                let why = names::readable(&error.to_string()).into_owned();
                Ok(Err(Finding::Launch { why, of_kernel: is_of_kernel(&error) }))
            }
            Err(error) => Err(error.to_string()),
        }
    }

    /// A second run, of a source that has run to its end.
    fn again(&self, contents: &[Vec<u8>], watch: Watch) -> Result<Ran, String> {
        let again = self.run(contents, &mut device(watch)?)?;
        again.map_err(|_| "a second run faulted where the first did not".to_owned())
    }

    /// A buffer's elements, as messages name them.
    fn memory(&self, buffer: &Buffer) -> Memory {
        bench::memory(self.case, self.task.exercise.setup(), buffer)
    }

    /// Without what was found in elements that no thread stored to, as they still hold what was there before.
    fn unwritten(&self, mut wrong: Wrong, touches: &Touches<'_>) -> Wrong {
        let Memory { name, element, .. } = &wrong.buffer;
        let copied = |step: &CaseStep| matches!(step, CaseStep::Read(read) if read.to == *name);
        if !touches.complete() || self.task.exercise.steps.iter().any(copied) {
            return wrong;
        }
        for one in &mut wrong.first {
            let first = one.index as u64 * element;
            if one.found.zip(one.before).is_some_and(|(found, before)| found.is_same(before))
                && touches.last_writer(name, first..first + element).is_none()
            {
                one.found = None;
            }
        }
        wrong
    }

    /// Who wrote the first element that differs, and who raced.
    fn who_wrote(&self, mut wrong: Wrong, touches: &Touches<'_>) -> Wrong {
        let Memory { name, element, .. } = &wrong.buffer;
        if let Some(first) = wrong.first.first().map(|first| first.index as u64 * element) {
            wrong.writer = touches.last_writer(name, first..first + element);
        }
        let output = |memory: &str, _: u64| memory == name;
        // On the device the lanes of a warp go together, so what made this result wrong is first looked for beyond them.
        let beyond_warps = Touches { orders: touches.orders.in_lockstep(), ..*touches };
        let race = [&beyond_warps, touches].into_iter().find_map(|touches| {
            touches.race(Look::All, &output).or_else(|| touches.race(Look::All, &|_, _| true))
        });
        wrong.race = race.map(|race| self.raced(race));
        wrong
    }

    fn raced(&self, (memory, at, touches): (String, u64, [Touch; 2])) -> Race {
        let known = self.task.exercise.buffer(&memory).map(|(_, buffer)| self.memory(buffer));
        let element = known.map_or_else(
            || names::readable(&memory).into_owned(),
            |known| faults::element(&known, at / known.element.max(1)),
        );
        Race { element, touches }
    }

    /// The buffers after the reference has run.
    fn expected(&self, contents: &[Vec<u8>], ptx: &str) -> Result<Vec<Readback>, String> {
        let Some(Reference { file: _, threads, args }) = &self.task.exercise.reference else {
            return Err("it is checked as kernels, and has none".to_owned());
        };
        let threads =
            self.case.value(self.task.exercise.setup(), threads, &|_| None).map_err(|e| e.to_string())?;
        let launch = Launch {
            kernel: "reference".to_owned(),
            grid: vec![Expression::number(threads.max(1).div_euclid(128) + 1)],
            block: vec![Expression::number(128)],
            shared: None,
            args: args.clone(),
        };
        let steps = [CaseStep::Launch(launch)];
        let setup = Setup { steps: &steps, passes: None, ..self.task.exercise.setup() };
        let program = Program { name: "reference", ptx, setup, symbols: false, typed: &[] };
        let mut device = device(Watch::Nothing)?;
        device.limit(REFERENCE * RUN_BUDGET);
        device.options().budget = REFERENCE * BUDGET;
        let ran = bench::run(self.case, contents, program, &mut device);
        Ok(ran.map_err(|error| format!("the reference: {error}"))?.buffers)
    }

    /// The first output that differs.
    fn wrong(&self, contents: &[Vec<u8>], ran: &Ran, expected: &[Readback]) -> Result<Option<Wrong>, String> {
        for compare in &self.task.exercise.compare {
            if let Some(wrong) = self.differs(compare, contents, &ran.buffers, expected)? {
                return Ok(Some(wrong));
            }
        }
        Ok(None)
    }

    fn differs(
        &self,
        compare: &Compare,
        before: &[Vec<u8>],
        found: &[Readback],
        expected: &[Readback],
    ) -> Result<Option<Wrong>, String> {
        let of = |name: &str| self.task.exercise.buffer(name).ok_or("no such buffer");
        let ((at, buffer), (with, model)) = (of(&compare.buffer)?, of(&compare.with)?);
        let (before, found, expected) = (&before[at], &found[at], &expected[with].bytes);
        let width = buffer.ty.bytes();
        if found.bytes.len() / width != expected.len() / model.ty.bytes() {
            return Err(format!("`{}` and `{}` have different lengths", compare.buffer, compare.with));
        }
        let mut differing = data::differing(
            (buffer.ty, &found.bytes),
            (model.ty, expected),
            Tolerance::within(compare.within),
        )
        .into_iter();
        let first: Vec<Differs> = differing
            .by_ref()
            .take(LISTED)
            .map(|index| Differs {
                index,
                found: (!found.is_unwritten(index, width))
                    .then(|| data::number(buffer.ty, &found.bytes, index)),
                expected: data::number(model.ty, expected, index),
                before: buffer.init.as_ref().map(|_| data::number(buffer.ty, before, index)),
            })
            .collect();
        if first.is_empty() {
            return Ok(None);
        }
        let more: Vec<usize> = differing.collect();
        let last = more.last().copied().or(first.last().map(|one| one.index)).unwrap_or(0);
        let count = first.len() + more.len();
        let buffer = self.memory(buffer);
        let of = found.bytes.len() / width;
        Ok(Some(Wrong { buffer, first, last, count, of, writer: None, race: None }))
    }

    fn measured(&self, condition: &Condition, ran: &Ran) -> Result<Measured, String> {
        let counter = |name: &str| ran.count(name);
        let limit = |formula: &Option<_>| {
            let value = |formula| self.case.value(self.task.exercise.setup(), formula, &counter);
            formula.as_ref().map(value).transpose().map_err(|error| error.to_string())
        };
        Ok(Measured {
            name: condition.name.clone(),
            count: condition.count.clone(),
            value: counter(&condition.count)
                .ok_or_else(|| format!("no count named `{}`", condition.count))?,
            allowed: (limit(&condition.least)?, limit(&condition.most)?),
        })
    }

    /// The code of the student's source that counted the most, and the access of the first of it that did.
    fn worst(&self, counter: &str, ran: &Ran) -> Counted {
        let of = |counters: &Counters| counters.counter_or_cost(counter).unwrap_or(0);
        let code = |place: &Place| {
            let (_, line) = place.counted_line().filter(|(file, _)| file == self.name)?;
            Some((*line, self.of.origins.span(place.at.0).unwrap_or_default()))
        };
        let mut all: BTreeMap<(u32, Span), (u64, u64, &Place)> = BTreeMap::new();
        for one in ran.outcomes.iter().flat_map(|(outcome, _)| &outcome.profile) {
            if let Some(code) = code(&one.place) {
                let (count, moved, _) = all.entry(code).or_insert((0, 0, &one.place));
                *count += of(&one.counters);
                *moved += MOVED.iter().filter_map(|name| one.counters.counter_or_cost(name)).sum::<u64>();
            }
        }
        // Of code that counts alike, what moves more memory is the more likely cause: one element for all lanes is rarely too
        // much. Of that which moves alike, too, what comes first in the source stays first.
        let mut most: Vec<_> = all.into_iter().filter(|(_, (n, ..))| *n > 0).collect();
        most.sort_by_key(|(_, (n, moved, _))| Reverse((*n, *moved)));
        most.truncate(PLACES);
        let worst = most.first().map(|(code, _)| *code);
        let accesses = ran.outcomes.iter().flat_map(|(outcome, _)| &outcome.accesses);
        let there = accesses.filter(|access| worst.is_some() && code(&access.place) == worst);
        let access = there.rev().max_by_key(|access| of(&access.cost));
        Counted {
            places: most.into_iter().map(|(_, (n, _, place))| (place.clone(), n)).collect(),
            access: access.filter(|access| of(&access.cost) > 0).cloned(),
        }
    }
}

/// Instruction that counted the most under a name.
struct Counted {
    /// Code and its counts, the most first.
    places: Vec<(Place, u64)>,
    /// The access of the first of it that counted the most.
    access: Option<TracedAccess>,
}

/// Of accesses that were counted one by one, the place of most of them.
fn most_of(all: &[&TracedAccess]) -> Counted {
    let mut places: BTreeMap<(u32, u32), (u64, &Place)> = BTreeMap::new();
    for access in all {
        places.entry(access.place.at).or_insert((0, &access.place)).0 += 1;
    }
    let most = places.into_values().rev().max_by_key(|(count, _)| *count);
    Counted { places: most.into_iter().map(|(count, place)| (place.clone(), count)).collect(), access: None }
}

/// Whether what keeps a source from being launched is in the kernel's declaration: what is missing, or takes too much
/// memory, is not.
fn is_of_kernel(error: &Error) -> bool {
    !matches!(
        error,
        Error::Missing(..)
            | Error::Ambiguous(..)
            | Error::Size(..)
            | Error::Device(device::Error::Simt(
                SimtError::MissingKernel { .. }
                    | SimtError::MissingSymbol { .. }
                    | SimtError::OutOfMemory { .. }
                    | SimtError::ConstantOverflow { .. }
            ))
    )
}

/// Observations of a run in addition to results and faults.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Watch {
    Nothing,
    /// Counts of each instruction, and the accesses of the first block.
    Costs,
    /// The accesses of all blocks to global memory.
    Global,
    /// The accesses of all blocks to every memory.
    Everything,
}

/// A device for programs, which finds races in global memory too: it knows nothing of the results.
#[cfg(feature = "programs")]
pub(crate) fn device_of_programs() -> Result<Embedded, String> {
    let mut device = device(Watch::Nothing)?;
    device.options().checks = Checks::ALL;
    Ok(device)
}

/// A device on which everything is checked.
fn device(watch: Watch) -> Result<Embedded, String> {
    let mut device = Embedded::new(CHIP).map_err(|error| error.to_string())?;
    device.limit(RUN_BUDGET);
    let options = device.options();
    // Races in global memory are found here, with what is known of the results.
    options.checks = Checks { global_races: false, ..Checks::ALL };
    options.deterministic = true;
    options.print_bytes = PRINT_BYTES;
    options.budget = BUDGET;
    options.budget_per_byte = 0;
    options.profile = watch == Watch::Costs;
    let all = Trace { warps: u32::MAX, most: ACCESSES, ..Trace::FIRST };
    options.trace = match watch {
        Watch::Nothing => None,
        Watch::Costs => Some(all),
        Watch::Everything => Some(Trace { block: None, ..all }),
        Watch::Global => Some(Trace { block: None, space: Some(Space::Global), ..all }),
    };
    Ok(device)
}

#[cfg(test)]
mod tests {
    use super::*;
    use exercise::manifest::Manifest;
    use exercise::variants::Variants;
    use scalar::Number;

    const LARGE: &str = r#"
[[exercise]]
name = "large"
chapter = "linear-memory"
title = "Number the elements"
points = 1
cases = [{ n = 5 }]
hidden.n = { from = 1, to = 50 }
buffers = [{ name = "out", type = "i64", len = "n" }, { name = "expected", type = "i64", len = "n" }]
steps = [{ launch = { kernel = "number", grid = [1], block = [64], args = ["out", "int n"] } }]
reference = { threads = "n", args = ["expected", "int n"] }
compare = [{ buffer = "out", with = "expected" }]
conditions = []
hints = [{ on = "any", tiers = ["a", "b", "c"] }]
attempts = []
"#;

    /// A kernel whose elements have these values.
    fn kernel(name: &str, value: &str) -> String {
        format!(
            "__global__ void {name}(long long *out, int n) {{\n    int i = blockIdx.x * blockDim.x + threadIdx.x;\n    \
             if (i < n) out[i] = {value};\n}}\n"
        )
    }

    #[test]
    fn a_run_is_ended_by_the_instructions_of_all_its_blocks() {
        let manifest = Manifest::parse(&LARGE.replace("grid = [1]", "grid = [5]")).expect("well-formed");
        let exercise = manifest.exercises.into_iter().next().expect("an exercise");
        // Two warps, each of at least three instructions an iteration: a third of a block's budget.
        let slow = kernel("number", "(1LL << 60) + i").replace(
            "    if (i < n)",
            "    for (int k = 0; k < 250000; k++) i = i * 3 + k;\n    for (int k = 249999; k >= 0; k--) i = (i - k) * 0xaaaaaaab;\n    if (i < n)",
        );
        let variants = Variants::parse(&slow).expect("well-formed");
        let task =
            Task { exercise, variants, reference: kernel("reference", "(1LL << 60) + i"), claim: None };
        let found =
            check(&task, "attempt.cu", &slow, &Case::shown(&task.exercise)).expect("no defect").finding;
        let Some(Finding::Fault(stopped)) = found else { panic!("it has no fault: {found:?}") };
        assert!(
            stopped.fault.to_string().contains("more than 8388608 warp instructions in the launch"),
            "{:?}",
            stopped.fault
        );
    }

    #[test]
    fn results_of_64_bits_are_compared_and_reported_to_their_last_digit() {
        let manifest = Manifest::parse(LARGE).expect("well-formed");
        let exercise = manifest.exercises.into_iter().next().expect("an exercise");
        let solution = kernel("number", "(1LL << 60) + i");
        let variants = Variants::parse(&solution).expect("well-formed");
        let task =
            Task { exercise, variants, reference: kernel("reference", "(1LL << 60) + i"), claim: None };
        let found = |source: &str| {
            let cases = Case::shown(&task.exercise);
            check(&task, "attempt.cu", source, &cases).expect("no defect").finding
        };
        assert!(found(&solution).is_none());
        let Some(Finding::Wrong(wrong)) = found(&kernel("number", "(1LL << 60) + (i == 3 ? 4 : i)")) else {
            panic!("a wrong result")
        };
        let [one] = &wrong.first[..] else { panic!("one element: {wrong:?}") };
        let reported = [1_152_921_504_606_846_980, 1_152_921_504_606_846_979].map(Number::Int);
        assert_eq!((one.index, one.found, one.expected), (3, Some(reported[0]), reported[1]));
        let Some(Finding::Wrong(wrong)) = found(&kernel("number", "i; if (i > 2) out[1] = 0")) else {
            panic!("a wrong result")
        };
        assert_eq!(wrong.first[0].found, Some(Number::Int(0)));
    }

    #[test]
    fn an_element_that_was_never_stored_to_is_reported_as_such_whatever_its_size() {
        for (ty, c) in [("u8", "unsigned char"), ("i16", "short"), ("u64", "unsigned long long")] {
            let manifest = Manifest::parse(&LARGE.replace("i64", ty)).expect("well-formed");
            let exercise = manifest.exercises.into_iter().next().expect("an exercise");
            let of = |name: &str, value: &str| kernel(name, value).replace("long long", c);
            let variants = Variants::parse(&of("number", "i + 1")).expect("well-formed");
            let task = Task { exercise, variants, reference: of("reference", "i + 1"), claim: None };
            let source = of("number", "i + 1").replace("i < n", "i < n && i != 2");
            let verdict =
                check(&task, "attempt.cu", &source, &Case::shown(&task.exercise)).expect("no defect");
            let Some(Finding::Wrong(wrong)) = verdict.finding else { panic!("{ty}: a wrong result") };
            let found: Vec<_> = wrong.first.iter().map(|one| (one.index, one.found)).collect();
            assert_eq!(found, [(2, None)], "{ty}");
        }
    }
}
