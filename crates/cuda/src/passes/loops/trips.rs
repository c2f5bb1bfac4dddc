//! How often a loop iterates, where that is known.
//!
//! Enters: a loop in its form. Leaves: the number of the iteration in which it leaves by one of its tests. It is found by running what
//! the test depends on, iteration by iteration: no form of induction is needed for that.

use super::form::{Form, incoming};
use crate::ir::loops::Loop;
use crate::ir::{Binary, Block, Compare, Def, Function, Op, Terminator, Type, Value};
use crate::passes::simplify::swapped;
use crate::passes::{fold, known};

/// Test that ends a loop after a known number of iterations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Known {
    /// Block whose branch leaves.
    pub(crate) block: Block,
    /// Number of iterations in which that branch stays, or may: it leaves in the iteration after.
    pub(crate) stays: u32,
    /// Whether it stays in all iterations before.
    pub(crate) exact: bool,
}

/// The first test of a loop that every iteration comes by (the header's or the latch's) and whose outcome is known, within `most` iterations.
pub(crate) fn known(function: &Function, form: &Form, most: u32) -> Option<Known> {
    let first = incoming(function, form.preheader, form.header);
    let next = incoming(function, form.latch, form.header);
    [form.header, form.latch].into_iter().find_map(|block| {
        let (test, stays_if) = test(function, block, |block| form.contains(block))?;
        let leaves = |test: u64| (test != 0) != stays_if;
        let stays = Chain::of(function, form.header, test, next)?.turns(function, first, leaves, most)?;
        Some(Known { block, stays, exact: true })
    })
}

/// The first test of a loop that every iteration comes by, wherever it is (`every`), at which the loop leaves within `most` iterations
/// whatever else it depends on; with `full`, though its outcome may not be known before.
pub(crate) fn bounded(
    function: &Function,
    form: &Form,
    every: impl Fn(Block) -> bool,
    most: u32,
    full: bool,
) -> Option<Known> {
    let first = incoming(function, form.preheader, form.header);
    let next = incoming(function, form.latch, form.header);
    let chain = |value: Value| Chain::of(function, form.header, value, next);
    form.blocks.iter().copied().filter(|block| every(*block)).find_map(|block| {
        let (test, stays_if) = test(function, block, |block| form.contains(block))?;
        let leaves = |test: u64| (test != 0) != stays_if;
        if let Some(chain) = chain(test) {
            let stays = chain.turns(function, first, leaves, most)?;
            return Some(Known { block, stays, exact: true });
        }
        // Of tests that all have to hold, one is enough.
        let mut tests = vec![test];
        let mut least = None;
        while let Some(test) = tests.pop().filter(|_| full) {
            if let Some(both) = parts(function, test, stays_if) {
                tests.extend(both);
            }
            let stays = match Below::of(function, test, stays_if) {
                Some(below) => chain(below.counter)
                    .and_then(|chain| chain.turns(function, first, |counter| below.left(counter), most)),
                None => chain(test).and_then(|chain| chain.turns(function, first, leaves, most)),
            };
            least = least.into_iter().chain(stays).min();
        }
        Some(Known { block, stays: least?, exact: false })
    })
}

/// The two tests of which both have to be as said, where the test is that.
fn parts(function: &Function, test: Value, stays_if: bool) -> Option<[Value; 2]> {
    let Def::Result(inst, _) = function.values[function.resolve(test).index()].def else { return None };
    let data = &function.insts[inst.index()];
    match (&data.op, stays_if) {
        (Op::Binary(Binary::And), true) | (Op::Binary(Binary::Or), false) => {
            Some([data.args[0], data.args[1]])
        }
        // `a && b`, `a || b`.
        (Op::Select, true) if function.constant(data.args[2]) == Some(0) => {
            Some([data.args[0], data.args[1]])
        }
        (Op::Select, false) if function.constant(data.args[1]).is_some_and(|bits| bits != 0) => {
            Some([data.args[0], data.args[2]])
        }
        _ => None,
    }
}

/// A test by which a loop goes on as long as a counter is below a bound that is never more than a number.
struct Below {
    counter: Value,
    compare: Compare,
    ty: Type,
    /// The number, as bits of the type.
    most: u64,
}

impl Below {
    fn of(function: &Function, test: Value, stays_if: bool) -> Option<Below> {
        let Def::Result(inst, _) = function.values[function.resolve(test).index()].def else { return None };
        let data = &function.insts[inst.index()];
        let (Op::Compare(compare), [a, b]) = (&data.op, data.args.as_slice()) else { return None };
        let compare = if stays_if { *compare } else { compare.inverted() };
        let (compare, counter, bound) = match compare {
            Compare::SLt | Compare::SLe | Compare::ULt | Compare::ULe => (compare, *a, *b),
            Compare::SGt | Compare::SGe | Compare::UGt | Compare::UGe => (swapped(compare), *b, *a),
            _ => return None,
        };
        let ty = function.ty(function.resolve(bound));
        if !matches!(ty, Type::I32 | Type::I64) {
            return None;
        }
        let most = match compare {
            Compare::SLt | Compare::SLe => known::at_most(function, bound)? as u64,
            _ => !known::zeros(function, bound),
        };
        Some(Below { counter, compare, ty, most: most & fold::mask(ty) })
    }

    /// Whether the loop has been left where the counter is this.
    fn left(&self, counter: u64) -> bool {
        !fold::compare(self.compare, self.ty, counter, self.most)
    }
}

/// Whether one of a loop's tests depends on nothing but what each iteration computes from the one before: only then its iterations may
/// be known.
pub(crate) fn may_be_known(function: &Function, one: &Loop, inside: impl Fn(Block) -> bool) -> bool {
    let Some(latch) = one.latches.first() else { return false };
    let next = incoming(function, *latch, one.header);
    one.latches.iter().chain([&one.header]).any(|block| {
        test(function, *block, &inside)
            .is_some_and(|(test, _)| Chain::of(function, one.header, test, next).is_some())
    })
}

/// Whether a value changes from iteration to iteration, and depends on nothing but what is known before the loop.
pub(crate) fn is_known_each_turn(function: &Function, form: &Form, value: Value) -> bool {
    let first = incoming(function, form.preheader, form.header);
    let next = incoming(function, form.latch, form.header);
    let start =
        |chain: &Chain<'_>, number: &usize| first.get(*number).and_then(|one| chain.start(function, *one));
    Chain::of(function, form.header, value, next)
        .is_some_and(|chain| chain.variables.iter().all(|number| start(&chain, number).is_some()))
}

/// What the branch at a block's end asks, and whether the loop goes on if it holds; `None` where it does not leave the loop.
fn test(function: &Function, block: Block, inside: impl Fn(Block) -> bool) -> Option<(Value, bool)> {
    let Terminator::Branch(test, yes, no) = &function.blocks[block.index()].end else { return None };
    match (inside(yes.block), inside(no.block)) {
        (true, false) => Some((*test, true)),
        (false, true) => Some((*test, false)),
        (true, true) | (false, false) => None,
    }
}

/// Operand of a step.
#[derive(Clone, Copy, Debug)]
enum StepOperand {
    Constant(u64),
    /// One of the header's parameters that matter.
    Variable(usize),
    /// Result of a step before.
    Step(usize),
}

/// Operation that an iteration does.
struct Step<'a> {
    op: &'a Op,
    /// Types of the first operand and of the result.
    types: (Type, Type),
    operands: [StepOperand; 3],
}

/// Number of the place from which pointers are counted: far from where places before and after it wrap around.
const ORIGIN: u64 = 1 << 62;

/// All that a test depends on, in the order in which it is computed.
struct Chain<'a> {
    /// The one pointer that all pointers in it are that many bytes from; each iteration has the same one, since a variable begins there.
    base: Option<Value>,
    steps: Vec<(Value, Step<'a>)>,
    /// The header's parameters that matter, by number, and what they are in the next iteration.
    variables: Vec<usize>,
    next: Vec<StepOperand>,
    test: StepOperand,
}

/// Deepest nest of operations that is followed, and most of them.
const DEPTH: u32 = 32;
const STEPS: usize = 64;

impl<'a> Chain<'a> {
    /// What a test depends on over all iterations; `None` where that is anything unknown, or nothing that changes.
    fn of(function: &'a Function, header: Block, test: Value, next: &[Value]) -> Option<Chain<'a>> {
        let mut chain = Chain {
            base: None,
            steps: vec![],
            variables: vec![],
            next: vec![],
            test: StepOperand::Constant(0),
        };
        chain.test = chain.source(function, header, test, 0)?;
        // What variables are next may depend on others, which are added after them.
        while let Some(number) = chain.variables.get(chain.next.len()) {
            let source = chain.source(function, header, *next.get(*number)?, 0)?;
            chain.next.push(source);
        }
        (!chain.variables.is_empty()).then_some(chain)
    }

    fn source(
        &mut self,
        function: &'a Function,
        header: Block,
        value: Value,
        depth: u32,
    ) -> Option<StepOperand> {
        let value = function.resolve(value);
        let inst = match function.values[value.index()].def {
            Def::Constant(_) if is_pointer(function, value) => return None,
            Def::Constant(bits) => return Some(StepOperand::Constant(bits.get())),
            Def::Param(block, number)
                if block == header
                    && function.blocks[header.index()].params.get(number as usize) == Some(&value) =>
            {
                let number = number as usize;
                let known = self.variables.iter().position(|one| *one == number);
                if known.is_none() {
                    self.variables.push(number);
                }
                return Some(StepOperand::Variable(known.unwrap_or(self.variables.len() - 1)));
            }
            Def::Result(..) | Def::Param(..) if self.counts_from_base(function, header, value) => {
                return Some(StepOperand::Constant(ORIGIN.wrapping_add_signed(function.root_of(value).1)));
            }
            Def::Result(inst, _) => inst,
            Def::Param(..) | Def::Undefined | Def::Alias(_) => return None,
        };
        if let Some(known) = self.steps.iter().position(|(one, _)| *one == value) {
            return Some(StepOperand::Step(known));
        }
        if depth >= DEPTH || self.steps.len() >= STEPS {
            return None;
        }
        let data = &function.insts[inst.index()];
        match data.op {
            Op::Offset | Op::Compare(_) => {}
            // The number of an address is not known.
            _ if data.args.iter().any(|arg| is_pointer(function, *arg)) => return None,
            Op::Unary(_) | Op::Binary(_) | Op::Select | Op::Convert(_) => {}
            _ => return None,
        }
        let mut operands = [StepOperand::Constant(0); 3];
        for (operand, arg) in operands.iter_mut().zip(&data.args) {
            *operand = self.source(function, header, *arg, depth + 1)?;
        }
        let from = function.ty(function.resolve(*data.args.first()?));
        let step = Step { op: &data.op, types: (from, function.ty(value)), operands };
        self.steps.push((value, step));
        Some(StepOperand::Step(self.steps.len() - 1))
    }

    /// Whether a pointer is that many bytes from the base; the first that is from somewhere makes that the base.
    fn counts_from_base(&mut self, function: &Function, header: Block, pointer: Value) -> bool {
        if !is_pointer(function, pointer) {
            return false;
        }
        let (from, _) = function.root_of(pointer);
        let varies = matches!(function.values[from.index()].def, Def::Param(block, _) if block == header);
        !varies && *self.base.get_or_insert(from) == from
    }

    /// What a variable is in the first iteration, if that is known.
    fn start(&self, function: &Function, value: Value) -> Option<u64> {
        if !is_pointer(function, value) {
            return function.constant(value);
        }
        let (from, bytes) = function.root_of(value);
        (self.base == Some(from)).then_some(ORIGIN.wrapping_add_signed(bytes))
    }

    /// Iterations before the first in which the value says that the loop leaves, at most that many.
    fn turns(
        &self,
        function: &Function,
        first: &[Value],
        leaves: impl Fn(u64) -> bool,
        most: u32,
    ) -> Option<u32> {
        let begins_at_base =
            |number: &usize| first.get(*number).is_some_and(|value| is_pointer(function, *value));
        if self.base.is_some() && !self.variables.iter().any(begins_at_base) {
            return None; // nothing says that it is the same in each iteration
        }
        let start = |number: &usize| first.get(*number).and_then(|value| self.start(function, *value));
        let mut now: Vec<u64> = self.variables.iter().map(start).collect::<Option<_>>()?;
        let mut then = now.clone();
        let mut results: Vec<Option<u64>> = Vec::with_capacity(self.steps.len());
        for turn in 0..=most {
            results.clear();
            for (_, step) in &self.steps {
                results.push(step.run(&now, &results));
            }
            if leaves(value(self.test, &now, &results)?) {
                return Some(turn);
            }
            for (then, source) in then.iter_mut().zip(&self.next) {
                *then = value(*source, &now, &results)?;
            }
            if then == now {
                return None; // it never ends
            }
            std::mem::swap(&mut now, &mut then);
        }
        None
    }
}

fn is_pointer(function: &Function, value: Value) -> bool {
    matches!(function.ty(value), Type::Ptr(_))
}

fn value(source: StepOperand, variables: &[u64], results: &[Option<u64>]) -> Option<u64> {
    match source {
        StepOperand::Constant(bits) => Some(bits),
        StepOperand::Variable(number) => variables.get(number).copied(),
        StepOperand::Step(number) => results.get(number).copied().flatten(),
    }
}

impl Step<'_> {
    fn run(&self, variables: &[u64], results: &[Option<u64>]) -> Option<u64> {
        let of = |n: usize| value(*self.operands.get(n)?, variables, results);
        let (from, to) = self.types;
        match self.op {
            Op::Unary(op) => Some(fold::unary(*op, from, of(0)?)),
            Op::Binary(op) => fold::binary(*op, from, of(0)?, of(1)?),
            Op::Compare(op) => Some(u64::from(fold::compare(*op, from, of(0)?, of(1)?))),
            Op::Select => of(if of(0)? != 0 { 1 } else { 2 }),
            Op::Convert(op) => fold::convert(*op, from, to, of(0)?),
            Op::Offset => Some(of(0)?.wrapping_add(of(1)?)),
            _ => None,
        }
    }
}
