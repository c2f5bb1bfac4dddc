//! Access patterns: how the addresses of a warp's active lanes lie to each other.
//!
//! Enters: an address register and a mask. Leaves: a [`Layout`], which holds as long as the same lanes' addresses keep their
//! distances. Loops ask for the same layout again and again, so it is compared first, in one pass over the lanes, and found
//! again only where it does not hold. Nothing here knows of memories or of what an access costs.

use crate::WARP;
use crate::lanes::{ALL, W, X, lanes};

/// The access pattern of a warp's active lanes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::exec) enum Pattern {
    /// One address for all.
    Uniform,
    /// Neighbouring lanes have neighbouring elements, and no lane between the first and the last is off.
    Contiguous,
    /// A few rows and broadcasts, as those of a tile.
    Tiled,
    #[default]
    Scattered,
}

/// Neighbouring lanes that have one address, or neighbouring elements.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::exec) struct Piece {
    pub(in crate::exec) lane: usize,
    pub(in crate::exec) lanes: usize,
    /// Whether they have neighbouring elements.
    pub(in crate::exec) row: bool,
    /// From the first active lane's address to this piece's, bytes.
    pub(in crate::exec) offset: u64,
}

/// Pieces that are worth it: with more of them a warp's lanes go one by one.
const PIECES: usize = 4;

/// How the addresses of a warp's active lanes lie to that of the first one.
#[derive(Clone, Debug)]
pub(in crate::exec) struct Layout {
    /// Differs from that of all other layouts of a worker.
    version: u64,
    /// The lanes; none before the first access, for no access is made with an empty mask.
    mask: u32,
    pattern: Pattern,
    /// From the first lane's address to each lane's, bytes; zero for lanes that are off. In `narrow` where addresses have 32
    /// bits, else in `wide`.
    narrow: W,
    wide: X,
    /// The lowest and the highest of them.
    low: i64,
    high: i64,
    /// All bits that are set in any of them: what is not a multiple of a power of two shows here.
    bits: u64,
    pieces: [Piece; PIECES],
    count: usize,
}

impl Default for Layout {
    fn default() -> Self {
        Layout {
            version: 0,
            mask: 0,
            pattern: Pattern::Scattered,
            narrow: W::ZERO,
            wide: X::ZERO,
            low: 0,
            high: 0,
            bits: 0,
            pieces: Default::default(),
            count: 0,
        }
    }
}

macro_rules! fit {
    ($name:ident, $t:ty, $signed:ty, $differences:ident) => {
        /// The first active lane's address, with a layout that the addresses have; `versions` counts layouts.
        #[inline(always)]
        pub(in crate::exec) fn $name(
            &mut self,
            a: &[$t; WARP],
            mask: u32,
            shift: u8,
            versions: &mut u64,
        ) -> $t {
            let lowest = mask.trailing_zeros() as usize % WARP;
            let first = a[lowest];
            let mut differ: $t = 0;
            if mask == ALL {
                for l in 0..WARP {
                    differ |= a[l].wrapping_sub(first) ^ self.$differences.0[l];
                }
            } else {
                for l in 0..WARP {
                    let active = <$t>::from(mask >> l & 1).wrapping_neg();
                    differ |= a[l].wrapping_sub(first) & active ^ self.$differences.0[l];
                }
            }
            if differ == 0 && mask == self.mask {
                return first;
            }
            *versions += 1;
            self.version = *versions;
            self.mask = mask;
            let (mut uniform, mut contiguous, mut bits): ($t, $t, $t) = (0, 0, 0);
            for l in 0..WARP {
                let active = <$t>::from(mask >> l & 1).wrapping_neg();
                let difference = a[l].wrapping_sub(first) & active;
                self.$differences.0[l] = difference;
                uniform |= difference;
                bits |= difference;
                let place = (l.wrapping_sub(lowest) as $t) << shift;
                contiguous |= (difference ^ place) & active;
            }
            // Lanes off in between make it no row.
            let run = mask >> lowest;
            contiguous |= <$t>::from(run & run.wrapping_add(1));
            // A single lane is both; a broadcast is the cheaper way then.
            if uniform == 0 {
                (self.pattern, self.low, self.high, self.bits) = (Pattern::Uniform, 0, 0, 0);
            } else if contiguous == 0 {
                let high = i64::from(mask.count_ones() - 1) << shift;
                (self.pattern, self.low, self.high, self.bits) = (Pattern::Contiguous, 0, high, 0);
            } else {
                self.bits = u64::from(bits);
                self.look(1 << shift, |layout, l| layout.$differences.0[l] as $signed as u64);
            }
            first
        }
    };
}

impl Layout {
    fit!(fit_narrow, u32, i32, narrow);
    fit!(fit_wide, u64, i64, wide);

    pub(in crate::exec) fn version(&self) -> u64 {
        self.version
    }

    pub(in crate::exec) fn pattern(&self) -> Pattern {
        self.pattern
    }

    /// Rows and broadcasts that the lanes fall into; none but for [`Pattern::Tiled`].
    pub(in crate::exec) fn pieces(&self) -> &[Piece] {
        &self.pieces[..self.count]
    }

    /// From the first lane's address to the lowest and the highest one, bytes.
    pub(in crate::exec) fn extent(&self) -> [i64; 2] {
        [self.low, self.high]
    }

    /// All bits that are set in any lane's distance from the first.
    pub(in crate::exec) fn bits(&self) -> u64 {
        self.bits
    }

    /// Addresses of 64 bits with this layout; of lanes that are off, the first one's.
    #[inline(always)]
    pub(in crate::exec) fn wide_addresses(&self, first: u64) -> X {
        let mut out = X::ZERO;
        for l in 0..WARP {
            out.0[l] = first.wrapping_add(self.wide.0[l]);
        }
        out
    }

    /// [`Layout::wide_addresses`] for addresses of 32 bits.
    #[inline(always)]
    pub(in crate::exec) fn narrow_addresses(&self, first: u32) -> X {
        let mut out = X::ZERO;
        for l in 0..WARP {
            out.0[l] = u64::from(first.wrapping_add(self.narrow.0[l]));
        }
        out
    }

    /// Gives lanes the words at their addresses, of which the first is at `first`, bytes; `wide` says whether addresses have
    /// 64 bits.
    #[inline(always)]
    pub(in crate::exec) fn load<T: Copy + From<u32>>(
        &self,
        first: u64,
        wide: bool,
        mask: u32,
        into: &mut [T; WARP],
        word: impl Fn(usize) -> u32,
    ) {
        if wide {
            load(mask, into, |l| word((first.wrapping_add(self.wide.0[l]) >> 2) as usize));
        } else {
            // Differences of 32 bits may be negative.
            let difference = |l: usize| i64::from(self.narrow.0[l] as i32) as u64;
            load(mask, into, |l| word((first.wrapping_add(difference(l)) >> 2) as usize));
        }
    }

    /// Finds pieces and bounds from the differences.
    #[inline(always)]
    fn look(&mut self, width: u64, difference: impl Fn(&Self, usize) -> u64) {
        self.count = 0;
        (self.low, self.high) = (0, 0);
        for l in 0..WARP {
            // Of lanes that are off it is zero, which is the first one's.
            let offset = difference(self, l) as i64;
            self.low = self.low.min(offset);
            self.high = self.high.max(offset);
        }
        let mut last: Option<usize> = None;
        for l in lanes(self.mask) {
            let offset = difference(self, l);
            let piece = self.count.checked_sub(1).map(|n| &mut self.pieces[n]);
            let mut goes_on = false;
            if let (Some(piece), Some(before)) = (piece, last)
                && before + 1 == l
            {
                let step = offset.wrapping_sub(piece.offset.wrapping_add(piece.reach(width)));
                let single = piece.lanes == 1;
                goes_on = step == 0 && (!piece.row || single) || step == width && (piece.row || single);
                if goes_on {
                    piece.row = step == width;
                    piece.lanes += 1;
                }
            }
            if !goes_on {
                let Some(piece) = self.pieces.get_mut(self.count) else {
                    (self.pattern, self.count) = (Pattern::Scattered, 0);
                    return;
                };
                *piece = Piece { lane: l, lanes: 1, row: false, offset };
                self.count += 1;
            }
            last = Some(l);
        }
        self.pattern = Pattern::Tiled;
    }
}

#[inline(always)]
fn load<T: Copy + From<u32>>(mask: u32, into: &mut [T; WARP], word: impl Fn(usize) -> u32) {
    if mask == ALL {
        for l in 0..WARP {
            into[l] = word(l).into();
        }
    } else {
        for l in lanes(mask) {
            into[l] = word(l).into();
        }
    }
}

impl Piece {
    /// From its first lane's address to its last one's, bytes.
    fn reach(&self, width: u64) -> u64 {
        if self.row { width * (self.lanes as u64 - 1) } else { 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fitted(addresses: impl Fn(u32) -> u32, mask: u32) -> Layout {
        let mut layout = Layout::default();
        let a = std::array::from_fn(|l| addresses(l as u32));
        layout.fit_narrow(&a, mask, 2, &mut 0);
        layout
    }

    #[test]
    fn rows_and_broadcasts_are_distinguished_from_scattered_lanes() {
        assert_eq!(fitted(|_| 64, ALL).pattern(), Pattern::Uniform);
        assert_eq!(fitted(|l| 64 + 4 * l, ALL).pattern(), Pattern::Contiguous);
        assert_eq!(fitted(|l| 64 + 4 * l, 0b0110).pattern(), Pattern::Contiguous);
        assert_eq!(fitted(|l| 64 + 4 * l, 0b0101).pattern(), Pattern::Tiled);
        assert_eq!(fitted(|l| 4 * (l % 16) + 256 * (l / 16), ALL).pattern(), Pattern::Tiled);
        assert_eq!(fitted(|l| 4 * (l * 7 % 32), ALL).pattern(), Pattern::Scattered);
    }

    #[test]
    fn a_tile_is_its_rows() {
        let layout = fitted(|l| 4 * (l % 16) + 256 * (l / 16), ALL);
        let pieces: Vec<_> = layout.pieces().iter().map(|p| (p.lane, p.lanes, p.row, p.offset)).collect();
        assert_eq!(pieces, [(0, 16, true, 0), (16, 16, true, 256)]);
        assert_eq!(layout.extent(), [0, 256 + 60]);
    }

    #[test]
    fn a_layout_holds_wherever_it_is_moved_to() {
        let (mut layout, mut versions) = (Layout::default(), 0);
        for start in [0u64, 4096, 52] {
            let a = std::array::from_fn(|l| start + 8 * (l as u64 * 5 % 32));
            assert_eq!(layout.fit_wide(&a, ALL, 2, &mut versions), start);
            assert_eq!(layout.wide_addresses(start).0, a);
        }
        assert_eq!(versions, 1);
    }
}
