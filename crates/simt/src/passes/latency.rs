//! Time of each basic block: its turns of the pipes, and the longest chain of dependent results in it, for warps whose
//! time is latency.
//!
//! A warp issues in order, but the order is that of `ptxas`, which puts other instructions between one and those that
//! wait for it where it can. Two chains bound what it reaches: that in the order of the PTX, in which an instruction
//! waits for its operands and for the one before (loads alone, and what computes their addresses, are issued as soon as
//! their operands are known, since `ptxas` moves them up, to the last store to the same memory), and that of operands alone. Both are found once, when decoding, with nominal latencies, and
//! their mean is the time, as how many results of each kind lie on them. A chip file says how long each kind takes.
//!
//! Of a loop that `ptxas` unrolls, four rounds are one: loads of all four are under way at once, and what counts rounds is
//! there once. What it leaves out or makes a part of another instruction takes no turn.

use crate::ir::*;
use crate::model::chain::Chain;
use crate::model::issue::{Cost, Issue, SPECIAL_REGISTER};
use std::collections::{HashMap, HashSet};

/// Rounds of a loop that `ptxas` makes one.
const ROUNDS: u64 = Issue::SCALE;

/// What is known of a PTX instruction of the listing.
#[derive(Clone, Copy, Default)]
struct Timed {
    cost: Cost,
    /// It leads back to the beginning of a loop that is unrolled.
    unrolled: bool,
    /// Four rounds of that loop execute it once.
    once: bool,
}

/// Finds turns and chain of every block of a program's kernel, and the form of its accesses.
pub(super) fn find(program: &Program, kernel: &mut Kernel, cost: impl Fn(&str) -> Option<Cost>) {
    let mut known: HashMap<&str, Cost> = HashMap::new();
    let compiled = &kernel.compiled;
    let of = |listed: &Listed| {
        let mnemonic = program.words(listed.origin);
        // The decoder refuses what has no cost.
        let cost = *known.entry(mnemonic).or_insert_with(|| cost(mnemonic).unwrap_or_default());
        let at = listed.origin.at;
        let cost = if reads_special(program, listed) { SPECIAL_REGISTER } else { cost };
        let gone = compiled.folded.contains(&at)
            || compiled.instructions.get(&at).is_some_and(|made| made.access == ptxas::Access::Gone);
        Timed {
            cost: if gone { cost.gone() } else { cost },
            unrolled: compiled.unrolled.contains(&at),
            once: compiled.once_in_four.contains(&at),
        }
    };
    let timed: Vec<Timed> = kernel.listing.iter().map(of).collect();
    kernel.forms = forms(kernel);
    annotate_kernel(kernel, &timed);
}

/// Whether an instruction moves a special register into another one.
fn reads_special(program: &Program, listed: &Listed) -> bool {
    let rest = program.text.get(listed.origin.at as usize..).unwrap_or_default();
    let text = rest.split(';').next().unwrap_or_default();
    text.starts_with("mov") && SPECIAL.iter().any(|name| text.contains(name))
}

/// The beginnings of special registers' names.
const SPECIAL: [&str; 9] =
    ["%tid", "%ntid", "%ctaid", "%nctaid", "%laneid", "%warpid", "%lanemask", "%smid", "%clock"];

/// What the chip executes for each access.
fn forms(kernel: &Kernel) -> Vec<AccessForm> {
    let mut forms = vec![AccessForm::Own; kernel.accesses.len()];
    for (at, inst) in kernel.code.iter().enumerate() {
        let Some(id): Option<Id<MemoryOperand>> = inst.op.access(kernel) else { continue };
        let Some(listed) = kernel.places.get(at).and_then(|place| kernel.listing.get(*place as usize)) else {
            continue;
        };
        forms[id.index()] = match kernel.compiled.instructions.get(&listed.origin.at).map(|made| made.access)
        {
            Some(ptxas::Access::Gone) => AccessForm::Gone,
            Some(ptxas::Access::Wide { bytes, before }) => AccessForm::Wide { bytes, before },
            Some(
                ptxas::Access::Kept
                | ptxas::Access::WithResult
                | ptxas::Access::OneLane
                | ptxas::Access::OneLaneIfAllAreThere,
            )
            | None => AccessForm::Own,
        };
    }
    forms
}

fn annotate_kernel(kernel: &mut Kernel, timed: &[Timed]) {
    let mut blocks = std::mem::take(&mut kernel.blocks);
    for (number, block) in blocks.iter_mut().enumerate() {
        let listed = &timed[block.listed as usize..(block.listed + block.weight) as usize];
        // A loop of one block.
        let back =
            matches!(block.exit, End::Branch { taken, next, .. } if [taken, next].contains(&(number as u32)));
        let unrolled = back && listed.iter().any(|timed| timed.unrolled);
        block.issue = Issue::default();
        for Timed { cost, once, .. } in listed {
            block.issue.add_scaled(&cost.issue, if unrolled && *once { 1 } else { Issue::SCALE });
        }
        let rounds = if unrolled { ROUNDS } else { 1 };
        block.chain = Chain::default();
        for in_order in [true, false] {
            let longest = longest_chain(kernel, timed, block, in_order, rounds);
            (0..ROUNDS / rounds).for_each(|_| block.chain.add(&longest));
        }
    }
    kernel.blocks = blocks;
}

/// The longest chain of so many rounds of a block, in the order of the PTX or of operands alone.
fn longest_chain(kernel: &Kernel, timed: &[Timed], block: &Block, in_order: bool, rounds: u64) -> Chain {
    let of_addresses = of_addresses(kernel, block);
    let mut ready: HashMap<(File, Register), Chain> = HashMap::new();
    // For global, shared and local memory, the last store to it.
    let mut stored = [Chain::default(); 3];
    let mut longest = Chain::default();
    // Where the warp is with its issue.
    let mut turn = Chain::default();
    let code = block.start as usize..block.end as usize;
    for (round, at) in (0..rounds).flat_map(|round| code.clone().map(move |at| (round, at))) {
        let inst = &kernel.code[at];
        let Timed { cost, once, .. } =
            kernel.places.get(at).and_then(|p| timed.get(*p as usize)).copied().unwrap_or_default();
        // In the rounds that follow it is a number in an address.
        let counts = once && rounds > 1;
        if counts && round > 0 {
            continue;
        }
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
        let latency = inst.op.latency(kernel);
        let (loads, stores) = reached(inst);
        let read_only = inst.op.access(kernel).is_some_and(|access| kernel[access].read_only);
        if let Some(memory) = loads.filter(|_| !read_only) {
            chain = chain.later(&stored[memory]);
        }
        if in_order && !counts && !of_addresses[at - block.start as usize] && inst.op.access(kernel).is_none()
        {
            chain = chain.later(&turn);
            turn = chain;
        }
        turn.issued += cost.issue.slots;
        match latency {
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
        if let Some(memory) = stores {
            stored[memory] = stored[memory].later(&chain);
        }
        kernel.results(inst, |file, register| {
            ready.insert((file, register), chain);
        });
        longest = longest.later(&chain);
    }
    longest.later(&turn)
}

/// Which of a block's instructions only compute, and something that the address of a load of the block depends on.
fn of_addresses(kernel: &Kernel, block: &Block) -> Vec<bool> {
    let mut wanted: HashSet<(File, Register)> = HashSet::new();
    let mut found = vec![false; (block.end - block.start) as usize];
    for at in (block.start as usize..block.end as usize).rev() {
        let inst = &kernel.code[at];
        let accesses = inst.op.access(kernel).is_some();
        let mut gives = false;
        kernel.results(inst, |file, register| gives |= wanted.remove(&(file, register)));
        let load = reached(inst).0.is_some();
        found[at - block.start as usize] = gives && !accesses;
        if load || (gives && !accesses) {
            kernel.operands(inst, |file, register| _ = wanted.insert((file, register)));
        }
    }
    found
}

/// The memory that a load reads, and that a store writes, of global, shared and local memory.
fn reached(inst: &Inst) -> (Option<usize>, Option<usize>) {
    let op = &inst.op;
    let of = |is: [bool; 3]| is.iter().position(|is| *is);
    let loads = [
        matches!(op, Op::LoadGlobal { .. }),
        matches!(op, Op::LoadShared { .. }),
        matches!(op, Op::LoadLocal { .. }),
    ];
    let stores = [
        matches!(op, Op::StoreGlobal { .. }),
        matches!(op, Op::StoreShared { .. }),
        matches!(op, Op::StoreLocal { .. }),
    ];
    (of(loads), of(stores))
}
