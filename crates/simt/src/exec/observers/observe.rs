//! The face of a launch's observers: blocks, turns, instructions and accesses are shown to all of them here.
//!
//! Which of them there are is known when a block begins ([`crate::exec::observers::of_block::BlockObservers::observed`]): an access asks once, and
//! what they do is out of line. Observers of whole instructions see them one by one ([`crate::exec::instruction`]). What orders
//! accesses (barriers, fences, warps that meet) only the checks are shown ([`crate::exec::observers::check`]).

use crate::Counters;
use crate::exec::count::Counts;
use crate::exec::current::CurrentBlock;
use crate::exec::fault::{RawFault, Stop};
use crate::exec::memory::access::Access;
use crate::exec::observers::Observers;
use crate::exec::schedule::Turn;
use crate::exec::worker::Worker;
use crate::ir::{Effect, Inst};
use crate::lanes::X;
use crate::memory::Allocation;

impl Worker<'_> {
    /// Shows an access to all observers, before memory is read or changed. It is aligned and inside of its memory; of global
    /// memory, `one` is the allocation that all of its lanes are in.
    #[inline(always)]
    pub(in crate::exec) fn observe(
        &mut self,
        access: &Access<'_>,
        one: Option<&Allocation>,
    ) -> Result<(), Stop> {
        if self.current.block.observers.observed { self.show(access, one) } else { Ok(()) }
    }

    #[cold]
    #[inline(never)]
    fn show(&mut self, access: &Access<'_>, one: Option<&Allocation>) -> Result<(), Stop> {
        let Worker { current, observers, sites, schedule, .. } = self;
        if observers.notes.is_some() {
            observers.trace_access(current, sites, access);
        }
        if current.block.observers.caches.is_some() {
            observers.sample_access(current, sites, access);
        }
        if observers.widens {
            observers.widen_access(sites, current.run, access);
        }
        if observers.window.is_open {
            observers.follow_access(current, sites, access);
        }
        if current.block.observers.checks.is_some()
            && let Err(stop) = current.check_access(sites, schedule, access, one)
        {
            current.found_by_check(sites, schedule, access, one, stop)?;
        }
        Ok(())
    }
}

impl Observers {
    /// Whether the block that runs has an observer other than a window.
    pub(in crate::exec) fn has_observers(&self, current: &CurrentBlock<'_>) -> bool {
        self.notes.is_some()
            || current.block.observers.caches.is_some()
            || current.block.observers.checks.is_some()
            || self.widens
    }

    /// A block begins: its registers have the values that they have before the first instruction.
    #[inline(always)]
    pub(in crate::exec) fn begin_block(&mut self, current: &mut CurrentBlock<'_>) {
        current.block.observers.begin();
        current.block.observers.undefined = self.has_unset() || self.floats.watches(current.run);
        self.begin_checks(current);
    }

    /// The warps of a block begin.
    #[inline(always)]
    pub(in crate::exec) fn begin_warps(&mut self, current: &mut CurrentBlock<'_>) {
        if self.is_sampled(current.block.number) {
            self.begin_sample(current);
        }
        current.block.observers.observed = self.has_observers(current);
        if current.run.stepping.is_some() {
            self.begin_steps(current);
        }
    }

    /// A block's turn is over: a fault, if the launch ends with what was found.
    #[inline(always)]
    pub(in crate::exec) fn end_turn(
        &mut self,
        current: &mut CurrentBlock<'_>,
        counts: &mut Counts,
        turn: Turn,
    ) -> Result<(), RawFault> {
        if self.window.is_open {
            self.close_window(current);
        }
        if self.stepper.is_some() {
            self.end_turn_of_steps(current, turn)?;
        }
        if turn == Turn::Ended {
            if current.block.observers.checks.is_some() {
                current.end_touched();
            }
            if current.run.options.keep_going {
                current.end_found(counts);
            }
        }
        Ok(())
    }

    /// The block that runs has ended.
    #[cold]
    #[inline(never)]
    pub(in crate::exec) fn end_block(&mut self, current: &mut CurrentBlock<'_>) {
        if current.block.observers.caches.is_some() {
            self.end_sample(current);
        }
    }

    /// Whether accesses and instructions must be made one by one: several that are made at once could not be shown.
    #[inline(always)]
    pub(in crate::exec) fn want_single_steps(&self, current: &CurrentBlock<'_>) -> bool {
        self.watching || self.widens || current.block.observers.caches.is_some()
    }

    /// Whether accesses are noted down.
    #[inline]
    pub(in crate::exec) fn note_accesses(&self) -> bool {
        self.notes.is_some()
    }

    /// What lanes found at the addresses of an atomic operation.
    #[inline(always)]
    pub(in crate::exec) fn note_old(&mut self, old: X) {
        self.floats.note_old(old);
    }

    /// An instruction begins: the counters as they are, where accesses are noted down with what they cost.
    #[inline(always)]
    pub(in crate::exec) fn begin_instruction(
        &mut self,
        counts: &mut Counts,
        current: &CurrentBlock<'_>,
        inst: &Inst,
        code: u32,
    ) -> Option<Counters> {
        if self.window.is_open {
            self.follow_instruction(current.run, inst, code);
        }
        if inst.op.effect() == Effect::Pure { None } else { self.before_instruction(counts, code) }
    }
}
