//! Lab 4.4: symbols, the variables of a module, which the host reaches by name.
//!
//! A constant array, a device variable and a pointer variable are written, read back and used by a kernel; requests
//! that the device must refuse are tried; and methods to pass a kernel new values before each launch are timed. Source:
//! the notes on CUDA's memories, code 4.4.

mod claims;
mod constant_store;
mod digest;
mod facts;
mod refusals;
mod symbols;
mod update;

use crate::lab::{Host, Lab, View};
use crate::plan::Plan;
use crate::request::Request;
use anyhow::Result;

/// The lab.
pub const LAB: Lab = Lab {
    name: "lab-4-4",
    about: "Lab 4.4: symbols, on your GPU or on the embedded device",
    examples: EXAMPLES,
    sizes: &[],
    short: false,
    memory,
    plan,
    facts: facts::of,
    rules: claims::RULES,
    digest: digest::DIGEST,
    views: &[View::Columns { experiment: "copy" }, View::Columns { experiment: "update" }],
};

const EXAMPLES: &str = "\
Examples:
  lab-4-4                        the GPU if there is one, or the embedded device
  lab-4-4 --quick                a first try: small sizes, few points
  lab-4-4 --all                  every table, check and claim
  lab-4-4 --device simt          modelled times, on any machine
  lab-4-4 --seed 7               other values
  lab-4-4 --kernel symbols.cu    your edited copy of kernels/ch4-4/symbols.cu
  lab-4-4 --quick --json - | less
                                 the record itself

Exit codes: 0 all checks held, 1 a check failed, 2 unusable input, 3 a fault.";

/// Sizes are fixed, and small.
fn memory(_: &Request, _: Host) -> u64 {
    0
}

fn plan(request: &Request, host: Host) -> Result<Plan> {
    let mut plan = Plan { sources: vec![&kernels::SYMBOLS, &kernels::UPDATE], ..Plan::default() };
    update::plan(&mut plan, request.seed, request.is_quick(), host.measured);
    symbols::plan(&mut plan, request.seed);
    refusals::plan(&mut plan);
    constant_store::plan(&mut plan);
    Ok(plan)
}
