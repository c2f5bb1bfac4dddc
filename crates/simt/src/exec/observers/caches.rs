//! The caches of a multiprocessor as a sampled block sees them.

use crate::exec::launch::Run;
use crate::hash::HashMap;
use crate::model::access::LINE;
use crate::model::cache::{Addresses, Cache, Geometry};
use crate::model::residency::LaunchSize;

/// Only there while a sampled block runs.
pub(in crate::exec) struct Caches {
    pub(in crate::exec) constant_l1: Cache,
    pub(in crate::exec) constant_l2: Cache,
    /// Lines of the first constant cache that each warp has touched.
    pub(in crate::exec) constant_lines: Vec<Addresses>,
    pub(in crate::exec) l1: Cache,
    /// Lines that atomic operations of this block changed, and how often.
    pub(in crate::exec) atomics: HashMap<u64, u64>,
    /// What each warp has loaded, not yet shown to L1: in a multiprocessor warps take turns, and here each of them runs to its end.
    pub(in crate::exec) loads: Vec<Loads>,
    /// Sectors in these.
    pub(in crate::exec) waiting: usize,
    /// Lines and pairs of sectors of global memory that this block has loaded.
    pub(in crate::exec) lines: Addresses,
    pub(in crate::exec) pairs: Addresses,
    /// Lines of global memory that this block has stored to, with a bit for each byte.
    pub(in crate::exec) written: HashMap<u64, u128>,
}

/// The loads of a warp that L1 has not seen: addresses in different sectors; where each load's begin, and whether it is one
/// of what is only read.
#[derive(Clone, Debug, Default)]
pub(in crate::exec) struct Loads {
    pub(in crate::exec) addresses: Vec<u64>,
    pub(in crate::exec) begins: Vec<(usize, bool)>,
}

impl Loads {
    /// The addresses of a load, by its place, and whether it is of what is only read.
    pub(in crate::exec) fn get(&self, n: usize) -> Option<(&[u64], bool)> {
        let (begin, read_only) = *self.begins.get(n)?;
        let end = self.begins.get(n + 1).map_or(self.addresses.len(), |(begin, _)| *begin);
        Some((self.addresses.get(begin..end)?, read_only))
    }
}

impl Caches {
    pub(in crate::exec) fn new(run: &Run<'_>) -> Self {
        let chip = run.chip;
        let shape = LaunchSize {
            blocks: run.blocks(),
            warps_per_block: run.warps_per_block(),
            shared_bytes: u64::from(run.shared_bytes),
            registers: run.kernel.compiled.registers,
        };
        // The blocks that a multiprocessor has at a time share L1, and what one brings is of no use to another.
        let bytes = (u64::from(chip.l1.bytes) / shape.at_a_time(chip)) as u32;
        Caches {
            constant_l1: Cache::new(chip.constant_l1),
            constant_l2: Cache::new(chip.constant_l2),
            constant_lines: vec![Addresses::default(); run.warps_per_block() as usize],
            l1: Cache::sectored(Geometry { bytes, ..chip.l1 }, LINE as u32),
            atomics: HashMap::default(),
            loads: vec![Loads::default(); run.warps_per_block() as usize],
            waiting: 0,
            lines: Addresses::default(),
            pairs: Addresses::default(),
            written: HashMap::default(),
        }
    }

    pub(in crate::exec) fn clear(&mut self) {
        let Caches {
            constant_l1,
            constant_l2,
            constant_lines,
            l1,
            atomics,
            loads,
            waiting,
            lines,
            pairs,
            written,
        } = self;
        constant_lines.iter_mut().for_each(Addresses::clear);
        loads.iter_mut().for_each(|of| *of = Loads::default());
        *waiting = 0;
        for cache in [constant_l1, constant_l2, l1] {
            cache.clear();
        }
        atomics.clear();
        lines.clear();
        pairs.clear();
        written.clear();
    }
}
