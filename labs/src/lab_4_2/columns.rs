//! Down the columns of packed and padded matrices: lanes side by side that go down together, and lanes below each other,
//! each of which goes along its own row.

use super::padding::Matrices;
use super::rows::{Values, height};
use crate::plan::{
    Allocation, Arg, BufferId, Expectation, Experiment, Finding, Launch, POISON, Plan, Point, Quantity,
    Series, Target, Workload,
};
use record::{Axis, Scale};
use reference::outputs::first_other;
use render::format;
use std::sync::Arc;

/// Floats of a row.
const WIDTHS: [usize; 6] = [128, 255, 256, 257, 1024, 1025];
/// Widths at which Nsight Compute is asked.
const PROFILED: [usize; 2] = [1024, 1025];
/// Threads of a block.
const BLOCK: u32 = 128;
/// Rows of a partial sum of `sum_columns`.
const CHUNK: usize = 64;

/// Direction in which the lanes of a warp are laid out.
#[derive(Clone, Copy, PartialEq)]
enum Lanes {
    /// Each has a column.
    Beside,
    /// Each has a row.
    Below,
}

impl Lanes {
    /// Sums that they make.
    fn sums(self, width: usize, height: usize) -> usize {
        match self {
            Lanes::Beside => width * height.div_ceil(CHUNK),
            Lanes::Below => height,
        }
    }
}

pub(super) fn plan(plan: &mut Plan, values: &Values, matrices: &Matrices) {
    let n = values.input.len();
    let most = WIDTHS
        .iter()
        .flat_map(|&width| [Lanes::Beside, Lanes::Below].map(|lanes| lanes.sums(width, height(n, width))));
    let out = plan.buffer("sums", Allocation::Linear { bytes: 4 * most.max().unwrap_or(0) as u64 }, None);
    let words = WIDTHS.iter().map(|&width| width * height(n, width)).max().unwrap_or(0);
    let all: Arc<[f32]> = values.input.iter().copied().cycle().take(words).collect();

    let series = |id: &str, label: &str, lanes: Lanes, pitched: bool| {
        let point = |&width: &usize| {
            let height = height(n, width);
            let matrix = matrices.of(width, pitched)?;
            // At most 2^26 of each.
            let (columns, rows) = (width as u32, height as u32);
            let (kernel, grid) = match lanes {
                Lanes::Beside => ("sum_columns", [columns.div_ceil(BLOCK), rows.div_ceil(CHUNK as u32), 1]),
                Lanes::Below => ("sum_rows", [rows.div_ceil(BLOCK), 1, 1]),
            };
            let output = Arg::Buffer { buffer: out, offset: 0 };
            let sizes = [Arg::I32(columns as i32), Arg::I32(rows as i32)];
            let args = matrix.args().into_iter().chain([output]).chain(sizes).collect();
            Some(Point {
                x: width as f64,
                writes: Vec::new(),
                work: Workload::Launch(Launch::new(&kernels::ROWS, kernel, grid, [BLOCK, 1, 1], args)),
                quantity: Quantity::Bandwidth { bytes: 4.0 * (width * height) as f64 },
                check: Some(expectation(lanes, &all, out, width, height)),
                profiled: PROFILED.contains(&width),
            })
        };
        let points = WIDTHS.iter().filter_map(point).collect();
        Series::new(id, label, points)
    };
    plan.experiments.push(Experiment {
        id: "columns",
        title: "Down the columns: packed and padded",
        x: Axis::new("floats a row", "", Scale::Log2),
        y: Axis::new("useful bandwidth", "GB/s", Scale::Linear),
        series: vec![
            series("beside-packed", "lanes beside each other, packed rows", Lanes::Beside, false),
            series("beside-pitched", "lanes beside each other, padded rows", Lanes::Beside, true),
            series("below-packed", "lanes below each other, packed rows", Lanes::Below, false),
            series("below-pitched", "lanes below each other, padded rows", Lanes::Below, true),
        ],
    });
}

fn expectation(lanes: Lanes, all: &Arc<[f32]>, out: BufferId, width: usize, height: usize) -> Expectation {
    let all = Arc::clone(all);
    let judge = move |words: &[u32]| {
        let wanted = sums(lanes, &all, width, height);
        let wrong = words.iter().zip(&wanted).position(|(is, should)| *is != should.to_bits());
        match wrong {
            Some(at) if words[at] == POISON => Finding::bad(format!("sum {at} was not written")),
            Some(at) => {
                Finding::bad(format!("sum {at} is {}, not {}", f32::from_bits(words[at]), wanted[at]))
            }
            None if first_other(&words[wanted.len()..], POISON).is_some() => {
                Finding::bad("something was written beyond the sums")
            }
            None => Finding::good(format!("{0} of {0} sums are right", format::count(wanted.len() as u64))),
        }
    };
    Expectation {
        id: format!("columns/{width}"),
        what: "each sum is that of single precision in the same order, bit for bit".to_owned(),
        of: Target::Buffer(out),
        judge: Arc::new(judge),
    }
}

/// Output of a correct kernel.
fn sums(lanes: Lanes, all: &[f32], width: usize, height: usize) -> Vec<f32> {
    let rows = || all.chunks(width).take(height);
    match lanes {
        Lanes::Below => rows().map(|row| row.iter().fold(0.0, |sum, value| sum + value)).collect(),
        Lanes::Beside => {
            let mut sums = vec![0.0; lanes.sums(width, height)];
            for (number, row) in rows().enumerate() {
                let partial = &mut sums[number / CHUNK * width..][..width];
                partial.iter_mut().zip(row).for_each(|(sum, value)| *sum += value);
            }
            sums
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_of_rows_and_of_columns_are_distinguished() {
        let all: Vec<f32> = (0..130 * 3).map(|i| i as f32).collect();
        assert_eq!(sums(Lanes::Below, &all, 3, 2), [3.0, 12.0]);
        let columns = sums(Lanes::Beside, &all, 3, 130);
        assert_eq!(columns.len(), 9);
        assert_eq!(
            columns[6..],
            [(128 + 129) as f32 * 3.0, (128 + 129) as f32 * 3.0 + 2.0, (128 + 129) as f32 * 3.0 + 4.0]
        );
    }
}
