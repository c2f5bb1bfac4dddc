//! Places and memory: the part of the machine that reads and writes.

use std::rc::Rc;

use crate::hir::{Binary, Expr, Init, LocalId, Place, PlaceKind, Program, Step, Type, TypeKind};
use crate::source::Span;

use super::machine::{Eval, Machine, at, fail};
use super::number::{Scalar, convert};
use super::{Address, Base, Constant, Object};

/// Place that was evaluated.
pub(super) struct Location {
    /// Where it is.
    pub(super) address: Address,
    ty: Type,
    /// First bit and width of a bit-field.
    bits: Option<(u32, u32)>,
}

/// Whether a variable of a type never changes: `const`, or an array of such.
fn constant(program: &Program, ty: Type) -> bool {
    let mut ty = ty;
    loop {
        if ty.constant && !ty.volatile {
            return true;
        }
        match program.types.kind(ty) {
            TypeKind::Array(of, _) => ty = *of,
            _ => return false,
        }
    }
}

impl<'a> Machine<'a> {
    /// Evaluates a place.
    pub(super) fn place(&mut self, place: &'a Place) -> Eval<Location> {
        self.enter(place.span)?;
        let location = self.place_of(place);
        self.leave();
        location
    }

    fn place_of(&mut self, place: &'a Place) -> Eval<Location> {
        let span = place.span;
        let here = |address| Ok(Location { address, ty: place.ty, bits: None });
        match &place.kind {
            PlaceKind::Local(local) => here(self.local(*local, span)?),
            PlaceKind::Variable(id) => here(Address { base: Base::Variable(*id), offset: 0 }),
            PlaceKind::Deref(pointer) => match self.value(pointer)? {
                Constant::Address(address) => here(address),
                Constant::Integer(0) => fail(span, "dereference of a null pointer"),
                Constant::Void | Constant::Integer(_) | Constant::Float(_) => {
                    fail(span, "dereference of a pointer to unknown memory")
                }
            },
            PlaceKind::Field(of, number) => self.field(of, *number, place),
            PlaceKind::Element(of, index) => {
                let array = self.place(of)?;
                let Some(index) = self.value(index)?.integer() else {
                    return fail(span, "index that is not an integer");
                };
                if let TypeKind::Array(_, length) = self.program.types.kind(of.ty)
                    && !(0..=i128::from(*length)).contains(&index)
                {
                    return fail(span, format!("element {index} of an array of {length} elements"));
                }
                let bytes = index.saturating_mul(i128::from(self.program.layout(place.ty).0));
                match i64::try_from(bytes).ok().and_then(|bytes| array.address.offset.checked_add(bytes)) {
                    Some(offset) => here(Address { offset, ..array.address }),
                    None => fail(span, "element outside its array"),
                }
            }
            PlaceKind::Conditional(condition, yes, no) => {
                let chosen = if self.truth(condition)? { yes } else { no };
                self.place(chosen)
            }
            PlaceKind::Sequence(stmts, place) => {
                self.effects(stmts, span)?;
                self.place(place)
            }
            PlaceKind::Assign(to, value) => {
                let value = self.value(value)?;
                let location = self.place(to)?;
                self.store(&location, value, span)?;
                Ok(location)
            }
            PlaceKind::AssignInit(to, init) => {
                let temporary = self.object(to.ty, false);
                let from = Address { base: Base::Object(temporary), offset: 0 };
                self.fill(to.ty, from, init, span)?;
                let location = self.place(to)?;
                let source = Rc::new(self.objects.remove(&temporary).unwrap_or_default());
                self.copy(location.address, &source, 0, source.size(), span)?;
                Ok(location)
            }
            PlaceKind::Compound(to, op, operand, ty) => self.compound(to, *op, operand, *ty, span),
            PlaceKind::CompoundOffset(to, count, back) => {
                let count = self.value(count)?;
                let location = self.place(to)?;
                let before = self.load(&location, span)?;
                let value = self.advance(before, self.pointee(to.ty), count, *back, span)?;
                self.store(&location, value, span)?;
                Ok(location)
            }
            PlaceKind::PreStep(to, step) => {
                let location = self.place(to)?;
                let before = self.load(&location, span)?;
                let after = self.stepped(&location, before, *step, span)?;
                self.store(&location, after, span)?;
                Ok(location)
            }
            PlaceKind::Temporary(local, init) => {
                let object = self.object(place.ty, false);
                self.bind(*local, object);
                let address = Address { base: Base::Object(object), offset: 0 };
                self.fill(place.ty, address, init, span)?;
                here(address)
            }
        }
    }

    /// What `to op= operand` assigns to, computed in a type.
    fn compound(
        &mut self,
        to: &'a Place,
        op: Binary,
        operand: &'a Expr,
        ty: Type,
        span: Span,
    ) -> Eval<Location> {
        let right = self.value(operand)?;
        let location = self.place(to)?;
        let before = self.load(&location, span)?;
        let own = self.scalar(to.ty, span)?;
        let computed = self.scalar(ty, span)?;
        let left = at(span, convert(before, own, computed))?;
        let value = self.binary(op, ty, left, right, span)?;
        let value = at(span, convert(value, computed, own))?;
        self.store(&location, value, span)?;
        Ok(location)
    }

    fn local(&self, local: LocalId, span: Span) -> Eval<Address> {
        let Some(frame) = self.frames.last() else { return fail(span, "variable outside any function") };
        match frame.locals.get(&local) {
            Some(object) => Ok(Address { base: Base::Object(*object), offset: 0 }),
            None if frame.outer => Ok(Address { base: Base::Local(local), offset: 0 }),
            None => fail(span, "read of an uninitialised variable"),
        }
    }

    fn field(&mut self, of: &'a Place, number: u32, place: &Place) -> Eval<Location> {
        let record = self.place(of)?;
        let field = match self.program.types.kind(of.ty) {
            TypeKind::Record(id) => {
                self.program.records.get(id.index()).and_then(|record| record.fields.get(number as usize))
            }
            _ => None,
        };
        let offset = field
            .and_then(|field| i64::try_from(field.offset).ok())
            .and_then(|bytes| record.address.offset.checked_add(bytes));
        match (field, offset) {
            (Some(field), Some(offset)) => {
                Ok(Location { address: Address { offset, ..record.address }, ty: place.ty, bits: field.bits })
            }
            _ => fail(place.span, "field of something that is not a class"),
        }
    }

    /// Reads a scalar.
    pub(super) fn load(&mut self, location: &Location, span: Span) -> Eval<Constant> {
        if location.ty.volatile {
            return fail(span, "read of a `volatile` variable");
        }
        let kind = self.scalar(location.ty, span)?;
        let offset = location.address.offset;
        let read = |object: &Object| match (location.bits, kind) {
            (Some((first, width)), Scalar::Integer { signed, .. }) => {
                object.load_bits(offset, first, width, signed)
            }
            (Some((first, width)), _) => object.load_bits(offset, first, width, false),
            (None, _) => object.load(offset, kind),
        };
        match location.address.base {
            Base::Object(id) => match self.objects.get(&id) {
                Some(object) => at(span, read(object)),
                None => fail(span, "access to a variable after the end of its lifetime"),
            },
            _ => {
                let object = self.outside(location.address.base, span)?;
                at(span, read(&object))
            }
        }
    }

    /// Contents of something that the expression does not change.
    fn outside(&mut self, base: Base, span: Span) -> Eval<Rc<Object>> {
        match base {
            Base::Object(id) => match self.objects.get(&id) {
                Some(object) => Ok(Rc::new(object.clone())),
                None => fail(span, "access to a variable after the end of its lifetime"),
            },
            Base::Local(local) => {
                let known = self.known.locals.and_then(|known| known.get(&local));
                match (known, self.known.declared.get(local.index())) {
                    (Some(object), _) => Ok(Rc::new(object.clone())),
                    (None, Some(declared)) if !declared.name.is_empty() => {
                        fail(span, format!("the value of `{}` is known only at run time", declared.name))
                    }
                    (None, _) => fail(span, "this value is known only at run time"),
                }
            }
            Base::Function(_) => fail(span, "read of a function"),
            Base::Variable(id) => {
                let Some(variable) = self.program.variables.get(id.index()) else {
                    return fail(span, "variable that is not defined");
                };
                if variable.external || !constant(self.program, variable.ty) {
                    return fail(span, format!("the value of `{}` is known only at run time", variable.name));
                }
                self.contents(id, span)
            }
        }
    }

    /// Writes a scalar.
    pub(super) fn store(&mut self, location: &Location, value: Constant, span: Span) -> Eval<()> {
        let kind = self.scalar(location.ty, span)?;
        match location.bits {
            None => self.store_scalar(location.address, kind, value, span),
            Some((first, width)) => {
                let Some(value) = value.integer() else {
                    return fail(span, "bit-field that is not an integer");
                };
                let object = self.own(location.address, span)?;
                at(span, object.store_bits(location.address.offset, first, width, value))
            }
        }
    }

    pub(super) fn store_scalar(
        &mut self,
        to: Address,
        kind: Scalar,
        value: Constant,
        span: Span,
    ) -> Eval<()> {
        let object = self.own(to, span)?;
        at(span, object.store(to.offset, kind, value))
    }

    /// Object of this evaluation, for writing.
    fn own(&mut self, to: Address, span: Span) -> Eval<&mut Object> {
        let object = match to.base {
            Base::Object(id) => self.objects.get_mut(&id),
            Base::Local(_) | Base::Variable(_) | Base::Function(_) => {
                return fail(span, "modification of a variable outside the constant expression");
            }
        };
        match object {
            Some(object) => Ok(object),
            None => fail(span, "access to a variable after the end of its lifetime"),
        }
    }

    fn copy(&mut self, to: Address, from: &Object, offset: i64, size: u64, span: Span) -> Eval<()> {
        self.charge(size / 16, span)?;
        let object = self.own(to, span)?;
        at(span, object.copy(to.offset, from, offset, size))
    }

    /// Value after `++` or `--`.
    pub(super) fn stepped(
        &self,
        location: &Location,
        before: Constant,
        step: Step,
        span: Span,
    ) -> Eval<Constant> {
        let kind = self.scalar(location.ty, span)?;
        let down = step == Step::Down;
        match kind {
            Scalar::Pointer => {
                let of = self.pointee(location.ty);
                self.advance(before, of, Constant::Integer(1), down, span)
            }
            Scalar::Bool => Ok(Constant::Integer(1)),
            Scalar::Integer { bits, signed } => {
                let Some(value) = before.integer() else {
                    return fail(span, "increment or decrement of an address");
                };
                let value = value + if down { -1 } else { 1 };
                // Narrow ones are computed as `int`, where nothing overflows, and converted back.
                let wrapped = super::number::wrap(value, bits, signed);
                if signed && bits >= 32 && wrapped != value {
                    return fail(span, "overflow of a signed integer");
                }
                Ok(Constant::Integer(wrapped))
            }
            Scalar::Float | Scalar::Double => {
                let one = at(span, convert(Constant::Integer(if down { -1 } else { 1 }), kind, kind))?;
                self.binary(crate::hir::Binary::Add, location.ty, before, one, span)
            }
            Scalar::Void => fail(span, "value of type `void`"),
        }
    }

    /// Fills memory of a type.
    pub(super) fn fill(&mut self, ty: Type, to: Address, init: &'a Init, span: Span) -> Eval<()> {
        self.enter(span)?;
        let done = self.fill_of(ty, to, init, span);
        self.leave();
        done
    }

    fn fill_of(&mut self, ty: Type, to: Address, init: &'a Init, span: Span) -> Eval<()> {
        let size = self.program.layout(ty).0;
        match init {
            Init::Value(expr) => {
                let value = self.value(expr)?;
                let kind = self.scalar(ty, expr.span)?;
                self.store_scalar(to, kind, value, expr.span)
            }
            Init::Zero => self.fill_bytes(to, &[], size, span),
            Init::Nothing => Ok(()),
            Init::Fields(fields) => {
                for (number, init) in fields {
                    self.fill_field(ty, to, *number, init, span)?;
                }
                Ok(())
            }
            Init::Elements(elements, filler) => self.fill_elements(ty, to, elements, filler.as_deref(), span),
            Init::Bytes(bytes) => self.fill_bytes(to, bytes, size, span),
            Init::Copy(from) => {
                let from = self.place(from)?.address;
                self.charge(size / 16, span)?;
                let mut part = Object::new(size, false);
                match from.base {
                    Base::Object(id) => match self.objects.get(&id) {
                        Some(object) => at(span, part.copy(0, object, from.offset, size))?,
                        None => return fail(span, "access to a variable after the end of its lifetime"),
                    },
                    Base::Local(_) | Base::Variable(_) | Base::Function(_) => {
                        let object = self.outside(from.base, span)?;
                        at(span, part.copy(0, &object, from.offset, size))?;
                    }
                }
                self.copy(to, &part, 0, size, span)
            }
            Init::Call(function, args) => self.call(*function, args, None, Some(to), span).map(|_| ()),
            Init::CallPointer(..) => fail(span, "call through a pointer"),
            Init::Builtin(row, ..) => fail(span, super::machine::called(row.name)),
            Init::Construct(function, args) => self.call(*function, args, Some(to), None, span).map(|_| ()),
            Init::Conditional(condition, yes, no) => {
                let chosen = if self.truth(condition)? { yes } else { no };
                self.fill(ty, to, chosen, span)
            }
            Init::Sequence(stmts, init) => {
                self.effects(stmts, span)?;
                self.fill(ty, to, init, span)
            }
            Init::Tables(..) => fail(span, "object of a class with virtual functions"),
            Init::Zeroed(init) => {
                self.fill_bytes(to, &[], size, span)?;
                self.fill(ty, to, init, span)
            }
        }
    }

    fn fill_bytes(&mut self, to: Address, bytes: &[u8], size: u64, span: Span) -> Eval<()> {
        self.charge(bytes.len() as u64 / 16, span)?;
        let object = self.own(to, span)?;
        at(span, object.fill(to.offset, bytes, size))
    }

    fn fill_field(&mut self, ty: Type, to: Address, number: u32, init: &'a Init, span: Span) -> Eval<()> {
        let field = match self.program.types.kind(ty) {
            TypeKind::Record(id) => {
                self.program.records.get(id.index()).and_then(|record| record.fields.get(number as usize))
            }
            _ => None,
        };
        let Some((field, bytes)) = field.and_then(|field| Some((field, i64::try_from(field.offset).ok()?)))
        else {
            return fail(span, "field of something that is not a class");
        };
        let to = Address { offset: to.offset.saturating_add(bytes), ..to };
        if field.bits.is_none() {
            return self.fill(field.ty, to, init, span);
        }
        let location = Location { address: to, ty: field.ty, bits: field.bits };
        match init {
            Init::Value(expr) => {
                let value = self.value(expr)?;
                self.store(&location, value, expr.span)
            }
            Init::Zero => self.store(&location, Constant::Integer(0), span),
            Init::Nothing => Ok(()),
            _ => fail(span, "bit-field initialised with something that is not a scalar"),
        }
    }

    /// Element type and number of elements of an array.
    fn array(&self, ty: Type, span: Span) -> Eval<(Type, u64)> {
        match self.program.types.kind(ty) {
            TypeKind::Array(of, length) => Ok((*of, *length)),
            _ => fail(span, "elements of something that is not an array"),
        }
    }

    fn fill_elements(
        &mut self,
        ty: Type,
        to: Address,
        elements: &'a [Init],
        filler: Option<&'a Init>,
        span: Span,
    ) -> Eval<()> {
        let (of, length) = self.array(ty, span)?;
        let size = self.program.layout(of).0;
        let element = |number: u64| Address {
            offset: to.offset.saturating_add(i64::try_from(number.saturating_mul(size)).unwrap_or(i64::MAX)),
            ..to
        };
        for (number, init) in elements.iter().enumerate() {
            self.fill(of, element(number as u64), init, span)?;
        }
        let done = elements.len() as u64;
        match filler {
            None | Some(Init::Nothing) => Ok(()),
            Some(Init::Zero) => {
                let rest = length.saturating_sub(done);
                if rest == 0 {
                    Ok(())
                } else {
                    self.fill_bytes(element(done), &[], rest.saturating_mul(size), span)
                }
            }
            Some(filler) => {
                for number in done..length {
                    self.fill(of, element(number), filler, span)?;
                }
                Ok(())
            }
        }
    }
}
