//! One experiment as an SVG.
//!
//! Enters: a record, one of its experiments, optionally a choice of series, and optionally a second record whose points
//! are drawn over the first's. Leaves: an SVG that follows the light or dark scheme of the page around it (which may
//! also set `--plot-1` and so on), says in words what it shows, and is the same for the same input. This module must
//! never know where the SVG goes.
//!
//! How to read one: colour and marker say which series; a solid line with filled markers and bars from the lowest to
//! the highest value is measured, a dashed line with hollow markers is modelled; the reader's own run is dotted
//! (measured) or dash-dotted (modelled). Reference series are thin and grey. The labels stand at the lines' ends, in
//! their order. Where points are dense, every second or third has a marker, and not the same ones for every series, so
//! that lines which coincide show both their markers.

mod axis;
mod labels;
mod style;

use crate::drawing::{
    At, Canvas, FINE, LINE, Line, Paint, TEXT, TITLE, WIDTH, document, fill, fine, width as width_of, wrap,
};
use crate::field::{whose, with_unit};
use crate::table::{experiment, select_series};
use crate::{Error, format};
use axis::Axis;
use plotters::drawing::IntoDrawingArea;
use plotters::element::{Circle, Polygon};
use plotters::prelude::SVGBackend;
use plotters::style::text_anchor::HPos;
use plotters::style::{FontStyle, ShapeStyle};
use record::{Experiment, Origin, Point, Record, Scale, Series, Source};
use std::fmt::Write as _;
use style::{Run, Style};

/// A plot of one experiment.
#[derive(Clone, Copy, Debug)]
pub struct Plot<'a> {
    /// Record that has the experiment.
    pub record: &'a Record,
    /// Id of the experiment.
    pub experiment: &'a str,
    /// Ids of the series; empty: all.
    pub series: &'a [&'a str],
    /// Title, instead of the experiment's own.
    pub title: Option<&'a str>,
    /// Scale of y, instead of the record's.
    pub y_scale: Option<Scale>,
    /// A word that is unique on the page: the title and description refer to each other by it.
    pub id: &'a str,
    /// Record of the reader's own run, drawn over the first.
    pub yours: Option<&'a Record>,
}

/// Pixels.
const HEIGHT: f64 = 300.0; // of the area within the axes
const LABEL_ROOM: f64 = 168.0; // for the text of a label
const SAMPLE: f64 = 34.0; // the piece of line in front of it
const LEADER: f64 = 22.0; // between the axes and that
const MARKER: f64 = 4.2;
/// Most markers of a line; more would hide it.
const DENSE: usize = 17;

/// A series of one of the records, as it will be drawn.
struct Trace<'a> {
    series: &'a Series,
    style: Style,
    run: Run,
    /// Index of the series in the experiment: it decides which of dense points have markers.
    turn: usize,
}

/// A label at a line's end.
struct Label<'a> {
    trace: &'a Trace<'a>,
    lines: Vec<String>,
    end: (f64, f64),
}

impl<'a> Plot<'a> {
    /// All series of an experiment, under its own title.
    pub fn new(record: &'a Record, experiment: &'a str, id: &'a str) -> Self {
        Plot { record, experiment, series: &[], title: None, y_scale: None, id, yours: None }
    }

    /// Draws the plot as an SVG.
    ///
    /// # Errors
    /// An experiment or series that the record does not have (the second record may lack them), a value that is not
    /// positive on a logarithmic axis, or two records whose axes hold different things.
    pub fn svg(&self) -> Result<String, Error> {
        let experiment = experiment(self.record, self.experiment)?;
        let scaled;
        let experiment = match self.y_scale {
            None => experiment,
            Some(scale) => {
                let y = record::Axis { scale, ..experiment.y.clone() };
                scaled = Experiment { y, ..experiment.clone() };
                &scaled
            }
        };
        let yours = match self.yours.and_then(|yours| Some((yours, yours.experiment(self.experiment)?))) {
            Some((yours, mine)) => {
                same_axes(experiment, mine)?;
                Some((yours, mine))
            }
            None => None,
        };
        let traces = self.traces(experiment, yours)?;
        for trace in &traces {
            drawable(experiment, trace.series)?;
        }
        let mut svg = String::new();
        let (width, height) = self.draw(&mut svg, experiment, yours.map(|(yours, _)| yours), &traces)?;
        let title = self.title.unwrap_or(&experiment.title);
        let desc = describe(experiment, self.record, yours.map(|(yours, _)| yours), &traces);
        Ok(document(self.id, [title, &desc], (width, height), &svg))
    }

    /// The chosen series of both records; colour and marker by their index in the experiment.
    fn traces<'e>(
        &self,
        experiment: &'e Experiment,
        yours: Option<(&'e Record, &'e Experiment)>,
    ) -> Result<Vec<Trace<'e>>, Error> {
        let ids: Vec<_> = experiment.series.iter().map(|s| (s.id.as_str(), s.reference)).collect();
        let styles = style::styles(&ids);
        let chosen = select_series(experiment, self.series)?;
        let run = Run { yours: false, modelled: self.record.device.source() == Source::Modelled };
        let mut traces = Vec::new();
        for series in chosen {
            let place = ids.iter().position(|(id, _)| *id == series.id).unwrap_or(0);
            traces.push(Trace { series, style: styles[place], run, turn: place });
            if let Some((yours, mine)) = yours
                && let Some(series) = mine.series(&series.id)
            {
                let run = Run { yours: true, modelled: yours.device.source() == Source::Modelled };
                traces.push(Trace { series, style: styles[place], run, turn: place });
            }
        }
        Ok(traces)
    }

    fn draw(
        &self,
        svg: &mut String,
        experiment: &Experiment,
        yours: Option<&Record>,
        traces: &[Trace<'_>],
    ) -> Result<(f64, f64), Error> {
        let points = || traces.iter().flat_map(|t| &t.series.points);
        let xs: Vec<f64> = points().map(|p| p.x).collect();
        let ys: Vec<f64> = points().flat_map(|p| [p.y, p.y_min, p.y_max]).collect();
        let (x_axis, y_axis) =
            (Axis::new(experiment.x.scale, &xs, 10), Axis::new(experiment.y.scale, &ys, 6));

        // From top to bottom: the title, whose run each kind of line is, the axis' label, the axes.
        let title = wrap(self.title.unwrap_or(&experiment.title), TITLE * 1.06, WIDTH);
        let runs: Vec<(&Record, Run)> = [Some((self.record, false)), yours.map(|record| (record, true))]
            .into_iter()
            .flatten()
            .map(|(record, yours)| {
                (record, Run { yours, modelled: record.device.source() == Source::Modelled })
            })
            .collect();
        let key_top = title.len() as f64 * (TITLE + 5.0) + 4.0;
        let label_top = key_top + runs.len() as f64 * LINE + 8.0;
        let top = label_top + LINE + 8.0;

        let mut labels: Vec<Label<'_>> = Vec::new();
        for trace in traces {
            // The reader's own line has the label of the reference's, which stands right before it.
            if trace.run.yours && labels.last().is_some_and(|l| l.trace.series.id == trace.series.id) {
                continue;
            }
            let lines = wrap(&trace.series.label, TEXT, LABEL_ROOM);
            labels.push(Label { trace, lines, end: (0.0, 0.0) });
        }
        let widest =
            |texts: &mut dyn Iterator<Item = &str>| texts.map(|t| width_of(t, TEXT)).fold(0.0, f64::max);
        let ticks = |axis: &Axis, unit: &str| -> Vec<(f64, String)> {
            axis.ticks.iter().map(|tick| (axis.at(*tick), axis.tick_text(*tick, unit))).collect()
        };
        let (x_ticks, y_ticks) = (ticks(&x_axis, &experiment.x.unit), ticks(&y_axis, &experiment.y.unit));
        let left = widest(&mut y_ticks.iter().map(|(_, text)| text.as_str())) + 12.0;
        let label_width = widest(&mut labels.iter().flat_map(|l| &l.lines).map(String::as_str));
        let right = WIDTH - label_width - SAMPLE - LEADER - 6.0;
        let needed: f64 = labels.iter().map(label_height).sum();
        let bottom = top + HEIGHT.max(needed);
        let height = bottom + 2.0 * LINE + 14.0;

        let place = |p: &Point, y: f64| {
            (left + (right - left) * x_axis.at(p.x), bottom - (bottom - top) * y_axis.at(y))
        };
        for label in &mut labels {
            if let Some(last) = label.trace.series.points.last() {
                label.end = place(last, last.y);
            }
        }

        let size = ((WIDTH * FINE) as u32, (height * FINE) as u32);
        let canvas = Canvas { paper: SVGBackend::with_string(svg, size).into_drawing_area() };
        for (i, line) in title.iter().enumerate() {
            let y = (i as f64 + 0.5) * (TITLE + 5.0);
            canvas.text(line, (0.0, y), TITLE, Paint::Text, FontStyle::Bold, HPos::Left)?;
        }
        for (i, (record, run)) in runs.iter().enumerate() {
            let y = key_top + (i as f64 + 0.5) * LINE;
            canvas.sample((0.0, y), Style { paint: Paint::Muted, shape: 0 }, *run, 1.75)?;
            let yours = if run.yours { "yours: " } else { "" };
            let text = format!("{yours}{}", whose(record, experiment.y_is));
            canvas.text(&text, (SAMPLE + 6.0, y), TEXT, Paint::Muted, FontStyle::Normal, HPos::Left)?;
        }

        // Axes: light lines across, text at the ends.
        for (at, text) in &y_ticks {
            let y = bottom - (bottom - top) * at;
            canvas.line(&[(left, y), (right, y)], Paint::Grid, Line::Solid, 1.0)?;
            canvas.text(text, (left - 8.0, y), TEXT, Paint::Text, FontStyle::Normal, HPos::Right)?;
        }
        let mut free = f64::NEG_INFINITY;
        for (at, text) in &x_ticks {
            let x = left + (right - left) * at;
            canvas.line(&[(x, top), (x, bottom)], Paint::Grid, Line::Solid, 0.5)?;
            canvas.line(&[(x, bottom), (x, bottom + 5.0)], Paint::Muted, Line::Solid, 1.0)?;
            let half = width_of(text, TEXT) / 2.0;
            if x - half >= free {
                canvas.text(text, (x, bottom + 15.0), TEXT, Paint::Text, FontStyle::Normal, HPos::Center)?;
                free = x + half + 6.0;
            }
        }
        canvas.line(&[(left, bottom), (right, bottom)], Paint::Muted, Line::Solid, 1.25)?;
        let y_label = y_label(experiment, &y_axis, &runs);
        canvas.text(
            &y_label,
            (0.0, label_top + LINE / 2.0),
            TEXT,
            Paint::Text,
            FontStyle::Normal,
            HPos::Left,
        )?;
        let x_label = with_unit(&experiment.x.label, &experiment.x.unit);
        let middle = ((left + right) / 2.0, bottom + LINE + 20.0);
        canvas.text(&x_label, middle, TEXT, Paint::Text, FontStyle::Normal, HPos::Center)?;

        // Lines first, markers over all of them; references below, the reader's own above.
        let mut order: Vec<&Trace<'_>> = traces.iter().collect();
        order.sort_by_key(|t| (!t.series.reference, t.run.yours));
        for trace in &order {
            let path: Vec<_> = trace.series.points.iter().map(|p| place(p, p.y)).collect();
            canvas.line(&path, trace.style.paint, trace.run.line(), thickness(trace))?;
            for p in &trace.series.points {
                let ((x, low), (_, high)) = (place(p, p.y_min), place(p, p.y_max));
                if low - high >= 1.0 {
                    // An I in one stroke.
                    let (left, right) = (x - 3.5, x + 3.5);
                    let bar = [(left, high), (right, high), (x, high), (x, low), (left, low), (right, low)];
                    canvas.line(&bar, trace.style.paint, Line::Solid, 1.25)?;
                }
            }
        }
        for trace in &order {
            let points = &trace.series.points;
            let every = points.len().div_ceil(DENSE);
            for (i, p) in points.iter().enumerate() {
                if i % every == trace.turn % every {
                    canvas.marker(place(p, p.y), trace.style, trace.run, trace.series.reference)?;
                }
            }
        }

        let wishes: Vec<_> = labels.iter().map(|l| (l.end.1, label_height(l))).collect();
        for (label, y) in labels.iter().zip(labels::spread(&wishes, top, bottom)) {
            let x = right + LEADER;
            let start = label.end.0 + MARKER + 5.0;
            canvas.line(
                &[(start, label.end.1), (right + 7.0, label.end.1), (x - 3.0, y)],
                Paint::Grid,
                Line::Solid,
                1.0,
            )?;
            let style = label.trace.style;
            canvas.sample_of((x, y), label.trace, style)?;
            for (i, line) in label.lines.iter().enumerate() {
                let y = y + (i as f64 - (label.lines.len() - 1) as f64 / 2.0) * (LINE - 2.0);
                canvas.text(line, (x + SAMPLE + 6.0, y), TEXT, Paint::Text, FontStyle::Normal, HPos::Left)?;
            }
        }
        canvas.paper.present().map_err(|e| Error::Draw(e.to_string()))?;
        Ok((WIDTH, height))
    }
}

fn label_height(label: &Label<'_>) -> f64 {
    label.lines.len() as f64 * (LINE - 2.0) + 6.0
}

fn thickness(trace: &Trace<'_>) -> f64 {
    if trace.series.reference { 1.0 } else { 2.0 }
}

/// Label of the vertical axis: the origin of its values, and their unit unless each tick has one.
fn y_label(experiment: &Experiment, axis: &Axis, runs: &[(&Record, Run)]) -> String {
    let sources = match (runs.iter().any(|(_, r)| !r.modelled), runs.iter().any(|(_, r)| r.modelled)) {
        _ if experiment.y_is == Origin::Count => "counted",
        _ if experiment.y_is == Origin::Answer => "",
        (true, true) => "measured and modelled",
        (false, true) => "modelled",
        _ => "measured",
    };
    let unit = if axis.ticks_have_units(&experiment.y.unit) { "" } else { experiment.y.unit.as_str() };
    let said: Vec<&str> = [unit, sources].into_iter().filter(|part| !part.is_empty()).collect();
    let label = &experiment.y.label;
    if said.is_empty() { label.clone() } else { format!("{label} ({})", said.join(", ")) }
}

fn same_axes(first: &Experiment, second: &Experiment) -> Result<(), Error> {
    for (what, first_axis, second_axis) in
        [("the unit of x", &first.x, &second.x), ("the unit of y", &first.y, &second.y)]
    {
        if first_axis.unit != second_axis.unit {
            return Err(Error::Axes {
                experiment: first.id.clone(),
                what,
                first: first_axis.unit.clone(),
                second: second_axis.unit.clone(),
            });
        }
    }
    Ok(())
}

fn drawable(experiment: &Experiment, series: &Series) -> Result<(), Error> {
    for point in &series.points {
        let values = [
            ("x", point.x, experiment.x.scale),
            ("y", point.y, experiment.y.scale),
            ("y_min", point.y_min, experiment.y.scale),
            ("y_max", point.y_max, experiment.y.scale),
        ];
        for (axis, value, scale) in values {
            if scale != Scale::Linear && value <= 0.0 {
                return Err(Error::NotOnLogAxis { series: series.id.clone(), x: point.x, axis, value });
            }
        }
    }
    Ok(())
}

/// Description of the plot in words.
fn describe(
    experiment: &Experiment,
    record: &Record,
    yours: Option<&Record>,
    traces: &[Trace<'_>],
) -> String {
    let axis = |axis: &record::Axis| {
        let scale = match axis.scale {
            Scale::Linear => "linear",
            Scale::Log2 => "logarithmic to base 2",
            Scale::Log10 => "logarithmic to base 10",
        };
        let unit = if axis.unit.is_empty() { String::new() } else { format!(" in {}", axis.unit) };
        format!("{}{unit}, {scale}", axis.label)
    };
    let mut text = format!(
        "Line chart. Horizontal axis: {}. Vertical axis: {}.",
        axis(&experiment.x),
        axis(&experiment.y)
    );
    for trace in traces {
        let record = if trace.run.yours { yours.unwrap_or(record) } else { record };
        let mine = if trace.run.yours { "yours, " } else { "" };
        let source = whose(record, experiment.y_is);
        let reference = if trace.series.reference { ", a line to compare with" } else { "" };
        let at = |p: &Point| {
            format!(
                "{} at {}",
                format::quantity(p.y, &experiment.y.unit),
                format::quantity(p.x, &experiment.x.unit)
            )
        };
        let points = &trace.series.points;
        let _ = write!(text, " {} ({mine}{source}{reference}):", trace.series.label);
        if let (Some(first), Some(last)) = (points.first(), points.last()) {
            let _ = match points.len() {
                1 => write!(text, " {}.", at(first)),
                _ => write!(text, " from {} to {}", at(first), at(last)),
            };
            let least = points.iter().min_by(|a, b| a.y.total_cmp(&b.y)).unwrap_or(first);
            let most = points.iter().max_by(|a, b| a.y.total_cmp(&b.y)).unwrap_or(first);
            if points.len() > 1 {
                let _ = write!(text, "; lowest {}, highest {}.", at(least), at(most));
            }
        }
    }
    text
}

impl Canvas<'_> {
    fn shape(&self, at: At, shape: usize, size: f64, style: ShapeStyle) -> Result<(), Error> {
        let (x, y) = fine(at);
        match style::corners(shape, size * FINE) {
            None => self.done(self.paper.draw(&Circle::new((x, y), (size * FINE).round() as i32, style))),
            Some(corners) => {
                let corners: Vec<_> = corners.into_iter().map(|(dx, dy)| (x + dx, y + dy)).collect();
                self.done(self.paper.draw(&Polygon::new(corners, style)))
            }
        }
    }

    /// A marker with a rim in the background's colour, so that overlapping ones stay apart.
    fn marker(&self, at: At, style: Style, run: Run, reference: bool) -> Result<(), Error> {
        let size = if reference { MARKER * 0.75 } else { MARKER };
        self.shape(at, style.shape, size + 1.2, fill(Paint::Ground))?;
        self.shape(at, style.shape, size, fill(style.paint))?;
        if run.hollow() {
            self.shape(at, style.shape, size - 1.7, fill(Paint::Ground))?;
        }
        if run.yours && !run.modelled {
            self.shape(at, 0, 1.2, fill(style.paint))?;
        }
        Ok(())
    }

    fn sample(&self, (x, y): At, style: Style, run: Run, width: f64) -> Result<(), Error> {
        self.line(&[(x, y), (x + SAMPLE, y)], style.paint, run.line(), width)?;
        self.marker((x + SAMPLE / 2.0, y), style, run, false)
    }

    fn sample_of(&self, (x, y): At, trace: &Trace<'_>, style: Style) -> Result<(), Error> {
        self.line(&[(x, y), (x + SAMPLE, y)], style.paint, trace.run.line(), thickness(trace))?;
        self.marker((x + SAMPLE / 2.0, y), style, trace.run, trace.series.reference)
    }
}
