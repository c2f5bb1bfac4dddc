//! The way of a warp through basic blocks: branches, reconvergence, turns.
//!
//! Lanes are independent, as on GPUs since Volta: a split that goes round a loop for long lets others of its warp, and
//! then other warps, go first, and waiting lanes stop waiting for it; so a lock that one lane holds while others of its
//! warp spin is released.

use super::block::POISON;
use super::count::Counts;
use super::current::CurrentBlock;
use super::fault::{RawFault, Stop};
use super::observers::survive::goes_on;
use super::registers::RegisterFile;
use super::warp::{Called, NOWHERE, Reconvergence, Split};
use super::worker::Worker;
use crate::WARP;
use crate::error::FaultKind;
use crate::ir::*;
use crate::lanes::{ALL, W, X, lanes};

/// Jumps backwards after which a split lets others go first.
const PATIENCE: u32 = 4096;

/// Jumps backwards after which a split that only polls memory lets others go first.
const SPINS: u32 = 4;

/// Places at which lanes of a warp may be waiting for each other: far more than nested branches need, but lanes that
/// never wait for others may make more and more.
const RECONVERGENCES: usize = 1 << 16;

/// How often a warp's splits have given way in its turn, and whether one had done something before.
#[derive(Debug, Default)]
struct Yielded {
    times: usize,
    worked: bool,
}

/// Why a basic block was not executed by all lanes that came to it.
enum Broken {
    /// The block ends.
    Fault(RawFault),
    /// Lanes have faulted and exited; the others are left, and have executed it.
    Left(u32),
}

/// Where a split's way leads at the end of a basic block.
enum Way {
    /// On, maybe backwards.
    On(Split),
    /// To another place of the program, or to a part of the split.
    Elsewhere(Split),
    /// It waits, or its lanes have exited: another split runs.
    Ends,
}

impl RegisterFile {
    /// The lanes of a mask for which a predicate, negated or not, holds.
    #[inline(always)]
    fn lanes_where(&self, mask: u32, predicate: Register, negated: bool) -> u32 {
        let holds = self.p[self.p_base + predicate.offset()];
        mask & if negated { !holds } else { holds }
    }
}

impl CurrentBlock<'_> {
    /// Puts all lanes of a warp at the start of the kernel.
    pub(super) fn start_warp(&mut self, n: usize, mask: u32) {
        let kernel = self.run.kernel;
        let frame = &kernel.functions[0];
        let (w, x, p) = kernel.registers_of(n);
        let warp = &mut self.block.warps[n];
        warp.live = mask;
        warp.held = 0;
        warp.reconvergences.clear();
        warp.at_barrier.clear();
        warp.at_cluster.clear();
        warp.came = 0;
        warp.gathering.clear();
        warp.runnable.clear();
        warp.runnable.push(Split::start(mask));
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
        warp.local.resize(words, W::splat(POISON));
        if let Some(checks) = &mut self.block.observers.checks {
            checks.enter_frame(n, 0, frame.local_bytes, ALL);
        }
        self.clear_unwritten(0, [w, x, p], mask);
    }

    /// Registers that may be read before anything is written begin as zero, so that every run is the same. They have no value
    /// all the same, as the checks of such reads know.
    pub(super) fn clear_unwritten(&mut self, function: u32, [w, x, p]: [usize; 3], mask: u32) {
        let frame = &self.run.kernel.functions[function as usize];
        let [words, longs] = [(&frame.unwritten_w, w), (&frame.unwritten_x, x)]
            .map(|(all, base)| all.iter().map(move |register| register.index(base)));
        let predicates = frame.unwritten_p.iter().map(|register| p + register.offset());
        for at in words.clone() {
            self.block.registers.w[at] = W::ZERO;
        }
        for at in longs.clone() {
            self.block.registers.x[at] = X::ZERO;
        }
        for at in predicates.clone() {
            self.block.registers.p[at] = 0;
        }
        if let Some(checks) =
            self.block.observers.checks.as_mut().filter(|checks| checks.chosen.uninitialised)
        {
            words.for_each(|at| checks.begin_without_value((File::W, at), mask));
            longs.for_each(|at| checks.begin_without_value((File::X, at), mask));
            predicates.for_each(|at| checks.begin_without_value((File::P, at), mask));
            self.block.observers.undefined |= checks.undefined_any();
        }
    }

    /// Makes a frame's registers and local memory the current ones.
    #[inline(always)]
    pub(super) fn enter_frame(&mut self, frame: u32) {
        let called = &self.block.warps[self.cursor.warp].frames[frame as usize];
        self.cursor.frame = frame;
        self.cursor.local_base = called.local;
        self.block.registers.enter([called.w, called.x, called.p]);
    }

    #[inline(always)]
    pub(super) fn count_block(&mut self, counts: &mut Counts, number: u32, block: &Block, mask: u32) {
        counts.count_instructions(block, mask);
        self.block.spent += u64::from(block.weight);
        self.block.allowed = self.block.allowed.saturating_sub(u64::from(block.slow));
        if self.block.observers.is_sampled() {
            self.sample_block(block);
        }
        if let Some(profile) = &mut counts.profile {
            profile.block(number, mask);
        }
    }

    /// Splits a split at a branch and returns the part to go on with.
    #[inline(never)]
    pub(super) fn diverge(&mut self, at: Split, go: u32, taken: u32, next: u32, meet: Option<u32>) -> Split {
        let reconvergence = self.reconvergence_of(at, meet);
        let warp = &mut self.block.warps[self.cursor.warp];
        warp.runnable.push(Split { block: next, mask: at.mask & !go, reconvergence, ..at });
        Split { block: taken, mask: go, reconvergence, ..at }
    }

    /// Where the parts of a split meet again.
    pub(super) fn reconvergence_of(&mut self, at: Split, meet: Option<u32>) -> u32 {
        let Some(meet) = meet else { return at.reconvergence };
        let warp = &mut self.block.warps[self.cursor.warp];
        // A loop that lanes leave one after the other has one reconvergence, not one a round.
        let already = at.reconvergence != NOWHERE && {
            let around = &warp.reconvergences[at.reconvergence as usize];
            around.block == meet && around.frame == at.frame
        };
        if already {
            return at.reconvergence;
        }
        warp.reconvergences.push(Reconvergence {
            block: meet,
            frame: at.frame,
            expected: at.mask,
            arrived: 0,
            parent: at.reconvergence,
        });
        (warp.reconvergences.len() - 1) as u32
    }

    /// Every split passes here before it runs a block. One that has come to its reconvergence waits there, and another one
    /// runs, or it goes on with all who waited.
    #[inline(always)]
    pub(super) fn arrive(&mut self, at: Split) -> Option<Split> {
        if !self.block.warps[self.cursor.warp].reconvergences[at.reconvergence as usize].is_at(&at) {
            return Some(at);
        }
        self.wait_to_reconverge(at)
    }

    #[inline(never)]
    pub(super) fn wait_to_reconverge(&mut self, mut at: Split) -> Option<Split> {
        let warp = &mut self.block.warps[self.cursor.warp];
        while at.reconvergence != NOWHERE && warp.reconvergences[at.reconvergence as usize].is_at(&at) {
            let reconvergence = &mut warp.reconvergences[at.reconvergence as usize];
            reconvergence.arrived |= at.mask;
            at = match reconvergence.complete() {
                Some(all) => {
                    warp.drop_reconvergences();
                    all
                }
                None => warp.runnable.pop()?,
            };
        }
        Some(at)
    }

    /// Lanes exit: nothing waits for them any more.
    #[inline(always)]
    pub(super) fn exit(&mut self, mask: u32) {
        let warp = &mut self.block.warps[self.cursor.warp];
        warp.live &= !mask;
        if !warp.reconvergences.is_empty() || !warp.gathering.is_empty() || warp.frames.len() > 1 {
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
        for warp in &mut self.block.warps {
            for reconvergence in &mut warp.reconvergences {
                let ends = kernel.blocks.get(reconvergence.block as usize);
                if reconvergence.arrived != 0 && ends.is_some_and(|b| b.start == b.end && b.exit == End::Exit)
                {
                    let mask = std::mem::take(&mut reconvergence.arrived);
                    reconvergence.expected &= !mask;
                    any = true;
                    let (block, frame) = (reconvergence.block, reconvergence.frame);
                    warp.runnable.push(Split { block, mask, reconvergence: NOWHERE, frame });
                }
            }
        }
        any
    }

    #[inline(never)]
    pub(super) fn leave_all(&mut self, mask: u32) {
        let warp = &mut self.block.warps[self.cursor.warp];
        for reconvergence in &mut warp.reconvergences {
            reconvergence.expected &= !mask;
            warp.runnable.extend(reconvergence.complete());
        }
        warp.drop_reconvergences();
        // Those who wait for a warp-wide operation look again who is missing.
        warp.runnable.append(&mut warp.gathering);
        for frame in 1..warp.frames.len() {
            self.leave_frame(frame, mask);
        }
        self.drop_frames();
    }

    /// After many rounds: others of the warp first; if there are none, lanes that wait for this split stop
    /// waiting; then the other warps.
    #[inline(never)]
    fn give_way(&mut self, at: Split, given: &mut Yielded, looks: bool) -> Option<Split> {
        let warp = &mut self.block.warps[self.cursor.warp];
        warp.runnable.insert(0, at);
        given.times += 1;
        given.worked |= !looks;
        // Splits that all wait for other warps would give way to each other for ever.
        if warp.runnable.len() > 1 && given.times < warp.runnable.len() {
            return warp.runnable.pop();
        }
        let alone = warp.runnable.len() == 1;
        let released = (alone || !given.worked) && warp.release_waiting();
        self.cursor.spun = !given.worked && !released;
        None
    }

    /// Where lanes wait at a warp-wide operation, or at a barrier that a warp need not reach as a whole, for others that wait
    /// at a reconvergence for them, these others go on.
    #[inline]
    pub(super) fn release_for_gathering(&mut self) -> bool {
        let barriers = &self.run.kernel.barriers;
        self.block.warps.iter_mut().any(|warp| {
            let unaligned = warp.at_barrier.iter().any(|at| !barriers[at.barrier as usize].aligned);
            (unaligned || !warp.gathering.is_empty()) && warp.release_waiting()
        })
    }

    /// Every lane to its target; those with the same target stay together.
    #[inline(never)]
    pub(super) fn switch(
        &mut self,
        counts: &mut Counts,
        at: Split,
        index: Register,
        table: u32,
        block: &Block,
    ) -> Result<Split, Stop> {
        let table = &self.run.kernel.tables[table as usize];
        let index = self.block.registers.w[self.block.registers.wi(index)];
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
            return Ok(Split { block, ..at });
        }
        counts.count_divergence(block);
        let reconvergence = self.reconvergence_of(at, table.reconvergence);
        let (first, mask) = parts[0];
        let warp = &mut self.block.warps[self.cursor.warp];
        for (block, mask) in parts[1..].iter().rev() {
            warp.runnable.push(Split { block: *block, mask: *mask, reconvergence, ..at });
        }
        Ok(Split { block: first, mask, reconvergence, ..at })
    }

    /// A fault of the last instruction of a block.
    #[cold]
    #[inline(never)]
    pub(super) fn halt(&self, kind: FaultKind, mask: u32, block: &Block) -> RawFault {
        let lane = mask.trailing_zeros() as usize % WARP;
        let message = match kind {
            FaultKind::InfiniteLoop => self
                .awaited_mbarrier()
                .map(|mbarrier| format!("{}; threads wait for {mbarrier}", self.run.over_block_budget())),
            _ => None,
        };
        self.fault_of_end(Stop { message, ..Stop::without_address(kind, lane) }, block)
    }

    #[cold]
    pub(super) fn fault_of_end(&self, stop: Stop, block: &Block) -> RawFault {
        let last = (block.listed + block.weight).saturating_sub(1);
        let origin = self.run.kernel.listing.get(last as usize).map(|l| l.origin).unwrap_or_default();
        self.fault(stop, origin)
    }

    #[cold]
    #[inline(never)]
    pub(super) fn fault_at(&self, stop: Stop, code: u32) -> RawFault {
        let kernel = self.run.kernel;
        let listed = kernel.places.get(code as usize).copied().unwrap_or_default();
        let origin = kernel.listing.get(listed as usize).map(|l| l.origin).unwrap_or_default();
        let warp = self.cursor.warp;
        let frame = self.frame_of(warp, self.cursor.frame, code);
        let callers = frame.map(|frame| self.callers(warp, frame)).unwrap_or_default();
        RawFault { callers, ..self.fault(stop, origin) }
    }

    #[cold]
    pub(super) fn fault(&self, stop: Stop, origin: Origin) -> RawFault {
        RawFault {
            kind: stop.kind,
            block: self.block.number,
            thread: (self.cursor.warp * WARP) as u32 + stop.lane,
            origin,
            callers: self.callers(self.cursor.warp, self.cursor.frame),
            address: stop.address,
            width: stop.width,
            shared: stop.shared,
            message: stop.message,
            detail: stop.detail,
            other: stop.other,
            proven: false,
            of_launch: false,
        }
    }
}

impl Worker<'_> {
    /// Runs the current warp until all of its splits wait or have exited, or one has had its turn.
    #[inline(always)]
    pub(super) fn run_warp<const INLINE: bool>(&mut self) -> Result<(), RawFault> {
        let kernel = self.current.run.kernel;
        let Some(mut at) = self.current.block.warps[self.current.cursor.warp].runnable.pop() else {
            return Ok(());
        };
        self.current.enter_frame(at.frame);
        let mut turns = 0;
        let mut given = Yielded::default();
        // What another warp did, or one of another block, says nothing of this one.
        (self.current.cursor.looked, self.current.cursor.did, self.current.cursor.spun) =
            (false, false, false);
        loop {
            if at.reconvergence != NOWHERE {
                match self.current.arrive(at) {
                    Some(next) => at = next,
                    None => return Ok(()),
                }
            }
            let block = &kernel.blocks[at.block as usize];
            if at.frame != self.current.cursor.frame {
                self.current.enter_frame(at.frame);
            }
            if block.members.is_some() && self.current.others_missing(at, block) {
                match self.gather(at)? {
                    Some(next) => at = next,
                    None => return Ok(()),
                }
                continue;
            }
            match self.run_block::<INLINE>(at, block) {
                Ok(()) => {}
                Err(Broken::Fault(fault)) => return Err(fault),
                Err(Broken::Left(mask)) => {
                    at.mask = mask;
                    if mask == 0 {
                        match self.current.block.warps[self.current.cursor.warp].runnable.pop() {
                            Some(next) => at = next,
                            None => return Ok(()),
                        }
                        continue;
                    }
                }
            }
            let from = at.block;
            match self.leave_block(at, block)? {
                Way::On(next) => at = next,
                Way::Elsewhere(next) => {
                    at = next;
                    continue;
                }
                Way::Ends => match self.current.block.warps[self.current.cursor.warp].runnable.pop() {
                    Some(next) => {
                        at = next;
                        continue;
                    }
                    None => return Ok(()),
                },
            }
            if at.block <= from {
                // A loop that only looks at memory which others write waits for them.
                let looks = self.current.cursor.looked && !self.current.cursor.did;
                turns += if looks { PATIENCE / SPINS } else { 1 };
                self.current.cursor.looked = false;
                self.current.cursor.did = false;
                if turns > PATIENCE {
                    turns = 0;
                    match self.current.give_way(at, &mut given, looks) {
                        Some(next) => at = next,
                        None => return Ok(()),
                    }
                }
            }
        }
    }

    /// Executes the instructions of a basic block, but for how it ends.
    #[inline(always)]
    fn run_block<const INLINE: bool>(&mut self, at: Split, block: &Block) -> Result<(), Broken> {
        self.current.count_block(&mut self.counts, at.block, block, at.mask);
        let (mut n, end) = (block.start as usize, block.end as usize);
        let code = &self.current.run.kernel.code[..end];
        if self.current.block.observers.undefined {
            return self.run_undefined(at, block, n);
        }
        while n < end {
            // As many as there are that need registers alone.
            let mut registers = self.current.block.registers.view();
            let mut mask = 0;
            while let Some(inst) = code.get(n) {
                mask = at.mask & registers.guard(inst);
                let done = if mask == 0 {
                    !inst.op.takes_a_turn()
                } else if INLINE {
                    registers.compute(inst, mask)
                } else {
                    registers.compute_out_of_line(inst, mask)
                };
                if !done {
                    break;
                }
                n += 1;
            }
            let Some(inst) = code.get(n) else { break };
            if mask == 0 {
                self.count_without_lanes(inst, n as u32);
                n += 1;
                continue;
            }
            if let Op::FmaShared { group } = inst.op {
                let done = self.fma_shared(group, mask);
                if done > 0 {
                    n += done;
                    continue;
                }
            }
            if let Err(stop) = self.step(inst, mask, n as u32) {
                return Err(self.rest_of_block(stop, at, mask, n as u32));
            }
            n += 1;
            if self.current.block.observers.undefined {
                self.observers.take_loaded(&mut self.current, n - 1);
                return self.run_undefined(at, block, n);
            }
        }
        if self.current.block.spent > self.current.block.allowed {
            return Err(Broken::Fault(self.current.halt(FaultKind::InfiniteLoop, at.mask, block)));
        }
        Ok(())
    }

    /// Executes the rest of a basic block, while registers hold bits without a value.
    #[cold]
    #[inline(never)]
    fn run_undefined(&mut self, at: Split, block: &Block, from: usize) -> Result<(), Broken> {
        let left = self.run_tracked(at, block, from).map_err(Broken::Fault)?;
        if self.current.block.spent > self.current.block.allowed {
            return Err(Broken::Fault(self.current.halt(FaultKind::InfiniteLoop, at.mask, block)));
        }
        if left == at.mask { Ok(()) } else { Err(Broken::Left(left)) }
    }

    /// Lanes have faulted at an instruction of a basic block: the fault, if the launch ends with it, or the lanes that are
    /// left when the others have executed the rest of the block.
    #[cold]
    #[inline(never)]
    fn rest_of_block(&mut self, stop: Stop, at: Split, mask: u32, code: u32) -> Broken {
        let kernel = self.current.run.kernel;
        let block = &kernel.blocks[at.block as usize];
        let (mut left, mut faulted) = (at.mask, Some((stop, mask)));
        for n in code..block.end {
            let inst = &kernel.code[n as usize];
            let mask = left & self.current.block.registers.view().guard(inst);
            let stop = match faulted.take() {
                Some(first) => Some(first),
                None if mask == 0 => {
                    if inst.op.takes_a_turn() {
                        self.count_without_lanes(inst, n);
                    }
                    None
                }
                None => self.step_out_of_line(inst, mask, n).err().map(|stop| (stop, mask)),
            };
            if let Some((stop, mask)) = stop {
                match self.lanes_fault(stop, inst, mask, n) {
                    Ok(gone) => left &= !gone,
                    Err(fault) => return Broken::Fault(fault),
                }
            }
            if left == 0 {
                break;
            }
            if self.current.block.observers.undefined {
                self.observers.take_loaded(&mut self.current, n as usize);
                return match self.run_undefined(at.part(left), block, n as usize + 1) {
                    Ok(()) => Broken::Left(left),
                    Err(broken) => broken,
                };
            }
        }
        if self.current.block.spent > self.current.block.allowed {
            return Broken::Fault(self.current.halt(FaultKind::InfiniteLoop, at.mask, block));
        }
        Broken::Left(left)
    }

    /// Follows the end of a basic block.
    #[inline(always)]
    fn leave_block(&mut self, at: Split, block: &Block) -> Result<Way, RawFault> {
        let go_on = |next: u32| Way::On(Split { block: next, ..at });
        Ok(match block.exit {
            End::Goto(next) => go_on(next),
            End::Branch { predicate, negated, taken, next, reconvergence } => {
                let go = self.current.block.registers.lanes_where(at.mask, predicate, negated);
                if go == at.mask {
                    go_on(taken)
                } else if go == 0 {
                    go_on(next)
                } else {
                    self.counts.count_divergence(block);
                    let split = self.current.diverge(at, go, taken, next, reconvergence);
                    if self.current.block.warps[self.current.cursor.warp].reconvergences.len()
                        > RECONVERGENCES
                    {
                        return Err(self.current.halt(FaultKind::StackOverflow, split.mask, block));
                    }
                    Way::Elsewhere(split)
                }
            }
            End::Switch { index, table } => {
                match self.current.switch(&mut self.counts, at, index, table, block) {
                    Ok(next) => Way::On(next),
                    Err(stop) => {
                        let again = |worker: &mut Self, at: Split| {
                            worker.current.switch(&mut worker.counts, at, index, table, block).map(Way::On)
                        };
                        return self.lanes_end(at, stop, block, again);
                    }
                }
            }
            End::Barrier { barrier, next } => {
                self.current.wait_at_barrier(
                    &mut self.counts,
                    Split { block: next, ..at },
                    barrier,
                    block,
                )?;
                Way::Ends
            }
            End::Call { call, next } => {
                match self.current.call(&mut self.observers, &mut self.schedule, at, call, next) {
                    Ok(next) => Way::Elsewhere(next),
                    Err(stop) => {
                        let again = |worker: &mut Self, at: Split| {
                            worker
                                .current
                                .call(&mut worker.observers, &mut worker.schedule, at, call, next)
                                .map(Way::Elsewhere)
                        };
                        return self.lanes_end(at, stop, block, again);
                    }
                }
            }
            End::Return => Way::Elsewhere(self.current.leave(&mut self.observers, at)),
            End::Exit => {
                self.current.exit(at.mask);
                Way::Ends
            }
            End::ExitIf { predicate, negated, next } => {
                let go = self.current.block.registers.lanes_where(at.mask, predicate, negated);
                self.current.exit(go);
                let mask = at.mask & !go;
                if mask == 0 { Way::Ends } else { Way::On(Split { block: next, mask, ..at }) }
            }
            End::Trap => {
                let fault = self.current.halt(FaultKind::Trap, at.mask, block);
                self.current.all_fault(fault, at.mask)?;
                Way::Ends
            }
        })
    }

    /// A lane cannot follow the end of a basic block: the others do, as `again` says.
    #[cold]
    #[inline(never)]
    fn lanes_end(
        &mut self,
        at: Split,
        stop: Stop,
        block: &Block,
        again: impl Fn(&mut Self, Split) -> Result<Way, Stop>,
    ) -> Result<Way, RawFault> {
        let (mut stop, mut left) = (stop, at.mask);
        loop {
            let (kind, lane) = (stop.kind, 1 << (stop.lane % WARP as u32));
            let fault = self.current.fault_of_end(stop, block);
            if !goes_on(kind) {
                return Err(fault);
            }
            self.current.all_fault(fault, lane)?;
            left &= !lane;
            if left == 0 {
                return Ok(Way::Ends);
            }
            match again(self, at.part(left)) {
                Ok(way) => return Ok(way),
                Err(next) => stop = next,
            }
        }
    }
}
