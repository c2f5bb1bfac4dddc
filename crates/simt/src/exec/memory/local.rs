//! Loads and stores of local memory, which each thread has of its own.
//!
//! A word of all 32 lanes lies together, as on the hardware (`tests/truth`), so what lanes read at one address are
//! neighbours.

use crate::WARP;
use crate::error::FaultKind;
use crate::exec::current::CurrentBlock;
use crate::exec::fault::Stop;
use crate::exec::memory::access::{Access, Memory};
use crate::exec::memory::bits::extend;
use crate::exec::memory::sites::Sites;
use crate::exec::worker::Worker;
use crate::ir::{Id, MemoryOperand};
use crate::lanes::{X, lanes};
use crate::trace::AccessKind;

impl Worker<'_> {
    #[inline(never)]
    pub(in crate::exec) fn load_local(&mut self, id: Id<MemoryOperand>, mask: u32) -> Result<(), Stop> {
        let access = self.current.access_of(&mut self.sites, Memory::Local, AccessKind::Load, id, mask);
        self.load_own_local(&access)
    }

    #[inline(never)]
    pub(in crate::exec) fn store_local(&mut self, id: Id<MemoryOperand>, mask: u32) -> Result<(), Stop> {
        let access = self.current.access_of(&mut self.sites, Memory::Local, AccessKind::Store, id, mask);
        self.store_own_local(&access)
    }

    pub(in crate::exec) fn load_own_local(&mut self, access: &Access<'_>) -> Result<(), Stop> {
        let operand = access.operand;
        self.current.check_local(&self.sites, access)?;
        self.observe(access, None)?;
        self.counts.count_local_load(&self.sites, access);
        let addresses = self.sites.addresses(access);
        for e in 0..usize::from(operand.count) {
            let local = &self.current.block.warps[self.current.cursor.warp].local;
            let mut out = X::ZERO;
            for l in lanes(access.mask) {
                let at = addresses.0[l] as usize + e * usize::from(operand.bytes);
                let low = u64::from(local[at / 4].0[l]);
                let value = match operand.bytes {
                    8 => low | u64::from(local[at / 4 + 1].0[l]) << 32,
                    _ => low >> (8 * (at % 4)) & (u64::MAX >> (64 - 8 * u32::from(operand.bytes))),
                };
                out.0[l] = extend(value, operand.bytes, operand.signed);
            }
            self.current.block.registers.write_element(operand, e, &out, access.mask);
        }
        Ok(())
    }

    pub(in crate::exec) fn store_own_local(&mut self, access: &Access<'_>) -> Result<(), Stop> {
        let operand = access.operand;
        self.current.check_local(&self.sites, access)?;
        self.observe(access, None)?;
        self.counts.count_local_store(&self.sites, access);
        let addresses = self.sites.addresses(access);
        for e in 0..usize::from(operand.count) {
            let values = self.current.block.registers.read_element(operand, e);
            let local = &mut self.current.block.warps[self.current.cursor.warp].local;
            for l in lanes(access.mask) {
                let at = addresses.0[l] as usize + e * usize::from(operand.bytes);
                put(&mut local[at / 4].0[l], at, operand.bytes, values.0[l]);
                if operand.bytes == 8 {
                    local[at / 4 + 1].0[l] = (values.0[l] >> 32) as u32;
                }
            }
        }
        Ok(())
    }
}

impl CurrentBlock<'_> {
    #[inline]
    fn check_local(&self, sites: &Sites, access: &Access<'_>) -> Result<(), Stop> {
        let end = self.block.warps[self.cursor.warp].local_end();
        sites.check_inside(access, u64::from(end), FaultKind::OutOfBoundsLocal)
    }

    /// The lanes' values at one local address, which is aligned and inside.
    pub(in crate::exec) fn read_local(&self, at: u32, bytes: u8) -> X {
        let local = &self.block.warps[self.cursor.warp].local;
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

    /// The counterpart of [`CurrentBlock::read_local`].
    #[inline]
    pub(in crate::exec) fn write_local(&mut self, at: u32, bytes: u8, values: &X, mask: u32) {
        if let Some(checks) = &mut self.block.observers.checks {
            checks.local_write(self.cursor.warp, &X::splat(u64::from(at)), mask, u32::from(bytes));
        }
        let local = &mut self.block.warps[self.cursor.warp].local;
        for l in lanes(mask) {
            put(&mut local[at as usize / 4].0[l], at as usize, bytes, values.0[l]);
            if bytes == 8 {
                local[at as usize / 4 + 1].0[l] = (values.0[l] >> 32) as u32;
            }
        }
    }

    /// One byte of a lane's local memory, if it is inside.
    pub(in crate::exec) fn local_byte(&self, lane: usize, at: u64) -> Option<u8> {
        let warp = &self.block.warps[self.cursor.warp];
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
