//! Loads of constant memory, and of the kernel's parameters, by an address that a register holds.

use crate::error::FaultKind;
use crate::exec::current::CurrentBlock;
use crate::exec::fault::Stop;
use crate::exec::memory::access::{Access, Memory};
use crate::exec::memory::bits::{extend, gather, little_endian};
use crate::exec::memory::layout::Pattern;
use crate::exec::memory::sites::Sites;
use crate::exec::worker::Worker;
use crate::ir::{Id, MemoryOperand};
use crate::lanes::{W, X, lanes};
use crate::memory::Allocation;
use crate::trace::AccessKind;

impl Worker<'_> {
    #[inline(never)]
    pub(in crate::exec) fn load_constant(&mut self, id: Id<MemoryOperand>, mask: u32) -> Result<(), Stop> {
        let access = self.current.access_of(&mut self.sites, Memory::Constant, AccessKind::Load, id, mask);
        self.read_constant(&access)
    }

    #[inline(always)]
    pub(in crate::exec) fn read_constant(&mut self, access: &Access<'_>) -> Result<(), Stop> {
        let memory = self.current.run.constant;
        self.sites.check_inside(access, memory.len() as u64, FaultKind::OutOfBoundsConstant)?;
        self.observe(access, None)?;
        self.counts.count_constant_load(&mut self.sites, access);
        self.current.read_bytes(&self.sites, access, memory);
        Ok(())
    }

    /// A load of constant memory through addresses that may be of other memory: it lies in global memory on the hardware,
    /// and such a load is one of that, a request of its own if no other lane makes it one.
    #[cold]
    #[inline(never)]
    pub(in crate::exec) fn load_constant_globally(
        &mut self,
        access: &Access<'_>,
        alone: bool,
    ) -> Result<(), Stop> {
        let memory = self.current.run.constant;
        self.sites.check_inside(access, memory.len() as u64, FaultKind::OutOfBoundsConstant)?;
        self.observe(access, None)?;
        self.counts.count_global_load(&mut self.sites, self.current.run, access, None, alone);
        match self.current.run.stored.get() {
            None => self.current.read_bytes(&self.sites, access, memory),
            Some(stored) => {
                let mut now = vec![0; memory.len()];
                stored.read(0, &mut now);
                self.current.read_bytes(&self.sites, access, &now);
            }
        }
        Ok(())
    }

    /// A store to constant memory through addresses that may be of other memory. On an H200 it is one to global memory: loads
    /// of that find it, and the constant path does in the next launch; in the same one it gave what its cache held.
    #[cold]
    #[inline(never)]
    pub(in crate::exec) fn store_constant_globally(
        &mut self,
        access: &Access<'_>,
        alone: bool,
    ) -> Result<(), Stop> {
        self.current.cursor.did = true;
        let memory = self.current.run.constant;
        self.sites.check_inside(access, memory.len() as u64, FaultKind::OutOfBoundsConstant)?;
        self.observe(access, None)?;
        self.counts.count_global_store(&mut self.sites, self.current.run, access, None, alone);
        let stored = self.current.run.stored.get_or_init(|| Allocation::of_constants(memory));
        let (operand, addresses) = (access.operand, self.sites.addresses(access));
        for e in 0..usize::from(operand.count) {
            let values = self.current.block.registers.read_element(operand, e);
            for l in lanes(access.mask) {
                let at = addresses.0[l] + (e * usize::from(operand.bytes)) as u64;
                stored.store(at, operand.bytes, values.0[l]);
            }
        }
        Ok(())
    }

    #[inline(never)]
    pub(in crate::exec) fn load_parameter(&mut self, id: Id<MemoryOperand>, mask: u32) -> Result<(), Stop> {
        let access = self.current.access_of(&mut self.sites, Memory::Parameter, AccessKind::Load, id, mask);
        self.read_parameter(&access)
    }

    /// A load of the kernel's parameters.
    pub(in crate::exec) fn read_parameter(&mut self, access: &Access<'_>) -> Result<(), Stop> {
        let memory = self.current.run.parameters;
        self.sites.check_inside(access, memory.len() as u64, FaultKind::OutOfBoundsConstant)?;
        self.observe(access, None)?;
        self.current.read_bytes(&self.sites, access, memory);
        Ok(())
    }
}

impl CurrentBlock<'_> {
    /// Gives lanes what lies at their addresses, which are inside.
    #[inline(always)]
    fn read_bytes(&mut self, sites: &Sites, access: &Access<'_>, memory: &[u8]) {
        let operand = access.operand;
        if access.pattern == Pattern::Uniform {
            for e in 0..usize::from(operand.count) {
                let at = access.first as usize + e * usize::from(operand.bytes);
                let value = extend(little_endian(memory, at, operand.bytes), operand.bytes, operand.signed);
                if operand.words
                    && let Some(register) = operand.registers[e].get()
                {
                    self.block.registers.write_word(register, &W::splat(value as u32), access.mask);
                } else {
                    self.block.registers.write_element(operand, e, &X::splat(value), access.mask);
                }
            }
            return;
        }
        self.read_scattered(sites, access, memory);
    }

    #[inline(never)]
    fn read_scattered(&mut self, sites: &Sites, access: &Access<'_>, memory: &[u8]) {
        let operand = access.operand;
        if access.is_of_words() {
            let words = memory.as_chunks().0;
            return self.load_words(sites, access, access.first, |_, at| u32::from_le_bytes(words[at]));
        }
        let addresses = sites.addresses(access);
        for e in 0..usize::from(operand.count) {
            let out = gather(memory, operand, &addresses, access.checked(), e);
            self.block.registers.write_element(operand, e, &out, access.mask);
        }
    }
}
