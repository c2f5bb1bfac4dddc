//! `cp.async`: copies from global to shared memory, each done at once. With checks, no thread may touch what one writes before
//! the thread has waited for it.

use crate::WARP;
use crate::error::FaultKind;
use crate::exec::current::CurrentBlock;
use crate::exec::fault::Stop;
use crate::exec::memory::access::{Access, Memory, Unit};
use crate::exec::registers::RegisterFile;
use crate::exec::worker::Worker;
use crate::ir::{CopyGroup, CopyOperands, Id};
use crate::lanes::{X, lanes};
use crate::memory::Allocation;
use crate::trace::AccessKind;

impl Worker<'_> {
    #[inline(never)]
    pub(in crate::exec) fn copy_async(&mut self, copy: Id<CopyOperands>, mask: u32) -> Result<(), Stop> {
        let copy = self.current.run.kernel[copy];
        let operand = &self.current.run.kernel[copy.access];
        self.current.cursor.did = true;
        let width = operand.width();
        let (from, to) = (
            self.current.block.registers.register_addresses(operand.address),
            self.current.block.registers.copy_destination(&copy),
        );
        let load = self.current.run.access_at(Memory::Global, AccessKind::Load, copy.access, mask, &from);
        let load = Access { unit: Unit::Copy, ..load };
        let store =
            Access { kind: AccessKind::Store, values: Some(&[]), ..load.of_lanes(Memory::Shared, mask, &to) };
        self.sites.check_alignment(&load)?;
        self.sites.check_inside(
            &store,
            self.current.block.shared.len() as u64,
            FaultKind::OutOfBoundsShared,
        )?;
        let bytes = self.current.block.registers.copy_bytes(&copy, width);
        let reading = lanes(mask).filter(|l| bytes[*l] > 0).fold(0, |m, l| m | 1 << l);
        let mut one = None;
        if reading != 0 {
            // As many bytes as the source is said to have: at least one.
            let load = Access { mask: reading, width: 1, ..load };
            one = self.sites.allocation(self.current.run, &load)?;
            // All of a lane's bytes may reach past the allocation that those which it reads are in.
            self.observe(&Access { width, ..load }, None)?;
        }
        self.observe(&store, None)?;
        if let Some(checks) = &mut self.current.block.observers.checks {
            checks.copy_begins(self.current.cursor.warp, &store, &to);
        }
        self.counts.count_copy(self.current.run, &from, &to, [reading, mask & !reading], width, copy.past_l1);
        self.current.copy(&from, &to, mask, &bytes, width, one)
    }

    /// Copies are done at once: what waits for them matters to checks alone.
    pub(in crate::exec) fn copy_group(&mut self, does: CopyGroup, mask: u32) -> Result<(), Stop> {
        if let Some(checks) = &mut self.current.block.observers.checks {
            let warp = self.current.cursor.warp;
            match does {
                CopyGroup::Commit => checks.copies_commit(warp, mask),
                CopyGroup::Wait { pending } => checks.copies_end(warp, mask, Some(pending)),
                CopyGroup::WaitAll => checks.copies_end(warp, mask, None),
            }
        }
        Ok(())
    }
}

impl RegisterFile {
    /// Addresses of shared memory.
    #[inline]
    fn copy_destination(&self, copy: &CopyOperands) -> X {
        X(self.register_addresses(copy.to).0.map(|at| at & 0xffff_ffff))
    }

    /// How many bytes each lane's source has; the rest of what is written is zero.
    #[inline]
    fn copy_bytes(&self, copy: &CopyOperands, width: u32) -> [u32; WARP] {
        let mut bytes = [width; WARP];
        if let Some(source_bytes) = copy.source_bytes.get() {
            let given = &self.w[self.wi(source_bytes)];
            bytes = std::array::from_fn(|l| given.0[l].min(width));
        }
        if let Some(ignore) = copy.ignore.get() {
            let ignored = self.p[self.p_base + ignore.offset()];
            for l in lanes(ignored) {
                bytes[l] = 0;
            }
        }
        bytes
    }
}

impl CurrentBlock<'_> {
    #[inline]
    fn copy(
        &mut self,
        from: &X,
        to: &X,
        mask: u32,
        bytes: &[u32; WARP],
        width: u32,
        one: Option<&Allocation>,
    ) -> Result<(), Stop> {
        let mut hint = 0;
        for l in lanes(mask) {
            let into = &mut self.block.shared[to.0[l] as usize..][..width as usize];
            into[bytes[l] as usize..].fill(0);
            if bytes[l] == 0 {
                continue;
            }
            let (first, end) = (from.0[l], from.0[l] + u64::from(bytes[l]));
            let inside = |a: &&Allocation| a.base <= first && end <= a.base + a.bytes;
            match one.filter(inside).or_else(|| self.run.global.find(first, end, &mut hint)) {
                Some(a) => a.read(first - a.base, &mut into[..bytes[l] as usize]),
                None => {
                    // The first byte that is in no allocation.
                    let stray =
                        (first..end).find(|at| self.run.global.find(*at, at + 1, &mut hint).is_none());
                    let at = stray.unwrap_or(first);
                    return Err(Stop::at(FaultKind::OutOfBoundsGlobal, l, at, u64::from(width)));
                }
            }
        }
        Ok(())
    }
}
