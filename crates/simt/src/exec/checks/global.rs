//! Who of a block touches which cell of global memory: races, and writes to what the same launch reads as read-only.
//!
//! Enters: accesses to allocations that the launch may write, with the marks of earlier ones ([`crate::access_marks`]) and what
//! orders them. Leaves: marks, or the first access that should not be. What blocks do to each other is found when all have
//! ended ([`super::super::observers::crossed`]).
//!
//! A race is missed rather than a correct kernel blamed: atomic operations and strong accesses race with no reads; two
//! writes of one value are none, nor is a write of a value that all threads would write ("found", "visited"), nor one of what
//! was there before by a kernel that had loaded it.

use super::super::fault::{Missing, Other, Stop};
use super::Checks;
use crate::WARP;
use crate::access_marks::{AccessMarks, Mark, Marks, PIECE, Piece};
use crate::detail::RaceAccess;
use crate::error::FaultKind;
use crate::hash::HashMap;

/// Kinds of access to global memory, as messages tell them apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::exec) enum GlobalAccessKind {
    Read,
    /// By a load of what nothing may write in the whole launch.
    ReadOnly,
    Write,
    Atomic,
}

impl GlobalAccessKind {
    /// The same, as faults have it.
    pub(in crate::exec) fn of_race(self) -> RaceAccess {
        match self {
            GlobalAccessKind::Read => RaceAccess::Read,
            GlobalAccessKind::ReadOnly => RaceAccess::ReadOnly,
            GlobalAccessKind::Write => RaceAccess::Write,
            GlobalAccessKind::Atomic => RaceAccess::Atomic,
        }
    }

    /// What a mark of a write says.
    pub(in crate::exec) fn of_written(mark: Mark) -> Self {
        if mark.is(Mark::ATOMIC) { GlobalAccessKind::Atomic } else { GlobalAccessKind::Write }
    }
}

/// Cells of other blocks that the block touched, by allocation and cell.
pub(super) type Elsewhere = HashMap<(u64, u32), Marks>;

/// An allocation whose cells are touched.
pub(in crate::exec) struct Cells<'a> {
    /// Its number among those of the launch.
    pub(in crate::exec) key: u64,
    pub(in crate::exec) touched: &'a AccessMarks,
    pub(in crate::exec) block: u32,
    /// The piece that was touched last, and its number.
    piece: Option<(usize, &'a Piece)>,
}

impl<'a> Cells<'a> {
    pub(in crate::exec) fn new(key: u64, touched: &'a AccessMarks, block: u32) -> Self {
        Cells { key, touched, block, piece: None }
    }

    /// The piece of a cell.
    #[inline(always)]
    fn piece(&mut self, cell: usize) -> &'a Piece {
        match self.piece {
            Some((number, piece)) if number == cell / PIECE => piece,
            _ => {
                let piece = self.touched.piece(cell);
                self.piece = Some((cell / PIECE, piece));
                piece
            }
        }
    }
}

/// An access that a lane makes to a cell.
#[derive(Clone, Copy)]
pub(in crate::exec) struct Touch {
    pub(in crate::exec) doing: GlobalAccessKind,
    /// Without its thread.
    pub(in crate::exec) mark: Mark,
    pub(in crate::exec) warp: usize,
    pub(in crate::exec) lane: usize,
}

/// With whom an access conflicts, and what that one did.
type Conflict = (FaultKind, Mark, GlobalAccessKind);

impl Checks<'_> {
    /// The mark of an access now.
    pub(in crate::exec) fn mark_now(&self, access: u16, kind: u64) -> Mark {
        Mark::new(self.clock, access, kind)
    }

    /// A lane touches a cell.
    #[inline(always)]
    pub(in crate::exec) fn touch(
        &mut self,
        cells: &mut Cells<'_>,
        cell: u64,
        touch: Touch,
    ) -> Result<(), Stop> {
        let number = cell as usize;
        let piece = cells.piece(number);
        let own = piece.is_own(number, cells.block);
        let before = if own {
            piece.get(number)
        } else {
            self.elsewhere.get(&(cells.key, cell as u32)).copied().unwrap_or_default()
        };
        let thread = (touch.warp * WARP + touch.lane) as u32;
        let mark = touch.mark.by(thread);
        let conflict = self.conflict_with(&before, mark, touch);
        let reads = matches!(touch.doing, GlobalAccessKind::Read | GlobalAccessKind::ReadOnly);
        let read = if reads { with_read(before.read, mark) } else { before.read };
        // A thread's plain write that nothing has ordered yet says more than its atomic operation on top of it.
        let kept = before.written;
        let keeps = touch.doing == GlobalAccessKind::Atomic
            && kept.is_some()
            && !kept.is(Mark::ATOMIC | Mark::STRONG)
            && kept.thread() == thread
            && kept.time() >= self.interval;
        let mark = if keeps { kept } else { mark };
        match own {
            true if reads => piece.set_read(number, read),
            true => piece.set_written(number, mark),
            false => {
                let written = if reads { before.written } else { mark };
                self.elsewhere.insert((cells.key, cell as u32), Marks { written, read });
            }
        }
        match conflict {
            None => Ok(()),
            Some(conflict) => Err(stop(conflict, touch)),
        }
    }

    /// An earlier access of the block with which this one conflicts.
    #[inline(always)]
    fn conflict_with(&self, before: &Marks, mark: Mark, touch: Touch) -> Option<Conflict> {
        use FaultKind::{GlobalRace, ReadOnlyWrite};
        let written = before.written;
        let races = |other: Mark| {
            other.thread() != mark.thread() && self.chosen.global_races && !self.comes_after(other, touch)
        };
        match touch.doing {
            GlobalAccessKind::Read => {
                let quiet = Mark::ATOMIC | Mark::STRONG | Mark::QUIET;
                let race = written.is_some() && !written.is(quiet) && races(written);
                race.then_some((GlobalRace, written, GlobalAccessKind::Write))
            }
            GlobalAccessKind::ReadOnly => {
                written.is_some().then(|| (ReadOnlyWrite, written, GlobalAccessKind::of_written(written)))
            }
            GlobalAccessKind::Write | GlobalAccessKind::Atomic => {
                if let Some(read) = before.read_only() {
                    return Some((ReadOnlyWrite, read, GlobalAccessKind::ReadOnly));
                }
                let plain = !mark.is(Mark::ATOMIC | Mark::STRONG);
                if plain && !mark.is(Mark::QUIET) {
                    for read in before.read {
                        if read.is_some() && races(read) {
                            return Some((GlobalRace, read, GlobalAccessKind::Read));
                        }
                    }
                }
                let race = written.is_some() && conflict_of_writes(written, mark) && races(written);
                race.then(|| (GlobalRace, written, GlobalAccessKind::of_written(written)))
            }
        }
    }

    /// Whether an access comes after one of the same block.
    #[inline(always)]
    fn comes_after(&self, other: Mark, touch: Touch) -> bool {
        let (time, thread) = (other.time(), other.thread() as usize);
        if time < self.interval || time > self.clock {
            return true;
        }
        let (warp, lane) = (thread / WARP, thread % WARP);
        if warp == touch.warp {
            self.order.warps[warp].ordered(lane, time, touch.lane)
        } else {
            self.order.warps_ordered(warp, time, touch.warp)
        }
    }

    /// The cells of others that the block touched; then it has touched none.
    pub(in crate::exec) fn take_elsewhere(&mut self) -> Vec<((u64, u32), Marks)> {
        if self.elsewhere.is_empty() {
            return vec![];
        }
        std::mem::take(&mut self.elsewhere).into_iter().collect()
    }
}

/// Whether two writes by threads that nothing orders are a race: plain ones of different values, or a plain one and an atomic
/// operation.
pub(in crate::exec) fn conflict_of_writes(one: Mark, other: Mark) -> bool {
    if one.is(Mark::STRONG) || other.is(Mark::STRONG) {
        return false;
    }
    match (one.is(Mark::ATOMIC), other.is(Mark::ATOMIC)) {
        (true, true) => false,
        (false, false) => one.differs(other),
        (true, false) | (false, true) => true,
    }
}

/// Reads of a cell once a thread has read it: those of the last two threads, and one of what nothing may write.
fn with_read(before: [Mark; 2], mark: Mark) -> [Mark; 2] {
    let [first, second] = before;
    let read_only = |mark: Mark| mark.is(Mark::READ_ONLY);
    if first.is_some() && read_only(first) && !read_only(mark) {
        [first, mark]
    } else if !first.is_some() || first.thread() == mark.thread() {
        [mark, second]
    } else {
        [mark, first]
    }
}

#[cold]
#[inline(never)]
fn stop((kind, other, did): Conflict, touch: Touch) -> Stop {
    let accesses = [touch.doing.of_race(), did.of_race()];
    let (thread, access) = (other.thread(), other.access());
    let other = Other { thread, block: None, access, accesses, missing: Missing::Order };
    Stop { other: Some(Box::new(other)), ..Stop::without_address(kind, touch.lane) }
}
