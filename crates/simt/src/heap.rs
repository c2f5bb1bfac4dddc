//! The heap of the device, from which kernels allocate with `malloc`: which of its bytes are taken.
//!
//! Enters: sizes and addresses. Leaves: addresses. The bytes themselves are an allocation of global memory.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

/// Bytes of the heap (CUDA C++ Programming Guide, `cudaLimitMallocHeapSize`: 8 MB).
pub(crate) const HEAP_BYTES: u64 = 8 << 20;
/// Allocations begin at multiples of this (CUDA C++ Programming Guide, 10.35: 16 bytes).
const ALIGN: u64 = 16;

/// The heap. All threads of all blocks share it.
#[derive(Debug)]
pub(crate) struct Heap {
    /// Its address.
    base: u64,
    /// Starts of taken pieces and their sizes.
    taken: Mutex<BTreeMap<u64, u64>>,
}

impl Heap {
    pub(crate) fn new(base: u64) -> Self {
        Heap { base, taken: Mutex::default() }
    }

    /// The address of a new piece, the lowest that fits, or 0 where none does.
    pub(crate) fn allocate(&self, bytes: u64) -> u64 {
        let Some(bytes) = bytes.max(1).checked_next_multiple_of(ALIGN) else { return 0 };
        // Nobody panics while holding it.
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        let mut start = 0;
        for (piece, size) in taken.iter() {
            if piece - start >= bytes {
                break;
            }
            start = piece + size;
        }
        if HEAP_BYTES - start < bytes {
            return 0;
        }
        taken.insert(start, bytes);
        self.base + start
    }

    /// Gives a piece back; says whether it was one.
    pub(crate) fn free(&self, address: u64) -> bool {
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        address.checked_sub(self.base).is_some_and(|start| taken.remove(&start).is_some())
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
        assert!(heap.free(b) && !heap.free(b) && !heap.free(0x1001) && !heap.free(4));
        assert_eq!((heap.allocate(64), heap.allocate(48)), (0x1050, 0x1010));
    }

    #[test]
    fn a_full_heap_gives_nothing() {
        let heap = Heap::new(0x1000);
        assert_eq!((heap.allocate(HEAP_BYTES + 1), heap.allocate(u64::MAX)), (0, 0));
        assert_eq!((heap.allocate(HEAP_BYTES), heap.allocate(1)), (0x1000, 0));
    }
}
