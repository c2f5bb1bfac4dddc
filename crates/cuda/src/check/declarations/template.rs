//! Templates of classes, aliases and variables as they are declared: new ones, definitions of those known, specialisations.
//!
//! Enters: templates with their declarations. Leaves: these, by their names. This module must never know what instantiates them.

use std::rc::Rc;

use crate::ast;
use crate::ast::Symbol;
use crate::check::Checker;
use crate::check::names::entity::{Entity, Outside, TemplateDecl, TemplateId, TemplateKind};
use crate::check::names::lookup::key;
use crate::hash::Map;
use crate::source::Span;

impl Checker<'_> {
    pub(super) fn new_template(
        &mut self,
        name: Symbol,
        ast: &Rc<ast::Template>,
        kind: TemplateKind,
        class: Option<Rc<ast::Class>>,
        span: Span,
    ) -> TemplateId {
        let id = self.templates.next();
        let takes =
            |one: &ast::TemplateParameter| matches!(one.kind, ast::TemplateParameterKind::Template { .. });
        self.templates.note_takes_templates(ast.parameters.iter().any(takes));
        self.templates.add(TemplateDecl {
            name: name.clone(),
            ast: Rc::clone(ast),
            kind,
            class,
            scope: self.scopes.current(),
            partials: vec![],
            instances: Map::default(),
            outside: vec![],
            order: self.scopes.order(),
            span,
        });
        self.enter_name(name, Entity::Template(id), span);
        id
    }

    pub(super) fn declare_class_template(
        &mut self,
        template: &Rc<ast::Template>,
        class: &Rc<ast::Class>,
        mut headers: Vec<Rc<ast::Template>>,
    ) {
        let Some(name) = &class.name else { return };
        let Some(last) = name.last() else { return };
        let Some(symbol) = key(&last.id) else { return };
        headers.push(Rc::clone(template));
        if last.arguments.is_none()
            && let Some(of) = self.template_of_prefix(name, &headers)
        {
            let one = Outside::Class(symbol, Rc::clone(class), headers, self.scopes.order());
            return self.templates.add_outside(of, one);
        }
        let scope = if name.segments.len() > 1 {
            self.scope_of_prefix(name).unwrap_or(self.scopes.current())
        } else {
            self.scopes.current()
        };
        if let Some(pattern) = &last.arguments {
            let Some(Entity::Template(id)) = self.resolve_template_quietly(name) else {
                if self.side.is_device() && self.is_in_std(name) {
                    // A template that only the host's headers have.
                    return;
                }
                self.messages.error(
                    "template",
                    name.span,
                    format!("no template named `{symbol}` to specialise"),
                );
                return;
            };
            if class.members.is_some() {
                self.templates.enter_partial(id, template, pattern, &self.scopes);
            }
            return;
        }
        let known = self.scopes.template_in(scope, &symbol);
        let body = class.members.is_some().then(|| Rc::clone(class));
        match known {
            Some(id) => {
                let has_default = |one: &ast::TemplateParameter| match &one.kind {
                    ast::TemplateParameterKind::Type { default } => default.is_some(),
                    ast::TemplateParameterKind::Value { default, .. } => default.is_some(),
                    _ => false,
                };
                if template.parameters.iter().any(has_default) {
                    self.templates.note_defaulted(id, (Rc::clone(template), self.scopes.order()));
                }
                let one = &mut self.templates[id];
                if body.is_some() {
                    one.class = body;
                    // The parameters' names in the body are those of the definition; defaults may be the declaration's.
                    self.templates.note_redeclared(id, (Rc::clone(template), self.scopes.order()));
                }
            }
            None => {
                self.new_template(symbol, template, TemplateKind::Class, body, name.span);
            }
        }
    }

    /// Whether a name is one of `std`, which is declared here or named before it.
    fn is_in_std(&self, name: &ast::Name) -> bool {
        match name.segments.as_slice() {
            [first, _, ..] => key(&first.id).is_some_and(|word| &*word == "std"),
            _ => self.std_scope() == Some(self.scopes.current()),
        }
    }

    pub(super) fn declare_variable_template(
        &mut self,
        template: &Rc<ast::Template>,
        variable: &Rc<ast::Variable>,
        mut headers: Vec<Rc<ast::Template>>,
    ) {
        let Some(name) = &variable.name else { return };
        let Some(last) = name.last() else { return };
        let Some(symbol) = key(&last.id) else { return };
        if name.segments.len() > 1 {
            headers.push(Rc::clone(template));
            self.declare_global(variable, headers);
        } else if let Some(pattern) = &last.arguments {
            if let Some(Entity::Template(id)) = self.resolve_template_quietly(name) {
                self.templates.enter_partial(id, template, pattern, &self.scopes);
            }
        } else {
            self.new_template(symbol, template, TemplateKind::Variable(Rc::clone(variable)), None, name.span);
        }
    }
}
