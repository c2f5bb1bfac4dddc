//! Atomic operations and reductions: lane by lane, lowest first.

use crate::error::FaultKind;
use crate::exec::current::CurrentBlock;
use crate::exec::fault::Stop;
use crate::exec::launch::Run;
use crate::exec::memory::access::{Access, Memory, Unit};
use crate::exec::memory::bits::little_endian;
use crate::exec::memory::generic::in_window;
use crate::exec::memory::sites::Sites;
use crate::exec::worker::Worker;
use crate::ir::{AtomicOperands, Id, Space};
use crate::lanes::{X, lanes};
use crate::memory::{LOCAL_WINDOW, SHARED_WINDOW};
use crate::semantics::atomic::Operation;
use crate::trace::AccessKind;

impl<'a> Run<'a> {
    /// The access of an atomic operation, of lanes that change one memory.
    #[inline]
    fn atomic_access<'b>(
        &self,
        memory: Memory,
        of: &AtomicOperands,
        width: u32,
        mask: u32,
        addresses: &'b X,
    ) -> Access<'b>
    where
        'a: 'b,
    {
        let unit = if of.space == Space::Generic { Unit::Generic } else { Unit::Thread };
        let access = self.access_at(memory, AccessKind::Atomic, of.access, mask, addresses);
        Access { unit, width, looks: of.looks(), ..access }
    }
}

impl Worker<'_> {
    #[inline(never)]
    pub(in crate::exec) fn atomic(&mut self, atomic: Id<AtomicOperands>, mask: u32) -> Result<(), Stop> {
        let of = self.current.run.kernel[atomic];
        let operand = &self.current.run.kernel[of.access];
        let addresses = self.current.block.registers.register_addresses(operand.address);
        if let Some(checks) = &mut self.current.block.observers.checks {
            checks.release(self.current.cursor.warp, mask);
        }
        if operand.count == 2 {
            self.atomic_wide(&of, &addresses, mask)?;
        } else {
            self.atomic_narrow(&of, &addresses, mask)?;
        }
        if let Some(checks) = &mut self.current.block.observers.checks {
            checks.acquire(self.current.cursor.warp, mask);
        }
        Ok(())
    }

    /// Operations on up to 64 bits.
    fn atomic_narrow(&mut self, of: &AtomicOperands, addresses: &X, mask: u32) -> Result<(), Stop> {
        let operand = &self.current.run.kernel[of.access];
        let width = u32::from(operand.bytes);
        // The new value of a `cas` is its second operand.
        let swaps = of.update.operation == Operation::CompareAndSwap;
        let b = if swaps { self.current.block.registers.read_element(operand, 1) } else { X::ZERO };
        let values = [&self.current.block.registers.read_element(operand, 0), &b];
        let mut old = X::ZERO;
        let (shared, shared_at) = in_shared(of.space, addresses, mask);
        let rest = mask & !shared;
        if of.space == Space::Generic {
            self.sites.check_generic_atomic(self.current.run, of, width, rest, addresses)?;
        }
        if shared != 0 {
            let access = self.current.run.atomic_access(Memory::Shared, of, width, shared, &shared_at);
            self.atomic_shared(&access, of, values, &mut old)?;
        }
        if of.space == Space::Generic && of.update.ty.bytes() != 2 {
            if shared == 0 {
                self.counts.count_generic_atomic(of, mask);
            } else {
                self.counts.count_generic_shared_atomic(of);
            }
        }
        if rest != 0 {
            let access = self.current.run.atomic_access(Memory::Global, of, width, rest, addresses);
            self.atomic_global(&access, of, values, &mut old)?;
        }
        if self.current.run.floats.is_some() {
            self.observers.note_old(old);
        }
        let Some(d) = of.d.get() else { return Ok(()) };
        if of.wide {
            let d = self.current.block.registers.xi(d);
            self.current.block.registers.x[d].set(&old, mask);
        } else {
            self.current.block.registers.write_word(d, &old.narrowed(), mask);
        }
        Ok(())
    }

    /// `exch` and `cas` of 128 bits.
    fn atomic_wide(&mut self, of: &AtomicOperands, addresses: &X, mask: u32) -> Result<(), Stop> {
        let run = self.current.run;
        let operand = &run.kernel[of.access];
        let swap = of.update.operation == Operation::CompareAndSwap;
        let values: [X; 4] = std::array::from_fn(|n| {
            if n < 2 || swap { self.current.block.registers.read_element(operand, n) } else { X::ZERO }
        });
        let (shared, shared_at) = in_shared(of.space, addresses, mask);
        let rest = mask & !shared;
        if shared != 0 {
            let access = self.current.run.atomic_access(Memory::Shared, of, 16, shared, &shared_at);
            self.sites.check_inside(
                &access,
                self.current.block.shared.len() as u64,
                FaultKind::OutOfBoundsShared,
            )?;
            self.observe(&access, None)?;
        }
        if rest != 0 {
            let access = self.current.run.atomic_access(Memory::Global, of, 16, rest, addresses);
            let one = self.sites.allocation(self.current.run, &access)?;
            self.observe(&access, one)?;
        }
        self.counts.count_wide_atomic(addresses, shared, rest);
        let mut hint = self.sites.each[of.access.index()].hint;
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
                let memory = &mut self.current.block.shared;
                let before = [little_endian(memory, at, 8), little_endian(memory, at + 8, 8)];
                let [low, high] = update(before);
                let words = memory[at..at + 16].as_chunks_mut().0;
                (words[0], words[1]) = (low.to_le_bytes(), high.to_le_bytes());
                before
            } else if let Some(allocation) = run.global.find(at, at + 16, &mut hint) {
                run.global.update_wide(allocation, at - allocation.base, update)
            } else {
                continue;
            };
            self.current.note_change(before != update(before));
            (old[0].0[l], old[1].0[l]) = (before[0], before[1]);
        }
        for (register, old) in [of.d, of.high].into_iter().zip(&old) {
            if let Some(d) = register.get() {
                let d = self.current.block.registers.xi(d);
                self.current.block.registers.x[d].set(old, mask);
            }
        }
        Ok(())
    }

    fn atomic_shared(
        &mut self,
        access: &Access<'_>,
        of: &AtomicOperands,
        values: [&X; 2],
        old: &mut X,
    ) -> Result<(), Stop> {
        let addresses = self.sites.addresses(access);
        let far = CurrentBlock::distant_lanes(&addresses, access.mask);
        if far != 0 {
            self.atomic_distant(&access.of_lanes(Memory::Cluster, far, &addresses), of, values, old)?;
        }
        let near = access.mask & !far;
        if near == 0 {
            return Ok(());
        }
        let access = &access.of_lanes(Memory::Shared, near, &addresses);
        self.sites.check_inside(
            access,
            self.current.block.shared.len() as u64,
            FaultKind::OutOfBoundsShared,
        )?;
        self.observe(access, None)?;
        self.counts.count_shared_atomic(&mut self.current, of, &addresses, near, values);
        let changes = of.update.change(&mut self.current.block.shared, &addresses, near, values, old);
        self.current.cursor.did |= changes.some;
        self.current.cursor.looked |= changes.not_all;
        Ok(())
    }

    fn atomic_global(
        &mut self,
        access: &Access<'_>,
        of: &AtomicOperands,
        values: [&X; 2],
        old: &mut X,
    ) -> Result<(), Stop> {
        let run = self.current.run;
        let addresses = self.sites.addresses(access);
        let one = self.sites.allocation(self.current.run, access)?;
        self.observe(access, one)?;
        self.counts.count_global_atomic(self.current.run, of, &addresses, access.mask, values);
        let [a, b] = values;
        let bytes = access.operand.bytes;
        let mut hint = self.sites.each[access.id.index()].hint;
        for l in lanes(access.mask) {
            let at = addresses.0[l];
            if let Some(allocation) = one.or_else(|| run.global.find(at, at + u64::from(bytes), &mut hint)) {
                let update = |before| of.update.apply(before, a.0[l], b.0[l]);
                let before = run.global.update(allocation, at - allocation.base, bytes, update);
                self.current.note_change(before != update(before));
                old.0[l] = before;
            }
        }
        Ok(())
    }
}

impl Sites {
    /// Whether the lanes that change no shared memory may do what they are about to: before any lane does it.
    #[inline]
    fn check_generic_atomic(
        &mut self,
        run: &Run<'_>,
        of: &AtomicOperands,
        width: u32,
        rest: u32,
        addresses: &X,
    ) -> Result<(), Stop> {
        let (local, at) = in_window(addresses, rest, LOCAL_WINDOW);
        if local != 0 {
            let lane = local.trailing_zeros() as usize;
            return Err(Stop::at(FaultKind::UnsupportedInstruction, lane, at.0[lane], width.into()));
        }
        if rest != 0 {
            let access = run.atomic_access(Memory::Global, of, width, rest, addresses);
            self.allocation(run, &access)?;
        }
        Ok(())
    }
}

impl CurrentBlock<'_> {
    /// An atomic operation that changes nothing was a look at what others do.
    #[inline]
    pub(in crate::exec) fn note_change(&mut self, changed: bool) {
        self.cursor.did |= changed;
        self.cursor.looked |= !changed;
    }
}

/// The lanes that change shared memory, and their addresses there.
fn in_shared(space: Space, addresses: &X, mask: u32) -> (u32, X) {
    match space {
        Space::Global => (0, X::ZERO),
        Space::Shared => (mask, *addresses),
        Space::Generic => in_window(addresses, mask, SHARED_WINDOW),
    }
}
