//! The plan: which slots are split, and into what.
//!
//! Enters: a function. Leaves: for every slot its parts, found from all accesses and from the copies between slots. Nothing is
//! changed yet.

use super::{Based, based};
use crate::ir::cfg::Cfg;
use crate::ir::{Function, Inst, Op, Type, Value};
use crate::sorted::Sorted;

/// Bytes of the largest slot that is split; the cuts of copies are followed through all slots.
const LARGEST: u64 = 16 * 1024;
/// Bytes of the largest part that is cut into words although nothing but copies touches it.
const CHUNKED: u64 = 128;

/// Part of a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Part {
    pub(super) start: u64,
    pub(super) end: u64,
    /// Type of the scalar that it becomes; none for one that stays memory.
    pub(super) ty: Option<Type>,
    /// The pointer to the part's own slot.
    pub(super) slot: Option<Value>,
}

/// What is known of a slot that is split.
pub(super) struct Split {
    size: u64,
    pub(super) align: u32,
    /// Whether it is split at all.
    pub(super) fits: bool,
    /// Scalars in it: offset and size, with the type that it is accessed by.
    fields: Sorted<(u64, u64), Type>,
    /// Ends of copies, which are cuts as well.
    cuts: Sorted<u64, ()>,
    pub(super) parts: Vec<Part>,
}

/// Copy (or zeroing) that touches a slot.
#[derive(Clone, Copy, Debug)]
struct Bytes {
    to: Option<(u32, u64)>,
    from: Option<(u32, u64)>,
    size: u64,
    align: u32,
}

pub(super) struct Plan {
    based: Vec<Option<Based>>,
    pub(super) slots: Vec<Inst>,
    pub(super) splits: Vec<Split>,
}

impl Plan {
    /// How the slots are to be split; none if no slot is.
    pub(super) fn new(function: &Function, cfg: &Cfg) -> Option<Plan> {
        let (based, slots) = based(function, cfg);
        let splits = slots
            .iter()
            .map(|slot| {
                let Op::Slot { size, align } = function.insts[slot.index()].op else {
                    return Split::new(0, 1);
                };
                Split::new(size, align)
            })
            .collect();
        let mut plan = Plan { based, slots, splits };
        let copies = plan.collect(function, cfg);
        if !plan.splits.iter().any(|split| split.fits) {
            return None;
        }
        plan.share_fields(&copies);
        plan.cut(&copies);
        // A slot that is already one scalar, with no copies, is mem2reg's.
        let useful = |split: &Split| {
            split.fits
                && !(split.parts.len() == 1
                    && split.parts[0].ty.is_none()
                    && split.parts[0].end == split.size)
        };
        plan.splits.iter().any(useful).then_some(plan)
    }

    /// The split slot that a pointer leads into, and where.
    pub(super) fn at(&self, value: Value) -> Option<(u32, u64)> {
        let base = self.based.get(value.index()).copied().flatten()?;
        let split = &self.splits[base.slot as usize];
        let offset = u64::try_from(base.offset?).ok()?;
        (split.fits && offset <= split.size).then_some((base.slot, offset))
    }

    fn lose(&mut self, value: Value) {
        if let Some(base) = self.based[value.index()] {
            self.splits[base.slot as usize].fits = false;
        }
    }

    /// Looks at all uses of slots; returns the copies among them.
    fn collect(&mut self, function: &Function, cfg: &Cfg) -> Vec<Bytes> {
        let mut copies = Vec::new();
        for block in &cfg.order {
            let data = &function.blocks[block.index()];
            for inst in &data.insts {
                let data = &function.insts[inst.index()];
                match data.op {
                    Op::Slot { .. } | Op::Offset => {}
                    Op::Load(access) if !access.volatile => {
                        self.access(function, data.args[0], &data.results)
                    }
                    Op::Store(access) if !access.volatile => {
                        self.access(function, data.args[0], &data.args[1..]);
                        data.args[1..].iter().for_each(|value| self.lose(*value));
                    }
                    Op::Copy { size, align } => copies.extend(self.bytes(&data.args, size, align)),
                    Op::Zero { size, align } => copies.extend(self.bytes(&data.args, size, align)),
                    _ => data.args.iter().for_each(|value| self.lose(*value)),
                }
            }
            data.end.uses().for_each(|value| self.lose(value));
        }
        copies.retain_mut(|copy| {
            copy.to = copy.to.filter(|(slot, _)| self.splits[*slot as usize].fits);
            copy.from = copy.from.filter(|(slot, _)| self.splits[*slot as usize].fits);
            copy.to.is_some() || copy.from.is_some()
        });
        copies
    }

    fn access(&mut self, function: &Function, pointer: Value, values: &[Value]) {
        let Some(base) = self.based[pointer.index()] else { return };
        let split = &mut self.splits[base.slot as usize];
        let Some(mut at) = base.offset.and_then(|offset| u64::try_from(offset).ok()) else {
            split.fits = false;
            return;
        };
        for value in values {
            let ty = function.ty(*value);
            let size = u64::from(ty.bytes());
            if at + size > split.size {
                split.fits = false;
            }
            let known = split.fields.or_insert_with((at, size), || ty);
            // A load as integer of what is else a float or pointer does not decide.
            if matches!(known, Type::I8 | Type::I16 | Type::I32 | Type::I64) {
                *known = ty;
            }
            at += size;
        }
    }

    fn bytes(&mut self, args: &[Value], size: u64, align: u32) -> Option<Bytes> {
        let mut ends = [None, None];
        for (end, arg) in ends.iter_mut().zip(args) {
            let Some(base) = self.based[arg.index()] else { continue };
            let split = &mut self.splits[base.slot as usize];
            match base.offset.and_then(|offset| u64::try_from(offset).ok()) {
                Some(at) if at.checked_add(size).is_some_and(|end| end <= split.size) => {
                    *end = Some((base.slot, at));
                    split.cuts.add(at);
                    split.cuts.add(at + size);
                }
                _ => split.fits = false,
            }
        }
        // Elements of an array are copied from each other; bytes that overlap are not copied piece by piece.
        if let [Some((to, at)), Some((from, from_at))] = ends
            && to == from
            && at.abs_diff(from_at) < size
            && at != from_at
        {
            self.splits[to as usize].fits = false;
        }
        (ends != [None, None]).then_some(Bytes { to: ends[0], from: ends[1], size, align })
    }

    /// Gives each end of a copy the scalars of the other, until nothing is new.
    fn share_fields(&mut self, copies: &[Bytes]) {
        let mut changed = true;
        while changed {
            changed = false;
            for copy in copies {
                let (Some(to), Some(from)) = (copy.to, copy.from) else { continue };
                for ((a, a_at), (b, b_at)) in [(to, from), (from, to)] {
                    let inside: Vec<((u64, u64), Type)> = self.splits[a as usize]
                        .fields
                        .range((a_at, 0)..(a_at + copy.size, 0))
                        .iter()
                        .filter(|((at, size), _)| at + size <= a_at + copy.size)
                        .map(|((at, size), ty)| ((at - a_at + b_at, *size), *ty))
                        .collect();
                    let cuts: Vec<u64> = self.splits[a as usize]
                        .cuts
                        .range(a_at..a_at + copy.size)
                        .iter()
                        .map(|(at, ())| at - a_at + b_at)
                        .collect();
                    let other = &mut self.splits[b as usize];
                    for (key, ty) in inside {
                        other.fields.or_insert_with(key, || {
                            changed = true;
                            ty
                        });
                    }
                    for cut in cuts {
                        changed |= other.cuts.add(cut);
                    }
                }
            }
        }
    }

    /// Decides on the parts of each slot.
    fn cut(&mut self, copies: &[Bytes]) {
        // What only copies touch is cut into words; cuts go through copies as scalars do.
        let mut words: Vec<(u32, u64, u64)> = Vec::new();
        for copy in copies {
            for (slot, at) in [copy.to, copy.from].into_iter().flatten() {
                let split = &self.splits[slot as usize];
                let widest =
                    u64::from(copy.align.min(split.align).max(1)).min(split.widest(at, at + copy.size));
                for (start, end) in split.gaps(at, at + copy.size) {
                    if end - start <= CHUNKED {
                        let mut from = start;
                        while from < end {
                            let step = word(from, end, widest);
                            words.push((slot, from, step));
                            from += step;
                        }
                    }
                }
            }
        }
        for (slot, at, size) in words {
            let ty = integer(size);
            if self.splits[slot as usize].gaps(at, at + size) == [(at, at + size)] {
                self.splits[slot as usize].fields.insert((at, size), ty);
            }
        }
        self.share_fields(copies);
        for split in &mut self.splits {
            if split.fits {
                split.decide();
            }
        }
        self.settle(copies);
    }

    /// A part that a copy covers only partly, or whose other end has other parts, stays memory.
    fn settle(&mut self, copies: &[Bytes]) {
        let mut changed = true;
        while changed {
            changed = false;
            for copy in copies {
                for (slot, at) in [copy.to, copy.from].into_iter().flatten() {
                    for part in &mut self.splits[slot as usize].parts {
                        let touched = part.start < at + copy.size && at < part.end;
                        let inside = at <= part.start && part.end <= at + copy.size;
                        if touched && !inside && part.ty.is_some() {
                            part.ty = None;
                            changed = true;
                        }
                    }
                }
                let (Some((to, to_at)), Some((from, from_at))) = (copy.to, copy.from) else { continue };
                for ((a, a_at), (b, b_at)) in [((to, to_at), (from, from_at)), ((from, from_at), (to, to_at))]
                {
                    let wanted: Vec<(u64, u64)> = self.splits[b as usize]
                        .parts
                        .iter()
                        .filter(|part| part.start < b_at + copy.size && b_at < part.end)
                        .map(|part| (part.start, part.end))
                        .collect();
                    for part in &mut self.splits[a as usize].parts {
                        if part.ty.is_none() || part.start >= a_at + copy.size || part.end <= a_at {
                            continue;
                        }
                        let (start, end) = (part.start - a_at + b_at, part.end - a_at + b_at);
                        // The other end may be of memory that holds it whole, or a part of just this extent.
                        let cut =
                            wanted.iter().any(|(s, e)| (*s > start && *s < end) || (*e > start && *e < end));
                        if cut {
                            part.ty = None;
                            changed = true;
                        }
                    }
                }
            }
        }
    }
}

/// Bytes of the next word of a part that only copies touch.
fn word(from: u64, end: u64, align: u64) -> u64 {
    let mut step = align.min(8).next_power_of_two();
    while step > 1 && (!from.is_multiple_of(step) || from + step > end) {
        step /= 2;
    }
    step.max(1)
}

/// Integer of that many bytes.
pub(super) fn integer(bytes: u64) -> Type {
    match bytes {
        1 => Type::I8,
        2 => Type::I16,
        4 => Type::I32,
        _ => Type::I64,
    }
}

impl Split {
    fn new(size: u64, align: u32) -> Split {
        Split {
            size,
            align,
            fits: (1..=LARGEST).contains(&size),
            fields: Sorted::default(),
            cuts: Sorted::default(),
            parts: Vec::new(),
        }
    }

    /// Bytes of the widest words that scalars between two offsets let others be: one access takes words of one width.
    fn widest(&self, from: u64, to: u64) -> u64 {
        let there = self.fields.range((from, 0)..(to, 0));
        there.iter().map(|((_, size), _)| (*size).max(4)).max().unwrap_or(8)
    }

    /// Ranges between two offsets that no scalar touches, cut where copies end.
    fn gaps(&self, from: u64, to: u64) -> Vec<(u64, u64)> {
        let mut gaps = Vec::new();
        let mut at = from;
        let mut gap = |mut start: u64, end: u64| {
            for (cut, ()) in self.cuts.range(start + 1..end.max(start + 1)) {
                gaps.push((start, *cut));
                start = *cut;
            }
            if start < end {
                gaps.push((start, end));
            }
        };
        for (start, size) in self.fields.keys() {
            if *start >= to {
                break;
            }
            if *start > at {
                gap(at, *start);
            }
            at = at.max(start + size);
        }
        if at < to {
            gap(at, to);
        }
        gaps
    }

    /// Merges scalars that overlap into parts.
    fn decide(&mut self) {
        for ((start, size), ty) in &self.fields {
            let end = start + size;
            match self.parts.last_mut() {
                Some(part) if *start < part.end => {
                    part.end = part.end.max(end);
                    // Different views of the same bytes: an integer of all of them.
                    let bytes = part.end - part.start;
                    let same =
                        (part.start, part.end) == (*start, end) && part.ty.is_some_and(|known| known == *ty);
                    if !same {
                        part.ty = matches!(bytes, 1 | 2 | 4 | 8).then(|| integer(bytes));
                    }
                }
                _ => self.parts.push(Part { start: *start, end, ty: Some(*ty), slot: None }),
            }
        }
        // Bytes that only large copies touch are parts that stay memory.
        let mut all = Vec::new();
        let mut at = 0;
        for part in &self.parts {
            if part.start > at {
                all.push(Part { start: at, end: part.start, ty: None, slot: None });
            }
            all.push(*part);
            at = part.end;
        }
        if at < self.size {
            all.push(Part { start: at, end: self.size, ty: None, slot: None });
        }
        self.parts = all;
    }
}
