//! Random numbers as glibc makes them: `rand`, `random`, `rand_r`, and those of `drand48`.
//!
//! Enters: seeds. Leaves: the same numbers as glibc's, bit for bit. `rand` and `random` are one generator, an additive one of 31
//! words (its `TYPE_3`); those of `drand48` are linear congruential of 48 bits.

use super::{
    Library, Row,
    memory::{arguments, from_int, get, get_u32, int, put_u32},
    row,
};
use crate::guest::{Guest, Signal};

pub(super) const ROWS: &[Row] = &[
    row("rand", "i", |library, _, _| Ok(u64::from(library.random.additive.next()))),
    row("random", "l", |library, _, _| Ok(u64::from(library.random.additive.next()))),
    row("srand", "vi", seed),
    row("srandom", "vi", seed),
    row("rand_r", "ip", rand_r),
    row("srand48", "vl", |library, _, given| {
        let [seed] = arguments(given);
        library.random.state48 = (seed & 0xFFFF_FFFF) << 16 | 0x330E;
        Ok(0)
    }),
    row("drand48", "d", |library, _, _| Ok(unit(library.random.next48()).to_bits())),
    row("lrand48", "l", |library, _, _| Ok(library.random.next48() >> 17)),
    row("mrand48", "l", |library, _, _| Ok(signed(library.random.next48()))),
    row("erand48", "dp", |_, guest, given| Ok(unit(own48(guest, given)?).to_bits())),
    row("nrand48", "lp", |_, guest, given| Ok(own48(guest, given)? >> 17)),
    row("jrand48", "lp", |_, guest, given| Ok(signed(own48(guest, given)?))),
];

/// State of all generators.
#[derive(Clone, Debug)]
pub(super) struct Random {
    additive: Additive,
    state48: u64,
}

impl Random {
    pub(super) fn new() -> Self {
        Self { additive: Additive::new(1), state48: 0 }
    }

    fn next48(&mut self) -> u64 {
        self.state48 = step48(self.state48);
        self.state48
    }
}

/// Words of the additive generator.
const WORDS: usize = 31;
/// How far apart the words are that are added.
const APART: usize = 3;

/// `x[i] = x[i-3] + x[i-31]`, without the lowest bit.
#[derive(Clone, Debug)]
struct Additive {
    words: [u32; WORDS],
    at: usize,
}

impl Additive {
    fn new(seed: u32) -> Self {
        let mut words = [0; WORDS];
        let mut word = if seed == 0 { 1 } else { seed.cast_signed() };
        for place in &mut words {
            *place = word.cast_unsigned();
            // 16807 · word modulo 2^31 - 1, by Schrage, in 64 bits as glibc has it.
            let (high, low) = (i64::from(word) / 127_773, i64::from(word) % 127_773);
            let next = 16_807 * low - 2_836 * high;
            word = if next < 0 { next + i64::from(i32::MAX) } else { next } as i32;
        }
        let mut generator = Self { words, at: 0 };
        for _ in 0..10 * WORDS {
            generator.next();
        }
        generator
    }

    fn next(&mut self) -> u32 {
        let front = (self.at + APART) % WORDS;
        self.words[front] = self.words[front].wrapping_add(self.words[self.at]);
        self.at = (self.at + 1) % WORDS;
        self.words[front] >> 1
    }
}

fn seed(library: &mut Library, _: &mut dyn Guest, given: &[u64]) -> Result<u64, Signal> {
    let [seed] = arguments(given);
    library.random.additive = Additive::new(int(seed).cast_unsigned());
    Ok(0)
}

fn rand_r(_: &mut Library, guest: &mut dyn Guest, given: &[u64]) -> Result<u64, Signal> {
    let [place] = arguments(given);
    let mut next = get_u32(guest, place)?;
    let mut step = |modulus: u32| {
        next = next.wrapping_mul(1_103_515_245).wrapping_add(12_345);
        (next / 65_536) % modulus
    };
    let mut result = step(2_048);
    result = result << 10 ^ step(1_024);
    result = result << 10 ^ step(1_024);
    put_u32(guest, place, next)?;
    Ok(from_int(result.cast_signed()))
}

fn step48(state: u64) -> u64 {
    state.wrapping_mul(0x5_DEEC_E66D).wrapping_add(0xB) & 0xFFFF_FFFF_FFFF
}

/// A number in [0, 1) of 48 bits.
fn unit(state: u64) -> f64 {
    state as f64 / (1u64 << 48) as f64
}

/// The upper 32 of 48 bits, as a signed `long`.
fn signed(state: u64) -> u64 {
    i64::from(((state >> 16) as u32).cast_signed()).cast_unsigned()
}

/// The next state of one that the program keeps, in three words of 16 bits.
fn own48(guest: &mut dyn Guest, given: &[u64]) -> Result<u64, Signal> {
    let [place] = arguments(given);
    let [a, b, c, d, e, f] = get(guest, place)?;
    let state = step48(u64::from_le_bytes([a, b, c, d, e, f, 0, 0]));
    guest.write(place, &state.to_le_bytes()[..6])?;
    Ok(state)
}
