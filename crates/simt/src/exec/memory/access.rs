//! One event for every access to memory: what the active lanes of a warp ask of one memory at once.
//!
//! An access is made in one place, from an instruction's operand and its address register ([`super::address`]); where a generic
//! address says lane by lane which memory it is of, it is taken apart ([`super::generic`]). Bounds and alignment
//! ([`super::bounds`]), the observers of a launch ([`crate::exec::observers::observe`]), the counters ([`crate::exec::count`])
//! and the transfer itself, in a file for each memory, look at it in this order; none of them knows another.

use crate::WARP;
use crate::exec::memory::layout::Pattern;
use crate::ir::{Id, MemoryOperand};
use crate::lanes::{ALL, X};
use crate::trace::AccessKind;

/// A memory that an access can be of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::exec) enum Memory {
    Global,
    /// The block's own shared memory.
    Shared,
    /// Shared memory of the cluster's blocks, by addresses that name a block's rank.
    Cluster,
    Constant,
    Local,
    Parameter,
}

/// The instruction that an access is made by, as far as observers and counters ask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::exec) enum Unit {
    /// A load, a store or an atomic operation of threads.
    Thread,
    /// One of these through generic addresses.
    Generic,
    /// `ldmatrix`, `stmatrix`: eight lanes give the rows' addresses of each matrix.
    Matrix,
    /// `cp.async`: a load and a store.
    Copy,
    /// `cp.async.bulk`, `st.async`, and operations on an `mbarrier`, which are lane by lane.
    Lane,
}

/// A memory access: the request that the active lanes of a warp make of one memory at once.
#[derive(Clone, Copy)]
pub(in crate::exec) struct Access<'a> {
    pub(in crate::exec) memory: Memory,
    pub(in crate::exec) kind: AccessKind,
    pub(in crate::exec) unit: Unit,
    /// The program's operand, which has elements, registers and ordering, and its place among those of the kernel.
    pub(in crate::exec) operand: &'a MemoryOperand,
    pub(in crate::exec) id: Id<MemoryOperand>,
    /// Bytes a lane.
    pub(in crate::exec) width: u32,
    /// The lanes that take part.
    pub(in crate::exec) mask: u32,
    /// The address of the lowest of them, in the memory's own address space.
    pub(in crate::exec) first: u64,
    pub(in crate::exec) pattern: Pattern,
    /// All addresses, where they are not those of the address register.
    pub(in crate::exec) addresses: Option<&'a X>,
    /// Of a store, what is written, where the operand's registers do not hold it.
    pub(in crate::exec) values: Option<&'a [X]>,
    /// Of an atomic operation, whether what it leaves depends on what was there.
    pub(in crate::exec) looks: bool,
}

impl<'a> Access<'a> {
    /// Some lanes of an access, at addresses of their own in one memory.
    pub(in crate::exec) fn of_lanes<'b>(&self, memory: Memory, mask: u32, addresses: &'b X) -> Access<'b>
    where
        'a: 'b,
    {
        let first = addresses.0[mask.trailing_zeros() as usize % WARP];
        Access { memory, mask, first, pattern: Pattern::Scattered, addresses: Some(addresses), ..*self }
    }

    /// The lanes whose addresses have been checked: all, where those that are off have an address that some lane has.
    #[inline(always)]
    pub(in crate::exec) fn checked(&self) -> u32 {
        if self.addresses.is_none() { ALL } else { self.mask }
    }

    /// Whether words are loaded, at addresses that a layout gives, into registers that take them as they are or
    /// zero-extended.
    #[inline(always)]
    pub(in crate::exec) fn is_of_words(&self) -> bool {
        let operand = self.operand;
        self.addresses.is_none() && (operand.words || operand.bytes == 4 && !operand.signed)
    }

    /// The lowest lane.
    #[inline(always)]
    pub(in crate::exec) fn lane(&self) -> usize {
        self.mask.trailing_zeros() as usize % WARP
    }

    /// Of a contiguous access, the end of the bytes that it is of.
    #[inline(always)]
    pub(in crate::exec) fn end(&self) -> u64 {
        self.first.saturating_add(u64::from(self.width) * u64::from(self.mask.count_ones()))
    }
}
