//! Notes down what chosen warps ask of memory. Nothing here runs unless a launch is watched.

use crate::Counters;
use crate::WARP;
use crate::exec::count::Counts;
use crate::exec::current::CurrentBlock;
use crate::exec::launch::Run;
use crate::exec::launch::index_in;
use crate::exec::memory::access::{Access, Memory, Unit};
use crate::exec::memory::sites::Sites;
use crate::exec::observers::Observers;
use crate::exec::observers::notes::Noted;
use crate::memory::{CONSTANT_WINDOW, LOCAL_WINDOW, RANK_AT, SHARED_WINDOW};
use crate::trace::{AccessKind, Fetch, Part, Space, Trace};

impl Observers {
    /// Before an instruction whose accesses may be noted down or have counters of their own: the counters as they are, if the
    /// former.
    #[inline(always)]
    pub(in crate::exec) fn before_instruction(&mut self, counts: &mut Counts, code: u32) -> Option<Counters> {
        if let Some(profile) = &mut counts.profile {
            profile.begin(code);
        }
        if let Some(notes) = &mut self.notes {
            notes.open = 0;
        }
        self.notes.is_some().then(|| *counts.counters())
    }

    /// After one whose accesses may be noted down: what it cost.
    #[cold]
    #[inline(never)]
    pub(in crate::exec) fn after_instruction(
        &mut self,
        counts: &mut Counts,
        run: &Run<'_>,
        code: u32,
        before: &Counters,
    ) {
        let after = *counts.counters();
        if let Some(notes) = &mut self.notes {
            let listed = run.kernel.places.get(code as usize).copied().unwrap_or_default();
            let from = notes.accesses.len() - notes.open;
            for (n, noted) in notes.accesses[from..].iter_mut().enumerate() {
                noted.listed = listed;
                if n == 0 {
                    noted.cost.add_difference(before, &after);
                }
            }
            notes.open = 0;
        }
    }

    /// Notes down an access of a chosen warp.
    #[cold]
    #[inline(never)]
    pub(in crate::exec) fn trace_access(
        &mut self,
        current: &mut CurrentBlock<'_>,
        sites: &Sites,
        access: &Access<'_>,
    ) {
        let Some(trace) = current.chosen() else { return };
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
        let mut addresses = sites.addresses(access).0;
        if access.unit == Unit::Copy && access.kind == AccessKind::Store {
            addresses = addresses.map(|a| a & ((1 << RANK_AT) - 1));
        }
        let generic = access.unit == Unit::Generic;
        let noted = Noted {
            kind: access.kind,
            space: (!generic).then_some(space),
            bytes: access.width,
            mask: access.mask,
            addresses: if generic { addresses.map(|a| a.wrapping_add(window(space))) } else { addresses },
            ..current.blank(space)
        };
        if let Some(notes) = &mut self.notes {
            notes.push(trace.most, noted, generic);
        }
    }

    /// Notes down a fetch of a chosen warp, whose texels have a given number of bytes.
    pub(in crate::exec) fn trace_fetch(
        &mut self,
        current: &mut CurrentBlock<'_>,
        bytes: u32,
        parts: Vec<Part>,
        fetch: Option<Fetch>,
    ) {
        let trace = current.chosen().filter(|trace| trace.space.is_none_or(|space| space == Space::Texture));
        let Some(trace) = trace else { return };
        let noted = Noted { bytes, fetched: Some(Box::new((parts, fetch))), ..current.blank(Space::Texture) };
        if let Some(notes) = &mut self.notes {
            notes.push(trace.most, noted, false);
        }
    }
}

impl CurrentBlock<'_> {
    /// What is to be noted of the warp that runs, if anything.
    fn chosen(&self) -> Option<Trace> {
        let trace = self.run.options.trace?;
        let chosen = self.cursor.warp < WARP && trace.warps >> self.cursor.warp & 1 != 0;
        let elsewhere = |block| index_in(self.block.number, self.run.grid) != block;
        (chosen && !trace.block.is_some_and(elsewhere)).then_some(trace)
    }

    /// A load of no lane by the warp that runs.
    fn blank(&self, space: Space) -> Noted {
        Noted {
            listed: 0,
            block: self.block.number,
            interval: self.block.observers.checks.as_ref().map_or(0, |checks| checks.since_barrier()),
            fences: self.block.fences,
            copies: self
                .block
                .observers
                .checks
                .as_ref()
                .map_or(0, |checks| checks.copies_under_way(self.cursor.warp)),
            warp: self.cursor.warp as u32,
            kind: AccessKind::Load,
            space: Some(space),
            bytes: 0,
            mask: 0,
            addresses: [0; WARP],
            cost: Counters::default(),
            fetched: None,
        }
    }
}

/// Where a memory lies among the generic addresses.
fn window(space: Space) -> u64 {
    match space {
        // Texels have no addresses.
        Space::Global | Space::Texture => 0,
        Space::Shared => SHARED_WINDOW,
        Space::Constant => CONSTANT_WINDOW,
        Space::Local => LOCAL_WINDOW,
    }
}
