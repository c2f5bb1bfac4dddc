//! `alloca`, `stacksave`, `stackrestore`: local memory whose size is known when it runs.
//!
//! A function that asks for some has [`ROOM`] bytes more in its frame and a register that says where the rest of them
//! begins. A thread that takes more than there are gets an address after the frame, of which an access faults.

use super::context::Result;
use super::decoder::Decoder;
use super::names::Uniformity;
use crate::ir::*;
use ptx::{Instruction, Operand, Statement};

/// Bytes a thread for each function that asks for some, above the 1,024 that a GPU's driver has ready for all together.
pub(super) const ROOM: u32 = 4096;
/// Where no alignment is named (PTX ISA 9.7.18: 8 bytes).
const ALIGN: u64 = 8;

/// Whether a function has such instructions.
pub(super) fn allocates(body: &[Statement]) -> bool {
    body.iter().any(|statement| match statement {
        Statement::Block(inner) => allocates(inner),
        Statement::Instruction(i) => matches!(i.opcode, "alloca" | "stacksave" | "stackrestore"),
        _ => false,
    })
}

impl<'m> Decoder<'m, '_> {
    /// Before a function's first instruction.
    pub(super) fn begin_stack(&mut self, body: &[Statement], at: ptx::At) -> Result<()> {
        self.stack = None;
        if allocates(body) {
            let d = self.new_register(at, File::W)?;
            let offset = (self.frame.local_bytes - ROOM) as i32;
            self.emit(Op::LocalAddress { d, file: File::W, offset });
            self.stack = Some(d);
        }
        Ok(())
    }

    pub(super) fn stack(&mut self, i: &'m Instruction<'m>, guard: Guard) -> Result<()> {
        let Some(top) = self.stack else {
            return self.context.unsupported(i.at, format!("`{}`", i.mnemonic()));
        };
        let file = match i.modifiers[..] {
            ["u32"] => File::W,
            ["u64"] => File::X,
            _ => return self.context.unsupported(i.at, format!("`{}`", i.mnemonic())),
        };
        // From a result of 64 bits and to one.
        let narrow = if file == File::X { Function::Truncate64 } else { Function::MovW };
        let widen = if file == File::X { Function::ZeroExtend32 } else { Function::MovW };
        match (i.opcode, &i.operands[..]) {
            ("stacksave", [Operand::Name(d, None)]) => {
                self.write(i.at, guard, d, widen.of([top]), Uniformity::WARP)
            }
            ("stackrestore", [a]) => {
                let (a, _) = self.source(i.at, a, file)?;
                self.emit(Inst { guard, op: narrow.of([a]).to(top) });
                Ok(())
            }
            ("alloca", [Operand::Name(d, None), size, rest @ ..]) => {
                let align = match rest {
                    [] => ALIGN,
                    [Operand::Integer(align)] if align.is_power_of_two() && *align <= 1 << 20 => *align,
                    _ => return self.context.bad(i.at, "`alloca`'s alignment is a power of two"),
                };
                let (size, _) = self.source(i.at, size, file)?;
                let size = self.temporary(i.at, narrow.of([size]))?;
                let (up, _) = self.immediate(i.at, File::W, align - 1)?;
                let (mask, _) = self.immediate(i.at, File::W, !(align - 1))?;
                let up = self.temporary(i.at, Function::AddW.of([top, up]))?;
                let start = self.temporary(i.at, Function::AndW.of([up, mask]))?;
                self.emit(Inst { guard, op: Function::AddW.of([start, size]).to(top) });
                self.write(i.at, guard, d, widen.of([start]), Uniformity::WARP)
            }
            _ => self.context.bad(i.at, format!("`{}` with these operands", i.mnemonic())),
        }
    }
}
