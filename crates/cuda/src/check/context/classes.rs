//! Classes and enumerations: what is known of them next to their layout.
//!
//! Enters: classes as they are declared and completed. Leaves: their members, bases and properties. This module must never know
//! expressions.

use crate::check::context::index::by_number;
use crate::check::names::entity::{EnumInfo, Functor, Outside, RecordInfo, ScopeId};
use crate::hash::{Map, Set};
use crate::hir::{EnumId, RecordId, Type};
use crate::sorted::Sorted;

/// Classes and enumerations.
pub(crate) struct Classes {
    records: Vec<RecordInfo>,
    enums: Vec<EnumInfo>,
    outside: Vec<(RecordId, Outside)>,
    /// Classes whose objects stand for functions.
    functors: Sorted<RecordId, Functor>,
    /// Classes and enumerations by their place in the tree and their scope.
    embedded: Map<(usize, ScopeId), Type>,
    /// Fields that may change in `const` objects.
    mutable_fields: Set<(RecordId, u32)>,
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
    /// How many classes there are.
    pub(crate) fn count(&self) -> usize {
        self.records.len()
    }

    pub(crate) fn add(&mut self, one: RecordInfo) {
        self.records.push(one);
    }

    pub(crate) fn enums(&self) -> std::slice::Iter<'_, EnumInfo> {
        self.enums.iter()
    }

    pub(crate) fn add_enum(&mut self, one: EnumInfo) {
        self.enums.push(one);
    }

    /// A member that is defined outside of its class.
    pub(crate) fn add_outside(&mut self, one: (RecordId, Outside)) {
        self.outside.push(one);
    }

    /// Members of a class that are defined outside of it.
    pub(crate) fn outside(&self, record: RecordId) -> impl Iterator<Item = &Outside> {
        self.outside.iter().filter(move |(of, _)| *of == record).map(|(_, one)| one)
    }

    /// Function that a class's objects stand for.
    pub(crate) fn functor(&self, record: RecordId) -> Option<&Functor> {
        self.functors.get(&record)
    }

    pub(crate) fn is_functor(&self, record: RecordId) -> bool {
        self.functors.contains_key(&record)
    }

    /// The class whose objects stand for a function.
    pub(crate) fn functor_class(&self, of: Functor) -> Option<RecordId> {
        self.functors.iter().find(|(_, other)| **other == of).map(|(record, _)| *record)
    }

    pub(crate) fn note_functor(&mut self, record: RecordId, of: Functor) {
        self.functors.insert(record, of);
    }

    /// Class or enumeration that is defined at a place in the tree, in a scope.
    pub(crate) fn embedded(&self, place: &(usize, ScopeId)) -> Option<&Type> {
        self.embedded.get(place)
    }

    pub(crate) fn note_embedded(&mut self, place: (usize, ScopeId), ty: Type) {
        self.embedded.insert(place, ty);
    }

    /// Whether a field may change in `const` objects.
    pub(crate) fn is_mutable(&self, record: RecordId, field: u32) -> bool {
        self.mutable_fields.contains(&(record, field))
    }

    pub(crate) fn note_mutable(&mut self, record: RecordId, field: u32) {
        self.mutable_fields.insert((record, field));
    }
}

by_number!(Classes, records, RecordId, RecordInfo);
by_number!(Classes, enums, EnumId, EnumInfo);
