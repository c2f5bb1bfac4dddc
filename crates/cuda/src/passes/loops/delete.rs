//! Loops that do nothing, as LLVM's `LoopDeletion`.
//!
//! Enters: a function. Leaves: it without loops that neither touch anything nor compute what is used after them, and that
//! end: those that count. (What waits for memory to change stays as it is written.)
//!
//! Counter: `warp_instructions`. Of `unused` in passes.cu NVRTC's code has 11, ours without the pass 33.

use crate::ir::cfg::Cfg;
use crate::ir::dominators::Dominators;
use crate::ir::loops::{Loop, Loops};
use crate::ir::{Binary, Block, Def, Edge, Function, Op, Terminator, Value};
use crate::passes::effects::{Effect, effect};

/// Deletes loops; whether there were any.
pub(crate) fn run(function: &mut Function) -> bool {
    super::super::resolve_operands(function);
    let cfg = Cfg::new(function);
    let dominators = Dominators::new(&cfg);
    let loops = Loops::new(&cfg, &dominators);
    if loops.all.is_empty() {
        return false;
    }
    let home = homes(function, &cfg);
    let mut changed = false;
    for at in loops.inner_first() {
        let inside = |block: Block| loops.contains(at, block);
        let one = &loops.all[at];
        let counts = one.blocks.iter().any(|block| counts(function, one, *block, &home, &inside));
        if !counts || !idle(function, one) || used_behind(function, &cfg, &home, &inside) {
            continue;
        }
        let Some(exit) = single_exit(function, one, &home, &inside) else { continue };
        for block in cfg.order.iter().filter(|block| !inside(**block)) {
            for edge in function.blocks[block.index()].end.edges_mut() {
                if edge.block == one.header {
                    *edge = exit.clone();
                    changed = true;
                }
            }
        }
    }
    changed
}

/// Block in which each value is defined; none for constants.
fn homes(function: &Function, cfg: &Cfg) -> Vec<Option<Block>> {
    let mut home = vec![None; function.values.len()];
    for block in &cfg.order {
        let data = &function.blocks[block.index()];
        data.params.iter().for_each(|param| home[param.index()] = Some(*block));
        for inst in &data.insts {
            function.insts[inst.index()]
                .results
                .iter()
                .for_each(|result| home[result.index()] = Some(*block));
        }
    }
    home
}

/// Whether nothing in a loop has an effect.
fn idle(function: &Function, one: &Loop) -> bool {
    let mut insts = one.blocks.iter().flat_map(|block| &function.blocks[block.index()].insts);
    insts.all(|inst| matches!(effect(&function.insts[inst.index()].op), Effect::Pure | Effect::Read))
}

/// Whether a value of a loop is used by an instruction or an end of another block.
fn used_behind(
    function: &Function,
    cfg: &Cfg,
    home: &[Option<Block>],
    inside: &dyn Fn(Block) -> bool,
) -> bool {
    let ours = |value: &Value| home[value.index()].is_some_and(inside);
    cfg.order.iter().filter(|block| !inside(**block)).any(|block| {
        let data = &function.blocks[block.index()];
        data.insts.iter().any(|inst| function.insts[inst.index()].args.iter().any(ours))
            || data.end.uses().any(|value| ours(&value))
    })
}

/// The one way out of a loop, if all are the same and bring values from before it.
fn single_exit(
    function: &Function,
    one: &Loop,
    home: &[Option<Block>],
    inside: &dyn Fn(Block) -> bool,
) -> Option<Edge> {
    let mut found: Option<&Edge> = None;
    for block in &one.blocks {
        for edge in function.blocks[block.index()].end.edges().filter(|edge| !inside(edge.block)) {
            if found.is_some_and(|found| found != edge) {
                return None;
            }
            found = Some(edge);
        }
    }
    let from_before = |value: &Value| !home[value.index()].is_some_and(inside);
    found.filter(|edge| edge.args.iter().all(from_before)).cloned()
}

/// Whether a block leaves the loop by a comparison of a variable that counts, in each iteration.
fn counts(
    function: &Function,
    one: &Loop,
    block: Block,
    home: &[Option<Block>],
    inside: &dyn Fn(Block) -> bool,
) -> bool {
    let Terminator::Branch(condition, then, other) = &function.blocks[block.index()].end else {
        return false;
    };
    // Of the header or the only latch, which every iteration passes.
    let each_turn = block == one.header || one.latches == [block];
    if !each_turn || inside(then.block) == inside(other.block) {
        return false;
    }
    let Def::Result(compare, _) = function.values[condition.index()].def else { return false };
    let compare = &function.insts[compare.index()];
    let before = |value: Value| !home[value.index()].is_some_and(inside);
    match (&compare.op, compare.args.as_slice()) {
        (Op::Compare(_), [a, b]) => {
            (is_counter(function, one, *a) && before(*b)) || (is_counter(function, one, *b) && before(*a))
        }
        _ => false,
    }
}

/// A value and the constant that is added to it.
fn step(function: &Function, value: Value) -> Option<(Value, u64)> {
    let Def::Result(inst, _) = function.values[value.index()].def else { return None };
    let data = &function.insts[inst.index()];
    match (&data.op, data.args.as_slice()) {
        (Op::Binary(Binary::Add(_) | Binary::Sub(_)), [from, by]) => {
            function.constant(*by).filter(|by| *by != 0).map(|by| (*from, by))
        }
        _ => None,
    }
}

/// Whether a value is a parameter of the header to which each iteration adds a constant, or one iteration after.
fn is_counter(function: &Function, one: &Loop, value: Value) -> bool {
    let header = &function.blocks[one.header.index()];
    let base = step(function, value).map_or(value, |(from, _)| from);
    let place = |value: Value| header.params.iter().position(|param| *param == value);
    let Some(number) = place(value).or_else(|| place(base)) else { return false };
    let param = header.params[number];
    one.latches.iter().all(|latch| {
        let mut edges = function.blocks[latch.index()].end.edges().filter(|edge| edge.block == one.header);
        edges.all(|edge| {
            edge.args
                .get(number)
                .is_some_and(|arg| step(function, *arg).is_some_and(|(from, _)| from == param))
        })
    })
}

#[cfg(test)]
mod tests {
    use crate::passes::test::changed;
    use crate::passes::{cfg, dce};

    fn run(text: &str) -> String {
        changed(text, |function, _| {
            super::run(function);
            cfg::run(function);
            dce::run(function)
        })
    }

    const LOOP: &str = "kernel @k(p, n) {\nb0(p: ptr.global, n: i32):\n  jump b1(0:i32)\nb1(i: i32):\n  x: i32 = load.a4 p\n  j: i32 = add i, 1:i32\n  c: pred = cmp.slt j, n\n  branch c, b1(j), b2\nb2:\n  store.a4 p, n\n  return\n}";

    #[test]
    fn a_loop_that_only_counts_is_deleted() {
        let after = run(LOOP);
        assert!(!after.contains("branch") && after.contains("store"), "{after}");
    }

    #[test]
    fn a_loop_whose_count_is_used_or_that_stores_or_waits_stays() {
        assert!(run(&LOOP.replace("store.a4 p, n", "store.a4 p, j")).contains("branch"));
        assert!(run(&LOOP.replace("x: i32 = load.a4 p", "store.a4 p, i")).contains("branch"));
        assert!(run(&LOOP.replace("load.a4 p", "load.a4.volatile p")).contains("branch"));
        assert!(run(&LOOP.replace("cmp.slt j, n", "cmp.slt x, n")).contains("branch"));
    }
}
