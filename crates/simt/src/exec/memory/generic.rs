//! Loads and stores through generic addresses: each lane's address says which memory it is of.

use crate::WARP;
use crate::exec::current::CurrentBlock;
use crate::exec::fault::Stop;
use crate::exec::memory::access::{Access, Memory, Unit};
use crate::exec::memory::sites::Sites;
use crate::exec::worker::Worker;
use crate::ir::{Id, MemoryOperand};
use crate::lanes::{X, lanes};
use crate::memory::{CONSTANT_WINDOW, FIRST, LOCAL_WINDOW, PARAMETER_WINDOW, SHARED_WINDOW, WINDOW};
use crate::trace::AccessKind;

/// The lanes whose addresses lie in a window, and their addresses there.
pub(in crate::exec) fn in_window(addresses: &X, mask: u32, window: u64) -> (u32, X) {
    let mut here = 0;
    let mut out = X::ZERO;
    for l in 0..WARP {
        out.0[l] = addresses.0[l].wrapping_sub(window);
        here |= u32::from(out.0[l] < WINDOW) << l;
    }
    (here & mask, out)
}

/// Whether all lanes' addresses are those of global memory, or of none.
fn all_global(addresses: &X, mask: u32) -> bool {
    lanes(mask).all(|l| addresses.0[l] >= FIRST || addresses.0[l] < SHARED_WINDOW)
}

/// The memories of a generic access, taken apart: lanes and their addresses.
fn parts(addresses: &X, mask: u32) -> impl Iterator<Item = (Memory, u32, X)> {
    let windows = [
        (Memory::Shared, SHARED_WINDOW),
        (Memory::Local, LOCAL_WINDOW),
        (Memory::Constant, CONSTANT_WINDOW),
        (Memory::Parameter, PARAMETER_WINDOW),
    ];
    let mut elsewhere = 0;
    let within = windows.map(|(memory, window)| {
        let (lanes, at) = in_window(addresses, mask, window);
        elsewhere |= lanes;
        (memory, lanes, at)
    });
    let rest = (Memory::Global, mask & !elsewhere, *addresses);
    within.into_iter().chain([rest]).filter(|(_, lanes, _)| *lanes != 0)
}

impl Worker<'_> {
    #[inline(never)]
    pub(in crate::exec) fn load_generic(&mut self, id: Id<MemoryOperand>, mask: u32) -> Result<(), Stop> {
        let access = self.current.generic_access(&mut self.sites, AccessKind::Load, id, mask);
        self.current.cursor.looked |= access.operand.strong;
        self.counts.count_generic_load();
        let addresses = self.sites.addresses(&access);
        if all_global(&addresses, mask) {
            return self.load_global_lanes(&access);
        }
        // A constant in global memory is a request of its own if no other lane makes it one.
        let mut left = mask;
        for (memory, lanes, at) in parts(&addresses, mask) {
            let part = access.of_lanes(memory, lanes, &at);
            match memory {
                // The shared window has the addresses of all blocks of the cluster.
                Memory::Shared | Memory::Cluster => self.load_shared_lanes(&part)?,
                Memory::Local => self.load_own_local(&part)?,
                Memory::Constant => self.load_constant_globally(&part, left == lanes)?,
                Memory::Parameter => self.read_parameter(&part)?,
                Memory::Global => self.load_global_lanes(&part)?,
            }
            left &= !lanes;
        }
        Ok(())
    }

    #[inline(never)]
    pub(in crate::exec) fn store_generic(&mut self, id: Id<MemoryOperand>, mask: u32) -> Result<(), Stop> {
        let access = self.current.generic_access(&mut self.sites, AccessKind::Store, id, mask);
        self.counts.count_generic_store();
        let addresses = self.sites.addresses(&access);
        if all_global(&addresses, mask) {
            return self.store_global_lanes(&access);
        }
        let mut left = mask;
        for (memory, lanes, at) in parts(&addresses, mask) {
            let part = access.of_lanes(memory, lanes, &at);
            match memory {
                Memory::Shared | Memory::Cluster => self.store_shared_lanes(&part)?,
                // No other thread waits for what is written to local memory.
                Memory::Local => self.store_own_local(&part)?,
                // A constant in global memory is a request of its own if no other lane makes it one.
                Memory::Constant => self.store_constant_globally(&part, left == lanes)?,
                // What cannot be written to is in no allocation.
                Memory::Parameter | Memory::Global => continue,
            }
            left &= !lanes;
        }
        if left == 0 {
            return Ok(());
        }
        self.store_global_lanes(&access.of_lanes(Memory::Global, left, &addresses))
    }
}

impl<'a> CurrentBlock<'a> {
    #[inline]
    fn generic_access(
        &mut self,
        sites: &mut Sites,
        kind: AccessKind,
        id: Id<MemoryOperand>,
        mask: u32,
    ) -> Access<'a> {
        Access { unit: Unit::Generic, ..self.access_of(sites, Memory::Global, kind, id, mask) }
    }
}
