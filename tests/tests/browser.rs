//! The built book in a real browser: its kernels run in the page as they do natively, and what a reader does there is
//! graded.
//!
//! Ignored where Node, Chromium, the engine (`scripts/web`) or what drives the browser (`scripts/browser --install`) is not
//! there; `--include-ignored` insists on them.

use libtest_mimic::{Arguments, Failed, Trial};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use tests::is_there;

fn main() -> ExitCode {
    let there = is_there("node")
        && is_there("chromium")
        && root().join("target/web/live-engine.js").is_file()
        && root().join("target/browser/node_modules/playwright-core").is_dir();
    let trials = vec![
        Trial::test("the_pages_run_their_kernels_in_a_browser", the_pages_run_their_kernels)
            .with_ignored_flag(!there),
    ];
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn the_pages_run_their_kernels() -> Result<(), Failed> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("browser");
    let (book, work) = (folder.join("book"), folder.join("submissions/ada"));
    mdbook_labs::build(&root(), Some(&book)).map_err(|error| format!("{error:#}"))?;
    std::fs::create_dir_all(&work)?;
    let native = folder.join("native.json");
    std::fs::write(&native, serde_json::to_string(&native_answers()?)?)?;
    let solutions = folder.join("solutions.json");
    let tasks = exercise::all()?;
    let of = |task: &exercise::Task| (task.exercise.name.clone(), task.variants.solution());
    std::fs::write(&solutions, serde_json::to_string(&tasks.iter().map(of).collect::<BTreeMap<_, _>>())?)?;
    let read = Command::new(root().join("scripts/browser"))
        .arg(&book)
        .arg("--solutions")
        .arg(&solutions)
        .arg("--native")
        .arg(&native)
        .arg("--out")
        .arg(folder.join("out"))
        .output()?;
    // With the table of times, where the output is shown.
    println!("{}", String::from_utf8_lossy(&read.stdout));
    if !read.status.success() {
        return Err(format!(
            "{}{}",
            String::from_utf8_lossy(&read.stdout),
            String::from_utf8_lossy(&read.stderr)
        )
        .into());
    }
    std::fs::copy(folder.join("out/submission.toml"), work.join("submission.toml"))?;
    graded(&folder)
}

/// What the native engine answers to each live kernel as it came.
fn native_answers() -> Result<BTreeMap<String, serde_json::Value>, Failed> {
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
fn graded(folder: &Path) -> Result<(), Failed> {
    let out = folder.join("grades");
    let _ = std::fs::remove_dir_all(&out);
    let run = Command::new(env!("CARGO"))
        .args(["run", "--quiet", "--locked", "--package", "grade", "--"])
        .arg(folder.join("submissions"))
        .arg("--out")
        .arg(&out)
        .current_dir(root())
        .output()?;
    let said = String::from_utf8_lossy(&run.stderr);
    if !run.status.success() {
        return Err(format!("grade: {}{said}", String::from_utf8_lossy(&run.stdout)).into());
    }
    let mut told = String::new();
    for file in std::fs::read_dir(&out)? {
        let path = file?.path();
        if path.extension().is_some_and(|end| end == "json" || end == "csv") {
            told += &std::fs::read_to_string(path)?;
        }
    }
    assert!(told.contains("vector_sum"), "{told}");
    assert!(!told.contains("other-exercises"), "the page names the exercises' version\n{told}");
    Ok(())
}
