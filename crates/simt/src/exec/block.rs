//! The state of a block: registers, shared memory, warps, barriers, what is checked and sampled, what it has spent.
//!
//! Nothing here runs anything: a worker has the state of the block that runs, and the scheduler parks those of others.

use super::observers::of_block::BlockObservers;
use super::registers::RegisterFile;
use super::warp::{FreeRegisters, Warp};
use crate::ir::BARRIERS;

/// A word of shared and local memory before it is written: not zero, so that code which relies on zeros fails.
pub(super) const POISON: u32 = 0xcdcd_cdcd;

/// The state of one block: what a launch needs to go on with it where it stopped.
#[derive(Default)]
pub(super) struct BlockState<'a> {
    pub(super) registers: RegisterFile,
    pub(super) free: FreeRegisters,
    pub(super) shared: Vec<u8>,
    pub(super) warps: Vec<Warp>,
    /// What observers know of it.
    pub(super) observers: BlockObservers<'a>,
    /// Its number in the grid, that of its cluster, and its rank there.
    pub(super) number: u64,
    pub(super) cluster: u64,
    pub(super) rank: u32,
    /// Warp instructions: those that it has executed, and those that the launch's budget knows of.
    pub(super) spent: u64,
    pub(super) accounted: u64,
    /// Warp instructions that it may spend: slow instructions and printing reduce them, and those spent on waiting are
    /// given back.
    pub(super) allowed: u64,
    pub(super) clock_reads: u64,
    /// Fences of the whole device that its warps have executed.
    pub(super) fences: u32,
    /// Threads that came to a barrier without waiting, by its number.
    pub(super) arrived: [u32; BARRIERS],
    /// A barrier has opened while a warp ran.
    pub(super) opened: bool,
    /// The `mbarrier` whose phase was not complete when the last thread looked.
    pub(super) incomplete: Option<u64>,
}
