//! Launches, copies and mistakes: the work that a device is asked for.

use crate::{Arg, Buffer, Module};
use simt::HostMemory;

/// A kernel launch.
#[derive(Clone, Debug, PartialEq)]
pub struct Launch {
    /// Module that defines the kernel.
    pub module: Module,
    /// Name of the `.entry`.
    pub kernel: String,
    /// Blocks in x, y, z.
    pub grid: [u32; 3],
    /// Threads of a block in x, y, z.
    pub block: [u32; 3],
    /// Dynamic shared memory of a block, bytes.
    pub shared_bytes: u32,
    /// Arguments, one for each parameter.
    pub args: Vec<Arg>,
    /// Blocks of a cluster in x, y, z, where the kernel does not fix them itself.
    pub cluster: Option<[u32; 3]>,
    /// Whether all blocks are resident at once, so that they may wait for each other.
    pub cooperative: bool,
}

/// One operation of a stream, which runs them in order, without the host.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// A kernel launch.
    Launch(Launch),
    /// `cudaMemcpyAsync`, device to device. The ranges may not overlap.
    Copy {
        /// Destination.
        to: Buffer,
        /// Offset in the destination, bytes.
        to_offset: u64,
        /// Source.
        from: Buffer,
        /// Offset in the source, bytes.
        from_offset: u64,
        /// Size of the copy, bytes.
        bytes: u64,
    },
    /// `cudaMemcpyToSymbolAsync`, device to device: into a `__constant__` or `__device__` variable.
    ToSymbol {
        /// Module that defines the variable.
        module: Module,
        /// Name of the variable.
        name: String,
        /// Offset in the variable, bytes.
        offset: u64,
        /// Source.
        from: Buffer,
        /// Offset in the source, bytes.
        from_offset: u64,
        /// Size of the copy, bytes.
        bytes: u64,
    },
    /// `cudaMemcpyFromSymbolAsync`, device to device.
    FromSymbol {
        /// Module that defines the variable.
        module: Module,
        /// Name of the variable.
        name: String,
        /// Offset in the variable, bytes.
        offset: u64,
        /// Destination.
        to: Buffer,
        /// Offset in the destination, bytes.
        to_offset: u64,
        /// Size of the copy, bytes.
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
    /// Memory is freed twice.
    DoubleFree,
    /// A byte more than the device has is asked for.
    OutOfMemory,
    /// A copy back to the host is made with the call for copies to the device: its destination is an address of the host,
    /// and its source one of the device.
    WrongDirection(HostMemory),
}
