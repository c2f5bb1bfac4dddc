//! Functions as PTX can say them: no switches, no large copies, no critical edges with arguments, no names for other values.

use super::operand::Class;
use super::order;
use crate::ir::{
    Access, Binary, Block, Compare, Convert, DebugLocation, Def, Edge, Function, Inst, InstData, Op,
    Terminator, Type, Value, Wrap,
};

/// Units that are copied without a loop: as many as NVRTC does.
const INLINE_UNITS: u64 = 31;

/// Puts a function into that form.
pub(super) fn legalise(function: &mut Function) {
    resolve(function);
    for block in 0..function.blocks.len() {
        lower_switch(function, Block(block as u32));
    }
    lower_copies(function);
    split_edges(function);
}

/// Puts in place of each operand what it stands for: through replacements and through conversions that change nothing.
fn resolve(function: &mut Function) {
    let mut meant: Vec<Option<Value>> = vec![None; function.values.len()];
    let mut path = vec![];
    for index in 0..function.values.len() {
        let mut value = Value(index as u32);
        while meant[value.index()].is_none() {
            path.push(value);
            match same(function, value) {
                // A circle of names would be a mistake of a pass; it ends here.
                Some(next) if path.len() <= function.values.len() => value = next,
                _ => break,
            }
        }
        let end = meant[value.index()].unwrap_or(value);
        for passed in path.drain(..) {
            meant[passed.index()] = Some(end);
        }
    }
    let meant = |value: &mut Value| *value = meant[value.index()].unwrap_or(*value);
    for inst in &mut function.insts {
        inst.args.iter_mut().for_each(meant);
    }
    for block in &mut function.blocks {
        match &mut block.end {
            Terminator::Jump(edge) => edge.args.iter_mut().for_each(meant),
            Terminator::Branch(condition, then, other) => {
                meant(condition);
                then.args.iter_mut().chain(&mut other.args).for_each(meant);
            }
            Terminator::Switch(value, cases, other) => {
                meant(value);
                cases.iter_mut().flat_map(|(_, edge)| &mut edge.args).chain(&mut other.args).for_each(meant);
            }
            Terminator::Return(values) => values.iter_mut().for_each(meant),
            Terminator::Unreachable => {}
        }
    }
}

/// Value of the same register class and bits that another is defined as.
fn same(function: &Function, value: Value) -> Option<Value> {
    let data = function.values[value.index()];
    match data.def {
        Def::Alias(other) => Some(other),
        Def::Result(inst, _) => {
            let inst = &function.insts[inst.index()];
            let from = *inst.args.first()?;
            let (to, from_ty) = (data.ty, function.ty(from));
            let nothing = match inst.op {
                Op::Convert(Convert::Bits) => Class::of(to) == Class::of(from_ty),
                Op::Convert(Convert::Space) => to == from_ty,
                _ => false,
            };
            nothing.then_some(from)
        }
        Def::Param(..) | Def::Constant(_) | Def::Undefined => None,
    }
}

/// Neighbouring case values that lead to the same place.
struct Range {
    low: i64,
    high: i64,
    edge: Edge,
}

/// Puts a tree of comparisons in place of a switch: as LLVM, up to three cases one after the other, more halved by `>`.
fn lower_switch(function: &mut Function, block: Block) {
    if !matches!(function.blocks[block.index()].end, Terminator::Switch(..)) {
        return;
    }
    let Terminator::Switch(value, cases, other) = std::mem::take(&mut function.blocks[block.index()].end)
    else {
        return;
    };
    let ty = function.ty(value);
    let shift = 64 - ty.bytes() * 8;
    let signed = |bits: u64| ((bits << shift) as i64) >> shift;
    let mut ranges: Vec<Range> =
        cases.into_iter().map(|(bits, edge)| Range { low: signed(bits), high: signed(bits), edge }).collect();
    crate::sort::by_key(&mut ranges, |range| range.low);
    let mut merged: Vec<Range> = vec![];
    for range in ranges {
        match merged.last_mut() {
            // A second case of the same value can never be taken.
            Some(last) if range.low <= last.high => {}
            Some(last) if last.high.checked_add(1) == Some(range.low) && last.edge == range.edge => {
                last.high = range.high;
            }
            _ => merged.push(range),
        }
    }
    let place = function.blocks[block.index()].end_place;
    let mut work = vec![(block, 0, merged.len())];
    while let Some((at, first, last)) = work.pop() {
        let ranges = merged.get(first..last).unwrap_or_default();
        if ranges.len() <= 3 {
            chain(function, at, value, ranges, &other, place);
            continue;
        }
        let middle = first + ranges.len() / 2;
        let (low, high) = (function.block(), function.block());
        let pivot = constant(function, ty, merged[middle - 1].high);
        let right = append(function, at, Op::Compare(Compare::SGt), vec![value, pivot], Type::Pred, place);
        finish(function, at, Terminator::Branch(right, jump(high), jump(low)), place);
        work.push((low, first, middle));
        work.push((high, middle, last));
    }
}

/// Compares with each range in turn.
fn chain(
    function: &mut Function,
    mut at: Block,
    value: Value,
    ranges: &[Range],
    other: &Edge,
    place: DebugLocation,
) {
    let ty = function.ty(value);
    for (number, range) in ranges.iter().enumerate() {
        let hit = if range.low == range.high {
            let number = constant(function, ty, range.low);
            append(function, at, Op::Compare(Compare::Eq), vec![value, number], Type::Pred, place)
        } else {
            let low = constant(function, ty, range.low.wrapping_neg());
            let add = Op::Binary(Binary::Add(Wrap::default()));
            let from = append(function, at, add, vec![value, low], ty, place);
            let width = constant(function, ty, range.high.wrapping_sub(range.low));
            append(function, at, Op::Compare(Compare::ULe), vec![from, width], Type::Pred, place)
        };
        let last = number + 1 == ranges.len();
        let next = if last { other.clone() } else { jump(function.block()) };
        let following = next.block;
        finish(function, at, Terminator::Branch(hit, range.edge.clone(), next), place);
        at = following;
    }
    if ranges.is_empty() {
        finish(function, at, Terminator::Jump(other.clone()), place);
    }
}

fn jump(block: Block) -> Edge {
    Edge { block, args: vec![] }
}

fn finish(function: &mut Function, block: Block, end: Terminator, place: DebugLocation) {
    function.blocks[block.index()].end = end;
    function.blocks[block.index()].end_place = place;
}

/// Constant of an integer type.
fn constant(function: &mut Function, ty: Type, value: i64) -> Value {
    let bits = match ty.bytes() {
        1 => u64::from(value as u8),
        2 => u64::from(value as u16),
        4 => u64::from(value as u32),
        _ => value as u64,
    };
    function.value(ty, Def::constant(bits))
}

/// Adds an instruction at the end of a block.
fn append(
    function: &mut Function,
    block: Block,
    op: Op,
    args: Vec<Value>,
    ty: Type,
    place: DebugLocation,
) -> Value {
    let inst = function.inst(op, args, &[ty], place);
    function.blocks[block.index()].insts.push(inst);
    function.insts[inst.index()].results[0]
}

/// Writes copies and fills as loads and stores of the widest unit that their alignment allows; many in a loop.
fn lower_copies(function: &mut Function) {
    let mut block = 0;
    while block < function.blocks.len() {
        let found = function.blocks[block]
            .insts
            .iter()
            .position(|inst| matches!(function.insts[inst.index()].op, Op::Copy { .. } | Op::Zero { .. }));
        match found {
            Some(at) => lower_copy(function, Block(block as u32), at),
            // What follows a copy lies in the same block or in a new one, which comes later.
            None => block += 1,
        }
    }
}

/// Unit of a copy: a vector of integers.
#[derive(Clone, Copy)]
struct Unit {
    ty: Type,
    lanes: u32,
}

impl Unit {
    /// Widest of an alignment.
    fn of(align: u64) -> Unit {
        let (ty, lanes) = match align {
            0..2 => (Type::I8, 1),
            2..4 => (Type::I16, 1),
            4..8 => (Type::I32, 1),
            8..16 => (Type::I32, 2),
            _ => (Type::I32, 4),
        };
        Unit { ty, lanes }
    }

    fn bytes(self) -> u64 {
        u64::from(self.ty.bytes() * self.lanes)
    }
}

/// Loads (or zeros) and stores of one copy.
struct Mover {
    to: Value,
    from: Option<Value>,
    place: DebugLocation,
}

impl Mover {
    fn address(&self, function: &mut Function, block: Block, base: Value, offset: u64) -> Value {
        let by = constant(function, Type::I64, offset as i64);
        let ty = function.ty(base);
        append(function, block, Op::Offset, vec![base, by], ty, self.place)
    }

    /// Adds what moves one unit; the loads of all units come before the stores, which the caller adds.
    fn load(&self, function: &mut Function, block: Block, unit: Unit, offset: u64) -> Vec<Value> {
        let Some(from) = self.from else { return vec![constant(function, unit.ty, 0); unit.lanes as usize] };
        let address = self.address(function, block, from, offset);
        let types = vec![unit.ty; unit.lanes as usize];
        let inst = function.inst(Op::Load(access(unit)), [address], &types, self.place);
        function.blocks[block.index()].insts.push(inst);
        function.insts[inst.index()].results.to_vec()
    }

    fn store(&self, function: &mut Function, block: Block, unit: Unit, offset: u64, values: Vec<Value>) {
        let mut args = vec![self.address(function, block, self.to, offset)];
        args.extend(values);
        let inst = function.inst(Op::Store(access(unit)), args, &[], self.place);
        function.blocks[block.index()].insts.push(inst);
    }
}

fn access(unit: Unit) -> Access {
    Access { align: unit.bytes() as u32, volatile: false, invariant: false, cache: None }
}

fn lower_copy(function: &mut Function, block: Block, at: usize) {
    let rest: Vec<Inst> = function.blocks[block.index()].insts.split_off(at + 1);
    let Some(copy) = function.blocks[block.index()].insts.pop() else { return };
    let InstData { op, args, place, .. } = function.insts[copy.index()].clone();
    let (size, align) = match op {
        Op::Copy { size, align } | Op::Zero { size, align } => (size, u64::from(align)),
        _ => return,
    };
    let mover = Mover { to: args[0], from: args.get(1).copied(), place };
    let unit = Unit::of(align);
    let whole = size / unit.bytes();
    let (mut units, mut offset) = (vec![], 0);
    let mut block = block;
    if whole > INLINE_UNITS {
        let after = function.block();
        let ended = &mut function.blocks[block.index()];
        let (end, end_place) = (std::mem::take(&mut ended.end), ended.end_place);
        finish(function, after, end, end_place);
        copy_loop(function, &mover, block, after, unit, whole);
        block = after;
        offset = whole * unit.bytes();
    }
    while offset < size {
        let mut unit = unit;
        while unit.bytes() > size - offset {
            unit = Unit::of(unit.bytes() / 2);
        }
        units.push((unit, offset));
        offset += unit.bytes();
    }
    let loaded: Vec<_> = units.iter().map(|(unit, at)| mover.load(function, block, *unit, *at)).collect();
    for ((unit, at), values) in units.into_iter().zip(loaded) {
        mover.store(function, block, unit, at, values);
    }
    function.blocks[block.index()].insts.extend(rest);
}

/// Loop that moves that many units, from the end of one block to another.
fn copy_loop(function: &mut Function, mover: &Mover, before: Block, after: Block, unit: Unit, count: u64) {
    let body = function.block();
    let zero = constant(function, Type::I64, 0);
    let place = mover.place;
    finish(function, before, Terminator::Jump(Edge { block: body, args: vec![zero] }), place);
    let offset = function.block_param(body, Type::I64);
    let mut moved = Mover { to: mover.to, from: mover.from, place };
    for base in [Some(&mut moved.to), moved.from.as_mut()].into_iter().flatten() {
        let ty = function.ty(*base);
        *base = append(function, body, Op::Offset, vec![*base, offset], ty, place);
    }
    let values = moved.load(function, body, unit, 0);
    moved.store(function, body, unit, 0, values);
    let step = constant(function, Type::I64, unit.bytes() as i64);
    let end = constant(function, Type::I64, (count * unit.bytes()) as i64);
    let add = Op::Binary(Binary::Add(Wrap::default()));
    let next = append(function, body, add, vec![offset, step], Type::I64, place);
    let more = append(function, body, Op::Compare(Compare::ULt), vec![next, end], Type::Pred, place);
    let again = Edge { block: body, args: vec![next] };
    finish(function, body, Terminator::Branch(more, again, jump(after)), place);
}

/// Puts a block on each edge with arguments that is one of several of its block, for the moves to lie in.
fn split_edges(function: &mut Function) {
    for block in order::layout(function) {
        let data = &function.blocks[block.index()];
        let place = data.end_place;
        let Terminator::Branch(condition, mut then, mut other) = data.end.clone() else { continue };
        for edge in [&mut then, &mut other] {
            if !edge.args.is_empty() {
                let middle = function.block();
                let onward = Edge { block: edge.block, args: std::mem::take(&mut edge.args) };
                finish(function, middle, Terminator::Jump(onward), place);
                edge.block = middle;
            }
        }
        finish(function, block, Terminator::Branch(condition, then, other), place);
    }
}
