//! Logic, shifts, bit fields, and moves (PTX ISA 9.7.1, 9.7.8, 9.7.9).

use super::integer::{Integer, wrap};
use super::words::*;
use super::{Compute, Kind, Mode, Scalar};
use crate::semantics::lop3_b32;
use Kind::{Immediate, W, X};

fn mask(bits: u32) -> u64 {
    u64::MAX >> (64 - bits)
}

/// A bit field's position or length: of 32-bit fields the low 8 bits, as the manual has it for all; but what ptxas makes
/// of 64-bit ones looks at the whole word (an H200 shows it).
fn place<const BITS: u32>(bits: u64) -> u32 {
    bits as u32 & if BITS == 64 { u32::MAX } else { 0xff }
}

/// Logic, for a type without sign. Complement of a predicate: of its one bit.
fn logic<const BITS: u32>(opcode: &str, words: &Words) -> Option<Scalar> {
    let kind = words.ty().kind();
    let (count, compute): (usize, Compute) = match opcode {
        "and" => (2, |_, [a, b, ..]| (a & b) & mask(BITS)),
        "or" => (2, |_, [a, b, ..]| (a | b) & mask(BITS)),
        "xor" => (2, |_, [a, b, ..]| (a ^ b) & mask(BITS)),
        "not" => (1, |_, [a, ..]| !a & mask(BITS)),
        "cnot" if BITS > 1 => (1, |_, [a, ..]| u64::from(a & mask(BITS) == 0)),
        "mov" => (1, |_, [a, ..]| a & mask(BITS)),
        "popc" if BITS >= 32 => {
            return Some(
                Scalar::plain(kind, 1, |_, [a, ..]| u64::from((a & mask(BITS)).count_ones())).result(W),
            );
        }
        "clz" if BITS >= 32 => {
            let compute: Compute = |_, [a, ..]| u64::from((a & mask(BITS)).leading_zeros() - (64 - BITS));
            return Some(Scalar::plain(kind, 1, compute).result(W));
        }
        "brev" if BITS >= 32 => (1, |_, [a, ..]| a.reverse_bits() >> (64 - BITS)),
        "shl" if BITS > 1 => {
            let compute: Compute = |_, [a, b, ..]| {
                let count = b as u32;
                if count < BITS { a << count & mask(BITS) } else { 0 }
            };
            return Some(Scalar::plain(kind, 2, compute).sources(shift_sources(kind)));
        }
        "bfi" if BITS >= 32 => {
            let compute: Compute = |_, [a, b, c, d]| {
                let (position, length) = (place::<BITS>(c), place::<BITS>(d));
                if position >= BITS || length == 0 {
                    return b & mask(BITS);
                }
                let field = mask(length.min(64)) << position & mask(BITS);
                (b & !field | a << position & field) & mask(BITS)
            };
            return Some(Scalar::plain(kind, 4, compute).sources(if kind == X {
                &[X, X, W, W]
            } else {
                &[W; 4]
            }));
        }
        _ => return None,
    };
    Some(Scalar::plain(kind, count, compute))
}

fn shift_sources(kind: Kind) -> &'static [Kind] {
    if kind == X { &[X, W] } else { &[W, W] }
}

/// Instructions that depend on the sign: shifts to the right, bit-field extraction, the first bit that differs from the
/// sign.
fn signed<T: Integer>(opcode: &str, words: &Words) -> Option<Scalar> {
    let kind = words.ty().kind();
    let one: &[Kind] = if kind == X { &[X] } else { &[W] };
    let (result, sources, compute): (Kind, &'static [Kind], Compute) = match (opcode, words.flags) {
        ("shr", 0) => (kind, shift_sources(kind), |_, [a, b, ..]| {
            wrap::<T>(T::of(a).wide() >> u32::min(b as u32, T::BITS))
        }),
        ("bfe", 0) if T::BITS >= 32 => {
            (kind, if kind == X { &[X, W, W] } else { &[W; 3] }, |_, [a, b, c, _]| {
                let wide = T::BITS == 64;
                let (position, length) =
                    if wide { (place::<64>(b), place::<64>(c)) } else { (place::<32>(b), place::<32>(c)) };
                if length == 0 {
                    return 0;
                }
                // Past the end there are copies of the sign, or zeros; an i128 has room for 64 of them.
                let field = T::of(a).wide() >> position.min(64);
                if length >= 64 {
                    return wrap::<T>(field);
                }
                let shift = 128 - length;
                let field = field << shift;
                wrap::<T>(if T::MIN < 0 { field >> shift } else { (field as u128 >> shift) as i128 })
            })
        }
        ("bfind", flags) if T::BITS >= 32 && flags & !SHIFTAMT == 0 => {
            let compute: Compute = if flags == 0 {
                |_, [a, ..]| first::<T>(a).map_or(0xffff_ffff, u64::from)
            } else {
                |_, [a, ..]| first::<T>(a).map_or(0xffff_ffff, |bit| u64::from(T::BITS - 1 - bit))
            };
            (W, one, compute)
        }
        _ => return None,
    };
    Some(Scalar { result, sources, ..Scalar::plain(kind, 0, compute) })
}

/// Where the most significant bit is that differs from the sign.
fn first<T: Integer>(bits: u64) -> Option<u32> {
    let value = T::of(bits).wide();
    let value = (if value < 0 { !value } else { value }) as u64;
    value.checked_ilog2()
}

/// Both words as one of 64 bits, shifted; the count is clamped to 32 or taken modulo 32.
fn funnel(words: &Words) -> Option<Scalar> {
    fn count(mode: Mode, c: u64) -> u64 {
        if mode.detail != 0 { (c & 0xffff_ffff).min(32) } else { c & 31 }
    }
    let compute: Compute = match words.flags & (LEFT | RIGHT) {
        LEFT => |mode, [a, b, c, _]| ((b << 32 | a & mask(32)) << count(mode, c)) >> 32 & mask(32),
        RIGHT => |mode, [a, b, c, _]| (b << 32 | a & mask(32)) >> count(mode, c) & mask(32),
        _ => return None,
    };
    let clamp = match words.flags & !(LEFT | RIGHT) {
        CLAMP => 1,
        WRAP => 0,
        _ => return None,
    };
    Some(Scalar::plain(W, 3, compute).mode(Mode { detail: clamp, ..Mode::default() }))
}

/// The position of the nth set bit, counted from a base upwards or downwards.
fn nth_set(_: Mode, [bits, base, offset, _]: [u64; 4]) -> u64 {
    let (bits, base, offset) = (bits as u32, base as u32, offset as i32);
    let is_set = |position: i64| (0..32).contains(&position) && bits >> position & 1 == 1;
    let start = i64::from(base);
    if offset == 0 {
        return if is_set(start) { start as u64 } else { 0xffff_ffff };
    }
    let mut left = offset.unsigned_abs();
    let mut position = start;
    while (0..32).contains(&position) {
        if is_set(position) {
            left -= 1;
            if left == 0 {
                return position as u64;
            }
        }
        position += i64::from(offset.signum());
    }
    0xffff_ffff
}

/// `bmsk`: a number of set bits from a position.
fn bit_mask(mode: Mode, [a, b, ..]: [u64; 4]) -> u64 {
    let (a, b) = (a & mask(32), b & mask(32));
    let clamp = mode.detail != 0;
    let (position, width) = (a & 31, b & 31);
    let from = if clamp && a >= 32 { 0 } else { mask(32) << position };
    let past = position + width;
    let beyond = if past >= 32 || clamp && (a >= 32 || b >= 32) { 0 } else { mask(32) << past };
    from & !beyond & mask(32)
}

/// `szext`: extends a value of a number of bits.
fn extend<const SIGNED: bool>(mode: Mode, [a, b, ..]: [u64; 4]) -> u64 {
    let (a, b) = (a as u32, b as u32);
    let length = b & 31;
    if mode.detail != 0 && b >= 32 {
        return u64::from(a);
    }
    let above = u32::MAX << length;
    let sign = SIGNED && length != 0 && a >> (length - 1) & 1 == 1;
    u64::from(a & !above | if sign { above } else { 0 })
}

/// `.clamp` or `.wrap`, as a mode.
fn clamped(words: &Words) -> Option<Mode> {
    let clamp = match words.flags {
        CLAMP => 1,
        WRAP => 0,
        _ => return None,
    };
    Some(Mode { detail: clamp, ..Mode::default() })
}

/// `prmt`: four bytes chosen from eight.
pub(super) fn permute(modifiers: &[&str]) -> Option<Scalar> {
    fn bytes(a: u64, b: u64, chosen: [u64; 4]) -> u64 {
        let all = b << 32 | a & mask(32);
        chosen.iter().rev().fold(0, |word, index| word << 8 | all >> (8 * (index & 7)) & 0xff)
    }
    let compute: Compute = match modifiers {
        ["b32"] => |_, [a, b, c, _]| {
            let all = b << 32 | a & mask(32);
            (0..4).fold(0, |word, i| {
                let selector = c >> (4 * i);
                let byte = all >> (8 * (selector & 7)) & 0xff;
                // With the fourth bit of the selector, the byte's sign fills the byte.
                let byte = if selector & 8 != 0 { (byte >> 7) * 0xff } else { byte };
                word | byte << (8 * i)
            })
        },
        ["b32", "f4e"] => |_, [a, b, c, _]| bytes(a, b, [0, 1, 2, 3].map(|i| (c & 3) + i)),
        ["b32", "b4e"] => |_, [a, b, c, _]| bytes(a, b, [0, 7, 6, 5].map(|i| (c & 3) + i)),
        ["b32", "rc8"] => |_, [a, b, c, _]| bytes(a, b, [c & 3; 4]),
        ["b32", "ecl"] => |_, [a, b, c, _]| bytes(a, b, [0, 1, 2, 3].map(|i| i.max(c & 3))),
        ["b32", "ecr"] => |_, [a, b, c, _]| bytes(a, b, [0, 1, 2, 3].map(|i| i.min(c & 3))),
        ["b32", "rc16"] => |_, [a, b, c, _]| bytes(a, b, [0, 1, 0, 1].map(|i| (c & 1) * 2 + i)),
        _ => return None,
    };
    Some(Scalar::plain(W, 3, compute))
}

pub(super) fn find(opcode: &str, words: &Words) -> Option<Scalar> {
    if words.count != 1 {
        return None;
    }
    let ty = words.ty();
    match opcode {
        "shr" | "bfe" | "bfind" => match ty {
            Type::U16 => signed::<u16>(opcode, words),
            Type::S16 => signed::<i16>(opcode, words),
            Type::U32 => signed::<u32>(opcode, words),
            Type::S32 => signed::<i32>(opcode, words),
            Type::U64 => signed::<u64>(opcode, words),
            Type::S64 => signed::<i64>(opcode, words),
            Type::B16 if opcode == "shr" => signed::<u16>(opcode, words),
            Type::B32 if opcode == "shr" => signed::<u32>(opcode, words),
            Type::B64 if opcode == "shr" => signed::<u64>(opcode, words),
            _ => None,
        },
        "mov" if words.flags == 0 => match ty {
            Type::Pred => logic::<1>(opcode, words),
            Type::U16 | Type::S16 | Type::B16 | Type::F16 | Type::Bf16 => logic::<16>(opcode, words),
            Type::U32 | Type::S32 | Type::B32 | Type::F32 | Type::F16x2 | Type::Bf16x2 => {
                logic::<32>(opcode, words)
            }
            Type::U64 | Type::S64 | Type::B64 | Type::F64 => logic::<64>(opcode, words),
            _ => None,
        },
        "shf" if ty == Type::B32 => funnel(words),
        "fns" if ty == Type::B32 && words.flags == 0 => Some(Scalar::plain(W, 3, nth_set)),
        "bmsk" if ty == Type::B32 => Some(Scalar::plain(W, 2, bit_mask).mode(clamped(words)?)),
        "szext" if ty == Type::U32 => Some(Scalar::plain(W, 2, extend::<false>).mode(clamped(words)?)),
        "szext" if ty == Type::S32 => Some(Scalar::plain(W, 2, extend::<true>).mode(clamped(words)?)),
        "lop3" if ty == Type::B32 && words.flags == 0 => {
            let compute: Compute =
                |_, [a, b, c, table]| u64::from(lop3_b32(a as u32, b as u32, c as u32, table as u32));
            Some(Scalar::plain(W, 4, compute).sources(&[W, W, W, Immediate]))
        }
        "and" | "or" | "xor" | "not" | "cnot" | "popc" | "clz" | "brev" | "shl" | "bfi"
            if words.flags == 0 =>
        {
            match ty {
                Type::Pred if matches!(opcode, "and" | "or" | "xor" | "not") => logic::<1>(opcode, words),
                Type::B16 => logic::<16>(opcode, words),
                Type::B32 => logic::<32>(opcode, words),
                Type::B64 => logic::<64>(opcode, words),
                _ => None,
            }
        }
        _ => None,
    }
}
