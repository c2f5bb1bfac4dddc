//! Addresses in the shared memory of a cluster's blocks: an address of another block is one of this block with the other's
//! rank above it.

use super::Result;
use super::alu::Guard;
use super::body::Decoder;
use super::names::Known;
use crate::ir::*;
use crate::memory::{RANK_AT, SHARED_WINDOW};
use ptx::{Instruction, Operand};

impl<'m> Decoder<'m, '_> {
    /// An operation on a register and a number, into a new register.
    fn with_number(&mut self, i: &Instruction<'m>, op: Op, a: u16, number: u64) -> Result<u16> {
        let (b, _) = self.immediate(i.at, File::W, number)?;
        self.temporary(i, File::W, Inst { a, b, ..Inst::new(op) })
    }

    /// An operand's low 32 bits, where its size is that of the instruction's type.
    fn low(&mut self, i: &Instruction<'m>, operand: &'m Operand<'m>) -> Result<u16> {
        if i.modifiers.last() != Some(&"u64") {
            return Ok(self.source(i.at, operand, File::W)?.0);
        }
        let (a, _) = self.source(i.at, operand, File::X)?;
        self.temporary(i, File::W, Inst { a, ..Inst::new(Op::Truncate64) })
    }

    /// `mapa`: the same place in the shared memory of another block of the cluster.
    pub(super) fn map_address(&mut self, i: &'m Instruction<'m>, guard: Guard) -> Result<()> {
        let [Operand::Name(result, None), address, rank] = &i.operands[..] else {
            return self.context.bad(i.at, format!("`{}` takes an address and a rank", i.mnemonic()));
        };
        let wide = i.modifiers.last() == Some(&"u64");
        let low = self.low(i, address)?;
        let place = self.with_number(i, Op::AndW, low, (1 << RANK_AT) - 1)?;
        let (rank, _) = self.source(i.at, rank, File::W)?;
        let above = self.with_number(i, Op::AddW, rank, 1)?;
        let above = self.with_number(i, Op::ShlW, above, u64::from(RANK_AT))?;
        let guarded = |inst: Inst| Inst { guard: guard.0, negated: guard.1, ..inst };
        let mapped = Inst { a: place, b: above, ..Inst::new(Op::OrW) };
        if !wide {
            return self.write(i.at, result, File::W, guarded(mapped), Known::WARP);
        }
        let mapped = self.temporary(i, File::W, mapped)?;
        let a = self.temporary(i, File::X, Inst { a: mapped, ..Inst::new(Op::ZeroExtend32) })?;
        let generic = !i.modifiers.contains(&"shared::cluster");
        let (b, _) = self.immediate(i.at, File::X, if generic { SHARED_WINDOW } else { 0 })?;
        self.write(i.at, result, File::X, guarded(Inst { a, b, ..Inst::new(Op::AddX) }), Known::WARP)
    }

    /// `getctarank`: of the block in whose shared memory an address lies.
    pub(super) fn rank_of_address(&mut self, i: &'m Instruction<'m>, guard: Guard) -> Result<()> {
        let [Operand::Name(result, None), address] = &i.operands[..] else {
            return self.context.bad(i.at, format!("`{}` takes an address", i.mnemonic()));
        };
        let low = self.low(i, address)?;
        let above = self.with_number(i, Op::ShrU32, low, u64::from(RANK_AT))?;
        let other = self.with_number(i, Op::SubW, above, 1)?;
        let (own, _) = self.of_block(i.at, File::W, OfBlock::Rank)?;
        let (zero, _) = self.immediate(i.at, File::W, 0)?;
        let c = self.temporary(i, File::P, Inst { a: above, b: zero, ..Inst::new(Op::EqW) })?;
        let inst = Inst { guard: guard.0, negated: guard.1, a: own, b: other, c, ..Inst::new(Op::SelpW) };
        self.write(i.at, result, File::W, inst, Known::WARP)
    }
}
