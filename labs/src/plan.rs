//! An experiment as pure data.
//!
//! Enters: nothing. Leaves: which buffers there are, what is written into them, which launches are made in which order,
//! how the observed quantity comes from their times, and what must be true of their results. The same plan runs on a
//! GPU, on the embedded device and under Nsight Compute, so order and ids are deterministic. It must never know which.

use record::{Axis, Check};
use std::fmt;
use std::sync::Arc;

/// Outputs are filled with this before each checked launch. It is a NaN, which no kernel here computes from finite
/// inputs, so a word that still holds it was not written.
pub const POISON: u32 = 0x7fba_dbad;

/// Everything that a lab asks of a device.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// Kernel sources; launches refer to them by position.
    pub sources: Vec<&'static kernels::Source>,
    /// Device memory; arguments refer to it by position.
    pub buffers: Vec<Buffer>,
    /// Written once, before the first launch.
    pub writes: Vec<Write>,
    /// What is measured, in order.
    pub experiments: Vec<Experiment>,
    /// Launches that are checked and not timed, after the experiments.
    pub trials: Vec<Trial>,
    /// Checks over several launches, made at the end.
    pub closing: Vec<Closing>,
    /// What the reader should know about this plan, such as a variant left out and why.
    pub notes: Vec<String>,
}

/// One allocation.
#[derive(Clone, Debug)]
pub struct Buffer {
    /// For error messages.
    pub name: &'static str,
    /// Size, bytes.
    pub bytes: u64,
}

/// Values for device memory, shared between the points that use them.
#[derive(Clone, Debug)]
pub enum Data {
    /// `float`.
    F32(Arc<[f32]>),
    /// `unsigned`.
    U32(Arc<[u32]>),
}

impl Data {
    /// As they lie in memory.
    pub fn bytes(&self) -> &[u8] {
        match self {
            Data::F32(values) => bytemuck::cast_slice(values),
            Data::U32(values) => bytemuck::cast_slice(values),
        }
    }
}

/// Data put in its place before a launch.
#[derive(Clone, Debug)]
pub struct Write {
    /// Where.
    pub target: Target,
    /// What, from the target's start.
    pub data: Data,
}

/// Where a [`Write`] goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// A buffer.
    Buffer(usize),
    /// A `__constant__` or `__device__` variable.
    Symbol {
        /// Position in [`Plan::sources`].
        source: usize,
        /// Its name.
        name: &'static str,
    },
}

/// A one-dimensional launch.
#[derive(Clone, Debug, PartialEq)]
pub struct Launch {
    /// Position in [`Plan::sources`].
    pub source: usize,
    /// The kernel's name.
    pub kernel: &'static str,
    /// Blocks.
    pub grid: u32,
    /// Threads a block.
    pub block: u32,
    /// Dynamic shared memory a block, bytes.
    pub shared_bytes: u32,
    /// Arguments.
    pub args: Vec<Arg>,
}

/// A kernel argument.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Arg {
    /// A pointer `offset` bytes into a buffer.
    Buffer {
        /// Position in [`Plan::buffers`].
        buffer: usize,
        /// Bytes past its start.
        offset: u64,
    },
    /// `int`.
    I32(i32),
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

/// One value to be found.
#[derive(Clone, Debug)]
pub struct Point {
    /// In the experiment's unit.
    pub x: f64,
    /// Made before the launch; they stay until something else is written there.
    pub writes: Vec<Write>,
    /// The launch that is recorded.
    pub launch: Launch,
    /// How `y` comes from the launch's time.
    pub quantity: Quantity,
    /// What must be true of its result.
    pub check: Option<Expectation>,
    /// Whether Nsight Compute is asked for this point (each costs it a good part of a second).
    pub profiled: bool,
}

/// How the observed quantity comes from times.
#[derive(Clone, Debug)]
pub enum Quantity {
    /// Bytes moved / time = GB/s (1 byte/ns is 1 GB/s).
    Bandwidth {
        /// Useful bytes.
        bytes: f64,
    },
    /// (time − time of a shorter launch) / units of work between them: what both have in common (the launch itself,
    /// the first loads, the last store) cancels.
    Difference {
        /// The same work, less of it.
        shorter: Launch,
        /// Units of work (loads, warp-loads of one multiprocessor) that the longer one does in addition.
        units: f64,
    },
}

/// A launch whose result is checked, and nothing else.
#[derive(Clone, Debug)]
pub struct Trial {
    /// Made before the launch.
    pub writes: Vec<Write>,
    /// The launch.
    pub launch: Launch,
    /// What must be true of its result.
    pub check: Expectation,
}

/// What must be true of a buffer after a launch. Before it, the buffer is filled with [`POISON`].
#[derive(Clone)]
pub struct Expectation {
    /// Expectations of one id are one check of the record, which holds if all of them do.
    pub id: String,
    /// What is compared with what, with the tolerance.
    pub what: String,
    /// Position in [`Plan::buffers`].
    pub buffer: usize,
    /// From the buffer's words to the finding.
    pub judge: Judge,
}

/// From the words of an output to what was found in them.
pub type Judge = Arc<dyn Fn(&[u32]) -> Finding + Send + Sync>;

/// A check over several launches, asked for when all are done.
#[derive(Clone)]
pub struct Closing(pub Arc<dyn Fn() -> Check + Send + Sync>);

impl fmt::Debug for Closing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Closing")
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
    /// Every measured point, in the order in which it runs.
    pub fn points(&self) -> impl Iterator<Item = &Point> {
        self.experiments.iter().flat_map(|e| &e.series).flat_map(|s| &s.points)
    }

    /// Every launch of the plan, warm-ups and repetitions not counted.
    pub fn launches(&self) -> impl Iterator<Item = &Launch> {
        let shorter = self.points().filter_map(|p| match &p.quantity {
            Quantity::Difference { shorter, .. } => Some(shorter),
            Quantity::Bandwidth { .. } => None,
        });
        self.points().map(|p| &p.launch).chain(shorter).chain(self.trials.iter().map(|t| &t.launch))
    }
}

impl From<&Launch> for record::Launch {
    fn from(launch: &Launch) -> Self {
        record::Launch {
            kernel: launch.kernel.to_owned(),
            grid: [launch.grid, 1, 1],
            block: [launch.block, 1, 1],
            shared_bytes: launch.shared_bytes,
        }
    }
}
