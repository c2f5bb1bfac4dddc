//! How a device runs launches, and what may end them.

use crate::trace::Trace;

/// Checks of a launch that can be chosen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Checks {
    /// Accesses of two threads to the same shared memory, at least one of them writing, that nothing orders.
    pub races: bool,
    /// The same in global memory, also of threads of different blocks, which nothing orders in one launch but atomic
    /// operations. Of each buffer the first 2^16 elements are looked at.
    pub global_races: bool,
    /// Loads that take global memory as unchanging, of what the same launch writes.
    pub read_only: bool,
    /// Reads of memory that has not been written.
    pub uninitialised: bool,
    /// Shuffles that take the value of a lane which does not take part.
    pub masks: bool,
    /// Where the first NaN and the first infinity come from ([`crate::Outcome::not_finite`]): nothing that must be a mistake,
    /// so none of [`Checks::ALL`]. Instructions are then executed one by one, until both are found.
    pub not_finite: bool,
    /// Which bytes of buffers launches read ([`crate::Device::unread`]): an account that is kept, and no mistake either.
    pub unread: bool,
    /// Which bytes of buffers the last launch read and wrote ([`crate::Device::accessed`]): likewise.
    pub accessed: bool,
}

impl Checks {
    /// No checks but those that are always made.
    pub const NONE: Checks = Checks {
        races: false,
        global_races: false,
        read_only: false,
        uninitialised: false,
        masks: false,
        not_finite: false,
        unread: false,
        accessed: false,
    };
    /// All checks for what is a mistake.
    pub const ALL: Checks = Checks {
        races: true,
        global_races: true,
        read_only: true,
        uninitialised: true,
        masks: true,
        not_finite: false,
        unread: false,
        accessed: false,
    };

    /// All checks, or none.
    pub fn all_or_none(all: bool) -> Self {
        if all { Checks::ALL } else { Checks::NONE }
    }

    /// Whether there is any.
    pub(crate) fn any(self) -> bool {
        self != Checks::NONE
    }

    /// Whether accesses to memory are looked at.
    pub(crate) fn of_accesses(self) -> bool {
        self.races || self.uninitialised
    }
}

/// How a device runs launches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Blocks run one after the other, lowest first, so that the order of atomics is the same in every run. Without it
    /// they run on all cores; counters and faults are the same either way, but where blocks of an ordinary launch wait
    /// for each other: how often they look is counted too. (Those of a cooperative launch are always run so that it is
    /// the same.)
    pub deterministic: bool,
    /// What it looks for in addition to what is always checked: bounds, alignment, barriers, the masks of warp-wide instructions.
    pub checks: Checks,
    /// A launch goes on after a fault, and its outcome has all of them ([`crate::Outcome::faults`]). A thread that has
    /// read memory that has not been written, or that has a race, goes on as without checks; one whose access cannot be
    /// made, or which traps, exits. A loop without end, a barrier that cannot open or a stack overflow ends its block.
    pub keep_going: bool,
    /// Counts for every instruction too ([`crate::Outcome::profile`]).
    pub profile: bool,
    /// Counts what the chip executes too ([`crate::Outcome::executed`]).
    pub executed: bool,
    /// Notes down single accesses to memory ([`crate::Outcome::accesses`]).
    pub trace: Option<Trace>,
    /// Warp instructions a block may execute before it counts as an infinite loop. Slow ones count as several: accesses to
    /// memory up to 32, atomics 64, products of matrices 256. What a block takes to wait for others counts as nothing, until
    /// all of them wait.
    pub budget: u64,
    /// As many more for each byte of the device's memory that is allocated: loops over much data are long.
    pub budget_per_byte: u64,
    /// Warp instructions that all blocks of a launch may execute together; they also pay for being started, for the
    /// memory that they are given and for what they print. Where a launch both exceeds it and has a fault, either may be
    /// reported, unless blocks run one after the other.
    pub launch_budget: u64,
    /// Bytes of registers and local memory a block may have, callers' frames included; each core that runs blocks
    /// holds as much.
    pub stack_bytes: u64,
    /// Bytes that all buffers and variables may have, where that is less than the chip's memory.
    pub memory_bytes: u64,
    /// Bytes that the `printf`s of a launch may print; what follows is dropped, and the output says so.
    pub print_bytes: usize,
    /// A launch that repeats an earlier one, with the same memory before it, is not executed: what that left is put back, and its
    /// outcome is the same ([`crate::Device::repeats`]).
    pub repeats: bool,
}

impl Default for Options {
    /// All cores, no checks beyond bounds, no profile, nothing of what is executed, no trace, 2^25 instructions a block (some seconds) and four more for each
    /// byte of memory, 2^44 a launch (days), 256 MiB of registers and local memory a block, 4 GiB of buffers, 1 MiB of
    /// output (as CUDA's default).
    fn default() -> Self {
        Options {
            deterministic: false,
            checks: Checks::NONE,
            keep_going: false,
            profile: false,
            executed: false,
            trace: None,
            budget: 1 << 25,
            budget_per_byte: 4,
            launch_budget: 1 << 44,
            stack_bytes: 256 << 20,
            memory_bytes: 4 << 30,
            print_bytes: 1 << 20,
            repeats: false,
        }
    }
}

/// Ends a launch that is under way: for limits of time, which a device without a clock cannot keep by itself.
pub struct Interrupt {
    /// Asked every few milliseconds, by every thread that runs blocks, whether the launch has to end.
    pub is_due: Box<dyn Fn() -> bool + Send + Sync>,
    /// Message of the fault that ends it, of the kind [`crate::FaultKind::TimeLimit`].
    pub message: String,
}
