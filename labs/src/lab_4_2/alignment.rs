//! Cost of a row's alignment: each start from 0 to 31 floats past a multiple of 128 bytes.
//!
//! Alone: rows of one warp each, 512 bytes apart, so that a sector which a row touches in part serves no other row. In
//! a stream: one row as long as the matrix, whose warps share the sectors at their ends.

use super::rows::{Layout, Matrix, Values, doubled, scale};
use crate::plan::{Allocation, Data, Experiment, Plan, Point, Quantity, Series, Target, Workload, Write};
use record::{Axis, Parameter, Scale};
use std::sync::Arc;

/// Floats of a warp's row, and of the distance from one to the next.
const WIDTH: usize = 32;
const STRIDE: usize = 128;
/// Starts at which Nsight Compute is asked.
const PROFILED: [usize; 5] = [0, 1, 8, 16, 31];
/// Times as many values as the lab's size, on a GPU: at its own size the data read and written would fit the L2 cache
/// of an H200, and a repetition would find it there.
const TIMES_ON_A_GPU: usize = 2;

/// Side of the copy that begins at the start.
#[derive(Clone, Copy, PartialEq)]
enum Side {
    Load,
    Store,
}

pub(super) fn plan(plan: &mut Plan, values: &Values, measured: bool) {
    let n = values.input.len() * if measured { TIMES_ON_A_GPU } else { 1 };
    // Whole rows, and room for the farthest start.
    let height = n.div_ceil(STRIDE);
    plan.parameters.insert("rows_at_starts".to_owned(), Parameter::Integer(height as u64));
    let words = height * STRIDE + WIDTH;
    let shape = Allocation::Linear { bytes: 4 * words as u64 };
    let from = plan.buffer("in, rows at any start", shape, None);
    let to = plan.buffer("out, rows at any start", shape, None);
    // The matrix holds the values over and over, so that its last row is as full as the others.
    let wrapped: Arc<[f32]> = values.input.iter().copied().cycle().take(words).collect();
    plan.writes.push(Write {
        target: Target::Buffer(from),
        offset: 0,
        data: Data::F32(Arc::clone(&wrapped)),
    });
    let values = Values::of(wrapped);

    // Width, height and distance of the rows, alone and in a stream.
    let alone = (WIDTH, height, STRIDE);
    let stream = (height * STRIDE, 1, words);
    let points = |side: Side, (width, height, stride): (usize, usize, usize), counted: bool| -> Vec<Point> {
        let lie = |begins: Side, start| Layout { start: if side == begins { start } else { 0 }, stride };
        let point = |start: usize| {
            let matrix = |buffer, begins| Matrix { buffer, lie: lie(begins, start), pitched: false };
            let (from, to) = (matrix(from, Side::Load), matrix(to, Side::Store));
            let quantity = match (counted, side) {
                (true, Side::Load) => sectors(&["global_load_sectors"], &["global_load_requests"]),
                (true, Side::Store) => sectors(&["global_store_sectors"], &["global_store_requests"]),
                (false, _) => Quantity::Bandwidth { bytes: 8.0 * (width * height) as f64 },
            };
            let id = format!("alignment/{start}");
            Point {
                x: start as f64,
                writes: Vec::new(),
                work: Workload::Launch(scale(&from, &to, width, height)),
                quantity,
                check: (!counted).then(|| doubled(id, &values, from.lie, &to, width, height)),
                profiled: counted && PROFILED.contains(&start),
            }
        };
        (0..WIDTH).map(point).collect()
    };
    plan.experiments.push(Experiment {
        id: "alignment",
        title: "Sectors of a warp's 128 bytes, by where they begin",
        x: Axis::new("start", "floats", Scale::Linear),
        y: Axis::new("size of a request", "sectors", Scale::Linear),
        series: vec![
            Series::new("load", "rows read from there", points(Side::Load, alone, true)),
            Series::new("store", "rows written there", points(Side::Store, alone, true)),
        ],
    });
    plan.experiments.push(Experiment {
        id: "alignment-time",
        title: "Bandwidth by where rows begin",
        x: Axis::new("start", "floats", Scale::Linear),
        y: Axis::new("useful bandwidth", "GB/s", Scale::Linear),
        series: vec![
            Series::new("load", "rows of 128 B read from there", points(Side::Load, alone, false)),
            Series::new("store", "rows of 128 B written there", points(Side::Store, alone, false)),
            Series::new("load-stream", "one long row read from there", points(Side::Load, stream, false)),
            Series::new("store-stream", "one long row written there", points(Side::Store, stream, false)),
        ],
    });
}

fn sectors(of: &'static [&'static str], per: &'static [&'static str]) -> Quantity {
    Quantity::Counted { of, per, by: 1.0 }
}
