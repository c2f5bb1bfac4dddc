//! Handles of what lies on a device.

/// A loaded module of the device that returned it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Module(pub(crate) usize);

/// Device memory of the device that returned it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Buffer {
    pub(crate) id: usize,
    pub(crate) bytes: u64,
}

impl Buffer {
    /// Its size, bytes.
    pub fn bytes(self) -> u64 {
        self.bytes
    }
}
