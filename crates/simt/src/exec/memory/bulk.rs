//! `cp.async.bulk` and `st.async`: copies of many bytes that an object in shared memory counts. Each is done at once.

use crate::error::FaultKind;
use crate::exec::checks::GlobalAccessKind;
use crate::exec::current::CurrentBlock;
use crate::exec::fault::Stop;
use crate::exec::memory::access::{Access, Memory};
use crate::exec::memory::mbarrier::{Object, own};
use crate::exec::schedule::Schedule;
use crate::exec::worker::Worker;
use crate::ir::{Bulk, BulkOperands, Id, MemoryOperand};
use crate::lanes::{X, lanes};
use crate::memory::RANK_AT;
use crate::trace::AccessKind;
use std::ops::Range;

/// Alignment of addresses and sizes of bulk copies, bytes (PTX ISA, `cp.async.bulk`).
const UNIT: u64 = 16;

impl Worker<'_> {
    #[inline(never)]
    pub(in crate::exec) fn bulk(&mut self, copy: Id<BulkOperands>, mask: u32) -> Result<(), Stop> {
        let of = self.current.run.kernel[copy];
        self.current.cursor.did = true;
        let (to, from) = (
            self.current.block.registers.register_addresses(of.to),
            self.current.block.registers.register_addresses(of.from),
        );
        let objects = of.mbarrier.map(|at| self.current.block.registers.register_addresses(at));
        for l in lanes(mask) {
            let copied = self.bulk_of_lane(&of, l, to.0[l], from.0[l], objects.as_ref().map(|at| at.0[l]));
            copied.map_err(|stop| stop.after_lanes_before(l))?;
        }
        Ok(())
    }

    /// One lane's copy, or one for each block of the cluster that it is for.
    fn bulk_of_lane(
        &mut self,
        of: &BulkOperands,
        l: usize,
        to: u64,
        from: u64,
        object: Option<u64>,
    ) -> Result<(), Stop> {
        let id = of.access;
        let bytes = self.current.bulk_bytes(of, l);
        self.current.charge(bytes / 32);
        self.counts.count_bulk(of.bulk, bytes);
        let here = of.blocks.get().map_or(0, |blocks| {
            self.current.block.registers.w[self.current.block.registers.wi(blocks)].0[l] & 0xffff
        });
        // Without a mask one copy, to where the address says.
        for copy in 0..here.count_ones().max(1) {
            let aimed = |address: u64| match nth_bit(here, copy) {
                None => address & 0xffff_ffff,
                Some(rank) => address & ((1 << RANK_AT) - 1) | (u64::from(rank) + 1) << RANK_AT,
            };
            let to = if of.bulk == Bulk::SharedToGlobal { to } else { aimed(to) };
            match of.bulk {
                Bulk::GlobalToShared => self.global_to_shared(id, l, to, from, bytes)?,
                Bulk::SharedToGlobal => self.shared_to_global(id, l, to, from, bytes)?,
                Bulk::SharedToShared => self.shared_to_shared(id, l, to, from, bytes)?,
                Bulk::RegistersToShared => self.registers_to_shared(id, l, to)?,
            }
            if let Some(object) = object {
                self.current.completed(&mut self.schedule, l, aimed(object), bytes)?;
            }
        }
        Ok(())
    }

    /// Writes bytes to the shared memory of this block or of one of the cluster.
    fn put(
        &mut self,
        id: Id<MemoryOperand>,
        lane: usize,
        to: u64,
        bytes: &[u8],
        unit: u64,
    ) -> Result<(), Stop> {
        if !(to | bytes.len() as u64).is_multiple_of(unit) {
            return Err(Stop::at(FaultKind::MisalignedAddress, lane, to, unit));
        }
        let place = self.schedule.place_in_cluster(&self.current, lane, to, bytes.len() as u64)?;
        let memory = if to >> RANK_AT == 0 { Memory::Shared } else { Memory::Cluster };
        self.observe_piece(memory, AccessKind::Store, id, lane, to..to + bytes.len() as u64)?;
        self.schedule.block_at(&mut self.current, &place).shared[place.at..place.at + bytes.len()]
            .copy_from_slice(bytes);
        Ok(())
    }

    /// Shows observers a lane's access to a piece of shared memory.
    fn observe_piece(
        &mut self,
        memory: Memory,
        kind: AccessKind,
        id: Id<MemoryOperand>,
        lane: usize,
        range: Range<u64>,
    ) -> Result<(), Stop> {
        if !self.current.block.observers.observed {
            return Ok(());
        }
        let width = self.current.run.kernel[id].width();
        for at in range.step_by(width as usize) {
            let addresses = X::splat(at);
            let access = self.current.run.access_at(memory, kind, id, 1 << lane, &addresses);
            self.observe(&Access { values: Some(&[]), ..access }, None)?;
        }
        Ok(())
    }

    fn global_to_shared(
        &mut self,
        id: Id<MemoryOperand>,
        lane: usize,
        to: u64,
        from: u64,
        bytes: u64,
    ) -> Result<(), Stop> {
        let run = self.current.run;
        if !(from | bytes).is_multiple_of(UNIT) {
            return Err(Stop::at(FaultKind::MisalignedAddress, lane, from, UNIT));
        }
        if bytes == 0 {
            return Ok(());
        }
        let end = from.checked_add(bytes).ok_or_else(|| Stop::stray(lane, from, bytes))?;
        let hint = &mut self.sites.each[id.index()].hint;
        let a = run.global.find(from, end, hint).ok_or_else(|| Stop::stray(lane, from, bytes))?;
        if self.current.block.observers.checks.is_some() && a.written.nothing(from - a.base, bytes) {
            return Err(Stop::at(FaultKind::UninitialisedRead, lane, from, bytes));
        }
        // No more than fits is taken from a size that a register holds.
        if bytes > self.current.block.shared.len() as u64 {
            return Err(Stop::at(FaultKind::OutOfBoundsShared, lane, to, bytes));
        }
        self.current.touch_bytes(
            a,
            (id.number(), lane),
            GlobalAccessKind::Read,
            from - a.base..end - a.base,
            &[],
        )?;
        if run.options.checks.unread {
            a.reads.mark(from - a.base, bytes);
        }
        let mut copied = vec![0; bytes as usize];
        a.read(from - a.base, &mut copied);
        self.put(id, lane, to, &copied, UNIT)
    }

    fn shared_to_global(
        &mut self,
        id: Id<MemoryOperand>,
        lane: usize,
        to: u64,
        from: u64,
        bytes: u64,
    ) -> Result<(), Stop> {
        let run = self.current.run;
        let out = self.current.shared_range(lane, from, bytes)?;
        if !to.is_multiple_of(UNIT) {
            return Err(Stop::at(FaultKind::MisalignedAddress, lane, to, UNIT));
        }
        if bytes == 0 {
            return Ok(());
        }
        let end = to.checked_add(bytes).ok_or_else(|| Stop::stray(lane, to, bytes))?;
        let hint = &mut self.sites.each[id.index()].hint;
        let a = run.global.find(to, end, hint).ok_or_else(|| Stop::stray(lane, to, bytes))?;
        self.observe_piece(Memory::Shared, AccessKind::Load, id, lane, out.start as u64..out.end as u64)?;
        let copied = self.current.block.shared[out].to_vec();
        self.current.touch_bytes(
            a,
            (id.number(), lane),
            GlobalAccessKind::Write,
            to - a.base..end - a.base,
            &copied,
        )?;
        a.write(to - a.base, &copied);
        Ok(())
    }

    fn shared_to_shared(
        &mut self,
        id: Id<MemoryOperand>,
        lane: usize,
        to: u64,
        from: u64,
        bytes: u64,
    ) -> Result<(), Stop> {
        let out = self.current.shared_range(lane, from, bytes)?;
        self.observe_piece(Memory::Shared, AccessKind::Load, id, lane, out.start as u64..out.end as u64)?;
        let copied = self.current.block.shared[out].to_vec();
        self.put(id, lane, to, &copied, UNIT)
    }

    fn registers_to_shared(&mut self, id: Id<MemoryOperand>, lane: usize, to: u64) -> Result<(), Stop> {
        let access = &self.current.run.kernel[id];
        let size = usize::from(access.bytes);
        let mut bytes = [0; 16];
        for e in 0..usize::from(access.count) {
            let value = self.current.block.registers.read_element(access, e).0[lane].to_le_bytes();
            bytes[e * size..][..size].copy_from_slice(&value[..size]);
        }
        let width = access.width();
        self.put(id, lane, to, &bytes[..width as usize], u64::from(width))
    }
}

impl<'a> CurrentBlock<'a> {
    #[inline]
    fn bulk_bytes(&self, of: &BulkOperands, lane: usize) -> u64 {
        match of.bytes.get() {
            None => u64::from(self.run.kernel[of.access].width()),
            Some(bytes) => u64::from(self.block.registers.w[self.block.registers.wi(bytes)].0[lane]),
        }
    }

    /// Tells an object that bytes have come.
    #[inline]
    fn completed(
        &mut self,
        schedule: &mut Schedule<'a>,
        lane: usize,
        object: u64,
        bytes: u64,
    ) -> Result<(), Stop> {
        // A thread that waits for the object sees what was copied.
        let is_cluster = self.run.is_cluster;
        if let Some(checks) = &mut self.block.observers.checks {
            if is_cluster {
                checks.release(self.cursor.warp, 1 << lane);
            } else {
                checks.arrive_at_mbarrier(own(object), self.cursor.warp, 1 << lane);
            }
        }
        if !object.is_multiple_of(8) {
            return Err(Stop::at(FaultKind::MisalignedAddress, lane, object, 8));
        }
        let mut after = 0;
        let (before, _) = self.change_object(schedule, lane, object, |bits| {
            let mut object = Object::read(bits)
                .ok_or("the mbarrier of this copy was not initialised, or was written over")?;
            object.add_bytes(-(bytes as i64))?;
            object.settle();
            after = object.bits();
            Ok((after, false))
        })?;
        if !is_cluster {
            self.note_phase(object, before, after);
        }
        Ok(())
    }

    /// The place in the block's own shared memory of bytes that are copied.
    #[inline]
    fn shared_range(&self, lane: usize, at: u64, bytes: u64) -> Result<Range<usize>, Stop> {
        let at = at & 0xffff_ffff;
        if !(at | bytes).is_multiple_of(UNIT) {
            return Err(Stop::at(FaultKind::MisalignedAddress, lane, at, UNIT));
        }
        let end = at + bytes;
        if end > self.block.shared.len() as u64 {
            return Err(Stop::at(FaultKind::OutOfBoundsShared, lane, at, bytes));
        }
        Ok(at as usize..end as usize)
    }
}

/// The number of the n-th bit that is set.
fn nth_bit(bits: u32, n: u32) -> Option<u32> {
    (0..u32::BITS).filter(|bit| bits >> bit & 1 != 0).nth(n as usize)
}
