//! Scopes: which there are, and the place from which names are looked up.
//!
//! Enters: names with what they stand for. Leaves: entries. Scopes are never taken away. This module must never know what
//! declared a name.

use crate::check::names::entity::{Scope, ScopeId};

/// All scopes, and the place at hand.
pub(crate) struct Scopes {
    pub(crate) all: Vec<Scope>,
    /// Scope in which names are looked up now.
    pub(crate) current: ScopeId,
    /// Declarations after this one are not visible.
    pub(crate) horizon: u32,
    pub(crate) order: u32,
    /// Declarations of namespaces so far.
    pub(crate) counter: u32,
}

impl Scopes {
    pub(crate) fn new() -> Self {
        Self { all: vec![Scope::root()], current: ScopeId(0), horizon: u32::MAX, order: 0, counter: 0 }
    }
}
