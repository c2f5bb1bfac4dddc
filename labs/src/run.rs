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
use record::{Check, Counters};

/// What one point gave.
pub(crate) struct Outcome {
    pub(crate) times: Times,
    /// Of the shorter launch, where the quantity is a difference.
    pub(crate) shorter: Option<Times>,
    /// Of one launch; empty on a GPU.
    pub(crate) counters: Counters,
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
    pub(crate) fn measure(&mut self) -> Result<(Vec<Outcome>, Vec<Check>)> {
        let plan = self.plan;
        let mut progress = Progress::new(plan.points().count() + plan.trials.len());
        let mut checks = Vec::new();
        let mut outcomes = Vec::new();
        for point in plan.points() {
            progress.begin(point.launch.kernel);
            self.write(&point.writes)?;
            let counters = match &point.check {
                Some(expected) => {
                    let (counters, check) = self.checked(&point.launch, expected)?;
                    checks.push(check);
                    counters
                }
                None => self.launch(&point.launch)?,
            };
            let times = self.times(&point.launch)?;
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
            checks.push(self.checked(&trial.launch, &trial.check)?.1);
            progress.end();
        }
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
            all.push(self.launch(&point.launch)?);
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
        }
    }

    fn launch(&mut self, launch: &Launch) -> Result<Counters> {
        let resolved = self.resolved(launch);
        let counted = self.device.launch(&resolved)?;
        Ok(counted
            .iter()
            .flat_map(device::Counters::iter)
            .map(|(name, value)| (name.to_owned(), value))
            .collect())
    }

    fn checked(&mut self, launch: &Launch, expected: &Expectation) -> Result<(Counters, Check)> {
        let buffer = self.buffers[expected.buffer];
        self.device.fill(buffer, POISON)?;
        let counters = self.launch(launch)?;
        let words =
            usize::try_from(buffer.bytes() / 4).context("a buffer larger than this machine can address")?;
        self.words.resize(words, 0);
        self.device.read(buffer, 0, bytemuck::cast_slice_mut(&mut self.words))?;
        let Finding { passed, found } = (expected.judge)(&self.words);
        Ok((counters, Check { id: expected.id.clone(), what: expected.what.clone(), passed, found }))
    }

    fn times(&mut self, launch: &Launch) -> Result<Times> {
        let resolved = self.resolved(launch);
        let times = match self.device.description().kind {
            // The model gives the same time every time: one is all there is to know.
            Kind::Embedded { .. } => Times::new(self.device.time(&resolved, 1)?),
            Kind::Gpu { .. } => measure::until_steady(|calls| self.device.time(&resolved, calls))?,
        };
        times.with_context(|| format!("the device gave no time for `{}`", launch.kernel))
    }
}
