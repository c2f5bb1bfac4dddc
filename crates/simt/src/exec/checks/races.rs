//! Who wrote and who read each piece of a block's shared memory last: races, and reads before any write.
//!
//! Enters: accesses, with the marks of earlier ones ([`super::marks`]) and what orders them. Leaves: marks, or the first
//! access that should not be.

use super::super::fault::{Missing, Other, RawDetail, Stop};
use super::super::memory::access::Access;
use super::super::memory::layout::Piece;
use super::marks::{
    ACCESS, ACCESSES, ATOMIC, HIGH, LANE, LOW, Now, ReadPieces, ReadScattered, STRONG, Shadow, UNDER_WAY,
    WARP_AT, WARP_BITS, WHO, WriteRow, WriteScattered, access_of, copier_of, copy_mark, lanes_of, of_lanes,
    since, time_of, warp_of,
};
use super::{Around, Checks, Space, uniform};
use crate::WARP;
use crate::detail::{RaceAccess, UnwrittenBytes, UnwrittenMemory, UnwrittenRead};
use crate::error::FaultKind;
use crate::ir::MemoryOperand;
use crate::lanes::{X, lanes};
use std::ops::Range;

/// Kinds of access to shared memory, as messages tell them apart.
#[derive(Clone, Copy, PartialEq, Eq)]
enum SharedAccessKind {
    Read,
    Write,
    Atomic,
}
impl Checks<'_> {
    /// The marks of the block's begin and of the last barrier of all threads.
    pub(super) fn interval(&self) -> (u64, u64) {
        (since(self.began), since(self.interval))
    }

    #[inline(always)]
    pub(super) fn now(&self, warp: usize, number: u16, flags: u64) -> Now {
        let order = &self.order.warps[warp];
        let warp = (warp as u64) << WARP_AT;
        Now {
            warp,
            mark: since(self.clock) | u64::from(number) << ACCESS | warp | flags,
            began: since(self.began),
            interval: since(self.interval),
            met: since(order.all_met),
            fresh: since(order.some_met.max(order.some_released).max(self.interval)),
        }
    }

    /// Neighbouring lanes read neighbouring words.
    #[inline(always)]
    pub(in crate::exec) fn read_row(&mut self, warp: usize, access: &Access<'_>) -> Result<(), Stop> {
        let lanes = access.mask.count_ones() as usize;
        self.read_pieces(warp, access, &[Piece { lane: access.lane(), lanes, row: true, offset: 0 }])
    }

    /// Lanes read words at one address.
    #[inline(always)]
    pub(in crate::exec) fn read_same(&mut self, warp: usize, access: &Access<'_>) -> Result<(), Stop> {
        // Lanes between the first and the last one may be off: marks do not know them.
        let lane = access.lane();
        let lanes = WARP - access.mask.leading_zeros() as usize % WARP - lane;
        if self.read_simply(warp, access, &[Piece { lane, lanes, row: false, offset: 0 }]) {
            return Ok(());
        }
        self.read_shared(warp, access, &X::splat(access.first))
    }

    /// Lanes read words in rows and broadcasts.
    #[inline(always)]
    pub(in crate::exec) fn read_pieces(
        &mut self,
        warp: usize,
        access: &Access<'_>,
        pieces: &[Piece],
    ) -> Result<(), Stop> {
        if self.read_simply(warp, access, pieces) {
            return Ok(());
        }
        self.read_closely(warp, access, pieces)
    }

    #[cold]
    #[inline(never)]
    fn read_closely(&mut self, warp: usize, access: &Access<'_>, pieces: &[Piece]) -> Result<(), Stop> {
        for piece in pieces {
            let at = access.first.wrapping_add(piece.offset);
            let mask = (u32::MAX >> (WARP - piece.lanes)) << piece.lane;
            let step = if piece.row { u64::from(access.width) } else { 0 };
            let of =
                |l: usize| at.wrapping_add((l as u64).wrapping_sub(piece.lane as u64).wrapping_mul(step));
            let addresses = X(std::array::from_fn(of));
            self.read_shared(warp, &Access { mask, ..*access }, &addresses)?;
        }
        Ok(())
    }

    #[inline(always)]
    fn read_simply(&mut self, warp: usize, access: &Access<'_>, pieces: &[Piece]) -> bool {
        let operand = access.operand;
        let count = usize::from(operand.count);
        let simple = self.shared.shift == 2 && !operand.strong && operand.words;
        if !simple
            || count > 1 && (pieces.iter().any(|piece| piece.row) || (0..count).any(|e| !operand.takes(e)))
        {
            return false;
        }
        let now = self.now(warp, access.id.number(), 0);
        let look = ReadPieces { shadow: &mut self.shared, now, first: access.first, pieces, count };
        simd::call(look)
    }

    /// Neighbouring lanes write neighbouring words.
    #[inline(never)]
    pub(in crate::exec) fn write_row(
        &mut self,
        warp: usize,
        access: &Access<'_>,
        memory: &[u8],
        values: &[u32; WARP],
    ) -> Result<(), Stop> {
        self.mark_runs();
        let (at, lane) = (access.first as usize, access.lane());
        let words = at / 4..at / 4 + access.mask.count_ones() as usize;
        if self.shared.shift == 2 && !access.operand.strong {
            let now = self.now(warp, access.id.number(), 0);
            let Shadow { written, read, read_before, .. } = &mut self.shared;
            let row = WriteRow {
                written: &mut written[words.clone()],
                read: &read[words.clone()],
                before: &read_before[words],
                now,
                lane,
            };
            if simd::call(row) {
                return Ok(());
            }
        }
        let values = [X(values.map(u64::from)); 1];
        self.write_shared(warp, access, &row_addresses(at, lane), memory, &values)
    }

    /// Lanes read; their addresses are inside.
    #[inline(never)]
    pub(in crate::exec) fn read_shared(
        &mut self,
        warp: usize,
        access: &Access<'_>,
        addresses: &X,
    ) -> Result<(), Stop> {
        let (operand, mask) = (access.operand, access.mask);
        let now = self.now(warp, access.id.number(), if operand.strong { STRONG } else { 0 });
        let low = access.lane();
        let pieces = usize::from(operand.bytes) >> self.shared.shift == 1;
        if uniform(addresses, mask) {
            let high = WARP - 1 - mask.leading_zeros() as usize % WARP;
            self.read_one(now, operand, addresses.0[low], mask, of_lanes(low, high))?;
        } else if operand.strong
            || !pieces
            || !simd::call(ReadScattered { shadow: &mut self.shared, now, addresses, mask, operand })
        {
            for l in lanes(mask) {
                self.read_one(now, operand, addresses.0[l], 1 << l, of_lanes(l, l))?;
            }
        }
        // What it orders is what comes after it.
        if operand.strong {
            self.acquire(warp, mask);
        }
        Ok(())
    }

    /// All lanes of `mask` read what lies at one address.
    #[inline(always)]
    fn read_one(
        &mut self,
        now: Now,
        access: &MemoryOperand,
        address: u64,
        mask: u32,
        who: u64,
    ) -> Result<(), Stop> {
        let shift = self.shared.shift;
        let pieces = usize::from(access.bytes) >> shift;
        let span = now.interval - now.began;
        let mut missing: u64 = 0;
        for e in 0..usize::from(access.count) {
            if !access.takes(e) {
                continue;
            }
            let first = (address as usize + e * usize::from(access.bytes)) >> shift;
            for piece in first..first + pieces {
                let mark = self.shared.written[piece];
                if mark < now.began {
                    let byte = (piece << shift) - address as usize;
                    missing |= ((1 << (1 << shift)) - 1) << byte;
                } else if mark.wrapping_sub(now.began) >= span {
                    let own = mark & WHO == now.warp | who;
                    let met = mark & WARP_BITS == now.warp && mark < now.met;
                    if !own && !met {
                        self.conflict(now, mark, mask, SharedAccessKind::Read, piece, false)?;
                    }
                }
                let read = &mut self.shared.read[piece];
                let old = *read;
                let apart = (old ^ now.mark) & ACCESSES != 0 && self.shared.read_before[piece] < now.interval;
                if old & WARP_BITS != now.warp || old >= now.fresh && apart {
                    self.shared.read_before[piece] = old;
                    *read = now.mark | who;
                } else if old >= now.fresh {
                    let low = (old & LANE << LOW).min(who & LANE << LOW);
                    let high = (old & LANE << HIGH).max(who & LANE << HIGH);
                    *read = now.mark & !STRONG | now.mark & old & STRONG | low | high;
                } else {
                    *read = now.mark | who;
                }
            }
        }
        if missing != 0 && !self.is_reserved(address) {
            let first = address as usize + missing.trailing_zeros() as usize;
            let around = Around {
                cause: self.cause_in_shared(first >> shift),
                hole: access.width() == 1 && self.wrote_any((first & !7) >> shift..first >> shift),
            };
            self.note_missing(Space::Shared, mask, address, missing, around);
        }
        Ok(())
    }

    /// Whether any of these pieces has been written.
    fn wrote_any(&self, pieces: std::ops::Range<usize>) -> bool {
        self.shared.written[pieces].iter().any(|mark| *mark >= since(self.began))
    }

    /// Lanes write `values`, one for each element; their addresses are inside, and `memory` is what it was before.
    #[inline(never)]
    pub(in crate::exec) fn write_shared(
        &mut self,
        warp: usize,
        access: &Access<'_>,
        addresses: &X,
        memory: &[u8],
        values: &[X],
    ) -> Result<(), Stop> {
        let (operand, mask) = (access.operand, access.mask);
        if operand.strong {
            self.release(warp, mask);
            self.order.warps[warp].together.insert(access.id.number(), mask);
        }
        self.mark_runs();
        // Other lanes' marks of this instruction are known by their time.
        let time = self.tick();
        let now = self.now(warp, access.id.number(), if operand.strong { STRONG } else { 0 });
        let size = usize::from(operand.bytes);
        let simple = !operand.strong && size >> self.shared.shift == 1;
        for e in 0..usize::from(operand.count) {
            let write = WriteScattered { shadow: &mut self.shared, now, addresses, mask, element: e };
            if simple && simd::call(write) {
                continue;
            }
            for l in lanes(mask) {
                let at = addresses.0[l] as usize + e * size;
                // Several threads may write the same value.
                let same = |mark: u64| match values.get(e) {
                    Some(values) if time_of(mark) == time => values.0[lanes_of(mark)[0]] == values.0[l],
                    Some(values) => memory[at..at + size] == values.0[l].to_le_bytes()[..size],
                    None => false,
                };
                self.write_one(now, at, size, l, SharedAccessKind::Write, same)?;
            }
        }
        Ok(())
    }

    /// Lanes have written bytes that have no value, of each a bit for each byte: pieces of which no other is there are
    /// as if it had not been written.
    #[cold]
    pub(in crate::exec) fn shared_forget(
        &mut self,
        addresses: &X,
        mask: u32,
        width: u32,
        missing: &X,
        (warp, origin): (usize, u32),
    ) {
        let shift = self.shared.shift;
        let piece = (1 << (1 << shift)) - 1;
        for l in lanes(mask) {
            for byte in (0..width as usize).step_by(1 << shift) {
                if missing.0[l] >> byte & piece == piece {
                    let at = (addresses.0[l] as usize + byte) >> shift;
                    self.shared.written[at] = 0;
                    self.note_stored(at, warp, origin);
                }
            }
        }
    }

    /// Lanes change memory atomically; those that look at the old value need one.
    #[inline(never)]
    pub(in crate::exec) fn atomic_shared(
        &mut self,
        warp: usize,
        access: &Access<'_>,
        addresses: &X,
    ) -> Result<(), Stop> {
        self.mark_runs();
        let now = self.now(warp, access.id.number(), STRONG | ATOMIC);
        let size = usize::from(access.operand.bytes);
        let shift = self.shared.shift;
        if uniform(addresses, access.mask) && self.atomic_together(now, access, addresses) {
            return Ok(());
        }
        for l in lanes(access.mask) {
            let at = addresses.0[l] as usize;
            let pieces = at >> shift..(at + size) >> shift;
            let written = &self.shared.written[pieces.clone()];
            let unwritten_yet = access.looks && written.iter().all(|mark| *mark < now.began);
            if unwritten_yet && self.chosen.uninitialised && !self.is_reserved(at as u64) {
                // A thread that writes it later finds the read.
                self.shared.read[pieces].fill(now.mark & !(STRONG | ATOMIC) | of_lanes(l, l));
                return Err(unwritten(access.operand, at as u64, 1 << l));
            }
            self.write_one(now, at, size, l, SharedAccessKind::Atomic, |_| false)?;
        }
        Ok(())
    }

    /// Lanes change one value atomically that since the last barrier only atomic operations and strong accesses were of: the
    /// last of them leaves its mark. Says whether it is so; else nothing is done.
    fn atomic_together(&mut self, now: Now, access: &Access<'_>, addresses: &X) -> bool {
        let (first, shift) = (addresses.0[access.lane()] as usize, self.shared.shift);
        let pieces = first >> shift..(first + usize::from(access.operand.bytes)) >> shift;
        let Shadow { written, read, read_before, .. } = &mut self.shared;
        let written = &mut written[pieces.clone()];
        let fine = |mark: &u64| *mark < now.interval || mark & STRONG != 0;
        let begun = !access.looks || written.iter().any(|mark| *mark >= now.began);
        let others = [&read[pieces.clone()], &read_before[pieces]];
        let all = begun && written.iter().all(fine) && others.into_iter().flatten().all(fine);
        if all {
            let last = WARP - 1 - access.mask.leading_zeros() as usize % WARP;
            written.fill(now.mark | now.warp | of_lanes(last, last));
        }
        all
    }

    /// Whether shared memory there is the system's, which writes it itself.
    fn is_reserved(&self, address: u64) -> bool {
        self.kernel.reserved.as_ref().is_some_and(|bytes| bytes.contains(&(address as u32)))
    }

    /// A lane begins to copy to some bytes.
    pub(super) fn mark_copy(&mut self, warp: usize, lane: usize, access: u16, bytes: Range<usize>) {
        let shift = self.shared.shift;
        let mark = copy_mark(warp, lane, access);
        self.shared.written[bytes.start >> shift..bytes.end >> shift].fill(mark);
    }

    /// A lane's copy to some bytes is made now; without a moment it is not made.
    pub(super) fn end_copy(
        &mut self,
        warp: usize,
        lane: usize,
        access: u16,
        bytes: Range<usize>,
        now: Option<Now>,
    ) {
        let shift = self.shared.shift;
        let begun = copy_mark(warp, lane, access);
        let mark = now.map_or(0, |now| now.mark | of_lanes(lane, lane));
        let written = &mut self.shared.written[bytes.start >> shift..bytes.end >> shift];
        written.iter_mut().filter(|old| **old == begun).for_each(|old| *old = mark);
    }

    /// Another block of the cluster writes: in the order that the cluster's barrier makes, which is not looked at.
    pub(in crate::exec) fn written_by_others(&mut self, at: usize, size: usize) {
        let shift = self.shared.shift;
        let pieces = at >> shift..(at + size).div_ceil(1 << shift);
        self.shared.written[pieces].fill(since(self.began));
    }

    /// Another block of the cluster reads; says whether has not been written that.
    pub(in crate::exec) fn is_unwritten(&self, at: usize, size: usize) -> bool {
        let shift = self.shared.shift;
        let pieces = &self.shared.written[at >> shift..(at + size).div_ceil(1 << shift)];
        pieces.iter().all(|mark| *mark < since(self.began))
    }

    /// Lanes write, whatever that races with.
    #[cold]
    pub(in crate::exec) fn write_anyway(&mut self, warp: usize, access: &Access<'_>, addresses: &X) {
        let now = self.now(warp, access.id.number(), 0);
        let shift = self.shared.shift;
        for l in lanes(access.mask) {
            let at = addresses.0[l] as usize;
            let pieces = at >> shift..(at + access.width as usize).div_ceil(1 << shift);
            self.shared.written[pieces].fill(now.mark | now.warp | of_lanes(l, l));
        }
    }

    #[inline(always)]
    fn write_one(
        &mut self,
        now: Now,
        at: usize,
        size: usize,
        lane: usize,
        doing: SharedAccessKind,
        same_value: impl Fn(u64) -> bool,
    ) -> Result<(), Stop> {
        let own = now.warp | of_lanes(lane, lane);
        let fine = |mark: u64| {
            mark < now.interval
                || now.comes_after(mark, own)
                // Neither a strong write nor an atomic operation counts on lanes to move together.
                || mark & now.mark & STRONG != 0
        };
        let shift = self.shared.shift;
        for piece in at >> shift..(at + size) >> shift {
            let written = self.shared.written[piece];
            if !fine(written) && !same_value(written) {
                self.conflict(now, written, 1 << lane, doing, piece, false)?;
            }
            for mark in [self.shared.read[piece], self.shared.read_before[piece]] {
                if !fine(mark) {
                    self.conflict(now, mark, 1 << lane, doing, piece, true)?;
                }
            }
            // A thread's plain write that nothing has ordered yet says more than its atomic operation on top of it.
            let plain = written >= now.interval && written & (WHO | STRONG) == own;
            if !plain || now.mark & STRONG == 0 {
                self.shared.written[piece] = now.mark | own;
            }
        }
        Ok(())
    }

    /// Whether an access and an earlier one that no barrier of all threads lies between are a race.
    #[cold]
    #[inline(never)]
    fn conflict(
        &self,
        now: Now,
        mark: u64,
        mask: u32,
        doing: SharedAccessKind,
        piece: usize,
        was_read: bool,
    ) -> Result<(), Stop> {
        if !self.chosen.races {
            return Ok(());
        }
        let warp = (now.warp >> WARP_AT) as usize;
        let access = match doing {
            SharedAccessKind::Read => RaceAccess::Read,
            SharedAccessKind::Write => RaceAccess::Write,
            SharedAccessKind::Atomic => RaceAccess::Atomic,
        };
        let address = (piece as u64) << self.shared.shift;
        let stop = |lane| Stop {
            shared: true,
            ..Stop::at(FaultKind::SharedRace, lane, address, 1 << self.shared.shift)
        };
        let other = |lane, other, missing| {
            let thread = (warp_of(mark) * WARP + lane) as u32;
            let accesses = [access, other];
            Some(Box::new(Other { thread, block: None, access: access_of(mark), accesses, missing }))
        };
        if time_of(mark) == UNDER_WAY {
            let (lane, from) = (mask.trailing_zeros() as usize % WARP, copier_of(mark));
            let own = (warp, lane) == (warp_of(mark), from);
            let missing = self.missing_of_copy(warp_of(mark), from, address, own);
            return Err(Stop { other: other(from, RaceAccess::Copying, missing), ..stop(lane) });
        }
        let both_strong = mark & now.mark & STRONG != 0;
        let found = if warp_of(mark) == warp {
            let lockstep = self.lockstep(warp, mark, doing, was_read);
            // Strong accesses of one warp are a race only where they count on lanes to move together.
            let mask = if both_strong { mask & lockstep } else { mask };
            lanes(mask).find_map(|lane| Some((lane, self.other_lane(warp, mark, lane)?)))
        } else if both_strong || self.warps_ordered(mark, warp) {
            None
        } else {
            Some((mask.trailing_zeros() as usize % WARP, lanes_of(mark)[0]))
        };
        let Some((lane, from)) = found else { return Ok(()) };
        // A plain read that only guesses what a compare-and-swap will then find, as the CUDA guide's own loop begins.
        let swap = match (doing, was_read) {
            (SharedAccessKind::Read, _) => Some(access_of(mark)),
            (SharedAccessKind::Atomic, true) => Some(access_of(now.mark)),
            (SharedAccessKind::Atomic, false) | (SharedAccessKind::Write, _) => None,
        };
        if swap.is_some_and(|access| self.swaps.contains(&access)) {
            return Ok(());
        }
        let copied = if was_read { None } else { self.copied(warp_of(mark), access_of(mark)) };
        let (did, missing) = match (was_read, mark & ATOMIC != 0, copied) {
            (true, _, _) => (RaceAccess::Read, Missing::Barrier),
            (false, true, _) => (RaceAccess::Atomic, Missing::Barrier),
            (false, false, Some(missing)) => (RaceAccess::Copied, missing),
            (false, false, None) => (RaceAccess::Write, Missing::Barrier),
        };
        Err(Stop { other: other(from, did, missing), ..stop(lane) })
    }

    /// The lanes that made a strong store together, for the read of one of them.
    fn lockstep(&self, warp: usize, mark: u64, doing: SharedAccessKind, was_read: bool) -> u32 {
        if doing != SharedAccessKind::Read || was_read || mark & ATOMIC != 0 {
            return 0;
        }
        self.order.warps[warp].together.get(&access_of(mark)).copied().unwrap_or(0)
    }

    /// A lane of the mark that nothing orders before this one of the same warp.
    fn other_lane(&self, warp: usize, mark: u64, lane: usize) -> Option<usize> {
        let (order, time) = (&self.order.warps[warp], time_of(mark));
        lanes_of(mark).into_iter().find(|other| !order.ordered(*other, time, lane))
    }

    fn warps_ordered(&self, mark: u64, warp: usize) -> bool {
        self.order.warps_ordered(warp_of(mark), time_of(mark), warp)
    }
}

fn row_addresses(at: usize, lane: usize) -> X {
    X(std::array::from_fn(|l| (at + 4 * l).wrapping_sub(4 * lane) as u64))
}

#[cold]
fn unwritten(access: &MemoryOperand, address: u64, mask: u32) -> Stop {
    let width = access.width();
    let lane = mask.trailing_zeros() as usize % WARP;
    let read = UnwrittenRead { bytes: width, memory: UnwrittenMemory::Shared, which: UnwrittenBytes::All };
    let stop = Stop::at(FaultKind::UninitialisedRead, lane, address, u64::from(width));
    Stop { detail: Some(Box::new(RawDetail::Unwritten(read))), shared: true, ..stop }
}
