//! Who touched which cell of an allocation in the launch that runs: for the check of global memory.
//!
//! A cell is as wide as the launch's narrowest access to the allocation, and 32 cells are a line. The first block that
//! touches a line owns it, and keeps its marks here, where only it changes them; marks of other blocks are those blocks'
//! own, and come here when they end. So blocks that share nothing, as most do, wait for nobody, and what is found in the end does not depend
//! on which block came first.

use crate::hash::HashMap;
use crate::ir::Uses;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicU32, AtomicU64};
use std::sync::{Mutex, OnceLock, PoisonError};

/// Cells of a line.
pub(crate) const LINE: usize = 32;
/// Cells of a piece, which has memory once one of them is touched.
const PIECE: usize = 1024;
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
/// Zero stands for none: times begin with 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Mark(pub(crate) u64);

impl Mark {
    /// Of reads: nothing may write there in the whole launch.
    pub(crate) const READ_ONLY: u64 = 1;
    /// Of writes: an atomic operation; others may be waiting for it; whoever reads there minds neither of both values.
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
    pub(crate) fn read_only(&self) -> Option<Mark> {
        self.read.into_iter().find(|mark| mark.is(Mark::READ_ONLY))
    }

    /// The first read beside such.
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
pub(crate) struct Touched {
    /// What the launch may do with it.
    pub(crate) uses: Uses,
    pieces: Box<[OnceLock<Box<Piece>>]>,
    /// By cell, the marks of blocks that do not own the cell's line.
    others: Mutex<HashMap<u32, Vec<(u32, Marks)>>>,
}

#[derive(Debug)]
struct Piece {
    /// For each line the number of its owner, from 1.
    owners: Box<[AtomicU32]>,
    written: Box<[AtomicU64]>,
    /// Two for each cell, where one is read.
    read: OnceLock<Box<[AtomicU64]>>,
}

fn zeros(count: usize) -> Box<[AtomicU64]> {
    std::iter::repeat_with(AtomicU64::default).take(count).collect()
}

/// A line that a block owns.
pub(crate) struct Line<'a> {
    piece: &'a Piece,
    /// Its first cell, in the piece.
    first: usize,
}

impl Line<'_> {
    /// The marks of a cell, by its number in the line.
    #[inline(always)]
    pub(crate) fn get(&self, cell: usize) -> Marks {
        let at = self.first + cell;
        let read = self.piece.read.get();
        let read =
            read.map_or_else(Default::default, |read| [0, 1].map(|n| Mark(read[2 * at + n].load(Relaxed))));
        Marks { written: Mark(self.piece.written[at].load(Relaxed)), read }
    }

    #[inline(always)]
    pub(crate) fn set_written(&self, cell: usize, mark: Mark) {
        self.piece.written[self.first + cell].store(mark.0, Relaxed);
    }

    #[inline(always)]
    pub(crate) fn set_read(&self, cell: usize, marks: [Mark; 2]) {
        let read = self.piece.read.get_or_init(|| zeros(2 * PIECE));
        for n in 0..2 {
            read[2 * (self.first + cell) + n].store(marks[n].0, Relaxed);
        }
    }
}

impl Touched {
    /// Of an allocation of so many bytes.
    pub(crate) fn new(bytes: u64, uses: Uses) -> Self {
        let cells = bytes.div_ceil(1 << uses.shift).min(CELLS) as usize;
        let pieces = std::iter::repeat_with(OnceLock::new).take(cells.div_ceil(PIECE)).collect();
        Touched { uses, pieces, others: Mutex::default() }
    }

    /// Cells that are looked at.
    pub(crate) fn cells(&self) -> u64 {
        (self.pieces.len() * PIECE) as u64
    }

    /// A line by its number, if a block owns it or may: then it does.
    #[inline(always)]
    pub(crate) fn line(&self, number: usize, block: u32) -> Option<Line<'_>> {
        const LINES: usize = PIECE / LINE;
        let piece = self.pieces[number / LINES].get_or_init(|| {
            let owners = std::iter::repeat_with(AtomicU32::default).take(LINES).collect();
            Box::new(Piece { owners, written: zeros(PIECE), read: OnceLock::new() })
        });
        let owner = &piece.owners[number % LINES];
        let own = block.wrapping_add(1);
        let now = owner.load(Relaxed);
        let is_own = now == own || now == 0 && owner.compare_exchange(0, own, Relaxed, Relaxed).is_ok();
        is_own.then(|| Line { piece, first: number % LINES * LINE })
    }

    /// A block has ended that touched cells of other blocks' lines.
    pub(crate) fn add(&self, block: u32, cells: impl Iterator<Item = (u32, Marks)>) {
        // Whoever holds it only adds to it.
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

    /// The owner of a cell's line, and its marks, if it touched the cell.
    fn owned(&self, cell: usize) -> Option<(u32, Marks)> {
        let piece = self.pieces.get(cell / PIECE)?.get()?;
        let owner = piece.owners[cell % PIECE / LINE].load(Relaxed).checked_sub(1)?;
        let line = Line { piece, first: cell % PIECE / LINE * LINE };
        Some((owner, line.get(cell % LINE))).filter(|(_, marks)| *marks != Marks::default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn touched(bytes: u64) -> Touched {
        Touched::new(bytes, Uses { shift: 2, ..Uses::NONE })
    }

    const READ: Mark = Mark(1 << 33);

    fn written(n: u64) -> Marks {
        Marks { written: Mark::new(1, 0, 0).of_value(n), read: [Mark::default(); 2] }
    }

    #[test]
    fn a_line_belongs_to_the_first_block_that_touches_it() {
        let touched = touched(1 << 14);
        assert_eq!(touched.cells(), 4096);
        let line = touched.line(3, 7).unwrap();
        line.set_written(5, written(1).written);
        line.set_read(6, [READ, READ.by(9)]);
        assert!(touched.line(3, 8).is_none() && touched.line(4, 8).is_some());
        let again = touched.line(3, 7).unwrap();
        assert_eq!(again.get(5), written(1));
        assert_eq!(again.get(6), Marks { written: Mark::default(), read: [READ, READ.by(9)] });
    }

    #[test]
    fn cells_of_several_blocks_are_the_same_whoever_came_first() {
        // Block 9 writes what the others read.
        let marks = |block: u32| match block {
            9 => written(9),
            block => Marks { read: [READ.by(block), Mark::default()], ..Marks::default() },
        };
        let run = |order: [u32; 7]| {
            let touched = touched(400);
            for block in order {
                match touched.line(0, block) {
                    Some(line) => {
                        line.set_written(9, marks(block).written);
                        line.set_read(9, marks(block).read);
                    }
                    None => touched.add(block, std::iter::once((9, marks(block)))),
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
