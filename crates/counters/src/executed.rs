//! Counts of what a chip executes, which may differ from those of the PTX, and of which some cannot be determined.

use crate::Counters;

/// Counts by name: each a number, or why it cannot be determined. Empty if they were not requested.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Executed(Vec<(&'static str, Result<u64, &'static str>)>);

impl Executed {
    /// All counters, except those that `untold` gives a reason for.
    pub fn new(counters: &Counters, untold: impl Fn(&'static str) -> Option<&'static str>) -> Self {
        Executed(counters.iter().map(|(name, n)| (name, untold(name).map_or(Ok(n), Err))).collect())
    }

    /// Whether they were not requested.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The count of a name; none if it cannot be determined or was not requested.
    pub fn get(&self, name: &str) -> Option<u64> {
        self.reported().find(|(n, _)| *n == name).map(|(_, n)| n)
    }

    /// Counts that can be determined.
    pub fn reported(&self) -> impl Iterator<Item = (&'static str, u64)> {
        self.0.iter().filter_map(|(name, n)| n.ok().map(|n| (*name, n)))
    }

    /// Names whose counts cannot be determined, and why.
    pub fn untold(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        self.0.iter().filter_map(|(name, n)| n.err().map(|why| (*name, why)))
    }

    /// Adds another launch's: a count that cannot be determined for one of them cannot be for both.
    pub fn add(&mut self, other: &Executed) {
        for ((_, all), (_, one)) in self.0.iter_mut().zip(&other.0) {
            *all = all.and_then(|all| one.map(|one| all + one));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_count_unknown_for_one_launch_is_unknown_for_both() {
        let counters = Counters { barriers: 2, global_load_requests: 3, ..Counters::default() };
        let mut all = Executed::new(&counters, |_| None);
        all.add(&Executed::new(&counters, |name| (name == "barriers").then_some("it is so")));
        assert_eq!((all.get("global_load_requests"), all.get("barriers")), (Some(6), None));
        assert_eq!(all.untold().collect::<Vec<_>>(), [("barriers", "it is so")]);
    }
}
