//! Values that nothing has written: what uses them is reported, and what only moves, masks or throws them away is not.
#![allow(clippy::unwrap_used, missing_docs)]

use crate::common;
use common::{Bench, OWN_WORD, kernel};
use simt::{Checks, Error, Fault, FaultKind};

/// Runs a warp; `p1` is a buffer of which the first 61 bytes are written. Thread `t`'s word of `p0` is at `%rd1`; `s` is
/// shared memory and `a` local memory, both unwritten.
fn run(body: &str) -> Result<Vec<u32>, Box<Fault>> {
    let ptx = kernel(
        2,
        &format!(
            r"
                {OWN_WORD}
                .shared .align 16 .b8 s[1024];
                .local .align 16 .b8 a[64];
                .reg .b16 %h<8>;
                ld.param.u64 %rd3, [p1];
                {body}
                ret;
            "
        ),
    );
    let mut bench = Bench::new(&ptx.replace(".visible", ".file 1 \"k.cu\"\n.visible"));
    bench.device.options().checks = Checks::ALL;
    bench.device.options().budget = 1 << 20;
    let out = bench.words(&[0; 32]);
    let partly = bench.device.allocate(64).unwrap();
    bench.device.write(partly, 0, &[7; 61]).unwrap();
    match bench.launch(1, 32, &[out, partly]) {
        Ok(_) => Ok(bench.read(out, 32)),
        Err(Error::Fault(fault)) => Err(fault),
        Err(error) => panic!("{error}"),
    }
}

fn fine(body: &str) -> Vec<u32> {
    run(body).unwrap_or_else(|fault| panic!("{fault}\n{body}"))
}

fn faults(body: &str) -> Box<Fault> {
    let fault = run(body).expect_err(body);
    assert_eq!(fault.kind, FaultKind::UninitialisedRead, "{fault}\n{body}");
    fault
}

#[test]
fn bytes_are_written_one_by_one_in_every_memory() {
    for (write, read, memory, place) in [
        (
            "st.shared.u8 [s+1], 5; bar.warp.sync -1;",
            "ld.shared.u32 %r5, [s];",
            " of shared memory",
            ", 0 bytes past the start of s, 1024 bytes",
        ),
        ("st.local.u8 [a+1], 5;", "ld.local.u32 %r5, [a];", " of local memory", ""),
    ] {
        let fault = faults(&format!("{write} {read} add.u32 %r5, %r5, 1; st.global.u32 [%rd1], %r5;"));
        assert!(fault.message.starts_with(&format!("read of 4 bytes{memory}, of which ")), "{fault}");
        assert!(fault.message.ends_with(&format!(" 3, from byte 0 on{place}")), "{fault}");
        // The byte that is written, out of the word.
        fine(&format!(
            "{write} {read} shr.u32 %r5, %r5, 8; and.b32 %r5, %r5, 255; st.global.u32 [%rd1], %r5;"
        ));
        fine(&format!("{write} {read} bfe.u32 %r5, %r5, 8, 8; st.global.u32 [%rd1], %r5;"));
        fine(&format!("{write} {read} prmt.b32 %r5, %r5, 0, 0x4441; st.global.u32 [%rd1], %r5;"));
        faults(&format!(
            "{write} {read} bfe.u32 %r5, %r5, 8, 9; add.u32 %r5, %r5, 1; st.global.u32 [%rd1], %r5;"
        ));
    }
    let last = "ld.global.u32 %r5, [%rd3+60];";
    let fault = faults(&format!("{last} shl.b32 %r5, %r5, 1; st.global.u32 [%rd1], %r5;"));
    assert_eq!(fault.message.split(", ").next(), Some("read of 4 bytes"), "{fault}");
    assert!(fault.message.contains("of which nothing has written 3, from byte 1 on"), "{fault}");
    assert_eq!(fine(&format!("{last} and.b32 %r5, %r5, 255; st.global.u32 [%rd1], %r5;")), [7; 32]);
    fine(
        "ld.global.v4.u32 {%r5, %r6, %r7, %r8}, [%rd3+48]; add.u32 %r5, %r6, %r7; st.global.u32 [%rd1], %r5;",
    );
    faults(
        "ld.global.v4.u32 {%r5, %r6, %r7, %r8}, [%rd3+48]; add.u32 %r5, %r6, %r8; st.global.u32 [%rd1], %r5;",
    );
}

#[test]
fn what_is_thrown_away_was_never_used() {
    // An out-parameter that one path does not write: loaded by all, chosen by those that wrote it.
    let out_parameter = |choice: &str| {
        format!(
            r"
                setp.lt.u32 %p1, %r4, 16;
                @%p1 st.local.u32 [a], %r4;
                ld.local.u32 %r5, [a];
                mul.lo.u32 %r5, %r5, 3;
                {choice}
                st.global.u32 [%rd1], %r6;
            "
        )
    };
    let fault = faults(&out_parameter("mov.u32 %r6, %r5;"));
    assert_eq!(fault.thread, [16, 0, 0]);
    let given = fine(&out_parameter("selp.b32 %r6, %r5, 99, %p1;"));
    assert_eq!((given[5], given[20]), (15, 99));
    fine(&out_parameter("mov.u32 %r6, 99; @%p1 mov.u32 %r6, %r5;"));
    // A short-circuit of predicates.
    let and = "setp.gt.u32 %p2, %r5, 3; and.pred %p2, %p2, %p1; selp.b32 %r6, 1, 0, %p2;";
    assert_eq!(fine(&out_parameter(and))[4..20], [vec![1; 12], vec![0; 4]].concat());
    faults(&out_parameter("setp.gt.u32 %p2, %r5, 3; selp.b32 %r6, 1, 0, %p2;"));
}

#[test]
fn a_value_is_used_by_what_it_decides() {
    let load = "ld.shared.u32 %r5, [s];";
    fine(&format!("{load} add.u32 %r6, %r5, 1;"));
    for used in [
        "st.global.u32 [%rd1], %r5;",
        "setp.eq.u32 %p1, %r5, 1; @%p1 bra END; END:",
        "setp.eq.u32 %p1, %r5, 1; @%p1 exit;",
        "setp.eq.u32 %p1, %r5, 1; @%p1 st.global.u32 [%rd1], 1;",
        "mul.wide.u32 %rd4, %r5, 4; add.u64 %rd4, %rd4, %rd1; ld.global.u32 %r6, [%rd4];",
        "atom.global.add.u32 %r6, [%rd1], %r5;",
        "red.shared.add.u32 [s], 1;",
        "add.f32 %f1, %f1, %f2; mov.b32 %f1, %r5; mul.f32 %f1, %f1, %f1; st.global.f32 [%rd1], %f1;",
        "cvt.u64.u32 %rd4, %r5; add.u64 %rd4, %rd4, 1; cvt.u32.u64 %r6, %rd4; st.global.u32 [%rd1], %r6;",
        "redux.sync.add.s32 %r6, %r5, -1; st.global.u32 [%rd1], %r6;",
        "shfl.sync.bfly.b32 %r6, %r5, 1, 31, -1; st.global.u32 [%rd1], %r6;",
    ] {
        let fault = faults(&format!("{load}\n{used}"));
        assert_eq!(fault.address, Some(0), "{fault}\n{used}");
    }
    // Within the block it only goes on.
    let moved = "add.u32 %r5, %r5, 1; st.shared.u32 [s+128], %r5; ld.shared.u32 %r6, [s+128];";
    fine(&format!("{load} {moved}"));
    let fault = faults(&format!("{load} {moved} st.global.u32 [%rd1], %r6;"));
    assert_eq!(fault.address, Some(0), "{fault}");
    // The place is that of the load.
    let fault = faults(
        "mov.u32 %r6, 1;\nld.shared.u32 %r5, [s+4];\nadd.u32 %r5, %r5, %r6;\nst.global.u32 [%rd1], %r5;",
    );
    let line = fault.place.at.0;
    let other = faults("mov.u32 %r6, 1;\n\nld.shared.u32 %r5, [s+4];\nst.global.u32 [%rd1], %r5;");
    assert_eq!(other.place.at.0, line + 1);
}

#[test]
fn structs_are_copied_with_their_holes() {
    // A byte and a word of eight bytes, copied whole from local memory to global and shared memory.
    let copy = r"
        st.local.u8 [a], 3;
        st.local.u32 [a+4], 5;
        ld.local.u64 %rd4, [a];
        st.shared.u64 [s], %rd4;
        bar.warp.sync -1;
        st.local.u64 [a+16], %rd4;
        ld.local.u32 %r5, [a+20];
        ld.local.u8 %r6, [a+16];
        add.u32 %r5, %r5, %r6;
        st.global.u32 [%rd1], %r5;
    ";
    assert_eq!(fine(copy), [8; 32]);
    let hole = copy.replace("ld.local.u8 %r6, [a+16]", "ld.local.u8 %r6, [a+17]");
    // The message says where it came from.
    assert_eq!(faults(&hole).address, Some(0));
}

#[test]
fn bits_are_put_into_words_that_hold_nothing_yet() {
    let insert = r"
        ld.local.u32 %r5, [a];
        and.b32 %r5, %r5, -16;
        or.b32 %r5, %r5, 9;
        st.local.u32 [a], %r5;
        ld.local.u8 %r6, [a];
        and.b32 %r6, %r6, 15;
        st.global.u32 [%rd1], %r6;
    ";
    assert_eq!(fine(insert), [9; 32]);
    fine(
        "ld.local.u32 %r5, [a]; bfi.b32 %r5, 3, %r5, 0, 8; st.local.u32 [a], %r5; ld.local.u8 %r6, [a]; st.global.u32 [%rd1], %r6;",
    );
    // Halves put together.
    let halves = |second: &str| {
        format!(
            "st.local.u16 [a], 1; {second} ld.local.u16 %h0, [a]; ld.local.u16 %h1, [a+2]; \
             mov.b32 %r5, {{%h0, %h1}}; add.u32 %r5, %r5, 1; st.global.u32 [%rd1], %r5;"
        )
    };
    assert_eq!(fine(&halves("st.local.u16 [a+2], 1;")), [0x10002; 32]);
    assert_eq!(faults(&halves("")).address, Some(2));
}

#[test]
fn a_call_hands_over_what_has_no_value() {
    let ptx = |used: &str| {
        kernel(
            1,
            &format!(
                r"
                {OWN_WORD}
                .local .align 16 .b8 a[64];
                .param .b32 in;
                .param .b32 back;
                ld.local.u32 %r5, [a];
                st.param.b32 [in], %r5;
                call (back), f, (in);
                ld.param.b32 %r6, [back];
                {used}
                ret;
            "
            ),
        )
        .replace(
            ".visible .entry",
            r"
            .func (.param .b32 back) f(.param .b32 in)
            {
                .reg .b32 %q<4>;
                ld.param.b32 %q1, [in];
                st.param.b32 [back], %q1;
                ret;
            }
            .visible .entry",
        )
    };
    for (used, told) in [("", false), ("st.global.u32 [%rd1], %r6;", true)] {
        let mut bench = Bench::new(&ptx(used));
        bench.device.options().checks = Checks::ALL;
        let out = bench.words(&[0; 32]);
        let result = bench.launch(1, 32, &[out]);
        assert_eq!(result.is_err(), told, "{used}: {:?}", result.err().map(|error| error.to_string()));
    }
}

#[test]
fn bits_below_the_lowest_one_without_a_value_have_one_in_a_sum() {
    // The lowest byte of a word has a value.
    let low = "st.local.u8 [a], 7; ld.local.u32 %r5, [a];";
    for sum in
        ["add.u32 %r5, %r5, 1;", "mul.lo.u32 %r5, %r5, 3;", "sub.u32 %r5, %r4, %r5;", "neg.s32 %r5, %r5;"]
    {
        fine(&format!("{low} {sum} and.b32 %r5, %r5, 255; st.global.u32 [%rd1], %r5;"));
        faults(&format!("{low} {sum} shr.u32 %r5, %r5, 4; st.global.u32 [%rd1], %r5;"));
    }
    fine(
        "st.local.u32 [a], 9; ld.local.u64 %rd4, [a]; add.u64 %rd4, %rd4, 1; cvt.u32.u64 %r5, %rd4; st.global.u32 [%rd1], %r5;",
    );
}

#[test]
fn a_member_without_a_value_is_copied_with_the_others() {
    let copy = |second: &str| {
        format!(
            r#"
                st.local.u32 [a], 5;
                .loc 1 12 1
                ld.local.u32 %r5, [a];
                ld.local.u32 %r6, [a+4];
                shl.b32 %r7, %r4, 2;
                st.global.u32 [%rd1], %r5;
                {second}
            "#
        )
    };
    let pair = "add.u64 %rd4, %rd3, 8; mov.u64 %rd3, %rd4; st.global.u32 [%rd3+4], %r6;";
    // Of the same line and near each other: the thread's word lies in another buffer.
    let far = faults(&copy(pair));
    assert_eq!(far.address, Some(4), "{far}");
    fine(
        "st.local.u32 [a], 5; .loc 1 12 1\nld.local.u32 %r5, [a]; ld.local.u32 %r6, [a+4]; st.global.u32 [%rd3], %r5; st.global.u32 [%rd3+4], %r6;",
    );
    // On a line of its own it is no part of that copy, and without any part that has a value it is none.
    faults(
        "st.local.u32 [a], 5; .loc 1 12 1\nld.local.u32 %r5, [a]; ld.local.u32 %r6, [a+4]; st.global.u32 [%rd3], %r5;\n.loc 1 13 1\nst.global.u32 [%rd3+4], %r6;",
    );
    faults(
        ".loc 1 12 1\nld.local.u32 %r5, [a]; ld.local.u32 %r6, [a+4]; st.global.u32 [%rd3], %r5; st.global.u32 [%rd3+4], %r6;",
    );
}

#[test]
fn a_byte_after_others_may_be_a_hole() {
    let copy = "ld.local.u8 %r5, [a+1]; st.global.u8 [%rd1], %r5;";
    fine(&format!("st.local.u8 [a], 5; {copy}"));
    faults(copy);
    let sum = copy.replace("st.global.u8", "add.u32 %r5, %r5, 1; st.global.u8");
    faults(&format!("st.local.u8 [a], 5; {sum}"));
}

/// A product of halves whose left operand is all ones; `b` are the two registers of the right one. Each lane's sums of the
/// first row are in `%f1` and `%f2`.
fn product(b: &str) -> String {
    format!(
        r"
            .reg .b32 %a<7>;
            mov.b32 %a1, 0x3c003c00; mov.b32 %a5, %a1; mov.b32 %a6, %a1;
            {b}
            mov.f32 %f1, 0f00000000;
            mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
                {{%f1, %f2, %f3, %f4}}, {{%a1, %a1, %a1, %a1}}, {{%a5, %a6}}, {{%f1, %f1, %f1, %f1}};
        "
    )
}

#[test]
fn a_column_without_a_value_leaves_the_other_columns_of_a_product_theirs() {
    // Lanes 16 to 19 hold column 4, of which lanes 2, 6, 10 … get the sums.
    let unwritten = product(
        "setp.lt.u32 %p2, %r4, 16; setp.gt.u32 %p3, %r4, 19; or.pred %p2, %p2, %p3;
         @!%p2 ld.shared.u32 %a5, [s];",
    );
    let store = "cvt.rzi.u32.f32 %r8, %f1; and.b32 %r9, %r4, 3; setp.ne.u32 %p1, %r9, 2;";
    let out = fine(&format!("{unwritten} {store} @%p1 st.global.u32 [%rd1], %r8;"));
    assert_eq!(out, (0..32).map(|l| if l % 4 == 2 { 0 } else { 16 }).collect::<Vec<u32>>());
    let fault = faults(&format!("{unwritten} {store} @!%p1 st.global.u32 [%rd1], %r8;"));
    assert!(fault.message.starts_with("read of 4 bytes of shared memory"), "{fault}");
}

#[test]
fn unwritten_rows_may_be_loaded_as_a_matrix_and_not_used() {
    // Rows 0 to 5 of eight are written; each lane holds two elements of row lane / 4.
    let load = |form: &str| {
        format!(
            r"
                setp.lt.u32 %p1, %r4, 24;
                mov.u32 %r5, s; shl.b32 %r6, %r4, 2; add.u32 %r6, %r5, %r6;
                @%p1 st.shared.u32 [%r6], 0x00010001;
                bar.warp.sync -1;
                shl.b32 %r6, %r4, 4; add.u32 %r6, %r5, %r6;
                ldmatrix.sync.aligned.m8n8.x1{form}.shared.b16 {{%r7}}, [%r6];
            "
        )
    };
    let out = fine(&format!("{} @%p1 st.global.u32 [%rd1], %r7;", load("")));
    assert_eq!(out, [vec![0x10001; 24], vec![0; 8]].concat());
    let fault = faults(&format!("{} @!%p1 st.global.u32 [%rd1], %r7;", load("")));
    assert!(fault.message.starts_with("read of 16 bytes of shared memory"), "{fault}");
    // Transposed, lanes hold two rows of a column: those of rows 6 and 7 are each fourth lane's.
    let turned = "and.b32 %r8, %r4, 3; setp.ne.u32 %p1, %r8, 3;";
    fine(&format!("{} {turned} @%p1 st.global.u32 [%rd1], %r7;", load(".trans")));
    faults(&format!("{} {turned} @!%p1 st.global.u32 [%rd1], %r7;", load(".trans")));
}

/// A variable without a first value: what a GPU has in its register is what another thread left there.
#[test]
fn a_register_that_the_thread_has_not_set_has_no_value() {
    for (body, first) in [
        // A result, which is stored as it is, or after something was computed with it.
        ("st.global.u32 [%rd1], %r8;", "st.global"),
        ("add.u32 %r9, %r8, 1; st.global.u32 [%rd1], %r9;", "add"),
        // A branch, an address, and a loop's first turn.
        ("setp.eq.u32 %p1, %r8, 0; @%p1 bra L; st.global.u32 [%rd1], 1; L:", "setp"),
        ("cvt.u64.u32 %rd5, %r8; add.u64 %rd5, %rd1, %rd5; st.global.u32 [%rd5], 1;", "cvt"),
        (
            "mov.u32 %r9, 0; L: add.u32 %r8, %r8, %r9; add.u32 %r9, %r9, 1; setp.lt.u32 %p1, %r9, 4; @%p1 bra L; \
             st.global.u32 [%rd1], %r8;",
            "add",
        ),
        // One lane has set it, and another uses it.
        (
            "mov.u32 %r9, %tid.x; setp.eq.u32 %p1, %r9, 3; @%p1 mov.u32 %r8, 5; st.global.u32 [%rd1], %r8;",
            "st.global",
        ),
        // A predicate, and eight bytes.
        ("selp.u32 %r9, 1, 2, %p2; st.global.u32 [%rd1], %r9;", "selp"),
        ("st.global.u32 [%rd1], 1; cvt.u32.u64 %r9, %rd6; st.global.u32 [%rd1], %r9;", "cvt"),
    ] {
        let statements: Vec<&str> = body.split_inclusive("; ").collect();
        let text: String = (1..).zip(&statements).map(|(n, one)| format!(".loc 1 {n} 1\n{one}\n")).collect();
        let fault = faults(&text);
        assert!(
            fault.message.starts_with("read of a variable that the thread has not set"),
            "{fault}\n{body}"
        );
        let at = fault.place.source.as_ref().map_or(0, |(_, line)| *line as usize);
        assert!(statements[at - 1].contains(first), "{fault}\n{body}");
    }
}

#[test]
fn a_register_without_a_value_that_decides_nothing_is_not_a_fault() {
    for body in [
        // It is set in the lanes that use it.
        "mov.u32 %r9, %tid.x; setp.lt.u32 %p1, %r9, 4; @%p1 mov.u32 %r8, 5; @%p1 st.global.u32 [%rd1], %r8;",
        // It is not what is chosen, it is masked away, and it is thrown away.
        "setp.eq.u32 %p1, 0, 0; selp.u32 %r9, 7, %r8, %p1; st.global.u32 [%rd1], %r9;",
        "and.b32 %r9, %r8, 0; st.global.u32 [%rd1], %r9;",
        "add.u32 %r9, %r8, 1; st.global.u32 [%rd1], 2;",
    ] {
        fine(body);
    }
}
