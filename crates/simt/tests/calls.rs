//! Called functions in launches of several blocks of several warps: what waits, exits, meets or faults in one leaves
//! nothing for the block that runs next, on one thread or on several, with checks and without.
#![allow(clippy::unwrap_used, missing_docs)]

use crate::common;
use common::{Bench, kernel};
use simt::{Error, FaultKind};
use std::ops::Add;

/// A module of one kernel that begins with [`common::OWN_WORD`], and of functions.
fn module(functions: &str, body: &str) -> String {
    let text = kernel(2, &format!("{} ld.param.u64 %rd3, [p1]; {body}", common::OWN_WORD));
    text.replacen(".visible .entry", &format!("{functions}\n.visible .entry"), 1)
}

/// Waits until the word at `a` is at least `n`; all lanes look.
const WAIT: &str = r"
    .func wait(.reg .b64 a, .reg .b32 n)
    {
        .reg .pred q, q1, q2;
        .reg .b32 v;
        AGAIN:
        ld.volatile.global.u32 v, [a];
        setp.lt.u32 q, v, n;
        @q bra AGAIN;
        ret;
    }
";

/// Runs `k` in all ways that must give the same; returns what each thread stored, or the fault.
fn in_all_ways(ptx: &str, shape: [u32; 2], waits: bool) -> Result<Vec<u32>, Error> {
    in_ways(ptx, shape, waits, &[false, true])
}

fn in_ways(ptx: &str, [grid, block]: [u32; 2], waits: bool, checked: &[bool]) -> Result<Vec<u32>, Error> {
    let mut first = None;
    for threads in [1, 2, 3] {
        for (deterministic, checks) in
            [true, false].into_iter().flat_map(|is| checked.iter().map(move |c| (is, *c)))
        {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let found = pool.install(|| {
                let mut bench = Bench::new(ptx);
                let options = bench.device.options();
                (options.deterministic, options.checks) = (deterministic, simt::Checks::all_or_none(checks));
                (options.budget, options.launch_budget) = (1 << 19, 1 << 22);
                let out = bench.words(&vec![0; (grid * block) as usize]);
                let flag = bench.words(&[0; 4]);
                let counters = bench.launch(grid, block, &[out, flag])?;
                Ok((counters, bench.read(out, (grid * block) as usize)))
            });
            match (&first, found) {
                (None, found) => first = Some(found),
                (Some(Ok((counters, words))), Ok(again)) => {
                    same(&again.1, words, &format!("{threads} threads, checks: {checks}"));
                    assert!(waits || *counters == again.0, "{threads} threads, checks: {checks}");
                }
                (Some(one), other) => assert_eq!(format!("{one:?}"), format!("{other:?}")),
            }
        }
    }
    first.unwrap().map(|(_, words)| words)
}

#[track_caller]
fn same(found: &[u32], wanted: &[u32], what: &str) {
    let differs = found.iter().zip(wanted).position(|(a, b)| a != b);
    assert!(
        differs.is_none(),
        "{what}: thread {differs:?} has {:?}",
        differs.map(|at| [found[at], wanted[at]])
    );
}

fn every(grid: u32, block: u32, of: impl Fn(u32) -> u32) -> Vec<u32> {
    (0..grid * block).map(of).collect()
}

/// Raises the counter once a block, and waits in a function until all of `n` blocks have.
fn meet(n: u32) -> String {
    format!(
        r"
            setp.eq.u32 %p1, %r4, 0;
            @%p1 red.global.add.u32 [%rd3], 1;
            mov.u32 %r5, {n};
            call wait, (%rd3, %r5);
        "
    )
}

#[test]
fn a_block_may_wait_in_a_function_for_later_ones() {
    for [grid, block] in [[2, 64], [3, 96], [7, 33], [40, 128]] {
        let text = module(WAIT, &format!("{}st.global.u32 [%rd1], %r1; ret;", meet(grid)));
        same(&in_all_ways(&text, [grid, block], true).unwrap(), &every(grid, block, |i| i), "the first way");
    }
}

#[test]
fn a_block_may_wait_in_a_function_for_earlier_ones_that_wait_for_it() {
    // Two meetings, with registers, predicates and local memory of the caller's that live across both.
    let functions = format!(
        r"
            {WAIT}
            .func (.reg .b32 r) twice(.reg .b64 a, .reg .b32 n, .reg .b32 own)
            {{
                .local .align 4 .b32 room[8];
                .reg .pred q<9>;
                .reg .b32 m, t;
                .reg .b64 b;
                setp.lt.u32 q3, own, 40;
                mov.u32 t, %tid.x;
                setp.eq.u32 q1, t, 0;
                st.local.u32 [room+12], own;
                @q1 red.global.add.u32 [a], 1;
                call wait, (a, n);
                add.u64 b, a, 4;
                @q1 red.global.add.u32 [b], 1;
                call wait, (b, n);
                ld.local.u32 m, [room+12];
                selp.u32 r, m, 0, q3;
                ret;
            }}
        "
    );
    let text = module(
        &functions,
        r"
            mov.u32 %r5, 5;
            call (%r6), twice, (%rd3, %r5, %r1);
            st.global.u32 [%rd1], %r6;
            ret;
        ",
    );
    let words = in_all_ways(&text, [5, 64], true).unwrap();
    same(&words, &every(5, 64, |i| if i < 40 { i } else { 0 }), "the first way");
}

#[test]
fn a_block_may_exit_in_a_function() {
    // All threads, whole warps, some lanes; at one depth and at three.
    let functions = r"
        .func quit(.reg .b32 n, .reg .b32 least)
        {
            .reg .pred q<5>;
            setp.ge.u32 q4, n, least;
            @q4 exit;
            ret;
        }
        .func deeper(.reg .b32 n, .reg .b32 least)
        {
            .reg .pred q<7>;
            setp.ge.u32 q1, n, 7;
            @q1 call quit, (n, least);
            @!q1 call quit, (n, 5);
            ret;
        }
    ";
    for function in ["quit", "deeper"] {
        for least in [0, 1, 31, 32, 40, 64, 70, 1000] {
            let text = module(
                functions,
                &format!(
                    r"
                        mov.u32 %r5, {least};
                        add.u32 %r6, %r4, %r2;
                        call {function}, (%r6, %r5);
                        st.global.u32 [%rd1], %r1;
                        ret;
                    "
                ),
            );
            let words = in_all_ways(&text, [9, 96], false).unwrap();
            let stays = |n: u32| if function == "deeper" && n < 7 { n < 5 } else { n < least };
            same(
                &words,
                &every(9, 96, |i| if stays(i / 96 + i % 96) { i } else { 0 }),
                &format!("{function} {least}"),
            );
        }
    }
}

#[test]
fn a_block_may_exit_in_a_function_while_others_wait_in_one() {
    let functions = format!(
        r"
            {WAIT}
            .func part(.reg .b64 a, .reg .b32 n, .reg .b32 own)
            {{
                .reg .pred q<5>;
                setp.gt.u32 q2, own, 50;
                @q2 exit;
                call wait, (a, n);
                ret;
            }}
        "
    );
    let text = module(
        &functions,
        r"
            setp.eq.u32 %p1, %r4, 63;
            @%p1 red.global.add.u32 [%rd3], 1;
            mov.u32 %r5, 6;
            call part, (%rd3, %r5, %r4);
            st.global.u32 [%rd1], %r1;
            ret;
        ",
    );
    let words = in_all_ways(&text, [6, 64], true).unwrap();
    same(&words, &every(6, 64, |i| if i % 64 > 50 { 0 } else { i }), "the first way");
}

#[test]
fn warps_meet_at_a_barrier_in_a_function() {
    let functions = r"
        .func (.reg .b32 r) all(.reg .b32 n)
        {
            .reg .pred q<6>;
            .reg .b32 c;
            setp.lt.u32 q5, n, 3;
            barrier.sync 0;
            bar.red.popc.u32 c, 0, q5;
            bar.sync 1;
            mov.u32 r, c;
            ret;
        }
        .func (.reg .b32 r) outer(.reg .b32 n)
        {
            .reg .pred q<3>;
            .reg .b32 c;
            call (c), all, (n);
            add.u32 r, c, n;
            ret;
        }
    ";
    let text = module(functions, "call (%r6), outer, (%r4); st.global.u32 [%rd1], %r6; ret;");
    same(&in_all_ways(&text, [5, 100], false).unwrap(), &every(5, 100, |i| i % 100 + 3), "the first way");
    // Every other warp has exited in a function before.
    let functions = format!(
        r"
            {functions}
            .func odd(.reg .b32 n)
            {{
                .reg .pred q<4>;
                .reg .b32 m;
                and.b32 m, n, 32;
                setp.ne.u32 q3, m, 0;
                @q3 exit;
                ret;
            }}
        "
    );
    let text =
        module(&functions, "call odd, (%r4); call (%r6), outer, (%r4); st.global.u32 [%rd1], %r6; ret;");
    let words = in_all_ways(&text, [5, 100], false).unwrap();
    same(&words, &every(5, 100, |i| if (i % 100) & 32 != 0 { 0 } else { i % 100 + 3 }), "the first way");
}

#[test]
fn lanes_may_go_to_different_functions_of_which_some_wait_and_some_exit() {
    let functions = format!(
        r"
            {WAIT}
            .func waits(.reg .b64 a, .reg .b32 n)
            {{
                .reg .pred q<3>;
                call wait, (a, n);
                ret;
            }}
            .func exits(.reg .b64 a, .reg .b32 n)
            {{
                .reg .pred q<9>;
                setp.gt.u32 q8, n, 0;
                @q8 exit;
                ret;
            }}
            .func returns(.reg .b64 a, .reg .b32 n)
            {{
                ret;
            }}
        "
    );
    let text = module(
        &functions,
        r"
            and.b32 %r5, %r4, 3;
            setp.eq.u32 %p1, %r5, 1;
            setp.eq.u32 %p2, %r5, 2;
            mov.u64 %rd4, waits;
            @%p1 mov.u64 %rd4, exits;
            @%p2 mov.u64 %rd4, returns;
            mov.u32 %r6, 4;
            setp.eq.u32 %p3, %r4, 0;
            @%p3 red.global.add.u32 [%rd3], 1;
            proto: .callprototype _ (.reg .b64 a, .reg .b32 n);
            call %rd4, (%rd3, %r6), proto;
            st.global.u32 [%rd1], %r1;
            ret;
        ",
    );
    let words = in_all_ways(&text, [4, 72], true).unwrap();
    same(&words, &every(4, 72, |i| if i % 72 % 4 == 1 { 0 } else { i }), "the first way");
}

#[test]
fn a_recursion_may_end_anywhere() {
    // It ends `n` calls deep: with an exit in every other block, else with a wait for all blocks.
    let functions = format!(
        r"
            {WAIT}
            .func (.reg .b32 r) down(.reg .b64 a, .reg .b32 n, .reg .b32 odd)
            {{
                .reg .pred q<9>;
                .reg .b32 m, s;
                .local .align 4 .b32 room[4];
                st.local.u32 [room], n;
                setp.eq.u32 q7, n, 0;
                @q7 bra LAST;
                sub.u32 m, n, 1;
                call (s), down, (a, m, odd);
                ld.local.u32 m, [room];
                add.u32 r, s, m;
                ret;
                LAST:
                setp.ne.u32 q8, odd, 0;
                @q8 exit;
                mov.u32 m, 6;
                call wait, (a, m);
                mov.u32 r, 0;
                ret;
            }}
        "
    );
    let text = module(
        &functions,
        r"
            setp.eq.u32 %p1, %r4, 1;
            @%p1 red.global.add.u32 [%rd3], 1;
            and.b32 %r5, %r2, 1;
            and.b32 %r6, %r4, 15;
            call (%r7), down, (%rd3, %r6, %r5);
            st.global.u32 [%rd1], %r7;
            ret;
        ",
    );
    let words = in_all_ways(&text, [6, 64], true).unwrap();
    let sum = |n: u32| n * (n + 1) / 2;
    same(&words, &every(6, 64, |i| if i / 64 % 2 == 1 { 0 } else { sum(i % 16) }), "the first way");
}

#[test]
fn the_registers_of_many_calls_are_given_back_between_blocks() {
    // Too many for them to be kept: blocks that follow have fewer than the frame in which the last one exited.
    let functions = r"
        .func down(.reg .b32 n)
        {
            .reg .pred q<9>;
            .reg .b32 m, v<40>;
            setp.eq.u32 q8, n, 0;
            @q8 bra LAST;
            sub.u32 m, n, 1;
            call down, (m);
            ret;
            LAST:
            bar.sync 0;
            exit;
        }
    "
    .replace("sub.u32", &(0..40).map(|n| format!("mov.u32 v{n}, n;\n")).collect::<String>().add("sub.u32"));
    let text = module(&functions, "st.global.u32 [%rd1], %r1; mov.u32 %r5, 250; call down, (%r5); ret;");
    same(&in_all_ways(&text, [6, 1024], false).unwrap(), &every(6, 1024, |i| i), "the first way");
}

#[test]
fn a_fault_in_a_function_is_reported_while_others_wait_in_one() {
    let functions = format!(
        r"
            {WAIT}
            .func may(.reg .b64 a, .reg .b32 n, .reg .b32 block)
            {{
                .reg .pred q<9>;
                setp.eq.u32 q8, block, 3;
                @q8 trap;
                call wait, (a, n);
                ret;
            }}
        "
    );
    let text = module(&functions, "mov.u32 %r5, 1; call may, (%rd3, %r5, %r2); ret;");
    let error = in_all_ways(&text, [6, 64], true).unwrap_err();
    assert!(
        matches!(&error, Error::Fault(f) if f.kind == FaultKind::Trap && f.block == [3, 0, 0]),
        "{error}"
    );
    // Waiting for ever in one is an endless loop of the first block.
    let text = module(WAIT, "mov.u32 %r5, 1; call wait, (%rd3, %r5); ret;");
    let error = in_all_ways(&text, [3, 64], true).unwrap_err();
    assert!(matches!(&error, Error::Fault(f) if f.kind == FaultKind::InfiniteLoop), "{error}");
}

#[test]
fn a_value_that_a_function_does_not_return_is_the_same_in_every_block() {
    let functions = r"
        .func (.reg .b32 r) nothing(.reg .b32 n)
        {
            .reg .pred q<3>;
            setp.eq.u32 q1, n, 3;
            @q1 mov.u32 r, 9;
            ret;
        }
        .func (.reg .b32 r) own(.reg .b32 n)
        {
            .reg .b32 a, b;
            add.u32 a, n, 1;
            add.u32 b, a, n;
            mov.u32 r, b;
            ret;
        }
    ";
    let text = module(
        functions,
        r"
            call (%r6), own, (%r1);
            call (%r5), nothing, (%r4);
            st.global.u32 [%rd1], %r5;
            ret;
        ",
    );
    let words = in_ways(&text, [40, 64], false, &[false]).unwrap();
    same(&words, &every(40, 64, |i| if i % 64 == 3 { 9 } else { 0 }), "the first way");
    let fault = in_ways(&text, [40, 64], false, &[true]).unwrap_err().to_string();
    assert!(fault.contains("read of a variable that the thread has not set"), "{fault}");
}

#[test]
fn a_kernel_calls_functions_whose_addresses_another_one_left_in_memory() {
    let text = r"
        .version 8.8
        .target sm_52
        .address_size 64
        .global .u64 table[2];
        .func (.reg .b32 r) twice(.reg .b32 n)
        {
            add.u32 r, n, n;
            ret;
        }
        .func (.reg .b32 r) more(.reg .b32 n)
        {
            call (r), twice, (n);
            add.u32 r, r, 1;
            ret;
        }
        .visible .entry choose(.param .u64 p0)
        {
            .reg .b64 %rd<2>;
            mov.u64 %rd0, twice;
            st.global.u64 [table], %rd0;
            mov.u64 %rd1, more;
            st.global.u64 [table+8], %rd1;
            ret;
        }
        .visible .entry k(.param .u64 p0)
        {
            .reg .b32 %r<3>;
            .reg .b64 %rd<4>;
            ld.param.u64 %rd0, [p0];
            mov.u32 %r0, %tid.x;
            mul.wide.u32 %rd1, %r0, 4;
            add.s64 %rd0, %rd0, %rd1;
            and.b32 %r1, %r0, 1;
            mul.wide.u32 %rd1, %r1, 8;
            mov.u64 %rd2, table;
            add.s64 %rd2, %rd2, %rd1;
            ld.global.u64 %rd3, [%rd2];
            proto: .callprototype (.reg .b32 r) _ (.reg .b32 n);
            call (%r2), %rd3, (%r0), proto;
            st.global.u32 [%rd0], %r2;
            ret;
        }
    ";
    let mut bench = Bench::new(text);
    bench.device.prepare(bench.module, "choose").unwrap();
    let out = bench.words(&[0; 40]);
    let choose = simt::Launch {
        module: bench.module,
        kernel: "choose",
        grid: [1; 3],
        block: [1; 3],
        shared_bytes: 0,
        args: vec![simt::Arg::Buffer(out, 0)],
        cluster: None,
        cooperative: false,
    };
    bench.device.launch(&choose).unwrap();
    bench.launch(1, 40, &[out]).unwrap();
    let expected = (0..40).map(|n| 2 * n + (n & 1)).collect::<Vec<u32>>();
    assert_eq!(bench.read(out, 40), expected);
}

#[test]
fn a_call_through_another_prototype_is_refused() {
    let functions = r"
        .func few(.reg .b32 n)
        {
            ret;
        }
        .func (.param .b64 r) many(.param .b64 a, .param .b32 n)
        {
            st.param.b64 [r], 7;
            ret;
        }
    ";
    let call = |function: &str, prototype: &str, call: &str| {
        let text = module(
            functions,
            &format!(
                r"
                    mov.u64 %rd4, {function};
                    proto: .callprototype {prototype};
                    {{
                        .param .b64 x;
                        .param .b32 y;
                        .param .b64 z;
                        .param .b8 w[4096];
                        st.param.b64 [x], %rd3;
                        st.param.b32 [y], %r1;
                        {call};
                    }}
                    st.global.u32 [%rd1], 5;
                    ret;
                "
            ),
        );
        in_all_ways(&text, [2, 64], false)
    };
    let as_declared =
        call("many", "(.param .b64 _) _ (.param .b64 _, .param .b32 _)", "call (z), %rd4, (x, y), proto");
    same(&as_declared.unwrap(), &every(2, 64, |_| 5), "as it is declared");
    for (function, prototype, how) in [
        ("few", "_ (.param .b64 _, .param .b32 _)", "call %rd4, (x, y), proto"),
        ("few", "_ (.param .b8 _[4096])", "call %rd4, (w), proto"),
        ("many", "(.param .b8 _[4096]) _ (.param .b64 _, .param .b32 _)", "call (w), %rd4, (x, y), proto"),
        ("many", "_ (.param .b64 _, .param .b32 _)", "call %rd4, (x, y), proto"),
        ("many", "(.reg .b64 _) _ (.reg .b64 _, .reg .b32 _)", "call (%rd5), %rd4, (%rd3, %r1), proto"),
        ("many", "_ (.reg .pred _, .reg .pred _, .reg .pred _)", "call %rd4, (%p1, %p2, %p3), proto"),
    ] {
        let error = call(function, prototype, how).unwrap_err();
        assert!(
            matches!(&error, Error::Fault(f) if f.kind == FaultKind::Trap),
            "{function} {prototype}: {error}"
        );
        assert!(error.to_string().contains("prototype"), "{error}");
    }
    // A kernel is no function.
    let error = call("k", "_ ()", "call %rd4, proto").unwrap_err();
    assert!(matches!(&error, Error::Fault(f) if f.kind == FaultKind::Trap), "{error}");
    let error = Bench::try_new(&module("", "call k, (%rd1, %rd2); ret;")).err().unwrap().to_string();
    assert!(error.contains("`k` is a kernel"), "{error}");
}
