//! The heap of the device, from which kernels allocate with `malloc`: which of its bytes are taken.
//!
//! Enters: sizes and addresses. Leaves: addresses. The bytes themselves are an allocation of global memory.

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
#[derive(Debug, Default)]
struct Pieces {
    /// What they take, and what was asked for.
    taken: BTreeMap<u64, (u64, u64)>,
    /// What was asked for those that were given back and lie where nothing else does yet.
    freed: BTreeMap<u64, u64>,
}

impl Heap {
    pub(crate) fn new(base: u64) -> Self {
        Heap { base, pieces: Mutex::default() }
    }

    /// Whether this is where the heap lies.
    pub(crate) fn is_at(&self, base: u64) -> bool {
        self.base == base
    }

    fn pieces(&self) -> MutexGuard<'_, Pieces> {
        // Nobody panics while holding it.
        self.pieces.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The address of a new piece, the lowest that fits, or 0 where none does.
    pub(crate) fn allocate(&self, asked: u64) -> u64 {
        let Some(bytes) = asked.max(1).checked_next_multiple_of(ALIGN) else { return 0 };
        let mut pieces = self.pieces();
        let mut start = 0;
        for (piece, (size, _)) in &pieces.taken {
            if piece - start >= bytes {
                break;
            }
            start = piece + size;
        }
        if HEAP_BYTES - start < bytes {
            return 0;
        }
        pieces.taken.insert(start, (bytes, asked));
        pieces.freed.retain(|piece, size| piece + *size <= start || start + bytes <= *piece);
        self.base + start
    }

    /// Gives a piece back; says how many bytes it had, if it was one.
    pub(crate) fn free(&self, address: u64) -> Option<u64> {
        let mut pieces = self.pieces();
        let start = address.checked_sub(self.base)?;
        let (_, asked) = pieces.taken.remove(&start)?;
        pieces.freed.insert(start, asked);
        Some(asked)
    }

    /// Whether a range lies within one piece.
    pub(crate) fn holds(&self, first: u64, width: u64) -> bool {
        let start = first.saturating_sub(self.base);
        let pieces = self.pieces();
        let piece = pieces.taken.range(..=start).next_back();
        piece.is_some_and(|(piece, (_, asked))| start + width <= piece + asked)
    }

    /// Where an address is that is in no piece, in words.
    pub(crate) fn describe(&self, address: u64) -> String {
        let start = address.saturating_sub(self.base);
        let pieces = self.pieces();
        if let Some((piece, asked)) =
            pieces.freed.range(..=start).next_back().filter(|(p, n)| start < *p + **n)
        {
            return format!(
                "{} bytes past the start of {asked} bytes that were given back with free",
                start - piece
            );
        }
        match pieces.taken.range(..=start).next_back() {
            Some((piece, (_, asked))) => {
                let past = start.saturating_sub(piece + asked);
                format!("{past} bytes past the end of {asked} bytes that malloc gave")
            }
            None => "in the kernels' heap, before all that malloc gave".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_apart_and_come_back() {
        let heap = Heap::new(0x1000);
        let (a, b, c) = (heap.allocate(1), heap.allocate(40), heap.allocate(0));
        assert_eq!((a, b, c), (0x1000, 0x1010, 0x1040));
        assert_eq!([b, b, 0x1001, 4].map(|at| heap.free(at)), [Some(40), None, None, None]);
        assert_eq!((heap.allocate(64), heap.allocate(48)), (0x1050, 0x1010));
    }

    #[test]
    fn a_piece_holds_what_was_asked_for_and_no_more() {
        let heap = Heap::new(0x1000);
        let piece = heap.allocate(40);
        assert!(heap.holds(piece, 40) && !heap.holds(piece + 36, 8) && !heap.holds(piece + 40, 1));
        assert_eq!(heap.describe(piece + 44), "4 bytes past the end of 40 bytes that malloc gave");
        heap.free(piece);
        assert!(!heap.holds(piece, 1));
        let told = "8 bytes past the start of 40 bytes that were given back with free";
        assert_eq!(heap.describe(piece + 8), told);
        assert!(heap.allocate(8) == piece && heap.holds(piece, 8) && !heap.holds(piece + 8, 1));
        assert_eq!(heap.describe(piece + 8), "0 bytes past the end of 8 bytes that malloc gave");
    }

    #[test]
    fn a_full_heap_gives_nothing() {
        let heap = Heap::new(0x1000);
        assert_eq!((heap.allocate(HEAP_BYTES + 1), heap.allocate(u64::MAX)), (0, 0));
        assert_eq!((heap.allocate(HEAP_BYTES), heap.allocate(1)), (0x1000, 0));
    }
}
