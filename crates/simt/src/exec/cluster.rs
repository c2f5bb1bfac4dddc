//! Blocks of a cluster: their barrier, and the shared memory of the others.
//!
//! The cluster's barrier orders all accesses for the checks. Between two of them, accesses to another block's shared memory
//! are not looked at for races, and what they write counts as written.

use super::address::{extend, little_endian};
use super::warp::{Fragment, Warp};
use super::{RawFault, Stop, Worker};
use crate::error::FaultKind;
use crate::ir::{Access, AtomicUse, Id, Meeting};
use crate::lanes::{X, lanes};
use crate::memory::RANK_AT;
use crate::model::access;

/// Bytes that a lane accesses, in the shared memory of a block of the cluster.
pub(super) struct Distant {
    /// The block's place among the residents, or nothing for the block that runs.
    slot: Option<usize>,
    pub(super) at: usize,
}

impl Worker<'_> {
    /// Lanes come to the cluster's barrier, or wait there for all who have not.
    #[inline(never)]
    pub(super) fn at_cluster_barrier(&mut self, at: Fragment, meeting: Meeting) {
        if meeting == Meeting::ClusterArrive {
            self.warps[self.warp].came |= at.mask;
            self.warps[self.warp].runnable.push(at);
            if let Some(checks) = &mut self.checks {
                checks.release(self.warp, at.mask);
            }
            return;
        }
        // Lanes whose round is over have been let go: they have no mark.
        let warp = &mut self.warps[self.warp];
        let waits = at.mask & warp.came;
        if waits != 0 {
            warp.at_cluster.push(at.part(waits));
        }
        if waits != at.mask {
            warp.runnable.push(at.part(at.mask & !waits));
        }
        if let Some(checks) = &mut self.checks {
            checks.acquire(self.warp, at.mask);
        }
    }

    /// The blocks of the cluster that runs, by their places.
    fn members(&self) -> Vec<usize> {
        (0..self.residents.len()).filter(|n| self.residents[*n].cluster == self.cluster).collect()
    }

    /// Opens the cluster's barrier if all of its threads have come, or exited.
    pub(super) fn meet_cluster(&mut self) -> Result<(), RawFault> {
        let members = self.members();
        let (mut all, mut waiting) = (true, false);
        for n in &members {
            let warps = if *n == self.current { &self.warps } else { &self.residents[*n].warps };
            all &= warps.iter().all(|warp| warp.live & !warp.came == 0);
            waiting |= warps.iter().any(|warp| !warp.at_cluster.is_empty());
        }
        if all && waiting {
            self.open_cluster(&members);
            return Ok(());
        }
        if members.iter().all(|n| self.residents[*n].ended || self.residents[*n].blocked) && waiting {
            return Err(self.cluster_stuck(&members));
        }
        Ok(())
    }

    fn open_cluster(&mut self, members: &[usize]) {
        let mut fragments = 0;
        for n in members {
            let here = *n == self.current;
            let other = &mut self.residents[*n];
            other.blocked = false;
            let warps = if here { &mut self.warps } else { &mut other.warps };
            for warp in warps {
                warp.came = 0;
                fragments += warp.at_cluster.len();
                warp.cost.barriers += u64::from(!warp.at_cluster.is_empty());
                let warp = &mut *warp;
                warp.runnable.append(&mut warp.at_cluster);
            }
            let checks = if here { &mut self.checks } else { &mut other.checks };
            if let Some(checks) = checks {
                checks.all_came();
            }
        }
        self.tally.counters.barriers += fragments as u64;
        self.progress = true;
    }

    /// Threads wait for the cluster, and others of it for them.
    #[cold]
    fn cluster_stuck(&mut self, members: &[usize]) -> RawFault {
        let waits = |warps: &[Warp]| {
            warps.iter().enumerate().find_map(|(n, w)| w.at_barrier.first().map(|w| (n, w.fragment)))
        };
        let elsewhere =
            members.iter().find(|n| **n != self.current && waits(&self.residents[**n].warps).is_some());
        if let (None, Some(n)) = (waits(&self.warps), elsewhere) {
            self.switch_to(*n);
        }
        let fault = match waits(&self.warps) {
            Some((n, fragment)) => self.divergent(n, fragment),
            None => self.stuck(),
        };
        let message = "threads wait for others of their cluster, and these for them".to_owned();
        RawFault { message: Some(message), ..fault }
    }

    // Shared memory of other blocks.

    /// The lanes whose addresses name a block by its rank.
    pub(super) fn distant_lanes(addresses: &X, mask: u32) -> u32 {
        lanes(mask).filter(|l| addresses.0[*l] >> RANK_AT != 0).fold(0, |m, l| m | 1 << l)
    }

    /// Where a lane's bytes are that its address names by a rank or without; they are inside of that block's shared memory.
    pub(super) fn distant(&self, lane: usize, address: u64, bytes: u64) -> Result<Distant, Stop> {
        let stop = |message: String| {
            let stop = Stop::at(FaultKind::OutOfBoundsShared, lane, address, bytes);
            Err(Stop { message: Some(message), ..stop })
        };
        let at = address & ((1 << RANK_AT) - 1);
        let rank = match address >> RANK_AT {
            0 => u64::from(self.rank),
            above => above - 1,
        };
        let slot = if rank == u64::from(self.rank) {
            None
        } else {
            let found =
                self.residents.iter().position(|r| r.cluster == self.cluster && u64::from(r.rank) == rank);
            match found {
                Some(n) if self.residents[n].ended => {
                    return stop(format!(
                        "access of {bytes} bytes to the shared memory of block {rank} of the cluster, which has ended"
                    ));
                }
                Some(n) => Some(n),
                None if address >> 32 == 0 && rank < 16 => {
                    return stop(format!(
                        "access of {bytes} bytes to the shared memory of block {rank} of a cluster of {}",
                        self.run.cluster_blocks()
                    ));
                }
                None => return Err(Stop::at(FaultKind::OutOfBoundsShared, lane, address, bytes)),
            }
        };
        // All blocks have as much.
        if at + bytes > self.shared.len() as u64 {
            return Err(Stop::at(FaultKind::OutOfBoundsShared, lane, address, bytes));
        }
        Ok(Distant { slot, at: at as usize })
    }

    pub(super) fn memory_of(&mut self, distant: &Distant) -> &mut [u8] {
        match distant.slot {
            None => &mut self.shared,
            Some(n) => &mut self.residents[n].shared,
        }
    }

    /// Bytes of a block of the cluster are about to be written.
    pub(super) fn mark_distant(&mut self, distant: &Distant, size: usize) {
        let checks = match distant.slot {
            None => &mut self.checks,
            Some(n) => &mut self.residents[n].checks,
        };
        if let Some(checks) = checks {
            checks.written_by_others(distant.at, size);
        }
    }

    /// The same for bytes that are read: somebody must have written them.
    pub(super) fn check_distant(
        &self,
        distant: &Distant,
        lane: usize,
        address: u64,
        size: usize,
    ) -> Result<(), Stop> {
        let checks = match distant.slot {
            None => &self.checks,
            Some(n) => &self.residents[n].checks,
        };
        if !checks.as_ref().is_some_and(|checks| checks.nobody_wrote(distant.at, size)) {
            return Ok(());
        }
        let message =
            format!("read of {size} bytes of shared memory that no thread of the cluster has written");
        let stop = Stop::at(FaultKind::UninitialisedRead, lane, address, size as u64);
        Err(Stop { message: Some(message), ..stop })
    }

    /// A load of which `stop` says that it leaves the block's shared memory: it may be of another block's.
    #[cold]
    #[inline(never)]
    pub(super) fn load_distant(
        &mut self,
        id: Id<Access>,
        addresses: &X,
        mask: u32,
        stop: Stop,
    ) -> Result<(), Stop> {
        let far = Self::distant_lanes(addresses, mask);
        if far == 0 {
            return Err(stop);
        }
        if mask != far {
            self.load_shared_any(id, addresses, mask & !far)?;
        }
        let access = &self.run.kernel[id];
        let width = access.width();
        Self::aligned(addresses, far, u64::from(width))?;
        let mut out = [X::ZERO; 4];
        for l in lanes(far) {
            let distant = self.distant(l, addresses.0[l], u64::from(width))?;
            self.check_distant(&distant, l, addresses.0[l], width as usize)?;
            let memory = self.memory_of(&distant);
            for (e, out) in out.iter_mut().take(usize::from(access.count)).enumerate() {
                let at = distant.at + e * usize::from(access.bytes);
                out.0[l] = extend(little_endian(memory, at, access.bytes), access.bytes, access.signed);
            }
        }
        if access.strong
            && let Some(checks) = &mut self.checks
        {
            checks.acquire(self.warp, far);
        }
        let waves = access::wavefronts(&addresses.0.map(|a| a as u32), far, width, false);
        let counters = &mut self.tally.counters;
        counters.shared_load_instructions += u64::from(mask == far);
        counters.shared_load_wavefronts += u64::from(waves.wavefronts);
        counters.shared_load_bank_conflicts += u64::from(waves.conflicts);
        for (e, out) in out.iter().take(usize::from(access.count)).enumerate() {
            self.write_element(access, e, out, far);
        }
        Ok(())
    }

    /// The same for a store.
    #[cold]
    #[inline(never)]
    pub(super) fn store_distant(
        &mut self,
        id: Id<Access>,
        addresses: &X,
        mask: u32,
        stop: Stop,
    ) -> Result<(), Stop> {
        let far = Self::distant_lanes(addresses, mask);
        if far == 0 {
            return Err(stop);
        }
        if mask != far {
            self.store_shared_any(id, addresses, mask & !far)?;
        }
        let access = &self.run.kernel[id];
        let width = access.width();
        Self::aligned(addresses, far, u64::from(width))?;
        if access.strong
            && let Some(checks) = &mut self.checks
        {
            checks.release(self.warp, far);
        }
        let size = usize::from(access.bytes);
        for e in 0..usize::from(access.count) {
            let values = self.read_element(access, e);
            for l in lanes(far) {
                let distant = self.distant(l, addresses.0[l], u64::from(width))?;
                self.mark_distant(&distant, width as usize);
                let at = distant.at + e * size;
                let memory = self.memory_of(&distant);
                memory[at..at + size].copy_from_slice(&values.0[l].to_le_bytes()[..size]);
            }
        }
        let waves = access::wavefronts(&addresses.0.map(|a| a as u32), far, width, true);
        let counters = &mut self.tally.counters;
        counters.shared_store_instructions += u64::from(mask == far);
        counters.shared_store_wavefronts += u64::from(waves.wavefronts);
        counters.shared_store_bank_conflicts += u64::from(waves.conflicts);
        Ok(())
    }

    /// Atomic operations on the shared memory of other blocks: all of `mask`.
    #[cold]
    #[inline(never)]
    pub(super) fn atomic_distant(
        &mut self,
        id: Id<Access>,
        of: &AtomicUse,
        addresses: &X,
        mask: u32,
        [a, b]: [&X; 2],
        old: &mut X,
    ) -> Result<(), Stop> {
        let bytes = self.run.kernel[id].bytes;
        let size = usize::from(bytes);
        Self::aligned(addresses, mask, u64::from(bytes))?;
        for l in lanes(mask) {
            let distant = self.distant(l, addresses.0[l], u64::from(bytes))?;
            if of.looks() {
                self.check_distant(&distant, l, addresses.0[l], size)?;
            }
            self.mark_distant(&distant, size);
            let memory = self.memory_of(&distant);
            let before = little_endian(memory, distant.at, bytes);
            let after = of.update.apply(before, a.0[l], b.0[l]);
            memory[distant.at..][..size].copy_from_slice(&after.to_le_bytes()[..size]);
            old.0[l] = before;
            self.note_change(before != after);
        }
        self.tally.counters.shared_atomic_instructions += 1;
        Ok(())
    }
}
