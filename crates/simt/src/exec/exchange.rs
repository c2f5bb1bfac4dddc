//! Warp-wide operations: shuffles, votes, matches, reductions.

use super::Worker;
use crate::WARP;
use crate::lanes::{W, lanes};
use crate::program::{Exchange, ExchangeUse, Inst, NONE};

impl Worker<'_> {
    /// All lanes of `mask` are at the operation; those that it names take part.
    #[inline(never)]
    pub(super) fn exchange(&mut self, inst: &Inst, mask: u32) {
        let of = self.run.kernel.exchanges[usize::from(inst.b)];
        match of.exchange {
            Exchange::Sync => self.warp_met(),
            Exchange::ShuffleUp
            | Exchange::ShuffleDown
            | Exchange::ShuffleButterfly
            | Exchange::ShuffleIndex => self.shuffle(&of, mask),
            Exchange::VoteAll | Exchange::VoteAny | Exchange::VoteUniform => {
                let bits = self.p[self.p_base + usize::from(of.a)] & mask;
                let holds = match of.exchange {
                    Exchange::VoteAll => bits == mask,
                    Exchange::VoteAny => bits != 0,
                    _ => bits == mask || bits == 0,
                };
                self.set_predicate(of.p, if holds { u32::MAX } else { 0 }, mask);
            }
            Exchange::Ballot => {
                let bits = self.p[self.p_base + usize::from(of.a)] & mask;
                self.set_word(of.d, &W([bits; WARP]), mask);
            }
            Exchange::ActiveMask => self.set_word(of.d, &W([mask; WARP]), mask),
            Exchange::Elect => {
                self.set_word(of.d, &W([mask.trailing_zeros(); WARP]), mask);
                self.set_predicate(of.p, mask & mask.wrapping_neg(), mask);
            }
            Exchange::MatchAny | Exchange::MatchAll => self.matches(&of, mask),
            Exchange::Reduce(update) => {
                let values = self.w[self.wi(of.a)];
                let total = lanes(mask)
                    .map(|l| u64::from(values.0[l]))
                    .reduce(|a, b| update.apply(a, b, 0))
                    .unwrap_or_default();
                self.set_word(of.d, &W([total as u32; WARP]), mask);
            }
        }
    }

    fn set_word(&mut self, d: u16, values: &W, mask: u32) {
        if d != NONE {
            let d = self.wi(d);
            self.w[d].set(values, mask);
        }
    }

    fn set_predicate(&mut self, p: u16, bits: u32, mask: u32) {
        if p != NONE {
            let p = &mut self.p[self.p_base + usize::from(p)];
            *p = bits & mask | *p & !mask;
        }
    }

    /// PTX ISA, `shfl.sync`: the clamp's bits 0 to 4 bound the lane, its bits 8 to 12 cut the warp into segments. A
    /// lane that reads from one that does not take part gets a value that is not defined; here its own.
    fn shuffle(&mut self, of: &ExchangeUse, mask: u32) {
        let (a, b, c) = (self.w[self.wi(of.a)], self.w[self.wi(of.b)], self.w[self.wi(of.c)]);
        let mut out = a;
        let mut inside = 0;
        for l in lanes(mask) {
            let lane = l as u32;
            let (bound, segment) = (c.0[l] & 31, c.0[l] >> 8 & 31);
            let (highest, lowest) = (lane & segment | bound & !segment, lane & segment);
            let by = b.0[l] & 31;
            let (from, holds) = match of.exchange {
                Exchange::ShuffleUp => {
                    let from = lane as i32 - by as i32;
                    (from as u32, from >= highest as i32)
                }
                Exchange::ShuffleDown => (lane + by, lane + by <= highest),
                Exchange::ShuffleButterfly => (lane ^ by, lane ^ by <= highest),
                _ => {
                    let from = lowest | by & !segment;
                    (from, from <= highest)
                }
            };
            if holds {
                inside |= 1 << l;
                if mask >> (from & 31) & 1 != 0 {
                    out.0[l] = a.0[from as usize & 31];
                }
            }
        }
        self.set_word(of.d, &out, mask);
        self.set_predicate(of.p, inside, mask);
    }

    fn matches(&mut self, of: &ExchangeUse, mask: u32) {
        let values = if of.wide { self.x[self.xi(of.a)] } else { self.w[self.wi(of.a)].widened() };
        let mut out = W::ZERO;
        for l in lanes(mask) {
            out.0[l] = lanes(mask).filter(|o| values.0[*o] == values.0[l]).fold(0, |m, o| m | 1 << o);
        }
        if let Exchange::MatchAll = of.exchange {
            let first = mask.trailing_zeros() as usize % WARP;
            let all = out.0[first] == mask;
            out = W([if all { mask } else { 0 }; WARP]);
            self.set_predicate(of.p, if all { mask } else { 0 }, mask);
        }
        self.set_word(of.d, &out, mask);
    }
}
