//! Races in shared memory, reads of memory that nothing has written, barriers that parts of a warp or block reach.
#![allow(clippy::unwrap_used, missing_docs)]

use crate::common;
use common::{Bench, OWN_WORD, kernel};
use simt::{Error, Fault, FaultKind};

/// Thread `t`'s shared word is at `%r6`; its number in the block is in `%r4`.
fn shared(body: &str) -> String {
    kernel(
        1,
        &format!(
            r"
                {OWN_WORD}
                .shared .align 16 .b8 s[8192];
                mov.u32 %r5, s;
                shl.b32 %r6, %r4, 2;
                add.s32 %r6, %r5, %r6;
                {body}
                ret;
            "
        ),
    )
}

fn run(ptx: &str, block: u32) -> Result<(), Box<Fault>> {
    let mut bench = Bench::new(ptx);
    bench.device.options().checks = simt::Checks::ALL;
    bench.device.options().budget = 1 << 20;
    let out = bench.words(&vec![0; 2 * block as usize]);
    match bench.launch(2, block, &[out]) {
        Ok(_) => Ok(()),
        Err(Error::Fault(fault)) => Err(fault),
        Err(error) => panic!("{error}"),
    }
}

fn fine(body: &str, block: u32) {
    if let Err(fault) = run(&shared(body), block) {
        panic!("{fault}\n{body}");
    }
}

fn faults(body: &str, block: u32) -> Box<Fault> {
    run(&shared(body), block).expect_err(body)
}

fn races(body: &str, block: u32) -> Box<Fault> {
    let fault = faults(body, block);
    assert_eq!(fault.kind, FaultKind::SharedRace, "{fault}");
    fault
}

/// `%r7`: the shared word of the thread 32 further on, round the block of 64.
const NEXT_WARP: &str = "xor.b32 %r7, %r6, 128;\n";
/// `%r7`: the shared word of the neighbouring thread.
const NEIGHBOUR: &str = "xor.b32 %r7, %r6, 4;\n";

#[test]
fn what_another_warp_wrote_is_read_after_a_barrier_only() {
    let with =
        |barrier: &str| format!("{NEXT_WARP} st.shared.u32 [%r6], %r4; {barrier} ld.shared.u32 %r8, [%r7];");
    fine(&with("bar.sync 0;"), 64);
    let fault = races(
        &format!(
            r"
                st.shared.u32 [%r6], %r4;
                bar.sync 0;
                st.shared.u32 [%r6], 7;
                {NEXT_WARP}
                ld.shared.u32 %r8, [%r7];
            "
        ),
        64,
    );
    assert_eq!((fault.block, fault.thread), ([0, 0, 0], [32, 0, 0]), "{fault}");
    assert!(fault.message.contains("that thread (0,0,0) "), "{fault}");
    assert!(fault.message.contains("test.ptx:"), "{fault}");
}

#[test]
fn a_write_after_another_warps_read_is_a_race() {
    let body = |barrier: &str| {
        format!(
            r"
                {NEXT_WARP} st.shared.u32 [%r6], %r4;
                bar.sync 0;
                ld.shared.u32 %r8, [%r7];
                {barrier}
                setp.ge.u32 %p1, %r4, 32;
                add.s32 %r8, %r8, 1;
                @%p1 st.shared.u32 [%r6], %r8;
            "
        )
    };
    let fault = races(&body(""), 64);
    assert!(fault.message.starts_with("writes shared memory that thread (0,0,0) read at"), "{fault}");
    let told = fault.to_string();
    assert!(told.contains(" bytes past the start of s, 8192 bytes\n  in kernel"), "{told}");
    fine(&body("bar.sync 0;"), 64);
}

#[test]
fn a_read_by_several_warps_is_remembered_for_those_that_are_not_the_last() {
    // Everybody reads the first word, and then a thread of the last warp writes it.
    let body = r"
        setp.eq.u32 %p1, %r4, 95;
        @%p1 st.shared.u32 [%r5], 1;
        bar.sync 0;
        ld.shared.u32 %r8, [%r5];
        @%p1 st.shared.u32 [%r5], 2;
    ";
    let fault = races(body, 96);
    assert_eq!(fault.thread, [95, 0, 0]);
}

#[test]
fn threads_may_write_the_same_value_but_not_different_ones() {
    fine("st.shared.u32 [%r5], 5;", 64);
    fine("bar.sync 0; st.shared.u32 [%r5], 5; bar.sync 0; ld.shared.u32 %r8, [%r5];", 64);
    let between_warps = "shr.u32 %r8, %r4, 5; st.shared.u32 [%r5], %r8;";
    assert!(races(between_warps, 64).message.contains("writes"), "of two warps");
    let fault = races("st.shared.u32 [%r5], %r4;", 32);
    assert_eq!(fault.thread, [1, 0, 0], "lanes of one instruction");
}

#[test]
fn lanes_of_a_warp_need_a_meeting() {
    let with =
        |meeting: &str| format!("{NEIGHBOUR} st.shared.u32 [%r6], %r4; {meeting} ld.shared.u32 %r8, [%r7];");
    races(&with(""), 32);
    fine(&with("bar.warp.sync -1;"), 32);
    fine(&with("shfl.sync.idx.b32 %r9, %r4, 0, 31, -1;"), 32);
    fine(&with("bar.sync 0;"), 32);
    // Halves of the warp by themselves: enough for neighbours.
    let halves = r"
        setp.lt.u32 %p1, %r4, 16;
        @%p1 bra LOW;
        bar.warp.sync 0xffff0000;
        bra MET;
        LOW:
        bar.warp.sync 0xffff;
        MET:
    ";
    fine(&with(halves), 32);
    let other_half = with(halves).replace("xor.b32 %r7, %r6, 4;", "xor.b32 %r7, %r6, 64;");
    races(&other_half, 32);
}

#[test]
fn a_lanes_own_words_need_nothing() {
    fine(
        r"
            st.shared.u32 [%r6], %r4;
            ld.shared.u32 %r8, [%r6];
            add.s32 %r8, %r8, 1;
            st.shared.u32 [%r6], %r8;
        ",
        64,
    );
}

#[test]
fn volatile_lanes_that_count_on_moving_together_race() {
    let body = format!(
        r"
        {NEIGHBOUR} st.volatile.shared.u32 [%r6], %r4;
        ld.volatile.shared.u32 %r8, [%r7];
    "
    );
    races(&body, 32);
    // A flag is something else: who sets it, does so alone.
    let flag = r"
        setp.eq.u32 %p1, %r4, 0;
        @%p1 st.shared.u32 [%r5], 0;
        bar.sync 0;
        @%p1 bra SET;
        SPIN:
        ld.volatile.shared.u32 %r8, [%r5];
        setp.eq.u32 %p2, %r8, 0;
        @%p2 bra SPIN;
        bra END;
        SET:
        st.volatile.shared.u32 [%r5], 1;
        END:
    ";
    fine(flag, 32);
    fine(flag, 64);
}

#[test]
fn atomics_do_not_race_with_each_other_but_with_plain_accesses() {
    let start = "setp.eq.u32 %p1, %r4, 0; @%p1 st.shared.u32 [%r5], 0; ";
    let add = "atom.shared.add.u32 %r8, [%r5], 1;\n";
    fine(&format!("{start} bar.sync 0; {add} bar.sync 0; ld.shared.u32 %r9, [%r5];"), 64);
    races(&format!("{start} {add}"), 64);
    races(&format!("{start} bar.sync 0; {add} ld.shared.u32 %r9, [%r5];"), 64);
}

#[test]
fn what_a_flag_after_a_fence_publishes_is_not_a_race() {
    // The first warp writes its words and sets a flag, the second one waits for it and reads them.
    let body = |fence: &str| {
        format!(
            r"
                {NEXT_WARP} setp.eq.u32 %p1, %r4, 0;
                @%p1 st.shared.u32 [s+4096], 0;
                bar.sync 0;
                setp.ge.u32 %p2, %r4, 32;
                @%p2 bra WAIT;
                st.shared.u32 [%r6], %r4;
                {fence}
                bar.warp.sync -1;
                @%p1 st.volatile.shared.u32 [s+4096], 1;
                bra END;
                WAIT:
                ld.volatile.shared.u32 %r8, [s+4096];
                setp.eq.u32 %p3, %r8, 0;
                @%p3 bra WAIT;
                {fence}
                ld.shared.u32 %r9, [%r7];
                END:
            "
        )
    };
    fine(&body("membar.cta;"), 64);
    let unguarded = r"
        setp.ge.u32 %p2, %r4, 32;
        @%p2 bra READ;
        st.shared.u32 [%r6], %r4;
        bra END;
        READ:
        membar.cta;
        ld.shared.u32 %r9, [%r7];
        END:
    ";
    races(&format!("{NEXT_WARP} {unguarded}"), 64);
}

#[test]
fn a_barrier_of_some_warps_orders_those() {
    let body = |id: u32| {
        format!(
            r"
                {NEXT_WARP} setp.ge.u32 %p1, %r4, 64;
                @%p1 bra END;
                st.shared.u32 [%r6], %r4;
                bar.sync {id}, 64;
                ld.shared.u32 %r8, [%r7];
                END:
                bar.sync 0;
            "
        )
    };
    fine(&body(3), 96);
    // The third warp was not there.
    let third = body(3).replace("END:", "END: ld.shared.u32 %r9, [s];");
    races(&third, 96);
}

#[test]
fn narrow_neighbours_are_not_mixed_up() {
    let own_byte = "add.s32 %r7, %r5, %r4; st.shared.u8 [%r7], %r4; ";
    fine(&format!("{own_byte} ld.shared.u8 %r8, [%r7];"), 64);
    let fault = races(
        &format!(
            r"
            {own_byte} bar.sync 0;
            {own_byte} xor.b32 %r7, %r7, 32;
            ld.shared.u8 %r8, [%r7];
        "
        ),
        64,
    );
    assert_eq!(fault.thread, [32, 0, 0]);
}

#[test]
fn vectors_are_looked_at_whole() {
    let body = r"
            shl.b32 %r8, %r4, 4;
            add.s32 %r8, %r5, %r8;
            st.shared.v4.u32 [%r8], {%r4, %r4, %r4, %r4};
        ";
    fine(&format!("{body} ld.shared.v4.u32 {{%r9, %r10, %r11, %r12}}, [%r8];"), 64);
    // Thread 32's third word.
    races(&format!("{body} bar.sync 0; {body} ld.shared.u32 %r9, [s+520];"), 64);
}

#[test]
fn shared_memory_that_a_block_did_not_write_has_no_value() {
    let fault = faults(
        r"
            setp.lt.u32 %p1, %r4, 40;
            @%p1 st.shared.u32 [%r6], %r4;
            bar.sync 0;
            ld.shared.u32 %r8, [%r6];
            st.global.u32 [%rd1], %r8;
        ",
        64,
    );
    assert_eq!((fault.kind, fault.thread), (FaultKind::UninitialisedRead, [40, 0, 0]));
    // What the block before wrote does not count.
    let second = faults(
        r"
            mov.u32 %r8, %ctaid.x;
            setp.eq.u32 %p1, %r8, 0;
            @%p1 st.shared.u32 [%r6], %r4;
            ld.shared.u32 %r8, [%r6];
            st.global.u32 [%rd1], %r8;
        ",
        32,
    );
    assert_eq!((second.kind, second.block), (FaultKind::UninitialisedRead, [1, 0, 0]));
    let count = faults("atom.shared.add.u32 %r8, [%r5], 1;", 32);
    assert_eq!(count.kind, FaultKind::UninitialisedRead, "nobody set the counter to zero");
    fine("atom.shared.exch.b32 %r8, [%r5], 1;", 32);
}

#[test]
fn local_memory_has_no_value_before_a_lane_gives_it_one() {
    let body = |from: u32| {
        format!(
            r"
                .local .align 4 .b8 a[64];
                mov.u32 %r8, a;
                and.b32 %r9, %r4, 7;
                shl.b32 %r10, %r9, 2;
                add.s32 %r10, %r8, %r10;
                st.local.u32 [%r10], %r4;
                ld.local.u32 %r11, [a+{from}];
                add.s32 %r11, %r11, 1;
                st.global.u32 [%rd1], %r11;
            "
        )
    };
    let fault = faults(&body(0), 32);
    assert_eq!((fault.kind, fault.thread), (FaultKind::UninitialisedRead, [1, 0, 0]));
    let own = body(0).replace("[a+0]", "[%r10]");
    fine(&own, 32);
}

#[test]
fn a_copy_within_local_memory_may_have_holes() {
    let start = r"
        .local .align 8 .b8 a[64];
        st.local.u32 [a], %r4;
        ld.local.u64 %rd3, [a];
        ld.local.u64 %rd4, [a+8];
    ";
    fine(&format!("{start} st.local.u64 [a+32], %rd3; st.local.u64 [a+40], %rd4;"), 32);
    let out = faults(&format!("{start} cvt.u32.u64 %r8, %rd4; st.global.u32 [%rd1], %r8;"), 32);
    assert_eq!(out.kind, FaultKind::UninitialisedRead);
}

#[test]
fn what_a_kernel_wrote_can_be_read_and_nothing_else() {
    let mut bench = Bench::new(&kernel(
        2,
        &format!(
            r"
                {OWN_WORD}
                setp.eq.u32 %p1, %r1, 7;
                ld.param.u64 %rd3, [p1];
                add.s64 %rd3, %rd3, %rd2;
                ld.global.u32 %r5, [%rd1];
                @!%p1 st.global.u32 [%rd3], %r5;
                setp.eq.u32 %p2, %r5, 99;
                @%p2 trap;
                ret;
            "
        ),
    ));
    bench.device.options().checks = simt::Checks::ALL;
    let first = bench.words(&[1; 64]);
    let second = bench.device.allocate(256).unwrap();
    bench.device.name_buffer(second, "second").unwrap();
    let third = bench.device.allocate(256).unwrap();
    bench.launch(2, 32, &[first, second]).unwrap();
    let Err(Error::Fault(fault)) = bench.launch(2, 32, &[second, third]) else { panic!("no fault") };
    assert_eq!((fault.kind, fault.thread), (FaultKind::UninitialisedRead, [7, 0, 0]));
    assert_eq!(
        fault.message,
        "read of 4 bytes that nothing has written, 28 bytes past the start of second, 256 bytes"
    );
    bench.device.write(second, 28, &[0; 4]).unwrap();
    bench.launch(2, 32, &[second, third]).unwrap();
}

#[test]
fn a_launch_without_checks_may_have_written_everything() {
    let ptx =
        kernel(1, &format!("{OWN_WORD} ld.global.u32 %r5, [%rd1]; setp.eq.u32 %p1, %r5, 0; @%p1 exit; ret;"));
    let mut bench = Bench::new(&ptx);
    let buffer = bench.device.allocate(256).unwrap();
    bench.launch(1, 32, &[buffer]).unwrap();
    bench.device.options().checks = simt::Checks::ALL;
    bench.launch(1, 32, &[buffer]).unwrap();
    let other = bench.device.allocate(256).unwrap();
    assert!(bench.launch(1, 32, &[other]).is_err());
}

#[test]
fn a_barrier_in_both_arms_of_a_branch_is_divergent_within_a_warp_and_one_barrier_between_warps() {
    let arms = |lanes: u32| {
        format!(
            r"
                setp.lt.u32 %p1, %r4, {lanes};
                @%p1 bra LOW;
                bar.sync 0;
                mov.u32 %r8, 1;
                bra END;
                LOW:
                bar.sync 0;
                mov.u32 %r8, 2;
                END:
                st.shared.u32 [%r6], %r8;
            "
        )
    };
    let within = faults(&arms(16), 64);
    assert_eq!(within.kind, FaultKind::DivergentBarrier);
    assert!(within.message.contains("of their warp"), "{within}");
    fine(&arms(32), 64);
    fine(&arms(64), 64);
    // The form that any lane may come to by itself.
    fine(&arms(16).replace("bar.sync", "barrier.sync"), 64);
}

#[test]
fn threads_that_returned_are_not_missed_at_a_barrier() {
    for taken in ["@%p1 bra OUT;", "@!%p1 bra IN; bra OUT; IN:"] {
        let body = format!(
            r"
                setp.ge.u32 %p1, %r4, 50;
                {taken}
                st.shared.u32 [%r6], 1;
                bar.sync 0;
                ld.shared.u32 %r8, [%r6];
                OUT:
            "
        );
        fine(&body, 64);
    }
    let skipped = r"
        setp.ge.u32 %p1, %r4, 16;
        @%p1 bra OUT;
        bar.sync 0;
        OUT:
        st.shared.u32 [%r6], 1;
    ";
    assert_eq!(faults(skipped, 32).kind, FaultKind::DivergentBarrier);
}

#[test]
fn rows_that_both_halves_of_a_warp_read_are_marked_for_both() {
    // Thread t writes word t; both halves of each warp read the first sixteen words of the other warp.
    let body = |between: &str, who: u32| {
        format!(
            r"
                st.shared.u32 [%r6], %r4;
                bar.sync 0;
                and.b32 %r7, %r4, 15;
                shl.b32 %r7, %r7, 2;
                and.b32 %r8, %r4, 32;
                xor.b32 %r8, %r8, 32;
                shl.b32 %r8, %r8, 2;
                add.s32 %r7, %r7, %r8;
                add.s32 %r7, %r5, %r7;
                ld.shared.u32 %r9, [%r7];
                {between}
                setp.eq.u32 %p1, %r4, {who};
                @%p1 st.shared.u32 [%r7], 99;
            "
        )
    };
    fine(&body("bar.sync 0;", 35), 64);
    // Lanes 3 and 19 of the second warp read the word that lane 3 writes, and so does lane 19's write race with lane 3.
    for (who, other) in [(35, "(51,0,0)"), (51, "(35,0,0)")] {
        let fault = races(&body("", who), 64);
        assert!(fault.message.contains(other), "{fault}");
    }
}

/// Two products of a thread's own word and the next warp's, summed: loads that the device does together.
const PRODUCTS: &str = r"
    mov.f32 %f9, 0f00000000;
    ld.shared.f32 %f1, [%r6];
    ld.shared.f32 %f2, [%r7];
    fma.rn.f32 %f9, %f1, %f2, %f9;
    ld.shared.f32 %f3, [%r6+256];
    ld.shared.f32 %f4, [%r7+256];
    fma.rn.f32 %f9, %f3, %f4, %f9;
    st.global.f32 [%rd1], %f9;
";

#[test]
fn what_a_run_of_products_reads_must_be_written_and_settled() {
    let with = |writes: &str, barrier: &str| format!("{NEXT_WARP}{writes}{barrier}\n{PRODUCTS}");
    let (low, high) = ("st.shared.u32 [%r6], %r4;\n", "st.shared.u32 [%r6+256], %r4;\n");
    fine(&with(&format!("{low}{high}"), "bar.sync 0;"), 64);
    races(&with(&format!("{low}{high}bar.sync 0;\n{high}"), ""), 64);
    let fault = faults(&with(low, "bar.sync 0;"), 64);
    assert_eq!((fault.kind, fault.address), (FaultKind::UninitialisedRead, Some(256)), "{fault}");
}

#[test]
fn a_write_after_a_run_of_products_is_a_race_if_no_barrier_lies_between() {
    let with = |barrier: &str, at: &str| {
        format!(
            r"
                {NEXT_WARP} st.shared.u32 [%r6], %r4;
                st.shared.u32 [%r6+256], %r4;
                bar.sync 0;
                {PRODUCTS}{barrier}
                setp.ge.u32 %p1, %r4, 32;
                @%p1 st.shared.u32 [{at}], 7;
            "
        )
    };
    fine(&with("bar.sync 0;", "%r6"), 64);
    // What only others read, in the first group of the run and in the last.
    for at in ["%r6", "%r6+256"] {
        let fault = races(&with("", at), 64);
        assert!(fault.message.contains("that thread (") && fault.message.contains("read at"), "{fault}");
    }
    // Nothing reads these.
    fine(&with("", "%r6+512"), 64);
    // The place of the load is reported, of the second of a group and of the first.
    let line_of = |at: &str| {
        let body = with("", at);
        let fault = races(&body, 64);
        fault.message.split("test.ptx:").nth(1).and_then(|rest| rest.split(':').next()?.parse().ok())
    };
    let text = shared(&with("", "%r6"));
    let line = |what: &str| text.lines().position(|l| l.contains(what)).map(|n| n + 1);
    assert_eq!(line_of("%r6"), line("%f2, [%r7]"));
    assert_eq!(line_of("%r6+256"), line("%f4, [%r7+256]"));
    assert_eq!(line_of("%r7"), line("%f1, [%r6]"));
    assert_eq!(line_of("%r7+256"), line("%f3, [%r6+256]"));
}

#[test]
fn a_guess_that_a_compare_and_swap_corrects_is_not_a_race() {
    let zero = "setp.eq.u32 %p1, %r4, 0; @%p1 st.shared.u32 [s], 0; bar.sync 0; ";
    let add = r"
        ld.shared.u32 %r8, [s];
        AGAIN:
        mov.u32 %r9, %r8;
        add.u32 %r10, %r9, 1;
        atom.shared.cas.b32 %r8, [s], %r9, %r10;
        setp.ne.u32 %p2, %r8, %r9;
        @%p2 bra AGAIN;
    ";
    fine(&format!("{zero}{add}"), 64);
    // Nothing puts it right where others store.
    races(&format!("{zero}ld.shared.u32 %r8, [s]; st.shared.u32 [s], %r4;"), 64);
}

#[test]
fn what_is_read_past_the_end_and_not_chosen_is_not_a_fault() {
    let of = |then: &str| {
        format!(
            r"
                st.shared.u32 [%r6], %r4;
                bar.sync 0;
                ld.shared.u32 %r8, [%r6];
                ld.shared.u32 %r9, [%r6+4];
                setp.lt.u32 %p1, %r4, 63;
                {then}
            "
        )
    };
    fine(
        &of(r"
        setp.lt.u32 %p2, %r9, %r8;
        and.pred %p2, %p2, %p1;
        selp.u32 %r10, %r9, %r8, %p2;
        st.global.u32 [%rd1], %r10;
    "),
        64,
    );
    for then in [
        "setp.lt.u32 %p2, %r9, %r8; selp.u32 %r10, %r9, %r8, %p2; st.global.u32 [%rd1], %r10;",
        "setp.lt.u32 %p2, %r9, %r8; @%p2 bra END; mov.u32 %r10, 1; END:",
        "add.u32 %r10, %r9, %r8; st.global.u32 [%rd1], %r10;",
        "mov.u32 %r10, %r9; st.shared.u32 [%r6+1024], %r10; ld.shared.u32 %r11, [%r6+1024]; st.global.u32 [%rd1], %r11;",
        "shl.b32 %r10, %r9, 2; add.u32 %r10, %r10, %r5; ld.shared.u32 %r11, [%r10];",
        "atom.global.add.u32 %r11, [%rd1], %r9;",
        "shfl.sync.idx.b32 %r10, %r9, 31, 31, -1; st.global.u32 [%rd1], %r10;",
        "vote.sync.any.pred %p3, %p1, -1; setp.eq.u32 %p2, %r9, 0; vote.sync.ballot.b32 %r10, %p2, -1; st.global.u32 [%rd1], %r10;",
    ] {
        assert_eq!(faults(&of(then), 64).kind, FaultKind::UninitialisedRead, "{then}");
    }
}

#[test]
fn an_asynchronous_copy_may_end_with_the_buffer_where_it_reads_less_than_it_writes() {
    let copy = |bytes: u32| {
        kernel(
            2,
            &format!(
                "
                .shared .align 16 .b8 s[16];
                ld.param.u64 %rd0, [p0];
                ld.param.u64 %rd1, [p1];
                mov.u32 %r0, s;
                cp.async.ca.shared.global [%r0], [%rd0+16], 16, {bytes};
                cp.async.wait_all;
                ld.shared.v4.u32 {{%r1, %r2, %r3, %r4}}, [%r0];
                st.global.v4.u32 [%rd1], {{%r1, %r2, %r3, %r4}};
                ret;"
            ),
        )
    };
    for (bytes, expected) in [(4, [5, 0, 0, 0]), (0, [0; 4])] {
        let mut bench = Bench::new(&copy(bytes));
        bench.device.options().checks = simt::Checks::ALL;
        let (from, to) = (bench.words(&[1, 2, 3, 4, 5]), bench.words(&[9; 4]));
        bench.launch(1, 1, &[from, to]).unwrap();
        assert_eq!(bench.read(to, 4), expected);
    }
    let mut bench = Bench::new(&copy(8));
    let (from, to) = (bench.words(&[1, 2, 3, 4, 5]), bench.words(&[9; 4]));
    let Err(Error::Fault(fault)) = bench.launch(1, 1, &[from, to]) else {
        panic!("it reads beyond the buffer")
    };
    assert_eq!(fault.kind, FaultKind::OutOfBoundsGlobal, "{fault}");
}

/// Thread `t` copies a word to its shared one, as often as `copies` says; then it waits, if it does, and all meet.
fn copies(body: &str) -> String {
    kernel(
        2,
        &format!(
            r"
                .shared .align 16 .b8 s[1024];
                ld.param.u64 %rd0, [p0];
                ld.param.u64 %rd1, [p1];
                mov.u32 %r4, %tid.x;
                shl.b32 %r5, %r4, 2;
                mov.u32 %r6, s;
                add.s32 %r6, %r6, %r5;
                xor.b32 %r7, %r6, 128;
                cvt.u64.u32 %rd2, %r5;
                add.s64 %rd0, %rd0, %rd2;
                add.s64 %rd1, %rd1, %rd2;
                {body}
                st.global.u32 [%rd1], %r8;
                ret;
            "
        ),
    )
}

fn copied(body: &str) -> Result<Vec<u32>, Box<Fault>> {
    let mut bench = Bench::new(&copies(body));
    bench.device.options().checks = simt::Checks::ALL;
    let (from, to) = (bench.words(&(0..128).collect::<Vec<_>>()), bench.words(&[0; 64]));
    match bench.launch(1, 64, &[from, to]) {
        Ok(_) => Ok(bench.read(to, 64)),
        Err(Error::Fault(fault)) => Err(fault),
        Err(error) => panic!("{error}"),
    }
}

const COPY: &str = "cp.async.ca.shared.global [%r6], [%rd0], 4;";
const COPY_MORE: &str = "cp.async.ca.shared.global [%r6+256], [%rd0+256], 4;";

#[test]
fn what_a_copy_writes_is_there_once_its_thread_has_waited() {
    let others = (0..64).map(|t: u32| t ^ 32).collect::<Vec<_>>();
    for waits in [
        "cp.async.wait_all;",
        "cp.async.commit_group; cp.async.wait_group 0;",
        "cp.async.commit_group; cp.async.commit_group; cp.async.wait_group 1;",
    ] {
        let body = format!("{COPY} {waits} bar.sync 0; ld.shared.u32 %r8, [%r7];");
        assert_eq!(copied(&body).unwrap(), others, "{waits}");
        let own = format!("{COPY} {waits} ld.shared.u32 %r8, [%r6];");
        assert_eq!(copied(&own).unwrap()[5], 5, "{waits}");
    }
    // The next tile is under way while this one is read.
    let body = format!(
        "{COPY} cp.async.commit_group; {COPY_MORE} cp.async.commit_group; cp.async.wait_group 1; bar.sync 0;
         ld.shared.u32 %r8, [%r7]; cp.async.wait_group 0; bar.sync 0; ld.shared.u32 %r9, [%r7+256]; add.u32 %r8, %r8, %r9;"
    );
    assert_eq!(copied(&body).unwrap()[3], 35 + 64 + 35);
}

#[test]
fn no_thread_may_read_what_a_copy_writes_before_its_thread_has_waited() {
    let (commit, pair) =
        ("cp.async.commit_group;", format!("cp.async.commit_group; {COPY_MORE} cp.async.commit_group;"));
    let not_waited = "the copy has not been waited for before the barrier (";
    for (waits, from, missing) in [
        (String::new(), "%r6", "the copy has not been waited for ("),
        (String::new(), "%r7", not_waited),
        (commit.to_owned(), "%r7", not_waited),
        ("cp.async.wait_group 0;".to_owned(), "%r7", "it has not been committed"),
        (format!("cp.async.wait_group 0; {commit}"), "%r7", "the wait comes before the copy is committed"),
        (format!("{commit} cp.async.wait_group 1;"), "%r7", "leaves the latest group of copies under way"),
        (format!("{commit} cp.async.wait_group 1;"), "%r6", "leaves the latest group of copies under way"),
        (format!("{pair} cp.async.wait_group 2;"), "%r7", "leaves the latest 2 groups of copies under way"),
    ] {
        let fault = copied(&format!("{COPY} {waits} bar.sync 0; ld.shared.u32 %r8, [{from}];")).unwrap_err();
        assert_eq!(fault.kind, FaultKind::SharedRace, "{waits}");
        let other = if from == "%r6" { 0 } else { 32 };
        let expected = format!("reads shared memory that thread ({other},0,0) copies to at ");
        assert!(fault.message.starts_with(&expected), "{fault}");
        assert!(fault.message.contains(missing), "{fault}");
    }
}

#[test]
fn a_copy_that_was_waited_for_is_a_write_of_that_moment() {
    // The barrier comes first: those who come to it do not wait for the copy.
    let body = format!("{COPY} bar.sync 0; cp.async.wait_all; ld.shared.u32 %r8, [%r7];");
    let fault = copied(&body).unwrap_err();
    assert_eq!(fault.kind, FaultKind::SharedRace);
    assert!(fault.message.contains("has not been waited for before the barrier"), "{fault}");
    // Another lane has waited too.
    let beside = "xor.b32 %r7, %r6, 4; ld.shared.u32 %r8, [%r7];";
    for (waits, missing) in [
        ("bar.sync 0; cp.async.wait_all;", "the wait for the copy comes after the barrier"),
        ("cp.async.wait_all;", "a barrier after the wait for the copy is missing"),
    ] {
        let fault = copied(&format!("{COPY} {waits} {beside}")).unwrap_err();
        assert!(fault.message.contains("thread (1,0,0) copied to at"), "{fault}");
        assert!(fault.message.contains(missing), "{fault}");
    }
    // What others still read is not to be copied to.
    let body = format!(
        "{COPY} cp.async.wait_all; bar.sync 0; ld.shared.u32 %r8, [%r7]; {COPY} cp.async.wait_all; bar.sync 0;"
    );
    assert_eq!(copied(&body).unwrap_err().kind, FaultKind::SharedRace);
}

#[test]
fn two_copies_to_one_place_are_not_under_way_together() {
    // A ring of fewer buffers than stages.
    let twice = "cp.async.ca.shared.global [%r6], [%rd0+256], 4;";
    let fault = copied(&format!(
        "{COPY} cp.async.commit_group; {twice} cp.async.commit_group; cp.async.wait_all; bar.sync 0; ld.shared.u32 %r8, [%r7];"
    ))
    .unwrap_err();
    assert_eq!(fault.kind, FaultKind::SharedRace);
    assert!(fault.message.starts_with("writes shared memory that thread (0,0,0) copies to at "), "{fault}");
    let waits =
        format!("{COPY} cp.async.wait_all; {twice} cp.async.wait_all; bar.sync 0; ld.shared.u32 %r8, [%r7];");
    assert_eq!(copied(&waits).unwrap()[0], 64 + 32);
}

#[test]
fn a_block_does_not_mind_copies_that_another_left_under_way() {
    let ptx = copies(&format!(
        "mov.u32 %r8, %ctaid.x; setp.eq.u32 %p1, %r8, 0; @%p1 bra LEAVE;
         st.shared.u32 [%r6], %r4; bar.sync 0; ld.shared.u32 %r8, [%r7]; st.global.u32 [%rd1], %r8; ret;
         LEAVE: {COPY} ret;"
    ));
    let mut bench = Bench::new(&ptx);
    bench.device.options().checks = simt::Checks::ALL;
    bench.device.options().deterministic = true;
    let (from, to) = (bench.words(&(0..128).collect::<Vec<_>>()), bench.words(&[0; 64]));
    bench.launch(2, 64, &[from, to]).unwrap();
    assert_eq!(bench.read(to, 64)[3], 35);
}

#[test]
fn a_shuffle_in_a_loop_names_the_lane_whose_value_is_used() {
    // A sum of 4 lanes, by steps of 16, 8, 4, 2 and 1: the first step is wrong already.
    let fault = faults(
        r"
            setp.ge.u32 %p1, %r4, 4;
            @%p1 bra END;
            mov.u32 %r8, 1;
            mov.u32 %r9, 16;
        NEXT:
            shfl.sync.down.b32 %r10, %r8, %r9, 31, 15;
            add.u32 %r8, %r8, %r10;
            shr.u32 %r9, %r9, 1;
            setp.ne.u32 %p2, %r9, 0;
            @%p2 bra NEXT;
            setp.ne.u32 %p2, %r4, 0;
            @%p2 bra END;
            st.global.u32 [%rd1], %r8;
        END:
        ",
        64,
    );
    assert_eq!((fault.kind, fault.thread), (FaultKind::InvalidMask, [0; 3]));
    assert!(fault.message.starts_with("lane 0 takes the value of lane 16, "), "{fault}");
}
