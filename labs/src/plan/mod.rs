//! An experiment as pure data.
//!
//! Enters: nothing. Leaves: buffers and their contents, the work in its order, the derivation of the observed quantity
//! from times or counters, and the expected results. The same plan runs on a GPU, on the embedded device and under
//! Nsight Compute, so order and ids are deterministic. It must never know on which of these it runs.

mod buffers;
pub mod trace;
mod work;
mod write;

pub use buffers::{Allocation, Buffer, BufferId, Buffers};

pub use device::{Direction, HostMemory, Mistake, Transfer};
pub use trace::{Layout, Matrix, Memory, Panel, Pick, Trace};
pub(crate) use work::loaded;
pub use work::{Arg, Launch, SourceId, Step, Until, Workload, recorded};
pub use write::{Data, Target, Write};

use crate::request::Parameters;
use anyhow::Context as _;
use device::Device;
use record::{Axis, Check};
use std::fmt;
use std::sync::Arc;

/// Outputs are filled with this before each checked run. It is a NaN, which no kernel here computes from finite
/// inputs, so a word that still holds it was not written.
pub const POISON: u32 = 0x7fba_dbad;

/// The work of a lab on a device: sources, memory, and the experiments' launches.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// Kernel sources: those of all launches and symbols, in the order in which they are loaded.
    pub sources: Vec<SourceId>,
    /// Device memory.
    pub buffers: Buffers,
    /// Written once, before the first work.
    pub writes: Vec<Write>,
    /// Experiments, in order.
    pub experiments: Vec<Experiment>,
    /// Ids of experiments that only a GPU can do in good time, with the trials whose check begins with such an id and a
    /// slash: there the embedded device does not count them again, only Nsight Compute's counters are recorded, and a
    /// re-run leaves them out.
    pub uncounted: Vec<&'static str>,
    /// Work that is checked and not timed, after the experiments.
    pub trials: Vec<Trial>,
    /// Calls that a device must refuse, or make, and that no launch makes; after the trials.
    pub attempts: Vec<Attempt>,
    /// Checks over several results, made at the end.
    pub closing: Vec<Closing>,
    /// Figures of single memory instructions ([`trace`]).
    pub traces: Vec<Trace>,
    /// Files beyond record and plots, made at the end.
    pub artifacts: Vec<Artifact>,
    /// Parameters of the record beyond sizes and seed.
    pub parameters: Parameters,
    /// Notes for the reader on this plan, such as a variant left out and why.
    pub notes: Vec<String>,
}

/// One question.
#[derive(Clone, Debug)]
pub struct Experiment {
    /// Id in the record.
    pub id: &'static str,
    /// Title in the record.
    pub title: &'static str,
    /// Axis in the record.
    pub x: Axis,
    /// Axis in the record.
    pub y: Axis,
    /// Series, one for each variant.
    pub series: Vec<Series>,
}

/// One variant.
#[derive(Clone, Debug)]
pub struct Series {
    /// Id in the record.
    pub id: String,
    /// Label in the record.
    pub label: String,
    /// Mark of a line to compare with, as in the record.
    pub reference: bool,
    /// Points by rising `x`.
    pub points: Vec<Point>,
}

impl Series {
    /// A variant that is not just a line to compare with.
    pub fn new(id: &str, label: &str, points: Vec<Point>) -> Self {
        Series { id: id.to_owned(), label: label.to_owned(), reference: false, points }
    }
}

/// One value to be found.
#[derive(Clone, Debug)]
pub struct Point {
    /// Value of x, in the experiment's unit.
    pub x: f64,
    /// Writes made before the work (and after a checked output is filled with [`POISON`]); they stay until something
    /// else is written there.
    pub writes: Vec<Write>,
    /// Quantity that is recorded.
    pub work: Workload,
    /// Derivation of `y`.
    pub quantity: Quantity,
    /// Condition on the result.
    pub check: Option<Expectation>,
    /// Whether Nsight Compute is asked for this point (each launch costs it a good part of a second).
    pub profiled: bool,
}

/// Derivation of the observed quantity from a point's work.
#[derive(Clone, Debug)]
pub enum Quantity {
    /// Bytes moved / time = GB/s (1 byte/ns is 1 GB/s).
    Bandwidth {
        /// Useful bytes.
        bytes: f64,
    },
    /// Units of work / time: units a nanosecond, which are 10⁹ a second.
    Rate {
        /// Number of operations, such as floating-point operations.
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
        /// A smaller amount of the same work.
        shorter: Launch,
        /// Units of work (loads, warp-loads of one multiprocessor) that the longer one does in addition.
        units: f64,
    },
    /// A count of the embedded device: Σ of some counters over Σ of others. No measurement enters.
    Counted {
        /// Counters of the dividend.
        of: &'static [&'static str],
        /// Counters of the divisor; nothing for the sum itself.
        per: &'static [&'static str],
        /// Further divisor of the quotient, such as a number of elements.
        by: f64,
    },
    /// The pitch of a [`Workload::Pitch`], bytes.
    Pitch,
    /// The blocks of a [`Workload::Resident`].
    Resident,
}

/// Work whose result is checked, and nothing else.
#[derive(Clone, Debug)]
pub struct Trial {
    /// Writes made before the work.
    pub writes: Vec<Write>,
    /// The work.
    pub work: Workload,
    /// Condition on the result.
    pub check: Expectation,
}

/// Condition on device memory after some work. A buffer is filled with [`POISON`] before it (before the point's
/// own writes, too); a symbol is not.
#[derive(Clone)]
pub struct Expectation {
    /// Expectations of one id are one check of the record, which holds if all of them do.
    pub id: String,
    /// Comparison that is made, with its tolerance.
    pub what: String,
    /// Memory that is read.
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
    /// Answer that is required.
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

/// Access of an [`Attempt`] to the device, with the plan's modules and buffers on it.
pub struct Probe<'a> {
    /// The device.
    pub device: &'a mut dyn Device,
    pub(crate) modules: &'a [(SourceId, device::Module)],
    pub(crate) buffers: &'a [device::Buffer],
}

impl Probe<'_> {
    /// The module of one of the plan's sources.
    ///
    /// # Errors
    /// A source that the plan does not list.
    pub fn module(&self, source: SourceId) -> anyhow::Result<device::Module> {
        work::loaded(self.modules, source)
    }

    /// One of the plan's buffers.
    ///
    /// # Errors
    /// An id that is not the plan's.
    pub fn buffer(&self, id: BufferId) -> anyhow::Result<device::Buffer> {
        self.buffers.get(id.index()).copied().context("the plan has no such buffer")
    }
}

/// A check over several results, asked for when all are done.
#[derive(Clone)]
pub struct Closing(pub Arc<dyn Fn() -> Check + Send + Sync>);

/// A file that is written with the plots, such as a picture that a kernel made.
#[derive(Clone)]
pub struct Artifact {
    /// Name of the file, such as `image.png`.
    pub file: &'static str,
    /// Bytes of the file, once everything has run; `None` where there is nothing to show.
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

/// Finding of a check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Whether the condition held.
    pub passed: bool,
    /// The finding in words, with numbers.
    pub found: String,
}

impl Finding {
    /// A finding that is as expected.
    pub fn good(found: impl Into<String>) -> Self {
        Finding { passed: true, found: found.into() }
    }

    /// A finding that is not as expected.
    pub fn bad(found: impl Into<String>) -> Self {
        Finding { passed: false, found: found.into() }
    }
}

impl Plan {
    /// Adds a buffer, with its initial contents.
    pub fn buffer(&mut self, name: &'static str, shape: Allocation, data: Option<Data>) -> BufferId {
        let id = self.buffers.add(name, shape);
        if let Some(data) = data {
            self.writes.push(Write { target: Target::Buffer(id), offset: 0, data });
        }
        id
    }

    /// Every measured point, in the order in which it runs.
    pub fn points(&self) -> impl Iterator<Item = &Point> {
        self.placed().map(|(_, point)| point)
    }

    /// All points, each with the id of its experiment.
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
