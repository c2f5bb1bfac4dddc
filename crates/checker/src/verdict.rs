//! Verdicts: what was found in a student's source, as data that a terminal, a page or a grader shows.
//!
//! Enters: nothing. Leaves: the types. This module must never know how anything is found or shown.

use cuda::diagnostic::Diagnostic;
use cuda::source::{Origins, Sources};
use device::{Place, TracedAccess};
use exercise::manifest::CAUSE;
use faults::{Memory, Stopped};
use scalar::Number;

/// Result of the check of a source.
#[derive(Clone, Debug, Default)]
pub struct Verdict {
    /// Finding; none where the exercise is passed.
    pub finding: Option<Finding>,
    /// The case in which it was found, in words, such as `n = 100`; of a passed exercise, the last.
    pub case: String,
    /// Name of the GPU on which it was found; none for the embedded device.
    pub gpu: Option<String>,
    /// Cases that held before.
    pub held: usize,
    /// Cases in all.
    pub cases: usize,
    /// Each condition's count, with what was allowed, in the case.
    pub measured: Vec<Measured>,
    /// Output that the kernels, or the program, printed in the case, on the embedded device.
    pub printed: String,
    /// The compiler's warnings.
    pub warnings: Vec<Diagnostic>,
    /// Files that their places are in.
    pub sources: Sources,
    /// Places in the source that the lines of its PTX were made from.
    pub origins: Origins,
}

impl Verdict {
    /// Whether all cases held.
    pub fn passed(&self) -> bool {
        self.finding.is_none()
    }

    /// Name of what was found.
    pub fn found(&self) -> Option<&str> {
        self.finding.as_ref().map(Finding::name)
    }

    /// The same with what is known more closely, by which hints are chosen: such as `fault/shared-race`.
    pub fn found_closely(&self) -> Option<String> {
        let finding = self.finding.as_ref()?;
        let kind = match finding {
            Finding::Fault(stopped) => stopped.fault.kind.name(),
            Finding::Race(_) => "global-race",
            Finding::Driver(_) => "driver",
            Finding::Wrong(wrong) if wrong.race.is_some() => {
                return Some(format!("{}/{}/global-race", finding.name(), wrong.kind()));
            }
            Finding::Wrong(wrong) => wrong.kind(),
            // What is to be read first decides first.
            Finding::Mistakes(mistakes) => {
                let codes = mistakes.iter().rev().map(|one| one.code);
                return Some(codes.fold(finding.name().to_owned(), |all, code| format!("{all}/{code}")));
            }
            Finding::Compile(_)
            | Finding::Launch { .. }
            | Finding::Refused { .. }
            | Finding::Missed(_)
            | Finding::Cause(_)
            | Finding::Exit { .. }
            | Finding::Output(_) => return Some(finding.name().to_owned()),
        };
        Some(format!("{}/{kind}", finding.name()))
    }
}

/// Defect of a source.
#[derive(Clone, Debug)]
pub enum Finding {
    /// It does not compile.
    Compile(Box<cuda::Failure>),
    /// A GPU's driver reports a fault, of a kernel that has none on the embedded device.
    Driver(String),
    /// It compiles, but is not what the exercise launches: a kernel is missing, or its parameters are others.
    Launch {
        /// What is wrong.
        why: String,
        /// Whether it is in a kernel's declaration; what is missing has no place in the source.
        of_kernel: bool,
    },
    /// It compiles to PTX that the embedded device does not take, such as an unknown instruction of an `asm`.
    Refused {
        /// Why.
        why: String,
        /// The instruction.
        place: Box<Place>,
    },
    /// A thread did what it must not.
    Fault(Box<Stopped>),
    /// The results are right, and which of two threads comes first is chance.
    Race(Box<Race>),
    /// An output differs from what is expected.
    Wrong(Box<Wrong>),
    /// A program did what it must not, in the order in which it is to be read.
    Mistakes(Vec<Diagnostic>),
    /// A program ended with another exit code than it must.
    Exit {
        /// Its exit code.
        found: u8,
        /// That of the solution.
        expected: u8,
    },
    /// A program printed something else than it must.
    Output(Box<Differing>),
    /// The results are right, and conditions are missed.
    Missed(Vec<Missed>),
    /// The line that is the cause is not marked, where the exercise asks for that.
    Cause(Cause),
}

impl Finding {
    /// Its name: that of the first condition that is missed.
    pub fn name(&self) -> &str {
        match self {
            Finding::Compile(_) | Finding::Refused { .. } => "compile",
            Finding::Launch { .. } => "launch",
            Finding::Fault(_) | Finding::Race(_) | Finding::Driver(_) => "fault",
            Finding::Wrong(_) => "wrong",
            Finding::Mistakes(_) => "mistake",
            Finding::Exit { .. } => "exit",
            Finding::Output(_) => "output",
            Finding::Cause(_) => CAUSE,
            Finding::Missed(missed) => missed.first().map_or("", |one| &one.measured.name),
        }
    }
}

/// What is wrong with the mark of a cause; lines count from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// No line is marked, and all else is right.
    Unmarked,
    /// Several lines are marked, of which these are the first.
    Several([u32; 2]),
    /// A line is marked that is not the cause.
    Elsewhere(u32),
    /// A line is marked that the skeleton does not have, and that is not where the cause was.
    New(u32),
}

/// The first line of a program's standard output that differs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Differing {
    /// Its number, from 1.
    pub line: usize,
    /// The line; none where the output ended before it.
    pub found: Option<String>,
    /// The line that the solution prints; none where its output ended before it.
    pub expected: Option<String>,
}

/// An output that differs.
#[derive(Clone, Debug)]
pub struct Wrong {
    /// The buffer.
    pub buffer: Memory,
    /// The first elements that differ.
    pub first: Vec<Differs>,
    /// Index of the last that differs.
    pub last: usize,
    /// How many differ.
    pub count: usize,
    /// How many there are.
    pub of: usize,
    /// Last writer of the first of them, if there was one.
    pub writer: Option<Touch>,
    /// Threads that wrote an element, or read and wrote it, in an order that nothing decides.
    pub race: Option<Race>,
}

impl Wrong {
    /// Kind of defect of the first element, in the words of [`exercise::manifest::WRONG`].
    fn kind(&self) -> &'static str {
        match self.first.first() {
            Some(Differs { found: None, .. }) => "unwritten",
            Some(Differs { found: Some(found), expected, .. })
                if !found.as_f64().is_finite() && expected.as_f64().is_finite() =>
            {
                "not-a-number"
            }
            Some(Differs { before: Some(before), expected, .. }) if before.is_equal(*expected) => {
                "overwritten"
            }
            Some(_) | None => "value",
        }
    }
}

/// An element that differs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Differs {
    /// Its index.
    pub index: usize,
    /// Value found; none where no thread stored to it.
    pub found: Option<Number>,
    /// Value expected.
    pub expected: Number,
    /// Initial value, where it had one.
    pub before: Option<Number>,
}

/// An access of a thread.
#[derive(Clone, Debug, PartialEq)]
pub struct Touch {
    /// The block's index in its grid.
    pub block: [u32; 3],
    /// The thread's index in its block.
    pub thread: [u32; 3],
    /// Position in the source.
    pub place: Place,
    /// Whether it writes.
    pub writes: bool,
}

/// Two accesses of one element by different threads of a launch, at least one of them a plain store, which nothing orders.
#[derive(Clone, Debug, PartialEq)]
pub struct Race {
    /// The element, as messages write it, such as `count[3]`.
    pub element: String,
    /// The accesses, as they came in this run.
    pub touches: [Touch; 2],
}

/// A condition with what was counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Measured {
    /// The condition's name.
    pub name: String,
    /// The counter.
    pub count: String,
    /// Value of the count.
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
    /// Value of the count.
    pub measured: Measured,
    /// Explanation, in a sentence.
    pub says: String,
    /// The code that counted most of it: the places of its instructions, and their count.
    pub place: Option<(Place, u64)>,
    /// Code that counted more than any other but that, the most first.
    pub others: Vec<(Place, u64)>,
    /// An access of that code which counted the most.
    pub access: Option<Box<TracedAccess>>,
}
