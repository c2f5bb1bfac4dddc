//! Strength reduction of addresses in loops, as LLVM's `LoopStrengthReduce`.
//!
//! Enters: a function after all other passes on loops. Leaves: its innermost loops with pointers that go on by a step each
//! iteration, where addresses were computed again from a counter. Accesses at constant distances share a pointer; those at another
//! distance that the loop does not change follow each other. A loop's test looks at its counter as it goes on, so that the
//! value before need not be kept.
//!
//! Counter: `warp_instructions`. Of `product` in lab-4-5 (small sizes) NVRTC's code has 880, ours without the pass 1,170.

mod line;
mod sum;
#[cfg(test)]
mod tests;

use super::counted::Before;
use super::form::{self, Form, incoming};
use crate::ir::dominators::Dominators;
use crate::ir::loops::Graph;
use crate::ir::{
    Binary, Block, Compare, DebugLocation, Def, Edge, Function, Inst, Op, Space, Terminator, Type, Value,
};
use crate::passes::dce;
use line::Lines;
use sum::{Extend, Sum};

/// Bytes from a pointer within which an access needs no pointer of its own: instructions have room for these.
const NEAR: i64 = 1 << 20;
/// Pointers of a loop, and addresses that are computed from them, beyond which no more are looked for.
const MOST: usize = 64;

/// Reduces all innermost loops; whether any changed.
pub(crate) fn run(function: &mut Function) -> bool {
    let mut graph = Graph::new(function);
    let headers = graph.loops.innermost_headers();
    let mut changed = false;
    for header in headers {
        function.resolve_operands();
        if let Some(form) = form::within(function, &mut graph, header) {
            changed |= test_next(function, &form);
            let nested = graph.loops.all.iter().any(|one| one.header == header && one.parent.is_some());
            changed |= addresses(function, &form, &graph.dominators, nested);
        }
    }
    function.resolve_operands();
    if changed {
        dce::run(function);
    }
    changed
}

/// Address in a loop that grows by a step.
struct Leaf {
    inst: Inst,
    block: Block,
    at: usize,
    ty: Type,
    /// In the first iteration, less a constant.
    start: Sum,
    number: i64,
    step: Sum,
}

/// Value that other addresses are computed from.
struct Pointer {
    value: Value,
    /// Where it is defined: from the parameters of the header on, or at an instruction.
    at: Option<(Block, usize)>,
    ty: Type,
    start: Sum,
    number: i64,
    step: Sum,
}

/// Loop with its new pointers.
struct Reduce<'a> {
    function: &'a mut Function,
    form: &'a Form,
    dominators: &'a Dominators,
    pointers: Vec<Pointer>,
    /// Parameters that were added to the header.
    added: Vec<usize>,
    /// What was computed before the loop.
    distances: Vec<(Sum, Value)>,
    place: DebugLocation,
}

fn addresses(function: &mut Function, form: &Form, dominators: &Dominators, nested: bool) -> bool {
    let mut lines = Lines::new(function, form);
    let mut leaves = leaves(function, form, &mut lines);
    // Constant memory has addresses of 32 bits, which a counter in a register that a warp shares may give at no cost; within
    // another loop, NVRTC leaves them so.
    leaves.retain(|leaf| !nested || leaf.ty != Type::Ptr(Space::Constant));
    if leaves.is_empty() {
        return false;
    }
    let mut pointers = Vec::new();
    for param in function.blocks[form.header.index()].params.clone() {
        let ty = function.ty(param);
        if let (Type::Ptr(_), Some(line)) = (ty, lines.of(function, param, Extend::No)) {
            let (start, number) = line.start.split();
            pointers.push(Pointer { value: param, at: None, ty, start, number, step: line.step });
        }
    }
    let place = function.blocks[form.latch.index()].end_place;
    let (added, distances) = (Vec::new(), Vec::new());
    let mut reduce = Reduce { function, form, dominators, pointers, added, distances, place };
    let mut changed = false;
    for leaf in leaves {
        changed |= reduce.near(&leaf) || reduce.follow(&leaf) || reduce.begin(&leaf);
    }
    reduce.go_on();
    changed
}

/// Addresses that instructions other than those that compute addresses use, in order.
fn leaves(function: &Function, form: &Form, lines: &mut Lines) -> Vec<Leaf> {
    let mut wanted = vec![false; function.values.len()];
    let insts = || form.blocks.iter().flat_map(|block| function.blocks[block.index()].insts.iter());
    for inst in insts() {
        let data = &function.insts[inst.index()];
        let passes_on = data.op == Op::Offset && lines.of(function, data.results[0], Extend::No).is_some();
        if !passes_on {
            data.args.iter().for_each(|arg| wanted[function.resolve(*arg).index()] = true);
        }
    }
    let mut leaves = Vec::new();
    for block in &form.blocks {
        for (at, inst) in function.blocks[block.index()].insts.iter().enumerate() {
            let data = &function.insts[inst.index()];
            let (Op::Offset, [result]) = (&data.op, data.results.as_slice()) else { continue };
            if !wanted[result.index()] {
                continue;
            }
            let Some(line) = lines.of(function, *result, Extend::No) else { continue };
            if line.step.is_zero() || line.step.has_pointer(function) {
                continue;
            }
            let (start, number) = line.start.split();
            let ty = function.ty(*result);
            leaves.push(Leaf { inst: *inst, block: *block, at, ty, start, number, step: line.step });
        }
    }
    leaves
}

impl Reduce<'_> {
    /// Computes an address from a pointer that is near; whether there is one.
    fn near(&mut self, leaf: &Leaf) -> bool {
        let near = |one: &Pointer| {
            one.start == leaf.start && leaf.number.wrapping_sub(one.number).unsigned_abs() < NEAR as u64
        };
        let found = (0..self.pointers.len()).rev().find(|at| {
            let one = &self.pointers[*at];
            self.reaches(one, leaf) && near(one)
        });
        let Some(at) = found else { return false };
        let one = &self.pointers[at];
        let (base, number) = (one.value, leaf.number.wrapping_sub(one.number));
        let number = self.function.value(Type::I64, Def::constant(number as u64));
        self.function.insts[leaf.inst.index()].args = [base, number].into();
        true
    }

    /// Whether a pointer goes on by an address's step, and is computed where that is.
    fn reaches(&self, one: &Pointer, leaf: &Leaf) -> bool {
        one.ty == leaf.ty
            && one.step == leaf.step
            && one.at.is_none_or(|(block, at)| {
                if block == leaf.block { at < leaf.at } else { self.dominators.dominates(block, leaf.block) }
            })
    }

    /// Computes an address from one at a distance that the loop does not change.
    fn follow(&mut self, leaf: &Leaf) -> bool {
        if self.pointers.len() >= MOST {
            return false;
        }
        let start = |start: &Sum, number: i64| start.plus(&Sum::number(number));
        let Some(to) = start(&leaf.start, leaf.number) else { return false };
        let mut best: Option<(bool, usize, Sum)> = None;
        for (at, one) in self.pointers.iter().enumerate() {
            let distance = start(&one.start, one.number).and_then(|from| to.minus(&from));
            let Some(distance) = distance.filter(|_| self.reaches(one, leaf)) else { continue };
            if distance.has_pointer(self.function) {
                continue;
            }
            // One that is there already is best, and then the nearest.
            let known = self.distances.iter().any(|(sum, _)| *sum == distance);
            if known || best.as_ref().is_none_or(|(known, ..)| !known) {
                best = Some((known, at, distance));
            }
        }
        let Some((_, from, distance)) = best else { return false };
        let by = self.before(distance);
        let from = self.pointers[from].value;
        let data = &mut self.function.insts[leaf.inst.index()];
        data.args = [from, by].into();
        let value = data.results[0];
        self.pointers.push(Pointer {
            value,
            at: Some((leaf.block, leaf.at)),
            ty: leaf.ty,
            start: leaf.start.clone(),
            number: leaf.number,
            step: leaf.step.clone(),
        });
        true
    }

    /// Gives an address a pointer of its own.
    fn begin(&mut self, leaf: &Leaf) -> bool {
        if self.pointers.len() >= MOST {
            return false;
        }
        let Some((base, rest)) = leaf.start.begins_at(self.function, leaf.ty) else { return false };
        let Some(rest) = rest.plus(&Sum::number(leaf.number)) else { return false };
        let start = if rest.is_zero() {
            base
        } else {
            let by = self.before(rest);
            self.at(self.form.preheader).add(Op::Offset, &[base, by], leaf.ty)
        };
        let value = self.function.block_param(self.form.header, leaf.ty);
        extend(self.function, self.form.preheader, self.form.header, start);
        self.function.replace(self.function.insts[leaf.inst.index()].results[0], value);
        self.added.push(self.pointers.len());
        self.pointers.push(Pointer {
            value,
            at: None,
            ty: leaf.ty,
            start: leaf.start.clone(),
            number: leaf.number,
            step: leaf.step.clone(),
        });
        true
    }

    /// Lets the new pointers go on, at the end of an iteration.
    fn go_on(&mut self) {
        for at in std::mem::take(&mut self.added) {
            let one = &self.pointers[at];
            let (value, ty, step) = (one.value, one.ty, one.step.clone());
            let end = (self.form.latch, usize::MAX);
            // From the last address, if that is as far from the next iteration's as others are from each other.
            let to = one.start.plus(&Sum::number(one.number)).and_then(|start| start.plus(&step));
            let from = self.pointers.iter().rev().find_map(|other| {
                let (block, _) = other.at.filter(|_| other.ty == ty && other.step == step)?;
                let from = other.start.plus(&Sum::number(other.number))?;
                let distance = to.as_ref()?.minus(&from)?;
                let known = self.distances.iter().find(|(sum, _)| *sum == distance)?;
                (block == end.0 || self.dominators.dominates(block, end.0)).then_some((other.value, known.1))
            });
            let (from, by) = from.unwrap_or_else(|| (value, self.before(step)));
            let next = self.at(self.form.latch).add(Op::Offset, &[from, by], ty);
            extend(self.function, self.form.latch, self.form.header, next);
        }
    }

    /// A sum without pointers, computed before the loop.
    fn before(&mut self, sum: Sum) -> Value {
        if let Some(number) = sum.as_number() {
            return self.function.value(Type::I64, Def::constant(number as u64));
        }
        if let Some((_, value)) = self.distances.iter().find(|(other, _)| *other == sum) {
            return *value;
        }
        let value = sum.emit(&mut self.at(self.form.preheader));
        self.distances.push((sum, value));
        value
    }

    fn at(&mut self, block: Block) -> Before<'_> {
        Before { function: self.function, block, place: self.place }
    }
}

/// Passes a value more from a block to another.
fn extend(function: &mut Function, from: Block, to: Block, value: Value) {
    let edges = function.blocks[from.index()].end.edges_mut();
    edges.filter(|edge: &&mut Edge| edge.block == to).for_each(|edge| edge.args.push(value));
}

/// Lets a test of whether a counter is a number look at the counter of the next iteration; whether it did not.
fn test_next(function: &mut Function, form: &Form) -> bool {
    let Terminator::Branch(test, ..) = &function.blocks[form.latch.index()].end else { return false };
    let Def::Result(inst, _) = function.values[function.resolve(*test).index()].def else { return false };
    let data = &function.insts[inst.index()];
    let (Op::Compare(Compare::Eq | Compare::Ne), [a, b]) = (&data.op, data.args.as_slice()) else {
        return false;
    };
    let params = &function.blocks[form.header.index()].params;
    let (Some(number), Some(bound)) = (params.iter().position(|param| param == a), function.constant(*b))
    else {
        return false;
    };
    let Some(next) = incoming(function, form.latch, form.header).get(number).copied() else { return false };
    let Def::Result(by, _) = function.values[next.index()].def else { return false };
    let (op, args) = (&function.insts[by.index()].op, function.insts[by.index()].args.as_slice());
    let (Op::Binary(Binary::Add(_)), [from, by]) = (op, args) else { return false };
    let Some(step) = function.constant(*by).filter(|_| from == a) else { return false };
    let ty = function.ty(*a);
    let sum = bound.wrapping_add(step);
    let bits = match ty {
        Type::I32 => u64::from(sum as u32),
        Type::I64 => sum,
        _ => return false,
    };
    // The test comes after the sum that it looks at.
    let place = function.insts[inst.index()].place;
    let (op, bound) = (function.insts[inst.index()].op.clone(), function.value(ty, Def::constant(bits)));
    let latch = &function.blocks[form.latch.index()];
    let Some(after) = latch.insts.iter().position(|one| function.insts[one.index()].results.contains(&next))
    else {
        return false;
    };
    let test = function.inst(op, [next, bound], &[Type::Pred], place);
    let result = function.insts[test.index()].results[0];
    let latch = &mut function.blocks[form.latch.index()];
    latch.insts.insert(after + 1, test);
    if let Terminator::Branch(test, ..) = &mut latch.end {
        *test = result;
    }
    true
}
