//! Who touched which cell of an allocation in the launch that runs: for the check of global memory.
//!
//! A cell is as wide as the launch's narrowest access to the allocation. The first block that touches a cell owns it, and keeps
//! its marks here, where only it changes them; marks of other blocks are those blocks' own, and come here when they end. So
//! blocks that share nothing, as most do, wait for no other, and what is found in the end does not depend on which block came
//! first. It is a cell that has an owner, and not a row of them: blocks that store in columns share rows, and no cells.

use crate::hash::HashMap;
use crate::ir::Uses;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicU32, AtomicU64};
use std::sync::{Mutex, OnceLock, PoisonError};

/// Cells of a piece, which has memory once one of them is touched.
pub(crate) const PIECE: usize = 1024;
/// Cells of an allocation that are looked at, the first ones: a race is among them, as a rule. To look at all of them would
/// take several times as long as a launch that does little else than store.
pub(crate) const CELLS: u64 = 1 << 16;
/// Blocks whose writes to a cell are kept, the lowest ones, and as many of each kind of read.
const KEPT: usize = 4;

/// An access, as a cell remembers it:
///
/// ```text
/// 63 … 33  time      32 … 17  access      16 … 7  thread      6 … 0  kind
/// ```
///
/// Zero represents none: times begin with 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Mark(pub(crate) u64);

impl Mark {
    /// Of reads: nothing may write there in the whole launch.
    pub(crate) const READ_ONLY: u64 = 1;
    /// Of writes: an atomic operation; others may be waiting for it; what reads there accepts both values.
    pub(crate) const ATOMIC: u64 = 1;
    pub(crate) const STRONG: u64 = 2;
    pub(crate) const QUIET: u64 = 4;

    pub(crate) fn new(time: u32, access: u16, kind: u64) -> Self {
        Mark(u64::from(time) << 33 | u64::from(access) << 17 | kind)
    }

    /// The same access by a thread of the block.
    #[inline(always)]
    pub(crate) fn by(self, thread: u32) -> Self {
        Mark(self.0 | u64::from(thread) << 7)
    }

    /// The same, of a plain write of this value: of other values there is, as a rule, another mark.
    #[inline(always)]
    pub(crate) fn of_value(self, value: u64) -> Self {
        Mark(self.0 | (value.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 60) << 3)
    }

    #[inline(always)]
    pub(crate) fn is_some(self) -> bool {
        self.0 != 0
    }

    #[inline(always)]
    pub(crate) fn time(self) -> u32 {
        (self.0 >> 33) as u32
    }

    pub(crate) fn access(self) -> u16 {
        (self.0 >> 17) as u16
    }

    #[inline(always)]
    pub(crate) fn thread(self) -> u32 {
        (self.0 >> 7) as u32 & 0x3ff
    }

    #[inline(always)]
    pub(crate) fn is(self, kind: u64) -> bool {
        self.0 & kind != 0
    }

    /// Whether two plain writes may be of different values.
    #[inline(always)]
    pub(crate) fn differs(self, other: Mark) -> bool {
        (self.0 ^ other.0) & 0x78 != 0
    }
}

/// Marks of one block's accesses to a cell: the last write, and reads of two threads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Marks {
    pub(crate) written: Mark,
    pub(crate) read: [Mark; 2],
}

impl Marks {
    /// The first read of what nothing may write.
    #[inline(always)]
    pub(crate) fn read_only(&self) -> Option<Mark> {
        let [one, other] = self.read;
        if one.is(Mark::READ_ONLY) { Some(one) } else { Some(other).filter(|mark| mark.is(Mark::READ_ONLY)) }
    }

    /// The first other read.
    pub(crate) fn plain(&self) -> Option<Mark> {
        self.read.into_iter().find(|mark| mark.is_some() && !mark.is(Mark::READ_ONLY))
    }
}

/// Marks of several blocks, by rising block: what is left of them are those of the lowest that did each thing.
fn keep_lowest(all: &mut Vec<(u32, Marks)>) {
    let mut counts = [0; 3];
    all.retain(|(_, marks)| {
        let does = [marks.written.is_some(), marks.read_only().is_some(), marks.plain().is_some()];
        let among = counts.iter_mut().zip(does).filter(|(_, does)| *does);
        among.fold(false, |kept, (count, _)| {
            *count += 1;
            kept | (*count <= KEPT)
        })
    });
}

/// The marks of an allocation's cells.
#[derive(Debug)]
pub(crate) struct AccessMarks {
    /// What the launch may do with it.
    pub(crate) uses: Uses,
    pieces: Box<[OnceLock<Box<Piece>>]>,
    /// By cell, the marks of blocks that do not own it.
    others: Mutex<HashMap<u32, Vec<(u32, Marks)>>>,
}

#[derive(Debug)]
pub(crate) struct Piece {
    cells: Box<[Cell]>,
    /// Those of cells that are read.
    read: OnceLock<Box<[[AtomicU64; 2]]>>,
}

/// A cell's owner, and who wrote it: together, since stores that are scattered touch both.
#[derive(Debug, Default)]
struct Cell {
    written: AtomicU64,
    /// The number of its owner, from 1.
    owner: AtomicU32,
}

/// As many defaults as a piece has cells.
fn defaults<T: Default>() -> Box<[T]> {
    std::iter::repeat_with(T::default).take(PIECE).collect()
}

impl Piece {
    fn new() -> Box<Self> {
        Box::new(Piece { cells: defaults(), read: OnceLock::new() })
    }

    /// Whether a block owns a cell, by its number in the piece, or may: then it does.
    #[inline(always)]
    pub(crate) fn is_own(&self, cell: usize, block: u32) -> bool {
        let owner = &self.cells[cell % PIECE].owner;
        let own = block.wrapping_add(1);
        let now = owner.load(Relaxed);
        now == own || now == 0 && owner.compare_exchange(0, own, Relaxed, Relaxed).is_ok()
    }

    /// The marks of a cell, which is the block's own.
    #[inline(always)]
    pub(crate) fn get(&self, cell: usize) -> Marks {
        let read = match self.read.get() {
            Some(read) => {
                let [one, other] = &read[cell % PIECE];
                [Mark(one.load(Relaxed)), Mark(other.load(Relaxed))]
            }
            None => [Mark(0); 2],
        };
        Marks { written: Mark(self.cells[cell % PIECE].written.load(Relaxed)), read }
    }

    #[inline(always)]
    pub(crate) fn set_written(&self, cell: usize, mark: Mark) {
        self.cells[cell % PIECE].written.store(mark.0, Relaxed);
    }

    #[inline(always)]
    pub(crate) fn set_read(&self, cell: usize, marks: [Mark; 2]) {
        let [one, other] = &self.read.get_or_init(defaults)[cell % PIECE];
        one.store(marks[0].0, Relaxed);
        other.store(marks[1].0, Relaxed);
    }
}

impl AccessMarks {
    /// Of an allocation of a given number of bytes.
    pub(crate) fn new(bytes: u64, uses: Uses) -> Self {
        let cells = bytes.div_ceil(1 << uses.shift).min(CELLS) as usize;
        let pieces = std::iter::repeat_with(OnceLock::new).take(cells.div_ceil(PIECE)).collect();
        AccessMarks { uses, pieces, others: Mutex::default() }
    }

    /// Cells that are looked at.
    pub(crate) fn cells(&self) -> u64 {
        (self.pieces.len() * PIECE) as u64
    }

    /// The piece of a cell that is looked at.
    #[inline(always)]
    pub(crate) fn piece(&self, cell: usize) -> &Piece {
        self.pieces[cell / PIECE].get_or_init(Piece::new)
    }

    /// A block has ended that touched cells of other blocks.
    pub(crate) fn add(&self, block: u32, cells: impl Iterator<Item = (u32, Marks)>) {
        // Threads that hold it only add to it.
        let mut others = self.others.lock().unwrap_or_else(PoisonError::into_inner);
        for (cell, marks) in cells {
            let kept = others.entry(cell).or_default();
            let at = kept.partition_point(|(there, _)| *there < block);
            kept.insert(at, (block, marks));
            keep_lowest(kept);
        }
    }

    /// Each cell that several blocks touched, by rising cell, with the marks of the lowest of them by rising block.
    pub(crate) fn shared(&self) -> Vec<(u32, Vec<(u32, Marks)>)> {
        let others = self.others.lock().unwrap_or_else(PoisonError::into_inner);
        let with_owner = |(cell, kept): (&u32, &Vec<(u32, Marks)>)| {
            let mut all = kept.clone();
            if let Some(owner) = self.owned(*cell as usize) {
                let at = all.partition_point(|(there, _)| *there < owner.0);
                all.insert(at, owner);
                keep_lowest(&mut all);
            }
            (*cell, all)
        };
        let mut all: Vec<_> = others.iter().map(with_owner).collect();
        all.sort_unstable_by_key(|(cell, _)| *cell);
        all
    }

    /// The owner of a cell, and its marks.
    fn owned(&self, cell: usize) -> Option<(u32, Marks)> {
        let piece = self.pieces.get(cell / PIECE)?.get()?;
        let owner = piece.cells[cell % PIECE].owner.load(Relaxed).checked_sub(1)?;
        Some((owner, piece.get(cell)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn touched(bytes: u64) -> AccessMarks {
        AccessMarks::new(bytes, Uses { shift: 2, ..Uses::NONE })
    }

    const READ: Mark = Mark(1 << 33);

    fn written(n: u64) -> Marks {
        Marks { written: Mark::new(1, 0, 0).of_value(n), read: [Mark::default(); 2] }
    }

    #[test]
    fn a_cell_belongs_to_the_first_block_that_touches_it() {
        let touched = touched(1 << 14);
        assert_eq!(touched.cells(), 4096);
        let piece = touched.piece(2048);
        assert!(piece.is_own(2053, 7) && piece.is_own(2054, 7));
        piece.set_written(2053, written(1).written);
        piece.set_read(2054, [READ, READ.by(9)]);
        assert!(!piece.is_own(2053, 8) && piece.is_own(2055, 8) && touched.piece(5).is_own(5, 8));
        assert!(piece.is_own(2053, 7));
        assert_eq!(piece.get(2053), written(1));
        assert_eq!(piece.get(2054), Marks { written: Mark::default(), read: [READ, READ.by(9)] });
    }

    #[test]
    fn cells_of_several_blocks_are_the_same_in_whichever_order_blocks_came() {
        // Block 9 writes what the others read.
        let marks = |block: u32| match block {
            9 => written(9),
            block => Marks { read: [READ.by(block), Mark::default()], ..Marks::default() },
        };
        let run = |order: [u32; 7]| {
            let touched = touched(400);
            for block in order {
                let piece = touched.piece(9);
                if piece.is_own(9, block) {
                    piece.set_written(9, marks(block).written);
                    piece.set_read(9, marks(block).read);
                } else {
                    touched.add(block, std::iter::once((9, marks(block))));
                }
            }
            touched.shared()
        };
        let lowest: Vec<_> = [1, 2, 3, 4, 9].map(|n| (n, marks(n))).to_vec();
        for order in [[1, 2, 3, 4, 5, 6, 9], [9, 6, 4, 5, 2, 3, 1], [6, 9, 1, 5, 2, 3, 4]] {
            assert_eq!(run(order), [(9, lowest.clone())]);
        }
    }

    #[test]
    fn a_mark_tells_what_it_was_made_of() {
        let mark = Mark::new(77, 1234, Mark::STRONG).by(1023);
        assert_eq!((mark.time(), mark.access(), mark.thread()), (77, 1234, 1023));
        assert!(mark.is(Mark::STRONG) && !mark.is(Mark::ATOMIC) && !mark.differs(mark.by(0)));
        assert!(mark.of_value(1).differs(mark.of_value(2)) && !mark.of_value(3).differs(mark.of_value(3)));
    }

    #[test]
    fn what_lies_past_the_first_cells_is_not_looked_at() {
        assert_eq!(touched(1 << 40).cells(), CELLS);
        assert_eq!(touched(0).cells(), 0);
    }
}
