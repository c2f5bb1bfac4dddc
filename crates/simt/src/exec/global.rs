//! Loads, stores and reductions of global memory.

use super::address::{Pattern, extend};
use super::{Stop, Worker};
use crate::WARP;
use crate::ir::{Access, Id, NONE};
use crate::lanes::{ALL, W, X, lanes};
use crate::memory::CONSTANT_WINDOW;
use crate::model::access;
use std::sync::atomic::Ordering::Relaxed;

impl Worker<'_> {
    #[inline(always)]
    pub(super) fn load_global(&mut self, id: Id<Access>, mask: u32) -> Result<(), Stop> {
        let run = self.run;
        let access = &run.kernel[id];
        if access.strong {
            self.looked_at_others(mask);
        }
        let (first, pattern) = self.way(access, id, mask);
        if self.caches.is_some() {
            self.sample_global(access, mask);
        }
        let width = u64::from(access.width());
        let hint = &mut self.hints[id.index()];
        match pattern {
            Pattern::Same => {
                if let Some(a) = run.global.find(first, first.saturating_add(width), hint) {
                    if self.checks.is_some() && !a.written.all() {
                        self.check_same_written(a, first, width, mask)?;
                    }
                    let counters = &mut self.tally.counters;
                    counters.global_load_requests += 1;
                    counters.global_load_sectors += 1;
                    counters.global_load_lines += 1;
                    for e in 0..usize::from(access.count) {
                        let at = first - a.base + (e as u64) * u64::from(access.bytes);
                        let bits = if access.strong && access.bytes == 8 {
                            run.global.load_whole(a, at)
                        } else {
                            a.load(at, access.bytes)
                        };
                        let value = extend(bits, access.bytes, access.signed);
                        self.write_element(access, e, &X([value; WARP]), mask);
                    }
                    return Ok(());
                }
            }
            Pattern::Row if access.words => {
                let end = first.saturating_add(width * u64::from(mask.count_ones()));
                if let Some(a) = run.global.find(first, end, hint) {
                    if self.checks.is_some() && !a.written.all() {
                        self.check_row_written(a, first, width, mask)?;
                    }
                    let counters = &mut self.tally.counters;
                    counters.global_load_requests += 1;
                    counters.global_load_sectors += (end - 1) / access::SECTOR - first / access::SECTOR + 1;
                    counters.global_load_lines += (end - 1) / access::LINE - first / access::LINE + 1;
                    let at = ((first - a.base) >> 2) as usize;
                    let count = usize::from(access.count);
                    if mask == ALL && count == 1 {
                        let words = &a.words[at..at + WARP];
                        let mut out = W::ZERO;
                        for l in 0..WARP {
                            out.0[l] = words[l].load(Relaxed);
                        }
                        let d = self.wi(access.registers[0]);
                        self.w[d] = out;
                        return Ok(());
                    }
                    let lowest = mask.trailing_zeros() as usize;
                    let active = mask.count_ones() as usize;
                    let words = &a.words[at..at + count * active];
                    for e in 0..count {
                        if access.registers[e] == NONE {
                            continue;
                        }
                        let d = self.wi(access.registers[e]);
                        let into = &mut self.w[d].0[lowest..lowest + active];
                        for (l, lane) in into.iter_mut().enumerate() {
                            *lane = words[l * count + e].load(Relaxed);
                        }
                    }
                    return Ok(());
                }
            }
            Pattern::Any
                if access.words && access.count == 1 && self.load_global_pieces(id, first, mask)? =>
            {
                return Ok(());
            }
            _ => {}
        }
        let addresses = self.addresses(access);
        self.load_global_any(id, &addresses, mask)
    }

    /// A load whose addresses fall into few rows and broadcasts of one allocation: a tile's rows, neighbours with a step
    /// between them. Says whether it was one.
    #[inline(always)]
    fn load_global_pieces(&mut self, id: Id<Access>, first: u64, mask: u32) -> Result<bool, Stop> {
        let run = self.run;
        let access = &run.kernel[id];
        let addresses = self.addresses(access);
        let [sectors, lines] = self.cost(id, &addresses, mask, || {
            [access::sectors(&addresses.0, mask), access::lines(&addresses.0, mask)]
        });
        let memo = &self.memos[id.index()];
        if memo.pieces().is_empty() || (first | memo.misaligned) & 3 != 0 {
            return Ok(false);
        }
        let (low, high) = (first.wrapping_add_signed(memo.low), first.wrapping_add_signed(memo.high));
        let hint = &mut self.hints[id.index()];
        let Some(a) = high.checked_add(4).and_then(|end| run.global.find(low, end, hint)) else {
            return Ok(false);
        };
        if self.checks.is_some() && !a.written.all() {
            self.check_written(&addresses, mask, 4)?;
        }
        let counters = &mut self.tally.counters;
        counters.global_load_requests += 1;
        counters.global_load_sectors += u64::from(sectors);
        counters.global_load_lines += u64::from(lines);
        let first = first - a.base;
        let mut out = W::ZERO;
        for piece in memo.pieces() {
            let at = (first.wrapping_add(piece.offset) >> 2) as usize;
            let into = &mut out.0[piece.lane..piece.lane + piece.lanes];
            if piece.row {
                for (lane, word) in into.iter_mut().zip(&a.words[at..at + piece.lanes]) {
                    *lane = word.load(Relaxed);
                }
            } else {
                into.fill(a.words[at].load(Relaxed));
            }
        }
        let d = self.wi(access.registers[0]);
        self.w[d].set(&out, mask);
        Ok(true)
    }

    /// Constant memory lies in global memory on the hardware, and compilers load it so through pointers.
    #[cold]
    #[inline(never)]
    fn load_constant_too(
        &mut self,
        id: Id<Access>,
        addresses: &X,
        mask: u32,
        stop: Stop,
    ) -> Result<(), Stop> {
        let (constant, at) = Self::in_window(addresses, mask, CONSTANT_WINDOW);
        if constant == 0 {
            return Err(stop);
        }
        let rest = mask & !constant;
        self.load_constant_globally(id, &at, constant, rest == 0)?;
        if rest == 0 { Ok(()) } else { self.load_global_any(id, addresses, rest) }
    }

    #[inline(never)]
    pub(super) fn load_global_any(&mut self, id: Id<Access>, addresses: &X, mask: u32) -> Result<(), Stop> {
        let run = self.run;
        let access = &run.kernel[id];
        let width = u64::from(access.width());
        Self::aligned(addresses, mask, width)?;
        let one = match self.allocated(id, addresses, mask, width) {
            Ok(one) => one,
            Err(stop) => return self.load_constant_too(id, addresses, mask, stop),
        };
        if self.checks.is_some() && one.is_none_or(|a| !a.written.all()) {
            self.check_written(addresses, mask, width)?;
        }
        let [sectors, lines] = self.cost(id, addresses, mask, || {
            [access::sectors(&addresses.0, mask), access::lines(&addresses.0, mask)]
        });
        let counters = &mut self.tally.counters;
        counters.global_load_requests += 1;
        counters.global_load_sectors += u64::from(sectors);
        counters.global_load_lines += u64::from(lines);
        for e in 0..usize::from(access.count) {
            let offset = (e * usize::from(access.bytes)) as u64;
            let mut out = X::ZERO;
            match one {
                Some(a) if access.bytes == 4 && !access.signed && mask == ALL => {
                    for l in 0..WARP {
                        out.0[l] = a.load(addresses.0[l] + offset - a.base, 4);
                    }
                }
                _ => {
                    let mut hint = 0;
                    for l in lanes(mask) {
                        let at = addresses.0[l] + offset;
                        // Every lane is inside of an allocation: of one, or each of its own.
                        if let Some(a) = run.global.find(at, at + u64::from(access.bytes), &mut hint) {
                            let value = if access.strong && access.bytes == 8 {
                                run.global.load_whole(a, at - a.base)
                            } else {
                                a.load(at - a.base, access.bytes)
                            };
                            out.0[l] = extend(value, access.bytes, access.signed);
                        }
                    }
                }
            }
            self.write_element(access, e, &out, mask);
        }
        Ok(())
    }

    #[inline(always)]
    pub(super) fn store_global(&mut self, id: Id<Access>, mask: u32) -> Result<(), Stop> {
        let run = self.run;
        let access = &run.kernel[id];
        self.did = true;
        let (first, pattern) = self.way(access, id, mask);
        if self.caches.is_some() {
            self.sample_store(access, mask);
        }
        if pattern == Pattern::Row && access.words {
            let width = u64::from(access.width());
            let end = first.saturating_add(width * u64::from(mask.count_ones()));
            if let Some(a) = run.global.find(first, end, &mut self.hints[id.index()]) {
                if self.checks.is_some() {
                    self.mark_row_written(id.number(), a, [first, end], mask)?;
                }
                let counters = &mut self.tally.counters;
                counters.global_store_requests += 1;
                counters.global_store_sectors += (end - 1) / access::SECTOR - first / access::SECTOR + 1;
                let at = ((first - a.base) >> 2) as usize;
                let count = usize::from(access.count);
                if mask == ALL && count == 1 {
                    let words = &a.words[at..at + WARP];
                    let from = &self.w[self.wi(access.registers[0])];
                    for l in 0..WARP {
                        words[l].store(from.0[l], Relaxed);
                    }
                    return Ok(());
                }
                let lowest = mask.trailing_zeros() as usize;
                let active = mask.count_ones() as usize;
                let words = &a.words[at..at + count * active];
                for e in 0..count {
                    let from = &self.w[self.wi(access.registers[e])].0[lowest..lowest + active];
                    for (l, lane) in from.iter().enumerate() {
                        words[l * count + e].store(*lane, Relaxed);
                    }
                }
                return Ok(());
            }
        }
        let addresses = self.addresses(access);
        self.store_global_any(id, &addresses, mask)
    }

    #[inline(never)]
    pub(super) fn store_global_any(&mut self, id: Id<Access>, addresses: &X, mask: u32) -> Result<(), Stop> {
        let run = self.run;
        let access = &run.kernel[id];
        let width = u64::from(access.width());
        Self::aligned(addresses, mask, width)?;
        let one = self.allocated(id, addresses, mask, width)?;
        if self.checks.is_some() {
            self.mark_store(id.number(), one, addresses, mask)?;
        }
        let [sectors, _] = self.cost(id, addresses, mask, || [access::sectors(&addresses.0, mask), 0]);
        let counters = &mut self.tally.counters;
        counters.global_store_requests += 1;
        counters.global_store_sectors += u64::from(sectors);
        if access.bytes < 4 && access.width() >= 4 {
            // Small elements that fill words: no neighbour's bytes are in them.
            let mut whole = X::ZERO;
            for e in 0..usize::from(access.count) {
                let values = self.read_element(access, e);
                let bits = 8 * u32::from(access.bytes);
                for l in 0..WARP {
                    whole.0[l] |= (values.0[l] & ((1 << bits) - 1)) << (bits * e as u32);
                }
            }
            let hint = &mut self.hints[id.index()];
            for l in lanes(mask) {
                let at = addresses.0[l];
                if let Some(a) = run.global.find(at, at + width, hint) {
                    a.store(at - a.base, access.width() as u8, whole.0[l]);
                }
            }
            return Ok(());
        }
        for e in 0..usize::from(access.count) {
            let values = self.read_element(access, e);
            let hint = &mut self.hints[id.index()];
            for l in lanes(mask) {
                let at = addresses.0[l] + (e * usize::from(access.bytes)) as u64;
                if let Some(a) = run.global.find(at, at + u64::from(access.bytes), hint) {
                    if access.strong && access.bytes == 8 {
                        run.global.store_whole(a, at - a.base, values.0[l]);
                    } else {
                        a.store(at - a.base, access.bytes, values.0[l]);
                    }
                }
            }
        }
        Ok(())
    }
}
