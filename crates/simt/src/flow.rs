//! Where diverged lanes meet again: immediate post-dominators of basic blocks.
//!
//! After Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm", on the reversed graph with one virtual end.

use crate::program::NOWHERE;

/// For each block the first block that every way from it to the end passes, or [`NOWHERE`] where that is the end.
/// `successors[b]` holds the blocks that can follow `b`; none means that it ends the kernel.
pub(crate) fn post_dominators(successors: &[Vec<u32>]) -> Vec<u32> {
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
    // Post-order of the reversed graph from the end; a loop without exit is not reached and keeps no number.
    let mut number = vec![usize::MAX; n + 1];
    let mut order = vec![];
    let mut seen = vec![false; n + 1];
    let mut stack = vec![(end, 0)];
    seen[end] = true;
    while let Some((b, next)) = stack.pop() {
        if let Some(&p) = predecessors[b].get(next) {
            stack.push((b, next + 1));
            if !seen[p] {
                seen[p] = true;
                stack.push((p, 0));
            }
        } else {
            number[b] = order.len();
            order.push(b);
        }
    }
    let mut idom = vec![usize::MAX; n + 1];
    idom[end] = end;
    let mut changed = true;
    while changed {
        changed = false;
        for &b in order.iter().rev().filter(|&&b| b != end) {
            let next: &[u32] = &successors[b];
            let mut new = usize::MAX;
            let ends = if next.is_empty() { Some(end) } else { None };
            for s in next.iter().map(|&s| s as usize).chain(ends) {
                if idom[s] == usize::MAX {
                    continue;
                }
                new = if new == usize::MAX { s } else { meet(&idom, &number, new, s) };
            }
            if idom[b] != new {
                idom[b] = new;
                changed = true;
            }
        }
    }
    (0..n).map(|b| if idom[b] >= end { NOWHERE } else { idom[b] as u32 }).collect()
}

fn meet(idom: &[usize], number: &[usize], mut a: usize, mut b: usize) -> usize {
    while a != b {
        while number[a] < number[b] {
            a = idom[a];
        }
        while number[b] < number[a] {
            b = idom[b];
        }
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_two_sides_of_a_branch_meet_behind_it() {
        // 0 → 1, 2; 1 → 3; 2 → 3; 3 ends
        assert_eq!(post_dominators(&[vec![1, 2], vec![3], vec![3], vec![]]), [3, 3, 3, NOWHERE]);
    }

    #[test]
    fn a_loop_meets_at_its_exit() {
        // 0 → 1; 1 → 1, 2; 2 ends
        assert_eq!(post_dominators(&[vec![1], vec![1, 2], vec![]]), [1, 2, NOWHERE]);
    }

    #[test]
    fn ways_that_end_apart_meet_nowhere() {
        assert_eq!(post_dominators(&[vec![1, 2], vec![], vec![]]), [NOWHERE; 3]);
    }

    #[test]
    fn a_loop_without_exit_does_not_confuse_the_rest() {
        // 0 → 1, 2; 1 → 1; 2 ends
        assert_eq!(post_dominators(&[vec![1, 2], vec![1], vec![]]), [2, NOWHERE, NOWHERE]);
    }
}
