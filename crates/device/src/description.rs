//! A device in words and numbers.

/// Chip on which records and exercises are graded.
pub const GRADED_CHIP: &str = "h200";

/// Its compute capability, times ten: what counts is compiled for it, so that the same source counts the same wherever it is run
/// again.
pub const GRADED_CAPABILITY: u32 = 90;

/// Name and properties of a device.
#[derive(Clone, Debug, PartialEq)]
pub struct Description {
    /// Kind of device, which decides whether its times are measured or modelled.
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

impl Description {
    /// Its compute capability, times ten.
    pub fn capability(&self) -> u32 {
        let (major, minor) = self.compute_capability;
        major * 10 + minor
    }

    /// Number of the architecture that it runs, such as `90`.
    pub fn architecture(&self) -> String {
        self.capability().to_string()
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Device as _, Embedded};

    #[test]
    fn what_counts_is_compiled_for_the_chip_on_which_it_counts() -> crate::Result<()> {
        let chip = Embedded::new(GRADED_CHIP)?;
        assert_eq!(chip.description().capability(), GRADED_CAPABILITY);
        Ok(())
    }
}
