//! Runs of two loads from shared memory and the `fma` of what they load or of its difference, as the inner loops of tiled
//! products and of stencils are.
//!
//! What compilers make of such a loop reads through one register or two with rising offsets, so how the addresses lie is
//! found once for a run; no register is written but the sum.

use super::address::{Pattern, Piece};
use super::shared::load_half;
use super::{Stop, Worker};
use crate::WARP;
use crate::ir::{Access, Fused, Fusion, Id, NONE};
use crate::lanes::{ALL, W};
use crate::semantics;

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
        if mask != ALL || self.watching || self.caches.is_some() {
            return 0;
        }
        let kernel = self.run.kernel;
        let at = group.index();
        let run = &kernel.fused[at];
        let Some(first) = self.halves(run.loads[0]) else { return 0 };
        let Some(second) = self.halves(run.loads[1]) else { return 0 };
        if let Some(checks) = &mut self.checks
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
            let Some(a) = first.load(&self.shared, fused.offset[0]) else { break };
            let Some(b) = second.load(&self.shared, fused.offset[1]) else { break };
            if fused.sum != held {
                sum = self.w[self.wi(fused.sum)];
            }
            let d = self.wi(fused.d);
            match run.fusion {
                Fusion::Product => {
                    for l in 0..WARP {
                        sum.0[l] = semantics::fma_f32(a.0[l], b.0[l], sum.0[l]);
                    }
                }
                Fusion::Difference { reverse } => {
                    let factor = &self.w[self.wi(fused.factor)].0;
                    let (a, b) = if reverse { (b, a) } else { (a, b) };
                    for l in 0..WARP {
                        let difference = semantics::sub_f32(a.0[l], b.0[l]);
                        sum.0[l] = semantics::fma_f32(difference, factor[l], sum.0[l]);
                    }
                }
            }
            self.w[d] = sum;
            held = fused.d;
            done += 1;
        }
        if let Some(checks) = &mut self.checks {
            checks.note_run(self.warp, at, done, [first, second]);
        }
        let counters = &mut self.tally.counters;
        let loads = done as u64;
        counters.shared_load_instructions += 2 * loads;
        counters.shared_load_wavefronts += loads * u64::from(first.cost[0] + second.cost[0]);
        counters.shared_load_bank_conflicts += loads * u64::from(first.cost[1] + second.cost[1]);
        length * done
    }

    /// The first load of a group whose instructions are executed one by one.
    #[inline(never)]
    pub(super) fn load_of_group(&mut self, group: Id<Fused>, mask: u32) -> Result<(), Stop> {
        self.load_shared(self.run.kernel[group].loads[0], mask)
    }

    /// How a load's addresses lie, where this is of the simple kind.
    #[inline(always)]
    fn halves(&mut self, id: Id<Access>) -> Option<Halves> {
        let access = &self.run.kernel[id];
        let (first, pattern) = self.way(access, id, ALL);
        let (offsets, rows, cost) = match pattern {
            Pattern::Same => ([0; 2], [false; 2], [1, 0]),
            Pattern::Row => ([0, 2 * WARP as u64], [true; 2], [1, 0]),
            Pattern::Any => {
                let inside = self.remember(access, id, first, ALL);
                let memo = &self.memos[access.leader.index()];
                let [a, b] = memo.pieces() else { return None };
                if !inside || (a.lanes, b.lanes) != (WARP / 2, WARP / 2) {
                    return None;
                }
                ([a.offset, b.offset], [a.row, b.row], memo.cost)
            }
        };
        let base = first.wrapping_sub(i64::from(access.address.offset) as u64);
        Some(Halves { wide_address: access.address.wide, base, offsets, rows, cost })
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
