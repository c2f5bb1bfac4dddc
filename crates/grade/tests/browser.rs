//! The built book in a real browser: its kernels run in the page as they do natively, and what a reader does there is
//! graded. By day each kind of thing is done once, in Chromium; everything, and other browsers, each night.
//!
//! Tests are skipped where Node, the engine (`scripts/web --simd`), the browser or its driver (`scripts/browser --install`)
//! is missing.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;
use tests::{Result, once, tools};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The folder of everything that all browsers read: the book, and the exercises' solutions.
fn built() -> Result<PathBuf> {
    once(Path::new(env!("CARGO_TARGET_TMPDIR")), "browser", |folder| {
        mdbook_labs::build(&root(), Some(&folder.join("book"))).map_err(|error| format!("{error:#}"))?;
        let tasks = exercise::all()?;
        let of = |task: &exercise::Task| (task.exercise.name.clone(), task.variants.solution());
        let solutions = tasks.iter().map(of).collect::<BTreeMap<_, _>>();
        std::fs::write(folder.join("solutions.json"), serde_json::to_string(&solutions)?)?;
        Ok(())
    })
}

/// The file of the native engine's answers.
fn native() -> Result<PathBuf> {
    let fill = |folder: &Path| -> Result {
        std::fs::write(folder.join("native.json"), serde_json::to_string(&native_answers()?)?)?;
        Ok(())
    };
    Ok(once(Path::new(env!("CARGO_TARGET_TMPDIR")), "browser-native", fill)?.join("native.json"))
}

/// Reads the book in a browser. The result is the folder that holds its output.
fn read(options: &[&OsStr], out: &str) -> Result<PathBuf> {
    let folder = built()?;
    let left = folder.join(out);
    let read = Command::new(root().join("scripts/browser"))
        .arg(folder.join("book"))
        .arg("--solutions")
        .arg(folder.join("solutions.json"))
        .arg("--out")
        .arg(&left)
        .args(options)
        .output()?;
    let (said, reported) = (String::from_utf8_lossy(&read.stdout), String::from_utf8_lossy(&read.stderr));
    // With the table of times, where the output is shown.
    println!("{said}");
    if read.status.success() { Ok(left) } else { Err(reported.into()) }
}

/// The same with the native engine's answers, with which those of the page are compared.
fn read_and_compare(option: &str, out: &str) -> Result<PathBuf> {
    let native = native()?;
    read(&[OsStr::new(option), OsStr::new("--native"), native.as_os_str()], out)
}

#[test]
#[ignore = "slow: .ci/run runs it"]
fn the_pages_run_their_kernels_in_chromium() -> Result {
    if !tools::are_there(&["node", "chromium", "playwright-core", "the engine"]) {
        return Ok(());
    }
    let left = read(&[], "chromium")?;
    is_graded(&left)
}

/// The work that a reader exported in the page.
fn is_graded(left: &Path) -> Result {
    let folder = left.with_file_name("handed-in");
    let work = folder.join("submissions/ada");
    std::fs::create_dir_all(&work)?;
    std::fs::copy(left.join("submission.toml"), work.join("submission.toml"))?;
    graded(&folder)
}

/// Tests that take long in Chromium, and browsers of which a system seldom has both.
mod nightly {
    use super::{Result, is_graded, read_and_compare, tools};

    #[test]
    #[ignore = "nightly: every page, every kernel and every exercise, as far as their handles go"]
    fn everything_holds_in_chromium() -> Result {
        if !tools::are_there(&["node", "chromium", "playwright-core", "the engine"]) {
            return Ok(());
        }
        is_graded(&read_and_compare("--all", "chromium-all")?)
    }

    #[test]
    #[ignore = "nightly: needs Firefox"]
    fn the_pages_run_their_kernels_in_firefox() -> Result {
        if tools::are_there(&["node", "firefox", "the engine"]) {
            read_and_compare("--firefox", "firefox")?;
        }
        Ok(())
    }

    #[test]
    #[ignore = "nightly: needs WebKitGTK"]
    fn the_pages_run_their_kernels_in_webkit() -> Result {
        if tools::are_there(&["node", "WebKitWebDriver", "the engine"]) {
            read_and_compare("--webkit", "webkit")?;
        }
        Ok(())
    }
}

/// Answers of the native engine to each live kernel, unchanged.
fn native_answers() -> Result<BTreeMap<String, serde_json::Value>> {
    let lives = exercise::live::Lives::parse(&std::fs::read_to_string(root().join("book/live.toml"))?)?;
    let mut answers = BTreeMap::new();
    for live in lives.entries {
        let text = std::fs::read_to_string(root().join("kernels").join(&live.file))?;
        let request = serde_json::json!({
            "do": "run", "live": live, "text": text, "language": "cuda", "original": text,
        });
        let answer = web::Session::default().respond(&request.to_string());
        answers.insert(live.name, serde_json::from_str(&answer)?);
    }
    Ok(answers)
}

/// The work that the page exported is read by `grade`, which finds the exercise passed.
fn graded(folder: &Path) -> Result {
    let out = folder.join("grades");
    let _ = std::fs::remove_dir_all(&out);
    let run = Command::new(env!("CARGO_BIN_EXE_grade"))
        .arg(folder.join("submissions"))
        .arg("--out")
        .arg(&out)
        .current_dir(root())
        .output()?;
    let said = String::from_utf8_lossy(&run.stderr);
    if !run.status.success() {
        return Err(format!("grade: {}{said}", String::from_utf8_lossy(&run.stdout)).into());
    }
    let mut reported = String::new();
    for file in std::fs::read_dir(&out)? {
        let path = file?.path();
        if path.extension().is_some_and(|end| end == "json" || end == "csv") {
            reported += &std::fs::read_to_string(path)?;
        }
    }
    assert!(reported.contains("vector_sum"), "{reported}");
    assert!(!reported.contains("other-exercises"), "the page names the exercises' version\n{reported}");
    Ok(())
}
