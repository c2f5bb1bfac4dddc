//! The queue of a launch's blocks, and what workers tell each other of theirs.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

/// Hands out units, which are clusters or blocks of their own, in chunks, lowest first.
pub(super) struct Queue {
    pub(super) next: AtomicU64,
    pub(super) units: u64,
    pub(super) first_fault: FirstFault,
    /// Blocks that have begun and not ended, and how many of them a chip has room for.
    pub(super) resident: AtomicU64,
    pub(super) capacity: u64,
    /// Warp instructions that blocks have spent of the launch's budget; constant while all of them wait.
    pub(super) spent: AtomicU64,
    /// Workers that have begun and not ended.
    pub(super) workers: AtomicU64,
    /// At which value of `spent` how many of them have found nothing but blocks that wait, for long.
    pub(super) idle: Mutex<(u64, u64)>,
    /// At which value of `spent` how many of them have found that all their blocks wait for ever; and whether all had.
    pub(super) proven: Mutex<(u64, u64)>,
    pub(super) all_proven: AtomicBool,
    /// All of them had, in one way or the other.
    pub(super) deadlocked: AtomicBool,
    pub(super) warps_per_unit: u64,
}

/// The lowest block of a launch that has faulted, if one has.
pub(super) struct FirstFault(AtomicU64);

impl FirstFault {
    const NONE: u64 = u64::MAX;

    pub(super) fn none() -> Self {
        FirstFault(AtomicU64::new(Self::NONE))
    }

    /// Notes that a block has faulted.
    pub(super) fn note(&self, block: u64) {
        self.0.fetch_min(block, Relaxed);
    }

    #[inline(always)]
    pub(super) fn get(&self) -> Option<u64> {
        Some(self.0.load(Relaxed)).filter(|block| *block != Self::NONE)
    }
}

impl Queue {
    pub(super) fn take(&self) -> Option<std::ops::Range<u64>> {
        // As many as make it worth asking, and few enough for all workers to end at about the same time.
        let chunk = (256 / self.warps_per_unit.max(1)).min(self.units / 32).max(1);
        let from = self.next.fetch_add(chunk, Relaxed);
        (from < self.units).then(|| from..(from + chunk).min(self.units))
    }
}
