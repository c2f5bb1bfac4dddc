//! Refusals of what the device does not execute: a kernel at a time, with all reasons, before a thread runs.
#![allow(clippy::unwrap_used, missing_docs)]

use crate::common::Bench;
use simt::{Chip, Device, Error, Launch, Program};

/// A module of these texts.
fn module(text: &str) -> String {
    format!(".version 8.8\n.target sm_90\n.address_size 64\n{text}")
}

/// Line and reason of each refusal, by kernel.
fn refusals(text: &str) -> Vec<(String, Vec<(u32, String)>)> {
    let program = Program::decode("m.ptx", &module(text)).unwrap();
    let reason = |error: Error| match error {
        Error::Unsupported { place, what } => (place.at.0, what),
        Error::BadPtx { place, message } => (place.at.0, message),
        other => panic!("{other}"),
    };
    let refusals = program.refusals().unwrap().into_iter();
    refusals.map(|r| (r.kernel, r.reasons.into_iter().map(reason).collect())).collect()
}

fn kernels(text: &str) -> Vec<String> {
    refusals(text).into_iter().map(|(kernel, _)| kernel).collect()
}

const WRITES_SEVEN: &str =
    ".visible .entry k(.param .u64 p) { .reg .b64 a; ld.param.u64 a, [p]; st.global.u32 [a], 7; }\n";

#[test]
fn an_unsupported_kernel_refuses_itself_and_the_others_of_its_module_run() {
    let text = module(&format!("{WRITES_SEVEN}.entry other()\n{{\nret;\nwgmma.fence.sync.aligned;\n}}"));
    let mut bench = Bench::new(&text);
    let out = bench.words(&[0]);
    bench.launch(1, 1, &[out]).unwrap();
    assert_eq!(bench.read(out, 1), [7]);
    let launch = Launch {
        module: bench.module,
        kernel: "other",
        grid: [1; 3],
        block: [1; 3],
        shared_bytes: 0,
        args: vec![],
        cluster: None,
        cooperative: false,
    };
    let error = bench.device.launch(&launch).unwrap_err();
    assert_eq!(error.kind(), Some("unsupported-instruction"));
    assert_eq!(
        error.to_string(),
        "test.ptx:8:1: the embedded device does not support `wgmma.fence.sync.aligned`"
    );
}

#[test]
fn a_kernel_is_not_refused_before_it_is_asked_for() {
    let mut device = Device::new(Chip::by_name("h200").unwrap());
    let module = device.load("m.ptx", &module(".entry a() { ret; }\n.entry b() { wgmma.fence; }")).unwrap();
    assert!(device.prepare(module, "a").is_ok());
    assert!(matches!(device.prepare(module, "b"), Err(Error::Unsupported { .. })));
    assert!(matches!(device.prepare(module, "c"), Err(Error::MissingKernel { .. })));
}

#[test]
fn all_reasons_are_reported_at_once_in_the_order_of_the_text() {
    let text = ".entry k()\n{\n.reg .b32 %r<3>; .reg .b64 %rd<99>;\nwgmma.fence;\n{ .reg .b256 s; }\nmov.u32 %r1, %pm0;\nadd.s32 %r1, s, %rd9;\n}";
    let reasons = refusals(text).remove(0).1;
    let reasons: Vec<_> = reasons.iter().map(|(line, what)| (*line, what.as_str())).collect();
    // Where a declaration is refused, what contradicts it is no reason of their own.
    assert_eq!(reasons, [(7, "`wgmma.fence`"), (8, "registers of type `.b256`"), (9, "`%pm0`")]);
}

#[test]
fn contradictions_are_reported_with_the_refusals() {
    let reasons =
        refusals(".entry k()\n{\n.reg .b32 %r<3>;\nadd.s32 %r1, %q, 1;\nwgmma.fence;\nbra L;\n}").remove(0).1;
    let lines: Vec<u32> = reasons.iter().map(|(line, _)| *line).collect();
    assert_eq!(lines, [7, 8, 9], "{reasons:?}");
}

#[test]
fn a_refused_function_refuses_the_kernels_that_can_call_it() {
    let functions = ".func f() { wgmma.fence; }\n.func g() { call f; ret; }\n.func h() { ret; }\n";
    let calls = |name: &str, callee: &str| format!(".entry {name}() {{ call {callee}; ret; }}\n");
    let text = format!("{functions}{}{}{}", calls("a", "g"), calls("b", "h"), calls("c", "f"));
    assert_eq!(kernels(&text), ["a", "c"]);
}

#[test]
fn a_refused_function_refuses_the_kernels_that_take_its_address() {
    let text =
        ".func f() { wgmma.fence; }\n.entry a() { .reg .b64 x; mov.u64 x, f; ret; }\n.entry b() { ret; }";
    assert_eq!(kernels(text), ["a"]);
    let indirect = "
        .func f() { wgmma.fence; }
        .global .u64 table[1] = { f };
        .entry a()
        {
            .reg .b64 x;
            ld.global.u64 x, [table];
            p: .callprototype _ ();
            call x, p;
            ret;
        }
        .entry b() { ret; }
    ";
    assert_eq!(kernels(indirect), ["a"]);
}

#[test]
fn a_variable_that_the_device_does_not_have_refuses_the_kernels_that_name_it() {
    let text = "
        .extern .global .u32 elsewhere;
        .global .u32 low = elsewhere;
        .entry a() { .reg .b64 x; mov.u64 x, elsewhere; ret; }
        .entry b() { .reg .b64 x; mov.u64 x, low; ret; }
        .entry c() { ret; }
    ";
    assert_eq!(kernels(text), ["a", "b"]);
}

#[test]
fn text_that_is_not_ptx_refuses_its_module() {
    let error =
        Program::decode("m.ptx", &module(".entry a() { ret; }\n.entry b() { add; mul }")).unwrap_err();
    assert_eq!(error.kind(), Some("bad-ptx"));
    assert!(error.to_string().starts_with("m.ptx:5:"), "{error}");
}

#[test]
fn variables_in_functions_live_as_long_as_the_module() {
    let text = module(
        "
        .visible .entry k(.param .u64 p)
        {
            .reg .b32 n; .reg .b64 a;
            .const .u32 steps[2] = { 3, 5 };
            {
                .global .u32 count = 10;
                ld.param.u64 a, [p];
                ld.const.u32 n, [steps+4];
                atom.global.add.u32 n, [count], n;
                st.global.u32 [a], n;
            }
        }",
    );
    let mut bench = Bench::new(&text);
    let out = bench.words(&[0]);
    for wanted in [10, 15] {
        bench.launch(1, 1, &[out]).unwrap();
        assert_eq!(bench.read(out, 1), [wanted]);
    }
    let mut count = [0; 4];
    bench.device.read_symbol(bench.module, "k::count", 0, &mut count).unwrap();
    assert_eq!(u32::from_le_bytes(count), 20);
}
