//! The long tail of PTX: everything that only computes and is too rare for the vectorised table in `ir::compute`. One lane
//! at a time, through a pure function that the decoder looks up once.
//!
//! Enters: an opcode and its modifiers. Leaves: what files its operands are in and a function of their bits. This
//! module must never know of lanes, masks, registers or memory.
//!
//! A family of instructions is a file: `integer`, `bits`, `compare`, `float`, `approximate`, `convert`,
//! `fp8`, `video`. What they share:
//! `words` (modifiers as values), `format` and `exact` (floating point of any width, rounded once, in any direction).

mod approximate;
mod bits;
mod compare;
mod convert;
mod exact;
mod float;
mod format;
mod fp8;
mod integer;
#[cfg(test)]
mod tests;
pub(crate) mod video;
mod words;

use super::rounding::Rounding;
use super::vectorised::{self, Vectorised};
use words::Words;

/// Where an operand's bits are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Up to 32 bits (also `.b8`, `.b16`, `.f16`, `.bf16`, `.f16x2`), in the low bits; a result's upper bits are zero,
    /// save that `cvt` to `.s8` and `.s16` extends the sign to 32 bits.
    W,
    /// 64 bits.
    X,
    /// A predicate: 0 or 1.
    P,
    /// An integer that is in the instruction itself.
    Immediate,
}

/// Modifiers of an instruction, where one function serves several.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Mode {
    /// Rounding.
    pub(crate) rounding: Rounding,
    /// Subnormal inputs and results become zero of the same sign (`.ftz`).
    pub(crate) ftz: bool,
    /// Results are clamped to 0.0 ..= 1.0, or to the range of the integer (`.sat`).
    pub(crate) sat: bool,
    /// Anything else that a family of functions wants to tell itself.
    pub(crate) detail: u16,
}

/// The result's bits from the operands' bits.
pub(crate) type Compute = fn(Mode, [u64; 4]) -> u64;

/// An instruction of one lane.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scalar {
    /// Where the result goes.
    pub(crate) result: Kind,
    /// Where the operands come from, in the order of the PTX: at most four.
    pub(crate) sources: &'static [Kind],
    /// Handed to `compute`.
    pub(crate) mode: Mode,
    /// The result's bits from the operands' bits (what `sources` does not name is 0).
    pub(crate) compute: Compute,
    /// The loop over all lanes that computes the same, if the instruction is one of the more common ones.
    pub(crate) vectorised: Option<Vectorised>,
}

/// The instruction with these modifiers, if it is known and only computes.
///
/// In addition to the opcodes of PTX there are halves of instructions with two results. `carry.add`, `carry.sub`,
/// `carry.madlo` and `carry.madhi` with a type give the carry (of a subtraction: the borrow) that `.cc` writes, `sum.…`
/// with the same operands the value; the last operand is the carry that comes in. `setp.lo` and `setp.hi` are the
/// two predicates of a comparison of packed halves.
pub(crate) fn find(opcode: &str, modifiers: &[&str]) -> Option<Scalar> {
    let mnemonic = std::iter::once(opcode).chain(modifiers.iter().copied()).collect::<Vec<_>>().join(".");
    find_named(opcode, modifiers, &mnemonic)
}

/// [`find`], for callers that have the opcode and its modifiers in one word too.
pub(crate) fn find_named(opcode: &str, modifiers: &[&str], mnemonic: &str) -> Option<Scalar> {
    let scalar = one_lane(opcode, modifiers)?;
    Some(Scalar { vectorised: vectorised::named(mnemonic), ..scalar })
}

fn one_lane(opcode: &str, modifiers: &[&str]) -> Option<Scalar> {
    match opcode {
        "set" | "setp" | "setp.lo" | "setp.hi" | "selp" | "slct" => compare::find(opcode, modifiers),
        "cvt" => convert::find(modifiers),
        "prmt" => bits::permute(modifiers),
        "add" | "sub" | "mul" | "mad" | "div" | "rem" | "abs" | "neg" | "min" | "max" | "fma" | "rcp"
        | "sqrt" | "rsqrt" | "sin" | "cos" | "lg2" | "ex2" | "tanh" | "copysign" | "testp" => {
            let words = Words::parse(modifiers)?;
            if words.ty().is_float() { float::find(opcode, &words) } else { integer::find(opcode, &words) }
        }
        "mul24" | "mad24" | "sad" | "carry.add" | "carry.sub" | "carry.madlo" | "carry.madhi" | "sum.add"
        | "sum.sub" | "sum.madlo" | "sum.madhi" | "dp4a" | "dp2a" => {
            integer::find(opcode, &Words::parse(modifiers)?)
        }
        _ => bits::find(opcode, &Words::parse(modifiers)?),
    }
}
