//! Loads and stores of shared memory.

use crate::error::FaultKind;
use crate::exec::block::BlockState;
use crate::exec::current::CurrentBlock;
use crate::exec::fault::Stop;
use crate::exec::memory::access::{Access, Memory, Unit};
use crate::exec::memory::bits::{HALF, gather, load_halves, store_bytes, word};
use crate::exec::memory::layout::{Pattern, Piece};
use crate::exec::memory::sites::Sites;
use crate::exec::registers::RegisterFile;
use crate::exec::worker::Worker;
use crate::ir::{Fused, Id, MemoryOperand, Register};
use crate::lanes::{ALL, W, X, lanes};
use crate::trace::AccessKind;

impl Worker<'_> {
    #[inline(never)]
    pub(in crate::exec) fn load_shared(&mut self, id: Id<MemoryOperand>, mask: u32) -> Result<(), Stop> {
        let access = self.current.access_of(&mut self.sites, Memory::Shared, AccessKind::Load, id, mask);
        self.load_shared_lanes(&access)
    }

    /// The first load of a group whose instructions are executed one by one.
    pub(in crate::exec) fn load_of_group(&mut self, group: Id<Fused>, mask: u32) -> Result<(), Stop> {
        self.load_shared(self.current.run.kernel[group].loads[0], mask)
    }

    #[inline(always)]
    pub(in crate::exec) fn read_shared(&mut self, access: &Access<'_>) -> Result<(), Stop> {
        self.current.cursor.looked |= access.operand.strong;
        if !self.sites.is_inside(access, self.current.block.shared.len() as u64) {
            return self.load_shared_elsewhere(access);
        }
        self.load_own(access, access.unit == Unit::Thread)
    }

    /// A load of the block's own shared memory, inside of it; `instruction` says whether it is one of its own.
    #[inline(always)]
    fn load_own(&mut self, access: &Access<'_>, instruction: bool) -> Result<(), Stop> {
        self.observe(access, None)?;
        self.counts.count_shared_load(&mut self.sites, access, instruction);
        let operand = access.operand;
        match (access.pattern, operand.word.get()) {
            (Pattern::Contiguous, Some(register)) => self.current.load_shared_row(access, register),
            (Pattern::Uniform, _) if operand.words => self.current.load_shared_broadcast(access),
            (Pattern::Tiled, _) if operand.words => self.current.load_shared_tile(&self.sites, access),
            (Pattern::Uniform | Pattern::Contiguous | Pattern::Tiled | Pattern::Scattered, _) => {
                self.current.load_shared_scattered(&self.sites, access);
            }
        }
        Ok(())
    }

    /// Lanes that leave the block's shared memory: they may be in another block's of the cluster.
    #[cold]
    #[inline(never)]
    fn load_shared_elsewhere(&mut self, access: &Access<'_>) -> Result<(), Stop> {
        let (addresses, near, far) = self.current.near_and_far(&self.sites, access)?;
        if near != 0 {
            let part = access.of_lanes(Memory::Shared, near, &addresses);
            self.load_own(&part, access.unit == Unit::Thread)?;
        }
        self.load_distant(&access.of_lanes(Memory::Cluster, far, &addresses), near == 0)
    }

    /// A load of some of an instruction's lanes.
    #[inline(never)]
    pub(in crate::exec) fn load_shared_lanes(&mut self, access: &Access<'_>) -> Result<(), Stop> {
        self.read_shared(access)
    }

    #[inline(never)]
    pub(in crate::exec) fn store_shared(&mut self, id: Id<MemoryOperand>, mask: u32) -> Result<(), Stop> {
        let access = self.current.access_of(&mut self.sites, Memory::Shared, AccessKind::Store, id, mask);
        self.store_shared_lanes(&access)
    }

    #[inline(always)]
    pub(in crate::exec) fn write_shared(&mut self, access: &Access<'_>) -> Result<(), Stop> {
        self.current.cursor.did = true;
        if !self.sites.is_inside(access, self.current.block.shared.len() as u64) {
            return self.store_shared_elsewhere(access);
        }
        self.observe(access, None)?;
        self.counts.count_shared_store(&mut self.sites, access, access.unit == Unit::Thread);
        match (access.pattern, access.operand.word.get()) {
            (Pattern::Contiguous, Some(register)) => self.current.store_shared_row(access, register),
            (Pattern::Uniform | Pattern::Contiguous | Pattern::Tiled | Pattern::Scattered, _) => {
                self.current.store_shared_scattered(&self.sites, access);
            }
        }
        Ok(())
    }

    /// [`Worker::load_shared_elsewhere`] for stores.
    #[cold]
    #[inline(never)]
    fn store_shared_elsewhere(&mut self, access: &Access<'_>) -> Result<(), Stop> {
        let (addresses, near, far) = self.current.near_and_far(&self.sites, access)?;
        if near != 0 {
            let part = access.of_lanes(Memory::Shared, near, &addresses);
            self.observe(&part, None)?;
            self.counts.count_shared_store(&mut self.sites, &part, access.unit == Unit::Thread);
            self.current.store_shared_scattered(&self.sites, &part);
        }
        self.store_distant(&access.of_lanes(Memory::Cluster, far, &addresses), near == 0)
    }

    /// A store of some of an instruction's lanes.
    #[inline(never)]
    pub(in crate::exec) fn store_shared_lanes(&mut self, access: &Access<'_>) -> Result<(), Stop> {
        self.write_shared(access)
    }
}

impl CurrentBlock<'_> {
    #[inline(always)]
    fn load_shared_row(&mut self, access: &Access<'_>, register: Register) {
        let (at, active) = (access.first as usize, access.mask.count_ones() as usize);
        let d = self.block.registers.wi(register);
        let from = &self.block.shared[at..at + 4 * active];
        if access.mask == ALL {
            self.block.registers.w[d] = W::read(from);
        } else {
            let lowest = access.lane();
            let from = from.as_chunks::<4>().0;
            let into = &mut self.block.registers.w[d].0[lowest..lowest + active];
            for (lane, bytes) in into.iter_mut().zip(from) {
                *lane = u32::from_le_bytes(*bytes);
            }
        }
    }

    #[inline(always)]
    fn load_shared_broadcast(&mut self, access: &Access<'_>) {
        let operand = access.operand;
        let at = access.first as usize;
        let mut words = [0; 4];
        for (word, bytes) in
            words.iter_mut().zip(self.block.shared[at..at + access.width as usize].as_chunks().0)
        {
            *word = u32::from_le_bytes(*bytes);
        }
        for e in 0..usize::from(operand.count) {
            if let Some(register) = operand.registers[e].get() {
                self.block.registers.write_word(register, &W::splat(words[e]), access.mask);
            }
        }
    }

    /// Rows and broadcasts, as those of a tile.
    #[inline(always)]
    fn load_shared_tile(&mut self, sites: &Sites, access: &Access<'_>) {
        let (operand, first) = (access.operand, access.first);
        let count = usize::from(operand.count);
        if let (&[a, b], Some(register)) = (sites.pieces(access), operand.word.get())
            && (a.lanes, b.lanes) == (HALF, HALF)
        {
            // Two rows of a tile that is half a warp wide.
            let d = self.block.registers.wi(register);
            let BlockState { shared, registers: RegisterFile { w, .. }, .. } = &mut self.block;
            let at = [first.wrapping_add(a.offset) as usize, first.wrapping_add(b.offset) as usize];
            // All of it is inside.
            let _ = load_halves(shared, at, [a.row, b.row], &mut w[d]);
            return;
        }
        for e in 0..count {
            let Some(register) = operand.registers[e].get() else { continue };
            let d = self.block.registers.wi(register);
            let BlockState { shared, registers: RegisterFile { w, .. }, .. } = &mut self.block;
            // Pieces are made of active lanes.
            for piece in sites.each[operand.leader.index()].layout.pieces() {
                let at = first.wrapping_add(piece.offset) as usize + 4 * e;
                load_piece(shared, piece, at, count, &mut w[d]);
            }
        }
    }

    #[inline(never)]
    fn load_shared_scattered(&mut self, sites: &Sites, access: &Access<'_>) {
        let operand = access.operand;
        if access.is_of_words() {
            return self.load_words(sites, access, access.first, |shared, at| {
                u32::from_le_bytes(shared.as_chunks().0[at])
            });
        }
        let addresses = sites.addresses(access);
        for e in 0..usize::from(operand.count) {
            let out = gather(&self.block.shared, operand, &addresses, access.checked(), e);
            self.block.registers.write_element(operand, e, &out, access.mask);
        }
    }

    /// The addresses of an access that leaves the block's shared memory, the lanes that do not, and those that are in another
    /// block's of the cluster.
    #[inline]
    fn near_and_far(&self, sites: &Sites, access: &Access<'_>) -> Result<(X, u32, u32), Stop> {
        let addresses = sites.addresses(access);
        let far = Self::distant_lanes(&addresses, access.mask);
        let near = access.mask & !far;
        if near != 0 {
            let part = access.of_lanes(Memory::Shared, near, &addresses);
            sites.check_inside(&part, self.block.shared.len() as u64, FaultKind::OutOfBoundsShared)?;
        }
        Ok((addresses, near, far))
    }

    #[inline(always)]
    fn store_shared_row(&mut self, access: &Access<'_>, register: Register) {
        let (at, active) = (access.first as usize, access.mask.count_ones() as usize);
        let from = &self.block.registers.w[self.block.registers.wi(register)];
        let into = &mut self.block.shared[at..at + 4 * active];
        if access.mask == ALL {
            from.write(into);
        } else {
            for (bytes, lane) in into.as_chunks_mut::<4>().0.iter_mut().zip(&from.0[access.lane()..]) {
                *bytes = lane.to_le_bytes();
            }
        }
    }

    #[inline(never)]
    fn store_shared_scattered(&mut self, sites: &Sites, access: &Access<'_>) {
        let (operand, addresses) = (access.operand, sites.addresses(access));
        let size = usize::from(operand.bytes);
        for e in 0..usize::from(operand.count) {
            let values = self.block.registers.read_element(operand, e);
            for l in lanes(access.mask) {
                let at = addresses.0[l] as usize + e * size;
                store_bytes(&mut self.block.shared[at..at + size], values.0[l]);
            }
        }
    }
}

/// Loads a word for each lane of a piece from byte `at` on; a lane's operand has `count` words.
#[inline(always)]
fn load_piece(memory: &[u8], piece: &Piece, at: usize, count: usize, out: &mut W) {
    let into = &mut out.0[piece.lane..piece.lane + piece.lanes];
    if !piece.row {
        into.fill(word(memory, at));
    } else if count == 1 {
        let from = memory[at..at + 4 * piece.lanes].as_chunks::<4>().0;
        for (lane, bytes) in into.iter_mut().zip(from) {
            *lane = u32::from_le_bytes(*bytes);
        }
    } else {
        for (n, lane) in into.iter_mut().enumerate() {
            *lane = word(memory, at + 4 * count * n);
        }
    }
}
