//! Runs of two loads from shared memory and the `fma` of what they load or of its difference, as the inner loops of tiled
//! products and of stencils are.
//!
//! Compilers unroll such loops to reads through one register or two with rising offsets, so the access pattern is found
//! once for a run; no register is written but the sum.

use super::current::CurrentBlock;
use super::memory::access::Memory;
use super::memory::bits::HALF;
use super::memory::halves::Halves;
use super::memory::layout::Pattern;
use super::memory::sites::Sites;
use super::worker::Worker;
use crate::ir::{Fused, Fusion, Id, MemoryOperand};
use crate::lanes::{ALL, W};
use crate::trace::AccessKind;
use crate::{WARP, semantics, simd128};

impl Worker<'_> {
    /// Does as many of a run's groups as it can, and says how many instructions these were.
    #[inline(always)]
    pub(super) fn fma_shared(&mut self, group: Id<Fused>, mask: u32) -> usize {
        if mask != ALL || self.observers.want_single_steps(&self.current) {
            return 0;
        }
        let kernel = self.current.run.kernel;
        let at = group.index();
        let run = &kernel.fused[at];
        let Some(first) = self.current.halves(&mut self.sites, run.loads[0]) else { return 0 };
        let Some(second) = self.current.halves(&mut self.sites, run.loads[1]) else { return 0 };
        if let Some(checks) = &mut self.current.block.observers.checks
            && !(checks.settled(&first, run.offsets[0], run.groups)
                && checks.settled(&second, run.offsets[1], run.groups))
        {
            return 0;
        }
        let groups = &kernel.fused[at..at + run.groups as usize];
        let length = run.fusion.length();
        let mut done = 0;
        let (mut sum, mut held) =
            (self.current.block.registers.w[self.current.block.registers.wi(run.sum)], run.sum);
        for fused in groups {
            let (shared, [a, b]) = (&self.current.block.shared, &mut self.sites.loaded);
            if first.load(shared, fused.offset[0], a).is_none()
                || second.load(shared, fused.offset[1], b).is_none()
            {
                break;
            }
            if fused.sum != held {
                sum = self.current.block.registers.w[self.current.block.registers.wi(fused.sum)];
            }
            let (d, factor) =
                (self.current.block.registers.wi(fused.d), self.current.block.registers.wi(fused.factor));
            let [a, b] = &self.sites.loaded;
            match run.fusion {
                Fusion::Product => fma(a, b, &mut sum),
                Fusion::Difference { reverse } => {
                    let (a, b) = if reverse { (b, a) } else { (a, b) };
                    fma_of_difference(a, b, &self.current.block.registers.w[factor], &mut sum);
                }
            }
            self.current.block.registers.w[d] = sum;
            held = fused.d;
            done += 1;
        }
        if let Some(checks) = &mut self.current.block.observers.checks {
            checks.note_run(self.current.cursor.warp, at, done, [first, second]);
        }
        self.counts.count_run(run, done as u32, [first.cost, second.cost]);
        length * done
    }
}

impl CurrentBlock<'_> {
    /// How a load's addresses lie, where this is of the simple kind.
    #[inline(always)]
    fn halves(&mut self, sites: &mut Sites, id: Id<MemoryOperand>) -> Option<Halves> {
        let access = self.access_of(sites, Memory::Shared, AccessKind::Load, id, ALL);
        let (offsets, rows, cost) = match access.pattern {
            Pattern::Uniform => ([0; 2], [false; 2], [1, 0]),
            Pattern::Contiguous => ([0, 2 * WARP as u64], [true; 2], [1, 0]),
            Pattern::Tiled => {
                let [a, b] = sites.pieces(&access) else { return None };
                let aligned = sites.layout(&access).bits() & 3 == 0;
                if !aligned || (a.lanes, b.lanes) != (HALF, HALF) {
                    return None;
                }
                let (offsets, rows) = ([a.offset, b.offset], [a.row, b.row]);
                let [wavefronts, conflicts] = sites.wavefronts(&access, false);
                (offsets, rows, [wavefronts as u32, conflicts as u32])
            }
            Pattern::Scattered => return None,
        };
        let base = access.first.wrapping_sub(i64::from(access.operand.address.offset) as u64);
        Some(Halves { wide_address: access.operand.address.wide, base, offsets, rows, cost })
    }
}

/// Adds the products of two loaded words to the sums.
#[inline(always)]
fn fma(a: &W, b: &W, sum: &mut W) {
    if simd128::PAYS {
        for (n, sum) in sum.0.as_chunks_mut().0.iter_mut().enumerate() {
            *sum = simd128::fma_f32(a.0.as_chunks().0[n], b.0.as_chunks().0[n], *sum);
        }
        return;
    }
    for l in 0..WARP {
        sum.0[l] = semantics::fma_f32(a.0[l], b.0[l], sum.0[l]);
    }
}

/// Adds the products of a factor and the difference of two loaded words.
#[inline(always)]
fn fma_of_difference(a: &W, b: &W, factor: &W, sum: &mut W) {
    if simd128::PAYS {
        for (n, sum) in sum.0.as_chunks_mut().0.iter_mut().enumerate() {
            let difference = simd128::sub_f32(a.0.as_chunks().0[n], b.0.as_chunks().0[n]);
            *sum = simd128::fma_f32(difference, factor.0.as_chunks().0[n], *sum);
        }
        return;
    }
    for l in 0..WARP {
        let difference = semantics::sub_f32(a.0[l], b.0[l]);
        sum.0[l] = semantics::fma_f32(difference, factor.0[l], sum.0[l]);
    }
}
