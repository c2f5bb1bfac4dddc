//! Sums of products as tensor cores make them, of `.f16`, `.bf16` and `.tf32`.
//!
//! The summation of an H200, found by comparing: of 10,289,152 results of these types' instructions none differs, with
//! operands of all bits, of like and of unlike sizes, that cancel, subnormal ones, zeros, infinities and NaNs:
//!
//! - All products of an instruction's row and column, at most 16, and `c` are added at once. Products are exact.
//! - Each term is cut off (toward zero) below 2^-25 of the largest exponent. An exponent is that of the operands' bits: of
//!   a product the sum of two, though the product of the significands may be 2 or more, of subnormal numbers the least.
//!   Terms that are zero do not count, and the largest is taken to be at least -133.
//! - The sum of these is exact; it is cut off to an `.f32`, or rounded to the nearest `.f16`. A sum of zero is +0, also one
//!   that became so by rounding.
//! - A NaN, and infinities of both signs or times zero, give 0x7fffffff (0x7fff).
//!
//! `.m8n8k4` of `.f16` is not done by tensor cores since Ampere, see [`super::quads`].

use super::shape::{Element, Product, Sum};
use crate::semantics::half::{f16_from_f32, f32_from_f16};

/// Bits below the largest exponent that a term keeps.
pub(super) const KEPT: i32 = 25;
/// The least that the largest exponent is taken to be.
pub(super) const LEAST: i32 = -133;
/// The exponent of zeros: too small to be the largest.
pub(super) const NONE: i32 = -10_000;

/// A binary format: bits of the exponent and of the fraction.
#[derive(Clone, Copy)]
pub(super) struct Format {
    pub(super) exponent: u32,
    pub(super) fraction: u32,
}

pub(super) const F16: Format = Format { exponent: 5, fraction: 10 };
pub(super) const BF16: Format = Format { exponent: 8, fraction: 7 };
/// An `.f32`'s upper 19 bits.
pub(super) const TF32: Format = Format { exponent: 8, fraction: 10 };
pub(super) const F32: Format = Format { exponent: 8, fraction: 23 };

/// A number as a term or a factor: its significand, an integer with the format's fraction below the point.
#[derive(Clone, Copy)]
struct Number {
    significand: i32,
    exponent: i32,
    kind: Kind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Finite,
    Infinite,
    Nan,
}

impl Format {
    fn number(self, bits: u32) -> Number {
        let fraction = bits & ((1 << self.fraction) - 1);
        let largest = (1 << self.exponent) - 1;
        let biased = bits >> self.fraction & largest;
        let negative = bits >> (self.fraction + self.exponent) & 1 != 0;
        let bias = (largest / 2) as i32;
        let signed = |magnitude: u32| if negative { -(magnitude as i32) } else { magnitude as i32 };
        let number =
            |magnitude, exponent| Number { significand: signed(magnitude), exponent, kind: Kind::Finite };
        match (biased, fraction) {
            (0, 0) => number(0, NONE),
            (0, _) => number(fraction, 1 - bias),
            _ if biased < largest => number(fraction | 1 << self.fraction, biased as i32 - bias),
            (_, 0) => Number { kind: Kind::Infinite, ..number(1, NONE) },
            _ => Number { kind: Kind::Nan, ..number(0, NONE) },
        }
    }
}

/// A row of `a` or a column of `b`, taken apart.
struct Factors {
    significands: [i32; 16],
    exponents: [i32; 16],
    /// Infinities or NaNs among them.
    special: bool,
}

impl Factors {
    fn of(format: Format, elements: impl Iterator<Item = u32>) -> Self {
        let mut out = Factors { significands: [0; 16], exponents: [NONE; 16], special: false };
        for (n, bits) in elements.take(16).enumerate() {
            let number = format.number(bits);
            out.significands[n] = number.significand;
            out.exponents[n] = number.exponent;
            out.special |= number.kind != Kind::Finite;
        }
        out
    }
}

/// A sum: an integer and the exponent of its unit; or none.
enum Total {
    Finite(i64, i32),
    Infinite { negative: bool },
    Nan,
}

/// The sum of products with `fraction` bits below the point and of a term of format `of_c`.
fn total(a: &Factors, b: &Factors, fraction: u32, c: Number, of_c: Format) -> Total {
    let mut most = LEAST.max(c.exponent);
    for (a, b) in a.exponents.iter().zip(&b.exponents) {
        most = most.max(a + b);
    }
    let cut = |value: i32, fraction: u32, exponent: i32| {
        let magnitude =
            i64::from(value.unsigned_abs() << (KEPT as u32 - fraction) >> (most - exponent).min(31));
        if value < 0 { -magnitude } else { magnitude }
    };
    let mut sum = cut(c.significand, of_c.fraction, c.exponent);
    for n in 0..16 {
        let value = a.significands[n] * b.significands[n];
        sum += cut(value, fraction, a.exponents[n] + b.exponents[n]);
    }
    Total::Finite(sum, most - KEPT)
}

/// The sum of terms among which there are infinities or NaNs; nothing if there are none.
fn special(format: Format, a: &[u64], b: &[u64], c: Number) -> Option<Total> {
    let (mut nan, mut up, mut down) = (c.kind == Kind::Nan, false, false);
    let mut infinite = |negative: bool| if negative { down = true } else { up = true };
    if c.kind == Kind::Infinite {
        infinite(c.significand < 0);
    }
    for (a, b) in a.iter().zip(b) {
        let (a, b) = (format.number(*a as u32), format.number(*b as u32));
        if a.kind == Kind::Nan || b.kind == Kind::Nan {
            nan = true;
        } else if a.kind == Kind::Infinite || b.kind == Kind::Infinite {
            nan |= a.significand == 0 || b.significand == 0;
            infinite((a.significand < 0) != (b.significand < 0));
        }
    }
    match (nan || up && down, up || down) {
        (true, _) => Some(Total::Nan),
        (_, true) => Some(Total::Infinite { negative: down }),
        _ => None,
    }
}

impl Total {
    fn to(&self, sum: Sum) -> u64 {
        let format = if sum == Sum::F16 { F16 } else { F32 };
        let sign = |negative: bool| u64::from(negative) << (format.exponent + format.fraction);
        let infinity = ((1 << format.exponent) - 1) << format.fraction;
        match *self {
            Total::Finite(value, unit) => {
                let magnitude = rounded(format, value.unsigned_abs(), unit, sum == Sum::F16);
                if magnitude == 0 { 0 } else { magnitude.min(infinity) | sign(value < 0) }
            }
            Total::Infinite { negative } => infinity | sign(negative),
            Total::Nan => (1 << (format.exponent + format.fraction)) - 1,
        }
    }
}

/// A positive number's bits: `value` times 2^`unit`, cut off or rounded to the nearest, ties to even. What is too large has
/// bits of infinity or more.
fn rounded(format: Format, value: u64, unit: i32, nearest: bool) -> u64 {
    if value == 0 {
        return 0;
    }
    let bias = (1 << (format.exponent - 1)) - 1;
    let leading = 63 - value.leading_zeros() as i32 + unit;
    // The exponent of the last place.
    let last = leading.max(1 - bias) - format.fraction as i32;
    let places = if last > unit {
        let by = (last - unit).min(63);
        let kept = value >> by;
        let (rest, half) = (value & ((1 << by) - 1), 1u64 << (by - 1));
        kept + u64::from(nearest && (rest > half || rest == half && kept & 1 == 1))
    } else {
        value << (unit - last)
    };
    // A significand that rounding has carried over is the next exponent's first.
    let exponent = (last + format.fraction as i32 + bias - 1) as u64;
    (exponent << format.fraction) + places
}

/// Sums of one instruction of the tensor cores.
pub(super) fn singles(of: &Product, format: Format, rows: &[u64], columns: &[u64], sums: &mut [u64]) {
    // The low bits of a `.tf32` are not there.
    let low = if of.a == Element::Tf32 { 13 } else { 0 };
    let cut = |elements: &[u64]| -> Vec<u64> { elements.iter().map(|bits| bits >> low).collect() };
    let (rows, columns) = (cut(rows), cut(columns));
    let apart = |elements: &[u64]| -> Vec<Factors> {
        elements.chunks(of.step).map(|row| Factors::of(format, row.iter().map(|bits| *bits as u32))).collect()
    };
    let (a, b) = (apart(&rows), apart(&columns));
    // Where one of them is an `.f32`, so are both for the tensor cores.
    let wide = of.c != Sum::F16 || of.d != Sum::F16;
    let (within, format_of_c) = if wide { (Sum::F32, F32) } else { (Sum::F16, F16) };
    let steps = of.k / of.step;
    for (i, sums) in sums.chunks_mut(of.n).enumerate() {
        for (j, sum) in sums.iter_mut().enumerate() {
            if wide && of.c == Sum::F16 {
                *sum = f32_from_f16(*sum as u16).into();
            }
            for s in 0..steps {
                let (row, column) = (i * steps + s, j * steps + s);
                let c = format_of_c.number(*sum as u32);
                let odd = if a[row].special || b[column].special || c.kind != Kind::Finite {
                    let part = |elements: &[u64], n: usize| elements[n * of.step..][..of.step].to_vec();
                    special(format, &part(&rows, row), &part(&columns, column), c)
                } else {
                    None
                };
                let total = || total(&a[row], &b[column], 2 * format.fraction, c, format_of_c);
                *sum = odd.unwrap_or_else(total).to(within);
            }
            if wide && of.d == Sum::F16 {
                *sum = f16_from_f32(*sum as u32).into();
            }
        }
    }
}

/// Sums of factors of 8 bits. Hopper has no instruction for them: ptxas makes halves of them, and products of the lower
/// and of the upper two of each four, one on top of the other, and adds `c` last.
pub(super) fn bytes(of: &Product, rows: &[u64], columns: &[u64], sums: &mut [u64]) {
    let halves = Product { k: of.k / 2, step: of.k / 2, a: Element::F16, b: Element::F16, c: of.d, ..*of };
    let mut products = vec![0; sums.len()];
    for upper in [false, true] {
        let part = |elements: &[u64], element: Element| -> Vec<u64> {
            let chosen = elements.iter().enumerate().filter(|(n, _)| (n % 4 >= 2) == upper);
            chosen.map(|(_, bits)| half(element, *bits)).collect()
        };
        singles(&halves, F16, &part(rows, of.a), &part(columns, of.b), &mut products);
    }
    for (sum, product) in sums.iter_mut().zip(products) {
        *sum = match of.d {
            Sum::F16 => {
                let wide = |bits: u64| f32_from_f16(bits as u16);
                f16_from_f32(super::super::add_f32(wide(*sum), wide(product))).into()
            }
            Sum::F32 | Sum::F64 | Sum::S32 => super::super::add_f32(*sum as u32, product as u32).into(),
        };
    }
}

/// The `.f16` of a number of 8 bits, which is exact.
pub(super) fn half(element: Element, bits: u64) -> u64 {
    if element == Element::E5m2 {
        return bits << 8;
    }
    let (sign, exponent, fraction) = (bits >> 7 << 15, bits >> 3 & 15, bits & 7);
    sign | match (exponent, fraction) {
        (15, 7) => 0x7fff,
        // Subnormal numbers are none in `.f16`.
        (0, _) => rounded(F16, fraction, -9, true),
        _ => (exponent + 8) << 10 | fraction << 7,
    }
}
