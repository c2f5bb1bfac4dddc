//! Blocks of a cluster: their barrier, and the shared memory of the others.
//!
//! The cluster's barrier orders all accesses for the checks. Between two of them, accesses to another block's shared memory
//! are not looked at for races, and what they write counts as written.

use super::block::BlockState;
use super::count::Counts;
use super::current::CurrentBlock;
use super::fault::{RawDetail, RawFault, Stop};
use super::memory::access::Access;
use super::memory::bits::{extend, little_endian};
use super::memory::sites::Sites;
use super::schedule::Schedule;
use super::warp::{Split, Warp};
use super::worker::Worker;
use crate::detail::FailedAccess;
use crate::error::FaultKind;
use crate::ir::AtomicOperands;
use crate::lanes::{X, all_bits, lanes};
use crate::memory::RANK_AT;

/// Bytes that a lane accesses, in the shared memory of a block of the cluster.
pub(super) struct SharedAddress {
    /// The block, by its index among the residents; nothing for the block that runs.
    slot: Option<usize>,
    pub(super) at: usize,
}

impl CurrentBlock<'_> {
    /// Lanes come to the cluster's barrier, or wait there for all who have not.
    #[inline(never)]
    pub(super) fn at_cluster_barrier(&mut self, at: Split, wait: bool) {
        if !wait {
            self.block.warps[self.cursor.warp].came |= at.mask;
            self.block.warps[self.cursor.warp].runnable.push(at);
            if let Some(checks) = &mut self.block.observers.checks {
                checks.release(self.cursor.warp, at.mask);
            }
            return;
        }
        // Lanes whose round is over have been let go: they have no mark.
        let warp = &mut self.block.warps[self.cursor.warp];
        let waits = at.mask & warp.came;
        if waits != 0 {
            warp.at_cluster.push(at.part(waits));
        }
        if waits != at.mask {
            warp.runnable.push(at.part(at.mask & !waits));
        }
        if let Some(checks) = &mut self.block.observers.checks {
            checks.acquire(self.cursor.warp, at.mask);
        }
    }

    // Shared memory of other blocks.

    /// The lanes whose addresses name a block by its rank.
    #[inline]
    pub(super) fn distant_lanes(addresses: &X, mask: u32) -> u32 {
        if all_bits(mask, |l| addresses.0[l]) >> RANK_AT == 0 {
            return 0;
        }
        let mut far = 0;
        for l in 0..crate::WARP {
            far |= u32::from(addresses.0[l] >> RANK_AT != 0) << l;
        }
        far & mask
    }
}

impl<'a> Schedule<'a> {
    /// The blocks of the cluster that runs, by their places.
    fn members(&self, current: &CurrentBlock<'a>) -> Vec<usize> {
        (0..self.residents.len()).filter(|n| self.residents[*n].cluster == current.block.cluster).collect()
    }

    /// Opens the cluster's barrier if all of its threads have come, or exited.
    pub(super) fn meet_cluster(
        &mut self,
        current: &mut CurrentBlock<'a>,
        counts: &mut Counts,
    ) -> Result<(), RawFault> {
        let members = self.members(current);
        let (mut all, mut waiting) = (true, false);
        for n in &members {
            let warps =
                if *n == self.running { &current.block.warps } else { &self.residents[*n].state.warps };
            all &= warps.iter().all(|warp| warp.live & !warp.came == 0);
            waiting |= warps.iter().any(|warp| !warp.at_cluster.is_empty());
        }
        if all && waiting {
            self.open_cluster(current, counts, &members);
            return Ok(());
        }
        if members.iter().all(|n| self.residents[*n].ended || self.residents[*n].blocked) && waiting {
            return Err(self.cluster_stuck(current, &members));
        }
        Ok(())
    }

    fn open_cluster(&mut self, current: &mut CurrentBlock<'a>, counts: &mut Counts, members: &[usize]) {
        let mut splits = 0;
        for n in members {
            let here = *n == self.running;
            let other = &mut self.residents[*n];
            other.blocked = false;
            let warps = if here { &mut current.block.warps } else { &mut other.state.warps };
            for warp in warps {
                warp.came = 0;
                splits += warp.at_cluster.len();
                warp.cost.barriers += u64::from(!warp.at_cluster.is_empty());
                let warp = &mut *warp;
                warp.runnable.append(&mut warp.at_cluster);
            }
            let checks =
                if here { &mut current.block.observers.checks } else { &mut other.state.observers.checks };
            if let Some(checks) = checks {
                checks.all_met();
            }
        }
        counts.count_barriers(splits as u64);
        self.progress = true;
    }

    /// Threads wait for the cluster, and others of it for them.
    #[cold]
    fn cluster_stuck(&mut self, current: &mut CurrentBlock<'a>, members: &[usize]) -> RawFault {
        let waits = |warps: &[Warp]| {
            warps.iter().enumerate().find_map(|(n, w)| w.at_barrier.first().map(|w| (n, w.split)))
        };
        let elsewhere =
            members.iter().find(|n| **n != self.running && waits(&self.residents[**n].state.warps).is_some());
        if let (None, Some(n)) = (waits(&current.block.warps), elsewhere) {
            self.switch_to(current, *n);
        }
        let fault = match waits(&current.block.warps) {
            Some((n, split)) => current.divergent(n, split),
            None => current.stuck(),
        };
        let message = "threads wait for others of their cluster, and these for them".to_owned();
        RawFault { message: Some(message), ..fault }
    }

    /// Where a lane's bytes are that its address names by a rank or without; they are inside of that block's shared memory.
    #[inline]
    pub(super) fn place_in_cluster(
        &self,
        current: &CurrentBlock<'a>,
        lane: usize,
        address: u64,
        bytes: u64,
    ) -> Result<SharedAddress, Stop> {
        let stop = |reason: String, without_block: bool| {
            let access = FailedAccess { bytes, reason, without_block };
            let stop = Stop::at(FaultKind::OutOfBoundsShared, lane, address, bytes);
            Err(Stop { detail: Some(Box::new(RawDetail::Access(access))), ..stop })
        };
        let at = address & ((1 << RANK_AT) - 1);
        let rank = match address >> RANK_AT {
            0 => u64::from(current.block.rank),
            above => above - 1,
        };
        let slot = if rank == u64::from(current.block.rank) {
            None
        } else {
            let found = self
                .residents
                .iter()
                .position(|r| r.cluster == current.block.cluster && u64::from(r.rank) == rank);
            match found {
                Some(n) if self.residents[n].ended => {
                    let reason =
                        format!(" to the shared memory of block {rank} of the cluster, which has ended");
                    return stop(reason, false);
                }
                Some(n) => Some(n),
                None if address >> 32 == 0 && rank < 16 => {
                    let blocks = current.run.cluster_blocks();
                    let reason = format!(" to the shared memory of block {rank} of a cluster of {blocks}");
                    return stop(reason, true);
                }
                None => return Err(Stop::at(FaultKind::OutOfBoundsShared, lane, address, bytes)),
            }
        };
        // All blocks have as much.
        if at + bytes > current.block.shared.len() as u64 {
            return Err(Stop::at(FaultKind::OutOfBoundsShared, lane, address, bytes));
        }
        Ok(SharedAddress { slot, at: at as usize })
    }

    /// The state of the block that a place is in.
    #[inline]
    pub(super) fn block_at<'s>(
        &'s mut self,
        current: &'s mut CurrentBlock<'a>,
        place: &SharedAddress,
    ) -> &'s mut BlockState<'a> {
        match place.slot {
            None => &mut current.block,
            Some(n) => &mut self.residents[n].state,
        }
    }

    /// The lanes of an access, each with its place: aligned, and inside of the shared memory of a block that is there.
    #[inline]
    pub(super) fn places_in_cluster(
        &self,
        current: &CurrentBlock<'a>,
        sites: &Sites,
        access: &Access<'_>,
    ) -> Result<Vec<(usize, SharedAddress)>, Stop> {
        sites.check_alignment(access)?;
        let addresses = sites.addresses(access);
        lanes(access.mask)
            .map(|l| Ok((l, self.place_in_cluster(current, l, addresses.0[l], u64::from(access.width))?)))
            .collect()
    }
}

impl Worker<'_> {
    /// A load of the shared memory of other blocks, by all of its lanes; `instruction` says whether it is one of its own.
    #[cold]
    #[inline(never)]
    pub(super) fn load_distant(&mut self, access: &Access<'_>, instruction: bool) -> Result<(), Stop> {
        let places = self.schedule.places_in_cluster(&self.current, &self.sites, access)?;
        self.observe(access, None)?;
        let [wavefronts, conflicts] = self.sites.wavefronts(access, false);
        self.counts.count_shared_loads(u64::from(instruction), wavefronts, conflicts);
        let operand = access.operand;
        for e in 0..usize::from(operand.count) {
            let mut out = X::ZERO;
            for (l, place) in &places {
                let at = place.at + e * usize::from(operand.bytes);
                let value = little_endian(
                    &self.schedule.block_at(&mut self.current, place).shared,
                    at,
                    operand.bytes,
                );
                out.0[*l] = extend(value, operand.bytes, operand.signed);
            }
            self.current.block.registers.write_element(operand, e, &out, access.mask);
        }
        Ok(())
    }

    /// [`Worker::load_distant`] for stores.
    #[cold]
    #[inline(never)]
    pub(super) fn store_distant(&mut self, access: &Access<'_>, instruction: bool) -> Result<(), Stop> {
        let places = self.schedule.places_in_cluster(&self.current, &self.sites, access)?;
        self.observe(access, None)?;
        self.counts.count_shared_store(&mut self.sites, access, instruction);
        let operand = access.operand;
        let size = usize::from(operand.bytes);
        for e in 0..usize::from(operand.count) {
            let values = self.current.block.registers.read_element(operand, e);
            for (l, place) in &places {
                let at = place.at + e * size;
                self.schedule.block_at(&mut self.current, place).shared[at..at + size]
                    .copy_from_slice(&values.0[*l].to_le_bytes()[..size]);
            }
        }
        Ok(())
    }

    /// Atomic operations on the shared memory of other blocks: all of `mask`.
    #[cold]
    #[inline(never)]
    pub(super) fn atomic_distant(
        &mut self,
        access: &Access<'_>,
        of: &AtomicOperands,
        [a, b]: [&X; 2],
        old: &mut X,
    ) -> Result<(), Stop> {
        let places = self.schedule.places_in_cluster(&self.current, &self.sites, access)?;
        self.observe(access, None)?;
        self.counts.count_distant_atomic();
        let bytes = access.operand.bytes;
        let size = usize::from(bytes);
        for (l, place) in places {
            let memory = &mut self.schedule.block_at(&mut self.current, &place).shared;
            let before = little_endian(memory, place.at, bytes);
            let after = of.update.apply(before, a.0[l], b.0[l]);
            memory[place.at..][..size].copy_from_slice(&after.to_le_bytes()[..size]);
            old.0[l] = before;
            self.current.note_change(before != after);
        }
        Ok(())
    }
}
