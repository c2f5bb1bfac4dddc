//! Copies and memory that is set: what goes where, which kinds there are, and where memory ends.

use super::host::Host;
use super::vector_sum::{SUM, sum};
use crate::api::{Certainty, CopyKind, End, Kind, Status, What, words};

fn host() -> Host {
    Host::new(SUM, &["sum"], &[])
}

#[test]
fn bytes_go_to_the_device_and_back_in_any_kind_that_fits() {
    let mut host = host();
    let (a, b) = (host.malloc(64), host.malloc(64));
    host.put_ints(a, 0..16);
    let (d, e) = (host.made("cudaMalloc", &[64]), host.made("cudaMalloc", &[64]));
    host.ok("cudaMemcpy", &[d, a, 64, 4]);
    host.ok("cudaMemcpy", &[e, d, 64, 3]);
    host.ok("cudaMemset", &[e + 4, 0xff, 8]);
    host.ok("cudaMemcpy", &[b, e, 64, 4]);
    assert_eq!(host.ints(b, 5), [0, -1, -1, 3, 4]);
    host.ok("cudaMemcpy", &[b, a, 64, 0]);
    assert_eq!(host.ints(b, 3), [0, 1, 2]);
    // Nothing is copied from or to anywhere.
    host.ok("cudaMemcpy", &[0, 0, 0, 1]);
    assert_eq!(host.api.findings(), []);
}

#[test]
fn a_kind_that_is_not_that_of_the_pointers_is_reported_with_the_right_one() {
    let mut host = host();
    let (h, d) = (host.malloc(64), host.made("cudaMalloc", &[64]));
    assert_eq!(host.call("cudaMemcpy", &[h, d, 64, 1]), 1);
    assert_eq!(host.call("cudaMemcpy", &[d, h, 64, 3]), 1);
    assert_eq!(host.call("cudaMemcpy", &[d, h, 64, 9]), 21);
    let (device, back) = (CopyKind::HostToDevice, CopyKind::DeviceToHost);
    let wrong = |given, is, exchanged| Kind::WrongKind { given, is, exchanged, variable: None };
    assert_eq!(host.kinds()[0], &wrong(device, back, true));
    assert_eq!(host.kinds()[1], &wrong(CopyKind::DeviceToDevice, device, false));
    let first = words::sentence(&host.api.findings()[0]);
    assert!(first.contains("exchanged") && first.contains("cudaMemcpyHostToDevice"), "{first}");
}

#[test]
fn pinned_memory_is_copied_whatever_the_kind_and_the_mistake_is_reported() {
    let mut host = host();
    let (p, d) = (host.made("cudaMallocHost", &[64]), host.made("cudaMalloc", &[64]));
    host.ok("cudaMemset", &[d, 1, 64]);
    host.ok("cudaMemcpy", &[p, d, 64, 1]);
    assert_eq!(host.int(p), 0x0101_0101);
    assert!(matches!(host.kinds()[..], [Kind::WrongKind { exchanged: true, .. }]), "{:?}", host.kinds());
}

#[test]
fn a_copy_beyond_an_allocation_says_how_large_that_is_and_where_it_was_made() {
    let mut host = host();
    let h = host.malloc(400);
    let d = host.made("cudaMalloc", &[100]);
    let made = host.memory.site;
    assert_eq!(host.call("cudaMemcpy", &[d, h, 400, 1]), 1);
    let Kind::Beyond { end: Some(End::Destination), offset: 0, bytes: 400, memory, element: Some(4) } =
        host.kinds()[0]
    else {
        panic!("{:?}", host.kinds())
    };
    assert_eq!(
        (memory.bytes, memory.allocated, &memory.what),
        (100, Some(made), &What::Device("cudaMalloc"))
    );
    let text = words::sentence(&host.api.findings()[0]);
    assert_eq!(
        text,
        "`cudaMemcpy` writes 400 bytes of device memory of 100 bytes from `cudaMalloc`: that is 4 times its \
         size; was the `sizeof` of its elements left out where it was allocated?"
    );
    assert_eq!(words::notes(&host.api.findings()[0]), [("it was allocated here".to_owned(), Some(made))]);
    // A block of the host's heap, too, which the host reads all the same.
    let small = host.malloc(40);
    host.ok("cudaMemcpy", &[d, small, 44, 1]);
    assert!(matches!(host.kinds()[1], Kind::Beyond { end: Some(End::Source), bytes: 44, .. }));
    assert_eq!(host.call("cudaMemcpy", &[small, d, 44, 2]), 1);
    assert_eq!(host.call("cudaMemset", &[d + 99, 0, 2]), 1);
    assert!(matches!(host.kinds()[3], Kind::Beyond { end: None, offset: 99, bytes: 2, .. }));
}

#[test]
fn pointers_of_the_wrong_side_and_null_pointers_are_refused() {
    let mut host = host();
    let h = host.malloc(64);
    assert_eq!(host.call("cudaMemset", &[h, 0, 64]), 1);
    assert!(matches!(host.kinds()[0], Kind::HostPointerOnDevice { memory, .. } if memory.what == What::Heap));
    assert_eq!(host.call("cudaMemcpy", &[0, h, 64, 1]), 1);
    assert_eq!(host.call("cudaMalloc", &[0, 64]), 1);
    assert!(matches!(host.kinds()[2], Kind::BadArgument { parameter: "devPtr", .. }));
    let d = host.made("cudaMalloc", &[64]);
    let site = host.memory.site;
    let found = host.api.explain_access(d + 8, site, &host.memory).unwrap();
    assert!(
        matches!(&found.kind, Kind::DevicePointerOnHost { parameter: "", address, .. } if *address == d + 8)
    );
    assert!(host.api.explain_access(h, site, &host.memory).is_none());
    host.ok("cudaFree", &[d]);
    let found = host.api.explain_access(d + 8, site, &host.memory).unwrap();
    assert!(crate::api::words::sentence(found).starts_with("the host uses device memory of 64 bytes"));
}

#[test]
fn more_memory_than_there_is_is_an_error_that_says_how_much_there_is() {
    let mut host = host();
    assert_eq!(host.call("cudaMalloc", &[0x8000, 1 << 52]), u64::from(Status::MEMORY_ALLOCATION.0));
    assert!(matches!(host.kinds()[0], Kind::TooLarge { bytes: 4_503_599_627_370_496, .. }));
    assert_eq!(host.call("cudaMalloc", &[0x8000, u64::MAX]), 2);
    let text = crate::api::words::sentence(&host.api.findings()[1]);
    assert!(text.contains("with a sign that is -1"), "{text}");
    host.ok("cudaMalloc", &[0x8000, 0]);
    assert_eq!(host.word(0x8000), 0);
    let (free, total) = (host.variable(&[0; 8]), host.variable(&[0; 8]));
    host.made("cudaMalloc", &[1 << 20]);
    host.ok("cudaMemGetInfo", &[free, total]);
    assert_eq!(host.word(total) - host.word(free), 1 << 20);
}

#[test]
fn errors_that_are_never_looked_at_are_reported_at_the_end_and_others_are_not() {
    let mut host = host();
    host.call("cudaMalloc", &[0x8000, u64::MAX]);
    host.call("cudaMemset", &[0x8000, 0, 8]);
    host.api.end();
    let last = host.api.findings().last().unwrap();
    assert_eq!(last.kind, Kind::Unchecked { calls: 2, status: Status::MEMORY_ALLOCATION });
    assert_eq!((last.call.as_str(), last.certainty), ("cudaMalloc", Certainty::Error));

    let mut host = self::host();
    let error = host.call("cudaMalloc", &[0x8000, u64::MAX]);
    let text = host.call("cudaGetErrorString", &[error]);
    let bytes = crate::guest::Guest::read_text(&host.memory, text).unwrap();
    assert_eq!(String::from_utf8(bytes).unwrap(), "out of memory");
    assert_eq!(host.call("cudaGetErrorString", &[error]), text);
    host.api.end();
    assert!(matches!(host.kinds()[..], [Kind::TooLarge { .. }]));
}

#[test]
fn a_size_in_elements_is_named_once_a_kernel_reads_the_rest_and_a_part_that_is_meant_is_not() {
    // Of 103 bytes, the last are a part of an element.
    for (n, bytes, element) in [(100_u8, 100, Some(4)), (103, 103, Some(4)), (100, 8, None)] {
        let floats = 4 * u64::from(n);
        let mut host = host();
        let (h, d, out) =
            (host.malloc(floats), host.made("cudaMalloc", &[floats]), host.made("cudaMalloc", &[floats]));
        host.ok("cudaMemcpy", &[d, h, bytes, 1]);
        let copied = host.memory.site;
        sum(&mut host, d, d, out, i32::from(n), 0);
        let found = &host.api.findings()[0];
        assert_eq!((found.site, found.call.as_str()), (copied, "cudaMemcpy"));
        assert!(matches!(found.kind, Kind::SizeInElements { element: of, .. } if of == element), "{found:?}");
    }
    let mut host = host();
    let (h, d) = (host.malloc(400), host.made("cudaMalloc", &[400]));
    host.ok("cudaMemcpy", &[d, h, 100, 1]);
    sum(&mut host, d, d, d, 25, 0);
    host.ok("cudaDeviceSynchronize", &[]);
    assert_eq!(host.api.findings(), []);
}
