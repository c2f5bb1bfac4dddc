//! Values that grow by the same amount in each iteration of a loop, LLVM's affine recurrences.
//!
//! Enters: a loop in form. Leaves: for a value of 64 bits, or one that is brought to them, what it is in the first iteration and what it
//! grows by. Of 32 bits only what cannot overflow may be brought to 64. This module must never change the loop.

use super::sum::{Extend, Sum};
use crate::hash::Map;
use crate::ir::{Binary, Convert, Def, Function, Inst, Op, Type, Value, Wrap};
use crate::passes::known;
use crate::passes::loops::form::{Form, incoming};

/// Most steps into what a value is made of.
const MOST_STEPS: u32 = 24;

/// Value in each iteration.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Line {
    /// In the first iteration.
    pub(super) start: Sum,
    /// What it grows by.
    pub(super) step: Sum,
}

/// How a parameter of the header goes on.
#[derive(Clone, Debug)]
struct Counter {
    start: Value,
    /// Values that are added, or subtracted, one after the other.
    steps: Vec<(Value, bool)>,
    /// What is known of all of these sums.
    wrap: Wrap,
}

impl Counter {
    /// Whether a counter of 32 bits is never negative: it begins so, grows, and does not overflow.
    fn never_negative(&self, function: &Function) -> bool {
        let grows = |(by, negative): &(Value, bool)| {
            !negative && function.constant(*by).is_some_and(|bits| bits <= i32::MAX as u64)
        };
        self.wrap.nsw
            && function.ty(self.start) == Type::I32
            && known::non_negative(function, self.start)
            && self.steps.iter().all(grows)
    }
}

/// What a loop makes of its values.
pub(super) struct Lines {
    varies: Vec<bool>,
    /// By parameter of the header.
    counters: Map<Value, Counter>,
    known: Map<(Value, Extend), Option<Line>>,
}

impl Lines {
    /// Looks at a loop.
    pub(super) fn new(function: &Function, form: &Form) -> Lines {
        let mut varies = vec![false; function.values.len()];
        for block in &form.blocks {
            let data = &function.blocks[block.index()];
            let results = data.insts.iter().flat_map(|inst| &function.insts[inst.index()].results);
            data.params.iter().chain(results).for_each(|value| varies[value.index()] = true);
        }
        let mut lines = Lines { varies, counters: Map::default(), known: Map::default() };
        let params = &function.blocks[form.header.index()].params;
        let starts = incoming(function, form.preheader, form.header);
        let next = incoming(function, form.latch, form.header);
        for ((param, start), next) in params.iter().zip(starts).zip(next) {
            if let Some(counter) = lines.counter(function, *param, function.resolve(*start), *next) {
                lines.counters.insert(*param, counter);
            }
        }
        lines
    }

    /// Whether the loop defines a value.
    pub(super) fn varies(&self, value: Value) -> bool {
        self.varies.get(value.index()).copied().unwrap_or(true)
    }

    fn counter(&self, function: &Function, param: Value, start: Value, next: Value) -> Option<Counter> {
        let mut counter = Counter { start, steps: Vec::new(), wrap: Wrap { nsw: true, nuw: true } };
        let mut value = function.resolve(next);
        for _ in 0..MOST_STEPS {
            if value == param {
                return (!counter.steps.is_empty()).then_some(counter);
            }
            let Def::Result(inst, _) = function.values[value.index()].def else { return None };
            let data = &function.insts[inst.index()];
            let [a, b] = *data.args.as_slice() else { return None };
            let (wrap, negative) = match data.op {
                Op::Binary(Binary::Add(wrap)) => (wrap, false),
                Op::Binary(Binary::Sub(wrap)) => (wrap, true),
                Op::Offset => (Wrap::default(), false),
                _ => return None,
            };
            let (a, b) = (function.resolve(a), function.resolve(b));
            let (rest, by) = match (self.varies(a), self.varies(b)) {
                (true, false) => (a, b),
                (false, true) if !negative && data.op != Op::Offset => (b, a),
                _ => return None,
            };
            counter.wrap.nsw &= wrap.nsw;
            counter.wrap.nuw &= wrap.nuw;
            counter.steps.push((by, negative));
            value = rest;
        }
        None
    }

    /// What a value of 64 bits is, or one of 32 that is brought to them; `None` if no one knows.
    pub(super) fn of(&mut self, function: &Function, value: Value, extend: Extend) -> Option<Line> {
        self.within(function, value, extend, MOST_STEPS)
    }

    fn within(&mut self, function: &Function, value: Value, extend: Extend, steps: u32) -> Option<Line> {
        let value = function.resolve(value);
        let wanted = match extend {
            Extend::No => matches!(function.ty(value), Type::I64 | Type::Ptr(_)),
            Extend::Signed | Extend::Zero => function.ty(value) == Type::I32,
        };
        if !wanted {
            return None;
        }
        if !self.varies(value) {
            return Some(Line { start: stays(function, value, extend), step: Sum::default() });
        }
        if let Some(line) = self.known.get(&(value, extend)) {
            return line.clone();
        }
        let steps = steps.checked_sub(1)?;
        let line = match function.values[value.index()].def {
            Def::Param(..) => self.param(function, value, extend),
            Def::Result(inst, _) => self.result(function, inst, extend, steps),
            Def::Constant(_) | Def::Undefined | Def::Alias(_) => None,
        };
        self.known.insert((value, extend), line.clone());
        line
    }

    fn param(&self, function: &Function, param: Value, extend: Extend) -> Option<Line> {
        let counter = self.counters.get(&param)?;
        let extended = match extend {
            Extend::No => true,
            Extend::Signed => counter.wrap.nsw,
            Extend::Zero => counter.wrap.nuw || counter.never_negative(function),
        };
        if !extended {
            return None;
        }
        let mut step = Sum::default();
        for (value, negative) in &counter.steps {
            // What a pointer grows by has 64 bits already.
            let one = stays(function, *value, extend);
            step = step.plus(&one.scaled(if *negative { -1 } else { 1 }))?;
        }
        Some(Line { start: stays(function, counter.start, extend), step })
    }

    fn result(&mut self, function: &Function, inst: Inst, extend: Extend, steps: u32) -> Option<Line> {
        let data = &function.insts[inst.index()];
        match (&data.op, data.args.as_slice()) {
            (Op::Offset, [a, b]) => {
                let a = self.within(function, *a, extend, steps)?;
                a.plus(&self.within(function, *b, extend, steps)?, 1)
            }
            (Op::Binary(op @ (Binary::Add(wrap) | Binary::Sub(wrap))), [a, b]) => {
                if !fits(*wrap, extend) && !self.never_negative(function, *op, *wrap, [*a, *b], extend) {
                    return None;
                }
                let a = self.within(function, *a, extend, steps)?;
                let sign = if matches!(op, Binary::Sub(_)) { -1 } else { 1 };
                a.plus(&self.within(function, *b, extend, steps)?, sign)
            }
            (Op::Binary(Binary::Mul(wrap)), [a, b]) if fits(*wrap, extend) => {
                let a = self.within(function, *a, extend, steps)?;
                a.times(&self.within(function, *b, extend, steps)?)
            }
            (Op::Binary(Binary::Shl(wrap)), [a, by]) if fits(*wrap, extend) => {
                let by = function.constant(*by).filter(|by| *by < 31)?;
                let a = self.within(function, *a, extend, steps)?;
                a.times(&Line { start: Sum::number(1 << by), step: Sum::default() })
            }
            (Op::Convert(Convert::SignExtend), [a]) if extend == Extend::No => {
                self.within(function, *a, Extend::Signed, steps)
            }
            (Op::Convert(Convert::ZeroExtend), [a]) if extend == Extend::No => {
                self.within(function, *a, Extend::Zero, steps)
            }
            _ => None,
        }
    }

    /// Whether a sum of unsigned numbers cannot wrap around since both are positive as signed ones, and it does not overflow so.
    fn never_negative(
        &self,
        function: &Function,
        op: Binary,
        wrap: Wrap,
        args: [Value; 2],
        extend: Extend,
    ) -> bool {
        let positive = |value: Value| {
            let value = function.resolve(value);
            known::non_negative(function, value)
                || self.counters.get(&value).is_some_and(|counter| counter.never_negative(function))
        };
        extend == Extend::Zero && matches!(op, Binary::Add(_)) && wrap.nsw && args.into_iter().all(positive)
    }
}

/// Whether an operation whose result is brought to 64 bits may be done in these.
fn fits(wrap: Wrap, extend: Extend) -> bool {
    match extend {
        Extend::No => true,
        Extend::Signed => wrap.nsw,
        Extend::Zero => wrap.nuw,
    }
}

/// Value that the loop does not change.
fn stays(function: &Function, value: Value, extend: Extend) -> Sum {
    let value = function.resolve(value);
    if let Some(bits) = function.constant(value) {
        return Sum::number(match (function.ty(value), extend) {
            (Type::I32, Extend::Signed) => i64::from(bits as i32),
            _ => bits as i64,
        });
    }
    if let (Extend::No, Def::Result(inst, _)) = (extend, function.values[value.index()].def) {
        let data = &function.insts[inst.index()];
        let extend = match data.op {
            Op::Convert(Convert::SignExtend) => Extend::Signed,
            Op::Convert(Convert::ZeroExtend) => Extend::Zero,
            _ => Extend::No,
        };
        if let ([from], Extend::Signed | Extend::Zero) = (data.args.as_slice(), extend)
            && function.ty(*from) == Type::I32
        {
            return stays(function, *from, extend);
        }
    }
    Sum::factor((value, extend))
}

impl Line {
    fn plus(&self, other: &Line, sign: i64) -> Option<Line> {
        let start = self.start.plus(&other.start.scaled(sign))?;
        Some(Line { start, step: self.step.plus(&other.step.scaled(sign))? })
    }

    /// The product, if at most one of the two grows.
    fn times(&self, other: &Line) -> Option<Line> {
        let step = if self.step.is_zero() {
            self.start.times(&other.step)?
        } else if other.step.is_zero() {
            self.step.times(&other.start)?
        } else {
            return None;
        };
        Some(Line { start: self.start.times(&other.start)?, step })
    }
}
