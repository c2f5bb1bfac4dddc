//! Counters of what the chip executes, next to those of the PTX: small kernels, one for each thing that ptxas does.

use simt::{Arg, Chip, Device, Launch, Outcome};

type Result<T = (), E = Box<dyn std::error::Error>> = std::result::Result<T, E>;

/// A launch of two warps with a buffer of 4 KiB.
fn launch(body: &str, executed: bool) -> Result<Outcome> {
    let mut device = Device::new(Chip::by_name("h200")?);
    device.options().executed = executed;
    let text = format!(
        ".version 8.0
        .target sm_75
        .address_size 64
        .visible .entry k(.param .u64 a, .param .u32 n)
        {{
            .reg .pred %p<3>; .reg .b32 %r<12>; .reg .b64 %d<4>;
            .shared .align 16 .b8 s[2048];
            mov.u32 %r1, %tid.x;
            ld.param.u64 %d1, [a];
            ld.param.u32 %r2, [n];
            mov.u32 %r3, s;
            shl.b32 %r4, %r1, 4;
            add.s32 %r5, %r3, %r4;
            {body}
            ret;
        }}"
    );
    let module = device.load("k.ptx", &text)?;
    let buffer = device.allocate(4096)?;
    let launch = Launch {
        module,
        kernel: "k",
        grid: [1, 1, 1],
        block: [64, 1, 1],
        shared_bytes: 0,
        args: vec![Arg::Buffer(buffer, 0), Arg::Value(32u32.to_le_bytes().to_vec())],
        cluster: None,
        cooperative: false,
    };
    Ok(device.launch(&launch)?)
}

fn given(outcome: &Outcome, name: &str) -> Option<u64> {
    outcome.executed.get(name)
}

const ARM: &str = "setp.ge.u32 %p1, %r1, %r2; @%p1 bra L; st.shared.u32 [%r5], %r1; L: bar.sync 0; st.global.u32 [%d1], %r1;";

#[test]
fn a_warp_that_a_predicate_turns_off_executes_the_instruction_without_wavefronts() -> Result {
    let outcome = launch(ARM, true)?;
    assert_eq!(outcome.counters.shared_store_instructions, 1);
    assert_eq!(given(&outcome, "shared_store_instructions"), Some(2));
    assert_eq!(given(&outcome, "shared_store_wavefronts"), Some(outcome.counters.shared_store_wavefronts));
    Ok(())
}

#[test]
fn a_load_that_a_predicate_turns_off_takes_a_turn_of_l1_without_a_request() -> Result {
    let outcome = launch(
        "setp.ge.u32 %p1, %r1, %r2; @%p1 bra L; ld.global.u32 %r6, [%d1]; L: bar.sync 0; st.global.u32 [%d1], %r6;",
        true,
    )?;
    let load = |c: &simt::Counters| (c.global_load_requests, c.global_load_data_wavefronts);
    assert_eq!(load(&outcome.counters), (1, 1));
    assert_eq!(given(&outcome, "global_load_requests"), Some(1));
    assert_eq!(given(&outcome, "global_load_data_wavefronts"), Some(2));
    // A predicate of the PTX's own is no other thing.
    let guarded = launch(
        "setp.lt.u32 %p1, %r1, %r2; @%p1 ld.global.u32 %r6, [%d1]; @%p1 ld.u32 %r7, [%d1]; @%p1 st.global.u32 [%d1], %r6;",
        true,
    )?;
    assert_eq!(load(&guarded.counters), (2, 4));
    assert_eq!(
        (guarded.counters.global_store_requests, guarded.counters.global_store_data_wavefronts),
        (1, 2)
    );
    assert_eq!(guarded.counters.global_load_wavefronts, 2);
    assert_eq!(given(&guarded, "global_load_data_wavefronts"), Some(4));
    Ok(())
}

#[test]
fn neighbouring_loads_are_one_of_16_bytes() -> Result {
    let outcome = launch(
        "st.shared.v4.u32 [%r5], {%r1, %r1, %r1, %r1}; bar.sync 0;
         ld.shared.u32 %r6, [%r5]; ld.shared.u32 %r7, [%r5+4]; ld.shared.u32 %r8, [%r5+8]; ld.shared.u32 %r9, [%r5+12];
         add.s32 %r6, %r6, %r7; add.s32 %r6, %r6, %r8; add.s32 %r6, %r6, %r9; st.global.u32 [%d1], %r6;",
        true,
    )?;
    // A stride of 16 bytes: each of the four loads has every fourth bank; 512 bytes are four passes.
    assert_eq!((outcome.counters.shared_load_instructions, outcome.counters.shared_load_wavefronts), (8, 32));
    assert_eq!(given(&outcome, "shared_load_instructions"), Some(2));
    assert_eq!(given(&outcome, "shared_load_wavefronts"), Some(8));
    assert_eq!(given(&outcome, "shared_load_bank_conflicts"), Some(0));
    Ok(())
}

#[test]
fn one_lane_adds_for_its_warp() -> Result {
    let outcome = launch("red.global.add.u32 [%d1], %r1;", true)?;
    assert_eq!((outcome.counters.global_red_requests, outcome.counters.global_red_sectors), (2, 64));
    assert_eq!(given(&outcome, "global_red_requests"), Some(2));
    assert_eq!(given(&outcome, "global_red_sectors"), Some(2));
    Ok(())
}

#[test]
fn nothing_is_given_unless_it_is_asked_for_and_no_counter_of_the_ptx_changes() -> Result {
    let (without, with) = (launch(ARM, false)?, launch(ARM, true)?);
    assert!(without.executed.is_empty());
    assert_eq!(without.counters, with.counters);
    assert!(with.profile.is_empty());
    // What ptxas makes differently throughout is not given.
    assert_eq!(given(&with, "warp_instructions"), None);
    Ok(())
}

#[test]
fn local_variables_at_known_places_are_in_registers_and_bytes_are_not() -> Result {
    let stored = |ty: &str| {
        launch(
            &format!(
                ".local .align 4 .b8 l[16]; .reg .b64 %q<4>; mov.u64 %q1, l; st.local.{ty} [%q1], %r1;
                 st.local.{ty} [%q1+4], %r1; ld.local.{ty} %r6, [%q1+4]; st.global.u32 [%d1], %r6;"
            ),
            true,
        )
    };
    let (words, bytes) = (stored("u32")?, stored("u8")?);
    assert_eq!((words.counters.local_store_requests, given(&words, "local_store_requests")), (4, Some(0)));
    assert_eq!((bytes.counters.local_store_requests, given(&bytes, "local_store_requests")), (4, Some(4)));
    Ok(())
}

#[test]
fn a_counter_that_cannot_be_given_has_a_reason() -> Result {
    let outcome = launch(
        ".local .align 4 .b8 l[16]; .reg .b64 %q<4>; mov.u64 %q1, l; st.local.u32 [%q1], %r1; cvta.local.u64 %q2, %q1;
         st.u32 [%q2], %r1; st.shared.u32 [%r5], %r1;",
        true,
    )?;
    assert_eq!(given(&outcome, "local_store_requests"), None);
    let why = outcome.executed.untold().find(|(name, _)| *name == "local_store_requests");
    assert_eq!(why, Some(("local_store_requests", "addresses of local variables are passed on")));
    assert_eq!(given(&outcome, "shared_store_instructions"), Some(2));
    Ok(())
}

#[test]
fn a_loop_that_ptxas_unrolls_is_not_counted_where_lanes_leave_it_one_after_the_other() -> Result {
    let rounds = |bound: &str| {
        launch(
            &format!(
                ".reg .pred %q<2>; mov.u32 %r6, 0; L: st.global.u32 [%d1], %r6; add.s32 %r6, %r6, 1;
                 setp.lt.s32 %q1, %r6, {bound}; @%q1 bra L;"
            ),
            true,
        )
    };
    assert_eq!(given(&rounds("%r2")?, "global_store_requests"), Some(64));
    assert_eq!(given(&rounds("%r1")?, "global_store_requests"), None);
    Ok(())
}

#[test]
fn warps_that_contend_in_a_loop_of_compare_and_swaps_are_not_counted() -> Result {
    let outcome = launch(
        ".reg .pred %q<2>; ld.global.u32 %r6, [%d1]; L: add.s32 %r7, %r6, 1; atom.global.cas.b32 %r8, [%d1], %r6, %r7;
         setp.ne.s32 %q1, %r8, %r6; mov.u32 %r6, %r8; @%q1 bra L;",
        true,
    )?;
    assert_eq!(given(&outcome, "global_atomic_requests"), None);
    assert_eq!(given(&outcome, "global_load_requests"), Some(2));
    Ok(())
}

#[test]
fn an_atomic_operation_keeps_its_result_in_a_kernel_with_fences() -> Result {
    let outcome = launch("membar.gl; atom.global.add.u32 %r6, [%d1], %r1;", true)?;
    assert_eq!((outcome.counters.global_red_requests, outcome.counters.global_atomic_requests), (2, 0));
    assert_eq!(given(&outcome, "global_red_requests"), Some(0));
    assert_eq!(given(&outcome, "global_atomic_requests"), Some(2));
    Ok(())
}

#[test]
fn a_loop_that_waits_for_another_warp_is_not_counted() -> Result {
    let outcome = launch(
        ".reg .pred %q<2>; red.global.add.u32 [%d1], 1; L: ld.volatile.global.u32 %r6, [%d1]; setp.lt.u32 %q1, %r6, 64; @%q1 bra L;",
        true,
    )?;
    assert_eq!(given(&outcome, "global_load_requests"), None);
    assert_eq!(given(&outcome, "global_red_requests"), Some(2));
    Ok(())
}
