//! What is asked of a function, and how it grows.
//!
//! Enters: a function, values, instructions. Leaves: what stands for a value, what it is made of; new values, instructions and
//! blocks. This module must never know what a pass does.

use super::cfg;
use super::{
    Block, BlockData, DebugLocation, Def, Function, Inst, InstData, Op, Terminator, Type, Value, ValueData,
    Values, resolve,
};

impl Function {
    /// Instructions in its blocks.
    pub(crate) fn size(&self) -> usize {
        self.blocks.iter().map(|block| block.insts.len()).sum()
    }

    /// Leaves no instruction; what it is called by stays.
    pub(crate) fn clear(&mut self) {
        self.blocks.truncate(1);
        for entry in &mut self.blocks {
            entry.insts.clear();
            entry.end = Terminator::Return(vec![]);
        }
    }

    /// The value that stands for this one after replacements.
    pub(crate) fn resolve(&self, value: Value) -> Value {
        resolve(&self.values, value)
    }

    /// Puts a value in another's place everywhere.
    pub(crate) fn replace(&mut self, value: Value, with: Value) {
        self.values[value.index()].def = Def::Alias(with);
        self.replaced = true;
    }

    /// Sets every operand to the value that stands for it.
    pub(crate) fn resolve_operands(&mut self) {
        if !std::mem::take(&mut self.replaced) {
            debug_assert!(self.resolved(), "a value was used after another had taken its place");
            return;
        }
        let Function { values, insts, blocks, .. } = self;
        let resolve = |value: &mut Value| *value = resolve(values, *value);
        for block in blocks {
            for inst in &block.insts {
                insts[inst.index()].args.iter_mut().for_each(resolve);
            }
            block.end.for_each_use_mut(resolve);
        }
    }

    /// The same after a walk over all instructions that are reached, which set theirs: only ends are left. Blocks that nothing
    /// reaches are emptied, since no one walked over them.
    pub(crate) fn resolve_ends(&mut self, cfg: &cfg::Cfg) {
        if !std::mem::take(&mut self.replaced) {
            return;
        }
        let Function { values, blocks, .. } = self;
        for (at, block) in blocks.iter_mut().enumerate() {
            if cfg.reachable(Block(at as u32)) {
                block.end.for_each_use_mut(|value| *value = resolve(values, *value));
            } else {
                *block = BlockData::default();
            }
        }
        debug_assert!(self.resolved(), "an instruction uses a value that another has taken the place of");
    }

    fn resolved(&self) -> bool {
        let own = |value: Value| !matches!(self.values[value.index()].def, Def::Alias(_));
        self.blocks.iter().all(|block| {
            block.end.uses().all(own)
                && block.insts.iter().all(|inst| self.insts[inst.index()].args.iter().copied().all(own))
        })
    }

    /// Type of a value.
    pub(crate) fn ty(&self, value: Value) -> Type {
        self.values[value.index()].ty
    }

    /// Bits of a constant.
    pub(crate) fn constant(&self, value: Value) -> Option<u64> {
        match self.values[self.resolve(value).index()].def {
            Def::Constant(bits) => Some(bits.get()),
            Def::Result(..) | Def::Param(..) | Def::Undefined | Def::Alias(_) => None,
        }
    }

    /// The pointer and the bytes of which a pointer is the sum, where it is one ([`Op::Offset`]).
    pub(crate) fn offset_of(&self, pointer: Value) -> Option<(Value, Value)> {
        let Def::Result(inst, _) = self.values[self.resolve(pointer).index()].def else { return None };
        let InstData { op, args, .. } = &self.insts[inst.index()];
        matches!(op, Op::Offset).then(|| (self.resolve(args[0]), args[1]))
    }

    /// Where a pointer leads: a constant number of bytes from another one, which is no such distance from a further one.
    pub(crate) fn root_of(&self, pointer: Value) -> (Value, i64) {
        let (mut root, mut at) = (self.resolve(pointer), 0i64);
        while let Some((from, by)) = self.offset_of(root)
            && let Some(by) = self.constant(by)
        {
            (root, at) = (from, at.wrapping_add(by as i64));
        }
        (root, at)
    }

    /// The pointer from which another is made by whatever is added.
    pub(crate) fn base_of(&self, pointer: Value) -> Value {
        let mut base = self.resolve(pointer);
        while let Some((from, _)) = self.offset_of(base) {
            base = from;
        }
        base
    }

    /// Adds a value.
    pub(crate) fn value(&mut self, ty: Type, def: Def) -> Value {
        let value = Value(self.values.len() as u32);
        self.values.push(ValueData { ty, def });
        value
    }

    /// Adds an instruction, in no block yet; gives it results of the types named.
    pub(crate) fn inst(
        &mut self,
        op: Op,
        args: impl Into<Values>,
        results: &[Type],
        place: DebugLocation,
    ) -> Inst {
        self.new_inst(op, args.into(), results, place)
    }

    /// Address that many bytes after a pointer, as a new instruction at the end of a list where they are not 0.
    pub(crate) fn offset(
        &mut self,
        pointer: Value,
        by: u64,
        place: DebugLocation,
        out: &mut Vec<Inst>,
    ) -> Value {
        if by == 0 {
            return pointer;
        }
        let by = self.value(Type::I64, Def::constant(by));
        let inst = self.inst(Op::Offset, [pointer, by], &[self.ty(pointer)], place);
        out.push(inst);
        self.insts[inst.index()].results[0]
    }

    fn new_inst(&mut self, op: Op, args: Values, results: &[Type], place: DebugLocation) -> Inst {
        let inst = Inst(self.insts.len() as u32);
        let results =
            results.iter().enumerate().map(|(n, ty)| self.value(*ty, Def::Result(inst, n as u32))).collect();
        self.insts.push(InstData { op, args, results, place });
        inst
    }

    /// Adds a block without instructions, whose end is not known yet.
    pub(crate) fn block(&mut self) -> Block {
        self.blocks.push(BlockData::default());
        Block(self.blocks.len() as u32 - 1)
    }

    /// Adds a parameter to a block; edges to it must be extended by anyone who does so.
    pub(crate) fn block_param(&mut self, block: Block, ty: Type) -> Value {
        let number = self.blocks[block.index()].params.len() as u32;
        let value = self.value(ty, Def::Param(block, number));
        self.blocks[block.index()].params.push(value);
        value
    }
}
