//! Samples for the time model: caches and longest warp of a few blocks of a launch.

use super::access::{Access, Memory, Unit};
use super::caches::Caches;
use super::worker::Worker;
use crate::WARP;
use crate::ir::Block;
use crate::lanes::lanes;
use crate::model::access;
use crate::model::cache::Found;
use crate::model::chip::L1Keeps;
use crate::model::time::{PAIR, WarpCost};
use crate::trace::AccessKind;

/// Where the local memory of warps is taken to lie, for L1: above all global memory.
const LOCAL: u64 = 1 << 60;

impl Worker<'_> {
    #[cold]
    #[inline(never)]
    pub(super) fn begin_sample(&mut self) {
        let caches = self.spare_caches.take().unwrap_or_else(|| Box::new(Caches::new(self.run)));
        self.block.caches = Some(caches);
        for warp in &mut self.block.warps {
            warp.cost = WarpCost::default();
        }
    }

    #[cold]
    #[inline(never)]
    pub(super) fn end_sample(&mut self) {
        let sample = &mut self.tally.sample;
        sample.blocks += 1;
        if let Some(mut caches) = self.block.caches.take() {
            for (line, operations) in &caches.atomics {
                sample.atomics(*line, *operations, 1);
            }
            caches.clear();
            self.spare_caches = Some(caches);
        }
        for (n, warp) in self.block.warps.iter().enumerate() {
            sample.issue.add(&warp.cost.issue);
            sample.warp(self.block.number, n, &warp.cost);
        }
    }

    /// Shows the time model an access of the sampled block that runs.
    #[cold]
    #[inline(never)]
    pub(super) fn sample_access(&mut self, access: &Access<'_>) {
        use AccessKind::{Atomic, Load, Store};
        match (access.memory, access.kind) {
            // Of loads and stores through generic addresses, those that are all of global memory.
            (Memory::Global, Load) if access.addresses.is_none() => self.sample_global(access),
            (Memory::Global, Store) if access.addresses.is_none() => self.sample_store(access),
            (Memory::Global, Load | Store) => {}
            (Memory::Global, Atomic) => self.sample_global_atomic(access),
            (Memory::Shared, Load) => self.sample_conflicts(access),
            // `stmatrix` waits for its banks as `ldmatrix` does.
            (Memory::Shared, Store) if access.unit == Unit::Matrix => self.sample_conflicts(access),
            (Memory::Shared, Atomic) if access.unit != Unit::Lane => self.sample_shared_atomic(access),
            (Memory::Shared, Store | Atomic) | (Memory::Cluster, _) => {}
            (Memory::Constant, _) if access.unit == Unit::Thread => self.sample_constant(access),
            (Memory::Constant | Memory::Parameter, _) => {}
            (Memory::Local, _) => self.sample_local(access),
        }
    }

    fn sample_conflicts(&mut self, access: &Access<'_>) {
        if access.unit != Unit::Lane {
            let [_, conflicts] = self.wavefronts(access, access.unit == Unit::Generic);
            self.block.warps[self.cursor.warp].cost.conflicts += conflicts;
        }
    }

    #[cold]
    #[inline(never)]
    pub(super) fn sample_block(&mut self, block: &Block) {
        let cost = &mut self.block.warps[self.cursor.warp].cost;
        cost.chain.add(&block.chain);
        cost.issue.add(&block.issue);
    }

    #[cold]
    #[inline(never)]
    fn sample_global_atomic(&mut self, access: &Access<'_>) {
        let (addresses, mask) = (self.addresses(access), access.mask);
        let Some(caches) = &mut self.block.caches else { return };
        for l in lanes(mask) {
            *caches.atomics.entry(addresses.0[l] / access::LINE).or_default() += 1;
        }
    }

    #[cold]
    #[inline(never)]
    fn sample_shared_atomic(&mut self, access: &Access<'_>) {
        let (addresses, mask) = (self.addresses(access), access.mask);
        // Lanes that ask for one word go together, as they do where they all add 1.
        let waves = access::wavefronts(&addresses.0.map(|a| a as u32), mask, 4, false);
        self.tally.sample.shared_atomics += 1;
        self.tally.sample.shared_atomic_wavefronts += u64::from(waves.wavefronts);
        self.block.warps[self.cursor.warp].cost.conflicts += u64::from(waves.conflicts);
    }

    #[cold]
    #[inline(never)]
    fn sample_store(&mut self, access: &Access<'_>) {
        let (addresses, mask) = (self.addresses(access), access.mask);
        let bytes = u64::from(access.width);
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
    fn sample_local(&mut self, access: &Access<'_>) {
        let Some(cost) = self.local_cost(access) else { return };
        let (addresses, mask) = (self.addresses(access), access.mask);
        let store = access.kind == AccessKind::Store;
        let words = self.block.warps[self.cursor.warp].local.len() as u64;
        let base = LOCAL + self.cursor.warp as u64 * words * 4 * WARP as u64;
        let keeps = self.run.chip.l1_keeps == L1Keeps::Loads;
        let Some(caches) = &mut self.block.caches else { return };
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
            let found = if keeps { caches.l1.access(place(l)) } else { caches.l1.pass(place(l)) };
            let miss = found != Found::Hit;
            missed |= miss;
            sample.local_misses += u64::from(miss);
        }
        sample.local_lines += lines.len() as u64;
        sample.local_requests += u64::from(cost.requests);
        if store {
            // Stores go through to L2.
            sample.local_partly_stored +=
                seen.iter().filter(|(_, words)| 4 * words < access::SECTOR).count() as u64;
        }
        self.block.warps[self.cursor.warp].cost.l1_misses += u64::from(missed);
    }

    #[cold]
    #[inline(never)]
    fn sample_global(&mut self, access: &Access<'_>) {
        let (addresses, mask) = (self.addresses(access), access.mask);
        let keeps = self.run.chip.l1_keeps == L1Keeps::Loads || access.operand.read_only;
        let turns = access::turns(&self.places(&addresses, mask), mask, access.width, false);
        let Some(caches) = &mut self.block.caches else { return };
        let sample = &mut self.tally.sample;
        let cost = &mut self.block.warps[self.cursor.warp].cost;
        let mut seen = Vec::with_capacity(WARP);
        let (mut missed, mut new) = (false, 0);
        let mut hint = 0;
        for l in lanes(mask) {
            let sector = addresses.0[l] / access::SECTOR;
            if seen.contains(&sector) {
                continue;
            }
            seen.push(sector);
            let at = addresses.0[l];
            let found = if keeps { caches.l1.access(at) } else { caches.l1.pass(at) };
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
        cost.turns += u64::from(turns.cycles() - 1);
    }

    #[cold]
    #[inline(never)]
    fn sample_constant(&mut self, access: &Access<'_>) {
        let addresses = self.addresses(access);
        let (instructions, firsts) = self.constant_passes(access);
        let distinct = u64::from(firsts.count_ones());
        let Some(caches) = &mut self.block.caches else { return };
        let sample = &mut self.tally.sample;
        let cost = &mut self.block.warps[self.cursor.warp].cost;
        sample.constant_requests += instructions * distinct;
        cost.replays += instructions * (distinct - 1);
        for l in lanes(firsts) {
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
