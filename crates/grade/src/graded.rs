//! A student's results: rows, their lines and points, as reports and journals hold them.

use crate::judge::Finding;
use crate::points::Points;
use crate::status::Status;
use serde::{Deserialize, Serialize};

/// A student's grade.
#[derive(Debug)]
pub(crate) struct Graded {
    /// Safe to show.
    pub(crate) student: String,
    pub(crate) rows: Vec<Row>,
    pub(crate) points: Points,
    pub(crate) of: Points,
    /// Assigned labs of which there is no record.
    pub(crate) missing: Vec<String>,
}

/// A file's line of the table. All text in it is safe to show.
#[derive(Debug)]
pub(crate) struct Row {
    pub(crate) file: String,
    /// A lab of the workbook.
    pub(crate) lab: Option<&'static str>,
    pub(crate) device: String,
    pub(crate) when: String,
    pub(crate) status: Status,
    /// Whether it is part of the student's grade.
    pub(crate) counts: bool,
    pub(crate) points: Points,
    pub(crate) of: Points,
    pub(crate) lines: Vec<Line>,
    /// What a person should look at.
    pub(crate) flags: Vec<String>,
    /// Why it was not graded like the others; empty where it was.
    pub(crate) why: String,
    /// Whether it says that a GPU made it.
    pub(crate) is_measured: bool,
}

/// A check's line of a report.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Line {
    pub(crate) id: String,
    pub(crate) what: String,
    pub(crate) points: Points,
    pub(crate) of: Points,
    pub(crate) finding: Finding,
}

/// What was found in a record, but for who else handed in the same run. All text in it is safe to show.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Judged {
    pub(crate) lab: Option<String>,
    pub(crate) device: String,
    pub(crate) is_measured: bool,
    pub(crate) when: String,
    pub(crate) status: Status,
    pub(crate) why: String,
    pub(crate) lines: Vec<Line>,
    pub(crate) flags: Vec<String>,
    /// Warp instructions of its re-runs.
    pub(crate) cost: u64,
}
