//! Runs a launch: blocks over cores, warps over barriers, instructions over 32 lanes.
//!
//! A warp's lanes move in fragments: lanes at one place with one mask. Where a branch splits a fragment, both parts
//! remember the block at which they meet again (the branch's immediate post-dominator) and wait there for each other.
//! Lanes are independent all the same, as on GPUs since Volta: a fragment that goes round a loop for long lets others
//! of its warp, and then other warps, go first, and waiting lanes stop waiting for it; so a lock that one lane holds
//! while others of its warp spin is released.
//!
//! Blocks are handed out in rising order, a cluster's together. What a launch counts is a sum over blocks and does not
//! depend on who ran them, as long as blocks do not wait for each other; the fault that is reported is that of the lowest
//! block that has one. A worker has one block at a time, and more where that one waits for others ([`resident`]).

mod address;
mod atomic;
mod bulk;
mod checks;
mod cluster;
mod compute;
mod constant;
mod exchange;
mod fused;
mod generic;
mod global;
mod local;
mod matrix;
mod mbarrier;
mod profile;
mod resident;
mod sample;
mod shared;
mod system;
mod trace;
mod warp;

use crate::WARP;
use crate::counters::Counters;
use crate::device::{Interrupt, Options};
use crate::error::FaultKind;
use crate::heap::Heap;
use crate::ir::*;
use crate::lanes::{ALL, W, X};
use crate::memory::{Global, NULL_PAGE};
use crate::model::chip::Chip;
use crate::model::time::Sample;
use address::{Memo, Way, extend, little_endian};
pub(crate) use checks::origin_of;
use checks::{Checks, Other};
pub(crate) use profile::Profile;
use resident::{Resident, Turn};
use sample::Caches;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
pub(crate) use trace::{Noted, Notes};
use warp::{Fragment, FreeRegisters, Waiting, Warp};

/// Blocks that are looked at for the time model, spread over the grid.
const SAMPLED_BLOCKS: u64 = 8;
/// The most that a block may spend, whatever it was given: far from where sums would overflow.
const MOST: u64 = 1 << 62;
/// What a worker spends between two looks at whether the launch has to end.
const UNWATCHED: u64 = 1 << 16;
/// What shared and local memory hold before they are written: not zero, so that code which relies on zeros fails.
const POISON: u32 = 0xcdcd_cdcd;

/// A launch, ready to run.
pub(crate) struct Run<'a> {
    pub(crate) kernel: &'a Kernel,
    pub(crate) chip: &'a Chip,
    pub(crate) global: &'a Global,
    /// Where the kernel can allocate memory.
    pub(crate) heap: Option<&'a Heap>,
    pub(crate) constant: &'a [u8],
    /// Device address of each symbol; of constant ones, not used.
    pub(crate) symbols: &'a [u64],
    pub(crate) parameters: &'a [u8],
    pub(crate) grid: [u32; 3],
    pub(crate) block: [u32; 3],
    pub(crate) shared_bytes: u32,
    /// Blocks of a cluster in x, y, z; the grid is made of whole ones.
    pub(crate) cluster: [u32; 3],
    pub(crate) is_cluster: bool,
    /// All blocks are there together, and may wait for each other at [`Run::workspace`].
    pub(crate) cooperative: bool,
    /// Address of the words at which they do, or zero.
    pub(crate) workspace: u64,
    pub(crate) options: Options,
    /// Asked now and then whether the launch has to end.
    pub(crate) interrupt: Option<&'a Interrupt>,
}

impl Run<'_> {
    /// Blocks of the grid.
    pub(crate) fn blocks(&self) -> u64 {
        self.grid.iter().map(|n| u64::from(*n)).product()
    }

    /// Blocks of a cluster.
    pub(crate) fn cluster_blocks(&self) -> u64 {
        self.cluster.iter().map(|n| u64::from(*n)).product()
    }

    /// Clusters in x, y, z.
    pub(crate) fn clusters(&self) -> [u32; 3] {
        std::array::from_fn(|axis| self.grid[axis] / self.cluster[axis].max(1))
    }

    /// What one block may spend.
    pub(crate) fn block_budget(&self) -> u64 {
        let Options { budget, budget_per_byte, launch_budget, .. } = self.options;
        let scaled = budget.saturating_add(budget_per_byte.saturating_mul(self.global.used()));
        scaled.min(launch_budget).min(MOST)
    }

    /// What it costs to start a block, in warp instructions: a few of them, or as long as they would take.
    fn block_cost(&self) -> u64 {
        let frame = &self.kernel.functions[0];
        let warp = 4 + u64::from(frame.local_bytes) / 8 + frame.unwritten() as u64 / 4;
        16 + self.kernel.block_code.len() as u64
            + self.warps_per_block() * warp
            + u64::from(self.shared_bytes) / 512
    }

    /// Bytes of registers and local memory of a block before it calls anything.
    fn stack_bytes(&self) -> u64 {
        self.warps_per_block() * self.kernel.functions[0].bytes()
    }

    /// What the launch would need for certain.
    fn check_budgets(&self) -> Result<(), RawFault> {
        let together = if self.cooperative { self.blocks() } else { self.cluster_blocks() };
        let (needs, limit) = (self.stack_bytes().saturating_mul(together), self.options.stack_bytes);
        if needs > limit {
            let of = if together == 1 { "a block" } else { "of the blocks that are there together" };
            let message =
                format!("{needs} bytes of registers and local memory {of}, and {limit} is the most");
            return Err(RawFault { message: Some(message), ..self.fault(FaultKind::StackOverflow) });
        }
        if self.blocks().saturating_mul(self.block_cost()) > self.options.launch_budget {
            return Err(self.over_budget());
        }
        Ok(())
    }

    /// More than the launch's budget was spent: by whom, says nobody, since that may change from run to run.
    #[cold]
    fn over_budget(&self) -> RawFault {
        let message = format!("more than {} warp instructions in the launch", self.options.launch_budget);
        RawFault { message: Some(message), ..self.fault(FaultKind::InfiniteLoop) }
    }

    /// A fault of the launch as a whole.
    fn fault(&self, kind: FaultKind) -> RawFault {
        let origin = self.kernel.listing.first().map(|l| l.origin).unwrap_or_default();
        RawFault { kind, block: 0, thread: 0, origin, address: None, width: 0, message: None, other: None }
    }

    /// Warps of a block; the last one may have lanes off.
    pub(crate) fn warps_per_block(&self) -> u64 {
        self.block.iter().map(|n| u64::from(*n)).product::<u64>().div_ceil(WARP as u64)
    }
}

/// What a launch leaves behind besides memory.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tally {
    pub(crate) counters: Counters,
    pub(crate) sample: Sample,
    /// What blocks printed, in the order in which they ran.
    pub(crate) printed: Vec<(u64, String)>,
    /// How much that is.
    printed_bytes: usize,
    pub(crate) profile: Option<Box<Profile>>,
    pub(crate) notes: Notes,
}

/// A fault as the interpreter knows it: numbers, no text.
#[derive(Clone, Debug)]
pub(crate) struct RawFault {
    pub(crate) kind: FaultKind,
    pub(crate) block: u64,
    pub(crate) thread: u32,
    pub(crate) origin: Origin,
    pub(crate) address: Option<u64>,
    /// Bytes of the access.
    pub(crate) width: u32,
    /// What there is to say beyond the kind.
    pub(crate) message: Option<String>,
    /// With whom a thread raced.
    pub(crate) other: Option<Other>,
}

/// Runs all blocks.
pub(crate) fn run(run: &Run<'_>) -> Result<Tally, RawFault> {
    let (blocks, warps_per_block) = (run.blocks(), run.warps_per_block());
    run.check_budgets()?;
    let queue = Queue {
        next: AtomicU64::new(0),
        units: blocks / run.cluster_blocks(),
        first_fault: AtomicU64::new(u64::MAX),
        spent: AtomicU64::new(0),
        resident: AtomicU64::new(0),
        workers: AtomicU64::new(0),
        idle: Mutex::default(),
        deadlocked: AtomicBool::new(false),
        capacity: run.capacity(),
        warps_per_unit: warps_per_block.saturating_mul(run.cluster_blocks()),
    };
    let results = workers(run, &queue, blocks.saturating_mul(warps_per_block));
    let mut tally = Tally::default();
    let mut fault: Option<RawFault> = None;
    for result in results {
        match result {
            Ok(part) => {
                tally.counters.add(&part.counters);
                tally.sample.add(&part.sample);
                tally.printed.extend(part.printed);
                tally.notes.add(part.notes);
                match (&mut tally.profile, part.profile) {
                    (Some(all), Some(part)) => all.add(&part),
                    (all, part) => *all = all.take().or(part),
                }
            }
            Err(new) if fault.as_ref().is_none_or(|old| new.block < old.block) => fault = Some(new),
            Err(_) => {}
        }
    }
    if let Some(fault) = fault {
        return Err(fault);
    }
    tally.printed.sort_by_key(|(block, _)| *block);
    // The sampled blocks stand for all.
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

/// Hands out units, which are clusters or blocks of their own, in chunks, lowest first.
struct Queue {
    next: AtomicU64,
    units: u64,
    first_fault: AtomicU64,
    /// Blocks that have begun and not ended, and how many of them a chip has room for.
    resident: AtomicU64,
    capacity: u64,
    /// What blocks have spent of the launch's budget; while all of them wait, it stays the same.
    spent: AtomicU64,
    /// Workers that have begun and not ended.
    workers: AtomicU64,
    /// At which value of `spent` how many of them have found nothing but blocks that wait, for long.
    idle: Mutex<(u64, u64)>,
    /// All of them had.
    deadlocked: AtomicBool,
    warps_per_unit: u64,
}

impl Queue {
    fn take(&self) -> Option<std::ops::Range<u64>> {
        // As many as make it worth asking, and few enough for all workers to end at about the same time.
        let chunk = (256 / self.warps_per_unit.max(1)).min(self.units / 32).max(1);
        let from = self.next.fetch_add(chunk, Relaxed);
        (from < self.units).then(|| from..(from + chunk).min(self.units))
    }
}

#[cfg(feature = "parallel")]
fn workers(run: &Run<'_>, queue: &Queue, warps: u64) -> Vec<Result<Tally, RawFault>> {
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
fn workers(run: &Run<'_>, queue: &Queue, _warps: u64) -> Vec<Result<Tally, RawFault>> {
    vec![work(run, queue)]
}

/// One worker: the whole interpreter is compiled for each of the vector instruction sets that `pulp` knows, and the
/// best that this machine has is chosen here, once. Where there is one to choose, the interpreter without any has no
/// copy of the instruction table in it: that would be most of what there is to compile, for machines of before 2013.
fn work(run: &Run<'_>, queue: &Queue) -> Result<Tally, RawFault> {
    struct Work<'a, const INLINE: bool>(&'a Run<'a>, &'a Queue);
    impl<const INLINE: bool> pulp::NullaryFnOnce for Work<'_, INLINE> {
        type Output = Result<Tally, RawFault>;

        #[inline(always)]
        fn call(self) -> Self::Output {
            let Work(run, queue) = self;
            let mut worker = Worker::new(run);
            queue.workers.fetch_add(1, Relaxed);
            // No closure: it would be compiled without this function's vector instructions.
            let result = loop {
                match worker.next(queue) {
                    Ok(true) => {}
                    Ok(false) => break Ok(()),
                    Err(fault) => break Err(fault),
                }
                let turn = match worker.rounds::<INLINE>() {
                    Ok(turn) => turn,
                    Err(fault) => break Err(fault),
                };
                if let Err(fault) = worker.after(turn, queue) {
                    break Err(fault);
                }
            };
            if let Err(fault) = &result {
                queue.first_fault.fetch_min(fault.block, Relaxed);
            }
            queue.workers.fetch_sub(1, Relaxed);
            result.map(|()| worker.done())
        }
    }
    #[cfg(target_arch = "x86_64")]
    {
        if let Some(v4) = pulp::x86::V4::try_new() {
            return v4.vectorize(Work::<true>(run, queue));
        }
        if let Some(v3) = pulp::x86::V3::try_new() {
            return v3.vectorize(Work::<true>(run, queue));
        }
        pulp::NullaryFnOnce::call(Work::<false>(run, queue))
    }
    #[cfg(not(target_arch = "x86_64"))]
    pulp::Arch::new().dispatch(Work::<true>(run, queue))
}

struct Worker<'a> {
    run: &'a Run<'a>,
    w: Vec<W>,
    x: Vec<X>,
    p: Vec<u32>,
    shared: Vec<u8>,
    warps: Vec<Warp>,
    free: FreeRegisters,
    /// For each access, the allocation it found last, and what its last scattered addresses cost.
    hints: Vec<u32>,
    memos: Vec<Memo>,
    /// For each access that leads a group, how its addresses lie in the block of instructions that runs.
    ways: Vec<Way>,
    /// Registers of what is known once a block, in `w` and `x`.
    of_block_w: Vec<(usize, OfBlock)>,
    of_block_x: Vec<(usize, OfBlock)>,
    /// What each block may spend.
    budget: u64,
    /// Every so many blocks one is looked at for the time model.
    sample_stride: u64,
    caches: Option<Box<Caches>>,
    /// The same, empty, while no such block runs.
    spare_caches: Option<Box<Caches>>,
    tally: Tally,
    /// Whether anybody looks at single instructions: [`Worker::profile`] or [`Worker::notes`] are there.
    watching: bool,
    profile: Option<Box<Profile>>,
    notes: Option<Box<Notes>>,
    checks: Option<Box<Checks<'a>>>,
    /// The blocks that this worker has begun, if it has others than the one that runs.
    residents: Vec<Resident<'a>>,
    /// The one that runs: its place there is empty, for its state is in this worker's own fields.
    current: usize,
    spare: Vec<Resident<'a>>,
    /// Units that were handed out and have not begun.
    units: std::ops::Range<u64>,
    /// Blocks that the queue has been told of.
    counted: u64,
    /// Whether a block that waits has been seen to make progress since the first of them had its turn.
    progress: bool,
    wait: resident::Wait,
    /// What all blocks of this worker have spent since it asked whether the launch has to end.
    unwatched: u64,
    // Of the block that runs:
    block: u64,
    cluster: u64,
    rank: u32,
    /// What the launch's budget has been told.
    accounted: u64,
    spent: u64,
    clock_reads: u64,
    /// What it may spend: what slow instructions and printing take is taken off, and what waiting took is given back.
    allowed: u64,
    /// Threads that came to a barrier without waiting, by its number.
    arrived: [u32; BARRIERS],
    // Of the warp that runs: its frame, and where that one's registers and local memory begin.
    warp: usize,
    frame: u32,
    w_base: usize,
    x_base: usize,
    p_base: usize,
    local_base: u32,
    /// Since the last jump backwards of the turn: looked at memory that others may write; changed something.
    looked: bool,
    did: bool,
    /// In its last turn, the warp that runs has done nothing but look.
    spun: bool,
    /// The `mbarrier` whose phase was not complete when the last one looked.
    incomplete: Option<u64>,
}

/// Barriers of a block (PTX ISA, `bar`).
const BARRIERS: usize = 16;

/// What stops an instruction: a lane and a reason.
#[derive(Debug)]
struct Stop {
    kind: FaultKind,
    lane: u32,
    address: Option<u64>,
    width: u32,
    message: Option<String>,
    other: Option<Other>,
}

impl Stop {
    #[cold]
    fn at(kind: FaultKind, lane: usize, address: u64, width: u64) -> Self {
        Stop {
            kind,
            lane: lane as u32,
            address: Some(address),
            width: width as u32,
            message: None,
            other: None,
        }
    }

    /// An access to global memory that is in no allocation.
    #[cold]
    fn stray(lane: usize, address: u64, width: u64) -> Self {
        let kind = if address < NULL_PAGE { FaultKind::NullPointer } else { FaultKind::OutOfBoundsGlobal };
        Stop::at(kind, lane, address, width)
    }

    #[cold]
    fn without_address(kind: FaultKind, lane: usize) -> Self {
        Stop { kind, lane: lane as u32, address: None, width: 0, message: None, other: None }
    }
}

impl<'a> Worker<'a> {
    #[inline(always)]
    fn new(run: &'a Run<'a>) -> Self {
        let kernel = run.kernel;
        let warps = run.warps_per_block() as usize;
        let frame = &kernel.functions[0];
        let mut worker = Worker {
            run,
            w: vec![W::ZERO; kernel.fixed_w.len() + warps * usize::from(frame.w)],
            x: vec![X::ZERO; kernel.fixed_x.len() + warps * usize::from(frame.x)],
            p: vec![0; warps * usize::from(frame.p)],
            shared: vec![0; run.shared_bytes as usize],
            warps: (0..warps).map(|_| Warp::default()).collect(),
            free: FreeRegisters::default(),
            hints: vec![0; kernel.accesses.len()],
            memos: vec![Memo::default(); kernel.accesses.len()],
            ways: vec![Way::default(); kernel.accesses.len()],
            of_block_w: vec![],
            of_block_x: vec![],
            budget: run.block_budget(),
            sample_stride: (run.blocks() / SAMPLED_BLOCKS).max(1),
            caches: None,
            spare_caches: None,
            tally: Tally::default(),
            watching: run.options.profile || run.options.trace.is_some(),
            profile: run.options.profile.then(|| Box::new(Profile::new(kernel))),
            notes: run.options.trace.map(|_| Box::default()),
            checks: run.options.checks.then(|| Box::new(Checks::new(kernel, warps, run.shared_bytes))),
            residents: vec![],
            current: 0,
            spare: vec![],
            units: 0..0,
            counted: 0,
            progress: false,
            wait: resident::Wait::default(),
            unwatched: 0,
            block: 0,
            cluster: 0,
            rank: 0,
            accounted: 0,
            spent: 0,
            clock_reads: 0,
            allowed: 0,
            arrived: [0; BARRIERS],
            warp: 0,
            frame: 0,
            w_base: 0,
            x_base: 0,
            p_base: 0,
            local_base: 0,
            looked: false,
            did: false,
            spun: false,
            incomplete: None,
        };
        for (n, fixed) in kernel.fixed_w.iter().enumerate() {
            if let Some(fixed) = fixed {
                worker.w[n] = W([worker.value(*fixed) as u32; WARP]);
                if let Fixed::Block(of) = fixed {
                    worker.of_block_w.push((n, *of));
                }
            }
        }
        for (n, fixed) in kernel.fixed_x.iter().enumerate() {
            if let Some(fixed) = fixed {
                worker.x[n] = X([worker.value(*fixed); WARP]);
                if let Fixed::Block(of) = fixed {
                    worker.of_block_x.push((n, *of));
                }
            }
        }
        for inst in &kernel.launch_code {
            worker.compute_seldom(inst, ALL);
        }
        for n in 0..warps {
            worker.warp = n;
            (worker.w_base, worker.x_base, worker.p_base) = kernel.registers_of(n);
            for inst in &kernel.thread_code {
                worker.compute_seldom(inst, ALL);
            }
        }
        worker
    }

    fn done(mut self) -> Tally {
        self.tally.profile = self.profile.take();
        self.tally.notes = self.notes.take().map(|notes| *notes).unwrap_or_default();
        self.tally
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
            Fixed::ClusterSize(axis) => u64::from(self.run.cluster[usize::from(axis)]),
            Fixed::Clusters(axis) => u64::from(self.run.clusters()[usize::from(axis)]),
            Fixed::ClusterBlocks => self.run.cluster_blocks(),
            Fixed::IsCluster => u64::from(self.run.is_cluster),
            Fixed::Workspace { high } => self.run.workspace >> (if high { 32 } else { 0 }) & 0xffff_ffff,
            Fixed::Block(_) => 0,
            Fixed::Global { symbol, offset } => self.run.symbols[symbol as usize].wrapping_add(offset as u64),
        }
    }

    /// Takes something that is no instruction from the block's budget.
    fn charge(&mut self, instructions: u64) {
        self.allowed = self.allowed.saturating_sub(instructions);
    }

    /// What the block took of its budget, what it was given back left out.
    fn used(&self) -> u64 {
        self.spent + self.budget - self.allowed
    }

    /// Gives back to the block what it took for waiting.
    fn give_back(&mut self, instructions: u64) {
        self.allowed += instructions;
    }

    /// Leaves the function that the block before was in, be it that it has ended there, waits there, or has had a
    /// fault: its frame is none of the next block's.
    fn enter_kernel(&mut self) {
        self.warp = 0;
        self.frame = 0;
        self.local_base = 0;
        (self.w_base, self.x_base, self.p_base) = self.run.kernel.registers_of(0);
    }

    /// Puts all threads of a block at the kernel's start.
    #[inline(always)]
    fn begin(&mut self, cluster: u64, rank: u32) {
        let kernel = self.run.kernel;
        let (block, index) = self.run.number_of(cluster, rank);
        self.block = block;
        self.cluster = cluster;
        self.rank = rank;
        self.accounted = 0;
        self.incomplete = None;
        self.spent = 0;
        self.clock_reads = 0;
        self.allowed = self.budget;
        self.charge(self.run.block_cost());
        self.enter_kernel();
        self.forget_frames();
        let of_block = |of: &OfBlock| match *of {
            OfBlock::Index(axis) => index[usize::from(axis)],
            OfBlock::Cluster(axis) => index_in(cluster, self.run.clusters())[usize::from(axis)],
            OfBlock::IndexInCluster(axis) => index_in(u64::from(rank), self.run.cluster)[usize::from(axis)],
            OfBlock::Rank => rank,
        };
        for (n, of) in &self.of_block_w {
            self.w[*n] = W([of_block(of); WARP]);
        }
        for (n, of) in &self.of_block_x {
            self.x[*n] = X([u64::from(of_block(of)); WARP]);
        }
        for inst in &kernel.block_code {
            self.compute_seldom(inst, ALL);
        }
        self.shared.fill(POISON as u8);
        self.arrived = [0; BARRIERS];
        if let Some(checks) = &mut self.checks {
            checks.begin_block();
        }
        let threads = self.run.block.iter().product::<u32>();
        for n in 0..self.warps.len() {
            let lanes = (threads - (n * WARP) as u32).min(WARP as u32);
            self.start_warp(n, ALL >> (WARP as u32 - lanes));
        }
        if block.is_multiple_of(self.sample_stride) {
            self.begin_sample();
        }
    }

    /// Runs the block's warps in turns until it ends, waits for its cluster, or has had its turn.
    #[inline(always)]
    fn rounds<const INLINE: bool>(&mut self) -> Result<Turn, RawFault> {
        let mut watch = resident::Watch::new(self.used());
        loop {
            let mut waiting = 0;
            let mut live = 0;
            let mut runnable = false;
            let mut spinning = true;
            for n in 0..self.warps.len() {
                if !self.warps[n].runnable.is_empty() {
                    self.warp = n;
                    self.warp::<INLINE>()?;
                    spinning &= self.spun;
                }
                let warp = &self.warps[n];
                runnable |= !warp.runnable.is_empty();
                live += warp.live.count_ones();
                waiting += warp.at_barrier.len();
            }
            let opened = waiting > 0 && self.barriers(live)?;
            if runnable || opened {
                if let Some(turn) = self.turn_over(&mut watch, spinning && !opened) {
                    return Ok(turn);
                }
                continue;
            }
            if live == 0 {
                return Ok(Turn::Ended);
            }
            if self.release_for_gathering() {
                continue;
            }
            if self.returned_exit() {
                continue;
            }
            if self.warps.iter().any(|warp| !warp.at_cluster.is_empty()) {
                return Ok(Turn::Blocked);
            }
            return Err(self.stuck());
        }
    }

    /// Lanes of the warp met: what they did before is ordered before what they do next.
    fn warp_met(&mut self, mask: u32) {
        if let Some(checks) = &mut self.checks {
            checks.met(self.warp, mask, self.warps[self.warp].live);
        }
    }

    /// What lanes did is seen by others before what they do next, and they see what others did.
    fn warp_fenced(&mut self, mask: u32) {
        if let Some(checks) = &mut self.checks {
            checks.release(self.warp, mask);
            checks.acquire(self.warp, mask);
        }
    }

    // Barriers.

    /// Lanes come to a barrier, and wait there if they are to.
    #[inline(never)]
    fn wait_at_barrier(&mut self, at: Fragment, number: u32, block: &Block) {
        let barrier = self.run.kernel.barriers[number as usize];
        let lane = at.mask.trailing_zeros() as usize % WARP;
        let id = self.w[self.wi(barrier.id)].0[lane] % BARRIERS as u32;
        let threads = (barrier.threads != NONE).then(|| self.w[self.wi(barrier.threads)].0[lane]);
        self.did = true;
        if matches!(barrier.meeting, Meeting::ClusterArrive | Meeting::ClusterWait) {
            return self.at_cluster_barrier(at, barrier.meeting);
        }
        self.tally.counters.barriers += 1;
        if let Some(profile) = &mut self.profile {
            profile.barrier(block);
        }
        let warp = &mut self.warps[self.warp];
        if barrier.meeting == Meeting::Arrive {
            self.arrived[id as usize] += counted(at.mask, warp.live);
            warp.runnable.push(at);
            if self.checks.is_some() {
                self.note_arrival(id);
            }
        } else {
            warp.at_barrier.push(Waiting { fragment: at, barrier: number, id, threads });
        }
    }

    /// Opens the barriers to which all have come whom they wait for; says whether there was one.
    fn barriers(&mut self, live: u32) -> Result<bool, RawFault> {
        if let Some(id) = self.whole_block_at() {
            if self.checks.is_some() {
                self.check_barrier(id, live)?;
            }
            self.arrived[id as usize] = 0;
            self.open(id);
            return Ok(true);
        }
        let mut lanes = [0; BARRIERS];
        let mut arrived = self.arrived;
        let mut wanted = [None; BARRIERS];
        for warp in &self.warps {
            for Waiting { fragment, id, threads, .. } in &warp.at_barrier {
                let id = *id as usize;
                lanes[id] += fragment.mask.count_ones();
                arrived[id] += counted(fragment.mask, warp.live);
                wanted[id] = wanted[id].or(*threads);
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
                if self.checks.is_some() {
                    self.check_barrier(id as u32, live)?;
                }
                self.arrived[id] = 0;
                self.open(id as u32);
            }
        }
        Ok(opened)
    }

    /// The barrier at which all threads of the block wait for each other, warp by warp: the usual one.
    fn whole_block_at(&self) -> Option<u32> {
        let mut meeting = None;
        for warp in &self.warps {
            match warp.at_barrier[..] {
                [Waiting { fragment, id, threads: None, .. }]
                    if fragment.mask == warp.live && meeting.is_none_or(|met| met == id) =>
                {
                    meeting = Some(id);
                }
                [] if warp.live == 0 => {}
                _ => return None,
            }
        }
        meeting
    }

    /// Lets everybody at a barrier go on, with the combined predicate where there is one.
    fn open(&mut self, id: u32) {
        if self.run.kernel.barriers.iter().any(|b| b.p != NONE) {
            self.combine(id);
        }
        for warp in &mut self.warps {
            let runnable = &mut warp.runnable;
            if let [Waiting { fragment, id: at, .. }] = warp.at_barrier[..]
                && at == id
            {
                runnable.push(fragment);
                warp.at_barrier.clear();
                warp.cost.barriers += 1;
                continue;
            }
            let before = warp.at_barrier.len();
            warp.at_barrier.retain(|w| {
                if w.id == id {
                    runnable.push(w.fragment);
                }
                w.id != id
            });
            let fragments = before - warp.at_barrier.len();
            warp.cost.barriers += u64::from(fragments > 0);
        }
    }

    /// Gives everybody at a barrier the combination of their predicates.
    fn combine(&mut self, id: u32) {
        let (mut all, mut any, mut count) = (true, false, 0);
        let kernel = self.run.kernel;
        for pass in 0..2 {
            for n in 0..self.warps.len() {
                self.warp = n;
                let here: Vec<Waiting> =
                    self.warps[n].at_barrier.iter().filter(|w| w.id == id).copied().collect();
                for Waiting { fragment, barrier, .. } in here {
                    let BarrierUse { meeting, p, d, .. } = kernel.barriers[barrier as usize];
                    if p == NONE {
                        continue;
                    }
                    self.enter_frame(fragment.frame);
                    let bits = self.p[self.p_base + usize::from(p)] & fragment.mask;
                    match (pass, meeting) {
                        (0, _) => {
                            all &= bits == fragment.mask;
                            any |= bits != 0;
                            count += bits.count_ones();
                        }
                        (_, Meeting::Count) => {
                            let d = self.wi(d);
                            self.w[d].set(&W([count; WARP]), fragment.mask);
                        }
                        (_, meeting) => {
                            let holds = if meeting == Meeting::And { all } else { any };
                            let d = &mut self.p[self.p_base + usize::from(d)];
                            *d = if holds { *d | fragment.mask } else { *d & !fragment.mask };
                        }
                    }
                }
            }
        }
    }

    /// Lanes wait for others that never come.
    #[cold]
    #[inline(never)]
    fn stuck(&self) -> RawFault {
        let (n, fragment) = self
            .warps
            .iter()
            .enumerate()
            .find_map(|(n, w)| w.stuck().map(|f| (n, f)))
            .unwrap_or((0, Fragment::start(1)));
        self.divergent(n, fragment)
    }

    /// Lanes of a warp wait at a barrier, before `fragment.block`, where they should not.
    #[cold]
    fn divergent(&self, n: usize, fragment: Fragment) -> RawFault {
        RawFault {
            kind: FaultKind::DivergentBarrier,
            block: self.block,
            thread: (n * WARP) as u32 + fragment.mask.trailing_zeros().min(WARP as u32 - 1),
            origin: self.origin_before(fragment.block),
            address: None,
            width: 0,
            message: None,
            other: None,
        }
    }

    /// The last instruction before a block, for faults that belong to no instruction.
    fn origin_before(&self, block: u32) -> Origin {
        let kernel = self.run.kernel;
        let listed = kernel.blocks[block as usize].listed;
        kernel.listing.get(listed.saturating_sub(1) as usize).map(|l| l.origin).unwrap_or_default()
    }
}

/// Threads that a barrier counts: the last warp of a block counts as a whole one when all of its lanes are there.
fn counted(mask: u32, live: u32) -> u32 {
    if mask != 0 && mask == live { WARP as u32 } else { mask.count_ones() }
}

/// The three-dimensional index of a number, x first.
pub(crate) fn index_in(number: u64, size: [u32; 3]) -> [u32; 3] {
    let (x, y) = (u64::from(size[0].max(1)), u64::from(size[1].max(1)));
    [(number % x) as u32, (number / x % y) as u32, (number / x / y) as u32]
}
