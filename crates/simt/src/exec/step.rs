//! One instruction: which part of the interpreter executes it.

use super::access::Memory;
use super::fault::Stop;
use super::worker::Worker;
use crate::ir::*;
use crate::trace::AccessKind;

impl Worker<'_> {
    /// Executes an instruction that is none of the vectorised table.
    #[inline(always)]
    pub(super) fn step(&mut self, inst: &Inst, mask: u32, code: u32) -> Result<(), Stop> {
        match inst.op {
            Op::LoadGlobal | Op::StoreGlobal | Op::LoadShared | Op::StoreShared | Op::LoadConstant => {
                let access = self.access(inst, mask);
                // Once with observers and once without, so that a launch without any does not ask for each.
                if self.block.observed {
                    let before = self.watching.then(|| self.before_instruction());
                    match inst.op {
                        Op::LoadGlobal => self.load_global::<true>(&access)?,
                        Op::StoreGlobal => self.store_global::<true>(&access)?,
                        Op::LoadShared => self.load_shared::<true>(&access)?,
                        Op::StoreShared => self.store_shared::<true>(&access)?,
                        _ => self.load_constant::<true>(&access)?,
                    }
                    if let Some(before) = before {
                        self.after_instruction(code, &before);
                    }
                    return Ok(());
                }
                match inst.op {
                    Op::LoadGlobal => self.load_global::<false>(&access),
                    Op::StoreGlobal => self.store_global::<false>(&access),
                    Op::LoadShared => self.load_shared::<false>(&access),
                    Op::StoreShared => self.store_shared::<false>(&access),
                    _ => self.load_constant::<false>(&access),
                }
            }
            _ => self.step_out_of_line(inst, mask, code),
        }
    }

    /// An instruction of any kind, where it is not worth a copy of the interpreter's loops.
    #[inline(never)]
    pub(super) fn step_slowly(&mut self, inst: &Inst, mask: u32, code: u32) -> Result<(), Stop> {
        if self.registers().compute_seldom(inst, mask) { Ok(()) } else { self.step(inst, mask, code) }
    }

    #[inline(never)]
    fn step_out_of_line(&mut self, inst: &Inst, mask: u32, code: u32) -> Result<(), Stop> {
        if !inst.op.accesses_memory()
            && !matches!(inst.op, Op::Exchange | Op::Fence | Op::Builtin | Op::Matrix)
        {
            self.compute_other(inst, mask);
            return Ok(());
        }
        let before = self.watching.then(|| self.before_instruction());
        self.execute(inst, mask)?;
        if let Some(before) = before {
            self.after_instruction(code, &before);
        }
        Ok(())
    }

    fn execute(&mut self, inst: &Inst, mask: u32) -> Result<(), Stop> {
        use AccessKind::{Load, Store};
        match inst.op {
            Op::LoadLocal => {
                let access = self.access_of(Memory::Local, Load, inst, mask);
                self.load_local(&access)
            }
            Op::StoreLocal => {
                let access = self.access_of(Memory::Local, Store, inst, mask);
                self.store_local(&access)
            }
            Op::LoadParameter => {
                let access = self.access_of(Memory::Parameter, Load, inst, mask);
                self.load_parameter(&access)
            }
            Op::LoadGeneric => self.load_generic(inst, mask),
            Op::StoreGeneric => self.store_generic(inst, mask),
            Op::Atomic => self.atomic(inst, mask),
            Op::CopyAsync => self.copy_async(inst, mask),
            Op::Mbarrier => self.mbarrier(inst, mask),
            Op::Bulk => self.bulk(inst, mask),
            Op::Exchange => {
                self.exchange(inst, mask);
                Ok(())
            }
            Op::Builtin => self.builtin(inst, mask),
            Op::LoadMatrix => self.load_matrix(inst, mask),
            Op::StoreMatrix => self.store_matrix(inst, mask),
            Op::Matrix => self.matrix(inst, mask),
            _ => {
                self.fence(mask);
                Ok(())
            }
        }
    }
}
