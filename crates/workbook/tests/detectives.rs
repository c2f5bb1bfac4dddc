//! Exercises that show a report and ask for its cause: the reports that the book shows, and the marks that are right.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use checker::{Case, Cause, Finding};
use exercise::Task;
use exercise::mark::MARK;
use std::path::Path;

fn detectives() -> Vec<Task> {
    exercise::all().unwrap().into_iter().filter(|task| task.exercise.detective).collect()
}

fn finding(task: &Task, source: &str) -> Option<Finding> {
    checker::check(task, "a.cu", source, &Case::shown(&task.exercise)).unwrap().finding
}

/// `UPDATE=1 cargo test -p workbook --test all reports` writes them again.
#[test]
fn reports_are_those_of_the_skeletons_today() {
    for task in detectives() {
        let name = &task.exercise.name;
        let (file, source) = (format!("{name}.cu"), task.skeleton());
        let verdict = checker::check(&task, &file, &source, &Case::shown(&task.exercise)).unwrap();
        let report = feedback::feedback(&verdict, &task, &file, &source, false);
        let path = format!("{}/../../kernels/exercises/{name}.report.txt", env!("CARGO_MANIFEST_DIR"));
        ::tests::committed(
            Path::new(&path),
            &format!("{}\n", report.trim_end()),
            "-p workbook --test all reports",
        );
    }
}

/// A mark on each line of the skeleton with code: only the cause's own is taken, and what the skeleton does is then found as without it.
#[test]
fn no_line_but_the_cause_is_taken_for_it() {
    for task in detectives() {
        let (name, skeleton) = (&task.exercise.name, task.skeleton());
        let culprits = task.culprits();
        let lines: Vec<&str> = skeleton.lines().collect();
        let head = lines.iter().position(|line| !line.starts_with("//")).unwrap();
        for at in (head..lines.len()).filter(|at| !lines[*at].is_empty()) {
            let marked = format!("{} {MARK}", lines[at]);
            let source: Vec<&str> =
                lines.iter().enumerate().map(|(n, line)| if n == at { &marked } else { *line }).collect();
            let found = finding(&task, &source.join("\n"));
            let elsewhere =
                matches!(found, Some(Finding::Cause(Cause::Elsewhere(line))) if line as usize == at + 1);
            assert_eq!(elsewhere, !culprits.contains(&at), "{name}, `{}`: {found:?}", lines[at]);
            assert!(found.is_some(), "{name}: a mark does not mend anything");
        }
    }
}

/// The report shows where it is seen; where that is the line of the cause, there is nothing to find.
#[test]
fn reports_of_half_of_them_name_another_line_than_the_cause() {
    let all = detectives();
    let elsewhere = all.iter().filter(|task| {
        let report = exercise::report(&task.exercise.name).unwrap();
        let place = report.lines().find_map(|line| line.trim().strip_prefix("--> "));
        let line = place.and_then(|place| place.split(':').nth(1)?.parse::<usize>().ok());
        line.is_none_or(|line| !task.culprits().contains(&(line - 1)))
    });
    assert!(elsewhere.count() * 4 >= all.len() * 3, "most have something to find");
    assert!(all.len() >= 10);
}
