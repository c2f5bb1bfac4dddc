//! Use and definition: the registers that instructions and the ends of blocks read and write.

use super::*;

impl Kernel {
    /// The registers that an instruction reads, besides its guard.
    pub(crate) fn operands(&self, inst: &Inst, mut each: impl FnMut(File, Register)) {
        inst.op.uses(self, &mut |what, file, register| {
            if what == Use::Read {
                each(file, register);
            }
        });
    }

    /// The registers that an instruction writes.
    pub(crate) fn results(&self, inst: &Inst, mut each: impl FnMut(File, Register)) {
        inst.op.uses(self, &mut |what, file, register| {
            if what == Use::Write {
                each(file, register);
            }
        });
    }

    /// The registers that the end of a block reads; `frame` is that of the block's function.
    pub(crate) fn end_operands(&self, frame: &Frame, block: &Block, mut each: impl FnMut(File, Register)) {
        match block.exit {
            End::Branch { predicate, .. } | End::ExitIf { predicate, .. } => each(File::P, predicate),
            End::Switch { index, .. } => each(File::W, index),
            End::Barrier { barrier, .. } => {
                let of = &self.barriers[barrier as usize];
                each(File::W, of.id);
                if let Some(threads) = of.threads.get() {
                    each(File::W, threads);
                }
                if let BarrierOperation::Reduce { predicate, .. } = of.operation {
                    each(File::P, predicate);
                }
            }
            End::Call { call, .. } => {
                let of = &self.calls[call as usize];
                if let Callee::Indirect(register) = of.callee {
                    each(File::X, register);
                }
                let arguments = of.arguments.iter().filter_map(|transfer| transfer.from.register());
                arguments.for_each(|(file, register)| each(file, register));
            }
            // Its callers read its results.
            End::Return => {
                let results = frame.results.iter().filter_map(|(slot, _)| slot.register());
                results.for_each(|(file, register)| each(file, register));
            }
            End::Goto(_) | End::Exit | End::Trap => {}
        }
    }

    /// The registers that the end of a block writes.
    pub(crate) fn end_results(&self, block: &Block, mut each: impl FnMut(File, Register)) {
        match block.exit {
            End::Barrier { barrier, .. } => {
                if let BarrierOperation::Reduce { reduction, result, .. } =
                    self.barriers[barrier as usize].operation
                {
                    each(reduction.file(), result);
                }
            }
            End::Call { call, .. } => {
                let returns = &self.calls[call as usize].returns;
                let results = returns.iter().filter_map(|transfer| transfer.to.register());
                results.for_each(|(file, register)| each(file, register));
            }
            End::Goto(_)
            | End::Branch { .. }
            | End::Switch { .. }
            | End::Return
            | End::Exit
            | End::ExitIf { .. }
            | End::Trap => {}
        }
    }

    /// How often each register of a function in `W` is named, but for results.
    pub(crate) fn reads_of(&self, function: usize) -> Vec<u32> {
        let frame = &self.functions[function];
        let mut reads = vec![0; usize::from(frame.w)];
        let mut count = |file: File, register: Register| {
            if file == File::W
                && let Some(number) = register.in_frame()
            {
                reads[number] += 1;
            }
        };
        for block in &self.blocks[self.blocks_of(function)] {
            for inst in &self.code[block.start as usize..block.end as usize] {
                self.operands(inst, &mut count);
            }
            if let Some(members) = block.members.get() {
                count(File::W, members);
            }
            self.end_operands(frame, block, &mut count);
        }
        reads
    }
}
