//! Launches in host code: the instances of kernels that they name.
//!
//! Enters: bodies of host functions that launch templates. Leaves: instances, as nvcc makes them, so that the module has the
//! kernels that the host asks it for. What cannot be understood is the host's alone, and no error: only declarations with plain
//! types, constants, launches as statements, and calls of host templates that may launch are looked at. This module must never know what else host code does.

use std::rc::Rc;

use crate::ast::{
    self, Condition, Declaration, DeclarationKind, Expr, ExprKind, FunctionBody, Initializer, Statement,
    StatementKind,
};
use crate::diagnostic::Diagnostic;
use crate::hash::Set;
use crate::options::INSTANCES;
use crate::source::Span;

use crate::check::Checker;
use crate::check::calls::callee::Callee;
use crate::check::calls::overload::NoMatch;
use crate::check::context::declarations::Declarations;
use crate::check::context::frame::Frame;
use crate::check::context::messages::Messages;
use crate::check::context::output::Output;
use crate::check::expressions::operand::{FunctionSet, Operand};
use crate::check::names::entity::{Argument, DeclId, Entity, FunctionDecl, ScopeId, ScopeKind};
use crate::check::names::find::Want;
use crate::check::types::kind::plain;

/// Instances of host templates that are looked at: one may call itself with ever other arguments.
const MOST_HOST_INSTANCES: usize = 256;

impl Declarations {
    /// The message that a template argument is missing after this many, if it has no default.
    fn missing_argument(&self, decl: DeclId, said: usize) -> Option<String> {
        let template = self[decl].template.as_ref()?;
        let missing = template.parameters.get(said).filter(|one| !one.pack)?;
        let default = match &missing.kind {
            ast::TemplateParameterKind::Type { default }
            | ast::TemplateParameterKind::Template { default } => default.is_some(),
            ast::TemplateParameterKind::Value { default, .. } => default.is_some(),
        };
        let name = missing.name.as_ref().map_or("", |name| &name.symbol);
        (!default).then(|| format!("missing template argument for `{name}`"))
    }
}

impl Declarations {
    /// Whether a function of the source is the host's, and neither a method nor a lambda.
    fn is_host(&self, decl: DeclId, messages: &Messages<'_>) -> bool {
        let one = &self[decl];
        one.ast.specifiers.is_host_alone()
            && one.closure.is_none()
            && one.class.is_none()
            && !messages.ours(one.ast.span)
    }

    /// Lists the functions that the host has and no kernel.
    pub(crate) fn list_host_functions(&self, program: &mut Output, messages: &Messages<'_>) {
        let defined = |of: &ast::Function| {
            let evaluated = of.specifiers.is_constexpr.is_some() || of.specifiers.is_consteval.is_some();
            matches!(of.body, FunctionBody::Defined(_)) && !evaluated
        };
        let own = (0..self.functions().len()).filter(|at| self.is_host(DeclId(*at as u32), messages));
        let found = own.filter_map(|at| {
            let one = &self.functions()[at];
            let own = defined(&one.ast).then_some(&one.ast);
            let ast = own.or(one.definition.as_ref().map(|of| &of.ast).filter(|ast| defined(ast)))?;
            let written = messages.position(ast.span.lo).is_none_or(|at| at.file.name != INSTANCES);
            written.then(|| (ast.span.lo, crate::check::names::lookup::spelled(&ast.name)))
        });
        let mut found: Vec<_> = found.collect();
        crate::sort::by_key(&mut found, |(at, _)| *at);
        let mut told = Set::default();
        let names = found.into_iter().map(|(_, name)| name);
        let names = names.filter(|name| told.insert(name.clone())).collect();
        program.set_host_functions(names);
    }

    fn may_launch(&self, decl: DeclId, messages: &Messages<'_>) -> bool {
        let one = &self[decl];
        let ast = one.definition.as_ref().map_or(&one.ast, |definition| &definition.ast);
        self.has_launch(ast.span, messages)
    }

    /// Whether a text launches a kernel, or names an instance of one, as for `cudaLaunchCooperativeKernel`.
    pub(crate) fn has_launch(&self, span: Span, messages: &Messages<'_>) -> bool {
        let text = messages.text(span);
        let kernels = self.functions().iter().filter(|one| is_kernel_template(one));
        let mut names = kernels.map(|one| messages.text(one.ast.name.span));
        text.contains("<<<") || names.any(|name| !name.is_empty() && text.contains(&format!("{name}<")))
    }

    /// The declaration of a host template that has its body: the types of its parameters, which may be the host's alone, are not
    /// looked at.
    fn with_body(&self, decl: DeclId, messages: &Messages<'_>) -> DeclId {
        let one = &self[decl];
        let defined = |one: &FunctionDecl| matches!(one.ast.body, FunctionBody::Defined(_));
        if defined(one) || one.definition.is_some() {
            return decl;
        }
        let shape = |one: &FunctionDecl| {
            let template = one.template.as_ref().map(|template| template.parameters.len());
            (template, one.ast.ty.parameters.len(), one.scope, one.class)
        };
        let name = |one: &FunctionDecl| messages.text(one.ast.name.span);
        let same =
            |other: &FunctionDecl| defined(other) && shape(other) == shape(one) && name(other) == name(one);
        self.functions().iter().position(same).map_or(decl, |at| DeclId(at as u32))
    }
}

impl Checker<'_> {
    /// Instantiates the templates of kernels that host functions launch.
    pub(crate) fn instantiate_launched(&mut self) {
        if !self.declarations.functions().iter().any(is_kernel_template) {
            return;
        }
        let by_classes = self.templates.class_templates_may_launch(&self.declarations, &self.messages);
        let through = by_classes
            || (0..self.declarations.functions().len()).any(|at| {
                let decl = DeclId(at as u32);
                self.declarations.is_host(decl, &self.messages)
                    && self.declarations.functions()[at].template.is_some()
                    && self.declarations.may_launch(decl, &self.messages)
            });
        for at in 0..self.declarations.functions().len() {
            let decl = DeclId(at as u32);
            if self.declarations.is_host(decl, &self.messages)
                && self.declarations.functions()[at].template.is_none()
                && !self.has_template(decl)
                && (through || self.declarations.may_launch(decl, &self.messages))
            {
                self.launches_of(decl, None);
            }
        }
        self.launches_of_classes(by_classes);
        for one in self.launches.take_unmade() {
            self.messages.report(one);
        }
    }

    /// Looks at a host function, or at an instance of a host template with the scope of its arguments.
    fn launches_of(&mut self, decl: DeclId, instance: Option<ScopeId>) {
        let one = &self.declarations[decl];
        let (ast, scope, order) = match &one.definition {
            Some(definition) => (Rc::clone(&definition.ast), definition.scope, definition.order),
            None => (Rc::clone(&one.ast), one.scope, one.order),
        };
        let scope = instance.unwrap_or(scope);
        self.in_host_frame(scope, order, |this| this.host_body(&ast));
    }

    /// Looks at something of the host's with names of a scope visible.
    pub(crate) fn in_host_frame(&mut self, scope: ScopeId, order: u32, look: impl FnOnce(&mut Self)) {
        let uid = self.body.next_frame();
        let outer = std::mem::replace(&mut self.frame, Frame::new(uid, None));
        let before = self.launches.look_for(true);
        self.tried(|this| this.at(scope, order, |this| this.in_host_block(look)));
        self.launches.look_for(before);
        self.frame = outer;
    }

    /// Looks at something with a block's scope of its own.
    pub(crate) fn in_host_block(&mut self, look: impl FnOnce(&mut Self)) {
        let uid = self.frame.uid();
        let inner = self.scopes.add(self.scopes.current(), ScopeKind::Block(uid));
        self.within(inner, look);
    }

    /// Parameters and statements of a host function.
    pub(crate) fn host_body(&mut self, ast: &ast::Function) {
        let FunctionBody::Defined(body) = ast.body else { return };
        let Some(body) = self.tree.body(body, self.messages.sink()) else { return };
        for parameter in &ast.ty.parameters {
            if let Some(symbol) = &parameter.name {
                self.host_variable(&symbol.symbol, &parameter.ty, parameter.span);
            }
        }
        body.block.statements.iter().for_each(|one| self.host_statement(one));
    }

    fn host_block(&mut self, statements: &[&Statement]) {
        self.in_host_block(|this| statements.iter().for_each(|one| this.host_statement(one)));
    }

    fn host_statement(&mut self, one: &Statement) {
        if !self.enter(one.span) {
            self.leave();
            return;
        }
        match &one.kind {
            StatementKind::Expression(expr) | StatementKind::Return(Some(expr)) => self.host_launch(expr),
            StatementKind::Declaration(all) => all.iter().for_each(|one| self.host_declaration(one)),
            StatementKind::Block(block) | StatementKind::Try(block, _) => {
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

    pub(crate) fn host_declaration(&mut self, one: &Declaration) {
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
                if let Some(Initializer::Equals(expr)) = &ast.initializer {
                    self.host_launch(expr);
                }
                if !known {
                    let made = match &ast.initializer {
                        Some(Initializer::Equals(Expr { kind: ExprKind::Construct(ty, _), .. }))
                            if Self::has_auto(&ast.ty) =>
                        {
                            ty
                        }
                        _ => &ast.ty,
                    };
                    self.host_variable(&symbol, made, name.span);
                }
            }
            DeclarationKind::Alias(_) | DeclarationKind::Using(_) | DeclarationKind::UsingNamespace(_) => {
                self.declaration_statement(one, &mut vec![]);
            }
            _ => {}
        }
    }

    /// A variable whose value no one asks for: all that counts is its type.
    fn host_variable(&mut self, symbol: &ast::Symbol, ty: &ast::Type, span: Span) {
        let (ty, _) = self.tried(|this| if Self::has_auto(ty) { None } else { this.resolve_type(ty) });
        let entity = match ty {
            Some(ty) if !self.program.is_void(ty) && !self.program.is_function_kind(ty) => {
                self.launches.note_host_class(ty, &self.classes, &self.program);
                let local = self.local(Rc::clone(&symbol.0), ty, span);
                Entity::Local(self.frame.uid(), local)
            }
            _ => Entity::Error,
        };
        self.enter_name(symbol.clone(), entity, span);
    }

    /// Instances of kernels that an expression names.
    fn host_names(&mut self, expr: &Expr) {
        let mut names = vec![];
        crate::check::names::walk::Walk {
            name: &mut |name| names.push(name.clone()),
            this: &mut || {},
            packs: false,
        }
        .expr(expr);
        for name in names {
            if name.last().is_none_or(|last| last.arguments.is_none()) {
                continue;
            }
            let (named, _) = self.tried(|this| this.resolve_name(&name, Want::Any));
            let Some(named) = named else { continue };
            let (Entity::Functions(decls, _), Some(given)) = (named.entity, named.arguments) else {
                continue;
            };
            let kernel = |decl: &DeclId| is_kernel_template(&self.declarations[*decl]);
            let decls: Vec<DeclId> = decls.into_iter().filter(kernel).collect();
            self.host_kernel(&name, decls, given);
        }
    }

    /// Instance of a kernel's template, of which all arguments are said.
    fn host_kernel(&mut self, name: &ast::Name, decls: Vec<DeclId>, given: Vec<Argument>) {
        let Some(first) = decls.first().copied() else { return };
        let parameters = self.declarations[first].ast.ty.parameters.len();
        let operands: Vec<Operand> =
            (0..parameters).map(|at| self.parameter_for(first, &given, at, name.span)).collect();
        let set = host_set(name, decls, given, name.span);
        match self.resolve(&set, &operands, true) {
            Ok(Callee::Decl(decl, arguments, signature)) => {
                self.launched_instance(decl, &arguments, &signature, name.span);
            }
            Err(NoMatch::None(failures)) if !failures.is_empty() => {
                self.launches.note_unfit(failures.into_iter().next().map(|one| one.why.to_string()));
            }
            _ => self.launches.note_unfit(self.declarations.missing_argument(first, set.arguments.len())),
        }
    }

    fn launched_instance(
        &mut self,
        decl: DeclId,
        arguments: &[Argument],
        signature: &Rc<crate::check::names::entity::Signature>,
        span: Span,
    ) {
        let Some(id) = self.instance(decl, arguments, signature, span) else { return };
        if !self.program.is_kernel(&id) {
            self.program.note_kernel(id);
        }
        if let Some(place) = self.messages.position(span.lo).filter(|place| place.file.name == INSTANCES) {
            let symbol = self.program[id].symbol.clone();
            self.program.note_asked(place.line, symbol);
        }
    }

    /// A launch of a kernel's template, or a call of a host template. Of a launch that stands for an instance which was asked
    /// for by its name, it is noted why it cannot be made.
    fn host_launch(&mut self, expr: &Expr) {
        let asked = self.messages.position(expr.span.lo).filter(|place| place.file.name == INSTANCES);
        let Some(line) = asked.map(|place| place.line) else { return self.look_at_launch(expr) };
        self.launches.take_unfit();
        let (_, errors) = self.tried(|this| this.look_at_launch(expr));
        if self.program.is_asked(line) {
            return;
        }
        let name = self.messages.text(expr.span).split("<<<").next().unwrap_or_default().to_owned();
        let kernel = name.split('<').next().unwrap_or_default().rsplit(':').next().unwrap_or_default();
        let named =
            self.declarations.functions().iter().find(|one| self.messages.text(one.ast.name.span) == kernel);
        let span = named.map_or(Span::NOWHERE, |one| one.ast.name.span);
        let error = errors.into_iter().next();
        let (why, help) = match (error, self.launches.take_unfit()) {
            (Some(error), _) => (error.message, error.help),
            (None, Some(why)) => (why, None),
            (None, None) => ("it is not a template of a kernel".to_owned(), None),
        };
        let message = format!("there is no instance `{name}`: {why}");
        self.launches.note_unmade(Diagnostic { help, ..Diagnostic::warning("instance", span, message) });
    }

    fn look_at_launch(&mut self, expr: &Expr) {
        self.host_names(expr);
        let (callee, arguments, launch) = match &expr.kind {
            ExprKind::Launch { callee, arguments, .. } => (callee, arguments, true),
            ExprKind::Call(callee, arguments) => (callee, arguments, false),
            _ => return,
        };
        let mut callee = &**callee;
        while let ExprKind::Parentheses(inner) = &callee.kind {
            callee = inner;
        }
        let ExprKind::Name(name) = &callee.kind else { return };
        let named = match launch {
            true => self.resolve_name(name, Want::Any),
            false => self.tried(|this| this.resolve_name(name, Want::Any)).0,
        };
        let Some(named) = named else { return };
        let Entity::Functions(decls, _) = named.entity else { return };
        let wanted = |decl: &DeclId| {
            let one = &self.declarations[*decl];
            let kind = if launch {
                one.ast.specifiers.global().is_some()
            } else {
                self.declarations.is_host(*decl, &self.messages)
            };
            one.template.is_some() && kind
        };
        let decls: Vec<DeclId> = decls.into_iter().filter(wanted).collect();
        let Some(first) = decls.first().copied() else { return };
        let given = named.arguments.unwrap_or_default();
        let all = arguments.iter().enumerate();
        let operands: Vec<Operand> =
            all.map(|(at, one)| self.host_argument(one, first, &given, at)).collect();
        let alone = decls.len() == 1;
        let set = host_set(name, decls, given, callee.span);
        match self.resolve(&set, &operands, true) {
            Ok(Callee::Decl(decl, arguments, signature)) if launch => {
                self.launched_instance(decl, &arguments, &signature, callee.span);
            }
            Ok(Callee::Decl(decl, arguments, _)) => self.host_instance(decl, arguments),
            // Types of its parameters may be the host's alone.
            Err(_) if !launch && alone => {
                let all = self.declarations[first].template.as_ref().map(|one| one.parameters.len());
                if all == Some(set.arguments.len()) {
                    self.host_instance(first, set.arguments);
                }
            }
            _ => {}
        }
    }

    /// Looks at an instance of a host template, once.
    fn host_instance(&mut self, decl: DeclId, arguments: Vec<Argument>) {
        let decl = self.declarations.with_body(decl, &self.messages);
        let one = &self.declarations[decl];
        let (Some(template), parent) = (one.template.clone(), one.scope) else { return };
        let instance = (decl, arguments);
        if !self.launches.note_instance(instance.clone(), MOST_HOST_INSTANCES) {
            return;
        }
        let scope = self.bind(&template.parameters, &instance.1, parent);
        self.launches_of(decl, Some(scope));
    }

    fn host_argument(&mut self, one: &Expr, decl: DeclId, given: &[Argument], at: usize) -> Operand {
        // Members of the object are named like variables around the method.
        if let ExprKind::Member { object, member, .. } = &one.kind
            && matches!(object.kind, ExprKind::This)
        {
            let kind = ExprKind::Name(member.clone());
            return self.host_argument(&Expr { kind, span: one.span }, decl, given, at);
        }
        // Of a class that is made only its type counts.
        if let ExprKind::Construct(ty, _) = &one.kind {
            let (found, errors) = self.tried(|this| this.resolve_type(ty));
            return match found {
                Some(found) if errors.is_empty() => self.program.stand_in(plain(found), one.span),
                _ => self.parameter_for(decl, given, at, one.span),
            };
        }
        if let ExprKind::Member { object, member, .. } = &one.kind
            && let Some(ty) = self.host_member(object, member)
        {
            return self.program.stand_in(ty, one.span);
        }
        let (operand, errors) = match self.is_known(one) {
            true => self.tried(|this| this.expr(one)),
            false => (Operand::Error(one.span), vec![]),
        };
        match operand.is_error() || !errors.is_empty() {
            true => self.parameter_for(decl, given, at, one.span),
            false => operand,
        }
    }

    /// Whether an expression has nothing that the host alone has: no calls, and no variables outside of functions but constants.
    fn is_known(&mut self, expr: &Expr) -> bool {
        if !is_plain(expr) {
            return false;
        }
        let mut names = vec![];
        crate::check::names::walk::Walk {
            name: &mut |name| names.push(name.clone()),
            this: &mut || {},
            packs: false,
        }
        .expr(expr);
        !names.iter().any(|name| match self.resolve_quietly(name, Want::Any) {
            Some(Entity::Global(id)) => {
                let one = &self.declarations[id].ast;
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
        given: &[crate::check::names::entity::Argument],
        at: usize,
        span: Span,
    ) -> Operand {
        let one = &self.declarations[decl];
        let (ast, scope, template) = (Rc::clone(&one.ast), one.scope, one.template.clone());
        let (Some(template), Some(parameter)) = (template, ast.ty.parameters.get(at)) else {
            return Operand::Error(span);
        };
        let scope = self.bind(&template.parameters, given, scope);
        let (ty, _) = self.tried(|this| this.within(scope, |this| this.resolve_type(&parameter.ty)));
        match ty {
            Some(ty) => {
                let ty = plain(self.program.decayed(ty));
                self.program.stand_in(ty, span)
            }
            None => Operand::Error(span),
        }
    }
}

/// Whether a function is a template of kernels.
fn is_kernel_template(one: &FunctionDecl) -> bool {
    one.template.is_some() && one.ast.specifiers.global().is_some()
}

fn host_set(name: &ast::Name, decls: Vec<DeclId>, arguments: Vec<Argument>, span: Span) -> FunctionSet {
    let name = crate::check::names::lookup::spelled(name);
    FunctionSet { arguments, ..FunctionSet::of(name, decls, span) }
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
