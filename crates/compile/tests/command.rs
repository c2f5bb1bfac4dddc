//! The program `compile`, as a reader calls it and as a lab does.
#![allow(clippy::unwrap_used, missing_docs)]

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

const KERNEL: &str = "extern \"C\" __global__ void k(float *p) {\n    __shared__ float tile[4][33];\n    tile[0][threadIdx.x] = *p;\n    *p = tile[0][0];\n}\n";

fn compile(folder: &Path, line: &str) -> Output {
    Command::new(env!("CARGO_BIN_EXE_compile"))
        .args(line.split_whitespace())
        .current_dir(folder)
        .output()
        .unwrap()
}

fn folder(source: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("mine.cu"), source).unwrap();
    folder
}

#[test]
fn ptx_goes_to_standard_output_or_to_a_file() {
    let folder = folder(KERNEL);
    let printed = compile(folder.path(), "mine.cu");
    assert!(printed.status.success());
    let ptx = String::from_utf8(printed.stdout).unwrap();
    assert!(ptx.contains(".visible .entry k("), "{ptx}");
    assert!(compile(folder.path(), "mine.cu -o mine.ptx").status.success());
    assert_eq!(fs::read_to_string(folder.path().join("mine.ptx")).unwrap(), ptx);
}

#[test]
fn a_source_that_does_not_compile_is_reported_with_its_place() {
    let folder = folder("__global__ void k(int *a) { a[0] = b; }\n");
    let output = compile(folder.path(), "mine.cu");
    let reported = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{reported}");
    assert!(
        output.stdout.is_empty() && reported.contains("mine.cu:1:36") && reported.contains("`b`"),
        "{reported}"
    );
}

#[test]
fn sources_and_headers_in_latin_1_are_read_and_a_header_that_cannot_be_is_reported_with_the_reason() {
    let folder = folder("");
    let source = b"// Gen\xe8ve\n#include \"n.h\"\n__global__ void k(int *p) { *p = N; }\n";
    fs::write(folder.path().join("mine.cu"), source).unwrap();
    fs::write(folder.path().join("n.h"), b"// \xa9 1999\n#define N 4711\n").unwrap();
    for line in ["mine.cu", "mine.cu --no-headers"] {
        let output = compile(folder.path(), line);
        assert_eq!(output.status.success(), line == "mine.cu", "{}", String::from_utf8_lossy(&output.stderr));
    }
    fs::write(folder.path().join("n.h"), vec![b' '; 17 << 20]).unwrap();
    let output = compile(folder.path(), "mine.cu");
    let reported = String::from_utf8_lossy(&output.stderr);
    assert!(reported.contains("cannot read header `n.h`: it has more than"), "{reported}");
}

#[test]
fn an_option_that_is_not_known_is_refused_by_its_name() {
    let folder = folder("// options: --maxrregcount=32\n__global__ void k() {}\n");
    let output = compile(folder.path(), "mine.cu");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("--maxrregcount=32"));
}

#[test]
fn options_have_nvccs_names_on_the_command_line_and_in_the_source() {
    let text =
        "// arch: compute_60\n#include <n.h>\n__global__ void k(float *p) { p[0] = p[1] * p[2] + N + M; }\n";
    let folder = folder(text);
    fs::create_dir(folder.path().join("inc")).unwrap();
    fs::write(folder.path().join("inc/n.h"), "#define N 4\n").unwrap();
    let ptx = |line: &str| {
        let output = compile(folder.path(), line);
        let reported = String::from_utf8_lossy(&output.stderr).into_owned();
        (String::from_utf8_lossy(&output.stdout).into_owned(), reported)
    };
    assert!(ptx("mine.cu -DM=3").1.contains("file `n.h` not found"));
    let (fused, _) = ptx("mine.cu -DM=3 -Iinc");
    assert!(fused.contains(".target sm_60") && fused.contains("fma.rn.f32"), "{fused}");
    for line in [
        "mine.cu -D M=3 -I inc --fmad=false -arch=sm_80",
        "mine.cu --define-macro M=3 -I inc -fmad=false --gpu-architecture compute_80",
    ] {
        let (apart, reported) = ptx(line);
        assert!(apart.contains(".target sm_80") && !apart.contains("fma"), "{line} {reported} {apart}");
    }
    fs::write(folder.path().join("mine.cu"), format!("// options: -DM=3 -G\n{text}")).unwrap();
    let (debug, reported) = ptx("mine.cu -Iinc");
    assert!(debug.contains("mul.rn.f32"), "{reported}");
    let (_, reported) = ptx("mine.cu -arch=hopper");
    assert!(reported.contains("unknown architecture `hopper`"), "{reported}");
}

#[test]
fn a_source_is_not_replaced_by_its_ptx() {
    let folder = folder(KERNEL);
    let output = compile(folder.path(), "mine.cu -o mine.cu");
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(fs::read_to_string(folder.path().join("mine.cu")).unwrap(), KERNEL);
}

#[test]
fn another_process_gives_what_this_one_does() {
    let folder = folder(KERNEL);
    fs::write(folder.path().join("value.h"), "#define VALUE 4711\n").unwrap();
    let path = folder.path().join("mine.cu");
    let including = format!("#include \"value.h\"\n__global__ void j(int *p) {{ *p = VALUE; }}\n{KERNEL}");
    for (text, reads_headers) in [(KERNEL, true), (KERNEL, false), (&including, true), (&including, false)] {
        let input = kernels::Input { reads_headers, ..kernels::Input::new(&path, text) };
        assert_eq!(kernels::by_program(&input), compile::own(&input), "{text}");
    }
}
