//! Markers: arguments that are equal to nothing else, to compare templates with (partial ordering).
//!
//! Enters: parameters of a template. Leaves: a type, a value or a template for each. This module must never know what is compared.

use std::rc::Rc;

use crate::ast::{self, TemplateParameter, TemplateParameterKind};
use crate::check::Checker;
use crate::check::names::entity::{Argument, ScopeId, TemplateDecl, TemplateId, TemplateKind};
use crate::hash::Map;
use crate::hir::{Type, TypeKind};
use crate::source::Span;

/// Values of markers begin here, beyond those of all types.
const MARKER: i128 = 1 << 100;

impl Checker<'_> {
    /// Arguments that are equal to nothing else, to compare templates with.
    pub(crate) fn markers(&mut self, params: &[TemplateParameter]) -> Vec<Argument> {
        let mut all = vec![];
        for (at, param) in params.iter().enumerate() {
            let one = match &param.kind {
                TemplateParameterKind::Value { .. } => {
                    Argument::Value(self.program.basic().int, MARKER + at as i128)
                }
                TemplateParameterKind::Template { .. } => Argument::Template(self.marker_template(at)),
                TemplateParameterKind::Type { .. } => Argument::Type(self.marker(at)),
            };
            all.push(if param.pack { Argument::Pack(vec![one]) } else { one });
        }
        all
    }

    /// Those of parameters' markers that are of packs.
    pub(crate) fn pack_markers(&mut self, params: &[TemplateParameter]) -> Vec<Argument> {
        let mut all = vec![];
        for one in self.markers(params) {
            if let Argument::Pack(inner) = one {
                all.extend(inner);
            }
        }
        all
    }

    fn marker(&mut self, at: usize) -> Type {
        while self.templates.markers() <= at {
            let name = ast::Symbol::from("");
            let ty = self.new_record(name, "(a type)".to_owned(), false, ScopeId(0), Span::default());
            if let TypeKind::Record(id) = self.program.kind(ty) {
                let one = &mut self.classes[id];
                one.marker = true;
                one.completion = crate::check::names::entity::Completion::Complete;
                self.program[id].size = 1;
            }
            self.templates.add_marker(ty);
        }
        self.templates.marker(at)
    }

    /// A class template that takes any arguments and is equal to no other.
    fn marker_template(&mut self, at: usize) -> TemplateId {
        while self.templates.marker_templates() <= at {
            let declaration = ast::Declaration { kind: ast::DeclarationKind::Empty, span: Span::default() };
            self.templates.add_marker_template(TemplateDecl {
                name: ast::Symbol::from("(a template)"),
                ast: Rc::new(ast::Template { parameters: vec![], declaration, requires: None }),
                kind: TemplateKind::Class,
                class: None,
                scope: ScopeId(0),
                partials: vec![],
                instances: Map::default(),
                outside: vec![],
                order: 0,
                span: Span::default(),
            });
        }
        self.templates.marker_template(at)
    }

    pub(crate) fn is_marker(&self, value: i128) -> bool {
        value >= MARKER
    }

    /// The length of an array that a marker is: one that arrays of arrays may have too, and that no one writes.
    pub(crate) fn marker_length(&self, value: i128) -> Option<u64> {
        const FIRST: u64 = 65_521;
        let at = value.checked_sub(MARKER).and_then(|at| u64::try_from(at).ok())?;
        Some(FIRST + at)
    }
}
