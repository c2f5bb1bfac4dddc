//! The embedded device as a [`Device`]: it translates handles and names, and decides nothing.

use crate::arg::{Arg, Class};
use crate::description::{Description, Kind};
use crate::device::Device;
use crate::error::{Error, Result};
use crate::handle::{Array, Buffer, Module, Resource, Surface, Texture};
use crate::parameter;
use crate::region::{self, Extent, Pitched, Region};
use crate::step::{Launch, Mistake, Step, TransferTime};
use simt::Chip;
use simt::texture;
use simt::{Outcome, Transfer};
use std::ops::Range;
use std::time::{Duration, Instant};

/// The embedded SIMT device, with exact counters and times modelled for one chip.
pub struct Embedded {
    device: simt::Device,
    description: Description,
    modules: Vec<simt::ModuleId>,
    /// The simulator's buffer of each handle.
    buffers: Vec<simt::Buffer>,
    arrays: Vec<texture::Array>,
    textures: Vec<texture::Texture>,
    /// Warp instructions of all launches so far.
    executed: u64,
    /// Most warp instructions of all launches together.
    most: u64,
    time_limit: Option<Duration>,
}

impl Embedded {
    /// The embedded device with the chip file of this name; [`Embedded::chips`] lists them.
    ///
    /// # Errors
    /// A chip that does not exist, with those that do.
    pub fn new(chip: &str) -> Result<Self> {
        let chip = Chip::by_name(chip)?;
        let description = Description {
            kind: Kind::Embedded { chip: chip.id.clone() },
            name: chip.name.clone(),
            compute_capability: chip.compute_capability,
            multiprocessors: chip.multiprocessors,
            memory_bytes: chip.memory_bytes,
        };
        let device = simt::Device::new(chip);
        let (executed, most, time_limit) = (0, u64::MAX, None);
        let (modules, buffers, arrays, textures) = (vec![], vec![], vec![], vec![]);
        Ok(Embedded { device, description, modules, buffers, arrays, textures, executed, most, time_limit })
    }

    /// Warp instructions that the launches have executed so far; one that faulted is not among them.
    pub fn executed(&self) -> u64 {
        self.executed
    }

    /// Bounds the warp instructions of all its launches together, in addition to what [`simt::Options`] allow each of them. The
    /// launch with which they would be more ends like one that exceeds its own budget.
    pub fn limit(&mut self, instructions: u64) {
        self.most = instructions;
    }

    /// Options of launches; may be changed between them.
    pub fn options(&mut self) -> &mut simt::Options {
        self.device.options()
    }

    /// Lets a launch take no longer than this from now on; `None` for no limit. One that does is a fault of the kind
    /// [`crate::FaultKind::TimeLimit`], which says where the kernel was. Budgets of instructions end the same launch on
    /// every machine; this does not.
    pub fn set_time_limit(&mut self, limit: Option<Duration>) {
        self.time_limit = limit;
    }

    /// Names of the chip files.
    pub fn chips() -> Vec<&'static str> {
        Chip::names()
    }

    fn module(&self, module: Module) -> Result<simt::ModuleId> {
        Ok(self.modules.get(module.0).copied().ok_or(simt::Error::ForeignHandle("module"))?)
    }

    fn buffer(&self, buffer: Buffer) -> Result<simt::Buffer> {
        Ok(self.buffers.get(buffer.id).copied().ok_or(simt::Error::ForeignHandle("buffer"))?)
    }

    fn array(&self, array: Array) -> Result<texture::Array> {
        Ok(self.arrays.get(array.id).copied().ok_or(simt::Error::ForeignHandle("array"))?)
    }

    /// The kernels of a module that this device refuses, each with all the reasons; nothing runs.
    ///
    /// # Errors
    /// [`simt::Error::ForeignHandle`].
    pub fn refusals(&self, module: Module) -> Result<Vec<simt::Refusal>> {
        Ok(self.device.refusals(self.module(module)?)?)
    }

    /// Checks that a variable of a module exists and has `bytes` bytes.
    ///
    /// # Errors
    /// [`simt::Error::MissingSymbol`], [`simt::Error::OutOfRange`] or [`simt::Error::ForeignHandle`].
    pub fn check_symbol(&self, module: Module, name: &str, bytes: u64) -> Result<()> {
        Ok(self.device.check_symbol(self.module(module)?, name, 0, bytes)?)
    }

    /// Checks a launch, and runs nothing: all errors of [`Device::launch`] but faults. Of a kernel that is refused it is the
    /// first reason alone.
    pub fn check_launch(&mut self, launch: &Launch) -> Vec<Error> {
        self.problems(launch).unwrap_or_else(|error| vec![error])
    }

    fn problems(&mut self, launch: &Launch) -> Result<Vec<Error>> {
        let (translated, sizes) = self.lowered(launch)?;
        let (module, kernel) = (translated.module, translated.kernel);
        self.device.prepare(module, kernel)?;
        let declared = self.device.kernel_parameters(module, kernel)?;
        let mut problems = parameter::problems(kernel, declared, &launch.args, &sizes);
        // Arguments that do not fit were reported already, in better words.
        let told = !problems.is_empty();
        let others = self.device.problems(&translated).into_iter();
        let others = others.filter(|other| !(told && matches!(other, simt::Error::BadArguments { .. })));
        problems.extend(others.map(Error::from));
        Ok(problems)
    }

    /// A launch with the simulator's handles.
    fn translated<'l>(&mut self, launch: &'l Launch) -> Result<simt::Launch<'l>> {
        let (translated, sizes) = self.lowered(launch)?;
        let (module, kernel) = (translated.module, translated.kernel);
        self.device.prepare(module, kernel)?;
        parameter::check(kernel, self.device.kernel_parameters(module, kernel)?, &launch.args, &sizes)?;
        Ok(translated)
    }

    /// A launch with the simulator's handles, which is not checked, and the sizes of its arguments.
    fn lowered<'l>(&mut self, launch: &'l Launch) -> Result<(simt::Launch<'l>, Vec<usize>)> {
        let Launch { kernel, grid, block, shared_bytes, cluster, cooperative, .. } = launch;
        let module = self.module(launch.module)?;
        let pointer = self.device.pointer_bytes(module)?;
        let mut args = vec![];
        let mut sizes = vec![];
        for arg in &launch.args {
            let mut bytes = arg.bytes(&|buffer| self.address(buffer))?;
            if *arg == Arg::Null {
                bytes.truncate(pointer);
            }
            // Of a buffer's address, a module of 32-bit addresses takes what it needs.
            sizes.push(if arg.class() == Class::Pointer { pointer } else { bytes.len() });
            args.push(bytes);
        }
        let args = args.into_iter().map(simt::Arg::Value).collect();
        let translated = simt::Launch {
            module,
            kernel,
            grid: *grid,
            block: *block,
            shared_bytes: *shared_bytes,
            args,
            cluster: *cluster,
            cooperative: *cooperative,
        };
        Ok((translated, sizes))
    }

    fn launched(&mut self, launch: &Launch) -> Result<Outcome> {
        let launch = self.translated(launch)?;
        self.interrupt_at_limit();
        let own = self.device.options().launch_budget;
        self.device.options().launch_budget = own.min(self.most.saturating_sub(self.executed));
        let outcome = self.device.launch(&launch);
        self.device.options().launch_budget = own;
        let outcome = outcome?;
        self.executed = self.executed.saturating_add(outcome.counters.warp_instructions);
        Ok(outcome)
    }

    /// Runs a launch up to a step of one of its blocks, and gives the block's state after it. Nothing is changed on the
    /// device, and nothing is executed as far as [`Embedded::limit`] counts.
    ///
    /// # Errors
    /// As [`simt::Device::step`].
    pub fn step_to(&mut self, launch: &Launch, to: simt::StepTo) -> Result<simt::Stepped> {
        let launch = self.translated(launch)?;
        self.interrupt_at_limit();
        Ok(self.device.step(&launch, to)?)
    }

    /// Lets what runs from now on end at the time limit, if there is one.
    fn interrupt_at_limit(&mut self) {
        let until = self.time_limit.and_then(|limit| Some((limit, Instant::now().checked_add(limit)?)));
        self.device.set_interrupt(until.map(|(limit, until)| simt::Interrupt {
            is_due: Box::new(move || Instant::now() >= until),
            message: format!("the launch has not ended within the time limit, {} s", limit.as_secs_f64()),
        }));
    }

    /// Checks that a step's copy can be made. Errors of a launch are found by launching it.
    fn check(&self, step: &Step) -> Result<()> {
        match *step {
            Step::Launch(ref launch) => {
                self.module(launch.module)?;
                launch.args.iter().try_for_each(|arg| arg.bytes(&|buffer| self.address(buffer)).map(drop))
            }
            Step::Copy { to, to_offset, from, from_offset, bytes } => {
                self.inside(to, to_offset, bytes)?;
                self.inside(from, from_offset, bytes)?;
                region::apart(to, to_offset, from, from_offset, bytes)
            }
            Step::ToSymbol { module, ref name, offset, from, from_offset, bytes } => {
                self.device.check_symbol(self.module(module)?, name, offset, bytes)?;
                self.inside(from, from_offset, bytes)
            }
            Step::FromSymbol { module, ref name, offset, to, to_offset, bytes } => {
                self.device.check_symbol(self.module(module)?, name, offset, bytes)?;
                self.inside(to, to_offset, bytes)
            }
        }
    }

    fn inside(&self, buffer: Buffer, offset: u64, len: u64) -> Result<()> {
        self.address(buffer)?;
        region::within("buffer", offset, len, buffer.bytes)
    }

    fn step(&mut self, step: &Step) -> Result<Outcome> {
        let copied = match step {
            Step::Launch(launch) => return self.launched(launch),
            Step::Copy { to, to_offset, from, from_offset, bytes } => {
                let (to, from) = (self.buffer(*to)?, self.buffer(*from)?);
                self.device.copy(to, *to_offset, from, *from_offset, *bytes)?;
                *bytes
            }
            Step::ToSymbol { module, name, offset, from, from_offset, bytes } => {
                let id = self.buffer(*from)?;
                self.device.passed_on(id, *from_offset, *bytes)?;
                let mut through = vec![0; *bytes as usize]; // at most as large as a symbol, as `check` found
                self.read(*from, *from_offset, &mut through)?;
                self.write_symbol(*module, name, *offset, &through)?;
                *bytes
            }
            Step::FromSymbol { module, name, offset, to, to_offset, bytes } => {
                let mut through = vec![0; *bytes as usize];
                self.read_symbol(*module, name, *offset, &mut through)?;
                self.write(*to, *to_offset, &through)?;
                *bytes
            }
        };
        Ok(Outcome { modelled_ns: self.device.chip().copy_ns(copied), ..Outcome::default() })
    }

    /// Runs all steps; their counts and modelled times are summed.
    fn all(&mut self, steps: &[Step]) -> Result<Outcome> {
        steps.iter().try_for_each(|step| self.check(step))?;
        if let [step] = steps {
            return self.step(step);
        }
        // The instructions that several steps executed are not reported.
        let mut sum = Outcome::default();
        for step in steps {
            let outcome = self.step(step).map_err(|error| {
                error.in_words(|mut fault| {
                    fault.printed.insert_str(0, &sum.printed);
                    fault
                })
            })?;
            sum.add(outcome);
        }
        Ok(sum)
    }
}

/// Bytes `at..at + width` of a host's array, which the caller has checked.
fn span(at: u64, width: u64) -> std::ops::Range<usize> {
    at as usize..(at + width) as usize
}

impl Device for Embedded {
    fn description(&self) -> &Description {
        &self.description
    }

    fn load(&mut self, name: &str, ptx: &str) -> Result<Module> {
        self.modules.push(self.device.load(name, ptx)?);
        Ok(Module(self.modules.len() - 1))
    }

    fn check_kernel(&mut self, module: Module, kernel: &str) -> Result<()> {
        Ok(self.device.prepare(self.module(module)?, kernel)?)
    }

    fn kernel_attributes(&mut self, module: Module, kernel: &str) -> Result<simt::KernelAttributes> {
        self.check_kernel(module, kernel)?;
        Ok(self.device.kernel_attributes(self.module(module)?, kernel)?)
    }

    fn symbol_address(&mut self, module: Module, name: &str) -> Result<u64> {
        Ok(self.device.symbol_address(self.module(module)?, name)?)
    }

    fn allocate_at(&mut self, address: u64, bytes: u64) -> Result<Buffer> {
        self.buffers.push(self.device.allocate_at(address, bytes)?);
        Ok(Buffer { id: self.buffers.len() - 1, bytes, pitch: None })
    }

    fn allocate(&mut self, bytes: u64) -> Result<Buffer> {
        self.buffers.push(self.device.allocate(bytes)?);
        Ok(Buffer { id: self.buffers.len() - 1, bytes, pitch: None })
    }

    fn allocate_pitched(&mut self, width: u64, rows: u64, element_bytes: u32) -> Result<Pitched> {
        let (bytes, pitch) = region::pitched(width, rows, element_bytes)?;
        let buffer = Buffer { pitch: Some(pitch), ..self.allocate(bytes)? };
        Ok(Pitched { buffer, pitch })
    }

    fn free(&mut self, buffer: Buffer) -> Result<()> {
        Ok(self.device.free(self.buffer(buffer)?)?)
    }

    fn address(&self, buffer: Buffer) -> Result<u64> {
        Ok(self.device.address(self.buffer(buffer)?)?)
    }

    fn write(&mut self, buffer: Buffer, offset: u64, bytes: &[u8]) -> Result<()> {
        Ok(self.device.write(self.buffer(buffer)?, offset, bytes)?)
    }

    fn read(&mut self, buffer: Buffer, offset: u64, bytes: &mut [u8]) -> Result<()> {
        Ok(self.device.read(self.buffer(buffer)?, offset, bytes)?)
    }

    fn set_account(&mut self, kept: bool) {
        self.device.options().checks.accessed = kept;
    }

    fn skip_repeats(&mut self) {
        self.device.options().repeats = true;
    }

    fn accessed(&self) -> Vec<simt::Accessed> {
        self.device.accessed()
    }

    fn poison(&mut self, buffer: Buffer, bytes: &[u8]) -> Result<()> {
        Ok(self.device.poison(self.buffer(buffer)?, bytes)?)
    }

    fn unwritten(&self, buffer: Buffer) -> Result<Vec<Range<u64>>> {
        Ok(self.device.unwritten(self.buffer(buffer)?)?)
    }

    fn unread(&self, buffer: Buffer) -> Result<Option<Vec<Range<u64>>>> {
        Ok(self.device.unread(self.buffer(buffer)?)?)
    }

    fn write_3d(
        &mut self,
        to: Buffer,
        at: Region,
        from: &[u8],
        from_at: Region,
        extent: Extent,
    ) -> Result<()> {
        let to_handle = self.buffer(to)?;
        self.address(to)?;
        at.check(extent, "buffer", to.bytes)?;
        from_at.check(extent, "host's array", from.len() as u64)?;
        for (slice, row) in extent.rows() {
            let bytes = &from[span(from_at.row(slice, row), extent.width)];
            self.device.write(to_handle, at.row(slice, row), bytes)?;
        }
        Ok(())
    }

    fn read_3d(
        &mut self,
        from: Buffer,
        at: Region,
        to: &mut [u8],
        to_at: Region,
        extent: Extent,
    ) -> Result<()> {
        let from_handle = self.buffer(from)?;
        self.address(from)?;
        at.check(extent, "buffer", from.bytes)?;
        to_at.check(extent, "host's array", to.len() as u64)?;
        for (slice, row) in extent.rows() {
            let bytes = &mut to[span(to_at.row(slice, row), extent.width)];
            self.device.read(from_handle, at.row(slice, row), bytes)?;
        }
        Ok(())
    }

    fn copy_3d(
        &mut self,
        to: Buffer,
        to_at: Region,
        from: Buffer,
        from_at: Region,
        extent: Extent,
    ) -> Result<()> {
        let handles = (self.buffer(to)?, self.buffer(from)?);
        self.address(to)?;
        self.address(from)?;
        to_at.check(extent, "buffer", to.bytes)?;
        from_at.check(extent, "buffer", from.bytes)?;
        for (slice, row) in extent.rows() {
            let (to_row, from_row) = (to_at.row(slice, row), from_at.row(slice, row));
            self.device.copy(handles.0, to_row, handles.1, from_row, extent.width)?;
        }
        Ok(())
    }

    fn fill(&mut self, buffer: Buffer, word: u32) -> Result<()> {
        self.address(buffer)?;
        region::words(buffer)?;
        Ok(self.device.fill(self.buffer(buffer)?, word)?)
    }

    fn write_symbol(&mut self, module: Module, name: &str, offset: u64, bytes: &[u8]) -> Result<()> {
        Ok(self.device.write_symbol(self.module(module)?, name, offset, bytes)?)
    }

    fn kernels(&self, module: Module) -> Result<Vec<String>> {
        Ok(self.device.kernels(self.module(module)?)?.map(str::to_owned).collect())
    }

    fn symbols(&self, module: Module) -> Result<Vec<String>> {
        Ok(self.device.symbols(self.module(module)?)?.map(|(name, _)| name.to_owned()).collect())
    }

    fn symbol_type(&self, module: Module, name: &str) -> Result<String> {
        Ok(self.device.symbol_type(self.module(module)?, name)?.to_owned())
    }

    fn symbol_bytes(&self, module: Module, name: &str) -> Result<u64> {
        Ok(self.device.symbol_bytes(self.module(module)?, name)?)
    }

    fn read_symbol(&mut self, module: Module, name: &str, offset: u64, bytes: &mut [u8]) -> Result<()> {
        Ok(self.device.read_symbol(self.module(module)?, name, offset, bytes)?)
    }

    fn name_buffer(&mut self, buffer: Buffer, name: &str) -> Result<()> {
        Ok(self.device.name_buffer(self.buffer(buffer)?, name)?)
    }

    fn name_array(&mut self, array: Array, name: &str) -> Result<()> {
        Ok(self.device.name_array(self.array(array)?, name)?)
    }

    fn allocate_array(&mut self, extent: texture::Extent, format: texture::Format) -> Result<Array> {
        let array = self.device.allocate_array(extent, format)?;
        let bytes = self.device.array_bytes(array)?;
        self.arrays.push(array);
        Ok(Array { id: self.arrays.len() - 1, bytes })
    }

    fn free_array(&mut self, array: Array) -> Result<()> {
        Ok(self.device.free_array(self.array(array)?)?)
    }

    fn write_array(&mut self, array: Array, bytes: &[u8]) -> Result<()> {
        Ok(self.device.write_array(self.array(array)?, bytes)?)
    }

    fn poison_array(&mut self, array: Array, bytes: &[u8]) -> Result<()> {
        Ok(self.device.poison_array(self.array(array)?, bytes)?)
    }

    fn unwritten_array(&self, array: Array) -> Result<Vec<Range<u64>>> {
        Ok(self.device.unwritten_array(self.array(array)?)?)
    }

    fn read_array(&mut self, array: Array, bytes: &mut [u8]) -> Result<()> {
        Ok(self.device.read_array(self.array(array)?, bytes)?)
    }

    fn create_texture(
        &mut self,
        resource: &Resource,
        format: texture::Format,
        sampling: texture::Sampling,
    ) -> Result<Texture> {
        let resource = resource.resolve(|array| self.array(*array), |buffer| self.buffer(*buffer))?;
        let texture = self.device.create_texture(&resource, format, sampling)?;
        self.textures.push(texture);
        Ok(Texture { id: self.textures.len() - 1, handle: texture.handle() })
    }

    fn create_surface(&mut self, array: Array, level: u32) -> Result<Surface> {
        Ok(Surface { handle: self.device.create_surface(self.array(array)?, level)?.handle() })
    }

    fn bind_texture(&mut self, module: Module, name: &str, texture: Texture) -> Result<()> {
        let texture = self.textures.get(texture.id).copied().ok_or(simt::Error::ForeignHandle("texture"))?;
        Ok(self.device.bind_texture(self.module(module)?, name, texture)?)
    }

    fn set_checks(&mut self, checks: simt::Checks) {
        self.device.options().checks = checks;
    }

    fn launch(&mut self, launch: &Launch) -> Result<Option<Outcome>> {
        Ok(Some(self.launched(launch)?))
    }

    fn run(&mut self, steps: &[Step]) -> Result<Option<Outcome>> {
        Ok(Some(self.all(steps)?))
    }

    fn time(&mut self, steps: &[Step], calls: u32) -> Result<Vec<f64>> {
        let _ = calls; // the model gives the same time every time
        Ok(vec![self.all(steps)?.modelled_ns])
    }

    fn resident_blocks(&mut self, launch: &Launch) -> Result<Option<u32>> {
        match self.problems(launch)?.into_iter().next() {
            Some(problem) => Err(problem),
            None => Ok(None),
        }
    }

    fn time_transfer(
        &mut self,
        transfer: &Transfer,
        symbol: Option<(Module, &str)>,
        calls: u32,
    ) -> Result<Vec<TransferTime>> {
        let _ = calls;
        region::transfer(transfer)?;
        match symbol {
            Some((module, name)) => {
                self.device.check_symbol(self.module(module)?, name, 0, transfer.bytes)?;
            }
            None => {
                let buffer = self.device.allocate(transfer.bytes)?;
                self.device.free(buffer)?;
            }
        }
        let arrived_ns = self.device.chip().transfer_ns(transfer);
        Ok(vec![TransferTime { returned_ns: None, arrived_ns }])
    }

    fn time_allocation(&mut self, bytes: u64, calls: u32) -> Result<Option<Vec<[f64; 2]>>> {
        let _ = (bytes, calls);
        Ok(None)
    }

    fn provoke(&mut self, mistake: Mistake) -> Result<String> {
        const BYTES: u64 = 1024;
        let answer = match mistake {
            Mistake::DoubleFree => {
                let buffer = self.device.allocate(BYTES)?;
                self.device.free(buffer)?;
                self.device.free(buffer)
            }
            Mistake::OutOfMemory => self.device.allocate(self.description.memory_bytes + 1).map(drop),
            Mistake::WrongDirection(_) => {
                // An address of the host is not one of the device's, pinned or not: there is no unified addressing here.
                let host = [0; BYTES as usize];
                self.device.write_address(host.as_ptr().addr() as u64, &host)
            }
        };
        Ok(match answer {
            Ok(()) => Error::nothing_said(),
            // How much is free depends on what this run was allowed, which is not an answer of the chip.
            Err(simt::Error::OutOfMemory { asked, .. }) => {
                format!("out of device memory: {asked} bytes asked for")
            }
            Err(error) => error.to_string(),
        })
    }
}
