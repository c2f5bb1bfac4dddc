//! The state of a block at one moment, to tell whether it is in that state again.
//!
//! Two states are equal if every thread would go on alike from both, as long as no other block changes memory: the places of
//! all threads and those at which they wait, the registers that they may still read, shared and local memory. What the
//! interpreter knows in addition (counters, caches, checks, the clock) changes nothing that a kernel computes; a clock
//! that a thread has read is in a register.

use crate::exec::block::BlockState;
use crate::exec::follow::live::Live;
use crate::exec::warp::{Called, Split, Warp};
use crate::ir::{BARRIERS, File, Kernel};
use crate::lanes::{W, X, lanes};

/// A block's state.
#[derive(Default)]
pub(in crate::exec) struct Snapshot {
    w: Vec<W>,
    x: Vec<X>,
    p: Vec<u32>,
    shared: Vec<u8>,
    warps: Vec<Warp>,
    arrived: [u32; BARRIERS],
}

impl Snapshot {
    pub(in crate::exec) fn take(&mut self, block: &BlockState<'_>) {
        self.w.clone_from(&block.registers.w);
        self.x.clone_from(&block.registers.x);
        self.p.clone_from(&block.registers.p);
        self.shared.clone_from(&block.shared);
        self.warps.clone_from(&block.warps);
        self.arrived = block.arrived;
    }

    /// Whether the block is in this state.
    pub(in crate::exec) fn is_of(&self, block: &BlockState<'_>, kernel: &Kernel, live: &Live) -> bool {
        self.arrived == block.arrived
            && self.warps.len() == block.warps.len()
            && self.warps.iter().zip(&block.warps).all(|(then, now)| same_places(then, now))
            && block.warps.iter().all(|warp| self.same_registers(block, kernel, live, warp))
            && self.shared == block.shared
            && self.warps.iter().zip(&block.warps).all(|(then, now)| same_local(then, now))
    }

    /// Whether all threads of a warp have the values that they may still read; their places are the same.
    fn same_registers(&self, block: &BlockState<'_>, kernel: &Kernel, live: &Live, warp: &Warp) -> bool {
        let held = warp.reconvergences.iter().filter(|at| at.arrived != 0);
        let arrived = held.map(|at| Split {
            block: at.block,
            mask: at.arrived,
            reconvergence: at.parent,
            frame: at.frame,
        });
        let going = warp.runnable.iter().chain(&warp.gathering).chain(&warp.at_cluster).copied();
        let all_live = going.chain(arrived).all(|at| {
            let frame = &warp.frames[at.frame as usize];
            live.at(at.block).all(|(file, number)| self.same_register(block, frame, file, number, at.mask))
                && self.same_callers(block, kernel, warp, &at)
        });
        // Those at a barrier may be about to combine a predicate, which is read after their place.
        all_live
            && warp.at_barrier.iter().all(|waiting| {
                let at = &waiting.split;
                self.same_frame(block, kernel, &warp.frames[at.frame as usize], at.mask)
                    && self.same_callers(block, kernel, warp, at)
            })
    }

    /// Whether the frames that a split will return to are the same.
    fn same_callers(&self, block: &BlockState<'_>, kernel: &Kernel, warp: &Warp, at: &Split) -> bool {
        let mut frame = at.frame as usize;
        while frame != 0 {
            frame = warp.frames[frame].caller as usize;
            if !self.same_frame(block, kernel, &warp.frames[frame], at.mask) {
                return false;
            }
        }
        true
    }

    fn same_frame(&self, block: &BlockState<'_>, kernel: &Kernel, frame: &Called, mask: u32) -> bool {
        let of = &kernel.functions[frame.function as usize];
        let files = [(File::W, of.w), (File::X, of.x), (File::P, of.p)];
        files.iter().all(|(file, count)| {
            (0..usize::from(*count)).all(|number| self.same_register(block, frame, *file, number, mask))
        })
    }

    fn same_register(
        &self,
        block: &BlockState<'_>,
        frame: &Called,
        file: File,
        number: usize,
        mask: u32,
    ) -> bool {
        match file {
            File::W => {
                let (then, now) = (self.w.get(frame.w + number), block.registers.w.get(frame.w + number));
                then.zip(now).is_some_and(|(then, now)| lanes(mask).all(|l| then.0[l] == now.0[l]))
            }
            File::X => {
                let (then, now) = (self.x.get(frame.x + number), block.registers.x.get(frame.x + number));
                then.zip(now).is_some_and(|(then, now)| lanes(mask).all(|l| then.0[l] == now.0[l]))
            }
            File::P => {
                let (then, now) = (self.p.get(frame.p + number), block.registers.p.get(frame.p + number));
                then.zip(now).is_some_and(|(then, now)| (then ^ now) & mask == 0)
            }
        }
    }
}

/// Whether the threads of a warp are, and wait, at the same places.
fn same_places(then: &Warp, now: &Warp) -> bool {
    then.live == now.live
        && then.came == now.came
        && then.held == now.held
        && then.runnable == now.runnable
        && then.at_barrier == now.at_barrier
        && then.at_cluster == now.at_cluster
        && then.gathering == now.gathering
        && then.reconvergences == now.reconvergences
        && then.frames == now.frames
}

fn same_local(then: &Warp, now: &Warp) -> bool {
    let words = (now.local_end() as usize).div_ceil(4).min(now.local.len());
    let (then, now) = (&then.local, &now.local);
    then.len() >= words && then.iter().zip(&now[..words]).all(|(then, now)| then.0 == now.0)
}
