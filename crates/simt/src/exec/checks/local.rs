//! Which bytes of local memory each lane has written since the function that they belong to was entered.

use super::super::fault::Stop;
use super::{Checks, uniform};
use crate::error::FaultKind;
use crate::lanes::{X, lanes};

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

    /// A lane must have written some of what it reads.
    #[inline(never)]
    pub(in crate::exec) fn local_read(
        &self,
        warp: usize,
        addresses: &X,
        mask: u32,
        width: u32,
    ) -> Result<(), Stop> {
        if !self.chosen.uninitialised {
            return Ok(());
        }
        let written = &self.local[warp];
        let some = |at: u64| {
            written.iter().skip(at as usize).take(width as usize).fold(0, |lanes, byte| lanes | byte)
        };
        let unwritten = if uniform(addresses, mask) {
            mask & !some(addresses.0[mask.trailing_zeros() as usize % crate::WARP])
        } else {
            lanes(mask).fold(0, |all, l| all | 1 << l & !some(addresses.0[l]))
        };
        if unwritten == 0 {
            return Ok(());
        }
        let lane = unwritten.trailing_zeros() as usize;
        let message = format!("read of {width} bytes of local memory that the thread has not written");
        let stop = Stop::at(FaultKind::UninitialisedRead, lane, addresses.0[lane], u64::from(width));
        Err(Stop { message: Some(message), ..stop })
    }
}
