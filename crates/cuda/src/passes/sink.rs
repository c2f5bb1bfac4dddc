//! Sinking: what only one way needs is computed there.
//!
//! Enters: a function. Leaves: instructions whose results are used after one branch alone moved after it, loads too
//! where nothing is written between (LLVM's `InstCombine`, as `TryToSinkInstruction`).
//!
//! Counter: `warp_instructions`. Of `store_part` in lab-4-2 (small sizes) NVRTC's code has 101,888, ours without the pass 110,272.

use super::effects::{Effect, effect};
use crate::ir::cfg::Cfg;
use crate::ir::{Block, Function, Inst, Op, Value};

/// Times that the function is gone over: what sank into a block may sink on.
const ROUNDS: u32 = 4;

/// Sinks; whether anything moved.
pub(crate) fn run(function: &mut Function) -> bool {
    super::resolve_operands(function);
    let cfg = Cfg::new(function);
    let mut any = false;
    for _ in 0..ROUNDS {
        let changed = round(function, &cfg);
        any |= changed;
        if !changed {
            break;
        }
    }
    any
}

fn round(function: &mut Function, cfg: &Cfg) -> bool {
    let mut users = users(function, cfg);
    let mut used_here = vec![false; function.values.len()];
    let mut changed = false;
    for block in &cfg.order {
        let mut written = false;
        function.blocks[block.index()].end.uses().for_each(|value| used_here[value.index()] = true);
        for inst in function.blocks[block.index()].insts.clone().into_iter().rev() {
            let data = &function.insts[inst.index()];
            let effect = effect(&data.op);
            let movable = match &data.op {
                Op::Slot { .. } | Op::Asm(_) => false,
                Op::Load(access) => !access.volatile && (!written || access.invariant),
                _ => effect == Effect::Pure,
            };
            let here = data.results.iter().any(|result| used_here[result.index()]);
            if movable
                && !here
                && let Some(to) = target(function, cfg, &users, *block, inst)
            {
                function.blocks[block.index()].insts.retain(|other| *other != inst);
                function.blocks[to.index()].insts.insert(0, inst);
                for arg in &function.insts[inst.index()].args {
                    users[arg.index()].add(to);
                }
                changed = true;
            } else {
                written |= !matches!(effect, Effect::Pure | Effect::Read);
                for arg in &function.insts[inst.index()].args {
                    used_here[arg.index()] = true;
                }
            }
        }
    }
    changed
}

/// Block that uses a value, if it is one.
#[derive(Clone, Copy, PartialEq)]
enum Users {
    None,
    One(Block),
    Many,
}

impl Users {
    fn add(&mut self, block: Block) {
        *self = match *self {
            Users::None => Users::One(block),
            Users::One(known) if known == block => *self,
            Users::One(_) | Users::Many => Users::Many,
        };
    }
}

/// Users of every value outside of the block that defines it.
fn users(function: &Function, cfg: &Cfg) -> Vec<Users> {
    let mut users = vec![Users::None; function.values.len()];
    let mut home = vec![Block(0); function.values.len()];
    for block in &cfg.order {
        let data = &function.blocks[block.index()];
        let results = data.insts.iter().flat_map(|inst| &function.insts[inst.index()].results);
        data.params.iter().chain(results).for_each(|value| home[value.index()] = *block);
    }
    for block in &cfg.order {
        let data = &function.blocks[block.index()];
        let args = data.insts.iter().flat_map(|inst| function.insts[inst.index()].args.iter().copied());
        for value in args.chain(data.end.uses()).filter(|value| home[value.index()] != *block) {
            users[value.index()].add(*block);
        }
    }
    users
}

/// The successor that alone uses an instruction, if only this block leads there.
fn target(function: &Function, cfg: &Cfg, users: &[Users], block: Block, inst: Inst) -> Option<Block> {
    let mut to = None;
    for result in &function.insts[inst.index()].results {
        match users.get(result.index())? {
            Users::None => {}
            Users::One(user) if *user != block && to.is_none_or(|known| known == *user) => to = Some(*user),
            Users::One(_) | Users::Many => return None,
        }
    }
    let to = to?;
    let constant = |value: &Value| function.constant(*value).is_some();
    let free = function.insts[inst.index()].args.iter().all(constant)
        && matches!(function.insts[inst.index()].op, Op::Global(_));
    (cfg.preds(to) == [block] && !free).then_some(to)
}

#[cfg(test)]
mod tests {
    use crate::passes::test::changed;

    fn before_branch(body: &str) -> String {
        let text = format!(
            "kernel @k(p, q, c) {{\nb0(p: ptr.global, q: ptr.global, c: pred):\n{body}\n  branch c, b1, b2\nb1:\n  store.a4 q, x\n  jump b2\nb2:\n  return\n}}"
        );
        let after = changed(&text, |function, _| super::run(function));
        after.split("branch").next().unwrap().to_owned()
    }

    #[test]
    fn a_load_that_one_way_uses_goes_there_with_its_address() {
        let head = before_branch("  r: ptr.global = offset p, 8:i64\n  x: i32 = load.a4 r");
        assert!(!head.contains("load") && !head.contains("offset"), "{head}");
    }

    #[test]
    fn a_load_stays_before_a_store() {
        assert!(before_branch("  x: i32 = load.a4 p\n  store.a4 q, 1:i32").contains("load"));
    }

    #[test]
    fn what_the_branch_needs_stays() {
        let head = before_branch("  x: i32 = load.a4 p\n  store.a4.volatile q, x");
        assert!(head.contains("load"));
    }
}
