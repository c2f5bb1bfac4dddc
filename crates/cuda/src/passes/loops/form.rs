//! Form of a loop that the passes on loops count on.
//!
//! Enters: a function with a loop. Leaves: the loop with a preheader (a block outside that jumps to the header, and the only
//! one outside that does), one latch (the only block inside that jumps to the header), exits that only blocks of the loop jump
//! to, and values that reach what is outside only through parameters of the exits (LLVM's loop-closed form).

mod close;

use crate::ir::cfg::Cfg;
use crate::ir::loops::{Graph, Loop};
use crate::ir::{Block, Edge, Function, Terminator, Value};
use crate::passes::cfg::same_args;

/// Loops of a function beyond which none is brought into form: each may change the graph, which is then found again, so that
/// the time grows with the square of them.
const MOST: usize = 400;

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
    /// Blocks outside that it is left for.
    pub(crate) exits: Vec<Block>,
}

impl Form {
    /// Whether a block is in the loop.
    pub(crate) fn contains(&self, block: Block) -> bool {
        self.inside.get(block.index()).copied().unwrap_or(false)
    }
}

/// Arguments of the edge between two blocks; none where there is no such edge.
pub(super) fn incoming(function: &Function, from: Block, to: Block) -> &[Value] {
    let edge = function.blocks[from.index()].end.edges().find(|edge| edge.block == to);
    edge.map(|edge| edge.args.as_slice()).unwrap_or_default()
}

/// Brings the loop with this header into form; `None` where the block is no header any more, the graph is irreducible
/// there, or the function has too many loops. The graph is the function's, before and after.
pub(crate) fn within(function: &mut Function, graph: &mut Graph, header: Block) -> Option<Form> {
    if graph.loops.all.len() > MOST {
        return None;
    }
    find(graph, header)?;
    // Each of the three looks at a graph that is the function's.
    for shape in [preheader, latch, exits] {
        let shaped = shape(function, &graph.cfg, header, &find(graph, header)?.blocks);
        if shaped {
            *graph = Graph::new(function);
        }
    }
    let cfg = &graph.cfg;
    let blocks = find(graph, header)?.blocks.clone();
    let inside = members(function, &blocks);
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
    let form = Form { preheader, header, latch, blocks, inside, exits };
    close::close(function, graph, &form);
    Some(form)
}

fn find(graph: &Graph, header: Block) -> Option<&Loop> {
    graph.loops.all.iter().find(|one| one.header == header)
}

fn members(function: &Function, blocks: &[Block]) -> Vec<bool> {
    let mut inside = vec![false; function.blocks.len()];
    for block in blocks {
        inside[block.index()] = true;
    }
    inside
}

/// Leads the edges of these blocks to `from` through a new block. What all of them pass is the new block's own, so that
/// constants are seen through it; its parameters are the others.
fn redirect(function: &mut Function, sources: &[Block], from: Block) -> Block {
    let through = function.block();
    let passed: Vec<Vec<Value>> = sources
        .iter()
        .flat_map(|source| function.blocks[source.index()].end.edges())
        .filter(|edge| edge.block == from)
        .map(|edge| edge.args.iter().map(|arg| function.resolve(*arg)).collect())
        .collect();
    let shared: Vec<Option<Value>> = (0..function.blocks[from.index()].params.len())
        .map(|at| {
            let first = *passed.first()?.get(at)?;
            let same =
                |args: &Vec<Value>| args.get(at).is_some_and(|arg| same_args(function, &[*arg], &[first]));
            passed.iter().all(same).then_some(first)
        })
        .collect();
    let params = function.blocks[from.index()].params.clone();
    let args: Vec<Value> = params
        .iter()
        .zip(&shared)
        .map(|(param, shared)| shared.unwrap_or_else(|| function.block_param(through, function.ty(*param))))
        .collect();
    for source in sources {
        for edge in function.blocks[source.index()].end.edges_mut().filter(|edge| edge.block == from) {
            edge.block = through;
            let mut shared = shared.iter();
            edge.args.retain(|_| shared.next().is_some_and(Option::is_none));
        }
    }
    let place = match sources {
        [one] => function.blocks[one.index()].end_place,
        _ => function.blocks[from.index()].end_place,
    };
    let data = &mut function.blocks[through.index()];
    (data.end, data.end_place) = (Terminator::Jump(Edge { block: from, args }), place);
    through
}

/// Predecessors of a block that are wanted, each once.
fn sources(cfg: &Cfg, to: Block, wanted: impl Fn(Block) -> bool) -> Vec<Block> {
    let mut sources: Vec<Block> = cfg.preds(to).iter().copied().filter(|pred| wanted(*pred)).collect();
    sources.dedup();
    sources
}

fn jumps(function: &Function, block: Block) -> bool {
    matches!(function.blocks[block.index()].end, Terminator::Jump(_))
}

/// Gives the loop a preheader; whether it had none.
fn preheader(function: &mut Function, cfg: &Cfg, header: Block, blocks: &[Block]) -> bool {
    let outside = sources(cfg, header, |pred| !blocks.contains(&pred));
    match outside.as_slice() {
        [one] if jumps(function, *one) => false,
        _ => {
            redirect(function, &outside, header);
            true
        }
    }
}

/// Gives the loop one latch; whether it had more. A latch may branch: a loop that tests at its end has its test there.
fn latch(function: &mut Function, cfg: &Cfg, header: Block, blocks: &[Block]) -> bool {
    let latches = sources(cfg, header, |pred| blocks.contains(&pred));
    let several_edges = |block: &Block| {
        function.blocks[block.index()].end.edges().filter(|edge| edge.block == header).count() > 1
    };
    let more = latches.len() > 1 || latches.iter().any(several_edges);
    if more {
        redirect(function, &latches, header);
    }
    more
}

/// Gives the loop exits of its own; whether others led to one.
fn exits(function: &mut Function, cfg: &Cfg, _: Block, blocks: &[Block]) -> bool {
    let mut members = blocks.to_vec();
    members.sort_unstable();
    let within = |block: Block| members.binary_search(&block).is_ok();
    let mut seen: Vec<Block> = Vec::new();
    let mut changed = false;
    for block in &members {
        let targets: Vec<Block> = function.blocks[block.index()].end.edges().map(|edge| edge.block).collect();
        for exit in targets {
            if within(exit) || seen.contains(&exit) {
                continue;
            }
            seen.push(exit);
            // Blocks that were made here have no other predecessors.
            if cfg.preds(exit).iter().any(|pred| !within(*pred)) {
                let ours = sources(cfg, exit, within);
                seen.push(redirect(function, &ours, exit));
                changed = true;
            }
        }
    }
    changed
}
