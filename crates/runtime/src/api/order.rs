//! What is ordered before what: the host and its streams as vector clocks, and accesses to memory that nothing orders.
//!
//! Enters: operations of streams, and where one waits for another. Leaves: whether an operation is known to be done where
//! another begins. Times are not known here: what happens to be done first is not ordered.

use super::finding::Access;
use std::ops::Range;

/// Who acts: a stream is its number and 1; the host itself, 0, does nothing that others could miss.
pub(super) type Actor = usize;

/// How many operations of each actor are done.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Clock(Vec<u64>);

impl Clock {
    pub(super) fn of(&self, actor: Actor) -> u64 {
        self.0.get(actor).copied().unwrap_or(0)
    }

    /// One more operation; its number.
    pub(super) fn tick(&mut self, actor: Actor) -> u64 {
        if self.0.len() <= actor {
            self.0.resize(actor + 1, 0);
        }
        self.0[actor] += 1;
        self.0[actor]
    }

    /// What is done there is done here.
    pub(super) fn join(&mut self, other: &Clock) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        for (mine, theirs) in self.0.iter_mut().zip(&other.0) {
            *mine = (*mine).max(*theirs);
        }
    }

    /// Whether an operation is done.
    pub(super) fn includes(&self, stamp: Stamp) -> bool {
        self.of(stamp.actor) >= stamp.number
    }
}

/// An operation: who made it, and its number among theirs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stamp {
    pub(super) actor: Actor,
    pub(super) number: u64,
}

/// Bytes that an operation accessed, by their addresses.
#[derive(Clone, Debug)]
struct Record {
    range: Range<u64>,
    stamp: Stamp,
    access: Access,
}

/// Accesses with which later ones may not be ordered.
#[derive(Debug, Default)]
pub(super) struct Accesses(Vec<Record>);

/// Most accesses that are kept; of more, the oldest are forgotten, so that a program which never waits does not fill memory.
const MOST: usize = 4096;

impl Accesses {
    /// Notes an access of an operation that begins when `clock` is done; the earlier access that it is not ordered with, if
    /// there is one, and the first byte of both.
    pub(super) fn add(
        &mut self,
        range: Range<u64>,
        access: Access,
        stamp: Stamp,
        clock: &Clock,
    ) -> Option<(Access, u64)> {
        if range.is_empty() {
            return None;
        }
        let unordered = self.0.iter().find(|old| {
            let meet = old.range.start < range.end && range.start < old.range.end;
            meet && (old.access.writes || access.writes) && old.stamp != stamp && !clock.includes(old.stamp)
        });
        let found = unordered.map(|old| (old.access.clone(), old.range.start.max(range.start)));
        // What this one covers and is ordered before is of no more use, as long as it was no write that a read covers.
        self.0.retain(|old| {
            let covered = range.start <= old.range.start && old.range.end <= range.end;
            !(covered && clock.includes(old.stamp) && (access.writes || !old.access.writes))
        });
        if self.0.len() >= MOST {
            self.0.remove(0);
        }
        self.0.push(Record { range, stamp, access });
        found
    }

    /// Forgets what is ordered before all that is yet to come: every operation begins after the host's.
    pub(super) fn prune(&mut self, host: &Clock) {
        self.0.retain(|old| !host.includes(old.stamp));
    }

    /// Forgets accesses to memory that was freed.
    pub(super) fn forget(&mut self, range: &Range<u64>) {
        self.0.retain(|old| old.range.start >= range.end || range.start >= old.range.end);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::guest::Site;

    fn access(stream: u32, writes: bool) -> Access {
        Access { by: "cudaMemcpyAsync".to_owned(), stream: Some(stream), writes, site: Site(stream) }
    }

    #[test]
    fn a_write_of_one_stream_is_not_ordered_with_a_read_of_another_unless_that_waits() {
        let mut accesses = Accesses::default();
        let (mut first, mut second) = (Clock::default(), Clock::default());
        let write = Stamp { actor: 1, number: first.tick(1) };
        assert_eq!(accesses.add(0..8, access(1, true), write, &first), None);
        let read = Stamp { actor: 2, number: second.tick(2) };
        assert_eq!(accesses.add(4..12, access(2, false), read, &second), Some((access(1, true), 4)));
        assert_eq!(accesses.add(8..12, access(2, false), read, &second), None);
        second.join(&first);
        let later = Stamp { actor: 2, number: second.tick(2) };
        assert_eq!(accesses.add(0..8, access(2, true), later, &second), None);
    }

    #[test]
    fn two_reads_need_no_order() {
        let mut accesses = Accesses::default();
        for actor in [1, 2] {
            let mut clock = Clock::default();
            let stamp = Stamp { actor, number: clock.tick(actor) };
            assert_eq!(accesses.add(0..8, access(1, false), stamp, &clock), None);
        }
    }
}
