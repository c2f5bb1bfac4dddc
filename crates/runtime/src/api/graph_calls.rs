//! Graphs as the program has them: made, copied, asked for, made executable, updated.

use super::finding::Kind;
use super::graphs::{Executable, Graphs, MOST_NODES, Step};
use super::work::Work;
use super::{Answer, Call, Status, Stop, low};
use crate::guest::Signal;
use crate::heap;
use std::rc::Rc;

/// Handles of graphs, of nodes and of executable graphs: their numbers after these bits, which no address has.
const GRAPHS: u64 = 0x8004_0000_0000_0000;
const NODES: u64 = 0x8005_0000_0000_0000;
const EXECUTABLES: u64 = 0x8006_0000_0000_0000;
/// `cudaGraphInstantiateFlagAutoFreeOnLaunch`, `…Upload`, `…UseNodePriority`.
const FLAGS: u64 = 1 | 2 | 8;
/// `cudaGraphInstantiateFlagDeviceLaunch`.
const DEVICE_LAUNCH: u64 = 4;

/// The handle of a graph.
pub(super) fn graph_handle(graph: usize) -> u64 {
    GRAPHS | graph as u64
}

/// The handle of a node.
pub(super) fn node_handle(node: usize) -> u64 {
    NODES | node as u64
}

/// What ends a program that makes nodes without end.
pub(super) fn too_many() -> Stop {
    Signal::Limit(format!("graphs of more than {MOST_NODES} nodes, or too deep in each other")).into()
}

impl Call<'_> {
    /// The graph of a handle.
    pub(super) fn graph(&mut self, handle: u64) -> Answer<usize> {
        let at = (handle ^ GRAPHS) as usize;
        match self.api.graphs.graphs.get(at) {
            Some(graph) if graph.destroyed.is_none() => Ok(at),
            found => {
                let destroyed = found.and_then(|graph| graph.destroyed);
                self.found(Kind::BadHandle { what: "graph", destroyed });
                Err(Status::INVALID_VALUE.into())
            }
        }
    }

    /// The node of a handle.
    pub(super) fn node(&mut self, handle: u64) -> Answer<usize> {
        let at = (handle ^ NODES) as usize;
        let Graphs { graphs, nodes, .. } = &self.api.graphs;
        let graph = nodes.get(at).map(|node| &graphs[node.graph]);
        if graph.is_some_and(|graph| graph.destroyed.is_none() && graph.nodes.contains(&at)) {
            return Ok(at);
        }
        let destroyed = graph.and_then(|graph| graph.destroyed);
        self.found(Kind::BadHandle { what: "graph node", destroyed });
        Err(Status::INVALID_VALUE.into())
    }

    /// The executable graph of a handle.
    pub(super) fn executable(&mut self, handle: u64) -> Answer<usize> {
        let at = (handle ^ EXECUTABLES) as usize;
        match self.api.graphs.executables.get(at) {
            Some(one) if one.destroyed.is_none() => Ok(at),
            found => {
                let destroyed = found.and_then(|one| one.destroyed);
                self.found(Kind::BadHandle { what: "executable graph", destroyed });
                Err(Status::INVALID_VALUE.into())
            }
        }
    }

    /// The nodes of a list of handles, all of which are a graph's.
    pub(super) fn nodes_of(&mut self, graph: usize, list: u64, count: u64) -> Answer<Vec<usize>> {
        if count > 0 && list == 0 {
            return self.refuse(Status::INVALID_VALUE, "pDependencies", "it is a null pointer");
        }
        let mut all = vec![];
        for n in 0..count {
            let handle = self.get_u64(list.wrapping_add(8 * n))?;
            let node = self.node(handle)?;
            if self.api.graphs.nodes[node].graph != graph {
                return self.refuse(Status::INVALID_VALUE, "pDependencies", "a node of another graph");
            }
            if !all.contains(&node) {
                all.push(node);
            }
        }
        Ok(all)
    }

    /// Puts handles of nodes to where the program has room for them: `count` says how many there is room for, and then how many there are.
    fn put_nodes(&mut self, list: u64, count: u64, nodes: &[usize]) -> Answer {
        let count = self.pointer(count, "pNumNodes")?;
        if list != 0 {
            let room = self.get_u64(count)?;
            for n in 0..room {
                let handle =
                    usize::try_from(n).ok().and_then(|n| nodes.get(n)).map_or(0, |node| node_handle(*node));
                if n >= nodes.len() as u64 && n >= MOST_NODES as u64 {
                    break;
                }
                self.put(list.wrapping_add(8 * n), handle.to_le_bytes())?;
            }
            self.put(count, room.min(nodes.len() as u64).to_le_bytes())?;
            return Ok(0);
        }
        self.put(count, (nodes.len() as u64).to_le_bytes())?;
        Ok(0)
    }

    /// Handles of nodes in memory of the library's, which the program reads.
    pub(super) fn list(&mut self, nodes: &[usize]) -> Answer {
        let handles: Vec<u8> = nodes.iter().flat_map(|node| node_handle(*node).to_le_bytes()).collect();
        self.keep(&handles)
    }

    /// Bytes in memory of the library's.
    pub(super) fn keep(&mut self, bytes: &[u8]) -> Answer {
        let size = bytes.len().max(1) as u64;
        let found = self.heap.allocate_zeroed(self.guest, size, 0, heap::Kind::Library, self.site)?;
        let Some(address) = found else {
            return Err(Signal::Limit(format!("{}: the program's memory is full", self.name)).into());
        };
        self.guest.write(address, bytes)?;
        Ok(address)
    }

    fn instantiate(&mut self, to: u64, graph: u64, flags: u64) -> Answer {
        let to = self.pointer(to, "pGraphExec")?;
        let graph = self.graph(graph)?;
        if flags & DEVICE_LAUNCH != 0 {
            let why = "launches of graphs from kernels are not supported: launch the kernels";
            return self.refuse(Status::NOT_SUPPORTED, "flags", why);
        }
        if flags & !FLAGS != 0 {
            return self.refuse(Status::INVALID_VALUE, "flags", format!("{flags:#x} has unknown bits"));
        }
        let Some((steps, count)) = self.api.graphs.steps(graph) else {
            return self.refuse(Status::INVALID_VALUE, "graph", "nodes wait for each other");
        };
        let branches = (1..count).map(|_| self.api.streams.create_branch()).collect();
        let graph = self.api.graphs.copy(graph, true).ok_or_else(too_many)?;
        let at = self.api.graphs.executables.len() as u64;
        let steps = Rc::new(steps);
        self.api.graphs.executables.push(Executable { steps, branches, graph, flags, destroyed: None });
        self.put(to, (EXECUTABLES | at).to_le_bytes())?;
        Ok(0)
    }
}

/// `cudaGraphCreate(pGraph, flags)`.
pub(super) fn create(call: &mut Call<'_>, a: &[u64]) -> Answer {
    let to = call.pointer(a[0], "pGraph")?;
    if low(a[1]) != 0 {
        return call.refuse(Status::INVALID_VALUE, "flags", "they must be 0");
    }
    let graph = call.api.graphs.create(false);
    call.put(to, graph_handle(graph).to_le_bytes())?;
    Ok(0)
}

/// `cudaGraphDestroy(graph)`.
pub(super) fn destroy(call: &mut Call<'_>, a: &[u64]) -> Answer {
    let graph = call.graph(a[0])?;
    if call.api.graphs.graphs[graph].child {
        return call.refuse(
            Status::INVALID_VALUE,
            "graph",
            "it belongs to a node, and is destroyed with that",
        );
    }
    call.api.graphs.graphs[graph].destroyed = Some(call.site);
    Ok(0)
}

/// `cudaGraphClone(pGraphClone, originalGraph)`.
pub(super) fn clone(call: &mut Call<'_>, a: &[u64]) -> Answer {
    let to = call.pointer(a[0], "pGraphClone")?;
    let graph = call.graph(a[1])?;
    let made = call.api.graphs.copy(graph, false).ok_or_else(too_many)?;
    call.put(to, graph_handle(made).to_le_bytes())?;
    Ok(0)
}

/// `cudaGraphNodeFindInClone(pNode, originalNode, clonedGraph)`.
pub(super) fn find_in_clone(call: &mut Call<'_>, a: &[u64]) -> Answer {
    let to = call.pointer(a[0], "pNode")?;
    let (node, graph) = (call.node(a[1])?, call.graph(a[2])?);
    let Graphs { graphs, nodes, .. } = &call.api.graphs;
    let found = graphs[graph].nodes.iter().find(|at| nodes[**at].original == Some(node)).copied();
    let Some(found) = found else {
        return call.refuse(Status::INVALID_VALUE, "clonedGraph", "it has no copy of the node");
    };
    call.put(to, node_handle(found).to_le_bytes())?;
    Ok(0)
}

/// `cudaGraphInstantiate(pGraphExec, graph, flags)`, also by its name with flags.
pub(super) fn instantiate(call: &mut Call<'_>, a: &[u64]) -> Answer {
    call.instantiate(a[0], a[1], a[2])
}

/// `cudaGraphInstantiateWithParams(pGraphExec, graph, instantiateParams)`.
pub(super) fn instantiate_with(call: &mut Call<'_>, a: &[u64]) -> Answer {
    let parameters = call.pointer(a[2], "instantiateParams")?;
    let flags = call.get_u64(parameters)?;
    // The node with an error, and `cudaGraphInstantiateSuccess` or `…Error`.
    call.put(parameters.wrapping_add(16), [0; 8])?;
    let made = call.instantiate(a[0], a[1], flags);
    call.put(parameters.wrapping_add(24), u32::from(made.is_err()).to_le_bytes())?;
    made
}

/// `cudaGraphExecDestroy(graphExec)`: what it has to do is still done.
pub(super) fn destroy_executable(call: &mut Call<'_>, a: &[u64]) -> Answer {
    let at = call.executable(a[0])?;
    call.api.graphs.executables[at].destroyed = Some(call.site);
    Ok(0)
}

/// `cudaGraphExecGetFlags(graphExec, flags)`.
pub(super) fn executable_flags(call: &mut Call<'_>, a: &[u64]) -> Answer {
    let at = call.executable(a[0])?;
    let to = call.pointer(a[1], "flags")?;
    call.put(to, call.api.graphs.executables[at].flags.to_le_bytes())?;
    Ok(0)
}

/// `cudaGraphExecUpdate(hGraphExec, hGraph, resultInfo)`.
pub(super) fn update(call: &mut Call<'_>, a: &[u64]) -> Answer {
    let (at, graph) = (call.executable(a[0])?, call.graph(a[1])?);
    let info = call.pointer(a[2], "resultInfo")?;
    let old = call.api.graphs.executables[at].graph;
    if let Some((node, result)) = call.api.graphs.difference(old, graph) {
        call.put(info, result.to_le_bytes())?;
        call.put(info.wrapping_add(8), node.map_or(0, node_handle).to_le_bytes())?;
        call.put(info.wrapping_add(16), [0; 8])?;
        return Err(Status::GRAPH_EXEC_UPDATE_FAILURE.into());
    }
    call.put(info, [0; 24])?;
    let Some((steps, _)) = call.api.graphs.steps(graph) else {
        return call.refuse(Status::INVALID_VALUE, "hGraph", "nodes wait for each other");
    };
    let graph = call.api.graphs.copy(graph, true).ok_or_else(too_many)?;
    // Nodes are known by those of the graph that it was first made from.
    let before = call.api.graphs.executables[at].steps.clone();
    let renamed = steps.into_iter().zip(before.iter());
    let steps: Vec<Step> =
        renamed.map(|(step, old)| Step { node: old.node, enabled: old.enabled, ..step }).collect();
    let executable = &mut call.api.graphs.executables[at];
    executable.steps = Rc::new(steps);
    executable.graph = graph;
    Ok(0)
}

/// `cudaGraphGetNodes(graph, nodes, numNodes)`.
pub(super) fn nodes(call: &mut Call<'_>, a: &[u64]) -> Answer {
    let graph = call.graph(a[0])?;
    let all = call.api.graphs.graphs[graph].nodes.clone();
    call.put_nodes(a[1], a[2], &all)
}

/// `cudaGraphGetRootNodes(graph, pRootNodes, pNumRootNodes)`.
pub(super) fn root_nodes(call: &mut Call<'_>, a: &[u64]) -> Answer {
    let graph = call.graph(a[0])?;
    let Graphs { graphs, nodes, .. } = &call.api.graphs;
    let roots: Vec<usize> =
        graphs[graph].nodes.iter().copied().filter(|at| nodes[*at].before.is_empty()).collect();
    call.put_nodes(a[1], a[2], &roots)
}

/// `cudaGraphGetEdges(graph, from, to, edgeData, numEdges)`.
pub(super) fn edges(call: &mut Call<'_>, a: &[u64]) -> Answer {
    let graph = call.graph(a[0])?;
    let count = call.pointer(a[4], "numEdges")?;
    let Graphs { graphs, nodes, .. } = &call.api.graphs;
    let of = |to: &usize| nodes[*to].before.iter().map(|from| (*from, *to)).collect::<Vec<_>>();
    let (from, to): (Vec<usize>, Vec<usize>) = graphs[graph].nodes.iter().flat_map(of).unzip();
    let room = call.get_u64(count)?;
    for (list, nodes) in [(a[1], &from), (a[2], &to)] {
        call.put(count, room.to_le_bytes())?;
        call.put_nodes(list, count, nodes)?;
    }
    Ok(0)
}

/// `cudaGraphNodeGetDependencies(node, pDependencies, edgeData, pNumDependencies)`.
pub(super) fn dependencies(call: &mut Call<'_>, a: &[u64]) -> Answer {
    let node = call.node(a[0])?;
    let before = call.api.graphs.nodes[node].before.clone();
    call.put_nodes(a[1], a[3], &before)
}

/// `cudaGraphNodeGetDependentNodes(node, pDependentNodes, edgeData, pNumDependentNodes)`.
pub(super) fn dependent_nodes(call: &mut Call<'_>, a: &[u64]) -> Answer {
    let node = call.node(a[0])?;
    let after = call.api.graphs.after(node);
    call.put_nodes(a[1], a[3], &after)
}

/// `cudaGraphNodeGetType(node, pType)`.
pub(super) fn node_type(call: &mut Call<'_>, a: &[u64]) -> Answer {
    let node = call.node(a[0])?;
    let to = call.pointer(a[1], "pType")?;
    call.put(to, call.api.graphs.nodes[node].work.kind().to_le_bytes())?;
    Ok(0)
}

/// `cudaGraphChildGraphNodeGetGraph(node, pGraph)`.
pub(super) fn child_graph(call: &mut Call<'_>, a: &[u64]) -> Answer {
    let node = call.node(a[0])?;
    let to = call.pointer(a[1], "pGraph")?;
    let Work::Child { graph } = call.api.graphs.nodes[node].work else {
        return call.refuse(Status::INVALID_VALUE, "node", "it is not a node of a child graph");
    };
    call.put(to, graph_handle(graph).to_le_bytes())?;
    Ok(0)
}

/// `cudaGraphDestroyNode(node)`.
pub(super) fn destroy_node(call: &mut Call<'_>, a: &[u64]) -> Answer {
    let node = call.node(a[0])?;
    let Graphs { graphs, nodes, .. } = &mut call.api.graphs;
    let of = &mut graphs[nodes[node].graph];
    of.nodes.retain(|at| *at != node);
    for at in &of.nodes {
        nodes[*at].before.retain(|one| *one != node);
    }
    Ok(0)
}

/// The nodes of the two lists of a call that adds or removes dependencies.
fn pairs(call: &mut Call<'_>, a: &[u64]) -> Answer<Vec<(usize, usize)>> {
    let graph = call.graph(a[0])?;
    if a[3] != 0 {
        return call.refuse(
            Status::NOT_SUPPORTED,
            "edgeData",
            "data of dependencies are not supported: give none",
        );
    }
    let mut all = vec![];
    for n in 0..a[4] {
        let [from, to] = [a[1], a[2]].map(|list| list.wrapping_add(8 * n));
        let (from, to) = (call.nodes_of(graph, from, 1)?, call.nodes_of(graph, to, 1)?);
        all.extend(from.first().copied().zip(to.first().copied()));
    }
    Ok(all)
}

/// `cudaGraphAddDependencies(graph, from, to, edgeData, numDependencies)`.
pub(super) fn add_dependencies(call: &mut Call<'_>, a: &[u64]) -> Answer {
    for (from, to) in pairs(call, a)? {
        if from == to || call.api.graphs.nodes[to].before.contains(&from) {
            let why =
                if from == to { "a node that waits for itself" } else { "the dependency is there already" };
            return call.refuse(Status::INVALID_VALUE, "to", why);
        }
        call.api.graphs.nodes[to].before.push(from);
    }
    Ok(0)
}

/// `cudaGraphRemoveDependencies(graph, from, to, edgeData, numDependencies)`.
pub(super) fn remove_dependencies(call: &mut Call<'_>, a: &[u64]) -> Answer {
    for (from, to) in pairs(call, a)? {
        let before = &mut call.api.graphs.nodes[to].before;
        let Some(at) = before.iter().position(|one| *one == from) else {
            return call.refuse(Status::INVALID_VALUE, "to", "there is no such dependency");
        };
        before.remove(at);
    }
    Ok(0)
}

/// `cudaGraphNodeSetEnabled(hGraphExec, hNode, isEnabled)`: kernels, copies and sets can be left out.
pub(super) fn set_enabled(call: &mut Call<'_>, a: &[u64]) -> Answer {
    let (at, step) = call.step_of(a[0], a[1])?;
    if call.api.graphs.executables[at].steps[step].work.kind() > 2 {
        return call.refuse(Status::INVALID_VALUE, "hNode", "only kernels, copies and sets can be left out");
    }
    Rc::make_mut(&mut call.api.graphs.executables[at].steps)[step].enabled = low(a[2]) != 0;
    Ok(0)
}

/// `cudaGraphNodeGetEnabled(hGraphExec, hNode, isEnabled)`.
pub(super) fn get_enabled(call: &mut Call<'_>, a: &[u64]) -> Answer {
    let (at, step) = call.step_of(a[0], a[1])?;
    let to = call.pointer(a[2], "isEnabled")?;
    let enabled = call.api.graphs.executables[at].steps[step].enabled;
    call.put(to, u32::from(enabled).to_le_bytes())?;
    Ok(0)
}

impl Call<'_> {
    /// An executable graph, and which of its steps a node of its graph is.
    pub(super) fn step_of(&mut self, executable: u64, node: u64) -> Answer<(usize, usize)> {
        let at = self.executable(executable)?;
        // The graph may have been destroyed meanwhile.
        let number = (node ^ NODES) as usize;
        match self.api.graphs.executables[at].steps.iter().position(|step| step.node == number) {
            Some(step) => Ok((at, step)),
            None => self.refuse(
                Status::INVALID_VALUE,
                "hNode",
                "it is not a node of the graph that this was made from",
            ),
        }
    }
}
