//! Nodes of graphs by what they do: added, asked for, and changed, in a graph or in an executable one.
//!
//! Enters: parameters as `cudaKernelNodeParams` and its relatives have them. Leaves: the same as [`Work`], and the other way round.

use super::graph_calls::{node_handle, too_many};
use super::judge::Asked;
use super::work::{Configuration, KernelLaunch, Pattern, Work};
use super::{Answer, Call, Status, low};
use device::Extent;
use std::rc::Rc;

/// Numbers of `cudaGraphNodeType`.
const KERNEL: u32 = 0;
const COPY: u32 = 1;
const SET: u32 = 2;
const HOST: u32 = 3;
const CHILD: u32 = 4;
const EMPTY: u32 = 5;
const WAIT: u32 = 6;
const RECORD: u32 = 7;
/// Where the parameters of a `cudaGraphNodeParams` begin, and those of a copy among them.
const PARAMETERS: u64 = 16;
const COPY_PARAMETERS: u64 = 16;
/// Attributes of a launch that change what it computes.
const COOPERATIVE: u32 = 2;
const CLUSTER: u32 = 4;
const ATTRIBUTES: std::ops::RangeInclusive<u32> = 0..=16;

impl Call<'_> {
    /// A launch from `cudaKernelNodeParams`.
    fn kernel_work(&mut self, at: u64) -> Answer<Work> {
        let at = self.pointer(at, "pNodeParams")?;
        let word = |offset: u64| at.wrapping_add(offset);
        let (kernel, grid, block) = (self.get_u64(at)?, self.dim3(word(8))?, self.dim3(word(20))?);
        let shared_bytes = u64::from(self.get_u32(word(32))?);
        let (arguments, extra) = (self.get_u64(word(40))?, self.get_u64(word(48))?);
        if extra != 0 {
            return self.refuse(
                Status::NOT_SUPPORTED,
                "extra",
                "arguments in one buffer are not supported: give `kernelParams`",
            );
        }
        let of = Configuration { grid, block, shared_bytes, ..Configuration::default() };
        self.check_shape(kernel, &of)?;
        Ok(Work::Kernel(self.kernel_launch(kernel, arguments, of)?))
    }

    /// Memory that is set, from `cudaMemsetParams`.
    fn set_work(&mut self, at: u64) -> Answer<Work> {
        let at = self.pointer(at, "pMemsetParams")?;
        let word = |offset: u64| at.wrapping_add(offset);
        let [address, pitch] = self.words(at)?;
        let (value, bytes) = (self.get_u32(word(16))?, self.get_u32(word(20))?);
        let [width, height] = self.words(word(24))?;
        if !matches!(bytes, 1 | 2 | 4) {
            return self.refuse(Status::INVALID_VALUE, "elementSize", format!("{bytes} is not 1, 2 or 4"));
        }
        let width = width.saturating_mul(u64::from(bytes));
        let pitch = if height > 1 { pitch } else { width };
        let (place, extent) = ((address, pitch, height), Extent { width, height, depth: 1 });
        self.check_set(place, extent)?;
        Ok(Work::Set { place, pattern: Pattern { value, bytes }, extent })
    }

    /// A function of the program, from `cudaHostNodeParams`.
    fn host_work(&mut self, at: u64) -> Answer<Work> {
        let at = self.pointer(at, "pNodeParams")?;
        let [function, data] = self.words(at)?;
        let function = self.pointer(function, "fn")?;
        Ok(Work::Call { function, arguments: vec![data] })
    }

    /// A copy of bytes in a row.
    fn line_work(&mut self, to: u64, from: u64, bytes: u64, kind: u32) -> Answer<Work> {
        let (to, from) = (Asked::linear(to, bytes), Asked::linear(from, bytes));
        let extent = Extent { width: bytes, height: 1, depth: 1 };
        self.judge(to, from, extent, kind)?;
        Ok(Work::Copy { to, from, extent, kind })
    }

    /// A copy, from `cudaMemcpy3DParms`.
    fn copy_work(&mut self, at: u64) -> Answer<Work> {
        let at = self.pointer(at, "pCopyParams")?;
        let work = self.work_of_3d(at)?;
        if let Work::Copy { to, from, extent, kind } = work {
            self.judge(to, from, extent, kind)?;
        }
        Ok(work)
    }

    /// A copy of a graph as a node's.
    fn child_work(&mut self, graph: u64) -> Answer<Work> {
        let graph = self.graph(graph)?;
        let graph = self.api.graphs.copy(graph, true).ok_or_else(too_many)?;
        Ok(Work::Child { graph })
    }

    /// Adds a node after others to a graph.
    fn add_as(&mut self, a: &[u64], make: impl FnOnce(&mut Self) -> Answer<Work>) -> Answer {
        let to = self.pointer(a[0], "pGraphNode")?;
        let graph = self.graph(a[1])?;
        let before = self.nodes_of(graph, a[2], a[3])?;
        let work = make(self)?;
        let node = self.add_node(graph, work, before)?;
        self.put(to, node_handle(node).to_le_bytes())?;
        Ok(0)
    }

    /// Changes what a node of a graph does, in future launches of what is made from it.
    fn change(&mut self, node: u64, kind: u32, make: impl FnOnce(&mut Self) -> Answer<Work>) -> Answer {
        let node = self.node(node)?;
        self.check_type(self.api.graphs.nodes[node].work.kind(), kind)?;
        let work = make(self)?;
        let of = &mut self.api.graphs.nodes[node];
        (of.work, of.call, of.site) = (work, self.name, self.site);
        Ok(0)
    }

    /// The same in an executable graph.
    fn change_step(&mut self, a: &[u64], kind: u32, make: impl FnOnce(&mut Self) -> Answer<Work>) -> Answer {
        let (at, step) = self.step_of(a[0], a[1])?;
        self.check_type(self.api.graphs.executables[at].steps[step].work.kind(), kind)?;
        let work = make(self)?;
        let of = &mut Rc::make_mut(&mut self.api.graphs.executables[at].steps)[step];
        (of.work, of.call, of.site) = (work, self.name, self.site);
        Ok(0)
    }

    fn check_type(&mut self, is: u32, asked: u32) -> Answer<()> {
        if is == asked {
            return Ok(());
        }
        const TYPES: [&str; 8] = [
            "a kernel",
            "a copy",
            "a set",
            "a host function",
            "a child graph",
            "nothing",
            "a wait for an event",
            "the record of an event",
        ];
        let name = |kind: u32| TYPES.get(kind as usize).copied().unwrap_or("another");
        let why = format!("it is a node of {}, and not of {}", name(is), name(asked));
        self.refuse(Status::INVALID_VALUE, "node", why)
    }

    /// A node's kernel.
    fn launch_of(&mut self, node: u64) -> Answer<(usize, KernelLaunch)> {
        let node = self.node(node)?;
        self.check_type(self.api.graphs.nodes[node].work.kind(), KERNEL)?;
        match &self.api.graphs.nodes[node].work {
            Work::Kernel(launch) => Ok((node, launch.clone())),
            _ => Err(Status::INVALID_VALUE.into()),
        }
    }
}

/// `cudaGraphAddKernelNode(pGraphNode, graph, pDependencies, numDependencies, pNodeParams)`.
pub(super) fn add_kernel(call: &mut Call<'_>, a: &[u64]) -> Answer {
    call.add_as(a, |call| call.kernel_work(a[4]))
}

/// `cudaGraphAddMemcpyNode(pGraphNode, graph, pDependencies, numDependencies, pCopyParams)`.
pub(super) fn add_copy(call: &mut Call<'_>, a: &[u64]) -> Answer {
    call.add_as(a, |call| call.copy_work(a[4]))
}

/// `cudaGraphAddMemcpyNode1D(pGraphNode, graph, pDependencies, numDependencies, dst, src, count, kind)`.
pub(super) fn add_line(call: &mut Call<'_>, a: &[u64]) -> Answer {
    call.add_as(a, |call| call.line_work(a[4], a[5], a[6], low(a[7])))
}

/// `cudaGraphAddMemcpyNodeToSymbol(pGraphNode, graph, pDependencies, numDependencies, symbol, src, count, offset, kind)`.
pub(super) fn add_to_symbol(call: &mut Call<'_>, a: &[u64]) -> Answer {
    call.add_as(a, |call| {
        let to = call.place_of_symbol(a[4], a[7], a[6])?;
        call.line_work(to, a[5], a[6], low(a[8]))
    })
}

/// `cudaGraphAddMemcpyNodeFromSymbol(pGraphNode, graph, pDependencies, numDependencies, dst, symbol, count, offset, kind)`.
pub(super) fn add_from_symbol(call: &mut Call<'_>, a: &[u64]) -> Answer {
    call.add_as(a, |call| {
        let from = call.place_of_symbol(a[5], a[7], a[6])?;
        call.line_work(a[4], from, a[6], low(a[8]))
    })
}

/// `cudaGraphAddMemsetNode(pGraphNode, graph, pDependencies, numDependencies, pMemsetParams)`.
pub(super) fn add_set(call: &mut Call<'_>, a: &[u64]) -> Answer {
    call.add_as(a, |call| call.set_work(a[4]))
}

/// `cudaGraphAddHostNode(pGraphNode, graph, pDependencies, numDependencies, pNodeParams)`.
pub(super) fn add_host(call: &mut Call<'_>, a: &[u64]) -> Answer {
    call.add_as(a, |call| call.host_work(a[4]))
}

/// `cudaGraphAddEmptyNode(pGraphNode, graph, pDependencies, numDependencies)`.
pub(super) fn add_empty(call: &mut Call<'_>, a: &[u64]) -> Answer {
    call.add_as(a, |_| Ok(Work::Empty))
}

/// `cudaGraphAddChildGraphNode(pGraphNode, graph, pDependencies, numDependencies, childGraph)`.
pub(super) fn add_child(call: &mut Call<'_>, a: &[u64]) -> Answer {
    call.add_as(a, |call| call.child_work(a[4]))
}

/// `cudaGraphAddEventRecordNode(pGraphNode, graph, pDependencies, numDependencies, event)`.
pub(super) fn add_record(call: &mut Call<'_>, a: &[u64]) -> Answer {
    call.add_as(a, |call| call.event(a[4]).map(|_| Work::Record { event: a[4] }))
}

/// `cudaGraphAddEventWaitNode(pGraphNode, graph, pDependencies, numDependencies, event)`.
pub(super) fn add_wait(call: &mut Call<'_>, a: &[u64]) -> Answer {
    call.add_as(a, |call| call.event(a[4]).map(|_| Work::Wait { event: a[4] }))
}

/// `cudaGraphAddMemAllocNode(pGraphNode, graph, pDependencies, numDependencies, nodeParams)`.
pub(super) fn add_allocation(call: &mut Call<'_>, a: &[u64]) -> Answer {
    /// Where `cudaMemAllocNodeParams` has the size, and where it gets the address.
    const SIZE: u64 = 104;
    const ADDRESS: u64 = 112;
    let at = call.pointer(a[4], "nodeParams")?;
    call.add_as(a, |call| {
        let bytes = call.get_u64(at.wrapping_add(SIZE))?;
        let address = call.allocate_on(at.wrapping_add(ADDRESS), bytes, None, super::streams::LEGACY)?;
        Ok(Work::Memory { address, ends: false })
    })
}

/// `cudaGraphAddMemFreeNode(pGraphNode, graph, pDependencies, numDependencies, dptr)`.
pub(super) fn add_end(call: &mut Call<'_>, a: &[u64]) -> Answer {
    call.add_as(a, |call| call.end_in_graph(a[4], |_, work| Ok(work)))
}

/// `cudaDeviceGraphMemTrim(device)`: memory of graphs stays.
pub(super) fn trim(call: &mut Call<'_>, a: &[u64]) -> Answer {
    call.ordinal(a[0])?;
    Ok(0)
}

/// `cudaGraphAddNode(pGraphNode, graph, pDependencies, dependencyData, numDependencies, nodeParams)`.
pub(super) fn add_node(call: &mut Call<'_>, a: &[u64]) -> Answer {
    let at = call.pointer(a[5], "nodeParams")?;
    let parameters = at.wrapping_add(PARAMETERS);
    if a[3] != 0 {
        return call.refuse(
            Status::NOT_SUPPORTED,
            "dependencyData",
            "data of dependencies are not supported: give none",
        );
    }
    let kind = call.get_u32(at)?;
    call.add_as(&[a[0], a[1], a[2], a[4]], |call| match kind {
        KERNEL => call.kernel_work(parameters),
        COPY => call.copy_work(parameters.wrapping_add(COPY_PARAMETERS)),
        SET => call.set_work(parameters),
        HOST => call.host_work(parameters),
        CHILD => {
            let graph = call.get_u64(parameters)?;
            call.child_work(graph)
        }
        EMPTY => Ok(Work::Empty),
        WAIT | RECORD => {
            let event = call.get_u64(parameters)?;
            call.event(event)?;
            Ok(if kind == WAIT { Work::Wait { event } } else { Work::Record { event } })
        }
        _ => call.refuse(
            Status::NOT_SUPPORTED,
            "nodeParams",
            format!("nodes of type {kind} are not supported: use kernels, copies, sets, host functions, events and child graphs"),
        ),
    })
}

/// `cudaGraphKernelNodeSetParams(node, pNodeParams)`.
pub(super) fn change_kernel(call: &mut Call<'_>, a: &[u64]) -> Answer {
    call.change(a[0], KERNEL, |call| call.kernel_work(a[1]))
}

/// `cudaGraphMemcpyNodeSetParams(node, pNodeParams)`.
pub(super) fn change_copy(call: &mut Call<'_>, a: &[u64]) -> Answer {
    call.change(a[0], COPY, |call| call.copy_work(a[1]))
}

/// `cudaGraphMemcpyNodeSetParams1D(node, dst, src, count, kind)`.
pub(super) fn change_line(call: &mut Call<'_>, a: &[u64]) -> Answer {
    call.change(a[0], COPY, |call| call.line_work(a[1], a[2], a[3], low(a[4])))
}

/// `cudaGraphMemsetNodeSetParams(node, pNodeParams)`.
pub(super) fn change_set(call: &mut Call<'_>, a: &[u64]) -> Answer {
    call.change(a[0], SET, |call| call.set_work(a[1]))
}

/// `cudaGraphHostNodeSetParams(node, pNodeParams)`.
pub(super) fn change_host(call: &mut Call<'_>, a: &[u64]) -> Answer {
    call.change(a[0], HOST, |call| call.host_work(a[1]))
}

/// `cudaGraphExecKernelNodeSetParams(hGraphExec, node, pNodeParams)`.
pub(super) fn change_kernel_step(call: &mut Call<'_>, a: &[u64]) -> Answer {
    call.change_step(a, KERNEL, |call| call.kernel_work(a[2]))
}

/// `cudaGraphExecMemcpyNodeSetParams(hGraphExec, node, pNodeParams)`.
pub(super) fn change_copy_step(call: &mut Call<'_>, a: &[u64]) -> Answer {
    call.change_step(a, COPY, |call| call.copy_work(a[2]))
}

/// `cudaGraphExecMemcpyNodeSetParams1D(hGraphExec, node, dst, src, count, kind)`.
pub(super) fn change_line_step(call: &mut Call<'_>, a: &[u64]) -> Answer {
    call.change_step(a, COPY, |call| call.line_work(a[2], a[3], a[4], low(a[5])))
}

/// `cudaGraphExecMemsetNodeSetParams(hGraphExec, node, pNodeParams)`.
pub(super) fn change_set_step(call: &mut Call<'_>, a: &[u64]) -> Answer {
    call.change_step(a, SET, |call| call.set_work(a[2]))
}

/// `cudaGraphExecHostNodeSetParams(hGraphExec, node, pNodeParams)`.
pub(super) fn change_host_step(call: &mut Call<'_>, a: &[u64]) -> Answer {
    call.change_step(a, HOST, |call| call.host_work(a[2]))
}

/// `cudaGraphKernelNodeGetParams(node, pNodeParams)`: the arguments are in memory of the library's.
pub(super) fn kernel_parameters(call: &mut Call<'_>, a: &[u64]) -> Answer {
    let to = call.pointer(a[1], "pNodeParams")?;
    let (_, KernelLaunch { kernel, of, values }) = call.launch_of(a[0])?;
    let mut list = vec![];
    for value in &values {
        list.extend(call.keep(value)?.to_le_bytes());
    }
    let list = call.keep(&list)?;
    call.put(to, kernel.to_le_bytes())?;
    for (n, size) in (0..).zip(of.grid.into_iter().chain(of.block).chain([low(of.shared_bytes)])) {
        call.put(to.wrapping_add(8 + 4 * n), size.to_le_bytes())?;
    }
    call.put(to.wrapping_add(40), list.to_le_bytes())?;
    call.put(to.wrapping_add(48), [0; 8])?;
    Ok(0)
}

/// `cudaGraphHostNodeGetParams(node, pNodeParams)`.
pub(super) fn host_parameters(call: &mut Call<'_>, a: &[u64]) -> Answer {
    let node = call.node(a[0])?;
    let to = call.pointer(a[1], "pNodeParams")?;
    call.check_type(call.api.graphs.nodes[node].work.kind(), HOST)?;
    if let Work::Call { function, arguments } = call.api.graphs.nodes[node].work.clone() {
        call.put(to, function.to_le_bytes())?;
        call.put(to.wrapping_add(8), arguments.first().copied().unwrap_or(0).to_le_bytes())?;
    }
    Ok(0)
}

/// `cudaGraphMemsetNodeGetParams(node, pNodeParams)`.
pub(super) fn set_parameters(call: &mut Call<'_>, a: &[u64]) -> Answer {
    let node = call.node(a[0])?;
    let to = call.pointer(a[1], "pNodeParams")?;
    call.check_type(call.api.graphs.nodes[node].work.kind(), SET)?;
    if let Work::Set { place, pattern, extent } = call.api.graphs.nodes[node].work.clone() {
        let width = extent.width / u64::from(pattern.bytes.max(1));
        for (offset, word) in [(0, place.0), (8, place.1), (24, width), (32, extent.height)] {
            call.put(to.wrapping_add(offset), word.to_le_bytes())?;
        }
        call.put(to.wrapping_add(16), pattern.value.to_le_bytes())?;
        call.put(to.wrapping_add(20), pattern.bytes.to_le_bytes())?;
    }
    Ok(0)
}

/// `cudaGraphKernelNodeSetAttribute(hNode, attr, value)`.
pub(super) fn set_attribute(call: &mut Call<'_>, a: &[u64]) -> Answer {
    let (node, mut launch) = call.launch_of(a[0])?;
    let at = call.pointer(a[2], "value")?;
    match low(a[1]) {
        COOPERATIVE => launch.of.cooperative = call.get_u32(at)? != 0,
        CLUSTER => launch.of.cluster = Some(call.dim3(at)?),
        other if ATTRIBUTES.contains(&other) => {}
        other => return call.refuse(Status::INVALID_VALUE, "attr", format!("{other} is not one")),
    }
    call.api.graphs.nodes[node].work = Work::Kernel(launch);
    Ok(0)
}
