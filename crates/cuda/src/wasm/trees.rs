//! Which instructions are written where their result is used.
//!
//! Enters: a function. Leaves: which of its instructions are written at all, each at its own place or as an operand of its only
//! user: a stack machine has operands for nothing, and comparisons become part of a branch so. What depends on memory, or may
//! fault, is not moved across what writes memory or calls.

use crate::builtin::Meaning;
use crate::ir::cfg::Cfg;
use crate::ir::{Binary, Block, Convert, Def, Function, GlobalId, Inst, Op, Terminator, Type, Value};
use crate::passes::effects::{Effect, effect};

/// Most instructions from a use down to its last operand.
const DEPTH: u32 = 40;

/// Place of a use on one of several edges that leave a block: what is written there is not computed on the others.
const SOMETIMES: u32 = u32::MAX;

/// What a constant address is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Base {
    /// A slot, by its value.
    Slot(Value),
    /// A variable.
    Global(GlobalId),
}

/// What a function's code consists of.
pub(super) struct Trees {
    /// By value: reads of it by what is written.
    pub(super) uses: Vec<u32>,
    /// By instruction: how it is written.
    written: Vec<Written>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Written {
    /// Not at all.
    Never,
    /// At its place.
    Here,
    /// As the operand of its user.
    Inline,
}

impl Trees {
    /// Decides for every instruction of a function whose operands are resolved.
    pub(super) fn new(function: &Function, cfg: &Cfg) -> Trees {
        let mut needs = Needs {
            function,
            cfg,
            uses: vec![0; function.values.len()],
            user: vec![None; function.values.len()],
            written: vec![Written::Never; function.insts.len()],
            places: vec![(Block(0), 0); function.insts.len()],
            work: vec![],
        };
        needs.find();
        let Needs { uses, user, mut written, .. } = needs;
        for block in &cfg.order {
            place(function, *block, &uses, &user, &mut written);
        }
        let mut depths = vec![0; function.insts.len()];
        for block in &cfg.order {
            for inst in &function.blocks[block.index()].insts {
                if written[inst.index()] == Written::Never {
                    continue;
                }
                let mut depth = 0;
                for value in operands(function, *inst) {
                    if let Def::Result(of, _) = function.values[value.index()].def
                        && written[of.index()] == Written::Inline
                    {
                        depth = depth.max(depths[of.index()] + 1);
                    }
                }
                if depth >= DEPTH && written[inst.index()] == Written::Inline {
                    written[inst.index()] = Written::Here;
                }
                depths[inst.index()] = depth;
            }
        }
        Trees { uses, written }
    }

    /// Whether an instruction is written at its place.
    pub(super) fn here(&self, inst: Inst) -> bool {
        self.written[inst.index()] == Written::Here
    }

    /// Whether an instruction is written at all.
    pub(super) fn written(&self, inst: Inst) -> bool {
        self.written[inst.index()] != Written::Never
    }

    /// The instruction that is written in the place of a value.
    pub(super) fn inline(&self, function: &Function, value: Value) -> Option<Inst> {
        match function.values[value.index()].def {
            Def::Result(inst, _) if self.written[inst.index()] == Written::Inline => Some(inst),
            _ => None,
        }
    }

    /// Calls a function with each value that an instruction's code reads from where it is kept.
    pub(super) fn leaves(&self, function: &Function, inst: Inst, mut with: impl FnMut(Value)) {
        let mut stack = operands(function, inst);
        while let Some(value) = stack.pop() {
            match self.inline(function, value) {
                Some(inst) => stack.extend(operands(function, inst)),
                None => with(value),
            }
        }
    }

    /// The same for the code of an operand.
    pub(super) fn leaves_of(&self, function: &Function, value: Value, mut with: impl FnMut(Value)) {
        if !is_made(function, value) {
            return;
        }
        match self.inline(function, value) {
            Some(inst) => self.leaves(function, inst, with),
            None => with(value),
        }
    }
}

/// Where an address is, if it is a constant distance from the beginning of a slot or a variable.
pub(super) fn fixed(function: &Function, pointer: Value) -> Option<(Base, i64)> {
    if !matches!(function.ty(pointer), Type::Ptr(_) | Type::I64) {
        return None;
    }
    let (root, at) = function.root_of(pointer);
    let Def::Result(inst, _) = function.values[root.index()].def else { return None };
    match function.insts[inst.index()].op {
        Op::Slot { .. } => Some((Base::Slot(root), at)),
        Op::Global(id) => Some((Base::Global(id), at)),
        _ => None,
    }
}

/// Whether a value is kept somewhere or computed, rather than a constant that every use writes for itself.
pub(super) fn is_made(function: &Function, value: Value) -> bool {
    match function.values[value.index()].def {
        Def::Constant(_) | Def::Undefined => false,
        Def::Param(..) | Def::Alias(_) => true,
        Def::Result(inst, _) => {
            !matches!(function.insts[inst.index()].op, Op::Function(_)) && fixed(function, value).is_none()
        }
    }
}

/// How many of an instruction's operands are addresses that it accesses.
fn addresses(op: &Op) -> usize {
    match op {
        Op::Load(_) | Op::Store(_) | Op::Zero { .. } => 1,
        Op::Copy { .. } => 2,
        Op::Builtin(row, _) => {
            let meaning = &row.meaning;
            let ordered =
                matches!(meaning, Meaning::AtomicOrdered(_) | Meaning::LoadOrdered | Meaning::StoreOrdered);
            usize::from(ordered)
        }
        _ => 0,
    }
}

/// The values that an instruction's code reads: addresses without what is added to them by the access itself.
fn operands(function: &Function, inst: Inst) -> Vec<Value> {
    let data = &function.insts[inst.index()];
    let accessed = addresses(&data.op);
    let root = |(number, arg): (usize, &Value)| {
        if number < accessed { function.root_of(*arg).0 } else { *arg }
    };
    data.args.iter().enumerate().map(root).filter(|value| is_made(function, *value)).collect()
}

/// Search for what is needed.
struct Needs<'a> {
    function: &'a Function,
    cfg: &'a Cfg,
    uses: Vec<u32>,
    /// By value: block and place of a user.
    user: Vec<Option<(Block, u32)>>,
    written: Vec<Written>,
    /// By instruction: block and place.
    places: Vec<(Block, u32)>,
    work: Vec<(Value, Block, u32)>,
}

impl Needs<'_> {
    fn find(&mut self) {
        let function = self.function;
        for block in &self.cfg.order {
            let data = &function.blocks[block.index()];
            for (at, inst) in data.insts.iter().enumerate() {
                self.places[inst.index()] = (*block, at as u32);
            }
        }
        for block in &self.cfg.order {
            let data = &function.blocks[block.index()];
            for inst in &data.insts {
                if !removable(&function.insts[inst.index()].op) {
                    self.inst(*inst);
                }
            }
            for value in data.end.values() {
                self.work.push((*value, *block, data.insts.len() as u32));
            }
            while let Some((value, block, at)) = self.work.pop() {
                self.value(value, block, at);
            }
        }
    }

    fn inst(&mut self, inst: Inst) {
        if self.written[inst.index()] != Written::Never {
            return;
        }
        self.written[inst.index()] = Written::Here;
        let (block, at) = self.places[inst.index()];
        self.work.extend(operands(self.function, inst).into_iter().map(|value| (value, block, at)));
    }

    fn value(&mut self, value: Value, block: Block, at: u32) {
        if !is_made(self.function, value) {
            return;
        }
        self.uses[value.index()] += 1;
        self.user[value.index()] = Some((block, at));
        if self.uses[value.index()] > 1 {
            return;
        }
        match self.function.values[value.index()].def {
            Def::Result(inst, _) => self.inst(inst),
            Def::Param(block, number) if block != Block(0) => {
                let mut preds = self.cfg.preds(block).to_vec();
                crate::sort::by_key(&mut preds, |pred| *pred);
                preds.dedup();
                for pred in preds {
                    let data = &self.function.blocks[pred.index()];
                    let always = matches!(data.end, Terminator::Jump(_));
                    let at = if always { data.insts.len() as u32 } else { SOMETIMES };
                    for edge in data.end.edges().filter(|edge| edge.block == block) {
                        if let Some(arg) = edge.args.get(number as usize) {
                            self.work.push((*arg, pred, at));
                        }
                    }
                }
            }
            Def::Param(..) | Def::Constant(_) | Def::Undefined | Def::Alias(_) => {}
        }
    }
}

/// Whether an instruction is left out where nothing uses its results. (A load that faults would be missed, but C says nothing of
/// a program that has one; GCC leaves it out too.)
fn removable(op: &Op) -> bool {
    matches!(effect(op), Effect::Pure | Effect::Read)
}

/// Whether an instruction's result depends on when it is computed, or computing it may fault.
fn ordered(op: &Op) -> bool {
    effect(op) != Effect::Pure
        || matches!(op, Op::Binary(Binary::SDiv | Binary::UDiv | Binary::SRem | Binary::URem))
}

/// Decides for a block's instructions which are operands.
fn place(
    function: &Function,
    block: Block,
    uses: &[u32],
    user: &[Option<(Block, u32)>],
    written: &mut [Written],
) {
    let insts = &function.blocks[block.index()].insts;
    // How many instructions before each place others may not move across.
    let mut fences = vec![0u32; insts.len() + 1];
    for (at, inst) in insts.iter().enumerate() {
        let op = &function.insts[inst.index()].op;
        fences[at + 1] = fences[at] + u32::from(!removable(op));
    }
    // Where each is written in the end.
    let mut ends: Vec<u32> = (0..insts.len() as u32).collect();
    for (at, inst) in insts.iter().enumerate().rev() {
        let data = &function.insts[inst.index()];
        let [result] = *data.results.as_slice() else { continue };
        let wanted = written[inst.index()] == Written::Here && uses[result.index()] == 1;
        let Some((_, place)) = user[result.index()].filter(|(home, _)| *home == block && wanted) else {
            continue;
        };
        if !removable(&data.op) || matches!(data.op, Op::Slot { .. } | Op::Global(_) | Op::Function(_)) {
            continue;
        }
        let end = match insts.get(place as usize) {
            Some(user) if written[user.index()] == Written::Inline => ends[place as usize],
            _ => place,
        };
        let free = end != SOMETIMES && fences[end as usize] == fences[at + 1];
        if ordered(&data.op) && !free {
            continue;
        }
        written[inst.index()] = Written::Inline;
        ends[at] = end;
    }
}

/// Puts in place of conversions that change nothing what they convert, and sets all operands to what replaces them.
pub(super) fn prepare(function: &mut Function) {
    function.resolve_operands();
    for block in 0..function.blocks.len() {
        for at in 0..function.blocks[block].insts.len() {
            let inst = function.blocks[block].insts[at];
            let data = &function.insts[inst.index()];
            let ([arg], [result]) = (data.args.as_slice(), data.results.as_slice()) else { continue };
            let (arg, result) = (*arg, *result);
            let same = super::types::of(function.ty(arg)) == super::types::of(function.ty(result));
            if matches!(data.op, Op::Convert(Convert::Space | Convert::Bits)) && same {
                function.replace(result, arg);
            }
        }
    }
    function.resolve_operands();
}
