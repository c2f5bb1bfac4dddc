//! How a function's blocks follow each other, and the moves on the edges between them.
//!
//! Enters: a legal function, its blocks in order, where its values are. Leaves: which blocks are written, under which labels, and
//! what is moved before each leaves.

use super::live::Liveness;
use super::order;
use super::registers::{Registers, has_register};
use super::select::Selection;
use crate::ir::{Block, Def, Function, Terminator, Value};

/// How blocks follow each other.
#[derive(Default)]
pub(super) struct Plan {
    pub(super) layout: Vec<Block>,
    /// Moves at the end of each block, before its branch.
    pub(super) moves: Vec<Vec<(Value, Value)>>,
    /// Block that is written in place of each: itself, or where an empty one leads.
    pub(super) target: Vec<Block>,
    /// Label number of each block.
    pub(super) label: Vec<usize>,
}

impl Plan {
    pub(super) fn new(
        function: &Function,
        layout: Vec<Block>,
        selection: &Selection,
        registers: &Registers,
        live: &Liveness,
    ) -> Self {
        let count = function.blocks.len();
        let mut plan = Plan {
            layout,
            moves: vec![vec![]; count],
            target: (0..count as u32).map(Block).collect(),
            label: vec![0; count],
        };
        for (number, block) in plan.layout.iter().enumerate() {
            plan.label[block.index()] = number;
            let Terminator::Jump(edge) = &function.blocks[block.index()].end else { continue };
            let params = &function.blocks[edge.block.index()].params;
            plan.moves[block.index()] = params
                .iter()
                .zip(&edge.args)
                .filter(|(param, arg)| {
                    let undefined = matches!(function.values[arg.index()].def, Def::Undefined);
                    let same = has_register(function, selection, **arg) && registers.same(**param, **arg);
                    selection.uses[param.index()] > 0 && !undefined && !same
                })
                .map(|(param, arg)| (*param, *arg))
                .collect();
        }
        plan.hoist(function, selection, registers, live);
        plan.skip_empty(function, selection);
        plan
    }

    /// Puts the moves of an edge before the branch that it leaves, where the other way does not mind: there they cost
    /// nothing, while a block of their own costs a jump.
    fn hoist(&mut self, function: &Function, selection: &Selection, registers: &Registers, live: &Liveness) {
        let depth = order::depths(function);
        let mut predecessors = vec![0; function.blocks.len()];
        for edge in self.layout.iter().flat_map(|at| function.blocks[at.index()].end.edges()) {
            predecessors[edge.block.index()] += 1;
        }
        for block in self.layout.clone() {
            let Terminator::Branch(condition, then, other) = &function.blocks[block.index()].end else {
                continue;
            };
            for (edge, beside) in [(then.block, other.block), (other.block, then.block)] {
                let Terminator::Jump(onward) = &function.blocks[edge.index()].end else { continue };
                let bare = function.blocks[edge.index()].insts.iter().all(|inst| !selection.written(*inst));
                let leaves_loop = depth[onward.block.index()] < depth[block.index()];
                if !bare || leaves_loop || predecessors[edge.index()] != 1 {
                    continue;
                }
                let free = self.moves[edge.index()].iter().all(|(param, _)| {
                    registers.sharing(*param).all(|value| !live.enters(value, beside))
                        && !registers.same(*param, *condition)
                });
                if free && self.moves[block.index()].is_empty() {
                    self.moves[block.index()] = std::mem::take(&mut self.moves[edge.index()]);
                }
            }
        }
    }

    /// Finds blocks in which nothing is written, and where they lead.
    fn skip_empty(&mut self, function: &Function, selection: &Selection) {
        let mut next: Vec<Option<Block>> = vec![None; function.blocks.len()];
        for block in self.layout.iter().skip(1) {
            let data = &function.blocks[block.index()];
            if let Terminator::Jump(edge) = &data.end {
                let empty = data.insts.iter().all(|inst| !selection.written(*inst));
                if empty && self.moves[block.index()].is_empty() {
                    next[block.index()] = Some(edge.block);
                }
            }
        }
        for block in &self.layout {
            let (mut at, mut steps) = (*block, 0);
            while let Some(onward) = next[at.index()] {
                at = onward;
                steps += 1;
                if steps > self.layout.len() {
                    // Empty blocks in a circle: a loop that does nothing, for ever.
                    next[block.index()] = None;
                    at = *block;
                }
            }
            self.target[block.index()] = at;
        }
        self.layout.retain(|block| next[block.index()].is_none());
    }
}
