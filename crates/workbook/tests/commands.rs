//! The commands, in a separate folder.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};
#[cfg(target_os = "linux")]
use tests::program::{command, loses_nothing_silently};

const NAME: &str = "uniform_taps";

fn workbook(folder: &Path, arguments: &[&str]) -> (Option<i32>, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_workbook"));
    command.env_remove("CARGO"); // messages name commands as if it was not started by Cargo
    let Output { status, stdout, stderr } =
        command.arg("--dir").arg(folder).args(arguments).output().unwrap();
    let text = String::from_utf8(stdout).unwrap() + &String::from_utf8(stderr).unwrap();
    (status.code(), text)
}

fn file(folder: &Path) -> std::path::PathBuf {
    folder.join("constant-memory").join(format!("{NAME}.cu"))
}

fn solution() -> String {
    let tasks = exercise::all().unwrap();
    tasks.iter().find(|task| task.exercise.name == NAME).unwrap().variants.solution()
}

#[test]
fn an_exercise_is_begun_missed_hinted_at_passed_and_shown() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let (code, text) = workbook(folder, &["run", NAME]);
    assert_eq!(code, Some(1), "{text}");
    assert!(
        text.contains("replays of constant loads: ") && text.contains("16 different addresses"),
        "{text}"
    );
    assert!(text.contains("\n`workbook --dir ") && text.ends_with(" hint` helps\n"), "{text}");
    // Each hint says more than the one before; the last stays.
    let hints: Vec<String> = (0..4).map(|_| workbook(folder, &["hint"]).1).collect();
    assert!(hints[0].starts_with("Hint 1 of 3") && hints[2].starts_with("Hint 3 of 3"), "{hints:?}");
    assert_eq!(hints[2], hints[3]);
    let (code, text) = workbook(folder, &["solution", NAME]);
    assert!(code == Some(2) && text.contains("is not passed yet"), "{text}");
    fs::write(file(folder), solution()).unwrap();
    let (code, text) = workbook(folder, &["run"]);
    assert!(code == Some(0) && text.contains("✓ Make the reads uniform: passed"), "{text}");
    let (code, text) = workbook(folder, &["solution", NAME]);
    let costs = text.strip_prefix(&solution()).expect("the source comes first");
    assert_eq!(code, Some(0), "{text}");
    assert!(costs.starts_with("\nWhat each costs, with "), "{costs}");
    let row = |title: &str| {
        let found = costs.lines().find(|line| line.trim_start().starts_with(title));
        found
            .unwrap_or_else(|| panic!("{title}: {costs}"))
            .split_whitespace()
            .rev()
            .take(2)
            .collect::<Vec<_>>()
    };
    // The file is the solution, so both cost the same.
    assert_eq!(row("replays of constant loads"), ["0", "0"], "{costs}");
    assert_eq!(row("requests of global loads"), ["512", "512"], "{costs}");
    assert!(row("modelled time").contains(&"µs"), "{costs}");
    assert_eq!(workbook(folder, &["solution", &file(folder).display().to_string()]), (code, text));
    // There is nothing left to hint at: what comes next is said instead.
    let (code, text) = workbook(folder, &["hint"]);
    assert!(code == Some(0) && text.starts_with("`uniform_taps` is passed: no hint is needed\n"), "{text}");
    assert!(
        text.contains(" solution` shows the workbook's own") && text.contains(" run table_home`"),
        "{text}"
    );
    let (code, text) = workbook(folder, &["list"]);
    assert!(code == Some(0) && text.contains("1/") && text.contains(&format!("{NAME:<24} done")), "{text}");
    // The file is what is handed in: if it no longer passes, the exercise is no longer done.
    fs::write(file(folder), solution().replace("tap[k]", "tap[0]")).unwrap();
    let (code, text) = workbook(folder, &["run", NAME]);
    assert!(code == Some(1) && text.contains("It was passed before; what counts is the file"), "{text}");
    let (_, text) = workbook(folder, &["run", NAME]);
    assert!(text.contains("0/") && !text.contains("It was passed before"), "{text}");
}

#[test]
fn what_a_student_wrote_is_never_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    workbook(folder, &["list"]);
    for n in ["first", "second"] {
        fs::write(file(folder), n).unwrap();
        workbook(folder, &["list"]);
        assert_eq!(fs::read_to_string(file(folder)).unwrap(), n);
        assert_eq!(workbook(folder, &["reset", NAME]).0, Some(0));
    }
    // An untouched skeleton is nothing to keep.
    assert_eq!(workbook(folder, &["reset", NAME]).0, Some(0));
    assert!(!file(folder).with_extension("cu.old3").exists());
    let kept = |ending: &str| fs::read_to_string(file(folder).with_extension(ending)).unwrap();
    assert_eq!((kept("cu.old"), kept("cu.old2")), ("first".to_owned(), "second".to_owned()));
}

#[test]
fn what_does_not_compile_or_faults_has_its_exit_code() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    workbook(folder, &["list"]);
    let source = solution();
    for (old, new, code, said) in [
        ("sum += tap[k]", "sum += tab[k]", 2, "`tab`"),
        ("filter(", "filtre(", 2, "error: no kernel named `filter`; the source has: filtre("),
        ("int n)", "float n)", 2, "filter"),
        (
            "__global__",
            "__global__ void filter(int n) {}\n__global__",
            2,
            "several kernels are named `filter`",
        ),
        ("in[i + k]", "in[i + 4096 * k]", 3, "thread"),
        ("if (i >= n) return;", "while (true) { }", 3, "never ends"),
        ("sum += tap[k]", "sum -= tap[k]", 1, "should be"),
    ] {
        assert!(source.contains(old), "{old}");
        fs::write(file(folder), source.replace(old, new)).unwrap();
        let (found, text) = workbook(folder, &["run", NAME]);
        assert!(found == Some(code) && text.contains(said), "{new}: {found:?}\n{text}");
        // A missing kernel has no place.
        assert_eq!(text.contains(&format!("{NAME}.cu:")), !said.contains("kernel"), "{text}");
    }
}

#[test]
fn commands_are_named_as_they_are_typed() {
    let folder = tempfile::tempdir().unwrap();
    let said = |cargo: bool, arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_workbook"));
        let command = command.current_dir(folder.path()).args(arguments).env_remove("CARGO");
        let command = if cargo { command.env("CARGO", "cargo") } else { command };
        let Output { stdout, stderr, .. } = command.output().unwrap();
        String::from_utf8(stdout).unwrap() + &String::from_utf8(stderr).unwrap()
    };
    for (arguments, plain, by_cargo) in [
        (&["run"][..], "`workbook hint` helps", "`cargo run --bin workbook -- hint` helps"),
        (
            &["run", "--device", "auto", "--dir", "my work"],
            "`workbook --device auto --dir 'my work' hint` helps",
            "`cargo run --bin workbook -- --device auto --dir 'my work' hint` helps",
        ),
        (&["--help"], "\n  workbook hint ", "\n  cargo run --bin workbook -- hint "),
        (&["hint", "--help"], "Usage: workbook hint", "Usage: cargo run --bin workbook -- hint"),
        (&["submit", "--help"], "\n  workbook submit ", "\n  cargo run --bin workbook -- submit "),
    ] {
        for (cargo, words) in [(false, plain), (true, by_cargo)] {
            let said = said(cargo, arguments);
            assert!(said.contains(words), "{arguments:?}, {words}:\n{said}");
        }
    }
}

/// The quiz on a chapter, with these lines typed.
fn quiz(folder: &Path, typed: &str) -> (Option<i32>, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_workbook"));
    let command = command.arg("--dir").arg(folder).args(["quiz", "constant-memory"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(typed.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    (output.status.code(), String::from_utf8(output.stdout).unwrap())
}

#[test]
fn a_quiz_says_why_and_continues_where_it_was_left() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    // A word, a choice that does not exist, a typical mistake by its letter, the answer by its number.
    let (code, text) = quiz(folder, "two\nz\nC\n4\nq\n");
    assert_eq!(code, Some(0), "{text}");
    assert!(
        text.contains("type a letter from a to d") && text.contains("✗ The array has five elements"),
        "{text}"
    );
    assert!(text.contains("✓ Each of the four steps reads one coefficient"), "{text}");
    assert!(text.ends_with("1 of 6 questions answered, 0 at the first attempt\n"), "{text}");
    assert!(text.contains("again? a to d (s skips, q leaves) > "), "{text}");
    let (_, text) = quiz(folder, "");
    assert!(
        !text.contains("Two stencil kernels")
            && text.contains("With the coefficients loaded after the barrier"),
        "{text}"
    );
}

#[test]
fn a_question_that_is_skipped_is_asked_again_the_next_time() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let (code, text) = quiz(folder, "c\ns\nq\n");
    assert!(code == Some(0) && text.contains("Two stencil kernels"), "{text}");
    assert!(
        text.contains("With the coefficients loaded after the barrier")
            && text.contains("0 of 6 questions answered"),
        "{text}"
    );
    let (_, text) = quiz(folder, "");
    assert!(
        text.contains("Two stencil kernels")
            && !text.contains("With the coefficients loaded after the barrier"),
        "{text}"
    );
}

#[test]
fn unusable_input_is_said_with_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    for (arguments, said) in [
        (&["run", "uniform"][..], "no exercise named `uniform`; `workbook --dir "),
        (&["run", "uniformtaps"], "did you mean `uniform_taps`?"),
        (&["run", "tile"], " list` lists them all\n"),
        (&["quiz", "constants"], "no questions on `constants`; there are questions on constant-memory"),
        (&["reset"], "<NAME>"),
        (&["solve"], "solve"),
    ] {
        let (code, text) = workbook(folder, arguments);
        assert!(code == Some(2) && text.contains(said), "{arguments:?}: {text}");
    }
    let hints = format!("{{\"version\": 1, \"hints\": {{\"{NAME}\": {{\"any\": 99}}}}}}");
    fs::write(folder.join("progress.json"), hints).unwrap();
    let (code, text) = workbook(folder, &["hint", NAME]);
    assert!(code == Some(0) && text.starts_with("Hint 3 of 3"), "{text}");
    fs::write(folder.join("progress.json"), "{\"version\": 7}").unwrap();
    let (code, text) = workbook(folder, &["list"]);
    assert!(code == Some(2) && text.contains("progress.json") && text.contains("move it away"), "{text}");
    fs::remove_file(file(folder)).unwrap();
    fs::create_dir(file(folder)).unwrap();
    fs::remove_file(folder.join("progress.json")).unwrap();
    let (code, text) = workbook(folder, &["run", NAME]);
    assert!(code == Some(2) && text.contains(&format!("{NAME}.cu")), "{text}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let lost = |line| {
        loses_nothing_silently(command(env!("CARGO_BIN_EXE_workbook"), folder.path(), line)).unwrap();
    };
    lost("list");
    fs::write(file(&folder.path().join("exercises")), solution()).unwrap();
    lost("run uniform_taps");
    lost("--help");
}

/// As in a folder that may not be written, or on a disk that is full.
#[cfg(unix)]
#[test]
fn a_verdict_and_a_hint_are_said_where_progress_cannot_be_written() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    workbook(folder, &["list"]);
    std::os::unix::fs::symlink("/dev/null/progress.json", folder.join("progress.json")).unwrap();
    let (code, text) = workbook(folder, &["run", NAME]);
    assert!(code == Some(1) && text.contains("16 different addresses"), "{text}");
    let kept = text.lines().find(|line| line.starts_with("Your progress was not saved: ")).unwrap();
    assert!(kept.contains("progress.json: ") && !kept.contains("at path"), "{text}");
    let (code, text) = workbook(folder, &["hint", NAME]);
    assert!(code == Some(0) && text.starts_with("Hint 1 of 3"), "{text}");
    fs::write(file(folder), solution()).unwrap();
    let (code, text) = workbook(folder, &["run", NAME]);
    assert!(code == Some(0) && text.contains("passed") && text.contains("1/"), "{text}");
}

/// Right for the sizes that are shown, and for no others: it passes once, and then the numbers are new.
#[test]
fn what_has_passed_is_checked_with_new_numbers_and_with_these_until_it_passes() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let shown = solution().replace("if (i >= n)", "if (i >= n || (n != 1000 && n != 77 && n != 512))");
    assert_ne!(shown, solution());
    let check = |source: &str| {
        workbook(folder, &["list"]);
        fs::write(file(folder), source).unwrap();
        workbook(folder, &["run", NAME])
    };
    assert_eq!(check(&shown).0, Some(0), "the numbers that are shown");
    // One size in a thousand is one of those.
    let failed = |(code, _): &(Option<i32>, String)| *code == Some(1);
    let (_, first) = (0..9).map(|_| check(&shown)).find(failed).unwrap();
    assert!(first.contains("the next check has them again"), "{first}");
    let (code, again) = check(&shown);
    let found = |text: &str| text.lines().next().map(str::to_owned);
    assert_eq!((code, found(&again)), (Some(1), found(&first)), "the same numbers");
    assert_eq!(check(&solution()).0, Some(0));
}
