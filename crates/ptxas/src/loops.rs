//! The loops of a kernel, and those that ptxas unrolls.
//!
//! A loop of one way through, unless its PTX forbids it, which a counter leads out of, becomes four copies in a row as long as four rounds are left, then two
//! copies under a condition and one under another. Where all lanes go as many rounds, nothing is executed more or less often but
//! for predicates; where they do not, a lane's last rounds are next to other lanes' last ones, whichever these are.

use crate::flow::{End, Flow, Register};
use crate::values;
use ptx::Operand;
use std::collections::BTreeSet;

/// Instructions of a loop's way that is unrolled; those of longer ones are not copied.
const MOST: usize = 56;

/// A loop: what leads back to a block, and all blocks between.
#[derive(Clone, Debug)]
pub(crate) struct Loop {
    pub(crate) head: usize,
    /// The block that leads back, if there is only one.
    pub(crate) latch: Option<usize>,
    pub(crate) blocks: BTreeSet<usize>,
}

/// Finds a kernel's loops.
pub(crate) fn find(flow: &Flow<'_>) -> Vec<Loop> {
    let mut loops: Vec<Loop> = vec![];
    for block in 0..flow.blocks.len() {
        for head in flow.successors(block).into_iter().filter(|head| *head <= block) {
            let between = between(flow, head, block);
            match loops.iter_mut().find(|l| l.head == head) {
                Some(known) => {
                    known.latch = None;
                    known.blocks.extend(between);
                }
                None => loops.push(Loop { head, latch: Some(block), blocks: between }),
            }
        }
    }
    loops
}

/// The blocks on the ways from `head` to `latch`, both included.
fn between(flow: &Flow<'_>, head: usize, latch: usize) -> BTreeSet<usize> {
    let mut found = BTreeSet::from([head, latch]);
    let mut next = if head == latch { vec![] } else { vec![latch] };
    while let Some(block) = next.pop() {
        for before in &flow.blocks[block].predecessors {
            if found.insert(*before) {
                next.push(*before);
            }
        }
    }
    found
}

/// How many loops a block is in.
pub(crate) fn depth(loops: &[Loop], block: usize) -> u32 {
    loops.iter().filter(|l| l.blocks.contains(&block)).count() as u32
}

/// Whether ptxas may unroll a loop. `under`: the blocks that are predicated.
pub(crate) fn unrolls(flow: &mut Flow<'_>, of: &Loop, under: &[Option<usize>]) -> bool {
    let Some(latch) = of.latch else { return false };
    let End::Branch { .. } = flow.blocks[latch].exit else { return false };
    if flow.blocks[of.head].nounroll {
        return false;
    }
    // Another way out, or a branch that stays, ends the row.
    let one_way =
        of.blocks.iter().filter(|block| **block != latch).all(|block| match flow.blocks[*block].exit {
            End::Goto { to, .. } => of.blocks.contains(&to),
            End::Branch { taken, next } => {
                of.blocks.contains(&taken) && of.blocks.contains(&next) && under.contains(&Some(*block))
            }
            End::Switch(_) | End::ExitIf(_) | End::Exit => false,
        });
    let size: usize = of.blocks.iter().map(|b| flow.blocks[*b].end - flow.blocks[*b].start).sum();
    one_way && size <= MOST && !of.blocks.iter().any(|block| stays(flow, *block)) && counted(flow, of, latch)
}

/// Whether a loop has instructions that the lanes of a warp do together. Where lanes leave it one after the other, ptxas brings
/// the rest together for these.
pub(crate) fn collective(flow: &Flow<'_>, of: &Loop) -> bool {
    let mut all = of.blocks.iter().flat_map(|block| flow.blocks[*block].start..flow.blocks[*block].end);
    all.any(|at| matches!(flow.instructions[at].opcode, "shfl" | "vote" | "match" | "redux" | "activemask"))
}

/// Whether a block has instructions that ptxas does not copy.
fn stays(flow: &Flow<'_>, block: usize) -> bool {
    (flow.blocks[block].start..flow.blocks[block].end).any(|at| {
        matches!(
            flow.instructions[at].opcode,
            "atom" | "red" | "shfl" | "vote" | "match" | "redux" | "activemask" | "call" | "mma" | "wmma"
        )
    })
}

/// Whether what leads back compares a register that grows by a number each round with what stays.
fn counted(flow: &mut Flow<'_>, of: &Loop, latch: usize) -> bool {
    let (start, end) = (flow.blocks[latch].start, flow.blocks[latch].end);
    let Some(guard) = flow.instructions[end - 1].guard else { return false };
    let compare = (start..end - 1).rev().find(|at| {
        let i = flow.instructions[*at];
        i.opcode == "setp" && i.operands.first() == Some(&Operand::Name(guard.register, None))
    });
    let Some(at) = compare else { return false };
    let [_, a, b] = &flow.instructions[at].operands[..] else { return false };
    let sides = [a, b].map(|operand| match operand {
        Operand::Name(name, None) => Side::Register(flow.register(at, name)),
        Operand::Integer(_) => Side::Number,
        _ => Side::Other,
    });
    let grows = |flow: &mut Flow<'_>, side: &Side| match side {
        Side::Register(Some(register)) => grows(flow, of, *register),
        Side::Register(None) | Side::Number | Side::Other => false,
    };
    let rests = |flow: &mut Flow<'_>, side: &Side| match side {
        Side::Register(Some(register)) => writers(flow, of, *register).is_empty(),
        Side::Number => true,
        Side::Register(None) | Side::Other => false,
    };
    (grows(flow, &sides[0]) && rests(flow, &sides[1])) || (grows(flow, &sides[1]) && rests(flow, &sides[0]))
}

/// The instructions of a loop that counts which four of its rounds execute once: its branch, the comparison before it, and
/// additions of numbers to what only they change.
pub(crate) fn counting(flow: &mut Flow<'_>, of: &Loop, latch: usize) -> Vec<usize> {
    let last = flow.blocks[latch].end - 1;
    let guard = flow.instructions[last].guard.map(|guard| guard.register);
    let mut found = vec![last];
    for block in of.blocks.clone() {
        for at in flow.blocks[block].start..flow.blocks[block].end {
            let i = flow.instructions[at];
            let counts = match (i.opcode, &i.operands[..]) {
                ("setp", [Operand::Name(name, None), ..]) => Some(*name) == guard,
                ("add" | "sub", [Operand::Name(name, None), _, Operand::Integer(_)]) => {
                    let register = flow.register(at, name);
                    register.is_some_and(|register| grows(flow, of, register))
                }
                _ => false,
            };
            if counts {
                found.push(at);
            }
        }
    }
    found
}

enum Side {
    Register(Option<Register>),
    Number,
    Other,
}

/// Whether a loop changes a register by adding a number, once a round.
fn grows(flow: &mut Flow<'_>, of: &Loop, register: Register) -> bool {
    let mut register = register;
    // A copy is between where the compiler keeps the old value.
    for _ in 0..3 {
        let [at] = writers(flow, of, register)[..] else { return false };
        let i = flow.instructions[at];
        let source = match (i.opcode, &i.operands[..]) {
            ("add" | "sub", [_, Operand::Name(source, None), Operand::Integer(_)]) => source,
            ("mov", [_, Operand::Name(source, None)]) => source,
            _ => return false,
        };
        let Some(source) = flow.register(at, source) else { return false };
        match writers(flow, of, source)[..] {
            // Itself, or what is copied from it.
            [from] if from == at => return i.opcode != "mov",
            [_] => register = source,
            _ => return false,
        }
        if i.opcode != "mov" {
            let [back] = writers(flow, of, source)[..] else { return false };
            return flow.instructions[back].opcode == "mov";
        }
    }
    false
}

/// The instructions of a loop that write a register.
fn writers(flow: &mut Flow<'_>, of: &Loop, register: Register) -> Vec<usize> {
    let mut found = vec![];
    for block in &of.blocks {
        for at in flow.blocks[*block].start..flow.blocks[*block].end {
            for name in values::written(flow.instructions[at]) {
                if flow.register(at, name) == Some(register) {
                    found.push(at);
                }
            }
        }
    }
    found
}
