//! What the time model knows of a launch in addition to its counters: warps and caches of a few blocks of it.

use super::chain::Chain;
use super::issue::Issue;
use crate::hash::HashMap;
use std::cmp::Reverse;

/// Granularity of transfers from memory to L2, bytes: two sectors.
pub(crate) const PAIR: u64 = 64;

/// Of each this many sectors, one is kept to see who reads it.
const READERS_KEPT: u64 = 16;

/// Warps and caches of the sampled blocks of a launch.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Sample {
    /// How many they are.
    pub(crate) blocks: u64,
    /// Turns of the pipes.
    pub(crate) issue: Issue,
    /// The longest warp, and the sum of those of each block.
    pub(crate) longest: Option<Longest>,
    pub(crate) of_blocks: WarpCost,
    /// Warps, and the sums of their issue slots in quarters and of the squares of these.
    pub(crate) warps: u64,
    pub(crate) slots: u128,
    pub(crate) squares: u128,
    /// Global loads by sector.
    pub(crate) l1_sectors: u64,
    /// Sectors that were not in L1; one of a line alone, which takes L2 as long as one and a half, counts as that. In halves.
    pub(crate) l1_missed_halves: u64,
    /// Of some of the sectors that blocks load, how many blocks do.
    pub(crate) readers: HashMap<u64, u64>,
    /// Shared memory: wavefronts of the loads and stores of the PTX, and of what the chip executes for them.
    pub(crate) shared_wavefronts: u64,
    pub(crate) executed_wavefronts: u64,
    /// By the number of the allocation, what each block loaded and stored of it.
    pub(crate) touched: Vec<AllocationTraffic>,
    /// Sectors that a store instruction wrote, and the cost for L2 of those that it wrote a part of: one for the first in a
    /// line, half of one for each other. In halves.
    pub(crate) stored_sectors: u64,
    pub(crate) partly_stored_halves: u64,
    pub(crate) local_partly_stored: u64,
    /// Of what each block has stored when it ends: sectors, and lines of which a sector is incomplete.
    pub(crate) written_sectors: u64,
    pub(crate) incomplete_lines: u64,
    /// Local memory: requests, lines that they touched, and sectors that were not in L1.
    pub(crate) local_requests: u64,
    pub(crate) local_lines: u64,
    pub(crate) local_misses: u64,
    /// Atomic operations on shared memory, and their wavefronts.
    pub(crate) shared_atomics: u64,
    pub(crate) shared_atomic_wavefronts: u64,
    /// By line of global memory: lanes' atomic operations on it, and blocks that had any.
    pub(crate) atomics: HashMap<u64, (u64, u64)>,
    /// Constant cache requests of the sampled blocks, those that the chip makes, and misses after the first touch.
    pub(crate) constant_requests: u64,
    pub(crate) executed_constant_requests: u64,
    pub(crate) constant_l1_misses: u64,
    pub(crate) constant_l2_misses: u64,
    /// First touches: lines of the first constant cache, and of the second.
    pub(crate) constant_l1_lines: u64,
    pub(crate) constant_l2_lines: u64,
}

/// Different lines that were loaded or stored, and pairs of sectors that were loaded.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct AllocationTraffic {
    pub(crate) lines: u64,
    pub(crate) stored_lines: u64,
    pub(crate) pairs: u64,
    /// Bytes that were stored.
    pub(crate) stored_bytes: u64,
    /// Lines of which a sector is incomplete, and which are the first or the last that their block stored to.
    pub(crate) incomplete_ends: u64,
    /// From the lowest to after the highest address.
    pub(crate) range: Option<(u64, u64)>,
}

impl AllocationTraffic {
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
    pub(crate) fn extent(&self) -> u64 {
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
    /// Of the misses of the first constant cache, those of lines that another warp had touched and this one had not.
    pub(crate) constant_first_misses: u64,
    /// Global load instructions of which at least one sector was not in L1, and those which are the first to touch a
    /// line's worth of sectors.
    pub(crate) l1_misses: u64,
    pub(crate) memory: u64,
    /// Global loads, and turns of L1 beyond one of each.
    pub(crate) loads: u64,
    pub(crate) turns: u64,
}

impl WarpCost {
    fn nominal(&self) -> u64 {
        self.chain.nominal() / Chain::SCALE
            + 11 * self.replays
            + 2 * self.conflicts
            + 80 * self.constant_l1_misses
            + 200 * self.l1_misses
    }
}

impl WarpCost {
    fn add(&mut self, other: &WarpCost) {
        self.chain.add(&other.chain);
        self.issue.add(&other.issue);
        self.barriers += other.barriers;
        self.replays += other.replays;
        self.conflicts += other.conflicts;
        self.constant_l1_misses += other.constant_l1_misses;
        self.constant_l2_misses += other.constant_l2_misses;
        self.constant_first_misses += other.constant_first_misses;
        self.l1_misses += other.l1_misses;
        self.memory += other.memory;
        self.loads += other.loads;
        self.turns += other.turns;
    }
}

/// A warp of the sampled blocks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Longest {
    pub(crate) cost: WarpCost,
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
    /// Notes what the warps of a block waited for.
    pub(crate) fn block<'a>(&mut self, block: u64, warps: impl Iterator<Item = &'a WarpCost>) {
        self.blocks += 1;
        let all = warps.enumerate().map(|(n, cost)| {
            let slots = u128::from(cost.issue.slots);
            self.warps += 1;
            self.slots += slots;
            self.squares += slots * slots;
            Longest { cost: *cost, warp: (block, n) }
        });
        let longest = all.reduce(Longest::or);
        if let Some(longest) = longest {
            self.of_blocks.add(&longest.cost);
            self.longest(longest);
        }
    }

    fn longest(&mut self, new: Longest) {
        self.longest = Some(self.longest.map_or(new, |longest| longest.or(new)));
    }

    /// What was touched of an allocation, by its number.
    pub(crate) fn touched(&mut self, allocation: u32) -> &mut AllocationTraffic {
        let place = allocation as usize;
        if self.touched.len() <= place {
            self.touched.resize(place + 1, AllocationTraffic::default());
        }
        &mut self.touched[place]
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
        self.of_blocks.add(&other.of_blocks);
        self.warps += other.warps;
        self.slots += other.slots;
        self.squares += other.squares;
        self.l1_sectors += other.l1_sectors;
        self.l1_missed_halves += other.l1_missed_halves;
        for (sector, blocks) in &other.readers {
            *self.readers.entry(*sector).or_default() += blocks;
        }
        self.shared_wavefronts += other.shared_wavefronts;
        self.executed_wavefronts += other.executed_wavefronts;
        for (allocation, touched) in (0..).zip(&other.touched) {
            let sum = self.touched(allocation);
            sum.lines += touched.lines;
            sum.stored_lines += touched.stored_lines;
            sum.pairs += touched.pairs;
            sum.stored_bytes += touched.stored_bytes;
            sum.incomplete_ends += touched.incomplete_ends;
            sum.widen(touched.range);
        }
        self.stored_sectors += other.stored_sectors;
        self.partly_stored_halves += other.partly_stored_halves;
        self.written_sectors += other.written_sectors;
        self.incomplete_lines += other.incomplete_lines;
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
        self.executed_constant_requests += other.executed_constant_requests;
        self.constant_l1_misses += other.constant_l1_misses;
        self.constant_l2_misses += other.constant_l2_misses;
        self.constant_l1_lines += other.constant_l1_lines;
        self.constant_l2_lines += other.constant_l2_lines;
    }

    /// How far the issue slots of a warp are from those of all on the average: the standard deviation.
    pub(crate) fn spread(&self) -> f64 {
        let warps = self.warps.max(1) as f64;
        let mean = self.slots as f64 / warps;
        (self.squares as f64 / warps - mean * mean).max(0.0).sqrt() / Issue::SCALE as f64
    }

    /// Notes that a block loads a sector; one of a number of them is kept.
    pub(crate) fn reads(&mut self, sector: u64) {
        let spread = sector.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
        if spread.is_multiple_of(READERS_KEPT) {
            *self.readers.entry(sector).or_default() += 1;
        }
    }

    /// Of what a block loads, the share that another one of the sampled blocks loads too.
    pub(crate) fn common(&self) -> f64 {
        let others = self.blocks.saturating_sub(1);
        let (mut with_others, mut all) = (0, 0);
        for blocks in self.readers.values() {
            with_others += blocks * (blocks - 1);
            all += blocks * others;
        }
        if all > 0 { with_others as f64 / all as f64 } else { 0.0 }
    }

    /// Lanes' atomic operations on the line that has most of them, of a launch of `blocks`. What several of the sampled
    /// blocks change, all are taken to change.
    pub(crate) fn hottest(&self, blocks: u64) -> f64 {
        let all = blocks as f64 / self.blocks.max(1) as f64;
        let of = |(operations, by): &(u64, u64)| *operations as f64 * if *by > 1 { all } else { 1.0 };
        self.atomics.values().map(of).fold(0.0, f64::max)
    }
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
                    let longest = Longest { cost, warp: (block, warp) };
                    workers[usize::from(at >= split)].longest(longest);
                }
                let [mut all, other] = workers;
                all.add(&other);
                assert_eq!(all.longest, Some(Longest { cost: warps[2].2, warp: (0, 2) }), "{order:?}");
            }
        }
    }
}
