//! Rotation of loops: `while` becomes a guarded `do … while`.
//!
//! Enters: a function. Leaves: it with the test of each loop at the end of its iteration, and once before the loop. An iteration then has
//! one jump less, and what is first in the body is executed whenever the loop is, so that it may be moved out. As LLVM's
//! `loop-rotate`.
//!
//! Counter: `warp_instructions`. Of `sum_rows` in lab-4-2 (small sizes) NVRTC's code has 3,403, ours without the pass 7,232.

use super::clone::Map;
use super::form::{self, Form};
use crate::ir::loops::Graph;
use crate::ir::{Block, Edge, Function, Terminator, Value};
use crate::passes::effects::{Effect, effect};

/// Instructions of a test that may be doubled: LLVM's threshold.
const LIMIT: usize = 16;

/// Rotates what can be; whether any loop was, or was brought into form.
pub(crate) fn run(function: &mut Function) -> bool {
    let mut graph = Graph::new(function);
    let headers: Vec<Block> = graph.loops.inner_first().map(|at| graph.loops.all[at].header).collect();
    let before = (function.blocks.len(), function.values.len());
    for header in headers {
        if rotate(function, &mut graph, header) {
            graph = Graph::new(function);
        }
    }
    before != (function.blocks.len(), function.values.len())
}

/// The edges into the loop and out of it, of a header that tests.
fn test(function: &Function, header: Block, inside: impl Fn(Block) -> bool) -> Option<(Edge, Edge)> {
    let Terminator::Branch(_, yes, no) = &function.blocks[header.index()].end else { return None };
    match (inside(yes.block), inside(no.block)) {
        (true, false) => Some((yes.clone(), no.clone())),
        (false, true) => Some((no.clone(), yes.clone())),
        (true, true) | (false, false) => None,
    }
}

fn may_be_doubled(function: &Function, header: Block) -> bool {
    let insts = &function.blocks[header.index()].insts;
    insts.len() <= LIMIT
        && insts.iter().all(|inst| {
            matches!(effect(&function.insts[inst.index()].op), Effect::Pure | Effect::Read | Effect::Write)
        })
}

fn rotate(function: &mut Function, graph: &mut Graph, header: Block) -> bool {
    let branches = matches!(function.blocks[header.index()].end, Terminator::Branch(..));
    if !branches || !may_be_doubled(function, header) {
        return false;
    }
    // What the form could not change is seen before.
    let Some(at) = graph.loops.all.iter().position(|one| one.header == header) else { return false };
    let one = &graph.loops.all[at];
    let tests = |block: &Block| function.blocks[block.index()].end.edges().count() != 1;
    if one.blocks.len() < 2
        || test(function, header, |block| graph.loops.contains(at, block)).is_none()
        || matches!(one.latches.as_slice(), [latch] if tests(latch))
    {
        return false;
    }
    let Some(form) = form::within(function, graph, header) else { return false };
    if form.latch == header || form.blocks.len() < 2 {
        return false;
    }
    // A loop that tests at its end as well has its form.
    if function.blocks[form.latch.index()].end.edges().count() != 1 {
        return false;
    }
    let Some((into, out)) = test(function, header, |block| form.contains(block)) else { return false };
    if graph.cfg.preds(into.block) != [header] || into.block == header {
        return false;
    }
    replace(function, &form, &into, &out);
    true
}

/// Values that a header defines.
fn defined(function: &Function, header: Block) -> Vec<Value> {
    let data = &function.blocks[header.index()];
    let results = data.insts.iter().flat_map(|inst| &function.insts[inst.index()].results);
    data.params.iter().chain(results).copied().collect()
}

/// The body becomes the header, with a parameter for each value of the old header that the loop uses; copies of the test stand
/// before the loop and at its end.
fn replace(function: &mut Function, form: &Form, into: &Edge, out: &Edge) {
    crate::passes::resolve_operands(function);
    let (header, body) = (form.header, into.block);
    // What the body's own parameters get from the header.
    let own: Vec<Value> = function.blocks[body.index()].params.clone();
    let used = used_within(function, form);
    let carried: Vec<Value> =
        defined(function, header).into_iter().filter(|value| used[value.index()]).collect();
    // By value: the parameter that replaces it, or itself.
    let mut stands: Vec<Value> = (0..function.values.len() as u32).map(Value).collect();
    for value in &carried {
        let ty = function.ty(*value);
        stands[value.index()] = function.block_param(body, ty);
    }
    let renamed = |value: Value| stands[value.index()];
    for block in form.blocks.iter().filter(|block| **block != header) {
        let Function { blocks, insts, .. } = &mut *function;
        for inst in &blocks[block.index()].insts {
            insts[inst.index()].args.iter_mut().for_each(|arg| *arg = renamed(*arg));
        }
        blocks[block.index()].end.for_each_use_mut(|value| *value = renamed(*value));
    }
    debug_assert_eq!(own.len(), into.args.len(), "an edge has an argument a parameter");
    for from in [form.preheader, form.latch] {
        let args = function.blocks[from.index()].end.edges().next().map(|edge| edge.args.clone());
        let mut map = Map::default();
        for (param, arg) in
            function.blocks[header.index()].params.clone().into_iter().zip(args.unwrap_or_default())
        {
            map.value(param, arg);
        }
        map.insts(function, header, from);
        let mut to_body = map.of_edge(function, into);
        to_body.args.extend(carried.iter().map(|value| map.of(function, *value)));
        let away = map.of_edge(function, out);
        let Terminator::Branch(test, yes, _) = function.blocks[header.index()].end.clone() else { return };
        let test = map.of(function, test);
        let place = function.blocks[header.index()].end_place;
        let data = &mut function.blocks[from.index()];
        data.end = if yes.block == body {
            Terminator::Branch(test, to_body, away)
        } else {
            Terminator::Branch(test, away, to_body)
        };
        data.end_place = place;
    }
    function.blocks[body.index()].unroll = function.blocks[header.index()].unroll;
    function.blocks[body.index()].held += function.blocks[header.index()].held;
    // Nothing comes to the old header any more.
    function.blocks[header.index()].insts.clear();
    function.blocks[header.index()].end = Terminator::Unreachable;
}

/// By value: whether blocks of a loop other than the header use it. None outside does: the form sees to that.
fn used_within(function: &Function, form: &Form) -> Vec<bool> {
    let mut used = vec![false; function.values.len()];
    for block in form.blocks.iter().filter(|block| **block != form.header) {
        let data = &function.blocks[block.index()];
        let args = data.insts.iter().flat_map(|inst| function.insts[inst.index()].args.iter().copied());
        args.chain(data.end.uses()).for_each(|value| used[value.index()] = true);
    }
    used
}
