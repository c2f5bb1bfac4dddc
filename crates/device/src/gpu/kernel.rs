//! A kernel of a loaded module.

use cudarc::driver::sys;

/// A kernel, with what its launches must keep to.
#[derive(Clone)]
pub(super) struct Kernel {
    pub(super) function: sys::CUfunction,
    /// Size of each parameter, bytes.
    pub(super) parameters: Vec<usize>,
    /// Threads a block, as far as its registers allow.
    pub(super) threads: u32,
    /// Shared memory that the kernel declares, bytes.
    pub(super) static_shared: u64,
}
