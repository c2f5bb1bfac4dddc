//! A student's results: rows, lines and points, as reports and the journal hold them.

use crate::judge::Finding;
use crate::points::Points;
use crate::status::Status;
use crate::work::GradedWork;
use serde::{Deserialize, Serialize};

/// A student's grade.
#[derive(Debug)]
pub(crate) struct Graded {
    /// Name of the student's folder, escaped.
    pub(crate) student: String,
    pub(crate) rows: Vec<Row>,
    pub(crate) points: Points,
    pub(crate) of: Points,
    /// Assigned labs without a record.
    pub(crate) missing: Vec<String>,
    /// Exercises and answers, where any are expected of the student.
    pub(crate) work: Option<GradedWork>,
}

/// A file's row of the table. All of its text is escaped.
#[derive(Debug)]
pub(crate) struct Row {
    pub(crate) file: String,
    /// Lab of the workbook that the record is of, if any.
    pub(crate) lab: Option<&'static str>,
    pub(crate) device: String,
    pub(crate) when: String,
    pub(crate) status: Status,
    /// Whether the row counts towards the student's grade.
    pub(crate) counts: bool,
    pub(crate) points: Points,
    pub(crate) of: Points,
    pub(crate) lines: Vec<Line>,
    /// Hints for a person to follow up.
    pub(crate) flags: Vec<String>,
    /// Reason why the file was not graded normally; empty if it was.
    pub(crate) why: String,
    /// Whether the record claims to come from a GPU.
    pub(crate) is_measured: bool,
}

/// A check's line of a report.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Line {
    pub(crate) id: String,
    pub(crate) what: String,
    pub(crate) points: Points,
    pub(crate) of: Points,
    pub(crate) finding: Finding,
}

/// Finding of a check.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct JudgedCheck {
    /// Id of the check.
    pub(crate) id: String,
    pub(crate) finding: Finding,
}

/// A record's judgement, except for its points and for whether someone else handed in the same run: neither takes a re-run
/// to find. All of its text is escaped.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Judged {
    pub(crate) lab: Option<String>,
    pub(crate) device: String,
    pub(crate) is_measured: bool,
    pub(crate) when: String,
    pub(crate) status: Status,
    pub(crate) why: String,
    pub(crate) found: Vec<JudgedCheck>,
    pub(crate) flags: Vec<String>,
    /// Warp instructions that its re-runs executed.
    pub(crate) cost: u64,
}
