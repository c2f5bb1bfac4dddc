//! Branches, divergence, barriers: where lanes go and where they meet.
#![allow(clippy::unwrap_used, missing_docs)]

use crate::common;
use common::{Bench, OWN_WORD, kernel};

#[test]
fn lanes_that_went_apart_meet_again() {
    // Odd lanes add 100, even ones 200; then everybody adds 1, in one go.
    let mut bench = Bench::new(&kernel(
        1,
        &format!(
            r"
                {OWN_WORD}
                and.b32 %r5, %r1, 1;
                setp.eq.s32 %p1, %r5, 0;
                @%p1 bra EVEN;
                add.s32 %r6, %r1, 100;
                bra MEET;
                EVEN:
                add.s32 %r6, %r1, 200;
                MEET:
                add.s32 %r6, %r6, 1;
                st.global.u32 [%rd1], %r6;
                ret;
            "
        ),
    ));
    let out = bench.words(&[0; 40]);
    let counters = bench.launch(1, 40, &[out]).unwrap();
    let expected: Vec<u32> = (0..40).map(|i| i + if i % 2 == 0 { 201 } else { 101 }).collect();
    assert_eq!(bench.read(out, 40), expected);
    assert_eq!(counters.divergent_branches, 2);
    assert_eq!(counters.global_store_requests, 2, "one store a warp: the lanes were together again");
}

#[test]
fn a_loop_of_a_different_length_in_each_lane_ends_for_each() {
    let mut bench = Bench::new(&kernel(
        1,
        &format!(
            r"
                {OWN_WORD}
                mov.u32 %r5, 0;
                mov.u32 %r6, 0;
                LOOP:
                add.s32 %r6, %r6, %r5;
                add.s32 %r5, %r5, 1;
                setp.le.u32 %p1, %r5, %r4;
                @%p1 bra LOOP;
                st.global.u32 [%rd1], %r6;
                ret;
            "
        ),
    ));
    let out = bench.words(&[0; 32]);
    let counters = bench.launch(1, 32, &[out]).unwrap();
    let expected: Vec<u32> = (0..32).map(|i| i * (i + 1) / 2).collect();
    assert_eq!(bench.read(out, 32), expected);
    assert_eq!(counters.divergent_branches, 31);
    assert_eq!(counters.global_store_requests, 1);
}

#[test]
fn lanes_that_exit_early_are_not_waited_for() {
    let mut bench = Bench::new(&kernel(
        1,
        &format!(
            r"
                {OWN_WORD}
                setp.lt.u32 %p1, %r4, 5;
                @%p1 bra SHORT;
                mov.u32 %r6, 7;
                bra MEET;
                SHORT:
                setp.eq.u32 %p2, %r4, 3;
                @%p2 exit;
                mov.u32 %r6, 8;
                MEET:
                st.global.u32 [%rd1], %r6;
                ret;
            "
        ),
    ));
    let out = bench.words(&[0; 32]);
    let counters = bench.launch(1, 32, &[out]).unwrap();
    let expected: Vec<u32> = (0..32)
        .map(|i| {
            if i == 3 {
                0
            } else if i < 5 {
                8
            } else {
                7
            }
        })
        .collect();
    assert_eq!(bench.read(out, 32), expected);
    assert_eq!(counters.global_store_requests, 1);
}

#[test]
fn lanes_that_stay_when_others_exit_still_wait_where_the_branch_ends() {
    // After the predicated exit the branch's two sides meet at once.
    let mut bench = Bench::new(&kernel(
        1,
        &format!(
            r"
                {OWN_WORD}
                mov.u32 %r6, 7;
                setp.ge.u32 %p1, %r4, 16;
                @%p1 bra MEET;
                mov.u32 %r6, 8;
                setp.eq.s32 %p2, %r4, 3;
                @%p2 exit;
                MEET:
                st.global.u32 [%rd1], %r6;
                ret;
            "
        ),
    ));
    let out = bench.words(&[0; 32]);
    let counters = bench.launch(1, 32, &[out]).unwrap();
    let expected: Vec<u32> = (0..32)
        .map(|i| {
            if i == 3 {
                0
            } else if i < 16 {
                8
            } else {
                7
            }
        })
        .collect();
    assert_eq!(bench.read(out, 32), expected);
    assert_eq!(counters.global_store_requests, 1, "together again");
}

#[test]
fn lanes_meet_after_a_barrier_that_ends_their_branch() {
    let mut bench = Bench::new(&kernel(
        1,
        &format!(
            r"
                {OWN_WORD}
                setp.lt.u32 %p1, %r4, 16;
                @%p1 bra LOW;
                mov.u32 %r6, 1;
                bar.sync 0;
                bra MEET;
                LOW:
                mov.u32 %r6, 2;
                bar.sync 0;
                MEET:
                st.global.u32 [%rd1], %r6;
                ret;
            "
        ),
    ));
    let out = bench.words(&[0; 32]);
    let counters = bench.launch(1, 32, &[out]).unwrap();
    assert_eq!(bench.read(out, 32), (0..32).map(|i| if i < 16 { 2 } else { 1 }).collect::<Vec<_>>());
    assert_eq!(counters.global_store_requests, 1, "together again");
}

#[test]
fn lanes_that_exit_two_branches_deep_are_waited_for_at_neither_end() {
    // Lanes below 8 exit in the inner branch, whose other lanes wait for them, and are expected at the outer end too.
    let mut bench = Bench::new(&kernel(
        1,
        &format!(
            r"
                {OWN_WORD}
                mov.u32 %r6, 1;
                setp.ge.u32 %p1, %r4, 16;
                @%p1 bra OUTER;
                setp.ge.u32 %p2, %r4, 8;
                @%p2 bra INNER;
                setp.lt.u32 %p3, %r4, 8;
                @%p3 exit;
                mov.u32 %r6, 9;
                INNER:
                add.s32 %r6, %r6, 1;
                OUTER:
                st.global.u32 [%rd1], %r6;
                ret;
            "
        ),
    ));
    let out = bench.words(&[0; 32]);
    let counters = bench.launch(1, 32, &[out]).unwrap();
    let expected: Vec<u32> = (0..32)
        .map(|i| {
            if i < 8 {
                0
            } else if i < 16 {
                2
            } else {
                1
            }
        })
        .collect();
    assert_eq!(bench.read(out, 32), expected);
    assert_eq!(counters.global_store_requests, 1, "together again");
}

#[test]
fn a_lane_that_waits_for_another_of_its_warp_is_let_go_in_time() {
    // Lane 0 spins until lane 31 has stored; lane 31 stores after the loop that lane 0 is in.
    let mut bench = Bench::new(&kernel(
        1,
        r"
            ld.param.u64 %rd0, [p0];
            mov.u32 %r4, %tid.x;
            setp.ne.u32 %p1, %r4, 0;
            @%p1 bra BEHIND;
            SPIN:
            ld.volatile.global.u32 %r5, [%rd0];
            setp.eq.u32 %p2, %r5, 0;
            @%p2 bra SPIN;
            BEHIND:
            setp.ne.u32 %p3, %r4, 31;
            @%p3 bra DONE;
            mov.u32 %r6, 9;
            st.volatile.global.u32 [%rd0], %r6;
            DONE:
            ret;
        ",
    ));
    let out = bench.words(&[0]);
    bench.launch(1, 32, &[out]).unwrap();
    assert_eq!(bench.read(out, 1), [9]);
}

#[test]
fn a_barrier_holds_every_warp_of_the_block() {
    // Each thread stores its index in shared memory and reads that of the thread across the block.
    let mut bench = Bench::new(&kernel(
        1,
        &format!(
            r"
                .shared .align 4 .b8 s[512];
                {OWN_WORD}
                mov.u32 %r5, s;
                shl.b32 %r6, %r4, 2;
                add.s32 %r7, %r5, %r6;
                st.shared.u32 [%r7], %r1;
                bar.sync 0;
                sub.s32 %r8, %r5, %r6;
                ld.shared.u32 %r9, [%r8+508];
                st.global.u32 [%rd1], %r9;
                ret;
            "
        ),
    ));
    let out = bench.words(&[0; 256]);
    let counters = bench.launch(2, 128, &[out]).unwrap();
    let expected: Vec<u32> = (0..2).flat_map(|b| (0..128).rev().map(move |i| b * 128 + i)).collect();
    assert_eq!(bench.read(out, 256), expected);
    assert_eq!(counters.barriers, 8);
    assert_eq!((counters.shared_load_wavefronts, counters.shared_load_bank_conflicts), (8, 0));
}

#[test]
fn a_predicated_instruction_touches_only_its_lanes() {
    let mut bench = Bench::new(&kernel(
        1,
        &format!("{OWN_WORD} setp.lt.u32 %p1, %r4, 9; @!%p1 st.global.u32 [%rd1], %r4; ret;"),
    ));
    let out = bench.words(&[99; 32]);
    bench.launch(1, 32, &[out]).unwrap();
    let expected: Vec<u32> = (0..32).map(|i| if i < 9 { 99 } else { i }).collect();
    assert_eq!(bench.read(out, 32), expected);
}

#[test]
fn counters_are_the_same_in_every_run_and_block_order() {
    let text = kernel(1, &format!("{OWN_WORD} st.global.u32 [%rd1], %r1; ret;"));
    let mut bench = Bench::new(&text);
    let out = bench.words(&vec![0; 1 << 16]);
    let first = bench.launch(1 << 11, 32, &[out]).unwrap();
    assert_eq!(first.global_store_sectors, 4 << 11);
    for _ in 0..3 {
        assert_eq!(bench.launch(1 << 11, 32, &[out]).unwrap(), first);
    }
}

#[test]
fn an_instruction_counts_once_whatever_it_takes() {
    // `c - a * b` becomes an `fma` with a factor's sign changed; still these are a product and a difference.
    for sum in ["add.f32 %f4, %f3, %f1", "sub.f32 %f4, %f3, %f1", "sub.f32 %f4, %f1, %f3"] {
        let body = format!(
            r"
                {OWN_WORD}
                mov.f32 %f2, 0f40000000;
                mov.f32 %f3, 0f3f800000;
                mul.f32 %f1, %f2, %f3;
                {sum};
                st.global.f32 [%rd1], %f4;
                ret;
            "
        );
        let text = kernel(1, &body);
        let mut bench = Bench::new(&text);
        let out = bench.words(&[0; 32]);
        let instructions = body.matches(';').count() as u64;
        assert_eq!(bench.launch(1, 32, &[out]).unwrap().warp_instructions, instructions, "{sum}");
    }
}
