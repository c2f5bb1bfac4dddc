//! What a few blocks of a launch show to the time model: their caches and their longest warp.

use super::{Run, Worker};
use crate::WARP;
use crate::ir::{Access, Block};
use crate::lanes::X;
use crate::lanes::lanes;
use crate::model::access;
use crate::model::cache::Shape as CacheShape;
use crate::model::cache::{Addresses, Cache, Found};
use crate::model::time::{self, PAIR, WarpCost};
use foldhash::fast::RandomState;
use std::collections::HashMap;

/// Only there while a sampled block runs.
pub(super) struct Caches {
    pub(super) constant_l1: Cache,
    pub(super) constant_l2: Cache,
    pub(super) l1: Cache,
    /// Lines that atomic operations of this block changed, and how often.
    atomics: HashMap<u64, u64, RandomState>,
    /// Lines and pairs of sectors of global memory that this block has loaded.
    lines: Addresses,
    pairs: Addresses,
}

impl Caches {
    fn new(run: &Run<'_>) -> Self {
        let chip = run.chip;
        let shape = time::Shape {
            blocks: run.blocks(),
            warps_per_block: run.warps_per_block(),
            shared_bytes: u64::from(run.shared_bytes),
        };
        // The blocks that a multiprocessor has at a time share L1, and what one brings is of no use to another.
        let bytes = (u64::from(chip.l1.bytes) / shape.at_a_time(chip)) as u32;
        Caches {
            constant_l1: Cache::new(chip.constant_l1),
            constant_l2: Cache::new(chip.constant_l2),
            l1: Cache::new(CacheShape { bytes, ..chip.l1 }),
            atomics: HashMap::default(),
            lines: Addresses::default(),
            pairs: Addresses::default(),
        }
    }

    fn clear(&mut self) {
        let Caches { constant_l1, constant_l2, l1, atomics, lines, pairs } = self;
        for cache in [constant_l1, constant_l2, l1] {
            cache.clear();
        }
        atomics.clear();
        lines.clear();
        pairs.clear();
    }
}

/// Where the local memory of warps is taken to lie, for L1: above all global memory.
const LOCAL: u64 = 1 << 60;

impl Worker<'_> {
    #[cold]
    #[inline(never)]
    pub(super) fn begin_sample(&mut self) {
        let caches = self.spare_caches.take().unwrap_or_else(|| Box::new(Caches::new(self.run)));
        self.caches = Some(caches);
        for warp in &mut self.warps {
            warp.cost = WarpCost::default();
        }
    }

    #[cold]
    #[inline(never)]
    pub(super) fn end_sample(&mut self) {
        let sample = &mut self.tally.sample;
        sample.blocks += 1;
        if let Some(mut caches) = self.caches.take() {
            for (line, operations) in &caches.atomics {
                sample.atomics(*line, *operations, 1);
            }
            caches.clear();
            self.spare_caches = Some(caches);
        }
        for (n, warp) in self.warps.iter().enumerate() {
            sample.issue.add(&warp.cost.issue);
            sample.warp(self.block, n, &warp.cost);
        }
    }

    #[cold]
    #[inline(never)]
    pub(super) fn sample_block(&mut self, block: &Block) {
        let cost = &mut self.warps[self.warp].cost;
        cost.chain.add(&block.chain);
        cost.issue.add(&block.issue);
    }

    #[cold]
    #[inline(never)]
    pub(super) fn sample_global_atomic(&mut self, addresses: &X, mask: u32) {
        let Some(caches) = &mut self.caches else { return };
        for l in lanes(mask) {
            *caches.atomics.entry(addresses.0[l] / access::LINE).or_default() += 1;
        }
    }

    #[cold]
    #[inline(never)]
    pub(super) fn sample_shared_atomic(&mut self, addresses: &X, mask: u32) {
        // Lanes that ask for one word go together, as they do where they all add 1.
        let waves = access::wavefronts(&addresses.0.map(|a| a as u32), mask, 4, false);
        self.tally.sample.shared_atomics += 1;
        self.tally.sample.shared_atomic_wavefronts += u64::from(waves.wavefronts);
        self.warps[self.warp].cost.conflicts += u64::from(waves.conflicts);
    }

    #[cold]
    #[inline(never)]
    pub(super) fn sample_store(&mut self, access: &Access, mask: u32) {
        let addresses = self.addresses(access);
        let bytes = u64::from(access.width());
        let mut sectors: Vec<(u64, u64)> = vec![];
        for l in lanes(mask) {
            let sector = addresses.0[l] / access::SECTOR;
            match sectors.iter_mut().rfind(|(s, _)| *s == sector) {
                Some((_, written)) => *written += bytes,
                None => sectors.push((sector, bytes)),
            }
        }
        let sample = &mut self.tally.sample;
        sample.stored_sectors += sectors.len() as u64;
        sample.partly_stored += sectors.iter().filter(|(_, w)| *w < access::SECTOR).count() as u64;
    }

    #[cold]
    #[inline(never)]
    pub(super) fn sample_local(&mut self, addresses: &X, mask: u32, requests: u32, store: bool) {
        let words = self.warps[self.warp].local.len() as u64;
        let base = LOCAL + self.warp as u64 * words * 4 * WARP as u64;
        let Some(caches) = &mut self.caches else { return };
        let sample = &mut self.tally.sample;
        let place = |l: usize| base + (addresses.0[l] / 4 * WARP as u64 + l as u64) * 4;
        let mut missed = false;
        let (mut seen, mut lines): (Vec<(u64, u64)>, Vec<u64>) = (vec![], vec![]);
        for l in lanes(mask) {
            let (sector, line) = (place(l) / access::SECTOR, place(l) / access::LINE);
            if !lines.contains(&line) {
                lines.push(line);
            }
            if let Some((_, lanes)) = seen.iter_mut().find(|(s, _)| *s == sector) {
                *lanes += 1;
                continue;
            }
            seen.push((sector, 1));
            let miss = caches.l1.access(place(l)) != Found::Hit;
            missed |= miss;
            sample.local_misses += u64::from(miss);
        }
        sample.local_lines += lines.len() as u64;
        sample.local_requests += u64::from(requests);
        if store {
            // Stores go through to L2.
            sample.local_partly_stored +=
                seen.iter().filter(|(_, words)| 4 * words < access::SECTOR).count() as u64;
        }
        self.warps[self.warp].cost.l1_misses += u64::from(missed);
    }

    #[cold]
    #[inline(never)]
    pub(super) fn sample_global(&mut self, access: &Access, mask: u32) {
        let addresses = self.addresses(access);
        let Some(caches) = &mut self.caches else { return };
        let sample = &mut self.tally.sample;
        let cost = &mut self.warps[self.warp].cost;
        let mut seen = u64::MAX;
        let (mut missed, mut new) = (false, 0);
        let mut hint = 0;
        for l in lanes(mask) {
            let sector = addresses.0[l] / access::SECTOR;
            if sector == seen {
                continue;
            }
            seen = sector;
            let found = caches.l1.access(addresses.0[l]);
            sample.l1_sectors += 1;
            sample.l1_misses += u64::from(found != Found::Hit);
            missed |= found != Found::Hit;
            if found == Found::New {
                new += 1;
                let line = addresses.0[l] / access::LINE;
                if caches.lines.insert(line)
                    && self.run.global.find(addresses.0[l], addresses.0[l] + 1, &mut hint).is_some()
                {
                    let touched = sample.touched.entry(hint).or_default();
                    touched.lines += 1;
                    touched.at(addresses.0[l]);
                }
                if caches.pairs.insert(addresses.0[l] / PAIR)
                    && self.run.global.find(addresses.0[l], addresses.0[l] + 1, &mut hint).is_some()
                {
                    sample.touched.entry(hint).or_default().pairs += 1;
                }
            }
        }
        cost.l1_misses += u64::from(missed);
        // Less than a line is taken to be somebody else's line too, on its way to L2 already.
        cost.memory += u64::from(new >= (access::LINE / access::SECTOR) as u32);
        cost.lines += u64::from(access::lines(&addresses.0, mask) - 1);
    }

    #[cold]
    #[inline(never)]
    pub(super) fn sample_constant(&mut self, access: &Access, mask: u32, instructions: u64, distinct: u64) {
        let addresses = self.addresses(access);
        let Some(caches) = &mut self.caches else { return };
        let sample = &mut self.tally.sample;
        let cost = &mut self.warps[self.warp].cost;
        sample.constant_requests += instructions * distinct;
        cost.replays += instructions * (distinct - 1);
        for (n, l) in lanes(mask).enumerate() {
            if lanes(mask).take(n).any(|before| addresses.0[before] == addresses.0[l]) {
                continue;
            }
            if caches.constant_l1.access(addresses.0[l]) == Found::Miss {
                sample.constant_l1_misses += 1;
                cost.constant_l1_misses += 1;
                if caches.constant_l2.access(addresses.0[l]) == Found::Miss {
                    sample.constant_l2_misses += 1;
                    cost.constant_l2_misses += 1;
                }
            } else {
                // What the first cache holds, the second has seen.
                caches.constant_l2.access(addresses.0[l]);
            }
        }
    }
}
