//! How long a chip would take for a launch: modelled, from what was counted and a chip file.
//!
//! The time is that of the slowest of a few resources, each of which is assumed to work at its own pace while the
//! others wait for nothing: issue slots and the pipes behind them, the constant cache, shared memory's wavefronts, the
//! path to L1, the start of blocks, L2, device memory, atomic operations on one line; and the chain of dependent results
//! of the longest warp, as often as the grid fills the chip. A launch is taken to be one of many: what fits L2 is there.
//!
//! The model cannot see instructions that `ptxas` adds, merges or reorders, registers as a limit of residency,
//! blocks that differ from the few that are sampled, barriers that leave a multiprocessor without work, clocks that
//! change.

use super::chain::Chain;
use super::chip::Chip;
use super::issue::Issue;
use crate::Counters;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// Granularity of transfers from memory to L2, bytes: two sectors.
pub(crate) const PAIR: u64 = 64;

/// Warps and caches of the sampled blocks of a launch.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Sample {
    /// How many they are.
    pub(crate) blocks: u64,
    /// Turns of the pipes.
    pub(crate) issue: Issue,
    /// The longest warp.
    longest: Option<Longest>,
    /// L1 accesses by sector, and those that were not there.
    pub(crate) l1_sectors: u64,
    pub(crate) l1_misses: u64,
    /// By the number of the allocation, what each block loaded of it.
    pub(crate) touched: BTreeMap<u32, Touched>,
    /// Sectors that a store instruction wrote, and those that it wrote a part of.
    pub(crate) stored_sectors: u64,
    pub(crate) partly_stored: u64,
    pub(crate) local_partly_stored: u64,
    /// Local memory: requests, lines that they touched, and sectors that were not in L1.
    pub(crate) local_requests: u64,
    pub(crate) local_lines: u64,
    pub(crate) local_misses: u64,
    /// Atomic operations on shared memory, and their wavefronts.
    pub(crate) shared_atomics: u64,
    pub(crate) shared_atomic_wavefronts: u64,
    /// By line of global memory: lanes' atomic operations on it, and blocks that had any.
    pub(crate) atomics: BTreeMap<u64, (u64, u64)>,
    /// Constant cache requests of the sampled blocks, and misses after the first touch.
    pub(crate) constant_requests: u64,
    pub(crate) constant_l1_misses: u64,
    pub(crate) constant_l2_misses: u64,
}

/// Different lines, and pairs of sectors, that were loaded.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Touched {
    pub(crate) lines: u64,
    pub(crate) pairs: u64,
    /// From the lowest to behind the highest address.
    pub(crate) range: Option<(u64, u64)>,
}

impl Touched {
    /// Notes an address.
    pub(crate) fn at(&mut self, address: u64) {
        self.widen(Some((address, address + 1)));
    }

    fn widen(&mut self, other: Option<(u64, u64)>) {
        self.range = match (self.range, other) {
            (Some(a), Some(b)) => Some((a.0.min(b.0), a.1.max(b.1))),
            (a, b) => a.or(b),
        };
    }

    /// Bytes between the first and the last.
    fn extent(&self) -> u64 {
        self.range.map_or(0, |(first, end)| end - first)
    }
}

/// Counts of what one warp waits for.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct WarpCost {
    pub(crate) chain: Chain,
    pub(crate) issue: Issue,
    pub(crate) barriers: u64,
    pub(crate) replays: u64,
    pub(crate) conflicts: u64,
    pub(crate) constant_l1_misses: u64,
    pub(crate) constant_l2_misses: u64,
    /// Global load instructions of which at least one sector was not in L1, and those which are the first to touch a
    /// line's worth of sectors.
    pub(crate) l1_misses: u64,
    pub(crate) memory: u64,
    /// Cycles of global loads in L1 beyond one a load.
    pub(crate) turns: u64,
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

/// A warp of the sampled blocks.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Longest {
    cost: WarpCost,
    /// Its block, and its place there.
    warp: (u64, usize),
}

impl Longest {
    /// Of two that are as long, the first warp of the lowest block: whichever was seen first, it is the same one.
    fn or(self, other: Longest) -> Longest {
        let key = |of: &Longest| (of.cost.nominal(), Reverse(of.warp));
        if key(&other) > key(&self) { other } else { self }
    }
}

impl Sample {
    /// Notes what a warp waited for.
    pub(crate) fn warp(&mut self, block: u64, warp: usize, cost: &WarpCost) {
        self.longest(Longest { cost: *cost, warp: (block, warp) });
    }

    fn longest(&mut self, new: Longest) {
        self.longest = Some(self.longest.map_or(new, |longest| longest.or(new)));
    }

    /// Notes atomic operations on a line.
    pub(crate) fn atomics(&mut self, line: u64, operations: u64, blocks: u64) {
        let noted = self.atomics.entry(line).or_default();
        noted.0 += operations;
        noted.1 += blocks;
    }

    pub(crate) fn add(&mut self, other: &Sample) {
        if let Some(longest) = other.longest {
            self.longest(longest);
        }
        self.blocks += other.blocks;
        self.issue.add(&other.issue);
        self.l1_sectors += other.l1_sectors;
        self.l1_misses += other.l1_misses;
        for (allocation, touched) in &other.touched {
            let sum = self.touched.entry(*allocation).or_default();
            sum.lines += touched.lines;
            sum.pairs += touched.pairs;
            sum.widen(touched.range);
        }
        self.stored_sectors += other.stored_sectors;
        self.partly_stored += other.partly_stored;
        self.local_partly_stored += other.local_partly_stored;
        self.local_requests += other.local_requests;
        self.local_lines += other.local_lines;
        self.local_misses += other.local_misses;
        self.shared_atomics += other.shared_atomics;
        self.shared_atomic_wavefronts += other.shared_atomic_wavefronts;
        for (line, (operations, blocks)) in &other.atomics {
            self.atomics(*line, *operations, *blocks);
        }
        self.constant_requests += other.constant_requests;
        self.constant_l1_misses += other.constant_l1_misses;
        self.constant_l2_misses += other.constant_l2_misses;
    }

    /// Lanes' atomic operations on the line that has most of them, of a launch of `blocks`. What several of the sampled
    /// blocks change, all are taken to change.
    fn hottest(&self, blocks: u64) -> f64 {
        let all = blocks as f64 / self.blocks.max(1) as f64;
        let of = |(operations, by): &(u64, u64)| *operations as f64 * if *by > 1 { all } else { 1.0 };
        self.atomics.values().map(of).fold(0.0, f64::max)
    }
}

/// A launch's shape, as far as time depends on it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LaunchSize {
    pub(crate) blocks: u64,
    pub(crate) warps_per_block: u64,
    pub(crate) shared_bytes: u64,
}

impl LaunchSize {
    /// Blocks that a multiprocessor has at the most; one is there however much it needs.
    pub(crate) fn resident(&self, chip: &Chip) -> u64 {
        self.room(chip).max(1)
    }

    /// Blocks that a multiprocessor has room for, as far as warps, shared memory and blocks limit them: how many registers
    /// a thread has, PTX does not tell.
    pub(crate) fn room(&self, chip: &Chip) -> u64 {
        let limits = &chip.limits;
        let by_warps = u64::from(limits.warps) / self.warps_per_block.max(1);
        let by_shared = u64::from(limits.shared_bytes)
            / (self.shared_bytes + u64::from(limits.shared_bytes_reserved)).max(1);
        by_warps.min(by_shared).min(u64::from(limits.blocks))
    }

    /// Blocks that the busiest multiprocessor has in all.
    fn of_one(&self, chip: &Chip) -> u64 {
        self.blocks.div_ceil(u64::from(chip.multiprocessors)).max(1)
    }

    /// Blocks that it has at a time.
    pub(crate) fn at_a_time(&self, chip: &Chip) -> u64 {
        self.resident(chip).min(self.of_one(chip))
    }
}

/// Traffic of a launch beyond L1.
struct Traffic {
    /// Bytes between L1 and L2.
    l2: f64,
    /// Bytes between L2 and memory.
    memory: f64,
    /// Sectors that L2 has to read, change and write.
    changed: f64,
}

/// Traffic of a launch that is made again and again: what fits L2 is in L2.
fn traffic(chip: &Chip, counters: &Counters, sample: &Sample, allocated: impl Fn(u32) -> u64) -> Traffic {
    let sector = super::access::SECTOR as f64;
    let loads = share(counters.global_load_sectors, sample.l1_sectors);
    let local = share(counters.local_load_requests + counters.local_store_requests, sample.local_requests);
    let stores = share(counters.global_store_sectors, sample.stored_sectors);
    let stored = counters.global_store_sectors as f64 * sector;
    // Blocks load the same again: no more of an allocation than lies between the first and the last address, to which
    // the blocks that were not sampled add as much as lies between two that were.
    let between = 1.0 + 1.0 / sample.blocks.saturating_sub(1).max(1) as f64;
    let (mut space, mut loaded) = (stored, 0.0);
    for (allocation, touched) in &sample.touched {
        let extent = (touched.extent() as f64 * between).min(allocated(*allocation) as f64);
        let bytes = |of: u64, size: u64| ((of * size) as f64 * loads).min(extent);
        space += bytes(touched.lines, super::access::LINE);
        loaded += bytes(touched.pairs, PAIR);
    }
    Traffic {
        l2: (sample.l1_misses as f64 * loads + sample.local_misses as f64 * local) * sector + stored,
        memory: (loaded + stored) * chip.lost_by_l2(space),
        changed: (counters.global_red_sectors + counters.global_atomic_sectors) as f64
            + sample.partly_stored as f64 * stores
            + sample.local_partly_stored as f64 * local,
    }
}

/// Nanoseconds for a launch on `chip`; `allocated` gives the size of an allocation.
pub(crate) fn nanoseconds(
    chip: &Chip,
    shape: LaunchSize,
    counters: &Counters,
    sample: &Sample,
    allocated: impl Fn(u32) -> u64,
) -> f64 {
    let traffic = traffic(chip, counters, sample, allocated);
    let bandwidth = &chip.bandwidth;
    // GB/s are bytes a nanosecond.
    let memory = traffic.memory / bandwidth.memory;
    let others = [
        memory,
        traffic.l2 / bandwidth.l2,
        traffic.changed / bandwidth.changed_sectors,
        sample.hottest(shape.blocks) * chip.latencies.atomic_turn_ns,
        shape.blocks as f64 * chip.block_start_ns,
    ]
    .into_iter()
    .fold(0.0, f64::max);
    let time = |latency: f64| {
        let cycles = cycles(chip, shape, counters, sample, if memory > 0.0 { latency } else { 0.0 });
        (cycles * 1e3 / chip.clock_mhz).max(others)
    };
    // Memory answers later the more of its bandwidth is in use.
    let idle = time(chip.latencies.memory);
    let used = if idle > 0.0 { memory / idle } else { 0.0 };
    chip.launch_us * 1e3 + time(chip.latencies.memory * (1.0 + 2.0 * used * used))
}

/// Cycles of the busiest multiprocessor, with this many for an answer of memory beyond L2's.
fn cycles(chip: &Chip, shape: LaunchSize, counters: &Counters, sample: &Sample, memory: f64) -> f64 {
    let Chip { rates, latencies, .. } = chip;
    // One warp after the other in each place for one.
    let rounds = (shape.of_one(chip) as f64 / shape.resident(chip) as f64).max(1.0);
    let longest = sample.longest.map(|longest| longest.cost).unwrap_or_default();
    let chain = &longest.chain;
    // The chain is the sum of two, see there.
    let half = |of: u64| of as f64 / 2.0;
    // Loads that do not depend on each other miss together: no more misses than loads on the chain are waited for.
    let fill = (longest.l1_misses as f64).min(half(chain.global)) * latencies.l1_miss
        + (longest.memory as f64).min(half(chain.global)) * memory;
    let latency = half(chain.issued)
        + half(chain.alu) * latencies.alu
        + half(chain.special) * latencies.special
        + half(chain.double) * latencies.double
        + half(chain.tensor) * latencies.tensor
        + half(chain.shared) * latencies.shared
        + half(chain.shuffle) * latencies.shuffle
        + half(chain.shared_atomic) * latencies.shared_atomic
        + half(chain.constant) * latencies.constant
        + half(chain.global) * latencies.global
        + half(chain.global_atomic) * latencies.global_atomic
        + longest.barriers as f64 * latencies.barrier
        + longest.replays as f64 * latencies.constant_replay
        + longest.conflicts as f64 * latencies.shared_conflict
        + longest.constant_l1_misses as f64 * latencies.constant_l1_miss
        + longest.constant_l2_misses as f64 * latencies.constant_l2_miss
        + longest.turns as f64 * latencies.global_turn
        + fill;

    let c = counters;
    let issue = &sample.issue;
    // The sampled blocks stand for all.
    let turns = |of: u64| of as f64 * share(c.warp_instructions, issue.instructions);
    let local = share(c.local_load_requests + c.local_store_requests, sample.local_requests);
    let atomic = share(c.shared_atomic_instructions, sample.shared_atomics);
    // L1's tags and its data work at the same time.
    let tags = c.global_load_wavefronts + c.global_store_wavefronts;
    let data = c.global_load_data_turns + c.global_store_data_turns;
    let of_all = [
        turns(issue.slots) / rates.issue_per_cycle,
        turns(issue.integer) * rates.integer,
        turns(issue.special) * rates.special,
        turns(issue.single) * rates.single,
        turns(issue.double) * rates.double,
        turns(issue.half) * rates.half,
        turns(issue.tensor) * rates.tensor,
        c.idc_requests as f64 * rates.constant_request
            + c.modelled_constant_l1_misses as f64 * rates.constant_miss,
        ((c.shared_load_wavefronts + c.shared_store_wavefronts) as f64
            + turns(issue.shuffles)
            + (sample.shared_atomics + sample.shared_atomic_wavefronts) as f64 * atomic)
            * rates.shared_wavefront,
        (tags.max(data) as f64 + sample.local_lines as f64 * local) * rates.global_turn,
        shape.blocks as f64 * rates.block_start,
    ];
    let busiest = shape.of_one(chip) as f64 / shape.blocks.max(1) as f64;
    // Nothing else has work before a first warp's data are there.
    (of_all.into_iter().fold(0.0, f64::max) * busiest + fill)
        .max(rounds * latency + (rounds - 1.0) * latencies.block)
}

fn share(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_warps_that_are_as_long_the_first_of_the_lowest_block_counts_in_any_order() {
        // A replay is as long as 5.5 conflicts; turns have no nominal length.
        let of = |replays, conflicts, turns| WarpCost { replays, conflicts, turns, ..WarpCost::default() };
        let warps = [
            (8, 1, of(2, 11, 0)),
            (0, 3, of(4, 0, 5)),
            (0, 2, of(0, 22, 7)),
            (0, 0, of(3, 5, 9)),
            (16, 0, of(4, 0, 1)),
        ];
        let mut orders = vec![vec![]];
        for n in 0..warps.len() {
            let longer = |order: &Vec<usize>| {
                (0..=n).map(|at| [&order[..at], &[n], &order[at..]].concat()).collect::<Vec<_>>()
            };
            orders = orders.iter().flat_map(longer).collect();
        }
        for order in orders {
            // Seen by one worker, and by two.
            for split in 0..=order.len() {
                let mut workers = [Sample::default(), Sample::default()];
                for (at, n) in order.iter().enumerate() {
                    let (block, warp, cost) = warps[*n];
                    workers[usize::from(at >= split)].warp(block, warp, &cost);
                }
                let [mut all, other] = workers;
                all.add(&other);
                assert_eq!(all.longest, Some(Longest { cost: warps[2].2, warp: (0, 2) }), "{order:?}");
            }
        }
    }
}
