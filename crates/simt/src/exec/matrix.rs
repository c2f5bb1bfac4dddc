//! Matrices of a warp: `ldmatrix` and `stmatrix`, and what a warp computes of those in its registers.
//!
//! All 32 lanes do it together, and it is done once for all of them; what they did before is ordered before it.

use super::access::{Access, Memory, Unit};
use super::bits::little_endian;
use super::definedness::all;
use super::fault::Stop;
use super::worker::Worker;
use crate::WARP;
use crate::error::FaultKind;
use crate::ir::{Id, Matrix, MatrixOperands, MemoryOperand, Register, Tiling, file_of};
use crate::lanes::{ALL, W, X};
use crate::memory::SHARED_WINDOW;
use crate::semantics::matrix as semantics;
use crate::trace::AccessKind;

/// The most registers that an operand has: the sums of two products side by side.
const MOST: usize = 8;
/// Bytes of a row of eight halves.
const ROW: u32 = 16;

impl<'a> Worker<'a> {
    /// All lanes must be there.
    fn meet(&mut self, mask: u32) -> Result<(), Stop> {
        if mask != ALL {
            let lane = mask.trailing_zeros() as usize % WARP;
            let message = format!(
                "all {WARP} lanes of a warp must execute this instruction together, and {} did",
                mask.count_ones()
            );
            let stop = Stop::without_address(FaultKind::DivergentBarrier, lane);
            return Err(Stop { message: Some(message), ..stop });
        }
        self.warp_met(mask);
        Ok(())
    }

    #[inline(never)]
    pub(super) fn matrix(&mut self, matrix: Id<MatrixOperands>, mask: u32) -> Result<(), Stop> {
        let of = &self.run.kernel[matrix];
        self.meet(mask)?;
        match of.matrix {
            Matrix::Product(product, tiling) if !of.wide => self.narrow_product(of, &product, tiling),
            Matrix::Product(product, tiling) => {
                debug_assert_eq!(tiling, Tiling::Whole, "`wmma` has one product of `.f64`");
                let registers = |numbers: &[Register]| -> Vec<X> {
                    numbers.iter().map(|number| self.block.x[self.xi(*number)]).collect()
                };
                let out =
                    semantics::one_by_one(&product, &registers(&of.a), &registers(&of.b), &registers(&of.c));
                for (number, value) in of.d.iter().zip(out) {
                    let d = self.xi(*number);
                    self.block.x[d] = value;
                }
            }
            Matrix::Quads(quads) => {
                let [a, b, c] = [&of.a, &of.b, &of.c].map(|numbers| self.widened(numbers));
                self.write_registers(&of.d, &quads.product(&a, &b, &c));
            }
            Matrix::Transpose => {
                let turned: Vec<X> = self.widened(&of.a).iter().map(transposed).collect();
                self.write_registers(&of.d, &turned);
            }
            Matrix::Rows { .. } | Matrix::Meet => {}
        }
        Ok(())
    }

    fn widened(&self, numbers: &[Register]) -> Vec<X> {
        numbers.iter().map(|number| self.block.w[self.wi(*number)].widened()).collect()
    }

    fn write_registers(&mut self, numbers: &[Register], values: &[X]) {
        for (number, value) in numbers.iter().zip(values) {
            let d = self.wi(*number);
            self.block.w[d] = value.narrowed();
        }
    }

    /// A product as one of tensor cores, or as two side by side.
    fn narrow_product(&mut self, operands: &MatrixOperands, of: &semantics::Product, tiling: Tiling) {
        let registers = |numbers: &[Register]| -> [&W; MOST] {
            std::array::from_fn(|n| match numbers.get(n) {
                Some(number) => &self.block.w[self.wi(*number)],
                None => &W::ZERO,
            })
        };
        let (a, b, c) = (registers(&operands.a), registers(&operands.b), registers(&operands.c));
        let (a, b) = if tiling == Tiling::Turned { (b, a) } else { (a, b) };
        let (rows, columns) = (of.a_registers(), of.b_registers());
        let (sums_in, sums_out) = (of.sum_registers(of.c), of.sum_registers(of.d));
        let mut out = [W::ZERO; MOST];
        let parts = if tiling == Tiling::Whole { 1 } else { 2 };
        for (n, out) in out.chunks_mut(sums_out).take(parts).enumerate() {
            let (of_a, of_b) = if tiling == Tiling::Columns { (0, n * columns) } else { (n * rows, 0) };
            let c = &c[n * sums_in..][..sums_in];
            semantics::product(of, &a[of_a..][..rows], &b[of_b..][..columns], c, out);
        }
        for (number, value) in operands.d.iter().zip(&out) {
            let d = self.wi(*number);
            self.block.w[d] = *value;
        }
    }

    /// Of an operation on matrices in registers: the bits of its results that have no value, a register after the other.
    pub(super) fn matrix_without_value(&self, id: Id<MatrixOperands>) -> Vec<X> {
        let operands = &self.run.kernel[id];
        let file = file_of(operands.wide);
        let [a, b, c] = [&operands.a, &operands.b, &operands.c].map(|numbers| -> Vec<X> {
            let bits =
                |number: &Register| self.undefined_bits(file, *number).map_or(X::ZERO, |bits| bits.bits);
            numbers.iter().map(bits).collect()
        });
        match operands.matrix {
            Matrix::Product(of, tiling) => {
                let (a, b) = if tiling == Tiling::Turned { (b, a) } else { (a, b) };
                let parts = if tiling == Tiling::Whole { 1 } else { 2 };
                let columns = tiling == Tiling::Columns;
                let sums = of.sum_registers(of.c);
                let part = |n: usize| {
                    let (of_a, of_b) =
                        if columns { (0, n * of.b_registers()) } else { (n * of.a_registers(), 0) };
                    let (a, b) = (&a[of_a..][..of.a_registers()], &b[of_b..][..of.b_registers()]);
                    semantics::without_value(&of, a, b, &c[n * sums..][..sums])
                };
                (0..parts).flat_map(part).collect()
            }
            Matrix::Transpose => a.iter().map(transposed).collect(),
            // Results of many lanes: not followed one by one.
            Matrix::Quads(_) => vec![X::splat(all(file)); operands.d.len()],
            Matrix::Rows { .. } | Matrix::Meet => vec![],
        }
    }

    /// Of the rows that `ldmatrix` has read: the bits of its registers that nobody has written.
    pub(super) fn rows_without_value(of: &MatrixOperands, rows: &X) -> Vec<X> {
        let Matrix::Rows { transposed: turn, .. } = of.matrix else { return vec![] };
        let register = |m: usize| {
            let word = |l: usize| {
                let bytes = rows.0[8 * m + l / 4] >> (l % 4 * 4);
                (0..4).fold(0, |word, byte| word | (0xff * (bytes >> byte & 1)) << (8 * byte))
            };
            let register = X(std::array::from_fn(word));
            if turn { transposed(&register) } else { register }
        };
        (0..of.d.len()).map(register).collect()
    }

    /// The access of rows of shared memory, aligned and inside of it.
    fn access_of_rows(
        &mut self,
        kind: AccessKind,
        id: Id<MemoryOperand>,
        of: &MatrixOperands,
    ) -> Result<Access<'a>, Stop> {
        // Eight lanes give the addresses of each matrix' rows.
        let count = of.d.len().max(of.a.len()) as u32;
        let mask = ALL >> (WARP as u32 - 8 * count);
        let access = self.access_of(Memory::Shared, kind, id, mask);
        let generic = matches!(of.matrix, Matrix::Rows { generic: true, .. });
        let window = if generic { SHARED_WINDOW } else { 0 };
        let first = access.first.wrapping_sub(window);
        let access = Access { unit: Unit::Matrix, width: ROW, first, ..access };
        self.check_inside(&access, self.block.shared.len() as u64, FaultKind::OutOfBoundsShared)?;
        Ok(access)
    }

    #[inline(never)]
    pub(super) fn load_matrix(
        &mut self,
        id: Id<MemoryOperand>,
        matrix: Id<MatrixOperands>,
        mask: u32,
    ) -> Result<(), Stop> {
        let of = &self.run.kernel[matrix];
        let Matrix::Rows { transposed: turn, .. } = of.matrix else { return Ok(()) };
        self.meet(mask)?;
        let access = self.access_of_rows(AccessKind::Load, id, of)?;
        let addresses = self.addresses(&access);
        self.observe(&access, None)?;
        self.count_matrix_load(&access);
        for (number, rows) in of.d.iter().zip(addresses.0.chunks(8)) {
            let word = |l: usize| little_endian(&self.block.shared, rows[l / 4] as usize + l % 4 * 4, 4);
            let register = X(std::array::from_fn(word));
            let register = if turn { transposed(&register) } else { register };
            let d = self.wi(*number);
            self.block.w[d] = register.narrowed();
        }
        Ok(())
    }

    #[inline(never)]
    pub(super) fn store_matrix(
        &mut self,
        id: Id<MemoryOperand>,
        matrix: Id<MatrixOperands>,
        mask: u32,
    ) -> Result<(), Stop> {
        let of = &self.run.kernel[matrix];
        let Matrix::Rows { transposed: turn, .. } = of.matrix else { return Ok(()) };
        self.meet(mask)?;
        self.cursor.did = true;
        let access = self.access_of_rows(AccessKind::Store, id, of)?;
        let addresses = self.addresses(&access);
        // For each of a row's four words, that of each row.
        let mut words = [X::ZERO; 4];
        for (m, number) in of.a.iter().enumerate() {
            let register = self.block.w[self.wi(*number)].widened();
            let register = if turn { transposed(&register) } else { register };
            for l in 0..WARP {
                words[l % 4].0[8 * m + l / 4] = register.0[l];
            }
        }
        self.observe(&Access { values: Some(&words), ..access }, None)?;
        self.count_matrix_store(&access);
        for row in 0..access.mask.count_ones() as usize {
            for (n, words) in words.iter().enumerate() {
                let at = addresses.0[row] as usize + 4 * n;
                self.block.shared[at..at + 4].copy_from_slice(&(words.0[row] as u32).to_le_bytes());
            }
        }
        Ok(())
    }
}

/// A matrix of 8 by 8 halves with its rows as columns.
fn transposed(register: &X) -> X {
    let half = |row: usize, column: usize| (register.0[row * 4 + column / 2] >> (column % 2 * 16)) & 0xffff;
    X(std::array::from_fn(|l| half(l % 4 * 2, l / 4) | half(l % 4 * 2 + 1, l / 4) << 16))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_matrix_transposed_twice_is_itself() {
        let register = W(std::array::from_fn(|l| 0x1_0000 * (2 * l as u32 + 1) + 2 * l as u32)).widened();
        let turned = transposed(&register);
        // Row 0 is what column 0 was: elements 0, 8, 16, …
        assert_eq!(turned.0[..4], [0x8_0000, 0x18_0010, 0x28_0020, 0x38_0030]);
        assert_eq!(transposed(&turned).0, register.0);
    }
}
