//! Which blocks a worker has begun, and which of them runs.
//!
//! A worker takes a block (or a cluster's blocks, together), runs it to its end and takes the next one: so it is with nearly
//! every launch, and nothing here is more than a few comparisons then. Only where a block does nothing but wait, for its
//! cluster or for what other blocks write, others run in turns with it, and more are begun, as many as the modelled chip
//! would hold at a time. The state of the block that runs is in the worker's own fields; that of the others is parked.
//!
//! Waiting is seen, not declared: all warps of a block look at memory and do nothing else, round after round. A block that
//! goes on for very long is taken to wait too, for who knows what its loop waits for.

use super::checks::Checks;
use super::sample::Caches;
use super::warp::{FreeRegisters, Warp};
use super::{BARRIERS, Queue, RawFault, Run, Worker, index_in};
use crate::lanes::{W, X};
use crate::model::time::Shape;
use std::sync::atomic::Ordering::Relaxed;

/// Rounds of nothing but looks after which a block's turn is over, and warp instructions of such rounds where other workers
/// may be about to write what it waits for.
const IDLE_ROUNDS: u32 = 2;
const IDLE: u64 = 1 << 14;
/// Warp instructions of a turn, and turns of this length after which a block counts as waiting.
const SLICE: u64 = 1 << 20;
const SLICES: u64 = 16;

/// Why a block's turn is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Turn {
    Ended,
    /// All of its threads wait for the cluster, or for threads that do.
    Blocked,
    /// It looks at what others may write; or it may.
    Waits {
        progress: bool,
    },
}

/// A block that was begun: its state, but for that of the one that runs.
#[derive(Default)]
pub(super) struct Resident<'a> {
    w: Vec<W>,
    x: Vec<X>,
    p: Vec<u32>,
    pub(super) shared: Vec<u8>,
    pub(super) warps: Vec<Warp>,
    free: FreeRegisters,
    pub(super) checks: Option<Box<Checks<'a>>>,
    caches: Option<Box<Caches>>,
    block: u64,
    pub(super) cluster: u64,
    pub(super) rank: u32,
    accounted: u64,
    spent: u64,
    clock_reads: u64,
    allowed: u64,
    arrived: [u32; BARRIERS],
    incomplete: Option<u64>,
    // Kept here for the one that runs too:
    pub(super) ended: bool,
    pub(super) blocked: bool,
}

/// What a turn has seen of its block so far.
pub(super) struct Watch {
    began: u64,
    idle_rounds: u32,
    idle_since: u64,
    progress: bool,
}

impl Watch {
    pub(super) fn new(spent: u64) -> Self {
        Watch { began: spent, idle_rounds: 0, idle_since: 0, progress: false }
    }

    /// The block has done something.
    pub(super) fn progress(&mut self) {
        self.progress = true;
        self.idle_rounds = 0;
    }
}

impl Run<'_> {
    /// Blocks that the chip has room for at a time.
    pub(crate) fn capacity(&self) -> u64 {
        let shape = Shape {
            blocks: self.blocks(),
            warps_per_block: self.warps_per_block(),
            shared_bytes: u64::from(self.shared_bytes),
        };
        u64::from(self.chip.multiprocessors) * shape.resident(self.chip)
    }

    /// The number of a block, and its index, from its cluster's number and its rank there.
    pub(super) fn number_of(&self, cluster: u64, rank: u32) -> (u64, [u32; 3]) {
        if self.cluster == [1; 3] {
            return (cluster, index_in(cluster, self.grid));
        }
        let (of_cluster, inside) =
            (index_in(cluster, self.clusters()), index_in(u64::from(rank), self.cluster));
        let index: [u32; 3] =
            std::array::from_fn(|axis| of_cluster[axis] * self.cluster[axis] + inside[axis]);
        let [x, y, z] = index.map(u64::from);
        (x + u64::from(self.grid[0]) * (y + u64::from(self.grid[1]) * z), index)
    }
}

impl<'a> Worker<'a> {
    /// A round has left warps that can go on: whether others should, before they do.
    #[inline(always)]
    pub(super) fn turn_over(&self, watch: &mut Watch, spinning: bool) -> Option<Turn> {
        if !spinning {
            watch.progress();
            return (self.spent - watch.began > SLICE)
                .then_some(Turn::Waits { progress: self.spent < SLICES * SLICE });
        }
        self.idle_round(watch)
    }

    #[cold]
    #[inline(never)]
    fn idle_round(&self, watch: &mut Watch) -> Option<Turn> {
        if watch.idle_rounds == 0 {
            watch.idle_since = self.spent;
        }
        watch.idle_rounds += 1;
        let soon = self.residents.len() > 1 || self.run.cooperative;
        let enough = if soon { 0 } else { IDLE };
        let over = watch.idle_rounds > IDLE_ROUNDS && self.spent - watch.idle_since >= enough;
        over.then_some(Turn::Waits { progress: watch.progress })
    }

    /// Chooses what runs next; says whether there is something.
    #[inline(always)]
    pub(super) fn next(&mut self, queue: &Queue) -> bool {
        // The usual case: a block of its own, after one that has ended.
        if self.residents.is_empty()
            && !self.units.is_empty()
            && self.counted == 1
            && !self.run.is_cluster
            && queue.first_fault.load(Relaxed) == u64::MAX
        {
            let block = self.units.start;
            self.units.start += 1;
            self.begin(block, 0);
            return true;
        }
        self.choose(queue)
    }

    #[inline(never)]
    fn choose(&mut self, queue: &Queue) -> bool {
        if self.residents.is_empty() {
            let more = self.start(queue);
            if !more {
                self.count(queue, 0);
            }
            return more;
        }
        let mut n = self.current + 1;
        loop {
            if n >= self.residents.len() {
                n = if self.progress {
                    0
                } else {
                    match self.waited(queue) {
                        Some(n) => n,
                        None => return false,
                    }
                };
                self.progress = false;
            }
            if !self.residents[n].ended {
                self.switch_to(n);
                return true;
            }
            n += 1;
        }
    }

    /// All blocks have had a turn, and all of them wait: more are begun, if there is room. Says with which to go on.
    fn waited(&mut self, queue: &Queue) -> Option<usize> {
        let first_fault = queue.first_fault.load(Relaxed);
        if first_fault != u64::MAX {
            // What they wait for may never come.
            return None;
        }
        let size = self.run.cluster_blocks();
        let before = self.residents.len();
        // As many as there are, so that the last of many does not wait for the looks of all before it.
        while self.residents.len() < 2 * before && self.room(queue, size) && self.start(queue) {}
        if self.residents.len() == before {
            std::thread::yield_now();
            return Some(0);
        }
        Some(before)
    }

    /// Whether more blocks may be there together: on the chip, and in this machine's memory.
    fn room(&self, queue: &Queue, blocks: u64) -> bool {
        let bytes = self.run.stack_bytes() + u64::from(self.run.shared_bytes);
        let all = (self.residents.len() as u64 + blocks).saturating_mul(bytes);
        queue.resident.load(Relaxed) + blocks <= queue.capacity && all <= self.run.options.stack_bytes
    }

    /// Begins the next unit; says whether there was one.
    fn start(&mut self, queue: &Queue) -> bool {
        if self.units.is_empty() {
            match queue.take() {
                Some(units) => self.units = units,
                None => return false,
            }
        }
        let cluster = self.units.start;
        let first_fault = queue.first_fault.load(Relaxed);
        if first_fault != u64::MAX && self.run.number_of(cluster, 0).0 > first_fault {
            return false;
        }
        self.units.start += 1;
        let size = self.run.cluster_blocks();
        self.count(queue, self.residents.len() as u64 + size);
        if size == 1 && self.residents.is_empty() {
            self.begin(cluster, 0);
            return true;
        }
        for rank in 0..size as u32 {
            if self.residents.is_empty() {
                self.current = 0;
                self.residents.push(Resident::default());
            } else {
                let fresh = self.spare.pop().unwrap_or_else(|| self.fresh());
                self.residents.push(Resident { ended: false, blocked: false, ..fresh });
                self.switch_to(self.residents.len() - 1);
            }
            self.begin(cluster, rank);
            // So that others find it.
            let here = &mut self.residents[self.current];
            (here.cluster, here.rank) = (cluster, rank);
        }
        true
    }

    /// Tells the others how many blocks this worker has.
    fn count(&mut self, queue: &Queue, blocks: u64) {
        if self.counted != blocks {
            // Wraps around where there are fewer than before.
            queue.resident.fetch_add(blocks.wrapping_sub(self.counted), Relaxed);
            self.counted = blocks;
        }
    }

    /// State for one more block: what is fixed in a launch, and what each thread knows of itself, as this block has it.
    fn fresh(&self) -> Resident<'a> {
        let (kernel, warps) = (self.run.kernel, self.warps.len());
        let (w, x, p) = kernel.registers_of(warps);
        Resident {
            w: self.w[..w].to_vec(),
            x: self.x[..x].to_vec(),
            p: self.p[..p].to_vec(),
            shared: vec![0; self.shared.len()],
            warps: (0..warps).map(|_| Warp::default()).collect(),
            checks: self
                .checks
                .is_some()
                .then(|| Box::new(Checks::new(kernel, warps, self.run.shared_bytes))),
            ..Resident::default()
        }
    }

    /// Parks the block that runs and lets another one run.
    pub(super) fn switch_to(&mut self, n: usize) {
        if n != self.current {
            self.exchange_with(self.current);
            self.current = n;
            self.exchange_with(n);
        }
    }

    fn exchange_with(&mut self, n: usize) {
        use std::mem::swap;
        let mut other = std::mem::take(&mut self.residents[n]);
        swap(&mut self.w, &mut other.w);
        swap(&mut self.x, &mut other.x);
        swap(&mut self.p, &mut other.p);
        swap(&mut self.shared, &mut other.shared);
        swap(&mut self.warps, &mut other.warps);
        swap(&mut self.free, &mut other.free);
        swap(&mut self.checks, &mut other.checks);
        swap(&mut self.caches, &mut other.caches);
        swap(&mut self.block, &mut other.block);
        swap(&mut self.accounted, &mut other.accounted);
        swap(&mut self.spent, &mut other.spent);
        swap(&mut self.clock_reads, &mut other.clock_reads);
        swap(&mut self.allowed, &mut other.allowed);
        swap(&mut self.arrived, &mut other.arrived);
        swap(&mut self.incomplete, &mut other.incomplete);
        (self.cluster, self.rank) = (other.cluster, other.rank);
        self.residents[n] = other;
    }

    /// A block's turn is over.
    #[inline(always)]
    pub(super) fn after(&mut self, turn: Turn, queue: &Queue) -> Result<(), RawFault> {
        let spent = self.used() - self.accounted;
        self.accounted += spent;
        if queue.spent.fetch_add(spent, Relaxed).saturating_add(spent) > self.run.options.launch_budget {
            queue.first_fault.store(0, Relaxed);
            return Err(self.run.over_budget());
        }
        if turn == Turn::Ended && self.residents.is_empty() && self.caches.is_none() {
            return Ok(());
        }
        self.parked(turn, queue)
    }

    #[inline(never)]
    fn parked(&mut self, turn: Turn, queue: &Queue) -> Result<(), RawFault> {
        if turn == Turn::Ended && self.caches.is_some() {
            self.end_sample();
        }
        if self.residents.is_empty() {
            if turn == Turn::Ended {
                return Ok(());
            }
            self.current = 0;
            self.progress = false;
            self.residents.push(Resident { cluster: self.cluster, rank: self.rank, ..Resident::default() });
        }
        let here = &mut self.residents[self.current];
        (here.ended, here.blocked) = (turn == Turn::Ended, turn == Turn::Blocked);
        self.progress |= matches!(turn, Turn::Ended | Turn::Waits { progress: true });
        if let Turn::Waits { .. } = turn {
            return Ok(());
        }
        self.meet_cluster().inspect_err(|fault| {
            queue.first_fault.fetch_min(fault.block, Relaxed);
        })?;
        if turn == Turn::Ended {
            self.give_up(queue);
        }
        Ok(())
    }

    /// Gives up the blocks of a cluster that has ended.
    fn give_up(&mut self, queue: &Queue) {
        let cluster = self.cluster;
        if self.residents.iter().any(|r| r.cluster == cluster && !r.ended) {
            return;
        }
        let Some(stays) = self.residents.iter().position(|r| r.cluster != cluster) else {
            // This block's state stays, the others' are kept for the next ones.
            let mut gone = std::mem::take(&mut self.residents);
            gone.remove(self.current);
            self.spare.append(&mut gone);
            self.current = 0;
            return;
        };
        // The turn passes to whoever comes after this cluster, as if this block were still there.
        let after =
            self.current - self.residents[..self.current].iter().filter(|r| r.cluster == cluster).count();
        self.switch_to(stays);
        let current = self.residents[..stays].iter().filter(|r| r.cluster != cluster).count();
        let (gone, left): (Vec<_>, Vec<_>) =
            std::mem::take(&mut self.residents).into_iter().partition(|r| r.cluster == cluster);
        self.residents = left;
        self.count(queue, self.residents.len() as u64);
        self.current = current;
        self.spare.extend(gone);
        if let Some(before) = after.checked_sub(1) {
            self.switch_to(before);
        } else {
            // Nobody is before it: the last one, after which the first comes.
            self.progress = true;
            self.switch_to(self.residents.len() - 1);
        }
    }
}
