//! The stencil in its variants: where should the coefficients live?
//!
//! All kernels do the same sums in the same order. They differ in where `c` comes from, how the array's ends are handled,
//! how many outputs a thread has, and whether its input is staged in shared memory or read through the read-only path. The
//! copies move as many bytes and compute nothing; a kernel that does nothing shows what it takes to start the blocks.

use super::oracle::{COEFFICIENTS, Oracle, RADIUS, Written};
use crate::plan::{
    Allocation, Arg, BufferId, Closing, Data, Expectation, Experiment, Launch, Plan, Point, Quantity, Series,
    Target, Trial, Workload, Write,
};
use record::{Axis, Parameter, Scale};
use std::sync::Arc;

const BLOCKS: [u32; 6] = [32, 64, 128, 256, 512, 1024];

/// Properties that distinguish variants.
struct Variant {
    id: &'static str,
    label: &'static str,
    kernel: &'static str,
    /// Whether `c` is an argument (a pointer) or the symbol `coef`.
    takes_c: bool,
    /// Whether the block stages its input in shared memory.
    stages: bool,
    /// Outputs a thread.
    per_thread: u32,
    written: Written,
}

impl Variant {
    /// A kernel of one output a thread, whose blocks stage their input and whose coefficients are the symbol.
    const fn of(id: &'static str, label: &'static str, kernel: &'static str) -> Self {
        Variant { id, label, kernel, takes_c: false, stages: true, per_thread: 1, written: Written::All }
    }

    /// With the coefficients as an argument.
    const fn with_c(self) -> Self {
        Variant { takes_c: true, ..self }
    }

    /// With the ends of the array handled in the kernel.
    const fn guarded(self) -> Self {
        Variant { written: Written::Inner, ..self }
    }

    /// With the input straight from global memory.
    const fn unstaged(self) -> Self {
        Variant { stages: false, ..self }
    }

    /// With four outputs a thread.
    const fn wide(self) -> Self {
        Variant { per_thread: 4, ..self }
    }

    /// That moves its input and computes nothing.
    const fn copy(self) -> Self {
        Variant { stages: false, written: Written::Copy, ..self }
    }
}

const VARIANTS: [Variant; 13] = [
    Variant::of("constant", "constant memory", "stencil_constant"),
    Variant::of("restrict", "const float* __restrict__", "stencil_restrict").with_c(),
    Variant::of("ldg", "__ldg", "stencil_ldg").with_c(),
    Variant::of("global", "plain global memory", "stencil_global").with_c(),
    Variant::of(
        "guarded-constant",
        "constant memory, ends handled in the kernel",
        "stencil_guarded_constant",
    )
    .guarded(),
    Variant::of("guarded-restrict", "__restrict__, ends handled in the kernel", "stencil_guarded_restrict")
        .with_c()
        .guarded(),
    Variant::of("unstaged", "constant memory, input not staged", "stencil_unstaged").unstaged(),
    Variant::of(
        "unstaged-read-only",
        "constant memory, input not staged, read with __ldg",
        "stencil_unstaged_read_only",
    )
    .unstaged(),
    Variant::of("wide-staged", "constant memory, four outputs a thread, input staged", "stencil_wide_staged")
        .wide(),
    Variant::of("wide", "constant memory, four outputs a thread, input not staged", "stencil_wide")
        .wide()
        .unstaged(),
    Variant::of(
        "wide-read-only",
        "constant memory, four outputs a thread, input not staged, read with __ldg",
        "stencil_wide_read_only",
    )
    .wide()
    .unstaged(),
    Variant::of("copy", "plain copy", "copy").copy(),
    Variant::of("copy-wide", "copy, four elements a thread", "copy_wide").wide().copy(),
];

/// Buffers of the stencil, by position in the plan.
struct Buffers {
    input: BufferId,
    output: BufferId,
    coefficients: BufferId,
}

pub(super) fn plan(plan: &mut Plan, n: usize, seed: u64, quick: bool) {
    // With a halo on both sides.
    let input = reference::input::hundredths(n + 2 * RADIUS, seed);
    let coefficients = Data::F32(COEFFICIENTS.into());
    // A halo of RADIUS floats is 16 bytes, and so are the buffers' alignments a multiple of them: `in` and `out` are
    // aligned as stencil_wide needs.
    let shape = Allocation::Linear { bytes: 4 * (n + 2 * RADIUS) as u64 };
    let buffers = Buffers {
        input: plan.buffer("in", shape, Some(Data::F32(input.clone()))),
        output: plan.buffer("out", shape, None),
        coefficients: plan.buffer(
            "c",
            Allocation::Linear { bytes: 4 * COEFFICIENTS.len() as u64 },
            Some(coefficients.clone()),
        ),
    };
    plan.writes.push(Write {
        target: Target::Symbol { source: &kernels::STENCIL, name: "coef" },
        offset: 0,
        data: coefficients,
    });

    let oracle = Arc::new(Oracle::new(input));
    let blocks: &[u32] = if quick { &[32, 256] } else { &BLOCKS };
    let fits = |variant: &Variant, n: usize| n.is_multiple_of(variant.per_thread as usize);
    let series = VARIANTS.iter().filter(|v| fits(v, n)).map(|variant| Series {
        id: variant.id.to_owned(),
        label: variant.label.to_owned(),
        reference: variant.written == Written::Copy,
        points: blocks
            .iter()
            .map(|&block| Point {
                x: f64::from(block),
                writes: Vec::new(),
                work: Workload::Launch(launch(variant, &buffers, block, n)),
                quantity: Quantity::Bandwidth { bytes: 2.0 * 4.0 * n as f64 },
                check: Some(expectation(variant, &oracle, &buffers, block, n)),
                profiled: true,
            })
            .collect(),
    });
    let series = series.collect();
    if !VARIANTS.iter().all(|v| fits(v, n)) {
        plan.notes.push(format!(
            "`wide`, `wide-staged`, `wide-read-only` and `copy-wide` are left out: they need a multiple of 4 elements, which \
             {n} is not"
        ));
    }
    plan.experiments.push(Experiment {
        id: "stencil",
        title: "Stencil: bandwidth by variant and block size",
        x: Axis::new("block size", "threads", Scale::Log2),
        y: Axis::new("useful bandwidth", "GB/s", Scale::Linear),
        series,
    });
    plan.experiments.push(starts(blocks, n));

    // A size that no block divides, so that the last block is a partial one (8 less for those that take fours).
    for variant in &VARIANTS {
        let Some(odd) =
            n.checked_sub(if variant.per_thread == 1 { 5 } else { 8 }).filter(|&m| m > 0 && fits(variant, m))
        else {
            continue;
        };
        plan.trials.push(Trial {
            writes: Vec::new(),
            work: Workload::Launch(launch(variant, &buffers, 256, odd)),
            check: expectation(variant, &oracle, &buffers, 256, odd),
        });
    }
    plan.closing.push(Closing(Arc::new(move || oracle.identical())));

    let blocks = blocks.iter().map(|&b| u64::from(b)).collect();
    plan.parameters.insert("blocks".to_owned(), Parameter::Integers(blocks));
    plan.parameters.insert("radius".to_owned(), Parameter::Integer(RADIUS as u64));
}

/// As many blocks as a stencil of one output a thread has, which do nothing.
fn starts(blocks: &[u32], n: usize) -> Experiment {
    let point = |&block: &u32| {
        let grid = [(n as u32).div_ceil(block), 1, 1];
        Point {
            x: f64::from(block),
            writes: Vec::new(),
            work: Workload::Launch(Launch::new(
                &kernels::STENCIL,
                "nothing",
                grid,
                [block, 1, 1],
                Vec::new(),
            )),
            quantity: Quantity::Time { per: 1.0 },
            check: None,
            profiled: false,
        }
    };
    let label = "kernel that does nothing";
    Experiment {
        id: "starts",
        title: "Time of blocks that do nothing, as many as the stencil has, by block size",
        x: Axis::new("block size", "threads", Scale::Log2),
        y: Axis::new("time", "ns", Scale::Log10),
        series: vec![Series::new("nothing", label, blocks.iter().map(point).collect())],
    }
}

fn launch(variant: &Variant, buffers: &Buffers, block: u32, n: usize) -> Launch {
    let inner = 4 * RADIUS as u64;
    let mut args = vec![
        Arg::Buffer { buffer: buffers.input, offset: inner },
        Arg::Buffer { buffer: buffers.output, offset: inner },
        // At most 2^28.
        Arg::I32(n as i32),
    ];
    if variant.takes_c {
        args.push(Arg::Buffer { buffer: buffers.coefficients, offset: 0 });
    }
    Launch::new(
        &kernels::STENCIL,
        variant.kernel,
        [(n as u32).div_ceil(variant.per_thread).div_ceil(block), 1, 1],
        [block, 1, 1],
        args,
    )
    .with_shared(if variant.stages { 4 * (variant.per_thread * block + 2 * RADIUS as u32) } else { 0 })
}

fn expectation(
    variant: &Variant,
    oracle: &Arc<Oracle>,
    buffers: &Buffers,
    block: u32,
    n: usize,
) -> Expectation {
    let (oracle, written) = (Arc::clone(oracle), variant.written);
    let whole = n + 2 * RADIUS == oracle.words();
    Expectation {
        id: if whole {
            format!("stencil/{}/{block}", variant.id)
        } else {
            format!("stencil/{}/{block}/{n}", variant.id)
        },
        what: written.what(),
        of: Target::Buffer(buffers.output),
        judge: Arc::new(move |words| oracle.judge(written, n, words)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn planned(n: usize, quick: bool) -> Plan {
        let mut made = Plan::default();
        plan(&mut made, n, 5, quick);
        made
    }

    #[test]
    fn every_thread_has_an_output_and_every_output_a_thread() {
        for n in [1, 31, 32, 33, 1000, 4096] {
            let plan = planned(n, false);
            for launch in plan.points().flat_map(|p| p.work.launches()) {
                let outputs = if launch.kernel.contains("_wide") { n / 4 } else { n };
                let threads = (launch.grid[0] * launch.block[0]) as usize;
                assert!(threads >= outputs && threads - outputs < launch.block[0] as usize, "{launch:?}");
            }
        }
    }

    #[test]
    fn wide_is_left_out_with_a_note_where_fours_do_not_fit() {
        let plan = planned(4097, true);
        assert!(plan.launches().all(|launch| !launch.kernel.contains("_wide")));
        assert_eq!(plan.notes.len(), 1);
        assert!(planned(4096, true).notes.is_empty());
    }

    #[test]
    fn the_partial_block_is_tried_wherever_there_is_one() {
        assert_eq!(planned(4096, true).trials.len(), VARIANTS.len());
        assert!(planned(4, true).trials.is_empty());
    }
}
