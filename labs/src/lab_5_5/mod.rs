//! Lab 5.5: constant memory and the read-only cache.
//!
//! The stencil asks where coefficients should live; the chases ask what one load costs when the lanes of a warp want
//! different addresses, and how much the caches hold. Sources: 'Professional CUDA C Programming', 5.5, and 'CUDA by
//! Example', 6.

mod chase;
mod claims;
mod compiled;
mod digest;
mod facts;
mod figures;
mod oracle;
mod stencil;

use crate::lab::{Host, Lab, View};
use crate::plan::Plan;
use crate::request::{Request, Size};
use anyhow::Result;

/// The lab.
pub const LAB: Lab = Lab {
    name: "lab-5-5",
    about: "Lab 5.5: constant memory and the read-only cache, on your GPU or on the embedded device",
    examples: EXAMPLES,
    sizes: &[ELEMENTS],
    short: true,
    memory,
    plan,
    facts: facts::of,
    rules: claims::RULES,
    digest: digest::DIGEST,
    views: VIEWS,
};

const EXAMPLES: &str = "\
Examples:
  lab-5-5                        the GPU if there is one, or the embedded device
  lab-5-5 --quick                a first try: small sizes, few points
  lab-5-5 --full                 as the book's records, on the embedded device too
  lab-5-5 --all                  every table, check and claim
  lab-5-5 --device simt          exact counters, modelled times, on any machine
  lab-5-5 --elements 2^20 --seed 7
                                 another size, another input
  lab-5-5 --kernel stencil.cu    your edited copy of kernels/ch5-5/stencil.cu
  lab-5-5 --quick --json - | less
                                 the record itself

Exit codes: 0 all checks held, 1 a check failed, 2 unusable input, 3 a fault.";

const VIEWS: &[View] = &[
    View::Launches { experiment: "stencil" },
    View::Sweep { experiment: "divergence-latency", xs: &[1.0, 2.0, 4.0, 8.0, 16.0, 32.0] },
    View::Sweep { experiment: "divergence-throughput", xs: &[1.0, 2.0, 4.0, 8.0, 16.0, 32.0] },
    View::Columns { experiment: "working-set" },
    View::Sweep { experiment: "fill", xs: &[4.0, 8.0, 16.0, 32.0, 64.0, 128.0] },
];

const ELEMENTS: Size = Size {
    name: "elements",
    about: "Elements of the arrays, such as 1000000 or 2^24",
    quick: 1 << 16,
    // All chips compare their stencils as with all elements. With 2^21, an A100 is modelled to be faster with constants by the
    // 5 % that are called a difference.
    short: 1 << 20,
    full: 1 << 24,
    gpu: 1 << 24,
    // Arrays of 1 GiB, of which the host keeps three.
    most: 1 << 28,
};

/// Memory of the lab: input, output, the output read back, and the expected one.
fn memory(request: &Request, _: Host) -> u64 {
    32 * request.size(ELEMENTS.name)
}

fn plan(request: &Request, host: Host) -> Result<Plan> {
    // At most 2^28, so it fits.
    let n = request.size(ELEMENTS.name) as usize;
    let mut plan = Plan { sources: vec![&kernels::STENCIL, &kernels::CHASE], ..Plan::default() };
    stencil::plan(&mut plan, n, request.seed, request.is_quick());
    chase::plan(&mut plan, host, request.scope);
    compiled::plan(&mut plan);
    figures::plan(&mut plan);
    Ok(plan)
}

/// A record with the shape of this lab's, for tests of what is made of records.
#[cfg(test)]
pub(crate) fn made_up(measured: bool) -> record::Record {
    use facts::tests::{add, empty};
    let mut record = empty(measured);
    record.parameters.insert("elements".to_owned(), record::Parameter::Integer(1 << 24));
    record.parameters.insert("seed".to_owned(), record::Parameter::Integer(5));
    let r = &mut record;
    for (at, series) in ["constant", "restrict", "guarded-constant", "copy"].into_iter().enumerate() {
        let counts = |_| {
            vec![
                ("global_load_requests", 524_288),
                ("global_load_sectors", 2_162_688),
                ("shared_load_instructions", 8),
                ("shared_load_wavefronts", 8),
            ]
        };
        let y = 1800.0 + 10.0 * at as f64;
        add(r, "stencil", series, [(32.0, y / 4.0), (256.0, y), (1024.0, y * 0.9)], counts);
    }
    let ks = || [1.0, 2.0, 4.0, 8.0, 16.0, 32.0];
    for experiment in ["divergence-latency", "divergence-throughput"] {
        let replays = |k: f64| vec![("const_instructions", 100), ("const_replays", 100 * (k as u64 - 1))];
        for (series, cost) in [("constant-4", 1.02), ("constant-256", 2.5), ("constant-halves", 1.02)] {
            add(r, experiment, series, ks().map(|k| (k, 0.41 + cost * k)), replays);
        }
        let sectors = |k: f64| {
            vec![("global_load_requests", 100), ("global_load_sectors", 100 * (k / 8.0).ceil() as u64)]
        };
        add(r, experiment, "read-only-4", ks().map(|k| (k, 1.97)), sectors);
    }
    let sizes = || (0..=8).map(|i| f64::from(256 << i));
    add(
        r,
        "working-set",
        "constant",
        sizes().map(|s| (s, if s <= 2048.0 { 40.2 } else { 98.7 })),
        |_| vec![],
    );
    add(r, "working-set", "read-only", sizes().take(5).map(|s| (s, 58.3)), |_| vec![]);
    for (experiment, x, y) in r
        .experiments
        .iter_mut()
        .zip([("block size", "threads"), ("addresses", ""), ("addresses", ""), ("working set", "B")])
        .map(|(e, x)| {
            let y = if e.id == "stencil" { ("useful bandwidth", "GB/s") } else { ("time per load", "ns") };
            (e, x, y)
        })
    {
        experiment.x = record::Axis::new(x.0, x.1, record::Scale::Linear);
        experiment.y = record::Axis::new(y.0, y.1, record::Scale::Linear);
    }
    for (id, what, found) in [
        (
            "stencil/constant/32",
            "all are written",
            "16,777,216 of 16,777,216 outputs match, largest relative error 1.5e-7",
        ),
        (
            "stencil/constant/256",
            "all are written",
            "16,777,216 of 16,777,216 outputs match, largest relative error 1.5e-7",
        ),
        ("working-set/constant/256", "each chase ends where the table leads it", "32 of 32 threads right"),
    ] {
        record.checks.push(record::Check {
            id: id.into(),
            what: what.into(),
            passed: true,
            found: found.into(),
            outputs: vec![],
        });
    }
    record.facts = facts::of(&record);
    record.claims = crate::claims::judged(&LAB, &record);
    record
}
