//! Structured bindings: `auto [a, b] = x`.
//!
//! Enters: names and what is taken apart. Leaves: the names, each for a place: an element of an array, a field, or what `get<0>` and the
//! like give where the class says by `std::tuple_size` how many there are. This module must never know loops.

use std::rc::Rc;

use crate::ast::{self, Initializer};
use crate::hir::{Init, Place, PlaceKind, RecordId, Stmt, StmtKind, Type};
use crate::source::Span;

use crate::check::Checker;
use crate::check::expressions::operand::{FunctionSet, Operand, deref, number};
use crate::check::names::entity::{Argument, DeclId, Entity, TemplateKind};
use crate::check::names::find::Want;
use crate::check::types::kind::plain;

impl Checker<'_> {
    /// `auto [a, b] = x;`.
    pub(crate) fn structured_binding(
        &mut self,
        binding: &ast::StructuredBinding,
        operand: Option<Operand>,
        statements: &mut Vec<Stmt>,
        span: Span,
    ) {
        let specifiers = &binding.specifiers;
        let memory = |kind: &ast::AttributeKind| {
            use ast::AttributeKind::{Constant, Device, Managed, Shared};
            matches!(kind, Shared | Constant | Managed | Device)
        };
        let placed = specifiers.is_static.or(specifiers.is_extern).or(specifiers.is_constexpr);
        if let Some(span) = placed.or(specifiers.attribute(memory)) {
            self.messages.refuse(
                span,
                "a storage class on a structured binding is",
                "declare the variables one by one",
            );
        }
        let operand = match (operand, &binding.initializer) {
            (Some(operand), _) => operand,
            (None, Some(Initializer::Equals(expr))) => self.expr(expr),
            (None, Some(Initializer::Parentheses(all, _))) => match all.first() {
                Some(expr) => self.expr(expr),
                None => return,
            },
            (None, Some(Initializer::Braces(list))) => match list.elements.first() {
                Some(element) => self.expr(&element.value),
                None => return,
            },
            (None, None) => return,
        };
        if self.bind_names(binding, operand, statements, span).is_none() {
            self.messages.poison(span);
            for name in &binding.names {
                self.enter_name(name.symbol.clone(), Entity::Error, name.span);
            }
        }
    }

    fn bind_names(
        &mut self,
        binding: &ast::StructuredBinding,
        operand: Operand,
        statements: &mut Vec<Stmt>,
        span: Span,
    ) -> Option<()> {
        // An array is copied as a whole here, where `auto` alone would make a pointer of it.
        let array = operand.ty().is_some_and(|ty| self.program.array_of(ty).is_some())
            && !matches!(binding.ty.kind, ast::TypeKind::Reference(_) | ast::TypeKind::RvalueReference(_));
        let (ty, init) = if array {
            let ty = plain(operand.ty()?);
            let (place, _) = self.place(operand)?;
            (ty, Init::Copy(Box::new(place)))
        } else {
            let (ty, operand) = self.auto_type(&binding.ty, operand, span)?;
            (ty, self.initialised(operand, ty)?)
        };
        let local = self.local("".into(), ty, span);
        statements.push(Stmt { kind: StmtKind::Let(local, Some(init)), span });
        let whole = self.program.variable_place(PlaceKind::Local(local), ty, span);
        let count = binding.names.len();
        if let Some((of, Some(length))) = self.program.array_of(whole.ty) {
            if length != count as u64 {
                self.messages.error(
                    "init",
                    span,
                    format!("the array decomposes into {length} elements, but {count} names are given"),
                );
                return None;
            }
            for (at, name) in binding.names.iter().enumerate() {
                let index = number(at as i128, self.program.basic().long, span);
                let kind = PlaceKind::Element(Box::new(whole.clone()), Box::new(index));
                let place = Place { kind, ty: of, span: name.span };
                self.enter_name(
                    name.symbol.clone(),
                    Entity::Binding(self.frame.uid(), Rc::new(place)),
                    name.span,
                );
            }
            return Some(());
        }
        let Some(record) = self.program.record_of(whole.ty) else {
            let shown = self.program.show(whole.ty);
            self.messages.error(
                "type",
                span,
                format!("cannot decompose type `{shown}`: it is not a class or array"),
            );
            return None;
        };
        if !self.require_complete(whole.ty, span) {
            return None;
        }
        if let Some(length) = self.tuple_length(record, span) {
            return self.bind_elements(binding, (whole, length), statements, span);
        }
        let fields = self.program[record].fields.clone();
        if fields.len() != count || fields.iter().any(|field| field.base) {
            let shown = self.program.show(plain(whole.ty));
            self.messages.error(
                "init",
                span,
                format!("`{shown}` decomposes into {} elements, but {count} names are given", fields.len()),
            );
            return None;
        }
        for (at, name) in binding.names.iter().enumerate() {
            let place =
                self.classes.field_place(whole.clone(), record, at as u32, name.span, &mut self.program);
            self.enter_name(
                name.symbol.clone(),
                Entity::Binding(self.frame.uid(), Rc::new(place)),
                name.span,
            );
        }
        Some(())
    }

    /// How many elements a class has that says so by `std::tuple_size`; pairs are their fields.
    fn tuple_length(&mut self, record: RecordId, span: Span) -> Option<u64> {
        if self.side.is_device() {
            return None;
        }
        let std = self.std_scope()?;
        if let Some((of, _)) = &self.classes[record].template
            && self.templates[*of].scope == std
            && &*self.templates[*of].name == "pair"
        {
            return None;
        }
        let Some(Entity::Template(id)) =
            self.declarations.pick(std, "tuple_size", Want::Type, self.scopes.horizon(), &self.scopes)
        else {
            return None;
        };
        if !matches!(self.templates[id].kind, TemplateKind::Class) {
            return None;
        }
        let class = self.program.record_type(record);
        self.trial(|this| {
            let Entity::Type(size) = this.instantiate(id, &[Argument::Type(class)], span)? else {
                return None;
            };
            let size = this.program.record_of(size)?;
            if !this.complete_record(size) {
                return None;
            }
            let Some(Entity::Global(value)) = this.find_member(size, "value", Want::Any) else { return None };
            let value = this.global_operand(value, span);
            let value = this.constant_operand(value)?;
            match value.kind {
                crate::hir::ExprKind::Integer(length) => u64::try_from(length).ok(),
                _ => None,
            }
        })
    }

    fn bind_elements(
        &mut self,
        binding: &ast::StructuredBinding,
        (whole, length): (Place, u64),
        statements: &mut Vec<Stmt>,
        span: Span,
    ) -> Option<()> {
        let count = binding.names.len();
        if length != count as u64 {
            let shown = self.program.show(plain(whole.ty));
            let message = format!("`{shown}` decomposes into {length} elements, but {count} names are given");
            self.messages.error("init", span, message);
            return None;
        }
        let lvalue = matches!(binding.ty.kind, ast::TypeKind::Reference(_));
        for (at, name) in binding.names.iter().enumerate() {
            let found = self.element_of(Operand::Place(whole.clone(), !lvalue), at, span)?;
            let place = self.kept_element(found, statements, name.span)?;
            let entity = Entity::Binding(self.frame.uid(), Rc::new(place));
            self.enter_name(name.symbol.clone(), entity, name.span);
        }
        Some(())
    }

    /// `get<at>` of an object: a method, or a function of its namespace.
    fn element_of(&mut self, object: Operand, at: usize, span: Span) -> Option<Operand> {
        let class = object.ty()?;
        let record = self.program.record_of(class)?;
        let arguments = vec![Argument::Value(self.program.basic().ulong, at as i128)];
        let templates = |this: &Self, decls: &[DeclId]| {
            decls.iter().any(|decl| this.declarations[*decl].template.is_some())
        };
        let found = match self.find_member(record, "get", Want::Any) {
            Some(Entity::Functions(decls, _)) if templates(self, &decls) => {
                let object = Some(Box::new(object));
                let set = FunctionSet { arguments, object, ..FunctionSet::of("get", decls, span) };
                self.call_set(set, vec![], span)
            }
            _ => {
                let decls = self.find_by_arguments("get", &[class]);
                let set = FunctionSet { arguments, ..FunctionSet::of("get", decls, span) };
                self.call_set(set, vec![object], span)
            }
        };
        (!found.is_error()).then_some(found)
    }

    /// Place of an element for as long as its name is known.
    fn kept_element(&mut self, found: Operand, statements: &mut Vec<Stmt>, span: Span) -> Option<Place> {
        if let Operand::Place(place, _) = found {
            let ty = place.ty;
            let address = self.program.address(place);
            let pointer = self.program.pointer(ty);
            let held = self.local("".into(), pointer, span);
            let init = Init::Value(crate::hir::Expr { ty: pointer, ..address });
            statements.push(Stmt { kind: StmtKind::Let(held, Some(init)), span });
            return Some(deref(self.loaded(held, pointer, span), ty, span));
        }
        let ty: Type = plain(found.ty()?);
        let init = self.initialised(found, ty)?;
        let local = self.local("".into(), ty, span);
        statements.push(Stmt { kind: StmtKind::Let(local, Some(init)), span });
        Some(crate::check::expressions::operand::local_place(local, ty, span))
    }
}
