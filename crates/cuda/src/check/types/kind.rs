//! Types: what kinds they are, and those that have names in the language.
//!
//! Enters: types. Leaves: answers. This module must never know expressions.

use crate::hir::{EnumId, Integer, RecordId, Type, TypeKind};

use crate::check::Checker;
use crate::check::context::output::Output;

/// The type without qualifiers.
pub(crate) fn plain(ty: Type) -> Type {
    Type { constant: false, volatile: false, ..ty }
}

/// The type with another's qualifiers in addition to its own.
pub(crate) fn qualified(ty: Type, by: Type) -> Type {
    Type { constant: ty.constant || by.constant, volatile: ty.volatile || by.volatile, ..ty }
}

/// The type as `const`.
pub(crate) fn constant(ty: Type) -> Type {
    Type { constant: true, ..ty }
}

impl Output {
    pub(crate) fn kind(&self, ty: Type) -> TypeKind {
        self.kind_of(ty).clone()
    }

    pub(crate) fn ty(&mut self, kind: TypeKind) -> Type {
        self.type_of(kind)
    }

    pub(crate) fn integer(&mut self, integer: Integer) -> Type {
        self.ty(TypeKind::Integer(integer))
    }

    pub(crate) fn pointer(&mut self, to: Type) -> Type {
        self.ty(TypeKind::Pointer(to))
    }

    pub(crate) fn record_type(&mut self, record: RecordId) -> Type {
        self.ty(TypeKind::Record(record))
    }

    pub(crate) fn is_void(&self, ty: Type) -> bool {
        matches!(self.kind_of(ty), TypeKind::Void)
    }

    pub(crate) fn is_bool(&self, ty: Type) -> bool {
        matches!(self.kind_of(ty), TypeKind::Bool)
    }

    /// `bool` or an integer.
    pub(crate) fn is_integral(&self, ty: Type) -> bool {
        matches!(self.kind_of(ty), TypeKind::Bool | TypeKind::Integer(_))
    }

    pub(crate) fn is_floating(&self, ty: Type) -> bool {
        matches!(self.kind_of(ty), TypeKind::Float | TypeKind::Double)
    }

    pub(crate) fn is_arithmetic(&self, ty: Type) -> bool {
        self.is_integral(ty) || self.is_floating(ty)
    }

    /// Enumeration that converts to integers by itself.
    pub(crate) fn is_unscoped(&self, ty: Type) -> bool {
        self.enum_of(ty).is_some_and(|id| !self[id].scoped)
    }

    pub(crate) fn enum_of(&self, ty: Type) -> Option<EnumId> {
        match self.kind_of(ty) {
            TypeKind::Enum(id) => Some(*id),
            _ => None,
        }
    }

    pub(crate) fn record_of(&self, ty: Type) -> Option<RecordId> {
        match self.kind_of(ty) {
            TypeKind::Record(id) => Some(*id),
            _ => None,
        }
    }

    pub(crate) fn pointee(&self, ty: Type) -> Option<Type> {
        match self.kind_of(ty) {
            TypeKind::Pointer(to) => Some(*to),
            _ => None,
        }
    }

    pub(crate) fn is_null_type(&self, ty: Type) -> bool {
        matches!(self.kind_of(ty), TypeKind::NullPointer)
    }

    /// What a reference refers to, and whether it is `&&`.
    pub(crate) fn referred(&self, ty: Type) -> Option<(Type, bool)> {
        match self.kind_of(ty) {
            TypeKind::Reference { to, rvalue } => Some((*to, *rvalue)),
            _ => None,
        }
    }

    /// The type, or what it refers to.
    pub(crate) fn without_reference(&self, ty: Type) -> Type {
        self.referred(ty).map_or(ty, |(to, _)| to)
    }

    /// Element of an array and its length.
    pub(crate) fn array_of(&self, ty: Type) -> Option<(Type, Option<u64>)> {
        match self.kind_of(ty) {
            TypeKind::Array(of, length) => Some((qualified(*of, ty), Some(*length))),
            TypeKind::UnknownArray(of) => Some((qualified(*of, ty), None)),
            _ => None,
        }
    }

    pub(crate) fn is_function(&self, ty: Type) -> bool {
        matches!(self.kind_of(ty), TypeKind::Function(..))
    }

    pub(crate) fn is_function_pointer(&self, ty: Type) -> bool {
        self.pointee(ty).is_some_and(|to| self.is_function(to))
    }

    /// Number, `bool`, enumerator or pointer: what an expression may have as a value.
    pub(crate) fn is_scalar(&self, ty: Type) -> bool {
        match self.kind_of(ty) {
            TypeKind::Bool
            | TypeKind::Integer(_)
            | TypeKind::Float
            | TypeKind::Double
            | TypeKind::NullPointer
            | TypeKind::Pointer(_)
            | TypeKind::Member { .. }
            | TypeKind::Enum(_) => true,
            TypeKind::Void
            | TypeKind::Reference { .. }
            | TypeKind::Array(..)
            | TypeKind::UnknownArray(_)
            | TypeKind::Record(_)
            | TypeKind::Function(..) => false,
        }
    }

    /// Bits and sign of an integer type, `bool` or an enumeration.
    pub(crate) fn width(&self, ty: Type) -> Option<(u32, bool)> {
        match self.kind_of(ty) {
            TypeKind::Bool => Some((1, false)),
            TypeKind::Integer(integer) => Some((integer.bytes() * 8, integer.signed())),
            TypeKind::Enum(id) => self.width(self[*id].underlying),
            _ => None,
        }
    }

    /// The same type with qualifiers pushed to the elements of arrays, and none on references.
    pub(crate) fn with_qualifiers(&mut self, ty: Type, constant: bool, volatile: bool) -> Type {
        if !constant && !volatile {
            return ty;
        }
        match self.kind(ty) {
            TypeKind::Array(of, length) => {
                let of = self.with_qualifiers(of, constant, volatile);
                self.ty(TypeKind::Array(of, length))
            }
            TypeKind::UnknownArray(of) => {
                let of = self.with_qualifiers(of, constant, volatile);
                self.ty(TypeKind::UnknownArray(of))
            }
            TypeKind::Reference { .. } | TypeKind::Function(..) => ty,
            _ => Type { constant: ty.constant || constant, volatile: ty.volatile || volatile, ..ty },
        }
    }

    /// Type of a parameter as functions have it: arrays are pointers.
    pub(crate) fn decayed(&mut self, ty: Type) -> Type {
        match self.array_of(ty) {
            Some((of, _)) => self.pointer(of),
            None if self.is_function(ty) => self.pointer(ty),
            None => ty,
        }
    }

    /// `T &` or `T &&`; references collapse.
    pub(crate) fn reference(&mut self, to: Type, rvalue: bool) -> Type {
        match self.kind(to) {
            TypeKind::Reference { to, rvalue: inner } => {
                self.ty(TypeKind::Reference { to, rvalue: rvalue && inner })
            }
            _ => self.ty(TypeKind::Reference { to, rvalue }),
        }
    }

    /// Whether the two are the same but for qualifiers at any depth.
    pub(crate) fn similar(&self, a: Type, b: Type) -> bool {
        match (self.kind_of(a), self.kind_of(b)) {
            (TypeKind::Pointer(a), TypeKind::Pointer(b)) => self.similar(*a, *b),
            (TypeKind::Array(a, n), TypeKind::Array(b, m)) => n == m && self.similar(*a, *b),
            (TypeKind::UnknownArray(a), TypeKind::UnknownArray(b)) => self.similar(*a, *b),
            _ => a.id == b.id,
        }
    }
}

impl Checker<'_> {
    /// Bytes of a type; classes are completed first.
    pub(crate) fn size_of(&mut self, ty: Type) -> u64 {
        self.complete(ty);
        self.program.layout(ty).0
    }

    pub(crate) fn align_of(&mut self, ty: Type) -> u32 {
        self.complete(ty);
        self.program.layout(ty).1
    }

    /// Whether a class is another's base, at any distance.
    pub(crate) fn is_base(&mut self, base: RecordId, derived: RecordId) -> bool {
        base == derived || self.base_path(derived, base).is_some()
    }

    /// Numbers of the fields on the way from a class to its base, nearest first.
    pub(crate) fn base_path(&mut self, derived: RecordId, base: RecordId) -> Option<Vec<u32>> {
        if derived == base {
            return Some(vec![]);
        }
        self.complete_record(derived);
        // A virtual base is the same one on each way to it.
        let shared = self.classes[derived].virtuals.bases.clone();
        if let Some((_, field)) = shared.iter().find(|(one, _)| *one == base) {
            return Some(vec![*field]);
        }
        for (at, field) in shared.into_iter().chain(self.classes[derived].bases.clone()) {
            if let Some(mut path) = self.base_path(at, base) {
                path.insert(0, field);
                return Some(path);
            }
        }
        None
    }
}
