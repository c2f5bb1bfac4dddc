//! Accesses to memory, one by one: what warps of a block asked for, and what each of their instructions cost.
//!
//! Enters: what the interpreter noted ([`crate::exec`]). Leaves: [`Access`]es with places, names and offsets in place of
//! numbers. The costs are differences of the launch's own counters: there is no second rule for them here.

use crate::Counters;
use crate::WARP;
use crate::error::Place;
use crate::exec::{Noted, Run};
use crate::lanes::lanes;
use crate::memory::{CONSTANT_WINDOW, LOCAL_WINDOW, SHARED_WINDOW, WINDOW};
use crate::program::Program;

/// Which accesses of a launch are noted down ([`crate::Options::trace`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trace {
    /// The block, by its index in the grid. None is noted where the grid has no such block.
    pub block: [u32; 3],
    /// Warps of that block, a bit each: `1 << 3` is the fourth.
    pub warps: u32,
    /// Accesses that are noted at the most; [`crate::Outcome::left_out`] counts those that follow.
    pub most: u32,
}

impl Trace {
    /// Warp 0 of block 0, and no more than 4,096 accesses.
    pub const FIRST: Trace = Trace { block: [0; 3], warps: 1, most: 4096 };
}

/// One memory instruction of one warp (or of a part of it, where its lanes have gone separate ways).
///
/// All that reach memory lane by lane are noted: loads, stores, atomic operations, `ldmatrix` and `stmatrix`, and `cp.async`
/// as two, a load that has the cost and a store. Not noted are loads of kernel parameters, loads of constants at addresses
/// known before the launch (ptxas makes operands of them), and copies that a unit of its own makes (`cp.async.bulk`).
#[derive(Clone, Debug, PartialEq)]
pub struct Access {
    /// Where the instruction stands.
    pub place: Place,
    /// Its words, such as `ld.global.f32`.
    pub mnemonic: String,
    /// The warp's number in its block.
    pub warp: u32,
    /// What it does.
    pub kind: AccessKind,
    /// Bytes a lane.
    pub bytes: u32,
    /// What the active lanes asked for, by memory: one part, but for generic addresses or lanes in several buffers.
    pub parts: Vec<Part>,
    /// What it added to the launch's counters.
    pub cost: Counters,
}

/// What an access does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AccessKind {
    /// Reads.
    Load,
    /// Writes.
    Store,
    /// Both at once.
    Atomic,
}

/// A state space.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Space {
    /// Global memory.
    Global,
    /// A block's shared memory.
    Shared,
    /// Constant variables.
    Constant,
    /// A thread's local memory.
    Local,
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
    /// multiples of 256 bytes, so that sectors and lines can be told from offsets.
    pub lanes: Vec<(u32, u64)>,
}

/// Names and offsets in place of addresses.
pub(crate) fn resolve(program: &Program, run: &Run<'_>, noted: &[Noted]) -> Vec<Access> {
    let access = |noted: &Noted| {
        let origin = run.kernel.listing.get(noted.listed as usize).map(|l| l.origin).unwrap_or_default();
        let mut parts: Vec<Part> = vec![];
        for lane in lanes(noted.mask) {
            let (space, memory, size, offset) = find(program, run, noted.space, noted.addresses[lane % WARP]);
            let lane = (lane as u32, offset);
            match parts.iter_mut().find(|p| p.space == space && p.memory == memory) {
                Some(part) => part.lanes.push(lane),
                None => parts.push(Part { space, memory: memory.to_owned(), size, lanes: vec![lane] }),
            }
        }
        Access {
            place: program.place(origin),
            mnemonic: program.mnemonic(origin),
            warp: noted.warp,
            kind: noted.kind,
            bytes: noted.bytes,
            parts,
            cost: noted.cost,
        }
    };
    noted.iter().map(access).collect()
}

/// The memory that an address is in, and the offset there; `None` for the space of a generic address.
fn find<'a>(
    program: &'a Program,
    run: &Run<'a>,
    space: Option<Space>,
    address: u64,
) -> (Space, &'a str, u64, u64) {
    let shared = |at| (Space::Shared, "shared", u64::from(run.shared_bytes), at);
    let constant = |at: u64| {
        let holds =
            |at: u64, start: u32, bytes: u64| (u64::from(start)..u64::from(start) + bytes).contains(&at);
        let symbol =
            program.symbols.iter().find(|s| s.constant.is_some_and(|start| holds(at, start, s.bytes)));
        match symbol {
            Some(s) => (Space::Constant, s.name.as_str(), s.bytes, at - u64::from(s.constant.unwrap_or(0))),
            None => (Space::Constant, "constant", run.constant.len() as u64, at),
        }
    };
    let within = |window: u64| Some(address.wrapping_sub(window)).filter(|at| *at < WINDOW);
    match space {
        Some(Space::Shared) => return shared(address),
        Some(Space::Constant) => return constant(address),
        Some(Space::Local) => return (Space::Local, "local", 0, address),
        Some(Space::Global) | None => {}
    }
    if let Some(at) = within(CONSTANT_WINDOW) {
        return constant(at);
    }
    if space.is_none() {
        if let Some(at) = within(SHARED_WINDOW) {
            return shared(at);
        }
        if let Some(at) = within(LOCAL_WINDOW) {
            return (Space::Local, "local", 0, at);
        }
    }
    match run.global.find(address, address.saturating_add(1), &mut 0) {
        Some(a) => (Space::Global, a.name.as_str(), a.bytes, address - a.base),
        // Addresses were found to be inside before anything was noted.
        None => (Space::Global, "global", 0, address),
    }
}
