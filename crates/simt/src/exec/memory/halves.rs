//! Loads of one word whose addresses lie in two halves of a warp, each of them neighbours or one for all.

use crate::exec::memory::bits::{HALF, load_halves};
use crate::exec::memory::layout::Piece;
use crate::lanes::W;

/// How the lanes of loads of one word read shared memory: each half of the warp neighbouring words, or one.
#[derive(Clone, Copy, Debug)]
pub(in crate::exec) struct Halves {
    pub(in crate::exec) wide_address: bool,
    /// The first lane's address without the offset.
    pub(in crate::exec) base: u64,
    /// From there to each half's first lane.
    pub(in crate::exec) offsets: [u64; 2],
    pub(in crate::exec) rows: [bool; 2],
    /// Wavefronts and bank conflicts.
    pub(in crate::exec) cost: [u32; 2],
}

impl Halves {
    /// The first lane's address.
    #[inline(always)]
    pub(in crate::exec) fn first(&self, offset: i32) -> u64 {
        let first = self.base.wrapping_add(i64::from(offset) as u64);
        if self.wide_address { first } else { first & 0xffff_ffff }
    }

    /// Gives each lane its word; nothing if the load is not aligned or not inside, and then `into` may be anything.
    #[inline(always)]
    pub(in crate::exec) fn load(&self, shared: &[u8], offset: i32, into: &mut W) -> Option<()> {
        let first = self.first(offset);
        if !first.is_multiple_of(4) {
            return None;
        }
        let [low, high] = self.offsets;
        let at = [first.wrapping_add(low) as usize, first.wrapping_add(high) as usize];
        load_halves(shared, at, self.rows, into)
    }

    /// The words that loads with these offsets read at the most, one range for each half.
    #[inline(always)]
    pub(in crate::exec) fn words(&self, [low, high]: [i32; 2]) -> [std::ops::Range<usize>; 2] {
        let word = |at: i32, n: usize| self.first(at).wrapping_add(self.offsets[n]) as usize / 4;
        let words = |n| word(low, n)..word(high, n).saturating_add(if self.rows[n] { HALF } else { 1 });
        [words(0), words(1)]
    }

    /// The two halves as pieces.
    pub(in crate::exec) fn pieces(&self) -> [Piece; 2] {
        std::array::from_fn(|n| Piece {
            lane: n * HALF,
            lanes: HALF,
            row: self.rows[n],
            offset: self.offsets[n],
        })
    }
}
