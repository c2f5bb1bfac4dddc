//! Accesses that a trace has noted down: numbers, no text.

use crate::Counters;
use crate::WARP;
use crate::lanes::lanes;
use crate::trace::{AccessKind, Fetch, Part, Space};

/// An access as the interpreter knows it: numbers, no text.
#[derive(Clone, Debug)]
pub(crate) struct Noted {
    /// Place in the kernel's listing.
    pub(crate) listed: u32,
    /// The block's number.
    pub(crate) block: u64,
    pub(crate) warp: u32,
    pub(crate) interval: u32,
    pub(crate) fences: u32,
    pub(crate) copies: u32,
    pub(crate) kind: AccessKind,
    /// `None`: the addresses are generic.
    pub(crate) space: Option<Space>,
    /// A lane.
    pub(crate) bytes: u32,
    pub(crate) mask: u32,
    pub(crate) addresses: [u64; WARP],
    pub(crate) cost: Counters,
    /// Of a fetch, its parts, which have no addresses, and its texels.
    pub(crate) fetched: Option<Box<(Vec<Part>, Option<Fetch>)>>,
}

/// Accesses that a launch has noted, in the order in which they were made.
#[derive(Clone, Debug, Default)]
pub(crate) struct Notes {
    pub(crate) accesses: Vec<Noted>,
    pub(crate) left_out: u64,
    /// How many accesses the instruction that runs has.
    pub(in crate::exec) open: usize,
}

impl Notes {
    pub(crate) fn add(&mut self, other: Notes) {
        self.accesses.extend(other.accesses);
        self.left_out += other.left_out;
    }

    /// Adds an access; the lanes of a generic one that are in another memory than those before belong to one access.
    pub(in crate::exec) fn push(&mut self, most: u32, noted: Noted, generic: bool) {
        if generic
            && self.open > 0
            && let Some(before) = self.accesses.last_mut()
        {
            for l in lanes(noted.mask) {
                before.addresses[l] = noted.addresses[l];
            }
            before.mask |= noted.mask;
            before.space = None;
            return;
        }
        if self.accesses.len() < most as usize {
            self.accesses.push(noted);
            self.open += 1;
        } else {
            self.left_out += 1;
        }
    }
}
