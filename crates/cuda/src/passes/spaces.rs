//! Inference of state spaces, as LLVM's `InferAddressSpaces` and `NVPTXLowerArgs`.
//!
//! Enters: a function in which pointers may be generic though they can lead to one space alone. Leaves: those with that
//! space in their type, so that accesses through them name it. What a kernel is passed leads to global memory, also in
//! structs: the host knows no other addresses.
//!
//! Counter: `generic_load_instructions`. Of `chase_shared` in lab-5-5 (small sizes) NVRTC's code has 0, ours without the pass 86,592.

use crate::ir::cfg::Cfg;
use crate::ir::{
    Block, Convert, DebugLocation, Def, Function, Global, Inst, Op, Space, Symbol, Terminator, Type, Value,
    Values,
};

const GENERIC: Type = Type::Ptr(Space::Generic);

/// Infers spaces; whether any type changed.
pub(crate) fn run(function: &mut Function) -> bool {
    let cfg = Cfg::new(function);
    run_within(function, &cfg)
}

/// The same where the graph is known, which stays as it is.
pub(crate) fn run_within(function: &mut Function, cfg: &Cfg) -> bool {
    super::resolve_operands(function);
    if !function.values.iter().any(|value| value.ty == GENERIC) {
        return false;
    }
    let before = function.insts.len();
    if function.kernel {
        assume_global(function);
    }
    let told = function.insts.len() != before;
    let known = infer(function, cfg, false);
    if !known.iter().any(|space| matches!(space, Known::One(_))) {
        return told;
    }
    Rewriter { function, known, changed: told }.run(cfg)
}

/// What is known of where a generic pointer leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Known {
    /// Nothing flows here yet.
    Nothing,
    /// To this space alone.
    One(Space),
    /// To any.
    Any,
}

/// Whether no pointer that leads elsewhere than to global memory is ever put into memory or made a number, so that pointers
/// found in global and constant memory lead to global memory. (NVRTC assumes so of all kernels that store no other.)
pub(crate) fn memory_holds_global_pointers(functions: &[Function], globals: &[Global]) -> bool {
    let addresses = globals.iter().flat_map(|global| &global.initial).flat_map(|(_, addresses)| addresses);
    let elsewhere = |of: &Symbol| match of {
        Symbol::Global(id) => globals.get(id.index()).is_none_or(|of| of.space != Space::Global),
        Symbol::Function(_) => true,
    };
    // What is defined elsewhere may write any address that it is given.
    if functions.iter().any(|function| function.external)
        || addresses.into_iter().any(|(_, of, _)| elsewhere(of))
    {
        return false;
    }
    functions.iter().all(|function| {
        let cfg = Cfg::new(function);
        let known = infer(function, &cfg, true);
        let leads_to_global = |value: &Value| match (function.values[value.index()].def, function.ty(*value))
        {
            (Def::Constant(_) | Def::Undefined, _) => true,
            (_, GENERIC) => matches!(known[value.index()], Known::One(Space::Global) | Known::Nothing),
            (_, Type::Ptr(space)) => space == Space::Global,
            _ => true,
        };
        let insts = cfg.order.iter().flat_map(|block| &function.blocks[block.index()].insts);
        insts.map(|inst| &function.insts[inst.index()]).all(|data| match data.op {
            Op::Store(_) => data.args.iter().skip(1).all(leads_to_global),
            Op::Convert(Convert::Bits) | Op::Asm(_) => data.args.iter().all(leads_to_global),
            _ => true,
        })
    })
}

/// Notes of every generic pointer that is loaded from global or constant memory that it leads to global memory, where
/// [`memory_holds_global_pointers`].
pub(crate) fn assume_loaded(function: &mut Function) {
    super::resolve_operands(function);
    let cfg = Cfg::new(function);
    let known = infer(function, &cfg, true);
    let mut loaded = Vec::new();
    for block in &cfg.order {
        for (place, inst) in function.blocks[block.index()].insts.iter().enumerate() {
            let data = &function.insts[inst.index()];
            if matches!(data.op, Op::Load(_)) {
                let held =
                    data.results.iter().filter(|result| known[result.index()] == Known::One(Space::Global));
                loaded.extend(held.map(|result| (*block, place + 1, *result)));
            }
        }
    }
    // Inserted from the end, block by block.
    crate::sort::by_key(&mut loaded, |(block, place, _)| (*block, *place));
    tell(function, loaded);
}

/// Notes of every generic pointer that a kernel is passed that it leads to global memory.
fn assume_global(function: &mut Function) {
    let entry: Vec<Value> = function.blocks[0].params.clone();
    let mut passed: Vec<(Block, usize, Value)> = Vec::new();
    for value in entry {
        passed.push((Block(0), 0, value));
    }
    for at in 0..function.blocks.len() {
        for (place, inst) in function.blocks[at].insts.iter().enumerate() {
            let data = &function.insts[inst.index()];
            if matches!(data.op, Op::Load(_)) && function.ty(data.args[0]) == Type::Ptr(Space::Param) {
                passed.extend(data.results.iter().map(|result| (Block(at as u32), place + 1, *result)));
            }
        }
    }
    tell(function, passed);
}

/// Notes of generic pointers, each defined before a place in a block, that they lead to global memory. Later places of a
/// block come later.
fn tell(function: &mut Function, mut passed: Vec<(Block, usize, Value)>) {
    passed.retain(|(_, _, value)| function.ty(*value) == GENERIC);
    if passed.is_empty() {
        return;
    }
    let mut otherwise_used = vec![false; function.values.len()];
    for block in &function.blocks {
        for inst in &block.insts {
            let data = &function.insts[inst.index()];
            let told = data.op == Op::Convert(Convert::Space)
                && function.ty(data.results[0]) == Type::Ptr(Space::Global);
            if !told {
                data.args.iter().for_each(|arg| otherwise_used[arg.index()] = true);
            }
        }
        block.end.uses().for_each(|value| otherwise_used[value.index()] = true);
    }
    passed.retain(|(_, _, value)| otherwise_used[value.index()]);
    if passed.is_empty() {
        return;
    }
    let mut replaced = vec![None; function.values.len()];
    // From the end, so that places stay what they are.
    for (block, place, value) in passed.iter().rev() {
        let at = DebugLocation::default();
        let to = Op::Convert(Convert::Space);
        let global = function.inst(to.clone(), [*value], &[Type::Ptr(Space::Global)], at);
        let result = function.insts[global.index()].results[0];
        let back = function.inst(to, [result], &[GENERIC], at);
        replaced[value.index()] = Some((global, function.insts[back.index()].results[0]));
        let place = (*place).min(function.blocks[block.index()].insts.len());
        function.blocks[block.index()].insts.splice(place..place, [global, back]);
    }
    let Function { insts, blocks, .. } = function;
    let new = |value: &mut Value, user: Option<Inst>| {
        if let Some(Some((global, generic))) = replaced.get(value.index())
            && user != Some(*global)
        {
            *value = *generic;
        }
    };
    for block in blocks {
        for inst in &block.insts {
            insts[inst.index()].args.iter_mut().for_each(|value| new(value, Some(*inst)));
        }
        block.end.for_each_use_mut(|value| new(value, None));
    }
}

fn meet(a: Known, b: Known) -> Known {
    match (a, b) {
        (Known::Nothing, other) | (other, Known::Nothing) => other,
        (Known::One(a), Known::One(b)) if a == b => Known::One(a),
        (Known::One(_) | Known::Any, Known::One(_) | Known::Any) => Known::Any,
    }
}

/// What is known of each generic value, and nothing of others; `loads` says whether memory holds global pointers alone.
fn infer(function: &Function, cfg: &Cfg, loads: bool) -> Vec<Known> {
    let mut known = vec![Known::Nothing; function.values.len()];
    let of = |known: &[Known], value: Value| match function.ty(value) {
        Type::Ptr(Space::Generic) => match function.values[value.index()].def {
            Def::Undefined => Known::Nothing,
            Def::Constant(_) => Known::Any,
            Def::Result(..) | Def::Param(..) | Def::Alias(_) => known[value.index()],
        },
        Type::Ptr(space) => Known::One(space),
        _ => Known::Any,
    };
    let mut changed = true;
    while changed {
        changed = false;
        let mut learn = |known: &mut Vec<Known>, value: Value, new: Known| {
            if function.ty(value) == GENERIC && known[value.index()] != new {
                known[value.index()] = meet(known[value.index()], new);
                changed |= new != Known::Nothing && known[value.index()] == new || new == Known::Any;
            }
        };
        for block in &cfg.order {
            if block.index() == 0 {
                for param in &function.blocks[0].params {
                    learn(&mut known, *param, Known::Any);
                }
            }
            for inst in &function.blocks[block.index()].insts {
                let data = &function.insts[inst.index()];
                for result in &data.results {
                    if function.ty(*result) == GENERIC {
                        let new = match data.op {
                            Op::Convert(Convert::Space) | Op::Offset => of(&known, data.args[0]),
                            Op::Select => meet(of(&known, data.args[1]), of(&known, data.args[2])),
                            Op::Load(_) if loads => match of(&known, data.args[0]) {
                                Known::Nothing => Known::Nothing,
                                Known::One(Space::Global | Space::Constant | Space::Param) => {
                                    Known::One(Space::Global)
                                }
                                Known::One(Space::Generic | Space::Shared | Space::Local) | Known::Any => {
                                    Known::Any
                                }
                            },
                            _ => Known::Any,
                        };
                        let before = known[result.index()];
                        if new != before {
                            learn(&mut known, *result, new);
                        }
                    }
                }
            }
            for edge in function.blocks[block.index()].end.edges() {
                for (arg, param) in edge.args.iter().zip(&function.blocks[edge.block.index()].params) {
                    if function.ty(*param) == GENERIC {
                        let new = meet(known[param.index()], of(&known, *arg));
                        if new != known[param.index()] {
                            learn(&mut known, *param, new);
                        }
                    }
                }
            }
        }
    }
    known
}

struct Rewriter<'a> {
    function: &'a mut Function,
    known: Vec<Known>,
    changed: bool,
}

impl Rewriter<'_> {
    fn run(mut self, cfg: &Cfg) -> bool {
        for value in 0..self.known.len() {
            if let Known::One(space) = self.known[value]
                && !self.is_convert(Value(value as u32))
            {
                self.function.values[value].ty = Type::Ptr(space);
                self.changed = true;
            }
        }
        for block in &cfg.order {
            let insts = std::mem::take(&mut self.function.blocks[block.index()].insts);
            let mut out = Vec::with_capacity(insts.len());
            for inst in insts {
                self.inst(inst, &mut out);
                out.push(inst);
            }
            let mut end = std::mem::take(&mut self.function.blocks[block.index()].end);
            self.end(&mut end, &mut out);
            let data = &mut self.function.blocks[block.index()];
            (data.insts, data.end) = (out, end);
        }
        self.changed
    }

    fn is_convert(&self, value: Value) -> bool {
        match self.function.values[value.index()].def {
            Def::Result(inst, _) => self.function.insts[inst.index()].op == Op::Convert(Convert::Space),
            Def::Param(..) | Def::Constant(_) | Def::Undefined | Def::Alias(_) => false,
        }
    }

    /// The pointer with its own space that a generic one was made of.
    fn specific(&self, mut value: Value) -> Value {
        while self.function.ty(value) == GENERIC {
            let Def::Result(inst, _) = self.function.values[value.index()].def else { break };
            let data = &self.function.insts[inst.index()];
            if data.op != Op::Convert(Convert::Space) {
                break;
            }
            value = data.args[0];
        }
        value
    }

    /// A value of the type that is wanted: the pointer that it was made of, or a conversion.
    fn typed(&mut self, value: Value, ty: Type, out: &mut Vec<Inst>, place: DebugLocation) -> Value {
        let (Type::Ptr(_), Type::Ptr(_)) = (self.function.ty(value), ty) else { return value };
        if self.function.ty(value) == ty {
            return value;
        }
        let specific = self.specific(value);
        if self.function.ty(specific) == ty {
            return specific;
        }
        if self.function.values[value.index()].def == Def::Undefined {
            return self.function.value(ty, Def::Undefined);
        }
        let inst = self.function.inst(Op::Convert(Convert::Space), [value], &[ty], place);
        out.push(inst);
        self.function.insts[inst.index()].results[0]
    }

    fn inst(&mut self, inst: Inst, out: &mut Vec<Inst>) {
        let data = &self.function.insts[inst.index()];
        let (mut args, place) = (data.args.clone(), data.place);
        let result = data.results.first().map(|result| self.function.ty(*result));
        match data.op {
            Op::Offset => {
                if let Some(ty) = result {
                    args[0] = self.typed(args[0], ty, out, place);
                }
            }
            Op::Select => {
                if let Some(ty @ Type::Ptr(_)) = result {
                    args[1] = self.typed(args[1], ty, out, place);
                    args[2] = self.typed(args[2], ty, out, place);
                }
            }
            Op::Load(_) | Op::Zero { .. } => args[0] = self.specific(args[0]),
            Op::Copy { .. } => {
                args[0] = self.specific(args[0]);
                args[1] = self.specific(args[1]);
            }
            Op::Store(_) => {
                args[0] = self.specific(args[0]);
                for arg in &mut args[1..] {
                    *arg = self.generic(*arg, out, place);
                }
            }
            Op::Compare(_) => {
                let both = (self.specific(args[0]), self.specific(args[1]));
                if self.function.ty(both.0) == self.function.ty(both.1) {
                    (args[0], args[1]) = both;
                } else {
                    for arg in &mut args {
                        *arg = self.generic(*arg, out, place);
                    }
                }
            }
            Op::Convert(Convert::Space) => args = self.convert(inst, args, out),
            Op::Builtin(row, _) => {
                let accesses = usize::from(row.accesses());
                for arg in args.iter_mut().take(accesses) {
                    *arg = self.specific(*arg);
                }
                for arg in args.iter_mut().skip(accesses) {
                    *arg = self.generic(*arg, out, place);
                }
            }
            Op::Unary(_)
            | Op::Binary(_)
            | Op::Fma
            | Op::Convert(_)
            | Op::Slot { .. }
            | Op::Global(_)
            | Op::Function(_)
            | Op::Call(_)
            | Op::CallIndirect
            | Op::Asm(_) => {
                for arg in &mut args {
                    *arg = self.generic(*arg, out, place);
                }
            }
        }
        self.function.insts[inst.index()].args = args;
    }

    /// A conversion, whose operand may have taken the result's space itself; returns its operands.
    fn convert(&mut self, inst: Inst, mut args: Values, out: &mut Vec<Inst>) -> Values {
        let data = &self.function.insts[inst.index()];
        let (place, Some(result)) = (data.place, data.results.first().copied()) else { return args };
        let ty = self.function.ty(result);
        let specific = self.specific(args[0]);
        if self.function.ty(specific) == ty {
            self.function.replace(result, specific);
            // What stays is an operation that no one uses, on a value of its own type.
            let other = self.function.value(ty, Def::Result(inst, 0));
            self.function.insts[inst.index()].results = [other].into();
            if self.function.ty(args[0]) == ty {
                // The operand took the result's type itself: a move, as an offset by nothing.
                let zero = self.function.value(Type::I64, Def::constant(0));
                self.function.insts[inst.index()].op = Op::Offset;
                args.push(zero);
            }
        } else if self.function.ty(args[0]) != GENERIC && ty != GENERIC {
            args[0] = self.generic(args[0], out, place);
        }
        args
    }

    /// The value as it was before types changed: a pointer that was generic is made so again.
    fn generic(&mut self, value: Value, out: &mut Vec<Inst>, place: DebugLocation) -> Value {
        let was_generic = self.known.get(value.index()).is_some_and(|known| matches!(known, Known::One(_)));
        if was_generic && !self.is_convert(value) { self.typed(value, GENERIC, out, place) } else { value }
    }

    fn end(&mut self, end: &mut Terminator, out: &mut Vec<Inst>) {
        for edge in end.edges_mut() {
            for (n, arg) in edge.args.iter_mut().enumerate() {
                if let Some(param) = self.function.blocks[edge.block.index()].params.get(n) {
                    let ty = self.function.ty(*param);
                    *arg = self.typed(*arg, ty, out, DebugLocation::default());
                }
            }
        }
        if let Terminator::Return(values) = end {
            for value in values {
                *value = self.generic(*value, out, DebugLocation::default());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::passes::dce;
    use crate::passes::test::changed;

    fn run(text: &str) -> String {
        changed(text, |function, _| {
            super::run(function);
            crate::passes::resolve_operands(function);
            dce::run(function)
        })
    }

    #[test]
    fn what_a_kernel_is_passed_leads_to_global_memory() {
        let text = "kernel @k(p, n) {\nb0(p: ptr.generic, n: i64):\n  q: ptr.generic = offset p, n\n  jump b1(q)\nb1(r: ptr.generic):\n  x: i32 = load.a4 r\n  s: ptr.generic = offset r, 4:i64\n  store.a4 s, x\n  c: pred = cmp.eq x, 0:i32\n  branch c, b1(s), b2\nb2:\n  return\n}";
        let after = run(text);
        assert!(after.contains("b1(v4: ptr.global)"), "{after}");
        assert_eq!(after.matches("ptr.generic").count(), 1, "{after}");
    }

    const WALK: &str = "kernel @k(p) {\nb0(p: ptr.generic):\n  jump b1(p)\nb1(n: ptr.generic):\n  next: ptr.generic = load.a8 n\n  c: pred = cmp.eq next, 0:ptr.generic\n  branch c, b2, b1(next)\nb2:\n  q: ptr.generic = offset n, 8:i64\n  store.a4 q, 1:i32\n  return\n}";

    #[test]
    fn pointers_in_global_memory_lead_to_global_memory() {
        let after = changed(WALK, |function, context| {
            assert!(super::memory_holds_global_pointers(std::slice::from_ref(function), context.globals));
            super::run(function);
            super::assume_loaded(function);
            super::run(function);
            crate::passes::resolve_operands(function);
            dce::run(function)
        });
        assert!(after.contains("b1(v2: ptr.global)"), "{after}");
    }

    #[test]
    fn a_shared_address_in_memory_forbids_that() {
        let stores = "global @s shared 16 align 4 element i32\nkernel @k(p) {\nb0(p: ptr.generic):\n  g: ptr.shared = global @s\n  h: ptr.generic = space g\n  store.a8 p, h\n  return\n}";
        let module = crate::ir::parse::parse(stores);
        assert!(!super::memory_holds_global_pointers(&module.functions, &module.globals));
    }

    #[test]
    fn a_pointer_to_two_spaces_stays_generic() {
        let text = "global @s shared 16 align 4 element i32\nkernel @k(p, c) {\nb0(p: ptr.generic, c: i32):\n  g: ptr.shared = global @s\n  h: ptr.generic = space g\n  q: pred = cmp.eq c, 0:i32\n  r: ptr.generic = select q, h, p\n  store.a4 r, c\n  store.a4 h, c\n  return\n}";
        let after = run(text);
        assert!(after.contains("ptr.generic = select"), "{after}");
        assert_eq!(after.matches("space").count(), 3, "{after}");
    }

    #[test]
    fn a_pointer_that_is_stored_is_stored_as_generic() {
        let text = "kernel @k(p) {\nb0(p: ptr.generic):\n  q: ptr.generic = offset p, 8:i64\n  store.a8 q, q\n  return\n}";
        let after = run(text);
        assert!(after.contains("v3: ptr.generic = space v2\n  store.a8 v2, v3"), "{after}");
    }
}
