//! What kernels must compute, found a second time: in double precision or exactly, with the error that single precision
//! may make.
//!
//! Enters: a kernel's inputs and its results, as slices. Leaves: how far off they are, and how far off a right kernel may
//! be. These are the loops that take long, so this crate alone among the labs' is optimised in every profile. It must
//! never know of devices, plans or records.

pub mod bodies;
pub mod input;
pub mod product;
pub mod rays;
pub mod written;
