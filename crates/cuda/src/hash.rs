//! Maps and sets with a cheap hash: keys are names of a source and small numbers of ours, which no one chooses to collide,
//! and the work of each stage is bounded.
//!
//! Nothing may depend on the order in which such a map is gone through.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

/// Map from small keys.
pub(crate) type Map<K, V> = HashMap<K, V, BuildHasherDefault<Multiply>>;

/// Set of small keys.
pub(crate) type Set<K> = HashSet<K, BuildHasherDefault<Multiply>>;

/// Hash by multiplication, word by word.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Multiply(u64);

impl Multiply {
    fn add(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(26) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
}

impl Hasher for Multiply {
    fn finish(&self) -> u64 {
        self.0 ^ (self.0 >> 32)
    }

    fn write(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks::<8>();
        words.iter().for_each(|word| self.add(u64::from_le_bytes(*word)));
        self.add(rest.iter().fold(bytes.len() as u64, |word, byte| word << 8 | u64::from(*byte)));
    }

    fn write_u8(&mut self, number: u8) {
        // The end of a string; its length is in the hash.
        if number != 0xff {
            self.add(u64::from(number));
        }
    }

    fn write_u32(&mut self, number: u32) {
        self.add(u64::from(number));
    }

    fn write_u64(&mut self, number: u64) {
        self.add(number);
    }

    fn write_usize(&mut self, number: usize) {
        self.add(number as u64);
    }
}
