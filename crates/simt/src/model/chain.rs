//! The longest chain of dependent instructions in each basic block, for warps whose time is latency.
//!
//! A warp issues in order and waits for operands; the chain is found once, when decoding, with nominal latencies, and
//! kept as how many results of each kind lie on it. A chip file says how long each kind takes.

use crate::program::{FIXED, File, Kernel, NONE, Op, table_shape};
use std::collections::HashMap;

/// Results of each kind on a chain.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Chain {
    /// Arithmetic.
    pub alu: u64,
    /// Loads from shared memory.
    pub shared: u64,
    /// Loads from constant memory whose address a register holds.
    pub constant: u64,
    /// Loads from global memory.
    pub global: u64,
}

impl Chain {
    /// Cycles with the latencies that chips have about: they choose the chain, and do not time it.
    pub(crate) fn nominal(&self) -> u64 {
        4 * self.alu + 25 * self.shared + 60 * self.constant + 400 * self.global
    }

    pub(crate) fn add(&mut self, other: &Chain) {
        self.alu += other.alu;
        self.shared += other.shared;
        self.constant += other.constant;
        self.global += other.global;
    }
}

/// Finds the chain of every block of a kernel.
pub(crate) fn annotate(kernel: &mut Kernel) {
    for b in 0..kernel.blocks.len() {
        let block = kernel.blocks[b];
        let mut ready: HashMap<(File, u16), Chain> = HashMap::new();
        let mut longest = Chain::default();
        for inst in &kernel.code[block.start as usize..block.end as usize] {
            let mut chain = Chain::default();
            let mut read = |file: File, number: u16| {
                if number != NONE
                    && number & FIXED == 0
                    && let Some(before) = ready.get(&(file, number))
                    && before.nominal() > chain.nominal()
                {
                    chain = *before;
                }
            };
            read(File::P, inst.guard);
            kernel.operands(inst, &mut read);
            match inst.op {
                Op::LoadGlobal | Op::LoadLocal | Op::LoadGeneric => chain.global += 1,
                Op::Atomic if kernel.atomics[usize::from(inst.c)].d != NONE => chain.global += 1,
                // A shuffle takes the way of a shared load.
                Op::LoadShared | Op::Exchange => chain.shared += 1,
                Op::LoadConstant | Op::LoadParameter => chain.constant += 1,
                Op::Scalar => chain.alu += 1,
                op if table_shape(op).is_some() => chain.alu += 1,
                _ => {}
            }
            kernel.results(inst, |file, number| {
                ready.insert((file, number), chain);
            });
            if chain.nominal() > longest.nominal() {
                longest = chain;
            }
        }
        kernel.blocks[b].chain = longest;
    }
}
