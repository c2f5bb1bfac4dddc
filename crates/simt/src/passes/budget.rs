//! What instructions take from a budget: one each, and slow ones more.
//!
//! Enters: a decoded kernel. Leaves: for each of its basic blocks what it takes beyond its number of instructions. Budgets end
//! endless loops, whatever is in them, within about the same time; so the numbers are what the interpreter needs for an
//! instruction of the kind at its worst, in units of what it needs for a plain one (about 40 ns on the machine that they
//! were taken on). They are the same on every machine, and so is what a budget ends.

use crate::ir::*;

/// Gives each basic block its [`Block::slow`].
pub(super) fn find(kernel: &mut Kernel) {
    let mut blocks = std::mem::take(&mut kernel.blocks);
    for block in &mut blocks {
        let code = &kernel.code[block.start as usize..block.end as usize];
        block.slow = code.iter().map(|inst| beyond_one(kernel, inst)).fold(0, u32::saturating_add);
    }
    kernel.blocks = blocks;
}

/// What an instruction takes beyond one.
fn beyond_one(kernel: &Kernel, inst: &Inst) -> u32 {
    match inst.op {
        // A warp's lanes may all have lines of their own.
        Op::LoadGlobal | Op::StoreGlobal | Op::LoadGeneric | Op::StoreGeneric => 31,
        Op::LoadLocal | Op::StoreLocal | Op::LoadParameter => 7,
        Op::LoadShared | Op::StoreShared | Op::LoadConstant => 1,
        Op::Exchange => 3,
        // A lane after the other.
        Op::Scalar => 7,
        Op::Atomic => 63,
        Op::CopyAsync | Op::Mbarrier | Op::Bulk | Op::LoadMatrix | Op::StoreMatrix | Op::Builtin => 31,
        Op::Matrix => match kernel.matrices.get(usize::from(inst.c)).map(|of| of.matrix) {
            Some(Matrix::Product(_, Tiling::Whole)) => 255,
            Some(Matrix::Product(..) | Matrix::Quads(_)) => 511,
            _ => 7,
        },
        _ => 0,
    }
}
