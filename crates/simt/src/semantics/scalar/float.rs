//! IEEE arithmetic of every floating-point type, packed or not (PTX ISA 9.7.3 to 9.7.5).

use super::approximate;
use super::format::*;
use super::words::*;
use super::{Compute, Kind, Mode, Rounding, Scalar};

/// An instruction's function of its operands, in any format. Operands have no subnormals where `.ftz` is set.
pub(super) trait Operation {
    fn apply<F: Format>(mode: Mode, sources: [u64; 4]) -> u64;
}

/// Flushes, clamps.
#[inline(always)]
fn finish<F: Format>(mode: Mode, bits: u64) -> u64 {
    let bits = flush::<F>(mode, bits);
    if mode.sat {
        return saturate::<F>(bits);
    }
    // A NaN stays, in contrast to `.sat`.
    if mode.has(RELU) && is_negative::<F>(bits) && !is_nan::<F>(bits) { 0 } else { bits }
}

/// To 0.0 ..= 1.0; a NaN becomes +0.0.
#[inline(always)]
pub(super) fn saturate<F: Format>(bits: u64) -> u64 {
    if is_nan::<F>(bits) || is_negative::<F>(bits) { 0 } else { bits.min(F::ONE) }
}

/// No `map` of the array: that is several functions of the standard library for each format and operation.
fn one<F: Format, O: Operation>(mode: Mode, mut sources: [u64; 4]) -> u64 {
    for source in &mut sources {
        *source = flush::<F>(mode, *source);
    }
    finish::<F>(mode, O::apply::<F>(mode, sources))
}

fn two<F: Format, O: Operation>(mode: Mode, [a, b, c, d]: [u64; 4]) -> u64 {
    let half = |shift: u32| one::<F, O>(mode, [a >> shift, b >> shift, c >> shift, d >> shift]);
    half(0) | half(16) << 16
}

fn function<O: Operation>(ty: Type) -> Option<Compute> {
    Some(match ty {
        Type::F16 => one::<F16, O>,
        Type::Bf16 => one::<Bf16, O>,
        Type::F16x2 => two::<F16, O>,
        Type::Bf16x2 => two::<Bf16, O>,
        Type::F32 => one::<F32, O>,
        Type::F64 => one::<F64, O>,
        _ => return None,
    })
}

macro_rules! operations {
    ($($name:ident<$format:ident>($mode:pat, $sources:pat) $body:block)+) => { $(
        struct $name;
        impl Operation for $name {
            #[inline(always)]
            fn apply<$format: Format>($mode: Mode, $sources: [u64; 4]) -> u64 $body
        }
    )+ };
}

operations! {
    Add<F>(mode, [a, b, ..]) { F::add(mode, a, b) }
    Subtract<F>(mode, [a, b, ..]) {
        // A NaN keeps its sign.
        F::add(mode, a, if is_nan::<F>(b) { b } else { b ^ F::SIGN })
    }
    Multiply<F>(mode, [a, b, ..]) { F::multiply(mode, a, b) }
    Fused<F>(mode, [a, b, c, _]) { F::fused(mode, a, b, c) }
    Divide<F>(mode, [a, b, ..]) { F::divide(mode, a, b) }
    Reciprocal<F>(mode, [a, ..]) { if is_nan::<F>(a) { F::nan(&[a]) } else { F::divide(mode, F::ONE, a) } }
    Root<F>(mode, [a, ..]) { F::root(mode, a) }
    Absolute<F>(_, [a, ..]) { if is_nan::<F>(a) { F::nan(&[a]) } else { a & !F::SIGN } }
    Negate<F>(_, [a, ..]) { if is_nan::<F>(a) { F::nan(&[a]) } else { a ^ F::SIGN } }
    Minimum<F>(mode, [a, b, ..]) { extreme::<F>(mode, a, b, false) }
    Maximum<F>(mode, [a, b, ..]) { extreme::<F>(mode, a, b, true) }
}

/// The smaller or the larger of two; −0 is below +0.
#[inline(always)]
fn extreme<F: Format>(mode: Mode, a: u64, b: u64, larger: bool) -> u64 {
    let sign = (a ^ b) & F::SIGN;
    let (a, b) = if mode.has(XORSIGN) { (a & !F::SIGN, b & !F::SIGN) } else { (a, b) };
    let chosen = match (is_nan::<F>(a), is_nan::<F>(b)) {
        (false, false) => {
            // Magnitudes are in the order of their bits, negative ones backwards.
            let key =
                |bits: u64| if is_negative::<F>(bits) { !((bits & !F::SIGN) as i64) } else { bits as i64 };
            if (key(a) < key(b)) != larger { a } else { b }
        }
        (true, true) => return F::nan(&[a, b]),
        _ if mode.has(NAN) => return F::NAN,
        (true, false) => b,
        (false, true) => a,
    };
    if mode.has(XORSIGN) { chosen | sign } else { chosen }
}

/// The sign of the first, all else of the second operand.
fn copy_sign<F: Format>(_: Mode, [a, b, ..]: [u64; 4]) -> u64 {
    a & F::SIGN | b & F::MASK & !F::SIGN
}

fn is_subnormal<F: Format>(bits: u64) -> bool {
    bits & F::INFINITY == 0 && bits & F::MASK & !F::SIGN != 0
}

/// `testp`: which class a number is in.
fn test<F: Format>(words: &Words) -> Option<Compute> {
    Some(match words.flags {
        FINITE => |_, [a, ..]| u64::from(a & F::INFINITY != F::INFINITY),
        INFINITE => |_, [a, ..]| u64::from(is_infinite::<F>(a)),
        NUMBER => |_, [a, ..]| u64::from(!is_nan::<F>(a)),
        NOTANUMBER => |_, [a, ..]| u64::from(is_nan::<F>(a)),
        // Zero counts as normal.
        NORMAL => |_, [a, ..]| u64::from(a & F::INFINITY != F::INFINITY && !is_subnormal::<F>(a)),
        SUBNORMAL => |_, [a, ..]| u64::from(is_subnormal::<F>(a)),
        _ => return None,
    })
}

pub(super) fn find(opcode: &str, words: &Words) -> Option<Scalar> {
    if words.count != 1 {
        return None;
    }
    let ty = words.ty();
    let is_half = matches!(ty, Type::F16 | Type::F16x2);
    let is_bfloat = matches!(ty, Type::Bf16 | Type::Bf16x2);
    let is_short = is_half || is_bfloat;
    let is_single = ty == Type::F32;
    // What the type allows, and what the instruction allows in addition.
    let ftz = if is_single || is_half { FTZ } else { 0 };
    let sat = if is_single || is_half { SAT } else { 0 };
    // Halves are only rounded to nearest.
    if is_short && words.rounding != Rounding::Nearest {
        return None;
    }
    if words.has(APPROX)
        || words.has(FULL)
        || matches!(opcode, "rsqrt" | "sin" | "cos" | "lg2" | "ex2" | "tanh")
    {
        return approximate::find(opcode, words);
    }
    let (count, allowed, compute) = match opcode {
        "add" => (2, ROUND | ftz | sat, function::<Add>(ty)?),
        "sub" => (2, ROUND | ftz | sat, function::<Subtract>(ty)?),
        "mul" => (2, ROUND | ftz | sat, function::<Multiply>(ty)?),
        "fma" if is_short => (3, ROUND | ftz | sat | RELU, function::<Fused>(ty)?),
        "fma" | "mad" if !is_short => (3, ROUND | ftz | sat, function::<Fused>(ty)?),
        "div" if !is_short => (2, ROUND | ftz, function::<Divide>(ty)?),
        "rcp" if !is_short => (1, ROUND | ftz, function::<Reciprocal>(ty)?),
        "sqrt" if !is_short => (1, ROUND | ftz, function::<Root>(ty)?),
        "abs" => (1, ftz, function::<Absolute>(ty)?),
        "neg" => (1, ftz, function::<Negate>(ty)?),
        "min" | "max" => {
            let allowed = if ty == Type::F64 { 0 } else { ftz | NAN | XORSIGN | ABS };
            // They come together.
            if words.has(XORSIGN) != words.has(ABS) {
                return None;
            }
            (2, allowed, if opcode == "min" { function::<Minimum>(ty)? } else { function::<Maximum>(ty)? })
        }
        "copysign" if ty == Type::F32 => (2, 0, copy_sign::<F32> as Compute),
        "copysign" if ty == Type::F64 => (2, 0, copy_sign::<F64> as Compute),
        "testp" => {
            let compute = match ty {
                Type::F32 => test::<F32>(words)?,
                Type::F64 => test::<F64>(words)?,
                _ => return None,
            };
            return Some(Scalar::plain(ty.kind(), 1, compute).result(Kind::P));
        }
        _ => return None,
    };
    words.only(allowed).then(|| Scalar::plain(ty.kind(), count, compute).mode(words.mode()))
}
