//! Products of matrices that a warp holds in its registers: `mma`, and `wmma.mma`, which is made of them.
//!
//! Enters: the registers of 32 lanes. Leaves: the result's registers. Who loads them, nobody here knows.
//!
//! Sums are those of an H200's tensor cores, which are not IEEE ([`fused`] has the rule); the rules were found with
//! random and hostile operands of every instruction, and `tests/ptx/mma-*` and `wmma-*` hold what the H200 gave.

mod fused;
mod quads;
mod shape;

use crate::WARP;
use crate::lanes::X;
use crate::semantics::fma_f64;
pub(crate) use quads::Quads;
pub(crate) use shape::{Element, Product, Sum};

/// The registers of `a * b + c`.
pub(crate) fn product(of: &Product, a: &[X], b: &[X], c: &[X]) -> Vec<X> {
    let mut out = vec![X::ZERO; of.sum_registers(of.d)];
    let mut sums = vec![0; of.m * of.n];
    for (r, register) in c.iter().enumerate() {
        for l in 0..WARP {
            for (e, row, column) in of.places_of_sums(of.c, r, l) {
                sums[row * of.n + column] = register.0[l] >> (16 * e) & of.c.mask();
            }
        }
    }
    let mut rows = vec![0; of.m * of.k];
    for (r, register) in a.iter().enumerate() {
        for l in 0..WARP {
            for e in 0..of.a.in_register() {
                let (row, k) = of.place_of_a(r, l, e);
                rows[row * of.k + k] = of.a.element(register.0[l], e);
            }
        }
    }
    let mut columns = vec![0; of.n * of.k];
    for (r, register) in b.iter().enumerate() {
        for l in 0..WARP {
            for e in 0..of.b.in_register() {
                let (k, column) = of.place_of_b(r, l, e);
                columns[column * of.k + k] = of.b.element(register.0[l], e);
            }
        }
    }
    multiply(of, &rows, &columns, &mut sums);
    for (r, register) in out.iter_mut().enumerate() {
        for l in 0..WARP {
            for (e, row, column) in of.places_of_sums(of.d, r, l) {
                register.0[l] |= sums[row * of.n + column] << (16 * e);
            }
        }
    }
    out
}

/// Adds to each sum the product of its row and its column.
fn multiply(of: &Product, rows: &[u64], columns: &[u64], sums: &mut [u64]) {
    match of.a {
        Element::E4m3 | Element::E5m2 => fused::bytes(of, rows, columns, sums),
        Element::F16 => fused::singles(of, fused::F16, rows, columns, sums),
        Element::Bf16 => fused::singles(of, fused::BF16, rows, columns, sums),
        Element::Tf32 => fused::singles(of, fused::TF32, rows, columns, sums),
        Element::F64 => each(of, rows, columns, sums, double),
        Element::Bits { and } => each(of, rows, columns, sums, |a, b, c| bits(a, b, c, and)),
        Element::Whole { .. } => each(of, rows, columns, sums, |a, b, c| whole(a, b, c, of.saturate)),
    }
}

/// Adds to each sum the product of its row and its column, as `add` computes it.
fn each(
    of: &Product,
    rows: &[u64],
    columns: &[u64],
    sums: &mut [u64],
    add: impl Fn(&[u64], &[u64], u64) -> u64,
) {
    for (row, sums) in rows.chunks(of.k).zip(sums.chunks_mut(of.n)) {
        for (column, sum) in columns.chunks(of.k).zip(sums) {
            *sum = add(row, column, *sum);
        }
    }
}

/// A chain of fused operations, the lowest `k` first. Of several NaNs, that of `b` stays, else that of the sum.
fn double(a: &[u64], b: &[u64], c: u64) -> u64 {
    let nan = |bits: u64| f64::from_bits(bits).is_nan();
    a.iter().zip(b).fold(c, |sum, (a, b)| {
        let kept = [*b, sum].into_iter().find(|bits| nan(*bits));
        kept.map_or_else(|| fma_f64(*a, *b, sum), |bits| bits | 1 << 51)
    })
}

/// Integers, which are sign-extended; the sum wraps, or is bounded in the end.
fn whole(a: &[u64], b: &[u64], c: u64, saturate: bool) -> u64 {
    let products: i64 = a.iter().zip(b).map(|(a, b)| *a as i64 * *b as i64).sum();
    let sum = i64::from(c as i32) + products;
    let sum = if saturate { sum.clamp(i32::MIN.into(), i32::MAX.into()) } else { sum };
    u64::from(sum as u32)
}

fn bits(a: &[u64], b: &[u64], c: u64, and: bool) -> u64 {
    let ones = a.iter().zip(b).map(|(a, b)| if and { a & b } else { a ^ b }.count_ones());
    u64::from((c as u32).wrapping_add(ones.sum()))
}
