//! What an object is while the program runs, on the host's side: `dynamic_cast` and `typeid`.
//!
//! Enters: objects of classes with virtual functions, and types. Leaves: calls of the library (`host/unwind.inc`), which reads the tables
//! of the objects. This module must never know what is in a table.

use crate::ast;
use crate::check::Checker;
use crate::check::expressions::operand::{Operand, deref, number};
use crate::check::names::entity::{Entity, ScopeId};
use crate::check::names::find::Want;
use crate::check::types::kind::{constant, plain};
use crate::hir::{Expr, ExprKind, RecordId, Type};
use crate::source::Span;

/// Finds an object of a class in the whole object of which another is part.
const FIND: &str = "__library_dynamic";
/// What an object's whole object is.
const TYPE: &str = "__library_dynamic_type";
/// Throws `std::bad_cast`.
const BAD_CAST: &str = "__library_bad_cast";
/// Class of what `typeid` gives, in `std`.
const IDENTITY: &str = "type_info";

impl Checker<'_> {
    /// `dynamic_cast<T *>(p)`, `dynamic_cast<T &>(x)`.
    pub(crate) fn dynamic_cast(&mut self, operand: Operand, to: Type, span: Span) -> Option<Operand> {
        let referred = self.program.referred(to);
        let pointer = match referred {
            Some(_) => {
                let (place, _) = self.place(operand)?;
                self.program.address(place)
            }
            None => self.value(operand)?,
        };
        let target = referred.map(|(of, _)| of).or_else(|| self.program.pointee(to));
        let (Some(from), Some(target)) = (self.program.pointee(pointer.ty), target) else {
            let shown = self.program.show(to);
            let message = format!("`dynamic_cast` gives pointers and references to classes, not `{shown}`");
            self.messages.error_help("cast", span, message, "use `static_cast`");
            return None;
        };
        let wanted = self.program.pointer(target);
        let record = self.program.record_of(target);
        let source = self.program.record_of(from).filter(|_| self.require_complete(from, span));
        let upward = record.zip(source).is_some_and(|(to, from)| self.is_base(to, from));
        let found = if upward {
            self.converted(Operand::Value(pointer), wanted)?
        } else {
            let whole = self.program.is_void(target);
            if !source.is_some_and(|source| self.is_polymorphic(source)) || record.is_none() && !whole {
                let shown = self.program.show(plain(from));
                let message = format!("`{shown}` is not a class with virtual functions");
                self.messages.error_help(
                    "cast",
                    span,
                    message,
                    "give it a virtual destructor, or use `static_cast`",
                );
                return None;
            }
            self.search(pointer, record, wanted, span)?
        };
        if referred.is_none() {
            return Some(Operand::Value(found));
        }
        let found = if upward { found } else { self.or_bad_cast(found, wanted, span)? };
        Some(Operand::Place(deref(found, target, span), referred.is_some_and(|(_, rvalue)| rvalue)))
    }

    fn search(&mut self, pointer: Expr, record: Option<RecordId>, wanted: Type, span: Span) -> Option<Expr> {
        let void = self.program.basic().void;
        let bytes = self.program.pointer(void);
        let info = match record {
            Some(record) => self.type_info(record, span)?,
            None => number(0, bytes, span),
        };
        let object = self.untyped(pointer, span);
        let found = self.call_of_library(FIND, vec![object, info], span)?;
        Some(Expr { kind: ExprKind::Cast(Box::new(found)), ty: wanted, span })
    }

    /// The same pointer, where it is not null: otherwise `std::bad_cast` is thrown.
    fn or_bad_cast(&mut self, found: Expr, wanted: Type, span: Span) -> Option<Expr> {
        let object = self.untyped(found, span);
        let Some(found) = self.trial(|this| this.call_of_library(BAD_CAST, vec![object.clone()], span))
        else {
            let message = "`dynamic_cast` to a reference throws `std::bad_cast`, which is not declared";
            self.messages.error_help("cast", span, message, "write `#include <typeinfo>`");
            return None;
        };
        Some(Expr { kind: ExprKind::Cast(Box::new(found)), ty: wanted, span })
    }

    fn untyped(&mut self, pointer: Expr, span: Span) -> Expr {
        let void = constant(self.program.basic().void);
        let ty = self.program.pointer(void);
        Expr { kind: ExprKind::Cast(Box::new(pointer)), ty, span }
    }

    /// `typeid(T)`, `typeid(x)`.
    pub(crate) fn type_identity(&mut self, of: &ast::Expr, span: Span) -> Operand {
        self.type_identity_of(of, span).unwrap_or(Operand::Error(span))
    }

    fn type_identity_of(&mut self, of: &ast::Expr, span: Span) -> Option<Operand> {
        let Some(class) = self.identity_class() else {
            self.messages.error_help(
                "name",
                span,
                "`typeid` gives a `std::type_info`, which is not declared",
                "write `#include <typeinfo>`",
            );
            return None;
        };
        let info = self.identified(of, span)?;
        let pointer = self.program.pointer(constant(class));
        let info = Expr { kind: ExprKind::Cast(Box::new(info)), ty: pointer, span };
        Some(Operand::Place(deref(info, constant(class), span), false))
    }

    fn identified(&mut self, of: &ast::Expr, span: Span) -> Option<Expr> {
        let ty = match &of.kind {
            ast::ExprKind::Type(ty) => self.resolve_type(ty)?,
            _ => self.type_of_unevaluated(of)?,
        };
        let ty = plain(self.program.without_reference(ty));
        if let Some(record) = self.program.record_of(ty) {
            self.require_complete(ty, span).then_some(())?;
            if !matches!(of.kind, ast::ExprKind::Type(_)) && self.is_polymorphic(record) {
                let operand = self.expr(of);
                let (place, _) = self.place(operand)?;
                let address = self.program.address(place);
                let object = self.untyped(address, span);
                return self.call_of_library(TYPE, vec![object], span);
            }
        }
        self.type_info_of(ty, span)
    }

    fn identity_class(&mut self) -> Option<Type> {
        let std = self.std_scope()?;
        match self.declarations.pick(std, IDENTITY, Want::Type, self.scopes.horizon(), &self.scopes)? {
            Entity::Type(ty) => Some(ty),
            _ => None,
        }
    }

    /// Scope of `std`, where a header has begun it.
    pub(crate) fn std_scope(&self) -> Option<ScopeId> {
        self.scopes[ScopeId(0)].names.get("std")?.iter().find_map(|entry| match entry.entity {
            Entity::Namespace(scope) => Some(scope),
            _ => None,
        })
    }
}
