//! Declarations: what they enter into the scopes.
//!
//! Enters: declarations of namespaces, classes and blocks. Leaves: entries of scopes and rows of the checker's tables.
//! Nothing is looked at that a use may ask for later: no types, no initialisers, no bodies. This module must never know
//! how expressions are checked.

use std::rc::Rc;

use crate::ast::{self, Declaration, DeclarationKind, Ident, Name, Symbol};
use crate::diagnostic::Diagnostic;
use crate::hash::Map;
use crate::hir::{Record, Type, TypeKind};
use crate::source::Span;

use crate::check::context::declarations::Guide;
use crate::check::context::messages::Messages;
use crate::check::context::output::Output;
use crate::check::context::scopes::Scopes;
use crate::check::context::templates::Templates;
use crate::check::names::entity::{
    AliasDecl, Completion, DeclId, Definition, Entity, Entry, FunctionDecl, Outside, Partial, RecordInfo,
    ScopeId, ScopeKind, TemplateId, TemplateKind, Virtuals,
};
use crate::check::names::find::Want;
use crate::check::names::lookup::key;
use crate::check::{Checker, QUALIFIED, UNSUPPORTED};

impl Messages<'_> {
    /// Reports that a name means two things in one scope.
    pub(crate) fn tell_twice(&mut self, symbol: &Symbol, first: Span, span: Span) {
        let mut told = Diagnostic::error("redefinition", span, format!("redefinition of `{symbol}`"));
        // What the language itself declares is nowhere.
        if first != Span::default() {
            told = told.related(first, "previous definition is here");
        }
        self.report(told.help("rename one of them"));
    }

    /// Without its constraint, a template would be chosen where it must not be.
    fn refuse_constraint(&mut self, span: Span) {
        self.refuse(
            span,
            "C++20 constraints (`requires`) are",
            "write a `static_assert` in the template, or an overload for each type",
        );
    }

    pub(crate) fn line(&self, span: Span) -> u32 {
        self.position(span.lo).map_or(0, |place| place.line)
    }

    /// Keeps why a name cannot be used, to be reported where it is.
    pub(crate) fn keep_reasons(&mut self, span: Span, reasons: Vec<Diagnostic>) {
        self.note_reasons(span, reasons.into());
    }
}

impl Scopes {
    /// Whether the scope is in a function's body.
    pub(crate) fn in_function(&self) -> bool {
        matches!(self[self.current()].kind, ScopeKind::Block(_))
    }

    /// A type that a scope itself declares by a name.
    pub(crate) fn type_in(&self, scope: ScopeId, symbol: &str) -> Option<Type> {
        self[scope].names.get(symbol)?.iter().find_map(|entry| match entry.entity {
            Entity::Type(ty) => Some(ty),
            _ => None,
        })
    }

    /// The same is known from an earlier place on.
    pub(crate) fn known_from(&mut self, scope: ScopeId, symbol: &Symbol, order: u32) {
        let entries = self[scope].names.of(symbol);
        let types = entries.iter_mut().filter(|entry| matches!(entry.entity, Entity::Type(_)));
        types.for_each(|entry| entry.order = entry.order.min(order));
    }

    pub(crate) fn nearest_namespace(&self, mut scope: ScopeId) -> ScopeId {
        while self[scope].kind != ScopeKind::Namespace {
            match self[scope].parent {
                Some(parent) => scope = parent,
                None => break,
            }
        }
        scope
    }

    /// A variable that a namespace itself declares, wherever.
    pub(super) fn variable_in(&self, scope: ScopeId, symbol: &str) -> Option<Entity> {
        let entries = self[scope].names.get(symbol)?;
        entries.iter().map(|entry| &entry.entity).find(|one| matches!(one, Entity::Global(_))).cloned()
    }

    /// A template that a scope itself declares.
    pub(super) fn template_in(&self, scope: ScopeId, symbol: &str) -> Option<TemplateId> {
        self[scope].names.get(symbol)?.iter().find_map(|entry| match entry.entity {
            Entity::Template(id) => Some(id),
            _ => None,
        })
    }
}

impl Scopes {
    /// A name in a scope, with the names of namespaces and classes around it.
    pub(crate) fn qualified_name(&self, scope: ScopeId, name: &str, program: &Output) -> String {
        let mut text = name.to_owned();
        let mut at = Some(scope);
        while let Some(id) = at {
            let one = &self[id];
            let part = match one.kind {
                ScopeKind::Namespace if !one.inline => one.name.as_ref().map(|name| name.to_string()),
                ScopeKind::Class(record) => Some(program[record].name.to_string()),
                _ => None,
            };
            if let Some(part) = part.filter(|part| !part.is_empty()) {
                text = format!("{part}::{text}");
                if matches!(one.kind, ScopeKind::Class(_)) {
                    break;
                }
            }
            at = one.parent;
        }
        text
    }
}

impl Templates {
    /// Enters a specialisation of a class or variable template for arguments as written.
    pub(super) fn enter_partial(
        &mut self,
        id: TemplateId,
        template: &Rc<ast::Template>,
        pattern: &Rc<[ast::TemplateArgument]>,
        scopes: &Scopes,
    ) {
        self[id].partials.push(Partial {
            ast: Rc::clone(template),
            pattern: Rc::clone(pattern),
            scope: scopes.current(),
            order: scopes.order(),
            outside: vec![],
        });
    }
}

impl Checker<'_> {
    /// Enters declarations into the scope that names are looked up in now.
    pub(crate) fn declare_all(&mut self, list: &[Declaration]) {
        for one in list {
            if matches!(self.scopes[self.scopes.current()].kind, ScopeKind::Namespace) {
                // The library's declarations see each other in any order, and nothing of the source.
                self.scopes.begin_declaration(self.messages.ours(one.span));
            }
            self.declare(one);
        }
    }

    /// Enters a declaration.
    pub(crate) fn declare(&mut self, one: &Declaration) {
        match &one.kind {
            DeclarationKind::Namespace { name, inline, declarations } => {
                let scope = self.namespace(name.as_ref(), *inline);
                self.within(scope, |this| this.declare_all(declarations));
            }
            DeclarationKind::Linkage(declarations) => self.declare_all(declarations),
            DeclarationKind::Using(name) => self.declare_using(name),
            DeclarationKind::UsingNamespace(name) => self.use_namespace(name),
            DeclarationKind::NamespaceAlias(alias, name) => {
                let entity = match self.namespace_named(name, false) {
                    Some(scope) => Entity::Namespace(scope),
                    None => Entity::Host(name.span),
                };
                self.enter_name(alias.symbol.clone(), entity, alias.span);
            }
            DeclarationKind::Alias(alias) => {
                let id = self.declarations.add_alias(AliasDecl {
                    ast: Rc::clone(alias),
                    scope: self.scopes.current(),
                    ty: None,
                    order: self.scopes.order(),
                });
                self.enter_name(alias.name.symbol.clone(), Entity::Alias(id), alias.name.span);
                self.name_for_linkage(alias);
            }
            DeclarationKind::Class(class) => {
                self.messages.refuse_member_kernels(class);
                self.declare_class(class);
            }
            DeclarationKind::Enum(ast) => {
                self.declare_enum(ast);
            }
            DeclarationKind::Function(function) => {
                self.declare_function(function, None, vec![], false);
            }
            DeclarationKind::Variable(variable) => {
                self.declare_embedded(&variable.ty);
                self.declare_global(variable, vec![]);
            }
            DeclarationKind::StructuredBinding(binding) => {
                for name in &binding.names {
                    self.enter_name(name.symbol.clone(), Entity::Host(name.span), name.span);
                }
            }
            DeclarationKind::Template(template) => self.declare_template(template, vec![], false),
            DeclarationKind::ExplicitInstantiation { declaration, is_extern } => {
                if !is_extern {
                    self.declarations.add_explicit((
                        Rc::clone(declaration),
                        self.scopes.current(),
                        self.scopes.order(),
                    ));
                }
            }
            DeclarationKind::StaticAssert { condition, message } => {
                // What only the host's headers know is asserted on the host's side.
                if self.side.is_device() && names_std(condition) {
                    let (known, errors) = self.tried(|this| this.apart(|this| this.expr(condition)));
                    if known.is_error()
                        && errors.iter().any(|one| matches!(one.code, UNSUPPORTED | QUALIFIED))
                    {
                        return;
                    }
                }
                self.apart(|this| this.static_assert(condition, message.as_deref()));
            }
            DeclarationKind::Friend(declaration) => self.declare_friend(declaration),
            DeclarationKind::OpaqueHost(name, reasons) => self.declare_opaque(name.as_ref(), reasons),
            DeclarationKind::Asm => {
                self.messages.refuse(
                    one.span,
                    "assembly outside functions is",
                    "write it in the function that needs it",
                );
            }
            DeclarationKind::Access(_) | DeclarationKind::Empty | DeclarationKind::Error => {}
        }
    }

    /// `using namespace`.
    fn use_namespace(&mut self, name: &ast::Name) {
        if let Some(scope) = self.namespace_named(name, false) {
            let here = self.scopes.current();
            if !self.scopes[here].using.contains(&scope) {
                self.scopes[here].using.push(scope);
            }
        } else if self.scopes.in_function() {
            let text = self.messages.text(name.span).to_owned();
            let message = format!("no namespace named `{text}`");
            self.messages.unknown_name(text, name.span, message);
        }
    }

    /// Enters a name into the current scope.
    pub(crate) fn enter_name(&mut self, symbol: Symbol, entity: Entity, span: Span) {
        self.enter_in(self.scopes.current(), symbol, entity, span);
    }

    /// Enters a name into a scope; reports where it already means something else there.
    pub(crate) fn enter_in(&mut self, scope: ScopeId, symbol: Symbol, entity: Entity, span: Span) {
        let order = self.scopes.order();
        let kind = self.scopes[scope].kind;
        if let ScopeKind::Class(record) = kind
            && scope == self.scopes.current()
            && self.declarations.access() != ast::Access::Public
            && !matches!(entity, Entity::Functions(..))
        {
            self.classes[record].restricted.insert(symbol.clone(), self.declarations.access());
        }
        let entries = self.scopes[scope].names.of(&symbol);
        let clash = entries.iter().find(|old| match (&old.entity, &entity) {
            (Entity::Functions(..), Entity::Functions(..)) => false,
            // A class or enumeration may share its name with a function or variable.
            (
                Entity::Type(_),
                Entity::Functions(..) | Entity::Global(_) | Entity::Local(..) | Entity::Field(..),
            ) => false,
            (
                Entity::Functions(..) | Entity::Global(_) | Entity::Local(..) | Entity::Field(..),
                Entity::Type(_),
            ) => false,
            (Entity::Type(a), Entity::Type(b)) => a != b,
            // `namespace cg = cooperative_groups;` may be said again.
            (Entity::Namespace(a), Entity::Namespace(b)) => a != b,
            // So may `using std::cout;`.
            (Entity::Template(a), Entity::Template(b)) => a != b,
            (Entity::Global(a), Entity::Global(b)) => a != b,
            (Entity::Value(a), Entity::Value(b)) => !Rc::ptr_eq(a, b),
            (Entity::Alias(_), Entity::Alias(_) | Entity::Type(_)) | (Entity::Type(_), Entity::Alias(_)) => {
                false
            }
            (Entity::Host(_) | Entity::Error, _) | (_, Entity::Host(_) | Entity::Error) => false,
            _ => true,
        });
        let mut told = clash.map(|old| old.span);
        let value = matches!(entity, Entity::Local(..) | Entity::Static(_) | Entity::Binding(..));
        let ty = matches!(entity, Entity::Type(_) | Entity::Alias(_));
        if ty && entries.iter().any(|old| matches!(old.entity, Entity::Type(_) | Entity::Alias(_))) {
            self.declarations.add_repeated_type((scope, symbol.clone()));
        }
        // `typedef unsigned char uint;`: that of the library is for those who write none.
        let is_alias = matches!(entity, Entity::Alias(_));
        let hidden = entries.iter().position(|old| {
            is_alias && order > 0 && old.order == 0 && matches!(old.entity, Entity::Alias(_))
        });
        entries.insert(hidden.unwrap_or(entries.len()), Entry { entity, order, span });
        if value && let Some(head) = self.scopes[scope].head {
            let known = self.scopes[head].names.get(&symbol).and_then(|entries| entries.first());
            told = told.or(known
                .filter(|old| matches!(old.entity, Entity::Local(..) | Entity::Binding(..) | Entity::Pack(_)))
                .map(|old| old.span));
        }
        if let Some(first) = told
            && kind != ScopeKind::Template
        {
            self.messages.tell_twice(&symbol, first, span);
        }
    }

    /// Adds a function to those of its name in a scope.
    pub(crate) fn enter_function(&mut self, scope: ScopeId, symbol: Symbol, decl: DeclId, span: Span) {
        let entries = self.scopes[scope].names.of(&symbol);
        if let Some(Entry { entity: Entity::Functions(decls, _), .. }) =
            entries.iter_mut().find(|one| matches!(one.entity, Entity::Functions(..)))
        {
            if !decls.contains(&decl) {
                decls.push(decl);
            }
            return;
        }
        self.enter_in(scope, symbol, Entity::Functions(vec![decl], false), span);
    }

    /// The namespace of a name in the current scope, made where there is none.
    fn namespace(&mut self, name: Option<&Ident>, inline: bool) -> ScopeId {
        let symbol = name.map_or_else(|| Symbol::from(""), |name| name.symbol.clone());
        let here = self.scopes.current();
        if let Some(entries) = self.scopes[here].names.get(&symbol) {
            for entry in entries {
                if let Entity::Namespace(scope) = entry.entity {
                    return scope;
                }
            }
        }
        let scope = self.scopes.add(here, ScopeKind::Namespace);
        self.scopes[scope].name = Some(symbol.clone());
        if inline || name.is_none() {
            self.scopes[scope].inline = true;
            self.scopes[here].using.push(scope);
        }
        let span = name.map_or_else(Span::default, |name| name.span);
        self.enter_name(symbol, Entity::Namespace(scope), span);
        scope
    }

    /// Enters what could not be read.
    fn declare_opaque(&mut self, name: Option<&ast::Ident>, reasons: &Rc<[Diagnostic]>) {
        if let Some(name) = name {
            self.enter_name(name.symbol.clone(), Entity::Host(name.span), name.span);
            self.messages.note_reasons(name.span, Rc::clone(reasons));
        } else if self.side.is_host() {
            // Nothing could name it later.
            reasons.iter().for_each(|one| self.messages.report(one.clone()));
        }
    }

    fn declare_using(&mut self, name: &Name) {
        let Some(symbol) = name.last().and_then(|last| key(&last.id)) else { return };
        if let ScopeKind::Class(record) = self.scopes[self.scopes.current()].kind {
            self.using_member(record, name, symbol);
            return;
        }
        match self.resolve_quietly(name, Want::Any) {
            Some(Entity::Functions(decls, _)) => {
                for decl in decls {
                    self.enter_function(self.scopes.current(), symbol.clone(), decl, name.span);
                }
            }
            Some(entity) => self.enter_name(symbol, entity, name.span),
            None if self.scopes.in_function() => {
                let text = self.messages.text(name.span).to_owned();
                let message = format!("use of undeclared identifier `{text}`");
                self.messages.unknown_name(text, name.span, message);
            }
            None => self.enter_name(symbol, Entity::Host(name.span), name.span),
        }
    }

    /// Enters classes and enumerations whose bodies stand in a type: `struct S { … } x;`.
    pub(crate) fn declare_embedded(&mut self, ty: &ast::Type) {
        match &ty.kind {
            ast::TypeKind::Class(class) => {
                self.declare_class(class);
            }
            ast::TypeKind::Enum(ast) => {
                self.declare_enum(ast);
            }
            ast::TypeKind::Pointer(of)
            | ast::TypeKind::Reference(of)
            | ast::TypeKind::RvalueReference(of)
            | ast::TypeKind::Array(of, _) => self.declare_embedded(of),
            _ => {}
        }
    }

    /// New record without a definition.
    pub(crate) fn new_record(
        &mut self,
        name: Symbol,
        shown: String,
        union: bool,
        parent: ScopeId,
        span: Span,
    ) -> Type {
        let id = self.program.next_record();
        self.program.add_record(Record {
            name: shown.into(),
            fields: vec![],
            size: 0,
            align: 1,
            union,
            lambda: false,
            bytes_alone: false,
        });
        let scope = self.scopes.add(parent, ScopeKind::Class(id));
        self.classes.add(RecordInfo {
            name,
            ast: None,
            scope,
            completion: Completion::Declared,
            template: None,
            request: 0,
            partial: None,
            bases: vec![],
            dependent_bases: vec![],
            hidden_bases: vec![],
            restricted: Map::default(),
            constructors: vec![],
            conversions: vec![],
            destructor: None,
            defaults: Map::default(),
            marker: false,
            union,
            span,
            inherits: vec![],
            data_size: 0,
            pod: true,
            empty: true,
            aggregate: true,
            empties: vec![],
            hidden: vec![],
            closure: None,
            virtuals: Virtuals::default(),
            order: self.scopes.order(),
        });
        self.program.ty(TypeKind::Record(id))
    }

    /// Enters a class; its members wait.
    pub(crate) fn declare_class(&mut self, class: &Rc<ast::Class>) -> Option<Type> {
        let place = (Rc::as_ptr(class) as usize, self.scopes.current());
        if let Some(ty) = self.classes.embedded(&place) {
            return Some(*ty);
        }
        let ty = self.declare_class_anew(class)?;
        self.classes.note_embedded(place, ty);
        Some(ty)
    }

    fn declare_class_anew(&mut self, class: &Rc<ast::Class>) -> Option<Type> {
        let union = class.tag == ast::TagKind::Union;
        let Some(name) = &class.name else {
            let shown = format!(
                "(unnamed {} at line {})",
                if union { "union" } else { "struct" },
                self.messages.line(class.span)
            );
            let ty = self.new_record(Symbol::from(""), shown, union, self.scopes.current(), class.span);
            self.define_record(ty, class);
            return Some(ty);
        };
        let symbol = name.last().and_then(|last| key(&last.id))?;
        let scope = if name.segments.len() > 1 || name.global {
            match self.scope_of_prefix(name) {
                Some(scope) => scope,
                None => {
                    let text = self.messages.text(name.span).to_owned();
                    self.messages.unknown_name(text, name.span, "no such class or namespace");
                    return None;
                }
            }
        } else {
            self.scopes.current()
        };
        let known = self.scopes.type_in(scope, &symbol).filter(|ty| self.program.record_of(*ty).is_some());
        let ty = match known {
            Some(ty) => ty,
            None => {
                let shown = self.scopes.qualified_name(scope, &symbol, &self.program);
                let ty = self.new_record(symbol.clone(), shown, union, scope, name.span);
                self.enter_in(scope, symbol, Entity::Type(ty), name.span);
                ty
            }
        };
        self.define_record(ty, class);
        Some(ty)
    }

    fn define_record(&mut self, ty: Type, class: &Rc<ast::Class>) {
        let Some(id) = self.program.record_of(ty) else { return };
        if class.members.is_none() {
            return;
        }
        let order = self.scopes.order();
        let info = &mut self.classes[id];
        if info.ast.is_none() {
            info.ast = Some(Rc::clone(class));
            info.span = class.name.as_ref().map_or(class.span, |name| name.span);
            info.order = order;
        } else {
            let (first, name) = (info.span, info.name.clone());
            let span = class.name.as_ref().map_or(class.span, |name| name.span);
            self.messages.report(
                Diagnostic::error("redefinition", span, format!("redefinition of `{name}`"))
                    .related(first, "previous definition is here"),
            );
        }
    }

    /// Enters a function or a definition of one.
    pub(crate) fn declare_function(
        &mut self,
        ast: &Rc<ast::Function>,
        template: Option<&Rc<ast::Template>>,
        headers: Vec<Rc<ast::Template>>,
        hidden: bool,
    ) {
        let Some(symbol) = ast.name.last().and_then(|last| key(&last.id)) else { return };
        if let Some(span) = ast.requires {
            self.messages.refuse_constraint(span);
        }
        self.refuse_starters(ast);
        if ast.kind == ast::FunctionKind::DeductionGuide {
            let place = (self.scopes.current(), self.scopes.order());
            self.add_guide(Guide::Written, Rc::clone(ast), template.cloned(), place);
            return;
        }
        if ast.name.segments.len() > 1 || ast.name.global {
            self.declare_outside(ast, template, headers, symbol);
            return;
        }
        let class = match self.scopes[self.scopes.current()].kind {
            ScopeKind::Class(record) => Some(record),
            _ => None,
        };
        let class = if hidden { None } else { class };
        let defaulted = class.filter(|record| self.is_defaulted_outside(*record, ast, &symbol));
        let ast = &match defaulted {
            // `C::C(C &&) = default;` is as if the class said so.
            Some(_) => Rc::new(ast::Function { body: ast::FunctionBody::Defaulted, ..(**ast).clone() }),
            None => Rc::clone(ast),
        };
        if ast.ty.constant && !hidden && (class.is_none() || ast.specifiers.is_static.is_some()) {
            let what = if class.is_none() { "function" } else { "static method" };
            self.messages.error_help(
                "function",
                ast.name.span,
                format!(
                    "{what} `{symbol}` cannot be `const`: it has no object that it could leave unchanged"
                ),
                "remove the `const` after the parameters",
            );
        }
        let id = self.declarations.add_function(FunctionDecl {
            ast: Rc::clone(ast),
            scope: self.scopes.current(),
            class,
            template: template.cloned(),
            definition: None,
            specialisations: vec![],
            repeats: None,
            closure: None,
            hidden,
            order: self.scopes.order(),
            merged: false,
        });
        if class.is_some() && self.declarations.access() != ast::Access::Public {
            self.declarations.restrict(id, self.declarations.access());
        }
        match (ast.kind, class) {
            (ast::FunctionKind::Constructor, Some(record)) => self.classes[record].constructors.push(id),
            (ast::FunctionKind::Conversion, Some(record)) => self.classes[record].conversions.push(id),
            (ast::FunctionKind::Destructor, Some(record)) => {
                if !matches!(ast.body, ast::FunctionBody::Defaulted) {
                    self.classes[record].destructor = Some(id);
                }
            }
            _ => {
                let scope = if hidden {
                    self.scopes.nearest_namespace(self.scopes.current())
                } else {
                    self.scopes.current()
                };
                let span = ast.name.span;
                if let Some(list) = ast.name.last().and_then(|last| last.arguments.as_ref())
                    && !list.is_empty()
                    && template.is_none()
                {
                    self.messages.error("syntax", span, "a template specialisation requires `template <>`");
                    return;
                }
                self.enter_function(scope, symbol, id, span);
            }
        }
        if class.is_none() && !hidden {
            self.declarations.add_root(id);
        }
    }

    /// Enters the definition of a member outside of its class, or of a namespace's function outside of it.
    fn declare_outside(
        &mut self,
        ast: &Rc<ast::Function>,
        template: Option<&Rc<ast::Template>>,
        headers: Vec<Rc<ast::Template>>,
        symbol: Symbol,
    ) {
        let definition =
            |headers: Vec<Rc<ast::Template>>, template: Option<Rc<ast::Template>>, this: &Self| Definition {
                ast: Rc::clone(ast),
                scope: this.scopes.current(),
                template,
                headers,
                order: this.scopes.order(),
            };
        let mut all: Vec<_> = headers.iter().chain(template).cloned().collect();
        if let Some(of) = self.template_of_prefix(&ast.name, &all) {
            // The headers of class templates come first.
            let own = if all.len() > of.headers { all.pop() } else { None };
            let definition = definition(all, own, self);
            self.templates.add_outside(of, Outside::Function(symbol, definition));
            return;
        }
        let Some(scope) = self.scope_defined_in(&ast.name) else {
            // Of a class that only the host has.
            return;
        };
        let definition = definition(headers, template.cloned(), self);
        match self.scopes[scope].kind {
            ScopeKind::Class(record) => {
                self.default_outside(record, ast, &symbol);
                self.classes.add_outside((record, Outside::Function(symbol, definition)))
            }
            _ => {
                let id = self.declarations.add_function(FunctionDecl {
                    ast: Rc::clone(ast),
                    scope,
                    class: None,
                    template: template.cloned(),
                    definition: None,
                    specialisations: vec![],
                    repeats: None,
                    closure: None,
                    hidden: false,
                    order: self.scopes.order(),
                    merged: false,
                });
                self.enter_function(scope, symbol, id, ast.name.span);
                self.declarations.add_root(id);
            }
        }
    }

    /// Enters a template.
    pub(crate) fn declare_template(
        &mut self,
        template: &Rc<ast::Template>,
        headers: Vec<Rc<ast::Template>>,
        hidden: bool,
    ) {
        if let Some(span) = template.requires {
            self.messages.refuse_constraint(span);
        }
        match &template.declaration.kind {
            DeclarationKind::Function(ast) if template.parameters.is_empty() => {
                self.declare_specialisation(ast, headers);
            }
            DeclarationKind::Function(ast) => self.declare_function(ast, Some(template), headers, hidden),
            DeclarationKind::Class(class) => self.declare_class_template(template, class, headers),
            DeclarationKind::Alias(alias) => {
                let name = alias.name.symbol.clone();
                self.new_template(
                    name,
                    template,
                    TemplateKind::Alias(Rc::clone(alias)),
                    None,
                    alias.name.span,
                );
            }
            DeclarationKind::Variable(variable) => {
                self.declare_variable_template(template, variable, headers)
            }
            DeclarationKind::Template(inner) => {
                let mut headers = headers;
                headers.push(Rc::clone(template));
                self.declare_template(inner, headers, hidden);
            }
            DeclarationKind::Friend(inner) => self.declare_friend(inner),
            _ => {}
        }
    }

    /// Enters a friend: functions are found by their arguments' types.
    fn declare_friend(&mut self, declaration: &Declaration) {
        match &declaration.kind {
            DeclarationKind::Function(ast) if ast.name.segments.len() == 1 => {
                let defined = !matches!(ast.body, ast::FunctionBody::None);
                if defined {
                    self.declare_function(ast, None, vec![], true);
                }
            }
            DeclarationKind::Template(template) => {
                if let DeclarationKind::Function(ast) = &template.declaration.kind
                    && !matches!(ast.body, ast::FunctionBody::None)
                {
                    self.declare_template(template, vec![], true);
                }
            }
            _ => {}
        }
    }
}

/// Whether an expression names something in `std`.
fn names_std(expr: &ast::Expr) -> bool {
    let mut found = false;
    crate::check::names::walk::Walk {
        name: &mut |name| {
            if let [first, _, ..] = name.segments.as_slice() {
                found |= key(&first.id).is_some_and(|word| &*word == "std");
            }
        },
        this: &mut || {},
        packs: true,
    }
    .expr(expr);
    found
}
