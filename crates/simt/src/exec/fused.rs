//! Runs of two loads from shared memory and the `fma` of what they load or of its difference, as the inner loops of tiled
//! products and of stencils are.
//!
//! What compilers make of such a loop reads through one register or two with rising offsets, so how the addresses lie is
//! found once for a run; no register is written but the sum.

use super::access::Memory;
use super::layout::{Pattern, Piece};
use super::shared::load_half;
use super::worker::Worker;
use crate::WARP;
use crate::ir::{Access as Operand, Fused, Fusion, Id, NONE};
use crate::lanes::{ALL, W};
use crate::semantics;
use crate::trace::AccessKind;

/// How the lanes of loads of one word read shared memory: each half of the warp neighbouring words, or one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Halves {
    wide_address: bool,
    /// The first lane's address without the offset.
    base: u64,
    /// From there to each half's first lane.
    offsets: [u64; 2],
    rows: [bool; 2],
    /// Wavefronts and bank conflicts.
    cost: [u32; 2],
}

impl Worker<'_> {
    /// Does as many of a run's groups as it can, and says how many instructions these were.
    #[inline(always)]
    pub(super) fn fma_shared(&mut self, group: Id<Fused>, mask: u32) -> usize {
        if mask != ALL || self.watching || self.block.caches.is_some() {
            return 0;
        }
        let kernel = self.run.kernel;
        let at = group.index();
        let run = &kernel.fused[at];
        let Some(first) = self.halves(run.loads[0]) else { return 0 };
        let Some(second) = self.halves(run.loads[1]) else { return 0 };
        if let Some(checks) = &mut self.block.checks
            && !(checks.settled(&first, run.offsets[0], run.groups)
                && checks.settled(&second, run.offsets[1], run.groups))
        {
            return 0;
        }
        let groups = &kernel.fused[at..at + run.groups as usize];
        let length = run.fusion.length();
        let mut done = 0;
        let (mut sum, mut held) = (W::ZERO, NONE);
        for fused in groups {
            let Some(a) = first.load(&self.block.shared, fused.offset[0]) else { break };
            let Some(b) = second.load(&self.block.shared, fused.offset[1]) else { break };
            if fused.sum != held {
                sum = self.block.w[self.wi(fused.sum)];
            }
            let d = self.wi(fused.d);
            match run.fusion {
                Fusion::Product => {
                    for l in 0..WARP {
                        sum.0[l] = semantics::fma_f32(a.0[l], b.0[l], sum.0[l]);
                    }
                }
                Fusion::Difference { reverse } => {
                    let factor = &self.block.w[self.wi(fused.factor)].0;
                    let (a, b) = if reverse { (b, a) } else { (a, b) };
                    for l in 0..WARP {
                        let difference = semantics::sub_f32(a.0[l], b.0[l]);
                        sum.0[l] = semantics::fma_f32(difference, factor[l], sum.0[l]);
                    }
                }
            }
            self.block.w[d] = sum;
            held = fused.d;
            done += 1;
        }
        if let Some(checks) = &mut self.block.checks {
            checks.note_run(self.cursor.warp, at, done, [first, second]);
        }
        let sum = |n: usize| done as u64 * u64::from(first.cost[n] + second.cost[n]);
        self.count_shared_loads(2 * done as u64, sum(0), sum(1));
        length * done
    }

    /// How a load's addresses lie, where this is of the simple kind.
    #[inline(always)]
    fn halves(&mut self, id: Id<Operand>) -> Option<Halves> {
        let access = self.access_of(Memory::Shared, AccessKind::Load, id, ALL);
        let (offsets, rows, cost) = match access.pattern {
            Pattern::Uniform => ([0; 2], [false; 2], [1, 0]),
            Pattern::Contiguous => ([0, 2 * WARP as u64], [true; 2], [1, 0]),
            Pattern::Tiled => {
                let [a, b] = self.pieces(&access) else { return None };
                let aligned = self.layout(&access).bits() & 3 == 0;
                if !aligned || (a.lanes, b.lanes) != (WARP / 2, WARP / 2) {
                    return None;
                }
                let (offsets, rows) = ([a.offset, b.offset], [a.row, b.row]);
                (offsets, rows, self.wavefronts(&access, false).map(|n| n as u32))
            }
            Pattern::Scattered => return None,
        };
        let base = access.first.wrapping_sub(i64::from(access.operand.address.offset) as u64);
        Some(Halves { wide_address: access.operand.address.wide, base, offsets, rows, cost })
    }
}

impl Halves {
    /// The first lane's address.
    #[inline(always)]
    pub(super) fn first(&self, offset: i32) -> u64 {
        let first = self.base.wrapping_add(i64::from(offset) as u64);
        if self.wide_address { first } else { first & 0xffff_ffff }
    }

    /// What a load gives, if it is aligned and inside.
    #[inline(always)]
    fn load(&self, shared: &[u8], offset: i32) -> Option<W> {
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
