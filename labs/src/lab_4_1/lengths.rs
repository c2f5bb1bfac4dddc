//! The lengths at which something is measured.

/// `first`, then each `factor` times the one before, and `last` in any case; all at most `last`.
pub(super) fn steps(first: u64, factor: u64, last: u64) -> Vec<u64> {
    let mut all: Vec<u64> =
        std::iter::successors(Some(first), |at| at.checked_mul(factor)).take_while(|at| *at < last).collect();
    all.push(last);
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_end_with_the_one_that_was_asked_for() {
        assert_eq!(steps(1024, 4, 1 << 14), [1 << 10, 1 << 12, 1 << 14]);
        assert_eq!(steps(1024, 4, 5000), [1024, 4096, 5000]);
        assert_eq!(steps(1024, 4, 1024), [1024]);
        assert_eq!(steps(1024, 4, 1), [1]);
        assert_eq!(steps(1 << 62, 4, u64::MAX), [1 << 62, u64::MAX]);
    }
}
