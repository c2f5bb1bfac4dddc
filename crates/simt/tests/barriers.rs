//! What barriers order for the checks: those of all threads, of some warps, with arrivals, round after round.
#![allow(clippy::unwrap_used, missing_docs)]

use crate::common;
use common::{Bench, OWN_WORD, kernel};
use simt::{Checks, Error, Fault, FaultKind};

/// Thread `t`'s shared word is at `%r6`, its number in `%r4`, its warp in `%r9`; `%p1` to `%p4` hold for those of warps 0
/// to 3.
fn run(body: &str, block: u32) -> Result<(), Box<Fault>> {
    let ptx = kernel(
        1,
        &format!(
            r"
                {OWN_WORD}
                .shared .align 16 .b8 s[8192];
                mov.u32 %r5, s;
                shl.b32 %r6, %r4, 2;
                add.s32 %r6, %r5, %r6;
                shr.u32 %r9, %r4, 5;
                setp.eq.u32 %p1, %r9, 0;
                setp.eq.u32 %p2, %r9, 1;
                setp.eq.u32 %p3, %r9, 2;
                setp.eq.u32 %p4, %r9, 3;
                {body}
                ret;
            "
        ),
    );
    let mut bench = Bench::new(&ptx);
    bench.device.options().checks = Checks::ALL;
    bench.device.options().budget = 1 << 20;
    let out = bench.words(&vec![0; 2 * block as usize]);
    match bench.launch(2, block, &[out]) {
        Ok(_) => Ok(()),
        Err(Error::Fault(fault)) => Err(fault),
        Err(error) => panic!("{error}"),
    }
}

fn fine(body: &str, block: u32) {
    if let Err(fault) = run(body, block) {
        panic!("{fault}\n{body}");
    }
}

fn races(body: &str, block: u32) -> Box<Fault> {
    let fault = run(body, block).expect_err(body);
    assert_eq!(fault.kind, FaultKind::SharedRace, "{fault}\n{body}");
    assert!(fault.message.ends_with("; a barrier between them is missing"), "{fault}");
    fault
}

/// Reads the word of the thread whose number differs in these bits.
fn read(bits: u32) -> String {
    format!("xor.b32 %r7, %r6, {}; ld.shared.u32 %r8, [%r7];\n", 4 * bits)
}

const WRITE: &str = "st.shared.u32 [%r6], %r4;\n";

#[test]
fn pairs_of_warps_meet_at_barriers_of_their_own() {
    for barrier in ["barrier.sync %r10, 64;", "bar.sync %r10, 64;", "barrier.sync.aligned %r10, %r11;"] {
        let pairs = format!("shr.u32 %r10, %r9, 1; add.u32 %r10, %r10, 1; mov.u32 %r11, 64; {barrier}\n");
        // Of the other warp, and of other lanes of their own.
        fine(&[WRITE, &pairs, &read(32), &read(1), &read(33)].concat(), 128);
        let fault = races(&[WRITE, &pairs, &read(64)].concat(), 128);
        assert_eq!(fault.block, [0, 0, 0]);
        // Two barriers for each round of a loop.
        let round = [WRITE, &pairs, &read(32), &pairs].concat();
        fine(&[&round[..], &round, &round].concat(), 128);
        races(&[WRITE, &pairs, &read(32), WRITE].concat(), 128);
    }
}

#[test]
fn two_warps_of_four_meet_while_the_others_do_something_else() {
    let body = |id: &str, then: &str| {
        format!(
            "{WRITE} @%p1 bra MEET; @%p2 bra MEET; bra END; MEET: barrier.sync {id}, 64; {then} END: {}",
            "bar.sync 0;"
        )
    };
    fine(&body("2", &(read(32) + &read(7))), 128);
    races(&body("2", &read(64)), 128);
}

#[test]
fn what_one_warp_learns_at_a_barrier_it_hands_on_at_the_next() {
    // Warps 0 and 1 meet, then 1 and 2; 2 reads what 0 wrote.
    let chain = |first: &str, second: &str| {
        format!(
            r"
                {WRITE}
                @%p3 bra SECOND;
                @%p4 bra END;
                {first}
                @%p1 bra END;
                SECOND:
                {second}
                @!%p3 bra END;
                {}
                END:
            ",
            read(64)
        )
    };
    fine(&chain("bar.sync 1, 64;", "bar.sync 2, 64;"), 128);
    races(&chain("", "bar.sync 2, 64;"), 128);
    // The first of them only says that it has come.
    let arriving = "@%p1 bra COME; bar.sync 1, 64; bra GO; COME: bar.arrive 1, 64; GO:";
    fine(&chain(arriving, "bar.sync 2, 64;"), 128);
}

#[test]
fn producers_arrive_and_consumers_wait() {
    // Warp 0 writes and arrives at 1; warp 1 waits there, reads, and arrives at 2, where warp 0 waits before it writes again.
    let rounds = |full: &str, empty: &str, rounds: usize| {
        let produce = format!("{WRITE} bar.arrive 1, 64; {empty}\n");
        let consume = format!("{full} {} bar.arrive 2, 64;\n", read(32));
        format!(
            "@%p2 bra CONSUME; {} bra END; CONSUME: {} END:",
            produce.repeat(rounds),
            consume.repeat(rounds)
        )
    };
    let (full, empty) = ("bar.sync 1, 64;", "bar.sync 2, 64;");
    for count in [1, 2, 5] {
        fine(&rounds(full, empty, count), 64);
    }
    // Who arrives does not wait: it may write again before the others have read.
    let ahead = format!(
        "{WRITE} @%p2 bra CONSUME; bar.arrive 1, 64; {WRITE} bra END; CONSUME: {full} {} END:",
        read(32)
    );
    races(&ahead, 64);
}

#[test]
fn an_arrival_says_nothing_of_what_comes_after_it() {
    let body = format!(
        r"
            @%p2 bra WAIT;
            bar.arrive 1, 64;
            {WRITE}
            bra END;
            WAIT:
            bar.sync 1, 64;
            {}
            END:
        ",
        read(32)
    );
    races(&body, 64);
}

#[test]
fn reductions_over_some_warps_order_them_too() {
    let with = |barrier: &str| {
        let pairs = format!("shr.u32 %r10, %r9, 1; add.u32 %r10, %r10, 1; {barrier}\n");
        [WRITE, &pairs, &read(32), &read(3)].concat()
    };
    fine(&with("bar.red.popc.u32 %r12, %r10, 64, %p1;"), 128);
    fine(&with("barrier.red.or.pred %p5, %r10, 64, %p1;"), 128);
    races(&with(""), 128);
}

#[test]
fn warps_may_meet_different_numbers_of_times() {
    // Warps 0 and 1 meet three times, warps 2 and 3 once, and all of them at the end.
    let meet = |id: u32| {
        [WRITE, &format!("bar.sync {id}, 64;\n"), &read(32), &format!("bar.sync {id}, 64;\n")].concat()
    };
    let body = format!(
        "@%p3 bra LATE; @%p4 bra LATE; {} bra END; LATE: {} END: bar.sync 0; {}",
        meet(1).repeat(3),
        meet(2),
        read(64)
    );
    fine(&body, 128);
    races(&body.replace("bar.sync 0;", ""), 128);
}

#[test]
fn what_is_read_before_another_warp_writes_it_is_a_race_whichever_comes_first() {
    // Thread t reads the word of thread 127 - t, which has another warp.
    let reversed = "xor.b32 %r7, %r6, 508; ld.shared.u32 %r8, [%r7]; st.global.u32 [%rd1], %r8;";
    let body = |barrier: &str| format!("{WRITE} {barrier} {reversed}");
    let fault = races(&body(""), 128);
    assert!(fault.message.contains("shared memory that thread ("), "{fault}");
    fine(&body("bar.sync 0;"), 128);
    // Half a warp reads what the other half writes later.
    let halves = r"
        setp.lt.u32 %p5, %r4, 16;
        xor.b32 %r7, %r6, 64;
        @%p5 bra READ;
        st.shared.u32 [%r6], %r4;
        bra END;
        READ:
        ld.shared.u32 %r8, [%r7];
        st.global.u32 [%rd1], %r8;
        END:
    ";
    races(halves, 32);
    races(&halves.replace("@%p5", "@!%p5"), 32);
    // Vectors, bytes, atomic operations, generic addresses.
    for (write, read) in [
        (
            "st.shared.u32 [%r6], %r4;",
            "and.b32 %r7, %r7, -16; ld.shared.v4.u32 {%r8, %r10, %r11, %r12}, [%r7];",
        ),
        ("st.shared.u8 [%r6+1], %r4;", "ld.shared.u8 %r8, [%r7+1];"),
        ("st.shared.u32 [%r6], %r4;", "atom.shared.add.u32 %r8, [%r7], 1;"),
        ("st.shared.u32 [%r6], %r4;", "cvta.shared.u64 %rd5, %rd4; ld.u32 %r8, [%rd5];"),
    ] {
        let address = "xor.b32 %r7, %r6, 256; cvt.u64.u32 %rd4, %r7;";
        races(&format!("{write} {address} {read} st.global.u32 [%rd1], %r8;"), 128);
    }
    // What is never written has no value, and that is reported though others go on.
    let nobody = "ld.shared.u32 %r8, [%r6+4096]; st.global.u32 [%rd1], %r8;";
    let fault = run(&format!("{WRITE} {nobody} bar.sync 0;"), 128).unwrap_err();
    assert_eq!((fault.kind, fault.thread, fault.address), (FaultKind::UninitialisedRead, [0; 3], Some(4096)));
    // Who waits for a flag that a held thread would set waits in vain.
    let flag = r"
        @%p1 bra SET;
        WAIT:
        ld.volatile.shared.u32 %r8, [s+4096];
        setp.ne.u32 %p5, %r8, 1;
        @%p5 bra WAIT;
        bra END;
        SET:
        ld.shared.u32 %r8, [s+2048];
        setp.eq.u32 %p5, %r8, 3;
        @%p5 bra END;
        st.volatile.shared.u32 [s+4096], 1;
        END:
    ";
    let start = "st.shared.u32 [s+4096], 0; bar.sync 0;";
    let fault = run(&format!("{start}{flag}"), 64).unwrap_err();
    assert_eq!((fault.kind, fault.address), (FaultKind::UninitialisedRead, Some(2048)), "{fault}");
}

#[test]
fn global_memory_that_another_thread_of_the_block_writes_later_names_its_line() {
    let ptx = kernel(
        2,
        &format!(
            r"
                {OWN_WORD}
                ld.param.u64 %rd3, [p1];
                add.s64 %rd4, %rd3, %rd2;
                xor.b64 %rd5, %rd4, 256;
                st.global.u32 [%rd4], %r4;
                ld.global.u32 %r5, [%rd5];
                st.global.u32 [%rd1], %r5;
                ret;
            "
        ),
    );
    let mut bench = Bench::new(&ptx);
    bench.device.options().checks = Checks::ALL;
    let out = bench.words(&[0; 128]);
    let scratch = bench.device.allocate(512).unwrap();
    let Err(Error::Fault(fault)) = bench.launch(1, 128, &[out, scratch]) else { panic!("no fault") };
    assert_eq!((fault.kind, fault.thread), (FaultKind::UninitialisedRead, [0; 3]), "{fault}");
    assert!(fault.message.contains("before thread (64,0,0) writes them at test.ptx:"), "{fault}");
    assert!(fault.message.ends_with("; a barrier between them is missing"), "{fault}");
}

#[test]
fn a_counted_barrier_lets_as_many_go_as_it_counts() {
    // Of four warps at a barrier of two, the first two go on before the last two have come: they have not waited for them.
    let fault = run(
        r"
            st.shared.u32 [%r6], %r4;
            barrier.sync 1, 64;
            xor.b32 %r7, %r6, 256;
            ld.shared.u32 %r8, [%r7];
            st.global.u32 [%rd1], %r8;
        ",
        128,
    )
    .unwrap_err();
    assert_eq!(fault.kind, FaultKind::SharedRace, "{fault}");
    run("st.shared.u32 [%r6], %r4; barrier.sync 1, 64; barrier.sync 2, 64;", 128).unwrap();
    // Two parts of one warp come one after the other.
    let parts = "and.b32 %r7, %r4, 1; setp.eq.u32 %p5, %r7, 0; @%p5 bra EVEN; barrier.sync 1, 64; bra DONE;
        EVEN: barrier.sync 1, 64; DONE:";
    run(parts, 64).unwrap();
}

#[test]
fn a_warp_that_arrives_twice_does_not_open_a_barrier() {
    let fault = run("@%p1 barrier.arrive 1, 64; @%p1 barrier.arrive 1, 64; @%p2 barrier.sync 1, 64;", 64);
    let fault = fault.unwrap_err();
    assert_eq!((fault.kind, fault.thread), (FaultKind::DivergentBarrier, [32, 0, 0]), "{fault}");
    assert_eq!(
        fault.message,
        "threads wait at barrier 1 for 64 threads, but only 32 arrive; warp 0 arrived there a second time before its first \
         arrival was released: a second barrier must hold it back until the others are done"
    );
    let fault = run("@%p2 barrier.sync 3, 96;", 64).unwrap_err();
    assert_eq!(fault.message, "threads wait at barrier 3 for 96 threads, but only 32 arrive");
}
