//! Addresses in the shared memory of a cluster's blocks: an address of another block is one of this block with the other's
//! rank above it.

use super::context::Result;
use super::decoder::Decoder;
use super::names::Uniformity;
use crate::ir::*;
use crate::memory::{RANK_AT, SHARED_WINDOW};
use ptx::{Instruction, Operand};

impl<'m> Decoder<'m, '_> {
    /// An operation on a register and a number, into a new register.
    fn with_number(
        &mut self,
        i: &Instruction<'m>,
        function: Function,
        a: Register,
        number: u64,
    ) -> Result<Register> {
        let (b, _) = self.immediate(i.at, File::W, number)?;
        self.temporary(i.at, function.of([a, b]))
    }

    /// An operand's low 32 bits, where its size is that of the instruction's type.
    fn low(&mut self, i: &Instruction<'m>, operand: &'m Operand<'m>) -> Result<Register> {
        if i.modifiers.last() != Some(&"u64") {
            return Ok(self.source(i.at, operand, File::W)?.0);
        }
        let (a, _) = self.source(i.at, operand, File::X)?;
        self.temporary(i.at, Function::Truncate64.of([a]))
    }

    /// `mapa`: the same place in the shared memory of another block of the cluster.
    pub(super) fn map_address(&mut self, i: &'m Instruction<'m>, guard: Guard) -> Result<()> {
        let [Operand::Name(result, None), address, rank] = &i.operands[..] else {
            return self.context.bad(i.at, format!("`{}` takes an address and a rank", i.mnemonic()));
        };
        let wide = i.modifiers.last() == Some(&"u64");
        let low = self.low(i, address)?;
        let place = self.with_number(i, Function::AndW, low, (1 << RANK_AT) - 1)?;
        let (rank, _) = self.source(i.at, rank, File::W)?;
        let above = self.with_number(i, Function::AddW, rank, 1)?;
        let above = self.with_number(i, Function::ShlW, above, u64::from(RANK_AT))?;
        let mapped = Function::OrW.of([place, above]);
        if !wide {
            return self.write(i.at, guard, result, mapped, Uniformity::WARP);
        }
        let mapped = self.temporary(i.at, mapped)?;
        let a = self.temporary(i.at, Function::ZeroExtend32.of([mapped]))?;
        let generic = !i.modifiers.contains(&"shared::cluster");
        let (b, _) = self.immediate(i.at, File::X, if generic { SHARED_WINDOW } else { 0 })?;
        self.write(i.at, guard, result, Function::AddX.of([a, b]), Uniformity::WARP)
    }

    /// `getctarank`: of the block in whose shared memory an address lies.
    pub(super) fn rank_of_address(&mut self, i: &'m Instruction<'m>, guard: Guard) -> Result<()> {
        let [Operand::Name(result, None), address] = &i.operands[..] else {
            return self.context.bad(i.at, format!("`{}` takes an address", i.mnemonic()));
        };
        let low = self.low(i, address)?;
        let above = self.with_number(i, Function::ShrU32, low, u64::from(RANK_AT))?;
        let other = self.with_number(i, Function::SubW, above, 1)?;
        let (own, _) = self.of_block(i.at, File::W, OfBlock::Rank)?;
        let (zero, _) = self.immediate(i.at, File::W, 0)?;
        let c = self.temporary(i.at, Function::EqW.of([above, zero]))?;
        self.write(i.at, guard, result, Function::SelpW.of([own, other, c]), Uniformity::WARP)
    }
}
