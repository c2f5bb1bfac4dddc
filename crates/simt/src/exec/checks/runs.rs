//! Runs of loads from shared memory that nothing else comes between.
//!
//! Whether what they read has been written, and is ordered, is looked at before a run, for all of it. Who read what
//! matters only if there is a write before the next barrier of all threads, which the loops of tiled products do not: so
//! runs are kept as they are, and marks are made of them when a write asks for marks.

use super::super::memory::halves::Halves;
use super::Checks;
use super::marks::Now;

/// More runs than that are marked at once.
const KEPT: usize = 1024;
/// Words that are looked at for each group of a run, at the most.
const WORDS: usize = 64;

/// Loads of a run's first groups, which have been found to be right.
pub(super) struct Run {
    now: Now,
    /// A place in [`crate::ir::Kernel::fused`], and how many from there on.
    at: usize,
    groups: usize,
    ways: [Halves; 2],
}

impl Checks<'_> {
    /// Whether all that `groups` loads with these offsets may read has been written before the last barrier of all
    /// threads.
    #[inline(always)]
    pub(in crate::exec) fn settled(&self, way: &Halves, offsets: [i32; 2], groups: u32) -> bool {
        let (began, interval) = self.interval();
        if self.shared.shift() != 2 {
            return false;
        }
        let [first, second] = way.words(offsets);
        let mut wrong = false;
        let mut look = |words: std::ops::Range<usize>| match self.shared.written().get(words) {
            Some(marks) if marks.len() <= WORDS * groups as usize => {
                for mark in marks {
                    wrong |= mark.wrapping_sub(began) >= interval - began;
                }
            }
            _ => wrong = true,
        };
        let same = first == second;
        look(first);
        if !same {
            look(second);
        }
        !wrong
    }

    /// The first groups of a run have been done.
    #[inline(always)]
    pub(in crate::exec) fn note_run(&mut self, warp: usize, at: usize, groups: usize, ways: [Halves; 2]) {
        let now = self.now(warp, 0, 0);
        self.runs.push(Run { now, at, groups, ways });
        if self.runs.len() >= KEPT {
            self.mark_runs();
        }
    }

    /// A write: what was read until now has to be known.
    #[inline(always)]
    pub(super) fn mark_runs(&mut self) {
        if !self.runs.is_empty() {
            self.mark_kept_runs();
        }
    }

    #[cold]
    #[inline(never)]
    fn mark_kept_runs(&mut self) {
        for run in std::mem::take(&mut self.runs) {
            for fused in &self.kernel.fused[run.at..run.at + run.groups] {
                for (n, way) in run.ways.iter().enumerate() {
                    let now = run.now.of_access(fused.loads[n].number());
                    self.shared.mark_read(now, way.first(fused.offset[n]), &way.pieces());
                }
            }
        }
    }
}
