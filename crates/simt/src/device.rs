//! The device: modules, memory, launches.

use crate::decode::CONSTANT_LIMIT;
use crate::error::{CountedFault, Error, Fault, FaultKind, Refusal};
use crate::exec::{self, Left, RawFault, Run, Runtime, Work, index_in};
use crate::heap::{HEAP_BYTES, Heap};
use crate::ir::{Builtin, Executed, Kernel, Parameter, Program};
use crate::memory::{Allocation, COPY_PIECE, FIRST, Global, NARROW_END};
use crate::model::chip::Chip;
use crate::model::time;
use crate::options::{Interrupt, Options};
use crate::outcome::{Outcome, profile};
use crate::resolve::resolve;
use crate::texture::{Array, Extent, Format, Resource, Sampling, Surface, Texture, Textures};
use std::collections::HashMap;

/// A module of the device that loaded it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ModuleId(usize);

/// Memory of the device that allocated it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Buffer(usize);

/// A kernel argument.
#[derive(Clone, Debug, PartialEq)]
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

struct Loaded {
    program: Program,
    constant: Vec<u8>,
    /// Buffers of the global variables; of constant ones, nothing.
    buffers: Vec<Option<Buffer>>,
    /// What ptxas makes of kernels, by their names, from the first launch that asks for it.
    executed: HashMap<String, Executed>,
    /// Handles of what texture and surface references are bound to; 0 for nothing.
    bound: Vec<u64>,
}

/// What was found out of a launch before it.
struct Checked {
    /// Static and dynamic together.
    shared_bytes: u32,
    parameters: Vec<u8>,
    /// Addresses of the module's global variables; of constant ones, 0.
    symbols: Vec<u64>,
    cluster: Option<[u32; 3]>,
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
}

/// Warp instructions of the launch's budget that a grid takes beside its own.
const GRID_COST: u64 = 64;
/// Workspace of the grid barrier of a cooperative launch, bytes.
const WORKSPACE_BYTES: u64 = 16;
/// Blocks of a cluster on any chip (CUDA C++ Programming Guide, "Thread Block Clusters").
const CLUSTER_BLOCKS: u64 = 8;

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
            self.memory.keep_null_page();
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
        let bound = vec![0; program.references.len()];
        self.modules.push(Loaded { program, constant, buffers, executed: HashMap::new(), bound });
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

    /// Allocates memory, 512-byte aligned.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`].
    pub fn allocate(&mut self, bytes: u64) -> Result<Buffer, Error> {
        self.memory.allocate(bytes, self.options.memory_bytes).map(Buffer)
    }

    /// Frees a buffer.
    ///
    /// # Errors
    /// [`Error::Freed`] for one that was freed before, or [`Error::ForeignHandle`].
    pub fn free(&mut self, buffer: Buffer) -> Result<(), Error> {
        if self.memory.free(buffer.0) { Ok(()) } else { Err(self.memory.missing(buffer.0)) }
    }

    /// Allocates an array of texels, which textures and surfaces show to kernels (`cudaMalloc3DArray`).
    ///
    /// # Errors
    /// [`Error::BadTexture`] beyond the limits of all chips since compute capability 5.0, or [`Error::OutOfMemory`].
    pub fn allocate_array(&mut self, extent: Extent, format: Format) -> Result<Array, Error> {
        self.textures.allocate(&mut self.memory, self.options.memory_bytes, extent, format)
    }

    /// Frees an array.
    ///
    /// # Errors
    /// [`Error::Freed`] for one that was freed before, or [`Error::ForeignHandle`].
    pub fn free_array(&mut self, array: Array) -> Result<(), Error> {
        self.textures.free(&mut self.memory, array)
    }

    /// Copies texels from the host to an array, row by row without gaps, slices, layers and faces one after the other;
    /// `bytes` is as long as all of them.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] for another length, [`Error::Freed`] or [`Error::ForeignHandle`].
    pub fn write_array(&mut self, array: Array, bytes: &[u8]) -> Result<(), Error> {
        self.texels(array, bytes.len() as u64)?.write(0, bytes);
        Ok(())
    }

    /// The counterpart of [`Device::write_array`].
    ///
    /// # Errors
    /// As [`Device::write_array`].
    pub fn read_array(&self, array: Array, bytes: &mut [u8]) -> Result<(), Error> {
        self.texels(array, bytes.len() as u64)?.read(0, bytes);
        Ok(())
    }

    /// Bytes of an array's texels.
    ///
    /// # Errors
    /// [`Error::Freed`] or [`Error::ForeignHandle`].
    pub fn array_bytes(&self, array: Array) -> Result<u64, Error> {
        Ok(self.textures.array(array)?.memory.bytes)
    }

    /// An array's memory, all of which is copied.
    fn texels(&self, array: Array, len: u64) -> Result<&Allocation, Error> {
        let memory = &self.textures.array(array)?.memory;
        if len != memory.bytes {
            return Err(Error::OutOfRange { what: memory.name.clone(), offset: 0, len, bytes: memory.bytes });
        }
        Ok(memory)
    }

    /// Creates a texture object (`cudaCreateTextureObject`). `format` is that of the texels in memory; an array has its own.
    ///
    /// # Errors
    /// [`Error::BadTexture`] for what an H200's driver refuses: an address or pitch that is not aligned, a filter or read
    /// mode that the format does not have. [`Error::OutOfRange`] for memory outside of its buffer, [`Error::Freed`] or
    /// [`Error::ForeignHandle`].
    pub fn create_texture(
        &mut self,
        resource: &Resource<Array, Buffer>,
        format: Format,
        sampling: Sampling,
    ) -> Result<Texture, Error> {
        let resource = resource.resolve(
            |array| Ok(*array),
            |buffer| Ok::<_, Error>((buffer.0, self.allocation(*buffer)?.bytes)),
        )?;
        self.textures.texture(&resource, format, sampling)
    }

    /// Creates a surface object of an array (`cudaCreateSurfaceObject`).
    ///
    /// # Errors
    /// [`Error::Freed`] or [`Error::ForeignHandle`].
    pub fn create_surface(&mut self, array: Array) -> Result<Surface, Error> {
        self.textures.surface(array)
    }

    /// Binds a texture to a texture reference of a module (`cuTexRefSetArray` and its relatives).
    ///
    /// # Errors
    /// [`Error::BadTexture`] for a name that is not there, or [`Error::ForeignHandle`].
    pub fn bind_texture(&mut self, module: ModuleId, name: &str, texture: Texture) -> Result<(), Error> {
        self.bind(module, name, texture.handle())
    }

    /// Binds a surface to a surface reference of a module.
    ///
    /// # Errors
    /// As [`Device::bind_texture`].
    pub fn bind_surface(&mut self, module: ModuleId, name: &str, surface: Surface) -> Result<(), Error> {
        self.bind(module, name, surface.handle())
    }

    fn bind(&mut self, module: ModuleId, name: &str, handle: u64) -> Result<(), Error> {
        let loaded = self.modules.get_mut(module.0).ok_or(Error::ForeignHandle("module"))?;
        let references = &loaded.program.references;
        let Some(at) = references.iter().position(|there| there == name) else {
            let (module, there) = (&loaded.program.name, references.join(", "));
            let there = if there.is_empty() { "none" } else { &there };
            let message = format!("no texture or surface reference `{name}` in {module}; it has: {there}");
            return Err(Error::BadTexture(message));
        };
        loaded.bound[at] = handle;
        Ok(())
    }

    fn allocation(&self, buffer: Buffer) -> Result<&Allocation, Error> {
        self.memory.by_id(buffer.0).ok_or_else(|| self.memory.missing(buffer.0))
    }

    fn range(&self, buffer: Buffer, offset: u64, len: u64) -> Result<&Allocation, Error> {
        let allocation = self.allocation(buffer)?;
        if offset.checked_add(len).is_none_or(|end| end > allocation.bytes) {
            let what = "buffer".to_owned();
            return Err(Error::OutOfRange { what, offset, len, bytes: allocation.bytes });
        }
        Ok(allocation)
    }

    /// Where a buffer begins.
    ///
    /// # Errors
    /// [`Error::Freed`] or [`Error::ForeignHandle`].
    pub fn address(&self, buffer: Buffer) -> Result<u64, Error> {
        Ok(self.allocation(buffer)?.base)
    }

    /// Copies from the host to an address, as `cudaMemcpy` does.
    ///
    /// # Errors
    /// [`Error::NoDeviceAddress`] where the bytes do not lie in one buffer.
    pub fn write_address(&mut self, address: u64, bytes: &[u8]) -> Result<(), Error> {
        let found = address.checked_add(bytes.len() as u64);
        let found = found.and_then(|end| self.memory.find(address, end, &mut 0));
        let allocation = found.ok_or(Error::NoDeviceAddress("destination"))?;
        allocation.write(address - allocation.base, bytes);
        Ok(())
    }

    /// Copies from buffer to buffer; the ranges do not overlap.
    ///
    /// # Errors
    /// [`Error::OutOfRange`], [`Error::Freed`] or [`Error::ForeignHandle`].
    pub fn copy(
        &mut self,
        to: Buffer,
        to_offset: u64,
        from: Buffer,
        from_offset: u64,
        len: u64,
    ) -> Result<(), Error> {
        let to = self.range(to, to_offset, len)?;
        let from = self.range(from, from_offset, len)?;
        let mut piece = vec![0; len.min(COPY_PIECE) as usize];
        let mut done = 0;
        while done < len {
            let piece = &mut piece[..(len - done).min(COPY_PIECE) as usize];
            from.read(from_offset + done, piece);
            to.write(to_offset + done, piece);
            done += piece.len() as u64;
        }
        Ok(())
    }

    /// Copies from the host.
    ///
    /// # Errors
    /// [`Error::OutOfRange`], [`Error::Freed`] or [`Error::ForeignHandle`].
    pub fn write(&mut self, buffer: Buffer, offset: u64, bytes: &[u8]) -> Result<(), Error> {
        self.range(buffer, offset, bytes.len() as u64)?.write(offset, bytes);
        Ok(())
    }

    /// Copies to the host.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] or [`Error::ForeignHandle`].
    pub fn read(&self, buffer: Buffer, offset: u64, bytes: &mut [u8]) -> Result<(), Error> {
        self.range(buffer, offset, bytes.len() as u64)?.read(offset, bytes);
        Ok(())
    }

    /// Sets every whole word of a buffer.
    ///
    /// # Errors
    /// [`Error::ForeignHandle`], or [`Error::OutOfRange`] for a buffer whose size is no multiple of 4.
    pub fn fill(&mut self, buffer: Buffer, word: u32) -> Result<(), Error> {
        let allocation = self.range(buffer, 0, 0)?;
        let bytes = allocation.bytes;
        if bytes % 4 != 0 {
            let what = "words of the buffer".to_owned();
            return Err(Error::OutOfRange { what, offset: 0, len: bytes.next_multiple_of(4), bytes });
        }
        for cell in &allocation.words {
            cell.store(word, std::sync::atomic::Ordering::Relaxed);
        }
        allocation.written.mark(0, bytes);
        Ok(())
    }

    /// Gives a buffer the name that faults call it by.
    ///
    /// # Errors
    /// [`Error::ForeignHandle`].
    pub fn name_buffer(&mut self, buffer: Buffer, name: &str) -> Result<(), Error> {
        if self.memory.name(buffer.0, name) { Ok(()) } else { Err(self.memory.missing(buffer.0)) }
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
                self.modules[module.0].constant[at..at + bytes.len()].copy_from_slice(bytes);
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

    /// Runs a kernel to its end.
    ///
    /// # Errors
    /// A launch that no device of this chip would take, or [`Error::Fault`].
    pub fn launch(&mut self, launch: &Launch<'_>) -> Result<Outcome, Error> {
        self.prepare(launch.module, launch.kernel)?;
        let budget = self.options.launch_budget;
        let outcome = self.launch_all(launch);
        self.options.launch_budget = budget;
        outcome
    }

    /// Runs a grid, and behind it what it left to be done: each launch with all that this leaves in turn, in the order in
    /// which blocks and threads gave it, tail launches last. So a grid has ended when all its descendants have.
    fn launch_all(&mut self, launch: &Launch<'_>) -> Result<Outcome, Error> {
        let (mut all, left) = self.launch_grid(launch)?;
        let mut levels = vec![exec::in_order(left)];
        while let Some(level) = levels.last_mut() {
            let Some(work) = level.pop_front() else {
                levels.pop();
                continue;
            };
            match work {
                Work::Launch { kernel, grid, block, shared_bytes, parameters } => {
                    let loaded = self.modules.get(launch.module.0).ok_or(Error::ForeignHandle("module"))?;
                    let args =
                        find_kernel(&loaded.program, &kernel)?.values(&parameters).map(Arg::Value).collect();
                    let (kernel, cluster, cooperative) = (kernel.as_str(), None, false);
                    let child = Launch {
                        module: launch.module,
                        kernel,
                        grid,
                        block,
                        shared_bytes,
                        args,
                        cluster,
                        cooperative,
                    };
                    let (outcome, left) = self.launch_grid(&child)?;
                    all.add(outcome);
                    levels.push(exec::in_order(left));
                }
                Work::Copy { to, from, bytes } => self.memory.copy(to, from, bytes)?,
            }
        }
        Ok(all)
    }

    /// Runs one grid; what it leaves to be done is for the caller.
    fn launch_grid(&mut self, launch: &Launch<'_>) -> Result<(Outcome, Vec<Left>), Error> {
        self.prepare_heap(launch)?;
        self.prepare_workspace(launch)?;
        self.prepare_executed(launch)?;
        // What a launch without checks writes, nobody notes.
        for allocation in &mut self.memory.allocations {
            allocation.written.begin_launch(self.options.checks.of_accesses());
        }
        for array in self.textures.arrays_mut() {
            array.memory.written.begin_launch(self.options.checks.of_accesses());
        }
        let loaded = self.modules.get(launch.module.0).ok_or(Error::ForeignHandle("module"))?;
        let kernel = find_kernel(&loaded.program, launch.kernel)?;
        let checked = self.checked(loaded, kernel, launch)?;
        let runtime = kernel
            .builtins
            .iter()
            .any(|call| matches!(call.builtin, Builtin::Runtime(_)))
            .then(|| Runtime::new(&loaded.program, self.chip.limits.shared_bytes_per_block.into()));
        let run = Run { runtime: runtime.as_ref(), ..self.run(loaded, kernel, launch, &checked) };
        self.check_cooperative(&run)?;
        let named = |raw: RawFault| self.fault(&loaded.program, kernel, &run, raw);
        let mut tally = exec::run(&run).map_err(|raw| Error::Fault(Box::new(named(raw))))?;
        let each = tally.profile.take().map(|p| p.finish(kernel)).unwrap_or_default();
        let executed = run.executed.map(|of| exec::count(of, &tally, &each));
        let profile = self.options.profile.then(|| profile(&loaded.program, kernel, each));
        let texts = tally.printed.iter().map(|(_, text)| text.as_str());
        let printed = crate::print::first_bytes(texts, self.options.print_bytes);
        let shape = time::LaunchSize {
            blocks: run.blocks(),
            warps_per_block: run.warps_per_block(),
            shared_bytes: u64::from(run.shared_bytes),
        };
        let allocated = |n| run.global.bytes_of(n);
        let modelled_ns = time::nanoseconds(&self.chip, shape, &tally.counters, &tally.sample, allocated);
        let outcome = Outcome {
            counters: tally.counters,
            modelled_ns,
            printed,
            profile: profile.unwrap_or_default(),
            executed: executed.unwrap_or_default(),
            accesses: resolve(&loaded.program, &run, &tally.notes.accesses),
            left_out: tally.notes.left_out,
            faults: tally
                .found
                .sorted()
                .into_iter()
                .map(|counted| CountedFault { fault: named(counted.fault), count: counted.count })
                .collect(),
        };
        // Of the budget, what this grid took is gone, and a little for having been there.
        let taken = outcome.counters.warp_instructions.saturating_add(GRID_COST);
        self.options.launch_budget = self.options.launch_budget.saturating_sub(taken);
        Ok((outcome, tally.left))
    }

    /// Finds what ptxas makes of the kernel, the first time that somebody asks.
    fn prepare_executed(&mut self, launch: &Launch<'_>) -> Result<(), Error> {
        let loaded = self.modules.get_mut(launch.module.0).ok_or(Error::ForeignHandle("module"))?;
        if self.options.executed && !loaded.executed.contains_key(launch.kernel) {
            let executed = loaded.program.executed(find_kernel(&loaded.program, launch.kernel)?);
            loaded.executed.insert(launch.kernel.to_owned(), executed);
        }
        Ok(())
    }

    /// Checks a launch, and runs nothing.
    ///
    /// # Errors
    /// Those of [`Device::launch`] but faults.
    pub fn check(&mut self, launch: &Launch<'_>) -> Result<(), Error> {
        self.prepare(launch.module, launch.kernel)?;
        let loaded = self.modules.get(launch.module.0).ok_or(Error::ForeignHandle("module"))?;
        let kernel = find_kernel(&loaded.program, launch.kernel)?;
        let checked = self.checked(loaded, kernel, launch)?;
        self.check_cooperative(&self.run(loaded, kernel, launch, &checked))
    }

    /// What of a launch must be found out first.
    fn checked(&self, loaded: &Loaded, kernel: &Kernel, launch: &Launch<'_>) -> Result<Checked, Error> {
        self.check_shape(kernel, launch)?;
        let shared_bytes = self.check_shared(kernel, launch.shared_bytes)?;
        let parameters = self.parameters(kernel, &launch.args, loaded.program.narrow)?;
        let base = |buffer: Buffer| self.memory.by_id(buffer.0).map_or(0, |allocation| allocation.base);
        let symbols = loaded.buffers.iter().map(|buffer| buffer.map_or(0, base)).collect();
        let cluster = self.check_cluster(kernel, launch)?;
        Ok(Checked { shared_bytes, parameters, symbols, cluster })
    }

    fn run<'a>(
        &'a self,
        loaded: &'a Loaded,
        kernel: &'a Kernel,
        launch: &Launch<'_>,
        checked: &'a Checked,
    ) -> Run<'a> {
        let workspace = match self.workspace {
            Some(buffer) if launch.cooperative => self.memory.by_id(buffer.0).map_or(0, |a| a.base),
            _ => 0,
        };
        Run {
            kernel,
            chip: &self.chip,
            global: &self.memory,
            textures: &self.textures,
            heap: self.heap.as_ref(),
            constant: &loaded.constant,
            symbols: &checked.symbols,
            references: &loaded.bound,
            parameters: &checked.parameters,
            grid: launch.grid,
            block: launch.block,
            shared_bytes: checked.shared_bytes,
            cluster: checked.cluster.unwrap_or([1; 3]),
            is_cluster: checked.cluster.is_some(),
            cooperative: launch.cooperative,
            workspace,
            options: self.options,
            executed: loaded.executed.get(&kernel.name).filter(|_| self.options.executed),
            runtime: None,
            interrupt: self.interrupt.as_ref(),
        }
    }

    /// Gives kernels that allocate a heap, which lives as long as the device.
    fn prepare_heap(&mut self, launch: &Launch<'_>) -> Result<(), Error> {
        let loaded = self.modules.get(launch.module.0).ok_or(Error::ForeignHandle("module"))?;
        let kernel = find_kernel(&loaded.program, launch.kernel)?;
        if self.heap.is_none() && kernel.builtins.iter().any(|call| call.builtin.uses_heap()) {
            let buffer = self.allocate(HEAP_BYTES)?;
            self.name_buffer(buffer, "the kernels' heap")?;
            self.heap = self.memory.make_heap(buffer.0).map(Heap::new);
        }
        Ok(())
    }

    /// Gives a cooperative launch the words at which its blocks meet (cooperative groups' `details/driver_abi.h`: a size, and
    /// the barrier).
    fn prepare_workspace(&mut self, launch: &Launch<'_>) -> Result<(), Error> {
        if !launch.cooperative {
            return Ok(());
        }
        let buffer = match self.workspace {
            Some(buffer) => buffer,
            None => self.allocate(WORKSPACE_BYTES)?,
        };
        self.workspace = Some(buffer);
        self.name_buffer(buffer, "the grid's barrier")?;
        self.write(buffer, 0, &(WORKSPACE_BYTES as u32).to_le_bytes())?;
        self.write(buffer, 4, &[0; WORKSPACE_BYTES as usize - 4])
    }

    /// The size of a launch's clusters, if it has any.
    fn check_cluster(&self, kernel: &Kernel, launch: &Launch<'_>) -> Result<Option<[u32; 3]>, Error> {
        let refuse = |message: String| Err(Error::TooManyThreads { kernel: kernel.name.clone(), message });
        let cluster = match (kernel.cluster, launch.cluster) {
            (Some(own), Some(asked)) if own != asked => {
                return refuse(format!("clusters of {asked:?} blocks, and the kernel is made for {own:?}"));
            }
            (None, None) if kernel.needs_cluster => {
                return refuse("it must be launched in clusters".to_owned());
            }
            (own, asked) => own.or(asked),
        };
        let Some(size) = cluster else { return Ok(None) };
        if size.contains(&0) || size.iter().zip(launch.grid).any(|(n, grid)| !grid.is_multiple_of(*n)) {
            return refuse(format!("grid {:?} is not made of clusters of {size:?} blocks", launch.grid));
        }
        let blocks = size.iter().fold(1u64, |all, n| all.saturating_mul(u64::from(*n)));
        let limit = kernel.max_cluster.unwrap_or(CLUSTER_BLOCKS).min(CLUSTER_BLOCKS);
        if blocks > limit {
            return refuse(format!("{blocks} blocks a cluster, and {limit} is the most"));
        }
        Ok(cluster)
    }

    /// The blocks of a cooperative launch must fit the chip together.
    fn check_cooperative(&self, run: &Run<'_>) -> Result<(), Error> {
        let (blocks, capacity) = (run.blocks(), run.capacity());
        if !run.cooperative || blocks <= capacity {
            return Ok(());
        }
        let multiprocessors = self.chip.multiprocessors;
        let message = format!(
            "{blocks} blocks in a cooperative launch, and {} has room for {capacity} at a time: {} on each of its \
             {multiprocessors} multiprocessors",
            self.chip.name,
            capacity / u64::from(multiprocessors.max(1))
        );
        Err(Error::TooManyThreads { kernel: run.kernel.name.clone(), message })
    }

    /// Limits of the CUDA C++ Programming Guide's table of compute capabilities.
    fn check_shape(&self, kernel: &Kernel, launch: &Launch<'_>) -> Result<(), Error> {
        let refuse = |message: String| Err(Error::TooManyThreads { kernel: kernel.name.clone(), message });
        if launch.grid.contains(&0) || launch.block.contains(&0) {
            return refuse(format!("grid {:?} and block {:?} must have no zero", launch.grid, launch.block));
        }
        let limits =
            [("grid", launch.grid, [0x7fff_ffff, 65535, 65535]), ("block", launch.block, [1024, 1024, 64])];
        for (name, size, limit) in limits {
            if size.iter().zip(limit).any(|(n, limit)| *n > limit) {
                return refuse(format!("{name} {size:?} is larger than {limit:?}"));
            }
        }
        let threads = launch.block.iter().map(|n| u64::from(*n)).product::<u64>();
        let limit = kernel.max_threads.unwrap_or(1024).min(1024);
        if threads > limit {
            return refuse(format!("{threads} threads a block, and {limit} is the most"));
        }
        Ok(())
    }

    fn check_shared(&self, kernel: &Kernel, dynamic: u32) -> Result<u32, Error> {
        let fixed = u64::from(kernel.shared_bytes);
        let bytes = if dynamic == 0 { fixed } else { fixed.next_multiple_of(16) + u64::from(dynamic) };
        let limit = u64::from(self.chip.limits.shared_bytes_per_block);
        match u32::try_from(bytes) {
            Ok(small) if bytes <= limit => Ok(small),
            _ => Err(Error::TooMuchShared {
                kernel: kernel.name.clone(),
                bytes,
                chip: self.chip.name.clone(),
                limit,
            }),
        }
    }

    fn parameters(&self, kernel: &Kernel, args: &[Arg], narrow: bool) -> Result<Vec<u8>, Error> {
        let bad = |message: String| Error::BadArguments { kernel: kernel.name.clone(), message };
        if args.len() != kernel.parameters.len() {
            return Err(bad(format!("{} arguments for {} parameters", args.len(), kernel.parameters.len())));
        }
        let mut bytes = vec![0; kernel.parameter_bytes as usize];
        for (n, (arg, parameter)) in args.iter().zip(&kernel.parameters).enumerate() {
            let address;
            let value: &[u8] = match arg {
                Arg::Value(value) => value,
                Arg::Buffer(buffer, offset) => {
                    address = self.address(*buffer)?.wrapping_add(*offset).to_le_bytes();
                    &address
                }
                Arg::Texture(texture) => {
                    address = texture.handle().to_le_bytes();
                    &address
                }
                Arg::Surface(surface) => {
                    address = surface.handle().to_le_bytes();
                    &address
                }
            };
            // The address of a buffer for a parameter of 32 bits, see `crate::memory::FIRST`.
            let value = match value.try_into().map(u64::from_le_bytes) {
                Ok(address) if narrow && parameter.bytes == 4 && (FIRST..NARROW_END).contains(&address) => {
                    &value[..4]
                }
                _ => value,
            };
            if value.len() != parameter.bytes as usize {
                let (is, wants) = (value.len(), parameter.bytes);
                return Err(bad(format!("argument {n} has {is} bytes, and its parameter {wants}")));
            }
            bytes[parameter.offset as usize..][..value.len()].copy_from_slice(value);
        }
        Ok(bytes)
    }

    fn fault(&self, program: &Program, kernel: &Kernel, run: &Run<'_>, raw: RawFault) -> Fault {
        let RawFault { kind, block, thread, origin, address, width, message, other, proven } = raw;
        let at = address.unwrap_or(0);
        let of_other = |other: exec::Other| {
            let [x, y, z] = index_in(u64::from(other.thread), run.block);
            let at = program.place(kernel, exec::origin_of(kernel, other.access)).line();
            (format!("thread ({x},{y},{z})"), at)
        };
        let message = message.unwrap_or_else(|| match kind {
            FaultKind::OutOfBoundsGlobal => format!("access of {width} bytes, {}", self.memory.describe(at)),
            FaultKind::NullPointer => format!("access of {width} bytes through a null pointer"),
            FaultKind::OutOfBoundsShared => {
                format!("access of {width} bytes; the block has {} bytes of shared memory", run.shared_bytes)
            }
            FaultKind::OutOfBoundsConstant => format!(
                "access of {width} bytes; the module's constant variables take {} of {CONSTANT_LIMIT} bytes",
                run.constant.len()
            ),
            FaultKind::MisalignedAddress => {
                format!("access of {width} bytes at an address that is no multiple of {width}")
            }
            FaultKind::OutOfBoundsLocal => {
                format!("access of {width} bytes outside of the thread's local memory")
            }
            FaultKind::SharedRace => match other {
                Some(other) => {
                    let [does, did] = other.verbs;
                    let (who, at) = of_other(other);
                    format!("{does} shared memory that {who} {did} at {at}; a barrier between them is missing")
                }
                None => "threads access it without a barrier between them".to_owned(),
            },
            FaultKind::InvalidMask => "a member mask does not name a lane that executes it".to_owned(),
            FaultKind::UninitialisedRead => {
                let place = self.memory.describe(at);
                match other {
                    None => format!("read of {width} bytes that nobody has written, {place}"),
                    Some(other) => {
                        let (who, at) = of_other(other);
                        format!(
                            "read of {width} bytes before {who} writes them at {at}, {place}; a barrier between them is missing"
                        )
                    }
                }
            }
            FaultKind::StackOverflow => "calls need more local memory than a thread has".to_owned(),
            FaultKind::UnsupportedInstruction => "the embedded device cannot execute this".to_owned(),
            FaultKind::DivergentBarrier => {
                "threads wait at a barrier which others of their block never reach".to_owned()
            }
            FaultKind::InfiniteLoop => run.over_block_budget(),
            FaultKind::TimeLimit => "the host ended the launch".to_owned(),
            FaultKind::Trap => "the kernel executed `trap`".to_owned(),
        });
        Fault {
            kind,
            message,
            kernel: kernel.name.clone(),
            block: index_in(block, run.grid),
            thread: index_in(u64::from(thread), run.block),
            place: program.place(kernel, origin),
            address,
            proven,
        }
    }
}

/// A kernel that was prepared before.
fn find_kernel<'p>(program: &'p Program, name: &str) -> Result<&'p Kernel, Error> {
    program.kernel(name).ok_or_else(|| program.missing(name))
}
