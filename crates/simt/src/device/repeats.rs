//! Launches that repeat an earlier one: what that left is put back, and nothing is executed.
//!
//! Enters: a launch, and the device's memory. Leaves: the outcome that the same launch had with the same memory, if there was one.
//!
//! Programs that measure launch a kernel a hundred times, and from the second time on most change nothing any more. What a launch
//! counts, prints and writes depends on nothing but its arguments, the options and memory, so that a repetition of it need not be
//! executed to be known. Whether memory is the same is decided by hashes of 64 bits, an allocation at a time; where these would
//! cost more than a small part of the launch, they are not made. All of that is decided by counts, so that it is the same on every
//! machine.

use super::{Arg, Device, Launch, ModuleId};
use crate::hash::HashMap;
use crate::memory::{Allocation, Contents};
use crate::options::Options;
use crate::outcome::Outcome;
use crate::written_bytes::WrittenBytes;
use std::sync::atomic::Ordering::Relaxed;

/// Whether this file is of use, decided when it is compiled, so that it costs nothing where it is not.
const IS_THERE: bool = cfg!(any(feature = "repeats", not(target_arch = "wasm32")));
/// A launch is worth hashing memory of at most this many bytes for each of its warp instructions, each of which takes some
/// hundred times as long as hashing a byte does.
const BYTES_AN_INSTRUCTION: u64 = 64;
/// Bytes of memory that all outcomes together may keep.
const MOST_KEPT: u64 = if cfg!(target_pointer_width = "64") { 256 << 20 } else { 64 << 20 };
/// As many launches are known at a time.
const MOST_KNOWN: usize = 1 << 10;
/// After as many times that a launch found other memory, its waiting no longer doubles.
const MOST_DOUBLINGS: u32 = 12;

/// What tells launches apart.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Key {
    module: ModuleId,
    kernel: String,
    grid: [u32; 3],
    block: [u32; 3],
    shared_bytes: u32,
    args: Vec<Arg>,
    cluster: Option<[u32; 3]>,
    cooperative: bool,
}

/// A launch that there was.
#[derive(Default)]
struct Known {
    /// Warp instructions of the last time.
    instructions: u64,
    /// How often in a row memory was another one.
    misses: u32,
    /// As many more of these launches are not looked at.
    wait: u32,
    last: Option<Last>,
}

/// What was there before a launch, and what after it.
struct Last {
    options: Options,
    before: Vec<u64>,
    outcome: Outcome,
    /// Allocations that it changed, by their place among all.
    changed: Vec<(usize, Contents)>,
    /// What each was accessed at, where an account is kept.
    accessed: Vec<Option<Box<[WrittenBytes; 2]>>>,
    kept: u64,
}

/// Launches by what tells them apart.
#[derive(Default)]
pub(super) struct Repeats {
    known: HashMap<Key, Known>,
    found: u64,
}

impl Repeats {
    /// Bytes that the outcomes together keep.
    fn kept(&self) -> u64 {
        self.known.values().filter_map(|known| known.last.as_ref()).map(|last| last.kept).sum()
    }
}

/// A launch whose outcome is to be kept.
pub(super) struct Sought {
    key: Key,
    /// Hashes of memory, if they are worth it.
    before: Option<Vec<u64>>,
}

impl Device {
    /// Launches so far that repeated an earlier one, and were not executed ([`Options::repeats`]).
    pub fn repeats(&self) -> u64 {
        self.repeats.found
    }

    /// Whether a launch repeats one: its outcome, with memory as it left it, or what to keep its outcome by. `None` for a launch
    /// of which nothing is to be kept.
    pub(super) fn repeated(&mut self, launch: &Launch<'_>) -> Option<Result<Outcome, Sought>> {
        if !IS_THERE || !self.options.repeats || self.options.trace.is_some() || self.heap.is_some() {
            return None;
        }
        let Launch { module, kernel, grid, block, shared_bytes, cluster, cooperative, .. } = *launch;
        let (args, kernel) = (launch.args.clone(), kernel.to_owned());
        let key = Key { module, kernel, grid, block, shared_bytes, args, cluster, cooperative };
        if self.repeats.known.len() >= MOST_KNOWN {
            self.repeats.known.clear();
        }
        let known = self.repeats.known.entry(key.clone()).or_default();
        if known.wait > 0 {
            known.wait -= 1;
            return None;
        }
        if known.instructions.saturating_mul(BYTES_AN_INSTRUCTION) < self.memory.used() {
            return Some(Err(Sought { key, before: None }));
        }
        self.begin_launch();
        let before = self.hashes();
        let options = self.keyed_options();
        let known = self.repeats.known.get_mut(&key)?;
        match known.last.take() {
            Some(last) if last.before == before && last.options == options => {
                (known.misses, self.repeats.found) = (0, self.repeats.found + 1);
                let outcome = last.outcome.clone();
                self.put_back(&last);
                let known = self.repeats.known.get_mut(&key)?;
                known.last = Some(last);
                Some(Ok(outcome))
            }
            Some(_) => {
                known.misses += 1;
                known.wait = (1 << known.misses.min(MOST_DOUBLINGS)) - 2;
                Some(Err(Sought { key, before: Some(before) }))
            }
            None => Some(Err(Sought { key, before: Some(before) })),
        }
    }

    fn put_back(&mut self, last: &Last) {
        for (at, contents) in &last.changed {
            self.memory.allocations[*at].put_back(contents);
        }
        for (allocation, accessed) in self.memory.allocations.iter_mut().zip(&last.accessed) {
            allocation.accessed = accessed.as_deref().map(copy);
        }
    }

    /// Keeps a launch's outcome.
    pub(super) fn keep(&mut self, sought: Sought, outcome: &Outcome) {
        let last = sought.before.and_then(|before| self.last(before, outcome));
        if let Some(last) = &last
            && self.repeats.kept().saturating_add(last.kept) > MOST_KEPT
        {
            self.repeats.known.values_mut().for_each(|known| known.last = None);
        }
        let known = self.repeats.known.entry(sought.key).or_default();
        known.instructions = outcome.counters.warp_instructions;
        known.last = last;
    }

    /// What is to be kept of a launch that has just been; nothing of one that changed more than buffers.
    fn last(&self, before: Vec<u64>, outcome: &Outcome) -> Option<Last> {
        if self.heap.is_some() {
            return None;
        }
        let after = self.hashes();
        let buffers = self.memory.allocations.len();
        if after.len() != before.len() || after[buffers..] != before[buffers..] {
            return None;
        }
        let places = (0..buffers).filter(|at| after[*at] != before[*at]);
        let changed: Vec<usize> = places.collect();
        let account = if self.options.checks.accessed { self.memory.used() / 4 } else { 0 };
        let bytes = changed.iter().map(|at| self.memory.allocations[*at].bytes);
        // Marks of what was written and read take a bit a byte each.
        let kept = bytes.map(|bytes| bytes + bytes / 4).sum::<u64>() + account;
        if kept > MOST_KEPT {
            return None;
        }
        let contents = changed.into_iter().map(|at| Some((at, self.memory.allocations[at].contents().ok()?)));
        let accessed = self.memory.allocations.iter().map(|of| of.accessed.as_deref().map(copy));
        Some(Last {
            options: self.keyed_options(),
            before,
            outcome: outcome.clone(),
            changed: contents.collect::<Option<_>>()?,
            accessed: accessed.collect(),
            kept,
        })
    }

    /// The options, but for what a launch may yet spend: one that ended would do so again with what it took.
    fn keyed_options(&self) -> Options {
        Options { launch_budget: 0, ..self.options }
    }

    /// A hash of each allocation, then of each array and of all else that launches depend on.
    fn hashes(&self) -> Vec<u64> {
        let allocations = self.memory.allocations.iter().map(hash_allocation);
        let arrays = self.textures.slots().map(|slot| slot.map_or(1, |array| hash_allocation(&array.memory)));
        let mut all: Vec<u64> = allocations.chain(arrays).collect();
        for module in &self.modules {
            let mut hash = Hash::default();
            module.constant.chunks(8).for_each(|bytes| hash.add(little_endian(bytes)));
            module.bound.iter().for_each(|handle| hash.add(*handle));
            all.extend([hash.finish(), hash_marks(&module.constant_set)]);
        }
        all.push(self.textures.objects() as u64);
        all
    }
}

fn copy(accessed: &[WrittenBytes; 2]) -> Box<[WrittenBytes; 2]> {
    Box::new(accessed.each_ref().map(WrittenBytes::copy))
}

fn little_endian(bytes: &[u8]) -> u64 {
    let mut word = [0; 8];
    word[..bytes.len()].copy_from_slice(bytes);
    u64::from_le_bytes(word)
}

/// Four sums, since one multiplication waits for the one before.
#[derive(Default)]
struct Hash {
    lanes: [u64; 4],
    next: usize,
}

impl Hash {
    /// An odd constant whose bits look random, so that each step is a permutation: 2^64 over the golden ratio.
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

    #[inline(always)]
    fn mixed(lane: u64, word: u64) -> u64 {
        (lane ^ word).wrapping_mul(Self::FACTOR).rotate_left(29)
    }

    #[inline(always)]
    fn add(&mut self, word: u64) {
        let lane = &mut self.lanes[self.next % 4];
        *lane = Self::mixed(*lane, word);
        self.next += 1;
    }

    /// Pairs of words of memory, eight words at a time.
    fn add_words(&mut self, words: &[std::sync::atomic::AtomicU32]) {
        let mut lanes = self.lanes;
        let mut eights = words.chunks_exact(8);
        for eight in &mut eights {
            for (lane, pair) in lanes.iter_mut().zip(eight.chunks_exact(2)) {
                let [low, high] = [0, 1].map(|n| u64::from(pair[n].load(Relaxed)));
                *lane = Self::mixed(*lane, low | high << 32);
            }
        }
        self.lanes = lanes;
        eights.remainder().iter().for_each(|word| self.add(word.load(Relaxed).into()));
    }

    fn finish(self) -> u64 {
        self.lanes.into_iter().fold(self.next as u64, Self::mixed)
    }
}

fn hash_allocation(of: &Allocation) -> u64 {
    let mut hash = Hash::default();
    for word in [of.id as u64, of.base, of.place, of.bytes, hash_marks(&of.written), hash_marks(&of.reads)] {
        hash.add(word);
    }
    hash.add_words(&of.words);
    hash.finish()
}

fn hash_marks(of: &WrittenBytes) -> u64 {
    let mut hash = Hash::default();
    hash.add(of.all().into());
    of.words().for_each(|word| hash.add(word));
    hash.finish()
}
