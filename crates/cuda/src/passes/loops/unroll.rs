//! Unrolling of loops whose number of iterations is known.
//!
//! Enters: a function. Leaves: it without those loops that are small, or that the source asks to be unrolled (`#pragma unroll`):
//! each iteration is a copy, in which the counter is a constant. Larger loops have several iterations in one, at the end. The thresholds are
//! found by what NVRTC 12.9 makes of loops of one, three and four loads with 2 to 256 iterations.
//!
//! Counter: `local_load_requests`. Of `multiply_adds` in lab-4-5 (small sizes) NVRTC's code has 0, ours without the pass 17,335,296.

use super::clone::Map;
use super::cost;
use super::counted::{self, Counted};
use super::form::{self, Form, incoming};
use super::outer_invariant;
use super::remainder;
use super::replicate::replicate;
use super::trips::{self, Known};
use crate::ir::loops::{Graph, Loop};
use crate::ir::{Binary, Block, Def, Edge, Function, Inst, Op, Terminator, Unroll, Value};
use crate::passes::{Context, dce, mem2reg, sroa};

/// Instructions that an unrolled loop may have before it is simplified where the source does not ask for it: [`cost`] says less.
const SMALL: usize = 4096;
/// The same where that makes places in local arrays known, which are values then: found by NVRTC's borders between 128 and 160, and
/// 160 and 192 iterations.
const ARRAYS: usize = 3800;
/// Instructions that a loop may have of which several iterations became one.
const PARTIAL: usize = 288;
/// Most iterations of which the source does not ask that they become one.
const TOGETHER: u32 = 32;
/// The same, less the first instructions of each iteration, for a loop whose number of iterations is not known: found by NVRTC's borders
/// between 4 and 2 iterations, and 2 and 1, for chains of sums, products and loads.
const COUNTED: usize = 170;
/// Those instructions.
const FREE: usize = 10;
/// Instructions that LLVM has for the address of an element at a distance from another one.
const APART: usize = 3;
/// Turns of a loop that may be left before, where the source asks for it.
const BOUNDED: u32 = 64;
/// Most iterations of a loop that may have fewer which are not worth putting several into one.
const SHORT: u64 = 20;
/// Instructions that an unrolled loop may have where the source asks for it.
const ASKED: usize = 16 * 1024;
/// Copied instructions that it is worth making variables values for before they are copied.
const WORTH: usize = 1000;
/// Instructions of a function beyond which nothing is unrolled any more.
const LIMIT: usize = 60_000;

/// Unrolls what can be, inner loops first; whether any was.
pub(crate) fn run(function: &mut Function, context: &Context<'_>) -> bool {
    let mut graph = Graph::new(function);
    if graph.loops.all.is_empty() {
        return false;
    }
    let mut unrolled = false;
    let (sizes, seen) = (Vec::new(), Vec::new());
    let copied = Vec::new();
    let mut unroller = Unroller { function, context, sizes, map: Map::default(), copied, seen };
    while let Some(at) = unroller.next(&graph) {
        if unroller.unroll(&mut graph, at) {
            graph = Graph::new(unroller.function);
            unrolled = true;
        }
    }
    unrolled
}

/// Makes several iterations one in those innermost loops that stayed: as many as the source asks; or, of a number of iterations that is known, as
/// many as a power of two allows that divides it, and otherwise 4 or 2. To be run once, after all else: it would do so again.
pub(crate) fn partial(function: &mut Function, context: &Context<'_>) -> bool {
    let mut graph = Graph::new(function);
    let headers = graph.loops.innermost_headers();
    let before = (function.blocks.len(), function.values.len());
    for header in headers {
        if together(function, &mut graph, header, context) {
            graph = Graph::new(function);
        }
    }
    before != (function.blocks.len(), function.values.len())
}

/// How several iterations become one.
enum Plan {
    /// The number of iterations is known; tests stay where the last iteration may be, after `turns % count` of them.
    Known { count: u32, turns: u32 },
    /// It is counted before the loop.
    Counted(Counted, u32),
    /// Every iteration keeps its test.
    Tests(u32),
}

fn together(function: &mut Function, graph: &mut Graph, header: Block, context: &Context<'_>) -> bool {
    let hint = function.blocks[header.index()].unroll;
    let room = if hint.is_some() { ASKED } else { PARTIAL };
    let loops = &graph.loops;
    let Some(at) = loops.all.iter().position(|one| one.header == header) else { return false };
    let one = &loops.all[at];
    if matches!(hint, Some(Unroll::By(1) | Unroll::Done)) || size(function, &one.blocks) * 2 > room {
        return false;
    }
    let nested = one.parent.is_some();
    let total = function.size();
    let Some(form) = form::within(function, graph, header) else { return false };
    let once = size(function, &form.blocks);
    let Some(plan) = plan(function, &form, hint) else { return false };
    let (Plan::Known { count, .. } | Plan::Counted(_, count) | Plan::Tests(count)) = plan;
    let added = once * 2 * count as usize;
    if count < 2 || total + added > LIMIT || !context.take_room(added) {
        return false;
    }
    match plan {
        Plan::Known { count, turns } => {
            replicate(function, &form, count, |done| turns % count == done);
        }
        Plan::Counted(counted, count) => remainder::run(function, &form, &counted, count, nested),
        Plan::Tests(count) => {
            replicate(function, &form, count, |_| true);
        }
    }
    // Where the source says how much, no one shall do more.
    function.blocks[header.index()].unroll = Some(if hint.is_some() { Unroll::By(1) } else { Unroll::Done });
    true
}

fn plan(function: &Function, form: &Form, hint: Option<Unroll>) -> Option<Plan> {
    let once = size(function, &form.blocks);
    let asked = match hint {
        Some(Unroll::By(by)) if once * by as usize <= ASKED => Some(by),
        Some(Unroll::By(_)) => return None,
        Some(Unroll::Full | Unroll::Done) | None => None,
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
            if counted.most(function).is_some_and(|most| most <= SHORT) {
                return None;
            }
            let weight = weight(function, form) + function.blocks[form.header.index()].held as usize;
            let fits = |count: &u32| weight.saturating_sub(FREE) * *count as usize <= COUNTED;
            [4, 2].into_iter().find(fits).map(|count| Plan::Counted(counted, count))
        }
        (None, Some(by)) => {
            let tests = matches!(function.blocks[form.latch.index()].end, Terminator::Branch(..));
            tests.then_some(Plan::Tests(by))
        }
        (None, None) => None,
    }
}

/// What LLVM counts as instructions of a loop: addresses are parts of their accesses, but for those of an element at a distance
/// from another one. For these it has a sum, its extension and an address of their own, of which ours know only the last.
fn weight(function: &Function, form: &Form) -> usize {
    let insts = || form.blocks.iter().flat_map(|block| &function.blocks[block.index()].insts);
    let plain = insts().filter(|inst| !matches!(function.insts[inst.index()].op, Op::Offset)).count();
    let apart = insts().filter(|inst| is_apart(function, form, **inst)).count();
    plain + APART * apart + form.blocks.len()
}

/// Whether an instruction is an access at a constant distance from an element of no array of the module, whose place is computed
/// in the loop.
fn is_apart(function: &Function, form: &Form, inst: Inst) -> bool {
    let data = &function.insts[inst.index()];
    let (Op::Load(_) | Op::Store(_), [address, ..]) = (&data.op, data.args.as_slice()) else { return false };
    let Some((element, distance)) = function.offset_of(*address) else { return false };
    let result = |value: Value| match function.values[value.index()].def {
        Def::Result(inst, _) => Some(inst),
        _ => None,
    };
    let Some(place) = result(element).filter(|_| function.offset_of(element).is_some()) else { return false };
    let own = result(function.base_of(element))
        .is_some_and(|inst| matches!(function.insts[inst.index()].op, Op::Global(_)));
    !own && function.constant(distance).is_some()
        && form.blocks.iter().any(|block| function.blocks[block.index()].insts.contains(&place))
}

/// Whether how often a loop iterates that tests at its beginning could be computed before it: a counter goes by a step to a bound,
/// and there is no other way out.
fn is_counted(function: &Function, form: &Form) -> bool {
    let leaves =
        |block: &Block| function.blocks[block.index()].end.edges().any(|edge| !form.contains(edge.block));
    if form.blocks.iter().any(|block| *block != form.header && leaves(block)) {
        return false;
    }
    let result = |value: Value| match function.values[function.resolve(value).index()].def {
        Def::Result(inst, _) => Some(inst),
        _ => None,
    };
    let stays = |value: Value| match function.values[function.resolve(value).index()].def {
        Def::Param(block, _) => !form.contains(block),
        Def::Result(inst, _) => {
            !form.blocks.iter().any(|block| function.blocks[block.index()].insts.contains(&inst))
        }
        _ => true,
    };
    let Terminator::Branch(test, ..) = function.blocks[form.header.index()].end else { return false };
    let Some(test) = result(test).map(|inst| &function.insts[inst.index()]) else { return false };
    let (Op::Compare(_), [a, b]) = (&test.op, test.args.as_slice()) else { return false };
    let counter = if stays(*b) { *a } else { *b };
    let bound = if stays(*b) { *b } else { *a };
    let params = &function.blocks[form.header.index()].params;
    let Some(number) = params.iter().position(|param| *param == function.resolve(counter)) else {
        return false;
    };
    let Some(next) = incoming(function, form.latch, form.header).get(number).and_then(|next| result(*next))
    else {
        return false;
    };
    let next = &function.insts[next.index()];
    let steps = |a: Value, b: Value| function.resolve(a) == params[number] && stays(b);
    stays(bound)
        && matches!(next.op, Op::Binary(Binary::Add(_)))
        && matches!(*next.args.as_slice(), [a, b] if steps(a, b) || steps(b, a))
}

/// Whether a loop accesses local arrays at places that are known in each iteration, but are not the same in all.
fn indexes_arrays(function: &Function, form: &Form) -> bool {
    form.blocks.iter().flat_map(|block| &function.blocks[block.index()].insts).any(|inst| {
        let data = &function.insts[inst.index()];
        let (Op::Load(_) | Op::Store(_), Some(address)) = (&data.op, data.args.first()) else { return false };
        let mut at = *address;
        let mut varies = false;
        while let Some((from, by)) = function.offset_of(at) {
            if function.constant(by).is_none() {
                if !trips::is_known_each_turn(function, form, by) {
                    return false;
                }
                varies = true;
            }
            at = from;
        }
        let Def::Result(inst, _) = function.values[function.resolve(at).index()].def else { return false };
        varies && matches!(function.insts[inst.index()].op, Op::Slot { .. })
    })
}

fn size(function: &Function, blocks: &[Block]) -> usize {
    blocks.iter().map(|block| function.blocks[block.index()].insts.len() + 1).sum()
}

struct Unroller<'a> {
    function: &'a mut Function,
    context: &'a Context<'a>,
    /// Instructions of blocks before any of them were folded, where that is not what the block says: sizes are the source's,
    /// whatever is found constant on the way.
    sizes: Vec<u32>,
    map: Map,
    /// By instruction: whether it is a copy of what changed from iteration to iteration in an inner loop.
    copied: Vec<bool>,
    /// Headers that were looked at; copies of inner loops are looked at as loops of their own.
    seen: Vec<bool>,
}

impl Unroller<'_> {
    /// The next loop to be looked at.
    fn next(&mut self, graph: &Graph) -> Option<usize> {
        self.seen.resize(self.function.blocks.len(), false);
        let at = graph.loops.inner_first().find(|at| !self.seen[graph.loops.all[*at].header.index()])?;
        self.seen[graph.loops.all[at].header.index()] = true;
        Some(at)
    }

    fn size_of(&self, block: Block) -> usize {
        match self.sizes.get(block.index()) {
            None | Some(0) => self.function.blocks[block.index()].insts.len() + 1,
            Some(size) => *size as usize,
        }
    }

    fn size(&self, blocks: &[Block]) -> usize {
        blocks.iter().map(|block| self.size_of(*block)).sum()
    }

    fn set_size(&mut self, block: Block, size: usize) {
        self.sizes.resize(self.function.blocks.len(), 0);
        self.sizes[block.index()] = size as u32;
    }

    /// Whether a loop was unrolled.
    fn unroll(&mut self, graph: &mut Graph, at: usize) -> bool {
        let one: &Loop = &graph.loops.all[at];
        let header = one.header;
        let hint = self.function.blocks[header.index()].unroll;
        if matches!(hint, Some(Unroll::By(1) | Unroll::Done))
            || self.size(&one.blocks) > if hint.is_some() { ASKED } else { SMALL }
            || hint.is_none()
                && !trips::may_be_known(self.function, one, |block| graph.loops.contains(at, block))
        {
            return false;
        }
        let total = self.function.size();
        let inner = if hint.is_none() { self.inner(graph, header) } else { 0 };
        let Some(form) = form::within(self.function, graph, header) else { return false };
        let once = self.size(&form.blocks);
        let arrays = hint.is_none() && indexes_arrays(self.function, &form);
        let room = match hint {
            Some(_) => ASKED,
            None if arrays => ARRAYS,
            None => SMALL,
        };
        let most = (room / once.max(1)).min(4096) as u32 + 1;
        let asked = || {
            let every = |block: Block| graph.dominators.dominates(block, form.latch);
            let full = matches!(hint?, Unroll::Full);
            trips::bounded(self.function, &form, every, most.min(BOUNDED), full)
        };
        let Some(known) = trips::known(self.function, &form, most).or_else(asked) else { return false };
        let copies = known.stays as usize + 1;
        match hint {
            // A loop that is to be unrolled by less than its iterations stays one.
            Some(Unroll::By(by)) if (by as usize) < known.stays as usize => return false,
            _ => {}
        }
        let added = once * copies;
        let fits = match hint {
            None if !arrays => {
                let turns = known.stays + u32::from(known.block != form.header);
                cost::of(self.function, &form, &self.copied).with(inner).allows(turns as usize)
            }
            _ => once * known.stays.max(1) as usize <= room,
        };
        if !fits || total + added > LIMIT || !self.context.take_room(added) {
            return false;
        }
        let nested = graph.loops.all[at].parent.is_some();
        if let Some(parent) = graph.loops.all[at].parent {
            let outer = &graph.loops.all[parent];
            let turn =
                outer_invariant::of(self.function, &form, outer) + self.function.blocks[header.index()].held;
            self.function.blocks[outer.header.index()].held += turn * known.stays;
        }
        let form = if added >= WORTH && self.promote() {
            // Values that were variables reach what is outside as others do.
            let Some(form) = form::within(self.function, graph, header) else { return false };
            form
        } else {
            form
        };
        let added = size(self.function, &form.blocks) * copies;
        self.function.insts.reserve(added);
        self.function.values.reserve(added);
        self.full(&form, known, nested);
        true
    }

    /// What loops within a loop add to its size, since LLVM makes several iterations of theirs one before it looks at it.
    fn inner(&mut self, graph: &mut Graph, header: Block) -> usize {
        let Some(outer) = graph.loops.all.iter().find(|one| one.header == header) else { return 0 };
        let mut headers = graph.loops.innermost_headers();
        headers.retain(|inner| *inner != header && outer.blocks.contains(inner));
        let mut added = 0;
        for inner in headers {
            let hint = self.function.blocks[inner.index()].unroll;
            if matches!(hint, Some(Unroll::By(1) | Unroll::Done)) {
                continue;
            }
            let Some(form) = form::within(self.function, graph, inner) else { continue };
            if !is_counted(self.function, &form) {
                continue;
            }
            let weight = weight(self.function, &form);
            let fits = |count: &u32| weight.saturating_sub(FREE) * *count as usize <= COUNTED;
            let count = match hint {
                Some(Unroll::By(by)) => Some(by),
                _ => [4, 2].into_iter().find(fits),
            };
            if let Some(count) = count {
                added += cost::counted(cost::of(self.function, &form, &self.copied), count);
            }
        }
        added
    }

    /// Makes values of the variables that the loops which are gone have left without an index that only the run time knows: half of
    /// an unrolled loop around them would be their loads and stores. Whether there were any.
    fn promote(&mut self) -> bool {
        if !mem2reg::has_slots(self.function) {
            return false;
        }
        for at in 0..self.function.blocks.len() {
            let block = Block(at as u32);
            self.set_size(block, self.size_of(block));
        }
        let changed = sroa::run(self.function, self.context);
        if changed {
            dce::run(self.function);
        }
        changed
    }

    /// Replaces a loop by as many copies of it as it has iterations.
    fn full(&mut self, form: &Form, known: Known, nested: bool) {
        let first = self.function.blocks.len();
        // No one asks where no loop is around it.
        let varying = if nested { cost::varying(self.function, form) } else { Vec::new() };
        let mut args = incoming(self.function, form.preheader, form.header).to_vec();
        let mut from = form.preheader;
        for turn in 0..=known.stays {
            let stays = turn < known.stays;
            // In the last iteration, nothing follows a header that leaves.
            let last = !stays && known.block == form.header;
            let blocks = if last { &form.blocks[..1] } else { &form.blocks };
            let entry = self.copy(form, blocks, &args);
            if nested {
                self.mark(&varying);
            }
            let inside = |block: Block| block.index() >= first || form.contains(block);
            if known.exact || !stays {
                decide(self.function, self.map.of_block(known.block), &inside, stays);
            }
            // The way from the iteration before.
            set_edge(self.function, from, if turn == 0 { form.header } else { NOWHERE }, entry);
            if last {
                break;
            }
            from = self.map.of_block(form.latch);
            args = incoming(self.function, from, entry).to_vec();
            // Its way back becomes the way to the next copy, which is not there yet.
            for edge in self.function.blocks[from.index()].end.edges_mut() {
                if edge.block == entry {
                    edge.block = NOWHERE;
                    edge.args.clear();
                }
            }
        }
        // After the last iteration no one comes by the latch's way back: the test before it leaves.
        cut(self.function, from);
        // Nothing comes to the loop itself any more.
        for block in &form.blocks {
            let data = &mut self.function.blocks[block.index()];
            data.insts = Vec::new();
            data.end = Terminator::Unreachable;
            self.set_size(*block, 1);
        }
        self.straighten(form.preheader, first);
    }

    /// Marks the copies of instructions that were made last.
    fn mark(&mut self, of: &[Inst]) {
        self.copied.resize(self.function.insts.len(), false);
        for inst in of {
            let Some(result) = self.function.insts[inst.index()].results.first() else { continue };
            let copy = self.map.of(self.function, *result);
            if let Def::Result(copy, _) = self.function.values[copy.index()].def {
                self.copied[copy.index()] = true;
            }
        }
    }

    /// Copies blocks for an iteration whose variables are these; returns the header's copy.
    fn copy(&mut self, form: &Form, blocks: &[Block], args: &[Value]) -> Block {
        let function = &mut *self.function;
        for (param, arg) in function.blocks[form.header.index()].params.iter().zip(args) {
            self.map.value(*param, *arg);
        }
        self.map.blocks(function, blocks, form.header);
        for block in blocks {
            self.set_size(self.map.of_block(*block), self.size_of(*block));
        }
        self.map.of_block(form.header)
    }

    /// Makes one of those blocks from a number on that only follow each other, and of the one that leads to them.
    fn straighten(&mut self, entry: Block, first: usize) {
        let count = self.function.blocks.len();
        let all = || (first..count).map(|at| Block(at as u32));
        let mut preds = vec![0u32; count - first];
        for block in all().chain([entry]) {
            for edge in self.function.blocks[block.index()].end.edges() {
                if let Some(preds) = edge.block.index().checked_sub(first).and_then(|at| preds.get_mut(at)) {
                    *preds += 1;
                }
            }
        }
        for block in [entry].into_iter().chain(all()) {
            while let Terminator::Jump(edge) = &self.function.blocks[block.index()].end {
                let next = edge.block;
                let alone = next.index().checked_sub(first).and_then(|at| preds.get(at)) == Some(&1);
                if !alone || next == block {
                    break;
                }
                let args = edge.args.clone();
                self.set_size(block, self.size_of(block) + self.size_of(next));
                self.set_size(next, 1);
                let data = std::mem::take(&mut self.function.blocks[next.index()]);
                for (param, arg) in data.params.iter().zip(&args) {
                    self.function.replace(*param, *arg);
                }
                let into = &mut self.function.blocks[block.index()];
                into.insts.extend(data.insts);
                (into.end, into.end_place) = (data.end, data.end_place);
                preds[next.index() - first] = 0;
            }
        }
    }
}

/// Block of an edge that leads nowhere yet.
const NOWHERE: Block = Block(u32::MAX);

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
    if function.blocks[block.index()].end.edges().any(|edge| edge.block == NOWHERE) {
        function.blocks[block.index()].end = Terminator::Unreachable;
    }
}
