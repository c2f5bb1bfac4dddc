//! Lab 14.4: gravity between many bodies, read from constant memory in passes, from shared memory, from global memory.
//!
//! All threads look at the same body at the same time, which is what constant memory is made for; but it holds no more
//! than 4,096 of them, so the host copies pass after pass to it and launches in between. Source: 'The CUDA Handbook', 14.4.

mod claims;
mod digest;
mod facts;
mod figures;
mod gravity;
mod leapfrog;
mod oracle;

use crate::lab::{Host, Lab, View};
use crate::plan::Plan;
use crate::request::{Request, Size};
use anyhow::{Result, bail};

/// The lab.
pub const LAB: Lab = Lab {
    name: "lab-14-4",
    about: "Lab 14.4: N-body with constant memory, on your GPU or on the embedded device",
    examples: EXAMPLES,
    sizes: &[BODIES],
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
  lab-14-4                       the GPU if there is one, or the embedded device
  lab-14-4 --quick               a first try: small sizes, few points
  lab-14-4 --full                as the book's records, on the embedded device too
  lab-14-4 --all                 every table, check and claim
  lab-14-4 --device simt         exact counters, modelled times, on any machine
  lab-14-4 --bodies 12345 --seed 7
                                 another number of bodies, other places
  lab-14-4 --kernel gravity.cu   your edited copy of kernels/ch14-4/gravity.cu
  lab-14-4 --quick --json - | less
                                 the record itself

Exit codes: 0 all checks held, 1 a check failed, 2 unusable input, 3 a fault.";

const VIEWS: &[View] = &[
    View::Columns { experiment: "rate" },
    View::Columns { experiment: "lean" },
    View::Columns { experiment: "pass" },
];

const BODIES: Size = Size {
    name: "bodies",
    about: "Bodies in the largest system, such as 10000 or 2^18",
    quick: 4100,
    short: 6000,
    full: 8192,
    gpu: 1 << 18,
    // 10¹² interactions, a second for a large GPU.
    most: 1 << 20,
};

/// The most bodies on the embedded device: minutes.
const MOST_EMBEDDED: usize = 1 << 17;

/// Bodies, their pulls, and both in double precision.
fn memory(request: &Request, _: Host) -> u64 {
    512 * request.size(BODIES.name)
}

fn plan(request: &Request, host: Host) -> Result<Plan> {
    // At most 2^20, so it fits.
    let n = request.size(BODIES.name) as usize;
    if n > MOST_EMBEDDED && !host.measured {
        bail!(
            "--bodies {n}: the embedded device would take hours; give at most {MOST_EMBEDDED}, or run it on a GPU"
        );
    }
    let mut plan = Plan { sources: vec![&kernels::GRAVITY], ..Plan::default() };
    gravity::plan(&mut plan, n, request.seed, request.is_quick(), host);
    leapfrog::plan(&mut plan, n, request.seed, request.is_quick());
    figures::plan(&mut plan);
    Ok(plan)
}
