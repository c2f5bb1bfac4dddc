//! Faults as the interpreter knows them: numbers, no text but what only it can say.

use crate::detail::{FailedAccess, RaceAccess, UnwrittenRead};
use crate::error::{FaultKind, UNORDERED_BLOCKS, UNORDERED_THREADS};
use crate::ir::Origin;
use crate::memory::NULL_PAGE;
use std::fmt;

/// A fault as the interpreter knows it: numbers, no text.
#[derive(Clone, Debug)]
pub(crate) struct RawFault {
    pub(crate) kind: FaultKind,
    pub(crate) block: u64,
    pub(crate) thread: u32,
    pub(crate) origin: Origin,
    /// The calls that the thread is in, innermost first.
    pub(crate) callers: Box<[Origin]>,
    pub(crate) address: Option<u64>,
    /// Bytes of the access.
    pub(crate) width: u32,
    /// Whether the address is one in the block's own shared memory.
    pub(crate) shared: bool,
    /// Details that the kind does not tell.
    pub(crate) message: Option<String>,
    /// The same of an access, as data; the message is made of it.
    pub(crate) detail: Option<Box<RawDetail>>,
    /// With whom a thread raced.
    pub(crate) other: Option<Box<Other>>,
    /// Of a loop without end: that it is one, and not only long, is proven.
    pub(crate) proven: bool,
    /// Of a loop without end: whether it is the launch's budget that has run out, and no block's.
    pub(crate) of_launch: bool,
}

/// What is known of an access that faults, beyond its kind and its place.
#[derive(Clone, Debug)]
pub(crate) enum RawDetail {
    /// It cannot be made.
    Access(FailedAccess),
    /// It reads bytes without a value.
    Unwritten(UnwrittenRead),
}

/// A fault of an instruction, not yet located: its lane and its reason.
#[derive(Debug)]
pub(super) struct Stop {
    pub(super) kind: FaultKind,
    pub(super) lane: u32,
    pub(super) address: Option<u64>,
    pub(super) width: u32,
    /// Whether the address is one in the block's own shared memory.
    pub(super) shared: bool,
    pub(super) message: Option<String>,
    pub(super) detail: Option<Box<RawDetail>>,
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
            shared: false,
            message: None,
            detail: None,
            other: None,
            done: 0,
        }
    }

    /// A fault of an instruction that all lanes below this one have executed.
    #[cold]
    pub(super) fn after_lanes_before(self, lane: usize) -> Self {
        Stop { done: (1 << lane) - 1, ..self }
    }

    /// The same with the reason why the access cannot be made, as what follows its bytes.
    #[cold]
    pub(super) fn because(self, reason: String) -> Self {
        let access = FailedAccess { bytes: self.width.into(), reason, without_block: false };
        Stop { detail: Some(Box::new(RawDetail::Access(access))), ..self }
    }

    /// An access to global memory that is in no allocation.
    #[cold]
    pub(super) fn stray(lane: usize, address: u64, width: u64) -> Self {
        let kind = if address < NULL_PAGE { FaultKind::NullPointer } else { FaultKind::OutOfBoundsGlobal };
        Stop::at(kind, lane, address, width)
    }

    #[cold]
    pub(super) fn without_address(kind: FaultKind, lane: usize) -> Self {
        Stop {
            kind,
            lane: lane as u32,
            address: None,
            width: 0,
            shared: false,
            message: None,
            detail: None,
            other: None,
            done: 0,
        }
    }
}

/// The other party of a race.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Other {
    /// A thread of its block.
    pub(crate) thread: u32,
    /// Its block's number, where that is another one.
    pub(crate) block: Option<u64>,
    /// A place in [`crate::ir::Kernel::accesses`].
    pub(crate) access: u16,
    /// The two accesses: the one that faults, and the other one.
    pub(crate) accesses: [RaceAccess; 2],
    /// What would have ordered them.
    pub(crate) missing: Missing,
}

/// What would have ordered two accesses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Missing {
    /// The threads have not met.
    Barrier,
    /// Neither have they met, nor is one of the accesses atomic.
    Order,
    /// They are of different blocks, which do not meet in one launch.
    Grid,
    /// The other thread has waited for its copy, and the threads have not met since.
    BarrierAfterWait {
        /// Whether they have met before that, while the copy was under way.
        met_before: bool,
    },
    /// The other thread has not waited for its copy.
    Wait {
        /// Whether this thread has met it since the copy began.
        met: bool,
    },
    /// It has waited for groups, and the copy belongs to none.
    Commit,
    /// It has waited for groups before the copy belonged to one.
    CommitBeforeWait,
    /// It has waited for all but a number of its latest groups, of which the copy is in one.
    EarlierWait(u32),
}

impl fmt::Display for Missing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Missing::Barrier => f.write_str("a barrier between them is missing"),
            Missing::Order => f.write_str(UNORDERED_THREADS),
            Missing::Grid => f.write_str(UNORDERED_BLOCKS),
            Missing::BarrierAfterWait { met_before: false } => {
                f.write_str("a barrier after the wait for the copy is missing")
            }
            Missing::BarrierAfterWait { met_before: true } => f.write_str(
                "the wait for the copy comes after the barrier, and other threads see a copy only after a barrier that \
                 follows its wait",
            ),
            Missing::Wait { met } => {
                let before = if *met { " before the barrier" } else { "" };
                let calls = "`cp.async.wait_group`, in CUDA C `__pipeline_wait_prior`";
                write!(f, "the copy has not been waited for{before} ({calls})")
            }
            Missing::Commit => f.write_str(
                "the copy is in no group that a wait could be for: it has not been committed \
                 (`cp.async.commit_group`, in CUDA C `__pipeline_commit`)",
            ),
            Missing::CommitBeforeWait => f.write_str(
                "the wait comes before the copy is committed (`cp.async.commit_group`, in CUDA C `__pipeline_commit`)",
            ),
            Missing::EarlierWait(1) => f.write_str(
                "the wait leaves the latest group of copies under way, and the copy is in it \
                 (`cp.async.wait_group 1`, in CUDA C `__pipeline_wait_prior(1)`)",
            ),
            Missing::EarlierWait(groups) => write!(
                f,
                "the wait leaves the latest {groups} groups of copies under way, and the copy is in one of them \
                 (`cp.async.wait_group {groups}`, in CUDA C `__pipeline_wait_prior({groups})`)"
            ),
        }
    }
}
