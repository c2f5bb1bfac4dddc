//! Memory with one address on both sides, and what is on its way to the host.
//!
//! Enters: launches and copies that use managed or pinned memory, and the host's waiting. Leaves: the same bytes on both sides
//! where the program may count on it. The device has a copy of the block at the block's address. Before it uses the copy the
//! host's bytes go there, and as long as the host has not waited, the copy is the newer one: a snapshot of the host's bytes
//! says what the host has changed meanwhile.

use super::blocks::{Block, Owner};
use super::finding::{Access, Finding, Kind, Memory, What};
use super::order::{Clock, Stamp};
use super::{Answer, Api, Call};
use crate::guest::{Guest, Signal, Site};
use device::Buffer;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// Effects of an operation on the host's side, until the host has waited for it.
#[derive(Debug)]
pub(super) struct Pending {
    pub(super) stamp: Stamp,
    pub(super) by: Access,
    pub(super) effect: Effect,
}

/// What an operation does on the host's side.
#[derive(Debug)]
pub(super) enum Effect {
    /// It writes bytes.
    Bytes { address: u64, bytes: Vec<u8> },
    /// It may have written to a block of both sides.
    Mirror { address: u64 },
    /// It reads bytes, which are still to be these when it is done.
    Reads { address: u64, bytes: u64, hash: u64 },
    /// It printed.
    Print(String),
}

/// The memory that a mirrored block has on the device.
#[derive(Clone, Copy, Debug)]
enum Twin {
    Buffer(Buffer),
    Variable(usize),
}

#[derive(Debug)]
struct Mirror {
    bytes: u64,
    twin: Twin,
    /// The host's bytes when they last went to the device; `None` while the host's are the newest.
    snapshot: Option<Vec<u8>>,
    /// What of it the device has accessed since, bytes from its start; of more than a few ranges, nothing.
    used: Vec<Range<u64>>,
}

/// As many ranges of a block are kept.
const MOST_USED: usize = 1024;

/// All memory of both sides.
#[derive(Debug, Default)]
pub(super) struct Mirrors {
    all: BTreeMap<u64, Mirror>,
    /// Blocks whose address the device has seen.
    seen: BTreeSet<u64>,
}

impl Mirrors {
    /// Whether the device has the newest bytes of the block that begins at an address.
    pub(super) fn is_newer(&self, address: u64) -> bool {
        self.all.get(&address).is_some_and(|mirror| mirror.snapshot.is_some())
    }

    /// First address and size of each block.
    pub(super) fn places(&self) -> impl Iterator<Item = (u64, u64)> {
        self.all.iter().map(|(first, mirror)| (*first, mirror.bytes))
    }

    fn remove(&mut self, address: u64) {
        self.all.remove(&address);
        self.seen.remove(&address);
    }
}

/// A hash of bytes, 64 bits at a time (FNV).
pub(super) fn hash(bytes: &[u8]) -> u64 {
    let mix = |hash: u64, word: u64| (hash ^ word).wrapping_mul(0x0000_0100_0000_01b3);
    let mut words = bytes.chunks_exact(8);
    let whole = words.by_ref().fold(0xcbf2_9ce4_8422_2325, |hash, word| {
        let mut eight = [0; 8];
        eight.copy_from_slice(word);
        let mixed = mix(hash, u64::from_le_bytes(eight));
        mixed ^ mixed >> 29
    });
    words.remainder().iter().fold(whole, |hash, byte| mix(hash, u64::from(*byte)))
}

/// The first byte that the device has accessed and the host has changed.
fn conflict(used: &[Range<u64>], host: &[u8], snapshot: &[u8]) -> Option<u64> {
    let changed = |at: &u64| host.get(*at as usize) != snapshot.get(*at as usize);
    used.iter().find_map(|range| range.clone().find(changed))
}

impl Api {
    /// Gives the managed variables their place, at the start of the program.
    pub(super) fn mirror_variables(&mut self) {
        for (at, variable) in self.variables.iter().enumerate().filter(|(_, of)| of.managed) {
            let mirror =
                Mirror { bytes: variable.bytes, twin: Twin::Variable(at), snapshot: None, used: vec![] };
            self.mirrors.all.insert(variable.shadow, mirror);
        }
    }

    /// Makes a block one of both sides, if the device can have memory at its address.
    pub(super) fn mirror(&mut self, block: &Block) {
        if let Some(buffer) = block.buffer {
            let mirror =
                Mirror { bytes: block.bytes, twin: Twin::Buffer(buffer), snapshot: None, used: vec![] };
            self.mirrors.all.insert(block.address, mirror);
        }
    }

    /// Forgets a block of both sides.
    pub(super) fn unmirror(&mut self, address: u64) {
        self.mirrors.remove(address);
    }

    fn read_twin(&mut self, twin: Twin, offset: u64, bytes: &mut [u8]) -> device::Result<()> {
        match twin {
            Twin::Buffer(buffer) => self.device.read(buffer, offset, bytes),
            Twin::Variable(at) => {
                let of = &self.variables[at];
                self.device.read_symbol(of.module, &of.symbol, offset, bytes)
            }
        }
    }

    fn write_twin(&mut self, twin: Twin, offset: u64, bytes: &[u8]) -> device::Result<()> {
        match twin {
            Twin::Buffer(buffer) => self.device.write(buffer, offset, bytes),
            Twin::Variable(at) => {
                let of = &self.variables[at];
                self.device.write_symbol(of.module, &of.symbol, offset, bytes)
            }
        }
    }

    /// Time passes: what is under way is done, without the host having waited for it. For a host that has run for so long
    /// that it may be waiting for memory to change.
    ///
    /// # Errors
    /// A signal of the host's memory.
    pub fn progress(&mut self, guest: &mut dyn Guest) -> Result<(), Signal> {
        let (_, end) = self.streams.everything();
        self.streams.host_ns = self.streams.host_ns.max(end);
        for pending in std::mem::take(&mut self.pending) {
            self.take_effect(pending, guest)?;
        }
        Ok(())
    }

    /// The effects of what the host has waited for.
    pub(super) fn settle(&mut self, guest: &mut dyn Guest) -> Result<(), Signal> {
        let host = self.streams.host.clone();
        self.settle_if(guest, |pending| host.includes(pending.stamp))?;
        self.accesses.prune(&host);
        Ok(())
    }

    /// The effects of what a later operation comes after.
    pub(super) fn settle_before(&mut self, clock: &Clock, guest: &mut dyn Guest) -> Result<(), Signal> {
        self.settle_if(guest, |pending| clock.includes(pending.stamp))
    }

    /// The effects on the bytes of a range, which an operation is about to use.
    pub(super) fn settle_over(&mut self, at: u64, bytes: u64, guest: &mut dyn Guest) -> Result<(), Signal> {
        let end = at.saturating_add(bytes);
        self.settle_if(guest, |pending| match &pending.effect {
            Effect::Bytes { address, bytes } => *address < end && at < address + bytes.len() as u64,
            Effect::Reads { address, bytes, .. } => *address < end && at < address + bytes,
            Effect::Mirror { .. } | Effect::Print(_) => false,
        })
    }

    fn settle_if(&mut self, guest: &mut dyn Guest, due: impl Fn(&Pending) -> bool) -> Result<(), Signal> {
        if self.pending.is_empty() {
            return Ok(());
        }
        let (now, later) = std::mem::take(&mut self.pending).into_iter().partition(|one| due(one));
        self.pending = later;
        let now: Vec<Pending> = now;
        now.into_iter().try_for_each(|pending| self.take_effect(pending, guest))
    }

    fn take_effect(&mut self, pending: Pending, guest: &mut dyn Guest) -> Result<(), Signal> {
        match pending.effect {
            Effect::Bytes { address, bytes } => {
                // What still reads these bytes is not ordered with this, and was reported: no one else has changed them.
                let end = address.saturating_add(bytes.len() as u64);
                self.pending.retain(|one| {
                    !matches!(one.effect, Effect::Reads { address: at, bytes, .. } if at < end && address < at + bytes)
                });
                guest.write(address, &bytes)
            }
            Effect::Print(text) => {
                self.printed += &text;
                Ok(())
            }
            Effect::Mirror { address } => self.bring_to_host(address, &pending.by, guest),
            Effect::Reads { address, bytes, hash: then } => {
                let mut now = vec![0; bytes as usize];
                // Memory that has been freed meanwhile is another mistake.
                if guest.read(address, &mut now).is_ok() && hash(&now) != then {
                    self.touched_early(address, true, &pending.by);
                }
                Ok(())
            }
        }
    }

    /// Notes that an operation may have written to a block of both sides.
    pub(super) fn written(&mut self, address: u64, stamp: Stamp, by: &Access) {
        // The host that waits for a later one of its stream has waited for the earliest, which brings all that is there.
        let earlier = self.pending.iter().any(|old| {
            old.stamp.actor == stamp.actor
                && matches!(old.effect, Effect::Mirror { address: at } if at == address)
        });
        if !earlier {
            self.pending.push(Pending { stamp, by: by.clone(), effect: Effect::Mirror { address } });
        }
    }

    /// Brings a block's newest bytes to the host.
    pub(super) fn bring_to_host(
        &mut self,
        address: u64,
        by: &Access,
        guest: &mut dyn Guest,
    ) -> Result<(), Signal> {
        let Some(mirror) = self.mirrors.all.get_mut(&address) else { return Ok(()) };
        let (twin, bytes) = (mirror.twin, mirror.bytes as usize);
        let Some(snapshot) = mirror.snapshot.take() else { return Ok(()) };
        let used = std::mem::take(&mut mirror.used);
        let mut newest = vec![0; bytes];
        self.read_twin(twin, 0, &mut newest).map_err(|error| Signal::Limit(error.to_string()))?;
        let mut host = vec![0; bytes];
        guest.read(address, &mut host)?;
        if host != snapshot {
            // What the host has changed meanwhile stays.
            for (at, new) in newest.iter_mut().enumerate() {
                if host[at] != snapshot[at] {
                    *new = host[at];
                }
            }
            if let Some(at) = conflict(&used, &host, &snapshot) {
                self.touched_early(address + at, true, by);
            }
        }
        if newest == host { Ok(()) } else { guest.write(address, &newest) }
    }

    /// Brings the host's bytes of a block to the device.
    pub(super) fn bring_to_device(
        &mut self,
        address: u64,
        by: &Access,
        guest: &mut dyn Guest,
    ) -> Result<(), Signal> {
        let Some(mirror) = self.mirrors.all.get_mut(&address) else { return Ok(()) };
        let (twin, bytes) = (mirror.twin, mirror.bytes as usize);
        let (old, used) = (mirror.snapshot.take(), mirror.used.clone());
        let mut early = None;
        let mut host = vec![0; bytes];
        guest.read(address, &mut host)?;
        let failed = |error: device::Error| Signal::Limit(error.to_string());
        match old {
            None => self.write_twin(twin, 0, &host).map_err(failed)?,
            Some(old) if old == host => {}
            Some(old) => {
                // The device's are the newest, but for what the host has written since.
                early = conflict(&used, &host, &old);
                let mut at = 0;
                while let Some(first) = (at..bytes).find(|at| host[*at] != old[*at]) {
                    let end = (first..bytes).find(|at| host[*at] == old[*at]).unwrap_or(bytes);
                    self.write_twin(twin, first as u64, &host[first..end]).map_err(failed)?;
                    at = end;
                }
            }
        }
        if let Some(at) = early {
            self.touched_early(address + at, true, by);
        }
        if let Some(mirror) = self.mirrors.all.get_mut(&address) {
            mirror.snapshot = Some(host);
        }
        Ok(())
    }

    /// Notes what of the memory of both sides an operation of the device has accessed, by addresses.
    pub(super) fn used(&mut self, range: &Range<u64>) {
        let Some((first, mirror)) = self.mirrors.all.range_mut(..=range.start).next_back() else { return };
        let (start, end) = (range.start - first, range.end.min(first + mirror.bytes).saturating_sub(*first));
        let known = mirror.used.iter().any(|old| old.start <= start && end <= old.end);
        if start < end && mirror.snapshot.is_some() && !known && mirror.used.len() < MOST_USED {
            mirror.used.push(start..end);
        }
    }

    /// Addresses of the device as the host has them: they differ in managed variables.
    pub(super) fn on_host(&self, range: &Range<u64>) -> Range<u64> {
        let is_it = |of: &&super::Variable| {
            of.managed && of.address <= range.start && range.start < of.address.saturating_add(of.bytes)
        };
        match self.variables.iter().find(is_it) {
            Some(of) => of.shadow + (range.start - of.address)..of.shadow + (range.end - of.address),
            None => range.clone(),
        }
    }

    /// Reports copies to a range of the host's memory that it has not waited for, and which is freed at a place, or with the program.
    pub(super) fn lost_copies(&mut self, range: Range<u64>, freed: Option<Site>) {
        let within =
            |one: &&Pending| matches!(&one.effect, Effect::Bytes { address, .. } if range.contains(address));
        let lost = self.pending.iter().find(within).map(|one| (one.by.clone(), &one.effect));
        let Some((by, Effect::Bytes { address, .. })) = lost else { return };
        let Some(block) = self.blocks.at(*address) else { return };
        let kind = Kind::LostCopy { memory: block.memory(), freed };
        self.found(kind, by.by, by.site, super::Certainty::Note);
    }

    /// Whether there is memory of both sides.
    pub(super) fn has_mirrors(&self) -> bool {
        !self.mirrors.all.is_empty()
    }

    /// The first address of the host's memory that an operation may change for which the host has not waited; nothing where there is
    /// none. What is pinned and used by kernels in its place is left out: a program may wait by reading it.
    pub fn unsettled(&self) -> Option<u64> {
        let first = |one: &Pending| match &one.effect {
            Effect::Bytes { address, .. } => Some(*address),
            Effect::Mirror { address } if self.is_managed(*address) => Some(*address),
            Effect::Mirror { .. } | Effect::Reads { .. } | Effect::Print(_) => None,
        };
        self.pending.iter().filter_map(first).min()
    }

    fn is_managed(&self, address: u64) -> bool {
        self.blocks.at(address).is_none_or(|block| block.owner == Owner::Managed)
    }

    /// What is wrong with an access of the program itself: to memory that an operation is about to change for the host, or
    /// that it still reads. For those who see the program's own accesses.
    pub fn host_access(&mut self, address: u64, bytes: u64, writes: bool, site: Site) -> Option<&Finding> {
        let end = address.saturating_add(bytes);
        let meets = |at: u64, len: u64| at < end && address < at.saturating_add(len);
        let mut early: Option<(Access, u64)> = None;
        for one in &self.pending {
            match &one.effect {
                Effect::Bytes { address: at, bytes } if meets(*at, bytes.len() as u64) => {
                    early = Some((Access { writes: true, ..one.by.clone() }, address.max(*at)));
                }
                Effect::Reads { address: at, bytes, .. } if writes && meets(*at, *bytes) => {
                    early = Some((one.by.clone(), address.max(*at)));
                }
                Effect::Mirror { address: first } => {
                    let Some(mirror) = self.mirrors.all.get(first).filter(|of| of.snapshot.is_some()) else {
                        continue;
                    };
                    let used =
                        mirror.used.iter().find(|used| meets(first + used.start, used.end - used.start));
                    if let Some(used) = used.filter(|_| writes) {
                        early = Some((one.by.clone(), address.max(first + used.start)));
                    }
                }
                Effect::Bytes { .. } | Effect::Reads { .. } | Effect::Print(_) => {}
            }
        }
        let (first, at) = early.or_else(|| self.stale(address, bytes))?;
        let memory = self.memory_of_both(at)?;
        let (offset, call) = (at - memory.address, first.by.clone());
        let second = Access { by: String::new(), stream: None, writes, site };
        let kind = Kind::Unordered { first, second, offset, memory };
        Some(self.found(kind, call, site, super::Certainty::Error))
    }

    /// Whether a range of memory of both sides has been changed by the device, without the host having waited.
    fn stale(&mut self, address: u64, bytes: u64) -> Option<(Access, u64)> {
        let (first, mirror) = self.mirrors.all.range(..=address).next_back()?;
        let (first, twin) = (*first, mirror.twin);
        if !self.is_managed(first) {
            return None;
        }
        let bytes = bytes.min((first + mirror.bytes).checked_sub(address)?);
        let start = (address - first) as usize;
        let old = mirror.snapshot.as_ref()?.get(start..start + bytes as usize)?.to_vec();
        let is_it = |one: &&Pending| matches!(one.effect, Effect::Mirror { address } if address == first);
        let by = self.pending.iter().find(is_it)?.by.clone();
        let mut new = vec![0; old.len()];
        self.read_twin(twin, start as u64, &mut new).ok()?;
        let at = new.iter().zip(&old).position(|(new, old)| new != old)?;
        Some((by, address + at as u64))
    }

    /// A block or a managed variable, by an address of the host.
    fn memory_of_both(&self, address: u64) -> Option<Memory> {
        if let Some(block) = self.blocks.at(address).or_else(|| self.blocks.freed_at(address)) {
            return Some(block.memory());
        }
        let within =
            |of: &&super::Variable| of.managed && (of.shadow..of.shadow + of.bytes).contains(&address);
        let of = self.variables.iter().find(within)?;
        let (what, address, bytes) = (What::Symbol(of.name.clone()), of.shadow, of.bytes);
        Some(Memory { what, address, bytes, rows: None, allocated: None, freed: None })
    }

    /// The host accessed memory of an operation that it has not waited for.
    fn touched_early(&mut self, address: u64, writes: bool, by: &Access) {
        let Some(memory) = self.memory_of_both(address) else { return };
        let host = Access { by: String::new(), stream: None, writes, site: by.site };
        let (offset, call) = (address - memory.address, by.by.clone());
        let kind = Kind::Unordered { first: by.clone(), second: host, offset, memory };
        self.found(kind, call, by.site, super::Certainty::Error);
    }

    /// The blocks of both sides that a launch may use, by their first bytes: all that is managed, and what is pinned and whose
    /// address the device has seen.
    pub(super) fn reachable(&mut self, arguments: &[Vec<u8>]) -> Vec<u64> {
        for argument in arguments {
            self.see(argument);
        }
        let seen = &self.mirrors.seen;
        let managed = |address: &u64| {
            self.blocks
                .at(*address)
                .is_none_or(|block| block.owner == Owner::Managed || seen.contains(address))
        };
        self.mirrors.all.keys().copied().filter(managed).collect()
    }

    /// Notes which blocks of both sides bytes that go to the device may point to.
    pub(super) fn see(&mut self, bytes: &[u8]) {
        let all = &self.mirrors.all;
        if all.len() == self.mirrors.seen.len() {
            return;
        }
        for word in bytes.chunks_exact(8) {
            let mut eight = [0; 8];
            eight.copy_from_slice(word);
            let address = u64::from_le_bytes(eight);
            if let Some((first, mirror)) = all.range(..=address).next_back()
                && address - first <= mirror.bytes
            {
                self.mirrors.seen.insert(*first);
            }
        }
    }
}

impl Call<'_> {
    /// The host waits for all that a clock holds, which is done at a time.
    pub(super) fn wait(&mut self, clock: &Clock, until_ns: f64) -> Answer<()> {
        self.api.streams.wait(clock, until_ns);
        self.api.pools.settle();
        self.api.settle(self.guest)?;
        match self.api.errors.fault.take() {
            Some(fault) => {
                self.api.errors.sticky = Some(fault);
                Err(fault.into())
            }
            None => Ok(()),
        }
    }

    /// The host waits for a stream.
    pub(super) fn wait_for(&mut self, stream: usize) -> Answer<()> {
        let (clock, end) = self.api.streams.all_of(stream);
        self.wait(&clock, end)
    }

    /// The host waits for all streams.
    pub(super) fn wait_for_all(&mut self) -> Answer<()> {
        let (clock, end) = self.api.streams.everything();
        self.wait(&clock, end)
    }
}
