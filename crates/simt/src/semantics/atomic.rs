//! Atomic operations as pure functions of bits: from the value in memory and operands to the new value.

use super::add_f32;
use super::scalar::{self, Scalar};
use crate::WARP;
use crate::lanes::{ALL, X, lanes};

/// How the value in memory changes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Update {
    pub(crate) operation: Operation,
    pub(crate) ty: Type,
    /// The arithmetic of floating-point types.
    arithmetic: Option<Scalar>,
}

/// The operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operation {
    Add,
    Min,
    Max,
    And,
    Or,
    Xor,
    Exchange,
    CompareAndSwap,
    /// Up to a bound, then zero.
    Increment,
    /// Down to zero, then the bound.
    Decrement,
}

/// The type of the value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Type {
    B16,
    B32,
    B64,
    U32,
    S32,
    U64,
    S64,
    F32,
    /// Of global memory, where subnormal operands and results are zero (PTX ISA, `atom`).
    F32Flushed,
    F64,
    F16,
    F16x2,
    Bf16,
    Bf16x2,
}

impl Type {
    /// Bytes in memory.
    pub(crate) fn bytes(self) -> u8 {
        match self {
            Type::B16 | Type::F16 | Type::Bf16 => 2,
            Type::B64 | Type::U64 | Type::S64 | Type::F64 => 8,
            Type::B32 | Type::U32 | Type::S32 | Type::F32 | Type::F32Flushed | Type::F16x2 | Type::Bf16x2 => {
                4
            }
        }
    }
}

impl Update {
    /// The operation that the words of an `atom`, `red` or `redux` name, for global memory or another.
    pub(crate) fn parse(operation: &str, ty: &str, global: bool) -> Option<Update> {
        use Operation::*;
        use Type::*;
        let name = ty;
        if ty == "b128" && !matches!(operation, "exch" | "cas") {
            return None;
        }
        let ty = match ty {
            "b16" => B16,
            "b32" => B32,
            // A pair of them is what the instruction handles.
            "b64" | "b128" => B64,
            "u32" => U32,
            "s32" => S32,
            "u64" => U64,
            "s64" => S64,
            "f32" if global => F32Flushed,
            "f32" => F32,
            "f64" => F64,
            "f16" => F16,
            "f16x2" => F16x2,
            "bf16" => Bf16,
            "bf16x2" => Bf16x2,
            _ => return None,
        };
        let operation = match (operation, ty) {
            ("add", U32 | S32 | U64 | S64 | F32 | F32Flushed | F64 | F16 | F16x2 | Bf16 | Bf16x2) => Add,
            ("min", U32 | S32 | U64 | S64 | F16 | F16x2 | Bf16 | Bf16x2) => Min,
            ("max", U32 | S32 | U64 | S64 | F16 | F16x2 | Bf16 | Bf16x2) => Max,
            ("and", B32 | B64 | U32 | S32) => And,
            ("or", B32 | B64 | U32 | S32) => Or,
            ("xor", B32 | B64 | U32 | S32) => Xor,
            ("exch", B32 | B64 | U32 | S32 | U64 | S64 | F32 | F32Flushed | F64) => Exchange,
            ("cas", B16 | B32 | B64 | U32 | S32 | U64 | S64) => CompareAndSwap,
            ("inc", U32) => Increment,
            ("dec", U32) => Decrement,
            _ => return None,
        };
        let arithmetic = match (operation, ty) {
            (Add, F32Flushed) => Some(scalar::find("add", &["rn", "ftz", "f32"])?),
            (Add, F32) => Some(scalar::find("add", &["rn", "f32"])?),
            (Add, F64) => Some(scalar::find("add", &["rn", "f64"])?),
            (Add, F16 | F16x2 | Bf16 | Bf16x2) => Some(scalar::find("add", &[name])?),
            (Min, F16 | F16x2 | Bf16 | Bf16x2) => Some(scalar::find("min", &[name])?),
            (Max, F16 | F16x2 | Bf16 | Bf16x2) => Some(scalar::find("max", &[name])?),
            _ => None,
        };
        Some(Update { operation, ty, arithmetic })
    }

    /// How many values it takes.
    pub(crate) fn operands(self) -> usize {
        1 + usize::from(self.operation == Operation::CompareAndSwap)
    }

    /// Changes the values at the addresses of the lanes of `mask`, lowest first, and gives the old ones. All are inside of
    /// `memory`, at multiples of their size.
    pub(crate) fn change(
        &self,
        memory: &mut [u8],
        addresses: &X,
        mask: u32,
        values: [&X; 2],
        old: &mut X,
    ) -> Changes {
        simd::call(Change { update: self, memory, addresses, mask, values, old })
    }

    /// The new value in memory from the old one and the operands (`b` is the new value of `cas`).
    #[inline]
    pub(crate) fn apply(&self, old: u64, a: u64, b: u64) -> u64 {
        use Type::{S32, S64};
        if let Some(Scalar { compute, mode, .. }) = self.arithmetic {
            return compute(mode, [old, a, 0, 0]);
        }
        let mask = u64::MAX >> (64 - 8 * u32::from(self.ty.bytes()));
        let (old, a, b) = (old & mask, a & mask, b & mask);
        let signed = |v: u64| v as u32 as i32;
        match (self.operation, self.ty) {
            (Operation::Exchange, _) => a,
            (Operation::And, _) => old & a,
            (Operation::Or, _) => old | a,
            (Operation::Xor, _) => old ^ a,
            (Operation::CompareAndSwap, _) => {
                if old == a {
                    b
                } else {
                    old
                }
            }
            (Operation::Increment, _) => {
                if old >= a {
                    0
                } else {
                    old + 1
                }
            }
            (Operation::Decrement, _) => {
                if old == 0 || old > a {
                    a
                } else {
                    old - 1
                }
            }
            (Operation::Add, _) => old.wrapping_add(a) & mask,
            (Operation::Min, S64) => (old as i64).min(a as i64) as u64,
            (Operation::Max, S64) => (old as i64).max(a as i64) as u64,
            (Operation::Min, S32) => signed(old).min(signed(a)) as u32 as u64,
            (Operation::Max, S32) => signed(old).max(signed(a)) as u32 as u64,
            (Operation::Min, _) => old.min(a),
            (Operation::Max, _) => old.max(a),
        }
    }
}

/// Whether an atomic operation changed something for a lane of a warp, and whether it did not for one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Changes {
    pub(crate) some: bool,
    pub(crate) not_all: bool,
}

/// A change of values in memory by lanes, see [`Update::change`].
struct Change<'a> {
    update: &'a Update,
    memory: &'a mut [u8],
    addresses: &'a X,
    mask: u32,
    values: [&'a X; 2],
    old: &'a mut X,
}

impl simd::Work for Change<'_> {
    type Output = Changes;

    #[inline(always)]
    fn call(self) -> Changes {
        use Type::{B32, F32, S32, U32};
        let word = |value: u64| value as u32;
        let update = self.update;
        // Which operation it is, is asked once a warp for the most common ones.
        match (update.operation, update.ty) {
            (Operation::Add, U32 | S32) => {
                self.chunks::<4>(|old, a, _| word(old).wrapping_add(word(a)).into())
            }
            (Operation::Add, F32) => self.chunks::<4>(|old, a, _| add_f32(word(old), word(a)).into()),
            (Operation::Min, U32) => self.chunks::<4>(|old, a, _| word(old).min(word(a)).into()),
            (Operation::Max, U32) => self.chunks::<4>(|old, a, _| word(old).max(word(a)).into()),
            (Operation::Max, S32) => {
                self.chunks::<4>(|old, a, _| (word(old) as i32).max(word(a) as i32) as u32 as u64)
            }
            (Operation::Exchange, B32) => self.chunks::<4>(|_, a, _| a),
            (Operation::CompareAndSwap, B32) => {
                self.chunks::<4>(|old, a, b| if word(old) == word(a) { b } else { old })
            }
            _ => {
                let apply = |old, a, b| update.apply(old, a, b);
                match update.ty.bytes() {
                    2 => self.chunks::<2>(apply),
                    4 => self.chunks::<4>(apply),
                    _ => self.chunks::<8>(apply),
                }
            }
        }
    }
}

impl Change<'_> {
    /// Changes values of `BYTES` bytes, lane by lane.
    #[inline(always)]
    fn chunks<const BYTES: usize>(self, update: impl Fn(u64, u64, u64) -> u64) -> Changes {
        let Change { memory, addresses, mask, values: [a, b], old, .. } = self;
        let memory = memory.as_chunks_mut::<BYTES>().0;
        let mut changed = 0;
        let mut change = |l: usize| {
            let chunk = &mut memory[addresses.0[l] as usize / BYTES];
            let mut bytes = [0; 8];
            if let Some(low) = bytes.first_chunk_mut() {
                *low = *chunk;
            }
            let before = u64::from_le_bytes(bytes);
            let after = update(before, a.0[l], b.0[l]).to_le_bytes();
            changed += u32::from(bytes[..BYTES] != after[..BYTES]);
            if let Some(low) = after.first_chunk() {
                *chunk = *low;
            }
            old.0[l] = before;
        };
        if mask == ALL {
            for l in 0..WARP {
                change(l);
            }
        } else {
            for l in lanes(mask) {
                change(l);
            }
        }
        Changes { some: changed != 0, not_all: changed < mask.count_ones() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn apply(operation: &str, ty: &str, old: u64, a: u64, b: u64) -> u64 {
        Update::parse(operation, ty, false).unwrap().apply(old, a, b)
    }

    #[test]
    fn increment_and_decrement_wrap_at_the_bound() {
        assert_eq!(
            (apply("inc", "u32", 4, 5, 0), apply("inc", "u32", 5, 5, 0), apply("inc", "u32", 9, 5, 0)),
            (5, 0, 0)
        );
        assert_eq!(
            (apply("dec", "u32", 4, 5, 0), apply("dec", "u32", 0, 5, 0), apply("dec", "u32", 9, 5, 0)),
            (3, 5, 5)
        );
    }

    #[test]
    fn compare_and_swap_looks_at_the_bytes_of_its_type_alone() {
        assert_eq!((apply("cas", "b16", 7, 0x1_0007, 9), apply("cas", "b16", 8, 7, 9)), (9, 8));
    }

    #[test]
    fn signed_types_compare_signs() {
        let minus = u64::from(-1i32 as u32);
        assert_eq!((apply("min", "s32", minus, 1, 0), apply("min", "u32", minus, 1, 0)), (minus, 1));
        assert_eq!(apply("max", "s64", u64::MAX, 0, 0), 0);
        assert_eq!(apply("add", "u32", 0xffff_ffff, 1, 0), 0);
    }
}
