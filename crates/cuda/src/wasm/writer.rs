//! A function's code while it is written: operands, constants, addresses, and places that may fault.
//!
//! Enters: values. Leaves: instructions that put them on the stack. What instructions do is in the files `operation`, `memory`,
//! `call` and `builtin`; how they follow each other in `body`.

use super::layout::{DATA, Layout};
use super::locals::Locals;
use super::site::{Fault, Given, Site};
use super::trees::{Base, Trees, fixed};
use super::types::{self, Types};
use crate::diagnostic::Diagnostic;
use crate::hash::Map;
use crate::ir::dominators::Dominators;
use crate::ir::{Block, DebugLocation, Def, Function, FunctionId, Inst, Module, Op, Symbol, Type, Value};
use crate::source::Span;
use wasm_encoder::{Ieee32, Ieee64, InstructionSink, ValType};

/// Numbers of what is imported or written.
pub(super) struct Unit<'a> {
    pub(super) module: &'a Module,
    pub(super) layout: &'a Layout,
    /// Number of each function that is reached.
    pub(super) functions: Vec<Option<u32>>,
    /// Number of the function that faults are reported to.
    pub(super) fault: u32,
    /// Numbers of `fmaf` and `fma`, where they are called.
    pub(super) fused: [Option<u32>; 2],
    /// Whether a place is in the source, and not in the library.
    pub(super) written: &'a dyn Fn(Span) -> bool,
}

/// Number of the global variable that is the stack's pointer.
pub(super) const STACK_POINTER: u32 = 0;
/// Number of the global variable that is the address after the heap's last.
pub(super) const HEAP_END: u32 = 1;

/// Number of the global variable that says where the source has called the library last.
pub(super) const CALL_SITE: u32 = 3;
/// Number of the global variable that says how many operations are left.
pub(super) const OPERATIONS: u32 = 4;

/// What grows with every function.
#[derive(Default)]
pub(super) struct Shared {
    pub(super) types: Types,
    pub(super) sites: Vec<Site>,
    /// Places of calls of the library, by the number that [`CALL_SITE`] holds then, less 1.
    pub(super) calls: Vec<Span>,
    /// Variables whose addresses these are given.
    pub(super) given: Vec<Given>,
    /// The first thing that WebAssembly has no words for.
    pub(super) refused: Option<Box<Diagnostic>>,
}

/// Where the number of operations that are left is, while a block is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Left {
    /// In the local.
    Local,
    /// In both.
    Both,
    /// In the global variable.
    Global,
}

/// A function under way.
pub(super) struct Writer<'a> {
    pub(super) unit: &'a Unit<'a>,
    pub(super) shared: &'a mut Shared,
    pub(super) id: FunctionId,
    pub(super) function: &'a Function,
    pub(super) dominators: &'a Dominators,
    pub(super) trees: &'a Trees,
    pub(super) locals: Locals,
    pub(super) code: Vec<u8>,
    /// Locals for a moment that are free.
    free: Vec<u32>,
    /// Local of the address of the function's own memory, where it has any, and the bytes of that.
    pub(super) frame: Option<(u32, u32)>,
    /// Local of how many operations are left.
    pub(super) left: Option<u32>,
    /// Where that is, in the block that is written.
    pub(super) left_in: Left,
    /// Locals of how many bytes may be read and written, from the first on: they change with calls alone.
    pub(super) bytes: [Option<u32>; 2],
    /// Where each slot lies in it.
    slots: Map<Value, u32>,
    /// Block that is written.
    pub(super) block: Block,
    /// Pointers that are known to be addresses of memory, at an offset, from a block on.
    pub(super) checked: Map<Value, Vec<Checked>>,
}

/// What a check has shown of a pointer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Checked {
    pub(super) block: Block,
    pub(super) offset: i64,
    /// Whether what is there may be written.
    pub(super) write: bool,
}

/// Operand that can be put on the stack more than once.
#[derive(Clone, Copy, Debug)]
pub(super) enum Again {
    /// It is kept, or a constant.
    Value(Value),
    /// It was computed into this local, which has to be given back.
    Local(u32),
}

impl<'a> Writer<'a> {
    pub(super) fn new(
        unit: &'a Unit<'a>,
        shared: &'a mut Shared,
        id: FunctionId,
        function: &'a Function,
        dominators: &'a Dominators,
        trees: &'a Trees,
        locals: Locals,
    ) -> Self {
        Writer {
            unit,
            shared,
            id,
            function,
            dominators,
            trees,
            locals,
            code: vec![],
            free: vec![],
            frame: None,
            left: None,
            left_in: Left::Both,
            bytes: [None; 2],
            slots: Map::default(),
            block: Block(0),
            checked: Map::default(),
        }
    }

    /// Instructions at the end of the code.
    pub(super) fn sink(&mut self) -> InstructionSink<'_> {
        InstructionSink::new(&mut self.code)
    }

    pub(super) fn ty(&self, value: Value) -> Type {
        self.function.ty(value)
    }

    /// Gives every slot a place in the function's own memory; the bytes of all.
    pub(super) fn place_slots(&mut self) -> Option<u32> {
        let mut next = 0u64;
        let insts = self.function.blocks.iter().flat_map(|block| &block.insts);
        for inst in insts {
            let data = &self.function.insts[inst.index()];
            let (Op::Slot { size, align }, [result]) = (&data.op, data.results.as_slice()) else { continue };
            next = next.next_multiple_of(u64::from(*align).clamp(1, 16));
            self.slots.insert(*result, next as u32);
            next = next.checked_add(*size).filter(|end| *end < 1 << 31)?;
        }
        Some(next.next_multiple_of(16) as u32)
    }

    /// Where a constant address is: in the function's own memory, or absolutely.
    pub(super) fn place_of(&self, base: Base) -> (bool, u64) {
        match base {
            Base::Slot(slot) => (true, u64::from(self.slots.get(&slot).copied().unwrap_or(0))),
            Base::Global(id) => (false, self.unit.layout.global(id)),
        }
    }

    /// First address that may be read, or written.
    pub(super) fn lowest(&self, write: bool) -> u64 {
        if write { self.unit.layout.writable } else { DATA }
    }

    /// Finds out how much memory there is, where accesses are checked.
    pub(super) fn measure(&mut self) {
        self.measure_for(false);
        self.measure_for(true);
    }

    /// The same for reads, or writes.
    pub(super) fn measure_for(&mut self, write: bool) {
        if let Some(local) = self.bytes[usize::from(write)] {
            let low = self.lowest(write) as i64;
            self.sink().global_get(HEAP_END).i64_const(low).i64_sub().local_set(local);
        }
    }

    /// A local for a moment.
    pub(super) fn scratch(&mut self, ty: ValType) -> u32 {
        match self.free.iter().position(|local| self.locals.types[*local as usize] == ty) {
            Some(at) => self.free.swap_remove(at),
            None => self.locals.add(ty),
        }
    }

    /// Gives a local for a moment back.
    pub(super) fn give_back(&mut self, local: u32) {
        self.free.push(local);
    }

    /// Makes an operand one that can be used several times; nothing is left on the stack.
    pub(super) fn again(&mut self, value: Value, write: impl FnOnce(&mut Self)) -> Again {
        if self.trees.inline(self.function, value).is_none() && fixed(self.function, value).is_none() {
            return Again::Value(value);
        }
        write(self);
        let local = self.scratch(types::of(self.ty(value)));
        self.sink().local_set(local);
        Again::Local(local)
    }

    /// Puts such an operand on the stack.
    pub(super) fn push(&mut self, again: Again) {
        match again {
            Again::Value(value) => self.kept(value),
            Again::Local(local) => {
                self.sink().local_get(local);
            }
        }
    }

    /// Gives back what such an operand needed.
    pub(super) fn done(&mut self, again: Again) {
        if let Again::Local(local) = again {
            self.give_back(local);
        }
    }

    /// Puts a value on the stack that is kept, or constant.
    pub(super) fn kept(&mut self, value: Value) {
        let ty = self.ty(value);
        match self.function.values[value.index()].def {
            Def::Constant(bits) => self.constant(ty, bits.get()),
            Def::Undefined => self.constant(ty, 0),
            def @ (Def::Result(..) | Def::Param(..) | Def::Alias(_)) => {
                if let Def::Result(inst, _) = def
                    && let Op::Function(id) = self.function.insts[inst.index()].op
                {
                    let address = self.unit.layout.address(Symbol::Function(id));
                    return self.constant(ty, address);
                }
                if let Some((base, at)) = fixed(self.function, value) {
                    return self.fixed_address(base, at);
                }
                match self.locals.of(value) {
                    Some(local) => {
                        self.sink().local_get(local);
                    }
                    // What nothing defines: code that is not reached.
                    None => self.constant(ty, 0),
                }
            }
        }
    }

    fn fixed_address(&mut self, base: Base, at: i64) {
        let (in_frame, place) = self.place_of(base);
        let place = (place as i64).wrapping_add(at);
        match self.frame.filter(|_| in_frame) {
            Some((frame, _)) => {
                self.sink().local_get(frame).i64_extend_i32_u();
                if place != 0 {
                    self.sink().i64_const(place).i64_add();
                }
            }
            None => {
                self.sink().i64_const(place);
            }
        }
    }

    /// Puts a constant on the stack.
    pub(super) fn constant(&mut self, ty: Type, bits: u64) {
        let mut sink = self.sink();
        match types::of(ty) {
            ValType::I32 => sink.i32_const(bits as i32),
            ValType::I64 => sink.i64_const(bits as i64),
            ValType::F32 => sink.f32_const(Ieee32::new(bits as u32)),
            _ => sink.f64_const(Ieee64::new(bits)),
        };
    }

    /// Number of a place that may fault.
    pub(super) fn site(&mut self, fault: Fault, place: DebugLocation) -> i32 {
        self.shared.sites.push(Site { fault, function: self.id, place });
        self.shared.sites.len() as i32 - 1
    }

    /// Says that something went wrong, with the address on the stack; nothing after it is reached.
    pub(super) fn fault(&mut self, fault: Fault, place: DebugLocation, address: impl FnOnce(&mut Self)) {
        self.seen(fault, place, address);
        self.sink().unreachable();
    }

    /// The same, of what an engine may only want to see.
    pub(super) fn seen(&mut self, fault: Fault, place: DebugLocation, address: impl FnOnce(&mut Self)) {
        let (site, function) = (self.site(fault, place), self.unit.fault);
        self.sink().i32_const(site);
        address(self);
        self.sink().call(function);
    }

    /// Notes what WebAssembly has no words for.
    pub(super) fn refuse(&mut self, inst: Inst, why: impl FnOnce() -> String) {
        let place = self.function.insts[inst.index()].place.span;
        let span = if place == Span::default() { self.function.span } else { place };
        let message = || Box::new(Diagnostic::error("unsupported", span, why()));
        self.shared.refused.get_or_insert_with(message);
    }
}
