//! A window: what is kept and noted of a block while it is looked at for a loop that never ends ([`super::endless`]).

use super::access::Memory;
use super::block::BlockState;
use super::live::Live;
use super::snapshot::Snapshot;
use crate::hash::HashMap;
use crate::ir::{File, Kernel, Register};
use crate::lanes::X;

/// Warp instructions, slow ones counted as several, after which a block has its first window. The next ones begin when
/// it has spent twice as many each time, so all windows together are a small part of its time.
pub(super) const FIRST_WINDOW: u64 = 1 << 19;

/// Reads of one instruction by one warp: the lanes that made any, and their addresses of the last time.
pub(super) struct Look {
    pub(super) warp: u32,
    /// A place in [`Kernel::accesses`].
    pub(super) access: u16,
    pub(super) memory: Memory,
    /// Volatile, relaxed, acquire or atomic: what waits for others is.
    pub(super) strong: bool,
    pub(super) mask: u32,
    pub(super) addresses: X,
}

/// Of one block at a time: how it was when the window began, and what it has done since.
#[derive(Default)]
pub(super) struct Window {
    pub(super) is_open: bool,
    /// It began with the block's turn.
    pub(super) whole_turn: bool,
    /// What the block had spent when it began, and rounds since then.
    pub(super) began: u64,
    pub(super) rounds: u32,
    snapshot: Snapshot,
    /// There from the first window on.
    live: Option<Live>,
    /// The block read what other blocks can change.
    pub(super) others: bool,
    /// It did what cannot be followed.
    pub(super) unknown: bool,
    /// It gave a word of global memory, or one of another block of its cluster, another value, if only for a while.
    pub(super) changed: bool,
    /// Words of global memory that it wrote, by address, as they were before.
    pub(super) before: HashMap<u64, u32>,
    /// Words that are about to be written, as they are.
    pub(super) pending: Vec<(u64, u32)>,
    pub(super) looks: Vec<Look>,
}

impl Window {
    pub(super) fn open(&mut self, block: &BlockState<'_>, kernel: &Kernel, used: u64, whole_turn: bool) {
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
    pub(super) fn matters(&self, kernel: &Kernel, code: u32, file: File, register: Register) -> bool {
        self.live.as_ref().is_none_or(|live| live.matters(kernel, code, file, register))
    }

    /// Whether the block is in the state in which it was when the window began.
    pub(super) fn recurs(&self, block: &BlockState<'_>, kernel: &Kernel) -> bool {
        self.live.as_ref().is_some_and(|live| self.snapshot.is_of(block, kernel, live))
    }
}
