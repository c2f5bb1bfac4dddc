//! The caches of a multiprocessor as a sampled block sees them.

use super::launch::Run;
use crate::model::cache::{Addresses, Cache, Geometry};
use crate::model::time;
use foldhash::fast::RandomState;
use std::collections::HashMap;

/// Only there while a sampled block runs.
pub(super) struct Caches {
    pub(super) constant_l1: Cache,
    pub(super) constant_l2: Cache,
    pub(super) l1: Cache,
    /// Lines that atomic operations of this block changed, and how often.
    pub(super) atomics: HashMap<u64, u64, RandomState>,
    /// Lines and pairs of sectors of global memory that this block has loaded.
    pub(super) lines: Addresses,
    pub(super) pairs: Addresses,
}

impl Caches {
    pub(super) fn new(run: &Run<'_>) -> Self {
        let chip = run.chip;
        let shape = time::LaunchSize {
            blocks: run.blocks(),
            warps_per_block: run.warps_per_block(),
            shared_bytes: u64::from(run.shared_bytes),
        };
        // The blocks that a multiprocessor has at a time share L1, and what one brings is of no use to another.
        let bytes = (u64::from(chip.l1.bytes) / shape.at_a_time(chip)) as u32;
        Caches {
            constant_l1: Cache::new(chip.constant_l1),
            constant_l2: Cache::new(chip.constant_l2),
            l1: Cache::new(Geometry { bytes, ..chip.l1 }),
            atomics: HashMap::default(),
            lines: Addresses::default(),
            pairs: Addresses::default(),
        }
    }

    pub(super) fn clear(&mut self) {
        let Caches { constant_l1, constant_l2, l1, atomics, lines, pairs } = self;
        for cache in [constant_l1, constant_l2, l1] {
            cache.clear();
        }
        atomics.clear();
        lines.clear();
        pairs.clear();
    }
}
