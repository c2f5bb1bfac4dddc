//! Matrices of floats that a kernel doubles: layout of their rows, launch, and expected results.

use crate::plan::{Arg, BufferId, Expectation, Finding, Launch, POISON, Target};
use rand_pcg::Pcg32;
use rand_pcg::rand_core::{Rng, SeedableRng};
use rayon::prelude::*;
use reference::outputs::first_other;
use render::format;
use std::sync::Arc;

/// Threads of a block: a warp along the row.
pub(super) const BLOCK: [u32; 3] = [32, 8, 1];
/// The most blocks in y (CUDA C++ Programming Guide, "Compute capabilities"), which bounds the rows.
const MOST_BLOCKS: usize = 65_535;

/// The values of all matrices, from the first on; as bits they are as they are, and doubled.
pub(super) struct Values {
    pub(super) input: Arc<[f32]>,
    doubled: Arc<[u32]>,
}

/// From 1 to 2, so that no sum of theirs is small; a power of two times one is exact.
pub(super) fn input(n: usize, seed: u64) -> Values {
    let mut random = Pcg32::seed_from_u64(seed);
    let input: Arc<[f32]> =
        (0..n).map(|_| 1.0 + (random.next_u32() >> 9) as f32 / (1 << 23) as f32).collect();
    Values::of(input)
}

impl Values {
    pub(super) fn of(input: Arc<[f32]>) -> Values {
        let doubled = input.iter().map(|value| (2.0 * value).to_bits()).collect();
        Values { input, doubled }
    }
}

/// Layout of rows in a buffer, in floats. Rows of a pitched buffer are given as the judge sees them, packed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Layout {
    /// Offset of the first value.
    pub(super) start: usize,
    /// Distance from row to row.
    pub(super) stride: usize,
}

/// The way in which a kernel finds a matrix's rows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Matrix {
    pub(super) buffer: BufferId,
    pub(super) lie: Layout,
    /// Whether the buffer's own pitch is taken instead of the stride.
    pub(super) pitched: bool,
}

impl Matrix {
    /// The two arguments of a matrix: its first value, and the bytes from row to row.
    pub(super) fn args(&self) -> [Arg; 2] {
        let pitch = if self.pitched {
            Arg::Pitch { buffer: self.buffer, element: 1 }
        } else {
            Arg::U64(4 * self.lie.stride as u64)
        };
        [Arg::Buffer { buffer: self.buffer, offset: 4 * self.lie.start as u64 }, pitch]
    }
}

/// Rows of a matrix of about `n` values.
pub(super) fn height(n: usize, width: usize) -> usize {
    (n / width).clamp(1, MOST_BLOCKS * BLOCK[1] as usize)
}

pub(super) fn scale(from: &Matrix, to: &Matrix, width: usize, height: usize) -> Launch {
    // At most 2^26 values.
    let (width, height) = (width as u32, height as u32);
    let args = from.args().into_iter().chain(to.args());
    // A single row keeps all threads of a block busy as well.
    let block = if height == 1 { [BLOCK[0] * BLOCK[1], 1, 1] } else { BLOCK };
    Launch::new(
        &kernels::ROWS,
        "scale",
        [width.div_ceil(block[0]), height.div_ceil(block[1]), 1],
        block,
        args.chain([Arg::I32(width as i32), Arg::I32(height as i32)]).collect(),
    )
}

/// Expectation that every row of `to` holds the doubled values of `from`, and that nothing else was written.
pub(super) fn doubled(
    id: String,
    values: &Values,
    from: Layout,
    to: &Matrix,
    width: usize,
    height: usize,
) -> Expectation {
    let (all, lie) = (Arc::clone(&values.doubled), to.lie);
    Expectation {
        id,
        what:
            "every value is twice its input, bit for bit, and nothing is written between or beyond the rows"
                .to_owned(),
        of: Target::Buffer(to.buffer),
        judge: Arc::new(move |words| judge(words, &all, from, lie, width, height)),
    }
}

fn judge(words: &[u32], doubled: &[u32], from: Layout, to: Layout, width: usize, height: usize) -> Finding {
    let row = |(number, words): (usize, &[u32])| -> Option<String> {
        if number >= height {
            return first_other(words, POISON)
                .map(|_| "something was written beyond the last row".to_owned());
        }
        let wanted = &doubled[number * from.stride + from.start..][..width];
        let (before, rest) = words.split_at(to.start);
        let (inside, after) = rest.split_at(width);
        if inside != wanted {
            let wrong = inside.iter().zip(wanted).position(|(is, should)| is != should)?;
            let how = if inside[wrong] == POISON { "was not written" } else { "is wrong" };
            return Some(format!("row {number}: element {wrong} of {width} {how}"));
        }
        let beside = first_other(before, POISON).or_else(|| first_other(after, POISON));
        beside.map(|_| format!("row {number}: something was written outside it"))
    };
    match words.par_chunks(to.stride).enumerate().find_map_first(row) {
        Some(wrong) => Finding::bad(wrong),
        None => Finding::good(format!("{0} of {0} values are right", format::count((width * height) as u64))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::Buffers;

    const FROM: Layout = Layout { start: 1, stride: 5 };
    const TO: Layout = Layout { start: 2, stride: 8 };

    /// Output of a correct kernel for two rows of three.
    fn right(values: &Values) -> Vec<u32> {
        let mut words = vec![POISON; 24];
        for row in 0..2 {
            for col in 0..3 {
                words[row * 8 + 2 + col] = (2.0 * values.input[row * 5 + 1 + col]).to_bits();
            }
        }
        words
    }

    fn judged(change: impl Fn(&mut Vec<u32>)) -> Finding {
        let values = input(20, 5);
        let mut words = right(&values);
        change(&mut words);
        judge(&words, &values.doubled, FROM, TO, 3, 2)
    }

    #[test]
    fn right_rows_are_found_right() {
        assert!(judged(|_| ()).passed);
    }

    #[test]
    fn a_defect_is_reported_with_its_place() {
        assert_eq!(judged(|words| words[11] = 1), Finding::bad("row 1: element 1 of 3 is wrong"));
        assert_eq!(judged(|words| words[3] = POISON), Finding::bad("row 0: element 1 of 3 was not written"));
        for beside in [0, 5, 15] {
            assert!(judged(|words| words[beside] = 1).found.ends_with("something was written outside it"));
        }
        assert_eq!(judged(|words| words[16] = 1), Finding::bad("something was written beyond the last row"));
    }

    #[test]
    fn rows_are_at_least_one_and_no_more_than_a_grid_has() {
        assert_eq!((height(10, 100), height(1000, 100)), (1, 10));
        assert_eq!(height(usize::MAX, 1), 65_535 * 8);
    }

    #[test]
    fn every_value_has_a_thread() {
        let matrix = |buffer| Matrix { buffer, lie: Layout { start: 0, stride: 33 }, pitched: false };
        let mut buffers = Buffers::default();
        let [from, to] = ["in", "out"].map(|name| matrix(buffers.linear(name, 0)));
        let launch = scale(&from, &to, 33, 17);
        assert_eq!(launch.grid, [2, 3, 1]);
        assert_eq!(scale(&from, &to, 257, 1).grid, [2, 1, 1]);
    }
}
