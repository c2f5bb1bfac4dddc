//! Places in memory that a loop keeps in a value: read once before it, and written once after it.
//!
//! Enters: a function whose loops are rotated. Leaves: loops without loads and stores of a place that they store to in every iteration,
//! and that nothing else in them may touch, as `sum[t] += x[i]` has; every way out of the loop stores what it left. As LLVM's
//! `licm`, by `promoteLoopAccessesToScalars`.
//!
//! Counter: `global_store_requests`. Of `sums` in passes.cu NVRTC's code has 1, ours without the pass 16.

use super::form::{self, Form};
use super::licm::certain;
use crate::ir::loops::Graph;
use crate::ir::{Access, Block, Function, Inst, Op, Space, Type, Value};
use crate::passes::effects::{Effect, effect};
use crate::passes::memory::Aliases;
use crate::passes::{Context, mem2reg};

/// DebugLocation that a loop keeps: the pointer to it, and what it holds.
struct Kept {
    pointer: Value,
    ty: Type,
    access: Access,
    /// Loads and stores of it.
    accesses: Vec<Inst>,
}

/// Loops that are looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Which {
    /// All.
    All,
    /// Those around others.
    Outer,
}

/// Keeps what can be, in inner loops first; whether anything was.
pub(crate) fn run(function: &mut Function, context: &Context<'_>, which: Which) -> bool {
    let mut graph = Graph::new(function);
    let innermost = graph.loops.leaves();
    let looked_at = graph.loops.inner_first().filter(|at| which == Which::All || !innermost.contains(at));
    let headers: Vec<Block> = looked_at.map(|at| graph.loops.all[at].header).collect();
    let mut changed = false;
    for header in headers {
        let Some(one) = graph.loops.all.iter().find(|one| one.header == header) else { continue };
        let mut insts = one.blocks.iter().flat_map(|block| &function.blocks[block.index()].insts);
        if !insts.any(|inst| matches!(function.insts[inst.index()].op, Op::Store(_))) {
            continue;
        }
        let Some(form) = form::within(function, &mut graph, header) else { continue };
        // A loop without an end would never store, and who looks for it would find nothing in it.
        if form.exits.is_empty() {
            continue;
        }
        function.resolve_operands();
        for kept in places(function, context, &form, &graph) {
            keep(function, &form, &kept);
            changed = true;
        }
    }
    changed && mem2reg::run(function)
}

/// What a loop may keep.
fn places(function: &Function, context: &Context<'_>, form: &Form, graph: &Graph) -> Vec<Kept> {
    let insts: Vec<(Block, Inst)> = form
        .blocks
        .iter()
        .flat_map(|block| function.blocks[block.index()].insts.iter().map(|inst| (*block, *inst)))
        .collect();
    let of = |inst: &Inst| effect(&function.insts[inst.index()].op);
    let orders = |(_, inst): &(Block, Inst)| {
        matches!(of(inst), Effect::State | Effect::Fence | Effect::Barrier | Effect::End)
    };
    if insts.iter().any(orders) {
        return vec![];
    }
    let mut varies = vec![false; function.values.len()];
    for block in &form.blocks {
        function.blocks[block.index()].params.iter().for_each(|param| varies[param.index()] = true);
    }
    let results = insts.iter().flat_map(|(_, inst)| &function.insts[inst.index()].results);
    results.for_each(|result| varies[result.index()] = true);
    let mut kept: Vec<Kept> = vec![];
    let mut aliases = None;
    for (block, inst) in &insts {
        let data = &function.insts[inst.index()];
        let (Op::Store(access), [pointer, value]) = (&data.op, data.args.as_slice()) else { continue };
        if access.volatile
            || varies[pointer.index()]
            || kept.iter().any(|one| one.accesses.contains(inst))
            || !certain(function, form, &graph.dominators, *block)
        {
            continue;
        }
        let aliases = aliases.get_or_insert_with(|| Aliases::new(function, &graph.cfg, context));
        let ty = function.ty(*value);
        if let Some(accesses) = all_accesses(function, aliases, &insts, *inst, ty, &varies) {
            kept.push(Kept { pointer: *pointer, ty, access: *access, accesses });
        }
    }
    kept
}

/// Every access of the place that a store writes; `None` where another may touch a part of it.
fn all_accesses(
    function: &Function,
    aliases: &Aliases,
    insts: &[(Block, Inst)],
    store: Inst,
    ty: Type,
    varies: &[bool],
) -> Option<Vec<Inst>> {
    let place = aliases.accessed(function, store)?;
    let mut accesses = vec![];
    for (_, inst) in insts {
        let data = &function.insts[inst.index()];
        if !matches!(effect(&data.op), Effect::Read | Effect::Write | Effect::Update) {
            continue;
        }
        let other = aliases.accessed(function, *inst)?;
        if !aliases.may_alias(&place, &other) {
            continue;
        }
        let scalar = match (&data.op, data.results.as_slice(), data.args.as_slice()) {
            (Op::Load(access), [result], _) if !access.volatile => function.ty(*result),
            (Op::Store(access), _, [_, value]) if !access.volatile => function.ty(*value),
            _ => return None,
        };
        if scalar != ty || other != place || varies[data.args[0].index()] {
            return None;
        }
        accesses.push(*inst);
    }
    Some(accesses)
}

/// Puts a variable in the place of memory, within a loop.
fn keep(function: &mut Function, form: &Form, kept: &Kept) {
    let place = function.insts[kept.accesses[0].index()].place;
    let local = Access { align: kept.ty.bytes(), volatile: false, invariant: false, cache: None };
    let slot = Op::Slot { size: u64::from(kept.ty.bytes()), align: kept.ty.bytes() };
    let slot = function.inst(slot, vec![], &[Type::Ptr(Space::Local)], place);
    function.blocks[0].insts.insert(0, slot);
    let variable = function.insts[slot.index()].results[0];
    let copy = |function: &mut Function, from: (Value, Access), to: (Value, Access)| {
        let load = function.inst(Op::Load(from.1), [from.0], &[kept.ty], place);
        let value = function.insts[load.index()].results[0];
        [load, function.inst(Op::Store(to.1), [to.0, value], &[], place)]
    };
    let memory = (kept.pointer, kept.access);
    let before = copy(function, memory, (variable, local));
    function.blocks[form.preheader.index()].insts.extend(before);
    for inst in &kept.accesses {
        let data = &mut function.insts[inst.index()];
        data.args[0] = variable;
        if let Op::Load(access) | Op::Store(access) = &mut data.op {
            *access = local;
        }
    }
    for exit in &form.exits {
        let behind = copy(function, (variable, local), memory);
        function.blocks[exit.index()].insts.splice(0..0, behind);
    }
}

#[cfg(test)]
mod tests {
    use crate::{Input, Options, compile};

    /// Stores in the loop of a kernel.
    fn stores(body: &str) -> usize {
        let text = format!(
            "__global__ void k(const int *__restrict__ x, int *__restrict__ y, int *__restrict__ z, int n) {{ __shared__ int s[64]; int t = threadIdx.x; s[t] = 0; \n#pragma unroll 1\n for (int i = 0; i < n; i++) {{ {body} }} __syncthreads(); z[t] = s[t ^ 1]; }}"
        );
        let input = Input { name: "k.cu", text: &text, include: &|_| None };
        let ptx = compile(&input, &Options::default()).unwrap().ptx;
        let lines: Vec<&str> = ptx.lines().map(str::trim).collect();
        let turns = lines.iter().enumerate().find_map(|(back, line)| {
            let label = line.split_once("bra")?.1.trim_end_matches(';').split_whitespace().last()?;
            let head = lines[..back].iter().position(|line| line.strip_suffix(':') == Some(label))?;
            Some(&lines[head..back])
        });
        turns.expect("a loop").iter().filter(|line| line.starts_with("st.")).count()
    }

    #[test]
    fn what_every_turn_stores_to_one_place_is_stored_behind_the_loop() {
        assert_eq!(stores("y[t] += x[i];"), 0);
        assert_eq!(stores("s[t] += x[i];"), 0);
        assert_eq!(stores("y[t] = x[i]; if (x[i] > 3) y[t] += 2;"), 0);
        assert_eq!(stores("y[t] += x[i]; if (y[t] > 9) break;"), 0);
    }

    #[test]
    fn what_others_may_see_in_between_is_stored_in_every_turn() {
        assert!(stores("y[t] += x[i]; y[i] += 1;") > 0, "another element may be the same one");
        assert!(stores("if (x[i] > 3) y[t] += 2;") > 0, "perhaps no turn stores");
        assert!(stores("y[t] += x[i]; __threadfence();") > 0);
        assert!(stores("*(volatile int *)(y + t) += x[i];") > 0);
        assert!(stores("while (true) y[t] += x[i];") > 0, "a loop without an end");
    }
}
