//! What the chip executes for a kernel's memory instructions, where that is not what the PTX says.

use super::{Kernel, MemoryOperand};
use crate::hash::{HashMap, HashSet};
use crate::ir::Id;
use ptxas::{Access, Made, Unknown};
use std::collections::BTreeSet;

/// What ptxas makes of a kernel, by the places that its execution knows.
#[derive(Clone, Debug, Default)]
pub(crate) struct Executed {
    /// Memory instructions by their places in [`Kernel::listing`].
    pub(crate) made: Vec<(u32, Made)>,
    /// Places of the branches that are predicated, or at the end of loops that are unrolled, by their bytes in the text.
    pub(crate) branches: HashMap<u32, u32>,
    /// For each of [`Kernel::accesses`] the wide access that it represents: its bytes, and how far before it that begins.
    pub(crate) wide: Vec<Option<(u32, u32)>>,
    /// The places of those, by their places in the listing.
    pub(crate) wide_at: HashMap<u32, usize>,
    /// Counters that cannot be given.
    pub(crate) unknown: BTreeSet<Unknown>,
}

impl Executed {
    pub(crate) fn new(kernel: &Kernel) -> Self {
        let found = &kernel.compiled;
        let mut made = vec![];
        let mut branches = HashMap::default();
        let needed: HashSet<u32> = found
            .instructions
            .values()
            .flat_map(|m| [m.predicated, m.around.map(|a| a.branch)])
            .flatten()
            .collect();
        for (n, listed) in kernel.listing.iter().enumerate() {
            if let Some(of) = found.instructions.get(&listed.origin.at) {
                made.push((n as u32, *of));
            }
            if needed.contains(&listed.origin.at) {
                branches.insert(listed.origin.at, n as u32);
            }
        }
        let mut wide = vec![None; kernel.accesses.len()];
        let mut wide_at = HashMap::default();
        for (code, inst) in kernel.code.iter().enumerate() {
            let Some(id): Option<Id<MemoryOperand>> = inst.op.access(kernel) else { continue };
            let listed = kernel.places[code];
            let at = kernel.listing[listed as usize].origin.at;
            if let Some(Made { access: Access::Wide { bytes, before }, .. }) = found.instructions.get(&at) {
                wide[id.index()] = Some((*bytes, *before));
                wide_at.insert(listed, id.index());
            }
        }
        Executed { made, branches, wide, wide_at, unknown: found.unknown.clone() }
    }

    /// Whether what an access costs has to be found while it is made.
    pub(crate) fn looks(&self) -> bool {
        self.wide.iter().any(Option::is_some)
    }
}
