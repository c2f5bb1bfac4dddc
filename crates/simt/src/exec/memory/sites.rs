//! What is known of the addresses of each memory instruction of a kernel: how they lay the last time, in which allocation, and
//! what they cost. [`crate::exec::memory::address`] has what asks for it.

use crate::exec::memory::layout::Layout;
use crate::lanes::W;

/// The state of one memory instruction.
#[derive(Clone, Debug, Default)]
pub(in crate::exec) struct Site {
    /// The allocation that it found last.
    pub(in crate::exec) hint: u32,
    /// How its addresses lay, if it leads a group; and where, without the offset, in the basic block that runs.
    pub(in crate::exec) layout: Layout,
    pub(in crate::exec) base: u64,
    /// Cost of its addresses the last time.
    pub(in crate::exec) cost: Cost,
}

/// Cost of scattered addresses, as far as it depends on their distances, and on where the first one lies in a line of 128
/// bytes, which is also all 32 banks.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::exec) struct Cost {
    pub(in crate::exec) version: u64,
    pub(in crate::exec) phase: u64,
    pub(in crate::exec) cost: [u32; 3],
}

/// The state of all memory instructions of a worker's kernel.
pub(in crate::exec) struct Sites {
    /// By access.
    pub(in crate::exec) each: Vec<Site>,
    /// How many layouts of addresses have been seen.
    pub(in crate::exec) layouts: u64,
    /// Words that the two loads of a fused instruction give the lanes. Not a function's own: from those the compiler makes
    /// scalars.
    pub(in crate::exec) loaded: [W; 2],
}

impl Sites {
    pub(in crate::exec) fn new(accesses: usize) -> Self {
        Sites { each: vec![Site::default(); accesses], layouts: 0, loaded: [W::ZERO; 2] }
    }
}
