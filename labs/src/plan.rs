//! An experiment as pure data.
//!
//! Enters: nothing. Leaves: which buffers there are, what is written into them, which work is done in which order, how
//! the observed quantity comes from its time or its counters, and what must be true of its results. The same plan runs on
//! a GPU, on the embedded device and under Nsight Compute, so order and ids are deterministic. It must never know which.

pub mod trace;
mod work;

pub use device::{Direction, HostMemory, Mistake, Transfer};
pub use trace::{Layout, Matrix, Memory, Panel, Pick, Trace};
pub use work::{Arg, Launch, Step, Work};

use crate::request::Parameters;
use device::Device;
use record::{Axis, Check};
use std::fmt;
use std::sync::Arc;

/// Outputs are filled with this before each checked run. It is a NaN, which no kernel here computes from finite
/// inputs, so a word that still holds it was not written.
pub const POISON: u32 = 0x7fba_dbad;

/// Everything that a lab asks of a device.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// Kernel sources; launches refer to them by position.
    pub sources: Vec<&'static kernels::Source>,
    /// Device memory; arguments refer to it by position.
    pub buffers: Vec<Buffer>,
    /// Written once, before the first work.
    pub writes: Vec<Write>,
    /// What is measured, in order.
    pub experiments: Vec<Experiment>,
    /// Ids of experiments that only a GPU can do in good time, with the trials whose check begins with such an id and a
    /// slash: there the embedded device does not count them again, only Nsight Compute's counters are recorded, and a
    /// re-run leaves them out.
    pub uncounted: Vec<&'static str>,
    /// Work that is checked and not timed, after the experiments.
    pub trials: Vec<Trial>,
    /// What a device must refuse, or do, in calls that no launch makes; after the trials.
    pub attempts: Vec<Attempt>,
    /// Checks over several results, made at the end.
    pub closing: Vec<Closing>,
    /// Figures of single memory instructions ([`trace`]).
    pub traces: Vec<Trace>,
    /// Files beyond record and plots, made at the end.
    pub artifacts: Vec<Artifact>,
    /// What the record holds beyond sizes and seed.
    pub parameters: Parameters,
    /// What the reader should know about this plan, such as a variant left out and why.
    pub notes: Vec<String>,
}

/// One allocation.
#[derive(Clone, Debug)]
pub struct Buffer {
    /// For error messages.
    pub name: &'static str,
    /// How it lies in memory.
    pub shape: Shape,
}

/// How an allocation lies in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Byte after byte.
    Linear {
        /// Its size.
        bytes: u64,
    },
    /// Rows that each begin at a multiple of the pitch, which the device chooses. Data are written to it and read from it
    /// packed, by 2D and 3D copies; a checked run that writes between the rows fails.
    Pitched {
        /// Bytes of a row.
        width: u64,
        /// Rows of a slice.
        height: u64,
        /// Slices.
        depth: u64,
        /// Bytes of the largest word that a kernel reads or writes: 4, 8 or 16.
        element: u32,
    },
}

impl Shape {
    /// Bytes of its data, padding left out; the most there can be if there are more.
    pub fn packed(self) -> u64 {
        match self {
            Shape::Linear { bytes } => bytes,
            Shape::Pitched { width, height, depth, .. } => width.saturating_mul(height).saturating_mul(depth),
        }
    }
}

/// Values for device memory, shared between the points that use them.
#[derive(Clone, Debug)]
pub enum Data {
    /// `float`.
    F32(Arc<[f32]>),
    /// `unsigned`.
    U32(Arc<[u32]>),
    /// As they lie in memory.
    Bytes(Arc<[u8]>),
    /// A device address, for a variable that is a pointer.
    Pointer {
        /// Position in [`Plan::buffers`].
        buffer: usize,
        /// Bytes past its start.
        offset: u64,
    },
}

/// Data put in its place before a run.
#[derive(Clone, Debug)]
pub struct Write {
    /// Where.
    pub target: Target,
    /// Bytes past the target's start; of a pitched buffer always 0.
    pub offset: u64,
    /// What.
    pub data: Data,
}

/// Device memory by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// A buffer, by its position in [`Plan::buffers`].
    Buffer(usize),
    /// A `__constant__` or `__device__` variable.
    Symbol {
        /// Position in [`Plan::sources`].
        source: usize,
        /// Its name.
        name: &'static str,
    },
}

/// One question.
#[derive(Clone, Debug)]
pub struct Experiment {
    /// As in the record.
    pub id: &'static str,
    /// As in the record.
    pub title: &'static str,
    /// As in the record.
    pub x: Axis,
    /// As in the record.
    pub y: Axis,
    /// One a variant.
    pub series: Vec<Series>,
}

/// One variant.
#[derive(Clone, Debug)]
pub struct Series {
    /// As in the record.
    pub id: String,
    /// As in the record.
    pub label: String,
    /// As in the record.
    pub reference: bool,
    /// In rising `x`.
    pub points: Vec<Point>,
}

impl Series {
    /// A variant that is not just there to compare with.
    pub fn new(id: &str, label: &str, points: Vec<Point>) -> Self {
        Series { id: id.to_owned(), label: label.to_owned(), reference: false, points }
    }
}

/// One value to be found.
#[derive(Clone, Debug)]
pub struct Point {
    /// In the experiment's unit.
    pub x: f64,
    /// Made before the work (and after a checked output is filled with [`POISON`]); they stay until something else is
    /// written there.
    pub writes: Vec<Write>,
    /// What is recorded.
    pub work: Work,
    /// How `y` comes from it.
    pub quantity: Quantity,
    /// What must be true of its result.
    pub check: Option<Expectation>,
    /// Whether Nsight Compute is asked for this point (each launch costs it a good part of a second).
    pub profiled: bool,
}

/// How the observed quantity comes from a point's work.
#[derive(Clone, Debug)]
pub enum Quantity {
    /// Bytes moved / time = GB/s (1 byte/ns is 1 GB/s).
    Bandwidth {
        /// Useful bytes.
        bytes: f64,
    },
    /// Units of work / time: units a nanosecond, which are 10⁹ a second.
    Rate {
        /// Such as floating-point operations.
        units: f64,
    },
    /// Time / units of work, ns.
    Time {
        /// 1 for the time of the whole.
        per: f64,
    },
    /// (time − time of a shorter launch) / units of work between them: what both have in common (the launch itself,
    /// the first loads, the last store) cancels.
    Difference {
        /// The same work, less of it.
        shorter: Launch,
        /// Units of work (loads, warp-loads of one multiprocessor) that the longer one does in addition.
        units: f64,
    },
    /// What the embedded device counted: Σ of some counters over Σ of others. No measurement enters.
    Counted {
        /// What is divided.
        of: &'static [&'static str],
        /// What it is divided by; nothing for the sum itself.
        per: &'static [&'static str],
        /// What the quotient is divided by in addition, such as a number of elements.
        by: f64,
    },
    /// The pitch of a [`Work::Pitch`], bytes.
    Pitch,
}

/// Work whose result is checked, and nothing else.
#[derive(Clone, Debug)]
pub struct Trial {
    /// Made before the work.
    pub writes: Vec<Write>,
    /// The work.
    pub work: Work,
    /// What must be true of its result.
    pub check: Expectation,
}

/// What must be true of device memory after some work. A buffer is filled with [`POISON`] before it (before the point's
/// own writes, too); a symbol is not.
#[derive(Clone)]
pub struct Expectation {
    /// Expectations of one id are one check of the record, which holds if all of them do.
    pub id: String,
    /// What is compared with what, with the tolerance.
    pub what: String,
    /// What is read.
    pub of: Target,
    /// From the words (those of a pitched buffer without its padding) to the finding.
    pub judge: Judge,
}

/// From the words of an output to what was found in them.
pub type Judge = Arc<dyn Fn(&[u32]) -> Finding + Send + Sync>;

/// Calls that a device must answer in a certain way, such as a copy past the end of a variable.
#[derive(Clone)]
pub struct Attempt {
    /// The check's id.
    pub id: String,
    /// What must happen.
    pub what: String,
    /// Makes the calls.
    pub make: Arc<dyn Fn(&mut Probe<'_>) -> Finding + Send + Sync>,
}

impl Attempt {
    /// An attempt whose own errors, such as too little memory for it, are its finding.
    pub fn new(
        id: &str,
        what: &str,
        make: impl Fn(&mut Probe<'_>) -> anyhow::Result<Finding> + Send + Sync + 'static,
    ) -> Self {
        Attempt {
            id: id.to_owned(),
            what: what.to_owned(),
            make: Arc::new(move |probe| {
                make(probe).unwrap_or_else(|error| Finding::bad(format!("{error:#}")))
            }),
        }
    }
}

/// What an [`Attempt`] may use: the device with the plan's modules and buffers on it.
pub struct Probe<'a> {
    /// The device.
    pub device: &'a mut dyn Device,
    /// By position in [`Plan::sources`].
    pub modules: &'a [device::Module],
    /// By position in [`Plan::buffers`].
    pub buffers: &'a [device::Buffer],
}

/// A check over several results, asked for when all are done.
#[derive(Clone)]
pub struct Closing(pub Arc<dyn Fn() -> Check + Send + Sync>);

/// A file that is written beside the plots, such as a picture that a kernel made.
#[derive(Clone)]
pub struct Artifact {
    /// Such as `image.png`.
    pub file: &'static str,
    /// Its bytes, once everything has run; `None` where there is nothing to show.
    pub bytes: Arc<dyn Fn() -> Option<Vec<u8>> + Send + Sync>,
}

impl fmt::Debug for Closing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Closing")
    }
}

impl fmt::Debug for Artifact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Artifact").field("file", &self.file).finish_non_exhaustive()
    }
}

impl fmt::Debug for Attempt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Attempt").field("id", &self.id).field("what", &self.what).finish_non_exhaustive()
    }
}

impl fmt::Debug for Expectation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Expectation").field("id", &self.id).field("what", &self.what).finish_non_exhaustive()
    }
}

/// What a check found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Whether all was as expected.
    pub passed: bool,
    /// What was found, with numbers.
    pub found: String,
}

impl Finding {
    /// As expected.
    pub fn good(found: impl Into<String>) -> Self {
        Finding { passed: true, found: found.into() }
    }

    /// Not as expected.
    pub fn bad(found: impl Into<String>) -> Self {
        Finding { passed: false, found: found.into() }
    }
}

impl Plan {
    /// Adds a buffer, with what is in it from the start, and returns its position.
    pub fn buffer(&mut self, name: &'static str, shape: Shape, data: Option<Data>) -> usize {
        let at = self.buffers.len();
        self.buffers.push(Buffer { name, shape });
        if let Some(data) = data {
            self.writes.push(Write { target: Target::Buffer(at), offset: 0, data });
        }
        at
    }

    /// Every measured point, in the order in which it runs.
    pub fn points(&self) -> impl Iterator<Item = &Point> {
        self.placed().map(|(_, point)| point)
    }

    /// The same, each with the id of its experiment.
    pub fn placed(&self) -> impl Iterator<Item = (&'static str, &Point)> {
        self.experiments
            .iter()
            .flat_map(|e| e.series.iter().flat_map(|s| &s.points).map(move |point| (e.id, point)))
    }

    /// Every launch of the plan, warm-ups and repetitions not counted.
    pub fn launches(&self) -> impl Iterator<Item = &Launch> {
        let shorter = self.points().filter_map(|p| match &p.quantity {
            Quantity::Difference { shorter, .. } => Some(shorter),
            _ => None,
        });
        let of_points = self.points().flat_map(|p| p.work.launches());
        of_points.chain(shorter).chain(self.trials.iter().flat_map(|t| t.work.launches()))
    }
}
