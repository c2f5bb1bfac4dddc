//! Atomic operations and reductions: lane by lane, lowest first.

use super::address::little_endian;
use super::{Stop, Worker};
use crate::error::FaultKind;
use crate::lanes::{X, lanes};
use crate::memory::{LOCAL_WINDOW, SHARED_WINDOW};
use crate::model::access;
use crate::program::{AtomicUse, Inst, NONE, Space};
use crate::semantics::atomic::Operation;

impl Worker<'_> {
    #[inline(never)]
    pub(super) fn atomic(&mut self, inst: &Inst, mask: u32) -> Result<(), Stop> {
        let run = self.run;
        let access = &run.kernel.accesses[usize::from(inst.b)];
        let of = run.kernel.atomics[usize::from(inst.c)];
        let addresses = self.addresses(access, inst);
        let (a, b) = (self.read_element(access, 0), self.second_operand(inst, &of));
        let mut old = X::ZERO;
        if let Some(checks) = &mut self.checks {
            checks.release(self.warp, mask);
        }
        let (shared, shared_at) = match of.space {
            Space::Global => (0, X::ZERO),
            Space::Shared => (mask, addresses),
            Space::Generic => Self::in_window(&addresses, mask, SHARED_WINDOW),
        };
        if shared != 0 {
            self.atomic_shared(inst, &of, &shared_at, shared, [&a, &b], &mut old)?;
        }
        let rest = mask & !shared;
        let (local, local_at) = if of.space == Space::Generic {
            Self::in_window(&addresses, rest, LOCAL_WINDOW)
        } else {
            (0, X::ZERO)
        };
        if local != 0 {
            // Nobody else sees it: a load and a store.
            let lane = local.trailing_zeros() as usize;
            return Err(Stop::at(
                FaultKind::UnsupportedInstruction,
                lane,
                local_at.0[lane],
                u64::from(access.bytes),
            ));
        }
        if rest != 0 {
            self.atomic_global(inst, &of, &addresses, rest, [&a, &b], &mut old)?;
        }
        if let Some(checks) = &mut self.checks {
            checks.acquire(self.warp, mask);
        }
        if of.d == NONE {
            return Ok(());
        }
        if of.wide {
            let d = self.xi(of.d);
            self.x[d].set(&old, mask);
        } else {
            let d = self.wi(of.d);
            self.w[d].set(&old.narrowed(), mask);
        }
        Ok(())
    }

    /// The new value of a `cas`.
    fn second_operand(&self, inst: &Inst, of: &AtomicUse) -> X {
        if of.update.operation == Operation::CompareAndSwap {
            self.read_element(&self.run.kernel.accesses[usize::from(inst.b)], 1)
        } else {
            X::ZERO
        }
    }

    fn atomic_shared(
        &mut self,
        inst: &Inst,
        of: &AtomicUse,
        addresses: &X,
        mask: u32,
        [a, b]: [&X; 2],
        old: &mut X,
    ) -> Result<(), Stop> {
        let access = &self.run.kernel.accesses[usize::from(inst.b)];
        let width = u64::from(access.bytes);
        let far = Self::distant_lanes(addresses, mask);
        let near = mask & !far;
        if far != 0 {
            self.atomic_distant(inst, of, addresses, far, [a, b], old)?;
            if near == 0 {
                return Ok(());
            }
        }
        let mask = near;
        Self::aligned(addresses, mask, width)?;
        Self::inside(addresses, mask, width, self.shared.len() as u64, FaultKind::OutOfBoundsShared)?;
        if let Some(checks) = &mut self.checks {
            checks.atomic_shared(self.warp, inst.b, access, addresses, mask, of.looks())?;
        }
        self.tally.counters.shared_atomic_instructions += 1;
        if self.caches.is_some() {
            self.sample_shared_atomic(addresses, mask);
        }
        for l in lanes(mask) {
            let at = addresses.0[l] as usize;
            let before = little_endian(&self.shared, at, access.bytes);
            let after = of.update.apply(before, a.0[l], b.0[l]);
            self.note_change(before != after);
            let size = usize::from(access.bytes);
            self.shared[at..at + size].copy_from_slice(&after.to_le_bytes()[..size]);
            old.0[l] = before;
        }
        Ok(())
    }

    fn atomic_global(
        &mut self,
        inst: &Inst,
        of: &AtomicUse,
        addresses: &X,
        mask: u32,
        [a, b]: [&X; 2],
        old: &mut X,
    ) -> Result<(), Stop> {
        let run = self.run;
        let access = &run.kernel.accesses[usize::from(inst.b)];
        let width = u64::from(access.bytes);
        Self::aligned(addresses, mask, width)?;
        self.allocated(inst, addresses, mask, width)?;
        if self.checks.is_some() {
            if of.looks() {
                self.check_written(addresses, mask, width)?;
            }
            self.mark_written(addresses, mask, width);
        }
        if self.caches.is_some() {
            self.sample_global_atomic(addresses, mask);
        }
        let counters = &mut self.tally.counters;
        if of.d == NONE {
            counters.global_red_requests += 1;
            counters.global_red_sectors += u64::from(access::reduction(&addresses.0, mask));
        } else {
            counters.global_atomic_requests += 1;
            counters.global_atomic_sectors += u64::from(access::reduction(&addresses.0, mask));
        }
        let mut hint = self.hints[usize::from(inst.b)];
        for l in lanes(mask) {
            let at = addresses.0[l];
            if let Some(allocation) = run.global.find(at, at + width, &mut hint) {
                let update = |before| of.update.apply(before, a.0[l], b.0[l]);
                let before = run.global.update(allocation, at - allocation.base, access.bytes, update);
                self.note_change(before != update(before));
                old.0[l] = before;
            }
        }
        Ok(())
    }

    /// An atomic operation that changes nothing was a look at what others do.
    pub(super) fn note_change(&mut self, changed: bool) {
        self.did |= changed;
        self.looked |= !changed;
    }
}
