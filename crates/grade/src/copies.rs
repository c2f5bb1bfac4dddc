//! Detection of sources and answers that two students share.
//!
//! Enters: sources of one exercise, or answers to one question. Leaves: which of them are alike. Most exercises have one
//! short solution, which everybody finds, so only what a student need not have written counts: lines that are neither in the
//! skeleton nor in a variant of the workbook's own. Names, spelling and comments are compared as they are: whoever
//! renames everything is not found, and two who found the same words by themselves are.

use exercise::Task;
use std::collections::BTreeSet;

/// What of a source is its author's own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Own(BTreeSet<String>);

impl Own {
    /// The lines of a source that are its author's own, without spaces.
    pub(crate) fn of_source(task: &Task, source: &str) -> Own {
        let given = [task.variants.solution(), task.skeleton()];
        let attempts = task.exercise.attempts.iter().filter_map(|one| task.variants.named(&one.variant));
        let given: BTreeSet<String> = given
            .into_iter()
            .chain(attempts)
            .flat_map(|text| text.lines().map(bare).collect::<Vec<_>>())
            .collect();
        Own(source.lines().map(bare).filter(|line| !given.contains(line)).collect())
    }

    /// The lines of an answer in words, without spaces.
    pub(crate) fn of_words(text: &str) -> Own {
        Own(text.lines().map(bare).collect())
    }

    /// Whether at least `share` of both is the same, and both have at least so many letters.
    pub(crate) fn is_like(&self, other: &Own, least: usize, share: f64) -> bool {
        let (here, there) = (letters(self.0.iter()), letters(other.0.iter()));
        let both = letters(self.0.intersection(&other.0));
        here >= least && there >= least && both as f64 >= share * here.max(there) as f64
    }
}

fn bare(line: &str) -> String {
    line.chars().filter(|c| !c.is_whitespace()).collect()
}

fn letters<'a>(lines: impl Iterator<Item = &'a String>) -> usize {
    lines.map(|line| line.chars().filter(|c| c.is_alphanumeric()).count()).sum()
}

/// For each of these, each with its owner, the owners of those that are like it.
pub(crate) fn all(own: &[(usize, Own)], least: usize, share: f64) -> Vec<Vec<usize>> {
    let mut alike = vec![vec![]; own.len()];
    for (at, (owner, one)) in own.iter().enumerate() {
        for (other_at, (other_owner, other)) in own[..at].iter().enumerate() {
            if owner != other_owner && one.is_like(other, least, share) {
                alike[at].push(*other_owner);
                alike[other_at].push(*owner);
            }
        }
    }
    alike.iter_mut().for_each(|owners| owners.sort_unstable());
    alike
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_solution_is_nobody_s_own_and_a_remark_is() {
        let tasks = exercise::all().unwrap();
        let task = &tasks[0];
        let solution = Own::of_source(task, &task.variants.solution());
        assert!(!solution.is_like(&solution, 1, 0.8));
        let remark = "// my grandmother told me that threads are numbered from zero, so this cannot be right";
        let mine = Own::of_source(task, &format!("{}{remark}\n", task.skeleton()));
        let yours = Own::of_source(task, &format!("   {remark}\r\n{}", task.variants.solution()));
        assert!(mine.is_like(&yours, 60, 0.8) && !mine.is_like(&yours, 600, 0.8));
        assert_eq!(
            all(&[(0, mine.clone()), (0, mine.clone()), (2, yours)], 60, 0.8),
            [vec![2], vec![2], vec![0, 0]]
        );
    }
}
