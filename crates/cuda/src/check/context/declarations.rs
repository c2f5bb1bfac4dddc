//! Declarations: functions, variables and aliases as written, and what is still to be done for some of them.
//!
//! Enters: declarations with their scopes. Leaves: these, by their numbers. This module must never know their types.

use std::rc::Rc;

use crate::ast::{self, Symbol};
use crate::check::names::entity::{AliasDecl, DeclId, Definition, FunctionDecl, GlobalDecl, ScopeId};
use crate::hash::Map;

/// What the source declares outside of functions, and in classes.
pub(crate) struct Declarations {
    pub(crate) functions: Vec<FunctionDecl>,
    pub(crate) globals: Vec<GlobalDecl>,
    pub(crate) aliases: Vec<AliasDecl>,
    /// Access of the members that are being declared.
    pub(crate) access: ast::Access,
    /// Methods and constructors that are private or protected.
    pub(crate) hidden_functions: Map<DeclId, ast::Access>,
    /// Deduction guides.
    pub(crate) guides: Vec<(Rc<ast::Function>, Option<Rc<ast::Template>>, ScopeId)>,
    /// Functions of namespaces.
    pub(crate) roots: Vec<DeclId>,
    /// Explicit instantiations, with their scopes and orders.
    pub(crate) explicit: Vec<(Rc<ast::Declaration>, ScopeId, u32)>,
    /// Explicit specialisations of functions.
    pub(crate) specialised: Vec<(Definition, ScopeId)>,
    /// Explicit specialisations of methods that are the host's.
    pub(crate) host_specialised: Vec<Definition>,
    /// Names of two types in a scope, to be the same one.
    pub(crate) repeated_types: Vec<(ScopeId, Symbol)>,
}

impl Declarations {
    pub(crate) fn new() -> Self {
        Self {
            functions: vec![],
            globals: vec![],
            aliases: vec![],
            access: ast::Access::Public,
            hidden_functions: Map::default(),
            guides: vec![],
            roots: vec![],
            explicit: vec![],
            specialised: vec![],
            host_specialised: vec![],
            repeated_types: vec![],
        }
    }
}
