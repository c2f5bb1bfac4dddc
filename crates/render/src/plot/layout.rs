//! Positions of a plot's parts.
//!
//! Enters: the content of a plot. Leaves: its lines of text, its axes, and where each part lies, in pixels. From top to
//! bottom these are the title, a line for each run, the label of the vertical axis and the area within the axes; the
//! series' labels stand to its right. This module must never know how anything is drawn.

use super::axis::Axis;
use super::content::{Content, Trace};
use super::marks::SAMPLE;
use crate::drawing::{At, LINE, TEXT, TITLE_LINE, WIDTH, title_lines, width, wrap};
use record::Point;

/// Least height of the area within the axes.
const HEIGHT: f64 = 300.0;
/// Greatest width of a series' label.
const LABEL_ROOM: f64 = 168.0;
/// Distance from the axes to the series' labels.
pub(super) const LEADER: f64 = 22.0;
/// Distance of two lines of a label.
pub(super) const LABEL_LINE: f64 = LINE - 2.0;

/// A plot's lines of text, axes and positions.
pub(super) struct Layout<'a> {
    pub(super) title: Vec<String>,
    pub(super) labels: Vec<Label<'a>>,
    pub(super) x: Ticked,
    pub(super) y: Ticked,
    /// Top of the lines that say whose each run is.
    pub(super) key_top: f64,
    /// Top of the vertical axis' label.
    pub(super) label_top: f64,
    /// The area within the axes.
    pub(super) top: f64,
    pub(super) bottom: f64,
    pub(super) left: f64,
    pub(super) right: f64,
    /// Height of the whole plot.
    pub(super) height: f64,
}

/// An axis with its ticks: position from 0 to 1, and text.
pub(super) struct Ticked {
    pub(super) axis: Axis,
    pub(super) ticks: Vec<(f64, String)>,
}

impl Ticked {
    fn new(axis: &record::Axis, values: &[f64], about: usize) -> Ticked {
        let unit = &axis.unit;
        let axis = Axis::new(axis.scale, values, about);
        let ticks = axis.ticks.iter().map(|tick| (axis.at(*tick), axis.tick_text(*tick, unit))).collect();
        Ticked { axis, ticks }
    }
}

/// A series' label, which stands at the end of its line.
pub(super) struct Label<'a> {
    pub(super) trace: &'a Trace<'a>,
    pub(super) lines: Vec<String>,
}

impl Label<'_> {
    pub(super) fn height(&self) -> f64 {
        self.lines.len() as f64 * LABEL_LINE + 6.0
    }
}

impl<'a> Layout<'a> {
    pub(super) fn new(content: &'a Content<'a>) -> Layout<'a> {
        let points = || content.traces.iter().flat_map(|t| &t.series.points);
        let xs: Vec<f64> = points().map(|p| p.x).collect();
        let ys: Vec<f64> = points().flat_map(|p| [p.y, p.y_min, p.y_max]).collect();
        let x = Ticked::new(&content.experiment.x, &xs, 10);
        let y = Ticked::new(&content.experiment.y, &ys, 6);

        let title = title_lines(content.title);
        let key_top = title.len() as f64 * TITLE_LINE + 4.0;
        let label_top = key_top + content.runs.len() as f64 * LINE + 8.0;
        let top = label_top + LINE + 8.0;

        let labels = labels(&content.traces);
        let left = widest(y.ticks.iter().map(|(_, text)| text.as_str())) + 12.0;
        let label_width = widest(labels.iter().flat_map(|l| &l.lines).map(String::as_str));
        let right = WIDTH - label_width - SAMPLE - LEADER - 6.0;
        let needed: f64 = labels.iter().map(Label::height).sum();
        let bottom = top + HEIGHT.max(needed);
        let height = bottom + 2.0 * LINE + 14.0;
        Layout { title, labels, x, y, key_top, label_top, top, bottom, left, right, height }
    }

    /// Horizontal position of a share of the axis, from 0 at its left end to 1.
    pub(super) fn across(&self, share: f64) -> f64 {
        self.left + (self.right - self.left) * share
    }

    /// Vertical position of a share of the axis, from 0 at its lower end to 1.
    pub(super) fn up(&self, share: f64) -> f64 {
        self.bottom - (self.bottom - self.top) * share
    }

    /// Position of a value at a point's x.
    pub(super) fn place(&self, point: &Point, y: f64) -> At {
        (self.across(self.x.axis.at(point.x)), self.up(self.y.axis.at(y)))
    }

    /// The end of a series' line.
    pub(super) fn end(&self, trace: &Trace<'_>) -> At {
        trace.series.points.last().map_or((0.0, 0.0), |last| self.place(last, last.y))
    }
}

/// A label for each series. The reader's own line has that of the reference's, which stands right before it.
fn labels<'a>(traces: &'a [Trace<'a>]) -> Vec<Label<'a>> {
    let mut labels: Vec<Label<'_>> = Vec::new();
    for trace in traces {
        if trace.run.yours && labels.last().is_some_and(|l| l.trace.series.id == trace.series.id) {
            continue;
        }
        labels.push(Label { trace, lines: wrap(&trace.series.label, TEXT, LABEL_ROOM) });
    }
    labels
}

fn widest<'t>(texts: impl Iterator<Item = &'t str>) -> f64 {
    texts.map(|text| width(text, TEXT)).fold(0.0, f64::max)
}
