//! Names that depend on a template's parameters, and members that several bases have.
//!
//! Enters: types and names as written, with the scope that they stand in. Leaves: what of them is dependent or ambiguous. This
//! module must never know what a name stands for.

use crate::ast::{Id, Symbol};
use crate::hir::RecordId;

use crate::check::Checker;
use crate::check::context::scopes::Scopes;
use crate::check::names::entity::{Entity, ScopeKind};
use crate::check::names::find::Want;

impl Scopes {
    /// Whether a word is a parameter of a template around.
    fn is_template_parameter(&self, id: &Id) -> bool {
        let Id::Word(symbol) = id else { return false };
        let mut at = Some(self.current());
        while let Some(scope) = at {
            let one = &self[scope];
            if one.names.contains_key(symbol) {
                return one.kind == ScopeKind::Template;
            }
            at = one.parent;
        }
        false
    }
}

impl Checker<'_> {
    /// Whether two bases of a class have a member of a name, so that the name alone says nothing.
    pub(crate) fn is_ambiguous_member(&mut self, record: RecordId, symbol: &str) -> bool {
        let scope = self.classes[record].scope;
        if self.scopes[scope].names.contains_key(symbol) {
            return false;
        }
        let bases = self.classes[record].bases.clone();
        let with: Vec<_> = bases
            .into_iter()
            .filter(|(base, _)| {
                matches!(
                    self.find_member(*base, symbol, Want::Any),
                    Some(Entity::Field(..) | Entity::Functions(..))
                )
            })
            .collect();
        match with.as_slice() {
            [] => false,
            [(base, _)] => self.is_ambiguous_member(*base, symbol),
            _ if self.classes.has_virtual_bases(record) => {
                let Some(nearest) = self.member_owner(record, symbol) else { return true };
                let way = self.base_path(record, nearest).unwrap_or_default();
                let one = way.first().is_some_and(|first| self.classes.is_virtual_base(record, *first));
                with.iter().any(|(base, _)| {
                    let owner = self.member_owner(*base, symbol).unwrap_or(*base);
                    !(owner == nearest && (one || way.len() == 1)
                        || owner != nearest && self.is_base(owner, nearest))
                })
            }
            _ => true,
        }
    }

    /// Whether a type as written names a parameter of a template around.
    pub(crate) fn is_dependent(&self, ty: &crate::ast::Type) -> bool {
        let mut found = false;
        crate::check::names::walk::Walk {
            name: &mut |name| {
                found |=
                    name.segments.first().is_some_and(|first| self.scopes.is_template_parameter(&first.id));
            },
            this: &mut || {},
            packs: true,
        }
        .ty(ty);
        found
    }

    pub(crate) fn in_dependent_base(&mut self, symbol: &Symbol) -> bool {
        let mut at = Some(self.scopes.current());
        while let Some(scope) = at {
            if let ScopeKind::Class(record) = self.scopes[scope].kind
                && self.find_member(record, symbol, Want::Any).is_some()
            {
                return true;
            }
            at = self.scopes[scope].parent;
        }
        false
    }
}
