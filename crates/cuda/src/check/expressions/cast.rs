//! Casts, and types written like functions.
//!
//! Enters: operands and the types that they are to become. Leaves: operands. This module must never know implicit
//! conversions' ranks.

use crate::ast::{self, CastKind, Initializer};
use crate::diagnostic::Diagnostic;
use crate::hir::{Expr, ExprKind, Place, Type, TypeKind};
use crate::source::Span;

use crate::check::Checker;
use crate::check::context::messages::Messages;
use crate::check::context::output::Output;
use crate::check::expressions::operand::{Operand, deref, number};
use crate::check::types::kind::plain;

impl Output {
    /// Pointer that many bytes before another, to something else.
    fn bytes_back(&mut self, value: Expr, bytes: u64, to: Type, span: Span) -> Expr {
        let pointer = if self.pointee(to).is_some() { to } else { self.pointer(to) };
        let byte = self.integer(crate::hir::Integer::Char);
        let byte = self.pointer(byte);
        let by = number(bytes.into(), self.basic().ulong, span);
        let value = Expr { kind: ExprKind::Cast(Box::new(value)), ty: byte, span };
        let value = Expr { kind: ExprKind::Offset(Box::new(value), Box::new(by), true), ty: byte, span };
        Expr { kind: ExprKind::Cast(Box::new(value)), ty: pointer, span }
    }

    fn path_offset(&self, of: crate::hir::RecordId, path: &[u32]) -> u64 {
        let mut offset = 0;
        let mut record = of;
        for number in path {
            let Some(field) = self[record].fields.get(*number as usize) else {
                break;
            };
            offset += field.offset;
            match self.record_of(field.ty) {
                Some(next) => record = next,
                None => break,
            }
        }
        offset
    }

    /// Whether a type is an enumeration.
    pub(crate) fn is_enum(&self, ty: Type) -> bool {
        matches!(self.kind_of(ty), TypeKind::Enum(_))
    }
}

impl Messages<'_> {
    fn tell_cast_types(&mut self, from: Type, to: Type, span: Span, program: &Output) {
        let (a, b) = (program.show(from), program.show(to));
        let mut diagnostic = Diagnostic::error("cast", span, format!("cannot cast `{a}` to `{b}`"));
        if program.pointee(from).is_some() && program.is_floating(to) {
            diagnostic = diagnostic.help("write `*` before the pointer for the number that it points to");
        } else if program.is_floating(from) && program.is_integral(to) {
            diagnostic =
                diagnostic.help("`static_cast` converts the number; `__float_as_int` keeps its bits");
        } else if program.pointee(from).is_some()
            && program.pointee(to).is_none()
            && program.record_of(to).is_some()
        {
            diagnostic =
                diagnostic.help(format!("a pointer can only be cast to another pointer: write `{b} *`"));
        }
        self.report(diagnostic);
    }
}

impl Output {
    /// The place's bytes as another type.
    fn as_another(&mut self, place: Place, to: Type, span: Span) -> Place {
        let address = self.address(place);
        let ty = self.pointer(to);
        let pointer = Expr { kind: ExprKind::Cast(Box::new(address)), ty, span };
        deref(pointer, to, span)
    }
}

impl Checker<'_> {
    /// `(T)x`, `static_cast<T>(x)` …
    pub(crate) fn cast(&mut self, kind: CastKind, ty: &ast::Type, inner: &ast::Expr, span: Span) -> Operand {
        let ty = self.resolve_type(ty);
        if kind == CastKind::Dynamic && self.side.is_device() {
            self.messages.refuse(span, "`dynamic_cast` is", "keep a tag in the class, and use `static_cast`");
            return Operand::Error(span);
        }
        let operand = self.expr(inner);
        let Some(ty) = ty else { return Operand::Error(span) };
        if operand.is_error() {
            return Operand::Error(span);
        }
        let found = match kind {
            CastKind::Dynamic => self.dynamic_cast(operand, ty, span),
            _ => self.cast_operand(kind, operand, ty, span),
        };
        found.unwrap_or(Operand::Error(span))
    }

    /// `T(x, y)`, `T{x, y}`.
    pub(crate) fn construct(&mut self, ty: &ast::Type, initializer: &Initializer, span: Span) -> Operand {
        let ty = if let ast::TypeKind::Name(name) = &ty.kind
            && let Some(found) = self.template_by_arguments(name, initializer, span)
        {
            found
        } else if Self::has_auto(ty) {
            return self.decay_copy(initializer, span);
        } else {
            self.resolve_type(ty)
        };
        let Some(ty) = ty else { return Operand::Error(span) };
        match initializer {
            Initializer::Parentheses(arguments, _) => {
                let operands = self.operands(arguments);
                self.functional_cast(ty, operands, span)
            }
            Initializer::Braces(list) => self.braced(ty, list, span),
            Initializer::Equals(_) => Operand::Error(span),
        }
    }

    /// `auto(x)`.
    fn decay_copy(&mut self, initializer: &Initializer, span: Span) -> Operand {
        let (Initializer::Parentheses(arguments, _), mut operands) = (initializer, vec![]) else {
            return Operand::Error(span);
        };
        operands.extend(self.operands(arguments));
        let Some(operand) = operands.pop() else { return Operand::Error(span) };
        let Some(ty) = operand.ty() else { return Operand::Error(span) };
        let ty = plain(self.program.decayed(ty));
        self.functional_cast(ty, vec![operand], span)
    }

    /// `T(x)`, the type known.
    pub(crate) fn functional_cast(&mut self, ty: Type, operands: Vec<Operand>, span: Span) -> Operand {
        if operands.iter().any(Operand::is_error) {
            return Operand::Error(span);
        }
        let mut operands = operands;
        if operands.len() == 1
            && self.program.record_of(ty).is_none()
            && let Some(operand) = operands.pop()
        {
            return self.cast_operand(CastKind::C, operand, ty, span).unwrap_or(Operand::Error(span));
        }
        if self.program.is_void(ty) && operands.is_empty() {
            return Operand::Value(self.program.void_value(span));
        }
        match self.direct_init(ty, operands, span) {
            Some(init) => self.program.init_operand(init, ty, span),
            None => Operand::Error(span),
        }
    }

    /// A cast of an operand.
    pub(crate) fn cast_operand(
        &mut self,
        kind: CastKind,
        operand: Operand,
        to: Type,
        span: Span,
    ) -> Option<Operand> {
        if let Some((referred, rvalue)) = self.program.referred(to) {
            return self.cast_reference(kind, operand, referred, rvalue, span);
        }
        if self.program.is_void(to) {
            let first = self.statement_of(operand, span)?;
            let void = self.program.void_value(span);
            let ty = self.program.basic().void;
            return Some(Operand::Value(Expr {
                kind: ExprKind::Sequence(vec![first], Box::new(void)),
                ty,
                span,
            }));
        }
        if self.program.record_of(to).is_some() {
            if matches!(kind, CastKind::Reinterpret | CastKind::Const) {
                self.tell_cast(&operand, to, span);
                return None;
            }
            let init = self.direct_init(plain(to), vec![operand], span)?;
            return Some(Operand::Init(init, plain(to), span));
        }
        if let Operand::List(_) = operand {
            return self.converted(operand, plain(to)).map(Operand::Value);
        }
        if let Some(from) = operand.ty()
            && self.program.record_of(from).is_some()
        {
            let Some(callee) = self.explicit_conversion(&operand, plain(to)) else {
                self.no_conversion(&operand, to);
                return None;
            };
            let found = self.call_conversion(operand, &callee)?;
            return self.cast_operand(kind, found, to, span);
        }
        let value = self.value(operand)?;
        self.cast_scalar(kind, value, plain(to), span).map(Operand::Value)
    }

    fn cast_scalar(&mut self, kind: CastKind, value: Expr, to: Type, span: Span) -> Option<Expr> {
        let from = value.ty;
        if kind == CastKind::Const && self.program.pointee(to).is_none() {
            self.messages.tell_cast_types(from, to, span, &self.program);
            return None;
        }
        if from == to {
            return Some(Expr { span, ..value });
        }
        let number_from = self.program.is_arithmetic(from) || self.program.enum_of(from).is_some();
        let number_to = self.program.is_arithmetic(to) || self.program.enum_of(to).is_some();
        let bits = matches!(kind, CastKind::Reinterpret | CastKind::C);
        match (self.program.pointee(from), self.program.pointee(to)) {
            (None, None) if number_from && number_to && matches!(kind, CastKind::Static | CastKind::C) => {
                let found = if self.program.is_bool(to) {
                    self.program.truth(value)
                } else {
                    self.program.convert_arithmetic(value, to)
                };
                Some(Expr { span, ..found })
            }
            (Some(x), Some(y)) => {
                if kind == CastKind::Const && !self.program.similar(x, y) {
                    self.messages.tell_cast_types(from, to, span, &self.program);
                    return None;
                }
                self.cast_pointer(kind, value, x, y, to, span)
            }
            (Some(_), None) if self.program.is_bool(to) => Some(self.program.truth(value)),
            (Some(_), None) if bits && self.program.is_integral(to) => {
                if self.program.width(to).is_some_and(|(width, _)| width < 64) {
                    let shown = self.program.show(to);
                    self.messages.error_help(
                        "cast",
                        span,
                        format!("cast from pointer to smaller type `{shown}` loses information: a pointer has 64 bits"),
                        "cast to `size_t` or `uintptr_t` first",
                    );
                    return None;
                }
                Some(Expr { kind: ExprKind::Cast(Box::new(value)), ty: to, span })
            }
            (None, Some(_)) if self.program.is_null_type(from) => Some(number(0, to, span)),
            (None, Some(_)) if self.program.is_integral(from) => {
                if let ExprKind::Integer(0) = value.kind {
                    return Some(number(0, to, span));
                }
                if !bits {
                    self.messages.tell_cast_types(from, to, span, &self.program);
                    return None;
                }
                let value = self.program.index_value(value);
                Some(Expr { kind: ExprKind::Cast(Box::new(value)), ty: to, span })
            }
            _ if self.program.is_null_type(from) && self.program.is_integral(to) => Some(number(0, to, span)),
            _ => {
                self.messages.tell_cast_types(from, to, span, &self.program);
                None
            }
        }
    }

    fn cast_pointer(
        &mut self,
        kind: CastKind,
        value: Expr,
        x: Type,
        y: Type,
        to: Type,
        span: Span,
    ) -> Option<Expr> {
        let classes = (self.program.record_of(x), self.program.record_of(y));
        if let (Some(a), Some(b)) = classes
            && a != b
            && kind != CastKind::Reinterpret
        {
            if self.is_base(b, a) {
                let target = plain(y);
                return Some(self.pointer_to_base(value, target, to));
            }
            if let Some(path) = self.base_path(b, a) {
                self.refuse_from_virtual(b, &path, (x, y), span)?;
                let offset = self.program.path_offset(b, &path);
                return Some(match offset {
                    0 => Expr { kind: ExprKind::Cast(Box::new(value)), ty: to, span },
                    _ => self.pointer_to_derived(value, offset, to, span),
                });
            }
        }
        let lost = (x.constant && !y.constant) || (x.volatile && !y.volatile);
        if lost && matches!(kind, CastKind::Static | CastKind::Reinterpret) {
            let (a, b) = (self.program.show(value.ty), self.program.show(to));
            let name = if kind == CastKind::Static { "static_cast" } else { "reinterpret_cast" };
            self.messages.error_help(
                "cast",
                span,
                format!("`{name}` from `{a}` to `{b}` casts away `const`"),
                "`const_cast` can remove it, if the variable itself is not `const`",
            );
            return None;
        }
        let related = self.program.similar(x, y) || self.program.is_void(x) || self.program.is_void(y);
        if kind == CastKind::Static && !related {
            let (a, b) = (self.program.show(value.ty), self.program.show(to));
            self.messages.error_help(
                "cast",
                span,
                format!("`static_cast` from `{a}` to `{b}` is not allowed"),
                "use `reinterpret_cast`, which interprets the same bytes as another type",
            );
            return None;
        }
        Some(Expr { kind: ExprKind::Cast(Box::new(value)), ty: to, span })
    }

    /// Pointer to the class that a base is part of; null stays null.
    fn pointer_to_derived(&mut self, value: Expr, offset: u64, to: Type, span: Span) -> Expr {
        let ty = value.ty;
        let local = self.local("".into(), ty, span);
        let init = crate::hir::Init::Value(value);
        let keep = crate::hir::Stmt { kind: crate::hir::StmtKind::Let(local, Some(init)), span };
        let place = || crate::check::expressions::operand::local_place(local, ty, span);
        let load = || Expr { kind: ExprKind::Load(Box::new(place())), ty, span };
        let back = self.program.bytes_back(load(), offset, to, span);
        let test = self.program.truth(load());
        let chosen = crate::check::expressions::operator::chosen(test, back, number(0, to, span), to, span);
        Expr { kind: ExprKind::Sequence(vec![keep], Box::new(chosen)), ty: to, span }
    }

    fn cast_reference(
        &mut self,
        kind: CastKind,
        operand: Operand,
        to: Type,
        rvalue: bool,
        span: Span,
    ) -> Option<Operand> {
        let Some(from) = operand.ty() else {
            self.value(operand);
            return None;
        };
        let same = self.program.similar(from, to);
        let (place, _) = match operand {
            Operand::Place(place, movable) => (place, movable),
            other if rvalue || to.constant => {
                let whole = self.program.reference(to, rvalue);
                let pointer = self.converted(other, whole)?;
                return Some(Operand::Place(deref(pointer, to, span), rvalue));
            }
            other => {
                self.tell_cast(&other, to, span);
                return None;
            }
        };
        if same {
            return Some(Operand::Place(Place { ty: to, span, ..place }, rvalue));
        }
        if let (Some(a), Some(b)) = (self.program.record_of(from), self.program.record_of(to))
            && kind != CastKind::Reinterpret
        {
            if let Some(path) = self.base_path(a, b) {
                let place = self.base_place(place, a, &path);
                return Some(Operand::Place(Place { ty: to, span, ..place }, rvalue));
            }
            if let Some(path) = self.base_path(b, a) {
                self.refuse_from_virtual(b, &path, (from, to), span)?;
                let back = self.program.path_offset(b, &path);
                let address = self.program.address(place);
                let pointer = self.program.bytes_back(address, back, to, span);
                return Some(Operand::Place(deref(pointer, to, span), rvalue));
            }
        }
        match kind {
            CastKind::Reinterpret | CastKind::C => {
                Some(Operand::Place(self.program.as_another(place, to, span), rvalue))
            }
            CastKind::Static | CastKind::Const | CastKind::Dynamic => {
                let whole = self.program.reference(to, rvalue);
                let pointer = self.converted(Operand::Place(place, false), whole)?;
                Some(Operand::Place(deref(pointer, to, span), rvalue))
            }
        }
    }

    /// Reports a cast from a virtual base, which does not say where the rest of the object is.
    fn refuse_from_virtual(
        &mut self,
        derived: crate::hir::RecordId,
        path: &[u32],
        (from, to): (Type, Type),
        span: Span,
    ) -> Option<()> {
        if !path.first().is_some_and(|first| self.classes.is_virtual_base(derived, *first)) {
            return Some(());
        }
        let (from, to) = (self.program.show(plain(from)), self.program.show(plain(to)));
        let message = format!("cannot cast from `{from}` to `{to}` via virtual base `{from}`");
        self.messages.error_help("cast", span, message, "use `dynamic_cast`");
        None
    }

    fn tell_cast(&mut self, operand: &Operand, to: Type, span: Span) {
        match operand.ty() {
            Some(from) => self.messages.tell_cast_types(from, to, span, &self.program),
            None => self.no_conversion(operand, to),
        }
    }

    /// Integer that an object of a class stands for, by its only conversion to a number.
    pub(crate) fn integer_of_class(&mut self, operand: Operand, span: Span) -> Option<Expr> {
        let shown = operand.ty().map(|ty| self.program.show(plain(ty))).unwrap_or_default();
        if let Some(found) = self.scalar_of_class(operand) {
            let value = self.value(found)?;
            if self.program.is_integral(value.ty) || self.program.enum_of(value.ty).is_some() {
                return self.promoted(Operand::Value(value));
            }
        }
        if self.messages.tell_coordinates(span) {
            return None;
        }
        self.messages.error("constant", span, format!("expected an integer, found `{shown}`"));
        None
    }
}
