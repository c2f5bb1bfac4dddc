//! Which body a function has: its declaration's, one outside of its class, or a specialisation's.
//!
//! Enters: a declaration and its template arguments. Leaves: the definition. This module must never know what the body does.

use crate::ast::{self, FunctionBody, FunctionKind, Symbol};
use crate::check::Checker;
use crate::check::context::declarations::Declarations;
use crate::check::context::messages::Messages;
use crate::check::names::entity::{Argument, DeclId, Definition, FunctionDecl, Outside, ScopeId, Signature};
use crate::check::names::lookup::key;
use crate::check::types::kind::plain;
use crate::hir::RecordId;
use std::rc::Rc;

impl Declarations {
    /// Whether a function may be called in a kernel.
    pub(crate) fn for_device(&self, decl: DeclId, messages: &Messages<'_>) -> bool {
        let one = &self[decl];
        one.closure.is_some()
            || one.ast.specifiers.for_device()
            || one.definition.as_ref().is_some_and(|definition| definition.ast.specifiers.for_device())
            || matches!(one.ast.body, FunctionBody::Defaulted)
            || messages.ours(one.ast.name.span)
    }

    /// Whether the host may not call a function: it is declared for the device alone.
    pub(crate) fn for_device_alone(&self, decl: DeclId, messages: &Messages<'_>) -> bool {
        let one = &self[decl];
        let of = |ast: &crate::ast::Function| {
            let specifiers = &ast.specifiers;
            let constant = specifiers.is_constexpr.is_some() || specifiers.is_consteval.is_some();
            specifiers.device().is_some() && specifiers.host().is_none() && !constant
        };
        of(&one.ast) && one.closure.is_none() && !messages.ours(one.ast.name.span)
    }
}

impl Checker<'_> {
    /// Signature of a function that is not a template. Types that only the host knows are no error.
    pub(crate) fn signature_if_known(&mut self, decl: DeclId) -> Option<Rc<Signature>> {
        if self.declarations.for_device(decl, &self.messages) {
            return self.signature(decl, &[]);
        }
        let found = self.trial(|this| this.signature(decl, &[]));
        if found.is_none() {
            // Where it is called, it is reported.
            self.instances.forget_signatures(decl);
        }
        found
    }

    /// Whether two declarations of one name are of one function.
    pub(crate) fn same_function(&mut self, a: DeclId, b: DeclId) -> bool {
        let (one, other) = (&self.declarations[a], &self.declarations[b]);
        // What a class defines as a friend is of the namespace around.
        let scope = |one: &FunctionDecl| match one.hidden {
            true => self.scopes.nearest_namespace(one.scope),
            false => one.scope,
        };
        if scope(one) != scope(other) || one.class != other.class {
            return false;
        }
        match (one.template.clone(), other.template.clone()) {
            (None, None) => {
                if self.has_template(a) || self.has_template(b) {
                    return false;
                }
                let (Some(x), Some(y)) = (self.signature_if_known(a), self.signature_if_known(b)) else {
                    return false;
                };
                let conversion = self.declarations[a].ast.kind == FunctionKind::Conversion;
                x.params == y.params
                    && x.this == y.this
                    && x.reference == y.reference
                    && (!conversion || x.result == y.result)
            }
            (Some(x), Some(y)) => {
                let kinds = x.parameters.len() == y.parameters.len()
                    && x.parameters.iter().zip(&y.parameters).all(|(x, y)| {
                        x.pack == y.pack && Self::is_type_parameter(x) == Self::is_type_parameter(y)
                    });
                let open = |this: &Self, decl: DeclId| {
                    !matches!(this.declarations[decl].ast.body, FunctionBody::Defined(_))
                };
                if !kinds || !(open(self, a) || open(self, b)) {
                    return false;
                }
                let markers = self.markers(&x.parameters);
                let (Some(x), Some(y)) = (self.signature(a, &markers), self.signature(b, &markers)) else {
                    return false;
                };
                x.params == y.params && x.result == y.result && x.this == y.this
            }
            _ => false,
        }
    }

    /// Definition of a function: as written, the scope for its names, and its template.
    pub(crate) fn definition_of(
        &mut self,
        decl: DeclId,
        arguments: &[Argument],
    ) -> Option<(Rc<ast::Function>, ScopeId, u32)> {
        let one = &self.declarations[decl];
        let order = one.order;
        // Where it is used, the definition may not be visible yet.
        if one.class.is_none()
            && one.definition.is_none()
            && !matches!(one.ast.body, FunctionBody::Defined(_))
        {
            self.merge_name(decl);
        }
        self.enter_host_specialisations(decl);
        if let Some((ast, scope, order)) = self.specialisation_of(decl, arguments) {
            return Some((ast, scope, order));
        }
        if let Some(found) = self.outside_definition(decl, arguments, true) {
            return Some(found);
        }
        let one = &self.declarations[decl];
        if matches!(one.ast.body, FunctionBody::Defined(_)) || one.closure.is_some() {
            let ast = Rc::clone(&one.ast);
            let scope = self.signature(decl, arguments)?.scope;
            return Some((ast, scope, order));
        }
        if let Some(definition) = one.definition.clone() {
            let scope = match &definition.template {
                Some(template) => self.bind(&template.parameters, arguments, definition.scope),
                None => definition.scope,
            };
            return Some((definition.ast, scope, definition.order));
        }
        self.outside_definition(decl, arguments, false)
    }

    /// Notes that a special member which a class has declared is `= default` outside of it.
    pub(crate) fn default_outside(&mut self, record: RecordId, ast: &Rc<ast::Function>, symbol: &Symbol) {
        if !matches!(ast.body, FunctionBody::Defaulted) {
            return;
        }
        let scope = self.classes[record].scope;
        let mut decls = self.classes[record].constructors.clone();
        decls.extend(self.classes[record].destructor);
        for entry in self.scopes[scope].names.get(symbol).unwrap_or_default() {
            if let crate::check::names::entity::Entity::Functions(all, _) = &entry.entity {
                decls.extend(all.iter().copied());
            }
        }
        for decl in decls {
            let one = &self.declarations[decl].ast;
            if one.kind != ast.kind || !matches!(one.body, FunctionBody::None) || kinds(one) != kinds(ast) {
                continue;
            }
            let defaulted = ast::Function { body: FunctionBody::Defaulted, ..(**one).clone() };
            self.declarations[decl].ast = Rc::new(defaulted);
            if ast.kind == ast::FunctionKind::Destructor {
                self.classes[record].destructor = None;
            }
        }
    }

    /// Whether a special member that a class declares is `= default` outside of it.
    pub(crate) fn is_defaulted_outside(
        &self,
        record: RecordId,
        ast: &ast::Function,
        symbol: &Symbol,
    ) -> bool {
        if !matches!(ast.body, FunctionBody::None) || ast.kind == ast::FunctionKind::Conversion {
            return false;
        }
        let is = |one: &Outside| match one {
            Outside::Function(name, definition) => {
                name == symbol
                    && matches!(definition.ast.body, FunctionBody::Defaulted)
                    && kinds(&definition.ast) == kinds(ast)
            }
            Outside::Variable(..) | Outside::Class(..) => false,
        };
        self.classes.defined_outside(record, &self.templates, &self.scopes).into_iter().any(is)
    }

    /// Definition of a method outside of its class: of the class alone, or also of the template that made it.
    fn outside_definition(
        &mut self,
        decl: DeclId,
        arguments: &[Argument],
        own: bool,
    ) -> Option<(Rc<ast::Function>, ScopeId, u32)> {
        let one = &self.declarations[decl];
        let record = one.class?;
        let symbol = one.ast.name.last().and_then(|last| key(&last.id))?;
        let named = |outside: &Outside| match outside {
            Outside::Function(name, definition) if *name == symbol => Some(definition.clone()),
            _ => None,
        };
        let all: Vec<Definition> = match own {
            true => self.classes.outside(record).filter_map(named).collect(),
            false => {
                let all = self.classes.defined_outside(record, &self.templates, &self.scopes);
                all.into_iter().filter_map(named).collect()
            }
        };
        for definition in all {
            if let Some(scope) = self.defines(decl, record, &definition, arguments) {
                return Some((definition.ast, scope, definition.order));
            }
        }
        None
    }

    /// Explicit specialisation of a function template for arguments.
    fn specialisation_of(
        &mut self,
        decl: DeclId,
        arguments: &[Argument],
    ) -> Option<(Rc<ast::Function>, ScopeId, u32)> {
        if arguments.is_empty() {
            return None;
        }
        let all = self.declarations[decl].specialisations.clone();
        let signature = self.signature(decl, arguments)?;
        for one in all {
            let params = self.trial(|this| {
                this.at(one.scope, one.order, |this| {
                    let mut params = vec![];
                    for parameter in &one.ast.ty.parameters {
                        let ty = this.resolve_type(&parameter.ty)?;
                        params.push(plain(this.program.decayed(ty)));
                    }
                    if params.len() == 1 && params.first().is_some_and(|ty| this.program.is_void(*ty)) {
                        params.clear();
                    }
                    let mut given = vec![];
                    if let Some(list) = one.ast.name.last().and_then(|last| last.arguments.clone()) {
                        for argument in list.iter() {
                            this.template_arguments_into(argument, &mut given)?;
                        }
                    }
                    let result = &one.ast.ty.result;
                    let result = if Self::has_auto(result) { None } else { Some(this.resolve_type(result)?) };
                    Some((params, given, result))
                })
            });
            let Some((params, given, result)) = params else { continue };
            // `template <> int f(int)` and `template <> float f(int)` specialise for what they return.
            if result.is_some_and(|result| signature.result.is_some_and(|wanted| result != wanted)) {
                continue;
            }
            let mut flat = vec![];
            crate::check::names::entity::flatten(arguments, &mut flat);
            let explicit =
                given.iter().zip(&flat).all(|(a, b)| crate::check::names::entity::same_argument(a, b));
            if explicit && params == signature.params {
                return Some((one.ast, one.scope, one.order));
            }
        }
        None
    }

    /// Whether a definition outside of a class is that of a method; the scope for its names.
    fn defines(
        &mut self,
        decl: DeclId,
        record: crate::hir::RecordId,
        definition: &Definition,
        arguments: &[Argument],
    ) -> Option<ScopeId> {
        if definition.ast.ty.parameters.len() != self.declarations[decl].ast.ty.parameters.len()
            || definition.ast.ty.constant != self.declarations[decl].ast.ty.constant
            || definition.ast.ty.reference != self.declarations[decl].ast.ty.reference
            || definition.ast.kind != self.declarations[decl].ast.kind
        {
            return None;
        }
        let conversion = definition.ast.kind == FunctionKind::Conversion;
        let members = self.classes[record].scope;
        let mut scope = self.headers_scope(record, &definition.headers, members);
        if let Some(template) = &definition.template {
            self.declarations[decl].template.as_ref()?;
            scope = self.bind(&template.parameters, arguments, scope);
        }
        let signature = self.signature(decl, arguments)?;
        let (params, result) = self.trial(|this| {
            this.at(scope, definition.order, |this| {
                let mut params = vec![];
                let result =
                    if conversion { this.resolve_type(&definition.ast.ty.result) } else { signature.result };
                for parameter in &definition.ast.ty.parameters {
                    for ty in this.parameter_types(&parameter.ty, None)? {
                        if !this.program.is_void(ty) {
                            params.push(ty);
                        }
                    }
                }
                Some((params, result))
            })
        })?;
        (params == signature.params && result == signature.result).then_some(scope)
    }
}

/// Parameters of special members: which of them are references, and of which kind.
fn kinds(one: &ast::Function) -> Vec<std::mem::Discriminant<ast::TypeKind>> {
    one.ty.parameters.iter().map(|one| std::mem::discriminant(&one.ty.kind)).collect()
}
