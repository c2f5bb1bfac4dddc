//! Simplification of control flow, as LLVM's `SimplifyCFG` and the plain cases of its `JumpThreading`.
//!
//! Enters: a function. Leaves: it with fewer blocks and branches: what is known is not asked, empty blocks are passed by,
//! straight lines are one block, and short branches are selects (by LLVM's thresholds, so that as many branches remain as
//! NVRTC leaves).
//!
//! Counter: `warp_instructions`. Of `scale` in lab-4-2 (small sizes) NVRTC's code has 1,722, ours without the pass 1,817.

use std::cell::OnceCell;

use super::effects::speculatable;
use super::fold;
use crate::ir::cfg::Cfg;
use crate::ir::{
    Binary, Block, Convert, DebugLocation, Def, Edge, Function, Inst, Op, Terminator, Type, Unary, Value,
};

/// Rounds; each takes everything of one kind away.
const ROUNDS: u32 = 16;
/// Cost that both sides of a branch may have to become selects (LLVM's `two-entry-phi-node-folding-threshold`).
const FOLDED: u32 = 4;
/// Selects that a branch may become.
const SELECTS: usize = 2;

/// Instructions of a block that edges may pass by.
const SHORT: usize = 4;

/// Simplifies until nothing changes; whether anything did.
#[cfg(test)]
pub(crate) fn run(function: &mut Function) -> bool {
    run_within(function, &mut None)
}

/// The same where the graph may be known; it is afterwards.
pub(crate) fn run_within(function: &mut Function, graph: &mut Option<Cfg>) -> bool {
    run_with(function, graph, &SELECTS_TOO)
}

/// The same before the function is in SSA form: branches stay, since what they guard is not small yet.
pub(crate) fn run_early(function: &mut Function) -> bool {
    run_with(function, &mut None, &EARLY)
}

/// What is known of a function until it changes.
struct Known {
    cfg: Cfg,
    /// See [`uses_elsewhere`]; found where a step asks for it.
    elsewhere: OnceCell<Vec<bool>>,
}

impl Known {
    fn new(cfg: Cfg) -> Known {
        Known { cfg, elsewhere: OnceCell::new() }
    }

    /// Whether everything that a block defines is used in it alone.
    fn local(&self, function: &Function, block: Block) -> bool {
        local(function, self.elsewhere.get_or_init(|| uses_elsewhere(function, &self.cfg)), block)
    }
}

/// One way to make the graph simpler, with what is known of it; whether it did.
type Step = fn(&mut Function, &Known) -> bool;
const EARLY: [Step; 4] = [fold_ends, thread, forward, merge];
const SELECTS_TOO: [Step; 6] = [fold_ends, thread, forward, merge, to_selects, to_conjunctions];

fn run_with(function: &mut Function, graph: &mut Option<Cfg>, steps: &[Step]) -> bool {
    let mut known = Known::new(graph.take().unwrap_or_else(|| Cfg::new(function)));
    let mut any = false;
    for _ in 0..ROUNDS {
        let mut changed = false;
        function.resolve_operands();
        for step in steps {
            if step(function, &known) {
                known = Known::new(Cfg::new(function));
                changed = true;
            }
        }
        any |= changed;
        if !changed {
            break;
        }
    }
    function.resolve_operands();
    *graph = Some(known.cfg);
    any
}

fn defining(function: &Function, value: Value) -> Option<Inst> {
    match function.values[function.resolve(value).index()].def {
        Def::Result(inst, _) => Some(inst),
        Def::Param(..) | Def::Constant(_) | Def::Undefined | Def::Alias(_) => None,
    }
}

/// Branches whose way is known, or whose ways are one.
fn fold_ends(function: &mut Function, known: &Known) -> bool {
    let cfg = &known.cfg;
    let mut changed = false;
    for block in cfg.order.iter().copied() {
        if matches!(
            function.blocks[block.index()].end,
            Terminator::Jump(_) | Terminator::Return(_) | Terminator::Unreachable
        ) {
            continue;
        }
        let end = std::mem::take(&mut function.blocks[block.index()].end);
        let new = fold_end(function, block, &end);
        changed |= new.is_some();
        function.blocks[block.index()].end = new.unwrap_or(end);
    }
    changed
}

/// Whether a block is never reached.
fn unreachable(function: &Function, edge: &Edge) -> bool {
    let data = &function.blocks[edge.block.index()];
    data.insts.is_empty() && data.end == Terminator::Unreachable
}

fn fold_end(function: &mut Function, block: Block, end: &Terminator) -> Option<Terminator> {
    match end {
        Terminator::Branch(predicate, yes, no) => {
            if let Some(bits) = function.constant(*predicate) {
                return Some(Terminator::Jump(if bits == 1 { yes.clone() } else { no.clone() }));
            }
            // The block that is being looked at has no end just now, so it is no unreachable one itself.
            if yes.block != block && no.block != block {
                if unreachable(function, no) {
                    return Some(Terminator::Jump(yes.clone()));
                }
                if unreachable(function, yes) {
                    return Some(Terminator::Jump(no.clone()));
                }
            }
            if let Some(inst) = defining(function, *predicate)
                && function.insts[inst.index()].op == Op::Unary(Unary::Not)
            {
                let predicate = function.insts[inst.index()].args[0];
                return Some(Terminator::Branch(predicate, no.clone(), yes.clone()));
            }
            if yes.block == no.block {
                return join(function, block, *predicate, yes, no).map(Terminator::Jump);
            }
            None
        }
        Terminator::Switch(value, cases, other) => {
            if let Some(bits) = function.constant(*value) {
                let case = cases.iter().find(|(number, _)| *number == bits);
                return Some(Terminator::Jump(case.map_or(other, |(_, edge)| edge).clone()));
            }
            if cases.iter().all(|(_, edge)| edge == other) {
                return Some(Terminator::Jump(other.clone()));
            }
            if cases.iter().any(|(_, edge)| edge == other) {
                let cases = cases.iter().filter(|(_, edge)| edge != other).cloned().collect();
                return Some(Terminator::Switch(*value, cases, other.clone()));
            }
            None
        }
        Terminator::Jump(_) | Terminator::Return(_) | Terminator::Unreachable => None,
    }
}

/// Two edges to one block as one, which passes selects.
fn join(function: &mut Function, block: Block, predicate: Value, yes: &Edge, no: &Edge) -> Option<Edge> {
    let same = |function: &Function, a: Value, b: Value| {
        let (a, b) = (function.resolve(a), function.resolve(b));
        a == b
            || (function.constant(a).is_some()
                && function.constant(a) == function.constant(b)
                && function.ty(a) == function.ty(b))
    };
    let different = yes.args.iter().zip(&no.args).filter(|(a, b)| !same(function, **a, **b)).count();
    if different > SELECTS {
        return None;
    }
    let place = function.blocks[block.index()].end_place;
    let mut args = Vec::with_capacity(yes.args.len());
    for (a, b) in yes.args.iter().zip(&no.args) {
        args.push(if same(function, *a, *b) {
            *a
        } else {
            select(function, block, predicate, *a, *b, place)
        });
    }
    Some(Edge { block: yes.block, args })
}

fn select(
    function: &mut Function,
    block: Block,
    predicate: Value,
    a: Value,
    b: Value,
    place: DebugLocation,
) -> Value {
    let undefined = |value: Value| function.values[function.resolve(value).index()].def == Def::Undefined;
    if undefined(a) {
        return b;
    }
    if undefined(b) {
        return a;
    }
    let ty = function.ty(function.resolve(a));
    let inst = function.inst(Op::Select, [predicate, a, b], &[ty], place);
    function.blocks[block.index()].insts.push(inst);
    function.insts[inst.index()].results[0]
}

/// Whether what a short block defines is used outside of it (or a parameter by anything but its own end), by value. No one asks
/// about others.
fn uses_elsewhere(function: &Function, cfg: &Cfg) -> Vec<bool> {
    const NONE: u32 = u32::MAX;
    let mut home = vec![NONE; function.values.len()];
    let mut elsewhere = vec![false; function.values.len()];
    for block in &cfg.order {
        let data = &function.blocks[block.index()];
        if data.insts.len() <= SHORT {
            let results = data.insts.iter().flat_map(|inst| &function.insts[inst.index()].results);
            data.params.iter().chain(results).for_each(|value| home[value.index()] = block.0);
        }
    }
    for block in &cfg.order {
        let data = &function.blocks[block.index()];
        let mut used = |value: Value| {
            let home = home[value.index()];
            if home != NONE && home != block.0 {
                elsewhere[value.index()] = true;
            }
        };
        for inst in &data.insts {
            function.insts[inst.index()].args.iter().for_each(|value| used(*value));
        }
        data.end.for_each_use(used);
    }
    elsewhere
}

/// Whether everything that a block defines is used in it alone.
fn local(function: &Function, elsewhere: &[bool], block: Block) -> bool {
    let data = &function.blocks[block.index()];
    let mut results = data.insts.iter().flat_map(|inst| &function.insts[inst.index()].results);
    !data.params.iter().any(|value| elsewhere[value.index()])
        && !results.any(|value| elsewhere[value.index()])
}

fn is_header(cfg: &Cfg, block: Block) -> bool {
    cfg.preds(block).iter().any(|pred| cfg.position[pred.index()] >= cfg.position[block.index()])
}

/// Edges to a block that only branches, on what they pass or on what is known where they come from, go where it would send
/// them (LLVM's `JumpThreading`).
fn thread(function: &mut Function, known: &Known) -> bool {
    let cfg = &known.cfg;
    let mut changed = false;
    for block in &cfg.order {
        let data = &function.blocks[block.index()];
        let short =
            data.insts.len() <= SHORT && matches!(data.end, Terminator::Branch(..) | Terminator::Switch(..));
        if block.index() == 0 || !short || is_header(cfg, *block) {
            continue;
        }
        let asked = asked_again(function, cfg, *block);
        let passes = !data.params.is_empty() && passed_constant(function, cfg, *block);
        if !(passes || asked.is_some()) || !known.local(function, *block) {
            continue;
        }
        for pred in cfg.preds(*block) {
            let fact = asked.and_then(|asked| Some((asked, known_at(function, cfg, *pred, *block, asked)?)));
            let mut end = std::mem::take(&mut function.blocks[pred.index()].end);
            for edge in end.edges_mut().filter(|edge| edge.block == *block) {
                if let Some(to) = threaded(function, *block, &edge.args, fact)
                    && to.block != *block
                {
                    *edge = to;
                    changed = true;
                }
            }
            function.blocks[pred.index()].end = end;
        }
    }
    changed
}

/// Whether an edge passes a constant to a block, without which it cannot be decided where that leads.
fn passed_constant(function: &Function, cfg: &Cfg, block: Block) -> bool {
    let edges = cfg.preds(block).iter().flat_map(|pred| function.blocks[pred.index()].end.edges());
    let mut args = edges.filter(|edge| edge.block == block).flat_map(|edge| &edge.args);
    args.any(|arg| function.constant(*arg).is_some())
}

/// The predicate that a block's branch depends on, and that is none of its own, if several ways lead to it.
fn asked_again(function: &Function, cfg: &Cfg, block: Block) -> Option<Value> {
    let Terminator::Branch(predicate, ..) = function.blocks[block.index()].end else { return None };
    let (asked, _) = without_not(function, predicate);
    let own = defining(function, asked)
        .is_some_and(|inst| function.blocks[block.index()].insts.contains(&inst))
        || function.blocks[block.index()].params.contains(&asked);
    (cfg.preds(block).len() > 1 && !own && function.constant(asked).is_none()).then_some(asked)
}

/// A predicate below the `not`s above it, and whether it is the opposite.
fn without_not(function: &Function, predicate: Value) -> (Value, bool) {
    let (mut value, mut inverted) = (function.resolve(predicate), false);
    while let Some(inst) = defining(function, value)
        && let Op::Unary(Unary::Not) = function.insts[inst.index()].op
    {
        (value, inverted) = (function.resolve(function.insts[inst.index()].args[0]), !inverted);
    }
    (value, inverted)
}

/// Blocks that are looked at above an edge for a branch that decides a predicate.
const ABOVE: u32 = 8;

/// Whether a predicate holds on the edge from one block to another, as the branches above decide.
fn known_at(function: &Function, cfg: &Cfg, from: Block, to: Block, asked: Value) -> Option<bool> {
    let (mut from, mut to) = (from, to);
    for _ in 0..ABOVE {
        if let Terminator::Branch(predicate, yes, no) = &function.blocks[from.index()].end
            && yes.block != no.block
        {
            let (value, inverted) = without_not(function, *predicate);
            if value == asked {
                return Some((yes.block == to) != inverted);
            }
        }
        let [above] = *cfg.preds(from) else { return None };
        (from, to) = (above, from);
    }
    None
}

/// Where a block leads with the given arguments, if these decide it, or what is known of a predicate.
fn threaded(
    function: &mut Function,
    block: Block,
    args: &[Value],
    fact: Option<(Value, bool)>,
) -> Option<Edge> {
    let fact =
        fact.map(|(value, holds)| (value, function.value(Type::Pred, Def::constant(u64::from(holds)))));
    let data = &function.blocks[block.index()];
    let mut known: Vec<(Value, Value)> = data.params.iter().copied().zip(args.iter().copied()).collect();
    known.extend(fact);
    let find = |known: &[(Value, Value)], value: Value| {
        known.iter().find(|(from, _)| *from == value).map_or(value, |(_, to)| *to)
    };
    let insts = data.insts.clone();
    for inst in insts {
        let data = &function.insts[inst.index()];
        let mut bits = Vec::with_capacity(data.args.len());
        for arg in &data.args {
            bits.push(function.constant(find(&known, *arg))?);
        }
        let (result, first) = (*data.results.first()?, function.ty(function.resolve(*data.args.first()?)));
        let ty = function.ty(result);
        let folded = match (&data.op, bits.as_slice()) {
            (Op::Unary(op), [a]) => Some(fold::unary(*op, ty, *a)),
            (Op::Binary(op), [a, b]) => fold::binary(*op, ty, *a, *b),
            (Op::Compare(op), [a, b]) => Some(u64::from(fold::compare(*op, first, *a, *b))),
            (Op::Convert(op), [a]) => fold::convert(*op, first, ty, *a),
            _ => None,
        }?;
        let constant = function.value(ty, Def::constant(folded));
        known.push((result, constant));
    }
    let mut edge = match &function.blocks[block.index()].end {
        Terminator::Branch(predicate, yes, no) => {
            let predicate = function.constant(find(&known, *predicate))?;
            if predicate == 1 { yes } else { no }
        }
        Terminator::Switch(value, cases, other) => {
            let bits = function.constant(find(&known, *value))?;
            cases.iter().find(|(number, _)| *number == bits).map_or(other, |(_, edge)| edge)
        }
        Terminator::Jump(_) | Terminator::Return(_) | Terminator::Unreachable => return None,
    }
    .clone();
    edge.args.iter_mut().for_each(|arg| *arg = find(&known, *arg));
    Some(edge)
}

/// Edges to empty blocks go where these lead.
fn forward(function: &mut Function, known: &Known) -> bool {
    let cfg = &known.cfg;
    let mut changed = false;
    // Who comes by blocks that are looked at later, in addition to those that did before.
    let mut added: Vec<Vec<Block>> = vec![Vec::new(); function.blocks.len()];
    for block in cfg.order.iter().copied().skip(1) {
        let data = &function.blocks[block.index()];
        let Terminator::Jump(to) = &data.end else { continue };
        if !data.insts.is_empty() || to.block == block {
            continue;
        }
        let to = to.clone();
        let of_own = data.params.is_empty() || known.local(function, block);
        if !of_own {
            continue;
        }
        // A loop whose header is empty: its other blocks may pass by, and its pragma goes with them.
        let (params, unroll, held) = (data.params.clone(), data.unroll, data.held);
        if is_header(cfg, block) && function.blocks[to.block.index()].unroll.is_some() {
            continue;
        }
        let mut preds = cfg.preds(block).to_vec();
        preds.append(&mut added[block.index()]);
        preds.retain(|pred| {
            let mut leads = false;
            for edge in function.blocks[pred.index()].end.edges_mut().filter(|edge| edge.block == block) {
                let args = to.args.iter().map(|arg| match params.iter().position(|param| param == arg) {
                    Some(n) => edge.args.get(n).copied().unwrap_or(*arg),
                    None => *arg,
                });
                *edge = Edge { block: to.block, args: args.collect() };
                leads = true;
            }
            changed |= leads;
            // One that was passed by itself leads here no more.
            leads
        });
        if unroll.is_some() {
            function.blocks[to.block.index()].unroll = unroll;
        }
        function.blocks[to.block.index()].held += held;
        function.blocks[block.index()].end = Terminator::Unreachable;
        added[to.block.index()].extend(preds);
    }
    changed
}

/// A block and the only one that it leads to, which nothing else leads to, become one.
fn merge(function: &mut Function, known: &Known) -> bool {
    let cfg = &known.cfg;
    let mut changed = false;
    let mut gone = vec![false; function.blocks.len()];
    for block in &cfg.order {
        if gone[block.index()] {
            continue;
        }
        while let Terminator::Jump(edge) = &function.blocks[block.index()].end {
            let next = edge.block;
            if next == *block || next.index() == 0 || cfg.preds(next).len() != 1 {
                break;
            }
            let args = edge.args.clone();
            let data = std::mem::take(&mut function.blocks[next.index()]);
            for (param, arg) in data.params.iter().zip(&args) {
                function.replace(*param, *arg);
            }
            let into = &mut function.blocks[block.index()];
            into.insts.extend(data.insts);
            (into.end, into.end_place) = (data.end, data.end_place);
            gone[next.index()] = true;
            changed = true;
        }
    }
    if changed {
        super::resolve_operands(function);
    }
    changed
}

/// Cost of executing an instruction that was not asked for; none where that must not be.
fn cost(function: &Function, inst: Inst) -> Option<u32> {
    if !speculatable(function, inst) {
        return None;
    }
    let data = &function.insts[inst.index()];
    Some(match &data.op {
        Op::Binary(Binary::SDiv | Binary::UDiv | Binary::SRem | Binary::URem | Binary::FDiv) => 4,
        Op::Builtin(..) => 4,
        Op::Convert(Convert::Bits | Convert::Space | Convert::Truncate) => 0,
        // An address costs nothing where the access takes it.
        Op::Offset => u32::from(data.args.get(1).is_none_or(|by| function.constant(*by).is_none())),
        _ => 1,
    })
}

fn cost_of_block(function: &Function, block: Block) -> Option<u32> {
    let mut sum = 0u32;
    for inst in &function.blocks[block.index()].insts {
        sum = sum.saturating_add(cost(function, *inst)?);
    }
    Some(sum)
}

/// Short branches without effects become selects.
fn to_selects(function: &mut Function, known: &Known) -> bool {
    let cfg = &known.cfg;
    let mut preds: Vec<usize> =
        (0..function.blocks.len()).map(|at| cfg.preds(Block(at as u32)).len()).collect();
    let mut changed = false;
    // From the end, so that inner branches come first.
    for block in cfg.order.iter().rev() {
        let Terminator::Branch(predicate, yes, no) = &function.blocks[block.index()].end else { continue };
        let short = |edge: &Edge| {
            preds[edge.block.index()] == 1
                && matches!(function.blocks[edge.block.index()].end, Terminator::Jump(_))
        };
        if yes.block == no.block || !(short(yes) || short(no)) {
            continue;
        }
        let side = |edge: &Edge| {
            let Terminator::Jump(to) = &function.blocks[edge.block.index()].end else { return None };
            let alone =
                preds[edge.block.index()] == 1 && function.blocks[edge.block.index()].params.is_empty();
            (alone && edge.block != *block && to.block != edge.block).then_some(to)
        };
        // Blocks whose contents come here, and the edges that then meet.
        let both = [yes.block, no.block];
        let (blocks, a, b) = match (side(yes), side(no)) {
            (Some(a), Some(b)) if a.block == b.block => (&both[..], a, b),
            (Some(a), _) if a.block == no.block => (&both[..1], a, no),
            (_, Some(b)) if b.block == yes.block => (&both[1..], yes, b),
            _ => continue,
        };
        if a.block == *block && function.blocks[block.index()].unroll.is_some() {
            continue;
        }
        let Some(sum) =
            blocks.iter().try_fold(0u32, |sum, block| Some(sum + cost_of_block(function, *block)?))
        else {
            continue;
        };
        let two = preds[a.block.index()] == 2;
        if sum > if two { FOLDED } else { 1 } || (!two && blocks.len() > 1 && sum > 0) {
            continue;
        }
        let (predicate, a, b) = (*predicate, a.clone(), b.clone());
        let Some(edge) = join_speculated(function, *block, predicate, &a, &b, blocks) else { continue };
        preds[edge.block.index()] -= 1;
        function.blocks[block.index()].end = Terminator::Jump(edge);
        for side in blocks {
            function.blocks[side.index()].end = Terminator::Unreachable;
            preds[side.index()] = 0;
        }
        changed = true;
    }
    changed
}

fn join_speculated(
    function: &mut Function,
    block: Block,
    predicate: Value,
    a: &Edge,
    b: &Edge,
    blocks: &[Block],
) -> Option<Edge> {
    let different =
        a.args.iter().zip(&b.args).filter(|(a, b)| function.resolve(**a) != function.resolve(**b)).count();
    if different > SELECTS {
        return None;
    }
    for side in blocks {
        let insts = std::mem::take(&mut function.blocks[side.index()].insts);
        function.blocks[block.index()].insts.extend(insts);
    }
    join(function, block, predicate, a, b)
}

/// Branches in a row, one way of which is the same, become one on all predicates.
fn to_conjunctions(function: &mut Function, known: &Known) -> bool {
    let cfg = &known.cfg;
    let mut changed = false;
    // From the beginning, so that a block takes in all that follow, each for itself small enough. Counts of predecessors only
    // fall, so what is 1 stays so.
    for block in &cfg.order {
        while to_conjunction(function, cfg, *block) {
            changed = true;
        }
    }
    changed
}

/// A block's branch and the one after it as one; whether it could be.
fn to_conjunction(function: &mut Function, cfg: &Cfg, block: Block) -> bool {
    let Terminator::Branch(_, yes, no) = &function.blocks[block.index()].end else { return false };
    let branches = |edge: &Edge| {
        cfg.preds(edge.block).len() == 1
            && matches!(function.blocks[edge.block.index()].end, Terminator::Branch(..))
    };
    if !(branches(yes) || branches(no)) {
        return false;
    }
    let Terminator::Branch(first, yes, no) = function.blocks[block.index()].end.clone() else { return false };
    for (way, inner, other) in [(true, &yes, &no), (false, &no, &yes)] {
        let data = &function.blocks[inner.block.index()];
        let Terminator::Branch(second, inner_yes, inner_no) = &data.end else { continue };
        if cfg.preds(inner.block).len() != 1
            || inner.block == block
            || !data.params.is_empty()
            || data.insts.len() > 2
            || cost_of_block(function, inner.block).is_none_or(|cost| cost > 2)
        {
            continue;
        }
        let common = |edge: &Edge| edge.block == other.block && same_args(function, &edge.args, &other.args);
        // Where the second leads in addition to the common block, and whether it does so when its predicate holds.
        let (rest, holds) = if common(inner_no) && inner_yes.block != other.block {
            (inner_yes.clone(), true)
        } else if common(inner_yes) && inner_no.block != other.block {
            (inner_no.clone(), false)
        } else {
            continue;
        };
        let (second, other, inner) = (*second, other.clone(), inner.block);
        let insts = std::mem::take(&mut function.blocks[inner.index()].insts);
        function.blocks[block.index()].insts.extend(insts);
        function.blocks[inner.index()].end = Terminator::Unreachable;
        let first = predicate(function, block, first, way);
        let second = predicate(function, block, second, holds);
        let place = function.blocks[block.index()].end_place;
        let both = function.inst(Op::Binary(Binary::And), [first, second], &[Type::Pred], place);
        function.blocks[block.index()].insts.push(both);
        let both = function.insts[both.index()].results[0];
        function.blocks[block.index()].end = Terminator::Branch(both, rest, other);
        return true;
    }
    false
}

/// Whether two edges pass the same.
pub(crate) fn same_args(function: &Function, a: &[Value], b: &[Value]) -> bool {
    let same = |a: Value, b: Value| {
        let (a, b) = (function.resolve(a), function.resolve(b));
        a == b || (function.constant(a).is_some() && function.constant(a) == function.constant(b))
    };
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(*a, *b))
}

/// A predicate, or its opposite.
fn predicate(function: &mut Function, block: Block, value: Value, holds: bool) -> Value {
    if holds {
        return value;
    }
    let place = function.blocks[block.index()].end_place;
    let inst = function.inst(Op::Unary(Unary::Not), [value], &[Type::Pred], place);
    function.blocks[block.index()].insts.push(inst);
    function.insts[inst.index()].results[0]
}

#[cfg(test)]
mod tests {
    use crate::passes::test::changed;

    fn run(text: &str) -> String {
        changed(text, |function, _| super::run(function))
    }

    #[test]
    fn a_branch_on_a_constant_is_a_jump_and_straight_lines_are_one_block() {
        let text = "function @f() -> i32 {\nb0:\n  branch 1:pred, b1, b2\nb1:\n  jump b3(1:i32)\nb2:\n  jump b3(2:i32)\nb3(x: i32):\n  return x\n}";
        assert_eq!(run(text), "function @f() -> i32 {\nb0:\n  return 1:i32\n}\n");
    }

    #[test]
    fn a_short_branch_is_a_select() {
        let text = "function @f(p, x) -> i32 {\nb0(p: pred, x: i32):\n  branch p, b1, b2\nb1:\n  y: i32 = add x, 1:i32\n  jump b2b(y)\nb2:\n  jump b2b(x)\nb2b(z: i32):\n  return z\n}";
        let wanted = "function @f(p, x) -> i32 {\nb0(v0: pred, v1: i32):\n  v2: i32 = add v1, 1:i32\n  v3: i32 = select v0, v2, v1\n  return v3\n}\n";
        assert_eq!(run(text), wanted);
    }

    #[test]
    fn a_branch_around_a_store_stays() {
        let text = "function @f(p, q) {\nb0(p: pred, q: ptr.global):\n  branch p, b1, b2\nb1:\n  store.a4 q, 1:i32\n  jump b2\nb2:\n  return\n}";
        assert!(run(text).contains("branch"));
    }

    #[test]
    fn a_condition_of_two_parts_is_one_branch() {
        let text = "function @f(x, y, q) {\nb0(x: i32, y: i32, q: ptr.global):\n  p: pred = cmp.slt x, 3:i32\n  branch p, b1, b2(0:pred)\nb1:\n  r: pred = cmp.slt y, 3:i32\n  jump b2(r)\nb2(s: pred):\n  branch s, b3, b4\nb3:\n  store.a4 q, 1:i32\n  jump b4\nb4:\n  return\n}";
        let after = run(text);
        assert_eq!(after.matches("branch").count(), 1, "{after}");
        assert!(after.contains("= and v3, v4") || after.contains("select v3, v4, 0:pred"), "{after}");
    }

    #[test]
    fn what_an_edge_passes_decides_the_branch_behind_it() {
        let text = "function @f(p, q, r) {\nb0(p: pred, q: ptr.global, r: pred):\n  branch p, b1, b2\nb1:\n  store.a4 q, 1:i32\n  jump b3(1:i32)\nb2:\n  store.a4 q, 2:i32\n  jump b3(0:i32)\nb3(s: i32):\n  t: pred = cmp.ne s, 0:i32\n  branch t, b4, b5\nb4:\n  store.a4 q, 3:i32\n  jump b5\nb5:\n  return\n}";
        let after = run(text);
        assert_eq!(after.matches("branch").count(), 1, "{after}");
    }

    #[test]
    fn the_pragma_of_a_loop_whose_header_is_empty_stays_with_it() {
        let text = "function @f(q, n) {\nb0(q: ptr.global, n: i32):\n  jump b1(0:i32)\nb1(i: i32) unroll 4:\n  jump b2(i)\nb2(k: i32):\n  store.a4 q, k\n  j: i32 = add k, 1:i32\n  p: pred = cmp.slt j, n\n  branch p, b1(j), b3\nb3:\n  return\n}";
        assert!(run(text).contains("unroll 4"));
    }
}
