//! What the device runtime answers to questions on the device (`cuda_device_runtime_api.h`).
//!
//! Enters: a chip and a number of `cudaDeviceAttr` or `cudaLimit` (`driver_types.h`). Leaves: what a kernel gets. What
//! is not in the chip's file and is not the same for every chip of CUDA 12 and 13 is unknown.

use crate::heap::HEAP_BYTES;
use crate::model::chip::Chip;

/// `cudaFuncCachePreferNone`.
pub(super) const PREFER_NONE: u64 = 0;
/// `cudaSharedMemBankSizeFourByte`.
pub(super) const FOUR_BYTES: u64 = 1;
/// What `cudaRuntimeGetVersion` gave a kernel on an H200 with CUDA 13.0.
pub(super) const VERSION: u64 = 6000;

/// What is known of an attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Attribute {
    Is(u32),
    /// It is there, and its value is not known here.
    Unknown,
    /// There is no attribute of this number.
    Missing,
}

/// An attribute of a device (`cudaDeviceAttr`).
pub(super) fn attribute(chip: &Chip, number: u32) -> Attribute {
    let limits = &chip.limits;
    let is_at_least = |major: u32| u32::from(chip.compute_capability.0 >= major);
    Attribute::Is(match number {
        // Threads of a block; CUDA C++ Programming Guide, table of compute capabilities.
        1..=3 => 1024,
        4 => 64,
        5 => i32::MAX as u32,
        6 | 7 => 65535,
        // Shared memory of a block that did not ask for more; constant memory; a warp; the largest pitch of copies.
        8 => 48 << 10,
        9 => 64 << 10,
        10 => crate::WARP as u32,
        11 => i32::MAX as u32,
        // Registers of a block and of a multiprocessor.
        12 | 82 => 65536,
        13 => (chip.clock_mhz * 1000.0) as u32,
        // Alignments of textures and surfaces.
        14 | 30 => 512,
        51 => 32,
        16 => chip.multiprocessors,
        38 => u32::try_from(chip.l2_bytes).unwrap_or(u32::MAX),
        39 => limits.warps * crate::WARP as u32,
        75 => chip.compute_capability.0,
        76 => chip.compute_capability.1,
        81 => limits.shared_bytes,
        97 => limits.shared_bytes_per_block,
        106 => limits.blocks,
        111 => limits.shared_bytes_reserved,
        // Of single to double precision.
        87 => (chip.rates.double / chip.rates.single.max(f64::MIN_POSITIVE)).round() as u32,
        // Overlap, mapped memory, concurrent kernels, one address space, priorities, caches of globals and locals.
        15 | 19 | 31 | 41 | 78 | 79 | 80 => 1,
        // A limit on run time, integrated memory, the compute mode, several GPUs on a board.
        0 | 17 | 18 | 20 | 84 => 0,
        // Managed memory; preemption and cooperative launches; clusters.
        83 => is_at_least(3),
        90 | 95 => is_at_least(6),
        120 => is_at_least(9),
        149.. => return Attribute::Missing,
        21..=29 | 32..=37 | 40 | 42..=50 | 52..=74 | 77 | 85 | 86 | 88 | 89 | 91..=94 | 96 | 98..=105 => {
            return Attribute::Unknown;
        }
        107..=110 | 112..=119 | 121..=148 => return Attribute::Unknown,
    })
}

/// A limit (`cudaLimit`) as it is unless a host changes it; `Some(None)` for one that no device has any more, and nothing
/// for a number that is none. Measured on an H200 with CUDA 13.0.
pub(super) fn limit(chip: &Chip, number: u32) -> Option<Option<u64>> {
    Some(match number {
        // Stack; the buffer of `printf`; the heap.
        0 => Some(1024),
        1 => Some(8_650_752),
        2 => Some(HEAP_BYTES),
        // How deep grids may wait for others: none may.
        3 => None,
        // Launches that are pending; the granularity of L2.
        4 => Some(2048),
        5 => Some(64),
        // Of L2, what may be kept for persisting accesses: inferred from the H200's 11,796,480 of 62,914,560 bytes.
        6 if chip.compute_capability.0 >= 8 => Some(chip.l2_bytes / 16 * 3),
        6 => None,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_chip_has_what_its_file_says() {
        for (name, multiprocessors, threads, clusters) in [("h200", 132, 2048, 1), ("t4", 40, 1024, 0)] {
            let chip = Chip::by_name(name).unwrap();
            assert_eq!(attribute(&chip, 16), Attribute::Is(multiprocessors), "{name}");
            assert_eq!(attribute(&chip, 39), Attribute::Is(threads), "{name}");
            assert_eq!(attribute(&chip, 120), Attribute::Is(clusters), "{name}");
        }
        let chip = Chip::by_name("t4").unwrap();
        assert_eq!((attribute(&chip, 21), attribute(&chip, 149)), (Attribute::Unknown, Attribute::Missing));
        assert_eq!((limit(&chip, 6), limit(&chip, 7)), (Some(None), None));
    }
}
