//! The line that a student marks as the cause of what a report shows.
//!
//! Enters: an exercise that asks for the cause, and a source. Leaves: what is wrong with its mark. The mark stays where it is while the
//! line is mended, so the source is compared with the skeleton. This module must never know what a source does.

use crate::verdict::Cause;
use exercise::{Task, mark};
use similar::{Algorithm, DiffOp, capture_diff_slices};

/// What is wrong with the mark; nothing where it is right, or where none is asked for.
pub(crate) fn misplaced(task: &Task, source: &str) -> Option<Cause> {
    if !task.exercise.detective {
        return None;
    }
    let lines: Vec<&str> = source.lines().collect();
    let marked = mark::marked(&lines);
    let number = |at: usize| u32::try_from(at + 1).unwrap_or(u32::MAX);
    let at = match marked[..] {
        [] => return Some(Cause::Unmarked),
        [at] => at,
        [first, second, ..] => return Some(Cause::Several([first, second].map(number))),
    };
    let culprits = task.culprits();
    let skeleton = task.skeleton();
    let old: Vec<&str> = skeleton.lines().map(str::trim).collect();
    let new: Vec<&str> = lines.iter().map(|line| mark::without(line).unwrap_or(line).trim()).collect();
    let changes = capture_diff_slices(Algorithm::Myers, &old, &new);
    let change = changes.iter().find(|change| change.new_range().contains(&at))?;
    let old = change.old_range();
    let is_it = match change {
        DiffOp::Equal { old_index, new_index, .. } => culprits.contains(&(old_index + at - new_index)),
        // Next to the cause, where that stays as it is.
        DiffOp::Insert { .. } => (old.start.saturating_sub(1)..=old.start).any(|at| culprits.contains(&at)),
        DiffOp::Delete { .. } | DiffOp::Replace { .. } => old.clone().any(|at| culprits.contains(&at)),
    };
    match change {
        _ if is_it => None,
        DiffOp::Insert { .. } => Some(Cause::New(number(at))),
        _ => Some(Cause::Elsewhere(number(at))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn task() -> Task {
        let tasks = exercise::all().expect("well-formed");
        tasks.into_iter().find(|task| task.exercise.name == "case_waiting").expect("there")
    }

    fn of(changes: &[(&str, &str)]) -> Option<Cause> {
        let task = task();
        let source = changes.iter().fold(task.skeleton(), |source, (old, new)| {
            assert!(source.contains(old), "{source}");
            source.replace(old, new)
        });
        misplaced(&task, &source)
    }

    const RETURN: &str = "    if (i >= n) return;\n";
    const LOAD: &str = "float4 me = bodies[i];";

    #[test]
    fn a_mark_is_right_before_the_line_is_mended_and_after() {
        let mended = "    float4 me = bodies[min(i, n - 1)]; // cause";
        assert_eq!(of(&[(RETURN, "    if (i >= n) return; // cause\n")]), None);
        assert_eq!(of(&[(RETURN, "    // cause\n    if (i >= n) return;\n")]), None, "on a line of its own");
        assert_eq!(of(&[(RETURN, ""), (LOAD, mended)]), None);
        assert_eq!(of(&[(RETURN, "    bool is_there = i < n; // cause\n")]), None);
        // Lines before it that are new, and another indentation, change nothing.
        assert_eq!(
            of(&[(RETURN, "  if (i >= n) return; // CAUSE\n"), ("#define TILE 64", "\n#define TILE 64\n")]),
            None
        );
    }

    #[test]
    fn a_mark_elsewhere_is_named_by_its_line() {
        let barrier =
            ("        __syncthreads();\n        for", "        __syncthreads(); // cause\n        for");
        let line =
            task().skeleton().lines().position(|line| line.contains("__syncthreads();")).expect("there");
        assert_eq!(of(&[barrier]), Some(Cause::Elsewhere(line as u32 + 1)));
        assert_eq!(of(&[barrier, (RETURN, "")]), Some(Cause::Elsewhere(line as u32)));
        assert_eq!(of(&[]), Some(Cause::Unmarked));
        let two = of(&[barrier, (RETURN, "    if (i >= n) return; // cause\n")]);
        assert!(matches!(two, Some(Cause::Several(_))), "{two:?}");
        let new = ("        for (int k = 0;", "        int first = 0; // cause\n        for (int k = 0;");
        assert_eq!(of(&[new]), Some(Cause::New(line as u32 + 2)));
    }

    #[test]
    fn only_those_that_ask_for_a_cause_need_a_mark() {
        let tasks = exercise::all().expect("well-formed");
        let others = tasks.iter().filter(|task| !task.exercise.detective);
        assert!(
            others.clone().count() > 0 && others.clone().all(|task| misplaced(task, "// cause").is_none())
        );
    }
}
