//! A kernel of a loaded module.

use cudarc::driver::sys;

/// A kernel, with what its launches must keep to.
#[derive(Clone)]
pub(super) struct Kernel {
    pub(super) function: sys::CUfunction,
    /// Its parameters; of PTX that our parser cannot read, sizes alone.
    pub(super) parameters: Vec<simt::Parameter>,
    /// Threads a block, as far as its registers allow.
    pub(super) threads: u32,
    /// Shared memory that the kernel declares, bytes.
    pub(super) static_shared: u64,
    /// Constant memory of the variables that it uses, bytes.
    pub(super) constant: u64,
    /// Registers of a thread.
    pub(super) registers: u32,
}
