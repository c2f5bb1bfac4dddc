//! Atomic operations and reductions: lane by lane, lowest first.

use super::address::little_endian;
use super::{Stop, Worker};
use crate::WARP;
use crate::error::FaultKind;
use crate::ir::{Access, AtomicUse, Id, NONE, Space};
use crate::lanes::{X, lanes};
use crate::memory::{LOCAL_WINDOW, SHARED_WINDOW};
use crate::model::access::{self, SharedLoop, Wavefronts};
use crate::semantics::atomic::Operation;

impl Worker<'_> {
    #[inline(never)]
    pub(super) fn atomic(&mut self, atomic: Id<AtomicUse>, mask: u32) -> Result<(), Stop> {
        let run = self.run;
        let of = run.kernel[atomic];
        let id = of.access;
        let access = &run.kernel[id];
        if access.count == 2 {
            return self.atomic_wide(of, mask);
        }
        let addresses = self.addresses(access);
        let (a, b) = (self.read_element(access, 0), self.second_operand(id, &of));
        let mut old = X::ZERO;
        if let Some(checks) = &mut self.checks {
            checks.release(self.warp, mask);
        }
        let (shared, shared_at) = Self::in_shared(of.space, &addresses, mask);
        if shared != 0 {
            self.atomic_shared(id, &of, &shared_at, shared, [&a, &b], &mut old)?;
        }
        if of.space == Space::Generic && of.update.ty.bytes() != 2 {
            if shared == 0 {
                self.count_generic_atomic(&of, mask);
            } else {
                self.tally.counters.generic_atomic_instructions += u64::from(of.is_native());
            }
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
            self.atomic_global(id, &of, &addresses, rest, [&a, &b], &mut old)?;
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

    /// `exch` and `cas` of 128 bits.
    fn atomic_wide(&mut self, of: AtomicUse, mask: u32) -> Result<(), Stop> {
        let run = self.run;
        let id = of.access;
        let access = &run.kernel[id];
        let addresses = self.addresses(access);
        let swap = of.update.operation == Operation::CompareAndSwap;
        let values: [X; 4] =
            std::array::from_fn(|n| if n < 2 || swap { self.read_element(access, n) } else { X::ZERO });
        if let Some(checks) = &mut self.checks {
            checks.release(self.warp, mask);
        }
        let (shared, shared_at) = Self::in_shared(of.space, &addresses, mask);
        let rest = mask & !shared;
        Self::aligned(&shared_at, shared, 16)?;
        Self::inside(&shared_at, shared, 16, self.shared.len() as u64, FaultKind::OutOfBoundsShared)?;
        Self::aligned(&addresses, rest, 16)?;
        self.allocated(id, &addresses, rest, 16)?;
        if let Some(checks) = &mut self.checks
            && shared != 0
        {
            checks.atomic_shared(self.warp, id.number(), access, &shared_at, shared, of.looks())?;
        }
        if self.checks.is_some() && rest != 0 {
            if of.looks() {
                self.check_written(&addresses, rest, 16)?;
            }
            self.mark_written(&addresses, rest, 16)?;
        }
        let counters = &mut self.tally.counters;
        counters.shared_atomic_instructions += u64::from(shared != 0);
        if rest != 0 {
            counters.global_atomic_requests += 1;
            counters.global_atomic_sectors += u64::from(access::reduction(&addresses.0, rest));
        }
        let mut hint = self.hints[id.index()];
        let mut old = [X::ZERO; 2];
        for l in lanes(mask) {
            let given = [values[0].0[l], values[1].0[l]];
            let update = |before: [u64; 2]| match swap {
                false => given,
                true if before == given => [values[2].0[l], values[3].0[l]],
                true => before,
            };
            let at = addresses.0[l];
            let before = if shared >> l & 1 != 0 {
                let at = shared_at.0[l] as usize;
                let before = [little_endian(&self.shared, at, 8), little_endian(&self.shared, at + 8, 8)];
                let [low, high] = update(before);
                self.shared[at..at + 8].copy_from_slice(&low.to_le_bytes());
                self.shared[at + 8..at + 16].copy_from_slice(&high.to_le_bytes());
                before
            } else if let Some(allocation) = run.global.find(at, at + 16, &mut hint) {
                run.global.update_wide(allocation, at - allocation.base, update)
            } else {
                continue;
            };
            self.note_change(before != update(before));
            (old[0].0[l], old[1].0[l]) = (before[0], before[1]);
        }
        if let Some(checks) = &mut self.checks {
            checks.acquire(self.warp, mask);
        }
        for (number, old) in [of.d, of.high].into_iter().zip(&old) {
            if number != NONE {
                let d = self.xi(number);
                self.x[d].set(old, mask);
            }
        }
        Ok(())
    }

    /// The lanes that change shared memory, and their addresses there.
    fn in_shared(space: Space, addresses: &X, mask: u32) -> (u32, X) {
        match space {
            Space::Global => (0, X::ZERO),
            Space::Shared => (mask, *addresses),
            Space::Generic => Self::in_window(addresses, mask, SHARED_WINDOW),
        }
    }

    /// The new value of a `cas`.
    fn second_operand(&self, id: Id<Access>, of: &AtomicUse) -> X {
        if of.update.operation == Operation::CompareAndSwap {
            self.read_element(&self.run.kernel[id], 1)
        } else {
            X::ZERO
        }
    }

    fn atomic_shared(
        &mut self,
        id: Id<Access>,
        of: &AtomicUse,
        addresses: &X,
        mask: u32,
        [a, b]: [&X; 2],
        old: &mut X,
    ) -> Result<(), Stop> {
        let access = &self.run.kernel[id];
        let width = u64::from(access.bytes);
        let far = Self::distant_lanes(addresses, mask);
        let near = mask & !far;
        if far != 0 {
            self.atomic_distant(id, of, addresses, far, [a, b], old)?;
            if near == 0 {
                return Ok(());
            }
        }
        let mask = near;
        Self::aligned(addresses, mask, width)?;
        Self::inside(addresses, mask, width, self.shared.len() as u64, FaultKind::OutOfBoundsShared)?;
        if let Some(checks) = &mut self.checks
            && let Err(stop) =
                checks.atomic_shared(self.warp, id.number(), access, addresses, mask, of.looks())
        {
            checks.excuse_shared(self.run.kernel, self.spent, id.number(), stop)?;
        }
        self.count_shared_atomic(of, addresses, mask, [a, b]);
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
        id: Id<Access>,
        of: &AtomicUse,
        addresses: &X,
        mask: u32,
        [a, b]: [&X; 2],
        old: &mut X,
    ) -> Result<(), Stop> {
        let run = self.run;
        let access = &run.kernel[id];
        let width = u64::from(access.bytes);
        Self::aligned(addresses, mask, width)?;
        self.allocated(id, addresses, mask, width)?;
        if self.checks.is_some() {
            if of.looks() {
                self.check_written(addresses, mask, width)?;
            }
            self.mark_written(addresses, mask, width)?;
        }
        if self.caches.is_some() {
            self.sample_global_atomic(addresses, mask);
        }
        self.count_global_atomic(of, addresses, mask, [a, b]);
        let mut hint = self.hints[id.index()];
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

    /// An instruction through generic addresses of which no lane reaches shared memory: it passes through it all the same.
    fn count_generic_atomic(&mut self, of: &AtomicUse, mask: u32) {
        // What changes half a word is a loop of compare-and-swaps.
        let bytes = u32::from(of.update.ty.bytes());
        let swap = of.update.operation == Operation::CompareAndSwap || bytes == 2;
        let counters = &mut self.tally.counters;
        counters.generic_atomic_instructions += 1;
        counters.shared_atomic_wavefronts += u64::from(access::elsewhere(mask, bytes, swap));
    }

    /// What an operation on shared memory counts, of lanes that have not done it yet.
    #[cold]
    #[inline(never)]
    fn count_shared_atomic(&mut self, of: &AtomicUse, addresses: &X, mask: u32, [a, b]: [&X; 2]) {
        let at = addresses.0.map(|a| a as u32);
        let (bytes, operation) = (u32::from(of.update.ty.bytes()), of.update.operation);
        let swap = operation == Operation::CompareAndSwap;
        if of.is_native() {
            let waves = if of.adds_one && of.reduces && of.space == Space::Shared {
                access::wavefronts(&at, mask, bytes, false)
            } else {
                access::shared_atomic(&at, mask, bytes, swap)
            };
            let counters = &mut self.tally.counters;
            counters.shared_atomic_instructions += u64::from(of.space == Space::Shared);
            counters.shared_atomic_wavefronts += u64::from(waves.wavefronts);
            counters.shared_atomic_bank_conflicts += u64::from(waves.conflicts);
            return;
        }
        // Loops are of whole words.
        let words = at.map(|a| a & !(bytes.max(4) - 1));
        let before: [u64; WARP] = std::array::from_fn(|l| match mask >> l & 1 {
            1 => {
                let word = words[l] as usize..words[l] as usize + bytes.max(4) as usize;
                // The last word may be a part of one.
                word.rev().fold(0, |value, at| value << 8 | self.shared.get(at).map_or(0, |b| u64::from(*b)))
            }
            _ => 0,
        });
        let cost = if swap {
            let swap = |l: usize, word| half_swap(at[l].into(), word, a.0[l], b.0[l]);
            let rounds = access::swap_rounds(&words.map(u64::from), mask, &before, swap);
            let mut atomic = Wavefronts::NONE;
            rounds.iter().for_each(|m| atomic.add(access::shared_atomic(&words, *m, 4, true)));
            let load = access::wavefronts(&words, mask, 4, false);
            SharedLoop { atomics: rounds.len() as u32, atomic, loads: 1, load }
        } else {
            let update = |l: usize, word| match bytes {
                2 => half_update(at[l].into(), word, |half| of.update.apply(half, a.0[l], 0)),
                _ => of.update.apply(word, a.0[l], 0),
            };
            let leaves = bytes == 8 && matches!(operation, Operation::Min | Operation::Max);
            access::shared_atomic_loop(&words, mask, bytes.max(4), &before, update, leaves)
        };
        let counters = &mut self.tally.counters;
        counters.shared_atomic_instructions += u64::from(cost.atomics);
        counters.shared_atomic_wavefronts += u64::from(cost.atomic.wavefronts);
        counters.shared_atomic_bank_conflicts += u64::from(cost.atomic.conflicts);
        counters.shared_load_instructions += u64::from(cost.loads);
        counters.shared_load_wavefronts += u64::from(cost.load.wavefronts);
        counters.shared_load_bank_conflicts += u64::from(cost.load.conflicts);
    }

    /// What an operation on global memory counts, of lanes that have not done it yet.
    #[cold]
    #[inline(never)]
    fn count_global_atomic(&mut self, of: &AtomicUse, addresses: &X, mask: u32, [a, b]: [&X; 2]) {
        let places = self.places(addresses, mask);
        let swap = of.update.operation == Operation::CompareAndSwap;
        if of.update.ty.bytes() != 2 {
            let cost = access::atomic(&places, mask, swap);
            let counters = &mut self.tally.counters;
            if of.reduces && of.space == Space::Global {
                counters.global_red_requests += 1;
                counters.global_red_sectors += u64::from(cost.sectors);
            } else {
                counters.global_atomic_requests += 1;
                counters.global_atomic_sectors += u64::from(cost.sectors);
                counters.generic_atomic_instructions += u64::from(of.space == Space::Global);
            }
            return;
        }
        let words = places.map(|at| at & !3);
        let mut hint = 0;
        let before: [u64; WARP] = std::array::from_fn(|l| {
            let at = addresses.0[l] & !3;
            match self.run.global.find(at, at + 2, &mut hint) {
                Some(a) if mask >> l & 1 == 1 => a.load(at - a.base, 4),
                _ => 0,
            }
        });
        let rounds = access::swap_rounds(&words, mask, &before, |l, word| {
            if swap {
                return half_swap(addresses.0[l], word, a.0[l], b.0[l]);
            }
            (word, half_update(addresses.0[l], word, |half| of.update.apply(half, a.0[l], 0)))
        });
        let counters = &mut self.tally.counters;
        counters.global_load_requests += 1;
        counters.global_load_sectors += u64::from(access::sectors(&words, mask));
        counters.global_load_lines += u64::from(access::lines(&words, mask));
        if of.space == Space::Generic {
            counters.generic_load_instructions += 1;
            rounds.iter().for_each(|round| self.count_generic_atomic(of, *round));
        }
        let counters = &mut self.tally.counters;
        for round in rounds {
            counters.global_atomic_requests += 1;
            counters.global_atomic_sectors += u64::from(access::atomic(&words, round, true).sectors);
            counters.generic_atomic_instructions += u64::from(of.space == Space::Global);
        }
    }

    /// An atomic operation that changes nothing was a look at what others do.
    pub(super) fn note_change(&mut self, changed: bool) {
        self.did |= changed;
        self.looked |= !changed;
    }
}

/// The word around a half word, with another one in its place.
fn half_update(address: u64, word: u64, update: impl Fn(u64) -> u64) -> u64 {
    let shift = 8 * (address & 2);
    word & !(0xffff << shift) | (update(word >> shift & 0xffff) & 0xffff) << shift
}

/// The word that a compare-and-swap of half of it expects, and the one that it would put in its place.
fn half_swap(address: u64, word: u64, expected: u64, new: u64) -> (u64, u64) {
    (half_update(address, word, |_| expected), half_update(address, word, |_| new))
}
