//! Arithmetic of C's scalars, as the standard defines it.
//!
//! Enters: operators and operands. Leaves: results, or why there is none.

use crate::hir::{Binary, Compare, Program, Type, TypeKind};

use super::Constant;

/// What a scalar type is to arithmetic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scalar {
    /// No value.
    Void,
    /// `bool`.
    Bool,
    /// Integer or enumeration.
    Integer {
        /// Width.
        bits: u32,
        /// Whether it has a sign.
        signed: bool,
    },
    /// `float`.
    Float,
    /// `double`.
    Double,
    /// Pointer, reference, `nullptr`.
    Pointer,
}

impl Scalar {
    /// Bytes in memory.
    pub(crate) fn bytes(self) -> u32 {
        match self {
            Scalar::Void => 0,
            Scalar::Bool => 1,
            Scalar::Integer { bits, .. } => bits / 8,
            Scalar::Float => 4,
            Scalar::Double | Scalar::Pointer => 8,
        }
    }
}

/// What a type is to arithmetic; `None` for arrays, records and functions.
pub(crate) fn scalar(program: &Program, ty: Type) -> Option<Scalar> {
    match program.types.kind(ty) {
        TypeKind::Void => Some(Scalar::Void),
        TypeKind::Bool => Some(Scalar::Bool),
        TypeKind::Integer(integer) => {
            Some(Scalar::Integer { bits: integer.bytes() * 8, signed: integer.signed() })
        }
        TypeKind::Float => Some(Scalar::Float),
        TypeKind::Double => Some(Scalar::Double),
        TypeKind::NullPointer
        | TypeKind::Pointer(_)
        | TypeKind::Reference { .. }
        | TypeKind::Member { .. } => Some(Scalar::Pointer),
        TypeKind::Enum(id) => {
            let of = program.enums.get(id.index())?.underlying;
            match program.types.kind(of) {
                TypeKind::Bool => Some(Scalar::Bool),
                TypeKind::Integer(integer) => {
                    Some(Scalar::Integer { bits: integer.bytes() * 8, signed: integer.signed() })
                }
                _ => None,
            }
        }
        TypeKind::Array(..) | TypeKind::UnknownArray(_) | TypeKind::Record(_) | TypeKind::Function(..) => {
            None
        }
    }
}

/// The number of a width that is equal modulo its power of two.
pub(crate) fn wrap(value: i128, bits: u32, signed: bool) -> i128 {
    if bits >= 128 || bits == 0 {
        return if bits == 0 { 0 } else { value };
    }
    let shift = 128 - bits;
    if signed { (value << shift) >> shift } else { ((value as u128) << shift >> shift) as i128 }
}

/// Result, or why there is none.
pub(crate) type Outcome<T> = Result<T, &'static str>;

/// Integer operator on operands of one type; of shifts, the right one is of any integer type.
pub(crate) fn integers(op: Binary, bits: u32, signed: bool, a: i128, b: i128) -> Outcome<i128> {
    let exact = match op {
        Binary::Add => a.wrapping_add(b),
        Binary::Subtract => a.wrapping_sub(b),
        Binary::Multiply => a.wrapping_mul(b),
        Binary::Divide | Binary::Remainder if b == 0 => return Err("division by zero"),
        Binary::Divide => a.wrapping_div(b),
        Binary::Remainder => {
            // The quotient must exist too.
            if signed && wrap(a.wrapping_div(b), bits, true) != a.wrapping_div(b) {
                return Err("overflow of a signed integer");
            }
            a.wrapping_rem(b)
        }
        Binary::And => a & b,
        Binary::Or => a | b,
        Binary::Xor => a ^ b,
        Binary::ShiftLeft | Binary::ShiftRight if b < 0 => return Err("shift by a negative number"),
        Binary::ShiftLeft | Binary::ShiftRight if b >= i128::from(bits) => {
            return Err("shift count >= width of type");
        }
        // As C++20 defines it: what does not fit falls off.
        Binary::ShiftLeft => return Ok(wrap(a << b, bits, signed)),
        Binary::ShiftRight => a >> b,
    };
    let value = wrap(exact, bits, signed);
    if signed && value != exact {
        return Err("overflow of a signed integer");
    }
    Ok(value)
}

/// Arithmetic of `float`.
pub(crate) fn floats(op: Binary, a: f32, b: f32) -> Outcome<f32> {
    match op {
        Binary::Add => Ok(a + b),
        Binary::Subtract => Ok(a - b),
        Binary::Multiply => Ok(a * b),
        Binary::Divide => Ok(a / b),
        Binary::Remainder
        | Binary::And
        | Binary::Or
        | Binary::Xor
        | Binary::ShiftLeft
        | Binary::ShiftRight => Err("integer operator on floating-point numbers"),
    }
}

/// Arithmetic of `double`.
pub(crate) fn doubles(op: Binary, a: f64, b: f64) -> Outcome<f64> {
    match op {
        Binary::Add => Ok(a + b),
        Binary::Subtract => Ok(a - b),
        Binary::Multiply => Ok(a * b),
        Binary::Divide => Ok(a / b),
        Binary::Remainder
        | Binary::And
        | Binary::Or
        | Binary::Xor
        | Binary::ShiftLeft
        | Binary::ShiftRight => Err("integer operator on floating-point numbers"),
    }
}

/// Whether a comparison holds of two things that compare so; `None` where one is NaN.
pub(crate) fn holds(op: Compare, order: Option<std::cmp::Ordering>) -> bool {
    match (op, order) {
        (Compare::NotEqual, None) => true,
        (_, None) => false,
        (Compare::Equal, Some(order)) => order.is_eq(),
        (Compare::NotEqual, Some(order)) => order.is_ne(),
        (Compare::Less, Some(order)) => order.is_lt(),
        (Compare::LessEqual, Some(order)) => order.is_le(),
        (Compare::Greater, Some(order)) => order.is_gt(),
        (Compare::GreaterEqual, Some(order)) => order.is_ge(),
    }
}

/// Float of a constant.
pub(crate) fn float(value: Constant) -> Outcome<f32> {
    match value {
        Constant::Float(bits) => Ok(f32::from_bits(bits as u32)),
        Constant::Void | Constant::Integer(_) | Constant::Address(_) => Err("not a number"),
    }
}

/// Double of a constant.
pub(crate) fn double(value: Constant) -> Outcome<f64> {
    match value {
        Constant::Float(bits) => Ok(f64::from_bits(bits)),
        Constant::Void | Constant::Integer(_) | Constant::Address(_) => Err("not a number"),
    }
}

/// Constant of a float.
pub(crate) fn of_float(value: f32) -> Constant {
    Constant::Float(u64::from(value.to_bits()))
}

/// Constant of a double.
pub(crate) fn of_double(value: f64) -> Constant {
    Constant::Float(value.to_bits())
}

/// Conversion between scalar types.
pub(crate) fn convert(value: Constant, from: Scalar, to: Scalar) -> Outcome<Constant> {
    match (value, to) {
        (_, Scalar::Void) => Ok(Constant::Void),
        (Constant::Void, _) => Err("value of type `void`"),
        (Constant::Integer(value), Scalar::Bool) => Ok(Constant::Integer(i128::from(value != 0))),
        (Constant::Integer(value), Scalar::Integer { bits, signed }) => {
            Ok(Constant::Integer(wrap(value, bits, signed)))
        }
        (Constant::Integer(value), Scalar::Float) => Ok(of_float(value as f32)),
        (Constant::Integer(value), Scalar::Double) => Ok(of_double(value as f64)),
        (Constant::Integer(value), Scalar::Pointer) => Ok(Constant::Integer(wrap(value, 64, false))),
        (Constant::Float(_), _) => {
            let wide = if from == Scalar::Float { f64::from(float(value)?) } else { double(value)? };
            convert_floating(value, wide, from, to)
        }
        (Constant::Address(_), Scalar::Pointer) => Ok(value),
        (Constant::Address(_), Scalar::Bool) => Ok(Constant::Integer(1)),
        (Constant::Address(_), Scalar::Integer { .. } | Scalar::Float | Scalar::Double) => {
            Err("the address of a variable is known only at run time")
        }
    }
}

fn convert_floating(value: Constant, wide: f64, from: Scalar, to: Scalar) -> Outcome<Constant> {
    match to {
        Scalar::Void => Ok(Constant::Void),
        Scalar::Bool => Ok(Constant::Integer(i128::from(wide != 0.0))),
        Scalar::Integer { bits, signed } => {
            // A cast to i128 saturates, so that what does not fit fits neither afterwards.
            let whole = wide.trunc() as i128;
            if wide.is_nan() || wrap(whole, bits, signed) != whole {
                return Err("floating-point number outside the range of the integer type");
            }
            Ok(Constant::Integer(whole))
        }
        Scalar::Float if from == Scalar::Float => Ok(value),
        Scalar::Float => Ok(of_float(wide as f32)),
        Scalar::Double if from == Scalar::Double => Ok(value),
        Scalar::Double => Ok(of_double(wide)),
        Scalar::Pointer => Err("floating-point number as a pointer"),
    }
}
