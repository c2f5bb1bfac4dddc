//! The ends of memory: freed again, by the wrong function, used afterwards, forgotten.

use super::host::Host;
use super::vector_sum::{SUM, sum};
use crate::api::Kind;
use crate::heap;

fn host() -> Host {
    Host::new(SUM, &["sum"], &[])
}

#[test]
fn memory_is_freed_once_by_its_own_function_and_from_its_start() {
    let mut host = host();
    let (d, h) = (host.made("cudaMalloc", &[64]), host.malloc(64));
    let p = host.made("cudaMallocHost", &[64]);
    let m = host.made("cudaMallocManaged", &[64, 1]);
    host.ok("cudaFree", &[0]);
    host.ok("cudaFreeHost", &[0]);
    for (name, address) in [
        ("cudaFree", d + 8),
        ("cudaFree", h),
        ("cudaFree", p),
        ("cudaFreeHost", d),
        ("cudaFreeHost", m),
        ("cudaFreeHost", h),
        ("cudaFree", 0x8000),
    ] {
        assert_eq!(host.call(name, &[address]), 1, "{name} {address:#x}");
    }
    let kinds = host.kinds();
    assert!(matches!(kinds[0], Kind::FreedInside { offset: 8, .. }), "{kinds:?}");
    let rights = kinds[1..].iter().map(|kind| match kind {
        Kind::WrongFree { right, .. } => *right,
        other => panic!("{other:?}"),
    });
    let rights: Vec<_> = rights.into_iter().collect();
    assert_eq!(rights, ["free", "cudaFreeHost", "cudaFree", "cudaFree", "free", ""]);
    host.ok("cudaFree", &[d]);
    host.ok("cudaFree", &[m]);
    host.ok("cudaFreeHost", &[p]);
    assert_eq!(host.call("cudaFree", &[d]), 1);
    assert!(matches!(host.kinds().last(), Some(Kind::FreedTwice { memory }) if memory.freed.is_some()));
    let site = host.memory.site;
    assert!(host.api.explain_free(d, "free", site).is_none());
    let d = host.made("cudaMalloc", &[64]);
    assert!(matches!(
        host.api.explain_free(d, "free", site).unwrap().kind,
        Kind::WrongFree { right: "cudaFree", .. }
    ));
}

#[test]
fn memory_that_was_freed_is_named_where_a_copy_or_a_kernel_uses_it() {
    let mut host = host();
    let (d, h) = (host.made("cudaMalloc", &[64]), host.malloc(64));
    host.ok("cudaFree", &[d]);
    assert_eq!(host.call("cudaMemcpy", &[h, d, 64, 2]), 1);
    assert!(matches!(host.kinds()[0], Kind::UseAfterFree { address, .. } if *address == d));
    assert_eq!(sum(&mut host, d, d, d, 1, 0), 0);
    assert_eq!(host.call("cudaDeviceSynchronize", &[]), 700);
    let found: Vec<_> = host.api.findings().iter().filter(|found| found.call == "sum").collect();
    assert!(matches!(found[0].kind, Kind::UseAfterFree { .. }), "{found:?}");
}

#[test]
fn a_pointer_of_the_host_in_a_kernel_is_named() {
    let mut host = host();
    let h = host.malloc(64);
    assert_eq!(sum(&mut host, h, h, h, 1, 0), 0);
    assert_eq!(host.call("cudaMemcpy", &[0x8000, h, 0, 1]), 700);
    let Some(Kind::HostPointerOnDevice { address, memory, .. }) = host.kinds().into_iter().next() else {
        panic!("{:?}", host.kinds())
    };
    assert_eq!((*address, memory.bytes), (h, 64));
}

#[test]
fn memory_that_is_left_is_reported_on_request() {
    let mut host = host();
    let left = host.made("cudaMalloc", &[64]);
    let freed = host.made("cudaMalloc", &[64]);
    host.ok("cudaFree", &[freed]);
    host.api.end();
    assert_eq!(host.api.findings(), []);
    host.api.leaks();
    assert!(matches!(host.kinds()[..], [Kind::Leaked { memory }] if memory.address == left));
    let mut host = self::host();
    host.made("cudaMalloc", &[64]);
    host.ok("cudaDeviceReset", &[]);
    host.api.leaks();
    assert_eq!(host.api.findings(), []);
}

#[test]
fn a_block_of_the_host_heap_that_was_freed_is_named_where_a_copy_uses_it() {
    let mut host = host();
    let (d, h) = (host.made("cudaMalloc", &[64]), host.malloc(64));
    let site = host.memory.site;
    host.heap.free(&mut host.memory, h, heap::Kind::Malloc, site).unwrap().unwrap();
    host.ok("cudaMemcpy", &[d, h, 64, 1]);
    assert!(matches!(host.kinds()[..], [Kind::UseAfterFree { memory, .. }] if memory.freed == Some(site)));
}
