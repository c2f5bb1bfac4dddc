//! Cost of a sector that is written in part: stores of the first floats of a line, from one float to all 32.

use super::rows::{BLOCK, height};
use crate::plan::{
    Allocation, Arg, Expectation, Experiment, Finding, Launch, POISON, Plan, Point, Quantity, Series, Target,
    Workload,
};
use rayon::prelude::*;
use record::{Axis, Scale};
use render::format;
use std::sync::Arc;

/// Floats of a line, and of the distance from one row to the next: no two rows share a line.
const LINE: usize = 32;
const STRIDE: usize = 128;
/// Blocks for each multiprocessor. They loop over the rows, so that starting blocks is not part of a row's time.
const BLOCKS: u32 = 8;
/// Values of the lab's size for each row.
const VALUES_A_ROW: usize = 32;

pub(super) fn plan(plan: &mut Plan, n: usize, multiprocessors: u32) {
    let height = height(n, VALUES_A_ROW);
    let bytes = 4 * (height * STRIDE) as u64;
    let out = plan.buffer("out, parts of lines", Allocation::Linear { bytes }, None);
    let point = |floats: usize| {
        let sizes = [Arg::U64(4 * STRIDE as u64), Arg::I32(floats as i32), Arg::I32(height as i32)];
        let args = [Arg::Buffer { buffer: out, offset: 0 }].into_iter().chain(sizes).collect();
        let grid = [BLOCKS * multiprocessors, 1, 1];
        Point {
            x: floats as f64,
            writes: Vec::new(),
            work: Workload::Launch(Launch::new(&kernels::ROWS, "store_part", grid, BLOCK, args)),
            quantity: Quantity::Time { per: 1.0 },
            check: Some(Expectation {
                id: "store-parts".to_owned(),
                what: "the first floats of every row are its number, and nothing else is written".to_owned(),
                of: Target::Buffer(out),
                judge: Arc::new(move |words| judge(words, floats)),
            }),
            profiled: false,
        }
    };
    plan.experiments.push(Experiment {
        id: "store-parts",
        title: "Time to write the first floats of a line, for all rows",
        x: Axis::new("floats written", "", Scale::Linear),
        y: Axis::new("time", "ns", Scale::Linear),
        series: vec![Series::new("store", "rows 512 B apart", (1..=LINE).map(point).collect())],
    });
}

fn judge(words: &[u32], floats: usize) -> Finding {
    let wrong = |(row, words): (usize, &[u32])| {
        let number = (row as f32).to_bits();
        let (written, beside) = words.split_at(floats);
        let right = written.iter().all(|word| *word == number) && beside.iter().all(|word| *word == POISON);
        (!right).then_some(row)
    };
    match words.par_chunks(STRIDE).enumerate().find_map_first(wrong) {
        Some(row) => Finding::bad(format!("row {row} is not {floats} floats of its number and nothing else")),
        None => Finding::good(format!("all of {} rows", format::count((words.len() / STRIDE) as u64))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_float_too_few_and_one_too_many_are_found() {
        let mut words = vec![POISON; 2 * STRIDE];
        words[..3].fill(0.0f32.to_bits());
        words[STRIDE..STRIDE + 3].fill(1.0f32.to_bits());
        assert!(judge(&words, 3).passed);
        assert!(!judge(&words, 2).passed && !judge(&words, 4).passed);
    }

    #[test]
    fn every_number_of_floats_of_a_line_is_tried() {
        let mut made = Plan::default();
        plan(&mut made, 1 << 12, 132);
        let experiment = &made.experiments[0];
        assert_eq!(experiment.series[0].points.len(), LINE);
    }
}
