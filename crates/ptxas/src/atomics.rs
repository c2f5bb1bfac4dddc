//! The atomic operations that ptxas lets one lane do for its warp.
//!
//! If all lanes are sure to change the same address: additions, minima, maxima and logic of 32 bits whose old value no one
//! uses, after `REDUX` or a count of lanes; additions of one number for all lanes, also of 64 bits, and with the old value;
//! and, where all 32 lanes are there, additions of any 32-bit numbers with the old value, after a scan. In a kernel with fences,
//! `atom` stays an operation with a result.

use crate::flow::Flow;
use crate::values::Values;
use crate::{Access, Memory, What, access};
use ptx::Operand;

/// What becomes of an atomic operation, if it does not stay as it is.
pub(crate) fn find(flow: &mut Flow<'_>, values: &Values, at: usize) -> Option<Access> {
    let i = flow.instructions[at];
    if !matches!(i.opcode, "atom" | "red") {
        return None;
    }
    let Memory { what, .. } = access(i)?;
    if i.opcode == "atom" && i.modifiers.contains(&"global") && !used(flow, values, at) && fenced(flow) {
        return Some(Access::WithResult);
    }
    if !values.addresses.get(&at).is_some_and(|address| values.facts(*address).uniform) {
        return None;
    }
    let used = i.opcode == "atom" && used(flow, values, at);
    let has = |word: &str| i.modifiers.contains(&word);
    let ty = i.modifiers.last().copied()?;
    let word = matches!(ty, "u32" | "s32" | "b32");
    let uniform = values.operands.get(&at).is_some_and(|facts| facts.uniform);
    let shared = matches!(what, What::SharedAtomic);
    if has("add") && shared && word && !used && matches!(i.operands.last(), Some(Operand::Integer(1))) {
        return None; // there is an instruction for this
    }
    if has("add") && word && used {
        return Some(if uniform { Access::OneLane } else { Access::OneLaneIfAllAreThere });
    }
    let reduces = ["add", "min", "max", "and", "or", "xor"].into_iter().any(has);
    if word && reduces && !used {
        return Some(Access::OneLane);
    }
    if matches!(ty, "u64" | "s64") && has("add") && uniform && !shared {
        return Some(Access::OneLane);
    }
    None
}

/// Whether somebody reads what an `atom` gives.
fn used(flow: &mut Flow<'_>, values: &Values, at: usize) -> bool {
    match flow.instructions[at].operands.first() {
        Some(Operand::Name("_", None)) => false,
        Some(Operand::Name(name, None)) => flow
            .register(at, name)
            .is_some_and(|register| values.reads.get(&register).is_some_and(|n| *n > 0)),
        _ => true,
    }
}

fn fenced(flow: &Flow<'_>) -> bool {
    flow.instructions.iter().any(|i| matches!(i.opcode, "membar" | "fence"))
}
