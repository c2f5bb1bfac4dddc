//! What one warp's memory instruction costs: pure functions of its lanes' addresses.
//!
//! The rules are those that explain all 864 launches in `tests/truth` but two of `red` (see [`reduction`]); the tests
//! in `crates/simt/tests/truth.rs` hold them to it.

use crate::WARP;
use crate::lanes::{ALL, lanes};

/// Bytes of a sector, the unit in which L1 and L2 move global memory.
pub const SECTOR: u64 = 32;
/// Shared memory's banks, each 4 bytes wide.
pub const BANKS: usize = 32;

/// Distinct 32-byte sectors that the lanes of `mask` touch. An access of up to 16 bytes, aligned as it must be, lies in
/// one sector.
#[inline(always)]
pub fn sectors(addresses: &[u64; WARP], mask: u32) -> u32 {
    if mask == ALL {
        // Rising addresses, the common case: a new sector begins wherever it differs from the lane before.
        let mut rising = true;
        let mut count = 1;
        for l in 1..WARP {
            rising &= addresses[l] >= addresses[l - 1];
            count += u32::from(addresses[l] / SECTOR != addresses[l - 1] / SECTOR);
        }
        if rising {
            return count;
        }
    }
    distinct(addresses, mask, |a| a / SECTOR)
}

fn distinct(addresses: &[u64; WARP], mask: u32, key: impl Fn(u64) -> u64) -> u32 {
    let mut keys = [0; WARP];
    let mut n = 0;
    for l in lanes(mask) {
        keys[n] = key(addresses[l]);
        n += 1;
    }
    let keys = &mut keys[..n];
    keys.sort_unstable();
    let changes = keys.windows(2).filter(|w| w[0] != w[1]).count();
    if n == 0 { 0 } else { changes as u32 + 1 }
}

/// Distinct addresses among the lanes of `mask`: a constant load takes as many passes.
#[inline(always)]
pub fn distinct_addresses(addresses: &[u64; WARP], mask: u32) -> u32 {
    if mask == ALL && addresses.iter().all(|a| *a == addresses[0]) {
        return 1;
    }
    distinct(addresses, mask, |a| a)
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

#[inline(never)]
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
fn passes(addresses: &[u32; WARP], mask: u32, bytes: u32) -> u32 {
    let words = bytes.div_ceil(4);
    // At most 32 lanes with 4 words each: 128 words, sorted so that equal ones are neighbours.
    let mut all = [0u32; 4 * WARP];
    let mut n = 0;
    for l in lanes(mask) {
        for w in 0..words {
            all[n] = addresses[l] / 4 + w;
            n += 1;
        }
    }
    let all = &mut all[..n];
    all.sort_unstable();
    let mut of_bank = [0u32; BANKS];
    let mut last = None;
    for word in all.iter() {
        if last != Some(*word) {
            of_bank[*word as usize % BANKS] += 1;
            last = Some(*word);
        }
    }
    of_bank.into_iter().max().unwrap_or(0)
}
