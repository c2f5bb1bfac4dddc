//! Verdicts in the form of the compiler's messages, so that a terminal and an editor show both alike.
//!
//! Enters: a verdict and the source it is about. Leaves: diagnostics with their places, and lines that follow them. This
//! module must never know where they are shown.

use crate::words::{self, form_of_race};
use checker::{Cause, Finding, Missed, Race, Touch, Verdict, Wrong};
use counters::grouped;
use cuda::diagnostic::Diagnostic;
use cuda::source::{Origins, Sources, Span};
use device::Place;
use exercise::Task;
use exercise::manifest::{CAUSE, CaseStep, title};
use exercise::mark::MARK;
use faults::{Form, Stopped};

/// Explanation of a result that is NaN.
const NOT_A_NUMBER: &str = "(NaN comes from 0 / 0, 0 * infinity, the root of a negative number, or elements that were \
                            never written.)";

/// Messages about a verdict.
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
            let help = "the exercise finds its kernels and variables by name, passes the arguments that \
                        the skeleton's kernels take, and needs room for its data";
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
            let help = format!(
                "in this run it came out right; on a GPU it depends on chance: {}",
                words::advice(race)
            );
            diagnostics.push(
                raced(Diagnostic::error("global-race", Span::NOWHERE, message), race, &place).help(help),
            );
        }
        Some(Finding::Wrong(wrong)) => {
            diagnostics.extend(differing(wrong, &place, &in_case));
            lines.extend(wrong.first.iter().map(|one| words::differs(&wrong.buffer, one)));
            let more = wrong.count - wrong.first.len();
            let last = faults::element(&wrong.buffer, wrong.last as u64);
            lines.extend((more > 0).then(|| format!("… and {} more, up to {last}", grouped(more))));
            if wrong.first.iter().any(|one| one.found.is_some_and(|found| found.as_f64().is_nan())) {
                lines.push(NOT_A_NUMBER.to_owned());
            }
        }
        Some(Finding::Mistakes(mistakes)) => {
            let in_case = |one: &Diagnostic| Diagnostic { message: in_case(&one.message), ..one.clone() };
            diagnostics.extend(mistakes.iter().map(in_case));
        }
        Some(Finding::Exit { found, expected }) => {
            let message = in_case(&format!("the exit code is {found}, but should be {expected}"));
            diagnostics.push(Diagnostic::error("exit", Span::NOWHERE, message));
        }
        Some(Finding::Output(differing)) => {
            let message = in_case(&words::output(differing));
            diagnostics.push(Diagnostic::error("output", Span::NOWHERE, message));
            lines.extend(words::lines(differing));
        }
        Some(Finding::Cause(cause)) => diagnostics.push(misplaced(*cause, &place)),
        Some(Finding::Missed(missed)) => {
            diagnostics.extend(missed.iter().map(|one| condition(one, &place, task, &in_case)));
        }
    }
    diagnostics.extend(verdict.warnings.iter().cloned().map(without_solution));
    Messages { diagnostics, sources, lines }
}

/// The message about the mark of a cause.
fn misplaced(cause: Cause, place: &Places<'_>) -> Diagnostic {
    match cause {
        Cause::Unmarked => {
            let help = format!("write `{MARK}` at the end of the line that was the cause, as it is now");
            let message = "all is right, but no line is marked as the cause";
            Diagnostic::error(CAUSE, Span::NOWHERE, message).help(help)
        }
        Cause::Several([first, second]) => {
            let message = "two lines are marked as the cause";
            Diagnostic::error(CAUSE, place.line(second), message)
                .help("what the report shows has one cause: mark one line")
                .related(place.line(first), "the other is here")
        }
        Cause::Elsewhere(line) => {
            let help = "it does what the lines before it let it do: follow the numbers of the report back to where they come from";
            Diagnostic::error(CAUSE, place.line(line), "this line is not the cause").help(help)
        }
        Cause::New(line) => {
            let help = "mark the line of the original file that was the cause, as it is now";
            Diagnostic::error(CAUSE, place.line(line), "this line is new, so it is not the cause").help(help)
        }
    }
}

/// The message about a fault of a source that was compiled to these origins; `steps` are those that ran.
pub fn fault_message(
    stopped: &Stopped,
    sources: &Sources,
    origins: &Origins,
    name: &str,
    steps: &[CaseStep],
) -> Diagnostic {
    fault(stopped, &Places { sources, origins, name }, steps, &str::to_owned)
}

fn fault(
    stopped: &Stopped,
    place: &Places<'_>,
    steps: &[CaseStep],
    in_case: &dyn Fn(&str) -> String,
) -> Diagnostic {
    let fault = &stopped.fault;
    let span = place.code(&fault.place, faults::stores(&stopped.instruction));
    let words = faults::sentence(stopped, &|at| place.text(at));
    let span = span.or_else(|| place.only_kernel(steps)).unwrap_or(Span::NOWHERE);
    let mut diagnostic =
        Diagnostic::error(fault.kind.name(), span, in_case(&words)).label(faults::thread(fault));
    if let Some(help) = faults::help(fault) {
        diagnostic = diagnostic.help(help);
    }
    if let Some(other) = &fault.other
        && let Some(there) = place.code(&other.place, true).filter(|there| *there != span)
    {
        diagnostic = diagnostic.related(there, "the other access is here");
    }
    diagnostic
}

/// The message about an output: where its first element that differs was written, and which threads raced.
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
    // Nothing is underlined where nothing was written: the code that should have written there is unknown.
    let written = wrong.writer.as_ref().and_then(|touch| Some((touch, place.code(&touch.place, true)?)));
    let mut diagnostic =
        Diagnostic::error("wrong", written.map_or(Span::NOWHERE, |(_, span)| span), in_case(&message));
    if let (Some((touch, _)), Some(first)) = (written, wrong.first.first()) {
        let element = faults::element(buffer, first.index as u64);
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
    let form = form_of_race(race);
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

/// The compiler's advice on shared memory says what to write, which is the exercise: these warnings show only the defect.
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

/// Places in the student's source.
struct Places<'a> {
    sources: &'a Sources,
    origins: &'a Origins,
    name: &'a str,
}

impl Places<'_> {
    /// The code that an instruction was made from, in the student's file: of an assignment its target, if the
    /// instruction `stores`, and otherwise the operand that is read.
    fn code(&self, place: &Place, stores: bool) -> Option<Span> {
        let (_, line) = place.counted_line().filter(|(file, _)| file == self.name)?;
        let Some(span) = self.span(place) else { return Some(self.line(*line)) };
        let text = self.sources.text(span);
        let part = faults::narrowed(text, stores);
        let start = (part.as_ptr() as usize - text.as_ptr() as usize) as u32;
        Some(Span { lo: span.lo + start, hi: span.lo + start + part.len() as u32, ..span })
    }

    /// The text of the code that an instruction was made from, where that is known more closely than its line.
    fn text(&self, place: &Place) -> Option<String> {
        self.span(place).map(|span| self.sources.text(span).to_owned())
    }

    fn span(&self, place: &Place) -> Option<Span> {
        let (_, line) = place.counted_line().filter(|(file, _)| file == self.name)?;
        self.origins.span(place.at.0).filter(|span| {
            let at = self.sources.position(span.lo);
            span.hi > span.lo && at.is_some_and(|at| at.file.name == self.name && at.line == *line)
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
    fn only_kernel(&self, steps: &[CaseStep]) -> Option<Span> {
        let mut kernels: Vec<&str> = steps
            .iter()
            .filter_map(|step| match step {
                CaseStep::Launch(launch) => Some(launch.kernel.as_str()),
                CaseStep::Copy(_) | CaseStep::Read(_) => None,
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

    /// A function that has the name of one of the exercise's kernels but cannot be launched, with what to do.
    fn no_kernel(&self, steps: &[CaseStep]) -> Option<(Span, &'static str)> {
        let file = self.sources.files().iter().find(|file| file.name == self.name)?;
        let kernels = steps.iter().filter_map(|step| match step {
            CaseStep::Launch(launch) => Some(launch.kernel.as_str()),
            CaseStep::Copy(_) | CaseStep::Read(_) => None,
        });
        kernels.into_iter().find_map(|kernel| {
            faults::places(&file.text, kernel).find_map(|at| {
                let after = file.text[at + kernel.len()..].trim_start();
                let before = &file.text[..at];
                let head = &before[before.rfind(['}', ';', '\n']).map_or(0, |end| end + 1)..];
                if !after.starts_with('(')
                    || faults::places(head, "void").next().is_none()
                    || head.contains("//")
                {
                    return None;
                }
                let help = if !head.contains("__global__") {
                    "a kernel is declared with `__global__`"
                } else if head.contains("template") || before.trim_end_matches(head).trim_end().ends_with('>')
                {
                    "this template is never instantiated: write the kernel with the exercise's types"
                } else {
                    return None;
                };
                let lo = file.start + at as u32;
                Some((Span { lo, hi: lo + kernel.len() as u32, expansion: 0 }, help))
            })
        })
    }
}
