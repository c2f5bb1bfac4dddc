//! Data for device memory, and where they are put.

use super::buffers::BufferId;
use super::work::SourceId;
use std::sync::Arc;

/// Values for device memory, shared between the points that use them.
#[derive(Clone, Debug)]
pub enum Data {
    /// `float`.
    F32(Arc<[f32]>),
    /// `unsigned`.
    U32(Arc<[u32]>),
    /// Bytes in the layout of memory.
    Bytes(Arc<[u8]>),
    /// A device address, for a variable that is a pointer.
    Pointer {
        /// The buffer.
        buffer: BufferId,
        /// Bytes past its start.
        offset: u64,
    },
}

/// Data put in its place before a run.
#[derive(Clone, Debug)]
pub struct Write {
    /// Destination.
    pub target: Target,
    /// Bytes past the target's start; of a pitched buffer always 0.
    pub offset: u64,
    /// Data.
    pub data: Data,
}

/// Device memory by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// A buffer.
    Buffer(BufferId),
    /// A `__constant__` or `__device__` variable.
    Symbol {
        /// Source of the plan that declares it.
        source: SourceId,
        /// Name of the variable.
        name: &'static str,
    },
}
