//! Classes and enumerations: what is known of them beside their layout.
//!
//! Enters: classes as they are declared and completed. Leaves: their members, bases and properties. This module must never know
//! expressions.

use crate::check::names::entity::{EnumInfo, Functor, Outside, RecordInfo, ScopeId};
use crate::hash::{Map, Set};
use crate::hir::{RecordId, Type};
use crate::sorted::Sorted;

/// Classes and enumerations.
pub(crate) struct Classes {
    pub(crate) records: Vec<RecordInfo>,
    pub(crate) enums: Vec<EnumInfo>,
    pub(crate) outside: Vec<(RecordId, Outside)>,
    /// Classes whose objects stand for functions.
    pub(crate) functors: Sorted<RecordId, Functor>,
    /// Classes and enumerations by their place in the tree and their scope.
    pub(crate) embedded: Map<(usize, ScopeId), Type>,
    /// Fields that may change in `const` objects.
    pub(crate) mutable_fields: Set<(RecordId, u32)>,
}

impl Classes {
    pub(crate) fn new() -> Self {
        Self {
            records: vec![],
            enums: vec![],
            outside: vec![],
            functors: Sorted::default(),
            embedded: Map::default(),
            mutable_fields: Default::default(),
        }
    }
}
