//! How many registers a kernel needs, and how many it may have: what does not fit goes to local memory.
//!
//! ptxas orders instructions again and has temporary values of its own, so what it will need is known only roughly.

use crate::flow::{Flow, Register};
use crate::values;
use ptx::Function;
use std::collections::HashSet;

/// Registers of a multiprocessor of the chip, and the most that a thread may have.
const OF_A_MULTIPROCESSOR: u64 = 65536;
const MOST: u64 = 255;
/// Registers that are handed out together.
const STEP: u64 = 8;
/// Registers that ptxas may need in addition to those of the PTX, of each 8 that there are.
const SPARE_OF_8: u64 = 2;
/// Registers that ptxas has in addition to what the PTX keeps at its fullest place, as it did in most of 90 kernels.
const TEMPORARY: u64 = 6;
/// Rounds in which what is live settles.
const ROUNDS: usize = 64;

/// How many registers a kernel has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Pressure {
    /// Whether ptxas may run out of them.
    pub(crate) spills: bool,
    /// Estimate of a thread's.
    pub(crate) registers: u32,
}

/// Finds how many registers a kernel needs, and what ptxas makes of that.
pub(crate) fn find(flow: &mut Flow<'_>, function: &Function<'_>) -> Pressure {
    let (limit, live) = (limit(function), u64::from(most_live(flow)));
    Pressure {
        spills: live > limit - limit * SPARE_OF_8 / 8,
        registers: (live + TEMPORARY).next_multiple_of(STEP).min(limit) as u32,
    }
}

/// The registers that a thread may have.
fn limit(function: &Function<'_>) -> u64 {
    let of = |name: &str| function.directives.iter().find(|(n, _)| *n == name).map(|(_, numbers)| numbers);
    let product = |numbers: &Vec<u64>| numbers.iter().product::<u64>().max(1);
    let threads = of("maxntid").or(of("reqntid")).map(product);
    let blocks = of("minnctapersm").map_or(1, product);
    let fit = threads.map_or(MOST, |threads| OF_A_MULTIPROCESSOR / (threads * blocks).max(1) / STEP * STEP);
    fit.min(of("maxnreg").map_or(MOST, product)).clamp(STEP, MOST)
}

/// The most 32-bit registers that hold something at once.
fn most_live(flow: &mut Flow<'_>) -> u32 {
    let count = flow.blocks.len();
    let mut at_start: Vec<HashSet<Register>> = vec![HashSet::new(); count];
    let mut most = 0;
    for _ in 0..ROUNDS {
        let mut changed = false;
        for block in (0..count).rev() {
            let mut live: HashSet<Register> = HashSet::new();
            for next in flow.successors(block) {
                live.extend(&at_start[next]);
            }
            most = most.max(through(flow, block, &mut live));
            if live.len() != at_start[block].len() {
                at_start[block] = live;
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
    most
}

/// Goes through a block from its end; the most that is live in it.
fn through(flow: &mut Flow<'_>, block: usize, live: &mut HashSet<Register>) -> u32 {
    let mut words: u32 = live.iter().map(|r| flow.words[*r as usize]).sum();
    let mut most = words;
    for at in (flow.blocks[block].start..flow.blocks[block].end).rev() {
        let i = flow.instructions[at];
        if i.guard.is_none() {
            for name in values::written(i) {
                if let Some(register) = flow.register(at, name)
                    && live.remove(&register)
                {
                    words -= flow.words[register as usize];
                }
            }
        }
        let mut reads = vec![];
        values::read(i, &mut |name| reads.push(name));
        for name in reads {
            if let Some(register) = flow.register(at, name)
                && live.insert(register)
            {
                words += flow.words[register as usize];
            }
        }
        most = most.max(words);
    }
    most
}
