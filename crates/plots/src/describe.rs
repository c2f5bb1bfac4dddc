//! A plot in words: the label of its vertical axis, and the description for readers who do not see it.
//!
//! Enters: the content of a plot. Leaves: text. This module must never know where anything is.

use crate::axis::Axis;
use crate::content::Content;
use record::{Experiment, Origin, Point, Scale};
use render::{format, whose};
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
    let unit = if axis.ticks_have_units() { "" } else { experiment.y.unit.as_str() };
    let said: Vec<&str> = [unit, sources].into_iter().filter(|part| !part.is_empty()).collect();
    let label = &experiment.y.label;
    if said.is_empty() { label.clone() } else { format!("{label} ({})", said.join(", ")) }
}

/// Description of the plot in words.
pub(super) fn describe(content: &Content<'_>) -> String {
    let experiment = content.experiment;
    let (chart, x) = match content.by_category {
        true => ("Dots by category", format!("{}, a place for each value", with_unit(&experiment.x))),
        false => ("Line chart", axis(&experiment.x)),
    };
    let mut text = format!("{chart}. Horizontal axis: {x}. Vertical axis: {}.", axis(&experiment.y));
    for trace in &content.traces {
        let mine = if trace.look.run.yours { "yours, " } else { "" };
        let source = whose(trace.record, experiment.y_is);
        let reference = if trace.look.reference { ", a line to compare with" } else { "" };
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
    format!("{}, {scale}", with_unit(axis))
}

fn with_unit(axis: &record::Axis) -> String {
    if axis.unit.is_empty() { axis.label.clone() } else { format!("{} in {}", axis.label, axis.unit) }
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
