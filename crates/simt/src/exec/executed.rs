//! The counters of what the chip executes for a launch, beside those of what its PTX says.
//!
//! Most follow from the counters of each instruction: what a predicate replaces a branch for is executed as often as the
//! branch; what is gone counts nothing; one lane's atomic operation is one sector and one wavefront. What a wide access in the
//! place of several costs depends on addresses and is found while they are made: an observer of its own.

use super::access::Access;
use super::launch::Tally;
use super::worker::Worker;
use crate::Counters;
use crate::WARP;
use crate::ir::Executed;
use crate::model::access;
use crate::trace::AccessKind;
use ptxas::{Access as Made, Unknown, What};

/// Counters that are not told: what ptxas adds or makes differently throughout, and what is modelled.
const UNTOLD: [&str; 8] = [
    "thread_instructions",
    "warp_instructions",
    "divergent_branches",
    "const_instructions",
    "const_uniform_instructions",
    "idc_requests",
    "modelled_constant_l1_misses",
    "modelled_constant_l2_misses",
];

impl Worker<'_> {
    /// Adds what the wide access costs that an access stands for, if it does.
    #[cold]
    #[inline(never)]
    pub(super) fn widen_access(&mut self, access: &Access<'_>) {
        let Some(executed) = self.run.executed else { return };
        let Some((bytes, before)) = executed.wide[access.id.index()] else { return };
        let at = self.addresses(access).0.map(|a| (a as u32).wrapping_sub(before));
        let waves = access::wavefronts(&at, access.mask, bytes, access.kind == AccessKind::Store);
        let widened = self.tally.widened.get_or_insert_with(|| vec![[0; 2]; executed.wide.len()]);
        let [wavefronts, conflicts] = &mut widened[access.id.index()];
        *wavefronts += u64::from(waves.wavefronts);
        *conflicts += u64::from(waves.conflicts);
    }
}

/// Names that cannot be told where one lane may do what all do, and some lanes are off.
const OF_ONE_LANE: [&str; 5] = [
    "shared_atomic_instructions",
    "shared_atomic_wavefronts",
    "shared_atomic_bank_conflicts",
    "generic_atomic_instructions",
    "global_atomic_sectors",
];

/// Puts the wavefronts and conflicts of a wide access in the place of an instruction's own.
fn replace_by_wide(sum: &mut Counters, own: &Counters, what: What, [wavefronts, conflicts]: [u64; 2]) {
    match what {
        What::SharedLoad => {
            replace(&mut sum.shared_load_wavefronts, own.shared_load_wavefronts, wavefronts);
            replace(&mut sum.shared_load_bank_conflicts, own.shared_load_bank_conflicts, conflicts);
        }
        What::SharedStore => {
            replace(&mut sum.shared_store_wavefronts, own.shared_store_wavefronts, wavefronts);
            replace(&mut sum.shared_store_bank_conflicts, own.shared_store_bank_conflicts, conflicts);
        }
        // Neighbours of one distance are as many distinct addresses.
        What::GlobalLoad
        | What::GlobalStore
        | What::GenericLoad
        | What::GenericStore
        | What::SharedAtomic
        | What::ConstantLoad
        | What::Other => {}
    }
}

/// The counters of what is executed that can be told, by name, from the launch's and those of each instruction of the
/// listing.
pub(crate) fn count_executed(
    executed: &Executed,
    tally: &Tally,
    each: &[Counters],
) -> Vec<(&'static str, u64)> {
    if executed.unknown.contains(&Unknown::All) {
        return vec![];
    }
    let mut sum = tally.counters;
    let widened = tally.widened.as_deref();
    let mut untold: Vec<&str> = UNTOLD.to_vec();
    for (listed, made) in &executed.made {
        let own = &each[*listed as usize];
        let warps = match made.predicated.and_then(|at| executed.branches.get(&at)) {
            Some(branch) => each[*branch as usize].warp_instructions,
            None => own.warp_instructions,
        };
        match made.access {
            Made::Gone => {
                leave_out(&mut sum, own);
                continue;
            }
            Made::Wide { .. } => {
                let id = executed.wide_at.get(listed);
                let cost = id.and_then(|id| widened?.get(*id).copied()).unwrap_or_default();
                replace_by_wide(&mut sum, own, made.what, cost);
            }
            Made::OneLane => one_lane(&mut sum, own),
            Made::OneLaneIfAllAreThere if own.thread_instructions == WARP as u64 * own.warp_instructions => {
                one_lane(&mut sum, own);
                // All lanes' own operation is there too, predicated off.
                sum.shared_atomic_instructions += own.shared_atomic_instructions;
                sum.generic_atomic_instructions += own.generic_atomic_instructions;
            }
            Made::OneLaneIfAllAreThere if own.thread_instructions == own.warp_instructions => {}
            Made::OneLaneIfAllAreThere => untold.extend(OF_ONE_LANE),
            Made::Kept => {}
        }
        match made.what {
            What::SharedLoad => {
                replace(&mut sum.shared_load_instructions, own.shared_load_instructions, warps)
            }
            What::SharedStore => {
                replace(&mut sum.shared_store_instructions, own.shared_store_instructions, warps)
            }
            What::GenericLoad => {
                replace(&mut sum.generic_load_instructions, own.generic_load_instructions, warps)
            }
            What::GenericStore => {
                replace(&mut sum.generic_store_instructions, own.generic_store_instructions, warps)
            }
            What::GlobalLoad | What::GlobalStore | What::SharedAtomic | What::ConstantLoad | What::Other => {}
        }
    }
    let unknown = |reason: Unknown| executed.unknown.contains(&reason);
    let calls = unknown(Unknown::Calls);
    let told = |name: &str| {
        !untold.contains(&name)
            && !((calls || unknown(Unknown::Local)) && name.starts_with("local_"))
            && !((calls || unknown(Unknown::Constant)) && name.starts_with("const_"))
            && !(calls && name.ends_with("_instructions"))
            && !(calls && name.starts_with("shared_"))
    };
    sum.iter().filter(|(name, _)| told(name)).collect()
}

/// Puts another count in the place of an instruction's own, in a sum that has it.
fn replace(sum: &mut u64, own: u64, by: u64) {
    *sum = sum.wrapping_sub(own).wrapping_add(by);
}

/// Takes away what an instruction counted that is not executed.
fn leave_out(sum: &mut Counters, own: &Counters) {
    replace(&mut sum.global_load_requests, own.global_load_requests, 0);
    replace(&mut sum.global_load_sectors, own.global_load_sectors, 0);
    replace(&mut sum.global_load_lines, own.global_load_lines, 0);
    replace(&mut sum.shared_load_instructions, own.shared_load_instructions, 0);
    replace(&mut sum.shared_load_wavefronts, own.shared_load_wavefronts, 0);
    replace(&mut sum.shared_load_bank_conflicts, own.shared_load_bank_conflicts, 0);
    replace(&mut sum.shared_store_instructions, own.shared_store_instructions, 0);
    replace(&mut sum.shared_store_wavefronts, own.shared_store_wavefronts, 0);
    replace(&mut sum.shared_store_bank_conflicts, own.shared_store_bank_conflicts, 0);
    replace(&mut sum.const_divergent_instructions, own.const_divergent_instructions, 0);
    replace(&mut sum.const_replays, own.const_replays, 0);
}

/// An atomic operation of one lane is one sector, and one wavefront without a conflict.
fn one_lane(sum: &mut Counters, own: &Counters) {
    replace(&mut sum.global_red_sectors, own.global_red_sectors, own.global_red_requests);
    replace(&mut sum.global_atomic_sectors, own.global_atomic_sectors, own.global_atomic_requests);
    let instructions = own.shared_atomic_instructions.max(own.generic_atomic_instructions);
    let wavefronts = instructions.min(own.shared_atomic_wavefronts);
    replace(&mut sum.shared_atomic_wavefronts, own.shared_atomic_wavefronts, wavefronts);
    replace(&mut sum.shared_atomic_bank_conflicts, own.shared_atomic_bank_conflicts, 0);
}
