//! Programs and targets that some tests need and Rust does not bring along.
//!
//! Enters: their names. Leaves: whether a test can continue. One that cannot is skipped with a line that says what is missing;
//! with `WARPBOOK_REQUIRE_TOOLS=1` in the environment, as `.ci/run` and `.ci/nightly` set it, it fails.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The variable with which a missing tool is an error.
pub const REQUIRE: &str = "WARPBOOK_REQUIRE_TOOLS";

/// Target of what runs in the book's pages.
pub const WASM: &str = "wasm32-unknown-unknown";

/// A tool's name, whether it is there, and how to get it.
type Tool = (&'static str, fn() -> bool, &'static str);

/// In the order of the tests that need them.
const TOOLS: [Tool; 10] = [
    ("python3", || answers("python3"), "Python 3 is in every distribution's packages"),
    ("node", || answers("node"), "Node 20 or newer is in every distribution's packages"),
    ("g++", || answers("g++"), "g++ is in every distribution's packages"),
    ("chromium", || answers("chromium"), "Chromium is in every distribution's packages"),
    (
        "playwright-core",
        || built("target/browser/node_modules/playwright-core").is_dir(),
        "`scripts/browser --install` installs it",
    ),
    (WASM, has_wasm, "`rustup target add wasm32-unknown-unknown` installs it"),
    ("the engine", || built("target/web/live-engine.js").is_file(), "`scripts/web --simd` builds it"),
    (
        "the engine of programs",
        || built("target/web/live-engine-host.js").is_file(),
        "`scripts/web --simd` builds it",
    ),
    ("firefox", || answers("firefox") || answers("firefox-esr"), "Debian has it as firefox-esr"),
    // Where there is no display, it needs Xvfb.
    (
        "WebKitWebDriver",
        || is_found("WebKitWebDriver") && (std::env::var_os("DISPLAY").is_some() || is_found("Xvfb")),
        "Debian has it as webkit2gtk-driver, and xvfb",
    ),
];

/// Whether all of these are there; otherwise the test is skipped, which is said.
///
/// # Panics
/// One is missing and [`REQUIRE`] is set, or is not in the list.
#[must_use]
pub fn are_there(names: &[&str]) -> bool {
    names.iter().all(|name| {
        let tool = TOOLS.iter().find(|(known, ..)| known == name);
        let (_, is_there, how) = tool.unwrap_or_else(|| panic!("{name} is not in the list of tools"));
        is_there_or_skipped(name, is_there(), how)
    })
}

/// The same of a tool that the caller has looked for.
///
/// # Panics
/// It is missing and [`REQUIRE`] is set.
#[must_use]
pub fn is_there_or_skipped(name: &str, is_there: bool, how: &str) -> bool {
    if is_there {
        return true;
    }
    let required = std::env::var_os(REQUIRE).is_some_and(|value| value != "0" && !value.is_empty());
    assert!(!required, "{name} is not there, and {REQUIRE} is set: {how}");
    let test = std::thread::current().name().unwrap_or_default().to_owned();
    // Not by `eprintln!`, of which a test that passes shows nothing.
    let _ = writeln!(std::io::stderr(), "skipped: {test}: {name} is not there: {how}");
    false
}

/// Whether a program can be run here, as `--version` shows.
fn answers(program: &str) -> bool {
    let mut asked = Command::new(program);
    asked.arg("--version").stdout(Stdio::null()).stderr(Stdio::null());
    asked.status().is_ok_and(|status| status.success())
}

/// Whether there is a program that does not report its version.
fn is_found(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
}

/// A file that a script left.
fn built(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(file)
}

fn has_wasm() -> bool {
    let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".into());
    let asked = Command::new(rustc).args(["--print", "target-libdir", "--target", WASM]).output();
    asked.is_ok_and(|asked| Path::new(String::from_utf8_lossy(&asked.stdout).trim()).is_dir())
}
