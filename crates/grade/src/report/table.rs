//! Grades as tables for a spreadsheet: one row per file, and one row per student.
//!
//! Enters: grades. Leaves: CSV text, in which no student's text becomes a formula or a second cell.

use crate::graded::{Graded, Line, Row};
use crate::judge::Outcome;
use crate::points::{Points, percent};
use crate::rules::Rules;
use crate::submissions::NOBODY;
use crate::text::{cell, long_cell};
use crate::work::{GradedWork, Kind, Part, State};
use csv::{QuoteStyle, WriterBuilder};

/// Most characters of a list in a cell; a spreadsheet's holds 32,767.
const MOST_OF_CELL: usize = 30_000;

/// `grades.csv`: every file.
///
/// # Errors
/// The writer's; writing to memory has none.
pub(crate) fn files(rules: &Rules, graded: &[Graded], reports: &[String]) -> anyhow::Result<Vec<u8>> {
    let ids: Vec<&str> = rules.ids().collect();
    let mut table = WriterBuilder::new().quote_style(QuoteStyle::NonNumeric).from_writer(Vec::new());
    let mut header: Vec<&str> =
        vec!["student", "file", "lab", "device", "when", "status", "counts", "points", "of", "percent"];
    header.extend(&ids);
    header.extend(["flags", "reasons", "report"]);
    table.write_record(&header)?;
    for (of, report) in graded.iter().zip(reports) {
        for row in &of.rows {
            let mut cells = vec![
                cell(&of.student),
                cell(&row.file),
                row.lab.unwrap_or_default().to_owned(),
                cell(&row.device),
                cell(&row.when),
                row.status.to_string(),
                if row.counts { "yes" } else { "no" }.to_owned(),
                row.points.to_string(),
                row.of.to_string(),
                percent(row.points.per_mille(row.of)),
            ];
            cells.extend(ids.iter().map(|id| points(row, id)));
            cells.push(long_cell(&row.flags.join("; "), MOST_OF_CELL));
            cells.push(if row.counts && row.lab.is_none() { work_reasons(of) } else { reasons(row) });
            cells.push(report.clone());
            table.write_record(&cells)?;
        }
    }
    Ok(table.into_inner()?)
}

/// Points of one check; empty if it does not apply to this file.
fn points(row: &Row, id: &str) -> String {
    let line = row.lines.iter().find(|line| line.id == id);
    line.filter(|line| line.finding.outcome != Outcome::Beside)
        .map_or_else(String::new, |l| l.points.to_string())
}

/// Reasons why points are missing. Untrusted text in them is in code spans.
fn reasons(row: &Row) -> String {
    let mut reasons: Vec<String> = Vec::new();
    if !row.why.is_empty() {
        reasons.push(row.why.clone());
    }
    let open = |line: &&Line| line.finding.outcome == Outcome::Open;
    let open: Vec<&str> = row.lines.iter().filter(open).map(|line| line.id.as_str()).collect();
    if !open.is_empty() {
        reasons.push(format!("not found out: {}", open.join(", ")));
    }
    let lost = |line: &&Line| matches!(line.finding.outcome, Outcome::Part(good, of) if good < of);
    reasons.extend(row.lines.iter().filter(lost).map(|line| format!("{}: {}", line.id, line.finding.why)));
    reasons.join(" | ")
}

/// Points of a student's parts of a kind; empty if none are expected.
fn kind(of: &Graded, kind: Kind) -> String {
    let points = |work: &GradedWork| work.kind(kind).map(|part| part.points).sum::<Points>().to_string();
    of.work.as_ref().map(points).unwrap_or_default()
}

/// `work.csv`: every student's exercises and answers, a column each. A cell is empty where a part could not be graded, or
/// waits for a person's marks.
///
/// # Errors
/// As [`files()`].
pub(crate) fn work(graded: &[Graded], reports: &[String]) -> anyhow::Result<Vec<u8>> {
    let mut table = WriterBuilder::new().quote_style(QuoteStyle::NonNumeric).from_writer(Vec::new());
    let all: Vec<(&Graded, &GradedWork, &String)> =
        graded.iter().zip(reports).filter_map(|(of, report)| Some((of, of.work.as_ref()?, report))).collect();
    // All have the same parts: those that are assigned.
    let parts = all.first().map(|(_, work, _)| work.parts.as_slice()).unwrap_or_default();
    let head = ["student", "points", "of"].map(str::to_owned).into_iter();
    let names = parts.iter().map(|part| format!("{}: {}", part.kind, part.id));
    table.write_record(head.chain(names).chain(["report".to_owned()]))?;
    for (of, work, report) in all {
        let head = [cell(&of.student), work.points().to_string(), work.of().to_string()].into_iter();
        let points = work.parts.iter().map(|part| match part.state {
            State::Graded | State::Missing => part.points.to_string(),
            State::Open | State::Unmarked | State::Beside => String::new(),
        });
        table.write_record(head.chain(points).chain([report.clone()]))?;
    }
    Ok(table.into_inner()?)
}

/// Reasons why points of exercises and answers are missing: of those that were handed in each, the others counted.
fn work_reasons(of: &Graded) -> String {
    let Some(work) = &of.work else { return String::new() };
    let lost = |part: &&Part| match part.state {
        State::Graded => part.points < part.of,
        State::Open | State::Beside => true,
        State::Missing | State::Unmarked => false,
    };
    let mut reasons: Vec<String> =
        work.parts.iter().filter(lost).map(|part| format!("{}: {}", part.id, part.why)).collect();
    for kind in Kind::ALL {
        if let missing @ 1.. = work.kind(kind).filter(|part| part.state == State::Missing).count() {
            reasons.push(format!("{missing} {kind} not handed in"));
        }
    }
    reasons.extend(work.notes.iter().cloned());
    reasons.join(" | ")
}

/// `students.csv`: every student's grade.
///
/// # Errors
/// As [`files()`].
pub(crate) fn students(graded: &[Graded], reports: &[String]) -> anyhow::Result<Vec<u8>> {
    let mut table = WriterBuilder::new().quote_style(QuoteStyle::NonNumeric).from_writer(Vec::new());
    table.write_record([
        "student",
        "points",
        "of",
        "percent",
        "exercises",
        "questions",
        "in words",
        "labs",
        "missing",
        "flags",
        "report",
    ])?;
    for (of, report) in graded.iter().zip(reports).filter(|(of, _)| of.student != NOBODY) {
        let labs: Vec<&str> = of.rows.iter().filter(|row| row.counts).filter_map(|row| row.lab).collect();
        let flags: usize = of.rows.iter().map(|row| row.flags.len()).sum();
        table.write_record([
            cell(&of.student),
            of.points.to_string(),
            of.of.to_string(),
            percent(of.points.per_mille(of.of)),
            kind(of, Kind::Exercise),
            kind(of, Kind::Question),
            kind(of, Kind::Words),
            labs.join("; "),
            of.missing.join("; "),
            flags.to_string(),
            report.clone(),
        ])?;
    }
    Ok(table.into_inner()?)
}
