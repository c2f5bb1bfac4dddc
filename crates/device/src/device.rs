//! The trait that both devices implement.

use crate::description::Description;
use crate::error::Result;
use crate::handle::{Array, Buffer, Module, Resource, Surface, Texture};
use crate::region::{Extent, Pitched, Region};
use crate::step::{Launch, Mistake, Step, TransferTime};
use simt::texture;
use simt::{Accessed, Checks, KernelAttributes, Outcome, Transfer};
use std::ops::Range;

/// A device that runs kernels.
///
/// Contents of new memory are undefined, launches of one device run in order, and every call returns when its work is
/// done. Handles of another device are refused with [`simt::Error::ForeignHandle`], buffers that were freed with
/// [`simt::Error::Freed`].
pub trait Device {
    /// Name and properties of the device.
    fn description(&self) -> &Description;

    /// Loads PTX; `name` is what errors call it (a path, usually).
    ///
    /// # Errors
    /// PTX that cannot be read, with file, line and column. A GPU's driver also refuses a module for one kernel that it does
    /// not support; the embedded device refuses that kernel, see [`Device::check_kernel`].
    fn load(&mut self, name: &str, ptx: &str) -> Result<Module>;

    /// Checks that a kernel exists and can be launched, and makes it ready.
    ///
    /// # Errors
    /// [`simt::Error::MissingKernel`], or what the device does not support in it, with file, line and column.
    fn check_kernel(&mut self, module: Module, kernel: &str) -> Result<()>;

    /// What is known of a kernel before it is launched; as [`Device::check_kernel`], it makes the kernel ready.
    ///
    /// # Errors
    /// Those of [`Device::check_kernel`].
    fn kernel_attributes(&mut self, module: Module, kernel: &str) -> Result<KernelAttributes>;

    /// Address of a `__constant__` or `__device__` variable, as kernels see it.
    ///
    /// # Errors
    /// No such variable, with those there are.
    fn symbol_address(&mut self, module: Module, name: &str) -> Result<u64>;

    /// Allocates device memory, at least 256-byte aligned.
    ///
    /// # Errors
    /// [`simt::Error::OutOfMemory`], with what was asked for and what there is.
    fn allocate(&mut self, bytes: u64) -> Result<Buffer>;

    /// Allocates rows of `width` bytes that begin at multiples of [`crate::PITCH_ALIGNMENT`] (`cuMemAllocPitch`; `cudaMalloc3D`
    /// with `rows` the height times the depth). `element_bytes`: the widest access that a kernel makes, 4, 8 or 16; the
    /// pitch is the same for all three.
    ///
    /// # Errors
    /// [`crate::Error::BadShape`] for no bytes, other elements, or more than 2^64 bytes; [`simt::Error::OutOfMemory`].
    fn allocate_pitched(&mut self, width: u64, rows: u64, element_bytes: u32) -> Result<Pitched>;

    /// Allocates device memory at an address that the caller has chosen, below 4 GiB: where a program's own memory has that
    /// address, so that a pointer means the same on both sides.
    ///
    /// # Errors
    /// [`simt::Error::NoDeviceAddress`] for an address that the device cannot give, which a GPU refuses whatever it is;
    /// [`simt::Error::OutOfMemory`].
    fn allocate_at(&mut self, _address: u64, _bytes: u64) -> Result<Buffer> {
        Err(simt::Error::NoDeviceAddress("place").into())
    }

    /// Frees a buffer.
    ///
    /// # Errors
    /// [`simt::Error::Freed`] for a buffer that was freed before.
    fn free(&mut self, buffer: Buffer) -> Result<()>;

    /// Copies from the host, to `offset` bytes past the buffer's start.
    ///
    /// # Errors
    /// A range that does not lie in the buffer.
    fn write(&mut self, buffer: Buffer, offset: u64, bytes: &[u8]) -> Result<()>;

    /// Puts a pattern into a new buffer that still counts as never written, as far as the device keeps track of that: a kernel
    /// that computes with it is at fault.
    ///
    /// # Errors
    /// Those of [`Device::write`].
    fn poison(&mut self, buffer: Buffer, bytes: &[u8]) -> Result<()> {
        self.write(buffer, 0, bytes)
    }

    /// Ranges of a buffer's bytes that were never written. A device that does not keep track of them knows of none.
    ///
    /// # Errors
    /// A buffer of another device, or one that was freed.
    fn unwritten(&self, _: Buffer) -> Result<Vec<Range<u64>>> {
        Ok(vec![])
    }

    /// Ranges of a buffer's bytes that no launch and no copy on the device has read; nothing where no account of that is
    /// kept, which the embedded device does with [`simt::Checks::unread`].
    ///
    /// # Errors
    /// A buffer of another device, or one that was freed.
    fn unread(&self, _: Buffer) -> Result<Option<Vec<Range<u64>>>> {
        Ok(None)
    }

    /// Keeps an account of what launches access from now on, or none any more, where the device can.
    fn set_account(&mut self, _kept: bool) {}

    /// From now on, launches that repeat an earlier one need not be executed, where the device can tell
    /// ([`simt::Options::repeats`]).
    fn skip_repeats(&mut self) {}

    /// The account of what the last launch accessed ([`simt::Device::accessed`]); nothing where none is kept.
    fn accessed(&self) -> Vec<Accessed> {
        vec![]
    }

    /// Copies to the host, from `offset` bytes past the buffer's start.
    ///
    /// # Errors
    /// A range that does not lie in the buffer.
    fn read(&mut self, buffer: Buffer, offset: u64, bytes: &mut [u8]) -> Result<()>;

    /// Copies rows and slices from the host (`cudaMemcpy2D`, `cudaMemcpy3D`): `extent` of them, which lie in the buffer as
    /// `at` says and in `from` as `from_at` says. What lies between the rows stays as it is.
    ///
    /// # Errors
    /// [`crate::Error::BadShape`] for an extent with a zero, or rows or slices that run into each other;
    /// [`simt::Error::OutOfRange`] for a region that does not lie in its memory.
    fn write_3d(
        &mut self,
        to: Buffer,
        at: Region,
        from: &[u8],
        from_at: Region,
        extent: Extent,
    ) -> Result<()>;

    /// Copies rows and slices to the host.
    ///
    /// # Errors
    /// Those of [`Device::write_3d`].
    fn read_3d(
        &mut self,
        from: Buffer,
        at: Region,
        to: &mut [u8],
        to_at: Region,
        extent: Extent,
    ) -> Result<()>;

    /// Copies rows and slices inside the device's memory. Source and destination may not overlap: which
    /// bytes a device takes then is not defined.
    ///
    /// # Errors
    /// Those of [`Device::write_3d`].
    fn copy_3d(
        &mut self,
        to: Buffer,
        to_at: Region,
        from: Buffer,
        from_at: Region,
        extent: Extent,
    ) -> Result<()>;

    /// Address of a buffer's first byte, as kernels see it: the value for a pointer in a symbol.
    ///
    /// # Errors
    /// A buffer of another device, or one that was freed.
    fn address(&self, buffer: Buffer) -> Result<u64>;

    /// Sets every 32-bit word of a buffer (whose size is a multiple of 4) to `word`.
    ///
    /// # Errors
    /// A buffer whose size is not a multiple of 4.
    fn fill(&mut self, buffer: Buffer, word: u32) -> Result<()>;

    /// Writes a `__constant__` or `__device__` variable, from `offset` bytes past its start.
    ///
    /// # Errors
    /// No such variable (with those there are), or a range that does not lie in it.
    fn write_symbol(&mut self, module: Module, name: &str, offset: u64, bytes: &[u8]) -> Result<()>;

    /// Names of a module's kernels, as its PTX has them.
    ///
    /// # Errors
    /// A module of another device.
    fn kernels(&self, module: Module) -> Result<Vec<String>>;

    /// Names of a module's `__constant__` and `__device__` variables, as its PTX has them; of a GPU, whose driver does not
    /// list them, those that our parser finds.
    ///
    /// # Errors
    /// A module of another device.
    fn symbols(&self, module: Module) -> Result<Vec<String>>;

    /// Type of a variable, or of its elements, as the PTX declares it and without its dot, such as `u32`; `b8` where
    /// the PTX does not state.
    ///
    /// # Errors
    /// No such variable, with those there are.
    fn symbol_type(&self, module: Module, name: &str) -> Result<String>;

    /// Size of a `__constant__` or `__device__` variable, bytes.
    ///
    /// # Errors
    /// No such variable, with those there are.
    fn symbol_bytes(&self, module: Module, name: &str) -> Result<u64>;

    /// Reads a `__constant__` or `__device__` variable, from `offset` bytes past its start.
    ///
    /// # Errors
    /// Those of [`Device::write_symbol`].
    fn read_symbol(&mut self, module: Module, name: &str, offset: u64, bytes: &mut [u8]) -> Result<()>;

    /// Gives a buffer the name that faults call it by, where the device knows of faults' addresses.
    ///
    /// # Errors
    /// A buffer of another device, or one that was freed.
    fn name_buffer(&mut self, buffer: Buffer, name: &str) -> Result<()>;

    /// Gives an array the name that faults call it by, as [`Device::name_buffer`] does a buffer.
    ///
    /// # Errors
    /// An array of another device, or one that was freed.
    fn name_array(&mut self, _: Array, _: &str) -> Result<()> {
        Ok(())
    }

    /// Allocates an array of texels, for textures and surfaces; its contents are undefined.
    ///
    /// # Errors
    /// An array that the device does not have, or too little memory.
    fn allocate_array(&mut self, extent: texture::Extent, format: texture::Format) -> Result<Array>;

    /// Frees an array; textures and surfaces of it must not be used any more.
    ///
    /// # Errors
    /// A foreign handle, or an array that was freed before.
    fn free_array(&mut self, array: Array) -> Result<()>;

    /// Copies all texels of an array from the host: row by row without gaps, slices, layers and faces one after the other.
    ///
    /// # Errors
    /// Another number of bytes than the array has, a foreign handle, or an array that was freed.
    fn write_array(&mut self, array: Array, bytes: &[u8]) -> Result<()>;

    /// As [`Device::poison`], into an array.
    ///
    /// # Errors
    /// As [`Device::write_array`].
    fn poison_array(&mut self, array: Array, bytes: &[u8]) -> Result<()> {
        self.write_array(array, bytes)
    }

    /// As [`Device::unwritten`], for an array.
    ///
    /// # Errors
    /// As [`Device::write_array`].
    fn unwritten_array(&self, _: Array) -> Result<Vec<Range<u64>>> {
        Ok(vec![])
    }

    /// Copies all texels of an array to the host, in the order of [`Device::write_array`].
    ///
    /// # Errors
    /// As [`Device::write_array`].
    fn read_array(&mut self, array: Array, bytes: &mut [u8]) -> Result<()>;

    /// Creates a texture object, which lives as long as the device. `format` is that of the texels in memory; an array has
    /// its own.
    ///
    /// # Errors
    /// A resource or sampling that the device does not take, such as a pitch that is not aligned; a foreign handle.
    fn create_texture(
        &mut self,
        resource: &Resource,
        format: texture::Format,
        sampling: texture::Sampling,
    ) -> Result<Texture>;

    /// Creates a surface object of a level of an array, 0 of a plain one, which lives as long as the device.
    ///
    /// # Errors
    /// A foreign handle, or an array that was freed.
    fn create_surface(&mut self, array: Array, level: u32) -> Result<Surface>;

    /// Binds a texture to a texture reference of a module, by name.
    ///
    /// # Errors
    /// A name that does not exist, a foreign handle.
    fn bind_texture(&mut self, module: Module, name: &str, texture: Texture) -> Result<()>;

    /// Chooses the checks of launches to come, on a device that can be asked for some: a GPU makes none.
    fn set_checks(&mut self, _: Checks) {}

    /// Runs a kernel once. What it counted and its modelled time are there on the embedded device, on a GPU they are
    /// `None`.
    ///
    /// # Errors
    /// A missing kernel, arguments that do not fit its parameters, a shape the device does not allow, or a fault.
    fn launch(&mut self, launch: &Launch) -> Result<Option<Outcome>>;

    /// Runs steps one after the other on one stream, and returns when the last is done. On the embedded device what they
    /// counted and their modelled times are there, summed; on a GPU they are `None`.
    ///
    /// # Errors
    /// Those of [`Device::launch`]; copies that leave their buffer or symbol, or overlap themselves: these are refused before
    /// the first step runs. A fault ends the run where it is.
    fn run(&mut self, steps: &[Step]) -> Result<Option<Outcome>>;

    /// Runs a sequence of steps at most `calls` times back to back and returns the time of each run of the sequence,
    /// nanoseconds. A GPU runs it `calls` times between events of its own stream; the embedded device, whose model gives the
    /// same time every time, runs it once and returns one time.
    ///
    /// # Errors
    /// Those of [`Device::run`].
    fn time(&mut self, steps: &[Step], calls: u32) -> Result<Vec<f64>>;

    /// Blocks of a launch that a multiprocessor has room for at a time, by the threads, registers and shared memory of each
    /// (`cuOccupancyMaxActiveBlocksPerMultiprocessor`). `None` on the embedded device: registers are given out by ptxas,
    /// which it does without.
    ///
    /// # Errors
    /// Those of [`Device::launch`], which is not made.
    fn resident_blocks(&mut self, launch: &Launch) -> Result<Option<u32>>;

    /// Makes a transfer at most `calls` times and returns the times of each. The host's side is separate memory, that was
    /// touched before. The device's side is likewise, or the first bytes of a variable of a module (`cudaMemcpyToSymbol`,
    /// `cudaMemcpyFromSymbol`), which then hold what was copied. The embedded device models it.
    ///
    /// # Errors
    /// [`crate::Error::BadShape`] for no bytes, or more memory than the host or the device has; of a variable, those of
    /// [`Device::write_symbol`].
    fn time_transfer(
        &mut self,
        transfer: &Transfer,
        symbol: Option<(Module, &str)>,
        calls: u32,
    ) -> Result<Vec<TransferTime>>;

    /// Allocates and frees `calls` times, and returns how long each took, nanoseconds of the host's clock. `None` on the
    /// embedded device, which has no model of it.
    ///
    /// # Errors
    /// [`simt::Error::OutOfMemory`].
    fn time_allocation(&mut self, bytes: u64, calls: u32) -> Result<Option<Vec<[f64; 2]>>>;

    /// Makes a mistake, and returns in words what the device answers. The device can be used as before afterwards.
    ///
    /// # Errors
    /// Any other error of the device.
    fn provoke(&mut self, mistake: Mistake) -> Result<String>;
}
