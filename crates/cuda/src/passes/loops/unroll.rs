//! Unrolling of loops whose number of turns is known.
//!
//! Enters: a function. Leaves: it without those loops that are small, or that the source asks to be unrolled (`#pragma unroll`):
//! each turn is a copy, in which the counter is a constant. Larger loops have several turns in one, at the end. The thresholds are
//! found by what NVRTC 12.9 makes of loops of one, three and four loads with 2 to 256 turns.

use super::clone::Map;
use super::counted::{self, Counted};
use super::form::{self, Form};
use super::remainder;
use super::trips::{self, Known};
use crate::ir::cfg::Cfg;
use crate::ir::dominators::Dominators;
use crate::ir::loops::Loops;
use crate::ir::{Block, Edge, Function, Op, Terminator, Unroll};

/// Instructions that an unrolled loop may have where the source does not ask for it.
const SMALL: usize = 576;
/// Instructions that a loop may have of which several turns became one.
const PARTIAL: usize = 288;
/// Most turns of which the source does not ask that they become one.
const TOGETHER: u32 = 32;
/// The same, less the first instructions of each turn, for a loop whose number of turns is not known: found by NVRTC's borders
/// between 4 and 2 turns, and 2 and 1, for chains of sums, products and loads.
const COUNTED: usize = 170;
/// Those instructions.
const FREE: usize = 10;
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

/// Makes several turns one in those innermost loops that stayed: as many as the source asks; or, of a number of turns that is known, as
/// many as a power of two allows that divides it, and otherwise 4 or 2. To be run once, after all else: it would do so again.
pub(crate) fn partial(function: &mut Function) -> bool {
    let cfg = Cfg::new(function);
    let dominators = Dominators::new(&cfg);
    let loops = Loops::new(&cfg, &dominators);
    let innermost = |at: &usize| loops.all.iter().all(|one| one.parent != Some(*at));
    let headers = loops.inner_first().filter(innermost);
    let headers: Vec<(Block, bool)> =
        headers.map(|at| (loops.all[at].header, loops.all[at].parent.is_some())).collect();
    let mut changed = false;
    for (header, nested) in headers {
        changed |= together(function, header, nested);
    }
    changed
}

/// How several turns become one.
enum Plan {
    /// The number of turns is known; tests stay where the last turn may be, after `turns % count` of them.
    Known { count: u32, turns: u32 },
    /// It is counted before the loop.
    Counted(Counted, u32),
    /// Every turn keeps its test.
    Tests(u32),
}

fn together(function: &mut Function, header: Block, nested: bool) -> bool {
    let hint = function.blocks[header.index()].unroll;
    if hint == Some(Unroll::By(1)) {
        return false;
    }
    let total: usize = function.blocks.iter().map(|block| block.insts.len()).sum();
    let Some(form) = form::of(function, header) else { return false };
    let once = size(function, &form.blocks);
    let Some(plan) = plan(function, &form, hint) else { return false };
    let (Plan::Known { count, .. } | Plan::Counted(_, count) | Plan::Tests(count)) = plan;
    if count < 2 || total + once * 2 * count as usize > LIMIT {
        return false;
    }
    match plan {
        Plan::Known { count, turns } => {
            several(function, &form, count, |done| turns % count == done);
        }
        Plan::Counted(counted, count) => remainder::run(function, &form, &counted, count, nested),
        Plan::Tests(count) => {
            several(function, &form, count, |_| true);
        }
    }
    function.blocks[header.index()].unroll = Some(Unroll::By(1));
    true
}

fn plan(function: &Function, form: &Form, hint: Option<Unroll>) -> Option<Plan> {
    let once = size(function, &form.blocks);
    let asked = match hint {
        Some(Unroll::By(by)) if once * by as usize <= ASKED => Some(by),
        Some(Unroll::By(_)) => return None,
        Some(Unroll::Full) | None => None,
    };
    if let Some(known) = trips::known(function, form, 1 << 16).filter(|known| known.block == form.latch) {
        let turns = known.stays + 1;
        let fits = |count: &u32| once * *count as usize <= PARTIAL;
        let powers = (1..=TOGETHER.ilog2()).map(|power| 1 << power);
        let even = || powers.filter(|count| turns.is_multiple_of(*count)).filter(fits).max();
        let count = asked.or_else(even).or_else(|| [4, 2].into_iter().find(fits))?;
        return Some(Plan::Known { count, turns });
    }
    let leaves_once = form.blocks.iter().all(|block| {
        let end = &function.blocks[block.index()].end;
        *block == form.latch
            || end.edges().next().is_some() && end.edges().all(|edge| form.contains(edge.block))
    });
    let counted = if leaves_once { counted::of(function, form) } else { None };
    match (counted, asked) {
        (Some(counted), Some(by)) => Some(Plan::Counted(counted, by)),
        (Some(counted), None) => {
            let fits = |count: &u32| weight(function, form).saturating_sub(FREE) * *count as usize <= COUNTED;
            [4, 2].into_iter().find(fits).map(|count| Plan::Counted(counted, count))
        }
        (None, Some(by)) => {
            let tests = matches!(function.blocks[form.latch.index()].end, Terminator::Branch(..));
            tests.then_some(Plan::Tests(by))
        }
        (None, None) => None,
    }
}

/// Puts so many turns of a loop that tests at its end into one; its test stays after those turns of which `tests` says so. Gives the
/// block that leads back now.
pub(super) fn several(
    function: &mut Function,
    form: &Form,
    count: u32,
    tests: impl Fn(u32) -> bool,
) -> Block {
    let header = form.header;
    // Copies are of the loop as it was: its way back is another after the first.
    let test = function.blocks[form.latch.index()].end.clone();
    let mut from = form.latch;
    for done in 1..count {
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
        let on = Edge { block: entry, args: Vec::new() };
        let before = &mut function.blocks[from.index()].end;
        if tests(done) {
            before.edges_mut().filter(|edge| edge.block == header).for_each(|edge| *edge = on.clone());
        } else {
            *before = Terminator::Jump(on);
        }
        from = latch;
    }
    function.blocks[header.index()].unroll = Some(Unroll::By(1));
    from
}

/// What LLVM counts as instructions of a loop: addresses are parts of their accesses.
fn weight(function: &Function, form: &Form) -> usize {
    let insts = form.blocks.iter().flat_map(|block| &function.blocks[block.index()].insts);
    insts.filter(|inst| !matches!(function.insts[inst.index()].op, Op::Offset)).count() + form.blocks.len()
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
pub(super) fn incoming(function: &Function, from: Block, to: Block) -> Vec<crate::ir::Value> {
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
