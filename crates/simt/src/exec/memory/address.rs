//! How an access is made: from an instruction's operand and its address register, or at addresses that are given.

use crate::WARP;
use crate::exec::block::BlockState;
use crate::exec::current::CurrentBlock;
use crate::exec::launch::Run;
use crate::exec::memory::access::{Access, Memory, Unit};
use crate::exec::memory::layout::{Layout, Pattern, Piece};
use crate::exec::memory::sites::{Cost, Sites};
use crate::exec::registers::RegisterFile;
use crate::exec::registers::index;
use crate::ir::{Address, Id, MemoryOperand, Register};
use crate::lanes::{W, X};
use crate::model::access::LINE;
use crate::trace::AccessKind;

impl RegisterFile {
    /// The addresses that a register and an offset give, of all lanes.
    #[inline(always)]
    pub(in crate::exec) fn register_addresses(&self, address: Address) -> X {
        let offset = i64::from(address.offset) as u64;
        let mut out = X::ZERO;
        if address.wide {
            let a = &self.x[self.xi(address.register)];
            for l in 0..WARP {
                out.0[l] = a.0[l].wrapping_add(offset);
            }
        } else {
            let a = &self.w[self.wi(address.register)];
            for l in 0..WARP {
                out.0[l] = u64::from(a.0[l].wrapping_add(offset as u32));
            }
        }
        out
    }

    /// The lanes' values of an element of an operand.
    #[inline(always)]
    pub(in crate::exec) fn read_element(&self, operand: &MemoryOperand, e: usize) -> X {
        let Some(register) = operand.registers[e].get() else { return X::ZERO };
        if operand.wide[e] { self.x[self.xi(register)] } else { self.w[self.wi(register)].widened() }
    }

    /// Gives lanes the values of an element of an operand.
    #[inline(always)]
    pub(in crate::exec) fn write_element(
        &mut self,
        operand: &MemoryOperand,
        e: usize,
        values: &X,
        mask: u32,
    ) {
        let Some(register) = operand.registers[e].get() else { return };
        if operand.wide[e] {
            let d = self.xi(register);
            self.x[d].set(values, mask);
        } else {
            self.write_word(register, &values.narrowed(), mask);
        }
    }

    #[inline(always)]
    pub(in crate::exec) fn write_word(&mut self, register: Register, values: &W, mask: u32) {
        let d = self.wi(register);
        self.w[d].set(values, mask);
    }
}

impl<'a> CurrentBlock<'a> {
    /// The access that an instruction's operand and its address register give.
    #[inline(always)]
    pub(in crate::exec) fn access_of(
        &mut self,
        sites: &mut Sites,
        memory: Memory,
        kind: AccessKind,
        id: Id<MemoryOperand>,
        mask: u32,
    ) -> Access<'a> {
        let operand = &self.run.kernel[id];
        let Address { register, wide, offset } = operand.address;
        let offset = i64::from(offset) as u64;
        let moved = |base: u64| {
            let first = base.wrapping_add(offset);
            if wide { first } else { first & 0xffff_ffff }
        };
        let site = &mut sites.each[operand.leader.index()];
        // The first of a group finds how the addresses lie, for the others too.
        if operand.leader == id {
            site.base = if wide {
                let addresses = &self.block.registers.x[index(register, self.block.registers.x_base)].0;
                site.layout.fit_wide(addresses, mask, operand.shift, &mut sites.layouts)
            } else {
                let addresses = &self.block.registers.w[index(register, self.block.registers.w_base)].0;
                site.layout.fit_narrow(addresses, mask, operand.shift, &mut sites.layouts).into()
            };
        }
        Access {
            memory,
            kind,
            unit: Unit::Thread,
            operand,
            id,
            width: operand.width(),
            mask,
            first: moved(site.base),
            pattern: site.layout.pattern(),
            addresses: None,
            values: None,
            looks: false,
        }
    }

    /// Loads of words, one for each lane: `word` gives the word at an index, for which it has the block's shared memory, and
    /// the first lane's address is at `first`, bytes. Registers of 64 bits take words zero-extended.
    #[inline(always)]
    pub(in crate::exec) fn load_words(
        &mut self,
        sites: &Sites,
        access: &Access<'_>,
        first: u64,
        word: impl Fn(&[u8], usize) -> u32,
    ) {
        let Access { operand, mask, .. } = *access;
        let layout = &sites.each[operand.leader.index()].layout;
        let wide = operand.address.wide;
        let BlockState { shared, registers: RegisterFile { w, x, w_base, x_base, .. }, .. } = &mut self.block;
        for e in 0..usize::from(operand.count) {
            let Some(register) = operand.registers[e].get() else { continue };
            let word = |at| word(shared, at + e);
            if operand.wide[e] {
                layout.load(first, wide, mask, &mut x[index(register, *x_base)].0, word);
            } else {
                layout.load(first, wide, mask, &mut w[index(register, *w_base)].0, word);
            }
        }
    }
}

impl Sites {
    /// Every lane's address; of lanes that are off, any.
    #[inline(always)]
    pub(in crate::exec) fn addresses(&self, access: &Access<'_>) -> X {
        match access.addresses {
            Some(addresses) => *addresses,
            None => {
                let layout = self.layout(access);
                if access.operand.address.wide {
                    layout.wide_addresses(access.first)
                } else {
                    layout.narrow_addresses(access.first as u32)
                }
            }
        }
    }

    /// The layout of an access by the address register.
    #[inline(always)]
    pub(in crate::exec) fn layout(&self, access: &Access<'_>) -> &Layout {
        &self.each[access.operand.leader.index()].layout
    }

    /// Rows and broadcasts that a tiled access falls into.
    #[inline(always)]
    pub(in crate::exec) fn pieces(&self, access: &Access<'_>) -> &[Piece] {
        if access.pattern == Pattern::Tiled { self.layout(access).pieces() } else { &[] }
    }

    /// The cost of an access, as `compute` finds it from the lanes' addresses, or as it was the last time.
    #[inline(always)]
    pub(in crate::exec) fn cost(
        &mut self,
        access: &Access<'_>,
        compute: impl FnOnce(&[u64; WARP], u32) -> [u32; 3],
    ) -> [u32; 3] {
        if let Some(addresses) = access.addresses {
            return compute(&addresses.0, access.mask);
        }
        let layout = self.layout(access);
        // Where lanes are whole lines apart, their place in a line does not matter. (Rows and broadcasts have no bits.)
        let bits = layout.bits();
        let phase = if bits != 0 && bits.is_multiple_of(LINE) { 0 } else { access.first % LINE };
        let version = layout.version();
        let known = self.each[access.id.index()].cost;
        if known.version == version && known.phase == phase {
            return known.cost;
        }
        let cost = compute(&self.addresses(access).0, access.mask);
        self.each[access.id.index()].cost = Cost { version, phase, cost };
        cost
    }
}

impl<'a> Run<'a> {
    /// An access whose addresses are given lane by lane.
    #[inline]
    pub(in crate::exec) fn access_at<'b>(
        &self,
        memory: Memory,
        kind: AccessKind,
        id: Id<MemoryOperand>,
        mask: u32,
        addresses: &'b X,
    ) -> Access<'b>
    where
        'a: 'b,
    {
        let operand = &self.kernel[id];
        Access {
            memory,
            kind,
            unit: Unit::Lane,
            operand,
            id,
            width: operand.width(),
            mask,
            first: addresses.0[mask.trailing_zeros() as usize % WARP],
            pattern: Pattern::Scattered,
            addresses: Some(addresses),
            values: None,
            looks: true,
        }
    }
}
