//! The program called by names, by first arguments, and by neither.

#[cfg(unix)]
use std::path::Path;
use std::process::Output;
use tests::program::{refused, run, stderr, stdout};

const WARPBOOK: &str = env!("CARGO_BIN_EXE_warpbook");

/// Its output in an empty folder.
fn says(line: &str) -> Output {
    run(WARPBOOK, tempfile::tempdir().unwrap().path(), line).unwrap()
}

/// Programs that `--help` lists.
fn names() -> Vec<String> {
    let help = stdout(&says("--help"));
    let list = help.split("\nPrograms:\n").nth(1).unwrap().split("\n\n").next().unwrap();
    list.lines().map(|line| line.split_whitespace().next().unwrap().to_owned()).collect()
}

#[test]
fn every_lab_and_the_other_programs_answer_to_their_names() {
    let names = names();
    let labs = labs::ALL.iter().map(|lab| lab.name);
    assert_eq!(
        names,
        labs.chain(["workbook", "book", "cudarun", "launch", "compile", "grade"]).collect::<Vec<_>>()
    );
    for name in names {
        let output = says(&format!("{name} --help"));
        assert_eq!(output.status.code(), Some(0), "{name}: {}", stderr(&output));
        assert!(stdout(&output).contains(&format!("Usage: {}", usage(&name))), "{}", stdout(&output));
    }
}

/// Commands of `workbook` are named in full, so that they can be copied.
fn usage(name: &str) -> String {
    if name == "workbook" { format!("{WARPBOOK} workbook") } else { name.to_owned() }
}

#[test]
fn without_a_name_it_teaches_by_example() {
    let output = says("");
    assert_eq!(output.status.code(), Some(0));
    assert!(stdout(&output).contains(" lab-5-5 --quick "), "{}", stdout(&output));
    assert_eq!(stdout(&says("--version")), format!("warpbook {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn an_unknown_name_is_answered_with_the_nearest() {
    refused(&says("lab-5-6 --quick"), "no program named `lab-5-6`; did you mean `lab-5-5`?");
    refused(&says("--quick"), "`--quick` is for one of the programs, whose name comes first");
    let hostile = says(tests::program::HOSTILE);
    refused(&hostile, "no program named");
    assert!(!stderr(&hostile).contains('\u{1b}'), "{}", stderr(&hostile));
}

#[cfg(unix)]
#[test]
fn a_link_of_a_program_s_name_is_that_program_and_names_the_others_as_it_was_called() {
    let archive = tempfile::tempdir().unwrap();
    let folder = archive.path();
    std::fs::create_dir(folder.join("bin")).unwrap();
    for name in ["workbook", "lab-4-4"] {
        std::os::unix::fs::symlink(WARPBOOK, folder.join("bin").join(name)).unwrap();
    }
    // A command is looked for from where it is started; bash hands on the name as it was typed.
    let shell = |line: &str| tests::program::shell(folder, line).output().unwrap();
    let failed = shell("bin/workbook run uniform_taps");
    assert_eq!(failed.status.code(), Some(1), "{}", stderr(&failed));
    assert!(stdout(&failed).contains("`bin/workbook hint`"), "{}", stdout(&failed));
    let on_path = shell("cd bin && PATH=. workbook run uniform_taps");
    assert!(stdout(&on_path).contains("`workbook hint`"), "{}", stdout(&on_path));
    let lab = shell("bin/lab-4-4 --quick --device simt");
    assert_eq!(lab.status.code(), Some(0), "{}", stderr(&lab));
    assert!(stdout(&lab).contains("\nbook: bin/book --open\n"), "{}", stdout(&lab));
}

/// The grader starts itself again for each submission, and must know again what it is.
#[cfg(unix)]
#[test]
fn a_program_that_starts_itself_is_the_same_again() {
    let course = tempfile::tempdir().unwrap();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let ada = course.path().join("submissions/ada");
    std::fs::create_dir_all(&ada).unwrap();
    std::fs::copy(root.join("book/records/quick-embedded-h200/lab-4-4.json"), ada.join("lab-4-4.json"))
        .unwrap();
    let line = format!(
        "grade {} --out {}",
        course.path().join("submissions").display(),
        course.path().join("grades").display()
    );
    let output = run(WARPBOOK, &root, &line).unwrap();
    assert_eq!(output.status.code(), Some(0), "{}{}", stdout(&output), stderr(&output));
    let report = std::fs::read_to_string(course.path().join("grades/ada.md")).unwrap();
    assert!(report.contains("lab-4-4"), "{report}");
}
