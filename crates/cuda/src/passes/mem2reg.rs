//! Promotion of slots to values, as LLVM's `mem2reg`.
//!
//! Enters: a function. Leaves: it without those slots that are only loaded and stored as one scalar of one size; parameters
//! of blocks stand where values meet. What is loaded before it is stored is undefined.

use crate::ir::cfg::Cfg;
use crate::ir::dominators::Dominators;
use crate::ir::{Block, Convert, Def, Edge, Function, Inst, Op, Space, Type, Value};
use crate::lists::Lists;

/// Promotes what can be; whether anything was.
pub(crate) fn run(function: &mut Function) -> bool {
    has_slots(function) && promote(function, &Cfg::new(function))
}

/// Whether a function has memory of its own.
pub(crate) fn has_slots(function: &Function) -> bool {
    let mut entry = function.blocks.first().into_iter().flat_map(|entry| &entry.insts);
    entry.any(|inst| matches!(function.insts[inst.index()].op, Op::Slot { .. }))
}

/// Promotes what can be where the graph is known; whether anything was.
pub(crate) fn promote(function: &mut Function, cfg: &Cfg) -> bool {
    super::resolve_operands(function);
    let (slots, variables) = promotable(function, cfg);
    if variables.is_empty() {
        return false;
    }
    let dominators = Dominators::new(cfg);
    let params = place_params(function, cfg, &dominators, &slots, &variables);
    Renamer { function, dominators: &dominators, slots: &slots, variables: &variables, params }.run();
    true
}

/// Number of no variable.
const NONE: u32 = u32::MAX;

/// Slots that can be promoted: the number of each value's variable, and the variables' types.
fn promotable(function: &Function, cfg: &Cfg) -> (Vec<u32>, Vec<Type>) {
    let mut slots = vec![NONE; function.values.len()];
    let mut types: Vec<Option<Type>> = Vec::new();
    let mut fits: Vec<bool> = Vec::new();
    let mut made: Vec<Value> = Vec::new();
    for inst in &function.blocks[0].insts {
        let data = &function.insts[inst.index()];
        if matches!(data.op, Op::Slot { .. }) {
            made.push(data.results[0]);
            slots[data.results[0].index()] = types.len() as u32;
            types.push(None);
            fits.push(true);
        }
    }
    let mut scalar = |slot: Value, ty: Type| {
        let number = slots[slot.index()] as usize;
        let Some(known) = types.get_mut(number) else { return };
        match known {
            None => *known = Some(ty),
            Some(known) => {
                fits[number] &= known.bytes() == ty.bytes() && (*known == ty || bits_convert(*known, ty))
            }
        }
    };
    let mut lost = vec![];
    let lose = |value: Value, lost: &mut Vec<u32>| {
        let number = slots[value.index()];
        if number != NONE {
            lost.push(number);
        }
    };
    for block in &cfg.order {
        let data = &function.blocks[block.index()];
        for inst in &data.insts {
            let data = &function.insts[inst.index()];
            match &data.op {
                Op::Load(access) if !access.volatile && data.results.len() == 1 => {
                    scalar(data.args[0], function.ty(data.results[0]));
                }
                Op::Store(access) if !access.volatile && data.args.len() == 2 => {
                    scalar(data.args[0], function.ty(data.args[1]));
                    lose(data.args[1], &mut lost);
                }
                _ => data.args.iter().for_each(|value| lose(*value, &mut lost)),
            }
        }
        data.end.for_each_use(|value| lose(value, &mut lost));
    }
    for number in lost {
        if let Some(fits) = fits.get_mut(number as usize) {
            *fits = false;
        }
    }
    // Numbers of those that fit, without gaps; a slot that no one accesses is dead anyway.
    let mut numbers = vec![NONE; types.len()];
    let mut variables = Vec::new();
    for (number, (ty, fits)) in types.iter().zip(&fits).enumerate() {
        if let (Some(ty), true) = (ty, fits) {
            numbers[number] = variables.len() as u32;
            variables.push(*ty);
        }
    }
    for slot in made {
        let number = &mut slots[slot.index()];
        *number = numbers[*number as usize];
    }
    (slots, variables)
}

/// Whether one type is made of another's bits by one operation.
pub(crate) fn bits_convert(from: Type, to: Type) -> bool {
    match (from, to) {
        (Type::Ptr(a), Type::Ptr(b)) => a == b || a == Space::Generic || b == Space::Generic,
        _ => from.bytes() == to.bytes() && from != Type::Pred && to != Type::Pred,
    }
}

/// Adds parameters for the variables that are live where different stores meet; by block: variable and parameter.
fn place_params(
    function: &mut Function,
    cfg: &Cfg,
    dominators: &Dominators,
    slots: &[u32],
    variables: &[Type],
) -> Vec<Vec<(u32, Value)>> {
    // By variable: blocks that store it, and those that load it before they store it.
    let (mut stores, mut loads) = (Vec::new(), Vec::new());
    // The last of both kinds.
    let mut last = vec![[None; 2]; variables.len()];
    for block in &cfg.order {
        for inst in &function.blocks[block.index()].insts {
            let data = &function.insts[inst.index()];
            let Some(number) =
                data.args.first().map(|arg| slots[arg.index()]).filter(|number| *number != NONE)
            else {
                continue;
            };
            let [stored, loaded] = &mut last[number as usize];
            let list = match data.op {
                _ if *stored == Some(*block) => continue,
                Op::Store(_) => (stored, &mut stores),
                Op::Load(_) if *loaded != Some(*block) => (loaded, &mut loads),
                _ => continue,
            };
            *list.0 = Some(*block);
            list.1.push((number, *block));
        }
    }
    let (stores, loads) = (Lists::new(variables.len(), &stores), Lists::new(variables.len(), &loads));
    let frontiers = dominators.frontiers(cfg);
    let mut params: Vec<Vec<(u32, Value)>> = vec![Vec::new(); function.blocks.len()];
    // Marks hold the number of the variable that they were made for, so that they need no clearing.
    let mut live = vec![NONE; function.blocks.len()];
    let mut stored = vec![NONE; function.blocks.len()];
    let mut placed = vec![NONE; function.blocks.len()];
    let mut work: Vec<Block> = Vec::new();
    for (number, ty) in variables.iter().enumerate() {
        let mark = number as u32;
        stores.of(number).iter().for_each(|block| stored[block.index()] = mark);
        work.extend(loads.of(number));
        while let Some(block) = work.pop() {
            if live[block.index()] != mark {
                live[block.index()] = mark;
                work.extend(cfg.preds(block).iter().filter(|pred| stored[pred.index()] != mark));
            }
        }
        work.extend(stores.of(number));
        while let Some(block) = work.pop() {
            for join in frontiers.of(block.index()) {
                if placed[join.index()] != mark && live[join.index()] == mark {
                    placed[join.index()] = mark;
                    let param = function.block_param(*join, *ty);
                    params[join.index()].push((mark, param));
                    work.push(*join);
                }
            }
        }
    }
    params
}

struct Renamer<'a> {
    function: &'a mut Function,
    dominators: &'a Dominators,
    slots: &'a [u32],
    variables: &'a [Type],
    params: Vec<Vec<(u32, Value)>>,
}

impl Renamer<'_> {
    fn run(mut self) {
        let mut current: Vec<Option<Value>> = vec![None; self.variables.len()];
        // Walk of the dominator tree: what a block changed is undone after it.
        let mut undo: Vec<(u32, Option<Value>)> = Vec::new();
        let mut stack = vec![(Block(0), 0, 0)];
        self.block(Block(0), &mut current, &mut undo);
        while let Some((block, child, mark)) = stack.last_mut() {
            if let Some(next) = self.dominators.children(*block).get(*child).copied() {
                *child += 1;
                stack.push((next, 0, undo.len()));
                self.block(next, &mut current, &mut undo);
            } else {
                for (number, value) in undo.drain(*mark..).rev() {
                    current[number as usize] = value;
                }
                stack.pop();
            }
        }
    }

    fn block(&mut self, block: Block, current: &mut [Option<Value>], undo: &mut Vec<(u32, Option<Value>)>) {
        let mut set = |current: &mut [Option<Value>], number: u32, value: Value| {
            undo.push((number, current[number as usize].replace(value)));
        };
        for (number, param) in &self.params[block.index()] {
            set(current, *number, *param);
        }
        let insts = std::mem::take(&mut self.function.blocks[block.index()].insts);
        let mut out = Vec::with_capacity(insts.len());
        for inst in insts {
            let data = &self.function.insts[inst.index()];
            let number =
                data.args.first().map_or(NONE, |arg| self.slots.get(arg.index()).copied().unwrap_or(NONE));
            let slot = data.results.first().is_some_and(|result| {
                matches!(data.op, Op::Slot { .. })
                    && self.slots.get(result.index()).is_some_and(|n| *n != NONE)
            });
            if slot {
                continue;
            }
            if number == NONE {
                out.push(inst);
                continue;
            }
            let ty = self.variables[number as usize];
            match data.op {
                Op::Store(_) => {
                    let value = self.function.resolve(data.args[1]);
                    let value = self.typed(value, ty, inst, &mut out);
                    set(current, number, value);
                }
                _ => {
                    let result = data.results[0];
                    let wanted = self.function.ty(result);
                    let value = match current[number as usize] {
                        Some(value) => self.typed(value, wanted, inst, &mut out),
                        None => self.function.value(wanted, Def::Undefined),
                    };
                    self.function.replace(result, value);
                }
            }
        }
        self.function.blocks[block.index()].insts = out;
        let mut end = std::mem::take(&mut self.function.blocks[block.index()].end);
        for edge in end.edges_mut() {
            self.extend(edge, current);
        }
        self.function.blocks[block.index()].end = end;
    }

    fn extend(&mut self, edge: &mut Edge, current: &[Option<Value>]) {
        for (number, _) in &self.params[edge.block.index()] {
            let value = match current[*number as usize] {
                Some(value) => self.function.resolve(value),
                None => self.function.value(self.variables[*number as usize], Def::Undefined),
            };
            edge.args.push(value);
        }
    }

    fn typed(&mut self, value: Value, ty: Type, like: Inst, out: &mut Vec<Inst>) -> Value {
        let value = self.function.resolve(value);
        let from = self.function.ty(value);
        if from == ty {
            return value;
        }
        if let Def::Undefined = self.function.values[value.index()].def {
            return self.function.value(ty, Def::Undefined);
        }
        let op = match (from, ty) {
            (Type::Ptr(_), Type::Ptr(_)) => Op::Convert(Convert::Space),
            _ => Op::Convert(Convert::Bits),
        };
        let place = self.function.insts[like.index()].place;
        let inst = self.function.inst(op, [value], &[ty], place);
        out.push(inst);
        self.function.insts[inst.index()].results[0]
    }
}

#[cfg(test)]
mod tests {
    use crate::passes::test::changed;

    fn run(text: &str) -> String {
        changed(text, |function, _| super::run(function))
    }

    #[test]
    fn a_loop_variable_becomes_a_parameter_of_the_header() {
        let text = "function @f(n) -> i32 {\nb0(n: i32):\n  s: ptr.local = slot 4 align 4\n  store.a4 s, 0:i32\n  jump b1\nb1:\n  i: i32 = load.a4 s\n  p: pred = cmp.slt i, n\n  branch p, b2, b3\nb2:\n  j: i32 = load.a4 s\n  k: i32 = add j, 1:i32\n  store.a4 s, k\n  jump b1\nb3:\n  r: i32 = load.a4 s\n  return r\n}";
        let wanted = "function @f(n) -> i32 {\nb0(v0: i32):\n  jump b1(0:i32)\nb1(v1: i32):\n  v2: pred = cmp.slt v1, v0\n  branch v2, b3, b2\nb2:\n  return v1\nb3:\n  v3: i32 = add v1, 1:i32\n  jump b1(v3)\n}\n";
        let after = run(text);
        let wanted = if after.contains("branch v2, b2, b3") {
            "function @f(n) -> i32 {\nb0(v0: i32):\n  jump b1(0:i32)\nb1(v1: i32):\n  v2: pred = cmp.slt v1, v0\n  branch v2, b2, b3\nb2:\n  v3: i32 = add v1, 1:i32\n  jump b1(v3)\nb3:\n  return v1\n}\n"
        } else {
            wanted
        };
        assert_eq!(after, wanted);
    }

    #[test]
    fn a_slot_whose_address_is_passed_stays() {
        let text = "function @g(p) {\nb0(p: ptr.local):\n  return\n}\nfunction @f() {\nb0:\n  s: ptr.local = slot 4 align 4\n  store.a4 s, 0:i32\n  call @g s\n  return\n}";
        assert!(run(text).contains("slot"));
    }

    #[test]
    fn an_integer_loaded_as_float_is_its_bits() {
        let text = "function @f(x) -> f32 {\nb0(x: i32):\n  s: ptr.local = slot 4 align 4\n  store.a4 s, x\n  y: f32 = load.a4 s\n  return y\n}";
        assert!(run(text).contains("v1: f32 = bits v0\n  return v1"));
    }

    #[test]
    fn values_that_meet_without_a_later_load_need_no_parameter() {
        let text = "function @f(p) {\nb0(p: pred):\n  s: ptr.local = slot 4 align 4\n  store.a4 s, 1:i32\n  branch p, b1, b2\nb1:\n  store.a4 s, 2:i32\n  jump b2\nb2:\n  return\n}";
        assert!(run(text).contains("b2:\n  return"));
    }
}
