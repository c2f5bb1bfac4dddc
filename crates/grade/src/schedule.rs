//! The scheduler of re-runs and of checks.
//!
//! Enters: for each student the items to be judged, records or exercises, in order, with the runs that each needs. Leaves: every
//! item judged once, every run made once. Each student's next item is taken in rotation, so that no student waits for all items
//! of another; a student who has used up the budget has no more items judged. The budget is counted in instructions, so that it
//! depends neither on the machine nor on the number of jobs or their order. This module must never know what an item holds.

use anyhow::Result;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Interval at which an idle worker checks for an interrupt.
const LOOK: Duration = Duration::from_millis(200);

/// A run, by its request: equal keys are equal runs.
pub(crate) type Key = String;

/// An item to be judged.
#[derive(Clone, Debug)]
pub(crate) struct Task {
    /// Its index among all items.
    pub(crate) item: usize,
    /// The runs that it needs.
    pub(crate) keys: Vec<Key>,
    /// Warp instructions that it cost, if an earlier grading judged it.
    pub(crate) kept: Option<u64>,
}

/// The work that the scheduler hands out.
pub(crate) trait Workload: Sync {
    /// Answer of a run.
    type Answer: Send + Sync;

    /// Makes a run.
    ///
    /// # Errors
    /// The answer cannot be kept.
    fn run(&self, key: &str) -> Result<Self::Answer>;

    /// Judges an item by its answers, one for each key. Returns their cost in warp instructions.
    ///
    /// # Errors
    /// The judgement cannot be kept.
    fn judge(&self, item: usize, answers: &[Arc<Self::Answer>]) -> Result<u64>;

    /// Refuses an item: the student's budget is used up.
    ///
    /// # Errors
    /// As [`Workload::judge`].
    fn refuse(&self, item: usize) -> Result<()>;

    /// Completes a student, all of whose items are judged.
    ///
    /// # Errors
    /// The report cannot be written.
    fn complete(&self, student: usize) -> Result<()>;
}

/// Outcome of a schedule.
#[derive(Debug, PartialEq)]
pub(crate) struct Done {
    /// Number of runs made.
    pub(crate) runs: usize,
    pub(crate) interrupted: bool,
}

/// A student's queue of items.
struct Turn {
    tasks: Vec<Task>,
    next: usize,
    spent: u64,
    /// Whether a worker is busy with it.
    is_taken: bool,
    is_complete: bool,
}

enum State<A> {
    Running,
    Answered(Arc<A>),
}

struct Board<A> {
    turns: Vec<Turn>,
    answers: BTreeMap<Key, State<A>>,
    /// Number of tasks that still need each answer.
    needed: BTreeMap<Key, usize>,
    runs: usize,
    failed: Option<anyhow::Error>,
}

enum Job<A> {
    Run(Key),
    Judge(usize, Task, Vec<Arc<A>>),
    Skip(usize, u64),
    Refuse(usize, usize),
    Complete(usize),
    Wait,
    Nothing,
}

/// Does all of the work with `jobs` workers. `turns` holds the tasks of each student.
///
/// # Errors
/// The first error of the work, once everything in progress has ended.
pub(crate) fn all(
    turns: Vec<Vec<Task>>,
    budget: u64,
    jobs: usize,
    interrupted: &AtomicBool,
    work: &impl Workload,
) -> Result<Done> {
    let mut needed = BTreeMap::new();
    for task in turns.iter().flatten().filter(|task| task.kept.is_none()) {
        let keys: BTreeSet<&Key> = task.keys.iter().collect();
        keys.into_iter().for_each(|key| *needed.entry(key.clone()).or_default() += 1);
    }
    let turn = |tasks| Turn { tasks, next: 0, spent: 0, is_taken: false, is_complete: false };
    let turns = turns.into_iter().map(turn).collect();
    let board = Board { turns, answers: BTreeMap::new(), needed, runs: 0, failed: None };
    let (board, changed) = (Mutex::new(board), Condvar::new());
    std::thread::scope(|scope| {
        for _ in 0..jobs.max(1) {
            scope.spawn(|| worker(&board, &changed, budget, interrupted, work));
        }
    });
    let board = board.into_inner().unwrap_or_else(PoisonError::into_inner);
    match board.failed {
        Some(error) => Err(error),
        None => Ok(Done { runs: board.runs, interrupted: interrupted.load(Ordering::Relaxed) }),
    }
}

/// Locks the board. No holder of the lock panics, and the board would still be consistent.
fn lock<A>(board: &Mutex<Board<A>>) -> MutexGuard<'_, Board<A>> {
    board.lock().unwrap_or_else(PoisonError::into_inner)
}

fn worker<W: Workload>(
    board: &Mutex<Board<W::Answer>>,
    changed: &Condvar,
    budget: u64,
    interrupted: &AtomicBool,
    work: &W,
) {
    loop {
        let mut held = lock(board);
        if held.failed.is_some() || interrupted.load(Ordering::Relaxed) {
            changed.notify_all();
            return;
        }
        let job = held.take(budget);
        if let Job::Wait = job {
            // Woken when a job ends, or to check for an interrupt.
            drop(changed.wait_timeout(held, LOOK));
            continue;
        }
        drop(held);
        let done = match job {
            Job::Nothing => {
                changed.notify_all();
                return;
            }
            Job::Wait => Ok(()),
            Job::Run(key) => work.run(&key).map(|answer| {
                let mut held = lock(board);
                held.runs += 1;
                held.answers.insert(key, State::Answered(Arc::new(answer)));
            }),
            Job::Judge(student, task, answers) => {
                // After an interrupt, missing answers are those that it cut short.
                if interrupted.load(Ordering::Relaxed) {
                    Ok(())
                } else {
                    work.judge(task.item, &answers).map(|cost| lock(board).judged(student, cost, &task.keys))
                }
            }
            Job::Skip(student, cost) => {
                lock(board).judged(student, cost, &[]);
                Ok(())
            }
            Job::Refuse(student, item) => work.refuse(item).map(|()| lock(board).refused(student)),
            Job::Complete(student) => work.complete(student),
        };
        if let Err(error) = done {
            lock(board).failed.get_or_insert(error);
        }
        changed.notify_all();
    }
}

impl<A> Board<A> {
    /// Next job, for the student who has had the fewest jobs.
    fn take(&mut self, budget: u64) -> Job<A> {
        let mut order: Vec<usize> = (0..self.turns.len()).collect();
        order.retain(|at| !self.turns[*at].is_taken && !self.turns[*at].is_complete);
        order.sort_by_key(|at| self.turns[*at].next);
        for at in order {
            let turn = &mut self.turns[at];
            let Some(task) = turn.tasks.get(turn.next) else {
                turn.is_complete = true;
                return Job::Complete(at);
            };
            if let Some(cost) = task.kept {
                turn.is_taken = true;
                return Job::Skip(at, cost);
            }
            if turn.spent >= budget && !task.keys.is_empty() {
                turn.is_taken = true;
                return Job::Refuse(at, task.item);
            }
            let task = task.clone();
            let mut missing =
                task.keys.iter().filter(|key| !matches!(self.answers.get(*key), Some(State::Answered(_))));
            match missing.clone().next() {
                None => {
                    self.turns[at].is_taken = true;
                    let answer = |key| match self.answers.get(key) {
                        Some(State::Answered(answer)) => Some(Arc::clone(answer)),
                        _ => None,
                    };
                    let answers = task.keys.iter().filter_map(answer).collect();
                    return Job::Judge(at, task, answers);
                }
                Some(_) => {
                    if let Some(key) = missing.find(|key| !self.answers.contains_key(*key)) {
                        self.answers.insert(key.clone(), State::Running);
                        return Job::Run(key.clone());
                    }
                }
            }
        }
        let is_busy = |turn: &Turn| !turn.is_complete;
        if self.turns.iter().any(is_busy) { Job::Wait } else { Job::Nothing }
    }

    fn judged(&mut self, student: usize, cost: u64, keys: &[Key]) {
        let turn = &mut self.turns[student];
        turn.spent = turn.spent.saturating_add(cost);
        self.next(student, keys);
    }

    fn refused(&mut self, student: usize) {
        let turn = &self.turns[student];
        let keys = turn.tasks.get(turn.next).map(|task| task.keys.clone()).unwrap_or_default();
        self.next(student, &keys);
    }

    /// Ends the student's job, and drops the answers that no task needs any more.
    fn next(&mut self, student: usize, keys: &[Key]) {
        let turn = &mut self.turns[student];
        turn.next += 1;
        turn.is_taken = false;
        for key in keys.iter().collect::<BTreeSet<_>>() {
            if let Some(needed) = self.needed.get_mut(key) {
                *needed -= 1;
                if *needed == 0 && matches!(self.answers.get(key), Some(State::Answered(_))) {
                    self.answers.remove(key);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    /// Notes what is done; a re-run costs what its key says.
    #[derive(Default)]
    struct Noted {
        lines: Mutex<Vec<String>>,
        fails_at: Option<usize>,
    }

    impl Noted {
        fn note(&self, line: String) {
            lock_lines(self).push(line);
        }

        fn sorted(&self, start: &str) -> Vec<String> {
            let mut lines: Vec<String> =
                lock_lines(self).iter().filter(|line| line.starts_with(start)).cloned().collect();
            lines.sort();
            lines
        }
    }

    fn lock_lines(noted: &Noted) -> MutexGuard<'_, Vec<String>> {
        noted.lines.lock().unwrap()
    }

    impl Workload for Noted {
        /// Cost of the run.
        type Answer = u64;

        fn run(&self, key: &str) -> Result<u64> {
            self.note(format!("run {key}"));
            std::thread::sleep(std::time::Duration::from_millis(1));
            Ok(key.trim_start_matches(char::is_alphabetic).parse()?)
        }

        fn judge(&self, item: usize, costs: &[Arc<u64>]) -> Result<u64> {
            anyhow::ensure!(self.fails_at != Some(item), "no space");
            self.note(format!("judge {item}"));
            Ok(costs.iter().map(|cost| **cost).sum())
        }

        fn refuse(&self, item: usize) -> Result<()> {
            self.note(format!("refuse {item}"));
            Ok(())
        }

        fn complete(&self, student: usize) -> Result<()> {
            self.note(format!("complete {student}"));
            Ok(())
        }
    }

    /// A student for each line: items between blanks, their runs between commas.
    fn turns(text: &str) -> Vec<Vec<Task>> {
        let mut item = 0;
        let task = |keys: &str| {
            item += 1;
            let keys = keys.split(',').filter(|key| *key != "-").map(str::to_owned).collect();
            Task { item: item - 1, keys, kept: None }
        };
        let mut task = task;
        text.lines().map(|line| line.split_whitespace().map(&mut task).collect()).collect()
    }

    fn done(turns: Vec<Vec<Task>>, budget: u64, jobs: usize) -> (Noted, Done) {
        let noted = Noted::default();
        let done = all(turns, budget, jobs, &AtomicBool::new(false), &noted).unwrap();
        (noted, done)
    }

    #[test]
    fn every_run_is_made_once_and_every_item_judged_once() {
        for jobs in [1, 2, 8] {
            let (noted, done) = done(turns("a1,b1 c1\na1,b1 a1\n\na1 -"), 100, jobs);
            assert_eq!(done, Done { runs: 3, interrupted: false });
            assert_eq!(noted.sorted("run"), ["run a1", "run b1", "run c1"]);
            assert_eq!(noted.sorted("judge").len(), 6);
            assert_eq!(noted.sorted("complete").len(), 4);
        }
    }

    #[test]
    fn students_alternate() {
        let (noted, _) = done(turns("a1 b1 c1 d1\ne1"), 100, 1);
        let runs: Vec<String> = lock_lines(&noted).iter().filter(|l| l.starts_with("run")).cloned().collect();
        assert_eq!(runs, ["run a1", "run e1", "run b1", "run c1", "run d1"]);
    }

    #[test]
    fn who_has_used_up_the_budget_is_refused_the_same_with_any_number_of_jobs() {
        for jobs in [1, 2, 8] {
            let (noted, _) = done(turns("a6 b6 c6 -\nd1 a6 e1"), 10, jobs);
            assert_eq!(noted.sorted("refuse"), ["refuse 2"], "{jobs}");
            assert_eq!(noted.sorted("judge").len(), 6, "{jobs}: what needs no re-run costs nothing");
        }
    }

    #[test]
    fn what_was_judged_before_costs_what_it_cost_and_is_not_run_again() {
        let mut turns = turns("a6 b6 c6");
        turns[0][0].kept = Some(6);
        turns[0][1].kept = Some(6);
        let (noted, done) = done(turns, 10, 2);
        assert_eq!((done.runs, noted.sorted("refuse")), (0, vec!["refuse 2".to_owned()]));
    }

    #[test]
    fn a_judgement_that_cannot_be_kept_ends_it_all() {
        let noted = Noted { fails_at: Some(1), ..Noted::default() };
        let error = all(turns("a1 b1 c1"), 10, 2, &AtomicBool::new(false), &noted).unwrap_err();
        assert_eq!(error.to_string(), "no space");
        assert_eq!(noted.sorted("complete"), Vec::<String>::new());
    }

    #[test]
    fn an_interrupt_ends_it_and_nothing_is_judged_by_what_it_ended() {
        let noted = Noted::default();
        let done = all(turns("a1 b1\nc1"), 10, 2, &AtomicBool::new(true), &noted).unwrap();
        assert!(done.interrupted && lock_lines(&noted).is_empty());
    }

    #[test]
    fn answers_are_forgotten_when_no_task_needs_them() {
        let mut board = Board {
            turns: turns("a1\na1")
                .into_iter()
                .map(|tasks| Turn { tasks, next: 0, spent: 0, is_taken: false, is_complete: false })
                .collect(),
            answers: BTreeMap::new(),
            needed: BTreeMap::from([("a1".to_owned(), 2)]),
            runs: 0,
            failed: None,
        };
        board.answers.insert("a1".to_owned(), State::Answered(Arc::new(1)));
        board.judged(0, 0, &["a1".to_owned()]);
        assert_eq!(board.answers.len(), 1);
        board.judged(1, 0, &["a1".to_owned()]);
        assert!(board.answers.is_empty());
    }
}
