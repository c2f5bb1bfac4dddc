//! Form of a loop that the passes on loops count on.
//!
//! Enters: a function with a loop. Leaves: the loop with a preheader (a block outside that jumps to the header, and the only
//! one outside that does), one latch (the only block inside that jumps to the header), exits that only blocks of the loop jump
//! to, and values that reach what is outside only through parameters of the exits (LLVM's loop-closed form).

use crate::ir::cfg::Cfg;
use crate::ir::dominators::Dominators;
use crate::ir::loops::Loops;
use crate::ir::{Block, Def, Edge, Function, Terminator, Type, Value};

/// Loop in its form.
#[derive(Clone, Debug)]
pub(crate) struct Form {
    /// Block that jumps to the header from outside.
    pub(crate) preheader: Block,
    /// Entry of the loop.
    pub(crate) header: Block,
    /// Block that jumps back.
    pub(crate) latch: Block,
    /// All of its blocks, in reverse postorder, the header first.
    pub(crate) blocks: Vec<Block>,
    /// By block: whether it is in the loop.
    pub(crate) inside: Vec<bool>,
}

impl Form {
    /// Whether a block is in the loop.
    pub(crate) fn contains(&self, block: Block) -> bool {
        self.inside.get(block.index()).copied().unwrap_or(false)
    }
}

/// Brings the loop with this header into form; `None` where the block is no header any more, or the graph is irreducible there.
pub(crate) fn of(function: &mut Function, header: Block) -> Option<Form> {
    let blocks = blocks(function, header)?;
    preheader(function, header, &blocks);
    latch(function, header, &blocks);
    // What was added belongs to the loop or not.
    let inside = members(function, &self::blocks(function, header)?);
    exits(function, &inside);
    let blocks = self::blocks(function, header)?;
    let inside = members(function, &blocks);
    let cfg = Cfg::new(function);
    let mut outside = cfg.preds(header).iter().filter(|pred| !inside[pred.index()]);
    let preheader = *outside.next()?;
    let mut within = cfg.preds(header).iter().filter(|pred| inside[pred.index()]);
    let latch = *within.next()?;
    if outside.next().is_some() || within.next().is_some() {
        return None;
    }
    let mut exits: Vec<Block> = Vec::new();
    for block in &blocks {
        for edge in function.blocks[block.index()].end.edges() {
            if !inside[edge.block.index()] && !exits.contains(&edge.block) {
                exits.push(edge.block);
            }
        }
    }
    close(function, &cfg, &blocks, &inside, &exits);
    Some(Form { preheader, header, latch, blocks, inside })
}

fn members(function: &Function, blocks: &[Block]) -> Vec<bool> {
    let mut inside = vec![false; function.blocks.len()];
    for block in blocks {
        inside[block.index()] = true;
    }
    inside
}

fn blocks(function: &Function, header: Block) -> Option<Vec<Block>> {
    let cfg = Cfg::new(function);
    let dominators = Dominators::new(&cfg);
    let loops = Loops::new(&cfg, &dominators);
    let found = loops.all.iter().find(|one| one.header == header)?;
    let mut blocks = found.blocks.clone();
    crate::sort::by_key(&mut blocks, |block| (*block != header, cfg.position[block.index()]));
    Some(blocks)
}

/// A block that passes its parameters on to another.
fn forwarder(function: &mut Function, to: Block) -> Block {
    let types: Vec<Type> =
        function.blocks[to.index()].params.iter().map(|param| function.ty(*param)).collect();
    let block = function.block();
    let args: Vec<Value> = types.into_iter().map(|ty| function.block_param(block, ty)).collect();
    let place = function.blocks[to.index()].end_place;
    let data = &mut function.blocks[block.index()];
    data.end = Terminator::Jump(Edge { block: to, args });
    data.end_place = place;
    block
}

/// Leads the edges of these blocks to `from` through a new block. A single edge's values stay what they are, so that constants
/// are seen through it.
fn redirect(function: &mut Function, sources: &[Block], from: Block) -> Block {
    let edges = |block: &Block| function.blocks[block.index()].end.edges().filter(|edge| edge.block == from);
    if let [one] = sources
        && edges(one).count() == 1
    {
        let through = function.block();
        let place = function.blocks[one.index()].end_place;
        let mut old = Edge { block: from, args: Vec::new() };
        for edge in function.blocks[one.index()].end.edges_mut().filter(|edge| edge.block == from) {
            old = std::mem::replace(edge, Edge { block: through, args: Vec::new() });
        }
        let data = &mut function.blocks[through.index()];
        (data.end, data.end_place) = (Terminator::Jump(old), place);
        return through;
    }
    let through = forwarder(function, from);
    for source in sources {
        for edge in function.blocks[source.index()].end.edges_mut() {
            if edge.block == from {
                edge.block = through;
            }
        }
    }
    through
}

fn sources(function: &Function, to: Block, wanted: impl Fn(Block) -> bool) -> Vec<Block> {
    let mut sources: Vec<Block> =
        Cfg::new(function).preds(to).iter().copied().filter(|pred| wanted(*pred)).collect();
    sources.dedup();
    sources
}

fn jumps(function: &Function, block: Block) -> bool {
    matches!(function.blocks[block.index()].end, Terminator::Jump(_))
}

fn preheader(function: &mut Function, header: Block, blocks: &[Block]) {
    let outside = sources(function, header, |pred| !blocks.contains(&pred));
    match outside.as_slice() {
        [one] if jumps(function, *one) => {}
        _ => {
            redirect(function, &outside, header);
        }
    }
}

/// A latch may branch: a loop that tests at its end has its test there.
fn latch(function: &mut Function, header: Block, blocks: &[Block]) {
    let latches = sources(function, header, |pred| blocks.contains(&pred));
    let several_edges = |block: &Block| {
        function.blocks[block.index()].end.edges().filter(|edge| edge.block == header).count() > 1
    };
    if latches.len() > 1 || latches.iter().any(several_edges) {
        redirect(function, &latches, header);
    }
}

fn exits(function: &mut Function, inside: &[bool]) {
    let within = |block: Block| inside.get(block.index()).copied().unwrap_or(false);
    let mut seen: Vec<Block> = Vec::new();
    let members = (0..inside.len()).filter(|at| inside[*at]);
    for at in members {
        let targets: Vec<Block> = function.blocks[at].end.edges().map(|edge| edge.block).collect();
        for exit in targets {
            if within(exit) || seen.contains(&exit) {
                continue;
            }
            seen.push(exit);
            let others = sources(function, exit, |pred| !within(pred));
            if !others.is_empty() {
                let ours = sources(function, exit, within);
                seen.push(redirect(function, &ours, exit));
            }
        }
    }
}

/// Gives exits parameters for what the loop defines and others use.
fn close(function: &mut Function, cfg: &Cfg, blocks: &[Block], inside: &[bool], exits: &[Block]) {
    let mut defined = vec![false; function.values.len()];
    for block in blocks {
        let data = &function.blocks[block.index()];
        for param in &data.params {
            defined[param.index()] = true;
        }
        for inst in &data.insts {
            for result in &function.insts[inst.index()].results {
                defined[result.index()] = true;
            }
        }
    }
    super::super::resolve_operands(function);
    let mut escaping: Vec<Value> = Vec::new();
    let mut known = vec![false; function.values.len()];
    let mut note = |value: Value| {
        if defined.get(value.index()) == Some(&true) && !known[value.index()] {
            known[value.index()] = true;
            escaping.push(value);
        }
    };
    for block in cfg.order.iter().filter(|block| !inside[block.index()]) {
        let data = &function.blocks[block.index()];
        for inst in &data.insts {
            function.insts[inst.index()].args.iter().copied().for_each(&mut note);
        }
        data.end.uses().for_each(&mut note);
    }
    if escaping.is_empty() {
        return;
    }
    let dominators = Dominators::new(cfg);
    for value in escaping {
        close_value(function, cfg, &dominators, value, inside, exits);
    }
}

/// Block that defines a value.
pub(crate) fn home(function: &Function, cfg: &Cfg, value: Value) -> Option<Block> {
    match function.values[value.index()].def {
        Def::Param(block, _) => Some(block),
        Def::Result(inst, _) => {
            cfg.order.iter().copied().find(|block| function.blocks[block.index()].insts.contains(&inst))
        }
        Def::Constant(_) | Def::Undefined | Def::Alias(_) => None,
    }
}

/// One value that is used outside: a parameter at each exit that its definition dominates; where several exits meet, a
/// parameter there (as promotion of a slot would place it).
fn close_value(
    function: &mut Function,
    cfg: &Cfg,
    dominators: &Dominators,
    value: Value,
    inside: &[bool],
    exits: &[Block],
) {
    let ty = function.ty(value);
    let Some(home) = home(function, cfg, value) else { return };
    let mut at_exit: Vec<(Block, Value)> = Vec::new();
    for exit in exits {
        let sources: Vec<Block> = cfg.preds(*exit).to_vec();
        if !sources.iter().all(|source| dominators.dominates(home, *source)) {
            continue;
        }
        let param = function.block_param(*exit, ty);
        let mut done: Vec<Block> = Vec::new();
        for source in sources {
            if done.contains(&source) {
                continue;
            }
            done.push(source);
            for edge in function.blocks[source.index()].end.edges_mut() {
                if edge.block == *exit {
                    edge.args.push(value);
                }
            }
        }
        at_exit.push((*exit, param));
    }
    let mut reach = Reach { function, cfg, dominators, ty, at: at_exit.clone(), exits: at_exit };
    for at in 0..cfg.order.len() {
        let block = cfg.order[at];
        if !inside[block.index()] {
            reach.rewrite(block, value);
        }
    }
}

/// Values that stand for one of the loop at places outside.
struct Reach<'a> {
    function: &'a mut Function,
    cfg: &'a Cfg,
    dominators: &'a Dominators,
    ty: Type,
    /// Parameters made so far: by block, valid from its beginning.
    at: Vec<(Block, Value)>,
    exits: Vec<(Block, Value)>,
}

impl Reach<'_> {
    fn rewrite(&mut self, block: Block, value: Value) {
        let uses = |function: &Function| {
            let data = &function.blocks[block.index()];
            data.insts.iter().any(|inst| function.insts[inst.index()].args.contains(&value))
                || data.end.uses().any(|one| one == value)
        };
        if !uses(self.function) {
            return;
        }
        let now = self.value_in(block);
        let insts = self.function.blocks[block.index()].insts.clone();
        let replace = |one: &mut Value| {
            if *one == value {
                *one = now;
            }
        };
        for inst in insts {
            self.function.insts[inst.index()].args.iter_mut().for_each(replace);
        }
        self.function.blocks[block.index()].end.for_each_use_mut(replace);
    }

    /// The value in a block outside of the loop: an exit's parameter, its dominator's, or one of its own where ways meet.
    fn value_in(&mut self, block: Block) -> Value {
        if let Some((_, value)) = self.at.iter().find(|(at, _)| *at == block) {
            return *value;
        }
        // An exit that dominates all ways here is the answer for all blocks below it until others come in.
        if let Some((_, value)) =
            self.exits.iter().find(|(exit, _)| self.dominators.dominates(*exit, block)).copied()
        {
            self.at.push((block, value));
            return value;
        }
        let preds: Vec<Block> = self.cfg.preds(block).to_vec();
        if let [one] = preds.as_slice() {
            let value = self.value_in(*one);
            self.at.push((block, value));
            return value;
        }
        let param = self.function.block_param(block, self.ty);
        self.at.push((block, param));
        let mut done: Vec<Block> = Vec::new();
        for pred in preds {
            if done.contains(&pred) {
                continue;
            }
            done.push(pred);
            let value = self.value_in(pred);
            for edge in self.function.blocks[pred.index()].end.edges_mut() {
                if edge.block == block {
                    edge.args.push(value);
                }
            }
        }
        param
    }
}
