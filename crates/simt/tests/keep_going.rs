//! Launches that go on after faults: what goes on, and what is reported of each fault.
#![allow(clippy::unwrap_used, missing_docs)]

use crate::common;
use common::{Bench, OWN_WORD, kernel};
use simt::{Arg, Buffer, Checks, CountedFault, FaultKind, Launch, Outcome};

fn bench(text: &str) -> Bench {
    let mut bench = Bench::new(text);
    let options = bench.device.options();
    (options.keep_going, options.checks, options.budget, options.budget_per_byte) =
        (true, Checks::ALL, 1 << 20, 0);
    bench
}

fn launch(bench: &mut Bench, grid: u32, block: u32, args: &[Buffer]) -> Outcome {
    launch_clusters(bench, grid, block, None, args)
}

fn launch_clusters(
    bench: &mut Bench,
    grid: u32,
    block: u32,
    cluster: Option<[u32; 3]>,
    args: &[Buffer],
) -> Outcome {
    let launch = Launch {
        module: bench.module,
        kernel: "k",
        grid: [grid, 1, 1],
        block: [block, 1, 1],
        shared_bytes: 0,
        args: args.iter().map(|buffer| Arg::Buffer(*buffer, 0)).collect(),
        cluster,
        cooperative: false,
    };
    bench.device.launch(&launch).unwrap()
}

/// Kind, how often, and the first block and thread, of each fault.
fn reported(outcome: &Outcome) -> Vec<(FaultKind, u64, u32, u32)> {
    let of = |counted: &CountedFault| {
        let fault = &counted.fault;
        (fault.kind, counted.count, fault.block[0], fault.thread[0])
    };
    outcome.faults.iter().map(of).collect()
}

/// A kernel of one pointer with its own word's address in `%rd1`; it stores 7 there at its end.
fn storing(body: &str) -> String {
    let text =
        kernel(1, &format!("{OWN_WORD} {body} DONE: mov.u32 %r15, 7; st.global.u32 [%rd1], %r15; ret;"));
    text.replace(".target sm_52", ".target sm_90").replace(".visible", ".file 1 \"k.cu\"\n.visible")
}

#[test]
fn without_faults_there_are_none() {
    let mut bench = bench(&storing(""));
    let out = bench.words(&[0; 64]);
    assert_eq!(launch(&mut bench, 1, 64, &[out]).faults, []);
}

#[test]
fn threads_whose_access_cannot_be_made_exit_and_the_others_go_on() {
    // The odd lanes of the second block load from elsewhere.
    for (address, kind) in [
        ("mov.u64 %rd5, 64;", FaultKind::NullPointer),
        ("add.u64 %rd5, %rd1, 2;", FaultKind::MisalignedAddress),
        ("add.u64 %rd5, %rd1, 4096;", FaultKind::OutOfBoundsGlobal),
    ] {
        let body = format!(
            "
                mov.u64 %rd5, %rd1;
                and.b32 %r5, %r4, 1;
                and.b32 %r5, %r5, %r2;
                setp.eq.u32 %p1, %r5, 0;
                @%p1 bra ALL;
                {address}
                ALL:
                .loc 1 20 1
                ld.global.u32 %r6, [%rd5];
            "
        );
        let mut bench = bench(&storing(&body));
        let out = bench.words(&[0; 128]);
        let outcome = launch(&mut bench, 2, 64, &[out]);
        assert_eq!(reported(&outcome), [(kind, 32, 1, 1)]);
        assert_eq!(outcome.faults[0].fault.place.source, Some(("k.cu".to_owned(), 20)));
        let expected: Vec<u32> = (0..128).map(|i| if i > 64 && i % 2 == 1 { 0 } else { 7 }).collect();
        assert_eq!(bench.read(out, 128), expected);
    }
}

#[test]
fn each_fault_is_reported_once_in_the_order_of_blocks() {
    let body = "
        mov.u64 %rd5, 0;
        .loc 1 20 1
        setp.ne.u32 %p1, %r2, 3;
        @!%p1 ld.global.u32 %r6, [%rd5+16];
        .loc 1 21 1
        setp.ne.u32 %p1, %r2, 1;
        @!%p1 ld.global.u32 %r6, [%rd5+8];
        .loc 1 22 1
        setp.lt.u32 %p1, %r2, 2;
        @!%p1 ld.global.u32 %r6, [%rd5+8];
    ";
    let mut bench = bench(&storing(body));
    let out = bench.words(&[0; 64 * 6]);
    let outcome = launch(&mut bench, 6, 64, &[out]);
    let lines: Vec<_> = outcome
        .faults
        .iter()
        .map(|f| (f.fault.place.source.clone().unwrap().1, f.count, f.fault.block[0]))
        .collect();
    // The threads of block 3 have exited at their first fault.
    assert_eq!(lines, [(21, 64, 1), (22, 192, 2), (20, 64, 3)]);
}

#[test]
fn a_trap_ends_its_threads() {
    let body = "setp.ge.u32 %p1, %r4, 10; @%p1 bra DONE; trap;";
    let mut bench = bench(&storing(body));
    let out = bench.words(&[0; 64]);
    assert_eq!(reported(&launch(&mut bench, 1, 64, &[out])), [(FaultKind::Trap, 10, 0, 0)]);
    assert_eq!(bench.read(out, 64), [[0; 10].as_slice(), &[7; 54]].concat());
}

#[test]
fn no_thread_waits_for_threads_that_exit() {
    let body = "
        mov.u64 %rd5, 0;
        setp.eq.u32 %p1, %r4, 40;
        @%p1 ld.global.u32 %r6, [%rd5];
        bar.sync 0;
        bar.warp.sync 0xffffffff;
        vote.sync.ballot.b32 %r6, 1, 0xffffffff;
    ";
    let mut bench = bench(&storing(body));
    let out = bench.words(&[0; 64]);
    assert_eq!(reported(&launch(&mut bench, 1, 64, &[out])), [(FaultKind::NullPointer, 1, 0, 40)]);
    assert_eq!(bench.read(out, 64).iter().filter(|word| **word == 7).count(), 63);
}

#[test]
fn a_read_of_unwritten_memory_continues_with_what_is_there() {
    let body = "
        .shared .b32 s[64];
        mov.u32 %r5, s;
        shl.b32 %r6, %r4, 2;
        add.u32 %r5, %r5, %r6;
        setp.lt.u32 %p1, %r4, 60;
        @%p1 st.shared.u32 [%r5], %r4;
        ld.shared.u32 %r7, [%r5];
        st.global.u32 [%rd1], %r7;
        ret;
    ";
    let mut bench = bench(&storing(body));
    let out = bench.words(&[0; 64]);
    let outcome = launch(&mut bench, 1, 64, &[out]);
    assert!(matches!(reported(&outcome)[..], [(FaultKind::UninitialisedRead, 1..=4, 0, 60)]), "{outcome:?}");
    let got = bench.read(out, 64);
    assert_eq!((got[59], got[60], got[63]), (59, 0xcdcd_cdcd, 0xcdcd_cdcd));
}

#[test]
fn a_missing_barrier_is_a_race_alone_and_the_kernel_goes_on_as_it_would() {
    let body = "
        .shared .b32 s[128];
        mov.u32 %r5, s;
        shl.b32 %r6, %r4, 2;
        add.u32 %r7, %r5, %r6;
        .loc 1 20 1
        st.shared.u32 [%r7], %r4;
        sub.u32 %r6, 508, %r6;
        add.u32 %r7, %r5, %r6;
        .loc 1 21 1
        ld.shared.u32 %r8, [%r7];
        bar.sync 0;
        ld.shared.u32 %r8, [%r7];
        st.global.u32 [%rd1], %r8;
        ret;
    ";
    let mut bench = bench(&storing(body));
    let out = bench.words(&[0; 128]);
    let outcome = launch(&mut bench, 1, 128, &[out]);
    assert!(outcome.faults.iter().all(|f| f.fault.kind == FaultKind::SharedRace), "{outcome:?}");
    let said: Vec<String> = outcome.faults.iter().map(|f| f.fault.to_string()).collect();
    assert!(said.iter().all(|said| said.contains("k.cu:20") && said.contains("k.cu:21")), "{said:?}");
    // Each word is read by one thread of another warp before or after it is written.
    assert_eq!(outcome.faults.iter().map(|f| f.count).sum::<u64>(), 128, "{said:?}");
    assert_eq!(bench.read(out, 128), (0..128).map(|i| 127 - i).collect::<Vec<u32>>());
}

#[test]
fn a_race_in_a_loop_is_reported_once() {
    let body = "
        .shared .b32 s;
        mov.u32 %r6, 0;
        L:
        .loc 1 20 1
        st.shared.u32 [s], %r4;
        bar.sync 0;
        add.u32 %r6, %r6, 1;
        setp.lt.u32 %p1, %r6, 10;
        @%p1 bra L;
    ";
    let mut bench = bench(&storing(body));
    let out = bench.words(&[0; 64]);
    let outcome = launch(&mut bench, 1, 64, &[out]);
    assert_eq!(outcome.faults.len(), 1, "{outcome:?}");
    // 63 of 64 threads find the word written, ten times.
    assert_eq!(reported(&outcome), [(FaultKind::SharedRace, 630, 0, 1)]);
    assert_eq!(bench.read(out, 64), [7; 64]);
}

#[test]
fn a_loop_without_end_ends_its_block_alone() {
    for (loop_, proven) in [("L: bra L;", true), ("L: add.u32 %r6, %r6, 1; bra L;", false)] {
        let body = format!("setp.ne.u32 %p1, %r2, 1; @%p1 bra DONE; {loop_}");
        let mut bench = bench(&storing(&body));
        let out = bench.words(&[0; 96]);
        let outcome = launch(&mut bench, 3, 32, &[out]);
        assert_eq!(reported(&outcome), [(FaultKind::InfiniteLoop, 1, 1, 0)]);
        assert_eq!(outcome.faults[0].fault.proven, proven);
        assert_eq!(bench.read(out, 96), [[7; 32], [0; 32], [7; 32]].concat());
    }
}

#[test]
fn blocks_that_wait_for_ever_end_and_others_begin() {
    // More blocks than the chip holds at a time: those that wait take all places.
    let body = "
        setp.eq.u32 %p1, %r2, 4999;
        @%p1 bra DONE;
        L:
        ld.volatile.global.u32 %r6, [%rd0];
        setp.ne.u32 %p2, %r6, 5;
        @%p2 bra L;
    ";
    let mut bench = bench(&storing(body));
    let out = bench.words(&vec![0; 32 * 5000]);
    let outcome = launch(&mut bench, 5000, 32, &[out]);
    assert_eq!(reported(&outcome), [(FaultKind::InfiniteLoop, 4999, 0, 0)]);
    let got = bench.read(out, 32 * 5000);
    assert!(got[..32 * 4999].iter().all(|word| *word == 0) && got[32 * 4999..] == [7; 32]);
}

#[test]
fn a_barrier_that_cannot_open_ends_its_block() {
    let body = "
        setp.ne.u32 %p1, %r2, 0;
        @%p1 bra DONE;
        setp.lt.u32 %p2, %r4, 32;
        @%p2 bar.sync 1;
        @!%p2 bar.sync 2;
    ";
    let mut bench = bench(&storing(body));
    let out = bench.words(&[0; 128]);
    assert_eq!(reported(&launch(&mut bench, 2, 64, &[out])), [(FaultKind::DivergentBarrier, 1, 0, 0)]);
    assert_eq!(bench.read(out, 128), [[0; 64], [7; 64]].concat());
}

#[test]
fn a_cluster_goes_on_without_a_block_that_waits_elsewhere() {
    let body = "
        setp.ne.u32 %p1, %r2, 1;
        @%p1 bra ALL;
        setp.lt.u32 %p2, %r4, 32;
        @%p2 bar.sync 1;
        ALL:
        barrier.cluster.arrive;
        barrier.cluster.wait;
    ";
    let mut bench = bench(&storing(body));
    let out = bench.words(&[0; 64 * 4]);
    let outcome = launch_clusters(&mut bench, 4, 64, Some([2, 1, 1]), &[out]);
    assert_eq!(reported(&outcome), [(FaultKind::DivergentBarrier, 1, 1, 0)]);
    assert_eq!(bench.read(out, 256), [[7; 64], [0; 64], [7; 64], [7; 64]].concat());
}

#[test]
fn an_instruction_of_a_whole_warp_ends_all_of_it() {
    let body = "
        .shared .align 16 .b8 tile[512];
        mov.u32 %r5, tile;
        setp.lt.u32 %p1, %r4, 32;
        @!%p1 bra GOOD;
        add.u32 %r5, %r5, 100000;
        GOOD:
        ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r6}, [%r5];
    ";
    let mut bench = bench(&storing(body));
    bench.device.options().checks = Checks::NONE;
    let out = bench.words(&[0; 64]);
    assert_eq!(reported(&launch(&mut bench, 1, 64, &[out])), [(FaultKind::OutOfBoundsShared, 1, 0, 0)]);
    assert_eq!(bench.read(out, 64), [[0; 32], [7; 32]].concat());
}

#[test]
fn an_mbarrier_that_is_none_ends_the_threads_that_use_it() {
    let body = "
        .shared .align 8 .b64 m;
        setp.ne.u32 %p1, %r4, 0;
        @%p1 bra DONE;
        mbarrier.arrive.shared.b64 %rd6, [m];
    ";
    let mut bench = bench(&storing(body));
    bench.device.options().checks = Checks::NONE;
    let out = bench.words(&[0; 32]);
    assert_eq!(reported(&launch(&mut bench, 1, 32, &[out])), [(FaultKind::Trap, 1, 0, 0)]);
    assert_eq!(bench.read(out, 32)[..2], [0, 7]);
}

#[test]
fn a_call_through_a_bad_pointer_ends_those_who_make_it() {
    let text = storing(
        "
            mov.u64 %rd6, f;
            setp.eq.u32 %p1, %r4, 9;
            @!%p1 bra CALL;
            mov.u64 %rd6, 1234;
            CALL:
            proto: .callprototype _ ();
            call %rd6, (), proto;
        ",
    );
    let text = text.replace(".visible", ".func f() { ret; }\n.visible");
    let text = text.replace("call %rd6, (), proto;", "call %rd6, proto;");
    let mut bench = bench(&text);
    let out = bench.words(&[0; 32]);
    assert_eq!(reported(&launch(&mut bench, 1, 32, &[out])), [(FaultKind::Trap, 1, 0, 9)]);
    assert_eq!(bench.read(out, 32)[8..11], [7, 0, 7]);
}

#[test]
fn the_launch_s_budget_is_one_fault_more() {
    let body = "mov.u64 %rd5, 0; setp.eq.u32 %p1, %r1, 3; @%p1 ld.global.u32 %r6, [%rd5]; L: add.u32 %r7, %r7, 1; bra L;";
    let mut bench = bench(&storing(body));
    bench.device.options().launch_budget = 1 << 16;
    bench.device.options().budget = 1 << 14;
    let out = bench.words(&[0; 32 * 100]);
    let outcome = launch(&mut bench, 100, 32, &[out]);
    assert!(
        outcome.faults.iter().any(|f| f.fault.kind == FaultKind::NullPointer && f.count == 1),
        "{outcome:?}"
    );
    assert!(outcome.faults.iter().any(|f| f.fault.kind == FaultKind::InfiniteLoop), "{outcome:?}");
}

#[test]
fn all_is_the_same_on_any_number_of_cores() {
    let body = "
        .shared .b32 s;
        mov.u64 %rd5, 0;
        st.shared.u32 [s], %r4;
        and.b32 %r6, %r2, 7;
        setp.eq.u32 %p1, %r6, 5;
        @%p1 ld.global.u32 %r6, [%rd5];
        setp.eq.u32 %p1, %r2, 77;
        @%p1 trap;
        setp.eq.u32 %p1, %r2, 33;
        @!%p1 bra DONE;
        L:
        bra L;
    ";
    let outcomes = [1, 2, 3, 8].map(|threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let mut bench = bench(&storing(body));
        let out = bench.words(&vec![0; 96 * 400]);
        pool.install(|| launch(&mut bench, 400, 96, &[out]))
    });
    assert_eq!(outcomes[0].faults.len(), 3, "{:?}", outcomes[0].faults);
    for outcome in &outcomes {
        assert_eq!((&outcome.faults, outcome.counters), (&outcomes[0].faults, outcomes[0].counters));
    }
}

#[test]
fn checks_are_made_one_by_one() {
    let race = "
        .shared .b32 s;
        st.shared.u32 [s], %r4;
        bar.sync 0;
    ";
    let unwritten = "
        .shared .b32 t;
        ld.shared.u32 %r7, [t];
        setp.eq.u32 %p2, %r7, 5;
        @%p2 bra DONE;
    ";
    let both = format!("{race} setp.ne.u32 %p1, %r4, 0; @%p1 bra DONE; {unwritten}");
    for (checks, kinds) in [
        (Checks::ALL, vec![FaultKind::SharedRace, FaultKind::UninitialisedRead]),
        (Checks { races: true, ..Checks::NONE }, vec![FaultKind::SharedRace]),
        (Checks { uninitialised: true, ..Checks::NONE }, vec![FaultKind::UninitialisedRead]),
        (Checks::NONE, vec![]),
    ] {
        let mut bench = bench(&storing(&both));
        bench.device.options().checks = checks;
        let out = bench.words(&[0; 64]);
        let found: Vec<_> = launch(&mut bench, 1, 64, &[out]).faults.iter().map(|f| f.fault.kind).collect();
        assert_eq!(found, kinds, "{checks:?}");
        // The one that is looked for also ends a launch that does not go on.
        bench.device.options().keep_going = false;
        let ended = bench.launch(1, 64, &[out]).err().map(|error| error.kind().unwrap());
        assert_eq!(ended, kinds.first().map(|kind| kind.name()), "{checks:?}");
    }
}

#[test]
fn two_lines_that_race_are_one_fault_whichever_comes_first() {
    // Each thread writes its word and reads one of the other warp, twice.
    let body = r"
        .shared .align 4 .b8 s[256];
        mov.u32 %r5, s;
        mad.lo.u32 %r6, %r4, 4, %r5;
        xor.b32 %r7, %r6, 128;
        .loc 1 5 1
        st.shared.u32 [%r6], %r4;
        .loc 1 6 1
        ld.shared.u32 %r8, [%r7];
        .loc 1 5 1
        st.shared.u32 [%r6], %r8;
    ";
    let mut bench = bench(&storing(body));
    let out = bench.words(&[0; 64]);
    let told = reported(&launch(&mut bench, 1, 64, &[out]));
    assert_eq!(told.iter().map(|told| told.0).collect::<Vec<_>>(), [FaultKind::SharedRace], "{told:?}");
}

#[test]
fn who_writes_global_memory_after_it_was_read_is_named() {
    let text = kernel(
        2,
        &format!(
            r"
                {OWN_WORD}
                ld.param.u64 %rd3, [p1];
                xor.b32 %r5, %r4, 32;
                mul.wide.u32 %rd4, %r5, 4;
                add.u64 %rd4, %rd3, %rd4;
                mul.wide.u32 %rd5, %r4, 4;
                add.u64 %rd5, %rd3, %rd5;
                .loc 1 8 1
                ld.global.u32 %r6, [%rd4];
                st.global.u32 [%rd1], %r6;
                .loc 1 9 1
                st.global.u32 [%rd5], %r4;
                ret;
            "
        ),
    );
    let mut bench = bench(&text.replace(".visible", ".file 1 \"k.cu\"\n.visible"));
    let out = bench.words(&[0; 64]);
    let fresh = bench.device.allocate(256).unwrap();
    let outcome = launch(&mut bench, 1, 64, &[out, fresh]);
    assert_eq!(reported(&outcome), [(FaultKind::GlobalRace, 64, 0, 32)]);
    let message = &outcome.faults[0].fault.message;
    assert!(message.starts_with("reads memory that thread (0,0,0) wrote at k.cu:9"), "{message}");
}
