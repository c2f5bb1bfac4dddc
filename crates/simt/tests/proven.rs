//! Loops that never end are reported as proven, long before the budget; loops that are only long are not.
#![allow(clippy::unwrap_used, missing_docs)]

use crate::common;
use common::kernel;
use simt::{Arg, Chip, Device, Error, Fault, FaultKind, Launch};

/// An eighth of what a block may spend by default, which takes well under a second.
const BUDGET: u64 = 1 << 22;

/// For loops that are only long.
const LONG: u64 = 1 << 26;

#[derive(Clone, Copy)]
struct Shape {
    blocks: u32,
    threads: u32,
    cluster: Option<[u32; 3]>,
    cooperative: bool,
}

const ONE: Shape = Shape { blocks: 1, threads: 32, cluster: None, cooperative: false };

/// Registers with which a body begins: the words' address in `%rd1`, thread, block and lane in `%r1` to `%r3`.
const START: &str = r"
    .shared .align 8 .b32 s[64];
    .local .align 8 .b32 own[4];
    .loc 1 10 1
    ld.param.u64 %rd1, [p0];
    mov.u32 %r1, %tid.x;
    mov.u32 %r2, %ctaid.x;
    mov.u32 %r3, %laneid;
    setp.ne.u32 %p7, %r1, 0;
    @%p7 bra READY;
    mov.u32 %r4, 0;
    st.shared.u32 [s], %r4;
    READY:
    bar.sync 0;
";

fn run(body: &str, shape: Shape, checks: bool) -> Result<simt::Outcome, Error> {
    run_within(BUDGET, body, shape, checks)
}

fn run_within(budget: u64, body: &str, shape: Shape, checks: bool) -> Result<simt::Outcome, Error> {
    let text = kernel(1, &format!("{START} {body}"))
        .replace(".target sm_52", ".target sm_90")
        .replace(".visible", ".file 1 \"k.cu\"\n.visible");
    let mut device = Device::new(Chip::by_name("h200").unwrap());
    let options = device.options();
    (options.budget, options.budget_per_byte) = (budget, 0);
    options.checks = simt::Checks::all_or_none(checks);
    let module = device.load("k.ptx", &text)?;
    let words = device.allocate(4096)?;
    device.name_buffer(words, "flags")?;
    device.write(words, 0, &[0; 4096])?;
    device.launch(&Launch {
        module,
        kernel: "k",
        grid: [shape.blocks, 1, 1],
        block: [shape.threads, 1, 1],
        shared_bytes: 0,
        args: vec![Arg::Buffer(words, 0)],
        cluster: shape.cluster,
        cooperative: shape.cooperative,
    })
}

fn fault(body: &str, shape: Shape) -> Fault {
    let [plain, checked] = [false, true].map(|checks| match run(body, shape, checks) {
        Err(Error::Fault(fault)) => *fault,
        other => panic!("{body}: {other:?}"),
    });
    assert_eq!(plain, checked, "{body}");
    plain
}

/// A proof, of a fault in line 20 that waits for what is said.
fn waits(body: &str, shape: Shape, place: &str) {
    let fault = fault(body, shape);
    assert!(fault.kind == FaultKind::InfiniteLoop && fault.proven, "{body}: {fault}");
    assert_eq!(fault.place.source, Some(("k.cu".to_owned(), 20)), "{body}: {fault}");
    let said = fault.to_string();
    assert!(said.contains("recurs and no memory changes: it never ends; it waits for what is at"), "{said}");
    assert!(said.contains(place) && fault.address.is_some(), "{said}");
}

const FLAG: &str = "
    L:
    .loc 1 20 1
    ld.volatile.global.u32 %r4, [%rd1+8];
    .loc 1 21 1
    setp.eq.u32 %p1, %r4, 0;
    @%p1 bra L;
    ret;
";

const AT_8: &str = "8 bytes past the start of flags, 4096 bytes";

#[test]
fn a_warp_that_waits_for_a_flag_never_ends() {
    waits(FLAG, ONE, AT_8);
    waits(&FLAG.replace(".volatile", ""), ONE, AT_8);
    waits(&FLAG.replace("ld.volatile.global", "ld.acquire.gpu.global"), ONE, AT_8);
    waits(&FLAG.replace(".volatile.global", ".volatile"), ONE, AT_8);
}

#[test]
fn many_warps_that_wait_for_a_flag_never_end() {
    waits(FLAG, Shape { threads: 1024, ..ONE }, AT_8);
    waits(&FLAG.replace(".volatile", ""), Shape { threads: 128, ..ONE }, AT_8);
}

#[test]
fn one_lane_that_waits_while_all_others_are_at_a_barrier_never_ends() {
    for (place, address) in
        [(".global.u32 %r4, [%rd1+8]", AT_8), (".shared.u32 %r4, [s]", "in shared memory")]
    {
        let body = format!(
            "
                setp.ne.u32 %p2, %r1, 37;
                @%p2 bra ALL;
                L:
                .loc 1 20 1
                ld.volatile{place};
                .loc 1 21 1
                setp.eq.u32 %p1, %r4, 0;
                @%p1 bra L;
                ALL:
                bar.sync 0;
                ret;
            "
        );
        let shape = Shape { threads: 64, ..ONE };
        waits(&body, shape, address);
        assert_eq!(fault(&body, shape).thread, [37, 0, 0]);
    }
}

#[test]
fn a_lock_that_is_never_freed_is_waited_for_without_end() {
    let lock = |operation: &str| {
        format!(
            "
                mov.u32 %r5, 1;
                mov.u32 %r6, 0;
                st.volatile.global.u32 [%rd1+8], %r5;
                L:
                .loc 1 20 1
                {operation};
                .loc 1 21 1
                setp.ne.u32 %p1, %r4, 0;
                @%p1 bra L;
                ret;
            "
        )
    };
    waits(&lock("atom.global.cas.b32 %r4, [%rd1+8], %r6, %r5"), ONE, AT_8);
    waits(&lock("atom.global.exch.b32 %r4, [%rd1+8], %r5"), ONE, AT_8);
    waits(&lock("atom.global.or.b32 %r4, [%rd1+8], 0"), ONE, AT_8);
}

#[test]
fn a_condition_that_is_looked_at_under_a_lock_never_comes_true() {
    let body = "
        mov.u32 %r5, 1;
        mov.u32 %r6, 0;
        L:
        .loc 1 20 1
        atom.global.cas.b32 %r4, [%rd1], %r6, %r5;
        setp.ne.u32 %p1, %r4, 0;
        @%p1 bra L;
        .loc 1 21 1
        ld.volatile.global.u32 %r4, [%rd1+8];
        st.volatile.global.u32 [%rd1], %r6;
        setp.eq.u32 %p1, %r4, 0;
        @%p1 bra L;
        ret;
    ";
    let fault = fault(body, Shape { threads: 1, ..ONE });
    assert!(fault.proven && fault.kind == FaultKind::InfiniteLoop, "{fault}");
}

#[test]
fn sleep_and_stores_of_the_value_that_is_there_change_nothing() {
    waits(&FLAG.replace("setp", "nanosleep.u32 100; setp"), ONE, AT_8);
    waits(&FLAG.replace("setp", "st.global.u32 [%rd1], 0; setp"), ONE, AT_8);
    waits(&FLAG.replace("setp", "st.shared.u32 [s+4], 7; setp"), ONE, AT_8);
}

#[test]
fn a_clock_matters_only_if_its_value_is_used() {
    waits(&FLAG.replace("setp", "mov.u64 %rd5, %clock64; setp"), ONE, AT_8);
    let used =
        FLAG.replace("setp.eq.u32 %p1, %r4, 0;", "mov.u64 %rd5, %clock64; setp.ge.u64 %p1, %rd5, %rd6;");
    let fault = fault(&format!("mov.u64 %rd6, %clock64; {used}"), ONE);
    assert!(!fault.proven && fault.message.contains("no proof that"), "{fault}");
    // A loop that only time ends.
    let timed = "
        mov.u64 %rd6, %clock64;
        add.u64 %rd6, %rd6, 3000000;
        L:
        mov.u64 %rd5, %clock64;
        setp.lt.u64 %p1, %rd5, %rd6;
        @%p1 bra L;
        ret;
    ";
    run_within(LONG, timed, ONE, false).unwrap();
    run_within(LONG, &timed.replace("clock64", "globaltimer"), ONE, false).unwrap();
}

#[test]
fn loops_that_look_at_nothing_never_end() {
    for body in [
        "L:\n.loc 1 20 1\nbra L;",
        "L:\n.loc 1 20 1\nnanosleep.u32 5;\nbra L;",
        "L:\n.loc 1 20 1\nbar.sync 0;\nbra L;",
        "mov.f64 %rd5, 0d3FF0000000000001; L:\n.loc 1 20 1\ndiv.rn.f64 %rd5, %rd5, %rd5;\nbra L;",
        "mov.u32 %r5, 0; L:\n.loc 1 20 1\nxor.b32 %r5, %r5, 12;\nst.local.u32 [own], %r5;\nbra L;",
    ] {
        for (blocks, threads) in [(1, 32), (1, 1024), (300, 64)] {
            let fault = fault(body, Shape { blocks, threads, ..ONE });
            assert!(fault.proven && fault.kind == FaultKind::InfiniteLoop, "{body}: {fault}");
            assert_eq!((fault.block, fault.address), ([0, 0, 0], None), "{body}");
            assert_eq!(fault.place.source, Some(("k.cu".to_owned(), 20)), "{body}: {fault}");
        }
    }
}

#[test]
fn a_loop_that_goes_through_several_states_again_and_again_never_ends() {
    // Powers of 3 modulo 64: there are 16.
    let body = "mov.u32 %r5, 1; L: mul.lo.u32 %r5, %r5, 3; and.b32 %r5, %r5, 63; bra L;";
    let fault = fault(body, Shape { threads: 1, ..ONE });
    assert!(fault.proven, "{fault}");
}

#[test]
fn an_mbarrier_without_its_arrivals_is_waited_for_without_end() {
    let body = "
        @%p7 bra INIT;
        mbarrier.init.shared.b64 [s+8], 64;
        INIT:
        bar.sync 0;
        mbarrier.arrive.shared.b64 _, [s+8];
        L:
        .loc 1 20 1
        mbarrier.try_wait.parity.shared.b64 %p1, [s+8], 0;
        .loc 1 21 1
        @!%p1 bra L;
        ret;
    ";
    waits(
        body,
        ONE,
        "the mbarrier at 0x8 of shared memory, for which 32 arrivals and 0 bytes are still to come",
    );
}

#[test]
#[ignore = "slow: .ci/run runs it"]
fn blocks_that_wait_for_each_other_never_end() {
    // Each waits for a word that the other one writes after it.
    let body = "
        and.b32 %r5, %r2, 1;
        shl.b32 %r5, %r5, 2;
        cvt.u64.u32 %rd2, %r5;
        add.u64 %rd3, %rd1, %rd2;
        L:
        .loc 1 20 1
        ld.volatile.global.u32 %r4, [%rd3];
        .loc 1 21 1
        setp.eq.u32 %p1, %r4, 0;
        @%p1 bra L;
        xor.b32 %r5, %r5, 4;
        cvt.u64.u32 %rd2, %r5;
        add.u64 %rd3, %rd1, %rd2;
        st.volatile.global.u32 [%rd3], 1;
        ret;
    ";
    for cooperative in [false, true] {
        for blocks in [2, 200] {
            let shape = Shape { blocks, cooperative, ..ONE };
            waits(body, shape, "0 bytes past the start of flags");
            waits(&body.replace(".volatile", ""), shape, "0 bytes past the start of flags");
        }
    }
    waits(body, Shape { blocks: 4, cluster: Some([2, 1, 1]), ..ONE }, "0 bytes past the start of flags");
}

#[test]
fn a_block_of_a_cluster_that_waits_for_another_s_shared_memory_never_ends() {
    let body = "
        mov.u32 %r5, s;
        mapa.shared::cluster.u32 %r6, %r5, 1;
        barrier.cluster.arrive;
        barrier.cluster.wait;
        mov.u32 %r7, %cluster_ctarank;
        setp.ne.u32 %p2, %r7, 0;
        @%p2 bra DONE;
        L:
        .loc 1 20 1
        ld.volatile.shared::cluster.u32 %r4, [%r6];
        .loc 1 21 1
        setp.eq.u32 %p1, %r4, 0;
        @%p1 bra L;
        DONE:
        barrier.cluster.arrive;
        barrier.cluster.wait;
        ret;
    ";
    waits(body, Shape { blocks: 2, cluster: Some([2, 1, 1]), ..ONE }, "in shared memory of the cluster");
}

#[test]
fn the_proof_is_the_same_on_any_number_of_cores() {
    for body in [FLAG, "L:\nbra L;", "setp.ne.u32 %p2, %r2, 90; @%p2 bra END; L: bra L; END: ret;"] {
        let shape = Shape { blocks: 300, threads: 96, ..ONE };
        let faults = [1, 2, 3, 8].map(|threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| fault(body, shape))
        });
        assert!(faults.iter().all(|fault| *fault == faults[0] && fault.proven), "{body}: {faults:#?}");
    }
}

#[test]
fn a_loop_whose_state_changes_has_the_budget() {
    for body in [
        "mov.u32 %r5, 0; L: add.u32 %r5, %r5, 1; bra L;",
        "L: atom.global.add.u32 %r5, [%rd1], 1; bra L;",
        "L: red.shared.add.u32 [s], 1; bra L;",
        "mov.u32 %r5, 1; L: mul.lo.u32 %r5, %r5, 5; st.volatile.global.u32 [%rd1], %r5; bra L;",
        &FLAG.replace("setp", "add.u32 %r5, %r5, 1; setp"),
    ] {
        let fault = fault(body, ONE);
        assert!(fault.kind == FaultKind::InfiniteLoop && !fault.proven, "{body}: {fault}");
    }
}

#[test]
fn what_is_only_long_ends() {
    // Loops of 300,000 rounds, some of which look at words that change at last.
    let count = |with: &str| {
        format!(
            "
                mov.u32 %r5, 0;
                C:
                {with}
                add.u32 %r5, %r5, 1;
                setp.lt.u32 %p2, %r5, 300000;
                @%p2 bra C;
            "
        )
    };
    let set = "st.volatile.global.u32 [%rd1+8], 1; st.volatile.shared.u32 [s], 1;";
    let late = |other: &str, with: &str| {
        let count = count(with);
        format!("setp.eq.u32 %p3, %r1, 0; @%p3 bra WORK; {other} WORK: {count} {set} ret;")
    };
    let shared = FLAG.replace("global.u32 %r4, [%rd1+8]", "shared.u32 %r4, [s]");
    let weak = FLAG.replace(".volatile", "");
    for body in [
        format!("{} ret;", count("")),
        late(FLAG, ""),
        late(&shared, ""),
        late(&weak, ""),
        late(FLAG, "nanosleep.u32 9;"),
    ] {
        for threads in [32, 64] {
            run_within(LONG, &body, Shape { threads, ..ONE }, false).unwrap();
        }
    }
    // Other blocks wait for the first, or for the last.
    for (block, blocks) in [(0, 3), (2, 3), (59, 60)] {
        for flag in [FLAG, &weak] {
            let count = count("");
            let body =
                format!("setp.eq.u32 %p3, %r2, {block}; @%p3 bra WORK; {flag} WORK: {count} {set} ret;");
            for cooperative in [false, true] {
                run_within(LONG, &body, Shape { blocks, cooperative, ..ONE }, false).unwrap();
            }
        }
    }
}

#[test]
fn words_that_go_to_and_fro_between_blocks_are_waited_for() {
    // Two blocks take turns 4000 times: each waits for its own number, and then writes the other's.
    let body = "
        mov.u32 %r5, 0;
        L:
        ld.volatile.global.u32 %r4, [%rd1];
        setp.ne.u32 %p1, %r4, %r2;
        @%p1 bra L;
        xor.b32 %r6, %r2, 1;
        st.volatile.global.u32 [%rd1], %r6;
        nanosleep.u32 20;
        add.u32 %r5, %r5, 1;
        setp.lt.u32 %p1, %r5, 4000;
        @%p1 bra L;
        ret;
    ";
    for cooperative in [false, true] {
        run(body, Shape { blocks: 2, threads: 1, cooperative, ..ONE }, false).unwrap();
    }
}
