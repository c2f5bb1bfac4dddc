//! Harness of a lab's binary: it is run as a reader calls it, in a folder of its own, on the embedded device.
#![allow(dead_code, reason = "each test of a binary uses a part of it")]

use record::Record;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

pub(crate) type Result<T = ()> = std::result::Result<T, Box<dyn std::error::Error>>;

/// A lab's name and its binary.
pub(crate) type Lab = (&'static str, &'static str);

/// The binary of a lab of this name: all of them lie beside each other.
pub(crate) fn program(lab: &str) -> PathBuf {
    let one = Path::new(env!("CARGO_BIN_EXE_lab-4-1"));
    one.with_file_name(format!("{lab}{}", std::env::consts::EXE_SUFFIX))
}

pub(crate) fn run(program: &str, folder: &Path, line: &str) -> std::io::Result<Output> {
    Command::new(program)
        .args(line.split_whitespace())
        .current_dir(folder)
        // A machine with a GPU must not show it to these tests, and a coloured terminal must not be forced.
        .env("CUDA_VISIBLE_DEVICES", "")
        .env_remove("CLICOLOR_FORCE")
        .output()
}

pub(crate) fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

pub(crate) fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

pub(crate) fn read(file: &Path) -> Result<Record> {
    Ok(Record::from_json(&std::fs::read_to_string(file)?)?)
}

/// The record of a run that ends well.
pub(crate) fn record((lab, program): Lab, line: &str) -> Result<Record> {
    let folder = tempfile::tempdir()?;
    let output = run(program, folder.path(), &format!("--device simt --no-plots {line}"))?;
    assert_eq!(output.status.code(), Some(0), "{lab} {line}: {}{}", stdout(&output), stderr(&output));
    read(&folder.path().join(format!("{lab}.json")))
}

/// A quick run in the folder with a kernel's source changed in one respect; none where there is no compiler for it.
/// Then the lab must say how to get one, and that is all it can do.
pub(crate) fn edited(
    program: &str,
    folder: &Path,
    (file, source): (&str, &str),
    [from, to]: [&str; 2],
) -> Result<Option<Output>> {
    assert!(source.contains(from), "the kernel no longer has {from}");
    std::fs::write(folder.join(file), source.replace(from, to))?;
    let output = run(program, folder, &format!("--quick --device simt --no-plots --kernel {file}"))?;
    if stderr(&output).contains("no CUDA compiler was found") {
        assert_eq!(output.status.code(), Some(2));
        assert!(stderr(&output).contains("pip install"));
        return Ok(None);
    }
    Ok(Some(output))
}
