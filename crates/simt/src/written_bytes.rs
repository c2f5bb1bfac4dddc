//! Which bytes of an allocation have been written: by the host, or by a kernel that runs with checks.
//!
//! The same marks serve for the bytes that kernels have read, where an account of these is kept.
//!
//! A bit a byte, kept only until all are set. Blocks that run at the same time set bits in the same words.

use std::ops::Range;
use std::sync::OnceLock;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU64};

#[derive(Debug)]
pub(crate) struct WrittenBytes {
    bytes: u64,
    all: AtomicBool,
    /// Something was set since it was last checked whether all is.
    changed: AtomicBool,
    bits: OnceLock<Box<[AtomicU64]>>,
}

impl WrittenBytes {
    /// Of an allocation of a given number of bytes, none of them written.
    pub(crate) fn new(bytes: u64) -> Self {
        let all = AtomicBool::new(bytes == 0);
        WrittenBytes { bytes, all, changed: AtomicBool::new(false), bits: OnceLock::new() }
    }

    /// The same marks once more.
    pub(crate) fn copy(&self) -> Self {
        let bits = OnceLock::new();
        if let Some(words) = self.bits.get() {
            bits.get_or_init(|| words.iter().map(|word| AtomicU64::new(word.load(Relaxed))).collect());
        }
        let flag = |flag: &AtomicBool| AtomicBool::new(flag.load(Relaxed));
        WrittenBytes { bytes: self.bytes, all: flag(&self.all), changed: flag(&self.changed), bits }
    }

    /// The marks as they are kept, 64 bytes a word; none where all are set, or none is.
    pub(crate) fn words(&self) -> impl Iterator<Item = u64> {
        let bits = self.bits.get().filter(|_| !self.all());
        bits.into_iter().flat_map(|words| words.iter().map(|word| word.load(Relaxed)))
    }

    /// Whether nothing is left to check or to mark.
    #[inline(always)]
    pub(crate) fn all(&self) -> bool {
        self.all.load(Relaxed)
    }

    /// Without checks it is not noted what a kernel writes: it may be anything.
    pub(crate) fn begin_launch(&mut self, checks: bool) {
        if *self.all.get_mut() {
            return;
        }
        let full = *self.changed.get_mut() && self.whole(0, self.bytes);
        *self.changed.get_mut() = false;
        if !checks || full {
            *self.all.get_mut() = true;
            self.bits = OnceLock::new();
        }
    }

    fn bits(&self) -> &[AtomicU64] {
        let words = self.bytes.div_ceil(64) as usize;
        self.bits.get_or_init(|| std::iter::repeat_with(AtomicU64::default).take(words).collect())
    }

    /// The words of a range, and which of their bits belong to it.
    fn range(&self, offset: u64, len: u64) -> impl Iterator<Item = (&AtomicU64, u64)> {
        let end = offset + len;
        let words = offset / 64..end.div_ceil(64);
        self.bits().iter().skip(words.start as usize).zip(words).map(move |(word, n)| {
            let low = offset.saturating_sub(n * 64);
            let high = (end - n * 64).min(64);
            (word, u64::MAX >> (64 - (high - low)) << low)
        })
    }

    /// Marks a row of a warp, which most often covers whole words of bits or has been marked before.
    #[inline(always)]
    pub(crate) fn mark_row(&self, offset: u64, len: u64) {
        if let (0, 128, Some(bits)) = (offset % 64, len, self.bits.get())
            && let Some([a, b]) = bits.get(offset as usize / 64..).and_then(|rest| rest.first_chunk())
        {
            a.store(u64::MAX, Relaxed);
            b.store(u64::MAX, Relaxed);
            self.changed.store(true, Relaxed);
        } else {
            self.mark(offset, len);
        }
    }

    /// A range inside of the allocation is written.
    #[inline(never)]
    pub(crate) fn mark(&self, offset: u64, len: u64) {
        if len == 0 || self.all() {
            return;
        }
        if len == self.bytes {
            self.all.store(true, Relaxed);
            return;
        }
        for (word, mask) in self.range(offset, len) {
            if mask == u64::MAX {
                word.store(mask, Relaxed);
            } else if word.load(Relaxed) & mask != mask {
                word.fetch_or(mask, Relaxed);
            }
        }
        self.changed.store(true, Relaxed);
    }

    /// Marks a range as unwritten: its contents are of no more use.
    #[inline(never)]
    pub(crate) fn forget(&self, offset: u64, len: u64) {
        if len == 0 || self.all() {
            return;
        }
        for (word, mask) in self.range(offset, len) {
            word.fetch_and(!mask, Relaxed);
        }
    }

    /// Whether every byte of a range is written.
    pub(crate) fn whole(&self, offset: u64, len: u64) -> bool {
        self.all() || self.range(offset, len).all(|(word, mask)| word.load(Relaxed) & mask == mask)
    }

    /// The bytes of a range of up to 64 that are not written, a bit for each.
    pub(crate) fn missing(&self, offset: u64, len: u64) -> u64 {
        if self.all() {
            return 0;
        }
        let (mut missing, mut at) = (0, 0);
        for (word, mask) in self.range(offset, len.min(64)) {
            missing |= (!word.load(Relaxed) & mask) >> mask.trailing_zeros() << at;
            at += mask.count_ones();
        }
        missing
    }

    /// The ranges of bytes that are not written.
    pub(crate) fn gaps(&self) -> Vec<Range<u64>> {
        let mut gaps: Vec<Range<u64>> = vec![];
        if self.all() {
            return gaps;
        }
        for (n, (word, mask)) in (0..).zip(self.range(0, self.bytes)) {
            let mut rest = !word.load(Relaxed) & mask;
            while rest != 0 {
                let first = rest.trailing_zeros();
                let len = (rest >> first).trailing_ones();
                rest &= !(u64::MAX >> (64 - len) << first);
                let start = n * 64 + u64::from(first);
                match gaps.last_mut().filter(|gap| gap.end == start) {
                    Some(gap) => gap.end += u64::from(len),
                    None => gaps.push(start..start + u64::from(len)),
                }
            }
        }
        gaps
    }

    /// The ranges of bytes that are written.
    pub(crate) fn ranges(&self) -> Vec<Range<u64>> {
        if self.bits.get().is_none() && !self.all() {
            return vec![];
        }
        let starts = std::iter::once(0).chain(self.gaps().into_iter().flat_map(|gap| [gap.start, gap.end]));
        let edges: Vec<u64> = starts.chain([self.bytes]).collect();
        edges.chunks(2).map(|pair| pair[0]..pair[1]).filter(|range| !range.is_empty()).collect()
    }

    /// Whether no byte of a range is.
    pub(crate) fn nothing(&self, offset: u64, len: u64) -> bool {
        !self.all() && self.range(offset, len).all(|(word, mask)| word.load(Relaxed) & mask == 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_gaps_between_what_is_marked_are_as_long_as_they_are() {
        let written = WrittenBytes::new(200);
        assert_eq!(written.gaps(), std::slice::from_ref(&(0..200)));
        written.mark(3, 1);
        written.mark(64, 64);
        written.mark(199, 1);
        assert_eq!(written.gaps(), [0..3, 4..64, 128..199]);
        assert_eq!(written.ranges(), [3..4, 64..128, 199..200]);
        written.mark(0, 200);
        assert_eq!((written.gaps(), written.ranges()), (vec![], std::iter::once(0..200).collect()));
        assert_eq!(WrittenBytes::new(200).ranges(), []);
    }

    #[test]
    fn what_is_marked_is_written_and_nothing_else() {
        let row = WrittenBytes::new(400);
        for at in [0, 64, 128] {
            row.mark(384, 1);
            row.mark_row(at, 128);
            assert!(row.whole(at, 128) && row.nothing(at + 128, 64));
        }
        for (offset, len) in [(0, 1), (3, 4), (60, 8), (64, 64), (63, 130), (199, 1), (0, 199)] {
            let written = WrittenBytes::new(200);
            written.mark(offset, len);
            for byte in 0..200 {
                let inside = (offset..offset + len).contains(&byte);
                assert_eq!(written.whole(byte, 1), inside, "{offset} {len} {byte}");
                assert_eq!(written.nothing(byte, 1), !inside, "{offset} {len} {byte}");
                let outside = |n: u64| u64::from(!(offset..offset + len).contains(&(byte + n))) << n;
                let bytes = 64.min(200 - byte);
                let missing = (0..bytes).fold(0, |bits, n| bits | outside(n));
                assert_eq!(written.missing(byte, bytes), missing, "{offset} {len} {byte}");
            }
            assert!(written.whole(offset, len) && !written.whole(0, 200));
        }
    }

    #[test]
    fn all_is_noticed_at_the_next_launch() {
        let mut written = WrittenBytes::new(100);
        written.mark(0, 50);
        written.begin_launch(true);
        assert!(!written.all() && written.nothing(50, 50));
        written.mark(50, 50);
        written.begin_launch(true);
        assert!(written.all());
    }

    #[test]
    fn a_launch_without_checks_may_write_anything() {
        let mut written = WrittenBytes::new(100);
        written.begin_launch(false);
        assert!(written.all());
    }
}
