//! What a thread's registers hold, and how far loads can move up before there are too few of them.
//!
//! `ptxas` keeps a kernel within 32 registers where it can, since a multiprocessor then holds as many warps as it has room
//! for, and it does not move a load up past the place where the value would be one too many. Of 30 kernels that differ in how
//! many values they keep and how many a load brings, this tells about how many loads it has put first. Loads of shared memory
//! are short enough to be hidden in any case.

use crate::hash::HashSet;
use crate::ir::*;
use std::ops::Range;

/// Registers up to which a multiprocessor has all of its warps.
const FREE: u32 = 32;
/// Registers that `ptxas` has in addition to what the PTX keeps: of sums and addresses that the PTX does not name.
const TEMPORARY: u32 = 4;
/// Registers that are handed out together.
const STEP: u32 = 8;
/// Blocks of a kernel that is looked at: of a larger one, loads are taken to move freely.
const MOST_BLOCKS: usize = 2048;
/// Rounds in which what is live settles.
const ROUNDS: usize = 64;

type Named = (File, Register);

/// The registers of each block that hold something when it ends.
pub(super) struct Live(Vec<HashSet<Named>>);

impl Live {
    /// Looks at the blocks of a kernel.
    pub(super) fn of(kernel: &Kernel, blocks: &[Block]) -> Live {
        let mut at_end: Vec<HashSet<Named>> = vec![HashSet::default(); blocks.len()];
        if blocks.len() > MOST_BLOCKS {
            return Live(at_end);
        }
        let mut at_start = at_end.clone();
        for _ in 0..ROUNDS {
            let mut changed = false;
            for n in (0..blocks.len()).rev() {
                let block = &blocks[n];
                let mut live: HashSet<Named> = HashSet::default();
                for next in kernel.successors(block) {
                    live.extend(&at_start[next as usize]);
                }
                if live.len() != at_end[n].len() {
                    at_end[n] = live.clone();
                }
                if let Some(frame) = frame_of(kernel, n) {
                    kernel.end_results(block, |file, register| _ = live.remove(&(file, register)));
                    kernel.end_operands(frame, block, |file, register| keep(&mut live, file, register));
                }
                for at in (block.start as usize..block.end as usize).rev() {
                    step(kernel, &kernel.code[at], &mut live);
                }
                changed |= live.len() != at_start[n].len();
                at_start[n] = live;
            }
            if !changed {
                break;
            }
        }
        Live(at_end)
    }

    /// Of a number of rounds of a block's code, for each instruction how far up it could be if it is a load: the place of
    /// the instruction that it cannot pass, counted through all rounds. `left` says which are left out of a round.
    pub(super) fn earliest(
        &self,
        kernel: &Kernel,
        block: usize,
        code: &Range<usize>,
        rounds: usize,
        left: impl Fn(usize, usize) -> bool,
    ) -> Vec<usize> {
        let count = rounds * code.len();
        let mut earliest: Vec<usize> = vec![0; count];
        let Some(mut live) = self.0.get(block).cloned() else { return earliest };
        let mut held = vec![0; count];
        let place = |n: usize| (n / code.len(), code.start + n % code.len());
        for n in (0..count).rev() {
            let (round, at) = place(n);
            if !left(round, at) {
                step(kernel, &kernel.code[at], &mut live);
            }
            held[n] = live.iter().map(|named| words(*named)).sum::<u32>() + TEMPORARY;
        }
        let most = held.iter().copied().max().unwrap_or(0).next_multiple_of(STEP).max(FREE);
        for n in 0..count {
            let (round, at) = place(n);
            let inst = &kernel.code[at];
            if left(round, at) || inst.op.access(kernel).is_none() {
                continue;
            }
            let mut wanted = 0;
            kernel.results(inst, |file, register| wanted += words((file, register)));
            let first =
                (0..n).rev().find(|before| held[*before] + wanted > most).map_or(0, |before| before + 1);
            held[first..n].iter_mut().for_each(|held| *held += wanted);
            earliest[n] = first;
        }
        earliest
    }
}

/// What is live before an instruction, of what is live after it.
fn step(kernel: &Kernel, inst: &Inst, live: &mut HashSet<Named>) {
    if inst.guard.is_always() {
        kernel.results(inst, |file, register| _ = live.remove(&(file, register)));
    }
    kernel.operands(inst, |file, register| keep(live, file, register));
}

fn keep(live: &mut HashSet<Named>, file: File, register: Register) {
    if !register.is_uniform() && file != File::P {
        live.insert((file, register));
    }
}

/// Registers of 32 bits.
fn words((file, _): Named) -> u32 {
    match file {
        File::W => 1,
        File::X => 2,
        File::P => 0,
    }
}

fn frame_of(kernel: &Kernel, block: usize) -> Option<&Frame> {
    kernel.functions.iter().rev().find(|frame| frame.entry as usize <= block)
}
