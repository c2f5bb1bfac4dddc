//! Locals of values: those that are never needed at the same time share one.
//!
//! Enters: a function and what of it is written where. Leaves: a local for every value that is kept. Values get theirs in the
//! order of the blocks, in which what dominates comes first, so that whatever is live then has one; a block's parameter gets
//! that of an argument where it can, and the next value of a loop's counter that of the counter, so that few moves are left.
//! An interpreter's calls clear all locals: the fewer, the better.

use super::trees::Trees;
use super::types;
use crate::ir::cfg::Cfg;
use crate::ir::{Block, Def, Function, Inst, Value};
use wasm_encoder::ValType;

/// Locals of a function.
pub(super) struct Locals {
    /// By value.
    of: Vec<Option<u32>>,
    /// Types of all, parameters first.
    pub(super) types: Vec<ValType>,
}

impl Locals {
    /// Gives locals to the values of a function.
    pub(super) fn new(function: &Function, cfg: &Cfg, trees: &Trees) -> Locals {
        let live = Liveness::new(function, cfg, trees);
        let mut painter = Painter {
            function,
            trees,
            live: &live,
            locals: Locals { of: vec![None; function.values.len()], types: vec![] },
            taken: vec![],
            left: vec![0; function.values.len()],
            wanted: vec![vec![]; function.values.len()],
        };
        painter.hints(cfg);
        for param in &function.params {
            let ty = types::of(function.ty(param.value));
            painter.locals.of[param.value.index()] = Some(painter.locals.types.len() as u32);
            painter.locals.types.push(ty);
            painter.taken.push(false);
        }
        for block in &cfg.order {
            painter.block(*block);
        }
        painter.locals
    }

    /// Local of a value that is kept.
    pub(super) fn of(&self, value: Value) -> Option<u32> {
        self.of[value.index()]
    }

    /// A new local.
    pub(super) fn add(&mut self, ty: ValType) -> u32 {
        self.types.push(ty);
        self.types.len() as u32 - 1
    }
}

struct Painter<'a> {
    function: &'a Function,
    trees: &'a Trees,
    live: &'a Liveness,
    locals: Locals,
    /// By local: whether a value that is live here has it.
    taken: Vec<bool>,
    /// By value: reads of it that are left in the block.
    left: Vec<u32>,
    /// By value: those that it is good to share a local with.
    wanted: Vec<Vec<Value>>,
}

impl Painter<'_> {
    fn hints(&mut self, cfg: &Cfg) {
        for block in &cfg.order {
            for edge in self.function.blocks[block.index()].end.edges() {
                let params = &self.function.blocks[edge.block.index()].params;
                for (param, arg) in params.iter().zip(&edge.args) {
                    if self.trees.uses[param.index()] > 0 {
                        self.wanted[param.index()].push(*arg);
                        self.wanted[arg.index()].push(*param);
                    }
                }
            }
        }
    }

    fn block(&mut self, block: Block) {
        let (function, trees) = (self.function, self.trees);
        self.taken.fill(false);
        for value in self.live.entering(block) {
            self.take(value);
        }
        let data = &function.blocks[block.index()];
        let mut read = vec![];
        each_read(function, trees, block, |value| read.push(value));
        read.iter().for_each(|value| self.left[value.index()] += 1);
        for param in &data.params {
            if block == Block(0) {
                self.take(*param);
            }
        }
        for param in &data.params {
            if block != Block(0) {
                self.give(*param);
            } else if !self.stays(*param, block) {
                self.release(*param);
            }
        }
        for inst in data.insts.iter().filter(|inst| trees.here(**inst)) {
            let mut leaves = vec![];
            trees.leaves(function, *inst, |value| leaves.push(value));
            for value in leaves {
                self.left[value.index()] -= 1;
                if !self.stays(value, block) {
                    self.release(value);
                }
            }
            let results = &function.insts[inst.index()].results;
            results.iter().for_each(|result| self.give(*result));
            for result in results {
                if !self.stays(*result, block) {
                    self.release(*result);
                }
            }
        }
        read.iter().for_each(|value| self.left[value.index()] = 0);
    }

    /// Whether a value is read later.
    fn stays(&self, value: Value, block: Block) -> bool {
        self.left[value.index()] > 0 || self.live.leaves(value, block)
    }

    fn take(&mut self, value: Value) {
        if let Some(local) = self.locals.of[value.index()] {
            self.taken[local as usize] = true;
        }
    }

    fn release(&mut self, value: Value) {
        if let Some(local) = self.locals.of[value.index()] {
            self.taken[local as usize] = false;
        }
    }

    /// Gives a value a local that nothing else needs.
    fn give(&mut self, value: Value) {
        if self.trees.uses[value.index()] == 0 {
            return;
        }
        let ty = types::of(self.function.ty(value));
        let free = |local: u32| !self.taken[local as usize] && self.locals.types[local as usize] == ty;
        let wanted = self.wanted[value.index()].iter().filter_map(|other| self.locals.of[other.index()]);
        let found = wanted.clone().find(|local| free(*local));
        let found = found.or_else(|| (0..self.taken.len() as u32).find(|local| free(*local)));
        let local = found.unwrap_or_else(|| {
            self.taken.push(false);
            self.locals.add(ty)
        });
        self.locals.of[value.index()] = Some(local);
        self.taken[local as usize] = true;
    }
}

/// Calls a function with every read of a kept value in a block.
fn each_read(function: &Function, trees: &Trees, block: Block, mut with: impl FnMut(Value)) {
    let data = &function.blocks[block.index()];
    let here = data.insts.iter().filter(|inst| trees.here(**inst));
    here.for_each(|inst: &Inst| trees.leaves(function, *inst, &mut with));
    for value in data.end.values() {
        trees.leaves_of(function, *value, &mut with);
    }
    for edge in data.end.edges() {
        let params = &function.blocks[edge.block.index()].params;
        for (param, arg) in params.iter().zip(&edge.args) {
            if trees.uses[param.index()] > 0 {
                trees.leaves_of(function, *arg, &mut with);
            }
        }
    }
}

/// Which values are live where blocks begin and end.
struct Liveness {
    /// Number of each value that is read in another block than its own, and those values.
    number: Vec<Option<u32>>,
    values: Vec<Value>,
    words: usize,
    entering: Vec<u64>,
    leaving: Vec<u64>,
}

impl Liveness {
    fn new(function: &Function, cfg: &Cfg, trees: &Trees) -> Liveness {
        let mut home = vec![None; function.values.len()];
        for block in &cfg.order {
            let data = &function.blocks[block.index()];
            let results = data.insts.iter().flat_map(|inst| &function.insts[inst.index()].results);
            data.params.iter().chain(results).for_each(|value| home[value.index()] = Some(*block));
        }
        let mut this = Liveness {
            number: vec![None; function.values.len()],
            values: vec![],
            words: 0,
            entering: vec![],
            leaving: vec![],
        };
        let mut reads = vec![];
        for block in &cfg.order {
            each_read(function, trees, *block, |value| {
                if home[value.index()] != Some(*block) {
                    reads.push((*block, value));
                }
            });
        }
        for (_, value) in &reads {
            let number = &mut this.number[value.index()];
            if number.is_none() {
                *number = Some(this.values.len() as u32);
                this.values.push(*value);
            }
        }
        this.words = this.values.len().div_ceil(64);
        this.entering = vec![0; this.words * function.blocks.len()];
        this.leaving = this.entering.clone();
        let mut own = this.entering.clone();
        let words = this.words;
        let place = |block: Block, number: u32| (block.index() * words + number as usize / 64, number % 64);
        for (number, value) in this.values.iter().enumerate() {
            if let Some(home) = home[value.index()] {
                let (word, bit) = place(home, number as u32);
                own[word] |= 1 << bit;
            }
        }
        for (block, value) in reads {
            if let Some(number) = this.number[value.index()] {
                let (word, bit) = place(block, number);
                this.entering[word] |= 1 << bit;
            }
        }
        let mut changed = words > 0;
        while changed {
            changed = false;
            for block in cfg.order.iter().rev() {
                for edge in function.blocks[block.index()].end.edges() {
                    for word in 0..words {
                        let (at, from) = (block.index() * words + word, edge.block.index() * words + word);
                        let new = this.entering[from] & !this.leaving[at];
                        if new != 0 {
                            this.leaving[at] |= new;
                            this.entering[at] |= new & !own[at];
                            changed = true;
                        }
                    }
                }
            }
        }
        this
    }

    /// Values that are live where a block begins, without its parameters.
    fn entering(&self, block: Block) -> impl Iterator<Item = Value> {
        let words = &self.entering[block.index() * self.words..(block.index() + 1) * self.words];
        words.iter().enumerate().flat_map(move |(at, word)| {
            let bits = (0..64).filter(move |bit| word >> bit & 1 != 0);
            bits.map(move |bit| self.values[at * 64 + bit])
        })
    }

    /// Whether a value is live where a block ends.
    fn leaves(&self, value: Value, block: Block) -> bool {
        self.number[value.index()].is_some_and(|number| {
            let word = block.index() * self.words + number as usize / 64;
            self.leaving[word] >> (number % 64) & 1 != 0
        })
    }
}

/// Order of moves to the parameters of a block, so that none is overwritten before it is read.
pub(super) struct Moves {
    /// One after the other: the local, and the value that it gets.
    pub(super) ordered: Vec<(u32, Value)>,
    /// All at once, after those.
    pub(super) together: Vec<(u32, Value)>,
}

impl Moves {
    /// Moves along an edge; those of values that have the parameter's local already are left out.
    pub(super) fn new(
        function: &Function,
        trees: &Trees,
        locals: &Locals,
        params: &[Value],
        args: &[Value],
    ) -> Moves {
        let mut rest: Vec<(u32, Value, Vec<u32>)> = vec![];
        for (param, arg) in params.iter().zip(args) {
            let Some(to) = locals.of(*param).filter(|_| trees.uses[param.index()] > 0) else { continue };
            if matches!(function.values[arg.index()].def, Def::Undefined) {
                continue;
            }
            let mut from = vec![];
            trees.leaves_of(function, *arg, |value| from.extend(locals.of(value)));
            if trees.inline(function, *arg).is_none() && locals.of(*arg) == Some(to) {
                continue;
            }
            rest.push((to, *arg, from));
        }
        let mut moves = Moves { ordered: vec![], together: vec![] };
        loop {
            let free = rest.iter().position(|(to, ..)| {
                let readers = rest.iter().filter(|(other, _, from)| other != to && from.contains(to));
                readers.count() == 0
            });
            let Some(free) = free else { break };
            let (to, arg, _) = rest.remove(free);
            moves.ordered.push((to, arg));
        }
        moves.together = rest.into_iter().map(|(to, arg, _)| (to, arg)).collect();
        moves
    }
}
