//! One trait, two devices: the embedded SIMT device, and an NVIDIA GPU through the CUDA driver.
//!
//! Enters: PTX text, bytes, launches. Leaves: bytes, times, and on the embedded device counters. This crate must never
//! know what a lab wants to learn from them.

mod embedded;
mod error;
mod gpu;

pub use embedded::Embedded;
pub use error::Error;
pub use gpu::Gpu;
pub use simt::{
    Access, AccessKind, Chip, Counters, Error as SimtError, Fault, FaultKind, InstructionProfile, Options,
    Outcome, Part, Place, Space, Trace,
};

/// The result of everything a device does.
pub type Result<T> = std::result::Result<T, Error>;

/// What a device is.
#[derive(Clone, Debug, PartialEq)]
pub struct Description {
    /// Whether its times are measured or modelled, and by what.
    pub kind: Kind,
    /// The chip's name: the GPU's as the driver says it, or that of the modelled chip.
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
        /// Such as `h200`.
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
    /// Its size, bytes.
    pub fn bytes(self) -> u64 {
        self.bytes
    }
}

/// One kernel argument.
#[derive(Clone, Debug, PartialEq)]
pub enum Arg {
    /// A pointer into a buffer, `offset` bytes past its start.
    Buffer {
        /// The buffer.
        buffer: Buffer,
        /// Bytes past its start; may be past its end, as a C pointer may.
        offset: u64,
    },
    /// `int`.
    I32(i32),
    /// `unsigned int`.
    U32(u32),
    /// `long long`.
    I64(i64),
    /// `unsigned long long`.
    U64(u64),
    /// `float`.
    F32(f32),
    /// `double`.
    F64(f64),
    /// A struct by value, as it lies in memory.
    Bytes(Vec<u8>),
}

impl From<Buffer> for Arg {
    fn from(buffer: Buffer) -> Self {
        Arg::Buffer { buffer, offset: 0 }
    }
}

/// A kernel launch.
#[derive(Clone, Debug, PartialEq)]
pub struct Launch {
    /// Where the kernel is.
    pub module: Module,
    /// The `.entry`'s name.
    pub kernel: String,
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

/// A device that runs kernels.
///
/// Contents of new memory are undefined, launches of one device run in order, and every call returns when its work is
/// done. Handles of another device are refused with [`simt::Error::ForeignHandle`].
pub trait Device {
    /// What it is.
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

    /// Gives memory back.
    ///
    /// # Errors
    /// A buffer that was freed before.
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

    /// Reads a `__constant__` or `__device__` variable, from `offset` bytes past its start.
    ///
    /// # Errors
    /// As [`Device::write_symbol`].
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

    /// Runs a kernel at most `calls` times back to back and returns the time of each, nanoseconds. A GPU runs it
    /// `calls` times between events of its own stream; the embedded device, whose model gives the same time every
    /// time, runs it once and returns one time.
    ///
    /// # Errors
    /// As [`Device::launch`].
    fn time(&mut self, launch: &Launch, calls: u32) -> Result<Vec<f64>>;
}
