//! Runs a job on a device: loads, fills, launches each kernel once, reads back, compares.
//!
//! Enters: a checked job and a device. Leaves: a [`Report`]. Bytes move between files and the device in pieces, so that
//! the host never holds a large buffer.

use crate::compare::Comparison;
use crate::error::Error;
use crate::file::{BufferId, From, Job, LaunchEntry, Output as Wanted};
use crate::init::{Generator, Init};
use crate::places;
use crate::report::{Launched, Output, Report, Time};
use crate::settings::Settings;
use device::{Buffer, Device, Kind, Module, SimtError};
use std::fs::File;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

/// Bytes that are copied at once: a multiple of every element's size.
const PIECE: usize = 4 << 20;

/// Runs a job. `watch` is told what comes next.
pub fn run(job: &Job, device: &mut dyn Device, settings: &Settings, watch: &mut dyn FnMut(&str)) -> Report {
    let mut report = Report { device: words(device), ..Report::default() };
    let mut run = Run { job, device, settings, watch, buffers: vec![] };
    let result = run.all(&mut report);
    let freed = run.free();
    report.error = result.and(freed).err();
    if report.error.is_some() {
        report.outputs.clear();
    }
    report
}

/// The device in words.
fn words(device: &dyn Device) -> String {
    let description = device.description();
    match &description.kind {
        Kind::Gpu { driver } => format!("{}, driver {driver}", description.name),
        Kind::Embedded { .. } => format!("embedded device, models {}", description.name),
    }
}

struct Run<'a> {
    job: &'a Job,
    device: &'a mut dyn Device,
    settings: &'a Settings,
    watch: &'a mut dyn FnMut(&str),
    /// Buffers, in the job's order.
    buffers: Vec<Buffer>,
}

impl Run<'_> {
    fn all(&mut self, report: &mut Report) -> Result<(), Error> {
        let job = self.job;
        self.check_memory()?;
        (self.watch)("loading the module");
        let ptx = job.ptx()?;
        let name = job.ptx_name();
        let module = self.device.load(&name, &ptx)?;
        for buffer in &job.buffers {
            (self.watch)(&format!("filling {}", buffer.name));
            self.buffer(buffer)?;
        }
        for symbol in &job.symbols {
            self.device.write_symbol(module, &symbol.name, 0, &symbol.bytes).map_err(|error| {
                self.refused(symbol.line, error) // a symbol that is not there, or is smaller
            })?;
        }
        for (n, launch) in job.launches.iter().enumerate() {
            (self.watch)(&format!("launch {} of {}: {}", n + 1, job.launches.len(), launch.launch.kernel));
            report.launches.push(self.launch(module, launch)?);
        }
        let profiled = report.launches.iter().flat_map(|l| &l.profile);
        report.sources = job.sources(profiled);
        if report.launches.iter().any(|l| !l.profile.is_empty()) {
            report.sources.insert(name, ptx);
        }
        for output in &job.outputs {
            (self.watch)(&format!("reading {}", output.name));
            report.outputs.push(self.output(module, output)?);
        }
        Ok(())
    }

    /// Gives the buffers back; after a GPU's fault there is nothing that could take them.
    fn free(&mut self) -> Result<(), Error> {
        let mut result = Ok(());
        for buffer in self.buffers.drain(..) {
            result = result.and(self.device.free(buffer));
        }
        Ok(result?)
    }

    /// The error of a call that names a place in the job file, where it is no fault that a record names.
    fn refused(&self, line: usize, error: device::Error) -> Error {
        match error {
            device::Error::Simt(ref inner) if inner.kind().is_none() => {
                Error::job(&self.job.path, Some(line), error.to_string())
            }
            error => error.into(),
        }
    }

    fn check_memory(&self) -> Result<(), Error> {
        if !matches!(self.device.description().kind, Kind::Embedded { .. }) {
            return Ok(()); // a GPU knows what it has
        }
        let mut total = 0_u64;
        for buffer in &self.job.buffers {
            total = total.saturating_add(buffer.bytes);
            if total > self.settings.memory {
                let message = format!(
                    "buffer `{}`: up to it, the buffers take {total} bytes, and {} are allowed; --memory allows more",
                    buffer.name, self.settings.memory
                );
                return Err(Error::job(&self.job.path, Some(buffer.line), message));
            }
        }
        Ok(())
    }

    fn buffer(&mut self, wanted: &crate::file::Buffer) -> Result<(), Error> {
        let buffer = self.device.allocate(wanted.bytes).map_err(|e| self.refused(wanted.line, e))?;
        self.buffers.push(buffer);
        self.device.name_buffer(buffer, &wanted.name)?;
        let Some(init) = &wanted.init else { return Ok(()) };
        let mut generator = Generator::new(init, wanted.ty);
        let mut file = match init {
            Init::File(path) => Some((path, open(path, &self.job.path)?)),
            _ => None,
        };
        let mut piece = vec![0; PIECE.min(wanted.bytes as usize)];
        let mut offset = 0;
        while offset < wanted.bytes {
            let piece = &mut piece[..PIECE.min((wanted.bytes - offset) as usize)];
            if let Some(generator) = &mut generator {
                generator.fill(wanted.ty, piece);
            } else if let Some((path, file)) = &mut file {
                file.read_exact(piece).map_err(|e| unreadable(path, &self.job.path, &e))?;
            }
            self.device.write(buffer, offset, piece)?;
            offset += piece.len() as u64;
        }
        Ok(())
    }

    fn launch(&mut self, module: Module, wanted: &LaunchEntry) -> Result<Launched, Error> {
        let buffer = |id: &BufferId| Ok::<_, Error>(self.buffers[id.index()]);
        let launch = wanted.launch.resolve(&|()| Ok(module), &buffer)?;
        let mut launched = Launched {
            kernel: launch.kernel.clone(),
            grid: launch.grid,
            block: launch.block,
            time: Time::None,
            counters: None,
            executed: vec![],
            printed: String::new(),
            profile: vec![],
        };
        // A launch changes its buffers, so it runs once and no more, whatever the device.
        if matches!(self.device.description().kind, Kind::Gpu { .. }) {
            let times = self.device.time(&[launch.into()], 1).map_err(|e| self.refused(wanted.line, e))?;
            launched.time = times.first().map_or(Time::None, |&ns| Time::Measured(ns));
        } else if let Some(outcome) = self.device.launch(&launch).map_err(|e| self.refused(wanted.line, e))? {
            launched.time = Time::Modelled(outcome.modelled_ns);
            launched.counters = Some(outcome.counters);
            launched.executed = outcome.executed;
            launched.printed = outcome.printed;
            launched.profile = outcome.profile;
        }
        Ok(launched)
    }

    fn output(&mut self, module: Module, wanted: &Wanted) -> Result<Output, Error> {
        let bytes = match wanted.from {
            From::Buffer(at) => self.buffers[at.index()].bytes(),
            From::Symbol => self.symbol_bytes(module, wanted)?,
        };
        let places = places::of(self.job, wanted, self.settings)?;
        let mut sinks = places.iter().map(|place| Sink::create(place)).collect::<Result<Vec<_>, _>>()?;
        let mut compared = match &wanted.expected {
            Some((name, path)) if self.settings.record.is_none() => {
                Some((name, path, open(path, &self.job.path)?, Comparison::new(wanted.ty, wanted.tolerance)))
            }
            _ => None,
        };

        let mut got = vec![0; PIECE.min(bytes as usize)];
        let mut expected = got.clone();
        let mut offset = 0;
        while offset < bytes {
            let got = &mut got[..PIECE.min((bytes - offset) as usize)];
            match wanted.from {
                From::Buffer(at) => self.device.read(self.buffers[at.index()], offset, got)?,
                From::Symbol => self.device.read_symbol(module, &wanted.name, offset, got)?,
            }
            for sink in &mut sinks {
                sink.write(got)?;
            }
            if let Some((_, path, file, comparison)) = &mut compared {
                let expected = &mut expected[..got.len()];
                file.read_exact(expected).map_err(|e| unreadable(path, &self.job.path, &e))?;
                comparison.add(got, expected);
            }
            offset += got.len() as u64;
        }
        for sink in sinks {
            sink.finish()?;
        }
        let compared = compared.map(|(name, _, _, comparison)| (name.display().to_string(), comparison));
        Ok(Output { name: wanted.name.clone(), bytes, compared })
    }

    /// The size of a symbol that is an output, which must be that of the file it is compared with.
    fn symbol_bytes(&mut self, module: Module, wanted: &Wanted) -> Result<u64, Error> {
        let error = |message: String| {
            let message = format!("output `{}`: {message}", wanted.name);
            Err(Error::job(&self.job.path, Some(wanted.line), message))
        };
        // No symbol has a byte there, so the answer names the symbol's size.
        let bytes = match self.device.read_symbol(module, &wanted.name, u64::MAX, &mut []) {
            Err(device::Error::Simt(SimtError::OutOfRange { bytes, .. })) => bytes,
            Err(e) => return Err(self.refused(wanted.line, e)),
            Ok(()) => return error("the device does not say how large it is".into()),
        };
        if bytes % wanted.ty.bytes() as u64 != 0 {
            return error(format!("it has {bytes} bytes, which is not a whole number of {}", wanted.ty));
        }
        if let (Some((_, path)), None) = (&wanted.expected, &self.settings.record) {
            let found = std::fs::metadata(path).map_or(0, |m| m.len());
            if found != bytes {
                return error(format!("file: {} has {found} bytes, but the symbol {bytes}", path.display()));
            }
        }
        Ok(bytes)
    }
}

fn open(path: &Path, job: &Path) -> Result<File, Error> {
    File::open(path).map_err(|e| unreadable(path, job, &e))
}

fn unreadable(path: &Path, job: &Path, error: &std::io::Error) -> Error {
    Error::job(job, None, format!("{}: {error}", path.display()))
}

/// A file that is written piece by piece.
struct Sink {
    file: files::Writing,
    path: PathBuf,
}

impl Sink {
    fn create(path: &Path) -> Result<Self, Error> {
        let file = files::Writing::create(path).map_err(|e| Error::unwritable(path, &e))?;
        Ok(Sink { file, path: path.to_owned() })
    }

    fn write(&mut self, piece: &[u8]) -> Result<(), Error> {
        self.file.write_all(piece).map_err(|e| Error::unwritable(&self.path, &e))
    }

    fn finish(self) -> Result<(), Error> {
        self.file.finish().map_err(|e| Error::unwritable(&self.path, &e))
    }
}
