//! Errors: a name or value that cannot be shown, with the names that could be.

/// Reason why something cannot be shown.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A name that nothing bears.
    #[error("no {what} `{name}`{} in {place}; {}", hint(name, there), list(there))]
    Missing {
        /// `experiment`, `series`, `x`, `counter`, …
        what: &'static str,
        /// Name that was asked for.
        name: String,
        /// Place where it was looked for.
        place: String,
        /// Names that the place has.
        there: Vec<String>,
    },
    /// A word that names no field of a point.
    #[error("`{name}` is not a field{}; there are: {}, hardware:COUNTER, COUNTER/COUNTER, ideal:NUMBER, and the counters of the record", hint(name, there), there.join(", "))]
    Field {
        /// Name that was asked for.
        name: String,
        /// Names of the fixed fields.
        there: Vec<String>,
    },
    /// A value that has no place on a logarithmic axis.
    #[error("series `{series}`, x = {x}: {axis} = {value} cannot be drawn on a logarithmic axis")]
    NotOnLogAxis {
        /// Id of the series.
        series: String,
        /// x of the point.
        x: f64,
        /// `x`, `y`, `y_min` or `y_max`.
        axis: &'static str,
        /// The value, zero or below.
        value: f64,
    },
    /// A time of work that was not timed.
    #[error("experiment `{experiment}`, series `{series}`, x = {x}: this was not timed")]
    Untimed {
        /// Id of the experiment.
        experiment: String,
        /// Id of the series.
        series: String,
        /// x of the point.
        x: f64,
    },
    /// Two records that cannot be drawn on the same axes.
    #[error("experiment `{experiment}`: the two records differ in {what}: `{first}` and `{second}`")]
    Axes {
        /// Id of the experiment.
        experiment: String,
        /// Difference, such as `the unit of y`.
        what: &'static str,
        /// Value of the first record.
        first: String,
        /// Value of the second record.
        second: String,
    },
    /// A trace whose costs its addresses do not explain, or one that has nothing to show.
    #[error("the trace `{trace}` cannot be drawn: {what}")]
    Unexplained {
        /// Id of the trace.
        trace: String,
        /// The contradiction.
        what: String,
    },
    /// The drawing library refused; writing to memory does not fail, so this names a defect.
    #[error("the plot could not be drawn: {0}")]
    Draw(String),
}

impl Error {
    /// The error for a `name` that `place` does not have.
    pub fn missing<'a>(
        what: &'static str,
        name: impl Into<String>,
        place: impl Into<String>,
        there: impl IntoIterator<Item = &'a str>,
    ) -> Self {
        Error::Missing {
            what,
            name: name.into(),
            place: place.into(),
            there: there.into_iter().map(str::to_owned).collect(),
        }
    }
}

/// The name most like `name`, if one is near enough to be what was meant.
pub fn nearest<'a>(name: &str, there: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    there
        .into_iter()
        .map(|candidate| (strsim::jaro_winkler(name, candidate), candidate))
        // Short names that differ by one slip (`tow`, `two`) share few letters in place.
        .filter(|(likeness, candidate)| *likeness > 0.8 || strsim::damerau_levenshtein(name, candidate) == 1)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, candidate)| candidate)
}

fn hint(name: &str, there: &[String]) -> String {
    match nearest(name, there.iter().map(String::as_str)) {
        Some(near) => format!(" (did you mean `{near}`?)"),
        None => String::new(),
    }
}

fn list(there: &[String]) -> String {
    if there.is_empty() { "there are none".into() } else { format!("there are: {}", there.join(", ")) }
}
