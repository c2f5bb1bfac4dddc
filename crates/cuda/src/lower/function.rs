//! One function: its parameters, slots and blocks.

use crate::evaluate::{Scalar, scalar};
use crate::hash::Map;
use crate::hir::{self, Label, LocalId, TypeKind};
use crate::ir::{
    Binary, Block, Compare, Convert, DebugLocation, Def, Edge, Function, Inst, Op, Param, Space, Terminator,
    Type, Unary, Value,
};
use crate::sorted::Sorted;
use crate::source::Span;

use super::address::Address;
use super::alive::Ends;
use super::{Lowerer, memory_type, records, value_type};

/// Function under construction.
pub(super) struct Body<'a, 'b> {
    pub(super) shared: &'b mut Lowerer<'a>,
    pub(super) program: &'a hir::Program,
    pub(super) source: &'a hir::Function,
    pub(super) function: Function,
    /// Block that instructions are added to.
    at: Block,
    /// Slots, which come first in the entry block.
    slots: Vec<Inst>,
    /// Instructions that come next there.
    prologue: Vec<Inst>,
    /// Objects that end by a call.
    pub(super) ends: Ends,
    /// Where the variables are.
    locals: Vec<Option<Address>>,
    /// Blocks of labels.
    targets: Sorted<Label, Block>,
    /// Where `break` and `continue` of a statement lead.
    pub(super) jumps: Sorted<Label, (Block, Option<Block>)>,
    /// Where a record is returned to.
    pub(super) returned: Option<Value>,
    /// What is being lowered.
    pub(super) here: Span,
    constants: Map<(Type, u64), Value>,
}

/// Lowers a function.
pub(super) fn lower<'a>(shared: &mut Lowerer<'a>, source: &'a hir::Function) -> Function {
    let program = shared.program;
    let mut function = Function {
        name: source.symbol.clone(),
        source_name: source.name.to_string(),
        kernel: source.kernel,
        visible: source.visible,
        external: source.external,
        linkage: source.linkage,
        inline: source.inline,
        bounds: source.bounds,
        params: vec![],
        results: vec![],
        record: None,
        values: vec![],
        insts: vec![],
        blocks: vec![],
        replaced: false,
        inlined: vec![],
        span: source.span,
        end: source.end,
    };
    let entry = function.block();
    let mut body = Body {
        shared,
        program,
        source,
        function,
        at: entry,
        slots: vec![],
        prologue: vec![],
        ends: Ends::default(),
        locals: vec![None; source.locals.len()],
        targets: Sorted::default(),
        jumps: Sorted::default(),
        returned: None,
        here: source.span,
        constants: Map::default(),
    };
    body.parameters();
    if source.external {
        let mut function = body.function;
        function.clear();
        if let Some(entry) = function.blocks.first_mut() {
            entry.end = Terminator::Unreachable;
        }
        return function;
    }
    body.place_returned();
    body.note_labels(&source.body);
    body.scope(&source.body);
    body.here = source.end;
    body.end_of_body();
    body.finish()
}

impl<'a> Body<'a, '_> {
    fn parameters(&mut self) {
        match scalar(self.program, self.source.result) {
            Some(Scalar::Void) => {}
            Some(scalar) => self.function.results = vec![memory_type(scalar)],
            None => {
                let value = self.function.block_param(Block(0), Type::Ptr(Space::Generic));
                self.function.params.push(Param {
                    name: "result".to_owned(),
                    value,
                    bytes: None,
                    restrict: false,
                    points_to_const: false,
                    record: None,
                });
                self.function.record = records::parts(self.program, self.source.result);
                self.returned = Some(value);
            }
        }
        for id in self.source.params.iter().chain(&self.source.variadic) {
            self.parameter(*id);
        }
    }

    fn parameter(&mut self, id: LocalId) {
        let Some(local) = self.source.locals.get(id.index()) else { return };
        let kind = scalar(self.program, local.ty);
        let layout = self.program.layout(local.ty);
        let align = local.align.max(layout.1).max(1);
        let (ty, bytes) = match kind {
            Some(kind) => (memory_type(kind), None),
            None if self.source.kernel => (Type::Ptr(Space::Param), Some((layout.0, align))),
            None => (Type::Ptr(Space::Generic), None),
        };
        let points_to_const = match self.program.types.kind(local.ty) {
            TypeKind::Pointer(to) | TypeKind::Reference { to, .. } => to.constant && !to.volatile,
            _ => false,
        };
        let value = self.function.block_param(Block(0), ty);
        let (name, restrict) = (local.name.to_string(), local.restrict);
        let record = match kind {
            None if !self.source.kernel => records::parts(self.program, local.ty),
            _ => None,
        };
        self.function.params.push(Param { name, value, bytes, restrict, points_to_const, record });
        self.here = local.span;
        match kind {
            Some(_) => {
                let address = self.local(id);
                self.store_memory(address, value);
            }
            // A kernel's own copy of a record, so that it can change it; where it does not, passes read the parameter.
            None if self.source.kernel && !local.grid_constant => {
                let address = self.local(id);
                self.copy(address.pointer, value, layout.0, align);
            }
            None => {
                let address = Address { pointer: value, align, ty: local.ty, bits: None };
                self.place_local(id, address);
            }
        }
    }

    /// Puts the variable that every `return` names where the result is returned to.
    fn place_returned(&mut self) {
        if let (Some(local), Some(pointer)) = (self.source.returned, self.returned) {
            let ty = self.source.result;
            let align = self.program.layout(ty).1;
            self.place_local(local, Address { pointer, align, ty, bits: None });
        }
    }

    /// What happens where no `return` is reached.
    pub(super) fn end_of_body(&mut self) {
        let results = self.function.results.clone();
        let values = results.into_iter().map(|ty| self.undefined(ty)).collect();
        self.end(Terminator::Return(values));
    }

    fn finish(mut self) -> Function {
        if let Some(entry) = self.function.blocks.first_mut() {
            self.slots.append(&mut self.prologue);
            self.slots.append(&mut entry.insts);
            entry.insts = self.slots;
        }
        self.function
    }

    /// Where a variable is; a slot is made where it has none.
    pub(super) fn local(&mut self, id: LocalId) -> Address {
        if let Some(Some(address)) = self.locals.get(id.index()) {
            return *address;
        }
        let address = match self.source.locals.get(id.index()) {
            Some(local) => {
                let (size, align) = self.program.layout(local.ty);
                self.slot(local.ty, size, align.max(local.align))
            }
            None => {
                self.shared.refuse(self.here, "a variable of another function");
                self.slot(self.source.result, 8, 8)
            }
        };
        self.place_local(id, address);
        address
    }

    fn place_local(&mut self, id: LocalId, address: Address) {
        if let Some(local) = self.locals.get_mut(id.index()) {
            *local = Some(address);
        }
    }

    /// Memory of the thread for a value of a type.
    pub(super) fn temporary(&mut self, ty: hir::Type) -> Address {
        let (size, align) = self.program.layout(ty);
        self.slot(ty, size, align)
    }

    /// Memory of the thread.
    pub(super) fn slot(&mut self, ty: hir::Type, size: u64, align: u32) -> Address {
        let align = align.max(1);
        let place = DebugLocation { span: self.here, inlined: 0 };
        let op = Op::Slot { size, align };
        let inst = self.function.inst(op, vec![], &[Type::Ptr(Space::Local)], place);
        self.slots.push(inst);
        let pointer = self.result(inst, 0);
        Address { pointer, align, ty, bits: None }
    }

    /// Block of a label.
    pub(super) fn target(&mut self, label: Label) -> Block {
        if let Some(block) = self.targets.get(&label) {
            return *block;
        }
        let block = self.function.block();
        self.targets.insert(label, block);
        block
    }

    /// Adds an instruction.
    pub(super) fn push(&mut self, op: Op, args: Vec<Value>, results: &[Type]) -> Inst {
        let place = DebugLocation { span: self.here, inlined: 0 };
        let inst = self.function.inst(op, args, results, place);
        let at = self.at;
        if let Some(block) = self.function.blocks.get_mut(at.index()) {
            block.insts.push(inst);
        }
        inst
    }

    /// Adds an instruction where the function begins.
    pub(super) fn at_entry(&mut self, op: Op, args: Vec<Value>) {
        let place = DebugLocation { span: self.here, inlined: 0 };
        let inst = self.function.inst(op, args, &[], place);
        self.prologue.push(inst);
    }

    /// Result of an instruction, by its number.
    pub(super) fn result(&mut self, inst: Inst, number: usize) -> Value {
        let data = self.function.insts.get(inst.index());
        match data.and_then(|data| data.results.get(number).copied()) {
            Some(value) => value,
            None => self.undefined(Type::I32),
        }
    }

    /// Adds an instruction of one result.
    pub(super) fn one(&mut self, op: Op, args: Vec<Value>, ty: Type) -> Value {
        let inst = self.push(op, args, &[ty]);
        self.result(inst, 0)
    }

    /// Type of a value.
    pub(super) fn ty(&self, value: Value) -> Type {
        self.function.ty(value)
    }

    /// Constant of a type.
    pub(super) fn constant(&mut self, ty: Type, bits: u64) -> Value {
        let bits = match ty.bytes() {
            _ if ty == Type::Pred => bits & 1,
            8 => bits,
            bytes => bits & ((1 << (8 * bytes)) - 1),
        };
        if let Some(value) = self.constants.get(&(ty, bits)) {
            return *value;
        }
        let value = self.function.value(ty, Def::constant(bits));
        self.constants.insert((ty, bits), value);
        value
    }

    /// Number of 64 bits.
    pub(super) fn long(&mut self, number: i64) -> Value {
        self.constant(Type::I64, number as u64)
    }

    /// Any value of a type.
    pub(super) fn undefined(&mut self, ty: Type) -> Value {
        self.function.value(ty, Def::Undefined)
    }

    /// What stands for something that was refused.
    pub(super) fn refused(&mut self, ty: hir::Type, message: impl Into<String>) -> Value {
        self.shared.refuse(self.here, message);
        let scalar = scalar(self.program, ty).unwrap_or(Scalar::Void);
        self.undefined(value_type(scalar))
    }

    pub(super) fn binary(&mut self, op: Binary, a: Value, b: Value) -> Value {
        let ty = self.ty(a);
        self.one(Op::Binary(op), vec![a, b], ty)
    }

    pub(super) fn unary(&mut self, op: Unary, a: Value) -> Value {
        let ty = self.ty(a);
        self.one(Op::Unary(op), vec![a], ty)
    }

    pub(super) fn compare(&mut self, op: Compare, a: Value, b: Value) -> Value {
        self.one(Op::Compare(op), vec![a, b], Type::Pred)
    }

    pub(super) fn change(&mut self, op: Convert, a: Value, to: Type) -> Value {
        self.one(Op::Convert(op), vec![a], to)
    }

    /// The same address as a generic one.
    pub(super) fn generic(&mut self, pointer: Value) -> Value {
        let generic = Type::Ptr(Space::Generic);
        if self.ty(pointer) == generic { pointer } else { self.change(Convert::Space, pointer, generic) }
    }

    /// Ends the block; what is added after it, before another one is begun, is never reached.
    pub(super) fn end(&mut self, end: Terminator) {
        let place = DebugLocation { span: self.here, inlined: 0 };
        let at = self.at;
        if let Some(block) = self.function.blocks.get_mut(at.index()) {
            block.end = end;
            block.end_place = place;
        }
        self.at = self.function.block();
    }

    /// Ends the block with a jump.
    pub(super) fn jump(&mut self, to: Block, args: Vec<Value>) {
        self.end(Terminator::Jump(Edge { block: to, args }));
    }

    /// Ends the block with a branch.
    pub(super) fn fork(&mut self, condition: Value, yes: Block, no: Block) {
        let edge = |block| Edge { block, args: vec![] };
        self.end(Terminator::Branch(condition, edge(yes), edge(no)));
    }

    /// Adds to another block for a while; that which was added to.
    pub(super) fn replace_at(&mut self, block: Block) -> Block {
        std::mem::replace(&mut self.at, block)
    }

    /// Goes on in a block.
    pub(super) fn begin(&mut self, block: Block) {
        self.at = block;
    }

    /// Makes a block.
    pub(super) fn block(&mut self) -> Block {
        self.function.block()
    }

    /// Calls something with a span as the place of what it adds.
    pub(super) fn at_span<T>(&mut self, span: Span, what: impl FnOnce(&mut Self) -> T) -> T {
        let before = std::mem::replace(&mut self.here, span);
        let result = what(self);
        self.here = before;
        result
    }

    /// What a type is to arithmetic; `None` for records and arrays.
    pub(super) fn scalar(&self, ty: hir::Type) -> Option<Scalar> {
        scalar(self.program, ty)
    }

    /// Size of what a pointer leads to.
    pub(super) fn pointee(&self, ty: hir::Type) -> Option<hir::Type> {
        match self.program.types.kind(ty) {
            TypeKind::Pointer(of) | TypeKind::Reference { to: of, .. } => Some(*of),
            _ => None,
        }
    }
}
