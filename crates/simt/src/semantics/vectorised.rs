//! Functions of registers that are too rare for a place in the interpreter's loop ([`crate::ir::alu`]), and common enough in
//! some kernels that a call for each lane is too slow: a loop over all lanes for each, out of line.
//!
//! Enters: a mnemonic; later the operands of 32 lanes, a word of 64 bits each. Leaves: the results, and the lanes whose result is not
//! known here, which [`super::scalar`] has to compute. A row computes what `scalar` does, only faster: a test compares
//! them. The exception are `ex2`, `lg2`, `sin` and `cos`, whose one meaning both take from [`super::transcendental`].

use super::rounding::Rounding::{Down, Up, Zero};
use super::{canonical, d, directed, f, flush, half, transcendental};
use crate::WARP;
use crate::lanes::{self, X};

/// A loop over all lanes: results, and a bit for each lane of which there is none (all, where the machine makes no loop fast).
pub(crate) type Vectorised = fn(&[X; 4]) -> (X, u32);

/// A lane's operand from 64 bits.
trait Operand {
    fn of(bits: u64) -> Self;
}

/// A lane's result as 64 bits, and whether it is one.
trait Outcome {
    fn bits(self) -> (u64, bool);
}

macro_rules! words {
    ($($ty:ty)+) => { $(
        impl Operand for $ty {
            #[inline(always)]
            fn of(bits: u64) -> Self {
                bits as $ty
            }
        }

        impl Outcome for $ty {
            #[inline(always)]
            fn bits(self) -> (u64, bool) {
                (u64::from(self), true)
            }
        }

        impl Outcome for ($ty, bool) {
            #[inline(always)]
            fn bits(self) -> (u64, bool) {
                (u64::from(self.0), self.1)
            }
        }
    )+ };
}

words!(u16 u32 u64);

impl Operand for bool {
    #[inline(always)]
    fn of(bits: u64) -> Self {
        bits & 1 != 0
    }
}

impl Outcome for bool {
    #[inline(always)]
    fn bits(self) -> (u64, bool) {
        (self.into(), true)
    }
}

macro_rules! table {
    ($([$($mnemonic:literal),+] ($($operand:ident: $ty:ty),+) $body:expr;)+) => {
        /// The loop for a mnemonic, if it has a row.
        pub(crate) fn named(mnemonic: &str) -> Option<Vectorised> {
            Some(match mnemonic {
                $($($mnemonic)|+ => |operands| {
                    struct Loop<'x>(&'x [X; 4]);

                    impl simd::Work for Loop<'_> {
                        type Output = (X, u32);

                        #[inline(always)]
                        fn call(self) -> (X, u32) {
                            let mut columns = self.0.iter();
                            $(let $operand = columns.next().unwrap_or(&X::ZERO);)+
                            let (mut out, mut unknown) = (X::ZERO, X::ZERO);
                            for l in 0..WARP {
                                $(let $operand = <$ty as Operand>::of($operand.0[l]);)+
                                let (bits, known) = Outcome::bits($body);
                                out.0[l] = bits;
                                unknown.0[l] = u64::from(!known);
                            }
                            (out, mask(&unknown))
                        }
                    }

                    simd::call_if_it_pays(Loop(operands)).unwrap_or((X::ZERO, lanes::ALL))
                },)+
                _ => return None,
            })
        }

        /// All mnemonics, for tests.
        #[cfg(test)]
        pub(crate) const ALL: &[&str] = &[$($($mnemonic),+),+];
    };
}

/// A bit for each lane that is not zero.
#[inline(always)]
fn mask(lanes: &X) -> u32 {
    // As a rule there are none, and a fold is a few vector instructions.
    if lanes.0.iter().fold(0, |any, lane| any | lane) == 0 {
        return 0;
    }
    lanes.0.iter().rev().fold(0, |bits, lane| bits << 1 | *lane as u32)
}

/// To 0.0 ..= 1.0; a NaN becomes +0.0.
#[inline(always)]
fn saturate(bits: u32) -> u32 {
    if bits >> 31 == 1 || f(bits).is_nan() { 0 } else { bits.min(1f32.to_bits()) }
}

/// To an integer in double precision: adding and subtracting rounds where there is no fraction to be kept.
#[inline(always)]
fn s32_from(value: f64) -> u32 {
    value as i32 as u32
}

/// An `.f64` as an integer of 32 bits; a NaN has only its highest bit.
#[inline(always)]
fn s32_from_f64(value: f64) -> u32 {
    if value.is_nan() { 1 << 31 } else { value as i32 as u32 }
}

#[inline(always)]
fn u32_from_f64(value: f64) -> u32 {
    if value.is_nan() { 1 << 31 } else { value as u32 }
}

#[inline(always)]
fn sine(a: u32, of: impl Fn(f64) -> f64) -> (u32, bool) {
    let x = f64::from(f(a));
    (canonical(of(x) as f32), x.abs() <= transcendental::FAR)
}

#[inline(always)]
fn bfe_u32(a: u32, position: u32, length: u32) -> u32 {
    let (position, length) = (position & 0xff, length & 0xff);
    let field = if position < 32 { a >> position } else { 0 };
    if length < 32 { field & ((1 << length) - 1) } else { field }
}

#[inline(always)]
fn bfi_b32(a: u32, b: u32, position: u32, length: u32) -> u32 {
    let (position, length) = (position & 0xff, length & 0xff);
    let ones = if length < 32 { (1u32 << length) - 1 } else { u32::MAX };
    let (field, value) = if position < 32 { (ones << position, a << position) } else { (0, 0) };
    b & !field | value & field
}

/// The bytes of two words that four selectors choose, each as it is or as eight times its highest bit.
#[inline(always)]
fn prmt_b32(a: u32, b: u32, selectors: u32) -> u32 {
    let bytes = u64::from(b) << 32 | u64::from(a);
    let chosen = |n: u32| {
        let selector = selectors >> (4 * n);
        let byte = (bytes >> (8 * (selector & 7))) as u32 & 0xff;
        let sign = 0u32.wrapping_sub(byte >> 7) & 0xff;
        if selector & 8 == 0 { byte } else { sign }
    };
    chosen(0) | chosen(1) << 8 | chosen(2) << 16 | chosen(3) << 24
}

#[inline(always)]
fn signed(bits: u16) -> i16 {
    bits as i16
}

table! {
    // Singles that round in a direction, or are clamped.
    ["add.rz.f32"] (a: u32, b: u32) directed::add_f32(Zero, a, b);
    ["add.rm.f32"] (a: u32, b: u32) directed::add_f32(Down, a, b);
    ["add.rp.f32"] (a: u32, b: u32) directed::add_f32(Up, a, b);
    ["sub.rz.f32"] (a: u32, b: u32) directed::sub_f32(Zero, a, b);
    ["sub.rm.f32"] (a: u32, b: u32) directed::sub_f32(Down, a, b);
    ["sub.rp.f32"] (a: u32, b: u32) directed::sub_f32(Up, a, b);
    ["mul.rz.f32"] (a: u32, b: u32) directed::mul_f32(Zero, a, b);
    ["mul.rm.f32"] (a: u32, b: u32) directed::mul_f32(Down, a, b);
    ["mul.rp.f32"] (a: u32, b: u32) directed::mul_f32(Up, a, b);
    ["fma.rz.f32"] (a: u32, b: u32, c: u32) directed::fma_f32(Zero, a, b, c);
    ["fma.rm.f32"] (a: u32, b: u32, c: u32) directed::fma_f32(Down, a, b, c);
    ["fma.rp.f32"] (a: u32, b: u32, c: u32) directed::fma_f32(Up, a, b, c);
    ["fma.rn.sat.f32"] (a: u32, b: u32, c: u32) saturate(super::fma_f32(a, b, c));
    ["add.sat.f32", "add.rn.sat.f32"] (a: u32, b: u32) saturate(super::add_f32(a, b));
    ["mul.sat.f32", "mul.rn.sat.f32"] (a: u32, b: u32) saturate(super::mul_f32(a, b));
    ["cvt.sat.f32.f32"] (a: u32) saturate(a);
    ["cvt.ftz.sat.f32.f32"] (a: u32) saturate(flush(a));
    ["neg.ftz.f32"] (a: u32) super::neg_f32(flush(a));
    ["abs.ftz.f32"] (a: u32) super::abs_f32(flush(a));
    ["min.ftz.f32"] (a: u32, b: u32) super::min_f32(flush(a), flush(b));
    ["max.ftz.f32"] (a: u32, b: u32) super::max_f32(flush(a), flush(b));
    ["copysign.f32"] (a: u32, b: u32) a & 1 << 31 | b & !(1 << 31);
    ["setp.eq.ftz.f32"] (a: u32, b: u32) super::eq_f32(flush(a), flush(b));
    ["setp.neu.ftz.f32"] (a: u32, b: u32) super::neu_f32(flush(a), flush(b));
    ["setp.lt.ftz.f32"] (a: u32, b: u32) super::lt_f32(flush(a), flush(b));
    ["setp.le.ftz.f32"] (a: u32, b: u32) super::le_f32(flush(a), flush(b));
    ["setp.gt.ftz.f32"] (a: u32, b: u32) super::gt_f32(flush(a), flush(b));
    ["setp.ge.ftz.f32"] (a: u32, b: u32) super::ge_f32(flush(a), flush(b));
    ["setp.leu.ftz.f32"] (a: u32, b: u32) super::leu_f32(flush(a), flush(b));
    ["setp.gtu.ftz.f32"] (a: u32, b: u32) super::gtu_f32(flush(a), flush(b));

    // Doubles.
    ["add.rz.f64"] (a: u64, b: u64) directed::add_f64(Zero, a, b);
    ["add.rm.f64"] (a: u64, b: u64) directed::add_f64(Down, a, b);
    ["add.rp.f64"] (a: u64, b: u64) directed::add_f64(Up, a, b);
    ["sub.rz.f64"] (a: u64, b: u64) directed::sub_f64(Zero, a, b);
    ["sub.rm.f64"] (a: u64, b: u64) directed::sub_f64(Down, a, b);
    ["sub.rp.f64"] (a: u64, b: u64) directed::sub_f64(Up, a, b);
    ["mul.rz.f64"] (a: u64, b: u64) directed::mul_f64(Zero, a, b);
    ["mul.rm.f64"] (a: u64, b: u64) directed::mul_f64(Down, a, b);
    ["mul.rp.f64"] (a: u64, b: u64) directed::mul_f64(Up, a, b);
    ["fma.rz.f64"] (a: u64, b: u64, c: u64) directed::fma_f64(Zero, a, b, c);
    ["fma.rm.f64"] (a: u64, b: u64, c: u64) directed::fma_f64(Down, a, b, c);
    ["fma.rp.f64"] (a: u64, b: u64, c: u64) directed::fma_f64(Up, a, b, c);
    ["div.rz.f64"] (a: u64, b: u64) directed::div_f64(Zero, a, b);
    ["div.rm.f64"] (a: u64, b: u64) directed::div_f64(Down, a, b);
    ["div.rp.f64"] (a: u64, b: u64) directed::div_f64(Up, a, b);
    ["sqrt.rz.f64"] (a: u64) directed::sqrt_f64(Zero, a);
    ["sqrt.rm.f64"] (a: u64) directed::sqrt_f64(Down, a);
    ["sqrt.rp.f64"] (a: u64) directed::sqrt_f64(Up, a);
    ["copysign.f64"] (a: u64, b: u64) a & 1 << 63 | b & !(1 << 63);

    // The approximate instructions.
    ["ex2.approx.f32"] (a: u32) canonical(transcendental::exp2(f(a).into()) as f32);
    ["ex2.approx.ftz.f32"] (a: u32) flush(canonical(transcendental::exp2(f(flush(a)).into()) as f32));
    ["lg2.approx.f32"] (a: u32) canonical(transcendental::log2(f(a).into()) as f32);
    ["lg2.approx.ftz.f32"] (a: u32) canonical(transcendental::log2(f(flush(a)).into()) as f32);
    ["sin.approx.f32"] (a: u32) sine(a, transcendental::sin);
    ["cos.approx.f32"] (a: u32) sine(a, transcendental::cos);
    ["sin.approx.ftz.f32"] (a: u32) { let (bits, known) = sine(flush(a), transcendental::sin); (flush(bits), known) };
    ["cos.approx.ftz.f32"] (a: u32) sine(flush(a), transcendental::cos);

    // Conversions.
    ["cvt.rni.f32.f32"] (a: u32) canonical(f(a).round_ties_even());
    ["cvt.rzi.f32.f32"] (a: u32) canonical(f(a).trunc());
    ["cvt.rmi.f32.f32"] (a: u32) canonical(f(a).floor());
    ["cvt.rpi.f32.f32"] (a: u32) canonical(f(a).ceil());
    ["cvt.rni.f64.f64"] (a: u64) (d(a).round_ties_even().to_bits(), !d(a).is_nan());
    ["cvt.rzi.f64.f64"] (a: u64) (d(a).trunc().to_bits(), !d(a).is_nan());
    ["cvt.rmi.f64.f64"] (a: u64) (d(a).floor().to_bits(), !d(a).is_nan());
    ["cvt.rpi.f64.f64"] (a: u64) (d(a).ceil().to_bits(), !d(a).is_nan());
    ["cvt.rni.s32.f32"] (a: u32) s32_from(f64::from(f(a)).round_ties_even());
    ["cvt.rmi.s32.f32"] (a: u32) s32_from(f64::from(f(a)).floor());
    ["cvt.rpi.s32.f32"] (a: u32) s32_from(f64::from(f(a)).ceil());
    ["cvt.rzi.s32.f64"] (a: u64) s32_from_f64(d(a));
    ["cvt.rni.s32.f64"] (a: u64) s32_from_f64(d(a).round_ties_even());
    ["cvt.rmi.s32.f64"] (a: u64) s32_from_f64(d(a).floor());
    ["cvt.rzi.u32.f64"] (a: u64) u32_from_f64(d(a));
    ["cvt.rn.f64.s64"] (a: u64) (a as i64 as f64).to_bits();
    ["cvt.rn.f64.u64"] (a: u64) (a as f64).to_bits();
    ["cvt.rn.f32.s64"] (a: u64) (a as i64 as f32).to_bits();
    ["cvt.rn.f32.u16"] (a: u32) ((a & 0xffff) as f32).to_bits();
    ["cvt.rn.f32.s16"] (a: u32) f32::from(a as i16).to_bits();
    ["cvt.f32.f16"] (a: u16) half::f32_from_f16(a);
    ["cvt.rn.f16.f32"] (a: u32) half::f16_from_f32(a);
    ["cvt.rn.bf16.f32"] (a: u32) half::bf16_from_f32(a);

    // Halves, one or two.
    ["add.f16", "add.rn.f16"] (a: u16, b: u16) half::f16(half::add, [a, b, 0]);
    ["sub.f16", "sub.rn.f16"] (a: u16, b: u16) half::f16(half::sub, [a, b, 0]);
    ["mul.f16", "mul.rn.f16"] (a: u16, b: u16) half::f16(half::mul, [a, b, 0]);
    ["fma.rn.f16"] (a: u16, b: u16, c: u16) half::f16(half::fma, [a, b, c]);
    ["add.f16x2", "add.rn.f16x2"] (a: u32, b: u32) half::f16x2(half::add, [a, b, 0]);
    ["sub.f16x2", "sub.rn.f16x2"] (a: u32, b: u32) half::f16x2(half::sub, [a, b, 0]);
    ["mul.f16x2", "mul.rn.f16x2"] (a: u32, b: u32) half::f16x2(half::mul, [a, b, 0]);
    ["fma.rn.f16x2"] (a: u32, b: u32, c: u32) half::f16x2(half::fma, [a, b, c]);
    ["fma.rn.bf16"] (a: u16, b: u16, c: u16) half::bf16(half::fma, [a, b, c]);
    ["fma.rn.bf16x2"] (a: u32, b: u32, c: u32) half::bf16x2(half::fma, [a, b, c]);

    // Integers.
    ["mov.b16", "mov.u16", "mov.s16"] (a: u16) a;
    ["and.b16"] (a: u16, b: u16) a & b;
    ["or.b16"] (a: u16, b: u16) a | b;
    ["xor.b16"] (a: u16, b: u16) a ^ b;
    ["not.b16"] (a: u16) !a;
    ["selp.b16", "selp.u16", "selp.s16"] (a: u32, b: u32, p: bool) super::selp(a, b, p);
    ["add.u16", "add.s16"] (a: u16, b: u16) a.wrapping_add(b);
    ["sub.u16", "sub.s16"] (a: u16, b: u16) a.wrapping_sub(b);
    ["mul.lo.u16", "mul.lo.s16"] (a: u16, b: u16) a.wrapping_mul(b);
    ["mul.wide.u16"] (a: u16, b: u16) u32::from(a) * u32::from(b);
    ["mul.wide.s16"] (a: u16, b: u16) (i32::from(signed(a)) * i32::from(signed(b))) as u32;
    ["shl.b16"] (a: u16, by: u32) if by < 16 { a << by } else { 0 };
    ["shr.u16", "shr.b16"] (a: u16, by: u32) if by < 16 { a >> by } else { 0 };
    ["setp.eq.s16", "setp.eq.u16", "setp.eq.b16"] (a: u16, b: u16) a == b;
    ["setp.ne.s16", "setp.ne.u16", "setp.ne.b16"] (a: u16, b: u16) a != b;
    ["setp.lt.s16"] (a: u16, b: u16) signed(a) < signed(b);
    ["setp.le.s16"] (a: u16, b: u16) signed(a) <= signed(b);
    ["setp.gt.s16"] (a: u16, b: u16) signed(a) > signed(b);
    ["setp.ge.s16"] (a: u16, b: u16) signed(a) >= signed(b);
    ["setp.lt.u16"] (a: u16, b: u16) a < b;
    ["setp.le.u16"] (a: u16, b: u16) a <= b;
    ["setp.gt.u16"] (a: u16, b: u16) a > b;
    ["setp.ge.u16"] (a: u16, b: u16) a >= b;
    ["bfe.u32"] (a: u32, b: u32, c: u32) bfe_u32(a, b, c);
    ["bfi.b32"] (a: u32, b: u32, c: u32, e: u32) bfi_b32(a, b, c, e);
    ["prmt.b32"] (a: u32, b: u32, c: u32) prmt_b32(a, b, c);
    ["sum.add.u32", "sum.add.s32"] (a: u32, b: u32, carry: bool) a.wrapping_add(b).wrapping_add(carry.into());
    ["carry.add.u32", "carry.add.s32"] (a: u32, b: u32, carry: bool) (u64::from(a) + u64::from(b) + u64::from(carry)) >> 32 != 0;
    ["sum.sub.u32", "sum.sub.s32"] (a: u32, b: u32, borrow: bool) a.wrapping_sub(b).wrapping_sub(borrow.into());
    ["carry.sub.u32", "carry.sub.s32"] (a: u32, b: u32, borrow: bool) u64::from(a) < u64::from(b) + u64::from(borrow);
    ["mul.hi.u64"] (a: u64, b: u64) ((u128::from(a) * u128::from(b)) >> 64) as u64;
    ["mul.hi.s64"] (a: u64, b: u64) ((i128::from(a as i64) * i128::from(b as i64)) >> 64) as u64;
    ["clz.b64"] (a: u64) a.leading_zeros();
    ["popc.b64"] (a: u64) a.count_ones();
}
