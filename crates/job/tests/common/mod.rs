//! Harness of `launch`: it is run as a user calls it, in a folder of its own, on the embedded device.
#![allow(dead_code, reason = "each test of the binary uses a part of it")]

use std::path::Path;
use std::process::{Command, Output};

pub(crate) type Result<T = ()> = std::result::Result<T, Box<dyn std::error::Error>>;

pub(crate) fn run(folder: &Path, line: &str) -> std::io::Result<Output> {
    Command::new(env!("CARGO_BIN_EXE_launch"))
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
