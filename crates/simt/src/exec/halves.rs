//! Loads of one word whose addresses lie in two halves of a warp, each of them neighbours or one for all.

use super::bits::load_half;
use super::layout::Piece;
use crate::WARP;
use crate::lanes::W;

/// How the lanes of loads of one word read shared memory: each half of the warp neighbouring words, or one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Halves {
    pub(super) wide_address: bool,
    /// The first lane's address without the offset.
    pub(super) base: u64,
    /// From there to each half's first lane.
    pub(super) offsets: [u64; 2],
    pub(super) rows: [bool; 2],
    /// Wavefronts and bank conflicts.
    pub(super) cost: [u32; 2],
}

impl Halves {
    /// The first lane's address.
    #[inline(always)]
    pub(super) fn first(&self, offset: i32) -> u64 {
        let first = self.base.wrapping_add(i64::from(offset) as u64);
        if self.wide_address { first } else { first & 0xffff_ffff }
    }

    /// A word for each lane, if the load is aligned and inside.
    #[inline(always)]
    pub(super) fn load(&self, shared: &[u8], offset: i32) -> Option<W> {
        let first = self.first(offset);
        if !first.is_multiple_of(4) {
            return None;
        }
        let mut out = W::ZERO;
        for (n, half) in out.0.as_chunks_mut::<{ WARP / 2 }>().0.iter_mut().enumerate() {
            load_half(shared, first.wrapping_add(self.offsets[n]) as usize, self.rows[n], half)?;
        }
        Some(out)
    }

    /// The words that loads with these offsets read at the most, one range for each half.
    #[inline(always)]
    pub(super) fn words(&self, [low, high]: [i32; 2]) -> [std::ops::Range<usize>; 2] {
        std::array::from_fn(|n| {
            let [from, to] = [low, high].map(|at| self.first(at).wrapping_add(self.offsets[n]) as usize / 4);
            from..to.saturating_add(if self.rows[n] { WARP / 2 } else { 1 })
        })
    }

    /// The two halves as pieces.
    pub(super) fn pieces(&self) -> [Piece; 2] {
        let lanes = WARP / 2;
        std::array::from_fn(|n| Piece { lane: n * lanes, lanes, row: self.rows[n], offset: self.offsets[n] })
    }
}
