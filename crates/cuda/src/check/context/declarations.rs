//! Declarations: functions, variables and aliases as written, and what is still to be done for some of them.
//!
//! Enters: declarations with their scopes. Leaves: these, by their numbers. This module must never know their types.

use std::rc::Rc;

use crate::ast::{self, Symbol};
use crate::check::context::index::by_number;
use crate::check::names::entity::{
    AliasDecl, AliasId, DeclId, Definition, FunctionDecl, GlobalDecl, GlobalId, ScopeId, TemplateId,
};
use crate::hash::Map;

/// What a deduction guide is made of; of equally good ones, the first in this order is the better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Guide {
    /// Written in the source.
    Written,
    /// An object of the class.
    Copy,
    /// A constructor, or an aggregate's fields.
    Constructor,
    /// A constructor that is a template.
    ConstructorTemplate,
}

/// What the source declares outside of functions, and in classes.
pub(crate) struct Declarations {
    functions: Vec<FunctionDecl>,
    globals: Vec<GlobalDecl>,
    aliases: Vec<AliasDecl>,
    /// Access of the members that are being declared.
    access: ast::Access,
    /// Methods and constructors that are private or protected.
    hidden_functions: Map<DeclId, ast::Access>,
    /// Deduction guides.
    guides: Map<DeclId, Guide>,
    /// Those that class templates have of themselves, once they were asked for.
    implicit_guides: Map<TemplateId, Vec<DeclId>>,
    /// Functions of namespaces.
    roots: Vec<DeclId>,
    /// Explicit instantiations, with their scopes and orders.
    explicit: Vec<(Rc<ast::Declaration>, ScopeId, u32)>,
    /// Explicit specialisations of functions.
    specialised: Vec<(Definition, ScopeId)>,
    /// Explicit specialisations of methods that are the host's.
    host_specialised: Vec<Definition>,
    /// Names of two types in a scope, to be the same one.
    repeated_types: Vec<(ScopeId, Symbol)>,
}

impl Declarations {
    pub(crate) fn new() -> Self {
        Self {
            functions: vec![],
            globals: vec![],
            aliases: vec![],
            access: ast::Access::Public,
            hidden_functions: Map::default(),
            guides: Map::default(),
            implicit_guides: Map::default(),
            roots: vec![],
            explicit: vec![],
            specialised: vec![],
            host_specialised: vec![],
            repeated_types: vec![],
        }
    }
    pub(crate) fn functions(&self) -> &[FunctionDecl] {
        &self.functions
    }

    pub(crate) fn globals(&self) -> &[GlobalDecl] {
        &self.globals
    }

    pub(crate) fn add_function(&mut self, one: FunctionDecl) -> DeclId {
        self.functions.push(one);
        DeclId(self.functions.len() as u32 - 1)
    }

    pub(crate) fn add_global(&mut self, one: GlobalDecl) -> GlobalId {
        self.globals.push(one);
        GlobalId(self.globals.len() as u32 - 1)
    }

    pub(crate) fn add_alias(&mut self, one: AliasDecl) -> AliasId {
        self.aliases.push(one);
        AliasId(self.aliases.len() as u32 - 1)
    }

    /// Access of the members that are being declared.
    pub(crate) fn access(&self) -> ast::Access {
        self.access
    }

    pub(crate) fn replace_access(&mut self, access: ast::Access) -> ast::Access {
        std::mem::replace(&mut self.access, access)
    }

    /// Access of a method or constructor; none where it is public.
    pub(crate) fn access_of(&self, decl: DeclId) -> Option<ast::Access> {
        self.hidden_functions.get(&decl).copied()
    }

    pub(crate) fn restrict(&mut self, decl: DeclId, access: ast::Access) {
        self.hidden_functions.insert(decl, access);
    }

    pub(crate) fn publish(&mut self, decl: DeclId) {
        self.hidden_functions.remove(&decl);
    }

    pub(crate) fn note_guide(&mut self, decl: DeclId, kind: Guide) {
        self.guides.insert(decl, kind);
    }

    /// What a deduction guide is made of.
    pub(crate) fn guide(&self, decl: DeclId) -> Option<Guide> {
        self.guides.get(&decl).copied()
    }

    /// Guides that the source has for a class template of a name in a scope.
    pub(crate) fn guides_of(&self, scope: ScopeId, name: &Symbol) -> Vec<DeclId> {
        let named = |decl: DeclId| {
            let one = &self[decl];
            one.scope == scope && one.ast.name.simple() == Some(name)
        };
        let written = self.guides.iter().filter(|(_, kind)| **kind == Guide::Written);
        let mut all: Vec<DeclId> = written.map(|(decl, _)| *decl).filter(|decl| named(*decl)).collect();
        all.sort();
        all
    }

    pub(crate) fn implicit_guides(&self, id: TemplateId) -> Option<Vec<DeclId>> {
        self.implicit_guides.get(&id).cloned()
    }

    pub(crate) fn note_implicit_guides(&mut self, id: TemplateId, guides: Vec<DeclId>) {
        self.implicit_guides.insert(id, guides);
    }

    /// Functions of namespaces.
    pub(crate) fn roots(&self) -> Vec<DeclId> {
        self.roots.clone()
    }

    pub(crate) fn add_root(&mut self, decl: DeclId) {
        self.roots.push(decl);
    }

    /// Explicit instantiations, with their scopes and orders.
    pub(crate) fn explicit(&self) -> Vec<(Rc<ast::Declaration>, ScopeId, u32)> {
        self.explicit.clone()
    }

    pub(crate) fn add_explicit(&mut self, one: (Rc<ast::Declaration>, ScopeId, u32)) {
        self.explicit.push(one);
    }

    /// Explicit specialisations of functions.
    pub(crate) fn specialised(&self) -> Vec<(Definition, ScopeId)> {
        self.specialised.clone()
    }

    pub(crate) fn add_specialised(&mut self, one: (Definition, ScopeId)) {
        self.specialised.push(one);
    }

    pub(crate) fn add_host_specialised(&mut self, one: Definition) {
        self.host_specialised.push(one);
    }

    pub(crate) fn has_host_specialised(&self) -> bool {
        !self.host_specialised.is_empty()
    }

    /// Those specialisations of the host's methods that a condition is true of; the others stay.
    pub(crate) fn take_host_specialised(&mut self, of: impl FnMut(&Definition) -> bool) -> Vec<Definition> {
        let (now, later) = std::mem::take(&mut self.host_specialised).into_iter().partition(of);
        self.host_specialised = later;
        now
    }

    pub(crate) fn add_repeated_type(&mut self, one: (ScopeId, Symbol)) {
        self.repeated_types.push(one);
    }

    pub(crate) fn take_repeated_types(&mut self) -> Vec<(ScopeId, Symbol)> {
        std::mem::take(&mut self.repeated_types)
    }
}

by_number!(Declarations, functions, DeclId, FunctionDecl);
by_number!(Declarations, globals, GlobalId, GlobalDecl);
by_number!(Declarations, aliases, AliasId, AliasDecl);
