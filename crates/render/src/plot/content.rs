//! Content of a plot: the runs and series that it shows, checked.
//!
//! Enters: a plot's choice from one or two records. Leaves: the chosen series in the order in which they are named, each
//! with its style, all of them drawable on the axes. This module must never know where anything lies.

use super::style::{self, Run, Style};
use crate::Error;
use crate::table::select_series;
use record::{Experiment, Record, Scale, Series, Source};

/// Everything that a plot shows.
pub(super) struct Content<'a> {
    pub(super) title: &'a str,
    pub(super) experiment: &'a Experiment,
    /// The records, the reader's own last.
    pub(super) runs: Vec<(&'a Record, Run)>,
    pub(super) traces: Vec<Trace<'a>>,
}

/// A series of one of the records, as it will be drawn.
pub(super) struct Trace<'a> {
    pub(super) record: &'a Record,
    pub(super) series: &'a Series,
    pub(super) style: Style,
    pub(super) run: Run,
    /// Index of the series in the experiment: it decides which of dense points have markers.
    pub(super) turn: usize,
}

impl Trace<'_> {
    /// Width of the line, in pixels.
    pub(super) fn thickness(&self) -> f64 {
        if self.series.reference { 1.0 } else { 2.0 }
    }
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
            |record: &Record, yours| Run { yours, modelled: record.device.source() == Source::Modelled };
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
                    traces.push(Trace { record, series, style: styles[turn], run: *run, turn });
                }
            }
        }
        let runs = runs.into_iter().map(|(record, _, run)| (record, run)).collect();
        Ok(Content { title, experiment, runs, traces })
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
