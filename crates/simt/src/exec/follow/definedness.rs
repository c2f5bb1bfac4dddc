//! Which bits of a result have no value, where some of the operands' have none.
//!
//! Functions that move, mask or choose bits do so with bits without a value; whatever else is computed with one has no
//! value at all. Pure functions of operands' values and bits.

use crate::WARP;
use crate::exec::checks::Bits;
use crate::ir::{Compute, File, Function, ScalarCall};
use crate::lanes::X;
use crate::semantics::{self, scalar::Kind};

/// An operand: its value, and its bits that have none.
#[derive(Clone, Copy)]
pub(in crate::exec) struct Operand {
    pub(in crate::exec) value: X,
    pub(in crate::exec) bits: X,
}

/// Bits of one lane without a value, and whether something was computed with such bits.
type Lane = (u64, bool);

/// The bits of a function's result; `before` are those of its operands that have bits without a value.
pub(in crate::exec) fn of_function(of: &Compute, operands: &[Operand; 3], before: &[&Bits]) -> Bits {
    let file = of.result().0;
    let mut out = start(before);
    for l in 0..WARP {
        let [a, b, c] = operands.map(|operand| (operand.value.0[l], operand.bits.0[l]));
        if a.1 | b.1 | c.1 != 0 {
            let (bits, computed) = function(of, file, a, b, c);
            out.bits.0[l] = bits & file.bits();
            out.computed |= u32::from(computed) << l;
        }
    }
    out
}

fn start(before: &[&Bits]) -> Bits {
    let computed = before.iter().fold(0, |mask, bits| mask | bits.computed);
    // The first that is in the program is the likeliest cause of the others.
    let origin = before.iter().map(|bits| bits.origin).min().unwrap_or(0);
    Bits { bits: X::ZERO, computed, origin }
}

fn function(of: &Compute, file: File, a: (u64, u64), b: (u64, u64), c: (u64, u64)) -> Lane {
    use Function::*;
    let width: u64 = if file == File::X { 64 } else { 32 };
    let computed = (u64::MAX, true);
    // A shift by whole bytes moves them; by other amounts it may be a product.
    let shifted = |by: u64, bits: u64| (bits, !by.is_multiple_of(8));
    let moved = |bits: u64| (bits, false);
    match of.function {
        MovW | MovX | MovP | NotW | NotX | NotP | ZeroExtend32 => moved(a.1),
        Truncate64 => moved(a.1 & 0xffff_ffff),
        HighX => moved(a.1 >> 32),
        PackX => moved(semantics::pack_64(a.1 as u32, b.1 as u32)),
        SignExtend32 => moved(a.1 as i32 as u64),
        ZeroExtend16 => moved(a.1 & 0xffff),
        SignExtend16 => moved(a.1 as i16 as u64),
        ZeroExtend8 => moved(a.1 & 0xff),
        SignExtend8 => moved(a.1 as i8 as u64),
        BrevW => moved(u64::from((a.1 as u32).reverse_bits())),
        AndW | AndX | AndP => moved(a.1 & b.1 | a.1 & b.0 | b.1 & a.0),
        OrW | OrX | OrP => moved(a.1 & b.1 | a.1 & !b.0 | b.1 & !a.0),
        XorW | XorX | XorP => moved(a.1 | b.1),
        Lop3W => moved(u64::from(lop3(of.immediate, a, b, c))),
        ShlW | ShlX | ShrU32 | ShrU64 | ShrS32 | ShrS64 if b.1 != 0 => computed,
        ShlW | ShlX => shifted(b.0, if b.0 < width { a.1 << b.0 } else { 0 }),
        ShrU32 | ShrU64 => moved(if b.0 < width { a.1 >> b.0 } else { 0 }),
        ShrS32 => moved((a.1 as i32 >> b.0.min(31)) as u64),
        ShrS64 => moved((a.1 as i64 >> b.0.min(63)) as u64),
        ShfLWrap | ShfRWrap if c.1 != 0 => computed,
        ShfLWrap => moved(u64::from(semantics::shf_l_wrap(a.1 as u32, b.1 as u32, c.0 as u32))),
        ShfRWrap => moved(u64::from(semantics::shf_r_wrap(a.1 as u32, b.1 as u32, c.0 as u32))),
        SelpW | SelpX if c.1 != 0 => (a.1 | b.1 | (a.0 ^ b.0), true),
        SelpW | SelpX => moved(if c.0 != 0 { a.1 } else { b.1 }),
        // Carries go upward: bits below the lowest one without a value have one.
        AddW | SubW | NegW | MulLoW | MadLoW | AddX | SubX | NegX | MulLoX | MadLoX | MulWideU32
        | MulWideS32 | MadWideU32 | MadWideS32 => {
            let bits = a.1 | b.1 | c.1;
            (bits | bits.wrapping_neg(), true)
        }
        // Where bits that have a value differ, the rest does not matter.
        EqW | NeW | EqX | NeX if (a.0 ^ b.0) & !(a.1 | b.1) != 0 => moved(0),
        // Every other function of the table computes.
        _ => computed,
    }
}

/// Bits that some choice of the operands' bits without a value changes.
fn lop3(table: u8, a: (u64, u64), b: (u64, u64), c: (u64, u64)) -> u32 {
    let choose =
        |(value, bits): (u64, u64), ones: bool| if ones { value | bits } else { value & !bits } as u32;
    let of = |n: u32| {
        let [a, b, c] = [(a, 1), (b, 2), (c, 4)].map(|(operand, bit)| choose(operand, n & bit != 0));
        semantics::lop3_b32(a, b, c, u32::from(table))
    };
    (1..8).fold(0, |differ, n| differ | of(0) ^ of(n))
}

/// Values that bits without one are tried with: each operand has others.
const TRIED: [u64; 6] =
    [0, u64::MAX, 0x5555_5555_5555_5555, 0x3f3f_3f3f_3f3f_3f3f, 0x8080_8080_8080_8080, 0xaa00_ff55_aa00_ff55];

/// The bits of a scalar function's result: those that differ between values that were tried. A comparison has none.
pub(in crate::exec) fn of_scalar(call: &ScalarCall, operands: &[Operand; 4], before: &[&Bits]) -> Bits {
    let mut out = start(before);
    for l in 0..WARP {
        if operands.iter().all(|operand| operand.bits.0[l] == 0) {
            continue;
        }
        if call.scalar.result == Kind::P {
            out.bits.0[l] = 1;
            continue;
        }
        let with = |n: usize| {
            let mut given = [0; 4];
            for (at, operand) in operands.iter().enumerate() {
                let (value, bits) = (operand.value.0[l], operand.bits.0[l]);
                given[at] = value & !bits | TRIED[(n + at * (n / 2)) % TRIED.len()] & bits;
            }
            (call.scalar.compute)(call.scalar.mode, given)
        };
        let first = with(0);
        out.bits.0[l] = (1..TRIED.len()).fold(0, |differ, n| differ | first ^ with(n)) & call.result().bits();
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::Register;

    fn bits(function: Function, a: (u64, u64), b: (u64, u64), c: (u64, u64)) -> Lane {
        let of = Compute { immediate: 0xca, ..function.of([Register::default(); 3]) };
        super::function(&of, of.result().0, a, b, c)
    }

    const NONE: (u64, u64) = (0, 0);

    #[test]
    fn masks_and_shifts_keep_the_bits_that_have_a_value() {
        let word = (0xabcd_1234, 0xffff_0000);
        assert_eq!(bits(Function::AndW, word, (0xff, 0), NONE), (0, false));
        assert_eq!(bits(Function::OrW, word, (0xff00_0000, 0), NONE), (0x00ff_0000, false));
        assert_eq!(bits(Function::ShrU32, word, (16, 0), NONE), (0xffff, false));
        assert_eq!(bits(Function::ShlW, word, (16, 0), NONE).0 as u32, 0);
        assert!(bits(Function::ShlW, word, (1, 0), NONE).1, "a product");
        assert_eq!(bits(Function::Lop3W, (0xff, 0), (1, 0), (0, 0xffff)), (0xff00, false), "a ? b : c");
    }

    #[test]
    fn what_is_not_chosen_does_not_matter() {
        let (none, five) = ((7, u64::from(u32::MAX)), (5, 0));
        assert_eq!(bits(Function::SelpW, none, five, (0, 0)), (0, false));
        assert_eq!(bits(Function::SelpW, none, five, (1, 0)).0, u64::from(u32::MAX));
        assert_ne!(bits(Function::SelpW, five, (6, 0), (0, 1)).0, 0, "the choice itself");
        assert_eq!(bits(Function::AndP, (0, 1), (0, 0), NONE).0, 0);
        assert_eq!(bits(Function::AndP, (0, 1), (1, 0), NONE).0, 1);
    }

    #[test]
    fn whatever_is_computed_has_no_value() {
        assert!(bits(Function::AddW, (1, 0xff), (1, 0), NONE).1);
        assert_eq!(
            bits(Function::MulLoW, (1, 0xff00), (3, 0), NONE).0 & 0xffff,
            0xff00,
            "not the bits below"
        );
        assert_eq!(bits(Function::AddX, (1, u64::MAX << 32), (1, 0), NONE), (u64::MAX << 32, true));
        assert_eq!(bits(Function::EqW, (1, 0xff00), (2, 0), NONE).0, 0, "other bits differ");
        assert_ne!(bits(Function::EqW, (1, 0xff00), (1, 0), NONE).0, 0);
        assert_ne!(bits(Function::LtS32, (1, 0xff00), (2, 0), NONE).0, 0);
    }
}
