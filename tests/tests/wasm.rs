//! The device, the compiler, the checker and the drawings build for WebAssembly, without threads, files and drivers: the
//! book runs them in the page.
//!
//! Ignored where the target is not installed (`rustup target add wasm32-unknown-unknown`); `--include-ignored` insists on it.

use libtest_mimic::{Arguments, Failed, Trial};
use std::path::Path;
use std::process::{Command, ExitCode};

fn main() -> ExitCode {
    let trials = [
        ("the_device_builds_for_webassembly_without_threads", "simt"),
        ("the_compiler_builds_for_webassembly", "cuda"),
        ("the_checker_builds_for_webassembly_without_a_driver", "checker"),
        ("the_drawings_build_for_webassembly_without_bindings", "render"),
    ];
    let ignored = !tests::has_wasm();
    let trials =
        trials.map(|(name, package)| Trial::test(name, move || builds(package)).with_ignored_flag(ignored));
    libtest_mimic::run(&Arguments::from_args(), trials.into()).exit_code()
}

fn builds(package: &str) -> Result<(), Failed> {
    let manifest = format!("{}/../crates/{package}/Cargo.toml", env!("CARGO_MANIFEST_DIR"));
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("wasm");
    let built = Command::new(env!("CARGO"))
        .args(["check", "--quiet", "--lib", "--no-default-features", "--locked", "--target", tests::WASM])
        .args(["--manifest-path", &manifest, "--target-dir"])
        .arg(folder)
        .env_remove("RUSTFLAGS")
        .output()?;
    if built.status.success() { Ok(()) } else { Err(String::from_utf8_lossy(&built.stderr).into()) }
}
