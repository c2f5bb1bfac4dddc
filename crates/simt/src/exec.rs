//! Runs a launch: blocks over cores, warps over barriers, instructions over 32 lanes.
//!
//! A warp's lanes move in fragments: lanes at one place with one mask. Where a branch splits a fragment, both parts
//! remember the block at which they meet again (the branch's immediate post-dominator) and wait there for each other.
//! Lanes are independent all the same, as on GPUs since Volta: a fragment that goes round a loop for long lets others
//! of its warp, and then other warps, go first, and waiting lanes stop waiting for it; so a lock that one lane holds
//! while others of its warp spin is released.
//!
//! Blocks are handed out in rising order. What a launch counts is a sum over blocks and does not depend on who ran
//! them; the fault that is reported is that of the lowest block that has one.

use crate::counters::Counters;
use crate::error::FaultKind;
use crate::lanes::{ALL, W, X, lanes};
use crate::memory::{Allocation, Global, NULL_PAGE};
use crate::model::access;
use crate::model::cache::{Cache, Found};
use crate::model::chip::Chip;
use crate::model::time::{Sample, WarpCost};
use crate::program::*;
use crate::{WARP, semantics};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Blocks that are looked at for the time model, spread over the grid.
const SAMPLED_BLOCKS: u64 = 8;
/// Jumps backwards after which a fragment lets others go first.
const PATIENCE: u32 = 4096;
/// What shared memory holds before a block writes it: not zero, so that code which relies on zeros fails.
const SHARED_POISON: u8 = 0xcd;

/// A launch, ready to run.
pub(crate) struct Run<'a> {
    pub(crate) kernel: &'a Kernel,
    pub(crate) chip: &'a Chip,
    pub(crate) global: &'a Global,
    pub(crate) constant: &'a [u8],
    /// Device address of each symbol; of constant ones, not used.
    pub(crate) symbols: &'a [u64],
    pub(crate) parameters: &'a [u8],
    pub(crate) grid: [u32; 3],
    pub(crate) block: [u32; 3],
    pub(crate) shared_bytes: u32,
    /// Warp instructions a block may execute.
    pub(crate) budget: u64,
}

impl Run<'_> {
    /// Blocks of the grid.
    pub(crate) fn blocks(&self) -> u64 {
        self.grid.iter().map(|n| u64::from(*n)).product()
    }

    /// Warps of a block; the last one may have lanes off.
    pub(crate) fn warps_per_block(&self) -> u64 {
        self.block.iter().map(|n| u64::from(*n)).product::<u64>().div_ceil(WARP as u64)
    }
}

/// What a launch leaves behind besides memory.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tally {
    pub(crate) counters: Counters,
    pub(crate) sample: Sample,
}

/// A fault as the interpreter knows it: numbers, no text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RawFault {
    pub(crate) kind: FaultKind,
    pub(crate) block: u64,
    pub(crate) thread: u32,
    pub(crate) origin: Origin,
    pub(crate) address: Option<u64>,
    /// Bytes of the access.
    pub(crate) width: u32,
}

/// Runs all blocks.
pub(crate) fn run(run: &Run<'_>) -> Result<Tally, RawFault> {
    let (blocks, warps_per_block) = (run.blocks(), run.warps_per_block());
    let queue =
        Queue { next: AtomicU64::new(0), blocks, first_fault: AtomicU64::new(u64::MAX), warps_per_block };
    let results = workers(run, &queue, blocks * warps_per_block);
    let mut tally = Tally::default();
    let mut fault: Option<RawFault> = None;
    for result in results {
        match result {
            Ok(part) => {
                tally.counters.add(&part.counters);
                tally.sample.add(&part.sample);
            }
            Err(new) if fault.is_none_or(|old| new.block < old.block) => fault = Some(new),
            Err(_) => {}
        }
    }
    if let Some(fault) = fault {
        return Err(fault);
    }
    // The sampled blocks stand for all.
    let Tally { counters, sample } = &mut tally;
    let scale = |misses: u64| {
        let requests = u128::from(sample.constant_requests.max(1));
        (u128::from(misses) * u128::from(counters.idc_requests) / requests) as u64
    };
    let (l1, l2) = (scale(sample.constant_l1_misses), scale(sample.constant_l2_misses));
    counters.modelled_constant_l1_misses = l1;
    counters.modelled_constant_l2_misses = l2;
    Ok(tally)
}

/// Hands out blocks in chunks, lowest first.
struct Queue {
    next: AtomicU64,
    blocks: u64,
    first_fault: AtomicU64,
    warps_per_block: u64,
}

impl Queue {
    fn take(&self) -> Option<std::ops::Range<u64>> {
        let chunk = (256 / self.warps_per_block.max(1)).max(1);
        let from = self.next.fetch_add(chunk, Relaxed);
        (from < self.blocks).then(|| from..(from + chunk).min(self.blocks))
    }
}

#[cfg(feature = "parallel")]
fn workers(run: &Run<'_>, queue: &Queue, warps: u64) -> Vec<Result<Tally, RawFault>> {
    // A few warps are done before a second thread is awake.
    let threads = if warps < 64 { 1 } else { rayon::current_num_threads() };
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
fn workers(run: &Run<'_>, queue: &Queue, _warps: u64) -> Vec<Result<Tally, RawFault>> {
    vec![work(run, queue)]
}

/// One worker: the whole interpreter is compiled for each of the vector instruction sets that `pulp` knows, and the
/// best that this machine has is chosen here, once.
fn work(run: &Run<'_>, queue: &Queue) -> Result<Tally, RawFault> {
    struct Work<'a>(&'a Run<'a>, &'a Queue);
    impl pulp::NullaryFnOnce for Work<'_> {
        type Output = Result<Tally, RawFault>;

        #[inline(always)]
        fn call(self) -> Self::Output {
            let Work(run, queue) = self;
            let mut worker = Worker::new(run);
            while let Some(blocks) = queue.take() {
                for block in blocks {
                    if block > queue.first_fault.load(Relaxed) {
                        return Ok(worker.tally);
                    }
                    if let Err(fault) = worker.block(block) {
                        queue.first_fault.fetch_min(block, Relaxed);
                        return Err(fault);
                    }
                }
            }
            Ok(worker.tally)
        }
    }
    pulp::Arch::new().dispatch(Work(run, queue))
}

/// Lanes of a warp that are at the same place.
#[derive(Clone, Copy, Debug)]
struct Fragment {
    block: u32,
    mask: u32,
    /// Where it waits for others: a place in [`Warp::joins`], or [`NOWHERE`].
    join: u32,
}

/// A block at which fragments wait for each other.
#[derive(Clone, Copy, Debug)]
struct Join {
    block: u32,
    /// Lanes that will come, unless they exit before.
    expected: u32,
    arrived: u32,
    /// The join around it.
    parent: u32,
}

impl Join {
    /// The lanes that all have come, if they have; the join is then done.
    fn complete(&mut self) -> Option<Fragment> {
        if self.arrived == 0 || self.arrived != self.expected {
            return None;
        }
        let all = Fragment { block: self.block, mask: self.arrived, join: self.parent };
        self.expected = 0;
        self.arrived = 0;
        Some(all)
    }
}

#[derive(Debug, Default)]
struct Warp {
    runnable: Vec<Fragment>,
    at_barrier: Vec<Fragment>,
    joins: Vec<Join>,
    /// Lanes that have not exited.
    live: u32,
    cost: WarpCost,
}

impl Warp {
    /// Joins end in the order in which they began, but for lanes that stopped waiting.
    fn drop_joins(&mut self) {
        while self.joins.last().is_some_and(|j| j.expected == 0) {
            self.joins.pop();
        }
    }
}

/// Only there while a sampled block runs.
struct Caches {
    constant_l1: Cache,
    constant_l2: Cache,
    l1: Cache,
}

struct Worker<'a> {
    run: &'a Run<'a>,
    w: Vec<W>,
    x: Vec<X>,
    p: Vec<u32>,
    shared: Vec<u8>,
    warps: Vec<Warp>,
    /// For each access, the allocation it found last, and what its last scattered addresses cost.
    hints: Vec<u32>,
    memos: Vec<Memo>,
    /// Registers of the block's index, in `w`, and their axes.
    block_index: Vec<(usize, usize)>,
    /// Every so many blocks one is looked at for the time model.
    sample_stride: u64,
    caches: Option<Box<Caches>>,
    tally: Tally,
    // Of the block that runs:
    block: u64,
    spent: u64,
    // Of the warp that runs: where its registers begin.
    warp: usize,
    w_base: usize,
    x_base: usize,
    p_base: usize,
}

/// What stops an instruction: a lane and a reason.
struct Stop {
    kind: FaultKind,
    lane: u32,
    address: Option<u64>,
    width: u32,
}

impl Stop {
    #[cold]
    fn at(kind: FaultKind, lane: usize, address: u64, width: u64) -> Self {
        Stop { kind, lane: lane as u32, address: Some(address), width: width as u32 }
    }
}

/// What an access's addresses cost the last time. Costs depend on where lanes lie to each other and on where the first
/// one lies in a line of 128 bytes, which is also all 32 banks; loops ask for the same again and again.
#[derive(Clone, Debug)]
struct Memo {
    mask: u32,
    phase: u64,
    differences: X,
    cost: [u32; 2],
}

impl Default for Memo {
    fn default() -> Self {
        // No access is made with an empty mask.
        Memo { mask: 0, phase: 0, differences: X::ZERO, cost: [0; 2] }
    }
}

/// How the addresses of a warp's active lanes lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pattern {
    /// All the same.
    Same,
    /// Neighbouring lanes have neighbouring elements, and no lane between the first and the last is off.
    Row,
    Any,
}

impl<'a> Worker<'a> {
    #[inline(always)]
    fn new(run: &'a Run<'a>) -> Self {
        let kernel = run.kernel;
        let warps = run.warps_per_block() as usize;
        let mut worker = Worker {
            run,
            w: vec![W::ZERO; kernel.fixed_w.len() + warps * usize::from(kernel.w)],
            x: vec![X::ZERO; kernel.fixed_x.len() + warps * usize::from(kernel.x)],
            p: vec![0; warps * usize::from(kernel.p)],
            shared: vec![0; run.shared_bytes as usize],
            warps: (0..warps).map(|_| Warp::default()).collect(),
            hints: vec![0; kernel.accesses.len()],
            memos: vec![Memo::default(); kernel.accesses.len()],
            block_index: vec![],
            sample_stride: (run.blocks() / SAMPLED_BLOCKS).max(1),
            caches: None,
            tally: Tally::default(),
            block: 0,
            spent: 0,
            warp: 0,
            w_base: 0,
            x_base: 0,
            p_base: 0,
        };
        for (n, fixed) in kernel.fixed_w.iter().enumerate() {
            if let Some(fixed) = fixed {
                worker.w[n] = W([worker.value(*fixed) as u32; WARP]);
                if let Fixed::BlockIndex(axis) = fixed {
                    worker.block_index.push((n, usize::from(*axis)));
                }
            }
        }
        for (n, fixed) in kernel.fixed_x.iter().enumerate() {
            if let Some(fixed) = fixed {
                worker.x[n] = X([worker.value(*fixed); WARP]);
            }
        }
        for inst in &kernel.launch_code {
            worker.compute(inst, ALL);
        }
        worker
    }

    /// The value of a fixed register; one of the block's index is written when the block begins.
    fn value(&self, fixed: Fixed) -> u64 {
        // A module's bytes are all there when it is loaded, and the decoder has checked offsets.
        let read = |memory: &[u8], offset: u32, bytes: u8, signed: bool| {
            extend(little_endian(memory, offset as usize, bytes), bytes, signed)
        };
        match fixed {
            Fixed::Immediate(value) => value,
            Fixed::Parameter { offset, bytes, signed } => read(self.run.parameters, offset, bytes, signed),
            Fixed::Constant { offset, bytes, signed } => read(self.run.constant, offset, bytes, signed),
            Fixed::BlockSize(axis) => u64::from(self.run.block[usize::from(axis)]),
            Fixed::GridSize(axis) => u64::from(self.run.grid[usize::from(axis)]),
            Fixed::BlockIndex(_) => 0,
            Fixed::Global { symbol, offset } => self.run.symbols[symbol as usize].wrapping_add(offset as u64),
        }
    }

    #[inline(always)]
    fn block(&mut self, block: u64) -> Result<(), RawFault> {
        let kernel = self.run.kernel;
        self.block = block;
        self.spent = 0;
        let index = index_in(block, self.run.grid);
        for (n, axis) in &self.block_index {
            self.w[*n] = W([index[*axis]; WARP]);
        }
        for inst in &kernel.block_code {
            self.compute(inst, ALL);
        }
        self.shared.fill(SHARED_POISON);
        let threads = self.run.block.iter().product::<u32>();
        for (n, warp) in self.warps.iter_mut().enumerate() {
            let lanes = (threads - (n * WARP) as u32).min(WARP as u32);
            let mask = ALL >> (WARP as u32 - lanes);
            warp.live = mask;
            warp.joins.clear();
            warp.at_barrier.clear();
            warp.runnable.clear();
            warp.runnable.push(Fragment { block: 0, mask, join: NOWHERE });
        }
        let sampled = block.is_multiple_of(self.sample_stride);
        if sampled {
            self.begin_sample();
        }
        loop {
            let mut waiting = 0;
            let mut live = 0;
            let mut runnable = false;
            for n in 0..self.warps.len() {
                if !self.warps[n].runnable.is_empty() {
                    self.warp = n;
                    self.w_base = kernel.fixed_w.len() + n * usize::from(kernel.w);
                    self.x_base = kernel.fixed_x.len() + n * usize::from(kernel.x);
                    self.p_base = n * usize::from(kernel.p);
                    self.warp()?;
                }
                let warp = &self.warps[n];
                runnable |= !warp.runnable.is_empty();
                live += warp.live.count_ones();
                waiting += warp.at_barrier.iter().map(|f| f.mask.count_ones()).sum::<u32>();
            }
            if runnable {
                continue;
            }
            if live == 0 {
                break;
            }
            if waiting < live {
                return Err(self.stuck());
            }
            for warp in &mut self.warps {
                self.tally.counters.barriers += warp.at_barrier.len() as u64;
                warp.cost.barriers += u64::from(!warp.at_barrier.is_empty());
                warp.runnable.append(&mut warp.at_barrier);
            }
        }
        if sampled {
            self.end_sample();
        }
        Ok(())
    }

    #[cold]
    #[inline(never)]
    fn begin_sample(&mut self) {
        let chip = self.run.chip;
        self.caches = Some(Box::new(Caches {
            constant_l1: Cache::new(chip.constant_l1),
            constant_l2: Cache::new(chip.constant_l2),
            l1: Cache::new(chip.l1),
        }));
        for warp in &mut self.warps {
            warp.cost = WarpCost::default();
        }
    }

    #[cold]
    #[inline(never)]
    fn end_sample(&mut self) {
        self.caches = None;
        for warp in &self.warps {
            self.tally.sample.longest(&warp.cost);
        }
    }

    /// Some lanes wait at a barrier, and the rest wait for them at the end of a branch.
    #[cold]
    #[inline(never)]
    fn stuck(&self) -> RawFault {
        let (n, fragment) = self
            .warps
            .iter()
            .enumerate()
            .find_map(|(n, w)| w.at_barrier.first().map(|f| (n, *f)))
            .unwrap_or((0, Fragment { block: 0, mask: 1, join: NOWHERE }));
        let lane = fragment.mask.trailing_zeros().min(WARP as u32 - 1);
        RawFault {
            kind: FaultKind::DivergentBarrier,
            block: self.block,
            thread: (n * WARP) as u32 + lane,
            origin: self.origin_before(fragment.block),
            address: None,
            width: 0,
        }
    }

    /// The last instruction before a block, for faults that belong to no instruction.
    fn origin_before(&self, block: u32) -> Origin {
        let kernel = self.run.kernel;
        let start = kernel.blocks[block as usize].start as usize;
        let at = start.checked_sub(1).unwrap_or(start).min(kernel.places.len().saturating_sub(1));
        kernel.places.get(at).copied().unwrap_or_default()
    }

    /// Runs the current warp until all of its fragments wait or have exited, or one has had its turn.
    #[inline(always)]
    fn warp(&mut self) -> Result<(), RawFault> {
        let kernel = self.run.kernel;
        let Some(mut at) = self.warps[self.warp].runnable.pop() else { return Ok(()) };
        let mut turns = 0;
        loop {
            if at.join != NOWHERE {
                match self.arrive(at) {
                    Some(next) => at = next,
                    None => return Ok(()),
                }
            }

            // One basic block.
            let block = &kernel.blocks[at.block as usize];
            let weight = u64::from(block.weight);
            let counters = &mut self.tally.counters;
            counters.warp_instructions += weight;
            counters.thread_instructions += weight * u64::from(at.mask.count_ones());
            counters.const_uniform_instructions += u64::from(block.uniform_loads);
            self.spent += weight;
            if self.caches.is_some() {
                self.warps[self.warp].cost.chain.add(&block.chain);
            }
            let code = &kernel.code[block.start as usize..block.end as usize];
            for (n, inst) in code.iter().enumerate() {
                let mut mask = at.mask;
                if inst.guard != NONE {
                    let guard = self.p[self.p_base + usize::from(inst.guard)];
                    mask &= if inst.negated { !guard } else { guard };
                    if mask == 0 {
                        continue;
                    }
                }
                if let Err(stop) = self.step(inst, mask) {
                    return Err(self.fault(stop, kernel.places[block.start as usize + n]));
                }
            }
            if self.spent > self.run.budget {
                return Err(self.halt(FaultKind::InfiniteLoop, at.mask, block));
            }

            // Where to go on.
            let from = at.block;
            match block.exit {
                End::Goto(next) => at.block = next,
                End::Branch { predicate, negated, taken, next, join } => {
                    let holds = self.p[self.p_base + usize::from(predicate)];
                    let go = at.mask & if negated { !holds } else { holds };
                    if go == at.mask {
                        at.block = taken;
                    } else if go == 0 {
                        at.block = next;
                    } else {
                        self.tally.counters.divergent_branches += 1;
                        at = self.split(at, go, taken, next, join);
                        continue;
                    }
                }
                End::Barrier(next) => {
                    at.block = next;
                    let warp = &mut self.warps[self.warp];
                    warp.at_barrier.push(at);
                    match warp.runnable.pop() {
                        Some(next) => at = next,
                        None => return Ok(()),
                    }
                    continue;
                }
                End::Exit => {
                    self.exit(at.mask);
                    match self.warps[self.warp].runnable.pop() {
                        Some(next) => at = next,
                        None => return Ok(()),
                    }
                    continue;
                }
                End::ExitIf { predicate, negated, next } => {
                    let holds = self.p[self.p_base + usize::from(predicate)];
                    let go = at.mask & if negated { !holds } else { holds };
                    self.exit(go);
                    at.mask &= !go;
                    at.block = next;
                    if at.mask == 0 {
                        match self.warps[self.warp].runnable.pop() {
                            Some(next) => at = next,
                            None => return Ok(()),
                        }
                        continue;
                    }
                }
                End::Trap => return Err(self.halt(FaultKind::Trap, at.mask, block)),
            }
            if at.block <= from {
                turns += 1;
                if turns > PATIENCE {
                    turns = 0;
                    match self.give_way(at) {
                        Some(next) => at = next,
                        None => return Ok(()),
                    }
                }
            }
        }
    }

    /// Splits a fragment at a branch and returns the part to go on with.
    #[inline(never)]
    fn split(&mut self, at: Fragment, go: u32, taken: u32, next: u32, meet: u32) -> Fragment {
        let warp = &mut self.warps[self.warp];
        let mut join = at.join;
        // A loop that lanes leave one after the other has one join, not one a round.
        let already = join != NOWHERE && warp.joins[join as usize].block == meet;
        if meet != NOWHERE && !already {
            warp.joins.push(Join { block: meet, expected: at.mask, arrived: 0, parent: at.join });
            join = (warp.joins.len() - 1) as u32;
        }
        warp.runnable.push(Fragment { block: next, mask: at.mask & !go, join });
        Fragment { block: taken, mask: go, join }
    }

    /// Every fragment passes here before it runs a block. One that has come to its join waits there, and another one
    /// runs, or it goes on with all who waited.
    #[inline(always)]
    fn arrive(&mut self, at: Fragment) -> Option<Fragment> {
        if self.warps[self.warp].joins[at.join as usize].block != at.block {
            return Some(at);
        }
        self.wait_at_join(at)
    }

    #[inline(never)]
    fn wait_at_join(&mut self, mut at: Fragment) -> Option<Fragment> {
        let warp = &mut self.warps[self.warp];
        while at.join != NOWHERE && warp.joins[at.join as usize].block == at.block {
            let join = &mut warp.joins[at.join as usize];
            join.arrived |= at.mask;
            at = match join.complete() {
                Some(all) => {
                    warp.drop_joins();
                    all
                }
                None => warp.runnable.pop()?,
            };
        }
        Some(at)
    }

    /// Lanes exit: nobody waits for them any more.
    #[inline(always)]
    fn exit(&mut self, mask: u32) {
        let warp = &mut self.warps[self.warp];
        warp.live &= !mask;
        if !warp.joins.is_empty() {
            self.leave_joins(mask);
        }
    }

    #[inline(never)]
    fn leave_joins(&mut self, mask: u32) {
        let warp = &mut self.warps[self.warp];
        for join in &mut warp.joins {
            join.expected &= !mask;
            warp.runnable.extend(join.complete());
        }
        warp.drop_joins();
    }

    /// After many rounds: others of the warp first; if there are none, lanes that wait for this fragment stop
    /// waiting; then the other warps.
    #[inline(never)]
    fn give_way(&mut self, at: Fragment) -> Option<Fragment> {
        let warp = &mut self.warps[self.warp];
        warp.runnable.insert(0, at);
        if warp.runnable.len() > 1 {
            return warp.runnable.pop();
        }
        if let Some(join) = warp.joins.iter_mut().rfind(|j| j.arrived != 0) {
            let rest = join.expected & !join.arrived;
            join.expected = join.arrived;
            warp.runnable.extend(join.complete());
            join.expected = rest;
        }
        None
    }

    /// A fault of the last instruction of a block.
    #[cold]
    #[inline(never)]
    fn halt(&self, kind: FaultKind, mask: u32, block: &Block) -> RawFault {
        let lane = mask.trailing_zeros().min(WARP as u32 - 1);
        let last = block.end.saturating_sub(1) as usize;
        let origin = self.run.kernel.places.get(last).copied().unwrap_or_default();
        self.fault(Stop { kind, lane, address: None, width: 0 }, origin)
    }

    #[cold]
    #[inline(never)]
    fn fault(&self, stop: Stop, origin: Origin) -> RawFault {
        RawFault {
            kind: stop.kind,
            block: self.block,
            thread: (self.warp * WARP) as u32 + stop.lane,
            origin,
            address: stop.address,
            width: stop.width,
        }
    }

    #[inline(always)]
    fn wi(&self, number: u16) -> usize {
        let n = usize::from(number & !FIXED);
        if number & FIXED != 0 { n } else { self.w_base + n }
    }

    #[inline(always)]
    fn xi(&self, number: u16) -> usize {
        let n = usize::from(number & !FIXED);
        if number & FIXED != 0 { n } else { self.x_base + n }
    }

    #[inline(always)]
    fn step(&mut self, inst: &Inst, mask: u32) -> Result<(), Stop> {
        match inst.op {
            Op::LoadGlobal => self.load_global(inst, mask),
            Op::StoreGlobal => self.store_global(inst, mask),
            Op::LoadShared => self.load_shared(inst, mask),
            Op::StoreShared => self.store_shared(inst, mask),
            Op::LoadConstant => self.load_constant(inst, mask),
            Op::AddGlobal => self.add_global(inst, mask),
            _ => {
                self.compute(inst, mask);
                Ok(())
            }
        }
    }

    /// Instructions that only compute: a loop over lanes for each.
    #[inline(always)]
    fn compute(&mut self, inst: &Inst, mask: u32) {
        macro_rules! w {
            ($n:ident) => {
                self.w[self.wi(inst.$n)].0
            };
        }
        macro_rules! x {
            ($n:ident) => {
                self.x[self.xi(inst.$n)].0
            };
        }
        macro_rules! p {
            ($n:ident) => {
                self.p[self.p_base + usize::from(inst.$n)]
            };
        }
        macro_rules! to_w {
            ($l:ident, $value:expr) => {{
                let mut out = W::ZERO;
                for $l in 0..WARP {
                    out.0[$l] = $value;
                }
                let d = self.wi(inst.d);
                self.w[d].set(&out, mask);
            }};
        }
        macro_rules! to_x {
            ($l:ident, $value:expr) => {{
                let mut out = X::ZERO;
                for $l in 0..WARP {
                    out.0[$l] = $value;
                }
                let d = self.xi(inst.d);
                self.x[d].set(&out, mask);
            }};
        }
        macro_rules! to_p {
            ($bits:expr) => {{
                let bits: u32 = $bits;
                let d = self.p_base + usize::from(inst.d);
                self.p[d] = bits & mask | self.p[d] & !mask;
            }};
        }
        macro_rules! each {
            ($l:ident, $holds:expr) => {{
                let mut bits = 0u32;
                for $l in 0..WARP {
                    bits |= u32::from($holds) << $l;
                }
                bits
            }};
        }
        macro_rules! shape {
            (w_w $f:ident) => {{
                let a = w!(a);
                to_w!(l, semantics::$f(a[l]))
            }};
            (w_ww $f:ident) => {{
                let (a, b) = (w!(a), w!(b));
                to_w!(l, semantics::$f(a[l], b[l]))
            }};
            (w_www $f:ident) => {{
                let (a, b, c) = (w!(a), w!(b), w!(c));
                to_w!(l, semantics::$f(a[l], b[l], c[l]))
            }};
            (w_wwwi $f:ident) => {{
                let (a, b, c, i) = (w!(a), w!(b), w!(c), inst.imm as u32);
                to_w!(l, semantics::$f(a[l], b[l], c[l], i))
            }};
            (x_x $f:ident) => {{
                let a = x!(a);
                to_x!(l, semantics::$f(a[l]))
            }};
            (x_xx $f:ident) => {{
                let (a, b) = (x!(a), x!(b));
                to_x!(l, semantics::$f(a[l], b[l]))
            }};
            (x_xxx $f:ident) => {{
                let (a, b, c) = (x!(a), x!(b), x!(c));
                to_x!(l, semantics::$f(a[l], b[l], c[l]))
            }};
            (x_xw $f:ident) => {{
                let (a, b) = (x!(a), w!(b));
                to_x!(l, semantics::$f(a[l], b[l]))
            }};
            (x_w $f:ident) => {{
                let a = w!(a);
                to_x!(l, semantics::$f(a[l]))
            }};
            (w_x $f:ident) => {{
                let a = x!(a);
                to_w!(l, semantics::$f(a[l]))
            }};
            (x_ww $f:ident) => {{
                let (a, b) = (w!(a), w!(b));
                to_x!(l, semantics::$f(a[l], b[l]))
            }};
            (x_wwx $f:ident) => {{
                let (a, b, c) = (w!(a), w!(b), x!(c));
                to_x!(l, semantics::$f(a[l], b[l], c[l]))
            }};
            (w_wwp $f:ident) => {{
                let (a, b, p) = (w!(a), w!(b), p!(c));
                to_w!(l, semantics::$f(a[l], b[l], p >> l & 1 != 0))
            }};
            (x_xxp $f:ident) => {{
                let (a, b, p) = (x!(a), x!(b), p!(c));
                to_x!(l, semantics::$f(a[l], b[l], p >> l & 1 != 0))
            }};
            (p_ww $f:ident) => {{
                let (a, b) = (w!(a), w!(b));
                to_p!(each!(l, semantics::$f(a[l], b[l])))
            }};
            (p_xx $f:ident) => {{
                let (a, b) = (x!(a), x!(b));
                to_p!(each!(l, semantics::$f(a[l], b[l])))
            }};
            (p_p $f:ident) => {
                to_p!(semantics::$f(p!(a)))
            };
            (p_pp $f:ident) => {
                to_p!(semantics::$f(p!(a), p!(b)))
            };
        }
        macro_rules! dispatch {
            ($($name:ident $shape:ident $meaning:ident [$($mnemonic:literal),+],)+) => {
                match inst.op {
                    $(Op::$name => shape!($shape $meaning),)+
                    Op::Special => self.special(inst, mask),
                    Op::LoadGlobal | Op::StoreGlobal | Op::AddGlobal | Op::LoadShared | Op::StoreShared
                    | Op::LoadConstant => {}
                }
            };
        }
        alu!(dispatch);
    }

    #[inline(always)]
    fn special(&mut self, inst: &Inst, mask: u32) {
        let first = (self.warp * WARP) as u32;
        let mut out = W::ZERO;
        let [bx, by, _] = self.run.block;
        let which = Special::ALL[usize::from(inst.a)];
        for l in 0..WARP {
            let thread = first + l as u32;
            out.0[l] = match which {
                Special::LaneId => l as u32,
                Special::WarpId => self.warp as u32,
                // In one dimension, the usual case, without a division.
                Special::TidX if bx as usize >= self.warps.len() * WARP => thread,
                Special::TidX => thread % bx,
                Special::TidY => thread / bx % by,
                Special::TidZ => thread / bx / by,
            };
        }
        let d = self.wi(inst.d);
        self.w[d].set(&out, mask);
    }

    // Memory. What nearly every access of ordinary code is, a row of neighbours or one address for all lanes, is seen
    // from the address register at once and takes a short way; everything else goes lane by lane.

    /// The address of the lowest active lane, and how those of the others lie to it.
    #[inline(always)]
    fn pattern(&self, access: &Access, inst: &Inst, mask: u32) -> (u64, Pattern) {
        let lowest = mask.trailing_zeros() as usize % WARP;
        let offset = i64::from(inst.imm) as u64;
        // Differences tell rows and broadcasts; a loop that ORs them is one that compilers vectorise well.
        macro_rules! differences {
            ($a:expr, $t:ty) => {{
                let a = $a;
                let start = a[lowest];
                let mut row: $t = 0;
                let mut same: $t = 0;
                if mask == ALL {
                    for l in 0..WARP {
                        let d = a[l].wrapping_sub(start);
                        row |= d ^ (l as $t) << access.shift;
                        same |= d;
                    }
                } else {
                    let origin = start.wrapping_sub((lowest as $t) << access.shift);
                    for l in 0..WARP {
                        let active = <$t>::from(mask >> l & 1).wrapping_neg();
                        row |= (a[l].wrapping_sub(origin) ^ (l as $t) << access.shift) & active;
                        same |= a[l].wrapping_sub(start) & active;
                    }
                    // Lanes off in between make it no row.
                    let run = mask >> lowest;
                    row |= <$t>::from(run & run.wrapping_add(1));
                }
                (start, row == 0, same == 0)
            }};
        }
        let (first, row, same) = if access.wide_address {
            let (start, row, same) = differences!(&self.x[self.xi(inst.a)].0, u64);
            (start.wrapping_add(offset), row, same)
        } else {
            let (start, row, same) = differences!(&self.w[self.wi(inst.a)].0, u32);
            (u64::from(start.wrapping_add(offset as u32)), row, same)
        };
        let aligned = first & ((1 << access.shift) - 1) == 0;
        // A single lane is both; a broadcast is the cheaper way then.
        let pattern = match (aligned, same, row) {
            (true, true, _) => Pattern::Same,
            (true, _, true) => Pattern::Row,
            _ => Pattern::Any,
        };
        (first, pattern)
    }

    #[inline(always)]
    fn addresses(&self, access: &Access, inst: &Inst) -> X {
        let offset = i64::from(inst.imm) as u64;
        let mut out = X::ZERO;
        if access.wide_address {
            let a = &self.x[self.xi(inst.a)];
            for l in 0..WARP {
                out.0[l] = a.0[l].wrapping_add(offset);
            }
        } else {
            let a = &self.w[self.wi(inst.a)];
            for l in 0..WARP {
                out.0[l] = u64::from(a.0[l].wrapping_add(offset as u32));
            }
        }
        out
    }

    /// The first lane whose address is no multiple of the access's width.
    #[inline(always)]
    fn aligned(addresses: &X, mask: u32, width: u64) -> Result<(), Stop> {
        let mut bits = 0;
        for l in 0..WARP {
            bits |= addresses.0[l] & (width - 1) & u64::from(mask >> l & 1).wrapping_neg();
        }
        if bits == 0 { Ok(()) } else { Self::first_misaligned(addresses, mask, width) }
    }

    #[cold]
    #[inline(never)]
    fn first_misaligned(addresses: &X, mask: u32, width: u64) -> Result<(), Stop> {
        match lanes(mask).find(|l| addresses.0[*l] & (width - 1) != 0) {
            Some(lane) => Err(Stop::at(FaultKind::MisalignedAddress, lane, addresses.0[lane], width)),
            None => Ok(()),
        }
    }

    /// The first lane whose access leaves a memory that begins at zero.
    #[inline(always)]
    fn inside(addresses: &X, mask: u32, width: u64, size: u64, kind: FaultKind) -> Result<(), Stop> {
        let mut high = 0;
        for l in 0..WARP {
            high = high.max(addresses.0[l] & u64::from(mask >> l & 1).wrapping_neg());
        }
        if high < size && high + width <= size {
            Ok(())
        } else {
            Self::first_outside(addresses, mask, width, size, kind)
        }
    }

    #[cold]
    #[inline(never)]
    fn first_outside(addresses: &X, mask: u32, width: u64, size: u64, kind: FaultKind) -> Result<(), Stop> {
        match lanes(mask).find(|l| addresses.0[*l].checked_add(width).is_none_or(|end| end > size)) {
            Some(lane) => Err(Stop::at(kind, lane, addresses.0[lane], width)),
            None => Ok(()),
        }
    }

    /// The allocation that all lanes are in, nothing if each is in one of its own, or the first lane that is in none.
    #[inline(always)]
    fn allocated(
        &mut self,
        inst: &Inst,
        addresses: &X,
        mask: u32,
        width: u64,
    ) -> Result<Option<&'a Allocation>, Stop> {
        let (mut low, mut high) = (u64::MAX, 0);
        for l in 0..WARP {
            let active = u64::from(mask >> l & 1).wrapping_neg();
            low = low.min(addresses.0[l] | !active);
            high = high.max(addresses.0[l] & active);
        }
        let hint = &mut self.hints[usize::from(inst.b)];
        let global = self.run.global;
        match high.checked_add(width).and_then(|end| global.find(low, end, hint)) {
            Some(one) => Ok(Some(one)),
            None => self.first_stray(addresses, mask, width).map(|()| None),
        }
    }

    #[cold]
    #[inline(never)]
    fn first_stray(&self, addresses: &X, mask: u32, width: u64) -> Result<(), Stop> {
        let mut hint = 0;
        let stray = lanes(mask).find(|l| {
            let first = addresses.0[*l];
            first.checked_add(width).is_none_or(|end| self.run.global.find(first, end, &mut hint).is_none())
        });
        match stray {
            Some(lane) => {
                let address = addresses.0[lane];
                let kind =
                    if address < NULL_PAGE { FaultKind::NullPointer } else { FaultKind::OutOfBoundsGlobal };
                Err(Stop::at(kind, lane, address, width))
            }
            None => Ok(()),
        }
    }

    #[inline(always)]
    fn write_element(&mut self, access: &Access, e: usize, values: &X, mask: u32) {
        let register = access.registers[e];
        if register == NONE {
            return;
        }
        if access.wide[e] {
            let d = self.xi(register);
            self.x[d].set(values, mask);
        } else {
            let mut out = W::ZERO;
            for l in 0..WARP {
                out.0[l] = values.0[l] as u32;
            }
            let d = self.wi(register);
            self.w[d].set(&out, mask);
        }
    }

    #[inline(always)]
    fn read_element(&self, access: &Access, e: usize) -> X {
        let register = access.registers[e];
        if access.wide[e] {
            return self.x[self.xi(register)];
        }
        let mut out = X::ZERO;
        let from = &self.w[self.wi(register)];
        for l in 0..WARP {
            out.0[l] = u64::from(from.0[l]);
        }
        out
    }

    /// The cost of scattered addresses: from the memo, or computed.
    #[inline(always)]
    fn cost(
        &mut self,
        inst: &Inst,
        addresses: &X,
        mask: u32,
        compute: impl FnOnce() -> [u32; 2],
    ) -> [u32; 2] {
        let memo = &mut self.memos[usize::from(inst.b)];
        let first = addresses.0[mask.trailing_zeros() as usize % WARP];
        let phase = first % access::LINE;
        let mut differences = X::ZERO;
        let mut differ = 0;
        for l in 0..WARP {
            let active = u64::from(mask >> l & 1).wrapping_neg();
            differences.0[l] = addresses.0[l].wrapping_sub(first) & active;
            differ |= differences.0[l] ^ memo.differences.0[l];
        }
        if differ != 0 || memo.mask != mask || memo.phase != phase {
            *memo = Memo { mask, phase, differences, cost: compute() };
        }
        memo.cost
    }

    #[inline(always)]
    fn load_global(&mut self, inst: &Inst, mask: u32) -> Result<(), Stop> {
        let run = self.run;
        let access = &run.kernel.accesses[usize::from(inst.b)];
        let (first, pattern) = self.pattern(access, inst, mask);
        if self.caches.is_some() {
            self.sample_global(access, inst, mask);
        }
        let width = u64::from(access.width());
        let hint = &mut self.hints[usize::from(inst.b)];
        match pattern {
            Pattern::Same => {
                if let Some(a) = run.global.find(first, first.saturating_add(width), hint) {
                    let counters = &mut self.tally.counters;
                    counters.global_load_requests += 1;
                    counters.global_load_sectors += 1;
                    counters.global_load_lines += 1;
                    for e in 0..usize::from(access.count) {
                        let at = first - a.base + (e as u64) * u64::from(access.bytes);
                        let value = extend(a.load(at, access.bytes), access.bytes, access.signed);
                        self.write_element(access, e, &X([value; WARP]), mask);
                    }
                    return Ok(());
                }
            }
            Pattern::Row if access.words => {
                let end = first.saturating_add(width * u64::from(mask.count_ones()));
                if let Some(a) = run.global.find(first, end, hint) {
                    let counters = &mut self.tally.counters;
                    counters.global_load_requests += 1;
                    counters.global_load_sectors += (end - 1) / access::SECTOR - first / access::SECTOR + 1;
                    counters.global_load_lines += (end - 1) / access::LINE - first / access::LINE + 1;
                    let at = ((first - a.base) >> 2) as usize;
                    let count = usize::from(access.count);
                    if mask == ALL && count == 1 {
                        let words = &a.words[at..at + WARP];
                        let mut out = W::ZERO;
                        for l in 0..WARP {
                            out.0[l] = words[l].load(Relaxed);
                        }
                        let d = self.wi(access.registers[0]);
                        self.w[d] = out;
                        return Ok(());
                    }
                    let lowest = mask.trailing_zeros() as usize;
                    let active = mask.count_ones() as usize;
                    let words = &a.words[at..at + count * active];
                    for e in 0..count {
                        if access.registers[e] == NONE {
                            continue;
                        }
                        let d = self.wi(access.registers[e]);
                        let into = &mut self.w[d].0[lowest..lowest + active];
                        for (l, lane) in into.iter_mut().enumerate() {
                            *lane = words[l * count + e].load(Relaxed);
                        }
                    }
                    return Ok(());
                }
            }
            _ => {}
        }
        self.load_global_any(inst, mask)
    }

    #[inline(always)]
    fn load_global_any(&mut self, inst: &Inst, mask: u32) -> Result<(), Stop> {
        let run = self.run;
        let access = &run.kernel.accesses[usize::from(inst.b)];
        let addresses = self.addresses(access, inst);
        let width = u64::from(access.width());
        Self::aligned(&addresses, mask, width)?;
        let one = self.allocated(inst, &addresses, mask, width)?;
        let [sectors, lines] = self.cost(inst, &addresses, mask, || {
            [access::sectors(&addresses.0, mask), access::lines(&addresses.0, mask)]
        });
        let counters = &mut self.tally.counters;
        counters.global_load_requests += 1;
        counters.global_load_sectors += u64::from(sectors);
        counters.global_load_lines += u64::from(lines);
        for e in 0..usize::from(access.count) {
            let offset = (e * usize::from(access.bytes)) as u64;
            let mut out = X::ZERO;
            match one {
                Some(a) if access.bytes == 4 && !access.signed && mask == ALL => {
                    for l in 0..WARP {
                        out.0[l] = a.load(addresses.0[l] + offset - a.base, 4);
                    }
                }
                _ => {
                    let mut hint = 0;
                    for l in lanes(mask) {
                        let at = addresses.0[l] + offset;
                        // Every lane is inside of an allocation: of one, or each of its own.
                        if let Some(a) = run.global.find(at, at + u64::from(access.bytes), &mut hint) {
                            out.0[l] = extend(a.load(at - a.base, access.bytes), access.bytes, access.signed);
                        }
                    }
                }
            }
            self.write_element(access, e, &out, mask);
        }
        Ok(())
    }

    #[inline(always)]
    fn store_global(&mut self, inst: &Inst, mask: u32) -> Result<(), Stop> {
        let run = self.run;
        let access = &run.kernel.accesses[usize::from(inst.b)];
        let (first, pattern) = self.pattern(access, inst, mask);
        if pattern == Pattern::Row && access.words {
            let width = u64::from(access.width());
            let end = first.saturating_add(width * u64::from(mask.count_ones()));
            if let Some(a) = run.global.find(first, end, &mut self.hints[usize::from(inst.b)]) {
                let counters = &mut self.tally.counters;
                counters.global_store_requests += 1;
                counters.global_store_sectors += (end - 1) / access::SECTOR - first / access::SECTOR + 1;
                let at = ((first - a.base) >> 2) as usize;
                let count = usize::from(access.count);
                if mask == ALL && count == 1 {
                    let words = &a.words[at..at + WARP];
                    let from = &self.w[self.wi(access.registers[0])];
                    for l in 0..WARP {
                        words[l].store(from.0[l], Relaxed);
                    }
                    return Ok(());
                }
                let lowest = mask.trailing_zeros() as usize;
                let active = mask.count_ones() as usize;
                let words = &a.words[at..at + count * active];
                for e in 0..count {
                    let from = &self.w[self.wi(access.registers[e])].0[lowest..lowest + active];
                    for (l, lane) in from.iter().enumerate() {
                        words[l * count + e].store(*lane, Relaxed);
                    }
                }
                return Ok(());
            }
        }
        self.store_global_any(inst, mask)
    }

    #[inline(never)]
    fn store_global_any(&mut self, inst: &Inst, mask: u32) -> Result<(), Stop> {
        let run = self.run;
        let access = &run.kernel.accesses[usize::from(inst.b)];
        let addresses = self.addresses(access, inst);
        let width = u64::from(access.width());
        Self::aligned(&addresses, mask, width)?;
        self.allocated(inst, &addresses, mask, width)?;
        let [sectors, _] = self.cost(inst, &addresses, mask, || [access::sectors(&addresses.0, mask), 0]);
        let counters = &mut self.tally.counters;
        counters.global_store_requests += 1;
        counters.global_store_sectors += u64::from(sectors);
        for e in 0..usize::from(access.count) {
            let values = self.read_element(access, e);
            let hint = &mut self.hints[usize::from(inst.b)];
            for l in lanes(mask) {
                let at = addresses.0[l] + (e * usize::from(access.bytes)) as u64;
                if let Some(a) = run.global.find(at, at + u64::from(access.bytes), hint) {
                    a.store(at - a.base, access.bytes, values.0[l]);
                }
            }
        }
        Ok(())
    }

    #[inline(never)]
    fn add_global(&mut self, inst: &Inst, mask: u32) -> Result<(), Stop> {
        let run = self.run;
        let access = &run.kernel.accesses[usize::from(inst.b)];
        let addresses = self.addresses(access, inst);
        Self::aligned(&addresses, mask, 4)?;
        self.allocated(inst, &addresses, mask, 4)?;
        self.tally.counters.global_red_requests += 1;
        self.tally.counters.global_red_sectors += u64::from(access::reduction(&addresses.0, mask));
        let values = self.read_element(access, 0);
        let hint = &mut self.hints[usize::from(inst.b)];
        for l in lanes(mask) {
            let at = addresses.0[l];
            if let Some(a) = run.global.find(at, at + 4, hint) {
                a.add_u32(at - a.base, values.0[l] as u32);
            }
        }
        Ok(())
    }

    #[inline(always)]
    fn load_shared(&mut self, inst: &Inst, mask: u32) -> Result<(), Stop> {
        let run = self.run;
        let access = &run.kernel.accesses[usize::from(inst.b)];
        let (first, pattern) = self.pattern(access, inst, mask);
        if pattern == Pattern::Row && access.words && access.count == 1 {
            let active = mask.count_ones() as usize;
            let at = first as usize;
            let d = self.wi(access.registers[0]);
            if let Some(from) = self.shared.get(at..at.saturating_add(4 * active)) {
                let counters = &mut self.tally.counters;
                counters.shared_load_instructions += 1;
                counters.shared_load_wavefronts += 1;
                if mask == ALL {
                    let mut out = W::ZERO;
                    for (lane, bytes) in out.0.iter_mut().zip(from.as_chunks::<4>().0) {
                        *lane = u32::from_le_bytes(*bytes);
                    }
                    self.w[d] = out;
                } else {
                    let lowest = mask.trailing_zeros() as usize;
                    let into = &mut self.w[d].0[lowest..lowest + active];
                    for (lane, bytes) in into.iter_mut().zip(from.as_chunks::<4>().0) {
                        *lane = u32::from_le_bytes(*bytes);
                    }
                }
                return Ok(());
            }
        }
        self.load_shared_any(inst, mask)
    }

    #[inline(always)]
    fn load_shared_any(&mut self, inst: &Inst, mask: u32) -> Result<(), Stop> {
        let run = self.run;
        let access = &run.kernel.accesses[usize::from(inst.b)];
        let (addresses, [wavefronts, conflicts]) = self.shared_addresses(access, inst, mask, false)?;
        let counters = &mut self.tally.counters;
        counters.shared_load_instructions += 1;
        counters.shared_load_wavefronts += u64::from(wavefronts);
        counters.shared_load_bank_conflicts += u64::from(conflicts);
        if self.caches.is_some() {
            self.warps[self.warp].cost.conflicts += u64::from(conflicts);
        }
        let size = usize::from(access.bytes);
        for e in 0..usize::from(access.count) {
            let out = gather(&self.shared, access, &addresses, mask, e * size);
            self.write_element(access, e, &out, mask);
        }
        Ok(())
    }

    #[inline(always)]
    fn store_shared(&mut self, inst: &Inst, mask: u32) -> Result<(), Stop> {
        let run = self.run;
        let access = &run.kernel.accesses[usize::from(inst.b)];
        let (first, pattern) = self.pattern(access, inst, mask);
        if pattern == Pattern::Row && access.words && access.count == 1 {
            let active = mask.count_ones() as usize;
            let lowest = mask.trailing_zeros() as usize;
            let at = first as usize;
            let a = self.wi(access.registers[0]);
            if let Some(into) = self.shared.get_mut(at..at.saturating_add(4 * active)) {
                let counters = &mut self.tally.counters;
                counters.shared_store_instructions += 1;
                counters.shared_store_wavefronts += 1;
                let from = &self.w[a].0;
                if mask == ALL {
                    for (bytes, lane) in into.as_chunks_mut::<4>().0.iter_mut().zip(from) {
                        *bytes = lane.to_le_bytes();
                    }
                } else {
                    for (bytes, lane) in into.as_chunks_mut::<4>().0.iter_mut().zip(&from[lowest..]) {
                        *bytes = lane.to_le_bytes();
                    }
                }
                return Ok(());
            }
        }
        self.store_shared_any(inst, mask)
    }

    #[inline(never)]
    fn store_shared_any(&mut self, inst: &Inst, mask: u32) -> Result<(), Stop> {
        let run = self.run;
        let access = &run.kernel.accesses[usize::from(inst.b)];
        let (addresses, [wavefronts, conflicts]) = self.shared_addresses(access, inst, mask, true)?;
        let counters = &mut self.tally.counters;
        counters.shared_store_instructions += 1;
        counters.shared_store_wavefronts += u64::from(wavefronts);
        counters.shared_store_bank_conflicts += u64::from(conflicts);
        let size = usize::from(access.bytes);
        for e in 0..usize::from(access.count) {
            let values = self.read_element(access, e);
            for l in lanes(mask) {
                let at = addresses.0[l] as usize + e * size;
                self.shared[at..at + size].copy_from_slice(&values.0[l].to_le_bytes()[..size]);
            }
        }
        Ok(())
    }

    /// Shared addresses of the lanes, aligned and inside of the block's shared memory, and their wavefronts and conflicts.
    #[inline(always)]
    fn shared_addresses(
        &mut self,
        access: &Access,
        inst: &Inst,
        mask: u32,
        store: bool,
    ) -> Result<(X, [u32; 2]), Stop> {
        let width = u64::from(access.width());
        let addresses = self.addresses(access, inst);
        Self::aligned(&addresses, mask, width)?;
        Self::inside(&addresses, mask, width, self.shared.len() as u64, FaultKind::OutOfBoundsShared)?;
        let cost = self.cost(inst, &addresses, mask, || {
            let waves = access::wavefronts(&addresses.0.map(|a| a as u32), mask, access.width(), store);
            [waves.wavefronts, waves.conflicts]
        });
        Ok((addresses, cost))
    }

    #[inline(always)]
    fn load_constant(&mut self, inst: &Inst, mask: u32) -> Result<(), Stop> {
        let run = self.run;
        let access = &run.kernel.accesses[usize::from(inst.b)];
        let (first, pattern) = self.pattern(access, inst, mask);
        if pattern == Pattern::Same {
            let at = first as usize;
            let width = access.width() as usize;
            if let Some(from) = run.constant.get(at..at.saturating_add(width)) {
                self.count_constant(access, inst, mask, 1);
                for e in 0..usize::from(access.count) {
                    let size = usize::from(access.bytes);
                    let value =
                        extend(little_endian(from, e * size, access.bytes), access.bytes, access.signed);
                    self.write_element(access, e, &X([value; WARP]), mask);
                }
                return Ok(());
            }
        }
        self.load_constant_any(inst, mask)
    }

    #[inline(always)]
    fn load_constant_any(&mut self, inst: &Inst, mask: u32) -> Result<(), Stop> {
        let run = self.run;
        let access = &run.kernel.accesses[usize::from(inst.b)];
        let width = u64::from(access.width());
        let addresses = self.addresses(access, inst);
        Self::aligned(&addresses, mask, width)?;
        Self::inside(&addresses, mask, width, run.constant.len() as u64, FaultKind::OutOfBoundsConstant)?;
        let [distinct, _] =
            self.cost(inst, &addresses, mask, || [access::distinct_addresses(&addresses.0, mask), 0]);
        let distinct = u64::from(distinct);
        self.count_constant(access, inst, mask, distinct);
        let size = usize::from(access.bytes);
        for e in 0..usize::from(access.count) {
            let out = gather(run.constant, access, &addresses, mask, e * size);
            self.write_element(access, e, &out, mask);
        }
        Ok(())
    }

    #[inline(always)]
    fn count_constant(&mut self, access: &Access, inst: &Inst, mask: u32, distinct: u64) {
        // 16 bytes are two instructions of 8 on the hardware (`tests/truth`).
        let instructions = u64::from(access.width().div_ceil(8));
        let counters = &mut self.tally.counters;
        counters.const_instructions += instructions;
        counters.const_divergent_instructions += if distinct > 1 { instructions } else { 0 };
        counters.const_replays += instructions * (distinct - 1);
        counters.idc_requests += instructions * distinct;
        if self.caches.is_some() {
            self.sample_constant(access, inst, mask, instructions, distinct);
        }
    }

    // What sampled blocks show to the time model.

    #[cold]
    #[inline(never)]
    fn sample_global(&mut self, access: &Access, inst: &Inst, mask: u32) {
        let addresses = self.addresses(access, inst);
        let Some(caches) = &mut self.caches else { return };
        let sample = &mut self.tally.sample;
        let cost = &mut self.warps[self.warp].cost;
        let mut seen = u64::MAX;
        let (mut missed, mut new) = (false, 0);
        for l in lanes(mask) {
            let sector = addresses.0[l] / access::SECTOR;
            if sector == seen {
                continue;
            }
            seen = sector;
            let found = caches.l1.access(addresses.0[l]);
            sample.l1_sectors += 1;
            sample.l1_misses += u64::from(found != Found::Hit);
            sample.l1_first_touches += u64::from(found == Found::New);
            missed |= found != Found::Hit;
            new += u32::from(found == Found::New);
        }
        cost.l1_misses += u64::from(missed);
        // Less than a line is taken to be somebody else's line too, on its way to L2 already.
        cost.memory += u64::from(new >= (access::LINE / access::SECTOR) as u32);
        cost.lines += u64::from(access::lines(&addresses.0, mask) - 1);
    }

    #[cold]
    #[inline(never)]
    fn sample_constant(&mut self, access: &Access, inst: &Inst, mask: u32, instructions: u64, distinct: u64) {
        let addresses = self.addresses(access, inst);
        let Some(caches) = &mut self.caches else { return };
        let sample = &mut self.tally.sample;
        let cost = &mut self.warps[self.warp].cost;
        sample.constant_requests += instructions * distinct;
        cost.replays += instructions * (distinct - 1);
        for (n, l) in lanes(mask).enumerate() {
            if lanes(mask).take(n).any(|before| addresses.0[before] == addresses.0[l]) {
                continue;
            }
            if caches.constant_l1.access(addresses.0[l]) == Found::Miss {
                sample.constant_l1_misses += 1;
                cost.constant_l1_misses += 1;
                if caches.constant_l2.access(addresses.0[l]) == Found::Miss {
                    sample.constant_l2_misses += 1;
                    cost.constant_l2_misses += 1;
                }
            } else {
                // What the first cache holds, the second has seen.
                caches.constant_l2.access(addresses.0[l]);
            }
        }
    }
}

/// A loaded value in 64 bits.
#[inline(always)]
fn extend(value: u64, bytes: u8, signed: bool) -> u64 {
    let shift = 64 - 8 * u32::from(bytes);
    if signed { ((value << shift) as i64 >> shift) as u64 } else { value }
}

/// What the lanes of `mask` find `offset` bytes past their addresses, which have been checked.
#[inline(always)]
fn gather(memory: &[u8], access: &Access, addresses: &X, mask: u32, offset: usize) -> X {
    let mut out = X::ZERO;
    if access.bytes == 4 && !access.signed && mask == ALL {
        for l in 0..WARP {
            out.0[l] = little_endian(memory, addresses.0[l] as usize + offset, 4);
        }
    } else {
        for l in lanes(mask) {
            let value = little_endian(memory, addresses.0[l] as usize + offset, access.bytes);
            out.0[l] = extend(value, access.bytes, access.signed);
        }
    }
    out
}

/// A value of 1, 2, 4 or 8 bytes at a place that has been checked.
#[inline(always)]
fn little_endian(memory: &[u8], at: usize, bytes: u8) -> u64 {
    let array = |n: usize| &memory[at..at + n];
    match bytes {
        4 => array(4).first_chunk().map_or(0, |b| u64::from(u32::from_le_bytes(*b))),
        8 => array(8).first_chunk().map_or(0, |b| u64::from_le_bytes(*b)),
        2 => array(2).first_chunk().map_or(0, |b| u64::from(u16::from_le_bytes(*b))),
        _ => u64::from(memory[at]),
    }
}

/// The three-dimensional index of a number, x first.
pub(crate) fn index_in(number: u64, size: [u32; 3]) -> [u32; 3] {
    let (x, y) = (u64::from(size[0].max(1)), u64::from(size[1].max(1)));
    [(number % x) as u32, (number / x % y) as u32, (number / x / y) as u32]
}
