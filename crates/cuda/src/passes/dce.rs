//! Dead code elimination.
//!
//! Enters: a function. Leaves: it without instructions whose results no one uses and that do nothing else, without
//! parameters of blocks that no one uses, and without the contents of blocks that nothing reaches. Values that only keep
//! each other alive around a loop are dead as well.

use super::effects::{Effect, effect};
use crate::ir::cfg::Cfg;
use crate::ir::{Block, BlockData, Def, Function, Terminator, Value};

/// Removes what is dead; whether anything was.
pub(crate) fn run(function: &mut Function) -> bool {
    let cfg = Cfg::new(function);
    sweep(function, &cfg).0
}

/// The same where the graph is known; also how often what is left uses each value.
pub(crate) fn sweep(function: &mut Function, cfg: &Cfg) -> (bool, Vec<u32>) {
    let marker = Marker::new(function, cfg);
    let Marked { live, holed, uses } = if function.replaced {
        marker.mark(|value| function.resolve(value))
    } else {
        marker.mark(|value| value)
    };
    let mut changed = false;
    for (at, holed) in holed.into_iter().enumerate() {
        let block = Block(at as u32);
        if !cfg.reachable(block) {
            let data = &function.blocks[at];
            changed |= !data.insts.is_empty();
            if !data.insts.is_empty() || !data.params.is_empty() || data.end != Terminator::Unreachable {
                function.blocks[at] = BlockData::default();
            }
            continue;
        }
        if holed {
            let insts = &mut function.blocks[at].insts;
            let before = insts.len();
            insts.retain(|inst| live[inst.index()] == Mark::Live);
            changed |= insts.len() != before;
        }
        changed |= remove_params(function, cfg, block, &uses);
    }
    (changed, uses)
}

/// Removes parameters of a block, and what edges pass for them, that no live value uses.
fn remove_params(function: &mut Function, cfg: &Cfg, block: Block, uses: &[u32]) -> bool {
    let params = &function.blocks[block.index()].params;
    if block.index() == 0 || params.iter().all(|param| uses[param.index()] > 0) {
        return false;
    }
    let keep: Vec<bool> = params.iter().map(|param| uses[param.index()] > 0).collect();
    retain_params(function, cfg.preds(block), block, &keep);
    true
}

/// Keeps some of a block's parameters, and what the edges of its predecessors pass for them.
pub(crate) fn retain_params(function: &mut Function, preds: &[Block], block: Block, keep: &[bool]) {
    let kept = |n: usize| keep.get(n).copied().unwrap_or(true);
    let mut done: Vec<Block> = Vec::new();
    for pred in preds {
        if done.contains(pred) {
            continue;
        }
        done.push(*pred);
        for edge in function.blocks[pred.index()].end.edges_mut() {
            if edge.block == block {
                let mut n = 0;
                edge.args.retain(|_| {
                    n += 1;
                    kept(n - 1)
                });
            }
        }
    }
    let mut n = 0;
    function.blocks[block.index()].params.retain(|_| {
        n += 1;
        kept(n - 1)
    });
    let params = function.blocks[block.index()].params.clone();
    for (n, param) in params.iter().enumerate() {
        function.values[param.index()].def = Def::Param(block, n as u32);
    }
}

/// What is alive.
struct Marked {
    /// By instruction.
    live: Vec<Mark>,
    /// By block: whether one of its instructions was found dead, though it may be needed around a loop.
    holed: Vec<bool>,
    /// By value: how often live instructions and edges use it.
    uses: Vec<u32>,
}

struct Marker<'a> {
    function: &'a Function,
    cfg: &'a Cfg,
    insts: Vec<Mark>,
    /// By value: how often live instructions and edges use it.
    uses: Vec<u32>,
    /// DebugLocation in the order from which on all blocks have been looked at.
    walked: u32,
    /// Values that are needed, though what defines them was found dead.
    stack: Vec<Value>,
}

/// What is known of an instruction.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    /// No one has looked at it.
    Unseen,
    Dead,
    Live,
}

impl<'a> Marker<'a> {
    fn new(function: &'a Function, cfg: &'a Cfg) -> Self {
        let (insts, uses) = (vec![Mark::Unseen; function.insts.len()], vec![0; function.values.len()]);
        Marker { function, cfg, insts, uses, walked: u32::MAX, stack: Vec::new() }
    }

    fn position(&self, block: Block) -> u32 {
        self.cfg.position[block.index()]
    }

    /// Counts a use of what the walk has yet to come to.
    fn count(&mut self, value: Value) {
        self.uses[self.function.resolve(value).index()] += 1;
    }

    /// The same, and what the walk has passed is looked at again.
    fn need(&mut self, value: Value) {
        let value = self.function.resolve(value);
        let uses = &mut self.uses[value.index()];
        *uses += 1;
        if *uses == 1 {
            let walked = match self.function.values[value.index()].def {
                Def::Result(inst, _) => self.insts[inst.index()] == Mark::Dead,
                Def::Param(block, _) => self.walked <= self.position(block),
                Def::Constant(_) | Def::Undefined | Def::Alias(_) => false,
            };
            if walked {
                self.stack.push(value);
            }
        }
    }

    /// Which instructions and which values are needed. One walk from the end sees all uses before what they use, but for those
    /// that go around a loop.
    /// `resolve` gives what replaces a value.
    fn mark(mut self, resolve: impl Fn(Value) -> Value) -> Marked {
        let (function, cfg) = (self.function, self.cfg);
        let mut holed = vec![false; function.blocks.len()];
        for block in cfg.order.iter().rev() {
            let data = &function.blocks[block.index()];
            data.end.values().iter().for_each(|value| self.count(*value));
            for edge in data.end.edges() {
                if self.walked <= self.position(edge.block) {
                    for (arg, param) in edge.args.iter().zip(&function.blocks[edge.block.index()].params) {
                        if self.uses[param.index()] > 0 {
                            self.count(*arg);
                        }
                    }
                }
            }
            let (uses, marks) = (self.uses.as_mut_slice(), self.insts.as_mut_slice());
            for inst in data.insts.iter().rev() {
                let one = &function.insts[inst.index()];
                let live =
                    one.results.iter().any(|result| uses[result.index()] > 0) || !removable(effect(&one.op));
                marks[inst.index()] = if live { Mark::Live } else { Mark::Dead };
                if live {
                    one.args.iter().for_each(|arg| uses[resolve(*arg).index()] += 1);
                } else {
                    holed[block.index()] = true;
                }
            }
            self.walked = self.position(*block);
            let needed = data.params.iter().filter(|param| self.uses[param.index()] > 0);
            self.stack.extend(needed);
            self.around();
        }
        Marked { live: self.insts, holed, uses: self.uses }
    }

    /// Follows what is needed to the blocks that have been looked at.
    fn around(&mut self) {
        let (function, cfg) = (self.function, self.cfg);
        while let Some(value) = self.stack.pop() {
            match function.values[value.index()].def {
                Def::Result(inst, _) => {
                    // Another of its results may have been needed as well.
                    if self.insts[inst.index()] == Mark::Dead {
                        self.insts[inst.index()] = Mark::Live;
                        function.insts[inst.index()].args.iter().for_each(|arg| self.need(*arg));
                    }
                }
                Def::Param(block, number) => {
                    let mut last = None;
                    for pred in cfg.preds(block) {
                        // One with several edges is there several times.
                        if last.replace(pred) == Some(pred) || self.position(*pred) < self.walked {
                            continue;
                        }
                        for edge in function.blocks[pred.index()].end.edges() {
                            if edge.block == block
                                && let Some(arg) = edge.args.get(number as usize)
                            {
                                self.need(*arg);
                            }
                        }
                    }
                }
                Def::Constant(_) | Def::Undefined | Def::Alias(_) => {}
            }
        }
    }
}

/// Whether an instruction may be left out where no one uses its results.
pub(crate) fn removable(effect: Effect) -> bool {
    match effect {
        Effect::Pure | Effect::Read => true,
        Effect::Write
        | Effect::Update
        | Effect::Warp
        | Effect::State
        | Effect::Fence
        | Effect::Barrier
        | Effect::End => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passes::test::changed;

    #[test]
    fn a_counter_that_only_counts_itself_is_dead() {
        let text = "kernel @k(n) {\nb0(n: i32):\n  jump b1(0:i32, 0:i32)\nb1(i: i32, j: i32):\n  i1: i32 = add i, 1:i32\n  j1: i32 = add j, 2:i32\n  p: pred = cmp.slt i1, n\n  branch p, b1(i1, j1), b2\nb2:\n  return\n}";
        let wanted = "kernel @k(n) {\nb0(v0: i32):\n  jump b1(0:i32)\nb1(v1: i32):\n  v2: i32 = add v1, 1:i32\n  v3: pred = cmp.slt v2, v0\n  branch v3, b1(v2), b2\nb2:\n  return\n}\n";
        assert_eq!(changed(text, |function, _| super::run(function)), wanted);
    }

    /// Uses by value, found by following every needed value to what defines it.
    fn uses_by_values(function: &Function, cfg: &Cfg) -> Vec<u32> {
        let (mut uses, mut live) = (vec![0; function.values.len()], vec![false; function.insts.len()]);
        let mut needed = Vec::new();
        for block in &cfg.order {
            let data = &function.blocks[block.index()];
            needed.extend(data.end.values());
            for inst in &data.insts {
                if !removable(effect(&function.insts[inst.index()].op)) {
                    live[inst.index()] = true;
                    needed.extend(&function.insts[inst.index()].args);
                }
            }
        }
        while let Some(value) = needed.pop() {
            let value = function.resolve(value);
            uses[value.index()] += 1;
            match function.values[value.index()].def {
                Def::Result(inst, _) if !std::mem::replace(&mut live[inst.index()], true) => {
                    needed.extend(&function.insts[inst.index()].args);
                }
                Def::Param(block, number) if uses[value.index()] == 1 => {
                    let edges = cfg.order.iter().flat_map(|from| function.blocks[from.index()].end.edges());
                    let passed = edges.filter(|edge| edge.block == block);
                    needed.extend(passed.filter_map(|edge| edge.args.get(number as usize)));
                }
                _ => {}
            }
        }
        uses
    }

    #[test]
    fn one_walk_finds_the_uses_that_following_values_does() {
        let mut loops = 0;
        for (seed, function) in crate::lower::random::functions(0..200) {
            let cfg = Cfg::new(&function);
            let back = |block: &Block| {
                let place = |block: Block| cfg.position[block.index()];
                function.blocks[block.index()].end.edges().any(|edge| place(edge.block) <= place(*block))
            };
            loops += usize::from(cfg.order.iter().any(back));
            let expected = uses_by_values(&function, &cfg);
            assert_eq!(
                Marker::new(&function, &cfg).mark(|value| function.resolve(value)).uses,
                expected,
                "seed {seed}:\n{function:?}"
            );
        }
        assert!(loops > 20, "{loops}");
    }

    #[test]
    fn stores_and_shuffles_stay_and_loads_go() {
        let text = "kernel @k(p) {\nb0(p: ptr.global):\n  x: i32 = load.a4 p\n  y: i32 = load.a4.volatile p\n  store.a4 p, 1:i32\n  return\n}";
        let after = changed(text, |function, _| super::run(function));
        assert_eq!((after.matches("load").count(), after.matches("store").count()), (1, 1), "{after}");
    }
}
