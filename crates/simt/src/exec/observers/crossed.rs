//! What blocks of a launch did to each other in global memory: looked at when all have ended, since nothing orders them as a
//! rule, and so that it does not matter which ran first.
//!
//! Enters: the marks of cells that several blocks touched. Leaves: faults, by rising address.

use crate::access_marks::{Mark, Marks};
use crate::error::FaultKind;
use crate::exec::checks::{GlobalAccessKind, conflict_of_writes, origin_of};
use crate::exec::current::CurrentBlock;
use crate::exec::fault::{Missing, Other, RawFault};
use crate::exec::launch::Run;
use crate::exec::observers::found_faults::FoundFaults;
use crate::memory::Allocation;

/// An access of a block.
type Made = (u32, Mark, GlobalAccessKind);

impl CurrentBlock<'_> {
    /// A block has ended: its marks of others' cells go to where these are.
    pub(in crate::exec) fn end_touched(&mut self) {
        let Some(checks) = &mut self.block.observers.checks else { return };
        let mut cells = checks.take_elsewhere();
        cells.sort_unstable_by_key(|(at, _)| *at);
        let block = self.block.number as u32;
        for of_one in cells.chunk_by(|((a, _), _), ((b, _), _)| a == b) {
            let allocation = allocation(self.run, of_one[0].0.0);
            if let Some(touched) = allocation.and_then(|a| a.touched.as_deref()) {
                touched.add(block, of_one.iter().map(|((_, cell), marks)| (*cell, *marks)));
            }
        }
    }
}

/// Bit of the keys of arrays, which have no addresses.
const ARRAY: u64 = 1 << 63;

/// Where bytes of an array begin, in the place of an address: which array, and where there.
const ARRAY_AT: u32 = 40;

/// The address of a byte of an allocation; of an array, which has none, what [`array()`] reads.
pub(in crate::exec) fn address(a: &Allocation, offset: u64) -> u64 {
    if a.base == 0 { ARRAY | (a.id as u64) << ARRAY_AT | offset } else { a.base + offset }
}

/// The array that is in the place of an address, by its number, and the byte of it.
pub(crate) fn array(address: u64) -> Option<(usize, u64)> {
    let at = address.checked_sub(ARRAY)?;
    Some(((at >> ARRAY_AT) as usize, at & ((1 << ARRAY_AT) - 1)))
}

/// What names an allocation among those of a launch.
pub(in crate::exec) fn key(a: &Allocation) -> u64 {
    if a.base == 0 { a.id as u64 | ARRAY } else { a.base }
}

/// What a key names.
pub(in crate::exec) fn allocation<'a>(run: &Run<'a>, key: u64) -> Option<&'a Allocation> {
    if key & ARRAY == 0 {
        run.global.find(key, key + 1, &mut 0)
    } else {
        Some(&run.textures.memory_of((key & !ARRAY) as usize)?.memory)
    }
}

/// The first fault of blocks with each other, or with `found` all of them.
pub(in crate::exec) fn look(run: &Run<'_>, mut found: Option<&mut FoundFaults>) -> Result<(), RawFault> {
    let checks = run.options.checks;
    let ordered = run.kernel.reach.orders_blocks || run.cooperative || run.is_cluster;
    let races = checks.global_races && !ordered;
    let of_arrays = run.textures.arrays().map(|array| &array.memory);
    for allocation in run.global.allocations.iter().chain(of_arrays) {
        let Some(touched) = &allocation.touched else { continue };
        for (cell, marks) in touched.shared() {
            let Some((kind, one, other)) = conflict(&marks, races) else { continue };
            let shift = touched.uses.shift;
            let at = address(allocation, u64::from(cell) << shift);
            let fault = fault(run, kind, one, other, (at, 1 << shift));
            match &mut found {
                None => return Err(fault),
                Some(found) => {
                    let origin = origin_of(run.kernel, other.1.access());
                    found.note(fault, Some(origin), 1, None);
                }
            }
        }
    }
    Ok(())
}

/// Two accesses of different blocks to a cell of which one is in the other's way, the higher block's first.
fn conflict(marks: &[(u32, Marks)], races: bool) -> Option<(FaultKind, Made, Made)> {
    let written = || marks.iter().filter(|(_, marks)| marks.written.is_some());
    for (block, marks) in marks.iter() {
        let Some(read) = marks.read_only() else { continue };
        if let Some((writer, of)) = written().find(|(writer, _)| writer != block) {
            let write = (*writer, of.written, GlobalAccessKind::of_written(of.written));
            return Some(sorted(FaultKind::ReadOnlyWrite, (*block, read, GlobalAccessKind::ReadOnly), write));
        }
    }
    if !races {
        return None;
    }
    for (n, (block, of)) in written().enumerate() {
        let write = (*block, of.written, GlobalAccessKind::of_written(of.written));
        if !of.written.is(Mark::ATOMIC | Mark::STRONG | Mark::QUIET) {
            let reader = marks.iter().filter(|(reader, _)| reader != block);
            if let Some((reader, read)) = reader.filter_map(|(n, marks)| Some((*n, marks.plain()?))).next() {
                return Some(sorted(FaultKind::GlobalRace, (reader, read, GlobalAccessKind::Read), write));
            }
        }
        let mut later = written().skip(n + 1);
        if let Some((other, marks)) = later.find(|(_, marks)| conflict_of_writes(marks.written, of.written)) {
            let made = (*other, marks.written, GlobalAccessKind::of_written(marks.written));
            return Some(sorted(FaultKind::GlobalRace, made, write));
        }
    }
    None
}

fn sorted(kind: FaultKind, one: Made, other: Made) -> (FaultKind, Made, Made) {
    if one.0 > other.0 { (kind, one, other) } else { (kind, other, one) }
}

fn fault(run: &Run<'_>, kind: FaultKind, one: Made, other: Made, (at, width): (u64, u32)) -> RawFault {
    let accesses = [one.2.of_race(), other.2.of_race()];
    let (block, thread, access) = (Some(u64::from(other.0)), other.1.thread(), other.1.access());
    let other = Other { thread, block, access, accesses, missing: Missing::Grid };
    RawFault {
        block: u64::from(one.0),
        thread: one.1.thread(),
        origin: origin_of(run.kernel, one.1.access()),
        address: Some(at),
        width,
        other: Some(Box::new(other)),
        ..run.fault(kind)
    }
}
