//! Explicit specialisations of functions, methods and static members.
//!
//! Enters: declarations after `template <>`. Leaves: definitions that go before those of the templates. This module must never
//! know how a template is instantiated.

use std::rc::Rc;

use crate::ast;

use crate::check::Checker;
use crate::check::names::entity::{DeclId, Definition, Entity, Outside, ScopeId, ScopeKind};
use crate::check::names::lookup::key;

impl Checker<'_> {
    /// Enters `template <> … f<int>(…)`.
    pub(crate) fn declare_specialisation(
        &mut self,
        ast: &Rc<ast::Function>,
        headers: Vec<Rc<ast::Template>>,
    ) {
        let definition = Definition {
            ast: Rc::clone(ast),
            scope: self.scopes.current(),
            template: None,
            headers,
            order: self.scopes.order(),
        };
        if ast.name.segments.len() > 1 && !ast.specifiers.for_device() {
            // Of a class that perhaps only the host can have: it is looked at where a kernel calls the method.
            self.declarations.add_host_specialised(definition);
        } else {
            self.enter_specialisation(definition);
        }
    }

    fn enter_specialisation(&mut self, mut definition: Definition) {
        let ast = Rc::clone(&definition.ast);
        if ast.name.segments.len() > 1
            && let Some(of) = self.template_of_prefix(&ast.name, &definition.headers)
        {
            if let Some(symbol) = ast.name.last().and_then(|last| key(&last.id)) {
                self.templates.add_outside(of, Outside::Function(symbol, definition));
            }
            return;
        }
        if ast.name.segments.len() > 1
            && ast.name.last().is_some_and(|last| last.arguments.is_none())
            && let Some(scope) = self.scope_of_prefix(&ast.name)
            && let ScopeKind::Class(record) = self.scopes[scope].kind
            && let Some(symbol) = ast.name.last().and_then(|last| key(&last.id))
        {
            // `template <> int S<int>::f()`: goes before what the class template has.
            self.classes.add_outside((record, Outside::Function(symbol, definition)));
            return;
        }
        if ast.name.segments.len() > 1
            && let Some(scope) = self.scope_of_prefix(&ast.name)
        {
            // `template <> template <> int S<int>::f<float>()`: what it names is the class's.
            definition.scope = scope;
        }
        match self.resolve_template_quietly(&ast.name) {
            Some(Entity::Functions(decls, _)) => {
                for decl in decls {
                    if self.declarations[decl].template.is_some() {
                        self.declarations[decl].specialisations.push(definition.clone());
                    }
                }
                self.declarations.add_specialised((definition, self.scopes.current()));
            }
            _ => {
                let text = self.messages.text(ast.name.span).to_owned();
                self.messages.error(
                    "template",
                    ast.name.span,
                    format!("no template named `{text}` to specialise"),
                );
            }
        }
    }

    /// Enters what waits because it is the host's, for a method that is called.
    pub(crate) fn enter_host_specialisations(&mut self, decl: DeclId) {
        let name = |ast: &ast::Function| ast.name.last().and_then(|last| key(&last.id));
        let method = &self.declarations[decl];
        if !self.declarations.has_host_specialised() || method.class.is_none() {
            return;
        }
        let symbol = name(&method.ast);
        let now = self.declarations.take_host_specialised(|one| name(&one.ast) == symbol);
        for one in now {
            self.at(one.scope, one.order, |this| this.enter_specialisation(one));
        }
    }

    /// `template <> const int S<int>::n = 3;`: takes the place of what the class template has.
    pub(crate) fn specialise_member(&mut self, scope: ScopeId, symbol: &str, ast: &Rc<ast::Variable>) {
        if let ScopeKind::Class(record) = self.scopes[scope].kind {
            self.complete_record(record);
        }
        let entries = self.scopes[scope].names.get(symbol);
        let known = entries.and_then(|entries| {
            entries.iter().find_map(|entry| match entry.entity {
                Entity::Global(id) => Some(id),
                _ => None,
            })
        });
        let Some(id) = known else {
            let message = format!("no static member named `{symbol}` in the class");
            self.messages.unknown_name(symbol.to_string(), ast.span, message);
            return;
        };
        let one = &mut self.declarations[id];
        one.ast = Rc::clone(ast);
        one.definition = None;
    }
}
