//! Loop-invariant code motion.
//!
//! Enters: a function whose loops are rotated. Leaves: it with what every iteration of a loop computes again, and always the same, before
//! the loop: operations without effects, and loads of what the loop does not write, where the loop executes them for certain. As
//! LLVM's `licm`.
//!
//! Counter: `warp_instructions`. Of `product` in lab-4-5 (small sizes) NVRTC's code has 880, ours without the pass 1,176.

use std::cell::OnceCell;

use super::form::{self, Form};
use crate::ir::dominators::Dominators;
use crate::ir::loops::Graph;
use crate::ir::{Block, Function, Inst, Op};
use crate::passes::Context;
use crate::passes::effects::{Effect, effect, speculatable};
use crate::passes::memory::Aliases;

/// Moves what can be, out of inner loops first; whether anything was, or loops were brought into form.
pub(crate) fn run(function: &mut Function, context: &Context<'_>) -> bool {
    let mut graph = Graph::new(function);
    let headers: Vec<Block> = graph.loops.inner_first().map(|at| graph.loops.all[at].header).collect();
    let mut changed = false;
    let mut aliases = OnceCell::new();
    for header in headers {
        if !may_move_any(function, &graph, header) {
            continue;
        }
        let before = (function.blocks.len(), function.values.len());
        if let Some(form) = form::within(function, &mut graph, header) {
            if before != (function.blocks.len(), function.values.len()) {
                // What is asked next may be about the new parameters.
                aliases = OnceCell::new();
                changed = true;
            }
            let may_move = Hoist { form: &form, context, graph: &graph, aliases: &aliases };
            changed |= may_move.hoist(function);
        }
    }
    changed
}

/// Whether a loop has anything that could be moved out of it, if nothing but its operands mattered.
fn may_move_any(function: &mut Function, graph: &Graph, header: Block) -> bool {
    function.resolve_operands();
    let Some(one) = graph.loops.all.iter().find(|one| one.header == header) else { return false };
    let mut varies = vec![false; function.values.len()];
    let insts = || one.blocks.iter().flat_map(|block| &function.blocks[block.index()].insts);
    let params = one.blocks.iter().flat_map(|block| &function.blocks[block.index()].params);
    params.for_each(|param| varies[param.index()] = true);
    insts()
        .flat_map(|inst| &function.insts[inst.index()].results)
        .for_each(|value| varies[value.index()] = true);
    insts().any(|inst| {
        let data = &function.insts[inst.index()];
        let moves = match &data.op {
            Op::Load(access) => !access.volatile,
            Op::Asm(asm) => !asm.volatile && !asm.memory,
            _ => speculatable(function, *inst),
        };
        moves && data.args.iter().all(|arg| !varies[arg.index()])
    })
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

/// Loop that instructions are moved out of.
struct Hoist<'a> {
    form: &'a Form,
    context: &'a Context<'a>,
    graph: &'a Graph,
    /// Found where a load asks for them. (What moves is the same elsewhere.)
    aliases: &'a OnceCell<Aliases>,
}

impl Hoist<'_> {
    fn hoist(&self, function: &mut Function) -> bool {
        function.resolve_operands();
        let form = self.form;
        let mut varies = vec![false; function.values.len()];
        for block in &form.blocks {
            let data = &function.blocks[block.index()];
            let results = data.insts.iter().flat_map(|inst| &function.insts[inst.index()].results);
            for value in data.params.iter().chain(results) {
                varies[value.index()] = true;
            }
        }
        let writers = writers(function, form);
        let mut changed = false;
        // Definitions come before uses in this order, so one walk finds chains.
        for block in &form.blocks {
            // Executed whenever the loop is: it dominates every way out and the way back.
            let certain = certain(function, form, &self.graph.dominators, *block);
            // The block keeps its instructions meanwhile: aliases are found by a look at all of them.
            let insts = function.blocks[block.index()].insts.clone();
            let mut kept: Vec<Inst> = Vec::with_capacity(insts.len());
            let mut ended = false;
            for inst in insts {
                let data = &function.insts[inst.index()];
                let invariant = data.args.iter().all(|arg| !varies[arg.index()]);
                let moves = invariant && self.may_move(function, inst, &writers, certain && !ended);
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

    fn may_move(&self, function: &Function, inst: Inst, writers: &[Inst], certain: bool) -> bool {
        let data = &function.insts[inst.index()];
        match &data.op {
            Op::Load(access) if !access.volatile && certain => {
                let aliases =
                    self.aliases.get_or_init(|| Aliases::new(function, &self.graph.cfg, self.context));
                !writers.iter().any(|writer| aliases.clobbers(function, *writer, inst))
            }
            Op::Load(access) if !access.volatile => false,
            Op::Asm(asm) => !asm.volatile && !asm.memory && certain,
            _ => speculatable(function, inst),
        }
    }
}

/// Whether a block is executed whenever the loop is: it dominates every way out and the way back.
pub(super) fn certain(function: &Function, form: &Form, dominators: &Dominators, block: Block) -> bool {
    let leaves = |one: &Block| {
        *one == form.latch
            || function.blocks[one.index()].end.edges().any(|edge| !form.contains(edge.block))
            || function.blocks[one.index()].end.edges().next().is_none()
    };
    form.blocks.iter().filter(|one| leaves(one)).all(|one| dominators.dominates(block, *one))
}
