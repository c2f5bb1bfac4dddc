//! The built book in a real browser: its kernels run in the page as they do natively, and what a reader does there is
//! graded.
//!
//! The test in Chromium is ignored where Node, Chromium, the engine (`scripts/web`) or what drives the browser
//! (`scripts/browser --install`) is not there; `--include-ignored` insists on them. Firefox and WebKit have a test each where
//! they are installed.

use libtest_mimic::{Arguments, Failed, Trial};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::Mutex;
use tests::is_there;

fn main() -> ExitCode {
    let runs = is_there("node") && root().join("target/web/live-engine.js").is_file();
    let chromium =
        is_there("chromium") && root().join("target/browser/node_modules/playwright-core").is_dir();
    let mut trials = vec![
        Trial::test("the_pages_run_their_kernels_in_chromium", the_pages_run_their_kernels_in_chromium)
            .with_ignored_flag(!(runs && chromium)),
    ];
    let firefox = is_there("firefox") || is_there("firefox-esr");
    // Where there is no display, it needs Xvfb.
    let webkit = is_found("WebKitWebDriver") && (std::env::var_os("DISPLAY").is_some() || is_found("Xvfb"));
    for (browser, there) in [("firefox", firefox), ("webkit", webkit)] {
        if runs && there {
            let name = format!("the_pages_run_their_kernels_in_{browser}");
            trials.push(Trial::test(name, move || read(&[&format!("--{browser}")], browser).map(drop)));
        }
    }
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}

/// Whether there is a program that does not tell its version.
fn is_found(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The book, and what the native engine makes of what is in it.
struct Built {
    book: PathBuf,
    native: PathBuf,
    solutions: PathBuf,
}

fn built(folder: &Path) -> Result<Built, Failed> {
    let in_folder = |name| folder.join(name);
    let built = Built {
        book: in_folder("book"),
        native: in_folder("native.json"),
        solutions: in_folder("solutions.json"),
    };
    mdbook_labs::build(&root(), Some(&built.book)).map_err(|error| format!("{error:#}"))?;
    std::fs::write(&built.native, serde_json::to_string(&native_answers()?)?)?;
    let tasks = exercise::all()?;
    let of = |task: &exercise::Task| (task.exercise.name.clone(), task.variants.solution());
    let solutions = tasks.iter().map(of).collect::<BTreeMap<_, _>>();
    std::fs::write(&built.solutions, serde_json::to_string(&solutions)?)?;
    Ok(built)
}

/// Reads the book in a browser, one after the other, so that each has the machine for itself. The result is the folder that
/// holds what it left.
fn read(which: &[&str], out: &str) -> Result<PathBuf, Failed> {
    static BUILT: Mutex<Option<Built>> = Mutex::new(None);
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("browser");
    std::fs::create_dir_all(&folder)?;
    let mut known = BUILT.lock().map_err(|_| "another browser's test panicked")?;
    let Built { book, native, solutions } = match &mut *known {
        Some(built) => built,
        none => none.insert(built(&folder)?),
    };
    let left = folder.join(out);
    let read = Command::new(root().join("scripts/browser"))
        .arg(book)
        .arg("--solutions")
        .arg(solutions)
        .arg("--native")
        .arg(native)
        .arg("--out")
        .arg(&left)
        .args(which)
        .output()?;
    // With the table of times, where the output is shown.
    println!("{}", String::from_utf8_lossy(&read.stdout));
    if !read.status.success() {
        let (said, told) = (String::from_utf8_lossy(&read.stdout), String::from_utf8_lossy(&read.stderr));
        return Err(format!("{said}{told}").into());
    }
    Ok(left)
}

fn the_pages_run_their_kernels_in_chromium() -> Result<(), Failed> {
    let left = read(&[], "chromium")?;
    let folder = left.with_file_name("handed-in");
    let work = folder.join("submissions/ada");
    std::fs::create_dir_all(&work)?;
    std::fs::copy(left.join("submission.toml"), work.join("submission.toml"))?;
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
