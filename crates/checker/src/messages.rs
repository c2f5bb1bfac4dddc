//! Verdicts in the form of the compiler's messages, so that a terminal and an editor show both alike.
//!
//! Enters: a verdict and the source it is about. Leaves: diagnostics with their places, and lines that follow them. This
//! module must never know where they are shown.

use crate::words::{self, Form};
use crate::{Finding, Missed, Race, Stopped, Touch, Verdict, Wrong};
use counters::grouped;
use cuda::diagnostic::Diagnostic;
use cuda::source::{Origins, Sources, Span};
use device::{FaultKind, Place};
use exercise::Task;
use exercise::manifest::{Step, title};

/// The header whose barrier of a whole grid traps where it cannot be.
const GROUPS: &str = "<cooperative_groups.h>";

/// What to know of a result that is NaN.
const NOT_A_NUMBER: &str =
    "(NaN comes from 0 / 0, 0 * infinity, the root of a negative number, or elements that nobody wrote.)";

/// What is to be told of a verdict.
#[derive(Clone, Debug)]
pub struct Messages {
    /// Messages with their places: errors, then the compiler's warnings.
    pub diagnostics: Vec<Diagnostic>,
    /// Files of the places.
    pub sources: Sources,
    /// Lines that follow: the elements that differ.
    pub lines: Vec<String>,
}

/// The messages of a verdict on a source, which they call by `name`.
pub fn messages(verdict: &Verdict, task: &Task, name: &str, source: &str) -> Messages {
    if let Some(Finding::Compile(failure)) = &verdict.finding {
        let (diagnostics, sources) = (failure.diagnostics.clone(), failure.sources.clone());
        return Messages { diagnostics, sources, lines: vec![] };
    }
    let mut sources = verdict.sources.clone();
    if sources.files().is_empty() {
        sources.add(name, source.to_owned(), false);
    }
    let place = Places { sources: &sources, origins: &verdict.origins, name };
    let (mut diagnostics, mut lines) = (vec![], vec![]);
    let in_case = |message: &str| in_case(message, verdict);
    match &verdict.finding {
        None | Some(Finding::Compile(_)) => {}
        Some(Finding::Launch { why, of_kernel }) => {
            let help = "the exercise finds its kernels and variables by their names, passes what the skeleton's kernels take, \
                        and needs room for its data";
            let kernel = if *of_kernel { place.only_kernel(&task.exercise.steps) } else { None };
            let other = if *of_kernel { None } else { place.no_kernel(&task.exercise.steps) };
            let (span, help) = other.unwrap_or((kernel.unwrap_or(Span::NOWHERE), help));
            diagnostics.push(Diagnostic::error("launch", span, why.clone()).help(help));
        }
        Some(Finding::Refused { why, place: at }) => {
            let line = || place.origins.span(at.at.0).filter(|span| span.hi > span.lo);
            let span = place.code(at, false).or_else(line);
            let span = span.or_else(|| place.only_kernel(&task.exercise.steps)).unwrap_or(Span::NOWHERE);
            diagnostics.push(Diagnostic::error("refused", span, why.clone()));
        }
        Some(Finding::Driver(why)) => {
            let span = place.only_kernel(&task.exercise.steps).unwrap_or(Span::NOWHERE);
            diagnostics.push(Diagnostic::error("driver", span, in_case(why)));
        }
        Some(Finding::Fault(stopped)) => {
            diagnostics.push(fault(stopped, &place, &task.exercise.steps, &in_case))
        }
        Some(Finding::Race(race)) => {
            let message = in_case(&words::race(race));
            let help =
                format!("in this run it came out right; on a GPU it is chance: {}", words::advice(race));
            diagnostics.push(
                raced(Diagnostic::error("global-race", Span::NOWHERE, message), race, &place).help(help),
            );
        }
        Some(Finding::Wrong(wrong)) => {
            diagnostics.extend(differing(wrong, &place, &in_case));
            lines.extend(wrong.first.iter().map(|one| words::differs(&wrong.buffer, one)));
            let more = wrong.count - wrong.first.len();
            let last = words::element(&wrong.buffer, wrong.last as u64);
            lines.extend((more > 0).then(|| format!("… and {} more, up to {last}", grouped(more))));
            if wrong.first.iter().any(|one| one.found.is_some_and(|found| found.as_f64().is_nan())) {
                lines.push(NOT_A_NUMBER.to_owned());
            }
        }
        Some(Finding::Missed(missed)) => {
            diagnostics.extend(missed.iter().map(|one| condition(one, &place, task, &in_case)));
        }
    }
    diagnostics.extend(verdict.warnings.iter().cloned().map(without_solution));
    Messages { diagnostics, sources, lines }
}

/// The message about a fault of a source that was compiled to these origins; `steps` are those that ran.
pub fn fault_message(
    stopped: &Stopped,
    sources: &Sources,
    origins: &Origins,
    name: &str,
    steps: &[Step],
) -> Diagnostic {
    fault(stopped, &Places { sources, origins, name }, steps, &str::to_owned)
}

fn fault(
    stopped: &Stopped,
    place: &Places<'_>,
    steps: &[Step],
    in_case: &dyn Fn(&str) -> String,
) -> Diagnostic {
    let fault = &stopped.fault;
    let span = place.code(&fault.place, words::stores(&stopped.instruction));
    let code = span.map(|span| place.sources.text(span)).unwrap_or_default();
    let beyond = if words::is_beyond(fault.kind) { words::beyond(stopped, code) } else { None };
    let none = || words::without_dynamic(stopped, code).filter(|_| !has_dynamic(steps));
    let words =
        beyond.or_else(none).or_else(|| words::endless(fault)).unwrap_or_else(|| told(stopped, place.name));
    let span = span.or_else(|| place.only_kernel(steps)).unwrap_or(Span::NOWHERE);
    let mut diagnostic = Diagnostic::error(fault.kind.name(), span, in_case(&words))
        .label(Form::of_fault(fault).thread(fault.thread, fault.block));
    if fault.kind == FaultKind::Trap && fault.place.source.as_ref().is_some_and(|(file, _)| file == GROUPS) {
        diagnostic = diagnostic.help(
            "the blocks of a grid wait for each other in a cooperative launch alone, and this launch is none",
        );
    }
    if let Some(other) = &fault.other
        && let Some(there) = place.code(&other.place, true).filter(|there| *there != span)
    {
        diagnostic = diagnostic.related(there, "the other access is here");
    }
    diagnostic
}

/// Whether a launch gives its blocks dynamic shared memory.
fn has_dynamic(steps: &[Step]) -> bool {
    steps.iter().any(|step| matches!(step, Step::Launch(launch) if launch.shared.is_some()))
}

/// A fault's message. What a thread does to another's memory begins with the thread.
fn told(stopped: &Stopped, name: &str) -> String {
    let fault = &stopped.fault;
    let form = Form::of_fault(fault);
    let words = words::of_shared(stopped, &fault.message)
        .or_else(|| words::of_unwritten(stopped, &fault.message))
        .unwrap_or_else(|| fault.message.clone());
    let mut words = in_students_words(&names::readable(&words), form);
    // Where there is one file only, a line needs no name.
    if let Some((file, line)) = fault.other.as_ref().and_then(|other| other.place.source.as_ref())
        && file == name
    {
        words = words.replace(&format!(" at {file}:{line}"), &format!(" in line {line}"));
    }
    if fault.kind == FaultKind::SharedRace && fault.other.is_some() {
        format!("{} {words}", form.thread(fault.thread, fault.block))
    } else {
        words
    }
}

/// What is wrong with an output: where its first element that differs was written, and who raced.
fn differing(wrong: &Wrong, place: &Places<'_>, in_case: &dyn Fn(&str) -> String) -> Vec<Diagnostic> {
    let Wrong { buffer, count, of, .. } = wrong;
    let name = &buffer.name;
    // Of structs, whose numbers differ one by one.
    let things = if buffer.members.is_empty() { "elements" } else { "numbers" };
    let all = format!("{} {things}", grouped(of));
    let message = match (count, of) {
        (1, 1) => format!("`{name}` is wrong"),
        (1, _) => format!("1 of the {all} of `{name}` is wrong"),
        _ if count == of => format!("all {all} of `{name}` are wrong"),
        _ => format!("{} of the {all} of `{name}` are wrong", grouped(count)),
    };
    // Nothing is underlined where nothing was written: what should have been written there, nobody knows.
    let written = wrong.writer.as_ref().and_then(|touch| Some((touch, place.code(&touch.place, true)?)));
    let mut diagnostic =
        Diagnostic::error("wrong", written.map_or(Span::NOWHERE, |(_, span)| span), in_case(&message));
    if let (Some((touch, _)), Some(first)) = (written, wrong.first.first()) {
        let element = words::element(buffer, first.index as u64);
        diagnostic = diagnostic.label(format!(
            "wrote `{element}`: {}",
            Form::of([touch.thread, touch.block]).thread(touch.thread, touch.block)
        ));
    }
    let race = wrong.race.as_ref().map(|race| {
        let warning = Diagnostic::warning("global-race", Span::NOWHERE, words::race(race));
        raced(warning, race, place).help(words::advice(race))
    });
    std::iter::once(diagnostic).chain(race).collect()
}

/// A message about a race, with both accesses underlined.
fn raced(mut diagnostic: Diagnostic, race: &Race, place: &Places<'_>) -> Diagnostic {
    let [first, second] = &race.touches;
    let form = Form::of_race(race);
    let thread = |touch: &Touch| form.thread(touch.thread, touch.block);
    if let Some(span) = place.code(&second.place, second.writes) {
        let verb = if second.writes { "writes" } else { "reads" };
        diagnostic.span = span;
        diagnostic = diagnostic.label(format!("{} {verb} it here", thread(second)));
    }
    match place.code(&first.place, first.writes).filter(|span| *span != diagnostic.span) {
        Some(there) => {
            let verb = if first.writes { "writes" } else { "reads" };
            diagnostic.related(there, format!("{} {verb} it here", thread(first)))
        }
        None => diagnostic,
    }
}

/// The compiler's advice on shared memory says what to write, which is the exercise: of these warnings, what is wrong alone.
fn without_solution(warning: Diagnostic) -> Diagnostic {
    match warning.code {
        "bank-conflict" | "missing-barrier" | "divergent-barrier" => Diagnostic { help: None, ..warning },
        _ => warning,
    }
}

fn condition(
    missed: &Missed,
    place: &Places<'_>,
    task: &Task,
    in_case: &dyn Fn(&str) -> String,
) -> Diagnostic {
    let measured = &missed.measured;
    let allowed = match measured.allowed {
        (_, Some(most)) if measured.value > most => format!("at most {} allowed", grouped(most)),
        (Some(least), _) => format!("at least {} needed", grouped(least)),
        (None, _) => String::new(), // a condition that is missed has a limit
    };
    let message = in_case(&format!("{}: {}, {allowed}", title(&measured.count), grouped(measured.value)));
    let stores = measured.count.contains("store");
    let code = |(at, count): &(Place, u64)| Some((place.code(at, stores)?, *count));
    let first = missed.place.as_ref().and_then(code);
    let span = first
        .map(|(span, _)| span)
        .or_else(|| place.only_kernel(&task.exercise.steps))
        .unwrap_or(Span::NOWHERE);
    let mut diagnostic = Diagnostic::error("condition", span, message).help(missed.says.clone());
    if let Some((_, count)) = first {
        let of = if count as i64 == measured.value {
            "all of them".to_owned()
        } else {
            format!("{} of them", grouped(count))
        };
        diagnostic = diagnostic.label(format!("{of} here"));
        for (there, count) in missed.others.iter().filter_map(code).filter(|(there, _)| *there != span) {
            diagnostic = diagnostic.related(there, format!("{} here", grouped(count)));
        }
    }
    diagnostic
}

fn in_case(message: &str, verdict: &Verdict) -> String {
    let on = verdict.gpu.iter().map(|gpu| format!("on the {gpu}"));
    let case = Some(verdict.case.clone()).filter(|case| !case.is_empty());
    let which: Vec<String> = case.into_iter().chain(on).collect();
    if which.is_empty() { message.to_owned() } else { format!("{message} ({})", which.join("; ")) }
}

/// Between a place and the call that it was inlined at.
const INLINED: &str = ", inlined at ";

/// A fault's words with threads written in a form, and without places in CUDA's own headers.
fn in_students_words(message: &str, form: Form) -> String {
    let mut words = String::new();
    let mut rest = message;
    while let Some(at) = rest.find("thread (").map(|at| at + "thread ".len()) {
        words += &rest[..at];
        rest = &rest[at..];
        let end = rest.find(')').map_or(rest.len(), |end| end + 1);
        let numbers: Vec<u32> =
            rest[..end].trim_matches(['(', ')']).split(',').filter_map(|n| n.trim().parse().ok()).collect();
        match numbers[..] {
            [x, y, z] => words += &form.index([x, y, z]),
            _ => words += &rest[..end],
        }
        rest = &rest[end..];
    }
    words += rest;
    while let Some(end) = words.find(INLINED) {
        match words[..end].rfind(" <") {
            Some(start) => words.replace_range(start + 1..end + INLINED.len(), ""),
            None => break,
        }
    }
    words
}

/// Places in the student's source.
struct Places<'a> {
    sources: &'a Sources,
    origins: &'a Origins,
    name: &'a str,
}

impl Places<'_> {
    /// The code that an instruction was made from, in the student's file: of an assignment what is assigned to, if the
    /// instruction `stores`, and otherwise what is read.
    fn code(&self, place: &Place, stores: bool) -> Option<Span> {
        let (_, line) = place.counted_line().filter(|(file, _)| file == self.name)?;
        let span = self.origins.span(place.at.0).filter(|span| {
            let at = self.sources.position(span.lo);
            span.hi > span.lo && at.is_some_and(|at| at.file.name == self.name && at.line == *line)
        });
        let Some(span) = span else { return Some(self.line(*line)) };
        let text = self.sources.text(span);
        Some(match assignment(text) {
            Some((end, _, compound)) if stores || compound => Span { hi: span.lo + end as u32, ..span },
            Some((_, start, _)) => Span { lo: span.lo + start as u32, ..span },
            None => span,
        })
    }

    /// The code of a line, from 1.
    fn line(&self, line: u32) -> Span {
        let Some(file) = self.sources.files().iter().find(|file| file.name == self.name) else {
            return Span::default();
        };
        let mut start = file.start;
        for (number, text) in (1..).zip(file.text.split('\n')) {
            if number == line {
                let lo = start + (text.len() - text.trim_start().len()) as u32;
                return Span { lo, hi: start + text.trim_end().len() as u32, expansion: 0 };
            }
            start += text.len() as u32 + 1;
        }
        Span { lo: file.start, hi: file.start, expansion: 0 }
    }

    /// The name of the kernel where it is declared, if the exercise launches one only.
    fn only_kernel(&self, steps: &[Step]) -> Option<Span> {
        let mut kernels: Vec<&str> = steps
            .iter()
            .filter_map(|step| match step {
                Step::Launch(launch) => Some(launch.kernel.as_str()),
                Step::Copy(_) | Step::Read(_) => None,
            })
            .collect();
        kernels.sort_unstable();
        kernels.dedup();
        let [kernel] = kernels[..] else { return None };
        let file = self.sources.files().iter().find(|file| file.name == self.name)?;
        let after = file.text.find("__global__")?;
        let at = after + file.text[after..].find(&format!(" {kernel}("))? + 1;
        let lo = file.start + at as u32;
        Some(Span { lo, hi: lo + kernel.len() as u32, expansion: 0 })
    }

    /// A function that is called as a kernel of the exercise and is none that can be launched, with what to do.
    fn no_kernel(&self, steps: &[Step]) -> Option<(Span, &'static str)> {
        let file = self.sources.files().iter().find(|file| file.name == self.name)?;
        let kernels = steps.iter().filter_map(|step| match step {
            Step::Launch(launch) => Some(launch.kernel.as_str()),
            Step::Copy(_) | Step::Read(_) => None,
        });
        kernels.into_iter().find_map(|kernel| {
            words::places(&file.text, kernel).find_map(|at| {
                let after = file.text[at + kernel.len()..].trim_start();
                let before = &file.text[..at];
                let head = &before[before.rfind(['}', ';', '\n']).map_or(0, |end| end + 1)..];
                if !after.starts_with('(') || words::places(head, "void").next().is_none() || head.contains("//") {
                    return None;
                }
                let help = if !head.contains("__global__") {
                    "a kernel is declared with `__global__`"
                } else if head.contains("template") || before.trim_end_matches(head).trim_end().ends_with('>') {
                    "nobody says for which types this template is wanted: write the kernel with the exercise's types"
                } else {
                    return None;
                };
                let lo = file.start + at as u32;
                Some((Span { lo, hi: lo + kernel.len() as u32, expansion: 0 }, help))
            })
        })
    }
}

/// In an expression that is an assignment: where what is assigned to ends, where the value begins, and whether the old
/// value counts too.
fn assignment(text: &str) -> Option<(usize, usize, bool)> {
    let (mut depth, bytes) = (0, text.as_bytes());
    for (at, byte) in bytes.iter().enumerate() {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth -= 1,
            b'=' if depth == 0 && bytes.get(at + 1) != Some(&b'=') => {
                let before = at.checked_sub(1).and_then(|at| bytes.get(at)).copied().unwrap_or(b' ');
                let shift = at > 1 && matches!(before, b'<' | b'>') && bytes[at - 2] == before;
                if matches!(before, b'=' | b'!') || matches!(before, b'<' | b'>') && !shift {
                    continue;
                }
                let compound = shift || b"+-*/%&|^".contains(&before);
                let target = text[..at].trim_end_matches(|c: char| "+-*/%&|^<>".contains(c)).trim_end();
                let value = at + 1 + text[at + 1..].len() - text[at + 1..].trim_start().len();
                return Some((target.len(), value, compound));
            }
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_has_as_many_numbers_as_matter() {
        let message = "reads what thread (1,0,0) copies to at <cp.cuh>:25, inlined at <pipeline.h>:6, inlined at a.cu:34; wait";
        let told =
            |message: &str, all: &[[u32; 3]]| in_students_words(message, Form::of(all.iter().copied()));
        assert_eq!(told(message, &[[1, 0, 0]]), "reads what thread 1 copies to at a.cu:34; wait");
        assert_eq!(told("thread (1,2,0) of", &[[1, 2, 0]]), "thread (1, 2) of");
        assert_eq!(told("thread (1,0,0) of", &[[0, 0, 0], [0, 2, 0]]), "thread (1, 0) of");
    }

    #[test]
    fn an_assignment_has_two_sides() {
        let sides = |text: &str| {
            let (end, start, compound) = assignment(text)?;
            Some((text[..end].to_owned(), text[start..].to_owned(), compound))
        };
        let both = |a: &str, b: &str, compound| Some((a.to_owned(), b.to_owned(), compound));
        assert_eq!(sides("c[i] = a[i] == b[i]"), both("c[i]", "a[i] == b[i]", false));
        assert_eq!(sides("c[i = 3] += a[i]"), both("c[i = 3]", "a[i]", true));
        assert_eq!(sides("c <<= 2"), both("c", "2", true));
        for none in ["a[i]", "a <= b", "a == b", "f(a = b)", ""] {
            assert_eq!(sides(none), None, "{none}");
        }
    }
}
