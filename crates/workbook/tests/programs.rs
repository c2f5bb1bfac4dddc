//! Exercises whose source is a whole program: what is said of one, and what bounds it.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use checker::{Case, Verdict};
use exercise::Task;
use interpreter::Interpreter;

fn task(name: &str) -> Task {
    exercise::all().unwrap().into_iter().find(|task| task.exercise.name == name).unwrap()
}

fn check(task: &Task, source: &str) -> Verdict {
    let cases = Case::shown(&task.exercise);
    checker::check_with(task, "a.cu", source, &cases, &Interpreter, None).unwrap()
}

fn feedback(task: &Task, source: &str) -> String {
    feedback::feedback(&check(task, source), task, "a.cu", source, false)
}

/// The solution of `host_sum` with statements before its end.
fn with(statements: &str) -> String {
    let end = "    long long sum = 0;";
    let source = task("host_sum").variants.solution();
    assert!(source.contains(end));
    source.replace(end, &format!("    {statements}\n{end}"))
}

#[test]
fn the_first_line_that_differs_is_shown_next_to_the_one_expected() {
    let task = task("host_sum");
    insta::assert_snapshot!(feedback(&task, &task.skeleton()), @"
    error: line 1 of the standard output is wrong (n = 1000)

        expected  sum 749633, last 650
        found     sum 0, last 0
    printed (n = 1000):
        sum 0, last 0
    ");
}

#[test]
fn a_mistake_is_shown_with_its_lines_and_the_case() {
    let task = task("host_mistakes");
    let source = task.variants.named("the direction is wrong").unwrap();
    let said = feedback(&task, &source);
    let line = "    cudaMemcpy(d_in, in.data(), n * sizeof(int), cudaMemcpyDeviceToHost);";
    let at = source.lines().position(|one| one == line).unwrap() + 1;
    assert!(said.contains("are exchanged for a copy with `cudaMemcpyDeviceToHost` (n = 1000)"), "{said}");
    assert!(said.contains(&format!("--> a.cu:{at}:5")), "{said}");
}

#[test]
fn an_exit_code_that_differs_is_shown_with_the_one_that_is_meant() {
    let task = task("host_errors");
    let source = task.variants.named("reports and goes on").unwrap();
    insta::assert_snapshot!(feedback(&task, &source), @"
    error: the exit code is 0, but should be 1 (threads = 2048)

    printed (threads = 2048):
        fill: cudaErrorInvalidValue
        sum 0
    ");
}

#[test]
fn a_copy_too_many_is_counted() {
    let task = task("host_rows");
    let source = task.variants.named("row by row").unwrap();
    insta::assert_snapshot!(feedback(&task, &source), @"
    error: copies to the device: 7, at most 1 allowed (height = 7, width = 50)
    help: One cudaMemcpy2D copies all rows: a copy of each row alone takes microseconds before its first byte moves.

    error: copies to the host: 7, at most 1 allowed (height = 7, width = 50)
    help: One cudaMemcpy2D copies all rows back: a copy of each row alone takes microseconds before its first byte moves.

    error: cudaMemcpy2D: 0, at least 2 needed (height = 7, width = 50)
    help: cudaMemcpy2D copies rows between memories of different pitches, there and back.

    printed (height = 7, width = 50):
        first 0, last 202, sum 73502.0
      ✓ cudaMallocPitch = 1  (at least 1; height = 7, width = 50)
      ✗ copies to the device = 7  (at most 1; height = 7, width = 50)
      ✓ bytes copied to the device = 1,400  (at least 1,400; height = 7, width = 50)
      ✗ copies to the host = 7  (at most 1; height = 7, width = 50)
      ✓ threads of all launches = 448  (exactly 448; height = 7, width = 50)
      ✗ cudaMemcpy2D = 0  (at least 2; height = 7, width = 50)
      ✓ printed words that are the same where kernels do nothing = 0  (at most 0; height = 7, width = 50)
    ");
}

/// A program that knows the answers of the cases that are shown knows none of the hidden ones.
#[test]
fn answers_that_are_written_into_a_program_fail_in_hidden_cases() {
    let task = task("host_errors");
    let source = task.variants.solution();
    let source = source.replace("return 1;", "return threads == 2048 ? 1 : 0;");
    assert!(check(&task, &source).passed());
    let cases: Vec<Case> = (0..4).map(|seed| Case::hidden(&task.exercise, seed)).collect();
    let verdict = checker::check_with(&task, "a.cu", &source, &cases, &Interpreter, None).unwrap();
    assert_eq!(verdict.found(), Some("exit"), "{cases:?}");
}

/// Whatever a program does, its check ends, at the same place on every machine.
#[test]
#[ignore = "slow: .ci/run runs it"]
fn a_program_that_does_too_much_is_ended_by_counts() {
    let task = task("host_sum");
    for (statements, found, says) in [
        ("for (volatile int i = 0; i < 10; ) {}", "mistake/limit", "limit of operations"),
        ("for (;;) printf(\"%d\\n\", n);", "mistake/limit", "output"),
        ("std::vector<char> large(1 << 30);", "mistake", "may have 67108864"),
        (
            "add<<<1 << 20, 1024>>>(nullptr, nullptr, nullptr, 0); cudaDeviceSynchronize();",
            "mistake",
            "instructions",
        ),
    ] {
        let source = with(statements);
        let verdict = check(&task, &source);
        let said = feedback::feedback(&verdict, &task, "a.cu", &source, false);
        assert!(verdict.found_closely().unwrap_or_default().starts_with(found), "{statements}:\n{said}");
        assert!(said.contains(says), "{statements}:\n{said}");
        assert_eq!(said, feedback(&task, &source));
    }
}

/// A program may not take what it prints from elsewhere: it has no files.
#[test]
fn a_program_has_no_files() {
    let task = task("host_sum");
    let source = with("FILE *file = fopen(\"a.cu\", \"r\");\n    if (file) printf(\"there\\n\");");
    let said = feedback(&task, &source);
    assert!(said.contains("a.cu"), "{said}");
    assert!(!said.contains("there\n    sum"), "{said}");
}
