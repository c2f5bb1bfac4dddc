//! How long bytes take from host to device, back, and from one place of the device to another: modelled.
//!
//! Enters: a chip and how many bytes go which way. Leaves: nanoseconds. A straight line each: a latency, then a rate. What
//! it leaves out: the driver sends up to some KiB with the command itself, and pageable memory in pieces, so between 16 KiB
//! and 1 MiB pageable transfers take up to twice as long as modelled (the measured records of lab 4.1 show it).

use super::chip::Chip;

/// Which way bytes go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// From the host's memory to the device's.
    ToDevice,
    /// From the device's memory to the host's.
    ToHost,
}

/// Kind of the host's memory in a transfer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HostMemory {
    /// As `malloc` gives it: the driver copies it to pinned memory of its own first, or from there.
    Pageable,
    /// Locked to its place (`cudaMallocHost`, `cuMemHostAlloc`), so that the device reads and writes it itself.
    Pinned,
}

/// A copy between the host's memory and the device's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Transfer {
    /// Which way.
    pub direction: Direction,
    /// The host's side.
    pub memory: HostMemory,
    /// How much.
    pub bytes: u64,
}

impl Chip {
    /// Modelled nanoseconds of a transfer, from the call until the bytes are there.
    pub fn transfer_ns(&self, transfer: &Transfer) -> f64 {
        let link = &self.link;
        let (us, rate) = match (transfer.memory, transfer.direction) {
            (HostMemory::Pinned, Direction::ToDevice) => (link.pinned_us, link.pinned_to_device),
            (HostMemory::Pinned, Direction::ToHost) => (link.pinned_us, link.pinned_to_host),
            (HostMemory::Pageable, Direction::ToDevice) => (link.pageable_us, link.pageable_to_device),
            (HostMemory::Pageable, Direction::ToHost) => (link.pageable_us, link.pageable_to_host),
        };
        us * 1e3 + transfer.bytes as f64 / rate // 1 GB/s is 1 byte a nanosecond
    }

    /// Modelled nanoseconds from the beginning of a copy inside of the device's memory to that of what follows it on its
    /// stream: each byte is read and written.
    pub fn copy_ns(&self, bytes: u64) -> f64 {
        (self.link.copy_us * 1e3).max(2.0 * bytes as f64 / self.bandwidth.memory)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_transfers_take_the_latency_and_large_ones_go_at_the_rate() {
        let chip = Chip::by_name("h200").unwrap();
        for memory in [HostMemory::Pageable, HostMemory::Pinned] {
            for direction in [Direction::ToDevice, Direction::ToHost] {
                let time = |bytes| chip.transfer_ns(&Transfer { direction, memory, bytes });
                assert!((5e3..9e3).contains(&time(4)), "{memory:?} {direction:?}");
                let rate = f64::from(1 << 28) / time(1 << 28);
                let range = if memory == HostMemory::Pinned { 50.0..63.0 } else { 10.0..25.0 };
                assert!(range.contains(&rate), "{memory:?} {direction:?}: {rate} GB/s");
            }
        }
    }

    #[test]
    fn a_copy_inside_of_the_device_reads_and_writes() {
        let chip = Chip::by_name("h200").unwrap();
        assert_eq!(chip.copy_ns(4), chip.copy_ns(1 << 16));
        let bytes = 1u64 << 30;
        assert!((chip.copy_ns(bytes) * chip.bandwidth.memory / bytes as f64 - 2.0).abs() < 1e-9);
    }
}
