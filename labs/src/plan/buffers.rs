//! Device memory of a plan: what is allocated, and the ids by which launches and writes refer to it.

pub use harness::Allocation;

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

    /// Adds a buffer of this many bytes, one after the other.
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
