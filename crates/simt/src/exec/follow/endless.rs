//! Loops that never end, proven: the block is in a state in which it was before, and memory has not changed since.
//!
//! A block that has run for long is looked at for a while, a *window*: its state is kept when the window begins, and
//! compared at the end of each round of its warps. From equal states it goes on alike for ever, unless another block
//! changes what it reads. So
//! - a block that is alone in its launch, or works and has read nothing that others can change, never ends;
//! - any other counts as one that waits, and others run. Where no block is left that does anything else, and none can be
//!   begun, all of them wait for ever ([`crate::exec::scheduler`]).
//!
//! A window sees every access to memory as an observer does. What it cannot follow (bulk copies, the heap) makes it end
//! without a proof, as do states that do not recur: a counter, a clock that is used. These have the budget.

use crate::WARP;
use crate::error::FaultKind;
use crate::exec::checks::origin_of;
use crate::exec::current::CurrentBlock;
use crate::exec::fault::RawFault;
use crate::exec::follow::window::Look;
use crate::exec::launch::Run;
use crate::exec::memory::access::{Access, Memory};
use crate::exec::memory::sites::Sites;
use crate::exec::observers::Observers;
use crate::exec::observers::of_block::FIRST_WINDOW;
use crate::exec::schedule::Schedule;
use crate::exec::schedule::{Turn, Watch};
use crate::ir::{Inst, Unshown};
use crate::lanes::lanes;
use crate::trace::AccessKind;

/// A window's least length in rounds, and its length as a part of what the block has spent.
const ROUNDS: u32 = 4;
const PART: u64 = 32;

/// Words of global memory that a window follows.
const WORDS: usize = 4096;

/// Different loads and atomic operations that a window remembers, by instruction and warp.
const LOOKS: usize = 64;

impl Observers {
    /// A turn begins: where the block may be one that waits for ever, all of the turn is a window.
    #[inline(always)]
    pub(in crate::exec) fn begin_turn<'a>(
        &mut self,
        current: &mut CurrentBlock<'a>,
        schedule: &mut Schedule<'a>,
    ) {
        current.block.observers.waits_forever = None;
        schedule.slept_after_work = false;
        if current.block.observers.next_window == 0 || schedule.wait.proving {
            self.open_window(current, true);
        }
    }

    #[cold]
    #[inline(never)]
    fn open_window(&mut self, current: &mut CurrentBlock<'_>, whole_turn: bool) {
        let used = current.used();
        self.window_mut().open(&current.block, current.run.kernel, used, whole_turn);
        current.block.observers.next_window = 0;
        current.block.observers.observed = true;
        self.watch();
    }

    /// The window ends, with the block's turn at the latest.
    #[cold]
    #[inline(never)]
    pub(in crate::exec) fn close_window(&mut self, current: &mut CurrentBlock<'_>) {
        self.window_mut().is_open = false;
        self.end_watch();
        current.block.observers.observed = self.has_observers(current);
        if current.block.observers.waits_forever.is_none() {
            current.block.observers.next_window = (2 * current.used()).max(FIRST_WINDOW);
        }
    }

    /// A round has ended in a window, or one begins: nothing where the block's turn goes on as it would without; a turn
    /// that is over, or none in order to go on with the window.
    #[cold]
    #[inline(never)]
    pub(in crate::exec) fn window_round<'a>(
        &mut self,
        current: &mut CurrentBlock<'a>,
        schedule: &mut Schedule<'a>,
        watch: &mut Watch,
    ) -> Result<Option<Option<Turn>>, RawFault> {
        if !self.window().is_open {
            self.open_window(current, false);
            return Ok(Some(None));
        }
        self.follow_words(current.run);
        let alone = current.run.blocks() == 1;
        let used = current.used();
        let window = self.window_mut();
        window.rounds += 1;
        let lost = window.unknown || window.changed && !alone;
        if !lost && window.recurs(&current.block, current.run.kernel) && self.words_are_back(current.run) {
            let fault = self.proven(current);
            let worked = !self.window().whole_turn;
            // Of blocks that wait, the lowest is reported, once all do.
            if alone || worked && !self.window().others {
                return Err(fault);
            }
            current.block.observers.waits_forever = Some((schedule.wait.epoch, Box::new(fault)));
            self.close_window(current);
            if !worked {
                let looks = used - watch.began;
                current.give_back(looks);
                schedule.wait.looks += looks;
                schedule.unwatched += looks;
            }
            current.block.observers.next_window = 0;
            return Ok(Some(Some(Turn::Looks { worked })));
        }
        let window = self.window();
        let length = (window.began / PART).max(FIRST_WINDOW / 2);
        if lost || window.rounds >= ROUNDS && used - window.began >= length {
            self.close_window(current);
            return Ok(None);
        }
        Ok(Some(None))
    }

    /// Notes what an instruction does that no access shows.
    #[cold]
    #[inline(never)]
    pub(in crate::exec) fn follow_instruction(&mut self, run: &Run<'_>, inst: &Inst, code: u32) {
        let kernel = run.kernel;
        match inst.op.unshown(kernel) {
            Unshown::Nothing => {}
            Unshown::Result => kernel.results(inst, |file, register| {
                let matters = self.window().matters(kernel, code, file, register);
                self.window_mut().unknown |= matters;
            }),
            Unshown::Read => self.window_mut().others = true,
            Unshown::Change => self.window_mut().unknown = true,
        }
    }

    /// An access in a window, before memory is read or changed.
    #[cold]
    #[inline(never)]
    pub(in crate::exec) fn follow_access(
        &mut self,
        current: &mut CurrentBlock<'_>,
        sites: &Sites,
        access: &Access<'_>,
    ) {
        self.follow_words(current.run);
        let reads = access.kind != AccessKind::Store;
        match access.memory {
            // A block's own shared and local memory are part of its state.
            Memory::Local | Memory::Parameter => return,
            // Only through addresses of global memory can it be stored to, and only from then on loaded otherwise than it was.
            Memory::Constant => {
                self.window_mut().others |= reads && current.run.stored.get().is_some();
                self.window_mut().unknown |= !reads;
                return;
            }
            Memory::Shared => self.window_mut().others |= current.run.is_cluster,
            Memory::Cluster => {
                self.window_mut().others = true;
                self.window_mut().changed |= access.kind != AccessKind::Load;
            }
            Memory::Global => {
                self.window_mut().others |= reads;
                if access.kind != AccessKind::Load {
                    self.note_words(sites, current.run, access);
                }
            }
        }
        if reads {
            self.note_look(current, sites, access);
        }
    }

    /// Notes the words that are about to change.
    fn note_words(&mut self, sites: &Sites, run: &Run<'_>, access: &Access<'_>) {
        let addresses = sites.addresses(access);
        let mut hint = 0;
        for l in lanes(access.mask) {
            let (mut at, end) = (addresses.0[l] & !3, addresses.0[l] + u64::from(access.width));
            while at < end {
                if self.window().before.len() >= WORDS {
                    self.window_mut().unknown = true;
                    return;
                }
                if let Some(a) = run.global.find(at, at + 1, &mut hint) {
                    let word = a.load((at - a.base) & !3, 4) as u32;
                    self.window_mut().before.entry(at).or_insert(word);
                    self.window_mut().pending.push((at, word));
                }
                at += 4;
            }
        }
    }

    /// Whether the last words that were written have changed.
    fn follow_words(&mut self, run: &Run<'_>) {
        let pending = std::mem::take(&mut self.window_mut().pending);
        self.window_mut().changed |= pending.iter().any(|(at, word)| run.word(*at) != Some(*word));
        self.window_mut().pending = pending;
        self.window_mut().pending.clear();
    }

    /// Whether global memory is as it was when the window began, as far as the block has written to it.
    fn words_are_back(&self, run: &Run<'_>) -> bool {
        !self.window().changed || self.window().before.iter().all(|(at, word)| run.word(*at) == Some(*word))
    }

    fn note_look(&mut self, current: &mut CurrentBlock<'_>, sites: &Sites, access: &Access<'_>) {
        let (warp, id) = (current.cursor.warp as u32, access.id.number());
        let addresses = sites.addresses(access);
        let looks = &mut self.window_mut().looks;
        if let Some(look) = looks.iter_mut().find(|look| (look.warp, look.access) == (warp, id)) {
            look.addresses.set(&addresses, access.mask);
            look.mask |= access.mask;
        } else if looks.len() < LOOKS {
            looks.push(Look {
                warp,
                access: id,
                memory: access.memory,
                strong: access.operand.strong || access.kind == AccessKind::Atomic,
                mask: access.mask,
                addresses,
            });
        }
    }

    /// The fault of a loop that never ends: of the first thread that runs, at what it waits for.
    fn proven(&self, current: &CurrentBlock<'_>) -> RawFault {
        let fault = current.whereabouts(FaultKind::InfiniteLoop);
        let (warp, lane) = (fault.thread / WARP as u32, fault.thread % WARP as u32);
        let own = |look: &&Look| look.warp == warp && look.mask >> lane & 1 != 0;
        let mut looks: Vec<&Look> = self.window().looks.iter().filter(own).collect();
        looks.sort_by_key(|look| (!look.strong, look.access));
        let look = looks.first().filter(|look| look.strong || looks.len() == 1).copied();
        let recurs =
            "the state of all threads of the block that can run recurs and no memory changes: it never ends";
        let proven = RawFault { proven: true, message: Some(recurs.to_owned()), ..fault };
        let Some(look) = look else { return proven };
        let at = look.addresses.0[lane as usize % WARP];
        let place = match look.memory {
            Memory::Global => current.run.global.describe(at),
            Memory::Cluster => "in shared memory of the cluster".to_owned(),
            Memory::Shared | Memory::Local | Memory::Constant | Memory::Parameter => {
                current.awaited_mbarrier().unwrap_or_else(|| "in shared memory".to_owned())
            }
        };
        RawFault {
            message: Some(format!("{recurs}; it waits for what is at address {at:#x}, {place}")),
            address: Some(at),
            ..current.where_it_looks(look.access, proven)
        }
    }
}

impl Run<'_> {
    #[inline]
    fn word(&self, at: u64) -> Option<u32> {
        let a = self.global.find(at, at + 1, &mut 0)?;
        Some(a.load((at - a.base) & !3, 4) as u32)
    }
}

impl CurrentBlock<'_> {
    /// A loop's fault at the access that it waits for, if the thread is in its function, or in none that has lines.
    fn where_it_looks(&self, access: u16, proven: RawFault) -> RawFault {
        let kernel = self.run.kernel;
        let warp = proven.thread as usize / WARP;
        let origin = origin_of(kernel, access);
        let code = kernel
            .code
            .iter()
            .position(|inst| inst.op.access(kernel).is_some_and(|id| id.number() == access));
        let at = self.block.warps[warp].runnable.iter().min_by_key(|at| at.mask.trailing_zeros());
        let frame = at.zip(code).and_then(|(at, code)| self.frame_of(warp, at.frame, code as u32));
        match frame {
            Some(frame) => RawFault { origin, callers: self.callers(warp, frame), ..proven },
            // Its function has returned: where the loop goes on says more than a line of the PTX.
            None if origin.source_line == 0 && proven.origin.source_line != 0 => proven,
            None => RawFault { origin, callers: Box::default(), ..proven },
        }
    }
}
