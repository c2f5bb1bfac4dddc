//! What a launch asks of L2 and of memory: bytes, from the sampled blocks and the counters.

use super::access::{LINE, SECTOR};
use super::chip::Chip;
use super::sample::{AllocationTraffic, PAIR, Sample};
use crate::Counters;

/// How much more of L2 a line takes that is stored to, than one that is loaded.
const STORED_TAKES: f64 = 0.5;

/// Of the bytes between the first and the last that blocks store to, the share from which on they leave no gaps, and each
/// block completes the lines at its neighbours' ends. The extent is estimated, a little too large.
const WITHOUT_GAPS: f64 = 0.8;

/// Traffic of a launch beyond L1.
pub(crate) struct Traffic {
    /// Bytes from L2 to L1, and from L1 to L2.
    pub(crate) loaded: f64,
    pub(crate) stored: f64,
    /// Bytes between L2 and memory.
    pub(crate) memory: f64,
    /// Share of what is loaded that L2 does not have.
    pub(crate) missing: f64,
    /// Sectors that L2 has to read, change and write.
    pub(crate) changed: f64,
}

/// Traffic of a launch with a number of blocks that is repeated: what fits L2 is in L2.
pub(crate) fn of_launch(
    chip: &Chip,
    blocks: u64,
    counters: &Counters,
    sample: &Sample,
    allocated: impl Fn(u32) -> u64,
) -> Traffic {
    let sector = SECTOR as f64;
    let loads = share(counters.global_load_sectors, sample.l1_sectors);
    let local = share(counters.local_load_requests + counters.local_store_requests, sample.local_requests);
    let stores = share(counters.global_store_sectors, sample.stored_sectors);
    let stored = counters.global_store_sectors as f64 * sector;
    let all = share(blocks, sample.blocks);
    // Blocks load the same again: no more of an allocation than lies between the first and the last address, to which
    // the blocks that were not sampled add as much as lies between two that were.
    let between = 1.0 + 1.0 / sample.blocks.saturating_sub(1).max(1) as f64;
    let (mut space, mut loaded, mut incomplete) = (0.0, 0.0, sample.incomplete_lines);
    for (allocation, touched) in (0..).zip(&sample.touched) {
        let extent = (AllocationTraffic::extent(touched) as f64 * between).min(allocated(allocation) as f64);
        let bytes = |of: u64, size: u64| ((of * size) as f64 * all).min(extent);
        space += bytes(touched.lines, LINE) + STORED_TAKES * bytes(touched.stored_lines, LINE);
        loaded += bytes(touched.pairs, PAIR);
        if touched.stored_bytes as f64 * all >= WITHOUT_GAPS * extent {
            incomplete -= touched.incomplete_ends.min(incomplete);
        }
    }
    let missing = chip.lost_by_l2(space);
    // A line of which a part was written is read and written as a whole.
    let written =
        sample.written_sectors as f64 * stores * sector + incomplete as f64 * stores * 2.0 * LINE as f64;
    Traffic {
        loaded: (sample.l1_missed_halves as f64 / 2.0 * loads + sample.local_misses as f64 * local) * sector,
        stored,
        memory: missing * (loaded + written),
        missing,
        changed: (counters.global_red_sectors + counters.global_atomic_sectors) as f64
            + sample.partly_stored_halves as f64 / 2.0 * stores
            + sample.local_partly_stored as f64 * local,
    }
}

/// Part of a whole; none of what is empty.
pub(crate) fn share(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of a launch of one block that loads a number of lines, and stores to some of them; of the sectors that it stored some are
    /// incomplete.
    fn traffic(lines: u64, stored_lines: u64, incomplete_lines: u64) -> Traffic {
        let mut touched =
            AllocationTraffic { lines, stored_lines, pairs: 2 * lines, ..AllocationTraffic::default() };
        touched.at(0);
        touched.at(1 << 40);
        let mut sample = Sample { blocks: 1, l1_sectors: 4 * lines, incomplete_lines, ..Sample::default() };
        *sample.touched(0) = touched;
        (sample.stored_sectors, sample.written_sectors) = (4 * stored_lines, 4 * stored_lines);
        let counters = Counters {
            global_load_sectors: 4 * lines,
            global_store_sectors: 4 * stored_lines,
            ..Counters::default()
        };
        of_launch(&Chip::by_name("h200").unwrap(), 1, &counters, &sample, |_| 1 << 40)
    }

    #[test]
    fn what_fits_l2_stays_there_and_stores_take_more_of_it() {
        let mib = |n: u64| n << 20 >> 7;
        assert_eq!(traffic(mib(44), 0, 0).missing, 0.0);
        assert_eq!(traffic(mib(61), 0, 0).missing, 1.0);
        assert!(traffic(mib(40), mib(30), 0).missing > 0.5);
        assert_eq!(traffic(mib(30), mib(15), 0).missing, 0.0);
    }

    #[test]
    fn a_line_that_was_written_in_part_is_read_and_written_as_a_whole() {
        let (lines, stored) = (1 << 20, 1 << 19);
        let (whole, in_part) = (traffic(lines, stored, 0), traffic(lines, stored, 1000));
        assert_eq!(in_part.memory - whole.memory, 1000.0 * 256.0);
    }

    #[test]
    fn blocks_without_gaps_between_them_complete_each_others_lines() {
        let of = |stored_bytes| {
            let mut touched = AllocationTraffic {
                stored_lines: 1 << 20,
                stored_bytes,
                incomplete_ends: 2,
                ..AllocationTraffic::default()
            };
            touched.at(0);
            touched.at((1 << 27) - 1);
            let mut sample =
                Sample { blocks: 1, incomplete_lines: 2, stored_sectors: 1, ..Sample::default() };
            *sample.touched(0) = touched;
            let counters = Counters { global_store_sectors: 1, ..Counters::default() };
            of_launch(&Chip::by_name("h200").unwrap(), 1, &counters, &sample, |_| 1 << 27).memory
        };
        assert_eq!([of(1 << 27), of(1 << 25)], [0.0, 512.0]);
    }
}
