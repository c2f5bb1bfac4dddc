//! Costs: what a kernel takes of a memory, by whichever instructions.
//!
//! A counter is of one kind of instruction, as the hardware has it. A limit on what a kernel may take of a memory does not mean
//! one kind: an atomic operation that adds zero reads, and an exchange whose result is thrown away writes. So each cost is a sum
//! of counters, and only this file decides which.

use crate::{Counters, Unit};

/// A sum of counters, which limits are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cost {
    /// Name in conditions, such as `global_read_sectors`.
    pub name: &'static str,
    /// Title in messages, in the plural, such as `sectors read from global memory`.
    pub title: &'static str,
    /// Thing that is counted.
    pub unit: Unit,
    /// Names of the counters that are summed.
    pub of: &'static [&'static str],
}

impl Cost {
    /// The sum of a launch's counters.
    pub fn value(&self, counters: &Counters) -> u64 {
        self.of.iter().filter_map(|name| counters.get(name)).sum()
    }

    /// The counter that has most of it, by its name.
    pub fn chief(&self, counters: &Counters) -> &'static str {
        // Of those that have as much, the first.
        self.of.iter().rev().max_by_key(|name| counters.get(name)).copied().unwrap_or(self.name)
    }
}

/// All costs. Loads through generic addresses count where they lead, among the requests of global and of local memory; as reads
/// of shared memory they count as well, since no counter says how many of them led there.
pub static COSTS: &[Cost] = &[
    Cost {
        name: "global_reads",
        title: "requests that read global memory",
        unit: Unit::Request,
        of: &[
            "global_load_requests",
            "global_atomic_requests",
            "bulk_copies",
            "texture_requests",
            "surface_load_requests",
        ],
    },
    Cost {
        name: "global_read_sectors",
        title: "sectors read from global memory",
        unit: Unit::Sector,
        of: &[
            "global_load_sectors",
            "global_atomic_sectors",
            "bulk_load_sectors",
            "texture_sectors",
            "surface_load_sectors",
        ],
    },
    Cost {
        name: "global_read_wavefronts",
        title: "wavefronts of reads of global memory",
        unit: Unit::Wavefront,
        // Of an atomic operation or a fetch no wavefronts are counted: it has no fewer than its sectors need.
        of: &[
            "global_load_data_wavefronts",
            "global_atomic_sectors",
            "bulk_load_sectors",
            "texture_sectors",
            "surface_load_sectors",
        ],
    },
    Cost {
        name: "global_writes",
        title: "requests that write global memory",
        unit: Unit::Request,
        of: &[
            "global_store_requests",
            "global_red_requests",
            "global_atomic_requests",
            "bulk_copies",
            "surface_store_requests",
            "surface_red_requests",
        ],
    },
    Cost {
        name: "global_write_sectors",
        title: "sectors written to global memory",
        unit: Unit::Sector,
        of: &[
            "global_store_sectors",
            "global_red_sectors",
            "global_atomic_sectors",
            "bulk_store_sectors",
            "surface_store_sectors",
            "surface_red_sectors",
        ],
    },
    Cost {
        name: "shared_reads",
        title: "instructions that read shared memory",
        unit: Unit::Instruction,
        of: &[
            "shared_load_instructions",
            "shared_atomic_instructions",
            "matrix_load_instructions",
            "generic_load_instructions",
        ],
    },
    Cost {
        name: "shared_writes",
        title: "instructions that write shared memory",
        unit: Unit::Instruction,
        of: &[
            "shared_store_instructions",
            "shared_atomic_instructions",
            "matrix_store_instructions",
            "generic_store_instructions",
        ],
    },
    Cost {
        name: "shared_read_conflicts",
        title: "bank conflicts of reads of shared memory",
        unit: Unit::BankConflict,
        of: &["shared_load_bank_conflicts", "shared_atomic_bank_conflicts"],
    },
    Cost {
        name: "shared_write_conflicts",
        title: "bank conflicts of writes of shared memory",
        unit: Unit::BankConflict,
        of: &["shared_store_bank_conflicts", "shared_atomic_bank_conflicts", "copy_bank_conflicts"],
    },
    Cost {
        name: "constant_reads",
        title: "instructions that read constant memory",
        unit: Unit::Instruction,
        of: &["const_instructions", "const_uniform_instructions"],
    },
    Cost {
        name: "local_accesses",
        title: "requests of local memory",
        unit: Unit::Request,
        of: &["local_load_requests", "local_store_requests"],
    },
];

/// The cost of a name.
pub fn cost(name: &str) -> Option<&'static Cost> {
    COSTS.iter().find(|cost| cost.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn costs_are_sums_of_counters_of_the_embedded_device_under_names_of_their_own() {
        for cost in COSTS {
            assert!(crate::get(cost.name).is_none(), "{}", cost.name);
            for name in cost.of {
                assert!(crate::get(name).is_some_and(|counter| counter.embedded), "{}: {name}", cost.name);
            }
        }
        let names: BTreeSet<_> = COSTS.iter().map(|cost| cost.name).collect();
        assert_eq!(names.len(), COSTS.len());
    }

    #[test]
    fn every_counter_of_accesses_to_a_memory_that_is_limited_is_in_a_cost() {
        // Passes through the caches of constant memory are limited as they are counted: nothing else reads it.
        let free = |name: &str| {
            // Passes through L1, and what is counted a second time.
            name.ends_with("_wavefronts")
                || ["copy_instructions", "copy_sectors", "texture_instructions", "generic_atomic_instructions"].contains(&name)
                // The sectors of local memory follow from its requests.
                || name.starts_with("local_")
        };
        let limited = |counter: &&crate::Counter| {
            counter.embedded && counter.space.is_some_and(|space| space != crate::Space::Constant)
        };
        for counter in crate::ALL.iter().filter(limited) {
            let summed = COSTS.iter().any(|cost| cost.of.contains(&counter.name));
            assert!(summed || free(counter.name), "no cost has {}", counter.name);
        }
    }

    #[test]
    fn an_atomic_operation_reads_and_writes() {
        let counted = Counters { global_atomic_requests: 3, global_load_requests: 2, ..Counters::default() };
        let value = |name| cost(name).map(|cost| cost.value(&counted));
        assert_eq!((value("global_reads"), value("global_writes")), (Some(5), Some(3)));
    }
}
