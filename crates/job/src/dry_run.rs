//! A job on the embedded device up to its launches, which are checked and not made.
//!
//! Enters: a checked job and the embedded device. Leaves: a [`Report`] without launches, and a [`DryRun`]: every kernel of the
//! module, those that the device refuses, and every launch that could not be made, with all the reasons. A job without launches is
//! about its module, all of whose kernels are meant.

use crate::error::Error;
use crate::job::{BufferId, Job, JobStep, Memory, Span};
use crate::loaded::Loaded;
use crate::report::{Fault, Report, simt_fault};
use crate::run::{check_memory, words};
use crate::settings::Settings;
use crate::signature;
use device::{Buffer, Device, Embedded, Refusal, SimtError};
use names::{readable, shown};
use record::text::visible;
use serde::Serialize;
use std::collections::BTreeMap;

/// What a dry run found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DryRun {
    /// Kernels of the module, in the order of its text.
    pub kernels: Vec<String>,
    /// Kernels of the module that the device refuses.
    pub refusals: Vec<Refusal>,
    /// The job's launches, in their order.
    pub launches: Vec<CheckedLaunch>,
    /// The job launches nothing: the whole module was asked for.
    pub is_whole_module: bool,
    /// The module was compiled and read, so that `refusals` says something of its kernels.
    pub is_loaded: bool,
}

/// A launch that was checked.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CheckedLaunch {
    /// The kernel.
    pub kernel: String,
    /// Blocks in x, y, z.
    pub grid: [u32; 3],
    /// Threads a block in x, y, z.
    pub block: [u32; 3],
    /// Its line in the job file.
    pub line: usize,
    /// All errors with which it could end before a thread runs; none if it can run.
    pub refused: Vec<Reason>,
}

/// A reason why a launch is refused.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Reason {
    /// Kind of the error, where reports name it.
    pub kind: Option<&'static str>,
    /// The error in words, with its place.
    pub message: String,
    /// The file of its place: the kernel's source, the PTX, or the job file.
    pub file: String,
    /// The line in it.
    pub line: u32,
}

/// Checks a job. `watch` is passed what comes next. The report's error is the first with which the job would end before a
/// thread runs.
pub fn dry_run(
    job: &Job,
    device: &mut Embedded,
    settings: &Settings,
    watch: &mut dyn FnMut(&str),
) -> (Report, DryRun) {
    let mut found = DryRun::default();
    let error = check(job, device, settings, &mut found, watch).err();
    (Report { device: words(device), error, ..Report::default() }, found)
}

fn check(
    job: &Job,
    device: &mut Embedded,
    settings: &Settings,
    found: &mut DryRun,
    watch: &mut dyn FnMut(&str),
) -> Result<(), Error> {
    check_memory(job, settings)?;
    watch("loading the module");
    let text = job.ptx(device, settings)?;
    let loaded = Loaded::new(device, &job.ptx_name(), text)?;
    watch("decoding its kernels");
    found.kernels = loaded.module.kernels().to_vec();
    found.refusals = device.refusals(loaded.module.handle)?;
    found.is_loaded = true;
    found.is_whole_module = job.entries().is_empty();
    let mut buffers: Vec<Buffer> = vec![];
    for buffer in &job.buffers {
        buffers.push(device.allocate(buffer.bytes).map_err(|e| job.refused(buffer.line, e))?);
    }
    let mut first = Ok(());
    for entry in job.entries() {
        let buffer = |id: &BufferId| Ok::<_, Error>(buffers[id.index()]);
        let mut launch = entry.launch.resolve(&|()| Ok(loaded.module.handle), &buffer)?;
        let mut errors = vec![];
        match loaded.kernel(job, entry.line, &launch.kernel) {
            Ok(kernel) => {
                launch.kernel = kernel;
                let problems = signature::problems(&launch.kernel, &launch.args);
                let problems = problems.into_iter().map(device::Error::from);
                let problems = problems.chain(device.check_launch(&launch));
                errors.extend(problems.map(|e| job.refused(entry.line, e)));
            }
            Err(error) => errors.push(error),
        }
        // Of a kernel that the device refuses, all the reasons.
        let refusal = found.refusals.iter().find(|refusal| refusal.kernel == launch.kernel);
        let refused = match refusal {
            Some(refusal) => refusal.reasons.iter().map(|error| Reason::of(job, entry.line, error)).collect(),
            None => errors.iter().map(|error| Reason::new(job, entry.line, error)).collect(),
        };
        let (kernel, grid, block) = (launch.kernel, launch.grid, launch.block);
        found.launches.push(CheckedLaunch { kernel, grid, block, line: entry.line, refused });
        if let Some(error) = errors.into_iter().next() {
            first = first.and(Err(error));
        }
    }
    if found.is_whole_module
        && let Some(reason) = found.refusals.first().and_then(|refusal| refusal.reasons.first())
    {
        first = Err(device::Error::from(reason.clone()).into());
    }
    for (name, bytes, line) in variables(job) {
        let checked = loaded.symbol(job, line, name).and_then(|name| {
            device.check_symbol(loaded.module.handle, &name, bytes).map_err(|e| job.refused(line, e))
        });
        first = first.and(checked);
    }
    first
}

/// Variables that a job names: their names, the bytes that are written or read from their first on, and lines.
fn variables(job: &Job) -> Vec<(&str, u64, usize)> {
    let of = |span: &Span, bytes: Option<u64>| span.offset.saturating_add(bytes.unwrap_or(0));
    let mut spans: Vec<(&Span, Option<u64>, usize)> = vec![];
    for step in job.leaves() {
        match step {
            JobStep::Fill(fill) => spans.push((&fill.to, fill.bytes, fill.line)),
            JobStep::Copy(copy) => {
                spans.push((&copy.from, copy.bytes, copy.line));
                spans.push((&copy.to, copy.bytes, copy.line));
            }
            JobStep::Launch(_) | JobStep::Repeat { .. } => {}
        }
    }
    spans.extend(job.outputs.iter().map(|output| (&output.from, output.bytes, output.line)));
    let named = spans.into_iter().filter_map(|(span, bytes, line)| match &span.memory {
        Memory::Symbol(name) => Some((name.as_str(), of(span, bytes), line)),
        Memory::Array(_) => None,
        Memory::Buffer(_) => None,
    });
    let written = job.symbols.iter().map(|s| (s.name.as_str(), s.bytes.len() as u64, s.line));
    written.chain(named).collect()
}

impl Reason {
    /// An error of the launch at a line of the job.
    fn new(job: &Job, line: usize, error: &Error) -> Self {
        match error.of_device() {
            Some(device::Error::Simt(error)) => Reason::of(job, line, error),
            _ => Reason { message: error.to_string(), ..Reason::in_job(job, line) },
        }
    }

    /// An error of the device, of the launch at a line of the job.
    fn of(job: &Job, line: usize, error: &SimtError) -> Self {
        let fault = simt_fault(error);
        let here = Reason::in_job(job, line);
        let place = fault.as_ref().and_then(|fault| Some((fault.file.clone()?, fault.line?)));
        let message = match &place {
            Some(_) => error.to_string(),
            None => format!("{}:{}: {error}", here.file, here.line),
        };
        let (file, line) = place.unwrap_or((here.file, here.line));
        Reason { kind: fault.map(|fault| fault.kind), message, file, line }
    }

    fn in_job(job: &Job, line: usize) -> Self {
        let line = u32::try_from(line).unwrap_or(u32::MAX);
        Reason { kind: None, message: String::new(), file: job.path.display().to_string(), line }
    }
}

impl DryRun {
    /// The reasons for refusing some kernels, in the order of the text, each with the kernels that it refuses.
    fn reasons<'a>(refusals: &[&'a Refusal]) -> Vec<(&'a SimtError, Vec<&'a str>)> {
        // By their words, since one of a function that many kernels call is reported by each.
        let mut places: BTreeMap<((u32, u32), String), usize> = BTreeMap::new();
        let mut reasons: Vec<(&SimtError, Vec<&str>)> = vec![];
        for refusal in refusals {
            for reason in &refusal.reasons {
                let at = *places.entry((place(reason), reason.to_string())).or_insert(reasons.len());
                if at == reasons.len() {
                    reasons.push((reason, vec![]));
                }
                reasons[at].1.push(&refusal.kernel);
            }
        }
        reasons.sort_by_key(|(reason, _)| place(reason));
        reasons
    }

    /// As text for the terminal.
    pub(crate) fn text(&self) -> String {
        let mut text = "dry run: nothing is run\n".to_owned();
        for launch in &self.launches {
            let can = if launch.refused.is_empty() { "can run" } else { "refused" };
            let (grid, block) = (launch.grid, launch.block);
            let name = shown(&launch.kernel);
            let name = visible(&name);
            text += &format!("launch of {name}, grid {grid:?}, block {block:?}: {can}\n");
            for reason in &launch.refused {
                text += &format!("  {}\n", visible(&readable(&reason.message)));
            }
        }
        if !self.is_loaded {
            return text + "no kernel was checked\n";
        }
        if self.is_whole_module {
            text += if self.kernels.is_empty() {
                "the module has no kernels\n"
            } else {
                "kernels of the module:\n"
            };
            for kernel in &self.kernels {
                text += &format!("  {}\n", visible(&shown(kernel)));
            }
        }
        if self.refusals.is_empty() {
            return text + "no kernel of the module is refused\n";
        }
        // Those of kernels that are launched were reported.
        let is_launched = |kernel: &str| self.launches.iter().any(|launch| launch.kernel == kernel);
        let others: Vec<&Refusal> = self.refusals.iter().filter(|r| !is_launched(&r.kernel)).collect();
        if others.is_empty() {
            return text + "no other kernel of the module is refused\n";
        }
        let kernels: Vec<_> =
            others.iter().map(|refusal| visible(&shown(&refusal.kernel)).into_owned()).collect();
        let which = if others.len() == self.refusals.len() { "refused" } else { "other refused" };
        text += &format!("{which} kernels of the module: {}\n", kernels.join(", "));
        for (reason, kernels) in DryRun::reasons(&others) {
            text += &format!("  {}\n", visible(&readable(&reason.to_string())));
            if others.len() > 1 {
                text += &format!("    in {}\n", visible(&readable(&kernels.join(", "))));
            }
        }
        text
    }

    /// As JSON, for the report's `dry_run`.
    pub(crate) fn json(&self) -> serde_json::Result<serde_json::Value> {
        let refused = |refusal: &Refusal| JsonRefusal {
            kernel: refusal.kernel.clone(),
            reasons: refusal.reasons.iter().filter_map(simt_fault).collect(),
        };
        serde_json::to_value(JsonDryRun {
            kernels: self.kernels.clone(),
            launches: self.launches.clone(),
            refusals: self.refusals.iter().map(refused).collect(),
        })
    }
}

/// Line and column in the PTX.
fn place(reason: &SimtError) -> (u32, u32) {
    match reason {
        SimtError::Unsupported { place, .. } | SimtError::BadPtx { place, .. } => place.at,
        _ => (0, 0),
    }
}

/// A dry run for a program to read.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct JsonDryRun {
    kernels: Vec<String>,
    launches: Vec<CheckedLaunch>,
    refusals: Vec<JsonRefusal>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
struct JsonRefusal {
    kernel: String,
    reasons: Vec<Fault>,
}
