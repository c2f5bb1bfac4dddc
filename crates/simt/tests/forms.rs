//! Forms of instructions and operands that ptxas takes in addition to those that compilers write.
#![allow(clippy::unwrap_used, missing_docs)]

use crate::common::{Bench, kernel};
use simt::{Arg, Chip, Device, Launch};

/// What a thread leaves of eight words, from these at the second parameter; `%rd0` is where results go, `%rd1` the inputs.
fn results(declarations: &str, body: &str) -> [u32; 8] {
    let body = format!("ld.param.u64 %rd0, [p0]; ld.param.u64 %rd1, [p1];\n{body}\nret;");
    let text = kernel(2, &body).replace(".visible .entry", &format!("{declarations}\n.visible .entry"));
    let mut bench = Bench::new(&text);
    let (out, input) = (bench.words(&[0; 8]), bench.words(&[10, 11, 12, 13, 14, 15, 16, 17]));
    bench.launch(1, 1, &[out, input]).unwrap();
    bench.read(out, 8).try_into().unwrap()
}

#[test]
fn a_register_and_a_number_are_a_sum_in_any_instruction() {
    let body =
        "mov.u32 %r1, 5; st.global.u32 [%rd0], %r1+7; add.u32 %r2, %r1+-6, 2; st.global.u32 [%rd0+4], %r2;
        cvt.u64.u32 %rd2, %r1+1; st.global.u64 [%rd0+8], %rd2+1;";
    assert_eq!(results("", body)[..4], [12, 1, 7, 0]);
}

#[test]
fn elements_of_arrays_are_addresses_in_brackets_of_their_own() {
    let body =
        "mov.u32 %r1, 1; ld.global.u16 %r2, g[2]; ld.global.u16 %r3, g[%r1]; ld.global.u16 %r4, g[%r1+2];
        st.global.u16 g[%r1], %r4; mov.u64 %rd2, g[1]; ld.global.u16 %r5, [%rd2]; ld.const.u32 %r6, c[1];
        ld.const.u32 %r7, c[%r1+1];
        st.global.v4.u32 [%rd0], {%r2, %r3, %r4, %r5}; st.global.v2.u32 [%rd0+16], {%r6, %r7};";
    let declarations = ".global .u16 g[4] = { 7, 8, 9, 65535 };\n.const .u32 c[3] = { 1, 2, 3 };";
    assert_eq!(results(declarations, body)[..6], [9, 8, 65535, 65535, 2, 3]);
}

#[test]
fn vectors_move_as_a_whole_and_are_read_before_they_are_written() {
    let body = ".reg .v4 .b32 %v<2>;
        ld.global.v4.u32 %v0, [%rd1]; mov.v4.u32 %v1, %v0; mov.v4.u32 %v0, {%v1.w, %v0.x, %v0.y, 5};
        st.global.v4.u32 [%rd0], %v0; mov.v4.u32 {%r1, _, %r2, _}, %v1; st.global.v2.u32 [%rd0+16], {%r1, %r2};";
    assert_eq!(results("", body), [13, 10, 11, 5, 10, 12, 0, 0]);
}

#[test]
fn a_special_register_of_several_moves_as_a_whole() {
    let body = ".reg .v4 .u32 %v; mov.v4.u32 %v, %ntid; st.global.v4.u32 [%rd0], %v; mov.v4.u32 %v, %ctaid;
        st.global.v4.u32 [%rd0+16], %v;";
    assert_eq!(results("", body), [1, 1, 1, 1, 0, 0, 0, 0]);
}

#[test]
fn functions_take_and_return_vectors_in_registers() {
    let function = ".func (.reg .v2 .u32 r) swap(.reg .v2 .u32 a) { mov.v2.u32 r, {a.y, a.x}; ret; }";
    let body =
        ".reg .v2 .u32 %v; ld.global.v2.u32 %v, [%rd1]; call (%v), swap, (%v); st.global.v2.u32 [%rd0], %v;";
    assert_eq!(results(function, body)[..2], [11, 10]);
}

#[test]
fn accesses_of_32_bytes_move_all_of_their_elements() {
    let body = ".reg .b32 %q<8>;
        ld.global.v8.b32 {%q0, %q1, %q2, %q3, %q4, %q5, %q6, _}, [%rd1]; mov.u32 %q7, 3;
        st.global.v8.b32 [%rd0], {%q7, %q6, %q5, %q4, %q3, %q2, %q1, %q0};";
    assert_eq!(results("", body), [3, 16, 15, 14, 13, 12, 11, 10]);
    // The address is replaced by what is loaded.
    let body =
        "ld.global.v4.b64 {%rd1, %rd2, %rd3, %rd4}, [%rd1]; st.v4.b64 [%rd0], {%rd4, %rd3, %rd2, %rd1};";
    assert_eq!(results("", body), [16, 17, 14, 15, 12, 13, 10, 11]);
}

#[test]
fn an_access_of_32_bytes_is_one_request_of_a_sector_a_thread() {
    for (load, store) in [
        ("ld.global.v8.b32 {%r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8}", "st.v8.b32"),
        ("ld.v8.f32 {%r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8}", "st.global.v8.u32"),
    ] {
        let body = format!(
            "ld.param.u64 %rd0, [p0]; mov.u32 %r9, %tid.x; mul.wide.u32 %rd1, %r9, 32; add.u64 %rd0, %rd0, %rd1;
            {load}, [%rd0]; {store} [%rd0+1024], {{%r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8}}; ret;"
        );
        let mut bench = Bench::new(&kernel(1, &body));
        let words: Vec<u32> = (0..512).collect();
        let out = bench.words(&words);
        let counters = bench.launch(1, 32, &[out]).unwrap();
        assert_eq!(bench.read(out, 512)[256..], words[..256]);
        assert_eq!((counters.global_load_requests, counters.global_store_requests), (1, 1));
        assert_eq!((counters.global_load_sectors, counters.global_store_sectors), (32, 32));
        assert_eq!((counters.global_load_data_wavefronts, counters.generic_load_instructions), (8, 0));
    }
}

#[test]
fn an_access_of_32_bytes_extends_its_elements_to_the_registers_it_writes() {
    let body = ".reg .b64 %w<8>; mov.u32 %r1, -2; st.global.u32 [%rd1+4], %r1;
        ld.global.v8.s32 {%r2, %w1, _, _, %w4, _, %r3, _}, [%rd1];
        shr.u64 %w2, %w1, 32; cvt.u32.u64 %r4, %w2; cvt.u32.u64 %r5, %w4;
        st.global.v4.u32 [%rd0], {%r2, %r4, %r5, %r3};";
    assert_eq!(results("", body)[..4], [10, u32::MAX, 14, 16]);
}

#[test]
fn an_access_of_32_bytes_is_aligned_to_them_and_of_global_memory() {
    let faults = |body: &str| {
        let mut bench = Bench::new(&kernel(1, &format!("ld.param.u64 %rd0, [p0]; {body} ret;")));
        let out = bench.words(&[0; 64]);
        bench.launch(1, 1, &[out]).unwrap_err().kind().unwrap_or_default()
    };
    assert_eq!(faults("ld.global.v4.b64 {%rd1, %rd2, %rd3, %rd4}, [%rd0+16];"), "misaligned-address");
    let shared = ".shared .align 32 .b8 s[64]; mov.u64 %rd1, s; cvta.shared.u64 %rd1, %rd1;";
    assert_eq!(
        faults(&format!("{shared} st.v4.b64 [%rd1], {{%rd0, %rd0, %rd0, %rd0}};")),
        "out-of-bounds-global"
    );
    let text = kernel(1, ".shared .align 32 .b8 s[64]; ld.v4.b64 {%rd1, %rd2, %rd3, %rd4}, [s]; ret;");
    let error = Bench::try_new(&text).err().unwrap().to_string();
    assert!(error.contains("which only global memory supports"), "{error}");
}

#[test]
fn a_generic_access_to_a_variable_is_one_of_its_state_space() {
    let body = ".shared .u32 s; .local .u32 l; st.u32 [s], 4; st.u32 [l], 5; ld.u32 %r1, [s]; ld.u32 %r2, [l];
        ld.u32 %r3, [c]; st.global.u32 [%rd0], %r1; st.global.u32 [%rd0+4], %r2; st.global.u32 [%rd0+8], %r3;";
    assert_eq!(results(".const .u32 c = 6;", body)[..3], [4, 5, 6]);
}

#[test]
fn modifiers_come_in_any_order_that_ptxas_takes() {
    let body = "mov.u32 %r1, 3; mov.u32 %r2, 0xffffffff; setp.s32.lt %p1, %r2, %r1; selp.u32 %r3, 1, 0, %p1;
        setp.u32.lt %p1, %r2, %r1; selp.u32 %r4, 1, 0, %p1; add.u32.cc %r5, %r2, %r1; addc.u32 %r6, 0, 0;
        st.v4.global.u32 [%rd0], {%r3, %r4, %r5, %r6}; atom.u32.add.global %r7, [%rd0], %r1;";
    assert_eq!(results("", body)[..4], [4, 0, 2, 1]);
}

#[test]
fn modules_with_addresses_of_32_bits_run() {
    for size in [".address_size 32", ""] {
        let text = format!(
            ".version 6.5\n.target sm_50\n{size}\n
            .global .u32 g = 40;\n.global .u32 where = g;
            .visible .entry k(.param .u32 p, .param .u32 n)
            {{
                .reg .b32 a, b, c; .reg .pred q; .shared .u32 s; .local .u32 l;
                ld.param.u32 a, [p]; ld.param.u32 b, [n];
                st.global.u32 [a], b;
                cvta.shared.u32 c, s; st.u32 [c], 7; ld.shared.u32 b, [s]; st.u32 [a+4], b;
                mov.u32 c, l; cvta.local.u32 c, c; st.u32 [c], 8; ld.local.u32 b, [l]; st.u32 [a+8], b;
                ld.global.u32 c, [where]; atom.global.add.u32 b, [c], 2; ld.u32 b, [g]; st.u32 [a+12], b;
                ret;
            }}"
        );
        let mut bench = Bench::new(&text);
        let out = bench.words(&[0; 4]);
        let n = Arg::Value(9u32.to_le_bytes().to_vec());
        bench.launch_with(1, 1, 0, vec![Arg::Buffer(out, 0), n]).unwrap();
        assert_eq!(bench.read(out, 4), [9, 7, 8, 42], "{size}");
        // A null pointer is one in 32 bits too.
        let null = || Arg::Value(0u32.to_le_bytes().to_vec());
        assert!(bench.launch_with(1, 1, 0, vec![null(), null()]).is_err());
        // Another module of the same device has buffers further apart than 32 bits reach.
        let mut device = Device::new(Chip::by_name("h200").unwrap());
        let early = [4; 2].map(|bytes| device.allocate(bytes).unwrap())[1];
        let module = device.load("narrow.ptx", &text).unwrap();
        let late = device.allocate(16).unwrap();
        let mut launch = |to| {
            let args = vec![Arg::Buffer(to, 0), Arg::Value(9u32.to_le_bytes().to_vec())];
            let (grid, block, cluster) = ([1; 3], [1; 3], None);
            let launch = Launch {
                module,
                kernel: "k",
                grid,
                block,
                shared_bytes: 0,
                args,
                cluster,
                cooperative: false,
            };
            device.launch(&launch).map(drop)
        };
        let told = launch(early).unwrap_err().to_string();
        assert!(told.contains("argument 1 is a buffer out of reach of addresses of 32 bits"), "{told}");
        launch(late).unwrap();
    }
}

#[test]
fn a_kernel_may_have_more_registers_than_a_file_holds() {
    // A chain of 50,000 values, each in a register of its own, of which some live long, in and around a loop.
    let mut body = String::from(
        ".reg .b32 %v<50001>; mov.u32 %r1, 0; mov.u32 %r2, 0;
        ld.global.u32 %r3, [%rd1];
        L: ld.global.u32 %v0, [%rd1+4]; mov.u32 %r5, %v0;\n",
    );
    for n in 1..=50_000 {
        body += &format!("add.u32 %v{n}, %v{}, {};\n", n - 1, n % 7);
    }
    body += "add.u32 %r1, %r1, %v50000; add.u32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, 3; @%p1 bra L;
        add.u32 %r4, %v3, %r5; st.global.v4.u32 [%rd0], {%r1, %r2, %r3, %r4};";
    let sum: u32 = (1..=50_000u32).map(|n| n % 7).sum();
    assert_eq!(results("", &body)[..4], [3 * (11 + sum), 3, 10, 11 + 1 + 2 + 3 + 11]);
}

#[test]
fn what_an_instruction_computes_on_the_way_takes_no_register_of_its_own() {
    // 30,000 instructions of which each needs a few registers besides its own, in a function of 20,000.
    let mut body = String::from(".reg .b32 %v<20001>; ld.global.u32 %v0, [%rd1];\n");
    for n in 1..=20_000 {
        body += &format!("add.u32 %v{n}, %v{}, 1;\nL{n}:\n", n - 1);
    }
    body += "mov.u32 %r1, 0;\n";
    for n in 0..30_000 {
        body += &format!("addc.u32 %r1, %r1, 0;\nmov.b64 {{%r2, %r3}}, %rd{};\n", n % 2);
    }
    body += "add.u32 %v20000, %v20000, %r1; st.global.u32 [%rd0], %v20000;";
    assert_eq!(results("", &body)[0], 10 + 20_000);
}

#[test]
fn values_of_threads_that_many_instructions_need_are_computed_once() {
    // The addresses of 10,000 fragments, all with the same rows.
    let mut body = String::from(
        ".shared .align 16 .b8 tile[1024]; .reg .b32 %v<8>; ld.param.u64 %rd0, [p0]; mov.u32 %r1, tile;
        mov.u32 %r2, %tid.x; mad.lo.u32 %r3, %r2, 32, %r1; add.u32 %r4, %r2, 100;
        st.shared.v4.u32 [%r3], {%r4, %r4, %r4, %r4}; st.shared.v4.u32 [%r3+16], {%r4, %r4, %r4, %r4};
        bar.sync 0;\n",
    );
    for _ in 0..10_000 {
        body += "wmma.load.c.sync.aligned.row.m16n16k16.shared.s32
            {%v0, %v1, %v2, %v3, %v4, %v5, %v6, %v7}, [%r1], 16;\n";
    }
    body += "mul.wide.u32 %rd1, %r2, 4; add.u64 %rd0, %rd0, %rd1; st.global.u32 [%rd0], %v0; ret;";
    let mut bench = Bench::new(&kernel(1, &body).replace("sm_52", "sm_90"));
    let out = bench.words(&[0; 32]);
    bench.launch(1, 32, &[out]).unwrap();
    // Four lanes have a row of 16 numbers, of which two threads wrote eight each; theirs are the first eight.
    let wanted: Vec<u32> = (0..32).map(|lane| 100 + lane / 4 * 2).collect();
    assert_eq!(bench.read(out, 32), wanted);
}

#[test]
fn a_kernel_may_have_more_numbers_than_there_are_registers_for_them() {
    let mut body = String::from("mov.u32 %r1, 0; mov.u64 %rd2, 0; mov.u32 %r4, 0;\n");
    let (mut sum, mut wide) = (0u32, 0u64);
    for n in 0..40_000u32 {
        let number = n.wrapping_mul(2_654_435_761);
        let long = u64::from(number) << 31 | u64::from(n);
        body += &format!("xor.b32 %r1, %r1, {number}; xor.b64 %rd2, %rd2, {long};\n");
        (sum, wide) = (sum ^ number, wide ^ long);
    }
    body += "mov.b64 {%r2, %r3}, %rd2;
        vote.sync.ballot.b32 %r4, 1, 1;
        st.global.v4.u32 [%rd0], {%r1, %r2, %r3, %r4};";
    assert_eq!(results("", &body)[..4], [sum, wide as u32, (wide >> 32) as u32, 1]);
}

#[test]
fn a_kernel_may_name_more_places_of_constant_memory_and_of_variables_than_there_are_registers_for_them() {
    let bytes: Vec<String> = (0..65_536).map(|n| (n % 251).to_string()).collect();
    let declarations =
        format!(".const .b8 table[65536] = {{ {} }};\n.global .b8 far[65536];", bytes.join(", "));
    let mut body = String::from("mov.u32 %r1, 0; mov.u64 %rd2, 0;\n");
    for n in 0..40_000 {
        body += &format!("ld.const.u8 %r2, [table+{n}]; add.u32 %r1, %r1, %r2;\n");
        body += &format!("mov.u64 %rd3, far+{n}; xor.b64 %rd2, %rd2, %rd3;\n");
    }
    // An even number of addresses, of which the upper bits cancel.
    body += "mov.u64 %rd3, far; cvt.u32.u64 %r3, %rd2; st.global.v2.u32 [%rd0], {%r1, %r3};";
    let sum: u32 = (0..40_000).map(|n| n % 251).sum();
    let base_is_even = (0..40_000u64).fold(0, |all, n| all ^ n);
    assert_eq!(results(&declarations, &body)[..2], [sum, base_is_even as u32]);
}
