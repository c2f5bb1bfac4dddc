//! The checks as an observer: what they are shown of accesses, barriers and warp-wide operations.
//!
//! Enters: accesses that are inside of their memory. Leaves: nothing, or the [`Stop`] of the first that should not be. What
//! is known of shared and local memory is the block's ([`super::checks`]); which bytes of global memory have been written
//! is the allocation's.

use super::access::{Access, Memory, Unit};
use super::fault::{RawFault, Stop};
use super::layout::Pattern;
use super::worker::Worker;
use crate::WARP;
use crate::error::FaultKind;
use crate::ir::BARRIERS;
use crate::lanes::{X, lanes};
use crate::memory::Allocation;
use crate::trace::AccessKind;

impl Worker<'_> {
    /// Looks at an access before memory is read or changed.
    #[inline(always)]
    pub(super) fn check_access(&mut self, access: &Access<'_>, one: Option<&Allocation>) -> Result<(), Stop> {
        match access.memory {
            Memory::Global => self.check_global(access, one),
            Memory::Shared => self.check_shared(access),
            Memory::Cluster => self.check_cluster(access),
            Memory::Local => self.check_local_access(access),
            // The host has written all of them.
            Memory::Constant | Memory::Parameter => Ok(()),
        }
    }

    // Global memory.

    fn check_global(&mut self, access: &Access<'_>, one: Option<&Allocation>) -> Result<(), Stop> {
        let (mask, strong) = (access.mask, access.operand.strong);
        let all_written = one.is_some_and(|a| a.written.all());
        match access.kind {
            AccessKind::Load => {
                if strong && let Some(checks) = &mut self.block.checks {
                    checks.acquire(self.cursor.warp, mask);
                }
                if all_written { Ok(()) } else { self.check_written(access, one) }
            }
            AccessKind::Store => {
                if strong && let Some(checks) = &mut self.block.checks {
                    checks.release(self.cursor.warp, mask);
                }
                if !all_written {
                    self.mark_written(access, one)?;
                }
                let spent = self.block.spent;
                let Some(checks) = &mut self.block.checks else { return Ok(()) };
                checks.check_carried(spent, access.id.number())
            }
            AccessKind::Atomic => {
                if access.looks && !all_written {
                    self.check_written(access, one)?;
                }
                if all_written { Ok(()) } else { self.mark_written(access, one) }
            }
        }
    }

    /// Whether lanes have written what they are about to read.
    #[cold]
    #[inline(never)]
    fn check_written(&self, access: &Access<'_>, one: Option<&Allocation>) -> Result<(), Stop> {
        let width = u64::from(access.width);
        if let (Some(a), Pattern::Contiguous) = (one, access.pattern)
            && a.written.whole(access.first - a.base, access.end() - access.first)
        {
            return Ok(());
        }
        let addresses = self.addresses(access);
        let mut hint = 0;
        for l in lanes(access.mask) {
            let first = addresses.0[l];
            if let Some(a) = one.or_else(|| self.run.global.find(first, first + width, &mut hint))
                && !a.written.all()
                && a.written.nothing(first - a.base, width)
            {
                // What is no piece of the kernels' heap, nobody can have written.
                self.check_piece(a, l, first, width)?;
                if self.run.options.checks.uninitialised {
                    return Err(Stop::at(FaultKind::UninitialisedRead, l, first, width));
                }
            }
            if access.pattern == Pattern::Uniform {
                break;
            }
        }
        Ok(())
    }

    /// Lanes write.
    #[inline(never)]
    fn mark_written(&self, access: &Access<'_>, one: Option<&Allocation>) -> Result<(), Stop> {
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
            if let Some(a) = one.or_else(|| self.run.global.find(first, first + width, &mut hint))
                && !a.written.all()
            {
                if a.heap {
                    self.check_piece(a, l, first, width)?;
                }
                a.written.mark(first - a.base, width);
            }
        }
        Ok(())
    }

    /// An access of the kernels' heap must lie within one piece that `malloc` gave.
    #[cold]
    #[inline(never)]
    fn check_piece(&self, a: &Allocation, lane: usize, first: u64, width: u64) -> Result<(), Stop> {
        let Some(heap) = self.run.heap.filter(|heap| heap.is_at(a.base) && !heap.holds(first, width)) else {
            return Ok(());
        };
        let message = format!("access of {width} bytes, {}", heap.describe(first));
        Err(Stop { message: Some(message), ..Stop::at(FaultKind::OutOfBoundsGlobal, lane, first, width) })
    }

    // Shared memory.

    #[inline(always)]
    fn check_shared(&mut self, access: &Access<'_>) -> Result<(), Stop> {
        match access.kind {
            AccessKind::Load => self.check_shared_load(access),
            AccessKind::Store => self.check_shared_store(access),
            AccessKind::Atomic => self.check_shared_atomic(access),
        }
    }

    #[inline(always)]
    fn check_shared_load(&mut self, access: &Access<'_>) -> Result<(), Stop> {
        let (warp, operand) = (self.cursor.warp, access.operand);
        // The rows of matrices are wider than what their lanes' operands say.
        let words = operand.words && access.unit != Unit::Matrix;
        // Fields apart: the layout's pieces are read while marks are made.
        let pieces = self.sites[operand.leader.index()].layout.pieces();
        let Some(checks) = &mut self.block.checks else { return Ok(()) };
        let found = match access.pattern {
            Pattern::Contiguous if words && operand.count == 1 => checks.read_row(warp, access),
            Pattern::Uniform if words => checks.read_same(warp, access),
            Pattern::Tiled if words => checks.read_pieces(warp, access, pieces),
            Pattern::Uniform | Pattern::Contiguous | Pattern::Tiled | Pattern::Scattered => {
                let addresses = self.addresses(access);
                let Some(checks) = &mut self.block.checks else { return Ok(()) };
                checks.read_shared(warp, access, &addresses)
            }
        };
        match found {
            Err(stop) if matches!(access.unit, Unit::Thread | Unit::Generic) => self.excuse(access, stop),
            found => found,
        }
    }

    #[cold]
    #[inline(never)]
    fn excuse(&mut self, access: &Access<'_>, stop: Stop) -> Result<(), Stop> {
        let (kernel, spent) = (self.run.kernel, self.block.spent);
        match &mut self.block.checks {
            Some(checks) => checks.excuse_shared(kernel, spent, access.id.number(), stop),
            None => Err(stop),
        }
    }

    #[inline(always)]
    fn check_shared_store(&mut self, access: &Access<'_>) -> Result<(), Stop> {
        let (warp, operand) = (self.cursor.warp, access.operand);
        if access.pattern == Pattern::Contiguous
            && access.values.is_none()
            && let Some(register) = operand.word.get()
        {
            let values = self.wi(register);
            let Some(checks) = &mut self.block.checks else { return Ok(()) };
            return checks.write_row(warp, access, &self.block.shared, &self.block.w[values].0);
        }
        self.check_shared_lanes(access)
    }

    #[inline(never)]
    fn check_shared_lanes(&mut self, access: &Access<'_>) -> Result<(), Stop> {
        let (warp, operand) = (self.cursor.warp, access.operand);
        let addresses = self.addresses(access);
        let mut values = [X::ZERO; 4];
        let values = match access.values {
            Some(values) => values,
            None => {
                let spent = self.block.spent;
                if let Some(checks) = &mut self.block.checks {
                    checks.check_carried(spent, access.id.number())?;
                }
                let count = usize::from(operand.count);
                for (e, values) in values.iter_mut().take(count).enumerate() {
                    *values = self.read_element(operand, e);
                }
                &values[..]
            }
        };
        let Some(checks) = &mut self.block.checks else { return Ok(()) };
        checks.write_shared(warp, access, &addresses, &self.block.shared, values)
    }

    /// Lanes make an access that races with another: what comes later takes it as made.
    #[cold]
    pub(super) fn mark_after_race(&mut self, access: &Access<'_>) {
        if access.memory == Memory::Shared && access.kind != AccessKind::Load {
            let addresses = self.addresses(access);
            let warp = self.cursor.warp;
            if let Some(checks) = &mut self.block.checks {
                checks.write_anyway(warp, access, &addresses);
            }
        }
    }

    #[inline(never)]
    fn check_shared_atomic(&mut self, access: &Access<'_>) -> Result<(), Stop> {
        let addresses = self.addresses(access);
        let warp = self.cursor.warp;
        let Some(checks) = &mut self.block.checks else { return Ok(()) };
        match checks.atomic_shared(warp, access, &addresses) {
            Err(stop) if matches!(access.unit, Unit::Thread | Unit::Generic) => self.excuse(access, stop),
            found => found,
        }
    }

    /// Accesses to other blocks are not looked at for races; what they read must have been written.
    #[cold]
    #[inline(never)]
    fn check_cluster(&mut self, access: &Access<'_>) -> Result<(), Stop> {
        let Access { kind, mask, width, .. } = *access;
        if access.operand.strong
            && access.unit != Unit::Lane
            && let Some(checks) = &mut self.block.checks
        {
            match kind {
                AccessKind::Load => checks.acquire(self.cursor.warp, mask),
                AccessKind::Store => checks.release(self.cursor.warp, mask),
                AccessKind::Atomic => {}
            }
        }
        let addresses = self.addresses(access);
        for (lane, place) in self.places_in_cluster(access)? {
            let Some(checks) = &mut self.block_at(&place).checks else { continue };
            let reads = kind == AccessKind::Load || kind == AccessKind::Atomic && access.looks;
            if reads && checks.chosen.uninitialised && checks.nobody_wrote(place.at, width as usize) {
                let message = format!(
                    "read of {width} bytes of shared memory that no thread of the cluster has written"
                );
                let stop = Stop::at(FaultKind::UninitialisedRead, lane, addresses.0[lane], u64::from(width));
                return Err(Stop { message: Some(message), ..stop });
            }
            if kind != AccessKind::Load {
                checks.written_by_others(place.at, width as usize);
            }
        }
        Ok(())
    }

    // Local memory.

    #[inline(never)]
    fn check_local_access(&mut self, access: &Access<'_>) -> Result<(), Stop> {
        let addresses = self.addresses(access);
        if access.kind == AccessKind::Load {
            let (warp, kernel, spent) = (self.cursor.warp, self.run.kernel, self.block.spent);
            let Some(checks) = &mut self.block.checks else { return Ok(()) };
            return match checks.local_read(warp, &addresses, access.mask, access.width) {
                Ok(()) => Ok(()),
                Err(stop) => checks.excuse(kernel, spent, access.id.number(), stop),
            };
        }
        if let Some(checks) = &mut self.block.checks {
            checks.local_write(self.cursor.warp, &addresses, access.mask, access.width);
            checks.carried_within(access.id.number());
        }
        Ok(())
    }

    // What orders accesses.

    /// Lanes of the warp met: what they did before is ordered before what they do next.
    pub(super) fn warp_met(&mut self, mask: u32) {
        if let Some(checks) = &mut self.block.checks {
            checks.met(self.cursor.warp, mask, self.block.warps[self.cursor.warp].live);
        }
    }

    /// Release and acquire: earlier accesses of these lanes are visible to others, and others' to them.
    pub(super) fn warp_fenced(&mut self, mask: u32) {
        if let Some(checks) = &mut self.block.checks {
            checks.release(self.cursor.warp, mask);
            checks.acquire(self.cursor.warp, mask);
        }
    }

    /// Lanes came to a barrier and do not wait there.
    #[cold]
    pub(super) fn note_arrival(&mut self, id: u32) {
        if let Some(checks) = &mut self.block.checks {
            checks.arrived[id as usize % BARRIERS] |= 1 << (self.cursor.warp % WARP);
        }
    }

    /// A barrier is about to open: all who wait for it must have come to the same place of the program, where the
    /// barrier is one that asks for it, and what they did is ordered.
    #[inline(never)]
    pub(super) fn check_barrier(&mut self, id: u32, live: u32) -> Result<(), RawFault> {
        let kernel = self.run.kernel;
        let (mut warps, mut lanes_here) = (0, 0);
        let mut first: Option<(usize, u32)> = None;
        for n in 0..self.block.warps.len() {
            for waiting in self.block.warps[n].at_barrier.iter().filter(|w| w.id == id) {
                warps |= 1 << (n % WARP);
                lanes_here += waiting.split.mask.count_ones();
                if waiting.threads.is_some() || !kernel.barriers[waiting.barrier as usize].aligned {
                    continue;
                }
                match first {
                    Some((in_warp, barrier)) if barrier != waiting.barrier => {
                        let part = if in_warp == n { "warp" } else { "block" };
                        return Err(RawFault {
                            message: Some(format!(
                                "threads wait at a barrier while others of their {part} wait at another one"
                            )),
                            ..self.divergent(n, waiting.split)
                        });
                    }
                    _ => first = Some((n, waiting.barrier)),
                }
            }
        }
        if let Some(checks) = &mut self.block.checks {
            warps |= std::mem::take(&mut checks.arrived[id as usize % BARRIERS]);
            if lanes_here == live {
                checks.all_came();
            } else {
                checks.some_came(warps);
            }
        }
        Ok(())
    }
}
