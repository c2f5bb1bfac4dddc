//! Slots that are copies of memory that no one writes.
//!
//! Enters: a function. Leaves: such slots replaced by the memory itself, as LLVM's `InstCombine` does.
//!
//! Counter: `warp_instructions`. Of `looked_up` in passes.cu NVRTC's code has 30, ours without the pass 23.

use super::{Based, based};
use crate::ir::cfg::Cfg;
use crate::ir::{Def, Function, Inst, Op, Space, Type, Value};
use crate::passes::{Context, resolve_operands};

/// Replaces slots that are copies of memory that no one writes.
pub(super) fn run(function: &mut Function, context: &Context<'_>, cfg: &Cfg) -> bool {
    let (based, slots) = based(function, cfg);
    if slots.is_empty() {
        return false;
    }
    // By slot: the copy that fills it, or nothing once anything else writes it or takes its address.
    let mut source: Vec<Result<Inst, bool>> = vec![Err(true); slots.len()];
    let slot_of = |value: Value| based[value.index()].map(|base| base.slot as usize);
    for block in &cfg.order {
        for inst in &function.blocks[block.index()].insts {
            let data = &function.insts[inst.index()];
            let mut lose = |value: Value| {
                if let Some(slot) = slot_of(value) {
                    source[slot] = Err(false);
                }
            };
            match data.op {
                Op::Slot { .. } | Op::Offset => {}
                Op::Load(access) if !access.volatile => {
                    // Before the copy it would read something else.
                    if let Some(slot) = slot_of(data.args[0])
                        && (source[slot] == Err(true)
                            || !constant_place(function, &based, &source[slot], data.args[0]))
                    {
                        source[slot] = Err(false);
                    }
                }
                Op::Copy { size, .. } => {
                    if let Some(from) = slot_of(data.args[1])
                        && source[from].is_err()
                    {
                        source[from] = Err(false);
                    }
                    if let Some(to) = slot_of(data.args[0]) {
                        let whole = matches!(function.insts[slots[to].index()].op, Op::Slot { size: all, .. } if all == size)
                            && based[data.args[0].index()].is_some_and(|base| base.offset == Some(0));
                        let first = source[to] == Err(true) && block.index() == 0;
                        let fits = whole && first && unwritten(function, context, data.args[1]);
                        source[to] = if fits { Ok(*inst) } else { Err(false) };
                    }
                }
                _ => data.args.iter().for_each(|arg| lose(*arg)),
            }
        }
        for value in function.blocks[block.index()].end.uses() {
            if let Some(slot) = slot_of(value) {
                source[slot] = Err(false);
            }
        }
    }
    let mut changed = false;
    for (slot, source) in source.iter().enumerate() {
        let Ok(copy) = source else { continue };
        let from = function.insts[copy.index()].args[1];
        let ty = function.ty(from);
        // The slot's own value becomes another name of the source: everything derived takes its space.
        for (value, base) in based.iter().enumerate() {
            if base.is_some_and(|base| base.slot as usize == slot) {
                function.values[value].ty = ty;
            }
        }
        let result = function.insts[slots[slot].index()].results[0];
        function.replace(result, from);
        for at in 0..function.blocks.len() {
            function.blocks[at].insts.retain(|inst| inst != copy && *inst != slots[slot]);
        }
        changed = true;
    }
    if changed {
        hoist_sources(function);
        resolve_operands(function);
    }
    changed
}

/// Whether a load may read a copy's source itself: parameters only at places that the compiler knows, since NVRTC copies a
/// parameter that is indexed at run time into local memory.
fn constant_place(
    function: &Function,
    based: &[Option<Based>],
    source: &Result<Inst, bool>,
    pointer: Value,
) -> bool {
    let Ok(copy) = source else { return true };
    let param = function.ty(function.insts[copy.index()].args[1]) == Type::Ptr(Space::Param);
    !param || based[pointer.index()].is_some_and(|base| base.offset.is_some())
}

/// Offsets of slots that became offsets of a source may stand before the source's own definition, in the entry.
fn hoist_sources(function: &mut Function) {
    // Sources are parameters of the entry, globals, or offsets of these; all of them may stand at its beginning.
    let insts = std::mem::take(&mut function.blocks[0].insts);
    let (first, rest): (Vec<Inst>, Vec<Inst>) =
        insts.into_iter().partition(|inst| matches!(function.insts[inst.index()].op, Op::Global(_)));
    function.blocks[0].insts = first;
    function.blocks[0].insts.extend(rest);
}

/// Whether a pointer leads to memory that no one writes while the kernel runs, and is known at the entry's beginning.
fn unwritten(function: &Function, context: &Context<'_>, pointer: Value) -> bool {
    match function.values[pointer.index()].def {
        Def::Param(block, _) => {
            block.index() == 0 && function.kernel && function.ty(pointer) == Type::Ptr(Space::Param)
        }
        Def::Result(inst, _) => match function.insts[inst.index()].op {
            Op::Global(global) => context
                .globals
                .get(global.index())
                .is_some_and(|global| global.space == Space::Constant || global.read_only),
            _ => false,
        },
        Def::Constant(_) | Def::Undefined | Def::Alias(_) => false,
    }
}
