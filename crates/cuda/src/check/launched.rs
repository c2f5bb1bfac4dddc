//! Launches in host code: the instances of kernels that they name.
//!
//! Enters: bodies of host functions that launch templates. Leaves: instances, as nvcc makes them, so that the module has the
//! kernels that the host asks it for. What cannot be understood is the host's alone, and no error: only declarations with plain
//! types, constants, and launches as statements are looked at. This module must never know what else host code does.

use std::rc::Rc;

use crate::ast::{
    self, Condition, Declaration, DeclarationKind, Expr, ExprKind, FunctionBody, Initializer, Statement,
    StatementKind,
};
use crate::source::Span;

use super::entity::{DeclId, Entity, ScopeKind};
use super::lookup::Want;
use super::operand::{FunctionSet, Operand};
use super::overload::Callee;
use super::ty::plain;
use super::{Checker, Frame};

impl Checker<'_> {
    /// Instantiates the templates of kernels that host functions launch.
    pub(super) fn instantiate_launched(&mut self) {
        if !self.decls.iter().any(|one| one.template.is_some() && one.ast.specifiers.global().is_some()) {
            return;
        }
        for at in 0..self.decls.len() {
            let decl = DeclId(at as u32);
            let one = &self.decls[at];
            let specifiers = &one.ast.specifiers;
            let host = specifiers.device().is_none() && specifiers.global().is_none();
            let plain = one.template.is_none() && one.closure.is_none() && one.class.is_none();
            if host && plain && !self.has_template(decl) && !self.ours(one.ast.span) {
                self.launches_of(decl);
            }
        }
    }

    fn launches_of(&mut self, decl: DeclId) {
        let one = &self.decls[decl.index()];
        let (ast, scope, order) = match &one.definition {
            Some(definition) => (Rc::clone(&definition.ast), definition.scope, definition.order),
            None => (Rc::clone(&one.ast), one.scope, one.order),
        };
        let FunctionBody::Defined(body) = ast.body else { return };
        if !self.sources.text(ast.span).contains("<<<") {
            return;
        }
        self.frames += 1;
        let outer = std::mem::replace(&mut self.frame, Frame { uid: self.frames, ..Frame::default() });
        self.tried(|this| {
            let Some(body) = this.tree.body(body, this.sink) else { return };
            let uid = this.frame.uid;
            let inner = this.new_scope(scope, ScopeKind::Block(uid));
            this.at(inner, order, |this| {
                for parameter in &ast.ty.parameters {
                    if let Some(symbol) = &parameter.name {
                        this.host_variable(&symbol.symbol, &parameter.ty, parameter.span);
                    }
                }
                body.block.statements.iter().for_each(|one| this.host_statement(one));
            });
        });
        self.frame = outer;
    }

    fn host_block(&mut self, statements: &[&Statement]) {
        let uid = self.frame.uid;
        let inner = self.new_scope(self.scope, ScopeKind::Block(uid));
        self.within(inner, |this| statements.iter().for_each(|one| this.host_statement(one)));
    }

    fn host_statement(&mut self, one: &Statement) {
        if !self.enter(one.span) {
            self.leave();
            return;
        }
        match &one.kind {
            StatementKind::Expression(expr) => self.host_launch(expr),
            StatementKind::Declaration(all) => all.iter().for_each(|one| self.host_declaration(one)),
            StatementKind::Block(block) | StatementKind::Try(block) => {
                self.host_block(&block.statements.iter().collect::<Vec<_>>());
            }
            StatementKind::If(one) => {
                let init = one.init.iter().chain([&one.then]);
                self.host_block(&init.collect::<Vec<_>>());
                if let Some(otherwise) = &one.otherwise {
                    self.host_block(&[otherwise]);
                }
            }
            StatementKind::For(one) => self.host_block(&[&one.init, &one.body]),
            StatementKind::RangeFor(one) => self.host_block(&[&one.body]),
            StatementKind::While {
                body,
                condition: Condition::Expression(_) | Condition::Variable(_),
                ..
            }
            | StatementKind::DoWhile { body, .. }
            | StatementKind::Switch { body, .. } => self.host_block(&[body]),
            StatementKind::Case { statement, .. }
            | StatementKind::Default(statement)
            | StatementKind::Label(_, statement) => self.host_statement(statement),
            _ => {}
        }
        self.leave();
    }

    fn host_declaration(&mut self, one: &Declaration) {
        match &one.kind {
            DeclarationKind::Variable(ast) => {
                let Some((name, symbol)) =
                    ast.name.as_ref().and_then(|name| Some((name, name.simple()?.clone())))
                else {
                    return;
                };
                let constant = ast.specifiers.is_constexpr.is_some() || ast.ty.qualifiers.constant;
                let value = match &ast.initializer {
                    Some(Initializer::Equals(expr)) => self.is_known(expr),
                    Some(Initializer::Parentheses(all, _)) => all.iter().all(|one| self.is_known(one)),
                    Some(Initializer::Braces(list)) => {
                        list.elements.iter().all(|one| self.is_known(&one.value))
                    }
                    None => false,
                };
                let known = value && (constant || Self::has_auto(&ast.ty)) && {
                    let (done, errors) = self.tried(|this| {
                        let mut statements = vec![];
                        this.declare_local(ast, &mut statements);
                        !statements.is_empty()
                    });
                    done && errors.is_empty()
                };
                if !known {
                    self.host_variable(&symbol, &ast.ty, name.span);
                }
            }
            DeclarationKind::Alias(_) | DeclarationKind::Using(_) | DeclarationKind::UsingNamespace(_) => {
                self.declaration_statement(one, &mut vec![]);
            }
            _ => {}
        }
    }

    /// A variable whose value nobody asks for: all that counts is its type.
    fn host_variable(&mut self, symbol: &ast::Symbol, ty: &ast::Type, span: Span) {
        let (ty, _) = self.tried(|this| if Self::has_auto(ty) { None } else { this.resolve_type(ty) });
        let entity = match ty {
            Some(ty) if !self.is_void(ty) && !self.is_function_kind(ty) => {
                let local = self.local(Rc::clone(&symbol.0), ty, span);
                Entity::Local(self.frame.uid, local)
            }
            _ => Entity::Error,
        };
        self.enter_name(symbol.clone(), entity, span);
    }

    fn host_launch(&mut self, expr: &Expr) {
        let ExprKind::Launch { callee, arguments, .. } = &expr.kind else { return };
        let mut callee = &**callee;
        while let ExprKind::Parentheses(inner) = &callee.kind {
            callee = inner;
        }
        let ExprKind::Name(name) = &callee.kind else { return };
        let Some(named) = self.resolve_name(name, Want::Any) else { return };
        let Entity::Functions(decls, _) = named.entity else { return };
        let kernel = |decl: &DeclId| {
            let one = &self.decls[decl.index()];
            one.template.is_some() && one.ast.specifiers.global().is_some()
        };
        let decls: Vec<DeclId> = decls.into_iter().filter(kernel).collect();
        let Some(first) = decls.first().copied() else { return };
        let given = named.arguments.unwrap_or_default();
        let mut operands = vec![];
        for (at, one) in arguments.iter().enumerate() {
            let (operand, errors) = match self.is_known(one) {
                true => self.tried(|this| this.expr(one)),
                false => (Operand::Error(one.span), vec![]),
            };
            let operand = match operand.is_error() || !errors.is_empty() {
                true => self.parameter_for(first, &given, at, one.span),
                false => operand,
            };
            operands.push(operand);
        }
        let name = super::lookup::spelled(name).into();
        let set = FunctionSet {
            name,
            decls,
            builtin: false,
            arguments: given,
            by_arguments: false,
            object: None,
            span: callee.span,
        };
        if let Ok(Callee::Decl(decl, arguments, signature)) = self.resolve(&set, &operands, true)
            && let Some(id) = self.instance(decl, &arguments, &signature, callee.span)
            && !self.kernels.contains(&id)
        {
            self.kernels.push(id);
        }
    }

    /// Whether an expression has nothing that the host alone has: no calls, and no variables outside of functions but constants.
    fn is_known(&mut self, expr: &Expr) -> bool {
        if !is_plain(expr) {
            return false;
        }
        let mut names = vec![];
        super::walk::Walk { name: &mut |name| names.push(name.clone()), this: &mut || {}, packs: false }
            .expr(expr);
        !names.iter().any(|name| match self.resolve_quietly(name, Want::Any) {
            Some(Entity::Global(id)) => {
                let one = &self.globals[id.index()].ast;
                let constant = one.specifiers.is_constexpr.is_some() || one.ty.qualifiers.constant;
                !constant && one.specifiers.device().is_none()
            }
            _ => false,
        })
    }

    /// What stands for an argument that only the host can compute: a value of the parameter's type, where the arguments between
    /// the angles say what that is.
    fn parameter_for(
        &mut self,
        decl: DeclId,
        given: &[super::entity::Argument],
        at: usize,
        span: Span,
    ) -> Operand {
        let one = &self.decls[decl.index()];
        let (ast, scope, template) = (Rc::clone(&one.ast), one.scope, one.template.clone());
        let (Some(template), Some(parameter)) = (template, ast.ty.parameters.get(at)) else {
            return Operand::Error(span);
        };
        let scope = self.bind(&template.parameters, given, scope);
        let (ty, _) = self.tried(|this| this.within(scope, |this| this.resolve_type(&parameter.ty)));
        match ty {
            Some(ty) => {
                let ty = plain(self.decayed(ty));
                self.stand_in(ty, span)
            }
            None => Operand::Error(span),
        }
    }
}

/// Whether an expression has nothing that the host would have to do: no call, no class made.
fn is_plain(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Integer { .. }
        | ExprKind::Float { .. }
        | ExprKind::Character(_)
        | ExprKind::Bool(_)
        | ExprKind::Null
        | ExprKind::Name(_)
        | ExprKind::SizeofType(_) => true,
        ExprKind::Parentheses(of) | ExprKind::Unary(_, of) | ExprKind::Cast(_, _, of) => is_plain(of),
        ExprKind::Binary { left, right, .. } => is_plain(left) && is_plain(right),
        ExprKind::Index(left, right) => is_plain(left) && is_plain(right),
        ExprKind::Member { object, .. } => is_plain(object),
        ExprKind::Conditional(all) => all.iter().all(is_plain),
        _ => false,
    }
}
