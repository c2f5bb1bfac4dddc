//! Asynchronous copies (`cp.async`) that threads have begun: until its thread has waited for a copy, what it writes is
//! neither there nor what was there before, for the thread itself no more than for others.
//!
//! Enters: copies, the groups that threads make of them, and what they wait for. Leaves: marks of writes, first of ones that
//! are under way, then, when the thread has waited, of ones that are made.

use super::super::fault::Missing;
use super::super::memory::access::Access;
use super::Checks;
use crate::WARP;
use crate::hash::HashMap;
use crate::lanes::{X, lanes};
use std::ops::Range;

/// One instruction's copies.
#[derive(Debug)]
struct Begun {
    /// Lanes whose copies are under way; by lane the first byte and the group.
    mask: u32,
    to: X,
    groups: [u32; WARP],
    /// By lane, what its last wait has left under way, this copy among it.
    left: [Option<Left>; WARP],
    width: u32,
    access: u16,
    /// When they began.
    time: u32,
}

impl Begun {
    fn bytes(&self, lane: usize) -> Range<usize> {
        let first = self.to.0[lane] as usize;
        first..first + self.width as usize
    }
}

/// A wait that was not for a copy.
#[derive(Clone, Copy, Debug)]
struct Left {
    /// How many groups it left under way.
    pending: u32,
    /// Whether the copy was in a group then.
    was_in_group: bool,
}

/// The copies of a warp.
#[derive(Debug, Default)]
struct OfWarp {
    begun: Vec<Begun>,
    /// By lane, how many groups it has made.
    groups: [u32; WARP],
    /// By access, when the copies began that were waited for last.
    made: HashMap<u16, u32>,
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
        let (left, time) = ([None; WARP], self.clock);
        let begun = Begun { mask: store.mask, to: *to, groups, left, width, access, time };
        for lane in lanes(store.mask) {
            self.mark_copy(warp, lane, access, begun.bytes(lane));
        }
        self.copies.0[warp].begun.push(begun);
    }

    /// Instructions of a warp whose copies are under way.
    pub(in crate::exec) fn copies_under_way(&self, warp: usize) -> u32 {
        self.copies.0.get(warp).map_or(0, |of| of.begun.len() as u32)
    }

    /// What lanes have begun since their last group is one.
    pub(in crate::exec) fn copies_commit(&mut self, warp: usize, mask: u32) {
        if let Some(of) = self.copies.0.get_mut(warp) {
            lanes(mask).for_each(|l| of.groups[l] += 1);
        }
    }

    /// Lanes have waited for their copies, or for all but a number of their latest groups.
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
                    self.copies.0[warp].made.insert(of.access, of.time);
                } else {
                    of.left[lane] =
                        pending.map(|pending| Left { pending, was_in_group: groups[lane] > of.groups[lane] });
                }
            }
        }
        begun.retain(|of| of.mask != 0);
        self.copies.0[warp].begun = begun;
    }

    /// What must come before others may touch what a lane's copy to an address writes, which is under way:
    /// the thread itself if that is its `own`.
    #[cold]
    pub(super) fn missing_of_copy(&self, warp: usize, lane: usize, address: u64, own: bool) -> Missing {
        let unknown = Missing::Wait { met: false };
        let Some(of) = self.copies.0.get(warp) else { return unknown };
        let is_it =
            |begun: &&Begun| begun.mask >> lane & 1 != 0 && begun.bytes(lane).contains(&(address as usize));
        let Some(begun) = of.begun.iter().rev().find(is_it) else { return unknown };
        match begun.left[lane] {
            Some(_) if begun.groups[lane] == of.groups[lane] => Missing::Commit,
            Some(Left { was_in_group: false, .. }) => Missing::CommitBeforeWait,
            Some(Left { pending, .. }) => Missing::EarlierWait(pending),
            None => Missing::Wait { met: !own && begun.time < self.interval },
        }
    }

    /// What must come before others may touch what the last copies of an access have written; none where it does not copy.
    #[cold]
    pub(super) fn copied(&self, warp: usize, access: u16) -> Option<Missing> {
        let began = self.copies.0.get(warp)?.made.get(&access)?;
        Some(Missing::BarrierAfterWait { met_before: *began < self.interval })
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
