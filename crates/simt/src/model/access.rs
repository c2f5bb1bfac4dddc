//! Costs of one warp's memory instruction: pure functions of its lanes' addresses.
//!
//! The rules are those that explain what an H200 counted in the launches of `tests/truth`; the tests in
//! `crates/simt/tests/truth.rs` hold them to it, and `scripts/truth` measures more.

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

/// Turns of the tags for the lines of some lanes, no two of them the same, with every address moved by so many bytes.
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

/// [`sectors_of_groups`] of reductions, whose lanes have an address each beside its sector: those that hit an address once
/// more count anew.
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

/// The parts in which a warp moves so many bytes a lane through the banks of shared memory.
fn parts_of(mask: u32, bytes: u32) -> impl Iterator<Item = u32> {
    let size = 32 / bytes.div_ceil(4);
    (0..32 / size).map(move |part| mask & u32::MAX >> (32 - size) << (part * size))
}

/// Wavefronts of one atomic instruction on shared memory with 4 or 8 `bytes` a lane.
///
/// A bank serves one lane a wavefront, also where lanes ask for the same word; with 8 bytes the warp goes in halves,
/// through 16 banks of 8 bytes. A compare-and-swap, which brings two operands, takes every wavefront twice; the second
/// is no conflict.
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
            let mut of_bank = [0u8; BANKS];
            if part == ALL {
                banks.iter().for_each(|bank| of_bank[usize::from(*bank) % BANKS] += 1);
            } else {
                lanes(part).for_each(|l| of_bank[usize::from(banks[l]) % BANKS] += 1);
            }
            out.add_part(of_bank.iter().fold(0, |most, bank| most.max(*bank)).into());
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

/// Whether shared memory's atomic units have an instruction for an operation on so many bytes: they have all of 32-bit
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
        let rounds = of_bank.iter().fold(0, |most, lanes| lanes.count_ones().max(most));
        // The loads of a round are those of its lanes and of all later ones: distinct words, from the last lane on.
        let mut loads = [1; WARP];
        let mut words = [0; WARP];
        for mut left in of_bank.into_iter().filter(|lanes| !lanes.is_power_of_two()) {
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
        loads[..rounds as usize].iter().for_each(|passes| out.load.add_part(*passes as u32));
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
