//! Products of matrices by vector instructions: 16 rows at a time.
//!
//! Enters: a product and the registers of 32 lanes. Leaves: the result's registers, or nothing: for types that are not
//! worth it, and for infinities and NaNs, which [`super::fused`] has to look at one by one. Otherwise the results are those
//! of the functions there, which say what tensor cores do; a test compares the two.
//!
//! The order of products that are added at once, or are integers, does not matter: the elements of `k` are kept in the
//! order in which they come out of registers. `.tf32`, which is added in steps, has one in a register, so that it is theirs.

use super::fused::{self, BF16, F16, F32, Format, KEPT, LEAST, NONE, TF32};
use super::shape::{Element, Product, Sum, place_of_lane};
use crate::WARP;
use crate::lanes::W;
use crate::semantics::{add_f32, half};
use simd::Work;
use std::sync::OnceLock;

/// The most rows, and elements of `k` of floating-point numbers, that an instruction has; and of integers.
const ROWS: usize = 16;
const COLUMNS: usize = 8;
const DEPTH: usize = 16;
const DEPTH_OF_INTEGERS: usize = 64;

type Rows = [i32; ROWS];

/// A number of each lane.
type Lanes = [i32; WARP];

/// Sums by column.
type Sums = [Rows; COLUMNS];

/// A part of each element of the factors: of the left one by `k`, of the right one by column.
struct Factors<const K: usize> {
    left: [Rows; K],
    right: [[i32; K]; COLUMNS],
}

/// A product with the registers of its operands and of its result.
pub(super) struct Registers<'r> {
    pub(super) of: &'r Product,
    pub(super) a: &'r [&'r W],
    pub(super) b: &'r [&'r W],
    pub(super) c: &'r [&'r W],
    pub(super) d: &'r mut [W],
}

impl Work for Registers<'_> {
    /// Whether the result's registers have been written.
    type Output = bool;

    #[inline(always)]
    fn call(mut self) -> bool {
        let sums = match self.of.a {
            Element::F16 => self.floats(F16),
            Element::Bf16 => self.floats(BF16),
            Element::Tf32 => self.floats(TF32),
            Element::E4m3 | Element::E5m2 => self.bytes(),
            Element::Whole { .. } => Some(self.integers()),
            Element::F64 | Element::Bits { .. } => None,
        };
        sums.map(|sums| self.write(&sums)).is_some()
    }
}

impl<const K: usize> Factors<K> {
    #[inline(always)]
    fn new() -> Self {
        Factors { left: [[0; ROWS]; K], right: [[0; K]; COLUMNS] }
    }
}

impl Registers<'_> {
    /// Where a left register's element belongs: the first of four neighbouring `k`, and the first of eight rows.
    #[inline(always)]
    fn place_of_left(&self, register: usize, e: usize) -> (usize, usize) {
        let halves = self.of.m / 8;
        (e * (self.a.len() / halves * 4) + register / halves * 4, register % halves * 8)
    }

    /// Where a right register's element belongs: the first of four neighbouring `k`.
    #[inline(always)]
    fn place_of_right(&self, register: usize, e: usize) -> usize {
        e * (self.b.len() * 4) + register * 4
    }

    /// The sums that registers hold: each a word, or two halves.
    #[inline(always)]
    fn sums(&self) -> Sums {
        let mut out = [[0; ROWS]; COLUMNS];
        for (r, register) in self.c.iter().enumerate() {
            for e in 0..self.of.c.in_register() {
                for l in 0..WARP {
                    let (row, column) = place_of_lane(self.of.c, r, l, e);
                    let bits = register.0[l] >> (16 * e) & self.of.c.mask() as u32;
                    out[column % COLUMNS][row % ROWS] = bits as i32;
                }
            }
        }
        out
    }

    /// Writes the registers of sums.
    #[inline(always)]
    fn write(&mut self, sums: &Sums) {
        for (r, register) in self.d.iter_mut().enumerate() {
            for l in 0..WARP {
                let mut word = 0;
                for e in 0..self.of.d.in_register() {
                    let (row, column) = place_of_lane(self.of.d, r, l, e);
                    word |= (sums[column % COLUMNS][row % ROWS] as u32) << (16 * e);
                }
                register.0[l] = word;
            }
        }
    }

    #[inline(always)]
    fn floats(&self, format: Format) -> Option<Sums> {
        // The low bits of a `.tf32` are not there.
        let low = if self.of.a == Element::Tf32 { 13 } else { 0 };
        let bits = self.of.a.bits();
        let element = |word: u32, e: usize| word >> (e as u32 * bits) & u32::MAX >> (32 - bits);
        let parts = Numbers::of(self, format, self.of.a.in_register(), |_, word, e| element(word, e) >> low)?;
        if self.of.c != self.of.d {
            return None;
        }
        let mut sums = self.sums();
        for first in (0..self.of.k).step_by(self.of.step) {
            parts.add_products(first..first + self.of.step, self.of.d, &mut sums)?;
        }
        Some(sums)
    }

    /// Factors of 8 bits, as [`fused::bytes`] describes it: two products of halves, one on top of the other.
    #[inline(always)]
    fn bytes(&self) -> Option<Sums> {
        let tables = [halves_of(self.of.a), halves_of(self.of.b)];
        let mut products = [[0; ROWS]; COLUMNS];
        for upper in [0, 16] {
            let half = |right: bool, word: u32, e: usize| {
                let byte = word >> (upper + 8 * e) & 0xff;
                u32::from(tables[usize::from(right)][byte as usize])
            };
            let parts = Numbers::of(self, F16, 2, half)?;
            parts.add_products(0..self.of.k / 2, self.of.d, &mut products)?;
        }
        let mut sums = self.sums();
        for (sums, products) in sums.iter_mut().zip(&products) {
            for (sum, product) in sums.iter_mut().zip(products) {
                let (c, product) = (*sum as u32, *product as u32);
                *sum = if self.of.d == Sum::F16 {
                    let single = |bits: u32| half::f32_from_f16(bits as u16);
                    i32::from(half::f16_from_f32(add_f32(single(c), single(product))))
                } else {
                    add_f32(c, product) as i32
                };
            }
        }
        Some(sums)
    }

    #[inline(always)]
    fn integers(&self) -> Sums {
        let of = self.of;
        let mut factors = Factors::<DEPTH_OF_INTEGERS>::new();
        for e in 0..of.a.in_register() {
            for (r, register) in self.a.iter().enumerate() {
                let (k, row) = self.place_of_left(r, e);
                put_left(&mut factors.left, &integers(register, of.a, e), k, row);
            }
            for (r, register) in self.b.iter().enumerate() {
                put_right(&mut factors.right, &integers(register, of.b, e), self.place_of_right(r, e));
            }
        }
        let mut sums = self.sums();
        for (sums, right) in sums.iter_mut().zip(&factors.right) {
            let mut products = [0; ROWS];
            for (left, right) in factors.left.iter().zip(right).take(of.k) {
                for r in 0..ROWS {
                    // 64 products of 8 bits stay far below 32 bits.
                    products[r] += left[r] * right;
                }
            }
            for (sum, products) in sums.iter_mut().zip(products) {
                *sum = if of.saturate { sum.saturating_add(products) } else { sum.wrapping_add(products) };
            }
        }
        sums
    }
}

/// Puts a number of each lane where it belongs in the left factor.
#[inline(always)]
fn put_left<const K: usize>(to: &mut [Rows; K], lanes: &Lanes, k: usize, row: usize) {
    for l in 0..WARP {
        to[(k + l % 4) % K][(row + l / 4) % ROWS] = lanes[l];
    }
}

/// Puts a number of each lane where it belongs in the right factor.
#[inline(always)]
fn put_right<const K: usize>(to: &mut [[i32; K]; COLUMNS], lanes: &Lanes, k: usize) {
    for l in 0..WARP {
        to[l / 4][(k + l % 4) % K] = lanes[l];
    }
}

/// An integer of each lane's register.
#[inline(always)]
fn integers(register: &W, element: Element, e: usize) -> Lanes {
    let (bits, signed) = (element.bits(), matches!(element, Element::Whole { signed: true, .. }));
    let up = 32 - bits * (e as u32 + 1);
    let mut out = [0; WARP];
    for l in 0..WARP {
        let word = register.0[l] << up;
        out[l] = if signed { word as i32 >> (32 - bits) } else { (word >> (32 - bits)) as i32 };
    }
    out
}

/// The `.f16` of each number of 8 bits.
fn halves_of(element: Element) -> &'static [u16; 256] {
    static TABLES: [OnceLock<[u16; 256]>; 2] = [OnceLock::new(), OnceLock::new()];
    let table = &TABLES[usize::from(element == Element::E5m2)];
    table.get_or_init(|| std::array::from_fn(|byte| fused::half(element, byte as u64) as u16))
}

/// A number of each lane, taken apart.
struct Apart {
    /// With its sign, shifted up.
    significand: Lanes,
    exponent: Lanes,
    /// Whether one of them is infinite or no number.
    special: bool,
}

impl Apart {
    #[inline(always)]
    fn of(format: Format, words: &[u32; WARP], shift: u32) -> Self {
        let (fraction_bits, largest) = (format.fraction, (1 << format.exponent) - 1);
        let bias = largest / 2;
        let mut out = Apart { significand: [0; WARP], exponent: [0; WARP], special: false };
        let mut highest = 0;
        for l in 0..WARP {
            let bits = words[l];
            let fraction = (bits & ((1 << fraction_bits) - 1)) as i32;
            let biased = (bits >> fraction_bits) as i32 & largest;
            let sign = 0i32.wrapping_sub((bits >> (fraction_bits + format.exponent) & 1) as i32);
            let magnitude = if biased == 0 { fraction } else { fraction | 1 << fraction_bits } << shift;
            out.significand[l] = (magnitude ^ sign) - sign;
            out.exponent[l] = if magnitude == 0 { NONE } else { biased.max(1) - bias };
            highest = highest.max(biased);
        }
        out.special = highest == largest;
        out
    }
}

/// Floating-point factors.
struct Numbers {
    significands: Factors<DEPTH>,
    exponents: Factors<DEPTH>,
}

impl Numbers {
    /// The elements that a word has, as `element` takes them out of one of the left or the right factor; nothing if one of them
    /// is infinite or no number.
    #[inline(always)]
    fn of(
        registers: &Registers<'_>,
        format: Format,
        in_word: usize,
        element: impl Fn(bool, u32, usize) -> u32,
    ) -> Option<Self> {
        let mut out = Numbers { significands: Factors::new(), exponents: Factors::new() };
        let mut words = [0; WARP];
        let mut special = false;
        for e in 0..in_word {
            for (r, register) in registers.a.iter().enumerate() {
                for l in 0..WARP {
                    words[l] = element(false, register.0[l], e);
                }
                let apart = Apart::of(format, &words, KEPT as u32 - 2 * format.fraction);
                let (k, row) = registers.place_of_left(r, e);
                put_left(&mut out.significands.left, &apart.significand, k, row);
                put_left(&mut out.exponents.left, &apart.exponent, k, row);
                special |= apart.special;
            }
            for (r, register) in registers.b.iter().enumerate() {
                for l in 0..WARP {
                    words[l] = element(true, register.0[l], e);
                }
                let apart = Apart::of(format, &words, 0);
                let k = registers.place_of_right(r, e);
                put_right(&mut out.significands.right, &apart.significand, k);
                put_right(&mut out.exponents.right, &apart.exponent, k);
                special |= apart.special;
            }
        }
        if special { None } else { Some(out) }
    }

    /// Adds to each sum its products, as the tensor cores do: [`super::fused`] has the rule. Nothing if a sum is infinite
    /// or no number.
    #[inline(always)]
    fn add_products(&self, step: std::ops::Range<usize>, kind: Sum, sums: &mut Sums) -> Option<()> {
        let format = if kind == Sum::F16 { F16 } else { F32 };
        for (column, sums) in sums.iter_mut().enumerate() {
            let mut words = [0; WARP];
            for r in 0..ROWS {
                words[r] = sums[r] as u32;
            }
            let c = Apart::of(format, &words, KEPT as u32 - format.fraction);
            if c.special {
                return None;
            }
            let (significands, exponents) = (&self.significands.right[column], &self.exponents.right[column]);
            let mut most = [0; ROWS];
            for r in 0..ROWS {
                most[r] = c.exponent[r].max(LEAST);
            }
            for k in step.clone() {
                for r in 0..ROWS {
                    most[r] = most[r].max(self.exponents.left[k][r] + exponents[k]);
                }
            }
            // Sixteen products are just below 2^31; with `c` they may be above it.
            let mut total = [0; ROWS];
            for k in step.clone() {
                let (left, exponent) = (&self.significands.left[k], &self.exponents.left[k]);
                for r in 0..ROWS {
                    total[r] += cut(left[r] * significands[k], most[r], exponent[r] + exponents[k]);
                }
            }
            for r in 0..ROWS {
                sums[r] = rounded(
                    kind,
                    f64::from(total[r]) + f64::from(cut(c.significand[r], most[r], c.exponent[r])),
                    most[r] - KEPT,
                );
            }
        }
        Some(())
    }
}

/// A value cut off toward zero below the places that are kept.
#[inline(always)]
fn cut(value: i32, most: i32, exponent: i32) -> i32 {
    // At most 31, so that nothing is left of what is far below.
    let by = (most - exponent).min(31) & 31;
    let sign = value >> 31;
    (((value ^ sign) - sign) >> by ^ sign) - sign
}

/// A sum's bits: `value` times 2^`unit`, cut off to an `.f32` or rounded to the nearest `.f16`; zero is +0.
#[inline(always)]
fn rounded(kind: Sum, value: f64, unit: i32) -> i32 {
    let value = value * f64::from_bits(((unit + 1023) as u64) << 52);
    if kind == Sum::F16 {
        let bits = half::nearest_f16(value);
        return if bits & 0x7fff == 0 { 0 } else { bits.into() };
    }
    // The places of an `.f64` that an `.f32` has not; among the subnormal numbers they are more.
    let normal = f64::from_bits(value.to_bits() & !((1 << 29) - 1)) as f32;
    let places = (value * f64::from_bits((1023 + 149) << 52)).trunc() as f32;
    let tiny = value.abs() < f64::from(f32::MIN_POSITIVE);
    let bits = if tiny { places * f32::from_bits(1) } else { normal }.to_bits();
    if bits << 1 == 0 { 0 } else { bits as i32 }
}
