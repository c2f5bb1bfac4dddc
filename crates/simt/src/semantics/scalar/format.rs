//! The floating-point formats: their bits, and what each makes of a NaN.

use super::exact::{Exact, Number};
use super::{Mode, Rounding};
use crate::semantics::directed::sum_to_odd;

/// An IEEE-like binary format.
pub(super) trait Format: Sized + 'static {
    /// Width, bits.
    const BITS: u32;
    /// Bits of the fraction.
    const FRACTION: u32;
    /// The NaN that an operation makes of nothing (PTX ISA 9.7.3 and 9.7.4).
    const NAN: u64;

    /// The bits of +∞: the exponent's.
    const INFINITY: u64 = (1 << (Self::BITS - 1)) - (1 << Self::FRACTION);
    /// The exponent of a subnormal's last place.
    const LEAST: i32 = 2 - (1 << (Self::BITS - 2 - Self::FRACTION)) - Self::FRACTION as i32;
    /// The sign's bit.
    const SIGN: u64 = 1 << (Self::BITS - 1);
    /// All bits.
    const MASK: u64 = u64::MAX >> (64 - Self::BITS);
    /// The bits of 1.0.
    const ONE: u64 = ((1 << (Self::BITS - 2 - Self::FRACTION)) - 1) << Self::FRACTION;

    /// Of a value that is in the format, exactly.
    fn value(bits: u64) -> f64;

    /// The result of an instruction that has a NaN among its operands.
    fn nan(_sources: &[u64]) -> u64 {
        Self::NAN
    }

    fn add(mode: Mode, a: u64, b: u64) -> u64 {
        add::<Self>(mode, a, b)
    }
    fn multiply(mode: Mode, a: u64, b: u64) -> u64 {
        multiply::<Self>(mode, a, b)
    }
    fn fused(mode: Mode, a: u64, b: u64, c: u64) -> u64 {
        fused::<Self>(mode, a, b, c)
    }
    fn divide(mode: Mode, a: u64, b: u64) -> u64 {
        divide::<Self>(mode, a, b)
    }
    fn root(mode: Mode, a: u64) -> u64 {
        root::<Self>(mode, a)
    }
}

impl<F: Format> super::exact::Layout for F {
    const FRACTION: u32 = <F as Format>::FRACTION;
    const LEAST: i32 = <F as Format>::LEAST;
    const SIGN: u64 = <F as Format>::SIGN;
    const INFINITY: u64 = <F as Format>::INFINITY;
}

pub(super) fn is_nan<F: Format>(bits: u64) -> bool {
    bits & !F::SIGN & F::MASK > F::INFINITY
}

pub(super) fn is_infinite<F: Format>(bits: u64) -> bool {
    bits & !F::SIGN & F::MASK == F::INFINITY
}

pub(super) fn is_negative<F: Format>(bits: u64) -> bool {
    bits & F::SIGN != 0
}

/// Subnormal numbers as zero of the same sign, where that is asked for.
#[inline(always)]
pub(super) fn flush<F: Format>(mode: Mode, bits: u64) -> u64 {
    if mode.ftz && bits & F::INFINITY == 0 { bits & F::SIGN } else { bits & F::MASK }
}

pub(super) fn unpack<F: Format>(bits: u64) -> Number {
    let negative = is_negative::<F>(bits);
    let fraction = bits & ((1 << F::FRACTION) - 1);
    let biased = (bits & F::INFINITY) >> F::FRACTION;
    match (biased, fraction) {
        (0, _) => Number::Finite(Exact { negative, exponent: F::LEAST, significand: fraction.into() }),
        _ if bits & F::INFINITY != F::INFINITY => Number::Finite(Exact {
            negative,
            exponent: F::LEAST + biased as i32 - 1,
            significand: (fraction | 1 << F::FRACTION).into(),
        }),
        (_, 0) => Number::Infinite { negative },
        _ => Number::Nan,
    }
}

fn infinity<F: Format>(negative: bool) -> u64 {
    F::INFINITY | if negative { F::SIGN } else { 0 }
}

fn add<F: Format>(mode: Mode, a: u64, b: u64) -> u64 {
    use Number::*;
    match (unpack::<F>(a), unpack::<F>(b)) {
        (Nan, _) | (_, Nan) => F::nan(&[a, b]),
        (Infinite { negative }, Infinite { negative: other }) if negative != other => F::NAN,
        (Infinite { negative }, _) | (_, Infinite { negative }) => infinity::<F>(negative),
        (Finite(x), Finite(y)) => x.add(y, mode.rounding).round::<F>(mode),
    }
}

fn multiply<F: Format>(mode: Mode, a: u64, b: u64) -> u64 {
    use Number::*;
    match (unpack::<F>(a), unpack::<F>(b)) {
        (Nan, _) | (_, Nan) => F::nan(&[a, b]),
        (Infinite { .. }, Finite(Exact { significand: 0, .. }))
        | (Finite(Exact { significand: 0, .. }), Infinite { .. }) => F::NAN,
        (Infinite { .. }, _) | (_, Infinite { .. }) => infinity::<F>((a ^ b) & F::SIGN != 0),
        (Finite(x), Finite(y)) => x.multiply(y).round::<F>(mode),
    }
}

fn fused<F: Format>(mode: Mode, a: u64, b: u64, c: u64) -> u64 {
    use Number::*;
    let negative_product = (a ^ b) & F::SIGN != 0;
    match (unpack::<F>(a), unpack::<F>(b), unpack::<F>(c)) {
        (Nan, _, _) | (_, Nan, _) | (_, _, Nan) => F::nan(&[a, b, c]),
        (Infinite { .. }, Finite(Exact { significand: 0, .. }), _)
        | (Finite(Exact { significand: 0, .. }), Infinite { .. }, _) => F::NAN,
        (Infinite { .. }, _, Infinite { negative }) | (_, Infinite { .. }, Infinite { negative })
            if negative != negative_product =>
        {
            F::NAN
        }
        (Infinite { .. }, _, _) | (_, Infinite { .. }, _) => infinity::<F>(negative_product),
        (_, _, Infinite { negative }) => infinity::<F>(negative),
        (Finite(x), Finite(y), Finite(z)) => x.multiply(y).add(z, mode.rounding).round::<F>(mode),
    }
}

fn divide<F: Format>(mode: Mode, a: u64, b: u64) -> u64 {
    use Number::*;
    let negative = (a ^ b) & F::SIGN != 0;
    match (unpack::<F>(a), unpack::<F>(b)) {
        (Nan, _) | (_, Nan) => F::nan(&[a, b]),
        (Infinite { .. }, Infinite { .. })
        | (Finite(Exact { significand: 0, .. }), Finite(Exact { significand: 0, .. })) => F::NAN,
        (Infinite { .. }, _) | (_, Finite(Exact { significand: 0, .. })) => infinity::<F>(negative),
        (_, Infinite { .. }) => Exact::zero(negative).round::<F>(mode),
        (Finite(x), Finite(y)) => x.divide(y).round::<F>(mode),
    }
}

fn root<F: Format>(mode: Mode, a: u64) -> u64 {
    match unpack::<F>(a) {
        Number::Nan => F::nan(&[a]),
        Number::Infinite { negative: false } => F::INFINITY,
        Number::Infinite { negative: true } => F::NAN,
        Number::Finite(x) if x.negative && x.significand != 0 => F::NAN,
        Number::Finite(x) => x.root().round::<F>(mode),
    }
}

/// The nearest value of a format, ties to even.
#[inline(always)]
pub(super) fn nearest<F: Format>(value: f64) -> u64 {
    let bits = value.to_bits();
    if F::BITS == 64 {
        return if value.is_nan() { F::NAN } else { bits };
    }
    let (biased, fraction) = ((bits >> 52 & 0x7ff) as i32, bits & ((1 << 52) - 1));
    let sign = bits >> 63 << (F::BITS - 1);
    match biased {
        // Far below all other formats.
        0 => return sign,
        0x7ff => return if fraction != 0 { F::NAN } else { sign | F::INFINITY },
        _ => {}
    }
    let place = (biased - 1023 - F::FRACTION as i32).max(F::LEAST);
    let shift = place - (biased - 1075);
    if shift > 54 {
        return sign;
    }
    let significand = fraction | 1 << 52;
    let is_odd = significand >> shift & 1;
    let kept = (significand + (1 << (shift - 1)) - 1 + is_odd) >> shift;
    let magnitude = (u64::from((place - F::LEAST).unsigned_abs()) << F::FRACTION) + kept;
    sign | magnitude.min(F::INFINITY)
}

/// `.f16`
pub(super) struct F16;
/// `.bf16`
pub(super) struct Bf16;
/// `.tf32`'s 19 bits, which are in the upper bits of a word.
pub(super) struct Tf32;
/// `.f32`
pub(super) struct F32;
/// `.f64`
pub(super) struct F64;

/// A short format's arithmetic by way of `f64`, which has more than twice its places: sums and products rounded there
/// first are rounded here as if they had not been.
macro_rules! short {
    () => {
        #[inline(always)]
        fn add(mode: Mode, a: u64, b: u64) -> u64 {
            let result = nearest::<Self>(Self::value(a) + Self::value(b));
            native::<Self>(mode, result).unwrap_or_else(|| add::<Self>(mode, a, b))
        }
        #[inline(always)]
        fn multiply(mode: Mode, a: u64, b: u64) -> u64 {
            let result = nearest::<Self>(Self::value(a) * Self::value(b));
            native::<Self>(mode, result).unwrap_or_else(|| multiply::<Self>(mode, a, b))
        }
        #[inline(always)]
        fn fused(mode: Mode, a: u64, b: u64, c: u64) -> u64 {
            let result = nearest::<Self>(sum_to_odd(Self::value(a) * Self::value(b), Self::value(c)));
            native::<Self>(mode, result).unwrap_or_else(|| fused::<Self>(mode, a, b, c))
        }
    };
}

/// The result of the host's own arithmetic, where PTX has the same: rounded to nearest, and not possibly flushed, which is
/// decided before it is cut to a subnormal's places.
#[inline(always)]
fn native<F: Format>(mode: Mode, bits: u64) -> Option<u64> {
    let is_result = mode.rounding == Rounding::Nearest && !(mode.ftz && bits & !F::SIGN == 1 << F::FRACTION);
    is_result.then_some(bits)
}

impl Format for F16 {
    const BITS: u32 = 16;
    const FRACTION: u32 = 10;
    const NAN: u64 = 0x7fff;
    fn value(bits: u64) -> f64 {
        let sign = (bits & 0x8000) << 48;
        let magnitude = bits & 0x7fff;
        // The fraction moves to its place; a power of two corrects the exponent, and makes subnormals normal.
        let value = match magnitude {
            0x7c00.. => f64::from_bits(0x7ff0_0000_0000_0000 | (magnitude & 0x3ff) << 42),
            _ => f64::from_bits(magnitude << 42) * f64::from_bits((1023 + 1023 - 15) << 52),
        };
        f64::from_bits(value.to_bits() | sign)
    }
    short!();
}

impl Format for Bf16 {
    const BITS: u32 = 16;
    const FRACTION: u32 = 7;
    const NAN: u64 = 0x7fff;
    fn value(bits: u64) -> f64 {
        f64::from(f32::from_bits((bits as u32) << 16))
    }
    short!();
}

impl Format for Tf32 {
    const BITS: u32 = 19;
    const FRACTION: u32 = 10;
    const NAN: u64 = 0x3ffff;
    fn value(bits: u64) -> f64 {
        f64::from(f32::from_bits((bits as u32) << 13))
    }
}

/// A format in which the machine's own arithmetic, which rounds to nearest, serves.
macro_rules! native {
    ($format:ident, $float:ty, $word:ty, $bits:literal, $fraction:literal, $nan:literal $(, $nan_of:item)?) => {
        impl $format {
            #[inline(always)]
            fn float(bits: u64) -> $float {
                <$float>::from_bits(bits as $word)
            }
            #[inline(always)]
            fn of(sources: &[u64], value: $float) -> u64 {
                // Operands are looked at only for a NaN, which is seldom.
                if value.is_nan() {
                    if sources.iter().any(|s| is_nan::<Self>(*s)) { Self::nan(sources) } else { Self::NAN }
                } else {
                    value.to_bits().into()
                }
            }
        }

        impl Format for $format {
            const BITS: u32 = $bits;
            const FRACTION: u32 = $fraction;
            const NAN: u64 = $nan;
            #[inline(always)]
            fn value(bits: u64) -> f64 {
                Self::float(bits).into()
            }
            $($nan_of)?
            #[inline(always)]
            fn add(mode: Mode, a: u64, b: u64) -> u64 {
                native::<Self>(mode, Self::of(&[a, b], Self::float(a) + Self::float(b))).unwrap_or_else(|| add::<Self>(mode, a, b))
            }
            #[inline(always)]
            fn multiply(mode: Mode, a: u64, b: u64) -> u64 {
                native::<Self>(mode, Self::of(&[a, b], Self::float(a) * Self::float(b))).unwrap_or_else(|| multiply::<Self>(mode, a, b))
            }
            #[inline(always)]
            fn fused(mode: Mode, a: u64, b: u64, c: u64) -> u64 {
                native::<Self>(mode, Self::of(&[a, b, c], Self::float(a).mul_add(Self::float(b), Self::float(c)))).unwrap_or_else(|| fused::<Self>(mode, a, b, c))
            }
            #[inline(always)]
            fn divide(mode: Mode, a: u64, b: u64) -> u64 {
                native::<Self>(mode, Self::of(&[a, b], Self::float(a) / Self::float(b))).unwrap_or_else(|| divide::<Self>(mode, a, b))
            }
            #[inline(always)]
            fn root(mode: Mode, a: u64) -> u64 {
                native::<Self>(mode, Self::of(&[a], Self::float(a).sqrt())).unwrap_or_else(|| root::<Self>(mode, a))
            }
        }
    };
}

native!(F32, f32, u32, 32, 23, 0x7fff_ffff);
native!(
    F64,
    f64,
    u64,
    64,
    52,
    0xfff8_0000_0000_0000,
    /// The first NaN among the operands, made quiet.
    fn nan(sources: &[u64]) -> u64 {
        sources.iter().find(|s| is_nan::<F64>(**s)).map_or(Self::NAN, |s| s | 1 << 51)
    }
);

#[cfg(test)]
mod tests {
    use super::super::tests::Random;
    use super::*;
    use rustc_apfloat::{Float, Round, ieee};

    const ROUNDINGS: [(Rounding, Round); 4] = [
        (Rounding::Nearest, Round::NearestTiesToEven),
        (Rounding::Zero, Round::TowardZero),
        (Rounding::Down, Round::TowardNegative),
        (Rounding::Up, Round::TowardPositive),
    ];

    /// Both are NaNs, or the same bits.
    #[track_caller]
    fn same<F: Format>(ours: u64, theirs: u128, what: &dyn Fn() -> String) {
        let is_same = if is_nan::<F>(theirs as u64) { is_nan::<F>(ours) } else { u128::from(ours) == theirs };
        assert!(is_same, "{}: {ours:x}, and {theirs:x} by apfloat", what());
    }

    fn agrees_with_apfloat<F: Format, A: Float>(seed: u64) {
        let mut random = Random(seed);
        for _ in 0..20_000 {
            let [a, b, c] = [(); 3].map(|()| random.float(F::BITS, F::FRACTION));
            let [x, y, z] = [a, b, c].map(|v| A::from_bits(v.into()));
            for (rounding, round) in ROUNDINGS {
                let mode = Mode { rounding, ..Mode::default() };
                let what = |name: &str| format!("seed {seed}: {name}.{rounding:?} {a:x} {b:x} {c:x}");
                same::<F>(add::<F>(mode, a, b), x.add_r(y, round).value.to_bits(), &|| what("add"));
                same::<F>(multiply::<F>(mode, a, b), x.mul_r(y, round).value.to_bits(), &|| what("mul"));
                same::<F>(fused::<F>(mode, a, b, c), x.mul_add_r(y, z, round).value.to_bits(), &|| {
                    what("fma")
                });
                same::<F>(divide::<F>(mode, a, b), x.div_r(y, round).value.to_bits(), &|| what("div"));
            }
        }
    }

    #[test]
    fn arithmetic_of_every_format_and_rounding_is_apfloats() {
        agrees_with_apfloat::<F16, ieee::Half>(1);
        agrees_with_apfloat::<Bf16, ieee::BFloat>(2);
        agrees_with_apfloat::<F32, ieee::Single>(3);
        agrees_with_apfloat::<F64, ieee::Double>(4);
    }

    #[test]
    fn short_formats_are_rounded_once_by_way_of_doubles() {
        fn check<F: Format>(seed: u64) {
            let mut random = Random(seed);
            for ftz in [false, true] {
                let mode = Mode { ftz, ..Mode::default() };
                for _ in 0..100_000 {
                    let [a, b, c] = [(); 3].map(|()| flush::<F>(mode, random.float(F::BITS, F::FRACTION)));
                    let what = || format!("seed {seed}, ftz {ftz}: {a:x} {b:x} {c:x}");
                    let flushed = |bits| u128::from(flush::<F>(mode, bits));
                    same::<F>(flush::<F>(mode, F::add(mode, a, b)), flushed(add::<F>(mode, a, b)), &what);
                    same::<F>(
                        flush::<F>(mode, F::multiply(mode, a, b)),
                        flushed(multiply::<F>(mode, a, b)),
                        &what,
                    );
                    same::<F>(
                        flush::<F>(mode, F::fused(mode, a, b, c)),
                        flushed(fused::<F>(mode, a, b, c)),
                        &what,
                    );
                }
            }
        }
        check::<F16>(7);
        check::<Bf16>(8);
        check::<F32>(9);
    }

    #[test]
    fn the_nearest_is_the_exact_one_rounded() {
        fn check<F: Format>(value: f64) {
            let Number::Finite(exact) = unpack::<F64>(value.to_bits()) else { return };
            assert_eq!(nearest::<F>(value), exact.round::<F>(Mode::default()), "{value:e}");
        }
        let mut random = Random(10);
        for _ in 0..100_000 {
            let value = f64::from_bits(random.float(64, 52));
            // Also at the formats' ends, and half way between their values.
            for power in [0, -14, -24, -25, 15, -126, -133, -149, 127] {
                let value = f64::from_bits(value.to_bits() & !(random.next() >> 8)) * 2f64.powi(power);
                check::<F16>(value);
                check::<Bf16>(value);
                check::<F32>(value);
            }
        }
    }

    #[test]
    fn the_machines_arithmetic_is_the_exact_one_rounded() {
        let mut random = Random(5);
        for _ in 0..50_000 {
            let [a, b, c] = [(); 3].map(|()| random.float(64, 52));
            let near = Mode::default();
            same::<F64>(F64::add(near, a, b), add::<F64>(near, a, b).into(), &|| format!("{a:x} {b:x}"));
            same::<F64>(F64::fused(near, a, b, c), fused::<F64>(near, a, b, c).into(), &|| {
                format!("{a:x} {b:x} {c:x}")
            });
            same::<F64>(F64::root(near, a), root::<F64>(near, a).into(), &|| format!("{a:x}"));
            let [a, b, c] = [a, b, c].map(|v| v >> 32 ^ v & 0xffff_ffff);
            same::<F32>(F32::divide(near, a, b), divide::<F32>(near, a, b).into(), &|| {
                format!("{a:x} {b:x}")
            });
            same::<F32>(F32::fused(near, a, b, c), fused::<F32>(near, a, b, c).into(), &|| {
                format!("{a:x} {b:x} {c:x}")
            });
            same::<F32>(F32::root(near, a), root::<F32>(near, a).into(), &|| format!("{a:x}"));
        }
    }

    #[test]
    fn directed_roots_enclose_the_root() {
        let mut random = Random(6);
        for _ in 0..50_000 {
            let a = random.float(64, 52) & !F64::SIGN;
            let [down, up] = [Rounding::Down, Rounding::Up]
                .map(|rounding| root::<F64>(Mode { rounding, ..Mode::default() }, a));
            if is_nan::<F64>(a) {
                continue;
            }
            assert_eq!(root::<F64>(Mode { rounding: Rounding::Zero, ..Mode::default() }, a), down);
            // The residual of a fused operation has the sign of root² − a; it is zero only for an exact root.
            let residual = |r: u64| F64::float(r).mul_add(F64::float(r), -F64::float(a));
            let tiny = F64::float(a) < 1e-280;
            if up == down {
                assert!(is_infinite::<F64>(a) || tiny || residual(up) == 0.0, "{a:x}");
            } else {
                assert!(up == down + 1 && (tiny || residual(down) < 0.0 && residual(up) > 0.0), "{a:x}");
            }
        }
    }

    #[test]
    fn every_half_is_the_double_of_its_value() {
        for bits in 0..=0xffffu64 {
            if !is_nan::<F16>(bits) {
                assert_eq!(nearest::<F16>(F16::value(bits)), bits);
                let sign = if bits >> 15 == 1 { -1.0 } else { 1.0 };
                let (exponent, fraction) = ((bits >> 10 & 31) as i32, (bits & 0x3ff) as f64);
                let expected = match exponent {
                    0 => fraction * 2f64.powi(-24),
                    31 => f64::INFINITY,
                    _ => (1024.0 + fraction) * 2f64.powi(exponent - 25),
                };
                assert_eq!(F16::value(bits), sign * expected);
            }
            if !is_nan::<Bf16>(bits) {
                assert_eq!(nearest::<Bf16>(Bf16::value(bits)), bits);
            }
        }
    }
}
