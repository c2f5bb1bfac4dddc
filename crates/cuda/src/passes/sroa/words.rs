//! Copies of a part of a scalar.
//!
//! Enters: a function. Leaves: a copy of one half of what is a word elsewhere (`pair.x` of halves that are computed together)
//! as a load and a store, as LLVM's `InstCombine` makes them of all small copies: a copy would keep the word in memory.
//!
//! Counter: `local_load_requests`. Of `halves` in passes.cu NVRTC's code has 0, ours without the pass 1.

use super::plan::integer;
use super::{Based, based};
use crate::ir::cfg::Cfg;
use crate::ir::{Access, Block, Function, Inst, Op};

/// Makes such copies loads and stores; whether there were any.
pub(super) fn run(function: &mut Function, cfg: &Cfg) -> bool {
    let small = |op: &Op| matches!(op, Op::Copy { size: 1 | 2 | 4, .. });
    let insts = || cfg.order.iter().flat_map(|block| &function.blocks[block.index()].insts);
    if !insts().any(|inst| small(&function.insts[inst.index()].op)) {
        return false;
    }
    let (based, slots) = based(function, cfg);
    let at = |value: crate::ir::Value| match based[value.index()] {
        Some(Based { slot, offset: Some(offset) }) => Some((slot as usize, offset)),
        Some(_) | None => None,
    };
    // By slot: where scalars are accessed, and their sizes.
    let mut scalars: Vec<Vec<(i64, i64)>> = vec![vec![]; slots.len()];
    for inst in insts() {
        let data = &function.insts[inst.index()];
        let values = match data.op {
            Op::Load(_) => &data.results[..],
            Op::Store(_) => &data.args[1..],
            _ => continue,
        };
        let Some((slot, mut offset)) = at(data.args[0]) else { continue };
        for value in values {
            let size = i64::from(function.ty(*value).bytes());
            if !scalars[slot].contains(&(offset, size)) {
                scalars[slot].push((offset, size));
            }
            offset += size;
        }
    }
    let is_part = |inst: &&Inst| {
        let data = &function.insts[inst.index()];
        let Op::Copy { size: size @ (1 | 2 | 4), .. } = data.op else { return false };
        let size = size as i64;
        data.args.iter().filter_map(|arg| at(*arg)).any(|(slot, from)| {
            scalars[slot]
                .iter()
                .any(|(start, all)| *all > size && *start <= from && from + size <= start + all)
        })
    };
    let mut parts: Vec<(Block, Inst)> = vec![];
    for block in &cfg.order {
        let insts = function.blocks[block.index()].insts.iter();
        parts.extend(insts.filter(is_part).map(|inst| (*block, *inst)));
    }
    for (block, copy) in &parts {
        split(function, *block, *copy);
    }
    !parts.is_empty()
}

/// Makes a block's copy a load and a store.
fn split(function: &mut Function, block: Block, copy: Inst) {
    let data = function.insts[copy.index()].clone();
    let Op::Copy { size, align } = data.op else { return };
    let place = function.blocks[block.index()].insts.iter().position(|inst| *inst == copy);
    let Some(at) = place else { return };
    let access = Access { align, volatile: false, invariant: false, cache: None };
    let load = function.inst(Op::Load(access), [data.args[1]], &[integer(size)], data.place);
    let value = function.insts[load.index()].results[0];
    function.blocks[block.index()].insts.insert(at, load);
    let store = &mut function.insts[copy.index()];
    (store.op, store.args) = (Op::Store(access), [data.args[0], value].into());
}
