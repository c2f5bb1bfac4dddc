//! A set-associative cache with least-recently-used replacement, for the time model. It holds no data.

use crate::hash::HashSet;
use std::num::NonZeroU64;

/// Size and shape of a cache.
#[derive(Clone, Copy, Debug, PartialEq)]
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
    /// Bytes that a miss brings: the line, or a sector of it.
    sector: u64,
    sets: u64,
    ways: usize,
    /// The lines of each set, the most recently used one first, each with a bit for every sector of it that is in.
    lines: Vec<Option<(NonZeroU64, u64)>>,
    /// Every sector that was ever in: its first touch is not a sign of a cache too small.
    touched: Addresses,
}

/// A set of lines or sectors.
pub(crate) type Addresses = HashSet<u64>;

/// Outcome of an access to a cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lookup {
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
        Cache {
            line,
            sector: line,
            sets,
            ways,
            lines: vec![None; sets as usize * ways],
            touched: Addresses::default(),
        }
    }

    /// One of lines of `line` bytes that it fills by sectors. L1 spreads lines over its sets by more than their lowest bits:
    /// here the sets are odd in number, so that lines a power of two apart fall into all of them, and neighbours too.
    pub(crate) fn sectored(Geometry { bytes, line: sector, ways }: Geometry, line: u32) -> Self {
        let plain = Cache::new(Geometry { bytes, line, ways });
        let sets = plain.sets | 1;
        let lines = vec![None; sets as usize * plain.ways];
        Cache { sector: sector.into(), sets, lines, ..plain }
    }

    /// As if nothing had ever been in.
    pub(crate) fn clear(&mut self) {
        self.lines.fill(None);
        self.touched.clear();
    }

    /// An access that passes the cache: whether the line was ever asked for is noted, and nothing is brought.
    pub(crate) fn pass(&mut self, address: u64) -> Lookup {
        self.first_touch(address / self.sector)
    }

    fn first_touch(&mut self, sector: u64) -> Lookup {
        let known = self.touched.contains(&sector);
        if !known && self.touched.len() < REMEMBERED {
            self.touched.insert(sector);
        }
        if known { Lookup::Miss } else { Lookup::New }
    }

    pub(crate) fn access(&mut self, address: u64) -> Lookup {
        let line = address / self.line;
        let sector = 1 << (address % self.line / self.sector);
        let set = (line % self.sets) as usize * self.ways;
        let set = &mut self.lines[set..set + self.ways];
        let Some(tag) = NonZeroU64::new(line.wrapping_add(1)) else { return Lookup::Miss };
        match set.iter().position(|l| l.is_some_and(|(held, _)| held == tag)) {
            Some(at) => set[..=at].rotate_right(1),
            None => {
                set.rotate_right(1);
                set[0] = Some((tag, 0));
            }
        }
        match &mut set[0] {
            Some((_, sectors)) if *sectors & sector != 0 => return Lookup::Hit,
            Some((_, sectors)) => *sectors |= sector,
            None => {}
        }
        self.first_touch(address / self.sector)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_passes_is_never_found() {
        let mut cache = Cache::new(Geometry { bytes: 2048, line: 64, ways: 4 });
        assert_eq!(
            [cache.pass(0), cache.pass(0), cache.access(0)],
            [Lookup::New, Lookup::Miss, Lookup::Miss]
        );
        assert_eq!([cache.access(0), cache.pass(0)], [Lookup::Hit, Lookup::Miss]);
    }

    #[test]
    fn what_fits_is_found_again_and_what_does_not_is_not() {
        let shape = Geometry { bytes: 2048, line: 64, ways: 4 };
        let round = |cache: &mut Cache, bytes: u64, stride: u64| {
            (0..bytes).step_by(stride as usize).filter(|a| cache.access(*a) == Lookup::Miss).count()
        };
        let mut fits = Cache::new(shape);
        assert_eq!((round(&mut fits, 2048, 64), round(&mut fits, 2048, 64)), (0, 0));
        let mut too_large = Cache::new(shape);
        assert_eq!((round(&mut too_large, 4096, 64), round(&mut too_large, 4096, 64)), (0, 64));
        // 16 lines 256 bytes apart fall into 2 of the 8 sets, which hold 8 of them.
        let mut conflicts = Cache::new(shape);
        assert_eq!((round(&mut conflicts, 4096, 256), round(&mut conflicts, 4096, 256)), (0, 16));
    }

    /// Misses of the second of two rounds of accesses.
    fn again(mut cache: Cache, bytes: u64, stride: u64) -> usize {
        let mut round =
            || (0..bytes).step_by(stride as usize).filter(|a| cache.access(*a) == Lookup::Miss).count();
        round();
        round()
    }

    #[test]
    fn a_cache_that_spreads_lines_holds_columns_too() {
        let plain = Geometry { bytes: 1 << 16, line: 128, ways: 4 };
        let shape = Geometry { line: 32, ..plain };
        assert_eq!(
            [again(Cache::new(plain), 1 << 22, 16384), again(Cache::sectored(shape, 128), 1 << 15, 128)],
            [256, 0]
        );
        assert!(again(Cache::sectored(shape, 128), 1 << 22, 16384) < 16);
    }

    #[test]
    fn a_cache_filled_by_sectors_holds_as_many_lines_whatever_is_in_them() {
        let shape = Geometry { bytes: 1 << 12, line: 32, ways: 4 };
        let cache = || Cache::sectored(shape, 128);
        assert_eq!([again(cache(), 1 << 12, 32), again(cache(), 1 << 12, 128)], [0, 0]);
        assert_eq!([again(cache(), 1 << 13, 32), again(cache(), 1 << 13, 128)], [256, 64]);
        // The other sectors of a line that is in are yet to come.
        let mut one = cache();
        assert_eq!([one.access(0), one.access(32), one.access(0)], [Lookup::New, Lookup::New, Lookup::Hit]);
    }
}
