//! Tests of accelerations.
//!
//! Enters: the bodies, and a kernel's output of three floats per body. Leaves: whether all of these and nothing else
//! were written, and whether the values are right, by direct summation in double precision.

use crate::plan::{Finding, POISON};
use reference::bodies::{Accelerations, bound};
use reference::outputs::first_other;
use render::format;
use std::sync::{Arc, OnceLock};

/// Softening: a length of 0.1 between bodies that are within 1 of the middle, in each direction.
pub(super) const SOFTENING_SQUARED: f32 = 0.01;

/// Largest system of which all accelerations are computed a second time.
const COMPARED: usize = 8192;
/// Number of bodies, evenly spread, whose accelerations are computed a second time in larger systems, each from all
/// bodies.
const SAMPLED: usize = 2048;

/// The first `n` of some bodies.
pub(super) struct Oracle {
    bodies: Arc<[f32]>,
    n: usize,
    /// Found when it is asked for the first time.
    accelerations: OnceLock<Accelerations>,
}

impl Oracle {
    pub(super) fn new(bodies: Arc<[f32]>, n: usize) -> Self {
        Oracle { bodies, n, accelerations: OnceLock::new() }
    }

    /// Description of the comparison.
    pub(super) fn what(&self) -> String {
        let which = if self.n <= COMPARED {
            "each".to_owned()
        } else {
            format!("{} of them, evenly spread,", format::count(SAMPLED as u64))
        };
        format!(
            "the accelerations of all bodies are written, nothing else is, {which} within the error bound of direct summation in double precision"
        )
    }

    /// Judges the buffer after a run over the first `n` bodies by a kernel that adds `terms` terms one after the other.
    pub(super) fn judge(&self, terms: usize, words: &[u32]) -> Finding {
        let (inside, beyond) = words.split_at(3 * self.n);
        if let Some(at) = inside.iter().position(|&word| word == POISON) {
            return Finding::bad(format!("the acceleration of body {} was not written", at / 3));
        }
        if first_other(beyond, POISON).is_some() {
            return Finding::bad("something was written beyond the last body's acceleration");
        }
        let most = if self.n <= COMPARED { COMPARED } else { SAMPLED };
        let expected = self
            .accelerations
            .get_or_init(|| Accelerations::new(&self.bodies[..4 * self.n], SOFTENING_SQUARED, most));
        let found: &[f32] = bytemuck::cast_slice(inside);
        let Some(worst) = expected.worst(found) else { return Finding::bad("there are no bodies") };
        if worst.error <= bound(terms) {
            let count = format::count(expected.count() as u64);
            return Finding::good(format!(
                "{count} of {count} match, largest relative error {:.1e}, allowed {:.1e}",
                worst.error,
                bound(terms)
            ));
        }
        Finding::bad(format!(
            "the acceleration of body {} is {} in {}, off by {:.1e} from {:.6}",
            worst.body,
            worst.found,
            ["x", "y", "z"][worst.component],
            worst.error,
            worst.expected
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn oracle() -> Oracle {
        Oracle::new(super::super::gravity::bodies(100, 5), 90)
    }

    /// Results of a kernel in single precision.
    fn output(oracle: &Oracle) -> Vec<u32> {
        let mut words = vec![POISON; 300];
        for (i, me) in oracle.bodies.chunks_exact(4).take(90).enumerate() {
            let mut a = [0.0f32; 3];
            for other in oracle.bodies.chunks_exact(4).take(90) {
                let d: [f32; 3] = std::array::from_fn(|k| other[k] - me[k]);
                let rho = (d[0] * d[0] + d[1] * d[1] + d[2] * d[2] + SOFTENING_SQUARED).sqrt();
                (0..3).for_each(|k| a[k] += d[k] * (other[3] / (rho * rho * rho)));
            }
            (0..3).for_each(|k| words[3 * i + k] = a[k].to_bits());
        }
        words
    }

    #[test]
    fn right_accelerations_are_found_right() {
        let oracle = oracle();
        let finding = oracle.judge(90, &output(&oracle));
        assert!(finding.passed && finding.found.starts_with("90 of 90 match"), "{}", finding.found);
    }

    #[test]
    fn missing_and_stray_writes_are_reported() {
        let oracle = oracle();
        let mut words = output(&oracle);
        words[3 * 17 + 2] = POISON;
        assert_eq!(oracle.judge(90, &words), Finding::bad("the acceleration of body 17 was not written"));
        let mut words = output(&oracle);
        words[270] = 0;
        assert!(!oracle.judge(90, &words).passed);
    }

    #[test]
    fn a_wrong_value_is_named() {
        let oracle = oracle();
        let mut words = output(&oracle);
        words[3 * 89 + 1] = (f32::from_bits(words[3 * 89 + 1]) * 1.001).to_bits();
        let finding = oracle.judge(90, &words);
        assert!(
            !finding.passed && finding.found.starts_with("the acceleration of body 89 is"),
            "{}",
            finding.found
        );
    }
}
