//! Use and definition: the registers that instructions read and write.

use super::*;
use crate::semantics::scalar::Kind;

impl Kernel {
    /// The registers that an instruction reads, besides its guard.
    pub(crate) fn operands(&self, inst: &Inst, mut each: impl FnMut(File, u16)) {
        let file = |wide| if wide { File::X } else { File::W };
        if inst.op.accesses_memory() {
            let access = &self.accesses[usize::from(inst.b)];
            each(file(access.wide_address), inst.a);
            let values = match inst.op {
                Op::StoreGlobal | Op::StoreShared | Op::StoreLocal | Op::StoreGeneric => access.count,
                Op::Atomic => self.atomics[usize::from(inst.c)].update.operands() as u8 * access.count,
                Op::Bulk if self.bulks[usize::from(inst.c)].bulk == Bulk::RegistersToShared => access.count,
                _ => 0,
            };
            for n in 0..usize::from(values) {
                each(file(access.wide[n]), access.registers[n]);
            }
            if inst.op == Op::CopyAsync {
                let copy = &self.copies[usize::from(inst.c)];
                each(file(copy.wide), copy.to);
                each(File::W, copy.source_bytes);
                each(File::P, copy.ignore);
            }
            if inst.op == Op::Mbarrier {
                let of = &self.mbarriers[usize::from(inst.c)];
                each(File::W, of.count);
                each(File::W, of.bytes);
                each(File::X, of.state);
            }
            if inst.op == Op::Bulk {
                let of = &self.bulks[usize::from(inst.c)];
                for place in [of.to, of.from].into_iter().chain(of.mbarrier) {
                    each(file(place.wide), place.register);
                }
                each(File::W, of.bytes);
                each(File::W, of.blocks);
            }
            if inst.op == Op::StoreMatrix {
                self.matrices[usize::from(inst.c)].operands(each);
            }
            return;
        }
        match inst.op {
            Op::Matrix => self.matrices[usize::from(inst.c)].operands(each),
            Op::Scalar => {
                let of = &self.scalars[inst.imm as usize];
                for (number, kind) in of.sources.iter().zip(of.scalar.sources) {
                    match kind {
                        Kind::W => each(File::W, *number as u16),
                        Kind::X => each(File::X, *number as u16),
                        Kind::P => each(File::P, *number as u16),
                        Kind::Immediate => {}
                    }
                }
            }
            Op::Exchange => {
                let of = &self.exchanges[usize::from(inst.b)];
                let votes = matches!(
                    of.exchange,
                    Exchange::VoteAll | Exchange::VoteAny | Exchange::VoteUniform | Exchange::Ballot
                );
                each(if votes { File::P } else { file(of.wide) }, of.a);
                for number in [of.b, of.c, of.members] {
                    each(File::W, number);
                }
            }
            op => {
                if let Some(shape) = table_shape(op) {
                    for (file, number) in shape.files().1.iter().zip([inst.a, inst.b, inst.c]) {
                        each(*file, number);
                    }
                }
            }
        }
    }

    /// The registers that an instruction writes.
    pub(crate) fn results(&self, inst: &Inst, mut each: impl FnMut(File, u16)) {
        let file = |wide| if wide { File::X } else { File::W };
        match inst.op {
            Op::LoadGlobal
            | Op::LoadShared
            | Op::LoadConstant
            | Op::LoadLocal
            | Op::LoadGeneric
            | Op::LoadParameter => {
                let access = &self.accesses[usize::from(inst.b)];
                for n in 0..usize::from(access.count) {
                    each(file(access.wide[n]), access.registers[n]);
                }
            }
            Op::Atomic => {
                let of = &self.atomics[usize::from(inst.c)];
                each(file(of.wide), of.d);
                each(File::X, of.high);
            }
            Op::Mbarrier => {
                let of = &self.mbarriers[usize::from(inst.c)];
                each(if matches!(of.does, Mbarrier::Wait { .. }) { File::P } else { File::X }, of.d);
            }
            Op::Scalar => each(
                match self.scalars[inst.imm as usize].scalar.result {
                    Kind::X => File::X,
                    Kind::P => File::P,
                    _ => File::W,
                },
                inst.d,
            ),
            Op::Exchange => {
                let of = &self.exchanges[usize::from(inst.b)];
                each(File::W, of.d);
                each(File::P, of.p);
            }
            Op::LoadMatrix | Op::Matrix => {
                let of = &self.matrices[usize::from(inst.c)];
                of.d.iter().for_each(|d| each(file(of.wide), *d));
            }
            Op::SpecialX => each(File::X, inst.d),
            Op::LocalAddress => each(file(inst.a != 0), inst.d),
            Op::StoreGlobal
            | Op::StoreShared
            | Op::StoreLocal
            | Op::StoreGeneric
            | Op::CopyAsync
            | Op::Bulk
            | Op::StoreMatrix
            | Op::Fence
            | Op::FmaShared
            | Op::Builtin => {}
            Op::Special => each(File::W, inst.d),
            op => {
                if let Some(shape) = table_shape(op) {
                    each(shape.files().0, inst.d);
                }
            }
        }
    }

    /// The registers that the end of a block reads; `frame` is that of the block's function.
    pub(crate) fn end_operands(&self, frame: &Frame, block: &Block, mut each: impl FnMut(File, u16)) {
        match block.exit {
            End::Branch { predicate, .. } | End::ExitIf { predicate, .. } => each(File::P, predicate),
            End::Switch { index, .. } => each(File::W, index),
            End::Barrier { barrier, .. } => {
                let of = &self.barriers[barrier as usize];
                each(File::W, of.id);
                each(File::W, of.threads);
                each(File::P, of.p);
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
    pub(crate) fn end_results(&self, block: &Block, mut each: impl FnMut(File, u16)) {
        match block.exit {
            End::Barrier { barrier, .. } => {
                let of = &self.barriers[barrier as usize];
                each(if of.meeting == Meeting::Count { File::W } else { File::P }, of.d);
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
        let mut count = |file: File, number: u16| {
            if file == File::W
                && let Some(n) = reads.get_mut(usize::from(number))
            {
                *n += 1;
            }
        };
        for block in &self.blocks[self.blocks_of(function)] {
            for inst in &self.code[block.start as usize..block.end as usize] {
                self.operands(inst, &mut count);
            }
            count(File::W, block.members);
            self.end_operands(frame, block, &mut count);
        }
        reads
    }
}
