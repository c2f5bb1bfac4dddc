//! Loads, stores and copies, each with a check of its address.
//!
//! Enters: instructions that access memory. Leaves: their code. A pointer of the program has 64 bits, of which WebAssembly's
//! memory takes 32: that it is an address of the memory is checked before, so that null pointers, addresses of the device and
//! whatever else is none are faults with their place. One comparison does that: the memory begins at [`DATA`], and at its end as
//! many bytes are left free as an access may have. How many there are between is kept in a local, and looked up after calls. What
//! is within [`NEAR`] of an address that was checked on every way here is not checked again, since memory never shrinks, nor are
//! places of slots and variables that are known to lie in them, except variables that kernels change, too. An engine that wants to see accesses to what is at the end of memory
//! says for a while that there is less of it, and returns from the fault.

use super::layout::{DATA, PAD, PAGE};
use super::site::Fault;
use super::trees::{Base, fixed};
use super::types;
use super::writer::{Again, Checked, Writer};
use crate::builtin::Meaning;
use crate::ir::{DebugLocation, Def, Inst, Op, Type, Value};
use wasm_encoder::{BlockType, MemArg, MemArgTarget};

/// Distance from an address that was checked up to which others are not.
const NEAR: i64 = (PAD / 2) as i64;
/// Most bytes that are copied or cleared one after another.
const UNROLLED: u64 = 32;

/// Where an access is: an address of WebAssembly's memory on the stack, and what the instruction adds.
#[derive(Clone, Copy, Debug)]
pub(super) enum Address {
    /// In the function's own memory.
    Frame(u64),
    /// In a variable.
    Absolute(u64),
    /// After a pointer that is not negative.
    After(Again, u64),
    /// A distance from a pointer.
    From(Again, i64),
}

/// How a value of fewer bits than it is wanted with is loaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Extend {
    /// As it is; above its bits are zeros.
    Zero,
    /// To 32 bits with its sign.
    Sign,
    /// To 64 bits.
    LongZero,
    /// To 64 bits with its sign.
    LongSign,
}

impl Writer<'_> {
    /// Makes locals for how much memory there is, where an instruction accesses what may lie anywhere.
    pub(super) fn prepare_checks(&mut self) {
        let mut needed = [false; 2];
        for block in &self.function.blocks {
            for inst in block.insts.iter().filter(|inst| self.trees.written(**inst)) {
                let data = &self.function.insts[inst.index()];
                let sizes =
                    |values: &[Value]| values.iter().map(|value| u64::from(self.ty(*value).bytes())).sum();
                let (write, read) = match &data.op {
                    Op::Load(_) => (None, Some((data.args[0], sizes(&data.results)))),
                    Op::Store(_) => (Some((data.args[0], sizes(&data.args[1..]))), None),
                    Op::Copy { size, .. } => (Some((data.args[0], *size)), Some((data.args[1], *size))),
                    Op::Zero { size, .. } => (Some((data.args[0], *size)), None),
                    Op::Builtin(row, _) if matches!(row.meaning, Meaning::Bytes(_)) => {
                        (Some((data.args[0], u64::MAX)), Some((data.args[1], u64::MAX)))
                    }
                    Op::Builtin(row, _) if row.accesses() => {
                        (Some((data.args[0], u64::MAX)), Some((data.args[0], u64::MAX)))
                    }
                    _ => (None, None),
                };
                for (needed, access) in needed.iter_mut().zip([read, write]) {
                    *needed |= access.is_some_and(|(pointer, size)| {
                        !fixed(self.function, pointer).is_some_and(|(base, at)| self.lies_in(base, at, size))
                    });
                }
            }
        }
        for (number, needed) in needed.into_iter().enumerate() {
            self.bytes[number] = needed.then(|| self.locals.add(wasm_encoder::ValType::I64));
        }
        self.measure();
    }

    /// Puts on the stack how many bytes may be read, or written.
    fn available(&mut self, write: bool) {
        match self.bytes[usize::from(write)] {
            Some(local) => self.sink().local_get(local),
            None => self.sink().i64_const(0),
        };
    }

    /// Checks an address of an access, if that is needed.
    pub(super) fn address(
        &mut self,
        pointer: Value,
        size: u64,
        write: bool,
        place: DebugLocation,
    ) -> Address {
        if let Some((base, at)) = fixed(self.function, pointer)
            && self.lies_in(base, at, size)
        {
            let (in_frame, start) = self.place_of(base);
            let at = start + at as u64;
            return if in_frame { Address::Frame(at) } else { Address::Absolute(at) };
        }
        let (root, at) = match fixed(self.function, pointer) {
            Some(_) => (pointer, 0),
            None => self.function.root_of(pointer),
        };
        let address = self.again(root, |this| this.value(root));
        let fault = if write { Fault::Store(size) } else { Fault::Load(size) };
        if self.is_checked(root, at, size, write) {
            return self.without_check(root, address, at);
        }
        self.check(address, at, size, write, (fault, place));
        if matches!(address, Again::Value(_)) && size <= PAD / 4 {
            let (block, offset) = (self.block, at);
            self.checked.entry(root).or_default().push(Checked { block, offset, write });
        }
        self.after(address, at, at)
    }

    /// Whether a constant place is all within its slot or variable, and no engine wants to see it.
    fn lies_in(&self, base: Base, at: i64, size: u64) -> bool {
        let bytes = match base {
            Base::Slot(slot) => self.slot_size(slot),
            Base::Global(id) => {
                let global = self.unit.module.globals.get(id.index());
                global.filter(|global| !global.managed).map_or(0, |global| global.size)
            }
        };
        u64::try_from(at).is_ok_and(|at| at.checked_add(size).is_some_and(|end| end <= bytes))
    }

    /// Bytes of a variable of the function.
    pub(super) fn slot_size(&self, slot: Value) -> u64 {
        let Def::Result(inst, _) = self.function.values[slot.index()].def else { return 0 };
        match self.function.insts[inst.index()].op {
            Op::Slot { size, .. } => size,
            _ => 0,
        }
    }

    fn facts(&self, root: Value, at: i64, write: bool) -> Option<Checked> {
        let near = |fact: &&Checked| {
            (fact.write || !write)
                && fact.offset.abs_diff(at) <= NEAR as u64
                && self.dominators.dominates(fact.block, self.block)
        };
        self.checked.get(&root)?.iter().find(near).copied()
    }

    fn is_checked(&self, root: Value, at: i64, size: u64, write: bool) -> bool {
        size <= PAD / 4 && self.facts(root, at, write).is_some()
    }

    fn without_check(&mut self, root: Value, address: Again, at: i64) -> Address {
        let known = self.facts(root, at, false).map_or(at, |fact| fact.offset);
        self.after(address, at, known)
    }

    /// The address itself is not negative where it is with less than [`DATA`] added.
    fn after(&self, address: Again, at: i64, known: i64) -> Address {
        let small = known <= DATA as i64;
        match u64::try_from(at) {
            Ok(at) if small && at <= DATA => Address::After(address, at),
            _ => Address::From(address, at),
        }
    }

    /// Faults unless bytes are all in memory.
    fn check(
        &mut self,
        address: Again,
        at: i64,
        size: u64,
        write: bool,
        (fault, place): (Fault, DebugLocation),
    ) {
        if size > PAD / 2 {
            return self.check_bytes(address, at, write, (fault, place), |this| {
                this.sink().i64_const(size as i64);
            });
        }
        // What begins in memory ends at the latest in what is left free after it.
        self.sink().block(BlockType::Empty);
        self.distance(address, at, write);
        self.available(write);
        self.sink().i64_lt_u().br_if(0);
        self.seen(fault, place, |this| this.sum(address, at));
        self.measure_for(write);
        self.sink().end();
    }

    /// Puts on the stack how many bytes of memory there are from the first that may be read, or written, whatever an engine says.
    fn all(&mut self, write: bool) {
        let before = PAD + self.lowest(write);
        self.sink().memory_size(0).i64_extend_i32_u().i64_const(i64::from(PAGE.trailing_zeros())).i64_shl();
        self.sink().i64_const(before as i64).i64_sub();
    }

    /// Puts on the stack how far after the first byte of memory an address is.
    fn distance(&mut self, address: Again, at: i64, write: bool) {
        let low = self.lowest(write) as i64;
        self.push(address);
        self.sink().i64_const(at.wrapping_sub(low)).i64_add();
    }

    fn sum(&mut self, address: Again, at: i64) {
        self.push(address);
        if at != 0 {
            self.sink().i64_const(at).i64_add();
        }
    }

    /// Faults unless as many bytes as the program says are all in memory.
    pub(super) fn check_range(&mut self, address: Again, bytes: Again, write: bool, place: DebugLocation) {
        let fault = if write { Fault::Store(0) } else { Fault::Load(0) };
        self.check_bytes(address, 0, write, (fault, place), |this| this.push(bytes));
    }

    /// Shows the bytes that a copy is to read, which are all in memory, to an engine that wants to see them.
    pub(super) fn show_range(&mut self, address: Again, bytes: Again, place: DebugLocation) {
        let low = self.lowest(false) as i64;
        self.sink().block(BlockType::Empty);
        self.push(bytes);
        self.sink().i64_eqz().br_if(0);
        self.push(address);
        self.push(bytes);
        self.sink().i64_add().i64_const(low).i64_sub();
        self.available(false);
        self.sink().i64_le_u().br_if(0);
        self.seen(Fault::Range, place, |this| this.push(address));
        self.seen(Fault::Range, place, |this| {
            this.push(address);
            this.push(bytes);
            this.sink().i64_add().i64_const(1).i64_sub();
        });
        self.measure_for(false);
        self.sink().end();
    }

    fn check_bytes(
        &mut self,
        address: Again,
        at: i64,
        write: bool,
        (fault, place): (Fault, DebugLocation),
        bytes: impl Fn(&mut Self),
    ) {
        self.sink().block(BlockType::Empty);
        bytes(self);
        self.sink().i64_eqz().br_if(0);
        self.sink().block(BlockType::Empty);
        self.distance(address, at, write);
        self.all(write);
        self.sink().i64_gt_u().br_if(0);
        bytes(self);
        self.all(write);
        self.distance(address, at, write);
        self.sink().i64_sub().i64_le_u().br_if(1).end();
        self.fault(fault, place, |this| this.sum(address, at));
        self.sink().end();
    }

    /// Puts an address on the stack; what the instruction adds to it.
    pub(super) fn base(&mut self, address: Address) -> u64 {
        match address {
            Address::Frame(at) => {
                let frame = self.frame.map_or(0, |(local, _)| local);
                self.sink().local_get(frame);
                at
            }
            Address::Absolute(at) => {
                self.sink().i32_const(at as i32);
                0
            }
            Address::After(pointer, at) => {
                self.push(pointer);
                self.sink().i32_wrap_i64();
                at
            }
            Address::From(pointer, at) => {
                self.push(pointer);
                self.sink().i64_const(at).i64_add().i32_wrap_i64();
                0
            }
        }
    }

    /// Gives back what an address needed.
    pub(super) fn release(&mut self, address: Address) {
        if let Address::After(pointer, _) | Address::From(pointer, _) = address {
            self.done(pointer);
        }
    }

    /// Puts what is loaded on the stack, each result after the one before.
    pub(super) fn load(&mut self, inst: Inst, extend: Extend) {
        let data = &self.function.insts[inst.index()];
        let types: Vec<Type> = data.results.iter().map(|result| self.ty(*result)).collect();
        let size = types.iter().map(|ty| u64::from(ty.bytes())).sum();
        let address = self.address(data.args[0], size, false, data.place);
        let mut at = 0;
        for ty in types {
            let offset = self.base(address) + at;
            self.load_one(ty, offset, extend);
            at += u64::from(ty.bytes());
        }
        self.release(address);
    }

    pub(super) fn load_one(&mut self, ty: Type, offset: u64, extend: Extend) {
        let to = argument(offset);
        let mut sink = self.sink();
        match (ty, extend) {
            (Type::Pred | Type::I8, Extend::Zero) => sink.i32_load8_u(to),
            (Type::Pred | Type::I8, Extend::Sign) => sink.i32_load8_s(to),
            (Type::Pred | Type::I8, Extend::LongZero) => sink.i64_load8_u(to),
            (Type::Pred | Type::I8, Extend::LongSign) => sink.i64_load8_s(to),
            (Type::I16, Extend::Zero) => sink.i32_load16_u(to),
            (Type::I16, Extend::Sign) => sink.i32_load16_s(to),
            (Type::I16, Extend::LongZero) => sink.i64_load16_u(to),
            (Type::I16, Extend::LongSign) => sink.i64_load16_s(to),
            (Type::I32, Extend::LongZero) => sink.i64_load32_u(to),
            (Type::I32, Extend::LongSign) => sink.i64_load32_s(to),
            (Type::I32, Extend::Zero | Extend::Sign) => sink.i32_load(to),
            (Type::I64 | Type::Ptr(_), _) => sink.i64_load(to),
            (Type::F32, _) => sink.f32_load(to),
            (Type::F64, _) => sink.f64_load(to),
        };
    }

    pub(super) fn store(&mut self, inst: Inst) {
        let data = &self.function.insts[inst.index()];
        let values = data.args.get(1..).unwrap_or_default();
        let size = values.iter().map(|value| u64::from(self.ty(*value).bytes())).sum();
        let address = self.address(data.args[0], size, true, data.place);
        let mut at = 0;
        for value in values {
            let ty = self.ty(*value);
            let offset = self.base(address) + at;
            self.value(*value);
            self.store_one(ty, offset);
            at += u64::from(ty.bytes());
        }
        self.release(address);
    }

    pub(super) fn store_one(&mut self, ty: Type, offset: u64) {
        let to = argument(offset);
        let mut sink = self.sink();
        match ty {
            Type::Pred | Type::I8 => sink.i32_store8(to),
            Type::I16 => sink.i32_store16(to),
            Type::I32 => sink.i32_store(to),
            Type::I64 | Type::Ptr(_) => sink.i64_store(to),
            Type::F32 => sink.f32_store(to),
            Type::F64 => sink.f64_store(to),
        };
    }

    pub(super) fn copy(&mut self, inst: Inst, size: u64) {
        let data = &self.function.insts[inst.index()];
        if size == 0 {
            return;
        }
        let to = self.address(data.args[0], size, true, data.place);
        let from = self.address(data.args[1], size, false, data.place);
        if size <= UNROLLED {
            for (at, ty) in parts(size) {
                let offset = self.base(to) + at;
                let source = self.base(from) + at;
                self.load_one(ty, source, Extend::Zero);
                self.store_one(ty, offset);
            }
        } else {
            self.whole(to);
            self.whole(from);
            self.sink().i32_const(size as i32).memory_copy(0, 0);
        }
        self.release(to);
        self.release(from);
    }

    pub(super) fn zero(&mut self, inst: Inst, size: u64) {
        let data = &self.function.insts[inst.index()];
        if size == 0 {
            return;
        }
        let to = self.address(data.args[0], size, true, data.place);
        if size <= UNROLLED {
            for (at, ty) in parts(size) {
                let offset = self.base(to) + at;
                self.constant(ty, 0);
                self.store_one(ty, offset);
            }
        } else {
            self.whole(to);
            self.sink().i32_const(0).i32_const(size as i32).memory_fill(0);
        }
        self.release(to);
    }

    /// Puts all of an address on the stack.
    fn whole(&mut self, address: Address) {
        let offset = self.base(address);
        if offset != 0 {
            self.sink().i32_const(offset as i32).i32_add();
        }
    }

    /// Sets the local of each result to what is on the stack.
    pub(super) fn keep(&mut self, results: &[Value]) {
        for result in results.iter().rev() {
            match self.locals.of(*result) {
                Some(local) => self.sink().local_set(local),
                None => self.sink().drop(),
            };
        }
    }
}

fn argument(offset: u64) -> MemArg {
    MemArg { offset, align: 0, target: MemArgTarget::Memory(0), ordering: None }
}

/// Words that bytes are moved by, with their offsets.
fn parts(size: u64) -> Vec<(u64, Type)> {
    let (mut at, mut parts) = (0, vec![]);
    for (ty, bytes) in [(Type::I64, 8), (Type::I32, 4), (Type::I16, 2), (Type::I8, 1)] {
        while size - at >= bytes {
            parts.push((at, ty));
            at += bytes;
        }
    }
    parts
}

/// Whether a type is one of 64 bits.
pub(super) fn long(ty: Type) -> bool {
    types::of(ty) == wasm_encoder::ValType::I64
}
