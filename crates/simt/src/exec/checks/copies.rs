//! Asynchronous copies (`cp.async`) that threads have begun: until its thread has waited for a copy, what it writes is
//! neither there nor what was there before, for the thread itself no more than for others.
//!
//! Enters: copies, the groups that threads make of them, and what they wait for. Leaves: marks of writes, first of ones that
//! are under way, then, when the thread has waited, of ones that are made.

use super::super::access::Access;
use super::Checks;
use crate::WARP;
use crate::lanes::{X, lanes};
use std::ops::Range;

/// One instruction's copies.
#[derive(Debug)]
struct Begun {
    /// Lanes whose copies are under way; by lane the first byte and the group.
    mask: u32,
    to: X,
    groups: [u32; WARP],
    width: u32,
    access: u16,
}

impl Begun {
    fn bytes(&self, lane: usize) -> Range<usize> {
        let first = self.to.0[lane] as usize;
        first..first + self.width as usize
    }
}

/// The copies of a warp.
#[derive(Debug, Default)]
struct OfWarp {
    begun: Vec<Begun>,
    /// By lane, how many groups it has made.
    groups: [u32; WARP],
}

/// The copies of a block that are under way, by warp.
#[derive(Debug, Default)]
pub(super) struct Copies(Vec<OfWarp>);

impl Checks<'_> {
    /// Lanes begin copies, which may be made.
    pub(in crate::exec) fn copy_begins(&mut self, warp: usize, store: &Access<'_>, to: &X) {
        if self.copies.0.len() <= warp {
            self.copies.0.resize_with(warp + 1, OfWarp::default);
        }
        let (access, width) = (store.id.number(), store.width);
        let groups = self.copies.0[warp].groups;
        let begun = Begun { mask: store.mask, to: *to, groups, width, access };
        for lane in lanes(store.mask) {
            self.mark_copy(warp, lane, access, begun.bytes(lane));
        }
        self.copies.0[warp].begun.push(begun);
    }

    /// What lanes have begun since their last group is one.
    pub(in crate::exec) fn copies_commit(&mut self, warp: usize, mask: u32) {
        if let Some(of) = self.copies.0.get_mut(warp) {
            lanes(mask).for_each(|l| of.groups[l] += 1);
        }
    }

    /// Lanes have waited for their copies, or for all but so many of their latest groups.
    pub(in crate::exec) fn copies_end(&mut self, warp: usize, mask: u32, pending: Option<u32>) {
        let Some(of) = self.copies.0.get_mut(warp).filter(|of| !of.begun.is_empty()) else { return };
        let (groups, mut begun) = (of.groups, std::mem::take(&mut of.begun));
        self.tick();
        for of in &mut begun {
            let now = self.now(warp, of.access, 0);
            for lane in lanes(of.mask & mask) {
                if pending.is_none_or(|n| groups[lane] - of.groups[lane] > n) {
                    of.mask &= !(1 << lane);
                    self.end_copy(warp, lane, of.access, of.bytes(lane), Some(now));
                }
            }
        }
        begun.retain(|of| of.mask != 0);
        self.copies.0[warp].begun = begun;
    }

    /// A block begins: what others left under way is none of its business.
    pub(super) fn forget_copies(&mut self) {
        for (warp, of) in std::mem::take(&mut self.copies.0).into_iter().enumerate() {
            for begun in &of.begun {
                for lane in lanes(begun.mask) {
                    self.end_copy(warp, lane, begun.access, begun.bytes(lane), None);
                }
            }
        }
    }
}
