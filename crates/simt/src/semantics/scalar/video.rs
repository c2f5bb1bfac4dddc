//! The SIMD video instructions over halfwords and bytes (PTX ISA 9.7.20), such as compilers make of `__vabsdiffu4`: with
//! all lanes chosen in their order, which is what they are without masks and selectors.

use super::{Kind, Mode, Scalar};

const SIGNED_RESULT: u16 = 1 << 0;
const SIGNED_A: u16 = 1 << 1;
const SIGNED_B: u16 = 1 << 2;
const SAT: u16 = 1 << 3;
/// The lanes' results, with all their bits, are added to the third operand.
const SUM: u16 = 1 << 4;
const BYTES: u16 = 1 << 5;
/// Which function: the bits above.
const FUNCTION: u32 = 6;

const FUNCTIONS: [fn(i64, i64) -> i64; 6] = [
    |a, b| a + b,
    |a, b| a - b,
    // Half way, the average is rounded away from zero.
    |a, b| (a + b + i64::from(a + b >= 0)) >> 1,
    |a, b| (a - b).abs(),
    |a, b| a.min(b),
    |a, b| a.max(b),
];

fn compute(mode: Mode, [a, b, c, _]: [u64; 4]) -> u64 {
    let has = |flag: u16| mode.detail & flag != 0;
    let bits = if has(BYTES) { 8 } else { 16 };
    let lane = |word: u64, index: u32, signed: bool| {
        let shifted = word << (64 - bits * (index + 1));
        if signed { shifted as i64 >> (64 - bits) } else { (shifted >> (64 - bits)) as i64 }
    };
    let function = FUNCTIONS[usize::from(mode.detail >> FUNCTION) % FUNCTIONS.len()];
    let mask = (1i64 << bits) - 1;
    let (least, most) = if has(SIGNED_RESULT) { (-(1 << (bits - 1)), mask >> 1) } else { (0, mask) };
    let (mut packed, mut sum) = (0, c as i64);
    for index in 0..32 / bits {
        let result = function(lane(a, index, has(SIGNED_A)), lane(b, index, has(SIGNED_B)));
        let result = if has(SAT) { result.clamp(least, most) } else { result };
        packed |= ((result & mask) as u64) << (bits * index);
        sum += result;
    }
    if has(SUM) { sum as u64 & 0xffff_ffff } else { packed }
}

pub(super) fn find(opcode: &str, modifiers: &[&str]) -> Option<Scalar> {
    let (name, lanes) = opcode.split_at_checked(opcode.len().checked_sub(1)?)?;
    let function =
        ["vadd", "vsub", "vavrg", "vabsdiff", "vmin", "vmax"].iter().position(|known| *known == name)?;
    let mut detail = (function as u16) << FUNCTION;
    detail |= match lanes {
        "2" => 0,
        "4" => BYTES,
        _ => return None,
    };
    let (types, rest) = modifiers.split_at_checked(3)?;
    for (ty, flag) in types.iter().zip([SIGNED_RESULT, SIGNED_A, SIGNED_B]) {
        detail |= match *ty {
            "s32" => flag,
            "u32" => 0,
            _ => return None,
        };
    }
    detail |= match rest {
        [] => 0,
        ["sat"] => SAT,
        ["add"] => SUM,
        _ => return None,
    };
    Some(Scalar::plain(Kind::W, 3, compute).mode(Mode { detail, ..Mode::default() }))
}
