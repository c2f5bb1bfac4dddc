//! Parts of a kernel's parameters, loaded once where the kernel begins.
//!
//! Enters: a kernel with structs among its parameters. Leaves: loads of them at known places in the first block, each once: the
//! launch has put them there, no one changes them, and they cost nothing. As NVRTC, which copies such a parameter there first;
//! conditions that ask for two of them can then be one.
//!
//! Counter: `warp_instructions`. Of `blocked_2` in lab-4-5 (small sizes) NVRTC's code has 2,975, ours without the pass 2,818.

use crate::ir::{Block, Def, Function, InstData, Op, Type, Value};

/// Most steps from an address to the parameter.
const MOST_STEPS: u32 = 16;

/// Moves loads to the first block; whether any was in another.
pub(crate) fn run(function: &mut Function) -> bool {
    if !function.kernel || function.params.iter().all(|param| param.bytes.is_none()) {
        return false;
    }
    super::resolve_operands(function);
    let mut known: Vec<((Value, i64, Type), Value)> = Vec::new();
    let mut changed = false;
    for block in crate::ir::cfg::reverse_postorder(function) {
        for inst in function.blocks[block.index()].insts.clone() {
            let InstData { op, args, results, place } = &function.insts[inst.index()];
            let (Op::Load(access), [pointer], [result]) = (op, args.as_slice(), results.as_slice()) else {
                continue;
            };
            let (ty, result, place) = (function.ty(*result), *result, *place);
            let Some((param, offset)) = part(function, *pointer, ty).filter(|_| !access.volatile) else {
                continue;
            };
            let found = known.iter().find(|(key, _)| *key == (param, offset, ty)).map(|(_, value)| *value);
            if block == Block(0) {
                if found.is_none() {
                    known.push(((param, offset, ty), result));
                }
                continue;
            }
            changed = true;
            function.blocks[block.index()].insts.retain(|one| *one != inst);
            if let Some(value) = found {
                function.replace(result, value);
                continue;
            }
            known.push(((param, offset, ty), result));
            let mut address = param;
            if offset != 0 {
                let by = function.value(Type::I64, Def::constant(offset as u64));
                let moved = function.inst(Op::Offset, [param, by], &[function.ty(param)], place);
                address = function.insts[moved.index()].results[0];
                function.blocks[0].insts.push(moved);
            }
            function.insts[inst.index()].args = [address].into();
            function.blocks[0].insts.push(inst);
        }
    }
    super::resolve_operands(function);
    changed
}

/// The parameter that an address lies in, and how far from its beginning, if a value of that type is all within it.
fn part(function: &Function, mut pointer: Value, ty: Type) -> Option<(Value, i64)> {
    let mut offset = 0i64;
    for _ in 0..MOST_STEPS {
        if let Some(param) = function.params.iter().find(|param| param.value == pointer) {
            let (bytes, _) = param.bytes?;
            let end = u64::try_from(offset).ok()?.checked_add(u64::from(ty.bytes()))?;
            return (end <= bytes).then_some((pointer, offset));
        }
        let Def::Result(inst, _) = function.values[pointer.index()].def else { return None };
        let data = &function.insts[inst.index()];
        let (Op::Offset, [base, by]) = (&data.op, data.args.as_slice()) else { return None };
        offset = offset.checked_add(function.constant(*by)? as i64)?;
        pointer = function.resolve(*base);
    }
    None
}

#[cfg(test)]
mod tests {
    use crate::passes::test::changed;

    fn run(text: &str) -> String {
        changed(text, |function, _| super::run(function))
    }

    const TWICE: &str = "kernel @k(s bytes 16 align 8, p) {\nb0(s: ptr.param, p: ptr.global):\n  a: i32 = load.a4 s\n  \
        c: pred = cmp.slt a, 1:i32\n  branch c, b1, b2\nb1:\n  q: ptr.param = offset s, 12:i64\n  b: i32 = load.a4 q\n  \
        store.a4 p, b\n  jump b2\nb2:\n  r: ptr.param = offset s, 12:i64\n  d: i32 = load.a4 r\n  store.a4 p, d\n  return\n}";

    #[test]
    fn a_part_of_a_parameter_is_loaded_once_at_the_beginning() {
        let after = run(TWICE);
        let (first, rest) = after.split_once("branch").unwrap();
        assert_eq!((first.matches("load").count(), rest.matches("load").count()), (2, 0), "{after}");
    }

    #[test]
    fn what_lies_beyond_a_parameter_or_nobody_knows_where_stays() {
        let beyond = run(&TWICE.replace("12:i64", "14:i64"));
        assert_eq!(beyond.matches("load").count(), 3, "{beyond}");
        let indexed = run(&TWICE
            .replace("branch c", "e: i64 = sext a\n  branch c")
            .replace("offset s, 12:i64", "offset s, e"));
        assert!(!indexed.split_once("branch").unwrap().0.contains("offset"), "{indexed}");
    }
}
