//! How long a chip would take for a launch: modelled, from what was counted and a chip file.
//!
//! A multiprocessor works on a few blocks at a time, as many as it has room for. The time of one such round is bounded by the
//! slowest of its resources (issue slots and the pipes after them, the constant cache, shared memory's wavefronts, L1, the
//! start of blocks) and by the chain of dependent results of a warp; where both take about as long, neither hides all of the
//! other. Rounds follow each other until the busiest multiprocessor has no block left; the last one may have fewer blocks.
//! In addition there is what the whole chip shares: L2, device memory, atomic operations on one line. A launch is taken to be
//! one of many: what fits L2 is there.
//!
//! What `ptxas` makes of the PTX is estimated (`passes`, crate `ptxas`). The model cannot see blocks that differ from
//! the few that are sampled, nor clocks that change.

use super::chain::Chain;
use super::chip::{Chip, L1Keeps};
use super::residency::LaunchSize;
use super::sample::{Sample, WarpCost};
use super::traffic::{self, Traffic, share};
use crate::Counters;

/// How sharply the slower of two hides the other: with 1 they add up, and the larger it is, the less of the faster one shows.
/// Of work and waiting in a multiprocessor, and of a multiprocessor and what all share.
const IN_A_MULTIPROCESSOR: f64 = 2.0;
const IN_THE_CHIP: f64 = 3.0;

/// Of what all blocks of a multiprocessor load, the share that one finds since another has just loaded it: blocks do not keep
/// step.
const FROM_A_NEIGHBOUR: f64 = 0.4;

/// Of the sums of many random numbers, by how many standard deviations the largest exceeds the mean.
const LARGEST: f64 = 3.0;

/// Parts of a multiprocessor that issue on their own, each for the warps that it has.
const SCHEDULERS: f64 = 4.0;

/// What a modelled time is limited by: of all that takes part of it, what takes most. In words that may follow "limited by".
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Limit(pub &'static str);

impl Limit {
    const LAUNCH: Self = Self("the launch itself, however little it does");
    const WAITING: Self = Self("latency: warps wait for results, and there are too few others to hide that");
    const ISSUE: Self = Self("the issue of instructions");
    const INTEGER: Self = Self("integer arithmetic");
    const SPECIAL: Self = Self("special functions, such as quotients and sines");
    const SINGLE: Self = Self("arithmetic in single precision");
    const DOUBLE: Self = Self("arithmetic in double precision");
    const HALF: Self = Self("arithmetic in half precision");
    const TENSOR: Self = Self("products of matrices");
    const CONSTANT: Self = Self("the constant cache");
    const DATA: Self = Self("wavefronts of shared memory and L1");
    const TAGS: Self = Self("the tags of L1");
    const BARRIERS: Self = Self("barriers");
    const BLOCKS: Self = Self("the start of blocks");
    const LOADS: Self = Self("L2's bandwidth for loads");
    const STORES: Self = Self("L2's bandwidth for stores");
    const CHANGES: Self =
        Self("sectors that L2 has to change, by atomic operations or by stores of a part of them");
    const LINE: Self = Self("atomic operations on one line");
    const MEMORY: Self = Self("the memory's bandwidth");
}

/// A time, and what takes most of it.
type Limited = (f64, Limit);

/// Of several that go on side by side, the slowest.
fn slowest<const N: usize>(all: [Limited; N]) -> Limited {
    all.into_iter().fold((0.0, Limit::LAUNCH), |most, one| if one.0 > most.0 { one } else { most })
}

/// Nanoseconds for a launch on `chip`, and what they are limited by; `allocated` gives the size of an allocation.
pub(crate) fn nanoseconds(
    chip: &Chip,
    shape: LaunchSize,
    counters: &Counters,
    sample: &Sample,
    allocated: impl Fn(u32) -> u64,
) -> (f64, Limit) {
    let traffic = traffic::of_launch(chip, shape.blocks, counters, sample, allocated);
    let shared = of_chip(chip, shape, sample, &traffic);
    let memory = traffic.memory / chip.bandwidth.memory;
    let time = |latency: f64| {
        let (cycles, limit) = cycles(chip, shape, counters, sample, traffic.missing * latency);
        let own = (cycles * 1e3 / chip.clock_mhz, limit);
        (both(own.0, shared.0, IN_THE_CHIP), slowest([own, shared]).1)
    };
    // Memory answers later the more of its bandwidth is in use.
    let (idle, _) = time(chip.latencies.memory);
    let used = if idle > 0.0 { memory / idle } else { 0.0 };
    let own = time(chip.latencies.memory * (1.0 + 2.0 * used * used));
    let launch = (chip.launch_us * 1e3, Limit::LAUNCH);
    (launch.0 + own.0, slowest([launch, own]).1)
}

/// The time of two that go on side by side, and of which either may have to wait for the other.
fn both(a: f64, b: f64, sharpness: f64) -> f64 {
    let (most, least) = (a.max(b), a.min(b));
    if most > 0.0 { most * (1.0 + (least / most).powf(sharpness)).powf(1.0 / sharpness) } else { 0.0 }
}

/// Nanoseconds of the slowest of what the whole chip shares.
fn of_chip(chip: &Chip, shape: LaunchSize, sample: &Sample, traffic: &Traffic) -> Limited {
    let bandwidth = &chip.bandwidth;
    // GB/s are bytes a nanosecond.
    slowest([
        (traffic.memory / bandwidth.memory, Limit::MEMORY),
        (traffic.loaded * (1.0 - of_neighbours(chip, shape, sample)) / bandwidth.l2, Limit::LOADS),
        (traffic.stored / bandwidth.l2_stores, Limit::STORES),
        (traffic.changed / bandwidth.changed_sectors, Limit::CHANGES),
        (sample.hottest(shape.blocks) * chip.latencies.atomic_turn_ns, Limit::LINE),
        (shape.blocks as f64 * chip.block_start_ns, Limit::BLOCKS),
    ])
}

/// Share of what blocks miss in their own part of L1 that another resident block has brought.
fn of_neighbours(chip: &Chip, shape: LaunchSize, sample: &Sample) -> f64 {
    match chip.l1_keeps {
        L1Keeps::Loads if shape.at_a_time(chip) > 1 => FROM_A_NEIGHBOUR * sample.common(),
        L1Keeps::Loads | L1Keeps::ReadOnly => 0.0,
    }
}

/// Cycles of the busiest multiprocessor, with this many for an answer of memory beyond L2's.
fn cycles(chip: &Chip, shape: LaunchSize, counters: &Counters, sample: &Sample, memory: f64) -> Limited {
    let blocks = shape.of_one(chip);
    let resident = shape.resident(chip).min(blocks);
    let (work, resource) = work(chip, shape, counters, sample);
    // Of one block, when a multiprocessor has many.
    let work = work / shape.blocks.max(1) as f64;
    let longest = sample.longest.map(|longest| longest.cost).unwrap_or_default();
    let of_a_block = latency(chip, shape, &sample.of_blocks, memory) / sample.blocks.max(1) as f64;
    let of_the_longest = latency(chip, shape, &longest, memory);
    let of_a_start = chip.latencies.block + shape.warps_per_block as f64 * chip.latencies.block_warp;
    let round = |blocks: u64, latency: f64, uneven: f64| {
        both(blocks as f64 * work + uneven, latency + of_a_start, IN_A_MULTIPROCESSOR)
    };
    // Where warps differ, some scheduler has more to do than others, and all wait for it in the end.
    let of_a_scheduler = |blocks: u64| (blocks * shape.warps_per_block) as f64 / SCHEDULERS;
    let uneven = |blocks: u64| LARGEST * sample.spread() * of_a_scheduler(blocks).sqrt();
    let (rounds, rest) = (blocks / resident, blocks % resident);
    // The first blocks start one after the other; later ones do so while others run.
    let starting = shape.blocks.min(resident * u64::from(chip.multiprocessors)) as f64;
    let first = starting * chip.block_start_ns * chip.clock_mhz / 1e3 + of_constants(chip, sample, &longest);
    let left = if rest > 0 { rest } else { resident };
    let alone = if blocks == left { first } else { 0.0 };
    let last = round(left, of_the_longest + alone, uneven(left));
    let whole = if rest > 0 { rounds } else { rounds - 1 };
    let full = round(resident, of_a_block, 0.0);
    let begin = if whole > 0 { round(resident, of_a_block + first, 0.0) - full } else { 0.0 };
    let worked = blocks as f64 * work + uneven(left);
    let waited = whole as f64 * (of_a_block + of_a_start) + first + of_the_longest + of_a_start;
    let (_, limit) = slowest([(worked, resource), (waited, Limit::WAITING)]);
    (begin + whole as f64 * full + last, limit)
}

/// Cycles for which a multiprocessor's first blocks wait for constants: every launch finds their caches empty.
fn of_constants(chip: &Chip, sample: &Sample, longest: &WarpCost) -> f64 {
    let of_a_block = |lines: u64| lines as f64 / sample.blocks.max(1) as f64;
    // A warp that finds a line gone again which another one has brought waits for it anyway.
    let lines = of_a_block(sample.constant_l1_lines) - longest.constant_first_misses as f64;
    lines.max(0.0) * chip.latencies.constant_l1_miss
        + of_a_block(sample.constant_l2_lines) * chip.latencies.constant_l2_miss
}

/// Cycles for which a warp, or a sum of warps, waits for results.
fn latency(chip: &Chip, shape: LaunchSize, warp: &WarpCost, memory: f64) -> f64 {
    let latencies = &chip.latencies;
    let chain = &warp.chain;
    let of = |results: u64| results as f64 / Chain::SCALE as f64;
    // Loads that do not depend on each other miss together: no more misses than loads on the chain are waited for.
    let fill = (warp.l1_misses as f64).min(of(chain.global)) * latencies.l1_miss
        + (warp.memory as f64).min(of(chain.global)) * memory;
    // Of loads that are under way together, each takes its turns of L1.
    let on_the_chain = (of(chain.global) / warp.loads.max(1) as f64).min(1.0);
    of(chain.issued)
        + of(chain.alu) * latencies.alu
        + of(chain.special) * latencies.special
        + of(chain.double) * latencies.double
        + of(chain.tensor) * latencies.tensor
        + of(chain.shared) * latencies.shared
        + of(chain.shuffle) * latencies.shuffle
        + of(chain.shared_atomic) * latencies.shared_atomic
        + of(chain.constant) * latencies.constant
        + of(chain.constant_turn) * chip.rates.constant_request * SCHEDULERS
        + of(chain.global) * latencies.global
        + of(chain.global_atomic) * latencies.global_atomic
        + warp.barriers as f64 * (latencies.barrier + shape.warps_per_block as f64 * chip.rates.barrier)
        + warp.replays as f64 * latencies.constant_replay
        + warp.conflicts as f64 * latencies.shared_conflict
        + warp.constant_l1_misses as f64 * latencies.constant_l1_miss
        + warp.constant_l2_misses as f64 * latencies.constant_l2_miss
        + warp.turns as f64 * (1.0 + (latencies.global_turn - 1.0) * on_the_chain)
        + fill
}

/// Cycles that the slowest resource of multiprocessors takes for all blocks, one after the other.
fn work(chip: &Chip, shape: LaunchSize, counters: &Counters, sample: &Sample) -> Limited {
    let rates = &chip.rates;
    let c = counters;
    let issue = &sample.issue;
    // The sampled blocks represent all.
    let turns = |of: u64| of as f64 * share(c.warp_instructions, issue.instructions);
    let local = share(c.local_load_requests + c.local_store_requests, sample.local_requests);
    let atomic = share(c.shared_atomic_instructions, sample.shared_atomics);
    let executed =
        |of: u64, made: u64, counted: u64| of as f64 * if counted > 0 { share(made, counted) } else { 1.0 };
    // A multiprocessor with fewer warps than schedulers leaves some of these idle.
    let warps = (shape.at_a_time(chip) * shape.warps_per_block) as f64;
    let idle = (SCHEDULERS / warps.max(1.0)).max(1.0);
    let shared = executed(
        c.shared_load_wavefronts + c.shared_store_wavefronts,
        sample.executed_wavefronts,
        sample.shared_wavefronts,
    );
    let tags = c.global_load_wavefronts + c.global_store_wavefronts;
    let data = c.global_load_data_wavefronts + c.global_store_data_wavefronts;
    let constant = (executed(c.idc_requests, sample.executed_constant_requests, sample.constant_requests)
        + turns(issue.constants_off))
        * rates.constant_request
        + c.modelled_constant_l1_misses as f64 * rates.constant_miss;
    let data = (shared
        + turns(issue.shuffles)
        + (sample.shared_atomics + sample.shared_atomic_wavefronts) as f64 * atomic)
        * rates.shared_wavefront
        + (data as f64 + turns(issue.accesses_off) + sample.local_lines as f64 * local) * rates.global_turn;
    slowest([
        (turns(issue.slots) / rates.issue_per_cycle * idle, Limit::ISSUE),
        (turns(issue.integer) * rates.integer * idle, Limit::INTEGER),
        (turns(issue.multiply) * rates.integer * idle, Limit::INTEGER),
        (turns(issue.special) * rates.special * idle, Limit::SPECIAL),
        (turns(issue.single) * rates.single * idle, Limit::SINGLE),
        (turns(issue.double) * rates.double * idle, Limit::DOUBLE),
        (turns(issue.half) * rates.half * idle, Limit::HALF),
        (turns(issue.tensor) * rates.tensor * idle, Limit::TENSOR),
        (constant, Limit::CONSTANT),
        // L1 and shared memory are the same banks; L1's tags work at the same time.
        (data, Limit::DATA),
        (tags as f64 * rates.global_turn, Limit::TAGS),
        (c.barriers as f64 * rates.barrier, Limit::BARRIERS),
        (shape.blocks as f64 * rates.block_start, Limit::BLOCKS),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::issue::Issue;

    fn chip() -> Chip {
        Chip::by_name("h200").unwrap()
    }

    fn shape(blocks: u64, warps_per_block: u64) -> LaunchSize {
        LaunchSize { blocks, warps_per_block, shared_bytes: 0, registers: Some(32) }
    }

    /// Of a launch whose blocks issue a number of instructions a warp, and whose warps wait for a number of results of arithmetic.
    fn time(shape: LaunchSize, issued: u64, waited: u64) -> f64 {
        limited(shape, issued, waited).0 - 1e3 * chip().launch_us
    }

    /// With the launch itself, and what it is limited by.
    fn limited(shape: LaunchSize, issued: u64, waited: u64) -> (f64, Limit) {
        let issue = Issue { instructions: 4 * issued, slots: 4 * issued, ..Issue::default() };
        let chain = Chain { alu: Chain::SCALE * waited, ..Chain::default() };
        let cost = WarpCost { issue, chain, ..WarpCost::default() };
        let mut sample = Sample::default();
        let warps = vec![cost; shape.warps_per_block as usize];
        sample.block(0, warps.iter());
        warps.iter().for_each(|warp| sample.issue.add(&warp.issue));
        let warp_instructions = issued * shape.warps_per_block * shape.blocks;
        let counters = Counters { warp_instructions, ..Counters::default() };
        nanoseconds(&chip(), shape, &counters, &sample, |_| 0)
    }

    #[test]
    fn a_time_is_limited_by_what_takes_most_of_it() {
        assert_eq!(limited(shape(1, 1), 10, 10).1, Limit::LAUNCH);
        assert_eq!(limited(shape(132, 1), 100_000, 50_000).1, Limit::WAITING);
        assert_eq!(limited(shape(132, 32), 100_000, 1000).1, Limit::ISSUE);
        assert_eq!(limited(shape(10_000_000, 1), 1, 0).1, Limit::BLOCKS);
    }

    #[test]
    fn of_two_that_go_on_together_the_slower_one_hides_part_of_the_other() {
        assert_eq!(both(3.0, 4.0, 2.0), 5.0);
        assert_eq!(both(0.0, 0.0, 2.0), 0.0);
        assert!(both(100.0, 1.0, 2.0) < 100.1);
    }

    #[test]
    fn few_warps_wait_and_many_work() {
        let of = |warps| time(shape(132, warps), 100_000, 50_000);
        // One warp waits for 200,000 cycles; 32 of them issue for 800,000.
        let (one, eight, all) = (of(1), of(8), of(32));
        assert!(eight < 1.6 * one, "{one} {eight}");
        assert!(all > 2.5 * eight, "{eight} {all}");
    }

    #[test]
    fn blocks_beyond_full_rounds_take_another_round() {
        let resident = shape(0, 8).resident(&chip());
        let of = |blocks| time(shape(132 * blocks, 8), 1000, 20_000);
        let (one, more) = (of(resident), of(resident + 1));
        assert!(more > 1.8 * one, "{one} {more}");
    }

    #[test]
    fn a_launch_waits_once_for_each_line_of_constants_however_many_rounds_it_has() {
        let chip = chip();
        let lines = |misses| {
            let sample =
                Sample { blocks: 2, constant_l1_lines: 20, constant_l2_lines: 4, ..Sample::default() };
            let longest = WarpCost { constant_first_misses: misses, ..WarpCost::default() };
            of_constants(&chip, &sample, &longest)
        };
        let (first, second) = (chip.latencies.constant_l1_miss, chip.latencies.constant_l2_miss);
        assert_eq!(lines(0), 10.0 * first + 2.0 * second);
        // Where the first cache is too small, each warp of each round waits for it.
        assert_eq!(lines(50), 2.0 * second);
    }

    #[test]
    fn what_other_blocks_load_too_is_found_in_part_and_only_next_to_them() {
        let chip = chip();
        let mut sample = Sample { blocks: 2, ..Sample::default() };
        (0..2).for_each(|_| (0..10_000).for_each(|sector| sample.reads(sector)));
        assert_eq!(sample.common(), 1.0);
        assert_eq!(of_neighbours(&chip, shape(264, 8), &sample), FROM_A_NEIGHBOUR);
        assert_eq!(of_neighbours(&chip, shape(132, 8), &sample), 0.0);
        (10_000..30_000).for_each(|sector| sample.reads(sector));
        assert!((0.4..0.6).contains(&sample.common()), "{}", sample.common());
    }

    #[test]
    fn warps_that_differ_take_longer_than_their_mean() {
        let mut even = Sample::default();
        let mut uneven = Sample::default();
        let of = |slots| WarpCost { issue: Issue { slots, ..Issue::default() }, ..WarpCost::default() };
        even.block(0, [of(400), of(400)].iter());
        uneven.block(0, [of(0), of(800)].iter());
        assert_eq!((even.spread(), uneven.spread()), (0.0, 100.0));
    }
}
