//! Lists in which each thing is once.
//!
//! Enters: lists. Leaves: one list, in the order of the first of each. Short ones, which nearly all are, are looked through; of a
//! long one the things are kept in a set as well, so that a source with thousands of overloads takes no longer than their number.

use std::hash::Hash;

use crate::hash::Set;

/// Length up to which a list is looked through.
const SHORT: usize = 24;

/// List of different things.
#[derive(Debug)]
pub(crate) struct Distinct<T> {
    all: Vec<T>,
    known: Set<T>,
}

impl<T: Copy + Eq + Hash> Distinct<T> {
    pub(crate) fn new() -> Self {
        Self { all: vec![], known: Set::default() }
    }

    /// Adds a thing, unless it is there.
    pub(crate) fn add(&mut self, one: T) {
        if self.all.len() <= SHORT {
            if self.all.contains(&one) {
                return;
            }
            if self.all.len() == SHORT {
                self.known.extend(self.all.iter().copied());
            }
        }
        if self.all.len() < SHORT || self.known.insert(one) {
            self.all.push(one);
        }
    }

    pub(crate) fn get(&self, at: usize) -> Option<T> {
        self.all.get(at).copied()
    }

    pub(crate) fn list(self) -> Vec<T> {
        self.all
    }
}

impl<T: Copy + Eq + Hash> FromIterator<T> for Distinct<T> {
    fn from_iter<I: IntoIterator<Item = T>>(things: I) -> Self {
        let mut all = Self::new();
        things.into_iter().for_each(|one| all.add(one));
        all
    }
}

#[cfg(test)]
mod tests {
    use super::Distinct;

    #[test]
    fn each_thing_stands_where_it_was_first_in_short_and_in_long_lists() {
        for count in [3u32, 24, 25, 26, 100] {
            let twice = (0..count).flat_map(|one| [one, one / 2, 0]).chain(0..count);
            let mut sorted: Vec<u32> = twice.collect::<Distinct<u32>>().list();
            assert_eq!(sorted.first(), Some(&0));
            sorted.sort_unstable();
            assert_eq!(sorted, (0..count).collect::<Vec<_>>());
        }
    }
}
