//! A lab's run in short: the chapter's question, the table that answers it, and conclusions.
//!
//! Enters: nothing; these are the types with which a lab declares its own. A sentence is a function of the record, so that
//! the faster variant, the difference and the counts come from the run that is shown.

use record::Record;

/// A lab's run in short.
pub struct Digest {
    /// Chapter of the book: the name of its file in `book/src`, without `.md`.
    pub chapter: &'static str,
    /// Title of the chapter.
    pub title: &'static str,
    /// The question that the table answers.
    pub question: &'static str,
    /// The table.
    pub table: Table,
    /// Conclusions, in order.
    pub takeaways: &'static [Takeaway],
}

/// From a record, with its facts, to a sentence or two; nothing where the record does not show it.
pub type Takeaway = fn(&Record) -> Option<String>;

/// The table that answers a chapter's question. Values that a record does not have are left out.
#[derive(Clone, Copy, Debug)]
pub enum Table {
    /// A row a point, with these fields of it.
    Points {
        /// The points, in order.
        parts: &'static [Part],
        /// Fields, as the book's tables name them: see [`render::Field::parse`].
        columns: &'static [&'static str],
    },
    /// A row a series, a column an x, and the counter that explains it below.
    Sweep {
        /// Id of the experiment.
        experiment: &'static str,
        /// Ids of the series.
        series: &'static [&'static str],
        /// The points shown.
        xs: &'static [f64],
    },
    /// A row an x, a column a series.
    Columns {
        /// Id of the experiment.
        experiment: &'static str,
        /// Ids of the series.
        series: &'static [&'static str],
    },
}

/// Points of one experiment.
#[derive(Clone, Copy, Debug)]
pub struct Part {
    /// Id of the experiment.
    pub experiment: &'static str,
    /// Ids of the series.
    pub series: &'static [&'static str],
    /// Which of their points.
    pub xs: Xs,
}

/// Choice of x.
#[derive(Clone, Copy, Debug)]
pub enum Xs {
    /// These.
    These(&'static [f64]),
    /// The largest that all of the series have.
    Largest,
}
