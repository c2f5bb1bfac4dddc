//! `new` and `delete`.
//!
//! Enters: types, and what their objects begin as. Leaves: calls that allocate and free (of the library on the host, `malloc` and `free`
//! on the device), with what fills and ends the objects between. An array whose elements have destructors has their number before its first. This module must never know how
//! memory is found.

use crate::ast::{self, Initializer};
use crate::check::Checker;
use crate::check::expressions::operand::{FunctionSet, Operand, deref, local_place, number};
use crate::check::names::entity::Entity;
use crate::check::names::find::Want;
use crate::check::types::kind::plain;
use crate::hir::{
    Binary, Compare, Expr, ExprKind, Init, LocalId, Place, PlaceKind, Step, Stmt, StmtKind, Type, TypeKind,
};
use crate::source::Span;

/// Allocates for `new`: bytes, and whether it is for an array.
const NEW: &str = "__library_new";
/// Frees what that has allocated.
const DELETE: &str = "__library_delete";
/// Bytes before the elements of an array that hold their number.
const COOKIE: i128 = 16;

impl Checker<'_> {
    /// `new T(…)`.
    pub(crate) fn new_object(&mut self, one: &ast::New, span: Span) -> Operand {
        self.allocated(one, span).unwrap_or(Operand::Error(span))
    }

    fn type_of_new(&mut self, one: &ast::New, span: Span) -> Option<Type> {
        let ty = match (Self::has_auto(&one.ty), &one.initializer) {
            (true, Some(initializer)) => match self.construct(&one.ty, initializer, span) {
                Operand::Error(_) => return None,
                made => plain(made.ty()?),
            },
            (false, Some(initializer)) if one.length.is_none() => match &one.ty.kind {
                ast::TypeKind::Name(name) => match self.template_by_arguments(name, initializer, span) {
                    Some(found) => found?,
                    None => self.resolve_type(&one.ty)?,
                },
                _ => self.resolve_type(&one.ty)?,
            },
            _ => self.resolve_type(&one.ty)?,
        };
        Some(ty)
    }

    fn allocated(&mut self, one: &ast::New, span: Span) -> Option<Operand> {
        let ty = self.type_of_new(one, span)?;
        if !self.require_complete(ty, one.ty.span) {
            return None;
        }
        // `new T` of a `T` that is an array is `new` of that many elements.
        let (ty, fixed) = match (&one.length, self.program.array_of(ty)) {
            (None, Some((element, Some(length)))) => (element, Some(length)),
            _ => (ty, None),
        };
        let pointer = self.program.pointer(ty);
        let mut statements = vec![];
        let length = match (&one.length, fixed) {
            (Some(length), _) => {
                let operand = self.expr(length);
                Some(self.length_of_new(operand, length.span, &mut statements)?)
            }
            (None, Some(fixed)) => {
                let value = number(i128::from(fixed), self.program.basic().ulong, span);
                Some(self.length_of_new(Operand::Value(value), span, &mut statements)?)
            }
            (None, None) => None,
        };
        let size = number(i128::from(self.size_of(ty)), self.program.basic().ulong, span);
        let (bytes, cookie) = match length {
            Some(length) => {
                let long = self.program.basic().ulong;
                let count = self.loaded(length, long, span);
                let kind = ExprKind::Binary(Binary::Multiply, Box::new(count), Box::new(size));
                let bytes = Expr { kind, ty: long, span };
                match self.has_destructor(ty) {
                    true => (self.plus(bytes, COOKIE), true),
                    false => (bytes, false),
                }
            }
            None => (size, false),
        };
        let memory = match one.placement.as_slice() {
            [] => match self.own_allocation(ty, bytes.clone(), length.is_some(), span) {
                Some(own) => own?,
                None => self.allocation(bytes, length.is_some(), span)?,
            },
            // `new (std::nothrow) T`: what cannot be allocated ends the program here.
            [place] if self.is_nothrow(place) => self.allocation(bytes, length.is_some(), span)?,
            [place] => {
                let operand = self.expr(place);
                self.value(operand)?
            }
            _ => {
                self.messages.refuse(
                    span,
                    "`new` with several arguments in its parentheses is",
                    "pass one address",
                );
                return None;
            }
        };
        let held = self.local("".into(), pointer, span);
        let memory = if cookie { self.past_cookie(memory, length?, &mut statements, span) } else { memory };
        let cast = Expr { kind: ExprKind::Cast(Box::new(memory)), ty: pointer, span };
        statements.push(Stmt { kind: StmtKind::Let(held, Some(Init::Value(cast))), span });
        match length {
            None => {
                let init = self.initializer(ty, one.initializer.as_ref(), span)?;
                let place = deref(self.loaded(held, pointer, span), ty, span);
                if !matches!(init, Init::Nothing) {
                    statements.push(Stmt { kind: StmtKind::Fill(place, init), span });
                }
            }
            Some(length) => self.fill_new_array((one, fixed), ty, (held, length), &mut statements, span)?,
        }
        let value = self.loaded(held, pointer, span);
        Some(Operand::Value(Expr {
            kind: ExprKind::Sequence(statements, Box::new(value)),
            ty: pointer,
            span,
        }))
    }

    fn is_nothrow(&self, place: &ast::Expr) -> bool {
        matches!(&place.kind, ast::ExprKind::Name(name) if name.last().is_some_and(|last| matches!(&last.id, ast::Id::Word(word) if &**word == "nothrow")))
    }

    fn flag(&self, set: bool, span: Span) -> Expr {
        number(i128::from(set), self.program.basic().int, span)
    }

    /// Variable that holds the number of elements.
    fn length_of_new(&mut self, length: Operand, span: Span, statements: &mut Vec<Stmt>) -> Option<LocalId> {
        let long = self.program.basic().ulong;
        let value = self.converted(length, long)?;
        let local = self.local("".into(), long, span);
        statements.push(Stmt { kind: StmtKind::Let(local, Some(Init::Value(value))), span });
        Some(local)
    }

    pub(crate) fn loaded(&self, local: LocalId, ty: Type, span: Span) -> Expr {
        let place = Box::new(local_place(local, ty, span));
        Expr { kind: ExprKind::Load(place), ty: plain(ty), span }
    }

    fn plus(&self, value: Expr, by: i128) -> Expr {
        let (ty, span) = (value.ty, value.span);
        let kind = ExprKind::Binary(Binary::Add, Box::new(value), Box::new(number(by, ty, span)));
        Expr { kind, ty, span }
    }

    /// Notes the number of elements before them.
    fn past_cookie(&mut self, memory: Expr, length: LocalId, statements: &mut Vec<Stmt>, span: Span) -> Expr {
        let long = self.program.basic().ulong;
        let pointer = self.program.pointer(long);
        let held = self.local("".into(), pointer, span);
        let cast = Expr { kind: ExprKind::Cast(Box::new(memory)), ty: pointer, span };
        statements.push(Stmt { kind: StmtKind::Let(held, Some(Init::Value(cast))), span });
        let place = deref(self.loaded(held, pointer, span), long, span);
        let count = self.loaded(length, long, span);
        statements.push(self.program.fill(place, Init::Value(count), span));
        self.moved(self.loaded(held, pointer, span), COOKIE / 8)
    }

    /// A pointer that many elements on.
    fn moved(&self, pointer: Expr, by: i128) -> Expr {
        let (ty, span) = (pointer.ty, pointer.span);
        let by = number(by, self.program.basic().long, span);
        Expr { kind: ExprKind::Offset(Box::new(pointer), Box::new(by), false), ty, span }
    }

    fn fill_new_array(
        &mut self,
        (one, fixed): (&ast::New, Option<u64>),
        ty: Type,
        (held, length): (LocalId, LocalId),
        statements: &mut Vec<Stmt>,
        span: Span,
    ) -> Option<()> {
        let pointer = self.program.pointer(ty);
        let mut first = 0;
        if let Some(Initializer::Braces(list)) = &one.initializer
            && !list.elements.is_empty()
        {
            first = list.elements.len() as u64;
            let array = self.program.ty(TypeKind::Array(ty, first));
            let to_array = self.program.pointer(array);
            let init = self.direct_list_init(array, list)?;
            let value = self.loaded(held, pointer, span);
            let cast = Expr { kind: ExprKind::Cast(Box::new(value)), ty: to_array, span };
            statements.push(Stmt { kind: StmtKind::Fill(deref(cast, array, span), init), span });
        }
        let known = match &one.length {
            Some(length) => self.trial(|this| this.constant_integer(length)).map(|(_, known)| known),
            None => fixed.map(i128::from),
        };
        if first > 0 && known == Some(i128::from(first)) {
            return Some(());
        }
        let zero = one.initializer.is_some();
        let init = self.default_init(ty, zero, span)?;
        if !matches!(init, Init::Nothing) {
            let body = |this: &mut Self, place: Place| {
                let _ = this;
                Some(vec![Stmt { kind: StmtKind::Fill(place, init.clone()), span }])
            };
            self.each_element((held, ty), (first, length), false, statements, span, body)?;
        }
        Some(())
    }

    /// Statements for each element that a pointer leads to, from a number on; the last element first with `back`.
    pub(crate) fn each_element(
        &mut self,
        (held, ty): (LocalId, Type),
        (first, length): (u64, LocalId),
        back: bool,
        statements: &mut Vec<Stmt>,
        span: Span,
        body: impl FnOnce(&mut Self, Place) -> Option<Vec<Stmt>>,
    ) -> Option<()> {
        let (long, pointer) = (self.program.basic().ulong, self.program.pointer(ty));
        let at = self.local("".into(), long, span);
        let start =
            if back { self.loaded(length, long, span) } else { number(i128::from(first), long, span) };
        statements.push(Stmt { kind: StmtKind::Let(at, Some(Init::Value(start))), span });
        let end = if back { number(i128::from(first), long, span) } else { self.loaded(length, long, span) };
        let now = self.loaded(at, long, span);
        let (left, right) = if back { (end, now) } else { (now, end) };
        let kind = ExprKind::Compare(Compare::Less, Box::new(left), Box::new(right));
        let condition = Expr { kind, ty: self.program.basic().bool, span };
        let step = |by: Step| {
            let kind = PlaceKind::PreStep(Box::new(local_place(at, long, span)), by);
            Stmt { kind: StmtKind::Place(Place { kind, ty: long, span }), span }
        };
        let base = self.loaded(held, pointer, span);
        let index = self.loaded(at, long, span);
        let kind = ExprKind::Offset(Box::new(base), Box::new(index), false);
        let place = deref(Expr { kind, ty: pointer, span }, plain(ty), span);
        let mut inner = body(self, place)?;
        let mut steps = vec![];
        match back {
            true => inner.insert(0, step(Step::Down)),
            false => steps.push(step(Step::Up)),
        }
        let label = self.frame.label();
        let kind = StmtKind::Loop {
            label,
            condition: Some(condition),
            after: false,
            step: steps,
            body: inner,
            unroll: None,
        };
        statements.push(Stmt { kind, span });
        Some(())
    }

    /// Call of the `operator new` that a class itself or a base of it declares, if there is one.
    fn own_allocation(&mut self, ty: Type, bytes: Expr, array: bool, span: Span) -> Option<Option<Expr>> {
        let set = self.own_operator(ty, if array { "operatornew[]" } else { "operatornew" }, span)?;
        Some(match self.call_set(set, vec![Operand::Value(bytes)], span) {
            Operand::Value(value) => Some(value),
            _ => None,
        })
    }

    /// The functions of a class, or of a base of it, that allocate or free its objects.
    fn own_operator(&mut self, ty: Type, name: &str, span: Span) -> Option<FunctionSet> {
        let record = self.program.record_of(ty)?;
        match self.find_member(record, name, Want::Any)? {
            Entity::Functions(decls, _) => Some(FunctionSet::of(name, decls, span)),
            _ => None,
        }
    }

    /// Frees an object of a type, or an array of them, by what the class itself declares or else by [`Self::freed`].
    pub(super) fn freed_as(&mut self, ty: Type, memory: Expr, array: bool, span: Span) -> Option<Expr> {
        let name = if array { "operatordelete[]" } else { "operatordelete" };
        let Some(set) = self.own_operator(ty, name, span) else { return self.freed(memory, array, span) };
        let size = number(i128::from(self.size_of(ty)), self.program.basic().ulong, span);
        let sized = set.decls.iter().all(|decl| self.declarations[*decl].ast.ty.parameters.len() == 2);
        let mut operands = vec![Operand::Value(memory)];
        operands.extend(sized.then_some(Operand::Value(size)));
        match self.call_set(set, operands, span) {
            Operand::Value(value) => Some(value),
            _ => None,
        }
    }

    /// Memory for an object, or for all of an array.
    fn allocation(&mut self, bytes: Expr, array: bool, span: Span) -> Option<Expr> {
        match self.side.is_host() {
            true => self.call_of_library(NEW, vec![bytes, self.flag(array, span)], span),
            false => self.call_of_driver("malloc", bytes, span),
        }
    }

    /// Frees what [`Self::allocation`] gave.
    fn freed(&mut self, memory: Expr, array: bool, span: Span) -> Option<Expr> {
        match self.side.is_host() {
            true => self.call_of_library(DELETE, vec![memory, self.flag(array, span)], span),
            false => self.call_of_driver("free", memory, span),
        }
    }

    /// Call of a function of the device's driver.
    fn call_of_driver(&mut self, name: &str, value: Expr, span: Span) -> Option<Expr> {
        let set = FunctionSet { builtin: true, ..FunctionSet::of(name, vec![], span) };
        match self.call_set(set, vec![Operand::Value(value)], span) {
            Operand::Value(value) => Some(value),
            _ => None,
        }
    }

    /// Call of a function of the library's, with values as they are.
    pub(crate) fn call_of_library(&mut self, name: &str, values: Vec<Expr>, span: Span) -> Option<Expr> {
        let set = self.runtime_function(name, span)?;
        let operands = values.into_iter().map(Operand::Value).collect();
        match self.call_set(set, operands, span) {
            Operand::Value(value) => Some(value),
            _ => None,
        }
    }

    /// `x.~T()`.
    pub(crate) fn end_explicitly(&mut self, object: &ast::Expr, arrow: bool, span: Span) -> Option<Operand> {
        let operand = self.expr(object);
        let place = match arrow {
            true => {
                let value = self.value(operand)?;
                let to = self.program.pointee(value.ty)?;
                deref(value, plain(to), span)
            }
            false => self.place(operand)?.0,
        };
        let ty = plain(place.ty);
        let (keep, pointer) = self.kept_address(Place { ty, ..place });
        let mut statements = vec![keep];
        self.end_of(deref(pointer, ty, span), span, &mut statements)?;
        let nothing = self.program.void_value(span);
        let void = self.program.basic().void;
        Some(Operand::Value(Expr { kind: ExprKind::Sequence(statements, Box::new(nothing)), ty: void, span }))
    }

    /// `delete x`, `delete[] x`.
    pub(crate) fn delete(&mut self, object: &ast::Expr, all: bool, span: Span) -> Operand {
        self.deleted(object, all, span).unwrap_or(Operand::Error(span))
    }

    fn deleted(&mut self, object: &ast::Expr, all: bool, span: Span) -> Option<Operand> {
        let operand = self.expr(object);
        let value = self.value(operand)?;
        let Some(to) = self.program.pointee(value.ty) else {
            let shown = self.program.show(value.ty);
            let message = format!("`delete` requires a pointer, not `{shown}`");
            self.messages.error("type", object.span, message);
            return None;
        };
        if !self.program.is_void(to) && !self.require_complete(to, object.span) {
            return None;
        }
        let (pointer, void) = (value.ty, self.program.basic().void);
        let held = self.local("".into(), pointer, span);
        let mut statements = vec![Stmt { kind: StmtKind::Let(held, Some(Init::Value(value))), span }];
        if !all
            && let Some(record) = self.program.record_of(to)
            && let Some(call) = self.virtual_delete(self.loaded(held, pointer, span), record, span)
        {
            let there = self.program.truth(self.loaded(held, pointer, span));
            statements.push(Stmt { kind: StmtKind::If(there, vec![call], vec![]), span });
            let nothing = self.program.void_value(span);
            let kind = ExprKind::Sequence(statements, Box::new(nothing));
            return Some(Operand::Value(Expr { kind, ty: void, span }));
        }
        let mut inner = vec![];
        let bytes = self.program.pointer(void);
        let mut memory = self.loaded(held, pointer, span);
        if !self.program.is_void(to) && self.has_destructor(to) {
            if all {
                let long = self.program.basic().ulong;
                let counts = self.program.pointer(long);
                let cast = Expr { kind: ExprKind::Cast(Box::new(memory)), ty: counts, span };
                let cookie = self.moved(cast, -COOKIE / 8);
                let count = Expr {
                    kind: ExprKind::Load(Box::new(deref(cookie.clone(), long, span))),
                    ty: long,
                    span,
                };
                let length = self.local("".into(), long, span);
                inner.push(Stmt { kind: StmtKind::Let(length, Some(Init::Value(count))), span });
                self.each_element((held, to), (0, length), true, &mut inner, span, |this, place| {
                    let mut ends = vec![];
                    this.end_of(place, span, &mut ends)?;
                    Some(ends)
                })?;
                memory = cookie;
            } else {
                let place = deref(self.loaded(held, pointer, span), plain(to), span);
                self.end_of(place, span, &mut inner)?;
            }
        }
        let memory = Expr { kind: ExprKind::Cast(Box::new(memory)), ty: bytes, span };
        let call = self.freed_as(to, memory, all, span)?;
        inner.push(Stmt { kind: StmtKind::Expr(call), span });
        let there = self.program.truth(self.loaded(held, pointer, span));
        statements.push(Stmt { kind: StmtKind::If(there, inner, vec![]), span });
        let nothing = self.program.void_value(span);
        Some(Operand::Value(Expr { kind: ExprKind::Sequence(statements, Box::new(nothing)), ty: void, span }))
    }
}
