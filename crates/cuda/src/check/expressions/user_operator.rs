//! Operators that classes define: functions named `operator+`, and the conversions of operands to what operators take.
//!
//! Enters: an operator and its operands. Leaves: the call, or nothing where the operator is the language's own. This module must
//! never know what the language's operators compute.

use crate::ast::FunctionBody;
use crate::hir::{RecordId, Type};
use crate::source::Span;

use crate::check::Checker;
use crate::check::calls::callee::Callee;
use crate::check::calls::overload::NoMatch;
use crate::check::expressions::operand::{FunctionSet, Operand};
use crate::check::names::entity::{DeclId, Entity};
use crate::check::names::find::Want;
use crate::check::types::kind::plain;

impl Checker<'_> {
    /// Whether it is an assignment that a class asks for, next to one that it defines, which takes operands.
    pub(crate) fn takes_defaulted(&mut self, record: RecordId, operands: &[Operand; 2], span: Span) -> bool {
        let decls = self.assignments(record);
        let [to, from] = operands;
        let object = Some(Box::new(to.clone()));
        let set = FunctionSet { operator: true, object, ..FunctionSet::of("operator=", decls.clone(), span) };
        let defaulted =
            |this: &Self, decl: DeclId| matches!(this.declarations[decl].ast.body, FunctionBody::Defaulted);
        decls.iter().any(|decl| defaulted(self, *decl))
            && matches!(self.resolve(&set, std::slice::from_ref(from), true),
                Ok(Callee::Decl(decl, ..)) if defaulted(self, decl))
    }

    /// The user's operator for operands; `None` where there is none that takes them.
    pub(crate) fn user_operator(
        &mut self,
        name: &str,
        operands: &[Operand],
        members_only: bool,
        span: Span,
    ) -> Option<Operand> {
        if !operands.iter().any(|one| self.program.overloads(one)) {
            return None;
        }
        let mut decls = vec![];
        if !members_only {
            if let Some(Entity::Functions(found, _)) = self.find_outside_classes(name, span) {
                decls = found;
            }
            let types: Vec<Type> = operands.iter().filter_map(Operand::ty).collect();
            for decl in self.find_by_arguments(name, &types) {
                if !decls.contains(&decl) {
                    decls.push(decl);
                }
            }
        }
        decls.retain(|decl| self.fits_enumerations(*decl, operands));
        let first = operands.first()?;
        let members = match first.ty().and_then(|ty| self.program.record_of(ty)) {
            Some(record) => match self.find_member(record, name, Want::Any) {
                Some(Entity::Functions(found, _)) => found,
                _ => vec![],
            },
            None => vec![],
        };
        if decls.is_empty() && members.is_empty() {
            return None;
        }
        let set = |decls: Vec<crate::check::names::entity::DeclId>, object: Option<Box<Operand>>| {
            FunctionSet { operator: true, object, ..FunctionSet::of(name, decls, span) }
        };
        let method = set(members, Some(Box::new(first.clone())));
        let free = set(decls, None);
        let by_method = self.resolve(&method, operands.get(1..).unwrap_or_default(), true);
        let by_free = self.resolve(&free, operands, true);
        let by_free = match by_free {
            Ok(callee) if self.language_is_nearer(&callee, operands) => Err(NoMatch::None(vec![])),
            found => found,
        };
        match (by_method, by_free) {
            (Ok(callee), Err(NoMatch::None(_))) => {
                let rest = operands.get(1..).unwrap_or_default().to_vec();
                Some(self.call_callee(callee, method, rest, span))
            }
            (Err(NoMatch::None(_)), Ok(callee)) => {
                Some(self.call_callee(callee, free, operands.to_vec(), span))
            }
            (Ok(a), Ok(b)) => {
                // Both fit: the one that converts less.
                if self.method_is_better(&a, &b, operands) {
                    let rest = operands.get(1..).unwrap_or_default().to_vec();
                    Some(self.call_callee(a, method, rest, span))
                } else {
                    Some(self.call_callee(b, free, operands.to_vec(), span))
                }
            }
            (Err(NoMatch::None(_)), Err(NoMatch::None(_))) => None,
            (Err(NoMatch::Ambiguous(_)), Ok(_) | Err(NoMatch::Ambiguous(_)))
            | (Ok(_), Err(NoMatch::Ambiguous(_))) => {
                Some(self.call_of_both(name, (method, free), operands, span))
            }
            (Err(why @ (NoMatch::Ambiguous(_) | NoMatch::Error)), _)
            | (_, Err(why @ (NoMatch::Ambiguous(_) | NoMatch::Error))) => {
                self.tell_no_match(name, operands, span, why);
                Some(Operand::Error(span))
            }
        }
    }

    /// Call of an operator where either methods or functions alone leave it open which is meant.
    fn call_of_both(
        &mut self,
        name: &str,
        (method, free): (FunctionSet, FunctionSet),
        operands: &[Operand],
        span: Span,
    ) -> Operand {
        match self.resolve_both((&method, &free), operands) {
            Ok(Callee::Decl(decl, arguments, signature)) => {
                let callee = Callee::Decl(decl, arguments, signature);
                match method.decls.contains(&decl) {
                    true => {
                        let rest = operands.get(1..).unwrap_or_default().to_vec();
                        self.call_callee(callee, method, rest, span)
                    }
                    false => self.call_callee(callee, free, operands.to_vec(), span),
                }
            }
            Ok(_) => Operand::Error(span),
            Err(why) => {
                self.tell_no_match(name, operands, span, why);
                Operand::Error(span)
            }
        }
    }

    /// Whether an operator counts for operands none of which is of a class: one of its parameters must then be of an
    /// operand's enumeration.
    fn fits_enumerations(&mut self, decl: crate::check::names::entity::DeclId, operands: &[Operand]) -> bool {
        let of = |this: &Self, one: &Operand| one.ty().and_then(|ty| this.program.record_of(ty));
        if operands.iter().any(|one| of(self, one).is_some()) || self.has_template(decl) {
            return true;
        }
        let Some(signature) = self.signature(decl, &[]) else { return false };
        let enums: Vec<_> =
            operands.iter().filter_map(|one| one.ty().and_then(|ty| self.program.enum_of(ty))).collect();
        signature.params.iter().any(|param| {
            let param = self.program.without_reference(*param);
            self.program.enum_of(param).is_some_and(|id| enums.contains(&id))
        })
    }

    /// Whether a free operator takes every class only converted by a function of the user's, while the language's own
    /// operator takes what those convert to.
    fn language_is_nearer(
        &mut self,
        callee: &crate::check::calls::callee::Callee,
        operands: &[Operand],
    ) -> bool {
        let crate::check::calls::callee::Callee::Decl(_, _, signature) = callee else { return false };
        if !operands.iter().any(|one| one.ty().is_some_and(|ty| self.program.record_of(ty).is_some())) {
            // Of enumerations: the language's own operator would promote them first.
            return false;
        }
        let signature = std::rc::Rc::clone(signature);
        for (operand, to) in operands.iter().zip(&signature.params) {
            let class = operand.ty().is_some_and(|ty| self.program.record_of(ty).is_some());
            let plain = self.conversion(operand, *to, true).is_some_and(|one| one.user.is_none());
            if class && plain {
                return false;
            }
        }
        let operands = operands.to_vec();
        operands.into_iter().all(|operand| {
            let class = operand.ty().is_some_and(|ty| self.program.record_of(ty).is_some());
            !class || self.trial(|this| this.scalar_of_class(operand)).is_some_and(|one| !one.is_error())
        })
    }

    fn method_is_better(
        &mut self,
        method: &crate::check::calls::callee::Callee,
        free: &crate::check::calls::callee::Callee,
        operands: &[Operand],
    ) -> bool {
        use crate::check::calls::callee::Callee;
        let (Callee::Decl(_, x, a), Callee::Decl(_, y, b)) = (method, free) else { return true };
        let mut wins = 0;
        let object = operands.first().zip(b.params.first());
        if let Some((operand, to)) = object {
            // The distance to the base that each of them takes counts.
            let own = a.this.zip(operand.ty()).and_then(|(this, from)| {
                let (from, this) = (self.program.record_of(from)?, self.program.record_of(this)?);
                self.base_path(from, this).map(|path| path.len())
            });
            let other = self.conversion(operand, *to, true);
            wins += match (own, other) {
                (Some(own), Some(other)) if other.user.is_none() => match own.cmp(&other.derived) {
                    std::cmp::Ordering::Less => 1,
                    std::cmp::Ordering::Equal => 0,
                    std::cmp::Ordering::Greater => -1,
                },
                _ => 1,
            };
        }
        for (at, operand) in operands.iter().enumerate().skip(1) {
            let (Some(p), Some(q)) = (a.params.get(at - 1), b.params.get(at)) else { continue };
            let (Some(p), Some(q)) = (self.conversion(operand, *p, true), self.conversion(operand, *q, true))
            else {
                continue;
            };
            match self.program.compare_sequences(&p, &q) {
                std::cmp::Ordering::Less => wins += 1,
                std::cmp::Ordering::Greater => wins -= 1,
                std::cmp::Ordering::Equal => {}
            }
        }
        wins > 0 || (wins == 0 && x.len() <= y.len())
    }

    /// Unqualified lookup of an operator: members of classes around do not count.
    fn find_outside_classes(&mut self, name: &str, span: Span) -> Option<Entity> {
        let mut scope = self.scopes.current();
        loop {
            let kind = self.scopes[scope].kind;
            let parent = self.scopes[scope].parent;
            let class = matches!(kind, crate::check::names::entity::ScopeKind::Class(_));
            if !class {
                let here = self.within(scope, |this| this.find_no_further(name, span));
                if here.is_some() {
                    return here;
                }
            }
            scope = parent?;
        }
    }

    fn find_no_further(&mut self, name: &str, span: Span) -> Option<Entity> {
        let scope = self.scopes.current();
        let parent = self.scopes[scope].parent.take();
        let found = self.find(name, Want::Any, span);
        self.scopes[scope].parent = parent;
        match found {
            Some(Entity::Functions(decls, _)) if !decls.is_empty() => Some(Entity::Functions(decls, false)),
            _ => None,
        }
    }

    /// The operand of a class as a number or pointer, by its only conversion function that gives one.
    pub(crate) fn scalar_of_class(&mut self, operand: Operand) -> Option<Operand> {
        let Some(record) = operand.ty().and_then(|ty| self.program.record_of(ty)) else {
            return Some(operand);
        };
        let mut found = vec![];
        let mut decls = vec![];
        self.conversions_into(record, &mut decls);
        for decl in decls {
            let one = &self.declarations[decl];
            if one.ast.specifiers.is_explicit.is_some() || one.template.is_some() {
                continue;
            }
            let Some(signature) = self.signature(decl, &[]) else { continue };
            let Some(result) = signature.result else { continue };
            let to = plain(self.program.without_reference(result));
            if self.program.is_scalar(to) && !found.contains(&to) {
                found.push(to);
            }
        }
        // With a number on the other side, a number is nearer than a pointer.
        let numbers: Vec<Type> = found.iter().copied().filter(|ty| self.program.is_arithmetic(*ty)).collect();
        if numbers.len() == 1 {
            found = numbers;
        }
        match found.as_slice() {
            [to] => {
                let to = *to;
                self.converted(operand, to).map(Operand::Value)
            }
            [] => None,
            _ => {
                let shown = self.program[record].name.to_string();
                self.messages.error_help(
                    "ambiguous",
                    operand.span(),
                    format!("conversion of `{shown}` to a number is ambiguous"),
                    "write a cast to the type that is meant",
                );
                Some(Operand::Error(operand.span()))
            }
        }
    }

    fn conversions_into(
        &mut self,
        record: crate::hir::RecordId,
        all: &mut Vec<crate::check::names::entity::DeclId>,
    ) {
        self.complete_record(record);
        all.extend(self.classes[record].conversions.clone());
        for (base, _) in self.classes[record].bases.clone() {
            self.conversions_into(base, all);
        }
    }
}
