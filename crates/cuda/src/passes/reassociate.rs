//! Order of the operands of sums, as LLVM's `Reassociate` leaves it.
//!
//! Enters: a function before its loops are unrolled: what is unrolled keeps the order in which it was written once, as in NVRTC.
//! Leaves: sums with the operand of the lower rank first. Which of two products is fused depends on it ([`super::contract`]).

use super::effects::speculatable;
use crate::ir::{Binary, Block, Function, InstData, Op, Unary, Value};

/// Puts the value of the lower rank first in each sum; whether any changed.
pub(crate) fn run(function: &mut Function) -> bool {
    let sums = |inst: &InstData| matches!(inst.op, Op::Binary(Binary::FAdd));
    if !function.insts.iter().any(sums) {
        return false;
    }
    super::resolve_operands(function);
    let order = crate::ir::cfg::reverse_postorder(function);
    let ranks = Ranks::new(function, &order);
    let mut changed = false;
    for block in order {
        for inst in &function.blocks[block.index()].insts {
            let data = &mut function.insts[inst.index()];
            if let (true, [first, second]) = (sums(data), data.args.as_slice())
                && ranks.of(*second) < ranks.of(*first)
            {
                data.args.reverse();
                changed = true;
            }
        }
    }
    changed
}

/// Ranks of values as LLVM's `Reassociate` gives them: what is computed from earlier values has a lower one.
struct Ranks {
    ranks: Vec<u32>,
}

impl Ranks {
    fn new(function: &Function, order: &[Block]) -> Self {
        let mut this = Self { ranks: vec![0; function.values.len()] };
        let mut next = 2;
        for block in order {
            let data = &function.blocks[block.index()];
            let entry = block.index() == 0;
            if entry {
                for param in &data.params {
                    next += 1;
                    this.ranks[param.index()] = next;
                }
            }
            next += 1;
            let base = next << 16;
            let mut fixed = base;
            if !entry {
                for param in &data.params {
                    fixed += 1;
                    this.ranks[param.index()] = fixed;
                }
            }
            for inst in &data.insts {
                let data = &function.insts[inst.index()];
                let rank = if !speculatable(function, *inst) {
                    fixed += 1;
                    fixed
                } else {
                    let most = data.args.iter().map(|arg| this.ranks[arg.index()]).max().unwrap_or(0);
                    most + u32::from(!is_negation(&data.op))
                };
                for result in &data.results {
                    this.ranks[result.index()] = rank;
                }
            }
        }
        this
    }

    fn of(&self, value: Value) -> u32 {
        self.ranks[value.index()]
    }
}

fn is_negation(op: &Op) -> bool {
    matches!(op, Op::Unary(Unary::Not | Unary::Neg | Unary::FNeg))
}

#[cfg(test)]
mod tests {
    use crate::passes::test::changed;

    /// The sum of two loads, of which one is written first.
    fn sum(order: &str) -> String {
        let text = format!(
            "kernel @k(p) {{\nb0(p: ptr.global):\n  a: f32 = load.a4 p\n  q: ptr.global = offset p, 4:i64\n  b: f32 = load.a4 q\n  s: f32 = fadd {order}\n  store.a4 p, s\n  return\n}}"
        );
        changed(&text, |function, _| super::run(function))
    }

    #[test]
    fn what_is_computed_first_stands_first_in_a_sum() {
        assert_eq!(sum("b, a"), sum("a, b"));
    }
}
