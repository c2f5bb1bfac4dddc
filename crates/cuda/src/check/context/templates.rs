//! Templates of classes, aliases and variables, as declared.
//!
//! Enters: templates. Leaves: these, by their numbers. This module must never know how arguments are found.

use std::rc::Rc;

use crate::ast;
use crate::check::names::entity::{TemplateDecl, TemplateId};
use crate::hash::Map;
use crate::hir::Type;

/// Templates of classes, aliases and variables.
pub(crate) struct Templates {
    pub(crate) all: Vec<TemplateDecl>,
    /// Whether some template of a class takes templates as arguments.
    pub(crate) takes_templates: bool,
    /// Types that stand for any, to compare templates.
    pub(crate) marker_types: Vec<Type>,
    /// Definitions of templates that were declared before.
    pub(crate) redeclared: Map<TemplateId, (Rc<ast::Template>, u32)>,
    /// Later declarations of class templates that have defaults, with their [order](crate::check::names::entity::Entry::order).
    pub(crate) defaulted: Map<TemplateId, (Rc<ast::Template>, u32)>,
}

impl Templates {
    pub(crate) fn new() -> Self {
        Self {
            all: vec![],
            takes_templates: false,
            marker_types: vec![],
            redeclared: Map::default(),
            defaulted: Map::default(),
        }
    }
}
