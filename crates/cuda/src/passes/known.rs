//! Bits that are known before the kernel runs, as LLVM's `ValueTracking`.
//!
//! Enters: a value. Leaves: which of its bits are zero whatever the inputs are. The hardware's limits of launches count.

use super::fold::{mask, width};
use crate::builtin::Builtin;
use crate::ir::{Binary, Convert, Def, Function, Op, Type, Value};

/// Operands that are followed.
const DEPTH: u32 = 6;

/// Bits of an integer or pointer that are certainly zero.
pub(crate) fn zeros(function: &Function, value: Value) -> u64 {
    zeros_within(function, value, DEPTH)
}

/// Whether an integer is certainly not negative.
pub(crate) fn non_negative(function: &Function, value: Value) -> bool {
    let sign = 1 << (width(function.ty(function.resolve(value))) - 1);
    zeros(function, value) & sign != 0 || never_wraps_below(function, value, DEPTH)
}

/// A signed number that an integer is certainly not above.
pub(crate) fn at_most(function: &Function, value: Value) -> Option<i64> {
    at_most_within(function, value, DEPTH)
}

fn at_most_within(function: &Function, value: Value, depth: u32) -> Option<i64> {
    let value = function.resolve(value);
    let ty = function.ty(value);
    if let Some(bits) = function.constant(value) {
        let above = 64 - width(ty);
        return Some((bits << above) as i64 >> above);
    }
    let Def::Result(inst, _) = function.values[value.index()].def else { return None };
    let data = &function.insts[inst.index()];
    let of = |n: usize| match depth {
        0 => None,
        _ => at_most_within(function, *data.args.get(n)?, depth - 1),
    };
    let found = match data.op {
        Op::Binary(Binary::SMin) => of(0).into_iter().chain(of(1)).min(),
        Op::Binary(Binary::SMax) => of(0).zip(of(1)).map(|(one, other)| one.max(other)),
        Op::Binary(Binary::SRem) => {
            function.constant(data.args[1]).and_then(|_| of(1)?.checked_abs()).map(|by| by - 1)
        }
        Op::Convert(Convert::SignExtend) => of(0),
        Op::Select => of(1).zip(of(2)).map(|(one, other)| one.max(other)),
        _ => None,
    };
    let bits = !zeros_within(function, value, depth) & mask(ty);
    let unsigned = i64::try_from(bits).ok().filter(|_| bits >> (width(ty) - 1) == 0);
    found.into_iter().chain(unsigned).min()
}

/// Whether the bits of two integers certainly never meet.
pub(crate) fn disjoint(function: &Function, a: Value, b: Value) -> bool {
    let all = mask(function.ty(function.resolve(a)));
    (zeros(function, a) | zeros(function, b)) & all == all
}

/// Sums and products without signed overflow of what is not negative.
fn never_wraps_below(function: &Function, value: Value, depth: u32) -> bool {
    let value = function.resolve(value);
    let ty = function.ty(value);
    if depth == 0 {
        return false;
    }
    if zeros_within(function, value, depth) & (1 << (width(ty) - 1)) != 0 {
        return true;
    }
    let Def::Result(inst, _) = function.values[value.index()].def else { return false };
    let data = &function.insts[inst.index()];
    let both = || data.args.iter().take(2).all(|arg| never_wraps_below(function, *arg, depth - 1));
    match data.op {
        Op::Binary(Binary::Add(wrap) | Binary::Mul(wrap)) if wrap.nsw => both(),
        Op::Binary(Binary::Shl(wrap)) if wrap.nsw => never_wraps_below(function, data.args[0], depth - 1),
        Op::Binary(Binary::SDiv | Binary::SMin | Binary::UDiv | Binary::URem) => both(),
        Op::Binary(Binary::SMax) => data.args.iter().any(|arg| never_wraps_below(function, *arg, depth - 1)),
        Op::Binary(Binary::SRem | Binary::AShr) => never_wraps_below(function, data.args[0], depth - 1),
        Op::Convert(Convert::SignExtend) => never_wraps_below(function, data.args[0], depth - 1),
        Op::Select => data.args.iter().skip(1).all(|arg| never_wraps_below(function, *arg, depth - 1)),
        _ => false,
    }
}

/// Mask of the bits above the highest that a number up to `most` has.
fn above(most: u64) -> u64 {
    if most == 0 { u64::MAX } else { !(u64::MAX >> most.leading_zeros()) }
}

fn zeros_within(function: &Function, value: Value, depth: u32) -> u64 {
    let value = function.resolve(value);
    let ty = function.ty(value);
    let all = mask(ty);
    let inst = match function.values[value.index()].def {
        Def::Constant(bits) => return !bits.get() & all,
        Def::Result(inst, _) if depth > 0 => inst,
        Def::Result(..) | Def::Param(..) | Def::Undefined | Def::Alias(_) => return 0,
    };
    let data = &function.insts[inst.index()];
    let of = |n: usize| data.args.get(n).map_or(0, |arg| zeros_within(function, *arg, depth - 1));
    let both = |of: &dyn Fn(usize) -> u64| match of(0) {
        0 => 0,
        first => first & of(1),
    };
    let amount =
        || data.args.get(1).and_then(|arg| function.constant(*arg)).filter(|by| *by < u64::from(width(ty)));
    let found = match &data.op {
        Op::Binary(op) => match op {
            Binary::And => of(0) | of(1),
            Binary::Or | Binary::Xor => both(&of),
            Binary::Shl(_) => amount().map_or(0, |by| (of(0) << by) | ((1 << by) - 1)),
            Binary::LShr => amount().map_or(0, |by| (of(0) >> by) | !(all >> by)),
            // Nothing is known of a sum with what nothing is known of.
            Binary::Add(_) => match of(0) {
                0 => 0,
                first => sum(first, of(1), all),
            },
            Binary::Mul(_) => product(of(0), of(1), all),
            Binary::UDiv => match data.args.get(1).and_then(|arg| function.constant(*arg)) {
                Some(by) if by > 0 => above((!of(0) & all) / by),
                _ => of(0) & above(!of(0) & all),
            },
            Binary::URem => match data.args.get(1).and_then(|arg| function.constant(*arg)) {
                Some(by) if by > 0 => above(by - 1),
                _ => 0,
            },
            Binary::UMin => above((!of(0) & all).min(!of(1) & all)),
            Binary::SMin | Binary::SMax | Binary::UMax => both(&of),
            Binary::Sub(_) | Binary::SDiv | Binary::SRem | Binary::AShr => 0,
            Binary::FAdd | Binary::FSub | Binary::FMul | Binary::FDiv | Binary::FMin | Binary::FMax => 0,
        },
        Op::Convert(Convert::ZeroExtend) => {
            let from = mask(function.ty(function.resolve(data.args[0])));
            of(0) & from | !from
        }
        Op::Convert(Convert::SignExtend) => {
            let from = function.ty(function.resolve(data.args[0]));
            let (zeros, sign) = (of(0), 1u64 << (width(from) - 1));
            if zeros & sign != 0 { zeros | !mask(from) } else { zeros }
        }
        Op::Convert(Convert::Truncate) => of(0),
        Op::Convert(Convert::Bits) if !matches!(ty, Type::F32 | Type::F64) => {
            let from = function.ty(function.resolve(data.args[0]));
            if matches!(from, Type::F32 | Type::F64) { 0 } else { of(0) }
        }
        Op::Select => of(1) & of(2),
        Op::Offset => match of(0).trailing_ones() {
            0 => 0,
            low => (1u64 << low.min(of(1).trailing_ones()).min(63)) - 1,
        },
        Op::Slot { align, .. } => u64::from(align.max(&1) - 1),
        Op::Builtin(row, _) => most(row).map_or(0, above),
        _ => 0,
    };
    found & all
}

/// Bits that are zero in a sum: those above the largest that it may be, and those below the lowest that either has.
fn sum(a: u64, b: u64, all: u64) -> u64 {
    let low = a.trailing_ones().min(b.trailing_ones());
    let low = if low >= 64 { u64::MAX } else { (1 << low) - 1 };
    let high = match (!a & all).checked_add(!b & all) {
        Some(most) if most <= all => above(most),
        _ => 0,
    };
    high | low
}

fn product(a: u64, b: u64, all: u64) -> u64 {
    let low = (a.trailing_ones() + b.trailing_ones()).min(63);
    let high = match (!a & all).checked_mul(!b & all) {
        Some(most) if most <= all => above(most),
        _ => 0,
    };
    high | ((1 << low) - 1)
}

/// The largest result of a function of the compiler, where the hardware or the language limits it.
fn most(row: &Builtin) -> Option<u64> {
    let most = match row.name {
        "__builtin_threadIdx_x" | "__builtin_threadIdx_y" => 1023,
        "__builtin_threadIdx_z" => 63,
        "__builtin_blockDim_x" | "__builtin_blockDim_y" => 1024,
        "__builtin_blockDim_z" => 64,
        "__builtin_blockIdx_x" => 0x7fff_fffe,
        "__builtin_gridDim_x" => 0x7fff_ffff,
        "__builtin_blockIdx_y" | "__builtin_blockIdx_z" => 65534,
        "__builtin_gridDim_y" | "__builtin_gridDim_z" => 65535,
        "__popc" | "__builtin_popcount" | "__clz" => 32,
        "__popcll" | "__builtin_popcountll" | "__clzll" => 64,
        _ => return None,
    };
    Some(most)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::parse::parse_function;

    fn zeros_of(body: &str) -> u64 {
        let function =
            parse_function(&format!("function @f(x, y) -> i32 {{\nb0(x: i32, y: i32):\n{body}\n}}"));
        zeros(&function, function.blocks[0].end.values()[0])
    }

    #[test]
    fn masks_shifts_and_sums_are_followed() {
        assert_eq!(zeros_of("  r: i32 = and x, 15:i32\n  return r"), 0xffff_fff0);
        assert_eq!(zeros_of("  a: i32 = lshr x, 28:i32\n  r: i32 = shl a, 4:i32\n  return r"), 0xffff_ff0f);
        let sum = "  a: i32 = and x, 12:i32\n  b: i32 = and y, 4:i32\n  r: i32 = add a, b\n  return r";
        assert_eq!(zeros_of(sum), 0xffff_ffe3);
        assert_eq!(zeros_of("  r: i32 = urem x, 10:i32\n  return r"), 0xffff_fff0);
    }

    #[test]
    fn nothing_is_known_of_a_difference() {
        assert_eq!(zeros_of("  a: i32 = and x, 1:i32\n  r: i32 = sub a, 1:i32\n  return r"), 0);
    }
}
