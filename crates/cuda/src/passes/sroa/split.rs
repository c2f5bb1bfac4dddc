//! The splitting: slots become their parts, and accesses and copies those of parts.
//!
//! Enters: a function and its plan. Leaves: the function with a slot a part, which promotion then makes values of.

use super::align_at;
use super::plan::{Part, Plan, integer};
use crate::ir::cfg::Cfg;
use crate::ir::{Access, Binary, Convert, DebugLocation, Def, Function, Inst, Op, Space, Type, Value, Wrap};

pub(super) struct Splitter<'a> {
    function: &'a mut Function,
    plan: Plan,
    out: Vec<Inst>,
    /// By copy out of memory: the loads that it became, if some are of several values.
    wide: Vec<Vec<Inst>>,
}

/// Piece of a copy: up to where neither side begins another part.
struct Piece {
    end: u64,
    /// The parts of both sides, where these are slots that are split.
    parts: [Option<Part>; 2],
    /// Type, if one of them is a scalar.
    ty: Option<Type>,
}

/// Bytes of the widest access, and of what its elements are at most.
const ROW: u32 = 16;
const WORD: u64 = 4;

impl<'a> Splitter<'a> {
    pub(super) fn new(function: &'a mut Function, plan: Plan) -> Self {
        Splitter { function, plan, out: Vec::new(), wide: Vec::new() }
    }

    /// Splits; returns, by copy out of memory, the loads that it became, if some are of several values.
    pub(super) fn run(mut self, cfg: &Cfg) -> Vec<Vec<Inst>> {
        self.make_slots();
        for block in &cfg.order {
            let insts = std::mem::take(&mut self.function.blocks[block.index()].insts);
            self.out.reserve(insts.len());
            for inst in insts {
                if !self.inst(inst) {
                    self.out.push(inst);
                }
            }
            self.function.blocks[block.index()].insts = std::mem::take(&mut self.out);
        }
        self.wide
    }

    fn make_slots(&mut self) {
        let mut made = Vec::new();
        for (split, slot) in self.plan.splits.iter_mut().zip(&self.plan.slots) {
            let place = self.function.insts[slot.index()].place;
            for part in split.parts.iter_mut().filter(|_| split.fits) {
                // An alignment that the part's beginning has as well.
                let align = align_at(split.align, part.start);
                let op = Op::Slot { size: part.end - part.start, align };
                let inst = self.function.inst(op, Vec::new(), &[Type::Ptr(Space::Local)], place);
                part.slot = self.function.insts[inst.index()].results.first().copied();
                made.push(inst);
            }
        }
        self.function.blocks[0].insts.splice(0..0, made);
    }

    fn emit(&mut self, op: Op, args: &[Value], ty: Type, place: DebugLocation) -> Value {
        let inst = self.function.inst(op, args, &[ty], place);
        self.out.push(inst);
        self.function.insts[inst.index()].results[0]
    }

    fn constant(&mut self, ty: Type, bits: u64) -> Value {
        self.function.value(ty, Def::constant(bits))
    }

    fn offset(&mut self, pointer: Value, by: u64, place: DebugLocation) -> Value {
        self.function.offset(pointer, by, place, &mut self.out)
    }

    /// The part that an offset of a slot lies in.
    fn part(&self, slot: u32, at: u64) -> Option<Part> {
        let parts = &self.plan.splits[slot as usize].parts;
        let number = parts.partition_point(|part| part.end <= at);
        parts.get(number).copied().filter(|part| part.start <= at)
    }

    /// Whether an instruction was replaced.
    fn inst(&mut self, inst: Inst) -> bool {
        let data = &self.function.insts[inst.index()];
        // A slot itself stays: what remains of its uses is dead.
        if !data.args.iter().any(|arg| self.plan.at(*arg).is_some()) {
            return false;
        }
        let data = data.clone();
        let Some(first) = data.args.first() else { return false };
        match data.op {
            Op::Load(access) => {
                let Some((slot, mut at)) = self.plan.at(*first) else { return false };
                for result in &data.results {
                    let ty = self.function.ty(*result);
                    let value = self.load(slot, at, ty, access, data.place);
                    self.function.replace(*result, value);
                    at += u64::from(ty.bytes());
                }
                true
            }
            Op::Store(access) => {
                let Some((slot, mut at)) = self.plan.at(*first) else { return false };
                for value in &data.args[1..] {
                    let value = self.function.resolve(*value);
                    self.store(slot, at, value, access, data.place);
                    at += u64::from(self.function.ty(value).bytes());
                }
                true
            }
            Op::Copy { size, align } => {
                let (to, from) = (self.plan.at(data.args[0]), self.plan.at(data.args[1]));
                if to.is_none() && from.is_none() {
                    return false;
                }
                self.copy((data.args[0], to), (data.args[1], from), size, align, data.place);
                true
            }
            Op::Zero { size, align } => {
                let Some(to) = self.plan.at(*first) else { return false };
                self.zero(to, size, align, data.place);
                true
            }
            _ => false,
        }
    }

    fn load(&mut self, slot: u32, at: u64, ty: Type, access: Access, place: DebugLocation) -> Value {
        let Some(Part { start, end, ty: scalar, slot: Some(pointer) }) = self.part(slot, at) else {
            return self.function.value(ty, Def::Undefined);
        };
        let Some(scalar) = scalar else {
            let pointer = self.offset(pointer, at - start, place);
            return self.emit(Op::Load(access), &[pointer], ty, place);
        };
        let whole = self.emit(Op::Load(access), &[pointer], scalar, place);
        if end - start == u64::from(ty.bytes()) {
            return self.bits(whole, ty, place);
        }
        let int = integer(end - start);
        let whole = self.bits(whole, int, place);
        let by = self.constant(Type::I32, 8 * (at - start));
        let shifted = self.emit(Op::Binary(Binary::LShr), &[whole, by], int, place);
        let part = integer(u64::from(ty.bytes()));
        let low = self.emit(Op::Convert(Convert::Truncate), &[shifted], part, place);
        self.bits(low, ty, place)
    }

    fn store(&mut self, slot: u32, at: u64, value: Value, access: Access, place: DebugLocation) {
        let Some(Part { start, end, ty: scalar, slot: Some(pointer) }) = self.part(slot, at) else { return };
        let ty = self.function.ty(value);
        let Some(scalar) = scalar else {
            let pointer = self.offset(pointer, at - start, place);
            self.emit_store(access, pointer, value, place);
            return;
        };
        if end - start == u64::from(ty.bytes()) {
            let value = self.bits(value, scalar, place);
            self.emit_store(access, pointer, value, place);
            return;
        }
        let int = integer(end - start);
        let size = u64::from(ty.bytes());
        let value = self.bits(value, integer(size), place);
        let value = self.emit(Op::Convert(Convert::ZeroExtend), &[value], int, place);
        let by = self.constant(Type::I32, 8 * (at - start));
        let value = self.emit(Op::Binary(Binary::Shl(Wrap::default())), &[value, by], int, place);
        let old = self.emit(Op::Load(access), &[pointer], scalar, place);
        let old = self.bits(old, int, place);
        let width = 8 * (end - start);
        let hole = ((1u64 << (8 * size)) - 1) << (8 * (at - start));
        let mask = self.constant(int, !hole & (u64::MAX >> (64 - width)));
        let old = self.emit(Op::Binary(Binary::And), &[old, mask], int, place);
        let value = self.emit(Op::Binary(Binary::Or), &[old, value], int, place);
        let value = self.bits(value, scalar, place);
        self.emit_store(access, pointer, value, place);
    }

    fn emit_store(&mut self, access: Access, pointer: Value, value: Value, place: DebugLocation) {
        let inst = self.function.inst(Op::Store(access), [pointer, value], &[], place);
        self.out.push(inst);
    }

    /// Bits of a value as another type of the same size.
    fn bits(&mut self, value: Value, ty: Type, place: DebugLocation) -> Value {
        let from = self.function.ty(value);
        match (from, ty) {
            _ if from == ty => value,
            (Type::Ptr(Space::Generic), Type::Ptr(_)) | (Type::Ptr(_), Type::Ptr(Space::Generic)) => {
                self.emit(Op::Convert(Convert::Space), &[value], ty, place)
            }
            (Type::Ptr(_), Type::Ptr(_)) => {
                let generic = Type::Ptr(Space::Generic);
                let value = self.emit(Op::Convert(Convert::Space), &[value], generic, place);
                self.emit(Op::Convert(Convert::Space), &[value], ty, place)
            }
            _ => self.emit(Op::Convert(Convert::Bits), &[value], ty, place),
        }
    }

    fn copy(&mut self, to: Side, from: Side, size: u64, align: u32, place: DebugLocation) {
        let mut wide = Vec::new();
        let mut at = 0;
        while at < size {
            let piece = self.piece(to, from, at, size);
            let here = align_at(align, at);
            let access = Access { align: here, volatile: false, invariant: false, cache: None };
            if align >= ROW && self.is_row_of_small(to, from, at, size) {
                self.copy_small(to, from, at, access, place);
                at += u64::from(ROW);
            } else if let Some(ty) = piece.ty {
                let count = if from.1.is_none() { self.row(to, from, at, size, here) } else { 1 };
                let values = if count > 1 {
                    self.load_row(to, from, at, size, count, access, place, &mut wide)
                } else {
                    let value = match from.1 {
                        Some((slot, start)) => self.load(slot, start + at, ty, access, place),
                        None => {
                            let pointer = self.offset(from.0, at, place);
                            let value = self.emit(Op::Load(access), &[pointer], ty, place);
                            wide.extend(self.out.last().copied().filter(|_| to.1.is_some()));
                            value
                        }
                    };
                    vec![value]
                };
                let step = u64::from(ty.bytes());
                for (n, value) in values.iter().enumerate() {
                    let at = at + n as u64 * step;
                    match to.1 {
                        Some((slot, start)) => self.store(slot, start + at, *value, access, place),
                        None => {
                            let pointer = self.offset(to.0, at, place);
                            self.emit_store(access, pointer, *value, place);
                        }
                    }
                }
                at += step * values.len() as u64;
            } else {
                let to = self.pointer(to, piece.parts[0], at, place);
                let from = self.pointer(from, piece.parts[1], at, place);
                let op = Op::Copy { size: piece.end - at, align: here };
                let inst = self.function.inst(op, [to, from], &[], place);
                self.out.push(inst);
                at = piece.end;
            }
        }
        if wide.iter().any(|inst| self.function.insts[inst.index()].results.len() > 1) {
            self.wide.push(wide);
        }
    }

    /// Whether 16 bytes that are copied between memory and a split slot are words in which there are scalars of less: as
    /// single scalars they would take several accesses.
    fn is_row_of_small(&self, to: Side, from: Side, at: u64, size: u64) -> bool {
        let end = at + u64::from(ROW);
        if to.1.is_some() == from.1.is_some() || !at.is_multiple_of(u64::from(ROW)) || end > size {
            return false;
        }
        let (mut at, mut small) = (at, false);
        while at < end {
            let piece = self.piece(to, from, at, size);
            let Some(bytes) = piece.ty.map(|ty| u64::from(ty.bytes())) else { return false };
            if piece.end - at != bytes || at % WORD + bytes > WORD {
                return false;
            }
            small |= bytes < WORD;
            at += bytes;
        }
        small
    }

    /// Copies such bytes word by word.
    fn copy_small(&mut self, to: Side, from: Side, at: u64, access: Access, place: DebugLocation) {
        let end = at + u64::from(ROW);
        let offsets = (at..end).step_by(WORD as usize);
        let loaded = from.1.is_none().then(|| {
            let pointer = self.offset(from.0, at, place);
            let words = [Type::I32; (ROW as u64 / WORD) as usize];
            let load = self.function.inst(Op::Load(access), [pointer], &words, place);
            self.out.push(load);
            self.function.insts[load.index()].results.clone()
        });
        for (n, word) in offsets.enumerate() {
            let mut all = None;
            let mut at = word;
            while at < word + WORD {
                let piece = self.piece(to, from, at, end);
                let Some(ty) = piece.ty else { return };
                let (int, by) = (integer(piece.end - at), self.constant(Type::I32, 8 * (at - word)));
                if let (Some(words), Some((slot, start))) = (&loaded, to.1) {
                    let mut value = words[n];
                    if int != Type::I32 {
                        value = self.emit(Op::Binary(Binary::LShr), &[value, by], Type::I32, place);
                        value = self.emit(Op::Convert(Convert::Truncate), &[value], int, place);
                    }
                    let value = self.bits(value, ty, place);
                    self.store(slot, start + at, value, access, place);
                } else if let Some((slot, start)) = from.1 {
                    let value = self.load(slot, start + at, ty, access, place);
                    let mut value = self.bits(value, int, place);
                    if int != Type::I32 {
                        let shl = Op::Binary(Binary::Shl(Wrap::default()));
                        value = self.emit(Op::Convert(Convert::ZeroExtend), &[value], Type::I32, place);
                        value = self.emit(shl, &[value, by], Type::I32, place);
                    }
                    all = Some(match all {
                        Some(all) => self.emit(Op::Binary(Binary::Or), &[all, value], Type::I32, place),
                        None => value,
                    });
                }
                at = piece.end;
            }
            if let Some(all) = all {
                let pointer = self.offset(to.0, word, place);
                let align = align_at(access.align, word);
                self.emit_store(Access { align, ..access }, pointer, all, place);
            }
        }
    }

    /// The piece of a copy that begins at an offset.
    fn piece(&self, to: Side, from: Side, at: u64, size: u64) -> Piece {
        let parts = [to, from].map(|(_, base)| base.and_then(|(slot, start)| self.part(slot, start + at)));
        let mut end = size;
        for (part, base) in parts.iter().zip([to.1, from.1]) {
            if let (Some(part), Some((_, start))) = (part, base) {
                end = end.min(part.end - start);
            }
        }
        Piece { end, parts, ty: parts[0].and_then(|part| part.ty).or(parts[1].and_then(|part| part.ty)) }
    }

    /// How many neighbouring scalars of one size, up to 16 bytes, one load takes: as many as the alignment allows. NVRTC
    /// loads a struct so that it copies, whatever fields are read.
    fn row(&self, to: Side, from: Side, at: u64, size: u64, align: u32) -> u64 {
        let first = self.piece(to, from, at, size);
        let Some(bytes) = first.ty.map(|ty| u64::from(ty.bytes())) else { return 1 };
        for count in [4, 2] {
            if bytes * count > u64::from(align).min(16) {
                continue;
            }
            let alike = |n: u64| {
                let at = at + n * bytes;
                at + bytes <= size
                    && self.piece(to, from, at, size).ty.is_some_and(|ty| u64::from(ty.bytes()) == bytes)
            };
            if (0..count).all(alike) {
                return count;
            }
        }
        1
    }

    #[expect(
        clippy::too_many_arguments,
        reason = "a copy has two sides, and a row a place and an extent in it"
    )]
    fn load_row(
        &mut self,
        to: Side,
        from: Side,
        at: u64,
        size: u64,
        count: u64,
        access: Access,
        place: DebugLocation,
        wide: &mut Vec<Inst>,
    ) -> Vec<Value> {
        let first = self.piece(to, from, at, size).ty.unwrap_or(Type::I32);
        let bytes = u64::from(first.bytes());
        let types: Vec<Type> =
            (0..count).map(|n| self.piece(to, from, at + n * bytes, size).ty.unwrap_or(first)).collect();
        // Fields that no one reads are integers here; the others' type is the row's.
        let plain = |ty: &&Type| !matches!(ty, Type::Ptr(_));
        let float = types.iter().find(|ty| matches!(ty, Type::F32 | Type::F64));
        let element = float.or(types.iter().find(plain)).copied().unwrap_or(integer(bytes));
        let element = if types.iter().all(|ty| *ty == first) { first } else { element };
        let pointer = self.offset(from.0, at, place);
        let load = self.function.inst(Op::Load(access), [pointer], &vec![element; types.len()], place);
        self.out.push(load);
        wide.push(load);
        let results = self.function.insts[load.index()].results.clone();
        results.iter().zip(types).map(|(value, ty)| self.bits(*value, ty, place)).collect()
    }

    /// Pointer to a place in a part that stays memory, or in memory elsewhere.
    fn pointer(&mut self, side: Side, part: Option<Part>, at: u64, place: DebugLocation) -> Value {
        match (part, side.1) {
            (Some(Part { start, slot: Some(pointer), .. }), Some((_, base))) => {
                self.offset(pointer, base + at - start, place)
            }
            _ => self.offset(side.0, at, place),
        }
    }

    fn zero(&mut self, to: (u32, u64), size: u64, align: u32, place: DebugLocation) {
        let (slot, start) = to;
        let mut at = start;
        while let Some(part) = self.part(slot, at).filter(|_| at < start + size) {
            let end = part.end.min(start + size);
            let align = align_at(align, at - start);
            let Some(pointer) = part.slot else { return };
            if let Some(ty) = part.ty {
                let zero = self.constant(ty, 0);
                let access = Access { align, volatile: false, invariant: false, cache: None };
                self.emit_store(access, pointer, zero, place);
            } else {
                let pointer = self.offset(pointer, at - part.start, place);
                let inst = self.function.inst(Op::Zero { size: end - at, align }, [pointer], &[], place);
                self.out.push(inst);
            }
            at = end;
        }
    }
}

/// End of a copy: the pointer, and the slot and offset if it leads to one that is split.
type Side = (Value, Option<(u32, u64)>);
