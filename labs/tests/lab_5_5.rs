//! The real binary, as a reader calls it, on the embedded device.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

#[cfg(unix)]
use crate::common;
use crate::common::read;
use record::Record;
use std::path::PathBuf;
use std::process::Output;
use std::sync::LazyLock;
use tests::Result;
use tests::program::{command, refused, run, stderr, stdout};

const PROGRAM: &str = env!("CARGO_BIN_EXE_lab-5-5");

/// Runs the lab in a separate, empty folder.
struct Lab {
    folder: tempfile::TempDir,
}

impl Lab {
    fn new() -> std::io::Result<Self> {
        Ok(Lab { folder: tempfile::tempdir()? })
    }

    fn run(&self, line: &str) -> std::io::Result<Output> {
        run(PROGRAM, self.folder.path(), line)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn record(&self, name: &str) -> Result<Record> {
        read(&self.path(name))
    }
}

/// A quick run in an empty folder, made once.
struct Run {
    lab: Lab,
    output: Output,
    record: Record,
}

impl Run {
    fn new(line: &str) -> Run {
        let lab = Lab::new().unwrap();
        let output = lab.run(line).unwrap();
        assert_eq!(output.status.code(), Some(0), "{}{}", stdout(&output), stderr(&output));
        let record = lab.record("lab-5-5.json").unwrap();
        Run { lab, output, record }
    }
}

/// A run with plots, on the embedded device.
static PLOTTED: LazyLock<Run> = LazyLock::new(|| Run::new("--quick --device simt --seed 7"));
/// A run without plots, on the default device.
static UNPLOTTED: LazyLock<Run> = LazyLock::new(|| Run::new("--quick --no-plots --seed 7"));

#[test]
fn a_quick_run_leaves_a_record_and_plots_and_plain_narrow_text() -> Result {
    let Run { lab, output, record } = &*PLOTTED;
    assert_eq!(record.lab, "lab-5-5");
    assert!(record.checks.iter().all(|c| c.passed));
    for experiment in &record.experiments {
        let svg = std::fs::read_to_string(lab.path(&format!("lab-5-5/{}.svg", experiment.id)))?;
        assert!(svg.starts_with("<svg") && svg.replace('’', "'").contains(&experiment.title));
    }

    let text = stdout(output);
    assert!(text.contains("modelled") && !text.contains("measured"), "{text}");
    assert!(!text.contains('\u{1b}'), "colour in a pipe");
    for line in text.lines() {
        assert!(line.chars().count() <= 80, "{line}");
    }
    assert!(stderr(output).is_empty(), "{}", stderr(output));
    Ok(())
}

#[test]
fn counters_say_what_the_sources_are_asked() -> Result {
    let Run { lab, record, .. } = &*UNPLOTTED;
    let counter = |series: &str, x: f64, name: &str| {
        let point = record.experiment("divergence-throughput")?.series(series)?.at(x)?;
        point.counters.get(name).copied()
    };
    let loads = counter("constant-4", 1.0, "const_instructions").ok_or("no constant loads")?;
    for (series, k) in
        [("constant-4", 1.0), ("constant-64", 8.0), ("constant-256", 32.0), ("constant-halves", 2.0)]
    {
        assert_eq!(counter(series, k, "const_replays"), Some(loads * (k as u64 - 1)), "{series} {k}");
    }
    // 32 words side by side are four sectors, 32 words 64 bytes apart are 32: the chase's loads, and one load and one
    // store in addition, which are always four.
    let sectors = |series: &str, k: f64| counter(series, k, "global_load_sectors");
    assert!(sectors("read-only-64", 32.0) > sectors("read-only-4", 32.0));
    assert!(!lab.path("lab-5-5").exists(), "plots were not wanted");
    Ok(())
}

#[test]
fn two_runs_differ_in_nothing_but_when_and_how_fast_this_machine_is() {
    let [one, two] = [&PLOTTED, &UNPLOTTED].map(|run| {
        let mut record = run.record.clone();
        record.when = String::new();
        record.facts.remove("host_thread_instructions_per_second");
        record
    });
    assert_eq!(one, two);
}

#[test]
fn without_a_driver_the_embedded_device_runs_and_one_line_says_why() {
    let said = stdout(&UNPLOTTED.output);
    assert_eq!(said.matches("no GPU can be used").count(), 1, "{said}");
}

#[test]
#[ignore = "slow: .ci/run runs it"]
fn sizes_that_no_block_divides_run_and_say_what_was_left_out() -> Result {
    for n in [1, 7, 4099] {
        let lab = Lab::new()?;
        let output = lab.run(&format!("--quick --device simt --no-plots --elements {n}"))?;
        assert_eq!(output.status.code(), Some(0), "{n}: {}{}", stdout(&output), stderr(&output));
        assert!(stdout(&output).contains("and `copy-wide` are left out"), "{}", stdout(&output));
    }
    Ok(())
}

#[test]
fn the_record_alone_is_on_stdout_where_it_was_asked_for() -> Result {
    // Of the lab that takes least: how a record is written does not depend on the lab.
    let folder = tempfile::tempdir()?;
    let line = "--quick --device simt --no-plots --json -";
    let output = run(env!("CARGO_BIN_EXE_lab-4-4"), folder.path(), line)?;
    Record::from_json(&stdout(&output))?;
    assert!(stderr(&output).contains("chapter: "));
    Ok(())
}

#[test]
fn unusable_input_ends_with_two_and_says_what_to_do() -> Result {
    let lab = Lab::new()?;
    std::fs::write(lab.path("a-file"), "")?;
    std::fs::write(lab.path("other.cu"), "")?;
    for (line, advice) in [
        ("--device tpu", "possible values: auto, simt, gpu"),
        ("--device gpu", "--device simt"),
        ("--quick --device simt --arch voodoo", "h200"),
        ("--device simt --elements 0", "at least 1"),
        ("--device simt --elements 2^29", "at most 2^28"),
        ("--device simt --elements many", "a whole number is needed"),
        ("--device simt --kernel other.cu", "ch5-5/stencil.cu"),
        ("--device simt --kernel nowhere/stencil.cu", "nowhere/stencil.cu"),
        ("--device simt --quick --out a-file/below", "--out"),
        ("--quik", "--quick"),
    ] {
        let output = lab.run(line)?;
        assert_eq!(output.status.code(), Some(2), "{line}: {}", stderr(&output));
        assert!(stderr(&output).contains(advice), "{line}: {}", stderr(&output));
    }
    Ok(())
}

#[cfg(unix)]
fn edited(lab: &Lab, cu: [&str; 2], ptx: &[[&str; 2]]) -> Result<Output> {
    let edit = common::Edit { kernel: &kernels::STENCIL, cu, ptx };
    edit.run(PROGRAM, lab.folder.path(), "--elements 4099 --arch gtx970")
}

#[cfg(unix)]
#[test]
fn an_edited_kernel_runs_in_the_place_of_the_lab_s_own_and_its_hash_is_recorded() -> Result {
    let lab = Lab::new()?;
    let output = edited(&lab, ["// ANCHOR: copy", "// An edited comment"], &[])?;
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_ne!(lab.record("lab-5-5.json")?.kernels[0].cu_sha256, kernels::STENCIL.cu_sha256());
    Ok(())
}

#[cfg(unix)]
#[test]
fn an_edited_kernel_that_computes_something_else_fails_its_checks() -> Result {
    let lab = Lab::new()?;
    let output = edited(&lab, ["s[j] - s[-j]", "s[j] + s[-j]"], &[["sub.f32", "add.f32"]])?;
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    assert!(stdout(&output).contains("FAILED"));
    Ok(())
}

#[cfg(unix)]
#[test]
fn an_edited_kernel_that_reads_beyond_its_input_faults() -> Result {
    let lab = Lab::new()?;
    let cu = ["out[idx] = in[idx];", "out[idx] = in[idx + 100000000];"];
    let output =
        edited(&lab, cu, &[["ld.global.f32 \t%f1, [%rd5];", "ld.global.f32 \t%f1, [%rd5+400000000];"]])?;
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    assert!(
        stderr(&output).contains("copy") && stderr(&output).contains("stencil.cu"),
        "{}",
        stderr(&output)
    );
    Ok(())
}

#[cfg(unix)]
#[test]
fn an_edited_file_without_one_of_the_kernels_gets_its_name() -> Result {
    let lab = Lab::new()?;
    let output = edited(&lab, ["void copy(", "void duplicate("], &[[".entry copy(", ".entry duplicate("]])?;
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("no kernel `copy`"), "{}", stderr(&output));
    Ok(())
}

#[test]
fn a_compiler_that_is_not_there_is_named_with_how_to_get_it() -> Result {
    let lab = Lab::new()?;
    std::fs::write(lab.path("stencil.cu"), kernels::STENCIL.cu)?;
    let line = "--quick --device simt --kernel stencil.cu --compiler nvrtc";
    let mut command = command(PROGRAM, lab.folder.path(), line);
    let output = command.env("PATH", lab.folder.path()).env("CUDA_HOME", "").env("CUDA_PATH", "").output()?;
    refused(&output, "nvrtc was not found on this machine");
    assert!(stderr(&output).contains("pip install"), "{}", stderr(&output));
    Ok(())
}

/// The lab on an edited file as `cargo run` starts it, with this program as cargo.
#[cfg(unix)]
fn under_cargo(lab: &Lab, cargo: &str) -> std::io::Result<std::process::Output> {
    use std::os::unix::fs::PermissionsExt;
    std::fs::write(lab.path("stencil.cu"), kernels::STENCIL.cu)?;
    std::fs::write(lab.path("cargo"), format!("#!/bin/sh\n{cargo}\n"))?;
    std::fs::set_permissions(lab.path("cargo"), std::fs::Permissions::from_mode(0o755))?;
    command(PROGRAM, lab.folder.path(), "--quick --device simt --kernel stencil.cu")
        .env("CARGO", lab.path("cargo"))
        .env("CARGO_MANIFEST_DIR", env!("CARGO_MANIFEST_DIR"))
        .output()
}

#[cfg(unix)]
#[test]
fn under_cargo_the_compiler_is_built_first_by_its_package() -> Result {
    let lab = Lab::new()?;
    let output = under_cargo(&lab, "pwd >$0.said; echo \"$@\" >>$0.said; exit 1")?;
    refused(&output, "could not be built: cargo build --bin compile");
    let said = std::fs::read_to_string(lab.path("cargo.said"))?;
    assert!(said.starts_with(env!("CARGO_MANIFEST_DIR")), "{said}");
    assert!(said.contains("\nbuild --package compile --bin compile --target-dir "), "{said}");
    Ok(())
}

#[cfg(unix)]
mod nightly {
    use super::{Lab, Result, stderr, under_cargo};

    #[test]
    #[ignore = "nightly: builds the compiler"]
    fn cargo_builds_the_compiler_from_the_folder_of_a_lab() -> Result {
        let lab = Lab::new()?;
        let output = under_cargo(&lab, "exec cargo \"$@\"")?;
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        Ok(())
    }
}

#[test]
fn inside_the_workbook_the_record_goes_to_yours() -> Result {
    let lab = Lab::new()?;
    for name in ["Cargo.toml", "book.toml"] {
        std::fs::write(lab.path(name), "")?;
    }
    run(env!("CARGO_BIN_EXE_lab-4-4"), lab.folder.path(), "--quick --device simt")?;
    assert!(lab.path("book/records/yours/quick/lab-4-4.json").is_file());
    assert!(lab.path("book/records/yours/quick/lab-4-4/update.svg").is_file());
    Ok(())
}

#[test]
fn help_shows_how_it_is_called() -> Result {
    let output = Lab::new()?.run("--help")?;
    assert_eq!(output.status.code(), Some(0));
    let text = stdout(&output);
    assert!(text.contains("lab-5-5 --quick") && text.contains("Exit codes"), "{text}");
    assert!(!text.contains("--once"), "hidden");
    assert!(text.lines().all(|l| l.chars().count() <= 80), "{text}");
    Ok(())
}
