//! Typed places in a kernel's tables.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;

/// A place in the one table of a kernel that holds entries of type `T`: `kernel[id]` is the entry.
pub(crate) struct Id<T> {
    number: u32,
    of: PhantomData<fn() -> T>,
}

impl<T> Id<T> {
    /// The place `number` of the table.
    pub(crate) const fn new(number: u32) -> Self {
        Id { number, of: PhantomData }
    }

    /// The place as an index, for tables next to the kernel's that have as many entries.
    #[inline(always)]
    pub(crate) fn index(self) -> usize {
        self.number as usize
    }

    /// The place in 16 bits, for types of which a kernel holds no more than [`u16::MAX`].
    #[inline(always)]
    pub(crate) fn number(self) -> u16 {
        self.number as u16
    }
}

impl<T> Clone for Id<T> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Id<T> {}

impl<T> Default for Id<T> {
    fn default() -> Self {
        Id::new(0)
    }
}

impl<T> PartialEq for Id<T> {
    #[inline(always)]
    fn eq(&self, other: &Self) -> bool {
        self.number == other.number
    }
}

impl<T> Eq for Id<T> {}

impl<T> PartialOrd for Id<T> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<T> Ord for Id<T> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.number.cmp(&other.number)
    }
}

impl<T> Hash for Id<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.number.hash(state);
    }
}

impl<T> fmt::Debug for Id<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{}", self.number)
    }
}
