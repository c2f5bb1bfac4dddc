//! The approximate instructions (PTX ISA 9.7.3, 9.7.4): closer to the true value than the manual promises, since each is
//! computed in `f64` and rounded once; zeros, infinities, NaNs and subnormals as its tables say.
//!
//! The functions are [`transcendental`]'s, and beyond those the `libm` crate's: the standard library's are the system's, whose
//! last bits differ from machine to machine, and now and then so would a result.

use super::format::*;
use super::words::*;
use super::{Compute, Mode, Scalar};
use crate::semantics::transcendental;

fn sin(x: f64) -> f64 {
    if x.abs() <= transcendental::FAR { transcendental::sin(x) } else { libm::sin(x) }
}

fn cos(x: f64) -> f64 {
    if x.abs() <= transcendental::FAR { transcendental::cos(x) } else { libm::cos(x) }
}

/// Of one operand, in `f64`.
fn unary<F: Format>(mode: Mode, a: u64, function: impl Fn(f64) -> f64) -> u64 {
    flush::<F>(mode, nearest::<F>(function(F::value(flush::<F>(mode, a)))))
}

fn halves<F: Format>(mode: Mode, a: u64, function: impl Fn(f64) -> f64) -> u64 {
    unary::<F>(mode, a & 0xffff, &function) | unary::<F>(mode, a >> 16 & 0xffff, &function) << 16
}

/// As a product with the reciprocal, which is zero past 2^126: infinity times zero is a NaN.
fn divide(mode: Mode, [a, b, ..]: [u64; 4]) -> u64 {
    let (a, b) = (flush::<F32>(mode, a), flush::<F32>(mode, b));
    let (x, y) = (F32::value(a), F32::value(b));
    let quotient = if y.is_finite() && y.abs() > 2f64.powi(126) { x * 0f64.copysign(y) } else { x / y };
    flush::<F32>(mode, nearest::<F32>(quotient))
}

/// Two units in the last place over the whole range: here, half a one.
fn divide_full(mode: Mode, [a, b, ..]: [u64; 4]) -> u64 {
    let quotient = F32::value(flush::<F32>(mode, a)) / F32::value(flush::<F32>(mode, b));
    flush::<F32>(mode, nearest::<F32>(quotient))
}

/// The upper word of an `f64`, which is all that `rcp` and `rsqrt` of `.approx.ftz.f64` read and write.
fn upper(mode: Mode, a: u64, function: impl Fn(f64) -> f64) -> u64 {
    const UPPER: u64 = !0xffff_ffff;
    let value = function(F64::value(flush::<F64>(mode, a & UPPER)));
    if value.is_nan() {
        return 0x7fff_ffff_0000_0000;
    }
    let bits = value.to_bits();
    // To nearest, unless that would leave the finite numbers.
    let rounded = bits.wrapping_add(1 << 31) & UPPER;
    flush::<F64>(mode, if is_infinite::<F64>(rounded) { bits & UPPER } else { rounded })
}

pub(super) fn find(opcode: &str, words: &Words) -> Option<Scalar> {
    let ty = words.ty();
    let single: Compute = match opcode {
        "div" if words.has(APPROX) => divide,
        "div" if words.has(FULL) => divide_full,
        "rcp" => |m, [a, ..]| unary::<F32>(m, a, |x| 1.0 / x),
        "sqrt" => |m, [a, ..]| unary::<F32>(m, a, f64::sqrt),
        "rsqrt" => |m, [a, ..]| unary::<F32>(m, a, |x| 1.0 / x.sqrt()),
        "sin" => |m, [a, ..]| unary::<F32>(m, a, sin),
        "cos" => |m, [a, ..]| unary::<F32>(m, a, cos),
        "lg2" => |m, [a, ..]| unary::<F32>(m, a, transcendental::log2),
        "ex2" => |m, [a, ..]| unary::<F32>(m, a, transcendental::exp2),
        "tanh" => |m, [a, ..]| unary::<F32>(m, a, libm::tanh),
        _ => return None,
    };
    let exact = words.flags & !FTZ;
    let (count, compute) = match (ty, opcode) {
        (Type::F32, "div") => (2, single),
        (Type::F32, "tanh") if words.flags == APPROX => (1, single),
        (Type::F32, _) if opcode != "tanh" && exact == APPROX => (1, single),
        (Type::F64, "rcp") if words.flags == APPROX | FTZ => {
            (1, (|m, [a, ..]| upper(m, a, |x| 1.0 / x)) as Compute)
        }
        (Type::F64, "rsqrt") if words.flags == APPROX | FTZ => {
            (1, (|m, [a, ..]| upper(m, a, |x| 1.0 / x.sqrt())) as Compute)
        }
        (Type::F64, "rsqrt") if words.flags == APPROX => {
            (1, (|m, [a, ..]| unary::<F64>(m, a, |x| 1.0 / x.sqrt())) as Compute)
        }
        (Type::F16, "ex2") if words.flags == APPROX => {
            (1, (|m, [a, ..]| unary::<F16>(m, a, transcendental::exp2)) as Compute)
        }
        (Type::F16x2, "ex2") if words.flags == APPROX => {
            (1, (|m, [a, ..]| halves::<F16>(m, a, transcendental::exp2)) as Compute)
        }
        (Type::Bf16, "ex2") if words.flags == APPROX | FTZ => {
            (1, (|m, [a, ..]| unary::<Bf16>(m, a, transcendental::exp2)) as Compute)
        }
        (Type::Bf16x2, "ex2") if words.flags == APPROX | FTZ => {
            (1, (|m, [a, ..]| halves::<Bf16>(m, a, transcendental::exp2)) as Compute)
        }
        (Type::F16, "tanh") if words.flags == APPROX => {
            (1, (|m, [a, ..]| unary::<F16>(m, a, libm::tanh)) as Compute)
        }
        (Type::F16x2, "tanh") if words.flags == APPROX => {
            (1, (|m, [a, ..]| halves::<F16>(m, a, libm::tanh)) as Compute)
        }
        (Type::Bf16, "tanh") if words.flags == APPROX => {
            (1, (|m, [a, ..]| unary::<Bf16>(m, a, libm::tanh)) as Compute)
        }
        (Type::Bf16x2, "tanh") if words.flags == APPROX => {
            (1, (|m, [a, ..]| halves::<Bf16>(m, a, libm::tanh)) as Compute)
        }
        _ => return None,
    };
    let allowed = matches!(exact, APPROX | FULL);
    allowed.then(|| Scalar::plain(ty.kind(), count, compute).mode(words.mode()))
}
