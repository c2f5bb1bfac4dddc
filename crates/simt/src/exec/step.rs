//! One instruction: which part of the interpreter executes it.

use super::fault::Stop;
use super::worker::Worker;
use crate::ir::*;

impl Worker<'_> {
    #[inline(always)]
    pub(super) fn step(&mut self, inst: &Inst, mask: u32, code: u32) -> Result<(), Stop> {
        let before = self.watching.then(|| self.watch(inst, mask));
        let result = match inst.op {
            Op::LoadGlobal => self.load_global(inst, mask),
            Op::StoreGlobal => self.store_global(inst, mask),
            Op::LoadShared => self.load_shared(inst, mask),
            Op::StoreShared => self.store_shared(inst, mask),
            Op::LoadConstant => self.load_constant(inst, mask),
            Op::LoadLocal
            | Op::StoreLocal
            | Op::LoadGeneric
            | Op::StoreGeneric
            | Op::LoadParameter
            | Op::Atomic
            | Op::CopyAsync
            | Op::Mbarrier
            | Op::Bulk
            | Op::Exchange
            | Op::Fence
            | Op::Builtin
            | Op::LoadMatrix
            | Op::StoreMatrix
            | Op::Matrix => self.seldom(inst, mask),
            _ => {
                self.compute_other(inst, mask);
                return Ok(());
            }
        };
        if let Some(before) = before {
            self.watched(code, &before);
        }
        result
    }

    /// [`Worker::step`] where it is not worth a copy of the whole interpreter.
    #[inline(never)]
    pub(super) fn step_seldom(&mut self, inst: &Inst, mask: u32, code: u32) -> Result<(), Stop> {
        if self.registers().compute_seldom(inst, mask) { Ok(()) } else { self.step(inst, mask, code) }
    }

    #[inline(never)]
    pub(super) fn seldom(&mut self, inst: &Inst, mask: u32) -> Result<(), Stop> {
        match inst.op {
            Op::LoadLocal => self.load_local(inst, mask),
            Op::StoreLocal => self.store_local(inst, mask),
            Op::LoadGeneric => self.load_generic(inst, mask),
            Op::StoreGeneric => self.store_generic(inst, mask),
            Op::LoadParameter => self.load_parameter(inst, mask),
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
