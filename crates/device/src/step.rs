//! The work of a device: launches, copies, and mistakes on purpose.

use crate::arg::Arg;
use crate::handle::{Buffer, Module};
use simt::HostMemory;

/// A kernel launch. `M` is a module and `B` a buffer: a device's own handles, or the names that a plan or a job has for
/// those that are yet to be loaded and allocated ([`Launch::resolve`]).
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Launch<M = Module, B = Buffer> {
    /// Module that defines the kernel.
    pub module: M,
    /// Name of the `.entry`.
    pub kernel: String,
    /// Blocks in x, y, z.
    pub grid: [u32; 3],
    /// Threads of a block in x, y, z.
    pub block: [u32; 3],
    /// Dynamic shared memory of a block, bytes.
    pub shared_bytes: u32,
    /// Arguments, one for each parameter.
    pub args: Vec<Arg<B>>,
    /// Blocks of a cluster in x, y, z, where the kernel does not fix them itself.
    pub cluster: Option<[u32; 3]>,
    /// Whether all blocks are resident at once, so that they may wait for each other.
    pub cooperative: bool,
}

impl<M, B> Launch<M, B> {
    /// An ordinary launch: without dynamic shared memory or clusters, and not cooperative.
    pub fn new(
        module: M,
        kernel: impl Into<String>,
        grid: [u32; 3],
        block: [u32; 3],
        args: Vec<Arg<B>>,
    ) -> Self {
        let kernel = kernel.into();
        Launch { module, kernel, grid, block, shared_bytes: 0, args, cluster: None, cooperative: false }
    }

    /// The launch with dynamic shared memory, bytes a block.
    #[must_use]
    pub fn with_shared(self, shared_bytes: u32) -> Self {
        Launch { shared_bytes, ..self }
    }

    /// The launch with its module and each of its buffers replaced by what is found for them.
    ///
    /// # Errors
    /// The first that is not found.
    pub fn resolve<N, C, E>(
        &self,
        module: &impl Fn(&M) -> Result<N, E>,
        buffer: &impl Fn(&B) -> Result<C, E>,
    ) -> Result<Launch<N, C>, E> {
        Ok(Launch {
            module: module(&self.module)?,
            kernel: self.kernel.clone(),
            grid: self.grid,
            block: self.block,
            shared_bytes: self.shared_bytes,
            args: self.args.iter().map(|arg| arg.resolve(buffer)).collect::<Result<_, E>>()?,
            cluster: self.cluster,
            cooperative: self.cooperative,
        })
    }
}

/// One operation of a stream, which runs them in order, without the host. `M` and `B` as in [`Launch`].
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Step<M = Module, B = Buffer> {
    /// A kernel launch.
    Launch(Launch<M, B>),
    /// `cudaMemcpyAsync`, device to device. The ranges may not overlap.
    Copy {
        /// Destination.
        to: B,
        /// Offset in the destination, bytes.
        to_offset: u64,
        /// Source.
        from: B,
        /// Offset in the source, bytes.
        from_offset: u64,
        /// Size of the copy, bytes.
        bytes: u64,
    },
    /// `cudaMemcpyToSymbolAsync`, device to device: into a `__constant__` or `__device__` variable.
    ToSymbol {
        /// Module that defines the variable.
        module: M,
        /// Name of the variable.
        name: String,
        /// Offset in the variable, bytes.
        offset: u64,
        /// Source.
        from: B,
        /// Offset in the source, bytes.
        from_offset: u64,
        /// Size of the copy, bytes.
        bytes: u64,
    },
    /// `cudaMemcpyFromSymbolAsync`, device to device.
    FromSymbol {
        /// Module that defines the variable.
        module: M,
        /// Name of the variable.
        name: String,
        /// Offset in the variable, bytes.
        offset: u64,
        /// Destination.
        to: B,
        /// Offset in the destination, bytes.
        to_offset: u64,
        /// Size of the copy, bytes.
        bytes: u64,
    },
}

impl<M, B> Step<M, B> {
    /// The step with its module and each of its buffers replaced by what is found for them.
    ///
    /// # Errors
    /// The first that is not found.
    pub fn resolve<N, C, E>(
        &self,
        module: &impl Fn(&M) -> Result<N, E>,
        buffer: &impl Fn(&B) -> Result<C, E>,
    ) -> Result<Step<N, C>, E> {
        Ok(match self {
            Step::Launch(launch) => Step::Launch(launch.resolve(module, buffer)?),
            Step::Copy { to, to_offset, from, from_offset, bytes } => Step::Copy {
                to: buffer(to)?,
                to_offset: *to_offset,
                from: buffer(from)?,
                from_offset: *from_offset,
                bytes: *bytes,
            },
            Step::ToSymbol { module: of, name, offset, from, from_offset, bytes } => Step::ToSymbol {
                module: module(of)?,
                name: name.clone(),
                offset: *offset,
                from: buffer(from)?,
                from_offset: *from_offset,
                bytes: *bytes,
            },
            Step::FromSymbol { module: of, name, offset, to, to_offset, bytes } => Step::FromSymbol {
                module: module(of)?,
                name: name.clone(),
                offset: *offset,
                to: buffer(to)?,
                to_offset: *to_offset,
                bytes: *bytes,
            },
        })
    }
}

impl<M, B> From<Launch<M, B>> for Step<M, B> {
    fn from(launch: Launch<M, B>) -> Self {
        Step::Launch(launch)
    }
}

/// Times of one transfer between host and device, nanoseconds since its call, by the host's clock.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TransferTime {
    /// When the call returned; `None` on the embedded device, whose model does not distinguish it from the arrival.
    pub returned_ns: Option<f64>,
    /// When the last byte was there.
    pub arrived_ns: f64,
}

/// A mistake that a device is asked to answer, in separate memory: nothing else is touched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mistake {
    /// Memory is freed twice.
    DoubleFree,
    /// A byte more than the device has is asked for.
    OutOfMemory,
    /// A copy back to the host is made with the call for copies to the device: its destination is an address of the
    /// host, and its source one of the device.
    WrongDirection(HostMemory),
}
