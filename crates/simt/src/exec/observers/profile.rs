//! Counters of each PTX instruction of a kernel.

use crate::Counters;
use crate::ir::{Block, Kernel};

/// Counters for each entry of a kernel's listing.
#[derive(Clone, Debug)]
pub(crate) struct Profile {
    /// Those of each entry, and last those of what has none.
    of: Vec<Counters>,
    /// The entry whose instruction runs.
    now: usize,
    /// For each block, warps and threads that ran it.
    blocks: Vec<(u64, u64)>,
    /// For each compact instruction, its place in the listing.
    places: Vec<u32>,
}

impl Profile {
    pub(crate) fn new(kernel: &Kernel) -> Self {
        Profile {
            of: vec![Counters::default(); kernel.listing.len() + 1],
            now: kernel.listing.len(),
            blocks: vec![(0, 0); kernel.blocks.len()],
            places: kernel.places.clone(),
        }
    }

    pub(crate) fn block(&mut self, number: u32, mask: u32) {
        let (warps, threads) = &mut self.blocks[number as usize];
        *warps += 1;
        *threads += u64::from(mask.count_ones());
    }

    /// A compact instruction begins.
    #[inline(always)]
    pub(crate) fn begin(&mut self, code: u32) {
        let listed = self.places.get(code as usize).map_or(usize::MAX, |listed| *listed as usize);
        self.now = listed.min(self.of.len() - 1);
    }

    /// The counters of the instruction that runs.
    #[inline(always)]
    pub(crate) fn of_instruction(&mut self) -> &mut Counters {
        &mut self.of[self.now]
    }

    /// The counters of a block's last instruction.
    pub(crate) fn of_end(&mut self, block: &Block) -> &mut Counters {
        let last = (block.listed + block.weight).saturating_sub(1) as usize;
        let last = last.min(self.of.len() - 1);
        &mut self.of[last]
    }

    /// Adds all entries to the launch's counters.
    pub(crate) fn add_to(&self, launch: &mut Counters) {
        self.of.iter().for_each(|of| launch.add(of));
    }

    pub(crate) fn add(&mut self, other: &Profile) {
        for (a, b) in self.of.iter_mut().zip(&other.of) {
            a.add(b);
        }
        for (a, b) in self.blocks.iter_mut().zip(&other.blocks) {
            a.0 += b.0;
            a.1 += b.1;
        }
    }

    /// The counters of each entry of the listing, with how often it ran.
    pub(crate) fn finish(mut self, kernel: &Kernel) -> Vec<Counters> {
        for (block, (warps, threads)) in kernel.blocks.iter().zip(&self.blocks) {
            for listed in block.listed..block.listed + block.weight {
                let of = &mut self.of[listed as usize];
                of.warp_instructions += warps;
                of.thread_instructions += threads;
                of.const_uniform_instructions +=
                    if kernel.listing[listed as usize].uniform { *warps } else { 0 };
            }
        }
        self.of.truncate(kernel.listing.len());
        self.of
    }
}
