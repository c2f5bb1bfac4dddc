//! Execution of a plan on a device.
//!
//! Enters: a plan, its sources, a device. Leaves: for each point times, counters and the findings on its results. This
//! module must never know what the numbers mean.

use crate::measure::{self, Times};
use crate::plan::trace::Texture;
use crate::plan::{
    self, BufferId, Data, Expectation, Finding, Launch, POISON, Plan, Point, Probe, Quantity, Step, Target,
    Transfer, Until, Workload, Write,
};
use crate::printed::Printed;
use crate::progress::Progress;
use crate::sources::ModuleSource;
use anyhow::{Context, Result, anyhow};
use device::texture::{self, AddressMode, Channel, Dimension, Format, Mipmap, Sampling};
use device::{Checks as Watch, Device, Kind, Module, Region, SimtError, TracedAccess};
use faults::Stopped;
use harness::{ArrayShape, Buffers, Handle, Memory, Objects, Rows, Span, TextureShape};
use record::Counters;
use reference::outputs::first_other;
use std::collections::{BTreeMap, BTreeSet};
use xxhash_rust::xxh3::xxh3_64;

/// Texels of a lab's textures.
pub(crate) const FORMAT: Format = Format { channel: Channel::F32, channels: 1 };
/// Name of a figure's array, as committed records have it.
const ARRAY: &str = "array 0";
/// How they are fetched: by coordinates in texels, which are clamped, and without a filter.
pub(crate) const SAMPLING: Sampling = Sampling {
    address: [AddressMode::Clamp; 3],
    linear: false,
    normalised_coordinates: false,
    normalised_float: false,
    border: [0; 4],
    mipmap: Mipmap::NEAREST,
};

/// Results of one point.
pub(crate) struct Outcome {
    /// Times of the work; `None` if it is not timed.
    pub(crate) times: Option<Times>,
    /// Times of the shorter launch, if the quantity is a difference.
    pub(crate) shorter: Option<Times>,
    /// Counters summed over all launches; empty on a GPU.
    pub(crate) counters: Counters,
    /// Answer of the device, if that is the quantity.
    pub(crate) answered: Option<f64>,
}

/// Findings by the check they belong to, in the order of the first of each.
#[derive(Default)]
struct Checks(Vec<(record::Check, u32)>);

impl Checks {
    /// The first finding that is not as expected stays; until there is one, the first of all. `output` is the hash of
    /// what was looked at.
    fn add(&mut self, id: &str, what: &str, Finding { passed, found }: Finding, output: Option<String>) {
        match self.0.iter_mut().find(|(check, _)| check.id == id) {
            Some((check, launches)) => {
                *launches += 1;
                check.outputs.extend(output);
                if check.passed && !passed {
                    (check.passed, check.found) = (false, format!("launch {launches}: {found}"));
                }
            }
            None => {
                let (id, what) = (id.to_owned(), what.to_owned());
                let outputs = output.into_iter().collect();
                self.0.push((record::Check { id, what, passed, found, outputs }, 1));
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
    modules: Vec<(plan::SourceId, Module)>,
    /// The sources that the modules come from, in the same order.
    sources: Vec<&'a ModuleSource>,
    /// Whether launches of edited kernels have all checks.
    watches: bool,
    /// What edited kernels printed.
    printed: Printed,
    buffers: Buffers,
    /// Textures of single figures, with their arrays.
    objects: Objects,
    /// The words of the output that was read last.
    words: Vec<u32>,
    progress: bool,
    /// Whether experiments that only a GPU can do in good time are left out.
    countable: bool,
}

impl<'a> Bench<'a> {
    /// Loads modules, allocates buffers, makes the plan's first writes.
    ///
    /// # Errors
    /// PTX that the device refuses, or more memory than it has.
    pub(crate) fn new(
        device: &'a mut dyn Device,
        plan: &'a Plan,
        sources: impl IntoIterator<Item = &'a ModuleSource>,
    ) -> Result<Self> {
        let sources: Vec<&ModuleSource> = sources.into_iter().collect();
        let load = |s: &&ModuleSource| -> Result<_> {
            // What a check finds goes into the record, wherever a reader's file is.
            let name = format!("PTX of kernels/{}", s.id.file);
            Ok((s.id, device.load(&name, &s.ptx).with_context(|| format!("loading {}", s.name))?))
        };
        let modules = sources.iter().map(load).collect::<Result<_>>()?;
        let needed = plan.buffers.iter().fold(0, |sum: u64, b| sum.saturating_add(b.shape.packed()));
        let memory = device.description().memory_bytes;
        if needed > memory {
            return Err(anyhow!("this run needs {needed} bytes of device memory and there are {memory}"))
                .context("choose smaller sizes");
        }
        let (buffers, words) = (Buffers::default(), Vec::new());
        let printed = Printed::default();
        let mut bench = Bench {
            device,
            plan,
            modules,
            sources,
            watches: false,
            printed,
            buffers,
            objects: Objects::default(),
            words,
            progress: true,
            countable: false,
        };
        for buffer in plan.buffers.iter() {
            let allocated = bench.buffers.allocate(bench.device, buffer.name, buffer.shape);
            allocated.with_context(|| format!("buffer `{}`; choose smaller sizes", buffer.name))?;
        }
        bench.write(&plan.writes)?;
        Ok(bench)
    }

    /// Has all checks made of edited kernels, on a device that can.
    pub(crate) fn watching(mut self) -> Self {
        self.watches = true;
        self
    }

    /// What edited kernels printed until now, for a terminal; empty for nothing.
    pub(crate) fn printed(&self) -> String {
        self.printed.text()
    }

    /// Shows no progress.
    pub(crate) fn silent(mut self) -> Self {
        self.progress = false;
        self
    }

    /// Leaves out what only a GPU can do in good time: the plan's uncounted experiments, whose points then have neither
    /// a time nor counters, and the trials whose check is named after one of them.
    pub(crate) fn countable(mut self) -> Self {
        self.countable = true;
        self
    }

    /// Whether something of this experiment, or with a check of this id, is left out.
    fn is_left_out(&self, id: &str) -> bool {
        let of = |uncounted: &&str| {
            id.strip_prefix(uncounted).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        self.countable && self.plan.uncounted.iter().any(of)
    }

    /// Id and text of each check that is left out altogether: one of whose launches some are made is not among them.
    pub(crate) fn left_out(&self) -> Vec<(String, String)> {
        let of_points = self.plan.placed().filter_map(|(experiment, point)| {
            point.check.as_ref().map(|check| (self.is_left_out(experiment), check))
        });
        let of_trials = self.plan.trials.iter().map(|t| (self.is_left_out(&t.check.id), &t.check));
        let all: Vec<_> = of_points.chain(of_trials).collect();
        let made: BTreeSet<&str> = all.iter().filter(|(out, _)| !out).map(|(_, c)| c.id.as_str()).collect();
        let out = all.iter().filter(|(out, check)| *out && !made.contains(check.id.as_str()));
        let named: BTreeMap<_, _> = out.map(|(_, check)| (check.id.clone(), check.what.clone())).collect();
        named.into_iter().collect()
    }

    /// Whether a re-run meets what costs time on a GPU alone, and is nothing to count either.
    fn has_no_time(&self, work: &Workload) -> bool {
        let on_a_gpu_alone = match work {
            Workload::Allocate { .. } | Workload::Free { .. } | Workload::Resident(_) => true,
            Workload::SymbolTransfer { until, .. } => *until == Until::Returned,
            Workload::Launch(_) | Workload::Steps(_) | Workload::Transfer(_) | Workload::Pitch { .. } => {
                false
            }
        };
        self.countable && on_a_gpu_alone
    }

    /// Runs everything: checks, times, counts.
    ///
    /// # Errors
    /// A fault of a kernel, or whatever the device refuses.
    pub(crate) fn measure(&mut self) -> Result<(Vec<Outcome>, Vec<record::Check>)> {
        let plan = self.plan;
        let size = |id: &str, work: &Workload| if self.is_left_out(id) { 0.0 } else { work.size() };
        let points = plan.placed().map(|(experiment, point)| size(experiment, &point.work));
        // Those that are left out are not steps.
        let trials = plan.trials.iter().filter(|trial| !self.is_left_out(&trial.check.id));
        let trials = trials.map(|trial| trial.work.size());
        let work = points.chain(trials).chain(plan.attempts.iter().map(|_| 0.0)).collect();
        let mut progress = Progress::new(work, self.progress);
        let mut checks = Checks::default();
        let mut outcomes = Vec::new();
        for (experiment, point) in plan.placed() {
            progress.begin(&named(&point.work));
            outcomes.push(if self.is_left_out(experiment) || self.has_no_time(&point.work) {
                Outcome { times: None, shorter: None, counters: Counters::new(), answered: None }
            } else {
                self.point(point, &mut checks)?
            });
            progress.end();
        }
        for trial in &plan.trials {
            if self.is_left_out(&trial.check.id) {
                continue;
            }
            progress.begin(&named(&trial.work));
            self.checked(&trial.work, &trial.writes, &trial.check, &mut checks)?;
            progress.end();
        }
        let buffers: Vec<_> = self.buffers.iter().collect();
        for attempt in &plan.attempts {
            progress.begin(&attempt.id);
            let mut probe = Probe { device: &mut *self.device, modules: &self.modules, buffers: &buffers };
            checks.add(&attempt.id, &attempt.what, (attempt.make)(&mut probe), None);
            progress.end();
        }
        let mut checks = checks.finish();
        checks.extend(plan.closing.iter().map(|closing| (closing.0)()));
        Ok((outcomes, checks))
    }

    fn point(&mut self, point: &Point, checks: &mut Checks) -> Result<Outcome> {
        let (counters, modelled) = match &point.check {
            Some(expected) => self.checked(&point.work, &point.writes, expected, checks)?,
            None => {
                self.write(&point.writes)?;
                self.run(&point.work)?
            }
        };
        let (mut times, mut answered) = (None, None);
        match (&point.work, modelled) {
            (Workload::Pitch { width, rows }, _) => answered = Some(self.pitch(*width, *rows)? as f64),
            (Workload::Resident(launch), _) => answered = Some(self.resident(launch)?),
            // The model gives the same time every time: the first run has given it.
            (_, Some(ns)) => times = Times::new(vec![ns]),
            (work, None) => times = Some(self.times(work)?),
        }
        let shorter = match &point.quantity {
            Quantity::Difference { shorter, .. } => Some(self.times(&Workload::Launch(shorter.clone()))?),
            _ => None,
        };
        Ok(Outcome { times, shorter, counters, answered })
    }

    /// Runs each point's launches once, for the counters alone.
    ///
    /// # Errors
    /// Those of [`Bench::measure`].
    pub(crate) fn count(&mut self) -> Result<Vec<Counters>> {
        let plan = self.plan;
        let size = |(id, point): (&str, &Point)| if self.is_left_out(id) { 0.0 } else { point.work.size() };
        let work = plan.placed().map(size).collect();
        let mut progress = Progress::new(work, self.progress);
        let mut all = Vec::new();
        for (experiment, point) in plan.placed() {
            progress.begin("counting");
            all.push(if self.is_left_out(experiment) {
                Counters::new()
            } else {
                self.write(&point.writes)?;
                self.run(&point.work)?.0
            });
            progress.end();
        }
        Ok(all)
    }

    /// Runs each profiled point's launches once and looks at nothing: Nsight Compute does.
    ///
    /// # Errors
    /// Those of [`Bench::measure`].
    pub(crate) fn once(&mut self) -> Result<()> {
        let plan = self.plan;
        for point in plan.points().filter(|p| p.profiled) {
            self.write(&point.writes)?;
            self.run(&point.work)?;
        }
        Ok(())
    }

    /// The handle of a texture object, whose texels are zero in an array.
    ///
    /// # Errors
    /// A buffer without rows, or what the device refuses.
    pub(crate) fn texture(&mut self, Texture { buffer, array }: Texture) -> Result<u64> {
        let (pitch, bytes, rows) = self.rows(buffer).context("a texture's buffer has no pitch")?;
        let (width, height) = (u32::try_from(bytes / 4)?, u32::try_from(rows)?);
        let resource = if array {
            let size = [width, height, 1];
            let extent = texture::Extent { dimension: Dimension::Two, size, layers: None, levels: None };
            let array = self.objects.array(self.device, ARRAY, ArrayShape { extent, format: FORMAT })?;
            self.device.write_array(self.objects.at(array)?, &vec![0; usize::try_from(bytes * rows)?])?;
            texture::Resource::Array(array)
        } else {
            texture::Resource::Pitched { buffer: buffer.index(), offset: 0, width, height, pitch }
        };
        let shape = TextureShape { resource, format: FORMAT, sampling: SAMPLING, reference: None };
        let (_, module) = self.modules.first().context("a texture's plan has no module")?;
        let place = self.objects.texture(self.device, *module, &self.buffers, &shape)?;
        self.objects.handle(Handle::Texture(place)).context("the texture has no handle")
    }

    /// Runs a launch once and returns the accesses that the embedded device noted, and how many it left out.
    ///
    /// # Errors
    /// Those of [`Bench::measure`].
    pub(crate) fn accesses(&mut self, writes: &[Write], launch: &Launch) -> Result<(Vec<TracedAccess>, u64)> {
        self.write(writes)?;
        let resolved = self.launch(launch)?;
        let ran = self.device.launch(&resolved);
        let outcome = ran.map_err(|error| self.in_words(error, [launch]))?;
        Ok(outcome.map(|outcome| (outcome.accesses, outcome.left_out)).unwrap_or_default())
    }

    /// Pitch, bytes of a row, and rows of a pitched buffer.
    pub(crate) fn rows(&self, buffer: BufferId) -> Option<(u64, u64, u64)> {
        let Rows { region, extent } = self.buffers.rows(buffer.index())?;
        Some((region.pitch, extent.width, extent.height * extent.depth))
    }

    /// Frees the memory.
    ///
    /// # Errors
    /// Any call that the device refuses.
    pub(crate) fn finish(mut self) -> Result<()> {
        let objects = self.objects.free(self.device);
        Ok(self.buffers.free(self.device).and(objects)?)
    }

    fn pitch(&mut self, width: u64, rows: u64) -> Result<u64> {
        let pitched = self.device.allocate_pitched(width, rows, 4)?;
        self.device.free(pitched.buffer)?;
        Ok(pitched.pitch)
    }

    /// Blocks of a launch that a multiprocessor holds.
    fn resident(&mut self, launch: &Launch) -> Result<f64> {
        let launch = self.launch(launch)?;
        let blocks = self.device.resident_blocks(&launch)?;
        Ok(f64::from(blocks.context("this device does not know how many blocks a multiprocessor holds")?))
    }

    fn write(&mut self, writes: &[Write]) -> Result<()> {
        for Write { target, offset, data } in writes {
            let address;
            let bytes = match data {
                Data::F32(values) => bytemuck::cast_slice(values),
                Data::U32(values) => bytemuck::cast_slice(values),
                Data::Bytes(bytes) => bytes,
                Data::Pointer { buffer, offset } => {
                    address = self.device.address(self.buffers.at(buffer.index())?)?.wrapping_add(*offset);
                    bytemuck::bytes_of(&address)
                }
            };
            match *target {
                Target::Buffer(at) => self.write_buffer(at, *offset, bytes)?,
                Target::Symbol { source, name } => {
                    let memory = Memory::Symbol(self.module(source)?, name.to_owned());
                    Span { memory, offset: *offset }.write(self.device, bytes)?;
                }
            }
        }
        Ok(())
    }

    /// Writes bytes at an offset of a buffer, or all rows of one with a pitch.
    fn write_buffer(&mut self, at: BufferId, offset: u64, bytes: &[u8]) -> Result<()> {
        let buffer = self.buffers.at(at.index())?;
        match self.buffers.rows(at.index()) {
            None => self.device.write(buffer, offset, bytes)?,
            Some(Rows { region, extent }) => {
                self.device.write_3d(buffer, region, bytes, Region::packed(extent), extent)?;
            }
        }
        Ok(())
    }

    fn module(&self, source: plan::SourceId) -> Result<Module> {
        plan::loaded(&self.modules, source)
    }

    fn launch(&self, launch: &Launch) -> Result<device::Launch> {
        launch.resolve(&|source| self.module(source), &|id| Ok(self.buffers.at(id.index())?))
    }

    fn step(&self, step: &Step) -> Result<device::Step> {
        step.resolve(&|source| self.module(source), &|id| Ok(self.buffers.at(id.index())?))
    }

    /// Steps that run on the device itself; nothing for a call of the host.
    fn steps(&self, work: &Workload) -> Result<Vec<device::Step>> {
        match work {
            Workload::Launch(launch) => Ok(vec![device::Step::Launch(self.launch(launch)?)]),
            Workload::Steps(steps) => steps.iter().map(|step| self.step(step)).collect(),
            Workload::Transfer(_)
            | Workload::SymbolTransfer { .. }
            | Workload::Allocate { .. }
            | Workload::Free { .. }
            | Workload::Pitch { .. }
            | Workload::Resident(_) => Ok(vec![]),
        }
    }

    /// Runs work once: what the embedded device counted, and its modelled time in ns.
    fn run(&mut self, work: &Workload) -> Result<(Counters, Option<f64>)> {
        let steps = self.steps(work)?;
        if steps.is_empty() {
            return Ok((Counters::new(), None));
        }
        if self.watches {
            let edited =
                work.launches().any(|launch| self.source(launch).is_some_and(ModuleSource::is_edited));
            self.device.set_checks(Watch::all_or_none(edited));
        }
        let ran = self.device.run(&steps);
        if let Err(device::Error::Simt(SimtError::Fault(fault))) = &ran {
            self.printed.add_last(&fault.kernel, &fault.printed);
        }
        let ran = ran.map_err(|error| self.in_words(error, work.launches()))?;
        let Some(outcome) = ran else { return Ok((Counters::new(), None)) };
        self.printed.add(&named(work), &outcome.printed);
        let counters = outcome.counters.iter().map(|(name, value)| (name.to_owned(), value)).collect();
        Ok((counters, Some(outcome.modelled_ns)))
    }

    fn source(&self, launch: &Launch) -> Option<&'a ModuleSource> {
        self.sources.iter().find(|source| source.id.file == launch.module.file).copied()
    }

    /// The error of one of these launches; a fault in the words of its source.
    fn in_words<'l>(
        &self,
        error: device::Error,
        launches: impl IntoIterator<Item = &'l Launch>,
    ) -> device::Error {
        error.in_words(|fault| {
            let launch = launches.into_iter().find(|launch| launch.kernel == fault.kernel);
            let source = launch.and_then(|launch| Some((launch, self.source(launch)?)));
            let Some((launch, source)) = source else { return fault };
            let buffers = faults::called(&source.cu, &launch.kernel, &launch.args, |id| {
                Some((self.plan.buffers.iter().nth(id.index())?.name.to_owned(), None))
            });
            let stopped = Stopped::new(fault, (&source.ptx, &source.shared), |_, _| None, buffers);
            faults::tell(stopped, &source.origins)
        })
    }

    /// Runs work once, as [`Bench::run`] does, and looks at its output.
    fn checked(
        &mut self,
        work: &Workload,
        writes: &[Write],
        expected: &Expectation,
        checks: &mut Checks,
    ) -> Result<(Counters, Option<f64>)> {
        if let Target::Buffer(at) = expected.of {
            let buffer = self.buffers.at(at.index())?;
            self.device.fill(buffer, POISON)?;
        }
        self.write(writes)?;
        let ran = self.run(work)?;
        let finding = self.read(expected.of)?;
        // A lab looks at gigabytes: with SHA-256 that took a sixth of its time.
        let hash = || xxh3_64(bytemuck::cast_slice::<u32, u8>(&self.words));
        let judge = || finding.unwrap_or_else(|| (expected.judge)(&self.words));
        let (finding, hash) = rayon::join(judge, hash);
        let output = format!("{hash:016x}");
        checks.add(&expected.id, &expected.what, finding, Some(output));
        Ok(ran)
    }

    /// Reads an output into `words`; a finding where a kernel wrote between the rows.
    fn read(&mut self, target: Target) -> Result<Option<Finding>> {
        let size = |bytes: u64| {
            usize::try_from(bytes.div_ceil(4)).context("an output larger than this machine can address")
        };
        match target {
            Target::Symbol { source, name } => {
                let symbol = Span::of(Memory::Symbol(self.module(source)?, name.to_owned()));
                let bytes = symbol.memory.bytes(self.device)?;
                self.words.resize(size(bytes)?, 0);
                let words = bytemuck::cast_slice_mut(&mut self.words);
                // Its size fits: it has just been rounded up.
                symbol.read(self.device, &mut words[..bytes as usize])?;
                Ok(None)
            }
            Target::Buffer(at) => {
                let (buffer, rows) = (self.buffers.at(at.index())?, self.buffers.rows(at.index()));
                self.words.resize(size(buffer.bytes())?, 0);
                self.device.read(buffer, 0, bytemuck::cast_slice_mut(&mut self.words))?;
                let Some(Rows { region, extent }) = rows else { return Ok(None) };
                let (pitch, width) = (size(region.pitch)?, size(extent.width)?);
                let stray = self.words.chunks(pitch).enumerate().find_map(|(row, words)| {
                    let at = first_other(words.get(width..)?, POISON)?;
                    Some((row, 4 * (width + at)))
                });
                if let Some((row, byte)) = stray {
                    let what = format!(
                        "row {row}: something was written into its padding, at byte {byte} of the row"
                    );
                    return Ok(Some(Finding::bad(what)));
                }
                let bytes = extent.width * extent.height * extent.depth;
                self.words.resize(size(bytes)?, 0);
                let words = &mut bytemuck::cast_slice_mut(&mut self.words)[..bytes as usize];
                self.device.read_3d(buffer, region, words, Region::packed(extent), extent)?;
                Ok(None)
            }
        }
    }

    fn times(&mut self, work: &Workload) -> Result<Times> {
        let steps = self.steps(work)?;
        let symbol = if let Workload::SymbolTransfer { source, name, .. } = work {
            Some((self.module(source)?, *name))
        } else {
            None
        };
        let device = &mut *self.device;
        // The model gives the same time every time: one is all there is to know.
        let once = matches!(device.description().kind, Kind::Embedded { .. });
        let mut time = |calls: u32| -> Result<Vec<f64>> {
            match *work {
                Workload::Transfer(transfer) => transfers(device, &transfer, None, Until::Arrived, calls)
                    .with_context(|| format!("{}; choose smaller sizes", named(work))),
                Workload::SymbolTransfer { transfer, until, .. } => {
                    transfers(device, &transfer, symbol, until, calls)
                }
                Workload::Allocate { bytes } => {
                    Ok(allocations(device, bytes, calls)?.map(|[taken, _]| taken).collect())
                }
                Workload::Free { bytes } => {
                    Ok(allocations(device, bytes, calls)?.map(|[_, given]| given).collect())
                }
                Workload::Launch(_) | Workload::Steps(_) | Workload::Pitch { .. } | Workload::Resident(_) => {
                    Ok(device.time(&steps, calls)?)
                }
            }
        };
        let times = if once { Times::new(time(1)?) } else { measure::until_steady(time)? };
        times.with_context(|| format!("the device gave no time for `{}`", named(work)))
    }
}

/// Times of a transfer, ns.
fn transfers(
    device: &mut dyn Device,
    transfer: &Transfer,
    symbol: Option<(Module, &str)>,
    until: Until,
    calls: u32,
) -> Result<Vec<f64>> {
    let times = device.time_transfer(transfer, symbol, calls)?.into_iter().map(|time| match until {
        Until::Arrived => Some(time.arrived_ns),
        Until::Returned => time.returned_ns,
    });
    times.collect::<Option<_>>().context("the return of a copy's call has no time on this device")
}

/// Times of an allocation and of giving it back, ns.
fn allocations(device: &mut dyn Device, bytes: u64, calls: u32) -> Result<impl Iterator<Item = [f64; 2]>> {
    let times = device.time_allocation(bytes, calls)?;
    Ok(times.context("an allocation has no time on this device")?.into_iter())
}

/// The work's name for progress and errors.
fn named(work: &Workload) -> String {
    let kernel = work.launches().next().map(|launch| launch.kernel.clone());
    kernel.or_else(|| work.operation()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(findings: &[(&str, Finding)]) -> Vec<(String, bool, String)> {
        let mut checks = Checks::default();
        for (id, finding) in findings {
            checks.add(id, "w", finding.clone(), None);
        }
        checks.finish().into_iter().map(|c| (c.id, c.passed, c.found)).collect()
    }

    #[test]
    fn launches_of_one_check_are_reported_once() {
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
    fn one_bad_launch_fails_its_check_and_is_the_one_that_is_reported() {
        let (good, bad) = (Finding::good("all right"), Finding::bad("thread 3 is wrong"));
        let all = found(&[("a", good.clone()), ("a", bad), ("a", good)]);
        assert_eq!(all, [("a".into(), false, "launch 2: thread 3 is wrong".into())]);
    }
}
