//! Unrolling of loops whose number of turns is known.
//!
//! Enters: a function. Leaves: it without those loops that are small, or that the source asks to be unrolled (`#pragma unroll`):
//! each turn is a copy, in which the counter is a constant. Larger loops have several turns in one, at the end. The thresholds are
//! found by what NVRTC 12.9 makes of loops of one, three and four loads with 2 to 256 turns.

use super::clone::Map;
use super::form::{self, Form};
use super::trips::{self, Known};
use crate::ir::cfg::Cfg;
use crate::ir::dominators::Dominators;
use crate::ir::loops::Loops;
use crate::ir::{Block, Edge, Function, Terminator, Unroll};

/// Instructions that an unrolled loop may have where the source does not ask for it.
const SMALL: usize = 576;
/// Instructions that a loop may have of which several turns became one.
const PARTIAL: usize = 288;
/// Most turns of which the source does not ask that they become one.
const TOGETHER: u32 = 32;
/// The same where it asks.
const ASKED: usize = 16 * 1024;
/// Instructions of a function beyond which nothing is unrolled any more.
const LIMIT: usize = 60_000;

/// Unrolls what can be, inner loops first; whether any was.
pub(crate) fn run(function: &mut Function) -> bool {
    let mut changed = false;
    // Headers that were looked at; copies of inner loops are looked at as loops of their own.
    let mut seen: Vec<Block> = Vec::new();
    loop {
        let cfg = Cfg::new(function);
        let dominators = Dominators::new(&cfg);
        let loops = Loops::new(&cfg, &dominators);
        let next = loops.inner_first().map(|at| &loops.all[at]).find(|one| !seen.contains(&one.header));
        let Some(header) = next.map(|one| one.header) else { return changed };
        seen.push(header);
        changed |= unroll(function, header);
    }
}

/// Makes several turns one in those innermost loops that stayed: as many as a power of two allows, or as the source asks, if they
/// divide the number of turns. To be run once, after all else: it would do so again.
pub(crate) fn partial(function: &mut Function) -> bool {
    let cfg = Cfg::new(function);
    let dominators = Dominators::new(&cfg);
    let loops = Loops::new(&cfg, &dominators);
    let innermost = |at: &usize| loops.all.iter().all(|one| one.parent != Some(*at));
    let headers: Vec<Block> = loops.inner_first().filter(innermost).map(|at| loops.all[at].header).collect();
    let mut changed = false;
    for header in headers {
        changed |= together(function, header);
    }
    changed
}

fn together(function: &mut Function, header: Block) -> bool {
    let hint = function.blocks[header.index()].unroll;
    if hint == Some(Unroll::By(1)) {
        return false;
    }
    let total: usize = function.blocks.iter().map(|block| block.insts.len()).sum();
    let Some(form) = form::of(function, header) else { return false };
    let once = size(function, &form.blocks);
    let Some(known) = trips::known(function, &form, 1 << 16) else { return false };
    if known.block != form.latch {
        return false;
    }
    let turns = known.stays + 1;
    let count = match hint {
        Some(Unroll::By(by)) if turns.is_multiple_of(by) && once * by as usize <= ASKED => by,
        Some(_) => return false,
        None => {
            let fits = |count: &u32| turns.is_multiple_of(*count) && once * *count as usize <= PARTIAL;
            (1..=TOGETHER.ilog2()).map(|power| 1 << power).filter(fits).max().unwrap_or(1)
        }
    };
    if count < 2 || total + once * count as usize > LIMIT {
        return false;
    }
    several(function, &form, count);
    true
}

/// Puts so many turns of a loop that tests at its end into one.
fn several(function: &mut Function, form: &Form, count: u32) {
    let header = form.header;
    // Copies are of the loop as it was: its way back is another after the first.
    let test = function.blocks[form.latch.index()].end.clone();
    let mut from = form.latch;
    for _ in 1..count {
        let args = incoming(function, from, header);
        let mut map = Map::default();
        for (param, arg) in function.blocks[header.index()].params.clone().into_iter().zip(&args) {
            map.value(param, *arg);
        }
        // The copy of the way back leads to the header itself, from the last copy.
        map.blocks(function, &form.blocks, header);
        let (entry, latch) = (map.of_block(header), map.of_block(form.latch));
        let mut end = map.of_end(function, &test);
        end.edges_mut().filter(|edge| edge.block == entry).for_each(|edge| edge.block = header);
        function.blocks[latch.index()].end = end;
        // All tests but the last one's are known to stay.
        function.blocks[from.index()].end = Terminator::Jump(Edge { block: entry, args: Vec::new() });
        from = latch;
    }
    function.blocks[header.index()].unroll = Some(Unroll::By(1));
}

fn size(function: &Function, blocks: &[Block]) -> usize {
    blocks.iter().map(|block| function.blocks[block.index()].insts.len() + 1).sum()
}

fn unroll(function: &mut Function, header: Block) -> bool {
    let hint = function.blocks[header.index()].unroll;
    if hint == Some(Unroll::By(1)) {
        return false;
    }
    let total: usize = function.blocks.iter().map(|block| block.insts.len()).sum();
    let Some(form) = form::of(function, header) else { return false };
    let once = size(function, &form.blocks);
    let room = if hint.is_some() { ASKED } else { SMALL };
    let most = (room / once.max(1)).min(4096) as u32 + 1;
    let Some(known) = trips::known(function, &form, most) else { return false };
    let copies = known.stays as usize + 1;
    match hint {
        // A loop that is to be unrolled by less than its turns stays one.
        Some(Unroll::By(by)) if (by as usize) < known.stays as usize => return false,
        _ => {}
    }
    if once * known.stays.max(1) as usize > room || total + once * copies > LIMIT {
        return false;
    }
    full(function, &form, known);
    true
}

/// Replaces a loop by as many copies of it as it turns.
fn full(function: &mut Function, form: &Form, known: Known) {
    let mut args = incoming(function, form.preheader, form.header);
    let mut from = form.preheader;
    for turn in 0..=known.stays {
        let mut map = Map::default();
        for (param, arg) in function.blocks[form.header.index()].params.clone().into_iter().zip(&args) {
            map.value(param, *arg);
        }
        map.blocks(function, &form.blocks, form.header);
        let (entry, test) = (map.of_block(form.header), map.of_block(known.block));
        decide(
            function,
            test,
            &|block| block == entry || form.blocks.iter().any(|one| map.of_block(*one) == block),
            turn < known.stays,
        );
        // The way from the turn before.
        set_edge(function, from, if turn == 0 { form.header } else { Block(u32::MAX) }, entry);
        from = map.of_block(form.latch);
        args = incoming(function, from, entry);
        // Its way back becomes the way to the next copy, which is not there yet.
        for edge in function.blocks[from.index()].end.edges_mut() {
            if edge.block == entry {
                edge.block = Block(u32::MAX);
                edge.args.clear();
            }
        }
    }
    // After the last turn nobody comes by the latch's way back: the test before it leaves.
    cut(function, from);
}

/// Arguments of the edge between two blocks.
fn incoming(function: &Function, from: Block, to: Block) -> Vec<crate::ir::Value> {
    let edge = function.blocks[from.index()].end.edges().find(|edge| edge.block == to);
    edge.map(|edge| edge.args.clone()).unwrap_or_default()
}

/// Makes a test's outcome certain.
fn decide(function: &mut Function, test: Block, inside: &dyn Fn(Block) -> bool, stays: bool) {
    if let Terminator::Branch(_, yes, no) = &function.blocks[test.index()].end {
        let chosen = if inside(yes.block) == stays { yes.clone() } else { no.clone() };
        function.blocks[test.index()].end = Terminator::Jump(chosen);
    }
}

fn set_edge(function: &mut Function, from: Block, old: Block, to: Block) {
    for edge in function.blocks[from.index()].end.edges_mut() {
        if edge.block == old {
            *edge = Edge { block: to, args: Vec::new() };
        }
    }
}

/// Ends a block that nothing comes to where its edge leads nowhere.
fn cut(function: &mut Function, block: Block) {
    if function.blocks[block.index()].end.edges().any(|edge| edge.block == Block(u32::MAX)) {
        function.blocks[block.index()].end = Terminator::Unreachable;
    }
}
