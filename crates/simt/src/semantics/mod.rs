//! Semantics of instructions, a scalar at a time: pure functions without lanes, masks or memory.
//!
//! Floating point works on bits. IEEE operations round to nearest even, subnormals are kept, and a NaN result is the
//! canonical one, 0x7fffffff (PTX ISA 9.7.3).

#![allow(missing_docs, reason = "each function is the instruction of its name")]

pub(crate) mod arithmetic;
pub(crate) mod atomic;
mod directed;
mod fused;
mod half;
pub(crate) mod matrix;
mod rounding;
pub(crate) mod scalar;
pub(crate) mod texture;
mod transcendental;
pub(crate) mod vectorised;

/// The NaN that f32 instructions return.
pub(crate) const NAN32: u32 = 0x7fff_ffff;

/// The NaN that f64 instructions make of operands that are none.
pub(crate) const NAN64: u64 = 0xfff8_0000_0000_0000;

#[inline(always)]
fn f(bits: u32) -> f32 {
    f32::from_bits(bits)
}

#[inline(always)]
fn d(bits: u64) -> f64 {
    f64::from_bits(bits)
}

/// A subnormal becomes the zero of its sign.
#[inline(always)]
fn flush(bits: u32) -> u32 {
    if bits & 0x7f80_0000 == 0 { bits & 1 << 31 } else { bits }
}

/// Results below this round to a subnormal number, were their exponent not bounded: it is half a unit in the last place
/// below the smallest normal one.
const FLUSHED: f64 = f32::MIN_POSITIVE as f64 * (1.0 - f32::EPSILON as f64 / 4.0);

/// An f64 result: a NaN is the first one among the operands, made quiet, or the canonical one.
#[inline(always)]
fn canonical_64(value: f64, operands: [u64; 3]) -> u64 {
    let nan = |bits: u64| bits & !(1 << 63) > 0x7ff0_0000_0000_0000;
    let [a, b, c] = operands;
    let quiet = 1 << 51;
    let of_nan = if nan(a) {
        a | quiet
    } else if nan(b) {
        b | quiet
    } else if nan(c) {
        c | quiet
    } else {
        NAN64
    };
    if value.is_nan() { of_nan } else { value.to_bits() }
}

#[inline(always)]
fn canonical(value: f32) -> u32 {
    if value.is_nan() { NAN32 } else { value.to_bits() }
}

macro_rules! pure {
    ($($name:ident($($arg:ident: $ty:ty),*) -> $out:ty = $body:expr;)+) => {
        $(#[inline(always)] pub(crate) fn $name($($arg: $ty),*) -> $out { $body })+
    };
}

pure! {
    // 32-bit integers
    mov_b32(a: u32) -> u32 = a;
    add_b32(a: u32, b: u32) -> u32 = a.wrapping_add(b);
    sub_b32(a: u32, b: u32) -> u32 = a.wrapping_sub(b);
    mul_lo_b32(a: u32, b: u32) -> u32 = a.wrapping_mul(b);
    mul_hi_u32(a: u32, b: u32) -> u32 = ((u64::from(a) * u64::from(b)) >> 32) as u32;
    mul_hi_s32(a: u32, b: u32) -> u32 = ((i64::from(a as i32) * i64::from(b as i32)) >> 32) as u32;
    mad_lo_b32(a: u32, b: u32, c: u32) -> u32 = a.wrapping_mul(b).wrapping_add(c);
    neg_b32(a: u32) -> u32 = a.wrapping_neg();
    abs_s32(a: u32) -> u32 = (a as i32).wrapping_abs() as u32;
    min_u32(a: u32, b: u32) -> u32 = a.min(b);
    max_u32(a: u32, b: u32) -> u32 = a.max(b);
    min_s32(a: u32, b: u32) -> u32 = (a as i32).min(b as i32) as u32;
    max_s32(a: u32, b: u32) -> u32 = (a as i32).max(b as i32) as u32;
    // Division by zero has no defined result (PTX ISA 9.7.1); this is what an H200 gives.
    div_u32(a: u32, b: u32) -> u32 = a.checked_div(b).unwrap_or(u32::MAX);
    rem_u32(a: u32, b: u32) -> u32 = a.checked_rem(b).unwrap_or(u32::MAX);
    div_s32(a: u32, b: u32) -> u32 = if b == 0 { u32::MAX } else { (a as i32).wrapping_div(b as i32) as u32 };
    rem_s32(a: u32, b: u32) -> u32 = if b == 0 { u32::MAX } else { (a as i32).wrapping_rem(b as i32) as u32 };
    and_b32(a: u32, b: u32) -> u32 = a & b;
    or_b32(a: u32, b: u32) -> u32 = a | b;
    xor_b32(a: u32, b: u32) -> u32 = a ^ b;
    not_b32(a: u32) -> u32 = !a;
    // Shifts past the width give zero, or copies of the sign (PTX ISA 9.7.8).
    shl_b32(a: u32, b: u32) -> u32 = if b < 32 { a << b } else { 0 };
    shr_u32(a: u32, b: u32) -> u32 = if b < 32 { a >> b } else { 0 };
    shr_s32(a: u32, b: u32) -> u32 = ((a as i32) >> b.min(31)) as u32;
    popc_b32(a: u32) -> u32 = a.count_ones();
    clz_b32(a: u32) -> u32 = a.leading_zeros();
    brev_b32(a: u32) -> u32 = a.reverse_bits();
    lop3_b32(a: u32, b: u32, c: u32, table: u32) -> u32 = {
        let mut out = 0;
        let mut row = 0;
        while row < 8 {
            let take = |bit: u32, v: u32| if row & bit != 0 { v } else { !v };
            if table >> row & 1 != 0 { out |= take(4, a) & take(2, b) & take(1, c); }
            row += 1;
        }
        out
    };

    // 64-bit integers
    mov_b64(a: u64) -> u64 = a;
    add_b64(a: u64, b: u64) -> u64 = a.wrapping_add(b);
    sub_b64(a: u64, b: u64) -> u64 = a.wrapping_sub(b);
    mul_lo_b64(a: u64, b: u64) -> u64 = a.wrapping_mul(b);
    mad_lo_b64(a: u64, b: u64, c: u64) -> u64 = a.wrapping_mul(b).wrapping_add(c);
    neg_b64(a: u64) -> u64 = a.wrapping_neg();
    min_u64(a: u64, b: u64) -> u64 = a.min(b);
    max_u64(a: u64, b: u64) -> u64 = a.max(b);
    min_s64(a: u64, b: u64) -> u64 = (a as i64).min(b as i64) as u64;
    max_s64(a: u64, b: u64) -> u64 = (a as i64).max(b as i64) as u64;
    and_b64(a: u64, b: u64) -> u64 = a & b;
    or_b64(a: u64, b: u64) -> u64 = a | b;
    xor_b64(a: u64, b: u64) -> u64 = a ^ b;
    not_b64(a: u64) -> u64 = !a;
    shl_b64(a: u64, b: u32) -> u64 = if b < 64 { a << b } else { 0 };
    shr_u64(a: u64, b: u32) -> u64 = if b < 64 { a >> b } else { 0 };
    shr_s64(a: u64, b: u32) -> u64 = ((a as i64) >> b.min(63)) as u64;

    // between the widths
    mul_wide_u32(a: u32, b: u32) -> u64 = u64::from(a) * u64::from(b);
    mul_wide_s32(a: u32, b: u32) -> u64 = (i64::from(a as i32) * i64::from(b as i32)) as u64;
    mad_wide_u32(a: u32, b: u32, c: u64) -> u64 = mul_wide_u32(a, b).wrapping_add(c);
    mad_wide_s32(a: u32, b: u32, c: u64) -> u64 = mul_wide_s32(a, b).wrapping_add(c);
    zero_extend_32(a: u32) -> u64 = u64::from(a);
    sign_extend_32(a: u32) -> u64 = a as i32 as i64 as u64;
    high_64(a: u64) -> u32 = (a >> 32) as u32;
    pack_64(low: u32, high: u32) -> u64 = u64::from(high) << 32 | u64::from(low);
    truncate_64(a: u64) -> u32 = a as u32;
    zero_extend_16(a: u32) -> u32 = a & 0xffff;
    sign_extend_16(a: u32) -> u32 = a as i16 as i32 as u32;
    zero_extend_8(a: u32) -> u32 = a & 0xff;
    sign_extend_8(a: u32) -> u32 = a as i8 as i32 as u32;

    // f32
    add_f32(a: u32, b: u32) -> u32 = canonical(f(a) + f(b));
    sub_f32(a: u32, b: u32) -> u32 = canonical(f(a) - f(b));
    mul_f32(a: u32, b: u32) -> u32 = canonical(f(a) * f(b));
    fma_f32(a: u32, b: u32, c: u32) -> u32 = canonical(fused::fused(f(a), f(b), f(c)));
    div_f32(a: u32, b: u32) -> u32 = canonical(f(a) / f(b));
    rcp_f32(a: u32) -> u32 = canonical(1.0 / f(a));
    sqrt_f32(a: u32) -> u32 = canonical(f(a).sqrt());
    neg_f32(a: u32) -> u32 = if f(a).is_nan() { NAN32 } else { a ^ 1 << 31 };
    abs_f32(a: u32) -> u32 = if f(a).is_nan() { NAN32 } else { a & !(1 << 31) };
    // -0 is less than +0, and a NaN gives the other operand (PTX ISA 9.7.3).
    min_f32(a: u32, b: u32) -> u32 = if f(a).is_nan() { canonical(f(b)) }
        else if f(b).is_nan() || f(a) < f(b) || (f(a) == f(b) && a >> 31 == 1) { a } else { b };
    max_f32(a: u32, b: u32) -> u32 = if f(a).is_nan() { canonical(f(b)) }
        else if f(b).is_nan() || f(a) > f(b) || (f(a) == f(b) && a >> 31 == 0) { a } else { b };

    rsqrt_f32(a: u32) -> u32 = canonical((1.0 / f64::from(f(a)).sqrt()) as f32);

    // f32 with subnormal operands and results as zero
    add_ftz_f32(a: u32, b: u32) -> u32 = flush(canonical(f(flush(a)) + f(flush(b))));
    sub_ftz_f32(a: u32, b: u32) -> u32 = flush(canonical(f(flush(a)) - f(flush(b))));
    mul_ftz_f32(a: u32, b: u32) -> u32 = {
        let (a, b) = (f(flush(a)), f(flush(b)));
        // The product of two has 48 bits: exact.
        let exact = f64::from(a) * f64::from(b);
        let bits = canonical(a * b);
        if exact.abs() < FLUSHED { bits & 1 << 31 } else { bits }
    };
    fma_ftz_f32(a: u32, b: u32, c: u32) -> u32 = {
        let (a, b, c) = (f(flush(a)), f(flush(b)), f(flush(c)));
        let bits = canonical(fused::fused(a, b, c));
        // The sum and what it lacks of the exact one (Knuth's TwoSum), to tell on which side of the bound that is.
        let (product, addend) = (f64::from(a) * f64::from(b), f64::from(c));
        let sum = product + addend;
        let back = sum - product;
        let rest = (product - (sum - back)) + (addend - back);
        let below = if sum < 0.0 { rest > 0.0 } else { rest < 0.0 };
        let flushed = sum.abs() < FLUSHED || (sum.abs() == FLUSHED && below);
        if flushed { bits & 1 << 31 } else { bits }
    };
    rcp_ftz_f32(a: u32) -> u32 = flush(canonical(1.0 / f(flush(a))));
    sqrt_ftz_f32(a: u32) -> u32 = flush(canonical(f(flush(a)).sqrt()));
    rsqrt_ftz_f32(a: u32) -> u32 = flush(rsqrt_f32(flush(a)));
    s32_from_f32(a: u32) -> u32 = f(a) as i32 as u32;
    u32_from_f32(a: u32) -> u32 = f(a) as u32;
    shf_l_wrap(low: u32, high: u32, by: u32) -> u32 =
        ((u64::from(high) << 32 | u64::from(low)) << (by & 31) >> 32) as u32;
    shf_r_wrap(low: u32, high: u32, by: u32) -> u32 = ((u64::from(high) << 32 | u64::from(low)) >> (by & 31)) as u32;

    // f64
    add_f64(a: u64, b: u64) -> u64 = canonical_64(d(a) + d(b), [a, b, 0]);
    sub_f64(a: u64, b: u64) -> u64 = canonical_64(d(a) - d(b), [a, b, 0]);
    mul_f64(a: u64, b: u64) -> u64 = canonical_64(d(a) * d(b), [a, b, 0]);
    fma_f64(a: u64, b: u64, c: u64) -> u64 = canonical_64(d(a).mul_add(d(b), d(c)), [a, b, c]);
    div_f64(a: u64, b: u64) -> u64 = canonical_64(d(a) / d(b), [a, b, 0]);
    sqrt_f64(a: u64) -> u64 = canonical_64(d(a).sqrt(), [a, 0, 0]);
    neg_f64(a: u64) -> u64 = if d(a).is_nan() { a | 1 << 51 } else { a ^ 1 << 63 };
    abs_f64(a: u64) -> u64 = if d(a).is_nan() { a | 1 << 51 } else { a & !(1 << 63) };
    // A NaN keeps its sign and the upper bits of its payload; Rust leaves both to the machine.
    f64_from_f32(a: u32) -> u64 = if f(a).is_nan() {
        u64::from(a >> 31) << 63 | 0x7ff8 << 48 | u64::from(a & 0x7f_ffff) << 29
    } else {
        f64::from(f(a)).to_bits()
    };
    f32_from_f64(a: u64) -> u32 = if d(a).is_nan() {
        (a >> 63 << 31) as u32 | 0x7fc0_0000 | (a >> 29) as u32 & 0x7f_ffff
    } else {
        (d(a) as f32).to_bits()
    };
    f64_from_s32(a: u32) -> u64 = f64::from(a as i32).to_bits();
    f64_from_u32(a: u32) -> u64 = f64::from(a).to_bits();

    f32_from_s32(a: u32) -> u32 = (a as i32 as f32).to_bits();
    f32_from_u32(a: u32) -> u32 = (a as f32).to_bits();

    // comparisons
    eq_b32(a: u32, b: u32) -> bool = a == b;
    ne_b32(a: u32, b: u32) -> bool = a != b;
    lt_u32(a: u32, b: u32) -> bool = a < b;
    le_u32(a: u32, b: u32) -> bool = a <= b;
    lt_s32(a: u32, b: u32) -> bool = (a as i32) < b as i32;
    le_s32(a: u32, b: u32) -> bool = a as i32 <= b as i32;
    gt_u32(a: u32, b: u32) -> bool = a > b;
    ge_u32(a: u32, b: u32) -> bool = a >= b;
    gt_s32(a: u32, b: u32) -> bool = a as i32 > b as i32;
    ge_s32(a: u32, b: u32) -> bool = a as i32 >= b as i32;
    eq_b64(a: u64, b: u64) -> bool = a == b;
    ne_b64(a: u64, b: u64) -> bool = a != b;
    lt_u64(a: u64, b: u64) -> bool = a < b;
    le_u64(a: u64, b: u64) -> bool = a <= b;
    lt_s64(a: u64, b: u64) -> bool = (a as i64) < b as i64;
    le_s64(a: u64, b: u64) -> bool = a as i64 <= b as i64;
    gt_u64(a: u64, b: u64) -> bool = a > b;
    ge_u64(a: u64, b: u64) -> bool = a >= b;
    gt_s64(a: u64, b: u64) -> bool = a as i64 > b as i64;
    ge_s64(a: u64, b: u64) -> bool = a as i64 >= b as i64;
    eq_f32(a: u32, b: u32) -> bool = f(a) == f(b);
    // ordered "not equal": false for NaN, in contrast to Rust's
    ne_f32(a: u32, b: u32) -> bool = f(a) < f(b) || f(a) > f(b);
    lt_f32(a: u32, b: u32) -> bool = f(a) < f(b);
    le_f32(a: u32, b: u32) -> bool = f(a) <= f(b);
    gt_f32(a: u32, b: u32) -> bool = f(a) > f(b);
    ge_f32(a: u32, b: u32) -> bool = f(a) >= f(b);
    neu_f32(a: u32, b: u32) -> bool = f(a) != f(b);
    equ_f32(a: u32, b: u32) -> bool = !ne_f32(a, b);
    ltu_f32(a: u32, b: u32) -> bool = !le_f32(b, a);
    leu_f32(a: u32, b: u32) -> bool = !lt_f32(b, a);
    gtu_f32(a: u32, b: u32) -> bool = !le_f32(a, b);
    geu_f32(a: u32, b: u32) -> bool = !lt_f32(a, b);

    eq_f64(a: u64, b: u64) -> bool = d(a) == d(b);
    ne_f64(a: u64, b: u64) -> bool = d(a) < d(b) || d(a) > d(b);
    lt_f64(a: u64, b: u64) -> bool = d(a) < d(b);
    le_f64(a: u64, b: u64) -> bool = d(a) <= d(b);
    gt_f64(a: u64, b: u64) -> bool = d(a) > d(b);
    ge_f64(a: u64, b: u64) -> bool = d(a) >= d(b);
    neu_f64(a: u64, b: u64) -> bool = d(a) != d(b);
    equ_f64(a: u64, b: u64) -> bool = !ne_f64(a, b);
    ltu_f64(a: u64, b: u64) -> bool = !le_f64(b, a);
    leu_f64(a: u64, b: u64) -> bool = !lt_f64(b, a);
    gtu_f64(a: u64, b: u64) -> bool = !le_f64(a, b);
    geu_f64(a: u64, b: u64) -> bool = !lt_f64(a, b);

    // predicates, a bit a lane
    mov_pred(a: u32) -> u32 = a;
    not_pred(a: u32) -> u32 = !a;
}

/// `selp`: `a` where the predicate holds, else `b`.
#[inline(always)]
pub(crate) fn selp<T>(a: T, b: T, p: bool) -> T {
    if p { a } else { b }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shifts_past_the_width_give_zero_or_the_sign() {
        assert_eq!((shl_b32(1, 31), shl_b32(1, 32), shl_b32(1, u32::MAX)), (1 << 31, 0, 0));
        assert_eq!((shr_u32(u32::MAX, 32), shr_s32(-5i32 as u32, 40), shr_s32(5, 40)), (0, u32::MAX, 0));
        assert_eq!((shl_b64(1, 64), shr_u64(u64::MAX, 64), shr_s64(u64::MAX, 99)), (0, 0, u64::MAX));
    }

    #[test]
    fn wide_products_keep_every_bit() {
        assert_eq!(mul_wide_s32(-3i32 as u32, 5), -15i64 as u64);
        assert_eq!(mul_wide_u32(u32::MAX, u32::MAX), 0xffff_fffe_0000_0001);
        assert_eq!((mul_hi_u32(1 << 31, 2), mul_hi_s32(1 << 31, 2)), (1, u32::MAX));
    }

    #[test]
    fn a_nan_is_the_canonical_one() {
        let signalling = 0x7f80_0001;
        assert_eq!(add_f32(signalling, 0), NAN32);
        assert_eq!(sub_f32(f32::INFINITY.to_bits(), f32::INFINITY.to_bits()), NAN32);
        assert_eq!(sqrt_f32((-1f32).to_bits()), NAN32);
    }

    #[test]
    fn a_nan_of_the_other_width_keeps_its_sign_and_payload() {
        assert_eq!(
            (f64_from_f32(0x7fc0_0001), f64_from_f32(0xffff_ffff)),
            (0x7ff8_0000_2000_0000, 0xffff_ffff_e000_0000)
        );
        assert_eq!(
            (f32_from_f64(0x7ff8_0000_2000_0000), f32_from_f64(0xfff0_0000_0000_0001)),
            (0x7fc0_0001, 0xffc0_0000)
        );
    }

    #[test]
    fn minimum_and_maximum_know_nans_and_the_sign_of_zero() {
        let (zero, minus_zero, one) = (0f32.to_bits(), (-0f32).to_bits(), 1f32.to_bits());
        assert_eq!((min_f32(zero, minus_zero), min_f32(minus_zero, zero)), (minus_zero, minus_zero));
        assert_eq!((max_f32(zero, minus_zero), max_f32(minus_zero, zero)), (zero, zero));
        assert_eq!((min_f32(NAN32, one), max_f32(one, NAN32), min_f32(NAN32, NAN32)), (one, one, NAN32));
    }

    #[test]
    fn fused_multiply_add_rounds_once() {
        // (1 + 2^-12)^2 - 1 - 2^-11 is 2^-24 exactly; rounded twice it would be 0.
        let a = (1.0f32 + 2f32.powi(-12)).to_bits();
        let c = (-1.0f32 - 2f32.powi(-11)).to_bits();
        assert_eq!(fma_f32(a, a, c), 2f32.powi(-24).to_bits());
    }

    #[test]
    fn comparisons_tell_ordered_from_unordered() {
        let one = 1f32.to_bits();
        assert!(!eq_f32(NAN32, NAN32) && !ne_f32(NAN32, one) && !lt_f32(NAN32, one) && !ge_f32(NAN32, one));
        assert!(neu_f32(NAN32, one) && equ_f32(NAN32, one) && ltu_f32(NAN32, one) && geu_f32(NAN32, one));
        assert!(leu_f32(one, one) && !gtu_f32(one, one) && gtu_f32(one, NAN32));
    }

    #[test]
    fn lop3_is_its_table() {
        let (a, b, c) = (0xf0f0_f0f0, 0xcccc_cccc, 0xaaaa_aaaa);
        assert_eq!(lop3_b32(a, b, c, 0x80), a & b & c);
        assert_eq!(lop3_b32(a, b, c, 0xfe), a | b | c);
        assert_eq!(lop3_b32(a, b, c, 0x96), a ^ b ^ c);
    }
}
