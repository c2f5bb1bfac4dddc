//! The state of a warp: where its lanes are, which of them wait for which, and the frames of the functions they are in.
//!
//! A warp's lanes move in splits: lanes at one place with one mask. Where a branch splits a split, both parts
//! remember the block at which they meet again (the branch's immediate post-dominator) and wait there for each other.

use crate::lanes::W;
use crate::model::sample::WarpCost;

/// No reconvergence: the [`Split::reconvergence`] of lanes that wait for no others.
pub(super) const NOWHERE: u32 = u32::MAX;

/// Lanes of a warp that are at the same place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Split {
    pub(super) block: u32,
    pub(super) mask: u32,
    /// Where it waits for others: a place in [`Warp::reconvergences`], or [`NOWHERE`].
    pub(super) reconvergence: u32,
    /// The function it is in: a place in [`Warp::frames`].
    pub(super) frame: u32,
}

impl Split {
    /// Lanes at the start of the kernel.
    pub(super) fn start(mask: u32) -> Self {
        Split { block: 0, mask, reconvergence: NOWHERE, frame: 0 }
    }

    /// Some of its lanes.
    pub(super) fn part(self, mask: u32) -> Self {
        Split { mask, ..self }
    }
}

/// A block at which splits wait for each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Reconvergence {
    pub(super) block: u32,
    pub(super) frame: u32,
    /// Lanes that will come, unless they exit before.
    pub(super) expected: u32,
    pub(super) arrived: u32,
    /// The reconvergence around it.
    pub(super) parent: u32,
}

impl Reconvergence {
    pub(super) fn is_at(&self, at: &Split) -> bool {
        self.block == at.block && self.frame == at.frame
    }

    /// The lanes that all have come, if they have; the reconvergence is then done.
    pub(super) fn complete(&mut self) -> Option<Split> {
        if self.arrived == 0 || self.arrived != self.expected {
            return None;
        }
        let all =
            Split { block: self.block, mask: self.arrived, reconvergence: self.parent, frame: self.frame };
        self.expected = 0;
        self.arrived = 0;
        Some(all)
    }
}

/// A function that lanes are in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Called {
    /// A place in [`crate::ir::Kernel::functions`].
    pub(super) function: u32,
    /// Where its registers begin.
    pub(super) w: usize,
    pub(super) x: usize,
    pub(super) p: usize,
    /// Where its local memory begins and ends, bytes of a thread's.
    pub(super) local: u32,
    pub(super) local_end: u32,
    /// Registers and local memory of all callers, bytes a thread.
    pub(super) depth: u64,
    /// Lanes that are in it.
    pub(super) live: u32,
    /// Who called, how, and where to go on.
    pub(super) caller: u32,
    pub(super) call: u32,
    pub(super) next: u32,
}

/// Lanes that wait at a barrier of the block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Waiting {
    pub(super) split: Split,
    /// A place in [`crate::ir::Kernel::barriers`].
    pub(super) barrier: u32,
    /// The barrier's number.
    pub(super) id: u32,
    /// Threads that it waits for, if not for all.
    pub(super) threads: Option<u32>,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Warp {
    pub(super) runnable: Vec<Split>,
    pub(super) at_barrier: Vec<Waiting>,
    /// Splits at the cluster's barrier, and the lanes that have come to it in this round of it.
    pub(super) at_cluster: Vec<Split>,
    pub(super) came: u32,
    /// Splits at a warp-wide operation whose other lanes have not come.
    pub(super) gathering: Vec<Split>,
    pub(super) reconvergences: Vec<Reconvergence>,
    pub(super) frames: Vec<Called>,
    /// Local memory, a word of all lanes after the other.
    pub(super) local: Vec<W>,
    /// Bytes of registers and local memory of the functions that were called and have not returned.
    pub(super) held: u64,
    /// Lanes that have not exited.
    pub(super) live: u32,
    pub(super) cost: WarpCost,
}

impl Warp {
    /// Joins end in the order in which they began, but for lanes that stopped waiting.
    pub(super) fn drop_reconvergences(&mut self) {
        while self.reconvergences.last().is_some_and(|j| j.expected == 0) {
            self.reconvergences.pop();
        }
    }

    /// Lets those who wait at the innermost reconvergence go on without the others; says whether there were any.
    pub(super) fn release_waiting(&mut self) -> bool {
        let Some(reconvergence) = self.reconvergences.iter_mut().rfind(|j| j.arrived != 0) else {
            return false;
        };
        let rest = reconvergence.expected & !reconvergence.arrived;
        reconvergence.expected = reconvergence.arrived;
        self.runnable.extend(reconvergence.complete());
        reconvergence.expected = rest;
        true
    }

    /// Where the local memory of all frames ends, bytes of a thread's.
    pub(super) fn local_end(&self) -> u32 {
        self.frames.last().map_or(0, |f| f.local_end)
    }

    /// The first lane that waits for others that do not come, and where.
    pub(super) fn stuck(&self) -> Option<Split> {
        let waiting = self.at_barrier.first().map(|w| w.split);
        waiting.or(self.gathering.first().copied()).or(self.at_cluster.first().copied())
    }
}

/// Registers of functions that have returned, for the next call of the same function.
#[derive(Debug, Default)]
pub(super) struct FreeRegisters {
    /// For each function where registers begin.
    pub(super) of: Vec<Vec<(usize, usize, usize)>>,
}
