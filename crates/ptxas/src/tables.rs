//! Constant loads that ptxas makes of branches.
//!
//! Three or more comparisons of a register with near numbers, one after the other, become a jump through a table in constant
//! memory, as `brx.idx` does.

use crate::flow::{Block, End, Flow};
use ptx::Operand;

/// Comparisons that make a table, and how far apart the numbers may be for each of them.
const COMPARISONS: usize = 3;
const APART: i64 = 4;

/// Whether a kernel has such loads.
pub(crate) fn find(flow: &Flow<'_>) -> bool {
    flow.instructions.iter().any(|i| i.opcode == "brx")
        || (0..flow.blocks.len()).any(|block| chain(flow, block))
}

/// Whether a block begins a chain of comparisons that becomes a table.
fn chain(flow: &Flow<'_>, first: usize) -> bool {
    let Some((register, number, mut next)) = compares(flow, first) else { return false };
    let mut numbers = vec![number];
    while let Some((other, number, after)) = compares(flow, next) {
        let Block { start, end, .. } = flow.blocks[next];
        if other != register || end - start != 2 || numbers.contains(&number) {
            break;
        }
        numbers.push(number);
        next = after;
    }
    let least = numbers.iter().copied().min().unwrap_or_default();
    let span = numbers.iter().copied().max().unwrap_or_default().saturating_sub(least);
    numbers.len() >= COMPARISONS && span < APART * numbers.len() as i64
}

/// The register that a block compares with a number before it branches, the number, and the block for all others.
fn compares<'a>(flow: &Flow<'a>, block: usize) -> Option<(&'a str, i64, usize)> {
    let Block { start, end, .. } = flow.blocks[block];
    let End::Branch { taken, next } = flow.blocks[block].exit else { return None };
    let guard = flow.instructions[end - 1].guard?;
    let sets = |at: &usize| {
        let i = flow.instructions[*at];
        i.opcode == "setp" && i.operands.first() == Some(&Operand::Name(guard.register, None))
    };
    let i = flow.instructions[(start..end - 1).rev().find(sets)?];
    let [_, Operand::Name(register, None), Operand::Integer(number)] = i.operands[..] else { return None };
    let equal = match *i.modifiers.first()? {
        "eq" => true,
        "ne" => false,
        _ => return None,
    };
    let others = if equal != guard.negated { next } else { taken };
    Some((register, number as i64, others))
}
