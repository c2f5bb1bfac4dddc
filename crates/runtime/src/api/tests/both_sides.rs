//! Managed and pinned memory: one address, two sides.

use super::host::Host;
use super::vector_sum::{SUM, sum};
use crate::api::Kind;

fn host() -> Host {
    Host::new(SUM, &["sum"], &[])
}

#[test]
fn a_kernel_and_the_host_use_managed_memory_by_the_same_address() {
    let mut host = host();
    let [a, b, c] = [0; 3].map(|_| host.made("cudaMallocManaged", &[400, 1]));
    assert!(a < 1 << 32 && host.int(a) == 0);
    host.put_ints(a, 0..100);
    host.put_ints(b, (0..100).map(|i| 10 * i));
    sum(&mut host, a, b, c, 100, 0);
    // As on a GPU, the host sees it once it has waited.
    assert_eq!(host.int(c + 4), 0);
    host.ok("cudaDeviceSynchronize", &[]);
    assert_eq!(host.ints(c, 100), (0..100).map(|i| 11 * i).collect::<Vec<_>>());
    // What the host changes, the next kernel sees, and what a kernel made, too, without the host waiting.
    host.put_ints(a, [1000]);
    sum(&mut host, a, b, c, 100, 0);
    sum(&mut host, c, c, a, 100, 0);
    host.ok("cudaStreamSynchronize", &[0]);
    assert_eq!(host.ints(a, 3), [2000, 22, 44]);
    assert_eq!(host.ints(c, 2), [1000, 11]);
    host.ok("cudaFree", &[a]);
    host.api.end();
    assert_eq!(host.api.findings(), []);
}

#[test]
fn copies_see_what_kernels_left_in_managed_memory() {
    let mut host = host();
    let [a, c] = [0; 2].map(|_| host.made("cudaMallocManaged", &[400, 1]));
    let d = host.made("cudaMalloc", &[400]);
    host.put_ints(a, 0..100);
    sum(&mut host, a, a, c, 100, 0);
    host.ok("cudaMemcpyAsync", &[d, c, 400, 3, 0]);
    host.ok("cudaMemset", &[c, 0, 400]);
    let h = host.malloc(400);
    host.ok("cudaMemcpy", &[h, d, 400, 2]);
    assert_eq!(host.ints(h, 100), (0..100).map(|i| 2 * i).collect::<Vec<_>>());
    assert_eq!(host.ints(c, 2), [0, 0]);
    assert_eq!(host.api.findings(), []);
}

#[test]
fn the_host_that_writes_to_managed_memory_too_early_is_reported_and_keeps_what_it_wrote() {
    let mut host = host();
    let a = host.made("cudaMallocManaged", &[400, 1]);
    sum(&mut host, a, a, a, 100, 0);
    let launched = host.memory.site;
    host.put_ints(a, [5]);
    host.ok("cudaDeviceSynchronize", &[]);
    assert_eq!(host.int(a), 5);
    let Kind::Unordered { first, second, .. } = host.kinds()[0] else { panic!("{:?}", host.kinds()) };
    assert_eq!((first.site, second.by.as_str(), second.writes), (launched, "", true));
}

#[test]
fn a_kernel_reaches_pinned_memory_and_registered_memory() {
    let mut host = host();
    let p = host.made("cudaHostAlloc", &[400, 2]);
    let h = host.malloc(400);
    host.ok("cudaHostRegister", &[h, 400, 0]);
    assert_eq!(host.call("cudaHostRegister", &[h, 400, 0]), 712);
    host.put_ints(p, 0..100);
    let d_p = host.made("cudaHostGetDevicePointer", &[p, 0]);
    assert_eq!(d_p, p);
    sum(&mut host, d_p, d_p, h, 100, 0);
    host.ok("cudaDeviceSynchronize", &[]);
    assert_eq!(host.ints(h, 100), (0..100).map(|i| 2 * i).collect::<Vec<_>>());
    host.ok("cudaHostUnregister", &[h]);
    assert_eq!(host.call("cudaHostUnregister", &[h]), 713);
    host.ok("cudaFreeHost", &[p]);
    assert_eq!(host.api.findings(), []);
}

#[test]
fn pointers_say_what_they_are() {
    let mut host = host();
    let (d, h) = (host.made("cudaMalloc", &[64]), host.malloc(64));
    let (p, m) = (host.made("cudaMallocHost", &[64]), host.made("cudaMallocManaged", &[64, 1]));
    let to = host.variable(&[0xff; 88]);
    for (pointer, kind, device, on_device, on_host) in
        [(d, 2, 0, d, 0), (h, 0, -2, 0, 0), (p, 1, 0, p, p), (m + 8, 3, 0, m + 8, m + 8)]
    {
        host.ok("cudaPointerGetAttributes", &[to, pointer]);
        assert_eq!((host.int(to), host.int(to + 4)), (kind, device));
        assert_eq!((host.word(to + 8), host.word(to + 16), host.word(to + 80)), (on_device, on_host, 0));
    }
}

#[test]
fn time_passes_for_a_host_that_never_waits() {
    let mut host = host();
    let c = host.made("cudaMallocManaged", &[4, 1]);
    host.put_ints(c, [21]);
    sum(&mut host, c, c, c, 1, 0);
    assert_eq!(host.int(c), 21);
    host.api.progress(&mut host.memory).unwrap();
    assert_eq!(host.int(c), 42);
}

#[test]
fn the_host_may_write_to_managed_memory_that_the_kernel_does_not_use() {
    let mut host = host();
    let [a, other] = [0; 2].map(|_| host.made("cudaMallocManaged", &[800, 1]));
    sum(&mut host, a, a, a, 100, 0);
    host.put_ints(other, [5]);
    host.put_ints(a + 400, [6]);
    host.ok("cudaDeviceSynchronize", &[]);
    assert_eq!((host.int(other), host.int(a + 400)), (5, 6));
    assert_eq!(host.api.findings(), []);
}

#[test]
fn an_access_of_the_program_itself_that_comes_too_early_is_found() {
    let mut host = host();
    let a = host.made("cudaMallocManaged", &[800, 1]);
    let (p, d) = (host.made("cudaMallocHost", &[400]), host.made("cudaMalloc", &[400]));
    host.put_ints(a, 0..100);
    let s = host.made("cudaStreamCreate", &[]);
    sum(&mut host, a, a, a, 100, s);
    host.ok("cudaMemsetAsync", &[d, 0, 400, s]);
    host.ok("cudaMemcpyAsync", &[p, d, 400, 2, s]);
    let site = host.memory.site;
    for (address, writes, early) in [
        (a, false, false), // 0 + 0 is what was there
        (a + 4, false, true),
        (a + 4, true, true),
        (a + 400, true, false),
        (p + 396, false, true),
        (p + 400, false, false),
        (d, false, false),
    ] {
        let found = host.api.host_access(address, 4, writes, site).is_some();
        assert_eq!(found, early, "{:#x} {writes}", address);
    }
    host.ok("cudaStreamSynchronize", &[s]);
    assert!(
        host.api.host_access(a, 4, true, site).is_none() && host.api.host_access(p, 4, false, site).is_none()
    );
}
