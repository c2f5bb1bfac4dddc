//! What only the device's message of a fault says, as data.
//!
//! Enters: a fault's message. Leaves: who else made an access, which bytes have no value, how wide an access was. The device gives
//! its kind, thread, address and memory as fields of the fault; these it gives in its message alone, so this is the one file
//! that takes that apart. This module must never know how anything is worded for the source.

/// An access that is in conflict with another: `writes shared memory that thread (1,0,0) read at k.cu:9; a barrier …`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Conflict<'m> {
    /// What the access does, such as `writes`.
    pub(crate) does: &'m str,
    /// Whether it is to shared memory.
    pub(crate) shared: bool,
    /// The other access, with what is missing.
    pub(crate) other: &'m str,
    /// The other access alone: its thread, what that did, and where; where the message says what is missing.
    pub(crate) other_alone: Option<&'m str>,
}

impl Conflict<'_> {
    /// Whether both accesses write.
    pub(crate) fn is_of_writes(&self) -> bool {
        self.does.split(' ').next() == Some("writes") && self.other.contains(WROTE)
    }
}

/// Bytes that are read and have no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unwritten<'m> {
    /// All of them, in shared memory: who has not written them.
    Shared(&'m str),
    /// All of them, in constant memory.
    Constant,
    /// All of them, in global memory.
    Global,
    /// Some of them: who has not written which.
    Some(&'m str),
    /// All of them at the time: who writes them later.
    Early(&'m str),
}

const WROTE: &str = " wrote at ";

/// A conflict, if a message is about one.
pub(crate) fn conflict(message: &str) -> Option<Conflict<'_>> {
    let (does, other) = message.split_once(" memory that ")?;
    let (does, shared) = does.strip_suffix(" shared").map_or((does, false), |does| (does, true));
    let other_alone = other.rsplit_once("; ").map(|(alone, _)| alone);
    Some(Conflict { does, shared, other, other_alone })
}

/// Bytes without a value, if a message is about such.
pub(crate) fn unwritten(message: &str) -> Option<Unwritten<'_>> {
    let read = message.strip_prefix("read of ")?;
    if let Some((_, who)) = read.split_once(" of shared memory that ") {
        Some(Unwritten::Shared(who))
    } else if read.contains(" that nothing has written") {
        Some(Unwritten::Global)
    } else if read.contains(" of constant memory that nothing has set") {
        Some(Unwritten::Constant)
    } else if let Some((_, which)) = read.split_once(", of which ") {
        Some(Unwritten::Some(which))
    } else {
        read.split_once(" before ").map(|(_, who)| Unwritten::Early(who))
    }
}

/// Bytes of an access, and what the message says of it.
pub(crate) fn access(message: &str) -> Option<(u64, &str)> {
    let (bytes, rest) = message.strip_prefix("access of ")?.split_once(" byte")?;
    Some((bytes.parse().ok()?, rest.strip_prefix('s').unwrap_or(rest)))
}

/// Whether the other access that a message names stores.
pub(crate) fn other_stores(message: &str) -> bool {
    message.contains(WROTE) || message.contains(" writes them at ")
}

/// Whether a message is about the shared memory of a block that its cluster does not have.
pub(crate) fn is_of_missing_block(message: &str) -> bool {
    message.contains(" of a cluster of ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_conflict_has_two_accesses_and_what_is_missing() {
        let message =
            "writes shared memory that thread (1,0,0) wrote at k.cu:9; a barrier between them is missing";
        let other_alone = Some("thread (1,0,0) wrote at k.cu:9");
        let found = conflict(message).expect("a conflict");
        assert_eq!((found.does, found.shared, found.other_alone), ("writes", true, other_alone));
        assert!(found.is_of_writes() && other_stores(message));
        let found = conflict("reads memory that thread (1,0,0) wrote at k.cu:9").expect("a conflict");
        assert_eq!((found.does, found.shared, found.other_alone), ("reads", false, None));
        assert!(!found.is_of_writes());
        assert_eq!(conflict("access of 4 bytes through a null pointer"), None);
    }

    #[test]
    fn bytes_without_a_value_are_of_a_memory_and_may_be_written_later() {
        for (message, found) in [
            (
                "read of 4 bytes of shared memory that no thread of the block has written",
                Unwritten::Shared("no thread of the block has written"),
            ),
            (
                "read of 4 bytes that nothing has written, 8 bytes past the start of x, 16 bytes",
                Unwritten::Global,
            ),
            (
                "read of 4 bytes of constant memory that nothing has set, neither an initialiser nor the host",
                Unwritten::Constant,
            ),
            (
                "read of 4 bytes, of which nothing has written byte 3",
                Unwritten::Some("nothing has written byte 3"),
            ),
            (
                "read of 4 bytes before thread (1,0,0) writes them at k.cu:9; a barrier between them is missing",
                Unwritten::Early("thread (1,0,0) writes them at k.cu:9; a barrier between them is missing"),
            ),
        ] {
            assert_eq!(unwritten(message), Some(found), "{message}");
        }
        assert_eq!(unwritten("the kernel executed `trap`"), None);
    }

    #[test]
    fn an_access_has_its_bytes() {
        assert_eq!(access("access of 4 bytes through a null pointer"), Some((4, " through a null pointer")));
        assert_eq!(access("access of 1 byte, outside"), Some((1, ", outside")));
        assert_eq!(access("read of 4 bytes"), None);
    }
}
