//! The first program of every course, and the errors that it may meet.

use super::host::Host;
use crate::api::{Kind, Status};

/// `c[i] = a[i] + b[i]` for `i < n`.
pub(super) const SUM: &str = "
.version 8.0
.target sm_90
.address_size 64
.visible .entry sum(.param .u64 a, .param .u64 b, .param .u64 c, .param .u32 n)
{
    .reg .pred %p<2>; .reg .b32 %r<9>; .reg .b64 %rd<9>;
    ld.param.u64 %rd1, [a]; ld.param.u64 %rd2, [b]; ld.param.u64 %rd3, [c]; ld.param.u32 %r1, [n];
    mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mov.u32 %r4, %tid.x;
    mad.lo.s32 %r5, %r2, %r3, %r4;
    setp.ge.s32 %p1, %r5, %r1;
    @%p1 ret;
    mul.wide.s32 %rd4, %r5, 4;
    add.s64 %rd5, %rd1, %rd4; add.s64 %rd6, %rd2, %rd4; add.s64 %rd7, %rd3, %rd4;
    ld.global.u32 %r6, [%rd5]; ld.global.u32 %r7, [%rd6];
    add.s32 %r8, %r6, %r7;
    st.global.u32 [%rd7], %r8;
    ret;
}
";

/// Arguments of the kernel.
pub(super) fn arguments(a: u64, b: u64, c: u64, n: i32) -> [Vec<u8>; 4] {
    [a.to_le_bytes().to_vec(), b.to_le_bytes().to_vec(), c.to_le_bytes().to_vec(), n.to_le_bytes().to_vec()]
}

/// Launches the kernel.
pub(super) fn sum(host: &mut Host, a: u64, b: u64, c: u64, n: i32, stream: u64) -> u64 {
    let arguments = arguments(a, b, c, n);
    let arguments: Vec<&[u8]> = arguments.iter().map(Vec::as_slice).collect();
    host.launch_on(1, [n.unsigned_abs().div_ceil(64).max(1), 64], stream, &arguments)
}

#[test]
fn a_vector_sum_gives_the_sums_and_nothing_to_say() {
    let mut host = Host::new(SUM, &["sum"], &[]);
    let n = 1000;
    let bytes = 4 * n;
    let [a, b, c] = [0; 3].map(|_| host.malloc(bytes));
    host.put_ints(a, 0..1000);
    host.put_ints(b, (0..1000).map(|i| 2 * i));
    let [d_a, d_b, d_c] = [0; 3].map(|_| host.made("cudaMalloc", &[bytes]));
    host.ok("cudaMemcpy", &[d_a, a, bytes, 1]);
    host.ok("cudaMemcpy", &[d_b, b, bytes, 1]);
    assert_eq!(sum(&mut host, d_a, d_b, d_c, 1000, 0), 0);
    assert_eq!(host.call("cudaGetLastError", &[]), 0);
    host.ok("cudaDeviceSynchronize", &[]);
    host.ok("cudaMemcpy", &[c, d_c, bytes, 2]);
    assert_eq!(host.ints(c, 1000), (0..1000).map(|i| 3 * i).collect::<Vec<_>>());
    for d in [d_a, d_b, d_c] {
        host.ok("cudaFree", &[d]);
    }
    host.api.end();
    host.api.leaks();
    assert_eq!(host.api.findings(), []);
    let calls: Vec<_> =
        host.api.profile().calls().iter().map(|(name, row)| (name.to_string(), row.calls)).collect();
    assert!(calls.contains(&("cudaMemcpy".to_owned(), 3)), "{calls:?}");
    let activities = host.api.profile().activities();
    assert!(activities.iter().any(|(name, row)| *name == "sum" && row.calls == 1 && row.min_ns > 1000.0));
}

#[test]
fn after_an_illegal_address_a_launch_succeeds_and_every_later_call_returns_700() {
    let mut host = Host::new(SUM, &["sum"], &[]);
    let d = host.made("cudaMalloc", &[400]);
    host.ok("cudaMemset", &[d, 0, 400]);
    assert_eq!(sum(&mut host, d, d, d, 1000, 0), 0);
    assert_eq!(host.call("cudaGetLastError", &[]), 0);
    assert_eq!(host.call("cudaDeviceSynchronize", &[]), 700);
    assert_eq!(host.call("cudaGetLastError", &[]), 700);
    assert_eq!(host.call("cudaGetLastError", &[]), 0);
    for _ in 0..2 {
        assert_eq!(host.call("cudaFree", &[d]), 700);
        assert_eq!(host.call("cudaMalloc", &[0x8000, 4]), 700);
    }
    assert_eq!(host.call("cudaPeekAtLastError", &[]), 700);
    assert!(
        matches!(host.kinds()[0], Kind::Fault { fault, .. } if fault.address == Some(d + 400)),
        "{:?}",
        host.kinds()
    );
}

#[test]
fn every_bad_shape_is_an_invalid_value() {
    let mut host = Host::new(SUM, &["sum"], &[]);
    let arguments = arguments(0, 0, 0, 0);
    let arguments: Vec<&[u8]> = arguments.iter().map(Vec::as_slice).collect();
    for shape in [[0, 64], [1, 0], [1, 2000], [1 << 31, 64]] {
        assert_eq!(host.launch(1, shape, &arguments), u64::from(Status::INVALID_VALUE.0), "{shape:?}");
        assert_eq!(host.call("cudaGetLastError", &[]), 1);
        assert_eq!(host.call("cudaGetLastError", &[]), 0);
    }
    assert_eq!(host.launch(9, [1, 1], &arguments), 98);
    assert!(matches!(host.kinds()[0], Kind::LaunchFailed { status: Status::INVALID_VALUE, .. }));
}
