//! Groups of instructions that run as one.

use super::Inst;

/// What becomes of the words that two loads give.
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
    /// The first load; the second one and the rest are in the code.
    pub(crate) load: Inst,
    /// Its place in [`Kernel::code`].
    pub(crate) at: u32,
    /// How many groups from this one on follow on each other's heels, the loads of each through the same registers.
    pub(crate) groups: u32,
    /// The lowest and the highest offset of their first loads, and of their second ones.
    pub(crate) offsets: [[i32; 2]; 2],
}
