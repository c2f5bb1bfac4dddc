//! Reads and writes through a pointer that leads to one of several slots, as LLVM's `SROA` speculates them.
//!
//! Enters: a function. Leaves: `c ? a : b` of variables reads each of them on its way (or both, where there is no way of its
//! own), and chooses between what was read; `(c ? a : b) = x` writes both, one of them what it was. So no address holds the
//! variables back. A place outside of a slot might not exist, so everything that leads there stays; and so does a pointer
//! through which anything else is done.
//!
//! Counter: `local_load_requests`. Of `decode` in tests/programs/compact NVRTC's code has 0, ours without the pass 234.

use super::{align_at, dce};
use crate::ir::cfg::Cfg;
use crate::ir::{Access, Block, DebugLocation, Def, Function, Inst, Op, Space, Type, Value};
use crate::passes::effects::{Effect, effect};

/// Most pointers between one and the slots that it leads to.
const DEPTH: u32 = 8;
/// Bytes of the largest choice between structs that is copied on each way.
const LARGEST: u64 = 64;

/// What is done through a pointer: a load, a copy from there, or a store.
#[derive(Clone, Copy, Debug)]
struct Use {
    block: Block,
    inst: Inst,
    /// Bytes from the pointer.
    offset: u64,
}

/// What is done through a pointer that is chosen.
#[derive(Debug)]
struct Chosen {
    pointer: Value,
    uses: Vec<Use>,
    /// Whether nothing else is done with it.
    only: bool,
}

/// Makes reads of such pointers choices between values; whether there were any.
pub(super) fn run(function: &mut Function, cfg: &Cfg) -> bool {
    let mut changed = false;
    for chosen in chosen(function, cfg) {
        let fits = |read: &Use| {
            leads_to_slots(function, chosen.pointer, read.offset, size(function, read.inst), DEPTH)
        };
        if !chosen.only || chosen.uses.is_empty() || !chosen.uses.iter().all(fits) {
            continue;
        }
        match function.values[chosen.pointer.index()].def {
            Def::Param(block, number) => {
                let one_way_each = preds_once(cfg, block);
                let movable = |read: &Use| {
                    read.block == block
                        && !is_store(function, read.inst)
                        && nothing_written(function, read)
                        && (one_way_each || is_load(function, read.inst))
                };
                if chosen.uses.iter().all(movable) {
                    for read in &chosen.uses {
                        on_each_way(function, cfg, number as usize, read);
                    }
                    changed = true;
                }
            }
            Def::Result(select, _) => {
                let small =
                    |one: &Use| !is_copy(function, one.inst) || parts(function, select, one).is_some();
                if chosen.uses.iter().all(small) {
                    for one in &chosen.uses {
                        match is_store(function, one.inst) {
                            true => write_both(function, select, one),
                            false => read_both(function, select, one),
                        }
                    }
                    changed = true;
                }
            }
            Def::Constant(_) | Def::Undefined | Def::Alias(_) => {}
        }
    }
    if changed {
        crate::passes::resolve_operands(function);
        // Pointers that no one reads through any more would hold their slots back.
        dce::run(function);
    }
    changed
}

/// Pointers that are parameters of blocks or selected, with what is done through them.
fn chosen(function: &Function, cfg: &Cfg) -> Vec<Chosen> {
    const LOCAL: Type = Type::Ptr(Space::Local);
    let mut all: Vec<Chosen> = Vec::new();
    // By value: which of these it is, and how far from it.
    let mut derived: Vec<Option<(usize, u64)>> = vec![None; function.values.len()];
    let mut begin = |derived: &mut Vec<Option<(usize, u64)>>, pointer: Value| {
        derived[pointer.index()] = Some((all.len(), 0));
        all.push(Chosen { pointer, uses: Vec::new(), only: true });
    };
    for block in cfg.order.iter().skip(1) {
        let pointers = function.blocks[block.index()].params.iter();
        pointers.filter(|param| function.ty(**param) == LOCAL).for_each(|param| begin(&mut derived, *param));
    }
    for inst in cfg.order.iter().flat_map(|block| &function.blocks[block.index()].insts) {
        let data = &function.insts[inst.index()];
        if data.op == Op::Select && function.ty(data.results[0]) == LOCAL {
            begin(&mut derived, data.results[0]);
        }
    }
    if all.is_empty() {
        return all;
    }
    for block in &cfg.order {
        for inst in &function.blocks[block.index()].insts {
            let data = &function.insts[inst.index()];
            let of = |n: usize| data.args.get(n).and_then(|arg| derived[arg.index()]);
            let mut used = |at: Option<(usize, u64)>| {
                if let Some((number, offset)) = at {
                    all[number].uses.push(Use { block: *block, inst: *inst, offset });
                }
            };
            match data.op {
                Op::Offset => {
                    let by = data.args.get(1).and_then(|by| function.constant(*by));
                    match (of(0), by) {
                        (Some((number, at)), Some(by)) => {
                            derived[data.results[0].index()] = Some((number, at.wrapping_add(by)));
                        }
                        (Some((number, _)), None) => all[number].only = false,
                        (None, _) => {}
                    }
                }
                Op::Load(access) if !access.volatile => used(of(0)),
                Op::Store(access)
                    if !access.volatile
                        && data.args[1..].iter().all(|arg| derived[arg.index()].is_none()) =>
                {
                    used(of(0));
                }
                Op::Copy { size, .. } if size <= LARGEST => {
                    used(of(1));
                    if let Some((number, _)) = of(0) {
                        all[number].only = false;
                    }
                }
                _ => {
                    for (number, _) in data.args.iter().filter_map(|arg| derived[arg.index()]) {
                        all[number].only = false;
                    }
                }
            }
        }
        function.blocks[block.index()].end.for_each_use(|value| {
            if let Some((number, _)) = derived[value.index()] {
                all[number].only = false;
            }
        });
    }
    all
}

/// Bytes that an instruction reads or writes there.
fn size(function: &Function, inst: Inst) -> u64 {
    let data = &function.insts[inst.index()];
    let bytes = |values: &[Value]| values.iter().map(|value| u64::from(function.ty(*value).bytes())).sum();
    match data.op {
        Op::Copy { size, .. } => size,
        Op::Store(_) => bytes(&data.args[1..]),
        _ => bytes(&data.results),
    }
}

fn is_copy(function: &Function, inst: Inst) -> bool {
    matches!(function.insts[inst.index()].op, Op::Copy { .. })
}

fn is_store(function: &Function, inst: Inst) -> bool {
    matches!(function.insts[inst.index()].op, Op::Store(_))
}

fn is_load(function: &Function, read: Inst) -> bool {
    matches!(function.insts[read.index()].op, Op::Load(_))
}

/// Whether that many bytes at a pointer lie in a slot, whichever of its slots it leads to.
fn leads_to_slots(function: &Function, pointer: Value, offset: u64, size: u64, depth: u32) -> bool {
    let Some(depth) = depth.checked_sub(1) else { return false };
    let Def::Result(inst, _) = function.values[function.resolve(pointer).index()].def else {
        return ways(function, pointer)
            .is_some_and(|ways| ways.iter().all(|way| leads_to_slots(function, *way, offset, size, depth)));
    };
    let data = &function.insts[inst.index()];
    match data.op {
        Op::Slot { size: all, .. } => offset.checked_add(size).is_some_and(|end| end <= all),
        Op::Offset => function
            .constant(data.args[1])
            .is_some_and(|by| leads_to_slots(function, data.args[0], offset.wrapping_add(by), size, depth)),
        Op::Select => data.args[1..].iter().all(|way| leads_to_slots(function, *way, offset, size, depth)),
        _ => false,
    }
}

/// What a block's parameter may be.
fn ways(function: &Function, param: Value) -> Option<Vec<Value>> {
    let Def::Param(block, number) = function.values[function.resolve(param).index()].def else { return None };
    let edges = function.blocks.iter().flat_map(|from| from.end.edges()).filter(|edge| edge.block == block);
    edges.map(|edge| edge.args.get(number as usize).copied()).collect()
}

/// Whether nothing may write memory between the beginning of a read's block and the read.
fn nothing_written(function: &Function, read: &Use) -> bool {
    let before = function.blocks[read.block.index()].insts.iter().take_while(|inst| **inst != read.inst);
    before.into_iter().all(|inst| {
        matches!(
            effect(&function.insts[inst.index()].op),
            Effect::Pure | Effect::Read | Effect::Warp | Effect::State
        )
    })
}

/// Whether no block goes to this one by two edges.
fn preds_once(cfg: &Cfg, block: Block) -> bool {
    let preds = cfg.preds(block);
    preds.iter().enumerate().all(|(n, pred)| !preds[..n].contains(pred))
}

/// Reads at the end of each block from which a pointer comes, in place of a read through the parameter that it becomes.
fn on_each_way(function: &mut Function, cfg: &Cfg, number: usize, read: &Use) {
    let data = function.insts[read.inst.index()].clone();
    let types: Vec<Type> = data.results.iter().map(|result| function.ty(*result)).collect();
    let mut done: Vec<Block> = Vec::new();
    let copied = match data.op {
        Op::Copy { size, align } => {
            let slot =
                function.inst(Op::Slot { size, align }, vec![], &[Type::Ptr(Space::Local)], data.place);
            function.blocks[0].insts.insert(0, slot);
            Some((size, align, function.insts[slot.index()].results[0]))
        }
        _ => None,
    };
    for pred in cfg.preds(read.block) {
        if done.contains(pred) {
            continue;
        }
        done.push(*pred);
        let mut end = std::mem::take(&mut function.blocks[pred.index()].end);
        for edge in end.edges_mut().filter(|edge| edge.block == read.block) {
            let Some(way) = edge.args.get(number).copied() else { continue };
            let place = function.blocks[pred.index()].insts.len();
            let mut at = At { function, block: *pred, place, line: data.place };
            let from = at.offset(way, read.offset);
            if let Some((size, align, slot)) = copied {
                at.add(Op::Copy { size, align }, vec![slot, from], &[]);
            } else {
                let load = at.add(data.op.clone(), vec![from], &types);
                edge.args.extend(function.insts[load.index()].results.iter().copied());
            }
        }
        function.blocks[pred.index()].end = end;
    }
    if let Some((.., slot)) = copied {
        function.insts[read.inst.index()].args[1] = slot;
        return;
    }
    function.blocks[read.block.index()].insts.retain(|inst| *inst != read.inst);
    for (result, ty) in data.results.iter().zip(types) {
        let param = function.block_param(read.block, ty);
        function.replace(*result, param);
    }
}

/// Reads both of the places between which an address was selected, and selects between what was read.
fn read_both(function: &mut Function, select: Inst, read: &Use) {
    let data = function.insts[read.inst.index()].clone();
    let ways = function.insts[select.index()].args.clone();
    let Some(place) = function.blocks[read.block.index()].insts.iter().position(|inst| *inst == read.inst)
    else {
        return;
    };
    let copied = match data.op {
        Op::Copy { .. } => parts(function, select, read),
        _ => None,
    };
    let mut at = At { function, block: read.block, place, line: data.place };
    let chosen = |at: &mut At<'_>, from: u64, access: Access, types: &[Type]| -> Vec<Value> {
        let [yes, no] = [ways[1], ways[2]].map(|way| {
            let from = at.offset(way, read.offset + from);
            at.add(Op::Load(access), vec![from], types)
        });
        let select = |number: usize, ty: &Type, at: &mut At<'_>| {
            let [yes, no] = [yes, no].map(|load| at.function.insts[load.index()].results[number]);
            let value = at.add(Op::Select, vec![ways[0], yes, no], &[*ty]);
            at.function.insts[value.index()].results[0]
        };
        types.iter().enumerate().map(|(number, ty)| select(number, ty, at)).collect()
    };
    match (&data.op, copied) {
        // A copy stores what it read; a load gives it to anyone who uses its results.
        (Op::Copy { align, .. }, Some(parts)) => {
            for (from, ty) in parts {
                let align = align_at(*align, from);
                let access = Access { align, volatile: false, invariant: false, cache: None };
                let value = chosen(&mut at, from, access, &[ty]);
                let to = at.offset(data.args[0], from);
                at.add(Op::Store(access), vec![to, value[0]], &[]);
            }
        }
        (Op::Load(access), _) => {
            let types: Vec<Type> = data.results.iter().map(|result| at.function.ty(*result)).collect();
            let values = chosen(&mut at, 0, *access, &types);
            for (result, value) in data.results.iter().zip(values) {
                at.function.replace(*result, value);
            }
        }
        _ => return,
    }
    function.blocks[read.block.index()].insts.retain(|inst| *inst != read.inst);
}

/// Writes both of the places between which an address was selected: the one that was not meant what it holds. That is read after
/// the first write, since the places may overlap.
fn write_both(function: &mut Function, select: Inst, write: &Use) {
    let data = function.insts[write.inst.index()].clone();
    let ways = function.insts[select.index()].args.clone();
    let Some(place) = function.blocks[write.block.index()].insts.iter().position(|inst| *inst == write.inst)
    else {
        return;
    };
    let Op::Store(access) = data.op else { return };
    let types: Vec<Type> = data.args[1..].iter().map(|value| function.ty(*value)).collect();
    let mut at = At { function, block: write.block, place, line: data.place };
    for (number, way) in ways[1..].iter().enumerate() {
        let to = at.offset(*way, write.offset);
        let held = at.add(Op::Load(Access { cache: None, ..access }), vec![to], &types);
        let mut args = vec![to];
        for (part, ty) in types.iter().enumerate() {
            let mut chosen = [data.args[part + 1], at.function.insts[held.index()].results[part]];
            if number == 1 {
                chosen.reverse();
            }
            let value = at.add(Op::Select, vec![ways[0], chosen[0], chosen[1]], &[*ty]);
            args.push(at.function.insts[value.index()].results[0]);
        }
        at.add(Op::Store(access), args, &[]);
    }
    function.blocks[write.block.index()].insts.retain(|inst| *inst != write.inst);
}

/// The parts of a copy from one of two places that are accessed as such, there or where it goes, with their types and distances; as one
/// word where they overlap. What no one accesses goes in words as large as fit.
fn parts(function: &Function, select: Inst, copy: &Use) -> Option<Vec<(u64, Type)>> {
    let size = size(function, copy.inst);
    let ways = &function.insts[select.index()].args[1..];
    let to = function.root_of(function.insts[copy.inst.index()].args[0]);
    let roots: Vec<(Value, i64)> = ways
        .iter()
        .map(|way| function.root_of(*way))
        .map(|(root, at)| (root, at.wrapping_add_unsigned(copy.offset)))
        .chain([to])
        .collect();
    let mut found: Vec<(u64, Type)> = Vec::new();
    for inst in function.blocks.iter().flat_map(|block| &block.insts) {
        let data = &function.insts[inst.index()];
        let values = match data.op {
            Op::Load(_) => &data.results[..],
            Op::Store(_) => &data.args[1..],
            _ => continue,
        };
        let (root, at) = function.root_of(data.args[0]);
        for (_, begin) in roots.iter().filter(|one| one.0 == root) {
            let mut from = at.wrapping_sub(*begin);
            for value in values {
                let ty = function.ty(*value);
                if let Ok(from) = u64::try_from(from)
                    && from + u64::from(ty.bytes()) <= size
                    && !found.iter().any(|one| one.0 == from && one.1.bytes() == ty.bytes())
                {
                    found.push((from, ty));
                }
                from += i64::from(ty.bytes());
            }
        }
    }
    found.sort_unstable_by_key(|one| one.0);
    let mut parts = Vec::new();
    let mut at = 0;
    for (from, ty) in found.into_iter().chain([(size, Type::I8)]) {
        if from < at {
            return word(size).map(|ty| vec![(0, ty)]);
        }
        while at < from {
            let fits = |bytes: &u64| *bytes <= from - at && at.is_multiple_of(*bytes);
            let bytes = [8, 4, 2, 1].into_iter().find(fits)?;
            parts.push((at, word(bytes)?));
            at += bytes;
        }
        if from < size {
            parts.push((from, ty));
            at += u64::from(ty.bytes());
        }
    }
    Some(parts)
}

/// The type that holds all of that many bytes.
fn word(bytes: u64) -> Option<Type> {
    match bytes {
        1 => Some(Type::I8),
        2 => Some(Type::I16),
        4 => Some(Type::I32),
        8 => Some(Type::I64),
        _ => None,
    }
}

/// DebugLocation in a block, to add instructions before what is there.
struct At<'a> {
    function: &'a mut Function,
    block: Block,
    place: usize,
    line: DebugLocation,
}

impl At<'_> {
    fn add(&mut self, op: Op, args: Vec<Value>, types: &[Type]) -> Inst {
        let inst = self.function.inst(op, args, types, self.line);
        self.function.blocks[self.block.index()].insts.insert(self.place, inst);
        self.place += 1;
        inst
    }

    fn offset(&mut self, pointer: Value, by: u64) -> Value {
        if by == 0 {
            return pointer;
        }
        let bytes = self.function.value(Type::I64, Def::constant(by));
        let inst = self.add(Op::Offset, vec![pointer, bytes], &[Type::Ptr(Space::Local)]);
        self.function.insts[inst.index()].results[0]
    }
}
