//! Kernels run on buffers.
//!
//! Enters: a device; memory, variables, textures and launches as labs, jobs, exercises and live kernels describe them, with every
//! number known. Leaves: the same on the device, by the places that they have in the description. Whether a device is a GPU or
//! the embedded one makes no difference here. This crate must never know what a run is for, or which results are right.
//!
//! - [`Module`]: a loaded module, whose kernels and variables are found by the names that the source gives them.
//! - [`Buffers`]: linear and pitched memory.
//! - [`Span`]: a piece of a buffer or of a variable, to fill, copy, read or write.
//! - [`Objects`]: arrays, textures and surfaces.
//! - [`Signature`]: the types of a kernel's parameters, and the arguments that do not match them.

mod buffers;
mod module;
mod objects;
mod signature;
mod span;

pub use buffers::{Allocation, Buffers, Rows};
pub use module::Module;
pub use objects::{ArrayShape, Handle, Objects, SurfaceShape, TextureShape};
pub use signature::{Mismatch, Number, Passed, Signature, Taken};
pub use span::{Memory, Span};
