//! The embedded SIMT device: executes PTX warp by warp and counts what the hardware would count.
//!
//! Enters: PTX text, bytes, launches. Leaves: bytes, [`Counters`], a modelled time, or an [`Error`] that says where.
//! This crate must never know what a kernel is for, and it touches no file and starts no thread but those of `rayon`
//! (feature `parallel`), so it builds for WebAssembly as it is. It holds no `unsafe` code: a kernel cannot reach
//! memory that is not its own, whatever it does.
//!
//! The way of a launch: `ptx` text → [`decode`] (symbols, compact instructions, basic blocks, what is constant in a
//! launch) → [`exec`] (warps over lanes, 32 at a time) → memory events → [`model`] (counters, cache, time).

#![forbid(unsafe_code)]
#![allow(clippy::needless_range_loop, reason = "a lane indexes several arrays at once")]

mod budget;
mod counters;
mod decode;
mod device;
mod error;
mod exec;
mod flow;
mod heap;
mod lanes;
mod memory;
pub mod model;
mod print;
mod program;
mod semantics;
mod trace;
mod written;

pub use counters::Counters;
pub use device::{Arg, Buffer, Device, InstructionProfile, Interrupt, Launch, ModuleId, Options, Outcome};
pub use error::{Error, Fault, FaultKind, Place};
pub use model::chip::Chip;
pub use model::link::{Direction, HostMemory, Transfer};
pub use program::{Kernel, Program};
pub use trace::{Access, AccessKind, Part, Space, Trace};

/// Lanes of a warp.
pub const WARP: usize = 32;
