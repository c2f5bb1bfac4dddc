//! Branches, divergence, barriers: where lanes go and where they meet.
#![allow(clippy::unwrap_used, missing_docs)]

mod common;
use common::{Bench, OWN_WORD, kernel};

#[test]
fn lanes_that_went_apart_meet_again() {
    // Odd lanes add 100, even ones 200; then everybody adds 1, in one go.
    let mut bench = Bench::new(&kernel(
        1,
        &format!(
            "{OWN_WORD} and.b32 %r5, %r1, 1;\nsetp.eq.s32 %p1, %r5, 0;\n@%p1 bra EVEN;\nadd.s32 %r6, %r1, 100;\n\
             bra MEET;\nEVEN:\nadd.s32 %r6, %r1, 200;\nMEET:\nadd.s32 %r6, %r6, 1;\nst.global.u32 [%rd1], %r6;\nret;"
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
            "{OWN_WORD} mov.u32 %r5, 0;\nmov.u32 %r6, 0;\nLOOP:\nadd.s32 %r6, %r6, %r5;\nadd.s32 %r5, %r5, 1;\n\
             setp.le.u32 %p1, %r5, %r4;\n@%p1 bra LOOP;\nst.global.u32 [%rd1], %r6;\nret;"
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
            "{OWN_WORD} setp.lt.u32 %p1, %r4, 5;\n@%p1 bra SHORT;\nmov.u32 %r6, 7;\nbra MEET;\nSHORT:\n\
             setp.eq.u32 %p2, %r4, 3;\n@%p2 exit;\nmov.u32 %r6, 8;\nMEET:\nst.global.u32 [%rd1], %r6;\nret;"
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
    // Behind the predicated exit the branch's two sides meet at once.
    let mut bench = Bench::new(&kernel(
        1,
        &format!(
            "{OWN_WORD} mov.u32 %r6, 7;\nsetp.ge.u32 %p1, %r4, 16;\n@%p1 bra MEET;\nmov.u32 %r6, 8;\n\
             setp.eq.s32 %p2, %r4, 3;\n@%p2 exit;\nMEET:\nst.global.u32 [%rd1], %r6;\nret;"
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
fn lanes_meet_behind_a_barrier_that_ends_their_branch() {
    let mut bench = Bench::new(&kernel(
        1,
        &format!(
            "{OWN_WORD} setp.lt.u32 %p1, %r4, 16;\n@%p1 bra LOW;\nmov.u32 %r6, 1;\nbar.sync 0;\nbra MEET;\nLOW:\n\
             mov.u32 %r6, 2;\nbar.sync 0;\nMEET:\nst.global.u32 [%rd1], %r6;\nret;"
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
            "{OWN_WORD} mov.u32 %r6, 1;\nsetp.ge.u32 %p1, %r4, 16;\n@%p1 bra OUTER;\nsetp.ge.u32 %p2, %r4, 8;\n\
             @%p2 bra INNER;\nsetp.lt.u32 %p3, %r4, 8;\n@%p3 exit;\nmov.u32 %r6, 9;\nINNER:\nadd.s32 %r6, %r6, 1;\n\
             OUTER:\nst.global.u32 [%rd1], %r6;\nret;"
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
    // Lane 0 spins until lane 31 has stored; lane 31 stores behind the loop that lane 0 is in.
    let mut bench = Bench::new(&kernel(
        1,
        "ld.param.u64 %rd0, [p0];\nmov.u32 %r4, %tid.x;\nsetp.ne.u32 %p1, %r4, 0;\n@%p1 bra BEHIND;\nSPIN:\n\
         ld.volatile.global.u32 %r5, [%rd0];\nsetp.eq.u32 %p2, %r5, 0;\n@%p2 bra SPIN;\nBEHIND:\n\
         setp.ne.u32 %p3, %r4, 31;\n@%p3 bra DONE;\nmov.u32 %r6, 9;\nst.volatile.global.u32 [%rd0], %r6;\nDONE:\nret;",
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
            ".shared .align 4 .b8 s[512];\n{OWN_WORD} mov.u32 %r5, s;\nshl.b32 %r6, %r4, 2;\nadd.s32 %r7, %r5, %r6;\n\
             st.shared.u32 [%r7], %r1;\nbar.sync 0;\nsub.s32 %r8, %r5, %r6;\nld.shared.u32 %r9, [%r8+508];\n\
             st.global.u32 [%rd1], %r9;\nret;"
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
        &format!("{OWN_WORD} setp.lt.u32 %p1, %r4, 9;\n@!%p1 st.global.u32 [%rd1], %r4;\nret;"),
    ));
    let out = bench.words(&[99; 32]);
    bench.launch(1, 32, &[out]).unwrap();
    let expected: Vec<u32> = (0..32).map(|i| if i < 9 { 99 } else { i }).collect();
    assert_eq!(bench.read(out, 32), expected);
}

#[test]
fn counters_are_the_same_in_every_run_and_block_order() {
    let text = kernel(1, &format!("{OWN_WORD} st.global.u32 [%rd1], %r1;\nret;"));
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
            "{OWN_WORD} mov.f32 %f2, 0f40000000;\nmov.f32 %f3, 0f3f800000;\nmul.f32 %f1, %f2, %f3;\n{sum};\n\
             st.global.f32 [%rd1], %f4;\nret;"
        );
        let text = kernel(1, &body);
        let mut bench = Bench::new(&text);
        let out = bench.words(&[0; 32]);
        let instructions = body.matches(';').count() as u64;
        assert_eq!(bench.launch(1, 32, &[out]).unwrap().warp_instructions, instructions, "{sum}");
    }
}
