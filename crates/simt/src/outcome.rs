//! Results of a launch besides memory: counters, modelled time, output, profile, traced accesses.

use crate::Counters;
use crate::error::{CountedFault, Place};
use crate::ir::{Kernel, Program};
use crate::model::time::Limit;
use crate::trace::TracedAccess;

/// Result of a launch.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outcome {
    /// Its counters: exact.
    pub counters: Counters,
    /// How long the modelled chip would take, nanoseconds: modelled.
    pub modelled_ns: f64,
    /// Of the grid that takes longest, its part of that, and what it is limited by. None where no grid ran.
    pub longest: Option<(f64, Limit)>,
    /// Shared memory of a block, static and dynamic, bytes; of several grids the most.
    pub shared_bytes: u64,
    /// Output of `printf`, by rising block.
    pub printed: String,
    /// Counters of each instruction, in the order of the PTX; empty without [`crate::Options::profile`].
    pub profile: Vec<InstructionProfile>,
    /// The counters of what the chip executes for it, or why they cannot be told. Empty without [`crate::Options::executed`].
    pub executed: counters::Executed,
    /// The accesses that [`crate::Options::trace`] chose, in the order in which they were made.
    pub accesses: Vec<TracedAccess>,
    /// How many more of them there were than [`crate::Trace::most`].
    pub left_out: u64,
    /// Faults after which the launch went on, by the lowest block that had each; empty without
    /// [`crate::Options::keep_going`].
    pub faults: Vec<CountedFault>,
}

impl Outcome {
    /// Adds that of another launch. What both executed is told if it is of both.
    pub fn add(&mut self, other: Outcome) {
        let Outcome {
            counters,
            modelled_ns,
            longest,
            shared_bytes,
            printed,
            profile,
            executed,
            accesses,
            left_out,
            faults,
        } = other;
        self.counters.add(&counters);
        self.modelled_ns += modelled_ns;
        self.longest = self.longest.into_iter().chain(longest).max_by(|a, b| a.0.total_cmp(&b.0));
        self.shared_bytes = self.shared_bytes.max(shared_bytes);
        self.printed += &printed;
        self.profile.extend(profile);
        self.executed.add(&executed);
        self.accesses.extend(accesses);
        self.left_out += left_out;
        self.faults.extend(faults);
    }
}

/// Counters of one PTX instruction in a launch.
#[derive(Clone, Debug, PartialEq)]
pub struct InstructionProfile {
    /// Where it stands.
    pub place: Place,
    /// Its words, such as `ld.global.f32`.
    pub mnemonic: String,
    /// Its share of the launch's counters.
    pub counters: Counters,
}

/// The listing with what each of its instructions counted.
pub(crate) fn profile(
    program: &Program,
    kernel: &Kernel,
    counters: Vec<Counters>,
) -> Vec<InstructionProfile> {
    let listed = kernel.listing.iter().zip(counters);
    listed
        .map(|(listed, counters)| InstructionProfile {
            place: program.place(kernel, listed.origin),
            mnemonic: program.mnemonic(listed.origin),
            counters,
        })
        .collect()
}
