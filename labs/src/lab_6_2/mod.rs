//! Lab 6.2: ray tracing with constant memory.
//!
//! One scene of spheres is rendered by kernels that differ in the memory of the spheres, in what the compiler knows of
//! their number, and in the layout of a sphere. Source: 'CUDA by Example', 6.2.

mod claims;
mod digest;
mod facts;
mod figures;
mod oracle;
mod picture;
mod scene;
mod variants;

use crate::lab::{Host, Lab, View};
use crate::plan::{Attempt, Finding, Plan, Probe};
use crate::request::{Request, Size};
use anyhow::Result;
use scene::MOST;
use std::sync::Arc;

/// The lab.
pub const LAB: Lab = Lab {
    name: "lab-6-2",
    about: "Lab 6.2: ray tracing with constant memory, on your GPU or on the embedded device",
    examples: EXAMPLES,
    sizes: &[SIDE, SWEEP_SIDE],
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
  lab-6-2                        the GPU if there is one, or the embedded device
  lab-6-2 --quick                a first try: small sizes, few points
  lab-6-2 --full                 as the book's records, on the embedded device too
  lab-6-2 --all                  every table, check and claim
  lab-6-2 --device simt --arch gtx970
                                 as a chip of 2014 is modelled
  lab-6-2 --side 2048 --seed 7   a larger picture of other spheres
  lab-6-2 --kernel rays.cu       your edited copy of kernels/ch6-2/rays.cu

Exit codes: 0 all checks held, 1 a check failed, 2 unusable input, 3 a fault.";

const VIEWS: &[View] = &[
    View::Launches { experiment: "picture" },
    View::Sweep { experiment: "spheres", xs: &[20.0, 50.0, 100.0, 200.0, 500.0, 1000.0, 2000.0] },
];

const SIDE: Size = Size {
    name: "side",
    about: "Pixels along each side of the picture; a GPU makes larger ones too",
    quick: 512,
    short: 1024,
    full: 1024,
    gpu: 1024,
    most: 4096,
};

const SWEEP_SIDE: Size = Size {
    name: "sweep-side",
    about: "Pixels along each side where the number of spheres is varied",
    quick: 512,
    short: 512,
    full: 512,
    gpu: 1024,
    most: 4096,
};

/// Pictures of each side, on the device, read back and as they must be.
fn memory(request: &Request, host: Host) -> u64 {
    let [side, sweep] = [SIDE, SWEEP_SIDE].map(|size| request.size(size.name).pow(2)); // at most 2^24 each
    // Half and a quarter as long, and on a GPU twice and four times.
    let sides = if host.measured { 22 * side } else { 2 * side };
    48 * (sides + sweep)
}

fn plan(request: &Request, host: Host) -> Result<Plan> {
    let mut plan = Plan { sources: vec![&kernels::RAYS, &kernels::PACKED_RAYS], ..Plan::default() };
    let scene = scene::plan(&mut plan, request.seed);
    let side = |size: Size| request.size(size.name) as u32; // at most 4,096
    variants::plan(&mut plan, &scene, host, request.scope, side(SIDE), side(SWEEP_SIDE));
    plan.attempts.push(one_too_many());
    figures::plan(&mut plan);
    Ok(plan)
}

/// A module with one sphere more than fits must be refused.
fn one_too_many() -> Attempt {
    let make = |probe: &mut Probe<'_>| {
        let declared = |count: usize| format!("spheres[{}]", 28 * count);
        let ptx = kernels::RAYS.ptx.replace(&declared(MOST), &declared(MOST + 1));
        match probe.device.load("ch6-2/rays.cu with one sphere more", &ptx) {
            Ok(_) => Finding::bad(format!("the device took {} bytes", 28 * (MOST + 1))),
            // A driver says more than a line.
            Err(error) => Finding::good(format!(
                "refused: {}",
                error.to_string().lines().map(str::trim).collect::<Vec<_>>().join(" ")
            )),
        }
    };
    Attempt {
        id: "one-too-many".to_owned(),
        what: format!(
            "a module with {} spheres of 28 bytes, {} bytes of constant memory, is refused",
            MOST + 1,
            28 * (MOST + 1)
        ),
        make: Arc::new(make),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use scene::MOST_PACKED;

    #[test]
    fn the_list_fills_constant_memory_and_one_sphere_more_would_not_fit() {
        assert_eq!((65536 / 28, 65536 / 32), (MOST, MOST_PACKED));
        let declared = format!(" spheres[{}];", 28 * MOST);
        assert_eq!(kernels::RAYS.ptx.matches(&declared).count(), 1);
        assert!(kernels::PACKED_RAYS.ptx.contains(" spheres[65536];"));
    }

    #[test]
    fn ptxas_was_asked_for_one_sphere_more_and_said_so() {
        let said = include_str!("../../../kernels/ch6-2/rays.2341.txt");
        assert!(said.contains(&format!("{:#x} bytes, {:#x} max", 28 * (MOST + 1), 65536)), "{said}");
    }
}
