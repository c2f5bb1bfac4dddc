//! Instructions that become a part of the one that uses their result: products, and shifts of integers, whose only use is a
//! sum, which the chip has one instruction for.

use crate::flow::{Flow, Register};
use crate::values;
use std::collections::HashMap;

/// Finds them, by their places among the kernel's instructions.
pub(crate) fn find(flow: &mut Flow<'_>) -> Vec<usize> {
    let mut reads: HashMap<Register, u32> = HashMap::new();
    let mut writes: HashMap<Register, u32> = HashMap::new();
    for at in 0..flow.instructions.len() {
        let i = flow.instructions[at];
        for name in values::written(i) {
            if let Some(register) = flow.register(at, name) {
                *writes.entry(register).or_default() += 1;
            }
        }
        let mut names = vec![];
        values::read(i, &mut |name| names.push(name));
        for name in names {
            if let Some(register) = flow.register(at, name) {
                *reads.entry(register).or_default() += 1;
            }
        }
    }
    let mut found = vec![];
    for block in 0..flow.blocks.len() {
        // Products of this block that nothing has used yet.
        let mut open: HashMap<Register, usize> = HashMap::new();
        for at in flow.blocks[block].start..flow.blocks[block].end {
            let i = flow.instructions[at];
            if matches!(i.opcode, "add" | "sub") && contracts(i.modifiers.as_slice()) {
                let mut names = vec![];
                values::read(i, &mut |name| names.push(name));
                // Of two, one becomes a part of the sum.
                let taken = names.into_iter().find_map(|name| open.remove(&flow.register(at, name)?));
                // A product of 64 bits does the sum of as many with its own, instead of two instructions.
                let wide = |product: usize| flow.instructions[product].modifiers.contains(&"wide");
                found.extend(taken.map(|product| if wide(product) { at } else { product }));
            }
            if is_part(i.opcode, i.modifiers.as_slice()) && i.guard.is_none() {
                for name in values::written(i) {
                    if let Some(register) = flow.register(at, name)
                        && reads.get(&register) == Some(&1)
                        && writes.get(&register) == Some(&1)
                    {
                        open.insert(register, at);
                    }
                }
            }
        }
    }
    found
}

/// Whether the chip has an instruction for this and a sum.
fn is_part(opcode: &str, modifiers: &[&str]) -> bool {
    let has = |word: &str| modifiers.contains(&word);
    match opcode {
        "mul" if has("f32") || has("f64") => contracts(modifiers),
        "mul" => has("wide") || (has("lo") && (has("s32") || has("u32"))),
        "shl" => has("b32") || has("b64"),
        _ => false,
    }
}

/// Whether a product or a sum may lose its rounding, if it has one.
fn contracts(modifiers: &[&str]) -> bool {
    !["rn", "rz", "rm", "rp", "f16", "f16x2", "bf16", "bf16x2"].iter().any(|word| modifiers.contains(word))
}
