//! Lab 4.2: pitched and 3D allocation.
//!
//! The pitch of a row; the cost of a misaligned row, in sectors and in time; whether padding pays off, for accesses
//! along the rows and down the columns. Source: the notes on CUDA's memories, chapter 4.1.

mod accepted;
mod alignment;
mod claims;
mod columns;
mod digest;
mod facts;
mod figures;
mod misuse;
mod padding;
mod parts;
mod pitch;
mod rows;

use crate::lab::{Host, Lab, View};
use crate::plan::Plan;
use crate::request::{Request, Size};
use anyhow::Result;

/// The lab.
pub const LAB: Lab = Lab {
    name: "lab-4-2",
    about: "Lab 4.2: pitched and 3D allocation, on your GPU or on the embedded device",
    examples: EXAMPLES,
    sizes: &[ELEMENTS],
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
  lab-4-2                        the GPU if there is one, or the embedded device
  lab-4-2 --quick                a first try: small sizes, few points
  lab-4-2 --all                  every table, check and claim
  lab-4-2 --device simt          exact counters, modelled times, on any machine
  lab-4-2 --elements 2^20 --seed 7
                                 another size, another input
  lab-4-2 --kernel rows.cu       your edited copy of kernels/ch4-2/rows.cu

Exit codes: 0 all checks held, 1 a check failed, 2 unusable input, 3 a fault.";

const VIEWS: &[View] = &[
    View::Columns { experiment: "source" },
    View::Columns { experiment: "pitch" },
    View::Sweep { experiment: "alignment", xs: STARTS_SHOWN },
    View::Sweep { experiment: "alignment-time", xs: STARTS_SHOWN },
    View::Sweep { experiment: "store-parts", xs: &[1.0, 4.0, 8.0, 12.0, 16.0, 20.0, 24.0, 31.0, 32.0] },
    View::Launches { experiment: "padding" },
    View::Launches { experiment: "columns" },
];

const STARTS_SHOWN: &[f64] = &[0.0, 1.0, 4.0, 8.0, 12.0, 16.0, 20.0, 24.0, 31.0];

const ELEMENTS: Size = Size {
    name: "elements",
    about: "Elements of each matrix, such as 1000000 or 2^20",
    quick: 1 << 13,
    short: 1 << 21,
    full: 1 << 21,
    gpu: 1 << 24,
    // Padded, the narrowest rows take more than eight times as much, for each of two matrices.
    most: 1 << 26,
};

/// Two padded matrices of each width, of which the narrowest have rows of 4 bytes in 512, and rows of which the first
/// floats are written, on the device and on the host.
fn memory(request: &Request, _: Host) -> u64 {
    (16 << 20) + 336 * request.size(ELEMENTS.name)
}

fn plan(request: &Request, host: Host) -> Result<Plan> {
    // At most 2^26, so it fits.
    let n = request.size(ELEMENTS.name) as usize;
    let mut plan = Plan { sources: vec![&kernels::ROWS], ..Plan::default() };
    pitch::plan(&mut plan);
    let values = rows::input(n, request.seed);
    alignment::plan(&mut plan, &values, host.measured);
    parts::plan(&mut plan, n, host.multiprocessors);
    let matrices = padding::plan(&mut plan, &values);
    columns::plan(&mut plan, &values, &matrices);
    misuse::plan(&mut plan);
    accepted::plan(&mut plan);
    figures::plan(&mut plan);
    Ok(plan)
}
