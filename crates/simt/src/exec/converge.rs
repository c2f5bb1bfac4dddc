//! Warp-wide operations whose lanes come from several places: they wait until all lanes that they name are at them.

use super::collective::check_members;
use super::current::CurrentBlock;
use super::fault::{RawFault, Stop};
use super::registers::RegisterFile;
use super::warp::{NOWHERE, Split};
use super::worker::Worker;
use crate::ir::*;
use crate::lanes::{W, lanes};
use crate::{FaultKind, WARP};

/// The operation that a split is at, as far as others must be at the same, and the lanes that it names.
#[derive(PartialEq)]
struct Wanted {
    members: u32,
    operation: Operation,
}

#[derive(PartialEq)]
enum Operation {
    /// Anywhere in the program.
    Collective(std::mem::Discriminant<Collective>),
    /// At this place.
    Matrix { block: u32, frame: u32 },
}

impl RegisterFile {
    /// The lanes that each lane names for the operation at the end of a block.
    #[inline]
    fn named_lanes(&self, block: &Block) -> W {
        block.members.get().map_or(W::ZERO, |members| self.w[self.wi(members)])
    }
}

impl CurrentBlock<'_> {
    #[inline(always)]
    pub(super) fn others_missing(&self, at: Split, block: &Block) -> bool {
        let live = self.block.warps[self.cursor.warp].live;
        at.mask != live && {
            let wanted = block.members.get().map_or(0, |members| {
                let members = &self.block.registers.w[self.block.registers.wi(members)];
                lanes(at.mask).fold(0, |all, l| all | members.0[l])
            });
            wanted & live & !at.mask != 0
        }
    }

    /// The part of a split whose lanes name the same lanes; the rest becomes a split of its own.
    pub(super) fn with_same_members(&mut self, at: Split) -> Split {
        let members = self.block.registers.named_lanes(&self.run.kernel.blocks[at.block as usize]);
        let first = members.0[at.mask.trailing_zeros() as usize % WARP];
        let same = lanes(at.mask).filter(|l| members.0[*l] == first).fold(0, |m, l| m | 1 << l);
        if same != at.mask {
            self.block.warps[self.cursor.warp].runnable.push(Split { mask: at.mask & !same, ..at });
        }
        Split { mask: same, ..at }
    }

    /// Splits at one place that go on as one. They may wait for others at different reconvergences: those inside of what they
    /// have in common lose these lanes.
    pub(super) fn united(&mut self, parts: &[Split]) -> Split {
        let warp = &mut self.block.warps[self.cursor.warp];
        let around = |reconvergence: u32| -> Vec<u32> {
            let some = |reconvergence: u32| (reconvergence != NOWHERE).then_some(reconvergence);
            std::iter::successors(some(reconvergence), |j| some(warp.reconvergences[*j as usize].parent))
                .collect()
        };
        let all: Vec<Vec<u32>> = parts.iter().map(|part| around(part.reconvergence)).collect();
        let (Some(first), Some(of_first)) = (parts.first(), all.first()) else { return Split::start(0) };
        let common =
            of_first.iter().find(|reconvergence| all.iter().all(|joins| joins.contains(reconvergence)));
        let reconvergence = common.copied().unwrap_or(NOWHERE);
        for (part, joins) in parts.iter().zip(&all) {
            for inner in joins.iter().take_while(|j| **j != reconvergence) {
                let inner = &mut warp.reconvergences[*inner as usize];
                inner.expected &= !part.mask;
                warp.runnable.extend(inner.complete());
            }
        }
        warp.drop_reconvergences();
        let mask = parts.iter().fold(0, |mask, part| mask | part.mask);
        Split { mask, reconvergence, ..*first }
    }

    /// Nothing of the block can go on, since lanes wait in a warp-wide operation for others that it names and that wait at a
    /// barrier: the operation's member mask is wrong, not the barrier.
    #[cold]
    pub(super) fn missing_at_barrier_of_block(&mut self) -> Option<RawFault> {
        for n in 0..self.block.warps.len() {
            let at_barrier = self.block.warps[n].at_barrier.iter().fold(0, |mask, w| mask | w.split.mask);
            let waiting = if at_barrier == 0 { vec![] } else { self.block.warps[n].gathering.clone() };
            for at in waiting {
                self.cursor.warp = n;
                let Wanted { members, operation } = self.wanted(&at);
                let missing = members & at_barrier;
                if missing == 0 || matches!(operation, Operation::Matrix { .. }) {
                    continue;
                }
                let lane = at.mask.trailing_zeros() as usize % WARP;
                let message = format!(
                    "lane {lane} executes a warp-wide instruction whose member mask, {members:#010x}, names lane {}, \
                     which waits at a barrier of the block",
                    missing.trailing_zeros()
                );
                let stop =
                    Stop { message: Some(message), ..Stop::without_address(FaultKind::InvalidMask, lane) };
                return Some(self.fault_at(stop, self.run.kernel.blocks[at.block as usize].end - 1));
            }
        }
        None
    }

    /// The operation at which a split waits, and the lanes that it names.
    fn wanted(&mut self, at: &Split) -> Wanted {
        let kernel = self.run.kernel;
        let block = &kernel.blocks[at.block as usize];
        self.enter_frame(at.frame);
        let members = self.block.registers.named_lanes(block).0[at.mask.trailing_zeros() as usize % WARP];
        let last = kernel.code.get(block.end as usize - 1);
        // A block that ends otherwise begins with an operation on matrices, which needs all lanes at its own place.
        let operation = if let Some(Inst { op: Op::Collective { collective }, .. }) = last {
            Operation::Collective(std::mem::discriminant(&kernel[*collective].collective))
        } else {
            Operation::Matrix { block: at.block, frame: at.frame }
        };
        Wanted { members, operation }
    }
}

impl Worker<'_> {
    /// Waits, and lets another split run; or, if this was the last to come, does the operation for all of them.
    #[inline(never)]
    pub(super) fn gather(&mut self, at: Split) -> Result<Option<Split>, RawFault> {
        let kernel = self.current.run.kernel;
        let mut at = self.current.with_same_members(at);
        let wanted = self.current.wanted(&at);
        if let Err(stop) = check_members(at.mask, wanted.members) {
            let outside = at.mask & !wanted.members;
            let fault = self.current.fault_at(stop, kernel.blocks[at.block as usize].end - 1);
            self.current.all_fault(fault, outside)?;
            at = at.part(at.mask & !outside);
            if at.mask == 0 {
                return Ok(self.current.block.warps[self.current.cursor.warp].runnable.pop());
            }
        }
        let members = wanted.members & self.current.block.warps[self.current.cursor.warp].live;
        self.current.block.warps[self.current.cursor.warp].gathering.push(at);
        let waiting = std::mem::take(&mut self.current.block.warps[self.current.cursor.warp].gathering);
        let (here, others): (Vec<_>, Vec<_>) =
            waiting.into_iter().partition(|f| f.mask & members != 0 && self.current.wanted(f) == wanted);
        let together = here.iter().fold(0, |mask, f| mask | f.mask);
        let warp = &mut self.current.block.warps[self.current.cursor.warp];
        warp.gathering = others;
        if members & !together != 0 {
            warp.gathering.extend(here);
            return Ok(warp.runnable.pop());
        }
        if let Operation::Matrix { .. } = wanted.operation {
            return Ok(Some(self.current.united(&here)));
        }
        if self.observers.is_stepped(&self.current) {
            self.observers.settle_step(&mut self.current, None)?;
        }
        let mut here = here;
        for f in &mut here {
            let block = &kernel.blocks[f.block as usize];
            self.current.enter_frame(f.frame);
            self.current.count_block(&mut self.counts, f.block, block, f.mask);
            // What makes the operands; the operation itself is the last.
            for n in block.start..block.end - 1 {
                let inst = &kernel.code[n as usize];
                if self.current.block.observers.undefined {
                    f.mask &= !self.step_tracked(f.mask, n as usize)?;
                    self.current.end_copies(block.start)?;
                } else if let Err(stop) = self.step_out_of_line(inst, f.mask, n) {
                    f.mask &= !self.lanes_fault(stop, inst, f.mask, n)?;
                }
            }
        }
        here.retain(|f| f.mask != 0);
        self.current.collective_of_splits(&mut self.observers, &here);
        if self.observers.is_stepped(&self.current) {
            self.observers.stepped_together(&mut self.current, &here)?;
        }
        let warp = &mut self.current.block.warps[self.current.cursor.warp];
        for f in here {
            if let End::Goto(next) = kernel.blocks[f.block as usize].exit {
                warp.runnable.push(Split { block: next, ..f });
            }
        }
        Ok(warp.runnable.pop())
    }
}
