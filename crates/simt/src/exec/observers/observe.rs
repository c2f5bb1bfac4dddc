//! The observers of a launch: what looks at accesses beside the counters.
//!
//! Which of them there are is known when a block begins ([`crate::exec::block::BlockState::observed`]): an access asks once, and
//! what they do is out of line. Observers of whole instructions see them one by one ([`crate::exec::step`]).

use crate::exec::fault::Stop;
use crate::exec::memory::access::Access;
use crate::exec::worker::Worker;
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
        if self.block.observed { self.show(access, one) } else { Ok(()) }
    }

    #[cold]
    #[inline(never)]
    fn show(&mut self, access: &Access<'_>, one: Option<&Allocation>) -> Result<(), Stop> {
        if self.notes.is_some() {
            self.trace_access(access);
        }
        if self.block.caches.is_some() {
            self.sample_access(access);
        }
        if self.widens {
            self.widen_access(access);
        }
        if self.window.is_open {
            self.follow_access(access);
        }
        if self.block.checks.is_some()
            && let Err(stop) = self.check_access(access, one)
        {
            self.found_by_check(access, one, stop)?;
        }
        Ok(())
    }

    /// Whether the block that runs has an observer, beside windows.
    pub(in crate::exec) fn has_observers(&self) -> bool {
        self.notes.is_some() || self.block.caches.is_some() || self.block.checks.is_some() || self.widens
    }
}
