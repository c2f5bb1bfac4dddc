//! Counters of each PTX instruction of a kernel.

use crate::Counters;
use crate::ir::{Block, Kernel};

/// Counters for each entry of a kernel's listing.
#[derive(Clone, Debug)]
pub(crate) struct Profile {
    pub(crate) of: Vec<Counters>,
    /// For each block, warps and threads that ran it.
    blocks: Vec<(u64, u64)>,
    /// For each compact instruction, its place in the listing.
    places: Vec<u32>,
}

impl Profile {
    pub(crate) fn new(kernel: &Kernel) -> Self {
        Profile {
            of: vec![Counters::default(); kernel.listing.len()],
            blocks: vec![(0, 0); kernel.blocks.len()],
            places: kernel.places.clone(),
        }
    }

    pub(crate) fn block(&mut self, number: u32, mask: u32) {
        let (warps, threads) = &mut self.blocks[number as usize];
        *warps += 1;
        *threads += u64::from(mask.count_ones());
    }

    pub(crate) fn diverged(&mut self, block: &Block) {
        if let Some(of) = self.last_of(block) {
            of.divergent_branches += 1;
        }
    }

    /// A warp came to the barrier that ends a block.
    pub(crate) fn barrier(&mut self, block: &Block) {
        if let Some(of) = self.last_of(block) {
            of.barriers += 1;
        }
    }

    /// The counters of a block's last instruction.
    fn last_of(&mut self, block: &Block) -> Option<&mut Counters> {
        self.of.get_mut((block.listed + block.weight).saturating_sub(1) as usize)
    }

    /// Adds the difference that an instruction made to the launch's counters.
    pub(crate) fn instruction(&mut self, code: u32, before: &Counters, after: &Counters) {
        let listed = self.places[code as usize];
        if let Some(of) = self.of.get_mut(listed as usize) {
            of.add_difference(before, after);
        }
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
        self.of
    }
}
