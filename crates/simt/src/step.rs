//! Single steps: the state of a block when one of its warps has executed an instruction.
//!
//! A launch is the same in every run, so a step backwards is another run to the step before.

use crate::Counters;
use crate::WARP;
use crate::error::{Fault, Place};
use crate::trace::TracedAccess;

/// A step of a launch ([`crate::Device::step`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StepTo {
    /// The block, by its index in the grid.
    pub block: [u32; 3],
    /// The warp whose instructions are counted; without one, those of all warps of the block, in the order in which they run.
    pub warp: Option<u32>,
    /// The instruction, from 0. Beyond the last one there is no state, and [`Stepped::executed`] says how many there are.
    pub at: u64,
    /// Stretches of [`Stepped::path`] at the most. With 0, the launch ends as soon as the state is known; otherwise when the
    /// block has ended.
    pub path: u32,
    /// Accesses of [`State::events`] at the most, the last ones.
    pub events: u32,
}

impl StepTo {
    /// Instruction `at` of a warp of a block, with 256 accesses before it and no path.
    pub fn new(block: [u32; 3], warp: u32, at: u64) -> Self {
        StepTo { block, warp: Some(warp), at, path: 0, events: 256 }
    }

    /// How many steps a warp of a block has, and where each is: `path` stretches at the most, and no state.
    pub fn path(block: [u32; 3], warp: u32, path: u32) -> Self {
        StepTo { block, warp: Some(warp), at: u64::MAX, path: path.max(1), events: 0 }
    }
}

/// What was found on the way to a step.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Stepped {
    /// The state after the instruction that was asked for, if it was executed.
    pub state: Option<Box<State>>,
    /// Instructions that the warp has executed (all warps, if none was chosen) until the launch was left: all that it ever
    /// executes, if the block has ended.
    pub executed: u64,
    /// Whether the block has ended.
    pub ended: bool,
    /// The launch's counters until then, those of the blocks before included.
    pub counters: Counters,
    /// The fault that ended the launch, if one did, be it in another block.
    pub fault: Option<Box<Fault>>,
    /// The instructions in the order in which they were executed: stretches of one line, with the same lanes.
    pub path: Vec<Stretch>,
    /// How many stretches more there were than [`StepTo::path`].
    pub path_left_out: u64,
    /// Names of the files that stretches are in.
    pub files: Vec<String>,
}

/// Instructions that a warp executes one after the other, of one source line, with the same lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stretch {
    /// The first of them; it ends where the next stretch begins.
    pub at: u64,
    /// The warp.
    pub warp: u32,
    /// A place in [`Stepped::files`].
    pub file: u32,
    /// The line there, as [`Place::counted_line`]; where the PTX names none, its own.
    pub line: u32,
    /// The lanes that come to them, a bit each.
    pub active: u32,
}

/// State of a block after an instruction.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// The instruction's number, from 0.
    pub at: u64,
    /// The warp that executed it.
    pub warp: u32,
    /// Where it is.
    pub place: Place,
    /// The instruction, on one line.
    pub instruction: String,
    /// The lanes that came to it, a bit each.
    pub active: u32,
    /// Those of them that its guard let execute it; of a branch, those that took it.
    pub executed: u32,
    /// The registers of the function that the warp's lanes are in to which it has written, in the order of the PTX.
    pub registers: Vec<RegisterState>,
    /// The block's shared memory, static and dynamic.
    pub shared: Vec<u8>,
    /// Which bytes of it have been written.
    pub shared_written: Vec<bool>,
    /// The variables there that the PTX names: name, first byte and size. Dynamic memory has none.
    pub shared_variables: Vec<(String, u32, u32)>,
    /// All warps of the block.
    pub warps: Vec<WarpState>,
    /// The warp's accesses to memory so far, the last ones.
    pub events: Vec<Event>,
    /// How many there were before these.
    pub events_left_out: u64,
}

/// A register, for each lane of a warp.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegisterState {
    /// Its name in the PTX.
    pub name: String,
    /// Its type there, without the dot, such as `b32`, `f64` or `pred`.
    pub ty: String,
    /// Its bits; of a predicate, 0 or 1.
    pub values: [u64; WARP],
    /// What wrote it last, for each lane: the bits of others mean nothing.
    pub written: [Option<Write>; WARP],
}

/// An instruction that wrote a register.
///
/// PTX has no names of variables, and a register holds several of them, one after the other; but the line of the
/// instruction leads to the code that its value was computed from (`Origins` of the compiler).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Write {
    /// Its step.
    pub at: u64,
    /// Its line in the PTX, from 1; 0 for what a call has written.
    pub line: u32,
}

/// A warp of the block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WarpState {
    /// Lanes that it began with, a bit each; those of them that are on no path have ended.
    pub lanes: u32,
    /// Instructions that it has executed.
    pub executed: u64,
    /// Where its lanes are.
    pub paths: Vec<Path>,
    /// Where lanes that a branch has parted meet again, outermost first.
    pub meetings: Vec<Meeting>,
}

/// Lanes of a warp that are at one place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Path {
    /// The lanes, a bit each.
    pub lanes: u32,
    /// The barrier at which they wait, or the instruction with which they go on.
    pub at: Place,
    /// What they do.
    pub does: Doing,
}

/// What lanes at one place do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Doing {
    /// They run.
    Running,
    /// It will be their turn.
    Ready,
    /// They have come to where they meet others, and wait for these lanes.
    Meeting {
        /// The lanes, a bit each.
        awaits: u32,
    },
    /// They wait at a barrier of the block.
    Barrier {
        /// Its number.
        number: u32,
        /// How many threads it waits for, where not for all of the block.
        threads: Option<u32>,
    },
    /// They wait at the cluster's barrier.
    Cluster,
    /// They wait for other lanes of a warp-wide operation.
    Gathering,
}

/// A place where parted lanes meet again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Meeting {
    /// The first instruction that they execute together again.
    pub place: Place,
    /// The lanes that meet there, a bit each.
    pub expected: u32,
    /// Those that have come.
    pub arrived: u32,
}

/// An access to memory of a step.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// The step that made it.
    pub at: u64,
    /// The access.
    pub access: TracedAccess,
}
