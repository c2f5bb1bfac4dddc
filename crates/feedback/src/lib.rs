//! A verdict in words and pictures: messages in the compiler's form, and the picture of the access that costs most.
//!
//! Enters: a verdict and the source it is about, or what two versions cost. Leaves: [`messages()`] with their places, text, with colours
//! for a terminal where they are wanted, and an SVG. The terminal, the page and the grader show the same. This crate must never know how anything
//! is found.

mod messages;
mod words;

pub use messages::{Messages, fault_message, messages};

use anstyle::{AnsiColor, Style};
use checker::{Both, Case, Costs, Finding, Measured, Missed, Verdict, side_by_side};
use counters::grouped;
use cuda::diagnostic::{Diagnostic, Severity};
use cuda::source::Sources;
use exercise::Task;
use exercise::claim::Claim;
use exercise::manifest::{CaseStep, title};
use record::text::visible;
use render::{Single, format};
use std::fmt::Write as _;

/// Lines of kernels' output that are shown.
const PRINTED: usize = 20;

/// The styles of a text's parts.
#[derive(Clone, Copy)]
struct Styles {
    good: Style,
    note: Style,
}

impl Styles {
    const PLAIN: Styles = Styles { good: Style::new(), note: Style::new() };
    const COLOURED: Styles =
        Styles { good: AnsiColor::Green.on_default().bold(), note: Style::new().dimmed() };
}

/// What a version that has passed and the workbook's solution cost in a case, as a table; of the solution alone, where the version does
/// not run to its end.
pub fn costs(yours: Option<&Costs>, solution: &Costs, case: &Case) -> String {
    let time = |of: &Costs| format::time_ns(of.modelled_ns);
    let limit = |of: &Costs| of.limit.map_or_else(String::new, |limit| limit.0.to_owned());
    let first = yours.unwrap_or(solution);
    let mut rows = vec![
        [String::new(), "yours".to_owned(), "solution".to_owned()],
        ["modelled time".to_owned(), time(first), time(solution)],
    ];
    for Both { title, yours, solutions, .. } in side_by_side(first, solution) {
        rows.push([title, format::number(yours as f64), format::number(solutions as f64)]);
    }
    let width = |at: usize| rows.iter().map(|row| row[at].chars().count()).max().unwrap_or(0);
    let [what, left, right] = [0, 1, 2].map(width);
    let mut text = format!(
        "What each costs, with {}, modelled for an {}:\n",
        case.words(),
        device::GRADED_CHIP.to_uppercase()
    );
    for [title, mine, ours] in &rows {
        let mine = if yours.is_some() { format!("  {mine:>left$}") } else { String::new() };
        let _ = writeln!(text, "  {title:<what$}{mine}  {ours:>right$}");
    }
    let limits = [limit(first), limit(solution)];
    let _ = match &limits {
        [_, ours] if ours.is_empty() => Ok(()),
        [mine, ours] if mine == ours => writeln!(text, "  limited by {ours}"),
        [mine, ours] => writeln!(text, "  yours is limited by {mine}, the solution by {ours}"),
    };
    text
}

/// The feedback on a source, which messages call by `name`.
pub fn feedback(verdict: &Verdict, task: &Task, name: &str, source: &str, coloured: bool) -> String {
    let Styles { good, note } = if coloured { Styles::COLOURED } else { Styles::PLAIN };
    let Messages { diagnostics, sources, lines } = messages(verdict, task, name, source);
    // Errors come first; a warning may say why.
    let (errors, warnings): (Vec<_>, Vec<_>) =
        diagnostics.into_iter().partition(|one| one.severity == Severity::Error);
    let mut text = rendered(&errors, &sources, &lines, coloured);
    if let Some(Finding::Missed(missed)) = &verdict.finding {
        for picture in missed.iter().filter_map(|one| in_letters(one, note)) {
            text += &picture;
        }
    }
    if !warnings.is_empty() {
        text.push_str(if text.is_empty() { "" } else { "\n" });
        text += &cuda::diagnostic::render(&warnings, &sources, coloured);
    }
    text += &printed(verdict, note);
    if verdict.passed() {
        let _ = writeln!(text, "{good}✓ {}: passed{good:#}, {} cases", task.exercise.title, verdict.cases);
    }
    for one in &verdict.measured {
        let mark = if one.holds() { "✓" } else { "✗" };
        let limit = allowed(one);
        let _ = writeln!(
            text,
            "  {mark} {} = {}  {note}({limit}; {}){note:#}",
            title(&one.count),
            grouped(one.value),
            verdict.case
        );
    }
    if let Some(claim) = task.claim.as_ref().filter(|_| verdict.passed()) {
        text += &decided(claim, note);
    }
    text
}

/// The sentence of a source that an exercise decides.
fn decided(claim: &Claim, note: Style) -> String {
    let Claim { claim, source, place } = claim;
    format!(
        "\n{note}The sentence that this decides ({source}, {place}):{note:#}\n  {claim}\n{note}Does it hold? The book's page of \
         claims has the verdict.{note:#}\n"
    )
}

/// The defects of a source, without colours, warnings in their order with the errors: as a report quotes them.
pub fn findings(verdict: &Verdict, task: &Task, name: &str, source: &str) -> String {
    let Messages { diagnostics, sources, lines } = messages(verdict, task, name, source);
    rendered(&diagnostics, &sources, &lines, false)
}

/// Messages, and the lines that follow them.
fn rendered(diagnostics: &[Diagnostic], sources: &Sources, lines: &[String], coloured: bool) -> String {
    let mut text = cuda::diagnostic::render(diagnostics, sources, coloured);
    for line in lines {
        let _ = writeln!(text, "    {line}");
    }
    text
}

/// Output that the kernels printed, as many lines as a reader looks through.
fn printed(verdict: &Verdict, note: Style) -> String {
    let lines: Vec<&str> = verdict.printed.lines().collect();
    if lines.is_empty() {
        return String::new();
    }
    let case = &verdict.case;
    let mut text = format!(
        "{note}printed{}:{note:#}\n",
        if case.is_empty() { String::new() } else { format!(" ({case})") }
    );
    for line in lines.iter().take(PRINTED) {
        let _ = writeln!(text, "    {}", visible(line));
    }
    if let Some(more) = lines.len().checked_sub(PRINTED).filter(|more| *more > 0) {
        let _ = writeln!(
            text,
            "    … and {} more lines: print less, such as from one thread alone",
            grouped(more)
        );
    }
    text
}

/// The limit of a condition, in words. Counts have commas between their thousands; numbers written as in C, such as an index or
/// the case `n = 1000`, have none.
pub fn allowed(one: &Measured) -> String {
    match one.allowed {
        (Some(least), Some(most)) if least == most => format!("exactly {}", grouped(least)),
        (Some(least), Some(most)) => format!("{} to {}", grouped(least), grouped(most)),
        (Some(least), None) => format!("at least {}", grouped(least)),
        (None, Some(most)) => format!("at most {}", grouped(most)),
        (None, None) => String::new(),
    }
}

/// The access that costs most of a condition's count, in letters.
fn in_letters(missed: &Missed, note: Style) -> Option<String> {
    let noted = missed.access.as_deref()?;
    let access = traced::recorded_access(noted)?;
    let count = &missed.measured.count;
    let counter = counters::cost(count).map_or(count.as_str(), |cost| cost.chief(&noted.cost));
    let picture = render::access_as_text(&access, counter)?;
    let mut text =
        format!("\n{note}Line {}, {}, warp {}:{note:#}\n", access.line, access.instruction, access.warp);
    for line in picture.lines() {
        let _ = writeln!(text, "  {line}");
    }
    Some(text)
}

/// The picture of the access that the feedback is about, as an SVG, where it is about one that can be drawn. `id` is a word
/// that is unique on the page; `narrow`, whether the page is.
pub fn picture(verdict: &Verdict, task: &Task, id: &str, narrow: bool) -> Option<String> {
    let Some(Finding::Missed(missed)) = &verdict.finding else { return None };
    let mut kernels: Vec<&str> = task.exercise.steps.iter().filter_map(kernel).collect();
    kernels.dedup();
    // With several kernels it is not known here whose access it is.
    let kernel = if let [kernel] = &kernels[..] { kernel } else { "" };
    missed.iter().find_map(|one| {
        let noted = one.access.as_deref()?;
        let access = traced::recorded_access(noted)?;
        let title = format!("{}: {}", title(&one.measured.count), access.instruction);
        let single = Single {
            access: &access,
            kernel,
            grid: noted.block.map(|index| index.saturating_add(1)),
            block: noted.block,
            title: &title,
            id,
        };
        if narrow { single.narrow_svg() } else { single.svg() }.ok()
    })
}

fn kernel(step: &CaseStep) -> Option<&str> {
    if let CaseStep::Launch(launch) = step { Some(&launch.kernel) } else { None }
}
