//! Records to tables.
//!
//! Enters: a record, and a choice of its points and fields; optionally the reader's own run. Leaves: a [`Table`] of text,
//! and its HTML. This module must never know on which page or terminal the table ends up.

use crate::field::{title, whose};
use crate::nonbreaking::whole;
use crate::own_run::{OwnRun, Tally};
use crate::{Error, Field, Format, Value, format};
use record::text::visible;
use record::{Check, Experiment, Origin, Parameter, Point, Record, Series, TimeSource, Verdict};

/// A table of texts, ready for layout.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// Caption: the subject, its device, and whether it was measured or modelled.
    pub caption: String,
    /// Columns.
    pub columns: Vec<Column>,
    /// Rows, each with a cell for every column.
    pub rows: Vec<Vec<Cell>>,
    /// Numbers of the reader's own results in the cells.
    pub tally: Tally,
    /// Sentence below the table.
    pub note: Option<String>,
}

/// Head of a column.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Column {
    /// Heading.
    pub heading: String,
    /// Whether the column holds numbers, which are aligned to the right.
    pub numeric: bool,
}

/// A cell.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cell {
    /// Text of the cell.
    pub text: String,
    /// The reader's own result, shown below the text; marked `differs` where it is a count that differs.
    pub yours: Option<Box<Cell>>,
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

    /// The reader's own result, as part of a cell.
    fn own(text: String, differs: bool) -> Box<Self> {
        Box::new(if differs { Cell::marked(format!("{text} ≠"), "differs") } else { Cell::text(text) })
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
    /// The reader's own run.
    pub yours: Option<OwnRun<'a>>,
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
        let mut what = self.caption.unwrap_or(&experiment.title).to_owned();
        // A pivot has no heading for the quantity in its cells: the caption names it, and its unit.
        if let Some(field) = &self.pivot {
            let unit = &experiment.y.unit;
            let heading = if *field == Field::Y { &experiment.y.label } else { &field.heading(experiment) };
            let named = what.to_lowercase().contains(&heading.to_lowercase());
            let name = !named && (*field == Field::Y || self.caption.is_none());
            if name {
                what += &format!(": {heading}");
            }
            if !unit.is_empty() && !field.carries_unit(unit) {
                what += &format!("{} in {unit}", if name { "" } else { "," });
            }
        }
        // Columns that were chosen may be times.
        let origin = if self.columns.is_empty() { experiment.y_is } else { Origin::Time };
        let mut table = match &self.pivot {
            Some(field) => self.pivoted(field, experiment, &series)?,
            None => self.flat(experiment, &series)?,
        };
        table.caption = format!("{what} ({})", provenance(self.record, None, origin));
        if let Some(yours) = &self.yours {
            table.tell(self.record, yours, &what, origin);
        }
        Ok(table)
    }

    fn flat(&self, experiment: &Experiment, series: &[&Series]) -> Result<Table, Error> {
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
        // Of several times the reader's own is shown at the one that the table is about: y if it is there, else the first.
        let y = fields.iter().position(|f| *f == Field::Y);
        let beside = y.or_else(|| fields.iter().position(Field::is_timing));
        let mut table = Table::default();
        table.columns.extend(fields.iter().map(|field| self.column(field, experiment)));
        let mut found = vec![None; fields.len()];
        for (series, point) in points(series, self.x) {
            let mut row = Vec::new();
            for (i, field) in fields.iter().enumerate() {
                let mut cell = Cell::text(self.cell(field, experiment, series, point, &mut found[i]));
                if !field.is_timing() || beside == Some(i) {
                    cell.yours = self.own(field, (experiment, series, point), &mut table.tally)?;
                }
                row.push(cell);
            }
            table.rows.push(row);
        }
        refuse_empty(found)?;
        Ok(table)
    }

    fn pivoted(&self, field: &Field, experiment: &Experiment, series: &[&Series]) -> Result<Table, Error> {
        let mut table = Table { columns: vec![self.column(&Field::X, experiment)], ..Table::default() };
        table.columns.extend(series.iter().map(|s| Column { heading: s.label.clone(), numeric: true }));
        let mut xs: Vec<f64> = points(series, self.x).map(|(_, point)| point.x).collect();
        xs.sort_by(f64::total_cmp);
        xs.dedup();
        let mut found = vec![None; series.len()];
        for x in xs {
            let at = Field::X;
            let head =
                series.iter().find_map(|s| s.at(x).map(|p| self.cell(&at, experiment, s, p, &mut None)));
            let mut row = vec![Cell::text(head.unwrap_or_default())];
            for (i, series) in series.iter().enumerate() {
                let Some(point) = series.at(x) else {
                    row.push(Cell::text("–"));
                    continue;
                };
                let mut cell = Cell::text(self.cell(field, experiment, series, point, &mut found[i]));
                cell.yours = self.own(field, (experiment, series, point), &mut table.tally)?;
                row.push(cell);
            }
            table.rows.push(row);
        }
        refuse_empty(found)?;
        Ok(table)
    }

    fn column(&self, field: &Field, experiment: &Experiment) -> Column {
        let mut heading = field.heading(experiment);
        if field.is_timing() && self.record.device.source() == TimeSource::Modelled {
            heading += ", modelled";
        }
        Column { heading, numeric: !matches!(field, Field::Series | Field::Kernel) }
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
                self.shown(field, experiment, &value)
            }
            Err(error) => {
                found.get_or_insert(Err(error));
                "–".into()
            }
        }
    }

    fn shown(&self, field: &Field, experiment: &Experiment, value: &Value) -> String {
        let unit = match field {
            Field::Y | Field::YMin | Field::YMax => &experiment.y.unit,
            _ => &experiment.x.unit,
        };
        // Digits and unit are asked for results; an x, such as 256 threads, is written as it is.
        let mut format = if *field == Field::X { Format::default() } else { self.format };
        if field.is_share() && format.unit.is_none() {
            format.unit = Some(format::PERCENT);
        }
        // Counts next to a share stay what they are.
        let share = field.may_be_share() && format.unit == Some(format::PERCENT);
        match value {
            Value::Number { value, unit } if unit.is_empty() && !share => format.number(*value),
            Value::Number { value, unit: own } if !own.is_empty() && !field.carries_unit(unit) => {
                format.number(*value)
            }
            // A unit that does not suit this column was meant for another.
            value => value
                .show(format)
                .or_else(|_| value.show(Format { unit: None, ..format }))
                .unwrap_or_default(),
        }
    }

    /// The reader's own result at a point, if it can be there.
    fn own(
        &self,
        field: &Field,
        (experiment, series, point): (&Experiment, &Series, &Point),
        tally: &mut Tally,
    ) -> Result<Option<Box<Cell>>, Error> {
        let Some(yours) = self.yours.filter(|_| field.is_result()) else { return Ok(None) };
        let own = yours.value(field, self.record, (experiment, series, point))?;
        // A GPU's count is not alone if the embedded device's is in the table too.
        let beside = || field.embedded().is_some_and(|own| own != *field && self.columns.contains(&own));
        if own.is_some() || !beside() {
            tally.add(own.as_ref());
        }
        Ok(own.map(|own| Cell::own(self.shown(field, experiment, &own.value), own.differs)))
    }
}

/// Refuses a column without any value: it was asked for in error.
fn refuse_empty(found: Vec<Option<Result<(), Error>>>) -> Result<(), Error> {
    found.into_iter().flatten().collect()
}

/// Counts of the GPU next to those of the embedded device, for the points that have both; for a record of the embedded
/// device its counts alone.
#[derive(Clone, Copy, Debug)]
pub struct Counted<'a> {
    /// Record that has the points.
    pub record: &'a Record,
    /// Id of the experiment.
    pub experiment: &'a str,
    /// Ids of the series, in this order; empty: all.
    pub series: &'a [&'a str],
    /// Values of x; empty: all.
    pub x: &'a [f64],
    /// Names of counters; empty: all that the GPU counted.
    pub names: &'a [&'a str],
    /// The reader's own run.
    pub yours: Option<OwnRun<'a>>,
}

impl<'a> Counted<'a> {
    /// Everything that was counted for an experiment.
    pub fn new(record: &'a Record, experiment: &'a str) -> Self {
        Counted { record, experiment, series: &[], x: &[], names: &[], yours: None }
    }

    /// Whether there is a GPU, whose counts the table is about.
    fn by_gpu(&self) -> bool {
        self.record.device.source() == TimeSource::Measured
    }

    /// The counters that the table is about, at one point.
    fn names_at<'p>(&self, point: &'p Point) -> Vec<&'p str> {
        let counters = if self.by_gpu() { &point.hardware } else { &point.counters };
        counters.keys().map(String::as_str).collect()
    }

    /// The table: a row for each counter of each chosen point.
    ///
    /// # Errors
    /// An experiment, series, x or counter that the record does not have, or no point with the GPU's counts.
    pub fn table(&self) -> Result<Table, Error> {
        let experiment = experiment(self.record, self.experiment)?;
        let series = select_series(experiment, self.series)?;
        select_x(experiment, &series, self.x)?;
        let counted = |point: &Point| !self.names_at(point).is_empty();
        let chosen: Vec<_> = points(&series, self.x).filter(|(_, point)| counted(point)).collect();
        let Some((first, at)) = chosen.first().copied() else {
            let place = format!("the chosen points of `{}`", self.experiment);
            let there: Vec<String> = points(&experiment.series.iter().collect::<Vec<_>>(), &[])
                .filter(|(_, point)| counted(point))
                .map(|(series, point)| format!("{} at x = {}", series.id, point.x))
                .collect();
            let what = if self.by_gpu() { "counts by the GPU" } else { "counts" };
            return Err(Error::missing(what, "hardware", place, there.iter().map(String::as_str)));
        };
        let several_x = chosen.iter().any(|(_, point)| point.x != at.x);
        let several_series = chosen.iter().any(|(series, _)| series.id != first.id);
        let mut table =
            Table { columns: self.columns(experiment, several_series, several_x), ..Table::default() };
        for (series, point) in &chosen {
            let mut head = Vec::new();
            if several_series {
                head.push(Cell::text(&series.label));
            }
            if several_x {
                head.push(Cell::text(format::quantity(point.x, &experiment.x.unit)));
            }
            let all = self.names_at(point);
            let chosen = if self.names.is_empty() { &all } else { self.names };
            for name in chosen {
                if !all.contains(name) {
                    let place = format!("`{}`, series `{}`, x = {}", experiment.id, series.id, point.x);
                    let what = if self.by_gpu() { "hardware counter" } else { "counter" };
                    return Err(Error::missing(what, *name, place, all));
                }
                let counts = self.row(name, (experiment, series, point), &mut table.tally)?;
                table.rows.push(head.iter().cloned().chain(counts).collect());
            }
        }
        let mut which = String::new();
        if !several_series {
            which += &format!("; {}", first.label);
        }
        if !several_x {
            which += &format!("; {}: {}", experiment.x.label, format::quantity(at.x, &experiment.x.unit));
        }
        // A title may have a colon of its own.
        table.caption = format!("{}{which}; counts of one launch", experiment.title);
        if let Some(yours) = self.yours.as_ref().filter(|_| table.tally.shown > 0) {
            table.caption += &format!(" ({})", own_provenance(self.record, yours.record, Origin::Count));
            table.note = table.why_differs(self.record, yours);
        }
        Ok(table)
    }

    fn columns(&self, experiment: &Experiment, several_series: bool, several_x: bool) -> Vec<Column> {
        let number = |heading: String| Column { heading, numeric: true };
        let mut columns = Vec::new();
        columns.extend(several_series.then(|| Column::words("variant")));
        columns.extend(several_x.then(|| number(experiment.x.label.clone())));
        columns.push(Column::words("counter"));
        columns
            .extend(self.by_gpu().then(|| number(format!("counted by the {}", self.record.device.label()))));
        columns.push(number("counted by the embedded device".to_owned()));
        columns.extend(self.by_gpu().then(|| Column::words("equal?")));
        columns
    }

    /// Cells of one counter at one point.
    fn row(
        &self,
        name: &str,
        at: (&Experiment, &Series, &Point),
        tally: &mut Tally,
    ) -> Result<Vec<Cell>, Error> {
        let mut row = vec![Cell::text(title(name))];
        let (_, _, point) = at;
        let (gpu, embedded) = (point.hardware.get(name), point.counters.get(name));
        for (hardware, counted) in [(true, gpu), (false, embedded)] {
            if hardware && !self.by_gpu() {
                continue;
            }
            let mut cell = Cell::text(counted.map_or("–".into(), |n| format::count(*n)));
            if let (Some(yours), Some(_)) = (&self.yours, counted) {
                let field = Field::Counter { hardware, name: name.into() };
                let own = yours.value(&field, self.record, at)?;
                // The embedded device's count is next to the GPU's.
                if !hardware || own.is_some() {
                    tally.add(own.as_ref());
                }
                cell.yours = own
                    .map(|own| Cell::own(own.value.show(Format::default()).unwrap_or_default(), own.differs));
            }
            row.push(cell);
        }
        if self.by_gpu() {
            row.push(match (gpu, embedded) {
                (Some(a), Some(b)) if a == b => Cell::marked("= yes", "holds"),
                (Some(_), Some(_)) => Cell::marked("≠ no", "does-not-hold"),
                _ => Cell::marked("? not counted", "not-shown"),
            });
        }
        Ok(row)
    }
}

/// The sources' claims with this record's verdicts, and below each that of the reader's own record with its reason.
pub fn claims(record: &Record, yours: Option<&Record>) -> Table {
    let rows = record.claims.iter().map(|claim| {
        let (text, mark) = verdict(claim.verdict);
        let (mut judged, mut why) = (Cell::marked(text, mark), Cell::text(&claim.why));
        if let Some(own) = yours.and_then(|yours| yours.claims.iter().find(|c| c.id == claim.id)) {
            judged.yours = Some(Box::new(Cell::text(verdict(own.verdict).0)));
            // The same reason says nothing twice.
            why.yours = (own.why != claim.why).then(|| Box::new(Cell::text(&own.why)));
        }
        vec![Cell::text(&claim.claim), Cell::text(&claim.source), judged, why]
    });
    Table {
        caption: format!(
            "What the sources say, and what the record says to it ({})",
            provenance(record, yours, Origin::Time)
        ),
        rows: rows.collect(),
        columns: ["claim", "source", "verdict", "why"].map(Column::words).to_vec(),
        ..Table::default()
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
        ..Table::default()
    }
}

/// A verdict's sign and words, and its class for style sheets: verdicts can be distinguished without colour.
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
    // Switches first, then sizes: runs that differ in one are not to be compared value by value. The seed is neither, nor
    // is what the lab itself chose for the device, whose names have underscores, which no flag's has.
    let differing = |shown: fn(&str, &Parameter) -> Option<String>| {
        let others = yours
            .parameters
            .iter()
            .filter(|(name, value)| name.as_str() != "seed" && record.parameters.get(*name) != Some(*value))
            .filter(|(name, _)| !name.contains('_'));
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
    let of_record = dated(record, origin);
    match yours {
        Some(yours) => format!("{of_record}; {}", own_provenance(record, yours, origin)),
        None => of_record,
    }
}

/// `yours: NVIDIA H200, measured 2025-11-21`, with the sizes in which the run differs from the reference.
fn own_provenance(record: &Record, yours: &Record, origin: Origin) -> String {
    format!("yours: {}{}", dated(yours, origin), other_size(record, yours))
}

fn dated(record: &Record, origin: Origin) -> String {
    let comma = if origin == Origin::Answer { "," } else { "" };
    format!("{}{comma} {}", whose(record, origin), format::day(&record.when))
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
    /// Adds to the caption whose run is in the cells, and below the table why counts differ.
    fn tell(&mut self, record: &Record, yours: &OwnRun<'_>, what: &str, origin: Origin) {
        if self.tally.shown == 0 {
            return;
        }
        // Counts are the embedded device's whatever the run's device is.
        let own = if self.tally.times == 0 && origin == Origin::Time { Origin::Count } else { origin };
        let (reference, own) = (dated(record, origin), own_provenance(record, yours.record, own));
        self.caption = format!("{what} ({reference}; {own})");
        self.note = self.why_differs(record, yours);
    }

    fn why_differs(&self, record: &Record, yours: &OwnRun<'_>) -> Option<String> {
        (self.tally.differing > 0).then(|| yours.why_differs(record))
    }

    /// The table as HTML without line breaks, so that it can be anywhere in Markdown.
    pub fn html(&self) -> String {
        // Words alone can be below each other where a screen is narrow; numbers are compared in columns.
        let words = self.columns.len() > 2 && !self.columns.iter().any(|column| column.numeric);
        let mut html = format!("<div class=\"lab-table{}\"><table>", if words { " words" } else { "" });
        html += &format!("<caption>{}</caption><thead><tr>", prose(&self.caption));
        for column in &self.columns {
            html += &format!("<th scope=\"col\"{}>{}</th>", class(column, None), escape(&column.heading));
        }
        html += "</tr></thead><tbody>";
        for row in &self.rows {
            html += "<tr>";
            for (cell, column) in row.iter().zip(&self.columns) {
                let heading = match words {
                    true => format!(" data-heading=\"{}\"", escape(&column.heading)),
                    false => String::new(),
                };
                html += &format!("<td{}{heading}>", class(column, cell.mark));
                match cell.mark {
                    Some(_) => html += &format!("<span class=\"verdict\">{}</span>", escape(&cell.text)),
                    None => html += &prose(&cell.text),
                }
                if let Some(yours) = &cell.yours {
                    let mark = yours.mark.map(|mark| format!(" {mark}")).unwrap_or_default();
                    let colon = if column.numeric { "" } else { ":" };
                    html +=
                        &format!("<span class=\"yours{mark}\">yours{colon} {}</span>", prose(&yours.text));
                }
                html += "</td>";
            }
            html += "</tr>";
        }
        html += "</tbody></table></div>";
        if let Some(note) = &self.note {
            html += &format!("<p class=\"yours-note\">{}</p>", prose(note));
        }
        html
    }
}

fn class(column: &Column, mark: Option<&str>) -> String {
    let words: Vec<&str> = [column.numeric.then_some("number"), mark].into_iter().flatten().collect();
    if words.is_empty() { String::new() } else { format!(" class=\"{}\"", words.join(" ")) }
}

/// Text in which code is between backticks, as HTML: numbers keep their units, and dates are not broken. A backtick
/// without its other stays one.
pub fn prose(text: &str) -> String {
    let (paired, last) = match text.rsplit_once('`') {
        Some((paired, last)) if text.matches('`').count() % 2 == 1 => (paired, Some(last)),
        _ => (text, None),
    };
    let parts = paired.split('`').enumerate().map(|(i, part)| match i % 2 {
        1 => format!("<code>{}</code>", escape(part)),
        _ => words(part, i > 0),
    });
    let html: String = parts.collect();
    last.map_or_else(|| html.clone(), |last| format!("{html}`{}", words(last, true)))
}

/// Text without code, as HTML; code may be right before it.
fn words(text: &str, after_code: bool) -> String {
    let text = quoted(&powers_of_ten(text), after_code);
    let (mut html, mut reported) = (String::with_capacity(text.len()), 0);
    for (range, whole) in whole(&text) {
        html += &escape(&text[reported..range.start]);
        html += &whole.html(&escape(&text[range.clone()]));
        reported = range.end;
    }
    html + &escape(&text[reported..])
}

/// Quotation marks and apostrophes as mdBook makes them of Markdown's, so that all of a page has the same.
pub(crate) fn quoted(text: &str, after_code: bool) -> String {
    let mut before = after_code.then_some('`');
    let mut quoted = String::with_capacity(text.len());
    for c in text.chars() {
        let opens = before.is_none_or(|before| before.is_whitespace() || "([{—–-/‘“".contains(before));
        quoted.push(match (c, opens) {
            ('\'', true) => '‘',
            ('\'', false) => '’',
            ('"', true) => '“',
            ('"', false) => '”',
            _ => c,
        });
        before = Some(c);
    }
    quoted
}

/// `2.4 × 10⁻⁷` for a terminal's `2.4e-7`, which a narrow column would break after its hyphen.
fn powers_of_ten(text: &str) -> String {
    let mut parts = text.split("e-");
    let mut reported = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let digits = part.chars().take_while(char::is_ascii_digit).count();
        let (exponent, rest) = part.split_at(digits);
        if digits > 0
            && reported.ends_with(|c: char| c.is_ascii_digit())
            && !rest.starts_with(char::is_alphabetic)
        {
            let raised = exponent
                .bytes()
                .map(|digit| ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'][usize::from(digit - b'0')]);
            reported.push_str("\u{a0}×\u{a0}10⁻");
            reported.extend(raised);
        } else {
            reported.push_str("e-");
            reported.push_str(exponent);
        }
        reported.push_str(rest);
    }
    reported
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
