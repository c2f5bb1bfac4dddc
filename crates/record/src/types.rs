//! The fields of a record. Every number carries its unit in its name or in the axis beside it.

use crate::launch::{Counters, Launch};
use crate::trace::Trace;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The version of the record's format that this crate writes and the only one it reads.
pub const VERSION: u32 = 3;

/// One run of one lab on one device.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// Always [`VERSION`].
    pub version: u32,
    /// The lab's binary, such as `lab-5-5`.
    pub lab: String,
    /// Program and version that wrote this, such as `warpbook 0.1.0`.
    pub written_by: String,
    /// When the run began: RFC 3339, UTC, whole seconds.
    pub when: String,
    /// What the kernels ran on.
    pub device: Device,
    /// What the lab was asked to do: sizes, seed, tolerance. Enough to run it again.
    pub parameters: BTreeMap<String, Parameter>,
    /// The kernel sources that were run.
    pub kernels: Vec<Kernel>,
    /// What was measured.
    pub experiments: Vec<Experiment>,
    /// What single memory instructions asked for and cost, for figures: always as the embedded device executed them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub traces: Vec<Trace>,
    /// Single numbers computed from the experiments, such as a cache's capacity or the slope of a line.
    pub facts: BTreeMap<String, Fact>,
    /// What had to be right for the numbers to count.
    pub checks: Vec<Check>,
    /// What the sources say, and what this run says to it.
    pub claims: Vec<Claim>,
}

/// The device of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Device {
    /// An NVIDIA GPU; its times are measured.
    Gpu {
        /// As the driver names it.
        name: String,
        /// Such as `9.0`.
        compute_capability: String,
        /// Driver API version, such as `13.0`.
        driver: String,
        /// Number of streaming multiprocessors.
        multiprocessors: u32,
    },
    /// The embedded SIMT device; its counters are exact, its times modelled.
    Simt {
        /// The chip file, such as `h200`.
        chip: String,
        /// The chip's name, such as `NVIDIA H200`.
        models: String,
        /// The modelled chip's compute capability.
        compute_capability: String,
        /// Number of streaming multiprocessors of the modelled chip.
        multiprocessors: u32,
    },
}

/// A parameter's value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Parameter {
    /// A switch.
    Flag(bool),
    /// A count, size or seed.
    Integer(u64),
    /// Anything else with a magnitude.
    Number(f64),
    /// A word.
    Text(String),
    /// Several counts, such as the block sizes tried.
    Integers(Vec<u64>),
}

/// A kernel source file and the hashes of what was run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Kernel {
    /// Path below `kernels/`, such as `ch5-5/stencil.cu`.
    pub file: String,
    /// SHA-256 of the `.cu`, hexadecimal.
    pub cu_sha256: String,
    /// SHA-256 of the `.ptx` that was loaded, hexadecimal.
    pub ptx_sha256: String,
}

/// One question put to the device: a quantity `y` against `x`, for several variants.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Experiment {
    /// Such as `stencil`; unique in the record.
    pub id: String,
    /// Such as `Bandwidth by variant and block size`.
    pub title: String,
    /// What is varied.
    pub x: Axis,
    /// What is observed.
    pub y: Axis,
    /// Where `y` comes from.
    #[serde(default, skip_serializing_if = "Origin::is_time")]
    pub y_is: Origin,
    /// One a variant.
    pub series: Vec<Series>,
}

/// Where an observed quantity comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Origin {
    /// From times: measured or modelled, as those are.
    #[default]
    Time,
    /// From what the embedded device counted; no time enters.
    Count,
    /// The device answered it, as it does an allocation's pitch; no time enters.
    Answer,
}

impl Origin {
    /// Whether it comes from times.
    pub fn is_time(&self) -> bool {
        *self == Origin::Time
    }
}

/// What an axis holds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Axis {
    /// Such as `block size`.
    pub label: String,
    /// Such as `threads`, `GB/s`, `ns`, `B`; empty for a plain count.
    pub unit: String,
    /// How to draw it.
    pub scale: Scale,
}

impl Axis {
    /// An axis with this label, unit and scale.
    pub fn new(label: &str, unit: &str, scale: Scale) -> Self {
        Axis { label: label.to_owned(), unit: unit.to_owned(), scale }
    }
}

/// How an axis is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scale {
    /// Evenly.
    Linear,
    /// By powers of two.
    Log2,
    /// By powers of ten.
    Log10,
}

/// One variant's points, in rising `x`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Series {
    /// Such as `constant`; unique in the experiment.
    pub id: String,
    /// Such as `constant memory`.
    pub label: String,
    /// A line to compare with (a plain copy), drawn thinner.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub reference: bool,
    /// At least one.
    pub points: Vec<Point>,
}

/// One value, the work it comes from and what that work counted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Point {
    /// In the experiment's `x` unit.
    pub x: f64,
    /// In the experiment's `y` unit; from the median time.
    pub y: f64,
    /// The lowest `y` among the counted launches.
    pub y_min: f64,
    /// The highest `y` among the counted launches.
    pub y_max: f64,
    /// The launch, or the first one where the work has several; none where no kernel ran.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub launch: Option<Launch>,
    /// What the host asked for beside or in place of a launch, such as `copy to the device, pinned`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub operation: Option<String>,
    /// The time of all of it; none where the work was not timed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<Timing>,
    /// What the embedded device counted for all launches of one such work.
    pub counters: Counters,
    /// What Nsight Compute counted on the GPU for all launches of one such work; empty where it was not run.
    #[serde(default, skip_serializing_if = "Counters::is_empty")]
    pub hardware: Counters,
}

/// Where a time comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Source {
    /// From the GPU's events.
    Measured,
    /// Computed from counters and a chip file.
    Modelled,
}

/// The times of the counted calls (warm-up calls are not among them), nanoseconds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Timing {
    /// Where they come from.
    pub is: Source,
    /// How many calls were counted.
    pub calls: u32,
    /// Median.
    pub median_ns: f64,
    /// Arithmetic mean.
    pub mean_ns: f64,
    /// Shortest.
    pub min_ns: f64,
    /// Longest.
    pub max_ns: f64,
    /// Interquartile range: the spread.
    pub iqr_ns: f64,
}

/// A number computed from the experiments.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fact {
    /// In `unit`.
    pub value: f64,
    /// Such as `B`, `ns`, `GB/s`; empty for a plain number.
    pub unit: String,
    /// What it is and how it was computed, in one sentence.
    pub what: String,
}

/// Something that had to hold.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Check {
    /// Such as `stencil/constant/256`; unique in the record.
    pub id: String,
    /// What was compared with what, with the tolerance.
    pub what: String,
    /// Whether it held.
    pub passed: bool,
    /// What was found, such as `largest relative error 1.2e-7`.
    pub found: String,
    /// The outputs that were compared, in the order of the runs: XXH3 (64 bits, 16 hexadecimal digits) of the bytes of each.
    /// It tells outputs apart and is no secret: whoever has the outputs has it. Empty where no output was read.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub outputs: Vec<String>,
}

/// A statement of one of the sources and what the run says to it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Claim {
    /// Such as `constant-cache-64-kb`; unique in the record.
    pub id: String,
    /// The statement, in our words.
    pub claim: String,
    /// Who says so.
    pub source: String,
    /// What the numbers say.
    pub verdict: Verdict,
    /// One line, with the numbers.
    pub why: String,
}

/// What the numbers say to a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// As stated.
    Holds,
    /// True with a limit that the reason names.
    HoldsInPart,
    /// The numbers contradict it.
    DoesNotHold,
    /// This run cannot tell (the reason says why).
    NotShown,
}
