//! Who touched an element of global memory, and which of two threads' accesses nothing orders.
//!
//! Enters: the accesses of launches, as the embedded device notes them. Leaves: the last writer of an element, races, and
//! atomic operations before which a fence is missing. It
//! would rather miss a race than blame a kernel that is right: where a module has anything that might order two threads, an
//! atomic operation, a fence, a flag, their accesses count as ordered. This module must never know what is right.

use crate::verdict::Touch;
use device::{AccessKind, Outcome, Part, Space, TracedAccess};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

/// Touches of one element that are compared with each of its stores.
const COMPARED: usize = 4096;

/// The counter of atomic operations that return a value.
const RETURNING: &str = "global_atomic_requests";

/// Operations in a module's PTX that might order the accesses of threads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Orders {
    /// Of different blocks, and so any.
    blocks: bool,
    /// Of different warps of a block, in addition to a barrier of all its threads.
    warps: bool,
    /// Of different lanes of a warp.
    lanes: bool,
}

impl Orders {
    /// Operations in a text.
    pub(crate) fn of(ptx: &str) -> Self {
        const ANY: [&str; 13] = [
            "atom.",
            "red.",
            ".volatile",
            ".relaxed",
            ".acquire",
            ".release",
            ".acq_rel",
            "fence",
            "membar",
            "mbarrier",
            "barrier.cluster",
            "griddepcontrol",
            ".mmio",
        ];
        let instructions = || ptx.lines().map(str::trim).filter(|line| !line.starts_with('.'));
        let blocks = instructions().any(|line| ANY.iter().any(|word| line.contains(word)));
        // Barrier 0 is `__syncthreads()`, of all threads; another may be of some.
        let some = |line: &str| {
            let mut words = line.split_whitespace().filter(|word| !word.starts_with('@'));
            let name = words.next().unwrap_or_default();
            let barrier = name.starts_with("bar.") || name.starts_with("barrier.");
            barrier && !name.starts_with("bar.warp") && words.next() != Some("0;")
        };
        let warps = blocks || instructions().any(some);
        // `__syncwarp()`, shuffles, votes: all but the barriers of a block, which end an interval.
        let lane = |line: &str| {
            let mut words = line.split_whitespace().filter(|word| !word.starts_with('@'));
            let name = words.next().unwrap_or_default();
            name.contains(".sync") && (name.starts_with("bar.warp") || !name.starts_with("bar"))
        };
        Orders { blocks, warps, lanes: warps || instructions().any(lane) }
    }

    /// The same, as if the lanes of a warp could not but go together.
    pub(crate) fn in_lockstep(self) -> Self {
        Orders { lanes: true, ..self }
    }
}

/// Which races count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Look {
    /// A thread reads what another writes: with right results, two that write the same value are not a mistake.
    Reads,
    /// Also two that write.
    All,
}

/// A thread's access to one element.
#[derive(Clone, Copy)]
struct One<'a> {
    access: &'a TracedAccess,
    lane: u32,
    /// Number of the access.
    at: usize,
}

impl One<'_> {
    fn stores(self) -> bool {
        self.access.kind == AccessKind::Store
    }

    fn same_thread(self, other: One<'_>) -> bool {
        (self.access.block, self.access.warp, self.lane)
            == (other.access.block, other.access.warp, other.lane)
    }

    /// Whether something may order two accesses of different threads.
    fn ordered(self, other: One<'_>, orders: Orders) -> bool {
        let (a, b) = (self.access, other.access);
        if a.block != b.block {
            return orders.blocks;
        }
        if a.interval != b.interval || a.interval == 0 {
            return true;
        }
        // Lanes of a warp may go through a kernel together, but since Volta nothing makes them.
        if a.warp == b.warp { orders.lanes && self.at != other.at } else { orders.warps }
    }

    fn touch(self, block: [u32; 3]) -> Touch {
        let thread = u64::from(self.access.warp) * 32 + u64::from(self.lane);
        let [x, y] = [block[0], block[1]].map(|n| u64::from(n.max(1)));
        let thread = [thread % x, thread / x % y, thread / x / y].map(|n| n as u32);
        let writes = self.access.kind != AccessKind::Load;
        Touch { block: self.access.block, thread, place: self.access.place.clone(), writes }
    }
}

/// The launches of a case, each with its threads a block.
pub(crate) struct Touches<'a> {
    pub(crate) launches: &'a [(Outcome, [u32; 3])],
    pub(crate) orders: Orders,
}

impl Touches<'_> {
    /// Whether all accesses of all launches were noted.
    pub(crate) fn complete(&self) -> bool {
        self.launches.iter().all(|(outcome, _)| outcome.left_out == 0)
    }

    /// Last writers of a buffer's bytes.
    pub(crate) fn last_writer(&self, buffer: &str, bytes: std::ops::Range<u64>) -> Option<Touch> {
        self.launches.iter().rev().find_map(|(outcome, block)| {
            let mut writes = outcome.accesses.iter().rev().filter(|access| access.kind != AccessKind::Load);
            writes.find_map(|access| {
                let mut there = parts(access, buffer).flat_map(|part| &part.lanes).rev();
                let hit = |at: u64| at < bytes.end && bytes.start < at + u64::from(access.bytes);
                let (lane, _) = there.find(|(_, at)| hit(*at))?;
                Some(One { access, lane: *lane, at: 0 }.touch(*block))
            })
        })
    }

    /// The first race for an element of a buffer, of those that `wanted` takes: the element's first byte, and who.
    pub(crate) fn race(
        &self,
        look: Look,
        wanted: &dyn Fn(&str, u64) -> bool,
    ) -> Option<(String, u64, [Touch; 2])> {
        self.launches.iter().filter(|(outcome, _)| outcome.left_out == 0).find_map(|(outcome, block)| {
            let elements = elements(&outcome.accesses);
            elements.into_iter().filter(|((memory, at), _)| wanted(memory, *at)).find_map(
                |((memory, at), all)| {
                    let pair = self.pair(look, &all)?;
                    Some((memory.to_owned(), at, pair.map(|one| one.touch(*block))))
                },
            )
        })
    }

    fn pair<'a>(&self, look: Look, all: &[One<'a>]) -> Option<[One<'a>; 2]> {
        let stores = all.iter().filter(|one| one.stores()).take(COMPARED);
        let mut pairs = stores.flat_map(|store| all.iter().take(COMPARED).map(move |other| (store, other)));
        let races = |store: One<'_>, other: One<'_>| {
            let counts = look == Look::All || other.access.kind == AccessKind::Load;
            counts
                && other.access.kind != AccessKind::Atomic
                && !store.same_thread(other)
                && !store.ordered(other, self.orders)
        };
        pairs.find(|(store, other)| races(**store, **other)).map(|(store, other)| {
            let mut both = [*store, *other];
            both.sort_by_key(|one| one.at);
            both
        })
    }
}

/// Atomic operations that return a value and that no fence of the device separates from what their block has stored before,
/// for other blocks that came later: who sees what such an operation did need not see the stores.
pub(crate) fn unfenced(accesses: &[TracedAccess]) -> Vec<&TracedAccess> {
    let global = |access: &TracedAccess| access.parts.iter().any(|part| part.space == Space::Global);
    let touched = LastAccesses::of(accesses);
    // Of each block, how many fences it had executed when it stored last, and its stores since then.
    let mut stored: BTreeMap<[u32; 3], (u32, Vec<usize>)> = BTreeMap::new();
    let mut found = vec![];
    for (at, access) in accesses.iter().enumerate() {
        if access.kind == AccessKind::Load || !global(access) {
            continue;
        }
        let (fences, stores) = stored.entry(access.block).or_default();
        if *fences != access.fences {
            (*fences, *stores) = (access.fences, vec![]);
        }
        if access.cost.get(RETURNING).unwrap_or(0) == 0 {
            stores.push(at);
        } else if stores.iter().any(|store| touched.after(at, &accesses[*store])) {
            found.push(access);
        }
    }
    found
}

/// Number of an access, and the block that made it.
type By = Option<(usize, [u32; 3])>;

/// Of each element of global memory the access that touched it last, and the last one by another block.
struct LastAccesses<'a>(BTreeMap<(&'a str, u64), [By; 2]>);

impl<'a> LastAccesses<'a> {
    fn of(accesses: &'a [TracedAccess]) -> Self {
        let mut touched = Self(BTreeMap::new());
        for (at, access) in accesses.iter().enumerate() {
            for element in elements_of(access) {
                let [last, other] = touched.0.entry(element).or_default();
                if last.is_some_and(|(_, block)| block != access.block) {
                    *other = *last;
                }
                *last = Some((at, access.block));
            }
        }
        touched
    }

    /// Whether, later than `at`, another block touched what an access did.
    fn after(&self, at: usize, access: &TracedAccess) -> bool {
        let others = |touches: &[By; 2]| {
            touches.iter().flatten().any(|(when, block)| *when > at && *block != access.block)
        };
        elements_of(access).any(|element| self.0.get(&element).is_some_and(others))
    }
}

/// Memory and offset of what each lane touches in global memory.
fn elements_of(access: &TracedAccess) -> impl Iterator<Item = (&str, u64)> {
    let global = access.parts.iter().filter(|part| part.space == Space::Global);
    global.flat_map(|part| part.lanes.iter().map(|(_, offset)| (part.memory.as_str(), *offset)))
}

/// The parts of an access that are in a buffer.
fn parts<'a>(access: &'a TracedAccess, buffer: &'a str) -> impl DoubleEndedIterator<Item = &'a Part> {
    access.parts.iter().filter(move |part| part.space == Space::Global && part.memory == buffer)
}

/// Who touched each element that was stored to, by its memory and first byte. An element is as wide as the narrowest
/// access to its memory.
fn elements(accesses: &[TracedAccess]) -> BTreeMap<(&str, u64), Vec<One<'_>>> {
    let all = || {
        let numbered = accesses.iter().enumerate();
        let parts = numbered.flat_map(|(at, access)| access.parts.iter().map(move |part| (at, access, part)));
        parts.filter(|(_, _, part)| part.space == Space::Global)
    };
    let mut width: BTreeMap<&str, u64> = BTreeMap::new();
    for (_, access, part) in all() {
        let least = width.entry(&part.memory).or_insert(u64::MAX);
        *least = (*least).min(u64::from(access.bytes.max(1)));
    }
    let mut elements: BTreeMap<(&str, u64), Vec<One<'_>>> = BTreeMap::new();
    let mut note = |stores: bool| {
        for (at, access, part) in all().filter(|(_, access, _)| (access.kind == AccessKind::Store) == stores)
        {
            let memory = part.memory.as_str();
            let width = width.get(memory).copied().unwrap_or(1);
            for (lane, first) in &part.lanes {
                for element in first / width..(first + u64::from(access.bytes)).div_ceil(width) {
                    let one = One { access, lane: *lane, at };
                    match elements.entry((memory, element * width)) {
                        Entry::Occupied(mut there) => there.get_mut().push(one),
                        Entry::Vacant(free) if stores => {
                            free.insert(vec![one]);
                        }
                        // Memory that no thread stores to has no race.
                        Entry::Vacant(_) => {}
                    }
                }
            }
        }
    };
    note(true);
    note(false);
    elements
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_may_order_threads_is_found_in_the_text() {
        let orders = |text: &str| {
            let Orders { blocks, warps, lanes } = Orders::of(text);
            (blocks, warps, lanes)
        };
        for text in ["\tld.global.f32 \t%f1, [%rd1];", "\tbar.sync \t0;", "\t@%p1 bar.sync \t0;"] {
            assert_eq!(orders(text), (false, false, false), "{text}");
        }
        for text in [
            "\tbar.warp.sync \t-1;",
            "\tshfl.sync.down.b32 \t%r1|%p1, %r2, 16, 31, -1;",
            "\t@%p1 vote.sync.any.pred \t%p2, %p3, -1;",
        ] {
            assert_eq!(orders(text), (false, false, true), "{text}");
        }
        for text in ["\tbar.sync \t1, 64;", "\t@%p1 bar.arrive \t1, 64;", "\tbarrier.sync \t2;"] {
            assert_eq!(orders(text), (false, true, true), "{text}");
        }
        for text in [
            "\tatom.global.add.u32 \t%r1, [%rd1], 1;",
            "\tmembar.gl;",
            "\tld.volatile.global.u32 \t%r1, [%rd1];",
        ] {
            assert_eq!(orders(text), (true, true, true), "{text}");
        }
    }
}
