//! Faults of a launch that goes on after them, each once and with how often it was found.
//!
//! A fault is the same as another one if its kind, its source line (with the calls that this was inlined at) and, of a
//! race, the line of the other access are. The first that was found stands for all of them.

use super::fault::RawFault;
use crate::error::FaultKind;
use crate::ir::Origin;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

/// A line: of the source, or of the PTX where that is all there is. (Whether it is one of the PTX; file; line; calls.)
type Line = (bool, u32, u32, u32);

fn line(origin: Origin) -> Line {
    match origin.source_line {
        0 => (true, 0, origin.line, 0),
        line => (false, origin.file, line, origin.inlined_at),
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    kind: FaultKind,
    line: Line,
    other: Option<Line>,
}

/// A fault that was found so many times.
#[derive(Clone, Debug)]
pub(crate) struct Counted {
    pub(crate) fault: RawFault,
    pub(crate) count: u64,
    /// Its place among those of its block.
    nth: usize,
}

/// The faults of a block, or of several.
#[derive(Clone, Debug, Default)]
pub(crate) struct Found {
    of: BTreeMap<Key, Counted>,
}

impl Found {
    /// Notes a fault of so many threads; `other` is where the other access of a race stands.
    pub(super) fn note(&mut self, fault: RawFault, other: Option<Origin>, count: u64) {
        let key = Key { kind: fault.kind, line: line(fault.origin), other: other.map(line) };
        let nth = self.of.len();
        self.of.entry(key).or_insert(Counted { fault, count: 0, nth }).count += count;
    }

    /// A block has ended: what it read before another thread wrote it is a race, and was told as one.
    pub(super) fn end_block(&mut self) {
        let races: Vec<[Option<Line>; 2]> = self
            .of
            .keys()
            .filter(|key| key.kind == FaultKind::SharedRace)
            .map(|key| [Some(key.line), key.other])
            .collect();
        let raced = |line: Line| races.iter().any(|race| race.contains(&Some(line)));
        self.of.retain(|key, _| key.kind != FaultKind::UninitialisedRead || !raced(key.line));
    }

    /// Adds those of other blocks.
    pub(super) fn add(&mut self, others: Found) {
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
