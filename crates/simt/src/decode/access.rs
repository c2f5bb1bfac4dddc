//! Parts of all memory instructions: an address, elements in registers, an access in the kernel's table.

use super::context::Result;
use super::decoder::Decoder;
use super::names::Name;
use crate::ir::*;
use crate::memory::{CONSTANT_WINDOW, FIRST, LOCAL_WINDOW, SHARED_WINDOW};
use ptx::{At, Instruction, Operand};

/// Where the other state spaces lie among generic addresses of 32 bits: the upper byte of their addresses, and where they lie
/// among those of 64.
pub(super) const NARROW_WINDOWS: [(u64, u64); 3] =
    [(0xfd, SHARED_WINDOW), (0xfe, LOCAL_WINDOW), (0xff, CONSTANT_WINDOW)];

/// The operation that makes an access.
pub(super) type Make = fn(Id<MemoryOperand>) -> Op;

impl<'m> Decoder<'m, '_> {
    /// The address that an operand in brackets names.
    pub(super) fn address(&mut self, at: At, address: &'m Operand<'m>) -> Result<Address> {
        if let Operand::Element { symbol, index, register: Some(register), bytes } = address
            && *bytes > 0
        {
            let register = self.element_address(at, symbol, *index, register, *bytes)?;
            return Ok(Address { register, wide: true, offset: 0 });
        }
        let Operand::Address { base, offset } = address else {
            return self.context.bad(at, "an address must be in brackets");
        };
        let Ok(offset) = i32::try_from(*offset) else {
            return self.context.unsupported(at, "address offsets of more than 32 bits");
        };
        let (register, wide) = match base {
            None => (self.immediate(at, File::X, 0)?.0, true),
            Some(name) => match self.find(name) {
                Some(Name::Register(_)) => {
                    let file = self.register_file(at, name)?;
                    if file == File::P {
                        return self.context.bad(at, format!("`{name}` is not an address"));
                    }
                    (self.source(at, &Operand::Name(name, None), file)?.0, file == File::X)
                }
                _ => (self.address_of(at, name, 0, File::X)?.0, true),
            },
        };
        Ok(Address { register, wide, offset })
    }

    /// An address in global memory, or a generic one, that a register of 32 bits holds, with the 64 bits that it represents.
    pub(super) fn widened(&mut self, at: At, address: Address, generic: bool) -> Result<Address> {
        if address.wide || self.context.module.address_size != 32 {
            return Ok(address);
        }
        let low = self.temporary(at, Function::ZeroExtend32.of([address.register]))?;
        let (first, _) = self.immediate(at, File::X, FIRST)?;
        let mut wide = self.temporary(at, Function::AddX.of([low, first]))?;
        if generic {
            let (shift, _) = self.immediate(at, File::W, 24)?;
            let top = self.temporary(at, Function::ShrU32.of([address.register, shift]))?;
            for (top_byte, window) in NARROW_WINDOWS {
                let (this, _) = self.immediate(at, File::W, top_byte)?;
                let is_it = self.temporary(at, Function::EqW.of([top, this]))?;
                let (moved, _) = self.immediate(at, File::X, window.wrapping_sub(top_byte << 24))?;
                let inside = self.temporary(at, Function::AddX.of([low, moved]))?;
                wide = self.temporary(at, Function::SelpX.of([inside, wide, is_it]))?;
            }
        }
        Ok(Address { register: wide, wide: true, offset: address.offset })
    }

    pub(super) fn enter_access(&mut self, at: At, mut access: MemoryOperand) -> Result<Id<MemoryOperand>> {
        access.shift = access.width().trailing_zeros() as u8;
        let count = usize::from(access.count);
        // `_` as the only result has no register to go to.
        access.words =
            access.bytes == 4 && !access.wide[..count].contains(&true) && (count > 1 || access.takes(0));
        if access.words && count == 1 {
            access.word = access.registers[0];
        }
        self.enter(at, access)
    }

    /// The register of a loaded or stored element, and whether it is in `X`.
    pub(super) fn element(
        &mut self,
        i: &Instruction<'m>,
        register: &'m Operand<'m>,
        bytes: u8,
        is_load: bool,
    ) -> Result<(OptionalRegister, bool)> {
        match register {
            Operand::Name("_", None) if is_load => Ok((OptionalRegister::NONE, false)),
            Operand::Name(name, None) if self.names.register(name).is_some() => {
                let file = self.register_file(i.at, name)?;
                if file == File::P || (file == File::W && bytes == 8) {
                    return self.context.bad(i.at, format!("`{name}` does not hold {bytes} bytes"));
                }
                let register = if is_load {
                    self.result(i.at, name, file)?
                } else {
                    self.source(i.at, register, file)?.0
                };
                Ok((register.into(), file == File::X))
            }
            other if !is_load => {
                let file = if bytes == 8 { File::X } else { File::W };
                Ok((self.source(i.at, other, file)?.0.into(), file == File::X))
            }
            _ => self.context.bad(i.at, format!("`{}` writes registers", i.mnemonic())),
        }
    }
}

/// The operands in braces, or the one operand.
pub(super) fn one_or_more<'a, 'm>(operand: &'a Operand<'m>) -> &'a [Operand<'m>] {
    match operand {
        Operand::Vector(elements) => elements,
        one => std::slice::from_ref(one),
    }
}
