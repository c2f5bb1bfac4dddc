//! Aliasing: which accesses may touch the same memory.
//!
//! Enters: a function. Leaves: answers to whether one instruction may change what another reads. Spaces are disjoint;
//! slots whose address stays here, globals, and `__restrict__` parameters are objects of their own; places in one object
//! are distinguished by constant offsets. Passes that move or merge accesses ask here and nowhere else.

use super::Context;
use super::effects::{Effect, effect};
use crate::ir::cfg::Cfg;
use crate::ir::{Convert, Def, Function, GlobalId, Inst, Op, Space, Type, Value};

/// What a pointer leads into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Object {
    /// A slot.
    Slot(Value),
    /// A variable.
    Global(GlobalId),
    /// What a parameter points to (or is, for a kernel's struct), by its number.
    Param(u32),
    /// Anything.
    Any,
    /// Nothing flows here: not yet, or never.
    Nothing,
}

/// Bytes that are accessed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Location {
    /// The pointer without the constant offsets at its end.
    pub(crate) root: Value,
    /// Those constants' sum.
    pub(crate) at: i64,
    /// Bytes; none where only the run time knows.
    pub(crate) size: Option<u64>,
    object: Object,
    space: Space,
    /// Whether no one writes there while the kernel runs, as a load from there says.
    steady: bool,
}

/// Answers for a function as it is; passes that add pointers ask again.
#[derive(Debug)]
pub(crate) struct Aliases {
    objects: Vec<Object>,
    /// By value, for slots: whether the address is known to others.
    escaped: Vec<bool>,
    /// By parameter, the same.
    handed_on: Vec<bool>,
    restrict: Vec<bool>,
    read_only: Vec<bool>,
}

impl Aliases {
    /// Looks at a function whose graph is known.
    pub(crate) fn new(function: &Function, cfg: &Cfg, context: &Context<'_>) -> Aliases {
        let objects = objects(function, cfg);
        let (escaped, handed_on) = escaped(function, cfg, &objects);
        let restrict = function.params.iter().map(|param| param.restrict).collect();
        let constant = |global: &crate::ir::Global| global.read_only || global.space == Space::Constant;
        let read_only = context.globals.iter().map(constant).collect();
        Aliases { objects, escaped, handed_on, restrict, read_only }
    }

    /// What a pointer leads into.
    pub(crate) fn object(&self, function: &Function, pointer: Value) -> Object {
        self.objects.get(function.resolve(pointer).index()).copied().unwrap_or(Object::Any)
    }

    /// Bytes after a pointer.
    pub(crate) fn location(&self, function: &Function, pointer: Value, size: Option<u64>) -> Location {
        let pointer = function.resolve(pointer);
        let (object, space) = match function.ty(pointer) {
            Type::Ptr(space) => (self.object(function, pointer), space),
            _ => (Object::Any, Space::Generic),
        };
        let (root, at) = function.root_of(pointer);
        Location { root, at, size, object, space, steady: false }
    }

    /// Bytes that an access through a pointer moves. What a load marked invariant reads through a `__restrict__` parameter
    /// that no one else was given stays as it is after barriers, too: NVRTC keeps it (but not what it takes for
    /// unwritten only since another parameter is `__restrict__`).
    pub(crate) fn location_of(&self, function: &Function, inst: Inst, size: Option<u64>) -> Location {
        let data = &function.insts[inst.index()];
        let mut location = self.location(function, data.args[0], size);
        location.steady = matches!(data.op, Op::Load(access) if access.invariant)
            && matches!(location.object, Object::Param(n) if self.alone(n));
        location
    }

    /// Whether a parameter is `__restrict__`, and does no more than to lead to what is accessed.
    pub(crate) fn alone(&self, param: u32) -> bool {
        let of = |flags: &[bool]| flags.get(param as usize).copied();
        of(&self.restrict) == Some(true) && of(&self.handed_on) == Some(false)
    }

    /// Where an instruction that accesses memory through its first operand does so.
    pub(crate) fn accessed(&self, function: &Function, inst: Inst) -> Option<Location> {
        let data = &function.insts[inst.index()];
        let pointer = *data.args.first()?;
        let bytes =
            |values: &[Value]| values.iter().map(|value| u64::from(function.ty(*value).bytes())).sum();
        let size = match &data.op {
            Op::Load(_) => Some(bytes(&data.results)),
            Op::Store(_) => Some(bytes(&data.args[1..])),
            Op::Copy { size, .. } | Op::Zero { size, .. } => Some(*size),
            _ => None,
        };
        matches!(function.ty(function.resolve(pointer)), Type::Ptr(_))
            .then(|| self.location_of(function, inst, size))
    }

    /// Whether two accesses may touch the same byte.
    pub(crate) fn may_alias(&self, a: &Location, b: &Location) -> bool {
        if a.space != b.space && a.space != Space::Generic && b.space != Space::Generic {
            return false;
        }
        if a.root == b.root {
            let after = |x: &Location, y: &Location| {
                x.size.is_some_and(|size| x.at.saturating_add_unsigned(size) <= y.at)
            };
            return !after(a, b) && !after(b, a);
        }
        if a.object == b.object {
            // Places in one object, or in any.
            return true;
        }
        let apart = |x: Object, y: Object| match x {
            Object::Nothing => true,
            Object::Slot(slot) => match y {
                Object::Slot(_) | Object::Global(_) => true,
                Object::Param(_) | Object::Any | Object::Nothing => {
                    !self.escaped.get(slot.index()).is_none_or(|is| *is)
                }
            },
            Object::Global(_) => matches!(y, Object::Global(_) | Object::Slot(_)),
            Object::Param(n) => {
                self.restrict.get(n as usize) == Some(&true)
                    && matches!(y, Object::Param(_) | Object::Global(_) | Object::Slot(_))
            }
            Object::Any => false,
        };
        !apart(a.object, b.object) && !apart(b.object, a.object)
    }

    /// Whether two locations lie in one object, wherever there, or may do so.
    pub(crate) fn same_object(&self, a: &Location, b: &Location) -> bool {
        a.object == b.object || a.root == b.root
    }

    /// Whether nothing can write a location while the kernel runs.
    pub(crate) fn invariant(&self, location: &Location) -> bool {
        if location.steady {
            return true;
        }
        match location.space {
            Space::Constant | Space::Param => return true,
            Space::Generic | Space::Global | Space::Shared | Space::Local => {}
        }
        matches!(location.object, Object::Global(global) if self.read_only.get(global.index()) == Some(&true))
    }

    /// Whether a location is a slot that no one else knows.
    pub(crate) fn private(&self, location: &Location) -> bool {
        matches!(location.object, Object::Slot(slot) if self.escaped.get(slot.index()) == Some(&false))
    }

    /// Whether an instruction may change what is at a location.
    pub(crate) fn writes(&self, function: &Function, inst: Inst, location: &Location) -> bool {
        let op = &function.insts[inst.index()].op;
        match effect(op) {
            Effect::Pure | Effect::Read | Effect::End => false,
            Effect::Update if matches!(op, Op::Load(_)) => false,
            Effect::Write | Effect::Update => {
                !self.invariant(location)
                    && self.accessed(function, inst).is_none_or(|written| self.may_alias(&written, location))
            }
            // Others may have written meanwhile: NVRTC reloads after shuffles, votes and clocks, too.
            Effect::Fence | Effect::Barrier | Effect::Warp | Effect::State => {
                !self.invariant(location) && !self.private(location)
            }
        }
    }

    /// Whether an instruction may read what is at a location, or let others read it.
    pub(crate) fn reads(&self, function: &Function, inst: Inst, location: &Location) -> bool {
        let data = &function.insts[inst.index()];
        match effect(&data.op) {
            Effect::Pure => false,
            Effect::Write => match data.op {
                Op::Copy { size, .. } => {
                    let from = self.location(function, data.args[1], Some(size));
                    self.may_alias(&from, location)
                }
                _ => false,
            },
            Effect::Read | Effect::Update => {
                self.accessed(function, inst).is_none_or(|read| self.may_alias(&read, location))
            }
            Effect::Fence | Effect::Barrier | Effect::Warp | Effect::State | Effect::End => {
                !self.private(location)
            }
        }
    }

    /// Whether an instruction may change what a load reads; loads that are invariant by themselves are changed by none.
    pub(crate) fn clobbers(&self, function: &Function, inst: Inst, load: Inst) -> bool {
        if let Op::Load(access) = function.insts[load.index()].op
            && access.invariant
        {
            return false;
        }
        match self.accessed(function, load) {
            Some(location) => self.writes(function, inst, &location),
            None => true,
        }
    }
}

/// The object of every pointer: through offsets, conversions, selects and parameters of blocks.
fn objects(function: &Function, cfg: &Cfg) -> Vec<Object> {
    let mut objects = vec![Object::Nothing; function.values.len()];
    for (n, param) in function.params.iter().enumerate() {
        objects[param.value.index()] = Object::Param(n as u32);
    }
    let of = |objects: &[Object], value: Value| {
        let value = function.resolve(value);
        match function.values[value.index()].def {
            Def::Constant(_) => Object::Any,
            Def::Undefined => Object::Nothing,
            Def::Result(..) | Def::Param(..) | Def::Alias(_) => objects[value.index()],
        }
    };
    let meet = |a: Object, b: Object| match (a, b) {
        (Object::Nothing, other) | (other, Object::Nothing) => other,
        (a, b) if a == b => a,
        _ => Object::Any,
    };
    let mut changed = true;
    while changed {
        changed = false;
        for block in &cfg.order {
            let data = &function.blocks[block.index()];
            for inst in &data.insts {
                let data = &function.insts[inst.index()];
                for result in &data.results {
                    if !matches!(function.ty(*result), Type::Ptr(_)) {
                        continue;
                    }
                    let new = match data.op {
                        Op::Slot { .. } => Object::Slot(*result),
                        Op::Global(global) => Object::Global(global),
                        Op::Offset | Op::Convert(Convert::Space) => of(&objects, data.args[0]),
                        Op::Select => meet(of(&objects, data.args[1]), of(&objects, data.args[2])),
                        _ => Object::Any,
                    };
                    objects[result.index()] = meet(objects[result.index()], new);
                }
            }
            for edge in data.end.edges() {
                let params = &function.blocks[edge.block.index()].params;
                for (arg, param) in edge.args.iter().zip(params) {
                    if matches!(function.ty(*param), Type::Ptr(_)) {
                        let new = meet(objects[param.index()], of(&objects, *arg));
                        // What comes later in this order is seen with it in this round.
                        let back = cfg.position[edge.block.index()] <= cfg.position[block.index()];
                        changed |= back && new != objects[param.index()];
                        objects[param.index()] = new;
                    }
                }
            }
        }
    }
    objects
}

/// Slots whose address is used for more than accesses, by the value of the slot; and parameters, by their numbers.
fn escaped(function: &Function, cfg: &Cfg, objects: &[Object]) -> (Vec<bool>, Vec<bool>) {
    let mut escaped = vec![false; function.values.len()];
    let mut handed_on = vec![false; function.params.len()];
    if !super::mem2reg::has_slots(function) && !function.params.iter().any(|param| param.restrict) {
        return (escaped, handed_on);
    }
    let mut lose = |value: Value| match objects.get(function.resolve(value).index()) {
        Some(Object::Slot(slot)) => escaped[slot.index()] = true,
        Some(Object::Param(n)) => handed_on[*n as usize] = true,
        Some(Object::Any) | None => {
            // A pointer of several objects: whatever flowed into it is marked where it did.
        }
        Some(Object::Global(_) | Object::Nothing) => {}
    };
    let merged = |value: Value| objects.get(function.resolve(value).index()) == Some(&Object::Any);
    for block in &cfg.order {
        let data = &function.blocks[block.index()];
        for inst in &data.insts {
            let data = &function.insts[inst.index()];
            match data.op {
                Op::Load(_) | Op::Zero { .. } | Op::Copy { .. } | Op::Offset | Op::Compare(_) => {}
                Op::Store(_) => data.args[1..].iter().for_each(|value| lose(*value)),
                Op::Select | Op::Convert(Convert::Space) => {
                    if data.results.first().is_some_and(|result| merged(*result)) {
                        data.args.iter().for_each(|value| lose(*value));
                    }
                }
                _ => data.args.iter().for_each(|value| lose(*value)),
            }
        }
        for edge in data.end.edges() {
            for (arg, param) in edge.args.iter().zip(&function.blocks[edge.block.index()].params) {
                if merged(*param) {
                    lose(*arg);
                }
            }
        }
        if let crate::ir::Terminator::Return(values) = &data.end {
            values.iter().for_each(|value| lose(*value));
        }
    }
    (escaped, handed_on)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::parse::parse;

    /// Whether the last store of the text may change what its only load reads.
    fn clobbered(text: &str) -> bool {
        let mut module = parse(text);
        let function = module.functions.pop().unwrap();
        let aliases = Aliases::new(&function, &Cfg::new(&function), &Context::new(&module.globals));
        let find = |wanted: fn(&Op) -> bool| {
            let insts = function.blocks.iter().flat_map(|block| &block.insts);
            insts.copied().rfind(|inst| wanted(&function.insts[inst.index()].op)).unwrap()
        };
        let load = find(|op| matches!(op, Op::Load(_)));
        let store = find(|op| !matches!(effect(op), Effect::Pure | Effect::Read));
        aliases.clobbers(&function, store, load)
    }

    #[test]
    fn neighbours_in_one_array_are_apart() {
        let body = |at: u32| {
            format!(
                "kernel @k(p, i) {{\nb0(p: ptr.global, i: i64):\n  q: ptr.global = offset p, i\n  r: ptr.global = offset q, {at}:i64\n  x: i32 = load.a4 q\n  store.a4 r, x\n  return\n}}"
            )
        };
        assert!(!clobbered(&body(4)));
        assert!(clobbered(&body(2)));
    }

    #[test]
    fn parameters_are_apart_where_one_is_restrict() {
        let body = |restrict: &str| {
            format!(
                "kernel @k(p {restrict}, q) {{\nb0(p: ptr.global, q: ptr.global):\n  x: i32 = load.a4 p\n  store.a4 q, x\n  return\n}}"
            )
        };
        assert!(clobbered(&body("")));
        assert!(!clobbered(&body("restrict")));
    }

    #[test]
    fn a_barrier_changes_all_but_what_is_private_or_constant() {
        let text = |slot: &str, space: &str| {
            format!(
                "global @c {space} 4 align 4 element i32\nkernel @k() {{\nb0:\n  c: ptr.{space} = global @c\n  s: ptr.local = slot 4 align 4\n  x: i32 = load.a4 {slot}\n  builtin \"__syncthreads v() -\"\n  return\n}}"
            )
        };
        assert!(clobbered(&text("c", "shared")));
        assert!(!clobbered(&text("c", "constant")));
        assert!(!clobbered(&text("s", "shared")));
    }

    #[test]
    fn a_slot_that_is_stored_somewhere_is_known_to_others() {
        let text = |stored: &str| {
            format!(
                "kernel @k(p, q) {{\nb0(p: ptr.generic, q: ptr.generic):\n  s: ptr.local = slot 8 align 8\n  g: ptr.generic = space s\n  store.a8 p, {stored}\n  x: i32 = load.a4 s\n  store.a4 q, x\n  return\n}}"
            )
        };
        assert!(clobbered(&text("g")));
        assert!(!clobbered(&text("q")));
    }
}
