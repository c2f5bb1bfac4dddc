//! Inputs: equal for equal seeds, on every machine.

use rand_pcg::Pcg32;
use rand_pcg::rand_core::{Rng, SeedableRng};
use std::sync::Arc;

/// Numbers between −1 and 1, evenly spread, of 24 bits: their products and sums have to be rounded.
pub fn uniform(count: usize, seed: u64) -> Arc<[f32]> {
    // The odd numbers from 1 − 2²⁴ to 2²⁴ − 1: each is exact, and so is each step to it.
    generate(count, seed, |bits| ((bits >> 8) as f32 * 2.0 - 16_777_215.0) / 16_777_216.0)
}

/// Multiples of 1/16 from −1 to 15/16: products of two are multiples of 1/256, and sums of up to 65,536 of them fit in
/// the 24 bits of single precision, so that nothing is rounded in whichever order they are added.
pub fn sixteenths(count: usize, seed: u64) -> Arc<[f32]> {
    generate(count, seed, |bits| (bits >> 27) as f32 / 16.0 - 1.0)
}

/// Hundredths from 0 to 2.55, four of each number that is drawn: `(random & 0xFF) / 100` of Professional CUDA C
/// Programming.
pub fn hundredths(count: usize, seed: u64) -> Arc<[f32]> {
    let mut random = Pcg32::seed_from_u64(seed);
    let mut values = Vec::with_capacity(count.next_multiple_of(4));
    while values.len() < count {
        values.extend(random.next_u32().to_le_bytes().map(|byte| f32::from(byte) / 100.0));
    }
    values[..count].into()
}

fn generate(count: usize, seed: u64, value: impl Fn(u32) -> f32) -> Arc<[f32]> {
    let mut random = Pcg32::seed_from_u64(seed);
    (0..count).map(|_| value(random.next_u32())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uniform_numbers_are_within_one_and_are_spread_evenly() {
        let values = uniform(100_000, 5);
        assert!(values.iter().all(|v| v.abs() < 1.0));
        let mean = values.iter().map(|&v| f64::from(v)).sum::<f64>() / 1e5;
        let square = values.iter().map(|&v| f64::from(v).powi(2)).sum::<f64>() / 1e5;
        assert!(mean.abs() < 0.01 && (square - 1.0 / 3.0).abs() < 0.01, "{mean} {square}");
        assert_ne!(values, uniform(100_000, 6));
    }

    #[test]
    fn hundredths_are_the_same_for_the_same_seed_and_as_the_source_draws_them() {
        assert_eq!(hundredths(100, 5), hundredths(100, 5));
        assert_ne!(hundredths(100, 5), hundredths(100, 6));
        assert!(hundredths(1000, 5).iter().all(|v| (0.0..=2.55).contains(v)));
        assert_eq!(hundredths(101, 5)[..], hundredths(200, 5)[..101]);
    }

    #[test]
    fn sixteenths_are_all_of_them() {
        let values = sixteenths(10_000, 5);
        let mut seen: Vec<i32> = values.iter().map(|v| (v * 16.0) as i32).collect();
        assert!(values.iter().all(|v| (v * 16.0).fract() == 0.0));
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen, (-16..16).collect::<Vec<_>>());
    }
}
