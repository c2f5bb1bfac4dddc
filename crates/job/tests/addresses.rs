//! Buffers that hold addresses of others, and arguments against the types that kernels' names encode.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::process::Output;

/// `gather(float** from, float* to)`: the first number of each buffer. `first(Node* nodes, float* to)`, where a node is a
/// pointer and an `int`: the number that the second node points to, times its `int`.
const PTX: &str = "
.version 8.0
.target sm_70
.address_size 64
.visible .entry _Z6gatherPPfS_(.param .u64 a, .param .u64 b) {
    .reg .b32 %r<4>; .reg .b64 %rd<8>;
    ld.param.u64 %rd0, [a]; ld.param.u64 %rd1, [b];
    mov.u32 %r0, %tid.x; mul.wide.u32 %rd2, %r0, 8; mul.wide.u32 %rd3, %r0, 4;
    add.s64 %rd4, %rd0, %rd2; ld.global.u64 %rd5, [%rd4]; ld.global.u32 %r1, [%rd5];
    add.s64 %rd6, %rd1, %rd3; st.global.u32 [%rd6], %r1; ret;
}
.visible .entry _Z5firstP4NodePf(.param .u64 a, .param .u64 b) {
    .reg .b32 %r<4>; .reg .f32 %f<4>; .reg .b64 %rd<8>;
    ld.param.u64 %rd0, [a]; ld.param.u64 %rd1, [b];
    ld.global.u64 %rd2, [%rd0+16]; ld.global.u32 %r0, [%rd0+24];
    ld.global.f32 %f0, [%rd2]; cvt.rn.f32.s32 %f1, %r0; mul.f32 %f2, %f0, %f1;
    st.global.f32 [%rd1], %f2; ret;
}
.visible .entry _Z5mixedx6__half6float4Pf(
    .param .u64 a, .param .align 2 .b8 b[2], .param .align 16 .b8 c[16], .param .u64 d) { ret; }
";

const BUFFERS: &str = "
[[buffer]]
name = \"from\"
type = \"u64\"
values = [{ buffer = \"x\", offset = 4 }, { buffer = \"y\" }]
[[buffer]]
name = \"nodes\"
type = \"u64x2\"
values = [{ struct = [{ null = true }, { i32 = 0 }] }, { struct = [{ buffer = \"y\" }, { i32 = 3 }] }]
[[buffer]]
name = \"x\"
type = \"f32\"
values = [1.0, 2.0]
[[buffer]]
name = \"y\"
type = \"f32\"
values = [5.0]
[[buffer]]
name = \"to\"
type = \"f32\"
len = 2
";

/// Runs a job with these buffers; gives the exit code, what it wrote of `to`, and standard error.
fn run(rest: &str, buffers: &str) -> (i32, Vec<f32>, String) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("k.ptx"), PTX).unwrap();
    let text = format!("module = \"k.ptx\"\n{buffers}{rest}[[output]]\nbuffer = \"to\"\n");
    std::fs::write(folder.path().join("job.toml"), text).unwrap();
    let program = env!("CARGO_BIN_EXE_launch");
    let line = "job.toml --device simt --no-checks --out out";
    let Output { status, stderr, .. } = tests::program::run(program, folder.path(), line).unwrap();
    let bytes = std::fs::read(folder.path().join("out/to.bin")).unwrap_or_default();
    let numbers = bytes.as_chunks::<4>().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect();
    (status.code().unwrap(), numbers, String::from_utf8(stderr).unwrap())
}

fn launch(kernel: &str, args: &str) -> String {
    format!("[[launch]]\nkernel = \"{kernel}\"\ngrid = [1, 1, 1]\nblock = [2, 1, 1]\nargs = [{args}]\n")
}

#[test]
fn a_buffer_holds_addresses_of_others_that_may_come_after_it() {
    let (code, numbers, reported) =
        run(&launch("gather", "{ buffer = \"from\" }, { buffer = \"to\" }"), BUFFERS);
    assert_eq!((code, numbers, reported.as_str()), (0, vec![2.0, 5.0], ""));
}

#[test]
fn a_buffer_holds_structs_with_pointers_as_c_lays_them_out() {
    let (code, numbers, reported) =
        run(&launch("first", "{ buffer = \"nodes\" }, { buffer = \"to\" }"), BUFFERS);
    assert_eq!((code, numbers.first(), reported.as_str()), (0, Some(&15.0), ""));
}

#[test]
fn what_a_buffer_cannot_hold_is_refused_with_its_line() {
    let launch = launch("gather", "{ buffer = \"from\" }, { buffer = \"to\" }");
    for (from, to, words) in [
        ("{ buffer = \"y\" }]", "{ buffer = \"z\" }]", "number 1: there is no buffer `z`"),
        ("{ buffer = \"y\" }]", "5]", "number 1: expected a table such as { i32 = 1 }, found 5"),
        ("{ buffer = \"y\" }]", "{ i32 = 5 }]\nlen = 3", "they are 2 × u64, but len is 3"),
        ("type = \"u64\"", "type = \"f32x3\"", "their 16 bytes are not a whole number of f32x3"),
    ] {
        let (code, _, reported) = run(&launch, &BUFFERS.replacen(from, to, 1));
        assert_eq!(code, 2, "{words}");
        assert!(
            reported.contains("job.toml:3: buffer `from`: values: ") && reported.contains(words),
            "{reported}"
        );
    }
}

#[test]
fn an_argument_that_is_not_of_its_parameter_s_type_is_refused_with_the_launch_s_line() {
    let good = ["{ i64 = 1 }", "{ f16 = 1.0 }", "{ f32x4 = [1, 2, 3, 4] }", "{ buffer = \"to\" }"];
    assert_eq!(run(&launch("mixed", &good.join(", ")), BUFFERS).0, 0);
    for (n, arg, words) in [
        (0, "{ buffer = \"to\" }", "argument 1 is a pointer, but the parameter is `long long`: pass an i64"),
        (0, "{ null = true }", "pass an i64"),
        (1, "{ bf16 = 1.0 }", "argument 2 is a bf16, but the parameter is `__half`: pass an f16"),
        (1, "{ u16 = 1 }", "pass an f16"),
        (2, "{ i32x4 = [1, 2, 3, 4] }", "the parameter is `float4`: pass an f32x4"),
        (
            3,
            "{ u64 = 0 }",
            "argument 4 is a u64, but the parameter is `float *`: pass a buffer or a null pointer",
        ),
        (3, "{ f64 = 0.0 }", "pass a buffer or a null pointer"),
        (
            0,
            "{ i32 = 1 }",
            "argument 1 is an i32 of 4 bytes, but parameter `a` is a pointer or a `long long`",
        ),
    ] {
        let mut args = good;
        args[n] = arg;
        let (code, _, reported) = run(&launch("mixed", &args.join(", ")), BUFFERS);
        assert_eq!(code, 2, "{arg}");
        assert!(reported.starts_with("launch: job.toml:23: ") && reported.contains(words), "{reported}");
    }
}
