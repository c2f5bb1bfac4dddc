//! Runs of two loads from shared memory and the `fma` of what they load, as the inner loops of tiled products are.
//!
//! What compilers make of such a loop reads through two registers with rising offsets, so how the addresses lie is found
//! once for a run; no register is written but the sum.

use super::{Worker, address::Pattern};
use crate::WARP;
use crate::lanes::{ALL, W};
use crate::program::{Inst, NONE};
use crate::semantics;

/// Instructions that [`crate::program::Op::FmaShared`] stands for: two loads and the `fma`.
const FUSED: usize = 3;

/// How the lanes of loads of one word read shared memory: each half of the warp neighbouring words, or one.
#[derive(Clone, Copy)]
struct Halves {
    /// The access that all loads of this kind follow, or [`NONE`].
    leader: u16,
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
    pub(super) fn fma_shared(&mut self, code: &[Inst], mask: u32) -> usize {
        if mask != ALL || self.profile.is_some() || self.caches.is_some() || self.checks.is_some() {
            return 0;
        }
        let kernel = self.run.kernel;
        let nothing = Halves {
            leader: NONE,
            wide_address: false,
            base: 0,
            offsets: [0; 2],
            rows: [false; 2],
            cost: [0; 2],
        };
        let mut known = [nothing; 2];
        let (mut done, mut wavefronts, mut conflicts) = (0, 0, 0);
        let (mut sum, mut held) = (W::ZERO, NONE);
        for group in code.chunks_exact(FUSED).take(usize::from(code[0].a)) {
            let [first, second, fma] = [&kernel.fused[group[0].imm as usize], &group[1], &group[2]];
            let Some(a) = self.operand(&mut known[0], first) else { break };
            let Some(b) = self.operand(&mut known[1], second) else { break };
            if fma.c != held {
                sum = self.w[self.wi(fma.c)];
            }
            for l in 0..WARP {
                sum.0[l] = semantics::fma_f32(a.0[l], b.0[l], sum.0[l]);
            }
            let d = self.wi(fma.d);
            self.w[d] = sum;
            held = fma.d;
            done += 1;
            wavefronts += known[0].cost[0] + known[1].cost[0];
            conflicts += known[0].cost[1] + known[1].cost[1];
        }
        let counters = &mut self.tally.counters;
        counters.shared_load_instructions += 2 * done as u64;
        counters.shared_load_wavefronts += u64::from(wavefronts);
        counters.shared_load_bank_conflicts += u64::from(conflicts);
        FUSED * done
    }

    /// What a load gives, where its addresses are of a simple kind, aligned and inside.
    #[inline(always)]
    fn operand(&mut self, known: &mut Halves, inst: &Inst) -> Option<W> {
        let leader = self.run.kernel.accesses[usize::from(inst.b)].leader;
        if known.leader != leader || leader == inst.b {
            *known = self.halves(inst)?;
        }
        let first = known.base.wrapping_add(i64::from(inst.imm) as u64);
        let first = if known.wide_address { first } else { first & 0xffff_ffff };
        if first % 4 != 0 {
            return None;
        }
        let mut out = W::ZERO;
        for (n, half) in out.0.as_chunks_mut::<{ WARP / 2 }>().0.iter_mut().enumerate() {
            let from = self.shared.get(first.wrapping_add(known.offsets[n]) as usize..)?;
            if known.rows[n] {
                let words = from.first_chunk::<{ 2 * WARP }>()?.as_chunks::<4>().0;
                for (lane, word) in half.iter_mut().zip(words) {
                    *lane = u32::from_le_bytes(*word);
                }
            } else {
                *half = [u32::from_le_bytes(*from.first_chunk()?); WARP / 2];
            }
        }
        Some(out)
    }

    #[inline(always)]
    fn halves(&mut self, inst: &Inst) -> Option<Halves> {
        let access = &self.run.kernel.accesses[usize::from(inst.b)];
        let (first, pattern) = self.way(access, inst, ALL);
        let (offsets, rows, cost) = match pattern {
            Pattern::Same => ([0; 2], [false; 2], [1, 0]),
            Pattern::Row => ([0, 2 * WARP as u64], [true; 2], [1, 0]),
            Pattern::Any => {
                let inside = self.remember(access, inst, first, ALL);
                let memo = &self.memos[usize::from(access.leader)];
                let [a, b] = memo.pieces() else { return None };
                if !inside || (a.lanes, b.lanes) != (WARP / 2, WARP / 2) {
                    return None;
                }
                ([a.offset, b.offset], [a.row, b.row], memo.cost)
            }
        };
        let (leader, wide_address) = (access.leader, access.wide_address);
        let base = first.wrapping_sub(i64::from(inst.imm) as u64);
        Some(Halves { leader, wide_address, base, offsets, rows, cost })
    }
}
