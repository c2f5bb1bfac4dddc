//! Experiments of a record as plots, drawn by plotters.
//!
//! Enters: a record, one of its experiments, optionally a choice of series, and optionally the reader's own run, whose
//! comparable points are drawn over the record's. Leaves: an SVG that follows the light or dark scheme of the page around
//! it (which may also set `--plot-1` and so on), says in words what it shows, and is the same for the same input. This crate
//! must never know where the SVG goes.
//!
//! What is plotters' are the chart, its coordinates, grid, axes and marks, the lines and the legends. Ours are the choice of
//! an axis' range, the labels at the lines' ends, the shapes of points, and the paints, which the page decides.
//!
//! How to read one: colour and shape say which series; a solid line with filled points and translucent bars from the lowest
//! to the highest value is measured, a dashed line with hollow points is modelled; the reader's own run is dotted (measured)
//! or dash-dotted (modelled). Reference series are thin and grey. The labels are at the lines' ends, in their order; in a plot
//! for narrow screens, below it. Where points are dense, every second or third is drawn, and not the same ones for every
//! series, so that lines which coincide show the points of both. Where values of x are too near to each other for a scale,
//! each has a place of its own, and points have no line.
//!
//! ```
//! use plots::Plot;
//!
//! let text = std::fs::read_to_string("../../book/records/h200/lab-4-3.json")?;
//! let record = record::Record::from_json(&text)?;
//! // The id sets this plot's elements apart from those of others on the page.
//! let svg = Plot::new(&record, "blocks", "first-plot").svg()?;
//! assert!(svg.starts_with("<svg"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod axis;
mod chart;
mod content;
mod describe;
mod labels;
mod marks;
mod style;
mod timeline;

pub use timeline::{Bar, Lane, Timeline};

use content::Content;
use record::{Experiment, Record, Scale};
use render::drawing::{Form, document};
use render::table::{experiment, select_series};
use render::{Error, OwnRun};

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
    /// The reader's own run, drawn over the record's where the two can be compared.
    pub yours: Option<OwnRun<'a>>,
}

impl<'a> Plot<'a> {
    /// All series of an experiment, under its own title.
    pub fn new(record: &'a Record, experiment: &'a str, id: &'a str) -> Self {
        Plot { record, experiment, series: &[], title: None, y_scale: None, id, yours: None }
    }

    /// Draws the plot as an SVG, as wide as a page.
    ///
    /// # Errors
    /// An experiment or series that the record does not have (the reader's own may lack them), a value that is not
    /// positive on a logarithmic axis, or two records whose axes hold different things.
    pub fn svg(&self) -> Result<String, Error> {
        self.drawn(Form::Wide)
    }

    /// Draws the same plot for a screen of 390 pixels.
    ///
    /// # Errors
    /// As those of [`Plot::svg`].
    pub fn narrow_svg(&self) -> Result<String, Error> {
        self.drawn(Form::Narrow)
    }

    fn drawn(&self, form: Form) -> Result<String, Error> {
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
        let own = self.own(experiment)?;
        let yours = own.as_ref().and_then(|own| Some((self.yours?.record, own)));
        let title = self.title.unwrap_or(&experiment.title);
        let content = Content::new(title, (self.record, experiment), yours, self.series)?;
        let (body, size) = chart::draw(&content, form)?;
        Ok(document(self.id, [title, &describe::describe(&content)], size, &body))
    }

    /// Whether the reader's own run is drawn.
    ///
    /// # Errors
    /// As of [`Plot::svg`].
    pub fn has_yours(&self) -> Result<bool, Error> {
        Ok(self.own(experiment(self.record, self.experiment)?)?.is_some())
    }

    /// The chosen series of the reader's own run, as far as they can be drawn over the record's.
    fn own(&self, experiment: &Experiment) -> Result<Option<Experiment>, Error> {
        let Some(yours) = self.yours else { return Ok(None) };
        let series = select_series(experiment, self.series)?.into_iter().cloned().collect();
        yours.beside(self.record, &Experiment { series, ..experiment.clone() })
    }
}
