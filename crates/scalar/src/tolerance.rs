//! How far a number may be from what is expected.

use crate::Scalar;

/// Tolerance of a number: it may be `atol + rtol·|expected|` away from what is expected.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tolerance {
    /// Absolute.
    pub atol: f64,
    /// Relative to the expected value.
    pub rtol: f64,
}

/// How far a number is from what is expected.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Distance {
    /// |found − expected|; NaN where one of them is NaN and the other is not.
    pub absolute: f64,
    /// The same divided by |expected|; infinite where zero was expected and something else was found.
    pub relative: f64,
    /// Whether it is further than is allowed.
    pub differs: bool,
}

impl Tolerance {
    /// This share of what is expected, and of 1.
    pub fn within(share: f64) -> Tolerance {
        Tolerance { atol: share, rtol: share }
    }

    /// Whether a number may be this far from what is expected; never if the distance is NaN.
    pub fn allows(self, distance: f64, expected: f64) -> bool {
        let Tolerance { atol, rtol } = self;
        let magnitude = expected.abs();
        // 0·∞ is not a number, and where infinity is expected nothing else is near.
        let allowed = if rtol == 0.0 || magnitude.is_infinite() { atol } else { atol + rtol * magnitude };
        // Where a NaN is expected and found, nothing is allowed and the distance is zero.
        !(distance.is_nan() || distance > allowed)
    }

    /// The distance of two numbers of a format, by their bits. Where nothing is allowed, these must be equal.
    pub fn distance(self, ty: Scalar, found: u64, expected: u64) -> Distance {
        if found == expected {
            return Distance { absolute: 0.0, relative: 0.0, differs: false };
        }
        let of = ty.to_f64(expected);
        let absolute = if ty.is_float() {
            let (found, expected) = (ty.to_f64(found), ty.to_f64(expected));
            if found.is_nan() && expected.is_nan() { 0.0 } else { (found - expected).abs() }
        } else {
            // As doubles, integers of 64 bits would have lost digits.
            (ty.to_int(found) - ty.to_int(expected)).unsigned_abs() as f64
        };
        Distance {
            absolute,
            relative: if absolute == 0.0 { 0.0 } else { absolute / of.abs() },
            differs: self == Tolerance::default() || !self.allows(absolute, of),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_nan_is_near_every_nan_and_nothing_else() {
        let tolerance = Tolerance { atol: 1e-9, rtol: 1e-6 };
        let differs = |found: f64, expected: f64| {
            tolerance.distance(Scalar::F64, found.to_bits(), expected.to_bits()).differs
        };
        assert!(
            !differs(f64::NAN, -f64::NAN) && !differs(-0.0, 0.0) && !differs(f64::INFINITY, f64::INFINITY)
        );
        assert!(differs(f64::NAN, 1.0) && differs(1.0, f64::NAN) && differs(f64::MAX, f64::INFINITY));
        assert!(!differs(1.0 + 0.9e-6, 1.0) && differs(1.0 + 1.1e-6, 1.0));
        assert!(Tolerance::default().distance(Scalar::F64, (-0.0f64).to_bits(), 0.0f64.to_bits()).differs);
    }
}
