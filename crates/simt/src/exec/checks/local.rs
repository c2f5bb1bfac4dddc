//! Which bytes of local memory each lane has written since the function that they belong to was entered.

use super::{Around, Checks, Space, uniform};
use crate::lanes::{X, lanes};

/// The numbers of the bits that are set.
fn lanes64(bits: u64) -> impl Iterator<Item = usize> {
    (0..64).filter(move |n| bits >> n & 1 != 0)
}

impl Checks<'_> {
    /// Lanes enter a function whose local memory lies there: nothing of it has been written.
    pub(in crate::exec) fn enter_frame(&mut self, warp: usize, from: u32, end: u32, mask: u32) {
        let (from, end) = (from as usize, end as usize);
        let written = &mut self.local[warp];
        if written.len() < end {
            written.resize(end, 0);
        }
        for byte in &mut written[from..end] {
            *byte &= !mask;
        }
    }

    #[inline(never)]
    pub(in crate::exec) fn local_write(&mut self, warp: usize, addresses: &X, mask: u32, width: u32) {
        let written = &mut self.local[warp];
        let width = width as usize;
        if uniform(addresses, mask) {
            let at = addresses.0[mask.trailing_zeros() as usize % crate::WARP] as usize;
            for byte in written.iter_mut().skip(at).take(width) {
                *byte |= mask;
            }
            return;
        }
        for l in lanes(mask) {
            for byte in written.iter_mut().skip(addresses.0[l] as usize).take(width) {
                *byte |= 1 << l;
            }
        }
    }

    /// Notes what lanes read and have not written.
    #[inline(never)]
    pub(in crate::exec) fn local_read(&mut self, warp: usize, addresses: &X, mask: u32, width: u32) {
        let written = &self.local[warp];
        let bytes = |at: u64| written.iter().skip(at as usize).take(width as usize);
        let all = |at: u64| bytes(at).fold(mask, |lanes, byte| lanes & byte);
        let unwritten = if uniform(addresses, mask) {
            mask & !all(addresses.0[mask.trailing_zeros() as usize % crate::WARP])
        } else {
            lanes(mask).fold(0, |m, l| m | 1 << l & !all(addresses.0[l]))
        };
        for l in lanes(unwritten) {
            let at = addresses.0[l];
            let bit = |(n, byte): (usize, &u32)| u64::from(byte >> l & 1 == 0) << n;
            let missing =
                self.local[warp].iter().skip(at as usize).take(width as usize).enumerate().map(bit).sum();
            let first = at as usize + u64::trailing_zeros(missing) as usize;
            let hole = width == 1
                && self.local[warp].iter().take(first).skip(first & !7).any(|byte| byte >> l & 1 != 0);
            let around = Around { cause: self.cause_in_local(warp, first), hole };
            self.note_missing(Space::Local, 1 << l, at, missing, around);
        }
    }

    /// Whether a lane has written none of these bytes.
    pub(in crate::exec) fn local_lacks(&self, warp: usize, lane: usize, at: u64, bytes: u64) -> bool {
        let written = self.local[warp].iter().skip(at as usize).take(bytes as usize);
        self.chosen.uninitialised && written.fold(0, |all, byte| all | byte) >> lane & 1 == 0
    }

    /// Lanes have written bytes that have no value: of each a bit for each byte.
    #[cold]
    pub(in crate::exec) fn local_forget(
        &mut self,
        warp: usize,
        addresses: &X,
        mask: u32,
        missing: &X,
        origin: u32,
    ) {
        for l in lanes(mask) {
            for at in lanes64(missing.0[l]).map(|n| addresses.0[l] as usize + n) {
                if let Some(byte) = self.local[warp].get_mut(at) {
                    *byte &= !(1 << l);
                    self.note_stored_locally(warp, at, (warp, origin));
                }
            }
        }
    }

    /// Lanes have copied bytes within local memory: those of the copy are written that were.
    pub(in crate::exec) fn local_copied(&mut self, warp: usize, from: u32, to: u32, bytes: u32, mask: u32) {
        for n in 0..bytes as usize {
            let written = &mut self.local[warp];
            let was = written.get(from as usize + n).copied().unwrap_or(0);
            if let Some(byte) = written.get_mut(to as usize + n) {
                *byte = *byte & !mask | was & mask;
            }
            if let Some(cause) = self.cause_in_local(warp, from as usize + n) {
                self.note_stored_locally(warp, to as usize + n, cause);
            }
        }
    }
}
