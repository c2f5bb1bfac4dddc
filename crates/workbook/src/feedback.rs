//! A verdict as a terminal shows it: the compiler's kind of messages, and the picture of the access that costs most.
//!
//! Enters: a verdict and the source it is about. Leaves: text, with colours that `anstream` takes out where they are not
//! wanted. This module must never know which exercise it is.

use anstyle::{AnsiColor, Style};
use checker::{Finding, Messages, Missed, Verdict, messages};
use cuda::diagnostic::Severity;
use exercise::Task;
use exercise::manifest::title;
use std::fmt::Write as _;

const GOOD: Style = AnsiColor::Green.on_default().bold();
const NOTE: Style = Style::new().dimmed();

/// The feedback on a source, which messages call by `name`.
pub fn feedback(verdict: &Verdict, task: &Task, name: &str, source: &str) -> String {
    let Messages { diagnostics, sources, lines } = messages(verdict, task, name, source);
    // What is wrong stands first; a warning may say why.
    let (errors, warnings): (Vec<_>, Vec<_>) =
        diagnostics.into_iter().partition(|one| one.severity == Severity::Error);
    let mut text = cuda::diagnostic::render(&errors, &sources, true);
    for line in lines {
        let _ = writeln!(text, "    {line}");
    }
    if let Some(Finding::Missed(missed)) = &verdict.finding {
        for picture in missed.iter().filter_map(picture) {
            text += &picture;
        }
    }
    if !warnings.is_empty() {
        text.push_str(if text.is_empty() { "" } else { "\n" });
        text += &cuda::diagnostic::render(&warnings, &sources, true);
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
            title(&one.count),
            one.value,
            verdict.case
        );
    }
    text
}

/// The picture of the access that costs most of a condition's count.
fn picture(missed: &Missed) -> Option<String> {
    let access = cli::recorded_access(missed.access.as_deref()?)?;
    let picture = render::access_as_text(&access, &missed.measured.count)?;
    let mut text =
        format!("\n{NOTE}Line {}, {}, warp {}:{NOTE:#}\n", access.line, access.instruction, access.warp);
    for line in picture.lines() {
        let _ = writeln!(text, "  {line}");
    }
    Some(text)
}
