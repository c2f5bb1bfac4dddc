//! Accesses whose number depends on which warp comes first: loops of compare-and-swaps, and loops that wait.
//!
//! A loop of compare-and-swaps goes round again where another warp has changed the word in between. Some are in the PTX; ptxas
//! makes others of atomic operations that the chip does not have. A loop that waits reads a word by volatile or ordered loads until
//! another warp has changed it.

use crate::flow::{End, Flow, Register};
use crate::loops::Loop;
use crate::{Contended, Memory, What, access, values};
use ptx::Instruction;
use std::collections::BTreeSet;

/// For each block who contends in the loop of compare-and-swaps, or waits in the loop of loads, that it is in.
pub(crate) fn find(flow: &mut Flow<'_>, loops: &[Loop]) -> Vec<Option<Contended>> {
    let mut found = vec![None; flow.blocks.len()];
    for of in loops {
        let swaps: Vec<usize> = of
            .blocks
            .iter()
            .flat_map(|block| flow.blocks[*block].start..flow.blocks[*block].end)
            .filter(|at| {
                let i = flow.instructions[*at];
                let swaps =
                    i.opcode == "atom" && ["cas", "exch"].iter().any(|word| i.modifiers.contains(word));
                swaps || (i.opcode == "ld" && access(i).is_some_and(|memory| !memory.plain))
            })
            .collect();
        if let Some(swap) = swaps.into_iter().find(|swap| decides(flow, of, *swap)) {
            let whose = Some(whose(flow.instructions[swap]));
            of.blocks.iter().for_each(|block| found[*block] = whose);
        }
    }
    found
}

/// Whether what an instruction gives decides if a loop goes round again.
fn decides(flow: &mut Flow<'_>, of: &Loop, swap: usize) -> bool {
    let mut from: BTreeSet<Register> = BTreeSet::new();
    for name in values::written(flow.instructions[swap]) {
        from.extend(flow.register(swap, name));
    }
    loop {
        let before = from.len();
        for block in &of.blocks {
            for at in flow.blocks[*block].start..flow.blocks[*block].end {
                let i = flow.instructions[at];
                let mut reads = vec![];
                values::read(i, &mut |name| reads.push(name));
                let follows =
                    reads.iter().any(|name| flow.register(at, name).is_some_and(|r| from.contains(&r)));
                if !follows {
                    continue;
                }
                let End::Branch { taken, next } = flow.blocks[*block].exit else { continue };
                let last = at + 1 == flow.blocks[*block].end;
                if last && [taken, next].iter().any(|to| *to == of.head || !of.blocks.contains(to)) {
                    return true;
                }
                if matches!(i.opcode, "setp" | "and" | "or" | "xor" | "not" | "selp" | "mov" | "sub" | "cvt")
                {
                    for name in values::written(i) {
                        from.extend(flow.register(at, name));
                    }
                }
            }
        }
        if from.len() == before {
            return false;
        }
    }
}

fn whose(i: &Instruction<'_>) -> Contended {
    match access(i) {
        Some(Memory { what: What::SharedAtomic | What::SharedLoad, .. }) => Contended::Block,
        _ => Contended::Grid,
    }
}

/// Who contends in the loop that ptxas makes of an atomic operation, if it does.
pub(crate) fn of(i: &Instruction<'_>) -> Option<Contended> {
    if !matches!(i.opcode, "atom" | "red") || ["cas", "exch"].iter().any(|word| i.modifiers.contains(word)) {
        return None;
    }
    let ty = *i.modifiers.last()?;
    let shared = matches!(access(i), Some(Memory { what: What::SharedAtomic, .. }));
    let wide = ty.ends_with("64");
    let float = ty.starts_with('f') || ty.starts_with("bf");
    // Global memory has additions of floats of 32 and 64 bits and of pairs of halves.
    let loops = if shared { wide || float } else { matches!(ty, "f16" | "bf16") };
    loops.then(|| whose(i))
}
