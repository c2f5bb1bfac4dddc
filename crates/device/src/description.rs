//! A device in words and numbers.

/// What a device is.
#[derive(Clone, Debug, PartialEq)]
pub struct Description {
    /// Whether its times are measured or modelled, and by what.
    pub kind: Kind,
    /// The chip's name: the GPU's as the driver says it, or that of the modelled chip.
    pub name: String,
    /// Major and minor compute capability.
    pub compute_capability: (u32, u32),
    /// Number of streaming multiprocessors.
    pub multiprocessors: u32,
    /// Memory that can be allocated, bytes.
    pub memory_bytes: u64,
}

/// The two kinds of device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// An NVIDIA GPU; times are measured by its events.
    Gpu {
        /// Driver API version, such as `13.0`.
        driver: String,
    },
    /// The embedded device; times are modelled for the chip file of this name.
    Embedded {
        /// Such as `h200`.
        chip: String,
    },
}
