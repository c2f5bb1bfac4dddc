//! The crate's tests, as one program: to link each file by itself takes longer than to run most of them.

mod common;
mod embedded;
#[cfg(feature = "gpu")]
mod gpu;
#[cfg(feature = "gpu")]
mod gpu_fault;
#[cfg(feature = "gpu")]
mod no_gpu;
