//! Copies of blocks within a function.
//!
//! Enters: blocks and what stands for some of their values. Leaves: copies of their instructions with new results.

use crate::ir::{Block, Def, Edge, Function, Inst, InstData, Terminator, Value, Values};
use crate::passes::simplify;

/// Values, and blocks, of the original with those of the copy: by number, the highest where nothing stands for it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Map {
    values: Vec<Value>,
    blocks: Vec<Block>,
}

const NO_VALUE: Value = Value(u32::MAX);
const NO_BLOCK: Block = Block(u32::MAX);

impl Map {
    /// Lets one value stand for another in the copy.
    pub(crate) fn value(&mut self, original: Value, copy: Value) {
        if self.values.len() <= original.index() {
            self.values.resize((original.index() + 1).next_power_of_two(), NO_VALUE);
        }
        self.values[original.index()] = copy;
    }

    /// Lets one block stand for another in the copy.
    pub(crate) fn block(&mut self, original: Block, copy: Block) {
        if self.blocks.len() <= original.index() {
            self.blocks.resize((original.index() + 1).next_power_of_two(), NO_BLOCK);
        }
        self.blocks[original.index()] = copy;
    }

    /// The copy of a value; values that were not copied stand for themselves.
    pub(crate) fn of(&self, function: &Function, value: Value) -> Value {
        let value = function.resolve(value);
        self.values.get(value.index()).copied().filter(|copy| *copy != NO_VALUE).unwrap_or(value)
    }

    /// The copy of a block.
    pub(crate) fn of_block(&self, block: Block) -> Block {
        self.blocks.get(block.index()).copied().filter(|copy| *copy != NO_BLOCK).unwrap_or(block)
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
            Terminator::Return(values) => {
                Terminator::Return(values.iter().map(|value| self.of(function, *value)).collect())
            }
            Terminator::Unreachable => Terminator::Unreachable,
        }
    }

    /// Appends copies of a block's instructions to another block. What is constant in the copy is folded on the way: most of
    /// an unrolled loop's addresses are.
    pub(crate) fn insts(&mut self, function: &mut Function, from: Block, to: Block) {
        let insts = std::mem::take(&mut function.blocks[from.index()].insts);
        let mut out = std::mem::take(&mut function.blocks[to.index()].insts);
        out.reserve(insts.len());
        for inst in &insts {
            self.inst(function, *inst, &mut out);
        }
        function.blocks[from.index()].insts = insts;
        function.blocks[to.index()].insts = out;
    }

    fn inst(&mut self, function: &mut Function, inst: Inst, out: &mut Vec<Inst>) {
        let InstData { op, args, results, place } = &function.insts[inst.index()];
        let mut args = args.clone();
        args.iter_mut().for_each(|arg| *arg = self.of(function, *arg));
        if let [result] = *results.as_slice() {
            let ty = function.ty(result);
            let plain = simplify::plain(function, op, &args, ty);
            if let Some(plain) = plain {
                let copy = plain.value(function, ty);
                self.value(result, copy);
                return;
            }
        }
        let (op, results, place) = (op.clone(), results.clone(), *place);
        let copy = Inst(function.insts.len() as u32);
        let mut copies = Values::default();
        for (number, original) in results.iter().enumerate() {
            let new = function.value(function.ty(*original), Def::Result(copy, number as u32));
            copies.push(new);
            self.value(*original, new);
        }
        function.insts.push(InstData { op, args, results: copies, place });
        out.push(copy);
    }

    /// Copies blocks that keep their parameters, except `entry`, whose parameters stand for what the map says already. The
    /// copies' ends lead to copies where there are, and elsewhere to the originals.
    pub(crate) fn blocks(&mut self, function: &mut Function, blocks: &[Block], entry: Block) {
        for block in blocks {
            let copy = function.block();
            self.block(*block, copy);
            if *block != entry {
                for at in 0..function.blocks[block.index()].params.len() {
                    let param = function.blocks[block.index()].params[at];
                    let new = function.block_param(copy, function.ty(param));
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
            let data = &function.blocks[block.index()];
            let (end_place, unroll, held) = (data.end_place, data.unroll, data.held);
            let end = self.of_end(function, &data.end);
            let data = &mut function.blocks[copy.index()];
            (data.end, data.end_place, data.unroll, data.held) = (end, end_place, unroll, held);
        }
    }
}
