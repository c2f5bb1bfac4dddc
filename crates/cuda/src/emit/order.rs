//! Order in which blocks are written: what falls through follows, loops stay together.

use crate::ir::{Block, Function};
use crate::lists::Lists;

/// Reachable blocks in postorder, successors visited in the order that `rank` gives (the last visited comes to lie next to
/// the block).
fn postorder(function: &Function, rank: &dyn Fn(Block) -> u32) -> Vec<Block> {
    let visit = |block: Block| {
        let mut next: Vec<Block> =
            function.blocks[block.index()].end.edges().map(|edge| edge.block).collect();
        // `pop` takes from the end; stable, so that the first successor is visited last among equals.
        crate::sort::by_key(&mut next, |block| std::cmp::Reverse(rank(*block)));
        next
    };
    let mut order = vec![];
    let mut seen = vec![false; function.blocks.len()];
    if function.blocks.is_empty() {
        return order;
    }
    seen[0] = true;
    let mut stack = vec![(Block(0), visit(Block(0)))];
    while let Some((block, next)) = stack.last_mut() {
        match next.pop() {
            Some(successor) if !seen[successor.index()] => {
                seen[successor.index()] = true;
                stack.push((successor, visit(successor)));
            }
            Some(_) => {}
            None => {
                order.push(*block);
                stack.pop();
            }
        }
    }
    order
}

/// How many loops each block lies in, by back edges of a depth-first walk whose postorder is given.
fn depths_of(function: &Function, order: &[Block]) -> Vec<u32> {
    let mut position = vec![usize::MAX; function.blocks.len()];
    for (at, block) in order.iter().enumerate() {
        position[block.index()] = at;
    }
    let (mut predecessors, mut latches) = (vec![], vec![]);
    for block in order {
        for successor in function.blocks[block.index()].end.edges().map(|edge| edge.block) {
            predecessors.push((successor.0, *block));
            if position[successor.index()] >= position[block.index()] {
                latches.push((successor.0, *block));
            }
        }
    }
    let predecessors = Lists::new(function.blocks.len(), &predecessors);
    let latches = Lists::new(function.blocks.len(), &latches);
    let mut depth = vec![0; function.blocks.len()];
    let mut member = vec![usize::MAX; function.blocks.len()];
    for header in order.iter().filter(|header| !latches.of(header.index()).is_empty()) {
        let mark = header.index();
        member[mark] = mark;
        depth[mark] += 1;
        let mut work = latches.of(mark).to_vec();
        while let Some(block) = work.pop() {
            if member[block.index()] != mark {
                member[block.index()] = mark;
                depth[block.index()] += 1;
                work.extend(predecessors.of(block.index()));
            }
        }
    }
    depth
}

/// Reachable blocks in the order in which they are written: reverse postorder in which a loop's blocks come before what
/// follows the loop.
pub(super) fn layout(function: &Function) -> Vec<Block> {
    let first = postorder(function, &|_| 0);
    let depth = depths_of(function, &first);
    let mut order = postorder(function, &|block| depth[block.index()]);
    order.reverse();
    order
}

/// How many loops each block lies in.
pub(super) fn depths(function: &Function) -> Vec<u32> {
    depths_of(function, &postorder(function, &|_| 0))
}
