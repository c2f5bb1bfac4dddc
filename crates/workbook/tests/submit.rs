//! Answers in words, and the file that is handed in.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use submission::{State, Submission};

/// The program with these arguments and lines typed: its exit code, and what it says.
fn workbook(folder: &Path, arguments: &[&str], typed: &str) -> (Option<i32>, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_workbook"));
    command.arg("--dir").arg(folder).args(arguments);
    let pipes = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = pipes.spawn().unwrap();
    // It may have ended without reading.
    let _ = child.stdin.take().unwrap().write_all(typed.as_bytes());
    let output = child.wait_with_output().unwrap();
    let text = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8(text).unwrap())
}

/// Text of a file of the workbook.
fn of_book(name: &str) -> Result<String, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    fs::read_to_string(root.join(name)).map_err(|error| error.to_string())
}

fn written(folder: &Path) -> Submission {
    Submission::parse(&fs::read_to_string(folder.join("submission.toml")).unwrap()).unwrap()
}

#[test]
#[ignore = "slow: .ci/run runs it"]
fn a_submission_holds_what_was_done_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    workbook(folder, &["list"], "");
    let tasks = exercise::all().unwrap();
    let task = |name: &str| tasks.iter().find(|task| task.exercise.name == name).unwrap();
    let file = folder.join("linear-memory/vector_sum.cu");
    fs::write(&file, task("vector_sum").variants.solution()).unwrap();
    let other = folder.join("linear-memory/grid_stride.cu");
    fs::write(other, task("grid_stride").skeleton() + "// each takes the next\n").unwrap();
    // To check the others as they are is not to begin them.
    workbook(folder, &["check-all"], "");
    let (_, listed) = workbook(folder, &["list"], "");
    assert_eq!((listed.matches(" begun ").count(), listed.matches(" done ").count()), (1, 1), "{listed}");
    // A wrong choice, then the right one, and no more.
    let all = question::of_book(&of_book).unwrap();
    let first = all.iter().find(|question| question.chapter == "tiling").unwrap();
    let letter = |right| ('a'..).zip(&first.choices).find(|(_, choice)| choice.right == right).unwrap().0;
    workbook(folder, &["quiz", "tiling"], &format!("{}\n{}\nq\n", letter(false), letter(true)));
    workbook(folder, &["quiz", "--words", "tiling"], "");
    let answer = folder.join("answers/two-barriers.md");
    let question = fs::read_to_string(&answer).unwrap();
    fs::write(&answer, format!("{question}One waits.\n")).unwrap();
    let (code, text) = workbook(folder, &["submit", "--name", "Ada Lovelace", "--id", "s1"], "");
    assert_eq!(code, Some(0), "{text}");
    let points: u32 = tasks.iter().map(|task| task.exercise.points).sum();
    let begun =
        format!("2 of {} begun, 1 passed when you last checked them: 1 of {points} points", tasks.len());
    for said in [
        "submission.toml, the work of Ada Lovelace (s1):",
        &begun,
        " answered, 0 at the first attempt",
        "answers in words  1 of ",
        " list):\n  linear-memory ",
    ] {
        assert!(text.contains(said), "{said}\n{text}");
    }
    let work = written(folder);
    let exercises: Vec<_> = work.exercises.iter().map(|work| (work.name.as_str(), work.state)).collect();
    assert_eq!(exercises, [("vector_sum", State::Passed), ("grid_stride", State::Begun)]);
    assert_eq!(work.exercises[0].source, task("vector_sum").variants.solution());
    assert_eq!(work.exercises[1].found.as_deref(), Some("wrong"));
    assert_eq!((work.questions.len(), work.questions[0].chosen.len()), (1, 2));
    assert_eq!((work.answers.len(), work.answers[0].text.as_str()), (1, "One waits.\n"));
    assert_eq!(work.versions.exercises, exercise::digest());
    // The same work at another moment, by a student whose name is known by now.
    let (code, _) = workbook(folder, &["submit"], "");
    let again = Submission { when: work.when.clone(), ..written(folder) };
    assert_eq!((code, again), (Some(0), work));
}

#[test]
fn a_name_is_asked_for_once() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let (code, text) = workbook(folder, &["submit"], "");
    assert!(code == Some(2) && text.contains(" submit --name 'Ada Lovelace'"), "{text}");
    let (code, text) = workbook(folder, &["submit"], "Ada\n");
    assert!(code == Some(0) && text.starts_with("Your name: "), "{text}");
    let (code, text) = workbook(folder, &["submit"], "");
    assert!(code == Some(0) && !text.contains("Your name"), "{text}");
    let (code, text) = workbook(folder, &["submit", "--name", "A\u{1b}[2J"], "");
    assert!(code == Some(2) && text.contains("visible characters"), "{text}");
    fs::write(folder.join("student.json"), "Ada").unwrap();
    let (code, text) = workbook(folder, &["submit"], "");
    assert!(
        code == Some(2) && text.contains("student.json: it does not say who you are; delete it"),
        "{text}"
    );
}

#[test]
fn no_other_student_s_file_is_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let out = folder.join("out.toml");
    let place = out.to_str().unwrap();
    assert_eq!(workbook(folder, &["submit", "--name", "Ada", "--out", place], "").0, Some(0));
    let (code, text) = workbook(folder, &["submit", "--name", "Bob", "--out", place], "");
    assert!(code == Some(2) && text.contains("it is the work of Ada and is not replaced"), "{text}");
    assert_eq!(workbook(folder, &["submit", "--name", "Ada", "--out", place], "").0, Some(0));
    fs::write(&out, "[package]\nname = \"x\"\n").unwrap();
    let (code, text) = workbook(folder, &["submit", "--name", "Ada", "--out", place], "");
    assert!(code == Some(2) && text.contains("it is not a submission and is not replaced"), "{text}");
    assert_eq!(fs::read_to_string(&out).unwrap(), "[package]\nname = \"x\"\n");
    let (code, text) = workbook(folder, &["submit", "--out", folder.to_str().unwrap()], "");
    assert_eq!(code, Some(2), "{text}");
}

#[test]
fn questions_for_words_are_files_and_keep_their_model_answers_to_themselves() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let (code, text) = workbook(folder, &["quiz", "--words"], "");
    assert!(code == Some(0) && text.contains("\n0 of "), "{text}");
    let file = folder.join("answers/padding-of-b.md");
    let begun = fs::read_to_string(&file).unwrap();
    assert!(begun.starts_with("> In the kernel `transposed`"), "{begun}");
    for question in question::bank::of_book(&of_book).unwrap() {
        let criteria = question.criteria.iter().map(|one| one.says.as_str());
        for secret in criteria.chain([question.answer.as_str()]) {
            assert!(!text.contains(secret) && !begun.contains(secret), "{secret}");
        }
    }
    // Text that is written stays.
    fs::write(&file, format!("{begun}It spreads them.\n")).unwrap();
    let (_, text) = workbook(folder, &["quiz", "--words", "tiling"], "");
    assert!(text.contains("✓") && text.contains("\n1 of "), "{text}");
    assert!(fs::read_to_string(&file).unwrap().ends_with("It spreads them.\n"));
    let (code, text) = workbook(folder, &["quiz", "--words", "tilling"], "");
    assert!(code == Some(2) && text.contains("no questions on `tilling`; there are questions on "), "{text}");
}
