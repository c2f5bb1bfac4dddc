//! Floating-point operations that round in a direction: the nearest result, corrected by the sign of its error.
//!
//! Enters: bits and a direction. Leaves: bits, and whether they are the result. Where the error cannot be given in the
//! machine's own precision (infinities, NaNs, results or terms close to the ends of the range), they are not, and
//! [`super::scalar`] has to compute it.

use super::rounding::Rounding;
use super::{canonical, d, f};

/// The value of the other sign of zero, for an exact sum of zero of terms that do not have the same sign.
#[inline(always)]
fn zero_of(rounding: Rounding, value: f64, differ: bool) -> f64 {
    if value == 0.0 && differ { if rounding == Rounding::Down { -0.0 } else { 0.0 } } else { value }
}

/// Sum rounded to odd: if it is not exact, its last bit is one. Rounding it again to at most 51 places, in any direction, gives
/// what rounding the exact sum would (Boldo and Melquiond, *When double rounding is odd*, 2005).
#[inline(always)]
pub(super) fn sum_to_odd(a: f64, b: f64) -> f64 {
    let sum = a + b;
    let rest = rest_of_sum(a, b, sum);
    // Of an infinite sum it is a NaN.
    let inexact = u64::from(rest.abs() > 0.0);
    let towards_zero = (rest.to_bits() ^ sum.to_bits()) >> 63;
    f64::from_bits(sum.to_bits().wrapping_sub(inexact & towards_zero) | inexact)
}

/// The error of a sum, exactly (Knuth).
#[inline(always)]
fn rest_of_sum(a: f64, b: f64, sum: f64) -> f64 {
    let back = sum - a;
    (a - (sum - back)) + (b - back)
}

/// An `.f32` from a value, exact or rounded to odd.
#[inline(always)]
fn single(rounding: Rounding, exact: f64) -> u32 {
    let nearest = exact as f32;
    let (bits, value) = (nearest.to_bits(), f64::from(nearest));
    let negative = bits >> 31 == 1;
    let (above, below) = (value > exact, value < exact);
    let step = match rounding {
        Rounding::Nearest => 0,
        Rounding::Zero => -i32::from(if negative { below } else { above }),
        Rounding::Down => i32::from(above) * if negative { 1 } else { -1 },
        Rounding::Up => i32::from(below) * if negative { -1 } else { 1 },
    };
    let stepped = bits.wrapping_add_signed(step);
    if nearest.is_nan() { canonical(nearest) } else { stepped }
}

/// `a + b` of `.f32`s.
#[inline(always)]
pub(super) fn add_f32(rounding: Rounding, a: u32, b: u32) -> u32 {
    let sum = sum_to_odd(f(a).into(), f(b).into());
    single(rounding, zero_of(rounding, sum, (a ^ b) >> 31 == 1))
}

/// `a - b` of `.f32`s.
#[inline(always)]
pub(super) fn sub_f32(rounding: Rounding, a: u32, b: u32) -> u32 {
    add_f32(rounding, a, b ^ 1 << 31)
}

/// `a * b` of `.f32`s.
#[inline(always)]
pub(super) fn mul_f32(rounding: Rounding, a: u32, b: u32) -> u32 {
    single(rounding, f64::from(f(a)) * f64::from(f(b)))
}

/// `a * b + c` of `.f32`s.
#[inline(always)]
pub(super) fn fma_f32(rounding: Rounding, a: u32, b: u32, c: u32) -> u32 {
    let sum = sum_to_odd(f64::from(f(a)) * f64::from(f(b)), f(c).into());
    single(rounding, zero_of(rounding, sum, (a ^ b ^ c) >> 31 == 1))
}

/// Sizes between which neither a result nor its error leaves the range of an `.f64`.
const LEAST: f64 = f64::from_bits((1023 - 800) << 52);
const MOST: f64 = f64::from_bits((1023 + 1000) << 52);

#[inline(always)]
fn within(value: f64) -> bool {
    value.abs() >= LEAST && value.abs() <= MOST
}

/// A result from the nearest one and a number of the sign of what that lacks.
#[inline(always)]
fn double(rounding: Rounding, nearest: f64, rest: f64) -> u64 {
    let bits = nearest.to_bits();
    let negative = bits >> 63 == 1;
    let (above, below) = (rest < 0.0, rest > 0.0);
    let step = match rounding {
        Rounding::Nearest => 0,
        Rounding::Zero => -i64::from(if negative { below } else { above }),
        Rounding::Down => i64::from(above) * if negative { 1 } else { -1 },
        Rounding::Up => i64::from(below) * if negative { -1 } else { 1 },
    };
    bits.wrapping_add_signed(step)
}

/// `a + b` of `.f64`s.
#[inline(always)]
pub(super) fn add_f64(rounding: Rounding, a: u64, b: u64) -> (u64, bool) {
    let sum = d(a) + d(b);
    let value = zero_of(rounding, sum, (a ^ b) >> 63 == 1);
    // A sum that is zero or subnormal is exact, and so is its error.
    let known = d(a).abs() <= MOST && d(b).abs() <= MOST;
    (double(rounding, value, rest_of_sum(d(a), d(b), sum)), known)
}

/// `a - b` of `.f64`s.
#[inline(always)]
pub(super) fn sub_f64(rounding: Rounding, a: u64, b: u64) -> (u64, bool) {
    add_f64(rounding, a, b ^ 1 << 63)
}

/// `a * b` of `.f64`s.
#[inline(always)]
pub(super) fn mul_f64(rounding: Rounding, a: u64, b: u64) -> (u64, bool) {
    let product = d(a) * d(b);
    (double(rounding, product, d(a).mul_add(d(b), -product)), within(product))
}

/// `a * b + c` of `.f64`s. The error is that of Boldo and Muller (*Exact and approximated error of the FMA*, 2011).
#[inline(always)]
pub(super) fn fma_f64(rounding: Rounding, a: u64, b: u64, c: u64) -> (u64, bool) {
    let (x, y, z) = (d(a), d(b), d(c));
    let result = x.mul_add(y, z);
    let product = x * y;
    let low = x.mul_add(y, -product);
    let second = z + low;
    let third = rest_of_sum(z, low, second);
    let first = product + second;
    let rest = rest_of_sum(product, second, first);
    let gap = (first - result) + rest;
    let known = within(product) && (within(z) || z == 0.0) && (within(result) || result == 0.0);
    let value = zero_of(rounding, result, (a ^ b ^ c) >> 63 == 1);
    (double(rounding, value, gap + third), known)
}

/// `a / b` of `.f64`s.
#[inline(always)]
pub(super) fn div_f64(rounding: Rounding, a: u64, b: u64) -> (u64, bool) {
    let quotient = d(a) / d(b);
    let rest = (-quotient).mul_add(d(b), d(a));
    let sign = if b >> 63 == 1 { -rest } else { rest };
    (double(rounding, quotient, sign), within(quotient) && within(d(a)) && within(d(b)))
}

/// The root of an `.f64`.
#[inline(always)]
pub(super) fn sqrt_f64(rounding: Rounding, a: u64) -> (u64, bool) {
    let root = d(a).sqrt();
    (double(rounding, root, (-root).mul_add(root, d(a))), within(d(a)) && a >> 63 == 0)
}
