//! Numbers without rounding, and the one place where they are rounded.
//!
//! Sums, products, quotients and roots of `f64`s (106 bits for a product) are found in 128 bits. What does not fit is
//! remembered in the last bit ("sticky"), far below the place where the result is rounded, so that it is rounded once
//! and in the right direction.

use super::{Mode, Rounding};

/// How the bits of a floating-point format lie.
pub(super) trait Layout {
    /// Bits of the fraction.
    const FRACTION: u32;
    /// The exponent of a subnormal's last place.
    const LEAST: i32;
    /// The sign's bit.
    const SIGN: u64;
    /// The bits of +∞.
    const INFINITY: u64;
}

/// (−1)^negative · significand · 2^exponent; the last bit may represent anything non-zero below it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Exact {
    pub(super) negative: bool,
    pub(super) exponent: i32,
    pub(super) significand: u128,
}

/// A floating-point value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Number {
    Nan,
    Infinite { negative: bool },
    Finite(Exact),
}

/// Shifts right; the last bit remembers what was lost.
fn shift_sticky(value: u128, by: u32) -> u128 {
    match by {
        0 => value,
        1..=127 => value >> by | u128::from(value << (128 - by) != 0),
        _ => u128::from(value != 0),
    }
}

/// `value` / 2^`by` as a whole number. A negative `by` may only shift zeros out.
fn shift_rounded(value: u128, by: i32, negative: bool, rounding: Rounding) -> u128 {
    if by <= 0 {
        return value << by.unsigned_abs();
    }
    let (kept, is_exact, half) = match by {
        1..=127 => {
            let rest = value & (u128::MAX >> (128 - by));
            (value >> by, rest == 0, rest.cmp(&(1 << (by - 1))))
        }
        128 => (0, value == 0, value.cmp(&(1 << 127))),
        _ => (0, value == 0, std::cmp::Ordering::Less),
    };
    let up = match rounding {
        Rounding::Nearest => half.is_gt() || half.is_eq() && kept & 1 == 1,
        Rounding::Zero => false,
        Rounding::Down => negative && !is_exact,
        Rounding::Up => !negative && !is_exact,
    };
    kept + u128::from(up)
}

impl Exact {
    pub(super) const fn zero(negative: bool) -> Exact {
        Exact { negative, exponent: 0, significand: 0 }
    }

    pub(super) fn integer(value: i128) -> Exact {
        Exact { negative: value < 0, exponent: 0, significand: value.unsigned_abs() }
    }

    /// The exponent of the most significant bit; the significand must not be zero.
    fn top(self) -> i32 {
        self.exponent + 127 - self.significand.leading_zeros() as i32
    }

    /// The bits in a format; what is too large becomes infinity, or the largest number if rounding does not lead there.
    /// With `.ftz`, what is below the normal numbers becomes zero: rounded as if the exponent had no end, not to a
    /// subnormal's fewer places (an H200 shows it).
    pub(super) fn round<F: Layout>(self, mode: Mode) -> u64 {
        let sign = if self.negative { F::SIGN } else { 0 };
        if self.significand == 0 {
            return sign;
        }
        // The exponent of the result's last place; among the subnormals it is always the least.
        let full = self.top() - F::FRACTION as i32;
        let place = if mode.ftz { full } else { full.max(F::LEAST) };
        let kept = shift_rounded(self.significand, place - self.exponent, self.negative, mode.rounding);
        if place < F::LEAST {
            // Only a carry into the next binade makes the least normal number of it.
            let is_normal = place == F::LEAST - 1 && kept >> (F::FRACTION + 1) != 0;
            return if is_normal { sign | 1 << F::FRACTION } else { sign };
        }
        // `kept` has the leading one of a normal number: it adds one to the exponent, and so does a carry out of rounding.
        let magnitude = (u128::from((place - F::LEAST).unsigned_abs()) << F::FRACTION) + kept;
        if magnitude < u128::from(F::INFINITY) {
            return sign | magnitude as u64;
        }
        let to_infinity = match mode.rounding {
            Rounding::Nearest => true,
            Rounding::Zero => false,
            Rounding::Down => self.negative,
            Rounding::Up => !self.negative,
        };
        sign | (F::INFINITY - u64::from(!to_infinity))
    }

    /// A whole number, clamped to ±2^100 or so, which is beyond all integer types.
    pub(super) fn whole(self, rounding: Rounding) -> i128 {
        if self.significand == 0 {
            return 0;
        }
        let magnitude = if self.top() > 100 {
            1 << 100
        } else {
            shift_rounded(self.significand, -self.exponent, self.negative, rounding) as i128
        };
        if self.negative { -magnitude } else { magnitude }
    }

    pub(super) fn add(self, other: Exact, rounding: Rounding) -> Exact {
        // An exact zero of two unlike signs is +0, and −0 only where results are rounded down.
        let unlike = Exact::zero(rounding == Rounding::Down);
        match (self.significand, other.significand) {
            (0, 0) if self.negative == other.negative => return self,
            (0, 0) => return unlike,
            (0, _) => return other,
            (_, 0) => return self,
            _ => {}
        }
        let (large, small) = if self.top() >= other.top() { (self, other) } else { (other, self) };
        // The larger one's first bit is put two below the top, which leaves room for a carry. Bits of the smaller one are
        // lost only if it begins far below, and then no more than one leading bit can cancel.
        let exponent = large.top() - 125;
        let align = |value: Exact| match value.exponent - exponent {
            left @ 0.. => value.significand << left,
            right => shift_sticky(value.significand, right.unsigned_abs()),
        };
        let (a, b) = (align(large), align(small));
        let (negative, significand) = if large.negative == small.negative {
            (large.negative, a + b)
        } else if a >= b {
            (large.negative, a - b)
        } else {
            (small.negative, b - a)
        };
        if significand == 0 { unlike } else { Exact { negative, exponent, significand } }
    }

    /// Of significands of up to 64 bits.
    pub(super) fn multiply(self, other: Exact) -> Exact {
        Exact {
            negative: self.negative != other.negative,
            exponent: self.exponent + other.exponent,
            significand: self.significand * other.significand,
        }
    }

    /// By a number other than zero, of up to 54 bits.
    pub(super) fn divide(self, by: Exact) -> Exact {
        let negative = self.negative != by.negative;
        if self.significand == 0 {
            return Exact::zero(negative);
        }
        let shift = self.significand.leading_zeros();
        let dividend = self.significand << shift;
        let quotient = dividend / by.significand;
        let is_exact = quotient * by.significand == dividend;
        Exact {
            negative,
            exponent: self.exponent - shift as i32 - by.exponent,
            significand: quotient | u128::from(!is_exact),
        }
    }

    /// Of a number that is not negative, or of −0; of fewer than 128 bits.
    pub(super) fn root(self) -> Exact {
        if self.significand == 0 {
            return self;
        }
        // As many bits as there are, save one where the exponent would be odd: the root has 64, rounded down.
        let zeros = self.significand.leading_zeros() as i32;
        let shift = zeros - (self.exponent - zeros).rem_euclid(2);
        let (radicand, exponent) = (self.significand << shift, self.exponent - shift);
        let root = radicand.isqrt();
        let is_exact = root * root == radicand;
        // Two more places, so that the sticky bit is none of the root's.
        Exact { negative: false, exponent: exponent / 2 - 2, significand: root << 2 | u128::from(!is_exact) }
    }
}
