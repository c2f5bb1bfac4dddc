//! Runs a job on a device: loads, fills, runs its steps, reads back, compares.
//!
//! Enters: a checked job and a device. Leaves: a [`Report`]. Bytes move between files and the device in pieces, so that
//! the host never holds a large buffer.

use crate::chunk::{PIECE, open, unreadable};
use crate::error::Error;
use crate::init::{Generator, Init};
use crate::job::{self, BufferId, Copy, Fill, Job, JobStep, LaunchEntry, Symbol};
use crate::loaded::Loaded;
use crate::output;
use crate::report::{Input, Launched, Part, Report, Time};
use crate::settings::Settings;
use crate::signature;
use crate::types::Type;
use device::{Class, Device, Kind, SimtError};
use harness::{Allocation, Buffers, Memory, Objects, Span};
use std::io::Read;
use std::time::Instant;

/// What the launches of a repeated step print is kept up to this, bytes.
const MOST_PRINTED: usize = 16 << 20;

/// Runs a job. `watch` is passed what comes next.
pub fn run(job: &Job, device: &mut dyn Device, settings: &Settings, watch: &mut dyn FnMut(&str)) -> Report {
    let mut report = Report { device: words(device), keeps_going: settings.keep_going, ..Report::default() };
    let mut run = Run { job, device, settings, watch, buffers: Buffers::default(), made: Objects::default() };
    let result = run.all(&mut report);
    let freed = run.free();
    report.error = result.and(freed).err();
    if report.error.is_some() {
        report.inputs.clear();
        report.outputs.clear();
    }
    report
}

/// The device in words.
pub(crate) fn words(device: &dyn Device) -> String {
    let description = device.description();
    match &description.kind {
        Kind::Gpu { driver } => format!("{}, driver {driver}", description.name),
        Kind::Embedded { .. } => format!("embedded device, models {}", description.name),
    }
}

/// Checks that a job's buffers do not take more memory than they may.
pub(crate) fn check_memory(job: &Job, settings: &Settings) -> Result<(), Error> {
    let mut total = 0_u64;
    for array in &job.objects.arrays {
        total = total.saturating_add(array.bytes);
        if total > settings.memory {
            let message = format!(
                "array `{}`: with it, the arrays take {total} bytes, but only {} are allowed; --memory allows more",
                array.name, settings.memory
            );
            return Err(Error::job(&job.path, Some(array.line), message));
        }
    }
    for buffer in &job.buffers {
        total = total.saturating_add(buffer.bytes);
        if total > settings.memory {
            let message = format!(
                "buffer `{}`: with it, the buffers take {total} bytes, but only {} are allowed; --memory allows more",
                buffer.name, settings.memory
            );
            return Err(Error::job(&job.path, Some(buffer.line), message));
        }
    }
    Ok(())
}

struct Run<'a> {
    job: &'a Job,
    device: &'a mut dyn Device,
    settings: &'a Settings,
    watch: &'a mut dyn FnMut(&str),
    /// Buffers, in the job's order.
    buffers: Buffers,
    /// Arrays, textures and surfaces.
    made: Objects,
}

impl Run<'_> {
    fn all(&mut self, report: &mut Report) -> Result<(), Error> {
        let job = self.job;
        if matches!(self.device.description().kind, Kind::Embedded { .. }) {
            check_memory(job, self.settings)?; // a GPU knows what it has
        }
        (self.watch)("loading the module");
        let begun = Instant::now();
        let text = job.ptx(self.device, self.settings)?;
        let name = job.ptx_name();
        let loaded = Loaded::new(self.device, &name, text)?;
        report.compiler.clone_from(&loaded.text.compiler);
        report.host.reading_ptx = begun.elapsed();
        // What refuses a launch does so before anything runs.
        let begun = Instant::now();
        for entry in job.entries() {
            let kernel = loaded.kernel(job, entry.line, &entry.launch.kernel)?;
            let checked = self.device.check_kernel(loaded.module.handle, &kernel);
            checked.map_err(|e| job.refused(entry.line, e))?;
            if let Some(problem) = signature::problems(&kernel, &entry.launch.args).into_iter().next() {
                return Err(job.refused(entry.line, problem.into()));
            }
        }
        report.host.decoding = begun.elapsed();
        let begun = Instant::now();
        // All before any is filled: one may hold another's address.
        for buffer in &job.buffers {
            self.allocate(buffer)?;
        }
        for (n, buffer) in job.buffers.iter().enumerate() {
            (self.watch)(&format!("filling {}", buffer.name));
            self.buffer(buffer, self.buffers.at(n)?)?;
        }
        self.objects(&loaded)?;
        for symbol in &job.symbols {
            self.symbol(&loaded, symbol)?;
        }
        report.host.filling = begun.elapsed();
        self.steps(&loaded, &job.steps, report)?;
        let profiled = report.launches.iter().flat_map(|l| &l.profile);
        report.sources = job.sources(profiled);
        if report.launches.iter().any(|l| !l.profile.is_empty()) {
            report.sources.insert(name, loaded.text.ptx.clone());
        }
        self.inputs(report)?;
        let begun = Instant::now();
        for output in &job.outputs {
            (self.watch)(&format!("reading {}", output.name));
            let found =
                output::read(job, self.device, &loaded, &self.buffers, &self.made, output, self.settings)?;
            report.outputs.push(found);
        }
        report.host.outputs = begun.elapsed();
        Ok(())
    }

    /// What was read of the inputs: of all with contents, or of those of which the job asks it.
    fn inputs(&self, report: &mut Report) -> Result<(), Error> {
        for (n, buffer) in self.job.buffers.iter().enumerate() {
            if !(buffer.read || self.settings.unread && buffer.is_input()) {
                continue;
            }
            let gaps = self.device.unread(self.buffers.at(n)?)?;
            let part = |gaps: Vec<_>| Part::in_gaps(&gaps, (0, buffer.bytes), buffer.ty.bytes() as u64);
            report.inputs.push(Input {
                name: buffer.name.clone(),
                ty: buffer.ty,
                unread: gaps.map(part),
                must_be_read: buffer.read,
            });
        }
        Ok(())
    }

    /// Gives the buffers back; after a GPU's fault there is nothing that could take them.
    fn free(&mut self) -> Result<(), Error> {
        let buffers = self.buffers.free(self.device);
        Ok(buffers.and(self.made.free(self.device))?)
    }

    fn allocate(&mut self, wanted: &crate::job::Buffer) -> Result<(), Error> {
        let shape = Allocation::Linear { bytes: wanted.bytes };
        let allocated = self.buffers.allocate(self.device, &wanted.name, shape);
        allocated.map(drop).map_err(|e| self.job.refused(wanted.line, e))
    }

    fn buffer(&mut self, wanted: &crate::job::Buffer, buffer: device::Buffer) -> Result<(), Error> {
        if let Some(members) = &wanted.members {
            let members = members.resolve(&|id: &BufferId| self.buffers.at(id.index()))?;
            let bytes = members.bytes(&|buffer| self.device.address(buffer))?;
            return Ok(self.device.write(buffer, 0, &bytes)?);
        }
        let Some(init) = &wanted.init else { return Ok(()) };
        let mut generator = Generator::new(init, wanted.ty.scalar);
        let mut file = match init {
            Init::File { path, offset } => Some((path, open(path, *offset, &self.job.path)?)),
            Init::Bytes(_) | Init::Fill(_) | Init::Iota(_) | Init::Uniform { .. } => None,
        };
        let mut piece = vec![0; PIECE.min(wanted.bytes as usize)];
        let mut offset = 0;
        while offset < wanted.bytes {
            let piece = &mut piece[..PIECE.min((wanted.bytes - offset) as usize)];
            if let Some(generator) = &mut generator {
                generator.fill(wanted.ty.scalar, piece);
            } else if let Some((path, file)) = &mut file {
                file.read_exact(piece).map_err(|e| unreadable(path, &self.job.path, &e))?;
            }
            self.device.write(buffer, offset, piece)?;
            offset += piece.len() as u64;
        }
        Ok(())
    }

    /// Makes arrays, textures and surfaces, and writes the arrays' texels: those of a file, or zeros.
    fn objects(&mut self, loaded: &Loaded) -> Result<(), Error> {
        let job = self.job;
        let made = job.objects.create(self.device, loaded.module.handle, &self.buffers, &mut self.made);
        made.map_err(|(line, error)| job.refused(line, *error))?;
        for (n, entry) in job.objects.arrays.iter().enumerate() {
            let mut texels = vec![0; entry.bytes as usize]; // as much as the device has allocated
            if let Some(path) = &entry.file {
                let mut file = open(path, 0, &job.path)?;
                file.read_exact(&mut texels).map_err(|e| unreadable(path, &job.path, &e))?;
            }
            self.device.write_array(self.made.at(n)?, &texels)?;
        }
        Ok(())
    }

    fn symbol(&mut self, loaded: &Loaded, symbol: &Symbol) -> Result<(), Error> {
        let name = loaded.symbol(self.job, symbol.line, &symbol.name)?;
        if let Some(ty) = symbol.ty {
            self.check_type(loaded, symbol.line, &name, ty)?;
        }
        let to = Span::of(Memory::Symbol(loaded.module.handle, name));
        to.write(self.device, &symbol.bytes).map_err(|error| self.job.refused(symbol.line, error))
    }

    /// Refuses floats for a variable of integers, and the reverse.
    fn check_type(&self, loaded: &Loaded, line: usize, name: &str, ty: Type) -> Result<(), Error> {
        let declared = self.device.symbol_type(loaded.module.handle, name)?;
        let class = match ty {
            Type { lanes: 1, scalar } if scalar.bytes() == 1 && scalar.is_float() => Class::Packed,
            Type { lanes: 1, scalar } if scalar.is_float() => Class::Float,
            Type { lanes: 1, .. } => Class::Integer,
            Type { .. } => Class::Packed,
        };
        if device::agrees(&declared, class) {
            return Ok(());
        }
        let shown = names::shown(name);
        let message = format!(
            "symbol `{shown}`: the variable is {}, or an array of such, which cannot be given values of {ty}",
            device::in_c(&declared)
        );
        Err(Error::job(&self.job.path, Some(line), message))
    }

    fn steps(&mut self, loaded: &Loaded, steps: &[JobStep], report: &mut Report) -> Result<(), Error> {
        for step in steps {
            match step {
                JobStep::Launch(entry) => self.launch(loaded, entry, report)?,
                JobStep::Fill(fill) => self.fill(loaded, fill)?,
                JobStep::Copy(copy) => self.copy(loaded, copy)?,
                JobStep::Repeat { times, steps } => {
                    for _ in 0..*times {
                        self.steps(loaded, steps, report)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn launch(&mut self, loaded: &Loaded, entry: &LaunchEntry, report: &mut Report) -> Result<(), Error> {
        let launches = self.job.entries().len();
        (self.watch)(&format!("launch {} of {launches}: {}", entry.number + 1, entry.launch.kernel));
        let mut launch =
            entry.launch.resolve(&|()| Ok(loaded.module.handle), &|id| self.buffers.at(id.index()))?;
        self.made.fill_in(&mut launch.args);
        launch.kernel = loaded.kernel(self.job, entry.line, &launch.kernel)?;
        for _ in 0..entry.times {
            let begun = Instant::now();
            let mut launched = Launched::new(launch.kernel.clone(), launch.grid, launch.block);
            // A launch changes its buffers, so it runs as often as the job says and no more, whatever the device.
            if matches!(self.device.description().kind, Kind::Gpu { .. }) {
                let times = self.device.time(&[launch.clone().into()], 1);
                let times = times.map_err(|e| self.job.refused(entry.line, e))?;
                launched.time = times.first().map_or(Time::None, |&ns| Time::Measured(ns));
            } else if let Some(outcome) = self.device.launch(&launch).map_err(|error| {
                if let device::Error::Simt(SimtError::Fault(fault)) = &error
                    && !fault.printed.is_empty()
                {
                    launched.printed.clone_from(&fault.printed);
                    report.ended = Some(launched.clone());
                }
                let error = error.in_words(|fault| loaded.in_words(self.job, entry, fault));
                self.job.refused(entry.line, error)
            })? {
                launched.time = Time::Modelled(outcome.modelled_ns);
                launched.counters = Some(outcome.counters);
                launched.executed = outcome.executed;
                launched.printed = outcome.printed;
                launched.profile = outcome.profile;
                launched.faults = outcome.faults;
                launched.not_finite = outcome.not_finite;
                for counted in &mut launched.faults {
                    counted.fault = loaded.in_words(self.job, entry, counted.fault.clone());
                }
            }
            launched.host = begun.elapsed();
            report.add(entry.number, launched, MOST_PRINTED);
        }
        Ok(())
    }

    fn fill(&mut self, loaded: &Loaded, fill: &Fill) -> Result<(), Error> {
        (self.watch)("filling between launches");
        let to = self.span(loaded, &fill.to, fill.line)?;
        if let Memory::Symbol(_, name) = &to.memory {
            self.check_type(loaded, fill.line, name, fill.ty)?;
        }
        let bytes = match fill.bytes {
            Some(bytes) => bytes,
            None => self.rest(&to, fill.line)?,
        };
        if !bytes.is_multiple_of(fill.element.len() as u64) {
            let message = format!("fill: {bytes} bytes are not a whole number of {}", fill.ty);
            return Err(Error::job(&self.job.path, Some(fill.line), message));
        }
        to.fill(self.device, bytes, &fill.element).map_err(|error| self.job.refused(fill.line, error))
    }

    fn copy(&mut self, loaded: &Loaded, copy: &Copy) -> Result<(), Error> {
        (self.watch)("copying between launches");
        let from = self.span(loaded, &copy.from, copy.line)?;
        let to = self.span(loaded, &copy.to, copy.line)?;
        let bytes = match copy.bytes {
            Some(bytes) => bytes,
            None => self.rest(&from, copy.line)?,
        };
        let step = from.copy_to(&to, bytes).ok_or_else(|| {
            let message = "copy: from one symbol to another: go through a buffer";
            Error::job(&self.job.path, Some(copy.line), message)
        })?;
        self.device.run(&[step]).map(drop).map_err(|error| self.job.refused(copy.line, error))
    }

    /// Memory of the device, for what the job calls it.
    fn span(&self, loaded: &Loaded, span: &job::Span, line: usize) -> Result<Span, Error> {
        let memory = match &span.memory {
            job::Memory::Buffer(id) => Memory::Buffer(self.buffers.at(id.index())?),
            job::Memory::Symbol(name) => {
                Memory::Symbol(loaded.module.handle, loaded.symbol(self.job, line, name)?)
            }
            job::Memory::Array(_) => {
                let message =
                    "an array can be neither filled nor copied; a kernel writes it through a surface";
                return Err(Error::job(&self.job.path, Some(line), message));
            }
        };
        Ok(Span { memory, offset: span.offset })
    }

    /// Bytes from a span's first to the end of its memory.
    fn rest(&self, span: &Span, line: usize) -> Result<u64, Error> {
        let name = match &span.memory {
            Memory::Buffer(_) => "the buffer",
            Memory::Symbol(_, name) => name.as_str(),
        };
        let bytes = span.memory.bytes(self.device)?;
        bytes.checked_sub(span.offset).filter(|rest| *rest > 0).ok_or_else(|| {
            let message =
                format!("offset: {} is past the end of `{name}`, which has {bytes} bytes", span.offset);
            Error::job(&self.job.path, Some(line), message)
        })
    }
}
