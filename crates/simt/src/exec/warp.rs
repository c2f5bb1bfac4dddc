//! A warp: fragments that run, wait for each other where they meet again, and let each other go first; and the frames
//! of the functions they are in.

use super::{RawFault, Stop, Worker};
use crate::WARP;
use crate::error::FaultKind;
use crate::ir::*;
use crate::lanes::{W, X, lanes};
use crate::memory::{FUNCTION_WINDOW, LOCAL_LIMIT};
use crate::model::time::WarpCost;

/// Jumps backwards after which a fragment lets others go first.
const PATIENCE: u32 = 4096;
/// The same for one that does nothing but look whether others have done something.
const SPINS: u32 = 4;

/// Registers of 32 bits (of 32 lanes) of functions that are kept from block to block: 32 MiB.
const REMEMBERED: usize = 1 << 18;
/// Places at which lanes of a warp may be waiting for each other: far more than nested branches need, but lanes that
/// leave others behind for ever may make more and more.
const JOINS: usize = 1 << 16;

/// Lanes of a warp that are at the same place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fragment {
    pub(super) block: u32,
    pub(super) mask: u32,
    /// Where it waits for others: a place in [`Warp::joins`], or [`NOWHERE`].
    join: u32,
    /// The function it is in: a place in [`Warp::frames`].
    pub(super) frame: u32,
}

impl Fragment {
    /// Lanes at the start of the kernel.
    pub(super) fn start(mask: u32) -> Self {
        Fragment { block: 0, mask, join: NOWHERE, frame: 0 }
    }

    /// Some of its lanes.
    pub(super) fn part(self, mask: u32) -> Self {
        Fragment { mask, ..self }
    }
}

/// A block at which fragments wait for each other.
#[derive(Clone, Copy, Debug)]
struct Join {
    block: u32,
    frame: u32,
    /// Lanes that will come, unless they exit before.
    expected: u32,
    arrived: u32,
    /// The join around it.
    parent: u32,
}

impl Join {
    fn is_at(&self, at: &Fragment) -> bool {
        self.block == at.block && self.frame == at.frame
    }

    /// The lanes that all have come, if they have; the join is then done.
    fn complete(&mut self) -> Option<Fragment> {
        if self.arrived == 0 || self.arrived != self.expected {
            return None;
        }
        let all = Fragment { block: self.block, mask: self.arrived, join: self.parent, frame: self.frame };
        self.expected = 0;
        self.arrived = 0;
        Some(all)
    }
}

/// A function that lanes are in.
#[derive(Clone, Copy, Debug)]
struct Called {
    /// A place in [`Kernel::functions`].
    function: u32,
    /// Where its registers begin.
    w: usize,
    x: usize,
    p: usize,
    /// Where its local memory begins and ends, bytes of a thread's.
    local: u32,
    local_end: u32,
    /// What registers and local memory of all callers take, bytes a thread.
    depth: u64,
    /// Lanes that are in it.
    live: u32,
    /// Who called, how, and where to go on.
    caller: u32,
    call: u32,
    next: u32,
}

/// Lanes that wait at a barrier of the block.
#[derive(Clone, Copy, Debug)]
pub(super) struct Waiting {
    pub(super) fragment: Fragment,
    /// A place in [`Kernel::barriers`].
    pub(super) barrier: u32,
    /// The barrier's number.
    pub(super) id: u32,
    /// Threads that it waits for, if not for all.
    pub(super) threads: Option<u32>,
}

#[derive(Debug, Default)]
pub(super) struct Warp {
    pub(super) runnable: Vec<Fragment>,
    pub(super) at_barrier: Vec<Waiting>,
    /// Fragments at the cluster's barrier, and the lanes that have come to it in this round of it.
    pub(super) at_cluster: Vec<Fragment>,
    pub(super) came: u32,
    /// Fragments at a warp-wide operation whose other lanes have not come.
    gathering: Vec<Fragment>,
    joins: Vec<Join>,
    frames: Vec<Called>,
    /// Local memory, a word of all lanes after the other.
    pub(super) local: Vec<W>,
    /// Bytes of registers and local memory of the functions that were called and have not returned.
    held: u64,
    /// Lanes that have not exited.
    pub(super) live: u32,
    pub(super) cost: WarpCost,
}

impl Warp {
    /// Joins end in the order in which they began, but for lanes that stopped waiting.
    fn drop_joins(&mut self) {
        while self.joins.last().is_some_and(|j| j.expected == 0) {
            self.joins.pop();
        }
    }

    /// Lets those who wait at the innermost join go on without the others; says whether there were any.
    fn release_join(&mut self) -> bool {
        let Some(join) = self.joins.iter_mut().rfind(|j| j.arrived != 0) else { return false };
        let rest = join.expected & !join.arrived;
        join.expected = join.arrived;
        self.runnable.extend(join.complete());
        join.expected = rest;
        true
    }

    /// Where the local memory of all frames ends, bytes of a thread's.
    pub(super) fn local_end(&self) -> u32 {
        self.frames.last().map_or(0, |f| f.local_end)
    }

    /// The first lane that waits for others that do not come, and where.
    pub(super) fn stuck(&self) -> Option<Fragment> {
        let waiting = self.at_barrier.first().map(|w| w.fragment);
        waiting.or(self.gathering.first().copied()).or(self.at_cluster.first().copied())
    }
}

/// How often a warp's fragments have given way in its turn, and whether one had done something before.
#[derive(Debug, Default)]
struct Given {
    times: usize,
    worked: bool,
}

/// The operation that a fragment is at, as far as others must be at the same, and the lanes that it names.
#[derive(PartialEq)]
struct Wanted {
    members: u32,
    operation: Operation,
}

#[derive(PartialEq)]
enum Operation {
    /// Anywhere in the program.
    Exchange(std::mem::Discriminant<Exchange>),
    /// At this place.
    Matrix { block: u32, frame: u32 },
}

/// Registers of functions that have returned, for the next call of the same function.
#[derive(Debug, Default)]
pub(super) struct FreeRegisters {
    /// For each function where registers begin.
    of: Vec<Vec<(usize, usize, usize)>>,
}

impl Worker<'_> {
    /// Puts all lanes of a warp at the start of the kernel.
    pub(super) fn start_warp(&mut self, n: usize, mask: u32) {
        let kernel = self.run.kernel;
        let frame = &kernel.functions[0];
        let (w, x, p) = kernel.registers_of(n);
        let warp = &mut self.warps[n];
        warp.live = mask;
        warp.held = 0;
        warp.joins.clear();
        warp.at_barrier.clear();
        warp.at_cluster.clear();
        warp.came = 0;
        warp.gathering.clear();
        warp.runnable.clear();
        warp.runnable.push(Fragment::start(mask));
        warp.frames.clear();
        warp.frames.push(Called {
            function: 0,
            w,
            x,
            p,
            local: 0,
            local_end: frame.local_bytes,
            depth: 0,
            live: mask,
            caller: 0,
            call: 0,
            next: NOWHERE,
        });
        let words = (frame.local_bytes as usize).div_ceil(4);
        warp.local.clear();
        warp.local.resize(words, W([super::POISON; WARP]));
        if let Some(checks) = &mut self.checks {
            checks.enter_frame(n, 0, frame.local_bytes, super::ALL);
        }
        self.clear_unwritten(0, w, x, p);
    }

    /// Registers that are read before anything is written begin as zero, so that every run is the same.
    fn clear_unwritten(&mut self, function: u32, w: usize, x: usize, p: usize) {
        let frame = &self.run.kernel.functions[function as usize];
        for n in &frame.unwritten_w {
            self.w[w + usize::from(*n)] = W::ZERO;
        }
        for n in &frame.unwritten_x {
            self.x[x + usize::from(*n)] = X::ZERO;
        }
        for n in &frame.unwritten_p {
            self.p[p + usize::from(*n)] = 0;
        }
    }

    /// Makes a frame's registers and local memory the current ones.
    #[inline(always)]
    pub(super) fn enter_frame(&mut self, frame: u32) {
        let called = &self.warps[self.warp].frames[frame as usize];
        self.frame = frame;
        self.w_base = called.w;
        self.x_base = called.x;
        self.p_base = called.p;
        self.local_base = called.local;
    }

    /// Runs the current warp until all of its fragments wait or have exited, or one has had its turn.
    #[inline(always)]
    pub(super) fn warp<const INLINE: bool>(&mut self) -> Result<(), RawFault> {
        let kernel = self.run.kernel;
        let Some(mut at) = self.warps[self.warp].runnable.pop() else { return Ok(()) };
        self.enter_frame(at.frame);
        let mut turns = 0;
        let mut given = Given::default();
        // What another warp did, or one of another block, says nothing of this one.
        (self.looked, self.did, self.spun) = (false, false, false);
        macro_rules! another {
            () => {
                match self.warps[self.warp].runnable.pop() {
                    Some(next) => at = next,
                    None => return Ok(()),
                }
            };
        }
        loop {
            if at.join != NOWHERE {
                match self.arrive(at) {
                    Some(next) => at = next,
                    None => return Ok(()),
                }
            }
            let block = &kernel.blocks[at.block as usize];
            if at.frame != self.frame {
                self.enter_frame(at.frame);
            }
            if block.members != NONE && self.others_missing(at, block) {
                match self.gather(at)? {
                    Some(next) => at = next,
                    None => return Ok(()),
                }
                continue;
            }

            // One basic block.
            self.count_block(at.block, block, at.mask);
            let (mut n, end) = (block.start as usize, block.end as usize);
            let code = &kernel.code[..end];
            while n < end {
                // As many as there are that need registers alone.
                let mut registers = self.registers();
                let mut mask = 0;
                while let Some(inst) = code.get(n) {
                    mask = at.mask & registers.guard(inst);
                    let done = mask == 0
                        || if INLINE {
                            registers.compute(inst, mask)
                        } else {
                            registers.compute_seldom(inst, mask)
                        };
                    if !done {
                        break;
                    }
                    n += 1;
                }
                let Some(inst) = code.get(n) else { break };
                if let Op::FmaShared { group } = inst.op {
                    let done = self.fma_shared(group, mask);
                    if done > 0 {
                        n += done;
                        continue;
                    }
                }
                if let Err(stop) = self.step(inst, mask, n as u32) {
                    return Err(self.fault_at(stop, n as u32));
                }
                n += 1;
            }
            if self.spent > self.allowed {
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
                        self.diverged(block);
                        at = self.split(at, go, taken, next, join);
                        if self.warps[self.warp].joins.len() > JOINS {
                            return Err(self.halt(FaultKind::StackOverflow, at.mask, block));
                        }
                        continue;
                    }
                }
                End::Switch { index, table } => match self.switch(at, index, table, block) {
                    Ok(next) => at = next,
                    Err(stop) => return Err(self.fault_at(stop, block.end)),
                },
                End::Barrier { barrier, next } => {
                    at.block = next;
                    self.wait_at_barrier(at, barrier, block);
                    another!();
                    continue;
                }
                End::Call { call, next } => match self.call(at, call, next) {
                    Ok(next) => {
                        at = next;
                        continue;
                    }
                    Err(stop) => return Err(self.fault_of_end(stop, block)),
                },
                End::Return => {
                    at = self.leave(at);
                    continue;
                }
                End::Exit => {
                    self.exit(at.mask);
                    another!();
                    continue;
                }
                End::ExitIf { predicate, negated, next } => {
                    let holds = self.p[self.p_base + usize::from(predicate)];
                    let go = at.mask & if negated { !holds } else { holds };
                    self.exit(go);
                    at.mask &= !go;
                    at.block = next;
                    if at.mask == 0 {
                        another!();
                        continue;
                    }
                }
                End::Trap => return Err(self.halt(FaultKind::Trap, at.mask, block)),
            }
            if at.block <= from {
                // A loop that only looks at memory which others write waits for them.
                let looks = self.looked && !self.did;
                turns += if looks { PATIENCE / SPINS } else { 1 };
                self.looked = false;
                self.did = false;
                if turns > PATIENCE {
                    turns = 0;
                    match self.give_way(at, &mut given, looks) {
                        Some(next) => at = next,
                        None => return Ok(()),
                    }
                }
            }
        }
    }

    #[inline(always)]
    fn count_block(&mut self, number: u32, block: &Block, mask: u32) {
        let weight = u64::from(block.weight);
        let counters = &mut self.tally.counters;
        counters.warp_instructions += weight;
        counters.thread_instructions += weight * u64::from(mask.count_ones());
        counters.const_uniform_instructions += u64::from(block.uniform_loads);
        self.spent += weight;
        self.allowed = self.allowed.saturating_sub(u64::from(block.slow));
        if self.caches.is_some() {
            self.sample_block(block);
        }
        if let Some(profile) = &mut self.profile {
            profile.block(number, mask);
        }
    }

    #[inline(never)]
    fn diverged(&mut self, block: &Block) {
        self.tally.counters.divergent_branches += 1;
        if let Some(profile) = &mut self.profile {
            profile.diverged(block);
        }
    }

    /// Splits a fragment at a branch and returns the part to go on with.
    #[inline(never)]
    fn split(&mut self, at: Fragment, go: u32, taken: u32, next: u32, meet: u32) -> Fragment {
        let join = self.join(at, meet);
        let warp = &mut self.warps[self.warp];
        warp.runnable.push(Fragment { block: next, mask: at.mask & !go, join, ..at });
        Fragment { block: taken, mask: go, join, ..at }
    }

    /// Where the parts of a fragment meet again.
    fn join(&mut self, at: Fragment, meet: u32) -> u32 {
        let warp = &mut self.warps[self.warp];
        // A loop that lanes leave one after the other has one join, not one a round.
        let already = at.join != NOWHERE && {
            let around = &warp.joins[at.join as usize];
            around.block == meet && around.frame == at.frame
        };
        if meet == NOWHERE || already {
            return at.join;
        }
        warp.joins.push(Join {
            block: meet,
            frame: at.frame,
            expected: at.mask,
            arrived: 0,
            parent: at.join,
        });
        (warp.joins.len() - 1) as u32
    }

    /// Every fragment passes here before it runs a block. One that has come to its join waits there, and another one
    /// runs, or it goes on with all who waited.
    #[inline(always)]
    fn arrive(&mut self, at: Fragment) -> Option<Fragment> {
        if !self.warps[self.warp].joins[at.join as usize].is_at(&at) {
            return Some(at);
        }
        self.wait_at_join(at)
    }

    #[inline(never)]
    fn wait_at_join(&mut self, mut at: Fragment) -> Option<Fragment> {
        let warp = &mut self.warps[self.warp];
        while at.join != NOWHERE && warp.joins[at.join as usize].is_at(&at) {
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
        if !warp.joins.is_empty() || !warp.gathering.is_empty() || warp.frames.len() > 1 {
            self.leave_all(mask);
        }
    }

    /// Lanes whose way only ends where they wait for others exit, for all that the others wait for is them. Says whether
    /// there were any.
    #[cold]
    #[inline(never)]
    pub(super) fn returned_exit(&mut self) -> bool {
        let kernel = self.run.kernel;
        let mut any = false;
        for warp in &mut self.warps {
            for join in &mut warp.joins {
                let ends = kernel.blocks.get(join.block as usize);
                if join.arrived != 0 && ends.is_some_and(|b| b.start == b.end && b.exit == End::Exit) {
                    let mask = std::mem::take(&mut join.arrived);
                    join.expected &= !mask;
                    any = true;
                    let (block, frame) = (join.block, join.frame);
                    warp.runnable.push(Fragment { block, mask, join: NOWHERE, frame });
                }
            }
        }
        any
    }

    #[inline(never)]
    fn leave_all(&mut self, mask: u32) {
        let warp = &mut self.warps[self.warp];
        for join in &mut warp.joins {
            join.expected &= !mask;
            warp.runnable.extend(join.complete());
        }
        warp.drop_joins();
        // Those who wait for a warp-wide operation look again who is missing.
        warp.runnable.append(&mut warp.gathering);
        for frame in 1..warp.frames.len() {
            self.leave_frame(frame, mask);
        }
        self.drop_frames();
    }

    /// After many rounds: others of the warp first; if there are none, lanes that wait for this fragment stop
    /// waiting; then the other warps.
    #[inline(never)]
    fn give_way(&mut self, at: Fragment, given: &mut Given, looks: bool) -> Option<Fragment> {
        let warp = &mut self.warps[self.warp];
        warp.runnable.insert(0, at);
        given.times += 1;
        given.worked |= !looks;
        // Fragments that all wait for other warps would give way to each other for ever.
        if warp.runnable.len() > 1 && given.times < warp.runnable.len() {
            return warp.runnable.pop();
        }
        let alone = warp.runnable.len() == 1;
        let released = (alone || !given.worked) && warp.release_join();
        self.spun = !given.worked && !released;
        None
    }

    /// Where lanes wait at a warp-wide operation for others that wait at a join for them, these others go on.
    pub(super) fn release_for_gathering(&mut self) -> bool {
        self.warps.iter_mut().any(|warp| !warp.gathering.is_empty() && warp.release_join())
    }

    /// Every lane to its target; those with the same target stay together.
    #[inline(never)]
    fn switch(&mut self, at: Fragment, index: u16, table: u32, block: &Block) -> Result<Fragment, Stop> {
        let table = &self.run.kernel.tables[table as usize];
        let index = self.w[self.wi(index)];
        let mut parts: Vec<(u32, u32)> = vec![];
        for l in lanes(at.mask) {
            let Some(&target) = table.targets.get(index.0[l] as usize) else {
                return Err(Stop::without_address(FaultKind::Trap, l));
            };
            match parts.iter_mut().find(|(to, _)| *to == target) {
                Some((_, mask)) => *mask |= 1 << l,
                None => parts.push((target, 1 << l)),
            }
        }
        if let [(block, _)] = parts[..] {
            return Ok(Fragment { block, ..at });
        }
        self.diverged(block);
        let join = self.join(at, table.join);
        let (first, mask) = parts[0];
        let warp = &mut self.warps[self.warp];
        for (block, mask) in parts[1..].iter().rev() {
            warp.runnable.push(Fragment { block: *block, mask: *mask, join, ..at });
        }
        Ok(Fragment { block: first, mask, join, ..at })
    }

    // Warp-wide operations wait until all lanes that they name are at them.

    #[inline(always)]
    fn others_missing(&self, at: Fragment, block: &Block) -> bool {
        let live = self.warps[self.warp].live;
        at.mask != live && {
            let members = &self.w[self.wi(block.members)];
            let wanted = lanes(at.mask).fold(0, |all, l| all | members.0[l]);
            wanted & live & !at.mask != 0
        }
    }

    /// The part of a fragment whose lanes name the same lanes; the rest becomes a fragment of its own.
    fn of_one_mind(&mut self, at: Fragment) -> Fragment {
        let members = self.run.kernel.blocks[at.block as usize].members;
        let members = &self.w[self.wi(members)];
        let first = members.0[at.mask.trailing_zeros() as usize % WARP];
        let same = lanes(at.mask).filter(|l| members.0[*l] == first).fold(0, |m, l| m | 1 << l);
        if same != at.mask {
            self.warps[self.warp].runnable.push(Fragment { mask: at.mask & !same, ..at });
        }
        Fragment { mask: same, ..at }
    }

    /// Waits, and lets another fragment run; or, if this was the last to come, does the operation for all of them.
    #[inline(never)]
    fn gather(&mut self, at: Fragment) -> Result<Option<Fragment>, RawFault> {
        let kernel = self.run.kernel;
        let at = self.of_one_mind(at);
        let wanted = self.wanted(&at);
        let members = wanted.members & self.warps[self.warp].live;
        self.warps[self.warp].gathering.push(at);
        let waiting = std::mem::take(&mut self.warps[self.warp].gathering);
        let (here, others): (Vec<_>, Vec<_>) =
            waiting.into_iter().partition(|f| f.mask & members != 0 && self.wanted(f) == wanted);
        let together = here.iter().fold(0, |mask, f| mask | f.mask);
        let warp = &mut self.warps[self.warp];
        warp.gathering = others;
        if members & !together != 0 {
            warp.gathering.extend(here);
            return Ok(warp.runnable.pop());
        }
        if let Operation::Matrix { .. } = wanted.operation {
            return Ok(Some(self.united(&here)));
        }
        for f in &here {
            let block = &kernel.blocks[f.block as usize];
            self.enter_frame(f.frame);
            self.count_block(f.block, block, f.mask);
            // What makes the operands; the operation itself is the last.
            for n in block.start..block.end - 1 {
                if let Err(stop) = self.step_seldom(&kernel.code[n as usize], f.mask, n) {
                    return Err(self.fault_at(stop, n));
                }
            }
        }
        self.exchange_apart(&here);
        let warp = &mut self.warps[self.warp];
        for f in here {
            if let End::Goto(next) = kernel.blocks[f.block as usize].exit {
                warp.runnable.push(Fragment { block: next, ..f });
            }
        }
        Ok(warp.runnable.pop())
    }

    /// Fragments at one place that go on as one. They may wait for others at different joins: those inside of what they
    /// have in common lose these lanes.
    fn united(&mut self, parts: &[Fragment]) -> Fragment {
        let warp = &mut self.warps[self.warp];
        let around = |join: u32| -> Vec<u32> {
            let some = |join: u32| (join != NOWHERE).then_some(join);
            std::iter::successors(some(join), |j| some(warp.joins[*j as usize].parent)).collect()
        };
        let all: Vec<Vec<u32>> = parts.iter().map(|part| around(part.join)).collect();
        let (Some(first), Some(of_first)) = (parts.first(), all.first()) else { return Fragment::start(0) };
        let common = of_first.iter().find(|join| all.iter().all(|joins| joins.contains(join)));
        let join = common.copied().unwrap_or(NOWHERE);
        for (part, joins) in parts.iter().zip(&all) {
            for inner in joins.iter().take_while(|j| **j != join) {
                let inner = &mut warp.joins[*inner as usize];
                inner.expected &= !part.mask;
                warp.runnable.extend(inner.complete());
            }
        }
        warp.drop_joins();
        let mask = parts.iter().fold(0, |mask, part| mask | part.mask);
        Fragment { mask, join, ..*first }
    }

    /// What a fragment is at.
    fn wanted(&mut self, at: &Fragment) -> Wanted {
        let kernel = self.run.kernel;
        let block = &kernel.blocks[at.block as usize];
        self.enter_frame(at.frame);
        let members = self.w[self.wi(block.members)].0[at.mask.trailing_zeros() as usize % WARP];
        let operation = match kernel.code.get(block.end as usize - 1) {
            Some(Inst { op: Op::Exchange { exchange }, .. }) => {
                Operation::Exchange(std::mem::discriminant(&kernel[*exchange].exchange))
            }
            _ => Operation::Matrix { block: at.block, frame: at.frame },
        };
        Wanted { members, operation }
    }

    // Functions.

    #[inline(never)]
    fn call(&mut self, at: Fragment, call: u32, next: u32) -> Result<Fragment, Stop> {
        let kernel = self.run.kernel;
        match kernel.calls[call as usize].callee {
            Callee::Direct(function) => self.enter(at, function, call, next),
            Callee::Indirect(register) => {
                // Lanes that call the same function go together, the others after them.
                let addresses = self.x[self.xi(register)];
                let mut parts: Vec<(u64, u32)> = vec![];
                for l in lanes(at.mask) {
                    match parts.iter_mut().find(|(to, _)| *to == addresses.0[l]) {
                        Some((_, mask)) => *mask |= 1 << l,
                        None => parts.push((addresses.0[l], 1 << l)),
                    }
                }
                let join = if parts.len() > 1 { self.join(at, next) } else { at.join };
                let mut first = None;
                for (address, mask) in parts {
                    let lane = mask.trailing_zeros() as usize;
                    let number = address.wrapping_sub(FUNCTION_WINDOW) / 16;
                    let function = usize::try_from(number)
                        .ok()
                        .filter(|_| address % 16 == 0)
                        .and_then(|n| kernel.function_of.get(&n).copied())
                        // The first one is the kernel itself.
                        .filter(|function| *function != 0)
                        .ok_or(Stop::at(FaultKind::Trap, lane, address, 0))?;
                    if !kernel.calls[call as usize].fits(&kernel.functions[function as usize]) {
                        let message =
                            "call of a function whose parameters and results are not those of the prototype";
                        let stop = Stop::at(FaultKind::Trap, lane, address, 0);
                        return Err(Stop { message: Some(message.to_owned()), ..stop });
                    }
                    let part = self.enter(Fragment { mask, join, ..at }, function, call, next)?;
                    match first {
                        None => first = Some(part),
                        Some(_) => self.warps[self.warp].runnable.push(part),
                    }
                }
                Ok(first.unwrap_or(at))
            }
        }
    }

    /// Opens a frame for a function, hands over its arguments and goes to its first block.
    fn enter(&mut self, at: Fragment, function: u32, call: u32, next: u32) -> Result<Fragment, Stop> {
        let kernel = self.run.kernel;
        let frame = &kernel.functions[function as usize];
        let free = &mut self.free.of;
        free.resize(kernel.functions.len(), vec![]);
        let (w, x, p) = free[function as usize].pop().unwrap_or_else(|| {
            let start = (self.w.len(), self.x.len(), self.p.len());
            self.w.resize(start.0 + usize::from(frame.w), W::ZERO);
            self.x.resize(start.1 + usize::from(frame.x), X::ZERO);
            self.p.resize(start.2 + usize::from(frame.p), 0);
            start
        });
        let warp = &mut self.warps[self.warp];
        let local = warp.frames.last().map_or(0, |f| f.local_end).next_multiple_of(16);
        let local_end = local.saturating_add(frame.local_bytes);
        // Real compilers keep a caller's registers in its frame.
        let registers = 4 * u64::from(frame.w) + 8 * u64::from(frame.x) + 16;
        let depth = warp.frames[at.frame as usize].depth + registers + u64::from(frame.local_bytes);
        let held = warp.held + frame.bytes();
        let limit = self.run.options.stack_bytes.saturating_sub(self.run.stack_bytes());
        if depth > LOCAL_LIMIT
            || u64::from(local_end) > WARP as u64 * LOCAL_LIMIT
            || held > limit / self.run.warps_per_block() / self.residents.len().max(1) as u64
        {
            let lane = at.mask.trailing_zeros() as usize % WARP;
            return Err(Stop::without_address(FaultKind::StackOverflow, lane));
        }
        warp.held = held;
        // Lanes that call together return together.
        warp.joins.push(Join {
            block: next,
            frame: at.frame,
            expected: at.mask,
            arrived: 0,
            parent: at.join,
        });
        let join = (warp.joins.len() - 1) as u32;
        warp.frames.push(Called {
            function,
            w,
            x,
            p,
            local,
            local_end,
            depth,
            live: at.mask,
            caller: at.frame,
            call,
            next,
        });
        let words = (local_end as usize).div_ceil(4);
        if warp.local.len() < words {
            warp.local.resize(words, W([super::POISON; WARP]));
        }
        let inner = (warp.frames.len() - 1) as u32;
        if let Some(checks) = &mut self.checks {
            checks.enter_frame(self.warp, local, local_end, at.mask);
        }
        self.clear_unwritten(function, w, x, p);
        self.transfer(&kernel.calls[call as usize].arguments, at.frame, inner, at.mask);
        Ok(Fragment { block: frame.entry, mask: at.mask, join, frame: inner })
    }

    /// Returns from a function.
    #[inline(never)]
    fn leave(&mut self, at: Fragment) -> Fragment {
        let called = self.warps[self.warp].frames[at.frame as usize];
        let call = &self.run.kernel.calls[called.call as usize];
        self.transfer(&call.returns, at.frame, called.caller, at.mask);
        self.leave_frame(at.frame as usize, at.mask);
        self.drop_frames();
        Fragment { block: called.next, frame: called.caller, ..at }
    }

    fn leave_frame(&mut self, frame: usize, mask: u32) {
        let called = &mut self.warps[self.warp].frames[frame];
        if called.live != 0 {
            called.live &= !mask;
            if called.live == 0 {
                self.free.of[called.function as usize].push((called.w, called.x, called.p));
            }
        }
    }

    fn drop_frames(&mut self) {
        let kernel = self.run.kernel;
        let warp = &mut self.warps[self.warp];
        while warp.frames.len() > 1 && warp.frames.last().is_some_and(|f| f.live == 0) {
            if let Some(called) = warp.frames.pop() {
                warp.held -= kernel.functions[called.function as usize].bytes();
            }
        }
    }

    /// Gives back the registers of calls, where they are many: which ones it were differs from block to block.
    pub(super) fn forget_frames(&mut self) {
        let (kernel, warps) = (self.run.kernel, self.warps.len());
        let frame = &kernel.functions[0];
        let w = kernel.fixed_w.len() + warps * usize::from(frame.w);
        let x = kernel.fixed_x.len() + warps * usize::from(frame.x);
        let more = self.w.len() - w + 2 * (self.x.len() - x);
        if more > REMEMBERED {
            self.w.truncate(w);
            self.x.truncate(x);
            self.p.truncate(warps * usize::from(frame.p));
            self.free = FreeRegisters::default();
        }
    }

    /// Copies values between two frames.
    fn transfer(&mut self, transfers: &[Transfer], from: u32, to: u32, mask: u32) {
        let (f, t) = {
            let frames = &self.warps[self.warp].frames;
            (frames[from as usize], frames[to as usize])
        };
        let index = |number: u16, base: usize| {
            let n = usize::from(number & !FIXED);
            if number & FIXED != 0 { n } else { base + n }
        };
        for transfer in transfers {
            // 8 bytes at a time at the most: structs are copied in pieces.
            let mut done = 0;
            while done < transfer.bytes {
                let left = transfer.bytes - done;
                let place = |slot| if let Slot::Bytes(at) = slot { at + done } else { done };
                let both = place(transfer.from) | place(transfer.to);
                let bytes: u32 = [8, 4, 2].into_iter().find(|b| *b <= left && both % b == 0).unwrap_or(1);
                let value = match transfer.from {
                    Slot::Bytes(at) => self.read_local(f.local + at + done, bytes as u8),
                    Slot::W(n) => self.w[index(n, f.w)].widened(),
                    Slot::X(n) => self.x[index(n, f.x)],
                    Slot::P(n) => {
                        let bits = self.p[f.p + usize::from(n)];
                        X(std::array::from_fn(|l| u64::from(bits >> l & 1)))
                    }
                };
                match transfer.to {
                    Slot::Bytes(at) => self.write_local(t.local + at + done, bytes as u8, &value, mask),
                    Slot::W(n) => self.w[t.w + usize::from(n)].set(&value.narrowed(), mask),
                    Slot::X(n) => self.x[t.x + usize::from(n)].set(&value, mask),
                    Slot::P(n) => {
                        let bits = (0..WARP).fold(0, |bits, l| bits | ((value.0[l] & 1) as u32) << l);
                        let p = &mut self.p[t.p + usize::from(n)];
                        *p = bits & mask | *p & !mask;
                    }
                }
                done += bytes;
            }
        }
    }

    // Faults.

    /// A fault of the last instruction of a block.
    #[cold]
    #[inline(never)]
    fn halt(&self, kind: FaultKind, mask: u32, block: &Block) -> RawFault {
        let lane = mask.trailing_zeros() as usize % WARP;
        let message = if kind == FaultKind::InfiniteLoop { self.endless_wait() } else { None };
        self.fault_of_end(Stop { message, ..Stop::without_address(kind, lane) }, block)
    }

    #[cold]
    fn fault_of_end(&self, stop: Stop, block: &Block) -> RawFault {
        let last = (block.listed + block.weight).saturating_sub(1);
        let origin = self.run.kernel.listing.get(last as usize).map(|l| l.origin).unwrap_or_default();
        self.fault(stop, origin)
    }

    #[cold]
    #[inline(never)]
    fn fault_at(&self, stop: Stop, code: u32) -> RawFault {
        let kernel = self.run.kernel;
        let listed = kernel.places.get(code as usize).copied().unwrap_or_default();
        let origin = kernel.listing.get(listed as usize).map(|l| l.origin).unwrap_or_default();
        self.fault(stop, origin)
    }

    #[cold]
    fn fault(&self, stop: Stop, origin: Origin) -> RawFault {
        RawFault {
            kind: stop.kind,
            block: self.block,
            thread: (self.warp * WARP) as u32 + stop.lane,
            origin,
            address: stop.address,
            width: stop.width,
            message: stop.message,
            other: stop.other,
        }
    }

    #[inline(always)]
    fn step(&mut self, inst: &Inst, mask: u32, code: u32) -> Result<(), Stop> {
        let watched = self.watching && inst.op.effect() != Effect::Pure;
        let before = watched.then(|| self.watch(inst, mask));
        let result = self.execute(inst, mask);
        if let Some(before) = before {
            self.watched(code, &before);
        }
        result
    }

    /// Executes an instruction: each operation by the function that its row in the table names.
    #[inline(always)]
    fn execute(&mut self, inst: &Inst, mask: u32) -> Result<(), Stop> {
        macro_rules! dispatch {
            (($k:ident, $u:ident) $(
                $(#[$doc:meta])*
                $name:ident { $($field:ident: $ty:ty),* } $text:literal $run:ident { $($rest:tt)* }
            )+) => {
                match inst.op {
                    Op::Compute(_) => {
                        self.registers().compute_seldom(inst, mask);
                        Ok(())
                    }
                    $(Op::$name { $($field),* } => self.$run($($field,)* mask),)+
                }
            };
        }
        operations!(dispatch)
    }

    /// [`Worker::step`] where it is not worth a copy of the whole interpreter.
    #[inline(never)]
    pub(super) fn step_seldom(&mut self, inst: &Inst, mask: u32, code: u32) -> Result<(), Stop> {
        self.step(inst, mask, code)
    }
}
