//! Dominators and post-dominators.
//!
//! Enters: a control-flow graph. Leaves: the tree of dominators (Cooper, Harvey and Kennedy's algorithm), with which
//! dominance is a comparison of numbers. This module must never know instructions.

use super::cfg::Cfg;
use super::{Block, Function};
use crate::lists::Lists;

/// Tree of dominators of the blocks that the entry reaches.
#[derive(Clone, Debug)]
pub(crate) struct Dominators {
    idom: Vec<u32>,
    /// Where the children of each block begin among all, and where the last one's end.
    starts: Vec<u32>,
    children: Vec<Block>,
    // First and last number of the subtree in preorder: one block dominates another if its range holds the other's first.
    range: Vec<(u32, u32)>,
}

impl Dominators {
    /// Finds the dominators of all reachable blocks.
    pub(crate) fn new(cfg: &Cfg) -> Dominators {
        let order: Vec<u32> = cfg.order.iter().map(|block| block.0).collect();
        Dominators::from_graph(cfg.position.len(), &order, |node| {
            cfg.preds(Block(node)).iter().map(|block| block.0)
        })
    }

    fn from_graph<I: Iterator<Item = u32>>(
        count: usize,
        order: &[u32],
        predecessors: impl Fn(u32) -> I,
    ) -> Dominators {
        let idom = immediate(count, order, predecessors);
        let above = |node: &u32| Some(idom[*node as usize] as usize).filter(|above| *above < count);
        let mut starts = vec![0u32; count + 1];
        order.iter().skip(1).filter_map(above).for_each(|above| starts[above + 1] += 1);
        for at in 1..=count {
            starts[at] += starts[at - 1];
        }
        let mut next_of = starts.clone();
        let mut children = vec![Block(0); starts.last().map_or(0, |all| *all as usize)];
        for node in order.iter().skip(1) {
            if let Some(above) = above(node) {
                children[next_of[above] as usize] = Block(*node);
                next_of[above] += 1;
            }
        }
        let of = |node: u32| &children[starts[node as usize] as usize..starts[node as usize + 1] as usize];
        let mut range = vec![(1, 0); count];
        let mut next = 0;
        if let Some(root) = order.first() {
            let mut stack = vec![(*root, 0)];
            range[*root as usize] = (0, 0);
            while let Some((node, child)) = stack.last_mut() {
                if let Some(below) = of(*node).get(*child) {
                    *child += 1;
                    next += 1;
                    range[below.index()] = (next, next);
                    stack.push((below.0, 0));
                } else {
                    range[*node as usize].1 = next;
                    stack.pop();
                }
            }
        }
        Dominators { idom, starts, children, range }
    }

    /// The immediate dominator; none for the entry and for unreachable blocks.
    pub(crate) fn idom(&self, block: Block) -> Option<Block> {
        let above = self.idom[block.index()];
        (above != u32::MAX && above != block.0).then_some(Block(above))
    }

    /// Blocks that a block dominates immediately.
    pub(crate) fn children(&self, block: Block) -> &[Block] {
        let (start, end) = (self.starts[block.index()], self.starts[block.index() + 1]);
        &self.children[start as usize..end as usize]
    }

    /// Whether every way to the second block goes through the first; also where they are the same.
    pub(crate) fn dominates(&self, above: Block, below: Block) -> bool {
        let (first, last) = self.range[above.index()];
        let (at, end) = self.range[below.index()];
        first <= at && at <= last && at <= end
    }

    /// Dominance frontiers by block: where a block's dominance ends.
    pub(crate) fn frontiers(&self, cfg: &Cfg) -> Lists<Block> {
        let mut frontiers = Vec::new();
        let mut last = vec![None; cfg.position.len()];
        for block in &cfg.order {
            if cfg.preds(*block).len() < 2 {
                continue;
            }
            let stop = self.idom(*block);
            for pred in cfg.preds(*block) {
                let mut runner = Some(*pred);
                while runner != stop {
                    let Some(at) = runner else { break };
                    if last[at.index()].replace(*block) != Some(*block) {
                        frontiers.push((at.0, *block));
                    }
                    runner = self.idom(at);
                }
            }
        }
        Lists::new(cfg.position.len(), &frontiers)
    }
}

/// Immediate dominators by node (the root's is itself), `u32::MAX` for nodes that are not in the order.
fn immediate<I: Iterator<Item = u32>>(
    count: usize,
    order: &[u32],
    predecessors: impl Fn(u32) -> I,
) -> Vec<u32> {
    let mut position = vec![u32::MAX; count];
    for (at, node) in order.iter().enumerate() {
        position[*node as usize] = at as u32;
    }
    let mut idom = vec![u32::MAX; count];
    let Some(root) = order.first() else { return idom };
    idom[*root as usize] = *root;
    let find = |idom: &mut [u32], node: u32| {
        let (mut found, mut open) = (u32::MAX, false);
        for pred in predecessors(node) {
            if idom[pred as usize] == u32::MAX {
                open = true;
                continue;
            }
            found = if found == u32::MAX { pred } else { meet(idom, &position, found, pred) };
        }
        (std::mem::replace(&mut idom[node as usize], found) != found, open)
    };
    // Nodes that somebody leads back to. In a reducible graph these dominate who does, and nothing else changes either.
    let mut back = Vec::new();
    for node in order.iter().skip(1) {
        if find(&mut idom, *node).1 {
            back.push(*node);
        }
    }
    let mut changed = back.iter().fold(false, |changed, node| find(&mut idom, *node).0 | changed);
    while changed {
        changed = order.iter().skip(1).fold(false, |changed, node| find(&mut idom, *node).0 | changed);
    }
    idom
}

fn meet(idom: &[u32], position: &[u32], mut a: u32, mut b: u32) -> u32 {
    while a != b {
        while position[a as usize] > position[b as usize] {
            a = idom[a as usize];
        }
        while position[b as usize] > position[a as usize] {
            b = idom[b as usize];
        }
    }
    a
}

/// Tree of post-dominators: all ends of the function lead to one imagined exit.
///
/// Blocks from which no end can be reached (endless loops) post-dominate nothing and are post-dominated by nothing.
#[derive(Clone, Debug)]
pub(crate) struct PostDominators {
    tree: Dominators,
}

impl PostDominators {
    /// Finds the post-dominators of all reachable blocks.
    pub(crate) fn new(function: &Function, cfg: &Cfg) -> PostDominators {
        let count = function.blocks.len();
        let exit = count as u32;
        let successors = |node: u32| -> Vec<u32> {
            let end = &function.blocks[node as usize].end;
            let all: Vec<u32> = end.edges().map(|edge| edge.block.0).collect();
            if all.is_empty() { vec![exit] } else { all }
        };
        // Postorder of the reversed graph from the exit.
        let ends: Vec<u32> =
            cfg.order.iter().map(|block| block.0).filter(|node| successors(*node) == [exit]).collect();
        let above = |node: u32| -> Vec<u32> {
            if node == exit { ends.clone() } else { cfg.preds(Block(node)).iter().map(|b| b.0).collect() }
        };
        let mut seen = vec![false; count + 1];
        let mut order = Vec::with_capacity(count + 1);
        let mut stack = vec![(exit, above(exit))];
        seen[count] = true;
        while let Some((node, rest)) = stack.last_mut() {
            match rest.pop() {
                Some(next) if !seen[next as usize] => {
                    seen[next as usize] = true;
                    stack.push((next, above(next)));
                }
                Some(_) => {}
                None => {
                    order.push(*node);
                    stack.pop();
                }
            }
        }
        order.reverse();
        PostDominators {
            tree: Dominators::from_graph(count + 1, &order, |node| successors(node).into_iter()),
        }
    }

    /// The nearest block that every way from this one to an end goes through; none where that is only the end itself.
    pub(crate) fn immediate(&self, block: Block) -> Option<Block> {
        let exit = Block(self.tree.idom.len() as u32 - 1);
        self.tree.idom(block).filter(|above| *above != exit)
    }
}
