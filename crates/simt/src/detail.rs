//! What the message of a fault says of accesses, as data: who words a fault otherwise need not read its message.
//!
//! Enters: what the interpreter has found. Leaves: fields, and the phrases that messages are made of. This module must never
//! know what a source calls the memory.

use std::fmt;

/// A number of bytes, in words.
pub(crate) struct Bytes(pub(crate) u64);

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.0, if self.0 == 1 { "byte" } else { "bytes" })
    }
}

/// What a fault's message says of its access, beyond the fields of [`crate::Fault`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Detail {
    /// An access that cannot be made.
    Access(FailedAccess),
    /// An access in conflict with [`crate::Fault::other`].
    Conflict(Conflict),
    /// A read of bytes without a value.
    Unwritten(UnwrittenRead),
}

/// An access that cannot be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FailedAccess {
    /// Bytes a lane.
    pub bytes: u64,
    /// Why, as what follows `access of 4 bytes`: `` through a null pointer``.
    pub reason: String,
    /// Whether it is to the shared memory of a block that its cluster does not have.
    pub without_block: bool,
}

impl fmt::Display for FailedAccess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "access of {}{}", Bytes(self.bytes), self.reason)
    }
}

/// How a thread accesses memory that another thread accesses too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RaceAccess {
    /// A load.
    Read,
    /// A load of what nothing may write in the whole launch.
    ReadOnly,
    /// A store.
    Write,
    /// An atomic operation.
    Atomic,
    /// An asynchronous copy that is under way.
    Copying,
    /// An asynchronous copy that was waited for.
    Copied,
}

impl RaceAccess {
    /// What a thread does that makes it.
    pub fn does(self) -> &'static str {
        match self {
            RaceAccess::Read => "reads",
            RaceAccess::ReadOnly => "reads by a read-only load",
            RaceAccess::Write => "writes",
            RaceAccess::Atomic => "atomically changes",
            RaceAccess::Copying | RaceAccess::Copied => "copies to",
        }
    }

    /// What a thread did that made it; of a copy that is under way, what it does.
    pub fn did(self) -> &'static str {
        match self {
            RaceAccess::Read => "read",
            RaceAccess::ReadOnly => "read by a read-only load",
            RaceAccess::Write => "wrote",
            RaceAccess::Atomic => "atomically changed",
            RaceAccess::Copying => "copies to",
            RaceAccess::Copied => "copied to",
        }
    }
}

/// An access in conflict with another thread's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// The access of the thread that faults.
    pub access: RaceAccess,
    /// The other thread's access.
    pub other: RaceAccess,
    /// What both access: `memory`, `shared memory`, or a texel.
    pub memory: String,
    /// Whether it is in shared memory.
    pub shared: bool,
    /// Where in its buffer it is, as what follows the place of the other access; empty where that is not known.
    pub near: String,
    /// What would have ordered the two.
    pub missing: String,
}

impl Conflict {
    /// `writes memory that thread (1,0,0) wrote at k.cu:9; a barrier between them is missing`: `who` is the other thread, `at`
    /// where it made its access, with the word before.
    pub fn words(&self, who: &str, at: &str) -> String {
        let Conflict { access, memory, near, .. } = self;
        format!("{} {memory} that {}", access.does(), self.other_words(who, &format!("{at}{near}")))
    }

    /// The other access alone, with what would have ordered the two: `thread (1,0,0) wrote at k.cu:9; a barrier …`.
    pub fn other_words(&self, who: &str, at: &str) -> String {
        format!("{who} {}{at}; {}", self.other.did(), self.missing)
    }
}

/// Memory that has no value before it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnwrittenMemory {
    /// The block's own shared memory.
    Shared,
    /// Shared memory of another block of the cluster.
    Cluster,
    /// The thread's local memory.
    Local,
    /// Constant memory.
    Constant,
    /// Global memory.
    Global,
}

impl UnwrittenMemory {
    /// What follows the bytes of a read.
    fn of(self) -> &'static str {
        match self {
            UnwrittenMemory::Shared | UnwrittenMemory::Cluster => " of shared memory",
            UnwrittenMemory::Local => " of local memory",
            UnwrittenMemory::Constant => " of constant memory",
            UnwrittenMemory::Global => "",
        }
    }

    /// Who has not written it.
    pub fn who(self) -> &'static str {
        match self {
            UnwrittenMemory::Shared => "no thread of the block has written",
            UnwrittenMemory::Cluster => "no thread of the cluster has written",
            UnwrittenMemory::Local => "the thread has not written",
            UnwrittenMemory::Constant => "nothing has set, neither an initialiser nor the host",
            UnwrittenMemory::Global => "nothing has written",
        }
    }
}

/// Which bytes of a read have no value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UnwrittenBytes {
    /// All of them.
    All,
    /// Some of them.
    Some {
        /// How many.
        count: u32,
        /// The first of them.
        first: u32,
    },
    /// All of them at the time: [`crate::Fault::other`] writes them later.
    Early {
        /// Where they are, from the nearest allocation.
        place: String,
        /// What would have ordered the two.
        missing: String,
    },
}

/// A read of bytes without a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnwrittenRead {
    /// Bytes of the read.
    pub bytes: u32,
    /// The memory.
    pub memory: UnwrittenMemory,
    /// Which of the bytes.
    pub which: UnwrittenBytes,
}

impl UnwrittenRead {
    /// Who has not written which bytes, where it is some of them: `nothing has written byte 3`.
    pub fn some(&self) -> Option<String> {
        let who = self.memory.who();
        match self.which {
            UnwrittenBytes::Some { count: 1, first } => Some(format!("{who} byte {first}")),
            UnwrittenBytes::Some { count, first } => Some(format!("{who} {count}, from byte {first} on")),
            UnwrittenBytes::All | UnwrittenBytes::Early { .. } => None,
        }
    }

    /// In words where another thread writes them later: `read of 4 bytes before thread (1,0,0) writes them at k.cu:9, …`. `who` is
    /// that thread, `at` where it writes, with the word before.
    pub fn early(&self, who: &str, at: &str) -> Option<String> {
        let UnwrittenBytes::Early { place, missing } = &self.which else { return None };
        let read = Bytes(u64::from(self.bytes));
        Some(format!("read of {read} before {who} writes them{at}, {place}; {missing}"))
    }

    /// In words, without a place. `of` names the memory instead of what it is.
    pub fn words(&self, of: Option<&str>) -> String {
        let memory = of.map_or_else(|| self.memory.of().to_owned(), |of| format!(" of {of}"));
        let read = Bytes(u64::from(self.bytes));
        match self.some() {
            Some(some) => format!("read of {read}{memory}, of which {some}"),
            None => format!("read of {read}{memory} that {}", self.memory.who()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_conflict_is_worded_with_any_form_of_the_other_thread() {
        let conflict = Conflict {
            access: RaceAccess::Atomic,
            other: RaceAccess::Copied,
            memory: "memory".to_owned(),
            shared: false,
            near: ", 4 bytes past the start of a, 8 bytes".to_owned(),
            missing: "a barrier is missing".to_owned(),
        };
        assert_eq!(
            conflict.words("thread 1", " in line 9"),
            "atomically changes memory that thread 1 copied to in line 9, 4 bytes past the start of a, 8 bytes; \
             a barrier is missing"
        );
        assert_eq!(
            conflict.other_words("thread 1", " in line 9"),
            "thread 1 copied to in line 9; a barrier is missing"
        );
    }

    #[test]
    fn a_read_without_a_value_says_of_which_memory_and_which_bytes() {
        let read = |bytes, memory, which| UnwrittenRead { bytes, memory, which };
        let some = UnwrittenBytes::Some { count: 2, first: 1 };
        for (read, of, words) in [
            (
                read(4, UnwrittenMemory::Cluster, UnwrittenBytes::All),
                None,
                "read of 4 bytes of shared memory that no thread of the cluster has written",
            ),
            (
                read(1, UnwrittenMemory::Global, UnwrittenBytes::All),
                None,
                "read of 1 byte that nothing has written",
            ),
            (
                read(4, UnwrittenMemory::Shared, UnwrittenBytes::Some { count: 1, first: 3 }),
                Some("`a[1]`"),
                "read of 4 bytes of `a[1]`, of which no thread of the block has written byte 3",
            ),
            (
                read(4, UnwrittenMemory::Local, some),
                None,
                "read of 4 bytes of local memory, of which the thread has not written 2, from byte 1 on",
            ),
        ] {
            assert_eq!(read.words(of), words);
            assert_eq!(read.early("thread 1", ""), None);
        }
    }
}
