//! Scopes: what a name is, as far as the grammar needs to know.
//!
//! Enters: declarations in order. Leaves: whether a name is a value, a type, a template or a namespace, from some place on.
//! Scopes are never taken away, so that bodies of functions can be parsed late. This module must never know types.

use crate::hash::Map;

/// Number of a scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct ScopeId(pub u32);

impl ScopeId {
    /// The global namespace.
    pub(super) const GLOBAL: ScopeId = ScopeId(0);
}

/// What a name is: one or more of these.
pub(super) mod flag {
    /// Variable, function, enumerator.
    pub(in super::super) const VALUE: u8 = 1;
    /// Class, enumeration, alias, type parameter.
    pub(in super::super) const TYPE: u8 = 2;
    /// Template of either.
    pub(in super::super) const TEMPLATE: u8 = 4;
    /// Namespace or its alias.
    pub(in super::super) const NAMESPACE: u8 = 8;
}

/// What a name is.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Entity {
    /// See [`flag`].
    pub flags: u8,
    /// Scope of its members where known.
    pub scope: Option<ScopeId>,
}

impl Entity {
    /// Whether it is any of these.
    pub(super) fn is(self, flags: u8) -> bool {
        self.flags & flags != 0
    }
}

/// What a scope is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ScopeKind {
    /// Namespace, class, function or block.
    Plain,
    /// Parameters of a template: what is declared in it is declared around it, as a template.
    Template,
}

#[derive(Debug)]
struct Scope {
    kind: ScopeKind,
    parent: Option<ScopeId>,
    /// Scopes whose names are visible too: bases, namespaces of `using namespace`, the class of a method.
    also: Vec<ScopeId>,
}

/// All scopes and names.
#[derive(Debug)]
pub(super) struct Scopes {
    scopes: Vec<Scope>,
    names: Map<(u32, u32), Entity>,
    /// By word: what it is in any scope, which most often answers without a search.
    anywhere: Vec<u8>,
    /// Where declarations go.
    pub current: ScopeId,
}

impl Scopes {
    /// The global namespace with nothing in it.
    pub(super) fn new(words: usize) -> Self {
        Self {
            scopes: vec![Scope { kind: ScopeKind::Plain, parent: None, also: vec![] }],
            names: Map::default(),
            anywhere: vec![0; words],
            current: ScopeId::GLOBAL,
        }
    }

    /// A new scope within the current one; it becomes current. The one before is returned, to be set again.
    pub(super) fn enter(&mut self, kind: ScopeKind) -> ScopeId {
        let before = self.current;
        self.scopes.push(Scope { kind, parent: Some(before), also: vec![] });
        self.current = ScopeId(self.scopes.len() as u32 - 1);
        before
    }

    /// Makes the names of another scope visible in this one.
    pub(super) fn also(&mut self, scope: ScopeId, other: ScopeId) {
        match self.scopes.get_mut(scope.0 as usize) {
            Some(scope) if !scope.also.contains(&other) => scope.also.push(other),
            _ => {}
        }
    }

    /// Declares a name in the current scope, or around it where that is a template's.
    pub(super) fn declare(&mut self, word: u32, mut entity: Entity) {
        let mut at = self.current;
        while let Some(scope) = self.scopes.get(at.0 as usize) {
            if scope.kind != ScopeKind::Template {
                break;
            }
            entity.flags |= flag::TEMPLATE;
            let Some(parent) = scope.parent else { break };
            at = parent;
        }
        self.declare_in(at, word, entity);
    }

    /// Declares a template's parameter.
    pub(super) fn declare_here(&mut self, word: u32, entity: Entity) {
        self.declare_in(self.current, word, entity);
    }

    /// Declares a name in a scope.
    pub(super) fn declare_in(&mut self, scope: ScopeId, word: u32, entity: Entity) {
        if let Some(anywhere) = self.anywhere.get_mut(word as usize) {
            *anywhere |= entity.flags;
        }
        let known = self.names.entry((scope.0, word)).or_default();
        known.flags |= entity.flags;
        known.scope = known.scope.or(entity.scope);
    }

    /// What a word is in any scope at all.
    pub(super) fn anywhere(&self, word: u32) -> u8 {
        self.anywhere.get(word as usize).copied().unwrap_or(0)
    }

    /// What a name is, looking outwards from the current scope.
    pub(super) fn lookup(&self, word: u32) -> Option<Entity> {
        match self.anywhere(word) {
            0 => return None,
            flag::VALUE => return Some(Entity { flags: flag::VALUE, scope: None }),
            _ => {}
        }
        let mut at = Some(self.current);
        while let Some(id) = at {
            let mut fuel = 64;
            if let Some(entity) = self.find(id, word, &mut fuel) {
                return Some(entity);
            }
            at = self.scopes.get(id.0 as usize)?.parent;
        }
        None
    }

    /// What a name is in a scope (and those visible in it).
    pub(super) fn lookup_in(&self, scope: ScopeId, word: u32) -> Option<Entity> {
        let mut fuel = 64;
        self.find(scope, word, &mut fuel)
    }

    fn find(&self, id: ScopeId, word: u32, fuel: &mut u32) -> Option<Entity> {
        if let Some(entity) = self.names.get(&(id.0, word)) {
            return Some(*entity);
        }
        *fuel = fuel.checked_sub(1)?;
        let scope = self.scopes.get(id.0 as usize)?;
        scope.also.iter().find_map(|other| self.find(*other, word, fuel))
    }
}
