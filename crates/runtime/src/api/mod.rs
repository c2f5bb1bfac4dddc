//! The CUDA runtime API over a device.
//!
//! Enters: calls by name with their arguments, the memory of the program's host side and its heap. Leaves: what CUDA 13 returns,
//! bytes on the device and on the host, a profile, and what the program did wrong ([`Finding`]).
//!
//! Work is executed at the call, in the order of the program, so that runs are the same. When it would have been done is
//! modelled: `streams` has the times and what waits for what. What the device writes to memory of the host that is pinned,
//! mapped or managed is there once the host has waited for it, as on a GPU, or once time passes ([`Api::progress`]).
//!
//! There are two address spaces: memory of the device has addresses that no memory of the host has. Only managed and pinned
//! memory has one address for both; the device then has a copy at that address, which is exchanged with the host's bytes
//! before and after what uses it (`mirror`).
//!
//! The layers, each of which uses those before it: data (`status`, `finding`, `blocks`, `order`, `streams`,
//! `profile`), this file with what all calls share, what they are made of (`mirror`, `transfer`, `launch`), the
//! functions by subject, and `table`, which has their names.

mod allocate;
mod arrays;
mod blocks;
mod capture;
mod copied;
mod copy;
mod copy_3d;
mod devices;
mod drawing;
mod events;
mod finding;
mod functions;
mod graph_calls;
mod graph_launch;
mod graph_nodes;
mod graphs;
mod host_memory;
mod judge;
mod launch;
mod mirror;
mod occupancy;
mod order;
mod pools;
mod profile;
mod properties;
mod refused;
mod set;
mod status;
mod stream_attributes;
mod stream_calls;
mod streams;
mod symbols;
mod table;
#[cfg(test)]
mod tests;
mod textures;
mod transfer;
mod variables;
pub mod words;
mod work;

pub use copied::{RowCopy, RowsIn};
pub use drawing::rows as drawing_of_rows;
pub use finding::{Access, Certainty, CopyKind, End, Finding, Kind, Memory, Rows, What};
pub use profile::{Launches, Profile, Row, Span};
pub use refused::refusal;
pub use status::Status;
pub use table::{Function, find, names};

use crate::guest::{Guest, Signal, Site};
use crate::heap::{self, Heap};
use arrays::Arrays;
use blocks::{Block, Blocks, Filled, Owner};
use capture::Captures;
use device::{Chip, Device, GRADED_CHIP, Module};
use events::Events;
use graph_launch::Launched;
use graphs::Graphs;
use mirror::{Mirrors, Pending};
use order::Accesses;
use pools::Pools;
use std::collections::{BTreeMap, VecDeque};
use streams::Streams;
use textures::Textures;
use variables::HostVariables;
use work::Configuration;

/// A program's device side, as the compiler hands it over.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// PTX, with the name that errors call it by.
    pub modules: Vec<(String, String)>,
    /// The kernels that the host may launch.
    pub kernels: Vec<Kernel>,
    /// The variables that both sides name.
    pub symbols: Vec<Symbol>,
}

/// A kernel as the host knows it.
#[derive(Clone, Debug)]
pub struct Kernel {
    /// What its name is on the host: a small number, for no function.
    pub handle: u64,
    /// Its name in the PTX.
    pub symbol: String,
    /// Its name in the source.
    pub name: String,
}

/// A `__constant__`, `__device__` or `__managed__` variable.
#[derive(Clone, Debug)]
pub struct Symbol {
    /// Address of what the host has in its place.
    pub shadow: u64,
    /// Size, bytes.
    pub bytes: u64,
    /// Its name in the PTX.
    pub symbol: String,
    /// Its name in the source.
    pub name: String,
    /// Whether it is `__managed__`: the host's variable is the device's, too.
    pub managed: bool,
}

/// A kernel of a loaded module.
#[derive(Clone, Debug)]
struct Known {
    module: Module,
    symbol: String,
    name: String,
    /// Numbers of the constant variables that its text names.
    constants: Vec<usize>,
    /// What the program allowed it of dynamic shared memory, bytes.
    dynamic_shared: Option<u32>,
    carveout: i32,
}

/// A variable of a loaded module.
#[derive(Clone, Debug)]
struct Variable {
    module: Module,
    symbol: String,
    name: String,
    shadow: u64,
    bytes: u64,
    managed: bool,
    /// Where kernels find it.
    address: u64,
    /// Copies into it: how many, and the first if that began at its start and is the only one.
    copies: (u64, Option<Filled>),
}

/// Errors that are kept for later calls.
#[derive(Debug, Default)]
struct Errors {
    /// For `cudaGetLastError`.
    last: Option<Status>,
    /// After a kernel's fault: what every call returns.
    sticky: Option<Status>,
    /// A fault that has not been noticed yet.
    fault: Option<Status>,
    /// Calls that returned an error since the program last asked for one, or for its text.
    unseen: Vec<(Status, &'static str, Site)>,
    /// The launch that failed, and whose error the program has not looked at.
    launch: Option<(String, Status, Site)>,
}

/// The API, for one run of a program.
pub struct Api {
    device: Box<dyn Device>,
    chip: Chip,
    kernels: BTreeMap<u64, Known>,
    variables: Vec<Variable>,
    host_variables: HostVariables,
    blocks: Blocks,
    mirrors: Mirrors,
    arrays: Arrays,
    textures: Textures,
    streams: Streams,
    accesses: Accesses,
    events: Events,
    errors: Errors,
    configurations: Vec<(Configuration, Site)>,
    graphs: Graphs,
    captures: Captures,
    pools: Pools,
    /// Functions that streams call, until they are called, and what waits for them.
    callbacks: VecDeque<Deferred>,
    /// Whether one of them is being called.
    in_callback: bool,
    /// Bytes on their way to the host.
    pending: Vec<Pending>,
    profile: Profile,
    copied: copied::Copied,
    findings: Vec<Finding>,
    /// What kernels printed.
    printed: String,
    limits: BTreeMap<u32, u64>,
    /// Texts of errors in the program's memory.
    texts: BTreeMap<&'static str, u64>,
    flags: u32,
    allocated: u64,
    /// Whether it is looked at what launches access, where accesses may have no order.
    account: bool,
}

/// What is done when a call of the API has returned.
#[derive(Debug)]
enum Deferred {
    /// A function of the program, with its arguments.
    Call(u64, Vec<u64>),
    /// The rest of a graph, which waits for such a function.
    Graph(Launched),
}

/// Why a call ended without a result.
#[derive(Debug)]
enum Stop {
    /// It returns an error.
    Error(Status),
    /// It ends the program.
    Signal(Signal),
}

impl From<Status> for Stop {
    fn from(status: Status) -> Self {
        Stop::Error(status)
    }
}

impl From<Signal> for Stop {
    fn from(signal: Signal) -> Self {
        Stop::Signal(signal)
    }
}

/// Result of a function of the API.
type Answer<T = u64> = Result<T, Stop>;

/// What a call has at hand.
struct Call<'a> {
    api: &'a mut Api,
    heap: &'a mut Heap,
    guest: &'a mut dyn Guest,
    /// The function's name.
    name: &'static str,
    site: Site,
}

/// Where an address is.
#[derive(Clone, Debug)]
enum Space {
    /// In the device's memory.
    Device(Block),
    /// In memory of both sides.
    Both(Block),
    /// In a variable of the device, by its number.
    Symbol(usize),
    /// In the host's memory.
    Host,
    /// In memory that was freed.
    Freed(Block),
    /// In none.
    Nowhere,
}

impl Api {
    /// Loads a program's device side.
    ///
    /// # Errors
    /// PTX that cannot be read, with its place; a kernel or a variable that none of it has.
    pub fn new(mut device: Box<dyn Device>, program: Program) -> device::Result<Self> {
        let chip = chip_of(device.as_ref())?;
        let mut modules = vec![];
        for (name, ptx) in &program.modules {
            let module = device.load(name, ptx)?;
            modules.push((module, device.kernels(module)?, device.symbols(module)?));
        }
        let mut variables = vec![];
        for Symbol { shadow, bytes, symbol, name, managed } in program.symbols {
            let Some((module, ..)) = modules.iter().find(|(.., symbols)| symbols.contains(&symbol)) else {
                continue; // which no kernel uses
            };
            let address = device.symbol_address(*module, &symbol)?;
            let copies = (0, None);
            variables.push(Variable {
                module: *module,
                symbol,
                name,
                shadow,
                bytes,
                managed,
                address,
                copies,
            });
        }
        let mut kernels = BTreeMap::new();
        for Kernel { handle, symbol, name } in program.kernels {
            let found = modules.iter().position(|(_, kernels, _)| kernels.contains(&symbol)).unwrap_or(0);
            let Some((module, ..)) = modules.get(found) else { continue };
            let text = entry(&program.modules[found].1, &symbol);
            let is_constant = |of: &Variable| of.module == *module && mentions(text, &of.symbol);
            let constants = (0..).zip(&variables).filter(|(_, of)| is_constant(of)).map(|(at, _)| at);
            let constants = constants
                .filter(|at| is_in_constant_memory(&program.modules[found].1, &variables[*at].symbol));
            let constants = constants.collect();
            let known =
                Known { module: *module, symbol, name, constants, dynamic_shared: None, carveout: -1 };
            kernels.insert(handle, known);
        }
        let mut api = Api {
            device,
            chip,
            kernels,
            variables,
            host_variables: HostVariables::default(),
            blocks: Blocks::default(),
            mirrors: Mirrors::default(),
            arrays: Arrays::default(),
            textures: Textures::default(),
            streams: Streams::new(),
            accesses: Accesses::default(),
            events: Events::default(),
            errors: Errors::default(),
            configurations: vec![],
            graphs: Graphs::default(),
            captures: Captures::default(),
            pools: Pools::default(),
            callbacks: VecDeque::new(),
            in_callback: false,
            pending: vec![],
            profile: Profile::default(),
            copied: copied::Copied::default(),
            findings: vec![],
            printed: String::new(),
            limits: BTreeMap::new(),
            texts: BTreeMap::new(),
            flags: 0,
            allocated: 0,
            account: true,
        };
        api.mirror_variables();
        Ok(api)
    }

    /// What the program did wrong so far, in the order in which it was found.
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// The device that runs the kernels.
    pub fn description(&self) -> &device::Description {
        self.device.description()
    }

    /// Times of calls and of the device's work.
    pub fn profile(&self) -> &Profile {
        &self.profile
    }

    /// Copies of rows, in the order of the program; and how many more there were than are kept.
    pub fn copies_of_rows(&self) -> (&[RowCopy], u64) {
        self.copied.all()
    }

    /// Where the host is on the modelled timeline, nanoseconds since the program began: what it has waited for, and nothing of
    /// what it did itself.
    pub fn host_ns(&self) -> f64 {
        self.streams.host_ns
    }

    /// The next function of the program that a stream calls, with its arguments; nothing while one is being called, which is until
    /// [`Api::end_callback`]. It may call the C library, and must not call the API.
    ///
    /// # Errors
    /// The end of the program, in what a graph does after such a function.
    pub fn begin_callback(
        &mut self,
        heap: &mut Heap,
        guest: &mut dyn Guest,
    ) -> Result<Option<(u64, Vec<u64>)>, Signal> {
        let next = if self.in_callback { None } else { self.next_call(heap, guest)? };
        self.in_callback |= next.is_some();
        Ok(next)
    }

    /// The function has returned.
    pub fn end_callback(&mut self) {
        self.in_callback = false;
    }

    /// What kernels have printed since this was last asked for, as far as the host has waited for them.
    pub fn take_printed(&mut self) -> String {
        std::mem::take(&mut self.printed)
    }

    /// Looks for accesses that nothing orders, or does not: launches take longer for it in programs with streams or with memory
    /// of both sides. It does from the start.
    pub fn look_for_unordered(&mut self, account: bool) {
        self.account = account;
        self.device.set_account(false);
    }

    /// The device.
    pub fn device(&mut self) -> &mut dyn Device {
        self.device.as_mut()
    }

    fn space(&self, address: u64, guest: &dyn Guest) -> Space {
        if address == 0 {
            return Space::Nowhere;
        }
        let of = |block: &Block| match block.owner {
            Owner::Device => Space::Device(block.clone()),
            Owner::Pinned | Owner::Registered | Owner::Managed => Space::Both(block.clone()),
        };
        let within = self.blocks.at(address).filter(|block| address - block.address < block.bytes);
        if let Some(block) = within {
            return of(block);
        }
        let symbol = |v: &Variable| (v.address..v.address.saturating_add(v.bytes)).contains(&address);
        if let Some(at) = self.variables.iter().position(symbol) {
            return Space::Symbol(at);
        }
        // Just past the end.
        if let Some(block) = self.blocks.at(address).filter(|block| block.owner == Owner::Device) {
            return of(block);
        }
        match self.blocks.freed_at(address) {
            Some(block) if block.owner == Owner::Device => Space::Freed(block.clone()),
            _ if address < guest.end() => Space::Host,
            Some(block) => Space::Freed(block.clone()),
            None => Space::Nowhere,
        }
    }

    /// What findings say of the memory at an address.
    fn memory(&self, address: u64, blocks: &Heap, guest: &dyn Guest) -> Memory {
        let other =
            |what, address, bytes| Memory { what, address, bytes, rows: None, allocated: None, freed: None };
        match self.space(address, guest) {
            Space::Device(block) | Space::Both(block) | Space::Freed(block) => block.memory(),
            Space::Symbol(at) => {
                let of = &self.variables[at];
                other(What::Symbol(of.name.clone()), of.address, of.bytes)
            }
            Space::Host => {
                let shadow =
                    self.variables.iter().find(|v| (v.shadow..v.shadow + v.bytes).contains(&address));
                match (shadow, blocks.block_of(address).filter(|block| block.kind != heap::Kind::Library)) {
                    (Some(of), _) => other(What::Shadow(of.name.clone()), of.shadow, of.bytes),
                    (None, Some(block)) => Memory {
                        allocated: Some(block.allocated),
                        freed: block.freed,
                        ..other(What::Heap, block.start, block.bytes)
                    },
                    (None, None) => match self.host_variables.at(address) {
                        Some(of) => other(What::Host, of.start, of.end - of.start),
                        None => other(What::Host, address, 0),
                    },
                }
            }
            Space::Nowhere => other(What::Unknown, address, 0),
        }
    }

    /// What the program can be blamed for when it accesses an address of its own accord and has no such memory.
    pub fn explain_access(&mut self, address: u64, site: Site, guest: &dyn Guest) -> Option<&Finding> {
        let memory = match self.space(address, guest) {
            Space::Device(block) => block.memory(),
            Space::Freed(block) => {
                let kind = Kind::UseAfterFree { address, memory: block.memory() };
                return Some(self.found(kind, String::new(), site, Certainty::Error));
            }
            Space::Symbol(at) => {
                let of = &self.variables[at];
                Memory {
                    what: What::Symbol(of.name.clone()),
                    address: of.address,
                    bytes: of.bytes,
                    rows: None,
                    allocated: None,
                    freed: None,
                }
            }
            Space::Both(_) | Space::Host | Space::Nowhere => return None,
        };
        let kind = Kind::DevicePointerOnHost { parameter: "", address, memory };
        Some(self.found(kind, String::new(), site, Certainty::Error))
    }

    /// What `free` or `delete` was given instead of memory of the heap, if that is memory of the API.
    pub fn explain_free(&mut self, address: u64, function: &str, site: Site) -> Option<&Finding> {
        let block = self.blocks.at(address)?;
        let right = match block.owner {
            Owner::Device => "cudaFree",
            // The heap has these, and knows more of them.
            Owner::Managed | Owner::Pinned | Owner::Registered => return None,
        };
        let kind = Kind::WrongFree { right, memory: block.memory() };
        Some(self.found(kind, function.to_owned(), site, Certainty::Error))
    }

    fn found(&mut self, kind: Kind, call: String, site: Site, certainty: Certainty) -> &Finding {
        let finding = Finding { kind, call, site, certainty };
        // In a loop a mistake is made again and again.
        let same = |old: &Finding| {
            let kinds = std::mem::discriminant(&old.kind) == std::mem::discriminant(&finding.kind);
            old.site == finding.site && old.call == finding.call && kinds
        };
        let at = self.findings.iter().position(same).unwrap_or(self.findings.len());
        if at == self.findings.len() {
            self.findings.push(finding);
        }
        &self.findings[at]
    }

    /// What is only known when the program has ended.
    pub fn end(&mut self) {
        if let Some((kernel, status, site)) = self.errors.launch.take() {
            let kind = Kind::LaunchUnseen { kernel: kernel.clone(), status };
            self.found(kind, kernel, site, Certainty::Error);
        }
        // Whether a program compares what a call returns is not seen here. One that does would not continue, and fail elsewhere.
        let unseen = std::mem::take(&mut self.errors.unseen);
        if let Some((status, call, site)) = unseen.first().copied()
            && unseen.iter().any(|(_, other, _)| *other != call)
        {
            let kind = Kind::Unchecked { calls: unseen.len() as u64, status };
            self.found(kind, call.to_owned(), site, Certainty::Error);
        }
        self.lost_copies(0..u64::MAX, None);
        let lost = self.pending.iter().find(|one| matches!(one.effect, mirror::Effect::Print(_)));
        if let Some(finding::Access { by, site, .. }) = lost.map(|one| one.by.clone()) {
            self.found(Kind::LostOutput, by, site, Certainty::Error);
        }
    }

    /// Memory that has not been freed.
    pub fn leaks(&mut self) {
        // After a fault of the device nothing can be freed.
        if self.errors.sticky.or(self.errors.fault).is_some() {
            return;
        }
        let left: Vec<Block> = self.blocks.live().cloned().collect();
        for block in left.iter().filter(|block| block.owner != Owner::Registered && !block.in_graph) {
            let kind = Kind::Leaked { memory: block.memory() };
            self.found(kind, block.call.to_owned(), block.site, Certainty::Error);
        }
    }
}

impl Call<'_> {
    fn space(&self, address: u64) -> Space {
        self.api.space(address, self.guest)
    }

    fn memory(&self, address: u64) -> Memory {
        self.api.memory(address, self.heap, self.guest)
    }

    /// Notes a mistake of this call.
    fn found(&mut self, kind: Kind) {
        self.api.found(kind, self.name.to_owned(), self.site, Certainty::Error);
    }

    /// Notes what may be a mistake of this call.
    fn note(&mut self, kind: Kind) {
        self.api.found(kind, self.name.to_owned(), self.site, Certainty::Note);
    }

    /// The error of a value that is none for its parameter.
    fn refuse<T>(&mut self, status: Status, parameter: &'static str, why: impl Into<String>) -> Answer<T> {
        self.found(Kind::BadArgument { parameter, why: why.into() });
        Err(status.into())
    }

    /// The address of something that the call is to write, or read.
    fn pointer(&mut self, address: u64, parameter: &'static str) -> Answer<u64> {
        match address {
            0 => self.refuse(Status::INVALID_VALUE, parameter, "it is a null pointer"),
            _ => Ok(address),
        }
    }

    fn put<const N: usize>(&mut self, address: u64, bytes: [u8; N]) -> Answer<()> {
        Ok(self.guest.write(address, &bytes)?)
    }

    fn get<const N: usize>(&self, address: u64) -> Answer<[u8; N]> {
        let mut bytes = [0; N];
        self.guest.read(address, &mut bytes)?;
        Ok(bytes)
    }

    fn get_u32(&self, address: u64) -> Answer<u32> {
        Ok(u32::from_le_bytes(self.get(address)?))
    }

    fn get_u64(&self, address: u64) -> Answer<u64> {
        Ok(u64::from_le_bytes(self.get(address)?))
    }

    /// Several of 64 bits.
    fn words<const N: usize>(&self, address: u64) -> Answer<[u64; N]> {
        let mut words = [0; N];
        for (word, at) in words.iter_mut().zip(0..) {
            *word = self.get_u64(address.wrapping_add(8 * at))?;
        }
        Ok(words)
    }

    /// The error of the device's own answer to what is not a kernel.
    fn failed(&mut self, error: device::Error) -> Stop {
        use device::{Error, SimtError};
        match error {
            Error::Simt(SimtError::OutOfMemory { .. }) => Status::MEMORY_ALLOCATION.into(),
            Error::Simt(SimtError::OutOfRange { .. } | SimtError::BadTexture(_)) | Error::BadShape { .. } => {
                Status::INVALID_VALUE.into()
            }
            Error::Simt(SimtError::MissingSymbol { .. }) => Status::INVALID_SYMBOL.into(),
            error => Signal::Limit(error.to_string()).into(),
        }
    }
}

/// The chip that a device is; of a GPU, one of its compute capability, or the nearest.
fn chip_of(device: &dyn Device) -> device::Result<Chip> {
    let description = device.description();
    if let device::Kind::Embedded { chip } = &description.kind {
        return Ok(Chip::by_name(chip)?);
    }
    let all = Chip::names().into_iter().filter_map(|name| Chip::by_name(name).ok());
    let distance = |chip: &Chip| {
        let (major, minor) = chip.compute_capability;
        (major * 10 + minor).abs_diff(description.capability())
    };
    let near = all.min_by_key(distance).map_or_else(|| Chip::by_name(GRADED_CHIP), Ok)?;
    Ok(Chip {
        name: description.name.clone(),
        compute_capability: description.compute_capability,
        multiprocessors: description.multiprocessors,
        memory_bytes: description.memory_bytes,
        ..near
    })
}

/// The text of a kernel in its module's PTX.
fn entry<'p>(ptx: &'p str, symbol: &str) -> &'p str {
    let is_it =
        |(at, _): &(usize, &str)| ptx[at + 7..].trim_start().strip_prefix(symbol).is_some_and(ends_name);
    let Some((start, _)) = ptx.match_indices(".entry ").find(is_it) else { return "" };
    let rest = &ptx[start + 7..];
    let end = [".entry ", ".func "].iter().filter_map(|next| rest.find(next)).min();
    &rest[..end.unwrap_or(rest.len())]
}

/// Whether what follows a name is not part of it.
fn ends_name(rest: &str) -> bool {
    !rest.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_' || c == '$')
}

/// Whether a text has a name.
fn mentions(text: &str, name: &str) -> bool {
    let part = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '$' || c == '%';
    text.match_indices(name).any(|(at, _)| ends_name(&text[at + name.len()..]) && !text[..at].ends_with(part))
}

/// Whether a module's PTX has a variable in constant memory.
fn is_in_constant_memory(ptx: &str, symbol: &str) -> bool {
    ptx.lines().any(|line| line.contains(".const") && mentions(line, symbol))
}

/// The low half of an argument, for parameters of 32 bits.
fn low(argument: u64) -> u32 {
    argument as u32
}
