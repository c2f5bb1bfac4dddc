//! How long a chip would take for a launch: modelled, from what was counted and a chip file.
//!
//! The time is that of the slowest of a few resources, each of which is assumed to work at its own pace while the
//! others wait for nothing: issue slots, the constant cache, shared memory's wavefronts, the path to L1, the start of
//! blocks, L2, device memory; and the chain of dependent results of the longest warp, as often as the grid fills the
//! chip. What the model cannot see: instructions that `ptxas` adds, merges or reorders, registers as a limit of
//! residency, reuse of L2 between blocks, clocks that change.

use super::chain::Chain;
use super::chip::Chip;
use crate::counters::Counters;

/// What sampled blocks showed of their warps and caches.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Sample {
    /// The longest warp's chain.
    pub(crate) longest: WarpCost,
    /// L1 accesses by sector, and those that were not there.
    pub(crate) l1_sectors: u64,
    pub(crate) l1_misses: u64,
    /// Among them, first touches of a sector.
    pub(crate) l1_first_touches: u64,
    /// Constant cache requests of the sampled blocks, and misses after the first touch.
    pub(crate) constant_requests: u64,
    pub(crate) constant_l1_misses: u64,
    pub(crate) constant_l2_misses: u64,
}

/// What one warp waits for.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct WarpCost {
    pub(crate) chain: Chain,
    pub(crate) barriers: u64,
    pub(crate) replays: u64,
    pub(crate) conflicts: u64,
    pub(crate) constant_l1_misses: u64,
    pub(crate) constant_l2_misses: u64,
    /// Global load instructions of which at least one sector was not in L1, and those which are the first to touch a
    /// line's worth of sectors.
    pub(crate) l1_misses: u64,
    pub(crate) memory: u64,
    /// Lines of global loads beyond one a load.
    pub(crate) lines: u64,
}

impl WarpCost {
    fn nominal(&self) -> u64 {
        self.chain.nominal()
            + 11 * self.replays
            + 2 * self.conflicts
            + 80 * self.constant_l1_misses
            + 200 * self.l1_misses
    }
}

impl Sample {
    pub(crate) fn longest(&mut self, warp: &WarpCost) {
        if warp.nominal() > self.longest.nominal() {
            self.longest = *warp;
        }
    }

    pub(crate) fn add(&mut self, other: &Sample) {
        self.longest(&other.longest);
        self.l1_sectors += other.l1_sectors;
        self.l1_misses += other.l1_misses;
        self.l1_first_touches += other.l1_first_touches;
        self.constant_requests += other.constant_requests;
        self.constant_l1_misses += other.constant_l1_misses;
        self.constant_l2_misses += other.constant_l2_misses;
    }
}

/// A launch's shape, as far as time depends on it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shape {
    pub(crate) blocks: u64,
    pub(crate) warps_per_block: u64,
    pub(crate) shared_bytes: u64,
}

/// Nanoseconds for a launch on `chip`.
pub(crate) fn nanoseconds(chip: &Chip, shape: Shape, counters: &Counters, sample: &Sample) -> f64 {
    let Chip { limits, rates, latencies, .. } = chip;
    let multiprocessors = f64::from(chip.multiprocessors);
    let used = multiprocessors.min(shape.blocks as f64).max(1.0);

    // How often the grid fills the chip.
    let by_warps = u64::from(limits.warps) / shape.warps_per_block.max(1);
    let by_shared = u64::from(limits.shared_bytes)
        / (shape.shared_bytes + u64::from(limits.shared_bytes_reserved)).max(1);
    let resident = by_warps.min(by_shared).min(u64::from(limits.blocks)).max(1);
    let rounds = (shape.blocks as f64 / (multiprocessors * resident as f64)).max(1.0);

    let longest = &sample.longest;
    // Loads that do not depend on each other miss together: no more misses than loads on the chain are waited for.
    let fill = longest.l1_misses.min(longest.chain.global) as f64 * latencies.l1_miss
        + longest.memory.min(longest.chain.global) as f64 * latencies.memory;
    let latency = longest.chain.alu as f64 * latencies.alu
        + longest.chain.shared as f64 * latencies.shared
        + longest.chain.constant as f64 * latencies.constant
        + longest.chain.global as f64 * latencies.global
        + longest.barriers as f64 * latencies.barrier
        + longest.replays as f64 * latencies.constant_replay
        + longest.conflicts as f64 * latencies.shared_conflict
        + longest.constant_l1_misses as f64 * latencies.constant_l1_miss
        + longest.constant_l2_misses as f64 * latencies.constant_l2_miss
        + longest.lines as f64 * latencies.global_line
        + fill;

    let c = counters;
    let per_multiprocessor = [
        c.warp_instructions as f64 / rates.issue_per_cycle,
        c.idc_requests as f64 * rates.constant_request
            + c.modelled_constant_l1_misses as f64 * rates.constant_miss,
        (c.shared_load_wavefronts + c.shared_store_wavefronts) as f64 * rates.shared_wavefront,
        (c.global_load_lines as f64 + c.global_store_sectors as f64 / 4.0) * rates.global_line,
        shape.blocks as f64 * rates.block_start,
    ];
    let cycles = per_multiprocessor.into_iter().fold(0.0, f64::max) / used;
    // Nothing else has work before a first warp's data are there.
    let cycles = (cycles + fill).max(rounds * latency);

    let sector = super::access::SECTOR as f64;
    let missed = share(sample.l1_misses, sample.l1_sectors) * c.global_load_sectors as f64 * sector;
    let stored = (c.global_store_sectors) as f64 * sector;
    // GB/s are bytes a nanosecond.
    let memory = (share(sample.l1_first_touches, sample.l1_sectors) * c.global_load_sectors as f64 * sector
        + stored)
        / chip.bandwidth.memory;
    let l2 = (missed + stored) / chip.bandwidth.l2;

    chip.launch_us * 1e3 + (cycles * 1e3 / chip.clock_mhz).max(memory).max(l2)
}

fn share(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}
