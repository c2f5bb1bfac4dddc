//! An output against what it should be, element by element.
//!
//! Enters: bytes of both, piece by piece. Leaves: how many differ, the first of them, and the largest differences.

use crate::types::Type;
use scalar::Distance;
pub use scalar::Tolerance;

/// Differing elements that are shown.
const SHOWN: usize = 8;

/// An element that is not as expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// Index of the element.
    pub index: u64,
    /// Component of a vector: 0 for x, 1 for y and so on; none of a number.
    pub component: Option<u8>,
    /// Value expected.
    pub expected: String,
    /// Value found.
    pub got: String,
}

/// The comparison of an output, as far as it has come.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// Type of the elements.
    pub ty: Type,
    /// Tolerance for an element.
    pub tolerance: Tolerance,
    /// Elements compared.
    pub elements: u64,
    /// Elements that are not as expected.
    pub different: u64,
    /// The first of them.
    pub first: Vec<Mismatch>,
    /// Largest |got − expected|; NaN where one of them is NaN and the other is not.
    pub max_abs: f64,
    /// Largest |got − expected| / |expected|; infinite where zero was expected and is not there.
    pub max_rel: f64,
}

impl Comparison {
    pub(crate) fn new(ty: Type, tolerance: Tolerance) -> Self {
        Comparison { ty, tolerance, elements: 0, different: 0, first: vec![], max_abs: 0.0, max_rel: 0.0 }
    }

    /// Whether everything so far is as expected.
    pub fn matches(&self) -> bool {
        self.different == 0
    }

    /// Compares the next elements; both have the same size, a multiple of the element's.
    pub(crate) fn add(&mut self, got: &[u8], expected: &[u8]) {
        let size = self.ty.bytes();
        if got == expected {
            self.elements += (got.len() / size) as u64;
            return;
        }
        for (got, expected) in got.chunks_exact(size).zip(expected.chunks_exact(size)) {
            if got != expected {
                self.element(got, expected);
            }
            self.elements += 1;
        }
    }

    /// One whose bits differ.
    fn element(&mut self, got: &[u8], expected: &[u8]) {
        let scalar = self.ty.scalar;
        let numbers = got.chunks_exact(scalar.bytes()).zip(expected.chunks_exact(scalar.bytes()));
        let mut differs = false;
        for (component, (got, expected)) in (0..).zip(numbers) {
            let (got, expected) = (scalar.load(got), scalar.load(expected));
            if got != expected && self.number(got, expected) {
                differs = true;
                if self.first.len() < SHOWN {
                    let component = (self.ty.lanes > 1).then_some(component);
                    let (expected, got) = (scalar.show(expected), scalar.show(got));
                    self.first.push(Mismatch { index: self.elements, component, expected, got });
                }
            }
        }
        self.different += u64::from(differs);
    }

    /// Whether a number whose bits differ is further from what is expected than is allowed.
    fn number(&mut self, got: u64, expected: u64) -> bool {
        let Distance { absolute, relative, differs } = self.tolerance.distance(self.ty.scalar, got, expected);
        self.max_abs = larger(self.max_abs, absolute);
        self.max_rel = larger(self.max_rel, relative);
        differs
    }
}

/// The larger one; NaN stays.
fn larger(a: f64, b: f64) -> f64 {
    if a.is_nan() || b.is_nan() { f64::NAN } else { a.max(b) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use scalar::Scalar;

    fn compare(got: &[f32], expected: &[f32], atol: f64, rtol: f64) -> Comparison {
        let bytes = |v: &[f32]| v.iter().flat_map(|v| v.to_le_bytes()).collect::<Vec<_>>();
        let mut comparison = Comparison::new(Scalar::F32.into(), Tolerance { atol, rtol });
        comparison.add(&bytes(got), &bytes(expected));
        comparison
    }

    #[test]
    fn without_tolerances_every_bit_counts() {
        let nan = f32::from_bits(0x7fc0_0001);
        assert!(compare(&[1.0, nan], &[1.0, nan], 0.0, 0.0).matches());
        assert_eq!(compare(&[0.0, f32::NAN], &[-0.0, nan], 0.0, 0.0).different, 2);
    }

    #[test]
    fn with_tolerances_nan_matches_nan_and_nothing_else() {
        let nan = f32::from_bits(0x7fc0_0001);
        assert!(compare(&[f32::NAN, -0.0], &[nan, 0.0], 1e-9, 0.0).matches());
        for (got, expected) in [(f32::NAN, 1.0), (1.0, f32::NAN), (1.0, f32::INFINITY), (f32::INFINITY, 1.0)]
        {
            assert_eq!(compare(&[got], &[expected], 1e-3, 1e-3).different, 1, "{got} {expected}");
        }
        assert!(compare(&[1.0], &[f32::NAN], 1.0, 1.0).max_abs.is_nan());
    }

    #[test]
    fn tolerances_add_up() {
        assert!(compare(&[11.0], &[10.0], 0.5, 0.05).matches());
        assert!(!compare(&[11.0], &[10.0], 0.4, 0.05).matches());
        assert!(!compare(&[-f32::INFINITY], &[f32::INFINITY], 0.0, 1.0).matches());
    }

    #[test]
    fn the_largest_differences_and_the_first_mismatches_are_kept() {
        let got: Vec<f32> = (0..100).map(|i| i as f32 + 0.5).collect();
        let expected: Vec<f32> = (0..100).map(|i| i as f32).collect();
        let comparison = compare(&got, &expected, 0.0, 0.0);
        assert_eq!((comparison.different, comparison.elements, comparison.max_abs), (100, 100, 0.5));
        assert!(comparison.max_rel.is_infinite());
        assert_eq!(comparison.first.len(), SHOWN);
        let Mismatch { index, expected, got, .. } = &comparison.first[1];
        assert_eq!((*index, expected.as_str(), got.as_str()), (1, "1.0", "1.5"));
    }

    #[test]
    fn integers_are_subtracted_without_loss() {
        let mut comparison = Comparison::new(Scalar::U64.into(), Tolerance { atol: 1.0, rtol: 0.0 });
        comparison.add(&u64::MAX.to_le_bytes(), &(u64::MAX - 1).to_le_bytes());
        assert!(comparison.matches());
        assert_eq!(comparison.max_abs, 1.0);
        comparison.add(&0u64.to_le_bytes(), &u64::MAX.to_le_bytes());
        assert_eq!(comparison.different, 1);
    }

    #[test]
    fn small_floats_are_compared_by_value_and_vectors_by_component() {
        let bytes = |v: [u16; 4]| v.iter().flat_map(|v| v.to_le_bytes()).collect::<Vec<_>>();
        let mut comparison = Comparison::new("bf16x2".parse().unwrap(), Tolerance { atol: 0.0, rtol: 0.01 });
        // 1.0 and its neighbour are 2^-7 apart; 2.0 and 3.0 are not near.
        comparison.add(&bytes([0x3f80, 0x3f80, 0x3f81, 0x4040]), &bytes([0x3f80, 0x3f81, 0x3f80, 0x4000]));
        assert_eq!((comparison.elements, comparison.different, comparison.max_abs), (2, 1, 1.0));
        let wanted = Mismatch { index: 1, component: Some(1), expected: "2.0".into(), got: "3.0".into() };
        assert_eq!(comparison.first, [wanted]);
    }

    #[test]
    fn a_vector_that_differs_in_two_components_is_one_element() {
        let mut comparison = Comparison::new("u8x3".parse().unwrap(), Tolerance::default());
        comparison.add(&[1, 2, 3, 4, 5, 6], &[0, 2, 4, 4, 5, 6]);
        assert_eq!((comparison.elements, comparison.different, comparison.first.len()), (2, 1, 2));
    }
}
