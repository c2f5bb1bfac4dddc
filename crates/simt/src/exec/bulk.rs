//! `cp.async.bulk` and `st.async`: copies of many bytes that an object in shared memory counts. Each is done at once.

use super::mbarrier::Object;
use super::{Stop, Worker};
use crate::WARP;
use crate::error::FaultKind;
use crate::lanes::{X, lanes};
use crate::memory::NULL_PAGE;
use crate::program::{At, Bulk, BulkUse, Inst, NONE};

/// What addresses and sizes of bulk copies are multiples of (PTX ISA, `cp.async.bulk`).
const UNIT: u64 = 16;

impl Worker<'_> {
    fn place(&self, at: At) -> X {
        let offset = i64::from(at.offset) as u64;
        let base =
            if at.wide { self.x[self.xi(at.register)] } else { self.w[self.wi(at.register)].widened() };
        X(base.0.map(|a| a.wrapping_add(offset)))
    }

    #[inline(never)]
    pub(super) fn bulk(&mut self, inst: &Inst, mask: u32) -> Result<(), Stop> {
        let of = self.run.kernel.bulks[usize::from(inst.c)];
        self.did = true;
        let (to, from) = (self.place(of.to), self.place(of.from));
        let objects = of.mbarrier.map(|at| self.place(at));
        for l in lanes(mask) {
            let bytes = self.bulk_bytes(inst, &of, l);
            match of.bulk {
                Bulk::GlobalToShared => self.global_to_shared(inst.b, l, to.0[l], from.0[l], bytes)?,
                Bulk::SharedToGlobal => self.shared_to_global(inst.b, l, to.0[l], from.0[l], bytes)?,
                Bulk::SharedToShared => self.shared_to_shared(inst.b, l, to.0[l], from.0[l], bytes)?,
                Bulk::RegistersToShared => self.registers_to_shared(inst.b, l, to.0[l])?,
            }
            if let Some(objects) = &objects {
                self.completed(l, objects.0[l] & 0xffff_ffff, bytes)?;
            }
        }
        Ok(())
    }

    fn bulk_bytes(&self, inst: &Inst, of: &BulkUse, lane: usize) -> u64 {
        match of.bytes {
            NONE => u64::from(self.run.kernel.accesses[usize::from(inst.b)].width()),
            bytes => u64::from(self.w[self.wi(bytes)].0[lane]),
        }
    }

    /// Tells an object that bytes have come.
    fn completed(&mut self, lane: usize, object: u64, bytes: u64) -> Result<(), Stop> {
        // Whoever waits for the object sees what was copied.
        if let Some(checks) = &mut self.checks {
            checks.release(self.warp, 1 << lane);
        }
        let alone = X([object; WARP]);
        Self::aligned(&alone, 1 << lane, 8)?;
        Self::inside(&alone, 1 << lane, 8, self.shared.len() as u64, FaultKind::OutOfBoundsShared)?;
        self.change_object(lane, object, |bits| {
            let mut object = Object::read(bits)
                .ok_or("the mbarrier of this copy was not initialised, or was written over")?;
            object.add_bytes(-(bytes as i64))?;
            object.settle();
            Ok((object.bits(), false))
        })?;
        Ok(())
    }

    /// The place in the block's shared memory of bytes that are copied.
    fn shared_range(
        &self,
        lane: usize,
        at: u64,
        bytes: u64,
        unit: u64,
    ) -> Result<std::ops::Range<usize>, Stop> {
        let at = at & 0xffff_ffff;
        if !(at | bytes).is_multiple_of(unit) {
            return Err(Stop::at(FaultKind::MisalignedAddress, lane, at, unit));
        }
        let end = at + bytes;
        if end > self.shared.len() as u64 {
            return Err(Stop::at(FaultKind::OutOfBoundsShared, lane, at, bytes));
        }
        Ok(at as usize..end as usize)
    }

    fn outside(lane: usize, at: u64, bytes: u64) -> Stop {
        let kind = if at < NULL_PAGE { FaultKind::NullPointer } else { FaultKind::OutOfBoundsGlobal };
        Stop::at(kind, lane, at, bytes)
    }

    /// A lane writes a piece of shared memory.
    fn check_piece_written(
        &mut self,
        number: u16,
        lane: usize,
        range: &std::ops::Range<usize>,
    ) -> Result<(), Stop> {
        let access = &self.run.kernel.accesses[usize::from(number)];
        let Some(checks) = &mut self.checks else { return Ok(()) };
        for at in range.clone().step_by(access.width() as usize) {
            let at = X([at as u64; WARP]);
            checks.write_shared(self.warp, number, access, &at, 1 << lane, &self.shared, &[])?;
        }
        Ok(())
    }

    /// The same for one that is read.
    fn check_piece_read(
        &mut self,
        number: u16,
        lane: usize,
        range: &std::ops::Range<usize>,
    ) -> Result<(), Stop> {
        let access = &self.run.kernel.accesses[usize::from(number)];
        let Some(checks) = &mut self.checks else { return Ok(()) };
        for at in range.clone().step_by(access.width() as usize) {
            checks.read_shared(self.warp, number, access, &X([at as u64; WARP]), 1 << lane)?;
        }
        Ok(())
    }

    fn global_to_shared(
        &mut self,
        number: u16,
        lane: usize,
        to: u64,
        from: u64,
        bytes: u64,
    ) -> Result<(), Stop> {
        let run = self.run;
        let into = self.shared_range(lane, to, bytes, UNIT)?;
        if !from.is_multiple_of(UNIT) {
            return Err(Stop::at(FaultKind::MisalignedAddress, lane, from, UNIT));
        }
        if bytes == 0 {
            return Ok(());
        }
        let end = from.checked_add(bytes).ok_or_else(|| Self::outside(lane, from, bytes))?;
        let hint = &mut self.hints[usize::from(number)];
        let a = run.global.find(from, end, hint).ok_or_else(|| Self::outside(lane, from, bytes))?;
        if self.checks.is_some() && a.written.nothing(from - a.base, bytes) {
            return Err(Stop::at(FaultKind::UninitialisedRead, lane, from, bytes));
        }
        self.check_piece_written(number, lane, &into)?;
        a.read(from - a.base, &mut self.shared[into]);
        Ok(())
    }

    fn shared_to_global(
        &mut self,
        number: u16,
        lane: usize,
        to: u64,
        from: u64,
        bytes: u64,
    ) -> Result<(), Stop> {
        let run = self.run;
        let out = self.shared_range(lane, from, bytes, UNIT)?;
        if !to.is_multiple_of(UNIT) {
            return Err(Stop::at(FaultKind::MisalignedAddress, lane, to, UNIT));
        }
        if bytes == 0 {
            return Ok(());
        }
        let end = to.checked_add(bytes).ok_or_else(|| Self::outside(lane, to, bytes))?;
        let hint = &mut self.hints[usize::from(number)];
        let a = run.global.find(to, end, hint).ok_or_else(|| Self::outside(lane, to, bytes))?;
        self.check_piece_read(number, lane, &out)?;
        a.write(to - a.base, &self.shared[out]);
        Ok(())
    }

    fn shared_to_shared(
        &mut self,
        number: u16,
        lane: usize,
        to: u64,
        from: u64,
        bytes: u64,
    ) -> Result<(), Stop> {
        let out = self.shared_range(lane, from, bytes, UNIT)?;
        let into = self.shared_range(lane, to, bytes, UNIT)?;
        self.check_piece_read(number, lane, &out)?;
        self.check_piece_written(number, lane, &into)?;
        self.shared.copy_within(out, into.start);
        Ok(())
    }

    fn registers_to_shared(&mut self, number: u16, lane: usize, to: u64) -> Result<(), Stop> {
        let access = &self.run.kernel.accesses[usize::from(number)];
        let width = u64::from(access.width());
        let into = self.shared_range(lane, to, width, width)?;
        self.check_piece_written(number, lane, &into)?;
        let size = usize::from(access.bytes);
        for e in 0..usize::from(access.count) {
            let value = self.read_element(access, e).0[lane].to_le_bytes();
            self.shared[into.start + e * size..][..size].copy_from_slice(&value[..size]);
        }
        Ok(())
    }
}
