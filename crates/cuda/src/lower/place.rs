//! Lvalues.

use crate::evaluate::Scalar;
use crate::hir::{self, Expr, Init, Place, PlaceKind, TypeKind};
use crate::ir::{GlobalId, Op, Space, Type, Value};

use super::address::Address;
use super::aligned;
use super::function::Body;

impl<'a> Body<'a, '_> {
    /// Address of a place.
    pub(super) fn place(&mut self, place: &'a Place) -> Address {
        self.at_span(place.span, |body| body.place_here(place))
    }

    fn place_here(&mut self, place: &'a Place) -> Address {
        match &place.kind {
            PlaceKind::Local(id) => Address { ty: place.ty, ..self.local(*id) },
            PlaceKind::Variable(id) => self.variable(*id, place.ty),
            PlaceKind::Deref(pointer) => {
                let align = self.program.layout(place.ty).1;
                let pointer = self.value(pointer);
                Address { pointer, align, ty: place.ty, bits: None }
            }
            PlaceKind::Field(of, number) => self.field(of, *number, place),
            PlaceKind::Element(of, index) => self.element(of, index, place),
            PlaceKind::Conditional(condition, yes, no) => self.either(condition, yes, no, place),
            PlaceKind::Sequence(stmts, place) => {
                self.stmts_within(stmts);
                self.place(place)
            }
            PlaceKind::Assign(to, value) => {
                let value = self.value(value);
                let address = self.place(to);
                self.store(address, value);
                address
            }
            PlaceKind::AssignInit(to, init) => self.assign_init(to, init),
            PlaceKind::Compound(to, op, operand, ty) => self.compound(to, *op, operand, *ty),
            PlaceKind::CompoundOffset(to, count, back) => {
                let count = self.count(count);
                let address = self.place(to);
                let before = self.load(address);
                let after = self.advance(before, self.pointee(to.ty), count, *back);
                self.store(address, after);
                address
            }
            PlaceKind::PreStep(to, step) => {
                let address = self.place(to);
                let before = self.load(address);
                let after = self.stepped(address.ty, before, *step);
                self.store(address, after);
                address
            }
            PlaceKind::Temporary(id, init) => {
                let address = Address { ty: place.ty, ..self.local(*id) };
                self.fill(address, init);
                self.began(*id);
                address
            }
        }
    }

    /// Variable with static storage.
    pub(super) fn variable(&mut self, id: hir::VariableId, ty: hir::Type) -> Address {
        let Some(global) = self.shared.globals.get(id.index()) else {
            let pointer = self.refused(ty, "a variable that is not defined");
            return Address { pointer, align: 1, ty, bits: None };
        };
        let (space, align) = (global.space, global.align);
        let pointer = self.one(Op::Global(GlobalId(id.0)), vec![], Type::Ptr(space));
        Address { pointer, align, ty, bits: None }
    }

    fn field(&mut self, of: &'a Place, number: u32, place: &Place) -> Address {
        let record = self.place(of);
        let field = match self.program.types.kind(of.ty) {
            TypeKind::Record(id) => {
                self.program.records.get(id.index()).and_then(|record| record.fields.get(number as usize))
            }
            _ => None,
        };
        match field {
            Some(field) => Address { bits: field.bits, ..self.offset(record, field.offset, place.ty) },
            None => {
                self.shared.refuse(self.here, "a field of something that is not a class");
                record
            }
        }
    }

    fn element(&mut self, of: &'a Place, index: &'a Expr, place: &Place) -> Address {
        let array = self.place(of);
        let index = self.count(index);
        let size = self.program.layout(place.ty).0.max(1);
        let bytes = self.scaled(index, size, false);
        let align = match self.function.constant(bytes) {
            Some(bytes) => aligned(array.align, bytes),
            None => aligned(array.align, size),
        };
        let pointer = match self.function.constant(bytes) {
            Some(0) => array.pointer,
            _ => self.one(Op::Offset, vec![array.pointer, bytes], self.ty(array.pointer)),
        };
        Address { pointer, align, ty: place.ty, bits: None }
    }

    /// One of two places.
    fn either(&mut self, condition: &'a Expr, yes: &'a Place, no: &'a Place, place: &Place) -> Address {
        let (first, second, after) = (self.block(), self.block(), self.block());
        self.branch(condition, first, second);
        let mut align = u32::MAX;
        for (block, place) in [(first, yes), (second, no)] {
            self.begin(block);
            let address = self.conditionally(|body| body.place(place));
            if address.bits.is_some() {
                self.shared.refuse(self.here, "a choice between bit-fields");
            }
            align = align.min(address.align);
            let pointer = self.generic(address.pointer);
            self.jump(after, vec![pointer]);
        }
        self.begin(after);
        let pointer = self.function.block_param(after, Type::Ptr(Space::Generic));
        Address { pointer, align, ty: place.ty, bits: None }
    }

    /// `a = b` of records: what is read of `a` on the right is what it held before.
    fn assign_init(&mut self, to: &'a Place, init: &'a Init) -> Address {
        let size = self.copied(to.ty);
        let (from, from_align) = match init {
            Init::Copy(from) => {
                let from = self.place(from);
                (from.pointer, from.align)
            }
            _ => {
                let temporary = self.temporary(to.ty);
                self.fill(temporary, init);
                (temporary.pointer, temporary.align)
            }
        };
        let address = self.place(to);
        self.copy(address.pointer, from, size, from_align.min(address.align));
        address
    }

    fn compound(&mut self, to: &'a Place, op: hir::Binary, operand: &'a Expr, ty: hir::Type) -> Address {
        let right = self.value(operand);
        let address = self.place(to);
        let own = self.scalar(to.ty).unwrap_or(Scalar::Void);
        let computed = self.scalar(ty).unwrap_or(Scalar::Void);
        let before = self.load(address);
        let left = self.convert(before, own, computed);
        let value = self.arithmetic(op, computed, left, right);
        let value: Value = self.convert(value, computed, own);
        self.store(address, value);
        address
    }
}
