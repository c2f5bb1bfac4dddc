//! Exercises whose source is a whole program, checked in the confined child.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use crate::coursework::{Course, SEED, task, with};
use tests::program::{stderr, stdout};

/// The solution of `host_sum` with statements before its end.
fn with_statements(statements: &str) -> String {
    let end = "    long long sum = 0;";
    let source = task("host_sum").variants.solution();
    assert!(source.contains(end));
    source.replace(end, &format!("    {statements}\n{end}"))
}

#[test]
#[ignore = "slow: .ci/run runs it"]
fn whole_programs_are_graded_in_hidden_cases_and_equal_gradings_give_equal_bytes() {
    let course = Course::new();
    course.rules("chapters = ['linear-memory']");
    let (sum, errors) = (task("host_sum").variants.solution(), task("host_errors").variants.solution());
    let leaks = task("host_sum").variants.named("nothing is freed").unwrap();
    let as_shown = errors.replace("return 1;", "return threads == 2048 ? 1 : 0;");
    let few = sum
        .replace("    long long sum", "    if (n != 1000 && n != 512 && n != 77) c[0]++;\n    long long sum");
    course.hand_in("ada", &with(&[("host_errors", &errors), ("host_sum", &sum)]));
    course.hand_in("bob", &with(&[("host_errors", &as_shown), ("host_sum", &leaks)]));
    course.hand_in("eve", &with(&[("host_sum", &few)]));
    let grade = || {
        let output = course.grade(&format!("{SEED} --rules course.toml"));
        assert_eq!(output.status.code(), Some(0), "{}{}", stdout(&output), stderr(&output));
        ["grades.csv", "work.csv", "ada.md", "bob.md", "eve.md"].map(|name| course.read(name))
    };
    let first = grade();
    for (student, exercise, points) in [
        ("ada", "host_sum", "2"),
        ("ada", "host_errors", "1"),
        ("bob", "host_sum", "0"),
        ("bob", "host_errors", "0"),
        ("eve", "host_sum", "0"),
    ] {
        assert_eq!(course.cell("work.csv", student, &format!("exercises: {exercise}")), points, "{student}");
    }
    let [.., bob, eve] = &first;
    assert!(
        bob.contains("a mistake that the runtime reports in case 1 of the 3 that the exercise shows"),
        "{bob}"
    );
    assert!(bob.contains("was not freed"), "{bob}");
    assert!(bob.contains("another exit code in hidden case"), "{bob}");
    assert!(eve.contains("wrong output in hidden case 1 of 4 (n = "), "{eve}");
    assert_eq!(first, grade());
}

/// The example of a course's own exercises.
const OWN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/course");

#[test]
#[ignore = "slow: .ci/run runs it"]
fn a_course_s_own_programs_are_graded_next_to_the_workbook_s() {
    let course = Course::new();
    course.rules("chapters = ['week-1']");
    let texts = files::read_texts(OWN.as_ref(), &[".toml", ".cu"], 1 << 20).unwrap();
    let task = exercise::Packed::of_course(texts).and_then(exercise::Packed::tasks).unwrap().remove(0);
    let solution = task.variants.solution();
    let leaks = solution.replace("    cudaFree(device);\n", "");
    assert_ne!(leaks, solution);
    course.hand_in("ada", &with(&[("squares", &solution)]));
    course.hand_in("bob", &with(&[("squares", &leaks)]));
    course.hand_in("eve", &with(&[("squares", &task.skeleton())]));
    let output = course.grade(&format!("{SEED} --rules course.toml --course {OWN}"));
    assert_eq!(output.status.code(), Some(0), "{}{}", stdout(&output), stderr(&output));
    for (student, points) in [("ada", "3"), ("bob", "0"), ("eve", "0")] {
        assert_eq!(course.cell("work.csv", student, "exercises: squares"), points, "{student}");
    }
    assert!(course.read("bob.md").contains("was not freed"));
    assert!(course.read("eve.md").contains("wrong output in case 1 of the 2 that the exercise shows"));
}

#[test]
fn a_course_s_exercises_that_are_wrong_are_refused_before_anything_is_graded() {
    let course = Course::new();
    course.hand_in("ada", &with(&[]));
    let own = tempfile::tempdir().unwrap();
    let mut texts = files::read_texts(OWN.as_ref(), &[".toml", ".cu"], 1 << 20).unwrap();
    let mut error = |name: &str, old: &str, new: &str| {
        let before = texts[name].clone();
        assert!(before.contains(old), "{old}");
        texts.insert(name.to_owned(), before.replace(old, new));
        for (name, text) in &texts {
            std::fs::write(own.path().join(name), text).unwrap();
        }
        texts.insert(name.to_owned(), before);
        let output = course.grade(&format!("{SEED} --course {}", own.path().display()));
        assert_eq!(output.status.code(), Some(2), "{}", stdout(&output));
        stderr(&output)
    };
    let unknown = error("exercises.toml", "count = \"launches\"", "count = \"lunches\"");
    assert!(
        unknown.contains("the condition `one launch` counts `lunches`, which is not a counter"),
        "{unknown}"
    );
    let none = error("exercises.toml", "name = \"squares\"", "name = \"cubes\"");
    assert!(none.contains("`squares.cu` belongs to no exercise of exercises.toml"), "{none}");
    let nowhere = course.grade(&format!("{SEED} --course nowhere"));
    assert!(stderr(&nowhere).contains("--course nowhere: "), "{}", stderr(&nowhere));
    let wrong = error("exercises.toml", "least = 1, most = 1", "least = 2, most = 2");
    assert!(wrong.contains("exercise `squares`: its solution does not pass: "), "{wrong}");
}

#[test]
#[ignore = "slow: .ci/run runs it"]
fn programs_that_want_too_much_lose_only_their_own_points() {
    let course = Course::new();
    course.rules("chapters = ['linear-memory']");
    let hostile = [
        ("endless", "for (volatile int i = 0; i < 10; ) {}", "operations"),
        ("verbose", "for (;;) printf(\"%d\\n\", n);", "output"),
        ("greedy", "std::vector<char> large(1 << 30);", "67108864"),
        ("curious", "if (fopen(\"/etc/passwd\", \"r\")) printf(\"there\\n\");", "passwd"),
    ];
    for (student, statements, _) in hostile {
        course.hand_in(student, &with(&[("host_sum", &with_statements(statements))]));
    }
    course.hand_in("zoe", &with(&[("host_sum", &task("host_sum").variants.solution())]));
    let output = course.grade(&format!("{SEED} --rules course.toml"));
    assert_eq!(output.status.code(), Some(0), "{}{}", stdout(&output), stderr(&output));
    for (student, _, says) in hostile {
        assert_eq!(course.cell("work.csv", student, "exercises: host_sum"), "0", "{student}");
        let report = course.read(&format!("{student}.md"));
        assert!(report.contains(says), "{student}: {report}");
    }
    assert_eq!(course.cell("work.csv", "zoe", "exercises: host_sum"), "2");
}
