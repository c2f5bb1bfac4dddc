//! `mma.m8n8k4` of `.f16`: four products at once, each of the lanes of a quad pair (0 to 3 and 16 to 19, and so on).
//!
//! It was made for Volta's tensor cores. Since Ampere it is ordinary arithmetic: what is here are the operations of the
//! function that ptxas puts in its place.

use super::shape::Sum;
use crate::WARP;
use crate::lanes::X;
use crate::semantics::half::{f16_from_f32, f32_from_f16};
use crate::semantics::{add_f32, fma_f32, mul_f32};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Quads {
    /// Lanes hold columns of `a`, and rows of `b`.
    pub(crate) a_columns: bool,
    pub(crate) b_rows: bool,
    pub(crate) c: Sum,
    pub(crate) d: Sum,
}

impl Quads {
    /// Of a register of sums: for each of its elements, its bits' place, row and column.
    fn places(sum: Sum, register: usize, lane: usize) -> Vec<(u32, usize, usize)> {
        let upper = lane / 16 * 4;
        if sum == Sum::F16 {
            return (0..2).map(|e| (16 * e as u32, lane % 4 + upper, 2 * register + e)).collect();
        }
        let row = (lane & 1) + (register & 2) + upper;
        vec![(0, row, (register & 4) + (lane & 2) + (register & 1))]
    }

    /// Which four of the eight lanes, and the element within: rows and columns of 8 by 4 numbers.
    fn factor(register: usize, lane: usize, e: usize, along_k: bool) -> (usize, usize) {
        let (nth, upper) = (2 * register + e, lane / 16 * 4);
        if along_k { (lane % 4 + upper, nth) } else { (nth + upper, lane % 4) }
    }

    /// The registers of `a * b + c`.
    pub(crate) fn product(&self, a: &[X], b: &[X], c: &[X]) -> Vec<X> {
        let mut out = vec![X::ZERO; if self.d == Sum::F16 { 4 } else { 8 }];
        for quad in 0..4 {
            let lanes = || (0..WARP).filter(|l| l % 16 / 4 == quad);
            let (mut rows, mut columns, mut sums) = ([[0; 4]; 8], [[0; 4]; 8], [[0; 8]; 8]);
            for l in lanes() {
                for (register, (a, b)) in a.iter().zip(b).enumerate() {
                    for e in 0..2 {
                        let half = |x: &X| f32_from_f16((x.0[l] >> (16 * e)) as u16);
                        let (row, k) = Self::factor(register, l, e, !self.a_columns);
                        rows[row][k] = half(a);
                        let (column, k) = Self::factor(register, l, e, !self.b_rows);
                        columns[column][k] = half(b);
                    }
                }
                for (register, c) in c.iter().enumerate() {
                    for (shift, row, column) in Self::places(self.c, register, l) {
                        let bits = (c.0[l] >> shift) as u32;
                        sums[row][column] = if self.c == Sum::F16 { f32_from_f16(bits as u16) } else { bits };
                    }
                }
            }
            for l in lanes() {
                for (register, out) in out.iter_mut().enumerate() {
                    for (shift, row, column) in Self::places(self.d, register, l) {
                        let sum = self.dot(&rows[row], &columns[column], sums[row][column]);
                        out.0[l] |= sum << shift;
                    }
                }
            }
        }
        out
    }

    fn dot(&self, a: &[u32; 4], b: &[u32; 4], c: u32) -> u64 {
        if self.d == Sum::F16 {
            let pair = |n: usize| fma_f32(a[n + 1], b[n + 1], mul_f32(a[n], b[n]));
            return f16_from_f32(add_f32(add_f32(c, pair(0)), pair(2))).into();
        }
        add_f32(c, (0..4).fold(0, |sum, n| fma_f32(a[n], b[n], sum))).into()
    }
}
