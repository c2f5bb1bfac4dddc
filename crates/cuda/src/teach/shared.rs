//! Shared memory: bank conflicts, and elements that another thread wrote without a barrier between.

use crate::builtin::Meaning;
use crate::diagnostic::Diagnostic;
use crate::ir::cfg::Cfg;
use crate::ir::{
    Binary, Block, Compare, Def, Function, Global, GlobalId, Inst, Op, Space, Terminator, Value,
};
use crate::source::Span;

use super::Teacher;
use super::affine::{Affine, address, difference, sum};
use super::divergence::{Divergence, builtin};

/// Access to a shared array at a sum of the thread's indices.
struct Access {
    block: Block,
    /// Place among the instructions of the block.
    at: usize,
    inst: Inst,
    array: GlobalId,
    sum: Affine,
    /// Bytes of each thread.
    size: i64,
    store: bool,
    volatile: bool,
}

/// Looks at the accesses of a kernel.
pub(super) fn look(
    teacher: &mut Teacher<'_>,
    globals: &[Global],
    function: &Function,
    divergence: &Divergence,
) {
    let accesses = accesses(globals, function, divergence);
    let rows = function.insts.iter().any(
        |inst| matches!(&inst.op, Op::Builtin(row, _) if matches!(row.name, "__builtin_threadIdx_y" | "__builtin_threadIdx_z")),
    );
    for access in &accesses {
        conflict(teacher, globals, function, rows, &accesses, access);
    }
    races(teacher, globals, function, divergence, &accesses);
    overwritten(teacher, globals, function, divergence, &accesses);
}

fn accesses(globals: &[Global], function: &Function, divergence: &Divergence) -> Vec<Access> {
    let mut found = vec![];
    let cfg = Cfg::new(function);
    for block in &cfg.order {
        let Some(data) = function.blocks.get(block.index()) else { continue };
        for (at, inst) in data.insts.iter().enumerate() {
            let Some(data) = function.insts.get(inst.index()) else { continue };
            let (store, access, values) = match &data.op {
                Op::Load(access) => (false, access, data.results.as_slice()),
                Op::Store(access) => (true, access, data.args.get(1..).unwrap_or_default()),
                _ => continue,
            };
            let Some(pointer) = data.args.first() else { continue };
            let Some((array, sum)) = address(function, divergence, *pointer) else { continue };
            if globals.get(array.index()).is_none_or(|global| global.space != Space::Shared) {
                continue;
            }
            let size = values.iter().map(|value| i64::from(function.ty(*value).bytes())).sum();
            let (block, inst, volatile) = (*block, *inst, access.volatile);
            found.push(Access { block, at, inst, array, sum, size, store, volatile });
        }
    }
    found
}

/// Where threads of a warp access that many bytes each, at addresses that lie `x` bytes apart along a row of the block of that many
/// threads, and `y` from row to row, all within that many bytes.
#[derive(Clone, Copy)]
pub(super) struct Pattern {
    pub(super) x: i64,
    pub(super) y: i64,
    pub(super) width: i64,
    pub(super) size: i64,
    pub(super) bytes: i64,
}

impl Pattern {
    /// Where a thread's bytes begin, unless the array does not reach as far: such threads do not access it.
    fn start(self, thread: i64) -> Option<i64> {
        let start = (thread % self.width) * self.x + (thread / self.width) * self.y;
        (start.abs() < self.bytes).then_some(start)
    }

    /// Wavefronts that the banks take for each of the groups of threads that are served at once.
    fn groups(self) -> impl Iterator<Item = i64> {
        let lanes = match self.size {
            8 => 16,
            16 => 8,
            _ => 32,
        };
        (0..32 / lanes).map(move |group| {
            let starts = (0..lanes).filter_map(|lane| self.start(group * lanes + lane));
            let words = starts.flat_map(|start| {
                (0..self.size.max(4) / 4).map(move |word| (start + 4 * word).div_euclid(4))
            });
            let mut words: Vec<i64> = words.collect();
            crate::sort::by_key(&mut words, |word| *word);
            words.dedup();
            let most =
                (0..32).map(|bank| words.iter().filter(|word| word.rem_euclid(32) == bank).count()).max();
            most.unwrap_or_default() as i64
        })
    }

    /// Wavefronts for the group that needs most.
    pub(super) fn ways(self) -> i64 {
        self.groups().max().unwrap_or_default().max(1)
    }

    /// Wavefronts for the whole warp, where the array shows how many of its threads there are.
    fn wavefronts(self) -> Option<i64> {
        let there = (0..32).filter(|thread| self.start(*thread).is_some()).count();
        there.is_power_of_two().then(|| self.groups().sum())
    }
}

/// Whether a thread's neighbouring elements are accessed too, here or in iterations of a loop: four words of them become one access.
fn widened(all: &[Access], access: &Access) -> bool {
    let stride = access.sum.thread[0].abs();
    let walks = access.sum.terms.iter().any(|(_, coefficient)| coefficient.abs() < stride.min(16));
    walks
        || all.iter().any(|other| {
            let near = |gap: Affine| {
                let near = gap.constant != 0 && gap.constant.abs() < stride.min(16);
                gap.thread == [0; 3] && gap.terms.is_empty() && near
            };
            other.array == access.array
                && other.block == access.block
                && other.inst != access.inst
                && other.store == access.store
                && other.sum.minus(&access.sum).is_some_and(near)
        })
}

/// Words of the largest vector type, which a warning takes for a struct.
const MEMBERS: i64 = 4;

fn conflict(
    teacher: &mut Teacher<'_>,
    globals: &[Global],
    function: &Function,
    rows: bool,
    all: &[Access],
    access: &Access,
) {
    let [x, y, _] = access.sum.thread;
    if x % 4 != 0 || x % access.size.max(1) != 0 {
        return;
    }
    let wide = widened(all, access);
    let sizes = [access.size, 8, 16].into_iter();
    let sizes: Vec<i64> =
        sizes.filter(|size| *size == access.size || (wide && x % size == 0 && y % size == 0)).collect();
    // Of a block with several rows, the width is not known: all usual ones must conflict.
    let widths: &[i64] = if rows { &[8, 16, 32] } else { &[32] };
    let bytes = globals.get(access.array.index()).map_or(0, |global| global.size);
    let bytes = if bytes == 0 { i64::MAX } else { i64::try_from(bytes).unwrap_or(i64::MAX) };
    let pattern = |width: i64, size: i64| Pattern { x, y, width, size, bytes };
    if widths.iter().any(|width| sizes.iter().any(|size| pattern(*width, *size).ways() < 2)) {
        return;
    }
    let name = teacher.name(globals, access.array);
    let words = (x / 4).abs();
    let Some(span) = place(teacher, function, access.inst) else { return };
    let message = format!("bank conflict: neighbouring threads along x access `{name}` {words} words apart");
    let ways = pattern(32, access.size).ways();
    // Whether the access becomes a wider one, with another count, later passes decide.
    let wider = sizes.iter().any(|size| pattern(32, *size).ways() != ways);
    let label = match pattern(32, access.size).wavefronts() {
        Some(wavefronts) if !wider => {
            let block = if rows { ", in a block that is 32 wide" } else { "" };
            format!("{ways}-way: a warp needs {wavefronts} wavefronts for this access{block}")
        }
        _ => "the words of several threads of a warp are in one bank".to_owned(),
    };
    // So few words are a struct, such as `float4`, rather than a row of a tile.
    let help = match words <= MEMBERS {
        true => {
            "let neighbouring `threadIdx.x` access neighbouring words: give each member of a struct an array of its own, or \
             access the whole struct at once"
        }
        false => {
            "let neighbouring `threadIdx.x` access neighbouring elements, or pad the rows by one element, as in \
             `float tile[32][33]`"
        }
    };
    teacher.warn(Diagnostic::warning("bank-conflict", span, message).label(label).help(help));
}

fn place(teacher: &Teacher<'_>, function: &Function, inst: Inst) -> Option<Span> {
    function.insts.get(inst.index()).and_then(|data| teacher.place(function, data.place))
}

/// Whether threads may wait for each other in an operation, or memory is ordered in it, so that nothing is certain after it.
fn orders(op: &Op) -> bool {
    match op {
        Op::Builtin(row, _) => {
            !matches!(row.meaning, Meaning::Pure(_) | Meaning::Known(_) | Meaning::Told(_))
        }
        Op::Call(_) | Op::CallIndirect | Op::Asm(_) => true,
        Op::Unary(_)
        | Op::Binary(_)
        | Op::Compare(_)
        | Op::Select
        | Op::Fma
        | Op::Convert(_)
        | Op::Slot { .. }
        | Op::Global(_)
        | Op::Function(_)
        | Op::Offset
        | Op::Load(_)
        | Op::Store(_)
        | Op::Copy { .. }
        | Op::Zero { .. } => false,
    }
}

/// Stores whose elements other threads load with no barrier between.
fn races(
    teacher: &mut Teacher<'_>,
    globals: &[Global],
    function: &Function,
    divergence: &Divergence,
    accesses: &[Access],
) {
    for store in accesses.iter().filter(|access| access.store && !access.volatile) {
        if chosen(function, divergence, store.block) {
            continue;
        }
        for load in accesses.iter().filter(|access| !access.store && !access.volatile) {
            if store.array == load.array
                && !chosen(function, divergence, load.block)
                && others(&store.sum, &load.sum, store.size)
                && !own(accesses, load)
                && reaches(function, store, load)
            {
                tell(teacher, globals, function, store, load);
                break;
            }
        }
    }
}

/// Whether a thread certainly loads what another stores: each stores an element next to its neighbour's, and loads one that many
/// elements further on, or the same as all others.
fn others(store: &Affine, load: &Affine, size: i64) -> bool {
    let Some(gap) = load.minus(store) else { return false };
    let neighbours = store.thread[0] == size && store.thread[1] == 0 && store.thread[2] == 0;
    let shifted =
        gap.thread == [0; 3] && gap.terms.is_empty() && gap.constant != 0 && gap.constant % size == 0;
    let turned = load.thread == [-size, 0, 0];
    neighbours && (shifted || turned)
}

/// Whether the thread itself stores to what it loads.
fn own(accesses: &[Access], load: &Access) -> bool {
    accesses.iter().any(|access| access.store && access.array == load.array && access.sum == load.sum)
}

/// Whether only chosen threads come to a block: one whose index is compared for equality.
fn chosen(function: &Function, divergence: &Divergence, block: Block) -> bool {
    let mut block = block;
    for _ in 0..function.blocks.len() {
        let Some(branch) = divergence.branch(block) else { return false };
        let Some(data) = function.blocks.get(branch.index()) else { return true };
        let Terminator::Branch(condition, ..) = data.end else { return true };
        if !ordered(function, condition) || branch == block {
            return true;
        }
        block = branch;
    }
    true
}

/// Whether a condition is a comparison of order, such as `i < n`, which many threads come through.
fn ordered(function: &Function, condition: Value) -> bool {
    let Some(data) = function.values.get(function.resolve(condition).index()) else { return false };
    let Def::Result(inst, _) = data.def else { return false };
    match function.insts.get(inst.index()).map(|data| (&data.op, data.args.as_slice())) {
        Some((Op::Compare(op), args)) => {
            let thread = |value: &Value| builtin(function, *value).is_some();
            let few = args.iter().any(|arg| function.constant(*arg).is_some()) && args.iter().any(thread);
            !few && !matches!(op, Compare::Eq | Compare::Ne)
        }
        _ => false,
    }
}

/// Whether the load comes after the store in the same block, or in one that follows it alone, with nothing between that orders memory.
fn reaches(function: &Function, store: &Access, load: &Access) -> bool {
    let mut block = store.block;
    let mut from = store.at + 1;
    for _ in 0..16 {
        let Some(data) = function.blocks.get(block.index()) else { return false };
        let to = if block == load.block && load.at >= from { load.at } else { data.insts.len() };
        let between = data.insts.get(from..to).unwrap_or_default();
        if between.iter().any(|inst| function.insts.get(inst.index()).is_none_or(|data| orders(&data.op))) {
            return false;
        }
        if block == load.block && load.at >= from {
            return true;
        }
        match &data.end {
            Terminator::Jump(edge) => block = edge.block,
            Terminator::Branch(..)
            | Terminator::Switch(..)
            | Terminator::Return(_)
            | Terminator::Unreachable => return false,
        }
        from = 0;
    }
    false
}

/// Stores to elements that other threads may still load: a barrier is missing after the loads, most often at the end of a
/// loop that fills the array again in each iteration.
fn overwritten(
    teacher: &mut Teacher<'_>,
    globals: &[Global],
    function: &Function,
    divergence: &Divergence,
    accesses: &[Access],
) {
    for store in accesses.iter().filter(|access| access.store && !access.volatile) {
        // Each thread its own element, the same in each iteration.
        let own = store.sum.thread != [0; 3] && store.sum.terms.is_empty();
        if !own || chosen(function, divergence, store.block) {
            continue;
        }
        let dynamic = globals.get(store.array.index()).is_none_or(|global| global.size == 0);
        let others = |load: &&Access| {
            !load.store
                && !load.volatile
                && load.array == store.array
                && load.sum.thread != store.sum.thread
                && load.sum.constant == store.sum.constant
                && !(dynamic && elsewhere(function, load))
                && !left_out(function, divergence, store, load)
                && !is_own(function, divergence, store, load)
        };
        let before = |load: &&Access| unordered(function, divergence, load, store);
        if let Some(load) = accesses.iter().filter(others).find(before) {
            tell_overwritten(teacher, globals, function, store, load);
        }
    }
}

/// Whether a load is at a distance from the beginning that no loop changes: where the launch says how long an array is, most often
/// another array begins there, as in `float *b = a + n`.
fn elsewhere(function: &Function, load: &Access) -> bool {
    load.sum.terms.iter().any(|(value, _)| {
        !matches!(function.values.get(value.index()).map(|data| data.def), Some(Def::Param(block, _)) if block != Block(0))
    })
}

/// Whether a store is guarded by a comparison that leaves out the thread whose element is loaded, as `t > j` does where
/// `b[t]` is stored and `b[j]` loaded.
fn left_out(function: &Function, divergence: &Divergence, store: &Access, load: &Access) -> bool {
    let Some(gap) = load.sum.minus(&store.sum) else { return false };
    let mut block = store.block;
    for _ in 0..function.blocks.len() {
        let Some(branch) = divergence.branch(block).filter(|branch| *branch != block) else { return false };
        let end = function.blocks.get(branch.index()).map(|data| &data.end);
        if let Some(Terminator::Branch(condition, yes, no)) = end
            && (yes.block == block) != (no.block == block)
            && let Def::Result(inst, _) = function.values[function.resolve(*condition).index()].def
            && let Op::Compare(compare) = function.insts[inst.index()].op
            && let [a, b] = *function.insts[inst.index()].args.as_slice()
        {
            let holds = if yes.block == block { compare } else { compare.inverted() };
            let never_equal =
                matches!(holds, Compare::Ne | Compare::SLt | Compare::SGt | Compare::ULt | Compare::UGt);
            let compared = difference(function, divergence, a, b);
            if never_equal && compared.is_some_and(|compared| gap.is_multiple_of(&compared)) {
                return true;
            }
        }
        block = branch;
    }
    false
}

/// Whether the threads that come to a load are those that store the element: `b[0]` by thread 0 alone, where each stores `b[t]`.
fn is_own(function: &Function, divergence: &Divergence, store: &Access, load: &Access) -> bool {
    let Some(mut gap) = load.sum.minus(&store.sum) else { return false };
    let mut block = load.block;
    for _ in 0..function.blocks.len() {
        let Some(branch) = divergence.branch(block).filter(|branch| *branch != block) else { break };
        let end = function.blocks.get(branch.index()).map(|data| &data.end);
        if let Some(Terminator::Branch(condition, yes, no)) = end {
            let by = |to: Block| leads(function, to, branch, load.block);
            match (by(yes.block), by(no.block)) {
                (true, false) => equalities(function, divergence, *condition, true, &mut gap),
                (false, true) => equalities(function, divergence, *condition, false, &mut gap),
                (true, true) | (false, false) => {}
            }
        }
        block = branch;
    }
    gap == Affine::default()
}

/// Takes off a distance what is zero where a condition holds or does not.
fn equalities(function: &Function, divergence: &Divergence, condition: Value, holds: bool, gap: &mut Affine) {
    let Some(data) = function.values.get(function.resolve(condition).index()) else { return };
    let Def::Result(inst, _) = data.def else { return };
    let Some(data) = function.insts.get(inst.index()) else { return };
    let [a, b] = *data.args.as_slice() else { return };
    match &data.op {
        Op::Compare(compare) => {
            let compare = if holds { *compare } else { compare.inverted() };
            // An index below 1 is 0.
            let first = compare == Compare::ULt && function.constant(b) == Some(1)
                || compare == Compare::SLt
                    && function.constant(b) == Some(1)
                    && builtin(function, a).is_some_and(|name| name.starts_with("__builtin_threadIdx"));
            let zero = match compare {
                Compare::Eq => difference(function, divergence, a, b),
                _ if first => sum(function, divergence, a),
                _ => None,
            };
            if let Some(left) = zero.and_then(|zero| gap.without(&zero)) {
                *gap = left;
            }
        }
        // All parts of `a && b` hold; none of `a || b`.
        Op::Binary(Binary::And) if holds => {
            equalities(function, divergence, a, holds, gap);
            equalities(function, divergence, b, holds, gap);
        }
        Op::Binary(Binary::Or) if !holds => {
            equalities(function, divergence, a, holds, gap);
            equalities(function, divergence, b, holds, gap);
        }
        _ => {}
    }
}

/// Whether there is a way from a load to a store on which nothing orders memory. Where all threads together decide whether they
/// take a barrier on this way, as in `if (turn > 0) __syncthreads();`, it is not known that they go past it.
fn unordered(function: &Function, divergence: &Divergence, load: &Access, store: &Access) -> bool {
    let ordered_at_once = |block: Block| {
        let insts = function.blocks.get(block.index()).map_or(&[][..], |data| data.insts.as_slice());
        let until = if block == store.block { store.at } else { insts.len() };
        let mut before = insts.iter().take(until).map(|inst| function.insts.get(inst.index()));
        before.any(|data| data.is_none_or(|data| orders(&data.op)))
    };
    let by_barrier = |block: Block| ordered_at_once(block) && leads(function, block, load.block, store.block);
    let mut seen = vec![false; function.blocks.len()];
    let mut pending = vec![(load.block, load.at + 1)];
    while let Some((block, from)) = pending.pop() {
        let Some(data) = function.blocks.get(block.index()) else { continue };
        let rest = data.insts.get(from..).unwrap_or_default();
        let mut open = true;
        for (at, inst) in rest.iter().enumerate() {
            if block == store.block && from + at == store.at {
                return true;
            }
            if function.insts.get(inst.index()).is_none_or(|data| orders(&data.op)) {
                open = false;
                break;
            }
        }
        if !open {
            continue;
        }
        let mut next = |block: Block| {
            if let Some(seen) = seen.get_mut(block.index())
                && !std::mem::replace(seen, true)
            {
                pending.push((block, 0));
            }
        };
        match &data.end {
            Terminator::Jump(edge) => next(edge.block),
            Terminator::Branch(condition, yes, no) => {
                let together = !divergence.value(function, *condition);
                if !(together && (by_barrier(yes.block) || by_barrier(no.block))) {
                    next(yes.block);
                    next(no.block);
                }
            }
            Terminator::Switch(_, cases, default) => {
                for (_, edge) in cases {
                    next(edge.block);
                }
                next(default.block);
            }
            Terminator::Return(_) | Terminator::Unreachable => {}
        }
    }
    false
}

/// Whether a way leads from one block to another that does not go through a third.
fn leads(function: &Function, from: Block, around: Block, to: Block) -> bool {
    let mut seen = vec![false; function.blocks.len()];
    let mut pending = vec![from];
    while let Some(block) = pending.pop() {
        if block == around || seen.get_mut(block.index()).is_none_or(|seen| std::mem::replace(seen, true)) {
            continue;
        }
        if block == to {
            return true;
        }
        let Some(data) = function.blocks.get(block.index()) else { continue };
        pending.extend(data.end.edges().map(|edge| edge.block));
    }
    false
}

fn tell_overwritten(
    teacher: &mut Teacher<'_>,
    globals: &[Global],
    function: &Function,
    store: &Access,
    load: &Access,
) {
    let (Some(written), Some(read)) =
        (place(teacher, function, store.inst), place(teacher, function, load.inst))
    else {
        return;
    };
    let name = teacher.name(globals, store.array);
    // Blocks are looked at in an order in which only loops lead back.
    let order = Cfg::new(function).order;
    let place = |access: &Access| (order.iter().position(|block| *block == access.block), access.at);
    let again = place(store) < place(load);
    let (label, help) = if again {
        (
            "the next iteration of the loop stores here, with no barrier after the reads of this one",
            "write a second `__syncthreads();` at the end of the loop, after the last read",
        )
    } else {
        ("there is no barrier between the read and this store", "write `__syncthreads();` before this store")
    };
    let message =
        format!("this overwrites an element of `{name}` that another thread may still have to read");
    teacher.warn(
        Diagnostic::warning("missing-barrier", written, message)
            .label(label)
            .related(read, "elements of other threads are read here")
            .help(help),
    );
}

fn tell(teacher: &mut Teacher<'_>, globals: &[Global], function: &Function, store: &Access, load: &Access) {
    let (Some(written), Some(read)) =
        (place(teacher, function, store.inst), place(teacher, function, load.inst))
    else {
        return;
    };
    let name = teacher.name(globals, store.array);
    let message =
        format!("this reads an element of `{name}` that another thread writes, without a barrier in between");
    teacher.warn(
        Diagnostic::warning("missing-barrier", read, message)
            .label("the other thread may not have written it yet")
            .related(written, "each thread writes its own element here")
            .help("write `__syncthreads();` between the store and the load"),
    );
}
