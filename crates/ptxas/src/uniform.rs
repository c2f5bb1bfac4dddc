//! The loads of constants that a warp makes once, into a uniform register, and not once a lane.
//!
//! ptxas does where the address can be in a uniform register and all lanes are there, but for those that have ended before. It
//! does not where a load through the same register is under a predicate or is where lanes part: the address is in
//! lanes' registers then, for all of them.

use crate::flow::{Flow, Register};
use crate::loops::Loop;
use crate::values::{self, BaseAddress};
use crate::{What, access};
use ptx::Operand;
use std::collections::{BTreeSet, HashMap, HashSet};

/// Finds these loads, by their places among the instructions. `under` says which blocks are predicated.
pub(crate) fn find<'a>(
    flow: &mut Flow<'a>,
    meets: &[Option<usize>],
    symbols: &HashMap<&str, BaseAddress>,
    loops: &[Loop],
    under: &[Option<usize>],
) -> BTreeSet<usize> {
    let constant = |flow: &Flow<'_>, at: usize| {
        access(flow.instructions[at]).is_some_and(|memory| memory.what == What::ConstantLoad)
    };
    if !(0..flow.instructions.len()).any(|at| constant(flow, at)) {
        return BTreeSet::new();
    }
    // Lanes that have nothing to do end at once; those that leave a loop part from the others.
    let looping = |block: &usize| loops.iter().any(|of| of.blocks.contains(block));
    let ends = |block: &usize| flow.successors(*block).into_iter().any(|next| flow.ends(next));
    let together: HashSet<usize> =
        (0..flow.blocks.len()).filter(|block| ends(block) && !looping(block)).collect();
    let values = values::find(flow, meets, symbols, &together);
    let mut found = vec![];
    let mut of_lanes: HashSet<Option<Register>> = HashSet::new();
    for (block, head) in under.iter().enumerate() {
        for at in flow.blocks[block].start..flow.blocks[block].end {
            if !constant(flow, at) {
                continue;
            }
            let i = flow.instructions[at];
            let register = i.operands.iter().find_map(|operand| match operand {
                Operand::Address { base: Some(base), .. } => flow.register(at, base),
                _ => None,
            });
            let uniform =
                values.addresses.get(&at).is_some_and(|address| values.facts(*address).in_uniform_registers);
            if uniform && !values.parted[block] && head.is_none() && i.guard.is_none() {
                found.push((at, register));
            } else {
                of_lanes.insert(register);
            }
        }
    }
    found.into_iter().filter(|(_, register)| !of_lanes.contains(register)).map(|(at, _)| at).collect()
}
