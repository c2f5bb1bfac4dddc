//! Matrices of a warp: what they count, who must be there, what the checks see, what is refused.
#![allow(clippy::unwrap_used, missing_docs)]

use crate::common;
use common::{Bench, OWN_WORD, kernel};
use simt::{Error, Fault, FaultKind};
use std::collections::BTreeMap;

#[derive(serde::Deserialize)]
struct Counted {
    op: String,
    offs: Vec<u32>,
    hw: BTreeMap<String, u64>,
}

/// A kernel in which a lane's shared word is at `%r6`, 16 times as far at `%r7`, and shared memory begins at `%r5`.
fn shared(body: &str) -> String {
    kernel(
        1,
        &format!(
            r"
                .shared .align 16 .b8 s[16384];
                {OWN_WORD}
                mov.u32 %r5, s;
                mad.lo.u32 %r6, %r4, 4, %r5;
                mad.lo.u32 %r7, %r4, 16, %r5;
                {body}
                ret;
            "
        ),
    )
    .replace("sm_52", "sm_90")
}

fn run(body: &str, block: u32) -> Result<Vec<u32>, Box<Fault>> {
    let mut bench = Bench::new(&shared(body));
    bench.device.options().checks = simt::Checks::ALL;
    bench.device.options().budget = 1 << 20;
    let out = bench.words(&vec![0; block as usize]);
    match bench.launch(1, block, &[out]) {
        Ok(_) => Ok(bench.read(out, block as usize)),
        Err(Error::Fault(fault)) => Err(fault),
        Err(error) => panic!("{error}"),
    }
}

#[test]
fn ldmatrix_counts_what_the_hardware_counted() {
    let all: Vec<Counted> = serde_json::from_str(include_str!("truth/matrices.json")).unwrap();
    assert_eq!(all.len(), 36);
    for counted in all {
        let count: usize = counted.op["ldmatrix_".len()..].parse().unwrap();
        let results = ["%r8", "%r9", "%r10", "%r11"][..count].join(", ");
        let mut bench = Bench::new(&shared(&format!(
            r"
                ld.global.u32 %r12, [%rd1];
                add.u32 %r12, %r12, %r5;
                ldmatrix.sync.aligned.m8n8.x{count}.shared.b16 {{{results}}}, [%r12];
            "
        )));
        // The data are not looked at.
        bench.device.options().checks = simt::Checks::NONE;
        let offsets: Vec<u32> = counted.offs.iter().map(|o| o % 16384).collect();
        let offsets = bench.words(&offsets);
        let counters = bench.launch(1, 32, &[offsets]).unwrap();
        for name in ["matrix_load_instructions", "shared_load_wavefronts", "shared_load_bank_conflicts"] {
            let expected = counted.hw.get(name).copied().unwrap_or(0);
            assert_eq!(counters.get(name), Some(expected), "{name} of {} at {:?}", counted.op, counted.offs);
        }
        assert_eq!(counters.shared_load_instructions, 0);
    }
}

/// Measured with ncu on an H200: rows a number of bytes apart, for one, two and four matrices. It counts no
/// `smsp__inst_executed_op_shared_st`.
#[test]
fn stmatrix_counts_what_the_hardware_counted() {
    for (apart, conflicts) in [(16, 0), (32, 1), (64, 3), (128, 7), (144, 0)] {
        for count in [1, 2, 4] {
            let values = ["%r4"; 4][..count].join(", ");
            let mut bench = Bench::new(&shared(&format!(
                r"
                    mad.lo.u32 %r8, %r4, {apart}, %r5;
                    stmatrix.sync.aligned.m8n8.x{count}.shared.b16 [%r8], {{{values}}};
                "
            )));
            let out = bench.words(&[0]);
            let counters = bench.launch(1, 32, &[out]).unwrap();
            let count = count as u64;
            assert_eq!(counters.shared_store_wavefronts, count * (1 + conflicts), "{apart} {count}");
            assert_eq!(counters.shared_store_bank_conflicts, count * conflicts, "{apart} {count}");
            assert_eq!((counters.matrix_store_instructions, counters.shared_store_instructions), (1, 0));
        }
    }
}

/// As ptxas has it for sm_90: `ldmatrix` from shared memory, words from elsewhere; sums are words everywhere.
#[test]
fn fragments_are_loaded_by_ldmatrix_or_by_words() {
    let registers = "{%r8, %r9, %r10, %r11, %r12, %r13, %r14, %r15}";
    let load = |space: &str, address: &str, ty: &str, which: &str| {
        let mut bench = Bench::new(&shared(&format!(
            "wmma.load.{which}.sync.aligned.row.m16n16k16.{space}.{ty} {}, [{address}], 16;",
            if ty == "f32" { registers.replace("%r", "%f") } else { registers.into() }
        )));
        let out = bench.words(&[0; 512]);
        bench.launch(1, 32, &[out]).unwrap()
    };
    let counters = load("shared", "%r5", "f16", "a");
    assert_eq!((counters.matrix_load_instructions, counters.shared_load_wavefronts), (1, 8));
    let counters = load("global", "%rd0", "f16", "a");
    assert_eq!((counters.global_load_requests, counters.global_load_sectors), (4, 4 * 8));
    let counters = load("shared", "%r5", "f32", "c");
    assert_eq!((counters.shared_load_instructions, counters.matrix_load_instructions), (4, 0));
    assert_eq!(counters.warp_instructions, load("global", "%rd0", "f16", "a").warp_instructions);
}

#[test]
fn all_lanes_of_the_warp_must_be_there() {
    let product = r"
        mov.b32 %r8, 0x3c003c00;
        mov.f32 %f1, 0f00000000;
        mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%f1, %f2, %f3, %f4}, {%r8, %r8}, {%r8}, {%f1, %f1, %f1, %f1};
        st.global.f32 [%rd1], %f4;
    ";
    assert_eq!(run(product, 32).unwrap(), [8f32.to_bits(); 32]);
    let fault = run(product, 16).unwrap_err();
    assert_eq!(fault.kind, FaultKind::DivergentBarrier);
    assert!(fault.message.contains("all 32 lanes") && fault.message.contains("16 did"), "{fault}");
    // Lanes that exited before.
    let exited = format!("setp.eq.u32 %p1, %r4, 7; @%p1 exit; {product}");
    assert_eq!(run(&exited, 32).unwrap_err().kind, FaultKind::DivergentBarrier);
    // A part of the warp that waits for the others.
    let apart = format!("setp.lt.u32 %p1, %r4, 7; @%p1 bra OUT; {product} OUT:");
    assert_eq!(run(&apart, 32).unwrap_err().kind, FaultKind::DivergentBarrier);
    // A guard that is the same for all.
    let guarded = |value: u32| {
        product.replace(
            "mma.sync",
            &format!("setp.eq.u32 %p1, %r2, {value}; mov.f32 %f4, 0f3f800000; @%p1 mma.sync"),
        )
    };
    assert_eq!(run(&guarded(0), 32).unwrap(), [8f32.to_bits(); 32]);
    assert_eq!(run(&guarded(1), 32).unwrap(), [1f32.to_bits(); 32]);
}

#[test]
fn lanes_that_come_one_after_the_other_wait_for_each_other() {
    // Longer than others wait at a join; and a way out that no lane takes, after which they would meet at the end alone.
    for (between, outcome) in [("", 8f32), ("setp.gt.u32 %p3, %r2, 5; @%p3 trap; ", 8f32)] {
        let body = format!(
            r"
                mov.b32 %r8, 0x3c003c00;
                mov.f32 %f1, 0f00000000;
                mov.u32 %r9, 0;
                setp.ge.u32 %p1, %r4, 3;
                @%p1 bra MEET;
                LOOP:
                add.u32 %r9, %r9, 1;
                setp.lt.u32 %p2, %r9, 20000;
                @%p2 bra LOOP;
                {between}MEET:
                mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {{%f1, %f2, %f3, %f4}}, {{%r8, %r8}}, {{%r8}}, {{%f1, %f1, %f1, %f1}};
                st.global.f32 [%rd1], %f4;
            "
        );
        assert_eq!(run(&body, 32).unwrap(), [outcome.to_bits(); 32]);
    }
}

#[test]
fn the_checks_see_rows() {
    let load = r"
        ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r8, %r9, %r10, %r11}, [%r12];
        st.global.u32 [%rd1], %r8;
    ";
    let fill = "st.shared.v4.u32 [%r7], {%r4, %r4, %r4, %r4};\n";
    let own = "mov.u32 %r12, %r7;\n";
    assert!(run(&format!("{fill}{own}{load}"), 32).is_ok(), "the instruction is a meeting");
    let fault = run(&format!("{own}{load}"), 32).unwrap_err();
    assert_eq!((fault.kind, fault.thread), (FaultKind::UninitialisedRead, [0, 0, 0]));
    // Rows that the other warp wrote.
    let others = "xor.b32 %r13, %r4, 32; mad.lo.u32 %r12, %r13, 16, %r5; ";
    assert!(run(&format!("{fill}bar.sync 0;\n{others}{load}"), 64).is_ok());
    assert_eq!(
        run(&format!("{fill}bar.sync 0;\n{fill}{others}{load}"), 64).unwrap_err().kind,
        FaultKind::SharedRace
    );
    let store = "stmatrix.sync.aligned.m8n8.x4.shared.b16 [%r12], {%r4, %r4, %r4, %r4};";
    assert_eq!(run(&format!("{fill}{others}{store}"), 64).unwrap_err().kind, FaultKind::SharedRace);
    let fault = run(&format!("add.u32 %r12, %r7, 4; {load}"), 32).unwrap_err();
    assert_eq!(fault.kind, FaultKind::MisalignedAddress);
    let fault = run(&format!("add.u32 %r12, %r7, 16384; {load}"), 32).unwrap_err();
    assert_eq!(fault.kind, FaultKind::OutOfBoundsShared);
}

#[test]
fn forms_that_are_not_done_are_refused() {
    for instruction in [
        "mma.sync.aligned.m16n8k16.col.row.f32.f16.f16.f32 {%f1, %f2, %f3, %f4}, {%r1, %r2, %r3, %r4}, {%r5, %r6}, {%f1, %f2, %f3, %f4}",
        "mma.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 {%f1, %f2, %f3, %f4}, {%r1, %r2, %r3, %r4}, {%r5, %r6}, {%f1, %f2, %f3, %f4}",
        "mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f1, %f2, %f3, %f4}, {%r1, %r2}, {%r5, %r6}, {%f1, %f2, %f3, %f4}, %r7, 0",
        "wmma.load.a.sync.aligned.col.m8n8k32.shared.s4 {%r1}, [%r5]",
        "ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8 {%r1, %r2}, [%r5]",
        "wgmma.fence.sync.aligned",
    ] {
        let name = instruction.split(' ').next().unwrap();
        match Bench::try_new(&shared(&format!("{instruction};"))) {
            Err(Error::Unsupported { what, .. }) => assert!(what.contains(name), "{what}"),
            other => panic!("{instruction}: {:?}", other.err()),
        }
    }
    // The right form with a register too few.
    let few = "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%f1, %f2, %f3}, {%r1, %r2}, {%r3}, {%f1, %f2, %f3, %f4};";
    assert!(matches!(Bench::try_new(&shared(few)), Err(Error::BadPtx { .. })));
}

#[test]
fn rows_and_columns_without_a_value_leave_the_others_theirs() {
    // Rows 0 to 7 of the first factor are written, the others not.
    let load = r"
        setp.lt.u32 %p1, %r4, 16;
        @%p1 st.shared.v4.u32 [%r7], {%r4, %r4, %r4, %r4};
        bar.warp.sync -1;
        and.b32 %r12, %r4, 7;
        shr.u32 %r13, %r4, 4;
        mad.lo.u32 %r12, %r13, 8, %r12;
        and.b32 %r13, %r4, 8;
        mad.lo.u32 %r12, %r13, 2, %r12;
        mad.lo.u32 %r12, %r12, 16, %r5;
        ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r8, %r9, %r10, %r11}, [%r12];
        mov.u32 %r14, 1006648320;
        mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f1, %f2, %f3, %f4}, {%r8, %r9, %r10, %r11}, {%r14, %r14}, {%f5, %f5, %f5, %f5};
    ";
    let store = |sum: &str| format!("mov.f32 %f5, 0f00000000; {load} st.global.f32 [%rd1], {sum};");
    for (sum, has_value) in [("%f1", true), ("%f2", true), ("%f3", false), ("%f4", false)] {
        let found = run(&store(sum), 32).err().map(|fault| fault.kind);
        assert_eq!(found, (!has_value).then_some(FaultKind::UninitialisedRead), "{sum}");
    }
    // A column of the second factor is in the registers of four lanes.
    let column = |lane: u32| {
        let lane =
            format!("setp.eq.u32 %p2, %r4, {lane}; mov.u32 %r15, %r14; @%p2 ld.shared.u32 %r15, [s+8192];");
        let product = store("%f2").replace("{%r14, %r14}", "{%r15, %r15}");
        product.replace("mma.sync", &format!("{lane} mma.sync"))
    };
    let fault = run(&column(5), 32).unwrap_err();
    assert_eq!(
        (fault.kind, fault.address),
        (FaultKind::UninitialisedRead, Some(8192)),
        "column 1 is lane 4's to 7's"
    );
    let stored = column(5).replace("st.global.f32 [%rd1], %f2", "setp.gt.u32 %p3, %r4, 3; and.b32 %r9, %r4, 3; setp.ne.u32 %p4, %r9, 0; @%p4 st.global.f32 [%rd1], %f2");
    run(&stored, 32).unwrap();
}

#[test]
fn rows_are_stored_without_what_has_no_value() {
    let body = |row: u32| {
        format!(
            r"
                setp.lt.u32 %p1, %r4, 4;
                @%p1 ld.shared.u32 %r4, [s+4096];
                mov.u32 %r12, %r7;
                stmatrix.sync.aligned.m8n8.x1.shared.b16 [%r12], {{%r4}};
                bar.warp.sync -1;
                ld.shared.u32 %r8, [s+{}];
                st.global.u32 [%rd1], %r8;
            ",
            16 * row
        )
    };
    run(&body(1), 32).unwrap();
    let fault = run(&body(0), 32).unwrap_err();
    assert_eq!((fault.kind, fault.address), (FaultKind::UninitialisedRead, Some(4096)));
}
