//! Objects that count arrivals and bytes: what may not be done with them, and what they order.
#![allow(clippy::unwrap_used, missing_docs)]

use crate::common;
use common::{Bench, OWN_WORD, kernel};
use simt::{Error, FaultKind};

/// An object for 32 threads that the first thread of two warps has made, then `body`.
fn with_object(body: &str) -> Bench {
    let text = kernel(
        1,
        &format!(
            r"
                .shared .align 8 .b64 object;
                .shared .align 16 .b32 words[64];
                {OWN_WORD}setp.eq.u32 %p1, %r4, 0;
                @%p1 mbarrier.init.shared.b64 [object], 32;
                bar.sync 0;
                setp.lt.u32 %p2, %r4, 32;
                {body}
                ret;
            "
        ),
    );
    let mut bench = Bench::new(&text);
    *bench.device.options() =
        simt::Options { checks: simt::Checks::ALL, budget: 1 << 20, ..Default::default() };
    bench
}

fn fault(body: &str) -> (FaultKind, String) {
    let mut bench = with_object(body);
    let out = bench.words(&[0; 64]);
    match bench.launch(1, 64, &[out]) {
        Err(Error::Fault(fault)) => (fault.kind, fault.message),
        other => panic!("no fault: {other:?}"),
    }
}

/// The first warp writes and arrives, and the second one reads after `wait`.
fn hand_over(wait: &str) -> String {
    format!(
        r"
            mov.u32 %r5, words;
            and.b32 %r6, %r4, 31;
            shl.b32 %r6, %r6, 2;
            add.u32 %r5, %r5, %r6;
            @!%p2 bra TAKE;
            st.shared.u32 [%r5], %r4;
            mbarrier.arrive.shared.b64 %rd3, [object];
            bra DONE;
            TAKE:
            {wait}
            ld.shared.u32 %r7, [%r5];
            st.global.u32 [%rd1], %r7;
            DONE:
        "
    )
}

#[test]
fn who_waits_for_a_phase_sees_what_was_done_before_the_arrivals() {
    let mut bench = with_object(&hand_over(
        "WAIT: mbarrier.try_wait.parity.shared.b64 %p3, [object], 0; @!%p3 bra WAIT;",
    ));
    let out = bench.words(&[0; 64]);
    bench.launch(1, 64, &[out]).unwrap();
    assert_eq!(bench.read(out, 64)[32..], (0..32).collect::<Vec<u32>>());
}

#[test]
fn who_does_not_wait_races() {
    // The first warp has run when the second reads, and yet nothing has ordered the two.
    let (kind, message) = fault(&hand_over(""));
    assert_eq!(kind, FaultKind::SharedRace, "{message}");
}

#[test]
fn misuse_is_reported() {
    let of = |body: &str| fault(body);
    let (kind, message) = of("mbarrier.arrive.shared.b64 %rd3, [object], 33;");
    assert!(kind == FaultKind::Trap && message.contains("more arrivals"), "{message}");
    let (kind, _) = of("mbarrier.arrive.shared.b64 %rd3, [object+4];");
    assert_eq!(kind, FaultKind::MisalignedAddress);
    let (kind, _) = of("mbarrier.arrive.shared.b64 %rd3, [object+4096];");
    assert_eq!(kind, FaultKind::OutOfBoundsShared);
    let (kind, _) = of("mov.u64 %rd4, 4096; mbarrier.arrive.b64 %rd3, [%rd4];");
    assert_eq!(kind, FaultKind::OutOfBoundsShared);
    let (kind, message) = of(r"
            @%p1 mbarrier.inval.shared.b64 [object];
            bar.sync 0;
            mbarrier.arrive.shared.b64 _, [object];
        ");
    assert!(kind == FaultKind::Trap && message.contains("not an mbarrier"), "{message}");
    let (kind, message) = of("WAIT: mbarrier.try_wait.parity.shared.b64 %p3, [object], 0; @!%p3 bra WAIT;");
    assert!(kind == FaultKind::InfiniteLoop && message.contains("32 arrivals and 0 bytes"), "{message}");
}

#[test]
fn bulk_copies_stay_inside_and_on_their_grid() {
    let copy = |from: &str, bytes: u32| {
        fault(&format!(
            "@%p1 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [words], [{from}], {bytes}, [object];"
        ))
        .0
    };
    assert_eq!(copy("%rd0", 8), FaultKind::MisalignedAddress);
    assert_eq!(copy("%rd0+4", 16), FaultKind::MisalignedAddress);
    assert_eq!(copy("%rd0", 4096), FaultKind::OutOfBoundsGlobal);
    assert_eq!(copy("%rd0", 0x8000_0000), FaultKind::OutOfBoundsGlobal);
    assert_eq!(copy("%rd0+16", 256), FaultKind::OutOfBoundsGlobal);
    let (kind, _) = fault(
        "@%p1 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [words+128], [%rd0], 256, [object];",
    );
    assert_eq!(kind, FaultKind::OutOfBoundsShared);
}

#[test]
fn a_bulk_copy_counts_its_sectors() {
    let mut bench = with_object(
        "@%p1 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [words], [%rd0], 256, [object];
         @%p1 cp.async.bulk.global.shared::cta.bulk_group [%rd0], [words], 80;
         @%p1 cp.async.bulk.commit_group;
         @%p1 cp.async.bulk.wait_group 0;",
    );
    let out = bench.words(&[0; 64]);
    let counted = bench.launch(1, 64, &[out]).unwrap();
    let bulk = (counted.bulk_copies, counted.bulk_load_sectors, counted.bulk_store_sectors);
    assert_eq!((bulk, counted.global_load_requests, counted.global_store_requests), ((2, 8, 3), 0, 0));
}

#[test]
fn tensor_maps_are_refused() {
    let body = r"
        cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%r1], [%rd1, {%r2}], [%r3];
        ret;
    ";
    let Err(error) = Bench::try_new(&kernel(1, body)) else { panic!("it is taken") };
    assert_eq!(error.kind(), Some("unsupported-instruction"), "{error}");
}
