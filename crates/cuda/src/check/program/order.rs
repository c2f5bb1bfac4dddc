//! Variables of the module that no kernel needs, and the order of all.
//!
//! Enters: what was declared, once all is checked. Leaves: constants that NVRTC keeps in the module too, marked, and the
//! variables in its order: where a module's variables lie decides where the allocations after them do. This module must
//! never know what a variable is used for.

use crate::ast;
use crate::hir::{RecordId, VariableId};

use crate::check::Checker;
use crate::check::context::declarations::Declarations;
use crate::check::context::output::Output;
use crate::check::context::scopes::Scopes;
use crate::check::names::entity::{GlobalDecl, GlobalId, ScopeId, ScopeKind};

/// ModulePlace of a variable: within each namespace a kind of things and which of them.
type ModulePlace = Vec<(u8, u32)>;

/// Kinds of things in the outermost namespace, in their order.
mod outermost {
    pub(crate) const VARIABLE: u8 = 0;
    pub(crate) const CLASS: u8 = 1;
    pub(crate) const NAMESPACE: u8 = 2;
    /// Texts, which are no one's.
    pub(crate) const UNNAMED: u8 = 3;
}

/// Kinds of things in any other namespace.
mod inner {
    pub(crate) const CLASS: u8 = 0;
    pub(crate) const NAMESPACE: u8 = 1;
    pub(crate) const VARIABLE: u8 = 2;
}

impl Scopes {
    fn place_in_module(&self, one: &GlobalDecl) -> ModulePlace {
        let mut namespaces = vec![];
        let mut at = Some(one.scope);
        while let Some(id) = at {
            let scope = &self[id];
            if scope.kind == ScopeKind::Namespace && id != ScopeId(0) {
                namespaces.push(id.0);
            }
            at = scope.parent;
        }
        let mut place: ModulePlace = namespaces.iter().rev().map(|id| (inner::NAMESPACE, *id)).collect();
        if let Some((first, _)) = place.first_mut() {
            *first = outermost::NAMESPACE;
        }
        place.push(match (one.class, place.is_empty()) {
            (Some(class), true) => (outermost::CLASS, class.0),
            (Some(class), false) => (inner::CLASS, class.0),
            (None, true) => (outermost::VARIABLE, one.ast.span.lo),
            (None, false) => (inner::VARIABLE, one.ast.span.lo),
        });
        place.push((0, one.ast.span.lo));
        place
    }
}

impl Declarations {
    /// Places of all variables, by their numbers.
    pub(crate) fn variable_places(&self, scopes: &Scopes, program: &Output) -> Vec<ModulePlace> {
        let unnamed = |at: u32| vec![(outermost::UNNAMED, at)];
        let all = program.variables().iter().enumerate();
        let mut places: Vec<ModulePlace> = all
            .map(|(at, one)| match one.name.is_empty() {
                true => unnamed(at as u32),
                false => vec![(outermost::VARIABLE, one.span.lo)],
            })
            .collect();
        for one in self.globals() {
            if let Some(Ok(VariableId(at))) = one.variable {
                places[at as usize] = scopes.place_in_module(one);
            }
        }
        places
    }
}

impl Checker<'_> {
    /// Marks the constants of namespaces and classes, which are the host's as much as the device's. What cannot be computed here
    /// is the host's alone.
    pub(crate) fn keep_constants(&mut self) {
        self.complete_classes();
        for at in 0..self.declarations.globals().len() {
            let one = &self.declarations.globals()[at];
            let specifiers = &one.ast.specifiers;
            let placed = specifiers
                .device()
                .or(specifiers.constant())
                .or(specifiers.shared())
                .or(specifiers.managed());
            let plain = placed.is_none();
            let constant = specifiers.is_constexpr.is_some() || is_const(&one.ast.ty);
            let (span, known) = (one.ast.span, one.variable);
            if !plain
                || !constant
                || !one.arguments.is_empty()
                || self.messages.ours(span)
                || known == Some(Err(()))
            {
                continue;
            }
            let (found, errors) = self.tried(|this| this.global_variable(GlobalId(at as u32), span));
            if let Some(id) = found
                && errors.is_empty()
                && self.program[id].init.is_some()
                && self.program.referred(self.program[id].ty).is_none()
            {
                self.program[id].visible = true;
            }
        }
    }

    /// Lays out the classes that have constants as members, used or not; a template's only where something asked for them.
    fn complete_classes(&mut self) {
        for at in 0..self.classes.count() {
            let one = &self.classes[RecordId(at as u32)];
            let members = one.ast.iter().flat_map(|ast| ast.members.iter().flatten());
            let constants = one.template.is_none() && members.clone().any(is_constant_member);
            if constants && !self.messages.ours(one.span) {
                self.tried(|this| this.complete_record(RecordId(at as u32)));
            }
        }
    }
}

fn is_constant_member(one: &ast::Declaration) -> bool {
    matches!(&one.kind, ast::DeclarationKind::Variable(one) if one.specifiers.is_static.is_some())
}

/// Whether a type is written `const`, or an array of such.
fn is_const(ty: &ast::Type) -> bool {
    match &ty.kind {
        ast::TypeKind::Array(of, _) => ty.qualifiers.constant || is_const(of),
        _ => ty.qualifiers.constant,
    }
}
