//! Comparisons and selections (PTX ISA 9.7.6, 9.7.7).
//!
//! A comparison is the set of outcomes for which it holds, a bit each: less, equal, greater, unordered.

use super::format::{Bf16, F16, F32, F64, Format, flush};
use super::integer::Integer;
use super::words::{FTZ, Type, Words, repeat};
use super::{Compute, Kind, Mode, Scalar};
use Kind::{P, W, X};
use std::cmp::Ordering;

const LESS: u16 = 1;
const EQUAL: u16 = 2;
const GREATER: u16 = 4;
const UNORDERED: u16 = 8;
const AND: u16 = 1 << 4;
const OR: u16 = 2 << 4;
const XOR: u16 = 3 << 4;

/// The set's name: for a float, for a signed or an unsigned integer, or for bits without a number.
fn set(word: &str, ty: Type) -> Option<u16> {
    use Type::*;
    let is_float = ty.is_float();
    let is_unsigned = matches!(ty, U16 | U32 | U64);
    let is_number = is_float || is_unsigned || matches!(ty, S16 | S32 | S64);
    Some(match word {
        "eq" => EQUAL,
        "ne" => LESS | GREATER,
        "lt" if is_number => LESS,
        "le" if is_number => LESS | EQUAL,
        "gt" if is_number => GREATER,
        "ge" if is_number => GREATER | EQUAL,
        "lo" if is_unsigned => LESS,
        "ls" if is_unsigned => LESS | EQUAL,
        "hi" if is_unsigned => GREATER,
        "hs" if is_unsigned => GREATER | EQUAL,
        "equ" if is_float => EQUAL | UNORDERED,
        "neu" if is_float => LESS | GREATER | UNORDERED,
        "ltu" if is_float => LESS | UNORDERED,
        "leu" if is_float => LESS | EQUAL | UNORDERED,
        "gtu" if is_float => GREATER | UNORDERED,
        "geu" if is_float => GREATER | EQUAL | UNORDERED,
        "num" if is_float => LESS | EQUAL | GREATER,
        "nan" if is_float => UNORDERED,
        _ => return None,
    })
}

#[inline(always)]
fn holds(mode: Mode, outcome: Option<Ordering>) -> bool {
    let bit = match outcome {
        Some(Ordering::Less) => LESS,
        Some(Ordering::Equal) => EQUAL,
        Some(Ordering::Greater) => GREATER,
        None => UNORDERED,
    };
    mode.detail & bit != 0
}

/// Something to compare.
trait Compared {
    fn outcome(mode: Mode, a: u64, b: u64) -> Option<Ordering>;
}

impl<T: Integer> Compared for T {
    #[inline(always)]
    fn outcome(_: Mode, a: u64, b: u64) -> Option<Ordering> {
        Some(T::of(a).cmp(&T::of(b)))
    }
}

/// A floating-point format, of which `SHIFT` says in which half of a word it is.
struct Float<F, const SHIFT: u32>(std::marker::PhantomData<F>);

impl<F: Format, const SHIFT: u32> Compared for Float<F, SHIFT> {
    #[inline(always)]
    fn outcome(mode: Mode, a: u64, b: u64) -> Option<Ordering> {
        F::value(flush::<F>(mode, a >> SHIFT)).partial_cmp(&F::value(flush::<F>(mode, b >> SHIFT)))
    }
}

fn predicate<T: Compared>(mode: Mode, [a, b, ..]: [u64; 4]) -> u64 {
    holds(mode, T::outcome(mode, a, b)).into()
}

/// Results of `set` where the comparison holds (zero elsewhere), by the three bits above those of the set and of the
/// logic.
const TRUE: [u64; 5] = [0xffff_ffff, 0x3f80_0000, 0xffff, 0x3c00, 0x3f80];

#[inline(always)]
fn value(mode: Mode, holds: bool, c: u64) -> u64 {
    let c = c & 1 == 1;
    let holds = match mode.detail & XOR {
        0 => holds,
        AND => holds && c,
        OR => holds || c,
        _ => holds != c,
    };
    if holds { TRUE[usize::from(mode.detail >> 6).min(4)] } else { 0 }
}

fn word<T: Compared>(mode: Mode, [a, b, c, _]: [u64; 4]) -> u64 {
    value(mode, holds(mode, T::outcome(mode, a, b)), c)
}

/// Both halves of a word.
fn halves<F: Format>(mode: Mode, [a, b, c, _]: [u64; 4]) -> u64 {
    let low = holds(mode, Float::<F, 0>::outcome(mode, a, b));
    let high = holds(mode, Float::<F, 16>::outcome(mode, a, b));
    value(mode, low, c) | value(mode, high, c) << 16
}

/// The functions of `predicate` or `word` for a type.
macro_rules! by_type {
    ($function:ident, $ty:expr) => {
        match $ty {
            Type::U16 | Type::B16 => $function::<u16> as Compute,
            Type::S16 => $function::<i16>,
            Type::U32 | Type::B32 => $function::<u32>,
            Type::S32 => $function::<i32>,
            Type::U64 | Type::B64 => $function::<u64>,
            Type::S64 => $function::<i64>,
            Type::F16 => $function::<Float<F16, 0>>,
            Type::Bf16 => $function::<Float<Bf16, 0>>,
            Type::F32 => $function::<Float<F32, 0>>,
            Type::F64 => $function::<Float<F64, 0>>,
            _ => return None,
        }
    };
}

fn select(words: &Words) -> Option<Scalar> {
    use Type::*;
    match words.ty() {
        U16 | S16 | B16 | U32 | S32 | B32 | F32 | F16 | Bf16 | F16x2 | Bf16x2 | U64 | S64 | B64 | F64 => {}
        _ => return None,
    }
    let kind = words.ty().kind();
    let compute: Compute = |_, [a, b, p, _]| if p & 1 == 1 { a } else { b };
    let sources: &[Kind] = if kind == X { &[X, X, P] } else { &[W, W, P] };
    (words.count == 1 && words.flags == 0).then(|| Scalar::plain(kind, 3, compute).sources(sources))
}

/// By the third operand's sign; a NaN selects the second.
fn select_by_sign(words: &Words) -> Option<Scalar> {
    if words.count != 2 {
        return None;
    }
    let compute: Compute = match (words.last(), words.flags) {
        (Type::S32, 0) => |_, [a, b, c, _]| if c as i32 >= 0 { a } else { b },
        (Type::F32, 0 | FTZ) => {
            |mode, [a, b, c, _]| if F32::value(flush::<F32>(mode, c)) >= 0.0 { a } else { b }
        }
        _ => return None,
    };
    let kind = words.ty().kind();
    let sources: &[Kind] = if kind == X { &[X, X, W] } else { &[W, W, W] };
    Some(Scalar::plain(kind, 3, compute).sources(sources).mode(words.mode()))
}

pub(super) fn find(opcode: &str, modifiers: &[&str]) -> Option<Scalar> {
    match opcode {
        "selp" => return select(&Words::parse(modifiers)?),
        "slct" => return select_by_sign(&Words::parse(modifiers)?),
        _ => {}
    }
    let (comparison, mut rest) = modifiers.split_first()?;
    let ty = Type::parse(modifiers.last()?)?;
    let mut mode = Mode { detail: set(comparison, ty)?, ..Mode::default() };
    if opcode == "set" {
        let logic = match *rest.first()? {
            "and" => AND,
            "or" => OR,
            "xor" => XOR,
            _ => 0,
        };
        mode.detail |= logic;
        rest = if logic == 0 { rest } else { &rest[1..] };
    }
    let words = Words::parse(rest)?;
    mode.ftz = words.has(FTZ);
    if !words.only(FTZ) || mode.ftz && !ty.is_float() || words.count != if opcode == "set" { 2 } else { 1 } {
        return None;
    }
    let sources = repeat(ty.kind(), 2);
    let (result, sources, compute): (Kind, &[Kind], Compute) = match (opcode, ty) {
        ("setp", _) => (P, sources, by_type!(predicate, ty)),
        ("setp.lo", Type::F16x2) => (P, sources, predicate::<Float<F16, 0>>),
        ("setp.hi", Type::F16x2) => (P, sources, predicate::<Float<F16, 16>>),
        ("setp.lo", Type::Bf16x2) => (P, sources, predicate::<Float<Bf16, 0>>),
        ("setp.hi", Type::Bf16x2) => (P, sources, predicate::<Float<Bf16, 16>>),
        ("set", _) => {
            let is_packed = matches!(ty, Type::F16x2 | Type::Bf16x2);
            let yes = match (words.ty(), is_packed) {
                (Type::U32 | Type::S32, false) => 0,
                (Type::F32, false) => 1,
                (Type::U16 | Type::S16, false) | (Type::U32 | Type::S32, true) => 2,
                (Type::F16, false) | (Type::F16x2, true) => 3,
                (Type::Bf16, false) | (Type::Bf16x2, true) => 4,
                _ => return None,
            };
            let sources = match (mode.detail & XOR, ty.kind()) {
                (0, _) => sources,
                (_, X) => &[X, X, P],
                _ => &[W, W, P],
            };
            mode.detail |= yes << 6;
            let compute = match ty {
                Type::F16x2 => halves::<F16> as Compute,
                Type::Bf16x2 => halves::<Bf16>,
                _ => by_type!(word, ty),
            };
            (W, sources, compute)
        }
        _ => return None,
    };
    Some(Scalar { result, sources, mode, compute, vectorised: None })
}
