//! Content of a plot: the runs and series that it shows, checked.
//!
//! Enters: a plot's choice from one or two records. Leaves: the chosen series in the order in which they are named, each
//! with its style, all of them drawable on the axes. This module must never know where anything is.

use crate::axis::{Axis, scaled};
use crate::style::{self, Look, Run};
use record::{Experiment, Point, Record, Scale, Series, TimeSource};
use render::Error;
use render::table::select_series;

/// Share of a category's place that its points take at most, and that from one to the next.
const BAND: f64 = 0.6;
const STEP: f64 = 0.2;

/// How far ranges may take the vertical axis beyond the points: a share of what these take, and at least a share of a decade.
const BEYOND: f64 = 0.25;
const LEAST_BEYOND: f64 = 0.15;

/// Everything that a plot shows.
pub(super) struct Content<'a> {
    pub(super) title: &'a str,
    pub(super) experiment: &'a Experiment,
    /// The records, the reader's own last.
    pub(super) runs: Vec<(&'a Record, Run)>,
    pub(super) traces: Vec<Trace<'a>>,
    /// Whether each value of x has a place of its own.
    pub(super) by_category: bool,
}

/// A series of one of the records, as it will be drawn.
pub(super) struct Trace<'a> {
    pub(super) record: &'a Record,
    pub(super) series: &'a Series,
    pub(super) look: Look,
    /// Index of the series in the experiment: it decides which of dense points are drawn.
    pub(super) turn: usize,
    /// Distance from the middle of a category's place, in places.
    pub(super) shift: f64,
}

impl<'a> Content<'a> {
    /// The `chosen` series of the experiment (all of them if none is), each followed by the reader's own.
    pub(super) fn new(
        title: &'a str,
        (record, experiment): (&'a Record, &'a Experiment),
        yours: Option<(&'a Record, &'a Experiment)>,
        chosen: &[&str],
    ) -> Result<Content<'a>, Error> {
        let run =
            |record: &Record, yours| Run { yours, modelled: record.device.source() == TimeSource::Modelled };
        let mut runs = vec![(record, experiment, run(record, false))];
        if let Some((yours, mine)) = yours {
            same_axes(experiment, mine)?;
            runs.push((yours, mine, run(yours, true)));
        }
        let ids: Vec<_> = experiment.series.iter().map(|s| (s.id.as_str(), s.reference)).collect();
        // Colour and marker by the index in the experiment, so that a series drawn alone keeps them.
        let styles = style::styles(&ids);
        let mut traces = Vec::new();
        for chosen in select_series(experiment, chosen)? {
            let turn = ids.iter().position(|(id, _)| *id == chosen.id).unwrap_or(0);
            for (record, of, run) in &runs {
                if let Some(series) = of.series(&chosen.id) {
                    drawable(experiment, series)?;
                    let (style, reference) = (styles[turn], series.reference);
                    let look = Look { style, run: *run, reference, points: true, line: true };
                    traces.push(Trace { record, series, look, turn, shift: 0.0 });
                }
            }
        }
        let runs = runs.into_iter().map(|(record, _, run)| (record, run)).collect();
        let mut content = Content { title, experiment, runs, traces, by_category: false };
        content.by_category = content.categories().is_some();
        let (count, middle) = (content.traces.len() as f64, (content.traces.len() as f64 - 1.0) / 2.0);
        for (i, trace) in content.traces.iter_mut().enumerate().filter(|_| content.by_category) {
            trace.shift = (i as f64 - middle) * (BAND / count).min(STEP);
            trace.look.line = false;
        }
        Ok(content)
    }

    pub(super) fn points(&self) -> impl Iterator<Item = &Point> {
        self.traces.iter().flat_map(|trace| &trace.series.points)
    }

    /// Values that the vertical axis shows: all points, and the ends of their ranges unless these are so far off that the points
    /// would be crowded together. Such a range is cut.
    pub(super) fn ys(&self) -> Vec<f64> {
        let scale = self.experiment.y.scale;
        let mut ys: Vec<f64> = self.points().map(|p| p.y).collect();
        let at = ys.iter().map(|y| scaled(scale, *y));
        let (low, high) = at.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), y| (a.min(y), b.max(y)));
        // A linear axis begins at zero.
        let (low, least) = match scale {
            Scale::Linear => (low.min(0.0), 0.0),
            Scale::Log2 => (low, LEAST_BEYOND * std::f64::consts::LOG2_10),
            Scale::Log10 => (low, LEAST_BEYOND),
        };
        let room = ((high - low) * BEYOND).max(least);
        let near = |y: &f64| (low - room..=high + room).contains(&scaled(scale, *y));
        let ends: Vec<f64> = self.points().flat_map(|p| [p.y_min, p.y_max]).filter(near).collect();
        ys.extend(ends);
        ys
    }

    pub(super) fn xs(&self) -> Vec<f64> {
        self.points().map(|point| point.x).collect()
    }

    /// The horizontal axis, if its values are too near to each other for a scale.
    pub(super) fn categories(&self) -> Option<Axis> {
        Axis::of_categories(&self.experiment.x, &self.xs())
    }
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
