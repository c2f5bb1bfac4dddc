//! Addresses as sums: that many bytes for each step of a thread's index, and a rest.
//!
//! Enters: a value of a kernel. Leaves: its coefficients, or nothing where it is no such sum. This module must never know what
//! is done with the address.

use crate::ir::{Binary, Convert, Def, Function, GlobalId, Op, Value};

use super::divergence::{Divergence, builtin};

/// Most operations of an index.
const DEPTH: u32 = 48;

/// `x · threadIdx.x + y · threadIdx.y + z · threadIdx.z + Σ coefficient · value + constant`, in bytes.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Affine {
    /// Coefficients of the thread's indices.
    pub(super) thread: [i64; 3],
    /// Coefficients of values that are the same in all threads of a block, by value.
    pub(super) terms: Vec<(Value, i64)>,
    /// What is added.
    pub(super) constant: i64,
}

impl Affine {
    fn constant(constant: i64) -> Self {
        Self { constant, ..Self::default() }
    }

    fn plus(mut self, other: &Affine, factor: i64) -> Option<Self> {
        for (own, other) in self.thread.iter_mut().zip(other.thread) {
            *own = own.checked_add(other.checked_mul(factor)?)?;
        }
        self.constant = self.constant.checked_add(other.constant.checked_mul(factor)?)?;
        for (value, coefficient) in &other.terms {
            let by = coefficient.checked_mul(factor)?;
            match self.terms.binary_search_by_key(value, |(value, _)| *value) {
                Ok(at) => {
                    if let Some(term) = self.terms.get_mut(at) {
                        term.1 = term.1.checked_add(by)?;
                    }
                }
                Err(at) => self.terms.insert(at, (*value, by)),
            }
        }
        self.terms.retain(|(_, coefficient)| *coefficient != 0);
        Some(self)
    }

    fn times(&self, factor: i64) -> Option<Self> {
        Affine::default().plus(self, factor)
    }

    /// Whether it is a multiple of another sum, and zero where that is.
    pub(super) fn is_multiple_of(&self, other: &Affine) -> bool {
        let of = self.thread.iter().zip(&other.thread).find(|(_, other)| **other != 0);
        let factor = of.and_then(|(own, other)| own.checked_div(*other)).filter(|factor| *factor != 0);
        factor.and_then(|factor| other.times(factor)).is_some_and(|other| other == *self)
    }

    /// The sum without a multiple of another one that is zero, such that a coefficient of the thread's indices goes; nothing where
    /// there is no such multiple.
    pub(super) fn without(&self, zero: &Affine) -> Option<Self> {
        let of = self.thread.iter().zip(&zero.thread).find(|(own, zero)| **own != 0 && **zero != 0);
        let (own, zeros) = of?;
        (own % zeros == 0).then_some(())?;
        self.clone().plus(zero, -(own / zeros))
    }

    /// The difference of two sums.
    pub(super) fn minus(&self, other: &Affine) -> Option<Self> {
        self.clone().plus(other, -1)
    }
}

/// Variable that an address leads into, and the bytes from its beginning.
pub(super) fn address(
    function: &Function,
    divergence: &Divergence,
    pointer: Value,
) -> Option<(GlobalId, Affine)> {
    let mut sum = Affine::default();
    let mut pointer = pointer;
    for _ in 0..DEPTH {
        let (op, args) = defined(function, pointer)?;
        match (op, args) {
            (Op::Global(id), _) => return Some((*id, sum)),
            (Op::Offset, [of, bytes]) => {
                sum = sum.plus(&index(function, divergence, *bytes, 0)?, 1)?;
                pointer = *of;
            }
            (Op::Convert(Convert::Space), [of]) => pointer = *of,
            _ => return None,
        }
    }
    None
}

fn defined(function: &Function, value: Value) -> Option<(&Op, &[Value])> {
    let Def::Result(inst, _) = function.values.get(function.resolve(value).index())?.def else { return None };
    function.insts.get(inst.index()).map(|data| (&data.op, data.args.as_slice()))
}

/// Difference of two numbers as a sum.
pub(super) fn difference(function: &Function, divergence: &Divergence, a: Value, b: Value) -> Option<Affine> {
    index(function, divergence, a, 0)?.minus(&index(function, divergence, b, 0)?)
}

/// A number as a sum.
pub(super) fn sum(function: &Function, divergence: &Divergence, value: Value) -> Option<Affine> {
    index(function, divergence, value, 0)
}

fn index(function: &Function, divergence: &Divergence, value: Value, depth: u32) -> Option<Affine> {
    if depth > DEPTH {
        return None;
    }
    if let Some(bits) = function.constant(value) {
        let width = function.ty(value).bytes() * 8;
        let shift = 64 - width.min(64);
        return Some(Affine::constant(((bits << shift) as i64) >> shift));
    }
    let value = function.resolve(value);
    match builtin(function, value) {
        Some("__builtin_threadIdx_x") => return Some(Affine { thread: [1, 0, 0], ..Affine::default() }),
        Some("__builtin_threadIdx_y") => return Some(Affine { thread: [0, 1, 0], ..Affine::default() }),
        Some("__builtin_threadIdx_z") => return Some(Affine { thread: [0, 0, 1], ..Affine::default() }),
        _ => {}
    }
    let part = |value: Value| index(function, divergence, value, depth + 1);
    let sum = match defined(function, value) {
        Some((Op::Binary(Binary::Add(_)), [a, b])) => part(*a)?.plus(&part(*b)?, 1),
        Some((Op::Binary(Binary::Sub(_)), [a, b])) => part(*a)?.plus(&part(*b)?, -1),
        Some((Op::Binary(Binary::Mul(_)), [a, b])) => match (function.constant(*a), function.constant(*b)) {
            (None, Some(_)) => part(*a)?.times(part(*b)?.constant),
            (Some(_), None) => part(*b)?.times(part(*a)?.constant),
            _ => None,
        },
        Some((Op::Binary(Binary::Shl(_)), [a, by])) => match function.constant(*by) {
            Some(by) if by < 32 => part(*a)?.times(1 << by),
            _ => None,
        },
        Some((Op::Convert(Convert::SignExtend | Convert::ZeroExtend), [a])) => part(*a),
        _ => None,
    };
    match sum {
        Some(sum) => Some(sum),
        // Another value is a term of its own, if all threads have the same.
        None if !divergence.may_differ(function, value) => {
            Some(Affine { terms: vec![(value, 1)], ..Affine::default() })
        }
        None => None,
    }
}
