//! Loads and stores of shared memory.

use super::address::{Pattern, gather, little_endian};
use super::fault::Stop;
use super::worker::Worker;
use crate::WARP;
use crate::error::FaultKind;
use crate::ir::{Access, Inst, NONE, Op};
use crate::lanes::{ALL, W, X, lanes};
use crate::model::access;

impl Worker<'_> {
    #[inline(always)]
    pub(super) fn load_shared(&mut self, inst: &Inst, mask: u32) -> Result<(), Stop> {
        let run = self.run;
        let access = &run.kernel.accesses[usize::from(inst.b)];
        if access.strong {
            self.cursor.looked = true;
        }
        let (first, pattern) = self.way(access, inst, mask);
        let at = first as usize;
        match pattern {
            Pattern::Row if access.words && access.count == 1 => {
                let active = mask.count_ones() as usize;
                let d = self.wi(access.registers[0]);
                if let Some(from) = self.block.shared.get(at..at.saturating_add(4 * active)) {
                    if let Some(checks) = &mut self.block.checks
                        && let Err(stop) = checks.read_row(self.cursor.warp, inst.b, access, at, mask)
                    {
                        checks.excuse_shared(self.run.kernel, self.block.spent, inst.b, stop)?;
                    }
                    let counters = &mut self.tally.counters;
                    counters.shared_load_instructions += 1;
                    counters.shared_load_wavefronts += 1;
                    if mask == ALL {
                        let mut out = W::ZERO;
                        for (lane, bytes) in out.0.iter_mut().zip(from.as_chunks::<4>().0) {
                            *lane = u32::from_le_bytes(*bytes);
                        }
                        self.block.w[d] = out;
                    } else {
                        let lowest = mask.trailing_zeros() as usize;
                        let into = &mut self.block.w[d].0[lowest..lowest + active];
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
                if let Some(from) = self.block.shared.get(at..at.saturating_add(width)) {
                    if let Some(checks) = &mut self.block.checks
                        && let Err(stop) = checks.read_same(self.cursor.warp, inst.b, access, at, mask)
                    {
                        checks.excuse_shared(self.run.kernel, self.block.spent, inst.b, stop)?;
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
                            self.block.w[d].set(&W([words[e]; WARP]), mask);
                        }
                    }
                    return Ok(());
                }
            }
            Pattern::Any if access.words && self.load_pieces(access, inst, first, mask)? => {
                return Ok(());
            }
            _ => {}
        }
        let addresses = self.addresses(access, inst);
        self.load_shared_any(inst, &addresses, mask)
    }

    /// A load whose addresses fall into few rows and broadcasts, as those of a tile do; says whether it was one.
    #[inline(always)]
    fn load_pieces(&mut self, access: &Access, inst: &Inst, first: u64, mask: u32) -> Result<bool, Stop> {
        let inside = self.remember(access, inst, first, mask);
        let memo = &self.memos[usize::from(access.leader)];
        if !inside || memo.pieces().is_empty() {
            return Ok(false);
        }
        if let Some(checks) = &mut self.block.checks
            && let Err(stop) = checks.read_pieces(self.cursor.warp, inst.b, access, first, memo.pieces())
        {
            checks.excuse_shared(self.run.kernel, self.block.spent, inst.b, stop)?;
        }
        let counters = &mut self.tally.counters;
        counters.shared_load_instructions += 1;
        counters.shared_load_wavefronts += u64::from(memo.cost[0]);
        counters.shared_load_bank_conflicts += u64::from(memo.cost[1]);
        if self.block.caches.is_some() {
            self.block.warps[self.cursor.warp].cost.conflicts += u64::from(memo.cost[1]);
        }
        let count = usize::from(access.count);
        if let ([a, b], 1) = (memo.pieces(), count)
            && (a.lanes, b.lanes) == (WARP / 2, WARP / 2)
        {
            // Two rows of a tile that is half a warp wide.
            let mut out = W::ZERO;
            for (half, piece) in out.0.as_chunks_mut::<{ WARP / 2 }>().0.iter_mut().zip([a, b]) {
                // All of it is inside.
                let _ =
                    load_half(&self.block.shared, first.wrapping_add(piece.offset) as usize, piece.row, half);
            }
            let d = self.wi(access.registers[0]);
            self.block.w[d] = out;
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
                    into.fill(word(&self.block.shared, at));
                } else if count == 1 {
                    let from = self.block.shared[at..at + 4 * piece.lanes].as_chunks::<4>().0;
                    for (lane, bytes) in into.iter_mut().zip(from) {
                        *lane = u32::from_le_bytes(*bytes);
                    }
                } else {
                    for (n, lane) in into.iter_mut().enumerate() {
                        *lane = word(&self.block.shared, at + 4 * count * n);
                    }
                }
            }
            let d = self.wi(access.registers[e]);
            self.block.w[d].set(&out, mask);
        }
        Ok(true)
    }

    /// Remembers a load's addresses in the memo of its leader; says whether they are aligned and inside of shared
    /// memory.
    #[inline(always)]
    pub(super) fn remember(&mut self, access: &Access, inst: &Inst, first: u64, mask: u32) -> bool {
        let width = u64::from(access.width());
        if access.leader == inst.b {
            let addresses = self.addresses(access, inst);
            self.cost(inst, &addresses, mask, || {
                let addresses = addresses.0.map(|a| a as u32);
                let waves = access::wavefronts(&addresses, mask, access.width(), false);
                [waves.wavefronts, waves.conflicts]
            });
        }
        let memo = &self.memos[usize::from(access.leader)];
        let (low, high) = (first.wrapping_add_signed(memo.low), first.wrapping_add_signed(memo.high));
        let end = high.wrapping_add(width);
        let inside = low <= high && high < end && end <= self.block.shared.len() as u64;
        inside && (first | memo.misaligned) & (width - 1) == 0
    }

    #[inline(always)]
    pub(super) fn load_shared_any(&mut self, inst: &Inst, addresses: &X, mask: u32) -> Result<(), Stop> {
        let run = self.run;
        let access = &run.kernel.accesses[usize::from(inst.b)];
        let generic = inst.op == Op::LoadGeneric;
        let [wavefronts, conflicts] = match self.check_shared(access, inst, addresses, mask, generic) {
            Ok(cost) => cost,
            Err(stop) => return self.load_distant(inst, addresses, mask, stop),
        };
        if let Some(checks) = &mut self.block.checks
            && let Err(stop) = checks.read_shared(self.cursor.warp, inst.b, access, addresses, mask)
        {
            checks.excuse_shared(self.run.kernel, self.block.spent, inst.b, stop)?;
        }
        let counters = &mut self.tally.counters;
        counters.shared_load_instructions += u64::from(!generic);
        counters.shared_load_wavefronts += u64::from(wavefronts);
        counters.shared_load_bank_conflicts += u64::from(conflicts);
        if self.block.caches.is_some() {
            self.block.warps[self.cursor.warp].cost.conflicts += u64::from(conflicts);
        }
        let size = usize::from(access.bytes);
        for e in 0..usize::from(access.count) {
            let out = gather(&self.block.shared, access, addresses, mask, e * size);
            self.write_element(access, e, &out, mask);
        }
        Ok(())
    }

    #[inline(always)]
    pub(super) fn store_shared(&mut self, inst: &Inst, mask: u32) -> Result<(), Stop> {
        let run = self.run;
        let access = &run.kernel.accesses[usize::from(inst.b)];
        self.cursor.did = true;
        let (first, pattern) = self.way(access, inst, mask);
        if pattern == Pattern::Row && access.words && access.count == 1 {
            let active = mask.count_ones() as usize;
            let lowest = mask.trailing_zeros() as usize;
            let at = first as usize;
            let a = self.wi(access.registers[0]);
            if at.saturating_add(4 * active) <= self.block.shared.len()
                && let Some(checks) = &mut self.block.checks
            {
                let values = &self.block.w[a].0;
                checks.write_row(self.cursor.warp, inst.b, access, at, mask, &self.block.shared, values)?;
            }
            if let Some(into) = self.block.shared.get_mut(at..at.saturating_add(4 * active)) {
                let counters = &mut self.tally.counters;
                counters.shared_store_instructions += 1;
                counters.shared_store_wavefronts += 1;
                let from = &self.block.w[a].0;
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
        let addresses = self.addresses(access, inst);
        self.store_shared_any(inst, &addresses, mask)
    }

    #[inline(never)]
    pub(super) fn store_shared_any(&mut self, inst: &Inst, addresses: &X, mask: u32) -> Result<(), Stop> {
        let run = self.run;
        let access = &run.kernel.accesses[usize::from(inst.b)];
        let [wavefronts, conflicts] = match self.check_shared(access, inst, addresses, mask, true) {
            Ok(cost) => cost,
            Err(stop) => return self.store_distant(inst, addresses, mask, stop),
        };
        if self.block.checks.is_some() {
            self.check_store(inst.b, addresses, mask)?;
        }
        let counters = &mut self.tally.counters;
        counters.shared_store_instructions += u64::from(inst.op != Op::StoreGeneric);
        counters.shared_store_wavefronts += u64::from(wavefronts);
        counters.shared_store_bank_conflicts += u64::from(conflicts);
        let size = usize::from(access.bytes);
        for e in 0..usize::from(access.count) {
            let values = self.read_element(access, e);
            for l in lanes(mask) {
                let at = addresses.0[l] as usize + e * size;
                self.block.shared[at..at + size].copy_from_slice(&values.0[l].to_le_bytes()[..size]);
            }
        }
        Ok(())
    }

    /// Wavefronts and conflicts of shared addresses, which must be aligned and inside of the block's shared memory.
    #[inline(always)]
    fn check_shared(
        &mut self,
        access: &Access,
        inst: &Inst,
        addresses: &X,
        mask: u32,
        store: bool,
    ) -> Result<[u32; 2], Stop> {
        let width = u64::from(access.width());
        Self::aligned(addresses, mask, width)?;
        Self::inside(addresses, mask, width, self.block.shared.len() as u64, FaultKind::OutOfBoundsShared)?;
        Ok(self.cost(inst, addresses, mask, || {
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
