//! Constant parts of addresses apart from the rest, as LLVM's `SeparateConstOffsetFromGEP`.
//!
//! Enters: a function with addresses such as `p + 4 (i + 3)`. Leaves: `(p + 4 i) + 12`, so that neighbouring accesses share
//! all but the constant, which instructions have room for. Number what became equal afterwards.

use crate::ir::{Binary, Convert, DebugLocation, Def, Function, Inst, InstData, Op, Type, Value, Wrap};

/// Most steps into what an index is made of.
const MOST_STEPS: u32 = 32;

/// Separates constants in all addresses; whether anything changed.
pub(crate) fn run(function: &mut Function) -> bool {
    super::resolve_operands(function);
    let mut changed = false;
    for block in crate::ir::cfg::reverse_postorder(function) {
        let insts = std::mem::take(&mut function.blocks[block.index()].insts);
        let mut out = Vec::with_capacity(insts.len());
        for inst in insts {
            if matches!(function.insts[inst.index()].op, Op::Offset) {
                changed |= separate(function, inst, &mut out);
            }
            out.push(inst);
        }
        function.blocks[block.index()].insts = out;
    }
    changed
}

/// Makes of one `Offset` one by what varies, and the same instruction by what does not.
fn separate(function: &mut Function, inst: Inst, out: &mut Vec<Inst>) -> bool {
    let InstData { args, place, .. } = function.insts[inst.index()].clone();
    let [pointer, by] = *args.as_slice() else { return false };
    if function.constant(by).is_some() {
        return false;
    }
    let mut split = Split { function, out, place, steps: MOST_STEPS };
    let (rest, number) = split.run(by, Extended::No);
    let (base, before) = constant_offset(function, pointer);
    let number = number.wrapping_add(before);
    if number == 0 {
        return false;
    }
    let ty = function.ty(pointer);
    let varying = match rest {
        Some(rest) => {
            let varying = function.inst(Op::Offset, [base, rest], &[ty], place);
            out.push(varying);
            function.insts[varying.index()].results[0]
        }
        None => base,
    };
    let number = function.value(Type::I64, Def::constant(number as u64));
    function.insts[inst.index()].args = [varying, number].into();
    true
}

/// What a pointer begins at, and the constant after it.
fn constant_offset(function: &Function, mut pointer: Value) -> (Value, i64) {
    let mut offset = 0i64;
    for _ in 0..MOST_STEPS {
        let Def::Result(inst, _) = function.values[pointer.index()].def else { break };
        let data = &function.insts[inst.index()];
        let (Op::Offset, [base, by]) = (&data.op, data.args.as_slice()) else { break };
        let Some(bits) = function.constant(*by) else { break };
        offset = offset.wrapping_add(bits as i64);
        pointer = function.resolve(*base);
    }
    (pointer, offset)
}

/// How an operand is brought to 64 bits.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Extended {
    No,
    Signed,
    Zero,
}

struct Split<'a> {
    function: &'a mut Function,
    out: &'a mut Vec<Inst>,
    place: DebugLocation,
    steps: u32,
}

impl Split<'_> {
    /// What is left of a value without its constant part (`None` for nothing), and that part in 64 bits. What is left has the
    /// value's type, or 64 bits where it is a sum of what was extended. The value itself is left where it has no constant part.
    fn run(&mut self, value: Value, extended: Extended) -> (Option<Value>, i64) {
        let value = self.function.resolve(value);
        let whole = (Some(value), 0);
        if let Some(bits) = self.function.constant(value) {
            return match (self.function.ty(value), extended) {
                (Type::I32, Extended::Signed) => (None, i64::from(bits as i32)),
                (Type::I32, _) => (None, i64::from(bits as u32)),
                (Type::I64, _) => (None, bits as i64),
                _ => whole,
            };
        }
        let Def::Result(inst, _) = self.function.values[value.index()].def else { return whole };
        let Some(steps) = self.steps.checked_sub(1) else { return whole };
        self.steps = steps;
        let InstData { op, args, .. } = self.function.insts[inst.index()].clone();
        // Of an extended value only what cannot overflow may be taken apart.
        let kept = |wrap: Wrap| match extended {
            Extended::No => true,
            Extended::Signed => wrap.nsw,
            Extended::Zero => wrap.nuw,
        };
        match (op, args.as_slice()) {
            (Op::Binary(op @ (Binary::Add(wrap) | Binary::Sub(wrap))), [a, b]) if kept(wrap) => {
                self.sum(value, op, [*a, *b], extended)
            }
            (Op::Binary(op @ (Binary::Mul(_) | Binary::Shl(_))), [a, b]) if extended == Extended::No => {
                let factor = match (op, self.function.constant(*b)) {
                    (Binary::Shl(_), Some(by @ 0..32)) => 1i64 << by,
                    (Binary::Mul(_), Some(factor)) if self.function.ty(value) == Type::I64 => factor as i64,
                    _ => return whole,
                };
                let (rest, number) = self.run(*a, extended);
                if number == 0 {
                    return whole;
                }
                (rest.map(|rest| self.make(op.without_wrap().0, rest, *b)), number.wrapping_mul(factor))
            }
            (Op::Convert(kind @ (Convert::SignExtend | Convert::ZeroExtend)), [from])
                if extended == Extended::No && self.function.ty(*from) == Type::I32 =>
            {
                let how = if kind == Convert::SignExtend { Extended::Signed } else { Extended::Zero };
                let (rest, number) = self.run(*from, how);
                if number == 0 {
                    return whole;
                }
                (rest.map(|rest| self.extend(rest, how)), number)
            }
            _ => whole,
        }
    }

    /// The same for a sum or a difference.
    fn sum(
        &mut self,
        value: Value,
        op: Binary,
        args: [Value; 2],
        extended: Extended,
    ) -> (Option<Value>, i64) {
        let subtracts = matches!(op, Binary::Sub(_));
        let (left, first) = self.run(args[0], extended);
        let (right, second) = self.run(args[1], extended);
        if first == 0 && second == 0 {
            return (Some(value), 0);
        }
        let number = if subtracts { first.wrapping_sub(second) } else { first.wrapping_add(second) };
        let rest = match (left, right) {
            (Some(left), Some(right)) => {
                // A sum of which a constant was taken may overflow where the whole did not, unless in 64 bits.
                let (left, right) = (self.extend(left, extended), self.extend(right, extended));
                Some(self.make(op.without_wrap().0, left, right))
            }
            (Some(left), None) => Some(left),
            (None, Some(right)) if !subtracts => Some(right),
            (None, Some(_)) => return (Some(value), 0),
            (None, None) => None,
        };
        (rest, number)
    }

    /// The value in 64 bits, if that is asked for and it is not.
    fn extend(&mut self, value: Value, how: Extended) -> Value {
        let kind = match how {
            Extended::Signed => Convert::SignExtend,
            Extended::Zero => Convert::ZeroExtend,
            Extended::No => return value,
        };
        if self.function.ty(value) == Type::I64 {
            return value;
        }
        let inst = self.function.inst(Op::Convert(kind), [value], &[Type::I64], self.place);
        self.out.push(inst);
        self.function.insts[inst.index()].results[0]
    }

    fn make(&mut self, op: Binary, a: Value, b: Value) -> Value {
        let ty = self.function.ty(a);
        let inst = self.function.inst(Op::Binary(op), [a, b], &[ty], self.place);
        self.out.push(inst);
        self.function.insts[inst.index()].results[0]
    }
}

#[cfg(test)]
mod tests {
    use crate::passes::dce;
    use crate::passes::test::changed;

    fn run(text: &str) -> String {
        changed(text, |function, _| {
            super::run(function);
            dce::run(function)
        })
    }

    #[test]
    fn a_constant_summand_of_an_index_becomes_a_distance() {
        let text = "kernel @k(p, i) {\nb0(p: ptr.global, i: i32):\n  j: i32 = add.nsw i, 3:i32\n  w: i64 = sext j\n  o: i64 = shl w, 2:i32\n  q: ptr.global = offset p, o\n  store.a4 q, i\n  return\n}";
        let after = run(text);
        assert!(after.contains("sext v1") && after.contains("12:i64"), "{after}");
    }

    #[test]
    fn a_sum_that_may_overflow_is_left_as_it_is() {
        let text = "kernel @k(p, i) {\nb0(p: ptr.global, i: i32):\n  j: i32 = add i, 3:i32\n  w: i64 = sext j\n  o: i64 = shl w, 2:i32\n  q: ptr.global = offset p, o\n  store.a4 q, i\n  return\n}";
        assert!(!run(text).contains("12:i64"), "{}", run(text));
    }

    #[test]
    fn summands_of_an_extended_sum_are_added_in_64_bits() {
        let text = "kernel @k(p, i, j) {\nb0(p: ptr.global, i: i32, j: i32):\n  a: i32 = add.nsw i, 1:i32\n  b: i32 = add.nsw a, j\n  w: i64 = sext b\n  q: ptr.global = offset p, w\n  store.a1 q, i\n  return\n}";
        let after = run(text);
        assert!(after.contains("add v3, v4") && after.contains("1:i64"), "{after}");
    }

    #[test]
    fn a_constant_moves_behind_what_varies() {
        let text = "kernel @k(p, i) {\nb0(p: ptr.global, i: i64):\n  q: ptr.global = offset p, 8:i64\n  r: ptr.global = offset q, i\n  store.a8 r, i\n  return\n}";
        let after = run(text);
        assert!(
            after.contains("v2: ptr.global = offset v0, v1\n  v3: ptr.global = offset v2, 8:i64"),
            "{after}"
        );
    }
}
