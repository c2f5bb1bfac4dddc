//! Grades as tables for a spreadsheet: one row per file, and one row per student.
//!
//! Enters: grades. Leaves: CSV text, in which no student's text becomes a formula or a second cell.

use crate::graded::{Graded, Line, Row};
use crate::judge::Outcome;
use crate::points::percent;
use crate::rules::Rules;
use crate::submissions::NOBODY;
use crate::text::cell;
use csv::{QuoteStyle, WriterBuilder};

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
            cells.push(cell(&row.flags.join("; ")));
            cells.push(reasons(row));
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

/// `students.csv`: every student's grade.
///
/// # Errors
/// As [`files()`].
pub(crate) fn students(graded: &[Graded], reports: &[String]) -> anyhow::Result<Vec<u8>> {
    let mut table = WriterBuilder::new().quote_style(QuoteStyle::NonNumeric).from_writer(Vec::new());
    table.write_record(["student", "points", "of", "percent", "labs", "missing", "flags", "report"])?;
    for (of, report) in graded.iter().zip(reports).filter(|(of, _)| of.student != NOBODY) {
        let labs: Vec<&str> = of.rows.iter().filter(|row| row.counts).filter_map(|row| row.lab).collect();
        let flags: usize = of.rows.iter().map(|row| row.flags.len()).sum();
        table.write_record([
            cell(&of.student),
            of.points.to_string(),
            of.of.to_string(),
            percent(of.points.per_mille(of.of)),
            labs.join("; "),
            of.missing.join("; "),
            flags.to_string(),
            report.clone(),
        ])?;
    }
    Ok(table.into_inner()?)
}
