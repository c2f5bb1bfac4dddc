//! Simplification of instructions, as LLVM's `InstCombine`.
//!
//! Enters: a function. Leaves: the same values computed by fewer and cheaper instructions, in forms that other passes can
//! rely on: constants stand on the right, comparisons are strict, a pointer's constant offset is its last. Floats are
//! changed only where every bit stays. A file of this folder holds the rules of one kind of operation.
//!
//! Counter: `local_load_requests`. Of `blocked_2` in lab-4-5 (small sizes) NVRTC's code has 0, ours without the pass 1,024.

mod address;
mod compare;
mod convert;
mod float;
mod integer;
mod plain;
mod select;

pub(crate) use integer::{commutes, swapped};
pub(crate) use plain::plain;

use std::hash::{Hash, Hasher};

use super::{Context, dce, fold};
use crate::builtin::{Meaning, Told};
use crate::hash::Multiply;
use crate::ir::cfg::Cfg;
use crate::ir::{
    Binary, Block, Compare, Convert, DebugLocation, Def, Function, Inst, InstData, Op, Type, Unary, Value,
    Wrap,
};

/// Rounds over a function; each rule makes values simpler, so that few are ever needed.
const ROUNDS: u32 = 8;

/// A function in which nothing is left to be simplified: of what it becomes, only what differs needs to be looked at.
pub(crate) struct Simple {
    /// Types of its values, and how often they are used.
    types: Vec<Type>,
    uses: Vec<u32>,
    /// Hashes of its instructions.
    insts: Vec<u32>,
}

/// Hash of no instruction.
const NO_HASH: u32 = 0;

impl Simple {
    /// A function with the hashes that are known of its instructions.
    fn new(function: &Function, cfg: &Cfg, uses: Vec<u32>, mut insts: Vec<u32>) -> Simple {
        insts.resize(function.insts.len(), NO_HASH);
        for inst in cfg.order.iter().flat_map(|block| &function.blocks[block.index()].insts) {
            let known = &mut insts[inst.index()];
            if *known == NO_HASH {
                *known = hash(&function.insts[inst.index()]);
            }
        }
        Simple { types: function.values.iter().map(|value| value.ty).collect(), uses, insts }
    }
}

/// Hash of what rules see of an instruction.
fn hash(data: &InstData) -> u32 {
    let mut state = Multiply::default();
    std::mem::discriminant(&data.op).hash(&mut state);
    match &data.op {
        Op::Unary(op) => op.hash(&mut state),
        Op::Binary(op) => op.hash(&mut state),
        Op::Compare(op) => op.hash(&mut state),
        Op::Convert(op) => op.hash(&mut state),
        Op::Load(access) | Op::Store(access) => access.hash(&mut state),
        Op::Slot { size, align } | Op::Copy { size, align } | Op::Zero { size, align } => {
            (size, align).hash(&mut state);
        }
        Op::Global(global) => global.hash(&mut state),
        Op::Call(id) | Op::Function(id) => id.hash(&mut state),
        Op::Builtin(row, letter) => (std::ptr::from_ref(*row).addr(), letter).hash(&mut state),
        // No rule is about assembly.
        Op::Select | Op::Fma | Op::Offset | Op::CallIndirect | Op::Asm(_) => {}
    }
    data.args.iter().for_each(|arg| arg.hash(&mut state));
    (state.finish() as u32).max(NO_HASH + 1)
}

/// Simplifies until nothing changes; whether anything did.
#[cfg(test)]
pub(crate) fn run(function: &mut Function, context: &Context<'_>) -> bool {
    let cfg = Cfg::new(function);
    run_since(function, context, &cfg, &mut None)
}

/// Simplifies until nothing changes; whether anything did. What the function was when it was simple last may be known, and is
/// afterwards.
pub(crate) fn run_since(
    function: &mut Function,
    context: &Context<'_>,
    cfg: &Cfg,
    simple: &mut Option<Simple>,
) -> bool {
    function.resolve_operands();
    // Edges stay where they are, whatever becomes of what they pass.
    let (_, uses) = dce::sweep(function, cfg);
    let mut simplifier = Simplifier {
        function,
        context,
        out: Vec::new(),
        place: DebugLocation::default(),
        uses,
        changed: false,
        first: true,
        new: u32::MAX,
        near: Vec::new(),
        hashes: Vec::new(),
        other: Vec::new(),
    };
    if let Some(simple) = simple.take() {
        simplifier.look_since(cfg, simple);
    }
    let (mut any, mut changed) = (false, true);
    for _ in 0..ROUNDS {
        changed = simplifier.round(cfg);
        any |= changed;
        if !changed {
            break;
        }
    }
    let (uses, hashes) = (simplifier.uses, simplifier.hashes);
    if changed {
        function.resolve_operands();
        return any;
    }
    // The last round looked at every instruction one of whose operands had been replaced.
    function.resolve_ends(cfg);
    *simple = Some(Simple::new(function, cfg, uses, hashes));
    any
}

/// How far from a change instructions are looked at again: rules see that many operations at once.
const NEAR: u8 = 3;
/// The same from a change that another pass made: what is known of bits and addresses is found from more of them.
const FAR: u8 = 16;

/// What becomes of an instruction.
enum Change {
    /// It stays.
    Keep,
    /// Its result is another value.
    Value(Value),
    /// It has no result and nothing to do.
    Remove,
}

struct Simplifier<'a> {
    function: &'a mut Function,
    context: &'a Context<'a>,
    /// Instructions of the block so far.
    out: Vec<Inst>,
    /// DebugLocation of the instruction that is looked at.
    place: DebugLocation,
    uses: Vec<u32>,
    /// Whether this round changed anything.
    changed: bool,
    /// Whether this is the first round, which looks at all instructions. Others look at those near what changed.
    first: bool,
    /// Instructions from this number on are new: no one has looked at them.
    new: u32,
    /// By value, in rounds after the first: how near it is to a change, 0 for not at all.
    near: Vec<u8>,
    /// By instruction: its hash, if it is known and no one looked at it since.
    hashes: Vec<u32>,
    /// By instruction: whether it is another than when the function was simple.
    other: Vec<bool>,
}

impl<'a> Simplifier<'a> {
    /// Finds what changed since the function was simple, so that the first round looks at no more than that.
    fn look_since(&mut self, cfg: &Cfg, simple: Simple) {
        let Function { values, insts, blocks, .. } = &*self.function;
        self.near = vec![FAR; values.len()];
        let before = simple.types.iter().zip(&simple.uses);
        let now = values.iter().zip(&self.uses);
        for (near, ((value, used), (ty, before))) in self.near.iter_mut().zip(now.zip(before)) {
            let same = value.ty == *ty && !(*before > 1 && *used == 1);
            *near = if same { 0 } else { FAR };
        }
        self.other = vec![true; insts.len()];
        self.hashes = vec![NO_HASH; insts.len()];
        for inst in cfg.order.iter().flat_map(|block| &blocks[block.index()].insts) {
            if let Some(before) = simple.insts.get(inst.index()) {
                let now = hash(&insts[inst.index()]);
                (self.hashes[inst.index()], self.other[inst.index()]) = (now, now != *before);
            }
        }
        (self.first, self.new) = (false, simple.insts.len() as u32);
    }

    fn round(&mut self, cfg: &Cfg) -> bool {
        self.changed = false;
        let known = self.function.insts.len() as u32;
        for block in &cfg.order {
            self.params(cfg, *block);
            let insts = &self.function.blocks[block.index()].insts;
            let far = insts.iter().take_while(|inst| self.nearness(**inst) == 0).count();
            if far == insts.len() {
                continue;
            }
            let mut insts = std::mem::take(&mut self.function.blocks[block.index()].insts);
            self.out.reserve(insts.len());
            self.out.extend(insts.drain(..far));
            for inst in insts.drain(..) {
                self.inst(inst);
            }
            // The next block's are put where this one's were.
            self.function.blocks[block.index()].insts = std::mem::replace(&mut self.out, insts);
        }
        if !self.changed {
            return false;
        }
        let (_, uses) = dce::sweep(self.function, cfg);
        self.near.clear();
        self.near.resize(self.function.values.len(), 0);
        for ((near, before), now) in self.near.iter_mut().zip(&self.uses).zip(&uses) {
            if *before > 1 && *now == 1 {
                *near = NEAR;
            }
        }
        (self.uses, self.new, self.first) = (uses, known, false);
        self.other.clear();
        true
    }

    /// Removes parameters that have one value whatever edge is taken.
    fn params(&mut self, cfg: &Cfg, block: Block) {
        let count = self.function.blocks[block.index()].params.len();
        if block.index() == 0 || count == 0 {
            return;
        }
        let mut keep = vec![true; count];
        for (n, keep) in keep.iter_mut().enumerate() {
            let param = self.function.blocks[block.index()].params[n];
            if let Some(value) = self.only_value(cfg, block, param, n) {
                self.function.replace(param, value);
                *keep = false;
                self.changed = true;
            }
        }
        if keep.contains(&false) {
            dce::retain_params(self.function, cfg.preds(block), block, &keep);
        }
    }

    fn only_value(&mut self, cfg: &Cfg, block: Block, param: Value, n: usize) -> Option<Value> {
        let mut only: Option<Value> = None;
        let mut undefined = false;
        for pred in cfg.preds(block) {
            for edge in self.function.blocks[pred.index()].end.edges().filter(|edge| edge.block == block) {
                let arg = self.function.resolve(*edge.args.get(n)?);
                if arg == param {
                    continue;
                }
                if self.function.values[arg.index()].def == Def::Undefined {
                    undefined = true;
                    continue;
                }
                match only {
                    Some(known) if !self.same(known, arg) => return None,
                    _ => only = Some(arg),
                }
            }
        }
        match only {
            None => Some(self.function.value(self.function.ty(param), Def::Undefined)),
            // After an edge with an undefined value, only a constant is sure to be there.
            Some(value) if undefined && self.constant(value).is_none() => None,
            Some(value) => Some(value),
        }
    }

    /// Whether two values are the same, or equal constants of one type.
    fn same(&self, a: Value, b: Value) -> bool {
        let (a, b) = (self.function.resolve(a), self.function.resolve(b));
        a == b
            || (self.ty(a) == self.ty(b)
                && self.constant(a).is_some()
                && self.constant(a) == self.constant(b))
    }

    /// How near an instruction is to what changed since it was looked at.
    fn nearness(&self, inst: Inst) -> u8 {
        if self.other.get(inst.index()).is_some_and(|other| *other) {
            return FAR;
        }
        if self.first || inst.0 >= self.new {
            return NEAR;
        }
        let args = &self.function.insts[inst.index()].args;
        let of = |arg: &Value| match self.function.values[arg.index()].def {
            // It was replaced after this instruction, which still has the old one.
            Def::Alias(_) => NEAR,
            Def::Result(..) | Def::Param(..) | Def::Constant(_) | Def::Undefined => {
                self.near.get(arg.index()).copied().unwrap_or(0)
            }
        };
        args.iter().map(of).max().unwrap_or(0)
    }

    fn inst(&mut self, inst: Inst) {
        let near = self.nearness(inst);
        if near == 0 {
            self.out.push(inst);
            return;
        }
        if let Some(hash) = self.hashes.get_mut(inst.index()) {
            *hash = NO_HASH;
        }
        let mut args = std::mem::take(&mut self.function.insts[inst.index()].args);
        for arg in &mut args {
            *arg = self.function.resolve(*arg);
        }
        let data = &self.function.insts[inst.index()];
        self.place = data.place;
        let op = if matches!(data.op, Op::Asm(_)) { None } else { Some(data.op.clone()) };
        let result = data.results.first().copied();
        let single = data.results.len() == 1;
        let change = match (&op, result) {
            (None, _) => Change::Keep,
            (Some(op), Some(result)) if single => self.visit(inst, op, &args, result),
            (Some(op), _) => self.visit_without_result(op, &args),
        };
        // A rule may have exchanged the operands.
        let data = &mut self.function.insts[inst.index()];
        if data.args.is_empty() {
            data.args = args;
        }
        let load = matches!(data.op, Op::Load(_));
        match (change, result) {
            (Change::Value(value), Some(result)) if self.function.resolve(value) != result => {
                self.function.replace(result, value);
                self.changed = true;
            }
            (Change::Remove, _) => self.changed = true,
            _ => {
                if let Some(result) = result
                    && let Some(place) = self.near.get_mut(result.index())
                {
                    // No one asks where a value was loaded from; and of floats, only rules see more than one operation.
                    let next = match self.function.values[result.index()].ty {
                        _ if load => 0,
                        Type::F32 | Type::F64 => near.min(NEAR) - 1,
                        _ => near - 1,
                    };
                    *place = (*place).max(next);
                }
                self.out.push(inst);
            }
        }
    }

    fn visit(&mut self, inst: Inst, op: &Op, args: &[Value], result: Value) -> Change {
        let ty = self.ty(result);
        if let Some(bits) = self.fold(op, args, ty) {
            return Change::Value(self.make_constant(ty, bits));
        }
        let value = match (op, args) {
            (Op::Unary(op), [a]) => self.unary(*op, *a, ty),
            (Op::Binary(op), [a, b]) => self.binary(inst, *op, *a, *b, ty),
            (Op::Compare(op), [a, b]) => self.compare(*op, *a, *b),
            (Op::Select, [p, a, b]) => self.select(*p, *a, *b, ty),
            (Op::Fma, [a, b, c]) => self.fma(*a, *b, *c, ty),
            (Op::Convert(op), [a]) => self.convert(*op, *a, ty),
            (Op::Offset, [pointer, by]) => self.offset(*pointer, *by, ty),
            (Op::Load(access), [pointer]) if !access.volatile => self.load(*pointer, ty),
            (Op::Builtin(row, _), [first, ..]) => match row.meaning {
                Meaning::Told(Told::Expect | Told::Aligned) => Some(*first),
                _ => None,
            },
            _ => None,
        };
        value.map_or(Change::Keep, Change::Value)
    }

    fn visit_without_result(&mut self, op: &Op, args: &[Value]) -> Change {
        match op {
            Op::Builtin(row, _) if row.meaning == Meaning::Told(Told::Assume) => Change::Remove,
            // What is undefined may be what is there already.
            Op::Store(access) if !access.volatile && args.len() == 2 && self.undefined(args[1]) => {
                Change::Remove
            }
            Op::Copy { size: 0, .. } | Op::Zero { size: 0, .. } => Change::Remove,
            Op::Copy { .. } if args.len() == 2 && args[0] == args[1] => Change::Remove,
            _ => Change::Keep,
        }
    }

    fn fold(&self, op: &Op, args: &[Value], ty: Type) -> Option<u64> {
        plain::folded(self.function, op, args, ty)
    }

    fn ty(&self, value: Value) -> Type {
        self.function.ty(self.function.resolve(value))
    }

    fn constant(&self, value: Value) -> Option<u64> {
        self.function.constant(value)
    }

    /// An integer constant with its sign.
    fn signed(&self, value: Value) -> Option<i64> {
        self.constant(value).map(|bits| fold::signed(self.ty(value), bits))
    }

    fn undefined(&self, value: Value) -> bool {
        self.function.values[self.function.resolve(value).index()].def == Def::Undefined
    }

    /// The instruction that defines a value.
    fn defined(&self, value: Value) -> Option<&InstData> {
        match self.function.values[self.function.resolve(value).index()].def {
            Def::Result(inst, 0) => Some(&self.function.insts[inst.index()]),
            Def::Result(..) | Def::Param(..) | Def::Constant(_) | Def::Undefined | Def::Alias(_) => None,
        }
    }

    fn binary_of(&self, value: Value) -> Option<(Binary, Value, Value)> {
        match self.defined(value)? {
            InstData { op: Op::Binary(op), args, .. } if args.len() == 2 => {
                Some((*op, self.function.resolve(args[0]), self.function.resolve(args[1])))
            }
            _ => None,
        }
    }

    fn unary_of(&self, value: Value) -> Option<(Unary, Value)> {
        match self.defined(value)? {
            InstData { op: Op::Unary(op), args, .. } => Some((*op, self.function.resolve(*args.first()?))),
            _ => None,
        }
    }

    fn compare_of(&self, value: Value) -> Option<(Compare, Value, Value)> {
        match self.defined(value)? {
            InstData { op: Op::Compare(op), args, .. } if args.len() == 2 => {
                Some((*op, self.function.resolve(args[0]), self.function.resolve(args[1])))
            }
            _ => None,
        }
    }

    fn convert_of(&self, value: Value) -> Option<(Convert, Value)> {
        match self.defined(value)? {
            InstData { op: Op::Convert(op), args, .. } => Some((*op, self.function.resolve(*args.first()?))),
            _ => None,
        }
    }

    fn select_of(&self, value: Value) -> Option<(Value, Value, Value)> {
        match self.defined(value)? {
            InstData { op: Op::Select, args, .. } if args.len() == 3 => {
                let of = |n: usize| self.function.resolve(args[n]);
                Some((of(0), of(1), of(2)))
            }
            _ => None,
        }
    }

    /// Whether no one but the one who asks uses a value.
    fn one_use(&self, value: Value) -> bool {
        self.uses.get(self.function.resolve(value).index()).is_none_or(|uses| *uses <= 1)
    }

    fn make_constant(&mut self, ty: Type, bits: u64) -> Value {
        self.function.value(ty, Def::constant(bits & fold::mask(ty)))
    }

    fn make(&mut self, op: Op, args: &[Value], ty: Type) -> Value {
        if let Some(bits) = self.fold(&op, args, ty) {
            return self.make_constant(ty, bits);
        }
        let inst = self.function.inst(op, args, &[ty], self.place);
        self.out.push(inst);
        self.function.insts[inst.index()].results[0]
    }

    fn make_binary(&mut self, op: Binary, a: Value, b: Value) -> Value {
        let ty = self.ty(a);
        self.make(Op::Binary(op), &[a, b], ty)
    }

    fn make_compare(&mut self, op: Compare, a: Value, b: Value) -> Value {
        self.make(Op::Compare(op), &[a, b], Type::Pred)
    }

    fn make_convert(&mut self, op: Convert, a: Value, ty: Type) -> Value {
        if self.ty(a) == ty { a } else { self.make(Op::Convert(op), &[a], ty) }
    }
}

/// How often each value is used.
pub(crate) fn uses(function: &Function) -> Vec<u32> {
    let mut uses = vec![0u32; function.values.len()];
    for block in &function.blocks {
        for inst in &block.insts {
            for arg in &function.insts[inst.index()].args {
                uses[function.resolve(*arg).index()] += 1;
            }
        }
        block.end.for_each_use(|value| uses[function.resolve(value).index()] += 1);
    }
    uses
}

/// Of two operations on the same operands, what both promise.
fn both(a: Wrap, b: Wrap) -> Wrap {
    Wrap { nsw: a.nsw && b.nsw, nuw: a.nuw && b.nuw }
}

#[cfg(test)]
mod tests;
