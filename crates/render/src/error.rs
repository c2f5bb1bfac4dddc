//! What was asked for and is not there, with what is there instead.

/// Why something could not be shown.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A name that nothing has.
    #[error("no {what} `{name}`{} in {place}; {}", hint(name, there), list(there))]
    Missing {
        /// `experiment`, `series`, `x`, `counter`, …
        what: &'static str,
        /// What was asked for.
        name: String,
        /// Where it was looked for.
        place: String,
        /// The names there are.
        there: Vec<String>,
    },
    /// A word that names no field of a point.
    #[error("`{name}` is no field{}; there are: {}, hardware:COUNTER, COUNTER/COUNTER, ideal:NUMBER, and the counters of the record", hint(name, there), there.join(", "))]
    Field {
        /// What was asked for.
        name: String,
        /// The fixed fields.
        there: Vec<String>,
    },
    /// A value that has no place on a logarithmic axis.
    #[error("series `{series}`, x = {x}: {axis} = {value} cannot be drawn on a logarithmic axis")]
    NotOnLogAxis {
        /// The series' id.
        series: String,
        /// The point's x.
        x: f64,
        /// `x`, `y`, `y_min` or `y_max`.
        axis: &'static str,
        /// Zero or below.
        value: f64,
    },
    /// A time of what was not timed.
    #[error("experiment `{experiment}`, series `{series}`, x = {x}: this was not timed")]
    Untimed {
        /// The experiment's id.
        experiment: String,
        /// The series' id.
        series: String,
        /// The point's x.
        x: f64,
    },
    /// Two records that cannot be drawn on the same axes.
    #[error("experiment `{experiment}`: the two records differ in {what}: `{first}` and `{second}`")]
    Axes {
        /// The experiment's id.
        experiment: String,
        /// Such as `the unit of y`.
        what: &'static str,
        /// The first record's.
        first: String,
        /// The second record's.
        second: String,
    },
    /// A trace whose costs its addresses do not explain, or one that has nothing to show.
    #[error("the trace `{trace}` cannot be drawn: {what}")]
    Unexplained {
        /// The trace's id.
        trace: String,
        /// What contradicts what.
        what: String,
    },
    /// The drawing library refused; writing to memory does not fail, so this names a defect.
    #[error("the plot could not be drawn: {0}")]
    Draw(String),
}

impl Error {
    /// For `name`, which `place` does not have.
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
