//! What an access to memory is, for the device that notes it, the record that keeps it and the figure that shows it: its kind,
//! its state space, and of a fetch its texels.
//!
//! This crate must never know how an access is made, what it costs, or what is drawn of it.

/// Texels that the lanes of a fetch read.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct Fetch {
    /// Texels of the texture's first level in x, y and z, which counts slices, layers, or the faces of each layer.
    pub size: [u32; 3],
    /// What a sector of 32 bytes holds: bytes of a row, and rows. Of memory it is a row's 32 bytes; of an array 16 bytes of
    /// two rows, by what an H200 counts.
    pub sector: [u32; 2],
    /// Neighbouring lanes that the texture unit takes as one request.
    pub request: u32,
    /// Neighbouring lanes whose sectors are looked up together, and how often that is done.
    pub together: u32,
    /// See [`Fetch::together`].
    pub passes: u32,
    /// The active lanes, by rising lane.
    pub lanes: Vec<Fetched>,
}

/// What a lane fetches.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct Fetched {
    /// The lane.
    pub lane: u32,
    /// Its coordinates in x and y, in texels of the first level, whose first has its centre at 0.5; of a cube the centre of
    /// the first texel.
    pub at: [f32; 2],
    /// Texels that it reads: x, y, z and level. None of the border.
    pub texels: Vec<[u32; 4]>,
}

/// Kind of an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
pub enum AccessKind {
    /// Reads.
    Load,
    /// Writes.
    Store,
    /// Both at once.
    Atomic,
}

/// A state space.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
pub enum Space {
    /// Global memory.
    Global,
    /// A block's shared memory.
    Shared,
    /// Constant variables.
    Constant,
    /// A thread's local memory.
    Local,
    /// Texels, of an array or of global memory, that a texture object names.
    Texture,
}
