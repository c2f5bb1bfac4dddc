//! The blocks of a worker: which it has begun, which of them runs, and for how long others have waited.

use super::block::BlockState;

/// Why a block's turn is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Turn {
    Ended,
    /// All of its threads wait for the cluster, or for threads that do.
    Blocked,
    /// It has worked and goes on.
    Works,
    /// It has worked and goes on, for so long that it may be waiting.
    Lasts,
    /// It looks at what others may write, after it has worked, or nothing else.
    Looks {
        worked: bool,
    },
}

/// Of a worker whose blocks wait: who waits, and for how long.
#[derive(Debug, Default)]
pub(super) struct Wait {
    /// Blocks that last, and what others have spent while the first of them had no turn.
    pub(super) lasting: usize,
    pub(super) behind: u64,
    /// Whose turn it is after that block.
    pub(super) resume: Option<usize>,
    /// Warp instructions that polling has taken since all blocks had a turn, and whether there was anything else than
    /// polling.
    pub(super) looks: u64,
    pub(super) other: bool,
    /// Warp instructions that polling has taken, round after round, since the launch's blocks had spent `spent` together,
    /// which is what they still have.
    pub(super) idle: u64,
    pub(super) spent: u64,
    /// The launch knows so.
    pub(super) told: bool,
    /// Proofs of blocks that wait count from this number on: it rises when anything else than waiting was done. What the
    /// launch's blocks had spent when it last rose.
    pub(super) epoch: u64,
    pub(super) proof_at: u64,
    /// The launch knows that all blocks here have proofs.
    pub(super) proof_told: bool,
    /// Blocks are looked at for a proof in the turns that follow; and after how many looks the next time.
    pub(super) proving: bool,
    pub(super) next_proof: u64,
}

/// A block that was begun.
#[derive(Default)]
pub(super) struct Resident<'a> {
    /// Its state; empty for the block that runs, whose state the worker has.
    pub(super) state: BlockState<'a>,
    pub(super) cluster: u64,
    pub(super) rank: u32,
    pub(super) ended: bool,
    pub(super) blocked: bool,
    pub(super) lasts: bool,
}

/// The blocks of a worker.
#[derive(Default)]
pub(super) struct Schedule<'a> {
    /// Those that it has begun, if it has others than the one that runs.
    pub(super) residents: Vec<Resident<'a>>,
    /// The one that runs, among them.
    pub(super) running: usize,
    /// State for blocks to come.
    pub(super) spare: Vec<BlockState<'a>>,
    /// Units that were handed out and have not begun.
    pub(super) units: std::ops::Range<u64>,
    /// Blocks that the queue knows of.
    pub(super) counted: u64,
    /// Whether a block that waits has been seen to make progress since the first of them had its turn.
    pub(super) progress: bool,
    pub(super) wait: Wait,
    /// In this turn, threads slept after they had changed something.
    pub(super) slept_after_work: bool,
    /// Warp instructions that all blocks have spent since the worker asked whether the launch has to end.
    pub(super) unwatched: u64,
}

/// Progress of a block in its turn so far.
pub(super) struct Watch {
    pub(super) began: u64,
    /// When the round began.
    pub(super) round: u64,
    pub(super) idle_rounds: u32,
    pub(super) idle_since: u64,
    pub(super) progress: bool,
}

impl Watch {
    pub(super) fn new(used: u64) -> Self {
        Watch { began: used, round: used, idle_rounds: 0, idle_since: 0, progress: false }
    }

    /// The block has done something.
    pub(super) fn progress(&mut self) {
        self.progress = true;
        self.idle_rounds = 0;
    }
}
