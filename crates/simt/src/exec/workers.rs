//! Workers and the blocks that they are handed: one a core, each runs blocks one after the other.
//!
//! Blocks are handed out in rising order, a cluster's together. What a launch counts is a sum over blocks and does not
//! depend on who ran them, as long as blocks do not wait for each other; the fault that is reported is that of the lowest
//! block that has one.

use super::fault::RawFault;
use super::launch::{Run, Tally};
use super::observers::crossed;
use super::queue::{FirstFault, Queue};
use super::schedule::Turn;
use super::worker::Worker;
use simd::Work;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::AcqRel, Ordering::Relaxed};

/// A launch that a fault ends.
pub(crate) struct Failed {
    pub(crate) fault: Box<RawFault>,
    /// What was printed before it, by block.
    pub(crate) printed: Vec<(u64, String)>,
}

/// Runs all blocks.
pub(crate) fn run(run: &Run<'_>) -> Result<Tally, Failed> {
    let (blocks, warps_per_block) = (run.blocks(), run.warps_per_block());
    run.check_budgets().map_err(|fault| Failed { fault: fault.into(), printed: vec![] })?;
    let queue = Queue {
        next: AtomicU64::new(0),
        units: blocks / run.cluster_blocks(),
        first_fault: FirstFault::none(),
        spent: AtomicU64::new(0),
        resident: AtomicU64::new(0),
        workers: AtomicU64::new(0),
        idle: Mutex::default(),
        proven: Mutex::default(),
        all_proven: AtomicBool::new(false),
        deadlocked: AtomicBool::new(false),
        capacity: run.capacity(),
        warps_per_unit: warps_per_block.saturating_mul(run.cluster_blocks()),
    };
    let results = workers(run, &queue, blocks.saturating_mul(warps_per_block));
    let mut tally = Tally::default();
    let mut fault: Option<Box<RawFault>> = None;
    for result in results {
        match result {
            Ok(part) => {
                tally.counters.add(&part.counters);
                tally.sample.add(&part.sample);
                tally.printed.extend(part.printed);
                tally.left.extend(part.left);
                tally.notes.add(part.notes);
                tally.add_widened(part.widened);
                tally.found.add(part.found);
                tally.add_made(part.made);
                match (&mut tally.profile, part.profile) {
                    (Some(all), Some(part)) => all.add(&part),
                    (all, part) => *all = all.take().or(part),
                }
            }
            Err(Failed { fault: new, printed }) => {
                tally.printed.extend(printed);
                if fault.as_ref().is_none_or(|old| new.block < old.block) {
                    fault = Some(new);
                }
            }
        }
    }
    tally.printed.sort_by_key(|(block, _)| *block);
    if let Some(fault) = fault {
        // Blocks before that of the fault have run to their end, on whichever worker.
        tally.printed.retain(|(block, _)| *block <= fault.block);
        return Err(Failed { fault, printed: tally.printed });
    }
    if let Err(fault) = crossed::look(run, run.options.keep_going.then_some(&mut tally.found)) {
        return Err(Failed { fault: fault.into(), printed: tally.printed });
    }
    tally.left.sort_by_key(|left| left.block);
    // The sampled blocks represent all.
    let Tally { counters, sample, .. } = &mut tally;
    let scale = |misses: u64| {
        let requests = u128::from(sample.constant_requests.max(1));
        (u128::from(misses) * u128::from(counters.idc_requests) / requests) as u64
    };
    let (l1, l2) = (scale(sample.constant_l1_misses), scale(sample.constant_l2_misses));
    counters.modelled_constant_l1_misses = l1;
    counters.modelled_constant_l2_misses = l2;
    Ok(tally)
}

#[cfg(feature = "parallel")]
fn workers(run: &Run<'_>, queue: &Queue, warps: u64) -> Vec<Result<Tally, Failed>> {
    // A few warps are done before a second thread is awake. Blocks that wait for each other look how far the others are,
    // and how often depends on who runs when: one worker makes that the same in every run.
    let alone = warps < 64 || run.options.deterministic || run.cooperative;
    let threads = if alone { 1 } else { rayon::current_num_threads() };
    if threads == 1 {
        return vec![work(run, queue)];
    }
    let mut results: Vec<_> = (0..threads).map(|_| Ok(Tally::default())).collect();
    rayon::scope(|scope| {
        for result in &mut results {
            scope.spawn(|_| *result = work(run, queue));
        }
    });
    results
}

#[cfg(not(feature = "parallel"))]
fn workers(run: &Run<'_>, queue: &Queue, _warps: u64) -> Vec<Result<Tally, Failed>> {
    vec![work(run, queue)]
}

/// One worker: the whole interpreter is compiled for each set of vector instructions. Where a machine has none of them, the
/// interpreter has no copy of the instruction table in it: that would be most of what there is to compile, for machines of
/// before 2013. So it is in a page, where every byte is loaded first.
fn work(run: &Run<'_>, queue: &Queue) -> Result<Tally, Failed> {
    if cfg!(target_family = "wasm") {
        return work_with::<false>(run, queue);
    }
    simd::call_if_it_pays(Blocks { run, queue }).unwrap_or_else(|| work_with::<false>(run, queue))
}

/// The blocks that a worker runs, with a copy of the instruction table.
struct Blocks<'w, 'r> {
    run: &'w Run<'r>,
    queue: &'w Queue,
}

impl Work for Blocks<'_, '_> {
    type Output = Result<Tally, Failed>;

    #[inline(always)]
    fn call(self) -> Self::Output {
        work_with::<true>(self.run, self.queue)
    }
}

/// Runs blocks until none is left; `INLINE` says whether the interpreter's loops have a copy of the instruction table.
#[inline(always)]
fn work_with<const INLINE: bool>(run: &Run<'_>, queue: &Queue) -> Result<Tally, Failed> {
    let mut worker = Worker::new(run);
    queue.workers.fetch_add(1, Relaxed);
    // No closure: it would be compiled without this function's vector instructions.
    let result = loop {
        let turn = match worker.next(queue) {
            Ok(true) => worker.rounds::<INLINE>(),
            Ok(false) => break Ok(()),
            Err(fault) => Err(fault),
        };
        let turn = match turn {
            Ok(turn) => turn,
            Err(fault) => match worker.current.block_faults(fault) {
                Ok(()) => Turn::Ended,
                Err(fault) => break Err(fault),
            },
        };
        if let Err(fault) = worker.after(turn, queue) {
            break worker.current.launch_faults(&mut worker.schedule, &mut worker.counts, fault);
        }
    };
    let result = if run.stepping.is_some() && worker.observers.end_steps(&mut worker.current, &worker.counts)
    {
        Ok(())
    } else {
        result
    };
    if let Err(fault) = &result {
        queue.first_fault.note(fault.block);
    }
    queue.workers.fetch_sub(1, AcqRel);
    match result {
        Ok(()) => Ok(worker.done()),
        Err(fault) => Err(Failed { fault: fault.into(), printed: worker.done().printed }),
    }
}
