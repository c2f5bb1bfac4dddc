//! The fields of a record. Every number carries its unit in its name or in its axis.

use crate::launch::{Counters, Launch};
use crate::trace::Trace;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Version of the record's format that this crate writes.
pub const VERSION: u32 = 3;
/// Version of a record that holds the source of an edited kernel ([`Kernel::source`]), which programs before it refuse. All
/// else is as in [`VERSION`]; this crate reads both.
pub const VERSION_WITH_SOURCES: u32 = 4;
/// Most bytes of an edited kernel's source that a record holds.
pub const MOST_SOURCE_BYTES: usize = 1 << 20;

/// One run of one lab on one device.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// Version of the format: [`VERSION`], or [`VERSION_WITH_SOURCES`] if a kernel has its source.
    pub version: u32,
    /// Name of the lab's binary, such as `lab-5-5`.
    pub lab: String,
    /// Program and version that wrote the record, such as `warpbook 0.1.0`.
    pub written_by: String,
    /// Start of the run: RFC 3339, UTC, whole seconds.
    pub when: String,
    /// Device that the kernels ran on.
    pub device: Device,
    /// Sizes, seed and options that the lab was run with: enough to run it again.
    pub parameters: BTreeMap<String, Parameter>,
    /// Kernel sources that were run.
    pub kernels: Vec<Kernel>,
    /// Measurements.
    pub experiments: Vec<Experiment>,
    /// Addresses and costs of single memory instructions, for figures: always as the embedded device executed them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub traces: Vec<Trace>,
    /// Single numbers computed from the experiments, such as a cache's capacity or the slope of a line.
    pub facts: BTreeMap<String, Fact>,
    /// Conditions that have to hold for the numbers to count.
    pub checks: Vec<Check>,
    /// Claims of the sources, with this run's verdicts.
    pub claims: Vec<Claim>,
}

/// The device of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Device {
    /// An NVIDIA GPU; its times are measured.
    Gpu {
        /// Name that the driver reports.
        name: String,
        /// Compute capability, such as `9.0`.
        compute_capability: String,
        /// Driver API version, such as `13.0`.
        driver: String,
        /// Number of streaming multiprocessors.
        multiprocessors: u32,
    },
    /// The embedded SIMT device; its counters are exact, its times modelled.
    Simt {
        /// Name of the chip file, such as `h200`.
        chip: String,
        /// Name of the modelled chip, such as `NVIDIA H200`.
        models: String,
        /// Compute capability of the modelled chip.
        compute_capability: String,
        /// Number of streaming multiprocessors of the modelled chip.
        multiprocessors: u32,
    },
}

/// A parameter's value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Parameter {
    /// A flag.
    Flag(bool),
    /// A count, size or seed.
    Integer(u64),
    /// Any other quantity.
    Number(f64),
    /// A word.
    Text(String),
    /// Several counts, such as the block sizes tried.
    Integers(Vec<u64>),
}

/// A kernel source file with the hashes of its text and its PTX.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Kernel {
    /// Path below `kernels/`, such as `ch5-5/stencil.cu`.
    pub file: String,
    /// SHA-256 of the `.cu`, hexadecimal.
    pub cu_sha256: String,
    /// SHA-256 of the `.ptx` that was loaded, hexadecimal. Of an edited file whose source is here too, it is that of the PTX which
    /// names its source `file`: where the reader's is does not matter.
    pub ptx_sha256: String,
    /// Compiler that made the PTX of an edited file, such as `own 0.1.0`; none where it is the workbook's committed PTX, which
    /// names its compiler itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub compiler: Option<String>,
    /// Options with which an edited file was compiled, in words, such as `--fmad=false`; folders of headers are not among them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<String>,
    /// CUDA C of an edited file that the workbook's own compiler made PTX of, if it includes no other file of the reader's and has
    /// [`MOST_SOURCE_BYTES`] at most.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
}

/// One question put to the device: a quantity `y` against `x`, for several variants.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Experiment {
    /// Identifier, such as `stencil`; unique in the record.
    pub id: String,
    /// Title, such as `Bandwidth by variant and block size`.
    pub title: String,
    /// Quantity that is varied.
    pub x: Axis,
    /// Quantity that is observed.
    pub y: Axis,
    /// Origin of `y`.
    #[serde(default, skip_serializing_if = "Origin::is_time")]
    pub y_is: Origin,
    /// Series, one for each variant.
    pub series: Vec<Series>,
}

/// Origin of an observed quantity.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Origin {
    /// Times, measured or modelled.
    #[default]
    Time,
    /// Counts of the embedded device; no time enters.
    Count,
    /// An answer of the device, such as an allocation's pitch; no time enters.
    Answer,
}

impl Origin {
    /// Whether the quantity comes from times.
    pub fn is_time(&self) -> bool {
        *self == Origin::Time
    }
}

/// Quantity, unit and scale of an axis.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Axis {
    /// Name of the quantity, such as `block size`.
    pub label: String,
    /// Unit, such as `threads`, `GB/s`, `ns`, `B`; empty for a plain count.
    pub unit: String,
    /// Scale on which the axis is drawn.
    pub scale: Scale,
}

impl Axis {
    /// An axis with this label, unit and scale.
    pub fn new(label: &str, unit: &str, scale: Scale) -> Self {
        Axis { label: label.to_owned(), unit: unit.to_owned(), scale }
    }
}

/// Scale of an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scale {
    /// Even steps.
    Linear,
    /// Powers of two.
    Log2,
    /// Powers of ten.
    Log10,
}

/// One variant's points, in rising `x`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Series {
    /// Identifier, such as `constant`; unique in the experiment.
    pub id: String,
    /// Label, such as `constant memory`.
    pub label: String,
    /// Whether this is a line to compare with, such as a plain copy, drawn thinner.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub reference: bool,
    /// Points by rising `x`, at least one.
    pub points: Vec<Point>,
}

/// One value, the work that it was observed of, and the counts of that work.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Point {
    /// Value of the experiment's `x`, in its unit.
    pub x: f64,
    /// Value of the experiment's `y`, in its unit; from the median time.
    pub y: f64,
    /// Lowest `y` among the timed calls.
    pub y_min: f64,
    /// Highest `y` among the timed calls.
    pub y_max: f64,
    /// The launch, or the first one of several; none where no kernel ran.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub launch: Option<Launch>,
    /// Host operation with or instead of a launch, such as `copy to the device, pinned`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub operation: Option<String>,
    /// Time of the whole work; none where it was not timed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<Timing>,
    /// Counts of the embedded device, summed over the launches of the work.
    pub counters: Counters,
    /// Counts of Nsight Compute on the GPU, summed over the launches of the work; empty where it was not run.
    #[serde(default, skip_serializing_if = "Counters::is_empty")]
    pub hardware: Counters,
}

/// Origin of a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TimeSource {
    /// Events of the GPU.
    Measured,
    /// The model, from counters and a chip file.
    Modelled,
}

/// Times of the counted calls (warm-up calls are not among them), nanoseconds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Timing {
    /// Origin of the times.
    pub is: TimeSource,
    /// Number of counted calls.
    pub calls: u32,
    /// Median.
    pub median_ns: f64,
    /// Arithmetic mean.
    pub mean_ns: f64,
    /// Minimum.
    pub min_ns: f64,
    /// Maximum.
    pub max_ns: f64,
    /// Interquartile range.
    pub iqr_ns: f64,
}

/// A number computed from the experiments.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fact {
    /// Value, in `unit`.
    pub value: f64,
    /// Unit, such as `B`, `ns`, `GB/s`; empty for a plain number.
    pub unit: String,
    /// Definition of the number and how it was computed, in one sentence.
    pub what: String,
}

/// A condition that has to hold for the numbers to count.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Check {
    /// Identifier, such as `stencil/constant/256`; unique in the record.
    pub id: String,
    /// Comparison that was made, with its tolerance.
    pub what: String,
    /// Whether the condition held.
    pub passed: bool,
    /// Finding, such as `largest relative error 1.2e-7`.
    pub found: String,
    /// Hashes of the outputs compared, in the order of the runs: XXH3 (64 bits, 16 hexadecimal digits) of each one's
    /// bytes. A hash distinguishes outputs and is not secret: it follows from the output. Empty where no output was
    /// read.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub outputs: Vec<String>,
}

/// A claim of one of the sources, with the run's verdict.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Claim {
    /// Identifier, such as `constant-cache-64-kb`; unique in the record.
    pub id: String,
    /// The claim, in our words.
    pub claim: String,
    /// Source of the claim.
    pub source: String,
    /// Verdict that the numbers give.
    pub verdict: Verdict,
    /// Reason for the verdict, in one line with the numbers.
    pub why: String,
}

/// Verdict of a run on a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// True as stated.
    Holds,
    /// True within a limit that the reason names.
    HoldsInPart,
    /// Contradicted by the numbers.
    DoesNotHold,
    /// Not decided by this run, for the reason given.
    NotShown,
}
