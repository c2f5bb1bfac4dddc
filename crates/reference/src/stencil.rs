//! First derivatives by central differences: the reference in double precision.

use rayon::prelude::*;

/// Largest error of `outputs`, bits of single precision, relative to the sum of its terms' magnitudes, and the index of the
/// first output that has it. Not a number counts as an infinite error.
///
/// Output i must be the sum over j of `coefficients[j]` · (`input[start + i + j]` − `input[start + i − j]`).
///
/// # Panics
/// If the input does not reach as many elements beyond the outputs, on both sides, as there are coefficients but one.
pub fn largest_error(input: &[f32], coefficients: &[f32], start: usize, outputs: &[u32]) -> (f64, usize) {
    let error = |at: usize, bits: u32| {
        let (mut sum, mut magnitude) = (0.0, 0.0);
        for (j, &c) in coefficients.iter().enumerate().skip(1) {
            let i = start + at;
            let (c, right, left) = (f64::from(c), f64::from(input[i + j]), f64::from(input[i - j]));
            sum += c * (right - left);
            magnitude += c.abs() * (right.abs() + left.abs());
        }
        let off = (f64::from(f32::from_bits(bits)) - sum).abs();
        // Not `max`, which would lose a NaN.
        if off == 0.0 {
            0.0
        } else if off.is_nan() {
            f64::INFINITY
        } else {
            off / magnitude
        }
    };
    let all = outputs.par_iter().enumerate().map(|(at, &bits)| (error(at, bits), at));
    all.reduce(|| (0.0, 0), |a, b| if b.0 > a.0 || (b.0 == a.0 && b.1 < a.1) { b } else { a })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_of_the_largest_errors_is_found() {
        // The derivatives are 10·(2 − 1) and 10·(4 − 1), of terms that sum to 30 and 50.
        let check = |outputs: [f32; 2]| {
            largest_error(&[1.0, 1.0, 2.0, 4.0], &[0.0, 10.0], 1, &outputs.map(f32::to_bits))
        };
        assert_eq!(check([10.0, 30.0]), (0.0, 0));
        assert_eq!(check([11.5, 32.5]), (0.05, 0));
        assert_eq!(check([10.0, f32::NAN]), (f64::INFINITY, 1));
    }
}
