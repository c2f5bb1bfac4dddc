//! Functions and variables of the namespace around that a block declares, and declarations that the host's side cannot keep.
//!
//! Enters: declarations in a function's body that define nothing. Leaves: their names in the block, as those of the namespace's own
//! functions and variables, whether these are declared before, after, or in another unit. This module must never know how either is
//! compiled.

use std::rc::Rc;

use crate::ast::{self, FunctionBody};
use crate::check::Checker;
use crate::check::names::entity::Entity;
use crate::check::names::lookup::{key, spelled};
use crate::side::HOST;
use crate::source::Span;

impl Checker<'_> {
    /// `int f(int);` in a function.
    pub(crate) fn declare_function_in_block(&mut self, ast: &Rc<ast::Function>) {
        let name = spelled(&ast.name);
        if !HOST || self.side.is_device() {
            return self.messages.error_help(
                "syntax",
                ast.span,
                format!(
                    "`{name}` is interpreted as a function declaration, which is not supported in a function"
                ),
                "for a variable, write its initialiser with `=` or in braces",
            );
        }
        if !matches!(ast.body, FunctionBody::None) {
            return self.messages.error_help(
                "syntax",
                ast.name.span,
                format!("a function cannot define another: `{name}` is defined in a function"),
                "move it before the function, or write a lambda",
            );
        }
        let Some(symbol) = ast.name.last().and_then(|last| key(&last.id)) else { return };
        if ast.ty.parameters.is_empty() && !self.messages.ours(ast.span) {
            let (ty, _) = self.tried(|this| this.resolve_type(&ast.ty.result));
            if ty.is_some_and(|ty| self.program.record_of(ty).is_some()) {
                self.messages.report(
                    crate::diagnostic::Diagnostic::warning(
                        "vexing-parse",
                        ast.span,
                        format!("empty parentheses make `{name}` a function declaration"),
                    )
                    .help("for a variable, leave them out, or write braces"),
                );
            }
        }
        let here = self.scopes.current();
        let namespace = self.scopes.nearest_namespace(here);
        self.within(namespace, |this| this.declare_function(ast, None, vec![], false));
        let entries = self.scopes[namespace].names.get(&symbol);
        let decls = entries.into_iter().flatten().find_map(|one| match &one.entity {
            Entity::Functions(decls, _) => Some(decls.clone()),
            _ => None,
        });
        let Some(decls) = decls else { return };
        self.merge_repeats(&decls);
        if let Some(last) = decls.last() {
            self.enter_function(here, symbol, *last, ast.name.span);
        }
    }

    /// `extern int x;` in a function; whether it could be declared.
    pub(crate) fn declare_outer(
        &mut self,
        ast: &Rc<ast::Variable>,
        symbol: &ast::Symbol,
        span: Span,
    ) -> Option<()> {
        let namespace = self.scopes.nearest_namespace(self.scopes.current());
        let entity = match self.scopes.variable_in(namespace, symbol) {
            Some(known) => known,
            None => {
                self.within(namespace, |this| this.declare_global(ast, vec![]));
                self.scopes.variable_in(namespace, symbol)?
            }
        };
        self.enter_name(symbol.clone(), entity, span);
        Some(())
    }

    /// Refuses functions that run before or after `main` by themselves.
    pub(crate) fn refuse_starters(&mut self, ast: &ast::Function) {
        if !HOST || self.side.is_device() {
            return;
        }
        for one in &ast.specifiers.attributes {
            if let ast::AttributeKind::Unknown(name) = &one.kind
                && matches!(name.trim_matches('_'), "constructor" | "destructor")
            {
                let help = "call it in `main`, or start a variable outside functions with it";
                self.messages.refuse(
                    one.span,
                    "functions that run before or after `main` by themselves are",
                    help,
                );
            }
        }
    }
}
