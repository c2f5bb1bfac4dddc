//! Loads and stores of shared memory.

use super::address::{Pattern, gather, little_endian};
use super::{Stop, Worker};
use crate::WARP;
use crate::error::FaultKind;
use crate::ir::{Access, Id, NONE};
use crate::lanes::{ALL, W, X, lanes};
use crate::model::access;

impl Worker<'_> {
    #[inline(always)]
    pub(super) fn load_shared(&mut self, id: Id<Access>, mask: u32) -> Result<(), Stop> {
        let run = self.run;
        let access = &run.kernel[id];
        if access.strong {
            self.looked = true;
        }
        let (first, pattern) = self.way(access, id, mask);
        let at = first as usize;
        match pattern {
            Pattern::Row if access.words && access.count == 1 => {
                let active = mask.count_ones() as usize;
                let d = self.wi(access.registers[0]);
                if let Some(from) = self.shared.get(at..at.saturating_add(4 * active)) {
                    if let Some(checks) = &mut self.checks
                        && let Err(stop) = checks.read_row(self.warp, id.number(), access, at, mask)
                    {
                        checks.excuse_shared(self.run.kernel, self.spent, id.number(), stop)?;
                    }
                    let counters = &mut self.tally.counters;
                    counters.shared_load_instructions += 1;
                    counters.shared_load_wavefronts += 1;
                    if mask == ALL {
                        let mut out = W::ZERO;
                        for (lane, bytes) in out.0.iter_mut().zip(from.as_chunks::<4>().0) {
                            *lane = u32::from_le_bytes(*bytes);
                        }
                        self.w[d] = out;
                    } else {
                        let lowest = mask.trailing_zeros() as usize;
                        let into = &mut self.w[d].0[lowest..lowest + active];
                        for (lane, bytes) in into.iter_mut().zip(from.as_chunks::<4>().0) {
                            *lane = u32::from_le_bytes(*bytes);
                        }
                    }
                    return Ok(());
                }
            }
            Pattern::Same if access.words => {
                // One word for all, or a few: one pass through the banks, whatever the width.
                let width = access.width() as usize;
                if let Some(from) = self.shared.get(at..at.saturating_add(width)) {
                    if let Some(checks) = &mut self.checks
                        && let Err(stop) = checks.read_same(self.warp, id.number(), access, at, mask)
                    {
                        checks.excuse_shared(self.run.kernel, self.spent, id.number(), stop)?;
                    }
                    let counters = &mut self.tally.counters;
                    counters.shared_load_instructions += 1;
                    counters.shared_load_wavefronts += u64::from(access::broadcast(mask, access.width()));
                    let mut words = [0; 4];
                    for (word, bytes) in words.iter_mut().zip(from.as_chunks::<4>().0) {
                        *word = u32::from_le_bytes(*bytes);
                    }
                    for e in 0..usize::from(access.count) {
                        if access.registers[e] != NONE {
                            let d = self.wi(access.registers[e]);
                            self.w[d].set(&W([words[e]; WARP]), mask);
                        }
                    }
                    return Ok(());
                }
            }
            Pattern::Any if access.words && self.load_pieces(access, id, first, mask)? => {
                return Ok(());
            }
            _ => {}
        }
        let addresses = self.addresses(access);
        self.load_shared_any(id, &addresses, mask)
    }

    /// A load whose addresses fall into few rows and broadcasts, as those of a tile do; says whether it was one.
    #[inline(always)]
    fn load_pieces(&mut self, access: &Access, id: Id<Access>, first: u64, mask: u32) -> Result<bool, Stop> {
        let inside = self.remember(access, id, first, mask);
        let memo = &self.memos[access.leader.index()];
        if !inside || memo.pieces().is_empty() {
            return Ok(false);
        }
        if let Some(checks) = &mut self.checks
            && let Err(stop) = checks.read_pieces(self.warp, id.number(), access, first, memo.pieces())
        {
            checks.excuse_shared(self.run.kernel, self.spent, id.number(), stop)?;
        }
        let counters = &mut self.tally.counters;
        counters.shared_load_instructions += 1;
        counters.shared_load_wavefronts += u64::from(memo.cost[0]);
        counters.shared_load_bank_conflicts += u64::from(memo.cost[1]);
        if self.caches.is_some() {
            self.warps[self.warp].cost.conflicts += u64::from(memo.cost[1]);
        }
        let count = usize::from(access.count);
        if let ([a, b], 1) = (memo.pieces(), count)
            && (a.lanes, b.lanes) == (WARP / 2, WARP / 2)
        {
            // Two rows of a tile that is half a warp wide.
            let mut out = W::ZERO;
            for (half, piece) in out.0.as_chunks_mut::<{ WARP / 2 }>().0.iter_mut().zip([a, b]) {
                // All of it is inside.
                let _ = load_half(&self.shared, first.wrapping_add(piece.offset) as usize, piece.row, half);
            }
            let d = self.wi(access.registers[0]);
            self.w[d] = out;
            return Ok(true);
        }
        for e in 0..count {
            if access.registers[e] == NONE {
                continue;
            }
            let mut out = W::ZERO;
            for piece in memo.pieces() {
                let at = first.wrapping_add(piece.offset) as usize + 4 * e;
                let into = &mut out.0[piece.lane..piece.lane + piece.lanes];
                if !piece.row {
                    into.fill(word(&self.shared, at));
                } else if count == 1 {
                    let from = self.shared[at..at + 4 * piece.lanes].as_chunks::<4>().0;
                    for (lane, bytes) in into.iter_mut().zip(from) {
                        *lane = u32::from_le_bytes(*bytes);
                    }
                } else {
                    for (n, lane) in into.iter_mut().enumerate() {
                        *lane = word(&self.shared, at + 4 * count * n);
                    }
                }
            }
            let d = self.wi(access.registers[e]);
            self.w[d].set(&out, mask);
        }
        Ok(true)
    }

    /// Remembers a load's addresses in the memo of its leader; says whether they are aligned and inside of shared
    /// memory.
    #[inline(always)]
    pub(super) fn remember(&mut self, access: &Access, id: Id<Access>, first: u64, mask: u32) -> bool {
        let width = u64::from(access.width());
        if access.leader == id {
            let addresses = self.addresses(access);
            self.cost(id, &addresses, mask, || {
                let addresses = addresses.0.map(|a| a as u32);
                let waves = access::wavefronts(&addresses, mask, access.width(), false);
                [waves.wavefronts, waves.conflicts]
            });
        }
        let memo = &self.memos[access.leader.index()];
        let (low, high) = (first.wrapping_add_signed(memo.low), first.wrapping_add_signed(memo.high));
        let end = high.wrapping_add(width);
        let inside = low <= high && high < end && end <= self.shared.len() as u64;
        inside && (first | memo.misaligned) & (width - 1) == 0
    }

    #[inline(always)]
    pub(super) fn load_shared_any(&mut self, id: Id<Access>, addresses: &X, mask: u32) -> Result<(), Stop> {
        let run = self.run;
        let access = &run.kernel[id];
        let generic = access.generic;
        let [wavefronts, conflicts] = match self.check_shared(access, id, addresses, mask, generic) {
            Ok(cost) => cost,
            Err(stop) => return self.load_distant(id, addresses, mask, stop),
        };
        if let Some(checks) = &mut self.checks
            && let Err(stop) = checks.read_shared(self.warp, id.number(), access, addresses, mask)
        {
            checks.excuse_shared(self.run.kernel, self.spent, id.number(), stop)?;
        }
        let counters = &mut self.tally.counters;
        counters.shared_load_instructions += u64::from(!generic);
        counters.shared_load_wavefronts += u64::from(wavefronts);
        counters.shared_load_bank_conflicts += u64::from(conflicts);
        if self.caches.is_some() {
            self.warps[self.warp].cost.conflicts += u64::from(conflicts);
        }
        let size = usize::from(access.bytes);
        for e in 0..usize::from(access.count) {
            let out = gather(&self.shared, access, addresses, mask, e * size);
            self.write_element(access, e, &out, mask);
        }
        Ok(())
    }

    #[inline(always)]
    pub(super) fn store_shared(&mut self, id: Id<Access>, mask: u32) -> Result<(), Stop> {
        let run = self.run;
        let access = &run.kernel[id];
        self.did = true;
        let (first, pattern) = self.way(access, id, mask);
        if pattern == Pattern::Row && access.words && access.count == 1 {
            let active = mask.count_ones() as usize;
            let lowest = mask.trailing_zeros() as usize;
            let at = first as usize;
            let a = self.wi(access.registers[0]);
            if at.saturating_add(4 * active) <= self.shared.len()
                && let Some(checks) = &mut self.checks
            {
                let values = &self.w[a].0;
                checks.write_row(self.warp, id.number(), access, at, mask, &self.shared, values)?;
            }
            if let Some(into) = self.shared.get_mut(at..at.saturating_add(4 * active)) {
                let counters = &mut self.tally.counters;
                counters.shared_store_instructions += 1;
                counters.shared_store_wavefronts += 1;
                let from = &self.w[a].0;
                if mask == ALL {
                    for (bytes, lane) in into.as_chunks_mut::<4>().0.iter_mut().zip(from) {
                        *bytes = lane.to_le_bytes();
                    }
                } else {
                    for (bytes, lane) in into.as_chunks_mut::<4>().0.iter_mut().zip(&from[lowest..]) {
                        *bytes = lane.to_le_bytes();
                    }
                }
                return Ok(());
            }
        }
        let addresses = self.addresses(access);
        self.store_shared_any(id, &addresses, mask)
    }

    #[inline(never)]
    pub(super) fn store_shared_any(&mut self, id: Id<Access>, addresses: &X, mask: u32) -> Result<(), Stop> {
        let run = self.run;
        let access = &run.kernel[id];
        let [wavefronts, conflicts] = match self.check_shared(access, id, addresses, mask, true) {
            Ok(cost) => cost,
            Err(stop) => return self.store_distant(id, addresses, mask, stop),
        };
        if self.checks.is_some() {
            self.check_store(id.number(), addresses, mask)?;
        }
        let counters = &mut self.tally.counters;
        counters.shared_store_instructions += u64::from(!access.generic);
        counters.shared_store_wavefronts += u64::from(wavefronts);
        counters.shared_store_bank_conflicts += u64::from(conflicts);
        let size = usize::from(access.bytes);
        for e in 0..usize::from(access.count) {
            let values = self.read_element(access, e);
            for l in lanes(mask) {
                let at = addresses.0[l] as usize + e * size;
                self.shared[at..at + size].copy_from_slice(&values.0[l].to_le_bytes()[..size]);
            }
        }
        Ok(())
    }

    /// Wavefronts and conflicts of shared addresses, which must be aligned and inside of the block's shared memory.
    #[inline(always)]
    fn check_shared(
        &mut self,
        access: &Access,
        id: Id<Access>,
        addresses: &X,
        mask: u32,
        store: bool,
    ) -> Result<[u32; 2], Stop> {
        let width = u64::from(access.width());
        Self::aligned(addresses, mask, width)?;
        Self::inside(addresses, mask, width, self.shared.len() as u64, FaultKind::OutOfBoundsShared)?;
        Ok(self.cost(id, addresses, mask, || {
            let waves = access::wavefronts(&addresses.0.map(|a| a as u32), mask, access.width(), store);
            [waves.wavefronts, waves.conflicts]
        }))
    }
}

#[inline(always)]
fn word(memory: &[u8], at: usize) -> u32 {
    little_endian(memory, at, 4) as u32
}

/// Half a warp's lanes: neighbouring words, or one word for all; nothing where it is not all inside.
#[inline(always)]
pub(super) fn load_half(memory: &[u8], at: usize, row: bool, into: &mut [u32; WARP / 2]) -> Option<()> {
    let from = memory.get(at..)?;
    if row {
        let words = from.first_chunk::<{ 2 * WARP }>()?.as_chunks::<4>().0;
        for (lane, word) in into.iter_mut().zip(words) {
            *lane = u32::from_le_bytes(*word);
        }
    } else {
        *into = [u32::from_le_bytes(*from.first_chunk()?); WARP / 2];
    }
    Some(())
}
