//! Whole programs: what they print, what is reported of them, and how they end.
//!
//! Each `programs/NAME.cu` has its `NAME.out`: what `cudarun NAME.cu -- 100 b` prints to standard output and standard error for the
//! input `1 2 3`, and its exit code.

mod mistakes;
mod pictures;
mod several;

use runtime::library;
use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use tests::{committed, program::command};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests")
}

fn programs() -> PathBuf {
    root().join("programs")
}

/// Standard output, standard error and exit code of a program's run.
fn ran(arguments: &str) -> String {
    ran_in(&programs(), arguments)
}

/// The same in another folder.
fn ran_in(folder: &Path, arguments: &str) -> String {
    let mut process = command(env!("CARGO_BIN_EXE_cudarun"), folder, arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("cudarun starts");
    // A program that does not read leaves the pipe closed.
    let _ = process.stdin.take().expect("a pipe").write_all(b"1 2 3\n");
    let output = process.wait_with_output().expect("cudarun ends");
    let mut text = String::from_utf8(output.stdout).expect("text");
    let errors = String::from_utf8(output.stderr).expect("text");
    if !errors.is_empty() {
        write!(text, "--- standard error\n{errors}").expect("a string");
    }
    writeln!(text, "--- exit code {}", output.status.code().expect("a code")).expect("a string");
    text
}

/// `UPDATE=1 cargo test -p cudarun --test all` writes what they print today, after a change that is meant to change it.
#[test]
#[ignore = "slow: .ci/run runs it"]
fn programs_print_and_end_as_written_and_what_is_wrong_is_reported() {
    each(&names(&programs()), &|name| {
        let found = ran(&format!("{name}.cu -- 100 b"));
        committed(&programs().join(format!("{name}.out")), &found, "-p cudarun --test all");
    });
}

/// Does something with each name, at the same time on as many cores as there are.
fn each(names: &[String], run: &(dyn Fn(&str) + Sync)) {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for part in 0..cores {
            scope.spawn(move || names.iter().skip(part).step_by(cores).for_each(|name| run(name)));
        }
    });
}

/// Programs with the ending `.cu` in a folder, by their names.
fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .expect("programs")
        .map(|entry| entry.expect("an entry").file_name().into_string().expect("a name"))
        .filter_map(|name| name.strip_suffix(".cu").map(str::to_owned))
        .collect();
    names.sort();
    assert!(!names.is_empty());
    names
}

/// Those that the page of any kernel offers: in addition, with all checks they do nothing wrong, and free all that they allocate.
#[test]
fn the_books_programs_print_what_is_written_and_do_nothing_wrong() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../book/programs");
    for name in names(&folder) {
        let files = tempfile::tempdir().expect("a folder");
        let options = format!("--check --leaks --folder {} {name}.cu", files.path().display());
        let mut found = ran_in(&folder, &options);
        assert!(!found.contains("--- standard error"), "{name}: {found}");
        let written = fs::read_dir(files.path()).expect("a folder");
        for file in written.map(|entry| entry.expect("an entry")) {
            let bytes = fs::read(file.path()).expect("a file");
            writeln!(found, "--- {}: {} bytes", file.file_name().display(), bytes.len()).expect("a string");
            // The card of the example has it.
            let picture = folder.join(format!("../src/examples/{name}.png"));
            pictures::committed(&picture, &bytes, "-p cudarun --test all");
        }
        committed(&folder.join(format!("{name}.out")), &found, "-p cudarun --test all");
    }
}

/// Of what `scripts/truth-dynamic` compiles with nvcc and runs on an H200, and of which the device's tests have nvcc's PTX.
#[test]
fn the_device_runtime_leaves_in_programs_what_it_leaves_on_the_hardware() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../simt/tests/dynamic");
    let hardware = fs::read_to_string(folder.join("h200.txt")).expect("what an H200 left");
    assert_eq!(ran_in(&folder, "-D HOST launches.cu"), format!("{hardware}--- exit code 0\n"));
}

#[test]
fn with_check_a_race_is_reported_and_the_program_continues() {
    let text = ran("--check race.cu");
    assert!(text.starts_with("done\n") && text.contains("nothing orders the two"), "{text}");
    assert!(text.ends_with("--- exit code 0\n"), "{text}");
    let without = ran("race.cu");
    assert_eq!(without, "done\n--- exit code 0\n");
}

#[test]
fn macros_and_folders_of_headers_are_those_of_the_command_line() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("value.h"), "#define VALUE (N + 1)\n").expect("a header");
    let text = "#include \"value.h\"\n#include <cstdio>\nint main() { printf(\"%d\\n\", VALUE); }\n";
    fs::create_dir(folder.path().join("source")).expect("a folder");
    let source = folder.path().join("source/main.cu");
    fs::write(&source, text).expect("a source");
    let (source, headers) = (source.display(), folder.path().display());
    assert_eq!(ran(&format!("-D N=41 -I {headers} {source}")), "42\n--- exit code 0\n");
    let without = ran(&format!("-D N=41 {source}"));
    assert!(without.contains("value.h") && without.ends_with("--- exit code 1\n"), "{without}");
}

#[test]
fn a_header_that_the_library_only_knows_by_name_is_read_from_the_folder_that_has_it() {
    let folder = tempfile::tempdir().expect("a folder");
    // What needs the runtime asks for its headers.
    let header = "#ifdef __DRIVER_TYPES_H__\ninline const char *name(cudaError_t e) { return cudaGetErrorName(e); }\n#endif\n";
    fs::write(folder.path().join("helper_gl.h"), header).expect("a header");
    let text =
        "#include <helper_gl.h>\n#include <cstdio>\nint main() { puts(name(cudaErrorInvalidValue)); }\n";
    fs::create_dir(folder.path().join("source")).expect("a folder");
    let source = folder.path().join("source/main.cu");
    fs::write(&source, text).expect("a source");
    let (source, headers) = (source.display(), folder.path().display());
    assert_eq!(ran(&format!("-I {headers} {source}")), "cudaErrorInvalidValue\n--- exit code 0\n");
}

#[test]
fn a_header_of_the_samples_is_read_from_the_folder_that_has_it_and_else_from_the_library() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::create_dir(folder.path().join("common")).expect("a folder");
    let header = "#define checkCudaErrors(call) puts(cudaGetErrorName(call))\n";
    fs::write(folder.path().join("common/helper_cuda.h"), header).expect("a header");
    let text = "#include <cstdio>\n#include <helper_cuda.h>\n#include <helper_timer.h>\nint main() { StopWatchInterface *timer; \
        sdkCreateTimer(&timer); checkCudaErrors(cudaSetDevice(9)); sdkDeleteTimer(&timer); }\n";
    let source = folder.path().join("main.cu");
    fs::write(&source, text).expect("a source");
    let (source, headers) = (source.display(), folder.path().join("common"));
    let own = ran(&format!("-I {} {source}", headers.display()));
    assert_eq!(own, "cudaErrorInvalidDevice\n--- exit code 0\n");
    let without = ran(&source.to_string());
    let message = "code=101(cudaErrorInvalidDevice) \"cudaSetDevice(9)\" \n";
    assert!(without.contains(message) && without.ends_with("--- exit code 1\n"), "{without}");
}

#[test]
fn the_samples_images_are_written_read_and_compared_in_the_folder() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = r#"
#include <helper_functions.h>
int main(int argc, char **argv)
{
    unsigned char grey[6] = {0, 51, 102, 153, 204, 255}, colours[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    float half[6] = {0, 0.25f, 0.5f, 0.75f, 1, 0.1f}, *read = NULL;
    unsigned char *bytes = NULL;
    unsigned w = 0, h = 0;
    printf("%d %d ", sdkSavePGM("grey.pgm", grey, 3, 2), sdkSavePGM("half.pgm", half, 3, 2));
    printf("%d\n", sdkSavePPM4ub("colours.ppm", colours, 2, 1));
    bool done = sdkLoadPGM("grey.pgm", &read, &w, &h);
    printf("%d %ux%u %g %g\n", done, w, h, read[1], read[5]);
    done = sdkLoadPPM4ub("colours.ppm", &bytes, &w, &h);
    printf("%d %ux%u %d\n", done, w, h, bytes[4]);
    printf("%d\n", bytes[3] == 0 && bytes[6] == 7 && bytes[7] == 0);
    free(bytes);
    FILE *file = fopen("data/comment.pgm", "wb");
    fputs("P5\n# a comment\n2 1\n# another\n255\nAB", file);
    fclose(file);
    char *path = sdkFindFilePath("comment.pgm", argv[0]);
    bytes = NULL;
    done = sdkLoadPGM(path, &bytes, &w, &h);
    printf("%s %d %c%c\n", path, done, bytes[0], bytes[1]);
    done = sdkComparePGM("grey.pgm", "half.pgm", 5, 0.15f, false);
    printf("%d %d\n", sdkComparePGM("grey.pgm", "grey.pgm", 0, 0, false), done);
    float numbers[3] = {1.5f, 2, -3}, *back = NULL;
    unsigned count = 0;
    sdkWriteFile("numbers.txt", numbers, 3, 0.5f, false);
    sdkDumpBin(numbers, sizeof numbers, "numbers.bin");
    printf("%d\n", sdkCompareBin2BinFloat("numbers.bin", "numbers.bin", 3, 0.5f, 0, argv[0]));
    file = fopen("plain.txt", "w");
    fputs("1.5 2 -3\n", file);
    fclose(file);
    done = sdkReadFile("plain.txt", &back, &count, false);
    printf("%d %u %g\n", done, count, back[2]);
    bytes = NULL;
    printf("%d\n", sdkLoadPGM("numbers.txt", &bytes, &w, &h));
}
"#;
    fs::create_dir(folder.path().join("data")).expect("a folder");
    let source = folder.path().join("main.cu");
    fs::write(&source, text).expect("a source");
    let found = ran_in(folder.path(), "main.cu --folder .");
    let expected = "1 1 1\n1 3x2 0.2 1\n1 2x1 5\n1\n./data/comment.pgm 1 AB\n\
        83.33(%) of bytes mismatched (count=5)\n1 0\nsdkDumpBin: <numbers.bin>\n\
        > compareBin2Bin <float> nelements=3, epsilon=0.50, threshold=0.00\n   src_file <numbers.bin>, size=12 bytes\n   \
        ref_file <./numbers.bin>, size=12 bytes\n  OK\n1\n1 3 -3\n0\n--- standard error\n\
        __LoadPPM() : not an image of the kinds P5 and P6: numbers.txt\n--- exit code 0\n";
    assert_eq!(found, expected);
    assert_eq!(
        fs::read(folder.path().join("half.pgm")).expect("a file"),
        b"P5\n3\n2\n255\n\x00\x3f\x7f\xbf\xff\x19"
    );
    assert_eq!(fs::read_to_string(folder.path().join("numbers.txt")).expect("a file"), "# 0.5\n1.5 2 -3 \n");
}

#[test]
fn a_source_that_is_not_utf_8_is_read_as_latin_1() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = b"// Universit\xe4t\n#include <cstdio>\nint main() { puts(\"d\xe9j\xe0\"); }\n";
    let source = folder.path().join("main.cu");
    fs::write(&source, text).expect("a source");
    assert_eq!(ran(&source.display().to_string()), "d\u{e9}j\u{e0}\n--- exit code 0\n");
}

#[test]
fn a_file_that_is_not_there_is_named_and_ends_with_2() {
    let text = ran("nothing.cu");
    assert!(text.contains("nothing.cu"), "{text}");
    assert!(text.ends_with("--- exit code 2\n"), "{text}");
}

#[test]
fn a_chip_that_is_not_there_ends_with_2_and_those_that_there_are() {
    let text = ran("--chip nothing echo.cu");
    assert!(text.contains("h200"), "{text}");
    assert!(text.ends_with("--- exit code 2\n"), "{text}");
}

/// How a program without kernels ends that may execute that many operations, with those that it did.
fn ended_within(operations: u64, text: &str) -> (hostrun::Ended, u64) {
    let sides = hostrun::compile("a.cu", text, &|_| None, &cuda::Options::default());
    let sides = sides.unwrap_or_else(|failure| panic!("{:?}", failure.diagnostics));
    let device = device::Embedded::new(device::GRADED_CHIP).expect("a chip");
    let options = library::Options {
        arguments: vec!["a".to_owned()],
        environment: vec![],
        files: Box::new(library::NoFiles),
        input: Box::new(std::io::empty()),
        output: Box::new(|_: library::Standard, _: &[u8]| {}),
        clock: library::Clock::new(library::Source::Modelled),
        limits: library::Limits::default(),
    };
    let limits = hostrun::Limits { operations, leaks: false };
    let outcome = hostrun::run(&sides, &interpreter::Interpreter, Box::new(device), options, limits);
    let outcome = outcome.expect("a run");
    (outcome.ended, outcome.operations)
}

#[test]
fn a_program_that_does_not_end_is_ended_at_its_loop() {
    let text = "int main() {\n    volatile int x = 0;\n    while (true) x = x + 1;\n}\n";
    let (ended, operations) = ended_within(1_000_000, text);
    let hostrun::Ended::Limit { why, place: Some(place) } = ended else { panic!("{ended:?}") };
    assert_eq!(why, "it has not ended within the limit of operations");
    let line = text[..place.lo as usize].matches('\n').count() + 1;
    assert_eq!((line, operations), (3, 1_000_000));
}

#[test]
fn operations_are_counted_and_a_limit_above_them_changes_nothing() {
    let text = |n: u32| {
        format!(
            "int main() {{ volatile int x = 0; for (int i = 0; i < {n}; i++) x = x + i; return x == 45; }}"
        )
    };
    let (ended, ten) = ended_within(u64::MAX, &text(10));
    assert_eq!(ended, hostrun::Ended::Exit(1));
    let (ended, thousand) = ended_within(ten * 100, &text(1000));
    assert_eq!(ended, hostrun::Ended::Exit(0));
    // A load, two sums, a store, a comparison and a choice each time.
    assert_eq!(thousand - ten, 990 * 6);
}

#[test]
fn a_profile_has_the_times_of_kernels_copies_and_calls_and_a_drawing_of_the_streams() {
    let folder = tempfile::tempdir().expect("a folder");
    let drawing = folder.path().join("streams.svg");
    let text = ran(&format!("--profile={} streams.cu", drawing.display()));
    for part in [
        "modelled for NVIDIA H200",
        "GPU activities:",
        "API calls:",
        "[CUDA memcpy HtoD]",
        "scale",
        "cudaLaunchKernel",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let drawing = fs::read_to_string(drawing).expect("a drawing").replace('\u{a0}', " ");
    for part in ["stream 1", "stream 2", "scale, 4 times"] {
        assert!(drawing.contains(part), "{part}: {drawing}");
    }
    assert!(!drawing.contains("stream 3"), "{drawing}");
}

#[test]
fn counters_are_those_of_each_launch_with_the_metrics_of_nsight_compute() {
    let text = ran("--counters streams.cu");
    // 4 bytes for each of 65,536 elements, in sectors of 32.
    let row = text.lines().find(|line| line.trim_start().starts_with("global_load_sectors")).expect("a row");
    let cells: Vec<&str> = row.split_whitespace().collect();
    assert_eq!(cells, ["global_load_sectors", "8,192", "l1tex__t_sectors_pipe_lsu_mem_global_op_ld"]);
    assert!(text.contains("scale  grid 256, block 256, streams.cu:"), "{text}");
}

#[test]
fn the_record_of_a_run_says_how_it_ended_what_was_wrong_and_what_was_copied() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("run.json");
    ran(&format!("--json {} streams.cu", file.display()));
    let text = fs::read_to_string(&file).expect("a record");
    let record: hostrun::ProgramRecord = serde_json::from_str(&text).expect("a record");
    assert_eq!((record.exit_code, record.ended_by.as_deref(), record.findings.len()), (0, None, 0));
    let bytes =
        |name: &str| record.activities.iter().find(|row| row.name == name).map(|row| (row.calls, row.bytes));
    assert_eq!(bytes("[CUDA memcpy HtoD]"), Some((4, 1 << 20)));
    assert_eq!(record.launches.iter().map(|one| one.times).sum::<u64>(), 4);

    ran(&format!("--json {} null_pointer.cu", file.display()));
    let record: hostrun::ProgramRecord =
        serde_json::from_str(&fs::read_to_string(&file).expect("a record")).expect("a record");
    assert_eq!((record.exit_code, record.ended_by.as_deref()), (139, Some("SIGSEGV")));
    let place = record.findings[0].place.as_ref().expect("a place");
    assert_eq!((&*place.file, place.line), ("null_pointer.cu", 7));
}

#[test]
fn what_cannot_be_written_is_said_before_the_program_runs() {
    for option in ["--json .", "--profile=."] {
        let text = ran(&format!("{option} streams.cu"));
        assert!(text.starts_with("--- standard error\nerror: cannot write ."), "{text}");
        assert!(text.ends_with("--- exit code 2\n"), "{text}");
    }
}

#[test]
fn a_gpu_makes_no_checks() {
    let text = ran("--device gpu --check streams.cu");
    assert!(
        text.contains("--check needs the embedded device") && text.ends_with("--- exit code 2\n"),
        "{text}"
    );
}

/// In lines about numbers of single precision: sums of their logarithms, whose last bits are not those of glibc.
const SINGLE: &str = "3.4028234663853e+38";

/// Runs the programs of the compiler's tests of its headers whose names are chosen, and returns how many there were.
fn host_library(chosen: &dyn Fn(&str) -> bool) -> usize {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("../cuda/tests/host-library");
    let mut tried = 0;
    for entry in fs::read_dir(&sources).expect("programs") {
        let source = entry.expect("an entry").path();
        let name = source.file_stem().expect("a name").to_string_lossy().into_owned();
        if source.extension().is_none_or(|ending| ending != "cpp") || !chosen(&name) {
            continue;
        }
        tried += 1;
        host_library_program(&sources, &source, &name);
    }
    tried
}

fn host_library_program(sources: &Path, source: &Path, name: &str) {
    let folder = tempfile::tempdir().expect("a folder");
    let input = fs::File::open(sources.join("input.txt")).expect("an input");
    let arguments = format!("--folder . {}", source.display());
    let run = command(env!("CARGO_BIN_EXE_cudarun"), folder.path(), &arguments)
        .stdin(input)
        .output()
        .expect("cudarun runs");
    let errors = String::from_utf8_lossy(&run.stderr);
    // What g++'s program has written to its standard error is among its output there.
    let mut expected = fs::read_to_string(source.with_extension("out")).expect("an output");
    for line in errors.lines().filter(|line| !line.is_empty()) {
        expected = expected.replacen(&format!("{line}\n"), "", 1);
    }
    let code = run.status.code().expect("a code");
    let found = format!("{}exit code {code}\n", String::from_utf8_lossy(&run.stdout));
    let exact =
        |text: &str| text.lines().filter(|line| !line.contains(SINGLE)).collect::<Vec<_>>().join("\n");
    let (found, expected) = (exact(&found), exact(&expected));
    assert!(found == expected, "{name}:\n{found}\n--- standard error\n{errors}");
}

#[test]
#[ignore = "slow: .ci/run runs it"]
fn programs_about_the_language_and_about_spans_print_what_they_print_with_gcc() {
    let daily = ["arrays", "members", "outside", "spans", "trying", "using"];
    assert_eq!(host_library(&|name| daily.contains(&name)), daily.len());
}

mod nightly {
    #[test]
    #[ignore = "nightly: headers of a dozen programs are compiled without optimisation, which takes minutes"]
    fn programs_that_use_the_whole_library_print_what_they_print_with_gcc() {
        assert!(super::host_library(&|_| true) > 5);
    }
}
