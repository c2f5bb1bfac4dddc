//! What a run leaves in a buffer.
//!
//! Enters: bytes that were read back, and which of them were never written. This module must never know what a buffer is for.

use std::ops::Range;

/// A buffer after a run.
#[derive(Clone, Debug, Default)]
pub struct Readback {
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// Ranges of those without initial contents that were never written, as far as the device keeps account of that.
    pub unwritten: Vec<Range<u64>>,
}

impl Readback {
    /// Whether no byte of an element was written, for elements of this many bytes.
    pub fn is_unwritten(&self, index: usize, width: usize) -> bool {
        let (first, end) = ((index * width) as u64, ((index + 1) * width) as u64);
        let at = self.unwritten.partition_point(|gap| gap.end <= first);
        self.unwritten.get(at).is_some_and(|gap| gap.start <= first && end <= gap.end)
    }
}
