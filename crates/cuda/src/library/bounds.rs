//! Bounds of the manual on the errors of the mathematics, for tests.
//!
//! Enters: `library/math/bounds.txt`. Leaves: whether a result is within them. This module must never know how a result
//! came about.

use std::collections::BTreeMap;

/// Where a bound holds.
#[derive(Clone, Copy)]
pub(super) enum Kind {
    /// For all arguments.
    Everywhere,
    /// Where the first argument's magnitude is below the first number; elsewhere the absolute error is at most the second.
    Below(f64, f64),
    /// Where the first argument is not between these.
    Outside(f64, f64),
    /// The bound is an absolute error.
    Absolute,
}

/// Bound on a function's error.
#[derive(Clone, Copy)]
pub(super) struct Bound {
    /// Units in the last place of the correctly rounded result.
    pub units: f64,
    pub kind: Kind,
}

impl Bound {
    /// Whether a result for a first argument is as good as the bound says, given the correctly rounded one.
    pub(super) fn holds(&self, first: f64, got: f64, want: f64, single: bool) -> bool {
        let absolute = |most: f64| units(got, want, single) == 0.0 || (got - want).abs() <= most;
        match self.kind {
            Kind::Outside(low, high) if first > low && first < high => true,
            Kind::Below(limit, most) if first.abs() >= limit => absolute(most),
            Kind::Absolute => absolute(self.units),
            Kind::Everywhere | Kind::Below(..) | Kind::Outside(..) => units(got, want, single) <= self.units,
        }
    }
}

/// Bounds by function.
pub(super) fn bounds() -> BTreeMap<&'static str, Bound> {
    let lines = include_str!("../../library/math/bounds.txt").lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| bound(line).expect(line)).collect()
}

fn bound(line: &str) -> Option<(&str, Bound)> {
    let words: Vec<&str> = line.split(' ').collect();
    let (name, units) = (*words.first()?, words.get(1)?.parse().ok()?);
    let number = |at: usize| words.get(at)?.parse().ok();
    let kind = match words.get(2).copied() {
        None => Kind::Everywhere,
        Some("below") => Kind::Below(number(3)?, number(4)?),
        Some("outside") => Kind::Outside(number(3)?, number(4)?),
        Some("absolute") => Kind::Absolute,
        Some(_) => return None,
    };
    Some((name, Bound { units, kind }))
}

/// Difference in units of the last place of the correctly rounded result; infinite where a special result, or the sign of a
/// zero, is another one.
pub(super) fn units(got: f64, want: f64, single: bool) -> f64 {
    if got.is_nan() || want.is_nan() {
        return if got.is_nan() && want.is_nan() { 0.0 } else { f64::INFINITY };
    }
    if got == want {
        return if got.is_sign_negative() == want.is_sign_negative() { 0.0 } else { f64::INFINITY };
    }
    let (least, most, digits) = if single { (-126, 127, 23) } else { (-1022, 1023, 52) };
    // In a scale in which neither the unit is too small, nor the first number that is too large infinite: it stands for infinity.
    let scale = if want.abs() < 1.0 { 600 } else { -1 };
    let scaled = |value: f64| {
        if value.is_infinite() { 2f64.powi(most).copysign(value) } else { value * 2f64.powi(scale) }
    };
    if want.is_infinite() && scaled(got).abs() < 2f64.powi(most - 1) {
        return f64::INFINITY;
    }
    let exponent = (scaled(want).abs().log2().floor() as i32 - scale).clamp(least, most);
    (scaled(got) - scaled(want)).abs() / 2f64.powi(exponent - digits + scale)
}
