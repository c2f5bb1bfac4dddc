//! A test bench: one case on a device: memory, symbols, launches, results.
//!
//! Enters: PTX, a case's contents, a setup. Leaves: the buffers' bytes afterwards, and what the launches counted. This
//! module must never know what is right.

use crate::data::Case;
pub use crate::error::Error;
use crate::race::unfenced;
pub use crate::readback::Readback;
use crate::signature;
use crate::texture::Textures;
use cuda::Shared;
use device::{
    AccessKind, Arg, Class, Counters, Device, Fault, FaultKind, Limit, Outcome, Space, TracedAccess,
};
use exercise::argument::Argument;
use exercise::expression::{self, Expression};
use exercise::manifest::{self, AHEAD, BUSIEST, CaseStep, Launch, SHARED_BYTES, Setup, UNFENCED};
use faults::{Axis, Called, Stopped};
use harness::{Allocation, Buffers, Memory, Module, Span};
use scalar::Scalar;
use std::collections::BTreeMap;

/// Result of a case.
#[derive(Debug)]
pub struct Ran {
    /// The buffers, in the setup's order.
    pub buffers: Vec<Readback>,
    /// Sums over all launches.
    pub counters: Counters,
    /// The most shared memory that a block had, bytes.
    pub shared_bytes: u64,
    /// Results of single launches, each with its threads a block; a GPU gives none.
    pub outcomes: Vec<(Outcome, [u32; 3])>,
}

/// A program: a module's text under its name, with steps.
#[derive(Clone, Copy, Debug)]
pub struct Program<'a> {
    /// Name in messages.
    pub name: &'a str,
    /// Its text.
    pub ptx: &'a str,
    /// Steps, buffers and formulas.
    pub setup: Setup<'a>,
    /// Whether buffers are copied to the symbols that the setup names.
    pub symbols: bool,
    /// Names with parameter types, for kernels whose names do not have them: [`cuda::Output::typed`].
    pub typed: &'a [(String, String)],
}

impl Error {
    /// The error of a launch that came after what has run: a fault also has what the launches before it printed.
    fn after(self, ran: &Ran) -> Self {
        let Error::Device(error) = self else { return self };
        Error::Device(error.in_words(|mut fault| {
            fault.printed.insert_str(0, &ran.printed());
            fault
        }))
    }
}

impl Ran {
    /// Output that the launches printed.
    pub fn printed(&self) -> String {
        self.outcomes.iter().map(|(outcome, _)| outcome.printed.as_str()).collect()
    }

    /// How long the launches would take, as the labs' model has it.
    pub fn modelled_ns(&self) -> f64 {
        self.outcomes.iter().map(|(outcome, _)| outcome.modelled_ns).sum()
    }

    /// What most of that time is limited by.
    pub fn limit(&self) -> Option<Limit> {
        let mut limits: BTreeMap<Limit, f64> = BTreeMap::new();
        for (outcome, _) in &self.outcomes {
            if let Some((_, limit)) = outcome.longest {
                *limits.entry(limit).or_default() += outcome.modelled_ns;
            }
        }
        limits.into_iter().max_by(|a, b| a.1.total_cmp(&b.1)).map(|(limit, _)| limit)
    }

    /// Atomic operations that no fence separates from what their block has stored before for later blocks, as far as accesses were noted.
    pub fn unfenced(&self) -> Vec<&TracedAccess> {
        self.outcomes.iter().flat_map(|(outcome, _)| unfenced(&outcome.accesses)).collect()
    }

    /// Loads of shared memory by warps of which asynchronous copies are under way, as far as they were noted.
    pub fn during_copies(&self) -> Vec<&TracedAccess> {
        let all = self.outcomes.iter().flat_map(|(outcome, _)| &outcome.accesses);
        let is_shared = |access: &TracedAccess| access.parts.iter().all(|part| part.space == Space::Shared);
        all.filter(|one| one.copies > 0 && one.kind == AccessKind::Load && is_shared(one)).collect()
    }

    /// Accesses to global memory of that warp of a launch which makes most, as far as they were noted.
    pub fn of_busiest_warp(&self) -> Vec<&TracedAccess> {
        let mut warps: BTreeMap<_, Vec<&TracedAccess>> = BTreeMap::new();
        for (launch, (outcome, _)) in self.outcomes.iter().enumerate() {
            for access in &outcome.accesses {
                if access.parts.iter().any(|part| part.space == Space::Global) {
                    warps.entry((launch, access.block, access.warp)).or_default().push(access);
                }
            }
        }
        // Of those that make as many, the first.
        warps.into_values().rev().max_by_key(Vec::len).unwrap_or_default()
    }

    /// Count under a name that conditions may use.
    pub fn count(&self, name: &str) -> Option<i64> {
        let count = match name {
            SHARED_BYTES => Some(self.shared_bytes),
            UNFENCED => Some(self.unfenced().len() as u64),
            AHEAD => Some(self.during_copies().len() as u64),
            BUSIEST => Some(self.of_busiest_warp().len() as u64),
            counter => self.counters.counter_or_cost(counter),
        };
        count.and_then(|count| i64::try_from(count).ok())
    }
}

/// Runs a program on a device with these contents of the setup's buffers.
///
/// # Errors
/// The reason why it could not be launched, or a fault.
pub fn run(
    case: &Case,
    contents: &[Vec<u8>],
    program: Program<'_>,
    device: &mut dyn Device,
) -> Result<Ran, Error> {
    run_with(case, contents, program, device, &mut |device, launch| Ok(device.launch(launch)?))
}

/// The same, with each launch made by `launch`, which may look at it otherwise, or leave the run with an error.
///
/// # Errors
/// The reason why it could not be launched, a fault, or those of `launch`.
pub fn run_with<D: Device + ?Sized>(
    case: &Case,
    contents: &[Vec<u8>],
    program: Program<'_>,
    device: &mut D,
    launch: Launcher<'_, D>,
) -> Result<Ran, Error> {
    let setup = program.setup;
    let module = Module::load(device, program.name, program.ptx, &[])?;
    let mut run = Run {
        setup,
        case,
        device,
        module,
        buffers: Buffers::default(),
        textures: Textures::default(),
        pass: 0,
        typed: program.typed,
        launch,
    };
    for (buffer, bytes) in setup.buffers.iter().zip(contents) {
        // Memory that a program is not given does not exist, so that a wild address cannot be in it.
        let mut of_texture = setup.textures.iter().filter(|texture| texture.buffer == buffer.name);
        let given =
            setup.steps.iter().any(|step| names_buffer(step, &buffer.name)) || of_texture.next().is_some();
        if given {
            let shape = Allocation::Linear { bytes: bytes.len().max(1) as u64 };
            let handle = run.buffers.allocate(run.device, &buffer.name, shape)?;
            match buffer.init {
                Some(_) => run.device.write(handle, 0, bytes)?,
                None => run.device.poison(handle, bytes)?,
            }
        } else {
            run.buffers.leave_out();
        }
        let Some(symbol) = buffer.symbol.as_ref().filter(|_| program.symbols) else { continue };
        if !buffer.optional || run.module.symbols().contains(symbol) {
            run.symbol(symbol).write(run.device, bytes)?;
        }
    }
    for texture in setup.textures {
        // The manifest's check has found the buffer, and above it was given.
        let Some((at, buffer)) = setup.buffer(&texture.buffer) else { continue };
        let value = |formula: &Expression| case.value(setup, formula, &|_| None);
        let of = (at, buffer, &*contents[at]);
        run.textures.add(run.device, run.module.handle, &run.buffers, texture, of, &value)?;
    }
    let mut ran = Ran { buffers: vec![], counters: Counters::default(), shared_bytes: 0, outcomes: vec![] };
    let passes = setup.passes.map_or(Ok(1), |passes| run.value(passes))?;
    for pass in 0..passes {
        run.pass = pass;
        for step in setup.steps {
            let done = run.step(step, contents).map_err(|error| error.after(&ran))?;
            if let Some((outcome, block)) = done {
                ran.counters.add(&outcome.counters);
                ran.shared_bytes = ran.shared_bytes.max(outcome.shared_bytes);
                ran.outcomes.push((outcome, block));
            }
        }
    }
    for (at, (bytes, buffer)) in contents.iter().zip(setup.buffers).enumerate() {
        let mut after = Readback { bytes: bytes.clone(), unwritten: vec![] };
        if let Some(handle) = run.buffers.get(at) {
            run.device.read(handle, 0, &mut after.bytes)?;
            after.unwritten = run.device.unwritten(handle)?;
        } else if buffer.init.is_none() {
            after.unwritten.push(0..bytes.len() as u64);
        }
        ran.buffers.push(after);
    }
    run.textures.read_back(run.device, &mut ran.buffers)?;
    // A GPU is used for many checks.
    run.buffers.free(run.device)?;
    run.textures.free(run.device)?;
    Ok(ran)
}

/// Whether a step passes a buffer on, or writes to it.
fn names_buffer(step: &CaseStep, name: &str) -> bool {
    match step {
        CaseStep::Launch(launch) => launch.args.iter().any(|arg| arg.names_buffer(name)),
        CaseStep::Copy(copy) => copy.current && copy.from == name, // the others copy from the host
        CaseStep::Read(read) => read.to == name,
    }
}

/// Arguments and sizes of a launch.
pub type Launcher<'a, D> = &'a mut dyn FnMut(&mut D, &device::Launch) -> Result<Option<Outcome>, Error>;

struct Run<'a, D: ?Sized> {
    setup: Setup<'a>,
    case: &'a Case,
    device: &'a mut D,
    module: Module,
    /// Buffers that the program is given, in the manifest's order.
    buffers: Buffers,
    /// Texture objects, in the manifest's order.
    textures: Textures,
    pass: i64,
    typed: &'a [(String, String)],
    launch: Launcher<'a, D>,
}

impl<D: Device + ?Sized> Run<'_, D> {
    fn value(&self, formula: &Expression) -> Result<i64, expression::Error> {
        self.case.value(self.setup, formula, &|name| (name == "pass").then_some(self.pass))
    }

    /// A variable of the module, which is called so there: the source's name of one outside namespaces.
    fn symbol(&self, name: &str) -> Span {
        Span::of(Memory::Symbol(self.module.handle, name.to_owned()))
    }

    fn step(&mut self, step: &CaseStep, contents: &[Vec<u8>]) -> Result<Option<(Outcome, [u32; 3])>, Error> {
        match step {
            CaseStep::Read(read) => {
                // The manifest's check has found the buffer.
                let Some((at, _)) = self.setup.buffer(&read.to) else { return Ok(None) };
                let mut bytes = vec![0; contents[at].len()];
                let symbol = self.symbol(&read.symbol);
                let there = symbol.memory.bytes(self.device)?;
                if there != bytes.len() as u64 {
                    return Err(Error::Size(read.symbol.clone(), there, bytes.len() as u64));
                }
                symbol.read(self.device, &mut bytes)?;
                if let Some(buffer) = self.buffers.get(at) {
                    self.device.write(buffer, 0, &bytes)?;
                }
                Ok(None)
            }
            CaseStep::Launch(launch) => {
                let launch = self.launch(launch)?;
                let outcome = (self.launch)(self.device, &launch)?;
                Ok(outcome.map(|outcome| (outcome, launch.block)))
            }
            CaseStep::Copy(copy) => {
                // The manifest's check has found the buffer.
                let Some((at, buffer)) = self.setup.buffer(&copy.from) else { return Ok(None) };
                let element = buffer.ty.bytes();
                let (first, count) = (self.value(&copy.first)?, self.value(&copy.count)?);
                let range = usize::try_from(first).ok().zip(usize::try_from(count).ok());
                let range = range.map(|(first, count)| first * element..(first + count) * element);
                let there = range.and_then(|range| Some((range.start, contents[at].get(range)?)));
                let (start, bytes) = there.ok_or_else(|| {
                    Error::Shape(format!("`{}` does not have {count} elements from {first} on", copy.from))
                })?;
                let mut bytes = bytes.to_vec();
                if let Some(buffer) = self.buffers.get(at).filter(|_| copy.current) {
                    self.device.read(buffer, start as u64, &mut bytes)?;
                }
                self.symbol(&copy.symbol).write(self.device, &bytes)?;
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
                    Error::Shape(if formula.to_string() == value.to_string() {
                        format!("{value} is not a launch size")
                    } else {
                        format!("`{formula}` is {value}, which is not a launch size")
                    })
                })?;
            }
            Ok(shape)
        };
        let shared = launch.shared.as_ref().map_or(Ok(0), |bytes| self.value(bytes))?;
        let name = launch.kernel_name(&|formula| self.value(formula))?;
        let kernel = self.module.kernel(&name).map_err(|found| match found {
            names::Lookup::Missing => Error::Missing(name.clone(), signature::listed(self.module.kernels())),
            names::Lookup::Ambiguous(several) => Error::Ambiguous(name.clone(), several.join(", ")),
        })?;
        let typed = self.typed.iter().find(|(name, _)| *name == kernel).map_or(&kernel, |(_, typed)| typed);
        if let Some(why) = signature::problem(typed, &launch.args, self.setup) {
            return Err(Error::Signature(why));
        }
        Ok(device::Launch {
            module: self.module.handle,
            kernel,
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
                if let Some((at, _)) = self.setup.texture(name) {
                    let handle = self.textures.handle(at);
                    return handle
                        .map(Arg::U64)
                        .ok_or_else(|| Error::Shape(format!("no texture named `{name}`")));
                }
                let found = self.setup.buffer(name).and_then(|(at, of)| Some((self.buffers.get(at)?, of.ty)));
                let Some((buffer, ty)) = found else {
                    return Err(Error::Shape(format!("no buffer named `{name}`")));
                };
                let offset = self.value(offset)? * ty.bytes() as i64;
                Arg::Buffer { buffer, offset: offset.cast_unsigned() }
            }
            Argument::Int(value) => {
                let value = self.value(value)?;
                Arg::I32(
                    i32::try_from(value).map_err(|_| Error::Shape(format!("{value} does not fit `int`")))?,
                )
            }
            Argument::Unsigned(value) => {
                let value = self.value(value)?;
                Arg::U32(
                    u32::try_from(value)
                        .map_err(|_| Error::Shape(format!("{value} does not fit `unsigned`")))?,
                )
            }
            Argument::Size(value) => Arg::U64(self.value(value)?.cast_unsigned()),
            Argument::Float(value) => Arg::F32(*value),
            Argument::Real(value) => {
                let pass = |name: &str| (name == "pass").then_some(self.pass);
                Arg::F32(self.case.real(self.setup, value, &pass)? as f32)
            }
            Argument::Number(ty, number) => {
                let bits = ty.encode(*number).map_err(Error::Shape)?;
                let class = match ty {
                    // C holds one in an integer.
                    Scalar::E4m3 | Scalar::E5m2 => Class::Packed,
                    _ if ty.is_float() => Class::Float,
                    _ => Class::Integer,
                };
                let bytes = bits.to_le_bytes()[..ty.bytes()].to_vec();
                Arg::Value(device::Value { ty: ty.to_string(), class, align: ty.bytes(), bytes })
            }
            Argument::Struct(members) => {
                Arg::Struct(members.iter().map(|member| self.argument(member)).collect::<Result<_, _>>()?)
            }
        })
    }
}

/// A stopped kernel with its fault: the memory that it is nearest to, as the setup or the source describes it. `ptx` and `shared`
/// are the result of compiling the source.
pub fn stopped(fault: Fault, text: (&str, &[Shared]), case: &Case, setup: Setup<'_>) -> Stopped {
    let near = |fault: &Fault, name: &str| {
        let is_it = |buffer: &&manifest::Buffer| match fault.kind {
            FaultKind::OutOfBoundsConstant => buffer.symbol.as_deref() == Some(name),
            _ => buffer.name == name,
        };
        let buffer = setup.buffers.iter().find(is_it)?;
        Some(faults::Memory { name: name.to_owned(), ..memory(case, setup, buffer) })
    };
    // A kernel has the names that the exercise has.
    let called = |buffer: &manifest::Buffer| {
        let (name, memory) = (buffer.name.clone(), Some(memory(case, setup, buffer)));
        Called { buffer: name.clone(), name, memory }
    };
    Stopped::new(fault, text, near, setup.buffers.iter().map(called).collect())
}

/// A buffer's elements, as messages name them; without axes where the case has no value for them.
pub fn memory(case: &Case, setup: Setup<'_>, buffer: &manifest::Buffer) -> faults::Memory {
    let value = |formula: &Expression| {
        let value = case.value(setup, formula, &|_| None).ok()?;
        u64::try_from(value).ok().filter(|value| *value > 0)
    };
    let axis = |axis: &manifest::Axis| {
        let len = value(&axis.len)?;
        let used = axis.used.as_ref().map_or(Some(len), value)?;
        Some(Axis { name: axis.name.clone(), len, used })
    };
    let copied = |step: &CaseStep| matches!(step, CaseStep::Read(read) if read.to == buffer.name);
    faults::Memory {
        single: buffer.len.to_string() == "1" && setup.steps.iter().any(copied),
        name: buffer.name.clone(),
        element: buffer.ty.bytes() as u64,
        axes: buffer.axes.iter().map(axis).collect::<Option<_>>().unwrap_or_default(),
        members: buffer.members.clone(),
    }
}
