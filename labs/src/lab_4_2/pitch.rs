//! Pitches that the driver chooses: for the rows of the source, and for a sweep of widths.

use crate::plan::{Experiment, Plan, Point, Quantity, Series, Workload};
use record::{Axis, Scale};

/// Floats of the source's rows; each matrix has as many rows as [`HEIGHT`], and in three dimensions [`DEPTH`] slices.
pub(super) const WIDTHS: [u64; 3] = [15, 128, 255];
pub(super) const HEIGHT: u64 = 15;
pub(super) const DEPTH: u64 = 3;

/// Bytes up to which widths are swept.
const SWEPT: u64 = 4096;

pub(super) fn plan(plan: &mut Plan) {
    let series = |points: &dyn Fn(u64) -> Vec<Point>| {
        let one = |id, label, rows| Series::new(id, label, points(rows));
        vec![
            one("2d", "15 rows, as cudaMallocPitch asks for", HEIGHT),
            one("3d", "3 slices of 15 rows, as cudaMalloc3D asks for", HEIGHT * DEPTH),
        ]
    };
    plan.experiments.push(Experiment {
        id: "source",
        title: "Pitch of the source's rows",
        x: Axis::new("floats a row", "", Scale::Linear),
        y: Axis::new("pitch", "B", Scale::Linear),
        series: series(&|rows| WIDTHS.map(|floats| point(floats as f64, 4 * floats, rows)).into()),
    });
    plan.experiments.push(Experiment {
        id: "pitch",
        title: "Pitch by the width of a row",
        x: Axis::new("width", "B", Scale::Linear),
        y: Axis::new("pitch", "B", Scale::Linear),
        series: series(&|rows| swept().map(|width| point(width as f64, width, rows)).collect()),
    });
}

fn point(x: f64, width: u64, rows: u64) -> Point {
    let work = Workload::Pitch { width, rows };
    Point { x, writes: Vec::new(), work, quantity: Quantity::Pitch, check: None, profiled: false }
}

/// Multiples of 64 bytes, and the neighbours of multiples of 512.
fn swept() -> impl Iterator<Item = u64> {
    let near = |width: &u64| matches!(width % 512, 0 | 1 | 4 | 508 | 511);
    (1..=SWEPT).filter(move |width| width % 64 == 0 || near(width))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sweep_has_both_sides_of_every_step() {
        let all: Vec<u64> = swept().collect();
        assert!(all.is_sorted() && all.first() == Some(&1) && all.last() == Some(&SWEPT));
        for step in (512..SWEPT).step_by(512) {
            assert!([step - 1, step, step + 1].iter().all(|width| all.contains(width)));
        }
    }
}
