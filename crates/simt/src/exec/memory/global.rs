//! Loads and stores of global memory.

use crate::WARP;
use crate::exec::current::CurrentBlock;
use crate::exec::fault::Stop;
use crate::exec::launch::Run;
use crate::exec::memory::access::{Access, Memory, Unit};
use crate::exec::memory::bits::extend;
use crate::exec::memory::layout::Pattern;
use crate::exec::memory::sites::Sites;
use crate::exec::registers::RegisterFile;
use crate::exec::worker::Worker;
use crate::ir::{Id, MemoryOperand, Register};
use crate::lanes::{ALL, W, X, lanes};
use crate::memory::{Allocation, CONSTANT_WINDOW};
use crate::trace::AccessKind;
use std::sync::atomic::Ordering::Relaxed;

impl Worker<'_> {
    #[inline(never)]
    pub(in crate::exec) fn load_global(&mut self, id: Id<MemoryOperand>, mask: u32) -> Result<(), Stop> {
        let access = self.current.access_of(&mut self.sites, Memory::Global, AccessKind::Load, id, mask);
        self.load_global_lanes(&access)
    }

    #[inline(always)]
    pub(in crate::exec) fn read_global(&mut self, access: &Access<'_>) -> Result<(), Stop> {
        let operand = access.operand;
        self.current.cursor.looked |= operand.strong;
        let one = match self.sites.allocation(self.current.run, access) {
            Ok(one) => one,
            Err(stop) => {
                let (constant, global) = (Self::load_constant_globally, Self::load_global_lanes);
                return self.with_constant(access, stop, constant, global);
            }
        };
        self.observe(access, one)?;
        self.counts.count_global_load(&mut self.sites, self.current.run, access, one, true);
        let Some(a) = one else { return self.current.load_several(&self.sites, access) };
        match (access.pattern, operand.word.get()) {
            (Pattern::Contiguous, _) if operand.words => self.current.block.registers.load_row(access, a),
            (Pattern::Tiled, Some(register)) => self.current.load_tile(&self.sites, access, a, register),
            (Pattern::Uniform, _) => self.current.load_broadcast(access, a),
            (Pattern::Contiguous | Pattern::Tiled | Pattern::Scattered, _) => {
                self.current.load_scattered(&self.sites, access, a)
            }
        }
        Ok(())
    }

    /// Constant memory lies in global memory on the hardware, and compilers access it so through pointers: `constant` accesses
    /// the lanes' part of it, and says so where all lanes are there; `global` the rest.
    #[cold]
    #[inline(never)]
    fn with_constant(
        &mut self,
        access: &Access<'_>,
        stop: Stop,
        constant: fn(&mut Self, &Access<'_>, bool) -> Result<(), Stop>,
        global: fn(&mut Self, &Access<'_>) -> Result<(), Stop>,
    ) -> Result<(), Stop> {
        let addresses = self.sites.addresses(access);
        let (there, at) = crate::exec::memory::generic::in_window(&addresses, access.mask, CONSTANT_WINDOW);
        if there == 0 {
            return Err(stop);
        }
        let rest = access.mask & !there;
        let unit = Unit::Generic;
        let part = Access { unit, ..access.of_lanes(Memory::Constant, there, &at) };
        constant(self, &part, rest == 0)?;
        if rest == 0 { Ok(()) } else { global(self, &access.of_lanes(Memory::Global, rest, &addresses)) }
    }

    /// A load of some of an instruction's lanes.
    #[inline(never)]
    pub(in crate::exec) fn load_global_lanes(&mut self, access: &Access<'_>) -> Result<(), Stop> {
        self.read_global(access)
    }

    #[inline(never)]
    pub(in crate::exec) fn store_global(&mut self, id: Id<MemoryOperand>, mask: u32) -> Result<(), Stop> {
        let access = self.current.access_of(&mut self.sites, Memory::Global, AccessKind::Store, id, mask);
        self.store_global_lanes(&access)
    }

    #[inline(always)]
    pub(in crate::exec) fn write_global(&mut self, access: &Access<'_>) -> Result<(), Stop> {
        self.current.cursor.did = true;
        let one = match self.sites.allocation(self.current.run, access) {
            Ok(one) => one,
            Err(stop) => {
                let (constant, global) = (Self::store_constant_globally, Self::store_global_lanes);
                return self.with_constant(access, stop, constant, global);
            }
        };
        self.observe(access, one)?;
        self.counts.count_global_store(&mut self.sites, self.current.run, access, one, true);
        match one {
            Some(a) if access.pattern == Pattern::Contiguous && access.operand.words => {
                self.current.block.registers.store_row(access, a)
            }
            _ => self.current.store_scattered(&self.sites, access),
        }
        Ok(())
    }

    /// A store of some of an instruction's lanes.
    #[inline(never)]
    pub(in crate::exec) fn store_global_lanes(&mut self, access: &Access<'_>) -> Result<(), Stop> {
        self.write_global(access)
    }
}

impl RegisterFile {
    /// Neighbouring lanes' neighbouring words.
    #[inline(always)]
    fn load_row(&mut self, access: &Access<'_>, a: &Allocation) {
        let operand = access.operand;
        let at = ((access.first - a.base) >> 2) as usize;
        let count = usize::from(operand.count);
        if access.mask == ALL
            && let Some(register) = operand.word.get()
        {
            let words = &a.words[at..at + WARP];
            let d = self.wi(register);
            let lanes = &mut self.w[d].0;
            for l in 0..WARP {
                lanes[l] = words[l].load(Relaxed);
            }
            return;
        }
        let (lowest, active) = (access.lane(), access.mask.count_ones() as usize);
        let words = &a.words[at..at + count * active];
        for e in 0..count {
            let Some(register) = operand.registers[e].get() else { continue };
            let d = self.wi(register);
            let into = &mut self.w[d].0[lowest..lowest + active];
            for (l, lane) in into.iter_mut().enumerate() {
                *lane = words[l * count + e].load(Relaxed);
            }
        }
    }

    #[inline(always)]
    fn store_row(&mut self, access: &Access<'_>, a: &Allocation) {
        let operand = access.operand;
        let at = ((access.first - a.base) >> 2) as usize;
        let count = usize::from(operand.count);
        if access.mask == ALL
            && let Some(register) = operand.word.get()
        {
            let words = &a.words[at..at + WARP];
            let from = &self.w[self.wi(register)];
            for l in 0..WARP {
                words[l].store(from.0[l], Relaxed);
            }
            return;
        }
        let (lowest, active) = (access.lane(), access.mask.count_ones() as usize);
        let words = &a.words[at..at + count * active];
        for e in 0..count {
            let Some(register) = operand.registers[e].get() else { continue };
            let from = &self.w[self.wi(register)].0[lowest..lowest + active];
            for (l, lane) in from.iter().enumerate() {
                words[l * count + e].store(*lane, Relaxed);
            }
        }
    }

    /// The elements of an operand, of up to 8 bytes together, as one value.
    #[inline]
    fn packed(&self, operand: &MemoryOperand) -> X {
        let mut whole = X::ZERO;
        for e in 0..usize::from(operand.count) {
            let values = self.read_element(operand, e);
            let bits = 8 * u32::from(operand.bytes);
            for l in 0..WARP {
                whole.0[l] |= (values.0[l] & ((1 << bits) - 1)) << (bits * e as u32);
            }
        }
        whole
    }
}

impl CurrentBlock<'_> {
    /// One address for all lanes.
    #[inline(always)]
    fn load_broadcast(&mut self, access: &Access<'_>, a: &Allocation) {
        let operand = access.operand;
        let (at, count) = (access.first - a.base, usize::from(operand.count));
        if operand.words {
            let words = &a.words[(at >> 2) as usize..][..count];
            for (word, register) in words.iter().zip(operand.registers) {
                if let Some(register) = register.get() {
                    self.block.registers.write_word(register, &W::splat(word.load(Relaxed)), access.mask);
                }
            }
            return;
        }
        for e in 0..count {
            let value = self.run.load_element(operand, a, at, e);
            self.block.registers.write_element(operand, e, &X::splat(value), access.mask);
        }
    }

    /// Rows and broadcasts of words: a tile's rows, neighbours with a step between them.
    #[inline(always)]
    fn load_tile(&mut self, sites: &Sites, access: &Access<'_>, a: &Allocation, register: Register) {
        let first = access.first - a.base;
        let d = self.block.registers.wi(register);
        // Pieces are made of active lanes.
        for piece in sites.each[access.operand.leader.index()].layout.pieces() {
            let at = (first.wrapping_add(piece.offset) >> 2) as usize;
            let into = &mut self.block.registers.w[d].0[piece.lane..piece.lane + piece.lanes];
            if piece.row {
                for (lane, word) in into.iter_mut().zip(&a.words[at..at + piece.lanes]) {
                    *lane = word.load(Relaxed);
                }
            } else {
                into.fill(a.words[at].load(Relaxed));
            }
        }
    }

    #[inline(never)]
    fn load_scattered(&mut self, sites: &Sites, access: &Access<'_>, a: &Allocation) {
        let operand = access.operand;
        if access.is_of_words() {
            return self.load_words(sites, access, access.first - a.base, |_, at| a.words[at].load(Relaxed));
        }
        let addresses = sites.addresses(access);
        for e in 0..usize::from(operand.count) {
            let mut out = X::ZERO;
            for l in lanes(access.checked()) {
                out.0[l] = self.run.load_element(operand, a, addresses.0[l] - a.base, e);
            }
            self.block.registers.write_element(operand, e, &out, access.mask);
        }
    }

    /// Lanes in several allocations.
    #[cold]
    #[inline(never)]
    fn load_several(&mut self, sites: &Sites, access: &Access<'_>) -> Result<(), Stop> {
        let (operand, addresses) = (access.operand, sites.addresses(access));
        for e in 0..usize::from(operand.count) {
            let mut out = X::ZERO;
            let mut hint = 0;
            for l in lanes(access.mask) {
                let at = addresses.0[l];
                // Every lane is inside of one.
                if let Some(a) = self.run.global.find(at, at + u64::from(access.width), &mut hint) {
                    out.0[l] = self.run.load_element(operand, a, at - a.base, e);
                }
            }
            self.block.registers.write_element(operand, e, &out, access.mask);
        }
        Ok(())
    }

    /// Lane by lane, in one allocation or in several.
    #[inline(never)]
    fn store_scattered(&mut self, sites: &Sites, access: &Access<'_>) {
        let (operand, addresses) = (access.operand, sites.addresses(access));
        let global = self.run.global;
        let mut hint = sites.each[access.id.index()].hint;
        if operand.bytes < 4 && access.width >= 4 {
            // Small elements that fill words: no neighbour's bytes are in them.
            let whole = self.block.registers.packed(operand);
            for l in lanes(access.mask) {
                let at = addresses.0[l];
                if let Some(a) = global.find(at, at + u64::from(access.width), &mut hint) {
                    a.store(at - a.base, access.width as u8, whole.0[l]);
                }
            }
            return;
        }
        for e in 0..usize::from(operand.count) {
            let values = self.block.registers.read_element(operand, e);
            for l in lanes(access.mask) {
                let at = addresses.0[l] + (e * usize::from(operand.bytes)) as u64;
                if let Some(a) = global.find(at, at + u64::from(operand.bytes), &mut hint) {
                    if operand.strong && operand.bytes == 8 {
                        global.store_whole(a, at - a.base, values.0[l]);
                    } else {
                        a.store(at - a.base, operand.bytes, values.0[l]);
                    }
                }
            }
        }
    }
}

impl Run<'_> {
    /// An element of the operand of which a lane's first one is at `at`.
    #[inline(always)]
    fn load_element(&self, operand: &MemoryOperand, a: &Allocation, at: u64, e: usize) -> u64 {
        let at = at + e as u64 * u64::from(operand.bytes);
        let bits = if operand.strong && operand.bytes == 8 {
            self.global.load_whole(a, at)
        } else {
            a.load(at, operand.bytes)
        };
        extend(bits, operand.bytes, operand.signed)
    }
}
