//! A job that was read and checked: what it allocates, the steps it runs, and what it compares.

use crate::compare::Tolerance;
use crate::init::Init;
use crate::texture::Objects;
use crate::types::Type;
use device::{Arg, Launch};
use kernels::Flags;
use std::collections::BTreeSet;
use std::path::PathBuf;

/// A job that can run.
#[derive(Clone, Debug, PartialEq)]
pub struct Job {
    /// The job file, as it was given.
    pub path: PathBuf,
    /// The module's path.
    pub module: PathBuf,
    /// Options for its compiler, if it is a `.cu`.
    pub flags: Flags,
    pub(crate) buffers: Vec<Buffer>,
    pub(crate) symbols: Vec<Symbol>,
    pub(crate) objects: Objects,
    pub(crate) steps: Vec<JobStep>,
    pub(crate) outputs: Vec<Output>,
    /// The files that the job reads, itself among them.
    pub(crate) inputs: BTreeSet<PathBuf>,
}

impl Job {
    /// The launches of the file, each once, in their order.
    pub(crate) fn entries(&self) -> Vec<&LaunchEntry> {
        fn launch(step: &JobStep) -> Option<&LaunchEntry> {
            match step {
                JobStep::Launch(entry) => Some(entry),
                JobStep::Fill(_) | JobStep::Copy(_) | JobStep::Repeat { .. } => None,
            }
        }
        self.leaves().into_iter().filter_map(launch).collect()
    }

    /// The steps of the file but repetitions, each once, in their order.
    pub(crate) fn leaves(&self) -> Vec<&JobStep> {
        fn of<'s>(steps: &'s [JobStep], into: &mut Vec<&'s JobStep>) {
            for step in steps {
                match step {
                    JobStep::Repeat { steps, .. } => of(steps, into),
                    JobStep::Launch(_) | JobStep::Fill(_) | JobStep::Copy(_) => into.push(step),
                }
            }
        }
        let mut leaves = vec![];
        of(&self.steps, &mut leaves);
        leaves
    }
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Buffer {
    pub(crate) line: usize,
    pub(crate) name: String,
    pub(crate) ty: Type,
    /// Elements.
    pub(crate) len: u64,
    pub(crate) bytes: u64,
    pub(crate) init: Option<Init>,
    /// Instead of `init`: members of a struct, addresses of buffers among them.
    pub(crate) members: Option<Arg<BufferId>>,
    /// Whether the launches must read all of its elements.
    pub(crate) read: bool,
}

impl Buffer {
    /// Whether the job says what it begins with.
    pub(crate) fn is_input(&self) -> bool {
        self.init.is_some() || self.members.is_some()
    }
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Symbol {
    pub(crate) line: usize,
    pub(crate) name: String,
    pub(crate) ty: Option<Type>,
    pub(crate) bytes: Vec<u8>,
}

/// A buffer of the job, by its place in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BufferId(pub(crate) usize);

impl BufferId {
    /// Its index among the job's buffers.
    pub(crate) fn index(self) -> usize {
        self.0
    }
}

/// Memory of the device that a job names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Memory {
    Buffer(BufferId),
    /// A variable, by its name in the job file.
    Symbol(String),
    /// An array, by its place in the file; only outputs are of one.
    Array(usize),
}

/// A piece of memory, from `offset` bytes on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Span {
    pub(crate) memory: Memory,
    pub(crate) offset: u64,
}

/// What a job does, in order.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum JobStep {
    Launch(Box<LaunchEntry>),
    Fill(Fill),
    Copy(Copy),
    Repeat { times: u64, steps: Vec<JobStep> },
}

/// A launch of the file.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct LaunchEntry {
    pub(crate) line: usize,
    /// Its place among the launches of the file, from 0.
    pub(crate) number: usize,
    /// How often it runs, one after the other.
    pub(crate) times: u64,
    /// A job has one module.
    pub(crate) launch: Launch<(), BufferId>,
}

/// One element, again and again.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Fill {
    pub(crate) line: usize,
    pub(crate) to: Span,
    /// Bytes that are filled: whole elements; `None` up to the end of a variable.
    pub(crate) bytes: Option<u64>,
    pub(crate) ty: Type,
    pub(crate) element: Vec<u8>,
}

/// A copy on the device.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Copy {
    pub(crate) line: usize,
    pub(crate) from: Span,
    pub(crate) to: Span,
    /// `None`: up to the end of the variable that is copied from.
    pub(crate) bytes: Option<u64>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Output {
    pub(crate) line: usize,
    /// Its name in reports.
    pub(crate) name: String,
    pub(crate) from: Span,
    /// Bytes of it; `None`: up to the end of a variable.
    pub(crate) bytes: Option<u64>,
    /// The type its bytes are read as.
    pub(crate) ty: Type,
    pub(crate) tolerance: Tolerance,
    /// File that the output is compared with, if any.
    pub(crate) expected: Option<Expectation>,
    /// What it is compared with instead of a file.
    pub(crate) equal_to: Option<EqualTo>,
    /// Whether threads must have written all of its elements.
    pub(crate) written: bool,
    /// Whether none of its numbers may be a NaN or an infinity.
    pub(crate) finite: bool,
}

/// What an output must be equal to, where that is in no file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum EqualTo {
    /// These bytes.
    Values(Vec<u8>),
    /// A buffer from its first byte on, with its name.
    Buffer(BufferId, String),
}

/// A file that an output is compared with, or that is recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Expectation {
    /// As the job names it.
    pub(crate) name: PathBuf,
    /// From the working directory.
    pub(crate) path: PathBuf,
    /// Bytes before the data.
    pub(crate) offset: u64,
}

/// An output's name as that of a file: `ns::coef` is `ns__coef`.
pub(crate) fn stem(name: &str) -> String {
    let kept = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '$' | '%');
    name.chars().map(|c| if kept(c) { c } else { '_' }).collect()
}
