//! A worker: a thread that runs blocks, one after the other or in turns.
//!
//! Its state is in parts, each with the methods that need nothing else. What needs several parts and has one of them at its
//! centre is a method of that one, which takes the others; what moves a launch forward is the worker's own.
//!
//! The compiler makes one unit of code of all methods of a type, in whichever files they are, and inlines from one unit into
//! another only what has `#[inline]`: so have methods of a part that run often and are called from another part.

use super::count::Counts;
use super::current::CurrentBlock;
use super::launch::{Run, Tally};
use super::memory::sites::Sites;
use super::observers::Observers;
use super::schedule::Schedule;
use crate::lanes::ALL;

/// A thread that runs blocks.
pub(super) struct Worker<'a> {
    /// The block that runs.
    pub(super) current: CurrentBlock<'a>,
    /// The other blocks that it has begun, and whose turn it is.
    pub(super) schedule: Schedule<'a>,
    /// What is known of the addresses of each memory instruction.
    pub(super) sites: Sites,
    /// What is counted, and what else the launch leaves.
    pub(super) counts: Counts,
    /// What looks at the launch besides its counters.
    pub(super) observers: Observers,
}

impl<'a> Worker<'a> {
    #[inline(always)]
    pub(super) fn new(run: &'a Run<'a>) -> Self {
        let kernel = run.kernel;
        let mut worker = Worker {
            current: CurrentBlock::new(run),
            schedule: Schedule::default(),
            sites: Sites::new(kernel.accesses.len()),
            counts: Counts::new(run),
            observers: Observers::new(run),
        };
        for inst in &kernel.launch_code {
            worker.compute_out_of_line(inst, ALL);
            worker.observers.floats_mut().look_at_early(&mut worker.current, inst);
        }
        for n in 0..worker.current.block.warps.len() {
            worker.current.enter_warp(n);
            for inst in &kernel.thread_code {
                worker.compute_out_of_line(inst, ALL);
            }
        }
        worker.observers.find_unset(&mut worker.current);
        worker
    }

    /// Puts all threads of a block at the kernel's start.
    #[inline(always)]
    pub(super) fn begin(&mut self, cluster: u64, rank: u32) {
        self.current.begin(cluster, rank);
        for inst in &self.current.run.kernel.block_code {
            self.compute_out_of_line(inst, ALL);
        }
        self.observers.begin_block(&mut self.current);
        self.current.start_warps();
        self.observers.begin_warps(&mut self.current);
    }

    pub(super) fn done(mut self) -> Tally {
        self.observers.finish(&mut self.counts.tally);
        self.counts.finish()
    }
}
