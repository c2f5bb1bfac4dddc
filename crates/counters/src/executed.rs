//! Counts of what a chip executes, which may differ from those of the PTX, and of which some cannot be told.

use crate::Counters;

/// Counts by name: each a number, or why it cannot be told. Empty where nobody asked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Executed(Vec<(&'static str, Result<u64, &'static str>)>);

impl Executed {
    /// All counters, but for those that `untold` gives a reason for.
    pub fn new(counters: &Counters, untold: impl Fn(&'static str) -> Option<&'static str>) -> Self {
        Executed(counters.iter().map(|(name, n)| (name, untold(name).map_or(Ok(n), Err))).collect())
    }

    /// Whether nobody asked.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The count of a name; none if it cannot be told or nobody asked.
    pub fn get(&self, name: &str) -> Option<u64> {
        self.told().find(|(n, _)| *n == name).map(|(_, n)| n)
    }

    /// Counts that can be told.
    pub fn told(&self) -> impl Iterator<Item = (&'static str, u64)> {
        self.0.iter().filter_map(|(name, n)| n.ok().map(|n| (*name, n)))
    }

    /// Names that cannot be told, and why.
    pub fn untold(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        self.0.iter().filter_map(|(name, n)| n.err().map(|why| (*name, why)))
    }

    /// Adds another launch's: of a name that cannot be told of one of them, nothing can be told of both.
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
    fn what_cannot_be_told_of_one_launch_cannot_be_told_of_both() {
        let counters = Counters { barriers: 2, global_load_requests: 3, ..Counters::default() };
        let mut all = Executed::new(&counters, |_| None);
        all.add(&Executed::new(&counters, |name| (name == "barriers").then_some("it is so")));
        assert_eq!((all.get("global_load_requests"), all.get("barriers")), (Some(6), None));
        assert_eq!(all.untold().collect::<Vec<_>>(), [("barriers", "it is so")]);
    }
}
