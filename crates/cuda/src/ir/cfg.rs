//! Control-flow graph: edges, predecessors and orders of blocks.
//!
//! Enters: a function. Leaves: what is found from its terminators alone. This module must never know instructions.

use super::{Block, Edge, Function, Terminator, Value};

impl Terminator {
    /// The edges, in order.
    pub(crate) fn edges(&self) -> impl Iterator<Item = &Edge> {
        let (first, second, cases): (_, _, &[(u64, Edge)]) = match self {
            Terminator::Jump(edge) => (Some(edge), None, &[]),
            Terminator::Branch(_, yes, no) => (Some(yes), Some(no), &[]),
            Terminator::Switch(_, cases, other) => (None, Some(other), cases),
            Terminator::Return(_) | Terminator::Unreachable => (None, None, &[]),
        };
        first.into_iter().chain(cases.iter().map(|(_, edge)| edge)).chain(second)
    }

    /// The edges, in order, to be changed.
    pub(crate) fn edges_mut(&mut self) -> impl Iterator<Item = &mut Edge> {
        let (first, second, cases): (_, _, &mut [(u64, Edge)]) = match self {
            Terminator::Jump(edge) => (Some(edge), None, &mut []),
            Terminator::Branch(_, yes, no) => (Some(yes), Some(no), &mut []),
            Terminator::Switch(_, cases, other) => (None, Some(other), cases),
            Terminator::Return(_) | Terminator::Unreachable => (None, None, &mut []),
        };
        first.into_iter().chain(cases.iter_mut().map(|(_, edge)| edge)).chain(second)
    }

    /// The values that the terminator itself uses, apart from the arguments of its edges.
    pub(crate) fn values(&self) -> &[Value] {
        match self {
            Terminator::Branch(value, ..) | Terminator::Switch(value, ..) => std::slice::from_ref(value),
            Terminator::Return(values) => values,
            Terminator::Jump(_) | Terminator::Unreachable => &[],
        }
    }

    /// The values that the terminator itself uses, to be changed.
    fn values_mut(&mut self) -> &mut [Value] {
        match self {
            Terminator::Branch(value, ..) | Terminator::Switch(value, ..) => std::slice::from_mut(value),
            Terminator::Return(values) => values,
            Terminator::Jump(_) | Terminator::Unreachable => &mut [],
        }
    }

    /// All values that are used: its own, and those that its edges pass.
    pub(crate) fn uses(&self) -> impl Iterator<Item = Value> {
        self.values().iter().copied().chain(self.edges().flat_map(|edge| edge.args.iter().copied()))
    }

    /// Calls a function with every value that is used; in loops over all blocks this is quicker than an iterator.
    pub(crate) fn for_each_use(&self, mut with: impl FnMut(Value)) {
        for value in self.values() {
            with(*value);
        }
        self.for_each_edge(|edge| {
            for value in &edge.args {
                with(*value);
            }
        });
    }

    /// Calls a function with every edge.
    #[inline]
    pub(crate) fn for_each_edge<'a>(&'a self, mut with: impl FnMut(&'a Edge)) {
        match self {
            Terminator::Jump(edge) => with(edge),
            Terminator::Branch(_, yes, no) => [yes, no].into_iter().for_each(with),
            Terminator::Switch(_, cases, other) => {
                cases.iter().for_each(|(_, edge)| with(edge));
                with(other);
            }
            Terminator::Return(_) | Terminator::Unreachable => {}
        }
    }

    /// Calls a function with every value that is used, to be changed.
    pub(crate) fn for_each_use_mut(&mut self, mut with: impl FnMut(&mut Value)) {
        self.values_mut().iter_mut().for_each(&mut with);
        for edge in self.edges_mut() {
            edge.args.iter_mut().for_each(&mut with);
        }
    }
}

impl Terminator {
    /// The block that the edge of a number leads to.
    fn successor(&self, number: usize) -> Option<Block> {
        let edge = match self {
            Terminator::Jump(edge) if number == 0 => edge,
            Terminator::Branch(_, yes, _) if number == 0 => yes,
            Terminator::Branch(_, _, no) if number == 1 => no,
            Terminator::Switch(_, cases, other) if number == cases.len() => other,
            Terminator::Switch(_, cases, _) => &cases.get(number)?.1,
            Terminator::Jump(_)
            | Terminator::Branch(..)
            | Terminator::Return(_)
            | Terminator::Unreachable => {
                return None;
            }
        };
        Some(edge.block)
    }

    fn successors(&self) -> usize {
        match self {
            Terminator::Jump(_) => 1,
            Terminator::Branch(..) => 2,
            Terminator::Switch(_, cases, _) => cases.len() + 1,
            Terminator::Return(_) | Terminator::Unreachable => 0,
        }
    }
}

/// Blocks that the entry reaches, each before those that it reaches except around loops.
pub(crate) fn reverse_postorder(function: &Function) -> Vec<Block> {
    let mut order = Vec::with_capacity(function.blocks.len());
    let Some(entry) = function.blocks.first() else { return order };
    let mut seen = vec![false; function.blocks.len()];
    // Successors are taken last to first, so that the first is finished last and is directly after its predecessor.
    let mut stack: Vec<(Block, usize)> = Vec::with_capacity(function.blocks.len());
    stack.push((Block(0), entry.end.successors()));
    seen[0] = true;
    while let Some((block, rest)) = stack.last_mut() {
        if *rest == 0 {
            order.push(*block);
            stack.pop();
            continue;
        }
        *rest -= 1;
        if let Some(next) = function.blocks[block.index()].end.successor(*rest)
            && let Some(seen) = seen.get_mut(next.index())
            && !*seen
        {
            *seen = true;
            stack.push((next, function.blocks[next.index()].end.successors()));
        }
    }
    order.reverse();
    order
}

/// Predecessors and order of the blocks that the entry reaches.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Cfg {
    /// Reachable blocks in reverse postorder.
    pub(crate) order: Vec<Block>,
    /// DebugLocation in the order, by block; `u32::MAX` where unreachable.
    pub(crate) position: Vec<u32>,
    /// Where the predecessors of each block begin among all, and where the last one's end.
    starts: Vec<u32>,
    predecessors: Vec<Block>,
}

impl Cfg {
    /// Looks at a function.
    pub(crate) fn new(function: &Function) -> Cfg {
        let order = reverse_postorder(function);
        let count = function.blocks.len();
        let mut position = vec![u32::MAX; count];
        let mut starts = vec![0u32; count + 1];
        for (at, block) in order.iter().enumerate() {
            position[block.index()] = at as u32;
            let end = &function.blocks[block.index()].end;
            end.for_each_edge(|edge| starts[edge.block.index() + 1] += 1);
        }
        for at in 1..=count {
            starts[at] += starts[at - 1];
        }
        let mut next = starts.clone();
        let mut predecessors = vec![Block(0); starts.last().map_or(0, |all| *all as usize)];
        for block in &order {
            function.blocks[block.index()].end.for_each_edge(|edge| {
                let at = &mut next[edge.block.index()];
                predecessors[*at as usize] = *block;
                *at += 1;
            });
        }
        Cfg { order, position, starts, predecessors }
    }

    /// Whether the entry reaches a block.
    pub(crate) fn reachable(&self, block: Block) -> bool {
        self.position.get(block.index()).is_some_and(|at| *at != u32::MAX)
    }

    /// Reachable predecessors of a block, by edge: one with several edges is there as often.
    pub(crate) fn preds(&self, block: Block) -> &[Block] {
        let (start, end) = (self.starts[block.index()], self.starts[block.index() + 1]);
        &self.predecessors[start as usize..end as usize]
    }
}
