//! The tail of a launch: as many blocks of the largest kernel as the chip holds at a time, several times
//! over, against a few more; and how many of them it holds.
//!
//! A chip takes as many blocks as it has room for, which is a *wave*, and another where one has ended. Enters: the large
//! matrices, the number of multiprocessors. Leaves: experiments for a GPU.

use super::variants::{LARGE, Variant, blocked, launch};
use crate::matrices::{Matrices, Shape, operations, rate};
use crate::plan::{Experiment, Point, Quantity, Series, Workload};
use record::{Axis, Scale};

pub(super) const RATES: &str = "waves";
pub(super) const RESIDENT: &str = "resident";

/// The kernel: a thread computes 8 × 8 elements, a block a tile of 128 × 128.
const ELEMENTS: u32 = 8;
const TILE: usize = 128;

/// Blocks of it on a multiprocessor, as its bounds ask for; the experiment [`RESIDENT`] has the driver's word on it.
const ON_A_MULTIPROCESSOR: usize = 2;

/// Grids of whole waves, and of a row of blocks more: columns of blocks, and rows for each. Nothing for matrices with no
/// room for a wave.
fn grids(whole: Shape, multiprocessors: u32) -> Option<(usize, Vec<usize>)> {
    let wave = ON_A_MULTIPROCESSOR * multiprocessors as usize;
    let (columns, rows) = (whole.p / TILE, whole.m / TILE);
    // The widest grid that divides a wave, so that the matrices are near the largest ones in shape.
    let columns = (1..=columns).rev().find(|columns| wave.is_multiple_of(*columns))?;
    let of_a_wave = wave / columns;
    let waves = (1..=rows / of_a_wave).map(|waves| waves * of_a_wave);
    let all: Vec<usize> = waves.flat_map(|full| [full, full + 1]).filter(|&all| all <= rows).collect();
    (!all.is_empty()).then_some((columns, all))
}

/// Rates by the number of blocks.
pub(super) fn rates(matrices: &Matrices, multiprocessors: u32) -> Option<Experiment> {
    let whole = matrices.shape;
    let (columns, rows) = grids(whole, multiprocessors)?;
    let variant = blocked("blocked_8", ELEMENTS);
    let point = |rows: usize| {
        let of = Shape { m: rows * TILE, p: columns * TILE, ..whole };
        let blocks = rows * columns;
        Point {
            x: blocks as f64,
            writes: Vec::new(),
            work: Workload::Launch(launch(variant, matrices.arguments(of), of)),
            quantity: Quantity::Rate { units: operations(of) },
            check: Some(matrices.expectation(format!("waves/{blocks}"), of)),
            profiled: false,
        }
    };
    Some(Experiment {
        id: RATES,
        title: "Whole waves of blocks, and a row of blocks more",
        x: Axis::new("blocks", "", Scale::Linear),
        y: rate(),
        series: vec![Series::new("blocked-8", "64 elements a thread", rows.into_iter().map(point).collect())],
    })
}

/// Blocks of each kernel that a multiprocessor holds.
pub(super) fn resident(matrices: &Matrices) -> Experiment {
    let whole = matrices.shape;
    let series = |&(id, label, variant): &(&str, &str, Variant)| {
        let launch = launch(variant, matrices.arguments(whole), whole);
        let threads: u32 = launch.block.iter().product();
        let point = Point {
            x: f64::from(threads),
            writes: Vec::new(),
            work: Workload::Resident(launch),
            quantity: Quantity::Resident,
            check: None,
            profiled: false,
        };
        Series::new(id, label, vec![point])
    };
    Experiment {
        id: RESIDENT,
        title: "Blocks that a multiprocessor holds at a time",
        x: Axis::new("threads of a block", "", Scale::Linear),
        y: Axis::new("blocks", "", Scale::Linear),
        series: LARGE.iter().map(series).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: Shape = Shape { m: 4800, n: 6400, p: 3200 };

    #[test]
    fn whole_waves_fill_every_multiprocessor_and_one_row_more_does_not() {
        // 132 multiprocessors hold 264 blocks: 24 columns by 11 rows.
        assert_eq!(grids(SOURCE, 132), Some((24, vec![11, 12, 22, 23, 33, 34])));
        for multiprocessors in [13, 46, 80, 108, 114, 128, 132] {
            let Some((columns, rows)) = grids(SOURCE, multiprocessors) else { panic!("room for a wave") };
            assert!(columns * TILE <= SOURCE.p && rows.iter().all(|rows| rows * TILE <= SOURCE.m));
            let wave = 2 * multiprocessors as usize;
            let (full, more): (Vec<usize>, Vec<usize>) =
                rows.iter().map(|rows| rows * columns).partition(|blocks| blocks.is_multiple_of(wave));
            assert!(!full.is_empty() && full.len() >= more.len(), "{multiprocessors}: {full:?} {more:?}");
        }
    }

    #[test]
    fn matrices_without_room_for_a_wave_have_no_waves() {
        assert_eq!(grids(Shape { m: 480, n: 640, p: 320 }, 132), None);
        assert_eq!(grids(Shape { m: 100, n: 640, p: 100 }, 1), None);
    }
}
