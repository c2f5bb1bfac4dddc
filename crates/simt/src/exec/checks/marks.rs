//! Marks of accesses to shared memory, and what looks at those of many lanes at once.
//!
//! A piece is a word, or less in a kernel that has narrower accesses. For each piece three marks are kept: the last
//! write, the last read, and the last read by another warp than that one's, or before that by another instruction. A mark
//! is 64 bits, so that rows of 32 neighbours are looked at with a few vector instructions:
//!
//! ```text
//! 63 … 33  time      32 … 17  access      16 … 12  warp      11 … 7, 6 … 2  lowest and highest lane      1 atomic, 0 strong
//! ```
//!
//! Enters: the marks of earlier accesses, and who makes one now. Leaves: its marks, where nothing has to be looked at
//! closely; [`super::races`] does that.

use super::super::memory::layout::Piece;
use crate::WARP;
use crate::ir::{Effect, Inst, Kernel, MemoryOperand, StateSpace};
use crate::lanes::{X, lanes};

pub(super) const TIME: u32 = 33;
pub(super) const ACCESS: u32 = 17;
pub(super) const WARP_AT: u32 = 12;
pub(super) const LOW: u32 = 7;
pub(super) const HIGH: u32 = 2;
pub(super) const LANE: u64 = 31;
pub(super) const ACCESSES: u64 = (u16::MAX as u64) << ACCESS;
pub(super) const WARP_BITS: u64 = 31 << WARP_AT;
/// Warp and lanes.
pub(super) const WHO: u64 = WARP_BITS | LANE << LOW | LANE << HIGH;
pub(super) const STRONG: u64 = 1;
pub(super) const ATOMIC: u64 = 2;
/// The last time that fits.
pub(super) const LAST_TIME: u32 = (1 << (64 - TIME)) - 2;
/// The time of writes that are not made yet: later than all others, so that nothing comes after them.
pub(super) const UNDER_WAY: u32 = LAST_TIME + 1;

/// The first mark of a time.
pub(super) fn since(time: u32) -> u64 {
    u64::from(time) << TIME
}

pub(super) fn time_of(mark: u64) -> u32 {
    (mark >> TIME) as u32
}

pub(super) fn warp_of(mark: u64) -> usize {
    (mark >> WARP_AT & 31) as usize
}

pub(super) fn access_of(mark: u64) -> u16 {
    (mark >> ACCESS) as u16
}

pub(super) fn lanes_of(mark: u64) -> [usize; 2] {
    [(mark >> LOW & LANE) as usize, (mark >> HIGH & LANE) as usize]
}

pub(super) fn of_lanes(low: usize, high: usize) -> u64 {
    (low as u64) << LOW | (high as u64) << HIGH
}

/// The marks of a block's shared memory; kept from block to block, since times only rise.
pub(super) struct Shadow {
    /// Logarithm to base 2 of the bytes of a piece.
    pub(super) shift: u8,
    pub(super) written: Vec<u64>,
    pub(super) read: Vec<u64>,
    pub(super) read_before: Vec<u64>,
}

impl Shadow {
    pub(super) fn new(kernel: &Kernel, bytes: u32) -> Self {
        let reaches_shared = |inst: &&Inst| match inst.op.effect() {
            Effect::Load(space) | Effect::Store(space) => {
                matches!(space, StateSpace::Shared | StateSpace::Generic)
            }
            Effect::Atomic(_) | Effect::LoadMatrix(_) | Effect::StoreMatrix(_) => true,
            Effect::Pure
            | Effect::Copy(_)
            | Effect::Asynchronous
            | Effect::Texture
            | Effect::Collective
            | Effect::Fence
            | Effect::System => false,
        };
        let accesses = kernel.code.iter().filter(reaches_shared);
        let narrowest = accesses.filter_map(|inst| Some(kernel[inst.op.access(kernel)?].bytes)).min();
        let shift = narrowest.unwrap_or(4).clamp(1, 4).trailing_zeros() as u8;
        let pieces = (bytes as usize).div_ceil(1 << shift);
        Shadow { shift, written: vec![0; pieces], read: vec![0; pieces], read_before: vec![0; pieces] }
    }

    pub(super) fn shift(&self) -> u8 {
        self.shift
    }

    /// The marks of the last writes.
    pub(super) fn written(&self) -> &[u64] {
        &self.written
    }

    /// Lanes read a word each, in rows and broadcasts; that they may, has been seen.
    pub(super) fn mark_read(&mut self, now: Now, first: u64, pieces: &[Piece]) {
        simd::Work::call(ReadPieces { shadow: self, now, first, pieces, count: 1 });
    }

    pub(super) fn start_over(&mut self, began: u32) {
        for mark in &mut self.written {
            *mark = if *mark >= since(began) { since(1) } else { 0 };
        }
        self.read.fill(0);
        self.read_before.fill(0);
    }
}

/// The mark of a copy that a thread has begun. No access has its lanes, so that not even the thread's own ones match it.
pub(super) fn copy_mark(warp: usize, lane: usize, access: u16) -> u64 {
    let lanes = if lane == WARP - 1 { of_lanes(1, 0) } else { of_lanes(WARP - 1, lane) };
    since(UNDER_WAY) | u64::from(access) << ACCESS | (warp as u64) << WARP_AT | lanes
}

/// The thread of a warp that has begun a copy.
pub(super) fn copier_of(mark: u64) -> usize {
    let [low, high] = lanes_of(mark);
    if low == WARP - 1 { high } else { WARP - 1 }
}
/// Who makes an access, and since when accesses of others matter.
#[derive(Clone, Copy)]
pub(super) struct Now {
    pub(super) warp: u64,
    /// A mark of this access, without lanes.
    pub(super) mark: u64,
    pub(super) began: u64,
    pub(super) interval: u64,
    /// Marks of this warp before this are ordered.
    pub(super) met: u64,
    /// Reads of this warp since this belong together.
    pub(super) fresh: u64,
}

impl Now {
    /// Whether a write of the block lies before the last barrier of all threads.
    #[inline(always)]
    fn knows(&self, written: u64) -> bool {
        written.wrapping_sub(self.began) < self.interval - self.began
    }

    /// Whether an earlier access is ordered before this one of a warp's lane, by a barrier of all threads, as the lane's
    /// own, or as one of its warp's. Without branches: rows are looked at as vectors.
    #[inline(always)]
    pub(super) fn comes_after(&self, mark: u64, own: u64) -> bool {
        (mark < self.interval) | (mark & WHO == own) | ((mark & WARP_BITS == self.warp) & (mark < self.met))
    }

    /// This moment, with the mark of another access.
    pub(super) fn of_access(self, number: u16) -> Self {
        Now { mark: self.mark & !ACCESSES | u64::from(number) << ACCESS, ..self }
    }
}

/// Looks at the words that lanes read, in rows and broadcasts, and marks them. It says whether nothing has to be looked
/// at closely; marks that it has changed until then may be made again.
pub(super) struct ReadPieces<'a> {
    pub(super) shadow: &'a mut Shadow,
    pub(super) now: Now,
    pub(super) first: u64,
    pub(super) pieces: &'a [Piece],
    /// Words of each lane.
    pub(super) count: usize,
}

impl simd::Work for ReadPieces<'_> {
    type Output = bool;

    #[inline(always)]
    fn call(self) -> bool {
        let ReadPieces { shadow: Shadow { written, read, read_before, .. }, now, first, pieces, count } =
            self;
        let mut doubt = 0;
        let mut rest = pieces;
        while let [piece, others @ ..] = rest {
            rest = others;
            // Both halves of a warp often read the same row: once is enough.
            let mut highest = piece.lane;
            if let [other, others @ ..] = others
                && (other.offset, other.row, other.lanes) == (piece.offset, true, piece.lanes)
                && piece.row
            {
                highest = other.lane;
                rest = others;
            }
            let at = first.wrapping_add(piece.offset) as usize / 4;
            let (words, lane) = if piece.row { (piece.lanes, 1) } else { (count, 0) };
            let all = at..at.saturating_add(words);
            let (Some(written), Some(read), Some(before)) =
                (written.get(all.clone()), read.get_mut(all.clone()), read_before.get_mut(all))
            else {
                return false;
            };
            let low = of_lanes(piece.lane, highest);
            let wide = if piece.row { 0 } else { (piece.lanes as u64 - 1) << HIGH };
            let step = lane * (1 << LOW | 1 << HIGH);
            // Eight at a time, in arrays of their own: compilers know how to do that at once.
            let (w8, w) = written.as_chunks::<8>();
            let (r8, r) = read.as_chunks_mut::<8>();
            let (b8, b) = before.as_chunks_mut::<8>();
            let mut who = low + wide;
            for ((w, r), b) in w8.iter().zip(r8).zip(b8) {
                let (old_read, old_before) = (*r, *b);
                let (mut new_read, mut new_before, mut wrong) = ([0; 8], [0; 8], [0; 8]);
                for n in 0..8 {
                    let who = who + n as u64 * step;
                    (new_read[n], new_before[n], wrong[n]) =
                        read_word(&now, who, w[n], old_read[n], old_before[n]);
                }
                (*r, *b) = (new_read, new_before);
                doubt |= wrong.iter().fold(0, |all, one| all | one);
                who += 8 * step;
            }
            for ((w, r), b) in w.iter().zip(r).zip(b) {
                let wrong;
                (*r, *b, wrong) = read_word(&now, who, *w, *r, *b);
                doubt |= wrong;
                who += step;
            }
        }
        doubt == 0
    }
}

/// [`ReadPieces`] for scattered lanes, whose elements are a piece each.
pub(super) struct ReadScattered<'a> {
    pub(super) shadow: &'a mut Shadow,
    pub(super) now: Now,
    pub(super) addresses: &'a X,
    pub(super) mask: u32,
    pub(super) operand: &'a MemoryOperand,
}

impl simd::Work for ReadScattered<'_> {
    type Output = bool;

    #[inline(always)]
    fn call(self) -> bool {
        let ReadScattered { shadow, now, addresses, mask, operand } = self;
        let Shadow { shift, written, read, read_before } = shadow;
        let n = written.len().min(read.len()).min(read_before.len());
        let (written, read, before) = (&written[..n], &mut read[..n], &mut read_before[..n]);
        let mut doubt = 0;
        for e in (0..usize::from(operand.count)).filter(|e| operand.takes(*e)) {
            for l in lanes(mask) {
                let at = (addresses.0[l] as usize >> *shift) + e;
                if at >= n {
                    return false;
                }
                if now.knows(written[at]) && read[at] < now.interval {
                    // What was before the last barrier of all threads matters no more.
                    read[at] = now.mark | of_lanes(l, l);
                    continue;
                }
                let wrong;
                (read[at], before[at], wrong) =
                    read_word(&now, of_lanes(l, l), written[at], read[at], before[at]);
                doubt |= wrong;
            }
        }
        doubt == 0
    }
}

/// A read of a word by some lanes: the marks of reads after it, and whether it may not be (all ones) or may (zero).
#[inline(always)]
pub(super) fn read_word(now: &Now, who: u64, written: u64, read: u64, before: u64) -> (u64, u64, u64) {
    let all = |holds: bool| u64::from(holds).wrapping_neg();
    let ordered = all(now.knows(written));
    let own = all(written & WHO == now.warp | who);
    let met = all(written & WARP_BITS == now.warp) & all(written < now.met);
    let fine = ordered | all(written >= now.began) & (own | met);
    // A warp's reads by two instructions are kept apart while there is room: so that messages have the line.
    let apart = all((read ^ now.mark) & ACCESSES != 0) & all(before < now.interval);
    let same = all(read & WARP_BITS == now.warp);
    let fresh = same & all(read >= now.fresh);
    let merged = fresh & !apart;
    let moved = !same | fresh & apart;
    let low = (read & LANE << LOW).min(who & LANE << LOW);
    let high = (read & LANE << HIGH).max(who & LANE << HIGH);
    let lanes = (low | high) & merged | who & !merged;
    (now.mark | lanes, before & !moved | read & moved, !fine)
}

/// A write of a row: neighbouring lanes write neighbouring words. Says whether all of them may.
pub(super) struct WriteRow<'a> {
    pub(super) written: &'a mut [u64],
    pub(super) read: &'a [u64],
    pub(super) before: &'a [u64],
    pub(super) now: Now,
    pub(super) lane: usize,
}

impl simd::Work for WriteRow<'_> {
    type Output = bool;

    #[inline(always)]
    fn call(self) -> bool {
        let WriteRow { written, read, before, now, lane } = self;
        let n = written.len().min(read.len()).min(before.len()).min(WARP);
        let (written, read, before) = (&mut written[..n], &read[..n], &before[..n]);
        let mut doubt = false;
        for i in 0..n {
            let l = (lane + i) as u64;
            let own = now.warp | l << LOW | l << HIGH;
            let fine = |mark: u64| now.comes_after(mark, own);
            doubt |= !(fine(written[i]) & fine(read[i]) & fine(before[i]));
        }
        if doubt {
            return false;
        }
        for i in 0..n {
            let l = (lane + i) as u64;
            written[i] = now.mark | l << LOW | l << HIGH;
        }
        true
    }
}

/// [`WriteRow`] for scattered lanes, whose elements are a piece each. Where two write one piece it has done nothing and
/// says no.
pub(super) struct WriteScattered<'a> {
    pub(super) shadow: &'a mut Shadow,
    pub(super) now: Now,
    pub(super) addresses: &'a X,
    pub(super) mask: u32,
    pub(super) element: usize,
}

impl simd::Work for WriteScattered<'_> {
    type Output = bool;

    #[inline(always)]
    fn call(self) -> bool {
        let WriteScattered { shadow, now, addresses, mask, element } = self;
        let Shadow { shift, written, read, read_before } = shadow;
        let n = written.len().min(read.len()).min(read_before.len());
        let (written, read, before) = (&mut written[..n], &read[..n], &read_before[..n]);
        let place = |l: usize| (addresses.0[l] as usize >> *shift) + element;
        let mut olds = [0; WARP];
        let mut doubt = false;
        for l in lanes(mask) {
            let at = place(l);
            if at >= n {
                return false;
            }
            let own = now.warp | of_lanes(l, l);
            let fine = |mark: u64| mark < now.interval || now.comes_after(mark, own);
            doubt |= !(fine(written[at]) && fine(read[at]) && fine(before[at]));
            olds[l] = written[at];
        }
        if doubt {
            return false;
        }
        for l in lanes(mask) {
            written[place(l)] = now.mark | of_lanes(l, l);
        }
        if lanes(mask).all(|l| written[place(l)] == now.mark | of_lanes(l, l)) {
            return true;
        }
        for l in lanes(mask) {
            written[place(l)] = olds[l];
        }
        false
    }
}
