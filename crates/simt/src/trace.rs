//! Accesses to memory, one by one: what warps of a block asked for, and what each of their instructions cost.
//!
//! The costs are differences of the launch's own counters: there is no second rule for them.

use crate::Counters;
use crate::error::Place;
pub use access::{AccessKind, Fetch, Fetched, Space};

/// Which accesses of a launch are noted down ([`crate::Options::trace`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trace {
    /// The block, by its index in the grid: nothing is noted where the grid has no such block. All blocks, without one.
    pub block: Option<[u32; 3]>,
    /// Warps of a block, a bit each: `1 << 3` is the fourth.
    pub warps: u32,
    /// The state space; all of them, without one.
    pub space: Option<Space>,
    /// Accesses that are noted at the most; [`crate::Outcome::left_out`] counts those that follow.
    pub most: u32,
}

impl Trace {
    /// Warp 0 of block 0, and no more than 4,096 accesses.
    pub const FIRST: Trace = Trace { block: Some([0; 3]), warps: 1, space: None, most: 4096 };
}

/// One memory instruction of one warp (or of a part of it, where its lanes have gone separate ways).
///
/// All that reach memory lane by lane are noted: loads, stores, atomic operations, `ldmatrix` and `stmatrix`, and `cp.async`
/// as two, a load that has the cost and a store; and fetches of textures. Not noted are loads of kernel parameters, loads of constants at addresses
/// known before the launch (ptxas makes operands of them), and copies that a unit of its own makes (`cp.async.bulk`).
#[derive(Clone, Debug, PartialEq)]
pub struct TracedAccess {
    /// Where the instruction is.
    pub place: Place,
    /// Its words, such as `ld.global.f32`.
    pub mnemonic: String,
    /// The block's index in the grid.
    pub block: [u32; 3],
    /// The warp's number in its block.
    pub warp: u32,
    /// A number that is the same for accesses between which their block had no barrier of all its threads; known where
    /// races are checked for, and otherwise 0.
    pub interval: u32,
    /// Fences of the whole device that warps of its block have executed before it.
    pub fences: u32,
    /// Asynchronous copies that its warp has begun and not waited for, by instruction; known where `interval` is.
    pub copies: u32,
    /// Its kind.
    pub kind: AccessKind,
    /// Bytes a lane.
    pub bytes: u32,
    /// The active lanes' requests by memory: one part, but for generic addresses or lanes in several buffers.
    pub parts: Vec<Part>,
    /// Of a fetch whose lanes name one texture: what they read of it.
    pub fetch: Option<Box<Fetch>>,
    /// Its share of the launch's counters.
    pub cost: Counters,
}

/// The lanes of an access that are in one memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Its kind.
    pub space: Space,
    /// The buffer's or variable's name; `shared`, `local`.
    pub memory: String,
    /// Its size, bytes (of local memory: 0).
    pub size: u64,
    /// Each lane and its offset in that memory, bytes, by rising lane. Buffers and variables in global memory begin at
    /// multiples of 256 bytes, so that sectors and lines follow from offsets.
    pub lanes: Vec<(u32, u64)>,
}
