//! Contents of a buffer before the first launch.
//!
//! Enters: how it is to be filled. Leaves: its bytes, piece by piece, so that the host never holds a whole buffer.
//!
//! Generated contents are defined exactly, so that other programs can make the same:
//!
//! A vector is that many numbers one after the other: `iota` continues from lane to lane, and each takes a draw of its own.
//!
//! - `fill = v`: every element is `v`.
//! - `iota = v`: element `i` is `v + i`; integers wrap around, floats are the nearest to the sum.
//! - `uniform = [low, high], seed = s`: low ≤ element < high, from the generator PCG-XSH-RR 64/32 (`Pcg32` of the crate
//!   `rand_pcg`, `seed_from_u64(s)`), started again for every buffer; `seed` is 0 where it is left out. A number of
//!   at most 32 bits takes one 32-bit draw `d`, one of 64 bits the next 64-bit draw (the low word is drawn first).
//!   Integers are `low + floor(d·(high − low) / 2^32)` (or `2^64`); floats the nearest to `low + (high − low)·u` in
//!   double precision with `u = d / 2^32`, or for f64 `u = floor(d / 2^11) / 2^53`. Rounding may reach `high`.

use rand_pcg::Pcg32;
use rand_pcg::rand_core::{Rng, SeedableRng};
use scalar::{Number, Scalar};
use std::path::PathBuf;

/// Initial contents of a buffer.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Init {
    /// Raw bytes of a file whose size was found to be right, from an offset on.
    File {
        path: PathBuf,
        offset: u64,
    },
    /// These bytes.
    Bytes(Vec<u8>),
    /// Every element has these bytes.
    Fill(Vec<u8>),
    Iota(Number),
    Uniform {
        low: Number,
        high: Number,
        seed: u64,
    },
}

/// Makes a buffer's numbers in order.
pub(crate) enum Generator {
    /// These bytes, again and again.
    Bytes {
        bytes: Vec<u8>,
        next: usize,
    },
    Iota {
        first: Number,
        next: u64,
    },
    Integers {
        low: i128,
        span: u128,
        random: Pcg32,
    },
    Floats {
        low: f64,
        span: f64,
        random: Pcg32,
    },
}

impl Generator {
    /// Generator of a buffer's initial values; `None` for those of a file.
    pub(crate) fn new(init: &Init, ty: Scalar) -> Option<Self> {
        Some(match *init {
            Init::File { .. } => return None,
            Init::Bytes(ref bytes) | Init::Fill(ref bytes) => {
                Generator::Bytes { bytes: bytes.clone(), next: 0 }
            }
            Init::Iota(first) => Generator::Iota { first, next: 0 },
            Init::Uniform { low, high, seed } => {
                let random = Pcg32::seed_from_u64(seed);
                match (low, high) {
                    (Number::Int(low), Number::Int(high)) if !ty.is_float() => {
                        Generator::Integers { low, span: (high - low).unsigned_abs(), random }
                    }
                    _ => {
                        let (low, high) = (low.as_f64(), high.as_f64());
                        Generator::Floats { low, span: high - low, random }
                    }
                }
            }
        })
    }

    /// The next numbers, as many as there is room for.
    pub(crate) fn fill(&mut self, ty: Scalar, room: &mut [u8]) {
        if let Generator::Bytes { bytes, next } = self {
            repeat(bytes, *next, room);
            *next = (*next + room.len()) % bytes.len().max(1);
            return;
        }
        for element in room.chunks_exact_mut(ty.bytes()) {
            let bits = self.next(ty).to_le_bytes();
            element.copy_from_slice(&bits[..element.len()]);
        }
    }

    fn next(&mut self, ty: Scalar) -> u64 {
        let wide = ty.bytes() == 8;
        match self {
            Generator::Bytes { .. } => 0, // `fill` has taken them
            Generator::Iota { first, next } => {
                let i = *next;
                *next += 1;
                match *first {
                    Number::Int(v) if !ty.is_float() => ty.wrap(v.wrapping_add(i.into())),
                    v => ty.round(v.as_f64() + i as f64),
                }
            }
            Generator::Integers { low, span, random } => {
                let offset = if wide {
                    // 2^64 times at most 2^64 would not fit, but the draw is below 2^64.
                    (u128::from(random.next_u64()) * *span) >> 64
                } else {
                    (u128::from(random.next_u32()) * *span) >> 32
                };
                ty.wrap(low.wrapping_add(offset as i128))
            }
            Generator::Floats { low, span, random } => {
                let u = if ty == Scalar::F64 {
                    (random.next_u64() >> 11) as f64 * 2f64.powi(-53)
                } else {
                    f64::from(random.next_u32()) * 2f64.powi(-32)
                };
                ty.round(*low + *span * u)
            }
        }
    }
}

/// Fills room with bytes again and again, from one of them on.
fn repeat(bytes: &[u8], from: usize, room: &mut [u8]) {
    let once = bytes[from..].iter().chain(&bytes[..from]);
    room.iter_mut().zip(once).for_each(|(to, byte)| *to = *byte);
    let mut done = bytes.len().min(room.len());
    while done < room.len() && done > 0 {
        let next = done.min(room.len() - done);
        room.copy_within(..next, done);
        done += next;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(init: Init, ty: Scalar, len: usize) -> Vec<f64> {
        let mut bytes = vec![0; len * ty.bytes()];
        Generator::new(&init, ty).unwrap().fill(ty, &mut bytes);
        bytes.chunks_exact(ty.bytes()).map(|e| ty.to_f64(ty.load(e))).collect()
    }

    const ALL: [Scalar; 14] = Scalar::ALL;

    #[test]
    fn iota_counts_and_integers_wrap() {
        for ty in ALL {
            assert_eq!(values(Init::Iota(Number::Int(3)), ty, 3), [3.0, 4.0, 5.0], "{ty}");
        }
        assert_eq!(values(Init::Iota(Number::Int(254)), Scalar::U8, 3), [254.0, 255.0, 0.0]);
        assert_eq!(values(Init::Iota(Number::Float(0.5)), Scalar::F32, 2), [0.5, 1.5]);
    }

    #[test]
    fn uniform_reaches_all_of_its_range_and_nothing_else() {
        let uniform = Init::Uniform { low: Number::Int(5), high: Number::Int(9), seed: 7 };
        for ty in ALL {
            let values = values(uniform.clone(), ty, 1000);
            assert!(values.iter().all(|v| (5.0..=9.0).contains(v)), "{ty}");
            if !ty.is_float() {
                assert!(
                    [5.0, 6.0, 7.0, 8.0].iter().all(|v| values.contains(v)) && !values.contains(&9.0),
                    "{ty}"
                );
            }
            let mean = values.iter().sum::<f64>() / 1000.0;
            let middle = if ty.is_float() { 7.0 } else { 6.5 };
            assert!((mean - middle).abs() < 0.2, "{ty}: {mean}");
        }
    }

    #[test]
    fn the_widest_ranges_do_not_overflow() {
        let whole = |ty: Scalar| {
            let (low, high) = ty.range();
            values(Init::Uniform { low: Number::Int(low), high: Number::Int(high + 1), seed: 1 }, ty, 100)
        };
        assert!(whole(Scalar::I64).iter().any(|v| *v < 0.0) && whole(Scalar::I64).iter().any(|v| *v > 0.0));
        assert!(whole(Scalar::U64).iter().any(|v| *v > 1e19));
        assert!(whole(Scalar::U8).iter().any(|v| *v > 200.0));
    }

    #[test]
    fn the_same_seed_gives_the_same_numbers_for_ever() {
        let uniform = |seed| Init::Uniform { low: Number::Int(0), high: Number::Int(1000), seed };
        // By another implementation.
        assert_eq!(values(uniform(7), Scalar::I32, 4), [568.0, 96.0, 638.0, 820.0]);
        assert_ne!(values(uniform(7), Scalar::I32, 4), values(uniform(8), Scalar::I32, 4));
    }

    #[test]
    fn bytes_come_in_pieces_of_any_size() {
        let mut generator = Generator::new(&Init::Fill(vec![1, 2, 3]), Scalar::U8).unwrap();
        let mut pieces = vec![0; 8];
        let (first, second) = pieces.split_at_mut(4);
        generator.fill(Scalar::U8, first);
        generator.fill(Scalar::U8, second);
        assert_eq!(pieces, [1, 2, 3, 1, 2, 3, 1, 2]);
    }

    #[test]
    fn pieces_are_as_the_whole() {
        let init = Init::Uniform { low: Number::Float(0.0), high: Number::Float(1.0), seed: 3 };
        let mut generator = Generator::new(&init, Scalar::F32).unwrap();
        let mut pieces = vec![0; 32];
        let (first, second) = pieces.split_at_mut(12);
        generator.fill(Scalar::F32, first);
        generator.fill(Scalar::F32, second);
        let mut whole = vec![0; 32];
        Generator::new(&init, Scalar::F32).unwrap().fill(Scalar::F32, &mut whole);
        assert_eq!(pieces, whole);
    }
}
