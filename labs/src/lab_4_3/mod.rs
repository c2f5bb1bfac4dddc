//! Lab 4.3: the product of two matrices in pitched memory, an element a thread.
//!
//! Cost of a warp's loads by the shape of a block, effect of the pitch on rows of any length, and, on a GPU, the
//! source's size. Source: notes on CUDA's memories, code 4.3.

mod claims;
mod digest;
mod facts;
mod figures;
mod launch;

use crate::lab::{Host, Lab, View};
use crate::matrices::sizes::{SIZES, memory, scaled, scales, shapes};
use crate::matrices::{self, Input, Matrices, Shape, naive, operations, rate, structure};
use crate::plan::{Allocation, Arg, Experiment, Plan, Point, Quantity, Series, Trial, Workload, Write};
use crate::request::Request;
use anyhow::Result;
use launch::{BLOCK, THREADS, WIDE, WIDER, in_blocks};
use record::{Axis, Scale};
use render::format;

/// The lab.
pub const LAB: Lab = Lab {
    name: "lab-4-3",
    about: "Lab 4.3: the matrix product on pitched memory, on your GPU or on the embedded device",
    examples: EXAMPLES,
    sizes: SIZES,
    short: false,
    memory,
    plan,
    facts: facts::of,
    rules: claims::RULES,
    digest: digest::DIGEST,
    views: VIEWS,
};

const EXAMPLES: &str = "\
Examples:
  lab-4-3                        the GPU if there is one, or the embedded device
  lab-4-3 --quick                a first try: small sizes, few points
  lab-4-3 --all                  every table, check and claim
  lab-4-3 --rows 100 --inner 33 --columns 7
                                 another shape, whatever a block's is
  lab-4-3 --device gpu --scale 10
                                 also 4,800 x 6,400 x 3,200: ten times 480 x 640 x 320
  lab-4-3 --kernel product.cu    your edited copy of kernels/ch4-3/product.cu

Exit codes: 0 all checks held, 1 a check failed, 2 unusable input, 3 a fault.";

const VIEWS: &[View] = &[
    View::Launches { experiment: "blocks" },
    View::Columns { experiment: "pitch" },
    View::Columns { experiment: "large" },
];

fn plan(request: &Request, host: Host) -> Result<Plan> {
    let mut plan = Plan { sources: vec![&kernels::PITCHED_PRODUCT], ..Plan::default() };
    let (shape, large) = shapes(&mut plan, request, host)?;
    let matrices = Matrices::new(&mut plan, ["A", "B", "C"], shape, request.seed);
    plan.experiments.push(blocks(&matrices, request.is_quick()));
    plan.experiments.extend(fitting(&matrices, request.is_quick()));
    let experiment = pitch(&mut plan, &matrices, request.is_quick());
    plan.experiments.push(experiment);
    let experiment = rows(&mut plan, &matrices);
    plan.experiments.push(experiment);
    trials(&mut plan, &matrices, "", request.seed);
    figures::plan(&mut plan);
    if let Some((whole, scale)) = large {
        let matrices = Matrices::new(&mut plan, ["large A", "large B", "large C"], whole, request.seed);
        plan.experiments.push(larger(&matrices, shape, scale));
        plan.uncounted.push("large");
        trials(&mut plan, &matrices, "large/", request.seed);
    }
    Ok(plan)
}

fn blocks(matrices: &Matrices, quick: bool) -> Experiment {
    Experiment {
        id: "blocks",
        title: "Blocks of 256 threads, by their width",
        x: Axis::new("block width", "threads", Scale::Log2),
        y: rate(),
        series: vec![by_width(matrices, matrices.shape, "blocks", "an element a thread", quick)],
    }
}

/// The same where no block has threads beyond the last column, if the widest of `blocks` do.
fn fitting(matrices: &Matrices, quick: bool) -> Option<Experiment> {
    let whole = matrices.shape;
    let columns = whole.p - whole.p % THREADS as usize;
    let label = format!("{} columns", format::count(columns as u64));
    (columns > 0 && columns < whole.p).then(|| Experiment {
        id: "fitting",
        title: "Blocks of 256 threads, by their width, with columns that every width divides",
        x: Axis::new("block width", "threads", Scale::Log2),
        y: rate(),
        series: vec![by_width(matrices, Shape { p: columns, ..whole }, "fitting", &label, quick)],
    })
}

fn by_width(matrices: &Matrices, of: Shape, check: &str, label: &str, quick: bool) -> Series {
    let widths: &[u32] = if quick { &[1, 16, 32, 256] } else { &[1, 2, 4, 8, 16, 32, 64, 128, 256] };
    let point = |&width: &u32| Point {
        x: f64::from(width),
        writes: Vec::new(),
        work: Workload::Launch(in_blocks(matrices, of, width)),
        quantity: Quantity::Rate { units: operations(of) },
        check: Some(matrices.expectation(format!("{check}/{width}"), of)),
        profiled: true,
    };
    Series::new("naive", label, widths.iter().map(point).collect())
}

/// Products with a few columns less, so that rows without gaps begin anywhere, and rows of pitched memory do not.
fn pitch(plan: &mut Plan, matrices: &Matrices, quick: bool) -> Experiment {
    let whole = matrices.shape;
    let bytes = |rows: usize| Allocation::Linear { bytes: 4 * (rows * whole.p) as u64 };
    let b = plan.buffer("packed B", bytes(whole.n), None);
    let c = plan.buffer("packed C", bytes(whole.m), None);
    let columns =
        || (whole.p.saturating_sub(if quick { 1 } else { 3 }).max(1)..=whole.p).map(|p| Shape { p, ..whole });
    let pitched = columns().map(|of| Point {
        x: of.p as f64,
        writes: Vec::new(),
        work: Workload::Launch(in_blocks(matrices, of, WIDE)),
        quantity: Quantity::Rate { units: operations(of) },
        check: Some(matrices.expectation(format!("pitch/pitched/{}", of.p), of)),
        profiled: true,
    });
    let packed = columns().map(|of| {
        let mut args = matrices.arguments(of);
        args[1] = structure(b, of.n, of.p, Arg::U64(of.p as u64));
        args[2] = structure(c, of.m, of.p, Arg::U64(of.p as u64));
        Point {
            x: of.p as f64,
            writes: vec![Write {
                target: crate::plan::Target::Buffer(b),
                offset: 0,
                data: matrices.packed_b(of),
            }],
            work: Workload::Launch(naive(&kernels::PITCHED_PRODUCT, of, [WIDE, THREADS / WIDE], args)),
            quantity: Quantity::Rate { units: operations(of) },
            check: Some(matrices.expected_in(format!("pitch/packed/{}", of.p), c, of, of.p)),
            profiled: true,
        }
    });
    Experiment {
        id: "pitch",
        title: "B and C with and without padding, blocks of 32 × 8",
        x: Axis::new("columns of B and C", "", Scale::Linear),
        y: rate(),
        series: vec![
            Series::new("pitched", "rows padded to the pitch", pitched.collect()),
            Series::new("packed", "rows without gaps", packed.collect()),
        ],
    }
}

/// Words of a line of L1, and of a sector.
const LINE: usize = 32;
const SECTOR: usize = 8;

/// Products in the source's blocks, whose warps read two rows of A at a time: rows that are whole lines apart, as those of
/// pitched memory are, and rows a few sectors longer.
fn rows(plan: &mut Plan, matrices: &Matrices) -> Experiment {
    let of = matrices.shape;
    let whole = of.n.next_multiple_of(LINE);
    let a = plan.buffer("A's rows", Allocation::Linear { bytes: 4 * (of.m * (whole + LINE)) as u64 }, None);
    let point = |stride: usize| {
        let mut args = matrices.arguments(of);
        args[0] = structure(a, of.m, of.n, Arg::U64(stride as u64));
        Point {
            x: stride as f64,
            writes: vec![Write {
                target: crate::plan::Target::Buffer(a),
                offset: 0,
                data: matrices.strided_a(stride),
            }],
            work: Workload::Launch(naive(&kernels::PITCHED_PRODUCT, of, [BLOCK, THREADS / BLOCK], args)),
            quantity: Quantity::Rate { units: operations(of) },
            check: Some(matrices.expectation(format!("rows/{stride}"), of)),
            profiled: true,
        }
    };
    Experiment {
        id: "rows",
        title: "Rows of A so many elements apart, blocks of 16 × 16",
        x: Axis::new("elements from row to row of A", "", Scale::Linear),
        y: rate(),
        series: vec![Series::new(
            "naive",
            "an element a thread",
            (whole..=whole + LINE).step_by(SECTOR).map(point).collect(),
        )],
    }
}

fn larger(matrices: &Matrices, base: Shape, most: usize) -> Experiment {
    let point = |width: u32, scale: usize| {
        let of = scaled(base, scale);
        Point {
            x: scale as f64,
            writes: Vec::new(),
            work: Workload::Launch(in_blocks(matrices, of, width)),
            quantity: Quantity::Rate { units: operations(of) },
            check: Some(matrices.expectation(format!("large/{width}/{scale}"), of)),
            profiled: scale == most,
        }
    };
    let series = |width: u32| Series {
        id: format!("block-{width}"),
        label: format!("blocks of {width} × {}", THREADS / width),
        reference: false,
        points: scales(most).map(|scale| point(width, scale)).collect(),
    };
    Experiment {
        id: "large",
        title: "Larger matrices",
        x: Axis::new("scale", "", Scale::Linear),
        y: rate(),
        series: vec![series(BLOCK), series(WIDE), series(WIDER)],
    }
}

/// Lengths that no block divides; then what must be exact.
fn trials(plan: &mut Plan, matrices: &Matrices, prefix: &str, seed: u64) {
    let of = matrices.shape;
    let launch = |of| Workload::Launch(in_blocks(matrices, of, BLOCK));
    if let Some(odd) = matrices::odd(of) {
        let check = matrices.expectation(format!("{prefix}edges"), odd);
        plan.trials.push(Trial { writes: Vec::new(), work: launch(odd), check });
    }
    for (name, input) in [("exact", Input::Sixteenths), ("identity", Input::Identity)] {
        plan.trials.push(matrices.trial(format!("{prefix}{name}"), input, seed, launch(of)));
    }
}

#[cfg(test)]
mod tests;
