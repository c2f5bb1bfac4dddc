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
            let message = in_case(&names::readable(&fault.message), &verdict.case);
            let label = format!("thread {} of block {}", index(fault.thread), index(fault.block));
            diagnostics.push(Diagnostic::error(fault.kind.name(), span, message).label(label));
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
    diagnostics.extend(verdict.warnings.iter().cloned());
    Messages { diagnostics, sources, lines }
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
    fn numbers_are_short() {
        for (number, text) in
            [(0.5, "0.5"), (3.0, "3"), (-0.0, "0"), (1e-9, "1.00000e-9"), (123_456_789.0, "1.23457e8")]
        {
            assert_eq!(short(number), text);
        }
    }
}
