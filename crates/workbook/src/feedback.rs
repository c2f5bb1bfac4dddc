//! A verdict as a terminal shows it: the compiler's kind of messages, and the picture of the access that costs most.
//!
//! Enters: a verdict and the source it is about. Leaves: text, with colours that `anstream` takes out where they are not
//! wanted. This module must never know which exercise it is.

use anstyle::{AnsiColor, Style};
use checker::{Finding, Messages, Verdict, messages};
use exercise::Task;
use std::fmt::Write as _;

const GOOD: Style = AnsiColor::Green.on_default().bold();
const NOTE: Style = Style::new().dimmed();

/// The feedback on a source, which messages call by `name`.
pub fn feedback(verdict: &Verdict, task: &Task, name: &str, source: &str) -> String {
    let Messages { diagnostics, sources, lines } = messages(verdict, task, name, source);
    let mut text = cuda::diagnostic::render(&diagnostics, &sources, true);
    for line in lines {
        let _ = writeln!(text, "    {line}");
    }
    if let Some(Finding::Missed(missed)) = &verdict.finding {
        let pictures = missed.iter().filter_map(|one| one.access.as_deref()).filter_map(cli::recorded_access);
        let mut pictures: Vec<_> = pictures.collect();
        // In the order of the messages.
        pictures.sort_by_key(|access| access.line);
        for access in pictures {
            let Some(picture) = render::access_as_text(&access) else { continue };
            let _ = writeln!(
                text,
                "\n{NOTE}Line {}, {}, warp {}:{NOTE:#}",
                access.line, access.instruction, access.warp
            );
            for line in picture.lines() {
                let _ = writeln!(text, "  {line}");
            }
        }
    }
    if verdict.passed() {
        let _ = writeln!(text, "{GOOD}✓ {}: passed{GOOD:#}, {} cases", task.exercise.title, verdict.cases);
    }
    for one in &verdict.measured {
        let mark = if one.holds() { "✓" } else { "✗" };
        let limit = match one.allowed {
            (Some(least), Some(most)) => format!("{least} to {most}"),
            (Some(least), None) => format!("at least {least}"),
            (None, Some(most)) => format!("at most {most}"),
            (None, None) => String::new(),
        };
        let _ = writeln!(
            text,
            "  {mark} {} = {}  {NOTE}({limit}; {}){NOTE:#}",
            one.count, one.value, verdict.case
        );
    }
    text
}
