//! Integer arithmetic of 16, 32 and 64 bits (PTX ISA 9.7.1, 9.7.2, 9.7.12).

use super::words::*;
use super::{Compute, Kind, Scalar};
use Kind::{P, W, X};

/// An integer type: sources are read by their width, whatever else is in the register.
pub(super) trait Integer: Copy + Ord {
    const BITS: u32;
    const MIN: i128;
    const MAX: i128;
    fn of(bits: u64) -> Self;
    /// Without loss.
    fn wide(self) -> i128;
    /// Division by zero has no defined result (PTX ISA 9.7.1); this is what an H200 gives.
    fn divide(self, by: Self) -> Self;
    fn remainder(self, by: Self) -> Self;
}

macro_rules! integers {
    ($($ty:ty)*) => { $(
        impl Integer for $ty {
            const BITS: u32 = <$ty>::BITS;
            const MIN: i128 = <$ty>::MIN as i128;
            const MAX: i128 = <$ty>::MAX as i128;
            #[inline(always)]
            fn of(bits: u64) -> Self { bits as $ty }
            #[inline(always)]
            fn wide(self) -> i128 { self as i128 }
            fn divide(self, by: Self) -> Self { if by == 0 { !0 } else { self.wrapping_div(by) } }
            fn remainder(self, by: Self) -> Self { if by == 0 { !0 } else { self.wrapping_rem(by) } }
        }
    )* };
}
integers!(u8 i8 u16 i16 u32 i32 u64 i64);

#[inline(always)]
fn wide<T: Integer>(bits: u64) -> i128 {
    T::of(bits).wide()
}

/// The low bits of a result, as many as the type has; above them zeros.
#[inline(always)]
pub(super) fn wrap<T: Integer>(value: i128) -> u64 {
    value as u64 & u64::MAX >> (64 - T::BITS)
}

/// The upper half of a product. (That of two `u64` may pass what an `i128` holds: its bits are right all the same.)
#[inline(always)]
fn high<T: Integer>(a: u64, b: u64) -> i128 {
    wide::<T>(a).wrapping_mul(wide::<T>(b)) >> T::BITS
}

#[inline(always)]
fn low<T: Integer>(a: u64, b: u64) -> i128 {
    wide::<T>(a).wrapping_mul(wide::<T>(b))
}

#[inline(always)]
fn saturate<T: Integer>(value: i128) -> u64 {
    wrap::<T>(value.clamp(T::MIN, T::MAX))
}

/// 24 bits of a 32-bit operand.
#[inline(always)]
fn low24<T: Integer>(bits: u64) -> i128 {
    let bits = bits << 40;
    if T::MIN < 0 { i128::from(bits as i64 >> 40) } else { i128::from(bits >> 40) }
}

#[inline(always)]
fn relu(value: i128) -> i128 {
    value.max(0)
}

/// The sum of unsigned parts as wide as the type, and whether it passes the width.
#[inline(always)]
fn carried<T: Integer>(a: i128, b: u64, carry: u64) -> u128 {
    u128::from(wrap::<T>(a)) + u128::from(wrap::<T>(wide::<T>(b))) + u128::from(carry & 1)
}

fn arithmetic<T: Integer>(opcode: &str, words: &Words) -> Option<Scalar> {
    let signed = T::MIN < 0;
    let kind = words.ty().kind();
    let (count, compute): (usize, Compute) = match (opcode, words.flags) {
        ("add", 0) => (2, |_, [a, b, ..]| wrap::<T>(wide::<T>(a) + wide::<T>(b))),
        ("sub", 0) => (2, |_, [a, b, ..]| wrap::<T>(wide::<T>(a) - wide::<T>(b))),
        ("add", SAT) if signed && T::BITS == 32 => {
            (2, |_, [a, b, ..]| saturate::<T>(wide::<T>(a) + wide::<T>(b)))
        }
        ("sub", SAT) if signed && T::BITS == 32 => {
            (2, |_, [a, b, ..]| saturate::<T>(wide::<T>(a) - wide::<T>(b)))
        }
        ("mul", LO) => (2, |_, [a, b, ..]| wrap::<T>(low::<T>(a, b))),
        ("mul", HI) => (2, |_, [a, b, ..]| wrap::<T>(high::<T>(a, b))),
        ("mad", LO) => (3, |_, [a, b, c, _]| wrap::<T>(low::<T>(a, b).wrapping_add(wide::<T>(c)))),
        ("mad", HI) => (3, |_, [a, b, c, _]| wrap::<T>(high::<T>(a, b) + wide::<T>(c))),
        ("mad", flags) if flags == HI | SAT && signed && T::BITS == 32 => {
            (3, |_, [a, b, c, _]| saturate::<T>(high::<T>(a, b) + wide::<T>(c)))
        }
        ("div", 0) => (2, |_, [a, b, ..]| wrap::<T>(T::of(a).divide(T::of(b)).wide())),
        ("rem", 0) => (2, |_, [a, b, ..]| wrap::<T>(T::of(a).remainder(T::of(b)).wide())),
        ("sad", 0) => (3, |_, [a, b, c, _]| wrap::<T>((wide::<T>(a) - wide::<T>(b)).abs() + wide::<T>(c))),
        ("abs", 0) if signed => (1, |_, [a, ..]| wrap::<T>(wide::<T>(a).abs())),
        ("neg", 0) if signed => (1, |_, [a, ..]| wrap::<T>(-wide::<T>(a))),
        ("min", 0) => (2, |_, [a, b, ..]| wrap::<T>(T::of(a).min(T::of(b)).wide())),
        ("max", 0) => (2, |_, [a, b, ..]| wrap::<T>(T::of(a).max(T::of(b)).wide())),
        ("min", RELU) if signed && T::BITS == 32 => {
            (2, |_, [a, b, ..]| wrap::<T>(relu(T::of(a).min(T::of(b)).wide())))
        }
        ("max", RELU) if signed && T::BITS == 32 => {
            (2, |_, [a, b, ..]| wrap::<T>(relu(T::of(a).max(T::of(b)).wide())))
        }
        ("mul", WIDE) if T::BITS < 64 => {
            let compute: Compute = if T::BITS == 16 {
                |_, [a, b, ..]| u64::from(low::<T>(a, b) as u32)
            } else {
                |_, [a, b, ..]| low::<T>(a, b) as u64
            };
            return Some(Scalar::plain(W, 2, compute).result(if T::BITS == 16 { W } else { X }));
        }
        ("mad", WIDE) if T::BITS == 16 => {
            (3, |_, [a, b, c, _]| u64::from((low::<T>(a, b) as u32).wrapping_add(c as u32)))
        }
        ("mad", WIDE) if T::BITS == 32 => {
            let compute: Compute = |_, [a, b, c, _]| (low::<T>(a, b) as u64).wrapping_add(c);
            return Some(Scalar::plain(X, 3, compute).sources(&[W, W, X]));
        }
        _ if T::BITS == 16 => return None,
        ("mul24", LO) if T::BITS == 32 => (2, |_, [a, b, ..]| wrap::<T>(low24::<T>(a) * low24::<T>(b))),
        ("mul24", HI) if T::BITS == 32 => {
            (2, |_, [a, b, ..]| wrap::<T>((low24::<T>(a) * low24::<T>(b)) >> 16))
        }
        ("mad24", LO) if T::BITS == 32 => {
            (3, |_, [a, b, c, _]| wrap::<T>(low24::<T>(a) * low24::<T>(b) + wide::<T>(c)))
        }
        ("mad24", HI) if T::BITS == 32 => {
            (3, |_, [a, b, c, _]| wrap::<T>(((low24::<T>(a) * low24::<T>(b)) >> 16) + wide::<T>(c)))
        }
        ("mad24", flags) if flags == HI | SAT && signed && T::BITS == 32 => {
            (3, |_, [a, b, c, _]| saturate::<T>(((low24::<T>(a) * low24::<T>(b)) >> 16) + wide::<T>(c)))
        }
        (_, 0) => return chained::<T>(opcode, kind),
        _ => return None,
    };
    Some(Scalar::plain(kind, count, compute))
}

/// One half of an instruction that hands a carry on: `sum.…` is its value, `carry.…` the carry or borrow.
fn chained<T: Integer>(opcode: &str, kind: Kind) -> Option<Scalar> {
    let (name, is_carry) = match opcode.split_once('.')? {
        ("carry", name) => (name, true),
        ("sum", name) => (name, false),
        _ => return None,
    };
    let compute: Compute = match (name, is_carry) {
        ("add", false) => |_, [a, b, carry, _]| wrap::<T>(carried::<T>(wide::<T>(a), b, carry) as i128),
        ("add", true) => |_, [a, b, carry, _]| (carried::<T>(wide::<T>(a), b, carry) >> T::BITS) as u64,
        ("sub", false) => {
            |_, [a, b, borrow, _]| wrap::<T>(wide::<T>(a) - wide::<T>(b) - i128::from(borrow & 1))
        }
        ("sub", true) => |_, [a, b, borrow, _]| {
            let (a, b) = (wrap::<T>(wide::<T>(a)), wrap::<T>(wide::<T>(b)));
            u64::from(u128::from(a) < u128::from(b) + u128::from(borrow & 1))
        },
        ("madlo", false) => |_, [a, b, c, carry]| wrap::<T>(carried::<T>(low::<T>(a, b), c, carry) as i128),
        ("madlo", true) => |_, [a, b, c, carry]| (carried::<T>(low::<T>(a, b), c, carry) >> T::BITS) as u64,
        ("madhi", false) => |_, [a, b, c, carry]| wrap::<T>(carried::<T>(high::<T>(a, b), c, carry) as i128),
        ("madhi", true) => |_, [a, b, c, carry]| (carried::<T>(high::<T>(a, b), c, carry) >> T::BITS) as u64,
        _ => return None,
    };
    let sources: &[Kind] = match (name.starts_with("mad"), kind) {
        (false, X) => &[X, X, P],
        (false, _) => &[W, W, P],
        (true, X) => &[X, X, X, P],
        (true, _) => &[W, W, W, P],
    };
    let result = if is_carry { P } else { kind };
    Some(Scalar { result, sources, ..Scalar::plain(kind, 0, compute) })
}

/// Two 16-bit integers in a word.
fn packed<T: Integer>(opcode: &str, words: &Words) -> Option<Scalar> {
    #[inline(always)]
    fn halves<T: Integer>(a: u64, b: u64, f: impl Fn(T, T) -> i128) -> u64 {
        wrap::<T>(f(T::of(a), T::of(b))) | wrap::<T>(f(T::of(a >> 16), T::of(b >> 16))) << 16
    }
    let compute: Compute = match (opcode, words.flags) {
        ("add", 0) => |_, [a, b, ..]| halves::<T>(a, b, |a, b| a.wide() + b.wide()),
        ("sub", 0) => |_, [a, b, ..]| halves::<T>(a, b, |a, b| a.wide() - b.wide()),
        ("min", 0) => |_, [a, b, ..]| halves::<T>(a, b, |a, b| a.min(b).wide()),
        ("max", 0) => |_, [a, b, ..]| halves::<T>(a, b, |a, b| a.max(b).wide()),
        ("min", RELU) if T::MIN < 0 => |_, [a, b, ..]| halves::<T>(a, b, |a, b| relu(a.min(b).wide())),
        ("max", RELU) if T::MIN < 0 => |_, [a, b, ..]| halves::<T>(a, b, |a, b| relu(a.max(b).wide())),
        ("neg", 0) if T::MIN < 0 => {
            return Some(Scalar::plain(W, 1, |_, [a, ..]| halves::<T>(a, 0, |a, _| -a.wide())));
        }
        _ => return None,
    };
    Some(Scalar::plain(W, 2, compute))
}

/// Sums of products of bytes, and of halfwords with bytes.
fn dot(opcode: &str, words: &Words) -> Option<Scalar> {
    fn lane<T: Integer>(bits: u64, index: u32) -> i128 {
        wide::<T>(bits >> (index * T::BITS))
    }
    fn dp4a<A: Integer, B: Integer>(a: u64, b: u64, c: u64) -> u64 {
        let sum: i128 = (0..4).map(|i| lane::<A>(a, i) * lane::<B>(b, i)).sum();
        wrap::<u32>(sum + i128::from(c))
    }
    fn dp2a<A: Integer, B: Integer>(a: u64, b: u64, c: u64, first: u32) -> u64 {
        let sum: i128 = (0..2).map(|i| lane::<A>(a, i) * lane::<B>(b, first + i)).sum();
        wrap::<u32>(sum + i128::from(c))
    }
    let a = match words.ty() {
        Type::U32 => false,
        Type::S32 => true,
        _ => return None,
    };
    let b = match words.last() {
        Type::U32 => false,
        Type::S32 => true,
        _ => return None,
    };
    let compute: Compute = match (opcode, words.flags, a, b) {
        ("dp4a", 0, false, false) => |_, [a, b, c, _]| dp4a::<u8, u8>(a, b, c),
        ("dp4a", 0, false, true) => |_, [a, b, c, _]| dp4a::<u8, i8>(a, b, c),
        ("dp4a", 0, true, false) => |_, [a, b, c, _]| dp4a::<i8, u8>(a, b, c),
        ("dp4a", 0, true, true) => |_, [a, b, c, _]| dp4a::<i8, i8>(a, b, c),
        ("dp2a", LO, false, false) => |_, [a, b, c, _]| dp2a::<u16, u8>(a, b, c, 0),
        ("dp2a", LO, false, true) => |_, [a, b, c, _]| dp2a::<u16, i8>(a, b, c, 0),
        ("dp2a", LO, true, false) => |_, [a, b, c, _]| dp2a::<i16, u8>(a, b, c, 0),
        ("dp2a", LO, true, true) => |_, [a, b, c, _]| dp2a::<i16, i8>(a, b, c, 0),
        ("dp2a", HI, false, false) => |_, [a, b, c, _]| dp2a::<u16, u8>(a, b, c, 2),
        ("dp2a", HI, false, true) => |_, [a, b, c, _]| dp2a::<u16, i8>(a, b, c, 2),
        ("dp2a", HI, true, false) => |_, [a, b, c, _]| dp2a::<i16, u8>(a, b, c, 2),
        ("dp2a", HI, true, true) => |_, [a, b, c, _]| dp2a::<i16, i8>(a, b, c, 2),
        _ => return None,
    };
    Some(Scalar::plain(W, 3, compute))
}

pub(super) fn find(opcode: &str, words: &Words) -> Option<Scalar> {
    if matches!(opcode, "dp4a" | "dp2a") {
        return if words.count == 2 { dot(opcode, words) } else { None };
    }
    if words.count != 1 {
        return None;
    }
    match words.ty() {
        Type::U16 => arithmetic::<u16>(opcode, words),
        Type::S16 => arithmetic::<i16>(opcode, words),
        Type::U32 => arithmetic::<u32>(opcode, words),
        Type::S32 => arithmetic::<i32>(opcode, words),
        Type::U64 => arithmetic::<u64>(opcode, words),
        Type::S64 => arithmetic::<i64>(opcode, words),
        Type::B32 if opcode.contains('.') => arithmetic::<u32>(opcode, words),
        Type::B64 if opcode.contains('.') => arithmetic::<u64>(opcode, words),
        Type::U16x2 => packed::<u16>(opcode, words),
        Type::S16x2 => packed::<i16>(opcode, words),
        _ => None,
    }
}
