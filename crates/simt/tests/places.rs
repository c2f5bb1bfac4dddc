//! Places in the source: line tables with functions that were inlined.
#![allow(clippy::unwrap_used, missing_docs)]

use crate::common;
use common::{Bench, kernel};
use simt::{Error, Place};

/// A module with a line table of three files.
fn text(body: &str) -> String {
    kernel(0, body).replace(
        ".visible",
        r#".file 1 "kernel.cu"
           .file 2 "outer.h"
           .file 3 "inner.cuh"
           .visible"#,
    )
}

/// Three functions deep: `inner.cuh`'s in `outer.h`'s in the kernel.
const DEEP: &str = r"
    .loc 1 30 5
    mov.u32 %r1, 0;
    .loc 2 12 9, function_name $L__info_string0, inlined_at 1 30 5
    mov.u32 %r2, 1;
    .loc 3 7 3, function_name $L__info_string1, inlined_at 2 12 9
";

fn fault_place(body: &str) -> Place {
    match Bench::new(&text(body)).launch(1, 1, &[]) {
        Err(Error::Fault(fault)) => fault.place,
        other => panic!("{other:?}"),
    }
}

fn line(file: &str, line: u32) -> (String, u32) {
    (file.to_owned(), line)
}

#[test]
fn a_fault_names_the_innermost_line_and_every_call_around_it() {
    let place = fault_place(&format!("{DEEP} trap;"));
    assert_eq!(place.source, Some(line("inner.cuh", 7)));
    assert_eq!(place.inlined_at, [line("outer.h", 12), line("kernel.cu", 30)]);
    assert!(
        place.to_string().starts_with("inner.cuh:7, inlined at outer.h:12, inlined at kernel.cu:30 ("),
        "{place}"
    );
}

#[test]
fn what_happens_in_a_library_is_reported_at_the_line_that_calls_it() {
    let stack = |files: &[(&str, u32)]| {
        let mut lines = files.iter().map(|(file, number)| line(file, *number));
        let source = lines.next();
        simt::Place { source, inlined_at: lines.collect(), ..simt::Place::in_ptx("k.ptx", (9, 2)) }
    };
    let place = stack(&[("<warp.cuh>", 21), ("<cooperative_groups.h>", 8), ("mine.h", 5), ("kernel.cu", 30)]);
    assert_eq!(place.written_line(), Some(&line("mine.h", 5)));
    assert_eq!(place.to_string(), "mine.h:5, inlined at kernel.cu:30 (k.ptx:9:2)");
    for header in
        ["/usr/local/cuda/include/cuda_fp16.hpp", "sm_30_intrinsics.hpp", "cuda/std/detail/barrier.h"]
    {
        let place = stack(&[(header, 100), ("kernel.cu", 30), (header, 7)]);
        assert_eq!(place.to_string(), "kernel.cu:30 (k.ptx:9:2)", "{header}");
    }
    // A file of the student's that is called as one of CUDA's.
    assert_eq!(stack(&[("cuda_sum.cu", 4)]).written_line(), Some(&line("cuda_sum.cu", 4)));
    let only = stack(&[("<warp.cuh>", 21)]);
    assert_eq!(only.to_string(), "<warp.cuh>:21 (k.ptx:9:2)");
}

#[test]
fn a_line_in_headers_counts_for_the_program_s_line_that_calls_it() {
    assert_eq!(fault_place(&format!("{DEEP} trap;")).counted_line(), Some(&line("kernel.cu", 30)));
    let own = ".loc 1 30 5\n.loc 1 9 1, function_name $f, inlined_at 1 30 5\ntrap;";
    assert_eq!(fault_place(own).counted_line(), Some(&line("kernel.cu", 9)));
    let header = ".loc 2 5 5\n.loc 3 9 1, function_name $f, inlined_at 2 5 5\ntrap;";
    assert_eq!(fault_place(header).counted_line(), Some(&line("outer.h", 5)));
    assert_eq!(fault_place("trap;").counted_line(), None);
}

#[test]
fn a_function_that_is_inlined_twice_has_the_call_that_was_named_last() {
    let place = fault_place(&format!(
        r"
            {DEEP} mov.u32 %r3, 2;
            .loc 2 12 9, function_name $L__info_string0, inlined_at 1 44 5
            .loc 3 7 3, function_name $L__info_string1, inlined_at 2 12 9
            trap;
        "
    ));
    assert_eq!(place.inlined_at, [line("outer.h", 12), line("kernel.cu", 44)]);
}

#[test]
fn a_function_inlined_into_itself_has_a_stack_that_ends() {
    let place = fault_place(
        r"
            .loc 1 30 5
            .loc 1 30 5, function_name $f, inlined_at 1 30 5
            .loc 1 30 5, function_name $f, inlined_at 1 30 5
            trap;
        ",
    );
    assert_eq!(place.inlined_at, [line("kernel.cu", 30), line("kernel.cu", 30)]);
}

#[test]
fn code_after_an_inlined_function_is_the_caller_s_again() {
    let place = fault_place(&format!("{DEEP} mov.u32 %r3, 2;\n.loc 1 31 5\ntrap;"));
    assert_eq!((place.source, place.inlined_at), (Some(line("kernel.cu", 31)), vec![]));
}

#[test]
fn where_the_compiler_knows_no_line_the_last_one_holds() {
    let place = fault_place(&format!("{DEEP} mov.u32 %r3, 2;\n.loc 1 0 0\ntrap;"));
    assert_eq!(place.source, Some(line("inner.cuh", 7)));
}

#[test]
fn a_refusal_names_the_source_too() {
    let Err(error) = Bench::try_new(&text(&format!("{DEEP} frobnicate.u32 %r1, %r2;"))) else { panic!() };
    assert!(
        error.to_string().starts_with("inner.cuh:7, inlined at outer.h:12, inlined at kernel.cu:30 ("),
        "{error}"
    );
}

#[test]
fn both_lines_of_a_race_have_their_calls() {
    let body = format!(
        r"
            .shared .b32 s;
            .loc 1 20 5
            mov.u32 %r4, %tid.x;
            st.shared.u32 [s], %r4;
            {DEEP}
            ld.shared.u32 %r5, [s];
            .loc 1 32 5
            ret;
        "
    );
    let mut bench = Bench::new(&text(&body));
    bench.device.options().checks = simt::Checks::ALL;
    let said = bench.launch(1, 64, &[]).unwrap_err().to_string();
    assert!(said.contains("kernel.cu:20"), "{said}");
}

#[test]
fn a_fault_in_a_function_that_was_called_names_the_calls() {
    let functions = ".func f() { .loc 3 7 3\n trap; ret; }\n.func g() { .loc 2 12 9\n call f; ret; }\n";
    let text = text(".loc 1 30 5\n call g;").replace(".visible", &format!("{functions}.visible"));
    let place = match Bench::new(&text).launch(1, 1, &[]) {
        Err(Error::Fault(fault)) => fault.place,
        other => panic!("{other:?}"),
    };
    assert_eq!(place.source, Some(line("inner.cuh", 7)));
    assert_eq!(place.called_at, [line("outer.h", 12), line("kernel.cu", 30)]);
    assert!(
        place.to_string().starts_with("inner.cuh:7, called at outer.h:12, called at kernel.cu:30 ("),
        "{place}"
    );
}
