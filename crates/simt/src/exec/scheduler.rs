//! Which blocks a worker has begun, and which of them runs.
//!
//! A worker takes a block (or a cluster's blocks, together), runs it to its end and takes the next one: so it is with nearly
//! every launch, and nothing here is more than a few comparisons then. Only where a block does nothing but wait, for its
//! cluster or for what other blocks write, others run in turns with it, and more are begun, as many as the modelled chip
//! would hold at a time. The state of the block that runs is in [`super::current`]; that of the others is parked.
//!
//! Waiting is seen, not declared: all warps of a block look at memory and do nothing else, round after round. A block that
//! goes on for very long is taken to wait too, for who knows what its loop waits for; the others then get as much time as it
//! does, so that a loop without end meets its budget soon, and at the same place however many blocks there are.
//!
//! Waiting takes nothing from a block's budget, since how long it takes depends on who runs when. Where all blocks wait,
//! nothing will ever change: after as many looks as a block may have instructions, that is a loop without end too.

use super::block::BlockState;
use super::current::CurrentBlock;
use super::fault::RawFault;
use super::launch::Run;
use super::observers::Observers;
use super::observers::of_block::BlockObservers;
use super::queue::Queue;
use super::registers::RegisterFile;
use super::schedule::Schedule;
use super::schedule::{Resident, Turn, Watch};
use super::warp::Warp;
use super::worker::Worker;
use crate::WARP;
use crate::error::FaultKind;
use std::sync::PoisonError;
use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed};

/// Warp instructions that a worker spends between two looks at whether the launch has to end.
const UNWATCHED: u64 = 1 << 16;

/// Rounds of nothing but looks after which a block's turn is over, and warp instructions of such rounds where other workers
/// may be about to write what it waits for.
const IDLE_ROUNDS: u32 = 2;

const IDLE: u64 = 1 << 14;

/// Warp instructions of nothing but looks after which blocks are looked at for a proof that they wait for ever.
const PROVING: u64 = 1 << 16;

/// Warp instructions of a turn, and turns of this length after which a block counts as waiting.
const SLICE: u64 = 1 << 20;

const SLICES: u64 = 16;

/// After all blocks of a worker have waited for a turn.
enum After {
    /// One goes on: its place.
    Goes(usize),
    /// All of them have ended.
    Nobody,
    /// The worker has nothing more to do.
    End,
}

impl<'a> Schedule<'a> {
    /// A round has left warps that can go on: whether others should, before they do.
    #[inline(always)]
    pub(super) fn turn_over(
        &mut self,
        current: &mut CurrentBlock<'a>,
        observers: &mut Observers,
        watch: &mut Watch,
        spinning: bool,
    ) -> Result<Option<Turn>, RawFault> {
        let used = current.used();
        if !spinning {
            watch.progress();
            watch.round = used;
        }
        if used >= current.block.observers.next_window
            && let Some(turn) = observers.window_round(current, self, watch)?
        {
            return Ok(turn);
        }
        if !spinning {
            let turn = if used < SLICES * SLICE { Turn::Works } else { Turn::Lasts };
            return Ok((used - watch.began > SLICE).then_some(turn));
        }
        Ok(self.idle_round(current, watch))
    }

    #[cold]
    #[inline(never)]
    fn idle_round(&mut self, current: &mut CurrentBlock<'a>, watch: &mut Watch) -> Option<Turn> {
        let used = current.used();
        if watch.idle_rounds == 0 {
            watch.idle_since = watch.round;
        }
        watch.round = used;
        watch.idle_rounds += 1;
        let soon = self.residents.len() > 1 || current.run.cooperative;
        let enough = if soon { 0 } else { IDLE };
        if watch.idle_rounds <= IDLE_ROUNDS || used - watch.idle_since < enough {
            return None;
        }
        if self.slept_after_work {
            return Some(Turn::Looks { worked: true });
        }
        let looks = used - watch.idle_since;
        current.give_back(looks);
        self.wait.looks += looks;
        self.unwatched += looks;
        Some(Turn::Looks { worked: watch.progress })
    }

    /// The lowest block that lasts.
    fn first_that_lasts(&self, run: &Run<'a>) -> Option<usize> {
        if self.wait.lasting == 0 {
            return None;
        }
        let lasting = self.residents.iter().enumerate().filter(|(_, r)| r.lasts && !r.ended);
        lasting.min_by_key(|(_, r)| run.number_of(r.cluster, r.rank).0).map(|(n, _)| n)
    }

    /// All blocks have had a turn, and none can be begun: whether all that there are have been proven to wait for each
    /// other, and for nothing else.
    ///
    /// Proofs hold for memory as it is while they are made, so they count as long as no block does anything else:
    /// here, for the turns since `epoch` began; and in the launch, as long as its blocks spend nothing.
    fn all_wait_forever(&mut self, current: &mut CurrentBlock<'a>, queue: &Queue) -> bool {
        let now = queue.spent.load(Acquire);
        let wait = &mut self.wait;
        if wait.other || now != wait.proof_at {
            wait.proof_at = now;
            wait.epoch += 1;
            (wait.proof_told, wait.proving) = (false, false);
            wait.next_proof = PROVING;
            return false;
        }
        let epoch = wait.epoch;
        let running = self.running;
        let waits = |(n, r): (usize, &Resident<'_>)| {
            let state = if n == running { &current.block } else { &r.state };
            r.ended || r.blocked || state.observers.waits_forever.as_ref().is_some_and(|(at, _)| *at == epoch)
        };
        if !self.residents.iter().enumerate().all(waits) {
            return false;
        }
        let mut proven = queue.proven.lock().unwrap_or_else(PoisonError::into_inner);
        if proven.0 != now {
            *proven = (now, 0);
        }
        proven.1 += u64::from(!std::mem::replace(&mut self.wait.proof_told, true));
        // A worker that ends has added before what its blocks have spent.
        let workers = queue.workers.load(Acquire);
        let all = proven.1 >= workers && queue.spent.load(Acquire) == now;
        if all {
            queue.all_proven.store(true, Relaxed);
            queue.deadlocked.store(true, Relaxed);
        }
        all
    }

    /// All blocks have had a turn, and none can be begun: whether for long all that there are have done nothing but look.
    fn nothing_changes(&mut self, current: &mut CurrentBlock<'a>, queue: &Queue) -> bool {
        let spent = queue.spent.load(Relaxed);
        let wait = &mut self.wait;
        let (looks, other) = (std::mem::take(&mut wait.looks), std::mem::take(&mut wait.other));
        if other || spent != wait.spent {
            (wait.spent, wait.idle, wait.told) = (spent, 0, false);
            return false;
        }
        wait.idle += looks;
        // Long enough to look whether a proof can be found; without one, the budget counts.
        let no_proof = std::mem::replace(&mut wait.proving, wait.idle >= wait.next_proof);
        if wait.proving {
            wait.next_proof = 2 * wait.idle;
        }
        if wait.idle <= current.budget || !no_proof {
            return false;
        }
        let mut idle = queue.idle.lock().unwrap_or_else(PoisonError::into_inner);
        if idle.0 != spent {
            *idle = (spent, 0);
        }
        idle.1 += u64::from(!wait.told);
        wait.told = true;
        let all = idle.1 >= queue.workers.load(Relaxed);
        if all {
            queue.deadlocked.store(true, Relaxed);
        }
        all
    }

    /// The lowest block that looks, as an endless loop.
    #[cold]
    fn deadlock(&mut self, current: &mut CurrentBlock<'a>, queue: &Queue) -> RawFault {
        let number = |r: &Resident<'_>| current.run.number_of(r.cluster, r.rank).0;
        let looks = self.residents.iter().enumerate().filter(|(_, r)| !r.ended && !r.blocked);
        if let Some((n, _)) = looks.min_by_key(|(_, r)| number(r)) {
            self.switch_to(current, n);
        }
        if queue.all_proven.load(Relaxed)
            && let Some((_, fault)) = current.block.observers.waits_forever.take()
        {
            return *fault;
        }
        let mut message = format!(
            "in {} warp instructions, all that is left of the launch has looked at memory and not changed it, and there is \
             no proof that this never ends",
            current.budget
        );
        if let Some(mbarrier) = current.awaited_mbarrier() {
            message = format!("{message}; they look at {mbarrier}");
        }
        RawFault { message: Some(message), ..current.whereabouts(FaultKind::InfiniteLoop) }
    }

    /// Whether more blocks may be there together: on the chip, and in this machine's memory.
    fn room(&self, run: &Run<'a>, queue: &Queue, blocks: u64) -> bool {
        let bytes = run.stack_bytes() + u64::from(run.shared_bytes);
        let all = (self.residents.len() as u64 + blocks).saturating_mul(bytes);
        queue.resident.load(Relaxed) + blocks <= queue.capacity && all <= run.options.stack_bytes
    }

    /// Adds to the queue how many blocks this worker has.
    fn count(&mut self, queue: &Queue, blocks: u64) {
        if self.counted != blocks {
            // Wraps around where there are fewer than before.
            queue.resident.fetch_add(blocks.wrapping_sub(self.counted), Relaxed);
            self.counted = blocks;
        }
    }

    /// Parks the block that runs and lets another one run.
    #[inline]
    pub(super) fn switch_to(&mut self, current: &mut CurrentBlock<'a>, n: usize) {
        if n != self.running {
            std::mem::swap(&mut current.block, &mut self.residents[self.running].state);
            std::mem::swap(&mut current.block, &mut self.residents[n].state);
            self.running = n;
        }
    }

    /// Notes for whom a turn was.
    fn share(&mut self, run: &Run<'a>, turn: Turn, spent: u64) {
        self.wait.other |= matches!(turn, Turn::Works | Turn::Lasts | Turn::Looks { worked: true });
        let here = &mut self.residents[self.running];
        let lasts = turn == Turn::Lasts || here.lasts && turn != Turn::Ended;
        self.wait.lasting = self.wait.lasting + usize::from(lasts) - usize::from(here.lasts);
        here.lasts = lasts;
        let first = self.first_that_lasts(run);
        let wait = &mut self.wait;
        wait.behind = match (first, turn) {
            (Some(first), Turn::Works | Turn::Lasts) if first == self.running => {
                wait.behind.saturating_sub(spent)
            }
            // It waits indeed.
            (Some(first), _) if first == self.running => 0,
            (Some(_), _) => wait.behind + spent,
            (None, _) => 0,
        };
    }

    /// Ends the launch if that is asked for.
    #[cold]
    fn watch_time(&mut self, current: &mut CurrentBlock<'a>) -> Result<(), RawFault> {
        self.unwatched = 0;
        match current.run.interrupt {
            Some(interrupt) if (interrupt.is_due)() => {
                let message = Some(interrupt.message.clone());
                Err(RawFault { message, ..current.whereabouts(FaultKind::TimeLimit) })
            }
            _ => Ok(()),
        }
    }

    /// Gives up the blocks of a cluster that has ended.
    fn give_up(&mut self, current: &mut CurrentBlock<'a>, queue: &Queue) {
        let cluster = current.block.cluster;
        if self.residents.iter().any(|r| r.cluster == cluster && !r.ended) {
            return;
        }
        self.wait.resume = None;
        let Some(stays) = self.residents.iter().position(|r| r.cluster != cluster) else {
            // This block's state stays, the others' are kept for the next ones.
            let mut gone = std::mem::take(&mut self.residents);
            gone.remove(self.running);
            self.spare.extend(gone.into_iter().map(|resident| resident.state));
            self.running = 0;
            return;
        };
        // The turn passes to the block after this cluster, as if this block were still there.
        let after =
            self.running - self.residents[..self.running].iter().filter(|r| r.cluster == cluster).count();
        self.switch_to(current, stays);
        let running = self.residents[..stays].iter().filter(|r| r.cluster != cluster).count();
        let (gone, left): (Vec<_>, Vec<_>) =
            std::mem::take(&mut self.residents).into_iter().partition(|r| r.cluster == cluster);
        self.residents = left;
        self.count(queue, self.residents.len() as u64);
        self.running = running;
        self.spare.extend(gone.into_iter().map(|resident| resident.state));
        if let Some(before) = after.checked_sub(1) {
            self.switch_to(current, before);
        } else {
            // No block is before it: the last one, after which the first comes.
            self.progress = true;
            self.switch_to(current, self.residents.len() - 1);
        }
    }
}

impl Worker<'_> {
    /// Chooses what runs next; says whether there is something.
    #[inline(always)]
    pub(super) fn next(&mut self, queue: &Queue) -> Result<bool, RawFault> {
        // The usual case: a block of its own, after one that has ended.
        if self.schedule.residents.is_empty()
            && !self.schedule.units.is_empty()
            && self.schedule.counted == 1
            && !self.current.run.is_cluster
            && queue.first_fault.get().is_none()
        {
            let block = self.schedule.units.start;
            self.schedule.units.start += 1;
            self.begin(block, 0);
            return Ok(true);
        }
        self.choose(queue)
    }

    #[inline(never)]
    fn choose(&mut self, queue: &Queue) -> Result<bool, RawFault> {
        if self.schedule.residents.is_empty() {
            let more = self.start(queue);
            if !more {
                self.schedule.count(queue, 0);
            }
            return Ok(more);
        }
        let mut n = self.schedule.wait.resume.take().unwrap_or(self.schedule.running + 1);
        if self.schedule.wait.behind > SLICE
            && let Some(first) = self.schedule.first_that_lasts(self.current.run)
        {
            self.schedule.wait.resume = Some(n);
            self.schedule.switch_to(&mut self.current, first);
            return Ok(true);
        }
        loop {
            if n >= self.schedule.residents.len() {
                n = if self.schedule.progress {
                    0
                } else {
                    match self.waited(queue)? {
                        After::Goes(n) => n,
                        After::Nobody => return self.choose(queue),
                        After::End => return Ok(false),
                    }
                };
                self.schedule.progress = false;
            }
            if !self.schedule.residents[n].ended {
                self.schedule.switch_to(&mut self.current, n);
                return Ok(true);
            }
            n += 1;
        }
    }

    /// All blocks have had a turn, and all of them wait: more are begun, if there is room. Says with which to go on.
    fn waited(&mut self, queue: &Queue) -> Result<After, RawFault> {
        if let Some(first_fault) = queue.first_fault.get() {
            // What they wait for may never come. A block that only lasts may have a fault of its own, and a lower one.
            let number = |n: usize| {
                self.current
                    .run
                    .number_of(self.schedule.residents[n].cluster, self.schedule.residents[n].rank)
                    .0
            };
            let lasting =
                self.schedule.first_that_lasts(self.current.run).filter(|n| number(*n) < first_fault);
            if lasting.is_none() && queue.deadlocked.load(Relaxed) {
                return Err(self.schedule.deadlock(&mut self.current, queue));
            }
            return Ok(lasting.map_or(After::End, After::Goes));
        }
        let size = self.current.run.cluster_blocks();
        let before = self.schedule.residents.len();
        // As many as there are, so that the last of many does not wait for the looks of all before it.
        while self.schedule.residents.len() < 2 * before
            && self.schedule.room(self.current.run, queue, size)
            && self.start(queue)
        {}
        if self.schedule.residents.len() > before {
            return Ok(After::Goes(before));
        }
        if self.schedule.all_wait_forever(&mut self.current, queue)
            || self.schedule.nothing_changes(&mut self.current, queue)
        {
            self.all_wait(queue)?;
            return Ok(After::Nobody);
        }
        if queue.workers.load(Relaxed) > 1 {
            std::thread::yield_now();
        }
        Ok(After::Goes(0))
    }

    /// Begins the next unit; says whether there was one.
    fn start(&mut self, queue: &Queue) -> bool {
        if self.schedule.units.is_empty() {
            match queue.take() {
                Some(units) => self.schedule.units = units,
                None => return false,
            }
        }
        let cluster = self.schedule.units.start;
        let number = self.current.run.number_of(cluster, 0).0;
        if queue.first_fault.get().is_some_and(|first_fault| number > first_fault) {
            return false;
        }
        self.schedule.units.start += 1;
        let size = self.current.run.cluster_blocks();
        self.schedule.count(queue, self.schedule.residents.len() as u64 + size);
        if size == 1 && self.schedule.residents.is_empty() {
            self.begin(cluster, 0);
            return true;
        }
        for rank in 0..size as u32 {
            if self.schedule.residents.is_empty() {
                self.schedule.running = 0;
                self.schedule.residents.push(Resident::default());
            } else {
                let fresh = self.schedule.spare.pop().unwrap_or_else(|| self.current.fresh());
                self.schedule.residents.push(Resident { state: fresh, ..Resident::default() });
                self.schedule.switch_to(&mut self.current, self.schedule.residents.len() - 1);
            }
            self.begin(cluster, rank);
            // So that others find it.
            let here = &mut self.schedule.residents[self.schedule.running];
            (here.cluster, here.rank) = (cluster, rank);
        }
        true
    }

    /// A block's turn is over.
    #[inline(always)]
    pub(super) fn after(&mut self, turn: Turn, queue: &Queue) -> Result<(), RawFault> {
        self.observers.end_turn(&mut self.current, &mut self.counts, turn)?;
        let spent = self.current.used() - self.current.block.accounted;
        self.current.block.accounted += spent;
        self.schedule.unwatched += spent;
        if self.schedule.unwatched > UNWATCHED {
            self.schedule.watch_time(&mut self.current)?;
        }
        // A worker that sees that this much was spent sees what it was spent on.
        if queue.spent.fetch_add(spent, AcqRel).saturating_add(spent) > self.current.run.options.launch_budget
        {
            return Err(self.current.run.over_budget());
        }
        if turn == Turn::Ended
            && self.schedule.residents.is_empty()
            && !self.current.block.observers.is_sampled()
        {
            return Ok(());
        }
        self.parked(turn, spent, queue)
    }

    #[inline(never)]
    fn parked(&mut self, turn: Turn, spent: u64, queue: &Queue) -> Result<(), RawFault> {
        if turn == Turn::Ended && self.current.block.observers.is_sampled() {
            self.observers.end_block(&mut self.current);
        }
        if self.schedule.residents.is_empty() {
            if turn == Turn::Ended {
                return Ok(());
            }
            self.schedule.running = 0;
            self.schedule.progress = false;
            self.schedule.residents.push(Resident {
                cluster: self.current.block.cluster,
                rank: self.current.block.rank,
                ..Resident::default()
            });
        }
        self.schedule.share(self.current.run, turn, spent);
        let here = &mut self.schedule.residents[self.schedule.running];
        (here.ended, here.blocked) = (turn == Turn::Ended, turn == Turn::Blocked);
        self.schedule.progress |= matches!(turn, Turn::Ended | Turn::Works | Turn::Looks { worked: true });
        if !matches!(turn, Turn::Ended | Turn::Blocked) {
            return Ok(());
        }
        self.settle(turn == Turn::Ended, queue)
    }

    /// The block that runs has ended, or waits for its cluster: others of that may go on, or give up their places.
    fn settle(&mut self, ended: bool, queue: &Queue) -> Result<(), RawFault> {
        let mut ended = ended;
        while let Err(fault) = self.schedule.meet_cluster(&mut self.current, &mut self.counts) {
            self.current.block_faults(fault)?;
            self.has_ended();
            ended = true;
        }
        if ended {
            self.schedule.give_up(&mut self.current, queue);
        }
        Ok(())
    }

    /// The block that runs has ended with a fault.
    fn has_ended(&mut self) {
        self.observers.end_block(&mut self.current);
        self.current.end_found(&mut self.counts);
        let here = &mut self.schedule.residents[self.schedule.running];
        (here.ended, here.blocked) = (true, false);
    }

    /// All blocks wait for ever: an error if the launch ends with that. Otherwise all of them have ended.
    fn all_wait(&mut self, queue: &Queue) -> Result<(), RawFault> {
        loop {
            let fault = self.schedule.deadlock(&mut self.current, queue);
            self.current.block_faults(fault)?;
            self.has_ended();
            self.settle(true, queue)?;
            if !self.schedule.residents.iter().any(|r| !r.ended && !r.blocked) {
                return Ok(());
            }
        }
    }
}

impl<'a> CurrentBlock<'a> {
    /// State for one more block: what is fixed in a launch, and what each thread knows of itself, as this block has it.
    fn fresh(&self) -> BlockState<'a> {
        let (kernel, warps) = (self.run.kernel, self.block.warps.len());
        let (w, x, p) = kernel.registers_of(warps);
        BlockState {
            registers: RegisterFile {
                w: self.block.registers.w[..w].to_vec(),
                x: self.block.registers.x[..x].to_vec(),
                p: self.block.registers.p[..p].to_vec(),
                ..RegisterFile::default()
            },
            shared: vec![0; self.block.shared.len()],
            warps: (0..warps).map(|_| Warp::default()).collect(),
            observers: BlockObservers::new(self.run),
            ..BlockState::default()
        }
    }

    /// A fault of the block that runs, where its first thread that can go on would.
    #[cold]
    pub(super) fn whereabouts(&self, kind: FaultKind) -> RawFault {
        let runnable = self.block.warps.iter().enumerate().find_map(|(n, warp)| {
            let first = warp.runnable.iter().min_by_key(|at| at.mask.trailing_zeros())?;
            Some((n, *first))
        });
        let Some((warp, at)) = runnable else {
            return RawFault { block: self.block.number, ..self.run.fault(kind) };
        };
        let kernel = self.run.kernel;
        let listed =
            kernel.blocks.get(at.block as usize).and_then(|block| kernel.listing.get(block.listed as usize));
        RawFault {
            block: self.block.number,
            thread: (warp * WARP) as u32 + at.mask.trailing_zeros().min(WARP as u32 - 1),
            origin: listed.map(|listed| listed.origin).unwrap_or_default(),
            callers: self.callers(warp, at.frame),
            ..self.run.fault(kind)
        }
    }
}
