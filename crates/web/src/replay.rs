//! Calls of a device that were made elsewhere, made again here: so a test runs the labs' launches in WebAssembly.
//!
//! Enters: frames, each a call with the bytes that it writes. Leaves: for each a line with all that the device answers:
//! counters, modelled times, faults, and hashes of memory. This module must never know whose calls they are.

use device::{
    Buffer, Checks, Device as _, Embedded, Extent, Launch, Module, Outcome, Pitched, Region, Result,
    SimtError, Step,
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use xxhash_rust::xxh3::xxh3_64;

/// The device that calls are made of.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Start {
    /// Name of its chip.
    pub chip: String,
    /// Whether all checks are made.
    pub checks: bool,
    /// Warp instructions of a block before it is an endless loop.
    pub budget: u64,
    /// Bytes of memory.
    pub memory_bytes: u64,
}

/// A call of a device. Modules and buffers are numbers, in the order in which they were loaded and allocated; bytes that
/// are written follow the call.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the calls of `device::Device`, with their arguments")]
pub enum Call {
    Load { name: String, ptx: String },
    CheckKernel { module: u32, kernel: String },
    Allocate { bytes: u64 },
    AllocatePitched { width: u64, rows: u64, element_bytes: u32 },
    Free { buffer: u32 },
    NameBuffer { buffer: u32, name: String },
    Fill { buffer: u32, word: u32 },
    Write { buffer: u32, offset: u64 },
    Read { buffer: u32, offset: u64, bytes: u64 },
    Write3d { to: u32, at: Region, from_at: Region, extent: Extent },
    Read3d { from: u32, at: Region, to_at: Region, extent: Extent, bytes: u64 },
    Copy3d { to: u32, to_at: Region, from: u32, from_at: Region, extent: Extent },
    WriteSymbol { module: u32, name: String, offset: u64 },
    ReadSymbol { module: u32, name: String, offset: u64, bytes: u64 },
    Launch(Launch<u32, u32>),
    Run(Vec<Step<u32, u32>>),
    Time { steps: Vec<Step<u32, u32>>, calls: u32 },
}

impl Call {
    /// The launches that it makes.
    pub fn launches(&self) -> Vec<&Launch<u32, u32>> {
        fn of(step: &Step<u32, u32>) -> Option<&Launch<u32, u32>> {
            match step {
                Step::Launch(launch) => Some(launch),
                Step::Copy { .. } | Step::ToSymbol { .. } | Step::FromSymbol { .. } => None,
            }
        }
        match self {
            Call::Launch(launch) => vec![launch],
            Call::Run(steps) | Call::Time { steps, .. } => steps.iter().filter_map(of).collect(),
            _ => vec![],
        }
    }
}

/// The head of a frame.
#[derive(Debug, Serialize, Deserialize)]
enum Head {
    Start(Start),
    Call(Call),
}

/// What a call returns.
#[derive(Clone, Debug)]
#[expect(missing_docs, reason = "the results of `device::Device`")]
pub enum Value {
    Nothing,
    Module(Module),
    Buffer(Buffer),
    Pitched(Pitched),
    Bytes(Vec<u8>),
    Outcome(Option<Box<Outcome>>),
    Times(Vec<f64>),
}

/// The frame that starts a device again.
///
/// # Errors
/// What JSON cannot hold.
pub fn start(start: &Start) -> serde_json::Result<Vec<u8>> {
    frame(&Head::Start(start.clone()), &[])
}

/// The frame of a call that writes these bytes.
///
/// # Errors
/// What JSON cannot hold.
pub fn call(call: &Call, bytes: &[u8]) -> serde_json::Result<Vec<u8>> {
    frame(&Head::Call(call.clone()), bytes)
}

fn frame(head: &Head, bytes: &[u8]) -> serde_json::Result<Vec<u8>> {
    let head = serde_json::to_vec(head)?;
    let mut frame = u32::try_from(head.len()).unwrap_or(u32::MAX).to_le_bytes().to_vec();
    frame.extend_from_slice(&head);
    frame.extend_from_slice(bytes);
    Ok(frame)
}

/// Starts the device that a frame asks for, or makes its call: what there is to report.
pub fn answer(player: &mut Option<Player>, frame: &[u8]) -> String {
    let parts = frame.split_first_chunk().and_then(|(len, rest)| {
        let len = usize::try_from(u32::from_le_bytes(*len)).ok()?;
        rest.split_at_checked(len)
    });
    let Some((head, bytes)) = parts else { return "a frame without its head".to_owned() };
    match (serde_json::from_slice(head), player) {
        (Ok(Head::Start(start)), player) => match Player::new(&start) {
            Ok(new) => {
                *player = Some(new);
                String::new()
            }
            Err(error) => error.to_string(),
        },
        (Ok(Head::Call(call)), Some(player)) => {
            let found = player.play(&call, bytes);
            player.reported(&call, &found)
        }
        (Ok(Head::Call(_)), None) => "a call before the start".to_owned(),
        (Err(error), _) => error.to_string(),
    }
}

/// A device, with the modules and buffers that calls name.
pub struct Player {
    /// The device.
    pub device: Embedded,
    modules: Vec<Module>,
    buffers: Vec<Buffer>,
}

impl Player {
    /// A device as it is at the start. What it counts does not depend on the order of blocks.
    ///
    /// # Errors
    /// A chip that is not there.
    pub fn new(start: &Start) -> Result<Self> {
        let mut device = Embedded::new(&start.chip)?;
        let options = device.options();
        // The counters of what the chip executes are compared too.
        (options.deterministic, options.executed) = (true, true);
        options.budget = start.budget;
        options.memory_bytes = start.memory_bytes;
        if start.checks {
            options.checks = Checks::ALL;
        }
        Ok(Player { device, modules: vec![], buffers: vec![] })
    }

    /// The number of a module; one that there is not where it is none of this device's.
    pub fn number_of_module(&self, module: Module) -> u32 {
        number(self.modules.iter().position(|one| *one == module))
    }

    /// The number of a buffer; one that there is not where it is none of this device's.
    pub fn number_of_buffer(&self, buffer: Buffer) -> u32 {
        number(self.buffers.iter().position(|one| *one == buffer))
    }

    fn module(&self, number: u32) -> Result<Module> {
        Ok(self.modules.get(number as usize).copied().ok_or(SimtError::ForeignHandle("module"))?)
    }

    fn buffer(&self, number: u32) -> Result<Buffer> {
        Ok(self.buffers.get(number as usize).copied().ok_or(SimtError::ForeignHandle("buffer"))?)
    }

    fn steps(&self, steps: &[Step<u32, u32>]) -> Result<Vec<Step>> {
        let (module, buffer) = (|number: &u32| self.module(*number), |number: &u32| self.buffer(*number));
        steps.iter().map(|step| step.resolve(&module, &buffer)).collect()
    }

    /// Makes a call.
    ///
    /// # Errors
    /// Those of the device.
    pub fn play(&mut self, call: &Call, bytes: &[u8]) -> Result<Value> {
        let mut read = vec![];
        match call {
            Call::Load { name, ptx } => {
                let module = self.device.load(name, ptx)?;
                self.modules.push(module);
                return Ok(Value::Module(module));
            }
            Call::CheckKernel { module, kernel } => {
                self.device.check_kernel(self.module(*module)?, kernel)?
            }
            Call::Allocate { bytes } => {
                let buffer = self.device.allocate(*bytes)?;
                self.buffers.push(buffer);
                return Ok(Value::Buffer(buffer));
            }
            Call::AllocatePitched { width, rows, element_bytes } => {
                let pitched = self.device.allocate_pitched(*width, *rows, *element_bytes)?;
                self.buffers.push(pitched.buffer);
                return Ok(Value::Pitched(pitched));
            }
            Call::Free { buffer } => self.device.free(self.buffer(*buffer)?)?,
            Call::NameBuffer { buffer, name } => self.device.name_buffer(self.buffer(*buffer)?, name)?,
            Call::Fill { buffer, word } => self.device.fill(self.buffer(*buffer)?, *word)?,
            Call::Write { buffer, offset } => self.device.write(self.buffer(*buffer)?, *offset, bytes)?,
            Call::Read { buffer, offset, bytes } => {
                read = vec![0; *bytes as usize];
                self.device.read(self.buffer(*buffer)?, *offset, &mut read)?;
            }
            Call::Write3d { to, at, from_at, extent } => {
                self.device.write_3d(self.buffer(*to)?, *at, bytes, *from_at, *extent)?;
            }
            Call::Read3d { from, at, to_at, extent, bytes } => {
                read = vec![0; *bytes as usize];
                self.device.read_3d(self.buffer(*from)?, *at, &mut read, *to_at, *extent)?;
            }
            Call::Copy3d { to, to_at, from, from_at, extent } => {
                let (to, from) = (self.buffer(*to)?, self.buffer(*from)?);
                self.device.copy_3d(to, *to_at, from, *from_at, *extent)?;
            }
            Call::WriteSymbol { module, name, offset } => {
                self.device.write_symbol(self.module(*module)?, name, *offset, bytes)?;
            }
            Call::ReadSymbol { module, name, offset, bytes } => {
                read = vec![0; *bytes as usize];
                self.device.read_symbol(self.module(*module)?, name, *offset, &mut read)?;
            }
            Call::Launch(launch) => {
                let launch =
                    launch.resolve(&|number| self.module(*number), &|number| self.buffer(*number))?;
                return Ok(Value::Outcome(self.device.launch(&launch)?.map(Box::new)));
            }
            Call::Run(steps) => {
                let steps = self.steps(steps)?;
                return Ok(Value::Outcome(self.device.run(&steps)?.map(Box::new)));
            }
            Call::Time { steps, calls } => {
                let steps = self.steps(steps)?;
                return Ok(Value::Times(self.device.time(&steps, *calls)?));
            }
        }
        Ok(if read.is_empty() { Value::Nothing } else { Value::Bytes(read) })
    }

    /// All that there is to report of a call: what it returned, and hashes of the buffers that its launches were given.
    pub fn reported(&mut self, call: &Call, found: &Result<Value>) -> String {
        let mut text = match found {
            Ok(Value::Bytes(bytes)) => format!("{:016x}", xxh3_64(bytes)),
            Ok(value) => format!("{value:?}"),
            Err(error) => return format!("{error}\n{error:?}"),
        };
        let mut given = BTreeSet::new();
        for launch in call.launches() {
            for arg in &launch.args {
                collect(arg, &mut given);
            }
        }
        for number in given {
            text += &match self.hash(number) {
                Ok(hash) => format!(" {number}: {hash:016x}"),
                Err(error) => format!(" {number}: {error}"),
            };
        }
        text
    }

    fn hash(&mut self, number: u32) -> Result<u64> {
        let buffer = self.buffer(number)?;
        let mut bytes = vec![0; buffer.bytes() as usize];
        self.device.read(buffer, 0, &mut bytes)?;
        Ok(xxh3_64(&bytes))
    }
}

/// Numbers of the buffers in an argument.
fn collect(arg: &device::Arg<u32>, into: &mut BTreeSet<u32>) {
    match arg {
        device::Arg::Buffer { buffer, .. } => {
            into.insert(*buffer);
        }
        device::Arg::Struct(members) => members.iter().for_each(|member| collect(member, into)),
        _ => {}
    }
}

fn number(at: Option<usize>) -> u32 {
    at.and_then(|at| u32::try_from(at).ok()).unwrap_or(u32::MAX)
}
