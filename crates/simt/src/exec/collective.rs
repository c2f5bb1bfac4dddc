//! Warp-wide operations: shuffles, votes, matches, reductions.
//!
//! Lanes may come to an operation from several places of the program (compilers unroll loops whose lanes leave one
//! after the other): what all of them bring is put together first, the result is found, and each part takes its own.

use super::fault::Stop;
use super::warp::Split;
use super::worker::Worker;
use crate::WARP;
use crate::ir::{Collective, CollectiveUse, Id, NONE, Op};
use crate::lanes::{W, X, lanes};

/// What lanes bring to an operation.
struct Brought {
    /// Lanes that take part.
    mask: u32,
    /// Values, and for votes a bit a lane.
    a: X,
    b: W,
    c: W,
    bits: u32,
}

/// What an operation gives to each lane.
struct Given {
    words: W,
    bits: u32,
}

impl Worker<'_> {
    /// All lanes of `mask` are at the operation together: the usual case.
    #[inline(never)]
    pub(super) fn collective(&mut self, id: Id<CollectiveUse>, mask: u32) -> Result<(), Stop> {
        let of = self.run.kernel[id];
        let members = if of.members == NONE { W::splat(u32::MAX) } else { self.block.w[self.wi(of.members)] };
        let mut left = mask;
        let mut parts = vec![];
        // Tiles of a warp name themselves: each is an operation of its own.
        while left != 0 {
            let named = members.0[left.trailing_zeros() as usize % WARP];
            let part = lanes(left).filter(|l| members.0[*l] == named).fold(0, |m, l| m | 1 << l);
            let mut brought = Brought { mask: 0, a: X::ZERO, b: W::ZERO, c: W::ZERO, bits: 0 };
            self.bring(&of, part, &mut brought);
            self.order_collective(&of, part);
            let given = collective_results(&of, &brought);
            if part == mask {
                self.take(&of, mask, &given);
                return Ok(());
            }
            parts.push((part, given));
            left &= !part;
        }
        for (part, given) in &parts {
            self.take(&of, *part, given);
        }
        Ok(())
    }

    /// One operation of splits that have come to it at several places: it is the last instruction of the block of each.
    pub(super) fn collective_of_splits(&mut self, parts: &[Split]) {
        let kernel = self.run.kernel;
        let of = |part: &Split| {
            let last = kernel.blocks[part.block as usize].end - 1;
            let Op::Collective { collective } = kernel.code[last as usize].op else { return None };
            Some(kernel[collective])
        };
        let mut brought = Brought { mask: 0, a: X::ZERO, b: W::ZERO, c: W::ZERO, bits: 0 };
        for part in parts {
            let Some(of) = of(part) else { return };
            self.enter_frame(part.frame);
            self.bring(&of, part.mask, &mut brought);
        }
        let Some(first) = parts.first().and_then(of) else { return };
        self.order_collective(&first, brought.mask);
        let given = collective_results(&first, &brought);
        for part in parts {
            let Some(of) = of(part) else { return };
            self.enter_frame(part.frame);
            self.take(&of, part.mask, &given);
        }
    }

    /// Tells the checks that those who take part are ordered by the operation; a look at who is active orders nothing.
    fn order_collective(&mut self, of: &CollectiveUse, mask: u32) {
        if !matches!(of.collective, Collective::ActiveMask) {
            self.warp_met(mask);
        }
    }

    fn bring(&mut self, of: &CollectiveUse, mask: u32, brought: &mut Brought) {
        brought.mask |= mask;
        match of.collective {
            Collective::Sync => {}
            Collective::VoteAll | Collective::VoteAny | Collective::VoteUniform | Collective::Ballot => {
                brought.bits |= self.block.p[self.cursor.p_base + usize::from(of.a)] & mask;
            }
            Collective::ActiveMask | Collective::Elect => {}
            Collective::ShuffleUp
            | Collective::ShuffleDown
            | Collective::ShuffleButterfly
            | Collective::ShuffleIndex
            | Collective::MatchAny
            | Collective::MatchAll
            | Collective::Reduce(_) => {
                let a =
                    if of.wide { self.block.x[self.xi(of.a)] } else { self.block.w[self.wi(of.a)].widened() };
                brought.a.set(&a, mask);
                if of.b != NONE {
                    let (b, c) = (self.block.w[self.wi(of.b)], self.block.w[self.wi(of.c)]);
                    brought.b.set(&b, mask);
                    brought.c.set(&c, mask);
                }
            }
        }
    }

    fn take(&mut self, of: &CollectiveUse, mask: u32, given: &Given) {
        if of.d != NONE {
            let d = self.wi(of.d);
            self.block.w[d].set(&given.words, mask);
        }
        if of.p != NONE {
            let p = &mut self.block.p[self.cursor.p_base + usize::from(of.p)];
            *p = given.bits & mask | *p & !mask;
        }
    }
}

fn collective_results(of: &CollectiveUse, brought: &Brought) -> Given {
    let Brought { mask, bits, .. } = *brought;
    let everywhere =
        |word: u32, holds: bool| Given { words: W::splat(word), bits: if holds { u32::MAX } else { 0 } };
    match of.collective {
        Collective::Sync => everywhere(0, false),
        Collective::VoteAll => everywhere(0, bits == mask),
        Collective::VoteAny => everywhere(0, bits != 0),
        Collective::VoteUniform => everywhere(0, bits == mask || bits == 0),
        Collective::Ballot => everywhere(bits, false),
        Collective::ActiveMask => everywhere(mask, false),
        Collective::Elect => {
            Given { words: W::splat(mask.trailing_zeros()), bits: mask & mask.wrapping_neg() }
        }
        Collective::MatchAny => {
            let mut words = W::ZERO;
            for l in lanes(mask) {
                let same = lanes(mask).filter(|o| brought.a.0[*o] == brought.a.0[l]);
                words.0[l] = same.fold(0, |m, o| m | 1 << o);
            }
            Given { words, bits: 0 }
        }
        Collective::MatchAll => {
            let first = mask.trailing_zeros() as usize % WARP;
            let all = lanes(mask).all(|l| brought.a.0[l] == brought.a.0[first]);
            everywhere(if all { mask } else { 0 }, all)
        }
        Collective::Reduce(update) => {
            let total =
                lanes(mask).map(|l| brought.a.0[l]).reduce(|a, b| update.apply(a, b, 0)).unwrap_or_default();
            everywhere(total as u32, false)
        }
        Collective::ShuffleUp
        | Collective::ShuffleDown
        | Collective::ShuffleButterfly
        | Collective::ShuffleIndex => shuffled(of.collective, brought),
    }
}

/// PTX ISA, `shfl.sync`: the clamp's bits 0 to 4 bound the lane, its bits 8 to 12 cut the warp into segments. A lane
/// that reads from one that does not take part gets a value that is not defined; here its own.
fn shuffled(collective: Collective, brought: &Brought) -> Given {
    let mut words = brought.a.narrowed();
    let mut bits = 0;
    for l in lanes(brought.mask) {
        let lane = l as u32;
        let (bound, segment) = (brought.c.0[l] & 31, brought.c.0[l] >> 8 & 31);
        let (highest, lowest) = (lane & segment | bound & !segment, lane & segment);
        let by = brought.b.0[l] & 31;
        let (from, holds) = match collective {
            Collective::ShuffleUp => {
                let from = lane as i32 - by as i32;
                (from as u32, from >= highest as i32)
            }
            Collective::ShuffleDown => (lane + by, lane + by <= highest),
            Collective::ShuffleButterfly => (lane ^ by, lane ^ by <= highest),
            _ => {
                let from = lowest | by & !segment;
                (from, from <= highest)
            }
        };
        if holds {
            bits |= 1 << l;
            if brought.mask >> (from & 31) & 1 != 0 {
                words.0[l] = brought.a.0[from as usize & 31] as u32;
            }
        }
    }
    Given { words, bits }
}
