//! Faults as the interpreter knows them: numbers, no text but what only it can say.

use crate::error::FaultKind;
use crate::ir::Origin;
use crate::memory::NULL_PAGE;

/// A fault as the interpreter knows it: numbers, no text.
#[derive(Clone, Debug)]
pub(crate) struct RawFault {
    pub(crate) kind: FaultKind,
    pub(crate) block: u64,
    pub(crate) thread: u32,
    pub(crate) origin: Origin,
    /// The calls that the thread is in, innermost first.
    pub(crate) callers: Vec<Origin>,
    pub(crate) address: Option<u64>,
    /// Bytes of the access.
    pub(crate) width: u32,
    /// Details that the kind does not tell.
    pub(crate) message: Option<String>,
    /// With whom a thread raced.
    pub(crate) other: Option<Box<Other>>,
    /// Of a loop without end: that it is one, and not only long, is proven.
    pub(crate) proven: bool,
}

/// A fault of an instruction, not yet located: its lane and its reason.
#[derive(Debug)]
pub(super) struct Stop {
    pub(super) kind: FaultKind,
    pub(super) lane: u32,
    pub(super) address: Option<u64>,
    pub(super) width: u32,
    pub(super) message: Option<String>,
    pub(super) other: Option<Box<Other>>,
    /// Lanes for which the instruction has been executed: it goes lane by lane, and those below come first.
    pub(super) done: u32,
}

impl Stop {
    #[cold]
    pub(super) fn at(kind: FaultKind, lane: usize, address: u64, width: u64) -> Self {
        Stop {
            kind,
            lane: lane as u32,
            address: Some(address),
            width: width as u32,
            message: None,
            other: None,
            done: 0,
        }
    }

    /// A fault of an instruction that all lanes below this one have executed.
    #[cold]
    pub(super) fn behind(self, lane: usize) -> Self {
        Stop { done: (1 << lane) - 1, ..self }
    }

    /// An access to global memory that is in no allocation.
    #[cold]
    pub(super) fn stray(lane: usize, address: u64, width: u64) -> Self {
        let kind = if address < NULL_PAGE { FaultKind::NullPointer } else { FaultKind::OutOfBoundsGlobal };
        Stop::at(kind, lane, address, width)
    }

    #[cold]
    pub(super) fn without_address(kind: FaultKind, lane: usize) -> Self {
        Stop { kind, lane: lane as u32, address: None, width: 0, message: None, other: None, done: 0 }
    }
}

/// The other party of a race.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Other {
    /// A thread of the block.
    pub(crate) thread: u32,
    /// A place in [`crate::ir::Kernel::accesses`].
    pub(crate) access: u16,
    /// Kinds of the two accesses: the one that faults, and the other one.
    pub(crate) verbs: [&'static str; 2],
    /// What would have ordered them.
    pub(crate) missing: &'static str,
}

/// [`Other::missing`] of threads that have not met.
pub(crate) const BARRIER_MISSING: &str = "a barrier between them is missing";
