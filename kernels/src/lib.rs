//! The CUDA C kernels with their PTX, and their compilation.
