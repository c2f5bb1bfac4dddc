//! Rules for floats: only those that keep every bit, or those of LLVM that differ in the bits of a NaN.

use super::super::fold;
use super::Simplifier;
use crate::ir::{Binary, Op, Type, Unary, Value};

const MINUS_ZERO: f64 = -0.0;

impl Simplifier<'_> {
    fn float_constant(&self, value: Value) -> Option<f64> {
        let ty = self.ty(value);
        self.constant(value).map(|bits| fold::float_value(ty, bits))
    }

    pub(super) fn float(&mut self, op: Binary, a: Value, b: Value, ty: Type) -> Option<Value> {
        match op {
            Binary::FAdd => {
                if self.is(b, MINUS_ZERO) {
                    return Some(a);
                }
                if let Some((Unary::FNeg, x)) = self.unary_of(b) {
                    return Some(self.make_binary(Binary::FSub, a, x));
                }
                match self.unary_of(a) {
                    Some((Unary::FNeg, x)) => Some(self.make_binary(Binary::FSub, b, x)),
                    _ => None,
                }
            }
            Binary::FSub => {
                if self.is(b, 0.0) {
                    return Some(a);
                }
                if self.is(a, MINUS_ZERO) {
                    return Some(self.make(Op::Unary(Unary::FNeg), &[b], ty));
                }
                if let Some(c) = self.constant(b) {
                    // x − c is x + −c.
                    let negated = self.make_constant(ty, fold::unary(Unary::FNeg, ty, c));
                    return Some(self.make_binary(Binary::FAdd, a, negated));
                }
                match self.unary_of(b) {
                    Some((Unary::FNeg, x)) => Some(self.make_binary(Binary::FAdd, a, x)),
                    _ => None,
                }
            }
            Binary::FMul => {
                if self.is(b, 1.0) {
                    return Some(a);
                }
                if self.is(b, -1.0) {
                    return Some(self.make(Op::Unary(Unary::FNeg), &[a], ty));
                }
                self.signs(op, a, b, ty).or_else(|| self.sign_of_product(a, b, ty))
            }
            Binary::FDiv => {
                if self.is(b, 1.0) {
                    return Some(a);
                }
                if self.is(b, -1.0) {
                    return Some(self.make(Op::Unary(Unary::FNeg), &[a], ty));
                }
                if let Some(inverse) = self.exact_inverse(b, ty) {
                    let inverse = self.make_constant(ty, inverse);
                    return Some(self.make_binary(Binary::FMul, a, inverse));
                }
                self.signs(op, a, b, ty)
            }
            Binary::FMin | Binary::FMax => self.same(a, b).then_some(a),
            _ => None,
        }
    }

    /// Whether a value is a constant, with its sign.
    fn is(&self, value: Value, wanted: f64) -> bool {
        self.float_constant(value).is_some_and(|found| found.to_bits() == wanted.to_bits())
    }

    /// Bits of 1 / c where that is exact: powers of two whose inverse is normal.
    fn exact_inverse(&self, value: Value, ty: Type) -> Option<u64> {
        let bits = self.constant(value)?;
        match ty {
            Type::F32 => {
                let float = f32::from_bits(bits as u32);
                let exact = bits & 0x7f_ffff == 0 && float.is_normal() && (1.0 / float).is_normal();
                exact.then(|| u64::from((1.0 / float).to_bits()))
            }
            Type::F64 => {
                let float = f64::from_bits(bits);
                let exact = bits & 0xf_ffff_ffff_ffff == 0 && float.is_normal() && (1.0 / float).is_normal();
                exact.then(|| (1.0 / float).to_bits())
            }
            _ => None,
        }
    }

    /// Signs of both factors, or of one and a constant.
    fn signs(&mut self, op: Binary, a: Value, b: Value, ty: Type) -> Option<Value> {
        let Some((Unary::FNeg, x)) = self.unary_of(a) else { return None };
        if let Some(c) = self.constant(b) {
            let negated = self.make_constant(ty, fold::unary(Unary::FNeg, ty, c));
            return Some(self.make_binary(op, x, negated));
        }
        match self.unary_of(b) {
            Some((Unary::FNeg, y)) => Some(self.make_binary(op, x, y)),
            _ => None,
        }
    }

    /// The sign of one factor, which becomes that of the product: sums see a difference in it then.
    fn sign_of_product(&mut self, a: Value, b: Value, ty: Type) -> Option<Value> {
        let (x, y) = match (self.unary_of(a), self.unary_of(b)) {
            (Some((Unary::FNeg, x)), _) if self.one_use(a) => (x, b),
            (_, Some((Unary::FNeg, y))) if self.one_use(b) => (a, y),
            _ => return None,
        };
        let product = self.make_binary(Binary::FMul, x, y);
        Some(self.make(Op::Unary(Unary::FNeg), &[product], ty))
    }

    /// A fused operation is left as it is written, as in NVRTC: a sum made of it could be fused with another product.
    pub(super) fn fma(&mut self, a: Value, b: Value, c: Value, ty: Type) -> Option<Value> {
        if let (Some((Unary::FNeg, x)), Some((Unary::FNeg, y))) = (self.unary_of(a), self.unary_of(b)) {
            return Some(self.make(Op::Fma, &[x, y, c], ty));
        }
        None
    }
}
