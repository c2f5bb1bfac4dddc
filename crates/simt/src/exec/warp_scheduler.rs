//! The turns of a block's warps, and the barriers at which they wait for each other.

use super::count::Counts;
use super::current::CurrentBlock;
use super::fault::RawFault;
use super::launch::Run;
use super::schedule::{Turn, Watch};
use super::warp::{Split, Waiting};
use super::worker::Worker;
use crate::WARP;
use crate::error::FaultKind;
use crate::ir::BARRIERS;
use crate::ir::*;
use crate::lanes::W;

/// Calls that a fault names, of a thread that is in more.
const CALLERS: usize = 16;

impl Worker<'_> {
    /// Runs the block's warps in turns until it ends, waits for its cluster, or has had its turn.
    #[inline(always)]
    pub(super) fn rounds<const INLINE: bool>(&mut self) -> Result<Turn, RawFault> {
        let mut watch = Watch::new(self.current.used());
        self.observers.begin_turn(&mut self.current, &mut self.schedule);
        loop {
            let mut waiting = 0;
            let mut live = 0;
            let mut runnable = false;
            let mut spinning = true;
            for n in 0..self.current.block.warps.len() {
                if !self.current.block.warps[n].runnable.is_empty() {
                    self.current.cursor.warp = n;
                    if let Err(fault) = self.run_warp::<INLINE>() {
                        self.current.hold(fault)?;
                    }
                    spinning &= self.current.cursor.spun;
                }
                let warp = &self.current.block.warps[n];
                runnable |= !warp.runnable.is_empty();
                live += warp.live.count_ones();
                waiting += warp.at_barrier.len();
            }
            let opened = waiting > 0 && self.current.barriers(live)?;
            let opened = opened | std::mem::take(&mut self.current.block.opened);
            if (!runnable || spinning)
                && !opened
                && let Some(fault) = self.current.held()
            {
                return Err(fault);
            }
            if runnable || opened {
                if let Some(turn) = self.schedule.turn_over(
                    &mut self.current,
                    &mut self.observers,
                    &mut watch,
                    spinning && !opened,
                )? {
                    return Ok(turn);
                }
                continue;
            }
            if live == 0 {
                return Ok(Turn::Ended);
            }
            if self.current.release_for_gathering() {
                continue;
            }
            if self.current.returned_exit() {
                continue;
            }
            if self.current.block.warps.iter().any(|warp| !warp.at_cluster.is_empty()) {
                return Ok(Turn::Blocked);
            }
            return Err(self.current.stuck());
        }
    }
}

impl CurrentBlock<'_> {
    /// Lanes come to a barrier, and wait there if they are to.
    #[inline(never)]
    pub(super) fn wait_at_barrier(
        &mut self,
        counts: &mut Counts,
        at: Split,
        number: u32,
        block: &Block,
    ) -> Result<(), RawFault> {
        let barrier = self.run.kernel.barriers[number as usize];
        let lane = at.mask.trailing_zeros() as usize % WARP;
        let id = self.block.registers.w[self.block.registers.wi(barrier.id)].0[lane] % BARRIERS as u32;
        let threads = barrier
            .threads
            .get()
            .map(|threads| self.block.registers.w[self.block.registers.wi(threads)].0[lane]);
        self.cursor.did = true;
        let waits = match barrier.operation {
            BarrierOperation::ClusterArrive => {
                self.at_cluster_barrier(at, false);
                return Ok(());
            }
            BarrierOperation::ClusterWait => {
                self.at_cluster_barrier(at, true);
                return Ok(());
            }
            BarrierOperation::Arrive => false,
            BarrierOperation::Sync | BarrierOperation::Reduce { .. } => true,
        };
        counts.count_barrier(block);
        let warp = &mut self.block.warps[self.cursor.warp];
        if waits {
            warp.at_barrier.push(Waiting { split: at, barrier: number, id, threads });
        } else {
            self.block.arrived[id as usize] += counted(at.mask, warp.live);
            warp.runnable.push(at);
            if self.block.observers.checks.is_some() {
                self.note_arrival(id, at.mask);
            }
        }
        match threads {
            Some(threads) => self.open_if_complete(id, threads, at),
            None => Ok(()),
        }
    }

    /// How many threads a barrier counts: those that have arrived, and those that wait.
    fn came_to(&self, id: u32) -> u32 {
        let waiting = self.block.warps.iter().map(|warp| {
            let here = warp.at_barrier.iter().filter(|w| w.id == id).fold(0, |m, w| m | w.split.mask);
            counted(here, warp.live)
        });
        self.block.arrived[id as usize] + waiting.sum::<u32>()
    }

    /// A barrier that counts opens as soon as enough have come, even if none of them waits: what comes next waits for
    /// the next ones. (An H200 counts so: a warp that arrives twice opens a barrier of 64 by itself.)
    fn open_if_complete(&mut self, id: u32, threads: u32, at: Split) -> Result<(), RawFault> {
        if self.came_to(id) < threads {
            return Ok(());
        }
        if self.block.observers.checks.is_some() {
            let live = self.block.warps.iter().map(|warp| warp.live.count_ones()).sum();
            self.check_barrier(id, live)?;
        }
        self.block.arrived[id as usize] = 0;
        self.block.opened = true;
        let warp = self.cursor.warp;
        self.open(id);
        // Predicates may have been combined in other frames.
        self.cursor.warp = warp;
        self.enter_frame(at.frame);
        Ok(())
    }

    /// Opens the barriers to which all have come whom they wait for; says whether there was one.
    #[inline]
    pub(super) fn barriers(&mut self, live: u32) -> Result<bool, RawFault> {
        if let Some(id) = self.whole_block_at() {
            if self.block.observers.checks.is_some() {
                self.check_barrier(id, live)?;
            }
            self.block.arrived[id as usize] = 0;
            self.open(id);
            return Ok(true);
        }
        let mut lanes = [0; BARRIERS];
        let mut arrived = self.block.arrived;
        let mut wanted = [None; BARRIERS];
        for warp in &self.block.warps {
            let mut here = [0; BARRIERS];
            for Waiting { split, id, threads, .. } in &warp.at_barrier {
                let id = *id as usize;
                here[id] |= split.mask;
                wanted[id] = wanted[id].or(*threads);
            }
            for id in 0..BARRIERS {
                lanes[id] += here[id].count_ones();
                arrived[id] += counted(here[id], warp.live);
            }
        }
        let mut opened = false;
        for id in 0..BARRIERS {
            let complete = lanes[id] > 0
                && match wanted[id] {
                    Some(threads) => arrived[id] >= threads,
                    None => lanes[id] == live,
                };
            if complete {
                opened = true;
                if self.block.observers.checks.is_some() {
                    self.check_barrier(id as u32, live)?;
                }
                self.block.arrived[id] = 0;
                self.open(id as u32);
            }
        }
        Ok(opened)
    }

    /// The barrier at which all threads of the block wait for each other, warp by warp: the usual one.
    pub(super) fn whole_block_at(&self) -> Option<u32> {
        let mut operation = None;
        for warp in &self.block.warps {
            match warp.at_barrier[..] {
                [Waiting { split, id, threads: None, .. }]
                    if split.mask == warp.live && operation.is_none_or(|met| met == id) =>
                {
                    operation = Some(id);
                }
                [] if warp.live == 0 => {}
                _ => return None,
            }
        }
        operation
    }

    /// Lets everybody at a barrier go on, with the combined predicate where there is one.
    #[inline]
    pub(super) fn open(&mut self, id: u32) {
        if self.run.kernel.barriers.iter().any(|b| matches!(b.operation, BarrierOperation::Reduce { .. })) {
            self.combine(id);
        }
        for warp in &mut self.block.warps {
            let runnable = &mut warp.runnable;
            if let [Waiting { split, id: at, .. }] = warp.at_barrier[..]
                && at == id
            {
                runnable.push(split);
                warp.at_barrier.clear();
                warp.cost.barriers += 1;
                continue;
            }
            let before = warp.at_barrier.len();
            warp.at_barrier.retain(|w| {
                if w.id == id {
                    runnable.push(w.split);
                }
                w.id != id
            });
            let splits = before - warp.at_barrier.len();
            warp.cost.barriers += u64::from(splits > 0);
        }
    }

    /// Gives everybody at a barrier the combination of their predicates.
    pub(super) fn combine(&mut self, id: u32) {
        let (mut all, mut any, mut count) = (true, false, 0);
        let kernel = self.run.kernel;
        for pass in 0..2 {
            for n in 0..self.block.warps.len() {
                self.cursor.warp = n;
                let here: Vec<Waiting> =
                    self.block.warps[n].at_barrier.iter().filter(|w| w.id == id).copied().collect();
                for Waiting { split, barrier, .. } in here {
                    let operation = kernel.barriers[barrier as usize].operation;
                    let BarrierOperation::Reduce { reduction, predicate, result } = operation else {
                        continue;
                    };
                    self.enter_frame(split.frame);
                    let bits =
                        self.block.registers.p[self.block.registers.p_base + predicate.offset()] & split.mask;
                    if pass == 0 {
                        all &= bits == split.mask;
                        any |= bits != 0;
                        count += bits.count_ones();
                        continue;
                    }
                    let holds = match reduction {
                        Reduction::And => all,
                        Reduction::Or => any,
                        Reduction::Count => {
                            let d = self.block.registers.wi(result);
                            self.block.registers.w[d].set(&W::splat(count), split.mask);
                            continue;
                        }
                    };
                    let d = &mut self.block.registers.p[self.block.registers.p_base + result.offset()];
                    *d = if holds { *d | split.mask } else { *d & !split.mask };
                }
            }
        }
    }

    /// Lanes wait for others that never come.
    #[cold]
    #[inline(never)]
    pub(super) fn stuck(&mut self) -> RawFault {
        if let Some(fault) = self.missing_at_barrier_of_block() {
            return fault;
        }
        let (n, split) = self
            .block
            .warps
            .iter()
            .enumerate()
            .find_map(|(n, w)| w.stuck().map(|f| (n, f)))
            .unwrap_or((0, Split::start(1)));
        RawFault { message: self.missing_at_barrier(n, split), ..self.divergent(n, split) }
    }

    /// For lanes that wait at a barrier that counts: how many have come to it.
    fn missing_at_barrier(&self, n: usize, split: Split) -> Option<String> {
        let here = self.block.warps[n].at_barrier.iter().find(|waiting| waiting.split == split)?;
        let (id, threads) = (here.id, here.threads?);
        let came = self.came_to(id);
        let mut message =
            format!("threads wait at barrier {id} for {threads} threads, but only {came} arrive");
        if let Some(warp) = self.block.observers.checks.as_ref().and_then(|checks| checks.arrived_again(id)) {
            message += &format!(
                "; warp {warp} arrived there a second time before its first arrival was released: a second \
                 barrier must hold it back until the others are done"
            );
        }
        Some(message)
    }

    /// Lanes of a warp wait at a barrier, before `split.block`, where they should not.
    #[cold]
    pub(super) fn divergent(&self, n: usize, split: Split) -> RawFault {
        RawFault {
            kind: FaultKind::DivergentBarrier,
            block: self.block.number,
            thread: (n * WARP) as u32 + split.mask.trailing_zeros().min(WARP as u32 - 1),
            origin: self.run.origin_before(split.block),
            callers: self.callers(n, split.frame),
            address: None,
            width: 0,
            shared: false,
            message: None,
            detail: None,
            other: None,
            proven: false,
            of_launch: false,
        }
    }

    /// The calls that a frame of a warp is in, innermost first.
    #[cold]
    pub(super) fn callers(&self, warp: usize, frame: u32) -> Box<[Origin]> {
        let frames = &self.block.warps[warp].frames;
        let called = |at: u32| frames.get(at as usize).filter(|_| at != 0);
        let stack = std::iter::successors(called(frame), |inner| called(inner.caller));
        stack.take(CALLERS).map(|called| self.run.origin_before(called.next)).collect()
    }

    /// The frame of the current warp that an instruction was executed in, unless its function has returned.
    #[cold]
    pub(super) fn frame_of(&self, warp: usize, frame: u32, code: u32) -> Option<u32> {
        let (kernel, frames) = (self.run.kernel, &self.block.warps[warp].frames);
        let is_in = |at: u32| {
            let function = frames.get(at as usize).map_or(0, |called| called.function);
            kernel.block_of(code).is_some_and(|block| kernel.blocks_of(function as usize).contains(&block))
        };
        let outer = |at: &u32| frames.get(*at as usize).filter(|_| *at != 0).map(|called| called.caller);
        std::iter::successors(Some(frame), outer).find(|at| is_in(*at))
    }
}

impl Run<'_> {
    /// The last instruction before a block, for faults that belong to no instruction.
    pub(super) fn origin_before(&self, block: u32) -> Origin {
        let kernel = self.kernel;
        let listed = kernel.blocks[block as usize].listed;
        kernel.listing.get(listed.saturating_sub(1) as usize).map(|l| l.origin).unwrap_or_default()
    }
}

/// Threads that a barrier counts: the last warp of a block counts as a whole one when all of its lanes are there.
fn counted(mask: u32, live: u32) -> u32 {
    if mask != 0 && mask == live { WARP as u32 } else { mask.count_ones() }
}
