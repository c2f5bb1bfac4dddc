//! Results of a launch besides memory: counters, modelled time, output, profile, traced accesses.

use crate::Counters;
use crate::error::{CountedFault, Place};
use crate::ir::{Kernel, Program};
use crate::model::time::Limit;
use crate::semantics::arithmetic::NotFinite;
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
    /// The counters of what the chip executes for it, or why they cannot be given. Empty without [`crate::Options::executed`].
    pub executed: counters::Executed,
    /// The accesses that [`crate::Options::trace`] chose, in the order in which they were made.
    pub accesses: Vec<TracedAccess>,
    /// How many more of them there were than [`crate::Trace::most`].
    pub left_out: u64,
    /// Faults after which the launch went on, by the lowest block that had each; empty without
    /// [`crate::Options::keep_going`].
    pub faults: Vec<CountedFault>,
    /// What made the first NaN, and the first infinity; empty without [`crate::Checks::not_finite`].
    pub not_finite: Vec<Made>,
}

/// Arithmetic that made a NaN of operands that are none, or an infinity of finite ones: the first of its launch, by rising
/// block, and in a block as it was executed.
#[derive(Clone, Debug, PartialEq)]
pub struct Made {
    /// What it made.
    pub what: NotFinite,
    /// The kernel.
    pub kernel: String,
    /// The block's index.
    pub block: [u32; 3],
    /// The thread's index in its block.
    pub thread: [u32; 3],
    /// Where it is.
    pub place: Place,
    /// The instruction's words, such as `mul.f32`.
    pub mnemonic: String,
    /// What was computed, with its operands, such as `inf · 0.0`.
    pub formula: String,
}

impl Outcome {
    /// Adds that of another launch. What both executed is known if it is of both.
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
            not_finite,
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
        // What came first is kept.
        let is_new = |made: &Made| !self.not_finite.iter().any(|there| there.what == made.what);
        let new: Vec<Made> = not_finite.into_iter().filter(is_new).collect();
        self.not_finite.extend(new);
    }
}

/// Counters of one PTX instruction in a launch.
#[derive(Clone, Debug, PartialEq)]
pub struct InstructionProfile {
    /// Where it is.
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
