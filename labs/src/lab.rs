//! A lab as data and pure functions: from a request to a plan, and from a record to facts and verdicts.

use crate::digest::Digest;
use crate::plan::Plan;
use crate::request::{Request, Scope, Size};
use anyhow::Result;
use record::{Fact, Record, Verdict};
use std::collections::BTreeMap;

/// A lab, as data and pure functions.
pub struct Lab {
    /// The binary's name, such as `lab-5-5`.
    pub name: &'static str,
    /// One line for `--help`.
    pub about: &'static str,
    /// The end of `--help`: how it is called, by example.
    pub examples: &'static str,
    /// Sizes of the lab: each is a flag, and a parameter of the record.
    pub sizes: &'static [Size],
    /// Whether the embedded device does less than all of it by default: work that takes long there and says nothing new is left
    /// to `--full`.
    pub short: bool,
    /// From what was asked for to the most memory that a run takes beyond what it takes for the smallest sizes, bytes: the
    /// embedded device's, and on the host inputs, outputs that are read back, and references.
    pub memory: fn(&Request, Host) -> u64,
    /// From what was asked for to the plan.
    pub plan: fn(&Request, Host) -> Result<Plan>,
    /// From the experiments to single numbers.
    pub facts: fn(&Record) -> BTreeMap<String, Fact>,
    /// From experiments and facts to a verdict on each of the sources' claims that this lab tests, by the claim's id in
    /// `labs/claims.toml`.
    pub rules: &'static [(&'static str, Rule)],
    /// The lab's digest, which the terminal shows by default.
    pub digest: Digest,
    /// Tables that the terminal shows with `--all`, in order.
    pub views: &'static [View],
}

impl Lab {
    /// Subject of the lab, as in `--help`: `constant memory and the read-only cache`.
    pub fn subject(&self) -> &'static str {
        let about = self.about.split_once(": ").map_or(self.about, |(_, about)| about);
        about.split(", on your GPU").next().unwrap_or(about)
    }

    /// How much of the lab is run with these flags, of which at most one is given.
    pub(crate) fn scope(&self, quick: bool, full: bool, measured: bool) -> Scope {
        match (quick, full || measured || !self.short) {
            (true, _) => Scope::Quick,
            (false, false) => Scope::Short,
            (false, true) => Scope::Full,
        }
    }

    /// The plan, with the request's parameters for its record.
    pub(crate) fn planned(&self, request: &Request, host: Host) -> Result<Plan> {
        let mut plan = (self.plan)(request, host)?;
        plan.parameters.extend(request.parameters());
        Ok(plan)
    }
}

/// From a record, with its facts, to a verdict and one line of why.
pub type Rule = fn(&Record) -> (Verdict, String);

/// Properties of the device that a plan may depend on: its size, and whether its times are measured.
#[derive(Clone, Copy, Debug)]
pub struct Host {
    /// Streaming multiprocessors.
    pub multiprocessors: u32,
    /// Measured by a GPU's events rather than modelled.
    pub measured: bool,
}

/// Form in which the terminal shows an experiment.
#[derive(Clone, Copy, Debug)]
pub enum View {
    /// A row a launch, in the manner of nvprof.
    Launches {
        /// Id of the experiment.
        experiment: &'static str,
    },
    /// A row a series, a column for each of `xs`, with the counter that explains it below.
    Sweep {
        /// Id of the experiment.
        experiment: &'static str,
        /// The points shown.
        xs: &'static [f64],
    },
    /// A row each x (each power of two of x, where there are many), a column a series.
    Columns {
        /// Id of the experiment.
        experiment: &'static str,
    },
}

/// The only fact about the machine that ran the lab rather than about the chip.
pub const HOST_SPEED: &str = "host_thread_instructions_per_second";
