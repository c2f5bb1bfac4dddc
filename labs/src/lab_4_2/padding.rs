//! Packed rows against padded ones: every row doubled, by widths.

use super::pitch::{DEPTH, HEIGHT, WIDTHS};
use super::rows;
use super::rows::{Layout, Matrix, Values, doubled, height, scale};
use crate::plan::{
    Allocation, Arg, BufferId, Data, Expectation, Experiment, Finding, Launch, Plan, Point, Quantity, Series,
    Target, Trial, Workload, Write,
};
use record::{Axis, Scale};
use render::format;
use std::sync::Arc;

/// Floats of a row: the source's, and others on both sides of a warp, a pitch, and four.
pub(super) const ALL: [usize; 11] = [15, 31, 32, 33, 128, 255, 256, 257, 1000, 1024, 1025];
/// Widths at which Nsight Compute is asked.
const PROFILED: [usize; 4] = [15, 32, 255, 256];

/// The inputs, for those who go down the columns.
pub(super) struct Matrices {
    packed: BufferId,
    pitched: Vec<(usize, BufferId)>,
}

impl Matrices {
    /// The input of this width, packed or padded.
    pub(super) fn of(&self, width: usize, pitched: bool) -> Option<Matrix> {
        let lie = Layout { start: 0, stride: width };
        if !pitched {
            return Some(Matrix { buffer: self.packed, lie, pitched });
        }
        let (_, buffer) = self.pitched.iter().find(|(of, _)| *of == width)?;
        Some(Matrix { buffer: *buffer, lie, pitched })
    }
}

/// A matrix with a pitch, in one or more slices.
fn shape(width: usize, height: usize, depth: usize) -> Allocation {
    Allocation::Pitched { width: 4 * width as u64, height: height as u64, depth: depth as u64, element: 4 }
}

pub(super) fn plan(plan: &mut Plan, values: &Values) -> Matrices {
    let n = values.input.len();
    // At least a row of each width.
    let words = ALL.iter().map(|&width| width * height(n, width)).fold(n, usize::max);
    let all: Arc<[f32]> = values.input.iter().copied().cycle().take(words).collect();
    let linear = Allocation::Linear { bytes: 4 * words as u64 };
    let packed = [
        plan.buffer("in, packed", linear, Some(Data::F32(Arc::clone(&all)))),
        plan.buffer("out, packed", linear, None),
    ];
    let values = Values::of(Arc::clone(&all));
    let mut matrices = Matrices { packed: packed[0], pitched: Vec::new() };
    let mut points = [Vec::new(), Vec::new()];
    for width in ALL {
        let height = height(n, width);
        // A 2D copy fills it with as many values of the packed matrix as it has.
        let data = Data::F32(Arc::clone(&all));
        let pitched = [
            plan.buffer("in, padded", shape(width, height, 1), Some(data)),
            plan.buffer("out, padded", shape(width, height, 1), None),
        ];
        matrices.pitched.push((width, pitched[0]));
        for (points, (buffers, pitched)) in points.iter_mut().zip([(packed, false), (pitched, true)]) {
            let lie = Layout { start: 0, stride: width };
            let [from, to] = buffers.map(|buffer| Matrix { buffer, lie, pitched });
            points.push(Point {
                x: width as f64,
                writes: Vec::new(),
                work: Workload::Launch(scale(&from, &to, width, height)),
                quantity: Quantity::Bandwidth { bytes: 8.0 * (width * height) as f64 },
                check: Some(doubled(format!("padding/{width}"), &values, lie, &to, width, height)),
                profiled: PROFILED.contains(&width),
            });
        }
    }
    let [packed, pitched] = points;
    plan.experiments.push(Experiment {
        id: "padding",
        title: "Along the rows: packed and padded",
        x: Axis::new("floats a row", "", Scale::Log2),
        y: Axis::new("useful bandwidth", "GB/s", Scale::Linear),
        series: vec![
            Series::new("packed", "packed rows", packed),
            Series::new("pitched", "padded rows", pitched),
        ],
    });
    three_dimensions(plan);
    matrices
}

/// The source's 3D extents, each element numbered by a kernel: slices follow slices, rows are at the pitch.
fn three_dimensions(plan: &mut Plan) {
    let (height, depth) = (HEIGHT as usize, DEPTH as usize);
    for width in WIDTHS.map(|width| width as usize) {
        let buffer = plan.buffer("slices", shape(width, height, depth), None);
        let count = width * height * depth;
        // The whole of it is written by a 3D copy first, so that an element which no thread reaches has another value.
        let writes = vec![Write {
            target: Target::Buffer(buffer),
            offset: 0,
            data: Data::U32(vec![u32::MAX; count].into()),
        }];
        let judge =
            move |words: &[u32]| match words.iter().enumerate().find(|(at, word)| *at as u32 != **word) {
                None if words.len() == count => {
                    Finding::good(format!("{0} of {0} elements are right", format::count(count as u64)))
                }
                None => Finding::bad(format!("{} elements, but there should be {count}", words.len())),
                Some((at, word)) => Finding::bad(format!("element {at} is {word}")),
            };
        plan.trials.push(Trial {
            writes,
            work: Workload::Launch(number(buffer, width, height, depth)),
            check: Expectation {
                id: format!("slices/{width}"),
                what:
                    "a 3D copy gives back every element where the kernel put it, and the padding is untouched"
                        .to_owned(),
                of: Target::Buffer(buffer),
                judge: Arc::new(judge),
            },
        });
    }
}

fn number(buffer: BufferId, width: usize, height: usize, depth: usize) -> Launch {
    let [x, y, _] = rows::BLOCK;
    let size = |n: usize| Arg::I32(n as i32);
    Launch::new(
        &kernels::ROWS,
        "number",
        [(width as u32).div_ceil(x), (height as u32).div_ceil(y), depth as u32],
        rows::BLOCK,
        vec![
            Arg::Buffer { buffer, offset: 0 },
            Arg::Pitch { buffer, element: 1 },
            size(width),
            size(height),
            size(depth),
        ],
    )
}
