//! Members of objects, and elements of arrays.
//!
//! Enters: objects and names. Leaves: places and methods. This module must never know calls.

use crate::ast::{self, Id};
use crate::diagnostic::Diagnostic;
use crate::hir::{ExprKind, Place, PlaceKind, RecordId, Type};
use crate::source::Span;

use crate::check::Checker;
use crate::check::context::output::Output;
use crate::check::expressions::operand::{FunctionSet, Operand, deref};
use crate::check::names::entity::{Entity, Special};
use crate::check::names::find::Want;
use crate::check::names::lookup::key;
use crate::check::types::kind::plain;

impl Output {
    fn is_reference_field(&self, record: RecordId, path: &[u32]) -> bool {
        let mut record = record;
        let mut found = false;
        for number in path {
            let Some(field) = self[record].fields.get(*number as usize) else {
                break;
            };
            found = self.referred(field.ty).is_some();
            if let Some(next) = self.record_of(field.ty) {
                record = next;
            }
        }
        found
    }

    /// Whether an operand is an array or a pointer.
    pub(crate) fn has_elements(&self, operand: &Operand) -> bool {
        operand.ty().is_some_and(|ty| self.array_of(ty).is_some() || self.pointee(ty).is_some())
    }
}

impl Checker<'_> {
    /// `x.y`, `x->y`.
    pub(crate) fn member(
        &mut self,
        object: &ast::Expr,
        arrow: bool,
        member: &ast::Name,
        span: Span,
    ) -> Operand {
        if let Some(found) = self.special_member(object, arrow, member, span) {
            return found;
        }
        let found = self.expr(object);
        if found.is_error() {
            return found;
        }
        let found = if arrow { self.arrow(found, object.span, span) } else { Some(found) };
        let Some(found) = found else { return Operand::Error(span) };
        self.member_of(found, arrow, member, span)
    }

    /// `threadIdx.x`.
    fn special_member(
        &mut self,
        object: &ast::Expr,
        arrow: bool,
        member: &ast::Name,
        span: Span,
    ) -> Option<Operand> {
        let ast::ExprKind::Name(name) = &object.kind else { return None };
        let Some(Entity::Special(Special::Coordinates(variable, _))) = self.resolve_quietly(name, Want::Any)
        else {
            return None;
        };
        if arrow {
            return None;
        }
        let symbol = member.simple()?;
        if let Some(found) =
            self.program.coordinate(variable, symbol, span).filter(|_| matches!(&**symbol, "x" | "y" | "z"))
        {
            return Some(Operand::Value(found));
        }
        let message = format!("no member named `{symbol}` in `{variable}`");
        let unknown = Diagnostic::error("name", member.span, message).unknown(format!("{variable}.{symbol}"));
        self.messages.report(unknown.help("it has `.x`, `.y` and `.z`"));
        Some(Operand::Error(span))
    }

    /// The object that `->` leads to.
    fn arrow(&mut self, operand: Operand, at: Span, span: Span) -> Option<Operand> {
        let mut operand = operand;
        for _ in 0..16 {
            let ty = operand.ty()?;
            if self.program.record_of(ty).is_none() {
                let value = self.value(operand)?;
                let Some(to) = self.program.pointee(value.ty) else {
                    let shown = self.program.show(value.ty);
                    self.messages.error("type", at, format!("`->` requires a pointer, not `{shown}`"));
                    return None;
                };
                return Some(Operand::Place(deref(value, to, span), false));
            }
            let record = self.program.record_of(ty)?;
            if self.find_member(record, "operator->", Want::Any).is_none() {
                let shown = self.program.show(plain(ty));
                self.messages.error_help(
                    "type",
                    at,
                    format!("member reference type `{shown}` is not a pointer"),
                    "write `.` instead of `->`",
                );
                return None;
            }
            operand = self.call_object(operand, "operator->", vec![], span);
            if operand.is_error() {
                return None;
            }
        }
        self.messages.error("nesting", span, "circular `operator->`: it leads back to itself");
        None
    }

    fn member_of(&mut self, object: Operand, arrow: bool, member: &ast::Name, span: Span) -> Operand {
        let Some(ty) = object.ty() else {
            self.value(object);
            return Operand::Error(span);
        };
        let Some(record) = self.program.record_of(ty) else {
            self.tell_no_class(&object, ty, arrow, member, span);
            return Operand::Error(span);
        };
        if !self.require_complete(ty, span) {
            return Operand::Error(span);
        }
        let Some(last) = member.last() else { return Operand::Error(span) };
        if let Id::Destructor(_) = last.id {
            let help = "put the object in its own block (`{ … }`): it is destroyed at the end of that";
            self.messages.refuse(span, "explicit destructor calls are", help);
            return Operand::Error(span);
        }
        let Some(symbol) = key(&last.id) else { return Operand::Error(span) };
        let of = if member.segments.len() > 1 {
            match self.scope_of_prefix(member).map(|scope| self.scopes[scope].kind) {
                Some(crate::check::names::entity::ScopeKind::Class(base)) if self.is_base(base, record) => {
                    base
                }
                _ => {
                    let text = self.messages.text(member.span).to_owned();
                    self.messages.unknown_name(text, member.span, "this is not a base of the object's class");
                    return Operand::Error(span);
                }
            }
        } else {
            record
        };
        if let Id::Conversion(ty) = &last.id {
            let Some(to) = self.resolve_type(ty) else { return Operand::Error(span) };
            return self
                .cast_operand(ast::CastKind::Static, object, to, span)
                .unwrap_or(Operand::Error(span));
        }
        let Some(found) = self.find_member(of, &symbol, Want::Any) else {
            self.tell_no_member(of, &symbol, last.span);
            return Operand::Error(span);
        };
        if self.is_ambiguous_member(of, &symbol) {
            let class = self.program[of].name.to_string();
            self.messages.error_help(
                "ambiguous",
                last.span,
                format!("member `{symbol}` found in multiple base classes of `{class}`"),
                format!("name the base class, as in `x.Base::{symbol}`"),
            );
            return Operand::Error(span);
        }
        let mut operand = self.member_entity(object, record, found, last, span);
        if let Operand::Functions(set) = &mut operand {
            set.qualified = member.segments.len() > 1;
        }
        operand
    }

    fn member_entity(
        &mut self,
        object: Operand,
        record: RecordId,
        found: Entity,
        last: &ast::Segment,
        span: Span,
    ) -> Operand {
        match found {
            Entity::Field(of, path) => {
                let Some((place, movable)) = self.place(object) else { return Operand::Error(span) };
                let Some(bases) = self.base_path(record, of) else { return Operand::Error(span) };
                let scope = self.classes[record].scope;
                let own = key(&last.id).is_some_and(|it| self.scopes[scope].names.contains_key(&it));
                if own && record != of {
                    // What `using` brings has the access that it is given there.
                    let symbol = key(&last.id).unwrap_or_else(|| ast::Symbol::from(""));
                    self.check_name_access(record, &symbol, last.span);
                } else {
                    self.check_access(of, &path, last.span);
                    self.check_path_access(record, &bases, span);
                }
                let place = self.base_place(place, record, &bases);
                let place = self.classes.walk_fields(place, of, &path, span, &mut self.program);
                let reference =
                    matches!(place.kind, PlaceKind::Deref(_)) && self.program.is_reference_field(of, &path);
                Operand::Place(place, movable && !reference)
            }
            Entity::Functions(decls, _) => {
                let mut arguments = vec![];
                for one in last.arguments.iter().flat_map(|arguments| arguments.iter()) {
                    if self.template_arguments_into(one, &mut arguments).is_none() {
                        return Operand::Error(span);
                    }
                }
                let name = key(&last.id).map_or_else(|| "".into(), |symbol| symbol.0);
                Operand::Functions(FunctionSet {
                    arguments,
                    object: Some(Box::new(object)),
                    ..FunctionSet::of(name, decls, last.span)
                })
            }
            Entity::Global(id) => self.global_operand(id, span),
            Entity::Value(value) => Operand::Value(crate::hir::Expr { span, ..(*value).clone() }),
            Entity::Type(_) | Entity::Alias(_) | Entity::Template(_) => {
                let text = self.messages.text(last.span).to_owned();
                self.messages.unknown_name(text, last.span, "this is a type, not a member with a value");
                Operand::Error(span)
            }
            _ => Operand::Error(span),
        }
    }

    fn tell_no_class(&mut self, object: &Operand, ty: Type, arrow: bool, member: &ast::Name, span: Span) {
        let name = self.messages.text(member.span).to_owned();
        let shown = self.program.show(plain(ty));
        let class = self.program.pointee(ty).is_some_and(|to| self.program.record_of(to).is_some());
        let mut diagnostic = Diagnostic::error(
            "type",
            member.span,
            format!("`{shown}` is not a class, so it has no member `{name}`"),
        );
        if class && !arrow {
            diagnostic = Diagnostic::error(
                "type",
                span,
                format!("member reference type `{}` is a pointer", self.program.show(plain(ty))),
            )
            .help(format!("write `->{name}` instead of `.{name}`"));
        }
        let _ = object;
        if self.program.pointee(ty).is_some() && matches!(&*name, "size" | "length" | "begin" | "end") {
            diagnostic = diagnostic.help(crate::check::names::suggest::POINTER_WITHOUT_LENGTH);
        }
        self.messages.report(diagnostic);
    }

    fn tell_no_member(&mut self, record: RecordId, symbol: &str, span: Span) {
        let shown = self.program[record].name.to_string();
        let scope = self.classes[record].scope;
        let mut names: Vec<&str> = self.scopes[scope].names.iter().map(|(name, _)| &**name).collect();
        crate::sort::by_key(&mut names, |name| *name);
        let near = crate::diagnostic::nearest(symbol, names.iter().copied()).map(str::to_owned);
        let fields: Vec<String> = self.program[record]
            .fields
            .iter()
            .filter(|field| !field.name.is_empty())
            .take(6)
            .map(|field| format!("`{}`", field.name))
            .collect();
        let mut diagnostic =
            Diagnostic::error("name", span, format!("no member named `{symbol}` in `{shown}`"))
                .unknown(format!("{shown}::{symbol}"));
        if let Some(near) = near {
            diagnostic = diagnostic.help(format!("did you mean `{near}`?"));
        } else if !fields.is_empty() {
            diagnostic = diagnostic.help(format!("it has {}", fields.join(", ")));
        }
        self.messages.report(diagnostic);
    }

    /// `x[i]`.
    pub(crate) fn index(&mut self, object: &ast::Expr, index: &ast::Expr, span: Span) -> Operand {
        let object = self.expr(object);
        let index = self.expr(index);
        if object.is_error() || index.is_error() {
            return Operand::Error(span);
        }
        if object.ty().is_some_and(|ty| self.program.record_of(ty).is_some()) {
            return self.call_object(object, "operator[]", vec![index], span);
        }
        self.element(object, index, span).unwrap_or(Operand::Error(span))
    }

    fn element(&mut self, object: Operand, index: Operand, span: Span) -> Option<Operand> {
        let (object, index) = match self.program.has_elements(&index) && !self.program.has_elements(&object) {
            true => (index, object),
            false => (object, index),
        };
        if index.ty().is_some_and(|ty| self.program.record_of(ty).is_some()) {
            let at = index.span();
            let value = self.integer_of_class(index, at)?;
            return self.element(object, Operand::Value(value), span);
        }
        let at = index.span();
        let index = self.promoted(index)?;
        if !self.program.is_integral(index.ty) {
            let shown = self.program.show(index.ty);
            self.messages.error_help(
                "type",
                at,
                format!("an index must be an integer, not `{shown}`"),
                "write `(int)` before it",
            );
            return None;
        }
        if object.ty().is_some_and(|ty| self.program.array_of(ty).is_some()) {
            let (place, movable) = self.place(object)?;
            self.warn_index(&place, &index, at);
            let (of, _) = self.program.array_of(place.ty)?;
            let index = self.program.index_value(index);
            if matches!(place.kind, PlaceKind::Deref(_))
                && matches!(self.program.kind_of(place.ty), crate::hir::TypeKind::UnknownArray(_))
            {
                let pointer = self.program.decay(place);
                let found = self.offset(pointer, index, of, false, span)?;
                let pointer = self.value(found)?;
                return Some(Operand::Place(deref(pointer, of, span), movable));
            }
            let kind = PlaceKind::Element(Box::new(place), Box::new(index));
            return Some(Operand::Place(Place { kind, ty: of, span }, movable));
        }
        let value = self.value(object)?;
        let Some(to) = self.program.pointee(value.ty) else {
            let shown = self.program.show(value.ty);
            let message = format!("subscripted value of type `{shown}` is not an array or pointer");
            let two = self.messages.text(value.span).ends_with(']');
            if two && !self.messages.text(value.span).starts_with('*') {
                self.messages.error_help(
                    "type",
                    span,
                    message,
                    "a pointer has one index: for rows and columns write `p[row * width + column]`",
                );
            } else if self.program.is_arithmetic(value.ty)
                && let name = self.messages.text(value.span).to_owned()
                && name.chars().all(|letter| letter.is_alphanumeric() || letter == '_')
            {
                let help = format!("an array is declared with its length in brackets: `{shown} {name}[…]`");
                self.messages.error_help("type", span, message, help);
            } else {
                self.messages.error("type", span, message);
            }
            return None;
        };
        if self.program.is_void(to) {
            self.messages.error_help(
                "type",
                span,
                "a `void *` cannot be indexed: `void` has no size",
                "cast the pointer first, such as `((float *)p)[i]`",
            );
            return None;
        }
        let found = self.offset(value, index, to, false, span)?;
        let pointer = self.value(found)?;
        Some(Operand::Place(deref(pointer, to, span), false))
    }

    /// Warns of constant indices beyond an array.
    fn warn_index(&mut self, place: &Place, index: &crate::hir::Expr, at: Span) {
        let (Some((_, Some(length))), ExprKind::Integer(value)) =
            (self.program.array_of(place.ty), &index.kind)
        else {
            return;
        };
        if (*value < 0 || *value >= i128::from(length))
            && !self.frame.is_unevaluated()
            && self.instances.depth() == 0
        {
            self.messages.report(Diagnostic::warning(
                "array-bounds",
                at,
                format!(
                    "array index {value} is out of bounds: the array has {length} elements, counted from 0"
                ),
            ));
        }
    }
}
