//! Kernels as functions, shared memory, occupancy, and the device's properties.

use super::host::Host;
use super::vector_sum::SUM;
use crate::api::{Kind, words};

/// A kernel that prints and traps, and one that asserts.
const PTX: &str = "
.version 8.0
.target sm_90
.address_size 64
.visible .entry stop() { trap; ret; }
.visible .entry shared() .maxntid 256, 1, 1
{
    .shared .align 4 .b8 buffer[1024];
    .reg .b32 %r<2>;
    mov.u32 %r1, buffer;
    st.shared.u32 [%r1], %r1;
    ret;
}
";

#[test]
fn a_launch_with_much_shared_memory_must_ask_for_it() {
    let mut host = Host::new(PTX, &["stop", "shared"], &[]);
    let dim = host.dim3([1, 1, 1]);
    assert_eq!(host.call("cudaLaunchKernel", &[2, dim, dim, 0, 100_000, 0]), 1);
    let text = words::sentence(&host.api.findings()[0]);
    assert!(text.contains("`shared` was not launched") && text.contains("cudaFuncSetAttribute"), "{text}");
    host.ok("cudaFuncSetAttribute", &[2, 8, 100_000]);
    host.ok("cudaLaunchKernel", &[2, dim, dim, 0, 100_000, 0]);
    assert_eq!(host.call("cudaFuncSetAttribute", &[2, 8, 300_000]), 1);
    assert_eq!(host.call("cudaFuncSetAttribute", &[7, 8, 0]), 98);
    let to = host.variable(&[0xff; 144]);
    host.ok("cudaFuncGetAttributes", &[to, 2]);
    assert_eq!((host.word(to), host.int(to + 24), host.int(to + 44)), (1024, 256, 100_000));
    assert_eq!(host.int(to + 136), 0);
}

#[test]
fn a_launch_that_failed_and_was_never_looked_at_is_reported_at_the_end() {
    let mut host = Host::new(PTX, &["stop", "shared"], &[]);
    assert_eq!(host.launch(2, [1, 512], &[]), 1);
    host.ok("cudaDeviceSynchronize", &[]);
    host.api.end();
    assert!(matches!(host.kinds().last(), Some(Kind::LaunchUnseen { kernel, .. }) if kernel == "shared"));
    // What `cudaLaunchKernel` returns the program may have compared.
    let mut host = Host::new(PTX, &["stop", "shared"], &[]);
    let (dim, wide) = (host.dim3([1, 1, 1]), host.dim3([512, 1, 1]));
    assert_eq!(host.call("cudaLaunchKernel", &[2, dim, wide, 0, 0, 0]), 1);
    host.api.end();
    assert!(matches!(host.kinds()[..], [Kind::LaunchFailed { .. }]));
}

#[test]
fn a_cooperative_launch_has_as_many_blocks_as_there_is_room_for_and_clusters_divide_the_grid() {
    let mut host = Host::new(PTX, &["stop", "shared"], &[]);
    let (many, some, block) = (host.dim3([100_000, 1, 1]), host.dim3([8, 1, 1]), host.dim3([32, 1, 1]));
    assert_eq!(host.call("cudaLaunchCooperativeKernel", &[2, many, block, 0, 0, 0]), 720);
    host.ok("cudaLaunchCooperativeKernel", &[2, some, block, 0, 0, 0]);
    let mut cluster = |blocks: u32| {
        let bytes: Vec<u8> =
            [4, 0, blocks, 1, 1].iter().chain(&[0; 13]).flat_map(|n: &u32| n.to_le_bytes()).collect();
        let attributes = host.variable(&bytes);
        let shape: Vec<u8> = [8u32, 1, 1, 32, 1, 1].iter().flat_map(|n| n.to_le_bytes()).collect();
        let rest: Vec<u8> = [0, 0, attributes, 1].iter().flat_map(|n: &u64| n.to_le_bytes()).collect();
        let config = host.variable(&[shape, rest].concat());
        host.call("cudaLaunchKernelExC", &[config, 2, 0])
    };
    assert_eq!([cluster(4), cluster(3)], [0, 912]);
}

#[test]
fn output_of_a_kernel_that_the_program_did_not_wait_for_is_lost_and_that_is_said() {
    /// A kernel that prints its thread.
    const PRINTS: &str = "
.version 8.0
.target sm_90
.address_size 64
.extern .func (.param .b32 status) vprintf(.param .b64 format, .param .b64 values);
.global .align 1 .b8 text[6] = {104, 101, 108, 108, 111, 0};
.visible .entry hello()
{
    .reg .b32 %r<2>; .reg .b64 %rd<3>;
    mov.u64 %rd1, text;
    cvta.global.u64 %rd2, %rd1;
    {
        .param .b64 format; .param .b64 values; .param .b32 status;
        st.param.b64 [format], %rd2;
        st.param.b64 [values], 0;
        call.uni (status), vprintf, (format, values);
        ld.param.b32 %r1, [status];
    }
    ret;
}
";
    for waits in [true, false] {
        let mut host = Host::new(PRINTS, &["hello"], &[]);
        assert_eq!(host.launch(1, [1, 2], &[]), 0);
        if waits {
            host.ok("cudaDeviceSynchronize", &[]);
        }
        host.api.end();
        assert_eq!(host.api.take_printed(), if waits { "hellohello" } else { "" });
        assert_eq!(host.kinds(), if waits { vec![] } else { vec![&Kind::LostOutput] });
    }
}

#[test]
fn a_trap_is_an_unspecified_launch_failure() {
    let mut host = Host::new(PTX, &["stop", "shared"], &[]);
    let dim = host.dim3([1, 1, 1]);
    host.ok("cudaLaunchKernel", &[1, dim, dim, 0, 0, 0]);
    assert_eq!(host.call("cudaDeviceSynchronize", &[]), 719);
    assert_eq!(host.call("cudaGetDevice", &[0x8000]), 0);
}

#[test]
fn occupancy_is_that_of_the_chip() {
    let mut host = Host::new(SUM, &["sum"], &[]);
    let to = host.variable(&[0; 8]);
    let mut blocks = |threads: u64, shared: u64| {
        host.ok("cudaOccupancyMaxActiveBlocksPerMultiprocessor", &[to, 1, threads, shared]);
        host.int(to)
    };
    assert_eq!([blocks(256, 0), blocks(32, 0), blocks(1024, 0)], [8, 32, 2]);
    assert_eq!([blocks(64, 100 << 10), blocks(64, 300 << 10), blocks(2048, 0)], [2, 0, 0]);
}

#[test]
fn the_device_has_the_properties_of_the_chip() {
    let mut host = Host::new(SUM, &["sum"], &[]);
    let to = host.malloc(2048);
    host.ok("cudaGetDeviceProperties", &[to, 0]);
    let mut name = [0; 11];
    crate::guest::Guest::read(&host.memory, to, &mut name).unwrap();
    assert_eq!(&name, b"NVIDIA H200");
    assert_eq!(host.call("cudaGetDeviceProperties", &[to, 1]), 101);
    assert_eq!(host.call("cudaSetDevice", &[3]), 101);
    assert_eq!(host.made("cudaDeviceGetAttribute", &[16, 0]), 132);
    assert_eq!(host.made("cudaRuntimeGetVersion", &[]), 13_000);
    assert_eq!(host.made("cudaGetDeviceCount", &[]), 1);
    host.ok("cudaDeviceSetLimit", &[2, 1 << 26]);
    assert_eq!(host.made("cudaDeviceGetLimit", &[2]), 1 << 26);
}
