//! Inlining.
//!
//! Enters: a module. Leaves: kernels with what they call in their place, as NVRTC does by default, and those functions
//! that calls remain to: `__noinline__` ones, those that a function grown to its limit still calls, and those whose address is
//! taken.
//!
//! Counter: `local_load_requests`. Of `gravity_constant_4` in lab-14-4 (small sizes) NVRTC's code has 0, ours without the pass 49,208.

use crate::ir::reach::Reach;
use crate::ir::{
    Block, BlockData, DebugLocation, Def, Edge, Function, FunctionId, Global, Inline, Inlined, Inst,
    InstData, Op, Symbol, Terminator, Value, ValueData,
};
use crate::threads;

/// Instructions that a function may have after inlining; with more, its calls stay calls.
const LIMIT: usize = 60_000;
/// Instructions of a function that is called in several places, above which its calls stay calls: functions that each call
/// the one before twice would double at every step.
const SHARED: usize = 4_000;
/// Instructions that inlining may add to a module; with more, only short functions still are.
const TOTAL: usize = 100_000;
/// Instructions of a short function.
const SHORT: usize = 50;

/// Inlines calls. What is inlined into others is made small first, by `tidy`, which is given whether there are several: it is
/// copied as often as it is called, and each copy would be made small again.
pub(crate) fn run(functions: &mut [Function], globals: &[Global], tidy: impl Fn(&mut Function, bool) + Sync) {
    let calls = calls(functions);
    let mut added = 0;
    for level in levels(functions, globals) {
        let mut inlined = Vec::new();
        for id in level {
            // The caller is taken out, so that it can change while the callees are read; none calls itself.
            let mut caller = std::mem::replace(&mut functions[id], empty());
            inline_calls(&mut caller, FunctionId(id as u32), functions, &calls, &mut added);
            if caller.kernel {
                functions[id] = caller;
            } else {
                inlined.push((id, caller));
            }
        }
        let threads = threads::worth(inlined.iter().map(|(_, function)| function));
        threads::for_each(
            threads,
            &mut inlined,
            |(_, function)| function.size(),
            |(id, function)| {
                tidy(function, calls[*id] > 1);
                forget_calls(function);
            },
        );
        for (id, function) in inlined {
            functions[id] = function;
        }
    }
}

/// Drops the inlined calls of which no instruction is left. A function that folds to a constant had perhaps as many as there are
/// paths through those that it called, and each copy of it would take them along.
fn forget_calls(function: &mut Function) {
    let mut used = vec![false; function.inlined.len()];
    let mut mark = |mut place: DebugLocation| {
        while let Some(at) = (place.inlined as usize).checked_sub(1) {
            match (used.get_mut(at), function.inlined.get(at)) {
                (Some(seen), Some(inlined)) if !*seen => {
                    *seen = true;
                    place = inlined.call;
                }
                _ => break,
            }
        }
    };
    for block in &function.blocks {
        block.insts.iter().for_each(|inst| mark(function.insts[inst.index()].place));
        mark(block.end_place);
    }
    let mut count = 0;
    let numbers: Vec<u32> = used
        .iter()
        .map(|used| {
            count += u32::from(*used);
            if *used { count } else { 0 }
        })
        .collect();
    let renumber = |place: &mut DebugLocation| {
        if let Some(at) = (place.inlined as usize).checked_sub(1) {
            place.inlined = numbers.get(at).copied().unwrap_or(0);
        }
    };
    function.insts.iter_mut().for_each(|inst| renumber(&mut inst.place));
    function.blocks.iter_mut().for_each(|block| renumber(&mut block.end_place));
    function.inlined.iter_mut().for_each(|inlined| renumber(&mut inlined.call));
    let mut at = 0;
    function.inlined.retain(|_| {
        at += 1;
        used[at - 1]
    });
}

fn empty() -> Function {
    Function {
        name: String::new(),
        source_name: String::new(),
        kernel: false,
        visible: false,
        external: false,
        linkage: crate::ir::Linkage::Visible,
        inline: Inline::Never,
        bounds: crate::ir::Bounds::default(),
        params: Vec::new(),
        results: vec![],
        record: None,
        values: Vec::new(),
        insts: Vec::new(),
        blocks: Vec::new(),
        replaced: false,
        inlined: Vec::new(),
        span: crate::source::Span::default(),
        end: crate::source::Span::default(),
    }
}

fn callees(function: &Function) -> Vec<usize> {
    let insts = function.blocks.iter().flat_map(|block| &block.insts);
    insts
        .filter_map(|inst| match function.insts[inst.index()].op {
            Op::Call(callee) => Some(callee.index()),
            _ => None,
        })
        .collect()
}

/// Number of calls of each function, as written.
fn calls(functions: &[Function]) -> Vec<u32> {
    let mut calls = vec![0; functions.len()];
    for callee in functions.iter().flat_map(callees) {
        if let Some(count) = calls.get_mut(callee) {
            *count += 1;
        }
    }
    calls
}

/// Functions that are reached, each after those that it calls.
fn callees_first(functions: &[Function], globals: &[Global]) -> Vec<usize> {
    let mut order = Vec::new();
    let mut seen = vec![false; functions.len()];
    let reach = Reach::new(functions, globals);
    for (root, function) in functions.iter().enumerate() {
        if !reach.roots[root] || seen[root] {
            continue;
        }
        seen[root] = true;
        let mut stack = vec![(root, callees(function))];
        while let Some((at, rest)) = stack.last_mut() {
            match rest.pop() {
                Some(next) => {
                    if seen.get(next) == Some(&false) {
                        seen[next] = true;
                        stack.push((next, callees(&functions[next])));
                    }
                }
                None => {
                    order.push(*at);
                    stack.pop();
                }
            }
        }
    }
    order
}

/// The same, by how deep their calls go: those of a level call none of their own.
fn levels(functions: &[Function], globals: &[Global]) -> Vec<Vec<usize>> {
    let (mut depths, mut levels) = (vec![0; functions.len()], Vec::new());
    for id in callees_first(functions, globals) {
        let called = callees(&functions[id]).into_iter().filter_map(|callee| depths.get(callee));
        let depth = called.max().copied().unwrap_or(0);
        if levels.len() == depth {
            levels.push(Vec::new());
        }
        levels[depth].push(id);
        depths[id] = depth + 1;
    }
    levels
}

fn inline_calls(
    caller: &mut Function,
    id: FunctionId,
    functions: &[Function],
    calls: &[u32],
    added: &mut usize,
) {
    let mut size = caller.size();
    // Arenas that grow by and by are copied as often, and touch twice the memory.
    let (mut values, mut insts) = (0, 0);
    for body in callees(caller).into_iter().filter_map(|callee| functions.get(callee)) {
        (values, insts) = (values + body.values.len(), insts + body.insts.len());
    }
    caller.values.reserve_exact(values.min(LIMIT));
    caller.insts.reserve_exact(insts.min(LIMIT));
    // Blocks of the caller itself; what comes in by inlining has nothing left to inline.
    let mut work: Vec<Block> = (0..caller.blocks.len()).rev().map(|at| Block(at as u32)).collect();
    while let Some(block) = work.pop() {
        let found = caller.blocks[block.index()].insts.iter().enumerate().find_map(|(at, inst)| {
            let Op::Call(callee) = caller.insts[inst.index()].op else { return None };
            let body = functions.get(callee.index())?;
            let insts = body.size();
            // All that a copy copies.
            let cost = insts.max(body.inlined.len()).max(body.values.len() / 4);
            let copied = !body.kernel && !body.external && !body.blocks.is_empty();
            let wanted = callee != id && copied && body.inline != Inline::Never;
            let shared = calls.get(callee.index()).is_some_and(|calls| *calls > 1);
            let most = match shared {
                _ if *added > TOTAL => SHORT,
                true => SHARED,
                false => LIMIT,
            };
            (wanted && cost <= most && size + cost <= LIMIT).then_some((at, *inst, callee, cost))
        });
        if let Some((at, call, callee, cost)) = found {
            size += cost;
            *added += cost;
            work.push(inline_call(caller, block, at, call, &functions[callee.index()]));
        }
    }
}

/// Puts a function in the place of a call; what followed the call is in the block that is returned.
fn inline_call(caller: &mut Function, block: Block, at: usize, call: Inst, callee: &Function) -> Block {
    let InstData { args, results, place, .. } = caller.insts[call.index()].clone();
    let rest = caller.block();
    let data = &mut caller.blocks[block.index()];
    let after = data.insts.split_off(at + 1);
    data.insts.pop();
    let end = std::mem::take(&mut data.end);
    let end_place = std::mem::replace(&mut data.end_place, place);
    caller.blocks[rest.index()] = BlockData { insts: after, end, end_place, ..BlockData::default() };
    for (result, ty) in results.iter().zip(&callee.results) {
        let param = caller.block_param(rest, *ty);
        caller.replace(*result, param);
    }
    let entry = Copier::new(caller, callee, place, rest).copy(callee, &args);
    caller.blocks[block.index()].end = Terminator::Jump(Edge { block: entry, args: Vec::new() });
    rest
}

/// Copy of one function's contents into another.
struct Copier<'a> {
    caller: &'a mut Function,
    rest: Block,
    first_value: u32,
    first_inst: u32,
    first_block: u32,
    /// Number of [`DebugLocation::inlined`] for what is directly in the callee; its own inlined calls follow.
    inlined: u32,
}

impl<'a> Copier<'a> {
    fn new(caller: &'a mut Function, callee: &Function, call: DebugLocation, rest: Block) -> Self {
        let inlined = caller.inlined.len() as u32 + 1;
        caller.inlined.push(Inlined { function: callee.source_name.clone(), call });
        let (first_value, first_inst) = (caller.values.len() as u32, caller.insts.len() as u32);
        let first_block = caller.blocks.len() as u32;
        let copier = Copier { caller, rest, first_value, first_inst, first_block, inlined };
        for inner in &callee.inlined {
            let call = copier.place(inner.call);
            copier.caller.inlined.push(Inlined { function: inner.function.clone(), call });
        }
        copier
    }

    fn place(&self, place: DebugLocation) -> DebugLocation {
        DebugLocation { span: place.span, inlined: self.inlined + place.inlined }
    }

    fn value(&self, value: Value) -> Value {
        Value(self.first_value + value.0)
    }

    fn block(&self, block: Block) -> Block {
        Block(self.first_block + block.0)
    }

    fn copy(mut self, callee: &Function, args: &[Value]) -> Block {
        // Parameters become other names of the arguments.
        self.caller.replaced = true;
        for data in &callee.values {
            let def = match data.def {
                Def::Result(inst, n) => Def::Result(Inst(self.first_inst + inst.0), n),
                Def::Param(Block(0), n) => match args.get(n as usize) {
                    Some(arg) => Def::Alias(*arg),
                    None => Def::Undefined,
                },
                Def::Param(block, n) => Def::Param(self.block(block), n),
                Def::Alias(value) => Def::Alias(self.value(value)),
                def @ (Def::Constant(_) | Def::Undefined) => def,
            };
            self.caller.values.push(ValueData { ty: data.ty, def });
        }
        for data in &callee.insts {
            let mut data = InstData { place: self.place(data.place), ..data.clone() };
            data.args.iter_mut().chain(&mut data.results).for_each(|value| *value = self.value(*value));
            self.caller.insts.push(data);
        }
        let mut slots = Vec::new();
        for (at, data) in callee.blocks.iter().enumerate() {
            let (mut insts, mut params) = (Vec::with_capacity(data.insts.len()), Vec::new());
            for inst in &data.insts {
                let copy = Inst(self.first_inst + inst.0);
                let slot = matches!(callee.insts[inst.index()].op, Op::Slot { .. });
                if slot { slots.push(copy) } else { insts.push(copy) }
            }
            if at > 0 {
                params = data.params.iter().map(|param| self.value(*param)).collect();
            }
            let (end, end_place) = (self.end(&data.end), self.place(data.end_place));
            self.caller.blocks.push(BlockData {
                params,
                insts,
                end,
                end_place,
                unroll: data.unroll,
                held: data.held,
            });
        }
        self.caller.blocks[0].insts.splice(0..0, slots);
        self.block(Block(0))
    }

    fn end(&mut self, end: &Terminator) -> Terminator {
        let mut end = match end {
            Terminator::Return(values) => {
                let args = values.iter().map(|value| self.value(*value)).collect();
                return Terminator::Jump(Edge { block: self.rest, args });
            }
            Terminator::Jump(_)
            | Terminator::Branch(..)
            | Terminator::Switch(..)
            | Terminator::Unreachable => end.clone(),
        };
        end.for_each_use_mut(|value| *value = Value(self.first_value + value.0));
        for edge in end.edges_mut() {
            edge.block = self.block(edge.block);
        }
        end
    }
}

/// Removes functions that are not reached; the numbers of the others follow.
pub(crate) fn remove_unused(functions: &mut Vec<Function>, globals: &mut [Global]) {
    let used = Reach::new(functions, globals).functions;
    let mut number = 0;
    let numbers: Vec<u32> = used
        .iter()
        .map(|used| {
            number += u32::from(*used);
            number.saturating_sub(1)
        })
        .collect();
    let mut at = 0;
    functions.retain(|_| {
        at += 1;
        used[at - 1]
    });
    let renumber = |id: &mut FunctionId| *id = FunctionId(numbers.get(id.index()).copied().unwrap_or(0));
    for function in functions {
        for inst in &mut function.insts {
            if let Op::Call(id) | Op::Function(id) = &mut inst.op {
                renumber(id);
            }
        }
    }
    for (_, addresses) in globals.iter_mut().flat_map(|global| &mut global.initial) {
        // What has the address of one that is gone is not reached itself.
        addresses
            .retain(|(_, of, _)| !matches!(of, Symbol::Function(id) if used.get(id.index()) != Some(&true)));
        for (_, of, _) in addresses {
            if let Symbol::Function(id) = of {
                renumber(id);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::ir::parse::parse;
    use crate::ir::verify::verify;
    use crate::ir::{Function, Module};

    fn inlined(module: &mut Module, tidy: impl Fn(&mut Function, bool) + Sync) {
        super::run(&mut module.functions, &module.globals, tidy);
        super::remove_unused(&mut module.functions, &mut module.globals);
    }

    #[test]
    fn a_call_becomes_the_body_and_its_slots_move_to_the_entry() {
        let mut module = parse(
            "function @g(x) -> i32 {\nb0(x: i32):\n  s: ptr.local = slot 4 align 4\n  store.a4 s, x\n  y: i32 = load.a4 s\n  return y\n}\n\
             kernel @k(p) {\nb0(p: ptr.global):\n  a: i32 = load.a4 p\n  b: i32 = call @g a\n  c: i32 = call @g b\n  store.a4 p, c\n  return\n}",
        );
        inlined(&mut module, |_, _| {});
        verify(&module).unwrap();
        assert_eq!(module.functions.len(), 1);
        let text = module.to_string();
        assert!(!text.contains("call"), "{text}");
        let entry = text.split("jump").next().unwrap();
        assert_eq!(entry.matches("slot").count(), 2, "{text}");
        assert_eq!(module.functions[0].inlined.len(), 2);
    }

    #[test]
    fn a_function_that_folds_takes_along_no_calls_of_it() {
        // Each calls the one before twice: 2^60 calls, were they all kept.
        let mut text = "function @f0() -> i32 {\nb0:\n  return 1:i32\n}\n".to_owned();
        for n in 1..=60 {
            let before = n - 1;
            text += &format!(
                "function @f{n}() -> i32 {{\nb0:\n  a: i32 = call @f{before}\n  b: i32 = call @f{before}\n  c: i32 = add a, b\n  return c\n}}\n"
            );
        }
        text += "kernel @k(p) {\nb0(p: ptr.global):\n  a: i32 = call @f60\n  store.a4 p, a\n  return\n}";
        let mut module = parse(&text);
        crate::passes::optimize(&mut module);
        assert_eq!(module.functions.len(), 1);
        assert!(module.functions[0].inlined.len() <= 1, "{module}");
        assert!(module.to_string().contains("store.a4 v0, 0:i32"), "{module}");
    }

    #[test]
    fn whether_several_places_call_a_function_is_told_before_it_is_inlined() {
        let one = |name: &str, callee: &str, calls: usize| {
            format!(
                "function @{name}() {{\nb0:\n{}  return\n}}\n",
                format!("  call @{callee}\n").repeat(calls)
            )
        };
        let text = format!(
            "function @twice() {{\nb0:\n  return\n}}\n{}kernel @k() {{\nb0:\n  call @once\n  return\n}}",
            one("once", "twice", 2)
        );
        let told = std::sync::Mutex::new(Vec::new());
        inlined(&mut parse(&text), |function, often| {
            told.lock().unwrap().push((function.name.clone(), often));
        });
        assert_eq!(told.into_inner().unwrap(), [("twice".to_owned(), true), ("once".to_owned(), false)]);
    }

    #[test]
    fn noinline_functions_stay_and_are_called() {
        let mut module = parse(
            "function @unused() {\nb0:\n  return\n}\nfunction @g(x) never -> i32 {\nb0(x: i32):\n  return x\n}\n\
             kernel @k(p) {\nb0(p: ptr.global):\n  b: i32 = call @g 1:i32\n  store.a4 p, b\n  return\n}",
        );
        inlined(&mut module, |_, _| {});
        verify(&module).unwrap();
        assert_eq!(module.functions.len(), 2);
        assert!(module.to_string().contains("call @g 1:i32"));
    }
    const ADDRESSED: &str = "global @table global 16 align 8 element i64 array = \"\", 8: @g + 0\n\
        global @dead global 8 align 8 element i64 array = \"\", 0: @unused + 0\n\
        function @unused() {\nb0:\n  return\n}\n\
        function @g(x) -> i32 {\nb0(x: i32):\n  return x\n}\n\
        function @h(x) -> i32 {\nb0(x: i32):\n  y: i32 = call @g x\n  return y\n}\n\
        external @f(p) -> i32 {\nb0(p: ptr.generic):\n  unreachable\n}\n\
        function @main() visible -> i32 {\nb0:\n  t: ptr.global = global @table\n  p: ptr.generic = load.a8 t\n  \
        a: i32 = call_indirect p, 5:i32\n  q: ptr.generic = function @h\n  b: i32 = call @f q\n  \
        c: i32 = call @h 5:i32\n  d: i32 = add a, b\n  e: i32 = add c, d\n  return e\n}\n";

    #[test]
    fn functions_whose_address_is_known_stay() {
        let mut module = parse(ADDRESSED);
        inlined(&mut module, |_, _| {});
        verify(&module).unwrap();
        let text = module.to_string();
        let names: Vec<&str> = module.functions.iter().map(|one| &*one.name).collect();
        assert_eq!(names, ["g", "h", "f", "main"], "{text}");
        assert!(text.contains("@table global 16 align 8 element i64 array = \"\", 8: @g + 0"), "{text}");
        assert!(text.contains("@dead global 8 align 8 element i64 array = \"\"\n"), "{text}");
        assert!(
            text.contains("function @h") && !text.contains("call @h") && text.contains("call @f"),
            "{text}"
        );
    }

    #[test]
    fn functions_whose_address_is_known_are_not_only_called_with_constants() {
        let mut module = parse(ADDRESSED);
        crate::passes::optimize(&mut module);
        let text = module.to_string();
        assert!(text.contains("function @g(x) -> i32 {\nb0(v0: i32):\n  return v0"), "{text}");
        assert!(text.contains("function @h(x) -> i32 {\nb0(v0: i32):\n  return v0"), "{text}");
    }
}
