//! Conversions between scalar types, and arithmetic on them.

use crate::evaluate::Scalar;
use crate::hir::{self, Step};
use crate::ir::{Binary, Compare, Convert, Op, Space, Type, Unary, Value, Wrap};

use super::function::Body;
use super::value_type;

/// What C promises of arithmetic on an integer type.
fn wrapping(signed: bool) -> Wrap {
    Wrap { nsw: signed, nuw: false }
}

impl Body<'_, '_> {
    /// A value of another type.
    pub(super) fn convert(&mut self, value: Value, from: Scalar, to: Scalar) -> Value {
        match (from, to) {
            _ if from == to => value,
            (Scalar::Void, _) => self.undefined(value_type(to)),
            (_, Scalar::Void) => value,
            (Scalar::Bool, Scalar::Integer { .. }) => self.change(Convert::ZeroExtend, value, value_type(to)),
            (Scalar::Bool, Scalar::Float | Scalar::Double) => {
                let ty = value_type(to);
                let one = if ty == Type::F32 { u64::from(1f32.to_bits()) } else { 1f64.to_bits() };
                let (one, zero) = (self.constant(ty, one), self.constant(ty, 0));
                self.one(Op::Select, vec![value, one, zero], ty)
            }
            (Scalar::Bool, Scalar::Pointer) => {
                let wide = self.change(Convert::ZeroExtend, value, Type::I64);
                self.change(Convert::Bits, wide, Type::Ptr(Space::Generic))
            }
            (_, Scalar::Bool) => self.truth_of(value, from),
            (Scalar::Integer { signed, .. }, Scalar::Integer { .. }) => {
                self.resize(value, signed, value_type(to))
            }
            (Scalar::Integer { bits, signed }, Scalar::Float | Scalar::Double) => {
                let wide = if bits < 32 { self.resize(value, signed, Type::I32) } else { value };
                let op = if signed { Convert::SToF } else { Convert::UToF };
                self.change(op, wide, value_type(to))
            }
            (Scalar::Integer { signed, .. }, Scalar::Pointer) => {
                let wide = self.resize(value, signed, Type::I64);
                self.change(Convert::Bits, wide, Type::Ptr(Space::Generic))
            }
            (Scalar::Float | Scalar::Double, Scalar::Integer { bits, signed }) => {
                let op = if signed { Convert::FToS } else { Convert::FToU };
                let wide = if bits < 32 { Type::I32 } else { value_type(to) };
                let whole = self.change(op, value, wide);
                self.resize(whole, signed, value_type(to))
            }
            (Scalar::Float | Scalar::Double, Scalar::Float | Scalar::Double) => {
                self.change(Convert::Float, value, value_type(to))
            }
            (Scalar::Pointer, Scalar::Integer { .. }) => {
                let number = self.change(Convert::Bits, value, Type::I64);
                self.resize(number, false, value_type(to))
            }
            (Scalar::Pointer, Scalar::Float | Scalar::Double | Scalar::Pointer)
            | (Scalar::Float | Scalar::Double, Scalar::Pointer) => {
                self.shared.refuse(self.here, "a conversion between a pointer and a floating-point number");
                self.undefined(value_type(to))
            }
        }
    }

    /// An integer of another width.
    pub(super) fn resize(&mut self, value: Value, signed: bool, to: Type) -> Value {
        let (from, wanted) = (self.ty(value).bytes(), to.bytes());
        match from.cmp(&wanted) {
            std::cmp::Ordering::Equal => value,
            std::cmp::Ordering::Greater => self.change(Convert::Truncate, value, to),
            std::cmp::Ordering::Less if signed => self.change(Convert::SignExtend, value, to),
            std::cmp::Ordering::Less => self.change(Convert::ZeroExtend, value, to),
        }
    }

    /// Whether a value is not zero.
    fn truth_of(&mut self, value: Value, kind: Scalar) -> Value {
        match kind {
            Scalar::Bool => value,
            Scalar::Void => self.undefined(Type::Pred),
            Scalar::Integer { bits, .. } => {
                let wide = if bits < 32 { self.resize(value, false, Type::I32) } else { value };
                let zero = self.constant(self.ty(wide), 0);
                self.compare(Compare::Ne, wide, zero)
            }
            Scalar::Pointer => {
                let zero = self.constant(self.ty(value), 0);
                self.compare(Compare::Ne, value, zero)
            }
            // NaN is true.
            Scalar::Float | Scalar::Double => {
                let zero = self.constant(self.ty(value), 0);
                self.compare(Compare::FUNe, value, zero)
            }
        }
    }

    /// `a op b` of a type; of shifts, `b` is an integer of any width.
    pub(super) fn arithmetic(&mut self, op: hir::Binary, kind: Scalar, a: Value, b: Value) -> Value {
        match kind {
            Scalar::Float | Scalar::Double => match float_operator(op) {
                Some(op) => self.binary(op, a, b),
                None => self.odd(kind),
            },
            Scalar::Bool => match bit_operator(op) {
                Some(op) => self.binary(op, a, b),
                None => self.odd(kind),
            },
            Scalar::Integer { bits, signed } if bits < 32 => {
                // Only what a checker did not promote: computed with 32 bits, in which nothing overflows.
                let shift = matches!(op, hir::Binary::ShiftLeft | hir::Binary::ShiftRight);
                let wide = self.resize(a, signed, Type::I32);
                let right = if shift { b } else { self.resize(b, signed, Type::I32) };
                let value = self.integer(op, signed, wide, right);
                self.resize(value, signed, value_type(kind))
            }
            Scalar::Integer { signed, .. } => self.integer(op, signed, a, b),
            Scalar::Void | Scalar::Pointer => self.odd(kind),
        }
    }

    fn odd(&mut self, kind: Scalar) -> Value {
        self.shared.refuse(self.here, "an operator with invalid operands");
        self.undefined(value_type(kind))
    }

    fn integer(&mut self, op: hir::Binary, signed: bool, a: Value, b: Value) -> Value {
        let wrap = wrapping(signed);
        let op = match op {
            hir::Binary::Add => Binary::Add(wrap),
            hir::Binary::Subtract => Binary::Sub(wrap),
            hir::Binary::Multiply => Binary::Mul(wrap),
            hir::Binary::Divide if signed => Binary::SDiv,
            hir::Binary::Divide => Binary::UDiv,
            hir::Binary::Remainder if signed => Binary::SRem,
            hir::Binary::Remainder => Binary::URem,
            hir::Binary::And => Binary::And,
            hir::Binary::Or => Binary::Or,
            hir::Binary::Xor => Binary::Xor,
            // What falls off a signed number is defined since C++20, and by all compilers before.
            hir::Binary::ShiftLeft => Binary::Shl(Wrap::default()),
            hir::Binary::ShiftRight if signed => Binary::AShr,
            hir::Binary::ShiftRight => Binary::LShr,
        };
        match op {
            Binary::Shl(_) | Binary::AShr | Binary::LShr => {
                // An amount that this changes is undefined before.
                let amount = self.resize(b, false, Type::I32);
                self.binary(op, a, amount)
            }
            _ => self.binary(op, a, b),
        }
    }

    /// `a op b` as a predicate, of operands of one type.
    pub(super) fn relation(&mut self, op: hir::Compare, kind: Scalar, a: Value, b: Value) -> Value {
        let signed = matches!(kind, Scalar::Integer { signed: true, .. });
        let (a, b) = match kind {
            Scalar::Integer { bits, .. } if bits < 32 => {
                (self.resize(a, signed, Type::I32), self.resize(b, signed, Type::I32))
            }
            Scalar::Bool if !matches!(op, hir::Compare::Equal | hir::Compare::NotEqual) => (
                self.change(Convert::ZeroExtend, a, Type::I32),
                self.change(Convert::ZeroExtend, b, Type::I32),
            ),
            Scalar::Integer { .. }
            | Scalar::Bool
            | Scalar::Float
            | Scalar::Double
            | Scalar::Pointer
            | Scalar::Void => (a, b),
        };
        let op = match (op, kind) {
            (hir::Compare::Equal, Scalar::Float | Scalar::Double) => Compare::FOEq,
            (hir::Compare::NotEqual, Scalar::Float | Scalar::Double) => Compare::FUNe,
            (hir::Compare::Less, Scalar::Float | Scalar::Double) => Compare::FOLt,
            (hir::Compare::LessEqual, Scalar::Float | Scalar::Double) => Compare::FOLe,
            (hir::Compare::Greater, Scalar::Float | Scalar::Double) => Compare::FOGt,
            (hir::Compare::GreaterEqual, Scalar::Float | Scalar::Double) => Compare::FOGe,
            (hir::Compare::Equal, _) => Compare::Eq,
            (hir::Compare::NotEqual, _) => Compare::Ne,
            (hir::Compare::Less, _) if signed => Compare::SLt,
            (hir::Compare::LessEqual, _) if signed => Compare::SLe,
            (hir::Compare::Greater, _) if signed => Compare::SGt,
            (hir::Compare::GreaterEqual, _) if signed => Compare::SGe,
            (hir::Compare::Less, _) => Compare::ULt,
            (hir::Compare::LessEqual, _) => Compare::ULe,
            (hir::Compare::Greater, _) => Compare::UGt,
            (hir::Compare::GreaterEqual, _) => Compare::UGe,
        };
        self.compare(op, a, b)
    }

    /// `-a`
    pub(super) fn negate(&mut self, kind: Scalar, a: Value) -> Value {
        match kind {
            Scalar::Float | Scalar::Double => self.unary(Unary::FNeg, a),
            Scalar::Integer { signed, .. } => {
                let zero = self.constant(self.ty(a), 0);
                self.binary(Binary::Sub(wrapping(signed)), zero, a)
            }
            Scalar::Void | Scalar::Bool | Scalar::Pointer => self.odd(kind),
        }
    }

    /// The value after `++` or `--`.
    pub(super) fn stepped(&mut self, ty: hir::Type, before: Value, step: Step) -> Value {
        let down = step == Step::Down;
        match self.scalar(ty) {
            Some(Scalar::Pointer) => {
                let one = self.long(1);
                self.advance(before, self.pointee(ty), one, down)
            }
            Some(kind @ (Scalar::Float | Scalar::Double)) => {
                let one = if kind == Scalar::Float { u64::from(1f32.to_bits()) } else { 1f64.to_bits() };
                let one = self.constant(value_type(kind), one);
                self.binary(if down { Binary::FSub } else { Binary::FAdd }, before, one)
            }
            Some(kind @ Scalar::Integer { .. }) => {
                let op = if down { hir::Binary::Subtract } else { hir::Binary::Add };
                let one = self.constant(value_type(kind), 1);
                self.arithmetic(op, kind, before, one)
            }
            Some(Scalar::Bool) => self.constant(Type::Pred, 1),
            Some(Scalar::Void) | None => self.refused(ty, "`++` or `--` of something that is not a number"),
        }
    }

    /// Pointer that many elements on; the count has 64 bits.
    pub(super) fn advance(
        &mut self,
        pointer: Value,
        of: Option<hir::Type>,
        count: Value,
        back: bool,
    ) -> Value {
        let size = of.map_or(1, |of| self.program.layout(of).0.max(1));
        let bytes = self.scaled(count, size, back);
        self.one(Op::Offset, vec![pointer, bytes], self.ty(pointer))
    }

    /// Bytes of that many elements.
    pub(super) fn scaled(&mut self, count: Value, size: u64, back: bool) -> Value {
        if let Some(number) = self.function.constant(count) {
            let bytes = (number as i64).wrapping_mul(size as i64);
            return self.long(if back { bytes.wrapping_neg() } else { bytes });
        }
        // The bytes of what lies within an object do not overflow.
        let wrap = wrapping(true);
        let bytes = if size == 1 {
            count
        } else {
            let size = self.long(size as i64);
            self.binary(Binary::Mul(wrap), count, size)
        };
        if !back {
            return bytes;
        }
        let zero = self.long(0);
        self.binary(Binary::Sub(wrap), zero, bytes)
    }
}

fn float_operator(op: hir::Binary) -> Option<Binary> {
    match op {
        hir::Binary::Add => Some(Binary::FAdd),
        hir::Binary::Subtract => Some(Binary::FSub),
        hir::Binary::Multiply => Some(Binary::FMul),
        hir::Binary::Divide => Some(Binary::FDiv),
        hir::Binary::Remainder
        | hir::Binary::And
        | hir::Binary::Or
        | hir::Binary::Xor
        | hir::Binary::ShiftLeft
        | hir::Binary::ShiftRight => None,
    }
}

fn bit_operator(op: hir::Binary) -> Option<Binary> {
    match op {
        hir::Binary::And => Some(Binary::And),
        hir::Binary::Or => Some(Binary::Or),
        hir::Binary::Xor => Some(Binary::Xor),
        hir::Binary::Add
        | hir::Binary::Subtract
        | hir::Binary::Multiply
        | hir::Binary::Divide
        | hir::Binary::Remainder
        | hir::Binary::ShiftLeft
        | hir::Binary::ShiftRight => None,
    }
}
