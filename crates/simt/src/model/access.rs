//! What one warp's memory instruction costs: pure functions of its lanes' addresses.
//!
//! The rules are those that explain all 864 launches in `tests/truth` but two of `red` (see [`reduction`]); the tests
//! in `crates/simt/tests/truth.rs` hold them to it.

use crate::WARP;
use crate::lanes::{ALL, lanes};

/// Bytes of a sector, the unit in which L1 and L2 move global memory.
pub const SECTOR: u64 = 32;
/// Bytes of a line of L1, whose four sectors share a tag.
pub const LINE: u64 = 128;
/// Shared memory's banks, each 4 bytes wide.
pub const BANKS: usize = 32;

/// Distinct 32-byte sectors that the lanes of `mask` touch. An access of up to 16 bytes, aligned as it must be, lies in
/// one sector.
#[inline(always)]
pub fn sectors(addresses: &[u64; WARP], mask: u32) -> u32 {
    distinct_parts::<SECTOR>(addresses, mask)
}

/// Distinct 128-byte lines that the lanes of `mask` touch.
#[inline(always)]
pub fn lines(addresses: &[u64; WARP], mask: u32) -> u32 {
    distinct_parts::<LINE>(addresses, mask)
}

#[inline(always)]
fn distinct_parts<const BYTES: u64>(addresses: &[u64; WARP], mask: u32) -> u32 {
    let mut parts = *addresses;
    for part in &mut parts {
        *part /= BYTES;
    }
    // Rising addresses, the common case: a new part begins wherever it differs from the lane before.
    let (mut falls, mut changes) = (0, 0);
    for l in 1..WARP {
        falls |= u32::from(parts[l] < parts[l - 1]);
        changes += u32::from(parts[l] != parts[l - 1]);
    }
    if mask == ALL && falls == 0 { changes + 1 } else { distinct(&parts, mask) }
}

/// Distinct addresses among the lanes of `mask`: a constant load takes as many passes.
#[inline(always)]
pub fn distinct_addresses(addresses: &[u64; WARP], mask: u32) -> u32 {
    distinct(addresses, mask)
}

/// Distinct values among the lanes of `mask`.
#[inline(always)]
fn distinct(values: &[u64; WARP], mask: u32) -> u32 {
    let mut seen = Seen([u64::MAX; 64]);
    lanes(mask).map(|l| u32::from(seen.insert(values[l]))).sum()
}

/// A set of few numbers (no more than half of its size, a power of two), none of them `u64::MAX`.
struct Seen<const SIZE: usize>([u64; SIZE]);

impl<const SIZE: usize> Seen<SIZE> {
    /// Whether the number is new.
    #[inline(always)]
    fn insert(&mut self, value: u64) -> bool {
        // Fibonacci hashing: the multiplier is 2^64 divided by the golden ratio.
        let mut at = (value.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize % SIZE;
        while self.0[at] != u64::MAX {
            if self.0[at] == value {
                return false;
            }
            at = (at + 1) % SIZE;
        }
        self.0[at] = value;
        true
    }
}

/// Sectors of a reduction (`red`): lanes that hit the same address are passes of their own, in lane order.
///
/// On two of the 48 launches in `tests/truth` (random addresses with one pair among them) an H200 counts one sector
/// more than this.
pub fn reduction(addresses: &[u64; WARP], mask: u32) -> u32 {
    let mut left = mask;
    let mut total = 0;
    while left != 0 {
        let mut pass = 0u32;
        for l in lanes(left) {
            if !lanes(pass).any(|p| addresses[p] == addresses[l]) {
                pass |= 1 << l;
            }
        }
        total += sectors(addresses, pass);
        left &= !pass;
    }
    total
}

/// Passes of a shared access through the banks, and how many of them are conflicts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wavefronts {
    /// Passes.
    pub wavefronts: u32,
    /// Passes beyond one for each part that the width makes necessary.
    pub conflicts: u32,
}

/// Wavefronts of a shared load or store of `bytes` (1 to 16) a lane.
///
/// Up to 4 bytes a lane the warp goes as a whole, with 8 in halves, with 16 in quarters. Two neighbouring parts of a
/// load go together where every active lane `i` finds at `i ^ 1`, or every one at `i ^ 2`, a lane that is off or asks
/// for the same address; those of a store never do.
#[inline(always)]
pub fn wavefronts(addresses: &[u32; WARP], mask: u32, bytes: u32, store: bool) -> Wavefronts {
    if bytes <= 4 && mask == ALL {
        // Neighbouring words, or one word for all: what nearly every access of good code is.
        let first = addresses[0];
        let mut row = true;
        let mut same = true;
        for l in 0..WARP {
            row &= addresses[l] == first.wrapping_add(4 * l as u32);
            same &= addresses[l] == first;
        }
        if row || same {
            return Wavefronts { wavefronts: 1, conflicts: 0 };
        }
    }
    wavefronts_of_any(addresses, mask, bytes, store)
}

#[inline(always)]
fn wavefronts_of_any(addresses: &[u32; WARP], mask: u32, bytes: u32, store: bool) -> Wavefronts {
    let parts: u32 = if bytes <= 4 { 1 } else { bytes / 4 };
    let joined = parts > 1 && !store && (pairs(addresses, mask, 1) || pairs(addresses, mask, 2));
    let groups = if joined { parts / 2 } else { parts };
    let size = 32 / groups;
    let mut out = Wavefronts { wavefronts: 0, conflicts: 0 };
    for g in 0..groups {
        let part = mask & (u32::MAX >> (32 - size)) << (g * size);
        if part != 0 {
            let passes = passes(addresses, part, bytes);
            out.wavefronts += passes;
            out.conflicts += passes - 1;
        }
    }
    out
}

/// Whether every active lane's partner, `distance` away, is off or asks for the same address.
fn pairs(addresses: &[u32; WARP], mask: u32, distance: usize) -> bool {
    lanes(mask).all(|l| mask >> (l ^ distance) & 1 == 0 || addresses[l ^ distance] == addresses[l])
}

/// The most distinct words that one bank has to give.
#[inline(always)]
fn passes(addresses: &[u32; WARP], mask: u32, bytes: u32) -> u32 {
    let words = bytes.div_ceil(4);
    // A part has 64 words at most: 32 lanes of one, or 16 lanes of four.
    let mut seen = Seen([u64::MAX; 128]);
    let mut of_bank = [0u32; BANKS];
    for l in lanes(mask) {
        for w in 0..words {
            let word = addresses[l] / 4 + w;
            of_bank[word as usize % BANKS] += u32::from(seen.insert(u64::from(word)));
        }
    }
    of_bank.into_iter().max().unwrap_or(0)
}
