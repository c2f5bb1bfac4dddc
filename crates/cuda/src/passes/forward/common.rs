//! One value for an address that several ways compute each for itself.
//!
//! Enters: a function. Leaves: where ways meet, and a load there may find what one of them has loaded or stored, as after
//! `if (c) x = a[i];`, the address of both computed once, before the ways part. What memory holds is known by the value that leads
//! there, and value numbering leaves two of which none comes before the other. (LLVM's `GVN` finds the address on each way, or
//! computes it there.)
//!
//! Counter: `global_load_requests`. Of `loaded` in passes.cu NVRTC's code has 2, ours without the pass 3.

use super::{compute_at, places};
use crate::hash::Map;
use crate::ir::cfg::Cfg;
use crate::ir::dominators::Dominators;
use crate::ir::{Binary, Block, Convert, Def, Function, Inst, Op, Value};

/// Most values that an address is made of.
const MOST_VALUES: u32 = 32;
/// Earlier accesses that a load is compared with.
const MOST_ACCESSES: usize = 16;
/// Blocks that are searched for a way.
const MOST_BLOCKS: usize = 100;

/// Makes them one; whether there were any.
pub(super) fn run(function: &mut Function, cfg: &Cfg, dominators: &Dominators) -> bool {
    let pairs = pairs(function, cfg);
    if pairs.is_empty() {
        return false;
    }
    let places = places(function, cfg);
    let mut common = Common { function, dominators, places };
    for (here, there) in &pairs {
        common.unite(*here, *there);
    }
    true
}

/// Roots of addresses that are the same, though none comes before the other: of a load, and of what may be known there.
fn pairs(function: &Function, cfg: &Cfg) -> Vec<(Value, Value)> {
    // By the pointer that it is offset from, and how far after its root it is: blocks that access an address, and the root there.
    let mut accesses: Map<(Value, i64), Vec<(Block, Value)>> = Map::default();
    let mut pairs: Vec<(Value, Value)> = Vec::new();
    for block in &cfg.order {
        for inst in &function.blocks[block.index()].insts {
            let data = &function.insts[inst.index()];
            let load = match data.op {
                Op::Load(access) if !access.volatile => true,
                Op::Store(access) if !access.volatile => false,
                _ => continue,
            };
            let (root, at) = function.root_of(data.args[0]);
            if computed(function, root).is_none() {
                continue;
            }
            let earlier = accesses.entry((function.base_of(root), at)).or_default();
            if load && cfg.preds(*block).len() > 1 {
                let same = |(from, other): &&(Block, Value)| {
                    *other != root
                        && same(function, root, *other, &mut { MOST_VALUES })
                        && leads(function, cfg, *from, *block)
                };
                pairs.extend(earlier.iter().find(same).map(|(_, other)| (root, *other)));
            }
            if earlier.len() < MOST_ACCESSES && !earlier.contains(&(*block, root)) {
                earlier.push((*block, root));
            }
        }
    }
    pairs
}

/// The instruction of a value that may be computed anywhere, and costs little.
fn computed(function: &Function, value: Value) -> Option<Inst> {
    let Def::Result(inst, _) = function.values[value.index()].def else { return None };
    let cheap = match function.insts[inst.index()].op {
        Op::Offset => true,
        Op::Binary(op) => !matches!(op, Binary::SDiv | Binary::UDiv | Binary::SRem | Binary::URem),
        Op::Convert(op) => matches!(op, Convert::SignExtend | Convert::ZeroExtend | Convert::Truncate),
        _ => false,
    };
    cheap.then_some(inst)
}

/// Whether two values are computed in the same way from the same values, no more than that many.
fn same(function: &Function, a: Value, b: Value, most: &mut u32) -> bool {
    let (a, b) = (function.resolve(a), function.resolve(b));
    if a == b {
        return true;
    }
    if *most == 0 || function.ty(a) != function.ty(b) {
        return false;
    }
    *most -= 1;
    match (computed(function, a), computed(function, b)) {
        (Some(a), Some(b)) => {
            let (a, b) = (&function.insts[a.index()], &function.insts[b.index()]);
            let mut args = a.args.iter().zip(b.args.iter());
            a.op == b.op && a.args.len() == b.args.len() && args.all(|(a, b)| same(function, *a, *b, most))
        }
        _ => function.constant(a).is_some() && function.constant(a) == function.constant(b),
    }
}

/// Whether one block comes before another on some way, within the iteration of each loop.
fn leads(function: &Function, cfg: &Cfg, from: Block, to: Block) -> bool {
    let position = |block: Block| cfg.position[block.index()];
    let mut seen = vec![from];
    let mut next = 0;
    while let Some(block) = seen.get(next).copied().filter(|_| next < MOST_BLOCKS) {
        next += 1;
        for edge in function.blocks[block.index()].end.edges() {
            if edge.block == to && block != to {
                return true;
            }
            let forward = position(edge.block) > position(block) && position(edge.block) < position(to);
            if forward && !seen.contains(&edge.block) {
                seen.push(edge.block);
            }
        }
    }
    false
}

struct Common<'a> {
    function: &'a mut Function,
    dominators: &'a Dominators,
    /// By value: the block that defines it.
    places: Vec<Block>,
}

impl Common<'_> {
    /// Puts one value in the place of two that are the same.
    fn unite(&mut self, a: Value, b: Value) {
        let (a, b) = (self.function.resolve(a), self.function.resolve(b));
        let [over_a, over_b] = [a, b].map(|value| self.places[value.index()]);
        if over_a == over_b {
            return;
        }
        let mut at = over_a;
        while !self.dominators.dominates(at, over_b) {
            let Some(above) = self.dominators.idom(at) else { return };
            at = above;
        }
        let both = if at == over_b {
            b
        } else {
            // What both are made of comes before both, and so before this.
            let before =
                |value: Value| self.dominators.dominates(self.places[value.index()], at).then_some(value);
            compute_at(self.function, at, a, &before)
        };
        self.places.resize(self.function.values.len(), at);
        for value in [a, b] {
            if value != both {
                self.function.replace(value, both);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::passes::test::changed;
    use crate::passes::{cfg, dce, simplify};

    /// Loads of `a[i]` in a function in which one way computes its address for itself, and loads or stores there; in all, and where the
    /// ways have met.
    fn loads(access: &str, store: &str) -> (usize, usize) {
        let at = |name: &str| {
            format!(
                "  w{name}: i64 = sext i\n  o{name}: i64 = shl w{name}, 2:i32\n  p{name}: ptr.global = offset a, o{name}"
            )
        };
        let text = format!(
            "kernel @k(a, o, i, c) {{\nb0(a: ptr.global, o: ptr.shared, i: i32, c: pred):\n  branch c, b1, b2\nb1:\n{}\n  {access}\n  jump b2\nb2:\n  {store}\n{}\n  y: i32 = load.a4 p2\n  store.a4 o, y\n  return\n}}",
            at("1"),
            at("2"),
        );
        let after = changed(&text, |function, context| {
            super::super::run(function, context);
            dce::run(function);
            simplify::run(function, context) | cfg::run(function)
        });
        let last = after.rsplit("\nb").next().unwrap_or_default();
        (after.matches("load").count(), last.matches("load").count())
    }

    #[test]
    fn what_one_way_has_loaded_is_loaded_on_the_other_alone() {
        assert_eq!(loads("x: i32 = load.a4 p1\n  store.a4 o, x", ""), (2, 0));
        assert_eq!(loads("store.a4 p1, 7:i32", ""), (1, 0));
    }

    #[test]
    fn what_may_be_overwritten_is_loaded() {
        assert_eq!(loads("x: i32 = load.a4 p1\n  store.a4 o, x", "store.a4 a, i"), (2, 1));
    }
}
