//! `cvt` between all types (PTX ISA 9.7.9, "cvt"), and `cvt.pack`.

use super::exact::{Exact, Number};
use super::float::saturate;
use super::format::*;
use super::fp8;
use super::integer::Integer;
use super::words::*;
use super::{Compute, Kind, Mode, Rounding, Scalar};

/// A result's bits: an integer narrower than its register is extended by its sign, to 32 bits.
#[inline(always)]
fn extended<D: Integer>(value: i128) -> u64 {
    let value = D::of(value as u64).wide();
    if D::BITS == 64 { value as u64 } else { value as u64 & 0xffff_ffff }
}

fn integer_to_integer<D: Integer, S: Integer>(mode: Mode, [a, ..]: [u64; 4]) -> u64 {
    let value = S::of(a).wide();
    extended::<D>(if mode.sat { value.clamp(D::MIN, D::MAX) } else { value })
}

fn integer_to_float<D: Format, S: Integer>(mode: Mode, [a, ..]: [u64; 4]) -> u64 {
    let value = S::of(a).wide();
    let bits = if S::BITS <= 32 && mode.rounding == Rounding::Nearest {
        nearest::<D>(value as i64 as f64)
    } else {
        Exact::integer(value).round::<D>(mode)
    };
    if mode.sat { saturate::<D>(bits) } else { bits }
}

/// The integer that a NaN becomes: zero, save that 64-bit results, and all from an `.f64`, have the highest bit set.
fn nan_to_integer<D: Integer, S: Format>() -> i128 {
    if D::BITS == 64 || S::BITS == 64 { 1 << (D::BITS - 1) } else { 0 }
}

fn float_to_integer<D: Integer, S: Format>(mode: Mode, [a, ..]: [u64; 4]) -> u64 {
    extended::<D>(match unpack::<S>(flush::<S>(mode, a)) {
        Number::Nan => nan_to_integer::<D, S>(),
        Number::Infinite { negative } => {
            if negative {
                D::MIN
            } else {
                D::MAX
            }
        }
        Number::Finite(exact) => exact.whole(mode.rounding).clamp(D::MIN, D::MAX),
    })
}

/// A NaN keeps its sign and the first bits of its payload to and from `.f64`, and becomes the type's own otherwise.
fn nan_to_float<D: Format, S: Format>(mode: Mode, bits: u64) -> u64 {
    if D::BITS != 64 && S::BITS != 64 {
        return D::NAN;
    }
    let bits = if mode.ftz && S::BITS == 32 { S::NAN } else { bits };
    let fraction = bits & ((1 << S::FRACTION) - 1);
    let fraction = if D::FRACTION >= S::FRACTION {
        fraction << (D::FRACTION - S::FRACTION)
    } else {
        fraction >> (S::FRACTION - D::FRACTION)
    };
    let sign = if is_negative::<S>(bits) { D::SIGN } else { 0 };
    sign | D::INFINITY | 1 << (D::FRACTION - 1) | fraction
}

#[inline(always)]
fn to_float<D: Format, S: Format>(mode: Mode, bits: u64) -> u64 {
    let bits = match unpack::<S>(bits) {
        Number::Finite(_) if mode.rounding == Rounding::Nearest && !mode.ftz && !mode.has(INTEGRAL) => {
            nearest::<D>(S::value(bits))
        }
        Number::Nan => nan_to_float::<D, S>(mode, bits),
        Number::Infinite { negative } => D::INFINITY | if negative { D::SIGN } else { 0 },
        Number::Finite(exact) if mode.has(INTEGRAL) => {
            // A fraction that becomes zero keeps its sign.
            let whole = Exact::integer(exact.whole(mode.rounding));
            let is_whole = exact.exponent >= 0;
            if is_whole { exact } else { Exact { negative: exact.negative, ..whole } }
                .round::<D>(Mode::default())
        }
        Number::Finite(exact) => exact.round::<D>(mode),
    };
    if mode.has(RELU) && is_negative::<D>(bits) && !is_nan::<D>(bits) {
        return 0;
    }
    if mode.has(SATFINITE) && is_infinite::<D>(bits) {
        return bits - 1;
    }
    if mode.sat { saturate::<D>(bits) } else { bits }
}

/// `.ftz` concerns `.f32` alone.
#[inline(always)]
fn flush_single<F: Format>(mode: Mode, bits: u64) -> u64 {
    if F::BITS == 32 { flush::<F>(mode, bits) } else { bits & F::MASK }
}

fn float_to_float<D: Format, S: Format>(mode: Mode, [a, ..]: [u64; 4]) -> u64 {
    if D::BITS == 16 {
        // To shorter formats `.ftz` is written and changes nothing (an H200 shows it).
        return to_float::<D, S>(Mode { ftz: false, ..mode }, a & S::MASK);
    }
    flush_single::<D>(mode, to_float::<D, S>(mode, flush_single::<S>(mode, a)))
}

/// A conversion that only moves bits, between equal types or types with equal upper bits: a NaN stays as it is.
fn moved<const SHIFT: u32>(_: Mode, [a, ..]: [u64; 4]) -> u64 {
    a << SHIFT
}

/// Two singles in one word; the first is the upper half.
fn singles_to_halves<D: Format>(mode: Mode, [a, b, ..]: [u64; 4]) -> u64 {
    to_float::<D, F32>(mode, a & F32::MASK) << 16 | to_float::<D, F32>(mode, b & F32::MASK)
}

fn single_to_tf32(mode: Mode, [a, ..]: [u64; 4]) -> u64 {
    let a = a & F32::MASK;
    if mode.has(AWAY) {
        // Half of the last place that stays; a carry goes into the exponent. NaNs are only cut.
        let is_finite = |bits: u64| bits & F32::INFINITY != F32::INFINITY;
        let rounded = (if is_finite(a) { a + (1 << 12) } else { a }) & !0x1fff;
        return if mode.has(SATFINITE) && !is_finite(rounded) { rounded - (1 << 13) } else { rounded };
    }
    to_float::<Tf32, F32>(mode, a) << 13
}

macro_rules! from_each {
    ($d:ident, $integer:ident, $float:ident, $source:expr) => {
        match $source {
            Type::U8 => $integer::<$d, u8> as Compute,
            Type::S8 => $integer::<$d, i8>,
            Type::U16 => $integer::<$d, u16>,
            Type::S16 => $integer::<$d, i16>,
            Type::U32 => $integer::<$d, u32>,
            Type::S32 => $integer::<$d, i32>,
            Type::U64 => $integer::<$d, u64>,
            Type::S64 => $integer::<$d, i64>,
            Type::F16 => $float::<$d, F16>,
            Type::Bf16 => $float::<$d, Bf16>,
            Type::F32 => $float::<$d, F32>,
            Type::F64 => $float::<$d, F64>,
            _ => return None,
        }
    };
}

/// Width in bits, for telling which conversions of floats lose something.
fn precision(ty: Type) -> u32 {
    match ty {
        Type::F64 => 53,
        Type::F32 => 24,
        Type::F16 => 11,
        _ => 8,
    }
}

/// Two integers, clamped into a word's narrower ones, above what the third operand has.
fn pack(modifiers: &[&str]) -> Option<Scalar> {
    fn packed<D: Integer, const BITS: u32>(_: Mode, [a, b, c, _]: [u64; 4]) -> u64 {
        let (least, most) =
            if D::MIN < 0 { (-1 << (BITS - 1), (1 << (BITS - 1)) - 1) } else { (0, (1i64 << BITS) - 1) };
        let field = |v: u64| i64::from(v as i32).clamp(least, most) as u64 & ((1 << BITS) - 1);
        (c << (2 * BITS) | field(a) << BITS | field(b)) & 0xffff_ffff
    }
    let (count, compute): (usize, Compute) = match modifiers {
        ["pack", "sat", "u16", "s32"] => (2, packed::<u32, 16>),
        ["pack", "sat", "s16", "s32"] => (2, packed::<i32, 16>),
        ["pack", "sat", "u8", "s32", "b32"] => (3, packed::<u32, 8>),
        ["pack", "sat", "s8", "s32", "b32"] => (3, packed::<i32, 8>),
        ["pack", "sat", "u4", "s32", "b32"] => (3, packed::<u32, 4>),
        ["pack", "sat", "s4", "s32", "b32"] => (3, packed::<i32, 4>),
        ["pack", "sat", "u2", "s32", "b32"] => (3, packed::<u32, 2>),
        ["pack", "sat", "s2", "s32", "b32"] => (3, packed::<i32, 2>),
        _ => return None,
    };
    Some(Scalar::plain(Kind::W, count, compute))
}

pub(super) fn find(modifiers: &[&str]) -> Option<Scalar> {
    if modifiers.first() == Some(&"pack") {
        return pack(modifiers);
    }
    let words = Words::parse(modifiers)?;
    if words.count != 2 {
        return None;
    }
    if let Some(scalar) = fp8::find(&words) {
        return Some(scalar);
    }
    let (to, from) = (words.ty(), words.last());
    let scalar = |sources, compute| Scalar {
        result: to.kind(),
        sources: repeat(from.kind(), sources),
        mode: words.mode(),
        compute,
        vectorised: None,
    };
    let halves = match (to, from) {
        (Type::F16x2, Type::F32) => Some(scalar(2, singles_to_halves::<F16> as Compute)),
        (Type::Bf16x2, Type::F32) => Some(scalar(2, singles_to_halves::<Bf16> as Compute)),
        (Type::Tf32, Type::F32) => Some(scalar(1, single_to_tf32 as Compute)),
        _ => None,
    };
    if let Some(halves) = halves {
        let away = if to == Type::Tf32 { AWAY } else { 0 };
        let is_rounded =
            words.has(ROUND | away) && matches!(words.rounding, Rounding::Nearest | Rounding::Zero);
        return (is_rounded && words.only(ROUND | RELU | SATFINITE | away)).then_some(halves);
    }
    // What may, and what must be said, by the manual's tables.
    let (allowed, required) = match (to.is_float(), from.is_float()) {
        (false, false) => (SAT, 0),
        (true, false) => (ROUND | SAT | FTZ, ROUND),
        (false, true) => (INTEGRAL | SAT | FTZ, INTEGRAL),
        (true, true) if to == from => (INTEGRAL | SAT | FTZ, 0),
        (true, true) if precision(to) > precision(from) && !(to == Type::F16 && from == Type::Bf16) => {
            (SAT | FTZ, 0)
        }
        (true, true) if from == Type::F32 => (ROUND | SAT | FTZ | RELU | SATFINITE, ROUND),
        (true, true) => (ROUND | SAT | FTZ, ROUND),
    };
    let has_single = to == Type::F32 || from == Type::F32;
    if !words.only(allowed) || words.flags & required != required || words.has(FTZ) && !has_single {
        return None;
    }
    let compute = match to {
        Type::F32 if from == Type::F32 && words.flags == 0 => moved::<0>,
        Type::F64 if from == Type::F64 && words.flags == 0 => moved::<0>,
        Type::F32 if from == Type::Bf16 && words.flags == 0 => moved::<16>,
        Type::U8 => from_each!(u8, integer_to_integer, float_to_integer, from),
        Type::S8 => from_each!(i8, integer_to_integer, float_to_integer, from),
        Type::U16 => from_each!(u16, integer_to_integer, float_to_integer, from),
        Type::S16 => from_each!(i16, integer_to_integer, float_to_integer, from),
        Type::U32 => from_each!(u32, integer_to_integer, float_to_integer, from),
        Type::S32 => from_each!(i32, integer_to_integer, float_to_integer, from),
        Type::U64 => from_each!(u64, integer_to_integer, float_to_integer, from),
        Type::S64 => from_each!(i64, integer_to_integer, float_to_integer, from),
        Type::F16 => from_each!(F16, integer_to_float, float_to_float, from),
        Type::Bf16 => from_each!(Bf16, integer_to_float, float_to_float, from),
        Type::F32 => from_each!(F32, integer_to_float, float_to_float, from),
        Type::F64 => from_each!(F64, integer_to_float, float_to_float, from),
        _ => return None,
    };
    Some(scalar(1, compute))
}
