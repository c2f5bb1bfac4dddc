//! A warp's addresses: how they lie to each other, whether they are aligned and inside, what they cost.
//!
//! What nearly every access of ordinary code is, a row of neighbours or one address for all lanes, is seen from the
//! address register at once and takes a short way; everything else goes lane by lane.

use super::{Stop, Worker};
use crate::WARP;
use crate::error::FaultKind;
use crate::ir::{Access, Id, NONE};
use crate::lanes::{ALL, W, X, lanes};
use crate::memory::Allocation;
use crate::model::access;

/// What an access's addresses cost the last time, and how they lay. Costs depend on where lanes lie to each other and on
/// where the first one lies in a line of 128 bytes, which is also all 32 banks; loops ask for the same again and again.
#[derive(Clone, Debug)]
pub(super) struct Memo {
    mask: u32,
    phase: u64,
    differences: X,
    pub(super) cost: [u32; 2],
    /// From the first lane's address to the lowest and the highest one.
    pub(super) low: i64,
    pub(super) high: i64,
    /// Bits in which any difference is no multiple of a power of two.
    pub(super) misaligned: u64,
    /// Rows and broadcasts that the lanes fall into; none where there would be too many.
    pieces: [Piece; PIECES],
    count: usize,
}

/// Pieces that are worth it.
const PIECES: usize = 4;

/// Neighbouring lanes that have one address, or neighbouring elements.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Piece {
    pub(super) lane: usize,
    pub(super) lanes: usize,
    pub(super) row: bool,
    /// From the first active lane's address to this piece's.
    pub(super) offset: u64,
}

impl Default for Memo {
    fn default() -> Self {
        // No access is made with an empty mask.
        Memo {
            mask: 0,
            phase: 0,
            differences: X::ZERO,
            cost: [0; 2],
            low: 0,
            high: 0,
            misaligned: 0,
            pieces: Default::default(),
            count: 0,
        }
    }
}

impl Memo {
    pub(super) fn pieces(&self) -> &[Piece] {
        &self.pieces[..self.count]
    }

    /// Makes the next cost a new one; no access is made with an empty mask.
    pub(super) fn forget(&mut self) {
        self.mask = 0;
    }

    /// Finds pieces and bounds from the differences.
    fn look(&mut self, width: u64) {
        self.count = 0;
        self.misaligned = 0;
        (self.low, self.high) = (i64::MAX, i64::MIN);
        let mut last: Option<usize> = None;
        let mut too_many = false;
        for l in lanes(self.mask) {
            let offset = self.differences.0[l];
            self.misaligned |= offset;
            self.low = self.low.min(offset as i64);
            self.high = self.high.max(offset as i64);
            let piece = self.count.checked_sub(1).map(|n| &mut self.pieces[n]);
            match (piece, last) {
                (Some(piece), Some(before)) if before + 1 == l && !too_many => {
                    let step = offset.wrapping_sub(self.differences.0[before]);
                    if step == 0 && (!piece.row || piece.lanes == 1) {
                        (piece.row, piece.lanes) = (false, piece.lanes + 1);
                    } else if step == width && (piece.row || piece.lanes == 1) {
                        (piece.row, piece.lanes) = (true, piece.lanes + 1);
                    } else {
                        too_many = !self.begin(l, offset);
                    }
                }
                _ if !too_many => too_many = !self.begin(l, offset),
                _ => {}
            }
            last = Some(l);
        }
        if too_many {
            self.count = 0;
        }
    }

    fn begin(&mut self, lane: usize, offset: u64) -> bool {
        let Some(piece) = self.pieces.get_mut(self.count) else { return false };
        *piece = Piece { lane, lanes: 1, row: false, offset };
        self.count += 1;
        true
    }
}

/// How the addresses of a shared access lie; accesses of the same block through the same register only add their offsets.
#[derive(Clone, Copy, Debug)]
pub(super) struct Way {
    /// The first active lane's address without the offset.
    base: u64,
    pattern: Pattern,
}

impl Default for Way {
    fn default() -> Self {
        Way { base: 0, pattern: Pattern::Any }
    }
}

/// How the addresses of a warp's active lanes lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pattern {
    /// All the same.
    Same,
    /// Neighbouring lanes have neighbouring elements, and no lane between the first and the last is off.
    Row,
    Any,
}

impl<'a> Worker<'a> {
    /// The address of the lowest active lane, and how those of the others lie to it.
    #[inline(always)]
    pub(super) fn pattern(&self, access: &Access, mask: u32) -> (u64, Pattern) {
        let lowest = mask.trailing_zeros() as usize % WARP;
        let offset = i64::from(access.address.offset) as u64;
        // Differences tell rows and broadcasts; a loop that ORs them is one that compilers vectorise well.
        macro_rules! differences {
            ($a:expr, $t:ty) => {{
                let a = $a;
                let start = a[lowest];
                let mut row: $t = 0;
                let mut same: $t = 0;
                if mask == ALL {
                    for l in 0..WARP {
                        let d = a[l].wrapping_sub(start);
                        row |= d ^ (l as $t) << access.shift;
                        same |= d;
                    }
                } else {
                    let origin = start.wrapping_sub((lowest as $t) << access.shift);
                    for l in 0..WARP {
                        let active = <$t>::from(mask >> l & 1).wrapping_neg();
                        row |= (a[l].wrapping_sub(origin) ^ (l as $t) << access.shift) & active;
                        same |= a[l].wrapping_sub(start) & active;
                    }
                    // Lanes off in between make it no row.
                    let run = mask >> lowest;
                    row |= <$t>::from(run & run.wrapping_add(1));
                }
                (start, row == 0, same == 0)
            }};
        }
        let (first, row, same) = if access.address.wide {
            let (start, row, same) = differences!(&self.x[self.xi(access.address.register)].0, u64);
            (start.wrapping_add(offset), row, same)
        } else {
            let (start, row, same) = differences!(&self.w[self.wi(access.address.register)].0, u32);
            (u64::from(start.wrapping_add(offset as u32)), row, same)
        };
        let aligned = first & ((1 << access.shift) - 1) == 0;
        // A single lane is both; a broadcast is the cheaper way then.
        let pattern = match (aligned, same, row) {
            (true, true, _) => Pattern::Same,
            (true, _, true) => Pattern::Row,
            _ => Pattern::Any,
        };
        (first, pattern)
    }

    #[inline(always)]
    pub(super) fn addresses(&self, access: &Access) -> X {
        let offset = i64::from(access.address.offset) as u64;
        let mut out = X::ZERO;
        if access.address.wide {
            let a = &self.x[self.xi(access.address.register)];
            for l in 0..WARP {
                out.0[l] = a.0[l].wrapping_add(offset);
            }
        } else {
            let a = &self.w[self.wi(access.address.register)];
            for l in 0..WARP {
                out.0[l] = u64::from(a.0[l].wrapping_add(offset as u32));
            }
        }
        out
    }

    /// Where the lanes' addresses would lie on a GPU, for what depends on more than their place in a line; their own
    /// where they are in no allocation.
    pub(super) fn places(&self, addresses: &X, mask: u32) -> [u64; WARP] {
        let mut places = addresses.0;
        let mut hint = 0;
        for l in lanes(mask) {
            let at = addresses.0[l];
            if let Some(a) = self.run.global.find(at, at.saturating_add(1), &mut hint) {
                places[l] = a.place + (at - a.base);
            }
        }
        places
    }

    /// The first lane whose address is no multiple of the access's width.
    #[inline(always)]
    pub(super) fn aligned(addresses: &X, mask: u32, width: u64) -> Result<(), Stop> {
        let mut bits = 0;
        for l in 0..WARP {
            bits |= addresses.0[l] & (width - 1) & u64::from(mask >> l & 1).wrapping_neg();
        }
        if bits == 0 { Ok(()) } else { Self::first_misaligned(addresses, mask, width) }
    }

    #[cold]
    #[inline(never)]
    pub(super) fn first_misaligned(addresses: &X, mask: u32, width: u64) -> Result<(), Stop> {
        match lanes(mask).find(|l| addresses.0[*l] & (width - 1) != 0) {
            Some(lane) => Err(Stop::at(FaultKind::MisalignedAddress, lane, addresses.0[lane], width)),
            None => Ok(()),
        }
    }

    /// The first lane whose access leaves a memory that begins at zero.
    #[inline(always)]
    pub(super) fn inside(
        addresses: &X,
        mask: u32,
        width: u64,
        size: u64,
        kind: FaultKind,
    ) -> Result<(), Stop> {
        let mut high = 0;
        for l in 0..WARP {
            high = high.max(addresses.0[l] & u64::from(mask >> l & 1).wrapping_neg());
        }
        if high < size && high + width <= size {
            Ok(())
        } else {
            Self::first_outside(addresses, mask, width, size, kind)
        }
    }

    #[cold]
    #[inline(never)]
    pub(super) fn first_outside(
        addresses: &X,
        mask: u32,
        width: u64,
        size: u64,
        kind: FaultKind,
    ) -> Result<(), Stop> {
        match lanes(mask).find(|l| addresses.0[*l].checked_add(width).is_none_or(|end| end > size)) {
            Some(lane) => Err(Stop::at(kind, lane, addresses.0[lane], width)),
            None => Ok(()),
        }
    }

    /// The allocation that all lanes are in, nothing if each is in one of its own, or the first lane that is in none.
    #[inline(always)]
    pub(super) fn allocated(
        &mut self,
        id: Id<Access>,
        addresses: &X,
        mask: u32,
        width: u64,
    ) -> Result<Option<&'a Allocation>, Stop> {
        let (mut low, mut high) = (u64::MAX, 0);
        for l in 0..WARP {
            let active = u64::from(mask >> l & 1).wrapping_neg();
            low = low.min(addresses.0[l] | !active);
            high = high.max(addresses.0[l] & active);
        }
        let hint = &mut self.hints[id.index()];
        let global = self.run.global;
        match high.checked_add(width).and_then(|end| global.find(low, end, hint)) {
            Some(one) => Ok(Some(one)),
            None => self.first_stray(addresses, mask, width).map(|()| None),
        }
    }

    #[cold]
    #[inline(never)]
    pub(super) fn first_stray(&self, addresses: &X, mask: u32, width: u64) -> Result<(), Stop> {
        let mut hint = 0;
        let stray = lanes(mask).find(|l| {
            let first = addresses.0[*l];
            first.checked_add(width).is_none_or(|end| self.run.global.find(first, end, &mut hint).is_none())
        });
        match stray {
            Some(lane) => Err(Stop::stray(lane, addresses.0[lane], width)),
            None => Ok(()),
        }
    }

    #[inline(always)]
    pub(super) fn write_element(&mut self, access: &Access, e: usize, values: &X, mask: u32) {
        let register = access.registers[e];
        if register == NONE {
            return;
        }
        if access.wide[e] {
            let d = self.xi(register);
            self.x[d].set(values, mask);
        } else {
            let mut out = W::ZERO;
            for l in 0..WARP {
                out.0[l] = values.0[l] as u32;
            }
            let d = self.wi(register);
            self.w[d].set(&out, mask);
        }
    }

    #[inline(always)]
    pub(super) fn read_element(&self, access: &Access, e: usize) -> X {
        let register = access.registers[e];
        if access.wide[e] {
            return self.x[self.xi(register)];
        }
        let mut out = X::ZERO;
        let from = &self.w[self.wi(register)];
        for l in 0..WARP {
            out.0[l] = u64::from(from.0[l]);
        }
        out
    }

    /// The cost of scattered addresses: from the memo, or computed.
    #[inline(always)]
    pub(super) fn cost(
        &mut self,
        id: Id<Access>,
        addresses: &X,
        mask: u32,
        compute: impl FnOnce() -> [u32; 2],
    ) -> [u32; 2] {
        let memo = &mut self.memos[id.index()];
        let first = addresses.0[mask.trailing_zeros() as usize % WARP];
        let phase = first % access::LINE;
        let mut differences = X::ZERO;
        let mut differ = 0;
        for l in 0..WARP {
            let active = u64::from(mask >> l & 1).wrapping_neg();
            differences.0[l] = addresses.0[l].wrapping_sub(first) & active;
            differ |= differences.0[l] ^ memo.differences.0[l];
        }
        if differ != 0 || memo.mask != mask {
            memo.differences = differences;
            memo.mask = mask;
            memo.look(u64::from(self.run.kernel[id].width()));
            (memo.phase, memo.cost) = (phase, compute());
        } else if memo.phase != phase {
            (memo.phase, memo.cost) = (phase, compute());
        }
        memo.cost
    }

    /// How the addresses of a shared access lie: found by the first of its group, kept for the others.
    #[inline(always)]
    pub(super) fn way(&mut self, access: &Access, id: Id<Access>, mask: u32) -> (u64, Pattern) {
        let offset = i64::from(access.address.offset) as u64;
        let wrapped = |base: u64| {
            let first = base.wrapping_add(offset);
            if access.address.wide { first } else { first & 0xffff_ffff }
        };
        if access.leader != id {
            let Way { base, pattern } = self.ways[access.leader.index()];
            let first = wrapped(base);
            let aligned = first & ((1 << access.shift) - 1) == 0;
            return (first, if aligned { pattern } else { Pattern::Any });
        }
        let (first, pattern) = self.pattern(access, mask);
        self.ways[id.index()] = Way { base: first.wrapping_sub(offset), pattern };
        (first, pattern)
    }
}

/// A loaded value in 64 bits.
#[inline(always)]
pub(super) fn extend(value: u64, bytes: u8, signed: bool) -> u64 {
    let shift = 64 - 8 * u32::from(bytes);
    if signed { ((value << shift) as i64 >> shift) as u64 } else { value }
}

/// What the lanes of `mask` find `offset` bytes past their addresses, which have been checked.
#[inline(always)]
pub(super) fn gather(memory: &[u8], access: &Access, addresses: &X, mask: u32, offset: usize) -> X {
    let mut out = X::ZERO;
    if access.bytes == 4 && !access.signed && mask == ALL {
        for l in 0..WARP {
            out.0[l] = little_endian(memory, addresses.0[l] as usize + offset, 4);
        }
    } else {
        for l in lanes(mask) {
            let value = little_endian(memory, addresses.0[l] as usize + offset, access.bytes);
            out.0[l] = extend(value, access.bytes, access.signed);
        }
    }
    out
}

/// A value of 1, 2, 4 or 8 bytes at a place that has been checked.
#[inline(always)]
pub(super) fn little_endian(memory: &[u8], at: usize, bytes: u8) -> u64 {
    let array = |n: usize| &memory[at..at + n];
    match bytes {
        4 => array(4).first_chunk().map_or(0, |b| u64::from(u32::from_le_bytes(*b))),
        8 => array(8).first_chunk().map_or(0, |b| u64::from_le_bytes(*b)),
        2 => array(2).first_chunk().map_or(0, |b| u64::from(u16::from_le_bytes(*b))),
        _ => u64::from(memory[at]),
    }
}
