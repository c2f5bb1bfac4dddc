//! Device memory of a plan: what is allocated, and the ids by which launches and writes refer to it.

/// A buffer of a plan, or of a trace: what [`Buffers::add`] returned for it there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BufferId(usize);

impl BufferId {
    /// Its place among the buffers.
    pub(crate) fn index(self) -> usize {
        self.0
    }
}

/// The buffers of a plan or of a trace, in the order in which they are allocated.
#[derive(Clone, Debug, Default)]
pub struct Buffers(Vec<Buffer>);

impl Buffers {
    /// Adds a buffer.
    pub fn add(&mut self, name: &'static str, shape: Allocation) -> BufferId {
        self.0.push(Buffer { name, shape });
        BufferId(self.0.len() - 1)
    }

    /// Adds a buffer of so many bytes, one after the other.
    pub fn linear(&mut self, name: &'static str, bytes: u64) -> BufferId {
        self.add(name, Allocation::Linear { bytes })
    }

    /// Changes a buffer's shape, where it is known only after what refers to it.
    pub fn reshape(&mut self, id: BufferId, shape: Allocation) {
        if let Some(buffer) = self.0.get_mut(id.0) {
            buffer.shape = shape;
        }
    }

    /// The buffer of this id, if it is one of these.
    pub fn get(&self, id: BufferId) -> Option<&Buffer> {
        self.0.get(id.0)
    }

    /// All buffers, in the order of their ids.
    pub fn iter(&self) -> impl Iterator<Item = &Buffer> {
        self.0.iter()
    }
}

/// One allocation.
#[derive(Clone, Debug)]
pub struct Buffer {
    /// Name in error messages.
    pub name: &'static str,
    /// Layout in memory.
    pub shape: Allocation,
}

/// Layout of an allocation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Allocation {
    /// Byte after byte.
    Linear {
        /// Size of the allocation.
        bytes: u64,
    },
    /// Rows that each begin at a multiple of the pitch, which the device chooses. Data are written to it and read from
    /// it packed, by 2D and 3D copies; a checked run that writes between the rows fails.
    Pitched {
        /// Bytes of a row.
        width: u64,
        /// Rows of a slice.
        height: u64,
        /// Slices.
        depth: u64,
        /// Bytes of the largest word that a kernel reads or writes: 4, 8 or 16.
        element: u32,
    },
}

impl Allocation {
    /// Bytes of its data, padding left out; the most there can be if there are more.
    pub fn packed(self) -> u64 {
        match self {
            Allocation::Linear { bytes } => bytes,
            Allocation::Pitched { width, height, depth, .. } => {
                width.saturating_mul(height).saturating_mul(depth)
            }
        }
    }
}
