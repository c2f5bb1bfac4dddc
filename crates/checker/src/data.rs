//! The sizes and the data of a case.
//!
//! Enters: an exercise or another setup, and a case that is shown or drawn by a seed. Leaves: numbers by name, and the bytes of each
//! buffer: the same for the same seed on every machine.

use exercise::expression::{self, Expression};
use exercise::manifest::{Buffer, Exercise, Init, Setup, Type};
use rand_pcg::Pcg32;
use rand_pcg::rand_core::{Rng, SeedableRng};
use std::collections::BTreeMap;

/// Word of four bytes that outputs are filled with before a launch: as `float` it is no number.
pub const POISON: u32 = 0xffff_f0f0;

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

    /// Sizes in words, such as `n = 100, width = 33`.
    pub fn words(&self) -> String {
        let each: Vec<String> = self.sizes.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        each.join(", ")
    }

    /// The value of a formula, in which `more` may stand beside sizes and derived numbers.
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
            // Each buffer has numbers of its own, whatever the others' lengths are.
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
        let bound = |formula| self.value(setup, formula, &|_| None).map_err(|error| error.to_string());
        let mut unit = || f64::from(random.next_u32()) * 2f64.powi(-32);
        let numbers: Vec<f64> = match init {
            Init::Fill(value) => vec![*value; len],
            Init::Values(values) => values.iter().copied().cycle().take(len).collect(),
            Init::Uniform([low, high]) => (0..len).map(|_| low + (high - low) * unit()).collect(),
            Init::Integers([low, high]) => {
                let (low, high) = (bound(low)?, bound(high)?);
                let span = high.saturating_sub(low).max(1).unsigned_abs();
                (0..len).map(|_| (low + (random.next_u64() % span) as i64) as f64).collect()
            }
            Init::Permutation(_) => {
                let mut order: Vec<usize> = (0..len).collect();
                for at in (1..len).rev() {
                    order.swap(at, random.next_u32() as usize % (at + 1));
                }
                order.into_iter().map(|n| n as f64).collect()
            }
            Init::Each(formula) => {
                let all = formula.evaluate_each("i", len as i64, &|name| self.named(setup, name));
                all.map_err(|error| error.to_string())?.into_iter().map(|n| n as f64).collect()
            }
            Init::Columns(columns) => {
                let bounds = columns.iter().cycle().take(len);
                bounds.map(|[low, high]| low + (high - low) * unit()).collect()
            }
        };
        Ok(bytes(buffer.ty, &numbers))
    }
}

/// Bytes of elements. Byte by byte this would take as long as many a launch.
pub fn bytes(ty: Type, numbers: &[f64]) -> Vec<u8> {
    fn each<const N: usize>(numbers: &[f64], bytes: impl Fn(f64) -> [u8; N]) -> Vec<u8> {
        let mut all = vec![0; N * numbers.len()];
        for (place, number) in all.as_chunks_mut().0.iter_mut().zip(numbers) {
            *place = bytes(*number);
        }
        all
    }
    match ty {
        Type::U8 => each(numbers, |number| [number as u8]),
        Type::I32 => each(numbers, |number| (number as i32).to_le_bytes()),
        Type::U32 => each(numbers, |number| (number as u32).to_le_bytes()),
        Type::F32 => each(numbers, |number| (number as f32).to_le_bytes()),
        Type::F64 => each(numbers, f64::to_le_bytes),
    }
}

/// The numbers of a buffer; integers of at most 32 bits are exact.
pub fn numbers(ty: Type, bytes: &[u8]) -> Vec<f64> {
    let word = |bytes: &[u8]| u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
    let elements = bytes.chunks_exact(ty.bytes());
    match ty {
        Type::U8 => elements.map(|b| f64::from(b[0])).collect(),
        Type::I32 => elements.map(|b| f64::from(word(b).cast_signed())).collect(),
        Type::U32 => elements.map(|b| f64::from(word(b))).collect(),
        Type::F32 => elements.map(|b| f64::from(f32::from_bits(word(b)))).collect(),
        Type::F64 => {
            elements.map(|b| f64::from_bits(u64::from(word(b)) | u64::from(word(&b[4..])) << 32)).collect()
        }
    }
}
