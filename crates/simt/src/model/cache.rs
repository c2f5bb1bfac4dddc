//! A set-associative cache with least-recently-used replacement, for the time model. It holds no data.

use foldhash::fast::RandomState;
use std::collections::HashSet;
use std::num::NonZeroU64;

/// Size and shape of a cache.
#[derive(Clone, Copy, Debug, PartialEq, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Geometry {
    /// Capacity, bytes.
    pub bytes: u32,
    /// Bytes of a line.
    pub line: u32,
    /// Lines of a set.
    pub ways: u32,
}

/// Lines that are remembered as touched; more than any sampled block of a lab has.
const REMEMBERED: usize = 1 << 22;

/// Which lines are in.
#[derive(Clone, Debug)]
pub(crate) struct Cache {
    line: u64,
    sets: u64,
    ways: usize,
    /// The lines of each set, the most recently used one first.
    lines: Vec<Option<NonZeroU64>>,
    /// Every line that was ever in: the first touch of a line is no sign of a cache too small.
    touched: Addresses,
}

/// A set of lines or sectors.
pub(crate) type Addresses = HashSet<u64, RandomState>;

/// Outcome of an access to a cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Found {
    Hit,
    /// The line's first access.
    New,
    Miss,
}

impl Cache {
    pub(crate) fn new(shape: Geometry) -> Self {
        let ways = shape.ways.max(1) as usize;
        let line = u64::from(shape.line.max(1));
        let sets = (u64::from(shape.bytes) / line / ways as u64).max(1);
        Cache { line, sets, ways, lines: vec![None; sets as usize * ways], touched: Addresses::default() }
    }

    /// As if nothing had ever been in.
    pub(crate) fn clear(&mut self) {
        self.lines.fill(None);
        self.touched.clear();
    }

    /// An access that passes the cache: whether the line was ever asked for is noted, and nothing is brought.
    pub(crate) fn pass(&mut self, address: u64) -> Found {
        self.first_touch(address / self.line)
    }

    fn first_touch(&mut self, line: u64) -> Found {
        let known = self.touched.contains(&line);
        if !known && self.touched.len() < REMEMBERED {
            self.touched.insert(line);
        }
        if known { Found::Miss } else { Found::New }
    }

    pub(crate) fn access(&mut self, address: u64) -> Found {
        let line = address / self.line;
        let set = (line % self.sets) as usize * self.ways;
        let set = &mut self.lines[set..set + self.ways];
        let tag = NonZeroU64::new(line.wrapping_add(1));
        if set.first() == Some(&tag) {
            return Found::Hit;
        }
        if let Some(at) = set.iter().position(|l| *l == tag) {
            set[..=at].rotate_right(1);
            return Found::Hit;
        }
        set.rotate_right(1);
        set[0] = tag;
        self.first_touch(line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_passes_is_never_found() {
        let mut cache = Cache::new(Geometry { bytes: 2048, line: 64, ways: 4 });
        assert_eq!([cache.pass(0), cache.pass(0), cache.access(0)], [Found::New, Found::Miss, Found::Miss]);
        assert_eq!([cache.access(0), cache.pass(0)], [Found::Hit, Found::Miss]);
    }

    #[test]
    fn what_fits_is_found_again_and_what_does_not_is_not() {
        let shape = Geometry { bytes: 2048, line: 64, ways: 4 };
        let round = |cache: &mut Cache, bytes: u64, stride: u64| {
            (0..bytes).step_by(stride as usize).filter(|a| cache.access(*a) == Found::Miss).count()
        };
        let mut fits = Cache::new(shape);
        assert_eq!((round(&mut fits, 2048, 64), round(&mut fits, 2048, 64)), (0, 0));
        let mut too_large = Cache::new(shape);
        assert_eq!((round(&mut too_large, 4096, 64), round(&mut too_large, 4096, 64)), (0, 64));
        // 16 lines 256 bytes apart fall into 2 of the 8 sets, which hold 8 of them.
        let mut conflicts = Cache::new(shape);
        assert_eq!((round(&mut conflicts, 4096, 256), round(&mut conflicts, 4096, 256)), (0, 16));
    }
}
