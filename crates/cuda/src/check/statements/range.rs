//! Loops over ranges.
//!
//! Enters: `for (T x : y)`. Leaves: a loop. This module must never know expressions.

use crate::ast::{self, DeclarationKind};
use crate::hir::{Place, PlaceKind, Stmt, StmtKind, Type};
use crate::source::Span;

use crate::check::Checker;
use crate::check::expressions::operand::{Operand, local_place, number};
use crate::check::names::entity::Entity;
use crate::check::names::find::Want;
use crate::check::types::kind::plain;

impl Checker<'_> {
    /// `for (T x : range)`.
    pub(crate) fn range_for(&mut self, one: &ast::RangeFor, span: Span, statements: &mut Vec<Stmt>) {
        let inner = self.scoped(|this, statements| {
            if let Some(init) = &one.init {
                this.statement(init, statements);
            }
            if this.range_loop(one, span, statements).is_none() {
                this.messages.poison(span);
            }
        });
        Self::splice(inner, span, statements);
    }

    pub(crate) fn range_loop(
        &mut self,
        one: &ast::RangeFor,
        span: Span,
        statements: &mut Vec<Stmt>,
    ) -> Option<()> {
        let unroll = self.unroll(one.unroll.as_ref());
        let array = self.variable_range(&one.range);
        let range = self.expr(array.as_ref().unwrap_or(&one.range));
        if range.is_error() {
            return None;
        }
        let at = one.range.span;
        let range = match range {
            Operand::List(list) => self.list_as_array(&list, at)?,
            range => range,
        };
        let (place, _) = self.place(range)?;
        let ty = place.ty;
        let (keep, address) = self.kept_address(place);
        statements.push(keep);
        let whole = crate::check::expressions::operand::deref(address, ty, at);
        let (begin, end) = match self.program.array_of(ty) {
            Some((_, Some(length))) => {
                let begin = self.program.decay(whole);
                let to = self.program.pointee(begin.ty)?;
                let by = number(length.into(), self.program.basic().long, at);
                let end = self.offset(begin.clone(), by, to, false, at)?;
                (Operand::Value(begin), end)
            }
            Some((_, None)) => {
                self.messages.error("type", at, "the length of this array is not known here");
                return None;
            }
            None => {
                let object = Operand::Place(whole, false);
                (self.range_end(object.clone(), "begin", at)?, self.range_end(object, "end", at)?)
            }
        };
        let (begin_local, begin_ty) = self.kept(begin, statements, at)?;
        let (end_local, end_ty) = self.kept(end, statements, at)?;
        let at_begin = |_: &Self| Operand::Place(local_place(begin_local, begin_ty, at), false);
        let at_end = Operand::Place(local_place(end_local, end_ty, at), false);
        let left = at_begin(self);
        let different = self.binary_operands(ast::BinaryOperator::NotEqual, left, at_end, at, at);
        let condition = self.condition_value(different)?;
        let label = self.frame.label();
        let step_of = at_begin(self);
        let stepped = self.step_operand(step_of, at)?;
        let step = vec![self.statement_of(stepped, at)?];
        let object = at_begin(self);
        let element = self.dereferenced(object, at)?;
        self.frame.enter_loop(label);
        let body = self.scoped(|this, body| {
            match &one.variable.kind {
                DeclarationKind::Variable(variable) => this.range_variable(variable, element, body),
                DeclarationKind::StructuredBinding(binding) => {
                    this.structured_binding(binding, Some(element), body, one.variable.span);
                }
                _ => this.messages.poison(one.variable.span),
            }
            let inner = this.one(&one.body);
            body.push(Self::block_of(inner, one.body.span));
        });
        self.frame.leave_loop();
        statements.push(Stmt {
            kind: StmtKind::Loop { label, condition: Some(condition), after: false, step, body, unroll },
            span,
        });
        Some(())
    }

    /// A list in braces as an array of what its values are.
    fn list_as_array(&mut self, list: &ast::InitList, span: Span) -> Option<Operand> {
        let mut of = None;
        for element in &list.elements {
            let ty = self.unevaluated(&element.value).ty().map(|ty| plain(self.program.decayed(ty)));
            match (of, ty) {
                (None, Some(ty)) => of = Some(ty),
                (Some(first), Some(ty)) if first == ty => {}
                _ => {
                    let help = "declare an array of the values first";
                    self.messages.error_help(
                        "type",
                        span,
                        "the values of this list have different types",
                        help,
                    );
                    return None;
                }
            }
        }
        let Some(of) = of else {
            self.messages.error("type", span, "this list has no values");
            return None;
        };
        let ty = self.program.ty(crate::hir::TypeKind::Array(
            crate::check::types::kind::constant(of),
            list.elements.len() as u64,
        ));
        let init = self.list_init(ty, list)?;
        Some(Operand::Init(init, ty, span))
    }

    /// Array that a list in braces makes where a reference to one is wanted; where its elements' type is to be found out,
    /// they must be of one.
    pub(crate) fn list_as_array_type(&mut self, list: &ast::InitList, open: bool) -> Option<Type> {
        let mut of = (!open).then_some(self.program.basic().int);
        if open {
            for element in &list.elements {
                let ty = self.trial(|this| this.unevaluated(&element.value).ty())?;
                let ty = plain(self.program.decayed(ty));
                if *of.get_or_insert(ty) != ty {
                    return None;
                }
            }
        }
        (!list.elements.is_empty()).then_some(())?;
        Some(self.program.ty(crate::hir::TypeKind::Array(of?, list.elements.len() as u64)))
    }

    pub(crate) fn range_variable(
        &mut self,
        variable: &ast::Variable,
        element: Operand,
        body: &mut Vec<Stmt>,
    ) {
        let Some(name) = &variable.name else { return };
        let Some(symbol) = name.simple().cloned() else { return };
        let found = if Self::has_auto(&variable.ty) {
            self.auto_type(&variable.ty, element, name.span)
        } else {
            self.resolve_type(&variable.ty).map(|ty| (ty, element))
        };
        let started = found.and_then(|(ty, element)| Some((ty, self.initialised(element, ty)?)));
        let Some((ty, init)) = started else {
            self.enter_name(symbol, Entity::Error, name.span);
            self.messages.poison(name.span);
            return;
        };
        let local = self.local(std::rc::Rc::clone(&symbol.0), ty, name.span);
        self.enter_name(symbol, Entity::Local(self.frame.uid(), local), name.span);
        body.push(Stmt { kind: StmtKind::Let(local, Some(init)), span: variable.span });
    }

    /// `x.begin()` or `begin(x)`.
    pub(crate) fn range_end(&mut self, object: Operand, name: &str, span: Span) -> Option<Operand> {
        let record = object.ty().and_then(|ty| self.program.record_of(ty));
        if let Some(record) = record
            && self.find_member(record, name, Want::Any).is_some()
        {
            let found = self.call_object(object, name, vec![], span);
            return (!found.is_error()).then_some(found);
        }
        let Some(ty) = object.ty().filter(|_| record.is_some()) else {
            let shown = object.ty().map(|ty| self.program.show(plain(ty))).unwrap_or_default();
            let message = format!(
                "invalid range expression of type `{shown}`: it is neither an array nor a class with `begin()` and `end()`"
            );
            match object.ty().is_some_and(|ty| self.program.pointee(ty).is_some()) {
                true => self.messages.error_help(
                    "type",
                    span,
                    message,
                    crate::check::names::suggest::POINTER_WITHOUT_LENGTH,
                ),
                false => self.messages.error("type", span, message),
            }
            return None;
        };
        let decls = self.find_by_arguments(name, &[ty]);
        if decls.is_empty() {
            let shown = self.program.show(plain(ty));
            self.messages.error(
                "type",
                span,
                format!("invalid range expression of type `{shown}`: it has no `begin()` and `end()`"),
            );
            return None;
        }
        let set = crate::check::expressions::operand::FunctionSet::of(name, decls, span);
        let found = self.call_set(set, vec![object], span);
        (!found.is_error()).then_some(found)
    }

    /// Keeps an operand's value in a variable.
    pub(crate) fn kept(
        &mut self,
        operand: Operand,
        statements: &mut Vec<Stmt>,
        span: Span,
    ) -> Option<(crate::hir::LocalId, Type)> {
        let from = operand.ty()?;
        let ty = plain(self.program.decayed(from));
        let init = self.initialised(operand, ty)?;
        let local = self.local("".into(), ty, span);
        statements.push(Stmt { kind: StmtKind::Let(local, Some(init)), span });
        Some((local, ty))
    }

    pub(crate) fn step_operand(&mut self, operand: Operand, span: Span) -> Option<Operand> {
        if operand.ty().is_some_and(|ty| self.program.record_of(ty).is_some()) {
            let found = self.call_object(operand, "operator++", vec![], span);
            return (!found.is_error()).then_some(found);
        }
        let Operand::Place(place, _) = operand else { return None };
        let ty = place.ty;
        let kind = PlaceKind::PreStep(Box::new(place), crate::hir::Step::Up);
        Some(Operand::Place(Place { kind, ty, span }, false))
    }

    pub(crate) fn dereferenced(&mut self, operand: Operand, span: Span) -> Option<Operand> {
        if operand.ty().is_some_and(|ty| self.program.record_of(ty).is_some()) {
            let found = self.call_object(operand, "operator*", vec![], span);
            return (!found.is_error()).then_some(found);
        }
        let value = self.value(operand)?;
        let to = self.program.pointee(value.ty)?;
        Some(Operand::Place(crate::check::expressions::operand::deref(value, to, span), false))
    }
}
