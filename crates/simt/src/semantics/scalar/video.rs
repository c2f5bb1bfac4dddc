//! The video instructions (PTX ISA 9.7.20): arithmetic on parts of words, with a second operation after it, and its SIMD
//! forms over halfwords and bytes, such as compilers make of `__vabsdiffu4`.
//!
//! Modifiers and parts are encoded in the mode's detail and in the operand after the three registers: [`find`] packs
//! them, the functions unpack them.

use super::{Kind, Mode, Scalar};

/// A sign, and the part of a register that is after its name: `-r1.h0`.
pub(crate) type Part<'a> = (bool, Option<&'a str>);

// In the mode's detail:
const SIGNED_RESULT: u16 = 1 << 0;
const SIGNED_A: u16 = 1 << 1;
const SIGNED_B: u16 = 1 << 2;
const SAT: u16 = 1 << 3;
/// Of SIMD: the lanes' results, with all their bits, are added to the third operand.
const SUM: u16 = 1 << 4;
const BYTES: u16 = 1 << 5;
/// Which function: four bits.
const FUNCTION: u32 = 6;
/// Which second operation: two bits, in the order of [`SECOND`].
const SECOND_OP: u32 = 10;
const NEGATIVE_PRODUCT: u16 = 1 << 12;
const NEGATIVE_C: u16 = 1 << 13;
const PLUS_ONE: u16 = 1 << 14;
/// Counts of shifts are taken modulo 32, not held at 32.
const WRAP: u16 = 1 << 15;

const NAMES: [&str; 9] = ["vadd", "vsub", "vavrg", "vabsdiff", "vmin", "vmax", "vshl", "vshr", "vset"];
const COMPARISONS: [&str; 6] = ["eq", "ne", "lt", "le", "gt", "ge"];
const SECOND: [&str; 3] = ["add", "min", "max"];
/// Of the functions: `vset.eq`, with the other comparisons after it.
const SET: usize = 8;

fn function(mode: Mode, a: i64, b: i64) -> i64 {
    let count = if mode.detail & WRAP != 0 { b & 31 } else { b.clamp(0, 32) };
    match mode.detail >> FUNCTION & 15 {
        0 => a + b,
        1 => a - b,
        // Half way, the average is rounded away from zero.
        2 => (a + b + i64::from(a + b >= 0)) >> 1,
        3 => (a - b).abs(),
        4 => a.min(b),
        5 => a.max(b),
        6 => a.wrapping_shl(count as u32),
        7 => a >> count,
        8 => i64::from(a == b),
        9 => i64::from(a != b),
        10 => i64::from(a < b),
        11 => i64::from(a <= b),
        12 => i64::from(a > b),
        _ => i64::from(a >= b),
    }
}

/// The bits of a word from bit `from` on, extended by their sign or by zeros.
fn bits(word: u64, from: u32, count: u32, signed: bool) -> i64 {
    let up = word << (64 - from - count);
    if signed { up as i64 >> (64 - count) } else { (up >> (64 - count)) as i64 }
}

/// Least and most of a number of bits.
fn range(bits: u32, signed: bool) -> (i64, i64) {
    if signed { (-1 << (bits - 1), (1 << (bits - 1)) - 1) } else { (0, (1 << bits) - 1) }
}

/// Where a part is in its word, and its bits: `.b0` to `.b3`, `.h0`, `.h1`, or the word.
fn place(part: u64) -> (u32, u32) {
    match part & 7 {
        n @ 0..=3 => (8 * n as u32, 8),
        n @ 4..=5 => (16 * (n as u32 - 4), 16),
        _ => (0, 32),
    }
}

const WHOLE: u32 = 6;

fn part(name: Option<&str>) -> Option<u32> {
    match name {
        None => Some(WHOLE),
        Some(name) => ["b0", "b1", "b2", "b3", "h0", "h1"].iter().position(|n| *n == name).map(|n| n as u32),
    }
}

fn scalar(mode: Mode, [a, b, c, parts]: [u64; 4]) -> u64 {
    let has = |flag: u16| mode.detail & flag != 0;
    let take = |word, part, signed| {
        let (from, count) = place(part);
        bits(word, from, count, signed)
    };
    let value = function(mode, take(a, parts, has(SIGNED_A)), take(b, parts >> 3, has(SIGNED_B)));
    let (to, width) = place(parts >> 6);
    let (least, most) = range(width, has(SIGNED_RESULT));
    let value = if has(SAT) { value.clamp(least, most) } else { value };
    let addend = bits(c, 0, 32, has(SIGNED_RESULT));
    // What is compared is the result, a word.
    let word = bits(value as u64, 0, 32, has(SIGNED_RESULT));
    let value = match mode.detail >> SECOND_OP & 3 {
        1 => value + addend,
        2 => word.min(addend),
        3 => word.max(addend),
        _ => value,
    };
    let field = (u64::MAX >> (64 - width)) << to;
    ((value as u64) << to & field | c & !field) & 0xffff_ffff
}

/// `vmad`: the product and the sum have all their bits until they are shifted down, and then saturated.
fn multiply_add(mode: Mode, [a, b, c, parts]: [u64; 4]) -> u64 {
    let has = |flag: u16| mode.detail & flag != 0;
    let take = |word, part, signed| {
        let (from, count) = place(part);
        i128::from(bits(word, from, count, signed))
    };
    let product = take(a, parts, has(SIGNED_A)) * take(b, parts >> 3, has(SIGNED_B));
    let product = if has(NEGATIVE_PRODUCT) { -product } else { product };
    let signed = has(SIGNED_A | SIGNED_B | NEGATIVE_PRODUCT);
    // Signed on a GPU, whatever the product is.
    let addend = i128::from(bits(c, 0, 32, true));
    let addend = if has(NEGATIVE_C) { -addend } else { addend };
    let sum = (product + addend + i128::from(has(PLUS_ONE))) >> (parts >> 9 & 15);
    let (least, most) = range(32, signed || has(NEGATIVE_C));
    let sum = if has(SAT) { sum.clamp(i128::from(least), i128::from(most)) } else { sum };
    sum as u64 & 0xffff_ffff
}

/// Lanes side by side; `choice` holds three bits for each lane's first operand and for its second one, and then a bit for
/// each lane that is computed. The others' results are those of `c`.
fn simd(mode: Mode, [a, b, c, choice]: [u64; 4]) -> u64 {
    let has = |flag: u16| mode.detail & flag != 0;
    let width = if has(BYTES) { 8 } else { 16 };
    let both = a & 0xffff_ffff | b << 32;
    let (least, most) = range(width, has(SIGNED_RESULT));
    let (mut packed, mut sum) = (c, c as i64);
    for lane in 0..32 / width {
        if choice >> (24 + lane) & 1 == 0 {
            continue;
        }
        let take =
            |from: u32, signed| bits(both, width * (choice >> (3 * lane + from) & 7) as u32, width, signed);
        let value = function(mode, take(0, has(SIGNED_A)), take(12, has(SIGNED_B)));
        let value = if has(SAT) { value.clamp(least, most) } else { value };
        let field = (u64::MAX >> (64 - width)) << (width * lane);
        packed = packed & !field | (value as u64) << (width * lane) & field;
        sum += value;
    }
    (if has(SUM) { sum as u64 } else { packed }) & 0xffff_ffff
}

/// The lanes that `.b31` or `.h10` names, the last one lowest, and how many there are.
fn lanes<'a>(name: &'a str, letter: &str) -> Option<impl Iterator<Item = u32> + Clone + use<'a>> {
    let digits = name.strip_prefix(letter).filter(|digits| !digits.is_empty())?;
    digits.bytes().all(|b| b.is_ascii_digit()).then(|| digits.bytes().rev().map(|b| u32::from(b - b'0')))
}

fn choice(bytes: bool, result: Option<&str>, operands: &[Part]) -> Option<u32> {
    let (letter, count) = if bytes { ("b", 4) } else { ("h", 2) };
    let mut packed = 0;
    for (n, default) in [(0, 0), (1, count)] {
        let mut chosen: Vec<u32> = (default..default + count).collect();
        if let (_, Some(name)) = operands[n] {
            chosen = lanes(name, letter)?.collect();
        }
        if chosen.len() != count as usize || chosen.iter().any(|lane| *lane >= 2 * count) {
            return None;
        }
        for (lane, from) in chosen.iter().enumerate() {
            packed |= from << (3 * lane + 12 * n);
        }
    }
    let mask = match result {
        None => (1 << count) - 1,
        Some(name) => {
            let mut mask = 0;
            for lane in lanes(name, letter)? {
                // From the highest to the lowest.
                if lane >= count || mask >> lane != 0 {
                    return None;
                }
                mask |= 1 << lane;
            }
            mask
        }
    };
    Some(packed | mask << 24)
}

/// The function of an instruction and the number that it takes after its three words. `result` and `operands` tell
/// which parts of registers are there.
pub(crate) fn find(
    opcode: &str,
    modifiers: &[&str],
    result: Option<&str>,
    operands: &[Part],
) -> Option<(Scalar, u32)> {
    let (name, simd_lanes) = match opcode.strip_suffix(['2', '4']) {
        Some(name) => (name, Some(opcode.ends_with('4'))),
        None => (opcode, None),
    };
    let mut rest = modifiers;
    let mut detail = 0;
    let signs: &[u16] =
        if name == "vset" { &[SIGNED_A, SIGNED_B] } else { &[SIGNED_RESULT, SIGNED_A, SIGNED_B] };
    for flag in signs {
        detail |= match rest.split_first()? {
            (&"s32", behind) => (*flag, behind),
            (&"u32", behind) => (0, behind),
            _ => return None,
        }
        .0;
        rest = &rest[1..];
    }
    let mut word = |word: &str| match rest.split_first() {
        Some((first, behind)) if *first == word => {
            rest = behind;
            true
        }
        _ => false,
    };
    let with = |scalar_of, detail| Scalar {
        sources: &[Kind::W, Kind::W, Kind::W, Kind::Immediate],
        ..Scalar::plain(Kind::W, 4, scalar_of).mode(Mode { detail, ..Mode::default() })
    };
    let negative = |n: usize| operands.get(n).is_some_and(|(negative, _)| *negative);
    if name == "vmad" && simd_lanes.is_none() {
        detail |= if word("po") { PLUS_ONE } else { 0 };
        detail |= if word("sat") { SAT } else { 0 };
        let shift = if word("shr7") { 7 } else { u32::from(word("shr15")) * 15 };
        detail |= if negative(0) != negative(1) { NEGATIVE_PRODUCT } else { 0 };
        detail |= if negative(2) { NEGATIVE_C } else { 0 };
        let &[(_, a), (_, b), (_, None)] = operands else { return None };
        let fits = rest.is_empty() && result.is_none() && (detail & PLUS_ONE == 0 || !(0..3).any(negative));
        return fits.then_some((with(multiply_add, detail), part(a)? | part(b)? << 3 | shift << 9));
    }
    let mut function = NAMES.iter().position(|known| *known == name)?;
    if (0..3).any(negative) || operands.get(2).is_some_and(|(_, part)| part.is_some()) {
        return None;
    }
    if function == SET {
        function += COMPARISONS.iter().position(|comparison| word(comparison))?;
    } else if word("sat") {
        detail |= SAT;
    }
    detail |= (function as u16) << FUNCTION;
    if let Some(bytes) = simd_lanes {
        detail |= if bytes { BYTES } else { 0 };
        detail |= if word("add") { SUM } else { 0 };
        let fits = rest.is_empty()
            && operands.len() == 3
            && !name.starts_with("vsh")
            && detail & (SAT | SUM) != SAT | SUM;
        return if fits { Some((with(simd, detail), choice(bytes, result, operands)?)) } else { None };
    }
    if name.starts_with("vsh") {
        detail |= match (word("wrap"), word("clamp")) {
            (true, _) => WRAP,
            (_, true) => 0,
            _ => return None,
        };
    }
    let second = SECOND.iter().position(|second| word(second)).map_or(0, |n| n as u16 + 1);
    detail |= second << SECOND_OP;
    // A third operand is for a second operation or for what is around the part that is written: one of them.
    let wanted = 2 + usize::from(second != 0 || result.is_some());
    let fits =
        rest.is_empty() && operands.len() == wanted && (second == 0 || result.is_none()) && name != "vavrg";
    let parts = part(operands.first()?.1)? | part(operands.get(1)?.1)? << 3 | part(result)? << 6;
    fits.then_some((with(scalar, detail), parts))
}

/// Whether an opcode is one of these instructions.
pub(crate) fn is_video(opcode: &str) -> bool {
    let name = opcode.strip_suffix(['2', '4']).unwrap_or(opcode);
    opcode == "vmad" || NAMES.contains(&name)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `vadd.s32.u32.u32`, the result's part, and operands with theirs.
    fn run(instruction: &str, result: Option<&str>, operands: [(u64, Option<&str>); 3]) -> u64 {
        let words: Vec<&str> = instruction.split('.').collect();
        let count = if operands[2].1 == Some("none") { 2 } else { 3 };
        let parts: Vec<Part> = operands[..count].iter().map(|(_, part)| (false, *part)).collect();
        let (scalar, imm) = find(words[0], &words[1..], result, &parts).unwrap();
        (scalar.compute)(scalar.mode, [operands[0].0, operands[1].0, operands[2].0, imm.into()])
    }

    fn simd(instruction: &str, [a, b, c]: [u64; 3]) -> u64 {
        run(instruction, None, [(a, None), (b, None), (c, None)])
    }

    const NONE: (u64, Option<&str>) = (0, Some("none"));

    #[test]
    fn lanes_of_bytes_are_subtracted_and_summed() {
        assert_eq!(simd("vabsdiff4.u32.u32.u32", [0x00ff_0510, 0xff00_0a01, 7]), 0xffff_050f);
        assert_eq!(simd("vabsdiff4.u32.u32.u32.add", [0x00ff_0510, 0xff00_0a01, 7]), 255 + 255 + 5 + 15 + 7);
        assert_eq!(simd("vadd2.s32.s32.s32.sat", [0x7fff_8000, 0x0001_ffff, 0]), 0x7fff_8000);
        assert_eq!(simd("vadd4.u32.u32.u32.add", [0x0000_ffff, 0x0000_01ff, 1]), 256 + 510 + 1);
        assert_eq!(simd("vavrg4.u32.u32.u32", [0xff00_0103, 0xff01_0204, 0]), 0xff01_0204);
        assert_eq!(simd("vset4.u32.u32.ge", [0x0501_0203, 0x0401_0302, 0]), 0x0101_0001);
    }

    #[test]
    fn lanes_come_from_both_words_and_go_where_the_mask_says() {
        let (a, b, c) = (0x0403_0201, 0x1413_1211, 0xaabb_ccdd);
        let swapped = [(a, Some("b7654")), (b, Some("b0123")), (c, None)];
        assert_eq!(run("vadd4.u32.u32.u32", Some("b31"), swapped), 0x15bb_15dd);
        let crossed = [(a, Some("h20")), (b, None), (c, None)];
        assert_eq!(run("vsub2.u32.u32.u32", Some("h0"), crossed), 0xaabb_eff0);
        assert!(
            find(
                "vadd2",
                &["u32", "u32", "u32"],
                None,
                &[(false, Some("b10")), (false, None), (false, None)]
            )
            .is_none()
        );
        assert!(find("vadd4", &["u32", "u32", "u32"], Some("b13"), &[(false, None); 3]).is_none());
    }

    #[test]
    fn parts_are_extended_by_their_types_sign() {
        let parts = [(0x8034, Some("b1")), (5, None), NONE];
        assert_eq!(run("vadd.s32.s32.u32", None, parts), (5i64 - 128) as u64 & 0xffff_ffff);
        assert_eq!(run("vadd.s32.u32.u32", None, parts), 133);
        assert_eq!(run("vmax.u32.u32.u32", None, [(0x1234_5678, Some("h1")), (0x1111, None), NONE]), 0x1234);
    }

    #[test]
    fn results_are_saturated_merged_or_combined() {
        let whole = |a, b, c| [(a, None), (b, None), (c, None)];
        let sum = whole(0x7fff_ffff, 1, 0x1111_1111);
        assert_eq!(run("vadd.s32.s32.s32.sat", None, [sum[0], sum[1], NONE]), 0x7fff_ffff);
        assert_eq!(run("vadd.s32.s32.s32.sat", Some("b2"), sum), 0x117f_1111);
        assert_eq!(run("vsub.u32.u32.u32.sat", None, [(1, None), (2, None), NONE]), 0);
        assert_eq!(run("vabsdiff.u32.u32.u32.add", None, whole(3, 10, 100)), 107);
        assert_eq!(run("vmin.s32.s32.s32.max", None, whole(3, 10, 4)), 4);
        assert_eq!(run("vset.s32.s32.lt", Some("h1"), whole(3, 10, 0xffff_ffff)), 0x0001_ffff);
    }

    #[test]
    fn shifts_stop_at_the_width_or_wrap() {
        let by = |count| [(0x8000_0001, None), (count, None), NONE];
        assert_eq!(run("vshl.u32.u32.u32.clamp", None, by(33)), 0);
        assert_eq!(run("vshl.u32.u32.u32.wrap", None, by(33)), 2);
        assert_eq!(run("vshr.s32.s32.u32.clamp", None, by(40)), 0xffff_ffff);
        assert_eq!(run("vshr.u32.u32.u32.wrap", None, by(31)), 1);
    }

    #[test]
    fn products_keep_their_bits_until_they_are_scaled() {
        let mad = |words: &[&str], operands: [(bool, u64); 3]| {
            let parts = operands.map(|(negative, _)| (negative, None));
            let (scalar, imm) = find("vmad", words, None, &parts).unwrap();
            let [(_, a), (_, b), (_, c)] = operands;
            (scalar.compute)(scalar.mode, [a, b, c, imm.into()])
        };
        let plain = |a, b, c| [(false, a), (false, b), (false, c)];
        assert_eq!(mad(&["u32", "u32", "u32", "shr15"], plain(0xffff_ffff, 0xffff_ffff, 0)), 0xfffc_0000);
        assert_eq!(mad(&["u32", "u32", "u32", "sat"], plain(0xffff_ffff, 2, 0)), 0xffff_ffff);
        assert_eq!(mad(&["s32", "s32", "s32", "po"], plain(3, 4, 5)), 18);
        assert_eq!(
            mad(&["s32", "u32", "u32"], [(true, 3), (false, 4), (false, 5)]),
            -7i64 as u64 & 0xffff_ffff
        );
        assert!(
            find("vmad", &["u32", "u32", "u32", "po"], None, &[(true, None), (false, None), (false, None)])
                .is_none()
        );
    }
}
