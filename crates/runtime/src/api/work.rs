//! Operations of streams as data: what a graph keeps, to be done when it is launched.
//!
//! Enters: what a call asks for. Leaves: the same, to be asked for later. This module must never know how any of it is done.

use super::judge::{Asked, Corner};
use device::Extent;

/// What `<<<…>>>` says.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Configuration {
    pub(super) grid: [u32; 3],
    pub(super) block: [u32; 3],
    pub(super) shared_bytes: u64,
    pub(super) stream: u64,
    pub(super) cluster: Option<[u32; 3]>,
    pub(super) cooperative: bool,
}

/// A launch of a kernel.
#[derive(Clone, Debug)]
pub(super) struct KernelLaunch {
    /// The kernel's handle.
    pub(super) kernel: u64,
    pub(super) of: Configuration,
    /// Bytes of its arguments.
    pub(super) values: Vec<Vec<u8>>,
}

/// What memory is set to: elements of 1, 2 or 4 bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pattern {
    pub(super) value: u32,
    pub(super) bytes: u32,
}

impl Pattern {
    /// One byte, again and again.
    pub(super) fn byte(value: u64) -> Self {
        Pattern { value: u32::from(value as u8), bytes: 1 }
    }

    /// That many bytes of it.
    pub(super) fn repeated(self, count: usize) -> Vec<u8> {
        let element = self.value.to_le_bytes();
        element[..self.bytes as usize].iter().copied().cycle().take(count).collect()
    }
}

/// An operation.
#[derive(Clone, Debug)]
pub(super) enum Work {
    /// Nothing: a place that others wait for.
    Empty,
    /// A launch.
    Kernel(KernelLaunch),
    /// A copy between memory.
    Copy { to: Asked, from: Asked, extent: Extent, kind: u32 },
    /// A copy into or out of an array, by its handle.
    ArrayCopy { array: u64, corner: Corner, other: Asked, extent: Extent, kind: u32, to_array: bool },
    /// Memory that is set: its address, bytes from row to row, and rows from slice to slice.
    Set { place: (u64, u64, u64), pattern: Pattern, extent: Extent },
    /// A function of the program.
    Call { function: u64, arguments: Vec<u64> },
    /// An event recorded, by its handle.
    Record { event: u64 },
    /// An event waited for.
    Wait { event: u64 },
    /// Memory that is allocated, or ends, by its address.
    Memory { address: u64, ends: bool },
    /// All of a graph, by its number.
    Child { graph: usize },
}

impl Work {
    /// Its number in `cudaGraphNodeType`.
    pub(super) fn kind(&self) -> u32 {
        match self {
            Work::Kernel(_) => 0,
            Work::Copy { .. } | Work::ArrayCopy { .. } => 1,
            Work::Set { .. } => 2,
            Work::Call { .. } => 3,
            Work::Child { .. } => 4,
            Work::Empty => 5,
            Work::Wait { .. } => 6,
            Work::Record { .. } => 7,
            Work::Memory { ends: false, .. } => 10,
            Work::Memory { ends: true, .. } => 11,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_repeats_the_low_bytes_of_its_value() {
        assert_eq!(Pattern::byte(0x1ff).repeated(3), [255, 255, 255]);
        assert_eq!(Pattern { value: 0x0102, bytes: 2 }.repeated(4), [2, 1, 2, 1]);
        assert_eq!(Pattern { value: 1, bytes: 4 }.repeated(8), [1, 0, 0, 0, 1, 0, 0, 0]);
    }
}
