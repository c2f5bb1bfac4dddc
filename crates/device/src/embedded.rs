//! The embedded device behind the trait.

/// The embedded SIMT device.
pub struct Embedded {}
