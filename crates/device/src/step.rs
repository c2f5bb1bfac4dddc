//! What a device is asked to run, time or answer.

use crate::arg::Arg;
use crate::handle::{Buffer, Module};
use simt::HostMemory;

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

/// One of the things that a stream does in their order, without the host.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// A kernel.
    Launch(Launch),
    /// `cudaMemcpyAsync`, device to device. The ranges may not overlap.
    Copy {
        /// Where to.
        to: Buffer,
        /// Bytes past its start.
        to_offset: u64,
        /// Where from.
        from: Buffer,
        /// Bytes past its start.
        from_offset: u64,
        /// How much.
        bytes: u64,
    },
    /// `cudaMemcpyToSymbolAsync`, device to device: into a `__constant__` or `__device__` variable.
    ToSymbol {
        /// Where the variable is.
        module: Module,
        /// The variable.
        name: String,
        /// Bytes past its start.
        offset: u64,
        /// Where from.
        from: Buffer,
        /// Bytes past its start.
        from_offset: u64,
        /// How much.
        bytes: u64,
    },
    /// `cudaMemcpyFromSymbolAsync`, device to device.
    FromSymbol {
        /// Where the variable is.
        module: Module,
        /// The variable.
        name: String,
        /// Bytes past its start.
        offset: u64,
        /// Where to.
        to: Buffer,
        /// Bytes past its start.
        to_offset: u64,
        /// How much.
        bytes: u64,
    },
}

impl From<Launch> for Step {
    fn from(launch: Launch) -> Self {
        Step::Launch(launch)
    }
}

/// A mistake that a device is asked to answer, with memory of its own: nothing else is touched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mistake {
    /// The same memory is freed twice.
    DoubleFree,
    /// A byte more than the device has is asked for.
    OutOfMemory,
    /// A copy back to the host is made with the call for copies to the device: its destination is an address of the host,
    /// and its source one of the device.
    WrongDirection(HostMemory),
}
