//! The files that `launch` is to write: nothing is lost, and what is not a regular file is written into.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::fs;
use std::os::unix::fs::{FileTypeExt as _, symlink};
use std::path::Path;
use std::process::Output;
#[cfg(target_os = "linux")]
use tests::program::{command, loses_nothing_silently};
use tests::program::{refused, stderr};

fn run(folder: &Path, line: &str) -> std::io::Result<Output> {
    tests::program::run(env!("CARGO_BIN_EXE_launch"), folder, line)
}

/// The job of `tests/launch` in a folder of its own, with one place of it changed.
fn job(from: &str, to: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for file in fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/launch")).unwrap() {
        let file = file.unwrap();
        fs::copy(file.path(), folder.path().join(file.file_name())).unwrap();
    }
    let path = folder.path().join("saxpy.toml");
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.contains(from), "{from}");
    fs::write(path, text.replacen(from, to, 1)).unwrap();
    folder
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_reported() {
    let jobs = job("iota = 0", "iota = 0");
    refused(&run(jobs.path(), "saxpy.toml --device simt --json /dev/full").unwrap(), "/dev/full");
    for line in ["saxpy.toml --device simt", "saxpy.toml --device simt --json -", "--help"] {
        loses_nothing_silently(command(env!("CARGO_BIN_EXE_launch"), jobs.path(), line)).unwrap();
    }
}

#[test]
fn launch_does_not_replace_what_its_job_reads() {
    // Raw outputs are called after their buffers, and so may be the data.
    let jobs = job("init = { fill = 1 }", "init = { file = \"y.bin\" }");
    let data = vec![0; 4000];
    fs::write(jobs.path().join("y.bin"), &data).unwrap();
    let ran = run(jobs.path(), "saxpy.toml --device simt --out .").unwrap();
    refused(&ran, "output `y` of saxpy.toml would replace y.bin, which this run reads");
    assert_eq!(fs::read(jobs.path().join("y.bin")).unwrap(), data);

    let jobs = job("file = \"y.expected.bin\"", "file = \"saxpy.ptx\"");
    let ran = run(jobs.path(), "saxpy.toml --device simt --record .").unwrap();
    refused(&ran, "saxpy.ptx, which this run reads");
    assert!(fs::read_to_string(jobs.path().join("saxpy.ptx")).unwrap().contains(".entry"));
}

#[test]
fn launch_writes_each_file_once() {
    let jobs = job("file = \"calls.expected.bin\"", "file = \"y.expected.bin\"");
    let ran = run(jobs.path(), "saxpy.toml --device simt --record out").unwrap();
    refused(&ran, "would replace output `y` of saxpy.toml of the same run");
    let jobs = job("iota = 0", "iota = 0");
    let ran = run(jobs.path(), "saxpy.toml --device simt --out out --json out/y.bin").unwrap();
    refused(&ran, "would replace the JSON of the same run");
    let ran = run(jobs.path(), "saxpy.toml saxpy.toml --device simt --record out").unwrap();
    refused(&ran, "would replace output `y`");
}

#[test]
fn launch_writes_into_what_is_not_a_regular_file() {
    let jobs = job("iota = 0", "iota = 0");
    fs::create_dir(jobs.path().join("out")).unwrap();
    symlink("/dev/null", jobs.path().join("out/calls.bin")).unwrap();
    symlink("../far/y.bin", jobs.path().join("out/y.bin")).unwrap();
    let ran = run(jobs.path(), "saxpy.toml --device simt --out out").unwrap();
    assert_eq!(ran.status.code(), Some(0), "{}", stderr(&ran));
    assert_eq!(fs::metadata(jobs.path().join("far/y.bin")).unwrap().len(), 4000);
    assert!(fs::metadata("/dev/null").unwrap().file_type().is_char_device());
}
