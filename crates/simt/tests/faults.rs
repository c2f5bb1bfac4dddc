//! Refused programs and faults, each with its place.
#![allow(clippy::unwrap_used, missing_docs)]

use crate::common;
use common::{Bench, OWN_WORD, kernel};
use simt::{Arg, Error, Fault, FaultKind};

fn fault(error: Error) -> Fault {
    match error {
        Error::Fault(fault) => *fault,
        other => panic!("no fault: {other}"),
    }
}

#[test]
fn a_store_past_the_end_names_thread_line_and_allocation() {
    let body = format!(
        r"
            .loc 1 42 5
            {OWN_WORD}
            st.global.u32 [%rd1], %r1;
            ret;
        "
    );
    let text = kernel(1, &body).replace(".visible", ".file 1 \"k.cu\"\n.visible");
    let mut bench = Bench::new(&text);
    let out = bench.words(&[0; 70]);
    let fault = fault(bench.launch(3, 32, &[out]).unwrap_err());
    assert_eq!(fault.kind, FaultKind::OutOfBoundsGlobal);
    assert_eq!((fault.block, fault.thread), ([2, 0, 0], [6, 0, 0]));
    assert_eq!(fault.message, "access of 4 bytes, 0 bytes past the end of allocation 0, 280 bytes");
    assert_eq!(fault.place.source, Some(("k.cu".to_owned(), 42)));
    assert_eq!(text.lines().nth(fault.place.at.0 as usize - 1).unwrap().trim(), "st.global.u32 [%rd1], %r1;");
}

#[test]
fn an_index_far_outside_of_a_buffer_is_a_fault_of_that_buffer_and_lands_in_no_other() {
    for (index, told) in [
        (100, "0 bytes past the end of first, 400 bytes"),
        (-1, "4 bytes before the start of first, 400 bytes"),
        // Bytes for elements, a row too many, an index that has overflowed.
        (400, "1200 bytes past the end of first, 400 bytes"),
        (100_000, "399600 bytes past the end of first, 400 bytes"),
        (i64::from(i32::MIN), "8589934592 bytes before the start of first, 400 bytes"),
        (i64::from(u32::MAX), "17179868780 bytes past the end of first, 400 bytes"),
    ] {
        let body = format!(
            "ld.param.u64 %rd1, [p1]; add.s64 %rd1, %rd1, {}; st.global.u32 [%rd1], 7; ret;",
            index * 4
        );
        let mut bench = Bench::new(&kernel(3, &body));
        let [before, first, behind] = [100, 100, 1 << 20].map(|words| bench.words(&vec![0; words]));
        bench.device.name_buffer(first, "first").unwrap();
        let fault = fault(bench.launch(1, 1, &[before, first, behind]).unwrap_err());
        assert_eq!(fault.kind, FaultKind::OutOfBoundsGlobal);
        assert_eq!(fault.message, format!("access of 4 bytes, {told}"));
    }
}

#[test]
fn of_many_faults_the_lowest_block_is_named() {
    let mut bench = Bench::new(&kernel(1, &format!("{OWN_WORD} st.global.u32 [%rd1], %r1; ret;")));
    let out = bench.words(&[0; 32 * 100]);
    for _ in 0..5 {
        assert_eq!(fault(bench.launch(2000, 32, &[out]).unwrap_err()).block, [100, 0, 0]);
    }
}

#[test]
fn each_kind_of_bad_access_has_its_name() {
    for (body, kind) in [
        ("mov.u64 %rd1, 16; ld.global.u32 %r1, [%rd1];", FaultKind::NullPointer),
        ("ld.param.u64 %rd1, [p0]; ld.global.u32 %r1, [%rd1+2];", FaultKind::MisalignedAddress),
        ("ld.param.u64 %rd1, [p0]; st.global.u16 [%rd1+400], %r1;", FaultKind::OutOfBoundsGlobal),
        (".shared .b8 s[16]; mov.u32 %r1, s; ld.shared.u32 %r2, [%r1+16];", FaultKind::OutOfBoundsShared),
        (
            "mov.u32 %r1, %tid.x; shl.b32 %r1, %r1, 2; ld.const.u32 %r2, [%r1];",
            FaultKind::OutOfBoundsConstant,
        ),
        ("ld.const.u32 %r2, [4];", FaultKind::OutOfBoundsConstant),
        ("LOOP: bra LOOP;", FaultKind::InfiniteLoop),
        ("LOOP: bar.sync 0; bra LOOP;", FaultKind::InfiniteLoop),
        ("trap;", FaultKind::Trap),
    ] {
        let mut bench = Bench::new(&kernel(1, &format!("{body}\nret;")));
        bench.device.options().budget = 1_000_000;
        let out = bench.words(&[0; 8]);
        assert_eq!(fault(bench.launch(1, 32, &[out]).unwrap_err()).kind, kind, "{body}");
    }
}

#[test]
fn a_barrier_that_half_of_the_block_leaves_out_does_not_hang() {
    // Lanes below 16 wait at the barrier, and at the end of the branch the others wait for them.
    let mut bench = Bench::new(&kernel(
        1,
        &format!(
            r"
                {OWN_WORD}
                setp.ge.u32 %p1, %r4, 16;
                @%p1 bra MEET;
                bar.sync 0;
                MEET:
                st.global.u32 [%rd1], %r1;
                ret;
            "
        ),
    ));
    let out = bench.words(&[0; 32]);
    assert_eq!(fault(bench.launch(1, 32, &[out]).unwrap_err()).kind, FaultKind::DivergentBarrier);
}

#[test]
fn what_is_not_supported_is_refused_before_a_thread_runs() {
    let cases = [
        ("wgmma.fence.sync.aligned;", "`wgmma.fence.sync.aligned`"),
        ("ld.global.b128 %rd1, [%rd1];", "`ld.global.b128`"),
        ("mov.u32 %r1, %pm0;", "`%pm0`"),
        ("bar.sync.other 1;", "`bar.sync.other`"),
        (".surf x;", "`.surf`"),
    ];
    for (line, what) in cases {
        match Bench::try_new(&kernel(0, &format!("{line}\nret;"))) {
            Err(Error::Unsupported { place, what: found }) => {
                assert_eq!(found, what);
                assert_eq!(place.at.0, 11, "{line}");
            }
            Err(other) => panic!("{line}: {other}"),
            Ok(_) => panic!("{line}: accepted"),
        }
    }
}

#[test]
fn ptx_that_contradicts_itself_is_bad() {
    for (line, message) in [
        ("add.s32 %r1, %r2;", "`add.s32` takes 3 operands, not 2"),
        ("add.s32 %r1, %r2, %rd1;", "`%rd1` is 64 bits, but this instruction requires up to 32 bits"),
        ("add.s32 %r1, %r2, %q;", "`%q` as"),
        ("mov.u32 %r99, 1;", "`%r99` is not declared"),
        ("bra NOWHERE;", "there is no label `NOWHERE`"),
        ("ld.param.u32 %r1, [p0+8];", "this access is outside its parameter"),
        ("ld.shared.v4.u64 {%rd1,%rd2,%rd3,%rd4}, [%rd5];", "`ld.shared.v4.u64` accesses 32 bytes a thread"),
    ] {
        match Bench::try_new(&kernel(1, &format!("{line}\nret;"))) {
            Err(error) => {
                assert!(error.to_string().contains(message.trim_end_matches(" as")), "{line}: {error}")
            }
            Ok(_) => panic!("{line}: accepted"),
        }
    }
}

#[test]
fn constant_memory_ends_at_64_kib() {
    let text = kernel(0, "ret;").replace(".visible", ".const .align 4 .b8 c[65540];\n.visible");
    assert!(matches!(Bench::try_new(&text), Err(Error::ConstantOverflow { bytes: 65540, limit: 65536, .. })));
}

#[test]
fn launches_that_no_device_takes_are_refused_with_the_reason() {
    let mut bench = Bench::new(&kernel(1, "ret;"));
    let out = bench.words(&[0; 8]);
    let told = |result: Result<_, Error>| result.map(|_| ()).unwrap_err().to_string();
    assert_eq!(
        told(bench.launch(1, 1025, &[out])),
        "kernel k: block [1025, 1, 1] is larger than [1024, 1024, 64]"
    );
    assert_eq!(
        told(bench.launch(0, 32, &[out])),
        "kernel k: grid [0, 1, 1] and block [32, 1, 1] must have no zero"
    );
    assert_eq!(told(bench.launch(1, 32, &[])), "kernel k: 0 arguments for 1 parameters");
    let short = vec![Arg::Value(vec![0; 4])];
    assert_eq!(
        told(bench.launch_with(1, 32, 0, short)),
        "kernel k: argument 1 has 4 bytes, but its parameter 8"
    );
    let args = vec![Arg::Buffer(out, 0)];
    assert!(told(bench.launch_with(1, 32, 300_000, args)).contains("300000 bytes of shared memory a block"));
    bench.device.free(out).unwrap();
    assert!(told(bench.launch(1, 32, &[out])).contains("was freed"));
}

#[test]
fn copies_stay_inside_of_buffers_and_variables() {
    let text =
        kernel(0, "ret;").replace(".visible", ".const .align 4 .b8 c[20];\n.global .u32 g = 7;\n.visible");
    let mut bench = Bench::new(&text);
    let told = |result: Result<(), Error>| result.unwrap_err().to_string();
    let module = bench.module;
    assert!(bench.device.write_symbol(module, "c", 16, &[0; 4]).is_ok());
    assert_eq!(
        told(bench.device.write_symbol(module, "c", 17, &[0; 4])),
        "variable `c`: bytes 17..21 are not inside of its 20 bytes"
    );
    assert_eq!(
        told(bench.device.write_symbol(module, "d", 0, &[0; 4])),
        "no constant or global variable `d` in test.ptx; it has: c, g"
    );
    let out = bench.words(&[0; 2]);
    assert!(told(bench.device.write(out, u64::MAX, &[0; 4])).contains("are not inside of its 8 bytes"));
}
