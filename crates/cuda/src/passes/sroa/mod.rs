//! Scalar replacement of aggregates, as LLVM's `SROA`.
//!
//! Enters: a function. Leaves: slots that are accessed at constant offsets split into the parts that are accessed
//! together, copies between them split with them, and what then is one scalar promoted to a value. A slot that is only a
//! copy of memory that no one writes (parameters, constants) is replaced by its source. Slots with an offset known only at
//! run time, or whose address goes elsewhere, stay; that a choice between variables is one of addresses does not matter.
//!
//! Counter: `local_load_requests`. Of `gravity_shared_4` in lab-14-4 (small sizes) NVRTC's code has 0, ours without the pass 262,592.

mod forward;
mod plan;
mod speculate;
mod split;
mod words;

use super::simplify::uses;
use super::{Context, dce, mem2reg};
use crate::ir::cfg::Cfg;
use crate::ir::{Def, Function, Inst, Op, Type, Value};
use plan::Plan;
use split::Splitter;

/// Splits and promotes; whether anything changed.
pub(crate) fn run(function: &mut Function, context: &Context<'_>) -> bool {
    let cfg = Cfg::new(function);
    run_within(function, context, &cfg)
}

/// The same where the graph is known, which stays as it is.
pub(crate) fn run_within(function: &mut Function, context: &Context<'_>, cfg: &Cfg) -> bool {
    super::resolve_operands(function);
    if !mem2reg::has_slots(function) {
        return false;
    }
    let mut changed = speculate::run(function, cfg);
    changed |= words::run(function, cfg);
    changed |= forward::run(function, context, cfg);
    let mut wide = Vec::new();
    if let Some(plan) = Plan::new(function, cfg) {
        wide = Splitter::new(function, plan).run(cfg);
        changed = true;
    }
    changed |= mem2reg::promote(function, cfg);
    if !wide.is_empty() {
        super::resolve_operands(function);
        dce::sweep(function, cfg);
        narrow(function, &wide);
    }
    changed
}

/// Of copies of which one value alone is used, makes the load of that value.
fn narrow(function: &mut Function, wide: &[Vec<Inst>]) {
    let uses = uses(function);
    let used = |value: &Value| uses.get(value.index()).is_some_and(|uses| *uses > 0);
    let mut narrowed = Vec::new();
    for loads in wide {
        let results =
            |inst: &Inst| function.insts[inst.index()].results.iter().filter(|value| used(value)).count();
        if loads.iter().map(results).sum::<usize>() == 1 {
            narrowed.extend(loads.iter().copied().filter(|inst| results(inst) == 1));
        }
    }
    narrowed.retain(|inst| function.insts[inst.index()].results.len() > 1);
    for at in 0..function.blocks.len() {
        let mut n = 0;
        while let Some(inst) = function.blocks[at].insts.get(n).copied() {
            n += 1;
            if !narrowed.contains(&inst) {
                continue;
            }
            let data = function.insts[inst.index()].clone();
            let (Op::Load(mut access), Some(number)) = (data.op, data.results.iter().position(used)) else {
                continue;
            };
            let result = data.results[number];
            let bytes = u64::from(function.ty(result).bytes());
            let by = number as u64 * bytes;
            if by > 0 {
                let ty = function.ty(data.args[0]);
                let offset = function.value(Type::I64, Def::constant(by));
                let pointer = function.inst(Op::Offset, [data.args[0], offset], &[ty], data.place);
                function.insts[inst.index()].args[0] = function.insts[pointer.index()].results[0];
                function.blocks[at].insts.insert(n - 1, pointer);
                n += 1;
                access.align = align_at(access.align, by);
            }
            function.insts[inst.index()].op = Op::Load(access);
            function.insts[inst.index()].results = [result].into();
            function.values[result.index()].def = Def::Result(inst, 0);
        }
    }
}

/// Alignment of what is that many bytes from a place of an alignment.
pub(super) fn align_at(align: u32, offset: u64) -> u32 {
    align.min(1 << offset.trailing_zeros().min(16))
}

/// What a pointer is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Based {
    /// Number of the slot.
    slot: u32,
    /// Bytes from its beginning; none where only the run time knows.
    offset: Option<i64>,
}

/// What leads to which slot, by value.
fn based(function: &Function, cfg: &Cfg) -> (Vec<Option<Based>>, Vec<Inst>) {
    let mut based: Vec<Option<Based>> = vec![None; function.values.len()];
    let mut slots = Vec::new();
    for block in &cfg.order {
        for inst in &function.blocks[block.index()].insts {
            let data = &function.insts[inst.index()];
            let of = |n: usize| data.args.get(n).and_then(|arg| based[arg.index()]);
            let new = match data.op {
                Op::Slot { .. } => {
                    slots.push(*inst);
                    Some(Based { slot: slots.len() as u32 - 1, offset: Some(0) })
                }
                Op::Offset => of(0).map(|base| {
                    let by = data.args.get(1).and_then(|by| function.constant(*by));
                    let offset = base.offset.zip(by).and_then(|(at, by)| at.checked_add(by as i64));
                    Based { offset, ..base }
                }),
                _ => None,
            };
            if let (Some(result), Some(_)) = (data.results.first(), new) {
                based[result.index()] = new;
            }
        }
    }
    (based, slots)
}

#[cfg(test)]
mod tests;
