//! The device builds for WebAssembly, without threads and files: the book runs it in the page.
#![allow(clippy::unwrap_used)]

use std::process::Command;

const TARGET: &str = "wasm32-unknown-unknown";

#[test]
fn builds_for_webassembly_without_threads() {
    let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".into());
    let installed =
        Command::new(rustc).args(["--print", "target-libdir", "--target", TARGET]).output().unwrap();
    let libraries = String::from_utf8_lossy(&installed.stdout);
    if !std::path::Path::new(libraries.trim()).is_dir() {
        let added = Command::new("rustup").args(["target", "add", TARGET]).status();
        if !added.is_ok_and(|status| status.success()) {
            eprintln!("skipped: {TARGET} is not installed; `rustup target add {TARGET}` installs it");
            return;
        }
    }
    let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("wasm");
    let built = Command::new(env!("CARGO"))
        .args(["check", "--quiet", "--lib", "--no-default-features", "--locked", "--target", TARGET])
        .args(["--manifest-path", manifest, "--target-dir"])
        .arg(folder)
        .env_remove("RUSTFLAGS")
        .output()
        .unwrap();
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
}
