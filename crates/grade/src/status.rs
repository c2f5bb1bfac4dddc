//! What became of a file, in a word for the table.

use serde::{Deserialize, Serialize};
use std::fmt;

/// What became of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Status {
    /// Read, run again, compared.
    Graded,
    /// Read; the re-run was ended by the clock or by the machine, which is nobody's fault: it costs no point.
    NotGraded,
    /// Read; it could not be run again.
    NotRerun,
    /// Read and run again; nothing in it comes from a run.
    NotRun,
    /// Read; it is a record that comes with the workbook.
    NotOwn,
    /// Read; the student's other re-runs have used up what one student may ask for.
    OverBudget,
    /// Read; its lab is none of the workbook's.
    UnknownLab,
    /// Read, and no record.
    Invalid,
    /// The same bytes as another file of the student.
    Duplicate,
    /// A record beyond the number that is graded of one student.
    #[serde(rename = "too-many-files")]
    TooMany,
    Empty,
    TooLarge,
    TooDeep,
    Link,
    Unreadable,
    Misplaced,
    /// No record, and nobody said it was one.
    Ignored,
    /// The student's folder has no files.
    NoFiles,
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Status::Graded => "graded",
            Status::NotGraded => "not-graded",
            Status::NotRerun => "not-rerun",
            Status::NotRun => "not-run",
            Status::NotOwn => "not-own",
            Status::OverBudget => "over-budget",
            Status::UnknownLab => "unknown-lab",
            Status::Invalid => "invalid",
            Status::Duplicate => "duplicate",
            Status::TooMany => "too-many-files",
            Status::Empty => "empty",
            Status::TooLarge => "too-large",
            Status::TooDeep => "too-deep",
            Status::Link => "link",
            Status::Unreadable => "unreadable",
            Status::Misplaced => "misplaced",
            Status::Ignored => "ignored",
            Status::NoFiles => "no-files",
        })
    }
}
