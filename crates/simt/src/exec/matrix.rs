//! Matrices of a warp: `ldmatrix` and `stmatrix`, and what a warp computes of those in its registers.
//!
//! All 32 lanes do it together, and it is done once for all of them; what they did before is ordered before it.

use super::checks::Bits;
use super::current::CurrentBlock;
use super::fault::Stop;
use super::memory::access::{Access, Memory, Unit};
use super::memory::bits::little_endian;
use super::memory::sites::Sites;
use super::registers::RegisterFile;
use super::worker::Worker;
use crate::WARP;
use crate::error::FaultKind;
use crate::ir::{File, Id, Matrix, MatrixOperands, MemoryOperand, Register, Tiling, file_of};
use crate::lanes::{ALL, W, X};
use crate::memory::SHARED_WINDOW;
use crate::semantics::matrix as semantics;
use crate::trace::AccessKind;

/// The most registers that an operand has: the sums of two products side by side.
const MOST: usize = 8;
/// Bytes of a row of eight halves.
const ROW: u32 = 16;

impl RegisterFile {
    #[inline]
    fn widened(&self, numbers: &[Register]) -> Vec<X> {
        numbers.iter().map(|number| self.w[self.wi(*number)].widened()).collect()
    }

    #[inline]
    fn write_registers(&mut self, numbers: &[Register], values: &[X]) {
        for (number, value) in numbers.iter().zip(values) {
            let d = self.wi(*number);
            self.w[d] = value.narrowed();
        }
    }

    /// A product as one of tensor cores, or as two side by side.
    #[inline]
    fn narrow_product(&mut self, operands: &MatrixOperands, of: &semantics::Product, tiling: Tiling) {
        let registers = |numbers: &[Register]| -> [&W; MOST] {
            std::array::from_fn(|n| match numbers.get(n) {
                Some(number) => &self.w[self.wi(*number)],
                None => &W::ZERO,
            })
        };
        let (a, b, c) = (registers(&operands.a), registers(&operands.b), registers(&operands.c));
        let (a, b) = if tiling == Tiling::Turned { (b, a) } else { (a, b) };
        let (rows, columns) = (of.a_registers(), of.b_registers());
        let (sums_in, sums_out) = (of.sum_registers(of.c), of.sum_registers(of.d));
        let mut out = [W::ZERO; MOST];
        for (part, out) in parts_of(of, tiling).zip(out.chunks_mut(sums_out)) {
            let c = &c[part.c..][..sums_in];
            semantics::product(of, &a[part.a..][..rows], &b[part.b..][..columns], c, out);
        }
        for (number, value) in operands.d.iter().zip(&out) {
            let d = self.wi(*number);
            self.w[d] = *value;
        }
    }
}

impl<'a> CurrentBlock<'a> {
    /// All lanes must be there.
    #[inline]
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

    /// The bits without a value of a matrix operation's results, register by register, if an operand has any.
    #[cold]
    #[inline(never)]
    pub(super) fn matrix_without_value(&self, of: &MatrixOperands) -> Option<Vec<Bits>> {
        let file = file_of(of.wide);
        let mut out: Option<Vec<Bits>> = None;
        // One operand after the other: each result has the origin of the first value that it lacks.
        for nth in 0..3 {
            let mut operands = [&of.a, &of.b, &of.c].map(|numbers| vec![X::ZERO; numbers.len()]);
            let numbers = [&of.a, &of.b, &of.c][nth];
            let found: Vec<&Bits> = numbers.iter().filter_map(|n| self.undefined_bits(file, *n)).collect();
            let Some(origin) = found.iter().map(|bits| bits.origin).min() else { continue };
            for (bits, number) in operands[nth].iter_mut().zip(numbers) {
                *bits = self.undefined_bits(file, *number).map_or(X::ZERO, |bits| bits.bits);
            }
            let copied = of.matrix == Matrix::Transpose && found.iter().all(|bits| bits.computed == 0);
            let computed = if copied { 0 } else { ALL };
            let [a, b, c] = &operands;
            let results = results_without_value(of, file, a, b, c);
            let all =
                out.get_or_insert_with(|| vec![Bits { bits: X::ZERO, computed: 0, origin }; results.len()]);
            for (all, bits) in all.iter_mut().zip(results) {
                if all.lanes() == 0 {
                    all.origin = origin;
                }
                all.bits = X(std::array::from_fn(|l| all.bits.0[l] | bits.0[l]));
                all.computed |= computed;
            }
        }
        out
    }

    /// The bits without a value of registers that rows of shared memory are loaded to, from the bytes of each row that
    /// have none.
    #[inline]
    pub(super) fn rows_without_value(of: &MatrixOperands, missing: &X) -> Vec<X> {
        let turn = matches!(of.matrix, Matrix::Rows { transposed: true, .. });
        let word = |row: u64, n: usize| {
            (0..4).fold(0, |bits, byte| bits | (0xff * (row >> (4 * n + byte) & 1)) << (8 * byte))
        };
        let registers = missing.0.chunks(8).take(of.d.len());
        let bits = registers.map(|rows| X(std::array::from_fn(|l| word(rows[l / 4], l % 4))));
        bits.map(|bits| if turn { transposed(&bits) } else { bits }).collect()
    }

    /// Tells the checks what of the rows that were stored has no value.
    #[cold]
    #[inline(never)]
    fn store_without_value(&mut self, of: &MatrixOperands, access: &Access<'_>, addresses: &X) {
        let turn = matches!(of.matrix, Matrix::Rows { transposed: true, .. });
        let (mut missing, mut origin) = (X::ZERO, None);
        for (m, number) in of.a.iter().enumerate() {
            let Some(found) = self.undefined_bits(file_of(false), *number) else { continue };
            origin = origin.or(Some(found.origin));
            let bits = if turn { transposed(&found.bits) } else { found.bits };
            for l in 0..WARP {
                for byte in 0..4 {
                    let whole = bits.0[l] >> (8 * byte) & 0xff == 0xff;
                    missing.0[8 * m + l / 4] |= u64::from(whole) << (l % 4 * 4 + byte);
                }
            }
        }
        let warp = self.cursor.warp;
        if let (Some(origin), Some(checks)) = (origin, &mut self.block.observers.checks) {
            checks.shared_forget(addresses, access.mask, access.width, &missing, (warp, origin));
        }
    }

    /// The access of rows of shared memory, aligned and inside of it.
    #[inline]
    fn access_of_rows(
        &mut self,
        sites: &mut Sites,
        kind: AccessKind,
        id: Id<MemoryOperand>,
        of: &MatrixOperands,
    ) -> Result<Access<'a>, Stop> {
        // Eight lanes give the addresses of each matrix' rows.
        let count = of.d.len().max(of.a.len()) as u32;
        let mask = ALL >> (WARP as u32 - 8 * count);
        let access = self.access_of(sites, Memory::Shared, kind, id, mask);
        let generic = matches!(of.matrix, Matrix::Rows { generic: true, .. });
        let window = if generic { SHARED_WINDOW } else { 0 };
        let first = access.first.wrapping_sub(window);
        let access = Access { unit: Unit::Matrix, width: ROW, first, ..access };
        sites.check_inside(&access, self.block.shared.len() as u64, FaultKind::OutOfBoundsShared)?;
        Ok(access)
    }
}

impl Worker<'_> {
    #[inline(never)]
    pub(super) fn matrix(&mut self, matrix: Id<MatrixOperands>, mask: u32) -> Result<(), Stop> {
        let of = &self.current.run.kernel[matrix];
        self.current.meet(mask)?;
        match of.matrix {
            Matrix::Product(product, tiling) if !of.wide => {
                self.current.block.registers.narrow_product(of, &product, tiling)
            }
            Matrix::Product(product, tiling) => {
                debug_assert_eq!(tiling, Tiling::Whole, "`wmma` has one product of `.f64`");
                let registers = |numbers: &[Register]| -> Vec<X> {
                    numbers
                        .iter()
                        .map(|number| {
                            self.current.block.registers.x[self.current.block.registers.xi(*number)]
                        })
                        .collect()
                };
                let out =
                    semantics::one_by_one(&product, &registers(&of.a), &registers(&of.b), &registers(&of.c));
                for (number, value) in of.d.iter().zip(out) {
                    let d = self.current.block.registers.xi(*number);
                    self.current.block.registers.x[d] = value;
                }
            }
            Matrix::Quads(quads) => {
                let [a, b, c] =
                    [&of.a, &of.b, &of.c].map(|numbers| self.current.block.registers.widened(numbers));
                self.current.block.registers.write_registers(&of.d, &quads.product(&a, &b, &c));
            }
            Matrix::Transpose => {
                let turned: Vec<X> =
                    self.current.block.registers.widened(&of.a).iter().map(transposed).collect();
                self.current.block.registers.write_registers(&of.d, &turned);
            }
            Matrix::Rows { .. } | Matrix::Meet => {}
        }
        Ok(())
    }

    #[inline(never)]
    pub(super) fn load_matrix(
        &mut self,
        id: Id<MemoryOperand>,
        matrix: Id<MatrixOperands>,
        mask: u32,
    ) -> Result<(), Stop> {
        let of = &self.current.run.kernel[matrix];
        let Matrix::Rows { transposed: turn, .. } = of.matrix else { return Ok(()) };
        self.current.meet(mask)?;
        let access = self.current.access_of_rows(&mut self.sites, AccessKind::Load, id, of)?;
        let addresses = self.sites.addresses(&access);
        self.observe(&access, None)?;
        self.counts.count_matrix_load(&mut self.sites, &access);
        for (number, rows) in of.d.iter().zip(addresses.0.chunks(8)) {
            let word =
                |l: usize| little_endian(&self.current.block.shared, rows[l / 4] as usize + l % 4 * 4, 4);
            let register = X(std::array::from_fn(word));
            let register = if turn { transposed(&register) } else { register };
            let d = self.current.block.registers.wi(*number);
            self.current.block.registers.w[d] = register.narrowed();
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
        let of = &self.current.run.kernel[matrix];
        let Matrix::Rows { transposed: turn, .. } = of.matrix else { return Ok(()) };
        self.current.meet(mask)?;
        self.current.cursor.did = true;
        let access = self.current.access_of_rows(&mut self.sites, AccessKind::Store, id, of)?;
        let addresses = self.sites.addresses(&access);
        // For each of a row's four words, that of each row.
        let mut words = [X::ZERO; 4];
        for (m, number) in of.a.iter().enumerate() {
            let register = self.current.block.registers.w[self.current.block.registers.wi(*number)].widened();
            let register = if turn { transposed(&register) } else { register };
            for l in 0..WARP {
                words[l % 4].0[8 * m + l / 4] = register.0[l];
            }
        }
        self.observe(&Access { values: Some(&words), ..access }, None)?;
        if self.current.block.observers.undefined {
            self.current.store_without_value(of, &access, &addresses);
        }
        self.counts.count_matrix_store(&mut self.sites, &access);
        for row in 0..access.mask.count_ones() as usize {
            for (n, words) in words.iter().enumerate() {
                let at = addresses.0[row] as usize + 4 * n;
                self.current.block.shared[at..at + 4].copy_from_slice(&(words.0[row] as u32).to_le_bytes());
            }
        }
        Ok(())
    }
}

/// Bits without a value of an operation's results, from those of its operands.
fn results_without_value(of: &MatrixOperands, file: File, a: &[X], b: &[X], c: &[X]) -> Vec<X> {
    match of.matrix {
        Matrix::Product(product, tiling) => {
            let (a, b) = if tiling == Tiling::Turned { (b, a) } else { (a, b) };
            let (rows, columns) = (product.a_registers(), product.b_registers());
            let sums = product.sum_registers(product.c);
            let of_part = |part: Part| {
                let (a, b, c) = (&a[part.a..][..rows], &b[part.b..][..columns], &c[part.c..][..sums]);
                semantics::without_value(&product, a, b, c)
            };
            parts_of(&product, tiling).flat_map(of_part).collect()
        }
        Matrix::Transpose => a.iter().map(transposed).collect(),
        // Every result depends on several rows and columns; which, is not followed.
        Matrix::Quads(_) => vec![X::splat(file.bits()); of.d.len()],
        Matrix::Rows { .. } | Matrix::Meet => vec![X::ZERO; of.d.len()],
    }
}

/// Where the registers of one of several products begin.
struct Part {
    a: usize,
    b: usize,
    c: usize,
}

/// The products of the tensor cores' shape that a product is made of.
fn parts_of(of: &semantics::Product, tiling: Tiling) -> impl Iterator<Item = Part> + use<> {
    let (rows, columns, sums) = (of.a_registers(), of.b_registers(), of.sum_registers(of.c));
    let parts = if tiling == Tiling::Whole { 1 } else { 2 };
    (0..parts).map(move |n| {
        let (a, b) = if tiling == Tiling::Columns { (0, n * columns) } else { (n * rows, 0) };
        Part { a, b, c: n * sums }
    })
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
