//! Loads and stores.

use super::operand::{Class, Operand, Register};
use super::text::line;
use super::writer::Writer;
use crate::builtin::Cache;
use crate::ir::{Access, InstData, Space, Type, Value};

/// Type of an access as instructions name it.
fn accessed(ty: Type, signed: bool) -> &'static str {
    match (ty, signed) {
        (Type::Pred | Type::I8, false) => "u8",
        (Type::Pred | Type::I8, true) => "s8",
        (Type::I16, false) => "u16",
        (Type::I16, true) => "s16",
        (Type::I32, _) => "u32",
        (Type::I64 | Type::Ptr(_), _) => "u64",
        (Type::F32, _) => "f32",
        (Type::F64, _) => "f64",
    }
}

impl Writer<'_, '_> {
    pub(super) fn load(&mut self, inst: &InstData, access: Access) {
        let Some(pointer) = inst.args.first().copied() else { return };
        let Some(first) = inst.results.first().copied() else { return };
        let ty = self.function.ty(first);
        let (mut signed, mut registers) = (false, vec![]);
        for result in &inst.results {
            let (value, signs) = self.selection.widened(*result).unwrap_or((*result, false));
            signed = signs;
            registers.push(Operand::Register(self.result(value)));
        }
        let (Some(vector), true) = (vector(registers.len()), ty != Type::Pred) else {
            self.refuse("a load of this shape was left for the emitter");
            return;
        };
        let (open, close) = braces(vector);
        let space = self.space_of(pointer);
        let global = self.function.ty(pointer) == Type::Ptr(Space::Global);
        let volatile = if self.is_volatile(access, pointer) { ".volatile" } else { "" };
        let cache = if self.has_cache(access, pointer) { access.cache_text() } else { "" };
        let invariant = if access.invariant && global && volatile.is_empty() { ".nc" } else { "" };
        let address = self.address(pointer);
        let ty = accessed(ty, signed);
        let cache = order(cache, invariant);
        let to = &registers;
        line!(
            self, "ld", volatile, space, cache, vector, ".", ty, " \t", open, to, close, ", [", address, "];"
        );
    }

    pub(super) fn store(&mut self, inst: &InstData, access: Access) {
        let Some((pointer, values)) = inst.args.split_first() else { return };
        let Some(ty) = values.first().map(|value| self.function.ty(*value)) else { return };
        let (Some(vector), true) = (vector(values.len()), ty != Type::Pred) else {
            self.refuse("a store of this shape was left for the emitter");
            return;
        };
        let from: Vec<Operand> = values.iter().map(|value| Operand::Register(self.stored(*value))).collect();
        let (open, close) = braces(vector);
        let space = self.space_of(*pointer);
        let volatile = if self.is_volatile(access, *pointer) { ".volatile" } else { "" };
        let cache = if self.has_cache(access, *pointer) { access.cache_text() } else { "" };
        let address = self.address(*pointer);
        let ty = accessed(ty, false);
        line!(
            self, "st", volatile, space, cache, vector, ".", ty, " \t[", address, "], ", open, &from, close,
            ";"
        );
    }

    /// Register whose low part is stored.
    fn stored(&mut self, value: Value) -> Register {
        match self.selection.truncated(self.function, value) {
            Some(from) if Class::of(self.function.ty(value)) != Class::Predicate => self.register(from),
            _ => self.register(value),
        }
    }

    /// Whether an access is one by its own modifier: `.cv` says it already, and PTX takes only one of the two.
    fn is_volatile(&self, access: Access, pointer: Value) -> bool {
        let asked = match access.cache {
            None => access.volatile,
            Some(cache) => cache == Cache::Volatile && !self.has_cache(access, pointer),
        };
        let seen = match self.function.ty(pointer) {
            Type::Ptr(Space::Generic | Space::Global | Space::Shared) => true,
            // No one else sees it.
            Type::Ptr(Space::Local | Space::Constant | Space::Param) => false,
            _ => false,
        };
        asked && seen
    }

    /// Whether the memory that a pointer leads to takes the access's cache operator.
    fn has_cache(&self, access: Access, pointer: Value) -> bool {
        match self.function.ty(pointer) {
            Type::Ptr(Space::Global) => true,
            Type::Ptr(Space::Generic) => access.cache != Some(Cache::NonCoherent),
            _ => false,
        }
    }
}

fn vector(lanes: usize) -> Option<&'static str> {
    match lanes {
        1 => Some(""),
        2 => Some(".v2"),
        4 => Some(".v4"),
        _ => None,
    }
}

/// What is around the registers of a vector.
fn braces(vector: &str) -> (&'static str, &'static str) {
    if vector.is_empty() { ("", "") } else { ("{", "}") }
}

/// Cache operator and `.nc` in the order that PTX asks for; `.nc` knows few of them.
fn order(cache: &'static str, invariant: &'static str) -> &'static str {
    if cache.is_empty() { invariant } else { cache }
}
