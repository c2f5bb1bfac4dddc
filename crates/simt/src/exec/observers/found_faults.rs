//! Faults of a launch that goes on after them, each once and with how often it was found.
//!
//! A fault is the same as another one if its kind, its source line (with the calls that this was inlined at) and, of a
//! race, the line of the other access are, whichever of the two comes first. The first that was found represents all of
//! them.

use crate::detail::RaceAccess;
use crate::error::FaultKind;
use crate::exec::fault::{Missing, Other, RawFault};
use crate::hash::HashMap;
use crate::ir::Origin;
use std::collections::hash_map::Entry;
use std::ops::Range;

/// A line: of the source, or of the PTX where that is all there is. (Whether it is one of the PTX; file; line; calls.)
type Line = (bool, u32, u32, u32);

fn line(origin: Origin) -> Line {
    match origin.source_line {
        0 => (true, 0, origin.line, 0),
        line => (false, origin.file, line, origin.inlined_at),
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Key {
    kind: FaultKind,
    line: Line,
    other: Option<Line>,
}

/// A fault that was found a number of times.
#[derive(Clone, Debug)]
pub(crate) struct Counted {
    pub(crate) fault: RawFault,
    pub(crate) count: u64,
    /// Its place among those of its block.
    nth: usize,
}

/// The faults of a block, or of several.
#[derive(Clone, Debug, Default)]
pub(crate) struct FoundFaults {
    of: HashMap<Key, Counted>,
    /// Of the block: reads of global memory that had not been written, with their addresses.
    reads: Vec<(Key, Range<u64>)>,
}

impl FoundFaults {
    /// Notes a fault of a given number of threads; `other` is where the other access of a race is.
    pub(in crate::exec) fn note(
        &mut self,
        fault: RawFault,
        other: Option<Origin>,
        count: u64,
        unwritten: Option<Range<u64>>,
    ) {
        // A function without lines has that of its call.
        let own = std::iter::once(fault.origin).chain(fault.callers.iter().copied());
        let own = own.clone().find(|origin| origin.source_line != 0).unwrap_or(fault.origin);
        let (line, other) = match (line(own), other.map(line)) {
            // Two accesses race whichever comes first.
            (own, Some(other)) if other < own => (other, Some(own)),
            lines => lines,
        };
        let key = Key { kind: fault.kind, line, other };
        let nth = self.of.len();
        let is_new = !self.of.contains_key(&key);
        self.of.entry(key).or_insert(Counted { fault, count: 0, nth }).count += count;
        self.reads.extend(unwritten.filter(|_| is_new).map(|bytes| (key, bytes)));
    }

    pub(in crate::exec) fn has_reads(&self) -> bool {
        !self.reads.is_empty()
    }

    /// A thread of the block writes global memory, which another one may have read before.
    #[cold]
    pub(in crate::exec) fn written(&mut self, bytes: Range<u64>, thread: u32, access: u16) {
        let FoundFaults { of, reads } = self;
        reads.retain(|(key, read)| {
            let Some(counted) = of.get_mut(key) else { return false };
            let race = read.start < bytes.end && bytes.start < read.end && thread != counted.fault.thread;
            if race {
                let accesses = [RaceAccess::Read, RaceAccess::Write];
                counted.fault.other = Some(Box::new(Other {
                    thread,
                    block: None,
                    access,
                    accesses,
                    missing: Missing::Barrier,
                }));
            }
            !race
        });
    }

    /// A block has ended: what it read before another thread wrote it is a race, and was reported as one.
    pub(in crate::exec) fn end_block(&mut self) {
        self.reads.clear();
        let races: Vec<[Option<Line>; 2]> = self
            .of
            .keys()
            .filter(|key| matches!(key.kind, FaultKind::SharedRace | FaultKind::GlobalRace))
            .map(|key| [Some(key.line), key.other])
            .collect();
        let raced = |line: Line| races.iter().any(|race| race.contains(&Some(line)));
        self.of.retain(|key, _| key.kind != FaultKind::UninitialisedRead || !raced(key.line));
    }

    /// Adds those of other blocks.
    pub(in crate::exec) fn add(&mut self, others: FoundFaults) {
        for (key, other) in others.of {
            match self.of.entry(key) {
                Entry::Vacant(place) => {
                    place.insert(other);
                }
                Entry::Occupied(mut place) => {
                    let count = place.get().count + other.count;
                    if other.fault.block < place.get().fault.block {
                        place.insert(other);
                    }
                    place.get_mut().count = count;
                }
            }
        }
    }

    /// In the order of the blocks that had them first.
    pub(crate) fn sorted(self) -> Vec<Counted> {
        let mut all: Vec<Counted> = self.of.into_values().collect();
        all.sort_by_key(|counted| (counted.fault.block, counted.nth));
        all
    }
}
