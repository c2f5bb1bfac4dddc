//! The counters of what the chip executes for a launch, in addition to those of what its PTX says.
//!
//! Most follow from the counters of each instruction: what a predicate replaces a branch for is executed as often as the
//! branch; what is gone counts nothing; one lane's atomic operation is one sector and one wavefront. What a wide access in the
//! place of several costs depends on addresses and is found while they are made: an observer of its own.

use crate::Counters;
use crate::WARP;
use crate::exec::launch::Run;
use crate::exec::launch::Tally;
use crate::exec::memory::access::Access;
use crate::exec::memory::sites::Sites;
use crate::exec::observers::Observers;
use crate::ir::Executed;
use crate::model::access::{self, Turns};
use crate::trace::AccessKind;
use ptxas::{Access as Made, Around, Contended, Unknown, What};

/// Counters that are never given: what ptxas adds or makes differently throughout, and what is modelled.
const NEVER: [&str; 8] = [
    "thread_instructions",
    "warp_instructions",
    "divergent_branches",
    "const_instructions",
    "const_uniform_instructions",
    "idc_requests",
    "modelled_constant_l1_misses",
    "modelled_constant_l2_misses",
];
const OF_ALL: &str = "ptxas makes these differently throughout";
const PARTED: &str =
    "lanes leave a loop one after the other that ptxas unrolls, or in which they work together";
const LAST_ROUNDS: &str = "the last rounds of a loop that ptxas unrolls are predicated";
const CONTENDED: &str = "warps contend in a loop of compare-and-swaps, or wait in a loop for others";
const FEW_LANES: &str = "one lane adds for its warp, and some lanes are off";

impl Observers {
    /// Adds what the wide access costs that an access represents, if it does.
    #[cold]
    #[inline(never)]
    pub(in crate::exec) fn widen_access(&mut self, sites: &Sites, run: &Run<'_>, access: &Access<'_>) {
        let Some(executed) = run.executed else { return };
        let Some((bytes, before)) = executed.wide[access.id.index()] else { return };
        let at = sites.addresses(access).words(|a| (a as u32).wrapping_sub(before));
        let waves = access::wavefronts(&at, access.mask, bytes, access.kind == AccessKind::Store);
        let widened = self.widened.get_or_insert_with(|| vec![[0; 2]; executed.wide.len()]);
        let [wavefronts, conflicts] = &mut widened[access.id.index()];
        *wavefronts += u64::from(waves.wavefronts);
        *conflicts += u64::from(waves.conflicts);
    }
}

/// Names that cannot be given where one lane may do what all do, and some lanes are off.
const OF_ONE_LANE: [&str; 5] = [
    "shared_atomic_instructions",
    "shared_atomic_wavefronts",
    "shared_atomic_bank_conflicts",
    "generic_atomic_instructions",
    "global_atomic_sectors",
];

/// The beginnings of the names that an instruction of a kind counts for.
fn names_of(what: What) -> &'static [&'static str] {
    match what {
        What::GlobalLoad => &["global_load_"],
        What::GlobalStore => &["global_store_"],
        What::SharedLoad => &["shared_load_"],
        What::SharedStore => &["shared_store_"],
        // Where the chip has no such operation, its word is loaded first.
        What::SharedAtomic => &["shared_atomic_", "shared_load_"],
        What::ConstantLoad => &["const_divergent_", "const_replays"],
        What::LocalLoad => &["local_load_"],
        What::LocalStore => &["local_store_"],
        What::GenericLoad => &["generic_load_", "global_load_", "shared_load_", "local_load_"],
        What::GenericStore => &["generic_store_", "global_store_", "shared_store_", "local_store_"],
        What::Other => &["generic_atomic_", "global_atomic_", "global_red_", "shared_atomic_wavefronts"],
    }
}

/// The names that an instruction of a kind counts for even if none of its lanes are on.
fn instructions_of(what: What) -> &'static [&'static str] {
    match what {
        What::SharedLoad => &["shared_load_instructions"],
        What::SharedStore => &["shared_store_instructions"],
        What::GlobalLoad => &["global_load_data_wavefronts"],
        What::GlobalStore => &["global_store_data_wavefronts"],
        What::GenericLoad => &["generic_load_instructions", "global_load_data_wavefronts"],
        What::GenericStore => &["generic_store_instructions", "global_store_data_wavefronts"],
        What::SharedAtomic | What::ConstantLoad | What::LocalLoad | What::LocalStore | What::Other => &[],
    }
}

/// Whether what makes a kernel's counters unknown concerns a name.
fn concerns(unknown: Unknown, name: &str) -> bool {
    match unknown {
        Unknown::Debugger | Unknown::System | Unknown::Pointer | Unknown::Recursion | Unknown::Size => true,
        Unknown::Calls => {
            name.ends_with("_instructions")
                || ["local_", "const_", "shared_"].iter().any(|start| name.starts_with(start))
        }
        Unknown::Escapes => ["local_", "generic_", "global_load_", "global_store_"]
            .iter()
            .any(|start| name.starts_with(start)),
        Unknown::Variables | Unknown::Registers => name.starts_with("local_"),
        Unknown::Tables | Unknown::Neighbours => name.starts_with("const_"),
    }
}

/// Blocks of a launch, and warps of a block.
#[derive(Clone, Copy)]
pub(crate) struct Extent {
    pub(crate) blocks: u64,
    pub(crate) warps_per_block: u64,
}

/// Beginnings of names that cannot be given, with the reason, as instructions are looked at.
#[derive(Default)]
struct Untold(Vec<(&'static str, &'static str)>);

impl Untold {
    fn add(&mut self, starts: &[&'static str], why: &'static str) {
        self.0.extend(starts.iter().map(|start| (*start, why)));
    }

    /// Why a name cannot be given, if so.
    fn reason(&self, executed: &Executed, name: &str) -> Option<&'static str> {
        let never = NEVER.contains(&name).then_some(OF_ALL);
        let kernel = || executed.unknown.iter().find(|unknown| concerns(**unknown, name)).map(|u| u.reason());
        let instruction = || self.0.iter().find(|(start, _)| name.starts_with(start)).map(|(_, why)| *why);
        never.or_else(kernel).or_else(instruction)
    }
}

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
        | What::LocalLoad
        | What::LocalStore
        | What::Other => {}
    }
}

/// The counters of what is executed, from the launch's and those of each instruction of the listing.
pub(crate) fn count_executed(
    executed: &Executed,
    tally: &Tally,
    each: &[Counters],
    extent: Extent,
) -> counters::Executed {
    let mut sum = tally.counters;
    let mut untold = Untold::default();
    for (listed, made) in &executed.made {
        let own = &each[*listed as usize];
        if made.access == Made::Gone {
            leave_out(&mut sum, own);
            continue;
        }
        let branch = |at: u32| executed.branches.get(&at).map(|listed| &each[*listed as usize]);
        if own.warp_instructions > 0 {
            let parts = |around: &Around| branch(around.branch).is_some_and(|b| b.divergent_branches > 0);
            if made.around.as_ref().is_some_and(parts) {
                untold.add(names_of(made.what), PARTED);
            }
            if made.around.is_some_and(|around| around.predicated) {
                untold.add(instructions_of(made.what), LAST_ROUNDS);
            }
            if contends(made.contended, extent) {
                untold.add(names_of(made.what), CONTENDED);
            }
        }
        match made.access {
            Made::Gone | Made::Kept => {}
            Made::Wide { .. } => {
                let id = executed.wide_at.get(listed);
                let widened = tally.widened.as_deref();
                let cost = id.and_then(|id| widened?.get(*id).copied()).unwrap_or_default();
                replace_by_wide(&mut sum, own, made.what, cost);
            }
            Made::WithResult => with_result(&mut sum, own),
            Made::OneLane => one_lane(&mut sum, own),
            Made::OneLaneIfAllAreThere if own.thread_instructions == WARP as u64 * own.warp_instructions => {
                one_lane(&mut sum, own);
                // All lanes' own operation is there too, predicated off.
                sum.shared_atomic_instructions += own.shared_atomic_instructions;
                sum.generic_atomic_instructions += own.generic_atomic_instructions;
            }
            Made::OneLaneIfAllAreThere if own.thread_instructions == own.warp_instructions => {}
            Made::OneLaneIfAllAreThere => untold.add(&OF_ONE_LANE, FEW_LANES),
        }
        let warps = made.predicated.and_then(branch).unwrap_or(own).warp_instructions;
        count_instructions(&mut sum, own, made.what, warps);
    }
    counters::Executed::new(&sum, |name| untold.reason(executed, name))
}

/// Whether several warps contend for a place.
fn contends(contended: Option<Contended>, extent: Extent) -> bool {
    match contended {
        Some(Contended::Block) => extent.warps_per_block > 1,
        Some(Contended::Grid) => extent.warps_per_block * extent.blocks > 1,
        None => false,
    }
}

/// Puts the number of warps that come to an instruction in the place of those that run it.
fn count_instructions(sum: &mut Counters, own: &Counters, what: What, warps: u64) {
    // Those that come to it with all lanes off.
    let off = warps.saturating_sub(own.warp_instructions) * u64::from(Turns::WITHOUT_LANES.data);
    match what {
        What::GlobalLoad => sum.global_load_data_wavefronts += off,
        What::GlobalStore => sum.global_store_data_wavefronts += off,
        What::SharedLoad => replace(&mut sum.shared_load_instructions, own.shared_load_instructions, warps),
        What::SharedStore => {
            replace(&mut sum.shared_store_instructions, own.shared_store_instructions, warps)
        }
        What::GenericLoad => {
            replace(&mut sum.generic_load_instructions, own.generic_load_instructions, warps);
            sum.global_load_data_wavefronts += off;
        }
        What::GenericStore => {
            replace(&mut sum.generic_store_instructions, own.generic_store_instructions, warps);
            sum.global_store_data_wavefronts += off;
        }
        What::SharedAtomic | What::ConstantLoad | What::LocalLoad | What::LocalStore | What::Other => {}
    }
}

/// Puts another count in the place of an instruction's own, in a sum that has it.
fn replace(sum: &mut u64, own: u64, by: u64) {
    *sum = sum.wrapping_sub(own).wrapping_add(by);
}

/// Takes away what an instruction counted that is not executed.
fn leave_out(sum: &mut Counters, own: &Counters) {
    replace(&mut sum.global_load_requests, own.global_load_requests, 0);
    replace(&mut sum.global_load_sectors, own.global_load_sectors, 0);
    replace(&mut sum.global_load_wavefronts, own.global_load_wavefronts, 0);
    replace(&mut sum.global_load_data_wavefronts, own.global_load_data_wavefronts, 0);
    replace(&mut sum.shared_load_instructions, own.shared_load_instructions, 0);
    replace(&mut sum.shared_load_wavefronts, own.shared_load_wavefronts, 0);
    replace(&mut sum.shared_load_bank_conflicts, own.shared_load_bank_conflicts, 0);
    replace(&mut sum.shared_store_instructions, own.shared_store_instructions, 0);
    replace(&mut sum.shared_store_wavefronts, own.shared_store_wavefronts, 0);
    replace(&mut sum.shared_store_bank_conflicts, own.shared_store_bank_conflicts, 0);
    replace(&mut sum.local_load_requests, own.local_load_requests, 0);
    replace(&mut sum.local_load_sectors, own.local_load_sectors, 0);
    replace(&mut sum.local_store_requests, own.local_store_requests, 0);
    replace(&mut sum.local_store_sectors, own.local_store_sectors, 0);
    replace(&mut sum.const_divergent_instructions, own.const_divergent_instructions, 0);
    replace(&mut sum.const_replays, own.const_replays, 0);
}

/// An atomic operation whose result is not used counts as one with a result.
fn with_result(sum: &mut Counters, own: &Counters) {
    replace(&mut sum.global_red_requests, own.global_red_requests, 0);
    replace(&mut sum.global_red_sectors, own.global_red_sectors, 0);
    sum.global_atomic_requests += own.global_red_requests;
    sum.global_atomic_sectors += own.global_red_sectors;
    sum.generic_atomic_instructions += own.global_red_requests;
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
