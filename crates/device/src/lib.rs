//! One trait, two devices: the embedded SIMT device, and an NVIDIA GPU through the CUDA driver.
//!
//! Enters: PTX text, bytes, launches. Leaves: bytes, times, and on the embedded device counters. This crate must never
//! know what a lab wants to learn from them.
//!
//! ```
//! use device::{Arg, Device, Embedded, Launch};
//!
//! let mut device = Embedded::new("h200")?;
//! let module = device.load(
//!     "twice.ptx",
//!     ".version 8.8
//!     .target sm_52
//!     .address_size 64
//!     .visible .entry twice(.param .u64 data)
//!     {
//!         .reg .b32 %r<3>;
//!         .reg .b64 %rd<4>;
//!         ld.param.u64 %rd1, [data];
//!         mov.u32 %r1, %tid.x;
//!         mul.wide.u32 %rd2, %r1, 4;
//!         add.s64 %rd3, %rd1, %rd2;
//!         ld.global.u32 %r2, [%rd3];
//!         add.s32 %r2, %r2, %r2;
//!         st.global.u32 [%rd3], %r2;
//!         ret;
//!     }",
//! )?;
//! let data = device.allocate(32 * 4)?;
//! device.fill(data, 21)?;
//! let launched = device.launch(&Launch {
//!     module,
//!     kernel: "twice".into(),
//!     grid: [1, 1, 1],
//!     block: [32, 1, 1],
//!     shared_bytes: 0,
//!     args: vec![Arg::from(data)],
//!     cluster: None,
//!     cooperative: false,
//! })?;
//!
//! let mut word = [0; 4];
//! device.read(data, 31 * 4, &mut word)?;
//! assert_eq!(u32::from_le_bytes(word), 42);
//!
//! // A GPU gives no outcome here; the embedded device counts: 32 words of 4 bytes are 4 sectors.
//! let counters = launched.map(|outcome| outcome.counters).unwrap_or_default();
//! assert_eq!((counters.global_load_requests, counters.global_load_sectors), (1, 4));
//! # Ok::<(), device::Error>(())
//! ```

mod arg;
mod embedded;
mod error;
mod gpu;
mod region;
mod step;
mod watchdog;

pub use arg::Arg;
pub use embedded::Embedded;
pub use error::Error;
pub use gpu::Gpu;
pub use region::{Extent, PITCH_ALIGNMENT, Pitched, Region};
pub use simt::{
    Access, AccessKind, Chip, Counters, Direction, Error as SimtError, Fault, FaultKind, HostMemory,
    InstructionProfile, Options, Outcome, Part, Place, Space, Trace, Transfer,
};
pub use step::{Launch, Mistake, Step};

/// The result of everything a device does.
pub type Result<T> = std::result::Result<T, Error>;

/// Name and properties of a device.
#[derive(Clone, Debug, PartialEq)]
pub struct Description {
    /// Kind of device, which tells whether its times are measured or modelled.
    pub kind: Kind,
    /// Name of the chip: the GPU's as the driver reports it, or that of the modelled chip.
    pub name: String,
    /// Major and minor compute capability.
    pub compute_capability: (u32, u32),
    /// Number of streaming multiprocessors.
    pub multiprocessors: u32,
    /// Memory that can be allocated, bytes.
    pub memory_bytes: u64,
}

/// The two kinds of device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// An NVIDIA GPU; times are measured by its events.
    Gpu {
        /// Driver API version, such as `13.0`.
        driver: String,
    },
    /// The embedded device; times are modelled for the chip file of this name.
    Embedded {
        /// Name of the chip file, such as `h200`.
        chip: String,
    },
}

/// A loaded module of the device that returned it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Module(pub(crate) usize);

/// Device memory of the device that returned it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Buffer {
    pub(crate) id: usize,
    pub(crate) bytes: u64,
}

impl Buffer {
    /// Size of the buffer, bytes.
    pub fn bytes(self) -> u64 {
        self.bytes
    }
}

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
    /// PTX that cannot be read or holds what the device does not support, with file, line and column.
    fn load(&mut self, name: &str, ptx: &str) -> Result<Module>;

    /// Allocates device memory, at least 256-byte aligned.
    ///
    /// # Errors
    /// [`simt::Error::OutOfMemory`], with what was asked for and what there is.
    fn allocate(&mut self, bytes: u64) -> Result<Buffer>;

    /// Allocates rows of `width` bytes that begin at multiples of [`PITCH_ALIGNMENT`] (`cuMemAllocPitch`; `cudaMalloc3D`
    /// with `rows` the height times the depth). `element_bytes`: the widest access that a kernel makes, 4, 8 or 16; the
    /// pitch is the same for all three.
    ///
    /// # Errors
    /// [`Error::BadShape`] for no bytes, other elements, or more than 2^64 bytes; [`simt::Error::OutOfMemory`].
    fn allocate_pitched(&mut self, width: u64, rows: u64, element_bytes: u32) -> Result<Pitched>;

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

    /// Copies to the host, from `offset` bytes past the buffer's start.
    ///
    /// # Errors
    /// A range that does not lie in the buffer.
    fn read(&mut self, buffer: Buffer, offset: u64, bytes: &mut [u8]) -> Result<()>;

    /// Copies rows and slices from the host (`cudaMemcpy2D`, `cudaMemcpy3D`): `extent` of them, which lie in the buffer as
    /// `at` says and in `from` as `from_at` says. What lies between the rows stays as it is.
    ///
    /// # Errors
    /// [`Error::BadShape`] for an extent with a zero, or rows or slices that run into each other;
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

    /// Copies rows and slices inside of the device's memory. What is read and what is written may not overlap: which
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
    /// A buffer whose size is no multiple of 4.
    fn fill(&mut self, buffer: Buffer, word: u32) -> Result<()>;

    /// Writes a `__constant__` or `__device__` variable, from `offset` bytes past its start.
    ///
    /// # Errors
    /// No such variable (with those there are), or a range that does not lie in it.
    fn write_symbol(&mut self, module: Module, name: &str, offset: u64, bytes: &[u8]) -> Result<()>;

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

    /// Makes a transfer at most `calls` times and returns the time of each, nanoseconds of the host's clock from the call
    /// until the bytes are there. Both sides are memory of its own, that was touched before. The embedded device models it.
    ///
    /// # Errors
    /// [`Error::BadShape`] for no bytes, or more memory than the host or the device has.
    fn time_transfer(&mut self, transfer: &Transfer, calls: u32) -> Result<Vec<f64>>;

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
