//! The files that labs are asked to write: nothing is lost, and files that are not regular are written into.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use crate::common::read;
use std::fs;
use std::os::unix::fs::{FileTypeExt as _, symlink};
use std::path::Path;
use std::process::Output;
#[cfg(target_os = "linux")]
use tests::program::{command, loses_nothing_silently};
use tests::program::{refused, run, stderr, stdout};

const LAB: &str = env!("CARGO_BIN_EXE_lab-4-4");
const QUICK: &str = "--device simt --quick --no-plots";

fn shell(folder: &Path, line: &str) -> Output {
    tests::program::shell(folder, line).output().unwrap()
}

#[test]
fn a_device_stays_a_device_and_a_link_a_link() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let ran = run(LAB, folder.path(), &format!("{QUICK} --json /dev/null")).unwrap();
    assert_eq!(ran.status.code(), Some(0), "{}", stderr(&ran));
    assert!(fs::metadata("/dev/null").unwrap().file_type().is_char_device());

    fs::write(at("target.json"), "old").unwrap();
    symlink("target.json", at("link.json")).unwrap();
    run(LAB, folder.path(), &format!("{QUICK} --json link.json")).unwrap();
    assert!(fs::symlink_metadata(at("link.json")).unwrap().is_symlink());
    read(&at("target.json")).unwrap();
}

#[test]
fn a_command_at_the_end_of_a_pipe_gets_the_record() {
    let folder = tempfile::tempdir().unwrap();
    // `wait` ends after the command that reads has written its file.
    let ran = shell(folder.path(), &format!("{LAB} {QUICK} --json >(cat > piped.json); wait $!"));
    assert_eq!(ran.status.code(), Some(0), "{}", stderr(&ran));
    assert_eq!(
        fs::read_to_string(folder.path().join("piped.json")).unwrap(),
        fs::read_to_string(folder.path().join("lab-4-4.json")).unwrap()
    );
}

#[test]
fn standard_output_in_a_file_has_the_tables_and_the_record() {
    let folder = tempfile::tempdir().unwrap();
    let names: &[&str] =
        if cfg!(target_os = "linux") { &["/dev/stdout", "/proc/self/fd/1"] } else { &["/dev/stdout"] };
    for out in names {
        let ran = shell(folder.path(), &format!("{LAB} {QUICK} --json {out} > said; ls"));
        let said = fs::read_to_string(folder.path().join("said")).unwrap();
        assert!(said.starts_with("lab-4-4") && said.contains("\"version\""), "{said}");
        assert!(said.contains("chapter: "), "what is said after the record is there too: {said}");
        assert_eq!(stdout(&ran), "lab-4-4.json\nsaid\n");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let ran = run(LAB, folder.path(), &format!("{QUICK} --json /dev/full")).unwrap();
    refused(&ran, "cannot write /dev/full");
    for line in [QUICK, "--device simt --quick --json -", "--help"] {
        loses_nothing_silently(command(LAB, folder.path(), line)).unwrap();
    }
    assert!(folder.path().join("lab-4-4.json").exists(), "the record is written all the same");
}

#[test]
fn what_cannot_be_written_is_reported_before_the_run() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("file"), "mine").unwrap();
    for place in ["--json file/a.json", "--out file", "--json ."] {
        let ran = run(LAB, folder.path(), &format!("{QUICK} {place}")).unwrap();
        refused(&ran, "cannot write");
        assert_eq!(stdout(&ran), "", "{place}: nothing was run");
    }
    assert_eq!(fs::read_to_string(folder.path().join("file")).unwrap(), "mine");
}

#[test]
fn a_lab_s_files_do_not_replace_each_other_or_its_kernel() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("symbols.cu"), "// mine").unwrap();
    for (place, why) in [
        ("--kernel symbols.cu --json symbols.cu", "an edited kernel, which this run reads"),
        ("--json lab-4-4/update.svg", "the plots go into this folder"),
    ] {
        let ran = run(LAB, folder.path(), &format!("--device simt --quick {place}")).unwrap();
        refused(&ran, why);
    }
    assert_eq!(fs::read_to_string(folder.path().join("symbols.cu")).unwrap(), "// mine");
    let ran = run(LAB, folder.path(), &format!("{QUICK} --out . --json ./lab-4-4.json")).unwrap();
    assert_eq!(ran.status.code(), Some(0), "{}", stderr(&ran));
}
