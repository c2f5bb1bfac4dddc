//! The device: its parts, and modules with their variables. Memory and launches have files of their own below.

mod fault;
mod launch;
mod memory;
mod nearest;
mod repeats;
mod step;

use crate::error::{Error, Refusal};
use crate::hash::HashMap;
use crate::heap::Heap;
use crate::ir::{Executed, Kernel, Parameter, Program};
use crate::memory::{CONSTANT_WINDOW, Global};
use crate::model::chip::Chip;
use crate::options::{Interrupt, Options};
use crate::texture::{Surface, Texture, Textures};
use crate::written_bytes::WrittenBytes;
use repeats::Repeats;
use std::ops::Range;

/// Threads of a block on any chip (CUDA C++ Programming Guide, table of compute capabilities).
const MOST_THREADS: u64 = 1024;

/// A module of the device that loaded it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ModuleId(usize);

/// Memory of the device that allocated it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Buffer(usize);

/// A kernel argument.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Arg {
    /// The address of a buffer and an offset, bytes.
    Buffer(Buffer, u64),
    /// The bytes of a value, little-endian.
    Value(Vec<u8>),
    /// The handle of a texture.
    Texture(Texture),
    /// The handle of a surface.
    Surface(Surface),
}

/// A launch.
#[derive(Clone, Debug, PartialEq)]
pub struct Launch<'a> {
    /// Where the kernel is.
    pub module: ModuleId,
    /// Its name.
    pub kernel: &'a str,
    /// Blocks in x, y, z.
    pub grid: [u32; 3],
    /// Threads a block in x, y, z.
    pub block: [u32; 3],
    /// Dynamic shared memory a block, bytes.
    pub shared_bytes: u32,
    /// One for each parameter.
    pub args: Vec<Arg>,
    /// Blocks of a cluster in x, y, z, where the kernel does not say so itself.
    pub cluster: Option<[u32; 3]>,
    /// All blocks are there at the same time, and may wait for each other.
    pub cooperative: bool,
}

/// What is known of a kernel before it is launched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KernelAttributes {
    /// Its parameters, as the PTX declares them.
    pub parameters: Vec<Parameter>,
    /// Static shared memory of a block, bytes.
    pub shared_bytes: u64,
    /// Constant memory that its module's variables take, bytes.
    pub constant_bytes: u64,
    /// Threads that a block may have.
    pub max_threads: u32,
    /// Registers of a thread, as far as they are known: on a GPU they are ptxas's, on the embedded device an estimate.
    pub registers: Option<u32>,
    /// Blocks of its clusters in x, y, z, if it says how many.
    pub cluster: Option<[u32; 3]>,
    /// Whether it must be launched in clusters.
    pub needs_cluster: bool,
}

/// Which bytes of an allocation a launch accessed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Accessed {
    /// Address of the allocation's first byte.
    pub address: u64,
    /// Ranges that were read, from that byte.
    pub reads: Vec<Range<u64>>,
    /// Ranges that were written, likewise.
    pub writes: Vec<Range<u64>>,
}

struct Loaded {
    program: Program,
    constant: Vec<u8>,
    /// Which of its constants an initialiser or the host has set.
    constant_set: WrittenBytes,
    /// Buffers of the global variables; of constant ones, nothing.
    buffers: Vec<Option<Buffer>>,
    /// What ptxas makes of kernels, by their names, from the first launch that asks for it.
    executed: HashMap<String, Executed>,
    /// Handles of what texture and surface references are bound to; 0 for nothing.
    bound: Vec<u64>,
}

/// Where a variable's bytes are.
enum Variable {
    /// From this place in the module's constant memory.
    Constant(usize),
    Global(Buffer),
}

/// The embedded device.
pub struct Device {
    chip: Chip,
    memory: Global,
    textures: Textures,
    modules: Vec<Loaded>,
    /// There from the first launch of a kernel that allocates.
    heap: Option<Heap>,
    /// There from the first cooperative launch.
    workspace: Option<Buffer>,
    options: Options,
    interrupt: Option<Interrupt>,
    repeats: Repeats,
}

impl Device {
    /// A device that counts as every chip since Volta does and models the time of this one.
    pub fn new(chip: Chip) -> Self {
        Device {
            memory: Global::new(chip.memory_bytes),
            textures: Textures::default(),
            modules: vec![],
            heap: None,
            workspace: None,
            options: Options::default(),
            interrupt: None,
            repeats: Repeats::default(),
            chip,
        }
    }

    /// The chip.
    pub fn chip(&self) -> &Chip {
        &self.chip
    }

    /// How it runs launches; may be changed between them.
    pub fn options(&mut self) -> &mut Options {
        &mut self.options
    }

    /// Sets the condition that may end launches from now on; `None` for none.
    pub fn set_interrupt(&mut self, interrupt: Option<Interrupt>) {
        self.interrupt = interrupt;
    }

    /// Reads a module and gives its variables memory. `name` is what errors call it. Kernels are decoded when they are asked
    /// for; what the device does not support refuses them then, and not the module.
    ///
    /// # Errors
    /// As [`Program::decode`], or [`Error::OutOfMemory`].
    pub fn load(&mut self, name: &str, ptx: &str) -> Result<ModuleId, Error> {
        let program = Program::decode(name, ptx)?;
        if program.narrow {
            self.memory.keep_narrow();
        }
        let mut constant = vec![0; program.constant_bytes as usize];
        let mut buffers = vec![];
        for symbol in &program.symbols {
            buffers.push(match symbol.constant {
                Some(_) => None,
                None => Some(self.allocate(symbol.bytes)?),
            });
        }
        let base = |symbol: u32| {
            buffers[symbol as usize]
                .and_then(|buffer: Buffer| self.memory.by_id(buffer.0))
                .map_or(0, |allocation| allocation.base)
        };
        let mut initial = vec![];
        for symbol in &program.symbols {
            let mut bytes = symbol.initial.clone();
            for relocation in &symbol.relocations {
                let address = relocation.symbol.map_or(0, base).wrapping_add_signed(relocation.offset);
                let masked = (address & relocation.mask) >> relocation.mask.trailing_zeros().min(63);
                let size = usize::from(relocation.bytes);
                bytes[relocation.at as usize..][..size].copy_from_slice(&masked.to_le_bytes()[..size]);
            }
            initial.push(bytes);
        }
        for ((symbol, buffer), bytes) in program.symbols.iter().zip(&buffers).zip(&initial) {
            match (symbol.constant, buffer) {
                (Some(at), _) => constant[at as usize..][..bytes.len()].copy_from_slice(bytes),
                (None, Some(buffer)) => {
                    self.name_buffer(*buffer, &symbol.name)?;
                    self.write(*buffer, 0, bytes)?;
                    // What no initialiser gives is zero.
                    self.range(*buffer, 0, 0)?.written.mark(0, symbol.bytes);
                }
                (None, None) => {}
            }
        }
        let constant_set = WrittenBytes::new(constant.len() as u64);
        for symbol in program.symbols.iter().filter(|symbol| !symbol.initial.is_empty()) {
            if let Some(at) = symbol.constant {
                // What an initialiser leaves out is zero.
                constant_set.mark(at.into(), symbol.bytes);
            }
        }
        let bound = vec![0; program.references.len()];
        let executed = HashMap::default();
        self.modules.push(Loaded { program, constant, constant_set, buffers, executed, bound });
        Ok(ModuleId(self.modules.len() - 1))
    }

    /// Decodes a kernel, unless that is done, so that launches of it need not.
    ///
    /// # Errors
    /// As [`Program::prepare`], or [`Error::ForeignHandle`].
    pub fn prepare(&mut self, module: ModuleId, kernel: &str) -> Result<(), Error> {
        let loaded = self.modules.get_mut(module.0).ok_or(Error::ForeignHandle("module"))?;
        loaded.program.prepare(kernel)
    }

    /// The module's kernels that this device refuses, each with all the reasons; it runs none.
    ///
    /// # Errors
    /// [`Error::ForeignHandle`].
    pub fn refusals(&self, module: ModuleId) -> Result<Vec<Refusal>, Error> {
        self.modules.get(module.0).ok_or(Error::ForeignHandle("module"))?.program.refusals()
    }

    /// The variables of a module that can be written and read, with their sizes in bytes.
    ///
    /// # Errors
    /// [`Error::ForeignHandle`].
    pub fn symbols(&self, module: ModuleId) -> Result<impl Iterator<Item = (&str, u64)>, Error> {
        let loaded = self.modules.get(module.0).ok_or(Error::ForeignHandle("module"))?;
        Ok(loaded.program.symbols.iter().map(|s| (s.name.as_str(), s.bytes)))
    }

    /// Size of a pointer argument of a module's kernels, bytes: 4 with `.address_size 32`, else 8.
    ///
    /// # Errors
    /// [`Error::ForeignHandle`].
    pub fn pointer_bytes(&self, module: ModuleId) -> Result<usize, Error> {
        let loaded = self.modules.get(module.0).ok_or(Error::ForeignHandle("module"))?;
        Ok(if loaded.program.narrow { 4 } else { 8 })
    }

    /// Names of a module's kernels.
    ///
    /// # Errors
    /// [`Error::ForeignHandle`].
    pub fn kernels(&self, module: ModuleId) -> Result<impl Iterator<Item = &str>, Error> {
        let loaded = self.modules.get(module.0).ok_or(Error::ForeignHandle("module"))?;
        Ok(loaded.program.kernel_names())
    }

    /// Parameters of a kernel that was prepared, as the PTX declares them.
    ///
    /// # Errors
    /// [`Error::ForeignHandle`], [`Error::MissingKernel`].
    pub fn kernel_parameters(&self, module: ModuleId, kernel: &str) -> Result<&[Parameter], Error> {
        let loaded = self.modules.get(module.0).ok_or(Error::ForeignHandle("module"))?;
        Ok(&find_kernel(&loaded.program, kernel)?.parameters)
    }

    /// Type of a variable, or of its elements, as the PTX declares it and without the dot, such as `u32`.
    ///
    /// # Errors
    /// [`Error::ForeignHandle`], [`Error::MissingSymbol`].
    pub fn symbol_type(&self, module: ModuleId, name: &str) -> Result<&str, Error> {
        self.variable(module, name, 0, 0)?; // the error that names those there are
        let symbols = &self.modules[module.0].program.symbols;
        Ok(symbols.iter().find(|symbol| symbol.name == name).map_or("b8", |symbol| &symbol.ty))
    }

    /// Size of a variable, bytes.
    ///
    /// # Errors
    /// [`Error::ForeignHandle`], [`Error::MissingSymbol`].
    pub fn symbol_bytes(&self, module: ModuleId, name: &str) -> Result<u64, Error> {
        self.variable(module, name, 0, 0)?; // the error that names those there are
        Ok(self.symbols(module)?.find(|(there, _)| *there == name).map_or(0, |(_, bytes)| bytes))
    }

    /// Where kernels find a variable: in global memory, or in the generic address space's window of constants.
    ///
    /// # Errors
    /// [`Error::ForeignHandle`], [`Error::MissingSymbol`].
    pub fn symbol_address(&self, module: ModuleId, name: &str) -> Result<u64, Error> {
        match self.variable(module, name, 0, 0)? {
            Variable::Constant(at) => Ok(CONSTANT_WINDOW + at as u64),
            Variable::Global(buffer) => self.address(buffer),
        }
    }

    /// What is known of a kernel that was prepared.
    ///
    /// # Errors
    /// [`Error::ForeignHandle`], [`Error::MissingKernel`].
    pub fn kernel_attributes(&self, module: ModuleId, kernel: &str) -> Result<KernelAttributes, Error> {
        let loaded = self.modules.get(module.0).ok_or(Error::ForeignHandle("module"))?;
        let kernel = find_kernel(&loaded.program, kernel)?;
        Ok(KernelAttributes {
            parameters: kernel.parameters.clone(),
            shared_bytes: kernel.shared_bytes.into(),
            constant_bytes: loaded.constant.len() as u64,
            max_threads: kernel.max_threads.unwrap_or(MOST_THREADS).min(MOST_THREADS) as u32,
            registers: kernel.compiled.registers,
            cluster: kernel.cluster,
            needs_cluster: kernel.needs_cluster,
        })
    }

    /// Finds a variable's `len` bytes from `offset` on.
    fn variable(&self, module: ModuleId, name: &str, offset: u64, len: u64) -> Result<Variable, Error> {
        let loaded = self.modules.get(module.0).ok_or(Error::ForeignHandle("module"))?;
        let symbols = &loaded.program.symbols;
        let Some(at) = symbols.iter().position(|s| s.name == name) else {
            return Err(Error::MissingSymbol {
                symbol: name.into(),
                module: loaded.program.name.clone(),
                there: symbols.iter().map(|s| s.name.clone()).collect(),
            });
        };
        let bytes = symbols[at].bytes;
        if offset.checked_add(len).is_none_or(|end| end > bytes) {
            return Err(Error::OutOfRange { what: format!("variable `{name}`"), offset, len, bytes });
        }
        match (symbols[at].constant, loaded.buffers[at]) {
            (Some(start), _) => Ok(Variable::Constant(start as usize + offset as usize)),
            (None, Some(buffer)) => Ok(Variable::Global(buffer)),
            (None, None) => Err(Error::ForeignHandle("module")),
        }
    }

    /// Whether a variable has `len` bytes from `offset` on.
    ///
    /// # Errors
    /// [`Error::MissingSymbol`], [`Error::OutOfRange`] or [`Error::ForeignHandle`].
    pub fn check_symbol(&self, module: ModuleId, name: &str, offset: u64, len: u64) -> Result<(), Error> {
        self.variable(module, name, offset, len).map(drop)
    }

    /// Writes a `__constant__` or `__device__` variable.
    ///
    /// # Errors
    /// [`Error::MissingSymbol`], [`Error::OutOfRange`] or [`Error::ForeignHandle`].
    pub fn write_symbol(
        &mut self,
        module: ModuleId,
        name: &str,
        offset: u64,
        bytes: &[u8],
    ) -> Result<(), Error> {
        match self.variable(module, name, offset, bytes.len() as u64)? {
            Variable::Constant(at) => {
                let loaded = &mut self.modules[module.0];
                loaded.constant[at..at + bytes.len()].copy_from_slice(bytes);
                loaded.constant_set.mark(at as u64, bytes.len() as u64);
                Ok(())
            }
            Variable::Global(buffer) => self.write(buffer, offset, bytes),
        }
    }

    /// Reads a `__constant__` or `__device__` variable.
    ///
    /// # Errors
    /// [`Error::MissingSymbol`], [`Error::OutOfRange`] or [`Error::ForeignHandle`].
    pub fn read_symbol(
        &self,
        module: ModuleId,
        name: &str,
        offset: u64,
        bytes: &mut [u8],
    ) -> Result<(), Error> {
        match self.variable(module, name, offset, bytes.len() as u64)? {
            Variable::Constant(at) => {
                bytes.copy_from_slice(&self.modules[module.0].constant[at..at + bytes.len()]);
                Ok(())
            }
            Variable::Global(buffer) => self.read(buffer, offset, bytes),
        }
    }
}

/// A kernel that was prepared before.
impl Device {
    /// The number of a launch's kernel among those of its module that were decoded: to be looked up once a launch.
    fn number(&self, launch: &Launch<'_>) -> Result<usize, Error> {
        let program = &self.modules.get(launch.module.0).ok_or(Error::ForeignHandle("module"))?.program;
        let found = program.kernels.iter().position(|kernel| kernel.name == launch.kernel);
        found.ok_or_else(|| program.missing(launch.kernel))
    }

    /// A module, and the kernel of it that [`Device::number`] gave.
    fn numbered(&self, module: ModuleId, number: usize) -> (&Loaded, &Kernel) {
        let loaded = &self.modules[module.0];
        (loaded, &loaded.program.kernels[number])
    }
}

fn find_kernel<'p>(program: &'p Program, name: &str) -> Result<&'p Kernel, Error> {
    program.kernel(name).ok_or_else(|| program.missing(name))
}
