//! Verdicts: what was found in a student's source, as data that a terminal, a page or a grader shows.
//!
//! Enters: nothing. Leaves: the types. This module must never know how anything is found or shown.

use cuda::diagnostic::Diagnostic;
use cuda::source::Sources;
use device::{Fault, TracedAccess};

/// What the check of a source found.
#[derive(Clone, Debug)]
pub struct Verdict {
    /// What is wrong; none where the exercise is passed.
    pub finding: Option<Finding>,
    /// The case in which it was found, in words, such as `n = 100`; of a passed exercise, the last.
    pub case: String,
    /// Cases that held before.
    pub held: usize,
    /// Cases in all.
    pub cases: usize,
    /// Each condition's count, with what was allowed, in the case.
    pub measured: Vec<Measured>,
    /// The compiler's warnings.
    pub warnings: Vec<Diagnostic>,
    /// Files that their places lie in.
    pub sources: Sources,
}

impl Verdict {
    /// Whether all cases held.
    pub fn passed(&self) -> bool {
        self.finding.is_none()
    }

    /// Name of what was found, by which hints are chosen.
    pub fn found(&self) -> Option<&str> {
        self.finding.as_ref().map(Finding::name)
    }
}

/// What is wrong with a source.
#[derive(Clone, Debug)]
pub enum Finding {
    /// It does not compile.
    Compile(Box<cuda::Failure>),
    /// It compiles, but is not what the exercise launches: a kernel is missing, or its parameters are others.
    Launch(String),
    /// A thread did what it must not.
    Fault(Box<Fault>),
    /// An output differs from what is expected.
    Wrong(Wrong),
    /// The results are right, and conditions are missed.
    Missed(Vec<Missed>),
}

impl Finding {
    /// Name by which hints and attempts refer to it: that of the first condition that is missed.
    pub fn name(&self) -> &str {
        match self {
            Finding::Compile(_) => "compile",
            Finding::Launch(_) => "launch",
            Finding::Fault(_) => "fault",
            Finding::Wrong(_) => "wrong",
            Finding::Missed(missed) => missed.first().map_or("", |one| &one.measured.name),
        }
    }
}

/// An output that differs.
#[derive(Clone, Debug, PartialEq)]
pub struct Wrong {
    /// The buffer.
    pub buffer: String,
    /// The first elements that differ.
    pub first: Vec<Differs>,
    /// How many differ.
    pub count: usize,
    /// How many there are.
    pub of: usize,
}

/// An element that differs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Differs {
    /// Its index.
    pub index: usize,
    /// What was found; none where nothing was written.
    pub found: Option<f64>,
    /// What was expected.
    pub expected: f64,
}

/// A condition with what was counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Measured {
    /// The condition's name.
    pub name: String,
    /// The counter.
    pub count: String,
    /// What was counted.
    pub value: i64,
    /// The least and the most that was allowed.
    pub allowed: (Option<i64>, Option<i64>),
}

impl Measured {
    /// Whether it is as it must be.
    pub fn holds(&self) -> bool {
        let (least, most) = self.allowed;
        least.is_none_or(|least| self.value >= least) && most.is_none_or(|most| self.value <= most)
    }
}

/// A condition that is missed, with where.
#[derive(Clone, Debug)]
pub struct Missed {
    /// What was counted.
    pub measured: Measured,
    /// What to know, in a sentence.
    pub says: String,
    /// The line of the source that counted most of it, from 1, with its count.
    pub line: Option<(u32, u64)>,
    /// An access of that line which counted the most.
    pub access: Option<Box<TracedAccess>>,
}
