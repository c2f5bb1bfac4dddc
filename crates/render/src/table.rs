//! Records to tables.
//!
//! Enters: a record, and a choice of its points and fields; optionally a second record, the reader's own. Leaves: a
//! [`Table`] of text, and its HTML. This module must never know on which page or terminal the table ends up.

use crate::field::{whose, words};
use crate::{Error, Field, Format, format};
use record::text::visible;
use record::{Check, Experiment, Origin, Parameter, Point, Record, Series, Source, Verdict};

/// A table of texts, ready for layout.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// Caption: the subject, its device, and whether it was measured or modelled.
    pub caption: String,
    /// Columns.
    pub columns: Vec<Column>,
    /// Rows, each with a cell for every column.
    pub rows: Vec<Vec<Cell>>,
}

/// Head of a column.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Column {
    /// Heading.
    pub heading: String,
    /// Whether the column holds numbers, which are aligned to the right.
    pub numeric: bool,
    /// Whether the column holds the reader's own results.
    pub yours: bool,
}

/// A cell.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cell {
    /// Text of the cell.
    pub text: String,
    /// The reader's own result, shown below the text.
    pub yours: Option<String>,
    /// Class for style sheets, such as `does-not-hold`.
    pub mark: Option<&'static str>,
}

impl Column {
    fn words(heading: &str) -> Self {
        Column { heading: heading.into(), ..Column::default() }
    }
}

impl Cell {
    pub(crate) fn text(text: impl Into<String>) -> Self {
        Cell { text: text.into(), ..Cell::default() }
    }

    fn marked(text: impl Into<String>, mark: &'static str) -> Self {
        Cell { text: text.into(), mark: Some(mark), yours: None }
    }
}

/// Selection of an experiment's points and of their fields.
#[derive(Clone, Debug)]
pub struct Query<'a> {
    /// Record that has the points.
    pub record: &'a Record,
    /// Id of the experiment.
    pub experiment: &'a str,
    /// Ids of the series, in this order; empty: all.
    pub series: &'a [&'a str],
    /// Values of x; empty: all.
    pub x: &'a [f64],
    /// Columns, with one row for each point; empty: variant, x, calls, median, shortest and longest time, y.
    pub columns: &'a [Field],
    /// Field shown in each cell of a table with one row for each x and one column for each series, instead of
    /// `columns`.
    pub pivot: Option<Field>,
    /// Caption, instead of the experiment's title.
    pub caption: Option<&'a str>,
    /// Format of the numbers.
    pub format: Format<'a>,
    /// Record of the reader's own run.
    pub yours: Option<&'a Record>,
}

impl<'a> Query<'a> {
    /// Selects all points of an experiment.
    pub fn new(record: &'a Record, experiment: &'a str) -> Self {
        Query {
            record,
            experiment,
            series: &[],
            x: &[],
            columns: &[],
            pivot: None,
            caption: None,
            format: Format::default(),
            yours: None,
        }
    }

    /// The selected table.
    ///
    /// # Errors
    /// An experiment, series, x or counter that the record does not have, with those it has. Fields that the reader's
    /// own record lacks are left empty.
    pub fn table(&self) -> Result<Table, Error> {
        let experiment = experiment(self.record, self.experiment)?;
        let series = select_series(experiment, self.series)?;
        select_x(experiment, &series, self.x)?;
        let mine = self.yours.and_then(|yours| yours.experiment(self.experiment));
        let mut what = self.caption.unwrap_or(&experiment.title).to_owned();
        // A pivot has no heading for the quantity in its cells.
        if let Some(field) = &self.pivot {
            let unit = &experiment.y.unit;
            // The title speaks of y; any other quantity must be named.
            if *field != Field::Y && self.caption.is_none() {
                what += &format!(": {}", field.heading(experiment));
            } else if !unit.is_empty() && !field.carries_unit(unit) {
                what += &format!(", in {unit}");
            }
        }
        // Columns that were chosen may be times.
        let origin = if self.columns.is_empty() { experiment.y_is } else { Origin::Time };
        let caption = format!("{what} ({})", provenance(self.record, mine.and(self.yours), origin));
        let (columns, rows) = match &self.pivot {
            Some(field) => self.pivoted(field, experiment, &series, mine)?,
            None => self.flat(experiment, &series, mine)?,
        };
        Ok(Table { caption, columns, rows })
    }

    fn flat(
        &self,
        experiment: &Experiment,
        series: &[&Series],
        mine: Option<&Experiment>,
    ) -> Result<(Vec<Column>, Vec<Vec<Cell>>), Error> {
        let usual: Vec<Field>;
        let fields = if self.columns.is_empty() {
            usual = ["series", "x", "calls", "time.median", "time.min", "time.max", "y"]
                .iter()
                .map(|name| Field::parse(name))
                .collect::<Result<_, _>>()?;
            usual.as_slice()
        } else {
            self.columns
        };
        // The reader's column stands beside the result that the table is about: y if it is there, else the first.
        let beside = mine.and_then(|_| {
            let y = fields.iter().position(|f| *f == Field::Y);
            y.or_else(|| fields.iter().position(Field::is_result))
        });
        let mut columns = Vec::new();
        for (i, field) in fields.iter().enumerate() {
            columns.push(self.column(field, experiment));
            if beside == Some(i) {
                let modelled =
                    self.yours.is_some_and(|r| r.device.source() == Source::Modelled) && field.is_timing();
                let heading = if modelled { "yours, modelled" } else { "yours" };
                columns.push(Column { heading: heading.into(), numeric: true, yours: true });
            }
        }
        let mut rows = Vec::new();
        let mut found = vec![None; fields.len()];
        for (series, point) in points(series, self.x) {
            let mut row = Vec::new();
            for (i, field) in fields.iter().enumerate() {
                row.push(Cell::text(self.cell(field, experiment, series, point, &mut found[i])));
                if beside == Some(i) {
                    let text = mine.and_then(|mine| self.mine(field, mine, series, point));
                    row.push(Cell::text(text.unwrap_or_else(|| "–".into())));
                }
            }
            rows.push(row);
        }
        refuse_empty(found)?;
        Ok((columns, rows))
    }

    fn pivoted(
        &self,
        field: &Field,
        experiment: &Experiment,
        series: &[&Series],
        mine: Option<&Experiment>,
    ) -> Result<(Vec<Column>, Vec<Vec<Cell>>), Error> {
        let mut columns = vec![self.column(&Field::X, experiment)];
        columns.extend(series.iter().map(|s| Column {
            heading: s.label.clone(),
            numeric: true,
            yours: false,
        }));
        let mut xs: Vec<f64> = points(series, self.x).map(|(_, point)| point.x).collect();
        xs.sort_by(f64::total_cmp);
        xs.dedup();
        let mut rows = Vec::new();
        let mut found = vec![None; series.len()];
        for x in xs {
            let at = Field::X;
            let head =
                series.iter().find_map(|s| s.at(x).map(|p| self.cell(&at, experiment, s, p, &mut None)));
            let mut row = vec![Cell::text(head.unwrap_or_default())];
            for (i, series) in series.iter().enumerate() {
                let Some(point) = series.at(x) else {
                    row.push(Cell::text(""));
                    continue;
                };
                let mut cell = Cell::text(self.cell(field, experiment, series, point, &mut found[i]));
                if field.is_result() {
                    cell.yours = mine.and_then(|mine| self.mine(field, mine, series, point));
                }
                row.push(cell);
            }
            rows.push(row);
        }
        refuse_empty(found)?;
        Ok((columns, rows))
    }

    fn column(&self, field: &Field, experiment: &Experiment) -> Column {
        let mut heading = field.heading(experiment);
        if field.is_timing() && self.record.device.source() == Source::Modelled {
            heading += ", modelled";
        }
        Column { heading, numeric: !matches!(field, Field::Series | Field::Kernel), yours: false }
    }

    /// Text of a cell; `found` keeps whether the column has any value, and if not, why.
    fn cell(
        &self,
        field: &Field,
        experiment: &Experiment,
        series: &Series,
        point: &Point,
        found: &mut Option<Result<(), Error>>,
    ) -> String {
        match field.of(experiment, series, point) {
            Ok(value) => {
                *found = Some(Ok(()));
                let unit = match field {
                    Field::Y | Field::YMin | Field::YMax => &experiment.y.unit,
                    _ => &experiment.x.unit,
                };
                // Digits and unit are asked for results; an x, such as 256 threads, is written as it is.
                let format = if *field == Field::X { Format::default() } else { self.format };
                // Counts beside a share stay what they are.
                let share = field.may_be_share() && format.unit == Some(format::PERCENT);
                match value {
                    crate::Value::Number { value, unit } if unit.is_empty() && !share => format.number(value),
                    crate::Value::Number { value, unit: own }
                        if !own.is_empty() && !field.carries_unit(unit) =>
                    {
                        format.number(value)
                    }
                    // A unit that does not suit this column was meant for another.
                    value => value
                        .show(format)
                        .or_else(|_| value.show(Format { unit: None, ..format }))
                        .unwrap_or_default(),
                }
            }
            Err(error) => {
                found.get_or_insert(Err(error));
                "–".into()
            }
        }
    }

    fn mine(&self, field: &Field, mine: &Experiment, series: &Series, point: &Point) -> Option<String> {
        let series = mine.series(&series.id)?;
        let point = series.at(point.x)?;
        field.of(mine, series, point).ok()?;
        Some(self.cell(field, mine, series, point, &mut None))
    }
}

/// Refuses a column without any value: it was asked for in error.
fn refuse_empty(found: Vec<Option<Result<(), Error>>>) -> Result<(), Error> {
    found.into_iter().flatten().collect()
}

/// Counts of the GPU beside those of the embedded device, for the points that have both.
///
/// `names` chooses counters; empty: all that the GPU counted.
///
/// # Errors
/// An experiment, series, x or counter that the record does not have, or no point with the GPU's counts.
pub fn counters(
    record: &Record,
    experiment_id: &str,
    series: &[&str],
    x: &[f64],
    names: &[&str],
) -> Result<Table, Error> {
    let experiment = experiment(record, experiment_id)?;
    let series = select_series(experiment, series)?;
    select_x(experiment, &series, x)?;
    let chosen: Vec<_> = points(&series, x).filter(|(_, point)| !point.hardware.is_empty()).collect();
    if chosen.is_empty() {
        let place = format!("the chosen points of `{experiment_id}`");
        let there: Vec<String> = points(&experiment.series.iter().collect::<Vec<_>>(), &[])
            .filter(|(_, point)| !point.hardware.is_empty())
            .map(|(series, point)| format!("{} at x = {}", series.id, point.x))
            .collect();
        return Err(Error::missing("counts by the GPU", "hardware", place, there.iter().map(String::as_str)));
    }
    let several_x = chosen.iter().any(|(_, point)| point.x != chosen[0].1.x);
    let several_series = chosen.iter().any(|(series, _)| series.id != chosen[0].0.id);
    let mut columns = Vec::new();
    if several_series {
        columns.push(Column::words("variant"));
    }
    if several_x {
        columns.push(Column { heading: experiment.x.label.clone(), numeric: true, yours: false });
    }
    columns.push(Column::words("counter"));
    for device in [record.device.label(), "embedded device".to_owned()] {
        columns.push(Column { heading: format!("counted by the {device}"), numeric: true, yours: false });
    }
    columns.push(Column::words("equal?"));

    let mut rows = Vec::new();
    for (series, point) in &chosen {
        let all: Vec<&str> = point.hardware.keys().map(String::as_str).collect();
        let names = if names.is_empty() { &all } else { names };
        for name in names {
            if !point.hardware.contains_key(*name) {
                let place = format!("`{experiment_id}`, series `{}`, x = {}", series.id, point.x);
                return Err(Error::missing("hardware counter", *name, place, all));
            }
            let mut row = Vec::new();
            if several_series {
                row.push(Cell::text(&series.label));
            }
            if several_x {
                row.push(Cell::text(format::quantity(point.x, &experiment.x.unit)));
            }
            row.push(Cell::text(words(name)));
            let (gpu, embedded) = (point.hardware.get(*name), point.counters.get(*name));
            for counted in [gpu, embedded] {
                row.push(Cell::text(counted.map_or("–".into(), |n| format::count(*n))));
            }
            row.push(match (gpu, embedded) {
                (Some(a), Some(b)) if a == b => Cell::marked("= yes", "holds"),
                (Some(_), Some(_)) => Cell::marked("≠ no", "does-not-hold"),
                _ => Cell::marked("? not counted", "not-shown"),
            });
            rows.push(row);
        }
    }
    let mut which = String::new();
    if !several_series {
        which += &format!(": {}", chosen[0].0.label);
    }
    if !several_x {
        which += &format!(
            "{}{} {}",
            if several_series { ": " } else { ", " },
            experiment.x.label,
            format::quantity(chosen[0].1.x, &experiment.x.unit)
        );
    }
    Ok(Table { caption: format!("{}{which}, counts of one launch", experiment.title), columns, rows })
}

/// The sources' claims with this record's verdicts, and beside them those of the reader's own record.
pub fn claims(record: &Record, yours: Option<&Record>) -> Table {
    let mut columns: Vec<Column> = ["claim", "source", "verdict", "why"].map(Column::words).to_vec();
    if yours.is_some() {
        columns.push(Column { yours: true, ..Column::words("yours") });
    }
    let rows = record.claims.iter().map(|claim| {
        let (text, mark) = verdict(claim.verdict);
        let mut row = vec![
            Cell::text(&claim.claim),
            Cell::text(&claim.source),
            Cell::marked(text, mark),
            Cell::text(&claim.why),
        ];
        if let Some(yours) = yours {
            row.push(match yours.claims.iter().find(|c| c.id == claim.id).map(|c| verdict(c.verdict)) {
                Some((text, mark)) => Cell::marked(text, mark),
                None => Cell::text("–"),
            });
        }
        row
    });
    Table {
        caption: format!(
            "What the sources say, and what the record says to it ({})",
            provenance(record, yours, Origin::Time)
        ),
        rows: rows.collect(),
        columns,
    }
}

/// Conditions on the record's numbers, and whether each held. Checks of one kind that passed share a row: those
/// whose ids begin alike, up to the first `/`. Each that failed has its own, above them.
pub fn checks(record: &Record) -> Table {
    let columns = ["check", "what", "verdict", "found"].map(Column::words);
    let mut rows = Vec::new();
    for check in record.checks.iter().filter(|check| !check.passed) {
        let verdict = Cell::marked("✗ failed", "does-not-hold");
        rows.push(vec![Cell::text(&check.id), Cell::text(&check.what), verdict, Cell::text(&check.found)]);
    }
    let group = |check: &Check| check.id.split('/').next().unwrap_or_default().to_owned();
    let mut groups: Vec<(String, Vec<&Check>)> = Vec::new();
    for check in record.checks.iter().filter(|check| check.passed) {
        let name = group(check);
        match groups.iter_mut().find(|(there, checks)| *there == name && checks[0].what == check.what) {
            Some((_, checks)) => checks.push(check),
            None => groups.push((name, vec![check])),
        }
    }
    for (name, checks) in groups {
        let first = checks[0];
        let (id, verdict) = match checks.len() {
            1 => (first.id.clone(), "✓ passed".to_owned()),
            n => (name, format!("✓ all {} passed", format::count(n as u64))),
        };
        let same = checks.iter().all(|check| check.found == first.found);
        let found = if same { first.found.clone() } else { format!("such as: {}", first.found) };
        rows.push(vec![
            Cell::text(id),
            Cell::text(&first.what),
            Cell::marked(verdict, "holds"),
            Cell::text(found),
        ]);
    }
    Table {
        caption: format!("Checks ({})", provenance(record, None, Origin::Time)),
        columns: columns.to_vec(),
        rows,
    }
}

/// A verdict's sign and words, and its class for style sheets: verdicts are told apart without colour.
pub fn verdict(verdict: Verdict) -> (&'static str, &'static str) {
    match verdict {
        Verdict::Holds => ("✓ holds", "holds"),
        Verdict::HoldsInPart => ("◐ holds in part", "holds-in-part"),
        Verdict::DoesNotHold => ("✗ does not hold", "does-not-hold"),
        Verdict::NotShown => ("? not shown", "not-shown"),
    }
}

/// Text for the sizes in which the reader's run differs from the reference, such as ` (a quick run, elements 65,536)`.
fn other_size(record: &Record, yours: &Record) -> String {
    // Switches first, then sizes: runs that differ in one are not to be compared value by value. The seed is neither.
    let differing = |shown: fn(&str, &Parameter) -> Option<String>| {
        let others = yours
            .parameters
            .iter()
            .filter(|(name, value)| name.as_str() != "seed" && record.parameters.get(*name) != Some(*value));
        others.filter_map(move |(name, value)| shown(name, value)).collect::<Vec<_>>()
    };
    let mut switches = differing(|name, value| match value {
        Parameter::Flag(true) => Some(format!("a {name} run")),
        _ => None,
    });
    let sizes = differing(|name, value| match value {
        Parameter::Integer(n) => Some(format!("{name} {}", format::count(*n))),
        _ => None,
    });
    switches.extend(sizes);
    let differing = switches;
    if differing.is_empty() { String::new() } else { format!(" ({})", differing.join(", ")) }
}

/// `NVIDIA H200, measured 2025-11-21`, and the reader's own device after it, with its size where that is another.
pub fn provenance(record: &Record, yours: Option<&Record>, origin: Origin) -> String {
    let one = |r: &Record| match origin {
        Origin::Answer => format!("{}, {}", whose(r, origin), format::day(&r.when)),
        _ => format!("{} {}", whose(r, origin), format::day(&r.when)),
    };
    match yours {
        Some(yours) => format!("{}; yours: {}{}", one(record), one(yours), other_size(record, yours)),
        None => one(record),
    }
}

/// The experiment of this id.
///
/// # Errors
/// No experiment has this id; the error lists those there are.
pub fn experiment<'r>(record: &'r Record, id: &str) -> Result<&'r Experiment, Error> {
    record.experiment(id).ok_or_else(|| {
        let there = record.experiments.iter().map(|e| e.id.as_str());
        Error::missing("experiment", id, format!("the record of {}", record.lab), there)
    })
}

/// The series of these ids, in this order; all if there are no ids.
///
/// # Errors
/// No series has such an id.
pub fn select_series<'e>(experiment: &'e Experiment, ids: &[&str]) -> Result<Vec<&'e Series>, Error> {
    if ids.is_empty() {
        return Ok(experiment.series.iter().collect());
    }
    let find = |id: &&str| {
        let there = experiment.series.iter().map(|s| s.id.as_str());
        experiment
            .series(id)
            .ok_or_else(|| Error::missing("series", *id, format!("experiment `{}`", experiment.id), there))
    };
    ids.iter().map(find).collect()
}

/// The point of a series at `x`.
///
/// # Errors
/// The series has no such point.
pub fn select_point<'s>(experiment: &Experiment, series: &'s Series, x: f64) -> Result<&'s Point, Error> {
    series.at(x).ok_or_else(|| {
        let there: Vec<String> = series.points.iter().map(|p| p.x.to_string()).collect();
        let place = format!("experiment `{}`, series `{}`", experiment.id, series.id);
        Error::missing("x", x.to_string(), place, there.iter().map(String::as_str))
    })
}

fn select_x(experiment: &Experiment, series: &[&Series], xs: &[f64]) -> Result<(), Error> {
    for x in xs {
        if !series.iter().any(|s| s.at(*x).is_some()) {
            for first in series.iter().take(1) {
                select_point(experiment, first, *x)?;
            }
        }
    }
    Ok(())
}

fn points<'s>(series: &[&'s Series], xs: &[f64]) -> impl Iterator<Item = (&'s Series, &'s Point)> {
    series
        .iter()
        .flat_map(|series| series.points.iter().map(move |point| (*series, point)))
        .filter(|(_, point)| xs.is_empty() || xs.contains(&point.x))
        .collect::<Vec<_>>()
        .into_iter()
}

impl Table {
    /// The table as HTML without line breaks, so that it can stand anywhere in Markdown.
    pub fn html(&self) -> String {
        let mut html = String::from("<div class=\"lab-table\"><table>");
        html += &format!("<caption>{}</caption><thead><tr>", escape(&self.caption));
        for column in &self.columns {
            html += &format!("<th scope=\"col\"{}>{}</th>", class(column, None), escape(&column.heading));
        }
        html += "</tr></thead><tbody>";
        for row in &self.rows {
            html += "<tr>";
            for (cell, column) in row.iter().zip(&self.columns) {
                html += &format!("<td{}>", class(column, cell.mark));
                match cell.mark {
                    Some(_) => html += &format!("<span class=\"verdict\">{}</span>", escape(&cell.text)),
                    None => html += &prose(&cell.text),
                }
                if let Some(yours) = &cell.yours {
                    html += &format!("<span class=\"yours\">yours {}</span>", escape(yours));
                }
                html += "</td>";
            }
            html += "</tr>";
        }
        html + "</tbody></table></div>"
    }
}

fn class(column: &Column, mark: Option<&str>) -> String {
    let words: Vec<&str> = [column.numeric.then_some("number"), column.yours.then_some("yours"), mark]
        .into_iter()
        .flatten()
        .collect();
    if words.is_empty() { String::new() } else { format!(" class=\"{}\"", words.join(" ")) }
}

/// Text in which code stands between backticks, as HTML. A backtick without its other stays one.
pub fn prose(text: &str) -> String {
    let (paired, last) = match text.rsplit_once('`') {
        Some((paired, last)) if text.matches('`').count() % 2 == 1 => (paired, Some(last)),
        _ => (text, None),
    };
    let parts = paired.split('`').enumerate().map(|(i, part)| match i % 2 {
        1 => format!("<code>{}</code>", escape(part)),
        _ => escape(part),
    });
    let html: String = parts.collect();
    last.map_or_else(|| html.clone(), |last| format!("{html}`{}", escape(last)))
}

/// Text as HTML or XML, in an element or between an attribute's double quotation marks; characters that show nothing
/// are made visible.
pub fn escape(text: &str) -> String {
    // A line break would end an HTML block in Markdown, if another follows.
    let one_line = text.replace(['\n', '\r', '\t'], " ");
    let mut escaped = String::with_capacity(text.len());
    for c in visible(&one_line).chars() {
        match c {
            '&' => escaped += "&amp;",
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            '"' => escaped += "&quot;",
            // A doubled brace would be taken for a directive.
            '{' => escaped += "&#123;",
            c => escaped.push(c),
        }
    }
    escaped
}
