//! Natural loops.
//!
//! Enters: a control-flow graph and its dominators. Leaves: the loops (a header that dominates the blocks that jump back
//! to it, and all blocks between), each with the one around it. Circles without such a header are no loops here, and
//! nothing that asks for loops touches them. This module must never know instructions.

use super::cfg::Cfg;
use super::dominators::Dominators;
use super::{Block, Function};

/// What the terminators of a function say: the control-flow graph, its dominators and its loops.
#[derive(Clone, Debug)]
pub(crate) struct Graph {
    /// Control-flow graph.
    pub(crate) cfg: Cfg,
    /// Its dominators.
    pub(crate) dominators: Dominators,
    /// Its loops.
    pub(crate) loops: Loops,
}

impl Graph {
    /// Looks at a function.
    pub(crate) fn new(function: &Function) -> Graph {
        let cfg = Cfg::new(function);
        let dominators = Dominators::new(&cfg);
        let loops = Loops::new(&cfg, &dominators);
        Graph { cfg, dominators, loops }
    }
}

/// Natural loop.
#[derive(Clone, Debug)]
pub(crate) struct Loop {
    /// Block that all ways into the loop go through.
    pub(crate) header: Block,
    /// Blocks with edges back to the header, in the order of the graph.
    pub(crate) latches: Vec<Block>,
    /// All blocks, in reverse postorder: the header is first.
    pub(crate) blocks: Vec<Block>,
    /// The loop around it.
    pub(crate) parent: Option<usize>,
    /// 1 for outermost loops.
    pub(crate) depth: u32,
}

/// All loops of a function; inner ones stand after those around them.
#[derive(Clone, Debug)]
pub(crate) struct Loops {
    /// The loops.
    pub(crate) all: Vec<Loop>,
    innermost: Vec<Option<u32>>,
}

impl Loops {
    /// Finds the loops.
    pub(crate) fn new(cfg: &Cfg, dominators: &Dominators) -> Loops {
        let mut all: Vec<Loop> = Vec::new();
        let mut innermost: Vec<Option<u32>> = vec![None; cfg.position.len()];
        // By block: the last header whose loop it was found in. One list for all loops, so that many of them take no time
        // by the square.
        let mut inside: Vec<Option<Block>> = vec![None; cfg.position.len()];
        for (at, header) in cfg.order.iter().enumerate() {
            let mut latches: Vec<Block> = cfg
                .preds(*header)
                .iter()
                .copied()
                .filter(|pred| dominators.dominates(*header, *pred))
                .collect();
            latches.dedup();
            if latches.is_empty() {
                continue;
            }
            inside[header.index()] = Some(*header);
            let mut stack = latches.clone();
            let mut last = at;
            while let Some(block) = stack.pop() {
                if inside[block.index()] != Some(*header) {
                    inside[block.index()] = Some(*header);
                    last = last.max(cfg.position[block.index()] as usize);
                    stack.extend(cfg.preds(block));
                }
            }
            let within = |block: &&Block| inside[block.index()] == Some(*header);
            let blocks: Vec<Block> = cfg.order[at..=last].iter().filter(within).copied().collect();
            // Headers come in reverse postorder, so the loop around this one is what its header lies in so far.
            let parent = innermost[header.index()].map(|at| at as usize);
            let depth = parent.and_then(|at| all.get(at)).map_or(1, |above| above.depth + 1);
            for block in &blocks {
                innermost[block.index()] = Some(all.len() as u32);
            }
            all.push(Loop { header: *header, latches, blocks, parent, depth });
        }
        Loops { all, innermost }
    }

    /// The innermost loop around a block: an index of [`Loops::all`].
    pub(crate) fn innermost(&self, block: Block) -> Option<usize> {
        self.innermost.get(block.index()).copied().flatten().map(|at| at as usize)
    }

    /// Whether a block lies in a loop, given by its index.
    pub(crate) fn contains(&self, of: usize, block: Block) -> bool {
        let mut at = self.innermost(block);
        while let Some(inner) = at {
            if inner == of {
                return true;
            }
            at = self.all[inner].parent;
        }
        false
    }

    /// Indices of the loops, inner ones before those around them.
    pub(crate) fn inner_first(&self) -> impl Iterator<Item = usize> + use<> {
        (0..self.all.len()).rev()
    }

    /// Indices of the loops in which there is no other, in the order of [`Loops::inner_first`].
    pub(crate) fn leaves(&self) -> Vec<usize> {
        let mut innermost = vec![true; self.all.len()];
        self.all.iter().filter_map(|one| one.parent).for_each(|outer| innermost[outer] = false);
        self.inner_first().filter(|at| innermost[*at]).collect()
    }

    /// Headers of those loops.
    pub(crate) fn innermost_headers(&self) -> Vec<Block> {
        self.leaves().into_iter().map(|at| self.all[at].header).collect()
    }
}
