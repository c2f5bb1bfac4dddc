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

/// An array of texels of the device that allocated it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Array {
    pub(crate) id: usize,
    pub(crate) bytes: u64,
}

impl Array {
    /// Size of its texels, bytes.
    pub fn bytes(self) -> u64 {
        self.bytes
    }
}

/// A texture object of the device that created it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Texture {
    pub(crate) id: usize,
    pub(crate) handle: u64,
}

impl Texture {
    /// The 64 bits that a kernel takes as its argument.
    pub fn handle(self) -> u64 {
        self.handle
    }
}

/// A surface object of the device that created it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Surface {
    pub(crate) handle: u64,
}

impl Surface {
    /// The 64 bits that a kernel takes as its argument.
    pub fn handle(self) -> u64 {
        self.handle
    }
}

/// Memory that a texture reads.
pub type Resource = simt::texture::Resource<Array, Buffer>;
