//! Loads and stores through generic addresses, and asynchronous copies: each lane's address says which memory it is.

use super::{Stop, Worker};
use crate::WARP;
use crate::error::FaultKind;
use crate::lanes::{X, lanes};
use crate::memory::{CONSTANT_WINDOW, FIRST, LOCAL_WINDOW, PARAMETER_WINDOW, SHARED_WINDOW, WINDOW};
use crate::model::access;
use crate::program::{Inst, NONE};

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
    pub(super) fn load_generic(&mut self, inst: &Inst, mask: u32) -> Result<(), Stop> {
        let access = &self.run.kernel.accesses[usize::from(inst.b)];
        let addresses = self.addresses(access, inst);
        if access.strong {
            self.looked = true;
        }
        if Self::all_global(&addresses, mask) {
            return self.load_global(inst, mask);
        }
        let mut left = mask;
        let (shared, at) = Self::in_window(&addresses, left, SHARED_WINDOW);
        if shared != 0 {
            self.load_shared_any(inst, &at, shared)?;
        }
        left &= !shared;
        let (local, at) = Self::in_window(&addresses, left, LOCAL_WINDOW);
        if local != 0 {
            self.load_local_any(inst, &at, local)?;
        }
        left &= !local;
        let (constant, at) = Self::in_window(&addresses, left, CONSTANT_WINDOW);
        if constant != 0 {
            self.load_constant_any(inst, &at, constant)?;
        }
        left &= !constant;
        let (parameter, at) = Self::in_window(&addresses, left, PARAMETER_WINDOW);
        if parameter != 0 {
            self.load_parameter_any(inst, &at, parameter)?;
        }
        left &= !parameter;
        if left != 0 { self.load_global_any(inst, &addresses, left) } else { Ok(()) }
    }

    #[inline(never)]
    pub(super) fn store_generic(&mut self, inst: &Inst, mask: u32) -> Result<(), Stop> {
        let access = &self.run.kernel.accesses[usize::from(inst.b)];
        let addresses = self.addresses(access, inst);
        self.did = true;
        if Self::all_global(&addresses, mask) {
            return self.store_global(inst, mask);
        }
        let mut left = mask;
        let (shared, at) = Self::in_window(&addresses, left, SHARED_WINDOW);
        if shared != 0 {
            self.store_shared_any(inst, &at, shared)?;
        }
        left &= !shared;
        let (local, at) = Self::in_window(&addresses, left, LOCAL_WINDOW);
        if local != 0 {
            self.store_local_any(inst, &at, local)?;
        }
        left &= !local;
        if left != 0 { self.store_global_any(inst, &addresses, left) } else { Ok(()) }
    }

    /// `cp.async`: from global to shared memory, done at once.
    #[inline(never)]
    pub(super) fn copy_async(&mut self, inst: &Inst, mask: u32) -> Result<(), Stop> {
        let run = self.run;
        let access = &run.kernel.accesses[usize::from(inst.b)];
        let copy = run.kernel.copies[usize::from(inst.c)];
        self.did = true;
        let width = access.width();
        let from = self.addresses(access, inst);
        let to = {
            let offset = i64::from(copy.offset) as u64;
            let base = if copy.wide { self.x[self.xi(copy.to)] } else { self.w[self.wi(copy.to)].widened() };
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
            self.allocated(inst, &from, reading, 1)?;
        }
        if let Some(checks) = &mut self.checks {
            checks.write_shared(self.warp, inst.b, access, &to, mask, &self.shared, &[])?;
            self.check_written(&from, reading, u64::from(width))?;
        }
        let counters = &mut self.tally.counters;
        counters.global_load_requests += 1;
        counters.global_load_sectors += u64::from(access::sectors(&from.0, reading));
        counters.global_load_lines += u64::from(access::lines(&from.0, reading));
        let mut hint = self.hints[usize::from(inst.b)];
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
