//! Steps of the warps of one block: the state after a chosen one ([`crate::StepTo`]).
//!
//! A block that is stepped through is executed instruction by instruction, as one whose registers hold bits without a value
//! ([`super::track`]), so nothing here costs other blocks or launches anything. What ends a basic block takes effect when
//! the next one begins, be it another warp's; so the state after it is taken there, or where the block's turn ends.

use crate::WARP;
use crate::error::FaultKind;
use crate::exec::block::POISON;
use crate::exec::count::Counts;
use crate::exec::current::CurrentBlock;
use crate::exec::fault::{RawFault, Stop};
use crate::exec::follow::step_state::{
    ExecutedStep, RawState, RawStretch, RawWarp, Stepper, Steps, note_shared,
};
use crate::exec::launch::Run;
use crate::exec::observers::Observers;
use crate::exec::registers::RegisterFile;
use crate::exec::registers::index;
use crate::exec::schedule::Turn;
use crate::exec::warp::Split;
use crate::exec::worker::Worker;
use crate::ir::*;
use crate::lanes::lanes;
use crate::step::{Doing, Write};
use std::sync::PoisonError;

impl Observers {
    /// A block begins, and the launch is stepped through.
    #[cold]
    #[inline(never)]
    pub(in crate::exec) fn begin_steps(&mut self, current: &mut CurrentBlock<'_>) {
        let Some(stepping) = current.run.stepping.filter(|stepping| stepping.block == current.block.number)
        else {
            current.block.observers.stepped = false;
            // Before it begins, instructions are not looked at.
            if self.stepper().is_none() {
                self.drop_notes();
                current.block.observers.observed = self.has_observers(current);
            }
            return;
        };
        self.begin_notes();
        current.block.observers.observed = true;
        current.block.observers.stepped = true;
        current.block.observers.undefined = true;
        let began: Vec<u32> = current.block.warps.iter().map(|warp| warp.live).collect();
        let mut stepper = Box::new(Stepper::new(stepping));
        stepper.executed = vec![0; began.len()];
        stepper.called = vec![false; began.len()];
        stepper.began = began;
        stepper.shared_written = vec![false; current.block.shared.len()];
        self.replace_stepper(Some(stepper));
    }

    /// Whether the block that runs is the one that is stepped through.
    pub(in crate::exec) fn is_stepped(&self, current: &CurrentBlock<'_>) -> bool {
        current.block.observers.stepped && self.stepper().is_some()
    }

    /// Splits have executed a basic block together that ends with a warp-wide operation. The state after each of its
    /// instructions is the one after all of them.
    pub(in crate::exec) fn stepped_together(
        &mut self,
        current: &mut CurrentBlock<'_>,
        here: &[Split],
    ) -> Result<(), RawFault> {
        let kernel = current.run.kernel;
        for at in here {
            current.enter_frame(at.frame);
            let block = &kernel.blocks[at.block as usize];
            self.begin_frame(current, *at);
            for n in block.start..block.end {
                let inst = &kernel.code[n as usize];
                let guarded = at.mask & current.block.registers.view().guard(inst);
                self.note_results(current, *at, inst, kernel.places[n as usize], guarded);
            }
            for listed in block.listed..block.listed + block.weight {
                self.step_done(current, *at, listed, [at.mask; 2], true)?;
            }
        }
        Ok(())
    }

    /// A split is about to execute a basic block: registers of a function that was just called are its own.
    fn begin_frame(&mut self, current: &mut CurrentBlock<'_>, at: Split) {
        let warp = current.cursor.warp;
        let called = current.block.warps[warp].frames[at.frame as usize];
        let (Some(stepping), Some(stepper)) = (current.run.stepping, self.stepper_mut()) else { return };
        let names = &stepping.names[called.function as usize];
        let by_call = Write { at: stepper.found.executed, line: 0 };
        let was_called = std::mem::take(&mut stepper.called[warp]);
        if stepping.to.warp.is_some_and(|chosen| chosen as usize != warp) {
            return;
        }
        let fresh = || -> Vec<Steps> {
            let steps = |named: &Named| -> Steps {
                std::array::from_fn(|lane| {
                    (named.outlives && called.live >> lane & 1 != 0).then_some(by_call)
                })
            };
            names.iter().map(steps).collect()
        };
        let entry = current.run.kernel.functions[called.function as usize].entry;
        if was_called && at.block == entry {
            stepper.written.insert((warp, at.frame), fresh());
        } else {
            stepper.written.entry((warp, at.frame)).or_insert_with(fresh);
        }
    }

    /// An instruction has written its results.
    fn note_results(
        &mut self,
        current: &mut CurrentBlock<'_>,
        at: Split,
        inst: &Inst,
        listed: u32,
        mask: u32,
    ) {
        let kernel = current.run.kernel;
        let mut written = vec![];
        kernel.results(inst, |file, register| written.push((file, register)));
        if let Op::FmaShared { group } = inst.op {
            written.extend(
                kernel[kernel[group].loads[0]].registers[0].get().map(|register| (File::W, register)),
            );
        }
        self.note_written(current, at, &written, listed, mask);
    }

    fn note_written(
        &mut self,
        current: &mut CurrentBlock<'_>,
        at: Split,
        written: &[(File, Register)],
        listed: u32,
        mask: u32,
    ) {
        let function = current.block.warps[current.cursor.warp].frames[at.frame as usize].function as usize;
        let origin = current.run.kernel.listing.get(listed as usize).map(|l| l.origin).unwrap_or_default();
        let write = Write { at: self.steps_so_far(), line: origin.line };
        let (Some(stepping), Some(stepper)) = (current.run.stepping, self.stepper_mut()) else { return };
        let Some(steps) = stepper.written.get_mut(&(current.cursor.warp, at.frame)) else { return };
        for key in written {
            let Some(named) = stepper.by_register[function].get(key) else { continue };
            let names = &stepping.names[function];
            let is_meant = |n: usize| match &named[..] {
                [_] => true,
                _ => {
                    // Several names have one place, one after the other.
                    let text = stepping.program.instruction(origin);
                    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '%' | '.');
                    text.split(|c| !is_part(c)).any(|word| word == names[n].name)
                }
            };
            for n in named {
                if is_meant(*n) {
                    lanes(mask).for_each(|lane| steps[*n][lane % WARP] = Some(write));
                } else {
                    steps[*n] = [None; WARP];
                }
            }
        }
    }

    /// The number of the instruction that a warp executes, among those that are counted.
    fn steps_so_far(&self) -> u64 {
        self.stepper().map_or(0, |stepper| stepper.found.executed)
    }

    /// A warp has executed an instruction of the listing: the end of the launch if nothing more is asked for.
    fn step_done(
        &mut self,
        current: &mut CurrentBlock<'_>,
        at: Split,
        listed: u32,
        lanes_of: [u32; 2],
        is_last: bool,
    ) -> Result<(), RawFault> {
        let [active, executed] = lanes_of;
        let warp = current.cursor.warp;
        let function = current.block.warps[warp].frames[at.frame as usize].function as usize;
        self.take_events(current.run);
        let (Some(stepping), Some(stepper)) = (current.run.stepping, self.stepper_mut()) else {
            return Ok(());
        };
        let step = stepper.found.executed;
        let line = current.run.kernel.listing[listed as usize].origin.line;
        let write = Write { at: step, line };
        if let (Some(named), Some(steps)) =
            (stepper.by_instruction[function].get(&listed), stepper.written.get_mut(&(warp, at.frame)))
        {
            for n in named {
                lanes(active).for_each(|lane| steps[*n][lane % WARP] = Some(write));
            }
        }
        stepper.executed[warp] += 1;
        if stepping.to.warp.is_some_and(|chosen| chosen as usize != warp) {
            return Ok(());
        }
        stepper.found.executed += 1;
        if stepping.to.path > 0 {
            let line = stepping.lines[listed as usize];
            let found = &mut stepper.found;
            let same =
                |last: &RawStretch| (last.warp as usize, last.line, last.active) == (warp, line, active);
            if found.path_left_out > 0 || !found.path.last().is_some_and(same) {
                if found.path.len() < stepping.to.path as usize {
                    found.path.push(RawStretch { at: step, warp: warp as u32, line, active });
                } else {
                    found.path_left_out += 1;
                }
            }
        }
        if step != stepping.to.at {
            return Ok(());
        }
        let step = ExecutedStep { at: step, warp, frame: at.frame, listed, active, executed };
        if is_last {
            stepper.pending = Some(step);
            return Ok(());
        }
        self.take_state(current, step, Some((warp, at, listed + 1)))
    }

    /// Another basic block is about to run (of which warp, where, its first instruction), or the turn is over: takes the
    /// state after the last instruction of the one before, if it is asked for.
    pub(in crate::exec) fn settle_step(
        &mut self,
        current: &mut CurrentBlock<'_>,
        running: Option<(usize, Split, u32)>,
    ) -> Result<(), RawFault> {
        match self.stepper_mut().and_then(|stepper| stepper.pending.take()) {
            Some(step) => self.take_state(current, step, running),
            None => Ok(()),
        }
    }

    /// The turn of a block is over.
    #[cold]
    #[inline(never)]
    pub(in crate::exec) fn end_turn_of_steps(
        &mut self,
        current: &mut CurrentBlock<'_>,
        turn: Turn,
    ) -> Result<(), RawFault> {
        if !self.is_stepped(current) {
            return Ok(());
        }
        self.settle_step(current, None)?;
        match self.stepper_mut() {
            Some(stepper) if turn == Turn::Ended => {
                stepper.found.ended = true;
                self.end_launch(current)
            }
            _ => Ok(()),
        }
    }

    /// The worker has nothing more to do: hands over what it has found. Says whether it has left the launch on its own.
    #[cold]
    #[inline(never)]
    pub(in crate::exec) fn end_steps(&mut self, current: &mut CurrentBlock<'_>, counts: &Counts) -> bool {
        let Some(stepping) = current.run.stepping else { return false };
        // (A fault may have ended the block before the state was taken; what comes of that is known.)
        let _ = self.settle_step(current, None);
        let Some(mut stepper) = self.replace_stepper(None) else { return false };
        stepper.found.counters = counts.tally.counters;
        let left = stepper.found.left;
        *stepping.found.lock().unwrap_or_else(PoisonError::into_inner) = stepper.found;
        left
    }

    /// Ends the launch, since nothing more is asked for.
    fn end_launch(&mut self, current: &mut CurrentBlock<'_>) -> Result<(), RawFault> {
        if let Some(stepper) = self.stepper_mut() {
            stepper.found.left = true;
        }
        Err(current.fault(Stop::without_address(FaultKind::TimeLimit, 0), Origin::default()))
    }

    /// Moves what observers have noted since the last instruction to the events.
    fn take_events(&mut self, run: &Run<'_>) {
        let (Some((notes, stepper)), Some(stepping)) = (self.notes_of_steps(), run.stepping) else { return };
        for noted in notes.accesses.drain(..) {
            note_shared(&mut stepper.shared_written, &noted);
            if stepping.to.warp.is_some_and(|warp| warp != noted.warp) {
                continue;
            }
            stepper.events.push_back((stepper.found.executed, noted));
            if stepper.events.len() > stepping.to.events as usize {
                stepper.events.pop_front();
                stepper.events_left_out += 1;
            }
        }
    }

    /// Takes the block's state after a step.
    fn take_state(
        &mut self,
        current: &mut CurrentBlock<'_>,
        step: ExecutedStep,
        running: Option<(usize, Split, u32)>,
    ) -> Result<(), RawFault> {
        let kernel = current.run.kernel;
        let Some(stepping) = current.run.stepping else { return Ok(()) };
        let Some(mut stepper) = self.replace_stepper(None) else { return Ok(()) };
        // Lanes may have gone into a function or out of one.
        let frame = match running {
            Some((warp, at, _)) if warp == step.warp => at.frame,
            _ => step.frame,
        };
        let warp = &current.block.warps[step.warp];
        let frame = if (frame as usize) < warp.frames.len() { frame } else { 0 };
        let called = warp.frames[frame as usize];
        let names = &stepping.names[called.function as usize];
        let steps = stepper.written.get(&(step.warp, frame));
        let mut registers = vec![];
        for (n, steps) in steps.into_iter().flatten().enumerate() {
            if steps.iter().all(Option::is_none) {
                continue;
            }
            let register = names[n].register;
            let values = match names[n].file {
                File::W => current.block.registers.w[index(register, called.w)].0.map(u64::from),
                File::X => current.block.registers.x[index(register, called.x)].0,
                File::P => {
                    let bits = current.block.registers.p[called.p + register.offset()];
                    std::array::from_fn(|lane| u64::from(bits >> lane & 1))
                }
            };
            registers.push((n, values, *steps));
        }
        let poison = POISON as u8;
        let written = stepper.shared_written.iter().zip(&current.block.shared);
        let state = RawState {
            at: step.at,
            warp: step.warp as u32,
            listed: step.listed,
            active: step.active,
            executed: step.executed,
            function: called.function,
            registers,
            callers: current.callers(step.warp, frame),
            shared: current.block.shared.clone(),
            // Copies that a unit of its own makes are not shown to observers.
            shared_written: written.map(|(noted, byte)| *noted || *byte != poison).collect(),
            warps: (0..current.block.warps.len())
                .map(|n| current.raw_warp(n, &stepper, running, kernel))
                .collect(),
            events: stepper.events.iter().cloned().collect(),
            events_left_out: stepper.events_left_out,
        };
        stepper.found.state = Some(Box::new(state));
        self.replace_stepper(Some(stepper));
        if stepping.to.path == 0 { self.end_launch(current) } else { Ok(()) }
    }
}

impl Worker<'_> {
    /// Executes a basic block, but for how it ends; says which lanes are left.
    pub(in crate::exec) fn run_stepped(&mut self, at: Split, block: &Block) -> Result<u32, RawFault> {
        let kernel = self.current.run.kernel;
        let warp = self.current.cursor.warp;
        self.observers.settle_step(&mut self.current, Some((warp, at, block.listed)))?;
        self.observers.begin_frame(&mut self.current, at);
        let (mut left, mut next) = (at.mask, block.listed);
        let end = block.listed + block.weight;
        // Of the instruction at `next`: who came to it, and who executed it.
        let (mut active, mut executed) = (left, 0);
        for n in block.start..block.end {
            let listed = kernel.places[n as usize];
            while next < listed {
                self.observers.step_done(
                    &mut self.current,
                    at.part(left),
                    next,
                    [left, left],
                    next + 1 == end,
                )?;
                next += 1;
                (active, executed) = (left, 0);
            }
            let inst = &kernel.code[n as usize];
            let guarded = left & self.current.block.registers.view().guard(inst);
            executed |= guarded;
            let gone = self.step_tracked(left, n as usize)?;
            left &= !gone;
            self.observers.note_results(&mut self.current, at, inst, listed, guarded);
            let is_last = n + 1 == block.end || kernel.places[n as usize + 1] != listed;
            if is_last && next == listed {
                self.observers.step_done(
                    &mut self.current,
                    at.part(left),
                    listed,
                    [active, executed],
                    listed + 1 == end,
                )?;
                next = listed + 1;
            }
            if is_last {
                (active, executed) = (left, 0);
            }
            if left == 0 {
                return Ok(0);
            }
        }
        let mut written = vec![];
        kernel.end_results(block, |file, register| written.push((file, register)));
        self.observers.note_written(&mut self.current, at, &written, end.saturating_sub(1), left);
        while next < end {
            let executed = if next + 1 == end {
                self.current.block.registers.lanes_that_leave(left, block)
            } else {
                left
            };
            self.observers.step_done(
                &mut self.current,
                at.part(left),
                next,
                [left, executed],
                next + 1 == end,
            )?;
            next += 1;
        }
        if let Some(stepper) = self.observers.stepper_mut() {
            stepper.called[warp] = matches!(block.exit, End::Call { .. });
        }
        Ok(left)
    }
}

impl RegisterFile {
    /// Of the lanes at the end of a basic block, those that a condition there lets go elsewhere.
    #[inline]
    fn lanes_that_leave(&self, mask: u32, block: &Block) -> u32 {
        match block.exit {
            End::Branch { predicate, negated, .. } | End::ExitIf { predicate, negated, .. } => {
                let holds = self.p[self.p_base + predicate.offset()];
                mask & if negated { !holds } else { holds }
            }
            End::Goto(_)
            | End::Switch { .. }
            | End::Barrier { .. }
            | End::Call { .. }
            | End::Return
            | End::Exit
            | End::Trap => mask,
        }
    }
}

impl CurrentBlock<'_> {
    fn raw_warp(
        &self,
        n: usize,
        stepper: &Stepper,
        running: Option<(usize, Split, u32)>,
        kernel: &Kernel,
    ) -> RawWarp {
        let warp = &self.block.warps[n];
        let last = kernel.listing.len().saturating_sub(1) as u32;
        let first = |block: u32| kernel.blocks[block as usize].listed.min(last);
        let mut paths = vec![];
        if let Some((_, at, next)) = running.filter(|(running, ..)| *running == n) {
            paths.push((at.mask, next.min(last), Doing::Running));
        }
        paths.extend(warp.runnable.iter().rev().map(|at| (at.mask, first(at.block), Doing::Ready)));
        for meeting in warp.reconvergences.iter().filter(|meeting| meeting.arrived != 0) {
            let doing = Doing::Meeting { awaits: meeting.expected & !meeting.arrived };
            paths.push((meeting.arrived, first(meeting.block), doing));
        }
        // A barrier is the last instruction of the block before.
        let before = |block: u32| first(block).saturating_sub(1);
        for waiting in &warp.at_barrier {
            let doing = Doing::Barrier { number: waiting.id, threads: waiting.threads };
            paths.push((waiting.split.mask, before(waiting.split.block), doing));
        }
        paths.extend(warp.at_cluster.iter().map(|at| (at.mask, before(at.block), Doing::Cluster)));
        paths.extend(warp.gathering.iter().map(|at| (at.mask, first(at.block), Doing::Gathering)));
        let meetings = warp.reconvergences.iter().filter(|meeting| meeting.expected != 0);
        RawWarp {
            lanes: stepper.began[n],
            executed: stepper.executed[n],
            paths,
            meetings: meetings.map(|m| (first(m.block), m.expected, m.arrived)).collect(),
        }
    }
}
