//! A leapfrog integration with each memory's kernel: energy and momentum as a check on accelerations.

use super::gravity::{CONSTANT, GLOBAL, IN_PASS, Places, SHARED, Variant, bodies};
use super::oracle::SOFTENING_SQUARED;
use crate::plan::{
    Allocation, Arg, BufferId, Data, Expectation, Finding, Launch, Plan, Step, Target, Trial, Workload,
};
use record::Parameter;
use reference::bodies::{Drift, Moment};
use render::format;
use std::sync::{Arc, OnceLock};

/// The length of a step; a power of two, so that no product with it is rounded.
const STEP: f32 = 1.0 / 16.0;
const STEPS: u32 = 12;
const QUICK_STEPS: u32 = 4;
/// The most bodies: the check is a double sum on the host.
const MOST: usize = 4100;
const QUICK_MOST: usize = 1000;

/// Layout of a system: its bodies, four floats each, followed by its velocities, three floats each.
struct System {
    buffer: BufferId,
    n: usize,
}

impl System {
    fn bodies(&self) -> Arg {
        Arg::Buffer { buffer: self.buffer, offset: 0 }
    }

    fn velocities(&self) -> Arg {
        Arg::Buffer { buffer: self.buffer, offset: 16 * self.n as u64 }
    }

    fn bytes(&self) -> u64 {
        28 * self.n as u64
    }

    fn launch(&self, kernel: &'static str, threads: usize, args: Vec<Arg>) -> Step {
        let grid = [(threads as u32).div_ceil(256), 1, 1];
        Step::Launch(Launch::new(&kernels::GRAVITY, kernel, grid, [256, 1, 1], args))
    }

    /// The whole integration, from the initial state on.
    fn steps(&self, variant: &Variant, initial: BufferId, accelerations: BufferId, steps: u32) -> Vec<Step> {
        let n = Arg::I32(self.n as i32);
        let places = Places { bodies: self.buffer, accelerations };
        let pull = variant.steps(places, self.n, IN_PASS);
        let from = Arg::Buffer { buffer: accelerations, offset: 0 };
        let kick =
            self.launch("kick", 3 * self.n, vec![self.velocities(), from, Arg::F32(STEP / 2.0), n.clone()]);
        let drift = self.launch("drift", self.n, vec![self.bodies(), self.velocities(), Arg::F32(STEP), n]);
        let mut all = vec![Step::Copy {
            to: self.buffer,
            to_offset: 0,
            from: initial,
            from_offset: 0,
            bytes: self.bytes(),
        }];
        all.extend(pull.clone());
        for _ in 0..steps {
            all.extend([kick.clone(), drift.clone()]);
            all.extend(pull.clone());
            all.push(kick.clone());
        }
        all
    }
}

pub(super) fn plan(plan: &mut Plan, n: usize, seed: u64, quick: bool) {
    let n = n.min(if quick { QUICK_MOST } else { MOST });
    let steps = if quick { QUICK_STEPS } else { STEPS };
    // At rest: as they fall towards each other, potential energy becomes kinetic.
    let mut state = bodies(n, seed.wrapping_add(1)).to_vec();
    state.resize(7 * n, 0.0);
    let state: Arc<[f32]> = state.into();
    let shape = Allocation::Linear { bytes: 28 * n as u64 };
    let initial = plan.buffer("initial", shape, Some(Data::F32(state.clone())));
    let system = System { buffer: plan.buffer("system", shape, None), n };
    let accelerations = plan.buffer("pulls", Allocation::Linear { bytes: 12 * n as u64 }, None);

    let before = Arc::new(OnceLock::new());
    for variant in [CONSTANT, SHARED, GLOBAL] {
        let (state, before, terms) = (state.clone(), Arc::clone(&before), variant.terms(n, IN_PASS));
        plan.trials.push(Trial {
            writes: vec![],
            work: Workload::Steps(system.steps(&variant, initial, accelerations, steps)),
            check: Expectation {
                id: format!("leapfrog/{}", variant.id),
                what: format!(
                    "{} bodies, {steps} leapfrog steps of 1/{}: the energy moves as the step's length makes it, and the momentum does not, but for rounding",
                    format::count(n as u64),
                    1.0 / STEP,
                ),
                of: Target::Buffer(system.buffer),
                judge: Arc::new(move |words| {
                    let before = before.get_or_init(|| moment(&state, n));
                    let after = moment(bytemuck::cast_slice(words), n);
                    judged(before, &after, steps, terms)
                }),
            },
        });
    }
    plan.parameters.insert("leapfrog_bodies".to_owned(), Parameter::Integer(n as u64));
    plan.parameters.insert("leapfrog_steps".to_owned(), Parameter::Integer(u64::from(steps)));
}

fn moment(state: &[f32], n: usize) -> Moment {
    let (bodies, velocities) = state.split_at(4 * n);
    Moment::new(bodies, velocities, SOFTENING_SQUARED)
}

fn judged(before: &Moment, after: &Moment, steps: u32, terms: usize) -> Finding {
    let drift = Drift::new(before, after, f64::from(STEP), steps, terms);
    let found = format!(
        "energy {:.4} moved by {:+.2e}, as predicted {:+.2e} within {:.1e}, while the kinetic energy went from {:.4} to {:.4}; momentum moved by {:.1e}, allowed {:.1e}",
        before.energy(),
        drift.energy,
        drift.predicted,
        drift.tolerance,
        before.kinetic,
        after.kinetic,
        drift.momentum,
        drift.momentum_tolerance,
    );
    Finding { passed: drift.holds(), found }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_is_kick_drift_pull_kick() {
        let mut plan = Plan::default();
        let [initial, buffer, accelerations] =
            ["initial", "system", "pulls"].map(|name| plan.buffers.linear(name, 0));
        let steps = System { buffer, n: 4500 }.steps(&CONSTANT, initial, accelerations, 2);
        let names: Vec<&str> = steps
            .iter()
            .map(|step| match step {
                Step::Launch(launch) => launch.kernel.as_str(),
                Step::ToSymbol { .. } => "pass",
                _ => "copy",
            })
            .collect();
        let pull = ["pass", "gravity_constant", "pass", "gravity_constant"];
        let mut expected = vec!["copy"];
        expected.extend(pull);
        for _ in 0..2 {
            expected.extend(["kick", "drift"]);
            expected.extend(pull);
            expected.push("kick");
        }
        assert_eq!(names, expected);
    }

    #[test]
    fn a_system_that_gains_energy_is_found() {
        let state = bodies(100, 5);
        let still = |v: f32| {
            let mut state = state.to_vec();
            state.resize(700, v);
            moment(&state, 100)
        };
        let (before, after) = (still(0.0), still(0.1));
        assert!(judged(&before, &before, 4, 100).passed);
        let finding = judged(&before, &after, 4, 100);
        assert!(!finding.passed && finding.found.contains("moved by +1."), "{}", finding.found);
    }
}
