//! The product of two matrices, C = A·B: A has M rows of N, B has N rows of P, C has M rows of P, all row by row
//! without gaps.
//!
//! Three tests of a C: against all elements in double precision; against some, where all would take too long; and
//! Freivalds' test, which is exact for all elements where the inputs are such that nothing is rounded
//! ([`crate::input::sixteenths`]).

use rand_pcg::Pcg32;
use rand_pcg::rand_core::{Rng, SeedableRng};
use rayon::prelude::*;

/// Dimensions of the product: M, N and P.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Rows of A and of C.
    pub m: usize,
    /// Columns of A, rows of B: terms of each sum.
    pub n: usize,
    /// Columns of B and of C.
    pub p: usize,
}

impl Shape {
    /// Number of multiply-adds of the product.
    pub fn multiplications(self) -> u64 {
        self.m as u64 * self.n as u64 * self.p as u64
    }

    /// Largest error of one element that single precision may make, relative to Σ|aᵢₖ·bₖⱼ|, in whichever order its N
    /// products are added, fused or not: N·u / (1 − N·u) with u = 2⁻²⁴. Each product takes part in at most N roundings:
    /// its own, and N − 1 additions (Higham, Accuracy and Stability of Numerical Algorithms, 3.1).
    pub fn bound(self) -> f64 {
        let nu = self.n as f64 / f64::from(1 << 24);
        nu / (1.0 - nu)
    }
}

/// The element with the largest error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Worst {
    /// |c − reference| / Σ|aᵢₖ·bₖⱼ|; infinite for a NaN, and where c differs though all products are zero.
    pub error: f64,
    /// Row of the element.
    pub row: usize,
    /// Column of the element.
    pub column: usize,
    /// Value found.
    pub found: f32,
    /// Value in double precision.
    pub expected: f64,
}

impl Worst {
    fn of(row: usize, column: usize, found: f32, expected: f64, magnitude: f64) -> Self {
        let off = (f64::from(found) - expected).abs();
        let error = match off / magnitude {
            _ if off == 0.0 => 0.0,
            error if error.is_nan() => f64::INFINITY,
            error => error,
        };
        Worst { error, row, column, found, expected }
    }

    /// The worse of two; of equals the first.
    fn or(self, other: Worst) -> Worst {
        let earlier = (other.row, other.column) < (self.row, self.column);
        if other.error > self.error || (other.error == self.error && earlier) { other } else { self }
    }
}

/// Compares all elements; `None` if there are none.
///
/// # Panics
/// If a slice is not of the shape's size.
pub fn all(shape: Shape, a: &[f32], b: &[f32], c: &[f32]) -> Option<Worst> {
    let Shape { m, n, p } = shape;
    assert!(a.len() == m * n && b.len() == n * p && c.len() == m * p, "matrices of the shape");
    if p == 0 {
        return None;
    }
    let row = |(row, found): (usize, &[f32])| {
        let (mut sums, mut magnitudes) = (vec![0.0; p], vec![0.0; p]);
        for (k, &a) in a[row * n..][..n].iter().enumerate() {
            let a = f64::from(a);
            for ((sum, magnitude), &b) in sums.iter_mut().zip(&mut magnitudes).zip(&b[k * p..][..p]) {
                let product = a * f64::from(b);
                *sum += product;
                *magnitude += product.abs();
            }
        }
        let of = |column| Worst::of(row, column, found[column], sums[column], magnitudes[column]);
        (1..p).map(of).fold(of(0), Worst::or)
    };
    c.par_chunks(p).enumerate().map(row).reduce_with(Worst::or)
}

/// Compares the four corners and `count` elements at random; `None` if there are none.
///
/// # Panics
/// As [`all`].
pub fn some(shape: Shape, a: &[f32], b: &[f32], c: &[f32], count: usize, seed: u64) -> Option<Worst> {
    let Shape { m, n, p } = shape;
    assert!(a.len() == m * n && b.len() == n * p && c.len() == m * p, "matrices of the shape");
    if m == 0 || p == 0 {
        return None;
    }
    let mut random = Pcg32::seed_from_u64(seed);
    let mut below = |end: usize| (random.next_u64() % end as u64) as usize;
    let mut places = vec![(0, 0), (0, p - 1), (m - 1, 0), (m - 1, p - 1)];
    places.extend((0..count).map(|_| (below(m), below(p))));
    let element = |&(row, column): &(usize, usize)| {
        let (mut sum, mut magnitude) = (0.0, 0.0);
        for (k, &a) in a[row * n..][..n].iter().enumerate() {
            let product = f64::from(a) * f64::from(b[k * p + column]);
            sum += product;
            magnitude += product.abs();
        }
        Worst::of(row, column, c[row * p + column], sum, magnitude)
    };
    places.par_iter().map(element).reduce_with(Worst::or)
}

/// Most terms of a sum for which products of [`crate::input::sixteenths`] need no rounding.
pub const EXACT_TERMS: usize = 1 << 16;

/// Bound of the elements of the vector of Freivalds' test: a wrong row of C passes with a probability
/// of at most 1/CHOICES.
pub const CHOICES: u32 = 1 << 20;

/// Freivalds' test: whether C·x = A·(B·x) for a random x of whole numbers, in integers. For A and B of sixteenths and
/// at most [`EXACT_TERMS`] terms, where a correct C is exact. Returns the first wrong row, if there is one.
///
/// A wrong row differs from the correct one by a vector d ≠ 0, and passes only if d·x = 0, which for each choice of x's
/// other elements holds for at most one value of the element that d's first non-zero one is multiplied with.
///
/// # Panics
/// As [`all`]; and if the sums could exceed 64 bits (N·P above 2³⁴) or be rounded (N above [`EXACT_TERMS`]).
pub fn freivalds(shape: Shape, a: &[f32], b: &[f32], c: &[f32], seed: u64) -> Option<usize> {
    let Shape { m, n, p } = shape;
    assert!(a.len() == m * n && b.len() == n * p && c.len() == m * p, "matrices of the shape");
    assert!(n <= EXACT_TERMS && n.saturating_mul(p) <= 1 << 34, "sums that are exact");
    if m == 0 || p == 0 {
        return None;
    }
    let mut random = Pcg32::seed_from_u64(seed);
    let x: Vec<i64> = (0..p).map(|_| i64::from(random.next_u32() % CHOICES)).collect();
    let dot = |row: &[f32], scale: f32, x: &[i64]| -> i64 {
        row.iter().zip(x).map(|(&value, &x)| (value * scale) as i64 * x).sum()
    };
    let bx: Vec<i64> = b.par_chunks(p).map(|row| dot(row, 16.0, x.as_slice())).collect();
    let most = (EXACT_TERMS * 256) as f32;
    c.par_chunks(p).enumerate().position_first(|(row, found)| {
        // A value that is not a multiple of 1/256, or too large to be one of these sums, is wrong (and so is a NaN).
        let whole = found.iter().all(|v| (v * 256.0).fract() == 0.0 && (v * 256.0).abs() <= most);
        !whole || dot(found, 256.0, &x) != dot(&a[row * n..][..n], 16.0, &bx)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::{sixteenths, uniform};

    const SHAPE: Shape = Shape { m: 13, n: 37, p: 11 };

    fn inputs(of: fn(usize, u64) -> std::sync::Arc<[f32]>) -> [std::sync::Arc<[f32]>; 2] {
        [of(SHAPE.m * SHAPE.n, 1), of(SHAPE.n * SHAPE.p, 2)]
    }

    /// The product in single precision, not fused.
    fn product(shape: Shape, a: &[f32], b: &[f32]) -> Vec<f32> {
        let element = |at: usize| {
            let (row, column) = (at / shape.p, at % shape.p);
            (0..shape.n).fold(0.0, |sum, k| sum + a[row * shape.n + k] * b[k * shape.p + column])
        };
        (0..shape.m * shape.p).map(element).collect()
    }

    #[test]
    fn a_right_product_is_within_the_bound_and_not_exact() {
        let [a, b] = inputs(uniform);
        let c = product(SHAPE, &a, &b);
        for worst in [all(SHAPE, &a, &b, &c), some(SHAPE, &a, &b, &c, 100, 3)] {
            let error = worst.map_or(f64::NAN, |w| w.error);
            assert!(error > 0.0 && error <= SHAPE.bound(), "{error}");
        }
    }

    #[test]
    fn an_error_a_little_above_the_bound_is_found_where_it_is() {
        let [a, b] = inputs(uniform);
        let mut c = product(SHAPE, &a, &b);
        c[7 * SHAPE.p + 4] += 1e-4;
        let worst = all(SHAPE, &a, &b, &c).map(|w| (w.row, w.column, w.error > SHAPE.bound()));
        assert_eq!(worst, Some((7, 4, true)));
        c[2 * SHAPE.p + 9] = f32::NAN;
        let worst = all(SHAPE, &a, &b, &c).map(|w| (w.row, w.column, w.error));
        assert_eq!(worst, Some((2, 9, f64::INFINITY)));
    }

    #[test]
    fn something_where_all_products_are_zero_is_infinitely_wrong() {
        let shape = Shape { m: 1, n: 2, p: 1 };
        let worst = all(shape, &[0.0, 0.0], &[1.0, 2.0], &[1e-30]).map(|w| w.error);
        assert_eq!(worst, Some(f64::INFINITY));
        assert_eq!(all(shape, &[0.0, 0.0], &[1.0, 2.0], &[0.0]).map(|w| w.error), Some(0.0));
    }

    #[test]
    fn corners_are_always_in_the_sample() {
        let [a, b] = inputs(uniform);
        for (row, column) in [(0, 0), (0, SHAPE.p - 1), (SHAPE.m - 1, 0), (SHAPE.m - 1, SHAPE.p - 1)] {
            let mut c = product(SHAPE, &a, &b);
            c[row * SHAPE.p + column] += 1.0;
            let worst = some(SHAPE, &a, &b, &c, 0, 0).map(|w| (w.row, w.column));
            assert_eq!(worst, Some((row, column)));
        }
    }

    #[test]
    fn freivalds_finds_the_row_of_the_smallest_error() {
        let [a, b] = inputs(sixteenths);
        let right = product(SHAPE, &a, &b);
        assert_eq!(freivalds(SHAPE, &a, &b, &right, 9), None);
        for (at, by) in [(0, 1.0 / 256.0), (60, -1.0 / 256.0), (142, 1.0 / 512.0), (77, f32::NAN), (33, 1e30)]
        {
            let mut c = right.clone();
            c[at] += by;
            assert_eq!(freivalds(SHAPE, &a, &b, &c, 9), Some(at / SHAPE.p), "{at} {by}");
        }
    }

    #[test]
    fn sums_of_sixteenths_are_exact_in_any_order() {
        let [a, b] = inputs(sixteenths);
        let forwards = product(SHAPE, &a, &b);
        assert_eq!(all(SHAPE, &a, &b, &forwards).map(|w| w.error), Some(0.0));
    }

    #[test]
    fn a_product_without_elements_is_right() {
        let none = Shape { m: 0, n: 3, p: 0 };
        assert_eq!(all(none, &[], &[], &[]), None);
        assert_eq!(some(none, &[], &[], &[], 5, 0), None);
        assert_eq!(freivalds(none, &[], &[], &[], 0), None);
    }
}
