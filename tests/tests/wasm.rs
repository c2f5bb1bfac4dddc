//! The device, the compiler, the checker and the drawings build for WebAssembly, without threads, files and drivers: the
//! book runs them in the page.
//!
//! Ignored where the target is not installed (`rustup target add wasm32-unknown-unknown`); `--include-ignored` insists on it.

use libtest_mimic::{Arguments, Failed, Trial};
use std::path::Path;
use std::process::{Command, ExitCode};

const TARGET: &str = "wasm32-unknown-unknown";

fn main() -> ExitCode {
    let trials = [
        ("the_device_builds_for_webassembly_without_threads", "simt"),
        ("the_compiler_builds_for_webassembly", "cuda"),
        ("the_checker_builds_for_webassembly_without_a_driver", "checker"),
        ("the_drawings_build_for_webassembly_without_bindings", "render"),
    ];
    let ignored = !is_installed();
    let trials =
        trials.map(|(name, package)| Trial::test(name, move || builds(package)).with_ignored_flag(ignored));
    libtest_mimic::run(&Arguments::from_args(), trials.into()).exit_code()
}

fn is_installed() -> bool {
    let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".into());
    let asked = Command::new(rustc).args(["--print", "target-libdir", "--target", TARGET]).output();
    asked.is_ok_and(|asked| Path::new(String::from_utf8_lossy(&asked.stdout).trim()).is_dir())
}

fn builds(package: &str) -> Result<(), Failed> {
    let manifest = format!("{}/../crates/{package}/Cargo.toml", env!("CARGO_MANIFEST_DIR"));
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("wasm");
    let built = Command::new(env!("CARGO"))
        .args(["check", "--quiet", "--lib", "--no-default-features", "--locked", "--target", TARGET])
        .args(["--manifest-path", &manifest, "--target-dir"])
        .arg(folder)
        .env_remove("RUSTFLAGS")
        .output()?;
    if built.status.success() { Ok(()) } else { Err(String::from_utf8_lossy(&built.stderr).into()) }
}
