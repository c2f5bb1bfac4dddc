//! Lab 4.1: linear memory.
//!
//! Allocate, copy, add, copy back, free: the cost of each of these, and the device's answers to mistakes in them.
//! Source: the notes on CUDA's memories, chapter 4.1.

mod claims;
mod costs;
mod digest;
mod facts;
mod figures;
mod lengths;
mod list;
mod mistakes;
mod sum;

use crate::lab::{Host, Lab, View};
use crate::plan::Plan;
use crate::request::{Request, Size};
use anyhow::Result;

/// The lab.
pub const LAB: Lab = Lab {
    name: "lab-4-1",
    about: "Lab 4.1: linear memory, on your GPU or on the embedded device",
    examples: EXAMPLES,
    sizes: &[ELEMENTS, BYTES],
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
  lab-4-1                        the GPU if there is one, or the embedded device
  lab-4-1 --quick                a first try: small sizes, few points
  lab-4-1 --all                  every table, check and claim
  lab-4-1 --device simt          modelled times, on any machine
  lab-4-1 --elements 1000003     vectors of another length
  lab-4-1 --bytes 2^30           copies between host and device up to 1 GiB
  lab-4-1 --kernel add.cu        your edited copy of kernels/ch4-1/add.cu

Exit codes: 0 all checks held, 1 a check failed, 2 unusable input, 3 a fault.";

const VIEWS: &[View] = &[
    View::Columns { experiment: "parts" },
    View::Launches { experiment: "add" },
    View::Columns { experiment: "transfer" },
    View::Columns { experiment: "allocation" },
];

const ELEMENTS: Size = Size {
    name: "elements",
    about: "Elements of the largest vectors, such as 1000000 or 2^24",
    quick: 1 << 14,
    short: 1 << 22,
    full: 1 << 22,
    gpu: 1 << 26,
    // An `int` counts them, and the host keeps four vectors of 1 GiB.
    most: 1 << 28,
};

const BYTES: Size = Size {
    name: "bytes",
    about: "The largest copy between host and device, bytes",
    quick: 1 << 16,
    short: 1 << 28,
    full: 1 << 28,
    gpu: 1 << 28,
    most: 1 << 32,
};

/// Memory of the lab: three vectors on the device, on the host these and the bits of one, the vector read back, and the
/// largest copy.
fn memory(request: &Request, _: Host) -> u64 {
    request.size(BYTES.name) + 36 * request.size(ELEMENTS.name)
}

fn plan(request: &Request, host: Host) -> Result<Plan> {
    // At most 2^28, so it fits.
    let n = request.size(ELEMENTS.name) as usize;
    let bytes = request.size(BYTES.name);
    let mut plan = Plan { sources: vec![&kernels::ADD], ..Plan::default() };
    sum::plan(&mut plan, n, request.seed);
    costs::transfers(&mut plan, bytes);
    if host.measured {
        costs::allocations(&mut plan, bytes);
    } else {
        plan.notes.push(
            "the cost of an allocation is left out: it is the driver's time, which the embedded device does not model"
                .to_owned(),
        );
    }
    list::plan(&mut plan, request.seed);
    mistakes::plan(&mut plan);
    figures::plan(&mut plan);
    Ok(plan)
}
