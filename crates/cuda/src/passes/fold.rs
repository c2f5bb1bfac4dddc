//! Constant folding.
//!
//! Enters: an operation and the bits of its operands. Leaves: the bits of its result, where the device would compute the
//! same: nothing whose result is NaN (whose bits are the device's own), nothing that C leaves undefined.

use crate::builtin::Known;
use crate::ir::{Binary, Compare, Convert, Type, Unary};

/// The bits that a type has, as a mask.
pub(crate) fn mask(ty: Type) -> u64 {
    if ty == Type::Pred { 1 } else { u64::MAX >> (64 - 8 * ty.bytes()) }
}

/// Bits of a type; 1 for predicates.
pub(crate) fn width(ty: Type) -> u32 {
    if ty == Type::Pred { 1 } else { 8 * ty.bytes() }
}

/// An integer's value, with its sign.
pub(crate) fn signed(ty: Type, bits: u64) -> i64 {
    let unused = 64 - width(ty);
    ((bits << unused) as i64) >> unused
}

/// Bits of a float that is no NaN.
fn float(ty: Type, value: f64, single: f32) -> Option<u64> {
    match ty {
        Type::F32 if !single.is_nan() => Some(u64::from(single.to_bits())),
        Type::F64 if !value.is_nan() => Some(value.to_bits()),
        _ => None,
    }
}

/// A float's value; one of 32 bits is exact in 64.
pub(crate) fn float_value(ty: Type, bits: u64) -> f64 {
    if ty == Type::F32 { f64::from(f32::from_bits(bits as u32)) } else { f64::from_bits(bits) }
}

/// Folds an operation of one operand.
pub(crate) fn unary(op: Unary, ty: Type, a: u64) -> u64 {
    let sign = 1 << (width(ty) - 1);
    match op {
        Unary::Not => !a & mask(ty),
        Unary::Neg => a.wrapping_neg() & mask(ty),
        Unary::FNeg => a ^ sign,
        Unary::FAbs => a & !sign,
    }
}

/// Folds an operation of two operands.
pub(crate) fn binary(op: Binary, ty: Type, a: u64, b: u64) -> Option<u64> {
    let (sa, sb) = (signed(ty, a), signed(ty, b));
    let width = width(ty);
    let bits = match op {
        Binary::Add(_) => a.wrapping_add(b),
        Binary::Sub(_) => a.wrapping_sub(b),
        Binary::Mul(_) => a.wrapping_mul(b),
        // The most negative number by −1 is undefined in C.
        Binary::SDiv if b != 0 && !(sb == -1 && a == 1 << (width - 1)) => sa.wrapping_div(sb) as u64,
        Binary::SRem if b != 0 && !(sb == -1 && a == 1 << (width - 1)) => sa.wrapping_rem(sb) as u64,
        Binary::UDiv if b != 0 => a / b,
        Binary::URem if b != 0 => a % b,
        Binary::SDiv | Binary::SRem | Binary::UDiv | Binary::URem => return None,
        Binary::And => a & b,
        Binary::Or => a | b,
        Binary::Xor => a ^ b,
        Binary::Shl(_) if b < u64::from(width) => a << b,
        Binary::LShr if b < u64::from(width) => a >> b,
        Binary::AShr if b < u64::from(width) => (sa >> b) as u64,
        Binary::Shl(_) | Binary::LShr | Binary::AShr => return None,
        Binary::SMin => sa.min(sb) as u64,
        Binary::SMax => sa.max(sb) as u64,
        Binary::UMin => a.min(b),
        Binary::UMax => a.max(b),
        Binary::FAdd | Binary::FSub | Binary::FMul | Binary::FDiv | Binary::FMin | Binary::FMax => {
            return float_binary(op, ty, a, b);
        }
    };
    Some(bits & mask(ty))
}

fn float_binary(op: Binary, ty: Type, a: u64, b: u64) -> Option<u64> {
    let (x, y) = (float_value(ty, a), float_value(ty, b));
    let (p, q) = (f32::from_bits(a as u32), f32::from_bits(b as u32));
    match op {
        Binary::FAdd => float(ty, x + y, p + q),
        Binary::FSub => float(ty, x - y, p - q),
        Binary::FMul => float(ty, x * y, p * q),
        Binary::FDiv => float(ty, x / y, p / q),
        Binary::FMin | Binary::FMax => {
            if x.is_nan() || y.is_nan() {
                // The number where one is NaN; of two, the device's own.
                return if x.is_nan() && y.is_nan() {
                    None
                } else if x.is_nan() {
                    Some(b)
                } else {
                    Some(a)
                };
            }
            // Of two zeros the first, whatever their signs: C leaves it open, and NVRTC's constants are so.
            let second = if op == Binary::FMin { y < x } else { x < y };
            Some(if second { b } else { a })
        }
        _ => None,
    }
}

/// Folds a product and a sum that are rounded once.
pub(crate) fn fma(ty: Type, a: u64, b: u64, c: u64) -> Option<u64> {
    match ty {
        Type::F32 => {
            let [a, b, c] = [a, b, c].map(|bits| f32::from_bits(bits as u32));
            float(ty, 0.0, a.mul_add(b, c))
        }
        Type::F64 => {
            let [a, b, c] = [a, b, c].map(f64::from_bits);
            float(ty, a.mul_add(b, c), 0.0)
        }
        _ => None,
    }
}

/// Folds a comparison; the type is the operands'.
pub(crate) fn compare(op: Compare, ty: Type, a: u64, b: u64) -> bool {
    let (sa, sb) = (signed(ty, a), signed(ty, b));
    let (x, y) = (float_value(ty, a), float_value(ty, b));
    let nan = x.is_nan() || y.is_nan();
    match op {
        Compare::Eq => a == b,
        Compare::Ne => a != b,
        Compare::SLt => sa < sb,
        Compare::SLe => sa <= sb,
        Compare::SGt => sa > sb,
        Compare::SGe => sa >= sb,
        Compare::ULt => a < b,
        Compare::ULe => a <= b,
        Compare::UGt => a > b,
        Compare::UGe => a >= b,
        Compare::FOEq => x == y,
        Compare::FONe => x != y && !nan,
        Compare::FOLt => x < y,
        Compare::FOLe => x <= y,
        Compare::FOGt => x > y,
        Compare::FOGe => x >= y,
        Compare::FUEq => x == y || nan,
        Compare::FUNe => x != y,
        Compare::FULt => x < y || nan,
        Compare::FULe => x <= y || nan,
        Compare::FUGt => x > y || nan,
        Compare::FUGe => x >= y || nan,
        Compare::FOrd => !nan,
        Compare::FUno => nan,
    }
}

/// Folds a conversion.
pub(crate) fn convert(op: Convert, from: Type, to: Type, a: u64) -> Option<u64> {
    let bits = match op {
        Convert::Truncate | Convert::ZeroExtend | Convert::Bits => a,
        Convert::SignExtend => signed(from, a) as u64,
        Convert::SToF => {
            let value = signed(from, a);
            return float(to, value as f64, value as f32);
        }
        Convert::UToF => return float(to, a as f64, a as f32),
        Convert::FToS | Convert::FToU => return to_integer(op, from, to, a),
        Convert::Float => {
            let value = float_value(from, a);
            return float(to, value, value as f32);
        }
        // Null of one space is an address in another.
        Convert::Space => return None,
    };
    Some(bits & mask(to))
}

fn to_integer(op: Convert, from: Type, to: Type, a: u64) -> Option<u64> {
    let value = float_value(from, a);
    if value.is_nan() {
        return None;
    }
    let (low, high) = match (op, to) {
        (Convert::FToS, Type::I32) => (value as i32 as u64, value as i32 as f64),
        (Convert::FToS, Type::I64) => (value as i64 as u64, value as i64 as f64),
        (Convert::FToS, Type::I16) => (value as i16 as u64, value as i16 as f64),
        (Convert::FToS, Type::I8) => (value as i8 as u64, value as i8 as f64),
        (_, Type::I32) => (u64::from(value as u32), f64::from(value as u32)),
        (_, Type::I64) => (value as u64, value as u64 as f64),
        (_, Type::I16) => (u64::from(value as u16), f64::from(value as u16)),
        (_, Type::I8) => (u64::from(value as u8), f64::from(value as u8)),
        _ => return None,
    };
    // Out of range C leaves it undefined, and how narrow results saturate is the emitter's choice.
    let inside = high == value.trunc() || matches!(to, Type::I32 | Type::I64);
    inside.then_some(low & mask(to))
}

/// Folds a function that the compiler knows, of one operand.
pub(crate) fn known_unary(op: Known, ty: Type, a: u64) -> Option<u64> {
    let (x, p) = (float_value(ty, a), f32::from_bits(a as u32));
    let is_float = matches!(ty, Type::F32 | Type::F64);
    match op {
        Known::Popcount => Some(u64::from(a.count_ones())),
        Known::LeadingZeros => Some(u64::from(a.leading_zeros() - (64 - width(ty)))),
        Known::ReverseBits => Some(a.reverse_bits() >> (64 - width(ty))),
        Known::Sqrt => float(ty, x.sqrt(), p.sqrt()),
        Known::Floor if is_float => float(ty, x.floor(), p.floor()),
        Known::Ceil if is_float => float(ty, x.ceil(), p.ceil()),
        Known::Trunc if is_float => float(ty, x.trunc(), p.trunc()),
        Known::Rint if is_float => float(ty, x.round_ties_even(), p.round_ties_even()),
        Known::Abs if is_float => Some(unary(Unary::FAbs, ty, a)),
        Known::Abs => Some(signed(ty, a).wrapping_abs() as u64 & mask(ty)),
        Known::Floor
        | Known::Ceil
        | Known::Trunc
        | Known::Rint
        | Known::Fma
        | Known::Min
        | Known::Max
        | Known::Copysign
        | Known::MultiplyHigh
        | Known::Bits => None,
    }
}

/// Folds the upper half of a product.
pub(crate) fn multiply_high(ty: Type, is_signed: bool, a: u64, b: u64) -> u64 {
    let product = if is_signed {
        (i128::from(signed(ty, a)) * i128::from(signed(ty, b))) as u128
    } else {
        u128::from(a) * u128::from(b)
    };
    (product >> width(ty)) as u64 & mask(ty)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn single(value: f32) -> u64 {
        u64::from(value.to_bits())
    }

    #[test]
    fn integers_wrap_at_their_width() {
        assert_eq!(binary(Binary::Add(Default::default()), Type::I32, 0xffff_ffff, 1), Some(0));
        assert_eq!(binary(Binary::AShr, Type::I16, 0x8000, 15), Some(0xffff));
        assert_eq!(binary(Binary::SDiv, Type::I32, (-7i32) as u32 as u64, 2), Some((-3i32) as u32 as u64));
    }

    #[test]
    fn what_c_leaves_undefined_stays() {
        assert_eq!(binary(Binary::SDiv, Type::I32, 1, 0), None);
        assert_eq!(binary(Binary::SDiv, Type::I32, 0x8000_0000, 0xffff_ffff), None);
        assert_eq!(binary(Binary::Shl(Default::default()), Type::I32, 1, 32), None);
    }

    #[test]
    fn a_result_that_is_nan_is_left_to_the_device() {
        assert_eq!(binary(Binary::FDiv, Type::F32, single(0.0), single(0.0)), None);
        assert_eq!(binary(Binary::FAdd, Type::F32, single(f32::INFINITY), single(f32::NEG_INFINITY)), None);
        assert_eq!(binary(Binary::FMin, Type::F32, single(f32::NAN), single(1.0)), Some(single(1.0)));
    }

    #[test]
    fn of_two_zeros_the_first_is_the_least_and_the_greatest() {
        let (plus, minus) = (single(0.0), single(-0.0));
        for op in [Binary::FMin, Binary::FMax] {
            assert_eq!(binary(op, Type::F32, plus, minus), Some(plus));
            assert_eq!(binary(op, Type::F32, minus, plus), Some(minus));
        }
    }

    #[test]
    fn floats_saturate_as_integers() {
        assert_eq!(convert(Convert::FToS, Type::F32, Type::I32, single(3e9)), Some(0x7fff_ffff));
        assert_eq!(convert(Convert::FToU, Type::F32, Type::I32, single(-1.5)), Some(0));
        assert_eq!(convert(Convert::FToS, Type::F32, Type::I8, single(300.0)), None);
        assert_eq!(convert(Convert::SToF, Type::I32, Type::F32, 16_777_217), Some(single(16_777_216.0)));
    }

    #[test]
    fn the_upper_half_of_a_product_has_its_sign() {
        assert_eq!(multiply_high(Type::I32, true, 0xffff_ffff, 2), 0xffff_ffff);
        assert_eq!(multiply_high(Type::I32, false, 0xffff_ffff, 2), 1);
    }
}
