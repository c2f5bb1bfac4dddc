//! Tests of the stencil's output.
//!
//! Enters: the input, and an output with its halo. Leaves: whether every output was written, nothing else was, and the
//! values are right. The reference is computed once, in double precision: an output whose bits equal those of one found
//! right before is as right.

use crate::plan::{Finding, POISON};
use rayon::prelude::*;
use record::Check;
use reference::outputs::first_other;
use reference::stencil::largest_error;
use render::format;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Elements of the halo on either side.
pub(super) const RADIUS: usize = 4;

/// Coefficients of the stencil; `c[0]` is zero, as in the sources.
pub(super) const COEFFICIENTS: [f32; RADIUS + 1] = [0.0, 0.8, -0.2, 0.03809, -0.00357];

/// Largest relative error of a correct kernel.
///
/// With u = 2⁻²⁴ and S = Σ|c_j|·(|in[i+j]| + |in[i−j]|): each of the four differences is rounded once, which moves the
/// sum by at most u·S together; each of the four products, where it is not fused into its addition, likewise; each of
/// the four additions rounds a partial sum of at most S. That is 6·u·S, terms in u² aside. Relative to S.
const BOUND: f64 = 6.01 / (1 << 24) as f64;

/// Outputs that a kernel writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Written {
    /// All n derivatives.
    All,
    /// All but the first and last RADIUS.
    Inner,
    /// All n values of the input.
    Copy,
}

impl Written {
    pub(super) fn what(self) -> String {
        let right = format!("each within {BOUND:.1e} of a double-precision reference, relative to its terms");
        match self {
            Written::All => format!("all are written, nothing else is, {right}"),
            Written::Inner => {
                format!("all but the first and last {RADIUS} are written, nothing else is, {right}")
            }
            Written::Copy => "all are written, nothing else is, each the input bit for bit".to_owned(),
        }
    }
}

/// The input and what is known of its derivative.
pub(super) struct Oracle {
    /// Input with a halo of RADIUS elements on either side.
    input: Arc<[f32]>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// The first right output and its largest relative error; words of the full size, halo included.
    right: Option<(Vec<u32>, f64)>,
    compared: usize,
    different: usize,
}

impl Oracle {
    pub(super) fn new(input: Arc<[f32]>) -> Self {
        Oracle { input, state: Mutex::default() }
    }

    /// Elements of the input, halo included.
    pub(super) fn words(&self) -> usize {
        self.input.len()
    }

    /// Judges the buffer after a launch over `n` elements.
    pub(super) fn judge(&self, written: Written, n: usize, words: &[u32]) -> Finding {
        let skip = if written == Written::Inner { RADIUS } else { 0 };
        // An array shorter than both its ends has no inner part.
        let end = RADIUS + n.saturating_sub(skip).max(skip.min(n));
        let start = RADIUS + skip.min(n);
        let (before, inside, after) = (&words[..start], &words[start..end], &words[end..]);
        if first_other(before, POISON).or_else(|| first_other(after, POISON)).is_some() {
            return Finding::bad("something was written beyond the outputs");
        }
        let missing = || {
            let at = position(inside, POISON)?;
            Some(Finding::bad(format!("output {} of {n} was not written", start + at - RADIUS)))
        };
        if written != Written::Copy {
            return self.derivative(start, inside, words, missing);
        }
        let expected: &[u32] = bytemuck::cast_slice(&self.input[start..end]);
        match differs(inside, expected) {
            None => Finding::good(format!("{0} of {0} outputs match", format::count(n as u64))),
            Some(at) => missing().unwrap_or_else(|| Finding::bad(format!("output {at} is not the input"))),
        }
    }

    /// Equal to an output found right before, or else compared value by value.
    fn derivative(
        &self,
        start: usize,
        inside: &[u32],
        words: &[u32],
        missing: impl Fn() -> Option<Finding>,
    ) -> Finding {
        let mut state = self.lock();
        state.compared += 1;
        if let Some((right, error)) = &state.right {
            if differs(inside, &right[start..start + inside.len()]).is_none() {
                return good(inside.len(), *error);
            }
            state.different += 1;
        }
        if let Some(missing) = missing() {
            return missing;
        }
        let (error, at) = largest_error(&self.input, &COEFFICIENTS, start, inside);
        if error <= BOUND {
            if state.right.is_none() && inside.len() + 2 * RADIUS == words.len() {
                state.right = Some((words.to_vec(), error));
            }
            return good(inside.len(), error);
        }
        let i = start + at - RADIUS;
        Finding::bad(format!("output {i} is {}, off by {error:.1e}", f32::from_bits(inside[at])))
    }

    /// Whether all outputs judged so far had the same bits.
    pub(super) fn identical(&self) -> Check {
        let State { compared, different, .. } = &*self.lock();
        Check {
            id: "stencil/identical".to_owned(),
            what: "every variant does the same operations in the same order".to_owned(),
            passed: *different == 0,
            found: format!("{} of {compared} launches have the same bits", compared - different),
            outputs: vec![],
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // Nothing panics while holding it, and the state would still be whole.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn good(count: usize, error: f64) -> Finding {
    let count = format::count(count as u64);
    Finding::good(format!("{count} of {count} outputs match, largest relative error {error:.1e}"))
}

/// Words a task looks at: whole slices are compared at the memory's speed, words one by one are not.
const CHUNK: usize = 1 << 16;

/// Index of the first word of `words` that is `word`.
fn position(words: &[u32], word: u32) -> Option<usize> {
    let holds = |chunk: &[u32]| chunk.iter().fold(false, |any, &w| any | (w == word));
    let nth = words.par_chunks(CHUNK).position_first(holds)?;
    let within = words[nth * CHUNK..].iter().position(|&w| w == word)?;
    Some(nth * CHUNK + within)
}

/// Index at which two slices of one length first differ.
fn differs(a: &[u32], b: &[u32]) -> Option<usize> {
    let nth = a.par_chunks(CHUNK).zip(b.par_chunks(CHUNK)).position_first(|(a, b)| a != b)?;
    let within = a[nth * CHUNK..].iter().zip(&b[nth * CHUNK..]).position(|(a, b)| a != b)?;
    Some(nth * CHUNK + within)
}

#[cfg(test)]
mod tests {
    use super::*;

    const N: usize = 100;

    fn oracle() -> Oracle {
        Oracle::new((0..N + 2 * RADIUS).map(|i| ((i * 37 + 11) % 256) as f32 / 100.0).collect())
    }

    /// Output of a correct kernel, in single precision, fused or not.
    fn output(oracle: &Oracle, n: usize, written: Written) -> Vec<u32> {
        let mut words = vec![POISON; oracle.words()];
        let skip = if written == Written::Inner { RADIUS } else { 0 };
        for (i, word) in words.iter_mut().enumerate().take(RADIUS + n - skip).skip(RADIUS + skip) {
            let mut sum = 0.0f32;
            for (j, c) in COEFFICIENTS.iter().enumerate().skip(1) {
                sum += c * (oracle.input[i + j] - oracle.input[i - j]);
            }
            *word = if written == Written::Copy { oracle.input[i].to_bits() } else { sum.to_bits() };
        }
        words
    }

    #[test]
    fn right_outputs_of_every_kind_are_found_right() {
        let oracle = oracle();
        for written in [Written::All, Written::Inner, Written::Copy] {
            for n in [N, N - 5] {
                let finding = oracle.judge(written, n, &output(&oracle, n, written));
                assert!(finding.passed, "{written:?} {n}: {}", finding.found);
            }
        }
        assert!(oracle.identical().passed);
    }

    #[test]
    fn an_output_that_was_not_written_is_named() {
        let oracle = oracle();
        let mut words = output(&oracle, N, Written::All);
        words[RADIUS + 17] = POISON;
        assert_eq!(oracle.judge(Written::All, N, &words), Finding::bad("output 17 of 100 was not written"));
    }

    #[test]
    fn a_guarded_kernel_that_writes_the_ends_is_caught() {
        let oracle = oracle();
        let words = output(&oracle, N, Written::All);
        assert!(!oracle.judge(Written::Inner, N, &words).passed);
    }

    #[test]
    fn a_wrong_value_is_named_wherever_it_is() {
        for at in [0, 50, N - 1] {
            let oracle = oracle();
            let mut words = output(&oracle, N, Written::All);
            words[RADIUS + at] = (f32::from_bits(words[RADIUS + at]) + 1e-5).to_bits();
            let finding = oracle.judge(Written::All, N, &words);
            assert!(
                !finding.passed && finding.found.starts_with(&format!("output {at} is")),
                "{}",
                finding.found
            );
        }
    }

    #[test]
    fn a_result_within_the_bound_but_with_other_bits_is_right_and_not_identical() {
        let oracle = oracle();
        let words = output(&oracle, N, Written::All);
        assert!(oracle.judge(Written::All, N, &words).passed);
        let mut other = words;
        other[RADIUS + 3] += 1;
        assert!(oracle.judge(Written::All, N, &other).passed);
        assert!(!oracle.identical().passed);
    }

    #[test]
    fn an_array_shorter_than_its_ends_has_nothing_to_write() {
        let oracle = Oracle::new(vec![1.0; 3 + 2 * RADIUS].into());
        assert!(oracle.judge(Written::Inner, 3, &[POISON; 3 + 2 * RADIUS]).passed);
    }
}
