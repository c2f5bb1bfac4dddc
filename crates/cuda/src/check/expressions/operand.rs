//! Operands: what an expression is before its context says what becomes of it.
//!
//! Enters: values, places and initialisers. Leaves: them, loaded, decayed or materialised. This module must never know how
//! expressions are written.

use std::rc::Rc;

use crate::ast;
use crate::hir::{Expr, ExprKind, Init, LocalId, Place, PlaceKind, RecordId, Type, TypeKind, VariableId};
use crate::source::Span;

use crate::check::Checker;
use crate::check::context::classes::Classes;
use crate::check::context::output::Output;
use crate::check::names::entity::{Argument, DeclId};
use crate::check::types::kind::plain;

/// Functions that a name may mean.
#[derive(Clone, Debug)]
pub(crate) struct FunctionSet {
    /// Name as written.
    pub(crate) name: Rc<str>,
    /// Those declared.
    pub(crate) decls: Vec<DeclId>,
    /// Whether rows of the compiler's own table of this name count.
    pub(crate) builtin: bool,
    /// Explicit template arguments.
    pub(crate) arguments: Vec<Argument>,
    /// Whether arguments' types bring further functions along.
    pub(crate) by_arguments: bool,
    /// Whether a method is named with its class, which says that its own function is meant.
    pub(crate) qualified: bool,
    /// Whether an operator between its operands means the functions: then it says which operand is evaluated first.
    pub(crate) operator: bool,
    /// Object of methods.
    pub(crate) object: Option<Box<Operand>>,
    /// Where the name is written.
    pub(crate) span: Span,
}

impl FunctionSet {
    /// Functions that were declared, and no others, without template arguments and without an object.
    pub(crate) fn of(name: impl Into<Rc<str>>, decls: Vec<DeclId>, span: Span) -> Self {
        FunctionSet {
            name: name.into(),
            decls,
            builtin: false,
            arguments: vec![],
            by_arguments: false,
            qualified: false,
            operator: false,
            object: None,
            span,
        }
    }
}

/// What an expression is.
#[derive(Clone, Debug)]
pub(crate) enum Operand {
    /// Scalar that is no place, or `void`.
    Value(Expr),
    /// Place; `true` for one that may be moved from (`T &&`).
    Place(Place, bool),
    /// Class (or array) that is no place yet, with its type.
    Init(Init, Type, Span),
    /// Name of functions.
    Functions(FunctionSet),
    /// List in braces.
    List(Rc<ast::InitList>),
    /// Erroneous; reported already.
    Error(Span),
}

impl Operand {
    /// Name of functions of which the compiler's own table has some and the source none.
    pub(crate) fn of_the_compiler(&self) -> Option<&str> {
        match self {
            Operand::Functions(set) if set.builtin && set.decls.is_empty() => Some(&set.name),
            _ => None,
        }
    }

    /// The list in braces that it is.
    pub(crate) fn list(&self) -> Option<&ast::InitList> {
        match self {
            Operand::List(list) => Some(list),
            _ => None,
        }
    }

    pub(crate) fn span(&self) -> Span {
        match self {
            Operand::Value(expr) => expr.span,
            Operand::Place(place, _) => place.span,
            Operand::Init(_, _, span) | Operand::Error(span) => *span,
            Operand::Functions(set) => set.span,
            Operand::List(list) => list.span,
        }
    }

    /// Type, with the qualifiers of a place.
    pub(crate) fn ty(&self) -> Option<Type> {
        match self {
            Operand::Value(expr) => Some(expr.ty),
            Operand::Place(place, _) => Some(place.ty),
            Operand::Init(_, ty, _) => Some(*ty),
            Operand::Functions(_) | Operand::List(_) | Operand::Error(_) => None,
        }
    }

    /// Whether it is a place that stays after the expression.
    pub(crate) fn is_lvalue(&self) -> bool {
        matches!(self, Operand::Place(_, false))
    }

    pub(crate) fn is_error(&self) -> bool {
        matches!(self, Operand::Error(_))
    }
}

/// Value of an integer constant.
pub(crate) fn number(value: i128, ty: Type, span: Span) -> Expr {
    Expr { kind: ExprKind::Integer(value), ty: plain(ty), span }
}

/// Place of a variable of the function.
pub(crate) fn local_place(local: LocalId, ty: Type, span: Span) -> Place {
    Place { kind: PlaceKind::Local(local), ty, span }
}

/// Place that an address leads to.
pub(crate) fn deref(pointer: Expr, to: Type, span: Span) -> Place {
    Place { kind: PlaceKind::Deref(Box::new(pointer)), ty: to, span }
}

/// Whether an expression is the literal 0, which is a null pointer too.
pub(crate) fn is_zero_literal(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Integer(0))
}

/// The value in that many bits.
pub(crate) fn wrap(value: i128, bits: u32, signed: bool) -> i128 {
    if bits == 0 || bits >= 127 {
        return value;
    }
    let low = value & ((1 << bits) - 1);
    if signed && low >> (bits - 1) & 1 == 1 { low - (1 << bits) } else { low }
}

impl Output {
    /// What a variable of a type is as a place: of a reference, what it refers to.
    pub(crate) fn variable_place(&mut self, kind: PlaceKind, ty: Type, span: Span) -> Place {
        match self.referred(ty) {
            Some((to, _)) => {
                let pointer = self.pointer(to);
                let holder = Place { kind, ty: pointer, span };
                deref(Expr { kind: ExprKind::Load(Box::new(holder)), ty: pointer, span }, to, span)
            }
            None => Place { kind, ty, span },
        }
    }

    /// Pointer to the first element of an array.
    pub(crate) fn decay(&mut self, place: Place) -> Expr {
        let span = place.span;
        let element = self.array_of(place.ty).map_or(place.ty, |(of, _)| of);
        let ty = self.pointer(element);
        if let PlaceKind::Deref(pointer) = place.kind {
            return Expr { kind: ExprKind::Cast(pointer), ty, span };
        }
        Expr { kind: ExprKind::Address(Box::new(place)), ty, span }
    }

    /// Whether a place is a bit-field, which has no address.
    pub(crate) fn is_bit_field(&self, place: &Place) -> bool {
        self.bit_width(place).is_some()
    }

    /// Width of a bit-field.
    pub(crate) fn bit_width(&self, place: &Place) -> Option<u32> {
        let PlaceKind::Field(of, number) = &place.kind else { return None };
        let record = self.record_of(of.ty)?;
        let field = self[record].fields.get(*number as usize)?;
        field.bits.map(|(_, width)| width)
    }

    /// Value of an array element's index as 64 bits.
    pub(crate) fn index_value(&self, expr: Expr) -> Expr {
        let signed = self.width(expr.ty).is_none_or(|(_, signed)| signed);
        let to = if signed { self.basic().long } else { self.basic().ulong };
        self.convert_arithmetic(expr, to)
    }

    /// Conversion of arithmetic values, enumerators and `bool`, written out; constants are folded.
    pub(crate) fn convert_arithmetic(&self, expr: Expr, to: Type) -> Expr {
        let to = plain(to);
        if expr.ty == to {
            return expr;
        }
        let span = expr.span;
        if let ExprKind::Integer(value) = expr.kind
            && let Some((bits, signed)) = self.width(to)
        {
            let value = match self.kind(to) {
                TypeKind::Bool => i128::from(value != 0),
                _ => wrap(value, bits, signed),
            };
            if !matches!(self.kind(to), TypeKind::Enum(_)) || !self.is_bool_enum(to) {
                return number(value, to, span);
            }
        }
        Expr { kind: ExprKind::Cast(Box::new(expr)), ty: to, span }
    }

    fn is_bool_enum(&self, ty: Type) -> bool {
        self.enum_of(ty).is_some_and(|id| self.is_bool(self[id].underlying))
    }
}

impl Classes {
    /// Number of a field on the way from a class place to a base or field.
    pub(crate) fn field_place(
        &self,
        of: Place,
        record: RecordId,
        number: u32,
        span: Span,
        program: &mut Output,
    ) -> Place {
        let Some(field) = program[record].fields.get(number as usize) else {
            return of;
        };
        let ty = field.ty;
        let (constant, volatile) = (of.ty.constant, of.ty.volatile);
        let kind = PlaceKind::Field(Box::new(of), number);
        if program.referred(ty).is_some() {
            return program.variable_place(kind, ty, span);
        }
        let mutable = self.is_mutable(record, number);
        let ty = program.with_qualifiers(ty, constant && !mutable, volatile);
        Place { kind, ty, span }
    }

    /// Place of a base within a place of a class.
    pub(crate) fn base_place(
        &self,
        of: Place,
        derived: RecordId,
        path: &[u32],
        program: &mut Output,
    ) -> Place {
        let mut place = of;
        let mut record = derived;
        for number in path {
            let span = place.span;
            place = self.field_place(place, record, *number, span, program);
            match program.record_of(place.ty) {
                Some(next) => record = next,
                None => break,
            }
        }
        place
    }
}

impl Output {
    /// Address of a place.
    pub(crate) fn address(&mut self, place: Place) -> Expr {
        let span = place.span;
        let ty = self.pointer(place.ty);
        if let PlaceKind::Deref(pointer) = place.kind {
            // The address of what a pointer leads to is the pointer.
            return Expr { ty, ..*pointer };
        }
        Expr { kind: ExprKind::Address(Box::new(place)), ty, span }
    }
}

impl Checker<'_> {
    /// Value of a scalar operand: loaded, arrays decayed; `None` where it is none, which is reported.
    pub(crate) fn value(&mut self, operand: Operand) -> Option<Expr> {
        match operand {
            Operand::Value(expr) => Some(expr),
            Operand::Place(place, _) => self.load(place),
            Operand::Init(init, ty, span) => {
                if self.program.array_of(ty).is_some() {
                    let place = self.materialise(init, ty, span);
                    return self.load(place);
                }
                let shown = self.program.show(ty);
                self.messages.error("type", span, format!("expected a number or pointer, found `{shown}`"));
                None
            }
            Operand::Functions(set) => {
                let span = set.span;
                if let Some(address) = self.only_function(&set) {
                    return Some(address);
                }
                if self.messages.tell_method(&set) {
                    return None;
                }
                self.messages.refuse(
                    span,
                    "function pointers are",
                    "call the function by its name, or pass a lambda to a template",
                );
                None
            }
            Operand::List(list) => {
                self.messages.error("type", list.span, "expected a value, found a list in braces");
                None
            }
            Operand::Error(span) => {
                self.messages.poison(span);
                None
            }
        }
    }

    /// Value that a place holds.
    pub(crate) fn load(&mut self, place: Place) -> Option<Expr> {
        let span = place.span;
        if self.program.array_of(place.ty).is_some() {
            return Some(self.program.decay(place));
        }
        if self.program.is_function(place.ty)
            && let PlaceKind::Deref(pointer) = place.kind
        {
            return Some(*pointer);
        }
        if !self.program.is_scalar(place.ty) {
            if self.program.is_void(place.ty) {
                self.messages.error(
                    "type",
                    span,
                    "a `void *` cannot be dereferenced: cast the pointer first",
                );
                return None;
            }
            let shown = self.program.show(place.ty);
            self.messages.error("type", span, format!("expected a number or pointer, found `{shown}`"));
            return None;
        }
        if let Some(known) = self.constant_of(&place) {
            return Some(Expr { span, ..known });
        }
        let ty = plain(place.ty);
        if self.program.is_null_type(ty) {
            return Some(number(0, ty, span));
        }
        Some(Expr { kind: ExprKind::Load(Box::new(place)), ty, span })
    }

    /// Temporary that an initialiser fills.
    pub(crate) fn materialise(&mut self, init: Init, ty: Type, span: Span) -> Place {
        let init = match init {
            Init::Copy(place) if place.is_temporary() => return *place,
            init => init,
        };
        let local = self.local("".into(), plain(ty), span);
        Place { kind: PlaceKind::Temporary(local, Box::new(init)), ty, span }
    }

    /// Reports that an expression has no value, unless it calls a function that returns one in vain, which is reported there.
    pub(crate) fn tell_no_value(&mut self, of: &Expr) {
        if let ExprKind::Call(id, _) = of.kind {
            self.body_of(id);
            if self.instances[id].returns_in_vain {
                self.messages.poison(of.span);
                return;
            }
        }
        self.messages.error("type", of.span, "expression has no value: its type is `void`");
    }

    /// The operand as a place: what is none becomes a temporary.
    pub(crate) fn place(&mut self, operand: Operand) -> Option<(Place, bool)> {
        match operand {
            Operand::Place(place, rvalue) => Some((place, rvalue)),
            Operand::Value(expr) => {
                if self.program.is_void(expr.ty) {
                    self.tell_no_value(&expr);
                    return None;
                }
                let (ty, span) = (expr.ty, expr.span);
                Some((self.materialise(Init::Value(expr), ty, span), true))
            }
            Operand::Init(init, ty, span) => Some((self.materialise(init, ty, span), true)),
            other => {
                self.value(other)?;
                None
            }
        }
    }

    /// Variable that a place lies in, as far as it is named.
    pub(crate) fn root_variable(place: &Place) -> Option<VariableId> {
        match &place.kind {
            PlaceKind::Variable(id) => Some(*id),
            PlaceKind::Field(of, _) | PlaceKind::Element(of, _) => Self::root_variable(of),
            _ => None,
        }
    }
}

impl Place {
    /// Whether it is a temporary that lives on.
    fn is_temporary(&self) -> bool {
        matches!(self.kind, PlaceKind::Temporary(..))
    }
}
