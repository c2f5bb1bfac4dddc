//! Maps with a cheap hash: keys are small numbers of ours, which nobody chooses to collide.
//!
//! Nothing may depend on the order in which such a map is gone through.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// Map from small keys.
pub(crate) type Map<K, V> = HashMap<K, V, BuildHasherDefault<Multiply>>;

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
        bytes.iter().for_each(|byte| self.add(u64::from(*byte)));
    }

    fn write_u8(&mut self, number: u8) {
        self.add(u64::from(number));
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
