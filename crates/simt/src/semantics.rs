//! What instructions compute, a scalar at a time: pure functions without lanes, masks or memory.
//!
//! Floating point works on bits. IEEE operations round to nearest even, subnormals are kept, and a NaN result is the
//! canonical one, 0x7fffffff (PTX ISA 9.7.3).

#![allow(missing_docs, reason = "each function is the instruction of its name")]

/// The NaN that f32 instructions return.
pub const NAN32: u32 = 0x7fff_ffff;

#[inline(always)]
fn f(bits: u32) -> f32 {
    f32::from_bits(bits)
}

#[inline(always)]
fn canonical(value: f32) -> u32 {
    if value.is_nan() { NAN32 } else { value.to_bits() }
}

macro_rules! pure {
    ($($name:ident($($arg:ident: $ty:ty),*) -> $out:ty = $body:expr;)+) => {
        $(#[inline(always)] pub fn $name($($arg: $ty),*) -> $out { $body })+
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
    // Division by zero has no defined result (PTX ISA 9.7.1); all ones is what H200s return.
    div_u32(a: u32, b: u32) -> u32 = if b == 0 { u32::MAX } else { a / b };
    rem_u32(a: u32, b: u32) -> u32 = if b == 0 { a } else { a % b };
    div_s32(a: u32, b: u32) -> u32 = if b == 0 { u32::MAX } else { (a as i32).wrapping_div(b as i32) as u32 };
    rem_s32(a: u32, b: u32) -> u32 = if b == 0 { a } else { (a as i32).wrapping_rem(b as i32) as u32 };
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
    truncate_64(a: u64) -> u32 = a as u32;
    zero_extend_16(a: u32) -> u32 = a & 0xffff;
    sign_extend_16(a: u32) -> u32 = a as i16 as i32 as u32;
    zero_extend_8(a: u32) -> u32 = a & 0xff;
    sign_extend_8(a: u32) -> u32 = a as i8 as i32 as u32;

    // f32
    add_f32(a: u32, b: u32) -> u32 = canonical(f(a) + f(b));
    sub_f32(a: u32, b: u32) -> u32 = canonical(f(a) - f(b));
    mul_f32(a: u32, b: u32) -> u32 = canonical(f(a) * f(b));
    fma_f32(a: u32, b: u32, c: u32) -> u32 = canonical(f(a).mul_add(f(b), f(c)));
    div_f32(a: u32, b: u32) -> u32 = canonical(f(a) / f(b));
    rcp_f32(a: u32) -> u32 = canonical(1.0 / f(a));
    sqrt_f32(a: u32) -> u32 = canonical(f(a).sqrt());
    neg_f32(a: u32) -> u32 = if f(a).is_nan() { NAN32 } else { a ^ 1 << 31 };
    abs_f32(a: u32) -> u32 = if f(a).is_nan() { NAN32 } else { a & !(1 << 31) };
    // -0 is less than +0, and a NaN gives the other operand (PTX ISA 9.7.3).
    min_f32(a: u32, b: u32) -> u32 = if f(a).is_nan() { canonical(f(b)) } else if f(b).is_nan() { a }
        else if f(a) < f(b) || (f(a) == f(b) && a >> 31 == 1) { a } else { b };
    max_f32(a: u32, b: u32) -> u32 = if f(a).is_nan() { canonical(f(b)) } else if f(b).is_nan() { a }
        else if f(a) > f(b) || (f(a) == f(b) && a >> 31 == 0) { a } else { b };

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

    // predicates, a bit a lane
    mov_pred(a: u32) -> u32 = a;
    not_pred(a: u32) -> u32 = !a;
}

/// `selp`: `a` where the predicate holds, else `b`.
#[inline(always)]
pub fn selp<T>(a: T, b: T, p: bool) -> T {
    if p { a } else { b }
}
