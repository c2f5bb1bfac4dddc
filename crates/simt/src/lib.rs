//! The embedded SIMT device: executes PTX warp by warp and counts what the hardware would count.
//!
//! Enters: PTX text, bytes, launches. Leaves: bytes, [`Counters`], a modelled time, or an [`Error`] that says where.
//! This crate must never know what a kernel is for, and it touches no file and starts no thread but those of `rayon`
//! (feature `parallel`), so it builds for WebAssembly as it is. It holds no `unsafe` code: a kernel cannot reach
//! memory that is not its own, whatever it does.
//!
//! The way of a launch: `ptx` text → `decode` (symbols, instructions, basic blocks, what is uniform in a launch) → `ir`,
//! which `passes` complete → `exec` (warps over lanes, 32 at a time) → one event for every access to memory → [`model`]
//! (counters, cache, time).
//!
//! ```
//! use simt::{Arg, Chip, Device, Launch};
//!
//! let mut device = Device::new(Chip::by_name("h200")?);
//! let module = device.load(
//!     "reverse.ptx",
//!     ".version 8.8
//!     .target sm_52
//!     .address_size 64
//!     .visible .entry reverse(.param .u64 out)
//!     {
//!         .reg .b32 %r<3>;
//!         .reg .b64 %rd<4>;
//!         ld.param.u64 %rd1, [out];
//!         mov.u32 %r1, %tid.x;
//!         sub.s32 %r2, 31, %r1;
//!         mul.wide.u32 %rd2, %r2, 8;
//!         add.s64 %rd3, %rd1, %rd2;
//!         st.global.u32 [%rd3], %r1;
//!         ret;
//!     }",
//! )?;
//! let out = device.allocate(32 * 8)?;
//! let launch = Launch {
//!     module,
//!     kernel: "reverse",
//!     grid: [1, 1, 1],
//!     block: [32, 1, 1],
//!     shared_bytes: 0,
//!     args: vec![Arg::Buffer(out, 0)],
//!     cluster: None,
//!     cooperative: false,
//! };
//! let outcome = device.launch(&launch)?;
//!
//! // Lane 31 stored first in memory. Every second word was stored to, so one request took eight sectors of 32 bytes.
//! let mut word = [0; 4];
//! device.read(out, 0, &mut word)?;
//! assert_eq!(u32::from_le_bytes(word), 31);
//! assert_eq!((outcome.counters.global_store_requests, outcome.counters.global_store_sectors), (1, 8));
//!
//! // A store past the buffer's end is a fault, with its thread and the line of the PTX.
//! let error = device.launch(&Launch { block: [64, 1, 1], ..launch }).unwrap_err();
//! assert!(error.to_string().contains("reverse.ptx:13"), "{error}");
//! # Ok::<(), simt::Error>(())
//! ```

#![forbid(unsafe_code)]
#![allow(clippy::needless_range_loop, reason = "a lane indexes several arrays at once")]

mod access_marks;
mod decode;
mod detail;
mod device;
mod error;
mod exec;
mod hash;
mod heap;
mod ir;
mod lanes;
mod memory;
pub mod model;
mod options;
mod outcome;
mod passes;
mod print;
mod resolve;
mod semantics;
mod simd128;
mod step;
pub mod texture;
mod trace;
mod written_bytes;

pub use counters::Counters;
pub use detail::{
    Conflict, Detail, FailedAccess, RaceAccess, UnwrittenBytes, UnwrittenMemory, UnwrittenRead,
};
pub use device::{Accessed, Arg, Buffer, Device, KernelAttributes, Launch, ModuleId};
pub use error::{
    CountedFault, DYNAMIC_SHARED, Error, Fault, FaultKind, Nearest, Other, Place, Refusal, UNORDERED_BLOCKS,
    UNORDERED_THREADS,
};
pub use ir::{Kernel, Parameter, Program};
pub use model::chip::Chip;
pub use model::link::{Direction, HostMemory, Transfer};
pub use model::time::Limit;
pub use options::{Checks, Interrupt, Options};
pub use outcome::{InstructionProfile, Made, Outcome};
pub use print::PRINTS;
pub use semantics::arithmetic::NotFinite;
pub use step::{
    Doing, Event, Meeting, Path, RegisterState, State, StepTo, Stepped, Stretch, WarpState, Write,
};
pub use trace::{AccessKind, Fetch, Fetched, Part, Space, Trace, TracedAccess};

/// Lanes of a warp.
pub const WARP: usize = 32;
