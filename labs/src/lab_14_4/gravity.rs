//! The kernels and their launches: interactions per second against the number of bodies, and against the bodies of a
//! pass.

use super::oracle::{Oracle, SOFTENING_SQUARED};
use crate::lab::Host;
use crate::plan::{
    Allocation, Arg, BufferId, Data, Expectation, Experiment, Launch, Plan, Point, Quantity, Series, Step,
    Target, Trial, Workload,
};
use record::{Axis, Parameter, Scale};
use std::sync::Arc;

/// Bodies in constant memory at a time, as in the source: 64,000 of its 65,536 bytes.
pub(super) const IN_PASS: usize = 4000;

/// Threads a block, everywhere: the size of the tiles in shared memory, and the source's.
const BLOCK: u32 = 256;

/// Blocks in the source, for any number of bodies.
const SOURCE_GRID: u32 = 300;

/// The most bodies that constant memory holds.
const MOST_IN_PASS: usize = 4096;

/// Systems of these sizes, as far as they are below the largest, and that one: below, at and above a pass of 4,000, and
/// multiples of it and none.
const SIZES: [usize; 10] = [1000, 2000, 4000, 6000, 16_384, 32_768, 65_536, 131_072, 196_608, 262_144];

/// The experiment that Nsight Compute is asked for, on a GPU, and its size: three passes of which the last is a small
/// one, and no thread too many.
pub(super) const COUNTS: &str = "counts";
const COUNTED: usize = 8192;

/// The experiment on what schedulers do: systems that fill the chip, one launch each, of which the kernels for constant
/// memory see a pass. Its results are those of [`rate`](plan) and are checked there.
pub(super) const SCHEDULERS: &str = "schedulers";

/// Systems for which the uniform loads are looked at: one that they serve well, one where that ends, and the largest.
const FLAT_LOOKED_AT: [usize; 2] = [65_536, 131_072];

/// The experiment that asks how many blocks a multiprocessor holds.
pub(super) const RESIDENT: &str = "resident";

/// Up to which of them the uniform loads are tried, which become several times slower.
const FLAT_UP_TO: usize = 262_144;

/// Memory from which the inner loop reads the bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Memory {
    Global,
    Shared,
    Constant,
}

/// Properties that distinguish kernels, or ways to call one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Variant {
    pub(super) id: &'static str,
    label: &'static str,
    kernel: &'static str,
    memory: Memory,
    /// Bodies whose acceleration a thread computes at a time.
    each: u32,
    /// Blocks, where it is not one for each `each` times [`BLOCK`] bodies.
    grid: Option<u32>,
}

const fn variant(
    id: &'static str,
    label: &'static str,
    kernel: &'static str,
    memory: Memory,
    each: u32,
) -> Variant {
    Variant { id, label, kernel, memory, each, grid: None }
}

pub(super) const GLOBAL: Variant = variant("global", "global memory", "gravity_global", Memory::Global, 1);
pub(super) const SHARED: Variant =
    variant("shared", "shared memory, tiles of 256", "gravity_shared", Memory::Shared, 1);
pub(super) const CONSTANT: Variant =
    variant("constant", "constant memory", "gravity_constant", Memory::Constant, 1);
const FLAT: Variant =
    variant("constant-flat", "constant memory, no loop around", "gravity_constant_flat", Memory::Constant, 1);
const CONSTANT_2: Variant = variant(
    "constant-2",
    "constant memory, lean, 2 bodies a thread",
    "gravity_constant_2",
    Memory::Constant,
    2,
);

/// A thread a body, as it is first written.
const STRAIGHTFORWARD: [Variant; 5] = [
    CONSTANT,
    Variant { id: "constant-300", label: "constant memory, 300 blocks", grid: Some(SOURCE_GRID), ..CONSTANT },
    FLAT,
    SHARED,
    GLOBAL,
];

/// Leaner kernels, tried after those of the source.
const LEAN: [Variant; 6] = [
    variant("constant-1", "constant memory, lean", "gravity_constant_1", Memory::Constant, 1),
    CONSTANT_2,
    variant(
        "constant-4",
        "constant memory, lean, 4 bodies a thread",
        "gravity_constant_4",
        Memory::Constant,
        4,
    ),
    variant("shared-1", "shared memory, lean", "gravity_shared_1", Memory::Shared, 1),
    variant("shared-2", "shared memory, lean, 2 bodies a thread", "gravity_shared_2", Memory::Shared, 2),
    variant("shared-4", "shared memory, lean, 4 bodies a thread", "gravity_shared_4", Memory::Shared, 4),
];

/// Indices in the plan's buffers of a kernel's bodies and accelerations.
#[derive(Clone, Copy, Debug)]
pub(super) struct Places {
    pub(super) bodies: BufferId,
    pub(super) accelerations: BufferId,
}

impl Places {
    /// Expected accelerations, as sums of `terms` terms.
    fn expectation(self, id: String, terms: usize, oracle: &Arc<Oracle>) -> Expectation {
        let oracle = Arc::clone(oracle);
        Expectation {
            id,
            what: oracle.what(),
            of: Target::Buffer(self.accelerations),
            judge: Arc::new(move |words| oracle.judge(terms, words)),
        }
    }
}

impl Variant {
    /// Terms that the kernel adds one after the other.
    pub(super) fn terms(&self, n: usize, in_pass: usize) -> usize {
        match self.memory {
            Memory::Constant => in_pass.min(n) + n.div_ceil(in_pass),
            _ => n,
        }
    }

    /// The host's loop: one launch, or a copy and a launch for each pass.
    pub(super) fn steps(&self, places: Places, n: usize, in_pass: usize) -> Vec<Step> {
        let args = |more: &[i32]| {
            let mut args = vec![
                Arg::Buffer { buffer: places.accelerations, offset: 0 },
                Arg::Buffer { buffer: places.bodies, offset: 0 },
                Arg::F32(SOFTENING_SQUARED),
                Arg::I32(n as i32),
            ];
            args.extend(more.iter().map(|&value| Arg::I32(value)));
            args
        };
        let launch = |args| {
            let blocks = (n as u32).div_ceil(BLOCK * self.each);
            Launch::new(
                &kernels::GRAVITY,
                self.kernel,
                [self.grid.unwrap_or(blocks), 1, 1],
                [BLOCK, 1, 1],
                args,
            )
        };
        if self.memory != Memory::Constant {
            return vec![Step::Launch(launch(args(&[])))];
        }
        let passes = (0..n).step_by(in_pass).flat_map(|start| {
            let bodies = in_pass.min(n - start);
            let copy = Step::ToSymbol {
                module: &kernels::GRAVITY,
                name: "pass_bodies".to_owned(),
                offset: 0,
                from: places.bodies,
                from_offset: 16 * start as u64,
                bytes: 16 * bodies as u64,
            };
            [copy, Step::Launch(launch(args(&[bodies as i32, i32::from(start == 0)])))]
        });
        passes.collect()
    }

    fn work(&self, places: Places, n: usize, in_pass: usize) -> Workload {
        let mut steps = self.steps(places, n, in_pass);
        match steps.pop() {
            Some(Step::Launch(launch)) if steps.is_empty() => Workload::Launch(launch),
            last => {
                steps.extend(last);
                Workload::Steps(steps)
            }
        }
    }
}

/// Places in the cube from −1 to 1, evenly spread, and masses that differ fivefold and are 1 together, more or less.
pub(super) fn bodies(n: usize, seed: u64) -> Arc<[f32]> {
    let mut bodies = reference::input::uniform(4 * n, seed).to_vec();
    bodies.chunks_exact_mut(4).for_each(|body| body[3] = (1.5 + body[3]) / (1.5 * n as f32));
    bodies.into()
}

pub(super) fn plan(plan: &mut Plan, n: usize, seed: u64, quick: bool, host: Host) {
    let bodies = bodies(n, seed);
    let places = Places {
        bodies: plan.buffer(
            "bodies",
            Allocation::Linear { bytes: 16 * n as u64 },
            Some(Data::F32(bodies.clone())),
        ),
        accelerations: plan.buffer("accelerations", Allocation::Linear { bytes: 12 * n as u64 }, None),
    };
    let mut sizes: Vec<usize> =
        SIZES.into_iter().filter(|&size| size < n && (!quick || size == 1000)).collect();
    sizes.push(n);
    let oracles: Vec<Arc<Oracle>> =
        sizes.iter().map(|&size| Arc::new(Oracle::new(bodies.clone(), size))).collect();
    let point = |variant: &Variant, size: usize, oracle: &Arc<Oracle>, experiment: &str| Point {
        x: size as f64,
        writes: vec![],
        work: variant.work(places, size, IN_PASS),
        quantity: Quantity::Rate { units: (size as f64).powi(2) },
        check: Some(places.expectation(
            format!("{experiment}/{}/{size}", variant.id),
            variant.terms(size, IN_PASS),
            oracle,
        )),
        profiled: experiment == COUNTS,
    };
    let series = |variant: &Variant, points| Series::new(variant.id, variant.label, points);

    for (id, title, variants) in [
        ("rate", "Interactions a second by number of bodies", &STRAIGHTFORWARD[..]),
        ("lean", "Interactions a second by number of bodies, lean kernels", &LEAN[..]),
    ] {
        let all = variants.iter().map(|variant| {
            let tried = sizes.iter().zip(&oracles);
            let tried = tried.filter(|&(&size, _)| variant.id != FLAT.id || size <= FLAT_UP_TO);
            series(variant, tried.map(|(&size, oracle)| point(variant, size, oracle, id)).collect())
        });
        plan.experiments.push(experiment(id, title, all.collect()));
    }

    if host.measured {
        // The large systems would take the embedded device minutes to count: one of a size that it counts at once is
        // compared with the hardware.
        plan.uncounted = vec!["rate", "lean", "pass"];
        let size = n.min(COUNTED);
        let oracle = Arc::new(Oracle::new(bodies.clone(), size));
        let all = STRAIGHTFORWARD
            .iter()
            .chain(&LEAN)
            .map(|variant| series(variant, vec![point(variant, size, &oracle, COUNTS)]));
        plan.experiments.push(experiment(
            COUNTS,
            "What a system of some thousand bodies counts",
            all.collect(),
        ));
    }

    if host.measured {
        plan.experiments.push(schedulers(places, n));
        plan.experiments.push(resident(places, n));
        plan.uncounted.extend([SCHEDULERS, RESIDENT]);
    }

    passes(plan, &bodies, places, n, quick, host);

    // Fewer threads than bodies: each takes several, one after the other.
    if let (Some(&size), Some(oracle)) = (sizes.first(), oracles.first()) {
        let few = Variant { grid: Some(1), ..CONSTANT };
        plan.trials.push(Trial {
            writes: vec![],
            work: few.work(places, size, IN_PASS),
            check: places.expectation(format!("one-block/constant/{size}"), few.terms(size, IN_PASS), oracle),
        });
    }
    plan.parameters.insert("in_pass".to_owned(), Parameter::Integer(IN_PASS as u64));
    plan.parameters.insert("block".to_owned(), Parameter::Integer(u64::from(BLOCK)));
}

/// One launch of each kernel, profiled.
fn schedulers(places: Places, n: usize) -> Experiment {
    let point = |variant: &Variant, size: usize| {
        let constant = variant.memory == Memory::Constant;
        let seen = if constant { IN_PASS.min(size) } else { size };
        let mut steps = variant.steps(places, size, IN_PASS);
        steps.truncate(if constant { 2 } else { 1 });
        Point {
            x: size as f64,
            writes: vec![],
            work: Workload::Steps(steps),
            quantity: Quantity::Rate { units: size as f64 * seen as f64 },
            check: None,
            profiled: true,
        }
    };
    let all = STRAIGHTFORWARD.iter().chain(&LEAN).map(|variant| {
        let more: &[usize] = if variant.id == FLAT.id { &FLAT_LOOKED_AT } else { &[] };
        let sizes = more.iter().copied().filter(|&size| size < n).chain([n]);
        Series::new(variant.id, variant.label, sizes.map(|size| point(variant, size)).collect())
    });
    experiment(SCHEDULERS, "One launch of each kernel, as its schedulers see it", all.collect())
}

/// Blocks of each kernel that a multiprocessor holds.
fn resident(places: Places, n: usize) -> Experiment {
    let asked = |variant: &Variant| {
        let steps = variant.steps(places, n, IN_PASS);
        let launch = steps.into_iter().find_map(|step| match step {
            Step::Launch(launch) => Some(launch),
            Step::Copy { .. } | Step::ToSymbol { .. } | Step::FromSymbol { .. } => None,
        });
        launch.map(|launch| Point {
            x: f64::from(BLOCK),
            writes: vec![],
            work: Workload::Resident(launch),
            quantity: Quantity::Resident,
            check: None,
            profiled: false,
        })
    };
    let series = STRAIGHTFORWARD
        .iter()
        .chain(&LEAN)
        .map(|variant| Series::new(variant.id, variant.label, asked(variant).into_iter().collect()));
    Experiment {
        id: RESIDENT,
        title: "Blocks that a multiprocessor holds at a time",
        x: Axis::new("threads of a block", "", Scale::Linear),
        y: Axis::new("blocks", "", Scale::Linear),
        series: series.collect(),
    }
}

/// Rates by the number of bodies, of the series that have any.
fn experiment(id: &'static str, title: &'static str, series: Vec<Series>) -> Experiment {
    Experiment {
        id,
        title,
        x: Axis::new("bodies", "", Scale::Log2),
        y: Axis::new("interactions", "billion/s", Scale::Linear),
        series: series.into_iter().filter(|series| !series.points.is_empty()).collect(),
    }
}

/// Experiment on the size of a pass.
fn passes(plan: &mut Plan, bodies: &Arc<[f32]>, places: Places, n: usize, quick: bool, host: Host) {
    let most = if host.measured && !quick { 65_536 } else { 4096 };
    let size = n.min(most);
    let in_passes: &[usize] =
        if quick { &[1000, MOST_IN_PASS] } else { &[64, 128, 256, 512, 1000, 2000, IN_PASS, MOST_IN_PASS] };
    let oracle = Arc::new(Oracle::new(bodies.clone(), size));
    let series = [CONSTANT, CONSTANT_2].map(|variant| Series {
        id: variant.id.to_owned(),
        label: variant.label.to_owned(),
        reference: false,
        points: in_passes
            .iter()
            .map(|&in_pass| Point {
                x: in_pass as f64,
                writes: vec![],
                work: variant.work(places, size, in_pass),
                quantity: Quantity::Rate { units: (size as f64).powi(2) },
                check: Some(places.expectation(
                    format!("pass/{}/{in_pass}", variant.id),
                    variant.terms(size, in_pass),
                    &oracle,
                )),
                profiled: false,
            })
            .collect(),
    });
    plan.experiments.push(Experiment {
        id: "pass",
        title: "Interactions a second by bodies in a pass",
        x: Axis::new("bodies in a pass", "", Scale::Log2),
        y: Axis::new("interactions", "billion/s", Scale::Linear),
        series: series.into(),
    });
    plan.parameters.insert("pass_system".to_owned(), Parameter::Integer(size as u64));
}

#[cfg(test)]
mod tests {
    use super::super::LAB;
    use super::*;

    fn planned(n: usize, quick: bool) -> Plan {
        let mut made = Plan::default();
        plan(&mut made, n, 5, quick, Host { multiprocessors: 132, measured: true });
        made
    }

    fn places() -> Places {
        let mut plan = Plan::default();
        let [bodies, accelerations] = ["bodies", "accelerations"].map(|name| plan.buffers.linear(name, 0));
        Places { bodies, accelerations }
    }

    #[test]
    fn each_pass_is_copied_before_it_is_launched_and_all_bodies_are_in_one() {
        for (n, passes) in [(1, 1), (3999, 1), (4000, 1), (4001, 2), (12_000, 3), (12_345, 4)] {
            let steps = CONSTANT.steps(places(), n, IN_PASS);
            assert_eq!(steps.len(), 2 * passes);
            let mut next = 0;
            for pair in steps.chunks(2) {
                let [Step::ToSymbol { from_offset, bytes, offset: 0, .. }, Step::Launch(launch)] = pair
                else {
                    panic!("{pair:?}")
                };
                assert_eq!((*from_offset, launch.args[4].clone()), (next, Arg::I32((bytes / 16) as i32)));
                assert_eq!(launch.args[5], Arg::I32(i32::from(next == 0)));
                assert!(*bytes <= 65_536);
                next += bytes;
            }
            assert_eq!(next, 16 * n as u64);
        }
    }

    #[test]
    fn every_body_has_a_thread() {
        for n in [1, 255, 257, 1000, 8192, 100_000] {
            for variant in STRAIGHTFORWARD.iter().chain(&LEAN).filter(|v| v.grid.is_none()) {
                for step in variant.steps(places(), n, IN_PASS) {
                    let Step::Launch(launch) = step else { continue };
                    let reached = (launch.grid[0] * BLOCK * variant.each) as usize;
                    assert!(reached >= n && reached - n < (BLOCK * variant.each) as usize, "{launch:?}");
                }
            }
        }
    }

    #[test]
    fn the_largest_system_is_the_one_asked_for() {
        for n in [1, 1000, 4100, 8192, 300_000] {
            for quick in [false, true] {
                let plan = planned(n, quick);
                let last = |s: &Series| s.points.last().map(|p| p.x);
                assert_eq!(last(&plan.experiments[0].series[0]), Some(n as f64));
                assert!(plan.experiments.iter().flat_map(|e| &e.series).all(|s| !s.points.is_empty()));
            }
        }
    }

    #[test]
    fn schedulers_are_looked_at_in_one_launch_of_each_kernel_on_a_gpu() {
        let plan = planned(262_144, false);
        let looked_at = plan.experiments.iter().find(|e| e.id == SCHEDULERS).map(|e| &e.series);
        let points = looked_at.into_iter().flatten().flat_map(|s| &s.points);
        assert!(points.clone().all(|point| point.profiled && point.work.launches().count() == 1));
        // Eleven kernels, and two more systems for the uniform loads.
        assert_eq!(points.count(), 13);
        let mut modelled = Plan::default();
        super::plan(&mut modelled, 262_144, 5, false, Host { multiprocessors: 132, measured: false });
        assert!(!modelled.experiments.iter().any(|e| [SCHEDULERS, RESIDENT].contains(&e.id)));
    }

    #[test]
    fn a_re_run_of_a_gpu_s_record_asks_nothing_that_only_a_gpu_knows() -> anyhow::Result<()> {
        let sizes = std::collections::BTreeMap::from([("bodies", 300)]);
        let request = crate::request::Request::new(LAB.sizes, &sizes, 5, crate::request::Scope::Quick, true)?;
        let limits = crate::Limits { instructions: u64::MAX, memory_bytes: 1 << 30 };
        let host = Host { multiprocessors: 4, measured: true };
        let again = crate::rerun_of(
            &LAB,
            &request.parameters(),
            None,
            "h200",
            Some(host),
            crate::Edited::NONE,
            limits,
        )?
        .record;
        for id in [SCHEDULERS, RESIDENT] {
            let points = again.experiment(id).map(|e| e.series.iter().flat_map(|s| &s.points));
            let Some(mut points) = points else { panic!("{id} is part of the plan") };
            assert!(points.all(|point| point.time.is_none() && point.counters.is_empty()), "{id}");
        }
        Ok(())
    }

    #[test]
    fn a_plain_kernel_is_one_launch() {
        assert!(matches!(GLOBAL.work(places(), 5000, IN_PASS), Workload::Launch(_)));
        assert!(matches!(CONSTANT.work(places(), 5000, IN_PASS), Workload::Steps(steps) if steps.len() == 4));
    }
}
