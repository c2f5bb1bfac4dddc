//! Templates of classes, aliases and variables, as declared.
//!
//! Enters: templates. Leaves: these, by their numbers. This module must never know how arguments are found.

use std::rc::Rc;

use crate::ast;
use crate::check::context::index::by_number;
use crate::check::names::entity::{TemplateDecl, TemplateId};
use crate::hash::Map;
use crate::hir::Type;

/// Templates of classes, aliases and variables.
pub(crate) struct Templates {
    all: Vec<TemplateDecl>,
    /// Whether some template of a class takes templates as arguments.
    takes_templates: bool,
    /// Types that stand for any, to compare templates.
    marker_types: Vec<Type>,
    /// Templates that stand for any.
    marker_templates: Vec<TemplateId>,
    /// Definitions of templates that were declared before.
    redeclared: Map<TemplateId, (Rc<ast::Template>, u32)>,
    /// Later declarations of class templates that have defaults, with their [order](crate::check::names::entity::Entry::order).
    defaulted: Map<TemplateId, (Rc<ast::Template>, u32)>,
}

impl Templates {
    pub(crate) fn new() -> Self {
        Self {
            all: vec![],
            takes_templates: false,
            marker_types: vec![],
            marker_templates: vec![],
            redeclared: Map::default(),
            defaulted: Map::default(),
        }
    }
    pub(crate) fn iter(&self) -> std::slice::Iter<'_, TemplateDecl> {
        self.all.iter()
    }

    /// Number of the next template.
    pub(crate) fn next(&self) -> TemplateId {
        TemplateId(self.all.len() as u32)
    }

    pub(crate) fn add(&mut self, one: TemplateDecl) {
        self.all.push(one);
    }

    /// Whether some template takes templates as arguments.
    pub(crate) fn takes_templates(&self) -> bool {
        self.takes_templates
    }

    pub(crate) fn note_takes_templates(&mut self, takes: bool) {
        self.takes_templates |= takes;
    }

    pub(crate) fn replace_takes_templates(&mut self, takes: bool) -> bool {
        std::mem::replace(&mut self.takes_templates, takes)
    }

    /// How many types there are that stand for any.
    pub(crate) fn markers(&self) -> usize {
        self.marker_types.len()
    }

    pub(crate) fn marker(&self, at: usize) -> Type {
        self.marker_types[at]
    }

    pub(crate) fn add_marker(&mut self, ty: Type) {
        self.marker_types.push(ty);
    }

    /// How many templates there are that stand for any.
    pub(crate) fn marker_templates(&self) -> usize {
        self.marker_templates.len()
    }

    pub(crate) fn marker_template(&self, at: usize) -> TemplateId {
        self.marker_templates[at]
    }

    pub(crate) fn add_marker_template(&mut self, one: TemplateDecl) {
        self.marker_templates.push(self.next());
        self.add(one);
    }

    /// Whether a template represents any.
    pub(crate) fn is_marker(&self, id: TemplateId) -> bool {
        self.marker_templates.contains(&id)
    }

    /// The definition of a template that was declared before.
    pub(crate) fn redeclared(&self, id: TemplateId) -> Option<(Rc<ast::Template>, u32)> {
        self.redeclared.get(&id).cloned()
    }

    pub(crate) fn note_redeclared(&mut self, id: TemplateId, one: (Rc<ast::Template>, u32)) {
        self.redeclared.insert(id, one);
    }

    /// A later declaration of a class template that has defaults.
    pub(crate) fn defaulted(&self, id: TemplateId) -> Option<(Rc<ast::Template>, u32)> {
        self.defaulted.get(&id).cloned()
    }

    pub(crate) fn note_defaulted(&mut self, id: TemplateId, one: (Rc<ast::Template>, u32)) {
        self.defaulted.insert(id, one);
    }
}

by_number!(Templates, all, TemplateId, TemplateDecl);
