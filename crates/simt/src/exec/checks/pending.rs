//! Reads of memory that has not been written yet.
//!
//! Which of two warps comes first is chance: what one reads before it is written, another may write before the next
//! barrier, and then a barrier is missing. So who has used such a value is held where it is, the others go on until they
//! wait or have ended, and a write to that place in the meantime is reported as the race that it is. If it is never written, the
//! read was of memory that has no value.

use super::super::fault::{Missing, Other, RawFault, Stop};
use super::Checks;
use crate::WARP;
use crate::detail::RaceAccess;
use crate::error::FaultKind;
use std::ops::Range;

/// Warp instructions that the others of a block may spend after a warp has been held.
pub(in crate::exec) const PATIENCE: u64 = 1 << 20;

/// Memory that was read before it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::exec) enum Unwritten {
    /// Of the block: its marks tell of a race.
    Shared,
    /// Addresses.
    Global(Range<u64>),
}

/// The first read of a block that has to wait for what the others do.
#[derive(Debug)]
pub(super) struct PendingFault {
    fault: RawFault,
    unwritten: Unwritten,
    /// Another thread has written that place since.
    written: bool,
}

impl Checks<'_> {
    /// A read is about to fault, of memory that others of the block may still write.
    pub(in crate::exec) fn note_unwritten(&mut self, unwritten: Unwritten) {
        self.unwritten = Some(unwritten);
    }

    /// The global memory that the fault at hand is about, if it is of a read that had not been written.
    pub(in crate::exec) fn take_unwritten(&mut self) -> Option<Range<u64>> {
        match self.unwritten.take() {
            Some(Unwritten::Global(bytes)) => Some(bytes),
            Some(Unwritten::Shared) | None => None,
        }
    }

    /// A warp's lanes have a fault: whether the others of the block go on.
    pub(in crate::exec) fn hold(&mut self, fault: RawFault) -> Result<(), RawFault> {
        let unwritten = self.unwritten.take();
        let again = fault.kind == FaultKind::UninitialisedRead;
        match self.held.take() {
            None => match unwritten.filter(|_| again) {
                Some(unwritten) => {
                    self.held = Some(Box::new(PendingFault { fault, unwritten, written: false }));
                    Ok(())
                }
                None => Err(fault),
            },
            Some(_) if fault.kind == FaultKind::SharedRace => Err(fault),
            Some(held) if again && !held.written => {
                self.held = Some(held);
                Ok(())
            }
            // Whatever comes after it may come of it.
            Some(held) => Err(held.fault),
        }
    }

    #[inline(always)]
    pub(in crate::exec) fn has_held(&self) -> bool {
        self.held.is_some()
    }

    /// What a held warp read has not been written.
    pub(in crate::exec) fn take_held(&mut self) -> Option<RawFault> {
        self.held.take().map(|held| held.fault)
    }

    /// A lane is about to write global memory, which may be what a held one has read: then the block ends here.
    #[cold]
    #[inline(never)]
    pub(in crate::exec) fn write_after(
        &mut self,
        warp: usize,
        lane: usize,
        access: u16,
        bytes: Range<u64>,
    ) -> Result<(), Stop> {
        let Some(held) = &mut self.held else { return Ok(()) };
        let Unwritten::Global(read) = &held.unwritten else { return Ok(()) };
        let thread = (warp * WARP + lane) as u32;
        if read.start >= bytes.end || bytes.start >= read.end || thread == held.fault.thread {
            return Ok(());
        }
        held.written = true;
        held.fault.other = Some(Box::new(Other {
            thread,
            block: None,
            access,
            accesses: [RaceAccess::Read, RaceAccess::Write],
            missing: Missing::Barrier,
        }));
        Err(Stop::at(FaultKind::UninitialisedRead, lane, bytes.start, bytes.end - bytes.start))
    }
}
