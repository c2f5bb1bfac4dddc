//! One trait, two devices: the embedded SIMT device, and an NVIDIA GPU through the CUDA driver.
//!
//! Enters: PTX text, bytes, launches. Leaves: bytes, times, and on the embedded device counters. This crate must never
//! know what a lab wants to learn from them.

mod arg;
mod description;
mod device;
mod embedded;
mod error;
mod gpu;
mod handle;
mod region;
mod step;
mod watchdog;

pub use arg::Arg;
pub use description::{Description, Kind};
pub use device::Device;
pub use embedded::Embedded;
pub use error::{Error, Result};
pub use gpu::Gpu;
pub use handle::{Buffer, Module};
pub use region::{Extent, PITCH_ALIGNMENT, Pitched, Region};
pub use simt::{
    Access, AccessKind, Chip, Counters, Direction, Error as SimtError, Fault, FaultKind, HostMemory,
    InstructionProfile, Options, Outcome, Part, Place, Space, Trace, Transfer,
};
pub use step::{Launch, Mistake, Step};
