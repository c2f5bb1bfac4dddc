//! Budget that instructions take: one each, and slow ones more.
//!
//! Enters: a decoded kernel. Leaves: for each of its basic blocks what it takes beyond its number of instructions. Budgets end
//! endless loops, whatever is in them, within about the same time; so the numbers are what the interpreter needs for an
//! instruction of the kind at its worst, in units of what it needs for a plain one (about 40 ns on the machine that they
//! were taken on); the table of operations has them. They are the same on every machine, and so is what a budget ends.

use crate::ir::*;

/// Gives each basic block its [`Block::slow`].
pub(super) fn find(kernel: &mut Kernel) {
    let mut blocks = std::mem::take(&mut kernel.blocks);
    for block in &mut blocks {
        let code = &kernel.code[block.start as usize..block.end as usize];
        block.slow = code.iter().map(|inst| inst.op.budget(kernel)).fold(0, u32::saturating_add);
    }
    kernel.blocks = blocks;
}
