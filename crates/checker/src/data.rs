//! The sizes and the data of a case.
//!
//! Enters: an exercise or another setup, and a case that is shown or drawn by a seed. Leaves: numbers by name, and the bytes of each
//! buffer: the same for the same seed on every machine.

use exercise::expression::{self, Expression};
use exercise::manifest::{Buffer, Exercise, Init, Setup};
use rand_pcg::Pcg32;
use rand_pcg::rand_core::{Rng, SeedableRng};
use scalar::{Number, Scalar, Tolerance};
use std::collections::BTreeMap;

/// Word of four bytes that outputs are filled with before a launch: as `float` it is not a number.
const POISON: u32 = 0xffff_f0f0;

/// Most bytes that a case's buffers may have together.
const MOST_BYTES: i64 = 1 << 28;

/// Sizes of one run, by name, and the seed of its data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// Sizes.
    pub sizes: BTreeMap<String, i64>,
    /// Seed of random contents.
    pub seed: u64,
}

impl Case {
    /// The cases that an exercise shows, whose data are the same every time.
    pub fn shown(exercise: &Exercise) -> Vec<Case> {
        let seeds = 1..;
        exercise.cases.iter().zip(seeds).map(|(sizes, seed)| Case { sizes: sizes.clone(), seed }).collect()
    }

    /// A case with sizes and data that a seed decides.
    pub fn hidden(exercise: &Exercise, seed: u64) -> Case {
        let mut random = Pcg32::seed_from_u64(seed);
        let draw = |(name, range): (&String, &exercise::manifest::Range)| {
            let n = random.next_u64() % range.count().unsigned_abs();
            (name.clone(), range.nth(n as i64))
        };
        Case { sizes: exercise.hidden.iter().map(draw).collect(), seed: seed.wrapping_add(1 << 32) }
    }

    /// Cases for a source that has passed those which are shown: their sizes with other data, and a hidden one.
    pub fn again(exercise: &Exercise, seed: u64) -> Vec<Case> {
        let shown = Case::shown(exercise).into_iter();
        let other =
            shown.map(|case| Case { seed: case.seed.wrapping_add(seed).wrapping_add(1 << 33), ..case });
        other.chain([Case::hidden(exercise, seed)]).collect()
    }

    /// Sizes in words, such as `n = 100, width = 33`.
    pub fn words(&self) -> String {
        let each: Vec<String> = self.sizes.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        each.join(", ")
    }

    /// The value of a formula, in which `more` may be used as well as sizes and derived numbers.
    ///
    /// # Errors
    /// A name without a value, a division by zero, or a number beyond 64 bits.
    pub fn value(
        &self,
        setup: Setup<'_>,
        formula: &Expression,
        more: &dyn Fn(&str) -> Option<i64>,
    ) -> Result<i64, expression::Error> {
        formula.evaluate(&|name| more(name).or_else(|| self.named(setup, name)))
    }

    /// The value of a formula in real numbers.
    pub(crate) fn real(
        &self,
        setup: Setup<'_>,
        formula: &Expression,
        more: &dyn Fn(&str) -> Option<i64>,
    ) -> Result<f64, expression::Error> {
        formula.evaluate_real(&|name| more(name).or_else(|| self.named(setup, name)).map(|n| n as f64))
    }

    fn named(&self, setup: Setup<'_>, name: &str) -> Option<i64> {
        // Derived numbers may follow from each other; one that follows from itself has no value.
        fn named(case: &Case, setup: Setup<'_>, name: &str, depth: usize) -> Option<i64> {
            let derived = || {
                let formula = setup.derived.get(name).filter(|_| depth > 0)?;
                formula.evaluate(&|name| named(case, setup, name, depth - 1)).ok()
            };
            case.sizes.get(name).copied().or_else(derived)
        }
        named(self, setup, name, setup.derived.len())
    }

    /// Bytes of all buffers.
    ///
    /// # Errors
    /// A length that is negative, or more memory than a case may take.
    pub fn contents(&self, setup: Setup<'_>) -> Result<Vec<Vec<u8>>, String> {
        let mut total = 0;
        let mut all = vec![];
        for (number, buffer) in (0..).zip(setup.buffers) {
            let len = self.value(setup, &buffer.len, &|_| None).map_err(|error| error.to_string())?;
            let bytes = len.checked_mul(buffer.ty.bytes() as i64).unwrap_or(-1);
            total += bytes.max(0);
            if bytes < 0 || total > MOST_BYTES {
                return Err(format!("the buffer `{}` cannot have {len} elements", buffer.name));
            }
            // Each buffer has its own numbers, whatever the lengths of the others.
            let random = Pcg32::new(self.seed, number);
            all.push(self.fill(setup, buffer, len as usize, random)?);
        }
        Ok(all)
    }

    fn fill(
        &self,
        setup: Setup<'_>,
        buffer: &Buffer,
        len: usize,
        mut random: Pcg32,
    ) -> Result<Vec<u8>, String> {
        let Some(init) = &buffer.init else {
            let bytes = len * buffer.ty.bytes();
            let mut poison = POISON.to_le_bytes().repeat(bytes.div_ceil(size_of_val(&POISON)));
            poison.truncate(bytes);
            return Ok(poison);
        };
        let ty = buffer.ty;
        let bound = |formula| self.value(setup, formula, &|_| None).map_err(|error| error.to_string());
        let mut unit = || f64::from(random.next_u32()) * 2f64.powi(-32);
        let given = |number: &Number| {
            ty.encode(*number).map_err(|why| format!("the contents of `{}`: {why}", buffer.name))
        };
        Ok(match init {
            Init::Fill(value) => words(ty, &vec![given(value)?; len]),
            Init::Values(values) => {
                let given: Vec<u64> = values.iter().take(len).map(given).collect::<Result<_, _>>()?;
                words(ty, &given.into_iter().cycle().take(len).collect::<Vec<_>>())
            }
            Init::Uniform([low, high]) => {
                bytes(ty, &(0..len).map(|_| low + (high - low) * unit()).collect::<Vec<_>>())
            }
            Init::Integers([low, high]) => {
                let (low, high) = (bound(low)?, bound(high)?);
                let span = high.saturating_sub(low).max(1).unsigned_abs();
                integers(ty, (0..len).map(|_| low.wrapping_add((random.next_u64() % span) as i64)))
            }
            Init::Permutation(_) => {
                let mut order: Vec<i64> = (0..len as i64).collect();
                for at in (1..len).rev() {
                    order.swap(at, random.next_u32() as usize % (at + 1));
                }
                integers(ty, order.into_iter())
            }
            Init::Each(formula) => {
                let all = formula.evaluate_each("i", len as i64, &|name| self.named(setup, name));
                integers(ty, all.map_err(|error| error.to_string())?.into_iter())
            }
            Init::Columns(columns) => {
                let bounds = columns.iter().cycle().take(len);
                bytes(ty, &bounds.map(|[low, high]| low + (high - low) * unit()).collect::<Vec<_>>())
            }
        })
    }
}

/// Bytes of elements, each of which is what `bytes` makes of a value. Byte by byte this would take as long as many a launch.
fn each<T: Copy, const N: usize>(values: &[T], bytes: impl Fn(T) -> [u8; N]) -> Vec<u8> {
    let mut all = vec![0; N * values.len()];
    for (place, value) in all.as_chunks_mut().0.iter_mut().zip(values) {
        *place = bytes(*value);
    }
    all
}

/// Bytes of elements that are given by their bits.
fn words(ty: Scalar, bits: &[u64]) -> Vec<u8> {
    match ty.bytes() {
        1 => each(bits, |bits| [bits as u8]),
        2 => each(bits, |bits| (bits as u16).to_le_bytes()),
        4 => each(bits, |bits| (bits as u32).to_le_bytes()),
        _ => each(bits, u64::to_le_bytes),
    }
}

/// Bytes of elements for whole numbers, of which integers have the low bits, as in C.
fn integers(ty: Scalar, numbers: impl Iterator<Item = i64>) -> Vec<u8> {
    if ty.is_float() {
        return bytes(ty, &numbers.map(|number| number as f64).collect::<Vec<_>>());
    }
    words(ty, &numbers.map(i64::cast_unsigned).collect::<Vec<_>>())
}

/// Bytes of elements, which are the nearest to these numbers that their type has.
pub fn bytes(ty: Scalar, numbers: &[f64]) -> Vec<u8> {
    match ty {
        Scalar::F32 => each(numbers, |number| (number as f32).to_le_bytes()),
        Scalar::F64 => each(numbers, f64::to_le_bytes),
        _ => words(ty, &numbers.iter().map(|number| ty.nearest(*number)).collect::<Vec<_>>()),
    }
}

/// An element of a buffer.
pub fn number(ty: Scalar, bytes: &[u8], index: usize) -> Number {
    ty.number(ty.load(&bytes[index * ty.bytes()..][..ty.bytes()]))
}

/// Indices of the elements that differ from what is expected, of two buffers of as many elements, which may be of two types. A
/// NaN differs from every number.
pub fn differing(found: (Scalar, &[u8]), expected: (Scalar, &[u8]), tolerance: Tolerance) -> Vec<usize> {
    let differs = |difference: f64, expected: f64| !tolerance.allows(difference, expected);
    let whole = |ty: Scalar| !ty.is_float() && ty.bytes() == 8;
    if whole(found.0) || whole(expected.0) {
        // As doubles, such integers would have lost digits.
        let count = found.1.len() / found.0.bytes();
        let pair = |n: usize| (number(found.0, found.1, n), number(expected.0, expected.1, n));
        let is_other =
            |(found, expected): (Number, Number)| differs(found.distance(expected), expected.as_f64());
        return (0..count).filter(|n| is_other(pair(*n))).collect();
    }
    let pairs = numbers(found.0, found.1).into_iter().zip(numbers(expected.0, expected.1));
    let others =
        pairs.enumerate().filter(|(_, (found, expected))| differs((found - expected).abs(), *expected));
    others.map(|(n, _)| n).collect()
}

/// The numbers of a buffer; integers of at most 32 bits are exact.
pub fn numbers(ty: Scalar, bytes: &[u8]) -> Vec<f64> {
    match ty {
        Scalar::F32 => bytes.as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes).into()).collect(),
        Scalar::F64 => bytes.as_chunks().0.iter().map(|bytes| f64::from_le_bytes(*bytes)).collect(),
        _ => bytes.chunks_exact(ty.bytes()).map(|bytes| ty.to_f64(ty.load(bytes))).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_of_64_bits_are_compared_to_their_last_bit() {
        let most = i64::MAX - 1;
        let [found, expected] = [[most, most, 0, -5], [most, most + 1, 1, -5]]
            .map(|numbers| integers(Scalar::I64, numbers.into_iter()));
        let differing =
            |within| differing((Scalar::I64, &found), (Scalar::I64, &expected), Tolerance::within(within));
        assert_eq!((differing(0.0), differing(1.0)), (vec![1, 2], vec![]));
        assert_eq!(number(Scalar::I64, &expected, 1), Number::Int(i64::MAX.into()));
        // A value that a type cannot hold equals none of its numbers, whatever its bits.
        let unsigned =
            super::differing((Scalar::U64, &[0xff; 8]), (Scalar::I64, &[0xff; 8]), Tolerance::default());
        assert_eq!(unsigned, [0]);
        let none = super::differing(
            (Scalar::U64, &[0; 8]),
            (Scalar::F64, &f64::NAN.to_le_bytes()),
            Tolerance::within(1.0),
        );
        assert_eq!(none, [0], "a number that is none differs from all");
    }

    #[test]
    fn numbers_become_elements_of_every_type_and_numbers_again() {
        for ty in Scalar::ALL {
            assert_eq!(numbers(ty, &bytes(ty, &[0.0, 1.0, 100.7])).len(), 3, "{ty}");
            assert_eq!(numbers(ty, &bytes(ty, &[2.0, 96.0])), [2.0, 96.0], "{ty}");
            assert_eq!(numbers(ty, &integers(ty, [2, 96].into_iter())), [2.0, 96.0], "{ty}");
        }
        assert_eq!(bytes(Scalar::I16, &[-1.5, 1e9, f64::NAN]), [0xff, 0xff, 0xff, 0x7f, 0, 0]);
        assert_eq!(bytes(Scalar::U64, &[-1.0, 1e30]), [[0; 8], [0xff; 8]].concat());
        assert_eq!(integers(Scalar::U8, [255, 256, -1].into_iter()), [255, 0, 255], "as C has it");
        assert_eq!(integers(Scalar::I64, [i64::MAX].into_iter()), i64::MAX.to_le_bytes());
    }
}
