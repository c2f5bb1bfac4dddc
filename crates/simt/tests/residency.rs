//! Blocks that wait for each other: clusters, cooperative launches, barriers that a program makes itself.
#![allow(clippy::unwrap_used, missing_docs)]

use crate::common;
use common::{Bench, OWN_WORD, kernel};
use simt::{Arg, Buffer, Counters, Error, FaultKind, Launch};

/// Every block raises the counter in `p1` and waits until it is `p2`; then each thread stores it.
const MEET: &str = r"
    ld.param.u64 %rd3, [p1];
    ld.param.u64 %rd4, [p2];
    cvt.u32.u64 %r5, %rd4;
    setp.ne.u32 %p1, %r4, 0;
    @%p1 bra MET;
    red.global.add.u32 [%rd3], 1;
    WAIT:
    ld.volatile.global.u32 %r6, [%rd3];
    setp.lt.u32 %p2, %r6, %r5;
    @%p2 bra WAIT;
    MET:
    bar.sync 0;
    ld.global.u32 %r7, [%rd3];
    st.global.u32 [%rd1], %r7;
    ret;
";

fn meeting() -> Bench {
    Bench::new(&kernel(3, &format!("{OWN_WORD} {MEET}")))
}

fn meet(bench: &mut Bench, grid: u32, cooperative: bool) -> Result<(Counters, Vec<u32>), Error> {
    let out = bench.words(&vec![0; 32 * grid as usize]);
    let count = bench.words(&[0]);
    let args =
        vec![Arg::Buffer(out, 0), Arg::Buffer(count, 0), Arg::Value(u64::from(grid).to_le_bytes().to_vec())];
    let launch = Launch {
        module: bench.module,
        kernel: "k",
        grid: [grid, 1, 1],
        block: [32, 1, 1],
        shared_bytes: 0,
        args,
        cluster: None,
        cooperative,
    };
    let counters = bench.device.launch(&launch)?.counters;
    Ok((counters, bench.read(out, 32 * grid as usize)))
}

#[test]
fn blocks_may_wait_for_later_ones() {
    for deterministic in [false, true] {
        let mut bench = meeting();
        bench.device.options().deterministic = deterministic;
        let (_, out) = meet(&mut bench, 300, false).unwrap();
        assert!(out.iter().all(|n| *n == 300), "{out:?}");
    }
}

#[test]
fn a_cooperative_launch_counts_the_same_in_every_run() {
    let first = meet(&mut meeting(), 500, true).unwrap();
    assert!(first.1.iter().all(|n| *n == 500));
    for _ in 0..3 {
        assert_eq!(meet(&mut meeting(), 500, true).unwrap(), first);
    }
}

#[test]
fn more_blocks_than_the_chip_holds_wait_for_ever() {
    // 132 multiprocessors with 32 blocks each.
    let capacity = 132 * 32;
    let mut bench = meeting();
    bench.device.options().launch_budget = 1 << 24;
    assert!(meet(&mut bench, capacity, false).is_ok());
    let error = meet(&mut bench, capacity + 1, false).unwrap_err();
    assert!(matches!(&error, Error::Fault(fault) if fault.kind == FaultKind::InfiniteLoop), "{error}");
    let error = meet(&mut bench, capacity + 1, true).unwrap_err().to_string();
    assert!(
        error.contains("4225 blocks in a cooperative launch") && error.contains("4224 at a time"),
        "{error}"
    );
}

#[test]
fn a_fault_ends_those_who_wait_for_the_block_that_had_it() {
    let mut bench =
        Bench::new(&kernel(3, &format!("{OWN_WORD} setp.eq.u32 %p3, %r2, 70; @%p3 trap; {MEET}")));
    let error = meet(&mut bench, 100, false).unwrap_err();
    assert!(
        matches!(&error, Error::Fault(f) if f.kind == FaultKind::Trap && f.block == [70, 0, 0]),
        "{error}"
    );
}

/// A kernel for clusters of two: `body` with its own word's address in `%rd1`, its rank in `%r8` and the other's in `%r9`,
/// and shared memory of a word a thread.
fn of_two(directives: &str, body: &str) -> Bench {
    let text = kernel(
        1,
        &format!(
            r"
                .shared .align 8 .b32 own[64];
                {OWN_WORD}
                mov.u32 %r8, %cluster_ctarank;
                xor.b32 %r9, %r8, 1;
                mov.u32 %r10, own;
                shl.b32 %r11, %r4, 2;
                add.u32 %r11, %r11, %r10;
                {body}
            "
        ),
    );
    Bench::new(&text.replacen('{', &format!("{directives} {{"), 1))
}

fn in_clusters(
    bench: &mut Bench,
    grid: u32,
    cluster: Option<[u32; 3]>,
    out: Buffer,
) -> Result<Counters, Error> {
    let launch = Launch {
        module: bench.module,
        kernel: "k",
        grid: [grid, 1, 1],
        block: [64, 1, 1],
        shared_bytes: 0,
        args: vec![Arg::Buffer(out, 0)],
        cluster,
        cooperative: false,
    };
    bench.device.launch(&launch).map(|outcome| outcome.counters)
}

const SYNC: &str = "barrier.cluster.arrive;\nbarrier.cluster.wait;\n";

/// Each thread takes what the thread of its number in the other block has stored.
fn swap() -> String {
    format!(
        r"
            st.shared.u32 [%r11], %r1;
            {SYNC}
            mapa.shared::cluster.u32 %r12, %r11, %r9;
            ld.shared::cluster.u32 %r13, [%r12];
            st.global.u32 [%rd1], %r13;
            {SYNC}
            ret;
        "
    )
}

#[test]
fn blocks_of_a_cluster_see_each_others_shared_memory() {
    let mut counted = None;
    for deterministic in [true, false, false] {
        let mut bench = of_two("", &swap());
        *bench.device.options() =
            simt::Options { deterministic, checks: simt::Checks::ALL, ..Default::default() };
        let out = bench.words(&[0; 64 * 40]);
        let counters = in_clusters(&mut bench, 40, Some([2, 1, 1]), out).unwrap();
        let expected: Vec<u32> = (0..64 * 40).map(|i| i ^ 64).collect();
        assert_eq!(bench.read(out, 64 * 40), expected);
        assert_eq!(*counted.get_or_insert(counters), counters);
    }
}

#[test]
fn clusters_are_as_large_as_kernel_and_launch_say() {
    let say = |directives: &str, grid, cluster| {
        let mut bench = of_two(directives, &swap());
        let out = bench.words(&[0; 64 * 32]);
        in_clusters(&mut bench, grid, cluster, out).map(drop).map_err(|e| e.to_string())
    };
    assert_eq!(say(".reqnctapercluster 2, 1, 1", 4, None), Ok(()));
    assert_eq!(say(".explicitcluster .reqnctapercluster 2, 1, 1", 4, Some([2, 1, 1])), Ok(()));
    let refused = |outcome: Result<(), String>, part: &str| {
        let error = outcome.unwrap_err();
        assert!(error.contains(part), "{error}");
    };
    refused(say(".reqnctapercluster 2, 1, 1", 4, Some([4, 1, 1])), "the kernel is compiled for [2, 1, 1]");
    refused(say(".explicitcluster", 4, None), "must be launched in clusters");
    refused(say("", 5, Some([2, 1, 1])), "not made of clusters");
    refused(say("", 32, Some([16, 1, 1])), "16 blocks a cluster, and 8 is the most");
    refused(say(".maxclusterrank 2", 4, Some([4, 1, 1])), "and 2 is the most");
    refused(say("", 4, Some([2, 0, 1])), "not made of clusters");
    // One block of its own has no other.
    refused(say("", 4, None), "block 1 of a cluster of 1");
}

#[test]
fn threads_that_exit_have_come_to_the_clusters_barrier() {
    let mut bench = of_two(
        "",
        &format!(
            r"
            setp.gt.u32 %p1, %r4, 40;
            @%p1 exit;
            {SYNC}
            st.global.u32 [%rd1], 5;
            {SYNC}
            ret;
        "
        ),
    );
    let out = bench.words(&[0; 128]);
    in_clusters(&mut bench, 2, Some([2, 1, 1]), out).unwrap();
    let expected: Vec<u32> = (0..128).map(|i| if i % 64 > 40 { 0 } else { 5 }).collect();
    assert_eq!(bench.read(out, 128), expected);
}

#[test]
fn work_between_arriving_and_waiting_is_done_before_the_others_come() {
    let mut bench = of_two(
        "",
        r"
            st.shared.u32 [%r11], %r1;
            barrier.cluster.arrive.release;
            mad.lo.u32 %r5, %r1, 3, 1;
            barrier.cluster.wait.acquire;
            mapa.shared::cluster.u32 %r12, %r11, %r9;
            atom.shared::cluster.add.u32 %r13, [%r12], %r5;
            barrier.cluster.arrive;
            barrier.cluster.wait;
            ld.shared.u32 %r14, [%r11];
            st.global.u32 [%rd1], %r14;
            ret;
        ",
    );
    bench.device.options().checks = simt::Checks::ALL;
    let out = bench.words(&[0; 128]);
    in_clusters(&mut bench, 2, Some([2, 1, 1]), out).unwrap();
    let expected: Vec<u32> = (0..128).map(|i| i + 3 * (i ^ 64) + 1).collect();
    assert_eq!(bench.read(out, 128), expected);
}

#[test]
fn the_shared_memory_of_a_block_that_has_ended_is_gone() {
    // Block 0 ends at once; block 1 waits for that by a flag of global memory, and looks.
    let mut bench = of_two(
        "",
        r"
            st.shared.u32 [%r11], %r1;
            setp.eq.u32 %p1, %r8, 0;
            @!%p1 bra LATER;
            st.volatile.global.u32 [%rd0], 1;
            ret;
            LATER:
            WAIT:
            ld.volatile.global.u32 %r5, [%rd0];
            setp.eq.u32 %p2, %r5, 0;
            @%p2 bra WAIT;
            mapa.shared::cluster.u32 %r12, %r11, 0;
            ld.shared::cluster.u32 %r13, [%r12];
            st.global.u32 [%rd1], %r13;
            ret;
        ",
    );
    let out = bench.words(&[0; 128]);
    let error = in_clusters(&mut bench, 2, Some([2, 1, 1]), out).unwrap_err().to_string();
    assert!(error.contains("block 0 of the cluster, which has ended"), "{error}");
}

#[test]
fn a_cluster_that_waits_in_two_places_is_reported() {
    let mut bench = of_two(
        "",
        &format!(
            r"
                setp.lt.u32 %p1, %r4, 32;
                @%p1 bra ALL;
                setp.eq.u32 %p2, %r8, 1;
                @%p2 bar.sync 0;
                ALL:
                {SYNC}
                ret;
            "
        ),
    );
    let out = bench.words(&[0; 128]);
    let error = in_clusters(&mut bench, 2, Some([2, 1, 1]), out).unwrap_err();
    assert!(
        matches!(&error, Error::Fault(f) if f.kind == FaultKind::DivergentBarrier && f.block == [1, 0, 0] && f.thread == [32, 0, 0]),
        "{error}"
    );
}

#[test]
fn an_address_tells_whose_shared_memory_it_is_of() {
    let mut bench = of_two(
        "",
        r"
            cvt.u64.u32 %rd5, %r11;
            cvta.shared.u64 %rd5, %rd5;
            mapa.u64 %rd6, %rd5, %r9;
            getctarank.u64 %r5, %rd5;
            getctarank.u64 %r6, %rd6;
            getctarank.shared::cluster.u32 %r7, %r11;
            isspacep.shared::cta %p1, %rd5;
            isspacep.shared::cta %p2, %rd6;
            isspacep.shared::cluster %p3, %rd6;
            selp.u32 %r12, 100, 0, %p1;
            selp.u32 %r13, 200, 0, %p2;
            selp.u32 %r14, 400, 0, %p3;
            add.u32 %r12, %r12, %r13;
            add.u32 %r12, %r12, %r14;
            mad.lo.u32 %r12, %r5, 2, %r12;
            mad.lo.u32 %r12, %r6, 10, %r12;
            add.u32 %r12, %r12, %r7;
            st.global.u32 [%rd1], %r12;
            ret;
        ",
    );
    let out = bench.words(&[0; 128]);
    in_clusters(&mut bench, 2, Some([2, 1, 1]), out).unwrap();
    let expected: Vec<u32> = (0..128).map(|i| if i < 64 { 510 } else { 503 }).collect();
    assert_eq!(bench.read(out, 128), expected);
}
