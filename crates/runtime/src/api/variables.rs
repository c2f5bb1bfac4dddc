//! Variables of the host whose addresses are given to the API: how many bytes each has.
//!
//! Enters: what the compiler knows of them, and the arguments of a call. Leaves: the variable at an address. Which bytes of it are
//! used is not known here.

use super::Api;
use crate::guest::Site;
use std::collections::BTreeMap;
use std::ops::Range;

/// What is known of them.
#[derive(Debug, Default)]
pub(super) struct HostVariables {
    /// Those of no function: first address and size, in the order of these.
    fixed: Vec<(u64, u64)>,
    /// Of functions, by the place of a call: the argument that points to one, and bytes from there to its end.
    given: BTreeMap<Site, Vec<(usize, u64)>>,
    /// Of the call that is being answered: from its argument on.
    now: Vec<Range<u64>>,
}

impl HostVariables {
    /// The variable at an address: all of it, or, of a function's, from an argument on.
    pub(super) fn at(&self, address: u64) -> Option<Range<u64>> {
        let before = self.fixed.partition_point(|(first, _)| *first <= address).checked_sub(1);
        let fixed = before.map(|at| self.fixed[at]).map(|(first, bytes)| first..first + bytes);
        let mut all = fixed.into_iter().chain(self.now.iter().cloned());
        all.find(|of| of.contains(&address))
    }
}

impl Api {
    /// Notes the variables of a program: those of no function by address and size, in this order; and those of functions
    /// by the place of a call, the number of its argument that points to one, and the bytes from there on.
    pub fn set_variables(
        &mut self,
        fixed: Vec<(u64, u64)>,
        given: impl IntoIterator<Item = (Site, usize, u64)>,
    ) {
        self.host_variables = HostVariables { fixed, ..HostVariables::default() };
        for (site, argument, bytes) in given {
            self.host_variables.given.entry(site).or_default().push((argument, bytes));
        }
    }

    /// Begins a call with arguments.
    pub(super) fn note_given(&mut self, site: Site, arguments: &[u64]) {
        let HostVariables { given, now, .. } = &mut self.host_variables;
        now.clear();
        for (argument, bytes) in given.get(&site).into_iter().flatten() {
            if let Some(address) = arguments.get(*argument) {
                now.push(*address..address.saturating_add(*bytes));
            }
        }
        // Several calls of one place, as in the instances of a template: each has at least what the largest has.
        now.sort_by_key(|of| std::cmp::Reverse(of.end));
    }
}
