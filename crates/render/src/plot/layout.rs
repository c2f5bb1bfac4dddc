//! Positions of a plot's parts.
//!
//! Enters: the content of a plot, and its form. Leaves: its lines of text, its axes, and where each part lies, in pixels.
//! From top to bottom these are the title, a line for each run, the label of the vertical axis, the area within the axes
//! and the label of the horizontal one. The series' labels stand to the right of the area, or in a narrow plot below
//! everything. This module must never know how anything is drawn.

use super::axis::Axis;
use super::content::{Content, Trace};
use super::describe;
use super::labels;
use super::marks::SAMPLE;
use crate::drawing::{At, Form, LINE, TEXT, TITLE_LINE, title_lines, width, wrap};
use crate::field::{whose, with_unit};
use record::Point;

/// What a plot's form decides beside its width. Labels stand at the lines' ends, or in a narrow plot below it.
impl Form {
    /// Least height of the area within the axes.
    fn area_height(self) -> f64 {
        match self {
            Form::Wide => 300.0,
            Form::Narrow => 230.0,
        }
    }

    /// Number of ticks of x and y that there are about.
    fn ticks(self) -> (usize, usize) {
        match self {
            Form::Wide => (10, 6),
            Form::Narrow => (6, 5),
        }
    }

    /// Most markers of a line; more would hide it.
    pub(super) fn dense(self) -> usize {
        match self {
            Form::Wide => 17,
            Form::Narrow => 9,
        }
    }
}

/// Greatest width of a series' label beside the plot.
const LABEL_ROOM: f64 = 168.0;
/// Distance from the axes to the series' labels.
pub(super) const LEADER: f64 = 22.0;
/// Distance of two lines of a label.
pub(super) const LABEL_LINE: f64 = LINE - 2.0;
/// Distance from a sample of a line to its text.
pub(super) const AFTER_SAMPLE: f64 = SAMPLE + 6.0;

/// A plot's lines of text, axes and positions.
pub(super) struct Layout<'a> {
    pub(super) form: Form,
    pub(super) title: Vec<String>,
    /// Whose run each kind of line is.
    pub(super) runs: Vec<Vec<String>>,
    pub(super) labels: Vec<Label<'a>>,
    pub(super) x: Ticked,
    pub(super) y: Ticked,
    /// The axes' labels.
    pub(super) x_label: Vec<String>,
    pub(super) y_label: Vec<String>,
    /// Top of the lines that say whose each run is.
    pub(super) key_top: f64,
    /// Top of the vertical axis' label.
    pub(super) label_top: f64,
    /// The area within the axes.
    pub(super) top: f64,
    pub(super) bottom: f64,
    pub(super) left: f64,
    pub(super) right: f64,
    /// Size of the whole plot.
    pub(super) size: At,
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

/// A series' label.
pub(super) struct Label<'a> {
    pub(super) trace: &'a Trace<'a>,
    pub(super) lines: Vec<String>,
    /// Left end of its sample, and the middle of its lines.
    pub(super) at: At,
}

impl Label<'_> {
    pub(super) fn height(&self) -> f64 {
        self.lines.len() as f64 * LABEL_LINE + 6.0
    }
}

impl<'a> Layout<'a> {
    pub(super) fn new(content: &'a Content<'a>, form: Form) -> Layout<'a> {
        let points = || content.traces.iter().flat_map(|t| &t.series.points);
        let xs: Vec<f64> = points().map(|p| p.x).collect();
        let ys: Vec<f64> = points().flat_map(|p| [p.y, p.y_min, p.y_max]).collect();
        let (about_x, about_y) = form.ticks();
        let x = Ticked::new(&content.experiment.x, &xs, about_x);
        let y = Ticked::new(&content.experiment.y, &ys, about_y);

        let title = title_lines(content.title, form.width());
        let key_top = title.len() as f64 * TITLE_LINE + 4.0;
        let runs = runs(content, form.width() - AFTER_SAMPLE);
        let label_top = key_top + lines(&runs) as f64 * LINE + 8.0;
        let y_label = wrap(&describe::y_label(content, &y.axis), TEXT, form.width());
        let top = label_top + y_label.len() as f64 * LINE + 8.0;

        let room = if form == Form::Wide { LABEL_ROOM } else { form.width() - AFTER_SAMPLE };
        let labels = labels_of(&content.traces, room);
        let left = widest(y.ticks.iter().map(|(_, text)| text.as_str())) + 12.0;
        let label_width = widest(labels.iter().flat_map(|l| &l.lines).map(String::as_str));
        let right = match form {
            Form::Wide => form.width() - label_width - SAMPLE - LEADER - 6.0,
            // Half of the last tick's text.
            Form::Narrow => form.width() - 18.0,
        };
        let needed = if form == Form::Wide { labels.iter().map(Label::height).sum() } else { 0.0 };
        let bottom = top + form.area_height().max(needed);
        let x_axis = &content.experiment.x;
        let x_label = wrap(&with_unit(&x_axis.label, &x_axis.unit), TEXT, form.width());
        let below = bottom + (1 + x_label.len()) as f64 * LINE + 14.0;
        let size = (form.width(), below);
        let mut layout = Layout {
            form,
            title,
            runs,
            labels,
            x,
            y,
            x_label,
            y_label,
            key_top,
            label_top,
            top,
            bottom,
            left,
            right,
            size,
        };
        layout.place_labels();
        layout
    }

    /// Puts the labels at their lines' ends, or below the plot, from the highest end to the lowest.
    fn place_labels(&mut self) {
        let ends: Vec<f64> = self.labels.iter().map(|label| self.end(label.trace).1).collect();
        let wishes: Vec<_> = ends.iter().zip(&self.labels).map(|(y, label)| (*y, label.height())).collect();
        match self.form {
            Form::Wide => {
                let x = self.right + LEADER;
                let middles = labels::spread(&wishes, self.top, self.bottom);
                for (label, y) in self.labels.iter_mut().zip(middles) {
                    label.at = (x, y);
                }
            }
            Form::Narrow => {
                let mut order: Vec<usize> = (0..ends.len()).collect();
                order.sort_by(|a, b| ends[*a].total_cmp(&ends[*b]));
                for i in order {
                    self.labels[i].at = (0.0, self.size.1 + wishes[i].1 / 2.0);
                    self.size.1 += wishes[i].1;
                }
            }
        }
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

/// Whose run each kind of line is, in lines of at most `room`.
fn runs(content: &Content<'_>, room: f64) -> Vec<Vec<String>> {
    let text = |(record, run): &(&record::Record, super::style::Run)| {
        let yours = if run.yours { "yours: " } else { "" };
        wrap(&format!("{yours}{}", whose(record, content.experiment.y_is)), TEXT, room)
    };
    content.runs.iter().map(text).collect()
}

fn lines(texts: &[Vec<String>]) -> usize {
    texts.iter().map(Vec::len).sum()
}

/// A label for each series, in lines of at most `room`. The reader's own line has that of the reference's, which stands
/// right before it.
fn labels_of<'a>(traces: &'a [Trace<'a>], room: f64) -> Vec<Label<'a>> {
    let mut labels: Vec<Label<'_>> = Vec::new();
    for trace in traces {
        if trace.run.yours && labels.last().is_some_and(|l| l.trace.series.id == trace.series.id) {
            continue;
        }
        labels.push(Label { trace, lines: wrap(&trace.series.label, TEXT, room), at: (0.0, 0.0) });
    }
    labels
}

fn widest<'t>(texts: impl Iterator<Item = &'t str>) -> f64 {
    texts.map(|text| width(text, TEXT)).fold(0.0, f64::max)
}
