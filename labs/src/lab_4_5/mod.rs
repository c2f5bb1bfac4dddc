//! Lab 4.5: the product of two matrices by tiles in shared memory, and by tiles of registers.
//!
//! Savings by tiles, counted and timed; a layout of the tiles that causes bank conflicts, and the padding that repairs
//! it; the distance of all of these from the chip's limit; and, on a GPU, the source's size. Source: notes on CUDA's
//! memories, code 4.5.

mod barriers;
mod claims;
mod digest;
mod facts;
mod figures;
mod variants;
mod waves;

use crate::lab::{Host, Lab, View};
use crate::matrices::sizes::{SIZES, memory, scaled, scales, shapes};
use crate::matrices::{self, Input, Matrices, Shape, operations, rate};
use crate::plan::{
    Allocation, Arg, BufferId, Expectation, Experiment, Finding, Launch, Plan, Point, Quantity, Series,
    Target, Trial, Workload,
};
use crate::request::Request;
use anyhow::Result;
use record::{Axis, Scale};
use render::format;
use std::sync::Arc;
use variants::{BLOCKED, DEBUGGED, FAMILIES, Family, LARGE, Variant, blocked, launch, tiled};

/// The lab.
pub const LAB: Lab = Lab {
    name: "lab-4-5",
    about: "Lab 4.5: the matrix product by tiles in shared memory, on your GPU or on the embedded device",
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
  lab-4-5                        the GPU if there is one, or the embedded device
  lab-4-5 --quick                a first try: small sizes, few points
  lab-4-5 --all                  every table, check and claim
  lab-4-5 --device simt --arch gtx970
                                 as the model has the source's card
  lab-4-5 --rows 100 --inner 33 --columns 7
                                 another shape, whatever a tile's is
  lab-4-5 --device gpu --scale 10
                                 also 4,800 x 6,400 x 3,200: ten times 480 x 640 x 320
  lab-4-5 --kernel tiles.cu      your edited copy of kernels/ch4-5/tiles.cu

Exit codes: 0 all checks held, 1 a check failed, 2 unusable input, 3 a fault.";

const VIEWS: &[View] = &[
    View::Launches { experiment: "tiles" },
    View::Columns { experiment: "registers" },
    View::Columns { experiment: "large" },
];

/// The largest scale of kernels that were compiled for debugging.
const DEBUG_MOST: usize = 4;

/// Threads of the peak kernel's blocks, and blocks on each multiprocessor: eight warps for each scheduler, of eight
/// sums.
const PEAK_THREADS: u32 = 256;
const PEAK_BLOCKS: u32 = 4;

/// Multiply-adds of a thread of the peak kernel in a round: 8 sums, 16 times each.
const PEAK_ROUND: u64 = 128;

/// The fewest rounds, so that the launch itself is a small part of the time; and the most for which the sums are exact
/// in single precision.
const PEAK_FEWEST: u64 = 32;
const PEAK_MOST: u64 = 100_000;

fn plan(request: &Request, host: Host) -> Result<Plan> {
    let mut plan = Plan { sources: vec![&kernels::PITCHED_PRODUCT, &kernels::TILES], ..Plan::default() };
    let (shape, large) = shapes(&mut plan, request, host)?;
    let matrices = Matrices::new(&mut plan, ["A", "B", "C"], shape, request.seed);
    let peak = Peak::new(&mut plan, host);
    plan.experiments.push(tiles(&matrices));
    plan.experiments.push(registers(&matrices, &peak));
    trials(&mut plan, &matrices, "", request.seed);
    if let Some((whole, scale)) = large {
        let matrices = Matrices::new(&mut plan, ["large A", "large B", "large C"], whole, request.seed);
        plan.sources.push(&kernels::DEBUG);
        plan.experiments.push(larger(&matrices, &peak, shape, scale));
        plan.experiments.extend(waves::rates(&matrices, host.multiprocessors));
        plan.experiments.push(waves::resident(&matrices));
        plan.uncounted.extend(["large", waves::RATES, waves::RESIDENT]);
        trials(&mut plan, &matrices, "large/", request.seed);
    }
    plan.attempts.push(barriers::attempt());
    figures::plan(&mut plan);
    Ok(plan)
}

fn point(x: f64, id: String, variant: Variant, matrices: &Matrices, of: Shape, profiled: bool) -> Point {
    Point {
        x,
        writes: Vec::new(),
        work: Workload::Launch(launch(variant, matrices.arguments(of), of)),
        quantity: Quantity::Rate { units: operations(of) },
        check: Some(matrices.expectation(id, of)),
        profiled,
    }
}

fn tiles(matrices: &Matrices) -> Experiment {
    let family = |&(id, label, variants): &Family| {
        let point = |(size, variant)| {
            point(f64::from(size), format!("tiles/{id}/{size}"), variant, matrices, matrices.shape, true)
        };
        Series::new(id, label, variants.map(point).into())
    };
    Experiment {
        id: "tiles",
        title: "Tiles in shared memory, by their size and layout",
        x: Axis::new("tile size", "", Scale::Log2),
        y: rate(),
        series: FAMILIES.iter().map(family).collect(),
    }
}

fn registers(matrices: &Matrices, peak: &Peak) -> Experiment {
    let of = matrices.shape;
    let points = BLOCKED.map(|(elements, variant)| {
        point(f64::from(elements), format!("registers/{elements}"), variant, matrices, of, true)
    });
    let alone = [1.0, 64.0].map(|elements| peak.point(elements, of));
    Experiment {
        id: "registers",
        title: "Tiles of registers, by the elements that a thread computes",
        x: Axis::new("elements a thread", "", Scale::Log2),
        y: rate(),
        series: vec![Series::new("product", "the product", points.into()), peak.series(alone.into())],
    }
}

fn larger(matrices: &Matrices, peak: &Peak, base: Shape, most: usize) -> Experiment {
    let up_to = |last: usize, &(id, label, variant): &(&str, &str, Variant)| {
        let at = |scale| {
            let of = scaled(base, scale);
            point(scale as f64, format!("large/{id}/{scale}"), variant, matrices, of, scale == most)
        };
        Series::new(id, label, scales(most).filter(|&scale| scale <= last).map(at).collect())
    };
    let alone = scales(most).map(|scale| peak.point(scale as f64, scaled(base, scale)));
    let mut all: Vec<Series> = LARGE.iter().map(|variant| up_to(most, variant)).collect();
    if [base.m, base.n, base.p].iter().all(|length| length.is_multiple_of(16)) {
        all.extend(DEBUGGED.iter().map(|variant| up_to(DEBUG_MOST, variant)));
    }
    all.push(peak.series(alone.collect()));
    Experiment {
        id: "large",
        title: "Larger matrices",
        x: Axis::new("scale", "", Scale::Linear),
        y: rate(),
        series: all,
    }
}

/// Launch of nothing but multiply-adds, about as many as a large product has.
struct Peak {
    out: BufferId,
    blocks: u32,
}

impl Peak {
    fn new(plan: &mut Plan, host: Host) -> Self {
        let blocks = PEAK_BLOCKS * host.multiprocessors;
        let bytes = 4 * u64::from(blocks) * u64::from(PEAK_THREADS);
        Peak { out: plan.buffer("sums", Allocation::Linear { bytes }, None), blocks }
    }

    fn point(&self, x: f64, of: Shape) -> Point {
        let a_round = u64::from(self.blocks) * u64::from(PEAK_THREADS) * PEAK_ROUND;
        let rounds = (of.multiplications() / a_round).clamp(PEAK_FEWEST, PEAK_MOST);
        // 1 · sum + 1: whole numbers, so that the result is known exactly.
        let args = vec![self.out.into(), Arg::F32(1.0), Arg::F32(1.0), Arg::I32(rounds as i32)];
        let (grid, block) = ([self.blocks, 1, 1], [PEAK_THREADS, 1, 1]);
        let launch = Launch::new(&kernels::TILES, "multiply_adds", grid, block, args);
        let expected = move |thread: u32| (8 * thread + 28 + 128 * rounds as u32) as f32;
        Point {
            x,
            writes: Vec::new(),
            work: Workload::Launch(launch),
            quantity: Quantity::Rate { units: 2.0 * (a_round * rounds) as f64 },
            check: Some(Expectation {
                id: "multiply-adds".to_owned(),
                what: "sums of ones are exact".to_owned(),
                of: Target::Buffer(self.out),
                judge: Arc::new(move |words| {
                    let wrong =
                        |(at, &word): (usize, &u32)| word != expected(at as u32 % PEAK_THREADS).to_bits();
                    match words.iter().enumerate().position(wrong) {
                        None => Finding::good(format!(
                            "{0} of {0} sums are right",
                            format::count(words.len() as u64)
                        )),
                        Some(at) => Finding::bad(format!("sum {at} is {}", f32::from_bits(words[at]))),
                    }
                }),
            }),
            profiled: false,
        }
    }

    fn series(&self, points: Vec<Point>) -> Series {
        Series { id: "peak".to_owned(), label: "multiply-adds alone".to_owned(), reference: true, points }
    }
}

/// Every kernel with lengths that no tile divides; then what must be exact.
fn trials(plan: &mut Plan, matrices: &Matrices, prefix: &str, seed: u64) {
    let of = matrices.shape;
    let variants =
        || FAMILIES.iter().flat_map(|(_, _, variants)| variants).chain(&BLOCKED).map(|&(_, variant)| variant);
    if let Some(odd) = matrices::odd(of) {
        plan.trials.extend(variants().map(|variant| Trial {
            writes: Vec::new(),
            work: Workload::Launch(launch(variant, matrices.arguments(odd), odd)),
            check: matrices.expectation(format!("{prefix}edges"), odd),
        }));
    }
    for (name, input) in [("exact", Input::Sixteenths), ("identity", Input::Identity)] {
        for variant in [tiled("tiled_16", 16), blocked("blocked_8", 8)] {
            let work = Workload::Launch(launch(variant, matrices.arguments(of), of));
            plan.trials.push(matrices.trial(format!("{prefix}{name}"), input, seed, work));
        }
    }
}

#[cfg(test)]
mod tests;
