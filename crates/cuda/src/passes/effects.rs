//! Effects of instructions: what each does apart from computing its results.
//!
//! Enters: an operation. Leaves: its effect, which is all that other passes ask about operations that they do not know.

use crate::builtin::Meaning;
use crate::ir::{Function, Inst, Op};

/// What an instruction does apart from computing its results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    /// Nothing: it may be merged with its like, moved, and left out where no one uses it.
    Pure,
    /// Reads memory through its first operand.
    Read,
    /// Writes memory through its first operand.
    Write,
    /// Reads and writes memory through its first operand (atomics).
    Update,
    /// Depends on the lanes that execute it together (shuffles, votes), touches no memory.
    Warp,
    /// Stays where and as often as it is written, touches no memory (clocks).
    State,
    /// Memory may be read and written: no load or store moves across it.
    Fence,
    /// [`Effect::Fence`] and [`Effect::Warp`] in one.
    Barrier,
    /// Does not return.
    End,
}

/// Effect of an operation.
pub(crate) fn effect(op: &Op) -> Effect {
    match op {
        Op::Unary(_)
        | Op::Binary(_)
        | Op::Compare(_)
        | Op::Select
        | Op::Fma
        | Op::Convert(_)
        | Op::Slot { .. }
        | Op::Global(_)
        | Op::Function(_)
        | Op::Offset => Effect::Pure,
        // To NVRTC, assembly that may access any memory.
        Op::Load(access) | Op::Store(access) if access.cache.is_some() => Effect::Fence,
        // A volatile access is one of those that no one merges, moves or leaves out; other memory does not care.
        Op::Load(access) if access.volatile => Effect::Update,
        Op::Load(_) => Effect::Read,
        Op::Store(_) | Op::Copy { .. } | Op::Zero { .. } => Effect::Write,
        Op::Call(_) | Op::CallIndirect => Effect::Barrier,
        Op::Builtin(row, _) => builtin(&row.meaning),
        Op::Asm(asm) if asm.memory => Effect::Barrier,
        Op::Asm(asm) if asm.volatile => Effect::Barrier,
        Op::Asm(_) => Effect::Pure,
    }
}

fn builtin(meaning: &Meaning) -> Effect {
    match meaning {
        Meaning::Known(_) | Meaning::Pure(_) | Meaning::Told(_) => Effect::Pure,
        Meaning::Warp(_) => Effect::Warp,
        Meaning::State(_) => Effect::State,
        Meaning::Atomic(..) => Effect::Update,
        Meaning::Load(_) => Effect::Read,
        Meaning::Store(_) => Effect::Write,
        Meaning::Fence(_) | Meaning::FenceOrdered => Effect::Fence,
        // Ordered accesses order others; anyone who wants them to move must know how.
        Meaning::AtomicOrdered(_) | Meaning::LoadOrdered | Meaning::StoreOrdered => Effect::Fence,
        Meaning::Barrier(_) | Meaning::Bytes(_) | Meaning::Call(_) => Effect::Barrier,
        Meaning::End(_) => Effect::End,
    }
}

/// Whether an instruction may be executed where it was not: it has no effect, and cannot fail.
pub(crate) fn speculatable(function: &Function, inst: Inst) -> bool {
    use crate::ir::Binary;
    let data = &function.insts[inst.index()];
    match &data.op {
        Op::Binary(Binary::SDiv | Binary::UDiv | Binary::SRem | Binary::URem) => {
            // Division by zero is undefined in C, and harmless on the device; LLVM does not move it either.
            data.args.get(1).and_then(|arg| function.constant(*arg)).is_some_and(|bits| bits != 0)
        }
        Op::Slot { .. } => false,
        Op::Asm(_) => false,
        op => effect(op) == Effect::Pure,
    }
}
