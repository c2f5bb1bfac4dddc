//! Global memory: allocations at device addresses, shared by all blocks of a launch.
//!
//! Words are relaxed atomics, so blocks may run on several threads without `unsafe`; on every machine we know a
//! relaxed load or store is a plain one. A 64-bit access is two words.

use crate::access_marks::AccessMarks;
use crate::error::{Error, Nearest};
use crate::written_bytes::WrittenBytes;
use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::{AcqRel, Relaxed};

/// Where device addresses begin: past anything that a null pointer with an index reaches.
pub(crate) const FIRST: u64 = 0x7_0000_0000;
/// Where allocations end that a module with addresses of 32 bits can reach: it sees the lower half of their addresses, and
/// above these its other state spaces.
pub(crate) const NARROW_END: u64 = FIRST + 0xfd00_0000;
/// Where the other state spaces lie in the generic address space; each has 32 bits of addresses, and all end before
/// [`FIRST`].
pub(crate) const SHARED_WINDOW: u64 = 0x1_0000_0000;
pub(crate) const LOCAL_WINDOW: u64 = 0x2_0000_0000;
pub(crate) const CONSTANT_WINDOW: u64 = 0x3_0000_0000;
pub(crate) const PARAMETER_WINDOW: u64 = 0x4_0000_0000;
/// Addresses of functions: 16 bytes apart, by their number in the module.
pub(crate) const FUNCTION_WINDOW: u64 = 0x5_0000_0000;
/// The address of a function of a module, by its number there.
pub(crate) fn function_address(number: usize) -> u64 {
    FUNCTION_WINDOW + 16 * number as u64
}

/// From this bit on an address of shared memory holds a block's rank in its cluster, and one more; nothing for the block
/// that uses it.
pub(crate) const RANK_AT: u32 = 24;
/// Addresses of a window.
pub(crate) const WINDOW: u64 = 1 << 32;

/// Local memory of a thread, bytes (CUDA C++ Programming Guide, table of compute capabilities).
pub(crate) const LOCAL_LIMIT: u64 = 512 << 10;

/// Allocations begin at multiples of this, as `cuMemAlloc`'s do at least.
const ALIGN: u64 = 512;

/// Each allocation begins so much further on than it would close after the one before, so that no index of 32 bits leads from
/// one into another, whatever the size of its elements up to 256 bytes. An address alone does not tell which pointer it came
/// from.
const APART: u64 = 1 << 40;
/// As many allocations are apart; addresses end after them, and later ones lie close after each other.
const MOST_APART: u64 = 1 << 22;

/// Where an address would be with all allocations close after each other, as they are on a GPU: for what depends on how lines
/// of different allocations fall into the sets of a cache.
#[inline(always)]
pub(crate) fn close(address: u64) -> u64 {
    address % APART
}

/// Atomic operations and `cp.async` cost what they cost by bits of the address above those of a line (`model::access`).
/// For them, an allocation begins at a multiple of this, as those of `cuMemAlloc` from 1 MiB on do on an H200 with driver
/// 580, and the first small one. Other small ones lie close after each other in such a chunk.
const CHUNK: u64 = 2 << 20;
/// Allocations of fewer bytes are small.
const SMALL: u64 = 1 << 20;

/// Addresses below are reported as null pointers: a page, as on the host.
pub(crate) const NULL_PAGE: u64 = 4096;

/// Bytes of a copy that are on their way at a time.
pub(crate) const COPY_PIECE: u64 = 1 << 20;

/// One allocation.
#[derive(Debug)]
pub(crate) struct Allocation {
    pub(crate) id: usize,
    /// Its name in faults.
    pub(crate) name: String,
    pub(crate) base: u64,
    /// Where it is for what depends on more of an address than its place in a line, see [`CHUNK`].
    pub(crate) place: u64,
    pub(crate) bytes: u64,
    pub(crate) words: Box<[AtomicU32]>,
    /// Whether it is the kernels' heap.
    pub(crate) heap: bool,
    /// Which of its bytes have been written.
    pub(crate) written: WrittenBytes,
    /// Which of them launches, and copies on the device, have read, where an account of that is kept.
    pub(crate) reads: WrittenBytes,
    /// Who touched it in the launch that runs, where that is looked at.
    pub(crate) touched: Option<Box<AccessMarks>>,
    /// Which of its bytes the last launch has read, and which it has written, where an account of that is kept.
    pub(crate) accessed: Option<Box<[WrittenBytes; 2]>>,
}

impl Allocation {
    /// Where an address is as seen from it.
    fn seen_from(&self, address: u64, width: u32) -> Nearest {
        let offset = address.cast_signed().wrapping_sub(self.base.cast_signed());
        Nearest { name: self.name.clone(), bytes: self.bytes, offset, width, element: None }
    }

    /// From an address in it to where that is for what depends on more of it than its place in a line.
    #[inline(always)]
    pub(crate) fn moved(&self) -> u64 {
        self.place.wrapping_sub(self.base)
    }
}

/// Bytes of an allocation, and which of them have been written and read.
pub(crate) struct Contents {
    words: Vec<u32>,
    written: WrittenBytes,
    reads: WrittenBytes,
}

impl Allocation {
    /// A copy of what it holds.
    pub(crate) fn contents(&self) -> Result<Contents, Error> {
        let mut words = vec![];
        words
            .try_reserve_exact(self.words.len())
            .map_err(|_| Error::OutOfMemory { asked: self.bytes, free: 0 })?;
        words.extend(self.words.iter().map(|word| word.load(Relaxed)));
        Ok(Contents { words, written: self.written.copy(), reads: self.reads.copy() })
    }

    /// Puts back what it held.
    pub(crate) fn put_back(&mut self, contents: &Contents) {
        for (word, old) in self.words.iter_mut().zip(&contents.words) {
            *word.get_mut() = *old;
        }
        self.written = contents.written.copy();
        self.reads = contents.reads.copy();
    }
}

/// All allocations, by rising address.
#[derive(Debug)]
pub(crate) struct Global {
    pub(crate) allocations: Vec<Allocation>,
    /// Where the next one is, [`close`] after the one before.
    next: u64,
    next_id: usize,
    /// Whether they are [`APART`].
    apart: bool,
    used: u64,
    limit: u64,
    next_place: u64,
    /// Where the next small allocation is, and where their chunk ends.
    small_place: u64,
    small_end: u64,
    /// For 64-bit values that several threads change: the words of memory have 32.
    locks: Vec<std::sync::Mutex<()>>,
}

/// How many locks there are.
const LOCKS: usize = 64;

impl Global {
    pub(crate) fn new(limit: u64) -> Self {
        Global {
            allocations: vec![],
            next: FIRST,
            next_id: 0,
            apart: true,
            used: 0,
            limit,
            next_place: 0,
            small_place: 0,
            small_end: 0,
            locks: std::iter::repeat_with(Default::default).take(LOCKS).collect(),
        }
    }

    /// Has allocations from now on where addresses of 32 bits reach them, and are not null pointers.
    pub(crate) fn keep_narrow(&mut self) {
        self.apart = false;
        self.next = self.next.max(FIRST + NULL_PAGE);
    }

    /// Copies from one address to another.
    pub(crate) fn copy(&self, to: u64, from: u64, bytes: u64) -> Result<(), Error> {
        let mut piece = vec![0; bytes.min(COPY_PIECE) as usize];
        let mut done = 0;
        while done < bytes {
            let piece = &mut piece[..(bytes - done).min(COPY_PIECE) as usize];
            let place = |address: u64, what| {
                let end = address.checked_add(piece.len() as u64);
                let found = end.and_then(|end| self.find(address, end, &mut 0));
                found.map(|found| (found, address - found.base)).ok_or(Error::NoDeviceAddress(what))
            };
            let (source, source_offset) = place(from.wrapping_add(done), "source")?;
            let (target, target_offset) = place(to.wrapping_add(done), "destination")?;
            source.reads.mark(source_offset, piece.len() as u64);
            source.read(source_offset, piece);
            target.write(target_offset, piece);
            done += piece.len() as u64;
        }
        Ok(())
    }

    /// Writes zeros from an address on.
    pub(crate) fn clear(&self, to: u64, bytes: u64) -> Result<(), Error> {
        let piece = vec![0; bytes.min(COPY_PIECE) as usize];
        let end = to.checked_add(bytes).ok_or(Error::NoDeviceAddress("destination"))?;
        let found = self.find(to, end, &mut 0).ok_or(Error::NoDeviceAddress("destination"))?;
        let mut done = 0;
        while done < bytes {
            let count = (bytes - done).min(COPY_PIECE);
            found.write(to - found.base + done, &piece[..count as usize]);
            done += count;
        }
        Ok(())
    }

    /// Words of `bytes` zeros, which count against the memory of the chip; `budget`: bytes that all allocations may have,
    /// where that is less than the chip has.
    pub(crate) fn take(&mut self, bytes: u64, budget: u64) -> Result<Box<[AtomicU32]>, Error> {
        let free = self.limit.min(budget).saturating_sub(self.used);
        if bytes > free {
            return Err(Error::OutOfMemory { asked: bytes, free });
        }
        let count =
            usize::try_from(bytes.div_ceil(4)).map_err(|_| Error::OutOfMemory { asked: bytes, free })?;
        // The modelled chip may have more memory than this machine: ask instead of aborting, and leave it to the
        // machine to find pages when they are touched.
        let words = bytemuck::allocation::try_zeroed_slice_box(count)
            .map_err(|()| Error::OutOfMemory { asked: bytes, free })?;
        self.used += bytes;
        Ok(words)
    }

    /// Gives back what [`Global::take`] took.
    pub(crate) fn give_back(&mut self, bytes: u64) {
        self.used -= bytes;
    }

    /// `budget`: as in [`Global::take`].
    pub(crate) fn allocate(&mut self, bytes: u64, budget: u64) -> Result<usize, Error> {
        let words = self.take(bytes, budget)?;
        let id = self.next_id;
        let name = format!("allocation {id}");
        let place = self.place_of(bytes);
        let base = self.next + if self.apart { APART * (id as u64).min(MOST_APART) } else { 0 };
        let (heap, touched, accessed) = (false, None, None);
        let (written, reads) = (WrittenBytes::new(bytes), WrittenBytes::new(bytes));
        let made =
            Allocation { id, name, base, place, bytes, words, heap, written, reads, touched, accessed };
        let at = self.allocations.partition_point(|a| a.base < base);
        self.allocations.insert(at, made);
        // Where they are not apart, an index just past the end leads at least into a gap.
        self.next += (bytes + ALIGN).next_multiple_of(ALIGN);
        self.next_id += 1;
        Ok(id)
    }

    /// An allocation at an address below [`SHARED_WINDOW`], where a device's owner has memory with the same address: `None`
    /// where it is not between the first page and that window, or meets another.
    pub(crate) fn allocate_at(&mut self, base: u64, bytes: u64, budget: u64) -> Result<Option<usize>, Error> {
        let end = base.saturating_add(bytes);
        let at = self.allocations.partition_point(|a| a.base < base);
        let before = at.checked_sub(1).map(|before| &self.allocations[before]);
        let meets = before.is_some_and(|a| a.base + a.bytes > base)
            || self.allocations.get(at).is_some_and(|a| a.base < end);
        if meets || base < NULL_PAGE || end > SHARED_WINDOW || !base.is_multiple_of(4) {
            return Ok(None);
        }
        let words = self.take(bytes, budget)?;
        let id = self.next_id;
        let name = format!("allocation {id}");
        let place = self.place_of(bytes);
        let (heap, touched, accessed) = (false, None, None);
        let (written, reads) = (WrittenBytes::new(bytes), WrittenBytes::new(bytes));
        let made =
            Allocation { id, name, base, place, bytes, words, heap, written, reads, touched, accessed };
        self.allocations.insert(at, made);
        self.next_id += 1;
        Ok(Some(id))
    }

    /// The place of the next allocation.
    fn place_of(&mut self, bytes: u64) -> u64 {
        if bytes >= SMALL {
            let place = self.next_place;
            self.next_place += bytes.next_multiple_of(CHUNK);
            return place;
        }
        let taken = bytes.max(1).next_multiple_of(ALIGN);
        if self.small_place + taken > self.small_end {
            self.small_place = self.next_place;
            self.next_place += CHUNK;
            self.small_end = self.next_place;
        }
        let place = self.small_place;
        self.small_place += taken;
        place
    }

    /// The number of an allocation, if it is there.
    fn number(&self, id: usize) -> Option<usize> {
        // Those of a module with addresses of 32 bits, and those at chosen addresses, are not in the order of their ids.
        let found = self.allocations.binary_search_by_key(&id, |a| a.id).ok();
        found.or_else(|| self.allocations.iter().position(|a| a.id == id))
    }

    pub(crate) fn free(&mut self, id: usize) -> bool {
        let found = self.number(id);
        if let Some(i) = found {
            self.used -= self.allocations.remove(i).bytes;
        }
        found.is_some()
    }

    /// Renames an allocation, if it is there.
    pub(crate) fn name(&mut self, id: usize, name: &str) -> bool {
        let found = self.number(id);
        if let Some(i) = found {
            self.allocations[i].name = name.into();
        }
        found.is_some()
    }

    /// Makes an allocation the kernels' heap; its address, if it is there.
    pub(crate) fn make_heap(&mut self, id: usize) -> Option<u64> {
        let i = self.number(id)?;
        self.allocations[i].heap = true;
        Some(self.allocations[i].base)
    }

    pub(crate) fn by_id(&self, id: usize) -> Option<&Allocation> {
        self.number(id).map(|i| &self.allocations[i])
    }

    /// Why [`Global::by_id`] finds nothing.
    pub(crate) fn missing(&self, id: usize) -> Error {
        if id < self.next_id { Error::Freed } else { Error::ForeignHandle("buffer") }
    }

    /// The allocation that holds `first..end`, by its place in `allocations`; `hint` is where it was last time.
    #[inline(always)]
    pub(crate) fn find(&self, first: u64, end: u64, hint: &mut u32) -> Option<&Allocation> {
        match self.allocations.get(*hint as usize) {
            Some(a) if a.base <= first && end <= a.base + a.bytes => Some(a),
            _ => self.search(first, end, hint),
        }
    }

    /// Size of all allocations together, bytes.
    pub(crate) fn used(&self) -> u64 {
        self.used
    }

    /// The size of an allocation by its number, which [`Global::find`] leaves as a hint.
    pub(crate) fn bytes_of(&self, number: u32) -> u64 {
        self.allocations.get(number as usize).map_or(0, |a| a.bytes)
    }

    #[cold]
    fn search(&self, first: u64, end: u64, hint: &mut u32) -> Option<&Allocation> {
        let i = self.allocations.partition_point(|a| a.base <= first).checked_sub(1)?;
        let a = &self.allocations[i];
        *hint = i as u32;
        (end <= a.base + a.bytes && first < end).then_some(a)
    }

    /// Changes a value of 2, 4 or 8 bytes at once for all who do so, and returns what it was.
    pub(crate) fn update(&self, a: &Allocation, offset: u64, bytes: u8, new: impl Fn(u64) -> u64) -> u64 {
        let word = &a.words[(offset >> 2) as usize];
        match bytes {
            8 => {
                let _lock = self.lock(a.base + offset);
                let old = a.load(offset, 8);
                a.store(offset, 8, new(old));
                old
            }
            2 => {
                let shift = (offset & 2) * 8;
                let take = |word: u32| u64::from(word >> shift & 0xffff);
                let put = |word: u32| word & !(0xffff << shift) | (new(take(word)) as u32 & 0xffff) << shift;
                // The closure always gives a value.
                let (Ok(old) | Err(old)) = word.fetch_update(AcqRel, Relaxed, |word| Some(put(word)));
                take(old)
            }
            _ => {
                let (Ok(old) | Err(old)) =
                    word.fetch_update(AcqRel, Relaxed, |old| Some(new(u64::from(old)) as u32));
                u64::from(old)
            }
        }
    }

    /// Replaces a value of 128 bits, aligned to its size, atomically; returns the old one.
    pub(crate) fn update_wide(
        &self,
        a: &Allocation,
        offset: u64,
        new: impl Fn([u64; 2]) -> [u64; 2],
    ) -> [u64; 2] {
        // Neighbours in the list of locks, always taken in this order.
        let _low = self.lock(a.base + offset);
        let _high = self.lock(a.base + offset + 8);
        let old = [a.load(offset, 8), a.load(offset + 8, 8)];
        let new = new(old);
        a.store(offset, 8, new[0]);
        a.store(offset + 8, 8, new[1]);
        old
    }

    /// Holds off others who change or look at the 64-bit value at this address.
    fn lock(&self, address: u64) -> std::sync::MutexGuard<'_, ()> {
        let lock = &self.locks[(address >> 3) as usize % LOCKS];
        // No thread panics while holding one, and if so, nothing is left half done.
        lock.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// A 64-bit value that others may be changing: both halves of the same time.
    pub(crate) fn load_whole(&self, a: &Allocation, offset: u64) -> u64 {
        let _lock = self.lock(a.base + offset);
        a.load(offset, 8)
    }

    /// The counterpart of [`Global::load_whole`].
    pub(crate) fn store_whole(&self, a: &Allocation, offset: u64, value: u64) {
        let _lock = self.lock(a.base + offset);
        a.store(offset, 8, value);
    }

    /// The allocation that an address is in or nearest to.
    pub(crate) fn nearest(&self, address: u64, width: u32) -> Option<Nearest> {
        let after = self.allocations.partition_point(|a| a.base <= address);
        let before = after.checked_sub(1).map(|i| &self.allocations[i]);
        let past = before.map(|a| (address - a.base.saturating_add(a.bytes).min(address), a));
        let ahead = self.allocations.get(after).map(|a| (a.base - address, a));
        let one = match (past, ahead) {
            (Some((d, a)), Some((e, _))) if d <= e => a,
            (_, Some((_, a))) | (Some((_, a)), None) => a,
            (None, None) => return None,
        };
        Some(one.seen_from(address, width))
    }

    /// An address as seen from each allocation.
    pub(crate) fn seen_from(&self, address: u64, width: u32) -> Vec<Nearest> {
        self.allocations.iter().map(|one| one.seen_from(address, width)).collect()
    }

    /// Where an address is, in words, for the message of a fault.
    pub(crate) fn describe(&self, address: u64) -> String {
        self.nearest(address, 0).map_or_else(|| "nothing is allocated".to_owned(), |near| near.words())
    }
}

impl Allocation {
    /// A module's constants, as they lie in global memory.
    pub(crate) fn of_constants(bytes: &[u8]) -> Self {
        let len = bytes.len() as u64;
        let words = (0..bytes.len().div_ceil(4)).map(|_| AtomicU32::new(0)).collect();
        let (id, name) = (usize::MAX, "constants".to_owned());
        let (heap, touched, accessed) = (false, None, None);
        let (written, reads) = (WrittenBytes::new(len), WrittenBytes::new(len));
        let made = Allocation {
            id,
            name,
            base: 0,
            place: 0,
            bytes: len,
            words,
            heap,
            written,
            reads,
            touched,
            accessed,
        };
        made.write(0, bytes);
        made
    }

    /// A little-endian value of 1, 2, 4 or 8 bytes, aligned to its size and inside of the allocation.
    #[inline(always)]
    pub(crate) fn load(&self, offset: u64, bytes: u8) -> u64 {
        let word = (offset >> 2) as usize;
        let value = u64::from(self.words[word].load(Relaxed));
        match bytes {
            4 => value,
            8 => value | u64::from(self.words[word + 1].load(Relaxed)) << 32,
            2 => value >> ((offset & 2) * 8) & 0xffff,
            _ => value >> ((offset & 3) * 8) & 0xff,
        }
    }

    /// The counterpart of [`Allocation::load`].
    #[inline(always)]
    pub(crate) fn store(&self, offset: u64, bytes: u8, value: u64) {
        let word = (offset >> 2) as usize;
        match bytes {
            4 => self.words[word].store(value as u32, Relaxed),
            8 => {
                self.words[word].store(value as u32, Relaxed);
                self.words[word + 1].store((value >> 32) as u32, Relaxed);
            }
            _ => {
                // Neighbours in the word may be written by other threads at the same time.
                let shift = (offset & 3) * 8;
                let mask = if bytes == 2 { 0xffffu32 } else { 0xff } << shift;
                let value = (value as u32) << shift & mask;
                let _ = self.words[word].fetch_update(Relaxed, Relaxed, |old| Some(old & !mask | value));
            }
        }
    }

    /// Copies bytes out; the range is inside of the allocation.
    pub(crate) fn read(&self, offset: u64, into: &mut [u8]) {
        let mut at = offset;
        let (head, body, tail) = aligned_parts(offset, into.len());
        for byte in &mut into[..head] {
            *byte = self.load(at, 1) as u8;
            at += 1;
        }
        let words = &self.words[(at >> 2) as usize..][..body / 4];
        for (bytes, word) in into[head..head + body].as_chunks_mut().0.iter_mut().zip(words) {
            *bytes = word.load(Relaxed).to_le_bytes();
        }
        at += body as u64;
        let end = into.len();
        for byte in &mut into[end - tail..] {
            *byte = self.load(at, 1) as u8;
            at += 1;
        }
    }

    /// Copies bytes in from the host; the range is inside of the allocation.
    pub(crate) fn write(&self, offset: u64, from: &[u8]) {
        self.written.mark(offset, from.len() as u64);
        self.put(offset, from);
    }

    /// The same, of what counts as written no more than before.
    pub(crate) fn put(&self, offset: u64, from: &[u8]) {
        let mut at = offset;
        let (head, body, tail) = aligned_parts(offset, from.len());
        for byte in &from[..head] {
            self.store(at, 1, u64::from(*byte));
            at += 1;
        }
        let words = &self.words[(at >> 2) as usize..][..body / 4];
        for (bytes, word) in from[head..head + body].as_chunks().0.iter().zip(words) {
            word.store(u32::from_le_bytes(*bytes), Relaxed);
        }
        at += body as u64;
        for byte in &from[from.len() - tail..] {
            self.store(at, 1, u64::from(*byte));
            at += 1;
        }
    }
}

/// Bytes before, in and after the whole words of a range.
fn aligned_parts(offset: u64, len: usize) -> (usize, usize, usize) {
    let head = (offset.wrapping_neg() & 3).min(len as u64) as usize;
    let body = (len - head) / 4 * 4;
    (head, body, len - head - body)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_come_back_from_any_offset() {
        let mut global = Global::new(1 << 20);
        let id = global.allocate(64, u64::MAX).unwrap();
        let a = global.by_id(id).unwrap();
        for offset in 0..8 {
            for len in 0..16usize {
                let bytes: Vec<u8> = (0..len as u8).map(|b| b.wrapping_mul(37) + 1).collect();
                a.write(0, &[0xaa; 64]);
                a.write(offset, &bytes);
                let mut back = vec![0; 64];
                a.read(0, &mut back);
                let from = offset as usize;
                assert_eq!(back[from..from + len], bytes);
                assert!(back[..from].iter().chain(&back[from + len..]).all(|b| *b == 0xaa));
            }
        }
    }

    #[test]
    fn small_allocations_follow_each_other_in_a_chunk_and_others_begin_one() {
        let mut global = Global::new(1 << 30);
        let sizes = [100, 5 << 20, 1000, SMALL - ALIGN, SMALL - ALIGN, 0];
        let places: Vec<u64> = sizes
            .map(|bytes| global.allocate(bytes, u64::MAX).unwrap())
            .map(|id| global.by_id(id).unwrap().place)
            .to_vec();
        // The large one takes three chunks; the last but one small one does not fit into the first.
        let [first, large] = [0, CHUNK];
        let second = large + 3 * CHUNK;
        assert_eq!(places, [first, large, first + 512, first + 1536, second, second + SMALL - ALIGN]);
    }

    #[test]
    fn no_index_of_32_bits_leads_from_one_allocation_into_another() {
        let mut global = Global::new(1 << 30);
        let made = [400, 5 << 20, 8].map(|bytes| global.allocate(bytes, u64::MAX).unwrap());
        let strays = [u32::MAX, 1 << 31, 300, 100].map(|index| i64::from(index) * 256);
        for one in made.map(|id| global.by_id(id).unwrap()) {
            for offset in strays.into_iter().flat_map(|stray| [stray, -stray]) {
                let at = one.base.wrapping_add_signed(offset);
                let found = global.find(at, at + 4, &mut 0).map(|found| found.id);
                assert!(found.is_none_or(|id| id == one.id), "{offset} from {}: {found:?}", one.id);
            }
        }
        // Whatever lies in lines does so as on a GPU.
        let closes = made.map(|id| close(global.by_id(id).unwrap().base) - FIRST);
        assert_eq!(closes, [0, 1024, 1024 + (5 << 20) + 512]);
    }

    #[test]
    fn allocations_for_addresses_of_32_bits_are_within_their_reach_whatever_was_made_before() {
        let mut global = Global::new(1 << 30);
        let before = [4, 4].map(|bytes| global.allocate(bytes, u64::MAX).unwrap());
        global.keep_narrow();
        let narrow = [4, 4].map(|bytes| global.allocate(bytes, u64::MAX).unwrap());
        let bases = narrow.map(|id| global.by_id(id).unwrap().base - FIRST);
        assert_eq!(bases, [NULL_PAGE, NULL_PAGE + 1024]);
        for id in before.into_iter().chain(narrow) {
            let base = global.by_id(id).unwrap().base;
            assert_eq!(global.find(base, base + 4, &mut 0).map(|found| found.id), Some(id));
        }
        assert!(global.free(before[1]) && global.name(narrow[0], "n") && global.by_id(before[1]).is_none());
    }

    #[test]
    fn memory_ends_and_comes_back() {
        let mut global = Global::new(1000);
        let first = global.allocate(600, u64::MAX).unwrap();
        assert_eq!(global.allocate(600, u64::MAX), Err(Error::OutOfMemory { asked: 600, free: 400 }));
        assert!(global.free(first) && !global.free(first));
        assert!(global.allocate(600, u64::MAX).is_ok());
    }

    #[test]
    fn a_stray_address_is_described_by_the_nearest_allocation() {
        let mut global = Global::new(1000);
        assert_eq!(global.describe(5), "nothing is allocated");
        let id = global.allocate(100, u64::MAX).unwrap();
        let base = global.by_id(id).unwrap().base;
        assert_eq!(global.describe(base + 112), "12 bytes past the end of allocation 0, 100 bytes");
        assert_eq!(global.describe(base - 4), "4 bytes before the start of allocation 0, 100 bytes");
        let mut hint = 0;
        assert!(global.find(base, base + 100, &mut hint).is_some());
        assert!(global.find(base + 1, base + 101, &mut hint).is_none());
    }
}
