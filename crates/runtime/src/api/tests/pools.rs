//! Memory that streams allocate, pools, and attributes of streams.

use super::host::Host;
use super::vector_sum::{SUM, sum};
use crate::api::Kind;

fn host() -> Host {
    Host::new(SUM, &["sum"], &[])
}

#[test]
fn what_another_stream_does_with_memory_has_to_come_after_its_allocation() {
    for ordered in [true, false] {
        let mut host = host();
        let [s, t] = [0; 2].map(|_| host.made("cudaStreamCreateWithFlags", &[1]));
        let d = host.made("cudaMallocAsync", &[400, s]);
        let place = host.memory.site;
        if ordered {
            let event = host.made("cudaEventCreate", &[]);
            host.ok("cudaEventRecord", &[event, s]);
            host.ok("cudaStreamWaitEvent", &[t, event, 0]);
        }
        host.ok("cudaMemsetAsync", &[d, 0, 400, t]);
        match host.kinds()[..] {
            [] => assert!(ordered),
            [Kind::Unordered { first, .. }] => assert!(!ordered && first.site == place),
            ref other => panic!("{other:?}"),
        }
    }
}

#[test]
fn a_pool_counts_what_it_has_and_keeps_what_its_threshold_says() {
    let mut host = host();
    let s = host.made("cudaStreamCreate", &[]);
    let pool = host.made("cudaDeviceGetDefaultMemPool", &[0]);
    let value = host.variable(&[0; 8]);
    let attribute = |host: &mut Host, attribute| {
        host.ok("cudaMemPoolGetAttribute", &[pool, attribute, value]);
        host.word(value)
    };
    let d = host.made("cudaMallocAsync", &[1 << 20, s]);
    assert_eq!((attribute(&mut host, 7), attribute(&mut host, 5)), (1 << 20, 32 << 20));
    host.ok("cudaFreeAsync", &[d, s]);
    assert_eq!((attribute(&mut host, 7), attribute(&mut host, 8)), (0, 1 << 20));
    let threshold = host.words(&[u64::MAX]);
    host.ok("cudaMemPoolSetAttribute", &[pool, 4, threshold]);
    host.ok("cudaStreamSynchronize", &[s]);
    assert_eq!(attribute(&mut host, 5), 32 << 20);
    host.ok("cudaMemPoolTrimTo", &[pool, 0]);
    assert_eq!(attribute(&mut host, 5), 0);
}

#[test]
fn a_pool_of_the_programs_own_is_used_until_it_is_destroyed() {
    let mut host = host();
    let s = host.made("cudaStreamCreate", &[]);
    let properties = host.words(&[1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    let pool = host.made("cudaMemPoolCreate", &[properties]);
    host.ok("cudaDeviceSetMemPool", &[0, pool]);
    assert_eq!(host.made("cudaDeviceGetMemPool", &[0]), pool);
    let a = host.made("cudaMallocAsync", &[400, s]);
    let b = host.made("cudaMallocFromPoolAsync", &[400, pool, s]);
    host.ok("cudaMemsetAsync", &[a, 0, 400, s]);
    sum(&mut host, a, a, b, 100, s);
    host.ok("cudaFreeAsync", &[a, s]);
    host.ok("cudaFree", &[b]);
    host.ok("cudaMemPoolDestroy", &[pool]);
    assert_eq!(host.api.findings(), []);
    let to = host.variable(&[0; 8]);
    assert_eq!(host.call("cudaMallocFromPoolAsync", &[to, 400, pool, s]), 1);
    assert_eq!(host.call("cudaMemPoolCreate", &[to, to]), 1);
}

#[test]
fn a_window_of_the_second_cache_is_one_that_the_chip_takes() {
    let mut host = host();
    let s = host.made("cudaStreamCreate", &[]);
    let window = |bytes: u64, ratio: f32, miss: u64| {
        [0x1000, bytes, u64::from(ratio.to_bits()) | 2 << 32, miss, 0, 0, 0, 0]
    };
    let value = host.words(&window(1 << 20, 0.5, 1));
    host.ok("cudaStreamSetAttribute", &[s, 1, value]);
    let got = host.variable(&[0; 64]);
    host.ok("cudaStreamGetAttribute", &[s, 1, got]);
    assert_eq!((host.word(got + 8), host.word(got + 16)), (1 << 20, host.word(value + 16)));
    for bad in [window(1, 1.5, 1), window(1, 0.5, 2)] {
        let value = host.words(&bad);
        assert_eq!(host.call("cudaStreamSetAttribute", &[s, 1, value]), 1);
    }
    assert_eq!(host.call("cudaStreamSetAttribute", &[s, 99, value]), 1);
    host.ok("cudaCtxResetPersistingL2Cache", &[]);
}
