//! Arithmetic of `.f16` and `.bf16` by way of `.f64`, without branches. Rounded to nearest; a NaN is the canonical one, 0x7fff
//! (PTX ISA 9.7.4).

use super::directed::sum_to_odd;
use super::f;

const NAN: u16 = 0x7fff;

/// The `.f32` of an `.f16`.
#[inline(always)]
pub(super) fn f32_from_f16(a: u16) -> u32 {
    let (sign, magnitude) = (u32::from(a) >> 15 << 31, u32::from(a) & 0x7fff);
    // The fraction moves to its place; a power of two corrects the exponent, and makes subnormals normal.
    let value = (f(magnitude << 13) * f((127 + 112) << 23)).to_bits();
    let special = if magnitude > 0x7c00 { super::NAN32 } else { 0x7f80_0000 | sign };
    if magnitude < 0x7c00 { value | sign } else { special }
}

/// The nearest `.f16` to an `.f32`.
#[inline(always)]
pub(super) fn f16_from_f32(a: u32) -> u16 {
    let (sign, magnitude) = (a >> 16 & 0x8000, a & 0x7fff_ffff);
    // A carry out of the fraction is the next exponent's first.
    let normal = magnitude.wrapping_add(0xfff + (magnitude >> 13 & 1)).wrapping_sub(112 << 23) >> 13;
    // Added to 0.5, the last place is that of the least subnormal.
    let subnormal = (f(magnitude) + 0.5).to_bits().wrapping_sub(0.5f32.to_bits());
    let finite = if magnitude < 113 << 23 { subnormal } else { normal.min(0x7c00) };
    let limited = if magnitude >= 0x4780_0000 { 0x7c00 } else { finite };
    if magnitude > 0x7f80_0000 { NAN } else { (limited | sign) as u16 }
}

/// The nearest `.bf16` to an `.f32`.
#[inline(always)]
pub(super) fn bf16_from_f32(a: u32) -> u16 {
    let rounded = a.wrapping_add(0x7fff + (a >> 16 & 1)) >> 16;
    if f(a).is_nan() { NAN } else { rounded as u16 }
}

/// `a + b`, exact or rounded to odd.
#[inline(always)]
pub(super) fn add([a, b, _]: [f64; 3]) -> f64 {
    sum_to_odd(a, b)
}

/// `a - b`, exact or rounded to odd.
#[inline(always)]
pub(super) fn sub([a, b, _]: [f64; 3]) -> f64 {
    sum_to_odd(a, -b)
}

/// `a * b`, which is exact.
#[inline(always)]
pub(super) fn mul([a, b, _]: [f64; 3]) -> f64 {
    a * b
}

/// `a * b + c`, exact or rounded to odd.
#[inline(always)]
pub(super) fn fma([a, b, c]: [f64; 3]) -> f64 {
    sum_to_odd(a * b, c)
}

/// Rounded to nearest at the last place of a format with a number of bits of fraction and this least exponent.
#[inline(always)]
fn rounded(value: f64, fraction: u64, least: u64) -> f32 {
    let exponent = (value.to_bits() >> 52 & 0x7ff).max(least);
    // One and a half times the power of two whose last place is the format's.
    let magic = f64::from_bits((exponent + 52 - fraction) << 52 | 1 << 51);
    let cut = (value + magic) - magic;
    // A sum of zero has lost its sign.
    (if cut == 0.0 {
        0f64.copysign(value)
    } else if value.is_finite() {
        cut
    } else {
        value
    }) as f32
}

/// The nearest `.f16` to a value.
#[inline(always)]
pub(super) fn nearest_f16(value: f64) -> u16 {
    f16_from_f32(rounded(value, 10, 1023 - 14).to_bits())
}

/// Results of functions of `.f16`s.
#[inline(always)]
pub(super) fn f16(function: impl Fn([f64; 3]) -> f64, operands: [u16; 3]) -> u16 {
    nearest_f16(function(operands.map(|bits| f64::from(f(f32_from_f16(bits))))))
}

/// Results of functions of `.bf16`s.
#[inline(always)]
pub(super) fn bf16(function: impl Fn([f64; 3]) -> f64, operands: [u16; 3]) -> u16 {
    let value = function(operands.map(|bits| f64::from(f(u32::from(bits) << 16))));
    let bits = rounded(value, 7, 1023 - 126).to_bits();
    if f(bits).is_nan() { NAN } else { (bits >> 16) as u16 }
}

/// Results of functions of two `.f16`s each.
#[inline(always)]
pub(super) fn f16x2(function: impl Fn([f64; 3]) -> f64, operands: [u32; 3]) -> u32 {
    let (low, high) = (operands.map(|word| word as u16), operands.map(|word| (word >> 16) as u16));
    u32::from(f16(&function, low)) | u32::from(f16(&function, high)) << 16
}

/// Results of functions of two `.bf16`s each.
#[inline(always)]
pub(super) fn bf16x2(function: impl Fn([f64; 3]) -> f64, operands: [u32; 3]) -> u32 {
    let (low, high) = (operands.map(|word| word as u16), operands.map(|word| (word >> 16) as u16));
    u32::from(bf16(&function, low)) | u32::from(bf16(&function, high)) << 16
}
