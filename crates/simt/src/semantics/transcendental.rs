//! Transcendental functions in double precision, without branches and without a machine's own library: the results are the
//! same everywhere, and the compiler makes vector instructions of a loop over lanes.
//!
//! Errors are below 2^-48 of the result (of 1, for [`sin`] and [`cos`]), far below half a unit in the last place of an
//! `.f32`, to which the approximate instructions round them. The sources are textbook: Taylor series after reducing the
//! argument (Cody and Waite, *Software Manual for the Elementary Functions*, 1980).

/// Half a circle's constant in three parts: the products of the first two, which have 33 bits, and an integer below 2^20 are
/// exact.
const HALF_PI: [f64; 3] = [
    f64::from_bits(0x3ff9_21fb_5440_0000),
    f64::from_bits(0x3dd0_b461_1a60_0000),
    f64::from_bits(0x3ba3_198a_2e03_7073),
];
/// Beyond it [`sin`] and [`cos`] lose their accuracy.
pub(crate) const FAR: f64 = 1_048_576.0;
/// Added and subtracted, it rounds to an integer, which then is in the sum's low bits.
const ROUND: f64 = 6_755_399_441_055_744.0;

/// `c[0] + c[1] * x + c[2] * x^2 …`
#[inline(always)]
fn polynomial<const N: usize>(x: f64, c: &[f64; N]) -> f64 {
    let mut sum = 0.0;
    let mut n = N;
    while n > 0 {
        n -= 1;
        sum = sum * x + c[n];
    }
    sum
}

/// 2^x; beyond 2^±200 it stays there, which is infinity or zero in every shorter format.
#[inline(always)]
pub(crate) fn exp2(x: f64) -> f64 {
    // ln(2)^n / n!
    const TERMS: [f64; 13] = {
        let mut terms = [1.0; 13];
        let mut n = 1;
        while n < 13 {
            terms[n] = terms[n - 1] * std::f64::consts::LN_2 / n as f64;
            n += 1;
        }
        terms
    };
    let within = x.clamp(-200.0, 200.0);
    let rounded = within + ROUND;
    let part = within - (rounded - ROUND);
    let power = f64::from_bits(rounded.to_bits().wrapping_add(1023) << 52);
    let value = polynomial(part, &TERMS) * power;
    if x.is_nan() { x } else { value }
}

/// The logarithm to base 2 of a number that is not subnormal.
#[inline(always)]
pub(crate) fn log2(x: f64) -> f64 {
    // 2 / ln(2) / (2 n + 1)
    const TERMS: [f64; 11] = {
        let mut terms = [0.0; 11];
        let mut n = 0;
        while n < 11 {
            terms[n] = 2.0 * std::f64::consts::LOG2_E / (2 * n + 1) as f64;
            n += 1;
        }
        terms
    };
    // The significand from about 0.7 to 1.4.
    let bits = x.to_bits();
    let shifted = bits.wrapping_sub(0x3fe6_a09e_0000_0000);
    let exponent = (shifted as i64 >> 52) as i32;
    let significand = f64::from_bits(bits.wrapping_sub((exponent as i64 as u64) << 52));
    let s = (significand - 1.0) / (significand + 1.0);
    let value = f64::from(exponent) + s * polynomial(s * s, &TERMS);
    if x > 0.0 && x < f64::INFINITY {
        value
    } else if x == 0.0 {
        f64::NEG_INFINITY
    } else if x > 0.0 {
        x
    } else {
        f64::NAN
    }
}

/// The sine of what lies `quarters` quarters of a circle ahead, for arguments up to [`FAR`].
#[inline(always)]
fn wave(x: f64, quarters: u64) -> f64 {
    // (-1)^n / (2 n + 1)! and (-1)^n / (2 n)!
    const SINE: [f64; 9] = series(1);
    const COSINE: [f64; 9] = series(0);
    let rounded = x * std::f64::consts::FRAC_2_PI + ROUND;
    let turns = rounded - ROUND;
    let part = ((x - turns * HALF_PI[0]) - turns * HALF_PI[1]) - turns * HALF_PI[2];
    let square = part * part;
    let (sine, cosine) = (part * polynomial(square, &SINE), polynomial(square, &COSINE));
    let quadrant = rounded.to_bits().wrapping_add(quarters);
    let value = if quadrant & 1 == 0 { sine } else { cosine };
    f64::from_bits(value.to_bits() ^ (quadrant & 2) << 62)
}

const fn series(first: usize) -> [f64; 9] {
    let mut terms = [1.0; 9];
    let mut n = 1;
    while n < 9 {
        let last = 2 * n + first;
        terms[n] = -terms[n - 1] / (last * (last - 1)) as f64;
        n += 1;
    }
    terms
}

/// The sine, for arguments up to [`FAR`].
#[inline(always)]
pub(crate) fn sin(x: f64) -> f64 {
    wave(x, 0)
}

/// The cosine, for arguments up to [`FAR`].
#[inline(always)]
pub(crate) fn cos(x: f64) -> f64 {
    wave(x, 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Arguments of `.f32`s: random ones of all sizes up to a bound, both signs.
    fn arguments(bound: f32) -> impl Iterator<Item = f64> {
        let mut state = 0x9e37_79b9_7f4a_7c15u64;
        (0..200_000).map(move |n| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let part = (state >> 40) as f32 / (1 << 24) as f32;
            let sign = if state & 1 == 0 { 1.0 } else { -1.0 };
            f64::from(sign * part * bound * 2f32.powi(-(n % 24)))
        })
    }

    fn worst(bound: f32, ours: fn(f64) -> f64, theirs: fn(f64) -> f64, relative: bool) -> f64 {
        let error = |x: f64| {
            let (is, should) = (ours(x), theirs(x));
            (is - should).abs() / if relative { should.abs() } else { 1.0 }
        };
        arguments(bound).map(error).fold(0.0, f64::max)
    }

    #[test]
    fn errors_are_below_two_to_the_minus_48() {
        let bound = 2f64.powi(-48);
        let positive = |x: f64| log2(x.abs().max(1e-300));
        let theirs = |x: f64| libm::log2(x.abs().max(1e-300));
        let found = [
            worst(150.0, exp2, libm::exp2, true),
            worst(3e38, positive, theirs, true),
            worst(3.0, positive, theirs, true),
            worst(7.0, sin, libm::sin, false),
            worst(7.0, cos, libm::cos, false),
            worst(FAR as f32, sin, libm::sin, false),
            worst(FAR as f32, cos, libm::cos, false),
        ];
        assert!(found.iter().all(|error| *error < bound), "{found:?}");
    }

    #[test]
    fn limits_are_those_of_the_functions() {
        assert_eq!((exp2(f64::INFINITY) as f32, exp2(f64::NEG_INFINITY) as f32), (f32::INFINITY, 0.0));
        assert!(exp2(f64::NAN).is_nan() && log2(f64::NAN).is_nan() && log2(-1.0).is_nan());
        assert_eq!((log2(0.0), log2(-0.0)), (f64::NEG_INFINITY, f64::NEG_INFINITY));
        assert_eq!((log2(f64::INFINITY), log2(1.0), log2(8.0)), (f64::INFINITY, 0.0, 3.0));
        assert_eq!((exp2(0.0), exp2(-149.0) as f32), (1.0, f32::from_bits(1)));
        assert_eq!((sin(0.0), cos(0.0)), (0.0, 1.0));
        assert!(sin(-0.0).is_sign_negative());
    }
}
