//! The heap of a program's host side, and what is known of every block that was ever in it.
//!
//! Enters: sizes and addresses of `malloc`, `free`, `new`, `cudaMallocHost` and their like, each with the place of the call.
//! Leaves: addresses, and what is wrong with those that are to be freed. What is known of a block is kept here and not in the
//! program's memory, so that nothing the program writes can damage it. This module must never know who allocates what for.
//!
//! Blocks are 16 bytes apart at least, filled with a byte of their own, so that writing past a block's end is noticed. A freed block
//! stays out of use for as long as there is room, so that what still points to it is recognised.

use crate::guest::{Guest, Signal, Site};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Byte of memory that was allocated and not yet written.
pub const UNWRITTEN: u8 = 0xCD;
/// Byte of memory that was freed.
pub const FREED: u8 = 0xDD;

/// Whether an address was read as a pointer from memory that had been freed, or is a little after such an address.
pub fn is_of_freed(address: u64) -> bool {
    let word = u64::from_le_bytes([FREED; 8]);
    (word..=word + 0xffff).contains(&address)
}
/// Byte of the memory after a block.
pub const GUARD: u8 = 0xFD;

/// Least alignment of a block in bytes, as glibc has it on 64-bit machines.
const ALIGN: u64 = 16;
/// Bytes after each block that no one may write.
const GUARD_BYTES: u64 = 16;
/// Bytes after a block, with those that make it a multiple of the alignment, at most.
const USUAL: usize = (GUARD_BYTES + ALIGN) as usize;
/// Most bytes, and most blocks, that are kept out of use after they were freed.
const QUARANTINE_BYTES: u64 = 64 << 20;
const QUARANTINE_BLOCKS: usize = 1 << 16;
/// Bytes by which memory grows at least and at most, beyond what is asked for.
const GROWTH: std::ops::Range<u64> = 64 << 10..64 << 20;

/// Who gave out a block, which decides who may take it back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// `malloc`, `calloc`, `realloc`, `strdup`, …: `free` takes it back.
    Malloc,
    /// `new`: `delete` takes it back.
    New,
    /// `new[]`: `delete[]` takes it back.
    NewArray,
    /// `cudaMallocHost`, `cudaHostAlloc`: `cudaFreeHost` takes it back.
    Pinned,
    /// `cudaMallocManaged`: `cudaFree` takes it back.
    Managed,
    /// What a library keeps in the program's memory, such as `errno`.
    Library,
}

/// A piece of the heap that was given out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// First address.
    pub start: u64,
    /// Bytes that were asked for.
    pub bytes: u64,
    /// Who gave it out.
    pub kind: Kind,
    /// Where it was allocated.
    pub allocated: Site,
    /// Where it was freed, once it was.
    pub freed: Option<Site>,
}

impl Block {
    /// Whether an address is one of the block's bytes.
    pub fn contains(&self, address: u64) -> bool {
        address.wrapping_sub(self.start) < self.bytes
    }

    /// First address after the block's bytes.
    pub fn end(&self) -> u64 {
        self.start + self.bytes
    }
}

/// Why an address cannot be freed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FreeError {
    /// No block has it: an address of a variable, of a constant, or none at all.
    NotAllocated,
    /// It is inside a block and not its start.
    Interior(Block),
    /// The block was freed before, and not given out again.
    AlreadyFreed(Block),
    /// The block is to be taken back by another function. It is still there.
    WrongKind(Block),
}

/// A block of which something after its end was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Overrun {
    /// The block.
    pub block: Block,
    /// First address after it that was written.
    pub address: u64,
}

/// A block with the range that it takes.
#[derive(Clone, Debug)]
struct Entry {
    block: Block,
    /// Bytes from its start that are its own: the block, what makes it a multiple of the alignment, and the guard.
    extent: u64,
    /// Whether it is known that something after its end was written, and not to be found again.
    overrun: bool,
}

/// Blocks of a program's memory, those that it has and those that it freed.
#[derive(Clone, Debug)]
pub struct Heap {
    /// Most bytes that may be in use, guards included.
    limit: u64,
    /// By start; in use, or freed and in quarantine.
    entries: BTreeMap<u64, Entry>,
    /// Starts of freed blocks that are out of use, the oldest first.
    quarantine: VecDeque<u64>,
    /// Bytes in quarantine.
    waiting: u64,
    /// Ranges to be given out, by start with their sizes, and by size with their starts.
    free: BTreeMap<u64, u64>,
    by_size: BTreeSet<(u64, u64)>,
    /// First address that was never given out; 0 before the first block.
    top: u64,
    /// First address that was never written: what follows is zeros.
    fresh: u64,
    /// Bytes in use, with guards, and of what was asked for; the most of the latter so far.
    in_use: u64,
    live: u64,
    peak: u64,
    /// Number of blocks in use.
    count: u64,
}

impl Heap {
    /// A heap that gives out no more bytes than a limit.
    pub fn new(limit: u64) -> Self {
        Self {
            limit,
            entries: BTreeMap::new(),
            quarantine: VecDeque::new(),
            waiting: 0,
            free: BTreeMap::new(),
            by_size: BTreeSet::new(),
            top: 0,
            fresh: 0,
            in_use: 0,
            live: 0,
            peak: 0,
            count: 0,
        }
    }

    /// Most bytes that may be in use.
    pub fn limit(&self) -> u64 {
        self.limit
    }

    /// Bytes of all blocks in use.
    pub fn live_bytes(&self) -> u64 {
        self.live
    }

    /// Most bytes that were in use at the same time.
    pub fn peak_bytes(&self) -> u64 {
        self.peak
    }

    /// Address of a new block whose bytes are [`UNWRITTEN`]; nothing where there is no room. The alignment is a power of two, or 0
    /// for that of `malloc`.
    ///
    /// # Errors
    /// [`Signal::Segmentation`] where the guest lets no one write what it made.
    pub fn allocate(
        &mut self,
        guest: &mut dyn Guest,
        bytes: u64,
        align: u64,
        kind: Kind,
        site: Site,
    ) -> Result<Option<u64>, Signal> {
        let Some(start) = self.place(guest, bytes, align, kind, site) else { return Ok(None) };
        guest.fill(start, UNWRITTEN, bytes)?;
        self.fence(guest, start)?;
        Ok(Some(start))
    }

    /// The same, with bytes that are zeros.
    ///
    /// # Errors
    /// As [`Self::allocate`].
    pub fn allocate_zeroed(
        &mut self,
        guest: &mut dyn Guest,
        bytes: u64,
        align: u64,
        kind: Kind,
        site: Site,
    ) -> Result<Option<u64>, Signal> {
        let fresh = self.fresh;
        let Some(start) = self.place(guest, bytes, align, kind, site) else { return Ok(None) };
        // What was never given out is zero as it is.
        guest.fill(start, 0, bytes.min(fresh.saturating_sub(start)))?;
        self.fence(guest, start)?;
        Ok(Some(start))
    }

    /// Takes a block back that was given out as a kind.
    ///
    /// # Errors
    /// The outer one: [`Signal::Segmentation`] where the guest lets no one write. The inner one: why the address cannot be freed;
    /// nothing has changed.
    pub fn free(
        &mut self,
        guest: &mut dyn Guest,
        address: u64,
        kind: Kind,
        site: Site,
    ) -> Result<Result<Block, FreeError>, Signal> {
        let entry = match self.entry_of(address) {
            Some(entry) => entry,
            None => return Ok(Err(FreeError::NotAllocated)),
        };
        let block = entry.block.clone();
        if block.freed.is_some() {
            return Ok(Err(FreeError::AlreadyFreed(block)));
        }
        if block.start != address {
            return Ok(Err(FreeError::Interior(block)));
        }
        if block.kind != kind {
            return Ok(Err(FreeError::WrongKind(block)));
        }
        let extent = entry.extent;
        guest.fill(address, FREED, block.bytes)?;
        if let Some(entry) = self.entries.get_mut(&address) {
            entry.block.freed = Some(site);
        }
        self.in_use -= extent;
        self.live -= block.bytes;
        self.count -= 1;
        self.waiting += extent;
        self.quarantine.push_back(address);
        while self.waiting > QUARANTINE_BYTES || self.quarantine.len() > QUARANTINE_BLOCKS {
            self.release_oldest();
        }
        Ok(Ok(block))
    }

    /// Bytes of a block from now on; `false`, and nothing has changed, where it must move for that. What is new is [`UNWRITTEN`].
    ///
    /// # Errors
    /// [`Signal::Segmentation`] where the guest lets no one write.
    pub fn resize(&mut self, guest: &mut dyn Guest, start: u64, bytes: u64) -> Result<bool, Signal> {
        let Some(entry) = self.entries.get_mut(&start).filter(|entry| entry.block.freed.is_none()) else {
            return Ok(false);
        };
        let before = entry.block.bytes;
        if bytes > entry.extent - GUARD_BYTES {
            return Ok(false);
        }
        entry.block.bytes = bytes;
        self.live = self.live - before + bytes;
        self.peak = self.peak.max(self.live);
        if bytes > before {
            guest.fill(start + before, UNWRITTEN, bytes - before)?;
        }
        self.fence(guest, start)?;
        Ok(true)
    }

    /// The block that has an address among its bytes, in use or freed and not given out again. An address just past its end is
    /// not the block's.
    pub fn block_of(&self, address: u64) -> Option<&Block> {
        let block = &self.entry_of(address)?.block;
        (block.contains(address) || block.start == address).then_some(block)
    }

    /// The block that an address belongs to or comes after by few bytes: what was meant where an access is just past an end.
    pub fn block_near(&self, address: u64) -> Option<&Block> {
        self.entry_of(address).map(|entry| &entry.block)
    }

    /// Blocks in use that were given out as a kind, by address: at a program's end, what it has not freed.
    pub fn in_use(&self, kind: Kind) -> impl Iterator<Item = &Block> {
        let blocks = self.entries.values().map(|entry| &entry.block);
        blocks.filter(move |block| block.freed.is_none() && block.kind == kind)
    }

    /// Notes that something after a block's end was or will be written: it is reported, and is not found again.
    pub fn note_overrun(&mut self, start: u64) {
        if let Some(entry) = self.entries.get_mut(&start) {
            entry.overrun = true;
        }
    }

    /// What was written after a block's end, unless that is noted.
    ///
    /// # Errors
    /// [`Signal::Segmentation`] where the guest lets no one read.
    pub fn overrun(&self, guest: &dyn Guest, start: u64) -> Result<Option<Overrun>, Signal> {
        let Some(entry) = self.entries.get(&start).filter(|entry| !entry.overrun) else { return Ok(None) };
        let from = entry.block.end();
        let count = (start + entry.extent - from) as usize;
        let (mut usual, mut more) = ([0; USUAL], vec![]);
        let bytes = if count <= USUAL {
            &mut usual[..count]
        } else {
            more.resize(count, 0);
            &mut more[..]
        };
        guest.read(from, bytes)?;
        let at = bytes.iter().position(|byte| *byte != GUARD);
        Ok(at.map(|at| Overrun { block: entry.block.clone(), address: from + at as u64 }))
    }

    /// What was written after the ends of all blocks in use, unless that is noted.
    ///
    /// # Errors
    /// [`Signal::Segmentation`] where the guest lets no one read.
    pub fn overruns(&self, guest: &dyn Guest) -> Result<Vec<Overrun>, Signal> {
        let mut found = vec![];
        for entry in self.entries.values().filter(|entry| entry.block.freed.is_none()) {
            found.extend(self.overrun(guest, entry.block.start)?);
        }
        Ok(found)
    }

    /// The entry whose range has an address.
    fn entry_of(&self, address: u64) -> Option<&Entry> {
        let (start, entry) = self.entries.range(..=address).next_back()?;
        (address - start < entry.extent).then_some(entry)
    }

    /// Finds room for a block and enters it.
    fn place(
        &mut self,
        guest: &mut dyn Guest,
        bytes: u64,
        align: u64,
        kind: Kind,
        site: Site,
    ) -> Option<u64> {
        let align = align.max(ALIGN);
        if !align.is_power_of_two() {
            return None;
        }
        let extent = bytes.checked_next_multiple_of(ALIGN)?.checked_add(GUARD_BYTES)?;
        if self.in_use.checked_add(extent)? > self.limit {
            return None;
        }
        let start = loop {
            if let Some(start) = self.take(extent, align) {
                break start;
            }
            if let Some(start) = self.extend(guest, extent, align) {
                break start;
            }
            // Room that is needed is no longer kept out of use.
            if !self.release_oldest() {
                return None;
            }
        };
        let block = Block { start, bytes, kind, allocated: site, freed: None };
        self.entries.insert(start, Entry { block, extent, overrun: false });
        self.in_use += extent;
        self.live += bytes;
        self.peak = self.peak.max(self.live);
        self.count += 1;
        Some(start)
    }

    /// Writes the bytes after a block.
    fn fence(&self, guest: &mut dyn Guest, start: u64) -> Result<(), Signal> {
        let Some(entry) = self.entries.get(&start) else { return Ok(()) };
        let end = entry.block.end();
        let bytes = start + entry.extent - end;
        // A block that was not made smaller has few of them.
        match [GUARD; USUAL].get(..bytes as usize) {
            Some(guards) => guest.write(end, guards),
            None => guest.fill(end, GUARD, bytes),
        }
    }

    /// The smallest range that was freed and is large enough.
    fn take(&mut self, extent: u64, align: u64) -> Option<u64> {
        let aligned = |(size, start): &(u64, u64)| {
            let first = start.checked_next_multiple_of(align)?;
            (first - start).checked_add(extent).filter(|need| need <= size).map(|_| (*size, *start, first))
        };
        let (size, start, first) = self.by_size.range((extent, 0)..).find_map(aligned)?;
        self.remove(start, size);
        self.insert(start, first - start);
        self.insert(first + extent, start + size - first - extent);
        Some(first)
    }

    /// Room after all blocks.
    fn extend(&mut self, guest: &mut dyn Guest, extent: u64, align: u64) -> Option<u64> {
        let from = match self.top {
            0 => guest.heap().max(ALIGN).checked_next_multiple_of(ALIGN)?,
            top => top,
        };
        let first = from.checked_next_multiple_of(align)?;
        let end = first.checked_add(extent)?;
        if end > guest.end() {
            let used = from - guest.heap().min(from);
            let more = used.clamp(GROWTH.start, GROWTH.end);
            let generous = end.checked_add(more).is_some_and(|end| guest.grow(end));
            if !generous && !guest.grow(end) {
                return None;
            }
        }
        self.insert(from, first - from);
        self.top = end;
        self.fresh = self.fresh.max(end);
        Some(first)
    }

    /// Makes the block that was freed first available; `false` where there is none.
    fn release_oldest(&mut self) -> bool {
        let Some(start) = self.quarantine.pop_front() else { return false };
        let Some(entry) = self.entries.remove(&start) else { return true };
        self.waiting -= entry.extent;
        let (mut start, mut size) = (start, entry.extent);
        // One range with its neighbours.
        if let Some((&before, &bytes)) =
            self.free.range(..start).next_back().filter(|(at, size)| **at + **size == start)
        {
            self.remove(before, bytes);
            (start, size) = (before, bytes + size);
        }
        if let Some(&bytes) = self.free.get(&(start + size)) {
            self.remove(start + size, bytes);
            size += bytes;
        }
        if start + size == self.top {
            self.top = start;
        } else {
            self.insert(start, size);
        }
        true
    }

    fn insert(&mut self, start: u64, size: u64) {
        if size > 0 {
            self.free.insert(start, size);
            self.by_size.insert((size, start));
        }
    }

    fn remove(&mut self, start: u64, size: u64) {
        self.free.remove(&start);
        self.by_size.remove(&(size, start));
    }
}
