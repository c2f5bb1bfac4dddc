//! Loads and stores through generic addresses, and asynchronous copies: each lane's address says which memory it is.

use super::{Stop, Worker};
use crate::WARP;
use crate::error::FaultKind;
use crate::ir::{Access, Address, CopyUse, Id, NONE};
use crate::lanes::{X, lanes};
use crate::memory::{CONSTANT_WINDOW, FIRST, LOCAL_WINDOW, PARAMETER_WINDOW, SHARED_WINDOW, WINDOW};
use crate::model::access;

impl Worker<'_> {
    /// The lanes whose addresses lie in a window, and their addresses there.
    pub(super) fn in_window(addresses: &X, mask: u32, window: u64) -> (u32, X) {
        let mut here = 0;
        let mut out = X::ZERO;
        for l in 0..WARP {
            out.0[l] = addresses.0[l].wrapping_sub(window);
            here |= u32::from(out.0[l] < WINDOW) << l;
        }
        (here & mask, out)
    }

    /// Whether all lanes' addresses are those of global memory, or of none.
    fn all_global(addresses: &X, mask: u32) -> bool {
        lanes(mask).all(|l| addresses.0[l] >= FIRST || addresses.0[l] < SHARED_WINDOW)
    }

    #[inline(never)]
    pub(super) fn load_generic(&mut self, id: Id<Access>, mask: u32) -> Result<(), Stop> {
        let access = &self.run.kernel[id];
        let addresses = self.addresses(access);
        if access.strong {
            self.looked = true;
        }
        self.tally.counters.generic_load_instructions += 1;
        if Self::all_global(&addresses, mask) {
            return self.load_global(id, mask);
        }
        self.forget_cost(id);
        let mut left = mask;
        let (shared, at) = Self::in_window(&addresses, left, SHARED_WINDOW);
        if shared != 0 {
            self.load_shared_any(id, &at, shared)?;
        }
        left &= !shared;
        let (local, at) = Self::in_window(&addresses, left, LOCAL_WINDOW);
        if local != 0 {
            self.load_local_any(id, &at, local)?;
        }
        left &= !local;
        let (constant, at) = Self::in_window(&addresses, left, CONSTANT_WINDOW);
        if constant != 0 {
            self.load_constant_globally(id, &at, constant, left == constant)?;
        }
        left &= !constant;
        let (parameter, at) = Self::in_window(&addresses, left, PARAMETER_WINDOW);
        if parameter != 0 {
            self.load_parameter_any(id, &at, parameter)?;
        }
        left &= !parameter;
        if left != 0 {
            self.forget_cost(id);
            self.load_global_any(id, &addresses, left)?;
        }
        self.forget_cost(id);
        Ok(())
    }

    /// The cost of the same addresses is another one in another memory.
    pub(super) fn forget_cost(&mut self, id: Id<Access>) {
        self.memos[id.index()].forget();
    }

    #[inline(never)]
    pub(super) fn store_generic(&mut self, id: Id<Access>, mask: u32) -> Result<(), Stop> {
        let access = &self.run.kernel[id];
        let addresses = self.addresses(access);
        self.tally.counters.generic_store_instructions += 1;
        if Self::all_global(&addresses, mask) {
            return self.store_global(id, mask);
        }
        self.forget_cost(id);
        let mut left = mask;
        let (shared, at) = Self::in_window(&addresses, left, SHARED_WINDOW);
        if shared != 0 {
            self.store_shared_any(id, &at, shared)?;
        }
        left &= !shared;
        let (local, at) = Self::in_window(&addresses, left, LOCAL_WINDOW);
        if local != 0 {
            self.store_local_any(id, &at, local)?;
        }
        // Nobody waits for what is written to local memory.
        self.did |= local != mask;
        left &= !local;
        if left != 0 {
            self.forget_cost(id);
            self.store_global_any(id, &addresses, left)?;
        }
        self.forget_cost(id);
        Ok(())
    }

    #[cold]
    #[inline(never)]
    fn count_copy(&mut self, from: &X, to: &X, [reading, zeroing]: [u32; 2], width: u32, past_l1: bool) {
        let places = self.places(from, reading);
        let cost = access::copy(&places, &to.0.map(|a| a as u32), [reading, zeroing], width, past_l1);
        let counters = &mut self.tally.counters;
        counters.copy_instructions += 1;
        counters.copy_sectors += if past_l1 { 0 } else { u64::from(cost.sectors) };
        counters.copy_bank_conflicts += u64::from(cost.conflicts);
        counters.global_load_requests += u64::from(cost.requests);
        counters.global_load_sectors += u64::from(cost.sectors);
        counters.global_load_lines += u64::from(access::lines(&places, reading));
    }

    /// `cp.async`: from global to shared memory, done at once.
    #[inline(never)]
    pub(super) fn copy_async(&mut self, copy: Id<CopyUse>, mask: u32) -> Result<(), Stop> {
        let run = self.run;
        let copy = run.kernel[copy];
        let id = copy.access;
        let access = &run.kernel[id];
        self.did = true;
        let width = access.width();
        let from = self.addresses(access);
        let to = {
            let Address { register, wide, offset } = copy.to;
            let offset = i64::from(offset) as u64;
            let base = if wide { self.x[self.xi(register)] } else { self.w[self.wi(register)].widened() };
            X(base.0.map(|a| a.wrapping_add(offset) & 0xffff_ffff))
        };
        Self::aligned(&from, mask, u64::from(width))?;
        Self::aligned(&to, mask, u64::from(width))?;
        Self::inside(&to, mask, u64::from(width), self.shared.len() as u64, FaultKind::OutOfBoundsShared)?;
        let mut bytes = [width; WARP];
        if copy.source_bytes != NONE {
            let given = &self.w[self.wi(copy.source_bytes)];
            bytes = std::array::from_fn(|l| given.0[l].min(width));
        }
        if copy.ignore != NONE {
            let ignored = self.p[self.p_base + usize::from(copy.ignore)];
            for l in lanes(ignored) {
                bytes[l] = 0;
            }
        }
        let reading = lanes(mask).filter(|l| bytes[*l] > 0).fold(0, |m, l| m | 1 << l);
        if reading != 0 {
            self.allocated(id, &from, reading, 1)?;
        }
        if let Some(checks) = &mut self.checks {
            checks.write_shared(self.warp, id.number(), access, &to, mask, &self.shared, &[])?;
            self.check_written(&from, reading, u64::from(width))?;
        }
        self.count_copy(&from, &to, [reading, mask & !reading], width, copy.past_l1);
        let mut hint = self.hints[id.index()];
        for l in lanes(mask) {
            for byte in 0..width {
                let at = from.0[l] + u64::from(byte);
                let value = if byte < bytes[l] {
                    match run.global.find(at, at + 1, &mut hint) {
                        Some(a) => a.load(at - a.base, 1) as u8,
                        None => return Err(Stop::at(FaultKind::OutOfBoundsGlobal, l, at, u64::from(width))),
                    }
                } else {
                    0
                };
                self.shared[to.0[l] as usize + byte as usize] = value;
            }
        }
        Ok(())
    }
}
