//! The stencil in its variants: where should the coefficients live?
//!
//! Eight kernels do the same sums in the same order and differ in where `c` comes from, how the array's ends are
//! handled, and (`wide`) in how the input is staged. The copies move as many bytes and compute nothing.

use super::oracle::{COEFFICIENTS, Oracle, RADIUS, Written};
use crate::plan::{
    Allocation, Arg, BufferId, Closing, Data, Expectation, Experiment, Launch, Plan, Point, Quantity, Series,
    Target, Trial, Work, Write,
};
use record::{Axis, Parameter, Scale};
use std::sync::Arc;

const BLOCKS: [u32; 6] = [32, 64, 128, 256, 512, 1024];

/// Properties that tell one variant from another.
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

const VARIANTS: [Variant; 9] = [
    Variant {
        id: "constant",
        label: "constant memory",
        kernel: "stencil_constant",
        takes_c: false,
        stages: true,
        per_thread: 1,
        written: Written::All,
    },
    Variant {
        id: "restrict",
        label: "const float* __restrict__",
        kernel: "stencil_restrict",
        takes_c: true,
        stages: true,
        per_thread: 1,
        written: Written::All,
    },
    Variant {
        id: "ldg",
        label: "__ldg",
        kernel: "stencil_ldg",
        takes_c: true,
        stages: true,
        per_thread: 1,
        written: Written::All,
    },
    Variant {
        id: "global",
        label: "plain global memory",
        kernel: "stencil_global",
        takes_c: true,
        stages: true,
        per_thread: 1,
        written: Written::All,
    },
    Variant {
        id: "guarded-constant",
        label: "constant memory, ends handled in the kernel",
        kernel: "stencil_guarded_constant",
        takes_c: false,
        stages: true,
        per_thread: 1,
        written: Written::Inner,
    },
    Variant {
        id: "guarded-restrict",
        label: "__restrict__, ends handled in the kernel",
        kernel: "stencil_guarded_restrict",
        takes_c: true,
        stages: true,
        per_thread: 1,
        written: Written::Inner,
    },
    Variant {
        id: "wide",
        label: "constant memory, four outputs a thread",
        kernel: "stencil_wide",
        takes_c: false,
        stages: false,
        per_thread: 4,
        written: Written::All,
    },
    Variant {
        id: "copy",
        label: "plain copy",
        kernel: "copy",
        takes_c: false,
        stages: false,
        per_thread: 1,
        written: Written::Copy,
    },
    Variant {
        id: "copy-wide",
        label: "copy, four elements a thread",
        kernel: "copy_wide",
        takes_c: false,
        stages: false,
        per_thread: 4,
        written: Written::Copy,
    },
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
                work: Work::Launch(launch(variant, &buffers, block, n)),
                quantity: Quantity::Bandwidth { bytes: 2.0 * 4.0 * n as f64 },
                check: Some(expectation(variant, &oracle, &buffers, block, n)),
                profiled: true,
            })
            .collect(),
    });
    let series = series.collect();
    if !VARIANTS.iter().all(|v| fits(v, n)) {
        plan.notes.push(format!(
            "`wide` and `copy-wide` are left out: they need a multiple of 4 elements, and {n} is none"
        ));
    }
    plan.experiments.push(Experiment {
        id: "stencil",
        title: "Stencil: bandwidth by variant and block size",
        x: Axis::new("block size", "threads", Scale::Log2),
        y: Axis::new("useful bandwidth", "GB/s", Scale::Linear),
        series,
    });

    // A size that no block divides, so that the last block is a partial one (8 less for those that take fours).
    for variant in &VARIANTS {
        let Some(odd) =
            n.checked_sub(if variant.per_thread == 1 { 5 } else { 8 }).filter(|&m| m > 0 && fits(variant, m))
        else {
            continue;
        };
        plan.trials.push(Trial {
            writes: Vec::new(),
            work: Work::Launch(launch(variant, &buffers, 256, odd)),
            check: expectation(variant, &oracle, &buffers, 256, odd),
        });
    }
    plan.closing.push(Closing(Arc::new(move || oracle.identical())));

    let blocks = blocks.iter().map(|&b| u64::from(b)).collect();
    plan.parameters.insert("blocks".to_owned(), Parameter::Integers(blocks));
    plan.parameters.insert("radius".to_owned(), Parameter::Integer(RADIUS as u64));
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
    .with_shared(if variant.stages { 4 * (block + 2 * RADIUS as u32) } else { 0 })
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
                let outputs = if launch.kernel.ends_with("_wide") { n / 4 } else { n };
                let threads = (launch.grid[0] * launch.block[0]) as usize;
                assert!(threads >= outputs && threads - outputs < launch.block[0] as usize, "{launch:?}");
            }
        }
    }

    #[test]
    fn wide_is_left_out_with_a_note_where_fours_do_not_fit() {
        let plan = planned(4097, true);
        assert!(plan.launches().all(|launch| !launch.kernel.ends_with("_wide")));
        assert_eq!(plan.notes.len(), 1);
        assert!(planned(4096, true).notes.is_empty());
    }

    #[test]
    fn the_partial_block_is_tried_wherever_there_is_one() {
        assert_eq!(planned(4096, true).trials.len(), VARIANTS.len());
        assert!(planned(4, true).trials.is_empty());
    }
}
