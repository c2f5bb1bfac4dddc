//! Questions about types that the compiler answers, and class templates whose arguments an initialiser says.
//!
//! Enters: types. Leaves: constants and types. This module must never know what asks.

use std::rc::Rc;

use crate::ast::{self, Initializer};
use crate::hir::Type;
use crate::source::Span;

use crate::check::Checker;
use crate::check::context::output::Output;
use crate::check::expressions::operand::{Operand, number};
use crate::check::names::entity::Entity;
use crate::check::names::find::Want;

impl Output {
    /// An operand such as `declval<T>()` gives.
    fn declared_value(&mut self, ty: Type) -> Operand {
        let ty = if self.referred(ty).is_some() { ty } else { self.reference(ty, true) };
        self.stand_in(ty, Span::default())
    }
}

impl Checker<'_> {
    /// `__is_same(T, U)` and the like; `None` where the name is none of them.
    pub(crate) fn trait_call(
        &mut self,
        name: &ast::Name,
        arguments: &[ast::Expr],
        span: Span,
    ) -> Option<Operand> {
        let symbol = name.simple()?;
        if !symbol.starts_with("__is_") && !symbol.starts_with("__has_") {
            return None;
        }
        let known = [
            "__is_same",
            "__is_integral",
            "__is_floating_point",
            "__is_pointer",
            "__is_enum",
            "__is_class",
            "__is_union",
            "__is_array",
            "__is_reference",
            "__is_const",
            "__is_void",
            "__is_empty",
            "__has_trivial_destructor",
            "__is_trivially_copyable",
            "__is_unsigned",
            "__is_signed",
            "__is_base_of",
            "__is_convertible",
            "__is_constructible",
        ];
        if !known.contains(&&**symbol) {
            return None;
        }
        let mut types = vec![];
        for one in arguments {
            match self.trait_type(one) {
                Some(ty) => types.push(ty),
                None => return Some(Operand::Error(span)),
            }
        }
        let found = self.trait_value(symbol, &types);
        match found {
            Some(found) => Some(Operand::Value(number(i128::from(found), self.program.basic().bool, span))),
            None => {
                self.messages.error("call", span, format!("invalid arguments of `{symbol}`"));
                Some(Operand::Error(span))
            }
        }
    }

    fn trait_type(&mut self, one: &ast::Expr) -> Option<Type> {
        match &one.kind {
            ast::ExprKind::Type(ty) => self.resolve_type(ty),
            ast::ExprKind::Name(name) => {
                let ty = ast::Type {
                    kind: ast::TypeKind::Name(name.clone()),
                    qualifiers: ast::Qualifiers::default(),
                    span: one.span,
                };
                self.resolve_type(&ty)
            }
            _ => {
                self.messages.error("type", one.span, "expected a type");
                None
            }
        }
    }

    fn trait_value(&mut self, name: &str, types: &[Type]) -> Option<bool> {
        let first = *types.first()?;
        let second = types.get(1).copied();
        Some(match name {
            "__is_same" => first == second?,
            "__is_integral" => self.program.is_integral(first),
            "__is_floating_point" => self.program.is_floating(first),
            "__is_pointer" => self.program.pointee(first).is_some(),
            "__is_enum" => self.program.is_enum(first),
            "__is_class" => self.program.record_of(first).is_some_and(|record| !self.classes[record].union),
            "__is_union" => self.program.record_of(first).is_some_and(|record| self.classes[record].union),
            "__is_array" => self.program.array_of(first).is_some(),
            "__is_reference" => self.program.referred(first).is_some(),
            "__is_const" => first.constant,
            "__is_void" => self.program.is_void(first),
            "__has_trivial_destructor" => self.trivially_ended(first) || !self.has_destructor(first),
            "__is_empty" => {
                self.complete(first);
                self.program.record_of(first).is_some_and(|record| self.classes[record].empty)
            }
            "__is_trivially_copyable" => self.trivially_copyable(first),
            "__is_unsigned" => {
                self.program.is_integral(first)
                    && self.program.width(first).is_some_and(|(_, signed)| !signed)
            }
            "__is_signed" => {
                self.program.is_floating(first)
                    || (self.program.is_integral(first)
                        && self.program.width(first).is_some_and(|(_, signed)| signed))
            }
            "__is_base_of" => match (self.program.record_of(first), self.program.record_of(second?)) {
                (Some(base), Some(derived)) => self.is_base(base, derived),
                _ => false,
            },
            "__is_convertible" => {
                let second = second?;
                if self.program.is_void(first) || self.program.is_void(second) {
                    return Some(self.program.is_void(first) && self.program.is_void(second));
                }
                let operand = self.program.declared_value(first);
                self.trial(|this| this.conversion(&operand, second, true)).is_some_and(|one| !one.ambiguous)
            }
            "__is_constructible" => {
                let operands: Vec<Operand> =
                    types.iter().skip(1).map(|ty| self.program.declared_value(*ty)).collect();
                self.trial(|this| this.direct_init(first, operands, Span::default())).is_some()
            }
            _ => return None,
        })
    }

    /// Class of a template whose arguments are those that an initialiser's values say: `Pair p{1, 2.0f}`.
    pub(crate) fn template_by_arguments(
        &mut self,
        name: &ast::Name,
        initializer: &Initializer,
    ) -> Option<Type> {
        if name.last()?.arguments.is_some() {
            return None;
        }
        let Some(Entity::Template(id)) = self.resolve_quietly(name, Want::Type) else { return None };
        if !matches!(self.templates[id].kind, crate::check::names::entity::TemplateKind::Class) {
            return None;
        }
        let class = self.templates[id].class.clone()?;
        let redeclared = self.templates.redeclared(id);
        let template = redeclared.map_or_else(|| Rc::clone(&self.templates[id].ast), |(ast, _)| ast);
        let values: Vec<&ast::Expr> = match initializer {
            Initializer::Equals(expr) => match &expr.kind {
                ast::ExprKind::List(list) => list.elements.iter().map(|one| &one.value).collect(),
                _ => vec![expr],
            },
            Initializer::Parentheses(all, _) => all.iter().collect(),
            Initializer::Braces(list) => list.elements.iter().map(|one| &one.value).collect(),
        };
        let mut operands = vec![];
        for value in values {
            let operand = self.trial(|this| {
                let operand = this.expr(value);
                (!operand.is_error()).then_some(operand)
            })?;
            operands.push(operand.ty().map(|ty| (ty, operand.is_lvalue())));
        }
        // A copy of an object of the template.
        if let [Some((ty, _))] = operands.as_slice()
            && let Some(record) = self.program.record_of(*ty)
            && self.classes[record].template.as_ref().is_some_and(|(of, _)| *of == id)
        {
            return Some(crate::check::types::kind::plain(*ty));
        }
        let scope = self.templates[id].scope;
        for patterns in constructors(&class) {
            let mut bindings = crate::check::templates::deduce::Bindings::new(&template.parameters);
            if patterns.len() < operands.len() {
                continue;
            }
            let found = self.within(scope, |this| this.deduce_call(&patterns, &operands, &mut bindings));
            if !found {
                continue;
            }
            let Some(arguments) = bindings.finish_partly() else { continue };
            if let Some(Entity::Type(ty)) = self.trial(|this| this.instantiate(id, &arguments, name.span)) {
                return Some(ty);
            }
        }
        None
    }
}

/// Types of the parameters of a class's constructors, and of its fields in order.
fn constructors(class: &ast::Class) -> Vec<Vec<&ast::Type>> {
    let mut all = vec![];
    let mut fields = vec![];
    for member in class.members.iter().flatten() {
        match &member.kind {
            ast::DeclarationKind::Function(function) if function.kind == ast::FunctionKind::Constructor => {
                all.push(function.ty.parameters.iter().map(|one| &*one.ty).collect());
            }
            ast::DeclarationKind::Variable(variable) if variable.specifiers.is_static.is_none() => {
                fields.push(&*variable.ty)
            }
            _ => {}
        }
    }
    if all.is_empty() {
        all.push(fields);
    }
    all
}
