//! `cvt` to and from pairs of 8-bit floats (PTX ISA 9.7.9, "cvt").

use super::format::*;
use super::words::*;
use super::{Compute, Kind, Mode, Scalar};

/// `.e5m2`: as the IEEE formats are, with infinities.
struct E5m2;

/// `.e4m3`: all exponents are of numbers; only a magnitude of all ones is a NaN. What would be infinity is beyond 448.
struct E4m3;

impl Format for E5m2 {
    const BITS: u32 = 8;
    const FRACTION: u32 = 2;
    const NAN: u64 = 0x7f;
    fn value(bits: u64) -> f64 {
        // It is the upper half of an `.f16`.
        F16::value(bits << 8)
    }
}

impl Format for E4m3 {
    const BITS: u32 = 8;
    const FRACTION: u32 = 3;
    const NAN: u64 = 0x7f;
    const INFINITY: u64 = 0x7f;
    fn value(bits: u64) -> f64 {
        let (exponent, fraction) = ((bits >> 3 & 15) as i32, (bits & 7) as f64);
        let magnitude = match (exponent, bits & 7) {
            (15, 7) => f64::NAN,
            (0, _) => fraction * 2f64.powi(-9),
            _ => (8.0 + fraction) * 2f64.powi(exponent - 10),
        };
        if bits & 0x80 == 0 { magnitude } else { -magnitude }
    }
}

/// One element; a NaN has no sign, and what is too large is the largest number.
fn narrow<D: Format>(mode: Mode, value: f64) -> u64 {
    if value.is_nan() {
        return D::NAN;
    }
    if mode.has(RELU) && value.is_sign_negative() {
        return 0;
    }
    let bits = nearest::<D>(value);
    if bits & !D::SIGN >= D::INFINITY { bits & D::SIGN | (D::INFINITY - 1) } else { bits }
}

/// The first operand is the upper element.
fn from_singles<D: Format>(mode: Mode, [a, b, ..]: [u64; 4]) -> u64 {
    narrow::<D>(mode, F32::value(a)) << 8 | narrow::<D>(mode, F32::value(b))
}

fn from_halves<D: Format>(mode: Mode, [a, ..]: [u64; 4]) -> u64 {
    narrow::<D>(mode, F16::value(a >> 16 & 0xffff)) << 8 | narrow::<D>(mode, F16::value(a & 0xffff))
}

fn to_halves<S: Format>(mode: Mode, [a, ..]: [u64; 4]) -> u64 {
    let half = |bits: u64| {
        let value = S::value(bits & 0xff);
        if mode.has(RELU) && value.is_sign_negative() && !value.is_nan() { 0 } else { nearest::<F16>(value) }
    };
    half(a >> 8) << 16 | half(a)
}

pub(super) fn find(words: &Words) -> Option<Scalar> {
    use Type::{E4m3x2, E5m2x2, F16x2, F32};
    let (count, required, compute): (usize, u32, Compute) = match (words.ty(), words.last()) {
        (E4m3x2, F32) => (2, ROUND | SATFINITE, from_singles::<E4m3>),
        (E5m2x2, F32) => (2, ROUND | SATFINITE, from_singles::<E5m2>),
        (E4m3x2, F16x2) => (1, ROUND | SATFINITE, from_halves::<E4m3>),
        (E5m2x2, F16x2) => (1, ROUND | SATFINITE, from_halves::<E5m2>),
        (F16x2, E4m3x2) => (1, ROUND, to_halves::<E4m3>),
        (F16x2, E5m2x2) => (1, ROUND, to_halves::<E5m2>),
        _ => return None,
    };
    let is_nearest = words.rounding == super::Rounding::Nearest;
    let is_allowed = words.flags & !RELU == required && is_nearest;
    is_allowed.then(|| Scalar::plain(Kind::W, count, compute).mode(words.mode()))
}
