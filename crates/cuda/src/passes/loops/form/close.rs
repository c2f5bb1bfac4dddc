//! Loop-closed form: what a loop defines reaches others through parameters of its exits.
//!
//! Enters: a loop with exits of its own. Leaves: it with a parameter at each exit for every value that is used outside.

use super::Form;
use crate::ir::cfg::Cfg;
use crate::ir::dominators::Dominators;
use crate::ir::loops::Graph;
use crate::ir::{Block, Function, Type, Value};

/// No value.
const NONE: u32 = u32::MAX;

/// Gives exits parameters for what the loop defines and others use.
pub(super) fn close(function: &mut Function, graph: &Graph, form: &Form) {
    function.resolve_operands();
    // By value: the block of the loop that defines it.
    let mut home = vec![NONE; function.values.len()];
    for block in &form.blocks {
        let data = &function.blocks[block.index()];
        for value in &data.params {
            home[value.index()] = block.0;
        }
        for inst in &data.insts {
            for value in &function.insts[inst.index()].results {
                home[value.index()] = block.0;
            }
        }
    }
    // What is used outside, in the order in which it is found, with the blocks that do so in theirs. Only blocks that the header
    // dominates can.
    let mut escaping: Vec<(Value, Vec<Block>)> = Vec::new();
    let mut number = Vec::new();
    let below = |block: &&Block| graph.dominators.dominates(form.header, **block) && !form.contains(**block);
    for block in graph.cfg.order.iter().filter(below) {
        let mut note = |value: Value| {
            number.resize(home.len(), NONE);
            let known = &mut number[value.index()];
            if *known == NONE {
                *known = escaping.len() as u32;
                escaping.push((value, Vec::new()));
            }
            if let Some((_, users)) = escaping.get_mut(*known as usize)
                && users.last() != Some(block)
            {
                users.push(*block);
            }
        };
        let data = &function.blocks[block.index()];
        for inst in &data.insts {
            for value in &function.insts[inst.index()].args {
                if home[value.index()] != NONE {
                    note(*value);
                }
            }
        }
        data.end.for_each_use(|value| {
            if home[value.index()] != NONE {
                note(value);
            }
        });
    }
    for (value, users) in escaping {
        let home = Block(home[value.index()]);
        close_value(function, graph, value, home, &form.exits, &users);
    }
}

/// One value that is used outside: a parameter at each exit that its definition dominates; where several exits meet, a
/// parameter there (as promotion of a slot would place it).
fn close_value(
    function: &mut Function,
    graph: &Graph,
    value: Value,
    home: Block,
    exits: &[Block],
    users: &[Block],
) {
    let Graph { cfg, dominators, .. } = graph;
    let ty = function.ty(value);
    let mut at_exit: Vec<(Block, Value)> = Vec::new();
    for exit in exits {
        let sources: Vec<Block> = cfg.preds(*exit).to_vec();
        if !sources.iter().all(|source| dominators.dominates(home, *source)) {
            continue;
        }
        let param = function.block_param(*exit, ty);
        pass(function, &sources, *exit, |_| value);
        at_exit.push((*exit, param));
    }
    let mut at = vec![None; cfg.position.len()];
    at_exit.iter().for_each(|(exit, param)| at[exit.index()] = Some(*param));
    let mut reach = Reach { function, cfg, dominators, ty, at, exits: at_exit, open: Vec::new() };
    for block in users {
        reach.rewrite(*block, value);
    }
}

/// Passes a value along the edges of these blocks to another.
fn pass(function: &mut Function, sources: &[Block], to: Block, mut value: impl FnMut(Block) -> Value) {
    for (n, source) in sources.iter().enumerate() {
        if sources[..n].contains(source) {
            continue;
        }
        let value = value(*source);
        for edge in function.blocks[source.index()].end.edges_mut().filter(|edge| edge.block == to) {
            edge.args.push(value);
        }
    }
}

/// Values that stand for one of the loop at places outside.
struct Reach<'a> {
    function: &'a mut Function,
    cfg: &'a Cfg,
    dominators: &'a Dominators,
    ty: Type,
    /// By block: what stands for the value from its beginning, where that is known.
    at: Vec<Option<Value>>,
    /// Parameters of exits.
    exits: Vec<(Block, Value)>,
    /// Blocks that have a parameter to which nothing is passed yet.
    open: Vec<Block>,
}

impl Reach<'_> {
    fn rewrite(&mut self, block: Block, value: Value) {
        let now = self.value_in(block);
        let replace = |one: &mut Value| {
            if *one == value {
                *one = now;
            }
        };
        let Function { blocks, insts, .. } = &mut *self.function;
        let data = &mut blocks[block.index()];
        for inst in &data.insts {
            insts[inst.index()].args.iter_mut().for_each(replace);
        }
        data.end.for_each_use_mut(replace);
        while let Some(block) = self.open.pop() {
            let sources = self.cfg.preds(block).to_vec();
            let values: Vec<Value> = sources.iter().map(|source| self.value_in(*source)).collect();
            let known = |source| sources.iter().zip(&values).find(|(one, _)| **one == source);
            pass(self.function, &sources, block, |source| known(source).map_or(now, |(_, value)| *value));
        }
    }

    /// The value in a block outside of the loop: an exit's parameter, its dominator's, or one of its own where ways meet.
    fn value_in(&mut self, block: Block) -> Value {
        let mut passed = Vec::new();
        let mut at = block;
        let value = loop {
            if let Some(value) = self.at[at.index()] {
                break value;
            }
            // An exit that dominates all ways here is the answer for all blocks below it until others come in.
            let exit = self.exits.iter().find(|(exit, _)| self.dominators.dominates(*exit, at));
            if let Some((_, value)) = exit {
                passed.push(at);
                break *value;
            }
            passed.push(at);
            match self.cfg.preds(at) {
                [one] => at = *one,
                _ => {
                    self.open.push(at);
                    break self.function.block_param(at, self.ty);
                }
            }
        };
        passed.iter().for_each(|block| self.at[block.index()] = Some(value));
        value
    }
}
