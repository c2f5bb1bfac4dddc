//! A lab's digest as text: the question, the table that answers it, what to take from it, and the verdicts in a line.
//!
//! Enters: a record, and its lab's digest. Leaves: text of at most 80 columns with ANSI styles. Series and columns have the
//! names that the book's tables give them.

use crate::common_part;
use crate::comparison::{LabelledPoint, how, largest, shown};
use crate::digest::{Digest, Part, Table, Xs};
use crate::lab::Lab;
use crate::layout::{
    HEAD, NOTE, apart, empty, item, lines, number, paragraph, plain, quantity, right, styled,
};
use crate::tables::sweep;
use comfy_table::ColumnConstraint;
use record::{Experiment, Record, Series, TimeSource, Verdict};
use render::table::Query;
use render::{Field, Value};

/// The question and the table that answers it; nothing where the record has none of its points.
pub(crate) fn answer(digest: &Digest, record: &Record) -> String {
    let table = match digest.table {
        Table::Points { parts, columns } => points(record, parts, columns),
        Table::Sweep { experiment, series, xs } => swept(record, experiment, series, xs),
        Table::Columns { experiment, series } => pivoted(record, experiment, series),
    };
    let Some((note, table)) = table else { return String::new() };
    format!("\n{}\n{}{}", styled(HEAD, digest.question), noted(&note), lines(&table))
}

fn noted(note: &str) -> String {
    paragraph(note).lines().map(|line| format!("{}\n", styled(NOTE, line))).collect()
}

/// Conclusions of a run: of a small one those that a whole one has too.
pub fn sentences(lab: &Lab, record: &Record) -> Vec<String> {
    let record = common_part::in_common(lab, record);
    lab.digest.takeaways.iter().filter_map(|takeaway| takeaway(&record)).collect()
}

/// Conclusions of the run. A run with wrong results has none.
pub(crate) fn takeaways(lab: &Lab, record: &Record) -> String {
    let said: String = if record.checks.iter().any(|check| !check.passed) {
        item("✗", "Nothing: some of its results are wrong, as listed below.")
    } else {
        sentences(lab, record).iter().map(|sentence| item("•", sentence)).collect()
    };
    if said.is_empty() {
        said
    } else {
        format!(
            "\n{}\n{said}",
            styled(HEAD, &format!("What to take from this run (times and rates are {})", how(record)))
        )
    }
}

/// Number of the sources' claims by verdict, in a line.
pub(crate) fn verdicts(record: &Record) -> Option<String> {
    let number_of = |verdict| record.claims.iter().filter(|claim| claim.verdict == verdict).count();
    let (held, all) = (number_of(Verdict::Holds), record.claims.len());
    let mut text = match all {
        0 => return None,
        1 => format!("{held} of 1 claim holds"),
        _ => format!("{held} of {all} claims {}", if held == 1 { "holds" } else { "hold" }),
    };
    let by = match record.device.source() {
        TimeSource::Modelled => "not shown by this device",
        TimeSource::Measured => "not shown by this run",
    };
    let others = [(Verdict::HoldsInPart, "in part"), (Verdict::DoesNotHold, "not"), (Verdict::NotShown, by)];
    for (n, words) in others.map(|(verdict, words)| (number_of(verdict), words)) {
        if n > 0 {
            text += &format!(", {n} {words}");
        }
    }
    Some(text)
}

/// `modelled` or `measured`, and where the counts of a table are from.
fn provenance(record: &Record, counts: bool) -> String {
    let counts = match (counts, record.device.source()) {
        (false, _) => "",
        (true, TimeSource::Modelled) => ", counts exact",
        (true, TimeSource::Measured) => ", counts of the embedded device",
    };
    format!("{}{counts}", how(record))
}

/// A row a point. Fields that no point has are not columns, and values that all share are in the note.
fn points(record: &Record, parts: &[Part], columns: &[&str]) -> Option<(String, comfy_table::Table)> {
    let rows: Vec<LabelledPoint<'_>> = parts.iter().flat_map(|part| chosen(record, part)).collect();
    let first = rows.first()?;
    let fields: Vec<Field> = columns.iter().filter_map(|name| Field::parse(name).ok()).collect();
    let has = |field: &&Field| rows.iter().any(|row| cell(row, field).is_some());
    let fields: Vec<&Field> = fields.iter().filter(has).collect();
    let counts = fields.iter().any(|field| matches!(field, Field::Counter { .. } | Field::Ratio { .. }));
    let mut note = provenance(record, counts);
    let mut leading = Vec::new();
    if rows.iter().any(|row| row.series.label != first.series.label) {
        leading.push(Field::Series);
    }
    if rows.iter().any(|row| row.point.x != first.point.x) {
        leading.push(Field::X);
    } else {
        note += &format!("; {}: {}", first.experiment.x.label, first.x());
    }
    let texts = leading.iter().filter(|field| **field == Field::Series).count();
    let fields: Vec<&Field> = leading.iter().chain(fields).collect();
    let mut table = empty();
    table.set_header(fields.iter().map(|field| plain(&field.heading(first.experiment))));
    for row in &rows {
        table.add_row(fields.iter().map(|field| cell(row, field).unwrap_or_else(|| "–".to_owned())));
    }
    Some((note, unbroken(apart(right(table, texts)), texts)))
}

/// Labels are not broken: headings give way.
fn unbroken(mut table: comfy_table::Table, texts: usize) -> comfy_table::Table {
    if let Some(column) = table.column_mut(0).filter(|_| texts > 0) {
        column.set_constraint(ColumnConstraint::ContentWidth);
    }
    table
}

fn chosen<'r>(record: &'r Record, part: &Part) -> Vec<LabelledPoint<'r>> {
    let xs = match part.xs {
        Xs::These(xs) => xs.to_vec(),
        Xs::Largest => largest(record, part.experiment, part.series).into_iter().collect(),
    };
    let all = part.series.iter().flat_map(|id| xs.iter().map(move |&x| (id, x)));
    all.filter_map(|(id, x)| shown(record, part.experiment, id, x)).collect()
}

/// A field of a point; sizes and times have their units in the cell, all else in the heading.
fn cell(row: &LabelledPoint<'_>, field: &Field) -> Option<String> {
    Some(match field.of(row.experiment, row.series, row.point).ok()? {
        Value::Text(text) => text,
        Value::Number { value, unit } if matches!(unit.as_str(), "ns" | "B") => quantity(value, &unit),
        Value::Number { value, .. } => number(value),
    })
}

/// The series of these ids that the record has.
fn present<'r>(experiment: &'r Experiment, series: &[&str]) -> Vec<&'r Series> {
    series.iter().filter_map(|id| experiment.series(id)).collect()
}

fn swept(
    record: &Record,
    experiment: &str,
    series: &[&str],
    xs: &[f64],
) -> Option<(String, comfy_table::Table)> {
    let experiment = record.experiment(experiment)?;
    let series = present(experiment, series);
    let xs: Vec<f64> = xs.iter().copied().filter(|&x| series.iter().any(|s| s.at(x).is_some())).collect();
    if xs.is_empty() {
        return None;
    }
    let (label, unit) = (&experiment.y.label, &experiment.y.unit);
    let note = format!("{label} in {unit}, {}; a count below each", how(record));
    Some((note, sweep(experiment, &series, &xs, |series| series.label.clone())))
}

/// A row an x, a column a series: the book's own table.
fn pivoted(record: &Record, experiment: &str, series: &[&str]) -> Option<(String, comfy_table::Table)> {
    let there = record.experiment(experiment)?;
    let series: Vec<&str> = present(there, series).into_iter().map(|series| series.id.as_str()).collect();
    if series.is_empty() {
        return None;
    }
    let query = Query { series: &series, pivot: Some(Field::Y), ..Query::new(record, experiment) };
    let pivot = query.table().ok()?;
    let mut table = empty();
    table.set_header(pivot.columns.iter().map(|column| plain(&column.heading)));
    for row in pivot.rows {
        let texts =
            row.into_iter().map(|cell| if cell.text.is_empty() { "–".to_owned() } else { plain(&cell.text) });
        table.add_row(texts);
    }
    let unit = &there.y.unit;
    let unit = if matches!(unit.as_str(), "ns" | "B" | "") { String::new() } else { format!(" in {unit}") };
    Some((format!("{}{unit}, {}", there.y.label, how(record)), apart(right(table, 0))))
}
