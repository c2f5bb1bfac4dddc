//! Loads of constant memory by an address that a register holds.

use super::address::{Pattern, extend, gather, little_endian};
use super::{Stop, Worker};
use crate::WARP;
use crate::error::FaultKind;
use crate::ir::{Access, Id};
use crate::lanes::X;
use crate::model::access;

impl Worker<'_> {
    #[inline(always)]
    pub(super) fn load_constant(&mut self, id: Id<Access>, mask: u32) -> Result<(), Stop> {
        let run = self.run;
        let access = &run.kernel[id];
        let (first, pattern) = self.way(access, id, mask);
        if pattern == Pattern::Same {
            let at = first as usize;
            let width = access.width() as usize;
            if let Some(from) = run.constant.get(at..at.saturating_add(width)) {
                self.count_constant(access, mask, 1);
                for e in 0..usize::from(access.count) {
                    let size = usize::from(access.bytes);
                    let value =
                        extend(little_endian(from, e * size, access.bytes), access.bytes, access.signed);
                    self.write_element(access, e, &X([value; WARP]), mask);
                }
                return Ok(());
            }
        }
        let addresses = self.addresses(access);
        self.load_constant_any(id, &addresses, mask)
    }

    /// A load of constant memory through addresses that may be of other memory: it lies in global memory on the hardware,
    /// and such a load is one of that, a request of its own if no other lane makes it one.
    #[cold]
    #[inline(never)]
    pub(super) fn load_constant_globally(
        &mut self,
        id: Id<Access>,
        addresses: &X,
        mask: u32,
        alone: bool,
    ) -> Result<(), Stop> {
        let counters = &mut self.tally.counters;
        counters.global_load_requests += u64::from(alone);
        counters.global_load_sectors += u64::from(access::sectors(&addresses.0, mask));
        counters.global_load_lines += u64::from(access::lines(&addresses.0, mask));
        self.read_constant(id, addresses, mask)
    }

    #[inline(always)]
    pub(super) fn load_constant_any(&mut self, id: Id<Access>, addresses: &X, mask: u32) -> Result<(), Stop> {
        let access = &self.run.kernel[id];
        let [distinct, _] =
            self.cost(id, addresses, mask, || [access::distinct_addresses(&addresses.0, mask), 0]);
        self.count_constant(access, mask, u64::from(distinct));
        self.read_constant(id, addresses, mask)
    }

    #[inline(always)]
    fn read_constant(&mut self, id: Id<Access>, addresses: &X, mask: u32) -> Result<(), Stop> {
        let run = self.run;
        let access = &run.kernel[id];
        let width = u64::from(access.width());
        Self::aligned(addresses, mask, width)?;
        Self::inside(addresses, mask, width, run.constant.len() as u64, FaultKind::OutOfBoundsConstant)?;
        let size = usize::from(access.bytes);
        for e in 0..usize::from(access.count) {
            let out = gather(run.constant, access, addresses, mask, e * size);
            self.write_element(access, e, &out, mask);
        }
        Ok(())
    }

    #[inline(always)]
    pub(super) fn count_constant(&mut self, access: &Access, mask: u32, distinct: u64) {
        // 16 bytes are two instructions of 8 on the hardware (`tests/truth`).
        let instructions = u64::from(access.width().div_ceil(8));
        let counters = &mut self.tally.counters;
        counters.const_instructions += instructions;
        counters.const_divergent_instructions += if distinct > 1 { instructions } else { 0 };
        counters.const_replays += instructions * (distinct - 1);
        counters.idc_requests += instructions * distinct;
        if self.caches.is_some() {
            self.sample_constant(access, mask, instructions, distinct);
        }
    }
}
