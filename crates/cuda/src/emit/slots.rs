//! Where a function's variables lie in local memory.
//!
//! Enters: a legal function. Leaves: an offset for each slot. Slots that are never needed at the same time share bytes, as
//! those of functions inlined side by side are: a thread's local memory is its caches' and its stack's, which a program may
//! limit (`cudaLimitStackSize`). This module must never know what PTX looks like.

use super::select::Selection;
use crate::hash::Map;
use crate::ir::cfg::Cfg;
use crate::ir::{Block, Function, Op, Terminator, Value};

/// Least size of a slot that is worth sharing, bytes.
const WORTH: u64 = 32;

/// Most slots that are looked at, a bit each; others share nothing.
const MOST: usize = 64;

/// Offsets of slots, with the size and alignment of all of them together, bytes.
#[derive(Debug, Default)]
pub(super) struct Slots {
    /// By a slot's value.
    pub(super) offsets: Map<Value, u64>,
    pub(super) size: u64,
    pub(super) align: u32,
}

/// Bytes that are taken.
struct Placed {
    begin: u64,
    end: u64,
    /// Number among those that may share.
    shares: Option<usize>,
}

impl Slots {
    /// Lays out the slots that are written.
    pub(super) fn new(function: &Function, layout: &[Block], selection: &Selection) -> Slots {
        let all = layout.iter().flat_map(|block| &function.blocks[block.index()].insts);
        let all: Vec<(Value, u64, u32)> = all
            .filter(|inst| selection.written(**inst))
            .filter_map(|inst| {
                let data = &function.insts[inst.index()];
                let Op::Slot { size, align } = data.op else { return None };
                Some((data.results[0], size, align.max(1)))
            })
            .collect();
        let mut candidates: Vec<Value> =
            all.iter().filter(|(_, size, _)| *size >= WORTH).map(|(value, ..)| *value).collect();
        candidates.truncate(MOST);
        let ranges = if candidates.len() > 1 { ranges(function, &candidates) } else { vec![] };
        let apart = |a: Option<usize>, b: Option<usize>| {
            let range = |number: Option<usize>| number.and_then(|number| ranges.get(number)?.as_ref());
            let (Some(a), Some(b)) = (range(a), range(b)) else { return false };
            a.iter().zip(b).all(|(a, b)| !(*a && *b))
        };
        let mut slots = Slots { align: 1, ..Slots::default() };
        let mut placed: Vec<Placed> = vec![];
        for (value, size, align) in all {
            let shares = candidates.iter().position(|candidate| *candidate == value);
            let mut begin = 0;
            // The lowest place that none of those has which are needed meanwhile; `placed` is in the order of its ends.
            for other in &placed {
                if !apart(shares, other.shares) && other.begin < begin + size.max(1) {
                    begin = begin.max(other.end.next_multiple_of(u64::from(align)));
                }
            }
            let end = begin + size;
            placed.insert(placed.partition_point(|other| other.end <= end), Placed { begin, end, shares });
            slots.offsets.insert(value, begin);
            (slots.size, slots.align) = (slots.size.max(end), slots.align.max(align));
        }
        slots
    }
}

/// Blocks between any two accesses of each candidate: there its contents may be needed. None for one whose address is known to
/// others, which is needed always.
fn ranges(function: &Function, candidates: &[Value]) -> Vec<Option<Vec<bool>>> {
    let cfg = Cfg::new(function);
    let (masks, escaped) = pointers(function, &cfg, candidates);
    let mut accessed = vec![0u64; function.blocks.len()];
    for block in &cfg.order {
        for inst in &function.blocks[block.index()].insts {
            let data = &function.insts[inst.index()];
            let pointers = match data.op {
                Op::Load(_) | Op::Store(_) | Op::Zero { .. } => 1,
                Op::Copy { .. } => 2,
                _ => 0,
            };
            for pointer in data.args.iter().take(pointers) {
                accessed[block.index()] |= masks[function.resolve(*pointer).index()];
            }
        }
    }
    let (mut before, mut after) = (accessed.clone(), accessed);
    // What an access comes before, and what comes before an access.
    loop {
        let mut changed = false;
        for block in &cfg.order {
            let from = cfg
                .preds(*block)
                .iter()
                .fold(before[block.index()], |bits, pred| bits | before[pred.index()]);
            changed |= std::mem::replace(&mut before[block.index()], from) != from;
        }
        for block in cfg.order.iter().rev() {
            let next = function.blocks[block.index()].end.edges();
            let to = next.fold(after[block.index()], |bits, edge| bits | after[edge.block.index()]);
            changed |= std::mem::replace(&mut after[block.index()], to) != to;
        }
        if !changed {
            break;
        }
    }
    let range = |number: usize| {
        let bit = 1 << number;
        let blocks = before.iter().zip(&after).map(|(before, after)| before & after & bit != 0);
        (escaped & bit == 0).then(|| blocks.collect())
    };
    (0..candidates.len()).map(range).collect()
}

/// By value, the candidates whose address it may be made of, a bit each; and those whose address others may know.
fn pointers(function: &Function, cfg: &Cfg, candidates: &[Value]) -> (Vec<u64>, u64) {
    let mut masks = vec![0u64; function.values.len()];
    for (number, slot) in candidates.iter().enumerate() {
        masks[slot.index()] = 1 << number;
    }
    let mut escaped = 0;
    loop {
        let mut changed = false;
        let mut join = |masks: &mut Vec<u64>, to: Value, bits: u64| {
            let mask = &mut masks[to.index()];
            changed |= bits & !*mask != 0;
            *mask |= bits;
        };
        for block in &cfg.order {
            let block = &function.blocks[block.index()];
            for inst in &block.insts {
                let data = &function.insts[inst.index()];
                let of = |masks: &Vec<u64>, args: &[Value]| {
                    args.iter().fold(0, |bits, value| bits | masks[function.resolve(*value).index()])
                };
                match data.op {
                    Op::Slot { .. }
                    | Op::Global(_)
                    | Op::Function(_)
                    | Op::Load(_)
                    | Op::Copy { .. }
                    | Op::Zero { .. } => {}
                    Op::Store(_) => escaped |= of(&masks, &data.args[1..]),
                    Op::Call(_) | Op::CallIndirect | Op::Builtin(..) | Op::Asm(_) => {
                        escaped |= of(&masks, &data.args);
                    }
                    Op::Unary(_)
                    | Op::Binary(_)
                    | Op::Compare(_)
                    | Op::Select
                    | Op::Fma
                    | Op::Convert(_)
                    | Op::Offset => {
                        let bits = of(&masks, &data.args);
                        for result in data.results.iter() {
                            join(&mut masks, *result, bits);
                        }
                    }
                }
            }
            if let Terminator::Return(values) = &block.end {
                for value in values {
                    escaped |= masks[function.resolve(*value).index()];
                }
            }
            for edge in block.end.edges() {
                for (param, arg) in function.blocks[edge.block.index()].params.iter().zip(&edge.args) {
                    let bits = masks[function.resolve(*arg).index()];
                    join(&mut masks, *param, bits);
                }
            }
        }
        if !changed {
            return (masks, escaped);
        }
    }
}
