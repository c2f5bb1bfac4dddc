//! Common code of both ways of a branch.
//!
//! Enters: a function. Leaves: what both ways of a branch begin with executed once, before it (LLVM's `SimplifyCFG`, as
//! `HoistThenElseCodeToIf`); what both end with, where it differs in one operand, once after it (`InstCombine`, as
//! `foldPHIArgOpIntoPHI` and `mergeStoreIntoSuccessor`).
//!
//! Counter: `global_load_requests`. Of `both` in passes.cu NVRTC's code has 1, ours without the pass 2.

use std::cell::OnceCell;

use super::Context;
use super::effects::{Effect, effect};
use super::memory::Aliases;
use super::simplify::uses;
use crate::ir::cfg::Cfg;
use crate::ir::{Block, Def, Function, Inst, Op, Terminator, Type, Value};

/// Moves common code; whether any was.
#[cfg(test)]
pub(crate) fn run(function: &mut Function, context: &Context<'_>) -> bool {
    let cfg = Cfg::new(function);
    run_within(function, context, &cfg)
}

/// Moves common code; whether any was. The graph stays as it is: instructions and what edges pass are changed, not where they
/// lead.
pub(crate) fn run_within(function: &mut Function, context: &Context<'_>, cfg: &Cfg) -> bool {
    super::resolve_operands(function);
    let mut changed = hoist(function, cfg);
    super::resolve_operands(function);
    changed |= merge_stores(function, context, cfg);
    super::resolve_operands(function);
    changed |= merge_values(function, cfg);
    super::resolve_operands(function);
    changed
}

/// Whether two instructions do the same to the same operands, whatever they promise about overflow.
fn identical(function: &Function, a: Inst, b: Inst) -> bool {
    let (a, b) = (&function.insts[a.index()], &function.insts[b.index()]);
    let same = |x: Value, y: Value| {
        let (x, y) = (function.resolve(x), function.resolve(y));
        x == y
            || (function.ty(x) == function.ty(y)
                && function.constant(x).is_some()
                && function.constant(x) == function.constant(y))
    };
    let ty = |value: &Value| function.ty(*value);
    a.op.shared(&b.op).is_some()
        && a.args.len() == b.args.len()
        && a.args.iter().zip(&b.args).all(|(x, y)| same(*x, *y))
        && a.results.iter().map(ty).eq(b.results.iter().map(ty))
}

/// Whether an instruction may be executed once where lanes of both ways execute it in turn.
fn movable(function: &Function, inst: Inst) -> bool {
    match &function.insts[inst.index()].op {
        Op::Load(access) | Op::Store(access) => !access.volatile,
        Op::Copy { .. } | Op::Zero { .. } => true,
        op => effect(op) == Effect::Pure,
    }
}

fn hoist(function: &mut Function, cfg: &Cfg) -> bool {
    let mut changed = false;
    // From the end, so that what comes up from within can go on.
    for block in cfg.order.iter().rev() {
        let Terminator::Branch(_, yes, no) = &function.blocks[block.index()].end else { continue };
        let (yes, no) = (yes.block, no.block);
        if yes == no || [yes, no].iter().any(|side| cfg.preds(*side).len() != 1 || *side == *block) {
            continue;
        }
        let begins = |side: Block| function.blocks[side.index()].insts.first().copied();
        if !begins(yes).zip(begins(no)).is_some_and(|(a, b)| identical(function, a, b)) {
            continue;
        }
        let (first, second) =
            (function.blocks[yes.index()].insts.clone(), function.blocks[no.index()].insts.clone());
        let mut count = 0;
        for (a, b) in first.iter().zip(&second) {
            if !movable(function, *a) || !identical(function, *a, *b) {
                break;
            }
            count += 1;
            if let Some(op) = function.insts[a.index()].op.shared(&function.insts[b.index()].op) {
                function.insts[a.index()].op = op;
            }
            let results = function.insts[a.index()].results.clone();
            for (n, result) in function.insts[b.index()].results.clone().into_iter().enumerate() {
                if let Some(value) = results.get(n) {
                    function.replace(*result, *value);
                }
            }
        }
        if count > 0 {
            function.blocks[block.index()].insts.extend(&first[..count]);
            function.blocks[yes.index()].insts.drain(..count);
            function.blocks[no.index()].insts.drain(..count);
            changed = true;
        }
    }
    changed
}

/// Stores of two ways to one place become one after them.
fn merge_stores(function: &mut Function, context: &Context<'_>, cfg: &Cfg) -> bool {
    let aliases = OnceCell::new();
    let mut changed = false;
    for block in &cfg.order {
        let [a, b] = cfg.preds(*block) else { continue };
        let (a, b) = if jumps(function, *a) { (*a, *b) } else { (*b, *a) };
        if a == b || a == *block || b == *block || !jumps(function, a) {
            continue;
        }
        let Some(store) = last_store(function, a) else { continue };
        let other = if jumps(function, b) {
            last_store(function, b).filter(|other| same_place(function, store, *other))
        } else if cfg.preds(a) == [b]
            && leads_only(function, b, [a, *block])
            && only_access(function, a, store)
        {
            earlier_store(function, aliases.get_or_init(|| Aliases::new(function, cfg, context)), b, store)
        } else {
            None
        };
        let Some(other) = other else { continue };
        merge_store(function, *block, (a, store), (b, other));
        changed = true;
    }
    changed
}

fn jumps(function: &Function, block: Block) -> bool {
    matches!(function.blocks[block.index()].end, Terminator::Jump(_))
}

/// Whether all ways from a block lead to one of two: a switch may have others, which need what the block stores.
fn leads_only(function: &Function, block: Block, to: [Block; 2]) -> bool {
    function.blocks[block.index()].end.edges().all(|edge| to.contains(&edge.block))
}

/// The store that a block ends with, if the last thing that it does to memory is one of a scalar.
fn last_store(function: &Function, block: Block) -> Option<Inst> {
    let touches = |inst: &&Inst| effect(&function.insts[inst.index()].op) != Effect::Pure;
    let last = *function.blocks[block.index()].insts.iter().rfind(touches)?;
    match function.insts[last.index()].op {
        Op::Store(access) if !access.volatile && function.insts[last.index()].args.len() == 2 => Some(last),
        _ => None,
    }
}

fn only_access(function: &Function, block: Block, store: Inst) -> bool {
    let insts = &function.blocks[block.index()].insts;
    insts.iter().all(|inst| *inst == store || effect(&function.insts[inst.index()].op) == Effect::Pure)
}

fn same_place(function: &Function, a: Inst, b: Inst) -> bool {
    let (first, second) = (&function.insts[a.index()], &function.insts[b.index()]);
    first.op == second.op
        && function.resolve(first.args[0]) == function.resolve(second.args[0])
        && function.ty(function.resolve(first.args[1])) == function.ty(function.resolve(second.args[1]))
}

/// A store of a block to the same place that nothing after it in the block reads or writes.
fn earlier_store(function: &Function, aliases: &Aliases, block: Block, store: Inst) -> Option<Inst> {
    let location = aliases.accessed(function, store)?;
    for inst in function.blocks[block.index()].insts.iter().rev() {
        if let Op::Store(access) = function.insts[inst.index()].op
            && !access.volatile
            && function.insts[inst.index()].args.len() == 2
            && same_place(function, *inst, store)
        {
            return Some(*inst);
        }
        if aliases.reads(function, *inst, &location) || aliases.writes(function, *inst, &location) {
            return None;
        }
    }
    None
}

fn merge_store(function: &mut Function, block: Block, a: (Block, Inst), b: (Block, Inst)) {
    let ty = function.ty(function.resolve(function.insts[a.1.index()].args[1]));
    let param = function.block_param(block, ty);
    for (from, store) in [a, b] {
        let value = function.insts[store.index()].args[1];
        for edge in function.blocks[from.index()].end.edges_mut().filter(|edge| edge.block == block) {
            edge.args.push(value);
        }
        function.blocks[from.index()].insts.retain(|inst| *inst != store);
    }
    function.insts[a.1.index()].args[1] = param;
    function.blocks[block.index()].insts.insert(0, a.1);
}

/// Values that ways compute alike but for one operand are computed once after them.
fn merge_values(function: &mut Function, cfg: &Cfg) -> bool {
    let counts = OnceCell::new();
    let mut changed = false;
    for block in cfg.order.iter().skip(1) {
        let preds = cfg.preds(*block);
        let back = preds.iter().any(|pred| cfg.position[pred.index()] >= cfg.position[block.index()]);
        if preds.len() < 2 || back {
            continue;
        }
        let mut moved = Vec::new();
        for n in 0..function.blocks[block.index()].params.len() {
            if let Some(inst) = merge_value(function, preds, &counts, *block, n) {
                moved.push(inst);
                changed = true;
            }
        }
        if moved.is_empty() {
            continue;
        }
        // The new instructions replace parameters, so they stand first; loads among them before anything else.
        function.blocks[block.index()].insts.splice(0..0, moved);
    }
    changed
}

/// The instruction that takes the place of a parameter, which then passes the operand that differs.
fn merge_value(
    function: &mut Function,
    preds: &[Block],
    counts: &OnceCell<Vec<u32>>,
    block: Block,
    n: usize,
) -> Option<Inst> {
    let mut incoming: Vec<(Block, Inst)> = Vec::new();
    for pred in preds {
        for edge in function.blocks[pred.index()].end.edges().filter(|edge| edge.block == block) {
            let arg = function.resolve(*edge.args.get(n)?);
            let Def::Result(inst, 0) = function.values[arg.index()].def else { return None };
            incoming.push((*pred, inst));
        }
    }
    let (_, first) = *incoming.first()?;
    // Counted once, where there is something to be merged.
    let counts = counts.get_or_init(|| uses(function));
    let alone = |(pred, inst): &(Block, Inst)| {
        let result = function.insts[inst.index()].results[0];
        counts.get(result.index()) == Some(&1) && function.blocks[pred.index()].insts.contains(inst)
    };
    if !incoming.iter().all(alone) {
        return None;
    }
    let data = function.insts[first.index()].clone();
    let mut different: Option<usize> = None;
    for (pred, inst) in &incoming {
        let other = &function.insts[inst.index()];
        if other.op != data.op || other.args.len() != data.args.len() || !sinkable(function, *pred, *inst) {
            return None;
        }
        for (at, (x, y)) in data.args.iter().zip(&other.args).enumerate() {
            if function.ty(function.resolve(*x)) != function.ty(function.resolve(*y)) {
                return None;
            }
            let (same, constants) = (
                function.resolve(*x) == function.resolve(*y),
                (function.constant(*x), function.constant(*y)),
            );
            if same || (constants.0.is_some() && constants.0 == constants.1) {
                continue;
            }
            if different.replace(at).is_some_and(|known| known != at) {
                return None;
            }
        }
    }
    let different = different?;
    // What all ways share must be there after them: it is, if it dominates each and is no value of one of them alone.
    let shared = data.args.iter().enumerate().filter(|(at, _)| *at != different);
    for (_, arg) in shared {
        let own = |(pred, _): &(Block, Inst)| {
            matches!(function.values[function.resolve(*arg).index()].def,
                Def::Result(inst, _) if function.blocks[pred.index()].insts.contains(&inst))
        };
        if incoming.iter().any(own) {
            return None;
        }
    }
    let args: Vec<Value> =
        incoming.iter().map(|(_, inst)| function.insts[inst.index()].args[different]).collect();
    let param = function.blocks[block.index()].params[n];
    let ty = function.ty(function.resolve(args[0]));
    let new = function.value(ty, Def::Param(block, n as u32));
    function.blocks[block.index()].params[n] = new;
    let mut next = args.into_iter();
    for pred in preds {
        for edge in function.blocks[pred.index()].end.edges_mut().filter(|edge| edge.block == block) {
            if let (Some(place), Some(arg)) = (edge.args.get_mut(n), next.next()) {
                *place = arg;
            }
        }
    }
    let mut operands = data.args.clone();
    operands[different] = new;
    let result = function.ty(param);
    let merged = function.inst(data.op, operands, &[result], data.place);
    let value = function.insts[merged.index()].results[0];
    function.replace(param, value);
    for (pred, inst) in incoming {
        function.blocks[pred.index()].insts.retain(|other| *other != inst);
    }
    Some(merged)
}

/// Whether an instruction of a block may move after its end.
fn sinkable(function: &Function, block: Block, inst: Inst) -> bool {
    let data = &function.insts[inst.index()];
    match &data.op {
        Op::Load(access) => {
            let behind =
                function.blocks[block.index()].insts.iter().skip_while(|other| **other != inst).skip(1);
            let local = function.ty(function.resolve(data.args[0])) == Type::Ptr(crate::ir::Space::Local);
            !access.volatile
                && !local
                && data.results.len() == 1
                && behind.into_iter().all(|other| {
                    matches!(effect(&function.insts[other.index()].op), Effect::Pure | Effect::Read)
                })
        }
        Op::Unary(_) | Op::Binary(_) | Op::Compare(_) | Op::Convert(_) | Op::Offset => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use crate::passes::test::changed;

    fn run(text: &str) -> String {
        changed(text, |function, context| {
            super::run(function, context);
            crate::passes::cfg::run(function)
        })
    }

    const HEAD: &str =
        "kernel @k(p, q, c, x) {\nb0(p: ptr.global, q: ptr.global, c: pred, x: i64):\n  branch c, b1, b2\n";

    #[test]
    fn what_both_ways_begin_with_stands_before_the_branch() {
        let text = format!(
            "{HEAD}b1:\n  a: i32 = load.a4 p\n  b: i32 = add a, 1:i32\n  store.a4 q, b\n  jump b3\nb2:\n  d: i32 = load.a4 p\n  e: i32 = mul d, 3:i32\n  r: ptr.global = offset q, 4:i64\n  store.a4 r, e\n  jump b3\nb3:\n  return\n}}"
        );
        let after = run(&text);
        assert!(after.split("branch").next().unwrap().contains("load"), "{after}");
        assert_eq!(after.matches("load").count(), 1, "{after}");
    }

    #[test]
    fn what_is_moved_promises_no_more_than_either_way_did() {
        let text = format!(
            "{HEAD}b1:\n  a: i64 = shl.nsw x, 2:i32\n  r: ptr.global = offset p, a\n  store.a8 r, x\n  jump b3\nb2:\n  b: i64 = shl x, 2:i32\n  s: ptr.global = offset q, b\n  store.a8 s, x\n  jump b3\nb3:\n  return\n}}"
        );
        let after = run(&text);
        assert!(after.split("branch").next().unwrap().contains("= shl v3, 2:i32"), "{after}");
        assert!(!after.contains("shl.nsw"), "{after}");
    }

    #[test]
    fn stores_to_one_place_are_one_of_a_select() {
        let text = format!(
            "{HEAD}b1:\n  store.a4 p, 1:i32\n  jump b3\nb2:\n  store.a4 p, 2:i32\n  jump b3\nb3:\n  return\n}}"
        );
        let after = run(&text);
        assert!(after.contains("select v2, 1:i32, 2:i32") && !after.contains("branch"), "{after}");
    }

    #[test]
    fn a_store_before_a_switch_stays_for_the_ways_that_do_not_write_over_it() {
        let text = "kernel @k(p, q, n) {\nb0(p: ptr.global, q: ptr.global, n: i32):\n  store.a4 p, n\n  switch n, 1: b1, 2: b2, b3\nb1:\n  store.a4 p, 1:i32\n  jump b3\nb2:\n  a: i32 = load.a4 p\n  store.a4 q, a\n  return\nb3:\n  return\n}";
        let after = run(text);
        assert!(after.split("switch").next().unwrap().contains("store.a4 v0, v2"), "{after}");
    }

    #[test]
    fn loads_that_differ_in_their_address_are_one_of_a_select() {
        let text = format!(
            "{HEAD}b1:\n  r: ptr.global = offset p, x\n  a: i32 = load.a4 r\n  jump b3(a)\nb2:\n  b: i32 = load.a4 p\n  jump b3(b)\nb3(y: i32):\n  store.a4 q, y\n  return\n}}"
        );
        let after = run(&text);
        assert_eq!((after.matches("load").count(), after.matches("branch").count()), (1, 0), "{after}");
    }

    #[test]
    fn a_load_of_one_way_alone_stays_there() {
        let text = format!(
            "{HEAD}b1:\n  a: i32 = load.a4 p\n  jump b3(a)\nb2:\n  jump b3(0:i32)\nb3(y: i32):\n  store.a4 q, y\n  return\n}}"
        );
        assert!(run(&text).contains("branch"));
    }
}
