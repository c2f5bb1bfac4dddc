//! Parts of a plot, their positions, and their drawing with plotters.
//!
//! Enters: the content of a plot, and its form. Leaves: the body of an SVG. From top to bottom are the title, a line for each
//! run, the label of the vertical axis, the area within the axes and the label of the horizontal one. The series' labels
//! are to the right of the area at the lines' ends, or in a narrow plot below everything. This module must never look at a
//! record beyond its name.

use crate::axis::Axis;
use crate::content::{Content, Trace};
use crate::describe;
use crate::labels::spread;
use crate::marks::{POINT, SAMPLE, Sign, colour, fine, stroke};
use crate::style::{Look, Run, Style};
use plotters::coord::Shift;
use plotters::prelude::{
    Cartesian2d, ChartBuilder, ChartContext, Circle, Color, DrawingArea, DrawingAreaErrorKind, FontDesc,
    FontFamily, FontStyle, FontTransform, IntoDrawingArea, LabelAreaPosition, LineSeries, MultiLineText,
    PathElement, SVGBackend, SeriesLabelPosition, ShapeStyle, TRANSPARENT, TextStyle,
};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters_backend::BackendCoord;
use record::{Point, Record};
use render::drawing::{
    At, FINE, Form, LINE, Line, Paint, TEXT, TITLE, TITLE_LINE, font_size, title_lines, typeset, width, wrap,
};
use render::{Error, whose, with_unit};

pub(super) type Sheet<'p> = DrawingArea<SVGBackend<'p>, Shift>;
type Chart<'p, 'a> = ChartContext<'p, SVGBackend<'p>, Cartesian2d<&'a Axis, &'a Axis>>;
pub(super) type Drawn<T = ()> = Result<T, DrawingAreaErrorKind<std::io::Error>>;
type Axes<'a> = [&'a Axis; 2];
/// A line of a legend: its text, and what is before it.
type Entry = (String, Option<Look>);

/// Greatest width of a series' label next to the plot.
const LABEL_ROOM: f64 = 168.0;
/// Distance from the axes to the series' labels.
const LEADER: f64 = 22.0;
/// Distance of two lines of a label.
const LABEL_LINE: f64 = LINE - 2.0;
/// Distance from a sample of a line to its text.
const AFTER_SAMPLE: f64 = SAMPLE + 6.0;
/// Distance of two lines of a legend, as plotters has it for this size of letters.
const LEGEND_LINE: f64 = TEXT * 1.24 * 1.25;
/// Share of a line's height by which a peak stands out from the points next to it.
const PEAK: f64 = 0.15;
/// Length of a mark at the horizontal axis; its text is as far again from it.
const TICK: f64 = 5.0;

/// What plotters has for a value at a point.
fn at([x, y]: Axes<'_>, trace: &Trace<'_>, point: &Point, value: f64) -> (f64, f64) {
    (x.coordinate(point.x, trace.shift), y.coordinate(value, 0.0))
}

/// A series' label, in lines.
struct Label<'a> {
    trace: &'a Trace<'a>,
    lines: Vec<String>,
}

impl Label<'_> {
    fn height(&self) -> f64 {
        self.lines.len() as f64 * LABEL_LINE + 6.0
    }

    /// Place of the series' last point.
    fn end(&self, chart: &Chart<'_, '_>, [x, y]: Axes<'_>) -> BackendCoord {
        let last = self.trace.series.points.last();
        last.map_or((0, 0), |p| chart.backend_coord(&at([x, y], self.trace, p, p.y)))
    }
}

/// The body of an SVG, and its size.
pub(super) fn draw(content: &Content<'_>, form: Form) -> Result<(String, At), Error> {
    let wide = form == Form::Wide;
    let (of_x, of_y) = (&content.experiment.x, &content.experiment.y);
    let y = Axis::new(of_y, &content.ys(), 6);

    let title = title_lines(&typeset(content.title), form.width());
    let runs = runs(content, &y, form.width());
    let y_label = lines(&describe::y_label(content, &y), form.width());
    let x_label = lines(&with_unit(&of_x.label, &of_x.unit), form.width());
    let labels = labels(content, if wide { LABEL_ROOM } else { form.width() - AFTER_SAMPLE });

    let runs_top = title.len() as f64 * TITLE_LINE + 4.0;
    let label_top = runs_top + runs.len() as f64 * LEGEND_LINE + 4.0;
    let top = label_top + y_label.len() as f64 * LINE + 8.0;
    let needed = if wide { labels.iter().map(Label::height).sum() } else { 0.0 };
    let bottom = top + f64::max(needed, if wide { 300.0 } else { 230.0 });
    let left = widest_tick(&y) + 12.0;
    let most = if wide { 10 } else { 6 };
    let margin = if wide {
        labels.iter().map(|label| widest(&label.lines)).fold(0.0, f64::max) + AFTER_SAMPLE + LEADER
    } else {
        // Half of the last mark's text.
        f64::max(widest_tick(&Axis::new(of_x, &content.xs(), most)) / 2.0, 18.0)
    };
    let right = form.width() - margin;
    let x = content.categories().unwrap_or_else(|| Axis::fitting(of_x, &content.xs(), most, right - left));
    // The texts of many categories are read from below, as there is no room.
    let upright = content.by_category && x.overlaps(right - left);
    let below = bottom + 2.0 * TICK + 8.0 + if upright { widest_tick(&x) } else { TEXT };
    let legend_top = below + x_label.len() as f64 * LINE + 4.0;
    let legend_lines: usize = if wide { 0 } else { labels.iter().map(|label| label.lines.len()).sum() };
    let size = (form.width(), legend_top + legend_lines as f64 * LEGEND_LINE);

    let mut body = String::new();
    let draw = |body| -> Drawn {
        let paper = SVGBackend::with_string(body, (fine(size.0) as u32, fine(size.1) as u32));
        let sheet = paper.into_drawing_area();
        let bold = letters(TITLE, FontStyle::Bold, Paint::Text);
        sheet.draw(&paragraph(&title, (0, 0), TITLE_LINE, bold))?;
        legend(&sheet, runs_top, runs, Paint::Muted)?;
        sheet.draw(&paragraph(&y_label, (0, fine(label_top)), LINE, text()))?;
        let middle = text().pos(Pos::new(HPos::Center, VPos::Top));
        sheet.draw(&paragraph(&x_label, (fine((left + right) / 2.0), fine(below)), LINE, middle))?;
        let mut chart = ChartBuilder::on(&sheet)
            .margin_top(fine(top))
            .margin_right(fine(margin))
            .margin_bottom(fine(size.1 - below))
            .set_label_area_size(LabelAreaPosition::Left, fine(left))
            .set_label_area_size(LabelAreaPosition::Bottom, fine(below - bottom))
            .build_cartesian_2d(&x, &y)?;
        let axes = [&x, &y];
        mesh(&mut chart, upright)?;
        if upright {
            upright_axis(&sheet, &chart, &x)?;
        }
        if wide {
            labels_at_ends(&sheet, &chart, axes, &labels)?;
        } else {
            labels_below(&sheet, &chart, axes, legend_top, labels)?;
        }
        // More points would hide a line.
        series(&mut chart, axes, content, if wide { 17 } else { 9 })?;
        sheet.present()
    };
    draw(&mut body).map_err(|error| Error::Draw(error.to_string()))?;
    Ok((body, size))
}

/// Light lines across the plot and the values at their left ends; lighter ones up the plot, and, unless these are upright, the
/// base line and the values below it.
fn mesh(chart: &mut Chart<'_, '_>, upright: bool) -> Drawn {
    for (vertical, width) in [(true, 1.0), (false, 0.5)] {
        let mut mesh = chart.configure_mesh();
        if vertical {
            mesh.disable_x_mesh().disable_x_axis().axis_style(TRANSPARENT);
        } else {
            mesh.disable_y_mesh().disable_y_axis().axis_style(base_line());
        }
        if upright {
            mesh.disable_x_axis();
        }
        mesh.bold_line_style(stroke(Paint::Grid, Line::Solid, width))
            .light_line_style(TRANSPARENT)
            .set_tick_mark_size(LabelAreaPosition::Left, fine(4.0))
            .set_tick_mark_size(LabelAreaPosition::Bottom, fine(TICK))
            .label_style(text())
            .draw()?;
    }
    Ok(())
}

pub(super) fn base_line() -> ShapeStyle {
    stroke(Paint::Muted, Line::Solid, 1.25)
}

/// The base line, and the values below it, read from below: plotters centres texts at their ticks, whichever way they are read.
fn upright_axis(sheet: &Sheet<'_>, chart: &Chart<'_, '_>, x: &Axis) -> Drawn {
    let (across, down) = chart.plotting_area().get_pixel_range();
    sheet.draw(&PathElement::new([(across.start, down.end), (across.end, down.end)], base_line()))?;
    let style = text().transform(FontTransform::Rotate270).pos(Pos::new(HPos::Right, VPos::Center));
    for tick in &x.ticks {
        let (at, _) = chart.backend_coord(&(*tick, 0.0));
        sheet.draw_text(&x.text(*tick), &style, (at, down.end + fine(2.0 * TICK)))?;
    }
    Ok(())
}

/// Ranges first, lines over all of them, points over all lines; references below, the reader's own above. A line has `most`
/// points, though not those of a category.
fn series(chart: &mut Chart<'_, '_>, axes: Axes<'_>, content: &Content<'_>, most: usize) -> Drawn {
    let mut traces: Vec<&Trace<'_>> = content.traces.iter().collect();
    traces.sort_by_key(|trace| (!trace.look.reference, trace.look.run.yours));
    for trace in &traces {
        // Thin and translucent: dense ones would hide the lines, or each other.
        let style = stroke(trace.look.style.paint, Line::Solid, 1.0);
        let style = ShapeStyle { color: style.color.mix(0.6), ..style };
        let end = |p: &Point, y| {
            let (x, y) = at(axes, trace, p, y);
            (x, axes[1].within(y))
        };
        let ends = trace.series.points.iter().map(|p| [p.y_min, p.y_max].map(|y| end(p, y)));
        let height = |[low, high]: &[_; 2]| chart.backend_coord(low).1 - chart.backend_coord(high).1;
        let ranges: Vec<_> = ends.filter(|ends| height(ends) >= fine(1.0)).collect();
        chart.draw_series(ranges.into_iter().map(|ends| PathElement::new(ends, style)))?;
    }
    for trace in traces.iter().filter(|trace| trace.look.line) {
        let points = trace.series.points.iter().map(|p| at(axes, trace, p, p.y));
        chart.draw_series(LineSeries::new(points, trace.look.stroke()))?;
    }
    for trace in traces {
        let points = &trace.series.points;
        let every = if trace.look.line { points.len().div_ceil(most) } else { 1 };
        let signed = (0..points.len()).filter(|&i| i % every == trace.turn % every || stands_out(points, i));
        let points = signed.map(|i| &points[i]);
        let sign = |p| Sign { at: at(axes, trace, p, p.y), look: trace.look, sample: false };
        chart.draw_series(points.map(sign))?;
    }
    Ok(())
}

/// Whether a line has a peak or a notch at a point: it would be taken for a bend of the line without a sign.
fn stands_out(points: &[Point], i: usize) -> bool {
    let (low, high) =
        points.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), p| (a.min(p.y), b.max(p.y)));
    let from = |other: Option<usize>| other.and_then(|o| points.get(o)).map_or(0.0, |p| points[i].y - p.y);
    let (before, after) = (from(i.checked_sub(1)), from(Some(i + 1)));
    before * after > 0.0 && before.abs().min(after.abs()) > (high - low) * PEAK
}

/// Each series' name at the end of its line, with a sample and a leader.
fn labels_at_ends(sheet: &Sheet<'_>, chart: &Chart<'_, '_>, axes: Axes<'_>, labels: &[Label<'_>]) -> Drawn {
    let (across, down) = chart.plotting_area().get_pixel_range();
    let wish = |label: &Label<'_>| (f64::from(label.end(chart, axes).1), label.height() * FINE);
    let wishes: Vec<_> = labels.iter().map(wish).collect();
    let left = across.end + fine(LEADER);
    for (label, y) in labels.iter().zip(spread(&wishes, down.start.into(), down.end.into())) {
        let (end, y) = (label.end(chart, axes), y.round() as i32);
        let bend = (across.end + fine(7.0), end.1);
        let leader = [(end.0 + fine(POINT + 5.0), end.1), bend, (left - fine(3.0), y)];
        sheet.draw(&PathElement::new(leader, stroke(Paint::Grid, Line::Solid, 1.0)))?;
        let at = (left + fine(SAMPLE / 2.0), y);
        sheet.draw(&Sign { at, look: label.trace.look, sample: true })?;
        let top = y - fine(((label.lines.len() - 1) as f64 * LABEL_LINE + TEXT) / 2.0);
        sheet.draw(&paragraph(&label.lines, (left + fine(AFTER_SAMPLE), top), LABEL_LINE, text()))?;
    }
    Ok(())
}

/// The series' names from a height on, from the highest line's end to the lowest.
fn labels_below(
    sheet: &Sheet<'_>,
    chart: &Chart<'_, '_>,
    axes: Axes<'_>,
    top: f64,
    mut labels: Vec<Label<'_>>,
) -> Drawn {
    labels.sort_by_key(|label| label.end(chart, axes).1);
    let entries = labels.into_iter().flat_map(|label| entries(Some(label.trace.look), label.lines));
    legend(sheet, top, entries.collect(), Paint::Text)
}

/// Lines of a legend, with a sample before the first.
fn entries(sample: Option<Look>, lines: Vec<String>) -> impl Iterator<Item = Entry> {
    lines.into_iter().enumerate().map(move |(i, line)| (line, sample.filter(|_| i == 0)))
}

/// A legend at the left edge, from a height on.
fn legend(sheet: &Sheet<'_>, top: f64, entries: Vec<Entry>, paint: Paint) -> Drawn {
    let (width, height) = sheet.dim_in_pixel();
    let area = sheet.clone().shrink((0, fine(top)), (width as i32, height as i32 - fine(top)));
    let mut chart = ChartBuilder::on(&area).build_cartesian_2d(0..1, 0..1)?;
    let samples = entries.iter().any(|(_, sample)| sample.is_some());
    for (line, sample) in entries {
        let entry = chart.draw_series(None::<Circle<(i32, i32), i32>>)?.label(line);
        if let Some(look) = sample {
            entry.legend(move |(x, y)| Sign { at: (x + fine(SAMPLE / 2.0), y), look, sample: true });
        }
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::Coordinate(0, 0))
        .margin(0)
        .legend_area_size(if samples { fine(AFTER_SAMPLE) } else { 0 })
        .label_font(letters(TEXT, FontStyle::Normal, paint))
        .draw()
}

/// Whose each run is; where there are two, with how the lines or points of each are drawn. Then whether ranges are cut.
fn runs(content: &Content<'_>, y: &Axis, room: f64) -> Vec<Entry> {
    let (several, dots) = (content.runs.len() > 1, content.by_category);
    let of = |(record, run): &(&Record, Run)| {
        let points = match (several && dots, run.hollow()) {
            (false, _) => "",
            (true, false) => "filled: ",
            (true, true) => "hollow: ",
        };
        let yours = if run.yours { "yours: " } else { "" };
        let text = format!("{points}{yours}{}", whose(record, content.experiment.y_is));
        let style = Style { paint: Paint::Muted, shape: 0 };
        // No mark: it would be that of a series.
        let sample = Look { style, run: *run, reference: false, points: false, line: true };
        let sample = (several && !dots).then_some(sample);
        entries(sample, lines(&text, room - if several { AFTER_SAMPLE } else { 0.0 }))
    };
    let cut = |value: f64| y.within(y.coordinate(value, 0.0)) != y.coordinate(value, 0.0);
    let note = content.points().any(|p| cut(p.y_min) || cut(p.y_max)).then(|| {
        entries(
            None,
            lines("Bars from the lowest to the highest value; those that leave the plot are cut.", room),
        )
    });
    content.runs.iter().flat_map(of).chain(note.into_iter().flatten()).collect()
}

/// A label for each series, in lines of at most `room`. The reader's own has that of the reference's, which is the one before.
fn labels<'a>(content: &'a Content<'a>, room: f64) -> Vec<Label<'a>> {
    let mut labels: Vec<Label<'_>> = Vec::new();
    for trace in &content.traces {
        let same = labels.last().is_some_and(|last| last.trace.series.id == trace.series.id);
        if !(trace.look.run.yours && same) {
            labels.push(Label { trace, lines: lines(&trace.series.label, room) });
        }
    }
    labels
}

pub(super) fn lines(text: &str, room: f64) -> Vec<String> {
    wrap(&typeset(text), TEXT, room)
}

fn widest(lines: &[String]) -> f64 {
    lines.iter().map(|line| width(line, TEXT)).fold(0.0, f64::max)
}

fn widest_tick(axis: &Axis) -> f64 {
    axis.ticks.iter().map(|tick| width(&axis.text(*tick), TEXT)).fold(0.0, f64::max)
}

pub(super) fn letters(size: f64, weight: FontStyle, paint: Paint) -> TextStyle<'static> {
    FontDesc::new(FontFamily::SansSerif, font_size(size), weight).color(&colour(paint, Line::Solid))
}

/// Text in the usual size, weight and colour.
pub(super) fn text() -> TextStyle<'static> {
    letters(TEXT, FontStyle::Normal, Paint::Text)
}

/// Lines of text from a place on, this far from each other.
pub(super) fn paragraph<'t>(
    lines: &'t [String],
    at: BackendCoord,
    line: f64,
    style: TextStyle<'t>,
) -> MultiLineText<'t, BackendCoord, &'t str> {
    let height = line * FINE / style.font.get_size();
    let mut text = MultiLineText::new(at, style);
    text.set_line_height(height);
    lines.iter().for_each(|line| text.push_line(line.as_str()));
    text
}
