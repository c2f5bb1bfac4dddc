//! Time of each basic block: its turns of the pipes, and the longest chain of dependent results in it, for warps whose
//! time is latency.
//!
//! A warp issues in order, but the order is that of `ptxas`, which puts other instructions between one and those that
//! wait for it where it can. Two chains bound what it reaches: that in the order of the PTX, in which an instruction
//! waits for its operands and for the one before (loads alone, and what computes their addresses, are issued as soon as
//! their operands are known, since `ptxas` moves them up, to the last store to the same memory, and as far as there are
//! registers), and that of operands alone. Both are found once, when decoding, with nominal latencies, and
//! their mean is the time, as how many results of each kind lie on them. A chip file says how long each kind takes.
//!
//! A load of constants keeps its warp from issuing until its turn is over. One that all lanes make at one address and in step
//! is of a uniform register, and does not.
//!
//! Of a loop that `ptxas` unrolls, four rounds are one: loads of all four are under way at once, and what counts rounds is
//! there once. Blocks whose branches it replaces by predicates are one with those around them. What it leaves out or makes a part of another instruction takes no turn.

use super::live::Live;
use crate::hash::{HashMap, HashSet};
use crate::ir::*;
use crate::model::chain::Chain;
use crate::model::issue::{Cost, Issue, SPECIAL_REGISTER};
use std::ops::Range;

/// Rounds of a loop that `ptxas` makes one.
const ROUNDS: u64 = Issue::SCALE;

/// Results of arithmetic that a load of a constant into a uniform register takes as long as.
const UNIFORM_LOAD: u64 = 1;

/// What is known of a PTX instruction of the listing.
#[derive(Clone, Copy, Default)]
struct Timed {
    cost: Cost,
    /// It leads back to the beginning of a loop that is unrolled.
    unrolled: bool,
    /// Four rounds of that loop execute it once.
    once: bool,
    /// A branch that a predicate replaces.
    predicated: bool,
    /// The branch around it that a predicate replaces, by its byte in the text.
    under: Option<u32>,
    /// A load of a constant into a uniform register.
    uniform: bool,
}

/// Finds turns and chain of every block of a program's kernel, and the form of its accesses.
pub(super) fn find(program: &Program, kernel: &mut Kernel, cost: impl Fn(&str) -> Option<Cost>) {
    let mut known: HashMap<&str, Cost> = HashMap::default();
    let compiled = &kernel.compiled;
    let replaced: HashSet<u32> = compiled.predicated.values().copied().collect();
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
            predicated: replaced.contains(&at),
            under: compiled.predicated.get(&at).copied(),
            uniform: compiled.uniform.contains(&at),
        }
    };
    let timed: Vec<Timed> = kernel.listing.iter().map(of).collect();
    kernel.forms = forms(kernel);
    annotate_kernel(kernel, &timed);
    issue_under_predicates(kernel, &timed);
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
    let rows = rows(kernel, &blocks, timed);
    let live = Live::of(kernel, &blocks);
    for number in 0..blocks.len() {
        let block = &blocks[number];
        let listed = listed(timed, block);
        // A loop of one block.
        let back =
            matches!(block.exit, End::Branch { taken, next, .. } if [taken, next].contains(&(number as u32)));
        let unrolled = back && listed.iter().any(|timed| timed.unrolled);
        let mut issue = Issue::default();
        for Timed { cost, once, .. } in listed {
            issue.add_scaled(&cost.issue, if unrolled && *once { 1 } else { Issue::SCALE });
        }
        let rounds = if unrolled { ROUNDS } else { 1 };
        let mut chain = Chain::default();
        let row = &rows[number];
        // Where it ends with other blocks', the last one's live registers count.
        let last = blocks.iter().rposition(|block| block.end as usize == row.end).unwrap_or(number);
        let left = |round: usize, at: usize| {
            round > 0
                && kernel.places.get(at).and_then(|p| timed.get(*p as usize)).is_some_and(|timed| timed.once)
        };
        let earliest = live.earliest(kernel, last, row, rounds as usize, left);
        for in_order in [true, false] {
            let longest = longest_chain(kernel, timed, row.clone(), in_order, rounds, &earliest);
            (0..ROUNDS / rounds).for_each(|_| chain.add(&longest));
        }
        (blocks[number].issue, blocks[number].chain) = (issue, chain);
    }
    kernel.blocks = blocks;
}

/// What is under a predicate is issued by every warp that comes to the branch which it replaces, and accesses that no lane
/// makes take a turn: the turns of such a block become those of the block that ends with the branch.
fn issue_under_predicates(kernel: &mut Kernel, timed: &[Timed]) {
    kernel.predicated = vec![false; kernel.accesses.len()];
    let mut heads: HashMap<u32, usize> = HashMap::default();
    for (n, block) in kernel.blocks.iter().enumerate() {
        if listed(timed, block).iter().any(|timed| timed.predicated)
            && let Some(branch) = kernel.listing.get((block.listed + block.weight) as usize - 1)
        {
            heads.insert(branch.origin.at, n);
        }
    }
    // An arm within an arm is after the branch around it.
    for arm in (0..kernel.blocks.len()).rev() {
        let block = kernel.blocks[arm];
        let under = listed(timed, &block).iter().find_map(|timed| timed.under);
        let Some(&head) = under.and_then(|branch| heads.get(&branch)).filter(|head| **head < arm) else {
            continue;
        };
        let mut issue = kernel.blocks[arm].issue.taken();
        for at in block.start as usize..block.end as usize {
            let inst = &kernel.code[at];
            let Some(id) = inst.op.access(kernel) else { continue };
            if kernel.forms[id.index()] == AccessForm::Gone {
                continue;
            }
            match inst.op {
                Op::LoadConstant { .. } => issue.constants_off += Issue::SCALE,
                _ => issue.accesses_off += Issue::SCALE,
            }
            kernel.predicated[id.index()] = true;
        }
        kernel.blocks[head].issue.add(&issue);
    }
}

/// The instructions of a block in the listing.
fn listed<'t>(timed: &'t [Timed], block: &Block) -> &'t [Timed] {
    &timed[block.listed as usize..(block.listed + block.weight) as usize]
}

/// For each block the code whose chain is its own: with the blocks after it, if predicates replace the branches around these,
/// which then have none.
fn rows(kernel: &Kernel, blocks: &[Block], timed: &[Timed]) -> Vec<Range<usize>> {
    let mut before = vec![0; blocks.len()];
    for block in blocks {
        kernel.successors(block).into_iter().for_each(|next| before[next as usize] += 1);
    }
    let mut rows: Vec<Range<usize>> = blocks.iter().map(|b| b.start as usize..b.end as usize).collect();
    let mut head = 0;
    while head < blocks.len() {
        let mut last = head;
        // An arm that one branch leads around.
        while let (Some(block), Some(arm), Some(meet)) =
            (blocks.get(last), blocks.get(last + 1), blocks.get(last + 2))
            && let End::Branch { taken, next, .. } = block.exit
            && [[taken, next], [next, taken]].contains(&[last as u32 + 1, last as u32 + 2])
            && matches!(arm.exit, End::Goto(to) if to as usize == last + 2)
            && (before[last + 1], before[last + 2]) == (1, 2)
            && listed(timed, block).iter().any(|timed| timed.predicated)
            && block.end == arm.start
            && arm.end == meet.start
        {
            rows[head].end = meet.end as usize;
            rows[last + 1] = 0..0;
            rows[last + 2] = 0..0;
            last += 2;
        }
        head = last + 1;
    }
    rows
}

/// Adds the wait for an instruction's result to a chain.
fn wait(chain: &mut Chain, latency: Latency, cost: &Cost, uniform: bool) {
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
        Latency::Constant if uniform => chain.alu += UNIFORM_LOAD,
        Latency::Constant => chain.constant += 1,
        Latency::Shuffle => chain.shuffle += 1,
        Latency::SharedAtomic => chain.shared_atomic += 1,
        Latency::GlobalAtomic => chain.global_atomic += 1,
    }
}

/// The longest chain of a given number of rounds of a block, in the order of the PTX or of operands alone.
fn longest_chain(
    kernel: &Kernel,
    timed: &[Timed],
    code: Range<usize>,
    in_order: bool,
    rounds: u64,
    earliest: &[usize],
) -> Chain {
    let of_addresses = of_addresses(kernel, code.clone());
    let mut ready: HashMap<(File, Register), Chain> = HashMap::default();
    // For global, shared and local memory, the last store to it.
    let mut stored = [Chain::default(); 3];
    let mut longest = Chain::default();
    // When a scheduler can take the next load of constants.
    let mut port = Chain::default();
    // Where the warp is with its issue.
    let mut turn = Chain::default();
    // For each instruction when it is issued, or its result is there where the order is free.
    let mut past: Vec<Chain> = Vec::with_capacity(earliest.len());
    for (round, at) in (0..rounds).flat_map(|round| code.clone().map(move |at| (round, at))) {
        let inst = &kernel.code[at];
        let Timed { cost, once, uniform, .. } =
            kernel.places.get(at).and_then(|p| timed.get(*p as usize)).copied().unwrap_or_default();
        // In the rounds that follow it is a number in an address.
        let counts = once && rounds > 1;
        if counts && round > 0 {
            past.push(past.last().copied().unwrap_or_default());
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
        if [Latency::Global, Latency::Constant].contains(&latency)
            && let Some(n) = earliest.get(past.len()).filter(|n| **n > 0)
            && let Some(full) = past.get(n - 1)
        {
            // There is no register for it before.
            chain = chain.later(full);
        }
        let turns = match latency {
            Latency::Constant if !uniform && cost.issue.slots > 0 => constant_turns(kernel, inst),
            _ => 0,
        };
        if turns > 0 {
            chain = chain.later(&port);
            port = chain;
            port.constant_turn += turns;
            turn.constant_turn += turns;
        }
        if in_order && !counts && !of_addresses[at - code.start] && inst.op.access(kernel).is_none() {
            chain = chain.later(&turn);
            turn = chain;
        }
        turn.issued += cost.issue.slots;
        wait(&mut chain, latency, &cost, uniform);
        if let Some(memory) = stores {
            stored[memory] = stored[memory].later(&chain);
        }
        kernel.results(inst, |file, register| {
            ready.insert((file, register), chain);
        });
        past.push(if in_order { turn } else { chain });
        longest = longest.later(&chain);
    }
    longest.later(&turn).later(&port)
}

/// Turns that a load of constants takes: one for each 8 bytes.
fn constant_turns(kernel: &Kernel, inst: &Inst) -> u64 {
    let bytes = |id: Id<MemoryOperand>| u64::from(kernel[id].count) * u64::from(kernel[id].bytes);
    inst.op.access(kernel).map_or(1, |id| bytes(id).div_ceil(8).max(1))
}

/// Which of a block's instructions only compute, and something that the address of a load of the block depends on.
fn of_addresses(kernel: &Kernel, code: Range<usize>) -> Vec<bool> {
    let mut wanted: HashSet<(File, Register)> = HashSet::default();
    let mut found = vec![false; code.len()];
    for at in code.clone().rev() {
        let inst = &kernel.code[at];
        let accesses = inst.op.access(kernel).is_some();
        let mut gives = false;
        kernel.results(inst, |file, register| gives |= wanted.remove(&(file, register)));
        let load = reached(inst).0.is_some();
        found[at - code.start] = gives && !accesses;
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
