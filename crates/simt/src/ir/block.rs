//! Basic blocks and how they end.

use super::{File, Kernel, OptionalRegister, Register};
use crate::model::chain::Chain;
use crate::model::issue::Issue;

/// The targets of a `brx.idx`.
#[derive(Clone, Debug, Default)]
pub(crate) struct Table {
    pub(crate) targets: Vec<u32>,
    pub(crate) reconvergence: Option<u32>,
}

/// Kinds of arrival at a barrier of the block or of the cluster.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BarrierOperation {
    Sync,
    /// Counts and goes on.
    Arrive,
    /// Combines a predicate of all threads.
    Reduce {
        reduction: Reduction,
        predicate: Register,
        result: Register,
    },
    /// At the cluster's barrier: comes and goes on, or waits for all who have come.
    ClusterArrive,
    ClusterWait,
}

/// Results of `bar.red`: whether a predicate holds for all threads or for any, or for how many it does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reduction {
    And,
    Or,
    Count,
}

impl Reduction {
    /// The file of its result.
    pub(crate) fn file(self) -> File {
        match self {
            Reduction::And | Reduction::Or => File::P,
            Reduction::Count => File::W,
        }
    }
}

/// A barrier of the block.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BarrierOperands {
    pub(crate) operation: BarrierOperation,
    /// Its number, in `W`.
    pub(crate) id: Register,
    /// Threads that it waits for, in `W`; all of the block if absent.
    pub(crate) threads: OptionalRegister,
    /// All threads of a warp must come to it together.
    pub(crate) aligned: bool,
}

/// How a basic block ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    Goto(u32),
    /// To `taken` where the predicate (negated) holds, else to `next`; divergent lanes reconverge at `reconvergence`, if
    /// anywhere.
    Branch {
        predicate: Register,
        negated: bool,
        taken: u32,
        next: u32,
        reconvergence: Option<u32>,
    },
    /// To the table's entry that the index in `W` names.
    Switch {
        index: Register,
        table: u32,
    },
    /// Waits for the block, then goes on.
    Barrier {
        barrier: u32,
        next: u32,
    },
    /// Into a function, then on.
    Call {
        call: u32,
        next: u32,
    },
    /// Out of a function.
    Return,
    Exit,
    /// Lanes for which the predicate holds exit.
    ExitIf {
        predicate: Register,
        negated: bool,
        next: u32,
    },
    Trap,
}

/// A basic block.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Block {
    /// Instructions, in [`Kernel::code`].
    pub(crate) start: u32,
    pub(crate) end: u32,
    /// PTX instructions it represents, in [`Kernel::listing`]; those that ran once a launch or a block are among them.
    pub(crate) listed: u32,
    pub(crate) weight: u32,
    /// Budget that they take beyond one each.
    pub(crate) slow: u32,
    /// Of these, constant loads at an address known when decoding.
    pub(crate) uniform_loads: u32,
    /// Lanes that must be here before it runs, in `W`; those that have come if absent.
    pub(crate) members: OptionalRegister,
    pub(crate) exit: End,
    /// Eight times ([`Chain::SCALE`]) the longest chain of results that wait for each other in it, for the time model.
    pub(crate) chain: Chain,
    /// Turns of a multiprocessor's pipes in quarters, for the time model.
    pub(crate) issue: Issue,
}

impl Kernel {
    /// The blocks that may follow a block in its function.
    pub(crate) fn successors(&self, block: &Block) -> Vec<u32> {
        match block.exit {
            End::Goto(next)
            | End::Barrier { next, .. }
            | End::Call { next, .. }
            | End::ExitIf { next, .. } => {
                vec![next]
            }
            End::Branch { taken, next, .. } => vec![taken, next],
            End::Switch { table, .. } => self.tables[table as usize].targets.clone(),
            End::Exit | End::Return | End::Trap => vec![],
        }
    }
}

/// Barriers of a block (PTX ISA, `bar`).
pub(crate) const BARRIERS: usize = 16;
