//! The device, the compiler, the checker and the drawings build for WebAssembly, each by itself, without threads, files and
//! drivers. What the book runs in its pages, which is all of them, is built and tried every day.

/// Which takes a minute.
mod nightly {
    use std::path::Path;
    use std::process::Command;
    use tests::{Result, tools};

    fn builds(package: &str) -> Result {
        if !tools::are_there(&[tools::WASM]) {
            return Ok(());
        }
        let manifest = format!("{}/../crates/{package}/Cargo.toml", env!("CARGO_MANIFEST_DIR"));
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("wasm");
        let built = Command::new(env!("CARGO"))
            .args(["check", "--quiet", "--lib", "--no-default-features", "--locked", "--target", tools::WASM])
            .args(["--manifest-path", &manifest, "--target-dir"])
            .arg(folder)
            .env_remove("RUSTFLAGS")
            .output()?;
        if built.status.success() { Ok(()) } else { Err(String::from_utf8_lossy(&built.stderr).into()) }
    }

    #[test]
    #[ignore = "nightly: checks thirty crates for another target"]
    fn the_device_builds_for_webassembly_without_threads() -> Result {
        builds("simt")
    }

    #[test]
    #[ignore = "nightly: checks thirty crates for another target"]
    fn the_compiler_builds_for_webassembly() -> Result {
        builds("cuda")
    }

    #[test]
    #[ignore = "nightly: checks thirty crates for another target"]
    fn the_checker_builds_for_webassembly_without_a_driver() -> Result {
        builds("checker")
    }

    #[test]
    #[ignore = "nightly: checks thirty crates for another target"]
    fn the_drawings_build_for_webassembly_without_bindings() -> Result {
        builds("render")
    }
}
