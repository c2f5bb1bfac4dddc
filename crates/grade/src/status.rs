//! What became of a file, in a word for the table.

use std::fmt;

/// What became of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Status {
    /// Read, run again, compared.
    Graded,
    /// Read; the re-run did not end in time.
    TimedOut,
    /// Read; it could not be run again.
    NotRerun,
    /// Read; its lab is none of the workbook's.
    UnknownLab,
    /// Read, and no record.
    Invalid,
    /// The same bytes as another file of the student.
    Duplicate,
    /// A record beyond the number that is graded of one student.
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
            Status::TimedOut => "timed-out",
            Status::NotRerun => "not-rerun",
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
