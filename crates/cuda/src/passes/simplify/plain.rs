//! What an operation is seen to be at once.
//!
//! Enters: an operation and its operands. Leaves: the constant or the operand that it is, if that can be said without a look at
//! anything else. Passes that copy instructions ask here, so that what is known in the copy is not copied.

use crate::builtin::{Known, Meaning, Told};
use crate::ir::{Binary, Def, Function, Op, Type, Value};
use crate::passes::fold;

/// What an operation is seen to be.
pub(crate) enum Plain {
    /// A constant.
    Bits(u64),
    /// One of its operands.
    Value(Value),
}

impl Plain {
    /// As a value of a type.
    pub(crate) fn value(self, function: &mut Function, ty: Type) -> Value {
        match self {
            Plain::Bits(bits) => function.value(ty, Def::constant(bits & fold::mask(ty))),
            Plain::Value(value) => value,
        }
    }
}

/// What an operation is, where its operands show it.
pub(crate) fn plain(function: &Function, op: &Op, args: &[Value], ty: Type) -> Option<Plain> {
    if let Some(bits) = folded(function, op, args, ty) {
        return Some(Plain::Bits(bits));
    }
    let value = match (op, args) {
        (Op::Select, [p, a, b]) => Some(if function.constant(*p)? == 1 { *a } else { *b }),
        (Op::Offset, [pointer, by]) => (function.constant(*by)? == 0).then_some(*pointer),
        (Op::Binary(op), [a, b]) => match (op, function.constant(*a), function.constant(*b)) {
            (Binary::Add(_) | Binary::Or | Binary::Xor, Some(0), _) => Some(*b),
            (Binary::Mul(_), Some(1), _) => Some(*b),
            (Binary::Mul(_) | Binary::And, Some(0), _) => Some(*a),
            (Binary::Add(_) | Binary::Sub(_) | Binary::Or | Binary::Xor, _, Some(0)) => Some(*a),
            (Binary::Shl(_) | Binary::LShr | Binary::AShr, _, Some(0)) => Some(*a),
            (Binary::Mul(_), _, Some(1)) => Some(*a),
            (Binary::Mul(_) | Binary::And, _, Some(0)) => Some(*b),
            _ => None,
        },
        _ => None,
    };
    value.map(Plain::Value)
}

/// Bits of an operation's result where all operands are constants.
pub(super) fn folded(function: &Function, op: &Op, args: &[Value], ty: Type) -> Option<u64> {
    let mut bits = [0; 3];
    if args.is_empty() || args.len() > 3 {
        return None;
    }
    for (bits, arg) in bits.iter_mut().zip(args) {
        *bits = function.constant(*arg)?;
    }
    let first = function.ty(function.resolve(args[0]));
    match op {
        Op::Unary(op) => Some(fold::unary(*op, ty, bits[0])),
        Op::Binary(op) => fold::binary(*op, ty, bits[0], bits[1]),
        Op::Compare(op) => Some(u64::from(fold::compare(*op, first, bits[0], bits[1]))),
        Op::Fma => fold::fma(ty, bits[0], bits[1], bits[2]),
        Op::Convert(op) => fold::convert(*op, first, ty, bits[0]),
        Op::Builtin(row, _) => match (row.meaning, args.len()) {
            (Meaning::Known(Known::MultiplyHigh), 2) => {
                let signed = row.signature.starts_with(['i', 'l', 'n']);
                Some(fold::multiply_high(ty, signed, bits[0], bits[1]))
            }
            (Meaning::Known(Known::Copysign), 2) => {
                let sign = 1 << (fold::width(ty) - 1);
                Some((bits[0] & !sign) | (bits[1] & sign))
            }
            (Meaning::Known(known), 1) => fold::known_unary(known, first, bits[0]),
            (Meaning::Told(Told::IsConstant), 1) => Some(1),
            _ => None,
        },
        _ => None,
    }
}
