//! Divisions by constants as products and shifts, as LLVM's `BuildSDIV` and `BuildUDIV`.
//!
//! Enters: a function after simplification, in which unsigned divisions by powers of two are shifts already. Leaves: no
//! division of 32 or 64 bits by a constant but those by numbers too large for 128-bit arithmetic: ptxas divides by a
//! constant as slowly as by anything else. The numbers are those of Warren's *Hacker's Delight*, chapter 10.
//!
//! Counter: `thread_instructions`. Of `look_constant` in lab-4-4 (small sizes) NVRTC's code has 928, ours without the pass 768.

use crate::builtin::overloads;
use crate::ir::{Binary, Convert, DebugLocation, Def, Function, Inst, Op, Type, Unary, Value, Wrap};

/// Expands divisions; whether there were any.
pub(crate) fn run(function: &mut Function) -> bool {
    super::resolve_operands(function);
    let mut changed = false;
    for block in crate::ir::cfg::reverse_postorder(function) {
        let insts = std::mem::take(&mut function.blocks[block.index()].insts);
        let mut out = Vec::with_capacity(insts.len());
        for inst in insts {
            match expand(function, inst, &mut out) {
                Some(value) => {
                    let result = function.insts[inst.index()].results[0];
                    function.replace(result, value);
                    changed = true;
                }
                None => out.push(inst),
            }
        }
        function.blocks[block.index()].insts = out;
    }
    if changed {
        super::resolve_operands(function);
    }
    changed
}

fn expand(function: &mut Function, inst: Inst, out: &mut Vec<Inst>) -> Option<Value> {
    let data = &function.insts[inst.index()];
    let Op::Binary(op @ (Binary::SDiv | Binary::SRem | Binary::UDiv | Binary::URem)) = data.op else {
        return None;
    };
    let [number, by] = *data.args.as_slice() else { return None };
    let ty = function.ty(number);
    let width = match ty {
        Type::I32 => 32,
        Type::I64 => 64,
        _ => return None,
    };
    let divisor = function.constant(by)?;
    let place = data.place;
    let mut build = Build { function, out, place, ty, width };
    let quotient = match op {
        Binary::SDiv | Binary::SRem => {
            let signed = if width == 32 { i64::from(divisor as i32) } else { divisor as i64 };
            build.signed(number, signed)?
        }
        _ => build.unsigned(number, divisor)?,
    };
    if matches!(op, Binary::SDiv | Binary::UDiv) {
        return Some(quotient);
    }
    let product = build.times(quotient, divisor);
    Some(build.binary(Binary::Sub(Wrap::default()), number, product))
}

struct Build<'a> {
    function: &'a mut Function,
    out: &'a mut Vec<Inst>,
    place: DebugLocation,
    ty: Type,
    width: u32,
}

impl Build<'_> {
    fn op(&mut self, op: Op, args: Vec<Value>, ty: Type) -> Value {
        let inst = self.function.inst(op, args, &[ty], self.place);
        self.out.push(inst);
        self.function.insts[inst.index()].results[0]
    }

    fn binary(&mut self, op: Binary, a: Value, b: Value) -> Value {
        let ty = self.function.ty(a);
        self.op(Op::Binary(op), vec![a, b], ty)
    }

    fn constant(&mut self, ty: Type, bits: u64) -> Value {
        let bits = if ty == Type::I32 { u64::from(bits as u32) } else { bits };
        self.function.value(ty, Def::constant(bits))
    }

    fn shift(&mut self, op: Binary, value: Value, by: u32) -> Value {
        if by == 0 {
            return value;
        }
        let by = self.constant(Type::I32, u64::from(by));
        self.binary(op, value, by)
    }

    fn times(&mut self, value: Value, factor: u64) -> Value {
        if factor.is_power_of_two() {
            return self.shift(Binary::Shl(Wrap::default()), value, factor.trailing_zeros());
        }
        let factor = self.constant(self.ty, factor);
        self.binary(Binary::Mul(Wrap::default()), value, factor)
    }

    /// Upper half of a product.
    fn high(&mut self, value: Value, factor: u64, signed: bool) -> Option<Value> {
        if self.ty == Type::I32 && !signed {
            // NVRTC's form: the wide product and its upper half.
            let wide = self.op(Op::Convert(Convert::ZeroExtend), vec![value], Type::I64);
            let factor = self.constant(Type::I64, factor);
            let product = self.binary(Binary::Mul(Wrap::default()), wide, factor);
            let upper = self.shift(Binary::LShr, product, 32);
            return Some(self.op(Op::Convert(Convert::Truncate), vec![upper], Type::I32));
        }
        let name = match (self.ty, signed) {
            (Type::I32, _) => "__mulhi",
            (_, true) => "__mul64hi",
            (_, false) => "__umul64hi",
        };
        let row = overloads(name).next()?;
        let factor = self.constant(self.ty, factor);
        Some(self.op(Op::Builtin(row, 0), vec![value, factor], self.ty))
    }

    fn signed(&mut self, number: Value, divisor: i64) -> Option<Value> {
        let size = divisor.unsigned_abs();
        let width = self.width;
        if size < 2 {
            return None;
        }
        if size.is_power_of_two() {
            // Towards zero: a negative number is first raised by the divisor less 1.
            let bits = size.trailing_zeros();
            let sign = self.shift(Binary::AShr, number, width - 1);
            let raise = self.shift(Binary::LShr, sign, width - bits);
            let raised = self.binary(Binary::Add(Wrap::default()), number, raise);
            let quotient = self.shift(Binary::AShr, raised, bits);
            let negate = divisor < 0;
            return Some(if negate {
                self.op(Op::Unary(Unary::Neg), vec![quotient], self.ty)
            } else {
                quotient
            });
        }
        let (magic, shift) = signed_magic(divisor, width)?;
        let mut quotient = self.high(number, magic, true)?;
        let negative = magic >> (width - 1) & 1 != 0;
        if divisor > 0 && negative {
            quotient = self.binary(Binary::Add(Wrap::default()), quotient, number);
        }
        if divisor < 0 && !negative {
            quotient = self.binary(Binary::Sub(Wrap::default()), quotient, number);
        }
        let sign = self.shift(Binary::LShr, quotient, width - 1);
        let shifted = self.shift(Binary::AShr, quotient, shift);
        Some(self.binary(Binary::Add(Wrap::default()), shifted, sign))
    }

    fn unsigned(&mut self, number: Value, divisor: u64) -> Option<Value> {
        if !(2..=1 << 62).contains(&divisor) {
            return None;
        }
        if divisor.is_power_of_two() {
            return Some(self.shift(Binary::LShr, number, divisor.trailing_zeros()));
        }
        let mut number = number;
        let mut magic = unsigned_magic(divisor, self.width, 0)?;
        if magic.add && divisor.is_multiple_of(2) {
            let bits = divisor.trailing_zeros();
            number = self.shift(Binary::LShr, number, bits);
            magic = unsigned_magic(divisor >> bits, self.width, bits)?;
        }
        let quotient = self.high(number, magic.factor, false)?;
        if !magic.add {
            return Some(self.shift(Binary::LShr, quotient, magic.shift));
        }
        let rest = self.binary(Binary::Sub(Wrap::default()), number, quotient);
        let half = self.shift(Binary::LShr, rest, 1);
        let sum = self.binary(Binary::Add(Wrap::default()), half, quotient);
        Some(self.shift(Binary::LShr, sum, magic.shift.checked_sub(1)?))
    }
}

/// Factor, in the width's bits, and shift of a signed division.
fn signed_magic(divisor: i64, width: u32) -> Option<(u64, u32)> {
    let size = u128::from(divisor.unsigned_abs());
    let t = (1u128 << (width - 1)) + u128::from(divisor < 0);
    let most = t - 1 - t % size;
    let power = (width..2 * width).find(|power| {
        let two = 1u128 << power;
        two > most * (size - two % size)
    })?;
    let two = 1u128 << power;
    let factor = (two + size - two % size) / size;
    let factor = if divisor < 0 { factor.wrapping_neg() } else { factor };
    Some((if width == 32 { u64::from(factor as u32) } else { factor as u64 }, power - width))
}

/// Factor and shift of an unsigned division; `add` where the factor has one bit more than the width, which is left out.
struct Unsigned {
    factor: u64,
    shift: u32,
    add: bool,
}

/// Numbers for values of which that many upper bits are known to be zero.
fn unsigned_magic(divisor: u64, width: u32, zeros: u32) -> Option<Unsigned> {
    let size = u128::from(divisor);
    // 2^(width + shift) is not to exceed 127 bits.
    let shift = (0..=width.min(127 - width)).find(|shift| {
        let two = 1u128 << (width + shift);
        let over = (size - two % size) % size;
        over <= 1u128 << (shift + zeros).min(127)
    })?;
    let factor = (1u128 << (width + shift)).div_ceil(size);
    let add = factor >> width != 0;
    if factor >> width > 1 {
        return None;
    }
    Some(Unsigned { factor: if width == 32 { u64::from(factor as u32) } else { factor as u64 }, shift, add })
}

#[cfg(test)]
mod tests {
    use super::{signed_magic, unsigned_magic};
    use crate::passes::test::changed;

    /// Numbers at which a quotient by this divisor may go wrong.
    fn numbers(divisor: u128, width: u32) -> Vec<u128> {
        let top = (1u128 << width) - 1;
        let near = |middle: u128| (middle.saturating_sub(2)..=middle + 2).collect::<Vec<_>>();
        let mut found: Vec<u128> = [0, top, top / 2, 1 << (width / 2)].into_iter().flat_map(near).collect();
        for times in [1, 2, 3, top / divisor / 2, (top / divisor).saturating_sub(1), top / divisor] {
            found.extend(near(times * divisor));
        }
        found.retain(|number| *number <= top);
        found
    }

    const DIVISORS: [u64; 16] =
        [3, 5, 6, 7, 9, 10, 11, 12, 14, 25, 28, 100, 641, 1000, 1_000_003, 2_147_483_647];

    #[test]
    fn unsigned_quotients_are_exact() {
        for (divisor, width) in DIVISORS.iter().flat_map(|divisor| [(*divisor, 32), (*divisor, 64)]) {
            let magic = unsigned_magic(divisor, width, 0).unwrap();
            for number in numbers(u128::from(divisor), width) {
                // The product of a number and a factor of one bit more than the width, in two parts.
                let high = (number * u128::from(magic.factor)) >> width;
                let whole = if magic.add { high + number } else { high };
                assert_eq!(
                    whole >> magic.shift,
                    number / u128::from(divisor),
                    "{number} / {divisor} in {width}"
                );
            }
        }
    }

    #[test]
    fn signed_quotients_are_exact() {
        for divisor in DIVISORS.iter().flat_map(|divisor| [*divisor as i64, -(*divisor as i64)]) {
            for width in [32, 64] {
                let (magic, shift) = signed_magic(divisor, width).unwrap();
                let factor = if width == 32 { i128::from(magic as i32) } else { i128::from(magic as i64) };
                for number in numbers(u128::from(divisor.unsigned_abs()), width) {
                    let number =
                        if width == 32 { i128::from(number as i32) } else { i128::from(number as i64) };
                    let mut quotient = (number * factor) >> width;
                    quotient += if divisor > 0 && factor < 0 { number } else { 0 };
                    quotient -= if divisor < 0 && factor > 0 { number } else { 0 };
                    let rounded = (quotient >> shift) + i128::from(quotient < 0);
                    assert_eq!(rounded, number / i128::from(divisor), "{number} / {divisor} in {width}");
                }
            }
        }
    }

    #[test]
    fn no_division_by_a_constant_is_left() {
        let text = "kernel @k(p, a, b) {\nb0(p: ptr.global, a: i32, b: i64):\n  q: i32 = sdiv a, 7:i32\n  r: i32 = urem a, 28:i32\n  s: i64 = srem b, -8:i64\n  t: i64 = udiv b, 7:i64\n  x: i32 = add q, r\n  y: i64 = add s, t\n  store.a4 p, x\n  store.a8 p, y\n  return\n}";
        let after = changed(text, |function, _| super::run(function));
        assert!(!after.contains("div") && !after.contains("rem"), "{after}");
        assert!(after.contains("__mulhi") && after.contains("__umul64hi"), "{after}");
    }
}
