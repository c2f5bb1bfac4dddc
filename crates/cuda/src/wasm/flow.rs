//! Shape of a function's control flow: which blocks are followed by structured jumps.
//!
//! Enters: a function. Leaves: its graph, with the loops' headers and the blocks where ways join, by which `body` nests blocks and
//! loops as Ramsey's "Beyond Relooper" does: what a block dominates lies in it, and where ways join is after a block that the
//! ways leave.

use crate::ir::cfg::Cfg;
use crate::ir::dominators::Dominators;
use crate::ir::{Block, Edge, Function, Terminator};

/// Graph of a function.
pub(super) struct Flow {
    /// Order of its blocks.
    pub(super) cfg: Cfg,
    /// What dominates what.
    pub(super) dominators: Dominators,
    /// By block: whether a later one leads back to it.
    pub(super) header: Vec<bool>,
    /// By block: whether several earlier edges lead to it.
    pub(super) joined: Vec<bool>,
    /// By block: the joined ones that it dominates immediately, the last in the order first.
    pub(super) follow: Vec<Vec<Block>>,
    /// Whether every loop is entered by its header alone.
    pub(super) reducible: bool,
}

impl Flow {
    /// Looks at a function.
    pub(super) fn new(function: &Function) -> Flow {
        let cfg = Cfg::new(function);
        let dominators = Dominators::new(&cfg);
        let count = function.blocks.len();
        let (mut header, mut joined, mut reducible) = (vec![false; count], vec![false; count], true);
        for block in &cfg.order {
            let at = cfg.position[block.index()];
            let (back, forth): (Vec<Block>, Vec<Block>) =
                cfg.preds(*block).iter().partition(|pred| cfg.position[pred.index()] >= at);
            header[block.index()] = !back.is_empty();
            joined[block.index()] = forth.len() > 1;
            reducible &= back.iter().all(|pred| dominators.dominates(*block, *pred));
        }
        let mut follow = vec![vec![]; count];
        for block in cfg.order.iter().rev().filter(|block| joined[block.index()]) {
            if let Some(above) = dominators.idom(*block) {
                follow[above.index()].push(*block);
            }
        }
        Flow { cfg, dominators, header, joined, follow, reducible }
    }

    /// Whether an edge leads back, or to where one stays.
    pub(super) fn leads_back(&self, from: Block, to: Block) -> bool {
        self.cfg.position[to.index()] <= self.cfg.position[from.index()]
    }
}

/// An edge of a block's end, by its number.
pub(super) fn edge(end: &Terminator, number: usize) -> Option<&Edge> {
    match end {
        Terminator::Jump(edge) => Some(edge).filter(|_| number == 0),
        Terminator::Branch(_, yes, no) => [yes, no].get(number).copied(),
        Terminator::Switch(_, cases, other) => match cases.get(number) {
            Some((_, edge)) => Some(edge),
            None => Some(other).filter(|_| number == cases.len()),
        },
        Terminator::Return(_) | Terminator::Unreachable => None,
    }
}
