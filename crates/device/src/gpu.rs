//! The NVIDIA GPU, through cudarc and a driver found at run time.

/// An NVIDIA GPU.
pub struct Gpu {}
