//! A plot in words: the label of its vertical axis, and the description for readers who do not see it.
//!
//! Enters: the content of a plot. Leaves: text. This module must never know where anything lies.

use super::axis::Axis;
use super::content::Content;
use crate::field::whose;
use crate::format;
use record::{Experiment, Origin, Point, Scale};
use std::fmt::Write as _;

/// Label of the vertical axis: the origin of its values, and their unit unless each tick has one.
pub(super) fn y_label(content: &Content<'_>, axis: &Axis) -> String {
    let Content { experiment, runs, .. } = content;
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

/// Description of the plot in words.
pub(super) fn describe(content: &Content<'_>) -> String {
    let experiment = content.experiment;
    let mut text = format!(
        "Line chart. Horizontal axis: {}. Vertical axis: {}.",
        axis(&experiment.x),
        axis(&experiment.y)
    );
    for trace in &content.traces {
        let mine = if trace.run.yours { "yours, " } else { "" };
        let source = whose(trace.record, experiment.y_is);
        let reference = if trace.series.reference { ", a line to compare with" } else { "" };
        let _ = write!(text, " {} ({mine}{source}{reference}):", trace.series.label);
        text += &course(experiment, &trace.series.points);
    }
    text
}

/// Label, unit and scale of an axis.
fn axis(axis: &record::Axis) -> String {
    let scale = match axis.scale {
        Scale::Linear => "linear",
        Scale::Log2 => "logarithmic to base 2",
        Scale::Log10 => "logarithmic to base 10",
    };
    let unit = if axis.unit.is_empty() { String::new() } else { format!(" in {}", axis.unit) };
    format!("{}{unit}, {scale}", axis.label)
}

/// First, last, lowest and highest point of a line.
fn course(experiment: &Experiment, points: &[Point]) -> String {
    let (Some(first), Some(last)) = (points.first(), points.last()) else { return String::new() };
    let at = |p: &Point| {
        let (x, y) = (&experiment.x.unit, &experiment.y.unit);
        format!("{} at {}", format::quantity(p.y, y), format::quantity(p.x, x))
    };
    if points.len() == 1 {
        return format!(" {}.", at(first));
    }
    let lowest = points.iter().min_by(|a, b| a.y.total_cmp(&b.y)).unwrap_or(first);
    let highest = points.iter().max_by(|a, b| a.y.total_cmp(&b.y)).unwrap_or(first);
    format!(" from {} to {}; lowest {}, highest {}.", at(first), at(last), at(lowest), at(highest))
}
