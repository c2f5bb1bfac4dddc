//! Costs of one warp's memory instruction: pure functions of its lanes' addresses.
//!
//! The rules are those that explain what an H200 counted in the launches of `tests/truth`; the tests in
//! `crates/simt/tests/truth.rs` hold them to it, and `scripts/truth` measures more.

mod shared;

pub use shared::{
    Copy, SharedLoop, Wavefronts, broadcast, copy, elsewhere, matrices, shared_atomic, shared_atomic_loop,
    shared_has, shared_wide_atomic_loop, swap_rounds, wavefronts,
};

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
    let mut parts = *addresses;
    for part in &mut parts {
        *part /= SECTOR;
    }
    // Rising addresses, the common case: a new part begins wherever it differs from the lane before.
    let (mut falls, mut changes) = (0, 0);
    for l in 1..WARP {
        falls |= u32::from(parts[l] < parts[l - 1]);
        changes += u32::from(parts[l] != parts[l - 1]);
    }
    if mask == ALL && falls == 0 { changes + 1 } else { distinct(&parts, mask) }
}

/// Turns of L1 for a load or a store of global memory, cycles of each of its two stages. They work at the same time: one
/// access again and again takes the larger of the two, and different accesses the larger of the two sums.
///
/// Measured on an H200 with `scripts/turns`: 16 warps of a multiprocessor repeat an access that L1 holds. `tests/truth` holds
/// what it took and what `l1tex__t_output_wavefronts` counted, the turns of the tags.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Turns {
    /// Of the tags: each of four banks looks up a line a cycle, see `tag_bank`.
    pub tags: u32,
    /// Of the data: each of 32 banks gives or takes a word of 4 bytes a cycle, as shared memory's do. Lanes of 8 bytes go in
    /// halves of a warp, those of 16 in quarters, one after the other.
    pub data: u32,
}

impl Turns {
    /// Those of an instruction whose lanes are all off.
    pub const WITHOUT_LANES: Turns = Turns { tags: 0, data: 1 };

    /// Cycles that an access alone takes of L1.
    pub fn cycles(self) -> u32 {
        self.tags.max(self.data)
    }
}

/// Turns of a load or a store of global memory of `bytes` a lane.
///
/// An instruction whose lanes are all off takes a turn of the data all the same. A load gives 128 bytes of registers a turn,
/// whatever it reads: one of 16 bytes a lane takes four turns even if few lanes are on or all read one address.
pub fn turns(addresses: &[u64; WARP], mask: u32, bytes: u32, store: bool) -> Turns {
    if mask == 0 {
        return Turns::WITHOUT_LANES;
    }
    let Global { data_turns, lines, .. } = global(addresses, mask, bytes, store);
    Turns { tags: tag_turns(addresses, lines, 0), data: data_turns }
}

/// Cost of a load or a store of global memory, as far as it does not change if all addresses move by whole lines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Global {
    pub(crate) sectors: u32,
    pub(crate) data_turns: u32,
    /// For each line a lane: the lowest that touches it.
    pub(crate) lines: u32,
}

/// Turns of the tags for the lines of some lanes, no two of them the same, with every address moved by a number of bytes.
#[inline(always)]
pub(crate) fn tag_turns(addresses: &[u64; WARP], lines: u32, moved: u64) -> u32 {
    simd::call(TagTurns { addresses, lines, moved })
}

/// The cost of lanes that are scattered. One that is on at least.
pub(crate) fn global(addresses: &[u64; WARP], mask: u32, bytes: u32, store: bool) -> Global {
    simd::call(OfGlobal { addresses, mask, bytes, store })
}

/// Turns of the data for a load of which each part of the warp finds its words in different banks, or a store of `mask`.
#[inline(always)]
pub(crate) fn unhindered(mask: u32, bytes: u32, store: bool) -> u32 {
    let parts = (bytes / 4).max(1);
    if store && parts > 1 && mask != ALL { groups(mask, WARP as u32 / parts) } else { parts }
}

/// The largest of some counts. Not `max` of the iterator, whose comparisons are calls unless a crate is built as one.
#[inline(always)]
fn most(of: &[u8]) -> u32 {
    of.iter().fold(0, |most: u8, of| most.max(*of)).into()
}

/// Turns of the tags for some neighbouring lines, nine at the most.
#[inline(always)]
pub(crate) fn tag_turns_of_row(first: u64, count: u64) -> u32 {
    let mut of_bank = [0u8; TAG_BANKS];
    (first..first + count).for_each(|line| of_bank[tag_bank(line)] += 1);
    most(&of_bank)
}

struct OfGlobal<'a> {
    addresses: &'a [u64; WARP],
    mask: u32,
    bytes: u32,
    store: bool,
}

impl simd::Work for OfGlobal<'_> {
    type Output = Global;

    #[inline(always)]
    fn call(self) -> Global {
        let OfGlobal { addresses, mask, .. } = self;
        let (mut low, mut high) = (u64::MAX, 0);
        for l in 0..WARP {
            let active = u64::from(mask >> l & 1).wrapping_neg();
            low = low.min(addresses[l] | !active);
            high = high.max(addresses[l] & active);
        }
        let first = low / LINE;
        if high / LINE - first < 64 {
            // Close together: a bit for each line.
            let mut seen = 0u64;
            return self.count(|line| {
                let at = (line - first) % 64;
                let new = seen >> at & 1 == 0;
                seen |= 1 << at;
                (at as usize, new)
            });
        }
        let mut seen = Seen::<64>::EMPTY;
        self.count(|line| seen.find(line))
    }
}

impl OfGlobal<'_> {
    /// The cost, where `place` gives each line a number below 64 and says whether it is new.
    #[inline(always)]
    fn count(&self, mut place: impl FnMut(u64) -> (usize, bool)) -> Global {
        let OfGlobal { addresses, mask, bytes, store } = *self;
        // Elements lie where they are multiples of their size: lanes conflict in all banks of theirs or in none.
        let element = u64::from(bytes.max(4));
        let size = WARP as u32 / unhindered(ALL, bytes, store);
        let mut out = Global::default();
        // For each sector of a line, and for each bank (or banks of an element), the lines of which it is asked for.
        let mut sectors = [0u64; (LINE / SECTOR) as usize];
        for part in 0..WARP as u32 / size {
            let mut banks = [0u64; BANKS];
            for l in lanes(mask & (u32::MAX >> (WARP as u32 - size)) << (part * size)) {
                let (at, new) = place(addresses[l] / LINE);
                out.lines |= u32::from(new) << l;
                sectors[(addresses[l] / SECTOR % (LINE / SECTOR)) as usize] |= 1 << at;
                banks[(addresses[l] % LINE / element) as usize % BANKS] |= 1 << at;
            }
            out.data_turns += banks.iter().fold(0, |most, lines| most.max(lines.count_ones()));
        }
        if !store {
            out.data_turns = out.data_turns.max(WARP as u32 / size);
        }
        out.sectors = sectors.iter().map(|lines| lines.count_ones()).sum();
        out
    }
}

struct TagTurns<'a> {
    addresses: &'a [u64; WARP],
    lines: u32,
    moved: u64,
}

impl simd::Work for TagTurns<'_> {
    type Output = u32;

    #[inline(always)]
    fn call(self) -> u32 {
        // 16 bits for each bank.
        let mut of_banks = 0u64;
        for l in 0..WARP {
            let bank = tag_bank(self.addresses[l].wrapping_add(self.moved) / LINE) as u32;
            of_banks += u64::from(self.lines >> l & 1) << (16 * bank);
        }
        (0..TAG_BANKS).fold(0, |most, bank| most.max(of_banks >> (16 * bank) & 0xffff)) as u32
    }
}

/// Groups of `size` neighbouring lanes of which at least one is active: the requests of an instruction that the texture
/// unit takes a group at a time.
pub fn groups(mask: u32, size: u32) -> u32 {
    (0..WARP as u32 / size).filter(|g| mask >> (g * size) & ((1 << size) - 1) != 0).count() as u32
}

/// Distinct sectors within each group of `size` neighbouring lanes, summed over groups: `touched` has lanes and sectors, by
/// rising lane.
pub fn sectors_of_groups(touched: &[(u8, u64)], size: u8) -> u32 {
    let mut sum = 0;
    for group in touched.chunk_by(|a, b| a.0 / size == b.0 / size) {
        let mut sectors: Vec<u64> = group.iter().map(|(_, sector)| *sector).collect();
        sectors.sort_unstable();
        sectors.dedup();
        sum += sectors.len() as u32;
    }
    sum
}

/// [`sectors_of_groups`] of reductions, whose lanes have an address each in addition to its sector: those that hit an address once
/// more count again.
pub fn sectors_of_reductions(touched: &[(u8, u64, u64)], size: u8) -> u32 {
    let mut sum = 0;
    for group in touched.chunk_by(|a, b| a.0 / size == b.0 / size) {
        let round = |n: usize| group[..n].iter().filter(|earlier| earlier.2 == group[n].2).count();
        let mut sectors: Vec<(usize, u64)> = (0..group.len()).map(|n| (round(n), group[n].1)).collect();
        sectors.sort_unstable();
        sectors.dedup();
        sum += sectors.len() as u32;
    }
    sum
}

/// Distinct addresses among the lanes of `mask`: a constant load takes as many broadcasts.
#[inline(always)]
pub fn distinct_addresses(addresses: &[u64; WARP], mask: u32) -> u32 {
    first_lanes(addresses, mask).count_ones()
}

/// Lanes of `mask` whose value no lower lane of it has.
#[inline(always)]
pub(crate) fn first_lanes(values: &[u64; WARP], mask: u32) -> u32 {
    let mut seen = Seen::<64>::EMPTY;
    lanes(mask).filter(|l| seen.find(values[*l]).1).fold(0, |firsts, l| firsts | 1 << l)
}

/// Distinct values among the lanes of `mask`.
#[inline(always)]
fn distinct(values: &[u64; WARP], mask: u32) -> u32 {
    first_lanes(values, mask).count_ones()
}

/// A set of few numbers (no more than half of its size, a power of two), none of them `u64::MAX`.
struct Seen<const SIZE: usize>([u64; SIZE]);

impl<const SIZE: usize> Seen<SIZE> {
    const EMPTY: Self = Seen([u64::MAX; SIZE]);

    /// The place of a number, which is put there if it is new, and whether it is.
    #[inline(always)]
    fn find(&mut self, value: u64) -> (usize, bool) {
        // Fibonacci hashing: the multiplier is 2^64 divided by the golden ratio.
        let mut at = (value.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize % SIZE;
        while self.0[at] != u64::MAX {
            if self.0[at] == value {
                return (at, false);
            }
            at = (at + 1) % SIZE;
        }
        self.0[at] = value;
        (at, true)
    }
}

/// Cost of a reduction or an atomic operation on global memory. It is always one request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Atomic {
    /// Sectors, counted once in every pass that touches them.
    pub sectors: u32,
    /// Passes through the tags (`l1tex__t_output_wavefronts`).
    pub passes: u32,
}

/// Sectors of a reduction (`red`), see [`atomic`].
pub fn reduction(addresses: &[u64; WARP], mask: u32) -> u32 {
    atomic(addresses, mask, false).sectors
}

/// Cost of a reduction (`red`) or an atomic (`atom`) on global memory, whatever its width; `swap` says that it is a
/// compare-and-swap, which brings two operands.
///
/// The lines fall into four banks of tags, each of which serves one line a pass (half a line of compare-and-swaps): that
/// of the lowest lane that is left. A lane of that line is served if no lower lane that is left in the same bank has the
/// same place within its line, be it in that line (the same address) or in another. The banks go on independently of
/// each other.
pub fn atomic(addresses: &[u64; WARP], mask: u32, swap: bool) -> Atomic {
    let unit = if swap { LINE / 2 } else { LINE };
    let mut of_bank = [0u32; TAG_BANKS];
    for l in lanes(mask) {
        of_bank[tag_bank(addresses[l] / LINE)] |= 1 << l;
    }
    let mut out = Atomic { sectors: 0, passes: 0 };
    for mut left in of_bank {
        let mut passes = 0;
        while left != 0 {
            let first = addresses[left.trailing_zeros() as usize] / unit;
            // A bit for each byte of a line, and one for each of its sectors.
            let (mut places, mut sectors, mut served) = (0u128, 0u32, 0u32);
            for l in lanes(left) {
                let place = 1u128 << (addresses[l] % LINE);
                if places & place == 0 && addresses[l] / unit == first {
                    sectors |= 1 << (addresses[l] % LINE / SECTOR);
                    served |= 1 << l;
                }
                places |= place;
            }
            out.sectors += sectors.count_ones();
            passes += 1;
            left &= !served;
        }
        out.passes = out.passes.max(passes);
    }
    out
}

/// Banks of L1's tags.
const TAG_BANKS: usize = 4;

/// The bank of tags that a line belongs to: the parity of some of its number's bits, and of others.
///
/// Measured for the low 28 bits, with lines up to 16 GiB apart (`scripts/turns --far`); what the higher ones do is left out.
#[inline(always)]
fn tag_bank(line: u64) -> usize {
    const LOW: u64 = 0b0101_1110_1111_0111_1010_1011_0101;
    const HIGH: u64 = 0b1110_1011_1010_1101_0101_1101_1010;
    // Both parities at once, folded into bits 0 and 32.
    let mut bits = (line & LOW) | (line & HIGH) << 32;
    for half in [16, 8, 4, 2, 1] {
        bits ^= bits >> half;
    }
    (bits & 1 | bits >> 31 & 2) as usize
}

/// Cost of an access to local memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Local {
    /// Requests: one for every 4 bytes of a lane's access.
    pub requests: u32,
    /// Sectors.
    pub sectors: u32,
}

/// Cost of a load or a store of `bytes` (1 to 16) a lane in local memory, from each lane's offset into its own memory.
///
/// Word `w` of lane `l` lies at `128 * w + 4 * l`: lanes that use the same word share sectors in groups of eight.
pub fn local(offsets: &[u64; WARP], mask: u32, bytes: u32) -> Local {
    let words = bytes.div_ceil(4);
    let first = offsets[mask.trailing_zeros() as usize % WARP] / 4;
    let apart = (0..WARP)
        .fold(0, |bits, l| bits | ((offsets[l] / 4) ^ first) & u64::from(mask >> l & 1).wrapping_neg());
    if apart == 0 && mask != 0 {
        // One word for all, as it is nearly always.
        let groups = (0..4).map(|g| u32::from(mask >> (8 * g) & 0xff != 0)).sum::<u32>();
        return Local { requests: words, sectors: words * groups };
    }
    let mut places = *offsets;
    for (l, place) in places.iter_mut().enumerate() {
        *place = *place / 4 * LINE + 4 * l as u64;
    }
    Local { requests: if mask == 0 { 0 } else { words }, sectors: words * sectors(&places, mask) }
}
