//! Products of matrices that a warp holds in its registers: `mma`, and `wmma.mma`, which is made of them.
//!
//! Enters: the registers of 32 lanes. Leaves: the result's registers. What loads them is not known here.
//!
//! Sums are those of an H200's tensor cores, which are not IEEE ([`fused`] has the rule); the rules were found with
//! random and hostile operands of every instruction, and `tests/ptx/mma-*` and `wmma-*` hold what the H200 gave.

mod fused;
mod quads;
mod shape;
#[cfg(target_arch = "x86_64")]
mod vectors;

use crate::WARP;
use crate::lanes::{W, X};
use crate::semantics::fma_f64;
pub(crate) use quads::Quads;
use shape::place_of_lane;
pub(crate) use shape::{Element, Product, Sum};

/// Writes the registers of `a * b + c`.
pub(crate) fn product(of: &Product, a: &[&W], b: &[&W], c: &[&W], d: &mut [W]) {
    #[cfg(target_arch = "x86_64")]
    if simd::call_if_it_pays(vectors::Registers { of, a, b, c, d }) == Some(true) {
        return;
    }
    let wide = |registers: &[&W]| -> Vec<X> { registers.iter().map(|register| register.widened()).collect() };
    for (d, value) in d.iter_mut().zip(one_by_one(of, &wide(a), &wide(b), &wide(c))) {
        *d = value.narrowed();
    }
}

/// The registers of `a * b + c`, each sum by itself: of numbers of 64 bits, and wherever there is nothing faster.
pub(crate) fn one_by_one(of: &Product, a: &[X], b: &[X], c: &[X]) -> Vec<X> {
    let mut out = vec![X::ZERO; of.sum_registers(of.d)];
    let mut sums = vec![0; of.m * of.n];
    for (r, register) in c.iter().enumerate() {
        for l in 0..WARP {
            for e in 0..of.c.in_register() {
                let (row, column) = place_of_lane(of.c, r, l, e);
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
            for e in 0..of.d.in_register() {
                let (row, column) = place_of_lane(of.d, r, l, e);
                register.0[l] |= sums[row * of.n + column] << (16 * e);
            }
        }
    }
    out
}

/// The bits of the sums' registers that have no value, from those of the operands': a sum has none if an element of its row,
/// of its column or what it is added to lacks bits.
pub(crate) fn without_value(of: &Product, a: &[X], b: &[X], c: &[X]) -> Vec<X> {
    let (mut rows, mut columns) = (vec![false; of.m], vec![false; of.n]);
    let mut sums = vec![false; of.m * of.n];
    for l in 0..WARP {
        for (r, register) in a.iter().enumerate() {
            for e in 0..of.a.in_register() {
                rows[of.place_of_a(r, l, e).0] |= of.a.element(register.0[l], e) != 0;
            }
        }
        for (r, register) in b.iter().enumerate() {
            for e in 0..of.b.in_register() {
                columns[of.place_of_b(r, l, e).1] |= of.b.element(register.0[l], e) != 0;
            }
        }
        for (r, register) in c.iter().enumerate() {
            for e in 0..of.c.in_register() {
                let (row, column) = place_of_lane(of.c, r, l, e);
                sums[row * of.n + column] = register.0[l] >> (16 * e) & of.c.mask() != 0;
            }
        }
    }
    let mut out = vec![X::ZERO; of.sum_registers(of.d)];
    for (r, register) in out.iter_mut().enumerate() {
        for l in 0..WARP {
            for e in 0..of.d.in_register() {
                let (row, column) = place_of_lane(of.d, r, l, e);
                if rows[row] || columns[column] || sums[row * of.n + column] {
                    register.0[l] |= of.d.mask() << (16 * e);
                }
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Bits of operands: any, or with exponents close to each other, in proportions that change from one product to the next.
    struct Operands {
        state: u64,
        hostile: bool,
    }

    impl Operands {
        fn next(&mut self) -> u64 {
            self.state = self.state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            self.state >> 32
        }

        fn element(&mut self, element: Element) -> u64 {
            let (bits, rare) = (self.next(), self.next() % 16);
            match (element, rare) {
                (_, 0) => 0,
                (Element::F16, _) if !self.hostile => bits & 0x83ff | (12 + bits % 6) << 10,
                (Element::Bf16, _) if !self.hostile => bits & 0x807f | (120 + bits % 9) << 7,
                (Element::Tf32, _) if !self.hostile => bits & 0x807f_ffff | (120 + bits % 9) << 23,
                (Element::E4m3 | Element::E5m2, _) if !self.hostile => bits & 0xbb,
                _ => bits,
            }
        }

        fn register(&mut self, element: Element) -> W {
            W(std::array::from_fn(|_| {
                (0..element.in_register()).fold(0u32, |word, _| {
                    let bits = self.element(element) as u32 & u32::MAX >> (32 - element.bits());
                    word.unbounded_shl(element.bits()) | bits
                })
            }))
        }
    }

    fn by_reference(registers: &[W]) -> Vec<&W> {
        registers.iter().collect()
    }

    #[test]
    fn vector_instructions_give_what_one_sum_after_the_other_does() {
        use Element::*;
        let whole = |bits, signed| Whole { bits, signed };
        let mut operands = Operands { state: 5, hostile: false };
        let kinds = [
            (F16, F16, Sum::F32, [8, 16]),
            (F16, F16, Sum::F16, [8, 16]),
            (Bf16, Bf16, Sum::F32, [8, 16]),
            (Tf32, Tf32, Sum::F32, [4, 8]),
            (E4m3, E5m2, Sum::F32, [16, 32]),
            (E5m2, E4m3, Sum::F16, [16, 32]),
            (whole(8, true), whole(8, false), Sum::S32, [16, 32]),
            (whole(4, false), whole(4, true), Sum::S32, [32, 64]),
        ];
        for (a, b, d, depths) in kinds {
            for (k, round) in depths.into_iter().flat_map(|k| (0..200).map(move |round| (k, round))) {
                operands.hostile = round % 2 == 1;
                let saturate = d == Sum::S32 && round % 3 == 0;
                let of =
                    Product { m: 16, n: 8, k, a, b, c: d, d, saturate, step: if a == Tf32 { 4 } else { k } };
                let of_sum = if d == Sum::F16 {
                    F16
                } else if d == Sum::F32 {
                    Tf32
                } else {
                    whole(8, true)
                };
                let mut registers = |element: Element, count: usize| -> Vec<W> {
                    (0..count).map(|_| operands.register(element)).collect()
                };
                let (left, right) = (registers(a, of.a_registers()), registers(b, of.b_registers()));
                let c = registers(of_sum, of.sum_registers(d));
                let wide = |registers: &[W]| -> Vec<X> { registers.iter().map(W::widened).collect() };
                let expected = one_by_one(&of, &wide(&left), &wide(&right), &wide(&c));
                let mut found = vec![W::ZERO; expected.len()];
                product(&of, &by_reference(&left), &by_reference(&right), &by_reference(&c), &mut found);
                for (found, expected) in found.iter().zip(&expected) {
                    assert_eq!(found.widened().0, expected.0, "{of:?}");
                }
            }
        }
    }
}
