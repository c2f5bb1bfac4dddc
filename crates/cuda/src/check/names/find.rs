//! Lookup of words: in the scopes around, in namespaces and classes.
//!
//! Enters: words and scopes. Leaves: entities. Declarations later in the translation unit than what is being checked are not
//! visible. This module must never know what an entity is used for.

use crate::builtin::overloads;
use crate::check::Checker;
use crate::check::context::declarations::Declarations;
use crate::check::context::scopes::Scopes;
use crate::check::names::distinct::Distinct;
use crate::check::names::entity::{Completion, DeclId, Entity, ScopeId, ScopeKind, Special};
use crate::hir::{RecordId, Type};
use crate::source::Span;

/// What is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Want {
    /// Anything; a function or variable hides a class of its name.
    Any,
    /// Types and templates of types alone.
    Type,
    /// What may stand before `::`.
    Prefix,
}

impl Scopes {
    /// All namespaces that are looked at together with one: inline ones, and those of `using namespace`.
    fn namespaces_with(&self, scope: ScopeId) -> Vec<ScopeId> {
        let mut all = Distinct::from_iter([scope]);
        let mut at = 0;
        while let Some(one) = all.get(at) {
            self[one].using.iter().for_each(|used| all.add(*used));
            at += 1;
        }
        all.list()
    }

    fn encloses(&self, outer: ScopeId, inner: ScopeId) -> bool {
        let mut at = Some(inner);
        while let Some(scope) = at {
            if scope == outer {
                return true;
            }
            at = self[scope].parent;
        }
        false
    }

    /// The same, with those of `using namespace` in the scopes between.
    fn namespaces_in_use(&self, scope: ScopeId, pending: &[ScopeId]) -> Vec<ScopeId> {
        let mut all: Distinct<ScopeId> = self.namespaces_with(scope).into_iter().collect();
        for used in pending {
            if self.encloses(scope, *used) {
                self.namespaces_with(*used).into_iter().for_each(|one| all.add(one));
            }
        }
        all.list()
    }
}

impl Declarations {
    /// What a scope itself says of a name.
    pub(crate) fn pick(
        &self,
        scope: ScopeId,
        symbol: &str,
        want: Want,
        horizon: u32,
        scopes: &Scopes,
    ) -> Option<Entity> {
        let entries = scopes[scope].names.get(symbol)?;
        let mut tag = None;
        for entry in entries {
            let visible = entry.order <= horizon;
            match (&entry.entity, want) {
                (Entity::Functions(all, builtin), Want::Any) => {
                    let decls: Vec<_> = all
                        .iter()
                        .copied()
                        .filter(|decl| {
                            let one = &self[*decl];
                            !one.hidden && one.order <= horizon
                        })
                        .collect();
                    if !decls.is_empty() || all.is_empty() && visible {
                        return Some(Entity::Functions(decls, *builtin));
                    }
                }
                (Entity::Type(_) | Entity::Alias(_) | Entity::Template(_), _) if visible && tag.is_none() => {
                    tag = Some(entry.entity.clone());
                }
                (Entity::Type(_) | Entity::Alias(_) | Entity::Template(_), _) => {}
                (Entity::Namespace(_), Want::Any | Want::Prefix) if visible => {
                    return Some(entry.entity.clone());
                }
                (_, Want::Any) | (Entity::Pack(_), _) if visible => return Some(entry.entity.clone()),
                (Entity::Error | Entity::Host(_), _) => return Some(entry.entity.clone()),
                _ => {}
            }
        }
        tag
    }
}

impl Checker<'_> {
    /// Unqualified lookup, through the scopes around.
    pub(crate) fn find(&mut self, symbol: &str, want: Want, span: Span) -> Option<Entity> {
        let mut pending: Vec<ScopeId> = vec![];
        let mut at = Some(self.scopes.current());
        while let Some(scope) = at {
            let found = match self.scopes[scope].kind {
                ScopeKind::Namespace => self.find_in_namespace(scope, symbol, want, &pending, span),
                ScopeKind::Class(record) => self.find_unqualified(record, symbol, want),
                ScopeKind::Template | ScopeKind::Block(_) | ScopeKind::Enum => {
                    for used in self.scopes[scope].using.clone() {
                        pending.push(used);
                    }
                    self.declarations.pick(scope, symbol, want, u32::MAX, &self.scopes)
                }
            };
            if found.is_some() {
                return found;
            }
            at = self.scopes[scope].parent;
        }
        None
    }

    pub(crate) fn find_in_namespace(
        &mut self,
        scope: ScopeId,
        symbol: &str,
        want: Want,
        pending: &[ScopeId],
        span: Span,
    ) -> Option<Entity> {
        let found = if pending.is_empty() && self.scopes[scope].using.is_empty() {
            self.declarations.pick(scope, symbol, want, self.scopes.horizon(), &self.scopes)
        } else {
            let all = self.scopes.namespaces_in_use(scope, pending);
            self.merged(&all, symbol, want, span)
        };
        if scope.0 != 0 || want != Want::Any {
            return found;
        }
        if self.side.is_host() {
            // The host's headers declare what it has; but that CUDA has `min` and `max` of two types without any, and that `NAN`,
            // `INFINITY` and the limits are written with functions of bits on both sides.
            // So are questions to the compiler, and what ends a program at once.
            let rows = matches!(
                symbol,
                "min"
                    | "max"
                    | "__int_as_float"
                    | "__longlong_as_double"
                    | "__builtin_trap"
                    | "__builtin_unreachable"
                    | "__builtin_constant_p"
                    | "__builtin_assume_aligned"
            );
            return match found {
                Some(Entity::Functions(decls, _)) => Some(Entity::Functions(decls, rows)),
                None if rows => Some(Entity::Functions(vec![], true)),
                found => found,
            };
        }
        let rows = overloads(symbol).next().is_some();
        match found {
            Some(Entity::Functions(decls, _)) => Some(Entity::Functions(decls, rows)),
            Some(entity) => Some(entity),
            None if rows => Some(Entity::Functions(vec![], true)),
            None => special(symbol).map(Entity::Special),
        }
    }

    fn merged(&mut self, scopes: &[ScopeId], symbol: &str, want: Want, span: Span) -> Option<Entity> {
        let mut found: Option<Entity> = None;
        for scope in scopes {
            let Some(more) =
                self.declarations.pick(*scope, symbol, want, self.scopes.horizon(), &self.scopes)
            else {
                continue;
            };
            found = Some(match (found, more) {
                (None, more) => more,
                (Some(Entity::Functions(a, x)), Entity::Functions(b, y)) => {
                    let all: Distinct<DeclId> = a.into_iter().chain(b).collect();
                    Entity::Functions(all.list(), x || y)
                }
                (Some(first @ Entity::Functions(..)), Entity::Type(_) | Entity::Host(_)) => first,
                (Some(Entity::Type(_) | Entity::Host(_)), second @ Entity::Functions(..)) => second,
                (Some(first), second) => {
                    if !self.same_entity(&first, &second) {
                        self.messages.error(
                            "ambiguous",
                            span,
                            format!("reference to `{symbol}` is ambiguous: more than one namespace in use declares it"),
                        );
                        return Some(Entity::Error);
                    }
                    first
                }
            });
        }
        found
    }

    fn same_entity(&mut self, a: &Entity, b: &Entity) -> bool {
        match (a, b) {
            (Entity::Namespace(a), Entity::Namespace(b)) => a == b,
            (Entity::Template(a), Entity::Template(b)) => a == b,
            (Entity::Global(a), Entity::Global(b)) => a == b,
            (Entity::Value(a), Entity::Value(b)) => std::rc::Rc::ptr_eq(a, b),
            (Entity::Host(_) | Entity::Error, _) | (_, Entity::Host(_) | Entity::Error) => true,
            (Entity::Type(_) | Entity::Alias(_), Entity::Type(_) | Entity::Alias(_)) => {
                let a = self.entity_type(a);
                let b = self.entity_type(b);
                a == b
            }
            _ => false,
        }
    }

    /// Type that an entity is.
    pub(crate) fn entity_type(&mut self, entity: &Entity) -> Option<Type> {
        match entity {
            Entity::Type(ty) => Some(*ty),
            Entity::Alias(id) => self.alias_type(*id),
            _ => None,
        }
    }

    /// Member of a class that its name alone means in the class: those of dependent bases are found by `this->` only.
    fn find_unqualified(&mut self, record: RecordId, symbol: &str, want: Want) -> Option<Entity> {
        self.find_in_class(record, symbol, want, true)
    }

    /// Member of a class or its bases.
    pub(crate) fn find_member(&mut self, record: RecordId, symbol: &str, want: Want) -> Option<Entity> {
        self.find_in_class(record, symbol, want, false)
    }

    fn find_in_class(
        &mut self,
        record: RecordId,
        symbol: &str,
        want: Want,
        unqualified: bool,
    ) -> Option<Entity> {
        if self.classes[record].completion == Completion::Declared {
            self.complete_record(record);
        }
        let scope = self.classes[record].scope;
        if let Some(found) = self.declarations.pick(scope, symbol, want, u32::MAX, &self.scopes) {
            return Some(found);
        }
        if self.classes[record].name == *symbol && !symbol.is_empty() {
            return Some(Entity::Type(self.program.record_type(record)));
        }
        let shared = self.classes.has_virtual_bases(record);
        let mut nearest: Option<(RecordId, Entity)> = None;
        for (base, _) in self.classes[record].bases.clone() {
            if unqualified && self.classes[record].dependent_bases.contains(&base) {
                continue;
            }
            let Some(found) = self.find_member(base, symbol, want) else { continue };
            if !shared {
                return Some(found);
            }
            // What a class declares hides what its virtual base has, on whichever way that is found.
            let Some(owner) = self.member_owner(base, symbol) else { continue };
            if nearest.as_ref().is_none_or(|(known, _)| *known != owner && self.is_base(*known, owner)) {
                nearest = Some((owner, found));
            }
        }
        nearest.map(|(_, found)| found)
    }

    /// The class that declares a member, itself or a base.
    pub(crate) fn member_owner(&mut self, record: RecordId, symbol: &str) -> Option<RecordId> {
        let scope = self.classes[record].scope;
        if self.scopes[scope].names.contains_key(symbol) {
            return Some(record);
        }
        let mut nearest: Option<RecordId> = None;
        for (base, _) in self.classes[record].bases.clone() {
            let Some(owner) = self.member_owner(base, symbol) else { continue };
            if nearest.is_none_or(|known| known != owner && self.is_base(known, owner)) {
                nearest = Some(owner);
            }
        }
        nearest
    }
}

fn special(name: &str) -> Option<Special> {
    Some(match name {
        "threadIdx" => Special::Coordinates("threadIdx", "uint3"),
        "blockIdx" => Special::Coordinates("blockIdx", "uint3"),
        "blockDim" => Special::Coordinates("blockDim", "dim3"),
        "gridDim" => Special::Coordinates("gridDim", "dim3"),
        "warpSize" => Special::WarpSize,
        "printf" => Special::Printf,
        "__assert_fail" => Special::AssertFail,
        _ => return None,
    })
}
