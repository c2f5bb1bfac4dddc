//! Loads and stores.

use crate::evaluate::Scalar;
use crate::hir;
use crate::ir::{Access, Binary, Compare, Convert, Op, Type, Value, Wrap};

use super::address::Address;
use super::function::Body;
use super::{memory_type, value_type};

impl Body<'_, '_> {
    pub(super) fn access(address: Address) -> Access {
        Access { align: address.align, volatile: address.ty.volatile, invariant: false, cache: None }
    }

    /// What is in memory at an address.
    pub(super) fn load_memory(&mut self, address: Address, ty: Type) -> Value {
        self.one(Op::Load(Self::access(address)), vec![address.pointer], ty)
    }

    /// Writes a value of a type of memory.
    pub(super) fn store_memory(&mut self, address: Address, value: Value) {
        self.push(Op::Store(Self::access(address)), vec![address.pointer, value], &[]);
    }

    /// Scalar at an address.
    pub(super) fn load(&mut self, address: Address) -> Value {
        let Some(kind) = self.scalar(address.ty) else {
            return self.refused(address.ty, "a class or array as a value");
        };
        if kind == Scalar::Void {
            return self.undefined(Type::I32);
        }
        let value = self.load_memory(address, memory_type(kind));
        match address.bits {
            Some((first, width)) => self.extract(value, kind, first, width),
            None => self.loaded(value, kind),
        }
    }

    /// Writes a scalar.
    pub(super) fn store(&mut self, address: Address, value: Value) {
        let Some(kind) = self.scalar(address.ty) else {
            self.refused(address.ty, "a class or array as a value");
            return;
        };
        if kind == Scalar::Void {
            return;
        }
        let value = match address.bits {
            Some((first, width)) => self.insert(address, kind, value, first, width),
            None => self.stored(value, kind),
        };
        self.store_memory(address, value);
    }

    /// A value as it lies in memory.
    pub(super) fn stored(&mut self, value: Value, kind: Scalar) -> Value {
        match kind {
            Scalar::Bool => self.change(Convert::ZeroExtend, value, Type::I8),
            Scalar::Void | Scalar::Integer { .. } | Scalar::Float | Scalar::Double | Scalar::Pointer => value,
        }
    }

    /// The value of what lies in memory. (A `bool` is true if its byte is not zero, even where something else than 0 or 1
    /// was put there.)
    pub(super) fn loaded(&mut self, value: Value, kind: Scalar) -> Value {
        match kind {
            Scalar::Bool => {
                let wide = self.change(Convert::ZeroExtend, value, Type::I32);
                let zero = self.constant(Type::I32, 0);
                self.compare(Compare::Ne, wide, zero)
            }
            Scalar::Void | Scalar::Integer { .. } | Scalar::Float | Scalar::Double | Scalar::Pointer => value,
        }
    }

    /// The unit of a bit-field as at least 32 bits.
    fn wide(&mut self, value: Value) -> Value {
        match self.ty(value) {
            Type::I8 | Type::I16 | Type::Pred => self.change(Convert::ZeroExtend, value, Type::I32),
            Type::I32 | Type::I64 | Type::F32 | Type::F64 | Type::Ptr(_) => value,
        }
    }

    fn extract(&mut self, unit: Value, kind: Scalar, first: u32, width: u32) -> Value {
        let wide = self.wide(unit);
        let bits = self.ty(wide).bytes() * 8;
        let signed = matches!(kind, Scalar::Integer { signed: true, .. });
        let left = bits.saturating_sub(first + width);
        let field = if signed {
            let shifted = self.shift(Binary::Shl(Wrap::default()), wide, left);
            self.shift(Binary::AShr, shifted, bits.saturating_sub(width))
        } else {
            let shifted = self.shift(Binary::LShr, wide, first);
            if left == 0 {
                shifted
            } else {
                let mask = self.constant(self.ty(wide), mask(width));
                self.binary(Binary::And, shifted, mask)
            }
        };
        match kind {
            Scalar::Bool => {
                let zero = self.constant(self.ty(field), 0);
                self.compare(Compare::Ne, field, zero)
            }
            _ if self.ty(field) == value_type(kind) => field,
            _ => self.change(Convert::Truncate, field, value_type(kind)),
        }
    }

    fn insert(&mut self, address: Address, kind: Scalar, value: Value, first: u32, width: u32) -> Value {
        let memory = memory_type(kind);
        let value = self.stored(value, kind);
        let value = self.wide(value);
        let ty = self.ty(value);
        let before = self.load_memory(address, memory);
        let before = self.wide(before);
        let others = self.constant(ty, !(mask(width) << first));
        let kept = self.binary(Binary::And, before, others);
        let own = self.constant(ty, mask(width));
        let own = self.binary(Binary::And, value, own);
        let own = self.shift(Binary::Shl(Wrap::default()), own, first);
        let unit = self.binary(Binary::Or, kept, own);
        if ty == memory { unit } else { self.change(Convert::Truncate, unit, memory) }
    }

    /// Shift by a constant.
    pub(super) fn shift(&mut self, op: Binary, value: Value, by: u32) -> Value {
        if by == 0 {
            return value;
        }
        let by = self.constant(Type::I32, u64::from(by));
        self.binary(op, value, by)
    }

    /// Copies bytes.
    pub(super) fn copy(&mut self, to: Value, from: Value, size: u64, align: u32) {
        if size > 0 {
            self.push(Op::Copy { size, align }, vec![to, from], &[]);
        }
    }

    /// Address that many bytes on.
    pub(super) fn offset(&mut self, address: Address, bytes: u64, ty: hir::Type) -> Address {
        let align = super::aligned(address.align, bytes);
        let pointer = match bytes {
            0 => address.pointer,
            _ => {
                let by = self.constant(Type::I64, bytes);
                self.one(Op::Offset, vec![address.pointer, by], self.ty(address.pointer))
            }
        };
        Address { pointer, align, ty, bits: None }
    }
}

/// That many ones.
fn mask(width: u32) -> u64 {
    if width >= 64 { u64::MAX } else { (1 << width) - 1 }
}
