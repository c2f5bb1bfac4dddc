//! The heap of the device, from which kernels allocate with `malloc`: which of its bytes are taken.
//!
//! Enters: sizes and addresses. Leaves: addresses. The bytes themselves are an allocation of global memory.

use crate::error::Bytes;
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Bytes of the heap (CUDA C++ Programming Guide, `cudaLimitMallocHeapSize`: 8 MB).
pub(crate) const HEAP_BYTES: u64 = 8 << 20;
/// Allocations begin at multiples of this (CUDA C++ Programming Guide, 10.35: 16 bytes).
const ALIGN: u64 = 16;

/// The heap. All threads of all blocks share it.
#[derive(Debug)]
pub(crate) struct Heap {
    /// Its address.
    base: u64,
    pieces: Mutex<Pieces>,
}

/// Pieces by their starts, counted from the heap's.
#[derive(Clone, Debug)]
struct Pieces {
    /// Pieces in use: bytes that were asked for; [`taken_by`] says how many each takes.
    taken: BTreeMap<u64, u64>,
    /// How many bytes are free from there on, up to the next piece or the end.
    gaps: BTreeMap<u64, u64>,
    /// Pieces that were freed and lie where nothing else does yet: bytes that were asked for.
    freed: BTreeMap<u64, u64>,
}

/// Bytes that a piece takes for a number that is asked for, if there is a number for them.
fn taken_by(asked: u64) -> Option<u64> {
    asked.max(1).checked_next_multiple_of(ALIGN)
}

impl Heap {
    pub(crate) fn new(base: u64) -> Self {
        let gaps = BTreeMap::from([(0, HEAP_BYTES)]);
        Heap { base, pieces: Mutex::new(Pieces { taken: BTreeMap::new(), gaps, freed: BTreeMap::new() }) }
    }

    /// The same heap once more.
    pub(crate) fn copy(&self) -> Self {
        Heap { base: self.base, pieces: Mutex::new(self.pieces().clone()) }
    }

    /// Whether this is where the heap lies.
    pub(crate) fn is_at(&self, base: u64) -> bool {
        self.base == base
    }

    fn pieces(&self) -> MutexGuard<'_, Pieces> {
        // No thread panics while holding it.
        self.pieces.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The address of a new piece, the lowest that fits, or 0 where none does; and how many gaps were looked at.
    pub(crate) fn allocate(&self, asked: u64) -> (u64, u64) {
        let Some(bytes) = taken_by(asked) else { return (0, 0) };
        let mut pieces = self.pieces();
        let mut looked = 0;
        let found = pieces.gaps.iter().inspect(|_| looked += 1).find(|(_, size)| **size >= bytes);
        let Some((start, size)) = found.map(|(start, size)| (*start, *size)) else { return (0, looked) };
        pieces.gaps.remove(&start);
        if size > bytes {
            pieces.gaps.insert(start + bytes, size - bytes);
        }
        pieces.taken.insert(start, asked);
        // Those that were given back and now lie below it: one may begin before it.
        let before = pieces.freed.range(..start).next_back().filter(|(piece, size)| **piece + **size > start);
        let mut covered: Vec<u64> = before.map(|(piece, _)| *piece).into_iter().collect();
        covered.extend(pieces.freed.range(start..start + bytes).map(|(piece, _)| *piece));
        for piece in covered {
            pieces.freed.remove(&piece);
        }
        (self.base + start, looked)
    }

    /// Gives a piece back; says how many bytes it had, if it was one.
    pub(crate) fn free(&self, address: u64) -> Option<u64> {
        let mut pieces = self.pieces();
        let start = address.checked_sub(self.base)?;
        let asked = pieces.taken.remove(&start)?;
        let bytes = taken_by(asked)?;
        // One gap with those around it.
        let (mut from, mut end) = (start, start + bytes);
        if let Some(more) = pieces.gaps.remove(&end) {
            end += more;
        }
        let before = pieces.gaps.range(..start).next_back().map(|(gap, size)| (*gap, *size));
        if let Some((gap, size)) = before
            && gap + size == start
        {
            pieces.gaps.remove(&gap);
            from = gap;
        }
        pieces.gaps.insert(from, end - from);
        pieces.freed.insert(start, asked);
        Some(asked)
    }

    /// Whether a range lies within one piece.
    pub(crate) fn holds(&self, first: u64, width: u64) -> bool {
        let start = first.saturating_sub(self.base);
        let pieces = self.pieces();
        let piece = pieces.taken.range(..=start).next_back();
        piece.is_some_and(|(piece, asked)| start + width <= piece + asked)
    }

    /// Where an address is that is in no piece, in words.
    pub(crate) fn describe(&self, address: u64) -> String {
        let start = address.saturating_sub(self.base);
        let pieces = self.pieces();
        if let Some((piece, asked)) =
            pieces.freed.range(..=start).next_back().filter(|(p, n)| start < *p + **n)
        {
            return format!("{} past the start of {} that were freed", Bytes(start - piece), Bytes(*asked));
        }
        match pieces.taken.range(..=start).next_back() {
            Some((piece, asked)) => {
                let past = start.saturating_sub(piece + asked);
                format!("{} past the end of {} that malloc returned", Bytes(past), Bytes(*asked))
            }
            None => "in the kernels' heap, before everything that malloc returned".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_apart_and_come_back() {
        let heap = Heap::new(0x1000);
        let give = |bytes| heap.allocate(bytes).0;
        let (a, b, c) = (give(1), give(40), give(0));
        assert_eq!((a, b, c), (0x1000, 0x1010, 0x1040));
        assert_eq!([b, b, 0x1001, 4].map(|at| heap.free(at)), [Some(40), None, None, None]);
        assert_eq!((give(64), give(48)), (0x1050, 0x1010));
    }

    #[test]
    fn a_piece_holds_what_was_asked_for_and_no_more() {
        let heap = Heap::new(0x1000);
        let piece = heap.allocate(40).0;
        assert!(heap.holds(piece, 40) && !heap.holds(piece + 36, 8) && !heap.holds(piece + 40, 1));
        assert_eq!(heap.describe(piece + 44), "4 bytes past the end of 40 bytes that malloc returned");
        heap.free(piece);
        assert!(!heap.holds(piece, 1));
        let told = "8 bytes past the start of 40 bytes that were freed";
        assert_eq!(heap.describe(piece + 8), told);
        assert!(heap.allocate(8).0 == piece && heap.holds(piece, 8) && !heap.holds(piece + 8, 1));
        assert_eq!(heap.describe(piece + 8), "0 bytes past the end of 8 bytes that malloc returned");
    }

    #[test]
    fn a_full_heap_gives_nothing() {
        let heap = Heap::new(0x1000);
        let give = |bytes| heap.allocate(bytes).0;
        assert_eq!((give(HEAP_BYTES + 1), give(u64::MAX)), (0, 0));
        assert_eq!((give(HEAP_BYTES), give(1)), (0x1000, 0));
    }

    #[test]
    fn pieces_that_were_given_back_are_one_again() {
        let heap = Heap::new(0x1000);
        let pieces: Vec<u64> = (0..4).map(|_| heap.allocate(HEAP_BYTES / 4).0).collect();
        for n in [1, 3, 0, 2] {
            assert_eq!(heap.free(pieces[n]), Some(HEAP_BYTES / 4));
        }
        assert_eq!(heap.allocate(HEAP_BYTES), (0x1000, 1));
    }

    #[test]
    fn a_heap_of_small_pieces_is_full_at_once() {
        let heap = Heap::new(0x1000);
        let count = HEAP_BYTES / ALIGN;
        assert!((0..count).all(|_| heap.allocate(1).1 == 1));
        assert_eq!(heap.allocate(1), (0, 0));
    }
}
