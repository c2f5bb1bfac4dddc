//! `alloca`, `stacksave`, `stackrestore`: local memory whose size is known when it runs.
//!
//! A function that asks for some has [`ROOM`] bytes more in its frame and a register that says where the rest of them
//! begins. Whoever takes more than there are gets an address behind the frame, of which an access faults.

use super::Result;
use super::alu::Guard;
use super::body::Decoder;
use super::names::Known;
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
            let imm = (self.frame.local_bytes - ROOM) as i32;
            self.emit(Inst { d, imm, ..Inst::new(Op::LocalAddress) });
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
        let guarded = |inst: Inst| Inst { guard: guard.0, negated: guard.1, ..inst };
        // From a result of 64 bits and to one.
        let narrow = if file == File::X { Op::Truncate64 } else { Op::MovW };
        let widen = if file == File::X { Op::ZeroExtend32 } else { Op::MovW };
        match (i.opcode, &i.operands[..]) {
            ("stacksave", [Operand::Name(d, None)]) => {
                self.write(i.at, d, file, guarded(Inst { a: top, ..Inst::new(widen) }), Known::WARP)
            }
            ("stackrestore", [a]) => {
                let (a, _) = self.source(i.at, a, file)?;
                self.emit(guarded(Inst { d: top, a, ..Inst::new(narrow) }));
                Ok(())
            }
            ("alloca", [Operand::Name(d, None), size, rest @ ..]) => {
                let align = match rest {
                    [] => ALIGN,
                    [Operand::Integer(align)] if align.is_power_of_two() && *align <= 1 << 20 => *align,
                    _ => return self.context.bad(i.at, "`alloca`'s alignment is a power of two"),
                };
                let (size, _) = self.source(i.at, size, file)?;
                let size = self.temporary(i, File::W, Inst { a: size, ..Inst::new(narrow) })?;
                let (up, _) = self.immediate(i.at, File::W, align - 1)?;
                let (mask, _) = self.immediate(i.at, File::W, !(align - 1))?;
                let up = self.temporary(i, File::W, Inst { a: top, b: up, ..Inst::new(Op::AddW) })?;
                let start = self.temporary(i, File::W, Inst { a: up, b: mask, ..Inst::new(Op::AndW) })?;
                self.emit(guarded(Inst { d: top, a: start, b: size, ..Inst::new(Op::AddW) }));
                self.write(i.at, d, file, guarded(Inst { a: start, ..Inst::new(widen) }), Known::WARP)
            }
            _ => self.context.bad(i.at, format!("`{}` with these operands", i.mnemonic())),
        }
    }
}
