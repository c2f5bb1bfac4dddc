//! A plan on a device.
//!
//! Enters: a plan, its sources, a device. Leaves: for each point times, counters and what was found in its results. It
//! must never know what the numbers mean.

use crate::measure::{self, Times};
use crate::plan::{Arg, Expectation, Finding, Launch, POISON, Plan, Quantity, Target, Write};
use crate::progress::Progress;
use crate::sources::Source;
use anyhow::{Context, Result, anyhow};
use device::{Buffer, Device, Kind, Module};
use record::Counters;

/// What one point gave.
pub(crate) struct Outcome {
    pub(crate) times: Times,
    /// Of the shorter launch, where the quantity is a difference.
    pub(crate) shorter: Option<Times>,
    /// Of one launch; empty on a GPU.
    pub(crate) counters: Counters,
}

/// Findings by the check they belong to, in the order of the first of each.
#[derive(Default)]
struct Checks(Vec<(record::Check, u32)>);

impl Checks {
    /// The first finding that is not as expected stays; until there is one, the first of all.
    fn add(&mut self, of: &Expectation, Finding { passed, found }: Finding) {
        match self.0.iter_mut().find(|(check, _)| check.id == of.id) {
            Some((check, launches)) => {
                *launches += 1;
                if check.passed && !passed {
                    (check.passed, check.found) = (false, format!("launch {launches}: {found}"));
                }
            }
            None => {
                let check = record::Check { id: of.id.clone(), what: of.what.clone(), passed, found };
                self.0.push((check, 1));
            }
        }
    }

    fn finish(self) -> Vec<record::Check> {
        let done = self.0.into_iter().map(|(check, launches)| match (check.passed, launches) {
            (true, 2..) => {
                record::Check { found: format!("{} in each of {launches} launches", check.found), ..check }
            }
            _ => check,
        });
        done.collect()
    }
}

/// A device with the plan's modules and buffers on it.
pub(crate) struct Bench<'a> {
    device: &'a mut dyn Device,
    plan: &'a Plan,
    modules: Vec<Module>,
    buffers: Vec<Buffer>,
    words: Vec<u32>,
}

impl<'a> Bench<'a> {
    /// Loads modules, allocates buffers, makes the plan's first writes.
    ///
    /// # Errors
    /// PTX that the device refuses, or more memory than it has.
    pub(crate) fn new(device: &'a mut dyn Device, plan: &'a Plan, sources: &[Source]) -> Result<Self> {
        let modules = sources
            .iter()
            .map(|s| device.load(&s.name, &s.ptx).with_context(|| format!("loading {}", s.name)))
            .collect::<Result<_>>()?;
        let needed: u64 = plan.buffers.iter().map(|b| b.bytes).sum();
        let memory = device.description().memory_bytes;
        if needed > memory {
            return Err(anyhow!("this run needs {needed} bytes of device memory and there are {memory}"))
                .context("use a smaller --elements");
        }
        let mut buffers = Vec::new();
        for buffer in &plan.buffers {
            let allocated = device.allocate(buffer.bytes);
            buffers.push(
                allocated.with_context(|| format!("buffer `{}`; use a smaller --elements", buffer.name))?,
            );
        }
        let mut bench = Bench { device, plan, modules, buffers, words: Vec::new() };
        bench.write(&plan.writes)?;
        Ok(bench)
    }

    /// Runs everything: checks, times, counts.
    ///
    /// # Errors
    /// A fault of a kernel, or whatever the device refuses.
    pub(crate) fn measure(&mut self) -> Result<(Vec<Outcome>, Vec<record::Check>)> {
        let plan = self.plan;
        let mut progress = Progress::new(plan.points().count() + plan.trials.len());
        let mut checks = Checks::default();
        let mut outcomes = Vec::new();
        for point in plan.points() {
            progress.begin(point.launch.kernel);
            self.write(&point.writes)?;
            let (counters, modelled) = match &point.check {
                Some(expected) => {
                    let (ran, finding) = self.checked(&point.launch, expected)?;
                    checks.add(expected, finding);
                    ran
                }
                None => self.launch(&point.launch)?,
            };
            let times = match modelled.and_then(|ns| Times::new(vec![ns])) {
                // The model gives the same time every time: the checked launch has told it.
                Some(times) => times,
                None => self.times(&point.launch)?,
            };
            let shorter = match &point.quantity {
                Quantity::Difference { shorter, .. } => Some(self.times(shorter)?),
                Quantity::Bandwidth { .. } => None,
            };
            outcomes.push(Outcome { times, shorter, counters });
            progress.end();
        }
        for trial in &plan.trials {
            progress.begin(trial.launch.kernel);
            self.write(&trial.writes)?;
            let (_, finding) = self.checked(&trial.launch, &trial.check)?;
            checks.add(&trial.check, finding);
            progress.end();
        }
        let mut checks = checks.finish();
        checks.extend(plan.closing.iter().map(|closing| (closing.0)()));
        Ok((outcomes, checks))
    }

    /// Runs each point's launch once, for the counters alone.
    ///
    /// # Errors
    /// As [`Bench::measure`].
    pub(crate) fn count(&mut self) -> Result<Vec<Counters>> {
        let plan = self.plan;
        let mut progress = Progress::new(plan.points().count());
        let mut all = Vec::new();
        for point in plan.points() {
            progress.begin("counting");
            self.write(&point.writes)?;
            all.push(self.launch(&point.launch)?.0);
            progress.end();
        }
        Ok(all)
    }

    /// Runs each profiled point's launch once and looks at nothing: Nsight Compute does.
    ///
    /// # Errors
    /// As [`Bench::measure`].
    pub(crate) fn once(&mut self) -> Result<()> {
        let plan = self.plan;
        for point in plan.points().filter(|p| p.profiled) {
            self.write(&point.writes)?;
            self.launch(&point.launch)?;
        }
        Ok(())
    }

    /// Frees the memory.
    ///
    /// # Errors
    /// Whatever the device refuses.
    pub(crate) fn finish(self) -> Result<()> {
        for buffer in self.buffers {
            self.device.free(buffer)?;
        }
        Ok(())
    }

    fn write(&mut self, writes: &[Write]) -> Result<()> {
        for Write { target, data } in writes {
            match *target {
                Target::Buffer(buffer) => self.device.write(self.buffers[buffer], 0, data.bytes())?,
                Target::Symbol { source, name } => {
                    self.device.write_symbol(self.modules[source], name, 0, data.bytes())?;
                }
            }
        }
        Ok(())
    }

    fn resolved(&self, launch: &Launch) -> device::Launch {
        let arg = |arg: &Arg| match *arg {
            Arg::Buffer { buffer, offset } => device::Arg::Buffer { buffer: self.buffers[buffer], offset },
            Arg::I32(value) => device::Arg::I32(value),
        };
        device::Launch {
            module: self.modules[launch.source],
            kernel: launch.kernel.to_owned(),
            grid: [launch.grid, 1, 1],
            block: [launch.block, 1, 1],
            shared_bytes: launch.shared_bytes,
            args: launch.args.iter().map(arg).collect(),
            cluster: None,
            cooperative: false,
        }
    }

    /// Runs a launch once: what the embedded device counted, and its modelled time in ns.
    fn launch(&mut self, launch: &Launch) -> Result<(Counters, Option<f64>)> {
        let resolved = self.resolved(launch);
        let Some(outcome) = self.device.launch(&resolved)? else { return Ok((Counters::new(), None)) };
        let counters = outcome.counters.iter().map(|(name, value)| (name.to_owned(), value)).collect();
        Ok((counters, Some(outcome.modelled_ns)))
    }

    fn checked(
        &mut self,
        launch: &Launch,
        expected: &Expectation,
    ) -> Result<((Counters, Option<f64>), Finding)> {
        let buffer = self.buffers[expected.buffer];
        self.device.fill(buffer, POISON)?;
        let ran = self.launch(launch)?;
        let words =
            usize::try_from(buffer.bytes() / 4).context("a buffer larger than this machine can address")?;
        self.words.resize(words, 0);
        self.device.read(buffer, 0, bytemuck::cast_slice_mut(&mut self.words))?;
        Ok((ran, (expected.judge)(&self.words)))
    }

    fn times(&mut self, launch: &Launch) -> Result<Times> {
        let resolved = [self.resolved(launch).into()];
        let times = match self.device.description().kind {
            // The model gives the same time every time: one is all there is to know.
            Kind::Embedded { .. } => Times::new(self.device.time(&resolved, 1)?),
            Kind::Gpu { .. } => measure::until_steady(|calls| self.device.time(&resolved, calls))?,
        };
        times.with_context(|| format!("the device gave no time for `{}`", launch.kernel))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    fn expectation(id: &str) -> Expectation {
        Expectation { id: id.into(), what: "w".into(), buffer: 0, judge: Arc::new(|_| Finding::good("")) }
    }

    fn found(findings: &[(&str, Finding)]) -> Vec<(String, bool, String)> {
        let mut checks = Checks::default();
        for (id, finding) in findings {
            checks.add(&expectation(id), finding.clone());
        }
        checks.finish().into_iter().map(|c| (c.id, c.passed, c.found)).collect()
    }

    #[test]
    fn launches_of_one_check_are_told_once() {
        let good = Finding::good("all right");
        let all = found(&[("a", good.clone()), ("b", good.clone()), ("a", good)]);
        assert_eq!(
            all,
            [
                ("a".into(), true, "all right in each of 2 launches".into()),
                ("b".into(), true, "all right".into())
            ]
        );
    }

    #[test]
    fn one_bad_launch_fails_its_check_and_is_the_one_that_is_told() {
        let (good, bad) = (Finding::good("all right"), Finding::bad("thread 3 is wrong"));
        let all = found(&[("a", good.clone()), ("a", bad), ("a", good)]);
        assert_eq!(all, [("a".into(), false, "launch 2: thread 3 is wrong".into())]);
    }
}
