//! Scopes: which there are, and the place from which names are looked up.
//!
//! Enters: names with what they stand for. Leaves: entries. Scopes are never taken away. This module must never know what
//! declared a name.

use crate::check::context::index::by_number;
use crate::check::names::entity::{Scope, ScopeId, ScopeKind};

/// All scopes, and the place at hand.
pub(crate) struct Scopes {
    all: Vec<Scope>,
    /// Scope in which names are looked up now.
    current: ScopeId,
    /// Declarations after this one are not visible.
    horizon: u32,
    order: u32,
    /// Declarations of namespaces so far.
    counter: u32,
}

impl Scopes {
    pub(crate) fn new() -> Self {
        Self { all: vec![Scope::root()], current: ScopeId(0), horizon: u32::MAX, order: 0, counter: 0 }
    }
    pub(crate) fn iter(&self) -> std::slice::Iter<'_, Scope> {
        self.all.iter()
    }

    /// A new scope within another.
    pub(crate) fn add(&mut self, parent: ScopeId, kind: ScopeKind) -> ScopeId {
        self.all.push(Scope { parent: Some(parent), kind, ..Scope::root() });
        ScopeId(self.all.len() as u32 - 1)
    }

    /// Scope in which names are looked up now.
    pub(crate) fn current(&self) -> ScopeId {
        self.current
    }

    /// Looks names up in another scope; the one before.
    pub(crate) fn move_to(&mut self, scope: ScopeId) -> ScopeId {
        std::mem::replace(&mut self.current, scope)
    }

    /// Declarations after this one are not visible.
    pub(crate) fn horizon(&self) -> u32 {
        self.horizon
    }

    /// Changes what is visible; the horizon before.
    pub(crate) fn replace_horizon(&mut self, horizon: u32) -> u32 {
        std::mem::replace(&mut self.horizon, horizon)
    }

    /// Number of the declaration that is checked; see [`Entry::order`](crate::check::names::entity::Entry::order).
    pub(crate) fn order(&self) -> u32 {
        self.order
    }

    /// The scope, horizon and order of names that are looked up now.
    pub(crate) fn place(&self) -> (ScopeId, u32, u32) {
        (self.current, self.horizon, self.order)
    }

    pub(crate) fn set_place(&mut self, (current, horizon, order): (ScopeId, u32, u32)) {
        (self.current, self.horizon, self.order) = (current, horizon, order);
    }

    /// Begins the next declaration of a namespace. All of the library come before those of the source.
    pub(crate) fn begin_declaration(&mut self, ours: bool) {
        self.counter += 1;
        self.order = if ours { 0 } else { self.counter };
    }
}

by_number!(Scopes, all, ScopeId, Scope);
