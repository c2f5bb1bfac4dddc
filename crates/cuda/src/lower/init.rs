//! What fills memory.

use crate::evaluate::{self, Known};
use crate::hir::{self, ExprKind, Init, TypeKind, VariableId};
use crate::ir::{Global, GlobalId, Initial, Linkage, Op, Space, Type};

use super::address::Address;
use super::function::Body;
use super::{aligned, globals};

/// Elements of an array from which on constant ones are copied from a table instead of written one by one.
const TABLE: usize = 64;
/// Bytes of a table of virtual functions before the first: the distance to the whole object, and what its class is.
const TABLE_HEAD: u64 = 16;
/// Elements that are filled one after another; more are filled by a loop.
const UNROLLED: u64 = 16;

impl<'a> Body<'a, '_> {
    /// Fills the memory of an address.
    pub(super) fn fill(&mut self, to: Address, init: &'a Init) {
        match init {
            Init::Value(expr) => {
                let value = self.value(expr);
                self.store(to, value);
            }
            Init::Zero => self.zero(to),
            Init::Nothing => {}
            Init::Fields(fields) => {
                self.clear_units(to, fields);
                for (number, init) in fields {
                    self.fill_field(to, *number, init);
                }
            }
            Init::Elements(elements, filler) => self.fill_elements(to, elements, filler.as_deref()),
            Init::Bytes(bytes) => self.fill_bytes(to, bytes),
            // A copy is of its own source: a call with three of them makes three.
            Init::Copy(from) => self.at_span(from.span, |body| {
                let from = body.place(from);
                let size = body.copied(to.ty);
                body.copy(to.pointer, from.pointer, size, to.align.min(from.align));
            }),
            Init::Call(function, args) => {
                self.call(*function, args, None, Some(to));
            }
            Init::CallPointer(function, args) => {
                self.call_pointer(function, args, Some(to));
            }
            Init::Builtin(row, ty, args) => self.builtin_record(row, *ty, args, to),
            Init::Construct(function, args) => {
                self.call(*function, args, Some(to), None);
            }
            Init::Conditional(condition, yes, no) => {
                let (first, second, after) = (self.block(), self.block(), self.block());
                self.branch(condition, first, second);
                for (block, init) in [(first, yes), (second, no)] {
                    self.begin(block);
                    self.conditionally(|body| body.fill(to, init));
                    self.jump(after, vec![]);
                }
                self.begin(after);
            }
            Init::Sequence(stmts, init) => {
                self.stmts_within(stmts);
                self.fill(to, init);
            }
            Init::Tables(init, tables, offsets) => {
                self.fill(to, init);
                self.put_tables(to, tables, offsets);
            }
            Init::Zeroed(init) => {
                self.zero(to);
                self.fill(to, init);
            }
        }
    }

    /// Bytes that a copy of an object has: an empty one may share its only byte with another.
    pub(super) fn copied(&self, ty: hir::Type) -> u64 {
        match self.record(ty) {
            Some(record) if record.fields.iter().all(|field| field.base && self.copied(field.ty) == 0) => 0,
            _ => self.program.layout(ty).0,
        }
    }

    /// Sets what is at an address to zero.
    fn zero(&mut self, to: Address) {
        match self.scalar(to.ty) {
            Some(kind) => {
                let zero = self.constant(super::value_type(kind), 0);
                self.store(to, zero);
            }
            None => self.zero_bytes(to, self.program.layout(to.ty).0),
        }
    }

    fn zero_bytes(&mut self, to: Address, size: u64) {
        if size > 0 {
            self.push(Op::Zero { size, align: to.align }, vec![to.pointer], &[]);
        }
    }

    fn record(&self, ty: hir::Type) -> Option<&'a hir::Record> {
        match self.program.types.kind(ty) {
            TypeKind::Record(id) => self.program.records.get(id.index()),
            _ => None,
        }
    }

    fn fill_field(&mut self, to: Address, number: u32, init: &'a Init) {
        match self.record(to.ty).and_then(|record| record.fields.get(number as usize)) {
            Some(field) => {
                let address = self.offset(to, field.offset, field.ty);
                self.fill(Address { bits: field.bits, ..address }, init);
            }
            None => self.shared.refuse(self.here, "a field of something that is not a class"),
        }
    }

    /// Bit-fields are written by changing a unit; one that all its fields will be written in begins as zero, so that nothing
    /// undefined is read.
    fn clear_units(&mut self, to: Address, fields: &crate::sorted::Sorted<u32, Init>) {
        let Some(record) = self.record(to.ty) else { return };
        let mut cleared = vec![];
        for number in fields.keys() {
            let Some(field) = record.fields.get(*number as usize) else { continue };
            let unit = field.offset..field.offset + self.program.layout(field.ty).0;
            let within = |other: &hir::Field| {
                other.offset < unit.end && other.offset + self.program.layout(other.ty).0 > unit.start
            };
            let all = record
                .fields
                .iter()
                .enumerate()
                .all(|(at, other)| !within(other) || fields.contains_key(&(at as u32)));
            if field.bits.is_some() && all && !cleared.contains(&unit) {
                let address = self.offset(to, field.offset, field.ty);
                self.zero(address);
                cleared.push(unit);
            }
        }
    }

    /// Element type and number of elements of an array.
    fn array(&mut self, ty: hir::Type) -> (hir::Type, u64) {
        match self.program.types.kind(ty) {
            TypeKind::Array(of, length) => (*of, *length),
            _ => {
                self.shared.refuse(self.here, "elements of something that is not an array");
                (ty, 0)
            }
        }
    }

    fn fill_elements(&mut self, to: Address, elements: &'a [Init], filler: Option<&'a Init>) {
        let (of, length) = self.array(to.ty);
        let size = self.program.layout(of).0;
        if zero(filler) && elements.iter().all(|init| zero(Some(init))) {
            return self.zero_bytes(to, size.saturating_mul(length));
        }
        if elements.len() >= TABLE && self.fill_table(to, elements, filler) {
            return;
        }
        for (number, init) in elements.iter().enumerate() {
            let element = self.offset(to, (number as u64).saturating_mul(size), of);
            self.fill(element, init);
        }
        let done = elements.len() as u64;
        let rest = length.saturating_sub(done);
        match filler {
            None | Some(Init::Nothing) => {}
            Some(_) if rest == 0 => {}
            Some(filler) if zero(Some(filler)) => {
                let address = self.offset(to, done.saturating_mul(size), of);
                self.zero_bytes(address, rest.saturating_mul(size));
            }
            Some(filler) if rest <= UNROLLED => {
                for number in done..length {
                    let element = self.offset(to, number.saturating_mul(size), of);
                    self.fill(element, filler);
                }
            }
            Some(filler) => {
                let counter = self.slot(of, 8, 8);
                self.counted(counter, done, length, |body, number| body.fill_element(to, of, number, filler));
            }
        }
    }

    /// Fills the element of a number that is known only on the device.
    fn fill_element(&mut self, to: Address, of: hir::Type, number: crate::ir::Value, init: &'a Init) {
        let size = self.program.layout(of).0.max(1);
        let bytes = self.scaled(number, size, false);
        let pointer = self.one(Op::Offset, vec![to.pointer, bytes], self.ty(to.pointer));
        self.fill(Address { pointer, align: aligned(to.align, size), ty: of, bits: None }, init);
    }

    /// Copies elements that are all constant from a table; false where they are not.
    fn fill_table(&mut self, to: Address, elements: &'a [Init], filler: Option<&'a Init>) -> bool {
        let literal = |init: &Init| match init {
            Init::Value(expr) => matches!(expr.kind, ExprKind::Integer(_) | ExprKind::Float(_)),
            _ => false,
        };
        if !elements.iter().all(literal) || !(filler.is_none() || zero(filler)) {
            return false;
        }
        let whole = Init::Elements(elements.to_vec(), filler.cloned().map(Box::new));
        let Ok(object) = evaluate::evaluate_init(self.program, Known::default(), to.ty, &whole, self.here)
        else {
            return false;
        };
        let from = self.table(to.ty, globals::contents(&object), to.align);
        self.copy(to.pointer, from, object.size(), to.align);
        true
    }

    /// A constant of the module, for copying from.
    fn table(&mut self, ty: hir::Type, initial: Option<Initial>, align: u32) -> crate::ir::Value {
        let id = GlobalId(self.shared.globals.len() as u32);
        let (element, array) = globals::element(self.program, ty);
        self.shared.globals.push(Global {
            name: format!("__const${}${}", self.source.symbol, id.0),
            space: Space::Global,
            size: self.program.layout(ty).0,
            align,
            element,
            array,
            visible: false,
            external: false,
            linkage: Linkage::Internal,
            managed: false,
            read_only: true,
            initial,
            span: self.here,
        });
        self.one(Op::Global(id), vec![], Type::Ptr(Space::Global))
    }

    fn fill_bytes(&mut self, to: Address, bytes: &[u8]) {
        let size = self.program.layout(to.ty).0;
        let known = bytes.len().min(usize::try_from(size).unwrap_or(usize::MAX));
        let known = bytes.get(..known).unwrap_or_default();
        if known.len() >= TABLE {
            let from = self.table(to.ty, Some((known.to_vec(), vec![])), to.align);
            return self.copy(to.pointer, from, size, to.align);
        }
        for (number, byte) in known.iter().enumerate() {
            let address = self.offset(to, number as u64, to.ty);
            let value = self.constant(Type::I8, u64::from(*byte));
            self.store_memory(address, value);
        }
        let rest = self.offset(to, known.len() as u64, to.ty);
        self.zero_bytes(rest, size.saturating_sub(known.len() as u64));
    }
}

impl Body<'_, '_> {
    /// Puts the addresses of tables into an object, each of its first function.
    fn put_tables(&mut self, to: Address, tables: &[VariableId], offsets: &[u64]) {
        for (table, offset) in tables.iter().zip(offsets) {
            let at = self.offset(to, *offset, to.ty);
            let table = self.variable(*table, to.ty);
            let first = self.offset(table, TABLE_HEAD, to.ty);
            let address = self.generic(first.pointer);
            self.store_memory(Address { align: 8, ..at }, address);
        }
    }
}

/// Whether an initialiser writes zeros alone; where there is none, it writes nothing, which zeros will do for.
fn zero(init: Option<&Init>) -> bool {
    match init {
        None | Some(Init::Zero | Init::Nothing) => true,
        Some(Init::Value(expr)) => matches!(expr.kind, ExprKind::Integer(0) | ExprKind::Float(0)),
        Some(Init::Fields(_)) => false,
        Some(Init::Elements(elements, filler)) => {
            elements.iter().all(|init| zero(Some(init))) && zero(filler.as_deref())
        }
        Some(
            Init::Bytes(_)
            | Init::Copy(_)
            | Init::Call(..)
            | Init::CallPointer(..)
            | Init::Builtin(..)
            | Init::Construct(..)
            | Init::Conditional(..)
            | Init::Sequence(..)
            | Init::Tables(..)
            | Init::Zeroed(_),
        ) => false,
    }
}
