//! How often a loop comes back, as a value that is computed before it.
//!
//! Enters: a loop that tests at its end. Leaves: what its test counts (LLVM's backedge-taken count), where a counter goes by an
//! even step to a bound that stays, and cannot wrap around on its way. This module must never change the loop.

use super::form::Form;
use crate::ir::cfg::Cfg;
use crate::ir::{Binary, Block, Compare, DebugLocation, Def, Function, Op, Terminator, Type, Value, Wrap};
use crate::passes::effects::{Effect, effect};
use crate::passes::simplify::swapped;
use crate::passes::{fold, known};

/// What a counter is increased by each iteration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Increment {
    /// So much, more or less than 0.
    By(i64),
    /// A value that does not change within the loop, more than 0: otherwise the counter would overflow, or the loop, which does
    /// nothing that others could see but to store, would never end; C forbids both.
    Value(Value),
}

/// Loop that stays as long as `counter + ahead` and a bound compare so.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Counted {
    compare: Compare,
    bound: Value,
    /// The counter in the first iteration.
    start: Value,
    step: Increment,
    /// Whether the test looks at the counter of the next iteration: then the test before the loop was the same for the first.
    next: bool,
    ty: Type,
}

/// Counts a loop whose only way out is its last block's branch.
pub(crate) fn of(function: &Function, form: &Form) -> Option<Counted> {
    let Terminator::Branch(test, yes, _) = &function.blocks[form.latch.index()].end else { return None };
    let Def::Result(inst, _) = function.values[function.resolve(*test).index()].def else { return None };
    let data = &function.insts[inst.index()];
    let (Op::Compare(compare), [a, b]) = (&data.op, data.args.as_slice()) else { return None };
    let compare = if yes.block == form.header { *compare } else { compare.inverted() };
    let varies = Varies::new(function, form);
    let (a, b) = (function.resolve(*a), function.resolve(*b));
    let (compare, counter, bound) = match (varies.of(function, a), varies.of(function, b)) {
        (true, false) => (compare, a, b),
        (false, true) => (swapped(compare), b, a),
        (true, true) | (false, false) => return None,
    };
    let ty = function.ty(counter);
    if !matches!(ty, Type::I32 | Type::I64) {
        return None;
    }
    let (number, next) = number_of(function, form, counter)?;
    let arg = |from: Block| {
        let edge = function.blocks[from.index()].end.edges().find(|edge| edge.block == form.header)?;
        edge.args.get(number).map(|value| function.resolve(*value))
    };
    let param = *function.blocks[form.header.index()].params.get(number)?;
    let (step, wrap) = step(function, &varies, param, arg(form.latch)?)?;
    if matches!(step, Increment::Value(by) if !positive(function, by)) && !ends(function, form) {
        return None;
    }
    let counted = Counted { compare, bound, start: arg(form.preheader)?, step, next, ty };
    counted.arrives(wrap).then_some(counted)
}

/// The header's parameter that a value is, or is the next iteration's of, and which of the two.
fn number_of(function: &Function, form: &Form, counter: Value) -> Option<(usize, bool)> {
    let params = &function.blocks[form.header.index()].params;
    if let Some(number) = params.iter().position(|param| *param == counter) {
        return Some((number, false));
    }
    let edge = function.blocks[form.latch.index()].end.edges().find(|edge| edge.block == form.header)?;
    edge.args.iter().position(|arg| function.resolve(*arg) == counter).map(|number| (number, true))
}

fn step(function: &Function, varies: &Varies, param: Value, next: Value) -> Option<(Increment, Wrap)> {
    let Def::Result(inst, _) = function.values[next.index()].def else { return None };
    let data = &function.insts[inst.index()];
    let (Op::Binary(Binary::Add(wrap)), [a, b]) = (&data.op, data.args.as_slice()) else { return None };
    let (a, b) = (function.resolve(*a), function.resolve(*b));
    let by = if a == param {
        b
    } else if b == param {
        a
    } else {
        return None;
    };
    match function.constant(by) {
        Some(0) => None,
        Some(bits) => Some((Increment::By(fold::signed(function.ty(by), bits)), *wrap)),
        None if !varies.of(function, by) => Some((Increment::Value(by), *wrap)),
        None => None,
    }
}

/// Whether a number is known to be more than 0, whatever its sign is taken for.
fn positive(function: &Function, value: Value) -> bool {
    let Def::Result(inst, _) = function.values[function.resolve(value).index()].def else { return false };
    let data = &function.insts[inst.index()];
    let more = matches!(data.op, Op::Binary(Binary::Add(_) | Binary::Or))
        && data.args.iter().any(|arg| function.constant(*arg).is_some_and(|bits| bits != 0))
        && data.args.iter().all(|arg| known::non_negative(function, *arg));
    more && known::non_negative(function, value)
}

/// Whether C says that a loop ends, since no one could tell otherwise that it does not: it does no more than to load and store
/// (LLVM's `loopHasNoSideEffects`, with what NVRTC makes of assembly and of loads that name a cache).
fn ends(function: &Function, form: &Form) -> bool {
    let insts = form.blocks.iter().flat_map(|block| &function.blocks[block.index()].insts);
    insts.map(|inst| &function.insts[inst.index()].op).all(|op| match effect(op) {
        Effect::Pure => !matches!(op, Op::Asm(_)),
        Effect::Read => matches!(op, Op::Load(_)),
        Effect::Write => match op {
            Op::Store(access) => !access.volatile,
            op => matches!(op, Op::Copy { .. } | Op::Zero { .. }),
        },
        Effect::Update | Effect::Warp | Effect::State | Effect::Fence | Effect::Barrier | Effect::End => {
            false
        }
    })
}

/// Values that a loop defines.
struct Varies(Vec<bool>);

impl Varies {
    fn new(function: &Function, form: &Form) -> Varies {
        let mut varies = vec![false; function.values.len()];
        for block in &form.blocks {
            let data = &function.blocks[block.index()];
            let results = data.insts.iter().flat_map(|inst| function.insts[inst.index()].results.iter());
            for value in data.params.iter().chain(results) {
                varies[value.index()] = true;
            }
        }
        Varies(varies)
    }

    fn of(&self, function: &Function, value: Value) -> bool {
        self.0.get(function.resolve(value).index()) != Some(&false)
    }
}

impl Counted {
    /// Whether the counter comes to the bound without wrapping around before.
    fn arrives(&self, wrap: Wrap) -> bool {
        use Compare::{Ne, SGe, SGt, SLe, SLt, UGe, UGt, ULe, ULt};
        let by = match self.step {
            Increment::By(by) => by,
            Increment::Value(_) => return wrap.nsw && matches!(self.compare, SLt | SLe),
        };
        match self.compare {
            Ne => by == 1 || by == -1,
            SLt => by == 1 || by > 0 && wrap.nsw,
            SGt => by == -1 || by < 0 && wrap.nsw,
            ULt => by == 1 || by > 0 && wrap.nuw,
            UGt => by == -1,
            SLe => by > 0 && wrap.nsw,
            SGe => by < 0 && wrap.nsw,
            ULe => by > 0 && wrap.nuw,
            UGe => false,
            _ => false,
        }
    }

    /// Type of the count.
    pub(crate) fn ty(&self) -> Type {
        self.ty
    }

    /// Turns that the loop has at most, where that is known.
    pub(crate) fn most(&self, function: &Function) -> Option<u64> {
        use Compare::{SGe, SGt, SLe, SLt, UGe, UGt, ULe, ULt};
        let signed = matches!(self.compare, SLt | SLe | SGt | SGe);
        let most = |value: Value| match signed {
            true => known::at_most(function, value).map(i128::from),
            false => Some(i128::from(!known::zeros(function, value) & fold::mask(self.ty))),
        };
        let least = |value: Value| {
            let bits = function.constant(value)?;
            Some(if signed { i128::from(self.signed(bits)) } else { i128::from(bits) })
        };
        let Increment::By(by) = self.step else { return None };
        let way = match self.compare {
            SLt | ULt => most(self.bound)? - least(self.start)?,
            SLe | ULe => most(self.bound)? - least(self.start)? + 1,
            SGt | UGt => most(self.start)? - least(self.bound)?,
            SGe | UGe => most(self.start)? - least(self.bound)? + 1,
            _ => return None,
        };
        // The loop is entered before it tests.
        Some((way.max(1) as u128).div_ceil(u128::from(by.unsigned_abs())) as u64)
    }

    /// Appends to a loop's preheader what computes how often the loop comes back: its iterations less 1, as an unsigned number.
    pub(crate) fn emit(&self, function: &mut Function, form: &Form, place: DebugLocation) -> Value {
        let proven = self.next && self.guarded(function, form.preheader);
        let mut at = Before { function, block: form.preheader, place };
        let number = |at: &mut Before<'_>, number: i64| at.constant(self.ty, number);
        let one = number(&mut at, 1);
        let by = match self.step {
            Increment::By(by) => number(&mut at, by),
            Increment::Value(by) => by,
        };
        // What the first test looks at.
        let first =
            if self.next { at.binary(Binary::Add(Wrap::default()), self.start, by) } else { self.start };
        let down = matches!(self.step, Increment::By(by) if by < 0);
        let far = |at: &mut Before<'_>, from: Value| {
            let (to, from) = if down { (from, self.bound) } else { (self.bound, from) };
            at.binary(Binary::Sub(Wrap::default()), to, from)
        };
        if self.compare == Compare::Ne {
            return far(&mut at, first);
        }
        let inclusive = matches!(self.compare, Compare::SLe | Compare::SGe | Compare::ULe | Compare::UGe);
        let size = match self.step {
            Increment::By(by) => Some(by.unsigned_abs()),
            Increment::Value(_) => None,
        };
        if size == Some(1) && !inclusive {
            // As far as the bound, if it is not beyond it.
            let distance = far(&mut at, first);
            return if proven { distance } else { self.unless_beyond(&mut at, first, distance) };
        }
        // Whole steps from the last value that was tested and stayed, or from the first if it stays.
        let from = if proven { self.start } else { first };
        let mut distance = far(&mut at, from);
        if !inclusive {
            distance = at.binary(Binary::Sub(Wrap::default()), distance, one);
        }
        let size = size.map_or(by, |size| number(&mut at, size as i64));
        let steps = at.binary(Binary::UDiv, distance, size);
        if proven {
            return steps;
        }
        let count = at.binary(Binary::Add(Wrap::default()), steps, one);
        self.unless_beyond(&mut at, first, count)
    }

    fn unless_beyond(&self, at: &mut Before<'_>, first: Value, count: Value) -> Value {
        let stays = at.compare(self.compare, first, self.bound);
        let none = at.constant(self.ty, 0);
        at.add(Op::Select, &[stays, count, none], self.ty)
    }

    /// Whether a branch before the loop has found that the counter's first value and the bound compare so.
    fn guarded(&self, function: &Function, preheader: Block) -> bool {
        /// Most blocks to walk back.
        const MOST: u32 = 8;
        let cfg = Cfg::new(function);
        let mut block = preheader;
        for _ in 0..MOST {
            let [before] = cfg.preds(block) else { return false };
            if let Terminator::Branch(test, yes, no) = &function.blocks[before.index()].end
                && yes.block != no.block
                && self.implied(function, *test, yes.block == block)
            {
                return true;
            }
            block = *before;
        }
        false
    }

    fn implied(&self, function: &Function, test: Value, holds: bool) -> bool {
        let Def::Result(inst, _) = function.values[function.resolve(test).index()].def else { return false };
        let data = &function.insts[inst.index()];
        let (Op::Compare(op), [a, b]) = (&data.op, data.args.as_slice()) else { return false };
        let op = if holds { *op } else { op.inverted() };
        let (a, b) = (function.resolve(*a), function.resolve(*b));
        let same = |x: Value, y: Value| {
            x == y || function.constant(x).is_some_and(|bits| function.constant(y) == Some(bits))
        };
        let one_way = |op: Compare, a: Value, b: Value| {
            if op == self.compare && same(a, self.start) && same(b, self.bound) {
                return true;
            }
            // n >= s + 1 says s < n, for constants.
            let (Some(start), Some(bits)) = (function.constant(self.start), function.constant(a)) else {
                return false;
            };
            let (start, bits) = (self.signed(start), self.signed(bits));
            same(b, self.bound)
                && match (self.compare, op) {
                    (Compare::SLt, Compare::SLe) => bits == start.wrapping_add(1) && bits > start,
                    (Compare::SLe, Compare::SLt) => bits == start.wrapping_sub(1) && bits < start,
                    (Compare::SGt, Compare::SGe) => bits == start.wrapping_sub(1) && bits < start,
                    (Compare::SGe, Compare::SGt) => bits == start.wrapping_add(1) && bits > start,
                    (Compare::ULt, Compare::Ne) => start == 0 && bits == 0,
                    _ => false,
                }
        };
        one_way(op, a, b) || one_way(swapped(op), b, a)
    }

    fn signed(&self, bits: u64) -> i64 {
        fold::signed(self.ty, bits)
    }
}

/// DebugLocation at the end of a block, to add instructions.
pub(super) struct Before<'a> {
    pub(super) function: &'a mut Function,
    pub(super) block: Block,
    pub(super) place: DebugLocation,
}

impl Before<'_> {
    pub(super) fn constant(&mut self, ty: Type, number: i64) -> Value {
        let bits = if ty == Type::I32 { u64::from(number as u32) } else { number as u64 };
        self.function.value(ty, Def::constant(bits))
    }

    pub(super) fn add(&mut self, op: Op, args: &[Value], ty: Type) -> Value {
        let inst = self.function.inst(op, args.to_vec(), &[ty], self.place);
        self.function.blocks[self.block.index()].insts.push(inst);
        self.function.insts[inst.index()].results[0]
    }

    pub(super) fn binary(&mut self, op: Binary, a: Value, b: Value) -> Value {
        let ty = self.function.ty(a);
        self.add(Op::Binary(op), &[a, b], ty)
    }

    pub(super) fn compare(&mut self, op: Compare, a: Value, b: Value) -> Value {
        self.add(Op::Compare(op), &[a, b], Type::Pred)
    }
}
