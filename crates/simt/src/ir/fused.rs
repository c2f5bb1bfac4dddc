//! Groups of instructions that run as one.

use super::{Id, MemoryOperand, Register};

/// Uses of the words that two loads give.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fusion {
    /// A sum's next product, as in a product of tiles.
    Product,
    /// The difference of the two, either way round, is multiplied and added to a sum, as in a stencil.
    Difference { reverse: bool },
}

impl Fusion {
    /// Instructions: the loads and what follows.
    pub(crate) fn length(self) -> usize {
        if self == Fusion::Product { 3 } else { 4 }
    }
}

/// Two loads of a word from shared memory and what becomes of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fused {
    pub(crate) fusion: Fusion,
    /// The loads: the first one is not in the code any more, the second one and the rest are.
    pub(crate) loads: [Id<MemoryOperand>; 2],
    /// Their offsets.
    pub(crate) offset: [i32; 2],
    /// Registers in `W` of the `fma`: the sum that it adds to, its result, and the second one that it multiplies.
    pub(crate) sum: Register,
    pub(crate) d: Register,
    pub(crate) factor: Register,
    /// Its place in [`super::Kernel::code`].
    pub(crate) at: u32,
    /// How many groups from this one on follow on each other's heels, the loads of each through the same registers.
    pub(crate) groups: u32,
    /// The lowest and the highest offset of their first loads, and of their second ones.
    pub(crate) offsets: [[i32; 2]; 2],
}
