//! Memory that the API gave out, by address.
//!
//! Enters: allocations, and their ends. Leaves: which of them an address is in. This module must never know a device.

use super::finding::{Memory, Rows, What};
use crate::guest::Site;
use device::{Buffer, Extent};
use std::collections::BTreeMap;

/// Kind of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Owner {
    /// The device's memory.
    Device,
    /// The host's memory, known to the device: `cudaMallocHost`, `cudaHostAlloc`.
    Pinned,
    /// Memory that the program allocated itself, known to the device: `cudaHostRegister`.
    Registered,
    /// Memory of both.
    Managed,
}

/// A copy into a block, or a call that set it: what, the function, and where.
#[derive(Clone, Copy, Debug)]
pub(super) struct Filled {
    pub(super) extent: Extent,
    pub(super) call: &'static str,
    pub(super) site: Site,
}

/// A block of memory.
#[derive(Clone, Debug)]
pub(super) struct Block {
    pub(super) owner: Owner,
    pub(super) address: u64,
    pub(super) bytes: u64,
    /// On the device: all of a block of its own, and where the device has one at the same address, of the others.
    pub(super) buffer: Option<Buffer>,
    pub(super) rows: Option<Rows>,
    /// Flags that it was allocated with.
    pub(super) flags: u32,
    /// Function that allocated it.
    pub(super) call: &'static str,
    pub(super) site: Site,
    pub(super) freed: Option<Site>,
    /// Copies into it: how many, and the first if that began at the block's start.
    pub(super) copies: (u64, Option<Filled>),
    /// Whether a graph ends it, after each of its launches.
    pub(super) in_graph: bool,
    /// A number that no other block has.
    pub(super) number: u64,
}

impl Block {
    /// The name that the device has for it.
    pub(super) fn device_name(&self) -> String {
        format!("allocation {} of {}", self.number, self.call)
    }

    /// What findings say of it.
    pub(super) fn memory(&self) -> Memory {
        let what = match self.owner {
            Owner::Device => What::Device(self.call),
            Owner::Pinned | Owner::Registered => What::Pinned(self.call),
            Owner::Managed => What::Managed,
        };
        Memory {
            what,
            address: self.address,
            bytes: self.bytes,
            rows: self.rows,
            allocated: Some(self.site),
            freed: self.freed,
        }
    }
}

/// All blocks.
#[derive(Debug, Default)]
pub(super) struct Blocks {
    live: BTreeMap<u64, Block>,
    /// Those that were freed, until their addresses are given out again.
    freed: BTreeMap<u64, Block>,
    made: u64,
}

fn at(blocks: &BTreeMap<u64, Block>, address: u64) -> Option<&Block> {
    let (_, block) = blocks.range(..=address).next_back()?;
    // A pointer just past the end is still the block's, as in C.
    (address - block.address <= block.bytes).then_some(block)
}

impl Blocks {
    /// A new block.
    pub(super) fn add(&mut self, block: Block) {
        let end = block.address.saturating_add(block.bytes);
        let covered: Vec<u64> = self
            .freed
            .range(..end)
            .filter(|(_, old)| old.address + old.bytes > block.address)
            .map(|(address, _)| *address)
            .collect();
        for address in covered {
            self.freed.remove(&address);
        }
        self.made += 1;
        self.live.insert(block.address, Block { number: self.made, ..block });
    }

    /// Frees the block that begins at an address.
    pub(super) fn free(&mut self, address: u64, site: Site) -> Option<Block> {
        let block = self.live.remove(&address)?;
        self.freed.insert(address, Block { freed: Some(site), ..block.clone() });
        Some(block)
    }

    /// The live block that an address is in, or just past.
    pub(super) fn at(&self, address: u64) -> Option<&Block> {
        at(&self.live, address)
    }

    /// The freed block that an address is in, where there is no live one.
    pub(super) fn freed_at(&self, address: u64) -> Option<&Block> {
        at(&self.freed, address)
    }

    /// Notes that a block has been filled from an offset on.
    pub(super) fn filled(&mut self, address: u64, offset: u64, filled: Filled) {
        if let Some(block) = self.live.get_mut(&address) {
            block.copies.0 += 1;
            if block.copies.0 == 1 && offset == 0 {
                block.copies.1 = Some(filled);
            }
        }
    }

    /// Notes that a graph ends a block.
    pub(super) fn end_in_graph(&mut self, address: u64) {
        if let Some(block) = self.live.get_mut(&address) {
            block.in_graph = true;
        }
    }

    pub(super) fn live(&self) -> impl Iterator<Item = &Block> {
        self.live.values()
    }
}
