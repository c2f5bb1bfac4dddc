//! Loads of what the iteration before has loaded or stored.
//!
//! Enters: a function whose loops are rotated. Leaves: a load in a header without its instruction in the loop, where the iteration before
//! has had the same address at hand, as in `a[i] += a[i - 1]`: its value comes with the jump back, and for the first iteration the load
//! is before the loop. As LLVM's `GVN` does where it translates addresses through a header's parameters; and only where it
//! would, which adds nothing for the first iteration's address but what converts, scales and offsets the first index.
//!
//! Counter: `global_load_requests`. Of `running` in passes.cu NVRTC's code has 19, ours without the pass 21.

use super::{ALL_STEPS, Forwarder, Found, compute_at};
use crate::hash::Map;
use crate::ir::cfg::Cfg;
use crate::ir::dominators::Dominators;
use crate::ir::loops::{Graph, Loop};
use crate::ir::{Binary, Block, Convert, Def, Function, Inst, Op, Terminator, Type, Value};
use crate::passes::Context;
use crate::passes::fold;
use crate::passes::loops::form;
use crate::passes::memory::{Aliases, Location};

/// Largest power of two that an index is multiplied by.
const MOST_SHIFT: u64 = 31;

/// Carries what can be; whether anything changed.
pub(crate) fn run(function: &mut Function, context: &Context<'_>) -> bool {
    crate::passes::resolve_operands(function);
    let mut graph = Graph::new(function);
    let candidates = graph.loops.all.iter().filter(|one| has_candidate(function, one));
    let headers: Vec<Block> = candidates.map(|one| one.header).collect();
    if headers.is_empty() {
        return false;
    }
    let before = (function.blocks.len(), function.values.len());
    for header in &headers {
        form::within(function, &mut graph, *header);
    }
    crate::passes::resolve_operands(function);
    let cfg = Cfg::new(function);
    let dominators = Dominators::new(&cfg);
    let aliases = Aliases::new(function, &cfg, context);
    let mut forwarder = Forwarder::new(function, &cfg, &dominators, &aliases, ALL_STEPS);
    for header in cfg.order.iter().filter(|block| headers.contains(block)) {
        forwarder.carry_all(*header);
    }
    forwarder.take_out();
    let changed = forwarder.changed;
    crate::passes::resolve_operands(function);
    changed || before != (function.blocks.len(), function.values.len())
}

/// Whether a header loads what another access of its loop, that many bytes away, may have had at hand.
fn has_candidate(function: &Function, one: &Loop) -> bool {
    // By the root of an address: how far from there the first access of the loop is, and whether another one is elsewhere.
    let mut accessed: Map<Value, (i64, bool)> = Map::default();
    for inst in one.blocks.iter().flat_map(|block| &function.blocks[block.index()].insts) {
        let data = &function.insts[inst.index()];
        if matches!(data.op, Op::Load(_) | Op::Store(_)) {
            let (root, at) = function.root_of(data.args[0]);
            accessed.entry(root).and_modify(|(first, other)| *other |= *first != at).or_insert((at, false));
        }
    }
    let header = &function.blocks[one.header.index()];
    let results = header.insts.iter().flat_map(|inst| &function.insts[inst.index()].results);
    let mut defined: Vec<Value> = header.params.iter().chain(results).copied().collect();
    defined.retain(|value| accessed.get(value).is_some_and(|(_, other)| *other));
    let mut loads = header.insts.iter().filter(|inst| carries(function, **inst));
    loads.any(|inst| defined.contains(&function.root_of(function.insts[inst.index()].args[0]).0))
}

/// Whether an instruction is a load that may be carried.
fn carries(function: &Function, inst: Inst) -> bool {
    let data = &function.insts[inst.index()];
    matches!(data.op, Op::Load(access) if !access.volatile) && data.results.len() == 1
}

/// How an address goes on from iteration to iteration.
struct Course {
    /// Parameter of the header that it is made of.
    param: Value,
    /// Bytes that it goes on where the parameter grows by one.
    scale: i64,
    /// What the parameter is brought to 64 bits by.
    extend: Option<Convert>,
    /// Bytes that other indices are scaled by.
    others: Vec<i64>,
}

impl Forwarder<'_> {
    /// Carries the loads of a header, up to where it waits or may end.
    fn carry_all(&mut self, header: Block) {
        for inst in self.accesses[header.index()].clone() {
            if self.stops(inst) || self.budget == 0 {
                return;
            }
            if carries(self.function, inst) && self.carry(header, inst).is_some() {
                let at = self.accesses[header.index()].len();
                self.remove(header, inst, at);
                self.changed = true;
            }
        }
    }

    fn carry(&mut self, header: Block, inst: Inst) -> Option<()> {
        let [preheader, latch] = self.ends(header)?;
        let (location, result) = self.elements(inst).pop()?;
        let root = self.function.resolve(location.root);
        let course = self.course(header, root)?;
        let at = self.function.blocks[header.index()].params.iter().position(|one| *one == course.param)?;
        let passed = |from: Block| {
            let edge = self.function.blocks[from.index()].end.edges().find(|edge| edge.block == header)?;
            Some(self.function.resolve(*edge.args.get(at)?))
        };
        let (first, next) = (passed(preheader)?, passed(latch)?);
        let further = self.grows(&course, next)?.checked_mul(course.scale).filter(|by| *by != 0)?;
        if !self.first_is_at_hand(&course, first, location.at) {
            return None;
        }
        let ty = self.function.ty(result);
        // What this iteration has written there before it is loaded did not come from the iteration before.
        let before = self.index(header, inst, self.accesses[header.index()].len());
        if self.search(header, before, &location, ty) != Found::Nothing {
            return None;
        }
        let mut there = location;
        there.at = there.at.checked_add(further)?;
        let carried = self.at_end_of(latch, &there, ty)?;
        // The load itself is made again, in front of the loop: the first iteration comes to it.
        let known = |value: Value| match self.places.get(value.index()) {
            _ if value == course.param => Some(first),
            place => (place != Some(&header)).then_some(value),
        };
        let before = compute_at(self.function, preheader, result, &known);
        self.places.resize(self.function.values.len(), preheader);
        let param = self.function.block_param(header, ty);
        self.places.resize(self.function.values.len(), Block(0));
        self.places[param.index()] = header;
        for (from, value) in [(preheader, before), (latch, carried)] {
            for edge in self.function.blocks[from.index()].end.edges_mut().filter(|edge| edge.block == header)
            {
                edge.args.push(value);
            }
        }
        self.function.replace(result, param);
        Some(())
    }

    /// The block before a loop, from which nothing else is come to, and the one that jumps back.
    fn ends(&self, header: Block) -> Option<[Block; 2]> {
        let [a, b] = *self.cfg.preds(header) else { return None };
        let back = |block: Block| self.dominators.dominates(header, block);
        let [before, latch] = match (back(a), back(b)) {
            (false, true) => [a, b],
            (true, false) => [b, a],
            _ => return None,
        };
        let jumps = matches!(self.function.blocks[before.index()].end, Terminator::Jump(_));
        jumps.then_some([before, latch])
    }

    /// What an address of a header is made of: one of its parameters, and what does not change.
    fn course(&self, header: Block, pointer: Value) -> Option<Course> {
        let pointer = self.function.resolve(pointer);
        if !self.varies(header, pointer) {
            return None;
        }
        if matches!(self.function.values[pointer.index()].def, Def::Param(..)) {
            return Some(Course { param: pointer, scale: 1, extend: None, others: vec![] });
        }
        let (base, by) = self.function.offset_of(pointer)?;
        match (self.varies(header, base), self.varies(header, by)) {
            (true, false) => {
                let mut course = self.course(header, base)?;
                course.others.extend(self.scale(by));
                Some(course)
            }
            (false, true) => {
                let mut course = self.course_of_index(header, by)?;
                let mut base = self.function.resolve(base);
                while let Some((from, by)) = self.function.offset_of(base) {
                    course.others.extend(self.scale(by));
                    base = from;
                }
                Some(course)
            }
            _ => None,
        }
    }

    /// Bytes that an index is scaled by; none of a constant.
    fn scale(&self, index: Value) -> Option<i64> {
        let index = self.function.resolve(index);
        match self.scaled(index) {
            _ if self.function.constant(index).is_some() => None,
            Some((_, scale)) => Some(scale),
            None => Some(1),
        }
    }

    /// A value that is multiplied by a constant, and that constant.
    fn scaled(&self, value: Value) -> Option<(Value, i64)> {
        let Def::Result(inst, _) = self.function.values[value.index()].def else { return None };
        let data = &self.function.insts[inst.index()];
        let [value, by] = *data.args.as_slice() else { return None };
        let by = self.function.constant(by)?;
        match data.op {
            Op::Binary(Binary::Shl(_)) if by <= MOST_SHIFT => Some((self.function.resolve(value), 1 << by)),
            Op::Binary(Binary::Mul(_)) => Some((self.function.resolve(value), by as i64)),
            _ => None,
        }
    }

    /// What an index of 64 bits is made of, if that is a parameter of the header, brought to 64 bits and scaled.
    fn course_of_index(&self, header: Block, index: Value) -> Option<Course> {
        let mut course =
            Course { param: self.function.resolve(index), scale: 1, extend: None, others: vec![] };
        while let Some((value, by)) = self.scaled(course.param) {
            course = Course { param: value, scale: course.scale.checked_mul(by)?, ..course };
        }
        if let Def::Result(inst, _) = self.function.values[course.param.index()].def {
            let data = &self.function.insts[inst.index()];
            let Op::Convert(convert @ (Convert::SignExtend | Convert::ZeroExtend)) = data.op else {
                return None;
            };
            course.extend = Some(convert);
            course.param = self.function.resolve(data.args[0]);
        }
        // What has fewer bits is not counted with.
        let counts = course.extend.is_none() || self.function.ty(course.param) == Type::I32;
        (counts && self.function.blocks[header.index()].params.contains(&course.param)).then_some(course)
    }

    /// What a parameter grows by from iteration to iteration, if that is a constant, and it stays so where it is brought to 64 bits.
    fn grows(&self, course: &Course, next: Value) -> Option<i64> {
        let Def::Result(inst, _) = self.function.values[next.index()].def else { return None };
        let data = &self.function.insts[inst.index()];
        let [from, by] = *data.args.as_slice() else { return None };
        let wraps = match (data.op.clone(), course.extend) {
            (Op::Offset, None) | (Op::Binary(Binary::Add(_)), None) => false,
            (Op::Binary(Binary::Add(wrap)), Some(Convert::SignExtend)) => !wrap.nsw,
            (Op::Binary(Binary::Add(wrap)), Some(_)) => !wrap.nuw,
            _ => return None,
        };
        if wraps || self.function.resolve(from) != course.param {
            return None;
        }
        let bits = self.function.constant(by)?;
        let unsigned = course.extend == Some(Convert::ZeroExtend);
        Some(if unsigned { bits as i64 } else { fold::signed(self.function.ty(by), bits) })
    }

    /// Whether the address of the first iteration needs no sum that is not there: LLVM makes none. Nor does it see through an index of
    /// elements that is added to another one, which a pointer to an element that is offset by elements is for it.
    fn first_is_at_hand(&self, course: &Course, first: Value, at: i64) -> bool {
        if matches!(self.function.ty(course.param), Type::Ptr(_)) {
            return true;
        }
        if course.others.contains(&course.scale) {
            return false;
        }
        if self.function.constant(first).is_some() {
            return true;
        }
        // A field of an element lies after where that begins, but in a row its neighbour may lie before.
        let half = if course.others.is_empty() { 0 } else { course.scale.abs() / 2 };
        let elements = at.saturating_add(half).div_euclid(course.scale.abs()) * course.scale.signum();
        elements == 0 || elements.checked_neg() == self.sum_with(first)
    }

    /// The constant that a value is the sum with.
    fn sum_with(&self, value: Value) -> Option<i64> {
        let Def::Result(inst, _) = self.function.values[value.index()].def else { return None };
        let data = &self.function.insts[inst.index()];
        let (Op::Binary(Binary::Add(_)), [_, by]) = (&data.op, data.args.as_slice()) else { return None };
        Some(fold::signed(self.function.ty(*by), self.function.constant(*by)?))
    }

    /// Whether a value that a header uses is another one in each iteration.
    fn varies(&self, header: Block, value: Value) -> bool {
        self.place(self.function.resolve(value)) == header
    }

    /// What a location holds at the end of a block, if all ways there know it.
    fn at_end_of(&mut self, block: Block, location: &Location, ty: Type) -> Option<Value> {
        match self.search(block, usize::MAX, location, ty) {
            Found::Value(value) => Some(self.typed_at_end(block, value, ty)),
            Found::Zero => Some(self.function.value(ty, Def::constant(0))),
            Found::Unknown => None,
            Found::Nothing => {
                let home = self.place(self.function.resolve(location.root));
                if home == block {
                    return None;
                }
                let region = self.region(block, location, ty, home);
                if region.complete { self.build(block, &region, ty) } else { None }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::passes::test::changed;
    use crate::passes::{dce, simplify};

    /// A function with a loop over `a`, whose index begins at a value and grows by one; and how many loads the loop has then, of how
    /// many in all.
    fn loads(start: &str, step: &str, insts: &str) -> (usize, usize) {
        let text = format!(
            "kernel @k(a, n, s) {{\nb0(a: ptr.global, n: i32, s: i32):\n  t: i32 = add.nsw s, 1:i32\n  jump b1({start})\nb1(i: i32):\n  w: i64 = sext i\n  o: i64 = shl w, 2:i32\n  p: ptr.global = offset a, o\n{insts}\n  j: i32 = add{step}\n  c: pred = cmp.slt j, n\n  branch c, b1(j), b2\nb2:\n  return\n}}"
        );
        let after = changed(&text, |function, context| {
            super::run(function, context);
            dce::run(function);
            simplify::run(function, context)
        });
        let looped: usize = after
            .split("\nb")
            .filter(|block| block.contains("store"))
            .map(|block| block.matches("load").count())
            .sum();
        (looped, after.matches("load").count())
    }

    const BEFORE: &str = "  q: ptr.global = offset p, -4:i64\n  x: i32 = load.a4 q\n  y: i32 = load.a4 p\n  z: i32 = add x, y\n  store.a4 p, z";

    #[test]
    fn what_the_turn_before_has_stored_is_not_loaded() {
        assert_eq!(loads("1:i32", ".nsw i, 1:i32", BEFORE), (1, 2));
        // The iteration before the last has left it, and may have been overwritten: that is not looked for.
        assert_eq!(loads("1:i32", ".nsw i, 2:i32", BEFORE), (2, 2));
        assert_eq!(loads("1:i32", " i, 1:i32", BEFORE), (2, 2), "an index that may overflow");
    }

    #[test]
    fn the_first_address_adds_no_sum() {
        assert_eq!(loads("s", ".nsw i, 1:i32", BEFORE), (2, 2));
        assert_eq!(
            loads("t", ".nsw i, 1:i32", BEFORE),
            (1, 2),
            "whose first index is one more than the first that is loaded"
        );
        let behind = BEFORE.replace("-4", "4").replace("store.a4 p", "store.a4 q");
        assert_eq!(loads("s", ".nsw i, 1:i32", &behind), (1, 2));
    }

    #[test]
    fn what_may_be_overwritten_is_loaded() {
        const OTHER: &str = "  r: ptr.global = offset a, 64:i64\n  store.a4 r, s";
        let loads = |insts: &str| loads("1:i32", ".nsw i, 1:i32", insts);
        assert_eq!(loads(&format!("{BEFORE}\n{OTHER}")), (2, 2));
        assert_eq!(loads(&format!("{OTHER}\n{BEFORE}")), (2, 2), "by the same turn");
        assert_eq!(loads(&format!("{BEFORE}\n  builtin \"__syncthreads v() -\"")), (2, 2));
    }

    #[test]
    fn a_load_behind_a_barrier_stays() {
        assert_eq!(
            loads("1:i32", ".nsw i, 1:i32", &format!("  builtin \"__syncthreads v() -\"\n{BEFORE}")),
            (2, 2)
        );
    }
}
