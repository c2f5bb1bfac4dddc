//! Verdicts in the form of the compiler's messages, so that a terminal and an editor show both alike.
//!
//! Enters: a verdict and the source it is about. Leaves: diagnostics with their places, and lines that follow them. This
//! module must never know where they are shown.

use crate::{Differs, Finding, Missed, Verdict, Wrong};
use cuda::diagnostic::Diagnostic;
use cuda::source::{Sources, Span};
use exercise::Task;
use exercise::manifest::Step;

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
    let place = Places { sources: &sources, name };
    let (mut diagnostics, mut lines) = (vec![], vec![]);
    match &verdict.finding {
        None | Some(Finding::Compile(_)) => {}
        Some(Finding::Launch(why)) => {
            let help =
                "the exercise reaches kernels and variables by name: those of its skeleton and its task";
            diagnostics.push(Diagnostic::error("launch", place.kernel(task), why.clone()).help(help));
        }
        Some(Finding::Fault(fault)) => {
            let line = fault.place.counted_line().filter(|(file, _)| file == name).map(|(_, line)| *line);
            let span = line.map_or_else(|| place.kernel(task), |line| place.line(line));
            let words = in_students_words(&names::readable(&fault.message));
            let label = format!("thread {} of block {}", index(fault.thread), index(fault.block));
            let message = in_case(&words, &verdict.case);
            let mut diagnostic = Diagnostic::error(fault.kind.name(), span, message).label(label);
            if let Some(other) = line_in(&words, name).filter(|other| Some(*other) != line) {
                diagnostic = diagnostic.related(place.line(other), "the other access is here");
            }
            diagnostics.push(diagnostic);
        }
        Some(Finding::Wrong(wrong)) => {
            let Wrong { buffer, first, count, of } = wrong;
            let message = format!("{count} of the {of} elements of `{buffer}` are not what they must be");
            let message = in_case(&message, &verdict.case);
            diagnostics.push(Diagnostic::error("wrong", place.kernel(task), message));
            lines.extend(first.iter().map(|one| differs(buffer, one)));
            lines.extend((*count > first.len()).then(|| format!("… and {} more", count - first.len())));
        }
        Some(Finding::Missed(missed)) => {
            diagnostics.extend(missed.iter().map(|one| condition(one, &place, task, &verdict.case)));
        }
    }
    diagnostics.extend(verdict.warnings.iter().cloned().map(without_solution));
    Messages { diagnostics, sources, lines }
}

/// The compiler's advice on shared memory says what to write, which is the exercise: of these warnings, what is wrong alone.
fn without_solution(warning: Diagnostic) -> Diagnostic {
    match warning.code {
        "bank-conflict" | "missing-barrier" | "divergent-barrier" => Diagnostic { help: None, ..warning },
        _ => warning,
    }
}

fn condition(missed: &Missed, place: &Places<'_>, task: &Task, case: &str) -> Diagnostic {
    let measured = &missed.measured;
    let allowed = match measured.allowed {
        (_, Some(most)) if measured.value > most => format!("may be at most {most}"),
        (Some(least), _) => format!("must be at least {least}"),
        (None, _) => String::new(), // a condition that is missed has a limit
    };
    let message = in_case(&format!("`{}` is {}, and {allowed}", measured.count, measured.value), case);
    let span = missed.line.map_or_else(|| place.kernel(task), |(line, _)| place.line(line));
    let mut diagnostic = Diagnostic::error("condition", span, message).help(missed.says.clone());
    if let Some((_, count)) = missed.line {
        let of = if count as i64 == measured.value {
            "all of them".to_owned()
        } else {
            format!("{count} of them")
        };
        diagnostic = diagnostic.label(format!("{of} here"));
    }
    diagnostic
}

fn in_case(message: &str, case: &str) -> String {
    if case.is_empty() { message.to_owned() } else { format!("{message} ({case})") }
}

/// Between a place and the call that it was inlined at.
const INLINED: &str = ", inlined at ";

/// A fault's words with threads written as [`index`] has them, and without places in CUDA's own headers.
fn in_students_words(message: &str) -> String {
    let mut words = String::new();
    let mut rest = message;
    while let Some(at) = rest.find("thread (").map(|at| at + "thread ".len()) {
        words += &rest[..at];
        rest = &rest[at..];
        let end = rest.find(')').map_or(rest.len(), |end| end + 1);
        let numbers: Vec<u32> =
            rest[..end].trim_matches(['(', ')']).split(',').filter_map(|n| n.trim().parse().ok()).collect();
        match numbers[..] {
            [x, y, z] => words += &index([x, y, z]),
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

/// The line of a file that a message names, as in `at name.cu:21`.
fn line_in(message: &str, name: &str) -> Option<u32> {
    let (_, after) = message.split_once(&format!(" at {name}:"))?;
    after.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}

/// `3`, `(3, 4)` or `(3, 4, 5)`, as far as there is something to tell.
fn index([x, y, z]: [u32; 3]) -> String {
    match (y, z) {
        (0, 0) => x.to_string(),
        (_, 0) => format!("({x}, {y})"),
        _ => format!("({x}, {y}, {z})"),
    }
}

fn differs(buffer: &str, Differs { index, found, expected }: &Differs) -> String {
    let expected = short(*expected);
    match found {
        Some(found) => format!("{buffer}[{index}] is {}, and should be {expected}", short(*found)),
        None => format!("{buffer}[{index}] was never written, and should be {expected}"),
    }
}

/// A number with as many digits as one looks at.
fn short(number: f64) -> String {
    if number == 0.0 || (1e-3..1e7).contains(&number.abs()) {
        let text = format!("{number:.6}");
        let text = text.trim_end_matches('0').trim_end_matches('.');
        if text == "-0" { "0".to_owned() } else { text.to_owned() }
    } else {
        format!("{number:.5e}")
    }
}

/// Places in the student's source.
struct Places<'a> {
    sources: &'a Sources,
    name: &'a str,
}

impl Places<'_> {
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

    /// The name of the kernel that the exercise launches first, where it is declared.
    fn kernel(&self, task: &Task) -> Span {
        let kernel = task.exercise.steps.iter().find_map(|step| match step {
            Step::Launch(launch) => Some(launch.kernel.as_str()),
            Step::Copy(_) | Step::Read(_) => None,
        });
        let file = self.sources.files().iter().find(|file| file.name == self.name);
        let found = file.zip(kernel).and_then(|(file, kernel)| {
            let after = file.text.find("__global__")?;
            let at = after + file.text[after..].find(&format!(" {kernel}("))? + 1;
            let lo = file.start + at as u32;
            Some(Span { lo, hi: lo + kernel.len() as u32, expansion: 0 })
        });
        found.unwrap_or_else(|| self.line(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_other_access_is_found_in_the_student_s_file() {
        let message = "reads what thread (1,0,0) copies to at <cp.cuh>:25, inlined at <pipeline.h>:6, inlined at a.cu:34; wait";
        let words = in_students_words(message);
        assert_eq!(words, "reads what thread 1 copies to at a.cu:34; wait");
        assert_eq!(line_in(&words, "a.cu"), Some(34));
        assert_eq!(in_students_words("thread (1,2,0) of"), "thread (1, 2) of");
        assert_eq!(line_in(&words, "b.cu"), None);
    }

    #[test]
    fn numbers_are_short() {
        for (number, text) in
            [(0.5, "0.5"), (3.0, "3"), (-0.0, "0"), (1e-9, "1.00000e-9"), (123_456_789.0, "1.23457e8")]
        {
            assert_eq!(short(number), text);
        }
    }
}
