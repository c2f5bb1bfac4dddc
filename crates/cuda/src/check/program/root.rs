//! What the program is made of: kernels, device functions, explicit instantiations.
//!
//! Enters: the functions that were declared. Leaves: instances. This module must never know bodies.

use std::rc::Rc;

use crate::ast::{self, FunctionBody, Symbol};
use crate::diagnostic::Diagnostic;
use crate::hir::{FunctionId, Type};
use crate::source::Span;

use crate::check::Checker;
use crate::check::context::declarations::Declarations;
use crate::check::context::messages::Messages;
use crate::check::context::output::Output;
use crate::check::names::entity::{DeclId, Definition, Entity, ScopeId};
use crate::check::names::lookup::key;
use crate::check::types::kind::plain;

impl Declarations {
    /// Whether a function is a template of device code: what the host alone instantiates is none of ours.
    fn is_device_template(&self, decl: DeclId) -> bool {
        let one = &self[decl];
        let specifiers = &one.ast.specifiers;
        let device = specifiers.device().is_some() || specifiers.global().is_some();
        let constant = specifiers.is_constexpr.is_some();
        one.template.is_some() && (device || constant)
    }
}

impl Messages<'_> {
    /// A default is said once.
    fn check_defaults(&mut self, first: DeclId, second: DeclId, declarations: &Declarations) {
        let (first, second) = (Rc::clone(&declarations[first].ast), Rc::clone(&declarations[second].ast));
        for (a, b) in first.ty.parameters.iter().zip(&second.ty.parameters) {
            if let (Some(before), Some(again)) = (&a.default, &b.default) {
                self.report(
                    crate::diagnostic::Diagnostic::error(
                        "default",
                        again.span,
                        "redefinition of default argument",
                    )
                    .related(before.span, "previous definition is here")
                    .help("write it only in the first declaration"),
                );
            }
        }
    }
}

impl Declarations {
    fn is_operator_of_numbers(&self, decl: DeclId, params: &[crate::hir::Type], program: &Output) -> bool {
        let one = &self[decl];
        let operator = one.ast.name.last().is_some_and(|last| matches!(last.id, ast::Id::Operator(_)));
        operator
            && one.class.is_none()
            && !params.iter().any(|ty| {
                let ty = program.without_reference(*ty);
                program.record_of(ty).is_some() || program.enum_of(ty).is_some()
            })
    }
}

impl Checker<'_> {
    pub(crate) fn check_kernel(&mut self, id: FunctionId, ast: &Rc<ast::Function>) {
        let signature = Rc::clone(&self.instances[id].signature);
        let result = signature.result;
        if result.is_none_or(|ty| !self.program.is_void(ty)) {
            self.messages.error_help(
                "kernel",
                ast.ty.result.span,
                "a kernel must return `void`",
                "write `__global__ void`, and store results through a pointer",
            );
        }
        if signature.this.is_some() || self.declarations[self.instances[id].decl].class.is_some() {
            self.messages.error("kernel", ast.name.span, "a kernel cannot be a member of a class");
        }
        for (ty, (at, _)) in signature.params.iter().zip(&signature.written) {
            let Some(parameter) = ast.ty.parameters.get(*at) else { continue };
            if self.program.referred(*ty).is_some() && !self.has_main() {
                let message = "a kernel parameter that is a reference refers to host memory, unless what is passed is managed";
                self.messages.report(
                    Diagnostic::warning("kernel", parameter.span, message)
                        .help("pass the value itself, or a pointer to device memory"),
                );
            }
        }
        if ast.ty.variadic {
            self.messages.error_help(
                "kernel",
                ast.name.span,
                "a kernel cannot be variadic",
                "pass an array in device memory and the number of its elements",
            );
        }
    }

    /// Whether the source has the host's side with what is passed to kernels.
    fn has_main(&self) -> bool {
        let main = self.scopes[ScopeId(0)].names.iter().find(|(name, _)| &**name == "main");
        main.is_some_and(|(_, entries)| entries.iter().any(|one| matches!(one.entity, Entity::Functions(..))))
    }

    /// Checks what the program is made of: kernels, and for their errors device functions. What is the host's too waits.
    pub(crate) fn check_roots(&mut self) {
        for decl in self.declarations.roots() {
            if self.declarations[decl].ast.specifiers.host().is_none() {
                self.check_root(decl);
            }
        }
        for (declaration, scope, order) in self.declarations.explicit() {
            self.at(scope, order, |this| this.instantiate_explicitly(&declaration));
        }
        self.check_variables();
        for (definition, scope) in self.declarations.specialised() {
            self.check_specialisation(&definition, scope);
        }
    }

    /// Checks functions of both sides that no device function has called: the host may use in them what it alone has.
    pub(crate) fn check_unreached(&mut self) {
        self.messages.set_unreached(true);
        for decl in self.declarations.roots() {
            if self.declarations[decl].ast.specifiers.host().is_some() {
                self.check_root(decl);
            }
        }
        self.drain();
        self.messages.set_unreached(false);
    }

    /// Checks one function of the device.
    fn check_root(&mut self, decl: DeclId) {
        let one = &self.declarations[decl];
        let ours = self.messages.ours(one.ast.name.span);
        let device = one.ast.specifiers.device().is_some() || one.ast.specifiers.global().is_some();
        if !ours && device {
            self.check_declaration(&Rc::clone(&self.declarations[decl].ast));
        }
        let one = &self.declarations[decl];
        if ours || !device || one.template.is_some() || self.has_template(decl) {
            return;
        }
        self.merge_name(decl);
        if let Some(first) = self.declarations[decl].repeats {
            self.messages.check_defaults(first, decl, &self.declarations);
            return;
        }
        let defined = matches!(self.declarations[decl].ast.body, FunctionBody::Defined(_))
            || self.declarations[decl].definition.is_some();
        let Some(signature) = self.signature(decl, &[]) else { return };
        let span = self.declarations[decl].ast.name.span;
        if self.declarations.is_operator_of_numbers(decl, &signature.params, &self.program) {
            self.messages.error_help(
                "operator",
                span,
                "an overloaded operator must have at least one parameter of class or enumeration type",
                "the operators of numbers and pointers cannot be redefined: write a function with a name",
            );
            return;
        }
        if !defined {
            return;
        }
        if let Some(id) = self.instance(decl, &[], &signature, span)
            && self.program[id].kernel
        {
            self.program.note_kernel(id);
        }
    }

    /// Reports names that stand for two types in one scope; of the library's own, another may take the name.
    pub(crate) fn check_repeated_types(&mut self) {
        for (scope, symbol) in self.declarations.take_repeated_types() {
            self.check_repeated_type(scope, &symbol);
        }
    }

    fn check_repeated_type(&mut self, scope: ScopeId, symbol: &Symbol) {
        let entries = self.scopes[scope].names.get(symbol).unwrap_or_default().to_vec();
        let mut first: Option<(Type, Span)> = None;
        for entry in entries {
            let library = matches!(entry.entity, Entity::Alias(_)) && self.messages.ours(entry.span);
            let Some(ty) = self.entity_type(&entry.entity).filter(|_| !library) else { continue };
            match first {
                Some((known, place)) if known != ty => {
                    self.messages.tell_twice(symbol, place, entry.span);
                    return;
                }
                _ => first = first.or(Some((ty, entry.span))),
            }
        }
    }

    /// What no declaration of a function may have.
    fn check_declaration(&mut self, ast: &ast::Function) {
        let mut defaulted = false;
        for parameter in &ast.ty.parameters {
            if Self::has_auto(&parameter.ty) {
                self.messages.error_help(
                    "auto",
                    parameter.span,
                    "a function parameter cannot be `auto`",
                    "write `template <class T>` before the function, and `T`",
                );
            }
            if defaulted
                && parameter.default.is_none()
                && !matches!(parameter.ty.kind, ast::TypeKind::Pack(_))
            {
                self.messages.error_help(
                    "default",
                    parameter.span,
                    "missing default argument on this parameter: one before it has one",
                    "give it a default too, or put the parameters with defaults last",
                );
                return;
            }
            defaulted |= parameter.default.is_some();
        }
    }

    pub(crate) fn merge_name(&mut self, decl: DeclId) {
        let one = &self.declarations[decl];
        let Some(symbol) = one.ast.name.last().and_then(|last| key(&last.id)) else { return };
        let all: Vec<DeclId> = self.scopes[one.scope]
            .names
            .get(&symbol)
            .into_iter()
            .flatten()
            .flat_map(|entry| match &entry.entity {
                Entity::Functions(decls, _) => decls.clone(),
                _ => vec![],
            })
            .collect();
        self.merge_repeats(&all);
    }

    /// An explicit specialisation of a kernel is a kernel of the program.
    pub(crate) fn check_specialisation(&mut self, definition: &Definition, scope: ScopeId) {
        if definition.ast.specifiers.global().is_none() {
            return;
        }
        let ast = Rc::clone(&definition.ast);
        self.at(scope, definition.order, |this| this.instantiate_function(&ast));
    }

    pub(crate) fn instantiate_explicitly(&mut self, declaration: &ast::Declaration) {
        match &declaration.kind {
            ast::DeclarationKind::Function(ast) => self.instantiate_function(ast),
            ast::DeclarationKind::Class(class) => {
                if let Some(name) = &class.name {
                    let ty = ast::Type {
                        kind: ast::TypeKind::Name(name.clone()),
                        qualifiers: ast::Qualifiers::default(),
                        span: name.span,
                    };
                    if let Some(ty) = self.resolve_type(&ty) {
                        self.complete(ty);
                        self.export_methods(ty);
                    }
                }
            }
            _ => {}
        }
    }

    /// Whether this side has instances of a template.
    fn is_instantiated_here(&self, decl: DeclId) -> bool {
        match self.side.is_host() {
            false => self.declarations.is_device_template(decl),
            true => self.declarations[decl].template.is_some(),
        }
    }

    /// Instantiates the template that a declaration names, for the types of its parameters.
    pub(crate) fn instantiate_function(&mut self, ast: &Rc<ast::Function>) {
        let Some(named) = self.resolve_name(&ast.name, crate::check::names::find::Want::Any) else { return };
        let Entity::Functions(decls, _) = named.entity else { return };
        let decls: Vec<DeclId> = decls.into_iter().filter(|decl| self.is_instantiated_here(*decl)).collect();
        if decls.is_empty() {
            return;
        }
        let mut operands = vec![];
        for parameter in &ast.ty.parameters {
            let Some(ty) = self.resolve_type(&parameter.ty) else { return };
            let ty = plain(self.program.decayed(ty));
            if self.program.is_void(ty) {
                continue;
            }
            operands.push(self.program.stand_in(ty, parameter.span));
        }
        let set = crate::check::expressions::operand::FunctionSet {
            arguments: named.arguments.unwrap_or_default(),
            ..crate::check::expressions::operand::FunctionSet::of(
                crate::check::names::lookup::spelled(&ast.name),
                decls,
                ast.name.span,
            )
        };
        match self.resolve(&set, &operands, true) {
            Ok(crate::check::calls::callee::Callee::Decl(decl, arguments, signature)) => {
                let Some(id) = self.instance(decl, &arguments, &signature, ast.name.span) else { return };
                if self.program[id].kernel && !self.program.is_kernel(&id) {
                    self.program.note_kernel(id);
                }
                if self.unit.exports() {
                    self.program.note_exported(id);
                }
            }
            Ok(_) => {}
            // Which device function is meant may be reported by what it returns; where it is called, it is made anyway.
            Err(_) if ast.specifiers.global().is_none() => {}
            Err(why) => self.tell_no_match(&set.name.clone(), &operands, ast.name.span, why),
        }
    }
}
