//! Graphs: operations with what each waits for, and the order in which a launch does them.
//!
//! Enters: nodes and dependencies. Leaves: steps in an order that keeps to them, each on a branch: what is on one branch is ordered
//! by the dependencies, and what is on two is not, unless a dependency says so. This module must never know what an operation does.

use super::work::Work;
use crate::guest::Site;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// A node.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub(super) graph: usize,
    pub(super) work: Work,
    /// The nodes that it waits for.
    pub(super) before: Vec<usize>,
    /// The function that made it, and where.
    pub(super) call: &'static str,
    pub(super) site: Site,
    /// The node that it is a copy of.
    pub(super) original: Option<usize>,
}

/// A graph.
#[derive(Clone, Debug, Default)]
pub(super) struct Graph {
    /// In the order in which they were made.
    pub(super) nodes: Vec<usize>,
    /// Whether it belongs to a node of another.
    pub(super) child: bool,
    pub(super) destroyed: Option<Site>,
}

/// A node, as a launch does it.
#[derive(Clone, Debug)]
pub(super) struct Step {
    pub(super) node: usize,
    pub(super) work: Work,
    /// The steps that it waits for.
    pub(super) before: Vec<usize>,
    pub(super) call: &'static str,
    pub(super) site: Site,
    pub(super) branch: usize,
    pub(super) enabled: bool,
}

/// A graph that can be launched.
#[derive(Clone, Debug)]
pub(super) struct Executable {
    pub(super) steps: Rc<Vec<Step>>,
    /// The streams of its branches but the first, which is on that of the launch.
    pub(super) branches: Vec<usize>,
    /// A copy of the graph that it was made from.
    pub(super) graph: usize,
    pub(super) flags: u64,
    pub(super) destroyed: Option<Site>,
}

/// All graphs, nodes and executable graphs.
#[derive(Debug, Default)]
pub(super) struct Graphs {
    pub(super) graphs: Vec<Graph>,
    pub(super) nodes: Vec<Node>,
    pub(super) executables: Vec<Executable>,
}

/// As many nodes a program may make.
pub(super) const MOST_NODES: usize = 1 << 20;
/// As deep graphs may be in each other.
const MOST_DEEP: usize = 100;
/// Of more steps, only those that directly wait for each other share a branch.
const MOST_COMPARED: usize = 1 << 14;

impl Graphs {
    pub(super) fn create(&mut self, child: bool) -> usize {
        self.graphs.push(Graph { child, ..Graph::default() });
        self.graphs.len() - 1
    }

    /// A new node; nothing where there are too many.
    pub(super) fn add(
        &mut self,
        graph: usize,
        work: Work,
        before: Vec<usize>,
        (call, site): (&'static str, Site),
    ) -> Option<usize> {
        if self.nodes.len() >= MOST_NODES {
            return None;
        }
        let at = self.nodes.len();
        self.nodes.push(Node { graph, work, before, call, site, original: None });
        self.graphs[graph].nodes.push(at);
        Some(at)
    }

    /// A copy of a graph; nothing where there are too many nodes.
    pub(super) fn copy(&mut self, graph: usize, child: bool) -> Option<usize> {
        self.copy_at(graph, child, 0)
    }

    fn copy_at(&mut self, graph: usize, child: bool, depth: usize) -> Option<usize> {
        if depth > MOST_DEEP {
            return None;
        }
        let made = self.create(child);
        let mut new = BTreeMap::new();
        for at in self.graphs[graph].nodes.clone() {
            let Node { mut work, before, call, site, .. } = self.nodes[at].clone();
            if let Work::Child { graph } = &mut work {
                *graph = self.copy_at(*graph, true, depth + 1)?;
            }
            let copied = self.add(made, work, before, (call, site))?;
            self.nodes[copied].original = Some(at);
            new.insert(at, copied);
        }
        for at in self.graphs[made].nodes.clone() {
            let before = std::mem::take(&mut self.nodes[at].before);
            self.nodes[at].before = before.iter().filter_map(|old| new.get(old)).copied().collect();
        }
        Some(made)
    }

    /// Nodes so that each comes after those that it waits for, and otherwise as they were made; nothing where they wait for each other.
    fn order(&self, graph: usize) -> Option<Vec<usize>> {
        let nodes = &self.graphs[graph].nodes;
        let mut waits: BTreeMap<usize, usize> =
            nodes.iter().map(|at| (*at, self.nodes[*at].before.len())).collect();
        let mut after: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for at in nodes {
            self.nodes[*at].before.iter().for_each(|one| after.entry(*one).or_default().push(*at));
        }
        let mut ready: BTreeSet<usize> = waits.iter().filter(|(_, n)| **n == 0).map(|(at, _)| *at).collect();
        let mut order = vec![];
        while let Some(at) = ready.pop_first() {
            order.push(at);
            for next in after.get(&at).into_iter().flatten() {
                if let Some(left) = waits.get_mut(next) {
                    *left -= 1;
                    if *left == 0 {
                        ready.insert(*next);
                    }
                }
            }
        }
        (order.len() == nodes.len()).then_some(order)
    }

    /// The nodes that wait for a node.
    pub(super) fn after(&self, node: usize) -> Vec<usize> {
        let nodes = &self.graphs[self.nodes[node].graph].nodes;
        nodes.iter().copied().filter(|at| self.nodes[*at].before.contains(&node)).collect()
    }

    /// The steps of a graph and how many branches they have; nothing where nodes wait for each other.
    pub(super) fn steps(&self, graph: usize) -> Option<(Vec<Step>, usize)> {
        let mut steps = vec![];
        self.flatten(graph, &[], &mut steps, 0)?;
        let branches = branches(&mut steps);
        Some((steps, branches))
    }

    /// Adds the steps of a graph whose first ones wait for others, and returns its last ones.
    fn flatten(
        &self,
        graph: usize,
        first: &[usize],
        steps: &mut Vec<Step>,
        depth: usize,
    ) -> Option<Vec<usize>> {
        if depth > MOST_DEEP {
            return None;
        }
        let mut ends: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        let mut last: BTreeSet<usize> = first.iter().copied().collect();
        for at in self.order(graph)? {
            let node = &self.nodes[at];
            let mut before: BTreeSet<usize> =
                node.before.iter().filter_map(|one| ends.get(one)).flatten().copied().collect();
            if node.before.is_empty() {
                before.extend(first);
            }
            before.iter().for_each(|step| {
                last.remove(step);
            });
            let before: Vec<usize> = before.into_iter().collect();
            let end = match node.work {
                Work::Child { graph } => self.flatten(graph, &before, steps, depth + 1)?,
                _ => {
                    let (work, call, site) = (node.work.clone(), node.call, node.site);
                    steps.push(Step { node: at, work, before, call, site, branch: 0, enabled: true });
                    vec![steps.len() - 1]
                }
            };
            last.extend(&end);
            ends.insert(at, end);
        }
        Some(last.into_iter().collect())
    }

    /// Whether all of some nodes come before others, or are among them.
    pub(super) fn reach(&self, from: &[usize], nodes: &[usize]) -> bool {
        let mut seen: BTreeSet<usize> = from.iter().copied().collect();
        let mut left: Vec<usize> = from.to_vec();
        while let Some(at) = left.pop() {
            left.extend(self.nodes[at].before.iter().copied().filter(|one| seen.insert(*one)));
        }
        nodes.iter().all(|at| seen.contains(at))
    }

    /// What of two graphs differs: the node of the first, or nothing where one has more nodes; and the number of
    /// `cudaGraphExecUpdateResult` for it.
    pub(super) fn difference(&self, old: usize, new: usize) -> Option<(Option<usize>, u32)> {
        /// `cudaGraphExecUpdateErrorTopologyChanged` and `cudaGraphExecUpdateErrorNodeTypeChanged`.
        const TOPOLOGY: u32 = 2;
        const TYPE: u32 = 3;
        let (old, new) = (&self.graphs[old].nodes, &self.graphs[new].nodes);
        if old.len() != new.len() {
            return Some((None, TOPOLOGY));
        }
        let at = |nodes: &[usize], of: usize| nodes.iter().position(|one| *one == of);
        for (a, b) in old.iter().zip(new) {
            let (one, other) = (&self.nodes[*a], &self.nodes[*b]);
            let places = |nodes: &[usize], before: &[usize]| -> BTreeSet<Option<usize>> {
                before.iter().map(|of| at(nodes, *of)).collect()
            };
            if places(old, &one.before) != places(new, &other.before) {
                return Some((Some(*b), TOPOLOGY));
            }
            if one.work.kind() != other.work.kind() {
                return Some((Some(*b), TYPE));
            }
            if let (Work::Child { graph: a }, Work::Child { graph: b }) = (&one.work, &other.work)
                && let Some(difference) = self.difference(*a, *b)
            {
                return Some(difference);
            }
        }
        None
    }
}

/// Gives steps their branches, as few as keep apart what no dependency orders; how many there are.
fn branches(steps: &mut [Step]) -> usize {
    let words = if steps.len() > MOST_COMPARED { 0 } else { steps.len().div_ceil(64) };
    // All that come before each, a bit for each step.
    let mut earlier: Vec<Vec<u64>> = vec![];
    let mut last: Vec<usize> = vec![];
    for (at, step) in steps.iter_mut().enumerate() {
        let mut mine = vec![0; words];
        for one in &step.before {
            mine.iter_mut().zip(&earlier[*one]).for_each(|(bits, more)| *bits |= more);
            if let Some(bits) = mine.get_mut(one / 64) {
                *bits |= 1 << (one % 64);
            }
        }
        let ordered = |one: &usize| mine.get(one / 64).is_some_and(|bits| bits >> (one % 64) & 1 == 1);
        let next = last.iter().position(|one| step.before.contains(one));
        let branch = next.or_else(|| last.iter().position(ordered)).unwrap_or(last.len());
        match last.get_mut(branch) {
            Some(one) => *one = at,
            None => last.push(at),
        }
        step.branch = branch;
        earlier.push(mine);
    }
    last.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph(before: &[&[usize]]) -> (Graphs, usize) {
        let mut graphs = Graphs::default();
        let graph = graphs.create(false);
        for before in before {
            graphs.add(graph, Work::Empty, before.to_vec(), ("cudaGraphAddEmptyNode", Site(1))).unwrap();
        }
        (graphs, graph)
    }

    fn nodes_and_branches(graphs: &Graphs, graph: usize) -> Vec<(usize, usize)> {
        graphs.steps(graph).unwrap().0.iter().map(|step| (step.node, step.branch)).collect()
    }

    #[test]
    fn steps_keep_to_dependencies_and_only_what_has_no_order_is_on_branches_of_its_own() {
        let (graphs, fork) = graph(&[&[], &[0], &[0], &[1, 2], &[3], &[3]]);
        assert_eq!(nodes_and_branches(&graphs, fork), [(0, 0), (1, 0), (2, 1), (3, 0), (4, 0), (5, 1)]);
        let (graphs, later_first) = graph(&[&[1], &[]]);
        assert_eq!(nodes_and_branches(&graphs, later_first), [(1, 0), (0, 0)]);
        let (graphs, circle) = graph(&[&[1], &[0]]);
        assert!(graphs.steps(circle).is_none());
    }

    #[test]
    fn a_child_is_between_what_it_waits_for_and_what_waits_for_it() {
        let (mut graphs, child) = graph(&[&[], &[]]);
        let parent = graphs.create(false);
        let place = ("cudaGraphAddChildGraphNode", Site(2));
        let first = graphs.add(parent, Work::Empty, vec![], place).unwrap();
        let copy = graphs.copy(child, true).unwrap();
        let middle = graphs.add(parent, Work::Child { graph: copy }, vec![first], place).unwrap();
        graphs.add(parent, Work::Empty, vec![middle], place).unwrap();
        let (steps, branches) = graphs.steps(parent).unwrap();
        let before: Vec<&[usize]> = steps.iter().map(|step| &step.before[..]).collect();
        assert_eq!((before, branches), (vec![&[][..], &[0], &[0], &[1, 2]], 2));
        let empty = graphs.create(false);
        let alone = graphs.create(false);
        let child = graphs.add(alone, Work::Child { graph: empty }, vec![], place).unwrap();
        graphs.add(alone, Work::Empty, vec![child], place).unwrap();
        assert_eq!(graphs.steps(alone).unwrap().0.len(), 1);
    }

    #[test]
    fn graphs_differ_in_dependencies_and_types_and_not_in_what_nodes_do() {
        let (mut graphs, one) = graph(&[&[], &[0]]);
        let other = graphs.copy(one, false).unwrap();
        assert_eq!(graphs.difference(one, other), None);
        let second = graphs.graphs[other].nodes[1];
        graphs.nodes[second].work = Work::Record { event: 0 };
        assert_eq!(graphs.difference(one, other), Some((Some(second), 3)));
        graphs.nodes[second].before.clear();
        assert_eq!(graphs.difference(one, other), Some((Some(second), 2)));
        assert!(graphs.reach(&[1], &[0]) && !graphs.reach(&[0], &[1]));
    }
}
