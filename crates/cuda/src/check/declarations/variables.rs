//! Declarations of variables outside of functions.
//!
//! Enters: a variable of a namespace, or a static member, as it is written. Leaves: its entity, and its definition once.

use crate::ast;
use crate::check::Checker;
use crate::check::context::declarations::Declarations;
use crate::check::context::scopes::Scopes;
use crate::check::names::entity::{Entity, GlobalDecl, Outside, ScopeId, ScopeKind};
use crate::check::names::find::Want;
use crate::check::names::lookup::key;
use std::rc::Rc;

impl Declarations {
    /// Makes a declaration the definition of a variable that was declared `extern`.
    fn define_global(
        &mut self,
        scope: ScopeId,
        symbol: &str,
        ast: &Rc<ast::Variable>,
        around: ScopeId,
        scopes: &Scopes,
    ) -> bool {
        let known = scopes[scope].names.get(symbol).and_then(|entries| {
            entries.iter().find_map(|entry| match entry.entity {
                Entity::Global(id) => Some(id),
                _ => None,
            })
        });
        let Some(id) = known else { return false };
        let only_declares =
            |ast: &ast::Variable| ast.specifiers.is_extern.is_some() && ast.initializer.is_none();
        let one = &mut self[id];
        if only_declares(ast) {
            return true;
        }
        if only_declares(&one.ast) && one.definition.is_none() {
            one.definition = Some((Rc::clone(ast), around));
            return true;
        }
        false
    }
}

impl Checker<'_> {
    /// Enters a variable of a namespace or a static member.
    pub(crate) fn declare_global(&mut self, ast: &Rc<ast::Variable>, headers: Vec<Rc<ast::Template>>) {
        let Some(name) = &ast.name else { return };
        let Some(symbol) = name.last().and_then(|last| key(&last.id)) else { return };
        if name.segments.len() > 1 || name.global {
            if let Some(of) = self.template_of_prefix(name, &headers) {
                let one = Outside::Variable(symbol, Rc::clone(ast), headers);
                self.templates.add_outside(of, one);
            } else if let Some(scope) = self.scope_defined_in(name) {
                match self.scopes[scope].kind {
                    ScopeKind::Class(record) => {
                        if headers.last().is_some_and(|header| header.parameters.is_empty()) {
                            self.specialise_member(scope, &symbol, ast);
                            return;
                        }
                        let one = Outside::Variable(symbol, Rc::clone(ast), headers);
                        self.classes.add_outside((record, one));
                    }
                    _ => {
                        let here = self.scopes.current();
                        self.declarations.define_global(scope, &symbol, ast, here, &self.scopes);
                    }
                }
            }
            return;
        }
        if let Some(function) = self.function_by_alias(ast, name) {
            return self.declare_function(&Rc::new(function), None, vec![], false);
        }
        if self.declarations.define_global(
            self.scopes.current(),
            &symbol,
            ast,
            self.scopes.current(),
            &self.scopes,
        ) {
            return;
        }
        let class = match self.scopes[self.scopes.current()].kind {
            ScopeKind::Class(record) => Some(record),
            _ => None,
        };
        let id = self.declarations.add_global(GlobalDecl {
            ast: Rc::clone(ast),
            definition: None,
            scope: self.scopes.current(),
            class,
            arguments: vec![],
            variable: None,
            order: self.scopes.order(),
        });

        self.enter_name(symbol, Entity::Global(id), name.span);
    }

    /// `callback first;`, where `callback` is an alias of a function's type: a function's declaration.
    fn function_by_alias(&mut self, ast: &ast::Variable, name: &ast::Name) -> Option<ast::Function> {
        if ast.initializer.is_some() || self.scopes[self.scopes.current()].kind != ScopeKind::Namespace {
            return None;
        }
        let mut target = Rc::clone(&ast.ty);
        let ty = loop {
            let of = match &target.kind {
                ast::TypeKind::Function(ty) => break Rc::clone(ty),
                ast::TypeKind::Name(of) if of.segments.len() == 1 && !of.global => of,
                _ => return None,
            };
            let symbol = of.last().and_then(|last| key(&last.id))?;
            let Some(Entity::Alias(id)) = self.find(&symbol, Want::Type, of.span) else { return None };
            target = Rc::clone(&self.declarations[id].ast.target);
        };
        Some(ast::Function {
            kind: ast::FunctionKind::Ordinary,
            name: name.clone(),
            specifiers: ast.specifiers.clone(),
            ty,
            is_virtual_like: None,
            is_pure: false,
            is_noexcept: false,
            requires: None,
            body: ast::FunctionBody::None,
            span: ast.span,
        })
    }
}
