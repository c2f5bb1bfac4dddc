//! A window: what is kept and noted of a block while it is looked at for a loop that never ends ([`super::endless`]).

use crate::exec::block::BlockState;
use crate::exec::follow::live::Live;
use crate::exec::follow::snapshot::Snapshot;
use crate::exec::memory::access::Memory;
use crate::hash::HashMap;
use crate::ir::{File, Kernel, Register};
use crate::lanes::X;

/// Reads of one instruction by one warp: the lanes that made any, and their addresses of the last time.
pub(in crate::exec) struct Look {
    pub(in crate::exec) warp: u32,
    /// A place in [`Kernel::accesses`].
    pub(in crate::exec) access: u16,
    pub(in crate::exec) memory: Memory,
    /// Volatile, relaxed, acquire or atomic: what waits for others is.
    pub(in crate::exec) strong: bool,
    pub(in crate::exec) mask: u32,
    pub(in crate::exec) addresses: X,
}

/// Of one block at a time: how it was when the window began, and what it has done since.
#[derive(Default)]
pub(in crate::exec) struct Window {
    pub(in crate::exec) is_open: bool,
    /// It began with the block's turn.
    pub(in crate::exec) whole_turn: bool,
    /// What the block had spent when it began, and rounds since then.
    pub(in crate::exec) began: u64,
    pub(in crate::exec) rounds: u32,
    snapshot: Snapshot,
    /// There from the first window on.
    live: Option<Live>,
    /// The block read what other blocks can change.
    pub(in crate::exec) others: bool,
    /// It did what cannot be followed.
    pub(in crate::exec) unknown: bool,
    /// It gave a word of global memory, or one of another block of its cluster, another value, if only for a while.
    pub(in crate::exec) changed: bool,
    /// Words of global memory that it wrote, by address, as they were before.
    pub(in crate::exec) before: HashMap<u64, u32>,
    /// Words that are about to be written, as they are.
    pub(in crate::exec) pending: Vec<(u64, u32)>,
    pub(in crate::exec) looks: Vec<Look>,
}

impl Window {
    pub(in crate::exec) fn open(
        &mut self,
        block: &BlockState<'_>,
        kernel: &Kernel,
        used: u64,
        whole_turn: bool,
    ) {
        self.is_open = true;
        self.whole_turn = whole_turn;
        (self.began, self.rounds) = (used, 0);
        (self.others, self.unknown, self.changed) = (false, false, false);
        self.before.clear();
        self.pending.clear();
        self.looks.clear();
        self.live.get_or_insert_with(|| Live::new(kernel));
        self.snapshot.take(block);
    }

    /// Whether anything may depend on what the instruction at `code` has written to a register.
    pub(in crate::exec) fn matters(
        &self,
        kernel: &Kernel,
        code: u32,
        file: File,
        register: Register,
    ) -> bool {
        self.live.as_ref().is_none_or(|live| live.matters(kernel, code, file, register))
    }

    /// Whether the block is in the state in which it was when the window began.
    pub(in crate::exec) fn recurs(&self, block: &BlockState<'_>, kernel: &Kernel) -> bool {
        self.live.as_ref().is_some_and(|live| self.snapshot.is_of(block, kernel, live))
    }
}
