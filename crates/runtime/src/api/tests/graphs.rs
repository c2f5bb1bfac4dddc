//! Graphs: nodes made by hand and by captures, and what their launches do.

use super::host::Host;
use super::vector_sum::{SUM, arguments, sum};
use crate::api::Kind;

fn host() -> Host {
    Host::new(SUM, &["sum"], &[])
}

fn stream(host: &mut Host) -> u64 {
    host.made("cudaStreamCreateWithFlags", &[1])
}

/// The graph of what is done on a capturing stream.
fn captured(host: &mut Host, s: u64, work: impl FnOnce(&mut Host)) -> u64 {
    host.ok("cudaStreamBeginCapture", &[s, 0]);
    work(host);
    let to = host.variable(&[0; 8]);
    host.ok("cudaStreamEndCapture", &[s, to]);
    host.word(to)
}

fn instantiated(host: &mut Host, graph: u64) -> u64 {
    host.made("cudaGraphInstantiate", &[graph, 0])
}

/// `cudaKernelNodeParams` of the sum of 100 elements.
fn node_parameters(host: &mut Host, a: u64, b: u64, c: u64) -> u64 {
    let values = arguments(a, b, c, 100).map(|bytes| host.variable(&bytes));
    let list = host.words(&values);
    let (two, block) = (2 | 1 << 32, 1 | 64 << 32);
    host.words(&[1, two, block, 1 | 1 << 32, 0, list, 0])
}

#[test]
fn what_is_captured_is_done_by_each_launch_and_not_before() {
    let mut host = host();
    let s = stream(&mut host);
    let (p, d) = (host.made("cudaMallocHost", &[400]), host.made("cudaMalloc", &[400]));
    host.put_ints(p, 0..100);
    let graph = captured(&mut host, s, |host| {
        host.ok("cudaMemcpyAsync", &[d, p, 400, 1, s]);
        sum(host, d, d, d, 100, s);
        host.ok("cudaMemcpyAsync", &[p, d, 400, 2, s]);
    });
    host.ok("cudaStreamSynchronize", &[s]);
    assert_eq!(host.int(p + 4), 1);
    let count = host.variable(&[0; 8]);
    host.ok("cudaGraphGetNodes", &[graph, 0, count]);
    assert_eq!(host.word(count), 3);
    let executable = instantiated(&mut host, graph);
    host.ok("cudaGraphDestroy", &[graph]);
    for times in [2, 4] {
        host.ok("cudaGraphLaunch", &[executable, s]);
        host.ok("cudaStreamSynchronize", &[s]);
        assert_eq!(host.ints(p, 100), (0..100).map(|i| times * i).collect::<Vec<_>>());
    }
    host.ok("cudaGraphExecDestroy", &[executable]);
    assert_eq!(host.call("cudaGraphLaunch", &[executable, s]), 1);
    assert!(matches!(host.kinds()[..], [Kind::BadHandle { what: "executable graph", destroyed: Some(_) }]));
}

#[test]
fn branches_that_no_dependency_orders_are_reported_where_they_meet() {
    for ordered in [true, false] {
        let mut host = host();
        let s = stream(&mut host);
        let d = host.made("cudaMalloc", &[400]);
        host.ok("cudaMemsetAsync", &[d, 0, 400, s]);
        let graph = host.made("cudaGraphCreate", &[0]);
        let parameters = node_parameters(&mut host, d, d, d);
        let first = host.made("cudaGraphAddKernelNode", &[graph, 0, 0, parameters]);
        let place = host.memory.site;
        let list = host.words(&[first]);
        let after = if ordered { [list, 1] } else { [0, 0] };
        host.made("cudaGraphAddKernelNode", &[graph, after[0], after[1], parameters]);
        let executable = instantiated(&mut host, graph);
        host.ok("cudaGraphLaunch", &[executable, s]);
        host.ok("cudaGraphLaunch", &[executable, s]);
        host.ok("cudaDeviceSynchronize", &[]);
        match host.kinds()[..] {
            [] => assert!(ordered),
            [Kind::Unordered { first, .. }, ..] => assert!(!ordered && first.site == place),
            ref other => panic!("{other:?}"),
        }
    }
}

#[test]
fn streams_join_a_capture_by_events_and_their_work_is_ordered_by_these_alone() {
    let mut host = host();
    let [s, t] = [stream(&mut host), stream(&mut host)];
    let [d, e] = [0; 2].map(|_| host.made("cudaMalloc", &[400]));
    let [fork, join] = [0; 2].map(|_| host.made("cudaEventCreate", &[]));
    let h = host.malloc(400);
    let graph = captured(&mut host, s, |host| {
        host.ok("cudaMemsetAsync", &[d, 1, 400, s]);
        host.ok("cudaEventRecord", &[fork, s]);
        host.ok("cudaStreamWaitEvent", &[t, fork, 0]);
        host.ok("cudaMemsetAsync", &[e, 2, 400, t]);
        sum(host, d, d, d, 100, s);
        host.ok("cudaEventRecord", &[join, t]);
        host.ok("cudaStreamWaitEvent", &[s, join, 0]);
        sum(host, d, e, e, 100, s);
    });
    let executable = instantiated(&mut host, graph);
    host.ok("cudaGraphLaunch", &[executable, s]);
    host.ok("cudaMemcpyAsync", &[h, e, 400, 2, s]);
    host.ok("cudaStreamSynchronize", &[s]);
    assert_eq!(host.int(h), 2 * 0x0101_0101 + 0x0202_0202);
    let unordered = host.kinds().iter().any(|kind| matches!(kind, Kind::Unordered { .. }));
    assert!(!unordered, "{:?}", host.kinds());
    // Both branches are drawn.
    let streams: Vec<u32> = host.api.profile().spans().0.iter().map(|span| span.stream).collect();
    assert!(
        streams.iter().any(|stream| crate::api::words::stream_name(*stream) == "graph branch 1"),
        "{streams:?}"
    );
}

#[test]
fn what_comes_after_a_function_of_the_program_sees_what_that_did() {
    let mut host = host();
    let s = stream(&mut host);
    let (p, d) = (host.made("cudaMallocHost", &[400]), host.made("cudaMalloc", &[400]));
    let graph = captured(&mut host, s, |host| {
        host.ok("cudaLaunchHostFunc", &[s, 7, p]);
        host.ok("cudaMemcpyAsync", &[d, p, 400, 1, s]);
        sum(host, d, d, d, 100, s);
        host.ok("cudaMemcpyAsync", &[p, d, 400, 2, s]);
    });
    let executable = instantiated(&mut host, graph);
    host.ok("cudaGraphLaunch", &[executable, s]);
    let next = host.api.begin_callback(&mut host.heap, &mut host.memory).unwrap();
    assert_eq!(next, Some((7, vec![p])));
    host.put_ints(p, (0..100).map(|i| 10 * i));
    assert_eq!(host.call("cudaStreamSynchronize", &[s]), 800);
    host.api.end_callback();
    assert_eq!(host.api.begin_callback(&mut host.heap, &mut host.memory).unwrap(), None);
    host.ok("cudaStreamSynchronize", &[s]);
    assert_eq!(host.ints(p, 3), [0, 20, 40]);
}

#[test]
fn an_executable_graph_is_updated_if_only_what_nodes_do_has_changed() {
    let mut host = host();
    let s = stream(&mut host);
    let d = host.made("cudaMalloc", &[400]);
    let h = host.malloc(400);
    let set = |host: &mut Host, value: u64, more: bool| {
        captured(host, s, |host| {
            host.ok("cudaMemsetAsync", &[d, value, 400, s]);
            if more {
                sum(host, d, d, d, 100, s);
            }
        })
    };
    let [one, two, other] =
        [(1, false), (2, false), (3, true)].map(|(value, more)| set(&mut host, value, more));
    let executable = instantiated(&mut host, one);
    let info = host.words(&[0xff; 3]);
    host.ok("cudaGraphExecUpdate", &[executable, two, info]);
    assert_eq!((host.word(info), host.word(info + 8)), (0, 0));
    assert_eq!(host.call("cudaGraphExecUpdate", &[executable, other, info]), 910);
    assert_eq!(host.int(info), 2);
    host.ok("cudaGraphLaunch", &[executable, s]);
    host.ok("cudaMemcpyAsync", &[h, d, 400, 2, s]);
    assert_eq!(host.int(h), 0x0202_0202);
    // Nodes are still those of the first graph.
    let list = host.variable(&[0; 8]);
    let count = host.words(&[1]);
    host.ok("cudaGraphGetNodes", &[one, list, count]);
    let node = host.word(list);
    let parameters = host.words(&[d, 0, 0x0003_0000 | 2 << 32, 200, 1]);
    assert_eq!(host.call("cudaGraphExecKernelNodeSetParams", &[executable, node, parameters]), 1);
    host.put_ints(parameters + 16, [3, 2]);
    host.ok("cudaGraphExecMemsetNodeSetParams", &[executable, node, parameters]);
    host.ok("cudaGraphLaunch", &[executable, s]);
    host.ok("cudaMemcpyAsync", &[h, d, 400, 2, s]);
    assert_eq!(host.int(h), 0x0003_0003);
    host.ok("cudaGraphNodeSetEnabled", &[executable, node, 0]);
    host.ok("cudaMemset", &[d, 0, 400]);
    host.ok("cudaGraphLaunch", &[executable, s]);
    host.ok("cudaMemcpyAsync", &[h, d, 400, 2, s]);
    assert_eq!(host.int(h), 0);
}

#[test]
fn dependencies_are_added_asked_for_and_removed_and_a_circle_cannot_be_instantiated() {
    let mut host = host();
    let graph = host.made("cudaGraphCreate", &[0]);
    let [a, b, c] = [0; 3].map(|_| host.made("cudaGraphAddEmptyNode", &[graph, 0, 0]));
    let (from, to) = (host.words(&[a, a]), host.words(&[b, c]));
    host.ok("cudaGraphAddDependencies", &[graph, from, to, 0, 2]);
    assert_eq!(host.call("cudaGraphAddDependencies", &[graph, from, to, 0, 1]), 1);
    let (list, count) = (host.variable(&[0; 24]), host.words(&[3]));
    host.ok("cudaGraphNodeGetDependentNodes", &[a, list, 0, count]);
    assert_eq!((host.word(count), host.word(list), host.word(list + 8), host.word(list + 16)), (2, b, c, 0));
    host.ok("cudaGraphGetRootNodes", &[graph, 0, count]);
    assert_eq!(host.word(count), 1);
    host.ok("cudaGraphGetEdges", &[graph, 0, 0, 0, count]);
    assert_eq!(host.word(count), 2);
    host.ok("cudaGraphAddDependencies", &[graph, to, from, 0, 1]);
    let made = host.variable(&[0; 8]);
    assert_eq!(host.call("cudaGraphInstantiate", &[made, graph, 0]), 1);
    host.ok("cudaGraphRemoveDependencies", &[graph, to, from, 0, 1]);
    host.ok("cudaGraphInstantiate", &[made, graph, 0]);
    host.ok("cudaGraphDestroyNode", &[a]);
    assert_eq!(host.call("cudaGraphNodeGetType", &[a, made]), 1);
}

#[test]
fn a_child_graph_is_a_copy_and_a_graph_can_be_captured_in_another() {
    let mut host = host();
    let s = stream(&mut host);
    let d = host.made("cudaMalloc", &[400]);
    let h = host.malloc(400);
    host.ok("cudaMemset", &[d, 1, 400]);
    let inner = captured(&mut host, s, |host| {
        sum(host, d, d, d, 100, s);
    });
    let executable = instantiated(&mut host, inner);
    let outer = captured(&mut host, s, |host| {
        host.ok("cudaGraphLaunch", &[executable, s]);
        host.ok("cudaGraphLaunch", &[executable, s]);
    });
    let child = host.made("cudaGraphAddChildGraphNode", &[outer, 0, 0, inner]);
    host.ok("cudaGraphDestroy", &[inner]);
    let graph = host.made_second("cudaGraphChildGraphNodeGetGraph", child);
    assert_eq!(host.call("cudaGraphDestroy", &[graph]), 1);
    host.ok("cudaGraphDestroyNode", &[child]);
    let executable = instantiated(&mut host, outer);
    host.ok("cudaGraphLaunch", &[executable, s]);
    host.ok("cudaMemcpyAsync", &[h, d, 400, 2, s]);
    assert_eq!(host.int(h), 4 * 0x0101_0101);
}

#[test]
fn what_a_graph_is_given_is_checked_where_it_is_given() {
    let mut host = host();
    let s = stream(&mut host);
    let (d, h) = (host.made("cudaMalloc", &[400]), host.malloc(400));
    let graph = host.made("cudaGraphCreate", &[0]);
    let node = host.variable(&[0; 8]);
    assert_eq!(host.call("cudaGraphAddMemcpyNode1D", &[node, graph, 0, 0, d, h, 404, 1]), 1);
    assert_eq!(host.call("cudaGraphAddMemcpyNode1D", &[node, graph, 0, 0, d, h, 400, 2]), 1);
    let parameters = host.words(&[1, 1 | 1 << 32, 1 | 2000 << 32, 1 | 1 << 32, 0, 0, 0]);
    assert_eq!(host.call("cudaGraphAddKernelNode", &[node, graph, 0, 0, parameters]), 1);
    host.ok("cudaStreamBeginCapture", &[s, 0]);
    assert_eq!(host.call("cudaMemsetAsync", &[d, 0, 404, s]), 1);
    let names: Vec<&str> = host.kinds().iter().map(|kind| kind.name()).collect();
    assert_eq!(names, ["out-of-bounds", "copy-kind", "launch-failed", "out-of-bounds"]);
}
