//! Memory that kernels allocate with `malloc`, under the checks: each misuse is reported, and what is right is not.
#![allow(clippy::unwrap_used, missing_docs)]

use crate::common;
use common::{Bench, kernel};
use simt::{Error, Fault, FaultKind};

/// Thread `t` of 32 has 40 bytes at `%rd1`, as ten words; `%r1` is `t` and `%rd3` the output.
const MALLOC: &str = r"
    mov.u32 %r1, %tid.x;
    ld.param.u64 %rd3, [p0];
    { .param .b64 n; .param .b64 r;
    st.param.b64 [n], 40;
    call (r), malloc, (n);
    ld.param.b64 %rd1, [r]; }
";
/// Gives it back.
const FREE: &str = "{ .param .b64 p; st.param.b64 [p], %rd1; call free, (p); } ";

fn run(body: &str, threads: u32) -> Result<(), Box<Fault>> {
    let functions = r"
            .extern .func (.param .b64 r) malloc (.param .b64 n);
            .extern .func free (.param .b64 p);
        ";
    let ptx = kernel(1, &format!("{MALLOC}{body}\nret;"));
    let ptx = ptx.replacen(".visible", &format!("{functions}.visible"), 1);
    let mut bench = Bench::new(&ptx);
    bench.device.options().checks = simt::Checks::ALL;
    let out = bench.words(&[0; 32]);
    match bench.launch(1, threads, &[out]) {
        Ok(_) => Ok(()),
        Err(Error::Fault(fault)) => Err(fault),
        Err(error) => panic!("{error}"),
    }
}

fn fault(body: &str) -> Box<Fault> {
    run(body, 32).expect_err(body)
}

#[track_caller]
fn reported(body: &str, kind: FaultKind, message: &str) {
    let fault = fault(body);
    assert_eq!(fault.kind, kind, "{fault}");
    assert!(fault.message.contains(message), "{fault}");
}

#[test]
fn a_piece_may_be_written_read_and_given_back() {
    let all = (0..10).map(|n| format!("st.u32 [%rd1+{}], %r1;\n", 4 * n)).collect::<String>();
    run(&format!("{all}ld.v2.u32 {{%r2, %r3}}, [%rd1+32]; atom.add.u32 %r2, [%rd1], 1; {FREE}"), 32).unwrap();
}

#[test]
fn accesses_past_the_end_of_a_piece() {
    let message = "0 bytes past the end of 40 bytes that malloc returned";
    reported("st.u32 [%rd1+40], %r1;", FaultKind::OutOfBoundsGlobal, message);
    reported("ld.u32 %r2, [%rd1+40];", FaultKind::OutOfBoundsGlobal, message);
    reported("red.add.u32 [%rd1+40], 1;", FaultKind::OutOfBoundsGlobal, message);
    // A thread alone, whose store is a row.
    let alone = run("st.global.u32 [%rd1+44], %r1;", 1).expect_err("44 bytes past the start of 40");
    assert!(alone.message.contains("4 bytes past the end of 40 bytes"), "{alone}");
}

#[test]
fn a_read_of_unwritten_memory() {
    reported(
        "st.u32 [%rd1], %r1; ld.u32 %r2, [%rd1+4]; st.u32 [%rd1], %r2;",
        FaultKind::UninitialisedRead,
        "nothing has written",
    );
}

#[test]
fn accesses_after_free() {
    let message = "4 bytes past the start of 40 bytes that were freed";
    let write = "st.u32 [%rd1+4], %r1;";
    reported(&format!("{write}{FREE}ld.u32 %r2, [%rd1+4];"), FaultKind::OutOfBoundsGlobal, message);
    reported(&format!("{FREE}{write}"), FaultKind::OutOfBoundsGlobal, message);
}

#[test]
fn what_a_piece_held_is_gone_when_the_next_one_has_its_place() {
    let again = r"
        { .param .b64 n; .param .b64 r;
        st.param.b64 [n], 40;
        call (r), malloc, (n);
        ld.param.b64 %rd2, [r]; }
    ";
    let body = format!("st.u32 [%rd1], %r1; {FREE}{again}ld.u32 %r2, [%rd2]; st.u32 [%rd2], %r2;");
    reported(&body, FaultKind::UninitialisedRead, "nothing has written");
}

#[test]
fn a_second_free_and_one_of_something_else() {
    let message = "free of an address that malloc did not return, or that has already been freed";
    reported(&format!("{FREE}{FREE}"), FaultKind::Trap, message);
    reported(&format!("add.s64 %rd1, %rd1, 16; {FREE}"), FaultKind::Trap, message);
    reported(&format!("mov.u64 %rd1, %rd3; {FREE}"), FaultKind::Trap, message);
    run(&format!("mov.u64 %rd1, 0; {FREE}"), 32).unwrap();
}
