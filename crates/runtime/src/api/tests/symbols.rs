//! Variables of the device, as the host names them.

use super::host::Host;
use crate::api::{Kind, What, words};

/// `out[i] = coef[i] + shift`.
const PTX: &str = "
.version 8.0
.target sm_90
.address_size 64
.const .align 4 .b8 coef[20];
.visible .global .align 4 .u32 shift = 7;
.visible .entry add(.param .u64 out)
{
    .reg .b32 %r<5>; .reg .b64 %rd<6>;
    ld.param.u64 %rd1, [out];
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %rd2, %r1, 4;
    mov.u64 %rd3, coef;
    add.s64 %rd4, %rd3, %rd2;
    ld.const.u32 %r2, [%rd4];
    ld.global.u32 %r3, [shift];
    add.s32 %r4, %r2, %r3;
    add.s64 %rd5, %rd1, %rd2;
    st.global.u32 [%rd5], %r4;
    ret;
}
";
/// What the host has in the places of the variables.
const COEF: u64 = 0x1000;
const SHIFT: u64 = 0x1020;

fn host() -> Host {
    Host::new(PTX, &["add"], &[("coef", 20), ("shift", 4)])
}

#[test]
fn a_symbol_is_written_at_an_offset_read_back_and_seen_by_kernels() {
    let mut host = host();
    let h = host.malloc(20);
    host.put_ints(h, 1..6);
    host.ok("cudaMemcpyToSymbol", &[COEF, h, 20, 0, 1]);
    host.ok("cudaMemcpyToSymbol", &[COEF, h, 8, 12, 1]);
    let one = host.variable(&100i32.to_le_bytes());
    host.ok("cudaMemcpyToSymbol", &[SHIFT, one, 4, 0, 1]);
    let d = host.made("cudaMalloc", &[20]);
    host.launch(1, [1, 5], &[&d.to_le_bytes()]);
    let back = host.malloc(20);
    host.ok("cudaMemcpy", &[back, d, 20, 2]);
    assert_eq!(host.ints(back, 5), [101, 102, 103, 101, 102]);
    host.ok("cudaMemcpyFromSymbol", &[back, COEF, 8, 4, 2]);
    assert_eq!(host.ints(back, 3), [2, 3, 103]);
    let address = host.made("cudaGetSymbolAddress", &[SHIFT]);
    host.ok("cudaMemcpy", &[back, address, 4, 2]);
    assert_eq!(host.int(back), 100);
    assert_eq!(host.made("cudaGetSymbolSize", &[COEF]), 20);
    host.api.end();
    assert_eq!(host.api.findings(), []);
}

#[test]
fn what_is_not_a_symbol_is_error_13_and_a_name_in_quotes_is_named() {
    let mut host = host();
    let h = host.malloc(20);
    let name = host.variable(b"coef\0");
    assert_eq!(host.call("cudaMemcpyToSymbol", &[name, h, 20, 0, 1]), 13);
    assert!(matches!(host.kinds()[0], Kind::NotASymbol { text: Some(text), .. } if text == "coef"));
    assert!(words::sentence(&host.api.findings()[0]).contains("variable `coef` itself"));
    let d = host.made("cudaMalloc", &[20]);
    assert_eq!(host.call("cudaMemcpyToSymbol", &[d, h, 20, 0, 1]), 13);
    assert_eq!(host.call("cudaGetSymbolAddress", &[0x8000, h]), 13);
    assert!(
        matches!(host.kinds()[2], Kind::NotASymbol { text: None, memory, .. } if memory.what == What::Heap)
    );
}

#[test]
fn a_copy_beyond_a_symbol_and_the_wrong_direction_are_refused() {
    let mut host = host();
    let h = host.malloc(80);
    assert_eq!(host.call("cudaMemcpyToSymbol", &[COEF, h, 80, 0, 1]), 1);
    let Kind::Beyond { bytes: 80, memory, .. } = host.kinds()[0] else { panic!("{:?}", host.kinds()) };
    assert_eq!((&memory.what, memory.bytes), (&What::Symbol("coef".to_owned()), 20));
    assert_eq!(host.call("cudaMemcpyToSymbol", &[COEF, h, 20, 4, 1]), 1);
    assert_eq!(host.call("cudaMemcpyToSymbol", &[COEF, h, 20, 0, 2]), 21);
    // The shadow of a variable is the host's own memory.
    assert_eq!(host.call("cudaMemcpy", &[COEF, h, 20, 1]), 1);
    assert!(matches!(host.kinds().last(), Some(Kind::WrongKind { .. })));
}

#[test]
fn a_constant_that_nothing_has_set_is_found_where_a_kernel_reads_it() {
    let mut host = host();
    let d = host.made("cudaMalloc", &[20]);
    host.launch(1, [1, 5], &[&d.to_le_bytes()]);
    host.ok("cudaDeviceSynchronize", &[]);
    let Kind::Fault { fault, .. } = host.kinds()[0] else { panic!("{:?}", host.kinds()) };
    assert_eq!(fault.kind, device::FaultKind::UninitialisedRead);
}

#[test]
fn a_constant_that_is_overwritten_under_a_running_kernel_is_reported_unless_the_stream_orders_it() {
    for ordered in [false, true] {
        let mut host = host();
        let p = host.made("cudaMallocHost", &[20]);
        host.ok("cudaMemcpyToSymbol", &[COEF, p, 20, 0, 1]);
        let d = host.made("cudaMalloc", &[20]);
        let [a, b] = [0; 2].map(|_| host.made("cudaStreamCreateWithFlags", &[1]));
        host.launch_on(1, [1, 5], a, &[&d.to_le_bytes()]);
        host.ok("cudaMemcpyToSymbolAsync", &[COEF, p, 20, 0, 1, if ordered { a } else { b }]);
        match host.kinds()[..] {
            [] => assert!(ordered),
            [Kind::Unordered { memory, first, .. }] => {
                assert!(!ordered && memory.what == What::Symbol("coef".to_owned()) && first.by == "add");
            }
            ref other => panic!("{other:?}"),
        }
    }
}
