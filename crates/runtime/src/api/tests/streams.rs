//! Streams and events: order, times, and what nothing orders.

use super::host::Host;
use super::vector_sum::{SUM, sum};
use crate::api::{Certainty, Kind};

fn host() -> Host {
    Host::new(SUM, &["sum"], &[])
}

/// A stream that does not wait for the default one.
fn stream(host: &mut Host) -> u64 {
    host.made("cudaStreamCreateWithFlags", &[1])
}

#[test]
fn events_measure_what_is_between_them() {
    let mut host = host();
    let d = host.made("cudaMalloc", &[400]);
    host.ok("cudaMemset", &[d, 0, 400]);
    let [start, stop] = [0; 2].map(|_| host.made("cudaEventCreate", &[]));
    let ms = host.variable(&[0; 8]);
    assert_eq!(host.call("cudaEventElapsedTime", &[ms, start, stop]), 400);
    host.ok("cudaEventRecord", &[start, 0]);
    sum(&mut host, d, d, d, 100, 0);
    host.ok("cudaEventRecord", &[stop, 0]);
    assert_eq!(host.call("cudaEventElapsedTime", &[ms, start, stop]), 600);
    host.ok("cudaEventSynchronize", &[stop]);
    host.ok("cudaEventElapsedTime", &[ms, start, stop]);
    let measured = f32::from_bits(host.word(ms) as u32);
    let kernel = host.api.profile().activities().iter().find(|(name, _)| *name == "sum").unwrap().1.total_ns;
    assert!((f64::from(measured) * 1e6 - kernel).abs() < 1.0, "{measured} {kernel}");
    host.ok("cudaEventDestroy", &[start]);
    assert_eq!(host.call("cudaEventRecord", &[start, 0]), 400);
    assert!(matches!(host.kinds().last(), Some(Kind::BadHandle { what: "event", destroyed: Some(_) })));
}

#[test]
fn a_stream_is_not_ready_until_it_is_and_a_host_that_asks_sees_it() {
    let mut host = host();
    let s = stream(&mut host);
    let d = host.made("cudaMallocAsync", &[400, s]);
    host.ok("cudaMemsetAsync", &[d, 0, 400, s]);
    sum(&mut host, d, d, d, 100, s);
    assert_eq!(host.call("cudaStreamQuery", &[s]), 600);
    let asked = (0..1000).take_while(|_| host.call("cudaStreamQuery", &[s]) == 600).count();
    assert!(asked < 999);
    host.ok("cudaStreamQuery", &[s]);
    host.ok("cudaFreeAsync", &[d, s]);
    host.ok("cudaStreamDestroy", &[s]);
    assert_eq!(host.call("cudaStreamSynchronize", &[s]), 400);
    assert_eq!(host.call("cudaStreamSynchronize", &[12345]), 400);
    let kinds = host.kinds();
    assert!(matches!(
        kinds[..],
        [Kind::BadHandle { destroyed: Some(_), .. }, Kind::BadHandle { destroyed: None, .. }]
    ));
}

#[test]
fn pieces_on_two_streams_are_copied_and_summed_and_nothing_is_reported() {
    let mut host = host();
    let p = host.made("cudaMallocHost", &[800]);
    host.put_ints(p, 0..200);
    let d = host.made("cudaMalloc", &[800]);
    let streams = [stream(&mut host), stream(&mut host)];
    for (n, s) in (0..).zip(streams) {
        let at = 400 * n;
        host.ok("cudaMemcpyAsync", &[d + at, p + at, 400, 1, s]);
        sum(&mut host, d + at, d + at, d + at, 100, s);
        host.ok("cudaMemcpyAsync", &[p + at, d + at, 400, 2, s]);
    }
    // Neither is there before the host has waited.
    assert_eq!(host.int(p + 4), 1);
    host.ok("cudaStreamSynchronize", &[streams[0]]);
    assert_eq!(host.ints(p, 3), [0, 2, 4]);
    host.ok("cudaDeviceSynchronize", &[]);
    assert_eq!(host.ints(p, 200), (0..200).map(|i| 2 * i).collect::<Vec<_>>());
    host.api.end();
    assert_eq!(host.api.findings(), []);
}

#[test]
fn two_streams_that_copy_to_the_same_bytes_are_reported_unless_an_event_orders_them() {
    for ordered in [false, true] {
        let mut host = host();
        let (p, d) = (host.made("cudaMallocHost", &[400]), host.made("cudaMalloc", &[400]));
        let [a, b] = [stream(&mut host), stream(&mut host)];
        host.ok("cudaMemcpyAsync", &[d, p, 400, 1, a]);
        let first = host.memory.site;
        let event = host.made("cudaEventCreate", &[]);
        host.ok("cudaEventRecord", &[event, a]);
        if ordered {
            host.ok("cudaStreamWaitEvent", &[b, event, 0]);
        }
        host.ok("cudaMemsetAsync", &[d + 100, 0, 4, b]);
        host.ok("cudaDeviceSynchronize", &[]);
        match host.kinds()[..] {
            [] => assert!(ordered),
            [Kind::Unordered { first: earlier, offset: 100, .. }] => {
                assert!(!ordered && earlier.site == first && earlier.writes);
            }
            ref other => panic!("{other:?}"),
        }
    }
}

#[test]
fn the_default_stream_orders_blocking_streams() {
    let mut host = host();
    let (p, d) = (host.made("cudaMallocHost", &[400]), host.made("cudaMalloc", &[400]));
    let s = host.made("cudaStreamCreate", &[]);
    host.ok("cudaMemcpyAsync", &[d, p, 400, 1, s]);
    host.ok("cudaMemset", &[d, 0, 400]);
    host.ok("cudaMemcpyAsync", &[p, d, 400, 2, s]);
    host.ok("cudaStreamSynchronize", &[s]);
    assert_eq!(host.api.findings(), []);
}

#[test]
fn pinned_memory_that_the_host_changes_under_a_copy_is_reported() {
    let mut host = host();
    let (p, d) = (host.made("cudaMallocHost", &[400]), host.made("cudaMalloc", &[400]));
    let s = stream(&mut host);
    host.ok("cudaMemcpyAsync", &[d, p, 400, 1, s]);
    host.put_ints(p + 40, [7]);
    host.ok("cudaStreamSynchronize", &[s]);
    assert!(
        matches!(host.kinds()[..], [Kind::Unordered { second, .. }] if second.writes),
        "{:?}",
        host.kinds()
    );
}

#[test]
fn a_copy_of_pageable_memory_on_a_stream_is_noted_as_one_that_waits() {
    let mut host = host();
    let (h, d) = (host.malloc(400), host.made("cudaMalloc", &[400]));
    let s = stream(&mut host);
    host.ok("cudaMemcpyAsync", &[d, h, 400, 1, s]);
    host.ok("cudaMemcpyAsync", &[h, d, 400, 2, s]);
    let all = host.api.findings();
    assert!(all.iter().all(|found| found.certainty == Certainty::Note), "{all:?}");
    assert!(matches!(host.kinds()[..], [Kind::PageableAsync { bytes: 400, .. }, Kind::PageableAsync { .. }]));
}

#[test]
fn functions_of_the_host_are_called_when_their_stream_is_there() {
    let mut host = host();
    let c = host.made("cudaMallocManaged", &[4, 1]);
    host.put_ints(c, [21]);
    let s = host.made("cudaStreamCreate", &[]);
    sum(&mut host, c, c, c, 1, s);
    host.ok("cudaLaunchHostFunc", &[s, 77, 5]);
    host.ok("cudaStreamAddCallback", &[s, 78, 6, 0]);
    // What answers the program's calls makes these, one after the other.
    assert_eq!(host.api.begin_callback(&mut host.heap, &mut host.memory).unwrap(), Some((77, vec![5])));
    assert_eq!(host.api.begin_callback(&mut host.heap, &mut host.memory).unwrap(), None);
    assert_eq!(host.int(c), 42);
    assert_eq!(host.call("cudaMalloc", &[c, 4]), 800);
    host.api.end_callback();
    assert_eq!(host.api.begin_callback(&mut host.heap, &mut host.memory).unwrap(), Some((78, vec![s, 0, 6])));
}

#[test]
fn a_timeline_has_what_each_stream_did() {
    let mut host = host();
    let d = host.made("cudaMalloc", &[800]);
    host.ok("cudaMemset", &[d, 0, 800]);
    host.ok("cudaDeviceSynchronize", &[]);
    let streams = [stream(&mut host), stream(&mut host)];
    for (n, s) in (0..).zip(streams) {
        let at = d + 400 * n;
        sum(&mut host, at, at, at, 100, s);
    }
    let (spans, left_out) = host.api.profile().spans();
    let sums: Vec<_> = spans.iter().filter(|span| span.name == "sum").collect();
    assert_eq!((sums.len(), left_out, sums[0].start_ns), (2, 0, sums[1].start_ns));
    assert!(sums[0].stream != sums[1].stream && sums[0].end_ns > sums[0].start_ns);
}

#[test]
fn a_kernel_and_a_copy_to_what_it_reads_are_reported_and_those_of_other_bytes_are_not() {
    for (offset, unordered) in [(0, true), (400, false)] {
        let mut host = host();
        let (p, d) = (host.made("cudaMallocHost", &[400]), host.made("cudaMalloc", &[800]));
        host.ok("cudaMemset", &[d, 0, 800]);
        let [a, b] = [stream(&mut host), stream(&mut host)];
        host.ok("cudaDeviceSynchronize", &[]);
        sum(&mut host, d, d, d, 100, a);
        let launched = host.memory.site;
        host.ok("cudaMemcpyAsync", &[d + offset, p, 400, 1, b]);
        match host.kinds()[..] {
            [] => assert!(!unordered),
            [Kind::Unordered { first, second, offset: 0, .. }] => {
                assert!(unordered && first.site == launched && first.by == "sum" && second.writes);
            }
            ref other => panic!("{other:?}"),
        }
    }
}

#[test]
fn a_copy_that_nothing_waits_for_before_its_memory_is_freed_or_the_program_ends_is_reported() {
    for (waits, frees) in [(false, true), (false, false), (true, true)] {
        let mut host = host();
        let s = stream(&mut host);
        let (p, d) = (host.made("cudaMallocHost", &[400]), host.made("cudaMalloc", &[400]));
        host.ok("cudaMemsetAsync", &[d, 0, 400, s]);
        host.ok("cudaMemcpyAsync", &[p, d, 400, 2, s]);
        let copied = host.memory.site;
        if waits {
            host.ok("cudaStreamSynchronize", &[s]);
        }
        if frees {
            host.ok("cudaFreeHost", &[p]);
        }
        host.api.end();
        match host.api.findings() {
            [] => assert!(waits),
            [found] => {
                let Kind::LostCopy { freed, .. } = &found.kind else { panic!("{found:?}") };
                assert_eq!((found.site, freed.is_some(), waits), (copied, frees, false));
            }
            other => panic!("{other:?}"),
        }
    }
}
