//! Costs of accesses to shared memory: passes through its banks.

use super::*;
use crate::WARP;
use crate::lanes::{ALL, lanes};

/// Passes of a shared access through the banks, and how many of them are conflicts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wavefronts {
    /// Passes.
    pub wavefronts: u32,
    /// Passes beyond one for each part that the width makes necessary.
    pub conflicts: u32,
}

impl Wavefronts {
    /// Those of nothing.
    pub const NONE: Wavefronts = Wavefronts { wavefronts: 0, conflicts: 0 };

    /// Adds another instruction's.
    pub fn add(&mut self, other: Wavefronts) {
        self.wavefronts += other.wavefronts;
        self.conflicts += other.conflicts;
    }

    /// Adds what a part of the warp takes; none if it is empty.
    #[inline(always)]
    fn add_part(&mut self, passes: u32) {
        self.wavefronts += passes;
        self.conflicts += passes.saturating_sub(1);
    }
}

/// Wavefronts of a shared load of which all lanes ask for the same address: pairs agree, so parts go together in twos.
#[inline(always)]
pub fn broadcast(mask: u32, bytes: u32) -> u32 {
    if bytes <= 8 {
        return 1;
    }
    u32::from(mask & 0xffff != 0) + u32::from(mask >> 16 != 0)
}

/// Wavefronts of a shared load or store of `bytes` (1 to 16) a lane.
///
/// Up to 4 bytes a lane the warp goes as a whole, with 8 in halves, with 16 in quarters. Two neighbouring parts of a
/// load go together where every active lane `i` finds at `i ^ 1`, or every one at `i ^ 2`, a lane that is off or asks
/// for the same address; those of a store never do, nor those of a load through generic addresses (give `store` for it).
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
    let mut out = Wavefronts::NONE;
    for g in 0..groups {
        let part = mask & (u32::MAX >> (32 - size)) << (g * size);
        if part != 0 {
            out.add_part(passes(addresses, part, bytes));
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
    let mut banks = Banks::new();
    for l in lanes(mask) {
        for w in 0..words {
            banks.ask(addresses[l] / 4 + w);
        }
    }
    most(&banks.of_bank)
}

/// The distinct words that banks are asked for: for each bank a list, which is short but where lanes conflict.
struct Banks {
    /// The word that each bank was asked for last, and for each word the one before.
    last: [u8; BANKS],
    words: [u32; 64],
    before: [u8; 64],
    count: usize,
    of_bank: [u8; BANKS],
}

impl Banks {
    const NONE: u8 = u8::MAX;

    #[inline(always)]
    fn new() -> Banks {
        Banks { last: [Banks::NONE; BANKS], words: [0; 64], before: [0; 64], count: 0, of_bank: [0; BANKS] }
    }

    #[inline(always)]
    fn ask(&mut self, word: u32) {
        let bank = word as usize % BANKS;
        let mut at = self.last[bank];
        while at != Self::NONE {
            if self.words[usize::from(at) % 64] == word {
                return;
            }
            at = self.before[usize::from(at) % 64];
        }
        self.words[self.count % 64] = word;
        self.before[self.count % 64] = self.last[bank];
        self.last[bank] = self.count as u8;
        self.count += 1;
        self.of_bank[bank] += 1;
    }
}

/// Wavefronts of `ldmatrix`: of each of its one, two or four matrices, whose eight rows of 16 bytes the first eight lanes
/// give, the next eight and so on.
pub fn matrices(addresses: &[u32; WARP], count: u32) -> Wavefronts {
    let mut out = Wavefronts::NONE;
    for matrix in 0..count {
        out.add_part(passes(addresses, 0xff << (8 * matrix), 16));
    }
    out
}

/// Cost of a `cp.async`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Copy {
    /// Requests: one, if any lane reads.
    pub requests: u32,
    /// Sectors among those of global loads.
    pub sectors: u32,
    /// Bank conflicts.
    pub conflicts: u32,
}

/// Cost of a `cp.async` of `bytes` (4, 8 or 16) a lane, from global to shared memory. The lanes of `reading` copy, those of
/// `zeroing` write zeros alone.
///
/// Past L1 (`.cg`), conflicts are those of the zeros alone, which are written as by a store. Its sectors are those of shared
/// memory that are written, once for every place in its line that a sector which goes there has: as many as sectors that
/// are read, where lanes that share one of these share one of those, as tiles' rows do. That explains 44 of 56 copies that
/// the chip counted (`tests/truth/copies.json`); the others scatter what they write, some of it to one place.
/// Through L1, lanes go together whose lines are looked up together, a line of each bank of tags (see [`atomic`]), and
/// each such group goes in halves with 8 bytes, in quarters with 16. A pass serves a lane if no lower one that was left
/// at its beginning has the same place in its line or writes through the same bank; conflicts are passes beyond each
/// part's first.
pub fn copy(
    from: &[u64; WARP],
    to: &[u32; WARP],
    [reading, zeroing]: [u32; 2],
    bytes: u32,
    past_l1: bool,
) -> Copy {
    let requests = u32::from(reading != 0);
    if past_l1 {
        let mut pairs = [u64::MAX; WARP];
        // The last one that writes to a place stays; of rising addresses, that is each.
        let rising = lanes(reading).zip(lanes(reading).skip(1)).all(|(l, next)| to[l] < to[next]);
        for l in lanes(reading) {
            let last = rising || !lanes(reading).any(|o| o > l && to[o] == to[l]);
            if last {
                pairs[l] = u64::from(to[l]) / SECTOR * (LINE / SECTOR) + from[l] % LINE / SECTOR;
            }
        }
        let written = lanes(reading).filter(|l| pairs[*l] != u64::MAX).fold(0, |m, l| m | 1 << l);
        let conflicts = wavefronts(to, zeroing, bytes, true).conflicts;
        return Copy { requests, sectors: distinct(&pairs, written), conflicts };
    }
    let place = |address: u64| 1u32 << (address / u64::from(bytes) % u64::from(32 / bytes.div_ceil(4)));
    let conflicts_of = |mask: u32, reads: bool| {
        let mut conflicts = 0;
        for part in parts_of(mask, bytes) {
            let mut left = part;
            while left != 0 {
                let (mut sources, mut targets, mut served) = (0u32, 0u32, 0u32);
                for l in lanes(left) {
                    let (source, target) = (if reads { place(from[l]) } else { 0 }, place(u64::from(to[l])));
                    served |= u32::from(sources & source == 0 && targets & target == 0) << l;
                    sources |= source;
                    targets |= target;
                }
                left &= !served;
                conflicts += u32::from(left != 0);
            }
        }
        conflicts
    };
    let mut conflicts = conflicts_of(zeroing, false);
    let mut left = reading;
    while left != 0 {
        let mut line_of_bank = [None; 4];
        let mut group = 0;
        for l in lanes(left) {
            let line = from[l] / LINE;
            group |= u32::from(*line_of_bank[tag_bank(line)].get_or_insert(line) == line) << l;
        }
        conflicts += conflicts_of(group, true);
        left &= !group;
    }
    Copy { requests, sectors: sectors(from, reading), conflicts }
}

/// The parts in which a warp moves a number of bytes a lane through the banks of shared memory.
fn parts_of(mask: u32, bytes: u32) -> impl Iterator<Item = u32> {
    let size = 32 / bytes.div_ceil(4);
    (0..32 / size).map(move |part| mask & u32::MAX >> (32 - size) << (part * size))
}

/// Wavefronts of one atomic instruction on shared memory with 4 or 8 `bytes` a lane.
///
/// A bank serves one lane a wavefront, also where lanes ask for the same word; with 8 bytes the warp goes in halves,
/// through 16 banks of 8 bytes. A compare-and-swap, which brings two operands, takes every wavefront twice; the second
/// is not a conflict.
///
/// The chip has no instruction for some operations, see [`shared_atomic_loop`]. And ptxas makes an instruction of its
/// own of a `red.shared.add.u32` of the constant 1, for which lanes that ask for the same word go together: its
/// wavefronts are those of a 4-byte load.
pub fn shared_atomic(addresses: &[u32; WARP], mask: u32, bytes: u32, swap: bool) -> Wavefronts {
    simd::call(SharedAtomic { addresses, mask, bytes, swap })
}

struct SharedAtomic<'a> {
    addresses: &'a [u32; WARP],
    mask: u32,
    bytes: u32,
    swap: bool,
}

impl simd::Work for SharedAtomic<'_> {
    type Output = Wavefronts;

    #[inline(always)]
    fn call(self) -> Wavefronts {
        let SharedAtomic { addresses, mask, bytes, swap } = self;
        let mut out = Wavefronts::NONE;
        // Banks are at least as many as a part has lanes.
        let mut banks = [0u8; WARP];
        let shift = bytes.trailing_zeros();
        let last = (4 * BANKS as u32 / bytes) as u8 - 1;
        for l in 0..WARP {
            banks[l] = (addresses[l] >> shift) as u8 & last;
        }
        for part in halves(mask, bytes).into_iter().filter(|part| *part != 0) {
            let (mut of_bank, mut most) = ([0u8; BANKS], 0);
            if part == ALL {
                for bank in banks {
                    of_bank[usize::from(bank) % BANKS] += 1;
                }
            } else {
                for l in lanes(part) {
                    of_bank[usize::from(banks[l]) % BANKS] += 1;
                }
            }
            for bank in of_bank {
                most = most.max(bank);
            }
            out.add_part(most.into());
        }
        if swap {
            out.wavefronts *= 2;
        }
        out
    }
}

/// Wavefronts of an atomic instruction through generic addresses of which no lane reaches shared memory.
pub fn elsewhere(mask: u32, bytes: u32, swap: bool) -> u32 {
    let parts = halves(mask, bytes).into_iter().filter(|part| *part != 0).count() as u32;
    if swap { 2 * parts } else { parts }
}

/// Cost of an atomic operation on shared memory that ptxas makes a loop of, see [`shared_atomic_loop`] and
/// [`swap_rounds`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SharedLoop {
    /// Atomic instructions, one a round.
    pub atomics: u32,
    /// Their wavefronts.
    pub atomic: Wavefronts,
    /// Load instructions.
    pub loads: u32,
    /// Theirs.
    pub load: Wavefronts,
}

impl SharedLoop {
    const NONE: SharedLoop =
        SharedLoop { atomics: 0, atomic: Wavefronts::NONE, loads: 0, load: Wavefronts::NONE };
}

/// Whether shared memory's atomic units have an instruction for an operation of that width: they have all of 32-bit
/// integers, and exchanges and compare-and-swaps of 64 bits.
pub fn shared_has(bytes: u32, integer: bool, exchange_or_swap: bool) -> bool {
    match bytes {
        4 => integer,
        8 => exchange_or_swap,
        _ => false,
    }
}

/// Cost of an operation on shared memory that the chip has no instruction for, see [`shared_has`]: ptxas makes a loop of
/// it: load, compute, and an attempt to put the result in place.
///
/// In a round, a bank lets its lowest lane try, so that with words of 4 bytes as many rounds are needed as the busiest bank has
/// lanes, whatever the values are.
pub fn shared_atomic_loop(addresses: &[u32; WARP], mask: u32) -> SharedLoop {
    simd::call(AtomicLoop { addresses, mask })
}

struct AtomicLoop<'a> {
    addresses: &'a [u32; WARP],
    mask: u32,
}

impl simd::Work for AtomicLoop<'_> {
    type Output = SharedLoop;

    #[inline(always)]
    fn call(self) -> SharedLoop {
        let AtomicLoop { addresses, mask } = self;
        let mut of_bank = [0u32; BANKS];
        for l in lanes(mask) {
            of_bank[addresses[l] as usize / 4 % BANKS] |= 1 << l;
        }
        let mut rounds = 0;
        for lanes in of_bank {
            rounds = lanes.count_ones().max(rounds);
        }
        // The loads of a round are those of its lanes and of all later ones: distinct words, from the last lane on.
        let mut loads = [1; WARP];
        let mut words = [0; WARP];
        for mut left in of_bank {
            if left.is_power_of_two() {
                continue;
            }
            let (mut distinct, mut round) = (0, left.count_ones() as usize);
            while left != 0 {
                let l = left.ilog2();
                left ^= 1 << l;
                round -= 1;
                let word = addresses[l as usize];
                if !words[..distinct].contains(&word) {
                    words[distinct] = word;
                    distinct += 1;
                }
                loads[round] = distinct.max(loads[round]);
            }
        }
        let mut out = SharedLoop { atomics: rounds, loads: rounds, ..SharedLoop::NONE };
        out.atomic.wavefronts = 2 * rounds;
        for passes in &loads[..rounds as usize] {
            out.load.add_part(*passes as u32);
        }
        out
    }
}

/// [`shared_atomic_loop`] of words of 8 bytes, which hold `before`; `update` is what a lane makes of a word. The warp goes
/// in halves: a lane of the upper one fails where the lower half has just changed the same word. With `leaves` (minimum and
/// maximum), lanes that would change nothing leave without trying.
pub fn shared_wide_atomic_loop(
    addresses: &[u32; WARP],
    mask: u32,
    before: &[u64; WARP],
    update: impl Fn(usize, u64) -> u64,
    leaves: bool,
) -> SharedLoop {
    let mut out = SharedLoop::NONE;
    let owner = owners(&addresses.map(u64::from), mask);
    let mut words = *before;
    let mut left = mask;
    while left != 0 {
        out.loads += 1;
        out.load.add(wavefronts(addresses, left, 8, false));
        let loaded: [u64; WARP] = std::array::from_fn(|l| words[owner[l]]);
        if leaves {
            left &= !lanes(left).filter(|l| update(*l, loaded[*l]) == loaded[*l]).fold(0, |m, l| m | 1 << l);
            if left == 0 {
                break;
            }
        }
        out.atomics += 1;
        let mut done = 0u32;
        for part in halves(left, 8) {
            out.atomic.wavefronts += 2 * u32::from(part != 0);
            let mut tried = 0u32;
            for l in lanes(part) {
                let bank = 1 << (addresses[l] as usize / 8 % (BANKS / 2));
                if tried & bank == 0 && words[owner[l]] == loaded[l] {
                    words[owner[l]] = update(l, loaded[l]);
                    done |= 1 << l;
                }
                tried |= bank;
            }
        }
        left &= !done;
    }
    out
}

/// The rounds of an atomic operation on half a word, for which ptxas makes a loop of compare-and-swaps of the whole word:
/// which lanes take part in each.
///
/// Before the loop each lane loads its word. `words` are the addresses, which hold `before`; `swap` gives, for a word that
/// a lane has seen, the word that it expects and the one it would put in its place. A lane goes round again where the word
/// that it found would have made it expect another one. Lanes take their turns from the lowest to the highest.
pub fn swap_rounds(
    words: &[u64; WARP],
    mask: u32,
    before: &[u64; WARP],
    swap: impl Fn(usize, u64) -> (u64, u64),
) -> Vec<u32> {
    let owner = owners(words, mask);
    let (mut memory, mut seen) = (*before, *before);
    let (mut left, mut rounds) = (mask, vec![]);
    while left != 0 {
        rounds.push(left);
        for l in lanes(left) {
            let (expected, new) = swap(l, seen[l]);
            let found = memory[owner[l]];
            if found == expected {
                memory[owner[l]] = new;
            }
            if swap(l, found).0 == expected {
                left &= !(1 << l);
            }
            seen[l] = found;
        }
    }
    rounds
}

/// For each lane the lowest active one with the same address.
fn owners(addresses: &[u64; WARP], mask: u32) -> [usize; WARP] {
    // A table of twice as many places as there are lanes, each with the lane that came first.
    let mut table = [WARP as u8; 2 * WARP];
    let mut out = std::array::from_fn(|l| l);
    for l in lanes(mask) {
        let mut place = (addresses[l] >> 2) as usize;
        out[l] = loop {
            let lane = &mut table[place % (2 * WARP)];
            match usize::from(*lane) {
                WARP => *lane = l as u8,
                first if addresses[first] == addresses[l] => break first,
                _ => place += 1,
            }
        };
    }
    out
}

/// The parts of a warp that an atomic on shared memory takes one after the other.
fn halves(mask: u32, bytes: u32) -> [u32; 2] {
    if bytes == 8 { [mask & 0xffff, mask & 0xffff_0000] } else { [mask, 0] }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_broadcast_costs_what_its_wavefronts_are() {
        let mut mask = 1u32;
        for n in 0..2000u32 {
            mask = mask.wrapping_mul(0x9e37_79b1).wrapping_add(n) | 1 << (n % 32);
            for bytes in [4, 8, 16] {
                let waves = wavefronts(&[16 * (n % 7); WARP], mask, bytes, false);
                assert_eq!(
                    waves,
                    Wavefronts { wavefronts: broadcast(mask, bytes), conflicts: 0 },
                    "{mask:#x} {bytes}"
                );
            }
        }
    }
}
