//! Handles of what lies on a device.

/// A loaded module of the device that returned it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Module(pub(crate) usize);

/// Device memory of the device that returned it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Buffer {
    pub(crate) id: usize,
    pub(crate) bytes: u64,
    /// From row to row, bytes, where rows are padded.
    pub(crate) pitch: Option<u64>,
}

impl Buffer {
    /// Size of the buffer, bytes.
    pub fn bytes(self) -> u64 {
        self.bytes
    }

    /// From row to row, bytes; `None` of memory that [`crate::Device::allocate_pitched`] did not allocate.
    pub fn pitch(self) -> Option<u64> {
        self.pitch
    }
}
