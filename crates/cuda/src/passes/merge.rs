//! Merging of stores: what both ways store to one place last is stored where they meet.
//!
//! Enters: a function. Leaves: one store, of a parameter of the block where two ways meet, in place of the last store of each
//! (LLVM's `InstCombine`, as `mergeStoreIntoSuccessor`, with what `SimplifyCFG` sinks for it).

use crate::ir::cfg::Cfg;
use crate::ir::{Block, Def, Function, Inst, InstData, Op, Terminator, Value};
use crate::passes::effects::{Effect, effect};

/// Deepest expression of an address that is compared.
const DEPTH: u32 = 8;

/// Merges stores; whether any was.
pub(crate) fn run(function: &mut Function) -> bool {
    super::resolve_operands(function);
    let cfg = Cfg::new(function);
    let mut changed = false;
    for block in &cfg.order {
        while merge(function, &cfg, *block) {
            changed = true;
        }
    }
    changed
}

/// The store of one value that is the last to do something in a block that then jumps, if it is a plain one.
fn last_store(function: &Function, block: Block) -> Option<Inst> {
    if !matches!(function.blocks[block.index()].end, Terminator::Jump(_)) {
        return None;
    }
    let insts = &function.blocks[block.index()].insts;
    let inst = *insts.iter().rev().find(|inst| !repeatable(&function.insts[inst.index()]))?;
    let data = &function.insts[inst.index()];
    let plain = matches!(data.op, Op::Store(access) if !access.volatile) && data.args.len() == 2;
    plain.then_some(inst)
}

fn merge(function: &mut Function, cfg: &Cfg, block: Block) -> bool {
    let [left, right] = cfg.preds(block) else { return false };
    let (left, right) = (*left, *right);
    if left == right || left == block || right == block {
        return false;
    }
    let (Some(one), Some(other)) = (last_store(function, left), last_store(function, right)) else {
        return false;
    };
    let (a, b) = (&function.insts[one.index()], &function.insts[other.index()]);
    let ([to, value], [other_to, other_value]) = (a.args.as_slice(), b.args.as_slice()) else { return false };
    let (to, values) = (*to, [*value, *other_value]);
    let ty = function.ty(values[0]);
    if a.op != b.op || ty != function.ty(values[1]) || !same(function, to, *other_to, DEPTH) {
        return false;
    }
    // An address that each way computes is one only after a single branch, and where more than the store is moved with it.
    let branch = matches!((cfg.preds(left), cfg.preds(right)), ([one], [other]) if one == other);
    if function.resolve(to) != function.resolve(*other_to)
        && !(branch && alike(function, [left, right], values))
    {
        return false;
    }
    let (op, place) = (a.op.clone(), a.place);
    let other_to = *other_to;
    let stored = function.block_param(block, ty);
    for ((from, store), value) in [(left, one), (right, other)].into_iter().zip(values) {
        function.blocks[from.index()].insts.retain(|inst| *inst != store);
        function.blocks[from.index()].end.edges_mut().for_each(|edge| edge.args.push(value));
    }
    let mut copies = Copies { first: Vec::new(), made: Vec::new() };
    let to = copies.of(function, to, other_to);
    let mut first = copies.first;
    first.push(function.inst(op, [to, stored], &[], place));
    function.blocks[block.index()].insts.splice(0..0, first);
    true
}

/// Whether NVRTC moves what computes two values after the place where their ways meet, and their stores with it: operations
/// as [`movable`] says, values known before the branch, or ways that are nothing but arithmetic. Found by experiments with some
/// seventy kernels (NVRTC 12.9).
fn alike(function: &Function, ways: [Block; 2], values: [Value; 2]) -> bool {
    let pure = |block: Block| {
        let insts = &function.blocks[block.index()].insts;
        let others = insts.iter().filter(|inst| !matches!(function.insts[inst.index()].op, Op::Store(_)));
        insts.len() - others.clone().count() == 1
            && others.into_iter().all(|inst| repeatable(&function.insts[inst.index()]))
    };
    match [own(function, ways[0], values[0]), own(function, ways[1], values[1])] {
        [None, None] => true,
        [Some(_), Some(_)] => ways.into_iter().all(pure) || movable(function, ways, values, DEPTH),
        _ => false,
    }
}

/// Instruction of a block that defines a value.
fn own(function: &Function, block: Block, value: Value) -> Option<&InstData> {
    match function.values[function.resolve(value).index()].def {
        Def::Result(inst, _) if function.blocks[block.index()].insts.contains(&inst) => {
            Some(&function.insts[inst.index()])
        }
        _ => None,
    }
}

/// Whether two values are results of one operation, and one of its operands at most would have to be chosen by the way that was
/// taken; an address is chosen within one array only.
fn movable(function: &Function, ways: [Block; 2], values: [Value; 2], depth: u32) -> bool {
    let [Some(one), Some(other)] = [own(function, ways[0], values[0]), own(function, ways[1], values[1])]
    else {
        return false;
    };
    if one.op != other.op || one.args.len() != other.args.len() || depth == 0 {
        return false;
    }
    if let (Op::Load(access), [from], [other_from]) = (&one.op, one.args.as_slice(), other.args.as_slice()) {
        return !access.volatile && function.base_of(*from) == function.base_of(*other_from);
    }
    let chosen =
        one.args.iter().zip(&other.args).filter(|(a, b)| {
            !same(function, **a, **b, DEPTH) && !movable(function, ways, [**a, **b], depth - 1)
        });
    repeatable(one) && chosen.count() <= 1
}

/// Whether two values are computed alike from the same ones.
fn same(function: &Function, a: Value, b: Value, depth: u32) -> bool {
    let (a, b) = (function.resolve(a), function.resolve(b));
    if a == b {
        return true;
    }
    if function.ty(a) != function.ty(b) {
        return false;
    }
    match (function.values[a.index()].def, function.values[b.index()].def) {
        (Def::Constant(x), Def::Constant(y)) => x == y,
        (Def::Result(x, n), Def::Result(y, m)) if n == m && depth > 0 => {
            let (x, y) = (&function.insts[x.index()], &function.insts[y.index()]);
            repeatable(x)
                && x.op.shared(&y.op).is_some()
                && x.args.len() == y.args.len()
                && x.args.iter().zip(&y.args).all(|(a, b)| same(function, *a, *b, depth - 1))
        }
        _ => false,
    }
}

fn repeatable(data: &InstData) -> bool {
    effect(&data.op) == Effect::Pure && !matches!(data.op, Op::Slot { .. } | Op::Asm(_) | Op::Call(_))
}

/// Copies, for where two ways meet, of what each computes alike.
struct Copies {
    first: Vec<Inst>,
    /// Values of the one way, with their copies.
    made: Vec<(Value, Value)>,
}

impl Copies {
    /// What stands for two values that are the same: itself where both ways have it from before, otherwise a copy.
    fn of(&mut self, function: &mut Function, a: Value, b: Value) -> Value {
        let (a, b) = (function.resolve(a), function.resolve(b));
        if a == b {
            return a;
        }
        if let Some((_, copy)) = self.made.iter().find(|(known, _)| *known == a) {
            return *copy;
        }
        let (Def::Result(x, number), Def::Result(y, _)) =
            (function.values[a.index()].def, function.values[b.index()].def)
        else {
            return a; // constants
        };
        let InstData { op, args, results, place } = function.insts[x.index()].clone();
        let op = op.shared(&function.insts[y.index()].op).unwrap_or(op);
        let others = function.insts[y.index()].args.clone();
        let args: Vec<Value> =
            args.iter().zip(others.iter()).map(|(a, b)| self.of(function, *a, *b)).collect();
        let types: Vec<_> = results.iter().map(|result| function.ty(*result)).collect();
        let copy = function.inst(op, args, &types, place);
        self.first.push(copy);
        let copy = function.insts[copy.index()].results[number as usize];
        self.made.push((a, copy));
        copy
    }
}

#[cfg(test)]
mod tests {
    use crate::passes::test::changed;

    fn run(text: &str) -> String {
        changed(text, |function, _| super::run(function))
    }

    const BOTH: &str = "kernel @k(p, i, c) {\nb0(p: ptr.global, i: i64, c: i32):\n  t: pred = cmp.sgt c, 3:i32\n  branch t, b1, b2\nb1:\n  o: i64 = shl i, 2:i32\n  q: ptr.global = offset p, o\n  store.a4 q, c\n  jump b3\nb2:\n  u: i64 = shl i, 2:i32\n  r: ptr.global = offset p, u\n  store.a4 r, 7:i32\n  jump b3\nb3:\n  return\n}";

    #[test]
    fn what_both_ways_store_to_one_place_is_stored_where_they_meet() {
        let after = run(BOTH);
        assert_eq!(after.matches("store").count(), 1, "{after}");
    }

    #[test]
    fn an_address_that_each_of_two_separate_ways_computes_stays_two() {
        let text = BOTH.replace(
            "branch t, b1, b2",
            "branch t, b1, b4\nb4:\n  s: pred = cmp.sgt c, 1:i32\n  branch s, b1, b2",
        );
        assert_eq!(run(&text).matches("store").count(), 2, "{text}");
    }

    /// What each way stores, and how many stores there are then.
    fn stores(one: &str, other: &str) -> usize {
        let text = BOTH
            .replace("  store.a4 q, c", &format!("{}\n  store.a4 q, v", one.replace("V", "v")))
            .replace("  store.a4 r, 7:i32", &format!("{}\n  store.a4 r, w", other.replace("V", "w")));
        run(&text).matches("store").count()
    }

    #[test]
    fn stores_of_what_each_way_loads_or_computes_otherwise_stay() {
        let load = "  V: i32 = load.a4 p";
        let shifted = "  l: i32 = load.a4 p\n  V: i32 = shl l, 1:i32";
        let added = "  m: i32 = load.a4 p\n  V: i32 = add m, 1:i32";
        assert_eq!(stores(load, "  V: i32 = add c, 1:i32"), 2);
        assert_eq!(stores(shifted, added), 2);
        assert_eq!(stores(added.replace('m', "n").as_str(), &added.replace("1:i32", "2:i32")), 1);
    }

    #[test]
    fn stores_to_two_places_stay() {
        assert_eq!(
            run(&BOTH.replace("u: i64 = shl i, 2:i32", "u: i64 = shl i, 3:i32")).matches("store").count(),
            2
        );
    }

    #[test]
    fn a_store_that_only_one_way_does_stays() {
        assert_eq!(run(&BOTH.replace("  store.a4 r, 7:i32\n", "")).matches("store").count(), 1);
        let volatile = BOTH.replace("store.a4", "store.volatile.a4");
        assert_eq!(run(&volatile).matches("store").count(), 2, "{volatile}");
    }
}
