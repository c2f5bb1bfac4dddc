//! What becomes of a fault that was found: it ends the launch, or, with [`crate::Options::keep_going`], it is noted and
//! the launch goes on.
//!
//! What goes on after a fault:
//! - after a race, or a read of memory that has not been written: the thread itself, as it would without checks;
//! - after an access that cannot be made, a trap, an assertion, a mask that does not name the lane: the other threads; the
//!   one that faulted has exited. Of an instruction that a whole warp executes together, all of its threads exit;
//! - after a loop without end, a barrier that cannot open, a stack that is too small: the other blocks.

use crate::WARP;
use crate::error::FaultKind;
use crate::exec::checks::origin_of;
use crate::exec::count::Counts;
use crate::exec::current::CurrentBlock;
use crate::exec::fault::{RawFault, Stop};
use crate::exec::memory::access::Access;
use crate::exec::memory::sites::Sites;
use crate::exec::schedule::Schedule;
use crate::exec::worker::Worker;
use crate::ir::{Effect, Inst, Op};
use crate::lanes::lanes;
use crate::memory::Allocation;

impl<'a> CurrentBlock<'a> {
    /// A fault of a given number of threads: an error if the launch ends with it.
    #[cold]
    pub(in crate::exec) fn found(&mut self, fault: RawFault, threads: u32) -> Result<(), RawFault> {
        if !self.run.options.keep_going {
            return Err(fault);
        }
        let other = fault.other.as_ref().map(|other| origin_of(self.run.kernel, other.access));
        let unwritten = self.block.observers.checks.as_mut().and_then(|checks| checks.take_unwritten());
        let unwritten = unwritten.filter(|_| fault.kind == FaultKind::UninitialisedRead);
        self.block.observers.found.note(fault, other, u64::from(threads), unwritten);
        Ok(())
    }

    /// A check has found that a lane should not make an access: an error if it does not make it.
    #[cold]
    #[inline(never)]
    pub(in crate::exec) fn found_by_check(
        &mut self,
        sites: &Sites,
        schedule: &mut Schedule<'a>,
        access: &Access<'_>,
        one: Option<&Allocation>,
        stop: Stop,
    ) -> Result<(), Stop> {
        let (mut mask, mut stop) = (access.mask, stop);
        let addresses = sites.addresses(access);
        // What a lane has read earlier may turn out to be used now, so there may be more faults than lanes.
        for _ in 0..2 * WARP {
            let goes_on = matches!(
                stop.kind,
                FaultKind::SharedRace
                    | FaultKind::GlobalRace
                    | FaultKind::ReadOnlyWrite
                    | FaultKind::UninitialisedRead
            );
            let lane = stop.lane as usize % WARP;
            if !self.run.options.keep_going || !goes_on {
                return Err(stop);
            }
            let kind = stop.kind;
            let fault = self.fault(stop, origin_of(self.run.kernel, access.id.number()));
            if self.found(fault, 1).is_err() {
                return Ok(());
            }
            let part = access.of_lanes(access.memory, 1 << lane, &addresses);
            if kind == FaultKind::SharedRace {
                self.mark_after_race(sites, &part);
            }
            // Lanes are looked at from the lowest on, element by element.
            let done = if access.operand.count == 1 { (2u64 << lane) - 1 } else { 1 << lane };
            mask &= !(done as u32);
            if mask == 0 {
                return Ok(());
            }
            // The others look once more, without it.
            let rest = access.of_lanes(access.memory, mask, &addresses);
            match self.check_access(sites, schedule, &rest, one) {
                Ok(()) => return Ok(()),
                Err(next) => stop = next,
            }
        }
        Ok(())
    }

    /// A block cannot go on: an error if the launch ends with it; otherwise its threads have exited.
    #[cold]
    #[inline(never)]
    pub(in crate::exec) fn block_faults(&mut self, fault: RawFault) -> Result<(), RawFault> {
        self.found(fault, 1)?;
        self.end_block();
        Ok(())
    }

    /// The launch cannot go on: an error if that is its only fault; otherwise it is one more.
    #[cold]
    pub(in crate::exec) fn launch_faults(
        &mut self,
        schedule: &mut Schedule<'_>,
        counts: &mut Counts,
        fault: RawFault,
    ) -> Result<(), RawFault> {
        self.found(fault, 1)?;
        for resident in &mut schedule.residents {
            let mut found = std::mem::take(&mut resident.state.observers.found);
            found.end_block();
            counts.tally.found.add(found);
        }
        self.end_found(counts);
        Ok(())
    }

    /// All threads of the block exit.
    #[inline]
    pub(in crate::exec) fn end_block(&mut self) {
        for warp in &mut self.block.warps {
            warp.live = 0;
            warp.runnable.clear();
            warp.at_barrier.clear();
            warp.at_cluster.clear();
            warp.gathering.clear();
            warp.reconvergences.clear();
            warp.frames.truncate(1);
            warp.held = 0;
        }
        self.forget_called();
    }

    /// The threads of a mask exit for a fault that each of them has.
    #[cold]
    pub(in crate::exec) fn all_fault(&mut self, fault: RawFault, mask: u32) -> Result<(), RawFault> {
        self.found(fault, lanes(mask).count() as u32)?;
        self.exit(mask);
        Ok(())
    }

    /// The block has ended: what was found in it counts.
    #[cold]
    #[inline(never)]
    pub(in crate::exec) fn end_found(&mut self, counts: &mut Counts) {
        let mut found = std::mem::take(&mut self.block.observers.found);
        found.end_block();
        counts.tally.found.add(found);
    }
}

impl Worker<'_> {
    /// A lane could not execute an instruction: it exits, and the others execute it. Says which lanes have exited.
    #[cold]
    #[inline(never)]
    pub(in crate::exec) fn lanes_fault(
        &mut self,
        stop: Stop,
        inst: &Inst,
        mask: u32,
        code: u32,
    ) -> Result<u32, RawFault> {
        let (mut stop, mut left) = (stop, mask);
        let mut gone = 0;
        loop {
            let (kind, lane, done) = (stop.kind, stop.lane, stop.done);
            let fault = self.current.fault_at(stop, code);
            if !goes_on(kind) {
                return Err(fault);
            }
            let together = matches!(inst.op.effect(), Effect::LoadMatrix(_) | Effect::StoreMatrix(_))
                || matches!(inst.op, Op::Matrix { .. });
            let own = if together { left } else { left & 1 << (lane % WARP as u32) };
            // (A fault of a lane that is not there cannot be; were it, the instruction would be tried for ever.)
            let own = if own == 0 { left } else { own };
            self.current.found(fault, 1)?;
            gone |= own;
            self.current.exit(own);
            left &= !own & !done;
            if left == 0 {
                return Ok(gone);
            }
            match self.step_out_of_line(inst, left, code) {
                Ok(()) => return Ok(gone),
                Err(next) => stop = next,
            }
        }
    }
}

/// Whether the other threads of a block can go on after a fault.
pub(in crate::exec) fn goes_on(kind: FaultKind) -> bool {
    match kind {
        FaultKind::OutOfBoundsGlobal
        | FaultKind::OutOfBoundsShared
        | FaultKind::OutOfBoundsConstant
        | FaultKind::OutOfBoundsLocal
        | FaultKind::MisalignedAddress
        | FaultKind::NullPointer
        | FaultKind::SharedRace
        | FaultKind::GlobalRace
        | FaultKind::ReadOnlyWrite
        | FaultKind::UninitialisedRead
        | FaultKind::InvalidMask
        | FaultKind::UnsupportedInstruction
        | FaultKind::Trap => true,
        FaultKind::DivergentBarrier
        | FaultKind::InfiniteLoop
        | FaultKind::TimeLimit
        | FaultKind::StackOverflow => false,
    }
}
