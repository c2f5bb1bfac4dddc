//! Reconvergence points of divergent lanes: immediate post-dominators of basic blocks, early exits left aside.
//!
//! Lanes that exit within an arm of a branch are not waited for, so the others meet after the arms and not at the end of
//! the kernel only. `ptxas` has it so too: counts of an H200 tell (`tests/programs/counters.json`).
//!
//! Post-dominators are found after Lengauer and Tarjan, "A Fast Algorithm for Finding Dominators in a Flowgraph" (the simple form, with paths
//! compressed), on the reversed graph with one virtual end: near-linear whatever the graph, and without recursion, since
//! a hostile text may be one long chain.

use crate::ir::{End, Kernel};

/// Finds the reconvergence point of every branch of a kernel and of the functions that it calls.
pub(super) fn find(kernel: &mut Kernel) {
    for function in 0..kernel.functions.len() {
        let blocks = kernel.blocks_of(function);
        let first = blocks.start as u32;
        let (mut successors, mut exits) = (vec![], vec![]);
        for block in &kernel.blocks[blocks.clone()] {
            successors.push(kernel.successors(block).iter().map(|b| b - first).collect());
            exits.push(block.exit == End::Exit && block.start == block.end);
        }
        // Lanes that return from a function go on after its call: no lane may stop waiting for them.
        let meet = if function == 0 {
            reconvergence_points(&successors, &exits)
        } else {
            post_dominators(&successors)
        };
        for (block, meet) in kernel.blocks[blocks].iter_mut().zip(meet) {
            let meet = meet.map(|meet| meet + first);
            match &mut block.exit {
                End::Branch { reconvergence, .. } => *reconvergence = meet,
                End::Switch { table, .. } => kernel.tables[*table as usize].reconvergence = meet,
                End::Goto(_)
                | End::Barrier { .. }
                | End::Call { .. }
                | End::Return
                | End::Exit
                | End::ExitIf { .. }
                | End::Trap => {}
            }
        }
    }
}

/// For each block the block at which lanes that take different ways from it meet, if they do. `successors[b]` holds
/// the blocks that can follow `b`; none means that it ends the kernel. `exits[b]` says that a block does nothing but
/// exit.
///
/// The last block of the text from which the kernel ends is taken for its regular end, all others exit early.
fn reconvergence_points(successors: &[Vec<u32>], exits: &[bool]) -> Vec<Option<u32>> {
    let ends = |b: usize| {
        let next = &successors[b];
        if next.is_empty() { !exits[b] } else { next.iter().any(|&s| exits[s as usize]) }
    };
    let all = post_dominators(successors);
    let Some(regular) = (0..successors.len()).rfind(|&b| ends(b)) else { return all };
    let without_early = |b: usize| {
        let mut next = successors[b].clone();
        if b != regular && !exits[b] {
            next.retain(|&s| !exits[s as usize]);
            // A way that leads nowhere is not a way to the end.
            if next.is_empty() {
                next.push(b as u32);
            }
        }
        next
    };
    let ways: Vec<Vec<u32>> = (0..successors.len()).map(without_early).collect();
    let meet = post_dominators(&ways);
    // Blocks that only lead to an early exit meet as if there were no other.
    meet.into_iter().zip(all).map(|(meet, all)| meet.or(all)).collect()
}

/// For each block the first block that every way from it to the end passes, but for the end itself.
/// `successors[b]` holds the blocks that can follow `b`; none means that it ends the kernel.
fn post_dominators(successors: &[Vec<u32>]) -> Vec<Option<u32>> {
    let n = successors.len();
    let end = n;
    let mut predecessors = vec![vec![]; n + 1];
    for (b, next) in successors.iter().enumerate() {
        if next.is_empty() {
            predecessors[end].push(b);
        }
        for &s in next {
            predecessors[s as usize].push(b);
        }
    }
    // Blocks by the order in which a depth-first walk of the reversed graph meets them, the end first; a loop without
    // exit is not met and keeps no number.
    let mut number = vec![None; n + 1];
    let mut order = vec![end];
    // The end, which has none, is its own.
    let mut parent = vec![0];
    number[end] = Some(0);
    // Vertices by their numbers, and how many of their predecessors have been looked at.
    let mut stack = vec![(0, 0)];
    while let Some((v, next)) = stack.last_mut() {
        let Some(&p) = predecessors[order[*v]].get(*next) else {
            stack.pop();
            continue;
        };
        *next += 1;
        if number[p].is_none() {
            parent.push(*v);
            let w = order.len();
            number[p] = Some(w);
            order.push(p);
            stack.push((w, 0));
        }
    }
    let dominator = dominators(&order, &parent, |v, each| {
        if successors[v].is_empty() {
            each(0);
        }
        successors[v].iter().filter_map(|&s| number[s as usize]).for_each(each);
    });
    let block = |b: usize| number[b].map(|v| order[dominator[v]]).filter(|&d| d != end).map(|d| d as u32);
    (0..n).map(block).collect()
}

/// Immediate dominators of the vertices of a depth-first tree, all by their numbers in its order. `sources` names the
/// vertices from which an edge leads to a block.
fn dominators(
    order: &[usize],
    parent: &[usize],
    sources: impl Fn(usize, &mut dyn FnMut(usize)),
) -> Vec<usize> {
    let count = order.len();
    let mut semi: Vec<usize> = (0..count).collect();
    let mut dominator = vec![0; count];
    let mut forest = Forest { ancestor: vec![None; count], label: (0..count).collect(), path: vec![] };
    // Vertices whose semidominator is this one, as lists in one array.
    let mut first = vec![None; count];
    let mut following = vec![None; count];
    for w in (1..count).rev() {
        let mut least = semi[w];
        sources(order[w], &mut |v| least = least.min(semi[forest.evaluate(v, &semi)]));
        semi[w] = least;
        following[w] = first[least].replace(w);
        forest.ancestor[w] = Some(parent[w]);
        let mut next = first[parent[w]].take();
        while let Some(v) = next {
            let u = forest.evaluate(v, &semi);
            dominator[v] = if semi[u] < semi[v] { u } else { parent[w] };
            next = following[v];
        }
    }
    for w in 1..count {
        if dominator[w] != semi[w] {
            dominator[w] = dominator[dominator[w]];
        }
    }
    dominator
}

/// The part of the tree that has been dealt with.
struct Forest {
    ancestor: Vec<Option<usize>>,
    /// The vertex of least semidominator on the way up to `ancestor`.
    label: Vec<usize>,
    path: Vec<usize>,
}

impl Forest {
    /// The vertex of least semidominator between this one and the root of its tree.
    fn evaluate(&mut self, v: usize, semi: &[usize]) -> usize {
        let mut at = v;
        while let Some(above) = self.ancestor[at] {
            self.path.push(at);
            at = above;
        }
        let root = at;
        // The vertex just below the root has nothing to compress.
        let mut above = self.path.pop().unwrap_or(root);
        while let Some(at) = self.path.pop() {
            if semi[self.label[above]] < semi[self.label[at]] {
                self.label[at] = self.label[above];
            }
            self.ancestor[at] = Some(root);
            above = at;
        }
        self.label[v]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::{Duration, Instant};

    #[test]
    fn the_two_sides_of_a_branch_meet_after_it() {
        // 0 → 1, 2; 1 → 3; 2 → 3; 3 ends
        assert_eq!(
            post_dominators(&[vec![1, 2], vec![3], vec![3], vec![]]),
            [Some(3), Some(3), Some(3), None]
        );
    }

    #[test]
    fn a_loop_meets_at_its_exit() {
        // 0 → 1; 1 → 1, 2; 2 ends
        assert_eq!(post_dominators(&[vec![1], vec![1, 2], vec![]]), [Some(1), Some(2), None]);
    }

    #[test]
    fn ways_that_end_apart_meet_nowhere() {
        assert_eq!(post_dominators(&[vec![1, 2], vec![], vec![]]), [None; 3]);
    }

    #[test]
    fn a_loop_without_exit_does_not_confuse_the_rest() {
        // 0 → 1, 2; 1 → 1; 2 ends
        assert_eq!(post_dominators(&[vec![1, 2], vec![1], vec![]]), [Some(2), None, None]);
    }

    #[test]
    fn lanes_that_exit_early_are_not_waited_for() {
        // The entry is no block's reconvergence point.
        let some = |b: u32| (b != 0).then_some(b);
        // 0 → 1, 3; 1 → 2, 5; 2 → 4; 3 → 4; 4 → 5; 5 exits: in the arm 1, some return.
        let graph = [vec![1, 3], vec![2, 5], vec![4], vec![4], vec![5], vec![]];
        let exits = [false, false, false, false, false, true];
        assert_eq!(post_dominators(&graph)[..2], [Some(5); 2]);
        assert_eq!(reconvergence_points(&graph, &exits), [4, 2, 4, 4, 5, 0].map(some));
        // The same where the arm stores first and returns for itself: 1 → 2, 6; 6 ends.
        let graph = [vec![1, 4], vec![2, 3], vec![5], vec![], vec![5], vec![]];
        assert_eq!(reconvergence_points(&graph, &[false; 6]), [5, 2, 5, 0, 5, 0].map(some));
    }

    #[test]
    fn a_loop_that_ends_by_exits_alone_keeps_its_reconvergence_points() {
        // 0 → 1; 1 → 2, 3; 2 → 4; 3 → 4; 4 → 1, 5; 5 exits; 6 is the regular end of another way: 0 → 6.
        let graph = [vec![1, 6], vec![2, 3], vec![4], vec![4], vec![1, 5], vec![], vec![5]];
        let exits = [false, false, false, false, false, true, false];
        assert_eq!(reconvergence_points(&graph, &exits)[1..5], [4, 4, 4, 5].map(Some));
    }

    /// By the definition: what lies on every way to the end, and of these the one that all others lie after.
    fn by_definition(successors: &[Vec<u32>]) -> Vec<Option<u32>> {
        let n = successors.len();
        let ends_without = |from: usize, without: usize| {
            let (mut seen, mut stack) = (vec![false; n], vec![from]);
            while let Some(b) = stack.pop() {
                if b == without || std::mem::replace(&mut seen[b], true) {
                    continue;
                }
                if successors[b].is_empty() {
                    return true;
                }
                stack.extend(successors[b].iter().map(|&s| s as usize));
            }
            false
        };
        let passes = |from: usize, by: usize| by != from && !ends_without(from, by);
        (0..n)
            .map(|b| {
                let on_way: Vec<usize> =
                    if ends_without(b, n) { (0..n).filter(|&d| passes(b, d)).collect() } else { vec![] };
                let nearest = on_way.iter().find(|&&d| on_way.iter().all(|&o| o == d || passes(d, o)));
                nearest.map(|&d| d as u32)
            })
            .collect()
    }

    #[test]
    fn any_small_graph_is_as_the_definition_has_it() {
        let mut state = 1u32;
        let mut random = |below: usize| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as usize % below
        };
        for _ in 0..2000 {
            let n = 1 + random(12);
            let graph: Vec<Vec<u32>> =
                (0..n).map(|_| (0..random(4)).map(|_| random(n) as u32).collect()).collect();
            assert_eq!(post_dominators(&graph), by_definition(&graph), "{graph:?}");
        }
    }

    #[test]
    fn hostile_graphs_take_no_longer_than_others() {
        let n = 100_000;
        let ladder: Vec<Vec<u32>> =
            (0..n).map(|b| if b + 1 == n { vec![] } else { vec![b + 1, b / 2] }).collect();
        // Every block may go back to the block as far from the other end, and on.
        let crossed: Vec<Vec<u32>> =
            (0..n).map(|b| if b + 1 == n { vec![] } else { vec![b + 1, n - 1 - b] }).collect();
        // One chain of loops within each other.
        let nested: Vec<Vec<u32>> = (0..n)
            .map(|b| match b {
                b if b + 1 == n => vec![],
                b if b < n / 2 => vec![b + 1],
                b => vec![n - 1 - b, b + 1],
            })
            .collect();
        for graph in [ladder, crossed, nested] {
            let started = Instant::now();
            assert_eq!(post_dominators(&graph).len(), n as usize);
            assert!(started.elapsed() < Duration::from_secs(2), "{:?}", started.elapsed());
        }
    }
}
