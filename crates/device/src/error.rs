//! What can go wrong on a device, said so that the reader knows what to do.

/// An error of either device.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// There is no GPU to use.
    #[error(
        "no NVIDIA GPU can be used: {reason}\n  without one, run with `--device simt` (the embedded device) or leave `--device` out"
    )]
    NoGpu {
        /// What the driver, or its absence, says.
        reason: String,
    },
    /// The driver refused a call.
    #[error("{call}: {message}")]
    Driver {
        /// Such as `cuMemAlloc of 1024 bytes`.
        call: String,
        /// The driver's name of the error and its text.
        message: String,
    },
    /// A kernel faulted on a GPU, which says less about it than the embedded device does.
    #[error(
        "kernel {kernel}: {message}\n  run it with `--device simt` to learn the thread, the line and the address"
    )]
    GpuFault {
        /// The kernel and the launch's shape.
        kernel: String,
        /// The driver's name of the error and its text.
        message: String,
    },
    /// Whatever the embedded device says: bad or unsupported PTX, bad launches, faults.
    #[error(transparent)]
    Simt(#[from] simt::Error),
    /// Not enough device memory.
    #[error("out of device memory: {asked} bytes asked for, {free} bytes free")]
    OutOfMemory {
        /// Bytes asked for.
        asked: u64,
        /// Bytes free.
        free: u64,
    },
    /// A copy that leaves its buffer or symbol.
    #[error("{what}: bytes {offset}..{end} are not inside of its {bytes} bytes", end = offset.saturating_add(*len))]
    OutOfRange {
        /// Which buffer or symbol.
        what: String,
        /// First byte of the copy.
        offset: u64,
        /// Bytes to copy.
        len: u64,
        /// Size of the buffer or symbol.
        bytes: u64,
    },
    /// A name that is not in the module.
    #[error("no {kind} `{name}` in {module}; it has: {}", if there.is_empty() { "none".to_owned() } else { there.join(", ") })]
    Missing {
        /// `kernel` or `symbol`.
        kind: &'static str,
        /// What was asked for.
        name: String,
        /// The module's name.
        module: String,
        /// What there is.
        there: Vec<String>,
    },
    /// A module or buffer that this device did not make, or that was freed.
    #[error("this {0} does not belong to this device, or was freed")]
    ForeignHandle(&'static str),
}

impl Error {
    /// The exit code of a binary that ends with this error: 3 for a fault of the kernel, 2 for everything unusable.
    pub fn exit_code(&self) -> u8 {
        match self {
            Error::GpuFault { .. } => 3,
            Error::Simt(error) if error.is_fault() => 3,
            _ => 2,
        }
    }
}
