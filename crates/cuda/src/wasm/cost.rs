//! Operations of a function's blocks.
//!
//! Enters: a function. Leaves: how many operations each of its blocks counts. An operation is an instruction of the representation that
//! is written, addresses and constants aside, or 16 bytes that are moved. Where ways join again, what follows is executed as often as
//! what was before they parted, and is counted there. This module must never know how they are counted.

use super::flow::Flow;
use super::trees::Trees;
use crate::ir::{Block, Function, Op, Terminator};

/// Bytes that are moved at the cost of an operation.
const MOVED: u64 = 16;
/// Most blocks between where ways part and where they join, for these to be looked at.
const BETWEEN: usize = 64;

/// By block: operations that are counted where it begins.
pub(super) fn costs(function: &Function, flow: &Flow, trees: &Trees) -> Vec<u64> {
    let mut costs = vec![0; function.blocks.len()];
    let mut counted_at: Vec<Block> = (0..function.blocks.len()).map(|at| Block(at as u32)).collect();
    for block in flow.cfg.order.iter().copied() {
        if let Some(above) = flow.dominators.idom(block)
            && flow.reducible
            && as_often(function, flow, above, block)
        {
            counted_at[block.index()] = counted_at[above.index()];
        }
        costs[counted_at[block.index()].index()] += cost(function, trees, block);
    }
    // A function and a loop cost something even where they do nothing, or those of nothing else would not end.
    for block in flow.cfg.order.iter().filter(|block| flow.header[block.index()] || **block == Block(0)) {
        costs[block.index()] = costs[block.index()].max(1);
    }
    costs
}

/// Operations of a block.
fn cost(function: &Function, trees: &Trees, block: Block) -> u64 {
    let data = &function.blocks[block.index()];
    let insts = data.insts.iter().filter(|inst| trees.written(**inst));
    let insts = insts.map(|inst| match &function.insts[inst.index()].op {
        Op::Slot { .. } | Op::Global(_) | Op::Function(_) => 0,
        Op::Copy { size, .. } | Op::Zero { size, .. } => 1 + size / MOVED,
        _ => 1,
    });
    let chosen = matches!(data.end, Terminator::Branch(..) | Terminator::Switch(..));
    insts.sum::<u64>() + u64::from(chosen)
}

/// Whether a block is executed each time that the one is which dominates it immediately, and not more often: all ways from there lead
/// to it, and none back before.
fn as_often(function: &Function, flow: &Flow, above: Block, block: Block) -> bool {
    if flow.header[block.index()] {
        return false;
    }
    let mut seen = vec![];
    let mut work = vec![above];
    while let Some(from) = work.pop() {
        let end = &function.blocks[from.index()].end;
        // A program that comes to what is never reached ends there, and what it counted matters no more.
        if matches!(end, Terminator::Return(_)) || seen.len() > BETWEEN {
            return false;
        }
        for to in end.edges().map(|edge| edge.block).filter(|to| *to != block) {
            if to == above || !flow.dominators.dominates(above, to) {
                return false;
            }
            if !seen.contains(&to) {
                seen.push(to);
                work.push(to);
            }
        }
    }
    true
}
