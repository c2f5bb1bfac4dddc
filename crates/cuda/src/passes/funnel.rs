//! Rotations.
//!
//! Enters: a function. Leaves: `x << n | x >> 32 - n` of 32 bits, in any order and with `+` or `^` as well, as the one instruction
//! that a GPU has for it.
//!
//! Counter: `warp_instructions`. Of `rotated` in passes.cu NVRTC's code has 14, ours without the pass 18.

use crate::builtin::overloads;
use crate::ir::{Binary, Def, Function, Inst, Op, Type, Value};

/// Makes rotations; whether there were any.
pub(crate) fn run(function: &mut Function) -> bool {
    let Some(row) = overloads("__funnelshift_l").next() else { return false };
    super::resolve_operands(function);
    let rotations: Vec<(Inst, Value, Value)> = function
        .blocks
        .iter()
        .flat_map(|block| &block.insts)
        .filter_map(|inst| rotation(function, *inst).map(|(value, left)| (*inst, value, left)))
        .collect();
    for (inst, value, left) in &rotations {
        let data = &mut function.insts[inst.index()];
        data.op = Op::Builtin(row, 0);
        data.args = [*value, *value, *left].into();
    }
    !rotations.is_empty()
}

/// What is rotated by an instruction, and by how many bits to the left.
fn rotation(function: &Function, inst: Inst) -> Option<(Value, Value)> {
    let data = &function.insts[inst.index()];
    let joins = matches!(data.op, Op::Binary(Binary::Or | Binary::Xor | Binary::Add(_)));
    if !joins || function.ty(*data.results.first()?) != Type::I32 {
        return None;
    }
    let shift = |value: Value| {
        let Def::Result(inst, _) = function.values[function.resolve(value).index()].def else { return None };
        let data = &function.insts[inst.index()];
        let [of, by] = *data.args.as_slice() else { return None };
        let left = match data.op {
            Op::Binary(Binary::Shl(_)) => true,
            Op::Binary(Binary::LShr) => false,
            _ => return None,
        };
        Some((left, function.resolve(of), by))
    };
    let (one, two) = (shift(data.args[0])?, shift(data.args[1])?);
    let (to_left, to_right) = if one.0 { (one, two) } else { (two, one) };
    let whole =
        to_left.0 && !to_right.0 && to_left.1 == to_right.1 && are_all(function, to_left.2, to_right.2);
    whole.then_some((to_left.1, to_left.2))
}

/// Whether two numbers are 32 together, as far as both are amounts of shifts. (`n` and `32 - n`: that `n` is neither 0 nor
/// more than 31 is C's rule.)
fn are_all(function: &Function, one: Value, two: Value) -> bool {
    if let (Some(one), Some(two)) = (function.constant(one), function.constant(two)) {
        return one > 0 && two > 0 && one + two == 32;
    }
    let rest = |of: Value, taken: Value| {
        let Def::Result(inst, _) = function.values[function.resolve(of).index()].def else { return false };
        let data = &function.insts[inst.index()];
        matches!(data.op, Op::Binary(Binary::Sub(_)))
            && function.constant(data.args[0]) == Some(32)
            && function.resolve(data.args[1]) == function.resolve(taken)
    };
    rest(one, two) || rest(two, one)
}

#[cfg(test)]
mod tests {
    use crate::passes::test::changed;

    fn of(left: u32, right: u32, other: &str) -> bool {
        let text = format!(
            "kernel @k(p, y) {{\nb0(p: ptr.global, y: i32):\n  x: i32 = load.a4 p\n  a: i32 = lshr x, {right}:i32\n  b: i32 = shl {other}, {left}:i32\n  c: i32 = or a, b\n  store.a4 p, c\n  return\n}}"
        );
        changed(&text, |function, _| super::run(function)).contains("__funnelshift_l")
    }

    #[test]
    fn shifts_of_one_word_by_all_of_its_bits_are_a_rotation() {
        assert!(of(7, 25, "x"));
        assert!(!of(7, 24, "x"));
        assert!(!of(7, 25, "y"));
    }
}
