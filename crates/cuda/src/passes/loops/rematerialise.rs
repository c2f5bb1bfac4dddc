//! Values that are made again within a loop, as NVRTC's rematerialisation.
//!
//! Enters: a function after all other passes. Leaves: innermost loops in which many values live at once with fewer of them: what
//! is made in few steps from a value that lives there anyway is made again where it is used, and needs no register in between.

use crate::ir::cfg::Cfg;
use crate::ir::loops::{Graph, Loop};
use crate::ir::{Binary, Block, Convert, Def, Function, Inst, Op, Value};

/// Registers of 32 bits that values of a loop take from which on it has many.
const MANY: u32 = 48;
/// Most instructions that make a value.
const FEW: usize = 4;

/// Makes values again in all innermost loops; whether any was.
pub(crate) fn run(function: &mut Function) -> bool {
    function.resolve_operands();
    let graph = Graph::new(function);
    let mut changed = false;
    for at in graph.loops.leaves().into_iter().rev() {
        let one = &graph.loops.all[at];
        if registers(function, one) >= MANY {
            changed |= Remake::new(function, &graph.cfg, one).run(function);
        }
    }
    changed
}

/// Registers that the values take that live at once, about: those that come into the loop live in all of it.
fn registers(function: &Function, one: &Loop) -> u32 {
    let words = |value: &Value| function.ty(*value).bytes().div_ceil(4);
    let mut home: Vec<Option<Block>> = vec![None; function.values.len()];
    let mut through = vec![false; function.values.len()];
    for block in &one.blocks {
        let data = &function.blocks[block.index()];
        let results = data.insts.iter().flat_map(|inst| &function.insts[inst.index()].results);
        data.params.iter().chain(results).for_each(|value| home[value.index()] = Some(*block));
    }
    let register =
        |value: &Value| matches!(function.values[value.index()].def, Def::Result(..) | Def::Param(..));
    for block in &one.blocks {
        let data = &function.blocks[block.index()];
        let args = data.insts.iter().flat_map(|inst| function.insts[inst.index()].args.iter().copied());
        let elsewhere = args.filter(|arg| home[arg.index()] != Some(*block));
        elsewhere.chain(data.end.uses()).filter(register).for_each(|value| through[value.index()] = true);
    }
    let base: u32 = (0..through.len()).filter(|at| through[*at]).map(|at| words(&Value(at as u32))).sum();
    let mut most = base;
    for block in &one.blocks {
        let mut live = base;
        let mut seen = through.clone();
        for inst in function.blocks[block.index()].insts.iter().rev() {
            let data = &function.insts[inst.index()];
            for result in data.results.iter().filter(|value| !through[value.index()]) {
                if std::mem::replace(&mut seen[result.index()], false) {
                    live -= words(result);
                }
            }
            for arg in data.args.iter().filter(|arg| register(arg)) {
                if !std::mem::replace(&mut seen[arg.index()], true) {
                    live += words(arg);
                }
            }
            most = most.max(live);
        }
    }
    most
}

/// Loop with what lives in it.
struct Remake<'a> {
    one: &'a Loop,
    /// By value: whether the loop's instructions use it.
    used: Vec<bool>,
    /// By value: whether it is used after the loop, or at the end of one of its blocks.
    kept: Vec<bool>,
    /// By value: whether the loop defines it.
    varies: Vec<bool>,
}

impl Remake<'_> {
    fn new<'a>(function: &Function, cfg: &Cfg, one: &'a Loop) -> Remake<'a> {
        let none = || vec![false; function.values.len()];
        let mut remake = Remake { one, used: none(), kept: none(), varies: none() };
        let mut reached = vec![false; function.blocks.len()];
        let mut stack: Vec<Block> = one.blocks.clone();
        while let Some(block) = stack.pop() {
            for edge in function.blocks[block.index()].end.edges() {
                if !std::mem::replace(&mut reached[edge.block.index()], true) {
                    stack.push(edge.block);
                }
            }
        }
        for block in &cfg.order {
            let data = &function.blocks[block.index()];
            let inside = one.blocks.contains(block);
            let args = data.insts.iter().flat_map(|inst| &function.insts[inst.index()].args);
            if inside {
                args.for_each(|arg| remake.used[arg.index()] = true);
                let results = data.insts.iter().flat_map(|inst| &function.insts[inst.index()].results);
                data.params.iter().chain(results).for_each(|value| remake.varies[value.index()] = true);
            } else if reached[block.index()] {
                args.for_each(|arg| remake.kept[arg.index()] = true);
            }
            if inside || reached[block.index()] {
                data.end.uses().for_each(|value| remake.kept[value.index()] = true);
            }
        }
        remake
    }

    fn run(&self, function: &mut Function) -> bool {
        let mut changed = false;
        for block in &self.one.blocks {
            let insts = std::mem::take(&mut function.blocks[block.index()].insts);
            let mut out: Vec<Inst> = Vec::with_capacity(insts.len());
            let mut made: Vec<(Value, Value)> = Vec::new();
            for inst in insts {
                for at in 0..function.insts[inst.index()].args.len() {
                    let arg = function.insts[inst.index()].args[at];
                    let again = made.iter().find(|(value, _)| *value == arg).map(|(_, again)| *again);
                    let again = again.or_else(|| {
                        let steps = self.steps(function, arg)?;
                        let again = copy(function, &steps, &mut out)?;
                        made.push((arg, again));
                        Some(again)
                    });
                    if let Some(again) = again {
                        function.insts[inst.index()].args[at] = again;
                        changed = true;
                    }
                }
                out.push(inst);
            }
            function.blocks[block.index()].insts = out;
        }
        changed
    }

    /// Instructions that make a value that lives for nothing but the loop, from one that lives anyway; first ones last.
    fn steps(&self, function: &Function, value: Value) -> Option<Vec<Inst>> {
        let mut steps = Vec::new();
        let mut at = value;
        loop {
            if self.varies[at.index()] {
                return None;
            }
            // What is made of it lives no longer then.
            if !steps.is_empty()
                && (self.kept[at.index()] || self.used[at.index()] && self.lives(function, at))
            {
                return Some(steps);
            }
            if self.kept[at.index()] || steps.len() == FEW {
                return None;
            }
            let Def::Result(inst, _) = function.values[at.index()].def else { return None };
            at = cheap(function, inst)?;
            steps.push(inst);
        }
    }

    /// Whether a value that the loop uses is not made again itself.
    fn lives(&self, function: &Function, value: Value) -> bool {
        self.steps(function, value).is_none()
    }
}

/// The only operand that is no constant, of an instruction that costs little.
fn cheap(function: &Function, inst: Inst) -> Option<Value> {
    let data = &function.insts[inst.index()];
    let few = match data.op {
        Op::Convert(Convert::SignExtend | Convert::ZeroExtend | Convert::Truncate) => true,
        Op::Binary(op) => {
            matches!(op, Binary::Add(_) | Binary::Sub(_) | Binary::Shl(_) | Binary::LShr | Binary::And)
        }
        _ => false,
    };
    let mut varying = data.args.iter().filter(|arg| function.constant(**arg).is_none());
    let only = *varying.next()?;
    (few && varying.next().is_none()).then_some(only)
}

fn copy(function: &mut Function, steps: &[Inst], out: &mut Vec<Inst>) -> Option<Value> {
    let mut last: Option<(Value, Value)> = None;
    for inst in steps.iter().rev() {
        let data = function.insts[inst.index()].clone();
        let result = *data.results.first()?;
        let mut args = data.args;
        if let Some((original, again)) = last {
            args.iter_mut().filter(|arg| **arg == original).for_each(|arg| *arg = again);
        }
        let ty = function.ty(result);
        let again = function.inst(data.op, args, &[ty], data.place);
        out.push(again);
        last = Some((result, function.insts[again.index()].results[0]));
    }
    last.map(|(_, again)| again)
}

#[cfg(test)]
mod tests {
    use std::fmt::Write;

    use crate::passes::test::changed;

    /// A loop with that many sums, which adds the square of a sum of `n` and a constant to each; `after` is what is added last.
    fn sums(count: usize, after: &str) -> String {
        let list = |of: &dyn Fn(usize) -> String| (0..count).map(of).collect::<Vec<_>>().join(", ");
        let mut text = format!(
            "function @f(n) -> i32 {{\nb0(n: i32):\n  m: i32 = shl n, 2:i32\n  k: i32 = add m, 7:i32\n  jump b1(n, {})\n\
             b1(i: i32, {}):\n  x: i32 = mul k, i\n",
            list(&|_| "0:i32".into()),
            list(&|at| format!("s{at}: i32")),
        );
        for at in 0..count {
            let _ = writeln!(text, "  t{at}: i32 = add s{at}, x");
        }
        let turn = list(&|at| format!("t{at}"));
        let _ = write!(
            text,
            "  j: i32 = add i, -1:i32\n  p: pred = cmp.ne j, 0:i32\n  branch p, b1(j, {turn}), b2\nb2:\n  r0: i32 = add {after}, n\n"
        );
        for at in 0..count {
            let _ = writeln!(text, "  r{}: i32 = add r{at}, t{at}", at + 1);
        }
        let _ = write!(text, "  return r{count}\n}}");
        text
    }

    fn remade(text: &str) -> bool {
        let after = changed(text, |function, _| super::run(function) && crate::passes::dce::run(function));
        let (_, within) = after.split_once("\nb1(").unwrap();
        let found = within.contains("shl");
        assert_eq!(!found, after.split_once("\nb1(").unwrap().0.contains("shl"), "{after}");
        let args = [3];
        let run = |text: &str| {
            let module = crate::ir::parse::parse(text);
            crate::ir::run::Machine::new(&module).call(crate::ir::FunctionId(0), &args)
        };
        assert_eq!(run(text), run(&after), "{after}");
        found
    }

    #[test]
    fn a_value_is_made_again_in_a_loop_with_many() {
        assert!(remade(&sums(48, "n")));
    }

    #[test]
    fn a_value_is_made_once_for_a_loop_with_few_or_if_it_lives_longer() {
        assert!(!remade(&sums(8, "n")));
        assert!(!remade(&sums(48, "k")));
    }
}
