//! One case on a device: memory, symbols, launches, results.
//!
//! Enters: PTX, a case's contents, steps. Leaves: the buffers' bytes afterwards, and what the launches counted. This
//! module must never know what is right.

use crate::data::Case;
use device::{Arg, Buffer, Counters, Device, Module, Outcome};
use exercise::expression::{self, Expression};
use exercise::manifest::{Argument, Exercise, Launch, SHARED_BYTES, Step};

/// What a case left.
pub(crate) struct Ran {
    /// Bytes of each buffer.
    pub(crate) buffers: Vec<Vec<u8>>,
    /// Sums over all launches.
    pub(crate) counters: Counters,
    /// The most shared memory that a block had, bytes.
    pub(crate) shared_bytes: u64,
    /// What single launches gave, each with its threads a block; a GPU gives nothing.
    pub(crate) outcomes: Vec<(Outcome, [u32; 3])>,
}

/// Why a case could not be run to its end.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    /// The student's source has something that the exercise needs otherwise, or it faulted.
    #[error(transparent)]
    Device(#[from] device::Error),
    /// The manifest has no value for the case.
    #[error(transparent)]
    Formula(#[from] expression::Error),
    /// The module has no kernel of this name; it has those.
    #[error("there is no kernel `{0}`; the source has: {1}")]
    Missing(String, String),
    /// The module has several of this name.
    #[error("there are several kernels `{0}`, and the exercise launches one: {1}")]
    Ambiguous(String, String),
    /// The manifest's numbers make no launch.
    #[error("{0}")]
    Shape(String),
}

/// What runs: a module's text under its name, with steps.
#[derive(Clone, Copy)]
pub(crate) struct Program<'a> {
    /// Name in messages.
    pub(crate) name: &'a str,
    pub(crate) ptx: &'a str,
    pub(crate) steps: &'a [Step],
    pub(crate) passes: Option<&'a Expression>,
    /// Whether buffers are copied to the symbols that the manifest names.
    pub(crate) symbols: bool,
}

impl Ran {
    /// What was counted under a name that conditions may use.
    pub(crate) fn count(&self, name: &str) -> Option<i64> {
        let count = if name == SHARED_BYTES { Some(self.shared_bytes) } else { self.counters.get(name) };
        count.and_then(|count| i64::try_from(count).ok())
    }
}

/// Runs a program on a device with these contents of the exercise's buffers.
pub(crate) fn run(
    exercise: &Exercise,
    case: &Case,
    contents: &[Vec<u8>],
    program: Program<'_>,
    device: &mut dyn Device,
) -> Result<Ran, Error> {
    let module = device.load(program.name, program.ptx)?;
    let mut run = Run { exercise, case, device, module, buffers: vec![], pass: 0 };
    for (buffer, bytes) in exercise.buffers.iter().zip(contents) {
        // What a program is not given is not there, so that a wild address cannot lie in it.
        let given = program.steps.iter().any(|step| names_buffer(step, &buffer.name));
        let handle = if given { Some(run.device.allocate(bytes.len().max(1) as u64)?) } else { None };
        if let Some(handle) = handle {
            run.device.name_buffer(handle, &buffer.name)?;
            run.device.write(handle, 0, bytes)?;
        }
        run.buffers.push(handle);
        let Some(symbol) = buffer.symbol.as_ref().filter(|_| program.symbols) else { continue };
        if !buffer.optional || run.device.symbols(module)?.contains(symbol) {
            run.device.write_symbol(module, symbol, 0, bytes)?;
        }
    }
    let mut ran = Ran { buffers: vec![], counters: Counters::default(), shared_bytes: 0, outcomes: vec![] };
    let passes = program.passes.map_or(Ok(1), |passes| run.value(passes))?;
    for pass in 0..passes {
        run.pass = pass;
        for step in program.steps {
            if let Some((outcome, block)) = run.step(step, contents)? {
                ran.counters.add(&outcome.counters);
                ran.shared_bytes = ran.shared_bytes.max(outcome.shared_bytes);
                ran.outcomes.push((outcome, block));
            }
        }
    }
    for (handle, bytes) in run.buffers.iter().zip(contents) {
        let mut after = bytes.clone();
        if let Some(handle) = handle {
            run.device.read(*handle, 0, &mut after)?;
            // A GPU is used for many checks.
            run.device.free(*handle)?;
        }
        ran.buffers.push(after);
    }
    Ok(ran)
}

/// Whether a step passes a buffer on, or writes to it.
fn names_buffer(step: &Step, name: &str) -> bool {
    match step {
        Step::Launch(launch) => {
            launch.args.iter().any(|arg| matches!(arg, Argument::Buffer(buffer, _) if buffer == name))
        }
        Step::Copy(_) => false, // it copies from the host
        Step::Read(read) => read.to == name,
    }
}

struct Run<'a> {
    exercise: &'a Exercise,
    case: &'a Case,
    device: &'a mut dyn Device,
    module: Module,
    /// Buffers that the program is given, in the manifest's order.
    buffers: Vec<Option<Buffer>>,
    pass: i64,
}

impl Run<'_> {
    fn value(&self, formula: &Expression) -> Result<i64, expression::Error> {
        self.case.value(self.exercise, formula, &|name| (name == "pass").then_some(self.pass))
    }

    fn step(&mut self, step: &Step, contents: &[Vec<u8>]) -> Result<Option<(Outcome, [u32; 3])>, Error> {
        match step {
            Step::Read(read) => {
                // The manifest's check has found the buffer.
                let Some((at, _)) = self.exercise.buffer(&read.to) else { return Ok(None) };
                let mut bytes = vec![0; contents[at].len()];
                self.device.read_symbol(self.module, &read.symbol, 0, &mut bytes)?;
                if let Some(buffer) = self.buffers[at] {
                    self.device.write(buffer, 0, &bytes)?;
                }
                Ok(None)
            }
            Step::Launch(launch) => {
                let launch = self.launch(launch)?;
                Ok(self.device.launch(&launch)?.map(|outcome| (outcome, launch.block)))
            }
            Step::Copy(copy) => {
                // The manifest's check has found the buffer.
                let Some((at, buffer)) = self.exercise.buffer(&copy.from) else { return Ok(None) };
                let element = buffer.ty.bytes();
                let (first, count) = (self.value(&copy.first)?, self.value(&copy.count)?);
                let range = usize::try_from(first).ok().zip(usize::try_from(count).ok());
                let range = range.map(|(first, count)| first * element..(first + count) * element);
                let bytes = range.and_then(|range| contents[at].get(range));
                let bytes = bytes.ok_or_else(|| {
                    Error::Shape(format!("`{}` has no {count} elements from {first} on", copy.from))
                })?;
                self.device.write_symbol(self.module, &copy.symbol, 0, bytes)?;
                Ok(None)
            }
        }
    }

    fn launch(&self, launch: &Launch) -> Result<device::Launch, Error> {
        let shape = |formulas: &[Expression]| -> Result<[u32; 3], Error> {
            let mut shape = [1; 3];
            for (size, formula) in shape.iter_mut().zip(formulas) {
                let value = self.value(formula)?;
                *size = u32::try_from(value).map_err(|_| {
                    Error::Shape(format!("`{formula}` is {value}, which is no size of a launch"))
                })?;
            }
            Ok(shape)
        };
        let shared = launch.shared.as_ref().map_or(Ok(0), |bytes| self.value(bytes))?;
        let there = self.device.kernels(self.module)?;
        let kernel = names::find(&launch.kernel, &there).map_err(|found| match found {
            names::Lookup::Missing => {
                let listed = names::listed(there.iter().map(String::as_str)).join(", ");
                let listed = if listed.is_empty() { "none".to_owned() } else { listed };
                Error::Missing(launch.kernel.clone(), listed)
            }
            names::Lookup::Ambiguous(several) => Error::Ambiguous(launch.kernel.clone(), several.join(", ")),
        })?;
        Ok(device::Launch {
            module: self.module,
            kernel: kernel.to_owned(),
            grid: shape(&launch.grid)?,
            block: shape(&launch.block)?,
            shared_bytes: u32::try_from(shared)
                .map_err(|_| Error::Shape(format!("{shared} bytes of shared memory")))?,
            args: launch.args.iter().map(|arg| self.argument(arg)).collect::<Result<_, _>>()?,
            cluster: None,
            cooperative: false,
        })
    }

    fn argument(&self, argument: &Argument) -> Result<Arg, Error> {
        Ok(match argument {
            Argument::Buffer(name, offset) => {
                let found = self.exercise.buffer(name).and_then(|(at, of)| Some((self.buffers[at]?, of.ty)));
                let Some((buffer, ty)) = found else {
                    return Err(Error::Shape(format!("there is no buffer `{name}`")));
                };
                let offset = self.value(offset)? * ty.bytes() as i64;
                Arg::Buffer { buffer, offset: offset.cast_unsigned() }
            }
            Argument::Int(value) => {
                let value = self.value(value)?;
                Arg::I32(i32::try_from(value).map_err(|_| Error::Shape(format!("{value} is no `int`")))?)
            }
            Argument::Size(value) => Arg::U64(self.value(value)?.cast_unsigned()),
            Argument::Float(value) => Arg::F32(*value),
        })
    }
}
