//! Time of each basic block: its turns of the pipes, and the longest chain of dependent results in it, for warps whose
//! time is latency.
//!
//! A warp issues in order, but the order is that of `ptxas`, which puts other instructions between one and those that
//! wait for it where it can. Two chains bound what it reaches: that in the order of the PTX, in which an instruction
//! waits for its operands and for the one before (loads alone are issued as soon as their address is known, since
//! `ptxas` moves them up), and that of operands alone. Both are found once, when decoding, with nominal latencies, and
//! their sum is kept as how many results of each kind lie on them; half of it is the time. A chip file says how long
//! each kind takes.

use crate::ir::*;
use crate::model::chain::Chain;
use crate::model::issue::Cost;
use std::collections::HashMap;

/// Finds turns and chain of every block of a program's kernel.
pub(super) fn find(program: &Program, kernel: &mut Kernel, cost: impl Fn(&str) -> Option<Cost>) {
    let mut known: HashMap<&str, Cost> = HashMap::new();
    let of = |listed: &Listed| {
        let mnemonic = program.words(listed.origin);
        // The decoder refuses what has no cost.
        *known.entry(mnemonic).or_insert_with(|| cost(mnemonic).unwrap_or_default())
    };
    let costs: Vec<Cost> = kernel.listing.iter().map(of).collect();
    annotate_kernel(kernel, &costs);
}

fn annotate_kernel(kernel: &mut Kernel, costs: &[Cost]) {
    let mut blocks = std::mem::take(&mut kernel.blocks);
    for block in &mut blocks {
        block.issue = Default::default();
        for cost in &costs[block.listed as usize..(block.listed + block.weight) as usize] {
            block.issue.add(&cost.issue);
        }
        block.chain = longest_chain(kernel, costs, block, true);
        block.chain.add(&longest_chain(kernel, costs, block, false));
    }
    kernel.blocks = blocks;
}

/// The longest chain of a block, in the order of the PTX or of operands alone.
fn longest_chain(kernel: &Kernel, costs: &[Cost], block: &Block, in_order: bool) -> Chain {
    let mut ready: HashMap<(File, Register), Chain> = HashMap::new();
    let mut longest = Chain::default();
    // Where the warp is with its issue.
    let mut turn = Chain::default();
    for at in block.start as usize..block.end as usize {
        let inst = &kernel.code[at];
        let cost = kernel.places.get(at).and_then(|p| costs.get(*p as usize)).copied().unwrap_or_default();
        let mut chain = Chain::default();
        let mut read = |file: File, register: Register| {
            if !register.is_uniform()
                && let Some(before) = ready.get(&(file, register))
            {
                chain = chain.later(before);
            }
        };
        if let Some((predicate, _)) = inst.guard.condition() {
            read(File::P, predicate);
        }
        kernel.operands(inst, read);
        if in_order && inst.op.access(kernel).is_none() {
            chain = chain.later(&turn);
            turn = chain;
        }
        turn.issued += cost.issue.slots;
        match inst.op.latency(kernel) {
            Latency::Pipe => {
                chain.alu += cost.alu;
                chain.special += cost.special;
                chain.double += cost.double;
                chain.tensor += cost.tensor;
            }
            Latency::None => {}
            Latency::Global => chain.global += 1,
            Latency::Shared => chain.shared += 1,
            Latency::Constant => chain.constant += 1,
            Latency::Shuffle => chain.shuffle += 1,
            Latency::SharedAtomic => chain.shared_atomic += 1,
            Latency::GlobalAtomic => chain.global_atomic += 1,
        }
        kernel.results(inst, |file, register| {
            ready.insert((file, register), chain);
        });
        longest = longest.later(&chain);
    }
    longest.later(&turn)
}
