//! The NVIDIA GPU, through the CUDA driver's own interface.
//!
//! Enters: what [`Device`] takes. Leaves: the driver's answers, its error codes in words. Must never know the embedded
//! device. The driver is found at run time: without one, [`Gpu::new`] says so and nothing else here can be reached.
//!
//! The only module with `unsafe` code: every driver call is. What they all rely on, and `SAFETY` comments call "ours":
//! a handle that lies in [`Gpu`] was made by the driver for the context that [`Gpu::bind`] makes current, and is removed
//! from [`Gpu`] before it is given back.
#![allow(unsafe_code)]

use std::collections::HashMap;
use std::ffi::{CStr, CString, c_int, c_uint, c_void};
use std::sync::atomic::{AtomicUsize, Ordering};

use cudarc::driver::{DriverError, result, sys};

use crate::{Arg, Buffer, Description, Device, Error, Kind, Launch, Module, Outcome, Result};

/// The oldest driver that has every call used here (cuFuncGetParamInfo came with CUDA 12.4).
const OLDEST_DRIVER: c_int = 12040;

/// Launches between two synchronisations of [`Device::time`], well within the driver's queue. The first of them starts on
/// an idle GPU, so its time also holds the launch's latency: some 10 µs on an H200.
const BATCH: u32 = 256;

/// Shared memory a block can have without asking for more, bytes (CUDA C++ Programming Guide, "Compute capabilities").
const SHARED_WITHOUT_ASKING: u64 = 48 << 10;

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
    buffers: HashMap<usize, Allocation>,
    /// The kernel that faulted, if one did.
    faulted: Option<String>,
}

struct Loaded {
    module: sys::CUmodule,
    name: String,
    ptx: String,
    kernels: HashMap<String, Kernel>,
}

#[derive(Clone)]
struct Kernel {
    function: sys::CUfunction,
    /// Size of each parameter, bytes.
    parameters: Vec<usize>,
    /// Threads a block, as far as its registers allow.
    threads: u32,
    static_shared: u64,
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
            faulted: None,
        })
    }

    /// Makes this GPU's context the current one of this thread; every call begins so.
    fn bind(&self) -> Result<()> {
        if let Some(kernel) = &self.faulted {
            return Err(Error::Driver {
                call: format!("after the fault of kernel {kernel}"),
                message: "this process can no longer use the GPU; start the program anew".to_owned(),
            });
        }
        self.context.bind().map_err(driver("cuCtxSetCurrent"))
    }

    /// The address of `len` bytes of a buffer from `offset` on.
    fn address(&self, buffer: Buffer, offset: u64, len: usize) -> Result<sys::CUdeviceptr> {
        let allocation = self.allocation(buffer)?;
        within("buffer", offset, len, allocation.bytes)?;
        Ok(allocation.address + offset)
    }

    fn allocation(&self, buffer: Buffer) -> Result<&Allocation> {
        Ok(self.buffers.get(&buffer.id).ok_or(simt::Error::ForeignHandle("buffer"))?)
    }

    /// A kernel with what is known of it, found once.
    fn kernel(&mut self, module: Module, name: &str) -> Result<Kernel> {
        let loaded = self.modules.get_mut(&module.0).ok_or(simt::Error::ForeignHandle("module"))?;
        if let Some(kernel) = loaded.kernels.get(name) {
            return Ok(kernel.clone());
        }
        let found = c_string(name).and_then(|name| {
            // SAFETY: the module is ours.
            match unsafe { result::module::get_function(loaded.module, name) } {
                Err(DriverError(sys::CUresult::CUDA_ERROR_NOT_FOUND)) => None,
                found => Some(found),
            }
        });
        let Some(found) = found else {
            let (module, there) = (loaded.name.clone(), kernels(loaded.module)?);
            return Err(simt::Error::MissingKernel { kernel: name.to_owned(), module, there }.into());
        };
        let function = found.map_err(driver(format!("kernel {name}")))?;
        let attribute = |attribute| {
            // SAFETY: the function is of a module that is ours.
            let value = unsafe { result::function::get_function_attribute(function, attribute) };
            value.map(i32::unsigned_abs).map_err(driver("cuFuncGetAttribute"))
        };
        use sys::CUfunction_attribute as Attribute;
        let kernel = Kernel {
            function,
            parameters: parameters(function)?,
            threads: attribute(Attribute::CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK)?,
            static_shared: attribute(Attribute::CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES)?.into(),
        };
        loaded.kernels.insert(name.to_owned(), kernel.clone());
        Ok(kernel)
    }

    /// Checks a launch and makes it ready, so that only the driver's own failures are left.
    fn prepare(&mut self, launch: &Launch) -> Result<Prepared> {
        self.bind()?;
        let kernel = self.kernel(launch.module, &launch.kernel)?;
        self.check_shape(launch, &kernel)?;
        let dynamic = u64::from(launch.shared_bytes);
        if kernel.static_shared + dynamic > SHARED_WITHOUT_ASKING {
            let attribute = sys::CUfunction_attribute::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
            // check_shape compared it with the limit, an i32.
            let bytes = i32::try_from(dynamic).unwrap_or(i32::MAX);
            // SAFETY: the function is of a module that is ours.
            unsafe { result::function::set_function_attribute(kernel.function, attribute, bytes) }.map_err(
                driver(format!("kernel {} with {bytes} bytes of dynamic shared memory", launch.kernel)),
            )?;
        }

        let arguments = launch.args.iter().map(|arg| self.bytes(arg)).collect::<Result<Vec<_>>>()?;
        let refused =
            |message| Err(Error::Simt(simt::Error::BadArguments { kernel: launch.kernel.clone(), message }));
        if arguments.len() != kernel.parameters.len() {
            let message = format!("{} arguments for {} parameters", arguments.len(), kernel.parameters.len());
            return refused(message);
        }
        for (number, (argument, &bytes)) in arguments.iter().zip(&kernel.parameters).enumerate() {
            if argument.len() != bytes {
                let message =
                    format!("argument {number} has {} bytes, its parameter {bytes}", argument.len());
                return refused(message);
            }
        }
        // The driver copies from these at each launch; whole words align them as their types want.
        let arguments = arguments
            .iter()
            .map(|bytes| {
                let mut words = vec![0_u64; bytes.len().div_ceil(8)];
                for (word, bytes) in words.iter_mut().zip(bytes.chunks(8)) {
                    let mut whole = [0; 8];
                    whole[..bytes.len()].copy_from_slice(bytes);
                    *word = u64::from_ne_bytes(whole);
                }
                words
            })
            .collect();
        Ok(Prepared { function: kernel.function, arguments })
    }

    /// Refuses what the driver would only call an "invalid argument".
    fn check_shape(&self, launch: &Launch, kernel: &Kernel) -> Result<()> {
        let refused = |message| {
            Err(Error::Simt(simt::Error::TooManyThreads { kernel: launch.kernel.clone(), message }))
        };
        for (what, sizes, limits) in
            [("grid", launch.grid, self.limits.grid), ("block", launch.block, self.limits.block)]
        {
            for ((size, limit), axis) in sizes.into_iter().zip(limits).zip(["x", "y", "z"]) {
                if size == 0 || size > limit {
                    return refused(format!("{what} size {size} in {axis}, must be from 1 to {limit}"));
                }
            }
        }
        let threads: u64 = launch.block.into_iter().map(u64::from).product(); // each at most 1024, as checked
        if threads > u64::from(self.limits.threads) {
            return refused(format!(
                "{threads} threads a block, at most {} are allowed",
                self.limits.threads
            ));
        }
        if threads > u64::from(kernel.threads) {
            let message =
                format!("{threads} threads a block, its registers or bounds allow {}", kernel.threads);
            return refused(message);
        }
        let bytes = kernel.static_shared + u64::from(launch.shared_bytes);
        if bytes > self.limits.shared {
            let (kernel, chip) = (launch.kernel.clone(), self.description.name.clone());
            return Err(Error::Simt(simt::Error::TooMuchShared {
                kernel,
                bytes,
                chip,
                limit: self.limits.shared,
            }));
        }
        if launch.cooperative { self.check_cooperative(launch, kernel, threads) } else { Ok(()) }
    }

    /// The blocks of a cooperative launch must fit the GPU together.
    fn check_cooperative(&self, launch: &Launch, kernel: &Kernel, threads: u64) -> Result<()> {
        let mut of_one = 0;
        // SAFETY: the function is of a module that is ours; writes one int. check_shape compared the threads with the
        // limit, an int.
        unsafe {
            sys::cuOccupancyMaxActiveBlocksPerMultiprocessor(
                &mut of_one,
                kernel.function,
                threads as c_int,
                launch.shared_bytes as usize,
            )
        }
        .result()
        .map_err(driver("cuOccupancyMaxActiveBlocksPerMultiprocessor"))?;
        let multiprocessors = self.description.multiprocessors;
        let capacity = u64::from(of_one.unsigned_abs()) * u64::from(multiprocessors);
        let blocks: u64 = launch.grid.into_iter().map(u64::from).fold(1, u64::saturating_mul);
        if blocks <= capacity {
            return Ok(());
        }
        let message = format!(
            "{blocks} blocks in a cooperative launch, and {} has room for {capacity} at a time: {of_one} on each of its \
             {multiprocessors} multiprocessors",
            self.description.name
        );
        Err(Error::Simt(simt::Error::TooManyThreads { kernel: launch.kernel.clone(), message }))
    }

    /// An argument as it lies in memory.
    fn bytes(&self, arg: &Arg) -> Result<Vec<u8>> {
        Ok(match arg {
            Arg::Buffer { buffer, offset } => {
                self.allocation(*buffer)?.address.wrapping_add(*offset).to_ne_bytes().to_vec()
            }
            Arg::I32(value) => value.to_ne_bytes().to_vec(),
            Arg::U32(value) => value.to_ne_bytes().to_vec(),
            Arg::I64(value) => value.to_ne_bytes().to_vec(),
            Arg::U64(value) => value.to_ne_bytes().to_vec(),
            Arg::F32(value) => value.to_ne_bytes().to_vec(),
            Arg::F64(value) => value.to_ne_bytes().to_vec(),
            Arg::Bytes(bytes) => bytes.clone(),
        })
    }

    /// Queues a prepared launch.
    fn enqueue(&self, launch: &Launch, prepared: &mut Prepared) -> Result<()> {
        let mut pointers: Vec<*mut c_void> =
            prepared.arguments.iter_mut().map(|words| words.as_mut_ptr().cast()).collect();
        use sys::CUlaunchAttributeID as Id;
        let attribute = |id, value| sys::CUlaunchAttribute { id, pad: [0; 4], value };
        let mut attributes = vec![];
        if let Some([x, y, z]) = launch.cluster {
            let cluster = sys::CUlaunchAttributeValue_union__bindgen_ty_1 { x, y, z };
            let value = sys::CUlaunchAttributeValue { clusterDim: cluster };
            attributes.push(attribute(Id::CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, value));
        }
        if launch.cooperative {
            let value = sys::CUlaunchAttributeValue { cooperative: 1 };
            attributes.push(attribute(Id::CU_LAUNCH_ATTRIBUTE_COOPERATIVE, value));
        }
        let config = sys::CUlaunchConfig {
            gridDimX: launch.grid[0],
            gridDimY: launch.grid[1],
            gridDimZ: launch.grid[2],
            blockDimX: launch.block[0],
            blockDimY: launch.block[1],
            blockDimZ: launch.block[2],
            sharedMemBytes: launch.shared_bytes,
            hStream: self.stream,
            attrs: attributes.as_mut_ptr(),
            numAttrs: attributes.len() as c_uint,
        };
        // SAFETY: the function is of a module that is ours and so is the stream; there is one pointer for each
        // parameter, to as many bytes as it has, and as many attributes as `config` says. What the kernel does with
        // device memory cannot reach the host's.
        unsafe {
            sys::cuLaunchKernelEx(&config, prepared.function, pointers.as_mut_ptr(), std::ptr::null_mut())
        }
        .result()
        .map_err(driver(format!("launch of kernel {}", launch.kernel)))
    }

    /// Waits for what is queued. An error here is the kernel's.
    fn finish(&mut self, launch: &Launch) -> Result<()> {
        // SAFETY: the stream is ours.
        let result = unsafe { result::stream::synchronize(self.stream) };
        result.map_err(|error| {
            self.faulted = Some(launch.kernel.clone());
            let Launch { kernel, grid, block, .. } = launch;
            match driver(String::new())(error) {
                Error::Driver { message, .. } => {
                    Error::GpuFault { kernel: format!("{kernel}, grid {grid:?}, block {block:?}"), message }
                }
                other => other,
            }
        })
    }

    /// At most [`BATCH`] launches, each between two events; nanoseconds.
    fn time_batch(&mut self, launch: &Launch, prepared: &mut Prepared, calls: u32) -> Result<Vec<f64>> {
        let events = (0..=calls).map(|_| Event::new()).collect::<std::result::Result<Vec<_>, _>>();
        let events = events.map_err(driver("cuEventCreate"))?;
        let mut queued = Ok(());
        for (number, event) in events.iter().enumerate() {
            if number > 0 {
                queued = self.enqueue(launch, prepared);
            }
            // SAFETY: the event and the stream are ours.
            queued = queued.and_then(|()| {
                unsafe { result::event::record(event.0, self.stream) }.map_err(driver("cuEventRecord"))
            });
            if queued.is_err() {
                break;
            }
        }
        self.finish(launch)?; // in any case: nothing may still run when this returns
        queued?;
        let elapsed = |pair: &[Event]| {
            // SAFETY: both events are ours, were recorded on one stream and are done.
            unsafe { result::event::elapsed(pair[0].0, pair[1].0) }
        };
        events
            .windows(2)
            .map(|pair| elapsed(pair).map(|ms| f64::from(ms) * 1e6).map_err(driver("cuEventElapsedTime")))
            .collect()
    }
}

impl Gpu {
    /// The address `offset` bytes past a module's variable, of which `len` bytes are inside of it.
    fn variable(&self, module: Module, name: &str, offset: u64, len: usize) -> Result<sys::CUdeviceptr> {
        self.bind()?;
        let loaded = self.modules.get(&module.0).ok_or(simt::Error::ForeignHandle("module"))?;
        let found = c_string(name).and_then(|name| {
            // SAFETY: the module is ours.
            match unsafe { result::module::get_global(loaded.module, name) } {
                Err(DriverError(sys::CUresult::CUDA_ERROR_NOT_FOUND)) => None,
                found => Some(found),
            }
        });
        let Some(found) = found else {
            let (module, there) = (loaded.name.clone(), variables(&loaded.ptx));
            return Err(simt::Error::MissingSymbol { symbol: name.to_owned(), module, there }.into());
        };
        let (address, size) = found.map_err(driver(format!("symbol {name}")))?;
        within(&format!("symbol {name}"), offset, len, size as u64)?;
        Ok(address + offset)
    }
}

impl Device for Gpu {
    fn description(&self) -> &Description {
        &self.description
    }

    fn load(&mut self, name: &str, ptx: &str) -> Result<Module> {
        self.bind()?;
        let module = load(name, ptx)?;
        let id = NEXT.fetch_add(1, Ordering::Relaxed);
        let loaded = Loaded { module, name: name.to_owned(), ptx: ptx.to_owned(), kernels: HashMap::new() };
        self.modules.insert(id, loaded);
        Ok(Module(id))
    }

    fn allocate(&mut self, bytes: u64) -> Result<Buffer> {
        self.bind()?;
        let asked = usize::try_from(bytes.max(1)).unwrap_or(usize::MAX); // the driver refuses to allocate nothing
        // SAFETY: the contents are undefined, as the trait says, and bytes of any value are bytes.
        let address = match unsafe { result::malloc_sync(asked) } {
            // An invalid value is a size beyond anything.
            Err(DriverError(
                sys::CUresult::CUDA_ERROR_OUT_OF_MEMORY | sys::CUresult::CUDA_ERROR_INVALID_VALUE,
            )) => {
                let (free, _) = result::mem_get_info().map_err(driver("cuMemGetInfo"))?;
                return Err(simt::Error::OutOfMemory { asked: bytes, free: free as u64 }.into());
            }
            address => address.map_err(driver(format!("cuMemAlloc of {bytes} bytes")))?,
        };
        let id = NEXT.fetch_add(1, Ordering::Relaxed);
        self.buffers.insert(id, Allocation { address, bytes });
        Ok(Buffer { id, bytes })
    }

    fn free(&mut self, buffer: Buffer) -> Result<()> {
        self.bind()?;
        let allocation = self.buffers.remove(&buffer.id).ok_or(simt::Error::ForeignHandle("buffer"))?;
        // SAFETY: the allocation was ours.
        unsafe { result::free_sync(allocation.address) }.map_err(driver("cuMemFree"))
    }

    fn write(&mut self, buffer: Buffer, offset: u64, bytes: &[u8]) -> Result<()> {
        self.bind()?;
        to_device(self.address(buffer, offset, bytes.len())?, bytes)
    }

    fn read(&mut self, buffer: Buffer, offset: u64, bytes: &mut [u8]) -> Result<()> {
        self.bind()?;
        to_host(self.address(buffer, offset, bytes.len())?, bytes)
    }

    fn fill(&mut self, buffer: Buffer, word: u32) -> Result<()> {
        self.bind()?;
        let &Allocation { address, bytes } = self.allocation(buffer)?;
        let call = || format!("fill of a buffer of {bytes} bytes");
        if bytes % 4 != 0 {
            return Err(Error::Driver { call: call(), message: "its size is no multiple of 4".to_owned() });
        }
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
        to_device(self.variable(module, name, offset, bytes.len())?, bytes)
    }

    fn read_symbol(&mut self, module: Module, name: &str, offset: u64, bytes: &mut [u8]) -> Result<()> {
        to_host(self.variable(module, name, offset, bytes.len())?, bytes)
    }

    fn name_buffer(&mut self, buffer: Buffer, _name: &str) -> Result<()> {
        self.address(buffer, 0, 0).map(drop)
    }

    fn launch(&mut self, launch: &Launch) -> Result<Option<Outcome>> {
        let mut prepared = self.prepare(launch)?;
        self.enqueue(launch, &mut prepared)?;
        self.finish(launch)?;
        Ok(None)
    }

    fn time(&mut self, launch: &Launch, calls: u32) -> Result<Vec<f64>> {
        let mut prepared = self.prepare(launch)?;
        let mut times = Vec::new();
        let mut left = calls;
        while left > 0 {
            let batch = left.min(BATCH);
            times.extend(self.time_batch(launch, &mut prepared, batch)?);
            left -= batch;
        }
        Ok(times)
    }
}

impl Drop for Gpu {
    /// Gives everything back. What fails here, fails because the context is lost and everything with it.
    fn drop(&mut self) {
        if self.context.bind().is_err() {
            return;
        }
        for (_, allocation) in self.buffers.drain() {
            // SAFETY: the allocation was ours.
            let _ = unsafe { result::free_sync(allocation.address) };
        }
        for (_, loaded) in self.modules.drain() {
            // SAFETY: the module was ours.
            let _ = unsafe { result::module::unload(loaded.module) };
        }
        // SAFETY: the stream is ours and nothing uses it after this.
        let _ = unsafe { result::stream::destroy(self.stream) };
    }
}

/// A launch that fits its kernel.
struct Prepared {
    function: sys::CUfunction,
    /// Each argument as whole words.
    arguments: Vec<Vec<u64>>,
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

/// An event that takes times.
struct Event(sys::CUevent);

impl Event {
    fn new() -> std::result::Result<Self, DriverError> {
        result::event::create(sys::CUevent_flags::CU_EVENT_DEFAULT).map(Event)
    }
}

impl Drop for Event {
    fn drop(&mut self) {
        // SAFETY: made by `new`, and nobody else has it.
        let _ = unsafe { result::event::destroy(self.0) };
    }
}

/// Starts the driver, and returns its version, or in words why it cannot be used.
fn initialised() -> std::result::Result<String, String> {
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
            Err(format!("the driver is there, and finds no GPU{}", visible()))
        }
        Err(error) => Err(format!("cuInit: {}", text(error))),
    }
}

/// What `CUDA_VISIBLE_DEVICES` adds to a message about missing GPUs.
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

/// Names of a module's `__constant__` and `__device__` variables, which the driver does not list. For messages only:
/// PTX that the driver reads and our parser does not has none.
fn variables(ptx: &str) -> Vec<String> {
    let variables = ptx::parse(ptx).map(|module| module.variables).unwrap_or_default();
    variables.iter().filter(|v| matches!(v.space, "const" | "global")).map(|v| v.name.to_owned()).collect()
}

fn within(what: &str, offset: u64, len: usize, bytes: u64) -> Result<()> {
    let len = len as u64;
    match offset.checked_add(len) {
        Some(end) if end <= bytes => Ok(()),
        _ => Err(simt::Error::OutOfRange { what: what.to_owned(), offset, len, bytes }.into()),
    }
}

/// A name for the driver; an empty one, or one with a NUL in it, names nothing.
fn c_string(name: &str) -> Option<CString> {
    if name.is_empty() { None } else { CString::new(name).ok() }
}

/// Copies to the host from `address`, where as many bytes are ours.
fn to_host(address: sys::CUdeviceptr, bytes: &mut [u8]) -> Result<()> {
    if bytes.is_empty() {
        return Ok(());
    }
    let call = format!("cuMemcpyDtoH of {} bytes", bytes.len());
    // SAFETY: as the caller checked; nothing is running.
    unsafe { result::memcpy_dtoh_sync(bytes, address) }.map_err(driver(call))
}

/// Copies to an address whose `bytes.len()` bytes the caller has checked to be ours.
fn to_device(address: sys::CUdeviceptr, bytes: &[u8]) -> Result<()> {
    if bytes.is_empty() {
        return Ok(());
    }
    let call = format!("cuMemcpyHtoD of {} bytes", bytes.len());
    // SAFETY: as the caller checked; nothing is running.
    unsafe { result::memcpy_htod_sync(address, bytes) }.map_err(driver(call.clone()))?;
    // From pageable memory the call may return before the last bytes have arrived.
    result::ctx::synchronize().map_err(driver(call))
}

/// Loads PTX into the current context. What the driver's compiler says is in the error.
fn load(name: &str, ptx: &str) -> Result<sys::CUmodule> {
    let bad = |line, message: String| {
        let place = simt::Place { ptx: name.to_owned(), at: (line, 1), source: None };
        Error::Simt(simt::Error::BadPtx { place, message })
    };
    // The driver also takes machine code, by its first bytes, and then reads as far as that says.
    let (Ok(image), true) = (CString::new(ptx), ptx.contains(".version") && !ptx.starts_with('\x7f')) else {
        return Err(bad(1, "this is no PTX: it has no .version directive, or a NUL".to_owned()));
    };

    let mut log = [0_u8; 8 << 10];
    let mut options = [
        sys::CUjit_option::CU_JIT_ERROR_LOG_BUFFER,
        sys::CUjit_option::CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES,
        sys::CUjit_option::CU_JIT_GENERATE_LINE_INFO, // for profilers
    ];
    let mut values: [*mut c_void; 3] = [
        log.as_mut_ptr().cast(),
        std::ptr::without_provenance_mut(log.len()),
        std::ptr::without_provenance_mut(1),
    ];
    let mut module = std::ptr::null_mut();
    // SAFETY: the image is text that ends with a NUL; each option has its value, integers as the manual wants them; the
    // log is as long as it says and outlives the call.
    let status = unsafe {
        sys::cuModuleLoadDataEx(
            &mut module,
            image.as_ptr().cast(),
            options.len() as c_uint,
            options.as_mut_ptr(),
            values.as_mut_ptr(),
        )
    };
    let log = CStr::from_bytes_until_nul(&log).map(CStr::to_string_lossy).unwrap_or_default();
    let log = log.trim();
    match status.result() {
        Ok(()) => Ok(module),
        Err(DriverError(sys::CUresult::CUDA_ERROR_INVALID_PTX)) if !log.is_empty() => {
            Err(bad(line(log), log.to_owned()))
        }
        Err(error) => {
            let mut message = text(error);
            if error.0 == sys::CUresult::CUDA_ERROR_UNSUPPORTED_PTX_VERSION {
                message += "\n  a compiler newer than the driver made it: update the driver";
            }
            if !log.is_empty() {
                message = format!("{message}\n{log}");
            }
            Err(Error::Driver { call: format!("loading {name}"), message })
        }
    }
}

/// The line that ptxas names first (`ptxas application ptx input, line 7; error : …`), or 1.
fn line(log: &str) -> u32 {
    let digits = log.split_once(", line ").map_or("", |(_, rest)| rest);
    let end = digits.find(|it: char| !it.is_ascii_digit()).unwrap_or(digits.len());
    digits[..end].parse().unwrap_or(1)
}

/// Names of a module's kernels.
fn kernels(module: sys::CUmodule) -> Result<Vec<String>> {
    let mut count: c_uint = 0;
    // SAFETY: the module is ours; writes one int.
    unsafe { sys::cuModuleGetFunctionCount(&mut count, module) }
        .result()
        .map_err(driver("cuModuleGetFunctionCount"))?;
    let mut functions: Vec<sys::CUfunction> = vec![std::ptr::null_mut(); count as usize];
    // SAFETY: the module is ours; there is room for `count` functions.
    unsafe { sys::cuModuleEnumerateFunctions(functions.as_mut_ptr(), count, module) }
        .result()
        .map_err(driver("cuModuleEnumerateFunctions"))?;
    functions
        .into_iter()
        .map(|function| {
            let mut name = std::ptr::null();
            // SAFETY: the function is of our module; writes one pointer.
            unsafe { sys::cuFuncGetName(&mut name, function) }.result().map_err(driver("cuFuncGetName"))?;
            // SAFETY: a C string that lives as long as the module, by the manual.
            Ok(unsafe { CStr::from_ptr(name) }.to_string_lossy().into_owned())
        })
        .collect()
}

/// Sizes of a kernel's parameters, bytes.
fn parameters(function: sys::CUfunction) -> Result<Vec<usize>> {
    let mut sizes = Vec::new();
    loop {
        let (mut offset, mut size) = (0, 0);
        // SAFETY: the function is of a module of ours; writes two integers.
        match unsafe { sys::cuFuncGetParamInfo(function, sizes.len(), &mut offset, &mut size) } {
            sys::CUresult::CUDA_SUCCESS => sizes.push(size),
            sys::CUresult::CUDA_ERROR_INVALID_VALUE => return Ok(sizes), // the index after the last
            error => return Err(driver("cuFuncGetParamInfo")(DriverError(error))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_must_lie_inside() {
        assert!(within("buffer", 0, 0, 0).is_ok());
        assert!(within("buffer", 4, 4, 8).is_ok());
        assert!(within("buffer", 8, 0, 8).is_ok());
        for (offset, len) in [(5, 4), (9, 0), (u64::MAX, 1), (u64::MAX, usize::MAX)] {
            assert!(
                matches!(within("buffer", offset, len, 8), Err(Error::Simt(simt::Error::OutOfRange { .. }))),
                "{offset}, {len}"
            );
        }
    }

    #[test]
    fn the_line_in_ptxas_log_is_found() {
        assert_eq!(line("ptxas application ptx input, line 17; error   : Unknown symbol 'x'"), 17);
        assert_eq!(line("ptxas fatal   : something"), 1);
    }

    #[test]
    fn variables_of_a_module_are_listed_and_nothing_else() {
        let ptx = r#"
            .version 8.0 .target sm_52 .address_size 64
            // .const .f32 in_a_comment;
            .const .align 4 .b8 coef[20];
            .visible .global .align 8 .u64 counter = 7;
            .global .align 4 .f32 table[2] = {0f3F800000, 0f40000000};
            .extern .shared .align 16 .b8 smem[];
            .visible .entry k(.param .u64 p) {
                .reg .f32 %f<2>;
                ld.const.f32 %f1, [coef];
                st.global.f32 [%rd1], %f1;
                ret;
            }
            .file 1 ".const .u32 in_a_string;"
            .global .f32 last;"#;
        assert_eq!(variables(ptx), ["coef", "counter", "table", "last"]);
    }

    #[test]
    fn text_that_is_no_ptx_has_no_variables() {
        for text in ["", "/*", "//", "\"", "}}{;=[", ".const", "ä.const ö;"] {
            assert!(variables(text).is_empty(), "{text}");
        }
    }
}
