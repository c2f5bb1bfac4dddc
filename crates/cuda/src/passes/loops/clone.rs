//! Copies of blocks within a function.
//!
//! Enters: blocks and what stands for some of their values. Leaves: copies of their instructions with new results.

use crate::ir::{Block, BlockData, Edge, Function, InstData, Terminator, Value};

/// Values, and blocks, of the original with those of the copy.
#[derive(Clone, Debug, Default)]
pub(crate) struct Map {
    values: std::collections::HashMap<Value, Value>,
    blocks: std::collections::HashMap<Block, Block>,
}

impl Map {
    /// Lets one value stand for another in the copy.
    pub(crate) fn value(&mut self, original: Value, copy: Value) {
        self.values.insert(original, copy);
    }

    /// Lets one block stand for another in the copy.
    pub(crate) fn block(&mut self, original: Block, copy: Block) {
        self.blocks.insert(original, copy);
    }

    /// The copy of a value; values that were not copied stand for themselves.
    pub(crate) fn of(&self, function: &Function, value: Value) -> Value {
        let value = function.resolve(value);
        self.values.get(&value).copied().unwrap_or(value)
    }

    /// The copy of a block.
    pub(crate) fn of_block(&self, block: Block) -> Block {
        self.blocks.get(&block).copied().unwrap_or(block)
    }

    /// An edge with what stands for its block and its values.
    pub(crate) fn of_edge(&self, function: &Function, edge: &Edge) -> Edge {
        let args = edge.args.iter().map(|arg| self.of(function, *arg)).collect();
        Edge { block: self.of_block(edge.block), args }
    }

    /// The end of a block with what stands for its blocks and values.
    pub(crate) fn of_end(&self, function: &Function, end: &Terminator) -> Terminator {
        match end {
            Terminator::Jump(edge) => Terminator::Jump(self.of_edge(function, edge)),
            Terminator::Branch(value, yes, no) => Terminator::Branch(
                self.of(function, *value),
                self.of_edge(function, yes),
                self.of_edge(function, no),
            ),
            Terminator::Switch(value, cases, other) => Terminator::Switch(
                self.of(function, *value),
                cases.iter().map(|(bits, edge)| (*bits, self.of_edge(function, edge))).collect(),
                self.of_edge(function, other),
            ),
            Terminator::Return(value) => Terminator::Return(value.map(|value| self.of(function, value))),
            Terminator::Unreachable => Terminator::Unreachable,
        }
    }

    /// Appends copies of a block's instructions to another block.
    pub(crate) fn insts(&mut self, function: &mut Function, from: Block, to: Block) {
        for inst in function.blocks[from.index()].insts.clone() {
            let InstData { op, args, results, place } = function.insts[inst.index()].clone();
            let args: crate::ir::Values = args.iter().map(|arg| self.of(function, *arg)).collect();
            let types: Vec<_> = results.iter().map(|result| function.ty(*result)).collect();
            let copy = function.inst(op, args, &types, place);
            for (original, new) in results.iter().zip(&function.insts[copy.index()].results) {
                self.value(*original, *new);
            }
            function.blocks[to.index()].insts.push(copy);
        }
    }

    /// Copies blocks that keep their parameters, except `entry`, whose parameters stand for what the map says already. The
    /// copies' ends lead to copies where there are, and elsewhere to the originals.
    pub(crate) fn blocks(&mut self, function: &mut Function, blocks: &[Block], entry: Block) {
        for block in blocks {
            let copy = function.block();
            self.block(*block, copy);
            if *block != entry {
                for param in function.blocks[block.index()].params.clone() {
                    let ty = function.ty(param);
                    let new = function.block_param(copy, ty);
                    self.value(param, new);
                }
            }
        }
        for block in blocks {
            let copy = self.of_block(*block);
            self.insts(function, *block, copy);
        }
        for block in blocks {
            let copy = self.of_block(*block);
            let BlockData { end, end_place, unroll, .. } = function.blocks[block.index()].clone();
            let end = self.of_end(function, &end);
            let data = &mut function.blocks[copy.index()];
            (data.end, data.end_place, data.unroll) = (end, end_place, unroll);
        }
    }
}
