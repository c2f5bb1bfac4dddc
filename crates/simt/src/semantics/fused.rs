//! Fused multiply-add of `.f32`s, where the machine has no such instruction too.
//!
//! WebAssembly has none: the compiler would call a function for each lane, which takes longer than all else in a kernel of
//! products. In double precision the product of two singles is exact, and so is the error of a sum.

use super::directed::sum_to_odd;

/// `a * b + c`, rounded once.
#[inline(always)]
pub(super) fn fused(a: f32, b: f32, c: f32) -> f32 {
    if cfg!(target_arch = "wasm32") { fused_in_doubles(a, b, c) } else { a.mul_add(b, c) }
}

#[inline(always)]
fn fused_in_doubles(a: f32, b: f32, c: f32) -> f32 {
    sum_to_odd(f64::from(a) * f64::from(b), c.into()) as f32
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn in_doubles_it_is_the_same(a: u32, b: u32, c: u32, near: u8) {
            let [a, b, c] = [a, b, c].map(f32::from_bits);
            // Terms of about the same size, and sums that lie close to the middle of two numbers.
            let close = -(a * b) * (1.0 + f32::from(near) * f32::EPSILON);
            for c in [c, close, a * b * 2f32.powi(24), a * b * 2f32.powi(-24)] {
                let (found, expected) = (fused_in_doubles(a, b, c), a.mul_add(b, c));
                prop_assert!(found.to_bits() == expected.to_bits() || found.is_nan() && expected.is_nan());
            }
        }
    }

    #[test]
    fn in_doubles_it_rounds_once_at_the_ends_of_the_range() {
        let ends = [
            0.0,
            -0.0,
            1.0,
            -1.0,
            f32::MIN_POSITIVE,
            f32::from_bits(1),
            f32::MAX,
            f32::INFINITY,
            f32::NAN,
            1.0 + f32::EPSILON,
            0.5 + f32::EPSILON,
        ];
        for a in ends {
            for b in ends {
                for c in ends.into_iter().chain(ends.map(|c| -c)) {
                    let (found, expected) = (fused_in_doubles(a, b, c), a.mul_add(b, c));
                    assert!(
                        found.to_bits() == expected.to_bits() || found.is_nan() && expected.is_nan(),
                        "{a} {b} {c}"
                    );
                }
            }
        }
    }
}
