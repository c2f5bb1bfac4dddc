//! One trait, two devices: the embedded SIMT device, and an NVIDIA GPU through the CUDA driver.
//!
//! Enters: PTX text, bytes, launches. Leaves: bytes, times, and on the embedded device counters. This crate must never
//! know what a launch is meant to show.
//!
//! ```
//! use device::{Arg, Device, Embedded, Launch};
//!
//! let mut device = Embedded::new("h200")?;
//! let module = device.load(
//!     "twice.ptx",
//!     ".version 8.8
//!     .target sm_52
//!     .address_size 64
//!     .visible .entry twice(.param .u64 data)
//!     {
//!         .reg .b32 %r<3>;
//!         .reg .b64 %rd<4>;
//!         ld.param.u64 %rd1, [data];
//!         mov.u32 %r1, %tid.x;
//!         mul.wide.u32 %rd2, %r1, 4;
//!         add.s64 %rd3, %rd1, %rd2;
//!         ld.global.u32 %r2, [%rd3];
//!         add.s32 %r2, %r2, %r2;
//!         st.global.u32 [%rd3], %r2;
//!         ret;
//!     }",
//! )?;
//! let data = device.allocate(32 * 4)?;
//! device.fill(data, 21)?;
//! let launched = device.launch(&Launch {
//!     module,
//!     kernel: "twice".into(),
//!     grid: [1, 1, 1],
//!     block: [32, 1, 1],
//!     shared_bytes: 0,
//!     args: vec![Arg::from(data)],
//!     cluster: None,
//!     cooperative: false,
//! })?;
//!
//! let mut word = [0; 4];
//! device.read(data, 31 * 4, &mut word)?;
//! assert_eq!(u32::from_le_bytes(word), 42);
//!
//! // A GPU gives no outcome here; the embedded device counts: 32 words of 4 bytes are 4 sectors.
//! let counters = launched.map(|outcome| outcome.counters).unwrap_or_default();
//! assert_eq!((counters.global_load_requests, counters.global_load_sectors), (1, 4));
//! # Ok::<(), device::Error>(())
//! ```

mod arg;
mod description;
mod device;
mod embedded;
mod error;
#[cfg(feature = "gpu")]
mod gpu;
mod handle;
mod parameter;
mod region;
mod step;
#[cfg(feature = "gpu")]
mod watchdog;

pub use arg::{Arg, Class, Value};
pub use description::{Description, GRADED_CAPABILITY, GRADED_CHIP, Kind};
pub use device::Device;
pub use embedded::Embedded;
pub use error::{Error, Result};
#[cfg(feature = "gpu")]
pub use gpu::Gpu;
pub use handle::{Array, Buffer, Module, Resource, Surface, Texture};
pub use parameter::{agrees, in_c};
pub use region::{Extent, PITCH_ALIGNMENT, Pitched, Region};
pub use simt::texture;
pub use simt::{
    AccessKind, Accessed, Checks, Chip, Conflict, CountedFault, Counters, DYNAMIC_SHARED, Detail, Direction,
    Error as SimtError, FailedAccess, Fault, FaultKind, Fetch, Fetched, HostMemory, InstructionProfile,
    KernelAttributes, Limit, Made, Nearest, NotFinite, Options, Other, Outcome, PRINTS, Parameter, Part,
    Place, RaceAccess, Refusal, Space, StepTo, Stepped, Trace, TracedAccess, Transfer, UNORDERED_BLOCKS,
    UNORDERED_THREADS, UnwrittenBytes, UnwrittenMemory, UnwrittenRead,
};
/// States of a block that is stepped through.
pub mod stepping {
    pub use simt::{Doing, Event, Meeting, Path, RegisterState, State, Stepped, Stretch, WarpState, Write};
}
pub use step::{Launch, Mistake, Step, TransferTime};
