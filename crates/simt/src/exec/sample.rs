//! What a few blocks of a launch show to the time model: their caches and their longest warp.

use super::Worker;
use crate::lanes::lanes;
use crate::model::access;
use crate::model::cache::{Cache, Found};
use crate::model::time::WarpCost;
use crate::program::{Access, Inst};

/// Only there while a sampled block runs.
pub(super) struct Caches {
    pub(super) constant_l1: Cache,
    pub(super) constant_l2: Cache,
    pub(super) l1: Cache,
}

impl Worker<'_> {
    #[cold]
    #[inline(never)]
    pub(super) fn begin_sample(&mut self) {
        let chip = self.run.chip;
        self.caches = Some(Box::new(Caches {
            constant_l1: Cache::new(chip.constant_l1),
            constant_l2: Cache::new(chip.constant_l2),
            l1: Cache::new(chip.l1),
        }));
        for warp in &mut self.warps {
            warp.cost = WarpCost::default();
        }
    }

    #[cold]
    #[inline(never)]
    pub(super) fn end_sample(&mut self) {
        self.caches = None;
        for warp in &self.warps {
            self.tally.sample.longest(&warp.cost);
        }
    }

    #[cold]
    #[inline(never)]
    pub(super) fn sample_global(&mut self, access: &Access, inst: &Inst, mask: u32) {
        let addresses = self.addresses(access, inst);
        let Some(caches) = &mut self.caches else { return };
        let sample = &mut self.tally.sample;
        let cost = &mut self.warps[self.warp].cost;
        let mut seen = u64::MAX;
        let (mut missed, mut new) = (false, 0);
        for l in lanes(mask) {
            let sector = addresses.0[l] / access::SECTOR;
            if sector == seen {
                continue;
            }
            seen = sector;
            let found = caches.l1.access(addresses.0[l]);
            sample.l1_sectors += 1;
            sample.l1_misses += u64::from(found != Found::Hit);
            sample.l1_first_touches += u64::from(found == Found::New);
            missed |= found != Found::Hit;
            new += u32::from(found == Found::New);
        }
        cost.l1_misses += u64::from(missed);
        // Less than a line is taken to be somebody else's line too, on its way to L2 already.
        cost.memory += u64::from(new >= (access::LINE / access::SECTOR) as u32);
        cost.lines += u64::from(access::lines(&addresses.0, mask) - 1);
    }

    #[cold]
    #[inline(never)]
    pub(super) fn sample_constant(
        &mut self,
        access: &Access,
        inst: &Inst,
        mask: u32,
        instructions: u64,
        distinct: u64,
    ) {
        let addresses = self.addresses(access, inst);
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
