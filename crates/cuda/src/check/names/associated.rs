//! Namespaces that a type brings along: where functions are looked for by the types of their arguments.
//!
//! Enters: types. Leaves: the namespaces of their classes. This module must never know which functions are there.

use crate::check::Checker;
use crate::check::names::entity::{Argument, ScopeId};
use crate::hir::{Type, TypeKind};

impl Checker<'_> {
    /// Namespaces of a type: its own, those of its bases and template arguments.
    pub(crate) fn associated(&mut self, ty: Type, scopes: &mut Vec<ScopeId>, depth: u32) {
        if depth > 8 {
            return;
        }
        match self.program.kind(ty) {
            TypeKind::Pointer(to) | TypeKind::Reference { to, .. } => self.associated(to, scopes, depth + 1),
            TypeKind::Array(of, _) | TypeKind::UnknownArray(of) => self.associated(of, scopes, depth + 1),
            TypeKind::Enum(id) => {
                let scope = self.scopes.nearest_namespace(self.classes[id].scope);
                if !scopes.contains(&scope) {
                    scopes.push(scope);
                }
            }
            TypeKind::Record(id) => {
                self.complete_record(id);
                let scope = self.scopes.nearest_namespace(self.classes[id].scope);
                if !scopes.contains(&scope) {
                    scopes.push(scope);
                }
                for (base, _) in self.classes[id].bases.clone() {
                    let ty = self.program.record_type(base);
                    self.associated(ty, scopes, depth + 1);
                }
                if let Some((_, arguments)) = self.classes[id].template.clone() {
                    for argument in arguments {
                        if let Argument::Type(ty) = argument {
                            self.associated(ty, scopes, depth + 1);
                        }
                    }
                }
            }
            TypeKind::Member { class, of, .. } => {
                let class = self.program.record_type(class);
                self.associated(class, scopes, depth + 1);
                self.associated(of, scopes, depth + 1);
            }
            TypeKind::Function(..)
            | TypeKind::Void
            | TypeKind::Bool
            | TypeKind::Integer(_)
            | TypeKind::Float
            | TypeKind::Double
            | TypeKind::NullPointer => {}
        }
    }
}
