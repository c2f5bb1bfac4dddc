//! Status of a graded file, as a word of the table.

use serde::{Deserialize, Serialize};
use std::fmt;

/// Status of a graded file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Status {
    /// Read, rerun and compared.
    Graded,
    /// Read; the re-run was ended by the clock or the machine, through no fault of the student: it costs no point.
    NotGraded,
    /// Read; it could not be rerun.
    NotRerun,
    /// Read and rerun; nothing in it comes from a run.
    NotRun,
    /// Read; it is one of the workbook's own records.
    NotOwn,
    /// Read; the student's other re-runs have used up the budget of one student.
    OverBudget,
    /// Read; its lab is not one of the workbook's.
    UnknownLab,
    /// Read; it is not a valid record.
    Invalid,
    /// Identical to another file of the student.
    Duplicate,
    /// A record beyond the number graded per student.
    #[serde(rename = "too-many-files")]
    TooMany,
    Empty,
    TooLarge,
    TooDeep,
    Link,
    Unreadable,
    Misplaced,
    /// Not a record, nor named like one.
    Ignored,
    /// A submission of which the student has handed in a later one.
    Superseded,
    /// The student's folder has no files.
    NoFiles,
}

impl Status {
    /// Whether a file was handed in as work, and could not be read as any.
    pub(crate) fn is_unread(self) -> bool {
        match self {
            Status::Invalid
            | Status::TooMany
            | Status::Empty
            | Status::TooLarge
            | Status::TooDeep
            | Status::Link
            | Status::Unreadable => true,
            Status::Graded
            | Status::NotGraded
            | Status::NotRerun
            | Status::NotRun
            | Status::NotOwn
            | Status::OverBudget
            | Status::UnknownLab
            | Status::Duplicate
            | Status::Misplaced
            | Status::Ignored
            | Status::Superseded
            | Status::NoFiles => false,
        }
    }
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
            Status::Superseded => "superseded",
            Status::NoFiles => "no-files",
        })
    }
}
