//! Notes down what chosen warps ask of memory. Nothing here runs unless a launch is watched.

use super::access::{Access, Memory, Unit};
use super::launch::index_in;
use super::notes::Noted;
use super::worker::Worker;
use crate::Counters;
use crate::WARP;
use crate::memory::{CONSTANT_WINDOW, LOCAL_WINDOW, RANK_AT, SHARED_WINDOW};
use crate::trace::{AccessKind, Space};

impl Worker<'_> {
    /// Before an instruction that observers may be shown accesses of: the counters as they are.
    #[inline(never)]
    pub(super) fn before_instruction(&mut self) -> Counters {
        if let Some(notes) = &mut self.notes {
            notes.open = 0;
        }
        self.tally.counters
    }

    /// After it: what it cost.
    #[inline(never)]
    pub(super) fn after_instruction(&mut self, code: u32, before: &Counters) {
        let after = &self.tally.counters;
        if let Some(profile) = &mut self.profile {
            profile.instruction(code, before, after);
        }
        if let Some(notes) = &mut self.notes {
            let listed = self.run.kernel.places.get(code as usize).copied().unwrap_or_default();
            let from = notes.accesses.len() - notes.open;
            for (n, noted) in notes.accesses[from..].iter_mut().enumerate() {
                noted.listed = listed;
                if n == 0 {
                    noted.cost.add_difference(before, after);
                }
            }
            notes.open = 0;
        }
    }

    /// Notes down an access of a chosen warp.
    #[cold]
    #[inline(never)]
    pub(super) fn trace_access(&mut self, access: &Access<'_>) {
        let Some(trace) = self.run.options.trace else { return };
        let chosen = self.cursor.warp < WARP && trace.warps >> self.cursor.warp & 1 != 0;
        let elsewhere = |block| index_in(self.block.number, self.run.grid) != block;
        if !chosen || trace.block.is_some_and(elsewhere) {
            return;
        }
        let space = match access.memory {
            Memory::Global => Space::Global,
            Memory::Shared => Space::Shared,
            Memory::Constant => Space::Constant,
            Memory::Local => Space::Local,
            // Figures show one block.
            Memory::Cluster | Memory::Parameter => return,
        };
        if access.operand.parameter || access.unit == Unit::Lane || trace.space.is_some_and(|of| of != space)
        {
            return;
        }
        let mut addresses = self.addresses(access).0;
        if access.unit == Unit::Copy && access.kind == AccessKind::Store {
            addresses = addresses.map(|a| a & ((1 << RANK_AT) - 1));
        }
        let generic = access.unit == Unit::Generic;
        let noted = Noted {
            listed: 0,
            block: self.block.number,
            interval: self.block.checks.as_ref().map_or(0, |checks| checks.since_barrier()),
            warp: self.cursor.warp as u32,
            kind: access.kind,
            space: (!generic).then_some(space),
            bytes: access.width,
            mask: access.mask,
            addresses: if generic { addresses.map(|a| a.wrapping_add(window(space))) } else { addresses },
            cost: Counters::default(),
        };
        if let Some(notes) = &mut self.notes {
            notes.push(trace.most, noted, generic);
        }
    }
}

/// Where a memory lies among the generic addresses.
fn window(space: Space) -> u64 {
    match space {
        Space::Global => 0,
        Space::Shared => SHARED_WINDOW,
        Space::Constant => CONSTANT_WINDOW,
        Space::Local => LOCAL_WINDOW,
    }
}
