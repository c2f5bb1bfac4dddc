//! Local memory and parameters: loads and stores of memory that each thread has of its own.
//!
//! A word of all 32 lanes lies together, as on the hardware (`tests/truth`), so what lanes read at one address are
//! neighbours.

use super::address::{extend, gather};
use super::{Stop, Worker};
use crate::WARP;
use crate::error::FaultKind;
use crate::ir::{Access, Id};
use crate::lanes::{X, lanes};
use crate::model::access;

impl Worker<'_> {
    #[inline(never)]
    pub(super) fn load_local(&mut self, id: Id<Access>, mask: u32) -> Result<(), Stop> {
        let access = &self.run.kernel[id];
        let addresses = self.addresses(access);
        self.load_local_any(id, &addresses, mask)
    }

    pub(super) fn load_local_any(&mut self, id: Id<Access>, addresses: &X, mask: u32) -> Result<(), Stop> {
        let access = &self.run.kernel[id];
        self.check_local(addresses, mask, u64::from(access.width()))?;
        if self.checks.is_some() {
            self.check_local_read(id.number(), addresses, mask)?;
        }
        if !access.parameter {
            let cost = access::local(&addresses.0, mask, access.width());
            let counters = &mut self.tally.counters;
            counters.local_load_requests += u64::from(cost.requests);
            counters.local_load_sectors += u64::from(cost.sectors);
            if self.caches.is_some() {
                self.sample_local(addresses, mask, cost.requests, false);
            }
        }
        for e in 0..usize::from(access.count) {
            let local = &self.warps[self.warp].local;
            let mut out = X::ZERO;
            for l in lanes(mask) {
                let at = addresses.0[l] as usize + e * usize::from(access.bytes);
                let low = u64::from(local[at / 4].0[l]);
                let value = match access.bytes {
                    8 => low | u64::from(local[at / 4 + 1].0[l]) << 32,
                    _ => low >> (8 * (at % 4)) & (u64::MAX >> (64 - 8 * u32::from(access.bytes))),
                };
                out.0[l] = extend(value, access.bytes, access.signed);
            }
            self.write_element(access, e, &out, mask);
        }
        Ok(())
    }

    #[inline(never)]
    pub(super) fn store_local(&mut self, id: Id<Access>, mask: u32) -> Result<(), Stop> {
        let access = &self.run.kernel[id];
        let addresses = self.addresses(access);
        self.store_local_any(id, &addresses, mask)
    }

    pub(super) fn store_local_any(&mut self, id: Id<Access>, addresses: &X, mask: u32) -> Result<(), Stop> {
        let access = &self.run.kernel[id];
        self.check_local(addresses, mask, u64::from(access.width()))?;
        if let Some(checks) = &mut self.checks {
            checks.local_write(self.warp, addresses, mask, access.width());
            self.carried_within(id.number());
        }
        if !access.parameter {
            let cost = access::local(&addresses.0, mask, access.width());
            let counters = &mut self.tally.counters;
            counters.local_store_requests += u64::from(cost.requests);
            counters.local_store_sectors += u64::from(cost.sectors);
            if self.caches.is_some() {
                self.sample_local(addresses, mask, cost.requests, true);
            }
        }
        for e in 0..usize::from(access.count) {
            let values = self.read_element(access, e);
            let local = &mut self.warps[self.warp].local;
            for l in lanes(mask) {
                let at = addresses.0[l] as usize + e * usize::from(access.bytes);
                put(&mut local[at / 4].0[l], at, access.bytes, values.0[l]);
                if access.bytes == 8 {
                    local[at / 4 + 1].0[l] = (values.0[l] >> 32) as u32;
                }
            }
        }
        Ok(())
    }

    fn check_local(&self, addresses: &X, mask: u32, width: u64) -> Result<(), Stop> {
        Self::aligned(addresses, mask, width)?;
        let end = self.warps[self.warp].local_end();
        Self::inside(addresses, mask, width, u64::from(end), FaultKind::OutOfBoundsLocal)
    }

    /// What every lane has at one local address, which is aligned and inside.
    pub(super) fn read_local(&self, at: u32, bytes: u8) -> X {
        let local = &self.warps[self.warp].local;
        let low = &local[at as usize / 4];
        match bytes {
            8 => {
                let high = &local[at as usize / 4 + 1];
                X(std::array::from_fn(|l| u64::from(low.0[l]) | u64::from(high.0[l]) << 32))
            }
            _ => {
                let mask = u32::MAX >> (32 - 8 * u32::from(bytes));
                X(std::array::from_fn(|l| u64::from(low.0[l] >> (8 * (at % 4)) & mask)))
            }
        }
    }

    /// The counterpart of [`Worker::read_local`].
    pub(super) fn write_local(&mut self, at: u32, bytes: u8, values: &X, mask: u32) {
        if let Some(checks) = &mut self.checks {
            checks.local_write(self.warp, &X([u64::from(at); WARP]), mask, u32::from(bytes));
        }
        let local = &mut self.warps[self.warp].local;
        for l in lanes(mask) {
            put(&mut local[at as usize / 4].0[l], at as usize, bytes, values.0[l]);
            if bytes == 8 {
                local[at as usize / 4 + 1].0[l] = (values.0[l] >> 32) as u32;
            }
        }
    }

    /// A load of the kernel's parameters by an address that a register holds.
    #[inline(never)]
    pub(super) fn load_parameter(&mut self, id: Id<Access>, mask: u32) -> Result<(), Stop> {
        let access = &self.run.kernel[id];
        let addresses = self.addresses(access);
        self.load_parameter_any(id, &addresses, mask)
    }

    pub(super) fn load_parameter_any(
        &mut self,
        id: Id<Access>,
        addresses: &X,
        mask: u32,
    ) -> Result<(), Stop> {
        let run = self.run;
        let access = &run.kernel[id];
        let width = u64::from(access.width());
        Self::aligned(addresses, mask, width)?;
        Self::inside(addresses, mask, width, run.parameters.len() as u64, FaultKind::OutOfBoundsConstant)?;
        for e in 0..usize::from(access.count) {
            let out = gather(run.parameters, access, addresses, mask, e * usize::from(access.bytes));
            self.write_element(access, e, &out, mask);
        }
        Ok(())
    }

    /// One byte of a lane's local memory, if it is inside.
    pub(super) fn local_byte(&self, lane: usize, at: u64) -> Option<u8> {
        let warp = &self.warps[self.warp];
        if at >= u64::from(warp.local_end()) {
            return None;
        }
        let at = at as usize;
        warp.local.get(at / 4).map(|word| (word.0[lane % WARP] >> (8 * (at % 4))) as u8)
    }
}

/// Writes the low bytes of a value into a word.
fn put(word: &mut u32, at: usize, bytes: u8, value: u64) {
    match bytes {
        1 | 2 => {
            let mask = (if bytes == 2 { 0xffffu32 } else { 0xff }) << (8 * (at % 4));
            *word = *word & !mask | (value as u32) << (8 * (at % 4)) & mask;
        }
        _ => *word = value as u32,
    }
}
