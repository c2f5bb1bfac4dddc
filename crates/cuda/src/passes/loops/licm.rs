//! Loop-invariant code motion.
//!
//! Enters: a function whose loops are rotated. Leaves: it with what every turn of a loop computes anew, and always the same, before
//! the loop: operations without effects, and loads of what the loop does not write, where the loop executes them for certain. As
//! LLVM's `licm`.

use super::form::{self, Form};
use crate::ir::cfg::Cfg;
use crate::ir::dominators::Dominators;
use crate::ir::loops::Loops;
use crate::ir::{Block, Function, Inst, Op};
use crate::passes::Context;
use crate::passes::effects::{Effect, effect, speculatable};
use crate::passes::memory::Aliases;

/// Moves what can be, out of inner loops first; whether anything was.
pub(crate) fn run(function: &mut Function, context: &Context<'_>) -> bool {
    let cfg = Cfg::new(function);
    let dominators = Dominators::new(&cfg);
    let loops = Loops::new(&cfg, &dominators);
    let headers: Vec<Block> = loops.inner_first().map(|at| loops.all[at].header).collect();
    let mut changed = false;
    for header in headers {
        if let Some(form) = form::of(function, header) {
            changed |= hoist(function, &form, context);
        }
    }
    changed
}

/// Instructions of a loop that write memory, or order it.
fn writers(function: &Function, form: &Form) -> Vec<Inst> {
    let insts = form.blocks.iter().flat_map(|block| &function.blocks[block.index()].insts);
    insts
        .copied()
        .filter(|inst| match effect(&function.insts[inst.index()].op) {
            Effect::Pure | Effect::Read | Effect::Warp | Effect::State => false,
            Effect::Write | Effect::Update | Effect::Fence | Effect::Barrier | Effect::End => true,
        })
        .collect()
}

fn hoist(function: &mut Function, form: &Form, context: &Context<'_>) -> bool {
    crate::passes::resolve_operands(function);
    let cfg = Cfg::new(function);
    let dominators = Dominators::new(&cfg);
    let mut varies = vec![false; function.values.len()];
    for block in &form.blocks {
        let data = &function.blocks[block.index()];
        let results = data.insts.iter().flat_map(|inst| &function.insts[inst.index()].results);
        for value in data.params.iter().chain(results) {
            varies[value.index()] = true;
        }
    }
    let writers = writers(function, form);
    let aliases = Aliases::new(function, context);
    let mut changed = false;
    // Definitions come before uses in this order, so one walk finds chains.
    for block in &form.blocks {
        // Executed whenever the loop is: it dominates every way out and the way back.
        let certain = certain(function, form, &dominators, *block);
        let mut kept: Vec<Inst> = Vec::new();
        let mut ended = false;
        for inst in function.blocks[block.index()].insts.clone() {
            let data = &function.insts[inst.index()];
            let invariant = data.args.iter().all(|arg| !varies[arg.index()]);
            let moves = invariant && may_move(function, &aliases, inst, &writers, certain && !ended);
            ended |= matches!(effect(&data.op), Effect::End | Effect::Barrier);
            if moves {
                for result in &function.insts[inst.index()].results {
                    varies[result.index()] = false;
                }
                function.blocks[form.preheader.index()].insts.push(inst);
                changed = true;
            } else {
                kept.push(inst);
            }
        }
        function.blocks[block.index()].insts = kept;
    }
    changed
}

fn certain(function: &Function, form: &Form, dominators: &Dominators, block: Block) -> bool {
    let leaves = |one: &Block| {
        *one == form.latch
            || function.blocks[one.index()].end.edges().any(|edge| !form.contains(edge.block))
            || function.blocks[one.index()].end.edges().next().is_none()
    };
    form.blocks.iter().filter(|one| leaves(one)).all(|one| dominators.dominates(block, *one))
}

fn may_move(function: &Function, aliases: &Aliases, inst: Inst, writers: &[Inst], certain: bool) -> bool {
    let data = &function.insts[inst.index()];
    match &data.op {
        Op::Load(access) if !access.volatile => {
            certain && !writers.iter().any(|writer| aliases.clobbers(function, *writer, inst))
        }
        Op::Asm(asm) => !asm.volatile && !asm.memory && certain,
        _ => speculatable(function, inst),
    }
}
