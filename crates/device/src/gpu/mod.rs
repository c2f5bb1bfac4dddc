//! The NVIDIA GPU, through the CUDA driver's own interface.
//!
//! Enters: what [`Device`] takes. Leaves: the driver's answers, its error codes in words. This module must never know
//! the embedded device. The driver is found at run time: without one, [`Gpu::new`] reports it and nothing else here can
//! be reached.
//!
//! The only module with `unsafe` code: every driver call is. What they all rely on, and `SAFETY` comments call "ours":
//! a handle that lies in [`Gpu`] was made by the driver for the context that [`Gpu::bind`] makes current, and is
//! removed from [`Gpu`] before it is given back.
#![allow(unsafe_code)]

mod copy;
mod kernel;
mod launch;
mod module;
mod stream;
mod texture;
mod transfer;

use std::collections::HashMap;
use std::ffi::{CStr, c_int};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use cudarc::driver::{DriverError, result, sys};

use crate::description::{Description, Kind};
use crate::device::Device;
use crate::error::{Error, Result};
use crate::handle::{Array, Buffer, Module, Resource, Surface, Texture};
use crate::region::{self, within};
use crate::region::{Extent, Pitched, Region};
use crate::step::{Launch, Mistake, Step, TransferTime};
use crate::watchdog::Watchdog;
use copy::{Side, rows, to_device, to_host};
use module::{Declared, Loaded};
use simt::texture::{Extent as Texels, Format, Sampling};
use simt::{Outcome, Transfer};

/// The oldest driver that has every call used here (cuFuncGetParamInfo came with CUDA 12.4).
const OLDEST_DRIVER: c_int = 12040;

/// Handles of all GPUs count from here, so that one of the embedded device, or of another GPU, is never taken for one
/// of this GPU.
static NEXT: AtomicUsize = AtomicUsize::new(1 << (usize::BITS - 1));

/// An NVIDIA GPU.
///
/// A kernel that faults leaves the GPU unusable for this process: from then on every call says so, and so does
/// [`Gpu::new`] (CUDA Driver API, CUDA_ERROR_ILLEGAL_ADDRESS: "the process must be terminated and relaunched").
pub struct Gpu {
    description: Description,
    context: Context,
    stream: sys::CUstream,
    limits: Limits,
    modules: HashMap<usize, Loaded>,
    /// `None` for those that were freed.
    buffers: HashMap<usize, Option<Allocation>>,
    /// `None` for those that were freed.
    arrays: HashMap<usize, Option<texture::ArrayMemory>>,
    /// Texture and surface objects.
    textures: Vec<texture::TextureObject>,
    surfaces: Vec<sys::CUsurfObject>,
    /// The kernel that faulted, if one did.
    faulted: Option<String>,
    watchdog: Option<Watchdog>,
    /// Level at which the driver's ptxas optimises, where it is not left to the driver.
    optimization: Option<u32>,
}

struct Allocation {
    address: sys::CUdeviceptr,
    bytes: u64,
}

struct Limits {
    threads: u32,
    block: [u32; 3],
    grid: [u32; 3],
    /// Shared memory a block can have when it asks for more, bytes.
    shared: u64,
}

impl Gpu {
    /// Opens the GPU with this number, in the driver's order (`CUDA_VISIBLE_DEVICES` counts).
    ///
    /// # Errors
    /// [`Error::NoGpu`] with the reason: no driver, one that is too old, no GPU, no such number.
    pub fn new(ordinal: usize) -> Result<Gpu> {
        let no_gpu = |reason: String| Error::NoGpu { reason };
        let driver = initialised().map_err(no_gpu)?;
        let failed = |call: &str| {
            let call = call.to_owned();
            move |error| no_gpu(format!("{call}: {}", text(error)))
        };

        let count = result::device::get_count().map_err(failed("cuDeviceGetCount"))?;
        let number = c_int::try_from(ordinal).unwrap_or(c_int::MAX);
        if number >= count {
            let are = if count == 1 { "there is 1".to_owned() } else { format!("there are {count}") };
            return Err(no_gpu(format!("number {ordinal} was asked for, and {are}, from 0{}", visible())));
        }
        let device = result::device::get(number).map_err(failed("cuDeviceGet"))?;
        let name = result::device::get_name(device).map_err(failed("cuDeviceGetName"))?;
        // SAFETY: `device` is from cuDeviceGet.
        let memory = unsafe { result::device::total_mem(device) }.map_err(failed("cuDeviceTotalMem"))?;
        let attribute = |attribute| {
            // SAFETY: `device` is from cuDeviceGet.
            let value = unsafe { result::device::get_attribute(device, attribute) };
            value.map(i32::unsigned_abs).map_err(failed("cuDeviceGetAttribute"))
        };
        use sys::CUdevice_attribute as Attribute;
        let description = Description {
            kind: Kind::Gpu { driver },
            name,
            compute_capability: (
                attribute(Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)?,
                attribute(Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)?,
            ),
            multiprocessors: attribute(Attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)?,
            memory_bytes: memory as u64,
        };
        let limits = Limits {
            threads: attribute(Attribute::CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK)?,
            block: [
                attribute(Attribute::CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X)?,
                attribute(Attribute::CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y)?,
                attribute(Attribute::CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z)?,
            ],
            grid: [
                attribute(Attribute::CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X)?,
                attribute(Attribute::CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y)?,
                attribute(Attribute::CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z)?,
            ],
            shared: attribute(Attribute::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN)?.into(),
        };

        let context = Context::new(device).map_err(failed("cuDevicePrimaryCtxRetain"))?;
        context.bind().map_err(failed("cuCtxSetCurrent"))?;
        // In order with the null stream, on which the copies run.
        let stream =
            result::stream::create(result::stream::StreamKind::Default).map_err(failed("cuStreamCreate"))?;
        Ok(Gpu {
            description,
            context,
            stream,
            limits,
            modules: HashMap::new(),
            buffers: HashMap::new(),
            arrays: HashMap::new(),
            textures: vec![],
            surfaces: vec![],
            faulted: None,
            optimization: None,
            watchdog: None,
        })
    }

    /// Lets a launch, or a sequence of launches and copies, take no longer than this from now on; `None` for no limit.
    /// `expired` is called on another thread with the kernel of a launch that does, while the caller still waits for
    /// it: a GPU cannot be made to stop a kernel, so the only remedy is to end the process.
    pub fn set_time_limit(&mut self, limit: Option<Duration>, expired: impl Fn(&str) + Send + 'static) {
        self.watchdog = limit.and_then(|limit| Watchdog::new(limit, expired));
    }

    /// Lets the driver's ptxas optimise modules that are loaded from now on at a level of 0 (not at all) to 4, or as the driver
    /// does by itself. What differs between levels is a defect of ptxas, or something that PTX leaves open. At any level but 0,
    /// modules with information for debuggers are refused, which the driver otherwise takes.
    pub fn set_optimization(&mut self, level: Option<u32>) {
        self.optimization = level;
    }

    /// Makes this GPU's context the current one of this thread; every call begins so.
    fn bind(&self) -> Result<()> {
        if let Some(kernel) = &self.faulted {
            return Err(Error::Driver {
                call: format!("after the fault of kernel {kernel}"),
                message: "this process can no longer use the GPU; start the program again".to_owned(),
            });
        }
        self.context.bind().map_err(driver("cuCtxSetCurrent"))
    }

    /// The address of `len` bytes of a buffer from `offset` on.
    fn place(&self, buffer: Buffer, offset: u64, len: u64) -> Result<sys::CUdeviceptr> {
        let allocation = self.allocation(buffer)?;
        within("buffer", offset, len, allocation.bytes)?;
        Ok(allocation.address + offset)
    }

    fn allocation(&self, buffer: Buffer) -> Result<&Allocation> {
        let allocation = self.buffers.get(&buffer.id).ok_or(simt::Error::ForeignHandle("buffer"))?;
        Ok(allocation.as_ref().ok_or(simt::Error::Freed)?)
    }

    /// Memory that is on no list of ours yet. The driver refuses to allocate nothing, so that is a byte.
    fn malloc(&self, bytes: u64) -> Result<sys::CUdeviceptr> {
        let asked = usize::try_from(bytes.max(1)).unwrap_or(usize::MAX);
        // SAFETY: the contents are undefined, as the trait says, and bytes of any value are bytes.
        let address = unsafe { result::malloc_sync(asked) };
        address.map_err(|error| refused(error, bytes, || format!("cuMemAlloc of {bytes} bytes")))
    }

    fn keep(&mut self, address: sys::CUdeviceptr, bytes: u64) -> Buffer {
        let id = NEXT.fetch_add(1, Ordering::Relaxed);
        self.buffers.insert(id, Some(Allocation { address, bytes }));
        Buffer { id, bytes, pitch: None }
    }
}

/// The error of an allocation.
fn refused(error: DriverError, asked: u64, call: impl FnOnce() -> String) -> Error {
    use sys::CUresult::{CUDA_ERROR_INVALID_VALUE, CUDA_ERROR_OUT_OF_MEMORY};
    // An invalid value is a size beyond anything.
    if !matches!(error.0, CUDA_ERROR_OUT_OF_MEMORY | CUDA_ERROR_INVALID_VALUE) {
        return driver(call())(error);
    }
    match result::mem_get_info() {
        Ok((free, _)) => simt::Error::OutOfMemory { asked, free: free as u64 }.into(),
        Err(error) => driver("cuMemGetInfo")(error),
    }
}

impl Device for Gpu {
    fn description(&self) -> &Description {
        &self.description
    }

    fn load(&mut self, name: &str, ptx: &str) -> Result<Module> {
        self.bind()?;
        let module = module::load(name, ptx, self.optimization)?;
        let id = NEXT.fetch_add(1, Ordering::Relaxed);
        let declared = Declared::of(ptx);
        let loaded = Loaded { module, name: name.to_owned(), declared, kernels: HashMap::new() };
        self.modules.insert(id, loaded);
        Ok(Module(id))
    }

    fn check_kernel(&mut self, module: Module, kernel: &str) -> Result<()> {
        self.bind()?;
        self.kernel(module, kernel).map(drop)
    }

    fn kernel_attributes(&mut self, module: Module, kernel: &str) -> Result<simt::KernelAttributes> {
        self.bind()?;
        let kernel = self.kernel(module, kernel)?;
        Ok(simt::KernelAttributes {
            parameters: kernel.parameters,
            shared_bytes: kernel.static_shared,
            constant_bytes: kernel.constant,
            max_threads: kernel.threads,
            registers: Some(kernel.registers),
            // The driver checks clusters itself.
            cluster: None,
            needs_cluster: false,
        })
    }

    fn symbol_address(&mut self, module: Module, name: &str) -> Result<u64> {
        Ok(self.found(module, name)?.0)
    }

    fn allocate(&mut self, bytes: u64) -> Result<Buffer> {
        self.bind()?;
        let address = self.malloc(bytes)?;
        Ok(self.keep(address, bytes))
    }

    fn allocate_pitched(&mut self, width: u64, rows: u64, element_bytes: u32) -> Result<Pitched> {
        self.bind()?;
        let (expected, _) = region::pitched(width, rows, element_bytes)?;
        let call = || format!("cuMemAllocPitch of {rows} rows of {width} bytes");
        let (mut address, mut pitch) = (0, 0);
        // Both are less than their product, which is compared with the memory there is.
        let (wide, high) =
            (usize::try_from(width).unwrap_or(usize::MAX), usize::try_from(rows).unwrap_or(usize::MAX));
        // SAFETY: writes an address and a size; the contents are undefined, as the trait says.
        unsafe { sys::cuMemAllocPitch_v2(&mut address, &mut pitch, wide, high, element_bytes) }
            .result()
            .map_err(|error| refused(error, expected, call))?;
        let pitch = pitch as u64;
        let buffer = Buffer { pitch: Some(pitch), ..self.keep(address, pitch * rows) };
        Ok(Pitched { buffer, pitch })
    }

    fn free(&mut self, buffer: Buffer) -> Result<()> {
        self.bind()?;
        let kept = self.buffers.get_mut(&buffer.id).ok_or(simt::Error::ForeignHandle("buffer"))?;
        let allocation = kept.take().ok_or(simt::Error::Freed)?;
        // SAFETY: the allocation was ours.
        unsafe { result::free_sync(allocation.address) }.map_err(driver("cuMemFree"))
    }

    fn write(&mut self, buffer: Buffer, offset: u64, bytes: &[u8]) -> Result<()> {
        self.bind()?;
        to_device(self.place(buffer, offset, bytes.len() as u64)?, bytes)
    }

    fn read(&mut self, buffer: Buffer, offset: u64, bytes: &mut [u8]) -> Result<()> {
        self.bind()?;
        to_host(self.place(buffer, offset, bytes.len() as u64)?, bytes)
    }

    fn write_3d(
        &mut self,
        to: Buffer,
        at: Region,
        from: &[u8],
        from_at: Region,
        extent: Extent,
    ) -> Result<()> {
        self.bind()?;
        let &Allocation { address, bytes } = self.allocation(to)?;
        at.check(extent, "buffer", bytes)?;
        from_at.check(extent, "host's array", from.len() as u64)?;
        let host = Side::Host(from.as_ptr().cast_mut());
        // SAFETY: both were checked; the host's side is only read.
        unsafe { rows(&Side::Device(address), at, &host, from_at, extent) }
    }

    fn read_3d(
        &mut self,
        from: Buffer,
        at: Region,
        to: &mut [u8],
        to_at: Region,
        extent: Extent,
    ) -> Result<()> {
        self.bind()?;
        let &Allocation { address, bytes } = self.allocation(from)?;
        at.check(extent, "buffer", bytes)?;
        to_at.check(extent, "host's array", to.len() as u64)?;
        // SAFETY: both were checked.
        unsafe { rows(&Side::Host(to.as_mut_ptr()), to_at, &Side::Device(address), at, extent) }
    }

    fn copy_3d(
        &mut self,
        to: Buffer,
        to_at: Region,
        from: Buffer,
        from_at: Region,
        extent: Extent,
    ) -> Result<()> {
        self.bind()?;
        let (to, from) = (self.allocation(to)?, self.allocation(from)?);
        to_at.check(extent, "buffer", to.bytes)?;
        from_at.check(extent, "buffer", from.bytes)?;
        // SAFETY: both were checked.
        unsafe { rows(&Side::Device(to.address), to_at, &Side::Device(from.address), from_at, extent) }
    }

    fn address(&self, buffer: Buffer) -> Result<u64> {
        Ok(self.allocation(buffer)?.address)
    }

    fn fill(&mut self, buffer: Buffer, word: u32) -> Result<()> {
        self.bind()?;
        let &Allocation { address, bytes } = self.allocation(buffer)?;
        let call = || format!("fill of a buffer of {bytes} bytes");
        region::words(buffer)?;
        if bytes == 0 {
            return Ok(());
        }
        // SAFETY: the words lie in an allocation of ours; it fitted a usize.
        unsafe { sys::cuMemsetD32_v2(address, word, (bytes / 4) as usize) }
            .result()
            .map_err(driver(call()))?;
        result::ctx::synchronize().map_err(driver(call()))
    }

    fn write_symbol(&mut self, module: Module, name: &str, offset: u64, bytes: &[u8]) -> Result<()> {
        to_device(self.variable(module, name, offset, bytes.len() as u64)?, bytes)
    }

    fn kernels(&self, module: Module) -> Result<Vec<String>> {
        self.bind()?;
        module::kernels(self.loaded(module)?.module)
    }

    fn symbols(&self, module: Module) -> Result<Vec<String>> {
        Ok(self.loaded(module)?.declared.variables.iter().map(|(name, _)| name.clone()).collect())
    }

    fn symbol_type(&self, module: Module, name: &str) -> Result<String> {
        self.found(module, name)?;
        let variables = &self.loaded(module)?.declared.variables;
        let declared = variables.iter().find(|(there, _)| there == name);
        Ok(declared.map_or("b8", |(_, ty)| ty).to_owned())
    }

    fn symbol_bytes(&self, module: Module, name: &str) -> Result<u64> {
        Ok(self.found(module, name)?.1)
    }

    fn read_symbol(&mut self, module: Module, name: &str, offset: u64, bytes: &mut [u8]) -> Result<()> {
        to_host(self.variable(module, name, offset, bytes.len() as u64)?, bytes)
    }

    fn name_buffer(&mut self, buffer: Buffer, _name: &str) -> Result<()> {
        self.allocation(buffer).map(drop)
    }

    fn allocate_array(&mut self, extent: Texels, format: Format) -> Result<Array> {
        self.new_array(extent, format)
    }

    fn free_array(&mut self, array: Array) -> Result<()> {
        self.give_array(array)
    }

    fn write_array(&mut self, array: Array, bytes: &[u8]) -> Result<()> {
        self.fill_array(array, bytes)
    }

    fn read_array(&mut self, array: Array, bytes: &mut [u8]) -> Result<()> {
        self.copy_array(array, bytes)
    }

    fn create_texture(&mut self, resource: &Resource, format: Format, sampling: Sampling) -> Result<Texture> {
        self.new_texture(resource, format, &sampling)
    }

    fn create_surface(&mut self, array: Array, level: u32) -> Result<Surface> {
        self.new_surface(array, level)
    }

    fn bind_texture(&mut self, module: Module, name: &str, texture: Texture) -> Result<()> {
        self.bind_reference(module, name, texture)
    }

    fn launch(&mut self, launch: &Launch) -> Result<Option<Outcome>> {
        self.run(&[Step::Launch(launch.clone())])
    }

    fn run(&mut self, steps: &[Step]) -> Result<Option<Outcome>> {
        let ready = self.ready(steps)?;
        self.run_once(ready)?;
        Ok(None)
    }

    fn time(&mut self, steps: &[Step], calls: u32) -> Result<Vec<f64>> {
        let ready = self.ready(steps)?;
        self.time_all(ready, calls)
    }

    fn resident_blocks(&mut self, launch: &Launch) -> Result<Option<u32>> {
        self.prepare(launch)?;
        let kernel = self.kernel(launch.module, &launch.kernel)?;
        self.resident(launch, &kernel).map(Some)
    }

    fn time_transfer(
        &mut self,
        transfer: &Transfer,
        symbol: Option<(Module, &str)>,
        calls: u32,
    ) -> Result<Vec<TransferTime>> {
        region::transfer(transfer)?;
        self.transfer_times(transfer, symbol, calls)
    }

    fn time_allocation(&mut self, bytes: u64, calls: u32) -> Result<Option<Vec<[f64; 2]>>> {
        self.allocation_times(bytes, calls).map(Some)
    }

    fn provoke(&mut self, mistake: Mistake) -> Result<String> {
        self.answer(mistake)
    }
}

impl Drop for Gpu {
    /// Gives everything back. What fails here, fails because the context is lost and everything with it.
    fn drop(&mut self) {
        if self.context.bind().is_err() {
            return;
        }
        for allocation in self.buffers.drain().filter_map(|(_, kept)| kept) {
            // SAFETY: the allocation was ours.
            let _ = unsafe { result::free_sync(allocation.address) };
        }
        for texture in self.textures.drain(..) {
            // SAFETY: the texture was ours.
            let _ = unsafe { sys::cuTexObjectDestroy(texture.handle) };
        }
        for surface in self.surfaces.drain(..) {
            // SAFETY: the surface was ours.
            let _ = unsafe { sys::cuSurfObjectDestroy(surface) };
        }
        for array in self.arrays.drain().filter_map(|(_, kept)| kept) {
            let _ = array.destroy();
        }
        for (_, loaded) in self.modules.drain() {
            // SAFETY: the module was ours.
            let _ = unsafe { result::module::unload(loaded.module) };
        }
        // SAFETY: the stream is ours and nothing uses it after this.
        let _ = unsafe { result::stream::destroy(self.stream) };
    }
}

/// A device's primary context, given back when dropped.
struct Context {
    device: sys::CUdevice,
    context: sys::CUcontext,
}

impl Context {
    fn new(device: sys::CUdevice) -> std::result::Result<Self, DriverError> {
        // SAFETY: the only caller has `device` from cuDeviceGet.
        let context = unsafe { result::primary_ctx::retain(device) }?;
        Ok(Context { device, context })
    }

    fn bind(&self) -> std::result::Result<(), DriverError> {
        // SAFETY: the context is retained as long as `self` is there.
        unsafe { result::ctx::set_current(self.context) }
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        // SAFETY: retained once, by `new`.
        let _ = unsafe { result::primary_ctx::release(self.device) };
    }
}

/// Starts the driver, and returns its version, or in words why it cannot be used.
fn initialised() -> std::result::Result<String, String> {
    if cfg!(all(target_env = "musl", target_feature = "crt-static")) {
        return Err(
            "this program is static, and can load no driver; take the one for x86_64-unknown-linux-gnu, \
                    which can"
                .to_owned(),
        );
    }
    // SAFETY: loading the driver's library runs its initialisers, which is what is wanted.
    if !unsafe { sys::is_culib_present() } {
        let library = if cfg!(windows) { "nvcuda.dll" } else { "libcuda.so.1" };
        return Err(format!(
            "no NVIDIA driver was found ({library}); where there is a GPU, install its driver"
        ));
    }
    let mut version: c_int = 0;
    // SAFETY: writes one int; may be called before cuInit.
    unsafe { sys::cuDriverGetVersion(&mut version) }
        .result()
        .map_err(|error| format!("cuDriverGetVersion: {}", text(error)))?;
    let in_words = |version: c_int| format!("{}.{}", version / 1000, version % 1000 / 10);
    if version < OLDEST_DRIVER {
        let (found, needed) = (in_words(version), in_words(OLDEST_DRIVER));
        return Err(format!(
            "the driver is for CUDA {found}, and CUDA {needed} is needed: update the driver"
        ));
    }
    match result::init() {
        Ok(()) => Ok(in_words(version)),
        Err(DriverError(sys::CUresult::CUDA_ERROR_NO_DEVICE)) => {
            Err(format!("the driver is installed, but finds no GPU{}", visible()))
        }
        Err(error) => Err(format!("cuInit: {}", text(error))),
    }
}

/// Addition of `CUDA_VISIBLE_DEVICES` to a message about missing GPUs.
fn visible() -> String {
    match std::env::var_os("CUDA_VISIBLE_DEVICES") {
        Some(value) => format!(" (CUDA_VISIBLE_DEVICES is `{}`)", value.to_string_lossy()),
        None => String::new(),
    }
}

/// The driver's name of an error and its text, such as `CUDA_ERROR_ILLEGAL_ADDRESS: an illegal memory access was …`.
fn text(error: DriverError) -> String {
    let or_debug = |text: std::result::Result<&CStr, DriverError>| match text {
        Ok(text) => text.to_string_lossy().into_owned(),
        Err(_) => format!("{:?}", error.0),
    };
    format!("{}: {}", or_debug(error.error_name()), or_debug(error.error_string()))
}

/// The error of a driver call, for `map_err`.
fn driver(call: impl Into<String>) -> impl FnOnce(DriverError) -> Error {
    let call = call.into();
    move |error| Error::Driver { call, message: text(error) }
}
