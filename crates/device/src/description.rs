//! A device in words and numbers.

/// Name and properties of a device.
#[derive(Clone, Debug, PartialEq)]
pub struct Description {
    /// Kind of device, which tells whether its times are measured or modelled.
    pub kind: Kind,
    /// Name of the chip: the GPU's as the driver reports it, or that of the modelled chip.
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
        /// Name of the chip file, such as `h200`.
        chip: String,
    },
}
