//! Captures: what they do not allow.

use super::host::Host;
use super::vector_sum::SUM;
use crate::api::Kind;

const GLOBAL: u64 = 0;
const RELAXED: u64 = 2;

struct Streams {
    host: Host,
    /// Waits for the default stream, and does not.
    blocking: u64,
    other: u64,
    event: u64,
    graph: u64,
    d: u64,
}

fn streams() -> Streams {
    let mut host = Host::new(SUM, &["sum"], &[]);
    let (blocking, other) =
        (host.made("cudaStreamCreate", &[]), host.made("cudaStreamCreateWithFlags", &[1]));
    let event = host.made("cudaEventCreate", &[]);
    let graph = host.variable(&[0; 8]);
    let d = host.made("cudaMalloc", &[400]);
    Streams { host, blocking, other, event, graph, d }
}

/// What a call returns in a capture, and then the end of that.
fn in_capture(blocking: bool, mode: u64, call: impl FnOnce(&mut Streams, u64) -> u64) -> (u64, u64) {
    let mut all = streams();
    let s = if blocking { all.blocking } else { all.other };
    all.host.ok("cudaStreamBeginCapture", &[s, mode]);
    let status = call(&mut all, s);
    let end = all.host.call("cudaStreamEndCapture", &[s, all.graph]);
    assert_eq!(all.host.word(all.graph) != 0, end == 0);
    let reported = all.host.kinds().iter().any(|kind| matches!(kind, Kind::InCapture { .. }));
    assert_eq!(reported, status != 0 || end != 0, "{:?}", all.host.kinds());
    (status, end)
}

#[test]
fn what_waits_or_allocates_needs_the_relaxed_mode() {
    let malloc = |all: &mut Streams, _| {
        let to = all.host.variable(&[0; 8]);
        all.host.call("cudaMalloc", &[to, 4])
    };
    assert_eq!(in_capture(true, GLOBAL, malloc), (900, 901));
    assert_eq!(in_capture(true, RELAXED, malloc), (0, 0));
    let exchanged = |all: &mut Streams, s| {
        let mode = all.host.words(&[RELAXED]);
        all.host.ok("cudaThreadExchangeStreamCaptureMode", &[mode]);
        assert_eq!(all.host.int(mode), 0);
        malloc(all, s)
    };
    assert_eq!(in_capture(true, GLOBAL, exchanged), (0, 0));
    let device = |all: &mut Streams, _| all.host.call("cudaDeviceSynchronize", &[]);
    assert_eq!(in_capture(false, RELAXED, device), (900, 901));
}

#[test]
fn the_default_stream_cannot_be_used_while_a_stream_captures_that_waits_for_it() {
    let set = |all: &mut Streams, _| all.host.call("cudaMemsetAsync", &[all.d, 0, 400, 0]);
    assert_eq!(in_capture(true, GLOBAL, set), (906, 901));
    assert_eq!(in_capture(false, GLOBAL, set), (0, 0));
    let asked = |all: &mut Streams, _| {
        let to = all.host.variable(&[0; 8]);
        all.host.call("cudaStreamIsCapturing", &[0, to])
    };
    let mut all = streams();
    all.host.ok("cudaStreamBeginCapture", &[all.blocking, GLOBAL]);
    assert_eq!(asked(&mut all, 0), 906);
    all.host.ok("cudaStreamEndCapture", &[all.blocking, all.graph]);
    assert_eq!(all.host.call("cudaStreamBeginCapture", &[0, GLOBAL]), 900);
}

#[test]
fn a_capturing_stream_and_its_events_cannot_be_waited_for() {
    assert_eq!(in_capture(true, RELAXED, |all, s| all.host.call("cudaStreamSynchronize", &[s])), (900, 901));
    assert_eq!(in_capture(true, RELAXED, |all, s| all.host.call("cudaStreamQuery", &[s])), (900, 901));
    assert_eq!(in_capture(true, RELAXED, |all, s| all.host.call("cudaStreamDestroy", &[s])), (900, 901));
    let event = |all: &mut Streams, s| {
        all.host.ok("cudaEventRecord", &[all.event, s]);
        all.host.call("cudaEventQuery", &[all.event])
    };
    assert_eq!(in_capture(true, GLOBAL, event), (907, 901));
    let before = |all: &mut Streams, s| {
        all.host.ok("cudaEventRecord", &[all.event, all.other]);
        all.host.call("cudaStreamWaitEvent", &[s, all.event, 0])
    };
    assert_eq!(in_capture(true, GLOBAL, before), (905, 901));
}

#[test]
fn a_capture_ends_where_it_began_when_all_its_work_has_come_together() {
    let fork = |all: &mut Streams, s| {
        all.host.ok("cudaEventRecord", &[all.event, s]);
        all.host.ok("cudaStreamWaitEvent", &[all.other, all.event, 0]);
    };
    let unjoined = |all: &mut Streams, s| {
        fork(all, s);
        all.host.call("cudaMemsetAsync", &[all.d, 0, 400, all.other])
    };
    assert_eq!(in_capture(true, GLOBAL, unjoined), (0, 904));
    let elsewhere = |all: &mut Streams, s| {
        fork(all, s);
        all.host.call("cudaStreamEndCapture", &[all.other, all.graph])
    };
    assert_eq!(in_capture(true, GLOBAL, elsewhere), (903, 901));
    let merged = |all: &mut Streams, s| {
        all.host.ok("cudaStreamBeginCapture", &[all.other, GLOBAL]);
        all.host.ok("cudaEventRecord", &[all.event, s]);
        all.host.call("cudaStreamWaitEvent", &[all.other, all.event, 0])
    };
    assert_eq!(in_capture(true, GLOBAL, merged), (902, 901));
    let again = |all: &mut Streams, s| all.host.call("cudaStreamBeginCapture", &[s, GLOBAL]);
    assert_eq!(in_capture(true, GLOBAL, again), (401, 0));
    let mut all = streams();
    assert_eq!(all.host.call("cudaStreamEndCapture", &[all.blocking, all.graph]), 401);
}

#[test]
fn a_capture_says_what_comes_next_and_is_led_elsewhere() {
    let mut all = streams();
    let s = all.blocking;
    all.host.ok("cudaStreamBeginCapture", &[s, GLOBAL]);
    all.host.ok("cudaMemsetAsync", &[all.d, 0, 400, s]);
    let out: Vec<u64> = (0..5).map(|_| all.host.variable(&[0; 8])).collect();
    all.host.ok("cudaStreamGetCaptureInfo", &[s, out[0], out[1], out[2], out[3], 0, out[4]]);
    assert_eq!((all.host.int(out[0]), all.host.word(out[4])), (1, 1));
    let (graph, list) = (all.host.word(out[2]), all.host.word(out[3]));
    let first = all.host.word(list);
    let node = all.host.made("cudaGraphAddEmptyNode", &[graph, list, 1]);
    let next = all.host.words(&[node]);
    all.host.ok("cudaStreamUpdateCaptureDependencies", &[s, next, 0, 1, 1]);
    all.host.ok("cudaMemsetAsync", &[all.d, 1, 400, s]);
    all.host.ok("cudaStreamEndCapture", &[s, all.graph]);
    assert_eq!(all.host.word(all.graph), graph);
    let (nodes, count) = (all.host.variable(&[0; 24]), all.host.words(&[3]));
    all.host.ok("cudaGraphGetNodes", &[graph, nodes, count]);
    let last = all.host.word(nodes + 16);
    all.host.ok("cudaGraphNodeGetDependencies", &[last, nodes, 0, count]);
    assert_eq!((all.host.word(count), all.host.word(nodes)), (1, node));
    assert_ne!(first, node);
}
