//! The device builds for WebAssembly, without threads and files: the book runs it in the page.
//!
//! Ignored where the target is not installed (`rustup target add wasm32-unknown-unknown`); `--include-ignored` insists on it.

use libtest_mimic::{Arguments, Failed, Trial};
use std::path::Path;
use std::process::{Command, ExitCode};

const TARGET: &str = "wasm32-unknown-unknown";

fn main() -> ExitCode {
    let trial = Trial::test("the_device_builds_for_webassembly_without_threads", builds);
    libtest_mimic::run(&Arguments::from_args(), vec![trial.with_ignored_flag(!is_installed())]).exit_code()
}

fn is_installed() -> bool {
    let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".into());
    let asked = Command::new(rustc).args(["--print", "target-libdir", "--target", TARGET]).output();
    asked.is_ok_and(|asked| Path::new(String::from_utf8_lossy(&asked.stdout).trim()).is_dir())
}

fn builds() -> Result<(), Failed> {
    let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/../crates/simt/Cargo.toml");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("wasm");
    let built = Command::new(env!("CARGO"))
        .args(["check", "--quiet", "--lib", "--no-default-features", "--locked", "--target", TARGET])
        .args(["--manifest-path", manifest, "--target-dir"])
        .arg(folder)
        .env_remove("RUSTFLAGS")
        .output()?;
    if built.status.success() { Ok(()) } else { Err(String::from_utf8_lossy(&built.stderr).into()) }
}
