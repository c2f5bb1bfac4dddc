//! The checks as an observer: what they are shown of accesses, barriers and warp-wide operations.
//!
//! Enters: accesses that are inside of their memory. Leaves: nothing, or the [`Stop`] of the first that should not be. What
//! is known of shared and local memory is the block's ([`crate::exec::checks`]); which bytes of global memory have been written
//! is the allocation's.

use crate::WARP;
use crate::access_marks::{AccessMarks, Mark};
use crate::detail::{UnwrittenBytes, UnwrittenMemory, UnwrittenRead};
use crate::error::FaultKind;
use crate::exec::checks::{Around, Cells, GlobalAccessKind, PATIENCE, Space, Touch, Unwritten};
use crate::exec::current::CurrentBlock;
use crate::exec::fault::{RawDetail, RawFault, Stop};
use crate::exec::launch::Run;
use crate::exec::memory::access::{Access, Memory, Unit};
use crate::exec::memory::layout::Pattern;
use crate::exec::memory::sites::Sites;
use crate::exec::observers::crossed;
use crate::exec::registers::RegisterFile;
use crate::exec::schedule::Schedule;
use crate::lanes::{X, lanes};
use crate::memory::{Allocation, CONSTANT_WINDOW};
use crate::options::Checks as Chosen;
use crate::trace::AccessKind;
use std::ops::Range;

impl RegisterFile {
    /// What lanes store, of each element of a lane; nothing where registers do not hold it.
    #[inline]
    fn stored(&self, access: &Access<'_>) -> Option<[X; 4]> {
        if access.values.is_some() {
            return None;
        }
        let operand = access.operand;
        let element =
            |e| if e < usize::from(operand.count) { self.read_element(operand, e) } else { X::ZERO };
        Some(std::array::from_fn(element))
    }
}

impl<'a> CurrentBlock<'a> {
    /// Looks at an access before memory is read or changed.
    #[inline(always)]
    pub(in crate::exec) fn check_access(
        &mut self,
        sites: &Sites,
        schedule: &mut Schedule<'a>,
        access: &Access<'_>,
        one: Option<&Allocation>,
    ) -> Result<(), Stop> {
        match access.memory {
            Memory::Global => self.check_global(sites, access, one),
            Memory::Shared => self.check_shared(sites, access),
            Memory::Cluster => self.check_cluster(sites, schedule, access),
            Memory::Local => self.check_local_access(sites, access),
            Memory::Constant => self.check_constant(sites, access),
            // The launch gives all of them.
            Memory::Parameter => Ok(()),
        }
    }

    // Global memory.

    fn check_global(
        &mut self,
        sites: &Sites,
        access: &Access<'_>,
        one: Option<&Allocation>,
    ) -> Result<(), Stop> {
        self.check_values(sites, access, one)?;
        if self.run.options.checks.unread {
            sites.mark_read(self.run, access, one);
        }
        if self.run.options.checks.accessed {
            sites.mark_accessed(self.run, access, one);
        }
        if self.run.watches_global { self.touch_global(sites, access, one) } else { Ok(()) }
    }

    /// Whether what lanes read has been written; what they write is then.
    fn check_values(
        &mut self,
        sites: &Sites,
        access: &Access<'_>,
        one: Option<&Allocation>,
    ) -> Result<(), Stop> {
        let (mask, strong) = (access.mask, access.operand.strong);
        let all_written = one.is_some_and(|a| a.written.all());
        match access.kind {
            AccessKind::Load => {
                if strong && let Some(checks) = &mut self.block.observers.checks {
                    checks.acquire(self.cursor.warp, mask);
                }
                if all_written { Ok(()) } else { self.check_written(sites, access, one) }
            }
            AccessKind::Store => {
                if strong && let Some(checks) = &mut self.block.observers.checks {
                    checks.release(self.cursor.warp, mask);
                }
                if !all_written {
                    self.check_held(sites, access)?;
                    sites.mark_written(self.run, access, one)?;
                }
                Ok(())
            }
            AccessKind::Atomic => {
                if access.looks && !all_written {
                    self.check_written(sites, access, one)?;
                }
                if all_written {
                    return Ok(());
                }
                self.check_held(sites, access)?;
                sites.mark_written(self.run, access, one)
            }
        }
    }

    /// Lanes touch global memory that the launch may write.
    #[inline(never)]
    fn touch_global(
        &mut self,
        sites: &Sites,
        access: &Access<'_>,
        one: Option<&Allocation>,
    ) -> Result<(), Stop> {
        let doing = match access.kind {
            AccessKind::Load if access.operand.read_only => GlobalAccessKind::ReadOnly,
            AccessKind::Load => GlobalAccessKind::Read,
            AccessKind::Store => GlobalAccessKind::Write,
            AccessKind::Atomic => GlobalAccessKind::Atomic,
        };
        if let Some(a) = one {
            return self.touch_one(sites, access, doing, a, access.mask);
        }
        let addresses = sites.addresses(access);
        let (mut hint, width) = (0, u64::from(access.width));
        lanes(access.mask).try_for_each(|l| {
            let found = self.run.global.find(addresses.0[l], addresses.0[l] + width, &mut hint);
            found.map_or(Ok(()), |a| self.touch_one(sites, access, doing, a, 1 << l))
        })
    }

    /// Lanes touch an allocation.
    fn touch_one(
        &mut self,
        sites: &Sites,
        access: &Access<'_>,
        doing: GlobalAccessKind,
        a: &Allocation,
        mask: u32,
    ) -> Result<(), Stop> {
        let (chosen, strong) = (self.run.options.checks, access.operand.strong);
        let Some(touched) =
            a.touched.as_deref().filter(|touched| is_of_interest(doing, strong, touched, chosen))
        else {
            return Ok(());
        };
        let (shift, addresses) = (touched.uses.shift, sites.addresses(access));
        let is_beyond = |l: usize| addresses.0[l].wrapping_sub(a.base) >> shift >= touched.cells();
        if access.pattern == Pattern::Contiguous && is_beyond(access.lane()) || lanes(mask).all(is_beyond) {
            return Ok(());
        }
        let (reach, number) = (&self.run.kernel.reach, access.id.number());
        let is = |of: &[bool]| doing == GlobalAccessKind::Write && of.get(access.id.index()) == Some(&true);
        let (flag, updates) = (is(&reach.flags), is(&reach.updates));
        let kind = match doing {
            GlobalAccessKind::Read => 0,
            GlobalAccessKind::ReadOnly => Mark::READ_ONLY,
            GlobalAccessKind::Atomic => Mark::ATOMIC,
            GlobalAccessKind::Write if strong => Mark::STRONG,
            GlobalAccessKind::Write if flag => Mark::QUIET,
            GlobalAccessKind::Write => 0,
        };
        let warp = self.cursor.warp;
        let values =
            if doing == GlobalAccessKind::Write { self.block.registers.stored(access) } else { None };
        // All lanes read one cell: two of them say all there is to say.
        let mask = if access.pattern == Pattern::Uniform
            && matches!(doing, GlobalAccessKind::Read | GlobalAccessKind::ReadOnly)
        {
            mask & (mask & mask.wrapping_neg() | 1 << (31 - mask.leading_zeros()))
        } else {
            mask
        };
        let mut cells = Cells::new(crossed::key(a), touched, self.block.number as u32);
        // Elements have 1, 2, 4 or 8 bytes.
        let element = u64::from(access.operand.bytes.max(1)).trailing_zeros();
        let Some(checks) = &mut self.block.observers.checks else { return Ok(()) };
        let mark = checks.mark_now(number, kind);
        for l in lanes(mask) {
            let first = addresses.0[l].wrapping_sub(a.base);
            let end = (first + u64::from(access.width)).min(a.bytes);
            for cell in first >> shift..end.div_ceil(1 << shift) {
                if cell >= touched.cells() {
                    break;
                }
                let mut mark = mark;
                if let Some(values) = &values {
                    let at = (cell << shift) - first;
                    let bits = u64::MAX >> (64 - (8u32 << shift));
                    let value =
                        values[(at >> element) as usize].0[l] >> (8 * (at & ((1 << element) - 1))) & bits;
                    mark = mark.of_value(value);
                    if updates && a.load(cell << shift, 1 << shift) == value {
                        mark.0 |= Mark::QUIET;
                    }
                }
                let touched = checks.touch(&mut cells, cell, Touch { doing, mark, warp, lane: l });
                let address = a.base + (cell << shift);
                touched.map_err(|stop| Stop { address: Some(address), width: 1 << shift, ..stop })?;
            }
        }
        Ok(())
    }

    /// A lane touches bytes of an allocation, by an instruction of which no registers are known; `stored` is what it writes.
    #[inline]
    pub(in crate::exec) fn touch_bytes(
        &mut self,
        a: &Allocation,
        (number, lane): (u16, usize),
        doing: GlobalAccessKind,
        bytes: Range<u64>,
        stored: &[u8],
    ) -> Result<(), Stop> {
        let chosen = self.run.options.checks;
        let interesting = |touched: &&AccessMarks| is_of_interest(doing, false, touched, chosen);
        let (Some(touched), Some(checks)) =
            (a.touched.as_deref().filter(interesting), &mut self.block.observers.checks)
        else {
            return Ok(());
        };
        let kind = match doing {
            GlobalAccessKind::Read => 0,
            GlobalAccessKind::ReadOnly => Mark::READ_ONLY,
            GlobalAccessKind::Atomic => Mark::ATOMIC,
            GlobalAccessKind::Write => 0,
        };
        let (mark, warp, shift) = (checks.mark_now(number, kind), self.cursor.warp, touched.uses.shift);
        let mut cells = Cells::new(crossed::key(a), touched, self.block.number as u32);
        for cell in bytes.start >> shift..bytes.end.div_ceil(1 << shift).min(touched.cells()) {
            let mut mark = mark;
            if doing == GlobalAccessKind::Write {
                let from = (cell << shift).saturating_sub(bytes.start) as usize;
                let value = stored.get(from..).unwrap_or_default().iter().take(1 << shift).rev();
                let value = value.fold(0, |value, byte| value << 8 | u64::from(*byte));
                mark = mark.of_value(value);
                // What was there before, the kernel may have loaded.
                if touched.uses.loads && a.load(cell << shift, 1 << shift) == value {
                    mark.0 |= Mark::QUIET;
                }
            }
            let touched = checks.touch(&mut cells, cell, Touch { doing, mark, warp, lane });
            let address = crossed::address(a, cell << shift);
            touched.map_err(|stop| Stop { address: Some(address), width: 1 << shift, ..stop })?;
        }
        Ok(())
    }

    /// Whether lanes write what a held one has read.
    #[inline(always)]
    fn check_held(&mut self, sites: &Sites, access: &Access<'_>) -> Result<(), Stop> {
        if self.block.observers.checks.as_ref().is_some_and(|checks| checks.has_held())
            || self.block.observers.found.has_reads()
        {
            self.write_after(sites, access)?;
        }
        Ok(())
    }

    #[cold]
    #[inline(never)]
    fn write_after(&mut self, sites: &Sites, access: &Access<'_>) -> Result<(), Stop> {
        let (addresses, warp) = (sites.addresses(access), self.cursor.warp);
        let Some(checks) = &mut self.block.observers.checks else { return Ok(()) };
        lanes(access.mask).try_for_each(|l| {
            let first = addresses.0[l];
            let (bytes, thread) = (first..first + u64::from(access.width), (warp * WARP + l) as u32);
            self.block.observers.found.written(bytes.clone(), thread, access.id.number());
            checks.write_after(warp, l, access.id.number(), bytes)
        })
    }

    /// Whether lanes have written what they are about to read.
    #[cold]
    #[inline(never)]
    fn check_written(
        &mut self,
        sites: &Sites,
        access: &Access<'_>,
        one: Option<&Allocation>,
    ) -> Result<(), Stop> {
        let width = u64::from(access.width);
        if let (Some(a), Pattern::Contiguous) = (one, access.pattern)
            && a.written.whole(access.first - a.base, access.end() - access.first)
        {
            return Ok(());
        }
        let addresses = sites.addresses(access);
        let mut hint = 0;
        for l in lanes(access.mask) {
            let first = addresses.0[l];
            let Some(a) = one.or_else(|| self.run.global.find(first, first + width, &mut hint)) else {
                continue;
            };
            let missing = a.written.missing(first - a.base, width);
            if missing != 0 {
                // Only pieces of the kernels' heap can have been written.
                self.run.check_piece(a, l, first, width)?;
                let all = access.pattern == Pattern::Uniform;
                let Some(checks) = &mut self.block.observers.checks else { return Ok(()) };
                let mask = if all { access.mask } else { 1 << l };
                checks.note_missing(Space::Global, mask, first, missing, Around::default());
            }
            if access.pattern == Pattern::Uniform {
                break;
            }
        }
        self.look_at_missing(access)
    }

    /// What a load has read and has not been written goes into its registers; where it goes elsewhere, or is changed at
    /// once, a lane must have read something that is written.
    fn look_at_missing(&mut self, access: &Access<'_>) -> Result<(), Stop> {
        let Some(checks) = &mut self.block.observers.checks else { return Ok(()) };
        if !checks.is_missing() {
            return Ok(());
        }
        let loads = access.kind == AccessKind::Load
            && matches!(access.unit, Unit::Thread | Unit::Generic | Unit::Matrix);
        if loads {
            self.block.observers.undefined = true;
            return Ok(());
        }
        checks.missing_at_once(access.width)
    }

    // Constant memory.

    /// Whether the constants have been set that lanes read.
    fn check_constant(&mut self, sites: &Sites, access: &Access<'_>) -> Result<(), Stop> {
        let Some(set) = self.run.constant_set.filter(|_| access.kind == AccessKind::Load) else {
            return Ok(());
        };
        let addresses = sites.addresses(access);
        for l in lanes(access.mask) {
            let missing = set.missing(addresses.0[l], u64::from(access.width));
            if missing != 0
                && let Some(checks) = &mut self.block.observers.checks
            {
                let address = CONSTANT_WINDOW + addresses.0[l];
                checks.note_missing(Space::Constant, 1 << l, address, missing, Around::default());
            }
        }
        self.look_at_missing(access)
    }

    // Shared memory.

    #[inline(always)]
    fn check_shared(&mut self, sites: &Sites, access: &Access<'_>) -> Result<(), Stop> {
        match access.kind {
            AccessKind::Load => self.check_shared_load(sites, access),
            AccessKind::Store => self.check_shared_store(sites, access),
            AccessKind::Atomic => self.check_shared_atomic(sites, access),
        }
    }

    #[inline(always)]
    fn check_shared_load(&mut self, sites: &Sites, access: &Access<'_>) -> Result<(), Stop> {
        let (warp, operand) = (self.cursor.warp, access.operand);
        // The rows of matrices are wider than what their lanes' operands say.
        let words = operand.words && access.unit != Unit::Matrix;
        // Fields apart: the layout's pieces are read while marks are made.
        let pieces = sites.each[operand.leader.index()].layout.pieces();
        let Some(checks) = &mut self.block.observers.checks else { return Ok(()) };
        let found = match access.pattern {
            Pattern::Contiguous if words && operand.count == 1 => checks.read_row(warp, access),
            Pattern::Uniform if words => checks.read_same(warp, access),
            Pattern::Tiled if words => checks.read_pieces(warp, access, pieces),
            Pattern::Uniform | Pattern::Contiguous | Pattern::Tiled | Pattern::Scattered => {
                let addresses = sites.addresses(access);
                let Some(checks) = &mut self.block.observers.checks else { return Ok(()) };
                checks.read_shared(warp, access, &addresses)
            }
        };
        found?;
        self.look_at_shared(access)
    }

    #[inline(always)]
    fn look_at_shared(&mut self, access: &Access<'_>) -> Result<(), Stop> {
        if self.block.observers.checks.as_ref().is_some_and(|checks| checks.is_missing()) {
            self.look_at_missing(access)?;
        }
        Ok(())
    }

    #[inline(always)]
    fn check_shared_store(&mut self, sites: &Sites, access: &Access<'_>) -> Result<(), Stop> {
        let (warp, operand) = (self.cursor.warp, access.operand);
        if access.pattern == Pattern::Contiguous
            && access.values.is_none()
            && !self.block.observers.undefined
            && let Some(register) = operand.word.get()
        {
            let values = self.block.registers.wi(register);
            let Some(checks) = &mut self.block.observers.checks else { return Ok(()) };
            return checks.write_row(warp, access, &self.block.shared, &self.block.registers.w[values].0);
        }
        self.check_shared_lanes(sites, access)
    }

    #[inline(never)]
    fn check_shared_lanes(&mut self, sites: &Sites, access: &Access<'_>) -> Result<(), Stop> {
        let (warp, operand) = (self.cursor.warp, access.operand);
        let addresses = sites.addresses(access);
        let mut values = [X::ZERO; 4];
        let mut missing = None;
        let values = match access.values {
            Some(values) => values,
            None => {
                if self.block.observers.undefined {
                    missing = self.undefined_in_store(operand);
                }
                let count = usize::from(operand.count);
                for (e, values) in values.iter_mut().take(count).enumerate() {
                    *values = self.block.registers.read_element(operand, e);
                }
                &values[..]
            }
        };
        let Some(checks) = &mut self.block.observers.checks else { return Ok(()) };
        checks.write_shared(warp, access, &addresses, &self.block.shared, values)?;
        if let Some((missing, origin)) = missing {
            checks.shared_forget(&addresses, access.mask, access.width, &missing, (warp, origin));
        }
        Ok(())
    }

    /// Lanes make an access that races with another: what comes later takes it as made.
    #[cold]
    pub(in crate::exec) fn mark_after_race(&mut self, sites: &Sites, access: &Access<'_>) {
        if access.memory == Memory::Shared && access.kind != AccessKind::Load {
            let addresses = sites.addresses(access);
            let warp = self.cursor.warp;
            if let Some(checks) = &mut self.block.observers.checks {
                checks.write_anyway(warp, access, &addresses);
            }
        }
    }

    #[inline(never)]
    fn check_shared_atomic(&mut self, sites: &Sites, access: &Access<'_>) -> Result<(), Stop> {
        let addresses = sites.addresses(access);
        let warp = self.cursor.warp;
        let Some(checks) = &mut self.block.observers.checks else { return Ok(()) };
        checks.atomic_shared(warp, access, &addresses).inspect_err(|stop| {
            if stop.kind == FaultKind::UninitialisedRead {
                checks.note_unwritten(Unwritten::Shared);
            }
        })
    }

    /// Accesses to other blocks are not looked at for races; what they read must have been written.
    #[cold]
    #[inline(never)]
    fn check_cluster(
        &mut self,
        sites: &Sites,
        schedule: &mut Schedule<'a>,
        access: &Access<'_>,
    ) -> Result<(), Stop> {
        let Access { kind, mask, width, .. } = *access;
        if access.operand.strong
            && access.unit != Unit::Lane
            && let Some(checks) = &mut self.block.observers.checks
        {
            match kind {
                AccessKind::Load => checks.acquire(self.cursor.warp, mask),
                AccessKind::Store => checks.release(self.cursor.warp, mask),
                AccessKind::Atomic => {}
            }
        }
        let addresses = sites.addresses(access);
        for (lane, place) in schedule.places_in_cluster(self, sites, access)? {
            let Some(checks) = &mut schedule.block_at(self, &place).observers.checks else { continue };
            let reads = kind == AccessKind::Load || kind == AccessKind::Atomic && access.looks;
            if reads && checks.chosen.uninitialised && checks.is_unwritten(place.at, width as usize) {
                let (memory, which) = (UnwrittenMemory::Cluster, UnwrittenBytes::All);
                let read = RawDetail::Unwritten(UnwrittenRead { bytes: width, memory, which });
                let stop = Stop::at(FaultKind::UninitialisedRead, lane, addresses.0[lane], u64::from(width));
                return Err(Stop { detail: Some(Box::new(read)), ..stop });
            }
            if kind != AccessKind::Load {
                checks.written_by_others(place.at, width as usize);
            }
        }
        Ok(())
    }

    // Local memory.

    #[inline(never)]
    fn check_local_access(&mut self, sites: &Sites, access: &Access<'_>) -> Result<(), Stop> {
        let addresses = sites.addresses(access);
        let missing =
            if self.block.observers.undefined { self.undefined_in_store(access.operand) } else { None };
        let Some(checks) = &mut self.block.observers.checks else { return Ok(()) };
        let warp = self.cursor.warp;
        if access.kind == AccessKind::Load {
            checks.local_read(warp, &addresses, access.mask, access.width);
            self.block.observers.undefined |= checks.is_missing();
            return Ok(());
        }
        checks.local_write(warp, &addresses, access.mask, access.width);
        if let Some((missing, origin)) = missing {
            checks.local_forget(warp, &addresses, access.mask, &missing, origin);
        }
        Ok(())
    }

    // What orders accesses.

    /// Lanes of the warp met: what they did before is ordered before what they do next.
    pub(in crate::exec) fn warp_met(&mut self, mask: u32) {
        if let Some(checks) = &mut self.block.observers.checks {
            checks.met(self.cursor.warp, mask, self.block.warps[self.cursor.warp].live);
        }
    }

    /// Release and acquire: earlier accesses of these lanes are visible to others, and others' to them.
    #[inline]
    pub(in crate::exec) fn warp_fenced(&mut self, mask: u32) {
        if let Some(checks) = &mut self.block.observers.checks {
            checks.release(self.cursor.warp, mask);
            checks.acquire(self.cursor.warp, mask);
        }
    }

    // Faults that wait for the rest of the block.

    /// Lanes have a fault: whether the others of the block go on, because it depends on what they do.
    #[cold]
    #[inline(never)]
    pub(in crate::exec) fn hold(&mut self, fault: RawFault) -> Result<(), RawFault> {
        match &mut self.block.observers.checks {
            Some(checks) if !self.run.options.keep_going => checks.hold(fault)?,
            Some(_) => return Err(fault),
            None => return Err(fault),
        }
        self.block.allowed = self.block.allowed.min(self.block.spent + PATIENCE);
        Ok(())
    }

    /// Nothing of the block can go on, or it only waits: the fault that has waited for it.
    #[inline]
    pub(in crate::exec) fn held(&mut self) -> Option<RawFault> {
        self.block.observers.checks.as_mut().and_then(|checks| checks.take_held())
    }

    /// Lanes came to a barrier and do not wait there.
    #[cold]
    pub(in crate::exec) fn note_arrival(&mut self, id: u32, mask: u32) {
        if let Some(checks) = &mut self.block.observers.checks {
            checks.arrived(id, self.cursor.warp, mask);
        }
    }

    /// A barrier is about to open: a warp's lanes that wait for it must have come to the same place of the program, where
    /// the barrier is one that asks for it, and what they did is ordered. A barrier is known by its number alone, so
    /// warps may come to different places.
    #[inline(never)]
    pub(in crate::exec) fn check_barrier(&mut self, id: u32, live: u32) -> Result<(), RawFault> {
        let kernel = self.run.kernel;
        let (mut lanes_here, mut counted) = (0, false);
        let mut waiting = vec![];
        for (n, warp) in self.block.warps.iter().enumerate() {
            let mut mask = 0;
            let mut first = None;
            for at in warp.at_barrier.iter().filter(|w| w.id == id) {
                mask |= at.split.mask;
                counted |= at.threads.is_some();
                if at.threads.is_some() || !kernel.barriers[at.barrier as usize].aligned {
                    continue;
                }
                if *first.get_or_insert(at.barrier) != at.barrier {
                    let message = "threads wait at a barrier while others of their warp wait at another one";
                    return Err(RawFault {
                        message: Some(message.to_owned()),
                        ..self.divergent(n, at.split)
                    });
                }
            }
            lanes_here += mask.count_ones();
            if mask != 0 {
                waiting.push((n, mask, warp.live));
            }
        }
        if let Some(checks) = &mut self.block.observers.checks {
            // Threads that have exited came to no barrier that counts.
            let threads = self.run.block.iter().product::<u32>();
            if lanes_here == live && (!counted || live == threads) {
                checks.all_came(id);
            } else {
                checks.some_came(id, &waiting);
            }
        }
        Ok(())
    }
}

impl Sites {
    /// Lanes read: of an atomic operation what depends on the value that was there.
    #[inline(never)]
    fn mark_read(&self, run: &Run<'_>, access: &Access<'_>, one: Option<&Allocation>) {
        let reads = match access.kind {
            AccessKind::Load => true,
            AccessKind::Store => false,
            AccessKind::Atomic => access.looks,
        };
        if !reads {
            return;
        }
        if let (Some(a), Pattern::Contiguous) = (one, access.pattern) {
            a.reads.mark_row(access.first - a.base, access.end() - access.first);
            return;
        }
        let (addresses, width) = (self.addresses(access), u64::from(access.width));
        let mut hint = 0;
        for l in lanes(access.mask) {
            let first = addresses.0[l];
            if let Some(a) = one.or_else(|| run.global.find(first, first + width, &mut hint)) {
                a.reads.mark(first - a.base, width);
            }
            if access.pattern == Pattern::Uniform {
                break;
            }
        }
    }

    /// Lanes read or write, which the account of the launch has.
    #[inline(never)]
    fn mark_accessed(&self, run: &Run<'_>, access: &Access<'_>, one: Option<&Allocation>) {
        let kinds = match access.kind {
            AccessKind::Load => 0..1,
            AccessKind::Store => 1..2,
            AccessKind::Atomic => 0..2,
        };
        let (addresses, width) = (self.addresses(access), u64::from(access.width));
        let mut hint = 0;
        for l in lanes(access.mask) {
            let first = addresses.0[l];
            let found = one.or_else(|| run.global.find(first, first + width, &mut hint));
            if let Some((a, accessed)) = found.and_then(|a| Some((a, a.accessed.as_ref()?))) {
                let (at, len) = match access.pattern {
                    Pattern::Contiguous if one.is_some() => {
                        (access.first - a.base, access.end() - access.first)
                    }
                    _ => (first - a.base, width),
                };
                kinds.clone().for_each(|kind| accessed[kind].mark(at, len));
            }
            if access.pattern == Pattern::Uniform || access.pattern == Pattern::Contiguous && one.is_some() {
                break;
            }
        }
    }

    /// Lanes write.
    #[inline(never)]
    fn mark_written(&self, run: &Run<'_>, access: &Access<'_>, one: Option<&Allocation>) -> Result<(), Stop> {
        let width = u64::from(access.width);
        if let (Some(a), Pattern::Contiguous) = (one, access.pattern)
            && !a.heap
        {
            a.written.mark_row(access.first - a.base, access.end() - access.first);
            return Ok(());
        }
        let addresses = self.addresses(access);
        let mut hint = 0;
        for l in lanes(access.mask) {
            let first = addresses.0[l];
            if let Some(a) = one.or_else(|| run.global.find(first, first + width, &mut hint))
                && !a.written.all()
            {
                if a.heap {
                    run.check_piece(a, l, first, width)?;
                }
                a.written.mark(first - a.base, width);
            }
        }
        Ok(())
    }
}

impl Run<'_> {
    /// An access of the kernels' heap must lie within one piece that `malloc` gave.
    #[cold]
    #[inline(never)]
    fn check_piece(&self, a: &Allocation, lane: usize, first: u64, width: u64) -> Result<(), Stop> {
        let Some(heap) = self.heap.filter(|heap| heap.is_at(a.base) && !heap.holds(first, width)) else {
            return Ok(());
        };
        let stop = Stop::at(FaultKind::OutOfBoundsGlobal, lane, first, width);
        Err(stop.because(format!(", {}", heap.describe(first))))
    }
}

/// Whether an access to an allocation can be in another one's way.
fn is_of_interest(doing: GlobalAccessKind, strong: bool, touched: &AccessMarks, chosen: Chosen) -> bool {
    let uses = touched.uses;
    match doing {
        GlobalAccessKind::Read => chosen.global_races && uses.stores && !strong,
        GlobalAccessKind::ReadOnly => chosen.read_only,
        GlobalAccessKind::Write => true,
        GlobalAccessKind::Atomic => chosen.global_races && uses.stores || chosen.read_only && uses.read_only,
    }
}
