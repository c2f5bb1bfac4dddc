//! Types that have names in the language.
//!
//! Enters: the types of a program. Leaves: those that every program has. This module must never know contexts.

use crate::hir::{Integer, Type, TypeKind, Types};

/// Types that every program has.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs, reason = "C's names")]
pub(crate) struct Basic {
    pub(crate) void: Type,
    pub(crate) bool: Type,
    pub(crate) char: Type,
    pub(crate) int: Type,
    pub(crate) uint: Type,
    pub(crate) long: Type,
    pub(crate) ulong: Type,
    pub(crate) float: Type,
    pub(crate) double: Type,
    pub(crate) null: Type,
}

impl Basic {
    pub(crate) fn new(types: &mut Types) -> Self {
        Self {
            void: types.of(TypeKind::Void),
            bool: types.of(TypeKind::Bool),
            char: types.of(TypeKind::Integer(Integer::Char)),
            int: types.of(TypeKind::Integer(Integer::Int)),
            uint: types.of(TypeKind::Integer(Integer::UInt)),
            long: types.of(TypeKind::Integer(Integer::Long)),
            ulong: types.of(TypeKind::Integer(Integer::ULong)),
            float: types.of(TypeKind::Float),
            double: types.of(TypeKind::Double),
            null: types.of(TypeKind::NullPointer),
        }
    }
}
